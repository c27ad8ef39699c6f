# SPDX-License-Identifier: ISC
# Lines cut by a pattern, the patterns of common logs, and which lines are events (--where).
load ../lib/helper

DATA=$BATS_TEST_DIRNAME/../../../shared/data

# usage WORDS ARG ...: refused before anything is read or printed, in these words
usage() {
	fails 2 dpcount -e 1 "${@:2}" in
	[ -z "$output" ] && [[ $stderr == *"$1"* ]] || {
		echo "not '$1': $stderr"
		return 1
	}
}

# last ARG ...: the last line of what is exact; with --strict it is the same, so all was read
last() {
	final exact "$@" >plain
	final exact --strict "$@" >strict
	cmp plain strict && printf '%s\n' "$(<plain)"
}

# unfold: a line that ends in a blank and + goes on in the next
unfold() {
	sed -e :a -e '/ +$/ { N; s/+\n//; ta' -e '}'
}

# May 2026 in one bucket
month='-q --bucket=31d --from=2026-05-01 --to=2026-05-31'	# a part of two buckets

@test "--cut: groups are fields, by name and by number; what does not match is nothing" {
	printf 'x=1 y=20\nx=2 y=30;\nx=3\n\ny=1 x=1\n' >in
	printf '%s\n' 20 50 50 50 50 >sums
	prints exact -r 0:99 --cut='x=(?<x>\d) y=(?<why>\d+)' -v why in <sums
	prints exact -r 0:99 --cut='x=(?<x>\d) y=(?<why>\d+)' -v 2 in <sums
	printf '%s\n' 1 2 2 2 2 | prints exact -r 0:99 --cut='x=(?<x>\d) y=(?<why>\d+)' in
	# the whole line, and a key
	printf '%s\n' '1	0' '1	1' '1	1' '1	1' '1	1' |
	    prints exact --cut='^x=(?<x>\d) (?<rest>.*)' -k rest --keys='y=20,y=30;' in
	fails 3 exact --strict --cut='x=(?<x>\d) y=(?<y>\d+)' in
	grep -qx 'dpcount: in:3: the line does not match --cut' err
}

@test "--cut: an empty value is 0, a group that is not used is no field" {
	printf 'a 5\na -\na\n' >in
	printf '%s\n' 5 5 5 | prints exact -r 0:9 --cut='^a(?: (?:(?<n>\d+|(?=-))))?' -v n in
	fails 3 exact --strict -r 0:9 --cut='^a(?: (?:(?<n>\d+|(?=-))))?' -v n in
	grep -qx 'dpcount: in:3: field n: the field is missing' err
}

# hours ARG ...: where something is counted in a run by the hour, on May 1st, 2026; its values
hours() {
	exact -t "${time-t}" -v v -r 0:9 --time-format=iso --bucket=1h --from=2026-05-01 \
	    --to=2026-05-02 "$@" in | awk '$2 != last { printf "%s%s=%d", sep, substr($1, 12, 2),
		$2 - last; sep = " "; last = $2 } END { print "" }'
}

@test "--cut: a time that is whole in its group has no zone in the next" {
	cut='^(?<t>\S+) (?<delta>\S+) (?<v>\S+)'
	for delta in +0230 -0200 -1260 IST Z 10:00 x; do
		echo "2026-05-01T10:00:00 $delta 7" >in
		[ "$(hours --strict --cut="$cut")" = 10=7 ]
	done
	# nor is it in the one behind the time of day, but in that
	cut='^(?<t>\S+) (?<h>\S+) (?<delta>\S+) (?<v>\S+)'
	echo '2026-05-01 10:00:00 +0230 7' >in
	[ "$(hours --strict --cut="$cut")" = 10=7 ]
	echo '2026-05-01 10:00:00+0230 x 7' >in
	[ "$(hours --strict --cut="$cut")" = 07=7 ]
	cut='^(?<t>\S+) (?<h>\S+ \S+) (?<v>\S+)'
	echo '2026-05-01 10:00:00 +0230 7' >in
	[ "$(hours --strict --cut="$cut")" = 07=7 ]
	# unless -t names it
	cut='^(?<t>\S+) (?<z>\S+) (?<v>\S+)'
	echo '2026-05-01T10:00:00 +0230 7' >in
	[ "$(time=t,z hours --strict --cut="$cut")" = 07=7 ]
}

@test "--cut: a time of day is in the next group that begins after the date's" {
	echo '2026-05-01 10:00:00 7' >in
	for date in '(?<y>\d+)-\S+' '(?<y>(\d)\d+)-(?<m>\d\d)-(?<d>\d\d)' '\S+(?<rest>\b)' \
	    '\d+(?=-(?<rest>.*))\S+'; do
		[ "$(hours --strict --cut="^(?<t>$date) (?<h>\S+) (?<v>\S+)")" = 10=7 ]
	done
	[ "$(hours --strict --cut='^(?<t>\S+) (?<h>(?<hh>..)\S+) (?<v>\S+)')" = 10=7 ]
	# what is not there is not passed over
	fails 3 dpcount -e 1 --strict -t t -v v -r 0:9 --time-format=iso --bucket=1h \
	    --from=2026-05-01 --to=2026-05-02 --cut='^(?<t>\S+)(?<x>X)? (?<h>\S+) (?<v>\S+)' in
}

@test "--cut: bytes of any kind, long lines, a text beyond the match limit" {
	printf 'a\000b\377 1\n' >in
	echo 1 | prints exact --cut='^(?<a>[^ ]{4}) (?<n>.)' -v n -r 0:1 in
	awk 'BEGIN { while (n++ < 100000) printf "a"; print "b 1" }' >in
	echo 1 | prints exact --cut='^(?<a>a+b) (?<n>.)' -v n -r 0:1 in
	{
		awk 'BEGIN { while (n++ < 64) printf "a"; print "" }'
		echo 'ab 1'
	} >in
	printf '0\n1\n' | prints exact --cut='^(?<a>(a+)+b) (?<n>.)' -v n -r 0:1 in
}

@test "--cut: patterns and fields that are refused" {
	echo 1 >in
	usage '--cut: no group has a name' --cut='(\d)'
	usage '--cut: at offset' --cut='(?<n>\d'
	usage 'have the same name' --cut='(?<n>\d)(?<n>\d)'
	usage "two groups have the name 'n'" --cut='(?J)(?<n>\d)(?<n>\d)'
	usage 'more than 64 groups' --cut="(?<n>.)$(printf '(.)%.0s' {1..64})"
	usage "'m' is not a field of --cut, whose fields are n" --cut='(?<o>.)(?<n>\d)' -v m -r 0:1
	usage 'field 3: --cut has only 2 groups' --cut='(?<o>.)(?<n>\d)' -v 3 -r 0:1
	usage 'UTF' --cut='(*UTF)(?<n>\d)'
	for a in --json --csv --tsv '-F ,' -H --log=common; do
		# shellcheck disable=SC2086
		usage 'do not go together' --cut='(?<n>\d)' $a
	done
	usage "--log: 'apach' is none of common, combined, vhost, lighttpd, traefik" \
	    --log=apach
	for l in apache nginx; do
		usage 'w3c, csvlog (its access log is combined; --log=list says' --log=$l
	done
	usage "'n' is the name of a field: names need -H, --cut, --log or --json" -v n -r 0:1
	# 64 groups are 64 fields
	printf '%s\n' 1 | prints exact -v n -r 0:1 in \
	    --cut="(?<n>.)$(printf '(?:.?)(.?)%.0s' {1..63})"
}

