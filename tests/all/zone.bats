# SPDX-License-Identifier: ISC
# Time zones, weeks, months, years: against date(1), which has the same tz database.
load ../lib/helper

# each STEP FROM TO: seconds since 1970
each() {
	awk -v s="$1" -v t="$(date -ud "$2" +%s)" -v e="$(date -ud "$3" +%s)" 'BEGIN {
	    for (; t < e; t += s) print t }'
}

# shown ZONE FORMAT FILE: seconds as that zone's clocks show them
shown() {
	sed 's/^/@/' "$3" | TZ=$1 date -f - "+$2"
}

# per ARG ...: how many in each bucket, without noise
per() {
	dpwindow -e inf -q -w 1 -m . -t 1 "$@" 2>err
}

# edit SED-SCRIPT: of the state s, its checksum mended
edit() {
	grep -av '^blake2b ' s | sed "$1" >forged
	printf 'blake2b %s\n' "$(b2sum -l 256 <forged | cut -d ' ' -f 1)" >>forged
	cat forged >s
}

@test "days, weeks, months are the zone's, and have 23 or 25 hours: against date" {
	each 3600 2025-12-30 2027-01-03 >in
	local range='--from=2026-01-01 --to=2027-01-01'

	for z in Europe/Berlin America/New_York America/Santiago Asia/Kathmandu Australia/Sydney \
	    Atlantic/Azores UTC; do
		# shellcheck disable=SC2086
		set -- --time-format=epoch --tz=$z $range in
		shown $z %F in | grep '^2026' | uniq -c | awk '{ print $2, $1 }' >want
		# in Chile a day may begin at 01:00
		per --bucket=1d "$@" | sed 's/T0[01]:00:00[-+].*\t/ /' | diff want -
		shown $z %Y-%m in | grep '^2026' | uniq -c | awk '{ print $2, $1 }' >want
		per --bucket=1mo "$@" | sed 's/-01T00:00:00[-+].*\t/ /' | diff want -
		# in the first week and the last one are days of other years
		shown $z '%G week %V' in | uniq -c | awk '$2 == 2026 { print $1 }' | head -n 52 |
		    tail -n +2 >want
		per --bucket=1w "$@" | cut -f 2 | head -n 52 | tail -n +2 | diff want -
		per --bucket=1w "$@" | sed -n '2s/T.*//p' | grep -x 2026-01-05
		[ "$(per --bucket=1y "$@" | cut -f 2)" = 8760 ]
	done
}

@test "--start: days from six and weeks from Sunday: against date" {
	each 3600 2025-12-30 2027-01-03 >in
	for z in Europe/Berlin America/New_York Asia/Kathmandu; do
		set -- --time-format=epoch --tz=$z --from=2026-01-01T06:00 --to=2027-01-01T06:00 in
		awk '{ print $1 - 6 * 3600 }' in >early
		# of the days on which clocks change, when they show six
		shown $z '%F %H' in | awk '{ d += $2 == "06"; n[d]++ } END { for (i = 1; i < d; i++)
		    print n[i] }' >want
		per --bucket=1d --start=06:00 "$@" | cut -f 2 |
		    diff <(tail -n +3 want | head -n 365) -
		per --bucket=1d --start=06:00 "$@" | grep -cv '^2026-[0-9-]*T06:00:00' | grep -x 0
		shown $z '%U %Y' in | grep 2026 | uniq -c | awk '{ print $1 }' |
		    head -n 52 | tail -n +2 >want
		per --time-format=epoch --tz=$z --bucket=1w --start=sun --from=2026-01-04 \
		    --to=2026-12-27 in | cut -f 2 | diff want -
	done
	per --time-format=epoch --bucket=1mo --start=06:00 --from=2026-01-01T06:00 \
	    --to=2026-03-01T06:00 in | tr '\t' ' ' | diff - <(printf '%s\n' \
	    '2026-01-01T06:00:00Z 744' '2026-02-01T06:00:00Z 672')
}

