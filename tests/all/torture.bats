# SPDX-License-Identifier: ISC
# --state: runs that are killed, signalled or starved of a reader, or whose files somebody moves
# about.
# Each of these once lost a state or released a step twice.
load ../lib/helper

sure='-e 1000000'

# forge FILE SED-SCRIPT: changes lines of a state in place and mends its checksum.
forge() {
	grep -av '^blake2b ' "$1" | sed "$2" >forged
	printf 'blake2b %s\n' "$(b2sum -l 256 <forged | cut -d ' ' -f 1)" >>forged
	cat forged >"$1"
}

# killed_at_start ARG ...: a run whose input stays open, killed as soon as its state is there
killed_at_start() {
	mkfifo wait
	exec 8<>wait
	(exec dpcount --state s --init "$@") <wait >/dev/null 2>err 3>&- 8>&- &
	pid=$!
	pids+=($pid)
	until_true test -e s
	kill -9 $pid
	wait $pid || :
	exec 8>&-
	rm wait
}

@test "--init killed before its first commit: the state goes on, however buckets close" {
	for a in '' '--bucket 1h --live' '--bucket 1m --live=1h' \
	    '-t 1 --time-format=epoch --bucket 1h --public-times' \
	    '-t 1 --time-format=epoch -k 2 --keys=a,b --bucket 1m --live=5m'; do
		rm -f s s.lock
		# shellcheck disable=SC2086
		killed_at_start $sure -T 9 $a
		fields=$(sed 's/--keys=[^ ]*//; s/--bucket.*//' <<<"$a")
		# shellcheck disable=SC2086
		dpcount --state s $fields </dev/null || { echo "$a"; false; }
	done
}

@test "--init killed as it wrote its witness: the state goes on" {
	killed_at_start -e 1 -T 9 --witness w
	cat w >whole
	cat s >first
	for n in 0 1 53 54; do
		head -c $n /dev/zero >w
		dpcount --state s --witness w </dev/null
		rm -f s s.lock w
		killed_at_start -e 1 -T 9 --witness w
		{ head -c $n w; head -c $((54 - n)) /dev/zero; } >torn
		cat torn >w
		dpcount --state s --witness w </dev/null
		rm -f s s.lock w
		killed_at_start -e 1 -T 9 --witness w
	done
	# a state that has released something is another matter
	echo 1 | dpcount --state s --witness w >/dev/null
	head -c 54 /dev/zero >w
	fails 5 dpcount --state s --witness w
}

@test "a run without --out after a killed one with it: --out goes on" {
	echo 1 >in
	for cut in 0 1 2; do
		rm -f s s.lock o
		mkfifo feed
		exec 8<>feed
		(exec dpcount --state s --init $sure -T 9 --out o --line-buffered) <feed 2>err \
		    3>&- 8>&- &
		pid=$!
		pids+=($pid)
		echo 1 >&8
		until_true test -s o
		kill -9 $pid
		wait $pid || :
		exec 8>&-
		rm feed
		# killed in the middle of a write
		truncate -s $cut o
		prints dpcount --state s in <<-E
			1
			2
		E
		prints dpcount --state s in <<<3
		dpcount --state s --out o in
		dpcount --state s --out o in
		printf '4\n5\n' | diff - o
		# and no longer than that
		echo 7 >>o
		fails 5 dpcount --state s --out o in
	done
}

# owing BATCH ARG ...: a run that reads all of its input and commits, and whose reader takes nothing
owing() {
	run -1 --separate-stderr bash -c 'exec dpcount --state s -n --batch "$@" in >/dev/full' \
	    sh "$@"
}

# What is owed is printed by the next run, and by that one only, however it ends.
@test "--batch: ended between its last commit and saying so: no other batch prints its estimates" {
	yes 1 | head -3 >in
	owing 1 --init $sure -T 99
	for i in 1 2; do
		dpcount --state s -n --batch 1 in | cut -f 2 | diff - <(seq 3)
	done
	dpcount --state s -n --batch 2 in | cut -f 2 | diff - <(seq 4 6)
	# without --batch, and the batch again
	owing 3
	dpcount --state s -n </dev/null | cut -f 2 | diff - <(seq 7 9)
	dpcount --state s -n --batch 4 in | cut -f 2 | diff - <(seq 10 12)
	# a run that is refused
	owing 5
	fails 5 dpcount --state s -n --batch 4 in
	[ "$(wc -l <<<"$output")" -eq 3 ]
	fails 5 dpcount --state s -n --batch 4 in
	[ -z "$output" ]
	dpcount --state s -n --batch 5 in | cut -f 2 | diff - <(seq 13 15)
	dpcount --state s -n --batch 6 in | cut -f 2 | diff - <(seq 16 18)
}

