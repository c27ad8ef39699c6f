# Short forms of make torture and make audit, which anybody can run for longer.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

@test "torture: kills, failing calls, corruption and races leave each step with one value" {
	unsanitized "a sanitizer's library comes first"
	run -0 sh "$TOP/tests/torture.sh" "$DP_BUILD/bin" 0
	echo "$output"
	[ "$(awk 'NR > 1 && $6 == 0 && $2 * $3 * $4 * $5 > 0' <<<"$output" | wc -l)" -eq 2 ]
}

@test "audit: claims that are true hold, and those that are too small are caught" {
	run -0 sh "$TOP/tests/audit.sh" "$DP_BUILD/bin" 100
	echo "$output"
	[ "$(grep -c ' holds ' <<<"$output")" -eq 9 ]
	[ "$(grep -c ' caught ' <<<"$output")" -eq 2 ]
	# from below, from above: never crossed
	awk 'NR > 1 && $4 == "holds" && $2 > $3 + 1e-9 { exit 1 }' <<<"$output"
}
