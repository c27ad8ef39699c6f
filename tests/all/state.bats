# SPDX-License-Identifier: ISC
# --state: a run that goes on exactly where the last one stopped, whatever happened to it; a step is
# never released twice with different noise.  An epsilon of 1000000 stands for no noise where counts
# are compared (inf is refused with --state): then every estimate is the count.
load ../lib/helper

sure='-e 1000000'

# forge FILE SED-SCRIPT: changes lines of a state in place and mends its checksum.  It stays the
# same
# file, so only what the lines say can be refused.
forge() {
	local sum _

	sed -E "/^blake2b /d; $2" "$1" >forged
	b2sum -l 256 <forged >sum
	read -r sum _ <sum
	echo "blake2b $sum" >>forged
	copied forged "$1"
}

# refuses [ARG ...]: the state is refused with 5, nothing is printed, nothing read, and it does
# not change
refuses() {
	local status=0 rest text

	[ ! -e s ] || copied s before
	{
		dpcount --state s "$@" 2>err >printed || status=$?
		slurp rest || :
	} <in
	slurp text <in || :
	[ $status -eq 5 ] && [ ! -s printed ] && [ "$rest" = "$text" ] && [ -s err ] || {
		echo "status $status: $*"
		cat err printed
		return 1
	}
	[ ! -e before ] || {
		cmp before s
		rm before
	}
}

@test "--init, then resume: one run in pieces has the bytes of one run, for every mechanism" {
	bits 200 >in
	for m in $(mechanisms -e 1 -T 200 -d 1e-6); do
		dpcount -e 1 -T 200 -d 1e-6 -M "$m" --seed 3 -n in >want 2>/dev/null
		rm -f s s.lock
		head -1 in | dpcount --state s --init -e 1 -T 200 -d 1e-6 -M "$m" --seed 3 -n \
		    >got 2>/dev/null
		sed -n 2,64p in | dpcount --state s -n >>got 2>/dev/null
		: | dpcount --state s -n >>got 2>/dev/null
		sed -n 65,131p in | dpcount --state s -e 1 -M "$m" -T 200 -d 1e-6 --seed 3 -n \
		    >>got 2>/dev/null
		tail -n +132 in | dpcount --state s -n >>got 2>/dev/null
		cmp want got || { echo "$m"; false; }
	done
}

@test "resume without a horizon, with a range, with keys" {
	integers 100 | awk '{ print "k" $1 % 3, $1 }' >in
	for a in '-r 0:999 -v 2' '-r 0:99.9 -v 2' '-v 2 -r 0:1 -k 1 --keys=k0,k2' \
	    '-k 1 --keys=k2,@x'; do
		# shellcheck disable=SC2086
		dpcount -e 1 --seed 3 -n $a in >want 2>/dev/null
		rm -f s s.lock
		# shellcheck disable=SC2086
		head -30 in | dpcount --state s --init -e 1 --seed 3 -n $a >got 2>/dev/null
		sed -n 31,60p in | dpcount --state s >>got 2>/dev/null
		# shellcheck disable=SC2086
		tail -n +61 in | dpcount --state s -n $a >>got 2>/dev/null
		diff want got
	done
}

@test "resume user level: the cap goes on" {
	integers 300 | awk '{ print $1 % 7 }' >in
	awk '{ if (n[$1]++ < 9) s++; print s }' in >want
	head -100 in | dpcount --state s --init $sure -u 1 -c 9 >got
	tail -n +101 in | dpcount --state s -u 1 >>got
	cmp want got
}

@test "resume buckets: an open bucket stays open" {
	printf '5\n65\n' >a
	printf '66\n125\n' >b
	dpcount --state s --init $sure -t 1 --time-format=epoch --bucket 1m --public-times a >got
	dpcount --state s -t 1 --time-format=epoch b >>got
	printf '190\n' | dpcount --state s -t 1 --time-format=epoch >>got
	printf '1970-01-01T00:00:00Z\t1\n1970-01-01T00:01:00Z\t3\n1970-01-01T00:02:00Z\t4\n' |
	    diff - got
}

@test "resume a histogram whose only key is -" {
	printf 'x\n-\n' >in
	dpcount --state s --init $sure -k 1 --keys=- in >got
	dpcount --state s -k 1 in >>got
	printf '0\n1\n1\n2\n' | diff - got
}

@test "resume --monotone" {
	yes 0 | head -60 >in
	dpcount -e 1 -T 60 --seed 5 --monotone in >want 2>/dev/null
	head -20 in | dpcount --state s --init -e 1 -T 60 --seed 5 --monotone >got 2>/dev/null
	tail -n +21 in | dpcount --state s --monotone >>got 2>/dev/null
	cmp want got
}

@test "the header of csv and tsv is printed once in the life of a state" {
	echo 1 >in
	: | dpcount --state s --init $sure -o csv >got
	dpcount --state s -o csv in >>got
	dpcount --state s -o csv in >>got
	printf 'estimate\n1\n2\n' | diff - got
}

# Each line: the input, and how it is read and written; all of that may be left out later, or
# repeated.
@test "how the input is read and the output written may be left out" {
	awk \
	    'BEGIN { for (i = 1; i <= 40; i++)
		printf "%d;x%d;%s\n", 1700000000 + 900 * i, i % 3, i % 2 ? "GET" : "put" }' >in
	{ echo time,key,what; sed 's/;/,/g' in; } >in.csv
	tr ';' '\t' <in >in.tsv
	while IFS='|' read -r file a; do
		eval "set -- $a"
		dpcount -e 1 --seed 3 "$@" $file >want 2>err || { cat err; false; }
		rm -f s s.lock
		n=0
		for part in 1,14p 15,20p 21,99p; do
			if [ $file = in.csv ]; then
				sed -n "1p;1d;$part" $file >part
			else
				sed -n $part $file >part
			fi
			case $((n++)) in
			0)	dpcount --state s --init -e 1 --seed 3 "$@" part >got 2>/dev/null ;;
			1)	dpcount --state s part >>got 2>/dev/null ;;
			2)	dpcount --state s "$@" part >>got 2>/dev/null ;;
			esac
		done
		head -n "$(wc -l <got)" want | diff - got || { echo "$a"; false; }
		[ "$(wc -l <got)" -ge 8 ]
		dpcount --state s --explain=json 2>/dev/null | jq -e .mechanism >/dev/null
	done <<'EOT'
in|-F';' -v 3 -m get -i -n
in|-m '' --invert-match
in|-m ';x1;' --fixed -o csv -B
in|-F ';' -k 2 --keys=x0,x1,- -o json -B0.9 --nonnegative
in.csv|--csv -H -v what -m '^GET$' -o tsv --strict
in.tsv|--tsv -k 2 --keys=x1 --monotone
in|-F ';' -t 1 --time-format=epoch --bucket=1h --public-times --gap=9 -m .
in.csv|--csv -H -t time --time-format=epoch --bucket=1h --public-times -k key --keys=x1,x2
EOT
}