@test "--start: a state keeps it, a unit of protection and partial counts have it" {
	printf '2026-05-01T05:00:00 a\n2026-05-01T07:00:00 a\n' >in
	set -- -t 1 --time-format=iso --bucket=1d --start=06:00
	dpcount -e 1 -T 9 --seed=1 --public-times "$@" --state=s --init in >got 2>err
	dpcount --state-show --state=s | grep -F '2026-05-01T06:00:00Z'
	fails 5 dpcount --state=s --start=07:00 in
	dpwindow -e 1 -w 1 "$@" -u 2 -c 1/step --budget=b --from=2026-05-01T06:00 \
	    --to=2026-05-02T06:00 in 2>err >got || {
		dpbudget --init --total='user-step/1d from 06:00:3' b
		dpwindow -e 1 -w 1 "$@" -u 2 -c 1/step --budget=b --from=2026-05-01T06:00 \
		    --to=2026-05-02T06:00 in >got
	}
	dpbudget --show b | grep -F 'from 06:00'
	fails 5 dpwindow -e 1 -w 1 -t 1 --time-format=iso --bucket=1d -u 2 -c 1/step --budget=b \
	    --from=2026-05-01 --to=2026-05-02 in
	dpmap "$@" --from=2026-05-01T06:00 --to=2026-05-02T06:00 in >part
	fails 3 dpwindow -e 1 -w 1 --partial --bucket=1d --from=2026-05-01 --to=2026-05-03 part
	dpwindow -e inf -q -w 1 --partial --bucket=1d --start=06:00 --from=2026-05-01T06:00 \
	    --to=2026-05-02T06:00 part | grep -xF $'2026-05-01T06:00:00Z\t1'
	fails 2 dpcount -e 1 -T 3 -m . --start=06:00 in
	[[ $stderr == *'--start says where buckets begin, and needs --bucket'* ]]
	for a in '--bucket=1h --start=06:00' '--bucket=1d --start=sun' '--bucket=1d --start=6'; do
		# shellcheck disable=SC2086
		fails 2 dpcount -e 1 -t 1 --time-format=iso --from=2026-05-01 --to=2026-05-02 $a in
		[[ $stderr == *--start* ]]
	done
}

@test "--tz-in: times of one zone, in buckets of another" {
	printf '%s\n' '2025-02-26 00:41:54 x' '2025-02-26 08:30:00 x' '2025-02-25 09:00:00 x' \
	    '2025-02-26 23:00:00-08:00 x' >in
	set -- --time-format=iso --bucket=1d --from=2025-02-25 --to=2025-02-27 in
	per --tz=America/Los_Angeles --tz-in=UTC "$@" | cut -f 2 | tr '\n' ' ' | grep -x '2 2 '
	per --tz-in=America/Los_Angeles "$@" | cut -f 2 | tr '\n' ' ' | grep -x '1 2 '
	dpcount -e 1 -t 1 --tz-in=Asia/Tokyo --tz=UTC --explain "$@" | tr -s ' \n' ' ' >said
	grep -qF 'times without an offset are those of Asia/Tokyo' said
	fails 2 dpcount -e 1 -t 1 --tz-in=Asia/Tokio "$@"
	[[ $stderr == *"--tz-in: 'Asia/Tokio' must be a zone"* ]]
	fails 2 dpcount -e 1 -t 1 --tz-in=UTC --time-format=epoch "${@:2}"
	fails 2 dpcount -e 1 --tz-in=UTC -T 3 in
}

@test "a bucket's start has the offset of that moment, in all formats" {
	set -- --time-format=iso --tz=Europe/Berlin --from=2026-03-29 --to=2026-03-31
	printf '2026-03-29T12:00:00\n' >in
	prints per "$@" --bucket=1d in <<-E
		2026-03-29T00:00:00+01:00	1
		2026-03-30T00:00:00+02:00	0
	E
	per "$@" --bucket=1d -o csv in | tail -n 1 | grep -x '2026-03-30T00:00:00+02:00,0'
	per "$@" --bucket=1d -o json in | jq -r .time | grep -x '2026-03-30T00:00:00+02:00'
	prints per "$@" --bucket=12h in <<-E
		2026-03-29T00:00:00+01:00	0
		2026-03-29T12:00:00+02:00	1
		2026-03-30T00:00:00+02:00	0
		2026-03-30T12:00:00+02:00	0
	E
}

@test "hours are hours: 23 or 25 a day, from the zone's midnight on" {
	: >none
	set -- --time-format=epoch --bucket=1h none
	[ "$(per --tz=Europe/Berlin --from=2026-03-29 --to=2026-03-30 "$@" | wc -l)" -eq 23 ]
	[ "$(per --tz=Europe/Berlin --from=2026-10-25 --to=2026-10-26 "$@" | wc -l)" -eq 25 ]
	per --tz=Europe/Berlin --from=2026-10-25T02:00 --to=2026-10-25T03:00 "$@" >got
	diff - got <<-E
		2026-10-25T02:00:00+02:00	0
		2026-10-25T02:00:00+01:00	0
	E
	[ "$(per --tz=Asia/Kathmandu --from=2026-01-01 --to=2026-01-02 "$@" | head -n 1)" = \
	    '2026-01-01T00:00:00+05:45	0' ]
}

