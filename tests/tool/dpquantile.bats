# SPDX-License-Identifier: ISC
# dpquantile: quantiles and histograms against awk at epsilon = inf, what it says of errors against
# runs, states, and what is refused.  tests/law has the laws.
load ../lib/helper
load ../lib/examples

TOP=$BATS_TEST_DIRNAME/../..

# exact ARG ...: dpquantile without noise
exact() {
	exact_of dpquantile "$@"
}

# logs: DAY*86400 VALUE KEY, 900 of them in 3 of 4 days, in ./in; values -10 .. 30
logs() {
	awk 'BEGIN { for (i = 0; i < 900; i++) { x = (x * 69069 + 1) % 4294967296
	    d = i % 3; d += d == 2
	    print d * 86400 + i, int(x / 65536) % 41 - 10, i % 5 ? "a" : "b" } }' >in
	days=(-t 1 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-05 -v 2
	    -r -10:30)
}

# quantiles H W: of each of 4 days, day D weighing H^(D' - D) on day D', for W days, three
# quantiles: the first value that a part of the events, or more, does not exceed; - is none
quantiles() {
	awk -v h="$1" -v w="$2" '{ n[int($1 / 86400), $2]++ }
	    END { split(".1 .5 .95", q, " "); for (t = 0; t < 4; t++) for (i = 1; i <= 3; i++) {
		N = F = 0
		for (d = t; d >= 0 && d > t - w; d--) for (v = -10; v <= 30; v++)
			N += h ^ (t - d) * n[d, v]
		for (v = -11; F < q[i] * N; ) {
			v++
			for (d = t; d >= 0 && d > t - w; d--)
				F += h ^ (t - d) * n[d, v]
		}
		printf "%s%s", N ? v : "-", i < 3 ? " " : "\n"
	    } }' in >want
}

# whole: numbers of a finer grid that are whole, as such
whole() {
	sed -E 's/([0-9])\.0+([^0-9]|$)/\1\2/g'
}

# same: of what is printed in got, without times, with - for empty fields, what want has
same() {
	awk -F '\t' -v OFS=' ' '{ for (i = 2; i <= NF; i++) $i = $i == "" ? "-" : +$i
	    print $2, $3, $4 }' got | diff want -
}

@test "each bucket, windows, so far, half-lives, by every mechanism: quantiles are awk's" {
	logs
	for how in '1 1' '1 2 -w 2d' '1 9 --running' '.5 9 --half-life=1d'; do
		read -r h w option <<<"$how"
		quantiles "$h" "$w"
		exact "${days[@]}" --quantile=.1,.5,.95 $option in >got
		same
		dpquantile -e inf "${days[@]}" --explain=json $option |
		    jq -r '.eligible[].mechanism' | while read -r m; do
			exact "${days[@]}" --quantile=.1,.5,.95 $option -M "$m" in >got
			same
		done
	done
	# the second day has none, as the third
	awk '$1 < 86400 || $1 >= 172800' in >few
	mv few in
	quantiles 1 1
	exact "${days[@]}" --quantile=.1,.5,.95 in >got
	same
	[ "$(exact "${days[@]}" -o json in | jq -c .estimate | sed -n 2p)" = null ]
	[ "$(exact "${days[@]}" -o csv in | sed -n 3p)" = 1970-01-02T00:00:00Z, ]
}

@test "lines: quantiles so far; what is no number, and an empty line, is no event" {
	printf '3\n\n5\nx\n0\n40\n' >in
	printf '%s\n' '3 3' '3 3' '3 5' '3 5' '3 5' '3 30' | tr ' ' '\t' |
	    diff - <(exact -r 0:30 --quantile=.5,.9 in | whole)
	# 0 is an event, where it is out of the range, too
	printf '0\n0\n4\n' | exact -r 2:10 --quantile=2/3 | whole | diff <(printf '2\n2\n2\n') -
	seq 9 | exact -r 0:9 -w 1,3 -o tsv | sed -n '1p;4p' | whole |
	    diff <(printf '1\t3\n3\t2\n') -
	seq 9 | exact -r 0:9 -w 1,3 --quantile=.5,.001 -o csv | sed -n '1p;4p' | whole |
	    diff <(printf '1_p50,1_p0.1,3_p50,3_p0.1\n3,3,2,1\n') -
	# the decimals of the range do for its bins
	printf '1.25\n2.5\n' | exact -r 0.00:9.99 --quantile=1/3,.9 | tail -n 1 |
	    diff <(printf '1.25\t2.50\n') -
}

