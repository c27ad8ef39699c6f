# The samples of man/examples: units, a crontab and a configuration of rsyslogd, each run.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

# here FILE: a sample's text, with paths of this directory and of the programs under test
here() {
	sed -e "s|/usr/bin/dp|$DP_BUILD/bin/dp|; s|/var/lib/dputils|$PWD/lib|g" \
	    -e "s|/var/log/nginx/access.log|$PWD/access.log|g; s|/var/log/|$PWD/|g" \
	    -e "s|/var/www/html|$PWD|g; s|^PATH=\(.*\)|PATH=$PWD/day:\1:$DP_BUILD/bin|" \
	    "$TOP/man/examples/$1"
}

# Requests of the days up to today
requests() {
	for day in '6 days ago' '5 days ago' '3 days ago' '2 days ago' yesterday yesterday today; do
		echo "192.0.2.1 - - [$(LC_ALL=C date -ud "$day" +%d/%b/%Y):12:00:00 +0000]" \
		    '"GET / HTTP/1.1" 200 5 "-" "x"'
	done >log
	# rotated in the middle of a day
	head -n 5 log >access.log.1
	tail -n +6 log >access.log
}

# The commands that a unit's comment gives to be typed once, but for what needs a system
once() {
	sed -n '/^# *mkdir/,/^# *systemctl/s/^# *//p' <(here dputils-visits.service) |
	    grep -v '^systemctl' >once.sh
	one_day
	requests
	sh -e once.sh
	[ "$(cut -f 1 lib/visits.txt)" = "$(date -ud '2 days ago' +%FT00:00:00Z)" ]
}

# The state was made five days before, exact, and no run came since
outage() {
	rm lib/*
	sed "s/-e 1 /-e 1000000 /; s/'2 days ago'/'6 days ago'/g; s/-ud yesterday/-ud '5 days ago'/g
	    s/ -B / /" once.sh >before.sh
	sh -e before.sh
}

# COMMAND: makes up for all days that are over
catches_up() {
	outage
	"$@"
	for i in 6 5 4 3 2 1; do
		date -ud "$i days ago" +%FT00:00:00Z
	done | paste - <(printf '%s\n' 1 2 2 3 4 6) | diff - lib/visits.txt
}

yesterday_is_there() {
	[ "$(cut -f 1 lib/visits.txt | tail -n +2)" = "$(date -ud yesterday +%FT00:00:00Z)" ]
	# again: the same, once
	"$@"
	[ "$(wc -l <lib/visits.txt)" = 2 ]
}

@test "systemd: the units are sound" {
	command -v systemd-analyze >/dev/null || skip 'no systemd-analyze'
	for unit in service timer; do
		here dputils-visits.$unit >dputils-visits.$unit
	done
	systemd-analyze verify --man=no ./dputils-visits.timer ./dputils-visits.service >said 2>&1
	[ ! -s said ] || { cat said; false; }
	systemd-analyze calendar "$(sed -n 's/^OnCalendar=//p' dputils-visits.timer)" |
	    grep 'Next elapse: .* 00:05:00 UTC'
}

@test "systemd: the service counts the day that is over, once" {
	once
	# as systemd reads it: lines that end in a backslash go on, $$ and %% are $ and %
	here dputils-visits.service | sed -e ':a; /\\$/{N; s/\\\n *//; ba}' |
	    sed -n 's/^ExecStart=//p' | sed 's/\$\$/$/g; s/%%/%/g' >start.sh
	[ "$(wc -l <start.sh)" = 1 ]
	sh -e start.sh
	yesterday_is_there sh -e start.sh
	catches_up sh -e start.sh
}

@test "cron: the day that is over, once, and a page" {
	once
	here dputils.cron | grep -v '^#' >crontab
	sed -n 's/^PATH=/export PATH=/p' crontab >env.sh
	awk '/^[0-9*]/ { for (i = 1; i <= 5; i++) if ($i !~ /^[0-9*]+$/) exit 1
	    if ($6 != "root") exit 1
	    for (i = 1; i <= 6; i++) sub(/^[^ ]+ /, "")
	    n++
	    # cron: an unescaped % ends the command
	    if (gsub(/[^\\]%/, "&")) exit 1; gsub(/\\%/, "%")
	    print > ("line." n) } END { exit n != 2 }' crontab
	count() {
		cat env.sh line.1 | env -i /bin/sh -e
	}
	count
	yesterday_is_there count
	cat env.sh line.2 | env -i /bin/sh -e
	grep -F '(1, 0)-differentially private' visits.html
	grep -F '<h1>Requests so far</h1>' visits.html
	grep -q '<path' visits.html
	catches_up count
}

# now TIME: date(1), for commands too, tells what the clocks show then
now() {
	printf '#!/bin/sh\nexec %s -d "%s" "$@"\n' "$(type -P date)" "$1" >day/date
	chmod +x day/date
}

