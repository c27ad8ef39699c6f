# SPDX-License-Identifier: ISC
# dptransform: what is printed without noise, the end of a run, --explain, states, options.
load ../lib/helper

# moves K D [hold]: what is printed of the answers on standard input without noise
moves() {
	awk -v K="$1" -v D="$2" -v hold="$3" '{
		a = $1 + 0
		d = a > out ? a - out : out - a
		if (d > D && n == K && !hold)
			exit
		if (d > D && n < K) {
			out = a
			n++
		}
		print out + 0
	}'
}

# still ARG ...: dptransform without noise; status 4 is no failure
still() {
	dptransform -e inf "$@" 2>err || [ $? -eq 4 ]
}

quiet() {
	dptransform "$@" 2>/dev/null
}

# walk N: a number that moves by up to 4 each time, never below 0
walk() {
	integers "$1" | awk '{ s += $1 % 9 - 4; if (s < 0) s = -s; print s }'
}

@test "without noise: an answer is printed when it is farther than D from the last one" {
	walk 300 >in
	for m in transform pan paper; do
		for k in 0 1 3 20 400; do
			for d in 0 1 4 11; do
				moves $k $d <in >want
				still -M $m -T 300 --sensitivity=1 --changes=$k --distance=$d in |
				    cmp want - || { echo "$m $k $d"; false; }
				[ $k -gt 0 ] || continue
				moves $k $d 1 <in >want
				still -M $m -T 300 --sensitivity=1 --changes=$k --distance=$d \
				    --on-halt=hold in | cmp want -
			done
		done
	done
	still -T 300 --sensitivity=1 --changes=3 -M output in | cmp in -
}

