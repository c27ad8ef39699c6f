# SPDX-License-Identifier: ISC
# dpplot: what tools print, drawn with characters, as SVG, PNG and PDF, and as a page.
load ../lib/helper

# rows N: N steps of a count that goes up unevenly, with an interval
rows() {
	integers "$1" | awk '{ s += $1; printf "%d\t%d\t%d\t%d\n", NR, s, s - 400, s + 400 }'
}

# days FILE: the second and further columns of a table with times before them, a day apart
days() {
	awk -F '\t' -v OFS='\t' '{ $1 = strftime("%Y-%m-%dT%H:%M:%SZ", 1e9 + NR * 86400, 1);
	    print }' "$1"
}

hours() {
	awk -F '\t' -v OFS='\t' '{ $1 = strftime("%Y-%m-%dT%H:%M:%SZ", 1e9 + NR * 3600, 1);
	    print }' "$1"
}

# line K FILE: the points of the line of series K, one a line
line() {
	grep -E "<path class=\"line s$1\"" "$2" | sed 's/.* d="//; s/".*//' |
	    tr ML '\n\n' | sed '/^$/d' | tr , ' '
}

# steps FILE [K]: the steps of a line that stays where it is until the next row
steps() {
	line "${2-0}" "$1" | awk 'NR % 2'
}

# bars_of NAME ...: so are the bars of a terminal called, from the first to the last
bars_of() {
	sed -nE 's/^ *([^ ]+) #.*/\1/p' | xargs | diff - <(echo "$*")
}

# bands FILE: the number of series that have a band
bands() {
	grep -oE 'class="band s[0-9]+' "$1" | sort -u | wc -l
}

# straight FILE: the second column goes with the first as a straight line does, to a pixel
straight() {
	awk '{ x[NR] = $1; y[NR] = $2; if ($1 < x[a] || !a) a = NR; if ($1 > x[b] || !b) b = NR }
	    END {
		for (i = 1; i <= NR; i++) {
			want = y[a] + (x[i] - x[a]) * (y[b] - y[a]) / (x[b] - x[a])
			if (want - y[i] > 1 || y[i] - want > 1) { print "row", i; exit 1 }
		}
		exit NR < 10 || y[b] == y[a]
	}' "$1"
}

@test "every form of the same estimates is the same chart" {
	bits 300 >in
	dpcount -e 1 --seed=7 -q -n -B -T 300 in >plain
	for o in tsv csv json; do
		dpcount -e 1 --seed=7 -q -n -B -T 300 -o $o in >$o
		dpplot plain | diff - <(dpplot $o)
		dpplot --to=a.svg plain
		dpplot --to=b.svg $o
		cmp a.svg b.svg
	done
	tr '\t' ' ' <plain | dpplot | diff - <(dpplot plain)
	# the step is the row, where nothing says otherwise
	dpplot <(cut -f 1,2 plain) | diff - <(dpplot <(cut -f 2 plain))
}

@test "a line of SVG goes through the estimates" {
	rows 50 >rows
	dpplot --to=a.svg rows
	line 0 a.svg >points
	[ "$(wc -l <points)" = 50 ]
	paste <(cut -f 2 rows) <(cut -d ' ' -f 2 points) >y
	straight y
	paste <(cut -f 1 rows) <(cut -d ' ' -f 1 points) >x
	straight x
	# by time, which may lie unevenly
	hours rows | sed 7,20d >hours
	dpplot --to=b.svg hours
	line 0 b.svg >points
	paste <(cut -f 1 hours | date -f - +%s) <(cut -d ' ' -f 1 points) >x
	straight x
}

@test "bands, of one series and of several" {
	bits 40 | awk '{ print $1 ? "a" : "b" }' >in
	dpcount -e 1 -k 1 --keys=a,b,c -B -o csv -T 40 in >three.csv
	dpplot --to=a.svg three.csv
	[ "$(bands a.svg)" = 3 ]
	for name in a b c; do
		grep -qF ">$name</text>" a.svg
	done
	for name in a_lo b_hi lo; do
		run ! grep -q ">$name<" a.svg
	done
	rows 9 | cut -f 2- >plain
	dpplot plain | grep -F 'band: noise interval'
	dpplot plain | grep -F '..'
	# three columns that are no band
	awk '{ print $3 "\t" $1 "\t" $2 }' plain | dpplot >chart
	[ "$(grep -o 'column [123]' chart | sort -u | wc -l)" = 3 ]
}

@test "a table by category, of one step, is bars of its names; quantiles keep their order" {
	printf 'step,404,200,500\n1,213,9125,3\n' >keys
	COLUMNS=80 LINES=12 dpplot -H keys >shown
	# the largest first, each with its number, and as long as that is
	grep -oE '^ *[0-9]+|[0-9,]+$' shown | xargs |
	    diff - <(echo 200 9,125 404 213 500 3)
	awk '{ n = gsub(/#/, ""); if (NR > 2 && n >= last && last > 0) exit 1; last = n }' shown
	printf 'step,p50,p95\n1,12,171\n' >quantiles
	COLUMNS=80 LINES=12 dpplot -H quantiles | grep -oE '^ *p[0-9]+' | xargs |
	    diff - <(echo p50 p95)
	printf 'step,a,b\n1,12,171\n2,13,171\n' | COLUMNS=80 LINES=12 dpplot -H - |
	    grep -x 'by step'
}

@test "--last of a running number says up to when it is; of a window when" {
	printf '2026-05-0%d\t%d\ta\n' 1 1 2 2 3 3 >in
	set -- -q -e 1 -t 1 --time-format=iso -v 2 -r 0:9 -k 3 --keys=a,b --bucket=1d \
	    --from=2026-05-01 --to=2026-05-04 in
	dpplot --last --to=a.svg --run dpcount "$@"
	grep -F 'up to 2026-05-03' a.svg
	dpplot --last --to=a.svg --run dpwindow -w 1 "$@"
	grep -F '; 2026-05-03, UTC' a.svg
	# names of one day alone
	dptop -q -e 9 -d .1 -B -t 1 --time-format=iso -k 3 -w 1 --bucket=1d --from=2026-05-03 \
	    --to=2026-05-04 <(printf '2026-05-03\t1\ta\n%.0s' {1..40}) >top
	for o in '' --last; do
		dpplot $o top | grep -F '2026-05-03 00:00, UTC'
	done
	set -- "${@:1:$(($# - 4))}" --bucket=1mo --from=2026-05-01 --to=2026-07-01 in
	dpplot --last --to=a.svg --run dpcount "$@"
	grep -F 'up to 2026-06-30' a.svg
	printf '2026-0%d-01\t%d\n' 4 4 5 5 6 6 | dpplot --to=b.svg
	grep -F '>2026-04-01 to 2026-06-30, UTC<' b.svg
}

@test "numbers.csv of a page: no name is a formula of a spreadsheet" {
	printf 'name,estimate\n=1+1,3\n@x,2\nok,-1\n' | dpplot -H --to=page.html -
	sed -nE 's/.*text\/csv;charset=utf-8,([^"]*)".*/\1/p' page.html >link
	[ "$(<link)" = 'name,estimate%0A%22%27%3D1%2B1%22,3%0A%22%27%40x%22,2%0Aok,-1%0A' ]
}

@test "means: a gap where there is none, in every form and of each key; their bands" {
	awk 'BEGIN { for (d = 0; d < 20; d++) for (i = 0; i < 200 && d != 8; i++)
	    print d * 3600, (d * 3 + i) % 10, (i % 2 && d >= 12 ? "b" : "a") }' >in
	set -- -e 1 --seed=3 -q -B -t 1 --time-format=epoch --bucket=1h --from=1970-01-01 \
	    --to=1970-01-01T20:00:00Z -v 2 -r 0:9
	for o in plain tsv csv json; do
		dpmean "$@" -o $o in >$o
		dpplot --to=$o.svg $o
		cmp plain.svg $o.svg
	done
	line 0 plain.svg >points
	[ "$(wc -l <points)" = 19 ]
	# it is not drawn over: the line begins anew behind it, and the ground says why
	grep -cE 'class="line s0" d="M[^M]*L[^M]*M[^M]*L[^M]*"' plain.svg | diff - <(echo 1)
	grep -c 'class="unknown"' plain.svg | diff - <(echo 1)
	grep -F 'grey: not known' plain.svg
	dpplot --run dpmean "$@" in | grep 'noise interval'
	# one has none for more than half of the days
	dpmean "$@" -k 3 --keys=a,b -o csv in >keys.csv
	awk -F , 'NR > 1 { a += $2 != ""; b += $5 != "" } END { print a, b }' keys.csv >there
	read -r a b <there
	[ "$b" -ge 8 ] && [ "$b" -le 11 ]
	dpplot --to=keys.svg keys.csv
	line 0 keys.svg | wc -l | diff - <(echo "$a")
	line 1 keys.svg | wc -l | diff - <(echo "$b")
	[ "$(bands keys.svg)" = 2 ]
}

@test "quantiles: a line and a band each, in every form, by --run too; a gap where there is none" {
	awk 'BEGIN { for (d = 0; d < 20; d++) for (i = 0; i < 400 && d != 8; i++)
	    print d * 3600, (d * 3 + i) % 100, (i % 2 && d >= 12 ? "b" : "a") }' >in
	set -- -e 1 --seed=3 -q -B -t 1 --time-format=epoch --bucket=1h --from=1970-01-01 \
	    --to=1970-01-01T20:00:00Z -v 2 -r 0:99 --quantile=.25,.5,.75
	for o in tsv csv json; do
		dpquantile "$@" -o $o in >$o
		dpplot --to=$o.svg $o
		cmp tsv.svg $o.svg
	done
	# one colour: bands that overlap are one fan; the missing day cuts each in two
	grep -c 'class="band s0"' tsv.svg | diff - <(echo 6)
	[ "$(bands tsv.svg)" = 1 ]
	for name in p25 p50 p75; do
		grep -qF ">$name</text>" tsv.svg
	done
	run ! grep -qE '>(p[0-9]+_)?(lo|hi)<' tsv.svg
	# the first, of which one day is missing, also without names
	dpquantile "$@" in >plain
	for o in tsv plain; do
		dpplot --to=$o.svg $o
		[ $o = plain ] && line 0 $o.svg >points ||
		    line 0 $o.svg | tail -n 19 >points
		[ "$(wc -l <points)" = 19 ]
		awk -F '\t' '$2 ~ /^[0-9]/ { print $2 }' $o |
		    paste - <(cut -d ' ' -f 2 points) >y
		straight y
	done
	# what --run draws has the names, from the command
	dpplot --run dpquantile "$@" in >chart
	grep -oE 'p[0-9]+$' chart | xargs | diff - <(echo p75 p50 p25)
	grep -F '(1, 0)-differentially' chart
	# keys: six lines, and of b none on most days
	dpquantile "$@" -k 3 --keys=a,b -o csv in >keys.csv
	dpplot --to=keys.svg keys.csv
	[ "$(bands keys.svg)" = 6 ]
	grep -qF '>b_p75</text>' keys.svg
	# a histogram: a line for each bin
	dpquantile "${@:1:$#-3}" --histogram --bins=0,20,50,99 in >chart.tsv -o tsv
	dpplot chart.tsv | grep -E '20\.\.'
}

@test "names: of bars, and who leads" {
	printf '%s\n' 200 200 404 200 else >in
	dplocal -e inf -q --domain=200,404,else --estimate in >bars
	for f in plain tsv csv json; do
		dplocal -e inf -q --domain=200,404,else --estimate -o $f in | dpplot >$f
		grep -oE '^ *[a-z0-9]+' $f | xargs | diff - <(echo 200 404 else)
		diff plain $f
	done
	for f in plain tsv csv json; do
		dpmaxsum -e inf -q --both -k 1 --keys=a1,b,else -o $f <(sed s/200/a1/ in) |
		    dpplot >$f
		grep -E '^ *a1 +#+$' $f
		diff plain $f
	done
	dpmaxsum -e inf -q --select -k 1 --keys=200,404 -o json in | dpplot >chart
	grep -qE '^ *200 +#+$' chart
}

@test "the terminal's size, or the environment's, or 80 by 24" {
	rows 9 >rows
	size() {
		awk -v w="$1" -v h="$2" '{ sub(/\r$/, "") } length > most { most = length }
		    END { print (most > w - 20 && most <= w), (NR > h - 4 && NR <= h) }'
	}
	[ "$(dpplot rows | size 80 24)" = '1 1' ]
	[ "$(COLUMNS=120 LINES=40 dpplot rows | size 120 40)" = '1 1' ]
	[ "$(COLUMNS=x LINES=-3 dpplot rows | size 80 24)" = '1 1' ]
	[ "$(COLUMNS=1 LINES=1 dpplot rows | wc -L)" -le 40 ]
	terminal
	script -qc 'stty cols 100 rows 50; NO_COLOR=1 dpplot rows' /dev/null </dev/null >typed
	[ "$(size 100 50 <typed)" = '1 1' ]
}

