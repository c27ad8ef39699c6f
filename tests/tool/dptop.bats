# SPDX-License-Identifier: ISC
# dptop: names that nobody declared, against awk at epsilon = inf; who is told of, and when; what
# is refused.  tests/unit/t_top.c has thresholds, tests/law/s_top.c the laws.
load ../lib/helper
load ../lib/examples

# exact ARG ...: dptop without noise
exact() {
	exact_of dptop "$@"
}

# logs: HOUR*3600 NAME USER, 900 events of 6 hours in ./in, not in order; of some 30 names
logs() {
	awk 'BEGIN { for (i = 0; i < 900; i++) { x = (x * 69069 + 1) % 4294967296
	    n = int(x / 65536) % 1000; n = int(n * n / 33000)
	    print (i * 7 % 6) * 3600 + i, "n" n, "u" i % 40 } }' >in
	hours=(-t 1 --time-format=epoch --bucket=1h --from=1970-01-01T00:00:00Z
	    --to=1970-01-01T06:00:00Z)
}

# counts HOURS KEY: what each hour tells of so many, exactly: the largest first, then by bytes
counts() {
	awk -v hours="$1" -v key="$2" '{ k = key == 1 ? $2 "/" $3 : $2; n[int($1 / 3600), k]++
		all[k] } END { for (h = 0; h < 6; h++) for (k in all) {
		c = 0; for (g = h > hours - 1 ? h - hours + 1 : 0; g <= h; g++) c += n[g, k]
		if (c) printf "1970-01-01T%02d:00:00Z\t%s\t%d\n", h, k, c } }' in |
	    sort -t "$(printf '\t')" -k 1,1 -k 3,3nr -k 2,2 >want
}

@test "exact: all names with an event, so far and of each step; fields together; --top" {
	logs
	counts 6 0
	exact "${hours[@]}" -k 2 in | diff want -
	counts 1 0
	exact "${hours[@]}" -k 2 -w 1 in | diff want -
	exact "${hours[@]}" -k 2 -w 1h in | diff want -
	exact "${hours[@]}" -k 2 -w 1 --top=3 in >got
	awk -F '\t' '++n[$1] <= 3' want | diff - got
	counts 6 1
	exact "${hours[@]}" -k 2,3 --running in | diff want -
	# buckets one at a time have the same
	sort -n in >sorted
	counts 6 0
	exact -T 6 -t 1 --time-format=epoch --bucket=1h --public-times -k 2 sorted | diff want -
	counts 1 0
	exact -t 1 --time-format=epoch --bucket=1h --public-times -k 2 -w 1 sorted | diff want -
}

@test "exact: windows; names that come and go, of which memory keeps those of late" {
	logs
	for w in 2 3 5; do
		counts $w 0
		exact "${hours[@]}" -k 2 -w $w in | diff want -
		exact "${hours[@]}" -k 2 -w ${w}h in | diff want -
	done
	# 400 hours, each with a name that comes in every 37th, and one of its own
	awk 'BEGIN { for (h = 0; h < 400; h++) { print h * 3600, "n" h % 37
	    print h * 3600 + 1, "own" h } }' >in
	for w in 2 24 50; do
		awk -v w=$w '{ h = int($1 / 3600)
		    for (g = h; g < h + w && g < 400; g++) c[g, $2]++ }
		    END { for (i in c) { split(i, at, SUBSEP); print at[1], at[2], c[i] } }' in |
		    sort >want
		exact -n -o tsv -t 1 --time-format=epoch --bucket=1h --public-times -k 2 -w $w in |
		    awk 'NR > 1 { print $1 - 1, $3, $4 }' | sort | diff want -
	done
}

@test "--state: of windows only names are in it that a window to come may have" {
	awk 'BEGIN { for (h = 0; h < 400; h++) print h * 3600, "own" h }' >in
	dptop -q -e 1 -d 1e-6 -t 1 --time-format=epoch --bucket=1h --public-times -k 2 -w 10 \
	    --state=s --init in 2>/dev/null
	# a name's 10 steps, and as many after them, and a tree of 8
	[ "$(grep -ac '^begun own' s)" -le 28 ]
	[ "$(grep -ac '^begun own' s)" -ge 19 ]
}

@test "--once, whole lines, --where, declared names beside, which are there with none" {
	printf '%s\n' b a 'c d' a '' b a e x y >in
	exact --once in | diff <(printf '%s\t%s\n' a 3 b 2 'c d' 1 e 1 x 1 y 1) -
	exact --once --where='^[a-e]' --keys=z,a in |
	    diff <(printf '%s\t%s\n' a 3 b 2 'c d' 1 e 1 z 0) -
	# with noise: what is declared is there in every step, what is not, never before its time
	logs
	dptop -q -e 1 -d 1e-6 --seed=4 "${hours[@]}" -k 2 --keys=z,n7 in 2>/dev/null >got
	[ "$(grep -c 'Z	z	' got)" -eq 6 ]
	[ "$(grep -c 'Z	n7	' got)" -eq 6 ]
	dptop -q -e 1 -d 1e-6 --seed=4 "${hours[@]}" -w 1 -k 2 --keys=z,n7 in 2>/dev/null >got
	[ "$(grep -c 'Z	z	' got)" -eq 6 ]
}

