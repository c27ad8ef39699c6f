# SPDX-License-Identifier: ISC
# -c K/step: at most K events of a user in each step: what counts, what one user can move, state
# files, memory.
load ../lib/helper

# visits N: "USER KEY SECOND", some users often, in a week of hours
visits() {
	integers "$1" | awk '{ t = ($1 * 60101 + NR * 7001) % 604800
	    print "u" int($1 * $1 / 20000), substr("abc", 1 + $1 % 3, 1), t }'
}

# capped K SECONDS [KEY]: events of each bucket of a week, at most K of each user
capped() {
	awk -v K="$1" -v w="$2" -v key="${3-}" '{ b = int($3 / w) }
	    ++n[$1, b] <= K && (key == "" || $2 == key) { c[b]++ }
	    END { for (b = 0; b < 604800 / w; b++) print c[b] + 0 }'
}

week=(-t 3 --time-format=epoch --from=1970-01-01 --to=1970-01-08)

@test "daily active users in one command, and at most K a day: as awk counts them" {
	visits 6000 >in
	dpwindow -e inf -u 1 -c 1/step -w 1 --bucket=1d "${week[@]}" in 2>/dev/null >got
	awk '!(($1, int($3 / 86400)) in s) { s[$1, int($3 / 86400)]; n[int($3 / 86400)]++ }
	    END { for (d = 0; d < 7; d++) print n[d] }' in | diff - <(cut -f 2 got)
	for k in 1 2 5; do
		for w in 3600 86400; do
			capped $k $w <in >want
			dpwindow -e inf -u 1 -c $k/step -w 1 --bucket=${w}s "${week[@]}" in \
			    2>/dev/null | cut -f 2 | diff want -
			# the same as they come, by their own times
			sort -k 3n in | tee sorted | dpwindow -e inf -u 1 -c $k/step -w 1 \
			    --bucket=${w}s -t 3 --time-format=epoch \
			        --public-times --gap=999 2>/dev/null >got
			capped $k $w <sorted | awk -v skip="$(awk -v w=$w 'NR == 1 {
			    print int($3 / w) }' sorted)" 'NR > skip' |
			    head -n "$(wc -l <got)" | diff - <(cut -f 2 got)
		done
	done
	# a running count, a decay, and keys, of which all have one allowance
	dpcount -e inf -u 1 -c 2/step --bucket=1d "${week[@]}" in 2>/dev/null | cut -f 2 |
	    diff <(capped 2 86400 <in | running) -
	dpwindow -e inf -w 1 -u 1 -c 2/step --bucket=1d -k 2 --keys=a,b,c "${week[@]}" in \
	    2>/dev/null | cut -f 2- >got
	for key in a b c; do
		capped 2 86400 $key <in
	done | pr -3 -t -s -l 7 | diff - got
	dpmaxsum -e inf -u 1 -c 2/step --bucket=1d -k 2 --keys=a,b,c "${week[@]}" in 2>/dev/null |
	    cut -f 2 >top
	awk '{ m = 0; for (i = 1; i <= 3; i++) { s[i] += $i; if (s[i] > m) m = s[i] } print m }' \
	    got | diff - top
}

@test "an allowance is of the step where an event counts: late ones, and several open buckets" {
	# by public times a late event counts in the open bucket, and uses its allowance
	printf '%s\n' 'a 10' 'a 11' 'a 20' 'a 5' 'b 12' 'a 30' |
	    dpwindow -e inf -w 1 -u 1 -c 1/step -t 2 --time-format=epoch \
	        --bucket=10s --public-times 2>/dev/null |
	    cut -f 2 | xargs >got
	echo 1 2 1 | diff - got
	# by the clock, three buckets open at once, in any order
	talk dpwindow -e inf -w 1 -u 1 -c 1/step -t 2 --time-format=epoch --bucket=1s --live=300s
	# it reads the clock before it waits, and never for an event before its first bucket
	until_true grep -q 'NOT PRIVATE' err
	until_true blocked "$pid"
	start=$(date +%s)
	sleep 3.2
	for e in 'a 1' 'a 2' 'b 1' 'a 1' 'a 3' 'b 3' 'a 2' 'a 3' 'a 1' 'c 2'; do
		# shellcheck disable=SC2086
		set -- $e
		printf '%s %d\n' "$1" $((start + $2)) >&6
	done
	exec 6>&-
	sort -u >got <&7
	hangup
	for i in 1 2 3; do
		date -ud "@$((start + i))" +%Y-%m-%dT%H:%M:%SZ
	done | join - got | awk '{ print $2 }' | xargs >sums
	echo 2 2 2 | diff - sums
	[ "$(awk '{ s += $2 } END { print s }' got)" = 6 ]
}

