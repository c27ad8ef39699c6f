# SPDX-License-Identifier: ISC
# What is seldom: refusals, formats, shapes and ends of input that the tools' own files do not
# come to.
load ../lib/helper

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
	PATH=$DP_BUILD/tests/toys:$PATH
	pids=()
	awk 'BEGIN { for (i = 1; i <= 30; i++)
	    printf "%d;k%d;%d\n", 1700000000 + 900 * i, i % 3, i % 2 }' >in
	awk -F ';' '{ print $3 }' in >ones
	printf '1\n.5\n' >weights
	printf 'a\nb\n' >names
}

# usage REASON COMMAND ...: status 2, and the reason
usage() {
	local reason=$1

	shift
	fails 2 "$@"
	[[ $stderr == *"$reason"* ]] || {
		echo "not '$reason': $*"
		echo "$stderr"
		return 1
	}
}

@test "options that need another" {
	usage '--state-show needs --state' dpcount -e 1 --state-show ones
	usage "(12k is 12000; M, G, T)" dpcount -e 1 -T 10kk ones
	usage 'and inf is without any' dpcount -e 1e400 ones
	usage 'no longer than a duration may be' dpdecay -e 1 --half-life=1000000000000d ones
	for a in --init --change --out=o --batch=1 --witness=w; do
		usage "${a%%=*} needs --state" dpcount -e 1 $a ones
	done
	usage '--init, --state-move and --state-show do not go together' \
	    dpcount -e 1 --state=s --init \
	    --state-show ones
	usage '--batch: refused with --live' dpcount -e 1 --state=s --init --batch=1 --bucket=1h \
	    --live ones
	usage 'refused with --bucket and --batch' dpcount -e 1 -P -T 9 --state=s --init \
	    --batch=1 -t 1 --time-format=epoch --bucket=1h --public-times ones
	usage 'refused with --live=LATENESS' dpcount -e 1 -P --bucket=1h --live=1h ones
	usage '--bucket needs --time' dpcount -e 1 --bucket=1h --public-times ones
	usage '--gap needs --public-times' dpcount -e 1 --gap=4 ones
	usage '--from and --to go together' dpcount -e 1 -t 1 --time-format=epoch --bucket=1h \
	    --from=1 ones
	usage '--from and --to go together' dpcount -e 1 -t 1 --time-format=epoch --bucket=1h \
	    --to=1 ones
	usage '--from must be before --to' dpcount -e 1 -t 1 --time-format=epoch --bucket=1h \
	    --from=2 --to=1 ones
	usage 'need --match' dpcount -e 1 --fixed ones
	usage 'need --match' dpcount -e 1 -i ones
	usage 'need --match' dpcount -e 1 --invert-match ones
	usage '--user and --per-user go together' dpcount -e 1 -u 1 ones
	usage '--user and --per-user go together' dpcount -e 1 -c 1 ones
	[ ! -e s ]
}

@test "vectors and identifiers: options that do not go together" {
	usage '--key and --keys go together' toyvector -e 1 -T 9 -k 1 --columns=3 in
	usage '-k FIELD --keys=A,B,C is required' toyvector -e 1 -T 9 in
	usage 'either says how many columns' toyvector -e 1 -T 9 --columns=3 --keys=a,b in
	usage '--ones: with --key' toyvector -e 1 -T 9 -k 1 --keys=a,b --ones=1 in
	usage 'there are only 3 columns' toyvector -e 1 -T 9 --columns=3 --ones=4 in
	usage '--live=LATENESS: refused here' toyid -e 1 -T 9 --bucket=1h --live=1h in
	usage 'has too many digits' toynumber -e 1 -T 9 --times=1e-99 ones
	usage 'must be a decimal or a ratio above 0' toynumber -e 1 -T 9 --times=x ones
}