@test "no name before its first event, however low tau is, and once named at every step" {
	# 400 names of one event in hour 3 of 6; tau is 2
	for i in {1..400}; do
		echo $((3 * 3600 + i)) "n$i"
	done >in
	echo 100 first >>in
	dptop -q -e 1 -d .9 --seed=2 -t 1 --time-format=epoch --bucket=1h -M gated-normtree \
	    --from=1970-01-01T00:00:00Z --to=1970-01-01T06:00:00Z -k 2 in 2>/dev/null >got
	awk -F '\t' '$2 != "first" { hour = substr($1, 12, 2) + 0; if (hour < 3) early++
	    n[$2]++; if (!($2 in at)) at[$2] = hour }
	    END { for (k in n) { if (n[k] != 6 - at[k]) holes++; named++; first += at[k] == 3 }
	    print early + 0, holes + 0, (named > 150), (first > 100), (first < named) }' got |
	    grep -x '0 0 1 1 1'
	# each step by itself: no name without an event in it
	dptop -q -e 1 -d .9 --seed=2 -t 1 --time-format=epoch --bucket=1h -w 1 \
	    --from=1970-01-01T00:00:00Z --to=1970-01-01T06:00:00Z -k 2 in 2>/dev/null >got
	awk -F '\t' '$2 != "first" { n++; bad += substr($1, 12, 2) != "03" }
	    END { print bad + 0, (n > 100) }' got | grep -x '0 1'
	# windows: none without an event in it
	dptop -q -e 1 -d .99 --seed=2 -t 1 --time-format=epoch --bucket=1h -w 2 \
	    --from=1970-01-01T00:00:00Z --to=1970-01-01T06:00:00Z -k 2 in 2>/dev/null >got
	awk -F '\t' '$2 != "first" { n++; h = substr($1, 12, 2); bad += h != "03" && h != "04"
	    late += h == "04" } END { print bad + 0, (n > 200), (late > 100) }' got |
	    grep -x '0 1 1'
}

@test "a name that is never told of changes no byte of what is printed, but for draws" {
	logs
	dptop -e 1 -d 1e-9 --seed=1 "${hours[@]}" -k 2 --top=1 <<<'7 rare u1' >got 2>err
	[ ! -s got ]
	dptop -e 1 -d 1e-9 --seed=1 "${hours[@]}" -k 2 --top=1 </dev/null >none 2>none.err
	cmp got none
	cmp err none.err
}

@test "forms: plain, tsv, csv, json, numbers, intervals; names with controls, not UTF-8, \\" {
	printf 'a,b\n\x01\\\n\xff\xc3\xa9\n\xc2\x85\na,b\n' >in
	exact --once in | diff <(printf '%s\t%s\n' a,b 2 '\x01\\' 1 '\xc2\x85' 1 '\xffé' 1) -
	exact --once -o csv in | diff <(printf '%s,%s\n' name estimate '"a,b"' 2 '\x01\\' 1 \
	    '\xc2\x85' 1 '\xffé' 1) -
	exact --once -o json in | jq -r '.name, .estimate' | paste - - |
	    diff <(printf '%s\t%s\n' a,b 2 '\x01\\' 1 '\xc2\x85' 1 '\xffé' 1) -
	# marks that turn the direction, or end a line, and that nobody sees
	printf 'a\xe2\x80\xaeb\na\xe2\x80\xa8\n\xe2\x80\x8f\xd8\x9c\xe2\x81\xa6\nא\n' >in
	exact --once in | cut -f 1 | sort | diff <(printf '%s\n' \
	    '\xe2\x80\x8f\xd8\x9c\xe2\x81\xa6' 'a\xe2\x80\xa8' 'a\xe2\x80\xaeb' א) -
	# formulas of a spreadsheet, in CSV
	printf '%s\n' '=1+1,"x"' +1 -1 @x ok >in
	printf '%s\n' "\"'+1\"" "\"'-1\"" "\"'=1+1,\"\"x\"\"\"" "\"'@x\"" ok >safe
	set -- --once -F ';' -k 1 in
	exact "$@" -o csv | sed '1d; s/,1$//' | diff safe -
	exact "$@" -o long | sed '1d; s/^1,//; s/,count,1,,$//' | diff safe -
	exact "$@" -o csv --safe=no | sed '1d; s/,1$//' |
	    diff <(printf '%s\n' +1 -1 '"=1+1,""x"""' @x ok) -
	exact "$@" -o tsv | cut -f 1 | grep -Fx '=1+1,"x"'
	logs
	exact "${hours[@]}" -k 2 -n -o tsv -B in >got
	head -n 1 got | grep -x "$(printf 'step\ttime\tname\testimate\tlo\thi')"
	awk -F '\t' 'NR > 1 && ($4 != $5 || $4 != $6 || $1 != substr($2, 12, 2) + 1)' got |
	    run -1 grep .
	dptop -q -e 1 -d 1e-3 --seed=3 "${hours[@]}" -k 2 -B.9 -o json in 2>/dev/null >got
	jq -e 'select(.lo > .estimate or .hi < .estimate or .hi - .lo < 6)' got | run -1 grep .
	jq -se 'length > 10' got
	dptop -q -e 1 -d 1e-3 --seed=3 "${hours[@]}" -k 2 --nonnegative in 2>/dev/null |
	    run -1 grep -- '	-'
}

