# SPDX-License-Identifier: ISC
# --unit: values that are totals, of which one event is protected: what is counted, what one event
# can move, which noise that has, and state files.
load ../lib/helper

# days N: rows of a date and a total, some 10000 events each
days() {
	integers "$1" | awk '{ printf "%s,%d\n", strftime("%Y-%m-%d", 1577836800 + NR * 86400, 1),
	    8000 + 4 * $1 }'
}

# The buckets of days 100
daily=(--csv -t 1 --time-format=iso -v 2 --bucket=1d --from=2020-01-02 --to=2020-04-11)

# plain: the last field of each line
plain() {
	awk '{ print $NF }'
}

@test "totals without noise: counts, windows and decays are those of awk" {
	days 100 >in
	dpcount -e inf --unit=1 "${daily[@]}" in 2>/dev/null | plain >got
	awk -F, '{ s += $2; printf "%d\n", s }' in | diff - got
	dpwindow -e inf --unit=1 -w 7d "${daily[@]}" in 2>/dev/null | plain >got
	awk -F, '{ s += $2 - (NR > 7 ? v[NR - 7] : 0); v[NR] = $2; print s }' in | diff - got
	dpdecay -e inf --unit=1 --half-life=14d "${daily[@]}" in 2>/dev/null | plain >got
	awk -F, '{ s = s * 2 ^ (-1 / 14) + $2; printf "%.5f\n", s }' in | paste - got |
	    awk '($1 - $2) ^ 2 > 1e-9 { print; exit 1 } END { exit NR != 100 }'
	# a line each, tenths, keys
	cut -d , -f 2 in | sed 's/$/.26/' >lines
	dpcount -e inf --unit=0.1 lines 2>/dev/null >got
	awk '{ s += int($1 * 10 + .5); printf "%d.%d\n", s / 10, s % 10 }' lines | diff - got
	awk -F, '{ print substr("abc", 1 + $2 % 3, 1), $2 }' in >keyed
	dpcount -e inf --unit=1 -k 1 --keys=a,b,c -v 2 keyed 2>/dev/null >got
	awk '{ s[$1] += $2; print s["a"] + 0 "\t" s["b"] + 0 "\t" s["c"] + 0 }' keyed | diff - got
	dpmaxsum -e inf --unit=1 -k 1 --keys=a,b,c -v 2 keyed 2>/dev/null >got
	awk '{ s[$1] += $2; if (s[$1] > m) m = s[$1]; print m }' keyed | diff - got
}

@test "totals: several rows of a day add up, what is none counts 0, the range clamps" {
	printf '2020-01-0%s\n' 2,5 2,7 3,x 3 4, 4,9999999999999999 6,-3 6,2 >in
	set -- --csv -t 1 --time-format=iso -v 2 --bucket=1d --from=2020-01-02 --to=2020-01-08
	dpcount -e inf --unit=1 "$@" in 2>/dev/null | plain | xargs >got
	echo 12 12 1000000000012 1000000000012 1000000000014 1000000000014 | diff - got
	dpcount -e inf --unit=1 -r -2:100 "$@" in 2>/dev/null | plain | xargs >got
	echo 12 12 112 112 112 112 | diff - got
}

@test "totals: sums of the largest ones do not overflow, with noise or without" {
	yes 9999999999999999999 | head -20000 >in
	for t in dpcount 'dpwindow -w 20000' 'dpdecay -a .999999999'; do
		# shellcheck disable=SC2086
		for m in $($t -e 1 -d 1e-6 -T 20000 --unit=0.001 --explain=json |
		    jq -r '.eligible[].mechanism'); do
			$t -e 1 -d 1e-6 -T 20000 --unit=0.001 -M "$m" in | tail -n 1 |
			    awk -v m="$m" '{ print m, $0
			    exit !($1 > 1.9997e16 && $1 < 2.0001e16) }'
		done
	done
	paste -d ' ' in in >two
	for m in $(dpmaxsum -e 1 -T 20000 --unit=0.001 --columns=2 --explain=json |
	    jq -r '.eligible[].mechanism' | grep -vx -e trivial -e recompute); do
		dpmaxsum -e 1 -T 20000 --unit=0.001 --columns=2 -M "$m" two 2>/dev/null |
		    tail -n 1 | awk '{ exit !($1 > 1.9999e16 && $1 < 2.0001e16) }'
	done
}

