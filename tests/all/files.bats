# SPDX-License-Identifier: ISC
# Operands: each file once, compressed ones too, and logs that are rotated meanwhile.
load ../lib/helper

setup_file() {
	${CC:-cc} -O1 -shared -fPIC -o "$BATS_FILE_TMPDIR/now.so" "$BATS_TEST_DIRNAME/../lib/now.c"
}

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
	pids=()
}

# requests FIRST LAST EACH: so many requests on each of these days of March 2026
requests() {
	awk -v first="$1" -v last="$2" -v each="$3" 'BEGIN { for (d = first; d <= last; d++)
	    for (i = 0; i < each; i++) printf "192.0.2.%d - - [%02d/Mar/2026:%02d:00:07 +0000] " \
	    "\"GET /p%d HTTP/1.1\" 200 %d \"-\" \"x\"\n", i, d, i % 24, i % 3, i }'
}

# each_tool COMMAND ...: with a tool and its options behind it, for every tool that reads events
each_tool() {
	"$@" dpcount -e 1 -T 9
	"$@" dpwindow -e 1 -w 1 -T 9
	"$@" dpdecay -e 1 --half-life=2 -T 9
	"$@" dpmean -e 1 -v 1 -r 0:9 --once
	"$@" dpquantile -e 1 -v 1 -r 0:9 --once
	"$@" dptop -e 1 -d 1e-6 -k 1 --once
	"$@" dpmaxsum -e 1 -k 1 --keys=a,b -T 9
	"$@" dpdistinct -e 1 -T 9
	"$@" dptransform -e 1 -T 9 --sensitivity=1 --changes=2
	"$@" dpexperts -e 1 -T 9 --columns=2
	"$@" dplocal -e 1 --domain=a,b
	"$@" dpproject -e 1 -v 1 --queries=queries
	"$@" dpmap --once
	"$@" dpcount -e 1 --partial --once
	"$@" dplocal -e 1 --domain=a,b --estimate
}

twice() {
	fails 2 "$@" keep other keep
	[ -z "$output" ]
	[[ $stderr == *": keep is given twice: its events would count twice"* ]]
	readers_seen+=" $1"
}

@test "one file twice: refused in every tool" {
	echo 1 | tee keep >other
	printf 'a,b\n1,0\n' >queries
	readers_seen=
	each_tool twice
	for tool in $(readers); do
		[[ " $readers_seen " == *" $tool "* ]]
	done
}

@test "one file under two names, or on standard input: refused before anything is charged" {
	echo 1 >keep
	mkdir d
	ln -s ../keep d/link
	ln keep hard
	dpbudget --init --total=9 L
	set -- dpcount -e 1 -T 9 --budget=L --state=s --init
	for files in 'keep ./keep' 'keep d/link' 'hard keep' 'keep -' 'd/link hard' '- -' \
	    'keep /dev/stdin' '- /dev/fd/0' './/keep d/../keep'; do
		# shellcheck disable=SC2086
		fails 2 "$@" $files <keep
		[[ $stderr == *'would count twice'* ]]
	done
	fails 2 "$@" --check keep hard
	dpbudget --show L | grep -q 'left *epsilon 9,'
	[ ! -e s ]
	# two files that are alike, and what gives its bytes once
	cp keep copy
	echo 2 | prints exact -T 9 --once -r 0:9 keep copy
	echo 1 | exact -T 9 --once - - | grep -x 1
	echo 1 | prints exact --once /dev/null keep /dev/null
	echo 2 | prints exact --once <(echo 1) <(echo 1)
}

packed() {
	gzip -c <"$1" >"$1.gz"
	xz -c <"$1" >"$1.xz"
	zstd -qc <"$1" >"$1.zst"
	bzip2 -c <"$1" >"$1.bz2"
}