@test "times without an offset are the zone's; twice shown: the first; skipped: as much later" {
	cat >in <<-E
		2026-10-25T02:30:00
		2026-10-25T02:30:00+01:00
		2026-10-25T02:30:00 +0100
		2026-10-25 02:30:00 +0100
		2026-10-25T00:30:00Z
		2026-03-29T02:30:00
		2026-03-29T03:30:00
	E
	set -- --time-format=iso --tz=Europe/Berlin --bucket=1h
	prints per "$@" --from=2026-10-25T02:00 --to=2026-10-25T03:00 in <<-E
		2026-10-25T02:00:00+02:00	2
		2026-10-25T02:00:00+01:00	3
	E
	prints per "$@" --from=2026-03-29T01:00 --to=2026-03-29T04:00 in <<-E
		2026-03-29T01:00:00+01:00	0
		2026-03-29T03:00:00+02:00	2
	E
}

@test "an offset counts wherever it stands, and a day takes its time from the next field" {
	local want='2026-05-01T10:00:00Z	1'

	while IFS='|' read -r options format line; do
		echo "$line" | sed 's/\\t/\t/g' >in
		# shellcheck disable=SC2086
		[ "$(per $options --time-format="$format" --bucket=1h --from=2026-05-01T10:00Z \
		    --to=2026-05-01T11:00Z in)" = "$want" ] || {
			echo "$options $format $line"
			return 1
		}
	done <<-E
		|iso|2026-05-01T12:00:00+02:00 x
		|iso|2026-05-01T12:00:00 +02:00 x
		|iso|2026-05-01 12:00:00 +0200 x
		-F ,|iso|2026-05-01,12:00:00,+0200,x
		-F ,|iso|2026-05-01,12:00:00+02,x
		-F ,|iso|2026-05-01 12:00:00,+0200,x
		--csv|iso|"2026-05-01","12:00:00","+02:00",x
		--csv|iso|2026-05-01 12:00:00 +0200,x
		--tsv|iso|2026-05-01\t12:00:00\t+0200
		-F ;|iso|2026-05-01;10:00:00;x
		|clf|[01/May/2026:12:00:00 +0200] x
		--csv|clf|01/May/2026:12:00:00,+0200
		|%F %T|2026-05-01 12:00:00 +0200 x
		-F ,|%F %T|2026-05-01,12:00:00,+0200
		-F ,|%d.%m.%Y %H:%M|01.05.2026 12:00,+0200
	E
}

@test "--public-times and --live with buckets of the calendar" {
	each 86400 2026-01-15 2026-12-01 >in
	shown Europe/Berlin %Y-%m in | uniq -c | awk '{ print $2, $1 }' >want
	per --time-format=epoch --tz=Europe/Berlin --bucket=1mo --public-times in |
	    sed 's/-01T00:00:00[-+].*\t/ /' | diff want -
	# a wrong time closes nothing, and is no work
	{ cat in; echo 253402300799; tail -n 1 in; } >in2
	set -- --time-format=epoch --tz=Europe/Berlin --bucket=1h --public-times
	per "$@" in2 | wc -l >got
	per "$@" in | wc -l | diff - got
	for try in 1 2 3; do		# the month may end meanwhile
		TZ=Europe/Berlin date +%Y-%m-01T00:00:00 >want
		dpcount -e inf --bucket=1mo --live --tz=Europe/Berlin -m . </dev/null 2>err |
		    sed 's/[-+]..:..\t0$//' | diff want - && return
	done
	return 1
}

