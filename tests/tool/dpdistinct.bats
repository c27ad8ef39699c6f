# SPDX-License-Identifier: ISC
# dpdistinct: what it counts, what it refuses, what its memory holds.
load ../lib/helper

# wholly ARG ...: dpdistinct without noise
wholly() {
	dpdistinct -q -e inf "$@" 2>err || return
	[ "$(<err)" = 'dpdistinct: epsilon is inf: exact answers, NOT PRIVATE' ] || cat err
}

# distinct [N] FILE ...: after every N-th line, how many so far; empty lines are nothing
distinct() {
	awk -v every="$1" '$1 != "" && !seen[$1]++ { n++ } NR % every == 0 { print n + 0 }' \
	    "${@:2}"
}

# identifiers N: numbers from 1 to 500 that look random
identifiers() {
	integers "$1" | awk '{ print int($1 / 2) + 1 }'
}

@test "exact without noise: every mechanism that is, in every way of declaring identifiers" {
	identifiers 400 >in
	seq 500 >names
	distinct 1 in >want
	wholly -M running -T 400 in | diff want -
	wholly -M running in | diff want -
	for m in cells density; do
		wholly -M $m -T 400 --universe=500 in | diff want -
		wholly -M $m -T 400 --universe=@names in | diff want -
		distinct 40 in | diff - <(wholly -M $m -T 400 --every=40 --universe=500 in)
		[ "$(wholly -M $m --at-end --universe=500 in)" = "$(tail -n 1 want)" ]
		wholly -M $m --at-end --statistic=density --universe=500 in >density
		awk '{ printf "%.6f\n", $1 / 500 }' want | tail -n 1 | diff - density
	done
}

@test "exact without noise: buckets, in any order, and late events" {
	printf '%s\n' '90000 a' '10 a' '10 b' '180000 b' '20 a' '180000 d' >in
	printf '1970-01-0%s\t%s\n' '1T00:00:00Z' 2 '2T00:00:00Z' 2 '3T00:00:00Z' 3 >want
	set -- -v 2 -t 1 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-04 in
	wholly -M running "$@" | diff want -
	wholly -M cells --universe=a,b,c,d "$@" | diff want -
	wholly -M density --universe=a,b,c,d "$@" | diff want -
	# many, against how many each day is the first to have
	integers 4000 | awk '{ print $1 * 611 % 864000, "u" $1 * 37 % 900 }' >many
	sort -n many | awk '{ d = int($1 / 86400); n[d] += !seen[$2]++ } END {
	    for (d = 0; d < 10; d++) print s += n[d] }' >want_many
	wholly -v 2 -t 1 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-11 many |
	    cut -f 2 | diff want_many -
	sort -n in >sorted
	wholly -M density --universe=a,b,c,d -T 3 -v 2 -t 1 --time-format=epoch --bucket=1d \
	    --public-times sorted |
	    diff want -
}

@test "deletions: what was not undone just as often, also what was undone more often" {
	printf '%s\n' 3 -3 4 4 -4 -5 -5 9 x '' -11 0 -0 - >in
	printf '%s\n' 1 0 1 1 1 2 2 3 3 3 3 3 3 3 | diff - <(wholly -T 14 --deletes \
	    --universe=10 -M cells in)
	printf '%s\n' a -a b -a -b -b >in
	printf '%s\n' 1 0 1 2 1 2 | diff - <(wholly -T 6 --deletes --universe=a,b -M cells in)
	wholly --at-end --deletes -M hashed in | grep -qx 2
}

@test "comings and goings, as often as --flips says" {
	printf '%s\n' 1 -1 1 2 -1 -2 -2 >in
	printf '%s\n' 1 0 1 2 1 0 1 | diff - <(wholly -T 7 --deletes --universe=9 --flips=9 \
	    -M turnstile in)
	printf '%s\n' 1 0 0 1 1 0 0 | diff - <(wholly -T 7 --deletes --universe=9 --flips=2 \
	    -M turnstile in)
	set -- -T 7 --deletes -M turnstile-table
	printf '%s\n' 1 0 1 2 1 0 1 | diff - <(wholly "$@" --flips=9 in)
	printf '%s\n' 1 0 0 1 1 0 0 | diff - <(wholly "$@" --flips=2 in)
	# a state goes on with what it knows of each
	dpdistinct -q -e 1000 "$@" --flips=2 --state=s --init <(head -3 in) >out
	dpdistinct -q --state=s <(tail -n 4 in) >>out
	printf '%s\n' 1 0 0 1 1 0 0 | diff - out
	# with a universe, and without one as good
	dpdistinct -e 1 -T 1000 --deletes --universe=9999 --flips=2 --explain=json >j
	jq -e '.mechanism == "turnstile"' j
	jq -e '.notes | map(test("more than 2 times is held")) | any' j
	dpdistinct -e 1 -T 1000 --deletes --flips=2 --explain=json >k
	jq -e '.mechanism == "turnstile-table"' k
	diff <(jq .rmse j) <(jq .rmse k)
	# nothing is cut where that gains nothing: of one answer
	dpdistinct -e 1 --at-end --deletes --flips=2 --explain=json 2>err |
	    jq -e '.mechanism == "table"'
	grep -q 'flips has no effect: table follows all comings' err
	# what dpdistinct(1) says of ten lines an answer
	set -- -e 1 -T 1000 --every=10 --deletes --explain
	dpdistinct "$@" --flips=2 | grep -q 'off by about 23.8,'
	dpdistinct "$@" | grep -q 'off by about 141,'
}

@test "an option that the mechanism has no use for is told of" {
	tells() {
		dpdistinct -e 1 -T 100 --explain "$@" 2>&1 >/dev/null | grep "^dpdistinct: --" || :
	}
	[[ $(tells --deletes --flips=2 -P -M hashed) == \
	    *'flips has no effect: hashed follows all'* ]]
	[[ $(tells --updates=3 --universe=9 -M cells) == \
	    *'updates has no effect: cells takes'* ]]
	[[ $(tells --buckets=64) == *'buckets has no effect: running has none'* ]]
	[[ $(tells --presence --at-end) == *'presence has no effect: the noise of running'* ]]
	for o in '-c 9 --at-end' '-c 9/step -w 1,3 --bucket=1d --live'; do
		[[ $(tells --presence -v 1 -k 2 --keys=x,y ${o/--at-end/--once}) == \
		    *'presence has no effect: with --key that'* ]]
	done
	[ -z "$(tells --presence)$(tells --buckets=64 -P)$(tells -P)" ]
	[ -z "$(tells -q --buckets=64)$(tells --universe=9 --updates=3 -M continual)" ]
	echo a >in
	dpdistinct -e 1 --at-end --buckets=64 in 2>&1 >/dev/null | grep -q 'buckets has no effect'
}

# often STATISTIC TAU [M]: of lines of identifiers, -ID undoes, what the tool answers at the end
often() {
	awk -v what="$1" -v tau="$2" -v m="${3-1}" '
		/^-/ { a[substr($0, 2)]--; next }
		{ a[$0]++ }
		END {
			low = what == "heavy" ? int(tau / 2) : 0
			for (i in a) {
				x = a[i] < 0 ? -a[i] : a[i]
				if (what == "incidence") { n += a[i] == tau; continue }
				if (what ~ /^d/) { n += x != 0; continue }
				n += x >= tau ? tau - low : x > low ? x - low : 0
			}
			if (what == "heavy") n /= tau - low
			if (what == "mean" || what == "density") printf "%.6f\n", n / m
			else printf "%.0f\n", n
		}'
}