@test "times: round ticks, the zone of the text" {
	rows 400 >rows
	days rows >days
	dpplot days | grep -E 'Oct 2001 .*Jan 2002 .*Jul 2002'
	head -n 5 days | dpplot | grep -oE '^ *[0-9]+ Sep' | xargs |
	    diff - <(echo 10 Sep 11 Sep 12 Sep 13 Sep 14 Sep)
	dpplot days | grep -F '2001-09-10 to 2002-10-14, UTC'
	printf '2026-03-28T%02d:00:00+05:30\t%d\n' 20 1 21 2 22 5 23 2 | dpplot >chart
	grep -E '20:00 +.*21:00 .* 23:00' chart
	grep -F '2026-03-28 20:00 to 2026-03-28 23:00, UTC+05:30' chart
	printf '2026-03-28\t1\n2026-03-29\t2\n' | dpplot | grep -E '^ *28 Mar #'
}

@test "ten thousand rows: one in four, and the last" {
	awk 'BEGIN { for (i = 1; i < 10000; i++) print i, 5; print 10000, 77 }' >rows
	dpplot --to=a.svg rows
	line 0 a.svg >points
	[ "$(wc -l <points)" -le 4096 ]
	[ "$(wc -l <points)" -ge 2000 ]
	awk 'NR == 1 { y = $2 } END { exit !($2 < y - 300) }' points
	dpplot rows | grep -F 'by step; one in 4 is drawn'
	head -n 4096 rows | dpplot >chart
	silent_about 'is drawn' chart
	silent_about '(NOT PRIVATE)' chart
}

@test "a count so far stands where it is known, at the end of its bucket" {
	printf '%s 1\n' 1970-01-01T0{0,0,1,3}:00:00Z >in
	set -- -q -e inf -t 1 --time-format=iso --bucket=1h --from=1970-01-01 \
	    --to=1970-01-01T04:00:00Z -k 2 --keys=1,2 in
	dpplot --to=a.vl.json --run dpcount "$@"
	jq -r '.data.values[] | select(.name == "1") | [.x[11:13], .estimate] | @tsv' a.vl.json |
	    paste -s -d ' ' | grep -x $'01\t2 02\t3 03\t3 04\t4'
	# the axis is that of the buckets, and so are the names that lead in them
	dpplot --to=a.svg --run dpmaxsum --both "$@"
	path=$(grep -oE 'class="line s0" d="[^"]*' a.svg)
	rect=$(grep -E 'class="bar s0"' a.svg)
	awk -v path="$path" -v rect="$rect" 'BEGIN {
		n = split(path, p, /[ML]/)
		split(p[2], first, ","); split(p[n], last, ",")
		match(rect, / x="[0-9.]+/); x = substr(rect, RSTART + 4, RLENGTH - 4)
		match(rect, / width="[0-9.]+/); w = substr(rect, RSTART + 8, RLENGTH - 8)
		off = first[1] - x - w / 4; over = last[1] - x - w
		exit !(off < 1 && off > -1 && over < 1 && over > -1) }'
	grep -F '1970-01-01 00:00 to 1970-01-01 04:00, UTC' a.svg
	# months have their own lengths
	dpplot --to=b.vl.json --run dpcount -q -e inf -t 1 --time-format=iso --bucket=1mo \
	    --from=1970-01-01 --to=1970-04-01 -k 2 --keys=1,2 in
	jq -r '.data.values[].x[:10]' b.vl.json | uniq | paste -s -d ' ' |
	    grep -x '1970-02-01 1970-03-01 1970-04-01'
	# a window's number is of its bucket
	dpplot --to=c.vl.json --run dpwindow -w 1 "$@"
	jq -e '.data.values[0].x == "1970-01-01T00:00:00"' c.vl.json
}

@test "a band is cut where it leaves its picture, and the arrow is where it goes furthest" {
	printf '%s\n' 5,4,6 5,4,6 5,4,90 5,4,900 5,4,90 5,4,6 | sed '1i estimate,lo,hi' >rows
	dpplot --to=a.svg rows
	sed -n 's/.*class="band s0" d="M\([^"]*\)Z".*/\1/p' a.svg | tr L '\n' |
	    awk -F , '{ x[NR] = $1; y[NR] = $2; top = NR == 1 || $2 < top ? $2 : top }
	    END { for (i = 1; i <= NR; i++) if (y[i] == top) at[++n] = i
		# the three rows, and where the edges before and behind them are crossed
		step = x[at[3]] - x[at[2]]
		exit !(n == 5 && x[at[2]] - x[at[1]] > .8 * step &&
		    x[at[5]] - x[at[4]] > .8 * step) }'
	x=$(sed -n 's/.*class="band s0" d="M\([^"]*\)Z".*/\1/p' a.svg | tr L '\n' |
	    sed -n 's/,.*//;5p')
	[ "$(grep -c 'class="whisker"' a.svg)" = 1 ]
	grep -F "L$x," <(grep 'class="whisker"' a.svg)
}

@test "more columns than are told apart: the eight largest; names have half of a terminal" {
	awk 'BEGIN { OFS = ","; $1 = "step"; for (i = 1; i <= 40; i++) $(i + 1) = "key " i
	    print; for (t = 1; t <= 9; t++) { $1 = t
	    for (i = 1; i <= 40; i++) $(i + 1) = i * 10 + t; print } }' >rows
	COLUMNS=80 LINES=20 dpplot rows >chart
	grep -x 'by step; the 8 largest of 40 names' chart
	[ "$(wc -l <chart)" = 20 ]
	grep -oE 'key [0-9]+$' chart | paste -s -d , | grep -x 'key 40,key 39,.*,key 33'
	dpplot --to=a.html rows
	grep -F '<td>19</td>' a.html
	name=$(printf '%.0s漢' {1..20})
	printf '%s\t%s\n' "$(printf '%.0sw' {1..40})" 5 "$name" 4 |
	    COLUMNS=80 dpplot >chart
	grep -E "^ *w{40} #+ 5$" chart && grep -E "^ *$name #+ 4$" chart
}

@test "bars of one scale have digits alike; different statistics are no bars" {
	printf 'a\t78.51\t77.9\t79.1\nb\t22.982\t22.9\t23.06\nc\t13\t12.8\t13.2\n' >rows
	COLUMNS=80 dpplot rows | grep -oE '[0-9.]+ [+]-' | paste -s -d ' ' |
	    grep -x '78.5 [+]- 23.0 [+]- 13.0 [+]-'
	for i in 10 20 30 40; do echo $i; done >in
	dpplot --to=a.svg --run dpmean -e 50 -B -r 0:50 --statistic=mean,sd,count,sum --once in
	[ "$(grep -c '<rect class="bar' a.svg)" = 0 ]
	[ "$(grep -c 'class="whisker"' a.svg)" = 0 ]
	[ "$(grep -cE 'class="tick">[0-9,.]+ to [0-9,.]+<' a.svg)" = 4 ]
	grep -F 'each with its 95 % noise interval' a.svg
	COLUMNS=80 dpplot --run dpmean -e 50 -B -r 0:50 --statistic=mean,count --once in |
	    grep -E '^ *count +4(\.0)? [+]-'
}

@test "quantiles of decades, or with such intervals, are logarithmic, below 0 by the noise or not" {
	scale() {
		printf 'step,p50,p50_lo,p50_hi\n' | cat - rows | dpplot --to=a.vl.json
		jq -r '[.layer[].encoding.y.scale.type // "linear"] | last' a.vl.json
	}
	seq 40 | awk '{ print $1 ",20,10,40" }' >rows
	[ "$(scale)" = linear ]
	sed -i '9s/.*/9,20,10,900/' rows
	[ "$(scale)" = log ]
	sed -i '8s/.*/8,-3,-9,30/' rows
	[ "$(scale)" = log ]
	# its line goes to the foot and back, straight
	sed '1i step,p50,p50_lo,p50_hi' rows | dpplot --to=b.svg
	sed -n 's/.*class="line s0" d="M\([^"]*\)".*/\1/p' b.svg | tr L '\n' |
	    awk -F , '{ x[NR] = $1; y[NR] = $2; foot = $2 > foot ? $2 : foot }
	    END { for (i = 1; i <= NR; i++) at[y[i] == foot ? ++n : 0] = i
		exit !(n == 3 && x[at[1]] - x[at[1] - 1] < .3 * (x[at[2]] - x[at[1]])) }'
	# many of them are not the noise's
	sed -i 's/^\([1-7]\),.*/\1,-3,-9,30/' rows
	[ "$(scale)" = linear ]
}

@test "bands that would lie upon each other have a panel each, of one scale" {
	printf 'step,a,a_lo,a_hi,b,b_lo,b_hi\n' >rows
	seq 9 | awk '{ print $1 ",10,2,18,12,4,20" }' >>rows
	dpplot --to=a.svg rows
	[ "$(grep -c 'class="tick" text-anchor="end">10<' a.svg)" = 2 ]
	dpplot --to=a.vl.json rows
	jq -e .facet a.vl.json
	sed 's/,2,18,12,4,20/,9,11,15,14,16/' rows | dpplot --to=b.svg
	[ "$(grep -c 'class="tick" text-anchor="end">10<' b.svg)" = 1 ]
}

@test "a number stands at the end of a line that ends there" {
	printf '%s\n' 5,4,6 7,6,8 ,0,9 >rows
	sed '1i estimate,lo,hi' rows | dpplot --to=a.svg
	grep -E 'class="value t0">not known<' a.svg
	run ! grep -E 'class="value t0">7<' a.svg
	printf '%s\n' 5,4,6 7,6,8 ,, >rows
	sed '1i estimate,lo,hi' rows | dpplot --to=a.svg
	run ! grep -E 'class="value t0">[^<]' a.svg
}

@test "a page without a title is headed by what its numbers are, not by a command" {
	bits 9 >in
	dpplot --to=a.html --run dpcount -e 1 -T 9 in
	grep -x '<h1>Events so far</h1>' a.html
	grep -x '<title>Events so far</title>' a.html
	grep -F 'By: dpcount -e 1 -T 9 in' a.html
	grep -x '<p class="sub">by step</p>' a.html
	dpplot --to=a.html --ylabel='cars & more' --run dpcount -e 1 -T 9 in
	grep -x '<h1>Cars &amp; more</h1>' a.html
	# of one that tells nothing there is only the command
	printf '#!/bin/sh\n[ "$1" = --explain ] && echo Words || seq 9\n' >tool
	chmod +x tool
	dpplot --to=b.html --run ./tool x
	grep -x '<h1><code>./tool x</code></h1>' b.html
}

@test "lines on the terminal: each has its name at its end, with its mark; the truth is said" {
	seq 30 | awk '{ print 50 - $1 "\t" 49 - $1 }' >two
	dpplot two >chart
	grep -E '\* \* column 1$' chart
	grep -E '# # column 2$' chart
	dpplot --true=two --title=Title two >chart
	for name in Title 'NOT PRIVATE: the truth is shown' 'dashed: the truth (NOT PRIVATE)'; do
		grep -F -- "$name" chart
	done
	seq 30 | awk '{ for (i = 1; i < 10; i++) printf "%d\t", $1 + i * 3; print 5 }' >ten
	dpplot ten >chart
	for i in 2 3 4 5 6 7 8 9 10; do
		grep -E " column $i$" chart
	done
}

@test "points on the axes are drawn, and a name in each of its steps" {
	# each row in columns of its own, up and down, from the corner on
	awk 'BEGIN { for (i = 0; i < 16; i++) printf "2026-05-01T%02d:00:00Z\t%s\t%d\n", i,
	    i % 3 ? "b" : "a", i % 2 * (100 - i) }' >rows
	COLUMNS=80 LINES=24 dpplot rows >chart
	grep -E '^ *a +#+( +#+){5}$' chart
	grep -E '^ *b +#+( +#+){4}$' chart
	grep -E '^ *0 \+\*' chart
}

@test "Unicode and colours: where the locale has them, and no more than is wanted" {
	rows 9 >rows
	LC_ALL=C.UTF-8 dpplot rows >chart
	grep -q $'\xe2[\xa0-\xa3]' chart
	run ! grep -q $'\033' chart
	dpplot rows >chart
	run ! grep -q $'[\x80-\xff]' chart
	printf 'a\t5\t4\t6\nb\t2\t1\t3\n' >bars
	LC_ALL=C LANG=C.UTF-8 dpplot bars | grep -F ' 5 +-1'
	LC_ALL='' LANG=de_DE.utf8 dpplot bars | grep -F ' 5 ±1'
	terminal
	shown() {
		script -qc "stty cols 80 rows 24; env $* dpplot bars" /dev/null </dev/null >typed
	}
	shown TERM=xterm COLORTERM=
	grep -qF $'\033[36m' typed && run ! grep -qF $'\033[38;2' typed
	shown TERM=xterm COLORTERM=truecolor
	grep -qF $'\033[38;2;58;143;208m' typed
	for off in 'NO_COLOR=1 TERM=xterm' TERM=dumb; do
		shown $off COLORTERM=truecolor
		run ! grep -q $'\033\\[[0-9;]*m' typed
	done
}