# moved A B: the largest difference of any number, and the sum over all steps and columns of what
# each step adds to it
moved() {
	awk -v other="$2" '{
		getline text <other
		n = split(text, x)
		for (i = 1; i <= n; i++) {
			d = x[i] - $i
			if (d > one || -d > one) one = d < 0 ? -d : d
			all += d > last[i] ? d - last[i] : last[i] - d
			last[i] = d
		} }
		END { printf "%.10g %.10g\n", one, all }' "$1"
}

# most SENSITIVITY ARG ...: of dpcount; with pairs "A B" of a total on standard input, the third of
# four rows: none moves the output by more than that, one by as much, and --explain says so
most() {
	local want=$1 a b

	shift
	while read -r a b; do
		for v in "$a" "$b"; do
			printf 'x,%s\n' 5 0 "$v" 1.5 >"in$v"
			command dpcount -e inf "$@" -v 2 --csv "in$v" 2>/dev/null >"out$v"
		done
		[ -s "out$a" ]
		moved "out$a" "out$b"
	done >all
	awk -v w="$want" '$2 > w { print "pair " NR ": " $0; bad = 1 } $2 == w { n++ }
	    END { exit bad || n == 0 }' all
	dpcount -e 1 -T 9 --explain=json "$@" -v 2 --csv |
	    jq -e --argjson w "$want" '.sensitivity == $w' >/dev/null
}

@test "totals: one event moves what is counted by --unit, wherever the total is" {
	# pairs that one event may make, by 1 or less
	printf '%s\n' '0 1' '3 4' '3.5 4.5' '3.4 4.4' '3.49 3.5' '0.49 0.5' '.2 1.2' '99 100' \
	    '100 101' '100.4 101' '5000 5001' '5000000 5000001' '999999999999 1000000000000' \
	    '1000000000000 1000000000001' >up
	most 1 --unit=1 <up
	most 1 --unit=1 -r 0:100 <up
	most 1 --unit=1 -r 0:5000 -k 1 --keys=x,y <up
	most 1 --unit=1 -r 0.0:5000.0 <up
	most 0.5 --unit=0.5 -r 0.0:100.0 <<-END
		1 1.5
		1.24 1.74
		1.25 1.75
		0 .5
		99.9 100.4
	END
	awk '{ print "-" $1, "-" $2 }' up >down
	most 1 --unit=1 -r -10:0 <down
	# rounded away from 0 on both sides
	cat up down >both
	echo '-0.5 0.5' >>both
	most 2 --unit=1 -r -100:100 <both
	# a row of one event, in buckets, may be there or not
	printf '5\t1\n' >there
	: >gone
	set -- -e inf --unit=1 -t 1 --time-format=epoch -v 2 --bucket=1s --from=0 --to=9
	command dpcount "$@" there 2>/dev/null | plain >a
	command dpcount "$@" gone 2>/dev/null | plain >b
	[ "$(moved a b)" = '1 1' ]
}

@test "totals: of wide lines, and of keys, one event moves one column" {
	for t in 'dpmaxsum --columns=3' 'dpmaxsum -k 1 --keys=a,b -v 2' \
	    'dpcount -k 1 --keys=a,b -v 2' 'dpwindow -w 3,9 -v 2'; do
		# shellcheck disable=SC2086
		$t -e 1 -T 9 --unit=1 --explain=json |
		    jq -e '.sensitivity == 1 and (.neighbours | test("by at most 1$"))'
		[[ $t != *columns* ]] || continue
		# shellcheck disable=SC2086
		$t -e 1 -T 9 --unit=1 -t 4 --time-format=epoch \
		    --bucket=1d --public-times --explain=json |
		    jq -e '.sensitivity == 1 and (.neighbours | test("by at most 1, in one line"))'
	done
	printf '3 4 5\n9 9 2\n7 7 1\n' >a
	printf '3 4 5\n9 10 2\n7 7 1\n' >b
	for f in a b; do
		dpmaxsum -e inf --unit=1 --columns=3 $f 2>/dev/null >y$f
	done
	[ "$(moved ya yb)" = '1 1' ]
}

