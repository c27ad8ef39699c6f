# SPDX-License-Identifier: ISC
# --each-user: what a user's events of a step come to, as awk has it; what is refused, said and
# charged; states.
load ../lib/helper

# purchases N: "SECOND USER KEY VALUE", in no order of time, some users often, in a week of hours
purchases() {
	integers "$1" | awk '{ t = ($1 * 60101 + NR * 7001) % 604800
	    v = ($1 * 7919 + NR * 13) % 4001 / 100 - 10
	    u = NR % 97 == 0 ? "" : NR % 5 == 0 ? "often" : "u" int($1 * $1 / 20000)
	    if (NR % 101 == 0) v = "NaN"; if (NR % 103 == 0) v = ""
	    print t "," u "," substr("abc", 1 + $1 % 3, 1) "," v }'
}

# folded HOW LO HI K BY: "BUCKET KEY VALUE" of each user's fold, in hundredths; BY 1: a key each
folded() {
	awk -F, -v how="$1" -v lo="$2" -v hi="$3" -v K="$4" -v by="$5" '
	    $2 == "" || $4 !~ /^-?[0-9.]+$/ { next }
	    { b = int($1 / 86400); k = by ? $3 : "-"; c = b SUBSEP $2 SUBSEP k
	        x = sprintf("%.0f", $4 * 100) + 0 }
	    !(c in n) { if (++keys[b, $2] > K) next; n[c] = 0; order[++cells] = c
	        s[c] = 0; min[c] = max[c] = first[c] = x }
	    { n[c]++; s[c] += x; if (x < min[c]) min[c] = x; if (x > max[c]) max[c] = x
	        last[c] = x }
	    END { for (i = 1; i <= cells; i++) { c = order[i]; split(c, p, SUBSEP)
	        v = 100
	        if (how == "sum") v = s[c]
	        # the nearest, halves away from 0
	        if (how == "mean") v = int((2 * s[c] + (s[c] < 0 ? -n[c] : n[c])) / (2 * n[c]))
	        if (how == "max") v = max[c]
	        if (how == "min") v = min[c]
	        if (how == "first") v = first[c]
	        if (how == "last") v = last[c]
	        if (how == "count") v = 100 * n[c]
	        v = v < 100 * lo ? 100 * lo : v > 100 * hi ? 100 * hi : v
	        print p[1], p[3], v } }'
}

# totals KEYS: sums of each bucket, a column for each key; then numbers of users
totals() {
	awk -v list="$1" '{ s[$1, $2] += $3; n[$1, $2]++ }
	    END { m = split(list, k, ","); for (b = 0; b < 7; b++) for (i = 1; i <= m; i++)
	        printf "%.2f %d%s", s[b, k[i]] / 100, n[b, k[i]], i < m ? " " : "\n" }'
}

week=(-F , -t 1 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-08)

@test "every fold, in sums, means and bins, with keys and without: as awk has it" {
	purchases 4000 >in
	for how in sum mean max min first last count any; do
		v=(-v 4) r=(-r -20.00:300.00)
		lo=-20 hi=300
		[ $how != count ] || v=(--where='4~^-?[0-9.]+$') r=(-r 0:300)
		[ $how != any ] || v=(--where='4~^-?[0-9.]+$') r=()
		folded $how $lo $hi 1 0 <in | totals - >want
		dpwindow -qe inf -w 1 -u 2 -c 1/step --each-user=$how "${v[@]}" "${r[@]}" \
		    "${week[@]}" in 2>/dev/null | cut -f 2 | \
		    paste -d ' ' - <(cut -d ' ' -f 2 want) |
		    awk '{ printf "%.2f %d\n", $1, $2 }' | diff want -
		folded $how $lo $hi 2 4 <in | totals a,b,c >want
		dpwindow -qe inf -w 1 -u 2 -c 2/step --each-user=$how -k 3 --keys=a,b,c "${v[@]}" \
		    "${r[@]}" "${week[@]}" in 2>/dev/null | cut -f 2- |
		    awk '{ printf "%.2f %.2f %.2f\n", $1, $2, $3 }' |
		    diff <(cut -d ' ' -f 1,3,5 want) -
		[ $how != any ] || continue
		# means and numbers of users: the two columns that dpmean adds up
		dpmean -qe inf --statistic=sum,count -u 2 -c 2/step --each-user=$how -k 3 \
		    --keys=a,b,c "${v[@]}" "${r[@]}" "${week[@]}" in 2>/dev/null | cut -f 2- |
		    paste -d ' ' - want | awk -v each="$how" '{
		    # dpmean has a finer grid, to which a mean is rounded: here .005 a user
		    for (i = 1; i <= 6; i++) { d = $i - $(i + 6)
			most = each == "mean" && i % 2 ? .005 * $(i + 1) + .0001 : 0.000001
			if (d > most || d < -most) { print; bad = 1 } } }
		    END { exit bad || NR != 7 || NF != 12 }'
		folded $how $lo $hi 1 0 <in | awk '{ n[$1, ($3 >= 0) + ($3 >= 1000)]++ }
		    END { for (b = 0; b < 7; b++)
		        print n[b, 0] + 0, n[b, 1] + 0, n[b, 2] + 0 }' >want
		# edges have places of their own, to which a mean is rounded
		[ $how = mean ] || dpquantile -qe inf --histogram --bins=-20,0,10,300 -u 2 \
		    -c 1/step --each-user=$how "${v[@]}" "${week[@]}" in 2>/dev/null | cut -f 2- |
		    tr '\t' ' ' | diff want -
	done
}

@test "any -m: 1 if one event matches, and a user without one is there" {
	purchases 4000 >in
	awk -F, '$2 != "" { c = int($1 / 86400) SUBSEP $2; n[c]++; m[c] += $3 == "b" }
	    END { for (c in n) { split(c, p, SUBSEP); all[p[1]]++; hit[p[1]] += m[c] > 0 }
	        for (b = 0; b < 7; b++) print hit[b], all[b] }' in >want
	dpmean -qe inf --statistic=sum,count -u 2 -c 1/step --each-user=any -v 3 -m b "${week[@]}" \
	    in 2>/dev/null | cut -f 2- | tr '\t' ' ' | diff want -
	# of a count, who lacks a literal is not charged for it
	printf 'x u a\nbuy u b\nbuy v a\n' >few
	[ "$(dpcount -qe inf --once --each-user=any -u 2 -c 1 -k 3 --keys=a,b -m buy few \
	    2>/dev/null)" = "1	1" ]
}

