# SPDX-License-Identifier: ISC
# What an adversary sees of whole runs, real processes: neighbouring inputs that also hold values
# out of range.  Seeds are fixed, so nothing here can fail by chance twice.
load ../lib/helper

# sample N FROM FILE ARG ...: N runs with seeds from FROM on, first estimates only
sample() {
	local n=$1 from=$2 file=$3 i

	shift 3
	for ((i = from; i < from + n; i++)); do
		command dpcount --seed "$i" "$@" "$file"
	done 2>/dev/null
}

neighbours() {
	printf '0\n0\n0\n0\n' >d0
	printf '5\n0\n0\n0\n' >d5
	printf '%s\n0\n0\n0\n' -7 >d7
}

@test "clamp: with one seed, a value of 5 moves every estimate by 1, one of -7 by 0" {
	neighbours
	# bare numbers take a short way through the program; the others must clamp as well
	for a in '' -n --strict '-v1 -r0:1' '--csv -v1 -r0:1' '-k1 --keys=0,5,-7 -v1 -r0:1'; do
		# 6 seeds, of each the header and four lines
		for d in d0 d5 d7; do
			for i in {1..6}; do
				# shellcheck disable=SC2086
				command dpcount -e 1 -T 4 -M input --seed "$i" $a -o tsv $d
			done >y$d
		done
		[[ $a == *keys* ]] || cmp yd0 yd7
		# the sum of the columns
		[ "$a" = -n ] && n=1 || n=0
		paste yd0 yd5 | awk -v n=$n 'NR % 5 == 1 { next }
		    { h = NF / 2; s = 0; for (j = 1 + n; j <= h; j++) s += $(j + h) - $j }
		    s != 1 { bad = 1 } END { exit bad || NR != 30 }'
		command dpcount -e 1 -T 4 -M input --seed 1 d5 >y5
		command dpcount -e 1 -T 4 -M input --seed 1 d0 | paste - y5 |
		    awk '$2 - $1 != 1 { exit 1 }'
	done 2>/dev/null
}

@test "clamp: in 4000 + 4000 columns, an event of 5 moves the estimate by 1, not by 5" {
	seq -f k%.0f 4000 >keys
	sed 's/^/0 5 /' keys >d5
	for d in '1 /dev/null y0' '2 d5 y5'; do
		# shellcheck disable=SC2086
		set -- $d
		command dpcount -e 1 -M input -t 1 --time-format=epoch --bucket=1s --from=0 \
		    --to=1 -v 2 -r 0:1 -k 3 --keys=@keys --seed $1 $2 2>/dev/null |
		    cut -f 2- | tr '\t' '\n' >$3
		[ "$(wc -l <$3)" -eq 4000 ]
	done
	# DLap(1): variance 1.8413; the difference of means has sd .030, the variance .062: limits
	# at 6 sd, rate below 1e-6
	paste y0 y5 | awk '{ a += $1; b += $2; v += $1 * $1 }
	    END { d = (b - a) / NR; print d, v / NR;
	    exit !(d > .82 && d < 1.18 && v / NR > 1.47 && v / NR < 2.21) }'
	# the event "1 or more" has odds e^1 : 1 exactly; log ratio, sd .028
	paste y0 y5 | awk '$1 >= 1 { p++ } $2 >= 1 { q++ } END { r = log(q / p); print r;
	    exit !(r > .83 && r < 1.17) }'
}

@test "the noise of each step is fresh: no two steps, seeds or mechanisms share it" {
	yes 0 | head -64 >in
	# input: estimate t minus estimate t-1 is one DLap(1); lag-1 correlation of 64 * 100 draws,
	# sd .0125
	sample 100 1 in -e 1 -T 64 -M input | awk '{ z = NR % 64 == 1 ? $1 : $1 - y; y = $1;
	    s += z * z; if (NR % 64 != 1) c += z * x; x = z }
	    END { r = c / s; v = s / NR; print r, v;
	    exit !(r > -.065 && r < .065 && v > 1.6 && v < 2.1) }'
}

@test "transcripts of runs without a seed all differ" {
	yes 0 | head -40 >in
	# over 2.5 bits a draw: two equal among 60 have odds below 2^-80
	for m in auto input tree; do
		for ((i = 0; i < 60; i++)); do
			command dpcount -e 1 -T 40 -r 0:2 -M $m in
		done | awk '{ line = line " " $0 } NR % 40 == 0 { print line; line = "" }
		    END { if (NR != 60 * 40) print "lines", NR }' | sort >all
		[ "$(wc -l <all)" -eq 60 ]
		uniq -d all >same
		[ ! -s same ]
	done
}

