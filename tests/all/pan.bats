# SPDX-License-Identifier: ISC
# -P: memory, and the state file, may be read once by someone who also has all the output.
load ../lib/helper

@test "-P: refused where something exact would have to be kept" {
	bits 9 >in
	for a in --seed=1 --csv '-u1 -c1' '-t1 --time-format=epoch --bucket=1h --from=0 --to=7200' \
	    '--bucket=1h --live=1h' -Mnormtree -Mtree -Mkary; do
		# shellcheck disable=SC2086
		fails 2 dpcount -e 1 -T 9 -P $a in
		[ -z "$output" ]
	done
}

@test "-P: --explain says so, every mechanism offered keeps no exact sum" {
	[ "$(dpcount -e 1 -T 99 -P --explain=json | jq .pan_private)" = true ]
	[ "$(dpcount -e 1 -T 99 --explain=json | jq .pan_private)" = false ]
	for m in $(mechanisms -e 1 -T 99 -P -d 1e-6) $(mechanisms -e 1 -P); do
		[[ " input response output pan pan-slots " == *" $m "* ]] || { echo "$m"; false; }
		[ "$m" != output ]	# holds the exact sum
	done
}

@test "-P: exact at epsilon inf, every mechanism" {
	bits 300 >in
	running in >want
	for m in $(mechanisms -e 1 -T 300 -P); do
		exact -P -T 300 -M "$m" in | cmp want -
		exact --pan-private -T 1000 -M "$m" in | cmp want -
	done
	exact -P in | cmp want -
}

@test "-P with buckets, keys, fields, patterns" {
	printf '0 a\n5 b\n65 b\n66 c\n185 a\n' >in
	printf '1970-01-01T00:0%s:00Z\t%s\t%s\n' 0 1 1 1 1 2 2 1 2 3 2 2 |
	    prints exact -P -T 9 -t 1 --time-format=epoch --bucket 1m --public-times -k 2 \
	    --keys=a,b in
	printf '1\n1\n1\n1\n2\n' | prints exact -P -m a in
	printf '0\n5\n70\n136\n321\n' | prints exact -P -r 0:999 -v 1 in
}

@test "-P: a line at a time, so nothing of what follows is in memory" {
	printf '1\n2\n3\nrest\nmore\n' >in
	run -0 bash -c '{ timeout 300 dpcount -e 1 -T 2 -P >/dev/null 2>&1; cat; } <in'
	[ "$output" = "$(printf 'rest\nmore')" ]
}

# make_over_socket [TYPE]: ./over_socket COMMAND ... runs the command with a socket for standard
# input, a stream if no type is given, into which a child writes what comes to ours
make_over_socket() {
	needs perl
	cat >over_socket <<-E
		#!/usr/bin/env perl
		use Socket;
		socketpair A, B, AF_UNIX, ${1-SOCK_STREAM}, PF_UNSPEC;
	E
	cat >>over_socket <<-'E'
		if (!fork) { close B; syswrite A, $_ while sysread STDIN, $_, 4096; exit }
		close A; open STDIN, "<&B"; exec @ARGV;
	E
	chmod +x over_socket
}

@test "-P: a pipe or a socket, too, gives a line at a time" {
	printf '1\n2\n3\nrest\nmore\n' >in
	for from in 'cat in' 'cat in; sleep 1'; do
		run -0 bash -c '{ '"$from"'; } |
		    { timeout 300 dpcount -e 1 -T 2 -P >/dev/null 2>&1; cat; }'
		[ "$output" = "$(printf 'rest\nmore')" ]
	done
	make_over_socket
	run -0 ./over_socket sh -c 'timeout 300 dpcount -e 1 -T 2 -P >/dev/null 2>&1; cat' <in
	[ "$output" = "$(printf 'rest\nmore')" ]
}

@test "-P: a socket of messages, which would lose all but a byte of each, is refused" {
	for type in SOCK_DGRAM SOCK_SEQPACKET; do
		make_over_socket $type
		run -3 --separate-stderr timeout 60 ./over_socket dpcount -e 1 -T 2 -P <<<1
		[ -z "$output" ]
		[[ $stderr == *'standard input: a socket of messages'* ]]
	done
}

@test "-P: a socket is looked into, not read byte by byte; a terminal is" {
	needs strace
	terminal
	make_over_socket
	# a sanitizer that looks for leaks ends itself under strace
	printf '0123456789\n0123456789\n' | ./over_socket timeout 300 strace -o trace \
	    -e trace=read,recvfrom dpcount -e 1 -P >/dev/null 2>&1 || :
	grep -q '(0, ' trace || skip 'strace may not trace here'
	# two calls a line, one at the end, and whenever there was nothing yet
	[ "$(grep '(0, ' trace | grep -vc EAGAIN)" -eq 5 ]
	printf '1\n2\n3\n' | timeout 300 script -qec \
	    'stty -icanon; strace -o trace -e trace=read dpcount -e 1 -T 2 -P' /dev/null || :
	grep -q '^read(0, ' trace
	run ! grep -E '^read\(0, .*, ([2-9]|[0-9]{2,})\)' trace
}