@test "-c N, N/B: the first steps of a user, apart; charged whatever the value, never given back" {
	cat >in <<-'END'
		0,u,b,0
		90000,u,a,5
		5,u,b,7
		180000,u,a,9
		100,v,a,1
		270000,v,a,2
	END
	four=(-F , -t 1 --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-05 -v 4
	    -r 0:9 --each-user=sum -u 2 in)
	for c in '1 8 0 0 0' '2 8 5 0 2' '3/2 8 0 9 2'; do
		dpwindow -qe inf -w 1 -c "${c%% *}" "${four[@]}" 2>err | cut -f 2 |
		    paste -sd ' ' | diff - <(echo "${c#* }")
	done
	# a fold of 0 is charged: u counts for b alone
	[ "$(dpwindow -qe inf -w 4 -c 1 -k 3 --keys=a,b "${four[@]}" 2>err |
	    tail -n 1 | cut -f 2-)" = "1	7" ]
}

@test "who cannot have a number is nobody, and what is beyond a word ends no run" {
	printf '%s\n' '1,,a,5' '2,u,a,9e30' '3,u,a,9e30' '4,U,a,1' '5, u,a,1' '6,w,a,' '7,w,a,NaN' \
	    '8,w' '9,x,a,-9e30' >in
	for how in sum mean max min first last; do
		[ "$(dpcount -qe inf --once -F , -v 4 -r -7:100 -u 2 --each-user=$how in \
		    2>/dev/null)" = 95 ]
	done
	[ "$(dpmean -qe inf --statistic=count --once -F , -v 4 -r -7:100 -u 2 --each-user=sum in \
	    2>/dev/null)" = 4 ]
	# one user with very many events
	yes '1,u,a,3' | head -n 300000 >many
	[ "$(dpcount -qe inf --once -F , -r 0:1000000 -u 2 --each-user=count many 2>/dev/null)" \
	    = 300000 ]
	# sums beyond 2^61 come back: what leaves takes as much as it brought
	printf '%s\n' '1,a,a,1e15' '1,a,a,-3e15' '1,b,a,7' >in
	for i in 1 2 3 4 5 6; do cat in in >in2; mv in2 in; done
	[ "$(dpcount -qe inf --once -F , -v 4 -r -1000000000000000:1000000000000000 -u 2 \
	    --each-user=sum in 2>/dev/null)" = -999999999999552 ]
}

# refused PATTERN COMMAND ...: status 2, nothing printed, and the pattern in the message
refused() {
	fails 2 "${@:2}"
	[ "$output" = "" ]
	grep -q -e "$1" <<<"$stderr" || {
		echo "not '$1': $stderr"
		return 1
	}
}

@test "--each-user: what is refused, by options alone, each with its cure" {
	refused '--each-user needs --user' dpcount -e 1 --each-user=count -r 0:9 --once
	refused 'needs --bucket, or --once' dpcount -e 1 -u 1 -c 1 --each-user=count -r 0:9
	refused '-c 1/step .*, or -c N' dpcount -e 1 -u 1 --each-user=count -r 0:9 \
	    "${week[@]}"
	refused '-c 1/step .*, or -c N' dpcount -e 1 -u 1 --each-user=count -r 0:9 --once \
	    --state=none --init
	refused 'first K keys' dpcount -e 1 -u 1 --each-user=any -k 2 --keys=a,b --once
	refused 'noise for nothing' dpcount -e 1 -u 1 --each-user=any -c 2/step "${week[@]}"
	refused 'noise for nothing' dpcount -e 1 -u 1 --each-user=any -c 2 --once
	refused 'any: refused with --range' dpcount -e 1 -u 1 --each-user=any -r 0:2 --once
	refused 'range is required.*(--each-user=sum)' dpcount -e 1 -u 1 --each-user=sum -v 2 --once
	refused 'range is required.*(--each-user=count)' dpmean -e 1 -u 1 --each-user=count --once
	refused 'which number of an event' dpmean -e 1 -u 1 --each-user=max -r 0:9 --once
	refused 'no part in a number of events' dpmean -e 1 -u 1 --each-user=count -v 2 -r 0:9 \
	    --once
	refused 'needs --match here' dpmean -e 1 -u 1 --each-user=any --once
	refused 'with --value it needs --match' dpcount -e 1 -u 1 --each-user=any -v 2 --once
	refused 'must be one of any, count' dpcount -e 1 -u 1 --each-user=all --once
	refused 'pan-private: refused with --user' dpcount -e 1 -P -u 1 -c 1/step --each-user=any \
	    --bucket=1d --public-times -t 1 --time-format=epoch
	refused 'unit: refused with --user' dpcount -e 1 --unit=1 -v 2 -u 1 --each-user=sum --once
}

@test "--explain of --each-user: the unit, what less than it costs, memory; a ledger's unit" {
	dpcount -E -e 1 -u 2 -c 1/step --each-user=sum -v 4 -r -1:2 "${week[@]}" >said
	grep 'one user in one step, all present or all absent, which come to one number' said
	grep 'sensitivity   2$' said
	grep 'changes what they come to, at up to 1.5 times epsilon$' said
	# another value may be none, and was the only one: all of 1:3 goes, and not the 2 between
	dpcount -E -e 1 -u 2 -c 1/step --each-user=min -v 4 -r 1:3 "${week[@]}" >positive
	grep 'changes what they come to, at up to 1 times epsilon$' positive
	dpcount -E -e 1 -u 2 -c 1/step --each-user=max -v 4 -r -3:-2 "${week[@]}" >negative
	grep 'changes what they come to, at up to 1 times epsilon$' negative
	grep 'up to 33 bytes of memory for each user in each bucket, until the input ends$' said
	! grep -E 'one event (more|less)|value differs' said
	dpmean -E -e 1 -d 1e-6 -u 2 -c 3 --each-user=sum -v 4 -r -1:2 "${week[@]}" >said
	grep 'of one user, all present .* in each of at most 3 steps' said
	grep 'one step of a user or one event, at up to 2 times epsilon, and up to 1 + e^eps' said
	grep 'of the steps that a user is in the first 3 count' said
	dpcount -E -e 1 -u 2 -c 2/step --each-user=any -k 3 --keys=a,b,c "${week[@]}" >said
	grep 'for each of at most 2 keys' said
	grep 'first 2 of its keys in a step' said
	dpbudget --init --total=user:1 --total=event:1 ledger
	dpcount -qe 1 -u 2 --each-user=sum -v 4 -r 0:2 -F , --once --budget=ledger /dev/null
	dpbudget --show ledger | grep -q 'user'
	fails 4 dpcount -qe .1 -u 2 --each-user=sum -v 4 -r 0:2 -F , --once --budget=ledger \
	    /dev/null
}

