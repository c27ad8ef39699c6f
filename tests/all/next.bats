#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# --next: the buckets that are over by the clock, and that the state has not.
load ../lib/helper

setup_file() {
	${CC:-cc} -O1 -shared -fPIC -o "$BATS_FILE_TMPDIR/now.so" "$BATS_TEST_DIRNAME/../lib/now.c"
}

# at WHEN COMMAND ..: with a wall clock that stands there
at() {
	unsanitized "a sanitizer's library comes first"
	env NOW="$(date -ud "$1" +%s)" LD_PRELOAD="$BATS_FILE_TMPDIR/now.so" "${@:2}"
}

# days N: a request at noon on each day from 2026-03-01 on, and one more for each day before
days() {
	for ((i = 0; i < $1; i++)); do
		echo "$(date -ud "2026-03-01 12:00 $i days" +%s)"
	done | awk '{ for (i = 0; i < NR; i++) print $1 + i }'
}

# first WHEN OPTION ..: makes the state s, exact, then runs go on by it
first() {
	rm -f s s.* out
	at "$1" dpcount -q --seed=1 -e 1000000 -T 400 -t 1 --time-format=epoch --state=s --init \
	    --out=out --next "${@:2}" log
}

again() {
	at "$1" dpcount -q --state=s --out=out --next "${@:2}" log
}

@test "each day once, whenever it is run, and days that were missed" {
	days 20 >log
	first '2026-03-02 00:05' --bucket=1d
	for when in '2026-03-02 23:59:59' '2026-03-03 00:00' '2026-03-03 00:05' '2026-03-04 09:00' \
	    '2026-03-09 00:05' '2026-03-09 00:06' '2026-03-08 12:00' '2026-03-10 00:00'; do
		again "$when"
	done
	for ((i = 1, n = 0; i <= 9; i++)); do
		printf '2026-03-%02dT00:00:00Z\t%d\n' $i $((n += i))
	done | diff - out
}

@test "weeks and months, on any day" {
	days 80 >log
	first '2026-03-10' --bucket=1w
	for d in 11 15 16 17 22 23 30; do
		again "2026-03-$d 00:05"
	done
	cut -f 1 out | cut -c 1-10 | paste -sd ' ' |
	    diff - <(echo 2026-03-02 2026-03-09 2026-03-16 2026-03-23)
	# 2 to 8, 9 to 15, ..
	cut -f 2 out | paste -sd ' ' | diff - <(echo 35 119 252 434)
	first '2026-04-01 00:00' --bucket=1mo
	for when in 2026-04-02 2026-04-30 2026-05-01 2026-05-02; do
		again "$when"
	done
	cut -f 2 out | paste -sd ' ' | diff - <(echo 496 1891)
}

