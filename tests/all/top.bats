#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# --top=K: the keys with the largest estimates, a row each; which of them are certain.
load ../lib/helper

# some 200 lines of five keys, a the most
keys() {
	awk 'BEGIN { for (i = 0; i < 200; i++) { x = (i * 7919) % 100
	    print (x < 36 ? "a" : x < 60 ? "b" : x < 80 ? "c" : x < 95 ? "d" : "e") } }'
}

# sorted K FILE: of a table of steps and columns a..e the K largest as rows "STEP KEY VALUE"; of
# equals the first
sorted() {
	awk -v K="$1" '{ delete done
	    for (k = 1; k <= K; k++) {
	        best = 0
	        for (i = 2; i <= NF; i++)
	            if (!(i in done) && (!best || $i + 0 > $best + 0)) best = i
	        done[best] = 1
	        print $1 "\t" substr("abcde", best - 1, 1) "\t" $best } }' "$2"
}

@test "without noise: the keys that awk finds, in counts, windows and decays" {
	keys >in
	for tool in dpcount 'dpwindow -w 9' 'dpdecay --half-life=4'; do
		for k in 1 3 5 9; do
			$tool -q -e inf -n -k 1 --keys=a,b,c,d,e in >table
			$tool -q -e inf -n -k 1 --keys=a,b,c,d,e --top=$k in >rows
			sorted $((k < 5 ? k : 5)) table | diff - rows
		done
	done
}

@test "with noise: rows of the estimates that are printed without it, in every form" {
	keys >in
	set -- dpcount -q -e 1 --seed=5 -T 200 -n -k 1 --keys=a,b,c,d,e
	"$@" in >table
	"$@" --top=2 in >rows
	sorted 2 table | diff - rows
	"$@" --top=2 -o tsv in | tail -n +2 | diff - rows
	"$@" --top=2 -o csv in | tail -n +2 | tr , '\t' | diff - rows
	"$@" --top=2 -o csv in | head -n 1 | diff - <(echo step,key,estimate)
	"$@" --top=2 -o json in | jq -r '[.step, .key, .estimate] | @tsv' | diff - rows
	"$@" --top=2 -B -o csv in | head -n 1 | diff - <(echo step,key,estimate,lo,hi,certain)
	"$@" --top=2 -B -o csv in | tail -n +2 | cut -d , -f 1-3 | tr , '\t' | diff - rows
	"$@" --top=2 -B -o json in | jq -r '[.step, .key, .estimate, .lo, .hi, .certain] | @csv' |
	    tr -d '"' | diff - <("$@" --top=2 -B -o csv in | tail -n +2)
	# what is printed is what is sorted
	"$@" --monotone --nonnegative in >table
	"$@" --monotone --nonnegative --top=4 in >rows
	sorted 4 table | diff - rows
	# names with marks of the form
	printf 'x,"1"\nx,"1"\ny\n' >odd
	dpcount -q -e inf -n -F ';' -k 1 --keys=@<(printf 'x,"1"\ny\n') --top=1 -o csv odd |
	    tail -n 1 | grep -x '3,"x,""1""",2'
}

@test "buckets: a row for each time and key, at once" {
	awk '{ print 86400 * (NR % 5), $1 }' <(keys) | sort -n >in
	dpwindow -q -e inf -w 1 -k 2 --keys=a,b,c --top=1 -t 1 --time-format=epoch --bucket=1d \
	    --from=1970-01-01 --to=1970-01-06 in >rows
	[ "$(wc -l <rows)" -eq 5 ]
	awk '{ n[$1, $2]++ } END { for (d = 0; d < 5; d++) { k = "a"
	    if (n[d * 86400, "b"] > n[d * 86400, k]) k = "b"
	    if (n[d * 86400, "c"] > n[d * 86400, k]) k = "c"
	    printf "1970-01-%02dT00:00:00Z\t%s\t%d\n", d + 1, k, n[d * 86400, k] } }' in |
	    diff - rows
}