@test "--each-user: a state goes on in the middle of a bucket, and of a fold" {
	purchases 400 | sort -t , -k 1n >in
	opt=(--seed=7 -qe 1 -F , -t 1 --time-format=epoch --bucket=1d --public-times --gap=99 -T 9
	    -u 2 -v 4 -r -20.00:300.00)
	for c in 1/step 3; do
		for how in mean last; do
			dpmean "${opt[@]}" -c $c --each-user=$how in >whole 2>/dev/null
			rm -f st* got
			dpmean "${opt[@]}" -c $c --each-user=$how --state=st --init /dev/null \
			    2>/dev/null
			for i in 1 51 101 151 201 251 301 351; do
				tail -n +$i in | head -n 50 | dpmean -q --state=st 2>/dev/null >>got
			done
			sed '$d' whole | diff got -	# the last bucket is open
			[ "$(wc -l <whole)" -ge 5 ]
		done
	done
	fails 5 dpmean -q --state=st --each-user=max /dev/null
	grep -q each-user <<<"$stderr"
	# a range leaves none open
	rm -f st*
	opt=(--seed=7 -qe 1 -F , -t 1 --time-format=epoch --bucket=1d --from=1970-01-01)
	opt+=(-T 9 -u 2 -c 1/step --each-user=any)
	dpcount "${opt[@]}" --to=1970-01-04 --state=st --init in >got
	dpcount -q --state=st --from=1970-01-04 --to=1970-01-08 in >>got
	dpcount "${opt[@]}" --to=1970-01-08 in | diff got -
}

@test "--each-user: the leader of keys, names that nobody declared, the clamp chosen afterwards" {
	purchases 4000 >in
	# users of each key so far: a user counts in each day
	awk -F, '$2 != "" { d = int($1 / 86400)
	        if (!((d, $2, $3) in s)) { s[d, $2, $3]; n[d, $3]++ } }
	    END { for (d = 0; d < 7; d++) { a += n[d, "a"]; b += n[d, "b"]; c += n[d, "c"]
	        print d, a, b, c } }' in >want
	dpcount -qe inf -u 2 -c 3/step --each-user=any -k 3 --keys=a,b,c "${week[@]}" in \
	    2>/dev/null | cut -f 2- | tr '\t' ' ' | diff <(cut -d ' ' -f 2- want) -
	dpcount -qe inf -u 2 -c 3/step --each-user=any -k 3 --keys=a,b,c --top=1 "${week[@]}" in \
	    2>/dev/null | cut -f 3 >top
	awk '{ m = $2 > $3 ? $2 : $3; print (m > $4 ? m : $4) }' want | diff - top
	dpmaxsum -qe inf -u 2 -c 3/step --each-user=any -k 3 --keys=a,b,c "${week[@]}" in \
	    2>/dev/null | cut -f 2 | diff top -
	dptop -qe inf --running -u 2 -c 3/step --each-user=any -k 3 "${week[@]}" in 2>/dev/null |
	    awk '{ d = substr($1, 10, 1) - 1; print d, $2, $3 }' | sort >got
	awk '{ print $1, "a", $2; print $1, "b", $3; print $1, "c", $4 }' want | sort | diff - got
	# N names of a user in all steps, and one of two users in none
	printf '%s\n' 0,u,a 1,u,a 90000,u,a 90001,u,b 180000,u,b 5,,a >few
	dptop -qe inf -w 1 -u 2 -c 2 --each-user=any -k 3 "${week[@]}" few 2>/dev/null | cut -f 2- |
	    diff - <(printf 'a\t1\na\t1\n')
	# magnitudes: all events, and no user cut off by a guess
	awk -F, '$2 != "" { n[int($1 / 86400)]++ }
	    END { for (d = 0; d < 7; d++) print n[d] }' in >want
	dpwindow -qe inf -w 1 -u 2 -c 1/step --each-user=count -r auto:100000 "${week[@]}" in \
	    2>/dev/null | cut -f 2 | diff want -
	dpaudit --plan -- dpcount -e 1 -u 2 --each-user=count -r auto --once | grep 'verdict.holds'
	for t in 'dpmaxsum -k 3 --keys=a,b' 'dptop -d 1e-6 -k 3' 'dpmean -k 3 --keys=a,b -m x' \
	    'dpdecay -a .5 -k 3 --keys=a,b'; do
		for c in 2/step 3; do
			# shellcheck disable=SC2086
			dpaudit --plan -- $t -e 1 -u 2 -c $c --each-user=any "${week[@]}" |
			    grep 'verdict.holds'
		done
	done
	refused 'must be any' dptop -e 1 -d 1e-6 -u 2 -c 2/step --each-user=count -k 3 \
	    "${week[@]}"
	refused 'first K names' dptop -e 1 -d 1e-6 -u 2 --each-user=any -k 3 "${week[@]}"
	refused 'many numbers has no fold' dpmaxsum -e 1 --columns=2 -u 2 -c 1/step -v 3 -r 0:1 \
	    --each-user=sum "${week[@]}"
}