@test "--batch in ranges: what is owed is printed once, also by a run beyond the horizon" {
	echo 5 >in
	set -- --state s -t 1 --time-format=epoch -n
	run -1 bash -c 'exec "$@" >/dev/full' sh dpwindow "$@" --init -w 3 $sure -T 9 --bucket 1m \
	    --batch 1 --from 0 --to 180 in
	fails 4 dpwindow "$@" --batch 2 --from 6000 --to 6060 in
	[ "$(wc -l <<<"$output")" -eq 3 ]
	fails 4 dpwindow "$@" --batch 2 --from 6000 --to 6060 in
	[ -z "$output" ]
	dpwindow "$@" --batch 2 --from 180 --to 240 in | cut -f 1 | diff - <(echo 4)
}

@test "--change: the commit that says what was owed is out does not keep it" {
	yes 1 | head -3 >in
	owing 1 --init $sure -T 99 -o csv
	# refused, but after it has printed that
	fails 5 dpcount --state s --change=number --batch 0 in
	[ "$output" = "$(printf '%s\n' step,estimate 1,1 2,2 3,3)" ]
	dpcount --state s --state-show | grep -x 'set-number 1'
	prints dpcount --state s --change=number --batch 2 in <<-E
		estimate
		4
		5
		6
	E
}

# signalled SIGNAL STATUS: run $pid can write no more; the signal ends it all the same
signalled() {
	local status=0

	# it is what it is to be, and what it has written does not change any more: it waits in
	# poll or write, not for a disk
	until_true sh -c "a=\$(grep wchar /proc/$pid/io); sleep .2;
	    test \"\$a\" = \"\$(grep wchar /proc/$pid/io)\" &&
	    grep -q '^Name:.dpcount' /proc/$pid/status && grep -q '^State:.S' /proc/$pid/status"
	kill -"$1" $pid
	until_true sh -c "! kill -0 $pid 2>/dev/null || grep -q '^State:.Z' /proc/$pid/status" || {
		echo "$1: it goes on"
		return 1
	}
	wait $pid || status=$?
	[ $status -eq "$2" ]
}

# stuck SIGNAL STATUS: the reader has stopped; the signal ends the run, and what it committed
# comes out
stuck() {
	rm -f s s.lock full
	mkfifo full
	exec 7<>full
	(trap - INT; exec dpcount --state s --init $sure -T 1M -n in) >full 2>err 3>&- 7>&- &
	pid=$!
	pids+=($pid)
	until_true test -s s
	signalled "$1" "$2"
	# so too the next, which only prints what is owed
	(trap - INT; exec dpcount --state s -n </dev/null) >full 2>err 3>&- 7>&- &
	pid=$!
	pids+=($pid)
	signalled "$1" "$2"
	dpcount --state s -n </dev/null >rest
	dd bs=64k iflag=nonblock <&7 >seen 2>/dev/null || :
	exec 7>&-
	last=$(dpcount --state s --state-show | awk '$1 == "step" { print $2 }')
	[ "$last" -gt 10000 ]
	# the last line in the pipe may be cut; all of it comes again
	sort -un <(grep -E '^([0-9]+)	\1$' seen) rest | diff - <(seq "$last" | awk \
	    '{ print $1 "\t" $1 }')
}

@test "a reader that does not read: SIGTERM, SIGINT and SIGHUP end the run, and nothing is lost" {
	yes 1 | head -100000 >in
	stuck TERM 143
	stuck INT 130
	stuck HUP 129
}

