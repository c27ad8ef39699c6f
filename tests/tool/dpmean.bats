# SPDX-License-Identifier: ISC
# dpmean: means against awk at epsilon = inf, what it says of errors against runs, states, and what
# is refused.  tests/law/s_mean.c has the intervals.
load ../lib/helper

# exact ARG ...: dpmean without noise
exact() {
	exact_of dpmean "$@"
}

# logs: DAY*86400 VALUE KEY, 900 of them in 3 of 4 days, in ./in
logs() {
	awk 'BEGIN { for (i = 0; i < 900; i++) { x = (x * 69069 + 1) % 4294967296
	    d = i % 3; d += d == 2
	    print d * 86400 + i, int(x / 65536) % 41 - 10, i % 5 ? "a" : "b" } }' >in
	days=(-t 1 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-05 -v 2
	    -r -10:30)
}

# moments [CONDITION]: mean, sd, variance, count, sum of each of 4 days, and of what is held on to:
# day D weighs H^(D' - D) on day D', for W days
moments() {
	awk -v h="$1" -v w="$2" '{ d = int($1 / 86400); n[d]++; s[d] += $2; q[d] += $2 * $2 }
	    END { for (t = 0; t < 4; t++) {
		N = S = Q = 0
		for (d = 0; d <= t; d++) if (t - d < w) {
			g = h ^ (t - d); N += g * n[d]; S += g * s[d]; Q += g * q[d] }
		if (N == 0) { print "- - -", 0, 0; continue }
		v = Q / N - (S / N) ^ 2
		printf "%.5f %.5f %.5f %.0f %.0f\n", S / N, sqrt(v), v, N, S } }' in
}

# near [WHOLE]: of two times five columns those that differ by more than rounding, by more than
# WHOLE in the two last; - is an empty field
near() {
	awk -F '\t' -v OFS=' ' '{ for (i = 2; i <= 6; i++) if ($i == "") $i = "-"
	    print $2, $3, $4, $5, $6 }' got | paste -d ' ' - want | awk -v whole="${1-0}" '
	    NF != 10 { exit 1 }
	    { for (i = 1; i <= 5; i++) { d = $i - $(i + 5); most = i > 3 ? whole : .00002
	    if (($i == "-") != ($(i + 5) == "-") || d > most || d < -most) { print; bad = 1 } } }
	    END { exit bad || NR != 4 }'
}

@test "each bucket, windows, so far, half-lives: mean, sd, variance, count and sum are awk's" {
	logs
	all=--statistic=mean,sd,variance,count,sum
	for how in '1 1' '1 2 -w 2d' '1 9 --running'; do
		read -r h w option <<<"$how"
		moments "$h" "$w" >want
		exact "${days[@]}" $all $option in >got
		near
		dpmean -e inf "${days[@]}" --explain=json $option | jq -r '.eligible[].mechanism' |
		    while read -r m; do
			exact "${days[@]}" $all $option -M "$m" in >got
			near
		done
	done
	# of halves awk rounds every other one down
	moments .5 9 >want
	exact "${days[@]}" $all --half-life=1d in >got
	near 1
	# the second day has none, as the third
	awk '$1 < 86400 || $1 >= 172800' in >few
	mv few in
	moments 1 1 >want
	exact "${days[@]}" $all in >got
	near
	[ "$(exact "${days[@]}" -o json in | jq -c .estimate | sed -n 2p)" = null ]
	[ "$(exact "${days[@]}" -o csv in | sed -n 3p)" = 1970-01-02T00:00:00Z, ]
}

@test "lines: the mean so far; what is no number, and an empty line, is no event" {
	printf '3\n\n5\nx\n0\n40\n' >in
	printf '%s\n' 3.00000 3.00000 4.00000 4.00000 2.66667 9.50000 >want
	exact -r 0:30 in | diff want -
	# 0 is an event, where it is out of the range, too
	printf '0\n0\n4\n' | exact -r 2:10 | diff <(printf '2.000000\n2.000000\n2.666667\n') -
	seq 9 | exact -r 0:9 -w 1,3 -o tsv | sed -n '1p;4p' |
	    diff <(printf '1\t3\n3.000000\t2.000000\n') -
}

@test "-m: the share of events that match, by key; columns and members are named" {
	logs
	days=("${days[@]:0:8}")
	exact "${days[@]}" -m '^1.$' -k 3 --keys=a,b,c --statistic=mean,count -o csv in >got
	awk '{ d = int($1 / 86400); k = d "," $3; n[k]++; s[k] += $2 ~ /^1.$/ }
	    END { print "time,a_mean,a_count,b_mean,b_count,c_mean,c_count"
	    for (d = 0; d < 4; d++) { a = d ",a"; b = d ",b"
	    printf "1970-01-0%dT00:00:00Z,", d + 1
	    if (d == 2) print ",0,,0,,0"; else
	    printf "%.6f,%d,%.6f,%d,,0\n", s[a] / n[a], n[a], s[b] / n[b], n[b] } }' in | diff - got
	exact "${days[@]}" -r 0:1 -w 1d,2d --statistic=mean,sd -k 3 --keys=b -o tsv in |
	    head -n 1 |
	    diff <(printf 'time\tb_1d_mean\tb_1d_sd\tb_2d_mean\tb_2d_sd\n') -
	dpmean -e 1 "${days[@]}" -B -k 3 --keys=a,b -o json in | jq -e '.lo.a < .hi.b' >/dev/null
}

