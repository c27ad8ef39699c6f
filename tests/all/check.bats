# SPDX-License-Identifier: ISC
# --check: what is read of each line of a public sample, and why a line counts as nothing; and the
# line that a person at a terminal sees.
load ../lib/helper

# How lines are read of which no option says anything
BARE='dpcount: values: each whole line as a number, 0 if it is none (-m . counts lines), '
BARE+='clamped to 0:1 (-r), rounded to whole numbers'

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
	pids=()
	cat >log <<-'E'
	10.0.0.1 - - [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 12
	10.0.0.1 - - [17/May/2015:10:05:43 +0000] "GET /b HTTP/1.1" 404 9
	10.0.0.2 - - [19/May/2015:10:05:43 +0000] "GET /b HTTP/1.1" 200 9
	10.0.0.2 - - [17/May/2015:10:06:43 +0000] "GET /b HTTP/1.1" 301 9
	10.0.0.2 - - [17/May/2015 10:05:43] "GET /b HTTP/1.1" 200 9
	10.0.0.1 - - [17/May/2015:11:05:43 +0200] "GET /c HTTP/1.1" 200 9
	short
	E
}

# checks COMMAND ...: what it prints stands on standard input, with blanks for tabs
checks() {
	cat >want
	"$@" >got 2>err || return
	grep -q 'NOT PRIVATE' err
	tr '\t' ' ' <got | diff -u want -
}

@test "value, time, step, key, user; or the reason: key, range of time, form of time, field, user" {
	checks dpcount --check -t 4 --time-format=clf --bucket=1h --from=2015-05-17 \
	    --to=2015-05-18 -k 9 --keys=200,404 -u 1 -c 2 log <<-'E'
	log:1 value=1 time=2015-05-17T10:05:03Z step=2015-05-17T10:00:00Z key=200 user=10.0.0.1
	log:2 value=1 time=2015-05-17T10:05:43Z step=2015-05-17T10:00:00Z key=404 user=10.0.0.1
	log:3 nothing: not from --from to --to time=2015-05-19T10:05:43Z
	log:4 nothing: the key is not declared: '301'
	log:5 nothing: field 4: not a time of the given format: '[17/May/2015'
	log:6 nothing: its user has had as many events as --per-user allows: '10.0.0.1'
	log:7 nothing: field 4: the field is missing: 'short'
	E
	sed 's/.*values: //; q' err >got
	[ "$(<got)" = '1 for each line; times: field 4, clf, UTC; keys: field 9; users: field 1' ]
}

@test "a day and a time of day: both are shown, and a fraction of a second is cut" {
	printf '%s\n' Date,n,Time 2017-05-16,3,00:00:00.008 2017-05-16,3,00:00:00x \
	    2017-05-16,3, 16.5.17,3,01:02:03 >csv
	checks dpcount --check --csv -H -t Date,Time --time-format='%Y-%m-%d %H:%M:%S' \
	    --bucket=1h --from=2017-05-16 --to=2017-05-17 -m . csv <<-'E'
	csv:2 value=1 time=2017-05-16T00:00:00Z step=2017-05-16T00:00:00Z
	csv:3 nothing: field 1: not a time of the given format: '2017-05-16' '00:00:00x'
	csv:4 nothing: field 1: not a time of the given format: '2017-05-16' ''
	csv:5 nothing: field 1: not a time of the given format: '16.5.17' '01:02:03'
	E
	printf '%s\n' '{"d":"2017-05-16","t":"1:02"}' >json
	checks dpcount --check --json -t d,t --time-format=iso --bucket=1h --from=2017-05-16 \
	    --to=2017-05-17 json <<-'E'
	json:1 nothing: field d: not a time of the given format: '2017-05-16' '1:02'
	E
}

