# SPDX-License-Identifier: ISC
# --once: all input of a run is one step, in every tool that takes events.
load ../lib/helper

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR"
	awk 'BEGIN { for (i = 0; i < 500; i++) { x = (x * 69069 + 1) % 4294967296
	    print int(x / 65536) % 10, i % 3 ? "a" : "b", i % 7 } }' >in
}

# of TOOL ARG ...: without noise, of what has come
of() {
	exact_of "$1" --once "${@:2}"
}

@test "one answer of all input, in each tool: what awk computes" {
	[ "$(of dpcount -v 1 -r 0:9 in)" = "$(awk '{ s += $1 } END { print s }' in)" ]
	[ "$(of dpcount -m . in - <<<"$(<in)")" = 1000 ]
	[ "$(of dpcount -m . </dev/null)" = 0 ]
	of dpwindow -w 1 -v 1 -r 0:5 -k 2 --keys=a,b,c -o csv in >got
	awk '{ s[$2] += $1 > 5 ? 5 : $1 } END { print "a,b,c"; print s["a"] "," s["b"] ",0" }' in |
	    diff - got
	[ "$(of dpdecay --half-life=3 --where='2~a' -m . in)" = \
	    "$(grep -c ' a ' in).000000" ]
	[ "$(of dpdistinct -v 1 in)" = 10 ]
	of dpmaxsum --both -v 1 -r 0:9 -k 2 --keys=a,b -n in |
	    diff - <(awk -v OFS='\t' '{ s[$2] += $1 } END { print 1, "a", s["a"] }' in)
	[ "$(of dpmean -v 1 -r 0:9 in)" = "$(awk '{ s += $1 } END { printf "%.6f", s / NR }' in)" ]
	of dpmean -v 1 -r 0:9 -o json in | jq -e '.step == 1 and has("time") == false'
	of dpquantile -v 1 -r 0:9 --bins=10 --quantile=.1,.5,.9 in |
	    diff - <(cut -d ' ' -f 1 in | sort -n | sed -n '50p;250p;450p' | paste -s)
	of dpquantile -v 1 -r 0:9 -o json in | jq -e '.step == 1 and has("time") == false'
	of dptop -k 2 in | diff - <(awk '{ n[$2]++ } END { for (k in n) print k "\t" n[k] }' in |
	    sort -k 2,2nr -k 1,1)
	# users: two events of each
	[ "$(of dpcount -m . -u 3 -c 2 in)" = 14 ]
	[ "$(of dpcount -m . -u 3 -c 2/step in)" = 14 ]
	# exact counts of two shards
	head -n 200 in >one
	tail -n +201 in >two
	for f in one two; do
		dpmap --once -m . -k 2 --keys=a,b $f >$f.part 2>/dev/null
	done
	of dpcount --partial --keys=a,b -o csv one.part two.part >got
	awk '{ n[$2]++ } END { print "a,b"; print n["a"] "," n["b"] }' in | diff - got
}

@test "a count is the plain geometric mechanism: error and guarantee as of one number" {
	dpcount -e 1 --once -m . --explain >said
	grep -F 'Expect the count to be off by about 1.36, and by no more than 3 with prob' said
	grep -F 'one event more than the other, or one event'"'"'s value differs.' said
	# 1 / (2 sinh^2(1/2)) = 1.841: 100 runs, twice that, 5 sd (kurtosis 6), and half
	for ((i = 1; i <= 100; i++)); do
		dpcount -e 1 --once -m . --seed=$i -q <in
	done | awk '{ s += ($1 - 500) ^ 2 } END { v = s / NR; print v
	    exit !(NR == 100 && v > .92 && v < 3.9) }'
	# and of 800 keys: within 40 %, 5 sd
	seq 800 >many
	dpcount -e 1 --once -k 1 --keys=@many -o csv --seed=1 -q /dev/null | tail -n 1 |
	    tr , '\n' | awk '{ s += $1 ^ 2 } END { v = s / NR; print v
	    exit !(NR == 800 && v > 1.1 && v < 2.6) }'
	# more runs have more noise, and it is said of all of them
	dpcount -e 1 --once -T 5 -m . --explain | grep -F 'in all runs at once with probability'
}