@test "table: how often, exactly: every statistic, with a universe and without, undone or not" {
	identifiers 2000 | awk '{ print $1 % 97 + 1 }' >in
	awk 'NR % 3 ? $1 : "-" $1 + NR % 2' in >undone
	for s in cropped incidence heavy; do
		for tau in 1 2 7 20 21; do
			often $s $tau <in >want
			often $s $tau <undone >undone.want
			for u in --universe=500 ''; do
				wholly --at-end --statistic=$s --tau=$tau -M table $u in >got
				cmp want got
				wholly --at-end --statistic=$s --tau=$tau -M table --deletes $u \
				    undone >got
				cmp undone.want got
			done
		done
	done
	often mean 7 500 <in | diff - <(wholly --at-end --statistic=mean --tau=7 --universe=500 \
	    -M table in)
	often density 0 500 <undone | diff - <(wholly --at-end --statistic=density --universe=500 \
	    --deletes -M table undone)
	often distinct 0 <undone | diff - <(wholly --at-end --deletes -M table undone)
	# a share of the lines, at two moments
	head -n 1000 in | often heavy 7 >want
	often heavy 14 <in >>want
	wholly -T 2000 --every=1000 --statistic=heavy --share=143 -M table in | diff want -
	# days, late events too; and a state that goes on
	printf '%s\n' '90000 a' '10 a' '180000 b' '20 a' '10 b' >days
	printf '1970-01-0%s\t%s\n' '1T00:00:00Z' 3 '2T00:00:00Z' 4 '3T00:00:00Z' 5 |
	    diff - <(wholly -M table --statistic=cropped --tau=3 -v 2 -t 1 --time-format=epoch \
	    --bucket=1d --from=1970-01-01 --to=1970-01-04 days)
	for n in 300 700 1000; do
		head -n $n in | dpdistinct -q --state=S $([ -e S ] || echo --init -e 1000 -T 2000 \
		    --every=500 --statistic=incidence --tau=3 -M table) 2>/dev/null
		sed -i "1,${n}d" in
	done >out
	[ "$(wc -l <out)" = 4 ]
	identifiers 2000 | awk '{ print $1 % 97 + 1 }' | often incidence 3 | diff - <(tail -n 1 out)
}

@test "table: light identifiers are no heavy ones, and one answer costs one draw" {
	seq 200000 >light
	# buckets, which -P has, add them up; the table has 0, +-1.41
	n=$(dpdistinct -e 1 --at-end --statistic=heavy --tau=40 --seed 3 light)
	[ "$n" -ge -15 ] && [ "$n" -le 15 ]
	dpdistinct -e 1 --at-end --statistic=heavy --tau=40 -P light >out 2>err
	grep -q 'light ones add up to heavy ones unless' err
	[ "$(<out)" -gt 1000 ]
	rms() {
		dpdistinct -e 1 --at-end "$@" --explain=json >j
		jq -e --argjson want "$want" '.mechanism == "table" and .rmse.max > .99 * $want and
		    .rmse.max < 1.01 * $want' j
	}
	want=1.357
	rms --deletes
	rms --statistic=incidence --tau=9
	want=7.06
	rms --statistic=cropped --tau=5
	want=.00706
	rms --statistic=mean --tau=5 --universe=1000
	want=.001357
	rms --statistic=density --universe=1000 --deletes
	# with a delta comings and goings in turn cost the square root of their number
	for w in 16 64; do
		for d in "" "--presence"; do
			dpdistinct -e 1 -d 1e-6 -T 100k --deletes --universe=9 --flips=$w $d \
			    --explain=json | jq .rmse.max
		done
	done >errors
	printf '%s\n' 165 85 325 165 | paste errors - | awk '$1 >= $2 { bad = 1 } END { exit bad }'
	fails 2 dpdistinct -e 1 --at-end -P --statistic=mean --tau=3
	[[ $stderr == *'needs --universe'* ]]
}

@test "the last W steps: lines, buckets, several answers" {
	identifiers 300 >in
	for w in 1 2 7 300; do
		awk -v w=$w '{
		    last[$1] = NR; n = 0
		    for (i in last)
			n += last[i] > NR - w
		    print n }' in >want
		wholly -w $w -T 300 in | diff want -
		awk 'NR % 50 == 0' want | diff - <(wholly -w $w -T 300 --every=50 in)
	done
	printf '%s\n' '0 a' '1 a' '2 b' '61 b' '62 c' '130 c' '300 a' >in
	printf '1970-01-01T00:0%s:00Z\t%s\n' 0 2 1 3 2 2 3 1 4 0 5 1 |
	    diff - <(wholly -w 2m -v 2 -t 1 --time-format=epoch --bucket=1m --from=0 --to=360 in)
	printf '1970-01-01T00:0%s:00Z\t%s\n' 0 2 1 2 2 1 3 0 4 0 |
	    diff - <(wholly -w 1 -v 2 -t 1 --time-format=epoch --bucket=1m --public-times -T 5 in)
	# what is said of it
	dpdistinct -e 1 -w 1d --bucket=1d --live -T 9 --explain=json >j
	jq -e '.noise.scale == 1 and (.neighbours |
	    test("what one identifier does in one step, however many events that is in either$"))' j
	dpdistinct -e 1 -w 3 -T 9 --explain=json |
	    jq -e '.neighbours | test("one line.s identifier differs")'
	# a state goes on, also over a gap: identifiers are forgotten
	printf '%s\n' '0 a' '1 b' >in
	dpdistinct -e 1000 -w 2 -T 9 -v 2 -t 1 --time-format=epoch --bucket=1m --from=0 --to=60 \
	    --state=S --init in
	echo '250 a' | dpdistinct --state=S --from=240 --to=300 | cut -f 2 >out
	[ "$(paste -s -d ' ' out)" = '2 0 0 1' ]
}

@test "several windows: the worst step of each, and an error of all steps that holds for each" {
	# 31 steps: daily errors are equal, so that of 30 days, as large, is at the last of them
	for t in 31 60 365; do
		dpdistinct -e 1 -w 1,7,30 -T $t --explain >said
		awk '/^note .* rms error of/ { sub(/.*rms error of /, ""); want[n++] = $1 + 0 }
		    /^worst/ { w = want[k++]; bad += $3 < w * .999 || $3 > w * 1.001 }
		    END { exit n != 3 || k != 3 || bad }' said
		# Laplace noise b on each of T steps: b ln(T / 0.05), up to its grid
		awk -v T=$t '/on every answer of 1$/ { sub(/.*scale /, ""); b = $1 + 0 }
		    /^With probability/ { sub(/.*[+]-/, ""); all = $1 }
		    END { x = all / (b * log(T / .05)); exit !(x > .98 && x < 1.02) }' said
	done
	dpwindow -e 1 -w 1,7,30 -T 365 --explain |
	    awk '/steps$/ { most = 0 } /^(first|middle|last)/ && $3 > most { most = $3 }
		/^worst/ { n++; bad += $3 < most } END { exit n != 3 || bad }'
}

@test "several windows: columns in their order, one budget, a state that goes on" {
	integers 3000 | awk '{ printf "%d u%d\n", $1 * 7919 % 60 * 86400, $1 * $1 % 1009 % 300 }' |
	    sort -n >in
	for w in 30 1 7; do
		awk -v w=$w '{ d = int($1 / 86400); for (; n < d; n++) out(); last[$2] = d }
		    function out(  i, c) { for (i in last) c += last[i] > n - w; print c + 0 }
		    END { out() }' in >w$w
	done
	set -- -v 2 -t 1 --time-format=epoch --bucket=1d
	paste w1 w7 w30 >want
	all=(-w 1d,7d,30d --from=0 --to=5184000)
	wholly "$@" "${all[@]}" <(sort -R in) | cut -f 2- | diff want -
	# by event times the last day stays open
	paste w30 w1 w7 | sed '$d' |
	    diff - <(wholly "$@" -w 30,1d,7 --public-times -T 60 in | cut -f 2- | head -n 59)
	awk 'NR % 10 == 0' want | diff - <(wholly "$@" "${all[@]}" --every=10 in | cut -f 2-)
	tail -n 1 want | diff - <(wholly "$@" "${all[@]}" --at-end in | cut -f 2-)
	wholly "$@" "${all[@]}" -o csv in | head -n 1 >head
	echo 'time,1d,7d,30d' | diff - head
	wholly "$@" "${all[@]}" -o long in | sed -n 5p >row
	echo "1970-01-02T00:00:00Z,,1d,$(sed -n 2p w1),," | diff - row
	# the sum of shards, of which one user may have several
	for i in 0 1; do
		awk -v i=$i 'NR % 2 == i' in |
		    dpmap --identifiers "$@" --from=0 --to=5184000 --shard=$i >part$i
	done
	wholly "${all[@]}" --bucket=1d --partial part0 part1 | cut -f 2- | diff want -
	# two runs are one
	dpdistinct -q --seed=1 -e 1 "$@" "${all[@]}" -T 60 in >whole 2>err
	dpdistinct -q --seed=1 -e 1 "$@" -w 1d,7d,30d -T 60 --from=0 --to=1728000 --state=S \
	    --init in >halves 2>err
	dpdistinct -q --state=S --from=1728000 --to=5184000 in >>halves 2>err
	diff whole halves
	fails 5 dpdistinct --state=S -w 1d,7d --from=0 --to=5184000 in
	# numbers of the page
	set -- -e 1 -v 1 --bucket=1d --live -T 365 -w 1d,7d,30d
	dpdistinct "$@" --explain=json | jq -r '.rmse.max' >off
	awk '{ exit !($1 > 26.5 && $1 < 27.5) }' off
	dpdistinct "$@" --shares=.15,.35,.5 --explain | grep -o 'rms error of [0-9.]*' |
	    awk '{ split("9.4 28 32", want, " "); d = $4 / want[NR]
	    bad += d < .98 || d > 1.02 } END { exit NR != 3 || bad }'
	run -0 dpaudit --plan -- dpdistinct "$@"
	run -0 dpaudit --plan -- dpdistinct "$@" -d 1e-6 --shares=1/3,1/3,1/3
	run -0 dpaudit --plan -- dpdistinct "$@" --protect=identifier --presence
}

