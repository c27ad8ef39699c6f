# SPDX-License-Identifier: ISC
# dpdistinct: how often identifiers came: what it counts, what it refuses, what its memory holds.
load ../lib/helper

# wholly ARG ...: dpdistinct without noise
wholly() {
	dpdistinct -q -e inf "$@" 2>err || return
	[ "$(<err)" = 'dpdistinct: epsilon is inf: exact answers, NOT PRIVATE' ] || cat err
}

# often N WHAT TAU FILE: after every N-th line; -ID undoes ID, WHAT is an expression in a, the count
# of one, of which the sum is printed
often() {
	awk -v every="$1" -v tau="$3" '
	function of(a) { return '"$2"' }
	function abs(a) { return a < 0 ? -a : a }
	function min(a, b) { return a < b ? a : b }
	function ramp(a, low) { return a <= low ? 0 : a >= tau ? 1 : (a - low) / (tau - low) }
	$1 != "" {
		sign = sub(/^-/, "") ? -1 : 1
		sum -= of(n[$1])
		n[$1] += sign
		sum += of(n[$1])
	}
	NR % every == 0 { printf "%.0f\n", sum }' "$4"
}

# numbers N: from 1 to 100, some often
numbers() {
	integers "$1" | awk '{ print int($1 * $1 / 10000) + 1 }'
}

@test "exact without noise: cropped, incidence, heavy, for few and many" {
	numbers 3000 >in
	for tau in 1 2 3 7 30 500 2147483648; do
		for m in phase alg2; do
			[ $m = phase ] || [ "$tau" -le 65536 ] || continue
			often 150 'min(a, tau)' $tau in | diff - <(wholly -M $m -T 3000 \
			    --every=150 --universe=100 --statistic=cropped --tau=$tau in)
		done
		often 150 'a == tau' $tau in | diff - <(wholly -T 3000 --every=150 \
		    --universe=100 --statistic=incidence --tau=$tau in)
		# without fractions, at the ends of the ramp
		often 3000 'min(a, tau)' $tau in | awk '{ printf "%.6f\n", $1 / 100 }' |
		    diff - <(wholly --at-end --universe=100 --statistic=mean --tau=$tau in)
	done
	sort -n in | uniq -c | awk '$1 % 2 == 0 { for (; $1 > 0; $1--) print $2 }' >even
	often 50 'ramp(a, 0)' 1 even | diff - <(wholly -T 3000 --every=50 --universe=100 \
	    --statistic=heavy --tau=1 even)
	# half of 64: ramps of all others are multiples of 1/32, and their sum is rounded
	often 1 'ramp(a, 32)' 64 in >want
	wholly -T 3000 --universe=100 --statistic=heavy --tau=64 in | paste want - |
	    awk '$1 - $2 > 1 || $2 - $1 > 1 { exit 1 }'
}

@test "exact without noise: counts modulo K" {
	numbers 1000 | awk '{ print (NR % 4 ? "" : "-") $1 }' >in
	for by in 2 3 10 65536; do
		for r in 0 1 $((by - 1)); do
			awk -v by=$by -v r=$r '{ sign = sub(/^-/, "") ? -1 : 1; n[$1] += sign }
			    END { for (i = 1; i <= 120; i++) hit += ((n[i] - r) % by == 0)
				print hit }' in |
			    diff - <(wholly --at-end --deletes --universe=120 -M modular \
			    --statistic=incidence --tau=$r%$by in)
			awk -v by=$by -v r=$r 'BEGIN { hit = r == 0 ? 120 : 0 }
			    { sign = sub(/^-/, "") ? -1 : 1
			    if ($1 > 0 && $1 <= 120) {
				hit -= (n[$1] - r) % by == 0
				hit += ((n[$1] += sign) - r) % by == 0 }
			    if (NR % 10 == 0) print hit }' in |
			    diff - <(wholly -T 1000 --every=10 --deletes --universe=120 \
			    -M table --statistic=incidence --tau=$r%$by in)
		done
	done
	fails 2 dpdistinct -e 1 --at-end --statistic=cropped --universe=9 --tau=1%2 in
	[[ $stderr = *'R%K is for --statistic=incidence and a --universe'* ]]
	fails 2 dpdistinct -e 1 --at-end --statistic=incidence --tau=1%2 in
	[[ $stderr = *'R%K is for --statistic=incidence and a --universe'* ]]
	for t in 2%2 %2 1% 1%1 1%65537 -1%3 x%3; do
		fails 2 dpdistinct -e 1 --at-end --statistic=incidence --universe=9 --tau=$t in
	done
	fails 2 dpdistinct -e 1 --at-end --statistic=incidence --universe=9 --tau=1 -M modular in
	[[ $stderr = *'modular counts modulo a number (--tau=R%K)'* ]]
	fails 2 dpdistinct -e 1 --at-end --statistic=incidence --universe=9 --tau=1%2 -M phase in
}

