# SPDX-License-Identifier: ISC
# --receipt: what a run released and under which guarantee, signed; dpaudit --receipt finds every
# other byte.  Keys with rights that a secret must not have, and damaged ones, are refused.
load ../lib/helper

key() {
	dpaudit --new-key=key >/dev/null
	printf '1\n0\n1\n' >in
}

# good ARG ...: the receipt holds
good() {
	run -0 dpaudit --receipt=R --signer=key.pub "$@"
	[[ $output = *'signature	good'* && $output != *refuted* ]]
}

# said NAME: the receipt's line
said() {
	sed -n "s/^$1 //p" R
}

@test "a run's receipt: its guarantee, its plan, and the bytes that were printed" {
	key
	dpcount -e 1/3 -T 9 -k 1 --keys=0,1 --receipt=R --sign=key in >out
	[ "$(wc -l <out)" -eq 3 ]
	good --released=out
	[ "$(said epsilon)" = 1/3 ]
	[ "$(said horizon)" = 9 ]
	[ "$(said keys)" = 0,1 ]
	[ "$(said tool) $(said delta) $(said user)" = 'dpcount 0/1 -' ]
	[ "$(dpcount --version)" = "dpcount (dputils) $(said version)" ]
	[ "$(said released)" = "$(b2sum -l 256 <out | cut -d ' ' -f 1) $(wc -c <out)" ]
	dpcount -e 1/3 -T 9 -k 1 --keys=0,1 --explain=plan >plan
	[ "$(said plan)" = "$(b2sum -l 256 <plan | cut -d ' ' -f 1)" ]
	good --released=out --check-plan=plan
	dpaudit --plan=full -- dpcount -e 1/3 -T 9 -k 1 --keys=0,1 >plan
	good --check-plan=plan
	# a signature by another program: of all that stands before its line
	[ "$(tail -n 1 R | wc -c)" -eq 139 ]
	[ ! -e R.tmp ]
}

@test "nothing of the clock or of the data is in it, but what was released" {
	key
	printf '0\n0\n0\n' >other
	dpcount -e 1 -T 9 --receipt=R --sign=key in >out
	grep -vE '^(released|signature) ' R >first
	rm R
	dpcount -e 1 -T 9 --receipt=R --sign=key other >out
	grep -vE '^(released|signature) ' R | cmp - first
	# the same bytes released: the same receipt
	dpcount -e 1 -T 3 --state=S --batch=a --init --receipt=R1 --sign=key in >out1
	dpcount --state=S --batch=a --receipt=R2 --sign=key in >out2
	cmp out1 out2
	cmp R1 R2
}

@test "every tool that prints estimates signs what it printed" {
	key
	printf 'a 1 0\nb 0 1\n' >in
	printf 'a,b\n1,0\n' >queries
	for c in 'dpcount -T 9 -m a' 'dpwindow -T 9 -w 2 -m a' 'dpdecay -T 9 --half-life=2 -m a' \
	    'dpmean -T 9 -v 2 -r 0:1' 'dpquantile -T 9 -v 2 -r 0:9 --quantile=.5' \
	    'dptop -k 1 -d 1e-6 --once' 'dpmaxsum -T 9 -k 1 --keys=a,b' 'dpdistinct -v 1 -T 9' \
	    'dplocal -v 1 --domain=a,b' 'dpproject -v 1 --queries=queries'; do
		rm -f R
		# shellcheck disable=SC2086
		$c -e 1 --receipt=R --sign=key in >out
		echo "$c"
		good --released=out
		[ "$(said tool)" = "${c%% *}" ]
	done
	printf '.2 .9\n.3 .1\n' >costs
	rm R
	dpexperts -e 1 -T 9 --columns=2 --receipt=R --sign=key costs >out
	good --released=out
	printf '5\n5\n' >costs
	rm R
	dptransform -e 1 -T 9 --sensitivity=1 --changes=4 --receipt=R --sign=key costs >out
	good --released=out
}

@test "a state: each run's receipt is of what this run released, owed lines too" {
	key
	dpcount -e 1 -T 9 --state=S --init --receipt=R --sign=key in >out
	good --released=out
	mv R R0
	dpcount --state=S --receipt=R --sign=key in >more
	good --released=more
	run -6 dpaudit --receipt=R --released=out
	# appended to a file: its last lines
	dpcount -e 1 -T 9 --state=O --out=all --init --receipt=R1 --sign=key in
	dpcount --state=O --out=all --receipt=R2 --sign=key in
	run -0 dpaudit --receipt=R1 --released=<(head -n 3 all)
	run -0 dpaudit --receipt=R2 --released=<(tail -n 3 all)
	# what a full disk kept from getting out, the next run owes
	run -1 bash -c 'dpcount -e 1 -T 9 --state=F --init --receipt=R3 --sign=key in >/dev/full'
	[ ! -e R3 ]
	dpcount --state=F --receipt=R3 --sign=key /dev/null >owed
	[ "$(wc -l <owed)" -eq 3 ]
	run -0 dpaudit --receipt=R3 --released=owed
}