@test "runs that start at the same moment differ" {
	yes 0 | head -20 >in
	for ((i = 0; i < 40; i++)); do
		command dpcount -e 1 -T 20 -r 0:2 in >o$i 3>&- &
		pids+=($!)
	done
	wait "${pids[@]}"
	paste -s -d ' ' o* | sort -u >all
	[ "$(wc -l <all)" -eq 40 ]
}

@test "user level: more than K events of a user move the sum by K, not more" {
	{ yes 'a 1' | head -20; } >d1
	{ yes 'a 0' | head -20; } >d0
	for i in $(seq 20); do
		command dpcount -e 1 -T 20 -u 1 -c 3 -v 2 -r 0:1 -M input --seed "$i" d0 >a
		command dpcount -e 1 -T 20 -u 1 -c 3 -v 2 -r 0:1 -M input --seed "$i" d1 >b
		[ $(($(tail -1 b) - $(tail -1 a))) -eq 3 ]
	done 2>/dev/null
}

# moved A B [FIRST]: how far the numbers of two runs are apart, from that line on: the largest
# difference of any, the largest sum of those of one line, and the sum over all steps of what each
# step adds to it
moved() {
	awk -F '[ ,\t]+' -v from="${3-1}" -v other="$2" '{
		if ((getline text <other) < 1) exit far = 1
		n = split(text, x)
		if (NR < from) next
		line = 0
		for (i = 1; i <= n; i++) {
			d = x[i] - $i
			line += d < 0 ? -d : d
			if (d > one || -d > one) one = d < 0 ? -d : d
			all += d > last[i] ? d - last[i] : last[i] - d
			last[i] = d
		}
		if (line > most) most = line }
		END { if (far || (getline text <other) > 0) one = most = all = 10 ^ 9
		print one + 0, most + 0, all + 0; exit 0 }' "$1"
}

@test "user level: all events of one user, there or not, for every tool that has users" {
	# 12 users, 3 keys; user 7 has 50 of the 600 events, of which at most 3 count
	integers 600 | awk '{ print $1 % 12, substr("abc", 1 + $1 % 3, 1), 3 * NR }' >there
	awk '$1 == 7 { $1 = "7"; $2 = "-" } { print }' there >lines	# nothing happened
	grep -v '^7 ' there >gone					# in buckets: no line
	[ "$(diff there lines | grep -c '^<')" -gt 40 ]
	printf 'a,b,c\n1,0,0\n0,1,0\n0,0,1\n' >queries
	run_both() {
		command "$@" there >a 2>err
		command "$@" $other >b 2>err
		moved a b >far
		read -r one line all <far
	}
	set -- -e inf -u 1 -c 3
	other=lines
	run_both dpcount "$@" -k 2 --keys=a,b,c -o csv
	[ "$all" = 3 ]
	run_both dpwindow "$@" -k 2 --keys=a,b,c -w 600 -o csv
	[ "$line" = 3 ]
	run_both dpproject "$@" -v 2 --queries=queries	# one answer, in three lines
	moved <(xargs <a) <(xargs <b) >far
	read -r one line all <far
	[ "$line" = 3 ]
	run_both dpmaxsum "$@" -k 2 --keys=a,b,c
	[ "$one" -le 3 ]
	other=gone
	set -- "$@" -t 3 --time-format=epoch --bucket=60s --from=0 --to=1860
	run_both dpcount "$@" -k 2 --keys=a,b,c -o csv
	[ "$all" = 3 ]
	run_both dpwindow "$@" -k 2 --keys=a,b,c -w 99 -o csv
	[ "$line" = 3 ]
	run_both dpmaxsum "$@" -k 2 --keys=a,b,c
	[ "$one" -le 3 ]
	# all that is told of an identifier: whether it came, and when first
	other=lines
	awk '$1 == 7 { $1 = "" } { print $1 }' there >lines
	awk '{ print $1 }' there >ids && mv ids there
	run_both dpdistinct -e inf
	[ "$all" = 1 ]
}

