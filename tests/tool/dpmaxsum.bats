#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# dpmaxsum: exact answers against awk, what a line is, what it may move, what is printed, adaptive
# input, state, and what --explain says.

load ../lib/helper

exactly() {
	dpmaxsum -e inf "$@" 2>/dev/null
}

# rows N D: N lines of D numbers 0 and 1
rows() {
	bits $(($1 * $2)) | paste -d ' ' $(yes - | head -n "$2")
}

# leaders: place and sum of the largest column so far, the first of equal ones
leaders() {
	awk '{ m = 1
	    for (i = 1; i <= NF; i++)
		if ((s[i] += $i) > s[m] || (s[i] == s[m] && i < m)) m = i
	    print m "\t" s[m] }' "$@"
}

explain() {
	dpmaxsum --explain=json "$@"
}

@test "exact: values, choices and both against awk, for every mechanism" {
	rows 300 7 >in
	leaders in >both
	for m in $(explain -e 1 -d 1e-6 -T 300 --columns=7 | jq -r '.eligible[].mechanism'); do
		[ $m != recompute ] && [ $m != trivial ] && [ $m != lazy ] || continue
		p=
		[[ $m != pan* ]] || p=-P
		exactly -d 1e-6 -T 300 --columns=7 -M $m $p --both in | diff both - ||
		    { echo $m; false; }
		exactly -d 1e-6 -T 300 --columns=7 -M $m $p --select in | diff <(cut -f 1 both) -
		exactly -d 1e-6 -T 300 --columns=7 -M $m $p in | diff <(cut -f 2 both) -
	done
}

# recent WHICH: as leaders(), of the last 9 lines, or a line d back times .75^d
recent() {
	awk -v w="$1" '{ m = 1
	    for (i = 1; i <= NF; i++) {
		x[NR, i] = $i
		s[i] = (w == "window" ? s[i] : .75 * s[i]) + $i
		if (w == "window" && NR > 9) s[i] -= x[NR - 9, i]
	    }
	    for (i = 2; i <= NF; i++) if (s[i] > s[m] + 1e-9) m = i
	    printf w == "window" ? "%d\t%d\n" : "%d\t%.6f\n", m, s[m] }' in
}

@test "exact: the leader of a window and with decay against awk, for every mechanism" {
	rows 300 7 >in
	recent window >window
	recent decay >decay
	alpha=-a.75
	for w in window decay; do
		o=-w9
		[ $w = window ] || o=$alpha
		for m in $(explain -e 1 -d 1e-6 -T 300 $o --columns=7 |
		    jq -r '.eligible[].mechanism'); do
			exactly -d 1e-6 -T 300 --columns=7 -M $m $o --both in | diff $w - ||
			    { echo $w $m; false; }
			exactly -d 1e-6 -T 300 --columns=7 -M $m $o in | diff <(cut -f 2 $w) -
			exactly -d 1e-6 -T 300 --columns=7 -M $m $o --select in |
			    diff <(cut -f 1 $w) -
		done
	done
	exactly -T 300 -P $alpha --columns=7 --both in | diff decay -
	exactly -w9 -P -T 300 --columns=7 --both in | diff window -
	exactly --half-life=2 --columns=1 <(yes 1 | head -n 3) |
	    diff <(printf '%s\n' 1.000000 1.707107 2.207107) -
}

