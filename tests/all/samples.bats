# SPDX-License-Identifier: ISC
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
	needs systemd-analyze
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
	grep -q '<svg' visits.html
	catches_up count
}

@test "rsyslog: omprog hands messages to dpwindow, which counts them" {
	heavy rsyslogd
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

# Requests of three weeks from Monday 2026-05-04 on: 40 visitors, of whom one in five fails
weeks() {
	integers 3000 | awk '{
	    printf "192.0.2.%d - - [%02d/May/2026:%02d:%02d:07 +0000] \"GET /p%d HTTP/1.1\" " \
	    "%d %d \"-\" \"x\"\n", $1 % 40, 4 + int(NR / 150), NR % 24, $1 % 60, $1 % 7,
	    $1 % 5 ? 200 : 404, $1 }' >log
	head -n 1500 log | gzip >access.log.2.gz
	tail -n +1501 log >access.log.1
	: >access.log
}

# weekly WHEN [begin]: with a tenth of the noise of the sample
weekly() {
	local when=$1

	shift
	DPUTILS_DIR=$PWD/lib DPUTILS_PAGE=$PWD/page.html PATH=$DP_BUILD/bin:$PATH \
	    clock "$when" sh weekly.sh "$@" access.log access.log.1 access.log.2.gz
}

@test "weekly page: each week once, of all five numbers, within its budget" {
	unsanitized "a sanitizer's library comes first"
	sed -E 's|number 1/[0-9] |number 10 |; s|event:1/2|event:40|; s|:1/2 "|:10 "|' \
	    "$TOP/man/examples/dputils-weekly.sh" >weekly.sh
	weeks
	weekly 2026-05-12 begin		# and the page of the week before is there
	[ "$(grep -c '<section>' page.html)" = 5 ]
	weekly 2026-05-12 begin		# nothing is begun twice
	for day in 12 17 18 18; do	# Monday the 18th: a week is over
		weekly 2026-05-$day
	done
	weekly 2026-05-26
	cut -f 1 lib/requests.txt | diff - <(printf '2026-05-%sT00:00:00Z\n' 04 11 18)
	for name in visitors errors sizes; do
		[ "$(wc -l <lib/$name.txt)" = 3 ]
	done
	# what is true
	awk -F '[][/: ]' '{ w = int(($5 - 4) / 7); n[w]++; fail[w] += / 404 /; split($0, h, " ")
	    who[w] += !((w, h[1]) in seen); seen[w, h[1]] }
	    END { for (w = 0; w < 3; w++) print n[w], who[w], fail[w] / n[w] }' log >want
	paste -d ' ' want lib/requests.txt lib/visitors.txt lib/errors.txt | tr '\t' ' ' |
	    awk '{ d = $5 - $1; e = $9 - $2; f = $13 - $3
	    if (d * d > 9 || e * e > 9 || f * f > .0001) exit 1 } END { exit NR != 3 }'
	[ "$(cut -f 2 lib/pages.txt | sort -u | wc -l)" = 7 ]
	dpbudget --show lib/budget | grep -c '^left *epsilon 0, ' | grep -qx 2
	[ "$(grep -c '<section>' page.html)" = 5 ]
	# of the pages the last week, the first at the top, each with its number
	awk '$1 ~ /^2026-05-18/ { print $2; print $3 }' lib/pages.txt | while read -r text; do
		grep -F ">$text</text>" page.html
	done
	grep -F '; 2026-05-18 to 2026-05-24, UTC; thin lines: 95&#160;% noise interval' page.html
	grep -o '<h[1-6]>[^<]*' page.html | grep -q 'Visitors in a week'
	grep -F '; 2026-05-04 to 2026-05-24, UTC; thin lines: 95&#160;% noise interval' page.html
	grep -qF 'they change the odds' page.html
	[ "$(stat -c %a lib/requests.state page.html | paste -s)" = "$(printf '600\t644')" ]
}

@test "weekly page: as README says, in two commands, with the cron line that it writes" {
	unsanitized "a sanitizer's library comes first"
	sed -n '/^    w=.*dputils-weekly/,/^$/p' "$TOP/README.md" | sed 's/^    //; /^$/d' >two
	[ "$(wc -l <two)" = 2 ]
	weeks
	mkdir examples
	sed -e "s|^dir=.*|dir=$PWD/lib|; s|^page=.*|page=$PWD/page.html|" \
	    -e "s|/usr/local/bin|$PWD/bin|" "$TOP/man/examples/dputils-weekly.sh" \
	    >examples/dputils-weekly.sh
	sed -i -e "s|/usr/local/share/doc/dputils|$PWD|; s|/var/log/nginx|$PWD|" \
	    -e "s|/etc/cron.d|$PWD|" two
	ln -s "$DP_BUILD/bin" bin
	env HOME="$PWD" NOW="$(date -ud 2026-05-19 +%s)" PATH=/usr/bin:/bin \
	    LD_PRELOAD="$BATS_FILE_TMPDIR/now.so" sh two
	grep -c '<section>' page.html | grep -x 5
	# as cron runs it, a week later
	sed -E 's/^([^ ]+ ){5}root //' dputils-weekly >line
	env -i HOME="$PWD" NOW="$(date -ud 2026-05-26 +%s)" PATH=/usr/bin:/bin \
	    LD_PRELOAD="$BATS_FILE_TMPDIR/now.so" sh line >said 2>&1
	[ ! -s said ]
	[ "$(wc -l <lib/requests.txt)" = 2 ]
	[ "$(grep -c '<section>' page.html)" = 5 ]
}

