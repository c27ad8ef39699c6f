# SPDX-License-Identifier: ISC
# --dropped: the share of events that -c leaves out, in a column of its own.
load ../lib/helper

# events N: "SECOND USER VALUE" of seven days in no order, some users often; of nobody, of 0
events() {
	integers "$1" | awk '{ t = ($1 * 60101 + NR * 7001) % 604800
	    u = NR % 97 == 0 ? "" : NR % 4 == 0 ? "often" : "u" int($1 * $1 / 9000)
	    print t "," u "," ($1 * 7919 + NR * 13) % 31 - 10 }'
}

# shares K D LO HI W: of each day, the sum of its last W days, and the share that is left out
shares() {
	awk -F, -v K="$1" -v D="$2" -v lo="$3" -v hi="$4" -v W="$5" '
	    { b = int($1 / 86400); v = lo == "" ? 1 : $3 < lo ? lo : $3 > hi ? hi : $3 }
	    $2 == "" || v == 0 { next }
	    { n[b, $2]++ }
	    n[b, $2] <= K { sum[b] += v; kept[b]++; next }
	    n[b, $2] <= K + D { left[b]++ }
	    END { for (b = 0; b < 7; b++) {
	        s = k = l = 0
	        for (i = b - W + 1; i <= b; i++) { s += sum[i]; k += kept[i]; l += left[i] }
	        printf (k + l > 0 ? "%d\t%.6f\n" : "%d\t\n"), s, (k + l > 0 ? l / (k + l) : 0) } }'
}

week=(-F , -t 1 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-08)

# refused WORDS COMMAND ..: by options alone, in a message with these words
refused() {
	fails 2 "${@:2}" /dev/null
	[[ $stderr = *"$1"* ]] || { echo "$stderr"; return 1; }
}

@test "--dropped: counts, sums, windows and their shares are awk's" {
	events 4000 >in
	for of in '1 10' '5 50' '5 3' '40 400' '3 1'; do
		read -r k d <<<"$of"
		with=--dropped=$d
		[ "$d" != $((10 * k)) ] || with=--dropped
		shares $k $d '' '' 1 <in >want
		dpwindow -qe inf -w 1 -u 2 -c $k/step $with "${week[@]}" in 2>/dev/null |
		    cut -f 2- | diff want -
		shares $k $d -5 12 1 <in | paste - <(shares $k $d -5 12 3 <in) >want
		dpwindow -qe inf -w 1,3d -u 2 -c $k/step $with -v 3 -r -5:12 "${week[@]}" in \
		    2>/dev/null | cut -f 2- | diff want -
	done
	# so far, in a table of each day that is open; and of what matches
	shares 5 50 '' '' 7 <in >want
	sort -t , -k 1n in >sorted
	dpcount -qe inf -u 2 -c 5/step --dropped "${week[@]:0:6}" --public-times -T 7 sorted \
	    2>/dev/null | cut -f 2- | diff want -
	awk -F, '$3 > 0' in | shares 5 50 '' '' 7 >want
	dpcount -qe inf -u 2 -c 5/step --dropped -v 3 -m '^[1-9]' "${week[@]}" in 2>/dev/null |
	    cut -f 2- | diff want -
	# a table: all of a run is one step
	sed 's/^[0-9]*/0/' in | shares 20 200 '' '' 1 | head -n 1 >want
	dpcount -qe inf --once -F , -u 2 -c 20 --dropped in 2>/dev/null | diff want -
	dpwindow -qe inf --once -F , -u 2 -c 20 --dropped -w 1 in 2>/dev/null | diff want -
	# by the clock, whatever bucket is now; nothing is no share
	dpcount -qe inf -F , -u 2 -c 20/step --dropped --bucket=10000d --live in 2>/dev/null |
	    cut -f 2- | diff want -
	dpcount -qe inf --once -u 1 -c 2 --dropped /dev/null 2>/dev/null | diff <(printf '0\t\n') -
}

