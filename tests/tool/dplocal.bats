# SPDX-License-Identifier: ISC
# dplocal: answers that are private by themselves, and totals told from them.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

mechanisms='rr subset hr'

# quiet ARG ...: dplocal without its warnings about seeds and epsilon = inf
quiet() {
	dplocal "$@" 2>err && [ "$(grep -cv 'NOT PRIVATE$' err)" -eq 0 ]
}

# letters N: lines of a to e, ever fewer, and now and then something else
letters() {
	integers "$1" | awk '{ n = $1 * $1 / 1000000; s = substr("abcde", 1 + int(5 * n), 1)
	    print $1 % 97 == 0 ? ($1 % 2 ? "" : "none of them") : s }'
}

# totals DOMAIN FILE: the exact ones, as --estimate prints them
totals() {
	awk -v list="$1" '{ n[$0]++ } END { k = split(list, s, ",")
	    for (i = 1; i <= k; i++) print s[i] "\t" n[s[i]] + 0 }' "$2"
}

@test "epsilon inf: answers are the symbols, and totals are counts" {
	printf '%s\n' b a c a c c >in
	printf '%s\n' b a c a c c | prints quiet -e inf --domain=a,b,c in
	for m in rr subset; do
		quiet -e inf --domain=a,b,c -M $m in >answers
		totals a,b,c in | prints quiet -e inf --domain=a,b,c -M $m --estimate answers
		totals a,b,c in | awk -F '\t' -v OFS='\t' '{ print $1, $2, $2, $2 }' |
		    prints quiet -e inf --domain=a,b,c -M $m --estimate -B answers
	done
	printf 'subset:%s\n' 4 8 2 8 2 2 | prints quiet -e inf --domain=a,b,c -M subset in
	fails 2 dplocal -e inf --domain=a,b,c -M hr in
	[[ $stderr == *"hr is not for these parameters"* ]]
}

@test "a line in, a line out, whatever the line" {
	printf 'a\n\nno symbol\n\0\n\377\na b\n%s\nb' "$(head -c 2000000 /dev/zero | tr '\0' x)" >in
	for m in $mechanisms; do
		quiet -e 1 --seed=1 --domain=a,b,c -M $m in >out
		[ "$(wc -l <out)" -eq 8 ]
	done
	quiet -e 1 --domain=a,b </dev/null >out
	[ ! -s out ]
	# an answer is there before the next line is asked for
	talk dplocal -e 1 --domain=yes,no
	ask yes no yes no ''
	[[ $answer =~ ^(yes|no)$ ]]
	hangup
}

@test "a line that is no symbol: one drawn at random, or --other, and nothing is said" {
	for ((i = 0; i < 3000; i++)); do echo zz; done >in
	quiet -e inf --seed=1 --domain=a,b,c in | sort | uniq -c | awk '$1 < 850 || $1 > 1150 {
	    print; exit 1 } END { exit NR != 3 }'
	yes b | head -3000 | prints quiet -e inf --domain=a,b,c --other=b in
	dplocal -e 1 --domain=a,b,c in 2>err >/dev/null
	dplocal -e 1 --domain=a,b,c --strict in 2>err >/dev/null	# it is not malformed
	[ ! -s err ]
	# a field that is not there is
	printf '1 a\n2\n3 b\n' >in
	dplocal -e 1 --domain=a,b -v 2 in 2>err | wc -l | grep -qx 3
	[ ! -s err ]
	fails 3 dplocal -e 1 --domain=a,b -v 2 --strict in
	[ "$stderr" = 'dplocal: in:2: field 2: the field is missing' ]
	fails 2 dplocal -e 1 --domain=a,b,c --other=d in
	[[ $stderr == *"--other: 'd' is not in the alphabet"* ]]
}

