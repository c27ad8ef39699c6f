# SPDX-License-Identifier: ISC
# dpwindow: sums of the last W steps, against awk at epsilon = inf, and what seeds and states show
# of the rest.
load ../lib/helper

# exact ARG ...: dpwindow without noise
exact() {
	exact_of dpwindow "$@"
}

# windows LIST [FILE]: the sums of the last W numbers, a column for each W of the list
windows() {
	awk -v list="$1" -v OFS='\t' 'BEGIN { k = split(list, w, ",") } {
		x[NR] = $1
		for (i = 1; i <= k; i++) {
			s[i] += $1 - (NR > w[i] ? x[NR - w[i]] : 0)
			printf "%.0f%s", s[i], i < k ? "\t" : "\n"
		}
	}' "${@:2}"
}

# able ARG ...: the mechanisms that --explain calls eligible, one a line; there is at least one
able() {
	dpwindow --explain=json "$@" 2>/dev/null | jq -er '.eligible[].mechanism'
}

@test "-w: the sum of the last W lines, for every mechanism" {
	bits 300 >in
	for w in 1 3 7 64 100 300; do
		windows $w in >want
		prints exact -w $w in <want
		prints exact -w $w -T 300 in <want
		able -e inf -T 300 -w $w >names
		while read -r m; do
			exact -w $w -T 300 -M "$m" in | diff want - ||
			    { echo "-w $w -M $m"; false; }
		done <names
	done
}

@test "-w with several windows: a column each, in the order given, for every mechanism" {
	integers 300 >in
	for w in 7,30 30,7 1,3,7 200,1,64,3; do
		windows $w in >want
		prints exact -w $w -r 0:999 in <want
		able -e inf -T 300 -w $w -r 0:999 >names
		while read -r m; do
			exact -w $w -T 300 -r 0:999 -M "$m" in | diff want - ||
			    { echo "-w $w -M $m"; false; }
		done <names
	done
	seq -s , 16 >list
	windows "$(<list)" in | prints exact "--window=$(<list)" -r 0:999 in
}

@test "a window as long as the horizon is the running sum; of 1, the input" {
	bits 100 >in
	running in | prints exact -w 100 -T 100 in
	prints exact -w 1 in <in
}

@test "W takes k" {
	bits 1500 >in
	windows 1000 in | prints exact -w 1k in
}

@test "--range: negative values, decimals, clamping" {
	integers 400 | awk '{ print ($1 - 500) / 8 }' >in
	# what leaves the window leaves nothing behind
	awk '{ v = $1 < -20 ? -200 : $1 > 30 ? 300 : int($1 * 10 + ($1 < 0 ? -.5 : .5));
	    print v }' in | windows 3 |
	    awk '{ a = $1 < 0 ? -$1 : $1; printf "%s%d.%d\n", $1 < 0 ? "-" : "", a / 10, a % 10 }' |
	    prints exact -w 3 -r -20.0:30.0 in
	awk '{ v = $1 < -5 ? -5 : $1 > 7 ? 7 : $1; print int(v + (v < 0 ? -.5 : .5)) }' \
	    in | windows 7 |
	    prints exact -w 7 -r -5:7 in
}

@test "sums pass 2^53" {
	yes 1125899906842600 | head -40 >in
	exact -w 20 -r 0:1125899906842600 in | tail -1 >got
	[ "$(<got)" = 22517998136852000 ]
}

@test "-k: all columns step on every line" {
	printf 'b\na\nc\nb\na\n' >in
	printf '0\t1\n1\t1\n1\t0\n0\t1\n1\t1\n' | prints exact -w 2 -k 1 --keys=a,b in
	# key by key, in it window by window
	printf '0\t0\t1\t1\n1\t1\t0\t1\n0\t1\t0\t0\n0\t0\t1\t1\n1\t1\t0\t1\n' |
	    prints exact -w 1,2 -k 1 --keys=a,b in
}

