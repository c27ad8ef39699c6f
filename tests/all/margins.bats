# SPDX-License-Identifier: ISC
# --margins and --hierarchy: totals as awk has them, numbers that add up as they are printed, what
# is not printed, what is refused; -o markdown.
load ../lib/helper

# sales N: "DAY SITE TYPE VALUE"
sales() {
	integers "$1" | awk '{ print "2026-05-0" $1 % 3 + 1, substr("aaaabbcd", 1 + $1 % 8, 1),
	    substr("xxxyz", 1 + int($1 / 8) % 5, 1), ($1 * 7919 + NR) % 500 / 100 }'
}

days=(-t 1 --time-format=iso --bucket=1d --from=2026-05-01 --to=2026-05-04)
cells=(-k '2,3' --keys=a,b,c/x,y,z)

refused() {
	fails 2 "${@:2}"
	[ "$output" = "" ]
	grep -q -e "$1" <<<"$stderr" || {
		echo "not '$1': $stderr"
		return 1
	}
}

# adds FILE: of tidy rows, every total is the sum of its cells; prints how many totals there were
adds() {
	awk -F, 'NR > 1 { split($2, p, "/"); v[$1, p[1], p[2]] = $4; step[$1]
	        if (p[1] != "*") a[p[1]]; if (p[2] != "*" && p[2] != "") b[p[2]] }
	    END { for (s in step) { all = 0
	            for (i in a) { t = 0; for (j in b) t += v[s, i, j]
	                if (i != "rest") { n++; bad += t != v[s, i, "*"] }
	                all += t }
	            for (j in b) { t = 0; for (i in a) t += v[s, i, j]
	                n++; bad += t != v[s, "*", j] }
	            all += v[s, "rest", ""]; n++; bad += all != v[s, "*", "*"] }
	        print n, bad + 0 }' "$1"
}

@test "--margins without noise: totals of each field and of all, day by day, as awk has them" {
	sales 2000 >in
	exact "${days[@]}" "${cells[@]}" --other=rest --margins -o long in >got
	awk '{ known = $2 != "d"
	    for (e = substr($1, 10); e <= 3; e++) { d = "2026-05-0" e "T00:00:00Z"
	        n[d ",*/*"]++
	        if (!known) { n[d ",rest"]++; continue }
	        n[d "," $2 "/" $3]++; n[d "," $2 "/*"]++; n[d ",*/" $3]++ } }
	    END { for (k in n) print k ",count," n[k] ",," }' in | sort >want
	tail -n +2 got | grep -v ',0,,$' | sort | diff want -
	[ "$(awk -F, 'NR > 1 && NR < 19 { printf "%s ", $2 }' got)" = \
	    'a/x a/y a/z b/x b/y b/z c/x c/y c/z rest a/* b/* c/* */x */y */z */* ' ]
	exact_of dpwindow -w 1,2 -v 4 -r 0.00:5.00 "${days[@]}" "${cells[@]}" --margins -o csv in |
	    head -n 1 >header
	grep -q '^time,a/x_1,a/x_2,.*,a/\*_1,a/\*_2,.*,\*/\*_1,\*/\*_2$' header
	exact_of dpwindow -w 1,2 -v 4 -r 0.00:5.00 "${days[@]}" "${cells[@]}" --margins in |
	    awk '{ s = 0; for (i = 2; i <= 19; i += 2) s += $i; if (s - $(NF - 1) > .001 ||
	        $(NF - 1) - s > .001) exit 1 } END { if (NR != 3) exit 1 }'
}

@test "--margins: three fields, and keys of a file that are no table" {
	sales 500 >in
	exact --once -k 1,2,3 --keys=2026-05-01,2026-05-02/a,b/x,y --margins -o long in |
	    awk -F, 'NR > 1 { print $2, $4 }' >got
	awk '$1 < "2026-05-03" && $2 ~ /[ab]/ && $3 ~ /[xy]/ { for (m = 0; m < 8; m++)
	        n[(m % 2 ? "*" : $1) "/" (int(m / 2) % 2 ? "*" : $2) "/" (m > 3 ? "*" : $3)]++ }
	    END { for (k in n) print k, n[k] }' in | sort >want
	sort got | diff want -
	[ "$(sed -n '9,12p' got | cut -d ' ' -f 1 | paste -s -d ' ')" = \
	    '2026-05-01/a/* 2026-05-01/b/* 2026-05-02/a/* 2026-05-02/b/*' ]
	printf 'b/x\na/y\nb/y\n' >keys
	exact --once -k 2,3 --keys=@keys --margins -o long in |
	    awk -F, 'NR > 1 { print $2, $4 }' >got
	awk '$2 $3 ~ /^(bx|ay|by)$/ { n[$2 "/" $3]++; n[$2 "/*"]++; n["*/" $3]++; n["*/*"]++ }
	    END { for (k in n) print k, n[k] }' in | sort >want
	sort got | diff want -
}