@test "users: as many events as count, in the run and in each step" {
	logs
	awk '++n[$3] <= 5' in >some
	cp in all
	cp some in
	counts 6 0
	exact "${hours[@]}" -k 2 -u 3 -c 5 all | diff want -
	awk '++n[$3, int($1 / 3600)] <= 2' all >in
	counts 1 0
	exact "${hours[@]}" -k 2 -w 1 -u 3 -c 2/step all | diff want -
}

# distinct HOURS K PER_STEP: as counts(), of users: of one's events in ./all with a name the first,
# of his first K names; in ./in
distinct() {
	awk -v K="$2" -v step="$3" '{ u = $3 (step ? "/" int($1 / 3600) : "") }
	    !((u, $2) in had) && n[u] < K { had[u, $2]; n[u]++; print }' all >in
	counts "$1" 0
}

@test "--distinct: users, each once a name, of as many names as count, in the run or in a step" {
	logs
	mv in all
	for K in 1 3 100; do
		distinct 6 $K ''
		exact "${hours[@]}" -k 2 -u 3 -c $K --distinct all | diff want -
		distinct 1 $K 1
		exact "${hours[@]}" -k 2 -w 1 -u 3 -c $K/step --distinct all | diff want -
		sort -n all >sorted
		mv sorted all
		distinct 3 $K 1
		exact -t 1 --time-format=epoch --bucket=1h --public-times -k 2 -w 3 -u 3 \
		    -c $K/step --distinct all | diff want -
	done
	# users and names that look alike when joined
	printf '%s\n' 'a bc' 'ab c' 'a bc' 'abc ' ' abc' 'ab c' 'ab c' >in
	exact --once -F ' ' -k 2 -u 1 -c 9 --distinct in | diff <(printf '%s\t1\n' bc c) -
	dptop --check --once -F ' ' -k 2 -u 1 -c 9 --distinct in 2>/dev/null |
	    grep -c 'its user has counted for this name' | grep -x 3
	fails 2 dptop -e 1 -d 1e-6 --once --distinct in
	[[ $stderr = *'--distinct needs --user'* ]]
	dptop -e 1 -d 1e-6 --once -k 2 -u 1 -c 9 --distinct --explain >got
	grep -q 'of which at most 9 are counted, no two of one name' got
	grep -q 'a user counts once for a name, and for the first 9 of his names in the whole' got
	# two events of one name would have e^9 f for 2 f
	# many names of a user: Gaussian noise
	dptop -e 1 -d 1e-6 -T 84 --bucket=1h --live -k 2 -u 1 -c 5 --distinct --explain >got
	grep -q '^mechanism *gated-blt' got
	grep -q 'tau = 133; delta pays for that: 4.92e-07' got
	grep -q 'half of delta is for the noise' got
	[ "$(dptop -e 18 -d 1e-6 --once -k 2 -u 1 -c 2 --distinct --explain |
	    grep -o 'tau = [0-9]*')" = 'tau = 3' ]
	[ "$(dptop -e 18 -d 1e-6 --once -k 2 -u 1 -c 2 --explain | grep -o 'tau = [0-9]*')" = \
	    'tau = 4' ]
}

@test "seeds: the same bytes, one bucket after another or all at once" {
	logs
	sort -n in >sorted
	dptop -q -e 1 -d 1e-3 --seed=5 "${hours[@]}" -k 2 sorted >a 2>/dev/null
	dptop -q -e 1 -d 1e-3 --seed=5 "${hours[@]}" -k 2 sorted >b 2>/dev/null
	cmp a b
	dptop -q -e 1 -d 1e-3 --seed=5 -T 6 -t 1 --time-format=epoch --bucket=1h --public-times \
	    -k 2 sorted >b 2>/dev/null
	cmp a b
}

@test "--explain: tau, what delta is spent on, bytes of a name; -T alone will do" {
	dptop -e 1 -d 1e-6 -T 84 --bucket=1h -k 2 --explain >got
	grep -q 'tau = 40; delta pays for that: 7.45e-07 is the probability' got
	grep -qE 'some 7[0-9] bytes and its own' got
	grep -q '(1, 1/1000000)-differentially private' got
	dptop -e 1 -d 1e-6 -T 84 --bucket=1h -k 2 -w 1 --explain=json | jq -e \
	    '.mechanism == "gated-laplace" and (.notes[0] | test("tau = 15;"))'
	dptop -e 1 -d 1e-6 -T 84 --bucket=1h -k 2 -B --explain=json | jq -ce \
	    '[.output.columns[].name] == ["time", "name", "estimate", "lo", "hi"]'
	dptop -e 1 -d 1e-6 -T 84 --bucket=1h -k 2 -w 1 -u 3 -c 3 --explain | grep -q 'tau = 45;'
	dptop -e 1 -d 1e-6 --once -k 2 --explain | grep -q 'gated-laplace'
	dptop -e 1 -d 1e-6 --once --running -k 2 --explain | grep -q 'gated-normtree'
}