# moved A B: the sum over all steps and columns of what each step adds to the difference, and the
# number of steps that add to it
moved() {
	paste -d ' ' <(cut -f 2- "$1" | tr '\t' ' ') <(cut -f 2- "$2" | tr '\t' ' ') | awk '{
		some = 0
		for (i = 1; i <= NF / 2; i++) {
			d = $(i + NF / 2) - $i - last[i]
			all += d < 0 ? -d : d
			some += d != 0
			last[i] += d
		}
		steps += some > 0 }
		END { print all + 0, steps + 0 }'
}

@test "one user's events in one step, there or not, move what --explain says; all of them more" {
	visits 3000 >there
	# u0 has hundreds of events, in every hour or so
	awk '!($1 == "u0" && int($3 / 86400) == 3)' there >day
	grep -v '^u0 ' there >none
	[ "$(wc -l <day)" -lt $(($(wc -l <there) - 20)) ]
	for t in 'dpcount -k 2 --keys=a,b,c' 'dpcount' 'dpcount -k 2 --keys=b'; do
		for k in 1 3 1000; do
			for f in there day none; do
				# shellcheck disable=SC2086
				command $t -e inf -u 1 -c $k/step --bucket=1d "${week[@]}" $f \
				    >y$f 2>/dev/null
			done
			# shellcheck disable=SC2086
			l1=$($t -e 1 -T 7 -u 1 -c $k/step --bucket=1d --public-times -t 3 \
			    --time-format=epoch \
			    --explain=json | jq .sensitivity)
			[ "$l1" = $k ]
			moved ythere yday >far
			awk -v l1="$l1" '{ exit !($1 <= l1 && $2 == 1) }' far
			# it is attained, but not by a user of all days, and by no fewer
			[ $k = 1000 ] || [[ $t = *keys=b ]] || [ "$(<far)" = "$k 1" ]
			moved ythere ynone >far
			[ $k = 1000 ] || awk -v l1="$l1" '{ exit !($1 > 4 * l1) }' far
		done
	done
	# by their own times: nothing happened, at the same times
	sort -k 3n there >there2
	awk '$1 == "u0" && int($3 / 86400) == 3 { $1 = "u0"; $2 = "-" } { print }' there2 >day2
	for f in there2 day2; do
		command dpcount -e inf -k 2 --keys=a,b,c -u 1 -c 2/step --bucket=1d -t 3 \
		    --time-format=epoch \
		    --public-times $f >y$f 2>/dev/null
	done
	[ "$(moved ythere2 yday2)" = '2 1' ]
}

@test "--explain says what is protected" {
	dpwindow -e 1 -u 1 -c 3/step -w 1 --bucket=1d --from=0 --to=864000 -t 2 \
	    --time-format=epoch \
	    --explain=json >j
	jq -e '(.neighbours | test("the events of one user in one step, all present or all " +
	    "absent, of which at most 3 are counted$")) and .sensitivity == 3 and
	    (.assumptions | any(test("those in several steps add up")))' j
	dpwindow -e 1 -u 1 -c 3/step -w 1 --bucket=1d --live --explain |
	    grep -F 'the events of one user in one step'
	# no mechanism can be better than the bound for 3 events at once
	dpcount -e 1 -u 1 -c 3/step --bucket=1d --live -T 1000 --explain=json |
	    jq -e '.lower_bound > 3 and .lower_bound <= .bound.all_steps'
}

@test "-c K/step: epsilon of one user's step cannot be refuted, and is no less" {
	seq -f k%.0f 4000 >keys
	# one user a key, with 5 events of which 2 count, or with none
	awk '{ for (i = 0; i < 5; i++) print $1, $1, 0 }' keys >d1
	for d in '1 /dev/null y0' '2 d1 y1'; do
		# shellcheck disable=SC2086
		set -- $d
		command dpcount -e 1 -M input -u 1 -c 2/step -t 3 --time-format=epoch \
		    --bucket=1s --from=0 --to=1 \
		    -k 2 --keys=@keys --seed $1 $2 2>/dev/null | cut -f 2- | tr '\t' '\n' >$3
		[ "$(wc -l <$3)" -eq 4000 ]
	done
	# DLap(2): "2 or more" has probabilities .2264 and .6225, and odds e^1 : 1; log ratio's sd
	# .032: limits at 6 sd, rate below 1e-6
	paste y0 y1 | awk '$1 >= 2 { p++ } $2 >= 2 { q++ } END { r = log(q / p); print r
	    exit !(r > .81 && r < 1.2) }'
}