@test "--log: a line of each has the fields that the manual says" {
	unfold >web <<-'END'
		192.0.2.1 - frank [01/May/2026:12:00:00 +0200] "GET /a?b=%22 HTTP/1.1" 404 +
		2326 "http://x/" "Mozilla/5.0 (\"x\")"
		2001:db8::1 - - [01/May/2026:12:00:00 +0000] "-" 408 - "-" "-"
		192.0.2.2 - two words [02/May/2026:12:00:00 +0000] "GET /\"q\" HTTP/2.0" +
		200 5 "-" "curl/8" 0.004
		192.0.2.3 - - [02/May/2026:12:00:00 +0000] "\x16\x03\x01" 400 150
		192.0.2.4 - - [02/May/2026:12:00:00 +0000] "GET /cut HTTP/1.1" 404 7 "-" "Mozi
	END
	for log in common combined; do
		[ "$(last --log=$log $month web)" = 5 ]
		[ "$(last --log=$log $month -v size -r 0:9999 web)" = 2488 ]
		[ "$(last --log=$log $month --where='status~^404$' -v size -r 0:9999 web)" = 2333 ]
	done
	key() {
		final exact --log="$log" $month -k "$1" --keys="$2" "${@:3}"
	}
	log=combined
	[ "$(key user 'frank,-,two words' web)" = $'1\t3\t1' ]
	[ "$(key method 'GET,-' web)" = $'3\t0' ]
	[ "$(key path '/a?b=%22,/\"q\",/cut' web)" = $'1\t1\t1' ]
	[ "$(key protocol 'HTTP/1.1,HTTP/2.0' web)" = $'2\t1' ]
	[ "$(key request '-,\x16\x03\x01' web)" = $'1\t1' ]
	[ "$(key agent 'Mozilla/5.0 (\"x\"),-,curl/8,Mozi' web)" = $'1\t1\t1\t1' ]
	[ "$(key host '2001:db8::1,192.0.2.3' web)" = $'1\t1' ]
	unfold >vhosts <<-'END'
		www.x.org:443 192.0.2.1 - two words [01/May/2026:12:00:00 +0000] +
		"GET /a HTTP/1.1" 404 2326 "http://x/" "M"
		x.org 2001:db8::1 - - [01/May/2026:12:00:00 +0000] "-" 408 -
	END
	log=vhost
	[ "$(last --log=$log $month vhosts)" = 2 ]
	[ "$(key vhost,port,user 'www.x.org/443/two words' vhosts)" = 1 ]
	[ "$(key vhost,host 'x.org/2001:db8::1' vhosts)$(key port 443,80 vhosts)" = $'11\t0' ]
	[ "$(key method,agent 'GET/M' vhosts)" = 1 ]
	echo '192.0.2.1 x.org:80 frank [01/May/2026:12:00:00 +0000] "GET /" 200 5 "-" "M"' >l
	log=lighttpd
	[ "$(last --log=$log $month l)$(key host,vhost,user 192.0.2.1/x.org:80/frank l)" = 11 ]
	cat >sys <<-'END'
		May  1 12:00:00 www sshd[24200]: Failed password for root
		May 12 12:00:00.123456 www postfix/smtpd[7]: connect
		2026-05-03T12:00:00.000001+02:00 www kernel: [0.1] x: y
		May  4 12:00:00 www last message repeated 2 times
		<34>May  5 12:00:00 www su: x
	END
	for log in syslog journal; do
		[ "$(last --log=$log $month sys)" = 5 ]
		[ "$(key program sshd,postfix/smtpd,kernel,su,last sys)" = $'1\t1\t1\t1\t0' ]
		[ "$(key pid 24200,7 sys)" = $'1\t1' ]
		[ "$(key priority 34 sys)" = 1 ]
		[ "$(key message 'Failed password for root,[0.1] x: y' sys)" = $'1\t1' ]
	done
	unfold >rfc <<-'END'
		<165>1 2026-05-01T12:00:00.003Z host app 8710 ID47 - message x
		<165>1 2026-05-01T12:00:00.003-07:00 host app - ID47 [a@1 i="3" +
		j="]\""][b@2 k="x"] message
		<34>1 2026-05-02T12:00:00Z host su - - -
	END
	log=rfc5424
	[ "$(last --log=$log $month rfc)" = 3 ]
	[ "$(key message 'message x,message' rfc)" = $'1\t1' ]
	[ "$(key data '-,[a@1 i="3" j="]\""][b@2 k="x"]' rfc)" = $'2\t1' ]
	[ "$(key msgid 'ID47,-' rfc)" = $'2\t1' ]
	unfold >nginx <<-'END'
		2026/05/01 12:00:00 [error] 12#34: *5 open() "/a, b" failed (2: No such +
		file), client: 192.0.2.1, server: x.org, request: "GET /a HTTP/1.1", host: +
		"x.org"
		2026/05/01 12:00:00 [notice] 1#1: signal process started
	END
	log=nginx-error
	[ "$(last --log=$log $month nginx)" = 2 ]
	[ "$(key level error,notice nginx)" = $'1\t1' ]
	[ "$(key client 192.0.2.1 nginx)$(key path /a nginx)$(key connection 5 nginx)" = 111 ]
	[ "$(key message 'signal process started' nginx)" = 1 ]
	unfold >apache <<-'END'
		[Fri May 01 12:00:00.123456 2026] [core:error] [pid 35708:tid 4328636416] +
		[client 192.0.2.1:53244] AH00126: Invalid URI
		[Fri May 01 12:00:00 2026] [notice] Apache configured
		[Fri May  1 12:00:00.1 2026] [mpm_event:notice] [pid 7:tid 8] +
		(13)Permission denied: AH1: x
		[Fri May 01 12:00:00 2026] [error] [client ::1] File does not exist
	END
	log=apache-error
	[ "$(last --log=$log $month apache)" = 4 ]
	[ "$(key level error,notice apache)" = $'2\t2' ]
	[ "$(key client 192.0.2.1,::1 apache)$(key port 53244 apache)" = $'1\t11' ]
	[ "$(key message 'AH00126: Invalid URI,Apache configured,AH1: x' apache)" = $'1\t1\t1' ]
	[ "$(key pid 35708,7 apache)" = $'1\t1' ]
}