@test "--hierarchy: keys, districts, states, all; a key that is in none; one root is not doubled" {
	sales 500 >in
	printf 'child,parent\na,north\nb,"north"\nc,south\nnorth,land\nsouth,land\n' >rows
	exact --once -k 2 --keys=a,b,c,d --hierarchy=rows in >got
	awk '{ n[$2]++ } END { OFS = "\t"; print n["a"], n["b"], n["c"], n["d"], n["a"] + n["b"],
	    n["c"], n["a"] + n["b"] + n["c"], NR }' in | diff - got
	exact --once -k 2 --keys=a,b,c --hierarchy=rows -o csv in | head -n 1 |
	    grep -qx 'a,b,c,north,south,land'
	sed 's/$/\r/' rows >crlf
	exact --once -k 2 --keys=a,b,c,d --hierarchy=crlf in | diff got -
}

@test "printed numbers add up: rounded, whole, none below 0, with --other, step after step" {
	sales 2000 >in
	add=("${days[@]}" "${cells[@]}" --other=rest --margins -o long in)
	for how in '' --nonnegative '--round=7' '--round=50 --nonnegative' '-B --nonnegative' \
	    '-v 4 -r 0.00:5.00' '-v 4 -r 0.00:5.00 --integers --nonnegative' \
	    '-M normtree -T 100'; do
		# shellcheck disable=SC2086
		dpcount -q -e .1 --seed=7 $how "${add[@]}" >got 2>/dev/null
		[ "$(adds got)" = '21 0' ] || [[ $how = *0.00:5.00 ]]
		case $how in
		*nonnegative*) ! awk -F, 'NR > 1 && $4 < 0' got | grep . ;;
		--round=7) ! awk -F, 'NR > 1 && $4 % 7 != 0' got | grep . ;;
		esac
		case $how in
		*-B*)
			awk -F, 'NR > 1 && !($5 <= $4 && $4 <= $6)' got >outside
			[ ! -s outside ]
			;;
		*integers*) ! cut -d , -f 4 got | grep -F . ;;
		*5.00) awk -F, 'NR > 1 { split($2, p, "/"); t[$1, p[2] == "*" && p[1] == "*"] += \
		    p[1] != "*" && p[2] != "*" ? $4 : 0; if ($2 == "*/*") all[$1] = $4 }
		    END { for (s in all) if (all[s] - t[s, 0] > .001 || t[s, 0] - all[s] > .001)
		        exit 1 }' got ;;
		esac
	done
	printf 'a,n\nb,n\nc,s\nn,l\ns,l\n' >rows
	dpcount -q -e .05 --seed=3 --once -k 2 --keys=a,b,c,d --hierarchy=rows --round=20 \
	    --nonnegative in 2>/dev/null |
	    awk '$5 != $1 + $2 || $6 != $3 || $7 != $5 + $6 || $8 != $7 + $4 || $8 % 20 != 0 {
	        exit 1 }'
}

# 12,500 tables, each with noise of its own
@test "every printed sum of 10^4 tables: of any share, rounded, whole, suppressed, of means" {
	local how what w
	w=(--seed=8 -q "${cells[@]}" -t 1 --time-format=epoch --bucket=1d --from=1970-01-01
	    --to=1976-11-05 -o long)
	awk 'BEGIN { for (d = 0; d < 2500; d++) for (i = d % 7; i < 9; i++)
	    print 86400 * d, substr("abc", 1 + i % 3, 1), substr("xyz", 1 + int(i / 3), 1),
	        (i * d) % 11 / 4 }' >in
	for how in 'window -w 1 -e 1/9 --margins --nonnegative --round=3' \
	    'window -w 1 -e 1/3 --margins=.5 --other=rest --nonnegative' \
	    'window -w 2 -e 2000 --margins=.3' \
	    'count -e 9 --margins=.7 -v 4 -r 0.00:2.50 --integers --other=rest' \
	    'mean -e 1 --margins -v 4 -r 0.00:2.50 --statistic=count,sum'; do
		# shellcheck disable=SC2086
		dp$how "${w[@]}" in >all 2>/dev/null
		for what in count sum; do		# in thousandths, as awk adds them up
			awk -F, -v OFS=, -v what=$what '$3 == what || NR == 1 {
			    $4 = sprintf("%.0f", $4 * 1000); print }' all >got
			[ "$(wc -l <got)" = 1 ] || [[ $(adds got) = "17500 0" ]]
		done
		if [[ $how = *nonnegative ]]; then	# what is not told stays in its totals
			# shellcheck disable=SC2086
			dp$how --suppress=2 "${w[@]}" in 2>/dev/null | cmp - <(awk -F, -v OFS=, \
			    'NR > 1 && $4 < 2 { $4 = "" } 1' all)
		fi
	done
}