@test "-P: lines longer than it looks ahead, through files and pipes" {
	awk 'BEGIN { for (n = 505; n < 520; n++) { printf "%0*d\n", n, n % 3 }
	    for (n = 0; n < 9; n++) print n % 2; printf "%0*d", 1100, 1 }' >in
	running in >want
	exact -r 0:9 -P in | cmp want -
	exact -r 0:9 -P <in | cmp want -
	exact -r 0:9 -P < <(cat in) | cmp want -
	make_over_socket
	# in pieces that end anywhere
	for n in 1 7 100; do
		perl -e '$| = 1; open F, "in"; while (read F, $_, '$n') { print }' |
		    tee >(exact -r 0:9 -P >got) | ./over_socket dpcount -e inf -r 0:9 -P 2>err |
		    cmp want -
		cmp want got
	done
}

@test "-P: no core file, memory locked or said not to be, no debugger" {
	unsanitized "a sanitizer's memory is not the tool's"
	talk dpcount -e 1 -P
	ask 1
	grep '^Max core file size *0 *0 ' "/proc/$pid/limits"
	# all of it: the generator locks a page of its own anyway
	awk '/^VmLck:/ { l = $2 } /^VmRSS:/ { r = $2 } END { print l, r; exit l < r / 2 }' \
	    "/proc/$pid/status" ||
	    grep 'cannot be locked' err
	# not dumpable: the files belong to root
	[ "$(stat -c %u "/proc/$pid/mem")" = 0 ]
	hangup
}

@test "-P: a user who may lock little memory still gets answers" {
	needs setpriv
	[ "$(id -u)" = 0 ] || skip 'not root'
	bits 50 >in
	chmod a+r in
	running in >want
	cp "$(type -P dpcount)" "$BATS_RUN_TMPDIR/dpcount"
	chmod -R a+rX "$BATS_RUN_TMPDIR"
	for kb in 0 64 1024 2048 3000 4096 6000 8192; do
		[ "$(ulimit -H -l)" = unlimited ] || [ "$(ulimit -H -l)" -ge $kb ] || continue
		# shellcheck disable=SC2016
		timeout 300 bash -c 'ulimit -l '$kb' &&
		    exec setpriv --reuid 65534 --regid 65534 --clear-groups \
		    --bounding-set=-all --inh-caps=-all "$1" -e inf -P' _ \
		    "$BATS_RUN_TMPDIR/dpcount" <in >got 2>err || {
			echo "limit $kb KiB: status $?"
			cat err
			false
		}
		cmp want got
	done
}

