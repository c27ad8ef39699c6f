#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Numbers of --explain's notes, tables and bounds, against runs (promises.bats says how), or against
# what awk counts where the number is a fact and no law.
load ../lib/helper
load ../lib/promises

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
	pids=()
	epsilon=1
}

# number PATTERN [FILE]: the first number that the pattern's group is in what is said
number() {
	sed -nE "s|.*$1.*|\\1|p" "${2-said}" | head -n 1
}

# is A B [REL]: the same but for what printing left out; B may be X/Y
is() {
	awk -v a="$1" -v b="$2" -v r="${3:-1e-3}" 'BEGIN {
	    if (split(b, part, "/") == 2) b = part[1] / part[2]
	    d = a - b; if (d < 0) d = -d
	    print a ", " b; exit !(a != "" && b != "" && d <= r * (b < 0 ? -b : b)) }'
}

# often K P: K of N runs are no more than what has probability P
often() {
	awk -v k="$1" -v p="$2" -v n="$N" "$limits"'
	    BEGIN { l = at(n, p); print k " of " n ", limit " l; exit !(k <= l) }'
}

# gradual's loss by age is the cheapest way from a step to any beyond the last one seen, over the
# intervals of time that share noise (gradual.c): found here from the scales that are said
@test "what an event has lost by age, and in all steps" {
	local lambda T

	for lambda in 1/2 1 2; do
		for T in 32 21; do
			dpcount -e 1 -T $T --expire=gradual:$lambda --explain >said
			dpcount -e 1 -T $T --expire=gradual:$lambda --explain=json |
			    jq -r '.noise.families[].scale' >scales
			sed -n '/^steps ago /,/^$/p' said | awk 'NF == 2' >rows
			[ "$(wc -l <rows)" -ge 5 ]
			awk -v T=$T -v all="$(number 'steps is .([0-9.]*), 0.-')" \
			    -v whole=$((lambda == 2 && T != 32)) '
			FILENAME == "scales" { cost[NR - 1] = 1 / $1; levels = NR; next }
			{ said[$1] = $2 }
			# dist, the cheapest way from i over edges a to a + 2^l
			function ways(i,	a, l, moved) {
				split("", dist)
				dist[i] = 0
				for (moved = 1; moved; )
					for (moved = l = 0; l < levels; l++)
						for (a = 2 ^ l; a <= T; a += 2 ^ l)
							moved += shorter(a, a + 2 ^ l, cost[l]) + \
							    shorter(a + 2 ^ l, a, cost[l])
			}
			function shorter(a, b, c) {
				if (!(a in dist) || (b in dist && dist[b] <= dist[a] + c + 1e-12))
					return 0
				dist[b] = dist[a] + c
				return 1
			}
			function near(a, b) { return a - b < 1e-4 * b && b - a < 1e-4 * b }
			# of an event at i, d steps later: the cheapest way to beyond i + d
			function look(i, d,	b, best) {
				best = 1e9
				for (b in dist)
					if (b + 0 > i + d && dist[b] < best)
						best = dist[b]
				if (best > lost[d])
					lost[d] = best
			}
			END {
				for (i = 1; i <= T; i++) {
					ways(i)
					look(i, T - i)
					for (d in said)
						if (i + d <= T)
							look(i, d)
				}
				# a steep lambda: of the last row no less where T is no power of 2
				for (d in said)
					if (said[d] < lost[d] * .9999 ||
					    !((whole && d == T - 1) || near(said[d], lost[d]))) {
						print d, said[d], lost[d]
						exit 1
					}
				if (whole ? all < lost[T - 1] * .9999 : !near(all, lost[T - 1])) {
					print all, lost[T - 1]
					exit 1
				}
			}' scales rows
		done
	done
}