@test "--log: a line of each proxy, service, container and database has its fields" {
	key() {
		final exact --log="$log" $month -k "$1" --keys="$2" "${@:3}"
	}
	sum() {
		last --log="$log" $month -v "$1" -r "$2" "${@:3}"
	}
	log=traefik
	unfold >in <<-'END'
		192.0.2.1 - frank [01/May/2026:12:00:00 +0000] "GET /a HTTP/1.1" 404 23 "-" "M" +
		17 "web@docker" "http://10.0.0.2:80" 30ms
	END
	[ "$(key host,router 192.0.2.1/web@docker in)$(key server http://10.0.0.2:80 in)" = 11 ]
	[ "$(sum ms 0:99 in)$(sum count 0:99 in)$(sum size 0:99 in)" = 301723 ]
	log=haproxy
	unfold >in <<-'END'
		192.0.2.1:33317 [01/May/2026:12:00:00.655] in~ web/srv1 10/0/30/69/109 200 2750 +
		- - ---- 1/1/1/1/0 0/0 {x.org|y} {} "GET /index.html HTTP/1.1"
		192.0.2.2:33318 [01/May/2026:12:00:01.655] in~ in/<NOSRV> -1/-1/-1/-1/0 400 187 +
		- - PR-- 2/1/0/0/0 0/0 "<BADREQ>"
		192.0.2.2:33318 [01/May/2026:12:00:01.655] in~ in/<NOSRV> 0/-1/-1/-1/-1 503 +187 +
		- - PR-- 2/1/0/0/0 0/0 "<BADREQ>"
	END
	[ "$(key frontend,server 'in~/srv1,<NOSRV>' in)$(key backend web,in in)" = $'1\t21\t2' ]
	[ "$(sum ms 0:999 in)$(sum size 0:9999 in)$(key path /index.html in)" = 10931241 ]
	[ "$(key host,port 192.0.2.1/33317 in)$(key termination ----,PR-- in)" = $'11\t2' ]
	sed 's/^/May  1 12:00:00 lb haproxy[14389]: /' in >sys
	log=syslog+haproxy
	[ "$(key program,pid,backend haproxy/14389/web sys)$(sum ms 0:999 sys)" = 1109 ]
	log=squid
	unfold >in <<-'END'
		1777636800.779    180 192.0.2.1 TCP_MISS/200 411 GET http://x/ frank +
		DIRECT/1.2.3.4 -
		1777636800.779     -1 192.0.2.1 TCP_DENIED/407 11 CONNECT x:443 - HIER_NONE/- x/y
	END
	[ "$(key user,status,peer frank,-/200,407/1.2.3.4,- in)" = $'1\t0\t0\t0\t0\t0\t0\t1' ]
	[ "$(sum ms 0:999 in)$(sum size 0:999 in)$(key method CONNECT in)" = 1804221 ]
	log=alb
	unfold >in <<-'END'
		https 2026-05-01T12:00:00.186641Z app/lb/50dc 192.0.2.1:2817 10.0.0.1:80 0.001 +
		0.25 0.000 200 201 34 366 "GET http://x:80/a HTTP/1.1" "curl" - - arn "Root=1"
		2026-05-01T12:00:00Z lb 192.0.2.1:2817 - -1 -1 -1 503 0 34 6 "GET http://x/" +
		"c" - -
	END
	[ "$(key type,host,target https/192.0.2.1/10.0.0.1:80 in)" = 1 ]
	[ "$(key status 200,503 in)" = $'1\t1' ]
	[ "$(sum target_time 0.00:9.99 in)$(sum size 0:999 in)$(key agent curl in)" = 0.253721 ]
	log=s3
	unfold >in <<-'END'
		79a59df900b949e5 b [01/May/2026:12:00:00 +0000] 192.0.2.3 arn:aws:x 3E57 +
		REST.GET.OBJECT a/b.html "GET /a/b.html?x=%22 HTTP/1.1" 200 - 113 300 7 6 "-" "S3" -
		79a59df900b949e5 b [01/May/2026:12:00:00 +0000] - AmazonS3 3E57 +
		S3.EXPIRE.OBJECT a/c.html - - - - 40 - - - - -
	END
	[ "$(key operation REST.GET.OBJECT,S3.EXPIRE.OBJECT in)$(key key a/c.html in)" = $'1\t11' ]
	[ "$(sum size 0:999 in)$(sum object_size 0:999 in)$(sum ms 0:99 in)" = 1133407 ]
	[ "$(dpdistinct -qe inf --once -v host --log=s3 in)" = 1 ]
	log=postgres
	cat >in <<-'END'
		2026-05-01 12:00:00.123 UTC [77] web@shop LOG:  duration: 52.114 ms
		2026-05-01 12:00:00 +02 [78] FATAL:  the database system is shutting down
	END
	[ "$(key level,database LOG/shop in)$(key pid,level 78/FATAL in)" = 11 ]
	echo '2026-05-01 12:00:00.1 UTC [7] [unknown]@[unknown] LOG:  connection received' >>in
	[ "$(key database [unknown] in)$(dpdistinct -qe inf --once -v user --log=$log in)" = 11 ]
	log=cri
	cat >in <<-'END'
		2026-05-01T12:00:00.123456789Z stderr F a: b
		2026-05-01T12:00:00.1+02:00 stdout P half of
	END
	[ "$(key stream,flag,message 'stderr/F/a: b' in)$(key message,flag 'half of/P' in)" = 11 ]
	log=caddy
	unfold >in <<-'END'
		{"level":"info","ts":1.7776368e+09,"request":{"remote_ip":"192.0.2.1", +
		"uri":"/a","headers":{"Accept":["text/html","*/*"]}},"duration":2.5e-1,"status":200}
	END
	[ "$(key 'request.headers.Accept[1]' '*/*' in)$(key request.uri /a in)" = 11 ]
	[ "$(sum duration 0.00:9.99 in)" = 0.25 ]
	log=journald
	unfold >in <<-'END'
		{"__REALTIME_TIMESTAMP":"1777636800366836","MESSAGE":"x\u0041","_COMM":"sshd"}
		{"__REALTIME_TIMESTAMP":"1777636800366836","MESSAGE":[120,65],"_COMM":null}
		{"__REALTIME_TIMESTAMP":"1777636800366836","MESSAGE":["x","A"],"_COMM":["a"]}
	END
	[ "$(key MESSAGE xA in)$(key _COMM sshd in)" = 21 ]
	log=docker
	unfold >in <<-'END'
		{"log":"{\"level\":\"error\",\"ms\":120}\n","stream":"stdout", +
		"time":"2026-05-01T12:00:00.669794202Z"}
		{"log":"level\n","stream":"stderr","time":"2026-05-01T12:00:00Z"}
	END
	[ "$(key log.level error in)$(key stream stderr,stdout in)" = $'11\t1' ]
	[ "$(exact --log=docker --once -v log.ms -r 0:999 in)" = 120 ]
}

@test "--log=ltsv, logfmt: pairs by their names; what is no pair makes the line malformed" {
	printf '%b\n' 'time:[01/May/2026:12:00:00 +0000]\thost:192.0.2.1\tms:5\treq:GET /a:b "x"' \
	    'host:-\ttime:[01/May/2026:12:00:00 +0000]\tms:\tms:7' >ltsv
	[ "$(last --log=ltsv $month -v ms -r 0:9 ltsv)" = 12 ]
	[ "$(exact --log=ltsv --once --where='req~^GET /a:b "x"$' -m . ltsv)" = 1 ]
	[ "$(dpdistinct -qe inf --once --log=ltsv -v host ltsv)" = 1 ]
	printf '%s\n' 'time=2026-05-01T12:00:00Z level=info msg="a \"b\" c\n" ms=5' \
	    'level=warn  msg= time="2026-05-01T12:00:00Z" ms=1 ms=7 ' \
	    'ms=2 time=2026-05-01T12:00:00Z url=/a?b=c' >logfmt
	[ "$(last --log=logfmt $month -v ms -r 0:9 logfmt)" = 14 ]
	[ "$(exact --log=logfmt --once --where='msg~^a "b" c\n$' -m . logfmt)" = 1 ]
	[ "$(exact --log=logfmt --once -k url --keys='/a?b=c' logfmt)" = 1 ]
	# no lines of theirs: a word, an open quote, what follows a quote, a name of other bytes
	printf '%s\n' 'a=1 b' 'a="1' 'a="1"2' 'a="1\' '1=2' '=2' 'a=1"2' ' a=1' 'b a=1' '' '?a=1' \
	    'a=1	b=2' >bad
	for i in 1 2 3 4 5 6 7 8 9 10 11; do
		sed -n ${i}p bad >in
		fails 3 exact --strict --log=logfmt -v a -r 0:9 in
		grep -q 'in:1: the line does not match --log' err
	done
	printf 'INFO:x:y\na:1\tb\na:1\t\tb:2\na:1 b:2\na b:1\tc:1\n\n' >bad
	for i in 1 2 3 4 5 6; do
		sed -n ${i}p bad >in
		fails 3 exact --strict --log=ltsv -v a -r 0:9 in
	done
	dpcount --check --log=combined --once <(tail -n 1 logfmt) <(tail -n 1 ltsv) >got 2>err
	grep -c 'it is one of --log=logfmt\|it is one of --log=ltsv' got | grep -x 2
	fails 2 dpcount -e 1 -T 9 -P --log=ltsv -m . ltsv
}

@test "--log=w3c: the header's fields, in all of a file; other files are refused" {
	unfold >iis <<-'END'
		#Software: Microsoft Internet Information Services 8.5
		#Fields: date time c-ip sc-status time-taken
		2026-05-01 00:00:08 192.0.2.1 200 44
		#Fields: date time sc-status c-ip time-taken
		2026-05-01 23:59:59 - 404 1
		2026-05-02 00:00:00 192.0.2.2 500 5
	END
	set -- --log=w3c --bucket=1d --from=2026-05-01 --to=2026-05-03
	dpwindow -qe inf -w 1 "$@" -k sc-status --keys=200,404,500 iis 2>err | tr '\t' ' ' >got
	diff - got <<-'E'
	2026-05-01T00:00:00Z 1 1 0
	2026-05-02T00:00:00Z 0 0 1
	E
	[ "$(dpdistinct -qe inf --once --log=w3c -v c-ip iis 2>err)" = 2 ]
	tr ' ' '\t' <iis | sed 's/^\(#Fields:\)\t\(.*\)/\1 \2/' >cloudfront
	dpwindow -qe inf -w 1 "$@" -v time-taken -r 0:99 cloudfront 2>err | cut -f 2 | diff - <(
	    printf '%s\n' 45 5)
	echo 'date time' >in
	usage "a log of W3C's format begins with lines such as #Version: and #Fields:" --log=w3c \
	    --once -m .
	usage 'logs that begin with #Fields are w3c' --log=iis
	usage 'a private run does not guess from the data' --log=auto
	echo '{"id":"a","tags":["x","y"]}' >in
	usage 'the elements of an array (-k ARRAY[]) need -c K' --json -k 'tags[]' --keys=x --once
	[ "$(exact --json --once -k 'tags[1]' --keys=y in)" = 1 ]
	[ "$(jq -c '.tags[] as $x | . + {x: $x}' in | exact --json --once -k x --keys=x,y)" = \
	    $'1\t1' ]
}