# holds PID TEXT: is the text (or "number N", as 8 bytes) in the memory of that process?  2: may not
# look
holds() {
	perl -e '
		my ($pid, $text) = @ARGV;
		$text = pack("q<", $1) if $text =~ /^number (\d+)$/;
		open my $maps, "<", "/proc/$pid/maps" or exit 2;
		open my $mem, "<:raw", "/proc/$pid/mem" or exit 2;
		my ($found, $seen) = (0, 0);
		while (<$maps>) {
			my ($a, $b) = /^([0-9a-f]+)-([0-9a-f]+) r/ or next;
			next if /\[v(var|syscall)/;
			my ($from, $n) = (hex $a, hex($b) - hex($a));
			sysseek $mem, $from, 0 or next;
			my $got = sysread $mem, my $buf, $n;
			next unless $got;
			$seen += $got;
			if (index($buf, $text) >= 0) { $found++; print; }
		}
		exit 2 if $seen < 100000;
		exit !$found;' "$1" "$2"
}

# wiped TEXT LINE ARG ...: after the line was answered and while dpcount (or $of) waits, the text is
# nowhere in it
wiped() {
	local text=$1 line=$2 rc=0

	shift 2
	# shellcheck disable=SC2086
	talk ${of-dpcount} -e 1 -T 99 -P "$@"
	ask "$line"
	until_true blocked "$pid"
	holds "$pid" "$text" || rc=$?
	hangup
	[ $rc -ne 2 ] || skip 'may not read the memory of other processes'
	[ $rc -eq 1 ] || {
		echo "found: $*"
		return 1
	}
}

# kept_nowhere COMMAND ...: while it waits, behind a line, its memory has no text of the state s as
# it was; the state is made before, or by --init
kept_nowhere() {
	local rc=0 text

	"$@" <fifo >out 2>err &
	pid=$!
	pids+=("$pid")
	exec 9>fifo
	echo 1 >&9
	until_true blocked "$pid"
	text=$(sed -n 's/^column //p' s)
	[ -n "$text" ]
	holds "$pid" "$text" || rc=$?
	exec 9>&-
	wait "$pid"
	[ $rc -ne 2 ] || skip 'may not read the memory of other processes'
	[ $rc -eq 1 ] || {
		echo "found: $*"
		return 1
	}
}

@test "-P: the noise that a state begins with, or goes on from, is nowhere in memory as text" {
	unsanitized "a sanitizer's memory is not the tool's"
	needs perl
	mkfifo fifo
	printf '1,.5\n.25,1\n' >q
	kept_nowhere dpproject -q -P -e 1 --queries=q --state=s --init
	rm -f s*
	seq 15 | dpdistinct -q -e 3 -P --statistic=f2 --protect=event --universe=2 -T 100 \
	    --every=10 --state=s --init >out
	kept_nowhere dpdistinct -q --state=s
}

@test "-P: once a line is answered, its text is nowhere in memory" {
	unsanitized "a sanitizer's memory is not the tool's"
	needs perl
	# that the search can find something
	talk dpcount -e 1 -T 99 -m x
	ask 'abc-Zeugnis-7519-xyz'
	rc=0
	holds "$pid" Zeugnis-7519 || rc=$?
	hangup
	[ $rc -ne 2 ] || skip 'may not read the memory of other processes'
	[ $rc -eq 0 ]

	wiped Zeugnis-7519 'abc-Zeugnis-7519-xyz' -m x
	wiped Zeugnis-7519 'abc-Zeugnis-7519-xyz' -m '(Z.*)-([0-9]+)'
	wiped Zeugnis-7519 'abc-Zeugnis-7519-xyz' -m x --fixed -i
	wiped Zeugnis-7519 'abc-Zeugnis-7519-xyz'
	wiped 7519338 7519338.25 -r 0:9999999.00
	wiped Zeugnis-7519 'a Zeugnis-7519 b' -v 2 -r 0:1
	wiped Zeugnis-7519 'a:Zeugnis-7519:b' -v 2 -r 0:1 -F :
	wiped Zeugnis-7519 'a Zeugnis-7519 b' -k 2 --keys=c,d
	# through a socket
	make_over_socket
	of='./over_socket dpcount' wiped Zeugnis-7519 'abc-Zeugnis-7519-xyz' -m x
	# a line longer than the limit, and one longer than a page
	wiped Zeugnis-7519 "$(printf 'Zeugnis-7519 %.0s' $(seq 1000))" -m x
}

@test "-P: dplocal, too, forgets a line once it is answered" {
	unsanitized "a sanitizer's memory is not the tool's"
	needs perl
	of=dplocal
	for m in rr subset hr; do
		wiped Zeugnis-7519 'abc-Zeugnis-7519-xyz' --domain=x,y -M $m
		wiped Zeugnis-7519 'x Zeugnis-7519' --domain=x,y,z --other=y -v 1 -M $m
	done
	# the search would find it
	talk dplocal -e 1 --domain=x,y
	ask 'abc-Zeugnis-7519-xyz'
	rc=0
	holds "$pid" Zeugnis-7519 || rc=$?
	hangup
	[ $rc -eq 0 ]
}

@test "-P: times are wiped too" {
	needs perl
	wiped_time() {
		local text=$1 line=$2 rc=0

		shift 2
		talk dpcount -e 1 -T 99 -P --bucket 1s --public-times -t 1 "$@"
		printf '%s\n' "$line" >&6
		# read, as nothing is answered before its bucket closes
		sleep .2
		until_true blocked "$pid"
		holds "$pid" "$text" || rc=$?
		hangup
		[ $rc -ne 2 ] || skip 'may not read the memory of other processes'
		[ $rc -eq 1 ] || { echo "found: $*"; return 1; }
	}
	wiped_time Zeugnis-7519 '1704067200 Zeugnis-7519' --time-format epoch
	wiped_time Zeugnis-7519 '2024-01-01 12:00:00 Zeugnis-7519' --time-format iso
	wiped_time Zeugnis-7519 '01/Jan/2024:12:00:00 +0000 Zeugnis-7519' --time-format clf
	wiped_time Zeugnis-7519 'Jan  1 12:00:00 Zeugnis-7519' --time-format syslog
	wiped_time Zeugnis-7519 '2024.01.01 Zeugnis-7519' --time-format %Y.%m.%d
}

@test "-P: nothing the run computes from a line stays as text or number, at epsilon 1" {
	unsanitized "a sanitizer's memory is not the tool's"
	needs perl
	# that the search can find a sum
	talk dpcount -e inf -T 99 -P -r 0:9999999999 -M pan
	ask 9876543210
	rc=0
	holds "$pid" 'number 9876543210' || rc=$?
	hangup
	[ $rc -ne 2 ] || skip 'may not read the memory of other processes'
	[ $rc -eq 0 ]
	for m in pan pan-slots input; do
		talk dpcount -e 1 -T 99 -P -r 0:9999999999 -M $m
		ask 9876543210
		until_true blocked "$pid"
		rc=0
		holds "$pid" 'number 9876543210' || rc=$?
		hangup
		[ $rc -eq 1 ] || { echo "$m"; false; }
	done
}

@test "-P: how many lines an open bucket has had is nowhere in memory" {
	needs perl
	# of lines that are nothing, as a sum of others with noise may by chance be their number
	counted() {
		local rc=0

		talk "$of" -e 1 -T 99 -P --bucket=1d --live "$@"
		awk 'BEGIN { for (i = 0; i < 31337; i++) print "0 0 0" }' >&6
		sleep .2
		until_true blocked "$pid"
		holds "$pid" 'number 31337' || rc=$?
		hangup
		[ $rc -ne 2 ] || skip 'may not read the memory of other processes'
		[ $rc -eq 1 ] || { echo "found: $of $*"; return 1; }
	}
	of=dpmaxsum
	counted --columns=3
	counted --columns=3 --ones=2
	counted -k 2 --keys=1,2
	of=dpcount
	counted -m 1
	counted --where='a~1' --cut='(?<a>.) (.) (.)'
	counted -k 2 --keys=1,2
	of=dpdistinct
	counted -v 1 --universe=9
}

@test "-P: the state file holds no count of lines, no hash; its size is the same for all inputs" {
	bits 100 >a
	yes 1 | head -100 >b
	yes '' | head -100 >c
	yes 'a line that is longer, and no number' | head -100 >d
	for i in a b c d; do
		dpcount --state s$i --init -e 1 -T 1k -P $i >/dev/null
		wc -c <s$i
	done | sort -u >sizes
	cat sizes
	[ "$(wc -l <sizes)" -eq 1 ]
	run ! grep -aE '^(records|input|sums|lines|bytes|generator|users)' sa
}

@test "-P: the state file of a bucket tells nothing about how many events are in it" {
	yes 5 | head -4242 >a
	echo 5 >b
	for i in a b; do
		dpcount --state s$i --init -e 1 -T 1k -P -t 1 --time-format=epoch --bucket 1h \
		    --public-times $i >/dev/null
	done
	[ "$(wc -c <sa)" -eq "$(wc -c <sb)" ]
	# 4242 events: in decimal or hex, in the lines that are not random
	run ! grep -aE '^(step|since|begun|next|done|headed|printed).*(4242|1092)' sa
	# lines that differ: identity, checksum, and the noisy column
	diff <(grep -avE '^(lineage|inode|born|blake2b|column)' sa) \
	    <(grep -avE '^(lineage|inode|born|blake2b|column)' sb)
}

@test "-P: state goes on, exact with a huge epsilon" {
	bits 300 >in
	running in >want
	head -100 in | dpcount --state s --init -e 1000000 -T 300 -P >got
	tail -n +101 in | head -50 | dpcount --state s >>got
	tail -n +151 in | dpcount --state s -P >>got
	cmp want got
	fails 4 dpcount --state s in
}

@test "-P: --state and buckets: an open bucket goes on" {
	printf '5\n65\n' >a
	printf '66\n125\n' >b
	dpcount --state s --init -e 1000000 -T 99 -P -t 1 --time-format=epoch --bucket 1m \
	    --public-times a >got
	dpcount --state s -t 1 --time-format=epoch b >>got
	printf '1970-01-01T00:00:00Z\t1\n1970-01-01T00:01:00Z\t3\n' | diff - got
}

# tells A B [NAME=VALUE ...] TOOL ARG ...: how many bytes of the tool's memory tell for certain
# whether its input was A or B, in the file found; noise looks like it once in 2^59 words (tells.pl)
tells() {
	local a=$1 b=$2 vars=() rc=0

	shift 2
	while [[ $1 = *=* ]]; do
		vars+=("$1")
		shift
	done
	"$BATS_TEST_DIRNAME/../lib/tells.pl" "$a" "$b" "${vars[@]}" "$DP_BUILD/bin/$1" \
	    "${@:2}" >found ||
	    rc=$?
	[ $rc -ne 2 ] || skip 'may not read the memory of other processes'
	[ $rc -eq 0 ]
}

# alike A B [NAME=VALUE ...] TOOL ARG ...: nothing does
alike() {
	tells "$@"
	[ "$(cat found)" = 0 ] || {
		echo "$(cat found) bytes: ${*:3}"
		return 1
	}
}

can_compare() {
	unsanitized "a sanitizer's memory is not the tool's"
	needs perl setarch
}

@test "-P: no byte of memory tells one line from another, whatever its length, match or place" {
	can_compare
	# that the comparison can find something: without -P the last line stays in the reader
	ROUNDS=8 tells 0 1 dpcount -e 1 -T 99
	[ "$(cat found)" -gt 0 ]
	alike 0 1 dpcount -e 1 -T 99 -P
	alike '' 1 dpcount -e 1 -T 99 -P
	alike 7 900 dpcount -e 1 -T 99 -P -r 0:999
	alike aSECRETa aSECRXTa dpcount -e 1 -T 99 -P -m SECRET
	alike 'x AA' 'xxx B' dpcount -e 1 -T 99 -P -k 2 --keys=AA,B
	alike 'x AA' 'xxx B' dpcount -e 1 -T 99 -P -m . -k 1,2 --keys=x,xxx/AA,B
	alike 'x AA' "$(printf '%300s' | tr ' ' y) B" dpcount -e 1 -T 99 -P -m . -k 1,2 \
	    --keys=x,xxx/AA,B --other
	alike x y dpcount -e 1 -T 99 -P --bucket=1h --live -m x
	# longer than may be
	alike "$(printf '%99999s')" 1 dpcount -e 1 -T 99 -P
}

@test "-P: nor what it was the first to need: a longer match, a field, a condition, a state" {
	can_compare
	long=$(printf '%6000s' | tr ' ' a)
	# more stack than PCRE2 has on ours; its interpreter
	alike "$long" 1 dpcount -e 1 -T 99 -P -m '^(a|b)*$'
	alike "$long" 1 dpcount -e 1 -T 99 -P -m '(*NO_JIT)^(a|b)*$'
	alike $'1\n'"$long" $'1\n1' dpcount -e 1 -T 99 -P -m '^(a|b)*$'
	alike xaay xb dpcount -e 1 -T 99 -P -m '(a|b)+'
	alike AXA b dpcount -e 1 -T 99 -P --fixed -i -m x
	alike 'a 1 b' 'x 2' dpcount -e 1 -T 99 -P --cut='(?<f>\w+) (?<n>\d) b' --where='f~a'
	alike 'a 5' 'bbb 1000' dpcount -e 1 -T 99 -P --where='2>7'
	alike a:7 a:900.25 dpcount -e 1 -T 99 -P -F : -v 2 -r 0:999.00 -o json -B
	alike a:7 a:1.900,25 dpcount -e 1 -T 99 -P -F : -v 2 -r 0:9999.00 --decimal=, --thousands=.
	alike 'May  1 12:00:00 www a[7]: x' "May 21 12:00:00 h nginx: 192.0.2.1 - - $(
	    )[01/May/2026:12:00:00 +0000] \"GET /x HTTP/1.1\" 200 51" \
	    dpcount -e 1 -T 99 -P --log=syslog+common -v size -r 0:99 --where='program~n'
	for log in docker docker+combined journald+common caddy; do
		fails 2 dpcount -e 1 -T 9 -P --log=$log -m . /dev/null
		[[ $stderr == *"parser keeps past input"* ]]
	done
	fails 2 dpcount -e 1 -T 9 -P --csv -v 1 /dev/null
	[[ $stderr == *'rows without quotes can be read by -F ,'* ]]
	fails 2 dpcount -e 1 -P --once /dev/null
	[[ $stderr == *'lines can be steps, -T N'* ]]
	FRESH=s alike 1 x dpcount -e 1 -T 99 -P -m x --state=s --init
	FRESH=s alike 'x 1' 'y 71' dpcount -e 1 -T 99 -P -k 1 --keys=x,y --state=s --init
}