# days: "EPOCH VALUE" within 60 days of 2024, in no order; the second week is empty
days() {
	integers 400 | awk '{ t = 1704067200 + $1 * 5011; d = (t - 1704067200) / 86400;
	    if (d < 7 || d >= 14) print t, NR % 3 }'
}

# daily LIST: the windows of days in buckets from 2024-01-01 on
daily() {
	days | awk '$1 < 1704067200 + 50 * 86400 { n[int(($1 - 1704067200) / 86400)] += $2 }
	    END { for (i = 0; i < 50; i++) print n[i] + 0 }' |
	    windows "$1" |
	    awk '{ print strftime("%Y-%m-%dT00:00:00Z", 1704067200 + (NR - 1) * 86400, 1) "\t" $0 }'
}

@test "--bucket: windows in durations or in steps, empty buckets are steps" {
	days >in
	daily 7 >want
	[ "$(wc -l <want)" -eq 50 ]
	set -- -t 1 --time-format=epoch -v 2 -r 0:9 --bucket=1d --from=2024-01-01 --to=2024-02-20
	for w in 7 7d 1w 168h 10080m 604800s; do
		prints exact -w $w "$@" in <want
	done
	prints exact -w 1d "$@" in < <(daily 1)
	prints exact -w 1d,1w,14 "$@" in < <(daily 1,7,14)
}

@test "--bucket --public-times: the same as the times pass" {
	days | sort -n >in
	daily 7,1 >want
	first=$(head -1 in | awk '{ print strftime("%Y-%m-%d", $1, 1) }')
	[ "$first" = 2024-01-01 ]
	exact -w 7d,1d -t 1 --time-format=epoch -v 2 -r 0:9 --bucket=1d --public-times in | head \
	    -50 | diff -u want -
}

@test "--live: what the clock closed" {
	talk dpwindow -e inf -w 2s -m x --bucket=1s --live
	printf 'x\n' >&6
	# the event, the bucket after it, and no longer
	until [ "$n" = 1 ]; do
		read -r -t 300 -u 7 _ n
	done
	for want in 1 0; do
		read -r -t 300 -u 7 _ n
		[ "$n" = $want ]
	done
	hangup
}

@test "-u -c: the allowance is for the run, not for the window" {
	printf 'a\na\nb\na\na\nb\n' >in
	printf '1\n2\n2\n1\n0\n1\n' | prints exact -w 2 -u 1 -c 2 in
}

@test "-o csv and tsv: a window alone is the estimate, several have their names" {
	printf '1\n0\n' >in
	printf 'estimate\n1\n1\n' | prints exact -w 2 -o csv in
	printf 'step,estimate,lo,hi\n1,1,1,1\n2,1,1,1\n' | prints exact -w 2 -n -B -o csv in
	printf 'step,1,2\n1,1,1\n2,0,1\n' | prints exact -w 1,2 -n -o csv in
	printf '2\t2_lo\t2_hi\t1\t1_lo\t1_hi\n1\t1\t1\t1\t1\t1\n1\t1\t1\t0\t0\t0\n' |
	    prints exact -w 2,1 -B -o tsv in
	printf '5\n86405\n' >in
	printf 'time,1d,1w\n1970-01-01T00:00:00Z,1,1\n1970-01-02T00:00:00Z,1,2\n' |
	    prints exact -w 1d,1w -t 1 --time-format=epoch --bucket=1d --from=0 --to=172800 -T 7 \
	    -o csv in
}

@test "-o csv: keys by windows" {
	printf 'a\nx,y\n' >in
	printf 'step,a_1,a_2,"x,y_1","x,y_2"\n1,1,1,0,0\n2,0,1,1,1\n' |
	    prints exact -w 1,2 -n -o csv -F ';' -k 1 --keys=@in in
	printf 'a_1,a_1_lo,a_1_hi,a_2,a_2_lo,a_2_hi\n1,1,1,1,1,1\n0,0,0,1,1,1\n' |
	    prints exact -w 1,2 -B -o csv -F ';' -k 1 --keys=a in
}