@test "values of options that are none" {
	usage '--delta' dpcount -e 1 -d 1e-30 ones
	usage '--delta' dpcount -e 1 -d x ones
	usage '--value' dpcount -e 1 -v '' ones
	for r in 0 : 0: :1 x:1 0:x 0:1:2 1:0 0:1.0000000001 0.0000000001:1 -9999999999999999:1 \
	    0:9999999999999999; do
		usage '--range' dpcount -e 1 -r $r ones
	done
	for f in '' ab '"'; do
		usage '--delimiter' dpcount -e 1 -F "$f" ones
	done
	usage '--delimiter' dpcount -e 1 -F $'\n' ones
	usage '--delimiter' dpcount -e 1 -F $'\r' ones
	for b in '' - 'a b' "$(printf 'x%.0s' {1..65})" $'\001' $'\xff'; do
		usage '--batch' dpcount -e 1 --state=s --init --batch="$b" ones
	done
	usage '--keys' dpcount -e 1 -k 1 --keys=a,,b ones
	usage '--keys' dpcount -e 1 -k 1 --keys="$(printf 'x%.0s' {1..256})" ones
	usage '--range and --per-user: the sensitivity' dpcount -e 1 -r 0:999999999999999 -u 1 \
	    -c 1000000 ones
	mkdir d
	usage '--keys: d: Is a directory' dpcount -e 1 -k 1 --keys=@d ones
}

