# SPDX-License-Identifier: ISC
# What cli.md promises a user of dpcount, at epsilon = inf, where awk knows the answers.
load ../lib/helper

@test "plain numbers: the running sum" {
	bits 3000 >in
	running in | prints exact in
	running in | prints exact -T 3000 in
	integers 3000 >in
	running in | prints exact -r 0:999 in
}

@test "empty lines are nothing, and steps" {
	printf '1\n\n\n1\n' >in
	printf '1\n1\n1\n2\n' | prints exact in
}

@test "no input: no output, success" {
	: >in
	prints exact -T 10 in </dev/null
}

@test "the last line needs no newline" {
	printf '1\n1' >in
	printf '1\n2\n' | prints exact in
}

@test "values are clamped to 0:1 unless told otherwise" {
	printf '5\n-3\n1\n' >in
	printf '1\n1\n2\n' | prints exact in
}

@test "a value that is read and no --range: refused before anything is charged, with the cures" {
	needs() {
		[[ $("${@:2}" 2>&1 >/dev/null </dev/null | head -n 1) = \
		    "${2##*/}: --range is required: give the smallest and the largest value"*"$1" ]]
		run -2 "${@:2}" </dev/null
		[ "${lines[0]}" = "$("${@:2}" 2>&1 <<<7 | head -n 1)" ]
	}
	last='; or -r 0:1, if values are 0 to 1'
	sums='; or -r auto, which chooses a range; or --unit=1, if values are totals of events'
	needs " of -v 1 as -r LO:HI (what lies outside counts as the nearer of the two)$sums$last" \
	    dpcount -e 1 -T 5 -v 1
	needs "; or -r auto, which chooses a range$last" dpwindow -e 1 -w 1 --once -u 1 -c 3 -v 2
	needs 'of the two); or --unit=1, if values are totals of events'"$last" \
	    dpmaxsum -e 1 -T 5 -v 1 -k 2 --keys=a,b
	needs "$sums$last" dpdecay -e 1 -a .9 -v 1 --explain
	needs '--unit=1, if values are totals of events'"$last" dpmap --once -v 1 --shard=a
	needs "of the two); or -m REGEX, for the share of events that match$last" dpmean -e 1 --once
	needs "-r LO:HI (what lies outside counts as the nearer of the two)$last" \
	    dpquantile -e 1 --once -v 2
	dpbudget --init --total=2 B
	for t in dpmean dpcount dpquantile; do
		run -2 --separate-stderr $t -e 1 --once -v 1 --budget=B:x <<<5
		[ -z "$output" ]
	done
	[ "$(dpbudget --show B | grep -c x)" = 0 ]
	# what says the range, or needs none
	for a in '-v 1 -r 0:1' '-v 1 -r auto' '-v 1 -m 5' '-v 1 --unit=1' '-k 2 --keys=a,b' ''; do
		# shellcheck disable=SC2086
		run -0 --separate-stderr dpcount -e 1 -T 50 $a <<<'5 a'
		[ -z "$stderr" ]
	done
	dpmean -e 1 --once -m 5 <<<5 >out
	dpquantile -q -e 1 --once --histogram --bins=0,5,9 -v 1 <<<5 >out
	dpcount --check -q -v 1 <<<5 | grep -F 'value=1 (clamped'
	# costs have a range of their own: that it cuts is said, of lines and of a field
	for a in '' '-F ; -v 2'; do
		# shellcheck disable=SC2086
		dpexperts -e 1 -T 9 --columns=1 $a 2>err >out <<<5
		[ "$(<err)" = "dpexperts: no --range: $(
		    )values are clamped to 0.000:1.000, and rounded to 0.001; give -r LO:HI" ]
		# shellcheck disable=SC2086
		[ -z "$(dpexperts -q -e 1 -T 9 --columns=1 $a 2>&1 >out <<<5)" ]
	done
	[ -z "$(dpexperts -e 1 -T 9 --columns=1 -r 0:9 2>&1 >out <<<5)" ]
}

@test "a state of a run without --range goes on" {
	# as an earlier version made it: the same but for the option that is noted as given
	dpcount -q -e 1 -T 50 -v 1 -r 0:1 --seed=3 --state=s --init <<<1 >out
	[ "$(dpcount --state=s 2>&1 >>out <<<1 | silent_about --range -)" = '' ]
}

@test "--explain: the range that cuts values is named, and that no error has what it cuts" {
	dpcount -e 1 -T 9 -v 1 -r 0:1000000 --explain >got
	[[ $(head -1 got) == *' with probability 0.95, for values clamped to 0:1000000;'* ]]
	whole='(-r), rounded to whole numbers'
	grep -x "of  *the number in the value field, clamped to 0:1000000 $whole" got
	dpcount -e 1 -T 9 -v 1 -r -2.5:7 --explain=json | grep -F 'clamped to -2.5:7.0; what'
	dpcount -e 1 -T 9 -v 1 -r 0:1 --explain | grep -F 'for values clamped to 0:1; what'
	dpmaxsum -e 1 --columns=3 -r 0:9 --explain |
	    grep -x "of  *the numbers of each line, clamped to 0:9 $whole (-r 0.00:9.00 .*); .*"
	dpcount -e 1 -T 9 -v 1 -m x --explain | silent_about 'for values clamped' -
	dpcount -e 1 -T 9 --explain | silent_about 'for values clamped' -
}

@test "--range clamps both sides" {
	integers 500 | awk '{ print $1 - 500 }' >in
	awk '{ v = $1 < -20 ? -20 : $1 > 300 ? 300 : $1; s += v; print s }' in |
	    prints exact -r -20:300 in
	cp wanted want
	for a in -v1 '--csv -v1' -F: -P --strict; do
		# shellcheck disable=SC2086
		prints exact -r -20:300 $a in <want
	done
}

@test "--range with decimals fixes the grid: tenths, rounded half away from zero, clamped" {
	printf '%s\n' 0.04 0.05 -0.05 1.25 1.24 99 -99 3e-1 >in
	printf '%s\n' 0.0 0.1 0.0 1.3 2.5 12.5 10.0 10.3 | prints exact --range=-2.5:10 in
	printf '%s\n' 0.0 0.1 0.0 1.3 2.5 12.5 10.5 10.8 | prints exact --range=-2:10.0 in
}

@test "--range of whole numbers prints whole numbers and rounds decimals" {
	printf '%s\n' 0.4 0.5 2.5 -1.5 >in
	printf '%s\n' 0 1 4 2 | prints exact -r -9:9 in
}