@test "several windows: what is refused, and the cure" {
	rejects() {
		fails 2 dpdistinct "${@:2}"
		[[ $stderr == *"$1"* ]]
	}
	rejects '--window: 7d and 7 are the same window' -e 1 --bucket=1d --live -w 7d,7
	rejects "--window: '' must be" -e 1 -w 7,
	rejects '--window: more than 16 windows' -e 1 -w "$(seq -s , 17)"
	rejects "the horizon (-T) has 9: give a shorter" -e 1 -T 9 -w 1,10
	rejects "the horizon (-T) has 9: give a shorter" -e 1 -T 9 -w 10
	rejects '--shares is for several windows' -e 1 -w 7 --shares=1
	rejects '--shares is for several windows' -e 1 --shares=.5,.5
	rejects 'has not one share for each of the 2 windows' -e 1 -w 1,7 --shares=.5
	rejects 'has not one share for each of the 2 windows' -e 1 -w 1,7 --shares=.5,.2,.3
	rejects 'they must sum to 1 at most' -e 1 -w 1,7 --shares=2/3,.34
	rejects 'must be above 0 and at most 1' -e 1 -w 1,7 --shares=0,1
	rejects 'must be above 0 and at most 1' -e 1 -w 1,7 --shares=-1,1
	rejects 'must be above 0 and at most 1' -e 1 -w 1,7 --shares=.5,
	rejects 'is not pan-private' -e 1 -w 1,7 -P -M window
	for o in --deletes --statistic=density; do
		rejects "--window: refused with ${o%%=*}" -e 1 -w 1,3 $o
	done
}

@test "what is not of the universe counts nowhere" {
	printf '%s\n' 0 11 -1 1x x '' 1e1 0x1 ' 1' '1 ' 99999999999999999999999 +1 1.0 >in
	[ "$(wholly --at-end --universe=10 -M cells in)" = 0 ]
	[ "$(wholly --at-end --universe=10 -M density --strict in)" = 0 ]
	printf '%s\n' 1 01 10 010 >>in
	[ "$(wholly --at-end --universe=10 -M cells in)" = 2 ]
	printf '%s\n' a bb b 'a b' ab >in
	[ "$(wholly --at-end --universe=a,b -M cells in)" = 2 ]
	# without a universe all are
	[ "$(wholly --at-end -M running in)" = 5 ]
	[ "$(: | wholly --at-end -M running)" = 0 ]
	[ "$(: | wholly --at-end --universe=10)" = 0 ]
}

@test "a window's default unit is said, once, where nobody chose it" {
	local said='--window: what an identifier does in one step is protected, not all that'

	printf 'a\nb\na\n' >in
	run -0 --separate-stderr dpdistinct -e 9 -w 2 -T 3 in
	# shellcheck disable=SC2154
	[ "$(grep -cF -- "$said" <<<"$stderr")" = 1 ]
	for o in -q --protect=event --protect=identifier --explain; do
		run -0 --separate-stderr dpdistinct -e 9 -w 2 -T 3 $o in
		[[ $stderr != *"$said"* ]]
	done
	dpdistinct -q -e 9 -w 2 -T 3 --state=S --init in >/dev/null
	run --separate-stderr dpdistinct --state=S /dev/null
	[[ $stderr != *"$said"* ]]
}

@test "options that are none, or do not go together" {
	rejects() {
		local what=$1

		shift
		fails 2 dpdistinct "$@"
		[[ $stderr == *"$what"* ]] || { echo "$stderr"; return 1; }
		[ -z "$output" ]
	}
	for u in 0 5G 1.5 99999999999999999999 1x 4294967297; do
		rejects '--universe: ' -e 1 --at-end --universe=$u
	done
	# an identifier that comes and goes for ever: the horizon is missing, not epsilon
	for e in 1 inf; do
		for u in '' --universe=9 '--statistic=cropped --tau=3'; do
			rejects 'no mechanism is eligible: a horizon (-T) is needed here' -e $e \
			    --deletes $u
		done
	done
	rejects 'table needs a horizon here (-T)' -e 1 --deletes -M table
	rejects '--universe: a key must' -e 1 --at-end --universe=a,,b
	rejects "'a' is given twice" -e 1 --at-end --universe=a,b,a
	rejects 'No such file' -e 1 --at-end --universe=@nowhere
	for b in 0 8 15 17 1000 128M x; do
		rejects '--buckets: ' -e 1 --at-end --buckets=$b
	done
	rejects '--statistic: ' -e 1 --at-end --statistic=median
	rejects '--statistic=density needs --universe' -e 1 --at-end --statistic=density
	rejects '--time needs --value' -e 1 -T 9 -t 1 --time-format=epoch --bucket=1d --public-times
	rejects '--every and --at-end do not go together' -e 1 --at-end --every=3
	rejects 'a horizon (-T) is needed here' -e 1 -P
	rejects 'needs a horizon here (-T)' -e 1 --universe=9 -M cells
	# deletions: before a line is read
	for m in density hashed-bits running; do
		rejects "$m cannot undo what it has seen" -e 1 --at-end --universe=9 --deletes \
		    -M $m nowhere
	done
	rejects 'running is not pan-private' -e 1 --at-end -P -M running
	rejects '--pan-private and --no-pan-private' -e 1 --at-end -P --no-pan-private
	rejects '--pan-private: refused with --csv' -e 1 --at-end -P --csv
	rejects "none of those --help=mechanisms lists" -e 1 --at-end \
	    --statistic=density --universe=9 -M hashed
	rejects '--window: ' -e 1 -w 0
	rejects "--window: '1h' is a duration: that needs --bucket" -e 1 -w 1h
	for o in --deletes --presence --statistic=density --flips=2; do
		rejects "--window: refused with ${o%%=*}" -e 1 -w 3 $o
	done
	rejects 'is not pan-private' -e 1 -w 3 -P -M window
	for n in 0 -1 x 2M; do
		rejects "--flips: '$n'" -e 1 --at-end --deletes --flips=$n
	done
	rejects '--flips needs --deletes' -e 1 --at-end --flips=2
	rejects 'turnstile needs --flips' -e 1 --at-end --deletes --universe=9 -M turnstile
	rejects 'turnstile needs --universe: without one it is turnstile-table' -e 1 --at-end \
	    --deletes --flips=2 -M turnstile
	rejects 'turnstile-table has --flips up to 1000' -e 1 --at-end --deletes --flips=1001 \
	    -M turnstile-table
	for o in -r0:1 -mx -u1 --columns=2 --monotone; do
		rejects 'dpdistinct does not take this option' -e 1 --at-end $o
	done
}

@test "-P is the default wherever memory is private and nothing forbids it" {
	pan() {
		dpdistinct -e 1 --at-end --explain=json "$@" | jq .pan_private
	}
	[ "$(pan)" = false ]			# running
	[ "$(pan -P)" = true ]
	for m in cells density hashed hashed-bits; do
		[ "$(pan -M $m --universe=9)" = true ]
		[ "$(pan -M $m --universe=9 --no-pan-private)" = false ]
		[ "$(pan -M $m --universe=9 --csv)" = false ]
		[ "$(pan -M $m --universe=9 --seed=1)" = false ]
		[ "$(pan -M $m --universe=9 -t 1 --time-format=epoch --bucket=1d --public-times)" \
		    = true ]
		[ "$(pan -M $m --universe=9 -t 1 --time-format=epoch --bucket=1d --from=0 \
		    --to=86400)" = false ]
	done
	# a state file keeps it
	identifiers 9 >in
	dpdistinct -e 1 -T 99 --every=9 -M cells --universe=500 --state=S --init in >out
	grep -qxa 'pan-private 1' S
	dpdistinct --state=S in >>out
	dpdistinct -P --state=S in >>out
	[ "$(wc -l <out)" = 3 ]
	fails 5 dpdistinct --state=S --no-pan-private in
}