@test "users: at most so many events of one, the mean of those" {
	logs
	awk '{ $3 = NR % 7; print }' in >few
	exact "${days[@]}" -u 3 -c 2/step few >got
	awk '{ d = int($1 / 86400); if (c[d, $3]++ < 2) { n[d]++; s[d] += $2 } }
	    END { for (d = 0; d < 4; d++) if (n[d]) printf "1970-01-0%dT00:00:00Z\t%.5f\n", d + 1,
	    s[d] / n[d]; else printf "1970-01-0%dT00:00:00Z\t\n", d + 1 }' few | diff - got
}

@test "--explain: how far off a mean of N events is, and where none is printed" {
	# 400 steps of 100 events each: values 0 and 50 of 0:100, a quarter of them 50
	awk 'BEGIN { for (d = 0; d < 400; d++) for (i = 0; i < 100; i++)
	    print d * 86400, i % 4 ? 0 : 50 }' >in
	set -- -t 1 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1971-02-05 -v 2 -r 0:100
	dpmean -e 1 "$@" --statistic=mean,variance --explain >said
	grep -F 'a mean of N events is off by some 1.4e+04/N' said && false
	dpmean -e 1 "$@" --explain >said
	# sqrt((1 - r)^2 + r^2) of what is said, r = 1/8: within 15 %, 6 sd of 400
	off=$(sed -nE 's|.*off by some ([0-9.]*)/N, or .*|\1|p' said)
	half=$(sed -nE 's|.*, or ([0-9.]*)/N in the middle.*|\1|p' said)
	dpmean -e 1 --seed 5 "$@" in | awk -v off="$off" -v half="$half" '{ d = ($2 - 12.5) * 100
	    s += d * d } END { f = sqrt(s / NR) / (off * sqrt(.125 ^ 2 + .875 ^ 2)); print f
	    exit !(NR == 400 && f > .8 && f < 1.2 && half / off > .7 && half / off < .72) }'
	grep -E "$off/N.*: 14.1 for 10, 1.41 for 100, 0.141 for 1000" said
	# a variance where all values are at one end
	dpmean -e 1 "$@" --statistic=variance --explain >said
	off=$(sed -nE 's|.*a variance of N events is off by at most some ([0-9.e+]*)/N.*|\1|p' said)
	sed 's/50$/100/' in >far
	dpmean -e 1 --seed 6 --statistic=variance "$@" far | awk -v off="$off" '
	    { d = ($2 - 1875) * 100; s += d * d } END { f = sqrt(s / NR) / off; print f, off
	    exit !(NR == 400 && f > .25 && f < 1.1) }'
	# three numbers: sqrt((1 - r)^2 + (1/2 - r)^2 + r^2) of 1.118, r = 1/8; counts and sums:
	# each within 15 %, 4 sd of 400
	set -- "$@" --statistic=mean,sd,count,sum -o csv
	dpmean -e 1 "$@" --explain >said
	off=$(sed -nE 's|.*a mean of N events is off by some ([0-9.]*)/N, or .*|\1|p' said)
	of=$(sed -nE 's|.*a (count\|sum) is off by some ([0-9.]*)$|\2|p' said | paste -sd ' ')
	dpmean -e 1 --seed 8 "$@" in | awk -F , -v off="$off" -v of="$of" 'NR > 1 {
	    m += (($2 - 12.5) * 100) ^ 2; c += ($4 - 100) ^ 2
	    s += ($5 - 1250) ^ 2; n++ }
	    END { split(of, o, " ")
	    m = sqrt(m / n) / off / sqrt((.875 ^ 2 + .375 ^ 2 + .125 ^ 2) / 1.25)
	    c = sqrt(c / n) / o[1]; s = sqrt(s / n) / o[2]; print m, c, s
	    exit !(n == 400 && m > .85 && m < 1.15 && c > .85 && c < 1.15 && s > .85 && s < 1.15) }'
	# all of it is predicted as the mean is, windows by their names
	grep -E '^(first|worst) +[0-9]+ +158\.1' said
	dpmean -e 1 "$@" -w 1d,2d --explain=json >said
	jq -e '[.columns[].window] == ["1d", "2d"] and .rmse.last > .columns[0].rmse_last' said
	jq -e '[.notes[] | select(endswith("(of 2d, which has the most noise)"))] | length == 5' \
	    said
	set -- "${@:1:$#-3}"
	# none below 4 events, by the private count: of none 3 days in 100 have one, at most
	dpmean -e 1 "$@" --explain | grep -F 'number of events is below 4'
	n=$(dpmean -e 1 --seed 7 "$@" --statistic=count,mean /dev/null |
	    awk -F '\t' '$3 != "" && $2 < 4 { exit 1 } $3 != "" { n++ } END { print n + 0 }')
	[ "$n" -le 25 ]
}