@test "buckets, durations and users: leaders of the last days" {
	integers 400 | awk '{ print int(NR / 20) * 86400, "k" $1 % 4, "u" $1 % 50, $1 % 3 }' >in
	set -- --both -k 2 --keys=k0,k1,k2,k3 -t 1 --time-format=epoch --bucket=1d --from=0 \
	    --to=1814400 in
	awk '{ d = $1 / 86400; n[d, $2]++ } END { for (d = 0; d < 21; d++) { m = "k0"
	    for (i = 0; i < 4; i++) { k = "k" i; s[k] = 0
		for (j = d - 2; j <= d; j++) s[k] += n[j, k]
		if (s[k] > s[m]) m = k }
	    print m "\t" s[m] } }' in >want
	exactly -w 3d "$@" | cut -f 2,3 | diff want -
	exactly -w 3 "$@" | cut -f 2,3 | diff want -
	# a user's events of one day: the first of each counts
	awk '!(($1, $3) in seen) { seen[$1, $3]; print }' in >first
	exactly -w 3d "$@" | wc -l | grep -qx 21
	exactly -w 3d -u 3 -c 1/step "$@" |
	    diff - <(exactly -w 3d "${@:1:$# - 1}" first)
	# what they may move is what dpwindow's keys may
	[ "$(explain -e 1 -w 3d -u 3 -c 2/step "${@:1:$# - 1}" | jq .sensitivity)" = 2 ]
	# users whose events are apart: those that dpwindow counts; keys that are none, zeros
	awk '{ print $1, "k" NR % 5, $3, $4 }' in >mixed
	for c in 2/3 3/9 4; do
		set -- -w 3d -d 1e-6 -k 2 -v 4 -r 0:2 --keys=k0,k1,k2,k3 -u 3 -c $c -t 1 \
		    --time-format=epoch --bucket=1d --from=0 --to=1814400 mixed
		dpwindow -e inf "$@" 2>/dev/null | awk '{ m = 2; for (i = 3; i <= NF; i++)
		    if ($i > $m) m = i
		    print "k" m - 2 "\t" $m }' >want
		exactly --both "$@" | cut -f 2,3 | diff want -
	done
	[ "$(explain -e 1 -T 365 -d 1e-6 -w 7 -k 1 --keys=a,b -u 2 -c 12/30 |
	    jq -r .mechanism)" = banded ]
	explain -e 1 -T 365 -d 1e-6 --select -k 1 --keys=a,b,c,d,e,f,g -u 2 -c 52/7 --bucket=1d \
	    --live | jq -e 'def loss(m): .eligible[] | select(.mechanism == m).loss_max;
	    .mechanism == "banded" and loss("banded") < 1200 and loss("blt") > 1650'
	fails 2 dpmaxsum -e 1 -T 9 --columns=2 -u 3 -c 3/2 /dev/null
	set -- --both -k 2 --keys=k0,k1,k2,k3 -t 1 --time-format=epoch --bucket=1d --from=0 \
	    --to=1814400 in
	# a table of totals
	[ "$(exactly -w 3d --unit=1 -v 4 "${@:1:$# - 1}" in | wc -l)" -eq 21 ]
}

@test "--margin: a leader stays until another leads by more, exactly" {
	rows 400 5 >in
	awk '{ m = 1
	    for (i = 1; i <= NF; i++)
		if ((s[i] += $i) > s[m] || (s[i] == s[m] && i < m)) m = i
	    if (!l || s[m] > s[l] + 3) l = m
	    print l "\t" s[m] }' in >want
	exactly --columns=5 --both --margin=3 in | diff want -
	exactly --columns=5 --select --margin=3 in | diff <(cut -f 1 want) -
	exactly --columns=5 --select --margin=10/3 in | diff <(cut -f 1 want) -
	exactly --columns=5 --both --margin=0 in | diff <(leaders in) -
	exactly --columns=5 --both in | diff <(leaders in) -
	# in units of values: hundredths
	sed 's/1/0.01/g' in | exactly -r 0.00:1.00 --columns=5 --select --margin=.03 |
	    diff <(cut -f 1 want) -
	# with decay the margin has more decimals than values
	exactly -a .5 --columns=2 --select --margin=.4 <(printf '1 0\n0 1\n0 0\n1 0\n') |
	    diff <(printf '%s\n' 1 2 2 1) -
	exactly -a .5 --columns=2 --select --margin=.8 <(printf '1 0\n0 1\n0 0\n1 0\n') |
	    diff <(printf '%s\n' 1 1 1 1) -
	# noise is that of no margin, and so are sums; leaders change less often
	set -- -T 400 --columns=5 --ones=5 -M normtree --both
	dpmaxsum -e 1 "$@" --seed=3 in 2>/dev/null >kept
	dpmaxsum -e 1 "$@" --seed=3 --margin=0 in 2>/dev/null >anew
	diff <(cut -f 2 kept) <(cut -f 2 anew)
	[ $(($(cut -f 1 kept | uniq | wc -l) * 4)) -lt "$(cut -f 1 anew | uniq | wc -l)" ]
	# the number that --explain says is the margin
	h=$(explain -e 1 "$@" | jq -r '.notes[] |
	    capture("is more than (?<h>[0-9.]+) larger .--margin").h')
	dpmaxsum -e 1 "$@" --seed=3 --margin="$h" in 2>/dev/null | diff kept -
	explain -e 1 "$@" --margin=0 | jq -e '.notes | all(test("--margin") | not)'
	# what may be lost grows by it, what is compared does not
	explain -e 1 "$@" --margin=0 >anew
	explain -e 1 "$@" --margin=8 | jq -e --slurpfile a anew '
	    def own: .eligible[] | select(.mechanism == "normtree");
	    own == ($a[0] | own) and
	    .loss_quantile.max == $a[0].loss_quantile.max + 8 and
	    (.loss_quantile.mean - $a[0].loss_quantile.mean - 8 | fabs) < 1e-6'
	dpmaxsum -e 1 "$@" --margin=8 --explain | sed -n 1p |
	    grep -qF " $(($(jq .loss_quantile.max anew) + 8)) behind the leader"
	dpmaxsum -e 1 "$@" --margin=0 --within=60 --explain=json | jq .epsilon >e0
	dpmaxsum -e 1 "$@" --margin=8 --within=68 --explain=json | jq .epsilon | diff e0 -
}

@test "usage: margins, windows and decays that cannot be" {
	for m in x -1 1/0 '' 1e30; do
		fails 2 dpmaxsum -e 1 --columns=2 --select --margin="$m" /dev/null
		[[ $stderr == *"--margin: '$m' must be 0, or a decimal or ratio below"* ]]
	done
	fails 2 dpmaxsum -e 1 --columns=2 --margin=3 /dev/null
	[[ $stderr == *'--margin needs --select or --both'* ]]
	dpmaxsum -e 1 --columns=2 --margin=0 /dev/null
	fails 2 dpmaxsum -e 1 -T 9 --columns=2 --select --margin=3 -M recompute /dev/null
	[[ $stderr == *'recompute holds what it has found: --margin is for the others'* ]]
	fails 2 dpmaxsum -e 1 --columns=2 -w 3 -a .5 /dev/null
	[[ $stderr == *'only one can say which steps are meant'* ]]
	fails 2 dpmaxsum -e 1 --columns=2 -w 3,4 /dev/null
	[[ $stderr == *"--window: '3,4': one window, a run"* ]]
	fails 2 dpmaxsum -e 1 --columns=2 -w 3 --ceiling=9 /dev/null
	[[ $stderr == *'--ceiling: for sums of all steps'* ]]
	for option in nonnegative monotone; do
		fails 2 dpmaxsum -e 1 -T 9 --columns=2 --select --$option /dev/null
		[[ $stderr == *"--$option: refused with --select: a column is no estimate"* ]]
		dpmaxsum -e 1 -T 9 --columns=2 --both --$option /dev/null
	done
	fails 2 dpmaxsum -e 1 --columns=2 -a 1 /dev/null
	fails 2 dpmaxsum -e 1 --columns=2 -w 1d /dev/null
	fails 2 dpmaxsum -e 1 -T 9 --columns=2 -w 10 /dev/null
	fails 2 dpmaxsum -e 1 -T 9 --columns=2 -w 3 -M recompute /dev/null
}

@test "state: windows, decays and kept leaders in pieces as in one run" {
	rows 60 4 >in
	for o in '' '-w 9' '-a .9' '--half-life=5 -d 1e-6 -M blt' '-w 7 -M input' \
	    '-d 1e-6 -w 9 -M blt' '-M normtree' '-M normtree --margin=4'; do
		rm -f S S.*
		set -- -e 1 -T 60 --columns=4 --both --seed=6 $o
		dpmaxsum "$@" in 2>/dev/null >want
		: | dpmaxsum "$@" --state=S --init 2>/dev/null >got
		last=0
		for i in 1 2 9 10 25 40 60; do
			sed -n "$((last + 1)),${i}p" in | dpmaxsum --state=S 2>/dev/null >>got
			last=$i
		done
		diff want got || { echo "$o"; false; }
		fails 5 dpmaxsum --state=S --margin=5 </dev/null
		fails 5 dpmaxsum --state=S -w 3 </dev/null
	done
}

@test "the leader of a window has no more noise than each key's sum of dpwindow" {
	set -- -e 1 -T 500 -k 1 --keys=a,b,c,d --explain=json
	for o in -w20 -w20\ -P '-w20 -d 1e-6 -u 2 -c 9/12'; do
		dpwindow $o "$@" >a
		dpmaxsum $o "$@" >b
		jq -e --slurpfile a a '.mechanism == $a[0].mechanism and
		    .noise == $a[0].noise and .sensitivity == $a[0].sensitivity' b
	done
}

@test "no information: a window that is shorter than the noise" {
	run -0 --separate-stderr dpmaxsum -e 1 -T 2000 --columns=20 --ones=1 --select -w 50 \
	    </dev/null
	[[ $stderr == *'NO INFORMATION: an answer that never looks'* ]]
	run -0 --separate-stderr dpmaxsum -e 1 -T 2000 --columns=20 --ones=1 --select -w 500 \
	    </dev/null
	[[ $stderr != *'NO INFORMATION'* ]]
	run -0 --separate-stderr dpmaxsum -e 1 -T 2000 --columns=2 --half-life=20 </dev/null
	[[ $stderr == *'NO INFORMATION: an answer that never looks'* ]]
	# in a bucket there may be any number of events
	explain -e 1 -T 2000 -k 1 --keys=a,b --select -w 5 --bucket=1h --live |
	    jq -e '.notes | all(test("NO INFO") | not)'
}

@test "exact: numbers, pairs, CSV, tabs, decimals and signs are the same line" {
	integers 200 | awk '{ print $1 % 7 - 2, $1 % 5, int($1 / 9) % 7 - 2 }' >in
	leaders in >both
	exactly -r -2:9 --columns=3 --both in | diff both -
	awk '{ print "3:" $3 "\t2:" $2 "  1:" $1 }' in | exactly -r -2:9 --columns=3 --both |
	    diff both -
	tr ' ' , <in | exactly -r -2:9 --columns=3 --both --csv | diff both -
	tr ' ' '\t' <in | exactly -r -2:9 --columns=3 --both --tsv | diff both -
	tr ' ' ';' <in | exactly -r -2:9 --columns=3 --both -F ';' | diff both -
	awk '{ print $1 ".0", $2 ".00", $3 }' in | exactly -r -2.0:9.0 --columns=3 --select |
	    diff <(cut -f 1 both) -
	# single digits have a way of their own: whoever is not one does not change the others
	awk '{ print $2, $2 + 3, 4 }' in >digits
	exactly -r 0:9 --columns=3 --both digits >one
	sed 's/ / 0/' digits | exactly -r 0:9 --columns=3 --both | diff one -
	sed 's/ /  /g; s/$/ /' digits | exactly -r 0:9 --columns=3 --both | diff one -
	sed 's/$/\r/' digits | exactly -r 0:9 --columns=3 --both | diff one -
	# clamped: 4 counts 2, 0 counts 1
	printf '4 0 1\n' | exactly -r 1:2 --columns=3 --both | diff <(printf '1\t2\n') -
	printf '4 0 1\n0 0 0\n' | exactly -r -5:-1 --columns=3 --both |
	    diff <(printf '1\t-1\n1\t-2\n') -
}

@test "exact: a histogram of declared keys, with values, matches and buckets" {
	integers 500 | awk '{ print int(NR / 50) * 3600, "k" $1 % 5, $1 % 4 }' >in
	awk '{ s[$2]++; m = "k1"; split("k1 k2 k3", k, " ")
	    for (i = 1; i <= 3; i++) if (s[k[i]] > s[m]) m = k[i]
	    print m "\t" s[m] + 0 }' in >want
	exactly --both -k 2 --keys=k1,k2,k3 in | diff want -
	awk '{ s[$2] += $3; m = "k1"; split("k1 k2 k3", k, " ")
	    for (i = 1; i <= 3; i++) if (s[k[i]] > s[m]) m = k[i]
	    print m "\t" s[m] + 0 }' in >want
	exactly --both -k 2 -v 3 -r 0:9 --keys=k1,k2,k3 in | diff want -
	awk '{ s[$2] += $3 == 2; m = "k1"; split("k1 k2 k3", k, " ")
	    for (i = 1; i <= 3; i++) if (s[k[i]] > s[m]) m = k[i]
	    print m "\t" s[m] + 0 }' in >want
	exactly --both -k 2 -m ' 2$' --keys=k1,k2,k3 in | diff want -
	exactly --both -k 2 --keys=k1,k2,k3 in | awk 'NR % 50 == 49 { print; next } { last = $0 }
	    END { print last }' >want
	exactly --both -k 2 --keys=k1,k2,k3 -t 1 --time-format=epoch --bucket=1h --from=0 \
	    --to=39600 in | cut -f 2,3 |
	    diff want -
	exactly --both -k 2 --keys=k1,k2,k3 -t 1 --time-format=epoch --bucket=1h --public-times \
	    in | cut -f 2,3 |
	    diff want -
}