@test "a bucket's sum is exact beyond 2^61, on either side; with --expire it is cut there" {
	range=562949953421311
	for sign in '' -; do
		yes "0,$sign$range" | head -n 5000 >in
		echo "3600,${sign}7" >>in
		set -- -q --csv -v 2 -t 1 --time-format=epoch --bucket=1h -r -$range:$range in
		for by in '--from=0 --to=7200' --public-times; do
			# shellcheck disable=SC2086
			dpcount -e inf $by "$@" 2>err | cut -f 2 >got
			printf '%s\n' ${sign}2814749767106555000 ${sign}2814749767106555007 |
			    cmp - got
			# shellcheck disable=SC2086
			dpwindow -e inf -w 1,2 $by "$@" 2>err | cut -f 2,3 >got
			printf '%s\t%s\n' ${sign}2814749767106555000 ${sign}2814749767106555000 \
			    ${sign}7 ${sign}2814749767106555007 | cmp - got
		done
		dpcount -e inf --expire=9 --from=0 --to=7200 "$@" 2>err | cut -f 2 >got
		printf '%s\n' ${sign}2305843009213693952 ${sign}2305843009213693959 | cmp - got
	done
	# the noise is that of a sum that fits: of 5.6e14 at E = 1
	dpcount -e 1 -q --once -v 2 --csv -r -$range:$range -B0.999999 in |
	    awk '{ exit !($2 < -2814749767106555007 + 5e15 && $2 < $1 && $1 < $3) }'
	# what is beyond has no part in the noise: 4096 2^49 = 2^61 more move an estimate by that
	for c in 'dpcount' 'dpwindow -w 1' 'dpcount -d 1e-6 -M blt -T 9' \
	    'dpcount -M normtree -T 9' 'dpcount -T 9 -M input' 'dpwindow -w 2 -T 9'; do
		for n in 904 5000; do
			# shellcheck disable=SC2086
			yes "60 562949953421312" | head -n $n | $c -q -e 1 --seed 5 -v 2 \
			    --unit=1 -r 0:562949953421312 -t 1 --time-format=epoch --bucket=1m \
			    --from=0 --to=300 2>err | cut -f 2 | paste -sd ' '
		done | {
			read -ra low
			read -ra all
			for i in 0 1 2 3 4; do
				echo "$c $i $((all[i] - low[i]))"
			done
		}
	done >moved
	awk '{ i = $(NF - 1); w = i == 0 || ($1 == "dpwindow" && i > $3) ? 0 : 2^61
	    if ($NF != w) { print; bad = 1 } } END { exit bad || NR != 30 }' moved
	# by keys, in several columns
	yes "a $range" | head -n 9000 | sed 'p;s/a/b/' >in
	[ "$(dpcount -q -e inf --once -k 1 --keys=a,c,b -v 2 -r 0:$range in 2>err)" = \
	    $'5066549580791799000\t0\t5066549580791799000' ]
	# said beforehand where a sum may be cut, by the options alone
	for c in 'dpdecay -a .5' 'dpcount --expire=3' dpmean; do
		# shellcheck disable=SC2086
		$c -e 1 -T 9 -v 1 -t 2 --time-format=epoch --bucket=1h --live -r 0:1T </dev/null \
		    2>&1 >out | grep 'cut at 2^61 grid units, which 2305843 events at an end of'
	done
	dpcount -e 1 --once -v 1 -r 0:1T </dev/null 2>&1 >out | silent_about 'cut at' -
	dpcount -e 1 --once -T 9 -v 1 -r 0:1T --state=s --init </dev/null 2>&1 >out | grep 'cut at'
}

@test "sums pass 2^31 and 2^53" {
	yes 1125899906842600 | head -20 >in
	exact -r 0:1125899906842600 in | tail -1 >got
	[ "$(<got)" = 22517998136852000 ]
}

@test "-m: lines that match count 1" {
	printf 'GET /a 404\nGET /b 200\nPOST /c 404\n' >in
	printf '1\n1\n2\n' | prints exact -m ' 404$' in
	printf '1\n2\n2\n' | prints exact -m '^GET|nothing' in
	printf '0\n1\n2\n' | prints exact -m '/[[:alpha:]&&[^a]]|/(b|c) ' in
}

@test "-m against grep on a larger log" {
	integers 2000 | awk '{ print "10.0.0." $1 % 256, "GET", "/p" $1 % 17,
	    $1 % 3 ? 200 : 404 }' >in
	awk '{ n += /\/p1[0-9]? (200|404)/; print n }' in | prints exact -m '/p1[0-9]? (200|404)' in
}

@test "--fixed, -i, --invert-match" {
	printf 'a.c\nabc\nA.C\n\n' >in
	printf '1\n1\n1\n1\n' | prints exact -m a.c --fixed in
	printf '1\n1\n2\n2\n' | prints exact -m a.c --fixed -i in
	printf '1\n2\n2\n2\n' | prints exact -m a.c in
	printf '0\n0\n1\n2\n' | prints exact -m a.c --invert-match in
	printf '0\n1\n1\n2\n' | prints exact -m a.c --fixed --ignore-case --invert-match in
}

@test "-m with -v looks at the field alone" {
	printf 'a b\nb a\nab ab\n' >in
	printf '0\n1\n2\n' | prints exact -m a -v 2 in
	printf '0\n1\n1\n' | prints exact -m '^a$' -v 2 in
	printf '1\n1\n2\n' | prints exact -m '^a$' -v 2 --invert-match in
}

@test "a pattern that would take for ever does not match, and the run goes on" {
	head -c 40 /dev/zero | tr '\0' a >in
	printf 'b\naa\n' >>in
	printf '0\n1\n' | prints exact -m '^(a+)+$' in
}

@test "-v by number: runs of blanks" {
	printf '  x   3\ty\nz 4 w\n' >in
	printf '3\n7\n' | prints exact -r 0:9 -v 2 in
}

@test "-F" {
	printf 'x:3:y\n::\nz:4:\n' >in
	printf '3\n3\n7\n' | prints exact -r 0:9 -F : -v 2 in
	tr : '\t' <in >tabs
	printf '3\n3\n7\n' | prints exact -r 0:9 -F '\t' -v 2 tabs
	printf '3\n3\n7\n' | prints exact -r 0:9 --tsv -v 2 tabs
	printf 'a b:5\n' >in
	echo 5 | prints exact -r 0:9 -F : -v 2 in
}

@test "-H: fields by name" {
	printf 'who n size\na 1 7\nb 2 8\n' >in
	printf '7\n15\n' | prints exact -H -v size -r 0:9 in
	printf '1\n3\n' | prints exact -H -v 2 -r 0:9 in
	printf '1\n3\n' | prints exact -H --value=n -r 0:9 in
}

@test "-H: every file has its own header" {
	printf 'a b\n1 2\n' >x
	printf 'b a\n3 4\n' >y
	printf '1\n5\n' | prints exact -H -v a -r 0:9 x y
}

@test "-H: a name that is not there is a usage error" {
	printf 'a b\n1 2\n' >in
	fails 2 dpcount -e 1 -H -v nosuch -r 0:1 in
	[ -z "$output" ]
	silent_about '1 2' - <<<"$stderr"
}

