#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# The seam: a toy tool for each shape of a step and each way of printing goes through everything
# that the house gives a tool.  What a table does not name is refused; what it names works, with a
# state, in buckets, killed.

load ../lib/helper

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
	PATH=$DP_BUILD/tests/toys:$PATH
	pids=()
	printf '1 0 5\n\n3:7\n2:1 1:4\nx\n1 2\n0 9 0\n' >vector
	printf 'a\nb\na\n-a\n\nc\n' >id
	printf '5\n2000\n3000\n7\n4000\n8\n' >halt
	bits 40 >number
	for ((i = 0; i < 60; i++)); do
		echo $((i % 7)) $((i * i % 5)) $((i % 3))
	done >many
	IFS= read -r -d '' toys <<-'END' || :
		toynumber	-T 100 -r 0:9	number
		toyvector	-T 100 -r 0:9 --columns=3	many
		toyid	-T 100	id
		toysymbol	-T 100 --keys=a,b,c	id
		toyend	-T 100 -r 0:9 --columns=3	many
		toybefore	-T 100 -r 0:9 --columns=3	many
		toyhalt	-T 100 -r 0:5000	halt
		toyratio	-T 100 -r 0:9	number
		toymoments	-T 100 -r 0:9	number
		toylevels	-T 100 -r 0:9	number
		toyname	-T 100 --once	id
	END
	printf %s "$toys" >toys
}

# each COMMAND ...: with $toy, $args and $input for every toy
each() {
	local toy args input

	while IFS=$'\t' read -r toy args input; do
		"$@" || {
			echo "with $toy"
			return 1
		}
	done <toys
}

exactly() {
	"$@" -e inf --seed=1 2>/dev/null
}

@test "every toy there is stands in the table of this file" {
	[ "$(cut -f 1 toys | sort)" = "$(cd "$BATS_TEST_DIRNAME/../toys" && ls ./*.c |
	    sed 's|./||; s|\.c$||' | sort)" ]
}

@test "number: printed after every N steps, or at the end, stepping all the same" {
	running number | awk 'NR % 3 == 0 { print NR "\t" $0 }' >wanted
	exactly toynumber -n --every=3 number >got || :
	diff wanted got
	running number | awk '{ last = NR "\t" $0 } END { print last }' >wanted
	exactly toynumber -n --at-end number >got || :
	diff wanted got
	toynumber -e 1 -T 100 --seed=1 number 2>/dev/null | awk 'NR % 3 == 0' >wanted
	toynumber -e 1 -T 100 --seed=1 --every=3 number 2>/dev/null >got || :
	diff wanted got
	fails 2 toynumber -e 1 --every=3 --at-end number
}

@test "number: own options of four kinds" {
	echo content >list
	fails 2 toynumber -e 1 --list=nowhere number
	[[ $stderr == *"--list: nowhere: No such file"* ]]
	fails 2 toynumber -e 1 --times=0 number
	[[ $stderr == *"--times: '0' must be a decimal or a ratio above 0"* ]]
	fails 2 toynumber -e 1 --shout=1 number
	toynumber -e 1 -T 100 --state=S --init --shout -x 1.50 --word='a b' --list=list \
	    number >/dev/null
	# a number is told by its value, a file by what it holds, a text as it stands
	cp list other
	toynumber --state=S --shout --times=3/2 --list=other --word='a b' number >/dev/null
	toynumber --state=S </dev/null
	fails 5 toynumber --state=S --times=2 number
	fails 5 toynumber --state=S --word=ab number
	echo changed >list
	fails 5 toynumber --state=S --list=list number
	fails 5 toynumber --state=S number
	[[ $stderr == *"the list file is not the one the state file was started with"* ]]
}

@test "a state started without an own option refuses it later" {
	toynumber -e 1 -T 100 --state=S --init number >/dev/null
	fails 5 toynumber --state=S --shout number
	fails 5 toynumber --state=S --times=1 number
	echo x >list
	fails 5 toynumber --state=S --list=list number
}

