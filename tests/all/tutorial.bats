# SPDX-License-Identifier: ISC
# dputils-tutorial(7): each command is run and prints what stands below it, noise aside, for which
# the page has a seed; dputils-faq(7): what it says of these tools.
load ../lib/helper
load ../lib/examples

TOP=$BATS_TEST_DIRNAME/../..
PAGE=${TUTORIAL:-$TOP/man/dputils-tutorial.7}

@test "tutorial: each command prints what the page says, with its seed; and runs without" {
	displays "$PAGE"
	here=$PWD
	failed=
	for ((n = 1; ; n++)); do
		[ -e "$here/cmd.$n" ] || break
		command=$(sed "s|/usr/local/share|$DP_BUILD/share|" "$here/cmd.$n")
		# a run that pays, and one with the noise of the page, which may not
		seeded=$(sed -E 's/( -e [^ ]+)/\1 --seed=1/; s/ --budget=[^ ]+//' <<<"$command")
		if [[ $seeded = "$command" || $command = *2\>\&1* || $command = *--explain* ]]; then
			eval "$command" >"$here/got" 2>"$here/err"
		else
			eval "$command" >/dev/null 2>"$here/err"
			eval "$seeded" >"$here/got" 2>"$here/err"
		fi
		diff "$here/out.$n" "$here/got" || { cat "$here/cmd.$n" "$here/err"; failed=1; }
	done
	[ "$n" -gt 18 ] && [ "$failed" = '' ]
	# what is drawn is private, and the page needs nothing else
	grep -q 'differentially private' shop.html
	for title in 'Requests a day' 'Visitors a day' 'Share of requests that failed'; do
		grep -q "<h2[^>]*>$title" shop.html
	done
	grep -q 'events of one user in one step' shop.html
	! grep -qE '<script|(href|src)="[^#"]' shop.html
	# the fourth run of a plan of three
	fails 4 dpcount -e 1/2 --log=combined --bucket=1d --from=2026-05-01 --to=2026-05-08 \
	    --budget=shop.budget:again access.log
	[ "$output" = '' ]
}

@test "tutorial: what it says between the commands" {
	displays "$PAGE"
	cp "$DP_BUILD/share/dputils/sample/access.log" .
	tr '\n' ' ' <"$PAGE" >page
	awk '{ d = substr($4, 2, 11); n[d]++; e[d] += $9 >= 500 } END {
	    for (d in n) print e[d] / n[d], d }' access.log | sort -rn >rates
	awk 'NR == 1 { exit !($2 == "05/May/2026" && $1 > .025 && $1 < .035) }' rates
	grep -qF 'On Tuesday, May 5, some 3 % of the requests failed.' page
	[ "$(date -ud 2026-05-05 +%a)" = Tue ]
	# of the other days the intervals that are shown begin at 0
	cat out.* | awk '$2 ~ /^0[.]/ { n++; low += $3 == 0 } END { exit !(n == 7 && low == 6) }'
	dpwindow -e 1/2 -w 1 -T 7 --bucket=1d --live --explain=json |
	    jq -e '.rmse.max > 2.7 and .rmse.max < 3'
	grep -qF 'Off by about 3, where a day has several hundred requests' page
	# "the noise is 20 times as large"
	for c in 1 20; do
		dpwindow -e 1 -w 1 -u 1 -c $c/step -T 7 --bucket=1d --live --explain=json |
		    jq .rmse.max
	done | paste -s | awk '{ exit !($2 / $1 > 19 && $2 / $1 < 21.5) }'
}

@test "faq: days of a running count, and sums of days, are off by what it says" {
	tr -s '\n' ' ' <"$TOP/man/dputils-faq.7" >page
	grep -qE 'is off by 3.6, where .* is off by 1[.]4[.]' page
	tr '\n' ' ' <"$TOP/README.md" |
	    grep -F 'off by 3.6 where this is off by 1.4, in a year of days' >said
	dpwindow -e 1 -w 1 -T 365 --bucket=1d --live --explain=json |
	    jq -e '.rmse.max * (365 | sqrt) | . > 25.5 and . < 26.5'
	dpcount -e 1 -T 365 --explain=json | jq -e '.rmse.max < 8'
	grep -qE 'off by 26, where .* is off by less than 8[.]' page
	# options it names are there
	dpcount --help=all >help
	for option in within nonnegative dropped each-user state explain check; do
		grep -q -e "--$option" help
	done
}