@test "exact without noise: a share of the lines so far" {
	{ yes a | head -n 50; yes b | head -n 30; yes '' | head -n 20; yes c | head -n 100; } >in
	# of 50, a fifth are 10; of 100, 20; of 150, 30; of 200, 40: b is three quarters
	printf '%s\n' 1 2 3 2 >want
	wholly -T 200 --every=50 --universe=a,b,c --statistic=heavy --share=5 -M phase in |
	    diff want -
	wholly -T 200 --every=50 --statistic=heavy --share=5 --buckets=65536 in | diff want -
	[ "$(head -n 3 in | wholly --at-end --statistic=heavy --share=2 --universe=a)" = 1 ]
	[ "$(: | wholly --at-end --statistic=heavy --share=2 --universe=a)" = 0 ]
}

@test "exact without noise: deletions, below nothing as well" {
	numbers 2000 | awk '{ print (NR % 3 ? "" : "-") $1; if (NR % 50 == 0) print "-" 99 }' >in
	for tau in 1 4 20; do
		often 170 'min(abs(a), tau)' $tau in | diff - <(wholly -T 3000 --every=170 \
		    --deletes --universe=100 --statistic=cropped --tau=$tau in)
		often 170 'a == tau' $tau in | diff - <(wholly -T 3000 --every=170 \
		    --deletes --universe=100 --statistic=incidence --tau=$tau in)
	done
	printf -- '-%s\n' 4 4 4 4 4 7 7 >in
	[ "$(wholly --at-end --deletes --universe=9 --statistic=heavy --tau=2 in)" = 2 ]
	[ "$(wholly --at-end --deletes --universe=9 --statistic=incidence --tau=2 in)" = 0 ]
}

@test "what is not of the universe counts nowhere; names, fields, buckets" {
	printf '%s\n' 0 11 -1 1x x '' 3 3 >in
	[ "$(wholly --at-end --universe=10 --statistic=cropped --tau=5 in)" = 2 ]
	printf '%s\n' 'x,90000,a' 'x,10,a' 'x,20,b' 'x,180000,a' 'x,30,q' >in
	printf '1970-01-0%s\t%s\n' '1T00:00:00Z' 2 '2T00:00:00Z' 3 '3T00:00:00Z' 4 >want
	wholly --csv -v 3 -t 2 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-04 \
	    --universe=a,b --statistic=cropped --tau=3 in | diff want -
}

