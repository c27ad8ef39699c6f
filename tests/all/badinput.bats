# SPDX-License-Identifier: ISC
# Input and options that are wrong: what counts, what the run says, how it ends.  The catalogue is
# that of lines, numbers, fields, options, times; messages give place and reason and nothing else.
load ../lib/helper

# counts SUMS STRICT PRINTF-FORMAT [ARG ...]: the input prints SUMS (blank-separated), never a
# message; with --strict it ends with status STRICT, at line 1 if that is 3, and the message has no
# content.
counts() {
	local sums=$1 strict=$2 text=$3

	shift 3
	# shellcheck disable=SC2059
	printf -- "$text" >in
	# shellcheck disable=SC2086
	printf '%s\n' $sums >wanted
	dpcount -e inf -r 0:1000 "$@" in >printed 2>err && diff wanted printed || {
		echo "default: $text"
		return 1
	}
	# With noise nothing at all may be said but of options, as without any line.  (What needs no
	# plan: these are some 300 runs.)
	set -- -e 1 -M input -r 0:1000 "$@"
	[ "$said_of" = "$*" ] || said=$(dpcount "$@" /dev/null 2>&1 >/dev/null)
	said_of="$*"
	run -0 --separate-stderr dpcount "$@" in
	[ "$stderr" = "$said" ] || return 1
	fails "$strict" dpcount "$@" --strict in || {
		echo "--strict: $text"
		return 1
	}
	stderr=${stderr#"$said"}
	stderr=${stderr#$'\n'}
	if [ "$strict" -eq 0 ]; then
		[ -z "$stderr" ]
	else
		[[ $stderr != *$'\n'* ]] && [[ $stderr =~ ^dpcount:\ in:[0-9]+:\ [[:print:]]+$ ]]
	fi || {
		echo "message: $stderr"
		return 1
	}
}

@test "line ends: CRLF, lone CR, no last newline, empty lines" {
	counts 5 0 '5\r\n'
	counts 5 0 '5'
	counts '5 5 10' 0 '5\n\n5'
	counts '0 5' 0 '\r\n5\r\n'
	counts '0' 3 '1\r2\n'
	counts '0 3' 3 '5\r\r\n3\n'
	counts '0 3' 3 '\r5\n3\n'
}

@test "byte order mark: dropped at the start of each line, malformed elsewhere" {
	counts 5 0 '\357\273\2775\n'
	counts '1 6' 0 '1\n\357\273\2775\n'
	counts '5 5 6' 0 '\357\273\2775\n\357\273\277\n\357\273\277\357\273\2771'
	counts '1 1' 3 '1\n5\357\273\277\n'
	counts '0' 3 '\357\2735\n'
	counts '0 3' 3 '\377\3765\0\n3\n'
	printf '\357\273\2771\n' >a
	cp a again
	printf '1\n2\n' | prints exact a again
	printf '\357\273\277v w\n3 4\n' >a
	echo 3 | prints exact -H -v v -r 0:9 a
	# whoever stands before a line, it is read as it is alone
	printf 'a\n\357\273\277b\n' >in
	printf '\357\273\277b\n' >a
	for as in "-v 1 -m b" "--csv -k 1 --keys=b" "-k 1 --keys=b" "-m b -F ;" "-m ^b"; do
		# shellcheck disable=SC2086
		echo 1 | prints exact --once $as in
		# shellcheck disable=SC2086
		echo 1 | prints exact --once $as a
	done
}

@test "NUL bytes, control bytes, escapes, bytes that are no UTF-8" {
	counts '0' 3 '5\0\n'
	counts '0' 3 '\0005\n'
	counts '0 3' 3 '1\0002\n3\n'
	counts '0 0' 3 '5\0\n\0'
	counts '0' 3 '\0335\n'
	counts '0' 3 '5\177\n'
	counts '0' 3 '\3775\n'
	counts '0' 3 '5\302\240\n'
	counts '0' 3 '\357\274\225\n'
	counts '0' 3 '\331\245\n'
}

@test "blanks around numbers, quotes, words" {
	counts '0 3' 3 ' 5\n3\n'
	counts '0 3' 3 '5 \n3\n'
	counts '0 3' 3 '\t5\n3\n'
	counts '0 3' 3 ' \n3\n'
	counts '0 3' 3 'value\n3\n'
	counts '0 3' 3 '"5"\n3\n'
	counts '0 3' 3 '5x\n3\n'
	counts '0 3' 3 '5 6\n3\n'
	counts '0 3' 3 '1;5\n3\n'
}

@test "numbers too large or too small: they saturate, then are clamped" {
	counts 1000 0 '99999999999999999999\n'
	counts 1000 0 '9223372036854775808\n'
	counts 1000 0 '18446744073709551617\n'
	counts 1000 0 '1e309\n'
	counts 1000 0 '1e99999999999999999999999\n'
	counts 0 0 '1e-99999999999999999999999\n'
	counts 0 0 '0e99999999999999999999999\n'
	counts 1000 0 "$(printf '9%.0s' $(seq 5000))\\n"
	counts 0 0 "0.$(printf '0%.0s' $(seq 5000))1\\n"
	counts '0 1000' 0 '-3\n5000\n'
	printf -- '-99999999999999999999\n-1e309\n' >in
	printf '%s\n' -5 -10 | prints exact -r -5:5 in
}

@test "what is no number: nan, inf, hex, separators, half an exponent" {
	for t in nan NaN inf -inf Infinity 0x10 0x1p3 1_000 1.000.000 1,5 +-1 -+1 -- - \
	    + . e5 1e 1e+ 1e5.5 '1 e5' 1.e 0b1 1/2 ½ ²; do
		printf '%s\n3\n' "$t" >in
		printf '0\n3\n' | prints exact -r 0:1000 in
		fails 3 dpcount -e 1 -M input --strict -r 0:1000 in
		[[ $stderr == "dpcount: in:1: "* ]]
	done
}

@test "numbers in odd but plain spelling" {
	counts 10 0 '010\n'
	counts 10 0 '+10\n'
	counts 10 0 '1e1\n'
	counts 10 0 '100E-1\n'
	counts 10 0 '10.\n'
	counts 1 0 '.6\n'
	counts 0 0 '-0\n'
}

@test "a decimal comma is two fields of CSV" {
	counts 1 0 '1,5\n' --csv -v 1
}

@test "fields: missing, empty, too few" {
	counts '0 3' 3 'x\na 3\n' -v 2
	counts '0 3' 3 'x;\na;3\n' -v 2 -F ';'
	counts '0 3' 3 'x\na;3\n' -v 2 -F ';'
	counts '0 3' 3 'x,\na,3\n' -v 2 --csv
	counts '0 3' 3 'x\na,3\n' -v 2 --csv
	counts '0 1' 3 'x\nx a\n' -v 2 -m a
	counts '0 1' 3 'x\nx a\n' -k 2 --keys a
	counts '0 1' 3 'x\nx a\n' -u 2 -c 3
}

@test "--strict names the field" {
	printf '1 x\n1 3\n' >in
	fails 3 dpcount -e 1 -M input --strict -v 2 -r 0:1 in
	[[ $stderr =~ ^dpcount:\ in:1:\ field\ 2:\ .*number ]]
}

@test "a key that is not declared is not malformed" {
	counts '0 1' 0 'x\na\n' -k 1 --keys a
}

@test "--strict: the line's number, over files, headers, and newlines in quotes" {
	printf '1\n1\n' >a
	printf '1\n1\nx\n' >b
	fails 3 dpcount -e 1 -M input --strict a b
	[[ $stderr == "dpcount: b:3: "* ]]
	run -3 --separate-stderr dpcount -e 1 --strict - <b
	[[ $stderr == *:3:* ]]
	printf 'v\n1\nx\n' >c
	fails 3 dpcount -e 1 -M input --strict -H -v v -r 0:1 c
	[[ $stderr == "dpcount: c:3: "* ]]
	printf '"a\nb",1\n\nc,x\n' >d
	fails 3 dpcount -e 1 -M input --strict --csv -v 2 -r 0:1 d
	[[ $stderr == "dpcount: d:4: "* ]]
}

@test "--strict: estimates before the bad line are all out" {
	printf '1\n1\nx\n1\n' >in
	run -3 --separate-stderr dpcount -e inf --strict in
	[ "$output" = "$(seq 2)" ]
}

@test "times: malformed ones count nowhere, with --strict they end the run" {
	for t in x '' -x 1e 0x10 99999999999999999999 1_0 nan; do
		printf '5;1\n%s;1\n6;1\n' "$t" >in
		printf '1970-01-01T00:00:00Z\t2\n' |
		    prints exact -F ';' -t 1 --time-format=epoch -v 2 -r 0:1 --bucket 1h \
		    --public-times in
		printf '1970-01-01T00:00:00Z\t2\n' |
		    prints exact -F ';' -t 1 --time-format=epoch -v 2 -r 0:1 --bucket 1h --from 0 \
		    --to 3600 in
		fails 3 dpcount -e 1 -M input -F ';' -t 1 --time-format=epoch -v 2 --bucket 1h \
		    -r 0:1 --public-times --strict in
		[[ $stderr =~ ^dpcount:\ in:2:\ field\ 1: ]]
	done
}

@test "times: days and hours that do not exist" {
	for t in 2023-02-29 2024-02-30 2024-13-01 2024-00-10 2024-04-31 2024-01-01T24:00:01 \
	    2024-01-01T12:60:00 \
	    2024-1-1 24-01-01 2024-01-01T12:00:00+25:00 2024-01-01Tx 202401 2024-01-01T12; do
		printf '%s\n2024-01-05\n' "$t" >in
		printf '2024-01-05T00:00:00Z\t1\n' |
		    prints exact -t 1 --time-format iso --bucket 1d --public-times in
		fails 3 dpcount -e 1 -M input -t 1 --time-format iso --bucket 1d \
		    --public-times --strict in
		silent_about "$t" - <<<"$stderr"
	done
	for t in 31/Feb/2024:00:00:00 32/Jan/2024:00:00:00 01/jan/2024:00:00:00 01/Jan/24:00:00:00 \
	    01/Jan/2024; do
		printf '%s\n05/Jan/2024:00:00:00\n' "$t" >in
		printf '2024-01-05T00:00:00Z\t1\n' |
		    prints exact -t 1 --time-format clf --bucket 1d --public-times in
	done
}

@test "times: a leap second and a leap day are days and seconds" {
	printf '%s\n' 2016-12-31T23:59:60Z 2024-02-29T23:59:59Z >in
	exact -t 1 --time-format iso --bucket 1d --public-times --gap 10k in >got
	head -1 got | grep -q '^2016-12-31T00:00:00Z	1$'
	tail -1 got | grep -q '^2024-02-29T00:00:00Z	2$'
}

@test "times: before --from and after --to count nowhere, and are not malformed" {
	printf '%s\n' -1 0 3599 3600 99999999999 >in
	printf '1970-01-01T00:00:00Z\t2\n' | prints exact -t 1 --time-format=epoch --bucket 1h \
	    --from 0 --to 3600 in
	dpcount -e 1 -t 1 --time-format=epoch --bucket 1h --from 0 --to 3600 --strict in
}

# at HOUR LINE ARG ...: the line's event is in the bucket of that hour of 2026-05-01, under --strict
# too
at() {
	local hour=$1 line=$2

	shift 2
	printf '%s\n' "$line" >in
	echo "2026-05-01T$hour:00:00Z	1" >wanted
	for strict in '' --strict; do
		# shellcheck disable=SC2086
		exact --bucket 1h --public-times "$@" $strict in >got
		diff wanted got
		# shellcheck disable=SC2086
		exact -q --bucket 1h --from "2026-05-01T$hour:00" --to "2026-05-01T$hour:59" \
		    "$@" $strict in >got
		diff wanted got
	done
}

@test "times: an offset counts in the field after the time, under every delimiter" {
	at 21 '2026-05-01 14:00:00 -0700' -t 1 --time-format=iso
	at 21 '2026-05-01 14:00:00 -07:00 GET' -t 1 --time-format=iso
	at 21 '2026-05-01T14:00:00 -0700' -t 1 --time-format=iso
	at 21 '2026-05-01 14:00:00 -07' -t 1 --time-format=iso
	at 21 'x,2026-05-01,14:00:00,-07' -t 2 -F , --time-format=iso
	at 21 'x;2026-05-01;14:00:00;-0700' -t 2 -F ';' --time-format=iso
	at 21 'x,2026-05-01,14:00:00,-0700' -t 2 -F , --time-format=iso
	at 21 'x,"2026-05-01","14:00:00",-0700' -t 2 --csv --time-format=iso
	at 21 'x,2026-05-01 14:00:00,-0700' -t 2 --csv --time-format=iso
	at 21 'x,2026-05-01 14:00:00 -0700,-0100' -t 2 --csv --time-format=iso
	at 21 $'x\t2026-05-01\t14:00:00\t-0700' -t 2 --tsv --time-format=iso
	at 21 '2026-05-01 14:00:00 -0700' -t 1 -F ' ' --time-format=iso
	at 21 '[01/May/2026:14:00:00 -0700]' -t 1 --time-format=clf
	at 21 '[01/May/2026:14:00:00;-0700]' -t 1 -F ';' --time-format=clf
	at 21 '01.05.2026 14:00:00 -0700' -t 1 --time-format='%d.%m.%Y %H:%M:%S'
	at 21 '01.05.2026,14:00:00,-0700' -t 1 --csv --time-format='%d.%m.%Y %H:%M:%S'
	# a pattern that is looked for first, and fields cut after it
	at 21 'x,2026-05-01,14:00:00,-0700' -t 2 -F , --time-format=iso -m x
	at 14 '2026-05-01 14:00:00 UTC' -t 1 --time-format=iso
}

@test "times: a bare date takes the time of day from the next field, under every delimiter" {
	at 14 '2026-05-01,14:00:00' -t 1 --csv --time-format=iso
	at 14 '2026-05-01;14:00:00.5' -t 1 -F ';' --time-format=iso
	at 14 $'2026-05-01\t14:00:00' -t 1 --tsv --time-format=iso
	at 14 '2026-05-01,14:00' -t 1 -F, -m 1 --time-format=iso
	printf 'a,b\n2026-05-01,14:00:00\n' >in
	echo '2026-05-01T14:00:00Z	1' | prints exact -H -t a --csv --time-format=iso \
	    --bucket 1h --public-times in
	printf 'a b\n2026-05-01 14:00:00\n' >in
	echo '2026-05-01T14:00:00Z	1' | prints exact -H -t a --time-format=iso --bucket 1h \
	    --public-times in
}

@test "times: a bare date takes the time of day from the next group" {
	at 14 'x 2026-05-01 14:00:00' --cut='(?<d>\S+) (?<h>\S+)$' -t d --time-format=iso
	at 21 '2026-05-01|14:00:00 -0700' --cut='^(?<d>.*)[|](?<h>.*)' -t d --time-format=iso
	# a number with a sign is a zone where it is said to be one
	at 14 '2026-05-01|14:00:00|-0700' --cut='^(?<d>.*)[|](?<h>.*)[|](?<x>.*)' -t d \
	    --time-format=iso
	at 21 '2026-05-01T14:00:00|-0700' --cut='^(?<d>.*)[|](?<z>.*)' -t d,z --time-format=iso
	at 14 '2026-05-01 14:00' --cut='^((?<d>\S+) (?<h>\S+))' -t 2 --time-format=iso
	at 14 '01.05.2026|14:00' --cut='^(?<d>.*)[|](?<h>.*)' -t d --time-format='%d.%m.%Y %H:%M'
}

@test "times: -t A,B, the day and its time of day, wherever they stand" {
	at 14 '14:00:00 2026-05-01' -t 2,1 --time-format=iso
	at 14 '2026-05-01,x,14:00:00' -t 1,3 --csv --time-format=iso
	at 21 $'14:00:00 -0700\tx\t2026-05-01' -t 3,1 --tsv --time-format=iso
	at 21 '14:00:00+00:00;-0700;2026-05-01T14:00:00' -t 3,2 -F ';' --time-format=iso
	at 14 '14:00 2026-05-01' --cut='(?<h>\S+) (?<d>\S+)' -t d,h --time-format=iso
	at 14 '14:00 01.05.2026' -t 2,1 --time-format='%d.%m.%Y %H:%M'
	at 14 '{"h":"14:00:00","x":1,"d":"2026-05-01"}' --json -t d,h --time-format=iso
	at 14 '{"at":{"h":"14:00","d":"2026-05-01"}}' --json -t at.d,at.h --time-format=iso
	# a name and a number
	printf 'a b c\n14:00:00 x 2026-05-01\n' >in
	for t in c,a 3,a c,1; do
		echo '2026-05-01T14:00:00Z	1' | prints exact -H -t $t --time-format=iso \
		    --bucket 1h --public-times in
	done
	# no column of a line of many numbers
	printf '14:00 5 2026-05-01 7\n' >in
	prints exact_of dpmaxsum --columns=2 -r 0:9 -t 3,1 --time-format=iso \
	    --bucket=1h --public-times in <<<'2026-05-01T14:00:00Z	7'
	for t in a,b,c ,a a, ,; do
		fails 2 dpcount -e 1 -H -t $t --time-format=iso --bucket=1h --public-times in
		[[ $stderr == *--time:* ]]
	done
	fails 2 dpcount -e 1 -t 1,2 --time-format=epoch --bucket=1h --public-times in
	[[ $stderr == *'one field, not two'* ]]
	fails 2 dpcount -e 1 --json -t a,2 --time-format=iso --bucket=1h --public-times in
	fails 2 dpcount -e 1 -t 1,b --time-format=iso --bucket=1h --public-times in
	[[ $stderr == *"'b' is the name of a field"* ]]
	fails 2 dpcount -e 1 --unit=1 -v 2 -t 1,2 --time-format=iso --bucket=1h --public-times in
	[[ $stderr == *'must be another field'* ]]
}

@test "times: a day without a time of day is no hour, unless it is said to be one" {
	range='--from=2026-05-01 --to=2026-05-02'
	while IFS='|' read -r options line; do
		printf '%s\n' "$line" >in
		for bucket in 1h 23h; do
			# shellcheck disable=SC2086
			set -- $options --bucket=$bucket $range
			exact -q "$@" --time-format=iso in >got
			[ "$(cut -f 2 got | sort -u)" = 0 ]
			fails 3 exact -q "$@" --strict --time-format=iso in
			[ -z "$output" ] && grep -q '^dpcount: in:1: field .: no time of day$' err
			dpcount "$@" --check --time-format=iso in >got 2>err
			grep -q "nothing: field .: no time of day: '2026-05-01'$" got
		done
		# shellcheck disable=SC2086
		set -- $options $range
		exact -q "$@" --bucket=1h --strict --time-format=%Y-%m-%d in | tail -n 1 |
		    cut -f 2 | grep -x 1
	done <<-'E'
		-t 1|2026-05-01 x
		-t 1 --csv|2026-05-01,,14:00:00
		-t 1 --csv|2026-05-01,x,14:00:00
		-t 1 -F ;|2026-05-01
		--json -t d|{"d":"2026-05-01","h":"14:00:00"}
		--cut=^(?<d>\S+) -t d|2026-05-01 14:00:00
	E
	# of days it needs none; but where it has a field, that is one
	echo '2026-05-01 x' >in
	exact -q -t 1 --bucket=1d $range --strict --time-format=iso in | cut -f 2 | grep -x 1
	fails 3 exact -q -t 1,2 --bucket=1d $range --strict --time-format=iso in
	grep -q 'in:1: field 1: no time of day$' err
	fails 3 exact -q -t 1,3 --bucket=1d $range --strict --time-format=iso in
	grep -q 'in:1: field 3: the field is missing$' err
}

@test "times: what begins like a time of day and is none is malformed" {
	for z in 9:05:00 25:00:00 '- 09:05'; do
		printf '%s\n' "2026-05-01 $z" 2026-05-05T00:00 >in
		echo '2026-05-05T00:00:00Z	1' | prints exact -t 1 --time-format iso \
		    --bucket 1h --public-times in
		fails 3 dpcount -e 1 -M input -t 1 --time-format iso --bucket 1h \
		    --public-times --strict in
	done
}

@test "times: a number in the field after them is no zone" {
	printf '2026-05-01 14:00:00 -1200 +1100\n' >in
	for v in '3 -1200' '4 1100'; do
		# shellcheck disable=SC2086
		set -- $v
		[ "$1" = 4 ] && begin=2026-05-02T02 || begin=2026-05-01T14
		echo "$begin:00:00Z	$2" |
		    prints exact -v "$1" -r -2000:2000 -t 1 --time-format=iso --bucket 1h \
		    --public-times in
		tr ' ' , <in >csv
		echo "$begin:00:00Z	$2" |
		    prints exact -v "$1" -r -2000:2000 -t 1 --csv --time-format=iso --bucket 1h \
		    --public-times csv
	done
}

@test "times: names of zones are malformed, not ignored" {
	for z in EST CEST CET PDT IST America/New_York UTC+x PM est '[EST]' '(CEST)' P.M.; do
		printf '%s\n' "2026-05-01 14:00:00 $z" 2026-05-05T00:00 >in
		echo '2026-05-05T00:00:00Z	1' |
		    prints exact -t 1 --time-format iso --bucket 1h --public-times in
		fails 3 dpcount -e 1 -M input -t 1 --time-format iso --bucket 1h \
		    --public-times --strict in
		[[ $stderr =~ ^dpcount:\ in:1:\ field\ 1: ]]
		tr ' ' , <in >csv
		echo '2026-05-05T00:00:00Z	1' |
		    prints exact --csv -t 1 --time-format iso --bucket 1h --public-times csv
	done
}

@test "times: a table of log records whose date and time are two columns" {
	data=/work/shared/data/openstack.csv
	[ -r $data ] || skip "no $data"
	exact --csv -H -t Date --time-format=iso --bucket 1m --from 2017-05-16 \
	    --to 2017-05-17 $data >got
	# the fourth column has no quotes before it
	cut -d , -f 4 $data | cut -c 1-5 | sort | uniq -c | awk '/:/ { print $2, $1 }' >wanted
	awk '$2 != last { print substr($1, 12, 5), $2 - last; last = $2 }' got | diff wanted -
}

@test "times: a format that cannot give back what it printed is refused at start" {
	echo 1 >in
	for f in '%Y-%m-%d %H:%M:%S %Z' '%G-W%V-%u' %H:%M:%S '%b %d %H:%M:%S' '%Y-%m-%d %I:%M' \
	    '%Y %d' %s %; do
		refused -e 1 -T 9 -t 1 --bucket 1h --public-times --time-format="$f"
	done
	run -0 dpcount -e 1 -T 9 -t 1 --bucket 1h --public-times --time-format='%d %b %Y' in
}

@test "times: an event outside --from/--to does not use up its user's allowance" {
	printf '%s a\n' 0 3600 3601 7200 >in
	printf '1970-01-01T01:00:00Z\t1\n' | prints exact -t 1 --time-format=epoch -u 2 -c 1 \
	    --bucket 1h --from 3600 --to 7200 in
	printf '1970-01-01T01:00:00Z\t2\n' | prints exact -t 1 --time-format=epoch -u 2 -c 2 \
	    --bucket 1h --from 3600 --to 7200 in
	# in the whole hours that hold the range, but not in the range
	printf '1970-01-01T01:00:00Z\t1\n' | prints exact -q -t 1 --time-format=epoch -u 2 -c 2 \
	    --bucket 1h --from 3601 --to 7200 in
}

@test "times: --from or --to inside a bucket cuts it, which is said; a state refuses that" {
	local said to=':00:00Z to' end=':00:00Z only a part counts'

	printf '2026-05-01T%s:00Z\n' 10:05 10:35 10:45 12:05 12:35 >in
	set -- -m . -t 1 --time-format=iso --bucket=1h
	for q in '' -q; do
		# shellcheck disable=SC2086
		prints dpwindow -e inf -w 1 "$@" $q --from=2026-05-01T10:30Z \
		    --to=2026-05-01T12:15Z in 2>err <<-E
			2026-05-01T10:00:00Z	2
			2026-05-01T11:00:00Z	0
			2026-05-01T12:00:00Z	1
		E
		grep -v 'NOT PRIVATE' err >said || :
		[ -n "$q" ] || cp said loud
	done
	[ ! -s said ]
	said='is inside a bucket: of the bucket from 2026-05-01T'
	diff - loud <<-E
		dpwindow: --from: '2026-05-01T10:30Z' ${said}10$to 2026-05-01T11$end
		dpwindow: --to: '2026-05-01T12:15Z' ${said}12$to 2026-05-01T13$end
	E
	# what is left of the bucket could be had by no later run
	set -- "$@" --state=s
	for a in '--from=2026-05-01T10:30Z --to=2026-05-01T12:00Z' \
	    '--from=2026-05-01T10:00Z --to=2026-05-01T12:00:01Z'; do
		# shellcheck disable=SC2086
		fails 2 dpcount -e 1 -T 9 --init "$@" $a in
		[ ! -e s ]
	done
	[[ $stderr == "dpcount: --to: '2026-05-01T12:00:01Z' must begin a bucket, or a part of"* ]]
	[[ $stderr == *': 2026-05-01T12:00:00Z or 2026-05-01T13:00:00Z'* ]]
	dpcount -e 1000000 -T 9 --init "$@" --from=2026-05-01T10:00Z --to=2026-05-01T11:00Z in >out
	cp s before
	fails 2 dpcount --state=s --from=2026-05-01T11:00Z --to=2026-05-01T12:15Z in
	[[ $stderr == "dpcount: --to: '2026-05-01T12:15Z' must begin a bucket"* ]]
	cmp before s
	dpcount --state=s --from=2026-05-01T11:00Z --to=2026-05-01T13:00Z in >>out
	cut -f 2 out | paste -s -d ' ' | grep -x '3 3 5'
}

@test "--gap: a time that is wrong by a digit closes nothing, and counts nowhere" {
	printf '%s\n' 1777600000 1777603600 17776072000 1777607200 >in
	printf '2026-05-01T0%s:00:00Z\t%s\n' 1 1 2 2 3 3 >three
	prints exact -q -t 1 --time-format=epoch --bucket 1h --public-times in <three
	prints exact -q -t 1 --time-format=epoch --bucket 1h --public-times --strict in <three
	printf 'a %s\n' 1777600000 1777603600 17776072000 1777607200 >in
	printf '2026-05-01T0%s:00:00Z\t%s\n' 1 1 2 1 3 1 |
	    prints exact -q -t 2 --time-format=epoch -u 1 -c 1 --bucket 1h --public-times in
	prints exact -q -t 2 --time-format=epoch -u 1 -c 3 --bucket 1h --public-times in <three
	# what holds no event and what is malformed is no better
	printf '17776072000;1\n17776072001;1\n99999999999;x\n' >in
	fails 3 dpcount -e inf -F ';' -t 1 --time-format=epoch -v 2 -r 0:1 --bucket 1h \
	    --public-times in
	[ -z "$output" ]
}

@test "--public-times: a time that is far from the first is said at once, and ends the run" {
	set -- -q -t 1 --time-format=iso --bucket=1d --public-times
	# a clock that was not set; a first line from the future
	printf '%s\n' 1970-01-01 2026-05-01 2026-05-02 >unset
	printf '%s\n' 2099-01-01 2026-05-01 2026-05-02 >future
	declare -A way=([unset]=after [future]=before)
	for f in unset future; do
		fails 3 dpwindow -e 1 -w 1 -T 9 "$@" $f
		[ -z "$output" ]
		[[ $stderr == "dpwindow: $f:2: its time, 2026-05-01T00:00:00Z, is more than 100 \
empty buckets ${way[$f]} the open one, "*": one of the two is wrong.  Delete the line with the \
wrong time; if both are right, sort lines by time and give --gap=N, no less than "* ]]
	done
	dpwindow -e inf -w 1 "$@" --gap=99999 unset 2>err >got
	[ "$(awk '{ n += $2 } END { print n, NR }' got)" = '3 20576' ]
	# a bucket has closed: the first such time is told, once, and no other line
	printf '%s\n' 2026-05-01 2026-05-02 2099-01-01 2026-05-03 2098-01-01 1970-01-01 >mid
	run -0 --separate-stderr dpwindow -e inf -w 1 "${@:2}" mid
	[ "$output" = "$(printf '2026-05-0%dT00:00:00Z\t%d\n' 1 1 2 1 3 2)" ]
	[ "${stderr#*NOT PRIVATE$'\n'}" = "dpwindow: mid:3: its time, 2099-01-01T00:00:00Z, \
is more than 100 empty buckets after the open one, 2026-05-02T00:00:00Z: it counts nowhere, and so \
will any other time that far ahead (--gap)" ]
	# where users are read ahead, it is the line that is meant
	printf '%s u\n' 100 99999999999 300 400 >ahead
	fails 3 dpcount -q -e 1 -T 9 -t 1 -u 2 -c 3 --time-format=epoch --bucket=1h \
	    --public-times <ahead
	[[ $stderr == 'dpcount: standard input:2: '* ]]
	# a state goes on from its own bucket
	printf '%s\n' 2026-05-01 2026-05-02 >in
	dpcount -e 1 -T 99 "${@:2}" --state=s --init in >out
	cp s before
	fails 3 dpcount --state=s "${@:2}" <<<2027-05-01
	[ -z "$output" ]
	dpcount --state=s <<<2026-05-04 >>out
	[ "$(wc -l <out)" -eq 3 ]
}

@test "--gap=N: N empty buckets, not one more" {
	for n in 1 2 7 5000; do
		printf '%s\n' 0 $(((n + 1) * 60)) >in
		exact -t 1 --time-format=epoch --bucket 1m --public-times --gap $n in >got
		[ "$(wc -l <got)" -eq $((n + 2)) ] && [ "$(tail -n 1 got | cut -f 2)" -eq 2 ]
		printf '%s\n' 0 60 $(((n + 3) * 60)) >in
		printf '1970-01-01T00:0%d:00Z\t%d\n' 0 1 1 2 |
		    prints exact -q -t 1 --time-format=epoch --bucket 1m --public-times --gap $n in
	done
	# by default 100 buckets or 31 days
	for w in 1h:745 6h:125 1m:44641 1d:101; do
		case $w in 1h*) s=3600 ;; 6h*) s=21600 ;; 1m*) s=60 ;; 1d*) s=86400 ;; esac
		printf '%s\n' 0 $((s * ${w#*:})) >in
		[ "$(exact -t 1 --time-format=epoch --bucket "${w%:*}" --public-times in |
		    wc -l)" -eq $((${w#*:} + 1)) ]
		printf '%s\n' 0 $((s * ${w#*:} + s)) >in
		fails 3 dpcount -e inf -q -t 1 --time-format=epoch --bucket "${w%:*}" \
		    --public-times in
		[ -z "$output" ]
	done
	dpcount -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --public-times --explain |
	    grep 'more than 744 empty buckets'
	dpcount -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --public-times --gap 77 --explain |
	    grep 'more than 77 empty buckets'
	refused -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --public-times --gap=0
	refused -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --live --gap=0
	refused -e 1 -T 9 --gap=5
}

@test "a bucket's sum that is cut is said beforehand" {
	yes '0 1000000' | head -n 5000 >in
	set -- -t 1 --time-format=epoch -v 2 -r 0.000000000:1000000 --bucket 1h --public-times
	exact "$@" in >got
	[ "$(cat got)" = '1970-01-01T00:00:00Z	5000000000.000000000' ]
	set -- --expire=9 "$@"
	dpcount -q -e inf "$@" in >got 2>err
	[ "$(cat got)" = '1970-01-01T00:00:00Z	2305843009.213693952' ]
	dpcount -e 10000 -T 9 "$@" --explain | grep 'beyond +-2.30584e+09 (2^61 grid units)'
	dpcount -e 10000 -T 9 "$@" -Ejson | grep 'beyond +-2.30584e+09'
	run -1 sh -c \
	    'dpcount -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --public-times -E | grep 2^61'
}

@test "--csv: a blank row is no step, a row without a value is one in which nothing happened" {
	printf '1,x\n\n  \n,\n""\n1\n' >in
	printf '%s\n' 1 1 1 2 | prints exact --csv -v 1 -r 0:1 in
	dpcount -e 1 --csv -v 1 -r 0:1 --explain |
	    grep "a blank row is none, so 'nothing happened' is a row of value 0"
}

# Every message of a run with the secret in every place it could come from.
@test "no message shows an input value, whatever goes wrong" {
	s=74193862
	printf '%sx;%s;%s\n%sx;%s\n' $s $s $s $s $s >in
	{
		dpcount -e 1 --strict in
		dpcount -e 1 --strict -F ';' -v 1 -r 0:1 in
		dpcount -e 1 --strict -F ';' -v 9 -r 0:1 in
		dpcount -e 1 --strict -F ';' -t 1 --time-format=epoch --bucket 1h --public-times in
		dpcount -e 1 --strict -F ';' -t 1 --time-format iso --bucket 1h --public-times in
		dpcount -e 1 --strict -F ';' -k 3 --keys a in
		dpcount -e 1 --strict -F ';' -u 3 -c 1 in
		dpcount -e 1 --strict --csv -v 1 -r 0:1 in
		dpcount -e 1 -H -v nosuch -r 0:1 in
		dpcount -e 1 -T 1 in
		dpcount -e inf -T 1 -F ';' -v 2 -r 0:100000000 in
		dpcount -e 1 in >/dev/full
	} >/dev/null 2>all && false
	[ "$(wc -l <all)" -ge 12 ]
	silent_about $s all
}

@test "no message depends on how much data there was" {
	for n in 20 345 6789; do
		yes 1 | head -$n >in
		run -4 --separate-stderr dpcount -e 1 -T 10 in
		echo "$stderr"
	done | sort -u >all
	[ "$(wc -l <all)" -eq 1 ]
	silent_about 345 all
}

# refused ARG ...: usage, one message, nothing printed, nothing read
refused() {
	local status=0 rest whole

	{
		dpcount "$@" 2>err >printed || status=$?
		IFS= read -rd '' rest || :
	} <in
	IFS= read -rd '' whole <in || :
	[ $status -eq 2 ] && [ ! -s printed ] && [ "$rest" = "$whole" ] &&
	    [[ $'\n'$(<err) = *$'\ndpcount: '* ]] || {
		echo "status $status: dpcount $*"
		cat printed err
		return 1
	}
}

@test "epsilon: everything but a positive decimal, a ratio, inf" {
	echo 1 >in
	for e in 0 0.0 0/1 -1 -inf nan NaN INFINITY 1e-300 1e400 0x1 '' ' ' ' 1' '1 ' 1,5 \
	    1/0 1/ /1 1//2 1/2/3 1/-2 1.5.5 e 1e 1_0 ½ one 1%; do
		refused -e "$e" -T 9
		refused "--epsilon=$e" -T 9
		grep -q epsilon err
	done
	run -0 dpcount -e inf in
	run -0 dpcount -e 1e-3 in
	run -0 dpcount -e .5 in
	run -0 dpcount -e 1/2 in
}

@test "epsilon so small that the noise does not fit is refused, and by name" {
	echo 1 >in
	refused -e 1e-12 -T 1M -r 0:1000000
	grep -q epsilon err
	# the nearest that fits does
	refused -e 1e-8 -T 30 -r 0:1000000000
	least=$(sed -n 's/.* takes epsilon \([0-9.e-]*\) or more here.*/\1/p' err)
	run -0 dpcount -q -e "$least" -T 30 -r 0:1000000000 in
}

@test "delta: 0 to below 1" {
	echo 1 >in
	for d in 1 1.0 2 -1 nan inf '' x 1/1 0x1p-9; do
		refused -e 1 -T 9 -d "$d"
		grep -q delta err
	done
	run -0 dpcount -e 1 -T 9 -d 0 in
	run -0 dpcount -e 1 -T 9 -d 1e-6 in
}

@test "horizon" {
	echo 1 >in
	for t in 0 -1 x '' 1.5 1e3 10kk 10x k 99999999999999999999 0x10 ' 5' 5,0; do
		refused -e 1 -T "$t"
		grep -q horizon err
	done
}

@test "range" {
	echo 1 >in
	for r in 5:1 0:0 0.0:0 1 : 1: :1 a:b '' nan:1 0:inf 0:1:2 0:0x10 0:1e400 0,5:1 \
	    0:.0000000000001 0:9999999999999999999; do
		refused -e 1 -T 9 "--range=$r"
		grep -q range err
	done
}

@test "other options: values that are none" {
	echo 1 >in
	for a in -v0 -v= -v-1 -F -Fab --delimiter= -oxml -o -B0 -B1 -B2 -Bx --bound=nan \
	    -Enosuch --seed=x --seed=-1 --seed= \
	    --seed=1.5 --seed=99999999999999999999 -c0 -c-1 -cx --bucket=0s --bucket=-1h \
	    --bucket=x --bucket=1y \
	    --bucket= --live=x --from=x --to=2024-02-30 '--match=(' '--match=[' '--match=a**' \
	    --keys= --keys=a,,b \
	    --keys=a,a --keys=@nosuch --keys=@in/ --nosuch -Z --batch= '--batch=a b' -Mnosuch -M; do
		refused -e 1 -T 9 "$a"
	done
	refused -e 1 -T 9 -t 1 --bucket 1h --public-times --time-format=nosuch
	refused -e 1 -T 9 -t 1 --bucket 1h --public-times --time-format=
	refused -e
}

@test "options that do not go together, or not alone" {
	echo 1 >in
	refused -T 9
	refused
	refused -e 1 -T 9 -u 1
	refused -e 1 -T 9 -c 1
	refused -e 1 -T 9 -k 1
	refused -e 1 -T 9 --keys=a
	refused -e 1 -T 9 -v name
	refused -e 1 -T 9 --fixed
	refused -e 1 -T 9 -i
	refused -e 1 -T 9 --invert-match
	refused -e 1 -T 9 --csv --tsv
	refused -e 1 -T 9 -t 1 --time-format=epoch
	refused -e 1 -T 9 --time-format=iso
	refused -e 1 -T 9 --init
	refused -e 1 -T 9 --out=o
	refused -e 1 -T 9 --batch=1
	refused -e 1 -T 9 --witness=w
	refused -e 1 -T 9 --state-show
	refused -e inf -T 9 --state=s --init
	[ ! -e s ]
}

@test "--keys=@FILE: a byte order mark is none of the first key; a NUL is refused" {
	printf 'a\nb\n' >in
	printf '\357\273\277a\nb\n' >keys
	printf '1\t0\n1\t1\n' | prints exact -k 1 --keys=@keys in
	printf '\357\273\277a\r\nb\r\n' >keys
	printf '1\t0\n1\t1\n' | prints exact -k 1 --keys=@keys in
	printf 'a\0x\nb\n' >keys
	refused -e 1 -T 9 -k 1 --keys=@keys
	grep NUL err
	printf 'a\0x\na\0y\n' >keys
	refused -e 1 -T 9 -k 1 --keys=@keys
	printf '\377\376a\0\n\0b\0\n\0' >keys
	refused -e 1 -T 9 -k 1 --keys=@keys
	printf '\357\273\277\n' >keys
	refused -e 1 -T 9 -k 1 --keys=@keys
	printf '\357\273\277a\na\n' >keys
	refused -e 1 -T 9 -k 1 --keys=@keys
}

@test "keys that cannot be names of columns are refused at start" {
	echo 1 >in
	for k in time step; do
		refused -e 1 -T 9 -k 1 --keys="a,$k" -o tsv
		refused -e 1 -T 9 -k 1 --keys="$k" -o csv -E
		run -0 dpcount -e 1 -T 9 -k 1 --keys="a,$k" in
		run -0 dpcount -e 1 -T 9 -k 1 --keys="a,$k" -o json in
	done
	for k in $'a\tb' $'a\nb' $'a\rb'; do
		refused -e 1 -T 9 -k 1 --keys="$k"
		refused -e 1 -T 9 -k 1 --keys="$k" -o tsv
		run -0 dpcount -e 1 -T 9 -k 1 --keys="$k" -o csv in
		run -0 dpcount -e 1 -T 9 -k 1 --keys="$k" -o json in
	done
	for k in $'\377' $'a\200' $'\303' $'\300\200' $'\340\200\200' $'\355\240\200' \
	    $'\364\220\200\200' $'\370\210\200\200\200'; do
		refused -e 1 -T 9 -k 1 --keys="$k" -o json
		grep UTF-8 err
		run -0 dpcount -e 1 -T 9 -k 1 --keys="$k" -o csv in
	done
	for k in ä € 𝄞 $'\337\277' $'\355\237\277' $'\356\200\200' $'\364\217\277\277'; do
		run -0 dpcount -e 1 -T 9 -k 1 --keys="$k" -o json in
		jq -e . <<<"$output"
	done
}

@test "columns that would have one name are refused at start" {
	echo 1 >in
	refused -e 1 -T 9 -k 1 --keys=a,a_lo -B -o csv
	grep 'one name' err
	refused -e 1 -T 9 -k 1 --keys=a,b,b_hi -B -o tsv
	run -0 dpcount -e 1 -T 9 -k 1 --keys=a,a_lo -o csv in
	run -0 dpcount -e 1 -T 9 -k 1 --keys=a,a_lo -B in
	run -0 dpcount -e 1 -T 9 -k 1 --keys=a,a_lo -B -o json in
	for o in tsv json; do
		run -2 dpwindow -e 1 -T 9 -w 1,2,1 -k 1 --keys=a,b -o $o in
		run -0 dpwindow -e 1 -T 9 -w 1,2 -k 1 --keys=a,b -o $o in
	done
}

@test "--time-format is looked at by --explain too" {
	echo 1 >in
	refused -e 1 -T 9 -t 1 --bucket 1h --public-times --time-format=%Y-%Z -E
	refused -e 1 -T 9 -t 1 --bucket 1h --public-times --time-format=nosuch -E
}

@test "-u with -k: events of a user appear or vanish, and change no column" {
	for u in '' '-M tree' '-d 1e-6'; do
		# shellcheck disable=SC2086
		[ "$(dpcount -e 1 -T 9 -k 1 --keys a,b -u 2 -c 14 $u -Ejson |
		    jq .sensitivity)" = 14 ]
		# shellcheck disable=SC2086
		[ "$(dpcount -e 1 -T 9 -k 1 --keys a,b -r -2:5 -u 2 -c 14 $u -Ejson |
		    jq .sensitivity)" = 70 ]
		# shellcheck disable=SC2086
		[ "$(dpcount -e 1 -T 9 -k 1 --keys a,b $u -Ejson | jq .sensitivity)" = 2 ]
	done
}

@test "buckets need exactly one way to say which exist" {
	echo 1 >in
	refused -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h
	refused -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --live --public-times
	refused -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --public-times --from 0 --to 3600
	refused -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --live --from 0 --to 3600
	refused -e 1 -T 9 --bucket 1h --public-times
	refused -e 1 -T 9 --bucket 1h --from 0 --to 3600
	refused -e 1 -T 9 -t 1 --time-format=epoch --from 0 --to 3600
	refused -e 1 -T 9 --live
	refused -e 1 -T 9 --public-times
	refused -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --from 3600 --to 3600
	refused -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --from 7200 --to 3600
	refused -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --from 0
	refused -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --from=-7200
	refused -e 1 -T 9 -t 1 --time-format=epoch --bucket 1h --to 3600
}

@test "operands that cannot be read: 3, before anything is printed" {
	echo 1 >in
	fails 3 dpcount -e 1 -M input in nosuch
	[ -z "$output" ]
	[[ $stderr == *nosuch* ]]
	fails 3 dpcount -e 1 -M input nosuch in
	[ -z "$output" ]
	mkdir dir
	fails 3 dpcount -e 1 -M input dir
	[[ $stderr == *dir* ]]
	run -3 --separate-stderr dpcount -e 1 <dir
	if [ "$(id -u)" -ne 0 ]; then
		: >closed
		chmod 0 closed
		fails 3 dpcount -e 1 -M input closed
	fi
}

@test "standard input closed: 3, not an empty stream" {
	echo 1 >in
	# "run" itself would open another file as 0
	for c in 'dpcount -e 1' 'dpcount -e 1 -' 'dpcount -e 1 in -' \
	    'dpcount -e 1 -k 1 --keys=@in -' 'dpcount -e 1 2>&-' 'dpcount -e 1 in - 2>&-'; do
		fails 3 timeout 300 sh -c "exec $c <&-"
	done
	run -0 --separate-stderr timeout 300 sh -c 'exec dpcount -e inf in <&-'
	[ "$output" = 1 ]
}

@test "standard output closed or full: 1" {
	echo 1 >in
	# shellcheck disable=SC2016
	for c in 'dpcount -e 1 in >&-' 'dpcount -e 1 in >/dev/full' 'dpcount --help >/dev/full' \
	    'dpcount -V >/dev/full' 'dpcount -e 1 -T 9 --explain >/dev/full' 'dpcount --help >&-' \
	    'dpcount -e 1 -T 9 -Ejson >/dev/full' 'yes | timeout 300 dpcount -e 1 >/dev/full' \
	    'yes 1 | timeout 300 dpcount -e 1 --line-buffered >/dev/full'; do
		fails 1 sh -c "$c"
		[ -n "$stderr" ]
	done
}

@test "no random bytes, from whichever call on: 1, and a reason" {
	unsanitized "a sanitizer's library comes first"
	cat >fail.c <<-'EOF'
		#include <stdlib.h>
		#include "kernel.h"
		static ssize_t kernel_random(void *p, size_t n, unsigned flags) {
			static int calls;
			if (calls++ < atoi(getenv("CALLS")))
				return kernel_really(p, n, flags);
			errno = EIO;
			return -1;
		}
	EOF
	${CC:-cc} -shared -fPIC -D_GNU_SOURCE -I"$BATS_TEST_DIRNAME/../unit" -o fail.so fail.c
	nm -D --undefined-only "$DP_BUILD/bin/dpcount" | grep -qw syscall ||
	    skip "syscall is not the C library's"
	yes 1 | head -n 20000 >in
	for n in 0 1 2 3 4 5; do
		for pan in '' -P; do
			# shellcheck disable=SC2086
			fails 1 env CALLS=$n LD_PRELOAD="$PWD/fail.so" dpcount -e 1 $pan in
			[[ $stderr == *"no random bytes"* ]]
		done
	done
	# keys in lines: what was printed is right in every column; the answers are exact by chance
	# of 1 - e^-10^6, and 5 lines by themselves leave steps of two blocks together
	printf '%s\n' a b c b a >first
	integers 20000 | awk '{ print substr("abc", $1 % 3 + 1, 1) }' >rest
	awk '{ n[$1]++; print n["a"] + 0 "\t" n["b"] + 0 "\t" n["c"] + 0 }' first rest >all
	mapfile -t all <all
	for n in {20..60}; do
		fails 1 env CALLS=$n LD_PRELOAD="$PWD/fail.so" dpcount -e 100000000 -T 70000 \
		    -M kary --line-buffered -k 1 --keys=a,b,c first rest
		[ "${#lines[@]}" -gt 1000 ]
		[ "${all[*]:0:${#lines[@]}}" = "${lines[*]}" ]
	done
}

@test "standard error closed: the run goes on" {
	echo 1 >in
	[ "$(dpcount -e inf in 2>&-)" = 1 ]
	[ "$(echo 1 | dpcount -e inf 2>&-)" = 1 ]
}

@test "SIGPIPE is silent" {
	yes 1 | head -200000 >in
	# shellcheck disable=SC2016
	run -0 --separate-stderr bash -c 'dpcount -e 1 in | head -1; exit $((PIPESTATUS[0] != 141))'
	[ -z "$stderr" ]
	[ "${#lines[@]}" -eq 1 ]
}

@test "an input that cannot be read to its end is an error, not an end" {
	# reading one's own memory at 0 fails with EIO
	run -1 --separate-stderr dpcount -e 1 /proc/self/mem
	[ -n "$stderr" ]
}

@test "standard input that someone made non-blocking" {
	needs perl
	{
		echo 1
		sleep .3
		echo 1
	} | perl -MFcntl -e 'fcntl(STDIN, F_SETFL, O_NONBLOCK) or die;
	    exec "dpcount", "-e", "inf"' >got 2>err
	printf '1\n2\n' | diff -u - got
	bits 3000 >in
	running in >want
	{
		head -c 3000 in
		sleep .2
		tail -c +3001 in
	} | perl -MFcntl -e 'fcntl(STDIN, F_SETFL, O_NONBLOCK) or die;
	    exec "dpcount", "-e", "inf"' 2>err | cmp want -
}

@test "standard output that someone made non-blocking, and a slow reader" {
	needs perl
	yes 1 | head -100000 >in
	seq 100000 >want
	perl -MFcntl -e 'fcntl(STDOUT, F_SETFL, O_NONBLOCK) or die;
	    exec "dpcount", "-e", "inf", "in"' 2>err |
	    { sleep .5; cat; } | cmp want -
}

@test "a line of 1 GB counts as one malformed line, within 8 MiB" {
	unsanitized "a sanitizer takes more memory"
	talk dpcount -e inf
	ask 1
	head -c 1000000000 /dev/zero | tr '\0' 1 >&6
	ask '' 1
	kb=$(peak "$pid")
	[ "$answer" = 2 ]
	hangup
	echo "peak $kb KiB"
	[ "$kb" -le 8192 ]
}

@test "a long line: up to 1 MiB it counts, beyond it does not, with --strict it is named" {
	{ head -c 1000000 /dev/zero | tr '\0' 0; echo 1; } >in
	{ head -c 1100000 /dev/zero | tr '\0' 0; echo 1; } >>in
	{ head -c 9000000 /dev/zero | tr '\0' 0; echo 1; } >>in
	echo 1 >>in
	printf '1\n1\n1\n2\n' | prints exact in
	printf '1\t1\n2\t1\n3\t1\n4\t2\n' | prints exact -n in
	printf '1\n1\n1\n2\n' | prints exact -v 1 -r 0:1 in
	printf '1\n1\n1\n2\n' | prints exact --csv in
	printf '1\n1\n1\n2\n' | prints exact --csv -v 1 -r 0:1 in
	fails 3 dpcount -e 1 -M input --strict in
	[[ $stderr == "dpcount: in:2: "* ]]
}

@test "a quote that never closes: 100 MB of CSV within 8 MiB" {
	unsanitized "a sanitizer takes more memory"
	talk dpcount -e inf --csv -v 2 -r 0:9
	ask 'a,1' 'b,"2"'
	{
		printf 'c,"'
		yes 'x,3' | head -c 100000000
	} >&6
	kb=$(peak "$pid")
	hangup
	echo "peak $kb KiB"
	[ "$kb" -le 8192 ]
}

@test "a quote that never closes is text, and takes no other row with it" {
	printf 'a,1\nb,"2\nc,3\nd,4\n' >in
	printf '1\n1\n4\n8\n' | prints exact --csv -v 2 -r 0:9 in
	# what follows has quotes, and line breaks in them
	printf 'a,"1"\nb,"2,7\n"c",3,"x\ny"\n"d","4"\n' >in
	printf '1\n1\n4\n8\n' | prints exact --csv -v 2 -r 0:9 in
	printf 'n;b;p\n1;Q;A\n2;"M S.;Q;A\n3;B;A\n' >in
	echo 1 | prints exact --once --csv -F ';' -H -m '^"M S.$' -v b in
	echo 1 | prints exact --once --csv -F ';' -H -k b --keys=Q in
	printf 'part\tn\n20" pipe\t1\n"30 pipe\t1\nx\t"1"\n"y\n\t"\t1\n' >in
	echo 4 | prints exact --once --csv -F '\t' -H -v n -r 0:9 in
	echo 4 | prints exact --once --csv -F "$(printf '\t')" -m '"|x' in
	fails 2 dpcount -e 1 --once --csv --tsv -m x in
	[[ $stderr == *"--csv and --tsv do not go together"* ]]
}

@test "--csv=lines: a row is its line, whatever quotes follow; slices, live, --strict" {
	local i

	printf 'n;b\n1;Q\n2;"M;Q\n3;"Q"\n"4";"Q"\n5;"Q"";x\n\n6;Q"' >in
	# as rows of RFC 4180 the second goes on to the fifth line's quote, or not: it depends
	echo 3 | prints exact --once --csv=lines -F ';' -H -k b --keys=Q in
	printf '1;a\n2;"b\n3;c";d\n4;e\n' >spans
	echo 3 | prints exact --once --csv -F ';' -m '[1-4]' -v 1 spans
	echo 4 | prints exact --once --csv=lines -F ';' -m '[1-4]' -v 1 spans
	# each line by itself, at the end of any file
	for i in 1 2 3 4; do
		sed -n ${i}p spans >one
		echo 1 | prints exact --once --csv=lines -F ';' -m '[1-4]' -v 1 one
	done
	fails 3 dpcount -e inf --once --csv=lines --strict -F ';' -v 2 -r 0:9 spans
	[[ $stderr == *'spans:1: field 2: '* ]]
	printf '1\n"2\n"x\n' >in
	fails 3 dpcount -e inf --csv=lines --strict -v 1 -r 0:9 in
	[[ $stderr == *'in:2: field 1: not a decimal number'* ]]
	# a row that is there counts, though its quote is open
	{ printf '1;"x\n'; sleep 1; } | dpcount -e inf -q --line-buffered --csv=lines -F ';' -v 1 \
	    -r 0:9 | head -n 1 | grep -qx 1
	dpcount -e 1 --once --csv=lines -m x -E >said
	! grep -q 'well-formed CSV' said
	# what ends a row, and what is none, is assumed where it would move what follows
	printf '1\n\n2\r3\n' | exact --csv=lines -v 1 -r 0:9 | paste -s -d ' ' | grep -qx '1 3 6'
	tr -s ' \n' ' ' <said | grep -qF "no line is blank, which would be no row, nor holds a \
carriage return before its end, which would end one, so 'nothing happened' is a row of value 0"
	dpcount -e 1 --once --csv -m x -E | grep -q 'well-formed CSV'
	awk -v OFS=, 'BEGIN { for (i = 0; i < 2000; i++)
	    print i % 3, (i % 7 ? "" : "\"") i }' >log
	for i in 1 2 3; do
		dpmap --once --csv=lines -k 1 --keys=0,1,2 --slice=$i/3 log >shard.$i.part 2>err
	done
	dpcount -qe inf --once --partial --keys=0,1,2 shard.*.part >got
	printf '667\t667\t666\n' | diff - got
	fails 2 dpmap --once --csv -k 1 --keys=0,1,2 --slice=1/3 log
	[[ $stderr == *'with --csv=lines it has none'* ]]
	fails 2 dpcount -e 1 --csv=rows -m x in
	dpcount -q -e 1 -T 9 --state=s --init --csv=lines -v 1 -r 0:9 in >got
	fails 5 dpcount -q --state=s --csv in
	[[ $stderr == *"--csv differs from the state file's, which is 'lines'"* ]]
	dpcount -q --state=s in >got
	wc -l <got | grep -qx 3
}

@test "keys times buckets: cells that no event is in take no memory" {
	unsanitized "a sanitizer takes more memory"
	seq 10000 >keys
	talk dpcount -e 1 -t 1 --time-format=epoch -k 2 --keys=@keys --bucket=1h --from=0 \
	    --to=7200000
	# far apart, so that each page of an array would have one, of 2000 * 10000 cells
	awk 'BEGIN { for (i = 0; i < 40000; i++)
	    print i * 317 % 2000 * 3600, i * 7919 % 10000 + 1 }' >&6
	until_true blocked "$pid"
	kb=$(peak "$pid")
	kill "$pid"
	echo "peak $kb KiB"
	[ "$kb" -le 16384 ]		# of 160 MB
}

@test "keys times buckets: what the machine, or our group, has not is refused before it is paid" {
	unsanitized "LD_PRELOAD comes after its library"
	cat >left.c <<-'E'
		#include <dlfcn.h>
		#include <stdio.h>
		#include <string.h>
		FILE *
		fopen(const char *path, const char *mode)
		{
			FILE *(*real)(const char *, const char *);
			const char *name = strrchr(path, '/');
			*(void **)&real = dlsym(RTLD_NEXT, "fopen");
			if (strcmp(path, "/proc/meminfo") == 0)
				path = "meminfo";
			else if (strcmp(path, "/proc/self/cgroup") == 0)
				path = "cgroup";
			else if (strncmp(path, "/sys/fs/cgroup/", 15) == 0)
				path += 15;
			return real(path, mode);
		}
	E
	${CC:-cc} -D_GNU_SOURCE -w -shared -fPIC -o left.so left.c -ldl
	left() {
		printf 'MemTotal: 999999999 kB\nMemAvailable:   %d kB\nSwapFree: %d kB\n' "$1" \
		    "$2" >meminfo
	}
	seq 10000 >keys
	echo 0 1 >in
	dpbudget --init --total=9 L
	set -- env LD_PRELOAD="$PWD/left.so" dpcount -e 1 --budget=L --state=s --init -T 9999 \
	    -k 2 --keys=@keys --bucket=1h
	range='-t 1 --time-format=epoch --from=0 --to=7200000'
	: >cgroup
	left 100000 50000
	# shellcheck disable=SC2086
	fails 1 "$@" $range in
	[[ $stderr == *'--from, --to: 2000 buckets of this width, 10000 numbers each, need 189 '* ]]
	[[ $stderr == *', and 146 MiB can be had: at most 1'*' fit'* ]]
	fails 1 "$@" --live=2000h in
	[[ $stderr == *'--live: 2001 buckets'*'and 146 MiB can be had'* ]]
	[ ! -e s ]
	dpbudget --show L | grep -q '^spent  *epsilon 0'
	# a group's limit, or that of one it is in
	left 90000000 0
	mkdir -p a/b
	printf '1:name=x:/a\n0::/a/b\n' >cgroup
	echo max >a/b/memory.max
	for limit in a/b a .; do
		echo 100000000 >$limit/memory.max
		# shellcheck disable=SC2086
		fails 1 "$@" $range in
		[[ $stderr == *', and 95 MiB can be had'* ]]
		rm $limit/memory.max
	done
	# what fits and is much is said
	talk env LD_PRELOAD="$PWD/left.so" dpcount -e 1 -t 1 --time-format=epoch -k 2 \
	    --keys=@keys --bucket=1h --from=0 --to=72000000
	until_true grep -q '20000 buckets, 10000 numbers each, take up to 1.8 GiB' err
	kill "$pid"
}

@test "memory does not grow with the input" {
	unsanitized "a sanitizer takes more memory"
	for n in 1000 2000000; do
		talk dpcount -e 1
		cat <&7 >/dev/null 3>&- 6>&- &
		yes 1 | head -$n >&6
		until_true blocked "$pid"
		peak "$pid"
		hangup
	done >kb
	cat kb
	# two million bytes are 1953 KiB; the kernel may be off by some hundreds
	awk '{ k[NR] = $1 } END { exit !(NR == 2 && k[2] < 8192 && k[2] - k[1] < 1500) }' kb
}

@test "a header line that is missing, or too long" {
	: >in
	prints exact -H -v x -r 0:1 in </dev/null
	{ head -c 3000000 /dev/zero | tr '\0' x; echo; echo 1; } >in
	fails 2 dpcount -e 1 -H -v x -r 0:1 in
	[ ${#stderr} -lt 500 ]
}

@test "a header that has a name twice, or not so many fields, is refused if that is asked for" {
	printf 'id,score,score\n1,5,7\n' >in
	fails 2 dpcount -e 1 --once --csv -H -v score -r 0:9 in
	[[ $stderr == *"two fields have the name 'score'"*"by its number, 2 or 3"* ]]
	echo 1 | prints exact --once --csv -H -v id -r 0:9 in
	echo 7 | prints exact --once --csv -H -v 3 -r 0:9 in
	fails 2 dpcount -e 1 --once --csv -H -v id -r 0:9 --where=score~5 in
	fails 2 dpmaxsum -e 1 -T 9 --csv -H --keys=id,score in
	[[ $stderr == *"two fields have the name 'score'"* ]]
	fails 2 dpmaxsum -e 1 -T 9 --csv -H --columns=3 --select in
	[[ $stderr == *"two fields have the name 'score'"* ]]
	for o in '-v 4 -r 0:9' '-m x -v 9' '-k 4 --keys=a' '-m . -u 4 -c 1' '-m . --where=4~x'; do
		# shellcheck disable=SC2086
		fails 2 dpcount -e 1 --once --csv -H $o in
		[[ $stderr == *": in: the header has no field "[49]": it has 3"* ]]
	done
	# a line of data by mistake, and a file after the first, show nothing
	printf '1,5\n2,6\n' >data
	fails 2 dpcount -e 1 --once --csv -H -v 3 -r 0:9 data
	[[ $stderr == *"it has a number among its names"* ]]
	fails 2 dpcount -e 1 --once --csv -H -v 3 -r 0:9 in data
	[[ $stderr == *"data: the header has no field 3: with -H each file must begin with"* ]]
	# refused before it is paid
	dpbudget --init --total=1 ledger
	fails 2 dpcount -e 1 --once --csv -H -v score -r 0:9 --budget=ledger:x in
	dpbudget --show ledger | silent_about ':x' -
}

@test "UTF-16 and compressed files: told by public bytes alone" {
	printf 'time,Id\r\n1,4624\r\n' | iconv -t UTF-16LE | { printf '\377\376'; cat; } >wide
	fails 3 dpcount -e 1 --once --csv -H -k Id --keys=4624 wide
	[[ $stderr == *": is UTF-16, by its first bytes; use: iconv -f UTF-16 -t UTF-8 wide |"* ]]
	printf '\376\377\0a\0\n' >big
	fails 3 dpcount -e 1 --once -H -m . big
	gzip <wide >in.gz
	cp in.gz packed
	fails 3 dpcount -e 1 --once -H -m . packed
	[[ $stderr == *"packed: is compressed, by its first bytes; use: zcat packed | "* ]]
	# an event may hold what it likes, and changes nothing but its own count
	for f in wide packed big; do
		run -0 --separate-stderr dpcount -e 1 --once -m no-such-string "$f"
		run -0 --separate-stderr dpcount -e 1 --once --csv -k 2 --keys=a "$f"
	done
	for magic in '\377\376' '\376\377' '\037\213\010' 'BZh91AY&SY' '\3757zXZ\0' \
	    '\050\265\057\375'; do
		printf "$magic\na\n" >in
		echo 1 | prints exact --once -m ^a in
	done
	# lines of a sample are public
	for f in wide packed big; do
		fails 3 dpcount --check --once -m . "$f"
		[[ $stderr == *"$f: is "*", by its first bytes"* ]]
	done
	# a file has a name, also as standard input
	run -3 --separate-stderr dpcount -e 1 --once -m . <in.gz
	[[ $stderr == *"input: is a compressed file, by its name; give the name instead"* ]]
	run -0 --separate-stderr dpcount -e 1 --once -m . <packed
}

@test "archives: refused by their names, with what unpacks them" {
	echo 1 >in
	for f in a.zip a.tar a.tgz a.tar.gz a.tar.zst a.tar.lz a.tbz2 a.txz a.7z a.rar; do
		cp in "$f"
		case $f in
		*.zip) by='unzip -p' ;;
		*.7z) by='7z x -so' ;;
		*.rar) by='unrar p -inul' ;;
		*) by='tar -xOf' ;;
		esac
		fails 3 dpcount -e 1 --once -m . "$f"
		[[ $stderr == *": $f: is an archive, by its name; unpack it: $by $f | dpcount"* ]]
	done
	run -3 --separate-stderr dpcount -e 1 --once -m . <a.tgz
	[[ $stderr == *"input: is an archive, by the file's name; unpack it: tar -xOf FILE |"* ]]
	mkdir dir
	for f in zip a.tar.log dir/.zip tar.log; do
		cp in "$f"
		echo 1 | prints exact --once -m . "$f"
	done
	gzip -c in >dir/.tar.gz
	echo 1 | prints exact --once -m . dir/.tar.gz
}

@test "a log of IIS: its header is the line #Fields, and lines that begin with # are no events" {
	printf '%s\r\n' '#Software: Microsoft Internet Information Services 8.5' '#Version: 1.0' \
	    '#Date: 2020-10-31 00:00:00' \
	    '#Fields: date time cs-uri-stem cs(User-Agent) sc-status time-taken' \
	    '2020-10-31 00:00:08 /images/x.js Mozilla/5.0+(X11) 200 44' \
	    '2020-10-31 23:59:59 /a - 404 1044' '#Date: 2020-11-01 00:00:00' \
	    '#Fields: date time cs-uri-stem cs(User-Agent) sc-status time-taken' \
	    '2020-11-01 00:00:01 /#a - 500 7' >in
	printf 'time,200,404,500\n2020-10-31T00:00:00Z,1,1,0\n2020-11-01T00:00:00Z,0,0,1\n' |
	    prints exact_of dpwindow -w 1 -H -t date --time-format=iso --bucket=1d -o csv \
	    --from=2020-10-31 --to=2020-11-02 -k sc-status --keys=200,404,500 in
	echo 3 | prints exact --once -H -m . in
	echo 1095 | prints exact --once --strict -H -v time-taken -r 0:9999 in
	dpcount --check -H -m . -T 9 in 2>/dev/null | grep -q 'in:7.nothing: a directive of the log'
	fails 2 dpcount -e 1 --once -H -v sc-bytes -r 0:9 in
	[[ $stderr == *"no field 'sc-bytes': it has 'date', 'time', 'cs-uri-stem'"* ]]
	grep -v '#Fields' in >without
	fails 2 dpcount -e 1 --once -H -m . without
	[[ $stderr == *"without: the header has no line '#Fields: ...'"* ]]
	# one after the other, another file among them
	printf 'sc-status\n404\n#\n' >other
	echo 5 | prints exact --once -H -m . in other
	echo 5 | prints exact --once -H -m . other in
	# - is no value there: nobody's name, and no identifier
	printf '%s\n' '#Fields: date cs-username x' 'd - 1' 'd a 1' 'd - 1' 'd - -' >in
	echo 1 | prints exact --once -H -u cs-username -c 9 -m . in
	echo 2 | prints exact_of dpdistinct --once -H -v cs-username,x in
	dpcount --check --once -H -u cs-username -c 9 -m . in 2>/dev/null | head -n 1 >out
	grep -q 'in:2.nothing: no user (field cs-username is -)$' out
	sed 1s/#Fields:.// in >other
	echo 4 | prints exact --once -H -u cs-username -c 9 -m . other
	# who looks for it among logs by name
	for log in iis cloudfront; do
		fails 2 dpcount -e 1 --once --log="$log" in
		[[ $stderr == *'logs that begin with #Fields are w3c'* ]]
	done
	# only where the header says so
	printf '#a\n#b\n' >in
	echo 2 | prints exact --once -m . in
}

@test "limits: 64 fields and more, a million keys" {
	seq 64 | xargs >in
	echo 64 | prints exact -v 64 -r 0:99 in
	fails 2 dpcount -e 1 -v 100000 -r 0:1 in
	seq 4096 >keys
	echo 4096 >in
	exact -k 1 --keys=@keys in | awk -F '\t' '{ exit !(NF == 4096 && $4096 == 1 && $1 == 0) }'
	seq 1000001 >keys
	fails 2 dpcount -e 1 -k 1 --keys=@keys in
}

# The tools that say more precisely what to sum

# rejects REASON TOOL ARG ...: usage, before anything is read or printed; one message that gives the
# reason and is clean, and the hint
rejects() {
	local reason=$1 status=0 rest said

	shift
	echo 73193862 >in
	{
		"$@" 2>err >printed || status=$?
		IFS= read -rd '' rest || :
	} <in
	said=$(<err)
	[ $status -eq 2 ] && [ ! -s printed ] && [ "$rest" = $'73193862\n' ] &&
	    [[ ${said%%$'\n'*} == "$1: "*"$reason"* ]] &&
	    [ "${said#*$'\n'}" = "Try '$1 --help'." ] && [[ $said != *73193862* ]] || {
		echo "status $status, not: $reason: $*"
		cat printed err
		return 1
	}
}

@test "dpwindow: windows that are none" {
	for w in 0 -1 x '' 1.5 1e3 0x10 ' 7' '7 ' 10x 99999999999999999999 2T, 1T 5G ,7 \
	    7, 7,,8 7,0 7,x; do
		rejects '--window: ' dpwindow -e 1 "--window=$w"
	done
	rejects '--window is required' dpwindow -e 1 -T 9
	rejects '--window is given twice' dpwindow -e 1 -T 9 -w 3 -w 4
	rejects 'are the same window' dpwindow -e 1 -T 9 -w 3,4,3
	rejects 'are the same window' dpwindow -e 1 -T 9 -t 1 --time-format=epoch --bucket=1d \
	    --live -w 7,1w
	rejects 'more than 16 windows' dpwindow -e 1 -T 99 -w "$(seq -s , 17)"
	rejects 'longer than the horizon of 9' dpwindow -e 1 -T 9 -w 10
	rejects 'longer than the horizon of 9' dpwindow -e 1 -T 9 -w 3,10
	rejects 'longer than the horizon of 3' dpwindow -e 1 -T 3 -w 4 -t 1 --time-format=epoch \
	    --bucket=1d --from=2024-01-01 --to=2024-01-04
	# the first days of a log are fewer than a week: nothing is wrong with that
	[ "$(: | dpwindow -e inf -q -w 4 -t 1 --time-format=epoch --bucket=1d --from=2024-01-01 \
	    --to=2024-01-04 2>/dev/null | wc -l)" -eq 3 ]
	rejects "none of those --help=mechanisms lists" dpwindow -e 1 -T 9 -w 3 -M tree
}

@test "dpwindow: durations need --bucket, and are so many buckets" {
	rejects \
	    "--window: '7d' is a duration: that needs --bucket; without it give a number of lines" \
	    dpwindow -e 1 -T 9 -w 7d
	rejects "--window: '1h' is a duration: that needs --bucket" dpwindow -e 1 -T 9 -w 3,1h
	rejects "--window: '5h' is not a whole number of buckets of 2h" \
	    dpwindow -e 1 -t 1 --time-format=epoch --bucket=2h --live -w 5h
	rejects "--window: '1h' is not a whole number of buckets of 1d" \
	    dpwindow -e 1 -t 1 --time-format=epoch --bucket=1d --live -w 1h
	rejects "--window: '0d' must be" dpwindow -e 1 -t 1 --time-format=epoch --bucket=1d \
	    --live -w 0d
	rejects "--window: '7x' must be" dpwindow -e 1 -t 1 --time-format=epoch --bucket=1d \
	    --live -w 7x
}

@test "an argument that may be left out is not given apart: -B 0.9" {
	echo 1 >in
	rejects "--bound: '0.9' stands apart, and would be the name of a file; write --bound=0.9" \
	    dpcount -e 1 -B 0.9 in
	rejects "--explain: 'json' stands apart" dpcount -e 1 --explain json
	rejects "--explain: 'plan' stands apart" dpcount -e 1 --explain plan
	rejects "--safe: 'no' stands apart" dpcount -e 1 --safe no
	rejects "--live: '5m' stands apart" dpcount -e 1 --bucket=1h --live 5m in
	dpcount -e 1 -T 9 -B0.9 in
	rejects "--bound: '=.99' begins with '='; write -B.99 or --bound=.99" \
	    dpcount -e 1 -T 9 -B=.99 in
	# unless it is a file
	cp in 0.9
	dpcount -e 1 -T 9 -B 0.9
	fails 3 dpcount -e 1 -M input -T 9 -B nowhere
}

@test "dpwindow, dpdecay: --monotone is refused, for what they estimate falls" {
	rejects '--monotone: dpwindow does not take this option' dpwindow -e 1 -w 3 --monotone
	rejects '--monotone: dpdecay does not take this option' dpdecay -e 1 -a .5 --monotone
}

@test "dpdecay: exactly one way to decay" {
	printf '1\n' >w
	rejects 'one of --alpha, --half-life, --power and --weights' dpdecay -e 1 -T 9
	set -- --alpha=.5 --half-life=3 --power=1 --weights=w
	for a; do
		for b; do
			[ $a = $b ] || rejects 'only one can say how steps decay' \
			    dpdecay -e 1 -T 9 $a $b
		done
	done
	rejects 'only one can say' dpdecay -e 1 -T 9 "$@"
	rejects '--beta is for --power and --weights' dpdecay -e 1 -T 9 -a .5 --beta=.1
	rejects '--alpha is given twice' dpdecay -e 1 -T 9 -a .5 --alpha=.5
	rejects '--power is given twice' dpdecay -e 1 -T 9 -p 1 -p 1
}

@test "dpdecay: alpha, half-life, power, beta out of range" {
	for a in 0 1 1.0 1.5 -1 -0.5 nan inf '' x 1/1 3/2 0/1 1/0 0x1p-1 1e-3x 0,5 ' .5' .9.9; do
		rejects "--alpha: '$a' must be " dpdecay -e 1 -T 9 "--alpha=$a"
	done
	rejects "--alpha: '1e-12' is too extreme" dpdecay -e 1 -T 9 --alpha=1e-12
	rejects "--alpha: '0.9999999999999' is too extreme" dpdecay -e 1 -T 9 \
	    --alpha=0.9999999999999
	for h in 0 0.0 -1 nan inf '' x 1/0 0k 1K 1.5k; do
		rejects "--half-life: '$h' must be a decimal or a ratio above 0" \
		    dpdecay -e 1 -T 9 "--half-life=$h"
	done
	rejects "--half-life: '0d' must be" dpdecay -e 1 --half-life=0d -t 1 --time-format=epoch \
	    --bucket=1d --live
	rejects "--half-life: '14d' is a duration: that needs --bucket" dpdecay -e 1 -T 9 \
	    --half-life=14d
	rejects "--half-life: '0.01' is too extreme" dpdecay -e 1 -T 9 --half-life=0.01
	for p in 0 -1 -0.5 nan inf '' x 1/0 65; do
		rejects "--power: '$p' must be" dpdecay -e 1 -T 9 "--power=$p"
	done
	for b in 0 1 1.5 -1 nan '' x; do
		rejects "--beta: '$b' must be" dpdecay -e 1 -T 9 -p 1 "--beta=$b"
	done
	rejects "none of those --help=mechanisms lists" dpdecay -e 1 -T 9 -a .5 -M tree
}

@test "--weights: the file and the line are named, and what is wrong" {
	rejects '--weights: nosuch: No such file or directory' dpdecay -e 1 -T 9 --weights=nosuch
	mkdir -p dir
	rejects '--weights: dir: Is a directory' dpdecay -e 1 -T 9 --weights=dir
	rejects '--weights: : No such file or directory' dpdecay -e 1 -T 9 --weights=
	: >w
	rejects '--weights: w: ' dpdecay -e 1 -T 9 --weights=w
	printf '\n\n' >w
	rejects '--weights: w: ' dpdecay -e 1 -T 9 --weights=w
	# text, the line to be named
	while read -r line text; do
		# shellcheck disable=SC2059
		printf "$text" >w
		rejects '--weights: w: ' dpdecay -e 1 -T 9 --weights=w
		grep -qE "line $line([^0-9]|$)" err || {
			echo "line $line: $(<err)"
			return 1
		}
	done <<-'END'
		3 1\n.5\n.6\n.4\n
		2 1\nnan\n
		2 1\n-nan\n
		2 1\ninf\n
		2 1\n-0.5\n
		3 1\n1\n-1e-9\n
		2 1\nx\n
		2 1\n.5x\n
		2 1\n.5 .4\n
		2 1\n0x1p-1\n
		2 1\n,5\n
		2 1\n\n.5\n
		1 .9\n.5\n
		1 0\n
		1 2\n1\n
		1 1.0000001\n
		1 \n1\n
		2 1\n.5\0\n
	END
	printf '1\n.5\n.6\n' >w
	rejects 'line 3' dpdecay -e 1 -T 9 --weights=w
}

@test "--weights: a file without end is refused, within reason" {
	unsanitized "a sanitizer takes more memory"
	(
		ulimit -v 400000
		rejects '--weights: /dev/zero: is too large' dpdecay -e 1 -T 9 --weights=/dev/zero
	)
}

@test "windows too long for memory end the run, with 1 or 2, before anything is printed" {
	unsanitized "a sanitizer takes more memory"
	echo 1 >in
	for w in 1G 4G; do
		status=0
		(ulimit -v 400000; exec timeout 300 dpwindow -e 1 -w $w in) >printed 2>err ||
		    status=$?
		[ $status -eq 1 ] || [ $status -eq 2 ]
		[ ! -s printed ]
		grep -qE '^dpwindow: .' err
	done
}

@test "what memory cannot hold is refused beforehand, with how much and the nearest that fits" {
	unsanitized "a sanitizer takes more memory"
	(
		ulimit -v 300000
		rejects '--window: 100000000 steps need 763 MiB' dpwindow -e 1 -w 1,100M
		rejects '--expire: 100000000 steps need 1.5 GiB' dpcount -e 1 --expire=100M
		rejects '--keys: 2000 keys need' dpdecay -e 1 -T 10000 -M paper -p 1 -k 1 \
		    --keys="$(seq -s, 2000)"
		rejects '--window: 50000 steps need' dpmean -e 1 -w 50000 -v 2 -r 0:9 -k 1 \
		    --keys="$(seq -s, 3000)"
		n=$(dpwindow -e 1 -w 100M in 2>&1 | grep -oE 'at most [0-9]+' | cut -d' ' -f3)
		[ "$n" -gt 1000000 ]
		echo 1 | dpwindow -e 1 -w "$n" >/dev/null
		rejects '--from, --to: 1262304000 buckets of this width need 11.7 GiB' dpcount \
		    -e 1 -t 1 --time-format=epoch --bucket=1s --from=1980-01-01 --to=2020-01-01
		n=$(dpcount -e 1 -t 1 --time-format=epoch --bucket=1s --from=1980-01-01 \
		    --to=2020-01-01 2>&1 | grep -oE 'at most [0-9]+' | cut -d' ' -f3)
		[ "$n" -gt 10000000 ]
		# each of the two fits
		rejects '--from, --to: 15000000 buckets of this width need 140 MiB' dpwindow -e 1 \
		    -w 15M -t 1 --time-format=epoch --bucket=1s --from=1700000000 \
		    --to=1715000000
		# identifiers have no sums
		printf 'k%d\n' {1..1000} >ids
		dpdistinct -e 1 --universe=@ids -t 1 --time-format=epoch --bucket=1m \
		    --from=1700000000 --to=1708000000 -v 2 --at-end </dev/null >/dev/null
	)
}

@test "the new tools: malformed lines count as nothing, with --strict they end the run" {
	printf '1\nx\n1\n' >in
	[ "$(dpwindow -e inf -w 2 in 2>/dev/null | xargs)" = '1 1 1' ]
	[ "$(dpdecay -e inf -a .5 in 2>/dev/null | xargs)" = '1.000000 0.500000 1.250000' ]
	run -0 --separate-stderr dpwindow -e 1 -w 2 in
	[ "$stderr" = "$(dpwindow -e 1 -w 2 </dev/null 2>&1 >/dev/null)" ]
	run -0 --separate-stderr dpdecay -e 1 -a .5 in
	[ "$stderr" = "$(dpdecay -e 1 -a .5 </dev/null 2>&1 >/dev/null)" ]
	for t in 'dpwindow -q -e 1 -w 2' 'dpdecay -q -e 1 -a .5'; do
		# shellcheck disable=SC2086
		fails 3 $t --strict in
		[[ $stderr == "${t%% *}: in:2: "* ]]
		# shellcheck disable=SC2086
		fails 3 $t nosuch
		[[ $stderr == "${t%% *}: nosuch: "* ]]
		fails 1 sh -c "$t in >/dev/full"
		# shellcheck disable=SC2086
		fails 2 $t --state=s --init -e inf in
	done
}

@test "a file that may not grow is an error of the write, and kills no tool" {
	printf '%s\n' {1..2000} >in
	printf 'g,a,b\nq,1,1\n' >q
	for t in 'dpcount -e 1 -T 2000' 'dpwindow -e 1 -w 3' 'dpmean -e 1 -r 0:9 -T 2000' \
	    'dpdistinct -e 1 -T 2000' 'dpexperts -e 1 -T 2000 --columns=2' \
	    'dplocal -e 1 --domain=1,2' 'dpmap --once -k 1 --keys=1,2' \
	    'dpaudit --plan -- dpcount -e 1 -T 3' 'dpbudget --help'; do
		fails 1 bash -c "ulimit -f 0; exec timeout -k 1 300 $t in >grown"
	done
	# by a pipe: a file for messages could not grow, either
	[[ $(bash -c 'ulimit -f 0; exec dpcount -q -e 1 -T 2000 in 2>&1 >grown') = *'too large' ]]
}

@test "--safe: declared names that begin as formulas do, in CSV; refused where it says nothing" {
	echo =1 >in
	set -- --once -k 1 --keys==1,b
	exact "$@" -o csv in | head -n 1 | grep -Fx -- '=1,b'
	exact "$@" -o csv --safe in | head -n 1 | grep -Fx -- "\"'=1\",b"
	exact "$@" -o long --safe in | sed -n 2p | grep -F -- "1,\"'=1\",count,1"
	refused -e 1 "$@" --safe in
	refused -e 1 "$@" --safe=all -o csv in
	# what nobody sees of a key is escaped where that loses nothing
	printf 'a\xe2\x80\xaeb\n' >in
	exact --once -k 1 --keys=@in -o json in | grep -F '"a\u202eb":1'
}

@test "--keys=@FILE: a file without an end, or of nothing but empty lines, is refused" {
	echo 1 >in
	for f in /dev/zero <(yes '') <(yes); do
		(ulimit -v 800000; fails 2 timeout 300 dpcount -e 1 --once -k 1 --keys="@$f" in)
	done
	tr '\0' k </dev/zero | fails 2 dpcount -e 1 --once -k 1 --keys=@/dev/stdin in
	printf '%255s\r\n' '' | tr ' ' k >long
	dpcount -e 1 --once -k 1 --keys=@long in
}

@test "a key with a blank in it, where fields end at blanks: said at the start" {
	echo '404' >in
	run -0 --separate-stderr dpcount -e inf -T 9 -k 1 --keys='200, 404' in
	[[ $stderr == *"' 404' has a blank in it, and counts nothing"* ]]
	run -0 --separate-stderr dpcount -e inf -T 9 -k 1 --keys='200, 404' -q in
	[[ $stderr != *blank* ]]
}

@test "a key that begins or ends with a blank, in a list of any form of line: said at the start" {
	: >in
	fails 2 dpcount -e 1 -T 9 --keys=$'\e[31m,\e[31m' -k 1 </dev/null
	[[ $stderr = "dpcount: --keys: '?[31m' is given twice"* ]]
	run -0 --separate-stderr dpcount -e 1 -T 9 --csv -k 1 --keys=$' \e[31mx\xc2\x9b' </dev/null
	[[ $stderr = "dpcount: --keys: ' ?[31mx??' begins with a blank"* ]]
	run -0 --separate-stderr dpcount -e 1 -T 9 -k 1 --keys=$'a \e[31mx\xc2\x9b' </dev/null
	[[ $stderr = "dpcount: --keys: 'a ?[31mx??' has a blank in it"* ]]
	said="dpcount: --keys: ' 404' begins with a blank, and counts only what does so, too: in"
	said+=" A,B,C no blank stands beside a comma"
	while IFS='|' read -ra how; do
		run -0 --separate-stderr dpcount -e 9 -T 9 "${how[@]}" --keys='200, 404' in
		[ "$stderr" = "$said" ]
		run -0 --separate-stderr dpcount -q -e 9 -T 9 "${how[@]}" --keys='200, 404' in
		[ "$stderr" = "" ]
		# inside of a key it is part of it
		for keys in 200,404 '20 0,404'; do
			run -0 --separate-stderr dpcount -e 9 -T 9 "${how[@]}" --keys="$keys" in
			[ "$stderr" = "" ]
		done
	done <<-'E'
		-F,|-k|1
		--csv|-k|1
		--tsv|-k|1
		--json|-k|a
		--cut=(?<status>.*),|-k|status
		--log=combined|-k|status
	E
	run -0 --separate-stderr dplocal -e 9 --domain='yes ,no' in
	[[ $stderr = *"--domain: 'yes ' ends with a blank,"*comma ]]
	run -0 --separate-stderr dpdistinct -e 9 -T 9 -v 1 --universe='a, b' in
	[[ $stderr = *"--universe: ' b' begins with a blank,"* ]]
	# a file's lines have no commas; a state says it where it begins
	printf 'a\nb \n' >keys
	set -- --csv -k 1 --keys=@keys
	run -0 --separate-stderr dpcount -e 9 -T 9 "$@" --state=s --init in
	[ "$stderr" = "dpcount: --keys: 'b ' ends with a blank, and counts only what does so, too" ]
	run -0 --separate-stderr dpcount --state=s --keys=@keys in
	[ "$stderr" = "" ]
}

@test "the only key of a list has a blank in it: said at the start" {
	: >in
	said=", with a blank in it, and counts only what has it, too: in A,B,C a comma stands"
	said+=" between keys"
	log=(-k status --log=combined)
	run -0 --separate-stderr dpcount -e 9 -T 9 "${log[@]}" --keys='200 404' in
	[ "$stderr" = "dpcount: --keys: one key, '200 404'$said" ]
	run -0 --separate-stderr dpdistinct -e 9 -T 9999 --no-pan-private -v 1 --universe='a b' in
	[[ $stderr = *"--universe: one key, 'a b'$said"* ]]
	printf 'a b\n' >one
	for keys in '200 404,500' 200 @one; do
		run -0 --separate-stderr dpcount -e 9 -T 9 "${log[@]}" --keys="$keys" in
		[ "$stderr" = "" ]
	done
	run -0 --separate-stderr dpcount -q -e 9 -T 9 "${log[@]}" --keys='200 404' in
	[ "$stderr" = "" ]
}

@test "-u A,B: fields without names, and one that is not there" {
	printf 'a,b\n' >in
	for how in '' '-F,' --csv; do
		# shellcheck disable=SC2086
		fails 2 dpcount -e 1 -T 1k $how -u a,b -c 1 in
		[[ $stderr = *"'a' is the name of a field: names need -H, --cut, --log or"* ]]
	done
	fails 2 dpcount -e 1 -T 1k --csv -H -u a,c -c 1 in
	[[ $stderr = *"the header has no field 'c': it has 'a', 'b'"* ]]
}

@test "a header of one field, and a field by its number: the delimiter is named, and no data" {
	printf 'a;b\n1;2\n' >in
	for o in '-v 2' '-k 2 --keys=2' '-u 2 -c 1' '--where=2~x'; do
		# shellcheck disable=SC2086
		fails 2 dpcount -q -e 1 -T 1k -r 0:1 -H --csv $o in
		[[ $stderr == *"in: the header has no field 2: it has 'a;b' (-F ';' cuts it "* ]]
	done
	dpcount --check -q -v 2 in 2>/dev/null | grep -F "field is missing (-F ';' cuts it at sem"
	exact -r 0:9 -F ';' --csv -H -v 2 in | diff - <(echo 2)
	# a title above the rows; a header of data, for which -H was a mistake
	printf 'a b\n1,2\n' | exact -r 0:9 --csv -H -v 2 | diff - <(echo 2)
	printf '7;8\n1,2\n' >in
	fails 2 dpcount -q -e inf -r 0:9 --csv -H -v 2 in
	[[ $stderr == *"in: the header has no field 2: it has a number among its names, as"* ]]
	[[ $stderr != *[78]* ]]
}

@test "a header without the field: its names, and another delimiter; of data nothing" {
	refuses() {
		fails 2 dpcount -q -e 1 -T 1k -r 0:1 -H "${@:2}" in
		[ "${stderr%%$'\n'*}" = "dpcount: in: the header has no field 'x'$1" ]
	}
	printf 'a;b\n1;2\n' >in
	refuses ": it has 'a;b' (-F ';' cuts it at semicolons)" --csv -v x
	refuses ": it has 'a;b' (-F ';' cuts it at semicolons)" -v x
	refuses ": it has 'a', 'b'" -F ';' --csv -v x
	fails 2 dpcount -q -e 1 -T 1k --csv -H -v b -r 0:1 in
	[[ $stderr = *"has no field 'b': it has 'a;b' (-F ';' cuts it at semicolons)"* ]]
	exact -r 0:9 -F ';' --csv -H -v b in | diff - <(echo 2)
	for o in '-k x --keys=a' '-u x -c 1' '--where=x~a'; do
		# shellcheck disable=SC2086
		refuses ": it has 'a', 'b'" -F ';' $o
	done
	printf 'a\tb x\n' >in
	refuses ": it has 'a?b x' (--tsv cuts it at tabs)" --csv -v x
	printf 'a,b\n' >in
	refuses ": it has 'a,b' (--csv cuts it at commas)" -v x
	printf 'a|b\n' >in
	refuses ": it has 'a|b' (-F '|' cuts it at bars)" -v x
	printf 'a b\n' >in
	refuses ": it has 'a b' (without -F, --csv and --tsv it is cut at blanks)" --csv -v x
	# one of many names, and one that would move the cursor
	seq -s , -f k%g 100 >in
	refuses ": it has $(seq -s ' ' -f "'k%g'," 20) ..." --csv -v x
	printf '\033[2J\177\r\n' >in
	refuses ": it has '?[2J?'" -F ';' -v x
	# -H by mistake: a line of data
	for line in 'Ann,1999-01-01,7' 'Ann,-7' '+4,Ann' '.5' 'Ann;42;cancer' $'Ann\t42' 'Ann|-4' \
	    'Ann 42' '"Ann";"42"' "'Ann','42'"; do
		echo "$line" >in
		refuses ': it has a number among its names, as lines of data do' --csv -v x
		[[ $stderr != *Ann* ]]
	done
	: >in
	run -0 dpcount -q -e 1 -T 9 -H -v x -r 0:1 in
	# control characters beyond ASCII; no character is cut in two
	printf 'a\302\233b\n' >in
	refuses ": it has 'a??b'" -F ';' -v x
	printf 'a\233b\n' >in
	refuses ": it has 'a?b'" -F ';' -v x
	{ printf 'k%.0s' {1..99}; printf 'öö\n'; } >in
	refuses ": it has '$(printf 'k%.0s' {1..99})...'" -F ';' -v x
	# files without one after the first, by name, by a pipe, in a later run
	printf 'x,y\n1,2\n' >first
	printf 'alice,hiv\n' >part.ab
	elsewhere() {
		fails 2 dpcount -q -e 1 -T 9 --csv -H -v x -r 0:1 "$@"
		[ "${stderr%%$'\n'*}" = "dpcount: ${*: -1}: the header has no field 'x': with -H \
each file must begin with a header, as the first" ]
	}
	elsewhere first part.ab
	elsewhere <(cat first) part.ab
	dpbudget --init --total=9 L
	elsewhere --budget=L first part.ab
	elsewhere --budget=L <(cat first) part.ab
	dpcount -q -e 1 -T 9 --csv -H -v x -r 0:1 --state=s --init first >out
	fails 2 dpcount -q --state=s part.ab
	[[ $stderr = *"part.ab: the header has no field 'x': with -H"* && $stderr != *alice* ]]
}

@test "one key that is also a file's name: said at the start" {
	echo /a >pages.txt
	run -0 --separate-stderr dpcount -e 9 -T 9 -k 1 --keys=pages.txt pages.txt
	[ "$stderr" = "dpcount: --keys: one key, 'pages.txt', which is also a file: \
--keys=@pages.txt has its lines as keys" ]
	for how in '--keys=pages.txt -q' --keys=pages.txt,x --keys=@pages.txt --keys=pages; do
		# shellcheck disable=SC2086
		run -0 --separate-stderr dpcount -e 9 -T 9 -k 1 $how pages.txt
		[ -z "$stderr" ]
	done
}

@test "more than ten million buckets: said before anything is read" {
	ten=(-t 1 --time-format=epoch --bucket=1s --from=1)
	said='dpcount: --from, --to: 10000001 buckets of this width, each with its line: '
	said+='that takes a while (a wider --bucket makes fewer)'
	# the input does not end
	mkfifo held
	exec 8<>held
	dpcount -e 1 -M input "${ten[@]}" --to=10000002 held >out 2>err 3>&- 8>&- &
	pids+=($!)
	until_true test -s err
	[ "$(<err)" = "$said" ]
	[ ! -s out ]
	kill ${pids[-1]}
	wait ${pids[-1]} || :
	exec 8>&-
	for how in --to=10000001 '--to=10000002 -q'; do
		# shellcheck disable=SC2086
		dpcount -e 1 -M input "${ten[@]}" $how <<<5 2>err | head -n 1 | grep -q .
		[ ! -s err ]
	done
}

@test "--range: k, M, G and T, behind a whole number alone" {
	for a in 0:1k/1000 0:2M/2000000 0:3G/3000000000 -1k:1T/1000000000000 0.00:1k/1000.00; do
		[ "$(dpcount -e inf -q -r "${a%/*}" <<<9e14)" = "${a#*/}" ]
	done
	[ "$(dpcount -e inf -q -r -2k:1 <<<-9e9)" = -2000 ]
	for r in 0:1.5M 0:1m 0:1K 0:1kk 0:k 0:1P 0:M1 0:1M: 0:1e3 -:1 0:--1 0:-+1 \
	    0:2000T 0:18446744073709551615k; do
		rejects "--range: '$r' must be LO:HI with LO <= HI" dpcount -e 1 -T 1k -r "$r"
	done
}

@test "--unit: what is no decimal, or not on the grid, or makes no sense" {
	for u in '' 0 0.0 -1 +-1 1e3 1/2 x nan inf 0x1 1.0000000001 ' 1' 1, 1T; do
		rejects "--unit: '$u' must be a decimal above 0" dpcount -e 1 -T 1k --unit="$u"
	done
	rejects "--unit: '0.5' must be on the grid of --range" dpcount -e 1 --unit=0.5 -r 0:9
	rejects "--unit: '1.05' must be on the grid" dpwindow -w 2 -e 1 --unit=1.05 -r 0.0:9
	rejects 'give --range, below 2^50' dpdecay -a .5 -e 1 --unit=0.0001
	rejects 'must be below 2^50 grid units' dpcount -e 1 --unit=1125899906842624
	rejects 'must be below 2^50 grid units' dpcount -e 1 --unit=999999999999999999999999
	rejects 'must be below 2^50 grid units' dpcount -e 1 --unit=9999999 -r 0:1.000000000
	rejects '--unit: the range must hold 0' dpcount -e 1 --unit=1 -r 1:9
	rejects '--unit: the range must hold 0' dpcount -e 1 --unit=1 -r -9:-1
	rejects '--unit: refused with --user' dpcount -e 1 --unit=1 -u 1 -c 3
	rejects '--unit: refused with --match' dpcount -e 1 --unit=1 -m x
	rejects '--unit: refused with --ones' dpmaxsum -e 1 --unit=1 --columns=3 --ones=2
	rejects '--unit needs --value' dpcount -e 1 --unit=1 -k 1 --keys=a,b
	rejects '--unit needs --value' dpwindow -w 1 -e 1 --unit=1 -t 1 --time-format=epoch \
	    --bucket=1d --public-times
	rejects '--unit is given twice' dpcount -e 1 --unit=1 --unit=2
	for t in dpdistinct 'dpexperts --columns=2' 'dptransform --sensitivity=1 --changes=1' \
	    'dplocal --domain=a,b'; do
		# shellcheck disable=SC2086
		rejects "--unit: ${t%% *} does not take this option" $t -e 1 --unit=1
	done
}

@test "-c K/step: what is no number of events a step" {
	set -- -e 1 -u 1 -T 9 -t 2 --time-format=epoch --bucket=1d --public-times
	for k in /step 0/step x/step 1000001/step -1/step 1.5/step; do
		rejects "--per-user: '${k%/step}" dpcount "$@" -c $k
	done
	for k in 1/steps 1/day step '1 /step' 1/step/step 1/STEP \
	    99999999999999999999999999999/step; do
		rejects '--per-user: ' dpcount "$@" -c "$k"
	done
	rejects "'5/day' must be K, a whole number from 1 to 1000000, K/step (with --bucket), K/B" \
	    dpcount "$@" -c 5/day
	rejects '--per-user=K/step needs --bucket' dpcount -e 1 -u 1 -c 1/step
	rejects '--per-user=K/step needs --bucket' dpexperts -e 1 --columns=2 -u 1 -c 1/step
	rejects '--user and --per-user go together' dpcount -e 1 -c 1/step -t 1 \
	    --time-format=epoch \
	    --bucket=1d --live
	rejects '--pan-private: refused with --user' dpcount "$@" -c 1/step -P
	rejects 'the sensitivity must stay below 2^50' dpcount "$@" -c 1000000/step \
	    -v 3 -r 0:1125899906842
}

@test "--within and --report: what is no error, no number of steps, or not to be explained" {
	for w in '' 0 -1 x nan 1e 1/0; do
		rejects "--within: '$w' must be an error above 0" dpcount --within="$w" --explain
	done
	for n in '' 0 -1 x 1.5 99999999999999999999; do
		rejects "--report: '$n' must be a whole number" dpcount -e 1 --report="$n" --explain
	done
	rejects '--within and --report need --explain' dpcount --within=3
	rejects '--within and --report need --explain' dpcount -e 1 --report=3
	rejects '--within finds the epsilon' dpcount -e 1 --within=3 --explain
	rejects '--within: refused with --state' dpcount --within=3 --explain --state=s --init
	rejects '--report: the horizon is known' dpcount -e 1 -T 1k --report=3 --explain
	rejects '--report: the horizon is known' dpcount -e 1 --report=3 --explain --bucket=1d \
	    --from=0 --to=86400
	dpcount -e 1 -T 1k --state=s --init </dev/null
	fails 2 dpcount --within=3 --explain --state=s
}

@test "a misspelt long option: the nearest that the tool takes is named" {
	near() {
		fails 2 "$1" "$2"
		[ "$stderr" = "$1: unrecognized option '$2'
$1: ${2%%=*}: did you mean $3?
Try '$1 --help'." ]
	}
	near dpcount --horizn=9 --horizon
	near dpcount --josn --json		# two letters swapped are one mistake
	near dpcount --time-formatt=iso --time-format
	near dpwindow --windwo=3 --window	# one of its own
	near dplocal --domian=a --domain
	near dpbudget --totl=1 --total
	near dpaudit --rns=1 --runs
	near dpplot --titel=x --title
	# too far; short; one that this tool does not take; a beginning of several; one letter
	for option in --horror --x --xz --columms=3 --h -% "--$(printf 'e%.0s' $(seq 99))"; do
		fails 2 dpcount "$option"
		[[ $stderr != *'did you mean'* ]]
	done
	# those of another tool
	fails 2 dpcount --window=3
	windows='--window is an option of dpwindow, dpmean, dpquantile, dpmaxsum, dpdistinct'
	windows+=' and dptop'
	[ "${stderr_lines[1]}" = "dpcount: $windows" ]
	fails 2 dpexperts -w 1
	[ "${stderr_lines[1]}" = "dpexperts: $windows" ]
	for option in -w --windo --windows; do
		fails 2 dpwindow "$option"
		[[ $stderr != *'is an option of'* ]]
	done
	fails 2 dpdistinct -e 1 -m x
	[[ $stderr == *'--match: dpdistinct does not take this option; --where says which lines'* ]]
	fails 2 dpdistinct -u host
	[[ $stderr == *'--user: dpdistinct does not take this option; the identifier is what '* ]]
	fails 2 dplocal -u host
	[[ $stderr != *identifier* ]]
	# known, and used wrongly
	fails 2 dpcount --quiet=1
	[[ $stderr != *'did you mean'* ]]
}

@test "-P with --from/--to: what takes their place is said" {
	rejects 'held to the end); use --public-times -T N, or --live' dpcount -e 1 -P -t 1 \
	    --time-format=epoch --bucket=1d --from=0 --to=86400
}

@test "a row with named fields, a JSON object is no number as a whole: it would count 0" {
	printf 'a,b\n1,2\n3,4\n' >in.csv
	for tool in dpcount 'dpwindow -w 1' 'dpdecay --half-life=2' dpmean; do
		# shellcheck disable=SC2086
		fails 2 $tool -e 1 -T 9 --csv -H in.csv
		[[ $stderr == *'which field has the number (-v NAME)? To count '*' give -m .'* ]]
		# shellcheck disable=SC2086
		fails 2 $tool -e 1 -T 9 --json in.csv
		[[ $stderr == *'which field has the number (-v NAME)? To count '*' give -m .'* ]]
	done
	printf '1\n2\n' | diff - <(dpcount -e inf -q -T 9 --csv -H -m . in.csv)
	# who has no -m is not sent there
	fails 2 dpquantile -e 1 -T 9 --csv -H in.csv
	[[ $stderr == *'which field of rows has the number (-v NAME)?'$'\n'* ]]
	fails 2 dpquantile -e 1 -T 9 --json in.csv
	[[ $stderr == *'which field of lines has the number (-v NAME)?'$'\n'* ]]
	# nor an identifier, a symbol, a name
	printf 'a\n1\n' >q
	for tool in 'dpdistinct --once' 'dpproject --queries=q' 'dplocal --domain=1,2'; do
		for form in '--csv -H' -H --json --log=combined; do
			# shellcheck disable=SC2086
			rejects '--value: which field' $tool -e 1 $form in.csv
		done
		# shellcheck disable=SC2086
		[ -n "$($tool -q -e inf --csv -H -v a in.csv)" ]
	done
	rejects '--key: which field has the name (-k NAME)? A row has several' \
	    dptop -e 1 -d 1e-6 --once --csv -H in.csv
}

@test "an option that other tools have names all of them, and no other" {
	tools=(dpcount dpdecay dpdistinct dpexperts dplocal dpmap dpmaxsum dpmean dpproject
	    dpquantile dptop dptransform dpwindow)
	for tool in "${tools[@]}"; do
		echo "$tool:"
		$tool --help=all
	done >help
	# those of half of the tools, and no more
	awk '/^dp[a-z]+:$/ { tool = $1; sub(/:/, "", tool) }
	    match($0, /^ +(-[a-zA-Z], )?--[a-z-]+/) { o = substr($0, 1, RLENGTH); sub(/.*--/, "", o)
		if (!seen[tool, o]++) { n[o]++; t[o] = t[o] " " tool } }
	    END { for (o in n) if (n[o] <= 6) print o t[o] }' help | sort >want
	[ "$(wc -l <want)" -gt 50 ]
	while read -r option names; do
		for tool in dplocal dpcount dpmean; do
			[[ " $names " == *" $tool "* ]] || break
		done
		"$tool" "--$option" 1 >said 2>&1 </dev/null || :
		mapfile -t lines <said
		printf "$option %s\n" "${lines[@]}"
	done <want | sed -nE 's/^([^ ]+ ).* is an option of (.*)/\1\2/p;
	    s/^([^ ]+ ).*does not take this option; (.*) (has|have) it$/\1\2/p;
	    s/^([^ ]+ ).*does not take this option; .* \((dp[a-z]+)\)$/\1\2/p' |
	    sed 's/,//g; s/ and / /' | awk '{
		# the names in the order of the alphabet
		for (i = 3; i <= NF; i++)
			for (j = i; j > 2 && $j < $(j - 1); j--) {
				name = $j; $j = $(j - 1); $(j - 1) = name }
		print }' >got
	diff want got || {
		echo 'lib/job: rows.h and options_table.c name other tools than have it'
		return 1
	}
}

@test "what was meant, said first: no state, no ledger, a comma in a number, several windows" {
	echo 1,2 >ok.csv
	fails 5 dpcount --state=ok.csv
	[[ $stderr == *'ok.csv: not a state file; for a new one give --init'* ]]
	fails 5 dpcount -e 1 -T 9 --budget=ok.csv
	[[ $stderr == *'ok.csv: not a budget ledger; dpbudget --init makes one'* ]]
	dpcount -e 1 -T 9 --state=s --init /dev/null
	chmod 644 s
	fails 5 dpcount --state=s
	[[ $stderr == *'chmod 600 it'* ]]
	for r in 0,00:100,00 0:1,000 -1,5:1; do
		rejects 'numbers are written with a point' dpcount -e 1 -r $r
	done
	rejects 'must be LO:HI' dpcount -e 1 -r 0:,
	rejects "'1d,7d' are several windows, and a run has one here" dptop -d .1 -e 1 \
	    --bucket=1d -t 1 --time-format=iso --from=2026-05-01 --to=2026-05-09 -w 1d,7d
}

@test "several fields name a user or an identifier, and what does not go with it" {
	printf 'h,a\n1,x\n1,y\n1,x\n,\n2,\n' >in
	[ "$(dpdistinct -qe inf --once --csv -H -v h,a in)" = 3 ]
	[ "$(dpdistinct -qe inf --once --csv -v 1,2 in)" = 4 ]
	[ "$(dpcount -qe inf --once --csv -H -u h,a -c 1 in)" = 3 ]
	[ "$(dpdistinct -qe inf --once --csv -H -v h,a -k h --keys=1,2 -c 1 in)" = $'2\t1' ]
	dpmap --identifiers --once --csv -H -v h,a --shard=s in >part
	[ "$(dpdistinct -qe inf --once --partial part)" = 3 ]
	printf 'query,1/x,1/y\nx,1,0\nall,1,1\n' >q.csv
	dpproject -qe inf --queries=q.csv --csv -H -v h,a in | diff <(printf 'x\t2\nall\t3\n') -
	dpcount --check -q --csv -H -u h,a -c 1 --once in 2>/dev/null | tail -n 2 >out
	printf 'in:5\tnothing: no user (field h,a is empty)\nin:6\tvalue=1\tuser=2,\n' | diff - out
	printf '"h,a",h,a\nx,1,2\nx,3,4\n' >whole
	[ "$(dpdistinct -qe inf --once --csv -H -v h,a whole)" = 1 ]
	rejects "--value: 'h,a' names several fields, and a value is in one" dpcount -e 1 --json \
	    -v h,a
	rejects "'h' is the name of a field: names need" dpdistinct -e 1 -T 9 -v h,1
	rejects 'has more than 4 fields' dpcount -e 1 --once --json -u a,b,c,d,e -c 1
	rejects 'a field number or name is needed' dpcount -e 1 --once --json -u a, -c 1
	rejects 'fields have names, and 1 is a number' dpcount -e 1 --once --json -u a,1 -c 1
	rejects "'b' is not a field of --log" dpcount -e 1 --once --log=common -u host,b -c 1
	rejects 'identifiers of several fields are no numbers' dpdistinct -e 1 -T 9 -v 1,2 \
	    --universe=9
	rejects '--deletes: refused with several fields' dpdistinct -e 1 -T 9 -v 1,2 --deletes \
	    --universe=a,b
	fails 2 dpdistinct -e 1 -T 9 --csv -H -v h,b whole
	[[ $stderr == *"the header has no field 'b'"* ]]
}

@test "an empty user is no user: in every tool that has users, also where a line is a step" {
	printf '%s\n' ',1' ',1' 'a,1' ',1' 'b,1' >in
	args=(-qe inf --csv -u 1 -c 9 -v 2 -r 0:1)
	[ "$(dpcount "${args[@]}" in | tr '\n' ' ')" = '0 0 1 1 2 ' ]
	for tool in 'dpcount' 'dpwindow -w 1' 'dpdecay -a .5' 'dpmean --statistic=count' \
	    'dpmaxsum -k 2 --keys=1'; do
		[ "$($tool "${args[@]}" --once in | cut -d . -f 1)" = 2 ]
	done
	[ "$(dptop -qe inf -d .1 --csv -u 1 -c 9 -k 2 --once in)" = $'1\t2' ]
	[ "$(dptop -qe inf -d .1 --csv -u 1 -c 9 -k 2 --once --distinct in)" = $'1\t2' ]
	[ "$(dpquantile "${args[@]:0:9}" --bins=0,1,2 --histogram --once in)" = $'0\t2' ]
	[ "$(dpmap --csv -u 1 -c 9 -v 2 -r 0:1 --once --shard=s in 2>/dev/null |
	    awk '!/^#/ { print $NF }')" = 2 ]
	printf 'query,1\nall,1\n' >q.csv
	[ "$(dpproject -qe inf --queries=q.csv --csv -u 1 -c 9 -v 2 in)" = $'all\t2' ]
	printf '%s\n' ',1,0' ',1,0' 'a,0,1' >in
	[ "$(dpmaxsum -qe inf --csv -u 1 -c 9 --columns=2 --select in | tail -n 1)" = 2 ]
	[ "$(dpexperts -qe inf --csv -u 1 -c 9 --columns=2 in | tail -n 1)" = 1 ]
}