@test "memory: so many bytes a name; where there is no more the run ends, with status 1" {
	unsanitized 'it needs much more'
	dptop -e 1 -d 1e-6 --once --explain >got
	each=$(sed -nE 's/.* exactly: some ([0-9]+) bytes and its own.*/\1/p' got)
	seq 1000000 1399999 >in
	# 7 bytes of its own; what is there besides, and room that grows by halves
	for factor in 5 20; do
		kib=$((400000 * (each + 7) / 1024 * factor / 10))
		(ulimit -v $kib && exec dptop -q -e 1 -d 1e-6 --once in) >out 2>err && rc=0 || rc=$?
		echo $rc
	done >status
	[ "$(paste -sd ' ' status)" = '1 0' ] || { cat status err; false; }
}

@test "the probability that noise lifts one event over tau is what --explain says" {
	# 20000 names of one event, one step: binomial, 5 standard deviations of each side
	seq 20000 >in
	for how in '-w 1' --running; do
		p=$(dptop -e 1 -d .01 --once $how --explain |
		    sed -nE 's/.*pays for that: ([^ ]*) is .*/\1/p')
		n=$(dptop -q -e 1 -d .01 --once $how --seed=8 in 2>/dev/null | wc -l)
		awk -v p="$p" -v n="$n" 'BEGIN { d = n - 20000 * p
		    exit !(p > .002 && p <= .01 && d * d < 25 * 20000 * p) }'
	done
}

@test "--budget: epsilon and delta are charged" {
	dpbudget --init --total=2,1e-5 b
	logs
	dptop -q -e 1 -d 1e-6 "${hours[@]}" -k 2 --budget=b:top in >/dev/null
	dpbudget --show b
	dpbudget --show b | grep -q '1e-06\|1/1000000\|0.000001'
}

@test "--check: names; refused: lines, no delta, windows, other options, small epsilons" {
	printf '1,a\n2,\n3\n' >in
	dptop --check --once --csv -k 2 in 2>/dev/null >got
	cat got
	grep -q 'name=a' got
	grep -qF 'the name is empty' got
	head -c 300 /dev/zero | tr '\0' a | dptop --check --once 2>/dev/null |
	    grep -q 'the name is too long'
	fails 2 dptop -e 1 -d 1e-6 -T 9 -k 1
	[[ $stderr = *'--bucket is required, or --once'* ]]
	fails 2 dptop -e 1 --once
	[[ $stderr = *'--delta is required'* ]]
	fails 2 dptop -e 1 -d 1e-6 -T 9 --bucket=1h --live -k 1 -w 10
	[[ $stderr = *'longer than the horizon'* ]]
	fails 2 dptop -e 1/50 -d 1e-6 --bucket=1h --live -k 1 -w 24
	[[ $stderr = *'no known threshold'* ]]
	fails 2 dptop -e 1 -d 1e-6 --bucket=1h --live -k 1 -w 24 --hold=.5
	[[ $stderr = *'held anew'* ]]
	fails 2 dptop -e 1 -d 1e-6 --once -w 1 --running
	fails 2 dptop -e 1 -d 1e-6 --once --top=0
	fails 2 dptop -e 1 -d 1e-6 --once --top=3+
	[[ $stderr = *"'3+' is refused: the events of names that are not printed"*'dpcount'* ]]
	fails 2 dptop -e 1 -d 1e-6 --once -k 1 --keys=a --other
	[[ $stderr = *'all others have their own'* ]]
	fails 2 dptop -e 1 -d 1e-6 -T 5000 --bucket=1h --live -k 1 -u 2 -c 20
	[[ $stderr = *'no known threshold'*'-w 1'* ]]
	# up to 4096 steps noise is Gaussian then
	dptop -e 1 -d 1e-6 -T 84 --bucket=1h --live -k 1 -u 2 -c 20 --explain |
	    grep -q '^mechanism *gated-blt'
	# where one share a level has a threshold, and the shares of dpcount have none
	dptop -e 1 -d 1e-6 -T 24 --bucket=1h --live -k 1 -u 2 -c 6 --explain |
	    grep -qE 'tau = 1[89][0-9];'
	fails 2 dptop -e 1 -d 1e-30 -T 84 --bucket=1h --live -k 1
	fails 2 dptop -e 1 -d 1e-6 --bucket=1h --live -k 1 -u 2 -c 7
	[[ $stderr = *'no known threshold'*'some 1/6 or more (with -T 1/9)'*'-T 4096 too)'* ]]
	[ ! -e s ]
}

