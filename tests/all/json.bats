# SPDX-License-Identifier: ISC
# Lines that are JSON objects: what is taken of them, and what is malformed.
load ../lib/helper

# is JSON FIELD TEXT: the text of the field, as a key sees it
is() {
	printf '%s\n' "$1" >in
	[ "$(exact --json -k "$2" --keys=@<(printf '%s\n' "$3") in)" = 1 ] || {
		echo "not '$3': $1"
		return 1
	}
}

# nothing JSON FIELD [WORDS]: the field is not there; the line is malformed, in these words
nothing() {
	printf '%s\n' "$1" >in
	[ "$(exact --json -v "$2" -r 0:9 in)" = 0 ]
	fails 3 exact --json --strict -v "$2" -r 0:9 in
	grep -q "^dpcount: in:1: ${3:-field $2: missing}" err || {
		cat err
		return 1
	}
}

malformed() {
	nothing "$1" a 'no JSON object'
}

@test "strings, numbers and truth values are their text" {
	is '{"a":"x y"}' a 'x y'
	is ' { "b" : [1,{"a":2}], "a" : "1" } ' a 1
	is '{"a":true}' a true
	is '{"a":false}' a false
	is '{"":1,"a":"x"}' a x
	is '{"a b":1}' 'a b' 1
	is '{"ä":"ö"}' 'ä' 'ö'
	is "$(printf '{"a":"\377"}')" a "$(printf '\377')"
	# where a line has an escape, too
	is '{"\u0061":"ö"}' a 'ö'
	is '{"a":"\u00e4ö","b":"ü"}' a 'äö'
	printf '{"\\u0061":"\377\001x\ty"}\n' >in
	echo 1 | prints exact --json --where='a~^\xff\x01x\ty$' in
	is '{"a":1,"a":2}' a 2
	printf '%s\n' '{"n":1.5}' '{"n":"2"}' '{"n":-1}' '{"n":2e0}' >in
	printf '%s\n' 1.5 3.5 2.5 4.5 | prints exact --json -v n -r -5.0:5.0 in
}

@test "numbers keep their digits" {
	for n in 0 7 -7 12345678901234567890 9223372036854775807 -9223372036854775807 0.1 \
	    0.10 -0.0 1e5 1E+05 3.141592653589793238462643383279 1e400 0.000000000000000000001; do
		is "{\"a\":$n}" a "$n"
		is "{\"b\":{\"c\":$n}}" b.c "$n"
	done
	for n in 18446744073709551616 123456789012345678901234567890 -9223372036854775809 NaN \
	    Infinity -Infinity; do
		is "{\"a\":$n}" a "$n"
		is "{\"a\":7,\"b\":[$n]}" a 7
	done
}

@test "escapes" {
	printf '%s\n' '{"a":"\"\\\/\b\f\n\r\t"}' >in
	echo 1 | prints exact --json --where='a~^"\\/\x08\f\n\r\t$' in
	is '{"a":"\u0041\u00e4\ud83d\ude00"}' a 'Aä😀'
	is '{"a":"\ud83d"}' a "$(printf '\357\277\275')"
	is '{"\u0061":"\/"}' a /
	# a NUL in the middle is a byte like others
	printf '%s\n' '{"a":"x\u0000y"}' '{"a":"x"}' >in
	printf '1\n1\n' | prints exact --json --where='a~^x\x00y$' in
	printf '0\n1\n' | prints exact --json -k a --keys=x in
}

@test "paths, and names that have dots" {
	is '{"a":{"b":{"c":"x"}}}' a.b.c x
	is '{"a.b":"x","a":{"b":"y"}}' a.b x
	is '{"a":{"b":"y"},"a.b":"x"}' a.b x
	is '{"a.b":{"c":"x"}}' a.b.c x
	is '{"a":{"b.c":"x"}}' a.b.c x
	nothing '{"a":{"b":1},"a.b":null}' a.b
	nothing '{"a":{"b":1}}' a
	nothing '{"a":[1]}' a
	nothing '{"a":[1]}' a.0
	nothing '{"a":null}' a
	nothing '{"a":1}' a.b
	nothing '{"b":1}' a
	nothing '{"a.b":1,"a":{"b":{"c":1}}}' a.b.c
	is '{"@timestamp":"x","user-agent":"y"}' @timestamp x
}