@test "--log=auto: with --check the log of each line, and of most; without it is refused" {
	unfold >in <<-'END'
		192.0.2.1 - - [01/May/2026:12:00:00 +0000] "GET / HTTP/1.1" 404 2326 "-" "-"
		::1 - - [01/May/2026:12:00:00 +0000] "GET / HTTP/1.1" 404 2326 "-" "-"
		::1 - - [01/May/2026:12:00:00 +0000] "GET / HTTP/1.1" 404 2326
		May  1 12:00:00 www sshd[24200]: Failed password for root
		May  1 12:00:00 www nginx: ::1 - - [01/May/2026:12:00:00 +0000] +
		"GET /" 404 23 "-" "-"
		{"log":"::1 - - [01/May/2026:12:00:00 +0000] \"GET /\" 404 23 \"-\" \"-\"\n", +
		"time": +
		"2026-05-01T12:00:00Z"}
		{"log":"x","time":"2026-05-01T12:00:00Z"}
		{"ts":1777636800.1,"request":{"method":"GET"}}
		time=2026-05-01T12:00:00Z level=info
		2026-05-01T12:00:00Z stdout F x
		2026-05-01 08:31:00.365 UTC,"u","db",16,"x:59",57b5,2,"", +
		2026-05-01 08:31:00 UTC,,0, LOG,0,"a, b",,,,,,,,,""
		2026-05-01 08:31:00.365 UTC,"u","db"
		hello world
	END
	unfold >want <<-'END'
		combined combined common syslog syslog+combined docker+combined docker caddy +
		logfmt cri csvlog none none
	END
	dpcount --check --log=auto in 2>err | sed 's/.*\tlog=//' | tr '\n' ' ' >got
	[ "$(tr -s ' \n' ' ' <want)" = "$(cat got)" ]
	grep -qx 'dpcount: 2 of 13 lines: --log=combined' err
	grep -qx 'dpcount: 2 of 13 lines: no log that --log=list has .*' err
	grep -qx 'dpcount: give --log=combined, with --check once more' err
	# a line alone; a log by its first line
	head -n 3 in | dpdistinct --check --log=auto 2>err |
	    grep -qx 'standard input:3	log=common'
	printf '#Version: 1.0\n#Fields: a b\n1 2\n' >iis
	dpcount -q --check --log=auto iis in 2>err | grep -c 'log=w3c$' | grep -qx 3
	! grep -q 'once more' err
	for c in 'dpcount -e 1 -m x' 'dpcount -e 1 -m x -E' 'dpmap --once'; do
		fails 2 $c --log=auto in
		[[ $stderr == *'does not guess from the data; --check --log=auto names the form'* ]]
	done
	fails 2 dpcount --check --log=auto -k path in
	[[ $stderr == *'reads no field: leave out --key'* ]]
	fails 2 dpcount --check --log=auto --json in
	[[ $stderr == *'do not go together'* ]]
}

@test "--log=csvlog: PostgreSQL's columns by name, rows of several lines; no header is looked for" {
	unfold >in <<-'END'
		2026-05-01 08:31:00.365 UTC,"u","db",16576,"192.0.2.32:59633",57b5.40c0,2,"", +
		2026-05-01 08:31:00 UTC,,0,FATAL,57P03,"shutting down",,,,,,,,,""
		2026-05-01 09:00:00 UTC,"v","db",7,"[local]",57b5.1,1,"SELECT", +
		2026-05-01 08:00:00 UTC,3/1,0,LOG,00000,"duration: 52.1 ms  plan:
		Query, ""Text"": select",,,,,,,,,"psql","client backend",,77
		2026-05-02 09:00:00 UTC,,,8,,57b5.2,1,,2026-05-01 08:00:00 UTC,,0,LOG,00000, +
		"checkpoint",,,,,,,,,"","checkpointer",,0
	END
	set -- --log=csvlog --bucket=1d --from=2026-05-01 --to=2026-05-03
	dpwindow -qe inf -w 1 "$@" -k error_severity --keys=LOG,FATAL in 2>err | tr '\t' ' ' >got
	diff - got <<-'E'
	2026-05-01T00:00:00Z 1 1
	2026-05-02T00:00:00Z 1 0
	E
	[ "$(exact --once --log=csvlog -m . --where='message~plan:\nQuery, "Text"' <in)" = 1 ]
	# who is nobody is no user; a row of an old server has no query_id
	[ "$(dpdistinct -qe inf --once --log=csvlog -v user_name in 2>err)" = 2 ]
	[ "$(exact --once --log=csvlog -v query_id -r 0:99 in)" = 77 ]
	[ "$(exact --once --log=csvlog --let=a=connection_from:host -k a --keys=192.0.2.32 \
	    in)" = 1 ]
	# two files, and a state, have the names as well
	cp in two
	[ "$(exact --once --log=csvlog -k 2 --keys=u in two)" = 2 ]
	dpcount -q -e 1 -T 9 --state=s --init --log=csvlog -v query_id -r 0:1 in >got
	dpcount -q --state=s in >got
	wc -l <got | grep -qx 3
	dpwindow --check -w 1 "$@" -k error_severity --keys=LOG in 2>err >got
	grep -qx "in:1	nothing: the key is not declared: 'FATAL'" got
	grep -qF 'times: field log_time, iso, UTC; keys: field error_severity' err
	fails 2 dpcount -e 1 --once --log=csvlog -k level --keys=LOG in
	[[ $stderr == *"has no field 'level': it has 'log_time', 'user_name'"* ]]
	fails 2 dpcount -e 1 --once --log=csvlog --csv -m x in
	[[ $stderr == *'--log and --csv do not go together'* ]]
}

@test "--log-format: goaccess's and nginx's format strings, as they are written down" {
	cat >in <<-'END'
		192.0.2.1 - a [01/May/2026:12:00:00 +0200] "GET /a HTTP/1.1" 404 26 "" "M \"x\"" 0.5
		::1 - - [01/May/2026:12:00:00 +0000] "\x16" 400 - "http://x/" "curl" 1.25
		192.0.2.1 - - 01/May/2026 "GET /a HTTP/1.1" 404 26 "-" "-" 0.5
	END
	goaccess='%h %^[%d:%t %^] "%r" %s %b "%R" "%u" %T'
	nginx='$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '
	nginx+='"$http_referer" "$http_user_agent" $seconds'
	for f in "$goaccess" "$nginx"; do
		set -- --log-format="$f" --bucket=1d --from=2026-05-01 --to=2026-05-02
		[ "$(exact "$@" -v size -r 0:99 in)" = $'2026-05-01T00:00:00Z\t26' ]
		[ "$(exact "$@" -v seconds -r 0.00:9.99 in)" = $'2026-05-01T00:00:00Z\t1.75' ]
		[ "$(exact "$@" -k host --keys=192.0.2.1,::1 in | cut -f 2-)" = $'1\t1' ]
		[ "$(exact "$@" -k method,path,protocol --keys=@<(echo GET//a/HTTP/1.1) in |
		    cut -f 2-)" = 1 ]
		[ "$(exact "$@" -k request --keys='\x16' in | cut -f 2-)" = 1 ]
		[ "$(exact "$@" --where='agent~^M .{2}x..$' in | cut -f 2-)" = 1 ]
		[ "$(exact "$@" --where='status=404' --where='path=/a' in | cut -f 2-)" = 1 ]
	done
	echo '2026-05-01T12:00:00+02:00|a]b^c|5' >in
	[ "$(exact --log-format='$time_iso8601|$x]$y^$z|$size' --bucket=1d --from=2026-05-01 \
	    --to=2026-05-02 -v size -r 0:9 --where='x~^a$' --where='y~^b$' --where='z~^c$' in)" = \
	    $'2026-05-01T00:00:00Z\t5' ]
	usage 'has two fields with nothing between them' --log-format='%h%s'
	usage 'has a letter behind % that goaccess does not know' --log-format='%h %l %u'
	usage 'otherwise than as %d:%t' --log-format='%h %d %t'
	usage 'has no field: what goaccess has by a name --log has' --log-format=COMBINED
	usage 'has a $ without the name of a variable' --log-format='$1 x'
	usage 'two named subpatterns have the same name' --log-format='%h %h'
	usage '--log and --log-format do not go together' --log-format='%h %s' --log=combined
}