@test "states: killed and resumed, in buckets and lines, noise is drawn once" {
	logs
	for how in '-w 1' '-w 1,2' --running --half-life=1d; do
		set -- -e 1 --seed 9 -T 4 -B --statistic=mean,sd,count "${days[@]}" $how -k 3 \
		    --keys=a,b
		dpmean "$@" in >whole 2>/dev/null
		[ "$(sort -u whole | wc -l)" = 4 ]
		rm -f s s.*
		for day in 1 2 3 4; do
			until=("${@/--to=*/--to=1970-01-0$((day + 1))}")
			awk -v d="$day" 'int($1 / 86400) == d - 1' in |
			    dpmean "${until[@]/%=1970-01-01/=1970-01-0$day}" --state=s $([ -e s ] ||
			    echo --init) 2>/dev/null
		done >got
		cmp whole got
	done
	seq 40 >in
	for how in '' '-w 3,7' --half-life=5; do
		set -- -e 1 --seed 9 -T 40 -r 0:40 -B --statistic=mean,variance,sum $how
		dpmean "$@" in >whole 2>/dev/null
		rm -f s s.*
		head -n 13 in | dpmean "$@" --state=s --init >got 2>/dev/null
		sed -n 14,20p in | dpmean --state=s >>got 2>/dev/null
		sed -n 21,40p in | dpmean --state=s >>got 2>/dev/null
		cmp whole got
		awk -F '\t' 'NF % 9 || $2 > $3 { exit 1 }' got
	done
	fails 4 dpmean --state=s <<<1
	fails 5 dpmean --state=s --statistic=sd </dev/null
	fails 5 dpmean --state=s -r 0:50 </dev/null
}

@test "-P: memory is private, in lines and in open buckets, and means are what they are" {
	seq 30 | dpmean -e 1000 -P -T 30 -r 0:30 >got
	seq 30 | awk '{ s += $1; printf "%.5f\n", s / NR }' | paste - got |
	    awk '{ d = ($1 - $2) * NR; if (d > 3 || d < -3) exit 1 }'
	seq 0 9 | awk '{ print $1 * 5, $1 }' |
	    dpmean -e 1000 -P -T 5 -t 1 --time-format=epoch --bucket=10s --public-times -v 2 \
	    -r 0:9 --running >got
	awk '{ d = $2 - (NR - .5); if (d > .3 || d < -.3) exit 1 } END { exit NR != 5 }' got
}

# rejects TEXT COMMAND: status 2, nothing printed, and that said
rejects() {
	run -2 --separate-stderr "${@:2}"
	[[ $output = "" && $stderr = *"$1"* ]] || { echo "$stderr"; false; }
}

@test "refused: no range, too wide a one, statistics and windows that are none" {
	rejects '--range: all values are one' dpmean -e 1 -T 9 -r 3:3
	rejects "--statistic: 'median' is none of" dpmean -e 1 -T 9 --statistic=mean,median
	rejects "--statistic: '' is none of" dpmean -e 1 -T 9 --statistic=
	rejects '--statistic: sd is given twice' dpmean -e 1 -T 9 --statistic=sd,mean,sd
	rejects 'only one can say which' dpmean -e 1 -T 9 -w 3 --running
	rejects 'only one can say which' dpmean -e 1 -T 9 --half-life=3 --running
	rejects '2^50 grid units' dpmean -e 1 -T 9 -r 0:1000000000000000
	rejects '--partial needs --bucket' dpmean -e 1 -T 9 --partial
	rejects '--unit: a total does not say how many events' dpmean -e 1 -T 9 --unit=1 -r 0:1
	rejects 'names of other columns' dpmean -e 1 -T 9 -v 2 -r 0:1 -o csv -k 1 \
	    --keys=time,b
	rejects 'two columns would have one name' dpmean -e 1 -T 9 -v 2 -r 0:1 -B \
	    -o csv -k 1 --keys=a,a_lo
	rejects "--value: which field's mean, or --match: the share of what" \
	    dpmean -e 1 -T 9 -k 1 --keys=a,b
	rejects "--value: which field's mean" dpmean -e 1 --once --where='1~a'
}

@test "values of any decimals: a millionth of the range, however it was written; variances too" {
	printf '%s\n' 3.7 2.25 0.1 9.876543 >in
	for r in 0:10 0.0:10.0 0.00000:10.00000; do
		exact --once -r $r --statistic=mean,sd,variance in
	done | awk '$1 != "3.98164" || $2 != "3.63644" || $3 < 13.22370 || $3 > 13.22374 {
	    print; bad = 1 }
	    END { exit bad || NR != 3 }'
	# sums in steps of what was written, and intervals of them beside
	[ "$(exact --once -r 0:10 --statistic=sum,count in)" = $'16\t4' ]
	dpmean -q -e 100 --seed=1 --once -B -r 0:10 --statistic=sum -o csv in | awk -F, 'NR == 2 {
	    exit !($1 == 16 && $2 >= 14 && $2 < 16 && $3 <= 18 && $3 > 16) }'
	# 0 and 1 stay whole numbers: less noise
	for e in 1:1.357:1.414 3:.332:.471 10:.0095:.141; do
		IFS=: read -r e match value <<<"$e"
		dpmean -e "$e" --once -m x --explain=json | jq -e "(.rmse.max / $match - 1) |
		    . < .005 and . > -.005"
		dpmean -e "$e" --once -r 0:1 --explain=json | jq -e "(.rmse.max / $value - 1) |
		    . < .005 and . > -.005"
	done
	dpmean --check -r 0:10 in 2>said | diff - <(printf 'standard input:%s\n' \
	    $'1\tvalue=3.7\tstep=1' $'2\tvalue=2.25\tstep=2' $'3\tvalue=0.1\tstep=3' \
	    $'4\tvalue=9.87654\tstep=4' | sed 's/standard input/in/')
	grep -F 'clamped to 0:10 (-r), rounded to 0.00001' said
}

