# SPDX-License-Identifier: ISC
# dpexperts: the leader against awk at epsilon = inf, the perturbed one by seeds, states and what
# --explain says.
load ../lib/helper

exactly() {
	dpexperts -e inf "$@" 2>err
}

# costs N LINES: lines of N costs with three decimals that look random and are always the same
costs() {
	awk -v n="$1" -v lines="$2" 'BEGIN { x = 11
	    for (; lines > 0; lines--) for (i = 1; i <= n; i++) {
		x = (x * 1103 + 12345) % 65536
		printf "%.3f%s", int(x / 60) % 1001 / 1000, i < n ? " " : "\n"
	    } }'
}

# leader N [FILE]: before each line, and once more, which of N sums in thousandths is the least
leader() {
	awk -v n="$1" 'function show() { m = 1; for (i = 2; i <= n; i++) if (s[i] < s[m]) m = i
	    print m }
	    { show(); for (i = 1; i <= n; i++) s[i] += int($i * 1000 + .5) }
	    END { show() }' "${@:2}"
}

@test "the leader, by hand: ties go to the first, one more answer than lines" {
	printf '0 1 1\n1 0 1\n1 0 0\n' >in
	printf '%s\n' 1 1 1 2 | prints exactly --columns=3 in
	printf '.5 .5\n1 1\n0 0\n' >in
	printf '%s\n' 1 1 1 1 | prints exactly --columns=2 in
	printf '1\n0\n1\n' >in
	printf '%s\n' 1 1 1 1 | prints exactly --columns=1 in
	echo 1 | prints exactly --columns=9
}

@test "the leader against awk: dense, as pairs, by name, with a horizon, for every mechanism" {
	costs 5 300 >in
	leader 5 in >want
	[ "$(sort -u want | wc -l)" -ge 4 ]
	prints exactly --columns=5 in <want
	for m in identity kary pan pan-slots; do
		prints exactly --columns=5 -M $m -T 301 in <want
	done
	# the horizon's steps have one answer each
	head -n 300 want | prints exactly --columns=5 -T 300 in
	awk '{ print "5:" $5, "2:" $2, "1:" $1, "3:" $3, "4:" $4 }' in >pairs
	prints exactly --columns=5 pairs <want
	awk 'BEGIN { print "e,x,b,c,a,d" } { print $5 ",no," $2 "," $3 "," $1 "," $4 }' in >in.csv
	awk '{ print substr("abcde", $1, 1) }' want >letters
	prints exactly --csv -H --keys=a,b,c,d,e in.csv <letters
	prints exactly --keys=a,b,c,d,e in <letters
	exactly --keys=a,b,c,d,e -o json in | jq -r .estimate | diff letters -
	exactly --columns=5 -n in | diff <(awk '{ print NR "\t" $0 }' want) -
}

@test "the leader chosen now and then against awk: at every step, and whenever they have doubled" {
	costs 5 300 >in
	leader 5 in >want
	head -n 300 want | prints exactly --columns=5 -M blocks -T 300 in
	# after 1, 2, 4, 9, 18, 37, 75, 150 lines of 300
	awk 'BEGIN { for (t = 300; t >= 1; t = int(t / 2)) due[t] = 1 }
	    NR == 1 || ((NR - 1) in due && NR < 301) { now = $1 } NR <= 300 { print now }' want |
	    prints exactly --columns=5 -M doubling -T 300 in
}