@test "from 40 to 200 columns no line is longer, and bars have their numbers" {
	bits 300 | awk '{ s += $1; print s, s - 3, s + 3 }' >lines
	printf '/a/long/name/of/a/page/that/is/asked/for/%d\t%d\t%d\t%d\n' 1 9500 9400 9600 \
	    2 70 60 80 >bars
	printf '/%d\n' 1 1 2 1 >leads
	for width in 40 60 80 132 200; do
		for f in lines bars leads; do
			for locale in C C.UTF-8; do
				LC_ALL=$locale COLUMNS=$width dpplot $f >chart
				[ "$(LC_ALL=C.UTF-8 wc -L <chart)" -le $width ]
				[ $f != bars ] || grep -E ' 9,500( |$)' chart
			done
		done
	done
}

@test "a title of any length: its beginning is seen" {
	long=$(seq -s ' ' 1000 1025)
	dpplot --to=a.svg --title="$long" <(seq 9)
	sed -n 's/.*class="title">\([^<]*\)<.*/\1/p' a.svg | paste -sd ' ' | grep -xF "$long"
	dpplot --to=a.svg --title="$(seq -s ' ' 1000 1999)" <(seq 9)
	grep -F 'class="title">1000 1001 1002 ' a.svg
	grep -F 'class="title">...<' a.svg
	dpplot --to=a.svg --title='A short one' <(seq 9)
	grep -F 'class="title">A short one<' a.svg
	run ! grep -F '>...<' a.svg
	for width in 40 80 200; do
		COLUMNS=$width dpplot --title="$long" <(seq 1000000 3000000 9000000) >chart
		grep -E '^1000 1001 .*' chart
		[ "$(wc -L <chart)" -le $width ]
	done
	COLUMNS=80 dpplot --title="$(seq -s ' ' 1000 1999)" <(seq 9) >chart
	[ "$(grep -nx '\.\.\.' chart)" = 5:... ]
}

@test "the truth beside it says NOT PRIVATE, everywhere" {
	bits 50 >in
	exact -T 50 in >truth
	dpcount -e 1 -T 50 in >counts
	dpplot --true=truth counts >chart
	grep -F 'NOT PRIVATE: the truth is shown' chart
	grep -F 'dashed: the truth (NOT PRIVATE)' chart
	grep -F -- '---' chart
	for f in svg html; do
		dpplot --true=truth --to=a.$f --title=Counts counts
		grep -F 'NOT PRIVATE: the truth is shown' a.$f
	done
	dpplot --to=b.svg counts
	silent_about 'NOT PRIVATE' b.svg
	days <(sed 's/^/x\t/' truth) >dated
	fails 3 dpplot --true=dated counts
	[[ $stderr = 'dpplot: dated: its columns are not those of the estimates' ]]
	fails 3 dpplot --true=/dev/null counts
	[[ $stderr = 'dpplot: /dev/null: nothing to draw' ]]
}

@test "the guarantee: below the chart, and whole in a page" {
	bits 50 >in
	dpcount -e 1/3 -T 50 in >counts
	dpcount -e 1/3 -T 50 --explain >explained
	dpplot --explain=explained counts | tail -n 9 | tr '\n' ' ' >words
	grep -F "$(head -n 1 explained)" words
	grep -F "$(sed -n '/neighbours/{p;q}' explained)" words
	dpplot --explain=- --to=a.html counts <explained
	grep -A 2 '<p class="exact">' a.html | grep -F '(1/3, 0)-differentially private'
	grep -F 'eligible          max rms error' a.html
	dpplot --explain=explained --to=a.svg counts
	grep -F '(1/3, 0)-differentially private' a.svg
	# what is not private is said in the caption too
	dpcount -e 1 --seed=1 -q --explain | dpplot --explain=- counts |
	    grep -F 'makes the noise reproducible: NOT PRIVATE'
	dpcount -e inf -q --explain | dpplot --explain=- counts | grep -F 'No guarantee'
	for bad in '' '{"tool":"dpcount"}'; do
		printf %s "$bad" >bad
		fails 3 dpplot --explain=bad counts
		[ "$stderr" = 'dpplot: bad: not what --explain prints' ]
	done
}

@test "--explain: names, intervals and the plain sentence, if the tool was asked for columns" {
	bits 50 >in
	echo a >keys
	DPUTILS_COLUMNS=1 dpmean -e 1 -B -T 50 -r 0:1 --statistic=mean,sd --explain >explained
	dpmean -e 1 -B -T 50 -r 0:1 --statistic=mean,sd in >means
	dpplot --explain=explained --to=a.html means
	grep -qF 'mean' a.html
	grep -qF 'they change the odds' a.html
	run ! grep -F 'column 2' a.html
	run ! grep -F plainly a.html
	# the caller knows better
	dpplot -H --explain=explained --to=b.html means
	grep -qF plainly b.html
	# other estimates than it says
	fails 3 dpplot --explain=explained in
	DPUTILS_COLUMNS=1 dpcount -e 1 -T 9 -o prometheus --explain >other
	fails 2 dpplot --explain=other in
	[[ $stderr = 'dpplot: --explain: -o prometheus is for other programs: leave it out'* ]]
	[[ $stderr != *'not started'* ]]
	# the confidence is a field of the columns, and no sentence's number
	head -n 9 in | dpcount -e 1 -T 9 -B.9 >bounded
	dpcount -e 1 -T 9 -B.9 --explain | dpplot --explain=- --to=c.html bounded
	grep -F '; band: noise interval' c.html
	DPUTILS_COLUMNS=1 dpcount -e 1 -T 9 -B.9 --explain |
	    sed 's/with probability 0.9/with probability 0.8/' |
	    dpplot --explain=- --to=c.html bounded
	grep -F '; band: 90&#160;% noise interval' c.html
	# nothing is paid for what cannot be drawn, whatever the caller knows of a header
	dpbudget --init --total=1 ledger
	for header in '' -H; do
		# shellcheck disable=SC2086
		fails 2 dpplot $header --run dpcount -e 1 -T 9 -o markdown --budget=ledger in
		[[ $stderr = *'-o markdown is for other programs'*'not started'* ]]
	done
	head -n 9 in | dpcount -q -e 1 -T 9 --budget=ledger >paid
}

@test "--run: the command's estimates with its own guarantee" {
	bits 50 >in
	dpplot --to=a.html --run dpcount --seed=4 -q -e 1/3 -T 50 -n in
	dpcount --seed=4 -q -e 1/3 -T 50 -n in >counts
	dpcount --seed=4 -q -e 1/3 -T 50 -n --explain |
	    dpplot --title='dpcount --seed=4 -q -e 1/3 -T 50 -n in' --explain=- --to=b.html counts
	for part in 'p class="exact"' 'pre tabindex'; do
		diff <(sed -n "/<$part/,/<\/p/p" a.html) <(sed -n "/<$part/,/<\/p/p" b.html)
		grep -c "<$part" a.html | grep -x 1
	done
	# its standard input is the command's; options behind it are the command's
	dpplot --run dpcount -e inf -q -n <in >chart
	dpplot --title='dpcount -e inf -q -n' <(exact -n in) \
	    --explain=<(DPUTILS_COLUMNS=1 dpcount -e inf -q -n --explain) | diff - chart
	# it ends as its command does; what was printed is drawn
	fails 2 dpplot --run dpcount in
	[[ $stderr = *'dpcount: '*epsilon* ]]
	fails 4 dpplot --to=c.svg --run dpcount -e 1 -T 20 in
	steps c.svg | wc -l | diff - <(echo 20)
	fails 2 dpplot --run /nonexistent/tool
	fails 2 dpplot --run
	[[ $stderr = *'--run: a command must follow'* ]]
	fails 2 dpplot --explain=x --run dpcount -e 1 in
}

@test "--run: a script that knows no word but --explain is run in earnest once" {
	cat >script <<-'EOT'
		#!/bin/sh
		case $1 in
		--explain) echo Words; exit ;;
		*) echo run >>ran; seq 9 ;;
		esac
	EOT
	chmod +x script
	for o in '' --live -H; do
		rm -f ran
		dpplot $o --run ./script >chart
		[ "$(cat ran)" = run ]
		grep -F Words chart
	done
}

@test "--run: columns are told by the last line of --explain, to those who ask for it" {
	bits 20 >in
	set -- -e 1 -T 20 -o tsv --keys=a,b -k 1
	dpcount --explain "$@" >words
	DPUTILS_COLUMNS=1 dpcount --explain "$@" >asked
	diff words <(sed '$d' asked)
	diff <(tail -n 1 asked | jq .) <(dpcount --explain=json "$@" | jq '{output}')
	for no in '' 0 11; do
		DPUTILS_COLUMNS=$no dpcount --explain "$@" | diff words -
	done
	DPUTILS_COLUMNS=1 dpcount --explain=json "$@" | diff <(dpcount --explain=json "$@") -
	# the page has the words and not the line; the run has no such variable
	cat >script <<-'EOT'
		#!/bin/sh
		[ "$1" = --explain ] || echo "${DPUTILS_COLUMNS-none}" >env
		exec dpcount "$@"
	EOT
	chmod +x script
	dpplot --to=a.html --run ./script -q "$@" in
	[ "$(cat env)" = none ]
	grep -F 'mechanism ' a.html
	run ! grep -E 'output("|&quot;)' a.html
	# what only looks like the line: columns are guessed
	for last in '{"output":' '{"output":7}' '{"output":{"columns":{}}}' '{}' '[]' 7 ''; do
		printf '#!/bin/sh\n[ "$1" = --explain ] && cat last || seq 9\n' >odd
		chmod +x odd
		printf 'Words\n%s\n' "$last" >last
		dpplot --to=a.svg --run ./odd
		line 0 a.svg >points
		[ "$(wc -l <points)" = 9 ]
	done
}

# rsvg-convert that draws until there is a file `ran`, and then fails; a command that leaves it
broken_later() {
	mkdir bin
	cat >bin/rsvg-convert <<-EOT
		#!/bin/sh
		[ ! -e ran ] || { [ ! -e killed ] || kill -KILL \$\$; exit 1; }
		exec $(command -v rsvg-convert) "\$@"
	EOT
	cat >tool <<-'EOT'
		#!/bin/sh
		case $1 in --explain*) exec dpcount "$@" ;; esac
		dpcount "$@"
		status=$?
		echo >>ran
		[ ! -e after ] || sh ./after
		exit $status
	EOT
	chmod +x bin/rsvg-convert tool
	bits 50 >in
	dpcount --seed=4 -q -e 1 -T 50 in >counts
}