@test "-o json: a number, or one for each window, for each key and window" {
	printf 'a\nb\n' >in
	exact -w 2 -m a -o json in | jq -es '. == [{step: 1, estimate: 1}, {step: 2, estimate: 1}]'
	exact -w 1,2 -m a -o json in | jq -es '.[1] == {step: 2, estimate: {"1": 0, "2": 1}}'
	exact -w 1,2 -m a -B -o json in |
	    jq -es '.[1] == {step: 2, estimate: {"1": 0, "2": 1},
	    lo: {"1": 0, "2": 1}, hi: {"1": 0, "2": 1}}'
	exact -w 1,2 -k 1 --keys=a,b -o json in |
	    jq -es '.[1].estimate == {a_1: 0, a_2: 1, b_1: 1, b_2: 1}'
}

@test "-n" {
	printf '1\n1\n' >in
	printf '1\t1\t1\n2\t1\t2\n' | prints exact -n -w 1,2 in
}

@test "-B with several windows: each has its own law" {
	yes 0 | head -40 >in
	dpwindow -e 1 -T 40 -M input --seed 3 -B -w 1,4 in 2>/dev/null >got
	cut -f 4-6 got >four
	dpwindow -e 1 -T 40 -M input --seed 3 -B -w 4 in 2>/dev/null | diff four -
	# the least k with P(|Z_1 + .. + Z_n| > k) <= .05, by convolution
	awk 'BEGIN { for (i = -200; i <= 200; i++) {
	    p[i] = (1 - exp(-1)) / (1 + exp(-1)) * exp(i < 0 ? i : -i); q[i] = i == 0 }
		for (n = 1; n <= 4; n++) {
			for (i = -200; i <= 200; i++) { r[i] = 0;
			    for (j = -40; j <= 40; j++) r[i] += p[j] * q[i - j] }
			for (i = -200; i <= 200; i++) q[i] = r[i]
			for (in_ = q[k = 0]; in_ < .95; in_ += 2 * q[++k]) ;
			w[n] = k
		}
		for (t = 1; t <= 40; t++) print w[1], w[t < 4 ? t : 4] }' >want
	awk -F '\t' '$3 - $1 == $1 - $2 && $6 - $4 == $4 - $5 { print $3 - $1, $6 - $4 }' \
	    got | diff want -
	[ "$(sort -u want | wc -l)" -ge 3 ]
}

@test "-B: the interval covers the truth as often as it says, for every mechanism" {
	yes 0 | head -64 >in
	able -e 1 -d 1e-6 -T 64 -w 16,5 >names
	while read -r m; do
		# 20 runs of 64 steps: 1280 correlated answers, at most 5 % miss; 12 % is far out
		for i in $(seq 20); do
			dpwindow -e 1 -d 1e-6 -T 64 -M "$m" --seed "$i" -B -w 16,5 in
		done 2>/dev/null | awk -F '\t' -v m="$m" '$2 > 0 || $3 < 0 { a++ }
		    $5 > 0 || $6 < 0 { b++ }
		    END { print m, a / NR, b / NR;
		    exit !(NR == 1280 && a < .12 * NR && b < .12 * NR) }'
	done <names
}

@test "--nonnegative, by awk's rule, in every column" {
	yes 0 | head -200 >in
	dpwindow -e 1 -T 200 --seed 5 -w 3,30 in 2>/dev/null >raw
	grep -q '^-' raw
	grep -qP '\t-' raw
	awk -v OFS='\t' '{ for (i = 1; i <= NF; i++) if ($i < 0) $i = 0; print }' raw >want
	prints dpwindow -e 1 -T 200 --seed 5 -w 3,30 --nonnegative in <want 2>/dev/null
}