@test "windows count buckets: days of any length, months of months" {
	: >none
	set -- -e inf -q --time-format=epoch -t 1 --tz=Europe/Berlin --from=2026-03-01 \
	    --to=2026-04-01
	each 86400 '2026-03-01 12:00' 2026-04-01 >in
	[ "$(dpwindow "$@" -w 7d --bucket=1d in 2>err | tail -n 1 | cut -f 2)" = 7 ]
	[ "$(dpwindow "$@" -w 2w --bucket=1d in 2>err | tail -n 1 | cut -f 2)" = 14 ]
	[ "$(dpwindow "$@" -w 1y --bucket=1mo in 2>err | tail -n 1 | cut -f 2)" = 31 ]
	for a in '-w 1mo --bucket=1d' '-w 30d --bucket=1mo' '-w 1mo --bucket=1w' \
	    '-w 1mo --bucket=2mo' '-w 10d --bucket=1w'; do
		# shellcheck disable=SC2086
		fails 2 dpwindow "$@" $a none
		[[ $stderr == *"is not a whole number of buckets of"* ]]
	done
	[ "$(dpdecay "$@" --half-life=1mo --bucket=1mo in 2>err | cut -f 2)" = 31.000000 ]
	# a month on average: 30.436875 days
	awk '{ s = s * 2 ^ (-1 / 30.436875) + 1 } END { printf "%.4f\n", s }' in >want
	dpdecay "$@" --half-life=1mo --bucket=1d in 2>err | awk 'END { printf "%.4f\n", $2 }' |
	    diff want -
}

@test "state: the zone and the kind of bucket are kept; another zone, other rules are refused" {
	each 86400 '2026-01-01 12:00' 2026-07-01 >in
	dpcount -e 1000000 -T 12 --state=s --init --bucket=1mo --tz=Europe/Berlin -m . -t 1 \
	    --time-format=epoch --from=2026-01-01 --to=2026-03-01 in >got
	grep -a -x 'bucket 1mo' s
	grep -a -x 'set-tz Europe/Berlin' s
	dpcount --state=s --state-show | grep Berlin
	for z in UTC Europe/Paris; do
		fails 5 dpcount --state=s --tz=$z --from=2026-03-01 --to=2026-04-01 in
		[[ $stderr == *'--tz differs'* ]]
	done
	fails 5 dpcount --state=s --bucket=1w --from=2026-03-01 --to=2026-04-01 in
	fails 2 dpcount --state=s --from=2026-02-01 --to=2026-04-01 in
	[[ $stderr == *'before 2026-03-01T00:00:00+01:00'* ]]
	dpcount --state=s --from=2026-03-01 --to=2026-05-01 in >>got
	diff - got <<-E
		2026-01-01T00:00:00+01:00	31
		2026-02-01T00:00:00+01:00	59
		2026-03-01T00:00:00+01:00	90
		2026-04-01T00:00:00+02:00	120
	E
	# as if the tz database had changed what clocks show on May 1: two hours to one
	edit 's/^east .*/east 0000000000000e10/'
	fails 5 dpcount --state=s --from=2026-05-01 --to=2026-06-01 in
	[[ $stderr == *'the tz database has other rules'* ]]
}

@test "state: other rules of the zone that times are in are refused" {
	printf '2026-01-01 12:00:00 x\n' >in
	dpcount -e 1000000 -T 12 --state=s --init --bucket=1d -m . -t 1 --time-format=iso \
	    --tz-in=Europe/Berlin --from=2026-01-01 --to=2026-01-02 in >got
	! grep -a '^east ' s
	edit 's/^east-in .*/east-in 0000000000001c20/'
	fails 5 dpcount --state=s --from=2026-01-02 --to=2026-01-03 in
	[[ $stderr == *'the tz database has other rules for Europe/Berlin now'* ]]
	edit 's/^east-in .*/east-in 0000000000000e10/'
	dpcount --state=s --from=2026-01-02 --to=2026-01-03 in | grep -x $'2026-01-02.*\t1'
	# both: of the buckets' zone, too
	dpcount -e 1000000 -T 12 --state=s2 --init --bucket=1d -m . -t 1 --time-format=iso \
	    --tz-in=Europe/Berlin --tz=Asia/Tokyo --from=2026-01-01 --to=2026-01-02 in >got
	mv s2 s
	edit 's/^east .*/east 0000000000000e10/'
	fails 5 dpcount --state=s --from=2026-01-02 --to=2026-01-03 in
	[[ $stderr == *'other rules for Asia/Tokyo now'* ]]
}