@test "--log, --log-format: who is - is nobody, as that stands for no value" {
	nobody() {	# FIELD OPTION: of two lines one has it
		[ "$(dpdistinct -qe inf --once -v "$1" "$2" in)" = 1 ]
		[ "$(exact "$2" --once -u "$1" --each-user=any -m . in)" = 1 ]
	}
	printf '::1 - %s [01/May/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 2 "-" "x"\n' a - >in
	nobody user --log=combined
	# shellcheck disable=SC2016
	nobody user --log-format='$remote_addr - $remote_user [$time_local] "$request" $status'
	nobody user --log-format='%h %^ %e [%d:%t %^] "%r" %s'
	for u in a -; do
		echo "::1:3 [1/May/2026:12:00:00] i w/s 1/0/3/6/1 200 2 $u - ---- 1/1/1/1 0/0 \"-\""
	done >in
	nobody request_cookie --log=haproxy
	for u in a -; do
		echo "2026-05-01T12:00:00Z lb 192.0.2.1:2817 - -1 -1 -1 503 0 34 6 \"-\" \"$u\" - -"
	done >in
	nobody agent --log=alb
	printf '<13>1 2026-05-01T12:00:00Z %s p - - - 2026-05-01T12:00:00Z stdout F x\n' a - >in
	nobody host --log=rfc5424
	nobody host --log=rfc5424+cri
	printf '2026-05-01 12:00:00 UTC [7] %s LOG:  x\n' a@b '[unknown]@[unknown]' >in
	nobody user --log=postgres
}

@test "--log=OUTER+LOG: the message of one is a line of another, and so are their fields" {
	local line='192.0.2.1 - a [01/May/2026:12:00:00 +0000] "GET /x HTTP/1.1" 200 5 "-" "M\"x\""'
	echo "May 20 12:00:00 www nginx[7]: $line" >syslog
	echo "<34>1 2026-05-20T12:00:00Z www nginx 7 - - $line" >rfc5424
	echo "2026-05-20T12:00:00+00:00 www nginx[7]: $line" >journal
	echo "2026-05-20T12:00:00Z stdout F $line" >cri
	jq -nc --arg m "$line" '{MESSAGE: $m, __REALTIME_TIMESTAMP: "1779278400000000"}' >journald
	jq -nc --arg m "$line"$'\r\n' '{log: $m, stream: "x", time: "2026-05-20T12:00:00Z"}' >docker
	for log in syslog rfc5424 journal cri journald docker; do
		# the inner line's time, and its fields by name
		[ "$(dpwindow -qe inf -w 1 --log=$log+combined --bucket=1d --from=2026-05-01 \
		    --to=2026-05-02 -u host -c 1/step -k user,agent --keys='a/M\"x\"' $log \
		    2>err)" = $'2026-05-01T00:00:00Z\t1' ]
		echo "$line" >>$log		# no line of it
		[ "$(exact --log=$log+common --once -v size -r 0:9 $log)" = 5 ]
	done
	: >in
	# of two fields of one name it is that of the inner line, else the outer one's
	log=syslog+combined
	[ "$(exact --log=$log --once -k host,program,pid --keys=192.0.2.1/nginx/7 syslog)" = 1 ]
	[ "$(exact --log=docker+combined --once -k stream --keys=x docker)" = 1 ]
	# a name that is misspelt, before a range that is missing
	usage "'statu' is not a field of --log, whose fields are host" --log=combined --once \
	    -v statu
	usage '--range is required' --log=combined --once -v size
	usage '--range is required' --log=combined --once --let=at=path:page -v at
	usage "'hots' is not a field of --log, whose fields are agent host" --log=$log -k hots \
	    --keys=a --once
	usage 'a line of combined has no line of another log in it' --log=combined+syslog
	usage "'x' is none of common" --log=x+common
	usage "'' is none of common" --log=syslog+
	usage 'docker has no pattern, and no other log has it as its message' --log=syslog+docker
}

@test "--log: what stands in front of the client is not the client" {
	local line='- - [08/Jan/2021:19:00:39 +0100] "GET / HTTP/1.1" 200 5 "-" "M"'
	local day='--bucket=1d --from=2021-01-08 --to=2021-01-09'
	for i in 1 2 3 4; do
		echo "www.example.org:443 192.0.2.$i $line" >>vhosts
		echo "2021-01-08T18:00:39.1Z stdout F 192.0.2.$i $line" >>cri
		for d in ' 8' ' 9' 10 31; do
			echo "Jan $d 19:00:39 serv haproxy[666]: 192.0.2.$i $line" >>sys
		done
	done
	printf '%s\n' "192.0.2.1, 198.51.100.7 $line" "192.0.2.1 $line" >list
	for log in common combined; do
		# shellcheck disable=SC2086
		[ "$(dpwindow -qe inf -w 1 -u host -c 1/step --log=$log $day vhosts cri sys |
		    cut -f 2)" = 0 ]
	done
	[ "$(dpdistinct -qe inf --once -v host --log=combined list)" = 1 ]
	[ "$(dpdistinct -qe inf --once -v host --log=vhost vhosts)" = 4 ]
	# shellcheck disable=SC2086
	[ "$(dpwindow -qe inf -w 1 -u host -c 1/step --log=vhost $day vhosts | cut -f 2)" = 4 ]
	# a line of syslog without a host begins with the program
	cat >nohost <<-'END'
		<131>Jan 24 15:01:44 haproxy[60972]: 192.0.2.211:61992 x
		<134>Jan 24 15:01:45 fw1 haproxy[60972]: 192.0.2.211:61993 x
	END
	[ "$(exact --log=syslog --once -k program --keys=haproxy nohost)" = 2 ]
	[ "$(exact --log=syslog --once -k host --keys=fw1 nohost)" = 1 ]
}

@test "--log: the event time is its time, unless the options say otherwise" {
	echo '192.0.2.1 - - [01/May/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 86400' >in
	[ "$(last --log=common $month -t time in)" = 1 ]
	[ "$(last --log=common $month -t 4 --time-format=clf in)" = 1 ]
	[ "$(last --log=common -t size --time-format=epoch --bucket=1d --from=1970-01-01 \
	    --to=1970-01-03 in)" = 1 ]
	[ "$(final exact --log=common $month --time-format=iso in)" = 0 ]
	# without buckets a line is a step
	echo 1 | prints exact --log=common in
}