@test "a time of another named format" {
	printf '%s\n' '[17/May/2015:10:05:03 +0000] a' '2026-05-01 12:00' 'May  1 12:00:00 x' \
	    '1777645807 a' 20260501 2026050112 x 12 >in
	set -- --bucket=1d --from=2026-01-01 --to=2027-01-01
	dpcount --check "$@" -t 1 --time-format=%d.%m.%Y in 2>err | sed 's/.*format//' >got
	diff - got <<-'E'
	 (it is clf): '[17/May/2015:10:05:03'
	 (it is iso): '2026-05-01'
	 (it is syslog): 'May'
	 (it is epoch): '1777645807'
	 (it is iso): '20260501'
	: '2026050112'
	: 'x'
	: '12'
	E
	printf '%s\n' 1777645807,2026-05-01 >in
	dpcount --check "$@" --csv -t 2 --time-format=clf in 2>err | grep -F '(it is iso)'
	echo '{"t":"2026-05-01","n":7}' >in
	dpcount --check "$@" --json -t t --time-format=epoch in 2>err | grep -F '(it is iso)'
	dpcount --check "$@" --json -t t,n --time-format=clf in 2>err >got
	[[ $(<got) == *"format: '2026-05-01' '7'" ]]
}

@test "a zone that may be several is named, with what leaves it out; that reads the time" {
	printf '%s\n' 't;v' '2016-08-18 08:31:00.365 EDT;1' '2016-08-18 08:31:00 GMT+3;1' \
	    '2016-08-18 08:31:00 noon;1' '2016-08-18 25:31:00 EDT;1' '2016-08-18 08:31:00 UTC;1' >in
	day='--time-format=iso --bucket=1d --from=2016-08-18 --to=2016-08-19'
	no='nothing: field 1: not a time of the given format'
	cure="--let='t=t~(.*) ' -t t leaves it out, and --tz-in=ZONE says it"
	west='west to others' gmt="'2016-08-18 08:31:00 GMT+3'"
	# shellcheck disable=SC2086
	checks dpcount --check -F ';' -H -t t $day in <<-E
	in:2 $no (EDT may be of several zones: $cure): '2016-08-18 08:31:00.365 EDT'
	in:3 $no (GMT+3 is east of Greenwich to some programs, and $west: $cure): $gmt
	in:4 $no: '2016-08-18 08:31:00 noon'
	in:5 $no: '2016-08-18 25:31:00 EDT'
	in:6 value=1 time=2016-08-18T08:31:00Z step=2016-08-18T00:00:00Z
	E
	# shellcheck disable=SC2086
	dpcount --check -F ';' -H --let='t=t~(.*) ' -t t --tz-in=America/New_York $day in \
	    2>/dev/null | sed -n '1s/.*time=//p' | diff - \
	    <(printf '2016-08-18T12:31:00Z\tstep=2016-08-18T00:00:00Z\n')
	printf 'x 2016-08-18 08:31:00 CEST y\n' >in
	# shellcheck disable=SC2086
	{
		dpcount --check -t 2 $day in 2>/dev/null |
		    grep -F '(CEST may be of several zones: -t 2,3 leaves it out, and --tz-in='
		dpcount --check -t 2,3 --tz-in=Europe/Berlin $day in 2>/dev/null |
		    grep -F 'time=2016-08-18T06:31:00Z'
		printf 'a t b c\nx 2016-08-18 08:31:00 CEST\n' |
		    dpcount --check -H -t t $day 2>/dev/null | grep -F ': -t DAY,CLOCK leaves it'
	}
}

@test "what is said to count is what counts, without noise" {
	local a

	for a in '-m . -t 4 --time-format=clf --bucket=1h --from=2015-05-17 --to=2015-05-18' \
	    '-t 4 --time-format=clf --bucket=1d --public-times -k 9 --keys=200,404' \
	    '-t 4 --time-format=clf --bucket=1d --public-times -u 1 -c 1' \
	    '-t 4 --time-format=clf --bucket=1d --public-times -u 1 -c 1/step' \
	    '-t 4 --time-format=clf --tz=Europe/Berlin --bucket=1mo --public-times' \
	    '-v 10 -r 0:9' '-v 10 -r -5:-1' "-m 404" '-m 404 --invert-match' '--where=9~404' \
	    '--log=combined --where=status~200 -v size -r 0:100' '-T 3 -m .'; do
		# shellcheck disable=SC2086
		dpcount --check $a log 2>err >got || cat err
		[ "$(wc -l <got)" -eq 7 ]
		# shellcheck disable=SC2086
		dpcount -e inf $a -o csv log 2>err | sed 1d | tail -n 1 | tr , '\n' |
		    awk '$1 !~ /T/ { s += $1 } END { print s + 0 }' >want
		awk -F 'value=' '{ s += $2 } END { print s + 0 }' got |
		    diff want - || {
			echo "$a"
			cat got
			return 1
		}
	done
}