@test "bins: a quantile is in the bin that the true one is in, linear, logarithmic, given" {
	apache_file
	awk '$10 ~ /^[0-9]/ { print ($10 < 1 ? 1 : $10 > 1e6 ? 1000000 : $10) }' apache.log |
	    sort -n >sizes
	for q in .05 .5 .95 .999; do
		awk -v q=$q '{ x[NR] = $1 } END { for (k = 1; k < q * NR; k++)
		    continue
		print x[k] }' sizes
	done >want
	set -- --once --quantile=.05,.5,.95,.999
	# the edges of logarithmic ones, by the names of their histogram
	for bins in '-r 1:1M' '-r 1:1M --bins=64' '-r 1:1M --bins=64 --log-bins' \
	    '--bins=1,100,1000,5000,9000,50000,1000000'; do
		exact "$@" $bins sizes | tr '\t' '\n' >got
		exact --once --histogram $bins -o csv sizes | head -n 1 | tr ',' '\n' |
		    awk 'FILENAME == "-" { sub(/.*\.\.<?/, ""); hi[++n] = $0 == "" ? 1e99 : +$0
			next }
		    { for (i = 1; $1 > hi[i]; i++)
			continue
		    for (j = 1; $2 > hi[j]; j++)
			continue
		    if (i != j || n < 6) { print; bad = 1; exit 1 } } END { exit bad }' \
		    - <(paste want got)
	done
	# a bin is as wide as it is said that it costs at most
	most=$(dpquantile -e inf --once -r 1:1M --bins=64 --log-bins --explain |
	    sed -n 's/.*they alone cost at most \([0-9.]*\) % of a value$/\1/p')
	exact --once --histogram -r 1:1M --bins=64 --log-bins -o csv sizes | head -n 1 |
	    tr ',' '\n' | sed -E 's/\.\.<?/ /' | awk -v most="$most" '{ r = $NF / $1 - 1
	    if (r > top) top = r } END { print 100 * top, most
	    exit !(100 * top <= most * 1.002 && 100 * top > most * .9) }'
	dpquantile -e inf --once -r 0:6400 --bins=64 --explain | grep -E 'cost at most 100;'
	dpquantile -e inf --once -r 0:63 --bins=64 --explain |
	    grep -F 'each of 64 bins is one value'
}

@test "datamash and Miller say the same, to one event's place" {
	integers 500 >in
	ran=
	# within a place: theirs may lie between two values
	near() {
		ran=1
		sort -n in | awk -v a="$(<got)" -v b="$(<their)" '$1 < a { i++ } $1 < b { j++ }
		    $1 == a { same++ } END { exit i - j > same + 1 || j - i > same + 1 }'
	}
	for q in 05 25 50 75 95; do
		exact --once -r 0:999 --quantile=.$q in >got
		if command -v datamash; then
			datamash perc:"${q#0}" 1 <in >their
			near
		fi
		if command -v mlr; then
			mlr --inidx --ifs ' ' --onidx stats1 -a "p${q#0}" -f 1 in >their
			near
		fi
	done
	[ -n "$ran" ] || skip 'neither is here'
}