@test "names: of keys, of a header, in every format" {
	printf 'a,"b ""c""",d\n0,1,0\n0,0,0\n9,0,0\n' >in.csv
	exactly --csv -H --columns=3 -r 0:9 --select in.csv | diff <(printf 'b "c"\nb "c"\na\n') -
	exactly --csv -H --columns=3 -r 0:9 --both -o json in.csv | tail -n 1 |
	    jq -e '. == {step: 3, estimate: {column: "a", sum: 9}}'
	exactly --csv -H --columns=3 -r 0:9 --both -o csv in.csv |
	    diff <(printf 'column,sum\n"b ""c""",1\n"b ""c""",1\na,9\n') -
	exactly --csv -H --columns=3 -r 0:9 -o tsv in.csv | head -n 1 | grep -qx estimate
	exactly --csv -H --keys=d,a -r 0:9 --select in.csv | diff <(printf 'd\nd\na\n') -
	# fields of the time and the user are no columns
	printf 'when,who,x,y\n60,al,0,1\n' >t.csv
	exactly --csv -H --columns=2 -t when --time-format=epoch -u who -c 1 --bucket=1m \
	    --from=60 --to=120 --select t.csv | cut -f 2 | grep -qx y
	fails 2 dpmaxsum -e 1 --csv -H --columns=4 --select in.csv
	[[ $stderr == *"--header: it names 3 columns, --columns says 4"* ]]
	fails 2 dpmaxsum -e 1 --csv -H --columns=2 --select in.csv
	printf 'a,d,"b ""c"""\n0,1,0\n' >other.csv
	fails 2 dpmaxsum -e 1 --csv -H --columns=3 --select in.csv other.csv
	[[ $stderr == *"--header: a file has other columns than the one before it"* ]]
	printf 'a,,c\n' >empty.csv
	fails 2 dpmaxsum -e 1 --csv -H --columns=3 --select empty.csv
	[[ $stderr == *"--header: a name must have 1 to 255 bytes"* ]]
	printf 'a,%0256d,c\n' 1 >long.csv
	fails 2 dpmaxsum -e 1 --csv -H --columns=3 --select long.csv
	printf 'a,b\377,c\n' >latin.csv
	fails 2 dpmaxsum -e 1 --csv -H --columns=3 --select -o json latin.csv
	[[ $stderr == *"--header: a key is not UTF-8"* ]]
}