@test "totals hold the truth, for every mechanism, at every epsilon" {
	letters 20000 >in
	for e in 1/10 1 3 ; do
		for m in $mechanisms; do
			quiet -e $e --seed=5 --domain=a,b,c,d,e,x --other=x -M $m in >answers
			[ "$(wc -l <answers)" -eq 20000 ]
			quiet -e $e --domain=a,b,c,d,e,x -M $m --estimate -B.999999 answers >got
			totals a,b,c,d,e in | awk -F '\t' '
				NR == FNR { n[$1] = $2; left += $2; next }
				$1 == "x" { n["x"] = 20000 - left }
				$3 > n[$1] || $4 < n[$1] || $3 > $4 { print n[$1] ": " $0; bad = 1 }
				END { exit bad || FNR != 6 }' - got || { echo "$e $m"; false; }
		done
	done
	# auto is the best of them, on both sides
	quiet -e 1 --seed=5 --domain=a,b,c,d,e,x in >answers
	best=$(quiet -e 1 --domain=a,b,c,d,e,x --explain=json | jq -r .mechanism)
	quiet -e 1 --seed=5 --domain=a,b,c,d,e,x -M "$best" in | cmp - answers
	quiet -e 1 --domain=a,b,c,d,e,x --estimate answers >got
	quiet -e 1 --domain=a,b,c,d,e,x --estimate -M "$best" answers | diff - got
}

@test "totals: what awk makes of the answers" {
	letters 5000 >in
	quiet -e 1.5 --seed=2 --domain=a,b,c,d,e -M rr in >answers
	awk '{ n[$1]++ } END { E = exp(1.5); P = E / (E + 4); Q = 1 / (E + 4)
	    for (i = 1; i <= 5; i++) { s = substr("abcde", i, 1)
	        printf "%s\t%.0f\n", s, (n[s] - NR * Q) / (P - Q) } }' answers |
	    prints quiet -e 1.5 --domain=a,b,c,d,e -M rr --estimate answers
	# sets of d = 2 of 5: 5 / (e + 1) = 1.9
	quiet -e .5 --seed=2 --domain=a,b,c,d,e -M subset in >answers
	awk 'BEGIN { for (d = 0; d < 16; d++) for (b = 0; b < 4; b++)
		bit[sprintf("%x", d), b] = int(d / 2 ^ (3 - b)) % 2 }
	    { h = substr($0, 8); for (i = 0; i < 5; i++)
		n[i] += bit[substr(h, 1 + int(i / 4), 1), i % 4] }
	    END { E = exp(.5); P = 2 * E / (2 * E + 3); Q = (2 - P) / 4; for (i = 0; i < 5; i++)
		printf "%s\t%.0f\n", substr("abcde", i + 1, 1),
		    (n[i] - NR * Q) / (P - Q) }' answers |
	    prints quiet -e .5 --domain=a,b,c,d,e -M subset --estimate answers
	# four answers, two of them coins: spec-sums.md, section 6
	printf '%s\n' 1 1 1 0 >answers
	printf '0\t0\n1\t4\n' | prints quiet -e 1.0986122886681098 --domain=0,1 -M rr --estimate \
	    answers
	printf '%s\n' 0 0 1 0 >answers
	printf '0\t4\n1\t0\n' | prints quiet -e 1.0986122886681098 --domain=0,1 -M rr --estimate \
	    answers
}

@test "Warner: epsilon 1 flips 0.268941 of the bits" {
	yes 1 | head -200000 >in
	n=$(quiet -e 1 --seed=9 --domain=0,1 -M rr in | grep -c 0)
	awk -v n="$n" 'BEGIN { p = 0.268941; d = n / 200000 - p
	    exit d * d > 4.9 ^ 2 * p * (1 - p) / 200000 }'
}

@test "the same options on both sides are all that is shared" {
	letters 1000 >in
	seq 1 100 >words
	quiet -e 2 --seed=3 --domain=@words --other=7 -o csv in >answers
	quiet -e 2 --domain=@words --other=7 --estimate -v 1 --csv -H answers >one
	quiet -e 2 --seed=3 --domain=@words --other=7 in |
	    quiet -e 2 --domain=@words --estimate >two
	diff one two
	# in any number of files, in any order
	quiet -e 2 --seed=3 --domain=@words --other=7 in | sort >answers
	split -n l/3 answers part.
	quiet -e 2 --domain=@words --estimate part.* | diff - two
}