@test "--csv: quotes, commas, doubled quotes, newlines in quotes" {
	printf 'a,3,x\n"b,1","4","say ""hi"""\n"c\nd",5,z\n\n"",6,"x,""y"",\n"\n' >in
	printf '3\n7\n12\n18\n' | prints exact --csv -v 2 -r 0:9 in
	printf '0\n1\n1\n1\n' | prints exact --csv -v 3 -m '^say "hi"$' in
	printf '0\n0\n1\n1\n' | prints exact --csv -v 1 -m '^c\nd$' in
	printf '0\n1\n1\n1\n' | prints exact --csv -v 1 -m '^b,1$' in
	printf '0\n0\n0\n1\n' | prints exact --csv -v 3 -m '^x,"y",\n$' in
}

@test "--csv: header names with commas, CRLF rows" {
	printf '"n, all",x\r\n3,1\r\n"4",1\r\n' >in
	printf '3\n7\n' | prints exact --csv -H -v 'n, all' -r 0:9 in
}

@test "--csv -F ;" {
	printf '1,5;2\n"a;b";3\n' >in
	printf '2\n5\n' | prints exact --csv -F ';' -v 2 -r 0:9 in
}

@test "--csv: a bare number a row" {
	printf '1\n0\n1\n' >in
	printf '1\n1\n2\n' | prints exact --csv in
}

@test "several files and - are one stream" {
	echo 1 >a
	printf '1\n0\n' >b
	echo 1 | exact a - b >got
	printf '1\n2\n3\n3\n' | diff -u - got
}

@test "no operand is standard input" {
	printf '1\n1\n' | exact >got
	printf '1\n2\n' | diff -u - got
}

@test "options after operands, and --" {
	echo 1 >a
	echo 1 >-n
	printf '1\t1\n' | prints exact a -n
	printf '1\n2\n' | prints exact a -- -n
}

@test "long options may be cut short, as everywhere" {
	echo 7 >a
	echo 7 | prints exact --ran=0:9 a
}

@test "-n: each line starts with its step" {
	printf '1\n0\n1\n' >in
	printf '1\t1\n2\t1\n3\t2\n' | prints exact -n in
	printf '1\t1\n2\t1\n3\t2\n' | prints exact --number in
}

@test "-k: one column per declared key, in that order; the rest counts nowhere" {
	printf 'b\na\nc\nb\n\n' >in
	printf '0\t1\n1\t1\n1\t1\n1\t2\n1\t2\n' | prints exact -k 1 --keys=a,b in
	printf '1\t0\n1\t1\n1\t1\n2\t1\n2\t1\n' | prints exact -k 1 --keys=b,a in
}

@test "--keys=@FILE, keys with commas and blanks" {
	printf 'x y\na,b\n' >keys
	printf 'a,b;2\nx y;3\nx;9\n' >in
	printf '0\t2\n3\t2\n3\t2\n' | prints exact -F ';' -k 1 -v 2 -r 0:9 --keys=@keys in
	printf '0\t1\n1\t1\n1\t1\n' | prints exact -F ';' -k 1 --keys=@keys in
}

@test "-k with -m, and by name" {
	printf 'host,code\na,404\nb,200\na,200\nb,404\n' >in
	printf '1\t0\n1\t0\n1\t0\n1\t1\n' | prints exact --csv -H -k host --keys=a,b \
	    -v code -m 404 in
}

@test "a hundred keys against awk" {
	integers 1000 | awk '{ print "k" $1 % 120 }' >in
	awk 'BEGIN { for (i = 0; i < 100; i++) print "k" i }' >keys
	awk '{ n[$1]++; for (i = 0; i < 100; i++) printf "%d%s", n["k" i],
	    i < 99 ? "\t" : "\n" }' in |
	    prints exact -k 1 --keys=@keys in
}

@test "keys in lines: many steps at a time are the same as one at a time, for every mechanism" {
	integers 700 | awk '{ print "k" $1 % 6, $1 % 2 }' >all
	head -n 37 all >first
	sed -n 38,41p all >second
	sed 1,41d all >rest
	set -- -k 1 --keys=k3,k0,k1,k4,k2 -v 2 -r 0:1 -d 1e-6 --seed=6 -q
	for T in 333 1000 ''; do
		for m in $(mechanisms -e 1 ${T:+-T $T} -d 1e-6); do
			# with a state each step is by itself
			rm -f s s.lock
			run -"$((T == 333 ? 4 : 0))" --separate-stderr dpcount -e 1 ${T:+-T $T} \
			    -M "$m" --state=s --init "$@" all
			echo "$output" >want
			[ "$(wc -l <want)" -eq $((T == 333 ? 333 : 700)) ]
			run -"$((T == 333 ? 4 : 0))" --separate-stderr dpcount -e 1 ${T:+-T $T} \
			    -M "$m" "$@" all
			cmp want - <<<"$output" || { echo "$m"; false; }
			# and so many together as there are
			run -"$((T == 333 ? 4 : 0))" --separate-stderr dpcount -e 1 ${T:+-T $T} \
			    -M "$m" "$@" first second rest
			cmp want - <<<"$output" || { echo "$m"; false; }
		done
	done
	printf '%s\n' 'k1 1' 'k2 1' 'k1 x' 'k3 1' >bad
	run -3 --separate-stderr dpcount --strict -T 9 -e 1 "$@" bad
	[ "${#lines[@]}" -eq 2 ]
	[[ $stderr == *'bad:3: field 2: '* ]]
}

# events: "EPOCH VALUE" within three days of 2024, in no order; 00:00 to 06:00 of one day is empty
events() {
	integers 400 | awk '{ t = 1704067200 + $1 * 131;
	    if (t < 1704153600 || t >= 1704175200) print t, NR % 2 }'
}

@test "--from --to: any order, empty buckets, nothing outside" {
	events >in
	awk -v a=1704070800 -v b=1704196800 '
	    $1 >= a && $1 < b { n[int(($1 - a) / 3600)] += $2 }
	    END { for (i = 0; a + 3600 * i < b; i++) { s += n[i];
	    print strftime("%Y-%m-%dT%H:%M:%SZ", a + 3600 * i, 1) "\t" s } }' in >want
	prints exact -t 1 --time-format=epoch -v 2 -r 0:1 --bucket 1h --from 2024-01-01T01:00:00Z \
	    --to 2024-01-02T12:00:00Z in <want
	prints exact -t 1 --time-format=epoch -v 2 -r 0:1 --bucket 60m --from 1704070800 \
	    --to 1704196800 in <want
	sort -r in >reversed
	prints exact -t 1 --time-format=epoch -v 2 -r 0:1 --bucket 3600s --from 1704070800 \
	    --to 1704196800 reversed <want
	[ "$(wc -l <want)" -eq 35 ]
}

@test "--from --to: no events, all steps" {
	: >in
	printf '1970-01-01T00:00:00Z\t0\n1970-01-02T00:00:00Z\t0\n' |
	    prints exact -t 1 --time-format=epoch --bucket 1d --from 0 --to 1970-01-03 in
}