@test "dpmap --each-user: folded in the shard that has the user; both sides say so" {
	purchases 2000 >in
	awk -F, '{ print > ("log." (length($2) + substr($2, 2)) % 3) }' in
	opt=(--bucket=1d --from=1970-01-01 --to=1970-01-08 -c 2/step --keys=a,b,c -r -5.00:40.00
	    --each-user=sum)
	all=(-F , -t 1 --time-format=epoch -u 2 -k 3 -v 4)
	for i in 0 1 2; do
		dpmap -q "${all[@]}" "${opt[@]}" log.$i >part.$i
	done
	dpwindow -qe inf -w 2 "${all[@]}" "${opt[@]}" in 2>/dev/null >want
	dpwindow -qe inf -w 2 --partial=by-user "${opt[@]}" part.? 2>/dev/null >got
	diff got want
	dpwindow -E -e 1 -w 2 --partial=by-user "${opt[@]}" part.? >said
	grep 'in one step, all present or all absent, which come to one number for each' said
	read="dpwindow -qe 1 -w 2 --partial=by-user"
	# shellcheck disable=SC2086
	{
		fails 3 $read "${opt[@]/sum/max}" part.?
		grep 'another --each-user' <<<"$stderr"
		fails 3 $read "${opt[@]/--each-user=sum/-q}" part.?
		grep 'counts of users (dpmap --each-user)' <<<"$stderr"
		dpmap -q "${all[@]}" "${opt[@]/--each*/-q}" log.0 >old
		fails 3 $read "${opt[@]}" old
		grep 'counts of events, and not of users' <<<"$stderr"
		refused 'needs --partial=by-user' dpwindow -e 1 -w 2 --partial "${opt[@]}" part.?
		refused 'with --partial it takes -c K/step' $read "${opt[@]/2?step/2}" part.?
	}
	refused 'dpmap takes -c K/step' dpmap "${all[@]}" "${opt[@]/2?step/2}" log.0
}

@test "--check shows what each user's events come to" {
	printf '%s\n' '1,u,a,5' '2,u,a,70' '3,v,a,x' '4,,a,1' '90000,u,a,6' >in
	dpmean -q --check "${week[@]}" -u 2 -c 1/step --each-user=sum -v 4 -r 0:60 in 2>/dev/null |
	    cut -f 2-3 | diff - <(printf '%b\n' 'value=5\teach-user=5' \
	    'value=70\teach-user=60 (clamped by --range)' \
	    "nothing: field 4: not a decimal number: 'x'" \
	    'nothing: no user (field 2 is empty)\ttime=1970-01-01T00:00:04Z' \
	    'value=6\teach-user=6')
	dpmean -q --check "${week[@]}" -u 2 -c 1 --each-user=sum -v 4 -r 0:60 in 2>/dev/null |
	    tail -n 1 | grep "as many steps as --per-user allows: 'u'"
}

@test "--retention: as awk has it, in any order, in windows and sums, with a state" {
	integers 2500 | awk '{ printf "%d %d\n", $1 * 7919 % 12 * 86400, $1 * $1 % 1009 % 250 }' >in
	sort -s -n in >sorted
	ages() {
		awk -v N="$1" -v K="$2" '{ s = $1 / 86400; u = $2
		    if (!(u in first)) first[u] = s
		    a = s - first[u] }
		    a >= 0 && !((u, s) in seen) && k[u] < K {
			k[u]++; seen[u, s] = 1; n[s, a > N ? N + 1 : a]++ }
		    END { for (s = 0; s < 12; s++) for (a = 0; a <= N + 1; a++)
			printf "%d%s", n[s, a], a <= N ? "\t" : "\n" }' "$3"
	}
	set -- -u 2 --each-user=any -t 1 --time-format=epoch --bucket=1d
	all=(--from=0 --to=1036800)
	for k in '3 1' '3 3' '1 20' '20 20'; do
		ages $k in >want
		dpwindow -qe inf -w 1 "$@" "${all[@]}" --retention=${k% *} -c ${k#* } in \
		    2>/dev/null | cut -f 2- | diff want -
	done
	ages 3 5 sorted | sed '$d' >want
	dpwindow -qe inf -w 1 "$@" --public-times -T 12 --retention=3 -c 5 sorted 2>/dev/null |
	    cut -f 2- | head -n 11 | diff want -
	ages 3 5 in | awk '{ for (i = 1; i <= 5; i++) printf "%d%s", s[i] += $i,
	    i < 5 ? "\t" : "\n" }' >want
	dpcount -qe inf "$@" "${all[@]}" --retention=3 -c 5 in 2>/dev/null | cut -f 2- | diff want -
	dpcount -qe inf "$@" "${all[@]}" --retention=1 -c 5 -o csv in 2>/dev/null | head -n 1 >head
	echo time,0,1,+ | diff - head
	# the table of users goes on
	dpwindow -qe 1 --seed=1 -w 1 "$@" "${all[@]}" -T 12 --retention=3 -c 5 sorted \
	    >whole 2>/dev/null
	dpwindow -qe 1 --seed=1 -w 1 "$@" --from=0 --to=432000 -T 12 --retention=3d -c 5 \
	    --state=S --init sorted >parts 2>/dev/null
	dpwindow -q --state=S --from=432000 --to=1036800 sorted >>parts 2>/dev/null
	diff whole parts
	fails 5 dpwindow -q --state=S --retention=4 --from=0 --to=86400 sorted
	printf '%s\n' '86400 a' '259200 a' '0 a' |
	    dpwindow --check -w 1 "$@" "${all[@]}" --retention=1 -c 2 2>/dev/null |
	    grep -o 'age=.*\|nothing.*' >said
	printf '%s\n' $'age=0\tuser=a' $'age=+\tuser=a' \
	    "nothing: before its user's first step (--retention): 'a'" | diff - said
	# what is claimed, and said
	run -0 dpaudit --plan -- dpwindow -e 1 -w 1 "$@" "${all[@]}" --retention=3 -c 5
	[[ $output == *'records 5 0 1 0 5 1'* ]]
	dpwindow -e 1 -w 1 "$@" "${all[@]}" --retention=3 -c 5 --explain >said
	grep -qx 'sensitivity   5' said
	grep -q 'without the first one all others are of another age' said
	run -0 --separate-stderr dpwindow -e 1 -w 1 "$@" "${all[@]}" --retention=3 -c 3 /dev/null
	grep -q 'missing of late columns' <<<"$stderr"
	run -0 --separate-stderr dpwindow -e 1 -w 1 "$@" "${all[@]}" --retention=3 -c 4 /dev/null
	[[ $stderr != *'missing of late columns'* ]]
}