@test "input and output options that differ are refused, and taken with --change" {
	printf 'a;1\nb;0\n' >in
	dpcount --state s --init $sure -T 99 -F ';' -v 2 -r 0:1 in >/dev/null
	for a in '-F ,' '--delimiter=,' '-v 1' '-H' '--csv' '--tsv' '-m a' '-o csv' '-o plain' \
	    '-B' '-n' '--nonnegative' '--monotone' '--strict' '-k 1 --keys=a'; do
		# shellcheck disable=SC2086
		refuses $a
		[[ $(<err) == "dpcount: s: --"*"or give --change" || $a == -k* ]]
	done
	dpcount --state s -F ';' --value=2 in >/dev/null
	[ "$(dpcount --state s --change -n -m 1 in | tail -1)" = "6	3" ]
	[ "$(dpcount --state s in | tail -1)" = "8	4" ]
	[ "$(dpcount --state s --change -v 1 -m b in | tail -1)" = "10	5" ]
	[ "$(dpcount --state s --change=number,match,value,delimiter in | tail -1)" = 5 ]
	[ "$(dpcount --state s --state-show | grep -c '^set-')" = 0 ]
	# what the guarantee is about can not be changed
	refuses --change -e 2
	refuses --change -r 0:2
	fails 2 dpcount --state s --change=epsilon in
	fails 2 dpcount --state s --change= in
	fails 2 dpcount --change -e 1 in
	fails 2 dpcount --state t --init --change -e 1 in
}

@test "--change: of two options that do not go together, the new one" {
	printf 'a\t1\n' >in.tsv
	printf '"a",1\n' >in.csv
	printf 'a;1\n' >in.txt
	dpcount --state s --init $sure -T 99 --tsv -v 2 -r 0:1 in.tsv >/dev/null
	[ "$(dpcount --state s in.tsv)" = 2 ]
	fails 5 dpcount --state s --csv in.csv
	[ "$(dpcount --state s --change --csv in.csv)" = 3 ]
	[ "$(dpcount --state s in.csv)" = 4 ]
	[ "$(dpcount --state s --change --tsv in.tsv)" = 5 ]
	[ "$(dpcount --state s --change -F ';' in.txt)" = 6 ]
	[ "$(dpcount --state s in.txt)" = 7 ]
	fails 2 dpcount -e 1 -F ';' --tsv in.txt
}

@test "--change: the header line says what follows" {
	echo 1 >in
	{
		dpcount --state s --init $sure -T 99 -o csv in
		dpcount --state s in
		dpcount --state s --change -n in
		dpcount --state s in
		dpcount --state s --change -o tsv in
		dpcount --state s --change --nonnegative in
		dpcount --state s --change -o json in
		dpcount --state s --change=output in
	} >got
	printf '%s\n' estimate 1 2 step,estimate 3,3 4,4 'step	estimate' '5	5' '6	6' \
	    '{"step":7,"estimate":7}' '8	8' | diff - got
}

@test "--change: kept by the first commit, and by none before" {
	yes 'x;1' | head -9 >in
	dpcount --state s --init $sure -T 999 -F ';' -v 2 -r 0:1 in >/dev/null
	cp s before
	fails 3 dpcount --state s --change -v 1 /nowhere in
	cmp s before
	[ "$(dpcount --state s in | tail -1)" = 18 ]
	# killed after a commit: the change holds, and each step is there once
	talk dpcount --state s --change -n -m 1
	ask 'x;1' 'x;1'
	[ "$answer" = '20	20' ]
	kill -9 "$pid"
	hangup 137
	dpcount --state s --state-show | grep -x 'set-number 1'
	dpcount --state s in >got
	[ "$(tail -1 got)" = '29	29' ]
	[ "$(sort -un got | tail -9 | head -1)" = '21	21' ]
}

@test "the state file: mode 0600 whatever the umask" {
	echo 1 >in
	umask 0
	dpcount --state s --init -e 1 -T 9 in >/dev/null
	[ "$(stat -c %a s)" = 600 ]
	dpcount --state s in >/dev/null
	[ "$(stat -c %a s)" = 600 ]
	rm s s.lock
	umask 0777
	dpcount --state s --init -e 1 -T 9 in >/dev/null
	[ "$(stat -c %a s)" = 600 ]
}