# states ARG ..: sorted events, and what one run without a state prints of them
states() {
	logs
	sort -n in >sorted
	times=(-t 1 --time-format=epoch --bucket=1h --public-times -k 2)
	dptop -q -e 6 -d 1e-2 --seed=5 -T 6 "${times[@]}" "$@" sorted >want 2>/dev/null
	[ "$(wc -l <want)" -gt 8 ]
}

@test "steps that nobody knows the number of: noise as of dpcount, taus by step, segments" {
	hours=(-t 1 --time-format=epoch --bucket=1h --public-times)
	dptop -e 1 -d 1e-6 -k 2 "${hours[@]}" --explain=json >named
	jq .rmse.max named >rmse
	dpcount -e 1 -M normtree "${hours[@]}" --explain=json | jq .rmse.max | diff - rmse
	grep -q 'tau = 40 or more' named
	grep -q ': 40 up to step 16, 49 up to step 64, 59 up to step 256, 91 up to step 1280, ' \
	    named
	# tau of hour 101 is 16, in the first 16 it is 11: noise is 1.2, and 4 or more 1 in 1000
	for h in 10 100; do
		yes "$((h * 3600)) few$h" | head -n 12
	done >in
	echo 370000 >>in
	dptop -q -e 4 -d 1e-6 --seed=5 -k 2 "${hours[@]}" in 2>/dev/null >got
	grep -q few10 got
	run -1 grep few100 got
	# 300 hours, of which 256 are a segment: as many events as dpcount has
	awk 'BEGIN { for (h = 0; h < 300; h++) for (i = 0; i < 9; i++)
	    print h * 3600 + i, (h > 255 ? "late" : i == 0 ? "a" : "b") }' >in
	exact "${hours[@]}" -k 2 in >got
	[ "$(tail -n 3 got | cut -f 2,3 | paste -sd ' ')" = $'b\t2048 late\t396 a\t256' ]
	# in runs of 140 hours, and in one
	new=(-e 1 -d 1e-6 --seed=5 "${hours[@]}" -k 2)
	dptop -q "${new[@]}" in 2>/dev/null >want
	awk -F '\t' '{ n[$2]++; last = $3 } END { print (n["b"] > 260), (n["late"] > 20) }' want |
	    grep -x '1 1'
	new+=(--init)
	for h in 0 140 280; do
		tail -n "+$((h * 9 + 1))" in | head -n 1260 | dptop -q "${new[@]}" --state=s - \
		    2>/dev/null
		new=()
	done >got
	# the last bucket is open still
	grep -v '^1970-01-13T11' want | cmp - got
}

@test "steps that nobody knows the number of: the run ends where thresholds do, without names too" {
	hours=(-t 1 --time-format=epoch --bucket=1h --public-times)
	seq 0 360000 $((4401 * 3600)) | sed 's/$/ a/' >in
	run -4 --separate-stderr dptop -q -e 1/6 -d 1e-6 "${hours[@]}" -k 2 in
	[[ $stderr = *'the horizon of 4352 steps is spent'* ]]
	[ -z "$output" ]
	sed -i 's/ a//' in
	run -4 --separate-stderr dptop -q -e 1/6 -d 1e-6 "${hours[@]}" -k 2 in
	[[ $stderr = *'the horizon of 4352 steps is spent'* ]]
}

@test "--state: as in one run, hour after hour, in and between buckets; names are in it in clear" {
	for how in '' '-w 1' '-w 3' '--keys=z,n7' '-w 2 --keys=z,n7' '-u 3 -c 2 -B' '--hold=1/2' \
	    '-u 3 -c 9 --distinct' '-u 3 -c 2 --distinct -M gated-blt --keys=z' \
	    '-u 3 -c 5/step --distinct' \
	    '-w 1 --hold=.5'; do
		rm -f s out
		states $how
		# 900 events: 7 runs, which end within a bucket; the last one is still open
		new=(-e 6 -d 1e-2 --seed=5 -T 6 "${times[@]}" $how --init)
		for ((i = 0; i < 900; i += 130)); do
			tail -n "+$((i + 1))" sorted | head -n 130 |
			    dptop -q "${new[@]}" --state=s - 2>/dev/null
			new=()
		done >got
		head -n "$(wc -l <got)" want | cmp - got
		[ "$(tail -n 1 got | cut -c 12-13)" = 04 ]
		[ "$(stat -c %a s)" = 600 ]
		grep -qa '^begun n\|^name n' s
	done
}

@test "--state: a run that is killed goes on with the same bytes, and none comes twice" {
	states
	mkfifo pipe
	for at in 200 450 700; do
		rm -f s out
		"$DP_BUILD/bin/dptop" -q -e 6 -d 1e-2 --seed=5 -T 6 "${times[@]}" --state=s \
		    --init --out=out --batch=1 - <pipe 2>/dev/null &
		exec 9>pipe
		head -n $at sorted >&9
		# the bucket that is closed by then is committed while input is awaited
		until_true grep -qsa "^step $(((at - 1) / 150))\$" s
		kill -9 $!
		wait $! || :
		exec 9>&-
		dptop -q --state=s --out=out --batch=1 sorted 2>/dev/null
		head -n "$(wc -l <out)" want | cmp - out
		[ "$(tail -n 1 out | cut -c 12-13)" = 04 ]
	done
}