@test "--from --to: without -v or -m an event counts 1" {
	printf '10 x\n20 y\n70 z\n60\n' >in
	printf '1970-01-01T00:00:00Z\t2\n1970-01-01T00:01:00Z\t4\n' |
	    prints exact -t 1 --time-format=epoch --bucket 1m --from 0 --to 120 in
}

@test "--public-times: late events count in the oldest open bucket" {
	printf '0 1\n30 1\n60 1\n10 1\n300 1\n200 1\n' >in
	printf '1970-01-01T00:00:00Z\t2\n1970-01-01T00:01:00Z\t4\n1970-01-01T00:02:00Z\t4
1970-01-01T00:03:00Z\t4\n1970-01-01T00:04:00Z\t4\n1970-01-01T00:05:00Z\t6\n' |
	    prints exact -t 1 --time-format=epoch -v 2 -r 0:1 --bucket 1m --public-times in
}

@test "--public-times: buckets are aligned to the epoch, also before it" {
	printf '%s\n' -90 -30 >in
	printf '1969-12-31T23:58:00Z\t1\n1969-12-31T23:59:00Z\t2\n' |
	    prints exact -t 1 --time-format=epoch --bucket 1m --public-times in
}

@test "--public-times: the content of a record moves no bucket" {
	printf '0 a 1\n70 b 1\n130 a x\n' >in
	printf '1970-01-01T00:00:00Z\t1\n1970-01-01T00:01:00Z\t1\n1970-01-01T00:02:00Z\t2\n' |
	    prints exact -t 1 --time-format=epoch --bucket 1m --public-times -k 2 --keys a in
	printf '1970-01-01T00:00:00Z\t1\n1970-01-01T00:01:00Z\t2\n1970-01-01T00:02:00Z\t2\n' |
	    prints exact -t 1 --time-format=epoch --bucket 1m --public-times -v 3 -r 0:1 in
	printf '1970-01-01T00:00:00Z\t1\n1970-01-01T00:01:00Z\t1\n1970-01-01T00:02:00Z\t1\n' |
	    prints exact -t 1 --time-format=epoch --bucket 1m --public-times -v 2 -m a -k 3 \
	    --keys 1 in
}

@test "--bucket with keys" {
	printf '5 a\n65 b\n66 a\n185 b\n' >in
	printf '1970-01-01T00:0%s:00Z\t%s\t%s\n' 0 1 0 1 2 1 2 2 1 3 2 2 |
	    prints exact -t 1 --time-format=epoch --bucket 1m --public-times -k 2 --keys=a,b in
}

@test "time formats: the same events in each" {
	events | awk 'NR % 10 == 0 { print "@" $1 }' >at
	tr -d @ <at >in
	set -- -e inf --bucket 30m --from 2024-01-01 --to 2024-01-03
	dpcount "$@" -t 1 --time-format=epoch in >want 2>/dev/null
	tail -1 want | grep -v "$(printf '\t0$')"
	sed 's/$/000/' in >ms
	date -u -f at +%Y-%m-%dT%H:%M:%SZ >iso
	date -u -f at +'%Y-%m-%d %H:%M:%S.25' >iso2
	TZ=XXX-5:30 date -f at +%Y-%m-%dT%H:%M:%S+05:30 >iso3
	TZ=XXX7 date -f at +'1.2.3.4 - - [%d/%b/%Y:%H:%M:%S -0700] "GET / HTTP/1.0" 200 5' >clf
	date -u -f at +'%d/%b/%Y:%H:%M:%S;x' >clf2
	TZ=XXX-2 date -f at +'x,[%d/%b/%Y:%H:%M:%S +0200]' >clf3
	date -u -f at +%Y%m%d-%H%M%S >strp
	TZ=XXX3 date -f at +'%d.%m.%Y %H:%M:%S -0300 x' >strp2
	dpcount "$@" -t 1 --time-format=epoch ms | diff -u want -
	dpcount "$@" -t 1 --time-format=epoch in | diff -u want -
	dpcount "$@" -t 1 --time-format=iso iso | diff -u want -
	dpcount "$@" -t 1 --time-format=iso iso2 | diff -u want -
	dpcount "$@" -t 1 --time-format=iso iso3 | diff -u want -
	dpcount "$@" -t 4 --time-format=clf clf | diff -u want -
	dpcount "$@" -t 1 -F ';' --time-format=clf clf2 | diff -u want -
	dpcount "$@" -t 2 --csv --time-format=clf clf3 | diff -u want -
	dpcount "$@" -t 1 --time-format=%Y%m%d-%H%M%S strp | diff -u want -
	dpcount "$@" -t 1 --time-format='%d.%m.%Y %H:%M:%S %z' strp2 | diff -u want -
}

@test "time format syslog: the year that lies between --from and --to" {
	# a line of each month, and a leap day
	printf '%s  3 01:02:03 h p: x\n' Jan Mar Apr May Jun Jul Aug Sep Oct Nov Dec >in
	sed '1aFeb 29 02:00:00 h p: x' in >leap
	for ((i = 1; i <= 12; i++)); do printf '2024-%02d-01T00:00:00Z\t1\n' $i; done >want
	prints exact_of dpwindow -w 1 --log=syslog --bucket=1mo --from=2024-01-01 --to=2025-01-01 \
	    leap <want
	exact_of dpwindow -w 1 --log=syslog --bucket=1mo --from=2025-07-01 --to=2026-07-01 in >got
	[ "$(cut -f 2 got | paste -sd ' ')" = '1 1 1 1 1 1 1 0 1 1 1 1' ]
	# a second day of the same name: refused, and the cure
	set -- -w 1 --bucket=1d --from=2024-02-29 --to=2025-03-02
	fails 2 dpwindow -e 1 --log=syslog "$@" in
	[[ $stderr == *'have no year'*'a year apart at most'* ]]
	fails 2 dpwindow -e 1 -t 1 --time-format=syslog "$@" in
	dpwindow -e 1 -q --log=syslog --time-format=iso "$@" in >/dev/null
	dpwindow -e 1 -q --log=apache-error "$@" in >/dev/null
	# by the clock it is the last one that is past, or begins within a day
	now=$(date +%s)
	for at in $((now - 364 * 86400)) $((now - 200 * 86400)) $((now - 3600)); do
		LC_ALL=C date -u -d "@$at" +'%b %e %H:%M:%S h p: x'
	done >in
	dpcount -e inf -q --log=syslog --bucket=1d --public-times --gap=400 in 2>/dev/null >got
	[ "$(head -n 1 got | cut -c 1-10)" = "$(date -u -d "@$((now - 364 * 86400))" +%F)" ]
	[ "$(tail -n 1 got)" = "$(date -u -d "@$((now - 3600))" +%FT00:00:00Z)"$'\t3' ]
}