@test "--retention: what is refused, each with its cure" {
	r=(dpwindow -e 1 -w 1 --retention=3 "${week[@]}")
	refused 'retention needs --user' "${r[@]}"
	refused "'x' must be a number of steps from 1 to 10000, or with --bucket a duration" \
	    "${r[@]/=3/=x}"
	refused "'36h' is not a whole number of buckets" "${r[@]/=3/=36h}"
	refused "'99y' is" "${r[@]/=3/=99y}"
	refused "'10001d' is 10001 steps: at most 10000" "${r[@]/=3/=10001d}"
	refused 'retention needs --each-user=any' "${r[@]}" -u 2 -c 3
	refused 'retention needs --each-user=any' "${r[@]}" -u 2 -c 3 --each-user=count -r 0:3
	refused 'retention needs -c K' "${r[@]}" -u 2 --each-user=any
	r+=(-u 2 --each-user=any)
	refused 'all of its steps are protected together; give -c K' "${r[@]}" -c 1/step
	refused 'give -c K' "${r[@]}" -c 3/2
	refused 'refused with --key' "${r[@]}" -c 3 -k 3 --keys=a,b
	refused 'must be below 2^32' "${r[@]}" -c 1000000 -T 10000
	refused 'refused with --once' dpcount -e 1 -u 2 --each-user=any --retention=3 -c 2 --once
	refused 'must be a number of steps from 1 to 10000' dpcount -e 1 -u 2 -c 3 \
	    --each-user=any --retention=0 "${week[@]}"
	refused 'pan-private: refused with --user' "${r[@]}" -c 3 -P
	refused '-k and --keys' "${r[@]}" -c 3 --top=2
}

# readings N: "SECOND SERIES KEY READING": counters that rise, begin anew, and stand still, of 21
# devices; some readings of nobody, below 0, no number, or too large; in the order of time
readings() {
	integers "$1" | awk '{ u = "d" NR * NR % 41; k = substr("abc", 1 + NR % 3, 1)
	    c[u, k] = $1 % 11 == 0 ? $1 % 7 : c[u, k] + $1 % 90; v = c[u, k]
	    if (NR % 97 == 0) v = "x"; if (NR % 83 == 0) v = -v - 1; if (NR % 89 == 0) v = ""
	    if (NR % 79 == 0) v = "9e99"; if (NR % 101 == 0) u = ""
	    print int(NR * 604800 / '"$1"') "," u "," k "," v }'
}

# rises HI N BY: "BUCKET KEY SUM" of what each device rose by, at most HI each, in N cells
rises() {
	awk -F, -v hi="$1" -v N="$2" -v by="$3" '$2 == "" || $4 !~ /^[0-9]+$/ { next }
	    { k = by ? $3 : "-"; s = $2 SUBSEP k; b = int($1 / 86400); c = b SUBSEP s
	        first = !(s in last); d = $4 < last[s] ? $4 : $4 - last[s]; last[s] = $4 + 0 }
	    first { next }
	    !(c in sum) { if (++cells[$2] > N) next; sum[c] = 0 }
	    { sum[c] += d }
	    END { for (c in sum) { split(c, p, SUBSEP)
	            n[p[1], p[3]] += sum[c] > hi ? hi : sum[c] }
	        m = split(by ? "a b c" : "-", name, " "); for (b = 0; b < 7; b++)
	        for (i = 1; i <= m; i++) printf "%d%s", n[b, name[i]], i < m ? "\t" : "\n" }'
}

@test "--counter: what each series rose by, as awk has it; begun anew, malformed, of nobody" {
	readings 6000 >in
	for how in '1500 3' '700 7' '9999 20'; do
		read -r hi n <<<"$how"
		rises $hi $n 0 <in >want
		dpwindow -qe inf -w 1 "${week[@]}" -u 2 --counter -v 4 -c $n -r 0:$hi in \
		    2>/dev/null | cut -f 2 | diff want -
		rises $hi $n 1 <in >want
		dpwindow -qe inf -w 1 "${week[@]}" -u 2 --counter -v 4 -c $n -r 0:$hi -k 3 \
		    --keys=a,b,c in 2>/dev/null | cut -f 2- | diff want -
	done
	awk '{ if ($1 > 0) n++ } END { exit n < 5 }' want
	rises 100 7 0 <in | awk '{ print s += $1 }' >want
	dpcount -qe inf "${week[@]}" -u 2 --counter --each-user=sum -v 4 -c 7 -r 0:100 in \
	    2>/dev/null | cut -f 2 | diff want -
	# all of a run as one step: dpmean's and dpquantile's event is a device
	sed 's/^[0-9]*/0/' in | rises 13000 1 0 | head -n 1 >want
	one=(-F , --once -u 2 --counter -v 4 -r 0:13000)
	dpcount -qe inf "${one[@]}" in 2>/dev/null | diff want -
	dpmean -qe inf "${one[@]}" in 2>/dev/null | awk -v w="$(<want)" '{
	    exit !($1 * 21 - w < 1 && w - $1 * 21 < 1) }'
	dpquantile -qe inf "${one[@]}" --bins=4 --histogram in 2>/dev/null | awk '{
	    for (i = 1; i <= NF; i++) n += $i } END { exit n != 21 }'
	# exact to 2^56, and rounded to the grid before they are compared
	printf '%s\n' ,u,,9007199254740993 ,u,,9007199254740994 ,u,,72057594037927935 ,u,,0.4 \
	    ,u,,1.6 ,u,,72057594037927936 >large
	dpcount --check "${one[@]}" large 2>/dev/null | grep -o 'increase=[0-9]*' |
	    diff - <(printf 'increase=%s\n' 1 63050394783186941 0 2)
	fails 3 dpcount -qe 1 --strict "${one[@]}" large
	grep -F 'large:6: ' <<<"$stderr"
	grep -F 'a counter of 2^56 or more' <<<"$stderr"
	printf '%s\n' 1,u,,5 2,v,,9 3,u,,9 4,u,,-1 5,v,,2 6,u,,9 |
	    dpwindow --check -w 1 "${week[@]}" -u 2 --counter -v 4 -c 2 -r 0:3 2>/dev/null |
	    cut -f 2-4 | sed 's/\ttime.*//' | diff - <(printf '%b\n' \
	    "nothing: the first reading of its series (--counter): 'u'" \
	    "nothing: the first reading of its series (--counter): 'v'" \
	    'value=9\tincrease=4\teach-user=3 (clamped by --range)' \
	    "nothing: field 4: a counter below 0: '-1'" 'value=2\tincrease=2\teach-user=2' \
	    'value=9\tincrease=0\teach-user=3 (clamped by --range)')
}