@test "one line moves the estimates of the windows that hold it, by its value, and no other" {
	changed_at 0 1 16 17 33 50
	for w in 1 5 16 1,5,16; do
		for j in 1 16 17 33 50; do
			windows $w in.$j
		done >moved
		able -e 1 -d 1e-6 -T 50 -w $w -r 0:9 >names
		while read -r m; do
			for j in 0 1 16 17 33 50; do
				dpwindow -e 1 -d 1e-6 -T 50 -M "$m" --seed 8 -r 0:9 -w $w in.$j
			done 2>/dev/null >all
			# what is printed without the line, then with it, and the truth
			awk 'NR <= 50 { for (i = 1; i <= NF; i++) y[NR, i] = $i; next }
			    { getline truth <"moved"; n = split(truth, t)
			      for (i = 1; i <= n; i++)
				if (NF != n || $i - y[(NR - 1) % 50 + 1, i] != t[i]) {
					print NR ": " $0; exit 1 } }
			    END { exit NR != 300 }' all || { echo "-w $w -M $m"; false; }
		done <names
	done
}

@test "several windows from one budget: input answers all from the same values" {
	yes 0 | head -60 >in
	dpwindow -e 1 --seed 2 -M input -w 1,7,30 in 2>/dev/null >got
	windows 1,7,30 <(cut -f 1 got) | diff got -
	# and a column more costs nothing there
	dpwindow -e 1 --seed 2 -M input -w 7 in 2>/dev/null | diff <(cut -f 2 got) -
}

@test "what k lines print is the beginning of what k+1 lines print, for every mechanism" {
	bits 70 >in
	able -e 1 -T 70 -w 16,7 >names
	while read -r m; do
		dpwindow -e 1 -T 70 -M "$m" --seed 4 -w 16,7 in >all 2>/dev/null
		for k in 1 15 16 17 40; do
			head -$k in | dpwindow -e 1 -T 70 -M "$m" --seed 4 -w 16,7 2>/dev/null |
			    diff <(head -$k all) - || { echo "$m $k"; false; }
		done
	done <names
}

@test "-T: step N+1 is refused with 4, all before it are there" {
	yes 1 | head -11 >in
	run -4 --separate-stderr dpwindow -e inf -T 10 -w 3 in
	[ "$output" = "$(printf '%s\n' 1 2 3 3 3 3 3 3 3 3)" ]
	[[ ${stderr_lines[-1]} == 'dpwindow: the horizon of 10 steps is spent; '* ]]
	fails 4 dpwindow -e 1 -T 2 -w 1 -t 1 --time-format=epoch --bucket 1m --from 0 --to 180 in
	[ -z "$output" ]
}

@test "a line is answered before the next is sent" {
	talk dpwindow -e inf -w 2
	ask 1 1
	[ "$answer" = 2 ]
	ask 0
	[ "$answer" = 1 ]
	hangup
}

# The windows and the state: everything is in pieces what it is in one run.

@test "--state: one run in pieces has the bytes of one run: every mechanism, several windows" {
	bits 200 >in
	for w in 16 5 64,7; do
		able -e 1 -d 1e-6 -T 200 -w $w >names
		while read -r m; do
			set -- -e 1 -d 1e-6 -T 200 -M "$m" --seed 3 -w $w -n
			dpwindow "$@" in >want 2>/dev/null
			rm -f s s.lock
			head -1 in | dpwindow --state s --init "$@" >got 2>/dev/null
			sed -n 2,64p in | dpwindow --state s -n >>got 2>/dev/null
			: | dpwindow --state s -n >>got 2>/dev/null
			sed -n 65,131p in | dpwindow --state s "$@" >>got 2>/dev/null
			tail -n +132 in | dpwindow --state s -w $w -n >>got 2>/dev/null
			cmp want got || { echo "-w $w -M $m"; false; }
		done <names
	done
}