@test "time format syslog: days of now" {
	now=$(date +%s)
	day=$((now / 86400 * 86400))
	for i in 0 100 4000 9000; do
		date -u -d "@$((day - 86400 + i))" +'%b %e %H:%M:%S host su: x'
	done >in
	printf '%s\t2\n%s\t3\n%s\t4\n' "$(date -u -d @$((day - 86400)) +%Y-%m-%dT00:00:00Z)" \
	    "$(date -u -d @$((day - 86400)) +%Y-%m-%dT01:00:00Z)" \
	    "$(date -u -d @$((day - 86400)) +%Y-%m-%dT02:00:00Z)" |
	    prints exact -t 1 --time-format syslog --bucket 1h --from $((day - 86400)) \
	    --to $((day - 75600)) in
}

@test "-u -c: at most K events of a user, over all files" {
	integers 600 | awk '{ print $1 % 37, 1 + $1 % 2 }' >in
	awk '{ if (n[$1]++ < 5) s += $2; print s }' in >want
	prints exact -u 1 -c 5 -v 2 -r 0:2 in <want
	head -250 in >a
	tail -n +251 in >b
	prints exact --user=1 --per-user=5 -v 2 -r 0:2 a b <want
}

@test "-u by name, events in buckets" {
	printf 'id;t\nann;5\nann;6\nbob;7\nann;66\nbob;67\n' >in
	printf '1970-01-01T00:00:00Z\t2\n1970-01-01T00:01:00Z\t3\n' |
	    prints exact -F ';' -H -u id -c 1 -t t --time-format=epoch --bucket 1m --from 0 \
	    --to 120 <(sed 's/67/67\ncyd;90/' in)
}

@test "-u in buckets: names in doubled quotes, by --from or by their own times, against awk" {
	awk 'BEGIN { for (i = 0; i < 500; i++) { x = (x * 69069 + 1) % 4294967296
	    printf "\"%s\"\"%s\",%d,%d\n", int(x / 65536) % 7, int(x / 99991) % 9, i * 7, i % 3
	    } }' >in.csv
	awk -F, '{ b = int($2 / 600); last = b } $3 > 0 && n[$1]++ < 5 { s[b] += $3 }
	    END { for (b = 0; b <= last; b++) print t += s[b] }' in.csv >want
	[ "$(tail -n 1 want)" -gt 200 ]
	set -- -u 1 -c 5 -v 3 -r 0:2 --csv -t 2 --time-format=epoch --bucket=10m
	dpcount -e inf "$@" --from=0 --to=3600 in.csv 2>/dev/null | cut -f 2 | diff want -
	dpcount -e inf "$@" --public-times in.csv 2>/dev/null | cut -f 2 | diff want -
}

@test "-o tsv and csv: a header, then rows" {
	printf 'a\nb\n' >in
	printf 'step\ta\tx,"y\n1\t1\t0\n2\t1\t0\n' |
	    prints exact -n -o tsv -k 1 --keys=@<(printf 'a\nx,"y\n') in
	printf 'step,a,"x,""y"\n1,1,0\n2,1,0\n' | prints exact -n -o csv -k 1 \
	    --keys=@<(printf 'a\nx,"y\n') in
	printf 'estimate,lo,hi\n0,0,0\n0,0,0\n' | prints exact -o csv -B in
	printf 'time,estimate\n1970-01-01T00:00:00Z,1\n' |
	    prints exact -o csv -t 1 --time-format=epoch --bucket 1h --public-times <(echo 5)
}

@test "-o json: one object a line" {
	printf '1\n0\n1\n' >in
	printf '%s\n' '{"step":1,"estimate":1}' '{"step":2,"estimate":1}' \
	    '{"step":3,"estimate":2}' |
	    prints exact -o json in
	exact -o json -B in | jq -es 'length == 3 and all(.lo == .estimate and .hi == .estimate)'
	printf '5 1.5\n65 2\n' >in
	exact -o json -t 1 --time-format=epoch -v 2 -r 0:9.9 --bucket 1m --public-times in |
	    jq -es '. == [{step: 1, time: "1970-01-01T00:00:00Z", estimate: 1.5},
	    {step: 2, time: "1970-01-01T00:01:00Z", estimate: 3.5}]'
	exact -o json -t 1 --time-format=epoch -k 2 --keys='1.5,"q\,2' --bucket 1m --public-times \
	    in |
	    jq -es '.[1].estimate == {"1.5": 1, "\"q\\": 0, "2": 1}'
}

@test "-B: the interval covers the truth as often as it says, and grows with confidence" {
	yes 0 | head -2000 >in
	dpcount -e 1 -T 2000 -M input --seed 3 -B in 2>/dev/null >got
	# lo <= estimate <= hi, symmetric; misses: 5% or less of steps, correlated, so a wide margin
	awk -F '\t' '$2 + $3 != 2 * $1 { odd = 1 } $2 > 0 || $3 < 0 { m++ }
	    END { exit odd || m > 400 }' got
	dpcount -e 1 -T 2000 -M input --seed 3 -B.5 in 2>/dev/null | tail -1 >half
	dpcount -e 1 -T 2000 -M input --seed 3 --bound=.999 in 2>/dev/null | tail -1 >most
	paste half most | awk -F '\t' '{ exit !($1 == $4 && $3 - $1 < $6 - $4) }'
	# step 1 is one DLap(1): P(|Z| > 3) = .027, P(|Z| > 2) = .073
	[ "$(awk -F '\t' 'NR == 1 { print $3 - $1 }' got)" = 3 ]
	# and the first step misses with P(|Z| > 3) = 2 e^-4 / (1 + 1/e) = .0268: of 4000 columns
	# 107, sd 10.2, limits at 5.2 sd (false-reject rate 1e-6 by the binomial's tails);
	# P(|Z| > 2) would give 291
	seq -f k%.0f 4000 >keys
	dpcount -e 1 -M input -t 1 --time-format=epoch --bucket=1s --from=0 --to=1 -k 2 \
	    --keys=@keys --seed 1 -B /dev/null 2>/dev/null |
	    awk -F '\t' '{ for (i = 2; i < NF; i += 3) m += $(i + 1) > 0 || $(i + 2) < 0 }
		END { print NF, m; exit !(NF == 12001 && m > 54 && m < 160) }'
}

@test "--nonnegative and --monotone change what is printed, by awk's rule" {
	yes 0 | head -300 >in
	dpcount -e 1 -T 300 --seed 5 in 2>/dev/null >raw
	grep -q '^-' raw
	dpcount -e 1 -T 300 --seed 5 --nonnegative in 2>/dev/null >got
	awk '{ print $1 < 0 ? 0 : $1 }' raw | diff -u - got
	dpcount -e 1 -T 300 --seed 5 --monotone in 2>/dev/null >got
	awk 'NR == 1 || $1 > m { m = $1 } { print m }' raw | diff -u - got
	dpcount -e 1 -T 300 --seed 5 --monotone --nonnegative in 2>/dev/null >got
	awk '$1 > m { m = $1 } { print m + 0 }' raw | diff -u - got
}