@test "the sum of a bucket is cut at 2^61 grid units, and is exact up to there" {
	local big=500000000000000 r

	# sum WANT RANGE LARGE [LAST]: 4611 values LARGE, and another one
	sum() {
		{ yes "5 $3" | head -n 4611; echo "5 ${4-0}"; } |
		    dpcount -q -e inf --expire=2 -r "$2" -t 1 --time-format=epoch \
		    --bucket=60s --from=0 --to=60 -v 2 2>/dev/null |
		    cut -f 2 >got
		[ "$(<got)" = "$1" ]
	}
	# cut_at UNITS RANGE
	cut_at() {
		dpcount -e 5000 --expire=2 --bucket=60s --from=0 --to=60 -t 1 --time-format=epoch \
		    -v 2 -r "$2" --explain >said
		is "$(number "bucket's sum is beyond \\+-([0-9.e+]*) \\(2.61 grid")" "$1" 1e-5
	}
	r=-$big:$big
	cut_at 2305843009213693952 $r
	sum 2305843009213693951 $r $big 343009213693951
	sum 2305843009213693952 $r $big 343009213693952
	sum 2305843009213693952 $r $big 343009213693953
	sum -2305843009213693951 $r -$big -343009213693951
	sum -2305843009213693952 $r -$big -$big
	# in hundredths
	r=0.00:${big%00}
	cut_at 23058430092136939.52 "$r"
	sum 23058430092136939.51 "$r" "${big%00}" 3430092136939.51
	sum 23058430092136939.52 "$r" "${big%00}" "${big%00}"
}

@test "heavy: how many there can be, and the rms error of their number" {
	dpdistinct -e 1 -T 50 --at-end --statistic=heavy --tau=6 --universe=100 -M phase \
	    --explain >said
	most=$(number ': at most ([0-9]*) identifiers can have come so often')
	# as many as can be: each as often as that, and no line left for one more
	awk 'BEGIN { for (i = 0; i < 50; i++) print int(i / 6) + 1 }' >in
	[ "$(dpdistinct -q -e inf -T 50 --at-end --statistic=heavy --tau=6 --universe=100 in \
	    2>/dev/null)" = "$most" ]
	# the noise is wider than what can be: its rms error, by 100 seeds
	simulate in dpdistinct -e EPSILON -T 50 --at-end --statistic=heavy --tau=6 --universe=100 \
	    -M phase
	rms "$(number 'the rms error of their number is ([0-9.e+]*), more')" 1
	is "$(number 'the rms error of their number is ([0-9.e+]*), more')" \
	    "$(awk '/^last / { print $3 }' said)"
	# with a share of the lines there are no more than so many
	dpdistinct -e 1 -T 50 --at-end --statistic=heavy --share=5 --universe=100 -M phase \
	    --explain >said
	awk 'BEGIN { for (i = 0; i < 50; i++) print i % 5 }' >in
	[ "$(dpdistinct -q -e inf -T 50 --at-end --statistic=heavy --share=5 \
	    --universe=a,b,0,1,2,3,4 in 2>/dev/null)" = \
	    "$(number ': at most ([0-9]*) identifiers can have')" ]
}

@test "heavy: so many buckets, and by how many those that meet put the number off" {
	set -- --statistic=heavy --at-end --buckets=16 --tau=5 -T 40
	# eight heavy ones: the buckets that hold one are heavy
	awk 'BEGIN { for (i = 0; i < 40; i++) print i % 8 }' >in
	dpdistinct -e 1 "$@" --explain >said
	seeds dpdistinct -e inf "$@" in
	awk -v n="$(number 'are hashed to ([0-9]*) buckets')" '
	    $1 != "#" { sum += $1; square += $1 * $1; k++ }
	    END { want = n * (1 - (1 - 1 / n) ^ 8); m = sum / k
		se = sqrt((square / k - m * m) / k); print m " +- " se ", " want
		# 4.9 standard errors: once in 10^6 times
		exit !(k == 100 && m - want < 4.9 * se && want - m < 4.9 * se) }' runs
	# an upper bound, which a few identifiers that come more than half as often are a fifth of
	set -- --statistic=heavy --at-end --buckets=256 --tau=10 -T 400
	awk 'BEGIN { for (i = 0; i < 400; i++) print i % 66 + 1 }' >in
	dpdistinct -e 1 "$@" --explain >said
	most=$(number 'to a heavy one: by up to ([0-9.]*), which')
	truth=$(dpdistinct -q -e inf --statistic=heavy --at-end --universe=66 --tau=10 -T 400 in)
	seeds dpdistinct -e inf "$@" in
	awk -v t="$truth" '
	    $1 == "#" { s = $2; next } { e = $1 - t; print s, 1, 1, e < 0 ? -e : e }' runs >off
	broken "$most" .95 8
	# the note that says so where it is more than half of what there can be
	set -- --statistic=heavy --at-end --buckets=64 --tau=10 -T 800 -e 40
	dpdistinct "$@" --explain >said
	is "$(number 'lines are some ([0-9.]*) in each of 64 buckets')" 12.5
	is "$(number 'may be off by ([0-9]*), of at most 80 ')" \
	    "$(number 'to a heavy one: by up to ([0-9.]*), which')" .02
}