@test "values: not a number, clamped, empty, 0, not matched, the horizon" {
	printf '%s\n' 1 5 '' 0 x -3 1 1 >in
	checks dpcount --check -T 7 in <<-'E'
	in:1 value=1 step=1
	in:2 value=1 (clamped by --range) step=2
	in:3 nothing: empty
	in:4 nothing: the value is 0
	in:5 nothing: not a decimal number: 'x'
	in:6 nothing: --range clamps it to 0
	in:7 value=1 step=7
	in:8 nothing: the horizon is spent
	E
	[ "$(head -n 1 err)" = \
	    "$BARE" ]
	checks dpcount --check -m '^[1x]' in <<-'E'
	in:1 value=1 step=1
	in:2 nothing: does not match --match
	in:3 nothing: does not match --match
	in:4 nothing: does not match --match
	in:5 value=1 step=5
	in:6 nothing: does not match --match
	in:7 value=1 step=7
	in:8 value=1 step=8
	E
	checks dpcount --check -r 0.00:9 - <<-'E' </dev/null
	E
}

@test "--where, --cut, --json, CSV with a header" {
	checks dpcount --check --where=' 404 ' log <<-'E'
	log:1 nothing: does not match --where
	log:2 value=1 step=2
	log:3 nothing: does not match --where
	log:4 nothing: does not match --where
	log:5 nothing: does not match --where
	log:6 nothing: does not match --where
	log:7 nothing: does not match --where
	E
	head -n 2 log >two
	echo short >>two
	checks dpcount --check --cut='" (?<status>\d+)' -k status --keys=404 two <<-'E'
	two:1 nothing: the key is not declared: '200'
	two:2 value=1 step=2 key=404
	two:3 nothing: the line does not match --cut: 'short'
	E
	printf '%s\n' '{"n":3,"t":"2026-05-01"}' '{"n":"x","t":1}' '{"t":"2026-05-01"}' '{' >in
	checks dpcount --check --json -v n -r 0:9 in <<-'E'
	in:1 value=3 step=1
	in:2 nothing: field n: not a decimal number: 'x'
	in:3 nothing: field n: missing, or not a string, number, true or false: '{"t":"2026-05-01"}'
	in:4 nothing: no JSON object: '{'
	E
	printf 'day,shop\n2026-05-01,"a ""b"""\n2026-05-02,c\n' >csv
	checks dpcount --check --csv -H -t day --time-format=iso --bucket=1d --public-times \
	    -k shop --keys='a "b"' csv <<-'E'
	csv:2 value=1 time=2026-05-01T00:00:00Z step=2026-05-01T00:00:00Z key=a "b"
	csv:3 nothing: the key is not declared: 'c'
	E
}