@test "--explain: relations, the division of epsilon, the other tool, the lower bound" {
	dpdistinct -e 1 --at-end --universe=10000 --explain=json >j -P
	jq -e '.neighbours | test("those of one identifier alone")' j
	jq -e '.notes | map(test("in place of another.*epsilon = 2;")) | any' j
	jq -e '.notes | map(test("epsilon, 0\\.9.* is for memory")) | any' j
	jq -e '.notes | map(test("dpcount -u FIELD -c 1")) | any' j
	# sqrt(m)/(4 cosh(1/2))
	jq -e '.lower_bound > 22.16 and .lower_bound < 22.18' j
	jq -e '.bound.max < 3 * .rmse.max and .mechanism == "density"' j
	dpdistinct -e 1 --at-end --universe=10000 --explain -P |
	    grep -q 'it is 4\.[0-9]* times that'
	# an event more for one, and one less for another; of presence, which of w comings and
	# goings
	event() {
		dpdistinct -e 1 -T 99 --explain=json "$@" |
		    jq -r '.notes[] | match("where one event.* it is (.*)").captures[0].string'
	}
	[ "$(event)" = epsilon ]
	[ "$(event --presence)" = 'twice as large, too' ]
	[ "$(event -M hashed --presence)" = 'twice as large, too' ]
	set -- -M turnstile --deletes --flips=2 --universe=9
	[ "$(event "$@")" = 'twice as large, too' ]
	[ "$(event "$@" --presence)" = 'four times as large' ]
	# which of its units: how far one moves a count is another matter
	dpdistinct -e 1 -T 9 --explain | grep -qx 'sensitivity   1 identifier'
	dpdistinct -e 1 -T 9 -w 3 --explain | grep -qx 'sensitivity   2 identifiers'
	# where memory is not private, the bound is none
	[ "$(dpdistinct -e 1 --at-end --explain=json | jq .lower_bound)" = 0 ]
	dpdistinct -e 1 --at-end --explain=json | jq -e '.mechanism == "running" and
	    (.rmse.max | . > 1.35 and . < 1.37)'
	# what dpcount can do, running can, under the same relation
	[ "$(dpdistinct -e 1 -T 1000 --presence --explain=json | jq .rmse.max)" = \
	    "$(dpcount -e 1 -T 1000 -u 1 -c 1 --explain=json | jq .rmse.max)" ]
	[ "$(dpdistinct -e 1 -T 1000 --explain=json | jq .rmse.max)" = \
	    "$(dpcount -e 1 -T 1000 -r 0:2 --explain=json | jq .rmse.max)" ]
	# and says who counts; and where nobody does
	says() { dpdistinct -e 1 "${@:2}" --explain | grep -qx "note  *$1"; }
	says 'the answers are a running count by normtree' -T 1000
	dpdistinct -e 1 -T 1000 --explain=json | jq -e '.noise.distribution | test("norm tree")'
	says 'the answers are a running count by input' --at-end
	says 'each answer has noise of its own' -T 100 -w 2
}

@test "alg1: asked for by name alone, and a small universe" {
	# of a universe of one no answer is far off, and it is not chosen all the same
	dpdistinct -e 1 -P --at-end --universe=1 --explain=json |
	    jq -e '.mechanism == "density" and .eligible[0].mechanism == "alg1" and
	    .eligible[0].rmse_max < .rmse.max'
	dpdistinct -e 1 --at-end --universe=100 -M alg1 --explain=json |
	    jq -e '.mechanism == "alg1" and .rmse.max == 100 and .pan_private'
	seq 100 >in
	for i in 1 2 3; do
		dpdistinct -e 1 --at-end --universe=100 -M alg1 in
	done | awk '$1 < 0 || $1 > 100 { exit 1 } END { exit NR != 3 }'
	fails 2 dpdistinct -e 1 --at-end --universe=5000 -M alg1
	[[ $stderr = *"alg1 is for a universe of at most 4096"*"take cells"* ]]
}

@test "each answer is paid for: the fewer, the better" {
	error() {
		dpdistinct -e 1 -M cells --universe=100 "$@" --explain=json | jq .rmse.max
	}
	{ error --at-end; error -T 1000 --every=500; error -T 1000 --every=10
	    error -T 1000; } >errors
	sort -gu errors | diff errors -
}

@test "state: one run in pieces has the bytes of one run; a key is kept, and names" {
	identifiers 90 >in
	head -n 30 in >piece.1
	head -n 60 in | tail -n 30 >piece.2
	tail -n 30 in >piece.3
	seq 500 >names
	for args in '-M cells --universe=500 --deletes' '-M density --universe=@names' '-M hashed' \
	    '-M hashed-bits --buckets=64' '-M table --deletes' \
	    '-M turnstile-table --deletes --flips=9' '-M moved --universe=500' \
	    '-M continual --universe=500 --updates=9' \
	    '-M phase --statistic=cropped --tau=5 --universe=500' \
	    '-M phase --statistic=incidence --tau=2 --universe=500' \
	    '-M alg2 --statistic=cropped --tau=5 --universe=500' '-M running'; do
		rm -f S
		# shellcheck disable=SC2086
		dpdistinct -e 1 -T 90 --every=3 --seed=5 $args in >whole 2>/dev/null
		# shellcheck disable=SC2086
		dpdistinct -e 1 -T 90 --every=3 --seed=5 $args --state=S --init </dev/null \
		    2>/dev/null
		for i in 1 2 3; do
			dpdistinct --state=S piece.$i 2>/dev/null
		done >out
		diff whole out || {
			echo "$args"
			return 1
		}
	done
	fails 5 dpdistinct --state=S --universe=500 in
	# without a seed: what came is known again (so many lines that no answer is cut to those)
	for i in {1..40}; do seq 25; done >in
	for m in running hashed-bits; do
		rm -f S
		dpdistinct -e 100000 -T 2000 --every=1000 -M $m --state=S --init in >out
		dpdistinct --state=S in | diff out -
	done
}

@test "state: a line more than the horizon, an answer too many" {
	identifiers 12 >in
	run -4 --separate-stderr dpdistinct -e 1 -T 10 -M cells --universe=500 in
	[ "${#lines[@]}" = 10 ]
	dpdistinct -e 1 --at-end -M cells --universe=500 --state=S --init in >out
	[ "$(wc -l <out)" = 1 ]
	fails 4 dpdistinct --state=S in
	[[ $stderr = *'the answer was given'* ]]
	[ -z "$output" ]
}

@test "memory is what the page says, whatever comes" {
	bytes() {
		dpdistinct -e 1 --at-end --explain=json "$@" | jq .memory_bytes
	}
	[ "$(bytes -M cells --universe=1000)" = 8016 ]
	[ "$(bytes -M density --universe=1000)" = 128 ]
	[ "$(bytes -M hashed)" = 2752792 ]
	[ "$(bytes -M hashed-bits)" = 43288 ]
	[ "$(bytes -M hashed --buckets=4096)" = 688408 ]
	[ "$(bytes -M hashed-bits -T 60000)" = 11032 ]
	seq 300000 >in
	dpdistinct -e 1 --at-end -M hashed --no-pan-private --state=S --init in >/dev/null
	dpdistinct -e 1 --at-end -M hashed --no-pan-private --state=S2 --init </dev/null >/dev/null
	[ "$(wc -c <S)" -le "$(($(wc -c <S2) + 99))" ]
}