@test "--histogram: counts of bins are awk's; columns are named by what bins hold" {
	logs
	exact "${days[@]:0:8}" --histogram --bins=-10,-9,0,15,30 -o csv in |
	    diff - <(awk '{ n[int($1 / 86400), $2 < -9 ? 0 : $2 < 0 ? 1 : $2 < 15 ? 2 : 3]++ }
	    END { print "time,..<-9,-9..<0,0..<15,15.."
	    for (d = 0; d < 4; d++) { printf "1970-01-0%dT00:00:00Z", d + 1
		for (i = 0; i < 4; i++) printf ",%d", n[d, i]; print "" } }' in)
	exact "${days[@]}" --histogram --bins=2 -w 1d,2d -k 3 --keys=b -o tsv in | head -n 1 |
	    diff <(printf 'time\tb_1d_..<10\tb_1d_10..\tb_2d_..<10\tb_2d_10..\n') -
	# two halves, running by every mechanism; weighed ones
	awk '{ n[$2 >= 10]++; print n[0] + 0 "\t" n[1] + 0 }' in >want
	dpquantile -e inf -r -10:30 --histogram --bins=2 --explain=json |
	    jq -r '.eligible[].mechanism' | while read -r m; do
		cut -d ' ' -f 2 in | exact -r -10:30 --histogram --bins=2 -M "$m" | cmp want -
	done
	printf '1\n9\n9\n' | exact -r 0:9 --histogram --bins=2 --half-life=1 | tail -n 1 |
	    diff <(printf '0.250000\t1.500000\n') -
	# off by what is said, which is what a count alone is off by
	dpquantile -e 1 --once --histogram --bins=0,10,20 --explain |
	    grep -F 'Expect each count to be off by about 1.36 events, and by no more than 3'
	for ((i = 1; i <= 20; i++)); do
		dpquantile -q -e 1 --seed=$i --once --histogram --bins=0,10,20 /dev/null
	done >runs
	dpquantile -q -e 1 --seed=1 --histogram --bins=0,10,20 -v 1 -w 1 -t 1 \
	    --time-format=epoch --bucket=1s --from=1970-01-01T00:00:20 \
	    --to=1970-01-01T00:05:00 /dev/null | cut -f 2- | cat runs - | awk '{
		s += $1 * $1; t += $2 * $2; u += $1 * $2 } END { print s / NR, t / NR, u / NR
	    # 1.84 each: 20 runs, and 280 steps of one, each by itself, kurtosis 6: 5 sd are
	    # 65 %; of a product 6 sd are 35 %
	    exit !(NR == 300 && s / NR > .8 && s / NR < 3 && t / NR > .8 && t / NR < 3 &&
	    u / NR > -.65 && u / NR < .65) }'
}

@test "keys, users: of each its own; at most so many events of one" {
	logs
	exact "${days[@]}" -k 3 --keys=a,b,c --quantile=.5,.9 -o csv in >got
	awk '{ print >($3 ".log") }' in
	: >c.log
	for k in a b c; do
		exact "${days[@]}" --quantile=.5,.9 $k.log | cut -f 2-
	done | paste - - - - | tr '\t' ',' >rows
	[ "$(sed 1q got)" = time,a_p50,a_p90,b_p50,b_p90,c_p50,c_p90 ]
	for d in 1 2 3 4; do
		for k in a b c; do
			exact "${days[@]}" --quantile=.5,.9 $k.log | sed -n ${d}p | cut -f 2-
		done | paste -s | tr '\t' ','
	done | diff - <(sed 1d got | cut -d , -f 2-)
	# columns begin where they are to begin, of an odd number of sums, too
	dpquantile -e 20 --seed=1 -q "${days[@]:0:8}" -r 0:9 -w 1d,2d -k 3 --keys=a,b,c,d,e in |
	    awk -F '\t' '$2 != "" && $3 != "" && $4 != "" { n++ } END { exit n != 3 || NF != 11 }'
	awk '{ $3 = NR % 7; print }' in >few
	exact "${days[@]}" -u 3 -c 2/step --quantile=.1,.5,.95 few >got
	awk 'c[int($1 / 86400), $3]++ < 2' few >in
	quantiles 1 1
	same
	# a user's events: twice the noise
	[ "$(dpquantile -e 1 "${days[@]}" -u 3 -c 2/step --explain=json | jq .rmse.max)" = \
	    "$(dpquantile -e 1/2 "${days[@]}" --explain=json | jq .rmse.max)" ]
}

# responses N STEPS: STEP VALUE, N of each of so many steps, lognormal, of 1.000 to 100000
responses() {
	awk -v n="$1" -v steps="$2" 'function u() { x = (x * 69069 + 1) % 4294967296
		return (x + .5) / 4294967296 }
	    BEGIN { for (x = 7; t < steps; t++) for (i = 0; i < n; i++) {
		r = sqrt(-2 * log(u()))
		printf "%d %.3f\n", t, 100 * exp(r * cos(6.28318530717958 * u())) } }' >in
	steps=(-t 1 --time-format=epoch --bucket=1s --from=1970-01-01 --to=1970-01-01T00:05 -v 2
	    -r 1.000:100000.000 --log-bins --quantile=.5,.95,.99)
}