@test "answers that are none: left out, said without content or number, and named by --strict" {
	printf '%s\n' a b nope a '' hr:80 >in
	printf 'a\t2\nb\t1\n' >want
	dplocal -e inf --domain=a,b -M rr --estimate in >got 2>err
	diff want got
	[ "$(wc -l <err)" -eq 2 ]
	grep -x 'dplocal: epsilon is inf: exact answers, NOT PRIVATE' err
	grep -x 'dplocal: lines that are no answers under these options are left out; .*' err
	dplocal -e 1 -q --domain=a,b --estimate in >/dev/null 2>err
	[ ! -s err ]
	# of nothing but such lines there are no totals, also without a word; of no lines there are
	sed '/^[ab]$/d' in >none
	for q in -B -q '-o csv' --simplex; do
		# shellcheck disable=SC2086
		fails 3 dplocal -e 1 --domain=a,b --estimate $q none
		[ -z "$output" ]
		[[ $stderr == 'dplocal: --estimate: none of the lines is an answer under these '* ]]
	done
	printf 'a\t0\nb\t0\n' | prints dplocal -e 1 --domain=a,b --estimate /dev/null
	fails 3 dplocal -e 1 --domain=a,b --estimate --strict in
	[ "$stderr" = 'dplocal: in:3: is not an answer under these options' ]
	# those of another mechanism, or alphabet, are none
	letters 100 >in
	for m in $mechanisms; do
		quiet -e 1 --seed=1 --domain=a,b,c,d,e -M $m in >"answers.$m"
		for other in $mechanisms; do
			[ $m != $other ] || continue
			fails 3 dplocal -e 1 --domain=a,b,c,d,e -M $other --estimate --strict \
			    "answers.$m"
			[[ $stderr == *":1: is not an answer"* ]]
		done
		quiet -e 1 --domain=a,b,c,d,e -M $m --estimate --strict "answers.$m" >/dev/null
	done
	fails 3 dplocal -e 1 --domain=a,b,c,d -M subset --estimate --strict answers.subset
}

@test "totals that no chance makes under these options: said on standard error" {
	yes a | head -n 900 >in
	yes b | head -n 100 >>in
	said='dplocal: --estimate: totals are farther below 0, or above the number of answers, than'
	said+=' chance makes them once in a million times: were the answers made with another'
	said+=' --epsilon, --domain or --mechanism?'
	for m in rr hr; do
		quiet -e 3 --seed=5 --domain=a,b,c,d -M $m in >answers
		for how in '' -B --simplex; do
			# shellcheck disable=SC2086
			run -0 --separate-stderr dplocal -e 1 --domain=a,b,c,d -M $m --estimate \
			    $how answers
			[ "$stderr" = "$said" ]
			[ "${#lines[@]}" -eq 4 ]
			for right in '-e 3' '-e 3.1' '-e 9' '-e 1 -q'; do
				# shellcheck disable=SC2086
				run -0 --separate-stderr dplocal $right --domain=a,b,c,d -M $m \
				    --estimate $how answers
				[ -z "$stderr" ]
			done
		done
	done
}