@test "hashed: buckets by the number of lines, and intervals by what was found" {
	error() {
		dpdistinct -e 1 -P --at-end --explain=json "$@" | jq .rmse.max
	}
	awk -v many="$(error -T 10M)" -v before="$(error -T 10M --buckets=4096)" \
	    -v unknown="$(error)" 'BEGIN { exit !(many > 17000 && many < 19000 &&
	    before > 18 * many && unknown < 7000) }'
	awk 'BEGIN { for (i = 0; i < 1000000; i++) print i * 7919 % 1000 }' >in
	dpdistinct -q -e 1 -T 1M --at-end -M hashed-bits -B --seed 1 in 2>/dev/null >out
	awk '{ exit !($2 <= $1 && $1 <= $3 && $2 < 1000 && $3 > 1000 && $3 - $2 < 900) }' out
	# a state made before there was a wide level goes on as it was
	seq 1000 >in
	dpdistinct -q -e 1 -T 1M --every=1000 -M hashed --buckets=4096 --state=S --init in >out
	dpdistinct --state=S --state-show | grep -qx 'own-buckets 4096'
	dpdistinct -q --state=S -B --change in | awk '{ exit !(NF == 3) }'
	dpdistinct -q -e 1 -P -T 1M --every=1000 --state=S2 --init in >/dev/null
	dpdistinct --state=S2 --state-show | grep -qx 'own-buckets 4096+262144'
	dpdistinct -q --state=S2 in >/dev/null
	fails 5 dpdistinct -q --state=S2 --buckets=4096 in
	for b in 4096+ 4096+100 4096+16 4096+4096+4096 +4096 15 4096+134217728; do
		fails 2 dpdistinct -e 1 -P --at-end --buckets=$b in
	done
	fails 2 dpdistinct -e 1 -P --at-end --statistic=heavy --tau=3 --buckets=64+128 in
	[[ $stderr == *'B+W is for --statistic=distinct'* ]]
}

@test "--protect=identifier: the last W steps, each identifier with all that it does" {
	identifiers 300 >in
	for w in 1 7 40; do
		wholly -T 300 -w $w in >event
		wholly -T 300 -w $w --protect=identifier in | diff event -
		wholly -T 300 -w $w --protect=identifier --presence in | diff event -
	done
	dpdistinct -e 1 -T 365 -w 30 --protect=identifier --explain=json >j
	jq -e '(.neighbours | test("those of one identifier alone")) and .rmse.max > 370 and
	    .rmse.max < 373 and (.assumptions | any(test("protected together")))' j
	dpdistinct -e 1 -d 1e-6 -T 365 -w 30 --protect=identifier --presence --explain=json |
	    jq -e '.rmse.max < 61'
	dpdistinct -e 1 -T 365 -w 30 --explain=json |
	    jq -e '.neighbours | test("one line differs|one line") and (test("alone") | not)'
	for n in 100 150 50; do
		head -n $n in | dpdistinct -q --state=S $([ -e S ] || echo --init -e 1000 -T 300 \
		    -w 7 --protect=identifier) 2>/dev/null
		sed -i "1,${n}d" in
	done >out
	identifiers 300 | wholly -T 300 -w 7 - | paste out - | awk '{ d = $1 - $2
	    if (d * d > 100) bad = 1 } END { exit bad || NR != 300 }'
	fails 5 dpdistinct -q --state=S --protect=event </dev/null
	fails 2 dpdistinct -e 1 -w 7 --protect=identifier in
	[[ $stderr == *'needs -T'* ]]
	fails 2 dpdistinct -e 1 -T 9 -w 7 --protect=user in
	fails 2 dpdistinct -e 1 -T 9 --protect=identifier in
	fails 2 dpdistinct -e 1 -T 9 -w 3 --presence in
	[[ $stderr == *'but for --protect=identifier'* ]]
	# a state of before has no line of it
	dpdistinct -q -e 1 -T 300 -w 7 --state=S2 --init </dev/null
	fails 5 dpdistinct -q --state=S2 --protect=identifier </dev/null
}

# each M [STEP]: of lines "ID KEY TIME", for every TIME the distinct IDs of x, y, z so far, or, with
# STEP, of that time alone; an ID counts for its first M keys
each() {
	awk -v M="$1" -v step="${2:+1}" '
		$3 != last { if (NR > 1) show(); last = $3 }
		index(" x y z ", " " $2 " ") && $1 != "-" && !seen[$1, $2, step ? $3 : 0] &&
		    keys[$1, step ? $3 : 0] < M {
			seen[$1, $2, step ? $3 : 0] = 1
			keys[$1, step ? $3 : 0]++
			n[$2]++
		}
		END { show() }
		function show() {
			print n["x"] + 0 "\t" n["y"] + 0 "\t" n["z"] + 0
			if (step) delete n
		}'
}

@test "--key: of each declared key, an identifier counting for M keys" {
	integers 1200 | awk '{ x = $1 * 7919 + NR * NR; print "u" x % 60,
	    substr("xyzq", int(x / 60) % 4 + 1, 1), int(NR / 151) }' >in
	k='-v 1 -k 2 --keys=x,y,z'
	for M in 1 2 3 9; do
		each $M <in | tail -n 1 | diff - <(wholly --once $k -c $M in 2>&1 | tail -n 1)
		awk '{ print $1, $2, $3 * 86400 }' in | wholly $k -c $M -t 3 --time-format=epoch \
		    --bucket=1d --public-times -T 8 | grep -v 'more than' | cut -f 2- |
		    diff <(each $M <in) -
		awk '{ print $1, $2, $3 * 86400 }' in | wholly $k -c $M -t 3 --time-format=epoch \
		    --bucket=1d --from=1970-01-01 --to=1970-01-09 | grep -v 'more than' |
		    cut -f 2- | diff <(each $M <in) -
		for w in 1 1d; do
			awk '{ print $1, $2, $3 * 86400 }' in | wholly $k -c $M/step -w $w -t 3 \
			    --time-format=epoch --bucket=1d --public-times -T 8 |
			    grep -v 'more than' | cut -f 2- | diff <(each $M step <in) -
		done
	done
	# a line is a step
	head -n 50 in | awk '{ print $1, $2, NR }' >lines
	each 2 <lines | diff - <(wholly -T 50 $k -c 2 lines | grep -v 'more than')
	# an empty identifier is none, and a key that nobody declared costs nothing
	printf '%s\n' ,x a,q a,q a,x a,y a,z | wholly --once -F , $k -c 2 | grep -qx '1	1	0'
	printf '%s\n' 'a x' 'a q' 'b q' 'b r' | wholly --once $k -c 4 --other |
	    grep -qx '1	0	0	2'
}

@test "--key: what is protected, what is lost, what does not go with it" {
	k='-v 1 -k 2 --keys=x,y,z'
	dpdistinct -e 1 --once $k -c 2 --explain=json >j
	jq -e '.sensitivity == 2 and .rmse.max > 2.79 and .rmse.max < 2.81 and
	    (.neighbours | test("no two of one name")) and
	    (.assumptions | any(test("first 2 of its keys.*the rest are left out"))) and
	    (.neighbours | test("all present or all absent"))' j
	dpdistinct -e 1 --once $k -c 7 --explain=json | jq -e '.sensitivity == 3 and
	    (.assumptions | any(test("for each of its keys")))'
	# with delta K keys cost the square root
	for tool in 'dpdistinct -v 1' 'dpcount -m . -u 1'; do
		$tool -e 1 -d 1e-6 -T 365 -k 2 --keys=a,b,c,d,e,f,g,h -c 8 --explain=json |
		    jq .rmse.max
	done | paste - - | awk '{ exit !($1 < .55 * $2) }'
	run -0 --separate-stderr dpdistinct -e 1 --once $k -c 2 </dev/null
	[[ $stderr == *'more than 2 of the keys'*'-c 3 misses none'* ]]
	run -0 --separate-stderr dpdistinct -e 1 --once $k -c 3 </dev/null
	[ -z "$stderr" ]
	printf '%s\n' 'a x' 'a x' 'b q' 'a y' 'a z' >in
	dpdistinct --once $k -c 2 --check in 2>/dev/null >out
	grep -q '1.identifier=a.key=x' out || grep -q 'identifier=a' out
	[ "$(grep -c 'has counted for this name, or for as many' out)" = 2 ]
	for o in '--every=3' '--at-end' '-P' '--statistic=heavy --tau=3' '--universe=3' '-w 2' \
	    '-w 1,2' '-w 1' '--deletes' '--buckets=64' '--no-pan-private'; do
		fails 2 dpdistinct -e 1 -T 9 $k -c 2 $o
	done
	fails 2 dpdistinct -e 1 -T 9 $k
	fails 2 dpdistinct -e 1 -T 9 -c 2
	fails 2 dpdistinct -e 1 -T 9 --keys=x
	fails 2 dpdistinct -e 1 -T 9 -k 2 --keys=x -c 1
	fails 2 dpdistinct -e 1 -T 9 -v 1 -k 2 -c 1
	fails 2 dpdistinct -e 1 -T 9 $k -c 1 -u 1
	fails 2 dpdistinct -e 1 -T 9 $k -c 1/step
	# a state goes on, with who was seen of which key
	integers 300 | awk '{ print "u" $1 % 40, substr("xyz", $1 % 3 + 1, 1), NR }' >in
	for n in 100 150 50; do
		head -n $n in | dpdistinct -q --state=S $([ -e S ] || echo --init -e 10000 -T 300 \
		    $k -c 2) 2>/dev/null
		sed -i "1,${n}d" in
	done >out
	integers 300 | awk '{ print "u" $1 % 40, substr("xyz", $1 % 3 + 1, 1), NR }' | each 2 |
	    paste out - | awk '{ for (i = 1; i <= 3; i++) { d = $i - $(i + 3); if (d * d > 4)
	    bad = 1 } } END { exit bad || NR != 300 }'
	fails 5 dpdistinct -q --state=S -c 3 </dev/null
	fails 5 dpdistinct -q --state=S -v 2 </dev/null
}