@test "--state: killed, and gone on with: the estimates of one run" {
	bits 40 >in
	mapfile -t x <in
	for w in 7 7,16; do
		dpwindow -e 1 -T 40 --seed 6 -w $w -n in >want 2>/dev/null
		rm -f s s.lock
		talk dpwindow --state s --init -e 1 -T 40 --seed 6 -w $w -n
		ask "${x[@]:0:9}"
		kill -9 "$pid"
		hangup 137
		talk dpwindow --state s -n
		# what was owed comes first, and again as it was
		answer=
		until [[ $answer = 9$'\t'* ]]; do
			read -r -t 300 -u 7 answer
		done
		grep -qxF "$answer" want
		ask "${x[@]:9:14}"
		kill -9 "$pid"
		hangup 137
		tail -n +24 in | dpwindow --state s -n >got 2>/dev/null
		sort -n -u got >once
		[ "$(wc -l <once)" -ge 17 ]
		tail -n "$(wc -l <once)" want | diff - once
	done
}

@test "--state: windows in durations, keys, buckets that stay open" {
	days | sort -n | awk '{ print $1, "k" $2 }' >in
	set -- -e 1 --seed 9 -T 60 -w 7d,1d --bucket=1d --public-times --keys=k1,k2
	rest='-t 1 --time-format=epoch -k 2 -o csv'
	# shellcheck disable=SC2086
	dpwindow "$@" $rest in >want 2>/dev/null
	head -1 want | grep -qx 'time,k1_7d,k1_1d,k2_7d,k2_1d'
	# shellcheck disable=SC2086
	head -100 in | dpwindow --state s --init "$@" $rest >got 2>/dev/null
	# shellcheck disable=SC2086
	tail -n +101 in | dpwindow --state s $rest >>got 2>/dev/null
	# a run with a state leaves its last bucket open
	diff <(head -n "$(wc -l <got)" want) got
	[ "$(wc -l <got)" -ge 40 ]
}

@test "--state: the windows are kept, and others are refused" {
	bits 30 >in
	dpwindow --state s --init -e 1 -T 90 -w 7,16 in >/dev/null
	dpwindow --state s --state-show | grep -E '^own-window 7(,|%2c)16$'
	[ "$(dpwindow --state s --explain=json | jq -r .estimates)" = \
	    'sum of the last W steps, W = 7,16' ]
	for w in 7 16 16,7 7,16,3 7,17; do
		cp s before
		fails 5 dpwindow --state s -w $w in
		[ -z "$output" ]
		[[ $stderr == \
		    "dpwindow: s: --window differs from the state file's, which is 7,16; "* ]]
		cmp s before
	done
	dpwindow --state s -w 7,16 in | awk -F '\t' 'NF != 2 { exit 1 }'
	# other options that belong to the guarantee are refused as ever
	fails 5 dpwindow --state s -e 2 in
	fails 5 dpwindow --state s -r 0:2 in
}

@test "--state: of another tool" {
	bits 30 >in
	dpwindow --state s --init -e 1 -T 90 -w 7 in >/dev/null
	fails 5 dpcount --state s in
	[[ $stderr == 'dpcount: s: the state file belongs to dpwindow; run that, or start'* ]]
	fails 5 dpdecay --state s in
	rm s s.lock
	dpcount --state s --init -e 1 -T 90 in >/dev/null
	fails 5 dpwindow --state s -w 7 in
	[[ $stderr == 'dpwindow: s: the state file belongs to dpcount; run that, or start'* ]]
}

@test "--batch and --out: a day at a time, as from cron" {
	days | sort -n >in
	set -- -t 1 --time-format=epoch -v 2
	for d in 01 02 03 04; do
		n=$(date -u -d "2024-01-$d + 1 day" +%F)
		if [ $d = 01 ]; then
			dpwindow --state s --init -e 1000000 -T 365 -w 3d -r 0:9 --bucket=1d \
			    --batch=$d --out=o --from=2024-01-$d --to="$n" "$@" in
		else
			dpwindow --state s --batch=$d --out=o --from=2024-01-$d --to="$n" "$@" in
			dpwindow --state s --batch=$d --out=o --from=2024-01-$d --to="$n" "$@" in
		fi
	done
	daily 3 | head -4 | diff - o
}

