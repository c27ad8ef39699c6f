# SPDX-License-Identifier: ISC
# Short forms of make torture and make audit, which anybody can run for longer.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

@test "torture: kills, failing calls, lost power, damage, races and moves: one value a step" {
	unsanitized "a sanitizer's memory is not the tool's"
	[ "$(uname -m)" = x86_64 ] || skip 'the tracer knows x86-64 alone'
	run -0 sh "$TOP/tests/torture.sh" "$DP_BUILD/bin" 0
	echo "$output"
	[ "$(awk 'NR > 1 && $9 == 0 && $2 * $3 * $4 * $5 * $6 * $7 > 0' <<<"$output" |
	    wc -l)" -eq 2 ]
	# looks into memory, which is root's
	[ "$(id -u)" != 0 ] || [ "$(awk 'NR > 1 { n += $8 } END { print n }' <<<"$output")" -ge 12 ]
}

@test "torture: logs that are rotated at any system call count once, or the run is refused" {
	unsanitized "it is about the calls of the tool"
	[ "$(uname -m)" = x86_64 ] || skip 'the tracer knows x86-64 alone'
	run -0 sh "$TOP/tests/torture.sh" "$DP_BUILD/bin" rotate 12
	echo "$output"
	# no kind is left out; a log that is only renamed or compressed is never in the way
	[ "$(awk 'NR > 1 && $NF == 0 && $(NF - 2) > 0' <<<"$output" | wc -l)" -eq 11 ]
	[ "$(awk '/^(renamed|compressed)/ && $(NF - 1) != 0' <<<"$output")" = '' ]
}

@test "audit: claims that are true hold, and those that are too small are caught" {
	run -2 sh "$TOP/tests/audit.sh" "$DP_BUILD/bin" 99
	[[ $output = 'make audit: RUNS=99 cannot find out a claim that is too small: 100 '* ]]
	run -0 sh "$TOP/tests/audit.sh" "$DP_BUILD/bin" 100
	echo "$output"
	[ "$(grep -c ' holds ' <<<"$output")" -eq 4 ]
	[ "$(grep -c ' caught ' <<<"$output")" -eq 1 ]
	# from below, from above: never crossed
	awk 'NR > 1 && $4 == "holds" && $2 > $3 + 1e-9 { exit 1 }' <<<"$output"
}