# 500 steps, each by itself, the key of 41 events beside one of 40, and far ones: "b is one of the
# largest 1" is false; it may be said in 5 % of steps, so in more than 52 once in 10^6 times.  That
# of 400 is said to be certain nearly always, as intervals of a half-width of 6 are far apart.
@test "certain: false as seldom as it says, and not for nothing" {
	awk 'BEGIN { for (t = 0; t < 500; t++) {
	    for (i = 0; i < 41; i++) { print "a", t; if (i) print "b", t } print "c", t } }' >near
	awk 'BEGIN { for (t = 0; t < 50; t++) for (i = 0; i < 440; i++)
	    print i < 400 ? "a" : "b", t }' >far
	set -- -q -e 1 --seed=1 -w 1 -k 1 --keys=a,b,c --top=1 -B -t 2 --time-format=epoch \
	    --bucket=1s --from=1970-01-01
	dpwindow "$@" --to=1970-01-01T00:08:20 near >out
	[ "$(wc -l <out)" -eq 500 ]
	# as one answer of all has it
	dpwindow "$@" --to=1970-01-01T00:08:20 --explain | grep 'by no more than' >said
	dpcount -e 1 --once -k 1 --keys=a,b,c --top=1 -B --explain |
	    grep -F "$(sed 's/.*about/about/; s/,.*//' said)"
	awk -F '\t' '$2 == "b" && $6 == 1 { n++ } END { exit n > 52 }' out
	dpwindow "$@" --to=1970-01-01T00:00:50 far |
	    awk -F '\t' '$2 == "a" && $6 == 1 { n++ } END { exit n < 50 }'
	# all keys are among as many
	head -n 82 near >one
	dpcount -q -e 1 --seed=1 --once -k 1 --keys=a,b,c --top=3 -B one |
	    awk '$5 != 1 { bad = 1 } END { exit bad || NR != 3 }'
}

# By the estimates themselves: intervals of 1 - .05 / keys, found by -B of that confidence.
@test "certain: the key whose interval is above those of all but K - 1 others" {
	keys >in
	set -- dpcount -q -e 3 --seed=9 -T 200 -n -k 1 --keys=a,b,c,d,e
	"$@" -B.99 in >wide
	"$@" --top=2 -B in | awk -v K=2 '
	    FILENAME == "wide" { for (i = 0; i < 5; i++) { est[$1, i] = $(2 + 3 * i)
	        half[$1] = $4 - $2 }; next }
	    { k = index("abcde", $2) - 1; n = 0
	      for (i = 0; i < 5; i++) n += i != k && est[$1, i] >= est[$1, k] - 2 * half[$1]
	      if ((n < K) != $6) { print; bad = 1 }
	      yes += $6; no += !$6 }
	    END { exit bad || yes < 20 || no < 20 }' wide -
}

@test "a state goes on, with its K or, by --change, another" {
	keys >in
	set -- -q -e 1 --seed=5 -T 200 -n -k 1 --keys=a,b,c,d,e
	dpcount "$@" --top=2 in >want
	dpcount "$@" --top=2 --state=s --init <(head -n 90 in) >got
	dpcount -q --state=s <(sed -n '91,150p' in) >>got
	run --separate-stderr dpcount -q --state=s --top=3 <(tail -n 50 in)
	[ "$status" -eq 5 ]
	[[ $stderr == *"--top differs from the state file's, which is '2'"* ]]
	dpcount -q --state=s --top=2 <(tail -n 50 in) >>got
	diff want got
	dpcount "$@" --top=2 --state=t --init <(head -n 90 in) >got
	dpcount -q --state=t --change --top=1 <(tail -n +91 in) >>got
	awk '$1 <= 90 || last != $1 { print } { last = $1 }' want | diff - got
}