@test "halt: status 4, a fixed message, nothing of the answer that was one too many" {
	printf '5\n10\n77777\n10\n' >in
	run -4 --separate-stderr dptransform -e inf --sensitivity=1 --changes=2 in
	[ "$output" = $'5\n10' ]
	[ "${stderr_lines[1]}" = \
	    'dptransform: the mechanism has ended: nothing more may be released; all --changes '\
'are spent (with --on-halt=hold the last answer would be printed again instead)' ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	silent_about 77777 - <<<"$stderr"
	# at the first line; at the last
	run -4 dptransform -e inf -q --sensitivity=1 --changes=0 in
	run -4 --separate-stderr dptransform -e inf --sensitivity=1 --changes=2 <(head -3 in)
	run -0 --separate-stderr dptransform -e inf --sensitivity=1 --changes=2 <(head -2 in)
}

@test "halt: a state stays ended; a batch given again prints the same" {
	# a scale of 1/100: no noise to speak of, and a slack of 1
	set -- --state=s --batch=1 -e 2000 -T 99 --sensitivity=1 --changes=2
	printf '50\n100\n777\n100\n' >in
	run -4 --separate-stderr dptransform "$@" --init in
	[ "$output" = $'50\n100' ]
	run -4 --separate-stderr dptransform --state=s --batch=1 in
	[ "$output" = $'50\n100' ]
	run -4 --separate-stderr dptransform --state=s --batch=2 <<<100
	[ "$output" = '' ]
	[[ $stderr == *'the mechanism has ended'* ]]
	run -4 --separate-stderr dptransform --state=s <<<100
	[ "$output" = '' ]
	# held: it goes on
	run -0 --separate-stderr dptransform --state=h --init -e 2000 -T 99 --sensitivity=1 \
	    --changes=2 --on-halt=hold in
	[ "$output" = $'50\n100\n100\n100' ]
	run -0 --separate-stderr dptransform --state=h <<<5
	[ "$output" = 100 ]
}

@test "state: a run in parts prints what one run prints, every mechanism" {
	walk 200 | awk '{ print $1 * 50 }' >in
	for m in transform pan rounds paper output output-gauss rising recompute; do
		rm -f s
		set -- -e 1 -d 1e-6 -T 200 --seed=5 --sensitivity=1 --changes=20 -M $m
		[ $m != recompute ] || set -- "$@" --drift=99
		[ $m != rising ] || set -- -e 9 -T 200 --seed=5 --sensitivity=1 --rising=800 -M $m
		dptransform "$@" in >want 2>/dev/null || [ $? -eq 4 ]
		for n in 1 63 64 72; do
			head -n $n in
			sed -i "1,${n}d" in
		done >whole
		cp whole in
		head -1 in | dptransform --state=s --init "$@" >got 2>/dev/null
		for range in 2,64 65,65 66,200; do
			sed -n ${range}p in | dptransform --state=s >>got 2>/dev/null ||
			    [ $? -eq 4 ]
		done
		cmp want got || { echo $m; false; }
	done
}

@test "rising: K and D are found, for every mechanism; half the noise for one-sided neighbours" {
	set -- -e 3 -T 10k --sensitivity=1 --rising=1000
	[ "$(explained .mechanism "$@")" = rising ]
	one=$(explained .bound.all_steps "$@" --one-sided)
	two=$(explained .bound.all_steps "$@")
	# the page: 307 by --changes, 160, 133
	[ "$one $two" = '133 160' ]
	[ "$(explained .bound.all_steps "$@" -M transform)" = 307 ]
	explained .neighbours "$@" --one-sided |
	    grep -F "that differ by at most 1, those of one never below the other's (what"
	explained .neighbours "$@" | grep -vF 'never below'
	# -P, and no horizon: by the others
	[ "$(explained .mechanism "$@" -P)" = pan ]
	[ "$(explained .mechanism -e 3 --sensitivity=1 --rising=1000)" = transform ]
	# what the range cuts off cannot be reached
	explained .bound "$@" -r 0:500 >half
	explained .bound -e 3 -T 10k --sensitivity=1 --rising=500 | diff half -
	# from the low end of the range
	explained .bound -e 3 -T 10k --sensitivity=1 --rising=600 -r 100:9999 | diff half -
	echo 0 | quiet -e inf -T 9 --sensitivity=1 --rising=1000 -r 100:9999 | grep -qx 100
	# exact without noise, as it comes
	walk 99 >in
	quiet -e inf -T 99 --sensitivity=1 --rising=1000 in | diff in -
	seq 0 40 400 | dptransform -e 400 -T 99 --sensitivity=1 --rising=400 --seed=1 -q | wc -l |
	    grep -qx 11
	# a passed ceiling ends it, or is held
	seq 0 500 49000 >in
	run -4 --separate-stderr dptransform -e 9 -T 99 --sensitivity=1 --rising=100 --seed=1 in
	[[ $stderr == *'all --changes are spent'* ]]
	run -0 --separate-stderr dptransform -e 9 -T 99 --sensitivity=1 --rising=100 --seed=1 \
	    --on-halt=hold in
	[ "${#lines[@]}" -eq 99 ]
}

@test "rising: options that do not go with it" {
	set -- -e 1 -T 9 --sensitivity=1
	rejects '--rising finds K and D: --changes does not' dptransform "$@" --rising=9 --changes=1
	rejects '--rising finds K and D: --distance does not' dptransform "$@" --rising=9 \
	    --distance=1
	rejects '--one-sided needs --rising' dptransform "$@" --changes=1 --one-sided
	for m in 0 -1 x '' .2; do
		rejects "--rising: '$m' must be" dptransform "$@" "--rising=$m"
	done
	rejects "--rising: '5' must be above the low end" dptransform "$@" --rising=5 -r 5:9
	rejects 'rising is not pan-private' dptransform "$@" --rising=9 -P -M rising
	rejects 'rising' dptransform "$@" --changes=9 -M rising
}

@test "recompute: an answer every N lines, exact against awk; the bounds of the page" {
	walk 300 >in
	awk 'NR % 7 == 1 || NR % 11 == 0 { print ""; next } { print }' in >gaps
	for n in 1 3 8 299 1000; do
		for f in in gaps; do
			awk -v n=$n '{ b = int((NR - 1) / n) + 1 }
			    b != last && $1 != "" { out = $1; last = b } { print out + 0 }' $f |
			    diff - <(still -M recompute -T 300 --sensitivity=1 --drift=4 \
			    --refresh=$n $f)
		done
	done
	set -- -e 1 -T 1000 --sensitivity=1
	[ "$(explained .bound.all_steps "$@" --drift=0 --refresh=100)" = 53 ]
	[ "$(explained .bound.all_steps "$@" --changes=1000)" = 9903 ]
	[ "$(explained .mechanism "$@" --drift=1)" = recompute ]
	# more drift, more of them; K and D are found; half of it where answers never fall
	b=$(explained .bound.all_steps "$@" --drift=1)
	[ "$b" -lt "$(explained .bound.all_steps "$@" --drift=2)" ]
	[ "$(explained .bound.all_steps "$@" --drift=1 --rising=1000 -M recompute)" -lt "$b" ]
	explained '.eligible[].mechanism' "$@" --drift=.01 -r 0.00:99 | grep -qx transform
	# of which line depends on no answer: fewer changes than blocks
	yes 5 | head -n 1000 | quiet "$@" --drift=1 --seed=1 | uniq | wc -l >runs
	explained '.notes[]' "$@" --drift=1 | sed -n 's/.* is released, \([0-9]*\) in all.*/\1/p' |
	    grep -qx "$(<runs)"
	# -P: memory has what was printed
	[ "$(explained .pan_private "$@" -P --drift=1 -M recompute)" = true ]
	dptransform "$@" --drift=1 --changes=3 --on-halt=hold -M recompute --explain 2>&1 |
	    grep -F -- '--on-halt has no effect: recompute'
	dptransform "$@" --drift=1 --refresh=9 -M output --explain 2>&1 |
	    grep -F -- '--refresh has no effect: output'
}

@test "recompute: options that do not go with it" {
	set -- -e 1 -T 9 --sensitivity=1
	rejects '--refresh needs --drift' dptransform "$@" --refresh=3
	rejects '--distance needs --changes' dptransform "$@" --drift=3 --distance=1
	rejects '--drift needs a horizon' dptransform -e 1 --sensitivity=1 --drift=3
	rejects 'recompute needs --drift' dptransform "$@" --changes=3 -M recompute
	for v in -1 x '' nan; do
		rejects "--drift: '$v' must be" dptransform "$@" "--drift=$v"
	done
	for n in 0 -1 x '' 1.5; do
		rejects "--refresh: '$n' must be" dptransform "$@" --drift=1 "--refresh=$n"
	done
	: | dptransform --state=s --init "$@" --drift=1
	fails 5 dptransform --state=s --drift=2 </dev/null
	fails 5 dptransform --state=s --refresh=3 </dev/null
}

@test "state: other K, D, R, beta, or an end in another way, are refused" {
	: | dptransform --state=s --init -e 1 -T 9 --sensitivity=2 --changes=3 --distance=5
	for a in --changes=4 --distance=6 --sensitivity=1 --sensitivity=3 --beta=.1 --on-halt=hold \
	    --inner-epsilon=1 -r0:9 -T10 -e2; do
		fails 5 dptransform --state=s $a </dev/null
	done
	: | dptransform --state=s --changes=3 --sensitivity=2.0
	# what the state says of its options is read again as it was
	: | dptransform --state=r --init -e 1 -T 9 --sensitivity=.25 --changes=3 -r -5.0:5.0 -P
	: | dptransform --state=r
	dptransform --state=r --state-show | grep -x 'own-sensitivity .25'
}

@test "explain: the relation, what is spent, what the paper would charge, the condition" {
	dptransform -e 3/2 -T 1000 --sensitivity=2.5 --changes=10 --distance=7 -r 0.0:99.0 \
	    --inner-epsilon=.25 --explain >text
	grep -F 'is (3/2, 0)-differentially private' text
	grep -F 'line by line, numbers that differ by at most 2.5' text
	grep -F 'away from the last one: the distance of 7 and' text
	grep -E '^sensitivity   2.5$' text
	grep -E 'is spent on the threshold, .* on 11 comparisons, .* on 10 answers: 1.5 in all' text
	grep -F '0.25 by the statistic itself (--inner-epsilon) and 1.5 by this command: 1.75 in' \
	    text
	grep -F 'when more than 10 answers would be released: with probability 0.975' text
	grep -F 'With probability 0.95 the error stays within' text
	grep -F 'no mechanism with this guarantee can promise less than' text
	silent_about 'each event is protected by itself' text
	dptransform -e 1 --sensitivity="$(printf '%080d' 25)" --changes=1 --explain |
	    grep -F 'differ by at most 025 ('
	# the paper's own: 5/6 of what it claims
	dptransform -e 3 -T 1000 --sensitivity=2 --changes=10 -M paper --explain >text
	grep -F 'each part of the threshold' text
	grep -F '1 is spent on the threshold, 1.045 on 11 comparisons, 0.4545 on 10 answers' text
	grep -F ': 2.5 in all; the accounting' text
	grep -F 'Theorem 5.2 would charge this noise with 3' text
	dptransform -e 1 -T 1000 --sensitivity=1 --changes=3 --on-halt=hold --explain |
	    grep -F 'when 3 answers are released the last is repeated to the end'
	dptransform -e 1 -T 1000 --sensitivity=1 --changes=3 -r 0:100 --explain |
	    grep -F 'carries next to no information'
	dptransform -e inf --sensitivity=1 --changes=3 --explain | grep -F 'No guarantee'
}

@test "explain: a line that is no number is no answer, and 0 is one; a blank row is no line" {
	printf '5\n\nx\n0\n' >in
	set -- -e inf --sensitivity=1 --changes=9 --csv
	dptransform "$@" in | diff <(printf '%s\n' 5 5 0) -
	dptransform "$@" -v 1 in | diff <(printf '%s\n' 5 5 0) -
	dptransform "${@:1:4}" in | diff <(printf '%s\n' 5 5 5 0) -
	for v in '' '-v 1'; do
		# shellcheck disable=SC2086
		dptransform "$@" $v --explain >text
		grep '^of .*; a line that has none is no answer: what was printed last stands$' text
		grep 'a blank row is none$' text
		silent_about 'counts 0' text
		silent_about 'row of value 0' text
	done
}

# explained MEMBER ARG ...: of --explain=json
explained() {
	local member=$1

	shift
	dptransform --explain=json "$@" | jq -r "$member"
}

@test "explain=json: every member that a tool owes" {
	dptransform -e 1 -d 1e-6 -T 1000 --sensitivity=1 --changes=2 --explain=json >j
	for m in tool mechanism epsilon delta neighbours pan_private horizon sensitivity noise \
	    rmse bound lower_bound eligible memory_bytes draws_per_step assumptions notes; do
		jq -e "has(\"$m\")" j >/dev/null || { echo $m; false; }
	done
	[ "$(jq -r '.noise.families | map(.on) | join("; ")' j)" = \
	    'the threshold; every comparison; the answers released' ]
	[ "$(jq -r '[.eligible[].mechanism] | join(" ")' j)" = \
	    'transform pan rounds paper output output-gauss' ]
	jq -e '.bound.confidence == 0.95 and .bound.all_steps == .eligible[0].loss_max' j
	[ "$(explained '[.eligible[].mechanism] | join(" ")' -e 1 -T 99 -P --sensitivity=1 \
	    --changes=1)" = 'pan paper output' ]
	[ "$(explained .pan_private -e 1 -T 99 -P --sensitivity=1 --changes=1)" = true ]
	[ "$(explained .horizon -e 1 --sensitivity=1 --changes=1)" = null ]
	[ "$(explained .bound.confidence -e 1 --sensitivity=1 --changes=1 --beta=.25)" = 0.75 ]
}

@test "explain: the bound is the mechanism's, and it shrinks where it should" {
	b() {
		explained .bound.all_steps -e 1 -T 10k --sensitivity=1 -M transform "$@"
	}
	ten=$(b --changes=10)
	[ "$(b --changes=10 --distance=100)" -eq $((ten + 100)) ]
	[ "$(b --changes=9)" -lt "$ten" ]
	[ "$(b --changes=10 --on-halt=hold)" -lt "$ten" ]
	[ "$(b --changes=10 --beta=.2)" -lt "$ten" ]
	# 3 R (K+1)/E (log(T (K+1)/B) + 10), as the page has it, to a tenth
	for k in 3 10 100; do
		awk -v b="$(b --changes=$k)" -v k=$k 'BEGIN {
			r = b / (3 * (k + 1) * (log(10000 * (k + 1) / .05) + 10))
			print k, r
			exit r < .9 || r > 1.1 }'
	done
	# with delta by the root of K, not by K
	set -- -e 1 -T 100k --sensitivity=1
	[ "$(explained .bound.all_steps "$@" -d 1e-6 --changes=100)" = 4570 ]
	[ "$(explained .bound.all_steps "$@" --changes=100)" = 9232 ]
	[ "$(explained .mechanism "$@" -d 1e-6 --changes=100)" = rounds ]
	[ "$(explained .mechanism "$@" -d 1e-6 --changes=10)" = transform ]
	dptransform "$@" -d 1e-6 --changes=100 --explain >t
	grep -F 'is 0.02142-differentially private by itself, at most 101 times; with 100 answers' t
	# many changes, few lines: every answer by itself
	[ "$(explained .mechanism -e 1 -T 50 --sensitivity=1 --changes=20)" = output ]
	[ "$(explained .mechanism -e 1 -T 10k --sensitivity=1 --changes=2)" = transform ]
	[ "$(explained .mechanism -e 1 -d 1e-6 -T 1000 --sensitivity=1 --changes=30)" = \
	    output-gauss ]
	# fresh noise on every answer is no alarm, however short the series
	for t in 1 2 9 16; do
		[[ $(explained .mechanism -e 1 -T $t --sensitivity=1 --changes=0 \
		    --distance=100) = @(transform|pan) ]]
	done
	# nor does it know of changes, and --explain says so
	dptransform -e 1 -T 50 --sensitivity=1 --changes=20 --distance=7 --explain >text
	grep -F -- '--changes, --distance and --on-halt make no difference' text
	run ! grep -E 'at most 20|more than 7' text
	# with half the noise the answers are as precise: epsilon and R are one
	[ "$(b --changes=10)" -eq "$(explained .bound.all_steps -e 2 -T 10k -M transform \
	    --sensitivity=2 --changes=10)" ]
}