@test "days of a zone, of 23 and 25 hours, each once" {
	for z in Europe/Berlin:2026-03-28 Europe/Berlin:2026-10-24 America/New_York:2026-03-07; do
		day=${z#*:} z=${z%:*}
		# an hour before and after each midnight there
		for i in 0 1 2 3; do
			TZ=$z date -d "$day 23:30 $i days" +%s
			TZ=$z date -d "$day 00:30 $i days" +%s
		done >log
		first "$(TZ=$z date -d "$day 00:05 1 day" '+%F %T %z')" --bucket=1d --tz=$z
		for i in 1 2 2 3; do
			# five minutes before the day ends there, and after
			again "$(TZ=$z date -d "$day 23:55 $i day" '+%F %T %z')"
			again "$(TZ=$z date -d "$day 00:05 $((i + 1)) day" '+%F %T %z')"
		done
		for i in 0 1 2 3; do
			printf '%s\t%d\n' "$(TZ=$z date -d "$day $i days" +%FT%T%:z)" $((2 * i + 2))
		done | diff - out
	done
}

@test "a log that is rotated at any hour" {
	days 6 >all
	rm -f s out
	: >log.1
	for when in 02 03 04 05 06 07; do
		# what was there then, in two files, cut somewhere
		awk -v now="$(date -ud "2026-03-$when 00:05" +%s)" '$1 < now' all >so_far
		head -n $((when % 5)) so_far >log.1
		tail -n +$((when % 5 + 1)) so_far >log
		if [ $when = 02 ]; then
			at "2026-03-$when 00:05" dpcount -q --seed=1 -e 1000000 -T 400 -t 1 \
			    --time-format=epoch --bucket=1d --state=s --init --out=out --next \
			    log.1 log
		else
			at "2026-03-$when 00:05" dpcount -q --state=s --out=out --next log.1 log
		fi
	done
	cut -f 2 out | paste -sd ' ' | diff - <(echo 1 3 6 10 15 21)
}

@test "killed at any time: every day once, as it is" {
	days 12 >log
	first '2026-03-02 00:05' --bucket=1d
	for day in 03 05 06 09 12 13; do
		for ((k = 0; k < 6; k++)); do
			NOW=$(date -ud "2026-03-$day" +%s) LD_PRELOAD=$BATS_FILE_TMPDIR/now.so \
			    dpcount -q --state=s --out=out --next log 2>err &
			sleep 0.00$((RANDOM % 10))
			kill -9 $! 2>/dev/null || :
			wait $! || :
		done
		again "2026-03-$day"
	done
	for ((i = 1, n = 0; i <= 12; i++)); do
		printf '2026-03-%02dT00:00:00Z\t%d\n' $i $((n += i))
	done | diff - out
}

@test "windows, means and what else has buckets go on by it" {
	days 9 >log
	for tool in 'dpwindow -w 2' 'dpdecay --half-life=2' 'dpmean -v 1 -r 0:9G' \
	    'dpdistinct -v 1' 'dpquantile -v 1 -r 0:9G --bins=8'; do
		rm -f t t.*
		# shellcheck disable=SC2086
		at 2026-03-02 $tool -q --seed=1 -e 1000 -T 30 -t 1 --time-format=epoch --bucket=1d \
		    --state=t --init --next log >rows || { echo "$tool"; false; }
		for d in 03 03 06 07; do
			at 2026-03-$d ${tool%% *} -q --state=t --next log >>rows
		done
		cut -c 1-10 rows | paste -sd ' ' | diff - <(echo 2026-03-0{1,2,3,4,5,6}) ||
		    { echo "$tool"; false; }
	done
}

@test "what a run owes is printed by the next, also where nothing is over" {
	days 5 >log
	rm -f s
	at 2026-03-02 dpcount -q --seed=1 -e 1000000 -T 40 -t 1 --time-format=epoch --bucket=1d \
	    --state=s --init --next log >got
	at 2026-03-04 dpcount -q --state=s --next log >/dev/full && false
	at 2026-03-04 dpcount -q --state=s --next log >>got
	cut -f 2 got | paste -sd ' ' | diff - <(echo 1 3 6)
	at 2026-03-04 dpcount -q --state=s --next log >>got
	[ "$(wc -l <got)" -eq 3 ]
}

@test "refused: without a state, with other ends, with a clock that is years ahead" {
	days 3 >log
	set -- -q -e 1 -T 40 -t 1 --time-format=epoch --bucket=1d
	fails 2 dpcount "$@" --next log
	[[ $stderr == *'--next needs --state'* ]]
	first 2026-03-02 --bucket=1d
	cp s before
	fails 2 at 2026-03-04 dpcount --state=s --out=out --next --from=2026-03-02 log
	[[ $stderr == *'--next: leave --from out: the state file says'* ]]
	fails 2 at 2026-03-04 dpcount --state=s --out=out --next --to=2026-03-03 log
	[[ $stderr == *'--next: leave --to out: the clock says'* ]]
	fails 2 at 2026-03-04 dpcount --state=s --out=out --next --batch=1 log
	[[ $stderr == *'--batch: refused with --next'* ]]
	fails 2 at 2027-03-04 dpcount --state=s --out=out --next log
	[[ $stderr == *'--next: 367 buckets are over since the last step of the state file'* ]]
	fails 2 at 2026-03-04 dpcount --state=s --out=out log
	[[ $stderr == *'goes on with --next, or with --from and --to'* ]]
	fails 2 dpcount -e 1 -T 40 --once --state=t --init --next log
	[[ $stderr == *'--once and --next do not go together'* ]]
	cmp s before
	# a year of days is spent
	at 2027-03-04 dpcount -q --state=s --out=out --next --change --gap=400 log
	[ "$(wc -l <out)" -eq 368 ]
	# a state that has no bucket
	rm s out
	at 2026-03-04 dpcount "$@" --state=s --init --from=2026-03-01 --next log >/dev/full && false
	at 2026-03-04 dpcount -q --state=s --next log | wc -l | diff - <(echo 3)
}

@test "--explain is of the days that are over" {
	days 3 >log
	first 2026-03-02 --bucket=1d
	at 2026-03-04 dpcount --state=s --next --explain >said
	grep -F '(1000000, 0)-differentially private' said
	# also when nothing is
	at 2026-03-02 dpcount --state=s --next --explain | grep -F '(1000000, 0)'
}

@test "more days are over than the horizon has steps: those that it has, then status 4" {
	days 9 >log
	set -- -q -t 1 --time-format=epoch --bucket=1d --state=s
	fails 4 at 2026-03-09 dpcount "$@" -e 1000000 -T 3 --init --from=2026-03-01 --next log
	[ "$(cut -f 2 <<<"$output" | paste -sd ' ')" = '1 3 6' ]
	[[ $stderr == *'of 3 steps is spent: of 8 buckets that are over the first 3 are '* ]]
	fails 4 at 2026-03-09 dpcount -q --state=s --next log
	[[ $output == '' && $stderr == *'the horizon of 3 steps is spent; what comes after '* ]]
	# some are released already; a run that failed prints the same later, and once
	rm s
	at 2026-03-03 dpcount "$@" -e 1 --seed=1 -T 5 --out=out --init --from=2026-03-01 \
	    --next log
	cp s before
	fails 4 at 2026-03-09 dpcount -q --state=s --out=out --next log
	[[ $stderr == *'of 5 steps is spent: of 6 buckets that are over the first 3 are '* ]]
	[ "$(wc -l <out)" -eq 5 ]
	fails 4 at 2026-03-09 dpcount -q --state=s --out=out --next log
	[ "$(wc -l <out)" -eq 5 ]
	# just as many as there are: spent by the next
	rm s out
	at 2026-03-04 dpcount "$@" -e 1 -T 3 --init --from=2026-03-01 --next log >out
	[ "$(wc -l <out)" -eq 3 ]
	fails 4 at 2026-03-05 dpcount -q --state=s --next log
}

@test "a first day that is not over yet: said, and what to do" {
	days 5 >log
	at 2026-03-01 dpcount -e 1000000 -T 9 -t 1 --time-format=epoch --bucket=1d --state=s \
	    --init --from=2026-03-02 --next log >out 2>err
	[ ! -s out ]
	grep -F 'no bucket from --from on is over yet, so none is printed; the state' err
	fails 2 at 2026-03-03 dpcount --state=s --next log
	[[ $stderr == *'s has no bucket yet and does not keep --from: give the --from of'* ]]
	at 2026-03-03 dpcount -q --state=s --from=2026-03-02 --next log | cut -f 2 |
	    diff - <(echo 2)
	at 2026-03-05 dpcount -q --state=s --next log | cut -f 2 | diff - <(printf '%s\n' 5 9)
}