# ranks: of times, quantiles, lo and hi in got, each: what events of that step are up to it, less
# what should be
ranks() {
	awk 'FILENAME == "got" { for (i = 2; i <= 10; i++) v[FNR - 1, i] = $i; next }
	    { n[$1]++; for (i = 2; i <= 10; i++) F[$1, i] += $2 <= v[$1, i] }
	    END { split(".5 .95 .99", q, " "); for (t = 0; t in n; t++) {
		for (i = 2; i <= 10; i++) printf "%.2f ", F[t, i] - q[int((i + 1) / 3)] * n[t]
		print "" } }' got in
}

@test "as far off as the page says; intervals hold, and quantiles rise, in every step" {
	responses 1000 300
	dpquantile -q -e 1 --seed=1 "${steps[@]}" --bins=256 -B in >got
	awk '$5 < $2 || $8 < $5 || $2 < $3 || $2 > $4 || $5 < $6 || $5 > $7 { exit 1 }' got
	# 6.7, 6.8, 6.1: 300 steps, 20 % are 4.9 sd; of intervals that miss 5 % of 300 are 15, and
	# 38 are fewer than once in 10^6
	ranks | awk '{ a += $1 ^ 2; b += $4 ^ 2; c += $7 ^ 2
	    for (i = 1; i <= 7; i += 3) out[i] += $(i + 1) > 0 || $(i + 2) < 0 }
	    END { a = sqrt(a / NR) / 6.7; b = sqrt(b / NR) / 6.8; c = sqrt(c / NR) / 6.1
	    print a, b, c, out[1], out[4], out[7]
	    exit !(NR == 300 && a > .8 && a < 1.2 && b > .8 && b < 1.2 && c > .8 && c < 1.2 &&
	    out[1] < 38 && out[4] < 38 && out[7] < 38) }'
	# whatever the number of steps
	[ "$(dpquantile -e 1 --once -r 0:255 --explain=json | jq .rmse.max)" = \
	    "$(dpquantile -e 1 "${steps[@]:0:8}" -r 0:255 --explain=json | jq .rmse.max)" ]
	# 1024 bins: 7 to 9
	dpquantile -q -e 1 --seed=2 "${steps[@]}" -B in >got
	ranks | awk '{ for (i = 1; i <= 7; i += 3) s[i] += $i ^ 2 }
	    END { for (i = 1; i <= 7; i += 3) {
	    s[i] = sqrt(s[i] / NR); print s[i]; bad = bad || s[i] < 6 || s[i] > 10.5 }
	    exit bad || NR != 300 }'
	mandoc -Tascii "$TOP/man/dpquantile.1" | sed 's/.\x08//g' | tr -s ' \n' ' ' >page
	grep -cF 'percentile are off by 6.7, 6.8 and 6.1 events' page
	grep -cF '1024 bins by 7 to 9.' page
}

@test "dputils-formulas(7): the table of quantiles' errors is what make errors prints" {
	sh "$TOP/tests/bench/quantiles.sh" >table
	[ "$(wc -l <table)" = 8 ]
	while IFS= read -r row; do
		grep -qxF -- "$row" "$TOP/man/dputils-formulas.7" || {
			echo "not in the page: $row"
			false
		}
	done <table
	# what bins alone cost
	set -- -e 1 --once -r 1:100000 --log-bins --explain
	dpquantile "$@" --bins=256 | grep -E 'they alone cost at most 4\.6[0-9]? % of a value'
	dpquantile "$@" --bins=1024 | grep -E 'they alone cost at most 1\.1[0-9]? % of a value'
	tr '\n' ' ' <"$TOP/man/dpquantile.1" |
	    grep -cF 'from 1 to 100000 are 1.1 % of a value wide, 256 are 4.6 %'
}