@test "the sensitivity on the grid: rounded up; one unit more where rounding goes two ways" {
	s() {
		explained .sensitivity -e 1 --changes=1 "$@"
	}
	[ "$(s --sensitivity=1)" = 1 ]
	[ "$(s --sensitivity=.3)" = 1 ]
	[ "$(s --sensitivity=1/3 -r 0.00:9)" = 0.34 ]
	[ "$(s --sensitivity=2 -r -9:9)" = 3 ]
	[ "$(s --sensitivity=2 -r -9.00:9)" = 2.01 ]
	[ "$(s --sensitivity=2 -r -9:0)" = 2 ]
	[ "$(s --sensitivity=2 -r -9:-5)" = 2 ]
	[ "$(s --sensitivity=20 -r 0:9)" = 9 ]
	# why: these two are 2 apart, and 3 on the grid
	still -M output -T 9 -r -9:9 --sensitivity=2 --changes=1 <<<-0.5 | grep -x -- -1
	still -M output -T 9 -r -9:9 --sensitivity=2 --changes=1 <<<1.5 | grep -x 2
	# and on one side: half up for both, whatever is below 0
	for x in -1.5 -0.5 0.5 1.5 2.5; do
		echo $x
	done | still -M output -T 9 -r 0:9 --sensitivity=2 --changes=1 | xargs >got
	[ "$(<got)" = '0 0 1 2 3' ]
}