@test "values of 0 and 1 alone: --explain says that -m has less noise, which it has" {
	dpmean -e 10 -r 0:1 --once --explain >said
	grep '^of .*; if all values are 0 or 1, -m .^1\$. has less noise$' said
	grep -o 'off by about [0-9.]*' said >off
	dpmean -e 10 -m '^1$' --once --explain | grep -o 'off by about [0-9.]*' >>off
	awk '{ e[NR] = $4 } END { exit !(e[2] * 10 < e[1]) }' off
	for range in 0:2 -1:1 0.5:1; do
		dpmean -e 10 -r $range --once --explain >said
		grep -F 'has less noise' said && false
	done
	dpquantile -e 10 -r 0:1 --once --explain >said
	grep -F 'has less noise' said && false
	true
}

@test "a state keeps its grid; a sum and a count say how theirs gets finer" {
	printf '%s\n' 3.7 2.25 >in
	dpmean -q --state=s --init -e 1000 -r 0:10 -T 4 --seed=1 in >got
	dpmean -q --state=s in >>got
	dpmean -q --state=s --state-show | grep -cx 'grid 5' || grep -acx 'grid 5' s
	awk '{ d = $1 - (NR % 2 ? (NR > 1 ? 3.216667 : 3.7) : 2.975)
	    if (d > .1 || d < -.1) { print; exit 1 } } END { exit NR != 4 }' got
	for tool in dpcount 'dpwindow -w 1' dpdecay\ --half-life=3; do
		$tool -e 1 -T 9 -r 0:10 --explain >said
		grep -F '0:10 (-r), rounded to whole numbers (-r 0.00:10.00 keeps more)' said
		$tool -e 1 -T 9 -r 0:100 --explain >said
		silent_about 'keeps more' said
		$tool -e 1 -T 9 --explain >said
		silent_about 'keeps more' said
	done
}

@test "a standard deviation on the finer grid has the error, and the mechanism, of whole numbers" {
	local all=(-e 1 -T 365 -v 1 --statistic=mean,sd --explain=json) fine
	fine=$(dpmean "${all[@]}" -r 0:10 | jq -r '"\(.mechanism) \(.rmse.max)"')
	[ "${fine% *}" = normtree ]
	awk -v e="${fine#* }" 'BEGIN { exit !(e < 185) }' </dev/null	# kary: 329
}

@test "a mean on the finer grid has the mechanism of whole numbers, however wide its noise" {
	for o in '-e .1 -u 2 -c 10 -r 0:10' '-e .01 -r 0:10' '-e 1 -u 2 -c 40 -r 0:200' \
	    '-e .001 -r 0:1000'; do
		for t in 365 1M; do
			dpmean $o -v 1 -T $t --explain | grep '^mechanism  *normtree' || {
				echo "$o -T $t"
				return 1
			}
		done
	done
	dpmean -e .01 -v 1 -r 0:10 -T 365 --explain | awk '/^worst/ { exit !($3 < 16100) }'
	# and it is far below the noise
	dpmean -e .01 -v 1 -r 0:10 -T 365 --explain | grep 'rounded to 0.0001$'
}

@test "folds: what a user's events come to has the grid too, but whole numbers, which need none" {
	printf '%s\n' a,1 a,2 b,3.55 >in
	set -- --once --csv -u 1
	[ "$(exact "$@" --each-user=mean -v 2 -r 0:10 in)" = 2.52500 ]
	for how in '--each-user=count -r 0:10' '--each-user=any -m b'; do
		dpmean -e 10 "$@" $how --explain >said
		silent_about 'keeps more' said
		silent_about 'rounded to 0.' said
	done
	dpmean -e 10 "$@" --each-user=any -m b --explain=json | jq -e '.rmse.max < .01'
}