@test "no count below so many can be told from 0" {
	dpdistinct -e 1 --no-pan-private -T 20 -M hashed-bits --explain >said
	most=$(number 'no count below ([0-9]*) can be told from 0')
	[ "$most" = 20 ]
	yes 1 | head -n 20 >same
	seq 20 >all
	for f in same all; do
		seeds dpdistinct -e 1 --no-pan-private -T 20 -M hashed-bits $f
		awk '$1 == "#" { if (NR > 1) print last; next } { last = $1 }
		    END { print last }' runs >$f.out
		[ "$(wc -l <$f.out)" -eq "$N" ]
	done
	# how often an answer for 20 is above one for 1: half of the times, but for 4.9 standard
	# deviations of that rank statistic, sqrt(201/120000) each
	awk 'NR == FNR { a[NR] = $1; next } { for (i in a) u += $1 > a[i] ? 1 : ($1 == a[i]) / 2 }
	    END { u /= 1e4; print u; exit !(u > .3 && u < .7) }' same.out all.out
}

@test "answers that change seldom: what is spent, how far they move, and the end" {
	local H p

	set -- -M transform --sensitivity=1 --changes=3 --distance=7 --beta=.25 -T 40
	dptransform -e 1 "$@" --explain >said
	# a scale hides a unit at 1/scale: once the threshold, twice a comparison, once an answer
	set -- "$@" -e 1
	awk '/^noise / { sub(/,/, "", $5); b[++n] = $5 }
	    END { print 1 / b[1], 4 * 2 / b[2], 3 / b[3], 1 / b[1] + 8 / b[2] + 3 / b[3] }' \
	    said >want
	read -r a b c all <want
	is "$(number 'note  *([0-9.]*) is spent on the threshold')" "$a"
	is "$(number 'threshold, ([0-9.]*) on 4 comparisons')" "$b"
	is "$(number 'comparisons, ([0-9.]*) on 3 answers')" "$c"
	is "$(number 'answers: ([0-9.]*) in all')" "$all"
	is "$(number 'answers: ([0-9.]*) in all')" 1
	H=$(number 'is some ([0-9]*) away from the last one: the distance of 7 and')
	is "$H" $((7 + $(number 'changes for no reason, a slack of ([0-9]*)')))
	# released at once: half of the times at that distance, seldom at half, mostly at twice
	for x in $((H / 2)) "$H" $((H * 2)); do
		echo "$x" >one
		seeds dptransform "$@" one
		awk '$1 != "#" && $1 != 0 { k++ } END { print k + 0 }' runs
	done | xargs >got
	# 4.9 standard deviations of 100 coins; at half of it and at twice it some two in a hundred
	awk '{ print; exit !($1 < 20 && $2 > 25 && $2 < 75 && $3 > 80) }' got
	# within the distance: a change for no reason
	p=$(number 'with probability ([0-9.]*) against changes for no reason')
	is "$p" .875
	yes 7 | head -n 40 >in
	seeds dptransform "$@" in
	awk '$1 == "#" { s = $2; next } $1 != 0 && !seen[s]++ { k++ }
	    END { print k + 0 }' runs >got
	often "$(<got)" .125
	# as many moves as may be do not end it; one more does
	is "$(number 'would be released: with probability ([0-9.]*) not before')" "$p"
	for k in 3 4; do
		awk -v k=$k '{ print 0 } END { for (i = 1; i <= k; i++) for (j = 0; j < 9; j++)
		    print i * 5000 }' <<<0 >in
		n=$(wc -l <in)
		seeds dptransform "$@" in
		awk -v n="$n" '$1 == "#" { s = $2; next } { c[s]++ }
		    END { for (s in c) k += c[s] < n; print k + 0 }' runs
	done | xargs >got
	read -r a b <got
	often "$a" .125
	[ "$b" -eq "$N" ]
	# held, it goes on with what was released last
	dptransform "$@" --on-halt=hold --explain >said
	is "$(number 'when ([0-9]*) answers are released the last is repeated')" 3
	seeds dptransform "$@" --on-halt=hold in
	awk '$1 == "#" { s = $2; last = 0; next }
	    { lines++; if ($1 != last) moved[s]++; last = $1 }
	    END { for (s in moved) if (moved[s] > 3) exit 1; exit lines != 3700 }' runs
}