@test "input: clamped to the range; what is no number, or empty, is none; fields, CSV, headers" {
	printf '5\n12\n\nx\n-3\n1e1\n' |
	    still -M output -T 9 -r 2:10 --sensitivity=1 --changes=9 | xargs >got
	[ "$(<got)" = '5 10 10 10 2 10' ]
	printf '5\n12\n-3\n' | still -M transform -T 9 -r 2:10 --sensitivity=1 --changes=9 |
	    xargs >got
	[ "$(<got)" = '5 10 2' ]
	printf 'id,n\na,5\nb,"7"\n' | still --csv -H -v n --sensitivity=1 --changes=9 | xargs >got
	[ "$(<got)" = '5 7' ]
	printf 'a 5\nb\n' | still -v 2 --sensitivity=1 --changes=9 -n | xargs >got
	[ "$(<got)" = '1 5 2 5' ]
	printf '7.25\n12\n-1\n' | still -r 0.0:9.0 --sensitivity=1 --changes=9 | xargs >got
	[ "$(<got)" = '7.3 9.0 0.0' ]
	fails 3 dptransform -e 1 --strict --sensitivity=1 --changes=9 <<<x
	# without -r: whole numbers from 0 on, as large as they come
	printf '123456789012\n-5\n' | still --sensitivity=1 --changes=9 | xargs >got
	[ "$(<got)" = '123456789012 0' ]
	# the distance is rounded down: a move of 1 is more than 0.9
	printf '1\n2\n' | still --sensitivity=1 --changes=9 --distance=0.9 | xargs >got
	[ "$(<got)" = '1 2' ]
	# from where it begins
	printf '0\n' | still -r 5:9 --sensitivity=1 --changes=1 --distance=5 | grep -x 5
	printf -- '-3\n' | still -r -9:-5 --sensitivity=1 --changes=1 --distance=5 | grep -x -- -5
	printf '5\n3\n' | still --sensitivity=1 --changes=9 --monotone | xargs >got
	[ "$(<got)" = '5 5' ]
}