@test "signals that were ignored at the start stay ignored" {
	for sig in TERM INT HUP; do
		rm -f s s.lock
		trap '' $sig
		talk dpcount --state s --init $sure -T 9
		trap - $sig
		ask 1
		kill -$sig "$pid"
		sleep .1
		ask 1
		hangup
	done
	rm -f s s.lock
	talk nohup dpcount --state s --init $sure -T 9
	ask 1
	kill -HUP "$pid"
	sleep .1
	ask 1
	hangup
}

@test "SIGPIPE ignored at the start: an error like any other" {
	yes 1 | head -100000 >in
	run -0 --separate-stderr bash -c "trap '' PIPE; timeout 300 dpcount --state s --init $sure \
	    -T 1M in | true; exit \$((PIPESTATUS[0] != 1))"
	[[ $stderr == *"Broken pipe"* ]]
	dpcount --state s </dev/null | tail -1 | grep .
}

@test "a path where no state file can be: usage" {
	echo 1 >in
	long=$(printf 'x%.0s' {1..256})
	for p in nosuch/s in/s "$long" "$long/s" d/ ''; do
		for a in "--state=$p" "--state=$p --init" "--state=s --init --out=$p" "--state=s \
		    --init --witness=$p"; do
			# shellcheck disable=SC2086
			fails 2 dpcount $a -e 1 -T 9 in
			[ ! -e s ]
		done
	done
	mkdir d
	for a in --out=d --witness=d; do
		fails 2 dpcount --state=s --init $a -e 1 -T 9 in
		[ ! -e s ]
	done
	fails 2 dpcount --state=nosuch/s --state-show
	fails 5 dpcount --state=nosuch --state-show
}

@test "a directory where nothing may be created: usage" {
	[ "$(id -u)" = 0 ] && skip 'root may write everywhere'
	echo 1 >in
	mkdir d
	chmod a-w d
	fails 2 dpcount --state d/s --init -e 1 -T 9 in
}

@test "--batch: numbers are equal by value" {
	printf '1\n0\n1\n' >in
	dpcount --state s --init -e 1 -T 90 -n --batch 10 in >a
	for id in 10 010 0010 000000000000000000000000000010; do
		dpcount --state s -n --batch $id </dev/null | cmp a -
	done
	[ "$(dpcount --state s --state-show | awk '$1 == "step" { print $2 }')" = 3 ]
	fails 5 dpcount --state s --batch 009 in
	dpcount --state s -n --batch 0011 in >b
	[ "$(head -1 b | cut -f 1)" = 4 ]
}

@test "a mistyped year in --from: refused before anything is spent" {
	echo '2026-01-01T05:00:00Z' >in
	set -- --state s -t 1 --time-format=iso
	dpwindow "$@" --init -w 7 $sure -T 1000 --bucket 1d --from 2026-01-01 --to 2026-01-03 in \
	    >got
	cp s before
	fails 2 dpwindow "$@" --from 2062-01-03 --to 2062-01-04 in
	[[ $stderr == *'--from: 13149 buckets after the last step of the state file; if '* ]]
	[[ $stderr == *"if that is meant, give --gap"* ]]
	[ -z "$output" ]
	fails 4 dpwindow "$@" --change --gap=99999 --from 2062-01-03 --to 2062-01-04 in
	[[ $stderr == *--from* ]]
	[ -z "$output" ]
	cmp s before
	# the last gap that fits
	fails 4 dpwindow "$@" --change --gap=999 --from 2028-09-26 --to 2028-09-28 in
	cmp s before
	dpwindow "$@" --change --gap=999 --from 2028-09-26 --to 2028-09-27 in >got
	[ "$(wc -l <got)" -eq 998 ]
	# a running count has no empty buckets to fill, but its state would be of no use until then
	dpcount --state c -t 1 --time-format=iso --init $sure -T 9 --bucket 1d --from 2026-01-01 \
	    --to 2026-01-03 in >got
	fails 2 dpcount --state c -t 1 --time-format=iso --from 2062-01-01 --to 2062-01-03 in
	dpcount --state c --change --gap=99999 --from 2062-01-01 --to 2062-01-03 in >got 2>err
	[ "$(wc -l <got)" -eq 2 ]
	# a stretch that is left out is said, unless -q
	grep -F 'the 13147 buckets from 2026-01-03T00:00:00Z on are left out' err
	dpcount --state c --from 2062-01-04 --to 2062-01-05 -q in 2>err
	[ ! -s err ]
}