@test "vector: dense, pairs, malformed lines, against awk" {
	cat >wanted <<-'END'
		3	5
		3	5
		3	12
		3	12
		3	12
		3	12
		3	12
	END
	exactly toyvector --columns=3 -r 0:9 vector >got || :
	diff wanted got
	awk '{ for (i = 1; i <= 3; i++) { s[i] += $i; if (i == 1 || s[i] > s[m]) m = i }
	    print m "\t" s[m] }' many >wanted
	exactly toyvector --columns=3 -r 0:9 many >got || :
	diff wanted got
	# the same as pairs, and as CSV whose header names more columns, in another order
	awk '{ print "3:" $3, "1:" $1, "2:" $2 }' many >pairs
	exactly toyvector --columns=3 -r 0:9 pairs >got || :
	diff wanted got
	awk 'BEGIN { print "z,b,text,c,a" } { print 9 "," $2 ",\"x\"," $3 "," $1 }' many >named.csv
	awk '{ print substr("abc", $1, 1) "\t" $2 }' wanted >letters
	exactly toyvector --csv -H --keys=a,b,c -r 0:9 named.csv >got || :
	diff letters got
	fails 2 toyvector -e 1 --csv -H --keys=a,d named.csv
	[[ $stderr == *"named.csv: the header has no field 'd'"* ]]
	fails 3 toyvector -e 1 --strict --columns=3 vector
	[[ $stderr == *"vector:5: not a decimal number"* ]]
}

@test "vector: a million columns, by index" {
	printf '1000000:3 7:2\n999999:4\n' | exactly toyvector --columns=1M -r 0:9 >out
	[ "$(<out)" = "$(printf '1000000\t3\n999999\t4')" ]
	fails 2 toyvector -e 1 --columns=1000001
	printf '1000001:3\n0:1\n1:1 1:1\n1x:1\n1:\n' | exactly toyvector --columns=1M -r 0:9 >out
	[ "$(cut -f 2 out | sort -u)" = 0 ]
	seq -f 'k%.0f' 100000 >keys
	printf 'k99999\nk1\nk99999\n' | exactly toyvector -k 1 --keys=@keys >out
	[ "$(tail -n 1 out)" = "$(printf 'k99999\t2')" ]
}

@test "vector: what a record can move is what --ones and the neighbours say, never simply D" {
	l1() { toyvector -e 1 -T 9 --explain=json "$@" | jq .sensitivity; }
	[ "$(l1 --columns=100)" = 100 ]
	[ "$(l1 --columns=100 --ones=1)" = 2 ]
	[ "$(l1 --columns=100 --ones=3 -r 0:5)" = 30 ]
	[ "$(l1 --columns=100 --ones=60)" = 100 ]
	[ "$(l1 -k 1 --keys=a,b,c)" = 2 ]
	[ "$(l1 -k 1 --keys=a,b,c -t 2 --time-format=epoch --bucket=1d --public-times)" = 1 ]
	[ "$(l1 --columns=100 --ones=3 -t 1 --time-format=epoch --bucket=1d --public-times)" = 3 ]
	fails 2 toyvector -e 1 --columns=3 --ones=4
	# and it is enforced
	printf '1 1 1\n1 1 0\n' | exactly toyvector --columns=3 --ones=2 >out
	[ "$(<out)" = "$(printf '1\t0\n1\t1')" ]
}

@test "choices: names in every format, no interval, no other name for a number" {
	exactly toyvector -r 0:9 --keys='a,b "c",d' -o json vector | tail -n 1 |
	    jq -e '.estimate == {column: "d", sum: 12}'
	exactly toyvector -r 0:9 --keys='a,b "c",d' -o csv vector | head -n 1 |
	    grep -qx 'column,sum'
	fails 2 toyvector -e 1 --columns=3 -B vector
	[[ $stderr == *"noisy has no interval"* ]]
	exactly toysymbol --keys=a,b,c -o json id | sed -n 2p |
	    jq -e '. == {step: 2, estimate: "b"}'
}

@test "identifiers: seen, undone, hashed or declared" {
	# -a is an identifier, too; its cell may be another's.
	exactly toyid -T 9 id | wc -l | grep -qx 6
	printf '1\n2\n2\n2\n2\n3\n' >wanted
	exactly toyid -T 9 --deletes id >got || :
	diff wanted got
	printf 'a\n-a\nb\n-b\n-b\n' >undone
	printf '1\n0\n1\n0\n1\n' >wanted
	exactly toyid -T 9 --deletes undone >got || :
	diff wanted got
	printf '1\n1\n1\n1\n1\n1\n' >wanted
	exactly toyid -T 9 --keys=a,z id >got || :
	diff wanted got
}

@test "names: told of by what their mechanism says, declared ones always; in pieces, too" {
	printf '%s\n' '0 b' '1 a' '2 a' '60 a' '61 b' '62 c' '120 b' '121 d' '180 e' >named
	set -- -k 2 -t 1 --time-format=epoch --bucket=1m --public-times
	exactly toyname -T 9 "$@" named | tr '\t' , |
	    diff - <(printf '1970-01-01T00:0%s\n' 1:00Z,a,3 2:00Z,a,3 2:00Z,b,3 3:00Z,a,3 3:00Z,b,3)
	exactly toyname -T 9 "$@" --keys=z named | grep -c 'z	0$' | grep -qx 4
	toyname -e 9 -T 9 --seed=3 "$@" named 2>/dev/null >whole
	toyname -e 9 -T 9 --seed=3 "$@" --state=S --init </dev/null 2>/dev/null
	while read -r line; do
		echo "$line" | toyname --state=S 2>/dev/null
	done <named >pieces
	[ -s pieces ]
	head -n "$(wc -l <pieces)" whole | diff - pieces
	grep -aq 'name e' S	# of the open bucket, in clear
}