@test "--log: who asked, and whose line it is; an address with its port" {
	cat >in <<-'E'
	192.0.2.1 - frank [01/May/2026:14:30:07 +0000] "GET / HTTP/1.1" 200 12
	www.example.org:443 192.0.2.1 - - [01/May/2026:14:30:07 +0000] "GET / HTTP/1.1" 200 12
	192.0.2.1 www.example.org - [01/May/2026:14:30:07 +0000] "GET / HTTP/1.1" 200 12
	May  1 14:30:07 www nginx: 192.0.2.1 - - [01/May/2026:14:30:07 +0000] "GET /" 200 12
	<34>1 2026-05-01T14:30:07Z www nginx 7 - - 192.0.2.1
	192.0.2.1, 198.51.100.7 - - [01/May/2026:14:30:07 +0000] "GET / HTTP/1.1" 200 12
	E
	dpcount --check --log=combined in 2>err | tr '\t' ' ' | sed "s/: '.*//
	    s/ with a line of --log=combined .*/ and holds combined)/
	    s/list: sed .* keeps/list, keeps/" >got
	diff - got <<-'E'
	in:1 value=1 step=1 host=192.0.2.1 user=frank
	in:2 nothing: the line does not match --log (it is one of --log=vhost)
	in:3 nothing: the line does not match --log (it is one of --log=lighttpd)
	in:4 nothing: the line does not match --log (it is one of --log=syslog, and holds combined)
	in:5 nothing: the line does not match --log (it is one of --log=rfc5424)
	in:6 nothing: the line does not match --log (its client is a list, keeps the first)
	E
	# behind something else, which the command that is named takes off
	client='2001:db8::1 - - [01/May/2026:14:30:07 +0000] "GET / HTTP/1.1" 200 12 "-" "x y"'
	for before in 'May  1 14:30:07 www nginx:' '<34>May 11 14:30:07 www haproxy[666]:' \
	    '2026-05-01T14:30:07Z www a[7]:' '2026-05-01T14:30:07.5Z stdout F' 'web-1  |' \
	    '<34>1 2026-05-01T14:30:07Z www nginx 7 - -' 'May  1 14:30:07'; do
		echo "$before $client" >>behind
	done
	dpcount --check --log=combined behind >got 2>err
	sed -nE 's/.*first: (sed -E .*)\): .*/\1/p' got >cures
	[ "$(grep -nE ' of --log=combined, behind .*: take that off' got | grep -cE '^[57]:')" = 2 ]
	[ "$(sed -n '5p;7p' behind | paste -d '\n' - cures | while read -r line && read -r cure; do
		eval "$cure" <<<"$line"
	done | grep -cxF "$client")" = 2 ]
	# and behind a header the log that is named reads it
	sed -nE 's/.*header: (--log=[a-z0-9]+[+]combined)\): .*/\1/p' got >cures
	[ "$(sed '5d;7d' behind | paste -d '\n' - cures | while read -r line && read -r cure; do
		dpdistinct -qe inf --once "$cure" -v agent <<<"$line"
	done 2>/dev/null | tr -d '\n')" = 11111 ]
	# others' lines, and whose client comes before
	printf '%s\n' 'May  1 14:30:07 www sshd[4]: Failed' "192.0.2.1 $client" "::1, $client" \
	    '#Fields: date' 'w 2026/05/01 14:30:07 [error] 7#7: *1 x, client: 192.0.2.1' >in2
	dpcount --check --log=nginx-error in2 2>err | sed "s/.*--log (//; s/): '.*//
	    s/: take that off first: sed -E 's.*{1}.*//" >got
	diff - got <<-'E'
	it is one of --log=syslog
	--cut reads lines of any form
	--cut reads lines of any form
	a log that begins with #Fields is read with -H in place of --log
	a line of --log=nginx-error, behind something else
	E
	head -n 1 in >one
	checks dpcount --check --log=common -u ident -c 1 one <<-'E'
	one:1 nothing: no user (field ident is -)
	E
	checks dpcount --check --log=common -u user -c 1 one <<-'E'
	one:1 value=1 step=1 user=frank host=192.0.2.1
	E
	checks dpdistinct --check --log=combined -v host one <<-'E'
	one:1 identifier=192.0.2.1 step=1 host=192.0.2.1 user=frank
	E
	echo '[Fri May 01 12:00:00 2026] [error] [client ::1] x' >one
	checks dpcount --check --log=apache-error one <<<'one:1 value=1 step=1 client=::1'
	echo 192.0.2.1 - - x >one
	checks dpcount --check --cut='^(?<host>[^ ]+)' one <<<'one:1 value=1 step=1'
	printf '%s\n' 192.0.2.1:80 '[::1]:80' 192.0.2.1 ::1:80 x:80 192.0.2:80 192.0.2.1: >in
	dpdistinct --check in 2>err | tr '\t' ' ' | grep -c 'in:[12] .* (with its port,' |
	    grep -x 2
	dpdistinct --check in 2>err | grep -c port | grep -x 2
	dpcount --check -m . -u 1 -c 1 in 2>err | grep -c port | grep -x 2
}