@test "--sampling: shares and means of what events are a sample of, in every output, and states" {
	seq 1500 | awk '{ print $1 % 5 == 0 }' >in
	set -- -e 1 --seed 3 -q --once -B --sampling --independent
	# at epsilon = inf Clopper and Pearson's interval with .045 for both sides, all of it for N
	dpmean -e inf --once -m 1 -B --sampling --independent in >got
	awk '{ exit !($1 == .2 && $2 > .178 && $2 < .181 && $3 > .2205 && $3 < .2225) }' got
	dpmean "$@" -m 1 in >got
	awk '{ exit !($2 < .181 && $3 > .219 && $3 - $2 > .0405 && $3 - $2 < .047) }' got
	read -r _ lo hi <got
	dpmean "$@" -m 1 -o json in |
	    jq -e --arg lo "$lo" '.interval == "noise and sampling" and .lo == ($lo | tonumber)'
	dpmean "$@" -m 1 -o csv in | tail -n 1 | grep -F ",$lo,$hi"
	dpmean "$@" -m 1 -o long in | tail -n 1 | grep -F ",$lo,$hi"
	dpmean "$@" -m 1 -o prometheus in | grep -F 'end of the interval of noise and sampling,'
	dpmean "$@" -m 1 -o json in | dpplot | grep -F 'interval, noise and sampling'
	dpplot --run -- dpmean "$@" -m 1 in 2>/dev/null | tr '\n' ' ' |
	    grep -F '95 % interval, noise and sampling'
	# values: three numbers; even ones have a third of the variance that shares can have
	seq 1500 | awk '{ print $1 % 101 }' >values
	dpmean "$@" -r 0:100 values >got
	awk '{ w = $3 - $2; exit !($1 > 48 && $1 < 51 && w > 2.9 && w < 3.7) }' got
	dpmean -e 1 --once -r 0:100 -B --sampling --independent --explain >said
	grep -F 'values spread evenly over the range it is' said
	# the widths that --explain says are those of such events
	sed -n 's/.* \([0-9.]*\) for 1000, .*(the noise interval above.*/\1/p' said >wide
	seq 0 999 | awk '{ print $1 * 100 / 999 }' | dpmean "$@" -r 0:100 | cut -f 2,3 >>wide
	dpmean -e 1 --once -m 1 -B --sampling --independent --explain |
	    sed -n 's/.* \([0-9.]*\) for 1000, .*(the noise interval above.*/\1/p' >>wide
	seq 1000 | awk '{ print $1 % 2 }' | dpmean "$@" -m 1 | cut -f 2,3 >>wide
	awk 'NR % 2 { w = $1; next } { d = ($2 - $1) / w; bad += d < .97 || d > 1.03 }
	    END { exit NR != 4 || bad }' wide
	grep -F 'a third total, of squares' said
	dpmean -e 1 --once -m 1 -B --sampling --independent --explain |
	    grep -F 'of a share of one half it is 0.2'
	# rows with weights up to 2: MAX W rho (1 - rho), three halves of what these have
	seq 300 | awk '{ w = $1 * 7919 % 100 / 50; print w, ($1 % 3 == 0) * w }' >rows
	dpmean "$@" -v 2 --weight=1:2 -r 0:1 rows >got
	awk '{ w = $3 - $2; exit !($1 > .31 && $1 < .36 && w > .15 && w < .18) }' got
	dpmean -e 1 --once -B --sampling --independent -v 2 --weight=1:2 -r 0:1 --explain |
	    grep -F 'where the weights are 100 times the largest'
	# the same share of users
	awk '{ print "u" NR % 300, $1 }' in >users
	dpmean -e 1 --seed 3 -q --once -B --sampling -u 1 -c 1 --each-user=any -v 2 -m 1 users >got
	awk '{ exit !($2 < .2 && $3 > .2 && $3 - $2 > .09 && $3 - $2 < .12) }' got
	# kept by a state, for good
	dpmean -e 1 --seed 3 -q --once -T 2 -B --sampling --independent -m 1 --state=s --init \
	    in >got
	dpmean --state=s -q in 2>/dev/null >>got
	awk '$3 - $2 < .04 { exit 1 } END { exit NR != 2 }' got
	fails 2 dpmean --state=s --change=sampling in
	dpmean -e 1 -q --once -T 2 -B -m 1 --state=t --init in
	fails 5 dpmean --state=t --sampling --independent in
}

@test "--sampling: refused where it would say what is not so" {
	rejects '--sampling says which interval' dpmean -e 1 --once -m 1 --sampling --independent
	rejects "those of one person are not: give -u" dpmean -e 1 --once -m 1 -B --sampling
	rejects 'with --user needs --each-user' dpmean -e 1 --once -m 1 -B --sampling -u 1 -c 1
	rejects '--independent: leave it' dpmean -e 1 --once -m 1 -v 2 -B --sampling \
	    -u 1 -c 1 --each-user=any --independent
	rejects '--independent is about' dpmean -e 1 --once -m 1 -B --independent
	rejects 'run --statistic=count without it' dpmean -e 1 --once -m 1 -B --sampling \
	    --independent --statistic=mean,count
	rejects 'a mean is of no number of events' dpmean -e 1 -T 9 -m 1 -B --sampling \
	    --independent --half-life=3
	rejects 'a user has an event in each' dpmean -e 1 --bucket=1d "${days[@]:0:0}" \
	    --from=1970-01-01 --to=1970-01-05 -t 1 --time-format=epoch -m 1 -v 3 -B --sampling \
	    -u 2 -c 1/step --each-user=any -w 2
	rejects 'refused with --weight and --unit' dpmean -e 1 --once -B --sampling --independent \
	    -v 2 --weight=1 --unit=1 -r 0:1
	rejects 'MAX and --unit do not go together' dpmean -e 1 --once -v 2 --weight=1:10 --unit=1 \
	    -r 0:1
	rejects 'what events are a sample of (dpmean)' dpcount -e 1 -T 9 -B --sampling
	rejects 'what events are a sample of (dpmean)' dpwindow -e 1 -T 9 -w 3 -B --sampling
}

# table: REGION,DEATHS,CASES,WEIGHT, 200 rows, of which some lack a number or have a wrong one
table() {
	awk -v OFS=, 'BEGIN { print "region,deaths,cases,weight"; for (i = 0; i < 200; i++) {
	    x = (x * 69069 + 1) % 4294967296; c = int(x / 65536) % 90; d = int(c * (i % 7) / 9)
	    w = sprintf("%.3f", (x % 5000) / 1000)
	    if (i % 20 == 3) d = "NaN"; if (i % 20 == 5) c = ""; if (i % 20 == 7) c = -c
	    if (i % 20 == 9) w = "x"
	    print i % 3 ? "a" : "b", d, c, w } }' >in
}