# Of 4000 steps, each with noise of its own: a total of 9 keys is off by 3 times what a key is, and
# its interval of 95 % holds 95 of 100 (limits: 6 standard errors each, below 1e-6 together).
@test "the noise of a total is that of its keys: as predicted, and intervals hold" {
	yes '1 a x' | head -n 4000 >in
	w=(dpwindow -e 1 -w 1 -T 4000 "${cells[@]}" --margins)
	for how in '' '-d 1e-6'; do
		# shellcheck disable=SC2086
		"${w[@]}" $how --explain in 2>/dev/null >text
		one=$(awk '$1 == "last" { print $3 }' text)
		# shellcheck disable=SC2086
		"${w[@]}" $how -q --seed=5 -B -o csv in 2>/dev/null |
		    awk -F, -v one="$one" 'NR > 1 { x = $(NF - 2) - 1; s += x * x
		        in95 += $(NF - 1) <= 1 && 1 <= $NF
		        y = $28 - 1; q += y * y; row += $29 <= 1 && 1 <= $30 }
		    END { n = NR - 1; v = s / n / (9 * one * one); u = q / n / (3 * one * one)
		        print n, v, u, in95 / n, row / n
		        if (n != 4000 || v < .86 || v > 1.14 || u < .86 || u > 1.14 ||
		            in95 / n < .93 || in95 / n > .985 || row / n < .93 || row / n > .99)
		            exit 1 }'
	done
	grep -q '7 totals are printed behind the keys' text
	grep -q "of 9 it is typically off by" text
}

# figures: of "DAY SITE TYPE VALUE" as tidy rows, by awk; no more decimals than six
figures() {
	awk '{ split("a b a b", x, " ")
	    for (m = 0; m < 4; m++) { k = (m % 2 ? "*" : $2) "/" (m > 1 ? "*" : $3)
	        n[k]++; s[k] += $4; q[k] += $4 * $4 } }
	    END { for (k in n) { e = s[k] / n[k]; v = q[k] / n[k] - e * e
	        printf "%s mean %.3f\n%s count %d\n%s sum %.2f\n%s sd %.3f\n", k, e, k, n[k], k,
	            s[k], k, sqrt(v) } }' "$@" | sort
}

@test "dpmean --margins: figures of the totals' events, as awk has them; sums of weights" {
	sales 3000 | awk '$2 != "d"' >in
	exact_of dpmean --once "${cells[@]}" -v 4 -r 0.00:5.00 --statistic=mean,count,sum,sd \
	    --margins -o long in | awk -F, 'NR > 1 { f = $3 == "count" ? "%d" : $3 == "sum" ? \
	    "%.2f" : "%.3f"; printf "%s %s " f "\n", $2, $3, $4 }' | sort >got
	figures in >want
	[ "$(wc -l <want)" = 64 ]
	paste -d ' ' got want | awk '$1 != $4 || $2 != $5 || $3 - $6 > .0015 || $6 - $3 > .0015 {
	    print; bad = 1 } END { exit bad }'
	printf 'a,n\nb,n\n' >rows
	awk '{ print $2, $4, 1 + NR % 3 }' in >weighted
	exact_of dpmean --once -k 1 --keys=a,b,c --hierarchy=rows --weight=3:3 --of=2 -r 0:5 \
	    --statistic=mean,count -o csv weighted | sed -n 2p >got
	awk '{ w[$1] += $3; v[$1] += $2 * $3 } END { w["n"] = w["a"] + w["b"]
	    v["n"] = v["a"] + v["b"]; w["*"] = w["n"] + w["c"]; v["*"] = v["n"] + v["c"]
	    printf "%.3f,%d,%.3f,%d\n", v["n"] / w["n"], w["n"], v["*"] / w["*"], w["*"] }' \
	    weighted >want
	awk -F, 'NR == FNR { split($0, w); next } { for (i = 1; i <= 4; i++)
	    if ($(6 + i) - w[i] > .0015 || w[i] - $(6 + i) > .0015) exit 1 }' want got
}