@test "symbols: one line in, one line out, what is not declared too" {
	printf 'a\nb\na\na\na\nc\n' >wanted
	exactly toysymbol --keys=a,b,c id >got || :
	diff wanted got
	toysymbol -e 1 --keys=a,b,c id | wc -l | grep -qx 6
	fails 2 toysymbol -e 1 id
	[[ $stderr == *"--keys is required: the alphabet"* ]]
}

@test "everything, then one answer; an empty input has one, too" {
	exactly toyend --columns=3 -r 0:9 many >out
	[ "$(<out)" = "$(awk '{ s += $1 + $2 + $3 } END { print s }' many)" ]
	[ "$(exactly toyend --columns=3 </dev/null)" = 0 ]
}

@test "before the line is read: answers come first, and depend on earlier lines alone" {
	awk '{ m = 1; for (i = 2; i <= 3; i++) if (s[i] < s[m]) m = i; print m;
	    for (i = 1; i <= 3; i++) s[i] += $i }
		END { m = 1; for (i = 2; i <= 3; i++) if (s[i] < s[m]) m = i;
		    print m }' many >wanted
	exactly toybefore --columns=3 -r 0:9 many >got || :
	diff wanted got
	# as many answers as the horizon has steps
	exactly toybefore --columns=3 -r 0:9 -T 60 many | diff <(head -n 60 wanted) -
	talk toybefore -e inf -q --columns=3 -r 0:9
	read -r -t 300 -u 7 answer
	[ "$answer" = 1 ]
	ask '9 0 0'
	[ "$answer" = 2 ]
	hangup
}

@test "a last time: the halting value is not printed, status 4, and the state stays ended" {
	run -4 --separate-stderr toyhalt -e inf -r 0:5000 halt
	[ "$output" = "$(printf '5\n2000\n3000\n7')" ]
	[[ $stderr == *"the mechanism has ended: nothing more may be released"* ]]
	run -4 --separate-stderr toyhalt -e 1000 -r 0:5000 --state=S --init halt
	[ "${#lines[@]}" -eq 4 ]
	run -4 --separate-stderr toyhalt --state=S halt
	[ "$output" = "" ]
}

refused() {
	local option toy_options

	toy_options=$("$toy" --help=all | grep -oE -- '--[a-z-]+')$'\n'
	for option in --range=0:1 --value=1 --match=x --fixed --ignore-case --invert-match \
	    --time=1 --time-format=iso \
	    --bucket=1d --from=1 --to=2 --live --public-times --gap=1 --key=1 --keys=a \
	    --user=1 --per-user=1 --state=S --init \
	    --out=F --batch=1 --witness=W --state-show --change --bound --nonnegative --monotone \
	    --pan-private --columns=2 --ones=1 --every=2 --at-end; do
		[[ $'\n'$toy_options != *$'\n'"${option%%=*}"$'\n'* ]] || continue
		run --separate-stderr "$toy" -e 1 "$option" "$input"
		[ "$status" -eq 2 ] &&
		    [[ $stderr == *"${option%%=*}: $toy does not take this option"* ]] || {
			echo "$option: status $status: $stderr"
			return 1
		}
	done
}

@test "what a tool's table does not name is refused, with a reason: every shared option and toy" {
	each refused
	# the test can see an option that is taken
	toynumber --help=all | grep -q -- '--every'
	run ! grep -q -- '--key=' <(toynumber --help=all)
}

