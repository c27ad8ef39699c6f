#!/usr/bin/env bats
# The seam: a toy tool for each shape of a step and each way of printing goes through everything
# that the house gives a tool.  What a table does not name is refused; what it names works, with a
# state, in buckets, killed.

load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	PATH=$DP_BUILD/tests/toys:$PATH
	pids=()
	printf '1 0 5\n\n3:7\n2:1 1:4\nx\n1 2\n0 9 0\n' >vector
	printf 'a\nb\na\n-a\n\nc\n' >id
	printf '5\n2000\n3000\n7\n4000\n8\n' >halt
	bits 40 >number
	awk 'BEGIN { for (i = 0; i < 60; i++) print i % 7, (i * i) % 5, i % 3 }' >many
	cat >toys <<-'END'
		toynumber	-T 100 -r 0:9	number
		toyvector	-T 100 -r 0:9 --columns=3	many
		toyid	-T 100	id
		toysymbol	-T 100 --keys=a,b,c	id
		toyend	-T 100 -r 0:9 --columns=3	many
		toybefore	-T 100 -r 0:9 --columns=3	many
		toyhalt	-T 100 -r 0:5000	halt
	END
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
	[ "$(cut -f 1 toys | sort)" = "$(cd "$BATS_TEST_DIRNAME/toys" && ls ./*.c |
	    sed 's|./||; s|\.c$||' | sort)" ]
}

@test "number: printed after every N steps, or at the end, stepping all the same" {
	running number | awk 'NR % 3 == 0 { print NR "\t" $0 }' >wanted
	exactly toynumber -n --every=3 number | diff wanted -
	running number | awk '{ last = NR "\t" $0 } END { print last }' >wanted
	exactly toynumber -n --at-end number | diff wanted -
	toynumber -e 1 -T 100 --seed=1 number 2>/dev/null | awk 'NR % 3 == 0' >wanted
	toynumber -e 1 -T 100 --seed=1 --every=3 number 2>/dev/null | diff wanted -
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
	exactly toyvector --columns=3 -r 0:9 vector | diff wanted -
	awk '{ for (i = 1; i <= 3; i++) { s[i] += $i; if (i == 1 || s[i] > s[m]) m = i }
	    print m "\t" s[m] }' many >wanted
	exactly toyvector --columns=3 -r 0:9 many | diff wanted -
	# the same as pairs, and as CSV whose header names more columns, in another order
	awk '{ print "3:" $3, "1:" $1, "2:" $2 }' many >pairs
	exactly toyvector --columns=3 -r 0:9 pairs | diff wanted -
	awk 'BEGIN { print "z,b,text,c,a" } { print 9 "," $2 ",\"x\"," $3 "," $1 }' many >named.csv
	awk '{ print substr("abc", $1, 1) "\t" $2 }' wanted >letters
	exactly toyvector --csv -H --keys=a,b,c -r 0:9 named.csv | diff letters -
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
	exactly toyid -T 9 --deletes id | diff wanted -
	printf 'a\n-a\nb\n-b\n-b\n' >undone
	printf '1\n0\n1\n0\n1\n' >wanted
	exactly toyid -T 9 --deletes undone | diff wanted -
	printf '1\n1\n1\n1\n1\n1\n' >wanted
	exactly toyid -T 9 --keys=a,z id | diff wanted -
}

@test "symbols: one line in, one line out, what is not declared too" {
	printf 'a\nb\na\na\na\nc\n' >wanted
	exactly toysymbol --keys=a,b,c id | diff wanted -
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
	exactly toybefore --columns=3 -r 0:9 many | diff wanted -
	# as many answers as the horizon has steps
	exactly toybefore --columns=3 -r 0:9 -T 60 many | diff <(head -n 60 wanted) -
	talk toybefore -e inf -q --columns=3 -r 0:9
	read -r -t 10 -u 7 answer
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
	local option

	toy_options=$("$toy" --help=all | grep -oE -- '--[a-z-]+' | sort -u)
	for option in --range=0:1 --value=1 --match=x --fixed --ignore-case --invert-match \
	    --time=1 --time-format=iso \
	    --bucket=1d --from=1 --to=2 --live --public-times --gap=1 --key=1 --keys=a \
	    --user=1 --per-user=1 --state=S --init \
	    --out=F --batch=1 --witness=W --state-show --change --bound --nonnegative --monotone \
	    --pan-private --columns=2 --ones=1 --every=2 --at-end; do
		grep -qxF -- "${option%%=*}" <<<"$toy_options" && continue
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
	local i n rc want=0

	rm -rf S ./*.out
	n=$(wc -l <"$input")
	# shellcheck disable=SC2086
	"$toy" -e 5 $args --seed=7 "$input" >whole.out 2>/dev/null || want=$?
	# shellcheck disable=SC2086
	"$toy" -e 5 $args --seed=7 --state=S --init </dev/null >pieces.out 2>/dev/null || return 1
	[ "$toy" != toyend ] || return 0	# its one answer is spent
	for i in $(seq "$n"); do
		rc=0
		sed -n "${i}p" "$input" | "$toy" --state=S >>pieces.out 2>/dev/null || rc=$?
		[ $rc -eq 0 ] || [ $rc -eq $want ] || return 1
	done
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
	    jq -e '.neighbours | test("numbers differ, in the same columns, within")'
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
	toyend --state=S --batch=1 many | diff first -
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