@test "running quantiles of a year of days: 44 events, with a delta 31, as the page says" {
	set -- -e 1 --running -T 365 -t 2 --time-format=iso --bucket=1d --live -v 1
	dpquantile "$@" -r 0:63 --bins=64 --explain | grep -E 'noise is on a count of each bin$'
	set -- "$@" -r 0:255
	dpquantile "$@" --explain=json | jq -e '.rmse.max > 43.5 and .rmse.max < 44.5'
	dpquantile "$@" -d 1e-6 --explain=json | jq -e '.rmse.max > 30.7 and .rmse.max < 31.5'
	dpquantile "$@" --explain | grep -E 'noise is on counts of bins and of wide ones$'
	dpquantile "$@" -d 1e-6 --explain |
	    grep -E 'noise is on counts of bins behind a square root$'
	# and so they are: 200 runs of 30 days, the last, of 100 events each of values 0 .. 99
	awk 'BEGIN { for (d = 0; d < 30; d++) for (i = 0; i < 100; i++) print i, d * 86400 }' >in
	for delta in 0 1e-6; do
		set -- -q -e 1 -d $delta --running -t 2 --time-format=epoch --bucket=1d \
		    --from=1970-01-01 --to=1970-01-31 -v 1 -r 0:99 --bins=100 --quantile=.5
		dpquantile "$@" --explain >said
		most=$(awk '$1 == "last" { print $3 }' said)
		for ((i = 1; i <= 100; i++)); do
			dpquantile "$@" -B --seed=$i in
		done | awk -v most="$most" 'NR % 30 == 0 { d = ($2 - 49.5) * 30; s += d * d
		    out += $3 > 49 || $4 < 49 } END { s = sqrt(s / 100); print s, most, out
		    # what is said is of the worst rank, which is nearly that of the median
		    exit !(NR == 3000 && s > most * .5 && s < most * 1.35 && out <= 15) }'
	done
}

@test "none where events cannot be told from none, by the private number of them" {
	set -- -q -e 1 -t 1 --time-format=epoch --bucket=1s --from=1970-01-01 \
	    --to=1970-01-01T00:06:40 -v 2 -r 0:255 --quantile=.5,.95
	dpquantile "$@" --explain >said
	# 2 sd of N; and so many that those beyond a p95 are more than its place is off by
	grep -F 'where the private number of events is below 12.2 (p50), 132 (p95)' said
	n=$(dpquantile --seed=1 "$@" /dev/null | awk -F '\t' '$2 != "" { n++ } END { print n + 0 }')
	# 400 steps: 2 sd on one side are 2.5 %, 5 of whose sd are 16
	[ "$n" -le 26 ]
	dpquantile --seed=1 "$@" -B /dev/null | awk -F '\t' '$2 == "" && $5 == "" &&
	    $4 - $3 > 240 && $7 - $6 > 240 { n++ } END { exit n < 300 }'
	# of 40 all but one in 10^6 have a median, and none has a p95; an interval has the truth
	awk 'BEGIN { for (t = 0; t < 400; t++) for (i = 0; i < 40; i++) print t, i }' >in
	dpquantile --seed=2 "$@" -B in | awk -F '\t' '$2 == "" || $5 != "" { exit 1 }
	    $6 > 37 || $7 < 37 { n++ } END { exit NR != 400 || n > 48 }'
	dpquantile --seed=2 "$@" -o json /dev/null | sed 1q |
	    jq -e '.estimate == {"p50": null, "p95": null}'
	dpquantile --seed=2 "$@" -o csv /dev/null | sed -n 2p | grep -x '1970-01-01T00:00:00Z,,'
}

@test "one quantile, a step by itself: the exponential mechanism is named, which is better" {
	rival='the exponential mechanism, which is not built'
	dpquantile -e 1 --once -r 0:255 --explain | grep -F "$rival"
	dpquantile -e 1 --once -r 0:255 --quantile=.5,.9 --explain >said
	silent_about "$rival" said
	dpquantile -e 1 -T 90 --running -r 0:255 --explain >said
	silent_about "$rival" said
}

@test "half-lives: events are off by what is said, and most intervals hold" {
	# 1, 1/2, 1/4 .. of 1000 events each, one of each value: rank and value are one
	awk 'BEGIN { for (d = 0; d < 5; d++) for (i = 0; i < 1000; i++) print d * 86400, i }' >in
	set -- -e 1 -t 1 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-06 -v 2 \
	    -r 0:999 --half-life=1d
	dpquantile "$@" --explain >said
	most=$(awk '$1 == "last" { print $3 }' said)
	for ((i = 1; i <= 100; i++)); do
		dpquantile "$@" -q -B --seed=$i in
	done | awk -v most="$most" 'NR % 5 == 0 { d = ($2 - 499.5) * 1.9375; s += d * d
	    out += $3 > 499 || $4 < 499 } END { s = sqrt(s / 100); print s, most, out
	    # what is said is of the worst rank: half of that, and a fifth more, is 5 sd and more
	    exit !(NR == 500 && s > most / 2 && s < 1.2 * most && out <= 5) }'
}