@test "-P: nor by a log's fields, of a line that the splitter takes or leaves to the pattern" {
	can_compare
	args=(dpcount -e 1 -T 99 -P --bucket=1d --public-times --log=combined --where='status~404')
	short='h - - [01/Jan/2024:12:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "-"'
	other='2001:db8::1 - two words [01/Jan/2024:12:00:01 +0000] "-\"" 404 1234567 "x" "\x"'
	alike "$short" "$other" "${args[@]}"
	alike "$short" "$other" "${args[@]}" --where='agent~x'
	alike "$short" "${other/1234567/$(printf '%040000d' 0)}" "${args[@]}"
}

@test "-P: nor which second of a bucket it came in, or what stood behind the time" {
	can_compare
	args=(dpcount -e 1 -T 99 -P --bucket=1d --public-times -t 1)
	alike '1704067200 x' '1704067201 yy' "${args[@]}" --time-format=epoch -m x
	alike '2024-01-01T00:00:00Z x' '2024-01-01 01:00:01.5' "${args[@]}" --time-format=iso
	alike '01/Jan/2024:12:00:00 +0000 x' '[01/Jan/2024:12:30:00 +0000] yyy' \
	    "${args[@]}" --time-format=clf
	alike 'Jan  1 12:00:00 x' 'Jan  1 12:00:01' "${args[@]}" --time-format=syslog
	alike '20240101T120000Z x' 2024-W01-1T12:00:01.25 "${args[@]}" --time-format=iso
	alike '45292.5 x' 45292.75 "${args[@]}" --time-format=excel
	alike '1.7040672e9 x' 1704067201 "${args[@]}" --time-format=epoch
	alike '2024.01.02 12:00:00 x' '2024.01.02 13:00:00' "${args[@]}" \
	    --time-format='%Y.%m.%d %H:%M:%S' --tz=Europe/Berlin
}