@test "options that are none, or do not go together" {
	rejects() {
		local what=$1

		shift
		fails 2 dpdistinct -e 1 --at-end "$@"
		[[ $stderr == *"$what"* ]] || { echo "$stderr"; return 1; }
		[ -z "$output" ]
	}
	for s in cropped mean incidence; do
		[ $s = cropped ] ||
		    rejects "--statistic=$s needs --universe" -P --statistic=$s --tau=3
		rejects "--statistic=$s needs --tau" --statistic=$s --universe=9
		rejects "--share is for --statistic=heavy" --statistic=$s --universe=9 --tau=3 \
		    --share=2
		for t in 0 -1 1.5 3x '' 2147483649 99999999999999999999; do
			rejects "--tau: '$t' must be a whole number from 1" --statistic=$s \
			    --universe=9 --tau="$t"
		done
	done
	rejects 'heavy needs --tau or --share' --statistic=heavy
	rejects 'heavy needs --tau or --share, and not both' --statistic=heavy --tau=3 --share=3
	for k in 0 1 -3 2.5 x 2147483649; do
		rejects "--share: '$k' must be a whole number from 2" --statistic=heavy --share=$k
	done
	rejects '--share is refused with --bucket' --statistic=heavy --share=3 -v 1 -t 2 \
	    --time-format=epoch --bucket=1d --public-times
	for s in distinct density; do
		rejects '--tau: '"'3'"' is for cropped' --statistic=$s --universe=9 --tau=3
		rejects '--share is for --statistic=heavy' --statistic=$s --universe=9 --share=3
	done
	rejects '--tau: ' --tau=3
	rejects '--buckets is for identifiers without' --statistic=heavy --tau=3 --universe=9 \
	    --buckets=16
	rejects '--flips is for' --statistic=cropped --tau=3 --universe=9 --deletes --flips=3
	rejects 'refused with --tau' --window=3 --tau=3
	for w in 0 -1 x 1000001; do
		rejects '--updates: ' --universe=9 --updates=$w
	done
	rejects '--updates needs --universe' --updates=2
	rejects '--updates is for --statistic=distinct and f2' --statistic=cropped --tau=2 \
	    --universe=9 --updates=2
	rejects '--statistic=f2 needs --updates=W, the promise that' --statistic=f2
	rejects '--updates: refused with --protect=event' --statistic=f2 --protect=event --updates=2
	rejects '--presence: refused with --protect=event' --statistic=f2 --protect=event --presence
	rejects '--protect=event: refused with --bucket' --statistic=f2 --protect=event -v 2 -t 1 \
	    --time-format=epoch --bucket=1h --live
	rejects '--protect is for --window' --protect=event
	rejects '--tau: ' --statistic=f2 --updates=2 --tau=3
	rejects '--buckets is for identifiers without' --statistic=f2 --updates=2 --universe=9 \
	    --buckets=16
	rejects 'refused with --updates' --universe=9 --window=2 --updates=2
	rejects 'continual needs the promise that' -T 9 --universe=9 -M continual
	# what a mechanism cannot
	rejects 'none of those --help=mechanism' --statistic=mean --tau=3 --universe=9 -M alg2
	rejects 'alg2 is not for these parameters' --statistic=cropped --tau=65537 --universe=9 \
	    -M alg2
	rejects 'phase is not for these parameters' --statistic=cropped --tau=3 --universe=300M \
	    -M phase
	fails 2 dpdistinct -e 1/1000000 -P --at-end --statistic=cropped --tau=3 --universe=9
	[[ $stderr = *'the noise does not fit'* ]]
}

@test "--explain: the lower bound and its ratio, bias, no information, buckets, the other tool" {
	explained() {
		dpdistinct -e 1 -P --at-end --explain=json "$@" >j
	}
	says() {
		jq -e --arg t "$1" '[.assumptions[], .notes[]] | map(test($t)) | any' j >/dev/null
	}
	explained -t 1 --time-format=epoch --bucket=1d --public-times -T 9 --statistic=cropped \
	    --tau=10 --universe=10000
	# tau sqrt(m)/(4 cosh(1/2)), and some 11 times that for many identifiers
	jq -e '.lower_bound > 221.6 and .lower_bound < 221.8 and .mechanism == "phase" and
	    (.rmse.max / .lower_bound | . > 10.9 and . < 14.5) and .pan_private' j
	dpdistinct -e 1 -P --at-end -t 1 --time-format=epoch --bucket=1d --public-times -T 9 \
	    --statistic=cropped --tau=10 \
	    --universe=10000 --explain | grep -q 'it is 14\.[0-9]* times that'
	says 'epsilon, 0\.[89].* is for memory'
	says 'in place of another.*epsilon = 2;'
	says 'dpcount -u FIELD -c 10'
	jq -e '.eligible | map(.mechanism) | sort == ["alg2", "phase"]' j
	explained -T 1000 --statistic=cropped --tau=100 --universe=100 -M alg2
	says 'BIASED.* divided by 1\.15.* 1\.1613 and 1\.2917'
	for s in mean heavy incidence; do
		explained -T 1000 --statistic=$s --tau=3 --universe=100
		jq -e '.lower_bound > 0 and .mechanism == "phase"' j
		! says 'dpcount -u'
	done
	explained -T 1M --statistic=heavy --share=300
	says 'NO INFORMATION: at most 300 '
	says 'hashed to 2049 buckets'
	explained -T 1M --statistic=heavy --share=2000
	run ! says 'NO INFORMATION'
	explained -T 1000 --statistic=heavy --tau=100 --universe=5000
	says 'NO INFORMATION: at most 10 '
	explained -T 1M --statistic=heavy --tau=2 --universe=5000
	run ! says 'NO INFORMATION'
	run ! says 'buckets'
}