@test "a file that may not grow: 1, and the state stands" {
	yes 1 | head -3000 >in
	dpcount --state s --init -e 1 -T 1M </dev/null
	cp s before
	run -1 --separate-stderr bash -c 'ulimit -f 8; exec timeout 300 dpcount --state s in'
	[[ $stderr == *"File too large"* ]]
	[ -z "$output" ]
	cmp s before
	[ ! -e s.tmp ]
	dpcount --state s in | wc -l | grep -x 3000
}

# The first run has answered once; then COMMAND, and a second run is let in.
@test "the lock file removed during a run: of two runs one goes on" {
	echo 1 >in
	for how in 'rm s.lock' 'mv s.lock l' ': >l && mv l s.lock'; do
		rm -f s s.lock l
		talk dpcount --state s --init $sure -T 9 -n
		ask 1
		sh -c "$how"
		dpcount --state s -n in >second
		echo 1 >&6
		hangup 5
		# nothing of the first run's second step came out
		[ "$(tail -1 second)" = '2	2' ]
		[[ $(<err) == *lock* ]]
		dpcount --state s -n in | tail -1 | grep -x '3	3'
	done
}

@test "the state renamed or removed during a run: nothing more is released" {
	echo 1 >in
	for how in 'mv s t' 'cp s t && mv t s' 'rm s'; do
		rm -f s s.lock t t.lock
		talk dpcount --state s --init $sure -T 9 -n
		ask 1
		sh -c "$how"
		echo 1 >&6
		read -r -t 2 -u 7 answer && [ -n "$answer" ] && { echo "answered $answer"; false; }
		hangup 5
		[ ! -e t ] || dpcount --state t -n in | tail -1 | grep -x '2	2'
	done
}

@test "a batch partly beyond the horizon: 4, and 4 again, with the same estimates" {
	for i in $(seq 0 19); do echo $((i * 60)); done >in
	dpcount --state s -t 1 --time-format=epoch --init $sure -T 15 --bucket 1m --batch 0 \
	    --from 0 --to 600 in >first
	set -- --state s -t 1 --time-format=epoch --batch 1 --from 600 --to 1200
	run -4 --separate-stderr dpcount "$@" in
	[ "$(wc -l <<<"$output")" -eq 5 ]
	want=$output
	for i in 1 2; do
		run -4 --separate-stderr dpcount "$@" in
		[ "$output" = "$want" ]
		[[ $stderr == *horizon* ]]
	done
	# in lines
	yes 1 | head -6 >in
	for i in 1 2 3; do
		run -4 --separate-stderr dpcount --state l $([ -e l ] || echo --init $sure -T 4) \
		    --batch 1 in
		[ "$output" = "$(seq 4)" ]
	done
}

@test "forged texts: half an escape is refused" {
	echo a >in
	dpcount --state s --init -e 1 -T 9 -k 1 --keys=a,b in >/dev/null
	cat s >whole
	for k in 'a,b%5' '%' 'a%' 'a%4,b' 'a%xy' 'a%4x' 'a%+1'; do
		forge s "s/^keys .*/keys $k/"
		fails 5 dpcount --state s -k 1 in
		cat whole >s
	done
	forge s "s/^user .*/user %6/"
	fails 5 dpcount --state s -k 1 in
	cat whole >s
	dpcount --state s -k 1 in
}

@test "forged columns: words that no run can have left are refused" {
	yes 1 | head -70 >in
	for m in normtree kary; do
		for w in 7fffffffffffffff 7ffffffffffffffe; do
			rm -f s s.lock
			dpcount --state s --init -e 1 -T 1000 -d 1e-6 -M $m in >/dev/null
			forge s "/^column/s/[0-9a-f]\{16\}/$w/g"
			fails 5 dpcount --state s in
		done
	done
	rm -f s s.lock
	dpwindow --state s --init -e 1 -T 1000 -w 7 -M normtree in >/dev/null
	forge s '/^column/s/[0-9a-f]\{16\}/7fffffffffffffff/g'
	fails 5 dpwindow --state s in
}
