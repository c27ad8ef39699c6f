# SPDX-License-Identifier: ISC
# --let: fields that are made of others, as awk makes them; what is refused.

load ../lib/helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# access N: a combined log of paths with queries, addresses of a few networks, and agents vN
access() {
	seq "$1" | awk '{ split("/a /a?x=1 /b#y /b?a=/b /c /", p, " ")
	    printf "10.%d.%d.%d - - [01/May/2026:10:00:00 +0000] ", $1 % 3, $1 % 7, $1 * 7919 % 256
	    printf "\"GET %s HTTP/1.1\" 200 5 \"-\" ", p[1 + $1 * 31 % 6]
	    print $1 % 11 ? "\"UA v" $1 % 14 "\"" : "\"-\"" }'
}

@test "pages, hosts, networks, domains, the first of a list: of hostile texts what is right" {
	cat >in <<-'END'
		p|h|u|l
		/a?utm=1|192.0.2.1:60422|https://User@WWW.Example.org:8080/x?y|10.1.2.3, 8.8.8.8
		/a#top?x|192.0.2.99|-| 10.1.2.4 
		/b|2001:DB8:1:2:3:4:5:6|http://t.co|[2001:db8::1]:443,a
		?|[2001:db8:1:2::9]:443|HTTP://[2001:DB8::1]:80/|,a
		|::ffff:192.0.2.7|ftp:/x|
		a/b|[2001:db8::1|://|x
		/c|example.org:80|a://b://c|x,,
		/d|1.2.3|https://a@b@c.D#e@f|	x	,y
		/e|::|//no.scheme/x|"
	END
	made() {
		dpdistinct --check --once -F '|' -H --let="m=$1" -v m in 2>/dev/null |
		    sed 's/.*identifier=//; s/.*the identifier is empty.*//; s/ (with its port.*//'
	}
	paste -d '|' <(made p:page) <(made h:host) <(made h:/24,/56) <(made u:domain) \
	    <(made l:first) >got
	diff - got <<-'END'
		/a|192.0.2.1|192.0.2.0/24|www.example.org|10.1.2.3
		/a|192.0.2.99|192.0.2.0/24||10.1.2.4
		/b|2001:DB8:1:2:3:4:5:6|2001:db8:1::/56|t.co|[2001:db8::1]:443
		|2001:db8:1:2::9|2001:db8:1::/56|2001:db8::1|
		|::ffff:192.0.2.7|192.0.2.0/24||
		a/b|[2001:db8::1|[2001:db8::1||x
		/c|example.org|example.org:80|b|x
		/d|1.2.3|1.2.3|c.d|x
		/e|::|::/56||"
	END
}

@test "without blanks at its ends, and in small letters of ASCII, of any length" {
	printf -v long '%3000s' ''
	printf '%s\n' ' Ab ÄZ@[	' ' ' '' x "${long// /Z}" "${long// /z}" >in
	set -- -qe inf --once -F '|' --let=t=1:trim --let=l=t:lower in
	dpdistinct -v l "$@" 2>/dev/null | diff <(echo 3) -
	dpcount -k l --keys='ab Äz@[,x,ab' "$@" 2>/dev/null | diff <(printf '1\t1\t0\n') -
	dpdistinct -v t "$@" 2>/dev/null | diff <(echo 4) -
}

@test "a NUL byte is a byte of a field" {
	printf '%s\n' '/a0b?x|p|http://h/' '/a0c?x|p|http://h/' '/a|p0b,c|http://h/' \
	    '/a|p0c,c|http://h/' '/a|p0,c|http://h/' '/a|p|http://h0a/' '/a|p|http://h0b/' \
	    '/a|p|http://h/' '/a?0x|p,0|http://h/0' | tr 0 '\0' >in
	dpdistinct -qe inf --once -F '|' --let=m=1:page --let=l=2:first --let=d=3:domain -v m,l,d \
	    in 2>/dev/null | diff <(echo 8) -
}

@test "in every format, as a key, a user, a value, a time, a condition, and of one another" {
	access 400 >access.log
	dpcount -qe inf --once --log=combined --let=page=path:page -k page --keys=/a,/b --other \
	    access.log 2>/dev/null >got
	awk '{ p = $7; sub(/[?#].*/, "", p); n[p == "/a" || p == "/b" ? p : "-"]++ }
	    END { printf "%d\t%d\t%d\n", n["/a"], n["/b"], n["-"] }' access.log | diff - got
	dpdistinct -qe inf --once --log=combined --let=net=host:/24,/64 -v net,agent access.log \
	    2>/dev/null >got
	awk -F '"' '{ split($1, h, /[. ]/); print h[1], h[2], h[3], $6 }' access.log | sort -u |
	    wc -l | diff - got
	dpcount -qe inf --once --log=combined --let='n=agent~v([0-9]+)' --let=last=n~'(.)$' \
	    -v last -r 0:9 --where='n>=5' access.log 2>/dev/null >got
	awk -F '"' '$6 ~ /v[0-9]+/ { n = $6; sub(/.*v/, "", n); if (n + 0 >= 5) s += n % 10 }
	    END { print s + 0 }' access.log | diff - got
	printf '%s\n' '{"m":"at 2026-05-01T01:00:00Z.","n":{"ms":"12ms"}}' \
	    '{"m":"at 2026-05-02T01:00:00Z.","n":{"ms":"30ms"}}' '{"m":"none","n":{"ms":"x"}}' |
	    dpwindow -qe inf -w 1 --json --let='t=m~at (.*)\.$' --let='ms=n.ms~^(?<ms>\d+)(m)s$' \
	    -t t --time-format=iso --bucket=1d --from=2026-05-01 --to=2026-05-03 -v ms -r 0:100 \
	    2>/dev/null | cut -f 2 | diff <(printf '12\n30\n') -
	# numbered fields, and a name that is there already
	printf '%s\n' 'u=a/1 x' 'u=b/2 y' 'u=a/3 z' 'q w' >in
	dpcount -qe inf --once --let='u=1~u=(.)' --let='k=1~/(.)' -u u -c 1 -k k --keys=1,2,3 in \
	    2>/dev/null | diff <(printf '1\t1\t0\n') -
	printf 'k,v\n/a?1,2\n/a?2,3\n/b,5\n' |
	    dpcount -qe inf --once --csv -H --let=k=k:page -k k --keys=/a,/b -v v -r 0:9 \
	    2>/dev/null | diff <(printf '5\t5\n') -
}

@test "numbers with units, as one of the unit asked for, and as a country writes them" {
	printf '%s\n' 't|s|p' '22ms|1.5K|€ 3,50' '1.5 s|2 KiB|1.234,50 €' '1m30.5s|10|2 €' \
	    '7|1 MB|€' '2 kg|x|3.5 €' >in
	sums() {	# LET RANGE OPTION ...: the sum of what is made
		dpcount -qe inf --once -F '|' -H --let="m=$1" -v m -r "$2" "${@:3}" in 2>/dev/null
	}
	{
		sums t:ms 0:100000; sums t:s 0.000:100.000; sums t:min 0.0000:8.0000
		sums s:B 0:2M; sums s:KiB 0.00:9999.00
		sums p:€ 0.00:9999.00 --numbers=de; sums p:€ 0.00:9999.00 --decimal=,
	} | diff - <(printf '%s\n' 92029 99.022 8.5337 1003558 990.06 1240.00 5.50)
	# a comparison with what is made, a key of it, a shard
	[ "$(dpcount -qe inf --once -F '|' -H --let=m=t:ms --where='m>=22' in 2>/dev/null)" = 3 ]
	[ "$(dpcount -qe inf --once -F '|' -H --let=m=t:ms -k m --keys=22,1500,90500 in \
	    2>/dev/null | tr '\t' ' ')" = '1 1 1' ]
	dpmap --once -F '|' -H --let=m=t:ms -v m -r 0:100000 --shard=s in 2>/dev/null |
	    grep -v '^#' | cut -f 3 | diff <(echo 92029) -
	# how numbers are written is one option, kept as it is given
	dpcount -e 1000000 -T 9 --state=S --init --numbers=de -r 0.0:9999.9 <<<1.000,5 >got
	dpcount --state=S <<<2,5 >>got
	printf '%s\n' 1000.5 1003.0 | diff - got
	fails 5 dpcount --state=S --numbers=fr in
	fails 2 dpcount -e 1 -T 9 --numbers=de --decimal=, in
	[[ $stderr == *'--numbers: refused with --decimal and --thousands, which it stands for'* ]]
	fails 2 dpcount -e 1 -T 9 --numbers=d in
	[[ $stderr == *"'d' is none of br de dk es"*'--decimal and --thousands say how'* ]]
	fails 2 dpcount -e 1 --once --csv -v 1 --numbers=de in
	[[ $stderr == *'--numbers: fields end at commas'* ]]
	for c in de:1.234,5 fr:'1 234,5' us:1,234.5 ch:"1'234.5" in:1,234.5; do
		[ "$(dpcount -qe inf --once -F ';' -v 1 -r 0.0:9999.0 --numbers="${c%%:*}" \
		    <<<"${c#*:}" 2>/dev/null)" = 1234.5 ]
	done
	dpcount -e 1 --explain --once -F ';' -v 1 -r 0:9 --numbers=in | tr -s ' \n' ' ' |
	    grep -F "may have ',' between groups of two digits, the last of three; what is"
}

@test "a state keeps them; what they are is said; a shard has them too" {
	printf '%s\n' 'a=5 u1' 'a=7 u2' 'b=1 u1' >in
	set -- -q -e 1 --seed=1 --let='a=1~a=(.*)' -v a -r 0:10
	cat in in | dpcount "$@" >whole 2>/dev/null
	dpcount "$@" --state=S --init in >parts 2>/dev/null
	dpcount -q --state=S in >>parts 2>/dev/null
	diff whole parts
	fails 5 dpcount -q --state=S --let='a=1~a=(.)' in
	grep -F -- "--let differs from the state file's, which is 'a=1~a=(.*)'" <<<"$stderr"
	run -0 --separate-stderr dpcount --check --let='a=1~a=(.*)' --let=b=a:page -v b -r 0:9 in
	grep -F 'the number in field b, clamped to 0:9' <<<"$stderr"
	grep -F 'a is field 1~a=(.*); b is field a:page' <<<"$stderr"
	grep -F $'in:1\tvalue=5' <<<"$output"
	dpmap --shard=s --bucket=1d -t 3 --time-format=epoch --from=0 --to=86400 \
	    --let='k=1~(.)=' -k k --keys=a,b <<<$'a=1 x 5\nb=1 x 6\na=2 x 7' >part
	dpcount -qe inf --partial --bucket=1d --from=0 --to=86400 --keys=a,b part 2>/dev/null |
	    cut -f 2- | diff <(printf '2\t1\n') -
}

@test "a number that is made: a time's zone is looked for as if it were the field it is made of" {
	printf '%s\n' '5:1 2026-01-01T23:00:00 -08:00 a' '7 2026-01-01T10:00:00 +0900 b' >before
	printf '%s\n' '2026-01-01 23:00:00,-0800' >after
	set -- -w 1 -qe inf -r -900:9 --time-format=iso --bucket=1d --from=2026-01-01 \
	    --to=2026-01-03
	for how in :host '~([0-9]*)' :lower; do
		dpwindow "$@" --let="x=1$how" --let=y=x:trim -v y -t 2 before 2>/dev/null |
		    cut -f 2 | paste -s >got
		[ "$(<got)" = $'7\t5' ] || [ "$how$(<got)" = $':lower7\t0' ]
	done
	for how in :page '~(.*)' :lower; do
		dpwindow "$@" -F , --let="x=2$how" -v x -t 1 after 2>/dev/null | cut -f 2 |
		    paste -s | diff <(printf -- '-800\t0\n') -
		tr , ' ' <after | dpwindow "$@" --let="x=3$how" -v x -t 1 2>/dev/null | cut -f 2 |
		    paste -s | diff <(printf -- '-800\t0\n') -
	done
}

@test "a state: what says whose an event is, or when, stays: no run counts it once more" {
	printf '%s\n' '2026-05-01T23:00:00 192.0.2.1:80 k 5' >in
	stays() {	# COMMAND OPTION ... -- CHANGE ...: no CHANGE may be
		local all=()

		rm -f S
		while [ "$1" != -- ]; do all+=("$1"); shift; done
		"${all[@]}" -q -e 10000 -T 9 --state=S --init in >got 2>err
		for change in "${@:2}"; do
			# shellcheck disable=SC2086
			fails 5 "${all[0]}" -q --state=S $days $change in
			[[ $stderr == *'planned for'* ]] || { echo "$change: $stderr"; false; }
		done
	}
	# 192.0.2.1 would be two users, or identifiers, and have two allowances
	stays dpcount --let=who=2:host -u who -c 1 -v 4 -r 0:9 -- \
	    '--change --let=who=2:page' --change=let
	stays dpdistinct --let=who=2:host -v who -c 1 -k 3 --keys=k -- '--change --let=who=2:page' \
	    '--change -v 2'
	stays dpdistinct -v 2 -- '--change -v 1' '--change -F :' '--change --let=k=3:page'
	# and the event would be in both days
	days='--from=2026-05-02 --to=2026-05-03'
	stays dpcount --let='t=1~(.*)' -t t --time-format=iso --tz-in=UTC --bucket=1d -v 4 -r 0:9 \
	    --from=2026-05-01 --to=2026-05-02 -- '--change --let=t=1~(.*)T' \
	    '--change --tz-in=America/New_York' --change=tz-in
	# so it would if +0800 were the zone of its time in one, and a number in the other
	printf '%s\n' '5 2026-05-02T03:30:00 +0800 k' >in
	stays dpcount -v 1 -r 0:900 -t 2 --time-format=iso --bucket=1d --from=2026-05-01 \
	    --to=2026-05-02 -- '--change -v 3' '--change=value' '--change -m k'
	stays dpmean --weight=1:9 --of=4 -r 0:9 -t 2 --time-format=iso --bucket=1d \
	    --from=2026-05-01 --to=2026-05-02 -- '--change --of=3' '--change --weight=3:9'
	printf '{"a":1,"b":2,"t":"2026-05-01"}\n' >in
	rm -f S
	dpcount -q -e 10000 -T 9 --state=S --init --json -v a -r 0:9 -t t --time-format=iso \
	    --bucket=1d --from=2026-05-01 --to=2026-05-02 in
	# shellcheck disable=SC2086
	dpcount -q --state=S $days --change -v b in
	# what happens in order, and to nobody, may be read otherwise from now on
	dpcount -q -e 10000 -T 9 --state=R --init --let=a='4~(.)' -v a -r 0:9 in
	dpcount -q --state=R --change --let=a=4:page in
}

@test "what is refused, each with its cure" {
	refused() {
		fails 2 "${@:2}"
		[ "$output" = "" ]
		grep -qF -- "$1" <<<"$stderr" || { echo "$stderr"; false; }
	}
	r=(dpcount -e 1 -T 9)
	refused "'a' must be NAME=FIELD~REGEX or NAME=FIELD:HOW" "${r[@]}" --let=a
	refused "'2=2:page' must be NAME=" "${r[@]}" --let=2=2:page
	refused "'a=2' lacks what is made" "${r[@]}" --let=a=2
	refused "'foo' is none of page" "${r[@]}" --let=a=2:foo
	refused "'/33,/64' is none of page" "${r[@]}" --let=a=2:/33,/64
	refused "'−' is none of page" "${r[@]}" --let=a=2:−
	refused "'/24' is none of page" "${r[@]}" --let=a=2:/24
	refused 'and units (ms, kB, KiB, number, %, $, EUR: a number in them)' "${r[@]}" \
	    --let=a=2:eur
	refused '--let: at offset 1: missing closing parenthesis' "${r[@]}" --let='a=2~('
	refused '--let: no group' "${r[@]}" --let='a=2~x'
	refused 'several groups have names' "${r[@]}" --let='a=2~(?<x>x)(?<y>y)'
	refused "two fields are named 'a'" "${r[@]}" --let=a=1:page --let=a=2:page
	refused "'b' is the name of a field: names need -H" "${r[@]}" --let=a=b:page -v a -r 0:1
	refused "'nope' is not a field of --log" "${r[@]}" --log=combined --let=a=nope:page -v a \
	    -r 0:1
	refused "the header has no field 'nope'" "${r[@]}" --csv -H --let=a=nope:page -v a -r 0:1 \
	    <<<'k,v'
	refused 'more than 8 fields are made' "${r[@]}" --let={a,b,c,d,e,f,g,h,i}=1:page
	refused '--pan-private: refused with --let' "${r[@]}" -P --let=a=1:page -m x -v a
	refused '--unit: refused with --let' "${r[@]}" --unit=1 --let=a=1:page -v 2
	refused '--let: refused here' dpmaxsum -e 1 -T 9 --columns=2 --let=a=1:page
	# by default memory is not private where it cannot be
	dpcount -e 1 -T 9 --let=a=1:page -m x -v a --explain >said
	! grep -q 'pan-private' said
}