# keyed K FILE: identifier, key, day: of days 0 to 11 distinct ones of x, y, z and the rest, in
# windows of 1, 3 and 7 days, where an identifier counts for K keys of a day
keyed() {
	awk -v K="$1" '{ k = index("xyz", $2); k = k ? k : 4
		if (($1, k, $3) in got || had[$1, $3] >= K) next
		had[$1, $3]++; got[$1, k, $3] = ids[$1] = 1 }
	    END { split("1 3 7", w, " ")
		for (t = 0; t < 12; t++)
			for (k = 1; k <= 4; k++)
				for (j = 1; j <= 3; j++) {
					c = 0
					for (u in ids)
						for (s = t - w[j] + 1; s <= t; s++)
							if ((u, k, s) in got) { c++; break }
					printf "%d%s", c, k == 4 && j == 3 ? "\n" : "\t"
				} }' "$2"
}

# days N IDENTIFIERS: so many events of twelve days, in any order
days() {
	integers "$1" | awk -v m="$2" '{ x = $1 * 7919 + NR * NR % 1009
		print "u" x % m, substr("xyzqr", int(x / 7) % 5 + 1, 1), int(x / 11) % 12 }'
}

@test "--key with windows: exact, in any order and as times advance, columns in their order" {
	days 600 40 >in
	sort -n -s -k 3 in >sorted
	set -- -v 1 -k 2 --keys=x,y,z --other=rest -t 3 --time-format=epoch --bucket=1s
	for K in 1 2 4; do
		keyed $K in | diff - <(wholly "$@" -c $K/step -w 1,3,7s --from=0 --to=12 in |
		    grep -v 'more than' | cut -f 2-)
		# the last bucket stays open, and late events are in the one that is
		keyed $K sorted | diff - <(wholly "$@" -c $K/step -w 1,3,7s --public-times -T 12 \
		    sorted | grep -v 'more than' | cut -f 2-)
	done
	# one window of several steps; of all of a name the columns of its windows
	keyed 4 in | cut -f 2,5,8,11 | diff - <(wholly "$@" -c 4/step -w 3s --from=0 --to=12 in |
	    cut -f 2-)
	wholly "$@" -c 4/step -w 1,3s --from=0 --to=12 -o csv in | head -n 1 |
	    grep -qx 'time,x_1,x_3s,y_1,y_3s,z_1,z_3s,rest_1,rest_3s'
	wholly "$@" -c 4/step -w 1,3s --from=0 --to=12 -o long in | sed -n 9p |
	    grep -Eqx '[^,]*,rest,3s,[0-9]+,,'
	# the clock: all in one bucket, in which a user counts for two of its keys
	printf '%s\n' 'a x' 'a y' 'a x' 'a z' 'b z' ' y' |
	    wholly -v 1 -k 2 --keys=x,y,z -c 2/step -w 1,2 --bucket=10000d --live |
	    grep -v 'more than' | cut -f 2- | grep -qx '1	1	1	1	1	1'
}

@test "--key with windows: a state goes on, with the stamps and the open step's allowance" {
	days 9000 3000 | sort -n -s -k 3 >in
	set -- -q -e 3 --seed=5 -v 1 -k 2 --keys=x,y,z --other=rest -t 3 --time-format=epoch \
	    --bucket=1s -c 2/step -w 1,3,7 --public-times -T 12
	dpdistinct "$@" in 2>/dev/null >want
	for n in 3 700 4001 8990; do
		rm -f S*
		head -n $n in | dpdistinct "$@" --state=S --init 2>/dev/null >got
		tail -n +$((n + 1)) in | dpdistinct -q --state=S 2>/dev/null >>got
		head -n 11 want | diff - got
	done
	# many stamps stand beside it; of a range no allowance does
	[ "$(stat -c %s S.tab?)" -gt 50000 ]
	rm -f S*
	set -- -q -e 3 --seed=5 -v 1 -k 2 --keys=x,y,z --other=rest -t 3 --time-format=epoch \
	    --bucket=1s -c 1/step -w 1,3,7 -T 12
	sort -R in >any
	dpdistinct "$@" --from=0 --to=12 any 2>/dev/null >want
	dpdistinct "$@" --from=0 --to=5 --state=S --init any 2>/dev/null >got
	dpdistinct -q --from=5 --to=6 --state=S any 2>/dev/null >>got
	dpdistinct -q --from=6 --to=12 --state=S any 2>/dev/null >>got
	diff want got
	fails 5 dpdistinct -q --state=S -c 2/step --from=12 --to=13 any
	rm -f S*
}

@test "--key with windows: K times the noise, what is said, and what is refused" {
	set -- -v 1 -k 2 --keys=x,y,z -t 3 --time-format=epoch --bucket=1s --from=0 --to=40
	for K in 1 2; do
		dpdistinct -e 1 "$@" -w 1,7 --shares=1/3,2/3 -c $K/step --explain
	done | awk '/^noise .*on every answer of 1$/ { sub(/.*scale /, ""); at[++n] = $1 + 0 }
	    /^7 steps/ { seven = 1 } /^last/ && seven { off[++m] = $3; seven = 0 }
	    END { exit !(n == 2 && at[1] == 3 && at[2] == 6 && m == 2 &&
		off[2] / off[1] > 1.99 && off[2] / off[1] < 2.01) }'
	dpdistinct -e 1 "$@" -w 1,7 -c 2/step --explain=json >j
	jq -e '.sensitivity == 2 and
	    (.neighbours | test("in one step, all present or all absent")) and
	    (.assumptions |
	    any(test("at up to 1.5 times epsilon, as other keys of it count")) and
	    any(test("22 bytes of memory for each identifier and key so far")))' j
	dpdistinct -e 1 "$@" -w 1,7 -c 1/step --explain | grep -q 'at up to 2 times epsilon'
	dpdistinct -e 1 "$@" -w 1,7 -c 3/step --explain | grep -q 'too, as each of its keys counts'
	dpdistinct -e 1 -d 1e-6 "$@" -w 1,7 -c 2/step --explain |
	    grep -q 'at up to 2 times epsilon, and up to 1 + e^epsilon times delta'
	for d in '' '-d 1e-6'; do
		dpaudit --plan -- dpdistinct -e 1 $d "$@" -w 1,7 -c 2/step |
		    grep -qx 'verdict	holds'
	done
	# a plan that has forgotten K
	dpdistinct -e 1 "${@/to=40/to=19}" -w 1,7 -c 2/step --explain=plan >plan
	for forget in 's/^\(value .*\) 2$/\1 1/' 's/^counter 4/counter 1/'; do
		sed "$forget" plan >less
		run -6 dpaudit --check-plan less
		[[ $output = *'its neighbours move the numbers of more columns'* ]]
	done
	# nothing is said of --protect, as /step says it
	run -0 --separate-stderr dpdistinct -e 1 "$@" -w 1,7 -c 3/step </dev/null
	[ -z "$stderr" ]
	rejects() {
		fails 2 dpdistinct -e 1 "${@:2}"
		[[ $stderr == *"$1"* ]]
	}
	rejects 'with --key it needs --per-user=K/step' "$@" -w 7 -c 2
	rejects 'without --window, -c K protects it whole' "$@" -w 7 -c 2/step --protect=identifier
	rejects '--pan-private: refused with --key' "$@" -w 7 -c 2/step -P
	rejects '--live without it' -v 1 -k 2 --keys=x -c 1/step -w 7 --bucket=1d --live=1d -t 3 \
	    --time-format=epoch
	rejects '--shares is for several windows' "$@" -w 7 -c 2/step --shares=1
	rejects '--deletes: refused with --key' "$@" -w 7 -c 2/step --deletes
	printf '%s\n' 'a x 1' 'a y 1' 'a z 1' 'a z 2' >in
	dpdistinct "$@" -w 1,7 -c 2/step --check in 2>/dev/null >out
	[ "$(grep -c 'identifier=a' out)" = 3 ]
	[ "$(grep -c 'has counted for this name, or for as many' out)" = 1 ]
}