@test "continual: exact without noise, a promise that is said, better for many answers" {
	numbers 300 | awk '!seen[$1]++ { if (NR % 3 == 0) go[NR + 4] = $1; print $1; next }
	    NR in go { print "-" go[NR]; next } { print "" }' >in
	often 1 'a != 0' 1 in | diff - <(wholly -T 300 --deletes --universe=100 --updates=2 \
	    -M continual in)
	dpdistinct -e 1 -P -T 300 --deletes --universe=100 --updates=2 --explain=json >j
	jq -e '.mechanism == "continual" and .pan_private and
	    (.notes | any(test("PROMISES that no identifier has more than 2 lines")))' j
	! dpdistinct -e 1 -T 300 --deletes --universe=100 --explain | grep continual
	dpdistinct -e 1 -P -T 8 --deletes --universe=100 --updates=2 --explain=json |
	    jq -e '.mechanism == "cells"'
	[ "$(jq .memory_bytes j)" = $((288 + 800)) ]
}

@test "f2: exact without noise, also undone; what is said of its error; fewer buckets than counts" {
	numbers 300 | awk 'NR % 4 ? $1 : "-" $1' >in
	awk '{ a[$1 < 0 ? -$1 : $1] += $1 < 0 ? -1 : 1
	    s = 0; for (i in a) s += a[i]^2; print s }' in >want
	wholly -T 300 -P --deletes --universe=100 --statistic=f2 --protect=event in | diff want -
	# one meets nobody
	printf '7\n7\n-7\n7\n' | wholly -T 9 --deletes --statistic=f2 --updates=9 |
	    diff <(printf '1\n4\n1\n4\n') -
	dpdistinct -e 1 -P -T 300 --statistic=f2 --updates=2 --explain=json >j
	jq -e '.mechanism == "ams" and .pan_private and .noise.scale == 4 * 9 and
	    (.notes | any(test("PROMISES that no identifier has more than 2 lines"))) and
	    (.notes | any(test("NO INFORMATION")))' j
	dpdistinct -e 1 -P --at-end -T 5000 --statistic=f2 --protect=event --explain=json >j
	jq -e '.noise.scale == 2 and (.neighbours | test("one line.s identifier differs")) and
	    (.notes | any(test("they share [0-9]+ buckets"))) and
	    (.notes | all(test("NO INFORMATION") | not))' j
}

@test "cropped, -P and no universe: levels, of which no answer is chosen that tells nothing" {
	printf '%s\n' 7 7 7 7 7 8 8 >in
	for b in '' --buckets=16; do
		[ "$(head -n 5 in | wholly --at-end -P --statistic=cropped --tau=3 $b)" = 3 ]
	done
	fails 2 dpdistinct -e 1 -P --at-end -T 5000 --statistic=cropped --tau=20 in
	[[ $stderr == *'phase-levels has too much noise here: declare a --universe'* ]]
	dpdistinct -e 1 -P --at-end -T 1M --statistic=cropped --tau=20 --explain=json >j
	# 16 bytes and 21 levels of 65536; some 5 % off
	jq -e '.mechanism == "phase-levels" and .pan_private and
	    .memory_bytes == 16 + 21 * 65536 * 8 and .rmse.max > 40000 and .rmse.max < 60000 and
	    (.notes | all(test("NO INFORMATION") | not))' j
	dpdistinct -e 1 --at-end -T 1M --statistic=cropped --tau=20 --explain=json |
	    jq -e '.mechanism == "table"'
}