# Of each of 1500 days the same 36 events, 4 a cell; noise is each day's own.  An interval of 9 in
# 10 misses 150 of 1500, and more than 206 with probability 1e-6.  The mean square of a count's
# errors is that of a key's (--explain), times 9, within 24 % (6 standard errors, of Laplace noise).
@test "dpmean --margins: intervals of totals hold, and counts and sums add up, as printed" {
	awk 'BEGIN { for (d = 0; d < 1500; d++) for (i = 0; i < 36; i++)
	    print 86400 * d, substr("abc", 1 + i % 3, 1), substr("xyz", 1 + int(i / 3) % 3, 1),
	        (i * 7) % 5 }' >in
	for how in '-e 2' '-e .7 -w 2' '-e 1 -d 1e-6' '-e 4'; do
		what=mean,count,sum
		[ "$how" != '-e 4' ] || what=sd,count
		# shellcheck disable=SC2086
		dpmean -q -B.9 --seed=11 --statistic=$what $how -v 4 -r 0:4 -t 1 \
		    --time-format=epoch --bucket=1d --from=1970-01-01 --to=1974-02-09 -k 2,3 \
		    --keys=a,b,c/x,y,z \
		    --margins -o long in 2>/dev/null >got
		awk -F, -v all="$how" 'NR == FNR { split($0, p, " ")
		        k[1] = p[2] "/*"; k[2] = "*/" p[3]; k[3] = "*/*"
		        if (p[1] == 86400)
		            for (i in k) { n[k[i]]++; s[k[i]] += p[4]; q[k[i]] += p[4] ^ 2 }
		        next }
		    FNR == 1 { w = all ~ /-w 2/ ? 2 : 1; next }
		    $2 !~ /[*]/ { sum[$1, $3] += $4; next }
		    { m = s[$2] / n[$2]
		        sd = sqrt(q[$2] / n[$2] - m * m); all = $3 == "count" ? n[$2] : s[$2]
		        want = $3 == "mean" ? m : $3 == "sd" ? sd : w * all
		        if (w == 2 && $1 ~ /^1970-01-01/) next
		        miss[$2 $3] += want < $5 || want > $6; rows++ }
		    $2 == "*/*" && $3 ~ /count|sum/ { bad += $4 != sum[$1, $3]
		        off += $3 == "count" ? ($4 - want) ^ 2 : 0 }
		    END { for (i in miss) if (miss[i] > 206) { print i, miss[i]; bad++ }
		        print rows, bad + 0, sqrt(off / 1500) / 3 > "/dev/stderr"
		        exit bad != 0 }' in got 2>rmse
		[[ $(cat rmse) = [23][01]???' 0 '* ]]
		# shellcheck disable=SC2086 # (an sd has a third number)
		dpmean --explain $how -v 4 -r 0:4 --bucket=1d --from=1970-01-01 --to=1974-02-09 \
		    --statistic=count | awk '/a count is off by some/ { print $NF }' >said
		[ "$what" = sd,count ] || awk 'NR == FNR { said = $1; next } { r = $3 / said
		    if (r < .88 || r > 1.12) { print r; exit 1 } }' said rmse
	done
}

@test "--suppress: what is below it is not told, nor its interval; totals keep it" {
	sales 2000 >in
	s=(-q -e 1 --seed=2 --once "${cells[@]}" --margins in)
	dpcount "${s[@]}" -B -o long 2>/dev/null >all
	dpcount "${s[@]}" -B -o long --suppress=150 2>/dev/null >some
	awk -F, -v OFS=, 'NR > 1 && $4 < 150 { $4 = $5 = $6 = "" } 1' all | diff - some
	grep -q ',,,$' some
	grep -q '^1,\*/\*,count,[0-9]' some
	dpcount "${s[@]}" -B -o json --suppress=150 2>/dev/null |
	    jq -e '.estimate["c/z"] == null and .lo["c/z"] == null and .hi["c/z"] == null and
	        .estimate["*/*"] > 1000'
	dpcount "${s[@]}" --suppress=150 2>/dev/null | tr '\t' '\n' | grep -qx '<150'
	dpcount "${s[@]}" -o csv --suppress=150 2>/dev/null | tail -n 1 | grep -q ',,'
	# beside a state, and by lines
	dpcount -q -e 1 --seed=2 -k 2 --keys=a --suppress=100 -T 900 in 2>/dev/null |
	    awk '/^<100$/ { n++ } /^[0-9]+$/ && $1 < 100 { bad++ } END { exit !(n > 50 && !bad) }'
}