@test "--key with windows: memory is what --explain says" {
	# 100,000 identifiers of two keys, on one day: 22 so far, 33 that day, 80 until it ends
	integers 200000 | awk '{ print "u" NR % 100000, (NR > 100000 ? "x" : "y"), 0 }' >in
	set -- -v 1 -k 2 --keys=x,y -c 2/step -w 1,7 -t 3 --time-format=epoch --bucket=1s
	for how in '--public-times -T 9:55' '--from=0 --to=1:135'; do
		{ command time -f %M dpdistinct -q -e 1 "$@" ${how%:*} /dev/null
		command time -f %M dpdistinct -q -e 1 "$@" ${how%:*} in; } 2>&1 >/dev/null |
		    paste - - | awk -v most="${how#*:}" '{ each = ($2 - $1) * 1024 / 200000
			print each; exit !(each > 20 && each < most) }'
	done
}

# found PID PERL: how often the Perl code, which counts $hits, sees something in the memory that the
# process may write to; 2: may not look
found() {
	perl -e '
		my ($pid, $code) = @ARGV;
		open my $maps, "<", "/proc/$pid/maps" or exit 2;
		open my $mem, "<:raw", "/proc/$pid/mem" or exit 2;
		my ($hits, $seen) = (0, 0);
		while (<$maps>) {
			my ($a, $b) = /^([0-9a-f]+)-([0-9a-f]+) rw/ or next;
			next if /\[v(var|syscall)/;
			my ($from, $n) = (hex $a, hex($b) - hex($a));
			sysseek $mem, $from, 0 or next;
			my $got = sysread $mem, my $buf, $n;
			next unless $got;
			$seen += $got;
			local $_ = $buf;
			eval $code;
			die $@ if $@;
		}
		exit 2 if $seen < 100000;
		print "$hits\n";' "$1" "$2"
}

# holds HITS PERL LINES ARG ...: after so many lines were answered
holds() {
	local want=$1 code=$2 lines=$3 rc=0 look

	shift 3
	# six digits stand in 8 MB of random bytes once in 300,000 runs, but not in three
	for look in 1 2 3; do
		talk dpdistinct -e 1 -T 20000 --every="$(wc -l <"$lines")" "$@"
		cat "$lines" >&6
		read -r -t 300 -u 7 answer
		until_true blocked "$pid"
		hits=$(found "$pid" "$code") || rc=$?
		hangup
		[ $rc -ne 2 ] || skip 'may not read the memory of other processes'
		echo "$hits hits: $*"
		[ "$want" = none ] && [ "$hits" -gt 0 ] || break
	done
	if [ "$want" = none ]; then
		[ "$hits" = 0 ]
	else
		[ "$hits" -gt 0 ]
	fi
}

@test "-P: between lines none of 10,000 identifiers is in memory" {
	unsanitized "a sanitizer's memory is not the tool's"
	needs perl
	seq -f 'Zeugnis-%05.0f-xyz' 10000 >in
	# that the search can find something: the last lines are in the reader
	holds some '$hits++ while /Zeugnis-\d{5}/g' in -M hashed --no-pan-private
	holds none '$hits++ while /Zeugnis-\d{5}/g' in -M hashed
	holds none '$hits++ while /Zeugnis-\d{5}/g' in -M hashed-bits
	holds none '$hits++ while /eugnis-\d{5}/g' in -M hashed --deletes
}

@test "the noise of an answer is in a function of its own, below the frame that wipes" {
	local f name object=$DP_BUILD/lib/sketch n=0

	needs nm
	cd "$BATS_TEST_DIRNAME/../../lib/sketch"
	# called by a pointer that another file has set: it is never part of the frame that wipes
	[ "$(grep -l sodium_stackzero ./*.c)" = ./sketch.c ]
	for f in $(grep -l 'mem\.count = ' ./*.c); do
		[ "$f" != ./sketch.c ]
		for name in $(sed -n 's/^\tk->mem\.count = \([a-z0-9_]*\);/\1/p' "$f"); do
			echo "$f: $name"
			nm "$object/${f%.c}.o" | grep -q " t $name\$"
			n=$((n + 1))
		done
	done
	[ $n = 12 ]
}

@test "-P: nor the number of one, as text or as a place" {
	unsanitized "a sanitizer's memory is not the tool's"
	needs perl
	seq 777000 777777 >in
	# digits stand in a table of all pairs of them, too
	local last='$hits++ while /(?<!\d)7777\d\d(?!\d)/g;
	    for (my $i = 0; $i + 8 <= length; $i += 8) {
		my $v = unpack "Q<", substr $_, $i, 8;
		$hits++ if $v >= 777700 && $v < 777777 }'
	holds some "$last" in -M cells --universe=999999 --no-pan-private
	for m in cells density 'anew --looks=1' 'anew-cells --looks=1' 'sample --buckets=4096'
	do
		# shellcheck disable=SC2086
		holds none "$last" in -M $m --universe=999999
	done
	holds none "$last" in -M phase --universe=999999 --statistic=cropped --tau=5
}

# real FILE PATTERN: what matches in a log of the shared data, or made-up addresses
real() {
	local log=$BATS_TEST_DIRNAME/../../../shared/data/$1

	if [ -r "$log" ]; then
		grep -oE "$2" "$log"
	else
		integers 3000 | awk '{ print "192.0.2." $1 % 250 }'
	fi
}

# within FILE ARG ...: an interval that one in 10^10 misses holds the number of distinct lines
within() {
	local file=$1 lines

	shift
	lines=$(wc -l <"$file")
	dpdistinct -e 2 -T "$lines" --every="$lines" -o json -B0.9999999999 "$@" "$file" |
	    jq -e --argjson n "$(sort -u "$file" | wc -l)" '.lo <= $n and $n <= .hi'
}

@test "client addresses of a web server, attackers of a host: exact, private, with bounds" {
	real apache_access.log '^[0-9a-f.:]+' >clients
	real openssh.log 'rhost=[^ ]+' >attackers
	for log in clients attackers; do
		[ "$(wholly --at-end -M running $log)" = "$(sort -u $log | wc -l)" ]
		within $log -M running
		within $log -M running --presence
		within $log -M hashed-bits
		sort -u $log >universe
		within $log -M density --universe=@universe
		within $log -M cells --universe=@universe
	done
}

@test "no universe: no answer above the lines; auto refuses what says nothing, by name it is said" {
	local how
	seq 300 >in
	for how in '' --explain '--state=S --init' '--deletes'; do
		# shellcheck disable=SC2086
		run -2 --separate-stderr dpdistinct -e 1 -P -T 300 $how in
		[ -z "$output" ]
		[[ $stderr == *"no mechanism tells anything here: hashed"* ]]
		[[ $stderr == *" 300 identifiers from none"* ]]
		[[ $stderr == *--universe*--every*--at-end*--no-pan-private* ]]
	done
	[ ! -e S ]
	# what it names does
	[[ $(dpdistinct -e 1 -P -T 300 --at-end in 2>&1) == *", have fewer --buckets, "* ]]
	for how in '-P --universe=300' '-P --at-end --buckets=64' --no-pan-private; do
		# shellcheck disable=SC2086
		dpdistinct -e 1 -T 300 $how in >/dev/null
	done
	dpdistinct -e 1 -P -T 300 -M hashed-bits -B in 2>/dev/null >out
	awk '$1 > NR || $1 < 0 || $2 > $1 || $3 < $1 || $3 > NR { exit 1 }' out
	dpdistinct -e 1 -P -T 300 -M hashed-bits --explain >said
	grep -q 'by no more than 300 on all lines at once' said
	grep -q 'NO INFORMATION' said
	dpdistinct -e 1 -P -T 6000 --every=6000 --explain >said
	run -1 grep 'NO INFORMATION' said
	# what was begun by name goes on
	head -n 9 in | dpdistinct -q -e 1 -P -T 300 -M hashed-bits --state=S --init >/dev/null
	tail -n 9 in | dpdistinct -q --state=S | grep -c . | grep -qx 9
	# one that is named says so, too
	for m in hashed hashed-bits; do
		run -0 --separate-stderr dpdistinct -e 1 -T 300 -M "$m" in
		[[ $stderr == *"NO INFORMATION: "*"no count below 300"* ]]
	done
	# and it is not chosen where another says more
	dpdistinct -e 0.01 -T 100 --no-pan-private --explain=json |
	    jq -e '.mechanism == "running" and .rmse.max > 100'
}

@test "no lines at all: an estimate with its interval" {
	for s in '' '--statistic=heavy --tau=3' '--statistic=incidence --tau=3'; do
		# shellcheck disable=SC2086
		dpdistinct -q -e 1 -T 9 --seed=3 --at-end -B --universe=9 $s </dev/null |
		    awk -F '\t' '{ exit !($1 != "" && $2 <= $1 && $1 <= $3) }' ||
		    { echo "$s"; false; }
	done
}

@test "--explain: the least error besides a factor, of hashed identifiers" {
	additive() {
		dpdistinct -P --at-end --explain=json "$@" | jq -r '.notes[]' |
		    sed -nE 's/.*probability ([0-9.]+), has a B of .1 - A. ([0-9.]+) .*/\1 \2/p'
	}
	[ "$(additive -e .1)" = '0.95 14.5' ]
	[ "$(additive -e .1 -B.99)" = '0.99 22.5' ]
	[ "$(additive -e .01 --deletes -M hashed)" = '0.95 147' ]
	[ -z "$(additive -e 3)" ]		# not one
	[ -z "$(additive -e .1 --universe=9)" ]	# no factor
}

@test "-M moved: answers that are farther off than there are identifiers are no information" {
	seq 300 >ids
	dpdistinct -e .5 -P -M moved --universe=10000 -T 300 ids 2>err >/dev/null
	grep -q '^dpdistinct: NO INFORMATION: right answers differ by at most 300' err
	dpdistinct -e 1 -P -M moved --universe=1M -T 1M --explain >said 2>&1
	run ! grep 'NO INFORMATION' said
}

@test "-M moved: a density is the number over the universe, exact without noise, within its bound" {
	local what
	awk 'BEGIN { for (i = 0; i < 4000; i++) print i * i % 1999 + 1 }' >in
	dpdistinct -q -e inf -P -M moved --universe=2000 -T 4000 --statistic=density in >out
	awk 'NR == FNR { if (!($1 in seen)) n++; seen[$1]; want[NR] = n / 2000; next }
	    { d = $1 - want[FNR]; if (d < -1e-6 || d > 1e-6) exit 1 }
	    END { exit FNR != 4000 }' in out
	for what in distinct density; do
		dpdistinct -e 4 -P --universe=2000 -T 4000 --statistic=$what --explain=json |
		    jq -r '[.mechanism, .rmse.max, .bound.all_steps] | @tsv'
	done | awk '{ if ($1 != "moved") exit 1; error[NR] = $2; bound[NR] = $3 }
	    END { e = error[2] * 2000 / error[1]; b = bound[2] * 2000 / bound[1]
	    exit !(.999 < e && e < 1.001 && .98 < b && b < 1.001) }'
	dpdistinct -q -e 4 -P -M moved -B --universe=2000 -T 4000 --statistic=density in >out
	awk 'NR == FNR { if (!($1 in seen)) n++; seen[$1]; want[NR] = n / 2000; next }
	    $2 > want[FNR] || $3 < want[FNR] { exit 1 }' in out
}

@test "-M moved: errors of --explain are those of all answers; messages of R%K" {
	local rows
	dpdistinct -e 1 -P -M moved --universe=2000 -T 10000 --explain >said
	rows=$(sed -n '/^step/,/^worst/p' said | awk 'NR > 1 { print $3, $4 }' | uniq)
	[ "$(wc -l <<<"$rows")" -eq 1 ]
	grep -qE "^moved +${rows% *} " said
	grep -qF "stays within ${rows#* } at every one of the 10000 steps" said
	dpdistinct -e 1 -P -M moved --universe=2000 -T 10000 --explain=json |
		jq -e '.rmse.max == .rmse.last and .bound.max == .bound.first'
	fails 2 dpdistinct -e 1 -T 9 --universe=9 --tau=1%2 </dev/null
	[[ $stderr = *"--tau: '1%2' is for incidence"* ]]
	fails 2 dpcount -e 1 -T 9 --expire=gradual </dev/null
	[[ $stderr = *"gradual:LAMBDA"* ]]
	dpdistinct -e 1 -T 9 --universe=9 --statistic=incidence --tau=1%2 --explain >said
	grep -q 'came so often that it is 1 modulo 2$' said
}

@test "errors of moved and of many buckets are what the pages say" {
	local page
	off() {
		dpdistinct -e 1 -P "$@" --explain=json | jq .rmse.max
	}
	page=$(tr '\n' ' ' <"$BATS_TEST_DIRNAME/../../man/dpdistinct.1")
	[[ $page = *'from 318,000 to 18,000. .Fl -buckets Ns =8388608 takes it to 8,800,'* ]]
	set -- -T 10M --at-end -M hashed-bits
	{ off "$@" --buckets=4096; off "$@"; off "$@" --buckets=8388608; } | paste - - - |
	    awk '{ exit !($1 > 317500 && $1 < 318500 && $2 > 17500 && $2 < 18500 && $3 > 8750 &&
		$3 < 8850) }'
	page=$(tr '\n' ' ' <"$BATS_TEST_DIRNAME/../../man/dputils-formulas.7")
	within() {
		dpdistinct -e 1 -P "$@" --explain |
		    sed -nE 's/^With probability 0.95 the error stays within \+-([^ ]*) .*/\1/p' |
		    xargs printf '%.0f\n'
	}
	[[ $page = *'within \(+-11,005 '*' 9,171 '*' lines each; .Cm density within 696,788.'* ]]
	set -- -T 10000 --universe=100000
	[ "$(within "$@" -M moved --live --bucket=1s)" = 11005 ]
	[ "$(within -T 1M --every=100 --universe=100000 -M moved)" = 9171 ]
	[ "$(within "$@" -M density)" = 696788 ]
	[[ $page = *'or 11,719 with one line each, or 30,441 with a hundred, where '* ]]
	[[ $page = *'.Cm density has 139,524,000.'* ]]
	[ "$(within -T 100M --every=100 --universe=1M -M moved)" = 30441 ]
	set -- -T 1M --universe=1M
	[ "$(within "$@" -M moved --live --bucket=1s)" = 35217 ]
	[ "$(within "$@" -M moved)" = 11719 ]
	[ "$(within "$@" -M density)" = 139524000 ]
	# eight lines are off by eight at the most, printed ones too
	[ "$(within -T 8 --universe=1000 -M moved)" = 8 ]
	seq 8 | dpdistinct -q -e 1 -T 8 --universe=1000 -M moved --seed=1 -B 2>err |
	    awk -F '\t' '{ n++; wide += $3 - $2 > 16 } END { exit n != 8 || wide }'
	[[ $page = *'4.2/sqrt(B) of D for B = 4096 and 3.8/sqrt(B) for B = 65536, '* ]]
	{ off -T 1M --at-end -M hashed --buckets=4096; off -T 1M --at-end -M hashed \
	    --buckets=65536; } | paste - - | awk '{ a = $1 * 64 / 1e6; b = $2 * 256 / 1e6
		exit !(a > 4.15 && a < 4.25 && b > 3.7 && b < 3.8) }'
	# what is expected is of the worst input, and no bound
	set -- dpdistinct -e 1 -P -T 10000 --universe=100000 --explain
	"$@" -M moved >said
	grep -q 'Expect the estimate to be off by up to about 840, and by no more than 1621' said
	grep -qx 'moved: of the worst input, a number that stands still; less of others' said
	"$@" -M density | grep -q 'Expect the estimate to be off by about'
}