@test "formats" {
	printf '%s\n' a,b '"c' a,b >in
	printf '%s\n' a,b '"c' >list
	set -- -e inf --domain=@list -M rr --estimate
	printf 'a,b\t2\n"c\t1\n' | prints quiet "$@" in
	printf 'symbol,estimate,lo,hi\n"a,b",2,2,2\n"""c",1,1,1\n' | prints quiet "$@" -B -o csv in
	printf 'step\tsymbol\testimate\n3\ta,b\t2\n3\t"c\t1\n' | prints quiet "$@" -n -o tsv in
	cat >want <<-'EOT'
		{"step":3,"symbol":"a,b","estimate":2,"lo":2,"hi":2}
		{"step":3,"symbol":"\"c","estimate":1,"lo":1,"hi":1}
	EOT
	prints quiet "$@" -B -o json in <want
	quiet -e inf --domain=@list -o json in | jq -c .estimate | prints cat <(
		printf '"a,b"\n"\\"c"\n"a,b"\n')
	quiet -e inf --domain=@list -o csv in | prints cat <(
		printf 'estimate\n"a,b"\n"""c"\n"a,b"\n')
	quiet -e inf --domain=@list -M subset -o json in | prints cat <(
		for i in 1 2 3; do
			printf '{"step":%d,"estimate":"subset:%d"}\n' $i $((i == 2 ? 4 : 8))
		done)
	quiet -e inf --domain=@list -M subset -n -o tsv in | prints cat <(
		printf 'step\testimate\n1\tsubset:8\n2\tsubset:4\n3\tsubset:8\n')
}

@test "--nonnegative, --simplex: post-processing" {
	letters 3000 >in
	quiet -e 1/2 --seed=4 --domain=a,b,c,d,e,f,g,h in >answers
	set -- -e 1/2 --domain=a,b,c,d,e,f,g,h --estimate
	quiet "$@" answers >plain
	awk '$2 < 0 { n++ } END { exit !n }' plain
	awk -v OFS='\t' '{ print $1, $2 < 0 ? 0 : $2 }' plain |
	    prints quiet "$@" --nonnegative answers
	quiet "$@" --simplex answers >got
	awk '{ s += $2; if ($2 < 0) exit 1 } END { exit s < 2996 || s > 3004 || NR != 8 }' got
	# all are lowered by the same
	paste plain got | awk '$4 > 0 { d = $2 - $4; last = n++ ? last : d
	    if (d > last + 1 || d < last - 1) far = 1 } END { exit far || n < 2 }'
}

@test "--horizon: what comes after is not answered, and not counted" {
	printf '%s\n' a b a b >in
	fails 4 dplocal -q -e 1 --domain=a,b -T 3 in
	[ "$(grep -c . <<<"$output")" -eq 3 ]
	fails 4 dplocal -q -e inf --domain=a,b -T 3 --estimate in
	[ "$output" = $'a\t2\nb\t1' ]
	run -0 dplocal -q -e 1 --domain=a,b -T 4 in
}

@test "real data: status codes of a web server's log" {
	log=$TOP/../shared/data/apache_access.log
	[ -r "$log" ] || skip 'no log at hand'
	awk '{ print $9 }' "$log" >codes
	list=200,206,301,304,403,404,416,500
	quiet -e 1 --seed=6 --domain=$list -v 9 "$log" >answers
	quiet -e 1 --domain=$list --estimate -B.999999 answers >got
	totals $list codes | paste - got | awk -F '\t' '
	    $2 < $5 || $2 > $6 || $1 != $3 { print; exit 1 } END { exit NR != 8 }'
}

@test "a million symbols" {
	seq 1000000 >list
	printf '%s\n' 1000000 1 zz 17 >in
	printf '%s\n' 1000000 1 17 17 | prints quiet -e inf --domain=@list --other=17 in
	for m in rr hr; do
		quiet -e 1 --seed=1 --domain=@list -M $m in >out
		[ "$(wc -l <out)" -eq 4 ]
	done
	quiet -e 1 --domain=@list -M hr --estimate out | wc -l | grep -qx 1000000
	fails 2 dplocal -e 1 --domain=@list -M subset in
	[[ $stderr == *"subset is not for these parameters"* ]]
	echo 1000001 >>list
	fails 2 dplocal -e 1 --domain=@list in
	[[ $stderr == *'--domain: more than 1000000 keys'* ]]
	seq 65536 >list
	quiet -e 1 --seed=1 --domain=@list in >out
	[ "$(head -1 out | wc -c)" -gt 16384 ]
	quiet -e 1 --domain=@list --estimate --strict out >/dev/null
}