@test "memory of a table of users is what --explain says" {
	integers 300000 | awk '{ print "u" NR }' >in
	local base most=22 how
	sed 's/.*/u/' in >one
	base=$({ command time -f %M dpcount -q -e 1 --once -u 1 -c 1 -m . one; } 2>&1 >/dev/null)
	for how in '-c 1 -m .' '--each-user=any -m .' '--each-user=count -r 0:9'; do
		dpcount -e 1 --once -u 1 $how --explain |
		    grep "up to $most bytes of memory for each user"
		{ command time -f %M dpcount -q -e 1 --once -u 1 $how in; } 2>&1 >/dev/null |
		    awk -v base="$base" -v most=$most '{ each = ($1 - base) * 1024 / 300000
			print each; exit !(each > 15 && each < most + 1) }'
		most=33
	done
	dptop -e 1 -d 1e-6 --once -u 1 -k 2 -c 2 --distinct --explain |
	    grep 'up to 22 bytes of memory for each user, and for each name of it, there$'
	dpcount -e 1 -u 1 -c 2 -m . --explain | grep 'memory for each user so far$'
	dpcount -e 1 -u 1 -c 2/step -m . --bucket=1d --live --explain |
	    grep 'memory for each user in an open bucket$'
}

@test "--counter: a state of 200,000 readings, and of as many folds, is read at once" {
	# by searches in a table that is not whole yet it was a minute
	integers 200000 | awk '{ print 0, "u" NR, NR }' >in
	opt=(-e 1 -T 9 -u 2 -v 3 -t 1 --time-format=epoch --bucket=1d --from=0 --to=86400 -c 1)
	dpcount -q "${opt[@]}" --counter -r 0:9 --state=st --init in
	(ulimit -t 10; dpcount -q --state=st --from=86400 --to=172800 /dev/null)
	# of 256 MiB, as dpcount(1) has it
	awk -v n="$(stat -c %s st)" 'BEGIN { x = 2 ^ 28 / (n / 200000) / 1e6; print x
	    exit !(x > 4.5 && x < 5.5) }'
	rm -f st*
	opt=("${opt[@]/--from=0/--public-times}")
	dpcount -q "${opt[@]/--to=86400/-q}" --each-user=sum -r 0:9 --state=st --init in
	(ulimit -t 10; dpcount -q --state=st /dev/null)
}

@test "--counter: a state of dpcount goes on in the middle of a bucket, and over a range's end" {
	readings 400 >in
	opt=(-F , -t 1 --time-format=epoch --bucket=1d -T 9 -u 2 -v 4 -r 0:90 --counter -c 5)
	dpcount -qe inf "${opt[@]}" --from=1970-01-01 --to=1970-01-08 in 2>/dev/null | cut -f 2 |
	    diff <(rises 90 5 0 <in | awk '{ print s += $1 }') -
	opt+=(--seed=7 -qe 1)
	dpcount "${opt[@]}" --public-times --gap=99 in >whole 2>/dev/null
	dpcount "${opt[@]}" --public-times --gap=99 --state=st --init /dev/null 2>/dev/null
	for i in 1 51 101 151 201 251 301 351; do
		tail -n +$i in | head -n 50 | dpcount -q --state=st 2>/dev/null >>got
	done
	sed '$d' whole | diff got -		# the last bucket is open
	[ "$(wc -l <whole)" -ge 5 ]
	fails 5 dpcount -q --state=st --each-user=count /dev/null
	# the first readings of a later run are compared with the last ones of the run before
	rm -f st*
	dpcount "${opt[@]}" --from=1970-01-01 --to=1970-01-08 in >whole 2>/dev/null
	dpcount "${opt[@]}" --from=1970-01-01 --to=1970-01-04 --state=st --init in >got 2>/dev/null
	dpcount -q --state=st --counter --from=1970-01-04 --to=1970-01-08 in >>got 2>/dev/null
	diff whole got
}

@test "dpquantile -m: how many of a user's events match, with the users of none" {
	integers 3000 | awk '{ print $1 * $1 % 199, $1 * 7919 % 13 < 2 ? "buy" : "view" }' >in
	awk '{ u[$1]; n[$1] += $2 == "buy" } END { for (k in u)
	    h[n[k] >= 8 ? 8 : n[k] >= 4 ? 4 : n[k] >= 2 ? 2 : n[k]]++
	    printf "%d\t%d\t%d\t%d\n", h[0], h[1], h[2], h[4] + h[8] }' in >want
	dpquantile -qe inf --once -u 1 --each-user=count -v 2 -m buy --histogram \
	    --bins=0,1,2,4,9 in 2>/dev/null | diff want -
	awk '{ u[$1]; n[$1] += $2 == "buy" } END { for (k in u) h[n[k] > 0]++
	    print h[0] + 0 "\t" h[1] + 0 }' in >want
	dpquantile -qe inf --once -u 1 --each-user=any -v 2 -m buy --histogram in 2>/dev/null |
	    diff want -
	refused 'match: needs --each-user=count' dpquantile -e 1 --once -v 2 -m buy -r 0:1 in
	dpquantile --help=all | grep -F 'clamp values; needed' | grep -v 'if no -m'
	run -0 dpaudit --plan -- dpquantile -e 1 --once -u 1 --each-user=count -v 2 -m buy \
	    --histogram --bins=0,1,2,4,9
}