in_pieces() {
	local line rc want=0

	rm -rf S ./*.out
	# shellcheck disable=SC2086
	"$toy" -e 5 $args --seed=7 "$input" >whole.out 2>/dev/null || want=$?
	# shellcheck disable=SC2086
	"$toy" -e 5 $args --seed=7 --state=S --init </dev/null >pieces.out 2>/dev/null || return 1
	[ "$toy" != toyend ] || return 0	# its one answer is spent
	[ "$toy" != toyname ] || return 0	# a run is a step; its own test has buckets
	while IFS= read -r line; do
		rc=0
		"$toy" --state=S <<<"$line" >>pieces.out 2>/dev/null || rc=$?
		[ $rc -eq 0 ] || [ $rc -eq $want ] || return 1
	done <"$input"
	diff whole.out pieces.out
}

@test "state: one run in pieces has the bytes of one run, for every toy" {
	each in_pieces
}

@test "state: what the noise was planned for is not changed, even by --change" {
	toyvector -e 1 -T 100 -k 1 --keys=a,b,c,d --state=S --init </dev/null
	# without -k a line would be many numbers, and count for more
	fails 5 toyvector --state=S --change=key many
	[[ $stderr == *"one event counts for another amount"* ]]
	toyvector --state=S --change -k 2 many >/dev/null
	toyvector -e 1 -T 100 --columns=3 --ones=2 --state=S2 --init </dev/null
	fails 5 toyvector --state=S2 --change --ones=3 many
	[[ $stderr == *"--ones differs from the state file's, which it was planned for"* ]]
	fails 5 toyvector --state=S2 --change --columns=4 many
	toyid -e 1 -T 100 --every=2 --state=S3 --init </dev/null
	fails 5 toyid --state=S3 --change --every=1 id
	fails 5 toyid --state=S3 --every=1 id
	[ "$(toyid --state=S3 id | wc -l)" -eq 3 ]
}

@test "users: the allowance holds in lines and in buckets, for vectors and identifiers" {
	for i in 1 2 3 4 5; do
		echo "10,alice,1,1"
	done >users
	{ echo t,u,a,b; cat users; } >users.csv
	exactly toyvector -T 9 --csv -H --keys=a,b -u u -c 2 users.csv | tail -n 1 | grep -qx \
	    "$(printf 'a\t2')"
	exactly toyvector -T 9 --csv -H --keys=a,b -u u -c 2 -t t --time-format=epoch \
	    --bucket=1m --from=0 --to=60 users.csv |
	    cut -f 2,3 | grep -qx "$(printf 'a\t2')"
	awk '{ print "alice", "x" NR, 10 }' users >ids
	exactly toyid -T 9 --keys=x1,x2,x3,x4,x5 -u 1 -c 2 -v 2 ids | tail -n 1 | grep -qx 2
	exactly toyid -T 9 --keys=x1,x2,x3,x4,x5 -u 1 -c 2 -v 2 -t 3 --time-format=epoch \
	    --bucket=1m --from=0 --to=60 ids |
	    cut -f 2 | grep -qx 2
}

@test "--strict: nothing happened is no identifier, in buckets" {
	printf '10,\n11,\n' >in
	exactly toyid -T 5 --strict -F, -t 1 --time-format=epoch -v 2 --bucket=1m --from=0 \
	    --to=60 in | cut -f 2 | grep -qx 0
	printf '10,zz\n' >in
	exactly toyid -T 5 --strict -F, -t 1 --time-format=epoch -v 2 --keys=a,b --bucket=1m \
	    --from=0 --to=60 in |
	    cut -f 2 | grep -qx 0
}

@test "identifiers and vectors: another one in its place moves two" {
	l1() { "$@" -e 1 -T 9 --explain=json | jq .sensitivity; }
	[ "$(l1 toyid)" = 2 ]
	[ "$(l1 toyid -t 1 --time-format=epoch --bucket=1d --public-times)" = 1 ]
	[ "$(l1 toyid --deletes -t 1 --time-format=epoch --bucket=1d --public-times)" = 2 ]
	toyid -e 1 -T 9 --explain=json | jq -e '.neighbours | test("identifier differs")'
	toyvector -e 1 -T 9 --columns=4 --ones=2 --bucket=1m --live --explain=json |
	    jq -e '.neighbours | test("numbers, in the same columns, differ within")'
}

@test "--at-end: a run that takes no step prints nothing; a horizon reached has its answer" {
	seq 9 | toynumber -e 1 -r 0:9 -T 100 --at-end --state=S --init >first
	[ "$(wc -l <first)" -eq 1 ]
	[ "$(toynumber --state=S </dev/null)" = "" ]
	run -4 --separate-stderr toyend -e inf -T 5 -r 0:9 --columns=1 < <(seq 9)
	[ "$output" = 15 ]
	printf '0 a\n100 b\n' >timed
	toyid -e 1000 -T 9 --seed=1 --at-end -v 2 -t 1 --time-format=epoch --bucket=1m \
	    --public-times --state=S2 --init \
	    timed >out 2>/dev/null
	grep -q '^1970-01-01T00:01:00Z' out
	run -4 --separate-stderr toyid --state=S2 timed
	[[ $stderr == *"the answer was given"* ]]
}

@test "state: one answer at the end is one, whatever is read later" {
	toyend -e 1 --columns=3 -r 0:9 --state=S --init --batch=1 many >first
	[ "$(wc -l <first)" -eq 1 ]
	toyend --state=S --batch=1 many >got || :
	diff first got
	run -4 --separate-stderr toyend --state=S --batch=2 many
	[ "$output" = "" ]
}

# killed: what stands in the state file is never released twice with other noise
killed() {
	local i

	rm -rf S ./*.out
	# shellcheck disable=SC2086
	"$toy" -e 5 $args --seed=7 "$input" >whole.out 2>/dev/null || :
	# shellcheck disable=SC2086
	"$toy" -e 5 $args --seed=7 --state=S --init --batch=1 --out=kept.out \
	    --line-buffered </dev/null 2>/dev/null || return 1
	[ "$toy" != toyend ] || return 0
	for i in 1 2 3 4; do
		{
			cat "$input"
			sleep .1
		} | killed_after "0.0$((i * 2))" "$toy" --state=S --batch=2 --out=kept.out \
		    --line-buffered >/dev/null 2>&1 || :
	done
	"$toy" --state=S --batch=2 --out=kept.out "$input" >/dev/null 2>&1 || :
	diff whole.out kept.out
}

@test "state: killed again and again, then run to the end: the bytes of one run, for every toy" {
	each killed
}

@test "buckets: a range in any order, and public times, for numbers, vectors and identifiers" {
	local day=86400

	printf '%s a\n%s b\n%s a\n%s c\n' $((2 * day)) $day $((3 * day)) $day >timed
	cat >wanted <<-END
		1970-01-02T00:00:00Z	2
		1970-01-03T00:00:00Z	3
		1970-01-04T00:00:00Z	3
	END
	exactly toyid -T 9 -v 2 -t 1 --time-format=epoch --bucket=1d --from=$day --to=$((4 * day)) \
	    timed | diff wanted -
	sort -n timed >sorted
	exactly toyid -T 9 -v 2 -t 1 --time-format=epoch --bucket=1d --public-times sorted |
	    diff wanted -
	awk '{ print $2, $1 }' timed >keyed
	exactly toyvector -T 9 -k 1 --keys=c,a,b -t 2 --time-format=epoch --bucket=1d --from=$day \
	    --to=$((4 * day)) keyed >out
	[ "$(cut -f 2,3 out)" = "$(printf 'c\t1\nc\t1\na\t2')" ]
	exactly toynumber -T 9 -t 1 --time-format=epoch --bucket=1d --from=$day \
	    --to=$((4 * day)) timed >out
	[ "$(cut -f 2 out | paste -s -d ' ')" = "2 3 4" ]
	exactly toyend --columns=1 -t 1 --time-format=epoch --bucket=1d --from=$day \
	    --to=$((4 * day)) timed >out
	[ "$(wc -l <out)" -eq 1 ]
}

@test "state: open buckets of identifiers go on in the next run" {
	local day=86400

	printf '%s a\n%s b\n' $day $day >one
	printf '%s a\n%s c\n%s d\n' $day $day $((2 * day)) >two
	toyid -e 20 -T 9 --seed=3 -v 2 -t 1 --time-format=epoch --bucket=1d \
	    --public-times --state=S --init one >out 2>/dev/null
	[ ! -s out ]
	toyid --state=S -v 2 -t 1 --time-format=epoch two >out
	[ "$(wc -l <out)" -eq 1 ]
	cut -f 2 out | awk '{ exit !($1 > -20 && $1 < 30) }'
}

@test "state: an identifier of an earlier run is known again, under its key" {
	printf '%s\n' a b c d >known
	toyid -e 1000000 -T 9 --state=S --init known >out
	tail -n 1 out >wanted
	toyid --state=S known | tail -n 1 | diff wanted -
}

explained() {
	# shellcheck disable=SC2086
	"$toy" -e 1 $args --explain=json >j || return 1
	jq -e --arg toy "$toy" \
	    '.tool == $toy and .epsilon == "1" and (.eligible | length) > 0
		and (.neighbours | length) > 0 and (.estimates | length) > 0
		and .sensitivity > 0 and (.rmse != null or .loss_quantile.max > 0)
		and .bound.all_steps > 0' j >/dev/null || {
		cat j
		return 1
	}
	# shellcheck disable=SC2086
	"$toy" -e 1 $args --explain >t || return 1
	grep -q 'is (1, 0)-differentially private' t && grep -q '^eligible' t
}

@test "--explain says what the task and the mechanism say of themselves, for every toy" {
	each explained
	# no running count's words for something else
	run ! grep -l 'running sum' <(toyvector -e 1 --columns=3 --explain)
	toyvector -e 1 -T 9 --columns=3 --explain | grep -q 'largest loss'
	run ! grep -q 'no mechanism with this' \
	    <(toyvector -e 1 -T 9 --columns=3 --explain)
}

# ratios: lines of STEP NUMBER on a grid of 0.001 to the mean of all so far, in the range LO:HI
ratios() {
	awk -v lo="$1" -v hi="$2" '{ v = $2 < lo ? lo : $2 > hi ? hi : $2; a += v - lo; n += hi - lo
	    printf "%.3f\n", int(1000 * (lo + (hi - lo) * a / n) + 1e-9) / 1000 }'
}

@test "ratio: exact in lines, by patterns, keys and buckets; a value of 0 is an event" {
	awk 'BEGIN { for (i = 0; i < 60; i++) print i, (i * i * 7) % 23 - 5 }' >in
	ratios 0 9 <in >wanted
	exactly toyratio -T 60 -r 0:9 -v 2 in >got || :
	diff wanted got
	# the share of lines that match: those that do not are events as well
	printf 'a\nb\na\na\n' >letters
	exactly toyratio -T 4 -m a letters | diff <(printf '%s\n' 1.000 0.500 0.666 0.750) -
	# a range without 0: what is below it is at its end
	exactly toyratio -T 4 -m a -r 2:9 letters | diff <(printf '%s\n' 2.000 2.000 2.000 2.000) -
	exactly toyratio -T 4 -m a -r -9:-2 letters |
	    diff <(printf '%s\n' -2.000 -2.000 -2.000 -2.000) -
	# an empty line is none
	printf '3\n\n0\n' | exactly toyratio -T 4 -r 0:9 | diff <(printf '%s\n' 3.000 3.000 1.500) -
	printf '10 a 5\n20 b 0\n20 a 0\n30 c 9\n4000 b 9\n' >events
	exactly toyratio -r 0:9 -t 1 --time-format=epoch --bucket=1h --from=0 --to=7200 -v 3 -k 2 \
	    --keys=a,b events | cut -f 2- | diff <(printf '2.500\t0.000\n2.500\t4.500\n') -
	toyratio -e inf -T 9 -r 0:9 -t 1 --time-format=epoch --bucket=1h --public-times -v 3 -P \
	    events 2>/dev/null | cut -f 2- | diff <(printf '3.500\n4.600\n') -
	# a plain string in whole lines, in buckets that exist: no line may be passed over
	days=(-t 1 --time-format=epoch --bucket=1h --from=0 --to=7200)
	exactly toyratio "${days[@]}" -m a --fixed events | cut -f 2- |
	    diff <(printf '0.500\n0.400\n') -
	exactly toyratio "${days[@]}" -m a --fixed --invert-match events | cut -f 2- |
	    diff <(printf '0.500\n0.600\n') -
}

@test "ratio: what an event adds to all numbers together is what is protected" {
	l1() { toyratio -e 1 -T 9 --explain=json "$@" | jq .sensitivity; }
	times=(-t 1 --time-format=epoch --bucket=1d --public-times)
	[ "$(l1 -r 2:9)" = 14 ]
	[ "$(l1 -r 2:9 "${times[@]}" -v 2)" = 7 ]
	[ "$(l1 -r 2:9 "${times[@]}" -v 2 -k 3 --keys=a,b,c)" = 7 ]
	[ "$(l1 -r 2:9 "${times[@]}" -v 2 -u 3 -c 4)" = 28 ]
	toyratio -e 1 -T 9 "${times[@]}" -r 0:1 -v 2 --explain |
	    grep -F 'one event more than the other (an event with another value is two), while the'
	toyratio -e 1 -T 9 -r 0:1 -t 1 --time-format=epoch --bucket=1d --from=0 --to=99999 \
	    --explain |
	    grep -F 'one event more than the other (an event with another value is two)'
	# noise of both: it is no count of anything else
	toyratio -e 1 -T 9 -r 0:9 --explain |
	    grep -E '^of +the number that a line is, clamped to 0:9'
	toyratio -e 1 -T 100 -r 0:9 --explain=json | jq -e '.noise.scale == 2 * 9 * 8'
}

@test "ratio: --check shows the number that was read, and the user's allowance holds" {
	printf '10 a 5\n20 a 0\n30 b 12\n40 a 7\n' >events
	times=(-t 1 --time-format=epoch --bucket=1h --from=0 --to=3600 -r 0:9 -v 3)
	toyratio --check "${times[@]}" events 2>/dev/null >said
	grep -q 'value=5' said
	grep -q 'value=0' said
	grep -q 'value=9 (clamped' said
	# two events of a user: 5 and 0 of a, 9 of b
	exactly toyratio "${times[@]}" -u 2 -c 2 events | cut -f 2 | diff <(echo 4.666) -
}

# moments, levels LO HI: lines of VALUE to what the toys print of all so far
moments() {
	awk -v lo="$1" -v hi="$2" '{ v = $1 < lo ? lo : $1 > hi ? hi : $1; n++; s += v - lo
	    q += (v - lo) ^ 2; m = s / n
	    printf "%d.000\t%.3f\t%.3f\n", n, lo + m, q / n - m * m }'
}

levels() {
	awk -v lo="$1" -v hi="$2" '{ v = $1 < lo ? lo : $1 > hi ? hi : $1
	    n[int((v - lo) * 16 / (hi - lo + 1)) + 1]++
	    for (i = 1; i <= 16; i++) printf "%d.00%s", n[i], i < 16 ? "\t" : "\n" }'
}

@test "parts: exact in lines, by keys, in buckets of both kinds, and with memory that is private" {
	awk 'BEGIN { for (i = 0; i < 60; i++) print (i * i * 7) % 23 - 5 }' >in
	exactly toymoments -T 60 -r -2:15 in | diff <(moments -2 15 <in) -
	exactly toylevels -T 60 -r -2:15 in | diff <(levels -2 15 <in) -
	# lines without a match are within a range that has no 0, too
	printf 'a\nb\na\n' | exactly toymoments -T 3 -m a -r 2:9 |
	    diff <(for n in 1 2 3; do printf '%d.000\t2.000\t0.000\n' $n; done) -
	awk '{ print 60 * NR, NR % 3 ? "a" : "b", $1 }' in >events
	times=(-t 1 --time-format=epoch --bucket=1h --from=0 --to=7200 -r -2:15 -v 3)
	for toy in moments levels; do
		exactly toy$toy "${times[@]}" events | tail -n 1 | cut -f 2- |
		    diff <($toy -2 15 <in | tail -n 1) -
		for k in a b; do
			awk -v k=$k '$2 == k { print $3 }' events | $toy -2 15 | tail -n 1
		done | paste -s >wanted
		exactly toy$toy "${times[@]}" -k 2 --keys=a,b events | tail -n 1 | cut -f 2- |
		    diff wanted -
		toy$toy -e inf -T 9 --public-times -P -k 2 --keys=a,b "${times[@]:0:4}" \
		    "${times[@]: -4}" events 2>/dev/null | tail -n 1 | cut -f 2- | diff wanted -
		# the order in a bucket is of no matter, and half of a user's events is
		exactly toy$toy "${times[@]}" -u 2 -c 1 events | tail -n 1 | cut -f 2- |
		    diff <(sed -n '1p;3p' in | $toy -2 15 | tail -n 1) -
	done
}

# scales TOOL ...: of its noise, part by part
scales() {
	"$@" -e 1 -T 20 --explain | sed -n 's/^noise.*scale \([0-9.]*\),.*/\1/p' | paste -s -d ' '
}