# usage REASON ARG ...
usage() {
	local reason=$1

	shift
	fails 2 dplocal "$@"
	[[ $stderr == *"$reason"* ]] || {
		echo "not '$reason': $*: $stderr"
		return 1
	}
}

@test "options that are wrong" {
	usage '--domain=A,B,C is required: the alphabet' -e 1
	usage 'at least two symbols' -e 1 --domain=a
	usage "'a' is given twice" -e 1 --domain=a,b,a
	usage '--domain: a key must have 1 to 255 bytes' -e 1 --domain=
	usage '--domain: a key must have 1 to 255 bytes' -e 1 --domain=a,,b
	usage '--domain: a key must have 1 to 255 bytes' -e 1 --domain=a,
	usage '--domain is given twice' -e 1 --domain=a,b --domain=c,d
	usage '--domain: none: No such file' -e 1 --domain=@none
	: >list
	usage '--domain: list: no keys' -e 1 --domain=@list
	printf 'a\nb\nb\n' >list
	usage "--domain: 'b' is given twice" -e 1 --domain=@list
	printf 'a\tb\nc\n' >list
	usage '--domain: a key holds a tab' -e 1 --domain=@list
	quiet -e inf --domain=@list -o csv list >/dev/null
	printf 'a b\n c \n' >list
	printf 'a b\n c \n' | prints quiet -q -e inf --domain=@list list
	printf '\377\nb\n' >list
	usage '--domain: a key is not UTF-8' -e 1 --domain=@list -o json
	usage '--epsilon is required' --domain=a,b
	usage 'must be above 0' -e 0 --domain=a,b
	usage '--delta: refused here' -e 1 -d 1e-6 --domain=a,b
	for a in -B --nonnegative --simplex; do
		usage '--bound, --nonnegative and --simplex need --estimate' -e 1 --domain=a,b $a
	done
	usage '--seed: refused with --estimate' -e 1 --domain=a,b --estimate --seed=1
	usage '--pan-private: refused with --estimate' -e 1 --domain=a,b --estimate -P
	usage '--pan-private: refused with --seed' -e 1 --domain=a,b -P --seed=1
	for a in --state=s --init --bucket=1d --keys=a,b '-k 1' '-u 1' '-c 3' '-m x' \
	    --every=3 --columns=3; do
		# shellcheck disable=SC2086
		usage 'does not take this option' -e 1 --domain=a,b $a
	done
	usage "is none of those --help=mechanisms lists" -e 1 --domain=a,b -M response
	[ ! -e s ]
}

@test "numbers: the mean and the sum, exact without noise, within the interval with it" {
	integers 3000 | awk '{ print $1 % 101 / 10 }' >in
	echo none >>in
	awk '{ s += $1 } END { printf "%.5f\n%.5f\n", s / NR, s }' in >want
	dplocal -q -e inf -r 0.0:10.0 --other=0 in |
	    dplocal -q -e inf -r 0.0:10.0 --other=0 --estimate | cut -f 2 | diff want -
	for m in duchi piecewise laplace; do
		set -- -e 3 --answers=2 -r 0.0:10.0 -M $m
		dplocal -q "$@" --seed=5 --other=0 in >answers
		[ "$(wc -l <answers)" -eq 3001 ]
		dplocal "$@" --estimate -B.9999 answers >out
		paste want out | awk -v m=$m '{ if ($1 < $4 || $1 > $5) { print m, $0; exit 1 } }'
		# in any order, from any files; by another mechanism they are none
		sort -R answers | dplocal "$@" --estimate -B.9999 | diff out -
	done
	fails 3 dplocal -e 3 --answers=2 -r 0.0:10.0 -M duchi --estimate answers
	[ "$(dplocal -e 1 -r 0:1 --explain=json | jq -r .mechanism)" = duchi ]
	[ "$(dplocal -e 2 -r 0:100 --explain=json | jq -r .mechanism)" = piecewise ]
	dplocal -e 1 -r 0:9 --answers=4 --explain | grep -F '1/4 of epsilon = 1: who gives up to 4'
	# 0 answers: anything
	: | dplocal -e 1 -r 5:10 --estimate -B | head -n 1 |
	    grep -qx $'mean\t5.0000\t5.0000\t10.0000'
	# symbols: --answers=2 has the coin of half of epsilon
	[ "$(dplocal -e 2 --answers=2 --domain=a,b -M rr --explain | grep ^answer)" = \
	    "$(dplocal -e 1 --domain=a,b -M rr --explain | grep ^answer)" ]
}