@test "-T: step N+1 is refused with 4, all before it are there" {
	yes 1 | head -11 >in
	run -4 --separate-stderr dpcount -e inf -T 10 in
	[ "$output" = "$(seq 10)" ]
	run -0 --separate-stderr dpcount -e inf -T 11 in
	[ "$output" = "$(seq 11)" ]
}

@test "-T takes k and M" {
	yes 1 | head -1001 >in
	run -4 --separate-stderr dpcount -e inf -T 1k in
	[ "${#lines[@]}" -eq 1000 ]
	[ "$(dpcount -e 1 -T 10k --explain=json | jq .horizon)" = 10000 ]
	[ "$(dpcount -e 1 -T 1M --explain=json | jq .horizon)" = 1000000 ]
}

@test "-T and buckets: the horizon counts buckets" {
	printf '5\n65\n125\n' >in
	run -4 --separate-stderr dpcount -e inf -T 2 -t 1 --time-format=epoch --bucket 1m \
	    --public-times in
	[ "${#lines[@]}" -eq 2 ]
	fails 4 dpcount -e inf -T 2 -t 1 --time-format=epoch --bucket 1m --from 0 --to 180 in
	[ -z "$output" ]
}

@test "--seed: the same noise again, other seeds other noise" {
	bits 500 >in
	dpcount -e 1 -T 500 --seed 1 in >a 2>/dev/null
	dpcount -e 1 -T 500 --seed=1 in >b 2>/dev/null
	dpcount -e 1 -T 500 --seed 2 in >c 2>/dev/null
	cmp a b
	run ! cmp -s a c
	running in >exact
	run ! cmp -s a exact
}

@test "without --seed no two runs are equal" {
	bits 100 >in
	dpcount -e 1 -T 100 in >a 2>err
	[ ! -s err ]
	dpcount -e 1 -T 100 in >b
	run ! cmp -s a b
}

@test "noise grows as epsilon falls, and vanishes for a huge one" {
	bits 500 >in
	running in >want
	dpcount -e 1000000 -T 500 in | diff -u want -
	dpcount -e 1/1000 -T 500 --seed 1 in 2>/dev/null | paste - want |
	    awk '{ d = $1 - $2; s += d * d } END { exit sqrt(s / NR) < 500 }'
}

@test "how the input is cut into writes changes nothing" {
	integers 700 >in
	dpcount -e 1 -T 1k -r 0:999 --seed 9 in 2>/dev/null >want
	for n in 1 7 4095; do
		dd bs=$n status=none <in | dpcount -e 1 -T 1k -r 0:999 --seed 9 2>/dev/null |
		    cmp want -
	done
	awk '{ printf "\"%d\",\"a\n\"\"%d\",%d\r\n", NR, NR, $1 }' in >csv
	dpcount -e 1 -T 1k -r 0:999 --csv -v 3 --seed 9 csv 2>/dev/null | cmp want -
	for n in 1 13 4096; do
		dd bs=$n status=none <csv | dpcount -e 1 -T 1k -r 0:999 --csv -v 3 \
		    --seed 9 2>/dev/null | cmp want -
	done
}

@test "flags that print less often or more change no estimate" {
	bits 400 >in
	dpcount -e 1 -T 400 --seed 4 in 2>/dev/null >want
	dpcount -e 1 -T 400 --seed 4 --line-buffered in 2>/dev/null | cmp want -
	dpcount -e 1 -T 400 --seed 4 -n in 2>/dev/null | cut -f 2 | cmp want -
	dpcount -e 1 -T 400 --seed 4 -o json in 2>/dev/null | jq .estimate | cmp want -
	dpcount -e 1 -T 400 --seed 4 -m 1 in 2>/dev/null | cmp want -
	dpcount -e 1 -T 400 --seed 4 --strict in 2>/dev/null | cmp want -
}