# shares: VALUE WEIGHT of rows, by awk: sum of the one, of the other, and the ratio
shares() {
	awk '{ v += $1; w += $2 } END { printf "%.9f %.3f %.3f\n", v / w, w, v }'
}

# agree DIGITS: three columns are those of "want", as far as floating point goes
agree() {
	tr '\t' ' ' | paste -d ' ' want - | awk 'NF % 2 { print; exit 1 }
	    { for (i = 1; i <= NF / 2; i++) { d = $i - $(i + NF / 2)
	    if (d > 2e-6 || d < -2e-6) { print; exit 1 } } }'
}

@test "--weight: ratios are awk's, of rows, of totals, of answers times weights, of shares" {
	table
	all=(--once --csv -H --statistic=mean,count,sum)
	good='NR > 1 && $2 ~ /^[0-9]/ && $3 ~ /^[0-9]/'
	awk -F , "$good"' { print $2, $3 }' in | shares >want
	exact "${all[@]}" -r 0:1 -v deaths --weight=cases:1k in | agree
	exact "${all[@]}" -r 0:1 -v deaths --weight=cases --unit=1 in | agree
	exact "${all[@]}" -r 0:1 -v 2 --weight=3:90.000 in | agree
	# a weight above MAX is MAX, the ratio stays
	awk -F , "$good"' { f = $3 > 20 ? 20 / $3 : 1; print $2 * f, $3 * f }' in | shares >want
	exact "${all[@]}" -r 0:1 -v deaths --weight=cases:20.00000 in | tr '\t' ' ' |
	    paste -d ' ' want - |
	    awk '{ for (i = 1; i < 4; i++) { d = $i - $(i + 3)
	    if (d > .001 || d < -.001) exit 1 } }'
	# answers and shares, weights with three decimals
	awk -F , 'NR > 1 && $2 ~ /^[0-9]/ && $4 ~ /^[0-9]/ { print $2 * $4, $4 }' in | shares >want
	exact "${all[@]}" -r 0:200 --of=deaths --weight=weight:5.000 in | agree
	awk -F , 'NR > 1 && $4 ~ /^[0-9]/ { print ($1 == "b") * $4, $4 }' in | shares >want
	exact "${all[@]}" -v region -m b --weight=weight:5.000 in | agree
	# by key, with a negative LO; the number of a row that is clamped is more than its weight
	awk -F , "$good && \$3 > 0"' { print $1, 20 - $2, $3 }' in >rows
	for k in a b; do
		grep "^$k" rows | cut -d ' ' -f 2- | shares
	done | tr '\n' ' ' >want
	echo >>want
	exact --once -k 1 --keys=a,b -v 2 --weight=3 --unit=9 -r -99:99 \
	    --statistic=mean,count,sum rows | agree
}

@test "--weight: the error predicted is the one measured, the interval holds the ratio" {
	printf '%s\n' '30 40' '0 60' >rows
	ratio=(-v 1 --weight=2 --unit=2 -r 0:1 --statistic=mean,count,sum)
	steps=(-w 1 -t 3 --time-format=epoch --bucket=1s --from=1970-01-01)
	# steps by themselves are runs, of which it says the same
	for how in --once "${steps[*]} --to=1970-01-01T00:06:20"; do
		# shellcheck disable=SC2086
		dpmean -e 1 "${ratio[@]}" $how --explain |
		    sed -nE 's/^note .* (below|some) ([0-9.]+)(\/W)?.*/\2/p' | paste -s
	done | uniq >said
	[ "$(wc -lw <said | xargs)" = '1 4' ]
	awk '{ for (t = 0; t < 380; t++) print $0, t }' rows >many
	{
		for ((seed = 1; seed <= 20; seed++)); do
			dpmean -q -e 1 --seed=$seed "${ratio[@]}" --once -B rows
		done
		dpmean -q -e 1 --seed=1 "${ratio[@]}" "${steps[@]}" --to=1970-01-01T00:06:20 -B \
		    many | cut -f 2-
	} 2>/dev/null >got
	# 400 runs, at .3 of the range sqrt(.7^2 + .3^2) = .762 of what is said of its end, each
	# figure 5 % off at most one time in six; misses are 20 of 400 at most, with a sd of 4.4:
	# 50 is 6.9 of them
	awk 'NR == FNR { w = $1; all = $2; sum = $3; next } { n++; miss += $2 > .3 || $3 < .3
	    s += (($1 - .3) * 100) ^ 2; c += ($4 - 100) ^ 2; v += ($7 - 30) ^ 2 }
	    END { print n, sqrt(s / n) / .762 / w, sqrt(c / n) / all, sqrt(v / n) / sum, miss
	    exit !(n == 400 && near(s, .762 * w) && near(c, all) && near(v, sum) && miss < 50) }
	    function near(squares, sd) { r = sqrt(squares / n) / sd
	    return r > .8 && r < 1.2 }' said got
	# no ratio where the sum of weights is below what is said
	awk 'BEGIN { for (t = 0; t < 60; t++) print 2, 8, t }' >many
	dpmean -q -e 1 --seed=1 "${ratio[@]}" "${steps[@]}" --to=1970-01-01T00:01 -o csv many \
	    2>/dev/null >got
	awk -F , -v from="$(cut -f 4 said)" 'NR > 1 { none += $2 == ""; n++
	    if (($2 == "") != ($3 < from)) { print; bad = 1 } }
	    END { exit bad || n != 60 || none < 9 || none > 51 }' got
}