@test "what will surprise: by the right counts, in order; nothing of what is right; -q" {
	printf '%s\n' 1 21.25 -3 250 '1e2' '7,5' 0.50 100 >in
	dpcount --check -r 0:100 -v 1 in 2>&1 >/dev/null |
	    sed '1,2d; s/^dpcount: //; s/, count as the end that is nearer//; s/ (a range.*//' >got
	diff - got <<-'E'
	of 8 lines 6 count
	1 value is written as '7,5': --decimal=,
	2 values outside -r 0:100, here from -3 to 250: -r -3:250 holds these
	2 values are rounded, as '21.25', to the decimals of -r 0:100: -r 0.00:100.00 keeps more
	E
	dpcount --check -q -r 0:100 -v 1 in 2>&1 >/dev/null | grep -c . | grep -qx 1
	# as they should be; decimals that the grid has, -m, keys, an end of the range
	printf '%s\n' '1 a' '100 b' '2.50 a' '1e1 b' >in
	for a in '-v 1 -r 0.0:100.0' '-m . -v 1' '-k 2 --keys=a,b' '-v 1 -r auto' '-u 2 -c 2'; do
		# shellcheck disable=SC2086
		dpcount --check $a in 2>&1 >/dev/null | sed '/values: /d; /PRIVATE/d; /left out/d'
	done >got
	[ ! -s got ]
	# controls are not shown, and texts are cut off
	{ printf 'A\033\n'; printf '%0300d,\n' 0; } >in
	dpcount --check -k 1 --keys=$'a\033' in >got 2>&1 || :
	dpcount --check -v 1 -r 0:9 --once in >>got 2>&1
	run ! grep -q "$(printf "\033")" got
	awk 'length > 900 { exit 1 }' got
	: >in
	dpcount --check -m . in 2>&1 | grep -qx 'dpcount: there are no lines'
}

@test "--public-times: late lines are in the open bucket; a far time is wrong; --live" {
	printf '%s\n' 2026-05-03 2026-05-01 2099-01-01 2026-05-04 2099-01-01 >in
	set -- -t 1 --time-format=iso --bucket=1d
	checks dpcount --check "$@" --public-times in <<-'E'
	in:1 value=1 time=2026-05-03T00:00:00Z step=2026-05-03T00:00:00Z
	in:2 value=1 time=2026-05-01T00:00:00Z step=2026-05-03T00:00:00Z
	in:3 nothing: a run ends here: more empty buckets to the first one than --gap allows
	in:4 value=1 time=2026-05-04T00:00:00Z step=2026-05-04T00:00:00Z
	in:5 nothing: more empty buckets before it than --gap allows
	E
	checks dpcount --check "$@" --live <<<2026-05-03 <<-'E'
	E
}