@test "input: a line that is no answer: the one printed last stands, and no change is spent" {
	local m r

	printf '0\n5\n\nx\n7\n-7\n' >one
	for m in transform pan paper output; do
		for r in 0:9 5:9 -9:-5; do
			still -M $m -T 9 -r $r --sensitivity=1 --changes=9 one >got
			sed -n 2p got >stands
			sed -n '3,4p' got | sort -u | diff stands -
		done
		# where there is no answer before it the output begins
		[ "$(printf 'x\n\n' | still -M $m -T 9 -r 3:9 --sensitivity=1 --changes=9 |
		    xargs)" = '3 3' ]
	done
	# one change is enough for two answers between which many lines are none
	printf '900\n' >in
	yes nan | head -n 40 >>in
	printf '900\n' >>in
	for m in transform pan paper; do
		quiet -e 9 --seed=1 -T 50 -M $m -r 0:1000 --sensitivity=1 --changes=1 in >got
		[ "$(wc -l <got)" -eq 42 ]
		[ "$(sort -u got | wc -l)" -eq 1 ]
	done
	# every answer printed has noise of its own; what stands has that of the one that it is
	quiet -e 9 --seed=1 -T 50 -M output -r 0:1000 --sensitivity=1 --changes=1 in >got
	[ "$(sed -n 1,41p got | sort -u | wc -l)" -eq 1 ]
	[ "$(sed -n 41,42p got | sort -u | wc -l)" -eq 2 ]
	# a state has what stands
	for m in transform output; do
		rm -f S
		quiet -e 9 --seed=1 -T 50 -M $m -r 0:1000 --sensitivity=1 --changes=1 --state=S \
		    --init <<<900 >got
		quiet --state=S <<<nan | diff got -
	done
	# a bad line's place is refused where that is asked for; --check says what a line is
	fails 3 dptransform -e 1 --strict --sensitivity=1 --changes=9 in
	[[ $stderr == *'in:2: '* ]]
	dptransform --check --sensitivity=1 --changes=9 in >got 2>&1
	run -1 grep 9223372036854775808 got
}