@test "--dropped: a column more in every form, with -B its interval" {
	events 4000 >in
	set -- dpwindow -qe 4 --seed=3 -u 2 -c 5/step --dropped "${week[@]}" -w 7
	"$@" in | cut -f 1 >days
	"$@" -B -o json in | jq -r '.estimate, .lo, .hi | [.count, .dropped] | @tsv' |
	    paste - - - >json
	awk -F '\t' '{ if (NF != 6 || $3 > $1 || $5 < $1) bad = 1
	    if ($4 < 0 || $4 > $2 || $6 < $2 || $6 > 50 / 55 + 1e-6) bad = 1 }
	    END { exit bad || NR != 7 }' json
	"$@" -B in | awk -F '\t' -v OFS='\t' '{ print $2, $5 + 0, $3, $6 + 0, $4, $7 + 0 }' |
	    diff json -
	"$@" -B -o csv in >csv
	[ "$(head -n 1 csv)" = time,count,count_lo,count_hi,dropped,dropped_lo,dropped_hi ]
	"$@" -B in | tr '\t' , | diff <(tail -n +2 csv) -
	"$@" -B -o long in | tail -n +2 | cut -d , -f 4- | paste -d , - - |
	    diff <(tail -n +2 csv | cut -d , -f 2-) -
	"$@" -B -o prometheus in | grep -v '^#' >prometheus
	IFS=, read -r _ n lo hi s slo shi <<<"$(tail -n 1 csv)"
	for row in "{statistic=\"count\"} $n" "{statistic=\"dropped\"} $s" \
	    "_lo{statistic=\"count\"} $lo" "_hi{statistic=\"count\"} $hi" \
	    "_lo{statistic=\"dropped\"} $slo" "_hi{statistic=\"dropped\"} $shi"; do
		grep -Fx "dpwindow$row" prometheus
	done
	# the intervals have the truth, and are narrow where there are many events
	shares 5 50 '' '' 7 <in | paste - json | awk '{
	    if ($1 < $5 || $1 > $7 || $2 < $6 || $2 > $8) bad = 1; last = $8 - $6 }
	    END { exit bad || last > .25 || NR != 7 }'
	# no share where noise hides the number of events, and its interval there says nothing
	dpcount -qe 1 --seed=1 --once -u 1 -c 5 --dropped -B -o csv /dev/null |
	    diff <(printf '%s\n' count,count_lo,count_hi,dropped,dropped_lo,dropped_hi \
	    '1,-29,32,,0.000000,0.909091') -
	dpplot --run "$@" -B in >chart 2>/dev/null
	[ -s chart ]
}

@test "--dropped: a state goes on in the middle of a day, and no event counts twice" {
	events 1500 | sort -t , -k 1n >in
	for how in 'dpcount' 'dpwindow -w 1,3 -v 3 -r -5:12 -B'; do
		set -- $how -qe 1 --seed=7 -u 2 -c 5/step --dropped=9 "${week[@]:0:6}"
		"$@" --public-times -T 7 in >whole 2>/dev/null
		rm -f s s.*
		"$@" --public-times -T 7 --state=s --init /dev/null >parts 2>/dev/null
		for i in 1 301 302 601 901 1201; do
			tail -n +$i in | head -n $((i == 301 ? 1 : i == 302 ? 299 : 300)) |
			    $1 -q --state=s >>parts 2>/dev/null
		done
		sed '$d' whole | diff - parts		# the last day is open
		[ "$(wc -l <parts)" -eq 6 ]
	done
	fails 5 dpwindow -q --state=s --dropped=8 /dev/null
	dpwindow --state-show --state=s | grep -Fx 'set-dropped 9'
	# killed after any line, and run again
	rm -f s s.*
	set -- dpwindow -qe 1 --seed=7 -w 1 -u 2 -c 5/step --dropped -F , -t 1 --time-format=epoch \
	    --bucket=1d -T 7
	"$@" --from=1970-01-01 --to=1970-01-08 in >whole
	"$@" --from=1970-01-01 --to=1970-01-04 --state=s --init --batch=1 in >parts
	dpwindow -q --state=s --batch=1 --from=1970-01-01 --to=1970-01-04 in | diff parts -
	dpwindow -q --state=s --batch=2 --from=1970-01-04 --to=1970-01-08 in >>parts
	diff whole parts
	# a run a step, whose users are told apart anew
	rm -f s s.*
	set -- -e 10000 --seed=1 -T 9 --once -F , -u 2 -c 5/step --dropped=9
	dpwindow -q -w 1 "$@" --state=s --init in >parts 2>/dev/null
	dpwindow -q --state=s in >>parts 2>/dev/null
	sed 's/^[0-9]*/0/' in | shares 5 9 '' '' 1 | head -n 1 >want
	awk '{ printf "%s\t%.2f\n", $1, $2 }' want want | diff - <(awk '{
	    printf "%s\t%.2f\n", $1, $2 }' parts)
	# empty days that no run was given are steps of a window
	for how in --dropped '-v 3 -r auto'; do
		rm -f s s.*
		set -- -e 100000 --seed=1 -T 7 -w 3 -u 2 -c 5/step $how "${week[@]:0:6}"
		dpwindow -q "$@" --state=s --init --from=1970-01-01 --to=1970-01-02 in >/dev/null
		dpwindow -q --state=s --from=1970-01-05 --to=1970-01-06 in >parts
		dpwindow -q "$@" --from=1970-01-05 --to=1970-01-06 in | cut -f 1,2 |
		    diff - <(tail -n 1 parts | cut -f 1,2)
	done
}