@test "--margins in a state: kept, killed and resumed, changed" {
	sales 900 >in
	w=(dpcount -e 1 --seed=9 --once -T 3 "${cells[@]}")
	for i in 1 2 3; do
		"${w[@]}" --margins -q in 2>/dev/null
	done | head -n 1 >first
	"${w[@]}" --margins --round=5 --state=s --init in >out 2>/dev/null
	dpcount --state=s in 2>/dev/null >>out
	[ "$(awk '{ print NF }' out | sort -u)" = 16 ]
	! tr '\t' '\n' <out | awk '$1 % 5 != 0' | grep .
	run -5 dpcount --state=s --suppress=10 in
	dpcount --state=s --change --suppress=10000 in 2>/dev/null | tr '\t' '\n' | sort -u |
	    grep -qx '<10000'
}

@test "what is refused, each with its cure" {
	r=(dpcount -e 1 --once -k 2)
	refused 'totals are of declared keys: -k and --keys' dpcount -e 1 --margins
	refused 'refused with --top' "${r[@]}" --keys=a,b --margins --top=1
	refused 'refused with --difference' "${r[@]}" --keys=a,b --margins --difference
	refused 'refused with --monotone' "${r[@]}" --keys=a,b --margins --monotone
	refused 'refused with --range=auto' "${r[@]}" --keys=a,b --margins -r auto -v 4
	refused "'\\*' has the name of a total" "${r[@]}" --keys='a,*' --margins
	refused 'has a field \*' "${r[@]/2/2,3}" --keys='a,*/x' --margins
	refused '--hierarchy is of one field' "${r[@]/2/2,3}" --keys='a/x' --hierarchy=rows
	printf 'a/x\na/y/z\n' >keys
	refused 'does not say which field is which' "${r[@]/2/2,3}" --keys=@keys --margins
	printf 'a/x\nb/y\n' >keys
	refused 'not a whole table' "${r[@]/2/2,3}" --keys=@keys --margins --nonnegative
	refused 'more than two fields' "${r[@]/2/1,2,3}" --keys=1/a/x --margins --nonnegative
	while IFS='|' read -r rows why; do
		printf '%b' "$rows" >rows
		refused "$why" "${r[@]}" --keys=a,b,c --hierarchy=rows
	done <<-'E'
		a,n\na,s\n|'a' has two parents
		x,n\n|'x' is neither one of --keys nor a parent
		a,b\n|the parent 'b' is one of the keys
		a,n\nn,m\nm,n\n|'n' is above itself
		a\n|row 1 is not child,parent
		a,n\nb,\n|row 2 is not child,parent
		a,n,x\n|row 1 is not child,parent
		a,"n\n|row 1 is no CSV
		a,*\n|the name \* is that of the total of all
		|no rows
	E
	refused 'none: No such file' "${r[@]}" --keys=a --hierarchy=none
	refused 'round.*must be a whole number from 1' "${r[@]}" --keys=a --round=0
	fails 2 dpmean -e 1 --once -k 1 --keys=a,b -v 2 -r 0:1 --margins -B --sampling --independent
	[[ $stderr = *'--margins: refused with --sampling'*'-B alone'* ]]
	refused 'above 0 and below 1' "${r[@]}" --keys=a --margins=1
	refused 'above 0 and below 1' "${r[@]}" --keys=a --margins=0
	refused 'not a whole table.*leave F out' "${r[@]/2/2,3}" --keys=@keys --margins=.5
	printf 'a,n\nn,m\nm,l\nl,k\n' >rows
	refused 'more than 3 levels' "${r[@]}" --keys=a --hierarchy=rows --margins=.5
	refused 'a line is a step' dpcount -e 1 -T 9 -k 2 --keys=a --margins=.5
	refused 'below 0' "${r[@]}" --keys=a --margins=.5 -v 3 -r -1:1
	refused 'totals are of declared keys' dpcount -e 1 --once --margins=.5 --partial
	refused 'with --expire' dpcount -e 1 "${days[@]}" --expire=2 -k 2 --keys=a --margins=.5
	fails 2 dpmean -e 1 --once -k 1 --keys=a,b -v 2 -r 0:1 --margins=.5
	[[ $stderr = *'of means there are totals without F: leave F out; a mean is a ratio'* ]]
	refused 'three there are seven kinds of totals.*two fields' "${r[@]/2/1,2,3}" \
	    --keys=1/a/x --margins=.5
	refused 'suppress.*must be a whole number from 1' "${r[@]}" --keys=a --suppress=.5
	exact -T 64 -r 0.00000000:1.00000000 -v 1 --round=1000000000 <<<0.5 |
	    grep -x 0.00000000
	run -0 --separate-stderr dpcount -e 1 --once -k 1 --keys=a --integers <<<a
	[ "$stderr" = 'dpcount: --integers: these numbers are whole without it' ]
}