# rejects TEXT ARG ...: status 2, a message with the text, nothing printed
rejects() {
	local text=$1

	shift
	fails 2 "$@" </dev/null
	[ "$output" = '' ]
	[[ $stderr == *"$text"* ]] || { echo "$stderr"; false; }
}

@test "options: missing, malformed, out of range" {
	rejects '--epsilon is required' dptransform --sensitivity=1 --changes=1
	rejects '--sensitivity=R is required' dptransform -e 1 --changes=1
	rejects '--changes=K is required' dptransform -e 1 --sensitivity=1
	for r in 0 0.0 -1 x '' nan inf 1/0; do
		rejects "--sensitivity: '$r' must be" dptransform -e 1 --changes=1 \
		    "--sensitivity=$r"
	done
	for k in -1 x '' 1.5 4294967297 1e3; do
		rejects "--changes: '$k' must be" dptransform -e 1 --sensitivity=1 "--changes=$k"
	done
	for d in -1 x '' nan; do
		rejects "--distance: '$d' must be" dptransform -e 1 --sensitivity=1 --changes=1 \
		    "--distance=$d"
		rejects "--inner-epsilon: '$d' must be" dptransform -e 1 --sensitivity=1 \
		    --changes=1 "--inner-epsilon=$d"
	done
	rejects 'has too many digits' dptransform -e 1 --sensitivity=1 --changes=1 \
	    --distance=1234567890123456789012
	rejects "--inner-epsilon: '1e12' must be at most" dptransform -e 1 --sensitivity=1 \
	    --changes=1 --inner-epsilon=1e12
	for b in 0 1 2 -1 x ''; do
		rejects "--beta: '$b' must be" dptransform -e 1 --sensitivity=1 --changes=1 \
		    "--beta=$b"
	done
	rejects "--on-halt: 'go' must be stop or hold" dptransform -e 1 --sensitivity=1 \
	    --changes=1 --on-halt=go
	rejects '--on-halt=hold: refused with --changes=0' dptransform -e 1 --sensitivity=1 \
	    --changes=0 --on-halt=hold
	rejects 'does not take this option' dptransform -e 1 --sensitivity=1 --changes=1 -B
	rejects 'does not take this option' dptransform -e 1 --sensitivity=1 --changes=1 -m x
	rejects 'pan needs a horizon' dptransform -e 1 --sensitivity=1 --changes=1 -M pan
	rejects 'transform is not pan-private' dptransform -e 1 -T 9 --sensitivity=1 --changes=1 \
	    -P -M transform
	rejects 'output releases every answer: --changes=0 wants none' dptransform -e 1 -T 9 \
	    --sensitivity=1 --changes=0 -M output
	rejects 'needs a delta' dptransform -e 1 -T 9 --sensitivity=1 --changes=1 -M output-gauss
	rejects 'the noise does not fit' dptransform -e 1e-12 --sensitivity=1 --changes=1000
	rejects 'is given twice' dptransform -e 1 --sensitivity=1 --sensitivity=1 --changes=1
}