@test "output for k lines is a prefix of output for k + 1, for every mechanism" {
	bits 40 >in
	mapfile in <in
	for k in 1 2 3 7 8 15 16 31 32 33 39; do
		printf %s "${in[@]:0:k}" >in.$k
	done
	for m in $(mechanisms -e 1 -T 40 -d 1e-6); do
		dpcount -e 1 -T 40 -d 1e-6 -M "$m" --seed 6 in >all 2>/dev/null
		mapfile all <all
		[ ${#all[@]} -eq 40 ]
		for k in 1 2 3 7 8 15 16 31 32 33 39; do
			dpcount -e 1 -T 40 -d 1e-6 -M "$m" --seed 6 in.$k 2>/dev/null >got
			printf %s "${all[@]:0:k}" >want
			cmp want got || { echo "$m $k"; false; }
		done
	done
}

@test "every mechanism is exact at epsilon inf" {
	bits 1000 >in
	running in >want
	mechanisms -e 1 -T 1000 -d 1e-6 >names
	all=(blt blt-norm input kary normtree output pan pan-slots response tree)
	[ "$(sort names | xargs)" = "${all[*]}" ]
	for m in $(<names); do
		exact -M "$m" -T 1000 -d 1e-6 in | cmp want - || { echo "$m"; false; }
		exact -M "$m" -T 1300 -d 1e-6 in | cmp want - || { echo "$m"; false; }
	done
	for m in $(mechanisms -e 1); do
		exact -M "$m" in | cmp want - || { echo "$m"; false; }
	done
}

@test "every mechanism on T = 1, 2, 3" {
	for t in 1 2 3; do
		yes 1 | head -$t >in
		for m in $(mechanisms -e 1 -T $t -d 1e-6); do
			seq $t | prints exact -M "$m" -T $t -d 1e-6 in
		done
	done
}

@test "-M: refused where it is not eligible" {
	: >in
	fails 2 dpcount -e 1 -M tree in
	fails 2 dpcount -e 1 -M response -T 9 -r 0:2 in
	fails 2 dpcount -e 1 -M blt -T 9 in
	fails 2 dpcount -e 1 -M kary -P -T 9 in
	fails 2 dpcount -e 1 -M nosuch -T 9 in
	fails 2 dpcount -e 1 -M response -T 9 -t 1 --time-format=epoch --bucket 1h --public-times in
	[ -z "$output" ]
}

# shape FILTER ARG ...: --explain=json satisfies it
shape() {
	local filter=$1

	shift
	dpcount --explain=json "$@" >json
	jq -e "$filter" json >/dev/null || {
		echo "$*: $filter"
		cat json
		return 1
	}
}

members='(.tool == "dpcount") and (.mechanism | type == "string") and
(.epsilon | type == "string") and (.delta | type == "string") and
(.neighbours | type == "string" and length > 20) and
(.pan_private | type == "boolean") and (.horizon | type == "number" or type == "null") and
(.sensitivity | type == "number") and (.noise.distribution | type == "string") and
(.noise.scale | type == "number") and
([.rmse.max, .rmse.mean, .rmse.first, .rmse.last] | all(type == "number")) and
([.bound.confidence, .bound.max, .bound.all_steps] | all(type == "number")) and
(.lower_bound | type == "number") and (.eligible | type == "array" and length > 0) and
(.eligible | all((.mechanism | type == "string") and (.rmse_max | type == "number") and
    (.rmse_mean | type == "number"))) and
(.memory_bytes | type == "number") and (.draws_per_step | type == "number") and
(.assumptions | type == "array" and all(type == "string"))'

@test "--explain=json: every member, of its type, in every setting" {
	shape "$members" -e 1 -T 1000
	shape "$members" -e 1
	shape "$members" -e 1/3 -T 1M -d 1e-9
	shape "$members" -e 1e-6 -T 1000 -r -2.5:10
	shape "$members" -e 1000000 -T 3
	shape "$members" -e inf -T 1000
	shape "$members" -e inf
	shape "$members" -e 1 -T 1
	shape "$members" -e 1 -T 1000 -P
	shape "$members" -e 1 -T 1000 -k 1 --keys=a,b
	shape "$members" -e 1 -T 1000 -u 1 -c 5
	shape "$members" -e 1 -T 1000 -t 1 --time-format=epoch --bucket 1h --public-times
	shape "$members" -e 1 -T 1000 --bucket 1h --live
	shape "$members" -e 1 -t 1 --time-format=epoch --bucket 1h --from 0 --to 86400
	shape "$members" -e 1 -T 1000 --seed 1 --csv --strict -B.5
	for m in $(mechanisms -e 1 -T 1000 -d 1e-6); do
		shape "$members" -e 1 -T 1000 -d 1e-6 -M "$m"
		shape ".mechanism == \"$m\"" -e 1 -T 1000 -d 1e-6 -M "$m"
	done
}

@test "--explain=json: the values" {
	shape '.epsilon == "1/2" and .delta == "0" and .horizon == 1000 and .sensitivity == 1' \
	    -e 0.5 -T 1k
	shape '.horizon == null' -e 1
	shape '.delta == "1/1000000"' -e 1 -T 9 -d 1e-6
	shape '.sensitivity == 12.5' -e 1 -T 9 --range=-2.5:10
	shape '.sensitivity == 10' -e 1 -T 9 --range=2:10
	shape '.sensitivity == 3' -e 1 -T 9 -u 1 -c 3
	shape '.sensitivity == 15' -e 1 -T 900 -u 1 -c 3 -v 2 -r -5:3
	local bound	# of 15, not of 24: a user's events are there or not
	bound=$(dpcount --explain=json -e 1 -T 900 -u 1 -c 3 -v 2 -r 0:5 | jq .lower_bound)
	shape ".lower_bound == $bound and .lower_bound > 0" -e 1 -T 900 -u 1 -c 3 -v 2 -r -5:3
	shape '.pan_private' -e 1 -T 9 -P
	shape '.horizon == 24' -e 1 -t 1 --time-format=epoch --bucket 1h --from 0 --to 86400
	shape '.bound.confidence == 0.5' -e 1 -T 9 -B.5
	shape '.bound.confidence == 0.95' -e 1 -T 9
	shape '.noise.scale == 2 and .rmse.first > 2.79 and .rmse.first < 2.81' -e .5 \
	    -T 100 -M input
	shape '.noise.distribution == "discrete Gaussian"' -e 1 -T 100 -d 1e-6 -M blt
	shape '.assumptions | any(test("public"))' -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h \
	    --public-times
	shape '.assumptions | any(test("NOT PRIVATE"))' -e 1 -T 9 --seed 1
	shape '.bound.max <= .bound.all_steps and .rmse.mean <= .rmse.max and
	    .lower_bound <= .bound.all_steps' -e 1 -T 1000
}

@test "--explain=json: the neighbour relation is that of the command line" {
	shape '.neighbours | test("one line")' -e 1 -T 9
	shape '.neighbours | test("one event more")' -e 1 -T 9 -t 1 --time-format=epoch \
	    --bucket 1h --public-times
	shape '.neighbours | test("one user")' -e 1 -T 9 -u 1 -c 3
	shape '.neighbours | test("key")' -e 1 -T 9 -k 1 --keys a,b
}

@test "--explain=json: the mechanism chosen has the smallest maximal error of the eligible" {
	for args in '-e 1 -T 1000' '-e 1' '-e 0.01 -T 20' '-e 1 -T 1M -d 1e-9' \
	    '-e 2 -T 1000 -r 0:50' \
	    '-e 1 -T 1000 -P' '-e 1 -T 5 -P' \
	    '-e 1 -T 1k -t 1 --time-format=epoch --bucket 1h --public-times'; do
		# shellcheck disable=SC2086
		shape '.mechanism as $m | (.eligible | map(.rmse_max) | min) ==
		    (.eligible[] | select(.mechanism == $m) | .rmse_max)' $args
		shape '.rmse.max as $x | (.eligible | map(.rmse_max) | min) == $x' $args
	done
}

@test "--explain reads no data" {
	bits 100 >in
	{ dpcount -e 1 -T 10 --explain >text; cat; } <in | cmp in -
	{ dpcount -e 1 -T 10 --explain=json >json; cat; } <in | cmp in -
	dpcount -e 1 -T 10 -E nosuch >text2
	cmp text text2
	dpcount -e 1 -T 10 -Ejson | cmp json -
	# Input that never comes is not waited for.
	mkfifo never
	dpcount -e 1 -T 10 --explain <>never | cmp text -
}

@test "--explain: a sentence that states the guarantee, every figure" {
	run -0 --separate-stderr dpcount -e 1/2 -d 1e-6 -T 1000 -M kary --explain
	[[ ${lines[0]} == 'Expect the count to be off by about '*' lines at once with '*' 0.95.' ]]
	[[ ${lines[1]} == *"1/2"*"1/1000000"*"differentially private"*neighbours* ]]
	for word in mechanism horizon noise scale first middle last worst eligible chosen \
	    memory draws assumed; do
		[[ $output == *$word* ]] || { echo "$word"; false; }
	done
	for m in $(mechanisms -e 1/2 -d 1e-6 -T 1000); do
		[[ $output == *"$m"* ]]
	done
}

@test "--explain: the predicted error is the error, for every mechanism" {
	yes '' | head -60 >in
	seq -f k%.0f 4000 >keys
	for m in $(mechanisms -e 1 -T 60 -d 1e-3 -k 1 --keys=@keys); do
		set -- -e 1 -T 60 -d 1e-3 -M "$m" -k 1 --keys=@keys
		want=$(dpcount "$@" --explain=json | jq .rmse.last)
		# 4000 columns of noise: the mean square has a relative sd of .022 (normal) to .035
		# (one Laplace); six of the latter: false-reject rate below 1e-6 for all mechanisms,
		# and 10 % of the scale are seen
		dpcount "$@" --seed 1 in 2>/dev/null | tail -n 1 | awk -v m="$m" -v w="$want" '
			{ for (i = 1; i <= NF; i++) s += $i * $i }
			END { r = s / NF / w / w; print m, w, r;
			    exit !(NF == 4000 && r > .79 && r < 1.21) }'
	done
}

@test "-h and -V: on standard output, status 0" {
	for o in -h --help -V --version; do
		run -0 --separate-stderr dpcount $o
		[ -n "$output" ]
		[ -z "$stderr" ]
	done
	run -0 dpcount --help=all
	for word in epsilon delta horizon mechanism pan-private user per-user seed range \
	    delimiter csv tsv \
	    header value match fixed ignore-case invert-match time time-format bucket from to live \
	    public-times key keys strict output bound nonnegative monotone explain \
	    line-buffered number quiet help version state init out batch witness state-show; do
		[[ $output == *"--$word"* ]] || { echo "$word"; false; }
	done
}

@test "every option of the contract exists in the tool" {
	# an unknown one would be status 2 with "unrecognized"
	dpcount -e 1 -T 9 -d 0 -M auto --seed 1 -r 0:1 -F , -v 1 -m x --fixed -i --invert-match \
	    -o plain -B --nonnegative --monotone --line-buffered -n -q --strict --explain >/dev/null
}

@test "epsilon is required" {
	bits 9 >in
	fails 2 dpcount -T 9 in
	[ -z "$output" ]
	[[ $stderr == *epsilon* ]]
}

@test "inf and --seed say NOT PRIVATE, one line each; nothing else is ever said" {
	bits 9 >in
	run -0 --separate-stderr dpcount -e inf in
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"NOT PRIVATE"* ]]
	run -0 --separate-stderr dpcount -e 1 --seed 1 in
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *"NOT PRIVATE"* ]]
	run -0 --separate-stderr dpcount -e 1 in
	[ -z "$stderr" ]
}