@test "--log=patterns: every log, as options that do the same; --log=list: its fields" {
	# of all logs above
	cat >in <<-'END'
		192.0.2.1 - - [01/May/2026:12:00:00 +0000] "GET / HTTP/1.1" 404 2326 "-" "-"
		x.org:80 ::1 - - [01/May/2026:12:00:00 +0000] "GET / HTTP/1.1" 404 2326 "-" "-"
		::1 x.org - [01/May/2026:12:00:00 +0000] "GET / HTTP/1.1" 404 2326 "-" "-"
		May  1 12:00:00 www sshd[24200]: Failed password for root
		2026-05-03T12:00:00+02:00 www kernel: x
		<165>1 2026-05-01T12:00:00.003Z host app 8710 ID47 - message x
		2026/05/01 12:00:00 [notice] 1#1: signal process started
		[Fri May 01 12:00:00 2026] [notice] Apache configured
		2026-05-01 12:00:00 UTC [78] FATAL:  the database system is shutting down
		2026-05-01T12:00:00Z stdout F x
		1777636800.779 180 192.0.2.1 TCP_MISS/200 411 GET http://x/ - DIRECT/1.2.3.4 -
	END
	unfold >>in <<-'END'
		::1 - - [01/May/2026:12:00:00 +0000] "GET /" 404 23 "-" "M" 17 "web" "http://x" 30ms
		192.0.2.1:33317 [01/May/2026:12:00:00.655] in web/srv1 10/0/30/69/109 200 2750 +
		- - ---- 1/1/1/1/0 0/0 "GET /index.html HTTP/1.1"
		http 2026-05-01T12:00:00Z lb ::1:2817 10.0.0.1:80 0 0 0 200 201 34 366 "GET /" "x"
		79a59df900b949e5 b [01/May/2026:12:00:00 +0000] - - 3E57 REST.GET.OBJECT a "GET /" +
		200 - 113 300 7 6 "-" "S3" -
		time=2026-05-01T12:00:00Z level=info
		2026-05-01 12:00:00 UTC,"u","db",1
		{"ts":1777636800,"time":"2026-05-01T12:00:00Z","__REALTIME_TIMESTAMP":1777636800}
	END
	printf 'time:01/May/2026:12:00:00 +0000\thost:x\n' >>in
	run -0 --separate-stderr dpcount --log=patterns
	[ "${#lines[@]}" -eq 23 ]
	dpcount --log=patterns | while IFS=$'\t' read -r name options; do
		[ "$name" != w3c ] || continue		# of its own header alone
		exact --log="$name" $month in >wanted
		case $options in
		*' -t '*) ;;
		*) options+=' -t time' ;;
		esac
		eval "exact $options $month in" | diff wanted -
		[ "$(tail -n 1 wanted | cut -f 2)" -gt 0 ]
	done
	dpcount --log=list >list
	awk '{ print $1 }' list | diff <(dpcount --log=patterns | cut -f 1) -
	awk 'length($0) < 40 || /[(?<]/' list | diff /dev/null -
	grep -qx 'common  *Apache.*  host ident user time .* path protocol status size' list
	# each field that is told is one
	awk '$1 !~ /caddy|journald|docker|ltsv|logfmt|w3c|csvlog/ { printf "%s", "--log=" $1
	    n = split(substr($0, 48), f, " ")
	    for (i = 1; i <= n; i++) printf " --where=%s~.", f[i]; print "" }' list >all
	[ "$(grep -o where all | wc -l)" -gt 100 ]
	while read -r options; do
		# shellcheck disable=SC2086
		dpcount -q -e 1 $options </dev/null
	done <all
	for tool in dpdistinct dplocal dpproject; do
		$tool --log=list | diff <(dpcount --log=list) -
	done
}

@test "every log has lines that make cliffs measures: all are read, and known by --log=auto" {
	local log logs=()

	mkdir f
	(cd f && awk -f "$BATS_TEST_DIRNAME/../bench/formats.awk")
	for log in $(dpcount --log=patterns | cut -f 1) syslog+combined docker+combined; do
		logs+=("$log")
		[ "$(final exact --log="$log" $month f/$log)" = 1000 ] ||
		    { echo "$log"; false; }
		sed -n '1,3p' f/$log >f/first.$log
	done
	(cd f && ls | grep -v first) | diff - <(printf '%s\n' "${logs[@]}" json | sort)
	cd f
	dpcount -q --check --log=auto first.* | sed 's/^first[.]//; s/:[0-9]*\tlog=/ /' | sort -u |
	    awk '$1 == "journal" && $2 == "syslog" { next } $1 != $2 { print; bad = 1 }
	    END { exit bad }'
}