@test "--weight: what is protected, what is read, and its state" {
	ratio=(--once -v 1 --weight=2 -r 0:1)
	run -0 dpmean -e 1 "${ratio[@]}" --unit=3 --explain
	[[ $output = *"one line's weight by at most 3, and its value by between 0 and 1 times"* ]]
	[[ $output = *'protected at twice this epsilon'* ]]
	[[ $output = *$'\nsensitivity   3\n'* ]]
	run -0 dpmean -e 1 --once -v 1 --weight=2:5 -r -1:3 --explain
	[[ $output = *$'\nsensitivity   20\n'* && $output != *twice\ this* ]]
	# where a line is a step one event moves its row alone; a row in place of a row is two
	dpmean -e 1 -T 9 -v 1 --weight=2 --unit=3 -r 0:1 --explain=json | jq -e '.sensitivity == 3'
	dpmean -e 1 -T 9 -v 1 --weight=2:3 -r 0:1 --explain=json | jq -e '.sensitivity == 6'
	printf '%s\n' '1 2' '3 0' '0.5 2' '1 -2' '1' >rows
	run -0 --separate-stderr dpmean --check "${ratio[@]}" --unit=1 rows
	[ "$(cut -f 2- <<<"$output")" = "$(printf '%s\n' $'value=1\tweight=2' \
	    $'value=3\tweight=0 (clamped by --range or --weight)' \
	    "nothing: field 1: not a whole number, as totals must be (--unit): '0.5'" \
	    "nothing: field 2: a weight below 0: '-2'" \
	    "nothing: field 2: the field is missing: '1'")" ]
	# of a state the next run has what the first one gave; another MAX is another noise
	dpmean -e 1 -T 9 --seed 3 --once -v 1 --weight=2:4 -r 0:1 --state=s --init rows 2>/dev/null
	run -5 --separate-stderr dpmean --state=s --once --weight=2:5 rows
	[[ $stderr = *--weight* ]]
	dpmean --state=s rows
	# the time does not go on in the weight
	printf '%s\n' '2026-05-01 1200 3' '2026-05-02 1 1' >rows
	exact -t 1 --time-format=iso --bucket=1d --from=2026-05-01 --to=2026-05-03 -v 3 --weight=2 \
	    --unit=1 -r 0:1 rows | cut -f 2 | diff <(printf '%s\n' 0.002500000 1.000000000) -
}

@test "--weight: refused" {
	rejects '--weight: how large is a row'"'"'s at most? Give --weight=FIELD:MAX' \
	    dpmean -e 1 --once -v 1 --weight=2 -r 0:1
	rejects "--weight: '0' must be above 0" dpmean -e 1 --once -v 1 --weight=2:0 -r 0:1
	rejects "--weight: '1e3' must be a decimal" dpmean -e 1 --once -v 1 --weight=2:1e3 -r 0:1
	rejects '--weight needs --value' dpmean -e 1 --once --weight=2:3 -r 0:1
	rejects '--range is required' dpmean -e 1 --once -v 1 --weight=2 --unit=1
	rejects '--weight: refused with --each-user' dpmean -e 1 --once -v 1 --weight=2:3 -r 0:1 \
	    -u 3 --each-user=sum -c 1/step
	rejects '--of needs --weight' dpmean -e 1 --once --of=1 -r 0:1
	rejects '--of and --value do not go together' dpmean -e 1 --once --of=1 -v 3 --weight=2:3 \
	    -r 0:1
	rejects '--of: refused with --match' dpmean -e 1 --once --of=1 -m x --weight=2:3
	rejects '--of: refused with --unit' dpmean -e 1 --once --of=1 --unit=1 --weight=2 -r 0:1
	rejects "--unit: '.5' must be a whole number" dpmean -e 1 --once -v 1 --unit=.5 --weight=2 \
	    -r 0:1
	rejects '--range: with --unit totals are whole numbers' dpmean -e 1 --once -v 1 --unit=1 \
	    --weight=2 -r 0:0.1
	rejects '--statistic: sd: a row is a total' dpmean -e 1 --once -v 1 --weight=2:3 -r 0:1 \
	    --statistic=mean,sd
	rejects '--unit: refused with --user' dpmean -e 1 --once -v 1 --weight=2 --unit=1 -r 0:1 \
	    -u 3 -c 1
	rejects '--unit: --value, the total, must be another field' dpmean -e 1 --once -v 1 \
	    --weight=2 --unit=1 -r 0:1 -k 2 --keys=a,b
	printf 'a,b\n1,2\n' >rows
	rejects '--unit: --weight, the total, must be another field than --key' dpmean -e 1 --once \
	    --csv -H -v a --weight=2 --unit=1 -r 0:1 -k b --keys=a,b rows
	rejects 'does not take this option; dpmean has it' dpquantile -e 1 --once -v 1 \
	    --weight=2:3 -r 0:9
}

