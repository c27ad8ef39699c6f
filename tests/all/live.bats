# SPDX-License-Identifier: ISC
# A live stream is answered at once, with no option; the wall clock closes buckets.
load ../lib/helper

@test "each line is answered before the next is sent" {
	talk dpcount -e inf
	for i in 1 2 3 4 5; do
		ask 1
		[ "$answer" = $i ]
	done
	hangup
}

@test "each line is answered at once, whatever is read or printed" {
	talk dpcount -e 1 -T 9 -m x -n -B -o json
	ask x y x
	hangup
	talk dpcount -e inf --csv -H -v b -r 0:9
	printf 'a,b\n' >&6
	ask 'x,4' '"y ""z""","5"'
	[ "$answer" = 9 ]
	hangup
	talk dpcount -e 1 -T 9 -k 1 --keys=a,b
	ask a b c
	hangup
	talk dpcount -e 1 -T 9 -P
	ask 1 0 1
	hangup
	talk dpcount -e 1 -T 9 --strict
	ask 1 0 1
	hangup
}

@test "a line comes in pieces" {
	talk dpcount -e inf -r 0:99
	printf 4 >&6
	sleep .1
	ask 2
	[ "$answer" = 42 ]
	hangup
}

@test "two lines in one write give two answers, half a third none" {
	talk dpcount -e inf
	printf '1\n1\n1' >&6
	read -r -t 300 -u 7 a
	read -r -t 300 -u 7 b
	[ "$a$b" = 12 ]
	run ! read -r -t .2 -u 7
	ask ''
	[ "$answer" = 3 ]
	hangup
}

@test "the last line without a newline counts at the end of input" {
	talk dpcount -e inf
	ask 1
	printf 1 >&6
	exec 6>&-
	read -r -t 300 -u 7 answer
	[ "$answer" = 2 ]
	hangup
}

@test "tail -f | dpcount" {
	echo 1 >log
	mkfifo pipe
	tail -n +1 -f log >pipe 3>&- &
	pids+=($!)
	(exec dpcount -e inf) <pipe >got 2>err 3>&- &
	pids+=($!)
	until_true grep -q '^1$' got
	echo 1 >>log
	until_true grep -q '^2$' got
	kill "${pids[0]}"
	wait "${pids[1]}"
	[ "$(cat got)" = "$(seq 2)" ]
}

@test "the horizon ends a live run at once, not at the end of input" {
	talk dpcount -e inf -T 2
	ask 1 1
	echo 1 >&6
	until_true gone "$pid"
	hangup 4
}

gone() {
	! kill -0 "$1" 2>/dev/null || grep -q '^State:.*zombie' "/proc/$1/status"
}

@test "--live: buckets close while input is idle, empty ones too" {
	talk dpcount -e inf --bucket 1s --live
	printf '1\n2\n3\n' >&6		# each line is an event
	# three at least, and all that close until the events are in
	for ((i = 1; i <= 3 || count < 3; i++)); do
		read -r -t 300 -u 7 at count
		echo "$at $count"
	done >got
	hangup
	cat got
	[ "$count" = 3 ]
	# neighbouring seconds
	cut -d ' ' -f 1 got | date -f - +%s | awk 'NR > 1 && $1 != t + 1 { exit 1 } { t = $1 }'
}

@test "--live: the values of lines, -v" {
	talk dpcount -e inf --bucket 1s --live -v 2 -r 0:9
	printf 'a 4\nb 5\nc x\n' >&6
	for ((count = 0; count == 0; )); do
		read -r -t 300 -u 7 at count
	done
	[ "$count" = 9 ]
	hangup
}

@test "--live: the end of input closes the bucket that is open" {
	talk dpcount -e inf --bucket 1h --live
	echo 1 >&6
	exec 6>&-
	# an hour may have ended before the event was read
	while read -r -t 300 -u 7 at last; do
		[[ $at == *:00:00Z ]]
		count=$last
	done
	[ "$count" = 1 ]
	hangup
}