@test "parts: each has noise of its own share of the budget and for its own reach" {
	# a pan-private tree of 20 steps has 6 levels
	[ "$(scales toymoments -r 0:20)" = "$((6 * 3)) $((6 * 3 * 20)) $((6 * 3 * 400))" ]
	# a line in another bin moves two of each level
	[ "$(scales toylevels -r 0:20)" = "$((6 * 2 * 5 / 3)) $((6 * 2 * 5 / 2))" ]
	days=(-t 1 --time-format=epoch --bucket=1d --public-times -v 2)
	[ "$(scales toylevels -r 0:20 "${days[@]}")" = "$((6 * 5 / 3)) $((6 * 5 / 2))" ]
	[ "$(scales toylevels -r 0:20 "${days[@]}" -u 3 -c 4)" = "40 60" ]
	[ "$(scales toymoments -r 0:20 "${days[@]}" -k 3 --keys=a,b)" = "18 360 7200" ]
	# a line may leave one key for another
	[ "$(scales toymoments -r 0:20 -v 2 -k 1 --keys=a,b)" = "36 720 14400" ]
	l1() { "$@" -e 1 -T 9 --explain=json | jq .sensitivity; }
	[ "$(l1 toymoments -r 0:20 "${days[@]}")" = 421 ]
	[ "$(l1 toylevels -r 0:20)" = 4 ]
	fails 2 toymoments -e 1 -T 9 -r 0:99999999
	[[ $stderr == *"wider than 2^24 grid units"* ]]
}