@test "--explain: what is estimated, and every window's errors" {
	dpwindow -e 1 -T 1000 -w 7,30 --explain >text
	grep -x 'estimates     sum of the last W steps, W = 7,30' text
	grep -x '7 steps' text
	grep -x '30 steps' text
	dpwindow -e 1 -T 1000 -w 7,30 --explain=json |
	    jq -e '(.columns | map(.window)) == ["7", "30"] and
	    .columns[0].rmse_last < .columns[1].rmse_last and .tool == "dpwindow"'
	dpwindow -e 1 -T 365 -w 7d --bucket=1d --live --explain |
	    grep -x 'estimates     sum of the last 7 steps (7d)'
}

@test "-P: the memory of input holds noisy values alone" {
	bits 20 >in
	windows 3 in | prints exact -P -w 3 in
	[ "$(able -e 1 -T 20 -P -w 3)" = input ]
}

@test "--state with --from/--to: days that no run was given are empty days" {
	printf '%s\n' 2024-01-01 2024-01-02 2024-01-02 2024-01-05 >in
	run_days() {
		"$@" --bucket=1d -t 1 --time-format=%Y-%m-%d
	}
	for tool in 'dpwindow -w 2' 'dpdecay --half-life=1' 'dpcount --expire=2'; do
		rm -f S whole pieces
		# shellcheck disable=SC2086
		run_days $tool -e 1 --seed 4 -T 9 --from=2024-01-01 --to=2024-01-06 in >whole 2>err
		# shellcheck disable=SC2086
		run_days $tool -e 1 --seed 4 -T 9 --state=S --init --from=2024-01-01 \
		    --to=2024-01-03 in >pieces 2>err
		# the third and the fourth are missed
		run_days ${tool%% *} --state=S --from=2024-01-05 --to=2024-01-06 in >>pieces 2>err
		cmp whole pieces || { echo "$tool"; diff whole pieces; false; }
		[ "$(wc -l <pieces)" -eq 5 ]
	done
	# a running count has no use for them
	rm -f S
	run_days dpcount -e 1 --seed 4 -T 9 --state=S --init --from=2024-01-01 --to=2024-01-03 \
	    in >pieces 2>err
	run_days dpcount --state=S --from=2024-01-05 --to=2024-01-06 in >>pieces 2>err
	[ "$(wc -l <pieces)" -eq 3 ]
}

@test "--state with --from/--to: days that no run was given take no memory, and hold no event" {
	unsanitized "a sanitizer takes more memory"
	printf '1700000001\n1700001000\n1703000001\n' >in
	run_some() { dpwindow --state=s -t 1 --time-format=epoch --bucket=1s "$@" in 2>err; }
	run_some --init -e 1000000 -w 2 --from=1700000000 --to=1700000003 >got
	# three million sums would be 24 MB
	(ulimit -v 24000; run_some --gap=9M --change --from=1703000000 --to=1703000003) >>got
	[ "$(cut -f 2 got | uniq -c | xargs)" = '1 0 2 1 2999998 0 2 1' ]
	[ "$(tail -n 1 got | cut -f 1)" = 2023-12-19T15:33:22Z ]
}

@test "--state with --from/--to: a run stopped before its range is released leaves no trace of it" {
	local D='--bucket=10s -t 1 --time-format=epoch --state=S -o csv'

	mkfifo p
	# shellcheck disable=SC2086
	"$DP_BUILD/bin/dpwindow" -e 1 --seed 4 -w 2 -T 99 --init $D --from=0 \
	    --to=20 <p >out 2>err 3>&- &
	exec 7>p
	until_true test -s S
	sleep 0.3
	kill -TERM $!
	exec 7>&-
	wait $! || true
	# shellcheck disable=SC2086
	dpwindow $D --from=100 --to=120 </dev/null >out 2>err
	# two steps, not the ten of a gap that never was
	[ "$(grep -c ^1970 out)" -eq 2 ]
}