@test "--dropped: --explain says what it costs, and of what; the ledger's unit; the plan holds" {
	alone=$(dpcount -e 1 -u 2 -c 5/step "${week[@]}" -M input --explain=json | jq .rmse.max)
	dpcount -e 1 -u 2 -c 5/step --dropped "${week[@]}" -M input --explain=json >j
	jq -e ".rmse.max / $alone | . > 1.98 and . < 2.02" j
	jq -e '.sensitivity == 10' j
	jq -r '.notes[]' j >notes
	grep -F 'for half of the budget, so a count has twice the noise that it has without' notes
	grep -F 'the 50 after these are left out, and later ones are not looked at: no' notes
	grep -F 'above 0.9091' notes
	jq -r .neighbours j >neighbours
	grep -F 'of one user in one step, all present or all absent, of which at most 55' neighbours
	jq -r '.assumptions[]' j | grep -F 'the rest are left out, and the column dropped has their'
	# three numbers of a sum; with Gaussian noise sqrt(2), or a little more
	alone=$(dpcount -e 1 -u 2 -c 5/step -v 3 -r 0:9 "${week[@]}" -M input --explain=json |
	    jq .rmse.max)
	dpcount -e 1 -u 2 -c 5/step -v 3 -r 0:9 --dropped=7 "${week[@]}" -M input --explain=json |
	    jq -e ".rmse.max / $alone | . > 2.98 and . < 3.1"
	alone=$(dpcount -e 1 -d 1e-6 -u 2 -c 5/step "${week[@]}" -M blt --explain=json |
	    jq .rmse.max)
	dpcount -e 1 -d 1e-6 -u 2 -c 5/step --dropped "${week[@]}" -M blt --explain=json |
	    jq -e ".rmse.max / $alone | . > 1.4 and . < 1.45"
	for how in '-e 1 --dropped' '-e 1 -d 1e-6 -M blt --dropped' \
	    '-e 1 -v 3 -r -4:9 --dropped=7'; do
		# shellcheck disable=SC2086
		run -0 dpaudit --plan -- dpcount -u 2 -c 5/step "${week[@]}" $how
		[[ $output = *$'verdict\tholds' && $output = *$'claim\tonce '* ]]
	done
	[[ $output = *$'once 3 -315 315 0 3\n'* ]]
	dpbudget --init --total=user-step/1d:3 b
	dpcount -qe 1 -u 2 -c 5/step --dropped "${week[@]}" --budget=b /dev/null >out
	dpbudget --show b | grep -F 'user-step/1d'
	fails 4 dpcount -qe 3 -u 2 -c 5/step --dropped "${week[@]}" --budget=b /dev/null
	# who starts a run is told
	run -0 --separate-stderr dpcount -e 1 -u 2 -c 5/step --dropped "${week[@]}" /dev/null
	[ "$stderr" = "dpcount: of a user's events in a step only the first 5 count (-c): the\
 rest are left out, and the column dropped has their share; --each-user=HOW has all of a user's\
 events in a step count, as one" ]
	dpwindow -e 1 -w 7 -u 2 -c 1/step --dropped "${week[@]}" /dev/null 2>&1 >out |
	    grep -F 'who is there in 7 steps counts 7 times'
}