@test "-o markdown: a row a key, names that are no markup, numbers to the right" {
	sales 300 >in
	exact --once "${cells[@]}" --margins -o markdown in >got
	{
		echo '| key | estimate |'
		echo '| --- | ---: |'
		exact --once "${cells[@]}" --margins -o long in |
		    awk -F, 'NR > 1 { gsub("[*]", "\\*", $2); print "| " $2 " | " $4 " |" }'
	} | diff - got
	printf '%s\n' 'a|b' '<b>' '[x](y)' '`' '&amp;' >keys
	printf '%s\n' 'a|b' '<b>' >one
	exact --once -k 1 -F ';' --keys=@keys -o markdown one >got
	printf '| %s |\n' 'key | estimate' '--- | ---:' 'a\|b | 1' '\<b\> | 1' '\[x\](y) | 0' \
	    '\` | 0' '\&amp; | 0' | diff - got
	exact -T 2 -n -o markdown <<<1 >got
	printf '| %s |\n' 'step | estimate' '---: | ---:' '1 | 1' | diff - got
	exact_of dpwindow -w 1,2 "${days[@]}" -o markdown in >got
	printf '| %s |\n' 'time | 1 | 2' '--- | ---: | ---:' >want
	exact_of dpwindow -w 1,2 "${days[@]}" in | sed 's/\t/ | /g; s/^/| /; s/$/ |/' >>want
	diff want got
}

# 9 cells of no event: a total has events enough for a mean where their private number is above
# twice its standard deviation: in 4.4 % of 400 steps at most, of Laplace noise; 35 with probability
# 1e-6.  At twice that of one key it is a third of all.
@test "dpmean --margins: a total of few events has no mean; counts lie in their intervals" {
	dpmean -q -e 1 -B.05 --seed=3 -w 1 --statistic=mean,count -v 3 -r 0:4 -t 4 \
	    --time-format=epoch --bucket=1d --from=1970-01-01 --to=1971-02-05 -k 1,2 \
	    --keys=a,b,c/x,y,z --margins -o long </dev/null 2>/dev/null >got
	awk -F, '$2 ~ /[*]\/[*]/ && $3 == "mean" { n++; is += $4 != "" }
	    $3 == "count" && !($5 <= $4 && $4 <= $6) { print; bad = 1 }
	    END { if (n != 400 || is > 35 || bad) { print n, is; exit 1 } }' got
}