@test "compressed files are read as what they hold" {
	requests 1 5 7 >log
	packed log
	set -- --log=combined --bucket=1d --from=2026-03-01 --to=2026-03-06
	exact "$@" log >want
	for by in gz xz zst bz2; do
		exact "$@" log.$by | diff want -
		cp log.$by d.$by
		exact -T 99 -m /p1 log.$by | diff <(exact -T 99 -m /p1 log) -
	done
	requests 1 1 2 >one
	mv d.xz e.xz
	exact "$@" <(cat log log log) one | diff - <(exact "$@" log d.gz e.xz one)
	# headers, fields with ends of lines, --check, --where by columns, a batch that goes on
	printf 'a,b\n1,"x\ny"\n0,z\n1,z\n' | gzip >t.csv.gz
	echo 2 | prints exact --once --csv -H -v a -r 0:9 t.csv.gz
	dpcount --check --csv -H -v a -r 0:9 t.csv.gz 2>/dev/null | grep '^t.csv.gz:4	nothing'
	yes 1 | head -n 5 | xz >in.xz
	for i in 1 2; do
		dpcount -q --state=s $([ -e s ] || echo --init -e 1000000 -T 9) --batch=1 in.xz |
		    diff - <(seq 5)
	done
	# parts of shards
	dpmap "$@" log.zst >a.part 2>err
	dpmap "$@" --shard=b <log >b.part 2>err
	gzip a.part
	exact --bucket=1d --from=2026-03-01 --to=2026-03-06 --partial a.part.gz b.part |
	    diff - <(exact "$@" log d.gz)
	# by the name alone: a record may begin with any bytes
	printf '\037\213\010\n' >plain
	echo 0 | prints exact plain
}

@test "compressed files: rotated names, oldest first, in every tool; by the clock" {
	local lines by

	requests 1 5 7 >all
	lines=$(wc -l <all)
	head -n 10 all | gzip >access.log.3.gz
	sed -n '11,17p' all | xz >access.log.2.xz
	sed -n '18,20p' all >access.log.1
	tail -n +21 all | zstd -q >access.log.zst
	set -- access.log.3.gz access.log.2.xz access.log.1 access.log.zst
	range='--log=combined --bucket=1d --from=2026-03-01 --to=2026-03-06'
	for c in "dpcount $range" "dpwindow -w 2 $range" "dpdecay -a .5 $range" \
	    "dpmean -v size -r 0:99 $range" "dpquantile -v size -r 0:99 $range" \
	    "dpmaxsum -k path --keys=/p1,/p2 $range" "dpdistinct -v host $range" \
	    "dptop -d 1e-6 -k path $range" "dpcount -T 99 -m /p1"; do
		$c -qe inf all >want 2>err
		$c -qe inf "$@" >got 2>err
		cmp want got || { echo "$c"; cat err; false; }
	done
	dpmap $range --shard=a all >want 2>err
	dpmap $range --shard=a "$@" 2>err | diff want -
	dpplot --run dpcount -qe inf $range "$@" 2>err | grep -v log >got
	dpplot --run dpcount -qe inf $range all 2>err | grep -v log | diff got -
	grep -q 35 got
	# what is unpacked is read to its end, and not waited for
	echo 1 | gzip >one.gz
	[ "$(timeout 20 dpcount -qe inf --live --bucket=1d -m 1 one.gz | wc -l)" -le 1 ]
	# by the name alone of a file that is open already
	fails 3 dpcount -e 1 -T 9 <one.gz
	[[ $stderr == *'standard input: is a compressed file'* ]]
}

@test "compressed files: a budget is charged once, headers and all" {
	dpbudget --init --total=9000 L
	printf 'a b\n1 2\n3 1\n' | gzip >in.gz
	dpcount -e 1000 -r 0:9 --budget=L --once -H -v b in.gz | grep -x 3
	dpcount -e 1000 -r 0:9 --budget=L -H -v b in.gz <(echo 'a b') | tail -n 1 | grep -x 3
	dpbudget --show L | grep -q 'left *epsilon 7000,'
	fails 2 dpcount -e 1000 -r 0:9 --budget=L -H -v c in.gz
	dpbudget --show L | grep -q 'left *epsilon 7000,'
}