@test "segments against awk: the leader of each, held over its end" {
	costs 5 300 >in
	# of 4 of 75 lines, and of 3 of 108, 108 and 84; choices as of 75 and 108
	for R in 75 108; do
		awk -v R=$R 'BEGIN { for (t = R; t >= 1; t = int(t / 2)) due[t % R] = 1
		    due[0] = 0; now = 1 }
		    { print now; for (i = 1; i <= 5; i++) s[i] += int($i * 1000 + .5)
		    for (m = i = 1; i <= 5; i++) if (s[i] < s[m]) m = i
		    if (due[NR % R]) now = m
		    if (NR % R == 0) split("", s) }
		    END { if (R == 108) print now }' in >want.$R
		[ "$(sort -u want.$R | wc -l)" -ge 3 ]
	done
	prints exactly --columns=5 -M doubling --segments=4 -T 300 in <want.75
	prints exactly --columns=5 -M doubling --segments=3 -T 322 in <want.108
	# blocks of one step: the leader of a segment, from its second line on
	awk 'BEGIN { now = 1 } { print now; for (i = 1; i <= 5; i++) s[i] += int($i * 1000 + .5)
	    for (m = i = 1; i <= 5; i++) if (s[i] < s[m]) m = i
	    if (NR % 100 == 0) split("", s)
	    else now = m }' in | prints exactly --columns=5 -M blocks --segments=3 -T 300 in
	exactly --columns=5 --segments=3 -T 300 --explain=json | jq -e '.mechanism == "blocks"'
}

@test "lines beyond the horizon have no answer, and status 4" {
	costs 2 9 >in
	run -4 --separate-stderr dpexperts -e 1 --columns=2 -T 5 in
	[ "${#lines[@]}" -eq 5 ]
	[[ $stderr == *"the horizon of 5 steps is spent"* ]]
	run -0 --separate-stderr dpexperts -e 1 --columns=2 -T 9 in
	[ "${#lines[@]}" -eq 9 ]
}

@test "an answer comes before its line is read, and is out" {
	talk dpexperts -e inf -q --columns=3
	read -r -t 100 -u 7 answer
	[ "$answer" = 1 ]
	ask '1 .5 .7'
	[ "$answer" = 2 ]
	ask '0 .6 .1'
	[ "$answer" = 3 ]
	hangup
	# with noise, and pan-private
	talk dpexperts -e 1 -T 9 --columns=3 -P -q
	read -r -t 100 -u 7 answer
	ask '1 1 1' '0 0 0'
	hangup
}

@test "a header names the choices, the first one, too, which waits for it; no header, a number" {
	printf 'a b\n0 1\n1 0\n1 0\n' >in
	printf '%s\n' a a a b | prints exactly -H --columns=2 in
	printf 'b,c,a\n1,1,0\n' | exactly --csv -H --keys=a,b | diff <(printf '%s\n' a a) -
	echo 1 | prints exactly -H --columns=2
	talk dpexperts -e inf -q -H --columns=2
	ask 'x y'
	[ "$answer" = x ]
	ask '1 0'
	[ "$answer" = y ]
	hangup
	# whole costs, as 1/1000 of one is less than what noise there is at any epsilon
	dpexperts -e 1e6 -T 9 -r 0:1 --rate=inf -H --columns=2 --state=S --init <in >out
	printf 'a b\n1 1\n0 1\n' | dpexperts --state=S >>out
	diff <(printf '%s\n' a a a b b a) out
	# a horizon spent is spent
	run -4 --separate-stderr dpexperts -e 1 -T 1 -H --columns=2 in
	[ "${#lines[@]}" -eq 1 ]
}

@test "costs are clamped to the range, also those far outside" {
	# 5 counts 1, -3 counts 0: else the second would be followed
	printf '5 1.5\n0 0\n-3 0\n0 0\n' >in
	printf '%s\n' 1 1 1 1 1 | prints exactly --columns=2 in
	printf '1 9e99\n1 0\n1 -7\n' >in
	printf '%s\n' 1 1 2 2 | prints exactly --columns=2 in
	# milliseconds
	printf '900 100\n0 200\n0 300\n' >in
	printf '%s\n' 1 2 2 1 | prints exactly --columns=2 -r 0:500 in
	printf '%s\n' 1 2 2 2 | prints exactly --columns=2 -r 0:1000 in
	# without a range both cost 1 in every line, as standard error says of any input
	dpexperts -e inf -T 4 --columns=2 in 2>err | sort -u | grep -x 1
	grep -q '^dpexperts: no --range: values are clamped to 0.000:1.000, and rounded' err
	dpexperts -e 1 -T 4 --columns=2 -r 0:1000 in 2>err >/dev/null
	run ! grep -q 'range' err
}