@test "states: killed and resumed, in buckets, lines and runs, noise is drawn once" {
	logs
	for how in '-w 1' '-w 1,2' --running --half-life=1d '-d 1e-6 -M blt --running' \
	    '--histogram --bins=3'; do
		set -- -e 5 --seed 9 -T 4 -B "${days[@]}" $how -k 3 --keys=a,b
		[[ $how = *histogram* ]] || set -- "$@" --quantile=.1,.5,.9
		dpquantile "$@" in >whole 2>/dev/null
		[ "$(sort -u whole | wc -l)" = 4 ]
		rm -f s s.*
		for day in 1 2 3 4; do
			until=("${@/--to=*/--to=1970-01-0$((day + 1))}")
			awk -v d="$day" 'int($1 / 86400) == d - 1' in |
			    dpquantile "${until[@]/%=1970-01-01/=1970-01-0$day}" --state=s \
			    $([ -e s ] || echo --init) 2>/dev/null
		done >got
		cmp whole got
	done
	seq 40 >in
	for how in '' '-w 3,7' --half-life=5 '--bins=99'; do
		set -- -e 9 --seed 9 -T 40 -r 0:400 -B --quantile=.3,.7 $how
		dpquantile "$@" in >whole 2>/dev/null
		rm -f s s.*
		head -n 13 in | dpquantile "$@" --state=s --init >got 2>/dev/null
		sed -n 14,20p in | dpquantile --state=s >>got 2>/dev/null
		sed -n 21,40p in | dpquantile --state=s >>got 2>/dev/null
		cmp whole got
		awk -F '\t' 'NF % 6 || $2 > $3 || $5 > $6 { exit 1 }' got
	done
	fails 4 dpquantile --state=s <<<1
	fails 5 dpquantile --state=s --quantile=.5 </dev/null
	fails 5 dpquantile --state=s --bins=50 </dev/null
	fails 5 dpquantile --state=s --histogram </dev/null
	fails 5 dpquantile --state=s -r 0:50 </dev/null
	# other bins that are as many are other ones
	rm -f s s.*
	dpquantile -e 1 --once -T 3 --bins=0,5,10 --state=s --init in >/dev/null
	fails 5 dpquantile --state=s --bins=0,6,10 in
	dpquantile --state=s in >/dev/null 2>&1
}

@test "a run that is killed has printed what its state has, and goes on from there" {
	seq 200 >in
	set -- -e 9 --seed 4 -T 200 -r 0:400 --bins=40 --quantile=.5,.9
	dpquantile "$@" in >whole 2>/dev/null
	mkfifo pipe
	"$DP_BUILD/bin/dpquantile" "$@" --state=s --init --out=out <pipe 2>err &
	pids+=($!)
	exec 9>pipe
	head -n 90 in >&9
	until_true test -s out
	kill -9 "${pids[0]}"
	wait "${pids[0]}" || :
	exec 9>&-
	n=$(dpquantile --state=s --state-show | sed -n 's/^step //p')
	[ "$n" -le 90 ]
	tail -n +$((n + 1)) in | dpquantile --state=s --out=out 2>err
	cmp whole out
}

@test "-P: memory is private, in lines and in open buckets, and quantiles are what they are" {
	seq 300 | dpquantile -e 1000 -P -T 300 -r 0:300 >got
	seq 300 | awk '{ print int(($1 + 1) / 2) }' | paste - got |
	    awk '{ d = $1 - $2; if (d > 1 || d < -1) exit 1 } END { exit NR != 300 }'
	seq 0 9 | awk '{ print $1 * 5, $1 }' |
	    dpquantile -e 1000 -P -T 5 -t 1 --time-format=epoch --bucket=10s --public-times -v 2 \
	    -r 0:9 --running >got
	awk '{ d = $2 - (NR - 1); if (d > 1 || d < -1) exit 1 } END { exit NR != 5 }' got
	# behind a square root, and in two levels
	seq 0 99 | awk '{ print int($1 / 10) * 10, $1 }' >in
	for d in 1e-9 0; do
		dpquantile -e 200 -d $d -P -T 10 -t 1 --time-format=epoch --bucket=10s \
		    --public-times -v 2 -r 0:99 --running in >got
		awk '{ d = $2 - (NR * 5 - 1); if (d > 2 || d < -2) exit 1 }
		    END { exit NR != 10 }' got
	done
}