@test "malformed lines: a step that counts 0 in every column, or the end with --strict" {
	printf '%s\n' '1 1' '1 1 1 1' '1 x 1' '4:1' '0:1' '1:1 1:1' '1:1 1' '1 1:1' ':1' '1:' \
	    '1;1' '18446744073709551617:1' '-1:1' '1:1:1' >bad
	exactly --columns=3 bad | sort -u | diff <(echo 0) -
	[ "$(exactly --columns=3 bad | wc -l)" -eq "$(wc -l <bad)" ]
	while read -r line; do
		printf '1 0 1\n%s\n' "$line" >one
		fails 3 dpmaxsum -e 9 -T 9 --strict --columns=3 one
		[[ $stderr == 'dpmaxsum: one:2: '* ]]
		silent_about "$line" - <<<"${stderr#dpmaxsum: one:2: }"
	done <bad
	# no line, and a blank one: nothing happened
	printf '\n \n1 0 1\n' | exactly --columns=3 --strict | diff <(printf '0\n0\n1\n') -
}

@test "a row of more ones than --ones is malformed, wherever its ones are" {
	printf '%s\n' '1 1 1' '1 1 0' '0 1 1' '2:1 3:1 1:1' '3:1' '1:0 2:0 3:1' >in
	exactly --columns=3 --ones=2 --both in |
	    diff <(printf '1\t0\n1\t1\n2\t2\n2\t2\n2\t2\n3\t3\n') -
	fails 3 dpmaxsum -e 1 -T 9 --columns=3 --ones=2 --strict in
	[[ $stderr == *'in:1: more numbers other than 0 than --ones allows'* ]]
	# under -e inf every step is exact: a row moves no more than --explain says
	[ "$(explain -e 1 -T 9 --columns=3 --ones=2 | jq .sensitivity)" = 3 ]
}