@test "real logs: what awk and grep count" {
	[ -r "$DATA/apache_access.log" ] || skip 'no data'
	local log=$DATA/apache_access.log when='--bucket=1d --from=2015-05-17 --to=2015-05-21'

	# shellcheck disable=SC2086
	[ "$(last --log=combined $when "$log")" = "$(wc -l <"$log")" ]
	# shellcheck disable=SC2086
	[ "$(last --log=combined $when --where='status~404' -v size -r 0:1000000000 "$log")" = \
	    "$(awk '$9 == 404 { s += $10 } END { printf "%.0f", s }' "$log")" ]
	# shellcheck disable=SC2086
	[ "$(last --log=combined $when -u host -c 1000000 --where='agent~(?i)bot' "$log")" = \
	    "$(awk -F '"' 'tolower($6) ~ /bot/' "$log" | wc -l)" ]
	log=$DATA/openssh.log
	[ "$(exact --log=syslog --strict --where='message~^Failed' "$log" | tail -n 1)" = \
	    "$(grep -c 'sshd\[[0-9]*\]: Failed' "$log")" ]
}

@test "--where: of the line, of a field, several; the value stays" {
	printf 'a 1\nb 20\na 30\n\nc\n' >in
	printf '%s\n' 1 1 31 31 31 | prints exact -r 0:99 --where='^a' -v 2 in
	printf '%s\n' 1 1 31 31 31 | prints exact -r 0:99 --where='1~a' -v 2 in
	printf '%s\n' 0 0 30 30 30 | prints exact -r 0:99 --where='1~a' --where='2~^3' -v 2 in
	printf '%s\n' 0 0 30 30 30 | prints exact -r 0:99 --where='^a' --where='3' -v 2 in
	# without -v an event is 1, and -m is one more condition
	printf '%s\n' 1 1 2 2 2 | prints exact --where='^a' in
	printf '%s\n' 0 0 1 1 1 | prints exact --where='^a' -m 0 in
	printf '%s\n' 1 1 1 1 1 | prints exact --where='^a' -m 0 --invert-match in
	# a field that is not there matches nothing, not even the empty pattern
	printf '%s\n' 1 2 3 3 3 | prints exact --where='2~' in
	# with names, in CSV of a row and of a field
	printf 'k,v\n"a, x",1\nb,2\n"a",3\n' >in
	printf '%s\n' 1 1 4 | prints exact -r 0:9 --csv -H --where='k~^a' -v v in
	printf '%s\n' 1 1 4 | prints exact -r 0:9 --csv -H --where='^"a' -v v in
}

@test "--where: a tilde of the pattern; -i and --fixed are not for it" {
	printf 'x~y\nX.y\n' >in
	printf '1\n1\n' | prints exact --where='x[~]y' in
	printf '1\n1\n' | prints exact --where='[x]~y' in
	printf '1\n1\n' | prints exact --where='x\~y' in
	printf '0\n1\n' | prints exact --where='^X.y' in
	printf '1\n2\n' | prints exact --where='(?i)^x' in
	usage "--where: 'x' is the name of a field" --where='x~y'
	usage '--where: at offset' --where='('
	usage "must be a whole number from 1 to 64" --where='65~x'
	usage 'write \n' --where=$'a\nb'
	usage '--fixed, -i and --invert-match need --match' -i --where=x
	fails 2 dplocal -e 1 --domain=a,b --where=a in
	[[ $stderr == *'dplocal does not take this option'* ]]
	printf 'k v\n1 2\n' >in
	fails 2 dpcount -e 1 -H --where='w~1' in
	[[ $stderr == *"the header has no field 'w'"* ]]
}

@test "--where: comparisons of fields: of a log, a header, JSON, numbers; in all tools" {
	printf '%s\n' 'e,ms,Size (kB),k' 'buy,50,1,a' 'buy,0.10,2,' 'sell,x,30,c' 'buy,,4,a' >csv
	[ "$(dpcount -qe inf --once --csv -H --where=e=buy csv)" = 3 ]
	[ "$(dpcount -qe inf --once --csv -H --where='ms >= 0.1' csv)" = 2 ]
	[ "$(dpcount -qe inf --once --csv -H --where='ms=0.1' --where=k= csv)" = 1 ]
	[ "$(dpcount -qe inf --once --csv -H --where='"Size (kB)">1' --where=e!=sell csv)" = 2 ]
	[ "$(dpcount -qe inf --once --csv --where='3>=4' csv)" = 2 ]
	args=(-qe inf --once --csv -H --where=e=buy)
	[ "$(dpdistinct "${args[@]}" -v k csv)" = 1 ]
	[ "$(dpmean "${args[@]}" -r 0:99 -v ms csv)" = 25.05000 ]
	dpquantile -qe inf --once --csv -H --where=e=buy -v 3 --bins=0,3,99 --histogram csv >out
	printf '2\t1\n' | diff - out
	[ "$(dptop "${args[@]}" -d .1 -k k csv | head -n 1)" = $'a\t2' ]
	[ "$(dpmaxsum "${args[@]}" -k k --keys=a,c csv)" = 2 ]
	dpmap --once --csv -H --where=e=buy -k k --keys=a,c --shard=s csv 2>/dev/null |
	    grep -v '^#' | cut -f 2- | diff <(printf 'a\t2\n') -
	dpcount --check -q --once --csv -H --where='ms<1' csv >out 2>/dev/null
	[ "$(grep -c 'nothing: does not match --where: ' out)" = 3 ]
}

@test "--where: what looks like a comparison is one, refused with the cure, or said to be none" {
	: >in
	printf 'e,f g\n' >head
	# says WORDS ARG ...: and goes on; nothing with -q
	says() {
		run -0 --separate-stderr dpcount -e 9 -T 9 "${@:2}"
		[ "$stderr" = "dpcount: --where: $1" ]
		run -0 --separate-stderr dpcount -e 9 -T 9 -q "${@:2}"
		[ "$stderr" = "" ]
	}
	local line='is a pattern of the line, and compares no field: fields have names with -H'
	says "'e=1' $line, --cut, --log or --json" --where=e=1 in
	says "'200 <' $line" --csv --where='200 <' in
	says "'2>1' compares field 2 (a pattern of the line has = < > in brackets: [=])" \
	    --where='2>1' in
	line2='is a pattern of the line: to compare, a name with other bytes than letters, digits'
	line2+=' and blanks stands in double quotes'
	says "'f (g)>1' $line2" -H --csv --where='f (g)>1' head
	for where in e=1 'f g<2' '"f g"!=2' '^e=1' '(?<=a)b' '"e":1' 'f g~x' 'a(?!=)'; do
		run -0 --separate-stderr dpcount -e 9 -T 9 -H --csv --where="$where" head
		[ "$stderr" = "" ]
	done
	for how in is= equals= eq= contains~ matches~ like~; do
		says "'path ${how%?} /a b' is a pattern of the line, and compares nothing: \
--where='path${how: -1}/a b' does" --log=combined --where="path ${how%?} /a b" in
	done
	for where in 'patha is /a' 'path is' 'path was /a' 'pa[t]h is a'; do
		run -0 --separate-stderr dpcount -e 9 -T 9 --log=combined --where="$where" in
		[ "$stderr" = "" ]
	done
	usage "--where: 'statu' is not a field of --log, whose fields are agent" --log=combined \
	    --where=statu=4
	usage "write [=])" --cut='(?<a>.)' --where='b > 4'
	usage 'FIELD~REGEX' --log=combined --where='status=~^4'
	usage 'there is no !~' --log=combined --where='status!~^4'
	for where in '<>4' '=>4' '=<4' '===4' '><4'; do
		usage 'by none of = != < <= > >=' --log=combined --where="status$where"
	done
	usage 'lacks the value' --log=combined --where='status> '
	# one condition each, but in quotes and in patterns
	for where in 'f g>=50 and e=buy' 'f g>1&&e=buy' 'e=buy AND f g>1' 'e="a" and f g>1'; do
		usage "--where: one condition each: give --where twice (both must hold), or" \
		    --csv -H --where="$where" head
	done
	for where in 'e=buy,f g>50' 'f g>1, "x"~5' 'e=a,b ,c ==d'; do
		usage 'give --where twice (both must hold) in place of the comma, or quote' \
		    --csv -H --where="$where" head
	done
	usage 'in place of the comma' --csv --where='2>=50,1=2' head
	for where in 'e=a or e=b' 'e=a||e=b' 'e=a OR e=b'; do
		usage 'give --where twice with --or between them' --csv -H --where="$where" head
	done
	for where in "e='a and b'" 'e~a or b' 'e="a||b"' 'e=Andor' 'f g>2026-05-02' 'e<12:30' \
	    'e>=2026-05-02T12:00:00.5+02:00' 'e<"b"' 'e=50kB' 'e!=1,000' 'e>5e1' \
	    'e="buy,f>50"' 'e=a,b' 'e=a,b,=c' 'e~a,f=5'; do
		run -0 --separate-stderr dpcount -e 9 -T 9 -H --csv --where="$where" head
		[ "$stderr" = "" ]
	done
	# no number
	for where in 50kB 5xx 1,000 '$50' 12:30x; do
		says "'$where' is no number, so f g is compared with it as \
text, byte by byte" -H --csv --where="f g>=$where" head
	done
	says "'50kB' is no number, so field 2 is compared with it as text, byte by byte" \
	    -H --csv --where='2 < 50kB' head
	# a pattern of -m that looks like a comparison of what may be a field
	log=(--log=combined)
	for m in 'e=buy' '"f g" > 5' 'f g=5 '; do
		run -0 --separate-stderr dpcount -e 9 -T 9 -H --csv -m "$m" head
		[[ $stderr == "dpcount: --match: '$m' is a pattern of the line, and compares \
nothing: --where='$m' does"* ]]
	done
	dpcount -e 9 -T 9 "${log[@]}" -m 'status = 404' in 2>&1 | grep -F "the line, and compares \
nothing: --where='status = 404' does, or -v status -m '^404$' (1 or 0)"
	dpmean -e 9 -T 9 --json -v event -m event=buy in 2>&1 | grep -F 'is a pattern of the field'
	for m in -me=buy '-q --json -me=buy' '--json -me=' '--csv -H -v e -mf=buy' \
	    "${log[*]} -mutm=x" '--json -m"e":"buy"'; do
		# shellcheck disable=SC2086
		run dpcount -e 9 -T 9 $m head
		[[ $output != *"compares nothing"* ]]
	done
	# a pattern that looks like a field's
	line2=${line2/to compare/to search a field}
	says "'f(g)~x' $line2" -H --csv --where='f(g)~x' head
	says "'e ~ x' ${line/compares no field/of no field}, --cut, --log or --json" \
	    --where='e ~ x' in
	usage "'statu' is not a field of --log" --log=combined --where='statu ~ 4'
	usage 'fields have names, and 2 is a number' --json --where=2=1
	usage 'must be a whole number from 1 to 64' -H --where='65=1'
	fails 2 dpcount -e 1 --csv -H --where='g=1' head
	[[ $stderr == *"the header has no field 'g'"* ]]
	fails 2 dpcount -e 1 --unit=1 -v 2 -T 9 --where='1=1' in
	# it is said where a state begins
	run -0 --separate-stderr dpcount -e 9 -T 9 --where=e=1 --state=s --init in
	[[ $stderr = *"'e=1' $line"* ]]
	run -0 --separate-stderr dpcount --state=s in
	[ "$stderr" = "" ]
}

@test "--or: one of two conditions is enough, in what order, in all tools; kept and said" {
	printf '%s\n' k,e,ms a,buy,5 a,view,9 b,buy,1 a,sell,70 b,sell,80 >in
	or=(--csv -H --where=k=a --where=e=buy --or --where='ms>=70')
	[ "$(dpcount -qe inf --once "${or[@]}" in)" = 2 ]
	[ "$(dpdistinct -qe inf --once "${or[@]}" -v e in)" = 2 ]
	[ "$(dpcount -qe inf --once --csv -H --where=e=buy --or --where='ms>=70' --where=k=a \
	    --or --where=ms=1 in)" = 3 ]
	dpmap --once "${or[@]}" --shard=s in 2>/dev/null | grep -v '^#' | cut -f 3 |
	    diff <(echo 2) -
	# what holds is said, as somebody may take it for what find(1) has
	said="events are lines with 'k=a' and ('e=buy' or 'ms>=70')"
	run -0 --separate-stderr dpcount --check "${or[@]}" in
	[[ $stderr == *"--where: $said"*"; lines with 'k=a' and ('e=buy' or 'ms>=70')"* ]]
	dpcount -qe 1 -T 9 "${or[@]}" --explain |
	    grep -F "an ${said/events are lines/event is a line}"
	run -0 --separate-stderr dpcount -e 1 -T 9 --csv -H --where=e=buy --or --where=e=sell in
	[ "$stderr" = "" ]
	long=$(printf '%099d' 0)
	dpcount -e 1 -T 9 --csv --where=1=1{$long,$long,$long,$long,$long} --or --where=2=2 \
	    --explain 2>&1 | grep "^dpcount: --where: events are.* \.\.\.$"
	# a state has all of it
	dpcount -e 1000000 -T 100 --state=s --init "${or[@]}" in >out
	dpcount --state=s "${or[@]}" in >>out
	fails 5 dpcount --state=s --where=k=a --where=e=buy --where='ms>=70' in
	[[ $stderr == *"--where differs from the state file's"* ]]
	dpcount --state=s --change --where=k=b --or --where=ms=9 in >>out
	dpcount --state=s in >>out
	printf '%s\n' 1 1 1 2 2 3 3 3 4 4 4 5 6 6 7 7 8 9 9 10 | diff - out
	for where in '--or' '--or --where=a' '--where=a --or' '--where=a --or --or --where=b'; do
		# shellcheck disable=SC2086
		usage '--or stands between two --where=COND' $where
	done
	usage "'--or' is an option, which stands between two" --where --or
	fails 2 dplocal -e 1 --domain=a,b --or
}

@test "--where: a state keeps comparisons, and --change has others" {
	echo '1 a' >in
	dpcount -e 1000000 -T 100 --state=s --init -F ' ' --where='1>=1' in >out
	printf '%s\n' '0 a' '1.0 b' '2 1>=1' | dpcount --state=s >out
	printf '%s\n' 1 2 3 | diff - out
	fails 5 dpcount --state=s --where='1>1' in
	[[ $stderr == *"--where differs from the state file's"* ]]
	printf '%s\n' '1 b' '2 b' | dpcount --state=s --change --where='1>1' >out
	printf '%s\n' 3 4 | diff - out
	printf '%s\n' '1 b' '2 b' | dpcount --state=s >out
	printf '%s\n' 4 5 | diff - out
}

@test "--where: what is no event is not read further, so not malformed" {
	printf '#comment\na 1\n' >in
	printf '0\n1\n' | prints exact --strict --where='^[^#]' -v 2 -r 0:1 in
	fails 3 exact --strict -v 2 -r 0:1 in
	# but times that close buckets are those of every line
	printf '#\n0 a\n3600 b\n7200 a\n' >in
	exact --where=a -t 1 --time-format=epoch --bucket=1h --public-times in | cut -f 2 >got
	printf '%s\n' 1 1 2 | diff - got
	fails 3 exact --strict --where=a -t 1 --time-format=epoch --bucket=1h --public-times in
}

@test "--where: blocks that hold no match are passed over, and the same is counted" {
	# hours ARG ...: the count after all hours
	hours() {
		final exact -t 1 --time-format=epoch --bucket=1h --from=0 --to=183600 "$@" in
	}
	integers 3000 | awk '{ print NR * 60, $1, $1 % 7 ? "GET" : "PUT" }' >in
	for c in PUT 'P.T' '3~PUT' '3=PUT'; do
		hours -q --where="$c" -v 2 -r 0:999
	done | uniq >got
	awk '/PUT/ { s += $2 } END { print s }' in | diff - got
	# --or: no line needs a string that another one may stand for
	[ "$(hours -q --where=PUT --or --where='2=8' -v 2 -r 0:999)" -eq \
	    "$(awk '/PUT/ || $2 == 8 { s += $2 } END { print s }' in)" ]
	[ "$(hours -q --where=GE --or --where=2=7 --or --where=PUT)" -eq 3000 ]
	# with a pattern of -m, of which a literal one is enough
	[ "$(hours --where=PUT -m '(1|2) ')" -eq "$(grep -c '[12] PUT' in)" ]
	[ "$(hours --where=PUT -m GET --invert-match)" -eq "$(grep -c PUT in)" ]
}

@test "one line differs, and no answer by more than 1, whatever the line was and is" {
	bits 30 | awk '{ print "k=" $1, 60 * NR }' >a
	for line in 'k=1 720' 'k=0 720' 'k=1' '' 'nothing' "$(printf '\377\0')"; do
		awk -v line="$line" 'NR == 12 { $0 = line } 1' a >b
		for options in '-q --where=k=1' "--where=k~1 --cut=(?<k>[01])" \
		    '-k k --keys=0,1 --cut=k=(?<k>.)'; do
			# shellcheck disable=SC2086
			paste <(exact $options a) <(exact $options b) | awk '{
				for (i = 1; i <= NF / 2; i++) {
					d = $i - $(i + NF / 2)
					if (d > 1 || d < -1 || (NR < 12 && d)) bad = 1
				}
			} END { exit bad || NR != 30 }'
		done
	done
}