@test "-P: nor in the other tools, by any of their mechanisms" {
	can_compare
	for m in pan pan-slots; do
		alike 1 '' dpcount -e 1 -T 99 -P -M $m
		alike '1 0 1' '0 0 0' dpmaxsum -e 1 -T 99 -P --columns=3 -M $m
		alike '1 0 1' x dpexperts -e 1 -T 99 -P --columns=3 -M $m
	done
	alike 1 '' dpcount -e 1 -P -M response
	alike 1:1 3:1 dpmaxsum -e 1 -T 99 -P --columns=3 --ones=1
	alike 'a x' 'aa y' dpmaxsum -e 1 -T 99 -P -k 2 --keys=x,y
	alike 'a x' 'aa y' dpmaxsum -e 1 -T 99 -P -k 2 --keys=x,y --select -w 5
	alike '1 0 1' '0 0 0' dpmaxsum -e 1 -T 99 -P --columns=3 --both -a .9
	alike 'x 5' 'y 777' dpwindow -e 1 -T 99 -P -w 5 -v 2 -r 0:999
	alike 'x 5' 'y 777' dpdecay -e 1 -T 99 -P --half-life=5 -v 2 -r 0:999
	for m in rr subset hr; do
		alike x yyy dplocal -e 1 -P --domain=x,yyy,z --other=z -M $m
		alike x foo dplocal -e 1 -P --domain=x,yyy,z --other=z -M $m
	done
	for m in pan paper output; do
		alike 7 8 dptransform -e 1 -T 99 -P -r 0:1000 --sensitivity=1000 --changes=3 -M $m
	done
}