@test "memory is what the page says, whatever comes" {
	bytes() {
		dpdistinct -e 1 -P --at-end --explain=json "$@" | jq .memory_bytes
	}
	[ "$(bytes --statistic=cropped --tau=3 --universe=1000)" = 8016 ]
	[ "$(bytes --statistic=cropped --tau=3 --universe=1000 -M alg2)" = 8016 ]
	[ "$(bytes --statistic=heavy --tau=3)" = 32784 ]
	[ "$(bytes --statistic=heavy --tau=3 --buckets=64)" = 528 ]
	[ "$(bytes --statistic=heavy --share=20)" = $((16 + 8 * 137)) ]
}

@test "state: one run in pieces has the bytes of one run, also where runs are killed" {
	numbers 90 >in
	for args in '--statistic=cropped --tau=3 --universe=100 --deletes' \
	    '--statistic=heavy --share=10' '--statistic=mean --tau=5 --universe=100' \
	    '--statistic=incidence --tau=2 --universe=100' \
	    '--statistic=cropped --tau=3 --universe=100 -M alg2' \
	    '--statistic=f2 --updates=2 --buckets=16' \
	    '--statistic=cropped --tau=3 --buckets=16 -M phase-levels' \
	    '--universe=100 --updates=9 -M continual' '--universe=100 -M moved' \
	    '--universe=100 --looks=1 -M anew' '--universe=100 --buckets=32 -M sample' \
	    '--statistic=incidence --tau=1%3 --universe=100' \
	    '--statistic=heavy --tau=4 --universe=100 -M alg3'; do
		rm -f S out
		# shellcheck disable=SC2086
		dpdistinct -e 9 -T 90 --every=3 --seed=5 $args in >whole 2>/dev/null
		# shellcheck disable=SC2086
		dpdistinct -e 9 -T 90 --every=3 --seed=5 $args --state=S --init --out=out \
		    </dev/null 2>/dev/null
		for i in 0 30; do
			tail -n +$((i + 1)) in | head -n 30 |
			    dpdistinct --state=S --out=out 2>/dev/null
		done
		talk dpdistinct --state=S --out=out
		sed -n 61,75p in >&6
		until_true test_lines 25 out
		kill -9 "$pid"
		wait "$pid" 2>/dev/null || :
		exec 6>&- 7<&-
		tail -n +76 in | dpdistinct --state=S --out=out 2>/dev/null
		diff whole out
	done
	fails 5 dpdistinct --state=S --tau=4 in
	fails 5 dpdistinct --state=S --statistic=mean in
	fails 5 dpdistinct --state=S --share=4 in
}

# test_lines N FILE
test_lines() {
	[ "$(wc -l <"$2")" -ge "$1" ]
}

@test "clients of a web server: cropped, without noise and with it" {
	log=$BATS_TEST_DIRNAME/../../../shared/data/apache_access.log
	if [ -r "$log" ]; then
		cat "$log" >log
	else
		integers 3000 | awk '{ print "192.0.2." $1 % 250, "-" }' >log
	fi
	awk '{ split($1, p, "."); print (p[3] * 256 + p[4]) % 1024 + 1 }' log >ids
	often "$(wc -l <log)" 'min(a, 20)' 20 ids >want
	set -- --at-end --universe=1024 --statistic=cropped --tau=20 ids
	wholly "$@" | diff want -
	# one in 10^10 is farther out
	dpdistinct -e 2 -o json -B0.9999999999 "$@" |
	    jq -e --argjson n "$(<want)" '.lo <= $n and $n <= .hi'
}

@test "an answer without information: said before anything is read" {
	set -- dpdistinct -e 1 --statistic=heavy -T 1000 --at-end -P
	run -0 --separate-stderr "$@" --share=20 </dev/null
	[[ $stderr == *"NO INFORMATION: at most 20 "* ]]
	for how in '--share=20 -q' '--share=20 --explain'; do
		# shellcheck disable=SC2086
		run -0 --separate-stderr "$@" $how </dev/null
		[[ $stderr != *INFORMATION* ]]
	done
	run -0 --separate-stderr dpmaxsum -e 1e-3 -T 1000 --columns=5 </dev/null
	[[ $stderr == *"NO INFORMATION: an answer that never looks at the data"* ]]
}