# below BOUND CONFIDENCE [STEP]: fewer runs stay below what nobody can promise than with that
# probability
below() {
	awk -v b="$1" -v step="${3:-0}" '{ seen[$1] }
	    (step == 0 || $2 == step) && $4 >= b { over[$1] }
	    END { for (s in seen) k += !(s in over); print k + 0 }' off >got
	often "$(<got)" "$2"
}

@test "what no mechanism can do better: the theorems' numbers, by awk, and no run that does" {
	bits 40 >in
	# of all steps: the largest k with floor(T/k) e^-k (1 - beta) > beta, and unbiased ones
	dpcount -e 1 -T 40 -B.5 --explain >said
	simulate in dpcount -e EPSILON -T 40
	least=$(awk 'BEGIN { for (k = 1; int(40 / k) * exp(-k) * .5 > .5; k++) b = k / 2
	    print b }')
	is "$(number 'can promise less than ([0-9.]*) ')" "$least"
	is "$(number 'promise less than [0-9.]* .([0-9.]*) times smaller')" \
	    "$(number 'stays within .-([0-9.]*) at every')/$least" 5e-3
	below "$least" .5
	least=$(awk 'BEGIN { h = atan2(0, -1) / 162; for (j = 1; j <= 40; j++)
	    sum += 1 / (2 * sin((2 * j - 1) * h)); print sum / 40 / (exp(.5) - exp(-.5)) }')
	is "$(number 'rms error below ([0-9.]*), on average')" "$least"
	mean=$(awk '/<- chosen$/ { print $3 }' said)
	is "$(number 'on average over the steps .([0-9.]*) times')" "$mean/$least" 5e-3
	# what they have on average over the steps, which is in the table
	awk -v said="$mean" '{ sum += $4 * $4 } END { r = sqrt(sum / NR); print r, said
	    exit !(r < 1.6 * said && said < 1.6 * r) }' off
	# at one step: G(D)/2, the largest D with e^D beta < 1 - beta
	dpwindow -e 1 -w 9 -T 40 --explain >said
	simulate in dpwindow -e EPSILON -w 9 -T 40
	is "$(number 'promise an error below ([0-9.]*) at one step')" 1
	step=$(awk '/^worst / { print $2 }' said)
	below 1 .95 "$step"
	is "$(tr '\n' ' ' <said | sed -nE 's/.*interval here is ([0-9.]*) times that.*/\1/p')" \
	    "$(awk '/^worst / { sub(/.*-/, "", $4); print $4 }' said)" 5e-3
	dpdecay -e 1 -a .9 -T 40 --explain >said
	is "$(number 'promise an error below ([0-9.]*) at one step')" .95
	# memory included: sqrt(m) / (4 cosh(e/2))
	seq 100 >in
	dpdistinct -e 1 -P -M density --at-end --universe=100 --explain >said
	simulate in dpdistinct -e EPSILON -M density --at-end --universe=100
	least=$(awk 'BEGIN { print 10 / 2 / (exp(.5) + exp(-.5)) }')
	is "$(number 'has an rms error below ([0-9.]*) ')" "$least"
	most=$(awk '/^last / { print $3 }' said)
	rms "$most" 1
	is "$(number 'here it is ([0-9.]*) times that')" "$most/$least" 5e-3
	# of one symbol: N/2, the largest N that some share c / sqrt(n) of the lines leaves
	dplocal -e 1 --domain=a,b,c -T 100 --explain >said
	least=$(awk 'BEGIN { beta = .05; n = 100; one = sqrt(2) * (exp(.5) - exp(-.5)) / 2
	    for (i = 1; i < 400; i++) {
		c = (1 - 2 * beta) / one * i / 400; p = c / sqrt(n); left = 1 - 2 * beta - c * one
		x = (1 - p) ^ n; cdf = 0
		for (N = 0; cdf < left && N <= n; N++) {
			cdf += x; x *= (n - N) / (N + 1) * p / (1 - p)
		}
		if (N - 1 > best) best = N - 1
	    }
	    print best / 2 }')
	is "$(number 'guarantee can promise less than ([0-9.]*) ')" "$least"
	is "$(number 'promise less than [0-9.]* .([0-9.]*) times smaller')" \
	    "$(awk '/^last / { sub(/.*-/, "", $4); print $4 }' said)/$least" 5e-3
}

# line WHAT: what is said after that at the beginning of a line
line() {
	sed -n "s/^$1  *//p" said | head -n 1
}