@test "a ledger's entry is in it" {
	key
	dpbudget --init --total=2 L >/dev/null
	dpcount -e 1 -T 9 --budget=L:x --receipt=R --sign=key in >out
	good --released=out
	[[ "$(said budget)" =~ ^[0-9a-f]+\ [0-9]+$ ]]
	# refused by the ledger: nothing was released, and nothing is left
	fails 4 dpcount -e 1.5 -T 9 --budget=L:x --receipt=R2 --sign=key in
	[ ! -e R2 ]
	[ ! -e R2.tmp ]
}

@test "each byte of a receipt counts: none can be changed, taken away or added" {
	key
	dpcount -e 1 -T 3 --receipt=R --sign=key in >out
	local n size

	size=$(wc -c <R)
	for ((n = 18; n < size; n += 13)); do
		{ head -c $n R; printf '~'; tail -c +$((n + 2)) R; } >bad
		run -6 dpaudit --receipt=bad
		[[ $output = 'signature	refuted: damaged, or not the signer'* ]]
	done
	for n in 30 100 $((size - 1)); do
		head -c $n R >bad
		run -6 dpaudit --receipt=bad
	done
	{ cat R; echo; } >bad
	run -6 dpaudit --receipt=bad
	{ printf 'x'; cat R; } >bad
	fails 3 dpaudit --receipt=bad
	sed 's/^dputils-receipt 2/dputils-receipt 3/' R >bad
	fails 3 dpaudit --receipt=bad
	[[ $stderr = 'dpaudit: bad: a receipt of another version: 1 and 2 are what is read' ]]
	: >bad
	fails 3 dpaudit --receipt=bad
	fails 3 dpaudit --receipt=nowhere
	# the same bytes in another spelling
	for line in signer signature; do
		awk -v line=$line '$1 == line { $2 = toupper($2) } { print }' R >bad
		run ! cmp -s R bad
		run -6 dpaudit --receipt=bad
		[[ $output = 'signature	refuted: damaged, or not the signer'* ]]
	done
	tr a-f A-F <key.pub | sed 1s/.*/"$(head -n 1 key.pub)"/ >big.pub
	run ! cmp -s key.pub big.pub
	fails 3 dpaudit --receipt=R --signer=big.pub
	# another's signature over the same text
	dpaudit --new-key=mine >/dev/null
	run -6 dpaudit --receipt=R --signer=mine.pub
	[[ $output = *', refuted: it is another' ]]
}

@test "a stranger's file of any length takes little memory" {
	unsanitized 'a sanitizer takes more memory'
	key
	dpcount -e 1 -T 3 --receipt=R --sign=key in >out
	ulimit -v 200000
	for o in --receipt --check-plan; do
		fails 3 dpaudit $o=/dev/zero
		[[ $stderr = 'dpaudit: /dev/zero: longer than any plan or receipt (16 MiB)' ]]
	done
	head -c 300M /dev/zero >long
	run -6 dpaudit --receipt=R --released=long
	[[ $output = *'released	refuted: it is another' ]]
}

@test "what a receipt says is no command to the terminal" {
	key
	dpcount -e 1 -T 3 --receipt=R --sign=key in >out
	sed "s/^protects /&$(printf '\033')[2J/" R >bad
	run -6 dpaudit --receipt=bad
	[[ $output != *$'\033'* ]]
}

@test "what it is not about is refuted: another output, another plan" {
	key
	dpcount -e 1 -T 3 --receipt=R --sign=key in >out
	echo >>out
	run -6 dpaudit --receipt=R --released=out
	[[ $output = *'released	refuted: it is another' ]]
	dpaudit --plan=full -- dpcount -e 2 -T 3 >plan
	run -6 dpaudit --receipt=R --check-plan=plan
	[[ $output = *'plan	refuted: it is another' ]]
}