@test "compressed files that are damaged, or half written: 3, nothing charged, nothing of a range" {
	requests 1 5 700 >log
	packed log
	dpbudget --init --total=9 L
	range=(--log=combined --bucket=1d --from=2026-03-01 --to=2026-03-06)
	for by in gz xz zst bz2; do
		head -c $(($(stat -c %s log.$by) - 9)) log.$by >bad.$by
		fails 3 dpcount -e 1 "${range[@]}" bad.$by
		[ -z "$output" ]
		[[ $stderr == *"bad.$by: cannot be unpacked to its end"* ]]
		[[ $stderr == *'nothing of this run is released'* ]]
		fails 3 dpcount -e 1 "${range[@]}" --budget=L bad.$by
		fails 3 dpcount -e 1 "${range[@]}" -T 9 --state=s --init log bad.$by
		[ ! -e s ]
		: >none.$by
		fails 3 dpcount -e 1 -T 9 --budget=L none.$by
	done
	dpbudget --show L | grep -q 'left *epsilon 9,'
	cp log no.gz
	fails 3 dpcount -e 1 "${range[@]}" no.gz
	# a state stands as it was
	dpcount -q -e 1000000 -T 9 --state=s --init --out=o "${range[@]:0:2}" --from=2026-03-01 \
	    --to=2026-03-02 log
	cp o before
	fails 3 dpcount -q --state=s --out=o --from=2026-03-02 --to=2026-03-04 bad.xz
	cmp o before
	dpcount -q --state=s --out=o --from=2026-03-02 --to=2026-03-04 log.xz
	cut -f 2 o | paste -sd ' ' | grep -x '700 1400 2100'
	# by lines what came before is out, and half a line is no line
	printf '1\n1\n11' >in
	gzip -c in | head -c -9 >in.gz
	fails 3 exact -r 0:99 in.gz
	[ "$(tail -n 1 <<<"$output")" != 13 ]
}

@test "compressed files: what unpacks them" {
	requests 1 1 3 | gzip >log.gz
	fails 2 dpcount -e 1 -T 9 -P log.gz
	[[ $stderr == *'--pan-private: refused with a compressed file'*'unpack it beforehand'* ]]
	dpdistinct -q -e 1 -T 9 log.gz >out
	fails 2 dpmap --once --slice=1/2 log.gz
	[[ $stderr == *'--slice: a compressed file'* ]]
	mkfifo pipe.gz
	fails 3 dpcount -e 1 -T 9 pipe.gz
	# no program: not in folders that depend on where we are, and said by its name
	mkdir bin
	ln -s "$(command -v gzip)" gzip
	ln -s "$(command -v gzip)" bin/gzip
	for path in . '' ./bin: bin /nosuch; do
		run -3 --separate-stderr env PATH="$path" "$DP_BUILD/bin/dpcount" -e 1 -T 9 log.gz
		[[ $stderr == *'log.gz: is compressed, by its name, and gzip, which'* ]]
		[[ $stderr == *'which unpacks it, is not in PATH'* ]]
	done
	: >log.xz
	run -3 --separate-stderr env PATH=/nosuch "$DP_BUILD/bin/dpmean" -e 1 -r 0:1 log.xz
	[[ $stderr == *'and xz, which unpacks it, is not in PATH: it is in the package xz-utils' ]]
	# nobody waits for the rest
	yes 1 | head -n 1000000 | gzip >many.gz
	run -4 --separate-stderr timeout 300 dpcount -e 1 -T 3 many.gz
	[ "${#lines[@]}" -eq 3 ]
	run -0 bash -c 'dpcount -q --state=s --init -e 1 -T 1M many.gz | head -n 1'
	grep -q . <<<"$output"
}

@test "a log and the same log compressed: refused, by their names" {
	echo 1 >log.1
	packed log.1
	mkdir d
	echo 1 >d/log.1
	for files in 'log.1 log.1.gz' 'log.1.xz log.1' 'log.1.gz log.1.zst' './log.1 log.1.bz2' \
	    'd/log.1 log.1.gz log.1.xz'; do
		# shellcheck disable=SC2086
		fails 2 dpcount -e 1 -T 9 $files
		[[ $stderr == *'may be the same log: give one'* ]]
	done
	fails 2 dpcount -e 1 -T 9 log.1*
	fails 2 dpcount -e 1 -T 9 log.1.gz log.1
	[[ $stderr == *'log.1 and log.1.gz may be the same log: give one'* ]]
	echo 2 | prints exact --once d/log.1 log.1.gz
}

@test "more files than may be open: the limit is raised, as far as that goes" {
	for i in {1..150}; do
		echo 1 >in.$i
	done
	echo 150 | prints bash -c 'ulimit -S -n 40; exec dpcount -q -e inf --once in.* 2>/dev/null'
	run -1 --separate-stderr bash -c 'ulimit -n 40; exec dpcount -q -e 1 --once in.*'
	[[ $stderr == *'150 files are more than may be open at once (ulimit -n: 40)'* ]]
}