@test "totals: with 1 event in a million more, epsilon cannot be refuted, and is no less" {
	seq -f k%.0f 4000 >keys
	sed 's/^/0 1000000 /' keys >d0
	sed 's/^/0 1000001 /' keys >d1
	for d in '1 d0 y0' '2 d1 y1'; do
		# shellcheck disable=SC2086
		set -- $d
		command dpcount -e 1 -M input --unit=1 -t 1 --time-format=epoch \
		    --bucket=1s --from=0 --to=1 -v 2 -k 3 \
		    --keys=@keys --seed $1 $2 2>/dev/null |
		    cut -f 2- | tr '\t' '\n' >$3
		[ "$(wc -l <$3)" -eq 4000 ]
	done
	# DLap(1): variance 1.8413, the variance's sd .062; the event "more than a million" has odds
	# e^1 : 1 exactly, log ratio's sd .028: limits at 6 sd, rate below 1e-6
	paste y0 y1 | awk '{ z = $1 - 1000000; v += z * z }
	    $1 >= 1000001 { p++ } $2 >= 1000001 { q++ } END { r = log(q / p); print r, v / NR
	    exit !(r > .83 && r < 1.17 && v / NR > 1.47 && v / NR < 2.21) }'
}

@test "totals: the noise is of --unit alone, whatever the range; --explain says what holds" {
	want=$(dpcount -e 1 -T 365 --explain=json | jq -c .rmse.last)
	for r in 0:100 0:1000000000 -5:0; do
		[ "$(dpcount -e 1 -T 365 --unit=1 -r $r --explain=json | jq .rmse.last)" = "$want" ]
	done
	scale() { dpcount -e 1 -T 365 --unit=7 -M input --explain=json "$@" | jq .noise.scale; }
	[ "$(scale)" = 7 ]
	[ "$(scale -r 0:100)" = 7 ]
	[ "$(scale -r 0:100.0)" = 7 ]
	# no number moves by more than the range is wide
	[ "$(scale -r 0:5)" = 5 ]
	[ "$(scale -r -3:5)" = 8 ]
	[ "$(scale -r -2:4)" = 6 ]
	dpcount -e 1 -T 9 --unit=1 --explain=json >j
	jq -e '.neighbours | test("the same number of lines, all well-formed, and one event " +
	    "more or less changes one step.s value by at most 1$")' j
	jq -e '.assumptions | any(test("what a whole line counts is not protected"))' j
	dpcount -e 1 --unit=1 -t 1 --time-format=epoch \
	    -v 2 --bucket=1d --from=0 --to=86400 --explain |
	    grep -F "one event more or less changes one step's value by at most 1, in one line"
	dpcount -e 1 -T 9 --unit=2.50 -r -9.00:9.00 --explain=json |
	    jq -e '.sensitivity == 2.51 and (.assumptions | any(test("halves away from 0")))'
}

@test "totals: what is counted is no part of the time, whatever the format would take" {
	for f in '%Y-%m-%d %H%M' '%Y-%m-%d %H' '%Y-%m-%d %e'; do
		for c in , ' '; do
			for n in 11 12 1100 1159 1200; do
				echo "2024-05-01$c$n" >in
				dpcount -e inf --unit=100 -t 1 -v 2 -F "$c" --time-format="$f" \
				    --bucket=1h --from=2024-05-01 --to=2024-05-02 in
			done 2>/dev/null | cut -f 2
		done
	done | sort -u >got
	echo 0 | diff - got
	# a time that is over before the total
	echo '2024-05-01,12:00:00,1100' |
	    dpcount -e inf --unit=1 -t 1 -v 3 -F , --time-format='%Y-%m-%d %H:%M:%S' --bucket=12h \
	    --from=2024-05-01 --to=2024-05-02 2>/dev/null | cut -f 2 | tr '\n' ' ' >got
	[ "$(<got)" = '0 1100 ' ]
}