@test "sensitivity: from --ones, keys and buckets, never simply D" {
	l1() { explain -e 1 -T 9 "$@" | jq .sensitivity; }
	b='--bucket=1h --live'
	[ "$(l1 --columns=50)" = 50 ]
	[ "$(l1 --columns=50 --ones=7)" = 14 ]
	[ "$(l1 --columns=50 --ones=30)" = 50 ]
	[ "$(l1 -k 1 --keys=a,b,c,d)" = 2 ]
	# shellcheck disable=SC2086
	[ "$(l1 -k 1 --keys=a,b,c,d $b)" = 1 ]
	# shellcheck disable=SC2086
	[ "$(l1 --columns=50 --ones=7 $b)" = 7 ]
	[ "$(l1 -k 1 --keys=a,b -v 2 -r 0:5)" = 10 ]
	[ "$(l1 -k 1 --keys=a,b -u 3 -c 4)" = 4 ]
}

@test "usage: what does not go together, and columns out of range" {
	fails 2 dpmaxsum -e 1
	[[ $stderr == *"-k FIELD --keys=A,B,C is required"* ]]
	fails 2 dpmaxsum -e 1 --columns=0
	fails 2 dpmaxsum -e 1 --columns=1000001
	fails 2 dpmaxsum -e 1 --columns=2 --keys=a,b
	fails 2 dpmaxsum -e 1 --columns=2 --ones=3
	fails 2 dpmaxsum -e 1 --columns=2 --ones=0
	fails 2 dpmaxsum -e 1 -k 1 --keys=a,b --ones=1
	fails 2 dpmaxsum -e 1 -k 1
	fails 2 dpmaxsum -e 1 --columns=2 --select --both
	[[ $stderr == *"--select and --both do not go together"* ]]
	fails 2 dpmaxsum -e 1 --columns=2 --expire=5
	fails 2 dpmaxsum -e 1 --columns=2 --every=5
	fails 2 dpmaxsum -e 1 --columns=2 -m x
	fails 2 dpmaxsum -e 1 --columns=2 --select -B
	[[ $stderr == *"--bound: a choice has no interval"* ]]
	fails 2 dpmaxsum -e 1 --columns=2 -P -M pan
	fails 2 dpmaxsum -e 1 -T 9 --columns=2 -M pan-slots --csv -P
	fails 2 dpmaxsum -e 1 -T 9 --columns=2 -M blt
	[[ $stderr == *"blt needs a delta (-d) above 0"* ]]
	fails 2 dpmaxsum -e 1 --columns=2 -M tree
	[[ $stderr == *"tree needs a horizon (-T)"* ]]
	fails 2 dpmaxsum -e 1 -d 1e-6 -T 9 --columns=2 -M tree-gauss
}

