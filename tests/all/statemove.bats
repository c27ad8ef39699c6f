# SPDX-License-Identifier: ISC
# --state-move, and what --state-show says: a state that goes on elsewhere.
load ../lib/helper
load ../lib/dying

@test "--state-show: steps left, and the last bucket" {
	echo 1 | dpcount --state=a --init -e 1 -T 9 >out
	dpcount --state=a --state-show | tail -n 4 |
	    diff - <(printf 'step 1\nleft 8\nlast-bucket -\nnext-bucket -\n')
	dpcount --state=b --init -e 1 -t 1 --time-format=iso --bucket=1d --from=2026-05-01 \
	    --to=2026-05-04 </dev/null >out
	dpcount --state=b --state-show | tail -n 4 |
	    diff - <(printf '%s\n' 'step 3' 'left -' 'last-bucket 2026-05-03T00:00:00Z' \
	    'next-bucket 2026-05-04T00:00:00Z')
	# a month, in a zone: the last one is May, which began in summer time
	dpcount --state=c --init -e 1 -T 12 -t 1 --time-format=iso --bucket=1mo --tz=Europe/Berlin \
	    --from=2026-03-01 --to=2026-06-01 </dev/null >out
	dpcount --state=c --state-show | tail -n 4 |
	    diff - <(printf '%s\n' 'step 3' 'left 9' 'last-bucket 2026-05-01T00:00:00+02:00' \
	    'next-bucket 2026-06-01T00:00:00+02:00')
	: | dpcount --state=d --init -e 1 -T 9 --bucket=1h --live >out
	dpcount --state=d --state-show | tail -n 4 |
	    diff - <(printf 'step 0\nleft 9\nlast-bucket -\nnext-bucket -\n')
}

@test "--state-show: --from takes next-bucket as it stands, after days of 23 and 25 hours too" {
	: >none
	for z in Europe/Berlin America/New_York America/Santiago Asia/Kathmandu; do
		for d in 2026-03-07 2026-03-28 2026-04-04 2026-09-05 2026-10-24 2026-10-31; do
			rm -f s
			printf '%s\n' "$d "{0,1,2,3}' day' | date -f - +%F >days
			mapfile -t day <days
			dpcount --state=s --init -e 1 -T 9 -t 1 --time-format=iso --bucket=1d \
			    --tz=$z --from=$d --to="${day[1]}" none >out
			for i in 2 3; do
				dpcount --state=s --from="$(dpcount --state=s --state-show |
				    sed -n 's/^next-bucket //p')" \
				    --to="${day[i]}" none >>out 2>err
				[ ! -s err ]
			done
			mapfile -t lines <out
			[ "${lines[*]:0:3}" = "${lines[*]}" ]
			for i in 0 1 2; do
				[ "${lines[i]:0:10}" = "${day[i]}" ]
			done
		done
	done
}

@test "--state-move: the new one goes on, the old one has ended" {
	seq 3 >in
	dpcount --state=s --init -e 1000000 -r 0:9 -T 9 --witness=w in >out
	mkdir disk
	dpcount --state=s --state-move=disk/t --witness=w -q
	fails 5 dpcount --state=s --witness=w in
	[[ $stderr == 'dpcount: s: was moved by --state-move; use the file '* ]]
	fails 5 dpcount --state=s --init -e 1 -T 9 in
	dpcount --state=s --state-show | grep -x moved
	run -1 grep -a "^column " s
	# again: done; elsewhere: not
	dpcount --state=s --witness=w --state-move=disk/t
	fails 5 dpcount --state=s --state-move=other
	dpcount --state=disk/t --witness=w in | tail -n 1 | grep -x 12
	fails 5 dpcount --state=s --state-move=disk/t
	[[ $stderr == *'has been run since' ]]
	# and on, to where something stands
	cp in disk/u
	fails 5 dpcount --state=disk/t --state-move=disk/u
	cp disk/t disk/v
	fails 5 dpcount --state=disk/v in
	dpcount --state=disk/t --state-move=disk/v --witness=w
	dpcount --state=disk/v --witness=w in | tail -n 1 | grep -x 18
	[ "$(stat -c %a disk/v)" = 600 ]
}

@test "--state-move: what is owed moves, too" {
	seq 3 >in
	run -1 bash -c 'exec dpcount --state=s --init -e 1000000 -r 0:9 -T 9 in >/dev/full'
	dpcount --state=s --state-move=t
	prints dpcount --state=t <<-E
		1
		3
		6
	E
}

@test "--state-move: killed at every effect, after a killed run too, and asked for again" {
	preload
	echo 1 >in
	mkdir d
	for ((n = 1; n < 100; n++)); do
		rm -f s s.* w d/*
		dpcount --state=s --init -e 1000000 -T 9 --witness=w in >out
		# as a run leaves it that dies before the witness has its last line
		seen=$(cut -d ' ' -f 2 w)
		printf '%s %020d\n' "$(cut -d ' ' -f 1 w)" $((10#$seen - 1)) >w
		dying before $n dpcount --state=s --state-move=d/t --witness=w || :
		[ -s reached ] || break
		dpcount --state=s --state-move=d/t --witness=w
		fails 5 dpcount --state=s --witness=w in
		prints dpcount --state=d/t --witness=w in <<<2
	done
	[ "$n" -gt 12 ]
}

@test "--state-move: what does not go with it, and where nothing can stand" {
	echo 1 >in
	dpcount --state=s --init -e 1 -T 9 in >out
	cat s >whole
	fails 2 dpcount --state-move=t
	fails 2 dpcount --state=s --state-move=t in
	for a in --init --state-show -e1 -T9 --explain --out=o --batch=1 --change -n; do
		fails 2 dpcount --state=s --state-move=t "$a"
	done
	for t in s ./s '' nosuch/t in/t s.lock x.tmp "$(printf 'x%.0s' {1..256})"; do
		fails 2 dpcount --state=s --state-move="$t"
	done
	mkdir d
	fails 2 dpcount --state=s --state-move=d/
	fails 5 dpcount --state=nosuch --state-move=t
	fails 5 dpwindow --state=s --state-move=t
	flock -F s.lock sleep 600 3>&- &
	pids+=($!)
	until_true sh -c '! flock -n s.lock true'
	fails 75 dpcount --state=s --state-move=t
	kill "${pids[-1]}"
	wait "${pids[-1]}" || :
	run -1 bash -c 'ulimit -f 0; exec timeout 60 dpcount --state=s --state-move=t'
	cmp whole s
	[ ! -e t ] && [ ! -e t.tmp ]
	dpcount --state=s --state-move=t
}
