# SPDX-License-Identifier: ISC
# Keys of several fields, of fields that are not there, and of what nobody declared.
load ../lib/helper

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR"
	# STATUS COUNTRY BYTES; of some lines the country is missing, of others all
	awk 'BEGIN { split("200 404 500 301", s, " "); split("DE FR IT", c, " ")
	    for (i = 0; i < 900; i++) { x = (x * 69069 + 1) % 4294967296; y = int(x / 65536)
	    print s[1 + y % 4], i % 5 ? c[1 + int(y / 4) % 3] " " y % 100 : "" } }' >in
	keys=(-k 1,2 --keys=200,404/DE,FR)
}

# exact ARG ...: of all lines as one step
exact() {
	exact_of dpcount --once -m . "$@"
}

# count: "KEY NUMBER" of each, after what stands for the key
count() {
	awk "{ k = $1"' } { n[k]++ } END { for (k in n) print k, n[k] }' in | sort
}

# columns: CSV to "KEY NUMBER"
columns() {
	awk -F , 'NR == 1 { n = split($0, k); next }
	    { for (i = 1; i <= n; i++) print k[i], $i }' | sort
}

@test "-k A,B: the cross product, in its order; awk's numbers" {
	exact "${keys[@]}" -o csv in >got
	head -n 1 got | diff - <(echo 200/DE,200/FR,404/DE,404/FR)
	columns <got >have
	count '$1 "/" $2' | grep -E '^(200|404)/(DE|FR) ' | diff - have
	# three fields, of a file, by name, of CSV and JSON
	printf '%s\n' 200/DE/7 404/FR/50 >keys.txt
	exact -k 1,2,3 --keys=@keys.txt -o csv in | columns >have
	awk '{ k = $1 "/" $2 "/" $3 } k == "200/DE/7" { a++ } k == "404/FR/50" { b++ }
	    END { print "200/DE/7", a + 0; print "404/FR/50", b + 0 }' in | diff - have
	awk 'NF == 3 { print $1 "," $2 } BEGIN { print "status,country" }' in >in.csv
	exact --csv -H -k status,country --keys=200/DE,FR -o csv in.csv >got
	awk 'NF == 3 { printf "{\"r\":{\"s\":%s},\"c\":\"%s\"}\n", $1, $2 }' in >in.json
	exact --json -k r.s,c --keys=200/DE,FR -o csv in.json | cmp - got
	exact --cut='^(?<s>[0-9]+) (?<c>[A-Z]+)' -k s,c --keys=200/DE,FR -o csv in | cmp - got
	columns <got >have
	count '$1 "/" $2' | grep -E '^200/(DE|FR) ' | diff - have
	# other tools
	exact_of dpmean --once -k 1,2 --keys=200/DE,FR -v 3 -r 0:99 -o csv in | columns >have
	awk '$1 == 200 && $2 ~ /DE|FR/ { k = $1 "/" $2; n[k]++; s[k] += $3 }
	    END { for (k in n) printf "%s %.5f\n", k, s[k] / n[k] }' in | sort | diff - have
	exact_of dpquantile --once -k 1,2 --keys=200/DE,FR -v 3 -r 0:99 --bins=100 -o csv in |
	    columns >have
	awk '$1 == 200 && $2 ~ /DE|FR/ { print $1 "/" $2, $3 }' in | sort -k 1,1 -k 2n |
	    awk '{ n[$1]++; v[$1, n[$1]] = $2 }
	    END { for (k in n) print k, v[k, int((n[k] + 1) / 2)] }' | sort | diff - have
	exact_of dpmaxsum --once --both -m . "${keys[@]}" in >have
	count '$1 "/" $2' | grep -E '^(200|404)/(DE|FR) ' | sort -k 2nr | head -n 1 | tr ' ' '\t' |
	    diff - have
}

@test "--other: what is none of the others, or missing; with it all lines are somewhere" {
	exact "${keys[@]}" --other -o csv in | columns >have
	count '$1 ~ /200|404/ && $2 ~ /DE|FR/ ? $1 "/" $2 : "other"' | diff - have
	exact -k 2 --keys=DE --other=rest -o csv in | columns >have
	count '$2 == "DE" ? "DE" : "rest"' | diff - have
	exact -k 2 --keys=DE --other -o json in | jq -e '.estimate.DE + .estimate.other == 900'
	# it is never malformed
	exact --strict -k 2 --keys=DE --other -o csv in | columns | cmp - <(sed s/rest/other/ have)
	fails 3 dpcount -e 1 --once --strict -m . -k 2 --keys=DE in
	# a text longer than a key can be
	printf '%0300d DE\n200 DE\n' 7 | exact -k 1,2 --keys=200/DE --other |
	    diff - <(printf '1\t1\n')
}