@test "--run: what was paid for is printed when the picture fails" {
	needs rsvg-convert
	broken_later
	PATH=$PWD/bin:$PATH
	# rsvg-convert fails; it is killed
	for to in --to=a.png --to=a.pdf; do
		rm -f ran
		fails 1 dpplot $to --run ./tool --seed=4 -q -e 1 -T 50 in
		[[ $stderr = *'dpplot: rsvg-convert draws nothing'* ]]
		[[ $stderr = *'paid for, and goes to standard output' ]]
		[ "$output" = "$(<counts)" ]
		[ "$(wc -l <ran)" = 1 ]
		[ ! -e ${to#*=} ]
		touch killed
	done
	# the folder is gone, or no longer one
	rm bin/rsvg-convert
	mkdir folder
	echo 'rmdir folder' >after
	fails 1 dpplot --to=folder/a.svg --run ./tool --seed=4 -q -e 1 -T 50 in
	[[ $stderr = *'dpplot: folder/a.svg: No such file'* ]]
	[ "$output" = "$(<counts)" ]
	# a disk that is full, as a limit tells, for the picture
	rm after
	fails 1 bash -c 'ulimit -f 9
	    exec dpplot --to=a.html --run ./tool --seed=4 -q -e 1 -T 50 in'
	[[ $stderr = *'dpplot: a.html: File too large'* ]]
	[ "$output" = "$(<counts)" ]
	[ ! -e a.html ]
	# and for what rsvg-convert is told
	bits 2000 >in
	dpcount --seed=4 -q -e 1 -T 2000 in >counts
	fails 1 bash -c 'ulimit -f 9
	    exec dpplot --to=a.png --run ./tool --seed=4 -q -e 1 -T 2000 in'
	[[ $stderr = *'dpplot: File too large'* ]]
	[ "$output" = "$(<counts)" ]
	# nothing was left by any of them
	[ -z "$(find . -name '.*dpplot*')" ]
}

@test "--run: where standard output takes nothing, lines are kept in a file that is named" {
	broken_later
	mkdir kept
	export TMPDIR=$PWD/kept
	fails 1 bash -c 'dpplot --run ./tool --seed=4 -q -e 1 -T 50 in >/dev/full'
	[[ $stderr = *'standard output: No space left'*'is kept in '* ]]
	name=${stderr##*is kept in }
	[[ $name = "$PWD"/kept/* ]]
	cmp "$name" counts
	[ "$(stat -c %a "$name")" = 600 ]
	# closed, or with nobody behind it, while the picture's folder is gone
	echo 'rm -r folder' >after
	for out in '>&-' '| :'; do
		mkdir folder
		rm -f kept/*
		fails 1 bash -c "dpplot --to=folder/a.svg \
		    --run ./tool --seed=4 -q -e 1 -T 50 in $out
		    exit \${PIPESTATUS[0]}"
		cmp kept/* counts
	done
	fails 1 bash -c 'dpplot --run touch ran2 >&-'
	[ "$stderr" = 'dpplot: standard output is closed' ]
	[ ! -e ran2 ]
}

@test "--run: lines that are no rows are printed, and all that follow them" {
	cat >odd <<-'EOT'
		#!/bin/sh
		case $1 in --explain) echo Words; exit ;; --explain*) exit 2 ;; esac
		printf '1\t2\n1\tx\ty\n'
		head -c 200000 /dev/zero | tr '\0' z
		echo
	EOT
	chmod +x odd
	fails 3 dpplot --run ./odd
	[[ $stderr = *'dpplot: ./odd:2: 3 columns, where there were 2'* ]]
	[ "$output" = "$(./odd)" ]
	# and one that is no picture
	printf '#!/bin/sh\n[ "$1" != --explain ] || { echo Words; exit; }\necho abc\nexit 9\n' >odd
	fails 9 dpplot --run ./odd
	[ "$output" = abc ]
}

@test "--run: what --suppress keeps back is no number" {
	printf '2 a\n2 a\n2 b\n' >in
	set -- dpcount -q -e inf -k 2 --keys=a,b --suppress=2
	dpplot --run "$@" --once in >got 2>/dev/null
	grep -q '^ *a .* 2$' got
	grep -x ' *b  *<2' got
	grep -q 'less than 2 is not told' got
	set -- "$@" -v 1 -r 0:2
	dpplot --to=a.svg --run "$@" -o csv in 2>/dev/null
	dpplot --to=b.svg --run "$@" in 2>/dev/null
	[ -n "$(line 0 a.svg)" ]
	[ "$(line 0 a.svg)" = "$(line 0 b.svg)" ]
	# the first key alone has a number, which is no step
	dpplot --run dpmean -q -e inf --once -k 1 --keys=2,3 -v 2 -m a in 2>/dev/null |
	    grep '^ *2 .* 66.7 %$'
	# where columns are not told it is a name
	printf '<5\t7\n6\t8\n' | dpplot | grep '^ *<5 .* 7$'
}

@test "--run: a piece of a line is no row" {
	cat >cut <<-'EOT'
		#!/bin/sh
		case $1 in --explain) echo Words; exit ;; --explain*) exit 2 ;; esac
		printf '1\t500\n2\t500\n3\t5'
		[ "$1" = whole ] || kill -KILL $$
	EOT
	chmod +x cut
	fails 137 dpplot --to=a.svg --run ./cut
	line 0 a.svg >points
	[ "$(wc -l <points)" = 2 ]
	dpplot --to=a.svg --run ./cut whole
	line 0 a.svg >points
	[ "$(wc -l <points)" = 3 ]
}

@test "--run: what cannot be drawn is refused before the command runs" {
	broken_later
	printf '1\n' >in
	not_run() {
		local status=$1 words=$2

		shift 2
		fails "$status" dpplot "$@"
		[[ $stderr = *"$words"* ]]
		[ ! -e ran ]
		[ -z "$output" ]
	}
	keys=$(seq -s , 65)
	not_run 2 '64 that are drawn (give fewer --keys or --bins, or leave -B out): not started' \
	    --to=a.svg --run ./tool -e 1 -T 9 -k 1 --keys="$keys" in
	not_run 2 'more columns' --run ./tool -e 1 -T 9 -k 1 --keys="$(seq -s , 22)" -B in
	not_run 2 "must end in" --to=a.gif --run ./tool -e 1 -T 9 in
	not_run 1 'No such file' --to=nowhere/a.svg --run ./tool -e 1 -T 9 in
	mkdir d.svg
	not_run 1 'Is a directory' --to=d.svg --run ./tool -e 1 -T 9 in
	set -- -e 1 -o long -k 1 --keys=a,b,c --bucket=1s -t 2 --time-format=epoch --from=0
	not_run 2 '--last: more rows than places are found among (--top=K, or longer steps, pr' \
	    --last --run ./tool "$@" --to=21846 in
	not_run 2 '--ranks: more rows than places' --ranks --run ./tool "$@" --to=21846 in
	ln -s "$(command -v dpmaxsum)" dpmaxsum
	sed 's/dpcount/dpmaxsum/' tool >leads
	chmod +x leads
	not_run 2 '-o long of a name that leads has no number to draw' --run ./leads --select "$@" \
	    --to=9 in
	not_run 3 ': its columns are not those of the estimates' \
	    --true=<(echo '2026-01-01	5') --run ./tool -e 1 -T 9 in
	# an rsvg-convert that is there, and does not draw
	printf '#!/bin/sh\nexit 0\n' >bin/rsvg-convert
	PATH=$PWD/bin:$PATH
	not_run 1 'rsvg-convert draws nothing' --to=a.png --run ./tool -e 1 -T 9 in
	if [ "$(id -u)" -ne 0 ]; then
		mkdir -m 500 locked
		not_run 1 'Permission denied' --to=locked/a.svg --run ./tool -e 1 -T 9 in
	fi
}

@test "--run: what is found out of its rows alone is drawn without the option, and kept" {
	cat >many <<-'EOT'
		#!/bin/sh
		case $1 in --explain) echo Words; exit ;; --explain*) exit 2 ;; esac
		seq 35000 | awk '{ print $1 "\tk\t5"; print $1 "\tj\t7" }'
	EOT
	chmod +x many
	dpplot --to=a.svg --last --run ./many >out 2>err
	grep -q '^dpplot: --last: more rows than places .*: drawn without it$' err
	grep -q 'paid for, and goes to standard output' err
	[ "$(wc -l <out)" = 70000 ] && [ -s a.svg ]
	fails 3 dpplot --to=b.svg --last <(./many)
	[ ! -e b.svg ]
	# a truth of one step, of estimates of several
	printf 'a 1\nb 9\na 9\n' >in
	set -- -k 1 --keys=a,b -o long -t 2 --time-format=epoch --bucket=5s --from=0 --to=10 in
	dpcount -q -e inf --once -k 1 --keys=a,b -o long in >truth
	dpplot --to=a.svg --true=truth --run dpwindow -q -e 1 -w 1 "$@" >out 2>err
	grep -q '^dpplot: truth: its columns are not those of the estimates: drawn without it$' err
	[ "$(wc -l <out)" = 5 ] && silent_about 'NOT PRIVATE' a.svg
}

@test "--run, a signal: the command ends, and what it printed is drawn" {
	cat >slow <<-'EOT'
		#!/bin/sh
		case $1 in --explain) echo Words; exit ;; --explain*) exit 2 ;; esac
		trap 'printf "3\t5\n4\t9\n"; exit' HUP INT TERM
		printf '1\t5\n2\t5\n'
		: >ready
		while :; do sleep .05; done
	EOT
	chmod +x slow
	for sig in TERM INT HUP; do
		rm -f a.svg ready
		env --default-signal=$sig dpplot --to=a.svg --run ./slow &
		pid=$!
		until_true test -e ready
		kill -$sig $pid
		status=0
		wait $pid || status=$?
		[ $status = $((128 + $(kill -l $sig))) ]
		line 0 a.svg >points
		[ "$(wc -l <points)" = 4 ]
	done
}

@test "--run, a signal before the command's number is known goes to the command, too" {
	unsanitized 'a library is preloaded'
	# the signal comes while the command runs, and its start has not come back
	cat >shim.c <<-'EOT'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <signal.h>
		#include <spawn.h>
		#include <unistd.h>

		int
		posix_spawnp(pid_t *pid, const char *file,
		    const posix_spawn_file_actions_t *actions,
		    const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
		{
			__typeof__(&posix_spawnp) real;
			int e;

			*(void **)&real = dlsym(RTLD_NEXT, "posix_spawnp");
			e = real(pid, file, actions, attr, argv, envp);
			if (file[0] == '.' && argv[1] == NULL) {
				while (access("ready", F_OK) != 0)
					usleep(1000);
				raise(SIGTERM);
			}
			return e;
		}
	EOT
	${CC:-cc} -shared -fPIC -o shim.so shim.c -ldl
	cat >slow <<-'EOT'
		#!/bin/sh
		case $1 in --explain) echo Words; exit ;; --explain*) exit 2 ;; esac
		trap 'printf "3\t5\n"; exit' TERM
		printf '1\t5\n2\t5\n'
		: >ready
		while :; do sleep .05; done
	EOT
	chmod +x slow
	run -143 timeout -k 1 120 env LD_PRELOAD="$PWD/shim.so" dpplot --to=a.svg --run ./slow
	line 0 a.svg >points
	[ "$(wc -l <points)" = 3 ]
}

@test "pictures: what a run leaves that is killed, the next one takes" {
	rows 5 >rows
	# as a run would leave it that was killed between its file's two names
	echo half >.a.svg.dpplot
	dpplot --to=a.svg rows
	[ ! -e .a.svg.dpplot ]
	grep -qF '</svg>' a.svg
	unsanitized 'a library is preloaded'
	cat >shim.c <<-'EOT'
		#include <signal.h>
		#include <stdlib.h>
		#include <unistd.h>

		int
		fsync(int fd)
		{
			(void)fd;
			if (getenv("KILL") != NULL)
				raise(atoi(getenv("KILL")));
			return 0;
		}
	EOT
	${CC:-cc} -shared -fPIC -o shim.so shim.c -ldl
	rm a.svg
	run -137 env LD_PRELOAD="$PWD/shim.so" KILL=9 dpplot --to=a.svg rows
	[ "$(echo .a.*)" = .a.svg.dpplot ]
	[ ! -e a.svg ]
	LD_PRELOAD=$PWD/shim.so dpplot --to=a.svg rows
	grep -qF '</svg>' a.svg
	[ ! -e .a.svg.dpplot ]
	# signals wait until the picture has its name
	rm a.svg
	run -143 env LD_PRELOAD="$PWD/shim.so" KILL=15 dpplot --to=a.svg rows
	grep -qF '</svg>' a.svg
	[ ! -e .a.svg.dpplot ]
}

@test "--run: names, of every tool that has several" {
	printf '%s\n' 200 404 200 /index.html 200 >in
	printf '0 0 1\n0 1 1\n1 0 1\n' >matrix
	each_of() {
		local wanted=$1 word

		shift
		dpplot --run "$@" | sed 1d >chart
		for word in $wanted; do
			grep -E -- "(^| )$word( |$)" chart ||
			    { echo "$word: $*"; cat chart; return 1; }
		done
		run ! grep -E 'column [0-9]' chart
	}
	for o in plain tsv csv json; do
		each_of '200 404 /index.html' dpcount -q -e 1 -T 9 -k 1 \
		    --keys=200,404,/index.html -o $o in
	done
	each_of '2 4' dpwindow -q -e 1 -T 9 -w 2,4 -B in
	each_of '200_2 404_4' dpwindow -q -e 1 -T 9 -w 2,4 -k 1 --keys=200,404 -n in
	each_of '200 404' dpdecay -q -e 1 -T 9 -a .5 -k 1 --keys=200,404 in
	each_of '200' dpmaxsum -q -e inf --both -k 1 --keys=404,200 -T 9 in
	each_of '3' dpmaxsum -q -e inf --both --columns=3 -T 9 -n matrix
	# an interval is no series
	dpplot --run dpcount -q -e 1 -T 9 -B in | grep -F 'noise interval'
}

@test "--run: a choice is no number, whatever it looks like" {
	printf '0 0 1\n0 1 1\n1 0 1\n' >matrix
	printf '%s\n' 200 200 404 >in
	# the names at the left of their lanes
	lanes() {
		dpplot --run "$@" >chart
		sed -nE 's/^ *([^ ]+)  [# ]*#+$/\1/p' chart | xargs
	}
	for o in '' '-o csv' '-o json'; do
		[ "$(lanes dpmaxsum -q -e inf --select --columns=3 -T 9 $o matrix)" = 3 ]
		[ "$(lanes dpmaxsum -q -e inf --select -k 1 --keys=404,200 -T 9 $o in)" = 200 ]
		[ "$(lanes dplocal -q -e inf --domain=200,404 $o in)" = '200 404' ]
		lanes dpexperts -q -e 1 --seed=1 --columns=3 -T 9 $o matrix | grep -E '^[123]'
		silent_about 1.5 chart
	done
	# the leader's sum is drawn, at its height, and each leader has its lane
	[ "$(lanes dpmaxsum -q -e inf --both -k 1 --keys=404,200 -T 9 in)" = 200 ]
	grep -E '^ *2.0 \+ .*\*' chart
}

@test "--run: a name for each answer at the end" {
	printf 'query,a,b\n7,1,0\nboth,1,1\n' >q.csv
	printf '%s\n' a a b >in
	for o in '' '-o csv' '-o tsv' '-o json' -n; do
		dpplot --run dpproject -q -e inf --queries=q.csv $o in | bars_of 7 both
	done
	printf '1,0\n1,1\n' >q.csv
	dpplot --run dpproject -q -e inf --queries=q.csv <(seq 2) | grep 'by query'
	dpplot --run dpproject -q -e inf --queries=q.csv -o csv <(seq 2) | bars_of 1 2
	printf '%s\n' 200 404 404 >answers
	dpplot --run dplocal -q -e inf --domain=404,200 --estimate -B answers | bars_of 404 200
}

@test "--run: a state that is resumed has no header line, and keeps its form" {
	bits 20 >in
	for o in plain csv tsv json; do
		dpcount -q -e 1 --seed=1 -T 99 --state=s.$o --init -B -o $o in >first
		cp s.$o before
		dpplot --to=a.svg --run dpcount --state=s.$o in
		steps a.svg | wc -l | diff - <(echo 20)
		grep -qF 'noise interval' a.svg
		# as a line of the state file's own form
		dpcount --state=s.$o --state-show | grep -E "output +$o"
	done
}

@test "--explain: no more than it prints is read, and no byte commands the terminal" {
	bits 20 >in
	exact -T 20 in >counts
	fails 3 dpplot --explain=/dev/zero counts
	[ "$stderr" = 'dpplot: /dev/zero: not what --explain prints' ]
	fails 3 dpplot --explain=<(yes) counts
	[[ $stderr = 'dpplot: /dev/fd/'*': not what --explain prints' ]]
	printf '#!/bin/sh\nyes\n' >odd
	chmod +x odd
	fails 3 dpplot --run ./odd
	[ "$stderr" = 'dpplot: ./odd: not what --explain prints' ]
	printf 'a\033]0;owned\007b\033[31mc\302\233d\177e\rf\377 \303\251\nestimates x\n' >words
	printf 'assumed: NOT PRIVATE \033[2J\n' >>words
	dpplot --title=$'t\033[0m' --explain=words counts >chart
	grep -qF $'a ]0;owned b [31mc?d e f? \303\251' chart
	grep -qF 'NOT PRIVATE  [2J' chart
	run ! grep -qP '[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]' chart
	# words without a blank are cut between characters
	printf '\303\251%.0s' $(seq 200) >words
	COLUMNS=80 dpplot --explain=words counts >chart
	silent_about '?' chart
}

@test "names and titles are text, whatever they hold" {
	evil="'; system('touch pwned'); '\`touch pwned\` @x \"\\n <script>alert(1)</script> & {/b}"
	printf '%s\t%s\n' "$evil" b 1 2 3 4 >rows
	dpplot --to=a.svg --title="$evil" rows
	dpplot --to=a.html --title="$evil" rows
	COLUMNS=200 dpplot --title="$evil" rows >chart
	grep -F "@x \"\\n <script>alert(1)</script> & {/b}" chart
	printf '%s\t5\n' "$evil" '\' "'" 'a
b' | head -n 3 >bars
	dpplot --explain=<(echo "$evil") --to=b.html bars
	[ ! -e pwned ]
	for f in a.svg a.html b.html; do
		silent_about '<script' $f
		grep -qE '&lt;script(>|&gt;)alert\(1\)&lt;/script(>|&gt;) &amp;' $f
	done
	# bytes that are no UTF-8, and control characters
	printf 'a\377\033[31mb\t\303\251\302\205\n1\t2\n3\t4\n' >rows
	dpplot rows | grep -F 'a? [31mb'
	dpplot --to=c.svg rows
	iconv -f UTF-8 -t UTF-8 c.svg >/dev/null
	run ! grep -qP '\x1b|\x{85}' c.svg
	# marks that turn the direction of all that follows, in every form
	printf 'a\342\200\256b\342\201\246\tc\n1\t2\n3\t4\n' >rows
	for to in a.svg b.html; do
		dpplot --to=$to --title="$(head -n 1 rows)" rows
		grep -F 'a?b?' $to
		run ! grep -qP '\xe2\x80\xae|\xe2\x81\xa6' $to
	done
	dpplot rows | grep -F 'a?b?'
}

@test "PNG: a picture that is not blank" {
	needs rsvg-convert
	rows 50 >rows
	dpplot --to=a.png rows
	printf '\211PNG\r\n\032\n' | cmp -n 8 - a.png
	# 960 by 480, of two dots each
	[ "$(od -An -tu1 -j 16 -N 8 a.png | tr -s ' ')" = ' 0 0 7 128 0 0 3 192' ]
	[ "$(stat -c %s a.png)" -gt 8000 ]
}

@test "a page, in a browser: the picture, the guarantee, and nothing from elsewhere" {
	heavy chromium
	bits 50 >in
	dpplot --to=page.html --title='<b>&' --run dpcount -e 1/3 -B -T 50 in
	run ! grep -iE 'src=|@import|url\(["'"'"']?[a-z]' page.html
	# thrice, as a browser may also die of itself
	browse() {
		local try

		for try in 1 2 3; do
			HOME=$PWD timeout -k 1 120 chromium --headless --no-sandbox --disable-gpu \
			    --disable-dev-shm-usage --user-data-dir="$PWD/profile.$try" "$@" \
			    "file://$PWD/page.html" 2>err && return
		done
		return 1
	}
	browse --dump-dom >dom
	[ "$(grep -c '<path' dom)" -gt 9 ]
	grep -F '(1/3, 0)-differentially private' dom
	grep -F '<title>&lt;b&gt;&amp;</title>' dom
	browse --window-size=1100,900 --screenshot="$PWD/shot.png" --hide-scrollbars
	# a blank page of this size is 6 kB
	[ "$(stat -c %s shot.png)" -gt 20000 ]
}

@test "live: a chart for what has come, over the one before" {
	talk dpplot --live
	printf '1\n5\n' >&6
	until IFS= read -r -t 300 -u 7 row && [[ $row = *'+---'* ]]; do
		[[ $row != *' 9'* ]]
	done
	printf '9\n' >&6
	until IFS= read -r -t 300 -u 7 row && [[ $row = *'+---'* ]]; do
		rest="$rest$row"
	done
	hangup
	grep -F ' 9' <<<"$rest"
	terminal
	(rows 3; until_true grep -qs step typed; rows 5 | tail -n 2) |
	    script -qc 'stty cols 80 rows 24; dpplot --live' /dev/null >typed
	[ "$(grep -o $'\033\[H' typed | wc -l)" -ge 2 ]
}

@test "live into a file: it is there whole at any time" {
	talk dpplot --live --to=live.svg
	printf '1\n5\n' >&6
	until_true test -s live.svg
	tail -n 2 live.svg | grep -F '</svg>'
	cp live.svg before
	printf '9\n' >&6
	until_true eval '! cmp -s live.svg before'
	hangup
	tail -n 2 live.svg | grep -F '</svg>'
	[ -z "$(find . -name '.live*')" ]
}

@test "bad input: place and reason, status 3, and no file" {
	bad() {
		printf "$1" >in
		fails 3 dpplot --to=a.svg in
		[ "${stderr%%$'\n'*}" = "dpplot: in:$2" ]
		# lines that no tool printed are told from the first on
		[[ $2 = [12]:* && $stderr = *$'\n'*': dpplot --run TOOL '* ||
		    $2 != [12]:* && $stderr != *$'\n'* ]]
		[ ! -e a.svg ]
	}
	bad '1\nx\n' '2: column 1: no number'
	bad '1 2\n\n2 3\n' '2: an empty line'
	bad '1\nnan\n' '2: column 1: no number'
	bad '1\ninf\n' '2: column 1: no number'
	bad '1\n0x10\n' '2: column 1: no number'
	bad '1\n1e101\n' '2: column 1: no number'
	bad '1\n1e999\n' '2: column 1: no number'
	bad '1\t2\n3\n' '2: 1 columns, where there were 2'
	bad '1\t2\n3\t4\t5\n' '2: 3 columns, where there were 2'
	bad '1\t2\tx\n' '1: column 3: no number'
	bad 'step\ttime\n1\t2026-01-01\n2\tyesterday\n' '3: column 2: no time'
	bad 'a,b\n1,"2\n' '2: a quote that does not fit'
	bad '5\tx\n3\ty\n' '2: names or times after numbers that are not steps'
	bad '{"step":1,"estimate":2}\n{"step":2,"esti' '2: not a JSON object'
	bad '{"step":1,"estimate":2}\n7\n' '2: not a JSON object'
	bad '{"step":1,"estimate":2}\n{"step":2,"estimate":"x"}\n' '2: column 2: no number'
	bad '{"step":1,"estimate":2}\n{"step":null,"estimate":1}\n' '2: column 1: no number'
	bad '{"step":1,"estimate":true}\n' '1: a member that is neither a number nor a name'
	bad '{"step":1,"estimate":{"a":{"b":{"c":1}}}}\n' '1: not a JSON object'
	bad '{"step":1,"estimate":[1]}\n' '1: a member that is neither a number nor a name'
	seq -s ' ' 65 >many
	fails 3 dpplot many
	[ "${stderr%%$'\n'*}" = 'dpplot: many:1: more than 64 columns' ]
	seq -f 'n%.0f' 4097 >many
	fails 3 dpplot many
	[ "$stderr" = "dpplot: many:4097: more than 4096 different names; to count a log and draw \
its counts: dpplot --run TOOL OPTION ... FILE" ]
	head -c 3000000 /dev/zero >many
	fails 3 dpplot many
	[ "${stderr%%$'\n'*}" = 'dpplot: many:1: too long' ]
}

@test "data, or a command, where a table belongs: --run is named" {
	printf '0.5\tGET\t/p1\n' >requests.tsv
	fails 3 dpplot requests.tsv
	[[ $stderr = 'dpplot: requests.tsv:1: '*$'\n''dpplot: to count a log and draw its '* ]]
	fails 2 dpplot dpcount -e 1 requests.tsv
	[[ $stderr = *$'\n''dpplot: --run: a command, with its options, goes behind it'* ]]
	# what a command prints, and the truth, are no such case
	printf '1\n' >in
	printf '1\tx\ty\n' >truth
	fails 3 dpplot --true=truth in
	[[ $stderr = 'dpplot: truth:1: '* && $stderr != *--run* ]]
	printf '#!/bin/sh\n[ "$1" = --explain ] && echo Words || printf "1\\tx\\ty\\n"\n' >odd
	chmod +x odd
	fails 3 dpplot --run ./odd
	[[ $stderr = 'dpplot: ./odd:1: '* && $stderr != *TOOL* ]]
}

@test "-o markdown and -o prometheus: what is drawn is named" {
	bits 9 >in
	for o in markdown prometheus; do
		dpcount -q -e 1 -B -T 9 -o $o in >rows
		fails 3 dpplot rows
		[[ $stderr == *'-o prometheus are for other programs: -o csv, -o tsv, -o json '* ]]
	done
}

@test "-o long: what keys and statistics do not share is the name, from a file and by --run" {
	awk 'BEGIN { for (i = 0; i < 60; i++) print i % 9, i % 3 ? "a" : "b" }' >in
	set -- -q -e inf -T 60 in
	# one number a step, and one number
	dpcount "${@:1:3}" -T 60 -m . -o long in >rows
	dpplot --to=a.svg rows
	dpcount "${@:1:3}" -T 60 -m . in | dpplot --to=b.svg
	[ "$(line 0 a.svg)" = "$(line 0 b.svg)" ]
	dpcount "${@:1:3}" -m . --once -o long in | dpplot | grep -x '  60'
	# keys; statistics; both
	dpcount -k 2 --keys=a,b -m . -B -o long "$@" >keys
	dpplot --to=c.svg keys
	dpplot --to=d.svg --run dpcount -k 2 --keys=a,b -m . -B -o long "$@"
	dpquantile -v 1 -r 0:9 --quantile=.5,.9 -o long "$@" | dpplot --to=e.svg
	dpquantile -v 1 -r 0:9 --quantile=.5,.9 -k 2 --keys=a,b -o long "$@" | dpplot --to=f.svg
	names() {
		sed -n 's/.*class="value t[0-9]">\([^<]*\)<.*/\1/p' "$1" | sort | paste -s -d ,
	}
	[ "$(names c.svg)" = a,b ] && [ "$(names d.svg)" = a,b ]
	dpplot --to=h.svg --run dpcount -k 2 --keys=a,b -m . -B -o csv "$@"
	[ "$(line 0 d.svg)" = "$(line 0 h.svg)" ]
	[ "$(names e.svg)" = p50,p90 ]
	[ "$(names f.svg)" = 'a p50,a p90,b p50,b p90' ]
	# of one step bars, in their order; a page has the rows as they came
	dpcount -k 2 --keys=b,a -m . -B --once -o long "${@:1:3}" in >once
	dpplot once | grep -oE '^ *[ab]' | xargs | grep -x 'b a'
	dpplot --to=g.html keys
	[ "$(grep -c '<tr><td>' g.html)" = 120 ]
	# what looks so and is not
	printf 'time,key,statistic,estimate\n2026-01-01,a,count\n' >odd
	fails 3 dpplot odd
	[[ $stderr = 'dpplot: odd:2: '* ]]
}

@test "nothing to draw is status 3" {
	needs rsvg-convert
	for none in '' 'step\testimate\n'; do
		printf "$none" >none
		fails 3 dpplot --to=a.png none
		[ "$stderr" = 'dpplot: nothing to draw' ]
		[ ! -e a.png ]
	done
	for none in 'abc\n' 'abc def\n' '{"page":"/a"}\n'; do
		printf "$none" >none
		for live in '' --live; do
			run -3 --separate-stderr dpplot $live none
			[ "$stderr" = 'dpplot: nothing to draw: one name, and no number' ]
			[ -z "$output" ]
		done
	done
	# as dpmean prints where nothing was counted
	for empty in ',,\n' '\t0\t1\n' 'estimate,lo,hi\n,0,1\n' '1\t\t0\t1\n2\t\t0\t1\n'; do
		printf "$empty" >none
		fails 3 dpplot none
		[ "$stderr" = "dpplot: nothing to draw: every estimate is empty (of a mean: too \
few events to tell one; with --suppress: all are less)" ]
	done
	# a single line whose first number may be a step, or an estimate
	for one in '120\t45\n' '1\t2\t3\n' '1 2\n'; do
		printf "$one" >some
		run -0 --separate-stderr dpplot some
		[[ $stderr == 'dpplot: the first number of the only line is taken for its step;'* ]]
	done
	for one in '120\t45\n121\t40\n' 'step,x\n1,2\n' '5\n' 'a\t5\n' '5\t4\t6\n'; do
		printf "$one" >some
		run -0 --separate-stderr dpplot some
		[ -z "$stderr" ]
	done
	# who leads, step by step; a number; a name that has one
	for some in 'abc\nabc\n' '1\n' 'abc\t1\n'; do
		printf "$some" >some
		dpplot some >drawn
		[ -s drawn ]
	done
	printf '#!/bin/sh\n[ "$1" != --explain ] || echo Words\n' >silent
	chmod +x silent
	fails 3 dpplot --run ./silent
	[ "$stderr" = 'dpplot: nothing to draw' ]
	fails 3 dpplot nonexistent
	[ "$stderr" = 'dpplot: nonexistent: No such file or directory' ]
	fails 3 dpplot .
}

@test "options that do not fit are status 2" {
	echo 1 >in
	for to in a.gif png .png x/.svg a.svg.gz ''; do
		fails 2 dpplot --to="$to" in
		[[ $stderr = *"--to: '$to' must end in .svg, .png, .pdf, .html or .vl.json"* ]]
	done
	fails 2 dpplot --to=a.svg --to=b.svg in
	fails 2 dpplot --nonsense in
	fails 2 dpplot -e 1 in
	fails 2 dpplot --help=some
	fails 2 dpplot - - <in
	fails 2 dpplot --explain=- <in
	fails 2 dpplot --true=- --explain=- in
	fails 2 dpplot --title
}

@test "a file that cannot be written is status 1, and what was there stays" {
	rows 5 >rows
	fails 1 dpplot --to=nowhere/a.svg rows
	[[ $stderr = 'dpplot: nowhere/a.svg: No such file or directory' ]]
	mkdir a.svg
	fails 1 dpplot --to=a.svg rows
	rmdir a.svg
	echo old >a.svg
	printf '1\nx\n' >bad
	fails 3 dpplot --to=a.svg bad
	[ "$(<a.svg)" = old ]
	umask 027
	dpplot --to=a.svg rows
	[ "$(stat -c %a a.svg)" = 640 ]
	[ -z "$(find . -name '.a.svg*')" ]
	fails 1 bash -c 'dpplot rows >/dev/full'
	[[ $stderr = *'standard output: No space left on device' ]]
}

@test "without rsvg-convert: said before anything is read or run; SVG, pages and text need none" {
	mkdir bin
	ln -s "$DP_BUILD/bin/dpplot" bin
	ln -s "$(command -v touch)" bin
	for to in a.png a.pdf; do
		fails 1 env PATH="$PWD/bin" bin/dpplot --to=$to --run touch ran
		[[ $stderr = 'dpplot: rsvg-convert is not there'*'librsvg2-bin'* ]]
		[ ! -e ran ]
	done
	printf '#!/bin/sh\nexit 1\n' >bin/rsvg-convert
	chmod +x bin/rsvg-convert
	echo old >a.png
	echo 1 >in
	fails 1 env PATH="$PWD/bin:/bin" bin/dpplot --to=a.png in
	[ "$stderr" = 'dpplot: rsvg-convert draws nothing' ]
	[ "$(<a.png)" = old ]
	for to in a.svg a.html a.vl.json; do
		env PATH="$PWD/bin" bin/dpplot --to=$to in
		[ -s $to ]
	done
	env PATH="$PWD/bin" bin/dpplot in | grep -x '  1'
}

# events DAY ..: some of each of the days of a month
events() {
	awk 'BEGIN { for (d = 1; d <= 28; d++) for (i = 0; i <= d % 5; i++)
	    printf "2026-02-%02dT%02d:00:00Z 1\n", d, 5 + i }'
}

@test "buckets of days are bars, with their intervals; hours are lines" {
	events >in
	daily=(-t 1 --time-format=iso --bucket=1d --from=2026-02-01 --to=2026-03-01)
	dpplot --to=a.svg --run dpwindow -e 1 -B -w 1 "${daily[@]}" in
	said() {
		sed -n 's/.*class="sub">\([^<]*\)<.*/\1/p' "$1"
	}
	[ "$(said a.svg)" = \
	    'events in each day; 2026-02-01 to 2026-02-28, UTC; thin lines: 95 % noise interval' ]
	# no tick within a day; a bar and an interval for each
	run ! grep -E '>[0-9]{2}:[0-9]{2}<' a.svg
	[ "$(grep -c '<rect class="bar' a.svg)" = 28 ]
	[ "$(grep -c 'class="whisker"' a.svg)" = 28 ]
	dpplot --to=b.svg --run dpwindow -e 1 -B.9 -w 1 -t 1 --time-format=iso --bucket=1h \
	    --from=2026-02-01 --to=2026-02-03 in
	said b.svg | grep -F '2026-02-01 00:00 to 2026-02-03 00:00, UTC; band: 90 % noise interval'
	grep -E '>12:00<' b.svg
	# read from a file, it is as good, but for the words
	dpwindow -e 1 -B -w 1 "${daily[@]}" in | dpplot --to=c.svg
	run ! grep -E '>[0-9]{2}:[0-9]{2}<' c.svg
	[ "$(grep -c '<rect class="bar' c.svg)" = 28 ]
}

@test "a page has the numbers, as a table and as CSV, the command and the day" {
	events >in
	dpplot --to=page.html --title='Visits <of> "all"' --run \
	    dpwindow -e 1 -B -w 1 --seed=3 -t 1 --time-format=iso --bucket=1d \
	    --from=2026-02-01 --to=2026-03-01 in
	dpwindow -q -e 1 -B -w 1 --seed=3 -o csv -t 1 --time-format=iso --bucket=1d \
	    --from=2026-02-01 --to=2026-03-01 in >right
	sed -n 's/.*href="data:text\/csv;charset=utf-8,\([^"]*\)".*/\1/p' page.html |
	    sed 's/%/\\x/g' | xargs -0 printf %b | sed '/^$/d' >got
	diff right got
	sed -n '/<tbody>/,/<\/tbody>/s/<tr><td>\(.*\)<\/td><\/tr>/\1/p' page.html |
	    sed 's/<\/td><td>/,/g' >cells
	diff <(tail -n +2 right) cells
	grep -F 'Made on 20' page.html
	grep -F 'By: dpwindow -e 1 -B -w 1 --seed=3' page.html
	grep -F '<h1>Visits &lt;of&gt; &quot;all&quot;</h1>' page.html
	# the name of the picture, for those who cannot see it
	grep -F 'role="img" aria-label="Visits &lt;of&gt; &quot;all&quot;"' page.html
	grep -F '<desc>events in each day</desc>' page.html
}

@test "a plain sentence above the guarantee says what holds" {
	bits 9 >in
	said() {
		rm -f page.html
		dpplot --to=page.html --run "$@" in 2>err
		sed -n '/id="private"/,$s/^<p>\(.*\)<\/p>$/\1/p' page.html
	}
	odds='Noise was added to these numbers: they change the odds on'
	at='by a factor of at most' lines='; that a line is there is not hidden.'
	[ "$(said dpcount -e 1 -T 9)" = "$odds what any one event was $at 2.72$lines" ]
	[ "$(said dpcount -e 0.5 -T 9)" = "$odds what any one event was $at 1.65$lines" ]
	[ "$(said dpcount -e 3 -T 9 -u 1 -c 2)" = \
	    "$odds whether any one user's events happened $at 20.1$lines" ]
	[ "$(said dpcount -e 1 --once)" = "$odds whether any one event is in the data $at 2.72." ]
	[[ $(said dpcount -e 1 -d 1.2345e-6 -T 9) = *', but for a chance of one in 806451;'* ]]
	[[ $(said dpcount -e 1 -T 9 --expire=4) = *'older than 4 steps is not protected;'* ]]
	[[ $(said dpcount -e 1 -T 9 --seed=1) = 'These numbers are NOT PRIVATE.' ]]
	[[ $(said dpcount -e inf) = 'These numbers are NOT PRIVATE.' ]]
	# with public times one line more is one step more, for everybody to see
	printf '0\n' >in
	bucket=(-t 1 --time-format=epoch --bucket=1h)
	[[ $(said dpcount -e 1 -m . "${bucket[@]}" --public-times) = \
	    "$odds whether any one event happened $at 2.72"*'is there, and when, is not hidden.' ]]
	[[ $(said dpcount -e 1 -m . "${bucket[@]}" --public-times -u 1 -c 1/step) = \
	    "$odds whether any one user's events in any one step happened $at 2.72;"* ]]
	dpcount -q -e 1 -m . "${bucket[@]}" --public-times in | wc -l | diff - <(echo 1)
	printf '0\n86400\n' | dpcount -q -e 1 -m . "${bucket[@]}" --public-times | wc -l |
	    diff - <(echo 25)
	# from --from to --to it is not
	[ "$(said dpcount -e 1 "${bucket[@]}" --from=1970-01-01 --to=1970-01-02)" = \
	    "$odds whether any one event is in the data $at 2.72." ]
	[ "$(said dpcount -e 1 "${bucket[@]}" -u 1 -c 1/step --from=1970-01-01 --to=1970-01-02)" = \
	    "$odds whether any one user did anything in any one step $at 2.72." ]
	bits 9 >in
	# rounded up, never down: e^E itself is in between
	for e in 0.1 0.7 2 5; do
		said dpcount -e $e --once | awk -v e=$e '{ x = $NF; sub(/[.]$/, "", x) }
		    END { exit !(x >= exp(e) && x < 1.01 * exp(e)) }'
	done
}

@test "--add: another chart on the page that is there" {
	bits 20 >in
	rm -f page.html
	dpplot --add --to=page.html --title=one --run dpcount -e 1 -T 20 in
	dpplot --add --to=page.html --title=two --run dpwindow -e 1 -w 5 -T 20 in
	dpplot --add --to=page.html --title=three --run dpdecay -e 1 --half-life=5 -T 20 in
	[ "$(grep -c '<section>' page.html)" -eq 3 ]
	grep -o '<h[12]>[a-z]*<' page.html | tr -d '\n' | grep -x '<h1>one<<h2>two<<h2>three<'
	[ "$(grep -c '</html>' page.html)" -eq 1 ]
	tail -n 1 page.html | grep -x '</html>'
	# once, behind the last, that losses add up; not on a page of one
	[ "$(grep -c 'what they lose adds up' page.html)" -eq 1 ]
	sed -n '/what they lose adds up/,$p' page.html | grep -c '<p' | grep -x 2
	grep -c 'Made on' page.html | grep -x 1
	# the guarantees stand at the end, one that is the same of several charts once
	dpplot --add --to=page.html --title=four --run dpwindow -e 1/2 -w 5 -T 20 in
	dpplot --add --to=page.html --title=five --run dpcount -e 1 -T 20 in
	sed -n '/id="private"/,$s/^<h3>\(.*\)<\/h3>$/\1/p' page.html | paste -s -d , |
	    grep -x 'one; two; three; five,four'
	[ "$(grep -c 'class="exact"' page.html)" = 2 ]
	[ "$(grep -c '<summary>Errors, mechanism, assumptions: ' page.html)" = 5 ]
	dpplot --to=one.html --run dpcount -e 1 -T 20 in
	silent_about 'adds up: the factors' one.html
	cp page.html before
	echo 'not a page' >other.html
	for to in other.html a.png; do
		run --separate-stderr dpplot --add --to=$to --run dpcount -e 1 -T 20 in
		[ "$status" -eq "$([ $to = a.png ] && echo 2 || echo 3)" ]
		[ -z "$output" ]
	done
	[[ $stderr == *'--add: charts are added to a page: --to=FILE.html'* ]]
	# a run that fails leaves it as it was
	run dpplot --add --to=page.html --run dpcount -e 1 -T 20 none
	[ "$status" -ne 0 ]
	cmp page.html before
}

@test "a page: its heading, one sentence at the top while it is true, a tile for each number" {
	printf '2026-05-01\t100\n2026-05-02\t200\n2026-05-03\t300\n' >in
	set -- -B -w 1 -t 1 --time-format=iso -v 2 -r 0:300 --bucket=1d --from=2026-05-01 \
	    --to=2026-05-04 in
	dpplot --heading='All & more' --to=page.html --title=One --run dpwindow -e 300 "$@"
	grep -F '<title>All &amp; more</title>' page.html
	grep -F '<h1>All &amp; more</h1>' page.html
	grep -F '<h2>One</h2>' page.html
	[ "$(grep -c 'Random noise was added to every number on this page' page.html)" = 1 ]
	# (a change is told by intervals: with these once in 10^6 where there is none)
	dpplot --add --to=page.html --title=Two --run dpwindow -e 1/10 -B.999999 "${@:2}"
	[ "$(grep -c 'Random noise was added to every number on this page' page.html)" = 1 ]
	[ "$(grep -c '<!--[a-z]*-->' page.html)" = 3 ]
	tiles() {
		sed -n '/class="tiles"/,/<!--tiles-->/p' page.html
	}
	tiles | sed -n 's/^<h2>\(.*\)<\/h2>$/\1/p' | xargs | grep -x 'One Two'
	# the last number, what it may be, how far from the one before, and of when
	tiles | grep -cE '<p class="now">(29|30)[0-9]</p>' | grep -x 1
	tiles | grep -E '<p>\+[45][0-9]\.[0-9]&#160;% on the day before \((19|20)[0-9]\)</p>'
	tiles | grep -E '<p>no clear change on the day before \(-?[0-9,]+\)</p>'
	# once, as it is of both
	[ "$(grep -c '<p class="sub">2026-05-03</p>' page.html)" = 1 ]
	run ! grep -F '<p class="sub">2026' <(tiles)
	[ "$(grep -c '<summary>How to read this' page.html)" = 1 ]
	# a running number has no day before it; names have no tile
	dpplot --add --to=page.html --title=Three --run dpcount -e 1 "${@:1:1}" "${@:4}"
	tiles | sed '1,/Three/d' >three
	grep -F '<p class="sub">2026-05-01 to 2026-05-03</p>' three
	run ! grep -F before three
	dpplot --add --to=page.html --title=Four <<<$'a\t5\nb\t6'
	[ "$(tiles | grep -c '<h2>')" = 3 ]
	# whoever adds what nothing is known of takes the sentence away
	run ! grep -F 'was added to every number on this page' page.html
	grep -F 'No guarantee came with these numbers.' page.html
	dpplot --to=open.html --title=Open --run dpwindow -e inf -q "$@"
	grep -F '<p class="warning">These numbers are NOT PRIVATE.</p>' open.html
	run ! grep -F 'was added to every number' open.html
	# once, where it begins
	fails 2 dpplot --add --heading=x --to=page.html in
	[[ $stderr = *'--heading: refused: the page that the chart is added to has a title'* ]]
	fails 2 dpplot --heading=x --to=a.svg in
	fails 2 dpplot --heading=x in
	# an older page has no places for charts
	sed 's/<!--tiles-->//' page.html >old.html
	fails 3 dpplot --add --to=old.html in
	[[ $stderr = *'not a page that this dpplot has made'* ]]
}

@test "a share on a page: per cent in its table, points in its tile, parts of 1 in the CSV" {
	awk 'BEGIN { for (d = 1; d < 4; d++) for (i = 0; i < 400; i++)
	    print "2026-05-0" d, i % (2 + d * 2) ? "no" : "yes" }' >in
	dpplot --to=page.html --title=Share --run dpmean -e 30 -B -w 1 -m yes -t 1 \
	    --time-format=iso --bucket=1d --from=2026-05-01 --to=2026-05-04 in
	grep -E '<p>-[34]\.[0-9] points on the day before \(16[.0-9]*&#160;%\)</p>' page.html
	grep -E '<td>25(\.0[0-9]*)? %</td>|<td>24\.9[0-9]* %</td>' page.html
	grep -E 'time,estimate,lo,hi%0A2026-05-01T00%3A00%3A00Z,0\.2[45]' page.html
}

@test "--size: pixels, or characters; what is none is refused" {
	needs rsvg-convert
	rows 50 >rows
	dpplot --size=640x300 --to=a.png rows
	[ "$(od -An -tu1 -j 16 -N 8 a.png | tr -s ' ')" = ' 0 0 5 0 0 0 2 88' ]
	dpplot --size=640x300 --to=a.svg rows
	grep -F 'viewBox="0 0 640 300"' a.svg
	[ "$(dpplot --size=60x12 rows | wc -l)" -le 12 ]
	[ "$(dpplot --size=60x12 rows | wc -L)" -le 60 ]
	for bad in x 10x10 640 640x 640x300x2 -640x300 640x99999 '640 x300'; do
		run --separate-stderr dpplot --size="$bad" --to=a.png rows
		[ "$status" -eq 2 ]
		[[ $stderr == *"--size: '$bad' is not WIDTHxHEIGHT in pixels"* ]]
	done
}

@test "a million points: one in 256, and the last" {
	seq 1000000 | awk '{ print $1 % 100 }' >in
	for to in a.svg a.html; do
		dpplot --to=$to in
		grep -q '<path' $to
		[ "$(stat -c %s $to)" -lt 1000000 ]
	done
	dpplot in | grep 'one in 256 is drawn'
}

@test "names that nobody declared: a line each of the eight largest, and all the numbers" {
	awk 'BEGIN { for (h = 0; h < 24; h++) for (p = 1; p <= 12; p++)
	    for (i = 0; i < 20 + 240 / p && (p != 3 || h > 2); i++)
	        print h * 3600 + i, "/p" p }' | sort -n >in
	set -- dptop -e 1 -d 1e-6 --seed=2 -q -B -k 2 -t 1 --time-format=epoch --bucket=1h \
	    --from=1970-01-01 --to=1970-01-02
	dpplot --to=a.html --run "$@" in
	for p in 1 2 3 4 5 6 7 8; do
		grep -F ">/p$p</text>" a.html
	done
	run ! grep -E '>/p(9|10|11|12)</text>' a.html
	grep -F '; the 8 largest of 12 names<' a.html
	# the first: 24 hours, of which each is 260 more
	dpplot --to=l.svg --run "$@" in
	steps l.svg | wc -l | diff - <(echo 24)
	steps l.svg | cut -d ' ' -f 2 >y
	"$@" in | awk '$2 == "/p1" { print $3 }' | paste - y >both
	straight both
	# the third, of which there is nothing in the first hours
	"$@" in | grep -c '/p3$\|/p3	' >want
	steps l.svg 2 | wc -l | diff - want
	# 12 names in each of the hours in which they are named
	"$@" in | wc -l >want
	sed -n '/<tbody>/,/<\/tbody>/p' a.html | grep -c '<tr>' | diff - want
	# from a file, and in other forms
	dpplot --to=a.svg --title=t --explain=<("$@" --explain) <("$@" in)
	for o in tsv csv json; do
		dpplot --to=b.svg --title=t --explain=<("$@" --explain) <("$@" -o $o in)
		cmp a.svg b.svg
	done
	# of one step: bars
	dptop -e 1 -d 1e-6 --seed=2 -q -B -k 2 --once in | dpplot --to=c.svg
	[ "$(grep -c '<rect class="bar"' c.svg)" = 12 ]
	# beside the truth
	dptop -e inf -q -k 2 -t 1 --time-format=epoch --bucket=1h --from=1970-01-01 \
	    --to=1970-01-02 in >truth
	"$@" in | dpplot --true=truth --to=d.svg
	[ "$(grep -c 'class="truth"' d.svg)" = 8 ]
}

@test "several files are several charts of one page, or one below the other on the terminal" {
	printf '1\n2\n4\n' >requests
	printf 'time,a,b\n1,2,3\n2,3,4\n' >errors.csv
	printf '3\n5\n' >visitors
	dpplot --to=all.html requests errors.csv visitors
	[ "$(grep -c '<h2' all.html)" -ge 2 ]
	for name in requests errors.csv visitors; do
		grep -q "<h[12][^>]*>[^<]*$name" all.html
	done
	# as by so many commands
	for name in requests errors.csv visitors; do
		dpplot --add --to=one.html --title=$name $name
	done
	cmp all.html one.html
	# a file that cannot be drawn leaves the page as it was
	printf 'x\n' >bad
	fails 3 dpplot --to=all.html visitors bad
	cmp all.html one.html
	dpplot requests visitors >both
	{ dpplot --title=requests requests; dpplot --title=visitors visitors; } | cmp - both
	fails 2 dpplot --to=a.svg requests visitors
	[[ $stderr = *'--to=FILE.html'*'cat FILE'* ]]
	for option in --title=a --explain=requests --true=requests --live; do
		fails 2 dpplot $option --to=a.html requests visitors
		[[ $stderr = *"${option%%=*}: refused with several files"*--add* ]]
	done
}

@test "--run: a line's last word, that it is frozen, is no column" {
	awk 'BEGIN { for (i = 1; i <= 300; i++) print i % 2, 1 - i % 2 }' >in
	set -- -e 20 -M lazy --ceiling=30 -T 300 --columns=2
	dpmaxsum "$@" -q in 2>err >out || true
	grep -q '	frozen$' out
	for n in '' -n; do
		run --separate-stderr dpplot --to=a.svg --run dpmaxsum $n "$@" in
		[[ $stderr != *columns,* ]]
		[ -s a.svg ]
		rm a.svg
	done
}

@test "--ylabel: what the numbers are, above them" {
	seq 9 >rows
	dpplot --ylabel='requests a day' rows | grep -x 'requests a day; by step'
	dpplot --ylabel='requests a day' --title=Counts rows | sed -n 2p |
	    grep -x 'requests a day; by step'
	dpplot --ylabel='requests a day' --to=a.svg rows
	grep -q '>requests a day; by step<' a.svg
	run ! grep -q 'requests' <(dpplot rows)
}

@test "what numbers are is said of users, of values and of events, with the time that they are of" {
	words() {
		DPUTILS_COLUMNS=1 "$@" -e 1 --explain | tail -n 1 | jq -r \
		    '[.output | .said, (.unit // "-"), (.running // false)] | join("|")'
	}
	set -- --log=combined --bucket=1d --from=2026-05-01 --to=2026-05-05
	{
		words dpcount "$@"
		words dpcount -u host -c 1/step "$@"
		words dpcount -m x --once
		words dpcount -v size -r 0:1M "$@"
		words dpwindow -w 1 -u host -c 1/step "$@"
		words dpwindow -w 1 -u host -c 1/step --each-user=any -v path -m ^/buy "$@"
		words dpwindow -w 2d,3d "$@"
		words dpwindow -w 3,7 -T 9
		words dpwindow -w 1 -u host -c 1/step --each-user=sum -v size -r 0:1M "$@"
		words dpwindow -w 1 -u host -c 1/step --each-user=count -r 0:9 "$@"
		words dpmean -v status -m '^[45]' "$@"
		words dpmean -u host -c 1/step --each-user=any -v path -m ^/buy "$@"
		words dpmean -v size -r 0:1M "$@"
		words dpmean --once --csv -H --let=t=took:ms -v t -r 0:9
		words dpmean --once --csv -H --let=t=took:trim -v t -r 0:9
		words dpmean -v status -r 0:9 --statistic=mean,sd "$@"
		words dpquantile --quantile=.5 -v size -r 1:1M "$@"
		words dpquantile --quantile=.5,.9 -v size -r 1:1M "$@"
		words dpquantile --histogram -u host --each-user=count -r 1:20 --once --log=combined
		words dptop -d 1e-6 -w 1 -k path "$@"
		words dptop -d 1e-6 -u host -c 1/step -k path "$@"
		words dpdecay --half-life=1d "$@"
		words dpdecay --half-life=36h -v size -r 0:1M "${@/1d/1h}"
		words dpwindow -w 1,7d "${@/1d/1h}"
		words dpwindow -w 1 -k status --keys=a,b --margins=.5 "$@"
		words dpcount -k status --keys=a,b --difference=b "$@"
		words dpmaxsum -k path --keys=a,b "$@"
		words dpmaxsum --select -k path --keys=a,b -v size -r 0:1M "$@"
		words dpmaxsum --both -w 7d -k path --keys=a,b "$@"
		words dpmaxsum --select -T 9 --columns=3
		words dpdistinct -v host "$@"
		words dpdistinct -v host -w 1d,7d "${@/1d/1h}"
		words dpdistinct -v host -w 1d "$@"
		words dpdistinct -v host -k status --keys=a,b --per-user=1 "$@"
		words dpquantile --quantile=.95 -v size -r 1:1M -w 1 "${@/1d/6h}"
		words dpproject --queries=<(printf '%s\n' query,a,b all,1,1)
		words dplocal --domain=a,b
	} >got
	diff - got <<-EOT
		events so far|-|true
		users of each day, added up, so far|-|true
		events that match in all|-|false
		sum of size so far|B|true
		users in each day|-|false
		users with a match in each day|-|false
		events in the last 2 and 3 days|-|false
		events in the last 3 and 7 steps|-|false
		sum of size in each day|B|false
		events in each day|-|false
		share of events that match in each day|-|false
		share of users with a match in each day|-|false
		mean of events' size in each day|B|false
		mean of events' t in all|ms|false
		mean of events' t in all|-|false
		mean and standard deviation of events' status in each day|-|false
		the median of events' size in each day|B|false
		size that 50 and 90 % of the events stay below in each day|B|false
		users by their number of events in all|-|false
		events of each path in a day|-|false
		users of each path so far|-|true
		events (each counts half after 1 day)|-|false
		sum of size (each counts half after 36 hours)|B|false
		events in the last 1 hour and 7 days|-|false
		events in each day|-|false
		events so far: how many more than of b|-|true
		the most events of any path so far|-|true
		the path with the largest sum of size so far|B|true
		the path with the most events in the last 7 days, and how many|-|false
		the column with the most events so far|-|true
		different values of host so far|-|true
		different values of host in the last 1 and 7 days|-|false
		different values of host in each day|-|false
		different values of host with each status so far|-|true
		size that 95 % of the events stay below every 6 hours|B|false
		events in each group|-|false
		answers that were randomised one by one|-|false
	EOT
}

@test "--in: bytes and times in the unit that fits, any other behind each number" {
	printf '2026-05-0%d,%s\n' 1 90000 2 1500000 3 1200000 | sed '1i time,estimate' >rows
	dpplot --in=B rows | grep -E '^ *1 May #+ 90 kB$'
	dpplot --in=kB rows | grep -E '^ *2 May #+ 1.5 GB$'
	dpplot --in=ms --to=a.svg rows
	grep -F '>1,500 s</text>' a.svg
	dpplot --in=EUR --to=a.html rows
	grep -F '>1,500,000 EUR</text>' a.html
	# its table has the numbers, and their unit once
	grep -F '<th scope="col">estimate, EUR</th>' a.html
	grep -F '<td>1500000</td>' a.html
	# edges of bins, not the numbers of events
	printf '%s\n' '..<1000,1000..<2000,2000..<5000,5000..' 20,820,1210,1730 |
	    dpplot --in=B --to=b.svg
	grep -E 'class="tick" text-anchor="middle">5 kB<' b.svg
	grep -E 'class="tick" text-anchor="end">1,000<' b.svg
	for no in '' thirteenbytes; do
		fails 2 dpplot --in=$no rows
		[[ $stderr = *"--in: '$no' has not 1 to 12 bytes"* ]]
	done
}

@test "what is never known is named, and why; intervals that leave the picture have arrows" {
	needs rsvg-convert
	printf '%s\n' Words '{"output":{"format":"csv","range":[0,9],"columns":[
	    {"name":"step","kind":"step"},
	    {"name":"p50","kind":"estimate"},{"name":"p50_lo","kind":"lo"},
	    {"name":"p50_hi","kind":"hi"},{"name":"p99","kind":"estimate"},
	    {"name":"p99_lo","kind":"lo"},{"name":"p99_hi","kind":"hi"}]
	    }}' | paste -s -d '@' | sed 's/Words@/Words\n/; s/@[[:space:]]*//g' >words
	printf '%d,5,4,6,8,0,9\n' 1 2 3 | sed '1i step,p50,p50_lo,p50_hi,p99,p99_lo,p99_hi' >some
	dpplot --explain=words --to=a.svg some
	grep -F '>p99: not known</text>' a.svg
	# no line goes through what is not known
	[ "$(grep -c 'class="line s0" d="M' a.svg)" = 1 ]
	dpplot --explain=words some | grep -F 'p99: not known'
	run ! grep -F 'too few events' a.svg
	sed 's/5,4,6/5,0,9/' some >none
	for to in a.svg a.png a.html; do
		dpplot --explain=words --to=$to none
	done
	grep -F '>too few events for this epsilon</text>' a.svg
	grep -cF '>too few events for this epsilon</text>' a.html | grep -x 2
	dpplot --explain=words none | grep -F 'too few events for this epsilon'
	# an interval 100 times as wide as all estimates
	printf '%d\t%d\t%d\t%d\n' 1 5 4 6 2 7 6 8 3 6 -500 512 | dpplot --to=c.svg
	grep -F 'arrows: it goes on' c.svg
	[ "$(grep -cE 'class="whisker" d="M[^L]*L[^L]*L' c.svg)" = 2 ]
	printf '2026-05-0%d\t%d\t%d\t%d\n' 1 5 4 6 2 7 6 8 3 6 -500 512 | dpplot --to=d.svg
	[ "$(grep -cE 'class="whisker" d="M[^L]*L[^L]*L' d.svg)" = 1 ]
	printf '%d\t%d\t%d\t%d\n' 1 5 4 6 2 7 6 8 3 6 5 7 | dpplot --to=e.svg
	run ! grep -F arrows e.svg
	printf '%d\t%d\t%d\t%d\n' 1 5 4 6 2 7 6 8 3 6 -500 512 | dpplot | grep -F '^'
}

@test "no name has enough events: a sentence, in every form, and status 0" {
	needs rsvg-convert
	echo a >in
	set -- dptop -e 1 -B -d 1e-6 --once in
	for o in '' --last --ranks; do
		dpplot $o --run "$@" | grep -x 'No name has enough events to be told.'
	done
	for to in a.svg a.png a.vl.json a.html; do
		dpplot --to=$to --title=Top --run "$@"
	done
	dpplot --add --last --to=a.html --title=Again --run "$@"
	[ "$(grep -c '>No name has enough events to be told.</text>' a.html)" = 4 ]
	jq -e '.data.values == []' a.vl.json
	# of a file nothing is known
	fails 3 dpplot /dev/null
	printf 'a\t1\n' | dpplot --to=a.html
}

@test "a page: last numbers of several series, and of names at the last step" {
	printf '2026-05-0%d,%s\n' 1 10,200 2 12,300 3 13,400 | sed '1i time,a,b' >several
	printf '2026-05-0%d\t%s\t%d\n' 1 x 5 1 y 4 2 y 9 2 x 7 >names
	printf '%s\n' Words '{"output":{"format":"csv","bucket":86400,"step":"day","columns":[
	    {"name":"time","kind":"time"},{"name":"a","kind":"estimate"},
	    {"name":"b","kind":"estimate"}]}}' | paste -s -d '@' |
	    sed 's/Words@/Words\n/; s/@[[:space:]]*//g' >words
	dpplot --explain=words --in=kB --to=page.html several
	sed -n '/class="tiles"/,/<!--tiles-->/p' page.html >tiles
	grep -F '<p class="few">a <strong>13 kB</strong> (12 kB before)</p>' tiles
	grep -F '<p class="few">b <strong>400 kB</strong> (300 kB before)</p>' tiles
	dpplot --last --add --to=page.html names
	sed -n '/class="tiles"/,/<!--tiles-->/p' page.html | grep -F 'class="few"' | tail -n 2 |
	    diff - <(printf '<p class="few">%s</strong></p>\n' 'y <strong>9' 'x <strong>7')
}