@test "the largest parameters that are taken: an answer, or a reason" {
	dptransform -e 1 --sensitivity=1 --changes=4294967296 --explain >/dev/null
	dptransform -e 1 -T 1T --sensitivity=1 --changes=3 -P --explain >/dev/null
	dptransform -e 1 -T 1 --sensitivity=1 --changes=3 -P --explain >/dev/null
	dptransform -e 1 --sensitivity=1 --changes=3 --distance=99999999999999999 --explain |
	    grep -F 'carries next to no information'
	dptransform -e 1000000 --sensitivity=1000 --changes=3 --explain >/dev/null
	bits 9 | dptransform -e 1 -T 9 --sensitivity=1 --changes=4 -P >/dev/null || [ $? -eq 4 ]
}

@test "the page's numbers: the bounds of the example, one run on the data that is there" {
	for k in 1 2 3 5 8 13; do
		echo "$(explained .bound.all_steps -e 3 -T 10k --sensitivity=1 --changes=$k \
		    --distance=$((1000 / (k + 1)))) $k"
	done | sort -n | head -n 1 >best
	grep -F "It is least for K = $(cut -d ' ' -f 2 best): \\(+-$(cut -d ' ' -f 1 best)." \
	    "$BATS_TEST_DIRNAME/../../man/dptransform.1"
	log=$BATS_TEST_DIRNAME/../../../shared/data/apache_access.log
	[ -r "$log" ] || log=/work/shared/data/apache_access.log
	[ -r "$log" ] || integers 20000 | awk 'NR % 2 { ip = $1; next } {
	    print ip, "-", "-", "[x", "+0]", "\"GET", "/p" $1 % 3, "200" }' >made
	[ -r "$log" ] || log=made
	awk '!(($1, $7) in seen) { seen[$1, $7]; if (++clients[$7] > most) most = clients[$7] }
	    { print most }' "$log" | head -n 10000 >true
	dptransform -e 3 -T 10k --sensitivity=1 --changes=5 --distance=166 --seed=1 true \
	    >private 2>err
	paste private true | awk -v most="$(cut -d ' ' -f 1 best)" '{ d = $1 - $2
	    if (d > most || d < -most) { print NR, $0; exit 1 } } $1 != last { n++; last = $1 }
	    END { print n, NR; exit n < 1 || NR != 10000 }'
}