@test "-P: nor by what an event adds to several numbers" {
	can_compare
	alike 3 8 ../tests/toys/toylevels -e 1 -T 99 -P -r 0:9
	alike 7 900 dpcount -e 1 -T 99 -P -r auto
	alike 3 8 dpmean -e 1 -T 99 -P -r 0:9
	alike 'x 3' 'y 8' dpmean -e 1 -T 99 -P -r 0:9 -v 2 -k 1 --keys=x,y --statistic=sd
	alike 3 8 dpquantile -e 1 -T 99 -P -r 0:9
	alike 'x 3' 'y 180' dpquantile -e 1 -T 99 -P -r 0:199 -v 2 -k 1 --keys=x,y
	alike 7 900 dpquantile -e 1 -T 99 -P -r 1:1000 --bins=100 --log-bins --quantile=.5,.9 -B
	alike 3 180 dpquantile -e 1 -d 1e-6 -T 99 -P -r 0:199
	alike 3 180 dpquantile -e 1 -T 99 -P -r 0:199 -w 1
	alike 3 180 dpquantile -e 1 -T 99 -P -r 0:199 --half-life=3
	alike 3 180 dpquantile -e 1 -T 99 -P --histogram --bins=0,9,99,199
	alike '3 1' '180 2' dpquantile -e 1 -T 99 -P -r 0:199 -v 1 --bucket=1h --live --running
	alike 'x 3' 'y 8' ../tests/toys/toymoments -e 1 -T 99 -P -r 0:9 -v 2 -k 1 --keys=x,y
}