@test "vectors: blanks, quotes, limits, headers" {
	local got

	# what the largest column is, and its sum
	vector() {
		toyvector -e inf -q --columns=3 -r -2:9 "$@" 2>/dev/null | paste -s -d ' ' | tr \
		    '\t' '='
	}
	[ "$(printf ' 1 ,\t2\t, 0\n0,0,99\n-9,0,0\n' | vector -F ,)" = '2=2 3=9 3=9' ]
	[ "$(printf '"1","2",0\n"4",0,0\n' | vector --csv)" = '2=2 1=5' ]
	[ "$(printf '1,"2\n0,0,3\n' | vector --csv)" = '1=0 3=3' ]
	[ "$(printf '1\t2\t0\n' | vector --tsv)" = '2=2' ]
	[ "$(printf '\t 1  2\t0 \n \t \n' | vector)" = '2=2 2=2' ]
	# malformed as a whole
	for l in '1 2' '1 2 3 4' '1:1 2' '1 2:2' '/:1' 'a:1' ':1' '0:1' '4:1' '99999:1' '1:x' \
	    '1:1 1:2' '1 2 x'; do
		got=$(echo "$l" | vector)
		[ "$got" = 1=0 ] || { echo "$l: $got"; false; }
	done
	printf 'a,b,c\n1,2,0\n' >h.csv
	[ "$(vector --csv -H h.csv)" = 'b=2' ]
	[ "$(toyvector -e inf -q --csv -H --keys=b,a -r 0:9 h.csv 2>/dev/null)" = 'b	2' ]
	printf 'a,b,c\n1,2,0,5\n1,2\n' >h.csv
	[ "$(toyvector -e inf -q --csv -H --keys=b,a -r 0:9 h.csv 2>/dev/null |
	    paste -s -d ' ')" = 'b	2 b	2' ]
	[ "$(toyvector -e inf -q -F ';' -k 2 --keys=k1,k2 in 2>/dev/null | tail -n 1)" = \
	    'k1	10' ]
}

@test "formats: bounds of several columns, negative numbers, decimals" {
	printf -- '-1.5\n-2\n' >x
	dpwindow -e 1 -T 9 -w 1,2 -B -r -2:0 --seed=1 -o json x 2>/dev/null |
	    jq -e '.lo["1"] < .estimate["1"] and .estimate["2"] < .hi["2"] and .lo["1"] < 0' \
	        >/dev/null
	dpcount -e 1 -T 9 -k 1 --keys=-2,x -B -o json --seed=1 x 2>/dev/null | jq -e \
	    '.hi["-2"] - .lo["-2"] > 0' >/dev/null
	[ "$(dpcount -e inf -q -r -2.0:0.0 x 2>/dev/null | paste -s -d ' ')" = '-1.5 -3.5' ]
	[ "$(dpcount -e inf -q -r -2.0:0.0 --nonnegative -o csv x 2>/dev/null |
	    paste -s -d ' ')" = 'estimate 0.0 0.0' ]
	[ "$(dpcount -e inf -q -n -r -2.0:0.0 --nonnegative -B -o tsv x 2>/dev/null |
	    tail -n 1)" = '2	0.0	0.0	0.0' ]
	dpcount -e 1 -T 9 -r 0:9 --monotone -B -o json --seed=1 x 2>/dev/null | jq -e \
	    '.hi >= .estimate' >/dev/null
	dpcount -e 1 -F ';' -t 1 --time-format=epoch --bucket=1h --from=1700000000 \
	    --to=1700020000 -o json -B in |
	    jq -e '.time != null' >/dev/null
	[ "$(dpcount -e 1 -F ';' -t 1 --time-format=epoch --bucket=1h --from=1700000000 \
	    --to=1700020000 -o csv -B -n in |
	    head -n 1)" = step,time,estimate,lo,hi ]
}

@test "--explain: text for each way to be run" {
	# words, then the command
	while IFS='|' read -r word args; do
		# shellcheck disable=SC2086
		$args --explain >text
		grep -q -- "$word" text || {
			echo "no '$word': $args"
			cat text
			return 1
		}
	done <<-'END'
		NOT PRIVATE|dpcount -e inf -T 9
		NOT PRIVATE|dpcount -e 1 -T 9 --seed=1
		does not match|dpcount -e 1 -T 9 -m x --invert-match
		wall clock|dpcount -e 1 --bucket=1h --live -m x
		empty buckets|dpcount -e 1 --bucket=1h -t 1 --time-format=epoch --public-times -m x
		it is cut there|dpcount -e 9 --bucket=1h --live --expire=9 -r -99999999:99999999
		intrusion|dpcount -e 1 -T 9 -P
		well-formed CSV|dpcount -e 1 -T 9 --csv
		malformed line is outside|dpcount -e 1 -T 9 --strict
		shows\? it exactly|dpcount -e 1 -T 99 --expire=9
		by and by|dpcount -e 1 -T 99 --expire=gradual:1
		horizon is unknown|dpcount -e 1 --expire=gradual:.5
		user|dpcount -e 1 -T 99 -u 1 -c 3
		each column|dpcount -e 1 -T 99 -k 1 --keys=a,b
		each column|dpwindow -e 1 -T 99 -w 2,3
		decay|dpdecay -e 1 -T 99 --weights=weights
		declared universe|dpdistinct -e 1 -T 9 --universe=@names
		keyed hash|dpdistinct -e 1 -T 9
		declared alphabet|dplocal -e 1 -T 9 --domain=a,b
		1, 0)-differentially|dpcount -e 1 -T 9 -r -5:0
	END
	dpcount -e inf -T 9 --explain=json | jq -e '.noise.distribution == "none"' >/dev/null
	dpcount -e inf --expire=gradual:1 --explain=json | jq -e '.loss == []' >/dev/null
	dpcount -e 1 -d 1e-6 -T 99 -M blt --explain=json | jq -e \
	    '.noise.distribution == "discrete Gaussian"' >/dev/null
	dpcount -e 1 -d 1e-6 --bucket=1h --explain >/dev/null
}