@test "heavy without a universe: light identifiers that add up are in the interval, and said" {
	set -- --statistic=heavy --tau=10 --at-end --seed=1 -o csv -M phase
	# 100,000 that come once: none is heavy, and nearly all buckets are
	seq 100000 >light
	run -0 --separate-stderr dpdistinct -e 1 "$@" -T 100k -B light
	[[ $stderr == *"NO INFORMATION: 100000 lines are some 24.41 in each of 4096 buckets"* ]]
	awk -F , 'NR == 2 { exit !($1 > 2000 && $2 <= 0 && $3 >= 0) }' <<<"$output"
	# in so many buckets there is little of it: nothing is said, and the interval is narrower
	run -0 --separate-stderr dpdistinct -e 20 "$@" -T 100k --buckets=1048576 -B light
	[[ $stderr != *INFORMATION* ]]
	awk -F , 'NR == 2 { exit !($2 <= 0 && $3 >= 0 && $3 - $2 < 9000) }' <<<"$output"
	# with a universe there are no buckets to share
	run -0 --separate-stderr dpdistinct -e 20 "$@" -T 100k --universe=100000 -B light
	awk -F , 'NR == 2 { exit !($2 <= 0 && $3 >= 0 && $3 - $2 < 4000) }' <<<"$output"
	# nobody knows how many lines there are: no interval, and a word on how many are too many
	run -2 --separate-stderr dpdistinct -e 1 "$@" -B light
	[[ $stderr == *"--bound: phase has no interval here: "*"the number of events"* ]]
	run -0 --separate-stderr dpdistinct -e 1 "$@" light
	[[ $stderr == *"share 4096 buckets"*"far fewer than 10240 events"* ]]
	run -2 --separate-stderr dpdistinct -e 1 -M phase --statistic=heavy --tau=10 -v 1 -t 2 \
	    --time-format=epoch --bucket=60s --from=0 --to=120 -B light
	[[ $stderr == *"the number of events, which is secret"* ]]
	run -0 --separate-stderr dpdistinct -e 1 "$@" -q light
	[[ $stderr != *buckets* ]]
	# the bounds of --explain have it, too
	dpdistinct -e 1 -P --statistic=heavy --tau=10 --at-end -T 100k --explain=json |
	    jq -e '.bound.all_steps > 10000 and .bound.all_steps < 12000 and
	    (.notes[0] | test("^NO INFORMATION")) and (.notes | any(test("by up to 10000,")))'
}

@test "NO INFORMATION: said of every tool whose error is more than half of what answers differ by" {
	printf '1,0\n0,1\n' >A
	# blind RANGE TOOL ARG ...: said once on standard error and once by --explain, and not with
	# a hundred times the epsilon
	blind() {
		local range=$1 how

		shift
		"$@" -e "$e" </dev/null 2>err >out
		[ "$(grep -c "^$1: NO INFORMATION.* $range" err)" -eq 1 ]
		"$@" -e "$e" --explain >text 2>err
		[ "$(grep -c '^note .*NO INFORMATION' text)" -eq 1 ]
		grep -q "^note          NO INFORMATION.* $range" text
		! grep -q INFORMATION err
		for how in '' --explain; do
			run -1 grep INFORMATION <("$@" -e "$((1000 * ${e#.}))" $how </dev/null 2>&1)
		done
	}
	e=.1
	blind 'differ by at most 20,' dpcount -T 20
	blind 'differ by at most 160,' dpcount -T 20 -r -5:3
	blind 'differ by at most 20,' dpcount -T 20 -k 1 --keys=a,b
	blind 'differ by at most 9,' dpwindow -T 1000 -w 9
	blind 'in column 9: .* at most 9,' dpwindow -T 10000 -w 9,5000
	blind 'differ by at most 2,' dpdecay -T 1000 -a .5
	blind 'differ by at most 4.3' dpdecay -T 1000 -p 1.2
	blind 'differ by at most 500,' dpdistinct -T 9999 --universe=500 --deletes
	blind 'differ by at most 3,' dpdistinct -T 600 --universe=50 --statistic=mean --tau=3
	blind 'differ by at most 150,' dpdistinct -T 600 --universe=50 --statistic=cropped --tau=3
	blind 'differ by at most 50,' dpdistinct -T 600 --universe=50 --statistic=incidence --tau=3
	blind 'differ by at most 1,' dpdistinct -T 600 --universe=50 --statistic=density
	blind 'differ by at most 20,' dpdistinct -T 9999 -w 20
	blind 'differ by at most 10,' dpdistinct -T 87 --universe=20 --statistic=incidence --tau=8
	blind 'at most 9 identifiers' dpdistinct -T 9 --universe=12 --statistic=heavy --share=20
	blind 'those of chance at most 99 more' dpexperts -T 100 --columns=100
	blind 'differ by at most 10,' dpproject -T 10 --queries=A
	blind 'differ by at most 100,' dptransform -T 100 --sensitivity=1 --changes=9 -r 0:100
	blind 'differ by at most 20,' dplocal -T 20 --domain=a,b --estimate
	# of buckets nobody knows how much is in them; of one line's answer, with how many others
	# it will be looked at
	for how in 'dpcount --bucket=1h --live -T 3' 'dplocal -T 1 --domain=a,b' \
	    'dpwindow --bucket=1h --live -T 99 -w 2'; do
		# shellcheck disable=SC2086
		run -1 grep INFORMATION <($how -e .1 </dev/null 2>&1)
	done
	# -q says nothing, and without noise there is nothing to say
	[ -z "$(dpcount -q -e .1 -T 20 </dev/null 2>&1)" ]
	run -1 grep INFORMATION <(dpcount -e inf -T 20 </dev/null 2>&1)
}