@test "one column is a running count: the same noise, the same interval as dpcount's" {
	bits 400 >in
	for m in tree kary normtree; do
		dpcount -e 1 -T 400 --seed=5 -B -M $m in 2>/dev/null >want
		dpmaxsum -e 1 -T 400 --seed=5 -B --columns=1 -M $m in 2>/dev/null | diff want -
	done
	dpcount -e 1 -d 1e-6 --seed=5 -B.9 -M blt in 2>/dev/null >want
	dpmaxsum -e 1 -d 1e-6 --seed=5 -B.9 --columns=1 -M blt in 2>/dev/null | diff want -
}

@test "-B: as wide as the noise of the worst of all columns, and only of the sum" {
	rows 100 3 >in
	# three columns' upper tails and one's lower: two intervals, of half the probability each;
	# dense lines move three
	dpcount -e 1/3 -T 100 --seed=1 -B.975 -M kary in 2>/dev/null |
	    awk '{ print $3 - $2 }' >want
	dpmaxsum -e 1 -T 100 --seed=1 -B.95 --columns=3 --both -M kary in 2>/dev/null |
	    awk 'NF != 4 { exit 1 } { print $4 - $3 }' >got
	diff want got
	dpmaxsum -e 1 -T 100 --seed=1 -B --columns=3 --both -o json in 2>/dev/null | tail -n 1 |
	    jq -e '(.lo | keys) == ["sum"] and .lo.sum <= .estimate.sum and
		.hi.sum >= .estimate.sum'
	dpmaxsum -e 1 -T 100 --seed=1 -B --columns=3 --both -o tsv in 2>/dev/null | head -n 1 |
	    grep -qx "$(printf 'column\tsum\tsum_lo\tsum_hi')"
}

@test "--nonnegative and --monotone touch the sum, not the choice" {
	printf '0 0 0\n%.0s' $(seq 60) >in
	dpmaxsum -e 1 -T 60 --seed=3 --columns=3 --both -M tree in 2>/dev/null >plain
	dpmaxsum -e 1 -T 60 --seed=3 --columns=3 --both -M tree --nonnegative --monotone in \
	    2>/dev/null |
	    diff <(awk '{ if ($2 > m) m = $2; print $1 "\t" m + 0 }' plain) -
}

@test "adaptive: lines chosen from the answers, live; a step's answer depends on no later line" {
	talk dpmaxsum -e 1 -T 60 --columns=3 --select --seed=8 -q
	line='1 0 0'
	for i in $(seq 60); do
		ask "$line"
		echo "$line" >>lines
		echo "$answer" >>answers
		# against whoever leads
		case $answer in
		1) line='0 1 1' ;;
		2) line='1 0 1' ;;
		*) line='1 1 0' ;;
		esac
	done
	hangup
	[ "$(sort -u answers | wc -l)" -eq 3 ]
	dpmaxsum -e 1 -T 60 --columns=3 --select --seed=8 lines 2>/dev/null | diff answers -
	# another end, and no end: the same begin
	for n in 1 7 8 31 32 59; do
		{ head -n $n lines; seq $((60 - n)) | sed 's/.*/0 0 1/'; } |
		    dpmaxsum -e 1 -T 60 --columns=3 --select --seed=8 2>/dev/null | head -n $n |
		    diff <(head -n $n answers) -
		head -n $n lines | dpmaxsum -e 1 -T 60 --columns=3 --select --seed=8 2>/dev/null |
		    diff <(head -n $n answers) -
	done
}

@test "columns have noise of their own" {
	# without data column 1 would win every tie if all had one noise
	seq 200 | sed 's/.*/0 0 0 0/' >in
	for m in tree kary normtree; do
		dpmaxsum -e 1 -T 200 --columns=4 --select --margin=0 --seed=2 -M $m in 2>/dev/null |
		    sort -u |
		    awk '{ n++ } END { exit n < 4 }' || { echo $m; false; }
	done
}

@test "state: in pieces as in one run, for every mechanism, with the header's names" {
	{ echo x,y,z; rows 40 3 | tr ' ' ,; } >in.csv
	for m in tree kary normtree blt; do
		d=0
		[ $m != blt ] || d=1e-6
		rm -f S S.*
		dpmaxsum -e 1 -d $d -T 40 --csv -H --columns=3 --both -M $m --seed=6 in.csv \
		    2>/dev/null >want
		head -n 1 in.csv |
		    dpmaxsum -e 1 -d $d -T 40 --csv -H --columns=3 --both -M $m --seed=6 \
			--state=S --init 2>/dev/null >got
		for i in 1 2 9 10 25 40; do
			{ echo x,y,z; sed -n "$((${last:-0} + 2)),$((i + 1))p" in.csv; } |
			    dpmaxsum --state=S 2>/dev/null >>got
			last=$i
		done
		last=
		diff want got || { echo $m; false; }
	done
	fails 5 dpmaxsum --state=S --select </dev/null
	fails 5 dpmaxsum --state=S --columns=4 </dev/null
	fails 4 dpmaxsum --state=S in.csv
}