@test "parts: a range of one value ends, and has noise" {
	for toy in ratio moments levels; do
		echo 5 | timeout 60 toy$toy -e 1 -T 3 -r 5:5 >out
		[ "$(wc -l <out)" = 1 ]
	done
	[ "$(scales toymoments -r 5:5)" = 18 ]		# all three
}

@test "parts: intervals hold the truth; a pair of opposite ends, five bounds, one law" {
	awk 'BEGIN { for (i = 0; i < 400; i++) print (i * i * 7) % 23 }' >in
	args=(-e 2 -T 400 -r 0:22 -B.9 in)
	moments 0 22 <in | tail -n 1 >moments
	levels 0 22 <in | tail -n 1 >levels
	awk '{ s += $1 } END { printf "%.3f\n", s / NR }' in >ratio
	# n = 100 seeds; the statistic is misses of the first output: 10 or fewer on average; more
	# than 27 have a probability below 10^-6.  Half the width would have 40 of the count.
	for toy in moments ratio levels; do
		for ((seed = 1; seed <= 100; seed++)); do
			toy$toy "${args[@]}" --seed=$seed 2>/dev/null
		done | awk -v toy=$toy 'BEGIN { getline truth <toy; n = split(truth, t, "\t") }
		    NR % 400 { next }
		    { for (i = 1; i <= n; i++) {
			est = $(3 * i - 2)
			bad += $(3 * i - 1) > est || $(3 * i) < est
			wide += $(3 * i) - $(3 * i - 1)
			if (i == 1) miss += $2 > t[1] || $3 < t[1] } }
		    END { print miss + 0, wide / 100 / n
			exit bad || miss > 27 || NR != 400 * 100 }' >said || {
			echo "$toy: $(<said)"
			return 1
		}
	done
	# narrower than all that is possible: the mean of 400 values in a range of 22
	read -r wide < <(for ((seed = 1; seed <= 20; seed++)); do
		toyratio -e 9 -T 400 -r 0:22 -B.9 in --seed=$seed 2>/dev/null
	    done | awk 'NR % 400 == 0 { s += $3 - $2 } END { print s * 400 / NR }')
	awk -v w="$wide" 'BEGIN { exit !(w > 0 && w < 11) }'
	exactly toyratio -T 400 -r 0:22 -B in | awk '$1 != $2 || $3 > $2 + .0015 { exit 1 }'
	toyratio -e 1 -T 9 -r 0:22 -B -o json in --seed=1 2>/dev/null | sed -n 9p |
	    jq -e '.lo <= .estimate and .estimate <= .hi'
}