@test "malformed lines: cut in the middle, more than one, no object, other dialects" {
	local whole='{"a":1,"b":[true,null,"x\u00e4",{"c":-1.5e3}]}'

	for ((i = 0; i < ${#whole}; i++)); do
		printf '%s\n' "${whole:0:i}"
	done >in
	[ "$(exact --json -v a -r 0:1 in | tail -n 1)" = 0 ]
	for s in '' '[1]' '1' '"a"' null '{"a":1},' '{"a":1}x' "{a:1}" \
	    '{"a":01}' '{"a":+1}' '{"a":.5}' '{"a":1,}' '{,"a":1}' '{"a" 1}' '{"a":1 "b":2}' \
	    '{"a":TRUE}' '{"a":"\x"}' '{"a":"\u12"}' '{/**/"a":1}' '{"a":1}//x' '{"a":tru}'; do
		malformed "$s"
	done
	# an event is a line: what another program makes of several, or of parts of one
	for s in '{"a":1}{"a":2}' '{"a":1} {"a":2}' '{"a":1}{'; do
		nothing "$s" a 'several JSON objects in one line (jq -c [.] makes a line of each)'
	done
	malformed '{"a":{}}}'
	malformed '{"a":1,"b":[{"a":2}]} 1'
	printf '{"a":1\0}\n{"a":"\0"}\n' >in
	printf '0\n0\n' | prints exact --json -v a -r 0:1 in
	printf '\357\273\277{"a":1}\r\n{"a":1}' >in
	printf '1\n2\n' | prints exact --json -v a -r 0:1 in
}

@test "nesting: 128 is enough, 10^5 and 10^6 are refused without a crash" {
	nested() {
		awk -v n="$1" 'BEGIN {
			printf "{\"a\":1,\"b\":"
			for (i = 0; i < n; i++) printf "["
			for (i = 0; i < n; i++) printf "]"
			print "}"
		}'
	}
	{ nested 100; nested 1000; nested 100000; nested 1000000; echo '{"a":1}'; } >in
	printf '%s\n' 1 1 1 1 2 | prints exact --json -v a -r 0:1 in
	awk 'BEGIN { for (i = 0; i < 1000000; i++) printf "{\"a\":"; print "" }' >in
	echo '{"a":1}' >>in
	printf '0\n1\n' | prints exact --json -v a -r 0:1 in
	awk 'BEGIN { printf "{\"b\":["; for (i = 0; i < 300000; i++) printf "[],"
	    print "1],\"a\":1}" }' >in
	echo 1 | prints exact --json -v a -r 0:1 in
}

@test "a line of 1 GB is too long, takes no memory, and the next one counts" {
	unsanitized "a sanitizer takes more memory"
	{
		printf '{"a":"'
		head -c 1000000000 /dev/zero | tr '\0' x
		printf '"}\n{"a":1}\n'
	} | (ulimit -v 300000 && dpcount -e inf -q --json -v a -r 0:1) >got
	printf '0\n1\n' | diff - got
}

@test "times, keys, users, conditions, buckets" {
	for i in 1 2 3 4; do
		echo "{\"t\":\"2026-05-0${i}T23:00:00-02:00\",\"u\":\"u$i\"," \
		    "\"r\":{\"s\":$((i % 2 ? 200 : 404))},\"ms\":$i.5}"
	done >in
	local days='-t t --time-format=iso --bucket=1d --from=2026-05-01 --to=2026-05-06'
	# shellcheck disable=SC2086
	{
		exact --strict --json $days -k r.s --keys=200,404 in | cut -f 2- | tail -n 1 >got
		printf '2\t2\n' | diff - got
		exact --strict --json $days -v ms -r 0.0:9.9 --where='r.s~404' in | cut -f 2 >got
		printf '%s\n' 0.0 0.0 2.5 2.5 7.0 | diff - got
		exact --strict --json $days -u u -c 1 in | cut -f 2 >got
		printf '%s\n' 0 1 2 3 4 | diff - got
		dpdistinct -e inf -q --json $days -v u in | cut -f 2 >got
		printf '%s\n' 0 1 2 3 4 | diff - got
	}
	fails 3 exact --strict --json -t r.s --time-format=iso --bucket=1d --from=0 --to=86400 in
	grep -qx 'dpcount: in:1: field r.s: not a time of the given format' err
}

@test "refused: numbers as names, other forms, -P, no memory for more" {
	echo '{"a":1}' >in
	refused() {
		fails 2 dpcount -e 1 "${@:2}" in
		[ -z "$output" ] && [[ $stderr == *"$1"* ]]
	}
	refused '--json: fields have names, and 1 is a number' --json -v 1
	refused '--json: fields have names, and 2 is a number' --json --where=2~x
	refused 'do not go together' --json --csv
	refused 'do not go together' --json -H
	refused 'do not go together' --json -F ,
	refused '--pan-private: refused with --json' --json -P -T 10
	# shellcheck disable=SC2046
	refused '--where: more than 64 fields' --json $(printf -- '--where=f%d~x ' {1..65})
	# shellcheck disable=SC2046
	echo 0 | prints exact --json $(printf -- '--where=f%d~x ' {1..64}) in
}

@test "a state keeps it" {
	echo '{"a":3}' >in
	dpcount -e 1000000 -T 10 --state=s --init --json -v a -r 0:9 in >got
	dpcount --state=s in >>got
	printf '3\n6\n' | diff - got
	fails 5 dpcount --state=s --csv in
}

@test "no NUL ends a line, a name or a run" {
	printf '{"v":1}\nnull\0\n{"v":1}\0junk\n{"v":1,"v\\u0000":5}\n' >in
	printf '1\n1\n1\n2\n' | prints exact --json -v v -r 0:9 in
	dpcount -e 1 -T 9 -q --json -v v -r 0:1 in >out
	[ "$(wc -l <out)" -eq 4 ]
	printf '{"v":1}\nnull\0\n' >in
	fails 3 exact --json --strict -v v -r 0:9 in
	grep -q '^dpcount: in:2: no JSON object' err
	printf '{"v":1}\0junk\n' >in
	fails 3 exact --json --strict -v v -r 0:9 in
	grep -q '^dpcount: in:1: no JSON object' err
}

@test "--decimal and --thousands: numbers as a country writes them, in every form of line" {
	printf '%s\n' 'Datum;Betrag' '01.03.2024;1.234,56' '02.03.2024;0,44' '03.03.2024;1.5' >de
	de='--decimal=, --thousands=.'
	[ "$(dpcount -qe inf --once --csv -F ';' -H -v Betrag -r 0.00:10000.00 $de de)" = 1235.00 ]
	[ "$(dpcount -qe inf --once -F ';' -v 2 -r 0.00:10000.00 $de --where=Betrag\>0.5 -H de)" = \
	    1234.56 ]
	[ "$(dpcount -qe inf --once -F ';' -H -v Betrag -r 0.00:9999.00 --decimal=, de)" = 0.44 ]
	printf '%s\n' '"1,651,590,000",1' '"1,234",x' '5,"2,000.0"' >us
	[ "$(dpcount -qe inf --once --csv -v 2 -r 0:9999 --thousands=, us)" = 2001 ]
	[ "$(dpcount -qe inf --once --csv -v 1 -r 0:9T --thousands=, us)" = 1651591239 ]
	printf '%s\n' 1.000,5 0,5 1.5 1,5 >lines
	[ "$(dpcount -qe inf -T 4 -r 0.0:9999.9 $de lines | tr '\n' ' ')" = \
	    '1000.5 1001.0 1001.0 1002.5 ' ]
	[ "$(dpcount -qe inf -T 4 -P -r 0.0:9999.9 $de lines | tail -n 1)" = 1002.5 ]
	printf '1.000;2,5\n0,5;1\n' >columns
	[ "$(dpmaxsum -qe inf --once -F ';' --columns=2 -r 0.0:9999.9 $de columns)" = 1000.5 ]
	echo '{"v":"12 345,5"}' >j
	[ "$(dpcount -qe inf --once --json -v v -r 0.0:99999.9 --decimal=, --thousands=' ' j)" = \
	    12345.5 ]
	dpcount --check --once -F ';' -H -v Betrag -r 0:9999 $de de 2>&1 |
	    grep -q "decimal number: '1.5'"
	dpcount -e 1 --explain --once -F ';' -v 2 -r 0:9 $de | tr -s ' \n' ' ' >said
	grep -qF "numbers have a comma before their decimals, and may have '.' between groups" said
	grep -qF "of three digits; what is written otherwise is none" said
	for a in '--csv --decimal=,' '-F , --decimal=,'; do
		fails 2 dpcount -e 1 --once -v 1 -r 0:9 $a de
		[[ $stderr == *'fields end at commas, and so would numbers'* ]]
	done
	fails 2 dpcount -e 1 --once -v 1 -r 0:9 --thousands=. de
	[[ $stderr == *'. is what stands before the decimals, unless --decimal=, says'* ]]
	fails 2 dpcount -e 1 --once -v 1 -r 0:9 -F , --thousands=, de
	fails 2 dpcount -e 1 --once -v 1 -r 0:9 --thousands=' ' de
	[[ $stderr == *'fields end there, and so would numbers; --csv reads those that are in q'* ]]
	fails 2 dpcount -e 1 --once -v 1 -r 0:9 --decimal=x de
	fails 2 dpcount -e 1 --once -v 1 -r 0:9 --thousands=.. de
}

# Lines of arrays, of users u0 to u19, and what -c K lets count of them: elements once in a line, in
# their order, K of a line, or (by=u) of a user, in all lines (or buckets, step=1) together
arrays() {
	awk -v n=600 -v K="$1" -v by="$2" -v step="$3" -v without="$4" 'BEGIN {
		srand(39)
		for (i = 1; i <= n; i++) {
			u = "u" int(rand() * 20); t = int(rand() * 3); m = int(rand() * 6)
			text = ""; split("", met); left = K
			for (k = 1; k <= m; k++) {
				a = substr("abcdz", 1 + int(rand() * 5), 1)
				text = text (k > 1 ? "," : "") "\"" a "\""
				cell = by == "" ? i : u (step ? " " t : "")
				if (u == without || i == without || a == "z" || (a in met) ||
				    had[cell] == K)
					continue
				met[a] = 1; had[cell]++; sum[a]++
			}
			if (u != without && i != without)
				printf "{\"u\":\"%s\",\"t\":%d,\"tags\":[%s],\"v\":%d}\n", u,
				    86400 * t, text, i % 3 >"in"
		}
		print sum["a"] + 0 "\t" sum["b"] + 0 "\t" sum["c"] + 0 "\t" sum["d"] + 0
	}'
}