@test "state: the Gaussian tree goes on with the noise that was planned" {
	rows 40 3 >in
	dpmaxsum -e 1 -d 1e-6 -T 40 --columns=3 -M tree --seed=6 in 2>/dev/null >want
	dpmaxsum -e 1 -d 1e-6 -T 40 --columns=3 -M tree --explain | grep -q 'discrete Gaussian'
	head -n 13 in | dpmaxsum -e 1 -d 1e-6 -T 40 --columns=3 -M tree --seed=6 --state=S --init \
	    2>/dev/null >got
	tail -n +14 in | dpmaxsum --state=S 2>/dev/null >>got
	diff want got
	# without a delta, or where that is better, Laplace
	dpmaxsum -e 1 -T 40 --columns=3 -M tree --explain | grep -q 'discrete Laplace'
	dpmaxsum -e 1 -d 1e-6 -T 2 --columns=1 -M tree --explain | grep -q 'discrete Laplace'
}

@test "pan-private: lines, and events of open buckets, straight into noisy memory" {
	rows 60 4 >in
	[ "$(dpmaxsum -e 1 -P -T 60 --columns=4 --both in | wc -l)" -eq 60 ]
	exactly -P -T 60 --columns=4 --both in | diff <(leaders in) -
	awk '{ print NR * 30, "k" NR % 3 }' in >timed
	set -- -T 60 --both -k 2 --keys=k0,k1,k2 -t 1 --time-format=epoch --bucket=1m \
	    --public-times timed
	exactly "$@" | diff - <(exactly -P "$@")
	explain -e 10 -P -T 600 --columns=4 |
	    jq -e '.pan_private and (.mechanism | startswith("pan"))'
}

# predicts JQ WANT ARG ...: at 2/3, as the literature has it, within 1 %
predicts() {
	local q=$1 want=$2

	shift 2
	explain -B2/3 "$@" | jq -e --argjson w "$want" "$q / \$w | . > 0.99 and . < 1.01" ||
	    { explain -B2/3 "$@" | jq -c "[$q, $want]"; false; }
}

loss() {
	echo ".eligible[] | select(.mechanism == \"$1\") | .loss_max"
}

@test "--explain=json: the figures of the tree and of the square root, by D + 1 tails, within 1 %" {
	predicts "$(loss tree)" 1123 -e 1 -d 1e-6 -T 1000000 --columns=10
	predicts "$(loss blt)" 387 -e 1 -d 1e-6 -T 1000000 --columns=10
	predicts "$(loss tree)" 6247 -e 1 -T 1000000 --columns=10
	predicts "$(loss tree)" 5443 -e 1 -d 1e-6 -T 1000000 --columns=100 --select --margin=0
	predicts "$(loss blt)" 1854 -e 1 -d 1e-6 -T 1000000 --columns=100 --select --margin=0
	explain -e 1 -d 1e-6 -T 1000000 --columns=10 -B2/3 |
	    jq -e '.mechanism == "blt" and (.loss_quantile.confidence - 2/3 | fabs) < 1e-9'
	for b in '' -B; do
		explain -e 1 -d 1e-6 -T 1000000 --columns=10 $b |
		    jq -e '.loss_quantile.confidence == 0.95 and .loss_quantile.max > 410'
	done
}

# says WHAT ARG ...: whether an assumption has these words
says() {
	local what=$1

	shift
	explain "$@" | jq -e --arg w "$what" '.notes | any(contains($w))'
}

@test "--explain=json: the lower bounds of theorems 3.1 and 4.1, and what more is to be said" {
	[ "$(explain -e 1 -T 1000000 --columns=10000 --select -B2/3 | jq .lower_bound)" = 1267 ]
	says 'T log^2 D' -e 1 -d 1e-6 -T 1000 --columns=5 --select
	run -1 says 'T log^2 D' -e 1 -d 1e-6 -T 1000 --columns=5
	[ "$(explain -e 1 -T 1000000 --columns=10000 -B2/3 | jq .lower_bound)" = 294 ]
	# a one-hot line has no room for the packing: counting
	[ "$(explain -e 1 -T 1000 -k 1 --keys=a,b,c | jq .lower_bound)" = \
	    "$(dpcount -e 1 -T 1000 --explain=json | jq .lower_bound)" ]
	says 'times smaller than that of tree, the better' -e 1 -T 1000000 --columns=2
	run -1 says 'times smaller' -e 1 -T 1000 --columns=5
	says 'no unbiased estimate' -e 1 -T 1000 --columns=5
	run -1 says 'no unbiased estimate' -e 1 -T 1000 --columns=5 --select
	[ "$(explain -e 1 -d 1e-9 -T 1000000000 --columns=1000000 | jq .lower_bound)" = 84.21875 ]
	says 'small constants' -e 1 -d 1e-6 -T 1000 --columns=5
	run -1 says 'small constants' -e 1 -T 1000 --columns=5
	# with a ceiling, or below 0, no bound is printed, and nothing said of one
	run -1 says 'small constants' -e 1 -d 1e-6 -T 1000 --columns=5 --ceiling=20
	run -1 says 'small constants' -e 1 -d 1e-6 -T 1000 --columns=5 -r -1:1
	says 'NO INFORMATION' -e 1e-3 -T 1000 --columns=5
	says 'NO INFORMATION' -e 1e-3 -T 1000 --columns=5 -M tree
	run -1 says 'NO INFORMATION' -e 1 -T 1000 --columns=5
	# and the run is allowed
	rows 5 5 | dpmaxsum -e 1e-3 -T 1000 --columns=5 | wc -l | grep -qx 5
}