@test "refused without keys, and where a key has several estimates" {
	fails 2 dpcount -e 1 -T 9 --top=2 /dev/null
	[[ $stderr == *'--top needs declared keys'* ]]
	fails 2 dpwindow -e 1 -T 9 -w 2,3 -k 1 --keys=a,b --top=1 /dev/null
	[[ $stderr == *'--top: refused where a key has several estimates'* ]]
	fails 2 dpcount -e 1 -T 9 -v 2 -r auto -k 1 --keys=a,b --top=1 /dev/null
	[[ $stderr == *'--top: refused where a key has several estimates'* ]]
	for bad in 0 -1 x 1.5 ''; do
		fails 2 dpcount -e 1 -T 9 -k 1 --keys=a,b --top="$bad" /dev/null
		[[ $stderr == *"--top: '$bad' must be a whole number"* ]]
	done
	fails 2 dpmaxsum -e 1 --columns=2 --top=1 /dev/null
}

@test "--explain says what is printed, and what certain means" {
	set -- dpcount -e 1 -T 200 -k 1 --keys=a,b,c,d,e --top=2
	"$@" --explain | grep -F 'the 2 largest of 5 keys are printed, which costs nothing'
	"$@" -B.9 --explain |
	    grep -F 'certain are all among the 2 largest of 5, at any one step with probability 0.9'
	"$@" -B --explain=json | jq -r '.output.columns[] | .name + " " + .kind' |
	    diff - <(printf '%s\n' 'key name' 'estimate estimate' 'lo lo' 'hi hi' 'certain other')
	# a chart leaves it out
	keys >in
	dpplot --to=a.svg --run dpcount -q -e 1 --seed=5 --once -k 1 --keys=a,b,c,d,e --top=3 -B in
	grep -F '>c<' a.svg
	run ! grep -F certain a.svg
}

# Of 3000 days with no event in 20 keys: the 10 of most noise are taken from the sum, which is what
# shifts it most.  An interval of 9 in 10 misses 300, and more than 378 with probability 1e-6.
@test "--top=K+: all other keys as one, in every form; an interval that holds whichever they are" {
	keys >in
	exact=(dpcount -q -e inf --once -k 1 --keys=a,b,c,d,e)
	"${exact[@]}" --top=2+ in >got
	"${exact[@]}" --top=5 in >all
	awk 'NR > 2 { s += $2 } NR <= 2 { print $1, $2 } END { print "+", s }' all |
	    diff - <(tr '\t' ' ' <got)
	[ "$("${exact[@]}" --top=5+ in | wc -l)" -eq 5 ]
	"${exact[@]}" --top=1+ -o long in | grep -q '^1,+,count,[0-9]*,,$'
	"${exact[@]}" --top=1+ -B -o json in | grep -q '"key":"+".*"lo":.*"certain":0}$'
	"${exact[@]}" --top=1+ --round=1000000 in | grep -qP '^\+\t0$'
	"${exact[@]}" --top=1+ --suppress=1000000 in | grep -qP '^\+\t<1000000$'
	w=(dpwindow -q --seed=9 -w 1 -k 2 -t 1 --time-format=epoch --bucket=1d --from=1970-01-01)
	"${w[@]}" -e .7 --keys="$(seq -s, 20)" --to=1978-03-20 --top=10+ -B.9 </dev/null \
	    2>/dev/null | awk '$2 == "+" { n++; miss += $4 > 0 || $5 < 0; least += $3 < 0 }
	    END { if (n != 3000 || miss > 378 || least < 2000) { print n, miss, least; exit 1 } }'
	"${w[@]}" -e .7 --keys=a,b,c --to=1971-01-01 --top=1+ -B --nonnegative </dev/null \
	    2>/dev/null | awk '$2 == "+" && ($3 < 0 || $4 < 0) { exit 1 }'
	run -2 dpcount -e 1 --once -k 1 --keys=a,+ --top=1+
	[[ $output = *"the key '+' has the name of all others"* ]]
	run -2 dpcount -e 1 --once -k 1 --keys=a --top=+
	run -2 dptop -e 1 -d 1e-6 --once --top=2+
}