@test "other tools: distinct clients, the leading status, windows, of a log" {
	for i in 1 2 3 4 5 6; do
		echo "192.0.2.$((i % 3)) - - [0$i/May/2026:12:00:00 +0000] \"GET /$i HTTP/1.1\"" \
		    "$((i % 2 ? 200 : 404)) $i \"-\" \"-\""
	done >in
	local week='--log=combined --bucket=1d --from=2026-05-01 --to=2026-05-08'
	# shellcheck disable=SC2086
	{
		[ "$(dpdistinct -e inf -q $week -v host --where='status~404' in | tail -n 1 |
		    cut -f 2)" = 3 ]
		[ "$(dpwindow -e inf -q $week -w 3 --where='status~404' in | tail -n 1 |
		    cut -f 2)" = 1 ]
		[ "$(dpmaxsum -e inf -q $week --both -k status --keys=200,404 -v size -r 0:9 in |
		    tail -n 1 | cut -f 2-)" = $'404\t12' ]
		dpdecay -e inf -q $week --half-life=1d in
	}
	fails 2 dpmaxsum -e 1 --columns=2 --log=combined in
	[[ $stderr == *'need --value or --key here'* ]]
	printf 'x 1 2\nx 3 1\n' >in
	printf '2\n4\n' | prints dpmaxsum -qe inf -r 0:9 --columns=2 --cut='x (?<v>.*)' -v v in
}

@test "-P: with --cut, --log and --where; what a match left behind is wiped" {
	printf 'user=alice 1\nuser=bob 0\n' >in
	run -0 --separate-stderr dpcount -e 1 -P -T 10 --cut='user=(?<u>\w+) (?<n>.)' \
	    --where='u~a' -v n -r 0:1 in
	[ "${#lines[@]}" -eq 2 ]
	run -0 --separate-stderr dpcount -e 1 -P -T 10 --cut='(*NO_JIT)user=(?<u>\w+) (?<n>.)' \
	    --where='(*NO_JIT)u' -v n -r 0:1 in
	[ "${#lines[@]}" -eq 2 ]
}

@test "a state keeps how lines are cut and which count" {
	echo 'a 1' >in
	cut='(?<k>\w) (?<n>\d)'
	sure='-e 1000000 -T 100'
	# shellcheck disable=SC2086
	{
		dpcount $sure --state=s --init --cut="$cut" --where='k~a' \
		    --where='n~[1~]' -v n -r 0:1 in
		printf 'a 1\nb 1\na 2\nx\n' | dpcount --state=s >got
		printf '%s\n' 2 2 2 2 | diff - got
		dpcount --state=s --cut="$cut" --where='k~a' --where='n~[1~]' in >got
		fails 5 dpcount --state=s --where='k~a' in
		[[ $stderr == *"--where differs from the state file's"* ]]
		fails 5 dpcount --state=s --json in
		dpcount --state=s --change --where='k~a' in >got
		echo 4 | diff - got
		dpcount --state=s --change=where <<<'b 9' >got
		echo 5 | diff - got
		printf 'k 1\n' | dpcount --state=s --change -F ' ' -v 2 >got
		echo 6 | diff - got
		# whose an event is must stay
		dpcount $sure --state=u --init --cut="$cut" -u k -c 3 in
		fails 5 dpcount --state=u --change --json in
		[[ $stderr == *'which it was planned for'* ]]
		fails 5 dpcount --state=u --change=cut in
		dpcount $sure --state=l --init --log=common -v size -r 0:1 </dev/null
		echo '192.0.2.1 - - [01/May/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 1' |
		    dpcount --state=l >got
		echo 1 | diff - got
	}
}