@test "awk before, and lines as they come: each is answered before the next is sent" {
	talk dptransform -e inf --sensitivity=1 --changes=9 --distance=2
	ask 1
	[ "$answer" = 0 ]
	ask 3
	[ "$answer" = 3 ]
	ask 4
	[ "$answer" = 3 ]
	hangup
}

@test "--sensitivity far below the grid: said at the start what it counts as" {
	seq 5 >in
	run -0 --separate-stderr dptransform -e 1 -T 9 --sensitivity=.01 --changes=1 in
	[[ $stderr == *"0.01 counts as 1,"* || $stderr == *".01 counts as 1,"* ]]
	for how in -q "-r 0.00:9.00"; do
		# shellcheck disable=SC2086
		run -0 --separate-stderr dptransform -e 1 -T 9 --sensitivity=.01 --changes=1 $how in
		[[ $stderr != *counts* ]]
	done
}

@test "--explain: a mean loss where the noise alone says it, none where the data do" {
	set -- -e 1 -T 20 --sensitivity=1 --changes=5
	dptransform "$@" -M transform --explain=json | jq -e '.loss_quantile.mean == null and
	    .loss_quantile.max > 50 and ([.eligible[] | select(.mechanism == "transform" or
	    .mechanism == "paper") | .loss_mean] | length == 2 and all(. == null))'
	dptransform "$@" --explain | grep -qE '^transform +[0-9.]+ +-'
	# of noise of scale 20 it is 1/sinh(1/20); 20000 such |z|, whose deviation is 20, are within
	# .69 of that on average (false-reject rate 1e-6)
	mean=$(dptransform "$@" -M output --explain=json | jq .loss_quantile.mean)
	awk -v m="$mean" 'BEGIN { exit !(m > 19.99 && m < 20) }'
	yes 0 | head -n 20000 | quiet -e 1000 -T 20000 --sensitivity=1 --changes=5 -M output \
	    --seed=3 | awk -v m="$mean" '
	    { s += $1 < 0 ? -$1 : $1 } END { s /= NR; exit !(s - m < .69 && m - s < .69) }'
}

@test "a line that is too long is no answer: what was printed last stands" {
	{ echo 5; head -c 1100000 /dev/zero | tr '\0' 1; echo; echo 7; } >in
	dptransform -e inf -T 9 --sensitivity=1 --changes=3 --distance=9 in 2>/dev/null |
	    diff <(printf '5\n5\n7\n') -
}