@test "--state: a step without a line is committed as one that has some" {
	# what nobody was told of in a step is never drawn again
	mkfifo pipe
	dptop -q -e 1 -d 1e-9 -T 9 -t 1 --time-format=epoch --bucket=1h --public-times -k 2 \
	    --state=s --init - <pipe >out 2>/dev/null &
	exec 9>pipe
	printf '%s\n' '10 a' '3700 b' '7300 c' >&9
	until_true grep -qsa '^step 2$' s
	[ ! -s out ]
	exec 9>&-
	wait $!
}

@test "--hold: by what --explain says, of all names; declared ones exactly; memory" {
	# 4000 names of 50 events: all but 4000 .8^50 = .06 are held.  G is geometric, N = 5: the
	# mean is 0 to 4.47 / sqrt(4000), the variance 20 to 20 sqrt(8.05 / 4000); 5 standard
	# deviations.  A name of one event: one in 5
	awk 'BEGIN { for (i = 0; i < 200000; i++) print 1 + i % 2 * 3600, "n" i * 7 % 4000
	    for (i = 0; i < 20000; i++) print 2, "one" i }' >in
	hours=(-t 1 --time-format=epoch --bucket=1h --from=1970-01-01 --to=1970-01-01T02:00 -k 2)
	sd=$(dptop -e 1 -d 1e-6 "${hours[@]}" --hold=.2 --explain |
	    sed -nE 's/.* off by ([^ ]*) beside the noise; of names with one event one in 5.*/\1/p')
	[ "$sd" = 4.47 ]
	exact "${hours[@]}" --hold=.2 --keys=n7,none --seed=2 in >got
	awk -F '\t' -v sd="$sd" '$1 !~ /T01/ { one += $2 ~ /one/; next }
	    $2 ~ /^n[0-9]/ && $2 != "n7" { d = $3 - 50; n++; s += d; q += d * d }
	    $2 == "n7" || $2 == "none" { known = known $2 $3 }
	    END { v = q / n / sd^2 - 1; o = one - 4000
		if (known == "none0n750")
			known = "n750none0"
		print (n >= 3997), (s^2 < 25 * 20 * n), (v^2 < 25 * 8.05 / n),
		    (o^2 < 25 * 3200), known }' got |
	    grep -x '1 1 1 1 n750none0'
	# each step by itself: of each name and step anew
	exact "${hours[@]}" --hold=.2 -w 1 --seed=2 in | awk -F '\t' '$1 ~ /T01/ { next }
	    $2 ~ /^one/ { one++ } END { o = one - 4000; print (o^2 < 25 * 3200) }' | grep -x 1
	unsanitized 'it needs more'
	seq 1000000 1399999 >many
	for how in '' --hold=.05; do
		(ulimit -v 27000 && exec dptop -q -e 1 -d 1e-6 --once $how many) >out 2>err &&
		    rc=0 || rc=$?
		echo $rc
	done | paste -sd ' ' | grep -x '1 0'
	fails 2 dptop -e 1 -d 1e-6 --once --hold=.3
	[[ $stderr = *"'.3' must be 1/N"* ]]
	fails 2 dptop -e 1 -d 1e-6 --once --hold=.5 -B
	fails 2 dptop -e 1 -d 1e-6 "${hours[@]}" --hold=.5 --state=s --init in
	[[ $stderr = *'reads its range again'* ]]
}

@test "--hold: with the same coins an event more moves what is counted by one" {
	for seed in {1..8}; do
		for n in 60 61; do
			yes k | head -n $n | exact --once --hold=.1 --seed=$seed | cut -f 2
		done | paste -sd ' '
	done >got
	awk '{ n += NF == 2; bad += $2 - $1 != 1; moved += $1 != 69 }
	    END { print n, bad + 0, (moved > 4) }' got | grep -x '8 0 1'
}

@test "--state: no memory for what is written: nothing is printed, the state is as before" {
	unsanitized 'it needs more'
	printf '%s\n' a a b >in
	dptop -q -e 50 -d 1e-2 -T 3 --once --state=s --init in >got 2>/dev/null
	cp s before
	# 200,000 names take 20 MB, and some 50 while they are written
	seq 1000000 1199999 >many
	(ulimit -v 38000 && exec dptop -q --state=s many) >out 2>err && rc=0 || rc=$?
	[ "$rc" = 1 ]
	grep -q 'out of memory' err
	[ ! -s out ]
	cmp s before
	(ulimit -v 38000 && exec dptop -q -e 50 -d 1e-2 -T 3 --running --once many) >out 2>/dev/null
	dptop -q --state=s many >out
	grep -q "^a	2$" out
}