@test "--dropped: --check shows which events are left out" {
	out='left out: its user has had as many events as --per-user allows'
	printf '%s\n' 1,a,5 2,a,0 3,a,2 4,b,9 5,a,3 6,a,1 86400,a,4 >in
	dpcount --check -u 2 -c 1/step --dropped=2 "${week[@]}" in 2>err |
	    sed 's/\ttime=[^\t]*//' | cut -f 2- | diff - <(printf '%b\n' \
	    'value=1\tstep=1970-01-01T00:00:00Z\tuser=a' \
	    "value=1\t$out\tstep=1970-01-01T00:00:00Z\tuser=a" \
	    "value=1\t$out\tstep=1970-01-01T00:00:00Z\tuser=a" \
	    'value=1\tstep=1970-01-01T00:00:00Z\tuser=b' \
	    "nothing: its user has had as many events as --per-user and --dropped allow: 'a'" \
	    "nothing: its user has had as many events as --per-user and --dropped allow: 'a'" \
	    'value=1\tstep=1970-01-02T00:00:00Z\tuser=a')
	grep -F 'of 7 lines 3 count' err
	grep -F '4 events are beyond what -c lets a user have' err
	# what is 0 is no event, and uses up nothing
	dpcount --check -u 2 -c 2/step --dropped=2 -v 3 -r 0:4 "${week[@]}" in 2>/dev/null |
	    cut -f 2 | sed 's/ (.*//; s/: .*//' | paste -sd ' ' |
	    diff - <(echo 'value=4 nothing value=2 value=4 value=3 value=1 value=4')
}

@test "--dropped: what is refused, each with its cure" {
	r=(dpcount -e 1 --dropped "${week[@]}")
	refused 'needs it: -u FIELD -c K/step, with --bucket' "${r[@]}"
	refused '--user and --per-user go together' "${r[@]}" -c 5/step
	refused 'of the whole run: give -c K/step' "${r[@]}" -u 2 -c 5
	refused 'refused with -c K/B' "${r[@]}" -u 2 -c 5/2
	refused 'needs --bucket' dpcount -e 1 --dropped -u 2 -c 5/step
	refused 'or --once without --state' dpcount -e 1 --dropped --once -u 2 -c 5 --state=s \
	    --init -T 9
	refused 'refused with -c auto and --range=auto' "${r[@]}" -u 2 -c auto
	r+=(-u 2 -c 5/step)
	refused 'refused with --each-user' "${r[@]}" --each-user=any
	refused 'refused with --counter' "${r[@]}" --counter -v 3 -r 0:9
	refused 'refused with --key and --keys' "${r[@]}" -k 3 --keys=a,b
	refused 'give -c K/step, and -r LO:HI' "${r[@]}" -v 3 -r auto
	refused 'refused with --monotone' "${r[@]}" --monotone
	refused 'refused with --unit' "${r[@]}" -v 3 --unit=1
	refused 'pan-private: refused with --user' "${r[@]}" -P
	refused '-k and --keys' "${r[@]}" --top=2
	refused 'a share is none; leave them out' "${r[@]}" --integers
	refused 'a share is none; leave them out' "${r[@]}" --round=5
	refused 'a share is none; leave them out' "${r[@]}" --suppress=5
	refused '-k and --keys' "${r[@]}" --difference
	refused 'retention needs --each-user=any' "${r[@]}" --retention=3
	refused 'refused with --expire' "${r[@]}" --expire=3
	refused 'refused with --partial' dpcount -e 1 --dropped --partial=by-user -c 5/step \
	    "${week[@]:5}"
	refused 'range is required' "${r[@]}" -v 3
	refused 'must be a whole number from 1 to' dpcount -e 1 --dropped=0 \
	    "${r[@]:4}"
	refused 'below 2^50 grid units' "${r[@]}" -v 3 -r 0:999999999999999
	refused 'does not take this option' dpdecay -e 1 -a .5 --dropped
	refused 'does not take this option' dpmean -e 1 --dropped
	refused 'does not take this option' dpmap --dropped
	! [ -e s ]
}