@test "folds with --top, -B, --live and --next: as awk has them" {
	purchases 2000 >in
	awk -F, '$2 != "" && !(($2, $3) in seen) { seen[$2, $3] = 1; n[$3]++ }
	    END { for (k in n) print k "\t" n[k] }' in | sort -k 2nr | head -n 2 >want
	dpcount -qe inf --once -F , -u 2 -c 3 --each-user=any -k 3 --keys=a,b,c --top=2 -o long in \
	    2>/dev/null | awk -F , 'NR > 1 { print $2 "\t" $4 }' | diff want -
	# without noise an interval is the estimate
	dpcount -qe inf --once -F , -u 2 -c 3 --each-user=any -k 3 --keys=a,b,c -B -o long in \
	    2>/dev/null | awk -F , 'NR > 1 && ($4 != $5 || $4 != $6) { bad = 1 }
	    END { exit bad || NR != 4 }'
	# by the clock, in whatever the bucket of now is
	printf '%s\n' 'a 3' 'b 4' 'a 5' 'a 1' 'c x' |
	    dpwindow -qe inf -w 1 -u 1 -c 1/step --each-user=sum -v 2 -r 0:8 --bucket=1000d --live \
	    2>/dev/null | cut -f 2 | diff <(echo 12) -
	# the days that have ended, and then no more of them
	now=$(date +%s)
	for ago in 3 2 1; do
		for u in a a b; do
			echo "$((now - ago * 86400)) $u $ago"
		done
	done >days
	from=$(date -u -d "@$((now - 3 * 86400))" +%F)
	to=$(date -u -d "@$now" +%F)
	set -- -t 1 --time-format=epoch --bucket=1d -u 2 --each-user=count -r 0:5 -c 2 -w 1
	dpwindow -qe 1 --seed=4 "$@" -T 9 --from="$from" --to="$to" days >want 2>/dev/null
	dpwindow -qe 1 --seed=4 "$@" -T 9 --state=S --init --next --from="$from" days 2>/dev/null \
	    >got
	head -n 3 got | diff <(head -n 3 want) -
	dpwindow -q --state=S --next days >more 2>/dev/null
	[ "$(wc -l <more)" -le 1 ]	# midnight may have come
}

@test "any and count of a sum: what does not match uses up no step and no key" {
	printf '%s\n' '1 u view' '2 v buy' '86401 u buy' '86402 v buy' '86403 u view' >in
	one() {
		"$1" -qe inf -w 1 -t 1 --time-format=epoch --bucket=1d --from=0 --to=172800 \
		    -u 2 -c 1 -v 3 "${@:2}" in 2>/dev/null | cut -f 2- | paste -s -d ' ' -
	}
	[ "$(one dpwindow --each-user=any -m buy)" = '1 1' ]
	[ "$(one dpwindow --each-user=count -r 0:5 -m buy)" = '1 1' ]
	# from 1 on who has none is 1, and in a mean there as well
	[ "$(one dpwindow --each-user=count -r 1:5 -m buy)" = '2 0' ]
	[ "$(one dpmean --each-user=any -m buy)" = '0.500000 ' ]
	[ "$(one dpwindow --each-user=any -m buy -k 3 --keys=view,buy)" = $'0\t1 0\t1' ]
}

@test "--counter: increases as awk has them, with falls, and a state in the middle of a step" {
	# readings of 40 devices over 8 days, in order; some begin anew
	seq 1500 | awk '{ t = $1 * 460; u = $1 * $1 % 1009 % 40; n[u] += $1 * 7919 % 97
	    if ($1 % 83 == 0) n[u] = $1 % 50
	    printf "%d %d %d\n", t, u, n[u] }' >in
	printf '%s\n' '691100 41 x' '691100 42' '691100  7' >>in
	up() {
		awk -v N="$1" -v MAX="$2" 'NF < 3 || $3 + 0 != $3 { next }
		    { s = int($1 / 86400); u = $2 }
		    u in last { d = $3 < last[u] ? $3 : $3 - last[u]
			if (!((s, u) in up) && k[u]++ < N) { up[s, u] = 0; on[s, u] = 1 }
			if ((s, u) in on) up[s, u] += d }
		    { last[u] = $3 }
		    END { for (i in up) { split(i, at, SUBSEP)
			x[at[1]] += up[i] < MAX ? up[i] : MAX }
			for (s = 0; s < 8; s++) print x[s] + 0 }' in
	}
	set -- -u 2 --counter -v 3 -t 1 --time-format=epoch --bucket=1d
	up 99 150 >want
	dpwindow -qe inf -w 1 "$@" --public-times -T 8 -r 0:150 -c 1/step in 2>/dev/null |
	    cut -f 2 | diff want -
	dpwindow -qe inf -w 1 "$@" --from=0 --to=691200 -r 0:150 -c 99 in 2>/dev/null |
	    cut -f 2 | diff want -
	up 3 60 >want
	dpwindow -qe inf -w 1 "$@" --from=0 --to=691200 -r 0:60 -c 3 in 2>/dev/null |
	    cut -f 2 | diff want -
	up 3 60 | awk '{ print s += $1 }' >want
	dpcount -qe inf "$@" --from=0 --to=691200 -r 0:60 -c 3 in 2>/dev/null |
	    cut -f 2 | diff want -
	# the last readings go on, in the middle of a day, and from one range to the next
	dpwindow -qe 1 --seed=1 -w 1 "$@" --public-times -T 8 -r 0:150 -c 1/step in 2>/dev/null \
	    >whole
	head -n 700 in | dpwindow -qe 1 --seed=1 -w 1 "$@" --public-times -T 8 -r 0:150 \
	    -c 1/step --state=S --init >parts 2>/dev/null
	tail -n +701 in | dpwindow -q --state=S >>parts 2>/dev/null
	dpwindow -q --state=S --at-end >>parts 2>/dev/null </dev/null || :
	head -n 7 whole | diff - <(head -n 7 parts)
	dpwindow -qe 1 --seed=1 -w 1 "$@" --from=0 --to=691200 -T 8 -r 0:150 -c 5 in 2>/dev/null \
	    >whole
	dpwindow -qe 1 --seed=1 -w 1 "$@" --from=0 --to=345600 -T 8 -r 0:150 -c 5 \
	    --state=R --init in >parts 2>/dev/null
	dpwindow -q --state=R --from=345600 --to=691200 in >>parts 2>/dev/null
	diff whole parts
	dpwindow --check -w 1 "$@" --public-times -r 0:60 -c 1/step in 2>/dev/null |
	    grep -c 'nothing: the first reading of its series' | grep -x 40
	# noise is for two steps, and what is claimed holds
	run -0 dpaudit --plan -- dpwindow -e 1 -w 1 "$@" --public-times -T 8 -r 0:60 -c 1/step
	[[ $output == *$'records 2 0 60 0 1 1\nclaim\tapart 1\n'* ]]
	run -0 --separate-stderr dpwindow -e 1 -w 1 "$@" --public-times -T 8 -r 0:60 -c 1/step \
	    --explain
	grep -q 'its number of that step and that of the step in which it is read next' <<<"$output"
	grep -qx 'sensitivity   120' <<<"$output"
}