@test "unknown zones, lengths that fit no day, times without a format: refused" {
	: >none
	set -- -e 1 -T 9 -t 1 --time-format=iso --public-times none
	for z in Nowhere '' Europe /etc/passwd ../zoneinfo/UTC right/UTC zone.tab UTC0 \
	    Europe/berlin "$(printf '%080d' 0)"; do
		fails 2 dpcount --bucket=1d --tz="$z" "$@"
		[[ $stderr == *"--tz: '$z' must be a zone of the tz database, such as "* ]]
	done
	for d in 7h 36h 5d2 1month 1M 0mo 101y; do
		fails 2 dpcount --bucket=$d --tz=UTC "$@"
		[[ $stderr == *--bucket* ]]
	done
	fails 2 dpcount -e 1 -T 9 --tz=UTC none
	[[ $stderr == *'--tz needs --bucket'* ]]
	fails 2 dpcount -e 1 -T 9 -t 1 --bucket=1d --public-times none
	for f in epoch iso clf syslog strptime; do
		[[ $stderr == *"--time needs --time-format: "*$f* ]]
	done
	fails 2 dpcount -e 1 -T 9 --tz=UTC --tz=UTC --bucket=1d --live none
	[[ $stderr == *'--tz is given twice'* ]]
	fails 2 dplocal -e 1 --domain=a,b --tz=UTC none
}

@test "a zone's file that cannot be read, is cut off or damaged is refused, with its reason" {
	unsanitized "LD_PRELOAD comes after its library"
	cat >open.c <<-'E'
		#include <dlfcn.h>
		#include <errno.h>
		#include <stdlib.h>
		#include <string.h>
		int
		open(const char *path, int flags, int mode)
		{
			int (*real)(const char *, int, ...);
			*(void **)&real = dlsym(RTLD_NEXT, "open");
			if (strncmp(path, "/usr/share/zoneinfo/", 20) != 0)
				return real(path, flags, mode);
			errno = EACCES;
			return *getenv("ZONE") == 0 ? -1 : real(getenv("ZONE"), flags, mode);
		}
	E
	${CC:-cc} -D_GNU_SOURCE -w -shared -fPIC -o open.so open.c -ldl
	zone=/usr/share/zoneinfo/Europe/Berlin
	size=$(wc -c <$zone)
	echo 2026-07-01T00:30:00 >in
	set -- env LD_PRELOAD="$PWD/open.so" ZONE= dpcount -e inf -q -t 1 --time-format=iso \
	    --bucket=1d --tz=Europe/Berlin --from=2026-07-01 --to=2026-07-02 in
	fails 2 "$@"
	[[ $stderr == *"--tz: 'Europe/Berlin' must be a zone of "*'): Permission denied'* ]]
	for n in 0 3 43 44 500 $((size / 2)) $((size - 2)) $((size - 1)); do
		head -c "$n" $zone >cut
		fails 2 "${@/ZONE=/ZONE=cut}"
		[[ -z $output && $stderr == *'): it is cut off'* ]]
	done
	{ head -c $((size / 2)) $zone; head -c $((size - size / 2)) /dev/zero; } >cut
	fails 2 "${@/ZONE=/ZONE=cut}"
	[[ -z $output && $stderr == *'): it is '* ]]
	mkdir folder
	fails 2 "${@/ZONE=/ZONE=folder}"
	[[ $stderr == *'): Is a directory'* ]]
	prints "${@/ZONE=/ZONE=$zone}" <<<'2026-07-01T00:00:00+02:00	1'
}

@test "--tz alone says which zone: TZ and TZDIR do not" {
	each 3600 2026-03-28 2026-03-31 >in
	set -- --time-format=epoch --bucket=1d --from=2026-03-28 --to=2026-03-30 in
	per --tz=Europe/Berlin "$@" >want
	TZ=Asia/Tokyo TZDIR=/nowhere per --tz=Europe/Berlin "$@" | diff want -
	per "$@" >want
	TZ=Asia/Tokyo per "$@" | diff want -
}

@test "shards: dpmap's zone must be the run's" {
	each 3600 2026-03-01 2026-04-03 >in
	set -- --bucket=1d --from=2026-03-01 --to=2026-04-01
	dpmap "$@" --tz=Europe/Berlin -t 1 --time-format=epoch -m . --shard=a in >part 2>err
	dpcount -e inf "$@" --tz=Europe/Berlin -t 1 --time-format=epoch -m . in >want 2>err
	dpcount -e inf "$@" --tz=Europe/Berlin --partial part 2>err | diff want -
	fails 3 dpcount -e inf "$@" --tz=Europe/Paris --partial part
	[[ $stderr == *'another --bucket or --tz than this run'* ]]
}