# coins HITS N P: hits of n within 4.9 standard deviations: once in 10^6 times they are not
coins() {
	awk -v k="$1" -v n="$2" -v p="$3" 'BEGIN { d = k - n * p; print k, n * p
	    exit !(p > 0 && p < 1 && d * d <= 4.9 ^ 2 * n * p * (1 - p)) }'
}

@test "answers of lines: each probability that is said, of 2000 answers" {
	yes b | head -n 2000 >in
	set -- -e 1 --domain=a,b,c,d,e,f,g
	for m in rr subset hr; do
		dplocal "$@" -M $m --explain >said
		dplocal "$@" -M $m -q --seed=1 in >answers
		# the bit of b, of g, in hexadecimal digits from the left
		awk -F : 'BEGIN { for (d = 0; d < 16; d++) digit[sprintf("%x", d)] = d }
		    { b += int(digit[substr($2, 1, 1)] / 4) % 2
		    g += int(digit[substr($2, 2, 1)] / 2) % 2 }
		    END { print b, g }' answers >bits
		read -r b g <bits
		case $m in
		rr)
			p=$(number 'line.s symbol with probability ([0-9.]*),')
			q=$(number 'each of the others with ([0-9.]*)')
			b=$(grep -cx b answers)
			g=$(grep -cx g answers) ;;
		subset)
			p=$(number 'among them with probability ([0-9.]*),')
			q=$(number 'each other with ([0-9.]*)')
			# sets are of so many
			k=$(number 'a set of ([0-9]*) symbols')
			[ "$(sed 's/.*://; s/[1248]/1/g; s/[3569ac]/11/g; s/[7bde]/111/g; s/0//g' \
			    answers | sort -u)" = "$(head -c "$k" /dev/zero | tr '\0' 1)" ] ;;
		hr)
			p=$(number 'plus there with probability ([0-9.]*)')
			n=$(number 'one of ([0-9]*) places')
			# rows of signs: of b a plus where the second bit is 0, of g where an even
			# number of bits is 1
			awk -F : -v n="$n" '{ x = $2; b += int(x / 2) % 2 == 0
			    g += (x + int(x / 2) + int(x / 4)) % 2 == 0; if (x >= n) exit 1 }
			    END { print b, g }' answers >bits
			read -r b g <bits
			q=.5 ;;
		esac
		coins "$b" 2000 "$p"
		coins "$g" 2000 "$q"
	done
}

# spread FILE DISTRIBUTION SCALE: the variance of a file's numbers, within 4.9 standard deviations,
# excess kurtosis 3 at most (Laplace's is more for a scale below 1, so of those none)
spread() {
	awk -v b="$3" -v gauss="$([[ $2 == *Gaussian ]] && echo 1)" '{ s += $1 * $1; n++ }
	    END { q = exp(-1 / b); v = gauss ? b * b : 2 * q / (1 - q) ^ 2; print s / n, v
		r = s / n / v - 1; exit !(n >= 2000 && b >= 1 && r * r < 4.9 ^ 2 * 5 / n) }' "$1"
}

@test "the scale of noise is that of what is drawn" {
	local T=4000

	yes 0 | head -n $T >in
	for a in '' '-r 0:7' '-u 1 -c 3 -m .' '-r -2:3'; do
		# shellcheck disable=SC2086
		dpcount -e 1/2 -M input -T $T $a --explain >said
		# of a user's lines none counts: what is added up is noise
		# shellcheck disable=SC2086
		dpcount -e 1/2 -M input -T $T ${a/-m ./-m x} -q --seed=1 in | awk '{
		    print $1 - last; last = $1 }' >drawn
		spread drawn Laplace "$(number 'noise .* scale ([0-9.]*), on every step')"
	done
	dpdistinct -e 1 -T $T -w 3 --explain >said
	yes '' | head -n $T | dpdistinct -e 1 -T $T -w 3 -q --seed=2 >drawn
	spread drawn Laplace "$(number 'noise .* scale ([0-9.]*), on')"
	awk 'BEGIN { for (i = 0; i < 2000; i++) print "1,0" }' >A
	for m in laplace gauss; do
		dpproject -e 1000 -d 1e-6 -M $m --queries=A --explain >said
		dpproject -e 1000 -d 1e-6 -M $m --queries=A -q --seed=3 </dev/null >drawn
		spread drawn "$(line noise | sed 's/,.*//')" "$(number 'scale ([0-9.]*), on every')"
	done
}