@test "totals: COVID cases a day, counted, in seven days, decayed: errors of tens in millions" {
	local real=$BATS_TEST_DIRNAME/../../../shared/data/covid_worldwide.csv

	[ -r "$real" ] || real=/work/shared/data/covid_worldwide.csv
	[ -r "$real" ] || skip 'no real data'
	awk -F, 'NR > 2 { print $1 "," $2 - last } { last = $2 }' "$real" >cases.csv
	set -- --unit=1 --csv -t 1 --time-format=iso -v 2 --bucket=1d --from=2020-01-23 \
	    --to=2022-04-17 cases.csv
	for t in 'dpcount' 'dpwindow -w 7d' 'dpdecay --half-life=14d'; do
		# shellcheck disable=SC2086
		$t -e 1 --seed 4 "$@" 2>/dev/null | plain >private
		$t -e inf "$@" 2>/dev/null | plain >exact
		# one in 10^10 is farther out
		most=$($t -e 1 -B0.9999999999 --explain=json "$@" | jq .bound.all_steps)
		paste private exact | awk -v most="$most" -v t="$t" '{ d = $1 - $2
			if (d > most || d < -most) exit 1
			s += d * d; if ($2 > top) top = $2 }
			END { print t, most, sqrt(s / NR), top
			exit !(NR == 815 && most < 150 && s / NR < 400 && top > 2e6) }'
	done
	awk -F, '{ s += $2; printf "%d\n", s }' cases.csv | tail -n 1 >want
	dpcount -e inf "$@" 2>/dev/null | plain | tail -n 1 | diff want -
}

@test "totals: what an event more could leave out, or move, is refused" {
	set -- -e 1 -T 9 --unit=1 --bucket=1d --from=2026-01-01 --to=2026-01-03
	for a in "--where=2~^[0-9]{3}$ -t 1 -v 2" '--where=^[^,]*,[0-9]$ -t 1 -v 2' \
	    '--cut=^(?<t>[^ ]+) (?<n>[0-9]{1,3})$ -t t -v n' '--log=common -v size' \
	    '-t 1 -v 2 -k 2 --keys=1,2' '-t 1 -v 1'; do
		# shellcheck disable=SC2086
		set -f; fails 2 dpcount "$@" --time-format=iso $a </dev/null; set +f
		[[ $stderr == 'dpcount: --unit: '* ]]
	done
	printf 'day,n\n2026-01-01,3\n' >in
	for a in '-k 2 --keys=1 -v n' '-k n --keys=1 -v 2'; do
		# shellcheck disable=SC2086
		fails 2 dpcount "$@" --csv -H -t day --time-format=iso $a in
		[[ $stderr == *'must be another field than --key'* ]]
	done
	# 1:5 and the time in field 2; with an event more 2:1 may be field 2
	for a in '--columns=3' '--columns=3 -v 9' '--keys=a,b,c' '--keys=a,b,c -v 9'; do
		# shellcheck disable=SC2086
		fails 2 dpmaxsum -e 1 --unit=1 $a -T 9 -t 2 --time-format=epoch --bucket=1d \
		    --public-times in
		[[ $stderr == *'--unit: refused with --time where a line is many numbers'* ]]
	done
}

@test "totals: a state file keeps --unit, and refuses another" {
	days 60 >in
	set -- --csv -t 1 --time-format=iso -v 2 --bucket=1d
	dpcount -e 1 -T 99 --seed 3 --unit=1 "$@" --state=one --init --from=2020-01-02 \
	    --to=2020-03-02 in >whole 2>/dev/null
	dpcount -e 1 -T 99 --seed 3 --unit=1 "$@" --state=s --init --from=2020-01-02 \
	    --to=2020-02-01 in >parts 2>/dev/null
	dpcount --state=s --state-show >head
	[ "$(grep -cx -e 'set-unit 1' -e 'range 0:1000000000000' head)" = 2 ]
	fails 5 dpcount --state=s --unit=2 --from=2020-02-01 --to=2020-03-02 in
	[[ $stderr == *'--unit differs from'* ]]
	fails 5 dpcount --state=s --unit=1 -r 0:9 --from=2020-02-01 --to=2020-03-02 in
	fails 2 dpcount --state=s --change=unit --from=2020-02-01 --to=2020-03-02 in
	dpcount --state=s --unit=1 --from=2020-02-01 --to=2020-02-05 in >>parts 2>/dev/null
	dpcount --state=s --from=2020-02-05 --to=2020-03-02 in >>parts 2>/dev/null
	diff whole parts
	# nor can it be added
	dpcount -e 1 -T 9 -r 0:9 --state=n --init </dev/null
	fails 5 dpcount --state=n --unit=1 in
	# a unit whose default range would not fit goes on with the range that is kept
	dpcount -e 1 -T 9 --unit=0.0001 -r 0.0000:9.0000 --state=f --init </dev/null
	echo 1 | dpcount --state=f --unit=0.0001
}
