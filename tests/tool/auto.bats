# SPDX-License-Identifier: ISC
# -r auto: sums of values whose range nobody knows.
load ../lib/helper

# 84 minutes of 100 values each of 0 .. 999
values() {
	awk 'BEGIN { for (t = 0; t < 84; t++) for (i = 0; i < 100; i++)
	    print t * 60, (i * 7919 + t * 104729) % 1000, i % 3 ? "a" : "b" }' >in
	A=(-q -t 1 --time-format=epoch --bucket=1m --from=1970-01-01 --to=1970-01-01T01:24:00Z -v 2)
}

@test "-r auto: exact sums are awk's: so far, of windows, decayed, of keys, of both signs" {
	values
	dpcount -e inf "${A[@]}" -r 0:999 in | cut -f 2 >want
	dpcount -e inf "${A[@]}" -r auto in | cut -f 2 | diff want -
	dpwindow -e inf "${A[@]}" -w 1,7 -r auto:10k in | cut -f 2,4 |
	    diff <(dpwindow -e inf "${A[@]}" -w 1,7 -r 0:999 in | cut -f 2,3) -
	dpdecay -e inf "${A[@]}" --half-life=5 -r auto in | cut -f 2 | paste - <(
	    dpdecay -e inf "${A[@]}" --half-life=5 -r 0:999 in | cut -f 2) |
	    awk '{ d = $1 - $2 } d > 1e-5 || d < -1e-5 { bad = 1 } END { exit bad || NR != 84 }'
	dpcount -e inf "${A[@]}" -k 3 --keys=a,b -r auto -o csv in | sed -n '1p;$p' >got
	dpcount -e inf "${A[@]}" -k 3 --keys=a,b -r 0:999 -o csv in | awk -F , 'END {
	    print "time,a_sum,a_clamp,b_sum,b_clamp"; print $1 "," $2 ",1024," $3 ",1024" }' |
	    diff - got
	printf '%s\n' 5.25 -3 0 x 700 -1e6 | dpcount -e inf -q -r auto:1000.00 >got
	printf '5.25\t10.24\n2.25\t10.24\n2.25\t10.24\n2.25\t10.24\n702.25\t1310.72\n' |
	    diff - <(head -n 5 got)
	# what is beyond the top is cut to it, to the next power of two
	[ "$(tail -n 1 got)" = $'-297.75\t1310.72' ]
}

@test "-r auto: noise is 15 % more than with the clamp known; the clamp is found" {
	values
	most=$(dpcount -e 1 "${A[@]:1}" -r 0:1024 --explain=json | jq .rmse.max)
	dpcount -e 1 "${A[@]:1}" -r auto --explain=json |
	    jq -e ".rmse.max * 1024 / $most | . > 1.14 and . < 1.2"
	true=$(awk '{ s += $2 } END { print s }' in)
	# 60 runs: 6 sd of their mean square (kurtosis 6) are 1.7 of it
	for ((i = 1; i <= 60; i++)); do
		dpcount -e 1 "${A[@]}" --seed=$i -r auto in
	done | awk -v true="$true" -v most="$most" 'NR % 84 == 0 { d = ($2 - true) / most
	    s += d * d; n += $3 == 1024 } END { print s / 60, n
	    exit !(NR == 60 * 84 && s / 60 < 3.6 && n == 60) }'
}

@test "-r auto: no clamp is noise alone, and decays have theirs" {
	yes 5 | head -n 1000 >in
	# by noise alone one in 10^5 is above 8
	for ((i = 1; i <= 50; i++)); do
		dpcount -e 1 --once -q --seed=$i -r auto in
	done | awk '$2 != 8 || $1 < 4700 || $1 > 5300 { bad = 1 } END { exit bad || NR != 50 }'
	values
	dpwindow -e 1 "${A[@]}" --seed=1 -w 1,7 -r auto in | awk '$3 != 1024 || $5 != 1024 { n++ }
	    END { exit n > 1 || NR != 84 }'
	true=$(dpdecay -e inf "${A[@]}" --half-life=5 -r 0:999 in | tail -n 1 | cut -f 2)
	for ((i = 1; i <= 10; i++)); do
		dpdecay -e 1 "${A[@]}" --seed=$i --half-life=5 -r auto in
	done | awk -v true="$true" 'NR % 84 == 0 { d = $2 - true
	    if (d > 3e4 || d < -3e4 || $3 != 1024) bad = 1 }
	    END { exit bad || NR != 840 }'
}