@test "weekly page: where no page has enough requests, it says so, and the script does" {
	unsanitized "a sanitizer's library comes first"
	sed 's|number 1/8 pages|number 1/1000 pages|' \
	    "$TOP/man/examples/dputils-weekly.sh" >weekly.sh
	weeks
	weekly 2026-05-12 begin 2>said
	grep -c '^dputils-weekly.sh: Pages asked for most in the last week: none has' said |
	    grep -x 1
	[ "$(grep -c '<section>' page.html)" = 5 ]
	grep -F '>No name has enough events to be told.</text>' page.html
	# names of the week before are not the last week's
	sed 's|number 1/8 pages|number 20 pages|; s|event:1/2|event:40|' \
	    "$TOP/man/examples/dputils-weekly.sh" >weekly.sh
	rm -r lib
	weekly 2026-05-12 begin
	run ! grep -F '>No name has' page.html
	: >access.log.1
	: | gzip >access.log.2.gz
	weekly 2026-05-18 2>said
	grep -F '>No name has enough events to be told.</text>' page.html
}

@test "weekly page: what a request costs in all five numbers is what the script says" {
	f=$TOP/man/examples/dputils-weekly.sh
	grep -qF 'epsilon 1 in all five numbers' $f
	sed -n 's|^number 1/\([0-9]\) .*|\1|p' $f | awk '{ s += 1 / $1 } END { exit s != 1 }'
	[ "$(grep -c '^number ' $f)" = 5 ]
}

@test "weekly page: two runs at once, and one after the last week" {
	unsanitized "a sanitizer's library comes first"
	sed 's|^weeks=.*|weeks=2|; s|^add=|while [ -e hold ]; do sleep .05; done; add=|' \
	    "$TOP/man/examples/dputils-weekly.sh" >weekly.sh
	weeks
	run -2 weekly 2026-05-12
	weekly 2026-05-12 begin
	: >hold
	weekly 2026-05-18 &
	until_true sh -c 'ls lib/explained.*'
	run -2 weekly 2026-05-18
	rm hold
	wait $!
	for name in requests visitors errors sizes; do
		[ "$(wc -l <lib/$name.txt)" = 2 ]
	done
	rm page.html
	weekly 2026-05-26 2>said
	[ "$(grep -c 'the horizon of 2 steps is spent' said)" -ge 5 ]
	[ "$(wc -l <lib/sizes.txt)" = 2 ] && [ -e page.html ]
	ls lib | grep -E '^explained' && return 1
	true
}

# The logs are rotated before the third tool opens them, and a day is compressed.
@test "weekly page: logs rotated between its tools" {
	unsanitized "a sanitizer's library comes first"
	sed -E 's|number 1/[0-9] |number 1000 |; s|event:1/2|event:4000|; s|:1/2 "|:1000 "|' \
	    "$TOP/man/examples/dputils-weekly.sh" >weekly.sh
	weeks
	weekly 2026-05-12 begin
	mkdir bin
	cat >bin/dpmean <<-EOT
		#!/bin/sh
		cd "$PWD"
		[ -e turned ] || {
			mv access.log.2.gz access.log.3.gz
			gzip -c access.log.1 >access.log.2.gz
			mv access.log access.log.1
			: >access.log
			: >turned
		}
		exec "$DP_BUILD/bin/dpmean" "\$@"
	EOT
	chmod +x bin/dpmean
	# the week's lines stand in the last two, in whatever file these are
	cat log >access.log.1
	rm access.log.2.gz
	: | gzip >access.log.2.gz
	DP_BUILD=$PWD weekly 2026-05-18
	[ -e turned ]
	for name in requests visitors errors sizes; do
		[ "$(wc -l <lib/$name.txt)" = 2 ]
	done
	[ "$(sed -n 2p lib/requests.txt | cut -f 2)" = "$(grep -cE '\[1[1-7]/May' log)" ]
	true="$(grep -E '\[1[1-7]/May' log | awk '{ n += $9 ~ /^4/ } END { print n / NR }')"
	sed -n 2p lib/errors.txt | awk -v t="$true" '{ exit ($2 - t) ^ 2 > .0001 }'
}

@test "weekly page: a log that is not there, or is damaged, counts nothing" {
	unsanitized "a sanitizer's library comes first"
	cp "$TOP/man/examples/dputils-weekly.sh" weekly.sh
	weeks
	weekly 2026-05-12 begin
	cp access.log.2.gz whole.gz
	head -c 2000 whole.gz >access.log.2.gz
	run ! weekly 2026-05-18
	rm access.log.2.gz
	run ! weekly 2026-05-18
	[ "$(wc -l <lib/requests.txt)" = 1 ]
	mv whole.gz access.log.2.gz
	weekly 2026-05-18
	[ "$(wc -l <lib/requests.txt)" = 2 ]
	ls lib | grep -E '^explained' && return 1
	true
}