@test "identifiers, symbols, many numbers, every tool" {
	printf '%s\n' a '' b -a >in
	checks dpdistinct --check --deletes --universe=a,c in <<-'E'
	in:1 identifier=a step=1
	in:2 nothing: the identifier is empty
	in:3 nothing: not in the universe: 'b'
	in:4 undone=a step=4
	E
	checks dplocal --check --domain=a,c in <<-'E'
	in:1 symbol=a step=1
	in:2 nothing: no symbol of --domain is ''
	in:3 nothing: no symbol of --domain is 'b'
	in:4 nothing: no symbol of --domain is '-a'
	E
	printf '%s\n' '1 0 1' 2:1 '1 x 3' >in
	checks dpmaxsum --check --columns=3 in <<-'E'
	in:1 value=1:1,3:1 step=1
	in:2 value=2:1 step=2
	in:3 nothing: not a decimal number: '1 x 3'
	E
	printf 'query,a,b\nq,1,0\n' >q
	printf '%s\n' a W/MA >in
	checks dpproject --check --queries=q in <<-'E'
	in:1 symbol=a step=1
	in:2 nothing: no column of --queries is named 'W/MA'
	E
	echo 1 >in
	checks dpwindow --check -w 3 in <<<'in:1 value=1 step=1'
	checks dpdecay --check -a .5 in <<<'in:1 value=1 step=1'
	checks dptop --check --once in <<<'in:1 name=1'
	checks dptransform --check --sensitivity=1 --changes=2 --distance=9 in \
	    <<<'in:1 value=1 step=1'
	[ "$(head -n 1 err)" = 'dptransform: values: each whole line as a number' ]
	checks dpexperts --check --columns=1 in <<<'in:1 value=1:1.000 step=1'
	checks dpmap --check -t 1 --time-format=epoch --bucket=1h --from=0 --to=7200 --shard=a in \
	    <<<'in:1 value=1 time=1970-01-01T00:00:01Z step=1970-01-01T00:00:00Z'
}

@test "what lines hold cannot move the cursor, or flood the screen" {
	printf 'a\033[2Jb\r\tc\n\302\233d\n\233d\n' >in
	{ head -c 5000 /dev/zero | tr '\0' x; echo; } >>in
	dpcount --check in >got 2>err
	run ! grep -q "$(printf "\033")" got
	grep -qF "'a?[2Jb??c'" got
	grep -qF "'??d'" got
	grep -qF "'?d'" got
	[ "$(tail -n 1 got | wc -c)" -lt 200 ]
}

@test "it takes no epsilon and no state; reads the place of malformed lines; says so of files" {
	echo 1 >in
	fails 2 dpcount -e 1 --check in
	[[ $stderr == *'--check takes no --epsilon'* ]]
	fails 2 dpcount --check --state=s in
	[[ $stderr == *'--check: refused with --state'* ]]
	[ ! -e s ]
	fails 2 dpcount --check --explain in
	fails 2 dpcount --check --bucket=1d --from=0 --to=86400 --partial in
	[[ $stderr == *'--check: refused with --partial'* ]]
	fails 2 dplocal --check --domain=a,b --estimate in
	[[ $stderr == *'--check: refused with --estimate'* ]]
	fails 2 dpcount --check --bucket=1d -t 1 --time-format=epoch in
	fails 3 dpcount --check nowhere
	fails 1 sh -c 'exec dpcount --check in >/dev/full'
	[[ $stderr == *'standard output'* ]]
	fails 2 dpcount in
	[[ $stderr == *'--epsilon is required'* ]]
}

# shown COMMAND: standard error, and all, of a terminal
shown() {
	script -qec "$1" /dev/null </dev/null | tr -d '\r'
}

@test "a person at a terminal is told how lines are read, in one line; -q, a pipe: nothing" {
	terminal
	bits 5 >in
	shown 'dpcount -e 1 -T 5 in' >got
	[ "$(wc -l <got)" -eq 6 ]
	[ "$(grep -v '^-*[0-9]*$' got)" = \
	    "$BARE" ]
	shown 'dpcount -e 1 -T 5 in >/dev/null' | grep -c . | grep -x 1
	shown 'dpcount -e 1 -q -T 5 in >/dev/null' >got
	[ ! -s got ]
	dpcount -e 1 -T 5 in 2>err >got
	[ ! -s err ]
	# but of a file whose name says that its lines are no bare numbers
	for name in access.log events.jsonl sales.csv; do
		: >$name
		dpcount -e 1 -T 5 $name 2>err
		[ "$(<err)" = "$BARE" ]
		for more in '-m .' '-q' '-r 0:9' '--csv -v 1 -r 0:9'; do
			# shellcheck disable=SC2086
			dpcount -e 1 -T 500 $more $name 2>err
			[ ! -s err ]
		done
	done
	shown 'dpcount -e 1 -T 5 --explain in' | silent_about 'values:' -
	while IFS='|' read -r args want; do
		shown "$args -e 1 in >/dev/null" | grep -E '^dp[a-z]+: [a-z]+s: ' >got
		[ "$(<got)" = "${args%% *}: ${want/@@/(-r), rounded to}" ] || {
			echo "$args"
			cat got
			return 1
		}
	done <<-'E'
		dpcount -T 9 -m x|values: 1 for each line that matches -m
		dpcount -T 9 -m x --invert-match|values: 1 for each line that does not match -m
		dpcount -T 9 -m x -v 2|values: 1 where -m matches field 2
		dpcount -T9 -v2 -r.0:99|values: the number in field 2, clamped to 0.0:99.0 @@ 0.1
		dpcount -T 9 --where=x|values: 1 for each line of --where
		dpcount -T 9 -u 2 -c 1|values: 1 for each line; users: field 2
		dpdistinct -T 9|identifiers: each whole line; -v says which field
		dpdistinct -T 9 -v 2|identifiers: field 2
		dplocal --domain=a,b|symbols: each whole line; -v says which field
		dpmaxsum -T 9 --select --columns=2|values: the numbers of each line
		dpmaxsum -T 9 --columns=2|values: the numbers of each line; who leads: --both
	E
}