@test "-r auto: a sum that hangs on a few large values cannot be had, and that is said" {
	awk 'BEGIN { for (i = 0; i < 1000; i++) print i < 1 ? 50000000 : 100 }' >in
	dpcount -e 1 --once -q --seed=1 -r auto in >got
	awk '{ exit !($2 == 128 && $1 > 9e4 && $1 < 1.1e5) }' got
	dpcount -e 1 --once -r auto --explain >said
	grep -F 'a sum that hangs on a few large values cannot be had' said
	grep -F 'Expect the noise to put each sum, divided by its clamp, off by about' said
	grep -x 'sensitivity  *1' said
}

@test "-r auto: a state keeps it; another range is refused; refusals" {
	values
	set -- -t 1 --time-format=epoch --bucket=1m --public-times -T 84 -v 2 -e 1 --seed=7 -q
	dpcount "$@" -r auto in >want 2>/dev/null
	head -n 4000 in >one
	tail -n +4001 in >two
	dpcount "$@" -r auto --state=S --init one >got 2>/dev/null
	fails 5 dpcount -q --state=S -r 0:9 two
	fails 5 dpcount -q --state=S -r auto:99 two
	dpcount -q --state=S two >>got 2>/dev/null
	diff <(head -n 83 want) got
	for a in '-m x' --unit=1 -B --monotone --expire=5; do
		# shellcheck disable=SC2086
		fails 2 dpcount -e 1 -T 9 -r auto $a
	done
	for tool in 'dpmean' 'dpquantile' 'dpmaxsum --columns=2'; do
		# shellcheck disable=SC2086
		fails 2 $tool -e 1 -T 9 -r auto
		[[ $stderr == *'only dpcount, dpwindow and dpdecay have it'* ]]
	done
	for r in autox auto:0 auto:-5 auto: auto:x auto:1e3 auto:300T; do
		fails 2 dpcount -e 1 -T 9 -r $r
		[[ $stderr == *'auto[:TOP]'* ]]
	done
}

# 60 runs: means of what is printed of the truth, to 6 of their deviations; those of 0:64M are
# root mean squares, noise of 2^26 sd, to 6 sqrt(1 / 120) of themselves
@test "-r auto: bytes of a real log hang on 154 requests; the figures of dpcount(1)" {
	local log=$BATS_TEST_DIRNAME/../../../shared/data/apache_access.log

	[ -r "$log" ] || log=/work/shared/data/apache_access.log
	[ -r "$log" ] || skip 'no log'
	awk '{ n = $10 + 0; all += n; if (n > 1e6) { k++; big += n } }
	    END { print k, int(100 * big / all + .5) }' "$log" | grep -x '154 90'
	set -- -q -n -v size --log=combined --bucket=1h --from=2015-05-17T10:00:00Z \
	    --to=2015-05-20T22:00:00Z "$log"
	dpcount -e inf -r 0:1T "$@" 2>/dev/null | cut -f 3 >truth
	for how in auto 0:64M; do
		for ((s = 1; s <= 60; s++)); do
			dpcount -e 1 --seed=$s -r $how "$@" 2>/dev/null
		done | awk -F '\t' 'NR == FNR { t[FNR] = $1; next }
		    !/^(6|21|42|84)\t/ { next }
		    { r = $3 / t[$1]; m[$1] += r / 60; q[$1] += (r - 1)^2 / 60 }
		    END { for (k in m) print k, m[k], sqrt(q[k]) }' truth - | sort -n >$how
	done
	cat auto 0:64M
	awk '{ lo = $2 < lo || NR == 1 ? $2 : lo; hi = $2 > hi ? $2 : hi }
	    END { exit !(lo > .07 && lo < .09 && hi > .13 && hi < .25) }' auto
	awk 'BEGIN { split("3.40 .83 .27 .13", want, " ") } { d = $3 / want[NR] - 1
	    if (d > .55 || d < -.55) exit 1 }' 0:64M
}