@test "--state: --once and ranges, a run after another" {
	printf '%s\n' a a a b b >in
	dptop -q -e 50 -d 1e-2 -T 3 --once --state=s --init in >got 2>/dev/null
	dptop -q --state=s in >>got 2>/dev/null
	diff got - <<<"$(printf '%s\t%s\n' a 3 b 2 a 6 b 4)"
	logs
	dptop -q -e 50 -d 1e-2 -T 6 "${hours[@]:0:4}" --from=1970-01-01T00:00:00Z \
	    --to=1970-01-01T03:00:00Z -k 2 --state=r --init in >got 2>/dev/null
	dptop -q --state=r --from=1970-01-01T03:00:00Z --to=1970-01-01T06:00:00Z in >>got \
	    2>/dev/null
	counts 6 0
	[ "$(wc -l <got)" -gt 20 ]
	grep -vxFf want got | run -1 grep .
	fails 4 dptop -q --state=r --from=1970-01-01T06:00:00Z --to=1970-01-01T07:00:00Z in
}

@test "--live: late events in buckets that are still open; every event once; names go" {
	exact -T 60 --bucket=1s --live=3s -t 1 --time-format=epoch -k 2 -w 1 \
	    --state=s --init </dev/null >got || :
	[ ! -e s ]	# of exact answers there is no state
	# each second of six an event, and of another name one of the second before
	for i in {0..5}; do
		t=$(date +%s)
		echo "$t a"
		echo "$((t - 1)) b"
		printf "$t n$i\n%.0s" 1 2 3
		sleep 1
		[ $i -lt 5 ] || sleep 11
	done | dptop -q -e inf -T 60 --bucket=1s --live=8s -t 1 --time-format=epoch -k 2 -w 1 \
	    >got 2>/dev/null
	awk -F '\t' '{ n[$2] += $3; if ($1 < last) bad++; last = $1 }
	    END { for (i = 0; i < 6; i++) own += n["n" i] == 3
	    print n["a"], n["b"], own, bad + 0 }' got | grep -x '6 6 6 0'
}

@test "-w W: the noise of a name is that of dpwindow at this epsilon, no less" {
	local t=(-e 1 -w 7 -t 1 --time-format=epoch --bucket=1h --public-times --explain=json)

	dptop -d 1e-6 -k 2 "${t[@]}" | jq .rmse.max >named
	dpwindow -M normtree "${t[@]}" | jq .rmse.max | diff - named
}

@test "the noise of a name so far is that of dpcount at this epsilon, and of half of delta" {
	local t=(-e 1 -T 84 -t 1 --time-format=epoch --bucket=1h --public-times --explain=json) K

	dptop -d 1e-6 -k 2 "${t[@]}" | jq .rmse.max >named
	dpcount -M normtree "${t[@]}" | jq .rmse.max | diff - named
	# Gaussian: of K names that a user moves by one event each, the root of K times as far off
	dpcount -d 1/2000000 -M blt-norm "${t[@]}" | jq .rmse.max >one
	for K in 1 4 9; do
		dptop -d 1e-6 -k 2 -u 3 -c $K --distinct -M gated-blt "${t[@]}" | jq .rmse.max
	done | awk -v one="$(cat one)" '{ d = $1 / one / NR - 1; bad += d * d > 1e-8 }
	    END { print NR, bad + 0 }' | grep -x '3 0'
}

# of T steps and K events of a user: mechanism, tau, largest error
users() {
	local said

	said=$(dptop -e 1 -d 1e-6 -T "$1" --bucket=1h --live -k 1 -u 2 -c "$2" --explain=json)
	jq -r '.mechanism' <<<"$said"
	dptop -e 1 -d 1e-6 -T "$1" --bucket=1h --live -k 1 -u 2 -c "$2" --explain |
	    sed -n 's/.*tau = \([0-9]*\).*/\1/p'
	jq -r '.rmse.max' <<<"$said"
}

@test "users of many events: where noise is Gaussian, how much wider, and tau, as the page says" {
	local page
	page=$(tr '\n' ' ' <"$BATS_TEST_DIRNAME/../../man/dptop.1")
	[[ $page = *'is below 1/10 for 84 steps, or 1/8 for a thousand'* ]]
	[[ $page = *'1.5 times as wide for 84 steps, 1.3 times for a thousand'* ]]
	{ users 84 10; users 84 11; users 84 20; users 1000 8; users 1000 9; } | paste - - - >rows
	awk '{ print $1, NR < 4 ? $2 : "" }' rows | diff - <(printf '%s\n' 'gated-normtree 454' \
	    'gated-blt 663' 'gated-blt 1222' 'gated-normtree ' 'gated-blt ')
	[[ $page = *'tau is 454 with .Fl c Cm 10 '*'663 with .Fl c Cm 11 and 1222 with'* ]]
	# a norm tree for so many events is as much wider
	awk '{ e[NR] = $3 } END { a = e[2] / e[1] * 10 / 11; b = e[5] / e[4] * 8 / 9
	    exit !(a > 1.45 && a < 1.55 && b > 1.25 && b < 1.35) }' rows
}