@test "cron: days of a zone, of --tz, each once" {
	mkdir day lib
	# the first day has 23 hours in the first zone, the second one in the other: each request
	# is an hour before or after midnight there
	for z in Europe/Berlin:2026-03-29 America/New_York:2026-03-07; do
		day=${z#*:} z=${z%:*}
		rm -f lib/*
		for hour in 23:30 00:30; do
			for i in 0 1 2; do
				printf '::1 - - [%s] "GET / HTTP/1.1" 200 5 "-" "x"\n' \
				    "$(TZ=$z date -d "$day $hour $i day" '+%d/%b/%Y:%T %z')"
			done
		done >access.log
		: >access.log.1
		dpcount -e 1000000 -T 365 --log=combined --bucket=1d --tz="$z" --init \
		    --state=lib/visits.state --out=lib/visits.txt --from="$day" \
		    --to="$(date -d "$day 1 day" +%F)" access.log
		here dputils.cron | sed "s|(date -u |(TZ=$z date |; s|^PATH=|export &|
		    s|^5 0 .* root ||; s|[\\]%|%|g; /^10 /d" >line
		for i in 2 2 3 3; do
			now "$(TZ=$z date -d "$day 00:05 $i day" '+%F %T %z')"
			env -i /bin/sh -e line
		done
		for i in 0 1 2; do
			printf '%s\t%s\n' "$(TZ=$z date -d "$day $i day" +%FT%T%:z)" $((2 * i + 2))
		done | diff - lib/visits.txt
	done
}

@test "rsyslog: omprog hands messages to dpwindow, which counts them" {
	command -v rsyslogd >/dev/null || skip 'no rsyslogd'
	# exact, and by the second
	here dputils-rsyslog.conf |
	    sed 's/-e 1 /-q -e inf /; s/-w 1h --bucket=1m/-w 1h --bucket=1s/' >sample.conf
	cat >rsyslog.conf <<-EOT
		global(workDirectory="$PWD")
		module(load="imuxsock" SysSock.Use="off")
		input(type="imuxsock" Socket="$PWD/log" RateLimit.Interval="0")
		include(file="$PWD/sample.conf")
	EOT
	rsyslogd -N 1 -f "$PWD/rsyslog.conf"
	rsyslogd -n -f "$PWD/rsyslog.conf" -i "$PWD/pid" 2>err 3>&- &
	pids+=($!)
	until_true test -S log
	for i in 1 2 3; do
		logger -u "$PWD/log" -t 'sshd[7]' "Failed password for invalid user u$i from ::1"
	done
	logger -u "$PWD/log" -t 'sshd[7]' 'Accepted publickey for root'
	logger -u "$PWD/log" -t cron 'Failed password of another program'
	until_true grep -qs "$(printf '\t3$')" failed-logins.txt
	sleep 1
	kill "${pids[0]}"
	wait "${pids[0]}" || :
	# what a program says of itself goes there too
	sed -i '/^dpwindow: epsilon is inf/d' failed-logins.txt
	awk '$2 > 3 || $2 < last { bad = 1 } { last = $2 } END { exit bad || last != 3 }' \
	    failed-logins.txt
	silent_about 'u1' failed-logins.txt
}

# on DAY: date(1) tells that day, for commands too
on() {
	mkdir -p day
	cat >day/date <<-EOT
		#!/bin/sh
		[ \$1 != -ud ] || { words=\$2; shift 2; }
		[ \$1 != -u ] || shift
		exec $clock -ud "$1 \$words" "\$@"
	EOT
	chmod +x day/date
	PATH=$PWD/day:${PATH#"$PWD/day:"}
}

# line [TO]: the crontab line of dputils.cron, with this day to end with in the place of today, and
# its files here
line() {
	sed -n 's/^5 0 \* \* \* root //p' "$TOP/man/examples/dputils.cron" |
	    sed 's|/var/lib/dputils/||g; s|/var/log/nginx/||g' |
	    awk -v to="${1//\\/\\\\}" 'to != "" { $0 = to substr($0, index($0, ";")) } 1' |
	    sed 's/\\%/%/g'
}

# to_of WORDS: what it has for to= behind them
to_of() {
	sed -n 's/^# //p' "$TOP/man/examples/dputils.cron" | tr '\n' ' ' |
	    sed "s/.*$1, //; s/, .*//"
}

# begun SPAN DAY DAY: a state of them whose first bucket these are; one request on each day
begun() {
	rm -f visits.* access.log*
	: "${clock:=$(type -P date)}"
	for ((i = 0; i < 70; i++)); do
		"$clock" -ud "2026-03-30 12:00 $i days" \
		    '+::1 - - [%d/%b/%Y:%T +0000] "GET / HTTP/1.1" 200 5'
	done >access.log.1
	: >access.log
	dpcount -e 1000000 -T 90 --log=combined --bucket="$1" --state=visits.state --init \
	    --out=visits.txt --from="$2" --to="$3" access.log.1
}

@test "cron: the line by days, weeks and months, on any day" {
	line | grep -q '^to=\$(date -u +%F); from=.* access.log$'
	begun 1d 2026-04-01 2026-04-02
	line >line.sh
	for day in 2026-04-02 2026-04-03 2026-04-06; do
		on $day
		sh -e line.sh
	done
	cut -f 2 visits.txt | paste -sd ' ' | grep -x '1 2 3 4 5'
	# the line for days, refused: what it is for
	begun 1w 2026-03-30 2026-04-06
	on 2026-04-15
	fails 2 sh -e line.sh
	line "$(to_of 'by weeks')" >line.sh
	grep -q 'days ago' line.sh
	for day in 2026-04-{06,07,08,09,10,11,12,13,14,19,28}; do
		on $day
		sh -e line.sh
	done
	paste -sd ' ' visits.txt | tr '\t' ' ' | grep -x "2026-03-30T00:00:00Z 7 \
2026-04-06T00:00:00Z 14 2026-04-13T00:00:00Z 21 2026-04-20T00:00:00Z 28"
	begun 1mo 2026-04-01 2026-05-01
	line "$(to_of 'by months')" >line.sh
	for day in 2026-05-{01,02,31} 2026-06-{01,17}; do
		on $day
		sh -e line.sh
	done
	cut -f 2 visits.txt | paste -sd ' ' | grep -x '30 61'
	# and the recipes have the same
	mandoc -Tascii -Owidth=200 "$TOP/man/dputils-recipes.7" | sed 's/.\x08//g' >page
	grep -qF "$(to_of 'by weeks' | sed 's/\\%/%/g')" page
	grep -qF "$(to_of 'by months' | sed 's/\\%/%/g')" page
}