@test "--difference: each other key less one, of all statistics, in every form" {
	awk 'BEGIN { for (i = 0; i < 300; i++)
	    print substr("abc", 1 + i % 3, 1), i % 7 + i % 3 }' >in
	all=(--once -k 1 --keys=c,a,b -v 2 -r 0:9)
	awk '{ n[$1]++; s[$1] += $2 } END { printf "%.6f\t%d\t%d\t%.6f\t%d\t%d\n",
	    s["c"] / n["c"] - s["a"] / n["a"], n["c"] - n["a"], s["c"] - s["a"],
	    s["b"] / n["b"] - s["a"] / n["a"], n["b"] - n["a"], s["b"] - s["a"] }' in >want
	exact "${all[@]}" --statistic=mean,count,sum --difference=a in | diff want -
	exact "${all[@]}" --difference -o csv in | head -n 1 | grep -x 'a-c,b-c'
	exact "${all[@]}" --difference -o json in | jq -e '.estimate | keys == ["a-c", "b-c"]'
	exact "${all[@]}" --difference -o long in | grep '^1,b-c,mean,-1.0'
	exact "${all[@]}" --difference -o prometheus in | grep -F 'key="b-c"} -1.0'
	# the same noise as without it, and the same budget
	noise=(-q -e 1 --seed=7 "${all[@]}" --statistic=mean,count)
	dpmean "${noise[@]}" in 2>/dev/null >own
	dpmean "${noise[@]}" --difference in 2>/dev/null | tr '\t' ' ' | paste -d ' ' - own |
	    awk '{ exit !(sprintf("%.6f", $7 - $5) == $1 && $8 - $6 == $2 && $10 - $6 == $4) }'
	# where a key has no estimate there is no difference, but an interval
	grep -v '^b' in | dpmean -q -e 1 --seed=1 "${all[@]}" --difference=a -B -o csv 2>/dev/null |
	    tail -n 1 | grep -E '^[-0-9.]+,[-0-9.]+,[-0-9.]+,,-[0-9.]+,[0-9.]+$'
}

@test "--difference --sampling: made of the intervals of noise and sampling of both keys" {
	awk 'BEGIN { for (i = 0; i < 1500; i++) print substr("abc", 1 + i % 3, 1), i % 5 == 0 }' >in
	set -- -q -e 1 --seed=5 -B --sampling --independent --once -k 1 --keys=a,b,c -v 2 -m 1
	dpmean "$@" in | tr '\t' '\n' | paste - - - >own
	dpmean "$@" --difference in | tr '\t' '\n' | paste - - - >got
	awk 'NR == FNR { e[NR] = $1; l[NR] = $2; u[NR] = $3; next }
	    { i = FNR + 1; d = e[i] - e[1]
	    lo = d - sqrt((e[i] - l[i]) ^ 2 + (u[1] - e[1]) ^ 2)
	    hi = d + sqrt((u[i] - e[i]) ^ 2 + (e[1] - l[1]) ^ 2)
	    if ($1 - d > 2e-6 || d - $1 > 2e-6 || $2 - lo > 3e-6 || lo - $2 > 3e-6 ||
	    $3 - hi > 3e-6 || hi - $3 > 3e-6) { print d, lo, hi; exit 1 } }
	    END { exit FNR != 2 }' own got
	# wider than the noise
	dpmean -q -e 1 --seed=5 -B --once -k 1 --keys=a,b,c -v 2 -m 1 --difference in |
	    tr '\t' '\n' | paste - - - | paste - got |
	    awk '$6 - $5 > 3 * ($3 - $2) { n++ } END { exit n != 2 }'
	dpmean "$@" --difference -o json in | jq -e '.interval == "noise and sampling"'
	dpmean "$@" --difference --explain |
	    grep -F 'the interval of noise and sampling is made of both (MOVER)'
}

@test "--difference: intervals hold what they say, day by day, of means, counts and quantiles" {
	# 800 days, each by itself: misses are 5.5 % at most, 44 with a sd of 6.4; 83 is 6 of them
	awk 'BEGIN { for (d = 0; d < 800; d++) for (i = 0; i < 50; i++) { t = d * 86400 + i
	    print t, "a", (i * 7 + d) % 10; if (i < 30) print t, "b", (i * 3) % 10 } }' >in
	days=(-q -e 1 --seed=8 -t 1 --time-format=epoch --bucket=1d --from=1970-01-01
	    --to=1972-03-11 -k 2 --keys=a,b -v 3 -r 0:9 --difference -B)
	misses='{ n++; miss += $3 > d || $4 < d } END { print d, n, miss; exit !(n == 800 &&
	    miss < 83) }'
	dpmean "${days[@]}" in 2>/dev/null | awk -v d=0 "$misses"
	dpwindow "${days[@]}" -w 1 in 2>/dev/null | awk -v d=-90 "$misses"
	dpquantile "${days[@]}" in 2>/dev/null | awk -v d=0 "$misses"
	# narrower than two side by side: of 800 nearly all are
	dpmean "${days[@]}" in 2>/dev/null >difference
	dpmean "${days[@]/--difference/--line-buffered}" in 2>/dev/null | paste - difference |
	    awk '{ w = $4 - $3 + $7 - $6; n += $11 - $10 < w } END { exit n < 790 }'
}
