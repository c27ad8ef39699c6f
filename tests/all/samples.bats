# The samples of man/examples: units, a crontab and a configuration of rsyslogd, each run.
load ../lib/helper

TOP=$BATS_TEST_DIRNAME/../..

setup_file() {
	${CC:-cc} -O1 -shared -fPIC -o "$BATS_FILE_TMPDIR/now.so" "$BATS_TEST_DIRNAME/../lib/now.c"
}

# clock WHEN COMMAND ..: as if it were then
clock() {
	env NOW="$(date -ud "$1" +%s)" LD_PRELOAD="$BATS_FILE_TMPDIR/now.so" "${@:2}"
}

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
	[ "$(cut -f 1 lib/visits.txt)" = "$(date -ud 'yesterday' +%FT00:00:00Z)" ]
}

# The state was made five days before, exact, and no run came since
outage() {
	rm lib/*
	sed "s/-e 1 /-e 1000000 /; s/ -B / /" once.sh >before.sh
	clock '5 days ago' sh -e before.sh
}

# COMMAND: makes up for all days that are over
catches_up() {
	outage
	"$@"
	for i in 6 5 4 3 2 1; do
		date -ud "$i days ago" +%FT00:00:00Z
	done | paste - <(printf '%s\n' 1 2 2 3 4 6) | diff - lib/visits.txt
}

# again: the same, once
yesterday_is_there() {
	[ "$(cut -f 1 lib/visits.txt)" = "$(date -ud yesterday +%FT00:00:00Z)" ]
	"$@"
	[ "$(wc -l <lib/visits.txt)" = 1 ]
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
	export PATH=$DP_BUILD/bin:$PATH
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