@test "costs below 0 are gains: the same choices, noise and regret as for costs one higher" {
	costs 3 200 >in
	awk '{ printf "%.3f %.3f %.3f\n", $1 - 1, $2 - 1, $3 - 1 }' in >gains
	exactly --columns=3 in >want
	prints exactly --columns=3 -r -1.000:0.000 gains <want
	dpexperts -e 1 -T 300 --columns=3 --seed=5 in >want 2>err
	dpexperts -e 1 -T 300 --columns=3 --seed=5 -r -1.000:0.000 gains 2>err | diff want -
	dpexperts -e 1 -T 300 --columns=3 --explain=json | jq '.regret, .sensitivity' >want
	dpexperts -e 1 -T 300 --columns=3 -r -1.000:0.000 --explain=json |
	    jq '.regret, .sensitivity' | diff want -
	# one of many has a gain: a line moves two
	dpexperts -e 1 -T 300 --columns=9 --ones=1 -r -1:0 --explain=json |
	    jq -e '.sensitivity == 2 and .regret.max < 300'
	printf '2:-1\n\n3:-1\n3:-1\n' | exactly --columns=9 --ones=1 -r -1:0 |
	    diff <(printf '%s\n' 1 2 2 2 3) -
}

@test "what is no line of N costs counts nothing; with --strict it ends the run" {
	printf '1 0\n0 1 0\n0\n0 x\n3:1\n1:1 1:1\n\n1 1\n' >in
	printf '%s\n' 1 2 2 2 2 2 2 2 2 | prints exactly --columns=2 in
	for line in '0 1 0' 0 '0 x' '3:1' '1:1 1:1' '0:1' '1:0 1'; do
		printf '1 1\n%s\n' "$line" >in
		run -3 --separate-stderr dpexperts -e 1 -T 9 --strict --columns=2 \
		    -r 0.000:1.000 in
		[[ $stderr == "dpexperts: in:2: "* ]]
		[[ $stderr != *"$line"* ]]
		[ "${#lines[@]}" -eq 2 ]
		run -0 --separate-stderr dpexperts -e 1 -T 9 --columns=2 -r 0.000:1.000 in
		[ "$stderr" = "" ]
		[ "${#lines[@]}" -eq 3 ]
	done
}

rejects() {
	local words=$1

	shift
	fails 2 dpexperts -e 1 -T 9 "$@" </dev/null
	[[ $stderr == *"$words"* ]] || {
		echo "no '$words': $stderr"
		return 1
	}
	[ "$output" = "" ]
}

@test "bad options: a message that says which and why, status 2" {
	for g in 0 -1 -0.1 x '' 1e 0/3 INF nan; do
		rejects "--rate: '$g' must be a decimal or a ratio above 0, or inf" --columns=2 \
		    "--rate=$g"
	done
	rejects "--rate: '1e-13' is too small" --columns=2 --rate=1e-13
	rejects "is too small for this range, or has too many digits" --columns=2 -r 0:9 \
	    --rate=1/1099511627777
	dpexperts -e 1 -T 9 --columns=2 -r 0:9 --rate=1/1099511627776 --explain >/dev/null
	for k in 0 -1 x '' 1.5; do
		rejects "--segments: '$k' must be a whole number from 1" --columns=2 "--segments=$k"
	done
	rejects "--segments: '10' is more than --horizon has steps" --columns=2 --segments=10
	rejects '--segments: refused with --user, whose lines may be in several of them' \
	    --columns=2 --segments=3 -u 1 -c 2
	rejects '--segments: refused with --pan-private, as the sums are exact' --columns=2 \
	    --segments=3 -P
	rejects 'kary takes no --segments' --columns=2 --segments=3 -M kary
	rejects '--rate is given twice' --columns=2 --rate=1 --rate=2
	for p in '' costs LINE user; do
		rejects "--protect: '$p' must be line or cost" --columns=2 "--protect=$p"
	done
	rejects '--protect=cost: refused with --ones' --columns=2 --protect=cost --ones=1
	rejects '--protect=cost: refused with --user' --columns=2 --protect=cost -u 1 -c 2
	rejects '--columns=D is required' --protect=cost
	rejects '--columns: ' --columns=0
	rejects '--columns: ' --columns=1000001
	rejects '--columns: ' --columns=-3
	rejects "none of those --help=mechanisms lists" --columns=2 -M tree
	rejects 'needs a delta' --columns=2 -M blt
	rejects 'is not pan-private' --columns=2 -P -M kary
	rejects '--pan-private: refused with --seed' --columns=2 -P --seed=1
	fails 2 dpexperts -e 1 --columns=2
	[[ $stderr == *"a horizon (-T) is needed here"* ]]
}