# near A B K: no column differs by more than 1 (or, $4, K), all together by no more than K
near() {
	awk -v K="$3" -v each="${4-1}" 'NR == 1 { split($0, a); next }
		{ for (i = 1; i <= NF; i++) { d = a[i] - $i; d = d < 0 ? -d : d; l1 += d
		    if (d > each) exit 1 } }
		END { exit !(l1 > 0 && l1 <= K) }' <<<"$1"$'\n'"$2"
}

@test "elements of an array as keys: which count, against awk; a line or a user less" {
	local k='--json -k tags[] --keys=a,b,c,d' once=--once days whole
	days='-t t --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-04'

	for K in 1 2 4; do
		arrays $K '' 0 >want
		whole=$(exact $once $k -c $K in)
		[ "$whole" = "$(cat want)" ]
		[ "$(exact $k -c $K in | tail -n 1)" = "$whole" ]	# a line is a step
		arrays $K '' 0 7 >want
		near "$whole" "$(exact $once $k -c $K in)" $K
	done
	for K in 3 7; do
		arrays $K u 0 >want
		whole=$(exact $once $k -u u -c $K in)
		[ "$whole" = "$(cat want)" ]
		arrays $K u 0 u3 >want
		near "$whole" "$(exact $once $k -u u -c $K in)" $K $K
		arrays $K u 1 >want
		exact $days $k -u u -c $K/step in | cut -f 2- | tail -n 1 | diff want -
	done
	# who has which: an identifier once for a key, and for K keys
	arrays 9 '' 0 >want
	jq -r '.u as $u | .tags[] | select(. != "z") | [., $u] | @tsv' in | sort -u |
	    cut -f 1 | uniq -c | awk '{ printf "%s%s", (NR > 1 ? "\t" : ""), $1 }
	    END { print "" }' >want
	exact_of dpdistinct $once $k -v u -c 4 in | diff want -
	# sums of a value, and the leader
	jq -r '.v as $v | .tags | unique[] | [., $v] | @tsv' in | awk '{ s[$1] += $2 }
	    END { print s["a"] "\t" s["b"] "\t" s["c"] "\t" s["d"] }' >want
	exact $once $k -v v -r 0:2 -c 4 in | diff want -
	tr '\t' '\n' <want | sort -rn | head -n 1 >most
	exact_of dpmaxsum $once $k -v v -r 0:2 -c 4 in | diff most -
	exact_of dpwindow $days $k -w 3 -v v -r 0:2 -c 4 in | cut -f 2- | tail -n 1 | diff want -
	exact_of dpdecay $days $k -a .5 -v v -r 0:2 -c 4 in | wc -l | grep -qx 3
	dpmap $once $k -u u -c 7 in 2>err >map
	dpcount -qe inf $once --partial=by-user --keys=a,b,c,d -c 7 map >got
	arrays 7 u 0 | diff - got
}