@test "--live and --public-times: a step when its bucket is over" {
	set -- -t 1 --time-format=epoch --bucket=10s -v 2 -r 0:9 --quantile=.5,.9
	printf '%s\n' '5 1' '6 3' '15 7' '25 9' >in
	exact -T 2 "$@" --public-times in | whole |
	    diff - <(printf '1970-01-01T00:00:%s0Z\t%s\n' 0 $'1\t3' 1 $'7\t7')
	# by the clock, second by second: three of one value, and then none
	talk dpquantile -q -e inf -t 1 --time-format=epoch --bucket=1s --live=1s -v 2 \
	    -r 0:9 --bins=10
	for i in 1 2 3; do
		printf '%s 7\n' "$(date +%s)" >&6
	done
	until_seven() {
		read -r -t 300 -u 7 _ value && [ "$value" = 7 ]
	}
	until_true until_seven
	hangup
}

@test "--check shows what is read of each line; --budget is charged, in full" {
	printf '5\nx\n500\n' | dpquantile --check -r 0:100 --bins=10 2>/dev/null |
	    diff - <(printf 'standard input:%s\n' $'1\tvalue=5\tstep=1' \
	    "2	nothing: not a decimal number: 'x'" \
	    $'3\tvalue=100 (clamped by --range)\tstep=3')
	dpbudget --init --total=1 b
	set -- dpquantile -q -e 1/2 --once
	seq 99 | "$@" -r 0:99 --quantile=.1,.5,.9 --budget=b:percentiles >/dev/null
	seq 99 | "$@" --histogram --bins=0,50,99 --budget=b:bins >/dev/null
	fails 4 "$@" -r 0:99 --budget=b:more <<<5
	[[ $output = "" ]]
	dpbudget --show b | grep -F percentiles
}

@test "--within: the smallest epsilon whose errors, in events, stay within that" {
	e=$(dpquantile --within=30 --once -r 0:255 --explain |
	    sed -n 's/^The smallest epsilon for errors within 30 is \(.*\)\.$/\1/p')
	dpquantile -e "$e" --once -r 0:255 --explain=json | jq -e '.bound.all_steps <= 30'
	dpquantile -e "$(jq -n "$e * .97")" --once -r 0:255 --explain=json |
	    jq -e '.bound.all_steps > 30'
}

# rejects TEXT COMMAND: status 2, nothing printed, and that said
rejects() {
	run -2 --separate-stderr "${@:2}"
	[[ $output = "" && $stderr = *"$1"* ]] || { echo "$stderr"; false; }
}

@test "refused: quantiles, bins, edges and ranges that are none" {
	for q in 0 1 -.5 1.5 '' x .5, ,.5 nan inf 3/2 1/0 50%; do
		rejects 'must be a decimal or a ratio above 0 and below 1' \
		    dpquantile -e 1 -T 9 -r 0:9 "--quantile=$q"
	done
	rejects '--quantile: .50 is given twice' dpquantile -e 1 -T 9 -r 0:9 --quantile=.5,.50
	rejects 'more than 16 quantiles' dpquantile -e 1 -T 9 -r 0:9 \
	    --quantile=$(seq -s , .01 .01 .17)
	dpquantile -e 1 -T 9 -r 0:9 --quantile=$(seq -s , .01 .01 .16) -q </dev/null
	for n in 0 1 4097 x 1e3 -5 ''; do
		rejects 'must be a number of bins from 2 to 4096' dpquantile -e 1 -r 0:9999 \
		    "--bins=$n"
	done
	rejects "'4' is not above the edge before it" dpquantile -e 1 --bins=5,4
	rejects "'5.0' is not above the edge before it" dpquantile -e 1 --bins=1,5,5.0
	rejects "'x' is no decimal number" dpquantile -e 1 --bins=5,x
	rejects "'' is no decimal number" dpquantile -e 1 --bins=5,
	rejects "'inf' is no decimal number" dpquantile -e 1 --bins=5,inf
	rejects 'more than 4096 bins' dpquantile -e 1 --bins=$(seq -s , 0 4098)
	rejects 'leave out -r' dpquantile -e 1 -r 0:9 --bins=0,5,9
	rejects '--bins=E,E,.. says where bins begin' dpquantile -e 1 --log-bins --bins=1,5,9
	rejects 'they need a range from 0 or above' dpquantile -e 1 -r -5:9 --log-bins
	rejects '--range: all values are one then' dpquantile -e 1 -T 9 -r 3:3
	rejects 'counts of bins and quantiles have the least noise from different private numbers' \
	    dpquantile -e 1 -r 0:9 --histogram --quantile=.5
	rejects 'only one can say which' dpquantile -e 1 -T 9 -w 3 --running
	rejects 'only one can say which' dpquantile -e 1 -T 9 --half-life=3 --running
	rejects '--value: which field' dpquantile -e 1 -t 1 --time-format=epoch --bucket=1d \
	    --from=1970-01-01 --to=1970-01-05 -r 0:9
	rejects '--value: which field' dpquantile -e 1 --once -k 1 --keys=a -r 0:9
	rejects 'does not take this option; a total does not say how many events' \
	    dpquantile -e 1 -T 9 --unit=1
	rejects '--partial needs --bucket' dpquantile -e 1 -T 9 --partial
	rejects 'does not take this option' dpquantile -e 1 -T 9 --monotone
	rejects '--match: needs --each-user=count' dpquantile -e 1 -T 9 -m.
	rejects 'unrecognized option' dpquantile -e 1 -T 9 --expire=3
	# one bin a value, the largest number of them
	seq 4097 | exact --once -r 1:4096 --bins=4096 --quantile=.25 | diff - <(echo 1025)
}