@test "totals and all others have words, in a table's order; half intervals where there is room" {
	for i in {1..90}; do
		echo "$((i % 3)) $((i % 2))"
	done >in
	t=(dpcount -e 40 --once -k 1,2 --keys=0,1,2/0,1)
	COLUMNS=80 LINES=30 dpplot --run "${t[@]}" --margins in >shown
	sed -nE 's/^ *([0-9]|all)(\/[^ ]*|) [^0-9]*([0-9]+)$/\1\2/p' shown | xargs |
	    diff - <(echo 0/0 0/1 1/0 1/1 2/0 2/1 0/all 1/all 2/all all/0 all/1 all)
	dpplot --to=a.svg --run "${t[@]}" --margins in
	grep -F '>all/0</text>' a.svg
	dpplot --to=a.vl.json --run "${t[@]}" --margins in
	grep -F '"name":"2/all"' a.vl.json
	# a page has rows and columns, and in CSV the names as they are printed
	dpplot --to=a.html --run "${t[@]}" --margins --suppress=16 in
	sed -n '/<table>/,/<\/table>/s/<[^>]*>/ /gp' a.html | xargs | sed 's/&lt;/</g' |
	    diff - <(echo 0 1 all 0 '<16' '<16' 30 1 '<16' '<16' 30 2 '<16' '<16' 30 all 45 45 90)
	grep -F '2%2F%2A,%2A%2F0,%2A%2F1,%2A%2F%2A%0A' a.html >csv
	dpplot --to=a.html --run "${t[@]}" -B --margins --other=rest in
	grep -c '<tr><th scope="row">' a.html | grep -x 5
	grep -F '<tr><th scope="row">rest</th><td></td><td></td><td>0<br><small>' a.html
	# of one field, and of three: a row a name
	dpplot --to=a.html --run dpcount -e 40 --once -k 1 --keys=0,1,2 --margins in
	grep -F '<tr><td>all</td><td>90</td></tr>' a.html
	dpplot --to=a.html --run dpcount -e 40 --once -k 1,2,1 --keys=0,1/0,1/0 --margins in
	grep -F '<tr><td>0/all/all</td><td>30</td></tr>' a.html
	dpplot --run dpcount -e 40 --once -k 1 --keys=0,1,2 --top=1+ in | grep -E '^ *all others '
	# nobody says that * is a total
	printf 'name,estimate\n*,3\n+,2\n' | dpplot | grep -cE '^ *[*+] ' | grep -x 2
	for width in 40 80; do
		COLUMNS=$width dpplot --run dpcount -e 40 --once -B -k 1 --keys=0,1,2 in >shown
		grep -E '^ *0 .* (29|3[01]) (±|\+-)[01]$' shown
		tr '\n' ' ' <shown | grep -E '(±|\+-): 95 % noise'
		run ! grep -E '^%' shown
	done
	# numbers that leave no room for bars have none
	awk '{ print $1, 1e9 * $2 }' in >large
	COLUMNS=40 dpplot --run dpcount -e 40 --once -B -k 1 --keys=0,1,2 -v 2 -r 0:1G large >shown
	run ! grep -E '±|\+-' shown
}

@test "each of several panels has two ticks, or more" {
	panels() {
		awk 'BEGIN { for (i = 1; i < 60; i++)
		    print i "\t" 80 * (i % 2) "\t" 880 * (i % 3) "\t" i * 81000 }'
	}
	panels | dpplot --to=a.svg
	# of each of three panels; and of the steps
	[ "$(grep -c 'class="tick" text-anchor="end"' a.svg)" -ge 6 ]
	for lines in 16 24; do
		panels | COLUMNS=60 LINES=$lines dpplot >shown
		[ "$(grep -cE '^ *[0-9,]+ (┤|\+)' shown)" -ge 6 ]
	done
}