@test "elements of an array as keys: identifiers of each in windows, against awk" {
	local days='-t t --time-format=epoch --bucket=1d --from=1970-01-01 --to=1970-01-04' K

	arrays 9 '' 0 >want
	for K in 1 2 4; do
		jq -r '.u as $u | .t as $t | .tags[] | [$u, $t / 86400, .] | @tsv' in |
		    awk -v K=$K '$3 ~ /^[abcd]$/ && !seen[$0]++ && n[$1, $2]++ < K {
			    for (s = $2; s < $2 + 3 && s < 3; s++)
				    for (w = s - $2 + 1; w < 4; w++)
					    has[$3, s, w] += !was[$1, $3, s, w]++ }
		    END { for (s = 0; s < 3; s++)
			    for (i = 1; i <= 4; i++)
				    for (w = 1; w < 4; w++)
					    printf "%d%s", has[substr("abcd", i, 1), s, w],
						i == 4 && w == 3 ? "\n" : "\t" }' >want
		grep -q '[1-9]' want
		dpdistinct -qe inf $days --json -k 'tags[]' --keys=a,b,c,d -v u -w 1d,2d,3d \
		    -c $K/step in 2>err | cut -f 2- | diff want -
	done
}

@test "elements of an array as keys: the unit, --check, what is refused" {
	local k='--json -k tags[] --keys=a,b,c,d' c

	printf '%s\n' '{"u":1,"tags":["b","a","b","c"]}' '{"u":1,"tags":["z"]}' \
	    '{"u":1,"tags":[]}' '{"u":1,"tags":"a"}' '{"u":1,"tags":["d"]}' >in
	printf '%s\n' $'in:1\tvalue=1\tkey=b,a' \
	    $'in:2\tnothing: no element is a declared key: \'z\'' \
	    $'in:3\tnothing: the array has no element that is a key' \
	    $'in:4\tnothing: field tags[]: missing, or not a string, number, true or false '\
"(it has tags): '"'{"u":1,"tags":"a"}'"'" \
	    $'in:5\tvalue=1\tkey=d' >want
	dpcount --check --once $k -c 2 in 2>err | diff want -
	grep -qF 'keys: each element of field tags[]' err
	grep -qF 'an event counts for the first 2 of its keys (-c): the rest are left out' err
	dpcount --check --once $k -u u -c 3 in 2>err >got
	grep -qx $'in:1\tvalue=1\tkey=b,a,c\tuser=1' got
	grep -qx $'in:5\tnothing: its user has had as many events as --per-user allows: '\''1'\' got
	# where a field is an array, --check says so: of a key all elements may be meant
	dpcount --check --once --json -k tags --keys=a in 2>err | head -n 1 |
	    grep -qF '(it has tags[])'
	dpcount --check --once --json -v tags -r 0:1 in 2>err | head -n 1 |
	    grep -qF '(it has tags[0])'
	fails 3 dpcount -e inf -q --once --strict $k -c 2 in
	[[ $stderr == *'in:4: field tags[]: missing'* ]]
	dpcount -e 1 --once -E $k -c 2 | tr -s '\n' ' ' >said
	grep -qF 'if one has one event more than the other, for at most 2 keys, or one event' said
	grep -qF 'sensitivity 2' said
	grep -qF 'each event is protected by itself, with all of its keys' said
	dpcount -e 1 --once -E $k -u u -c 5 | tr -s '\n' ' ' >said
	grep -qF 'of which at most 5 are counted (each key of an event is one)' said
	grep -qF 'sensitivity 5' said
	dpcount -e 1 -T 9 -E $k -c 9 | grep -qF 'one line differs, in value, keys or both'
	for c in "dpcount --once $k -c 2" "dpcount -T 9 $k -c 3" "dpcount --once $k -u u -c 3" \
	    "dpmaxsum -T 9 $k -c 2" "dpwindow -w 2 -T 9 $k -u u -c 2" \
	    "dpdistinct --once -v u $k -c 2"; do
		dpaudit --plan -- $c -e 1 | grep -qx $'verdict\tholds'
	done
	# a state has K
	dpcount -e 1 -q -T 10 --state=s --init $k -c 2 in >got
	fails 5 dpcount -q --state=s -c 3 in
	dpcount -q --state=s in >got
	wc -l <got | grep -qx 5
	while IFS='|' read -r c why; do
		# shellcheck disable=SC2086
		fails 2 $c in
		[[ $stderr == *"$why"* ]] || { echo "$c: $stderr"; false; }
	done <<-END
		dpcount -e 1 --once $k|need -c K: how many of an event count
		dpcount -e 1 --once --json -k t --keys=a -c 2|--user and --per-user go together
		dpcount -e 1 --bucket=1d -E $k -c 2/step|take -c K: how many of an event count
		dpcount -e 1 -T 9 $k -u u -c 2/3|--per-user=K/B: refused with the elements
		dpcount -e 1 --once $k -u u -c 2 --each-user=any|--each-user: refused with the
		dpcount -e 1 --once $k -v n --unit=1 -c 2|--unit: refused with the elements
		dpcount -e 1 --once $k -v n -r auto -c 2|are keys of dpcount, dpwindow
		dpmean -e 1 --once $k -v n -r 0:1 -c 2|jq -c '.ARRAY[] as \$x
		dptop -e 1 -d 1e-6 --once --json -k tags[] -c 2|jq -c '.ARRAY[] as \$x
		dpmap --once $k -c 2|need --user here
		dpcount -e 1 --once --json -m . -v tags[]|but for a single --key; jq
		dpcount -e 1 --once --json -k tags[],u --keys=a/1|but for a single --key; jq
		dpcount -e 1 --once --json -m . -u tags[] -c 2|but for a single --key; jq
		dpcount -e 1 --once --json -k a[].b[] --keys=a|but for a single --key; jq
		dpcount -e 1 --once --json -m . --let=x=tags[]:page|but for a single --key; jq
	END
}