@test "--state: a run is a step, -T of them; a batch given again is counted once" {
	set -- -e 1 --seed 3 -T 4 --once -m . -n -B
	for i in 1 2 3 4; do
		head -n $((i * 10)) in | dpcount "$@" --state=s $([ -e s ] || echo --init)
	done >got 2>/dev/null
	cut -f 1 got | diff <(seq 4) -
	awk '{ s += NR * 10; if ($3 > s || $4 < s) exit 1 }' got
	fails 4 dpcount --state=s in
	dpcount --state=s --state-show | grep -x 'step 4'
	dpcount --state=s --state-show | grep -x 'last-bucket -'
	# what was killed before it was committed is no step
	rm -f s s.*
	head -n 10 in | dpcount "$@" --state=s --init --batch=1 >first 2>/dev/null
	(head -n 5 in; kill -TERM $BASHPID) | dpcount --state=s --batch=1 >again 2>/dev/null
	cmp first again
	head -n 20 in | dpcount --state=s --batch=2 >got 2>/dev/null
	[ "$(cut -f 1 got)" = 2 ]
	dpcount --state=s --batch=2 in 2>/dev/null | cmp - got
	mkfifo pipe
	"$DP_BUILD/bin/dpcount" --state=s --batch=3 <pipe >got 2>/dev/null &
	exec 9>pipe
	head -n 30 in >&9
	kill -TERM $!
	wait $! || :
	exec 9>&-
	[ ! -s got ]
	head -n 30 in | dpcount --state=s --batch=3 >got 2>/dev/null
	[ "$(cut -f 1 got)" = 3 ]
	# what was owed is printed, and the input is the next step all the same
	rm -f s s.*
	dpcount "$@" --state=s --init in >/dev/full 2>&1 && false
	head -n 20 in | dpcount --state=s >got 2>/dev/null
	[ "$(cut -f 1 got | paste -sd ' ')" = '1 2' ]
	# its steps are runs, and stay so
	head -n 3 in >one
	fails 2 dpcount --state=s --from=2026-01-01 --to=2026-01-02 in
	rm -f s s.*
	dpcount -e 1 -T 4 -m . --state=s --init <one >/dev/null
	fails 5 dpcount --state=s --once in
}

# rejects TEXT COMMAND: status 2, nothing printed, and that said
rejects() {
	run -2 --separate-stderr "${@:2}"
	[[ $output = "" && $stderr = *"$1"* ]] || { echo "$stderr"; false; }
}

@test "what does not go with it is refused, with the reason" {
	for option in '-t 1' --time-format=iso --tz=Europe/Berlin --bucket=1d; do
		rejects 'leave out --time' dpcount -e 1 --once $option in
	done
	rejects 'only one of --from/--to, --once' dpcount -e 1 --once --live in
	rejects 'only one of --from/--to, --once' dpcount -e 1 --once --public-times in
	rejects 'leave out --time' dpcount -e 1 --once --from=2026-01-01 --to=2026-01-02 in
	rejects '--gap needs' dpcount -e 1 --once --gap=3 in
	rejects 'exact sums would be held' dpcount -e 1 --once -P in
	rejects 'a number of runs' dpwindow -e 1 --once -w 7d in
	rejects 'a number of runs' dpdecay -e 1 --once --half-life=7d in
	for tool in 'dpexperts --columns=2' 'dptransform --sensitivity=1' 'dplocal --domain=a,b'; do
		rejects 'a line is a step of it' $tool -e 1 --once in
	done
	rejects 'all input is one step of it as it is' dpproject -e 1 --once in
}

@test "-c K/step of the only step: a user is protected, for the ledger too" {
	dpbudget --init --total=10 led
	dpcount -e 1 --once -m . -u 3 -c 2/step --explain | grep -F 'the events of one user'
	dpcount -e 1 --once -m . -u 3 -c 2/step --budget=led in >out
	dpcount -e 1 --once -m . -u 3 -c 2 --budget=led in >out
	# steps of a second are no runs
	fails 5 dpcount -e 1 --bucket=1s --from=2026-01-01 --to=2026-01-02 -t 1 \
	    --time-format=epoch -m . -u 3 -c 2/step --budget=led in
	fails 2 dpcount -e 1 --once -m . -u 3 -c 2/step --state=S --init -T 5 --budget=led in
	[[ $stderr$output = *'protects a user in that run alone'* ]]
	dpcount -e 1 --once -m . -u 3 -c 2/step --state=S --init -T 5 in >out
}