@test "--margins=F: exact without noise; consistent with it, rounded, none below 0, in a state" {
	local how own=("${days[@]}" "${cells[@]}" --other=rest)

	sales 2000 >in
	exact "${own[@]}" --margins -o long in >want
	exact "${own[@]}" --margins=.3 -o long in | diff want -
	exact_of dpwindow -w 1,2 -v 4 -r 0.00:5.00 "${own[@]}" --margins -o csv in >want
	exact_of dpwindow -w 1,2 -v 4 -r 0.00:5.00 "${own[@]}" --margins=1/7 -o csv in | diff want -
	printf 'a,north\nb,north\nc,south\nnorth,land\nsouth,land\n' >rows
	exact --once -k 2 --keys=a,b,c,d --hierarchy=rows in >want
	exact --once -k 2 --keys=a,b,c,d --hierarchy=rows --margins=.5 in | diff want -
	for how in '' --nonnegative --round=7 '--round=50 --nonnegative' '-B --nonnegative' \
	    '-d 1e-6' '-M normtree -T 100'; do
		# shellcheck disable=SC2086
		dpcount -q -e .1 --seed=7 $how "${own[@]}" --margins=.4 -o long in >got 2>/dev/null
		[ "$(adds got)" = '21 0' ]
		[[ $how != *nonnegative ]] || ! awk -F, 'NR > 1 && $4 < 0' got | grep .
		[[ $how != *-B* ]] || ! awk -F, 'NR > 1 && !($5 <= $4 && $4 <= $6)' got | grep .
	done
	# a user's events of a step as one number for each key: totals follow it, whatever it was
	sort in | awk '{ print $0, int($4 * 100 + .5) % 7 }' >users
	for how in 'any -c 9/step' 'sum -v 4 -r 0.00:9.00 -c 2/step' 'count -r 0:9 -c 3' \
	    'max -v 4 -r 0.00:5.00 -c 1/step'; do
		# shellcheck disable=SC2086
		exact "${own[@]}" -u 5 --each-user=$how --margins -o long users >want
		# shellcheck disable=SC2086
		exact "${own[@]}" -u 5 --each-user=$how --margins=.3 -o long users |
		    diff want -
	done
	# without a user keys, and each level of totals, move by K M together at most, and do so
	how=(-k 2,3 --keys=a,b,c/x,y,z -u 5 --each-user=count -r 0:3 -c 2/step --margins=.3 --once)
	exact "${how[@]}" users >want
	for i in {0..6}; do
		awk -v u="$i" '$5 != u' users | exact "${how[@]}" | paste want -
	done | awk '{ s[0] = s[1] = s[2] = s[3] = 0
	    for (i = 1; i <= 16; i++)
	        s[i <= 9 ? 0 : i <= 12 ? 1 : i <= 15 ? 2 : 3] += $i - $(i + 16)
	    for (l in s) { bad += s[l] > 6; most[l] += s[l] == 6 } }
	    END { exit bad || NR != 7 || !most[0] || !most[1] || !most[2] || !most[3] }'
	dpcount -e 1 "${how[@]}" --explain=plan | grep -cx 'reach 6' | grep -x 4
	how=(-q -e 1000000 -u 5 --each-user=any -c 3)
	dpcount "${how[@]}" "${own[@]}" --margins users >want
	dpcount "${how[@]}" "${own[@]/05-04/05-02}" -T 3 --margins=.3 --state=f --init users >got
	dpcount -q --state=f --from=2026-05-02 --to=2026-05-04 users >>got
	diff got want
	dpaudit --plan -- dpcount -e 1 "${own[@]}" -u 5 --each-user=any -c 3/step --margins=.3 |
	    grep -xP 'verdict\tholds'
	# a state keeps the share, and no other one goes on with it
	own=(-k 2,3 --keys=a,b/x,y --once)
	dpcount -e 1 "${own[@]}" -T 9 --margins=.4 --state=s --init in >/dev/null
	[ "$(dpcount --state=s in | wc -w)" -ge 9 ]
	for how in .5 2/5; do
		run dpcount --state=s --margins=$how --change in
		[ "$status" = $([ $how = .5 ] && echo 5 || echo 0) ]
	done
	run dpcount --state=s --margins --change in
	[ "$status" = 5 ]
	# and where a total is no better for it, that is said
	dpcount -e 1 -k 2 --keys=a,b,c --once --margins=.5 --explain | grep -q 'nothing is gained'
	! dpcount -e 1 -k 2 --keys="$(seq -s, 99)" --once --margins=.5 --explain | grep 'is gained'
	# nor one whose totals are of other keys, though they are as many; names may be others
	printf 'a,north\nb,north\nc,south\nd,south\nnorth,land\nsouth,land\n' >rows
	dpcount -e 1 --once -T 9 -k 2 --keys=a,b,c,d --hierarchy=rows --margins=.5 --state=h \
	    --init in >/dev/null
	sed -i 's/north/upper/' rows
	dpcount --state=h in >/dev/null
	printf 'a,north\nc,north\nb,south\nd,south\nnorth,land\nsouth,land\n' >rows
	for how in '' '--change --hierarchy=rows'; do
		# shellcheck disable=SC2086
		run dpcount --state=h $how in
		[ "$status" = 5 ]
	done
	for how in '-e 1' '-e 2 -d 1e-7 -u 4 -c 3' '-e 1/3 -T 99 -M tree'; do
		# shellcheck disable=SC2086
		dpaudit --plan -- dpcount $how "${days[@]}" "${cells[@]}" --margins=1/3 |
		    grep -xP 'verdict\tholds'
	done
	# and of a plan that is forged not
	dpcount -e 1 "${own[@]}" --margins=.5 --explain=plan >plan
	for how in 's/^adds 1 1 1 4/adds 1 1 2 4/' '0,/^adds 1 1 1 2/s//adds 1 1 2 2/' \
	    's/^adds 1 1 1 4/adds 1 1 2 4/; s/^reach 4/reach 5/' '/^adds 1 1 1 1$/d' \
	    's/^mechanism margins/mechanism mean/' 's/laplace 6/laplace 5/' part; do
		if [ "$how" = part ]; then	# a band that has none
			{ sed 's/^parts 4/parts 3/' plan | head -n -6; echo end; } >forged
		else
			sed "$how" plan >forged
		fi
		! cmp -s plan forged
		sed -i "s/^lines .*/lines $(($(wc -l <forged) - 2))/" forged
		run dpaudit --check-plan=forged
		[[ $output = *'verdict	refuted'* ]]
	done
}