@test "--counter: what is refused, each with its cure" {
	r=(dpwindow -e 1 -w 1 --counter -t 1 --time-format=epoch --bucket=1d)
	refused 'counter needs --user' "${r[@]}" --public-times -v 3 -r 0:9
	r+=(-u 2)
	refused 'counter needs --value' "${r[@]}" --public-times -c 1/step -r 0:9
	refused 'needs --per-user' "${r[@]}" --public-times -v 3 -r 0:9
	refused 'begins at 0: -r 0:MAX' "${r[@]}" --public-times -v 3 -c 1/step -r 1:9
	refused 'range is required' "${r[@]}" --public-times -v 3 -c 1/step
	refused 'refused with --match' "${r[@]}" --public-times -v 3 -c 1/step -r 0:9 -m a
	refused 'each-user=sum, or leave it out' "${r[@]}" --public-times -v 3 -c 1/step -r 0:9 \
	    --each-user=max
	refused 'give -c N' "${r[@]}" --from=0 --to=86400 -v 3 -c 1/step -r 0:9
	refused 'give -c N' "${r[@]}" --live=1h -v 3 -c 1/step -r 0:9
	refused 'give -c N' "${r[@]}" --public-times -v 3 -c 1/step -r 0:9 -k 4 --keys=a,b
	refused 'refused with --user' "${r[@]}" --public-times -v 3 -c 1/step -r 0:9 -P
	refused 'needs --bucket' dpcount -e 1 -u 2 --counter -v 3 -c 1 -r 0:9
	refused 'does not take this option' dptop -e 1 -d 1e-6 --counter
	refused 'does not take this option' dpmap --counter
	refused 'needs steps that follow' "${r[@]}" --live=1h -v 3 -c 1/step -r 0:9
	refused 'one step cannot be protected alone; give -c N' dpmean "${r[@]:1:2}" \
	    "${r[@]:5}" --public-times -v 3 -c 1/step -r 0:9
	dpdecay -a .5 -e 1 "${r[@]:5}" --public-times -v 3 -c 1/step -r 0:9 -T 9 --explain |
	    grep -x 'sensitivity   18'
	r+=(--from=0 --to=259200 -v 3 -c 2)
	refused 'refused with --retention' "${r[@]}" -r 0:9 --retention=3 --each-user=any
	refused 'counter: refused with --unit' "${r[@]}" --unit=1
	refused 'counter: refused with --other' "${r[@]}" -r 0:9 -k 4 --keys=a --other=o
	refused 'counter: refused with --partial' dpcount -e 1 --counter --partial=by-user -c 2 \
	    -r 0:9 --once /dev/null
	# as many records as of any fold
	run -0 dpaudit --plan -- "${r[@]}" -r 0:9
	[[ $output == *$'records 2 0 9 0 1 1\n'* && $output == *$'verdict\tholds'* ]]
	"${r[@]}" -r 0:9 --explain >said 2>/dev/null
	grep -F 'a later one counts in its place, and the next increase is another' said
	"${r[@]}" -r 0:9 -k 4 --keys=a,b --explain 2>/dev/null >said
	grep -F "since the user's last reading of that key (after a fall, the reading itself)" said
	grep -F 'and up to 33 for each user and key so far, for its last reading' said
	run -0 --separate-stderr dpwindow --check "${r[@]:3}" -r 0:9 /dev/null
	grep -F 'increases of the counter in field 3' <<<"$stderr"
	grep -F 'sort lines by time, and give rotated logs the oldest first' <<<"$stderr"
}

@test "names of users differ by case, and by blanks but in CSV's fields without quotes" {
	printf '%s\n' 'ann' 'ann ' ' ann' 'Ann' '"ann "' >in
	dpcount -qe inf --once --csv -u 1 --each-user=any in 2>/dev/null | diff <(echo 3) -
	dpcount -qe inf --once -F , -u 1 --each-user=any in 2>/dev/null | diff <(echo 5) -
}

@test "-c auto is --each-user=count -r auto -c 1/step of a count, and refused elsewhere" {
	purchases 400 | sort -t , -k 1n >in
	for how in 'dpcount' 'dpwindow -w 1' 'dpdecay --half-life=3d' 'dpcount -m buy'; do
		$how -qe 1 --seed=3 "${week[@]}" -u 2 -c auto in >got 2>/dev/null
		$how -qe 1 --seed=3 "${week[@]}" -u 2 --each-user=count -r auto -c 1/step in \
		    2>/dev/null | diff got -
	done
	# every event, where the noise allows
	dpcount -qe 10000 --seed=1 --once -F , -u 2 -c auto in 2>/dev/null >got
	awk -F, '$2 != ""' in | wc -l | diff <(cut -f 1 got) -
	dpcount -e 1 --once -F , -u 2 -c auto in 2>&1 >/dev/null |
	    grep -F -- '-c auto: a user whose events come to more than the number printed beside'
	dpcount -e 1 --once -F , -u 2 -c auto --explain >said
	grep -F 'the events of one user, all present or all absent, which come to one number' said
	refused=("dpmean -m x|it is for counts" "dpcount -v 4|it counts events; for sums"
	    "dpcount -r 0:9|it stands for" "dpcount --each-user=count|it stands for"
	    "dpcount -k 3 --keys=a|refused with --key" "dpcount -B|refused with --bound"
	    "dpcount --monotone|refused with --bound" "dpcount --unit=1|refused with --unit")
	for each in "${refused[@]}"; do
		fails 2 ${each%|*} -e 1 -F , -u 2 -c auto --once in
		grep -F -- "--per-user=auto: ${each#*|}" <<<"$stderr"
	done
	fails 2 dpcount -e 1 -F , -c auto --once in
	grep -F -- '--per-user=auto: needs --user' <<<"$stderr"
	fails 2 dpcount -e 1 -T 9 -u 2 -c auto in
	grep -F 'it needs --bucket, or --once' <<<"$stderr"
	# a state keeps what it stands for
	dpcount -q -e 1 --seed=1 -T 2 --once -F , -u 2 -c auto --state=st --init in >/dev/null
	dpcount -q --state=st in | grep -E '^-?[0-9]+	[0-9]+$'
	fails 2 dpcount -q --state=st -c auto in
	grep -F 'the state file has it' <<<"$stderr"
}