@test "--domain is dplocal's alone" {
	fails 2 dpcount -e 1 --domain=a,b
	[[ $stderr == *'--domain: dpcount does not take this option'* ]]
}

@test "--explain: the guarantee, every mechanism's variance, the lower bound" {
	dplocal -e 1/2 --domain=a,b,c,d -T 1000 --explain >text
	grep -F 'is (1/2, 0)-differentially private' text
	grep -F 'Each line is (1/2, 0)-locally differentially private' text
	grep -F 'Who answers j lines loses j times that' text
	grep -F 'no randomiser of single lines with this guarantee can promise less' text
	grep -F 'each event is protected by itself' text
	silent_about 'Nothing is released or charged' text
	dplocal -e 1/2 --domain=a,b,c,d -T 1000 --explain --estimate >text
	grep -F 'Nothing is released or charged here' text
	dplocal -e 1 --domain=a,b,c,d -T 1000 --explain=json >json
	jq -e '.local == true and .post_processing == false and .epsilon == "1" and
	    .delta == "0" and .pan_private == false and .horizon == 1000' json
	# c = 100 of n = 1000: 1714.463 (spec-sums.md, section 6)
	jq -e '.eligible[] | select(.mechanism == "rr") |
	    .9 * .rmse_in_no_line * .rmse_in_no_line +
	    .1 * .rmse_in_every_line * .rmse_in_every_line | . > 1714.46 and . < 1714.47' json
	jq -er '.eligible[].mechanism' json | diff <(printf '%s\n' $mechanisms) -
	jq -e '.lower_bound > 0 and .bound.max > .lower_bound' json
	# auto takes the least mean over all symbols
	for e in .1 1 3 8; do
		for n in 2 3 10 1000; do
			dplocal -e $e --domain=@<(seq $n) --explain=json >json
			jq -e '(.eligible | min_by(.rmse_max) | .rmse_max) as $least |
			    .rmse.max < $least * 1.000001' json
		done
	done
	[ "$(dplocal -e 8 --domain=@<(seq 10) --explain=json | jq -r .mechanism)" = rr ]
	[ "$(dplocal -e 1 --domain=@<(seq 1000) --explain=json | jq -r .mechanism)" = subset ]
	[ "$(dplocal -e 1 --domain=@<(seq 70000) --explain=json | jq -r .mechanism)" = hr ]
	dplocal -e inf --domain=a,b --explain | grep -F 'No guarantee'
}

@test "a seed repeats, another does not, none is never the same" {
	letters 200 >in
	for m in $mechanisms; do
		quiet -e 1 --seed=1 --domain=a,b,c,d,e -M $m in >one
		quiet -e 1 --seed=1 --domain=a,b,c,d,e -M $m in | cmp one
		run ! cmp -s one <(quiet -e 1 --seed=2 --domain=a,b,c,d,e -M $m in)
		run ! cmp -s one <(dplocal -e 1 --domain=a,b,c,d,e -M $m in)
	done
}

@test "an output that cannot be written: 1; SIGPIPE is silent" {
	[ -e /dev/full ] || skip
	letters 100 >in
	run -1 bash -c "dplocal -e 1 --domain=a,b in >/dev/full"
	run -1 bash -c "dplocal -e 1 --domain=a,b --estimate in >/dev/full"
	run -0 bash -c "yes a | dplocal -e 1 --domain=a,b | head -1"
	[ "${#lines[@]}" -eq 1 ]
}