@test "lazy: what is printed before the end is off by so much, and below the ceiling none comes" {
	set -- -e 1 --columns=1 -T 400 --ceiling=50 -M lazy
	dpmaxsum "$@" --explain >said
	far=$(number 'off by more than ([0-9.]*); if none')
	p=$(number 'it does not end, each with probability ([0-9.]*)')
	is "$p" .95
	yes 1 | head -n 400 >in
	seeds dpmaxsum "$@" in
	awk '$1 == "#" { s = $2; t = 0; next } { e = $1 - ++t; print s, t, 1, e < 0 ? -e : e }' \
	    runs >off
	# an upper bound, for whatever may come
	broken "$far" "$p" 2
	awk '{ n[$1]++ } END { for (s in n) if (n[s] >= 400) exit 1 }' off
	# at the ceiling, and for long
	{ head -n 50 in; yes 0 | head -n 350; } >low
	seeds dpmaxsum "$@" low
	awk '$1 == "#" { n = 0; next } ++n == 400 { k++ } END { print 100 - k }' runs >got
	often "$(<got)" .05
}

@test "no information: its error is the table's, and what runs have" {
	bits 20 >in
	epsilon=.1
	dpcount -e .1 -T 20 --explain >said
	e=$(number 'and the rms error is ([0-9.]*), more')
	is "$e" "$(awk '/^last / { print $3 }' said)"
	simulate in dpcount -e EPSILON -T 20
	rms "$e" 20
	# a bound, and a regret, are those that runs are held to elsewhere
	dptransform -e 1 -T 100 --sensitivity=1 --changes=9 -r 0:100 --explain >said
	is "$(number 'error.s bound is ([0-9.]*), more')" \
	    "$(number 'stays within .-([0-9.]*) at every')"
	dpexperts -e .1 -T 100 --columns=100 --explain >said
	is "$(number 'steps may cost ([0-9.]*) more')" "$(number 'cost at most ([0-9.]*) more')"
	# a column at random, of 100 of which one costs nothing and the others 1, costs 99 of 100
	[ "$(number 'those of chance at most ([0-9]*) more')" = 99 ]
	# right answers differ by so much: all lines 0, or all of them 1
	dpcount -e .1 -T 20 -r -5:3 --explain >said
	for x in -5 3; do
		yes -- $x | head -n 20 | dpcount -q -e inf -T 20 -r -5:3 2>/dev/null | tail -n 1
	done | xargs >ends
	is "$(number 'right answers differ by at most ([0-9]*),')" \
	    "$(awk '{ print $2 - $1 }' ends)"
}

@test "projected answers: the root mean square of all errors" {
	yes 1 | head -n 50 >A
	printf '1\nx\n%.0s' 1 2 3 4 5 >records	# five of ten lines are counted
	set -- -e 1 -T 10 -M projected --queries=A
	for conf in .8 .95; do
		dpproject "$@" -B$conf --explain >said
		most=$(number 'of all answers stays below ([0-9.]*)\.$')
		p=$(number 'With probability ([0-9.]*) the root mean square')
		is "$p" $conf
		seeds dpproject "$@" records
		awk '$1 == "#" { if (NR > 1) print s, 1, 1, sqrt(sum / n)
			s = $2; sum = n = 0; next }
		    { sum += ($1 - 5) ^ 2; n++ } END { print s, 1, 1, sqrt(sum / n) }' runs >off
		# an upper bound: by the noise, of which the projection leaves a part
		broken "$most" $conf 4
	done
}

# high_water ARG ..: KiB that a run of dpcount has had when a line was answered
high_water() {
	local kib

	talk dpcount -e 1 -T 4096 -k 1 --keys=@keys "$@"
	echo k1 >&6
	read -r -t 300 -u 7 answer
	kib=$(peak "$pid")
	hangup
	echo "$kib"
}

@test "memory: two mechanisms differ by as many bytes a column as is said" {
	local m

	unsanitized "a sanitizer's memory is not the tool's"
	seq -f 'k%.0f' 20000 >keys
	for m in input tree kary; do
		dpcount -e 1 -T 4096 -k 1 --keys=@keys -M $m --explain >said
		echo "$(number '^memory  *([0-9]*) bytes a column') $(high_water -M $m)"
	done >both
	cat both
	# to a tenth: 20,000 columns
	awk 'NR == 1 { b = $1; h = $2; next }
	    { r = ($2 - h) * 1024 / (($1 - b) * 20000); print r; if (r < .9 || r > 1.1) exit 1 }
	    END { exit NR != 3 }' both
}