@test "with a delta: the receipt has it, and its plan holds for both" {
	key
	dpcount -e 1 -d 1e-6 -T 9 -M blt --receipt=R --sign=key in >out
	[ "$(said delta)" = 1/1000000 ]
	dpcount -e 1 -d 1e-6 -T 9 -M blt --explain=plan >plan
	good --released=out --check-plan=plan
	[[ $output = *'delta	<= '*'verdict	holds' ]]
	# less delta than the run had
	dpcount -e 1 -d 1e-7 -T 9 -M blt --explain=plan >other
	run -6 dpaudit --receipt=R --check-plan=other
	[[ $output = *'plan	refuted: it is another' ]]
}

@test "receipts and plans of other versions are refused, and the reason is said" {
	key
	dpcount -e 1 -T 3 --receipt=R --sign=key in >out
	sed 's/^dputils-receipt 2/dputils-receipt 3/' R >newer
	fails 3 dpaudit --receipt=newer
	[[ $stderr = 'dpaudit: newer: a receipt of another version: 1 and 2 are what is read' ]]
	[ -z "$output" ]
	tail -n +2 R >headless
	fails 3 dpaudit --receipt=headless
	[[ $stderr = 'dpaudit: headless: not a receipt of dputils' ]]
	# a key of another form
	sed 's/^dputils-secret-key 1/dputils-secret-key 2/' key >k2
	chmod 600 k2
	fails 5 dpcount -e 1 -T 3 in --receipt=R2 --sign=k2
	[ -n "$stderr" ] && [ ! -e R2 ]
	# a receipt of a plan of another version: it is the receipt's, and cannot be read
	dpcount -e 1 -T 3 --explain=plan | sed 's/^dputils-plan 2/dputils-plan 3/' >plan
	run -6 dpaudit --receipt=R --check-plan=plan
	fails 3 dpaudit --check-plan=plan
	[[ $stderr = *'a plan of another version: 1 and 2 are what is read' ]]
}

@test "keys: mode 0600, never written over, and refused when others may read them" {
	key
	[ "$(stat -c %a key key.pub | xargs)" = '600 644' ]
	fails 3 dpaudit --new-key=key
	[[ $stderr = *'key: exists already' ]]
	cp key.pub other.pub
	fails 3 dpaudit --new-key=other
	[ ! -e other ]
	for m in 640 604 660 622 611; do
		chmod $m key
		fails 5 dpcount -e 1 -T 3 --receipt=R --sign=key in
		[[ $stderr = *"others may read or change this secret key (mode $m)"* ]]
		[ -z "$output" ]
	done
	chmod 400 key
	dpcount -e 1 -T 3 --receipt=R --sign=key in >out
	good --released=out
}

@test "bad input: keys and files" {
	key
	set -- dpcount -e 1 -T 3 in --receipt=R
	head -c 100 key >short
	sed 's/^\(.\{40\}\)./\1x/' key >letters
	sed '2s/^../00/' key >halves
	cp key.pub public
	chmod 600 short letters halves public
	for k in short letters halves; do
		fails 5 "$@" --sign=$k
	done
	fails 2 "$@" --sign=public
	[[ $stderr = *'a public key; --sign needs the secret one'* ]]
	fails 2 "$@" --sign=nowhere
	fails 2 "$@" --sign=.
	fails 2 "$@"
	[[ $stderr = *'--receipt=FILE and --sign=KEY are given together'* ]]
	fails 2 dpcount -e 1 -T 3 in --sign=key
	fails 2 dpcount -e 1 -T 3 in --receipt=nowhere/R --sign=key
	touch R
	fails 2 "$@" --sign=key
	[[ $stderr = *'R: exists already'* ]]
	rm R
	fails 2 "$@" --sign=key --seed=1
	fails 2 dpcount -e inf in --receipt=R --sign=key
	fails 2 "$@" --sign=key --explain
	fails 3 dpaudit --receipt=R --signer=key
	printf '1\n' >R
	fails 3 dpaudit --receipt=R --signer=key
	fails 2 dpaudit --signer=key.pub
	fails 2 dpaudit --receipt=R -- dpcount
	rm R
	# a run that fails, or that nobody reads, has none
	fails 3 dpcount -e 1 -T 3 --strict --receipt=R --sign=key <(echo x)
	run bash -c 'dpcount -e 1 -T 3 --receipt=R --sign=key in >/dev/full'
	[ ! -e R ]
}

@test "killed at any time there is a whole receipt or none" {
	key
	integers 40000 >long
	for i in $(seq 40); do
		rm -f R R.tmp
		"$DP_BUILD/bin/dpcount" -e 1 -T 40k --receipt=R --sign=key long >out &
		sleep "0.0$((i % 10))$((i % 7))"
		kill -9 $! 2>/dev/null || :
		wait $! 2>/dev/null || :
		[ ! -e R ] || good --released=out
	done
}