@test "NO INFORMATION: of an unknown horizon in which first steps, from 1000 of them on" {
	# with fresh noise each step the error of t steps is hardly less than the root of 2t / E^2,
	# and so more than t / 2 up to 8 / E^2
	first() {
		"$@" </dev/null 2>&1 >out |
		    sed -nE 's/.*: NO INFORMATION in the first ([0-9]+) .*/\1/p'
	}
	[ "$(first dpcount -e .01 -M input)" -eq 79999 ]
	[ "$(first dpcount -e .08 -M input)" -eq 1249 ]
	[ "$(first dpcount -e .08 -M input -r 0:9)" -eq 1249 ]
	[ -z "$(first dpcount -e .1 -M input)" ]
	[ "$(first dpcount -e .001)" -gt 10000 ]
	dpcount -e .08 -M input --explain |
	    grep -q '^note  *NO INFORMATION in the first 1249 steps: '
	dpwindow -e .01 -w 70k,100k --explain |
	    grep -q '^note  *NO INFORMATION in column 70k in the first [0-9]* steps: '
	# a known horizon is the end of an input, and a bucket holds any number of events
	for how in '-T 1M' '--bucket=1h --live'; do
		# shellcheck disable=SC2086
		run -1 grep INFORMATION <(dpcount -e .01 $how </dev/null 2>&1)
	done
}

@test "NO INFORMATION: of buckets only a universe says how many identifiers there can be" {
	b=(-v 1 -t 2 --time-format=epoch --bucket=1d --from=2026-05-01 --to=2026-05-05)
	[[ $(dpdistinct -e .1 -w 1 --universe=5 "${b[@]}" </dev/null 2>&1 >out) = \
	    *'NO INFORMATION: right answers differ by at most 5,'* ]]
	for how in '-w 1' '-w 2d' '--statistic=distinct' '--statistic=heavy --tau=3'; do
		# shellcheck disable=SC2086
		run -1 grep INFORMATION <(dpdistinct -e .1 $how "${b[@]}" </dev/null 2>&1)
		# shellcheck disable=SC2086
		run -1 grep INFORMATION <(dpdistinct -e .1 $how "${b[@]}" --explain)
	done
}

@test "--tau=R%K: where R is no remainder by K the message names the form" {
	for t in 3%3 1%1 1%x; do
		fails 2 dpdistinct -e 1 -T 9 --universe=9 --statistic=incidence --tau=$t
		[[ $stderr = *"--tau: '$t' must be"*'or R%K, R < K'* ]]
	done
}