@test "why no mechanism will do" {
	usage 'needs a delta' dpcount -e 1 -T 9 -M blt
	usage 'needs a horizon' dpcount -e 1 -M tree
	usage 'is not pan-private' dpcount -e 1 -T 9 -P -M tree
	usage 'needs step values of 0 or 1' dpcount -e 1 -T 9 -r 0:2 -M response
	usage 'one window only' dpwindow -e 1 -w 2,3 -M windowsum-paper
	usage 'needs a horizon' dpcount -e 1 -P -t 1 --time-format=epoch --bucket=1h \
	    --public-times -m x
	usage 'lines, not buckets' dpwindow -e 1 -w 3 -P -t 1 --time-format=epoch --bucket=1h \
	    --public-times -m x
	usage 'the noise does not fit' dpcount -e 0.000000000001 -T 9 -r 0:999999999999
}

@test "input that ends in the middle: directories, errors, headers, long lines" {
	local a

	mkdir d
	for a in '' --csv '-P -T 99' '-F ; -v 3 -r 0:1' \
	    '-F ; -t 1 --time-format=epoch --bucket=1h --from=1 --to=7200 -m x'; do
		# shellcheck disable=SC2086
		fails 3 dpcount -e 1 $a d
		[[ $stderr == *'d: Is a directory'* ]]
		# with -P its memory is root's
		[[ $a != -P* || $(id -u) = 0 ]] || continue
		# shellcheck disable=SC2086
		fails 1 dpcount -e 1 $a /proc/self/mem
		[[ $stderr == *'/proc/self/mem: '* ]]
	done
	# what came before the error is printed; if it cannot be, that is the error
	run -1 --separate-stderr dpcount -e 1 ones /proc/self/mem
	[ "${#lines[@]}" -eq 30 ]
	fails 1 sh -c 'dpcount -e 1 ones /proc/self/mem >/dev/full'
	[[ $stderr == *'standard output: '* ]]
	fails 1 sh -c 'dpcount -e 1 --strict ones in >/dev/full'
	# a header and nothing more, or not even that
	for a in '' '--csv -m .' '--csv -v x'; do
		: >none
		echo x >head
		# shellcheck disable=SC2086
		[ -z "$(dpcount -e 1 -H $a none head)" ]
	done
	yes x | head -c 3000000 | tr -d '\n' >long
	{ cat long; echo; cat in; } >in2
	set -- -F ';' -t 1 --time-format=epoch --bucket=1h --from=1700000000 --to=1700020000 -m k1
	for a in '' '--fixed --strict'; do
		# shellcheck disable=SC2086
		dpcount -e 1000000 "$@" $a in >want
		# shellcheck disable=SC2086
		dpcount -e 1000000 "$@" ${a% --strict} in2 | diff want -
	done
	printf '1700000900;k1\nx;k1\n' >bad
	fails 3 dpcount -e 1 -F ';' -t 1 --time-format=epoch --bucket=1h --from=1700000000 \
	    --to=1700020000 -m k1 --strict bad
	[[ $stderr == *bad:* ]]
	# the horizon in rows and in spans
	yes 1 | head -n 25000 >many
	for a in '' --csv '--csv -v 1 -r 0:1' -n; do
		# shellcheck disable=SC2086
		run -4 --separate-stderr dpcount -e 1 -T 700 $a many
		[ "${#lines[@]}" -eq 700 ]
		# shellcheck disable=SC2086
		fails 1 sh -c "dpcount -e 1 $a many >/dev/full"
	done
}

@test "stopped by a signal before the header, and between files" {
	talk dpcount -e 1 -H -v x -r 0:1 --state=s --init --bucket=1h --live
	until_true test -e s
	until_true blocked "$pid"
	kill -TERM "$pid"
	hangup 143
	talk dpcount -e 1 -T 99 --state=s2 --init - ones
	ask 1
	kill -TERM "$pid"
	hangup 143
	# "ones" was not read
	dpcount --state=s2 --state-show | grep -x 'step 1'
}

@test "--state-show without --state, and of what is no state" {
	usage 'need' dpcount --state-show
	fails 5 dpcount --state=nowhere --state-show
	echo x >s
	chmod 600 s
	fails 5 dpcount --state=s --state-show
}