@test "the line at a terminal does not depend on the input" {
	: >none
	printf 'x\n1e9\n\0\n' >odd
	shown 'dpcount -e 1 -T 5 none >/dev/null' >want
	shown 'dpcount -e 1 -T 5 odd >/dev/null' | diff want -
}

@test "README: the command that finds out why numbers are round 0, and what it prints" {
	awk '/^```/ { on = !on; next } on' RS='\n' "$BATS_TEST_DIRNAME/../../README.md" |
	    grep -A1 -e '| dpwindow --check' >command
	[ "$(wc -l <command)" -eq 2 ]
	cp "$DP_BUILD/share/dputils/sample/access.log" .
	bash command 2>err | sed 's/\t/  /g' >got
	grep '^    standard input:[123]  ' "$BATS_TEST_DIRNAME/../../README.md" | sed 's/^    //' |
	    diff - got
}

@test "an epsilon that protects little is said to, from the options alone" {
	bits 5 >in
	for args in '' --explain; do
		# shellcheck disable=SC2086
		dpcount -e 21/2 -T 5 $args in 2>err >got
		[ "$(<err)" = "dpcount: epsilon 10.5 protects little: who reads the output may \
become all but sure of what it should hide; 1 or less is a promise worth the name" ]
	done
	for args in '-e 10' '-e 11 -q' ; do
		# shellcheck disable=SC2086
		dpcount $args -T 5 in 2>err >got
		[ ! -s err ]
	done
	dpcount -e 11 --seed=1 -T 5 in 2>err >got
	silent_about 'protects little' err
	# said once, where the state begins
	dpcount -e 11 -T 5 --state=s --init in 2>err >got
	grep -q 'protects little' err
	dpcount --state=s in 2>err >got || [ $? = 4 ]
	silent_about 'protects little' err
}

@test "a narrow terminal: --help and --explain go on below, under their text; a pipe gets lines" {
	terminal
	for args in --help '-e 1 -T 365 --explain' '-e 1 -T 365 --help=all'; do
		# shellcheck disable=SC2086
		COLUMNS=40 dpcount $args >wide
		for width in 40 72; do
			shown "stty cols $width; dpcount $args" >narrow
			# a command is left alone, to be copied
			awk -v w="$width" 'length > w && !/^ +[^ ]+.*(access[.]log|\\$|dpcount)/ &&
			    !/^      --budget=/ { print; long = 1 } END { exit long }' narrow
			diff <(tr -s ' \n' '\n\n' <wide) <(tr -s ' \n' '\n\n' <narrow)
		done
		[ "$(wc -l <narrow)" -gt "$(wc -l <wide)" ] || [ "$args" = --help ]
		shown "stty cols 400; dpcount $args" | diff wide -
	done
	shown 'stty cols 40; dpcount -e 1 -T 365 --explain=json' | jq -e .mechanism
	fails 1 sh -c 'dpcount --help >/dev/full'
}