@test "steps that nobody knows the number of: tau, errors and the last step, as the page says" {
	local page e at
	page=$(tr '\n' ' ' <"$BATS_TEST_DIRNAME/../../man/dptop.1")
	set -- -d 1e-6 --bucket=1h --live -k 1
	dptop -e 1 "$@" --explain >said
	for at in '40 up to step 16,' '49 up to step 64,' '59 up to step 256,' \
	    '91 up to step 1280,' \
	    '103 up to step 4352,' '157 up to step 69888,' '17895680, the last'; do
		grep -qF "$at" said
	done
	[[ $page = *'40 in the first 16 steps, then 49 up to step 64, 59 up to 256, '* ]]
	[[ $page = *'103 up to 4,352, 157 up to 69,888. '*'ends after 17,895,680 steps'* ]]
	[[ $page = *'after 1,118,464 steps of 1/2, 69,888 of 1/4, 4,352 of 1/6.'* ]]
	for e in 1/2,1118464 1/4,69888 1/6,4352; do
		dptop -e "${e%,*}" "$@" --explain | grep -qF "up to step ${e#*,}, the last"
	done
}

@test "thresholds and errors are what dptop(1) and dputils-formulas(7) say" {
	local page formulas
	page=$(tr '\n' ' ' <"$BATS_TEST_DIRNAME/../../man/dptop.1")
	formulas=$(tr '\n' ' ' <"$BATS_TEST_DIRNAME/../../man/dputils-formulas.7")
	# tau, the largest error
	said() {
		dptop -e 1 -d "${delta:-1e-6}" --live -k 1 --bucket=1h "$@" --explain |
		    sed -nE 's/.*at least tau = ([0-9]+).*/\1/p
			s/^worst +[0-9]+ +([0-9.]+) .*/\1/p' |
		    xargs printf '%s %.1f\n'
	}
	for T in 7 24 84 365 800 1024 8000 8760; do said -T $T; done | cut -d ' ' -f 1 |
	    diff - <(printf '%s\n' 23 30 40 54 65 66 94 95)
	[[ $page = *'is 15 in a step .Pq Fl w Cm 1 ; so far, 23 at most if there are 7 steps, '\
'30 of 24, 40 of 84, 54 of 365: '*': 65 of 800, 94 of 8000.'* ]]
	[[ $formulas = *'tau is 15 for one step, 23 at most of 7, 30 of 24, 40 of 84, 54 of 365, '\
'66 of 1024 and 95 of 8760 steps.'* ]]
	[ "$(said -w 1)" = '15 1.4' ]
	[ "$(said -T 84)" = '40 5.7' ]
	[[ $page = *'off by 5.7 of 84 steps, by 1.4 with .Fl w Cm 1 .'* ]]
	# with 1/E, and 1/D
	dptop -e 1/2 -d 1e-6 --live -k 1 --bucket=1h -T 84 --explain |
	    grep -q 'least tau = 78; '
	for delta in 1e-7 1e-8; do said -T 84; said -w 1; done | cut -d ' ' -f 1 |
	    xargs | grep -x '44 17 48 20'
	delta=1e-6
	[[ $page = *'with 1/D by 4 for each factor 10, or by 2 to 3 with .Fl w Cm 1 .'* ]]
	# windows, however many steps
	for w in 7 24 168; do said -w $w -T 200; said -w $w; done | cut -d ' ' -f 1 | xargs |
	    grep -x '25 25 37 37 61 61'
	[[ $page = *'of 7 steps a name is printed from 25 on, of 24 from 37, of 168 from 61, '* ]]
	# users
	set -- -T 84 -u 2
	for K in 2 5 10; do said "$@" -c $K; done | cut -d ' ' -f 1 | xargs | grep -x '81 222 454'
	[[ $page = *'a seventh more: of 84 steps 81 with .Fl c Cm 2 , 222 with .Fl c Cm 5 .'* ]]
	for K in 5 20; do said "$@" -c $K --distinct; done | cut -d ' ' -f 1 | xargs |
	    grep -x '133 275'
	[[ $page = *'of 84 steps tau is 133 for 222 with .Fl c Cm 5 , and 275 with '* ]]
	# bytes of a name, and of how many GiB
	bytes() {
		dptop -e 1 -d 1e-6 --live -k 1 --bucket=1h "$@" --explain |
		    sed -n 's/.*exactly: some \([0-9]*\) bytes.*/\1/p'
	}
	[ "$(bytes -T 84) $(bytes) $(bytes "$@" -c 5 --distinct)" = '73 145 1297' ]
	[[ $page = *'some 73 bytes a name and its own, of 84 steps, so that 10 million of 25 '\
'bytes each take 1 GiB, and 145 without'* ]]
	[[ $page = *'but a name takes 1.3 KB '* ]]
	[[ $page = *'root of N (N \- 1) more, 4.5 of .Ar P = .2, and a name needs N \- 1 '* ]]
	dptop -e 1 -d 1e-6 -w 1 --hold=.2 --live -k 1 --bucket=1h --explain |
	    grep -q ' 4 events are added, as many as came before .* which is off by 4.47 '
}