@test "-P: nor in dpdistinct, which has it unasked" {
	can_compare
	for m in alg1 cells density; do
		alike x yyy dpdistinct -e 1 --at-end --universe=x,yyy,z -M $m
	done
	for m in hashed hashed-bits; do
		alike x yyy dpdistinct -e 1 --at-end --buckets=16 -M $m
	done
	alike 3 -17 dpdistinct -e 1 -T 99 --universe=20 --deletes -M cells
	alike 'a 3' 'b 17' dpdistinct -e 1 -T 99 --universe=20 -M alg1 -v 2 --bucket=1h --live
	for s in cropped mean incidence heavy; do
		alike 3 17 dpdistinct -e 1 -P --at-end --universe=20 --statistic=$s --tau=3
	done
	alike 3 17 dpdistinct -e 1 -P -T 99 --buckets=16 --statistic=cropped --tau=3 \
	    -M phase-levels
	alike 3 17 dpdistinct -e 1 -P -T 99 --buckets=16 --statistic=f2 --protect=event
	alike 3 -17 dpdistinct -e 1 -P --at-end --universe=20 --statistic=f2 --updates=2 --deletes
}

@test "-P: nor in dpproject, whose answers begin at noise" {
	can_compare
	printf 'query,3,17\nx,1,0\ny,1,1\nz,0,.25\n' >queries
	alike 3 17 dpproject -e 1 -P --queries=queries
	alike 17 x dpproject -e 1 -d 1e-6 -P --queries=queries -M pan-gauss
}

@test "-P: nor on a processor with registers that take 16 KiB more" {
	can_compare
	${CC:-cc} -std=c11 -D_GNU_SOURCE -shared -fPIC -o wide.so "$BATS_TEST_DIRNAME/../lib/wide.c"
	# saved by the dynamic linker where a function is called for the first time; for a signal
	for by in LD_AUDIT LD_PRELOAD; do
		alike '' 1 $by="$PWD/wide.so" dpcount -e 1 -T 99 -P
		alike xaay xb $by="$PWD/wide.so" dpcount -e 1 -T 99 -P -m '(a|b)+'
	done
	alike xaay xb LD_AUDIT="$PWD/wide.so" LD_BIND_NOW= dpcount -e 1 -T 99 -P -m '(a|b)+'
}

# looked_up TOOL ARG ...: how many functions the dynamic linker looks up while it runs
looked_up() {
	rm -f bound.*
	env -u LD_BIND_NOW LD_DEBUG=bindings LD_DEBUG_OUTPUT=bound timeout 300 "$@" <in >/dev/null
	awk -v tool="$1" 'FNR == 1 { on = 0 }
	    /transferring control/ { if (on = index($0, tool) > 0) n = 0 }
	    /binding file/ { n += on }
	    END { print n }' bound.*
}

@test "-P: all functions of all libraries are looked up before a line is read" {
	unsanitized "a sanitizer's library looks its own up"
	echo 1 >in
	# that it is seen
	looked_up true && ls bound.* || skip 'the dynamic linker does not tell'
	for a in 'count -P -m 1' 'count --state=s --init --pan -m 1' 'window -w3 -qP' \
	    'decay --half-life=9 -P' 'maxsum -P --columns=1' 'distinct --universe=9' \
	    'experts -P --columns=1' 'transform -P --sensitivity=1 --changes=1'; do
		# shellcheck disable=SC2086
		[ "$(looked_up dp$a -e 1 -T 99)" = 0 ] || { echo "$a"; false; }
	done
	# the state knows it
	[ "$(looked_up dpcount --state=s)" = 0 ]
	[ "$(looked_up dplocal -P -e 1 --domain=1,2)" = 0 ]
}

@test "-P: it begins anew as what it was: its name, order of arguments, descriptors, closed ones" {
	mkdir -p 'a b'
	cp "$DP_BUILD/bin/dpcount" 'a b/other'
	cp "$DP_BUILD/bin/dpcount" 'a b'
	echo 1 >in
	exact -P in -T 9 | diff - <(echo 1)
	# a pipe that is read once
	run -0 bash -c 'dpcount -k 1 --keys=@<(echo 1) -P in -e 1 -T 9'
	[ "${#lines[@]}" -eq 1 ]
	(cd 'a b' && ./dpcount -e 1 -T 9 -P ../in) >out
	(PATH="$PWD/a b:$PATH" && exec -a strange dpcount -e 1 -T 9 -P in) >>out
	[ "$(wc -l <out)" -eq 2 ]
	talk "$PWD/a b/other" dpcount -e 1 -P
	ask 1
	[ "$(cat "/proc/$pid/comm")" = other ]
	hangup
	run -3 --separate-stderr bash -c 'timeout 300 dpcount -e 1 -P <&-'
	[[ $stderr == *'standard input is closed'* ]]
	run -1 --separate-stderr bash -c 'timeout 300 dpcount -e 1 -P in >&-'
	[[ $stderr == *'standard output is closed'* ]]
	# by a descriptor
	cp "$DP_BUILD/bin/dpcount" gone
	exec 9<gone
	rm gone
	run -0 timeout 300 /proc/self/fd/9 dpcount -e 1 -T 9 -P in
	[ "${#lines[@]}" -eq 1 ]
	exec 9<&-
	# where it may not there is no answer
	strace -o trace true && grep -q execve trace || return 0
	run -1 --separate-stderr env -u LD_BIND_NOW strace -qq -o trace \
	    -e inject=execve:error=EACCES "$DP_BUILD/bin/dpcount" -e 1 -P in
	[ -z "$output" ]
	[[ $stderr == *'dpcount: cannot start anew with LD_BIND_NOW=1'*'Permission denied'* ]]
}