@test "no two neighbours are farther apart than the noise is for, and some are as far" {
	# charged WANT ARG ...: so much it is, and of all the streams there and others.* none moves
	# by more, and one by so much
	charged() {
		local want=$1 far=0 i

		shift
		[ "$(dpcount --explain=json -e 1 -M input "$@" | jq .sensitivity)" = "$want" ]
		command dpcount -e inf -o csv "$@" there >a 2>err
		for i in others.*; do
			command dpcount -e inf -o csv "$@" "$i" >b 2>err
			moved a b 2 >all
			read -r _ _ all <all
			[ "$all" -le "$want" ]
			[ "$all" -le "$far" ] || far=$all
		done
		[ "$far" -eq "$want" ]
	}
	# one line of three, for each of a key declared, of one that is not, of none, and of values
	local line=('a -9' 'a -1' 'a 0' 'a 9' 'b 9' 'b -9' '')
	printf '%s\n' 'a -9' 'b 9' 'a 4' >there
	for i in 1 2 3; do
		for k in "${!line[@]}"; do
			sed "$i s/.*/${line[k]}/" there >"others.$i$k"
		done
	done
	charged 8 -T 9 -k 1 --keys=a -v 2 -r -5:3
	charged 10 -T 9 -k 1 --keys=a,b -v 2 -r -5:3
	charged 8 -T 9 -v 2 -r -5:3
	# all lines of a user, of which 3 count, or none; another's stay
	printf '%s\n' 'u -9 a' 'w 3 a' 'u -9 b' 'u -9 a' 'u -9 a' >there
	rm others.*
	sed 's/^u.*//' there >others.1
	sed 's/^w.*//' there >others.2
	charged 15 -T 9 -u 1 -c 3 -v 2 -r -5:3
	charged 15 -T 9 -u 1 -c 3 -v 2 -r -5:3 -k 3 --keys=a,b
	sed -i 's/-9/9/' there others.*
	charged 15 -T 9 -u 1 -c 3 -v 2 -r -3:5 -k 3 --keys=a,b
}

@test "noise scales with range, K, and the number of releases" {
	scale() {
		dpcount --explain=json -M input "$@" | jq .noise.scale
	}
	[ "$(scale -e 1 -T 9)" = 1 ]
	[ "$(scale -e 2 -T 9)" = 0.5 ]
	[ "$(scale -e 1 -T 9 -r -3:7)" = 10 ]
	[ "$(scale -e 1 -T 9 -r 5:7)" = 7 ]
	[ "$(scale -e 1 -T 9 -r -7:-5)" = 7 ]
	[ "$(scale -e 1 -T 9 -u 1 -c 4)" = 4 ]
	[ "$(scale -e 1 -T 9 -r 0:2.5 -u 1 -c 4)" = 10 ]
	# one line replaced may leave one key's column and enter another's
	[ "$(scale -e 1 -T 9 -k 1 --keys a,b)" = 2 ]
	# of one key there is no other column; a user's events are there or not, never others
	[ "$(scale -e 1 -T 9 -k 1 --keys a)" = 1 ]
	[ "$(scale -e 1 -T 9 -k 1 --keys a -v 2 -r -2:5)" = 7 ]
	[ "$(scale -e 1 -T 9 -u 1 -c 3 -v 2 -r -5:3)" = 15 ]
	[ "$(scale -e 1 -T 9 -u 1 -c 3 -v 2 -r -5:3 -k 3 --keys a,b)" = 15 ]
	[ "$(scale -e 1 -T 9 -u 1 -c 3 -v 2 -r -5:3 -k 3 --keys a,b -t 4 --time-format=epoch \
	    --bucket 1h --public-times)" = 15 ]
	[ "$(scale -e 1 -T 9 -u 1 -c 3/step -v 2 -r -3:5 -t 4 --time-format=epoch --bucket 1h \
	    --public-times)" = 15 ]
	[ "$(scale -e 1 -T 9 -k 1 --keys a,b -t 2 --time-format=epoch --bucket 1h \
	    --public-times)" = 1 ]
	[ "$(dpcount --explain=json -M output -e 1 -T 9 | jq .noise.scale)" = 9 ]
}

@test "what a malformed line holds cannot be seen: noise and estimate are those of an empty one" {
	printf '1\n\n1\n' >a
	for t in x 5x '1 1' "$(printf '\001')"; do
		printf '1\n%s\n1\n' "$t" >b
		command dpcount -e 1 -T 3 --seed 7 a >ya 2>ea
		command dpcount -e 1 -T 3 --seed 7 b >yb 2>eb
		cmp ya yb
		cmp ea eb
	done
}