# spread WIDTH COLUMN MINUS TOOL ...: the variance over n = 600 keys of a column's estimates, or of
# the difference of two, after one step; a key has so many columns
spread() {
	local keys

	printf -v keys '%s,' {1..600}
	echo 0 5 7 >in
	"${@:4}" -e 1 -T 1 --seed=1 -v 2 -k 3 --keys="${keys%,}" -t 1 --time-format=epoch \
	    --bucket=1d --public-times in 2>/dev/null |
	    awk -F '\t' -v w="$1" -v a="$2" -v b="$3" 'NR == 1 {
		for (n = 0; n < 600; n++) {
			x = $(1 + w * n + a) - (b ? $(1 + w * n + b) : 0); s += x; q += x * x }
		print (q - s * s / n) / n } END { exit NR != 1 }'
}

# near: the variance of noise is that of pan's at an epsilon, times so much.  Sums of Laplace noise
# have a kurtosis of 6 at most: off by a fraction of sqrt(5 / 600) = .09 on average, by more than
# .45 with a probability of 10^-6.  Half the noise would have a fourth.
near() {
	awk -v v="$1" -v k="$3" -v rms="$(dpcount -M pan -e "$2" -T 1 --explain=json |
	    jq .rmse.max)" 'BEGIN { r = v / (k * rms * rms); print r; exit !(r > .55 && r < 1.45) }'
}