@test "a state file keeps who was in the open bucket, and how many may be" {
	sec() { printf '%s\n' "$@"; }
	set -- -e inf -w 1 -u 1 -c 2/step -t 2 --time-format=epoch --bucket=10s --public-times
	sec 'a 1' 'b 2' 'a 3' 'a 4' 'b 5' 'b 6' 'c 7' 'a 11' 'b 12' 'a 13' 'a 14' 'd 21' \
	    'a 31' >in
	dpwindow "$@" in 2>/dev/null | cut -f 2 | xargs >want
	echo 5 3 1 1 | diff - want
	shift 2
	for cut in 1 2 3 5 6 7 8 10 11; do
		rm -f s s.*
		head -n $cut in |
		    dpwindow -e 1000 --seed 1 -T 9 "$@" --state=s --init 2>/dev/null >got
		tail -n +$((cut + 1)) in | dpwindow --state=s >>got 2>/dev/null
		dpwindow -e 1000 --seed 1 -T 9 "$@" in 2>/dev/null | head -n 3 | diff - got
	done
	[ "$(dpwindow --state=s --state-show | grep -cx 'per-user 2/step')" = 1 ]
	fails 5 dpwindow --state=s -c 2
	[[ $stderr == *'--per-user differs from the state file'*'which is 2/step'* ]]
	fails 5 dpwindow --state=s -c 3/step
	dpwindow --state=s -c 2/step -u 1 </dev/null
	dpcount -e 1 -T 9 -u 1 -c 2 -t 2 --time-format=epoch \
	    --bucket=1d --public-times --state=n --init </dev/null
	fails 5 dpcount --state=n -c 2/step -u 1
	[[ $stderr == *'--per-user differs'* ]]
	[ "$(dpcount --state=n --state-show | grep -c per-step)" = 0 ]
}

@test "ranges one after the other have an allowance for each of their steps" {
	visits 2000 >in
	capped 1 86400 <in >want
	set -- -T 7 -u 1 -c 1/step -t 3 --time-format=epoch --bucket=1d --seed 1 -e 1000 -w 1
	dpwindow "$@" --state=s --init --from=1970-01-01 --to=1970-01-04 in 2>/dev/null >got
	run ! grep -aq '^users ' s
	dpwindow --state=s --from=1970-01-04 --to=1970-01-08 in 2>/dev/null >>got
	cut -f 2 got | diff want -
}

@test "memory is that of the users of the open step, not of all" {
	unsanitized "a sanitizer keeps what is freed"
	awk 'BEGIN { for (s = 0; s < 20; s++) for (i = 0; i < 50000; i++)
	    print s * 1e6 + i, s }' >in
	for c in 1/step 1; do
		talk dpcount -e 1 -u 1 -c $c -t 2 --time-format=epoch \
		    --bucket=1s --public-times -T 100 in -
		cat <&7 >out 3>&- 6>&- &
		until_true blocked "$pid"
		peak "$pid"
		exec 6>&-
		wait "$pid"
		exec 7<&-
	done >peaks
	# 1 MB a step, 20 MB in all
	awk '{ p[NR] = $1 } END { print p[1], p[2]; exit !(p[2] - p[1] > 10000) }' peaks
}

@test "at most K a day: users whose text does not stay where it was, quoted or escaped" {
	awk 'BEGIN { for (b = 0; b < 10; b++) {
	    for (i = 0; i < 15; i++) print "0,\"a\"\"1\",1"
	    printf "0,\"%c\"\"1\",0\n", 98 + b } }' >in.csv
	sed -E 's/0,"(.)""1",(.)/{"t":0,"u":"\1\\"1","v":\2}/' in.csv >in.json
	args=(-c 1/step --time-format=epoch --bucket=1h --from=0 --to=3600)
	[ "$(dpcount -e inf -t 1 "${args[@]}" --csv -v 3 -r 0:1 -u 2 in.csv 2>/dev/null |
	    cut -f 2)" = 1 ]
	[ "$(dpcount -e inf -t t "${args[@]}" --json -v v -r 0:1 -u u in.json 2>/dev/null |
	    cut -f 2)" = 1 ]
	[ "$(dpmap --shard=s -t 1 "${args[@]}" --csv -v 3 -r 0:1 -u 2 in.csv 2>/dev/null |
	    awk '!/^#/ { print $3 }')" = 1 ]
	# of each key once, too, where a batch of records is read before the first counts
	awk 'BEGIN { for (i = 0; i < 20; i++) printf "0,\"%c\"\"1\",1\n", 97 + i }' >in.csv
	sed -E 's/0,"(.)""1",(.)/{"t":0,"u":"\1\\"1","v":\2}/' in.csv >in.json
	args=(-e inf -q --once --keys=1 -c 1)
	[ "$(dpdistinct "${args[@]}" --csv -v 2 -k 3 in.csv 2>/dev/null)" = 20 ]
	[ "$(dpdistinct "${args[@]}" --json -v u -k v in.json 2>/dev/null)" = 20 ]
}