@test "options that make no sense here are refused" {
	for option in -B --bucket=1h -t1 --time-format=epoch -k1 -ma --every=2 --at-end \
	    --nonnegative --monotone; do
		fails 2 dpexperts -e 1 -T 9 --columns=2 $option
		[[ $stderr == *"dpexperts does not take this option"* ]]
	done
}

explained() {
	dpexperts -e 1 -T 256 --explain=json "$@"
}

@test "protected is a line, or one cost of it" {
	explained --columns=5 | jq -e '.sensitivity == 5 and
	    (.neighbours | test("and one line.s numbers differ .including .nothing happened"))'
	explained --columns=5 --protect=line | jq -e '.sensitivity == 5'
	explained --columns=5 --protect=cost | jq -e '.sensitivity == 1 and
	    (.neighbours | endswith("all well-formed, and one number of one line differs"))'
	explained --columns=5 --protect=cost -r 0:30 | jq -e '.sensitivity == 30'
	explained --columns=100 --ones=1 | jq -e '.sensitivity == 2'
	explained --columns=5 -u 1 -c 3 | jq -e '.sensitivity == 15'
	# the noise is for that: the same for one cost in five as for a line of one
	explained --columns=5 --protect=cost -M pan | jq .noise.scale >cost
	explained --columns=1 -M pan | jq .noise.scale | diff cost -
	[ "$(explained --columns=5 -M pan | jq .noise.scale)" = "$(jq '. * 5' cost)" ]
}

@test "the regret: what the formula says of the noise, and auto takes the least" {
	# pan at T = 256 has nine draws of scale 9: the largest of five such noises is 43.9
	explained --columns=5 --protect=cost -r 0:1 -M pan --rate=0.1 >j
	# 128 * min(0.0305, e^0.1 - 1) + 43.9 + 10 H_5 - 1/(e^0.1 - 1)
	jq -e '.regret.max > 60.5 and .regret.max < 62.5' j
	jq -e '.regret.mean * 256 - .regret.max | . < 1e-6 and . > -1e-6' j
	jq -e '.rmse == null and .bound == null and .lower_bound == 0' j
	jq -e '.noise.families | length == 2 and .[1].scale == 10' j
	explained --columns=5 --protect=cost -r 0:1 -M pan --rate=inf |
	    jq -e '.noise.families | length == 1'
	explained --columns=5 --protect=cost >j
	jq -e '([.eligible[].regret_max] | min) as $m | .regret.max == $m' j
	jq -e '[.eligible[].mechanism] | sort ==
	    ["blocks", "doubling", "kary", "pan", "pan-slots"]' j
	explained --columns=5 --protect=cost -d 1e-6 | jq -e '[.eligible[].mechanism] | length == 6'
	# a rate is of counters
	explained --columns=5 --rate=.1 | jq -e '[.eligible[].mechanism] | length == 3'
	rejects 'blocks takes no --rate' --columns=5 --rate=.1 -M blocks
	# one choice for all experts: no factor of their number
	dpexperts -e 1 -T 10k --columns=100 --explain=json >j
	jq -e '.mechanism == "blocks" and (.regret.max | round) == 1805' j
	jq -e '.eligible[] | select(.mechanism == "kary").regret_max | round == 6817' j
	explained --columns=5 -P | jq -e '.pan_private and ([.eligible[].mechanism] | sort ==
	    ["pan", "pan-slots"])'
	# no rate is better than the default
	for T in 100 10k 1M; do
		dpexperts -e 1 -T $T --columns=5 --protect=cost --explain=json |
		    jq .regret.max >best
		for g in inf .001 .003 .01 .03 .1 .3 1; do
			dpexperts -e 1 -T $T --columns=5 --protect=cost --rate=$g --explain=json |
			    jq .regret.max
		done | awk -v best="$(<best)" '$1 < best * .9999 { print; exit 1 }'
	done
	# with noise, a finite rate where there are many steps
	[ "$(dpexperts -e 1 -T 1M --columns=5 --protect=cost --explain=json |
	    jq '.noise.families | length')" = 2 ]
}