@test "epsilon is exact: 1/3 is not 0.333" {
	[ "$(dpcount -e 1/3 -T 9 --explain=json | jq -r .epsilon)" = 1/3 ]
	[ "$(dpcount -e 0.1 -T 9 --explain=json | jq -r .epsilon)" = 1/10 ]
	[ "$(dpcount -e 2/6 -T 9 --explain=json | jq -r .epsilon)" = 1/3 ]
	[ "$(dpcount -e inf -T 9 --explain=json | jq -r .epsilon)" = inf ]
}

@test "locale and environment change nothing" {
	printf '0.5\n1,5\n' >in
	exact -r 0:1.0 in >want
	for l in de_DE.UTF-8 tr_TR.UTF-8 C.UTF-8; do
		LC_ALL=$l LANG=$l TZ=America/New_York POSIXLY_CORRECT= exact -r 0:1.0 \
		    in | cmp want -
	done
	echo 2024-01-01T00:30:00 >in
	TZ=America/New_York exact -t 1 --time-format iso --bucket 1h --public-times in >got
	printf '2024-01-01T00:00:00Z\t1\n' | cmp - got
}

@test "every form of line and of output has the steps of bare numbers" {
	awk 'BEGIN { for (i = 0; i < 3000; i++) print i * i % 7 % 2 }' >in
	awk '{ print $1, "u" NR }' in >two
	(echo v; tr ' ' , <two) >in.csv
	dpcount -e 1 -T 3000 --seed 5 in >want 2>/dev/null
	awk -v OFS='\t' '{ print NR, $1 }' want >want.n
	dpcount -e 1 -T 3000 --seed 5 -n in 2>/dev/null | cmp - want.n
	dpcount -e 1 -T 3000 --seed 5 -n -o csv in 2>/dev/null | sed 1d | tr , '\t' | cmp - want.n
	dpcount -e 1 -T 3000 --seed 5 -o json in 2>/dev/null | tr -dc '0-9,\n-' | tr , '\t' |
	    cmp - want.n
	for o in '-m 1 in' '-v 1 -r 0:1 two' '--strict in' '-m ^1 two' \
	    '--strict -v 1 -r 0:1 two' '--csv -H -v v -r 0:1 in.csv' '-r 0:1 -v 1 --where u two'; do
		# shellcheck disable=SC2086	# words
		dpcount -e 1 -T 3000 --seed 5 $o 2>/dev/null >got
		cmp got want
	done
}

@test "--strict: what was good before the line is printed, all of it" {
	for n in 1 255 256 257 600; do
		(yes 1 | head -n $n; echo x; echo 1) >in
		run -3 --separate-stderr dpcount -e inf -T 2000 --strict in
		[ "${#lines[@]}" -eq $n ] && [ "${lines[-1]}" = $n ]
		[[ $stderr == *"in:$((n + 1)): "* ]]
	done
}

@test "a range of what counts 1 is said to be noise for nothing" {
	warned() {	# options ...
		run -0 --separate-stderr dpcount -e 1 --explain "$@"
		[[ $stderr == *"counts 1, and the noise of "*"--where chooses lines"* ]]
		dpcount -q -e 1 --explain "$@" 2>said >/dev/null
		[ ! -s said ]
	}
	warned -T 9 -m a -r 0:1000
	warned -T 9 -m a -r -1:1
	warned -T 9 -m a -r 0.00:1.01
	warned -k 1 --keys=a,b -T 9 -r 0:9
	warned -t 1 --time-format=epoch --bucket=1h --from=0 --to=7200 -r 0:1000
	run -0 --separate-stderr dpmaxsum -e 1 -T 9 -k 1 --keys=a,b -r 0:9 --explain
	[[ $stderr == *"counts 1, and the noise of 0:9"* ]]
	run -0 --separate-stderr dpmean -e 1 -T 9 -m a -r 0:9 --explain
	[[ $stderr == *"counts 1, and the noise of 0:9"* ]]
	# 0:1 in any spelling, totals, and what has a value
	for o in '-m a -r 0:1' '-m a -r 0.00:1.00' '-k 1 --keys=a,b -v 2 --unit=1 -r 0:9' \
	    '-k 1 --keys=a,b -v 2 -r 0:9' '-r 0:1000'; do
		# shellcheck disable=SC2086	# words
		run -0 --separate-stderr dpcount -e 1 -T 9 $o --explain
		[ -z "$stderr" ]
	done
}

@test "keys with a semicolon or a bar between them are one key, which is said" {
	local o=(-e inf --once --csv -k 1)
	run --separate-stderr dpcount "${o[@]}" --keys='A;B' /dev/null
	[[ $stderr == *"one key, 'A;B', with a semicolon in it"* ]]
	run --separate-stderr dpcount "${o[@]}" --keys='A|B' /dev/null
	[[ $stderr == *"one key, 'A|B', with a bar in it"* ]]
	run --separate-stderr dpcount "${o[@]}" --keys='A;B,C' /dev/null
	[[ $stderr != *'one key'* ]]
}