@test "values are cut by given edges as they are, not as rounded; what is beyond is at the ends" {
	printf '%s\n' .2477 .2577 .29999 .1 .05 7 -3 >in
	printf '..<0.1,0.1..<0.2,0.2..<0.3,0.3..<0.5,0.5..\n2,1,3,0,1\n' |
	    diff - <(exact --once --histogram --bins=0,0.1,0.2,0.3,0.5,1 -o csv in)
	# a quantile has one place more than edges
	[[ $(exact --once --bins=0,0.1,0.2,0.3,0.5,1 in) = 0.2[0-9] ]]
}

@test "logarithmic bins from 0 on have one for 0" {
	printf '%s\n' 0 0 0 1 5 >in
	printf '0,1..2,3..6,7..18,19..\n3,1,1,0,0\n' |
	    diff - <(exact --once --histogram -r 0:50 --bins=5 --log-bins -o csv in)
}

@test "values of any decimals, however the range was written; whole numbers stay whole" {
	awk 'BEGIN { for (i = 0; i < 1000; i++) print 10 * (i + .5) / 1000 }' >in
	for r in 0:10 0.0:10.0; do
		exact --once -r $r --quantile=.1234,.5,.987 in
	done | awk '{ split("1.234 5 9.87", want)
	    for (i = 1; i <= 3; i++) if ($i > want[i] || $i < want[i] - .031) { print; bad = 1 } }
	    END { exit bad || NR != 2 }'
	# 0:1 was 0 or 1
	awk '{ print $1 / 10 }' in | exact --once -r 0:1 --quantile=.5 |
	    awk '{ exit !($1 >= .497 && $1 <= .5) }'
	printf '%s\n' 2 2 3 10 | exact --once -r 0:10 --quantile=.5,.75,.99 |
	    diff - <(printf '2.00\t3.00\t10.00\n')
	dpquantile -e 1 --once -r 0:10 --explain |
	    grep -F '501 linear bins: they alone cost at most 0.02;'
	# edges have what they need
	printf '%s\n' 0 1.99 2 3.7 9.99 10 >in
	exact --once -r 0:10 --bins=5 --histogram -o csv in |
	    diff - <(printf '..<2,2..<4,4..<6,6..<8,8..\n2,2,0,0,2\n')
	exact --once -r 0:1 --bins=4 --histogram -o csv in | head -n 1 |
	    diff - <(echo '..<0.25,0.25..<0.50,0.50..<0.75,0.75..')
	exact --once -r 0:1 --bins=3 --histogram -o csv in | head -n 1 |
	    diff - <(echo '..<0.333,0.333..<0.667,0.667..')
	# a bin for each, or for as many, whole numbers
	exact --once -r 0:3 --histogram -o csv in | diff - <(printf '0,1,2,3\n1,0,2,3\n')
	exact --once -r 0:9 --bins=5 --histogram -o csv in | head -n 1 |
	    diff - <(echo '..1,2..3,4..5,6..7,8..')
	# a state goes on with the grid that it was begun with
	dpquantile -q --state=s --init -e 1000 --once -T 2 -r 0:10 --seed=1 in >got
	dpquantile -q --state=s in >>got
	awk '$1 < 1.9 || $1 > 2.1 { print; exit 1 } END { exit NR != 2 }' got
}