@test "--explain=json: predictions are numbers at the far ends, and fall with epsilon" {
	local last=1e18 now

	for a in '-e 1 -T 1 --columns=3' '-e 1 -T 1000000000000 --columns=1000000' \
	    '-e 1 -d 1e-9 --columns=2' '-e 1000 -T 100 --columns=3' '-e 1e-6 -T 9 --columns=1'; do
		# shellcheck disable=SC2086
		explain $a | jq -e '.eligible | length > 1 and
		    all(.loss_max >= 0 and .loss_max < 1e15 and .loss_mean >= 0)'
	done
	for e in 1/100 1/10 1 10; do
		now=$(explain -e $e -T 1000 --columns=20 -M kary | jq '.loss_quantile.max')
		[ "$(jq -n "$now < $last")" = true ]
		last=$now
	done
}

# high_water ARG ...: VmHWM of a run that has read the file in
high_water() {
	local kib

	talk dpmaxsum "$@"
	ask "$(<in)"
	kib=$(peak "$pid")
	hangup
	echo "$kib"
}

@test "memory is what --explain predicts" {
	unsanitized "a sanitizer's memory is not the tool's"
	local base got want

	echo 1:1 >in
	for m in tree kary; do
		base=$(high_water -e 1 -T 1000 --columns=1 -M $m)
		want=$(explain -e 1 -T 1000 --columns=40000 -M $m | jq '.memory_bytes / 1024')
		got=$(($(high_water -e 1 -T 1000 --columns=40000 -M $m) - base))
		echo "$m: $want KiB predicted, $got measured"
		awk -v w="$want" -v g=$got 'BEGIN { exit !(g > 0.9 * w && g < 1.1 * w) }'
	done
}

@test "10,000 keys in buckets: who leads is who leads" {
	seq -f 'k%.0f' 10000 >keys
	integers 20000 | awk '{ print int(NR / 100) * 60, "k" $1 * 10 + NR % 10 + 1 }' >in
	awk '{ k = substr($2, 2); n = ++s[k]
	    if (n > s[m] || (n == s[m] && k + 0 < m + 0)) m = k }
	    END { print "k" m "\t" s[m] }' in >want
	exactly --both -k 2 --keys=@keys -t 1 --time-format=epoch --bucket=1m --from=0 --to=12060 \
	    in | tail -n 1 |
	    cut -f 2,3 | diff want -
}

@test "explain: a choice is so far behind the leader, a sum so far off" {
	dpmaxsum -e 1 -T 40 --columns=3 --select --explain >choice
	grep -E '^With probability 0.95 the column chosen is at most [0-9]+ behind the leader' \
	    choice
	dpmaxsum -e 1 -T 40 --columns=3 --both --explain >both
	p='^With probability 0.95 the column chosen is at most [0-9]+ behind the leader'
	grep -E "$p, and" both
	dpmaxsum -e 1 -T 40 --columns=3 --explain >sum
	grep -E '^With probability 0.95 the error stays within \+-[0-9]+ at every' sum
	# what is chosen as an answer (dplocal) has a total, and that an error
	dplocal -e 1 -T 40 --domain=a,b --explain >local
	grep -E '^With probability 0.95 the error stays within \+-[0-9]+ at every' local
}

@test "--explain: so much better than the better of the published ones, whichever that is" {
	# better RIVAL ARG ...
	better() {
		local rival=$1

		shift
		dpmaxsum -e 1 "$@" --explain=json >j
		jq --arg is "$(jq -r .mechanism j)" '.eligible[] | select(.mechanism == $is) |
		    .loss_max' j >chosen
		jq '[.eligible[] | select(.mechanism == "tree" or .mechanism == "recompute")] |
		    min_by(.loss_max)' j >best
		jq -e --arg rival "$rival" '.mechanism == $rival' best
		# the number is theirs, to three digits
		jq -e --argjson x "$(jq .loss_max best)" --argjson l "$(<chosen)" '.notes[] |
		    capture("is (?<n>[0-9.e+]+) times smaller than that of [a-z]+, the better of") |
		    (.n | tonumber) * $l / $x | . > .99 and . < 1.01' j
		jq -e --arg rival "$rival" '.notes | any(test("than that of " + $rival + ","))' j
	}
	better tree -T 1M --columns=2
	better recompute -T 100k --columns=20 --ceiling=300
	# of itself it is not better
	dpmaxsum -e 1 -T 100k --columns=1000 --explain=json >j
	jq -e '.mechanism == "recompute" and (.notes | all(test("times smaller") | not))' j
}