# Of 3000 days, each with noise of its own; an interval of 9 in 10 misses 300, and more than 378
# with probability 1e-6 for each of 36 sorts.  Mean squares are what --explain says within 20 % (5
# standard errors, of Laplace noise, whose fourth moments are largest).
@test "--margins=F: errors as predicted, less of totals and more of keys; intervals hold" {
	local how

	printf 'a/x,n\na/y,n\nb/x,n\nb/y,s\nn,l\ns,l\n' | tr / _ >rows
	for how in '.5 -w 1 -e 1' '.3 -w 2 -e .6' '.6 -w 1 -e 1 -d 1e-5' '.4 -w 1 -e 3' \
	    '.5 -w 1 -e 1 --hierarchy=rows'; do
		keys=(-k 2,3 --keys=a,b,c,d/x,y,z)
		[[ $how != *rows ]] || keys=(-k 2 --keys=a_x,a_y,b_x,b_y)
		# shellcheck disable=SC2086
		dpwindow -q -B.9 --seed=5 --margins=$how "${keys[@]}" -t 1 --time-format=epoch \
		    --bucket=1d --from=1970-01-01 --to=1978-03-20 -o long </dev/null 2>/dev/null |
		    awk -F, 'NR > 1 { n[$2]++; q[$2] += $4 ^ 2; miss[$2] += $5 > 0 || $6 < 0 }
		    END { for (k in n) { if (miss[k] > 378 || n[k] != 3000) bad = k " " miss[k]
		        print k, sqrt(q[k] / n[k]) > "rmse" }
		        if (bad != "") { print bad; exit 1 } }'
		# shellcheck disable=SC2086
		dpwindow --explain --margins=$how "${keys[@]}" --bucket=1d --from=1970-01-01 \
		    --to=1978-03-20 | grep -o 'A key is off by some .*' >said
		awk 'NR == FNR { key = $7; alone = $8; sub(/: with so few.*/, ""); total = $(NF - 1)
		        without = $NF; gsub("[()]", "", alone); gsub("[()]", "", without); next }
		    $1 == "*/*" || $1 == "l" { t = $2 } $1 == "a/x" || $1 == "b_y" { k = $2 }
		    END { if (k ^ 2 > 1.2 * key ^ 2 + .1 || k ^ 2 < .8 * key ^ 2 ||
		        t ^ 2 > 1.2 * total ^ 2 + .1 || t ^ 2 < .8 * total ^ 2 ||
		        total >= without && without > 4 * alone || key <= alone) {
		            print k, key, alone, t, total, without; exit 1 } }' said rmse
	done
	# dpcount(1), --margins
	dpcount -e 1 -k 1,2 --keys="$(seq -s, 200)/$(seq -s, 20)" --once --margins=.5 --explain |
	    grep 'off by some 2[.]7.* (1[.]4 .* total of 4000 keys by 8[.]1.* (88[.]5'
}

@test "names of 255 bytes, of markup and quotes; keys without an event; blanks in a hierarchy" {
	local long form
	long=$(printf '%255s' '' | tr ' ' n)

	printf 'a,%s\nb,%s\n"c d",<b>|"\n' "$long" "$long" | sed 's/<b>|"/"<b>|"""/' >rows
	printf 'a\na\nc d\nz\n' >in
	for form in csv json long markdown prometheus; do
		exact --once -k 1 -F ';' --keys="a,b,c d" --hierarchy=rows -o $form in >got
		grep -q "$long" got
	done
	exact --once -k 1 -F ';' --keys="a,b,c d" --hierarchy=rows -o json in |
	    jq -c '.estimate | [.a, .b, .["c d"], .["'"$long"'"], .["<b>|\""], .["*"]]' |
	    grep -x '\[2,0,1,2,1,3\]'
	printf 'a,%sn\n' "$long" >rows
	refused 'longer than 255 bytes' dpcount -e 1 --once -k 1 --keys=a --hierarchy=rows
	printf 'a , n\n' >rows
	refused "'a' is neither one of --keys" dpcount -e 1 --once -k 1 \
	    --keys=b --hierarchy=rows
	# of a table, a key as long as a key may be
	exact --once -k 1,2 --keys="${long:0:253}/y,z" --margins -o long <<<"${long:0:253} y" |
	    awk -F, 'NR > 1 { print $4 }' | paste -s -d ' ' | grep -x '1 0 1 1 0 1'
}