@test "--live: an event before the oldest open bucket counts in that, a future one in the newest" {
	talk dpcount -e inf --bucket 1s --live -t 1 --time-format=epoch
	printf '%s\n' 0 4070908800 "$(date +%s)" >&6
	# no event is lost, and 2099 has not closed the steps before it
	for ((count = 0; count < 3; )); do
		read -r -t 300 -u 7 at count
	done
	[ "$count" = 3 ]
	[[ $at != 2099* ]]
	hangup
}

@test "--live=LATENESS: a bucket stays open that long" {
	begin=$(date +%s)
	talk dpcount -e inf --bucket 1s --live=2s -t 1 --time-format=epoch
	echo "$((begin - 1))" >&6
	# the oldest bucket may have closed before the event was read: then it counts in the next
	for ((count = 0; count < 1; )); do
		read -r -t 300 -u 7 at count
		end=$(date +%s)
		[ $((end - $(date -d "$at" +%s))) -ge 3 ]
	done
	[ "$count" = 1 ]
	hangup
}

# clock: a shim; the wall clock is wrong by SECONDS for LOOKS looks (-1: from now on), as the file
# shift says
clock() {
	unsanitized "LD_PRELOAD comes after its library"
	cat >clock.c <<-'E'
		#include <dlfcn.h>
		#include <stdio.h>
		#include <time.h>
		int
		clock_gettime(clockid_t id, struct timespec *t)
		{
			int (*real)(clockid_t, struct timespec *);
			long s = 0, n = 0;
			FILE *f;
			*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
			real(id, t);
			if (id != CLOCK_REALTIME || (f = fopen("shift", "r+")) == NULL)
				return 0;
			if (fscanf(f, "%ld %ld", &s, &n) == 2 && n != 0) {
				t->tv_sec += s;
				rewind(f);
				if (n > 0)
					fprintf(f, "%ld %ld \n", s, n - 1);
			}
			fclose(f);
			return 0;
		}
	E
	${CC:-cc} -D_GNU_SOURCE -w -shared -fPIC -o clock.so clock.c -ldl
}

# wrong SECONDS LOOKS
wrong() {
	echo "$* " >shift.new
	mv shift.new shift
}

# seconds N: so many lines come, each of the second after that of the line before
seconds() {
	local i t

	for ((i = 0; i < $1; i++)); do
		read -r -t 300 -u 7 at count
		t=$(date -d "$at" +%s)
		[ -z "$last" ] || [ "$t" -eq $((last + 1)) ]
		last=$t
	done
}

@test "--live: a wrong look at the clock releases nothing" {
	clock
	talk env LD_PRELOAD="$PWD/clock.so" dpcount -e inf -T 100 --bucket=1h --live
	wrong 0 1
	until_true grep -q ' 0 ' shift	# it has begun
	wrong 864000 5
	yes 1 | head -n 100 >&6
	until_true grep -q ' 0 ' shift
	echo 1 >&6
	hangup				# not 4: the horizon is not spent
}

@test "--live: a clock that was set is believed when seen twice, and held to --gap" {
	clock
	last=
	talk env LD_PRELOAD="$PWD/clock.so" dpcount -e inf --bucket=1s --live --gap=1000
	seconds 1
	wrong 864000 1			# ten days ahead, for one look
	until_true grep -q ' 0 ' shift
	seconds 1
	wrong -864000 3			# and behind: no wait of an hour
	until_true grep -q ' 0 ' shift
	seconds 1
	wrong 120 -1			# set two minutes ahead: these are steps
	until [ "$last" -gt $(($(date +%s) + 50)) ]; do
		seconds 10
	done
	wrong 864120 -1			# ten days are beyond --gap
	until_true grep -q 'jumped ahead by more than 1000 buckets' err
	seconds 2
	hangup
}

# looks N: so many of the current shift have been made, of which 1000 are allowed
looks() {
	local s n

	read -r s n <shift && [ "$n" -le $((1000 - $1)) ]
}