# waiting FILE ...: a run on a state, whose days are over, that has all files open and waits
waiting() {
	rm -f s s.* o feed
	mkfifo feed
	exec 8<>feed
	dpcount -q -e 1000000 -T 99 --state=s --init --out=o --log=combined --bucket=1d \
	    --from=2026-03-01 --to=2026-03-02 /dev/null
	(exec dpcount -q --state=s --out=o --from=2026-03-02 --to=2026-03-04 feed "$@") 2>err \
	    3>&- 8>&- &
	pid=$!
	pids+=($pid)
	# it is what it is to be, and not a copy of this shell, which has that open
	until_true sh -c "grep -q '^Name:.dpcount' /proc/$pid/status &&
	    ls -l /proc/$pid/fd | grep -q /feed"
}

# goes_on STATUS WANT: it reads, and its output says so
goes_on() {
	local status=0

	exec 8>&-
	wait $pid || status=$?
	cat err
	[ $status -eq "$1" ]
	cut -f 2 o | paste -sd ' ' | grep -x "$2"
}

@test "logs rotated during a run: each line counts once" {
	requests 2 2 5 >yesterday
	requests 2 3 5 >today
	fresh() {
		rm -f log*
		cp yesterday log.1
		cp today log
	}
	# renamed, and written to by who has it open
	fresh
	waiting log.1 log
	mv log.1 log.2
	mv log log.1
	requests 4 4 9 >>log.1
	requests 4 4 9 >log
	goes_on 0 '0 10 15'
	# renamed and compressed
	fresh
	waiting log log.1
	gzip log.1
	mv log.1.gz log.2.gz
	gzip log
	goes_on 0 '0 10 15'
	# copied and cut before it is read, as after
	fresh
	waiting log.1 log
	cp log log.0
	: >log
	goes_on 1 0
	grep 'log: was cut or written over while it was read' err
	dpcount -q --state=s --out=o --from=2026-03-02 --to=2026-03-04 log.1 log.0
	cut -f 2 o | paste -sd ' ' | grep -x '0 10 15'
	# and longer than before by now
	fresh
	waiting log
	requests 4 4 50 >log
	goes_on 1 0
	# longer alone: what came later is none of the days that are over
	fresh
	waiting log.1 log
	requests 4 4 50 >>log
	goes_on 0 '0 10 15'
	# a file that is empty, and written over
	fresh
	: >log.1
	waiting log log.1
	cp log log.1
	goes_on 0 '0 5 10'
	# a compressed one
	fresh
	xz log.1
	waiting log log.1.xz
	: >log.1.xz
	goes_on 3 0
}

# next STATUS FILE ..
next() {
	rm -f s s.* o
	run "-$1" --separate-stderr env NOW="$(date -ud 2026-03-03 +%s)" LATER="${LATER-0}" \
	    LD_PRELOAD="$BATS_FILE_TMPDIR/now.so" dpcount -q --seed=1 -e 1000000 -T 9 \
	    --state=s --init --out=o --log=combined --bucket=1d --next "${@:2}"
}

@test "--next: a log renamed since its names were given is missed" {
	unsanitized "a sanitizer's library comes first"
	mkdir d
	for new in log.1 log-20260303 log-2026030300 log.1.gz log-20260303.xz; do
		rm -f d/*
		requests 2 2 5 >d/log
		requests 2 2 4 >d/"$new"
		next 1 d/log
		[[ $stderr == *"d/$new was made or renamed in the last 10 minutes, and is "* ]]
		[ ! -e s ]
		LATER=700 next 0 d/log
		# in the folder where we are
		cd d
		next 1 log
		[[ $stderr == *": $new was made"* ]]
		cd ..
	done
	# what is given, and what is no rotated log
	rm -f d/*
	requests 2 2 4 >d/log.1
	requests 2 2 5 >d/log
	for other in log.2 log.10 log-2026 log-x log2 other.1 log-20260303-x; do
		requests 2 2 5 >d/$other
	done
	next 0 d/log d/log.1
	[ "$(cut -f 2 o)" = 9 ]
	ln -s d/log current
	next 0 current
}

@test "a log that is copied and not cut yet: refused, for so long as that may last" {
	unsanitized "a sanitizer's library comes first"
	requests 2 2 5 >log
	[ "$(stat -c %W log)" != 0 ] || skip 'files have no time of birth here'
	for part in 1 200 99999; do
		rm -f log.1
		head -c $part log >log.1
		next 1 log log.1
		[[ $stderr == *'log.1: is being rotated: it was just copied'*'run again' ]]
		[ ! -e s ]
	done
	LATER=70 next 0 log log.1
	# nor how long it is: one event more would decide how the run ends
	: >log
	next 1 log.1 log
	LATER=70 next 0 log.1 log
	[ "$(cut -f 2 o)" = 5 ]
}