@test "locks, witnesses and --out can be opened again whatever the umask" {
	seq 9 >in
	mkdir d
	(
		umask 0777
		dpbudget --init --total=9 --witness=v L
		dpcount --state s --init -e 1 -T 9 --budget=L --out o --witness w in
		# more users than the state itself holds
		seq 2000 | dpcount --state u --init -e 1 -T 9k -u 1 -c 1 -v 1 -r 0:1 -q | wc -l
		dpcount --state u --state-move=d/u
	)
	[ "$(stat -c %a L v s s.lock o w u u.lock d/u d/u.lock d/u.tab0 | sort -u)" = 600 ] ||
	    { stat -c '%a %n' -- * d/*; false; }
	rm o s* w
	(umask 027 && dpcount --state s --init -e 1 -T 9 --out o --witness w in)
	[ "$(stat -c %a o w s.lock | paste -s)" = '640	600	600' ]
}

@test "--init: refused for a header, or for what stands at --out, it leaves nothing behind" {
	printf 'a,b\n1,1\n' >in
	echo x >full
	mkdir dir
	fails 2 dpcount --state s --init -e 1 -T 9 --csv -H -v c -r 0:1 in
	[[ $stderr = *"the header has no field 'c'"* ]]
	fails 2 dpcount --state s --init -e 1 -T 9 --out dir in
	[[ $stderr = 'dpcount: dir: Is a directory'* ]]
	[ ! -e s ] && [ ! -e s.lock ]
	fails 5 dpcount --state s --init -e 1 -T 9 --out full in
	[ "$stderr" = 'dpcount: full: already holds something; a new state needs a new file' ]
	[ ! -e s ]
	# mended, it is one run
	dpcount --state s --init $sure -T 9 --csv -H -v b -r 0:1 - < <(cat in; echo 1,1) >got
	dpcount --state s in >>got
	printf '%s\n' 1 2 3 | diff - got
}

@test "missing: refused without --init, and nothing is left behind" {
	echo 1 >in
	refuses -e 1 -T 9
	[ ! -e s ]
	[ ! -e s.lock ]
}

@test "--init: refused if the state exists" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 9 in >/dev/null
	refuses --init -e 1 -T 9
	: >s
	refuses --init -e 1 -T 9
}

@test "damaged: any byte changed, any length" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 9 -n in >/dev/null
	size=$(wc -c <s)
	cat s >whole
	for ((i = 0; i < 30; i++)); do
		at=$((size * i / 30))
		printf '\377' | dd of=s bs=1 seek=$at conv=notrunc status=none
		refuses
		cat whole >s
		truncate -s $at s
		refuses
		cat whole >s
	done
	echo >>s
	refuses
	cat whole >s
	dpcount --state s -n in | grep '^2	'
}

@test "no birth times: a state goes on, and its inode and its witness tell copies" {
	unsanitized "a sanitizer's library comes first"
	echo 1 >in
	${CC:-cc} -O1 -shared -fPIC -o nobirth.so "$BATS_TEST_DIRNAME/../lib/nobirth.c"
	export LD_PRELOAD=$PWD/nobirth.so
	dpcount --state s --init --witness w $sure -T 9 in >got
	grep -x 'born 0' s
	cp s copy
	dpcount --state s --witness w in >>got
	printf '%s\n' 1 2 | diff - got
	# with an inode of its own, and with that of the state
	mv s real
	mv copy s
	refuses --witness w
	cat s >real
	mv real s
	refuses --witness w
	# where inodes are used again, as on ext4, the witness alone can tell; on tmpfs they are not
	grep -qE 'the witness has seen|this is a copy' err
}

@test "copied, restored, linked, readable by others, another's: refused" {
	echo 1 >in
	dpcount --state s0 --init -e 1 -T 9 in >/dev/null
	cp -p s0 s
	refuses
	grep -q 'use the file that ran last.*start another state file (--init)' err
	rm s
	cp -p s0 backup
	dpcount --state s0 in >/dev/null
	cp -p backup s0
	cp s0 s
	refuses
	rm -f s s0 s0.lock
	dpcount --state s --init -e 1 -T 9 in >/dev/null
	chmod 640 s
	refuses
	chmod 600 s
	ln s other
	refuses
	rm other
	mv s real
	ln -s real s
	refuses
	rm s
	mv real s
	if [ "$(id -u)" = 0 ]; then
		chown 65534 s
		refuses
		chown 0 s
	fi
	dpcount --state s in >/dev/null
	mv s moved
	mv moved s
	dpcount --state s in >/dev/null
}

@test "other parameters than the stored ones: refused, one at a time" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 9 in >/dev/null
	for a in '-e 2' '-T 10' '-d 1e-6' '-M tree' '-P' '-r 0:2' '-r 0:1.0' '-u 1 -c 2' \
	    '-k 1 --keys=a' '--seed=1' \
	    '-t 1 --time-format=epoch --bucket 1h --public-times' '--bucket 1h --live'; do
		# shellcheck disable=SC2086
		refuses $a
	done
	dpcount --state s -e 1.0 -T 9 -r 0:1 in >/dev/null
	rm s s.lock
	dpcount --state s --init -e 1 -d 1e-6 -k 1 --keys=a,b -t 1 --time-format=epoch \
	    --bucket 1h --public-times in >/dev/null
	for a in '-d 0' '--keys=a' '--keys=b,a' '--keys=a,b,c' '--bucket=2h' '--live' '-T 5'; do
		# shellcheck disable=SC2086
		refuses -k 1 -t 1 --time-format=epoch $a
	done
	dpcount --state s -k 1 -t 1 --time-format=epoch in >/dev/null
}

@test "another tool's state, another format's: refused; another version's goes on" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 9 in >/dev/null
	cat s >whole
	forge s 's/^version .*/&/'
	cmp s whole
	forge s 's/^tool .*/tool dpwindow/'
	refuses
	forge s 's/^dputils-job .*/dputils-job 99/'
	refuses
	grep -q 'the state file has format 99, and this version reads 1; go on with the version' err
	cat whole >s
	for a in '' 'format 99\n' 'format 1\n'; do
		cat whole >s
		forge s "/^dputils-job/d; s/^version .*/$a&/"
		refuses
		grep -q ' format ' err
	done
	cat whole >s
	forge s '1s/1/2/'
	refuses
	cat whole >s
	forge s 's/^version .*/version 99/'
	dpcount --state s in >/dev/null
}

@test "a state of a mechanism that there is not: refused" {
	echo 1 >in
	dpcount -e 1 -T 9 -M kary --state=s --init in >/dev/null
	forge s 's/^mechanism .*/mechanism hats/'
	cp s before
	fails 5 dpcount --state=s in
	[[ $stderr == 'dpcount: s: '* ]]
	cmp s before
}

@test "forged or damaged numbers of the noise: refused" {
	echo 1 >in
	for a in '-T 5000' '' '-T 90 -M tree' '-T 90 -M kary' '-T 90 -d 1e-6 -M blt' \
	    '-T 90 -d 1e-6 -M blt-norm'; do
		rm -f s s.lock
		# shellcheck disable=SC2086
		dpcount --state s --init -e 1 $a in >/dev/null
		copied s whole
		# each with what is said of it
		while IFS=: read -r b want; do
			b=${b//@/noise.column.}
			copied whole s
			forge s "${b//#/noise.task.}"
			refuses
			want=${want/C./column.}
			[[ $(<err) == *"${want/T./task.}"* ]] || { cat err; return 1; }
		done <<-'END'
			/^@bytes /d:not the state file's: 'C.bytes' is missing
			s/^(@outputs) 1$/&\n\1 1/:damaged: 'C.outputs' comes twice
			s/^@outputs .*/& 1/:'C.outputs' has more than this plan
			s/^@outputs .*/@outputs 2/:'C.outputs' is another here
			s/^@bytes .*/&\nnoise.more 1/:'more' has more than this plan
			s/^@bytes .*/@bytes 0x1p+4/:'C.bytes' is no number of its kind
			s/^#alpha .*/#alpha 0x1p+1/:'T.alpha' is out of range
			s/^#alpha .*/#alpha nan/:damaged: 'T.alpha' has no number there
			s/^#alpha .*/& x/:damaged: 'T.alpha' has no number there
			s/^#alpha /& /:damaged: 'T.alpha' has no number there
			s/^@bytes /&0/:damaged: 'C.bytes' has no number there
			s/^@bytes /&11112222333344445/:damaged: 'C.bytes' has no number there
			/^noise\./d:has no numbers of the noise
			/^noise\./s/ [0-9]+$/ 0/:the noise planned here is not
			/^noise\./s/ [0-9]+$/ 63/:the noise planned here is not
		END
		cat whole >s
		dpcount --state s in >/dev/null
	done
}

# as dputils 0.2 wrote it: words in the order of the mechanism's calls
@test "a state whose numbers of the noise have no names goes on, and gets them" {
	local task='0 0 0 0 cbf29ce484222325' order=807060504030201 a words
	local tree='10001 2bffffffff0001 2b 3feec581a0000000 3fa3a7a600000000 3ff15524d1fd7fbd'

	echo 1 >in
	while read -r a words; do
		rm -f s s.lock
		# shellcheck disable=SC2086
		dpcount -e 1 ${a//,/ } --seed=1 --state=s --init in >got 2>/dev/null
		grep -a '^noise' s >names
		forge s "s/^noise\\.task\\.alpha .*/params $task $words/; /^noise/d"
		grep -aqxF "params $task $words" s
		dpcount --state=s in >>got
		# shellcheck disable=SC2086
		cat in in | dpcount -e 1 ${a//,/ } --seed=1 >want 2>/dev/null
		cmp got want
		run -1 grep -a '^params' s
		# but for another hash of tables
		cmp <(sed 's/tables .*//' names) <(sed -n '/^noise/{s/tables .*//; p}' s)
	done <<-END
		-T,90,-M,tree 7 1 $order 400 1 0
		-T,5000,-M,kary b 3 1 $order 3a0 1 0
		-T,2,-M,normtree $tree ce90a4260d88e17c $order 230 1 0
	END
}

@test "the units of columns of one norm cannot be forged to more" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 90 -d 1e-6 -M blt-norm in >/dev/null
	cat s >whole
	# early steps have two thirds of the last one's 1ffffff
	forge s '/^noise\.unit/s/\b[123][0-9]{7}\b/33554431/g'
	! cmp -s s whole
	refuses
	cat whole >s
	dpcount --state s in >/dev/null
}

@test "the scale of the noise cannot be forged to less" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 90 -M tree in >/dev/null
	# seven levels: 7/1
	grep -aqx 'noise.scale 7/1' s
	cat s >whole
	for a in 6/1 1/1 0/1 7/2 7/0 7/9223372036854775808 18446744073709551615/1 7 '7 1'; do
		cat whole >s
		forge s "s,^noise\.scale 7/1,noise.scale $a,"
		refuses
	done
}

@test "a forged step beyond the horizon is refused" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 9 in >/dev/null
	forge s 's/^step .*/step 9/'
	# the same length, a step the columns do not belong to or not: no crash, no step released
	fails 4 dpcount --state s in
	forge s 's/^step .*/step 8888/'
	fails 5 dpcount --state s in
}

@test "forged words of columns: a digit is one of 0 to 9 and a to f" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 9 in >/dev/null
	copied s whole
	for c in / : @ A F \` g o '\xc1' '\xb1'; do
		forge s "s|^(next .{7}).|\\1$c|"
		fails 5 dpcount --state s in
		[[ $stderr = *"'next' is damaged"* ]]
		copied whole s
		forge s "s|^(next .{15}).|\\1$c|"
		fails 5 dpcount --state s in
		copied whole s
	done
}

@test "epsilon inf is refused with a state" {
	echo 1 >in
	fails 2 dpcount --state s --init -e inf -T 9 in
	[ ! -e s ]
	dpcount --state s --init -e 1 -T 9 in >/dev/null
	fails 2 dpcount --state s -e inf in
}

@test "a seeded state stays seeded, and says so" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 9 --seed 1 in >/dev/null 2>&1
	run -0 --separate-stderr dpcount --state s in
	[[ $stderr == *"NOT PRIVATE"* ]]
	run -0 dpcount --state s --state-show
	grep -x "seed 1" <<<"$output"
}

@test "locked by another run: 75, and the other goes on" {
	talk dpcount --state s --init $sure -T 9
	ask 1
	echo 1 >in
	fails 75 dpcount --state s in
	[ -z "$output" ]
	ask 1
	[ "$answer" = 2 ]
	hangup
	[ "$(dpcount --state s in)" = 3 ]
}

@test "the lock of a killed run is gone with it" {
	talk dpcount --state s --init -n $sure -T 9
	ask 1
	kill -9 "$pid"
	hangup 137
	echo 1 >in
	dpcount --state s in | tail -1 | grep '^2	2$'
}

@test "the horizon is that of all runs together; a spent state reads nothing" {
	yes 1 | head -6 >in
	dpcount --state s --init $sure -T 10 in >got
	run -4 --separate-stderr dpcount --state s in
	[ "$output" = "$(seq 7 10)" ]
	{
		run -4 --separate-stderr dpcount --state s
		cat >rest
	} <in
	[ -z "$output" ]
	cmp in rest
}

@test "--out: each estimate once, nothing on standard output" {
	bits 50 >in
	running in | awk '{ print NR "\t" $1 }' >want
	head -20 in | dpcount --state s --init $sure -T 50 -n --out o >got
	tail -n +21 in | dpcount --state s -n --out o >>got
	cmp want o
	[ ! -s got ]
}

@test "--out: refused if it is there already, if it was cut, if it has grown" {
	echo 1 >in
	echo x >o
	fails 5 dpcount --state s --init $sure -T 50 --out o in
	[ ! -e s ]
	[ "$(<o)" = x ]
	rm o
	dpcount --state s --init $sure -T 50 --out o in
	cat o >whole
	: >o
	refuses --out o
	rm o
	refuses --out o
	cat whole whole >o
	refuses --out o
	cat whole >o
	dpcount --state s --out o in
	printf '1\n2\n' | diff - o
}

@test "--out: another file than the state's is called that" {
	echo 1 >in
	dpcount --state s --init $sure -T 50 --out o in
	refuses --out other
	[ "$(<err)" = "dpcount: other: not there, but the state has written 2 bytes to its --out \
file; give that file, or copy it here" ]
	[ ! -e other ]
	: >other
	refuses --out other
	[ "$(<err)" = "dpcount: other: shorter than the 2 bytes that the state has written to its \
--out file: another one, or its end is lost; give that file, or copy it here" ]
	# as it says
	cp o other
	dpcount --state s --out other in
	printf '1\n2\n' | diff - other
}

@test "--out: left out once it has been written to, the run is refused" {
	echo 1 >in
	# nothing is in it yet, so nothing would be missing
	dpcount --state s --init $sure -T 50 -n --out o </dev/null
	[ "$(dpcount --state s in)" = '1	1' ]
	[ ! -s o ]
	dpcount --state s --out o in
	refuses
	[ "$(<err)" = "dpcount: s: earlier runs have written 4 bytes to a file, which \
would lack what this run prints; give --out=FILE in every run" ]
	dpcount --state s --explain | grep -q private
	dpcount --state s --state-show | grep -qx 'step 2'
	dpcount --state s --out o in
	printf '2\t2\n3\t3\n' | diff - o
	# a batch that is done is no exception
	rm s o
	dpcount --state s --init $sure -T 50 --batch=1 --out o in
	refuses --batch=1
	# the file is lost: its length is enough
	rm o
	truncate -s 2 o
	dpcount --state s --batch=2 --out o in
	[ "$(tail -c 2 o)" = 2 ]
}

@test "--out: a file that another run writes to is in use, by whatever name, until that ends" {
	local o

	echo 1 >in
	mkdir d
	ln -s d here
	# a state of its own that waits for input
	talk dpcount --state s --init $sure -T 50 -n --out d/o -q
	until_true test -e s
	ln d/o hard
	for o in d/o here/o hard "$PWD/d/../hard"; do
		fails 75 dpcount -q --state t --init $sure -T 50 -n --out "$o" in
		[ "$stderr" = "dpcount: $o: in use by another run; try again later" ]
		[ ! -e t ]
	done
	# a second name that is a link itself was refused before, and is
	ln -s d/o soft
	fails 2 dpcount --state t --init $sure -T 50 --out soft in
	echo 1 >&6
	hangup
	printf '1\t1\n' | diff - d/o
	# now what it holds says so
	fails 5 dpcount --state t --init $sure -T 50 -n --out hard in
	# a killed run holds nothing, and one that goes on does
	talk dpcount --state s -n --out d/o -q
	echo 1 >&6
	until_true grep -q '^2' d/o
	fails 75 dpcount --state t --init $sure -T 50 -n --out hard in
	kill -9 "$pid"
	hangup 137
	dpcount --state s -n --out d/o in
	printf '%s\t%s\n' 1 1 2 2 3 3 | diff - hard
	[ "$(cd d && echo *)" = o ]
}

@test "--batch: the same ID again prints the same bytes and consumes nothing" {
	bits 30 >in
	dpcount --state s --init -e 1 -T 90 -n --batch 2024-01-01 in >a
	dpcount --state s -n --batch 2024-01-01 in >b
	cmp a b
	{
		dpcount --state s -n --batch 2024-01-01 >b
		cat >rest
	} <in
	cmp a b
	cmp in rest
	dpcount --state s -n --batch 2024-01-02 in >c
	[ "$(head -1 c | cut -f 1)" = 31 ]
	dpcount --state s -n --batch 2024-01-02 in | cmp c -
	[ "$(dpcount --state s --state-show | awk '$1 == "step" { print $2 }')" = 60 ]
}

@test "--batch: an older ID is refused" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 90 --batch 2024-01-02 in >/dev/null
	refuses --batch 2024-01-01
	dpcount --state s --batch 2024-01-10 in >/dev/null
	refuses --batch 2024-01-02
	refuses --batch 2024-01-09
	# not every ID has an age
	run -5 --separate-stderr dpcount --state s --batch 2023-x in
	[[ $stderr = *"--batch: '2023-x' sorts before '2024-01-10', "* ]]
	[[ $stderr = *', which was the last: IDs must not '* ]]
	rm s s.lock
	dpcount --state s --init -e 1 -T 90 --batch 9 in >/dev/null
	dpcount --state s --batch 10 in >/dev/null
	refuses --batch 9
}

@test "--batch with --out: the same ID again appends nothing" {
	bits 30 >in
	dpcount --state s --init -e 1 -T 90 --batch 1 --out o in
	cat o >a
	dpcount --state s --batch 1 --out o in
	cmp a o
	dpcount --state s --batch 2 --out o in
	[ "$(wc -l <o)" -eq 60 ]
}

@test "--batch after the horizon is spent: the same estimates, the same status" {
	yes 1 | head -6 >in
	run -4 dpcount --state s --init $sure -T 4 --batch 1 in
	run -4 --separate-stderr dpcount --state s --batch 1 in
	[ "$output" = "$(seq 4)" ]
	run -4 --separate-stderr dpcount --state s --batch 2 in
	[ -z "$output" ]
}

# half N [ARG ...]: a batch whose run is killed after N lines of in were answered
half() {
	local n=$1 i

	shift
	talk dpcount --state s --batch 1 "$@"
	for ((i = 1; i <= n; i++)); do
		ask "$(sed -n ${i}p in)"
	done
	kill -9 "$pid"
	hangup 137
}

@test "--batch: other input under the same ID is refused" {
	printf '1\n0\n1\n1\n' >in
	half 3 --init $sure -T 90
	cp in good
	printf '1\n1\n1\n1\n' >in
	fails 5 dpcount --state s --batch 1 in
	# shorter than what was counted
	printf '1\n0\n' >in
	fails 5 dpcount --state s --batch 1 in
	dpcount --state s --batch 1 good >got
	printf '1\n1\n2\n3\n' | diff - got
}

@test "--batch: other input under the same ID is refused, CSV" {
	printf '1,a\n0,b\n1,c\n1,d\n' >in
	half 3 --init $sure -T 90 --csv -v 1 -r 0:1
	printf '0,x\n0,x\n0,x\n1,d\n' >in
	fails 5 dpcount --state s --batch 1 --csv -v 1 in
}

@test "--batch: SIGTERM while the run passes over what is counted already" {
	yes 1 | head -8 >in
	half 6 --init $sure -T 90 -n
	mkfifo again
	(exec dpcount --state s --batch 1 -n) <again >got 2>err 3>&- &
	pids+=($!)
	exec 8>again
	printf '1\n1\n' >&8
	# all six are printed again first
	until_true grep -q '^6' got
	sleep .2
	kill "${pids[-1]}"
	wait "${pids[-1]}" || :
	exec 8>&-
	dpcount --state s --batch 1 -n in >got
	seq 8 | awk '{ print $1 "\t" $1 }' | diff - got
}

@test "SIGTERM: status 143, every whole line that was sent is counted" {
	for sig in TERM INT HUP; do
		rm -f s s.lock
		talk dpcount --state s --init $sure -T 1M -n
		ask 1 1 1
		kill -$sig "$pid"
		hangup $((128 + $(kill -l $sig)))
		run -0 --separate-stderr dpcount --state s --state-show
		grep '^step 3$' <<<"$output"
		[ -z "$(dpcount --state s </dev/null)" ]
	done
}

@test "SIGTERM in the middle of a flood: no line is lost, none is counted twice" {
	n=1500000
	mkfifo flood
	exec 8<>flood
	{ yes 1 | head -$n; } >&8 3>&- &
	feeder=$!
	pids+=($feeder)
	for init in "--init $sure -T 10M" '' ''; do
		# shellcheck disable=SC2086
		(exec dpcount --state s $init -n) <flood >>got 2>err 3>&- 8>&- &
		pid=$!
		pids+=($pid)
		# a run that was not yet there could leave no state
		until_true test -s s
		sleep .15
		kill $pid
		wait $pid || [ $? -eq 143 ]
	done
	(exec dpcount --state s -n) <flood >>got 2>err 3>&- 8>&- &
	pid=$!
	pids+=($pid)
	wait $feeder
	exec 8>&-
	wait $pid
	tail -1 got
	[ "$(tail -1 got)" = "$(printf '%d\t%d' $n $n)" ]
	awk '$1 != NR || $2 != NR { exit 1 }' got
}

@test "--witness: a rollback that keeps the file's identity is noticed" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 90 --witness w in >/dev/null
	cat s >old
	dpcount --state s --witness w in >/dev/null
	dpcount --state s --witness w in >/dev/null
	# the old content, with the identity that the file has now: a restored volume
	now=$(grep -aE '^(inode|born) ' s)
	cat s >whole
	cat old >s
	forge s "s/^inode .*/$(grep ^inode <<<"$now")/; s/^born .*/$(grep ^born <<<"$now")/"
	refuses --witness w
	[[ $(<err) == *rolled\ back* ]]
	# without the witness nobody could know
	cat s >rolled
	dpcount --state s in >/dev/null
	rm s s.lock
}

@test "--witness: missing, damaged, another's, in use for a new state: refused" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 90 --witness w in >/dev/null
	mv w away
	refuses --witness w
	echo x >w
	refuses --witness w
	dpcount --state t --init -e 1 -T 90 --witness w2 in >/dev/null
	refuses --witness w2
	fails 5 dpcount --state u --init -e 1 -T 90 --witness away in
	mv away w
	dpcount --state s --witness w in >/dev/null
}

@test "--state-show: parameters, step, generation, batch; changes nothing" {
	printf '1\n1\n' >in
	dpcount --state s --init -e 1/2 -d 1e-6 -T 90 -r 0:2.5 --batch b-1 in >/dev/null
	cp -p s before
	run -0 --separate-stderr dpcount --state s --state-show
	cmp s before
	for l in 'tool dpcount' 'epsilon 1/2' 'delta 1/1000000' 'horizon 90' 'range 0.0:2.5' \
	    'step 2' 'batch b-1'; do
		grep -x "$l" <<<"$output"
	done
	grep '^mechanism [a-z]' <<<"$output"
	grep '^generation [0-9]' <<<"$output"
	# a plan is hundreds of numbers, which tell nobody anything: how many there are
	grep -xE 'params of [0-9]+ numbers' <<<"$output"
	run -1 grep '.\{80\}' <<<"$output"
	fails 5 dpcount --state nosuch --state-show
	echo x >>s
	fails 5 dpcount --state s --state-show
}

@test "/dev/full: 1; the next run prints what is owed, then goes on" {
	printf '1\n1\n' >in
	run -1 --separate-stderr bash -c "timeout 300 dpcount --state s --init $sure -T 9 -n in \
	    >/dev/full"
	[ -n "$stderr" ]
	dpcount --state s -n in >got
	[ "$(cut -f 1 got | sort -un | wc -l)" -eq 4 ]
	printf '1\t1\n2\t2\n3\t3\n4\t4\n' | diff - got
}

# a log of days: five events on the first of May, six on the second, ...
days() {
	for d in 1 2 3 4 5 6; do
		yes "2026-05-0${d}T10:00:00Z" | head -$((d + 4))
	done >log
}

# day N TO TOOL [ARG ...]: the days from the N-th until the TO-th, with the state s
day() {
	local n=$1 to=$2

	shift 2
	"$@" --state s --from=2026-05-0"$n" --to=2026-05-0"$to" log
}

# owed TOOL ARG ...: the same with an output that takes nothing
owed() {
	run -1 --separate-stderr bash -c '"$@" >/dev/full' - timeout 300 "$3" "${@:4}" --state s \
	    --from=2026-05-0"$1" --to=2026-05-0"$2" log
}

@test "--from, --to, /dev/full: repeated, the run prints what is owed, and is done" {
	days
	time=(-t 1 --time-format=iso --bucket=1d)
	owed 1 2 dpcount --init $sure -T 9 "${time[@]}"
	run -0 --separate-stderr day 1 2 dpcount
	[ "$output" = "2026-05-01T00:00:00Z	5" ]
	[[ $stderr == *"printing what was owed; the input is not read" ]]
	# it is out now
	fails 2 day 1 2 dpcount
	[[ $stderr == *"has released the steps before 2026-05-02"* ]]
	owed 2 4 dpcount
	# other days than those are no repetition, though these get out
	run -2 --separate-stderr day 1 4 dpcount
	[ "$output" = "2026-05-02T00:00:00Z	11
2026-05-03T00:00:00Z	18" ]
	owed 4 6 dpcount
	run -2 --separate-stderr day 5 7 dpcount
	[ "$(cut -f 2 <<<"$output" | tr '\n' ' ')" = "26 35 " ]
	rm s
	# the last steps of the horizon, and another place for the output
	owed 1 4 dpcount --init $sure -T 3 "${time[@]}"
	run -0 --separate-stderr day 1 4 dpcount -q
	[ "$(cut -f 2 <<<"$output" | tr '\n' ' ')" = "5 11 18 " ] && [ -z "$stderr" ]
	run -4 --separate-stderr day 4 5 dpcount
	rm s
	# empty steps after a gap are the run's output, too
	owed 1 2 dpwindow --init $sure -T 9 -w 2 "${time[@]}"
	day 1 2 dpwindow >/dev/null
	owed 4 5 dpwindow
	run -0 --separate-stderr day 4 5 dpwindow
	[ "$(cut -f 2 <<<"$output" | tr '\n' ' ')" = "5 0 8 " ]
	[ "$(dpwindow --state s --state-show | grep -c '^step 4$')" -eq 1 ]
}

@test "--batch: the ID again with other days is refused" {
	days
	day 1 2 dpwindow --init $sure -T 9 -w 2 -t 1 --time-format=iso --bucket=1d --batch=1
	day 4 5 dpwindow --batch=2 >first
	day 4 5 dpwindow --batch=2 | cmp first -
	for to in "5 6" "3 5" "4 6"; do
		# shellcheck disable=SC2086
		fails 2 day $to dpwindow --batch=2
		[[ $stderr == *"'2' is done: its buckets are 1, up to 2026-05-05T00:00:00Z; those \
of --from and --to are "*", up to 2026-05-0${to#* }T00:00:00Z; give another ID"* ]]
	done
	[ "$(dpwindow --state s --state-show | grep -c '^step 4$')" -eq 1 ]
	day 5 6 dpwindow >/dev/null
	fails 5 day 4 5 dpwindow --batch=2
	[[ $stderr == *"no longer kept"* ]]
}

@test "the reader leaves: silent, and the next run prints what was owed" {
	yes 1 | head -100000 >in
	run -0 --separate-stderr bash -c "timeout 300 dpcount -q --state s --init $sure -T 1M \
	    -n in | head -1; exit \$((PIPESTATUS[0] != 141))"
	[ -z "$stderr" ]
	dpcount --state s -n </dev/null >got
	# what is printed again begins somewhere, is whole, and ends with the last step committed
	last=$(dpcount --state s --state-show | awk '$1 == "step" { print $2 }')
	[ "$(tail -1 got)" = "$(printf '%d\t%d' "$last" "$last")" ]
	awk '$1 != $2 || (NR > 1 && $1 != p + 1) { exit 1 } { p = $1 }' got
}

@test "standard output closed: 1, the state does not change" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 9 in >/dev/null
	cp s before
	run -1 sh -c 'timeout 300 dpcount --state s in >&-'
	cmp before s
}

@test "a directory that cannot be written: a usage error, nothing printed" {
	[ "$(id -u)" = 0 ] && skip 'root may write everywhere'
	echo 1 >in
	mkdir d
	dpcount --state d/s --init -e 1 -T 9 in >/dev/null
	chmod a-w d
	fails 2 dpcount --state d/s in
	[ -z "$output" ]
}

@test "operands that cannot be read leave the state as it was" {
	echo 1 >in
	dpcount --state s --init -e 1 -T 9 in >/dev/null
	cp s before
	fails 3 dpcount --state s in nosuch
	[ -z "$output" ]
	cmp before s
}

# a_moment MS: sleeps for less than that, at random
a_moment() {
	sleep "$(printf '%d.%03d' $((RANDOM % $1 / 1000)) $((RANDOM % $1 % 1000)))"
}

# kills N ARG ...: N runs on one slow endless stream of events, each killed within 30 ms (longer
# where a run takes longer to begin), and one that ends by itself.  What they print goes to FIFO
# "printed", which someone must read.  $SIGNALS: other ways to die.
kills() {
	local n=$1 i most=30 init=--init signals=(${SIGNALS:-9})

	shift
	mkfifo stream
	exec 8<>stream
	perl -e \
	    '$| = 1; while (1) { syswrite(STDOUT, rand() < .5 ? "1\n" : "0\n") or exit;
	    select undef, undef, undef, $ENV{PAUSE} || .0002 }' >&8 3>&- &
	feeder=$!
	pids+=($feeder)
	for ((i = 0; i < n; i++)); do
		(exec dpcount --state s $init -n "$@") <stream >printed 2>>errors 3>&- 8>&- &
		pid=$!
		exec_done $pid dpcount
		a_moment $most
		kill -"${signals[RANDOM % ${#signals[@]}]}" $pid
		wait $pid || :
		if [ -e s ]; then init=; else most=$((most + 30)); fi
	done 2>/dev/null
	[ -z "$init" ]
	kill $feeder
	wait $feeder || :
	# the rest of the stream, and the end of it
	(exec dpcount --state s -n "$@") <stream >printed 2>>errors 3>&- 8>&- &
	pid=$!
	pids+=($pid)
	exec 8>&-
	wait $pid
}

# lives KILLS ARG ...: every step from 1 to the last is released, with one value
lives() {
	rm -f s s.lock s.tmp stream printed errors seen
	mkfifo printed
	exec 9<>printed
	${READER:-cat} <printed >seen 3>&- 8>&- 9>&- &
	collector=$!
	pids+=($collector)
	kills "$@"
	exec 9>&-
	wait $collector
	[ ! -s errors ] || { cat errors; return 1; }
	sort -u seen | sort -n >steps
	wc -l seen steps
	last=$(dpcount --state s --state-show | awk '$1 == "step" { print $2 }')
	[ "$last" -gt 20 ]
	[ "$(wc -l <steps)" -eq "$last" ] && cut -f 1 steps | cmp - <(seq "$last") && ! grep -vE \
	    '^[0-9]+	-?[0-9]+$' steps
}

@test "kill -9 at random, 150 times, on a pipe: every step once or again with the same value" {
	lives 150 -e 1 -T 1M
}

@test "kill -9 at random, 40 times, on a pipe, pan-private" {
	# it commits every step: a slower stream
	PAUSE=.002 lives 40 -e 1 -T 1M -P
}

# a pipe of one page, and 50 kB/s
slow_reader() {
	perl -e 'fcntl STDIN, 1031, 4096;
	    while (sysread STDIN, $b, 512) { syswrite STDOUT, $b; select undef, undef, undef, .01 }'
}

@test "killed, terminated and interrupted at random, 60 times, with a slow reader" {
	trap - INT
	SIGNALS='9 TERM INT HUP' READER=slow_reader lives 60 -e 1 -T 1M
}

@test "kill -9 at random, 40 times, with a witness: never refused, never two values" {
	lives 40 -e 1 --witness w
}

@test "kill -9 at random, 80 times, with --out: every step once, in order" {
	: >seen
	rm -f printed
	mkfifo printed
	exec 9<>printed
	kills 80 -e 1 -T 1M --out o
	exec 9>&-
	[ ! -s errors ] || { cat errors; false; }
	last=$(dpcount --state s --state-show | awk '$1 == "step" { print $2 }')
	echo "$last steps"
	[ "$last" -gt 20 ]
	cut -f 1 o | cmp - <(seq "$last")
	run ! grep -vE '^[0-9]+	-?[0-9]+$' o
}

# slowly FILE: 10 lines, a pause of half a millisecond, ...
slowly() {
	perl -e '$| = 1; $SIG{PIPE} = sub { exit };
	    while (<STDIN>) { syswrite STDOUT, $_;
	    select undef, undef, undef, .0005 if $. % 10 == 0 }' <"$1"
}

# one try at a batch, killed within 40 ms
try() {
	mkfifo batch
	slowly "day$1" >batch 3>&- 2>/dev/null &
	pids+=($!)
	(exec dpcount --state s -q --batch "2024-01-0$1" "${@:2}") <batch >>seen 2>>errors 3>&- &
	pid=$!
	exec_done $pid dpcount
	a_moment 40
	kill -9 $pid || :
	wait $pid || :
	# killed before it opened the pipe: somebody must, or the writer waits for ever
	exec 8<>batch
	wait "${pids[-1]}" || :
	exec 8>&-
	rm batch
} 2>/dev/null

@test "a batch that is done, asked for again: said on standard error, and what it printed" {
	echo 1 >in
	# nothing has come yet, then the right file
	dpcount --state s --init $sure -T 9 -n --batch=1 </dev/null
	dpcount --state s --batch=2 in >first 2>err
	[ ! -s err ]
	run -0 --separate-stderr dpcount --state s --batch=2 /dev/null
	[ "$output" = "$(<first)" ]
	[ "$stderr" = "dpcount: s: batch '2' was finished before: printing what it printed; the \
input is not read" ]
	run -0 --separate-stderr dpcount --state s --batch=2 -q in
	[ "$output" = "$(<first)" ] && [ -z "$stderr" ]
	rm s
	dpcount --state s --init $sure -T 9 -n --out=o --batch=1 in
	cp o before
	run -0 --separate-stderr dpcount --state s --out=o --batch=1 in
	[ -z "$output" ]
	[ "$stderr" = "dpcount: s: batch '1' was finished before: what it printed is in --out; the \
input is not read" ]
	cmp o before
}

@test "cron: seven daily batches of a log, each killed 8 times in the middle, count exactly" {
	for d in 1 2 3 4 5 6 7; do
		integers $((150 + 17 * d)) | awk '{ print $1 % 2 ? "GET / 404" : "GET / 200" }' \
		    >day$d
	done
	cat day? >log
	awk '{ n += / 404$/; print NR "\t" n }' log >want
	dpcount --state s --init $sure -T 10k -n -m ' 404$' </dev/null >seen
	for d in 1 2 3 4 5 6 7; do
		for i in 1 2 3 4 5 6 7 8; do
			try $d
		done
		# cron comes again
		dpcount --state s --batch 2024-01-0$d day$d >out$d
		cat out$d >>seen
		dpcount --state s --batch 2024-01-0$d day$d | cmp out$d -
	done
	[ ! -s errors ] || { cat errors; false; }
	cat out? | diff want -
	sort -un seen | diff want -
}

@test "cron with --out: the file is the log's count, each step once" {
	for d in 1 2 3; do
		bits $((150 + 17 * d)) >day$d
	done
	cat day? >log
	running log | awk '{ print NR "\t" $1 }' >want
	dpcount --state s --init $sure -T 10k -n --out o </dev/null
	for d in 1 2 3; do
		for i in 1 2 3 4 5 6; do
			try $d --out o
		done
		dpcount --state s --batch 2024-01-0$d --out o day$d
	done
	[ ! -s errors ] || { cat errors; false; }
	diff want o
}

@test "cron by the day: buckets of a log, --from --to, a kill before each" {
	mkfifo held
	for d in 1 2 3; do
		integers 200 | awk -v d=$d '{ print 86400 * (d - 1) + $1 * 86 }' >day$d
		init=
		[ $d -gt 1 ] || init="--init $sure -T 72 --bucket 1h"
		set -- --state s -t 1 --time-format=epoch --batch $d --from $((86400 * (d - 1))) \
		    --to $((86400 * d))
		# its input does not end before it is killed
		exec 8<>held
		# shellcheck disable=SC2086
		(exec dpcount -q "$@" $init) <held >>got 2>>errors 3>&- 8>&- &
		pid=$!
		pids+=($pid)
		cat day$d >&8
		until_true test -s s
		sleep .1
		kill -9 $pid
		wait $pid || :
		exec 8>&-
		dpcount "$@" day$d >>got
		dpcount "$@" day$d >again
		tail -24 got | cmp - again
	done
	[ ! -s errors ]
	cat day? | awk \
	    '{ n[int($1 / 3600)]++ } END { for (i = 0; i < 72; i++) { s += n[i]; print s } }' >want
	cut -f 2 got | diff want -
}

@test "--change: what decides who the neighbours are cannot be changed" {
	# whose an event is
	printf '"alice",1\n' >l.csv
	dpcount -e 1 -T 9 -u 1 -c 1 -F, --csv --state=u --init l.csv >/dev/null
	fails 5 dpcount --state=u --change=csv l.csv
	fails 5 dpcount --state=u --change -F1 l.csv
	fails 5 dpcount --state=u --change -H l.csv
	[[ $stderr == *"--header differs from the state file's, which it was planned for"* ]]
	dpcount --state=u --change -n l.csv >/dev/null
	# to which of two ranges it belongs
	echo '10 70' >se.log
	dpcount -e 1 -T 9 -t 1 --time-format=epoch --bucket=1m --from=0 --to=60 --state=r --init \
	    se.log >/dev/null
	fails 5 dpcount --state=r --change -t 2 --time-format=epoch --from=60 --to=120 se.log
	fails 5 dpcount --state=r --change --time-format=iso --from=60 --to=120 se.log
	fails 5 dpcount --state=r --change --tsv --from=60 --to=120 se.log
	fails 5 dpcount --state=r --change=time-format --from=60 --to=120 se.log
	dpcount --state=r --change -m x --from=60 --to=120 se.log >/dev/null
}

@test "a range stopped before it began uses up nobody's allowance" {
	mkfifo slow
	for i in 1 2 3; do echo "$i alice"; done >in
	dpcount -e 1000 -T 9 -o csv -u 2 -c 2 -t 1 --time-format=epoch --bucket=1m --from=0 \
	    --to=60 --state=s --init slow >out &
	pid=$!
	pids+=("$pid")
	exec 6>slow
	cat in >&6
	until_true test -s s
	until_true blocked "$pid"
	sleep .2
	kill -TERM "$pid"
	exec 6>&-
	wait "$pid" || :
	dpcount --state=s --from=0 --to=60 in | tail -n 1 | awk -F, '{ exit !($2 == 2) }'
}

# capped N: so many events of each user count; running counts of user,value lines, exact
capped() {
	awk -v n="$1" '{ if ($2 != 0 && seen[$1]++ < n) s += $2; print s + 0 }'
}

# crowd LINES USERS: "user value"
crowd() {
	awk -v n="$1" -v m="$2" 'BEGIN { for (x = 7; n-- > 0; ) { x = (x * 69069 + 1) % 4294967296
	    print "u" int(x / 1024) % m, n % 2 } }'
}

@test "users beside the state: run by run as in one, sorted at rest, refused when harmed" {
	crowd 20000 3000 >all
	split -n l/7 all part.
	n=0
	for p in part.*; do
		dpcount --state s \
		    $([ $n -gt 0 ] || echo "--init $sure -T 1M -u 1 -c 3 -v 2 -r 0:1") "$p"
		n=$((n + 1))
		# a small table stands in the state
		[ "$n" -gt 1 ] || [ -e s.tab0 ] || [ -e s.tab1 ] || continue
		count=$(awk '$1 == "users-beside" { print $2 }' s)
		[ "$(cat s.tab? | wc -c)" -eq $((16 * count)) ] && [ "$(wc -c <s)" -lt 20000 ]
		[ "$(ls s.tab? | wc -l)" -eq 1 ]
		od -An -v -w16 -t x8 -N $((16 * count)) --endian=little s.tab? |
		    awk '{ print $1 }' | sort -c
	done >got
	capped 3 <all | diff - got
	[ "$(awk '$2 != 0 { print $1 }' all | sort -u | wc -l)" -eq "$count" ]
	dpcount --state s --state-move=t
	[ ! -e s.tab0 ] && [ ! -e s.tab1 ] && [ "$(cat t.tab? | wc -c)" -eq $((16 * count)) ]
	tab=$(echo t.tab?)
	cp "$tab" whole
	head -c 1000 whole >"$tab"
	fails 5 dpcount --state t part.aa
	[[ $stderr == *"its file $tab is damaged" ]]
	tr '\0' '\1' <whole >"$tab"
	fails 5 dpcount --state t part.aa
	rm "$tab"
	fails 5 dpcount --state t part.aa
	[[ $stderr == *"its file $tab is not there; put it back" ]]
	[ -z "$output" ]
	(umask 077 && cat whole >"$tab")
	dpcount --state t part.aa >rest
	cat all part.aa | capped 3 | tail -n "$(wc -l <part.aa)" | diff - rest
}

# piecemeal FILE: 8 KiB every 2 ms
piecemeal() {
	perl -e 'while (sysread STDIN, $b, 8192) { syswrite STDOUT, $b or exit;
	    select undef, undef, undef, .002 }' <"$1"
}

@test "users beside the state: a batch that is killed, again and again, counts each user as often" {
	crowd 200000 30000 >all
	: >out
	# as often as it takes where runs are slow
	for ((i = 0; i < 10 || $(wc -l <out) <= 20000; i++)); do
		rm -f feed
		mkfifo feed
		(exec dpcount --state s \
		    $([ -e s ] || echo "--init $sure -T 1M -u 1 -c 3 -v 2 -r 0:1") \
		    --batch 1 -n -q) <feed >>out 2>>err 3>&- &
		pid=$!
		pids+=($pid)
		piecemeal all >feed 3>&- &
		feeder=$!
		pids+=($feeder)
		sleep .1
		a_moment $((300 + i / 10 * 300))
		kill -9 $pid $feeder
		wait $pid $feeder || :
	done 2>/dev/null
	[ ! -s err ] || { cat err; false; }
	[ "$(cat s.tab? | wc -c)" -gt 20000 ]
	dpcount --state s --batch 1 -n all >last
	capped 3 <all | cat -n | awk '{ print $1 "\t" $2 }' | cmp - last
	# what came out before is the same, but for last lines cut short
	[ "$(comm -23 <(sort -u out) <(sort last) | wc -l)" -le 10 ]
}