@test "parts: what is drawn has the variance that was planned; no two numbers share a draw" {
	near "$(spread 3 1 0 toymoments -r 0:15)" 1/3 1
	# an event moves a bin of a level, and three fifths of epsilon are the fine one's
	near "$(spread 16 1 2 toylevels -r 0:15)" 3/5 2
	# of two wide bins: 2 (3/4 + 1/16 (3/2)^2), as the wide level has two fifths
	near "$(spread 16 1 5 toylevels -r 0:15)" 3/5 1.78
}

@test "parts: one charge for all of them, and a state that goes on is none" {
	bits 40 >in
	dpbudget --init --total=9 L
	for toy in ratio moments levels; do
		toy$toy -e 1 -T 100 -r 0:9 --state=$toy --init --budget=L <(head -n 20 in) >a
		toy$toy --state=$toy --budget=L <(tail -n 20 in) >b
		[ "$(cat a b | wc -l)" = 40 ]
		# another range would be another reach
		fails 5 toy$toy --state=$toy -r 0:8 --budget=L in
	done
	[ "$(sqlite3 L "select printf('%d %g', count(*), total(epsilon)) from charge")" = '3 3' ]
	toylevels --check -T 9 -r 0:9 <(head -n 2 in) 2>/dev/null | grep -c 'value=' | grep -qx 2
}
