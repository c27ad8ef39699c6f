#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# No option is accepted and ignored: each option of each tool with each of its mechanisms changes
# what is released, is refused, or is said to have no effect.

load ../lib/helper

lists=$BATS_TEST_DIRNAME/../tool

@test "an option does something to every mechanism, is refused, or says that it does nothing" {
	printf 'a,b\n1,0\n1,1\n0,1\n' >queries
	for tool in count window decay mean; do
		awk 'BEGIN { for (i = 1; i <= 40; i++)
			print i * 7 % 10, i % 3, substr("abc", i % 3 + 1, 1) }' >dp$tool.in
	done
	for tool in quantile transform; do
		awk 'BEGIN { for (i = 1; i <= 40; i++) print i * 7 % 10 }' >dp$tool.in
	done
	awk 'BEGIN { for (i = 1; i <= 40; i++)
		print substr("ab", i % 2 + 1, 1), i % 3, i % 5 }' >dpmaxsum.in
	awk 'BEGIN { for (i = 1; i <= 40; i++) print i * 7 % 3 / 4, .1, i % 5 / 5 }' >dpexperts.in
	awk 'BEGIN { for (i = 1; i <= 40; i++) print i * 7 % 16 + 1 }' >dpdistinct.in
	awk 'BEGIN { for (i = 1; i <= 4000; i++) print i * 432, "p" i % 3, "u" i % 700 }' >dptop.in
	awk 'BEGIN { for (i = 1; i <= 40; i++) print substr("abc", i % 3 + 1, 1) }' >dplocal.in
	yes b | head -n 10 >dpproject.in
	"$DP_BUILD/tests/unit/sweep" "$lists/plans.list" "$lists/options.list" >said
	tail -n 1 said
	# dputils(7): Laplace noise keeps D = 0; what --running says is so without it; and of a
	# high threshold there is no name to have an interval
	grep -vE '^pairs |^dp[a-z]+ [^ ]+ delta$|^dptop [^ ]+ (running|bound)$' said >ignored || :
	cat ignored
	[ ! -s ignored ]
	# they were asked for, and some of each kind found
	read -r _ pairs _ refused _ differ < <(tail -n 1 said)
	[ "$pairs" -gt 1500 ] && [ "$refused" -gt 500 ] && [ "$differ" -gt 700 ]
}

@test "every mechanism of every tool has a plan there, and so meets every option" {
	for tool in $(filters); do
		"$tool" --help=mechanisms | awk '/^Mechanisms/ { on = 1; next }
		    /^[^ ]/ { on = 0 }
		    on && NF && $1 != "identity" { print $1 }' | sort -u >listed
		sed -nE "s/^holds	$tool .* -M ([^ ]+).*/\1/p" "$lists/plans.list" |
		    sort -u >met
		[ -s listed ]
		comm -23 listed met | sed "s/^/$tool /"
	done >missing
	cat missing
	[ ! -s missing ]
}

@test "every option of every tool is in that list" {
	grep -v '^#' "$lists/options.list" >list
	for tool in $(readers); do
		"$tool" --help=all | grep -oE '^ +(-., )?--[a-z-]+' | sed 's/.*--//' >of
		while read -r option; do
			# shellcheck disable=SC2053
			while IFS='	' read -r tools name _; do
				[[ $tool != $tools || $option != ${name%%=*} ]] || continue 2
			done <list
			echo "$tool --$option"
		done <of
	done >missing
	cat missing
	[ ! -s missing ]
}