@test "--explain has the words of a regret, and says when it says nothing" {
	dpexperts -e 1 -T 10k --columns=3 --explain >t
	grep -q 'is (1, 0)-differentially private' t
	grep -q '^If the costs do not respond to the choices' t
	grep -qE '^[0-9.]+ more than the best single column does; no .* could cost 10000 more\.$' t
	grep -q '^eligible *regret, at most' t
	run ! grep -iE 'error|interval|loss|probability' t
	# in the cost of the best, too
	grep -qE 'cost 1[.][0-9]+ L [+] [0-9.]+ at most \(first order\)' t
	dpexperts -e 1 -T 10k --columns=3 -M doubling --explain |
	    grep -q 'where the rounds are independent and of one law, the choices are expected to'
	dpexperts -e 1 -T 10k --columns=3 -M doubling --segments=3 --explain >t
	grep -q "made from its segment's costs so far, one of 3 of up to 3334 steps, after" t
	grep -q 'more than the best column of each segment; where another column becomes the best' t
	# noise alone is said to be
	run -0 --separate-stderr dpexperts -e .1 -T 100 --columns=100 -r 0.000:1.000 \
	    /dev/null
	[[ $stderr == 'dpexperts: NO INFORMATION: '*', and those of chance at most 99 more' ]]
	run -0 --separate-stderr dpexperts -e 1 -T 100 --columns=100 -M kary /dev/null
	[[ $stderr == *'NO INFORMATION: '* ]]
	run -0 --separate-stderr dpexperts -e 1 -T 100 --columns=100 -r 0.000:1.000 /dev/null
	[ "$stderr" = "" ]
	dpexperts -e .01 -T 100 --columns=3 --explain |
	    grep -q 'that says nothing, as no choices could cost 100 more\.$'
	explained -d 1e-6 --columns=3 -M blt --rate=.1 |
	    jq -e '.noise.distribution == "discrete Gaussian"'
	dpexperts -e 1 -T 256 -d 1e-6 --columns=3 -M blt --rate=.1 --explain >t
	grep -q '^noise *discrete Gaussian, .* on every step' t
	grep -q '^noise *discrete Laplace, scale 10, on every choice, one-sided' t
	# --explain reads nothing
	dpexperts -e 1 -T 9 --columns=3 --explain /nonexistent >/dev/null
}

@test "a rate without counters' noise perturbs the choices; without a rate there is none" {
	yes '0 0' | head -n 999 >in
	exactly --columns=2 --rate=0.1 --seed=1 in >out
	# ties go to the first: 1/2 + P(tie)/2, within 6 standard deviations
	awk '{ n[$1]++ } END { exit !(n[1] > 405 && n[1] < 605 && n[1] + n[2] == 1000) }' out
	exactly --columns=2 in | sort -u | diff <(echo 1) -
	exactly --columns=2 --rate=inf in | sort -u | diff <(echo 1) -
}

@test "a noisy run with a small epsilon differs from the leader, one with a large one does not" {
	# in tenths: noise of 1/64 of one is none, but for one draw of 2^90
	costs 3 500 | awk '{ printf "%.1f %.1f %.1f\n", $1, $2, $3 }' >in
	leader 3 in | head -n 500 >want
	[ "$(uniq want | wc -l)" -gt 20 ]
	dpexperts -e 1e6 -T 500 -r 0.0:1.0 --columns=3 --rate=inf --explain=json |
	    jq -e '.noise.scale * 10 <= 1 / 64'
	dpexperts -e 1e6 -T 500 -r 0.0:1.0 --columns=3 --rate=inf in | diff want -
	dpexperts -e .1 -T 500 --columns=3 --seed=1 in 2>err >got
	run diff want got
	[ "$status" -eq 1 ]
}