@test "--live: the clock is looked at on a grid, whatever arrives" {
	clock
	wrong 0 1000
	talk env LD_PRELOAD="$PWD/clock.so" dpcount -q -e 1 -T 1000 --bucket=1m --live \
	    --state=s --init
	until_true looks 3
	wrong 150 12			# three seconds
	until_true grep -q ' 0 ' shift	# though nothing comes
	wrong 0 1000
	begin=$(date +%s%3N)
	for i in {1..40}; do
		yes 1 | head -n 100 >&6
		sleep .01
	done
	exec 6>&-
	cat <&7 >got
	read -r s n <shift
	[ $((1000 - n)) -le $((($(date +%s%3N) - begin) / 250 + 2)) ]
	[ "$(wc -l <got)" -ge 2 ]
	hangup
}

@test "--live: a clock set before the first step closes no bucket that has not ended" {
	clock
	wrong 0 1000
	talk env LD_PRELOAD="$PWD/clock.so" dpcount -e inf --bucket=1d --live -m x
	until_true looks 3
	wrong 86400 1000
	echo x >&6
	sleep 2.5			# by then it is believed
	until_true looks 12
	echo x >&6
	exec 6>&-
	cat <&7 >got
	cat got
	[[ $(tail -n 1 got) == *$'\t2' ]]
	while read -r at count; do	# midnight may have passed meanwhile
		[ "$(date -d "$at" +%s)" -le "$(date +%s)" ]
	done < <(head -n -1 got)
	hangup
}

@test "--live: the end of input closes the open bucket of a clock that was set back" {
	clock
	last=
	talk env LD_PRELOAD="$PWD/clock.so" dpcount -e inf --bucket=1s --live
	seconds 1
	wrong -1000 1000
	sleep 2.5
	until_true looks 12
	echo 1 >&6
	exec 6>&-
	cat <&7 >got
	[[ $(tail -n 1 got) == *$'\t1' ]]
	hangup
}

@test "--live: what a state has open is closed when the clock was seen twice, within --gap" {
	clock
	run -0 env LD_PRELOAD="$PWD/clock.so" dpcount -e 1 -T 100 --bucket=1h --live --state=s \
	    --init -m . /dev/null
	wrong 864000 2			# the first is for years of syslog
	(sleep .3; echo 1) | env LD_PRELOAD="$PWD/clock.so" dpcount --state=s >got
	grep -q ' 0 ' shift
	hour=$(date -u +%Y-%m-%dT%H:00:00Z)
	while read -r at count; do	# one may have ended meanwhile
		[[ $at < $hour ]]
	done <got
	echo '18000 -1' >shift
	last=
	talk env LD_PRELOAD="$PWD/clock.so" dpcount --state=s
	echo 1 >&6
	for ((i = 0; i < 5; i++)); do
		read -r -t 300 -u 7 at count
		t=$(date -d "$at" +%s)
		[ -z "$last" ] || [ "$t" -eq $((last + 3600)) ]
		last=$t
	done
	hangup
	echo '864000 -1' >shift
	fails 2 env LD_PRELOAD="$PWD/clock.so" dpcount --state=s --change --gap=100 /dev/null
	[[ $stderr == *'more than 100 empty buckets'*'give --gap'* ]]
	[ -z "$output" ]
}

@test "--live: horizon" {
	talk dpcount -e inf --bucket 1s --live -T 1
	read -r -t 300 -u 7 at count
	[ "$count" = 0 ]
	until_true gone "$pid"
	hangup 4
}

@test "what planning took of the stack goes back before the first line" {
	unsanitized "shadow memory is on the stack, too"
	talk env -i PATH="$PATH" dpcount -e 1 -T 1M	# a large environment is on it, too
	ask 1
	awk '/\[stack\]$/ { on = 1 } on && /^Rss:/ { n = $2; exit }
	    END { print n, "KiB"; exit !(n > 0 && n < 100) }' "/proc/$pid/smaps"
	hangup
}