@test "the empty key: of a field that is empty, or missing" {
	exact -k 2 --keys='FR,""' -o csv in >got
	head -n 1 got | diff - <(echo FR,)
	awk '$2 == "FR" { a++ } NF == 1 { b++ } END { print a "," b }' in | diff - <(sed 1d got)
	exact -k 1,2 --keys='200,""/DE,""' -o csv in >got
	head -n 1 got | diff - <(echo 200/DE,200/,/DE,/)
	[ "$(tail -n 1 got)" = "$(awk '$1 == 200 && $2 == "DE" { a++ } $1 == 200 && NF == 1 { b++ }
	    END { print a "," b ",0,0" }' in)" ]
	printf 'a,b\n1,\n1,x\n,x\n' | exact --csv -H -k b --keys='""' | diff - <(echo 1)
	printf '{"b":""}\n{"a":1}\n{"b":"x"}\n' | exact --json -k b --keys='""' | diff - <(echo 2)
	# what is too long is not empty
	printf '200 %0300d\n200\n' 7 | exact -k 1,2 --keys='200/""' | diff - <(echo 1)
	printf '%s\n' FR '""' >keys.txt
	exact -k 2 --keys=@keys.txt in | diff - <(exact -k 2 --keys='FR,""' in)
}

@test "keys in quotes, as in CSV: commas, slashes and quotes; a quote within a key is its own" {
	printf '%s\n' k '"a,b"' c '"a,b"' '"x""y"' '/a"b' '"""GET"' >quoted.csv
	exact --csv -H -k k --keys='"a,b",c' -o csv quoted.csv |
	    diff - <(printf '%s\n' '"a,b",c' 2,1)
	exact --csv -H -k k --keys='c,"x""y",/a"b,"a,b"' quoted.csv |
	    diff - <(printf '1\t1\t1\t2\n')
	# as fields of a log begin: no quote closes before a comma
	exact --csv -H -k k --keys='"GET,"a' quoted.csv | diff - <(printf '1\t0\n')
	exact --csv -H -k k --keys='"GET' quoted.csv | diff - <(echo 1)
	printf '%s\n' a,b '"1,2",x/y' '"1,2",z' 1,x/y >two.csv
	exact --csv -H -k a,b --keys='"1,2",1/"x/y",z' -o csv two.csv |
	    diff - <(printf '%s\n' '"1,2/x/y","1,2/z",1/x/y,1/z' 1,1,1,0)
	fails 2 dpcount -e 1 --once -k 1 --keys='"a","a"' quoted.csv
	[[ $stderr == *"'a' is given twice"* ]]
	fails 2 dpcount -e 1 --once -k 1 --keys="\"$(printf '%0257d' 1)\"" quoted.csv
	[[ $stderr == *'a key must have 1 to'* ]]
	# a state has them all, the one of two quotes and the empty one, too
	set -- -e 1 --seed 4 -T 7 -o json --csv -k 1 --keys='"""""","","a,b",c,"""GET""",@'
	head -n 3 quoted.csv | dpcount "$@" --state=s --init >got 2>/dev/null
	tail -n +4 quoted.csv | dpcount --state=s >>got 2>/dev/null
	dpcount "$@" quoted.csv 2>/dev/null | cmp - got
	dpcount --state=s --state-show | grep -Fx 'keys %22%22,"",a%2cb,c,"GET",@'
}

@test "states: keys are as they were; other ones, fields, or none of other, are refused" {
	awk '{ print int(NR / 226) * 86400, $0 }' in >days
	set -- -e 1 --seed 4 -T 4 -m . -k 2,3 --keys='200,404/DE,""' --other -t 1 \
	    --time-format=epoch --bucket=1d
	dpcount "$@" --from=1970-01-01 --to=1970-01-05 days >whole 2>/dev/null
	dpcount "$@" --state=s --init --from=1970-01-01 --to=1970-01-03 days >got 2>/dev/null
	grep -F 'keys 200/DE,200/,404/DE,404/,other' <(dpcount --state=s --state-show)
	dpcount "$@" --state=s --from=1970-01-03 --to=1970-01-04 days >>got 2>/dev/null
	dpcount --state=s --from=1970-01-04 --to=1970-01-05 days >>got 2>/dev/null
	cmp whole got
	for other in --keys=200/DE --other=rest '-k 2'; do
		fails 5 dpcount $other --state=s --from=1970-01-05 --to=1970-01-06 days
	done
	# the empty key by itself
	head -n 2 in | dpcount -e 1 --seed 4 -T 4 -m . -k 2 --keys='""' --state=t --init >got
	sed -n 3,4p in | dpcount --state=t >>got
	head -n 4 in | dpcount -e 1 --seed 4 -T 4 -m . -k 2 --keys='""' | cmp - got
}

@test "shards: dpmap and --partial agree on them" {
	head -n 300 in >one
	tail -n +301 in >two
	for f in one two; do
		dpmap -q --once -m . -k 1,2 --keys='200,404/DE,""' --other $f >$f.part
	done
	exact_of dpcount --once --partial --keys=200/DE,200/,404/DE,404/ --other one.part two.part |
	    diff - <(exact -k 1,2 --keys='200,404/DE,""' --other in)
}

# rejects TEXT ARG ...: status 2, nothing printed, and that said
rejects() {
	run -2 --separate-stderr dpcount -e 1 -T 9 "${@:2}"
	[[ $output = "" && $stderr = *"$1"* ]] || { echo "$stderr"; false; }
}

@test "refused: lists that do not fit the fields, names twice, no key" {
	rejects '-k names 2 fields, so' -k 1,2 --keys=a,b in
	rejects '-k names 2 fields, so' -k 1,2 --keys=a/b/c in
	rejects 'must have 1 to 255 bytes' -k 1,2 --keys=a,/b in
	rejects 'must have 1 to 255 bytes' -k 1,2 --keys="$(printf '%0200d/%0200d' 1 2)" in
	rejects "'a/b' is given twice" -k 1,2 --keys=a,a/b in
	rejects "'other' is given twice" -k 1 --keys=a,other --other in
	rejects 'has more than 4 fields' -k 1,2,3,4,5 --keys=a in
	rejects '--key and --keys go together' -k 1 --other in
	rejects '--other needs --key' --other in
	rejects 'must be another field than --time and --key' --unit=1 -v 2 -k 1,2 --keys=a/b \
	    -r 0:9 in
}