@test "-P: a script of which it is the interpreter is read once, and so are its options" {
	printf '#!%s -Pq\n1\n' "$(realpath "$DP_BUILD/bin/dpcount")" >scr
	# a kernel cuts the first line of a script
	[ "$(head -n 1 scr | wc -c)" -lt 127 ] || skip 'the path is too long'
	chmod +x scr
	run -0 env -u LD_BIND_NOW timeout 300 ./scr -e 1 -T 9
	[ "${#lines[@]}" -eq 2 ]
	# an interpreter that is a script
	printf '#!%s\n1\n2\n' "$PWD/scr" >more
	chmod +x more
	run -0 env -u LD_BIND_NOW timeout 300 ./more -e 1 -T 9
	[ "${#lines[@]}" -eq 5 ]
	# the dynamic linker, of which /proc/self/exe is the name
	echo 1 >in
	ld=$(readelf -l "$DP_BUILD/bin/dpcount" |
	    sed -n 's/.*program interpreter: \(.*\)]$/\1/p')
	[ -x "$ld" ] || return 0
	run -0 env -u LD_BIND_NOW timeout 300 "$ld" "$DP_BUILD/bin/dpcount" -e 1 -T 9 -P in
	[ "${#lines[@]}" -eq 1 ]
}

@test "-P: every tool is linked so that its own functions are bound at the start" {
	for tool in "$DP_BUILD"/bin/dp*; do
		readelf -d "$tool" | grep -qE 'NOW' || { echo "$tool"; false; }
		readelf -l "$tool" | grep -q GNU_RELRO || { echo "$tool"; false; }
	done
	# whatever flags are given
	env -u MAKEFLAGS make -C "$BATS_TEST_DIRNAME/../.." -n O="$PWD/o" LDFLAGS=-Wl,-z,lazy \
	    CFLAGS=-O0 LDLIBS=-lm "$PWD/o/bin/dpcount" | grep -- '-Wl,-z,lazy .*-Wl,-z,relro,-z,now'
}

@test "-P: with buckets, no number in memory is the count of lines or events" {
	needs perl setarch
	for a in '--live -m x' '--public-times -t 1 --time-format=epoch'; do
		# noise so wide that the noisy sum is the count by chance once in 10^11 times
		talk dpcount -e 1e-10 -T 99 -P --bucket 1h $a
		yes '1 x' | head -41234 >&6
		until_true blocked "$pid"
		rc=0
		holds "$pid" 'number 41234' || rc=$?
		hangup
		[ $rc -ne 2 ] || skip 'may not read the memory of other processes'
		[ $rc -eq 1 ] || { echo "found: $a"; false; }
	done
}

@test "-P: dptransform holds no answer between steps, light or heavy" {
	needs perl
	for m in pan paper output; do
		# noise so wide that none of it is 0 by chance
		talk dptransform -e 1 -T 99 -P -r 0:1000T --sensitivity=10000000000 --changes=3 \
		    -M $m
		# the first is far from 0 and released, with noise; the second is near it: not
		ask 987654321098765 987654321098772
		until_true blocked "$pid"
		for n in 987654321098765 987654321098772; do
			rc=0
			holds "$pid" "number $n" || rc=$?
			[ $rc -eq 1 ] || break
		done
		hangup
		[ $rc -ne 2 ] || skip 'may not read the memory of other processes'
		[ $rc -eq 1 ] || { echo "$m"; false; }
	done
}

@test "-P: dpexperts forgets a round's costs, of a line that is none, too" {
	needs perl
	# in hundredths of a range so wide that no noise is 0 by chance
	n=751933821.25
	for line in "$n 1" "1 $n" "2:$n" "$n x" "1 $n 1"; do
		talk dpexperts -e 1 -T 99 -P -r 0:999999999.00 --columns=2 --protect=cost
		read -r -t 100 -u 7 answer
		ask "$line"
		until_true blocked "$pid"
		for text in 751933821 'number 75193382125'; do
			rc=0
			holds "$pid" "$text" || rc=$?
			[ $rc -eq 1 ] || break
		done
		hangup
		[ $rc -ne 2 ] || skip 'may not read the memory of other processes'
		[ $rc -eq 1 ] || { echo "found $text: $line"; false; }
	done
}