@test "state: one run in pieces has the bytes of one run, for every mechanism" {
	local m part

	costs 3 40 >in
	for m in kary pan pan-slots blt blocks doubling 'blocks --segments=7' \
	    'doubling --segments=3'; do
		# shellcheck disable=SC2086
		set -- -e 1 -d 1e-6 -T 50 --columns=3 -M $m --seed=3 -n
		[[ $m == [bd]*o* ]] || set -- "$@" --rate=.1
		rm -f S
		dpexperts "$@" in >whole 2>err
		[ "$(wc -l <whole)" -eq 41 ]
		dpexperts "$@" --state=S --init </dev/null >pieces 2>err
		for part in 1p 2,3p 4,10p 11,40p; do
			sed -n $part in | dpexperts --state=S >>pieces 2>err
		done
		diff whole pieces
	done
}

@test "state: killed again and again, then run to the end: the bytes of one run" {
	costs 4 2000 >in
	dpexperts -e 1 -T 3000 --columns=4 --rate=.1 --seed=7 in >whole 2>err
	dpexperts -e 1 -T 3000 --columns=4 --rate=.1 --seed=7 --state=S --init --batch=1 \
	    --out=kept --line-buffered </dev/null 2>err
	for i in 1 2 3 4 5; do
		{ cat in; sleep .1; } | killed_after "0.0$((i * 2 - 1))" dpexperts --state=S \
		    --batch=2 --out=kept --line-buffered >/dev/null 2>&1 || :
	done
	dpexperts --state=S --batch=2 --out=kept in >/dev/null 2>err
	diff whole kept
}

@test "state: what the noise was planned for is not changed, and the rate is kept" {
	costs 3 9 >in
	dpexperts -e 1 -T 90 --columns=3 --protect=cost --rate=0.25 --state=S --init in >/dev/null
	fails 5 dpexperts --state=S --protect=line in
	fails 5 dpexperts --state=S --rate=0.5 in
	fails 5 dpexperts --state=S --change --columns=4 in
	fails 5 dpexperts --state=S -r 0:1 in
	dpexperts --state=S --state-show | grep -x 'own-rate 0.25'
	dpexperts --state=S --state-show | grep -x 'own-protect cost'
	[ "$(dpexperts --state=S --rate=0.25 --protect=cost in | wc -l)" -eq 9 ]
	# the default range is the state's, too
	dpexperts --state=S --state-show | grep -x 'range 0.000:1.000'
	dpexperts -e 1 -T 90 --columns=3 -r 0:1 --state=S2 --init in >/dev/null
	dpexperts --state=S2 in >/dev/null
	dpexperts --state=S2 --state-show | grep -x 'range 0:1'
}

@test "state: a horizon spent stays so" {
	costs 2 9 >in
	run -4 dpexperts -e 1 -T 5 --columns=2 --state=S --init in
	run -4 --separate-stderr dpexperts --state=S in
	[ "$output" = "" ]
}

@test "users: the lines of one beyond the allowance count nothing" {
	printf 'u 1 0\nu 1 0\nv 0 .3\nv 0 .3\nv 0 .3\nw 0 .3\nw 0 .3\n' >in
	exactly --columns=2 -u 1 -c 2 in | tail -n 1 | grep -qx 2
	exactly --columns=2 -u 1 -c 1 in | tail -n 1 | grep -qx 2
	exactly --columns=2 -u 1 -c 9 in | tail -n 1 | grep -qx 2
	printf 'u 1 0\nv 0 .6\nv 0 .6\nw 0 .3\n' >in
	exactly --columns=2 -u 1 -c 1 in | tail -n 1 | grep -qx 2
	exactly --columns=2 -u 1 -c 2 in | tail -n 1 | grep -qx 1
}

@test "many experts: a hundred thousand, named by pairs" {
	printf '1:1 100000:.5\n2:1\n' >in
	printf '%s\n' 1 2 3 | prints exactly --columns=100k in
	[ "$(dpexperts -e 1 -T 3 --ones=2 --columns=100k in | wc -l)" -eq 3 ]
}
