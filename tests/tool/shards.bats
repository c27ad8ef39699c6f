# SPDX-License-Identifier: ISC
# More than one machine: dpmap's exact counts of each shard, added up by --partial before the noise
# is drawn, on engines that are there already; and what is refused of such counts.
load ../lib/helper
load ../lib/slurm
load ../lib/dying

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
	pids=()
	range=(--bucket=1h --from=2026-05-01 --to=2026-05-04)
	time=(-t 4 --time-format=clf)
	epoch=(-t 1 --time-format=epoch)
	keys=(--keys=200,404,503)
}

teardown() {
	local p

	slurm_down
	for p in $(jobs -rp); do
		kill "$p" 2>/dev/null || :
	done
	wait
}

# a_log: three days of requests, some from outside the range, some of no declared status
a_log() {
	integers 6000 | awk '{ printf "192.0.2.%d - - [%02d/May/2026:%02d:%02d:07 +0000] " \
	    "\"GET /p%d HTTP/1.1\" %d %d\n", $1 % 40, 1 + int(NR / 1900), NR % 24, $1 % 60, $1 % 7,
	    $1 % 5 ? 200 : $1 % 3 ? 404 : $1 % 2 ? 503 : 301, $1 }' >log
}

# shards N: log, line by line, into shard.0 to shard.N-1
shards() {
	awk -v n="$1" '{ print > ("shard." (NR * 7 + int(NR / 9)) % n) }' log
}

# map ARG ...: every shard to its counts
map() {
	local s

	for s in shard.*; do
		[[ $s != *.part ]] || continue
		dpmap "${range[@]}" "${time[@]}" "$@" "$s" >"$s.part" 2>err
	done
}

# alike COMMAND ...: what it prints of the log is what it prints of the shards, without noise and,
# as one noise is drawn, with a seed.  FROM_LOG: options to read the log with.
alike() {
	local noise

	for noise in '-e inf' '-e 1 --seed 7' '-e 1/3 -d 1e-6 --seed 8'; do
		# shellcheck disable=SC2086
		"$@" $noise "${range[@]}" "${FROM_LOG[@]}" log >raw 2>err
		# shellcheck disable=SC2086
		"$@" $noise "${range[@]}" --partial shard.*.part >merged 2>err
		cmp raw merged
		# in any order, through a pipe
		# shellcheck disable=SC2012,SC2086
		cat $(ls -r shard.*.part) | "$@" $noise "${range[@]}" --partial >merged 2>err
		cmp raw merged
	done
	[ "$(sort -u raw | wc -l)" -gt 20 ]
}

@test "identifiers: shards that have some in common, each once" {
	a_log
	awk 'NR % 90 == 0 { $1 = "a%,@-" NR % 7 } { print }' log >odd
	mv odd log
	shards 4
	map --identifiers -v 1
	FROM_LOG=("${time[@]}" -v 1)
	alike dpdistinct
	alike dpdistinct -w 3h
	alike dpdistinct -w 3h --protect=identifier
	seq 0 36 | sed 's/^/192.0.2./' >names
	dpdistinct -e inf --universe=@names -M cells "${range[@]}" "${time[@]}" -v 1 log >raw 2>err
	dpdistinct -e inf --universe=@names -M cells "${range[@]}" --partial shard.?.part 2>err |
	    diff raw -
	cat shard.?.part | awk '/^[^#]/ { print $2 }' | grep -q 'a%25%2c%40%2d'
	# one answer, of tables
	for s in shard.?; do
		dpmap --once --identifiers -v 1 "$s" >"$s.once" 2>err
	done
	[ "$(dpdistinct -q -e inf --once --partial shard.?.once 2>err)" = \
	    "$(awk '{ print $1 }' log | sort -u | wc -l)" ]
	refuses() {
		run -2 --separate-stderr "${@:2}"
		[[ $stderr == *"$1"* ]]
	}
	for o in --statistic=heavy --deletes --keys=a --tau=2; do
		refuses '--partial: refused with' dpdistinct -e 1 "${range[@]}" --partial $o \
		    shard.?.part
	done
	for o in '-k 1' '-u 1' '-c 1' '-m .' '-r 0:9'; do
		# shellcheck disable=SC2086
		refuses '--identifiers: refused with' dpmap --identifiers $o "${range[@]}" \
		    "${time[@]}" shard.0
	done
	# counts are no identifiers, nor the other way round; nor is what was edited
	dpmap "${range[@]}" "${time[@]}" shard.0 >counts 2>err
	run -3 --separate-stderr dpdistinct -e 1 "${range[@]}" --partial counts
	[[ $stderr == *'counts, and no identifiers'* ]]
	run -3 dpcount -e 1 "${range[@]}" --partial shard.0.part
	sed 's/192\.0\.2\.3\t/192.0.2.4\t/' shard.0.part >edited
	run -3 --separate-stderr dpdistinct -e 1 "${range[@]}" --partial edited
	[[ $stderr == *checksum* ]]
	dpmap --identifiers "${range[@]}" "${time[@]}" -v 1 --check shard.0 2>err | head -n 1 |
	    grep -q 'identifier=192'
}

# a key for hashes, KEY, of 32 bytes
new_key() {
	(umask 077 && head -c 32 /dev/urandom >"$1")
}

@test "--hash-key: hashes for identifiers; another key, none, or a state that does not say which" {
	a_log
	awk 'NR % 90 == 0 { $1 = "a%,@-" NR % 7 } { print }' log >odd
	mv odd log
	shards 4
	new_key k1
	map --identifiers -v 1 --hash-key=k1
	grep -h '^#identifiers' shard.?.part | sort | uniq -c |
	    grep -qx ' *4 #identifiers hashed [0-9a-f]\{32\}'
	run ! grep -qE '192|a%25' <(grep -hv '^#' shard.?.part | cut -f 2 | grep -v '^[0-9a-f]*$')
	FROM_LOG=("${time[@]}" -v 1)
	alike dpdistinct
	alike dpdistinct -w 3h
	alike dpdistinct -w 3h --protect=identifier
	# the same lines give the same part, byte for byte; counts are those of the texts
	dpmap "${range[@]}" "${time[@]}" --identifiers -v 1 --hash-key=k1 shard.2 2>err |
	    cmp - shard.2.part
	dpmap "${range[@]}" "${time[@]}" --identifiers -v 1 shard.2 2>err >texts
	diff <(grep -v '^#' texts | cut -f 1,3 | sort) \
	    <(grep -v '^#' shard.2.part | cut -f 1,3 | sort)
	# another key, no key, and the wrong one of those that are asked for
	new_key k2
	dpmap "${range[@]}" "${time[@]}" --identifiers -v 1 --hash-key=k2 shard.3 2>err >other
	[ -z "$(comm -12 <(grep -v '^#' other | cut -f 2 | sort -u) \
	    <(grep -v '^#' shard.3.part | cut -f 2 | sort -u))" ]
	print=$(sed -n 's/^#identifiers hashed //p' shard.0.part)
	wrong=$(sed -n 's/^#identifiers hashed //p' other)
	dpbudget --init --total=9 L
	cp L before
	while IFS='|' read -r options files why; do
		# shellcheck disable=SC2086
		fails 3 dpdistinct -e 1 -T 99 --budget=L "${range[@]}" --partial $options $files
		[[ $stderr == *":10: the shard has $why"* ]] || { echo "$stderr"; false; }
		[ -z "$output" ]
		[ ! -e s ]
		cmp L before
	done <<-E
	|shard.0.part other|hashes by another key than others
	|shard.0.part texts|identifiers, where others have hashes
	|texts shard.0.part|hashes, where others have identifiers
	--hashed=$wrong|shard.0.part|hashes by another key than --hashed says
	--hashed=$print|texts|identifiers, and no hashes of them
	--universe=a,b -M cells|shard.0.part|hashes, which no --universe
	--state=s --init|shard.0.part|hashes: with --state say by which key, --hashed=$print,
	E
	fails 3 dpcount -e 1 "${range[@]}" --partial shard.0.part
	[[ $stderr == *'the shard has identifiers, and no counts: dpdistinct adds them up'* ]]
	# a state knows the key from its first run on
	for d in 1 2; do
		dpmap "${time[@]}" --identifiers -v 1 --hash-key=k$d --bucket=1h \
		    --from=2026-05-0$d --to=2026-05-0$((d + 1)) log >day$d 2>err
	done
	dpdistinct -e 1 -T 99 --state=s --init --hashed="$print" --bucket=1h --partial \
	    --from=2026-05-01 --to=2026-05-02 day1 >out
	fails 3 dpdistinct --state=s --from=2026-05-02 --to=2026-05-03 day2
	[[ $stderr == *'hashes by another key than --hashed says'* ]]
	# keys that are none, or that others can read
	chmod 640 k2
	printf 0123456789abcde >short
	chmod 600 short
	while IFS='|' read -r k why; do
		fails 3 dpmap "${range[@]}" "${time[@]}" --identifiers -v 1 --hash-key=$k log
		[[ $stderr == *"--hash-key: $why"* ]]
		[ -z "$output" ]
	done <<-'E'
	k2|k2: others may read or change this secret key (mode 640)
	short|short: a key has 16 to 4096 bytes
	nowhere|nowhere: 
	.|.: not a regular file
	E
	fails 2 dpmap "${range[@]}" "${time[@]}" --hash-key=k1 log
	fails 2 dpdistinct -e 1 --once --hashed="$print" log
	fails 2 dpdistinct -e 1 "${range[@]}" --partial --hashed=x shard.0.part
	fails 2 dpdistinct -e 1 "${range[@]}" --partial -P shard.0.part
	[[ $stderr == *'--pan-private: refused with --partial: a checksum of all rows'* ]]
	# digits that are none
	for k in g A ' ' '' 00; do
		sed "12s/.\t1\$/$k\t1/; 12s/.\t\([0-9]*\)\$/$k\t\1/" shard.0.part | seal >bad
		fails 3 dpdistinct -e 1 "${range[@]}" --partial bad
		[[ $stderr == *'bad:12: field 2: not a hash of 32 hexadecimal digits' ]]
	done
}

@test "five shards: every tool that adds up says what it says of the log, with one noise" {
	a_log
	shards 5
	map
	FROM_LOG=("${time[@]}")
	alike dpcount
	alike dpcount -T 100 --expire=24 -B -o csv
	alike dpwindow -w 1,24
	alike dpdecay --half-life=6h
	map -k 9 "${keys[@]}"
	FROM_LOG=("${time[@]}" -k 9)
	alike dpcount "${keys[@]}" -o json
	alike dpwindow -w 1d "${keys[@]}"
	alike dpmaxsum --both "${keys[@]}"
	alike dpmaxsum --both -w 2 "${keys[@]}"
	alike dpmaxsum --both -a .5 "${keys[@]}"
}

@test "values: decimals, below zero, patterns; a shard of another grid is refused" {
	a_log
	shards 3
	map -v 10 -r -2.5:400
	FROM_LOG=("${time[@]}" -v 10)
	alike dpcount -r -2.5:400
	map -m '/p[23] '
	FROM_LOG=("${time[@]}" -m '/p[23] ')
	alike dpcount
	map -m ' 404 ' --fixed
	FROM_LOG=("${time[@]}" -m ' 404 ' --fixed)
	alike dpcount
	fails 3 dpcount -e inf "${range[@]}" -r 0:2 --partial shard.0.part
	[[ $stderr = *'shard.0.part:6: the shard has another --range than this run' ]]
}

@test "totals, zones, logs by name: what is read goes the same way" {
	a_log
	awk '{ n[substr($4, 2, 2)]++ }
	    END { for (d in n) print "2026-05-" d, n[d] * 1000 }' log |
	    sort >totals
	days=(--bucket=1d --from=2026-05-01 --to=2026-05-04)
	dpmap "${days[@]}" -t 1 --time-format=iso -v 2 --unit=1 totals >a.part 2>err
	grep -qx '#unit 1' a.part
	dpcount -e 1 --seed 1 "${days[@]}" -t 1 --time-format=iso -v 2 --unit=1 totals >raw 2>err
	dpcount -e 1 --seed 1 "${days[@]}" --unit=1 --partial a.part >merged 2>err
	cmp raw merged
	fails 3 dpcount -e inf "${days[@]}" --unit=2 --partial a.part
	[[ $stderr = *': the shard has another --unit than this run' ]]
	fails 3 dpcount -e inf "${days[@]}" -r 0:1000000000000 --partial a.part
	shards 2
	zone=(--tz=Europe/Berlin --bucket=1d --from=2026-05-01 --to=2026-05-04)
	for s in 0 1; do
		dpmap "${zone[@]}" --log=common -k status shard.$s --keys=200,404 >z.$s 2>err
	done
	exact "${zone[@]}" --keys=200,404 --partial z.0 z.1 |
	    cmp - <(exact "${zone[@]}" --log=common -k status --keys=200,404 log)
	fails 3 dpcount -e inf "${days[@]}" --keys=200,404 --partial z.0
	fails 3 dpcount -e inf --tz=Europe/Paris "${days[@]}" --keys=200,404 --partial z.0
}

@test "users: K events of each are K in all where shards are split by user, and only there" {
	a_log
	awk '{ split($1, a, "."); print > ("shard." a[4] % 4) }' log
	map -u 1 -c 20
	exact "${range[@]}" "${time[@]}" -u 1 -c 20 log >raw
	exact "${range[@]}" -c 20 --partial=by-user shard.*.part | cmp raw -
	[ "$(tail -n 1 raw | cut -f 2)" = 800 ]
	[ "$(dpcount -e 1 -M input "${range[@]}" -c 20 --partial=by-user --explain=json |
	    jq .noise.scale)" = 20 ]
	run -0 dpcount -e 1 "${range[@]}" -c 20 --partial=by-user -E
	[[ $output = *'all lines of a user are in one shard'* ]]
	[[ $output = *'differ in the events of one user, all present or all absent, of which'* ]]
	[[ $output = *'counts of dpmap, of values that it clamped to 0:1 (-r)'* ]]
	# else it is nobody's bound
	fails 2 dpcount -e 1 "${range[@]}" -c 20 --partial shard.*.part
	[[ $stderr = *'--per-user: needs --partial=by-user'* ]]
	fails 2 dpcount -e 1 "${range[@]}" --partial=by-user shard.*.part
	fails 3 dpcount -e inf "${range[@]}" --partial shard.*.part
	[[ $stderr = *'shard.0.part:8: the shard has another --per-user than this run' ]]
	fails 3 dpcount -e inf "${range[@]}" -c 21 --partial=by-user shard.*.part
	fails 2 dpcount -e 1 -T 99 "${range[@]}" -c 20 --partial=by-user --state=s --init x
	[[ $stderr = *'--partial=by-user: refused with --state'* ]]
	[ ! -e s ]
	# in each step the next day is another step
	map -u 1 -c 1/step
	exact "${range[@]}" "${time[@]}" -u 1 -c 1/step log >raw
	exact "${range[@]}" -c 1/step --partial=by-user shard.*.part | cmp raw -
	fails 3 dpcount -e inf "${range[@]}" -c 1 --partial=by-user shard.*.part
	dpcount -e 1 -T 99 "${range[@]}" -c 1/step --partial=by-user --state=s --init \
	    shard.*.part >out
	dpmap "${time[@]}" -u 1 -c 1/step --bucket=1h --from=2026-05-01 --to=2026-05-02T10:30:00Z \
	    shard.1 >a 2>err
	for m in 00 30; do
		dpmap "${time[@]}" -u 1 -c 1/step --bucket=1h --from=2026-05-02T10:$m:00Z \
		    --to=2026-05-04 shard.1 >b 2>err
		fails 3 dpcount -e inf "${range[@]}" -c 1/step --partial=by-user a b
		[[ $stderr = *'b:4: this shard is given twice' ]]
	done
	# the same shard's next day could hold the same user's next events
	dpmap "${time[@]}" -u 1 -c 20 --bucket=1h --from=2026-05-01 --to=2026-05-02 shard.1 \
	    >a 2>err
	dpmap "${time[@]}" -u 1 -c 20 --bucket=1h --from=2026-05-02 --to=2026-05-04 shard.1 \
	    >b 2>err
	fails 3 dpcount -e inf "${range[@]}" -c 20 --partial=by-user a b
	[[ $stderr = *'b:4: this shard is given twice' ]]
}

@test "a person at a terminal is told where times and values of shards are from" {
	terminal
	a_log
	awk '{ split($1, a, "."); print > ("shard." a[4] % 4) }' log
	map -u 1 -c 20
	script -qec "dpcount -e 1 ${range[*]} -c 20 --partial=by-user shard.0.part" /dev/null \
	    </dev/null >typed
	[[ $(head -n 1 typed) = 'dpcount: values: counts of dpmap; times: field 1, iso, UTC'* ]]
}

@test "an event more in one shard moves one count by one" {
	a_log
	shards 2
	map -k 9 "${keys[@]}"
	dpwindow -e inf -w 1 "${range[@]}" "${keys[@]}" --partial shard.*.part >before 2>err
	echo '192.0.2.9 - - [02/May/2026:10:00:00 +0000] "GET / HTTP/1.1" 404 5' >>shard.1
	map -k 9 "${keys[@]}"
	dpwindow -e inf -w 1 "${range[@]}" "${keys[@]}" --partial shard.*.part >after 2>err
	paste before after | awk '{ for (i = 2; i <= 4; i++) if ($i != $(i + 4)) {
	    n++; ok = $1 ~ /02T10/ && i == 3 && $(i + 4) == $i + 1 } }
	    END { exit !(n == 1 && ok) }'
}

# A loop of the shell is all that it takes
@test "--slice: the slices of a log are the log, of any number of them" {
	local n i

	a_log
	dpcount -q -e inf "${range[@]}" "${time[@]}" -k 9 "${keys[@]}" log >raw 2>err
	for n in 1 2 3 4 5 6 7 30; do
		rm -f shard.*
		for ((i = 1; i <= n; i++)); do
			dpmap "${range[@]}" "${time[@]}" -k 9 "${keys[@]}" --slice=$i/$n log \
			    >shard.$i.part 2>err
		done
		dpcount -q -e inf "${range[@]}" "${keys[@]}" --partial shard.*.part >merged 2>err
		cmp raw merged
		grep -q "^#shard .*/log:1/$n\$" shard.1.part
	done
	# the lines of one are in it alone, and have their numbers in the file
	for i in 1 2 3; do
		dpmap --check "${range[@]}" "${time[@]}" --slice=$i/3 log 2>err
	done >slices
	dpmap --check "${range[@]}" "${time[@]}" log 2>err | cmp - slices
}

@test "--partial: of slices that are not there a notice tells, and -q is silent" {
	local i

	a_log
	for i in 1 2 3 4; do
		dpmap "${range[@]}" "${time[@]}" --slice=$i/4 log >shard.$i.part 2>err
	done
	map() {
		dpcount -e 1 "${range[@]}" --partial "$@" 2>&1 >/dev/null |
		    grep '^dpcount: --partial' || :
	}
	[ -z "$(map shard.?.part)" ]
	cat shard.?.part >all
	[ -z "$(map all)" ]
	[[ $(map shard.[134].part) == *"of the 4 slices of '"*"/log' 1 is missing, the"* ]]
	[[ $(map shard.[134].part) == *" first is 2/4: their lines do not count" ]]
	[[ $(map shard.4.part) == *" 3 are missing, the first is 1/4: their lines do not count" ]]
	[ -z "$(map -q shard.4.part)" ]
	# two files: each by itself; a name of the caller's that only looks like it
	cp log other
	dpmap "${range[@]}" "${time[@]}" --slice=2/2 other >other.part 2>err
	[ "$(map shard.?.part other.part | wc -l)" -eq 1 ]
	[[ $(map shard.?.part other.part) == *"/other' 1 is missing, the first is 1/2: "* ]]
	for n in a:1 a:0/2 a:3/2 :/ a:1/ a:/2 'a:1/2 '; do
		dpmap "${range[@]}" "${time[@]}" --shard="$n" log >named 2>err
		[ -z "$(map named)" ] || { echo "$n"; false; }
	done
}

@test "--slice: of empty files, lines without an end, one line, fewer lines than slices" {
	local n i

	: >empty
	printf '1777593600\n1777593700\n1777593800' >unended
	printf '1777593600%0300000d\n1777593601\n' 0 >huge
	printf '\n\n1777593600\n' >few
	for f in empty unended huge few; do
		dpmap "${range[@]}" "${epoch[@]}" --shard=a $f 2>err | grep -v '^#' >raw || :
		for n in 1 2 3 4 5 6 7; do
			for ((i = 1; i <= n; i++)); do
				dpmap "${range[@]}" "${epoch[@]}" --slice=$i/$n $f 2>err
			done | awk -F '\t' '!/^#/ { s += $3; t = $1 }
			    END { if (s > 0) print t "\t-\t" s }' | cmp raw -
		done
	done
}

@test "--slice: what is refused, and where" {
	a_log
	for s in 0/3 4/3 1/0 3 /3 1/ 1/1000001 -1/3 1/3/3 ' 1/3' 1.0/3; do
		fails 2 dpmap "${range[@]}" "${time[@]}" --slice="$s" log
		[[ $stderr = *"--slice: '$s' must be I/N, with I from 1 to N, and N to 1000000"* ]]
	done
	mkfifo pipe
	for f in pipe /dev/null .; do
		fails 2 dpmap "${range[@]}" "${time[@]}" --slice=1/2 --shard=a $f
		[[ $stderr = *"dpmap: $f: --slice: not a regular file"* ]]
	done
	fails 3 dpmap "${range[@]}" "${time[@]}" --slice=1/2 nowhere
	for f in 'log log' - ''; do
		# shellcheck disable=SC2086
		fails 2 dpmap "${range[@]}" "${time[@]}" --slice=1/2 --shard=a $f <log
		[[ $stderr = *'--slice: needs one FILE'* ]]
	done
	for o in --csv '-H -F,' '-u 1 -c 2/step'; do
		# shellcheck disable=SC2086
		fails 2 dpmap "${range[@]}" "${time[@]}" --slice=1/2 $o log
		[[ $stderr = *'--slice: refused with --'* ]]
	done
	sed -i '5000s/.*/x/' log
	fails 3 dpmap --strict "${range[@]}" "${time[@]}" --slice=5/6 log
	[[ $stderr = *'dpmap: log:5000: field 4: '* ]]
	dpmap --strict "${range[@]}" "${time[@]}" --slice=4/6 log >printed 2>err
}

@test "GNU parallel: eight shards, one noise" {
	needs parallel
	a_log
	shards 8
	parallel --will-cite -j 2 dpmap "${range[@]}" "${time[@]}" -k 9 "${keys[@]}" {} \
	    ::: shard.? >all.part 2>err
	[ "$(grep -c 'NOT PRIVATE' all.part)" -eq 8 ]
	for noise in '-e inf' '-e 1 --seed 3'; do
		# shellcheck disable=SC2086
		dpcount $noise "${range[@]}" "${time[@]}" -k 9 "${keys[@]}" log >raw 2>err
		# shellcheck disable=SC2086
		dpcount $noise "${range[@]}" "${keys[@]}" --partial all.part >merged 2>err
		cmp raw merged
	done
	# a job that fails, and prints nothing or a part, is no shard without events
	cat >map <<-'E'
	#!/bin/sh
	case $1 in *3) exit 1 ;; *5) dpmap "$@" | head -n "${LINES:-99}"; exit 1 ;; esac
	dpmap "$@"
	E
	chmod +x map
	for lines in 0 3 99; do
		LINES=$lines parallel --will-cite -j 2 ./map '{}' "${range[@]}" "${time[@]}" \
		    ::: shard.? >all.part 2>err || true
		fails 3 dpcount -e 1 "${range[@]}" --partial --expect=8 <all.part
		[ -z "$output" ]
	done
	[[ $stderr == 'dpcount: --expect: 7 shards are there, not 8: a dpmap has failed'* ]]
	# a log cut where it lies: each piece has a name of its own
	export range time
	parallel --will-cite -j 2 --pipepart -a log --block 60k dpmap "${range[@]}" "${time[@]}" \
	    --shard='log.{#}' >pieces.part 2>err
	[ "$(grep -c '^#end' pieces.part)" -gt 4 ]
	exact "${range[@]}" --partial pieces.part | cmp - <(exact "${range[@]}" "${time[@]}" log)
}

# literal SECTION: the first text of that section of dpmap(1)'s ENGINES
literal() {
	awk -v section=".Ss $1" '$0 == section { on = 1 } on && $0 == ".Ed" { exit }
	    on > 1 { gsub(/\\e/, "\\"); print } on && /^\.Bd/ { on = 2 }' \
	    "$BATS_TEST_DIRNAME/../../man/dpmap.1"
}

# merged FILE ...: these parts, of so many shards, are the log
merged() {
	exact "${range[@]}" --partial --expect="$1" "${@:2}" |
	    cmp - <(exact "${range[@]}" "${time[@]}" log)
}

@test "engines: GNU parallel, with a job that fails in the middle and is run again" {
	needs parallel
	a_log
	shards 8
	mkdir bin
	cat >bin/dpmap <<-E
	#!/bin/sh
	case \$* in *shard.3) mkdir failed 2>/dev/null && {
		$DP_BUILD/bin/dpmap "\$@" | head -n 15
		exit 1
	} ;; esac
	exec $DP_BUILD/bin/dpmap "\$@"
	E
	chmod +x bin/dpmap
	literal 'GNU parallel' | sed 's/parallel /&--will-cite -j 2 /' >line
	PATH=$PWD/bin:$PATH . ./line 2>err
	[ -d failed ]
	merged 8 shard.?.part
}

@test "Slurm: tasks that fail, are requeued, run twice; then the job that draws the noise" {
	heavy munged slurmctld slurmd sbatch scontrol
	a_log
	shards 8
	slurm_up >why || skip "$(tail -n 1 why)"
	# 2: requeued by itself when half is written; 4: fails once, for whoever runs it next
	cat >array.sh <<-'E'
	#!/bin/sh
	n=$SLURM_ARRAY_TASK_ID
	echo "$n ${SLURM_RESTART_COUNT:-0}" >>ran
	run() {
		dpmap --bucket=1h --from=2026-05-01 --to=2026-05-04 -t 4 --time-format=clf \
		    --shard=$n shard.$n
	}
	if [ $n = 2 ] && [ -z "$SLURM_RESTART_COUNT" ]; then
		run | head -n 20 >tmp.$n
		scontrol requeue "$SLURM_JOB_ID"
		sleep 600
	fi
	if [ $n = 4 ] && mkdir four; then
		run | head -n 20 >tmp.$n
		exit 3
	fi
	run >tmp.$n.$SLURM_JOB_ID && mv tmp.$n.$SLURM_JOB_ID part.$n
	E
	cat >merge.sh <<-'E'
	#!/bin/sh
	[ -e s ] || init=--init
	dpcount -e 1 -T 365 --budget=L --state=s $init --out=private --batch=1 --bucket=1h \
	    --from=2026-05-01 --to=2026-05-04 --partial --expect=8 part.?
	E
	dpbudget --init --total=9 L
	timeout 500 sbatch --wait -o 'map.%a' --array=0-7 --requeue array.sh || status=$?
	[ "${status-0}" -ne 0 ]
	# the one that was requeued is there; the merge, begun by hand, misses the one that failed
	grep -qx '2 1' ran
	merge() {
		timeout 500 sbatch --wait -o merge.log merge.sh
	}
	! merge
	grep -q 'expect: 7 shards are there, not 8' merge.log
	[ ! -e private ] && [ ! -e s ]
	dpbudget --show L | grep -q '^charges  *0$'
	# that one again; another twice at once; and one that is half there
	timeout 500 sbatch --wait -o 'map.%a' --array=4 array.sh
	for n in 5 5; do
		timeout 500 sbatch --parsable -o 'map.%a.%j' --array=$n array.sh
	done >ids
	cp part.6 six
	head -n 30 six >part.6
	! merge
	cp six part.6
	timeout 500 sbatch --wait --dependency="afterok:$(paste -sd : ids)" -o merge.log merge.sh
	merged 8 part.?
	# what a merge that is run once more prints is what it printed, and costs nothing
	cp private first
	[ "$(wc -l <private)" -eq 72 ]
	merge
	cmp private first
	dpbudget --show L | grep -q '^charges  *1$'
}


@test "Dask: two workers, one of which dies with its task; a file that cannot be read" {
	heavy dask-scheduler dask-worker python3
	local i port python=/usr/bin/python3 example=$BATS_TEST_DIRNAME/../../man/examples

	$python -c 'import distributed' || skip 'no distributed for python3'
	a_log
	shards 6
	mkdir bin
	cat >bin/dpmap <<-E
	#!/bin/sh
	echo x >>ran
	case \$* in *shard.3) mkdir killed 2>/dev/null && kill -9 \$PPID && exit 1 ;; esac
	exec $DP_BUILD/bin/dpmap "\$@"
	E
	chmod +x bin/dpmap
	port=$(free_port)
	dask-scheduler --host 127.0.0.1 --port "$port" --no-dashboard >s.log 2>&1 3>&- &
	for i in 1 2; do
		PATH=$PWD/bin:$PATH dask-worker "tcp://127.0.0.1:$port" --no-nanny --no-dashboard \
		    --nthreads 1 --host 127.0.0.1 --local-directory w$i >w$i.log 2>&1 3>&- &
	done
	literal Dask | sed "s|python3 dputils|timeout 300 $python $example/dputils|
	    s|tcp://scheduler:8786|tcp://127.0.0.1:$port|; s/dpcount/& -q --seed=4/" >lines
	. ./lines >private 2>err
	[ -d killed ]
	[ "$(wc -l <ran)" -ge 7 ]
	dpcount -q -e 1 --seed=4 "${range[@]}" "${time[@]}" log 2>err | cmp - private
	merged 6 parts/*.part
	# a file that is not there: its name is said, and what is there is not enough
	rm -r parts
	run -1 timeout 300 $python "$example/dputils_dask.py" "tcp://127.0.0.1:$port" parts \
	    "${range[*]} ${time[*]}" shard.0 nowhere
	[[ $output == *'1: dpmap: status 3: dpmap: '*nowhere* ]]
	[ ! -e parts/1.part ]
	fails 3 dpcount -e 1 "${range[@]}" --partial --expect=@parts/names parts/*
}

@test "Spark, Hadoop streaming, Beam, Kafka: the page's texts, piped as these pipe" {
	needs python3
	local i
	export PYTHONPATH=$BATS_TEST_DIRNAME/../../man/examples PYTHONDONTWRITEBYTECODE=1

	a_log
	literal Spark | python3 "$BATS_TEST_DIRNAME/../lib/engines.py" spark log 5 >number
	[ "$(cat number)" = 5 ]
	merged 5 <(cat parts/part-*)
	rm -r parts
	literal Beam | python3 "$BATS_TEST_DIRNAME/../lib/engines.py" beam log 0
	merged 5 <(cat part-*)
	rm part-*
	# five splits, of which one is read twice, and one by two machines
	literal 'Hadoop streaming' >map.sh
	shards 5
	mkdir parts
	for i in 0 1 2 3 4 3; do
		mapreduce_task_id=task_1_0001_m_00000$i sh ./map.sh <shard.$i 2>err |
		    sed '/\t/!s/$/\t/' >parts/part-0000$i
	done
	awk '/^\.Ss Beam/ { exit } /^\.Ss Hadoop/ { on = 1 } on' \
	    "$BATS_TEST_DIRNAME/../../man/dpmap.1" | sed -n '/^cat parts/,/^\.Ed/p' |
	    sed '/^\.Ed/d; s/\\e/\\/g; s/-e 1/-q -e inf/' >lines
	. ./lines 2>err | cmp - <(exact "${range[@]}" "${time[@]}" log)
	rm shard.*
	# a batch is a step; it is read twice, and then another
	mkdir bin offsets
	cat >bin/kcat <<-'E'
	#!/bin/sh
	while getopts Cqb:t:p:o:c: c; do
		case $c in p) p=$OPTARG ;; o) o=$OPTARG ;; c) c=$OPTARG ; n=$c ;; esac
	done
	tail -n +$((o + 1)) topic.$p | head -n $n
	E
	chmod +x bin/kcat
	split -n l/3 -d -a 1 log topic.
	printf '0 0 700\n1 0 650\n' >offsets/1
	printf '0 700 1200\n1 650 651\n2 0 900\n' >offsets/2
	literal Kafka | sed 's/-e 1 /-q -e 1000000 /' >lines
	PATH=$PWD/bin:$PATH
	for n in 1 1 2 2; do
		(. ./lines 2>err)
	done >private
	[ "$(cut -f 2 private)" = $'1350\n1350\n2751\n2751' ]
}

@test "compressed files, by name and by a pipe" {
	needs zstd
	a_log
	zstd -q log -o log.zst
	literal 'Parquet, compressed files' | sed '/^duckdb/,$d' >lines
	. ./lines 2>err
	dpmap "${range[@]}" "${time[@]}" --shard=log log.zst 2>err | cmp - log.part
	merged 1 log.part
}

@test "a partial a day: a state goes on, each day's noise is drawn once" {
	a_log
	shards 2
	for d in 1 2 3; do
		day=(--bucket=1h --from=2026-05-0$d --to=2026-05-0$((d + 1)))
		for s in 0 1; do
			dpmap "${day[@]}" "${time[@]}" shard.$s >part.$s.$d 2>err
		done
	done
	dpcount -e 1 -T 100 --seed 5 --state=s --init --batch=1 "${time[@]}" --bucket=1h \
	    --from=2026-05-01 --to=2026-05-02 log >raw 2>err
	dpcount -e 1 -T 100 --seed 5 --state=p --init --batch=1 --bucket=1h \
	    --from=2026-05-01 --to=2026-05-02 --partial part.?.1 >merged 2>err
	for d in 2 3; do
		day=(--from=2026-05-0$d --to=2026-05-0$((d + 1)))
		dpcount --state=s --batch=$d "${day[@]}" log >>raw 2>err
		# what is refused leaves the state as it was
		fails 3 dpcount --state=p --batch=$d "${day[@]}" part.0.$d <(cat part.0.$d)
		dpcount --state=p --batch=$d "${day[@]}" part.?.$d >>merged 2>err
		dpcount --state=p --batch=$d "${day[@]}" part.?.$d >again 2>err
		tail -n 24 merged | cmp - again
	done
	cmp raw merged
	[ "$(wc -l <merged)" -eq 72 ]
	# two days of a shard are no shard twice
	exact "${range[@]}" --partial part.?.? | cmp - <(exact "${range[@]}" "${time[@]}" log)
}

@test "a merge that is killed anywhere, and run again: one output, charged once" {
	local n how=before states=0

	a_log
	shards 2
	map
	preload
	merge() {
		local init=

		[ -e s ] || init=--init
		"$@" dpcount -q -e 1 -T 365 --budget=L --state=s $init --out=out --batch=1 \
		    "${range[@]}" --partial --expect=2 shard.?.part
	}
	for ((n = 1; n < 400; n++)); do
		rm -f s s.* out L L.*
		dpbudget --init --total=9 L
		merge dying $how $n >printed 2>err || :
		[ -s reached ] || break
		[ ! -e out ] || cp out before
		[ ! -e s ] || states=$((states + 1))
		merge >printed 2>err
		[ "$(wc -l <out)" -eq 72 ]
		[ ! -s before ] || head -c "$(wc -c <before)" out | cmp - before
		rm -f before
		cp out first
		merge >printed 2>err
		cmp out first
		dpbudget --show L >shown
		grep -q "^spent  *epsilon 1, " shown
		[ $how = before ] && how=after || how=before
	done
	[ "$n" -gt 20 ] && [ "$states" -gt 8 ]
}

@test "shards without lines, and without any that count, are whole" {
	a_log
	: >shard.0
	cp log shard.1
	echo nonsense >shard.2
	map
	[ "$(tail -n 2 shard.0.part | head -n 1)" = '#end 0' ]
	FROM_LOG=("${time[@]}")
	alike dpcount
	exact "${range[@]}" --partial shard.0.part |
	    cmp - <(exact "${range[@]}" "${time[@]}" /dev/null)
}

# seal: a block's lines, and their checksum
seal() {
	sed '/^#blake2b/d' >unsealed
	cat unsealed
	echo "#blake2b $(b2sum -l 256 <unsealed | cut -d ' ' -f 1)"
}

# block SUM ...: a shard with these rows of one hour
block() {
	rows "$@" | seal
}

rows() {
	dpmap --bucket=1h --from=2026-05-01 --to=2026-05-02 "${epoch[@]}" \
	    --shard="${name:-a}" -r "$r" \
	    /dev/null 2>err | sed '/^#end/,$d'
	printf '2026-05-01T05:00:00Z\t-\t%s\n' "$@"
	echo "#end $#"
}

@test "large counts: up to 2^61 in a shard, and any in all" {
	r=0:1
	day=(--bucket=1h --from=2026-05-01 --to=2026-05-02)
	block 2305843009213693951 >a
	exact "${day[@]}" --partial a | tail -n 1 | grep -q '	2305843009213693951$'
	name=b block 7 >b
	exact "${day[@]}" --partial a b | tail -n 1 | grep -q '	2305843009213693958$'
	for sum in 2305843009213693953 99999999999999999999999999999999999999999999; do
		block $sum >a
		fails 3 dpcount -e inf "${day[@]}" --partial a
		[[ $stderr = *'a:10: field 3: not a whole number within 2^61' ]]
	done
}

@test "--expect: shards that are missing, too many, of a part of the time; before any charge" {
	printf '%s\n' a b a >l
	set -- -q --bucket=1d -t 1 --time-format=iso
	echo 2026-05-01 >log
	for s in 1 2 'a b'; do
		dpmap "$@" --from=2026-05-01 --to=2026-05-04 --shard="$s" log >"p$s" 2>err
	done
	dpmap "$@" --from=2026-05-01 --to=2026-05-02 --shard=3 log >p3a 2>err
	dpmap "$@" --from=2026-05-02 --to=2026-05-04 --shard=3 log >p3b 2>err
	run=(dpcount -q -e 1 --bucket=1d --from=2026-05-01 --to=2026-05-04)
	printf '1\n3\r\na b\n' >names
	for good in '2 p1 p2' '3 p1 p2 p3b p3a' '@names p3a p1 p3b pa?b'; do
		# shellcheck disable=SC2086
		"${run[@]}" --partial --expect=${good%% *} ${good#* } >/dev/null
		# shellcheck disable=SC2086
		cat ${good#* } | "${run[@]}" --partial --expect="${good%% *}" >/dev/null
	done
	dpbudget --init --total=1 L
	cp L before
	: >empty
	cp p1 again
	while IFS='|' read -r expect files why; do
		# shellcheck disable=SC2086
		cat $files >all
		for how in files pipe; do
			set -- -T 9 --budget=L --state=s --init --out=out --expect="$expect"
			case $how in
			# shellcheck disable=SC2086
			files) fails 3 "${run[@]}" "$@" --partial $files ;;
			pipe) fails 3 bash -c 'cat all | "$@"' x "${run[@]}" "$@" --partial ;;
			esac
			[[ $stderr == *"$why"* ]] || { echo "$stderr"; false; }
			cmp L before
			[ ! -e s ] && [ ! -e out ]
		done
	done <<-'E'
	3|p1 p2|2 shards are there, not 3
	1|p1 p2|2 shards are there, not 1
	2|p1 again|this shard is given twice
	2|p1 p3a|the shard '3' lacks the time from 2026-05-02T00:00:00Z to --to
	2|p1 p3b|the shard '3' lacks the time from 2026-05-01T00:00:00Z to --to
	@names|p1 p3a p3b|is missing
	@names|p1 p2 p3a p3b pa?b|the shard '2' is not in the list
	E
	fails 3 "${run[@]}" --partial --expect=2 p1 empty
	[[ $stderr == *'empty: no partial counts'* ]]
	mkfifo fifo
	fails 2 "${run[@]}" --budget=L --partial --expect=1 fifo
	[[ $stderr == *'fifo is no file'* ]]
	"${run[@]}" --partial --expect=2 <(cat p1) <(cat p2) >/dev/null
	fails 3 "${run[@]}" --partial --expect=3 <(cat p1) <(cat p2)
	[ -z "$output" ]
	for bad in 0 x @empty @nosuch; do
		fails 2 "${run[@]}" --partial --expect=$bad p1
	done
	fails 2 "${run[@]}" -t 1 --time-format=iso --expect=1 log
}

@test "bad input: rows" {
	r=0:1
	day=(--bucket=1h --from=2026-05-01 --to=2026-05-02)
	# without any noise the exit status alone would tell: nothing is printed, and the place is
	refused() {
		fails 3 dpcount -e 1 "${day[@]}" "$@" --partial bad
		[ -z "$output" ]
		[ "$(wc -l <<<"$stderr")" -eq 1 ]
		[[ $stderr = "dpcount: bad:$place: $why" ]]
		silent_about SECRET <(echo "$stderr")
	}
	place=10 why='field 3: not a whole number within 2^61'
	for sum in 1.5 1e3 nan '' ' 1' '1 ' +1 0x1 -- SECRET 1,0; do
		block "$sum" >bad
		refused
	done
	why='field 3: a sum of values within --range has not this sign'
	block -1 >bad
	refused
	why='field 3: not a number of as many decimals as --range, within 2^61 units'
	for sum in 1 1.5 1.555 .55 1.5x 1..5; do
		r=0:1.00 block "$sum" >bad
		refused -r 0:1.00
	done
	r=-1:0
	why='field 3: a sum of values within --range has not this sign'
	block 1 >bad
	refused -r -1:0
	r=0:1
	why='field 1: not the start of a bucket of this shard'
	for t in 2026-05-01T05:00:01Z 2026-05-02T00:00:00Z 2026-04-30T23:00:00Z SECRET '' \
	    2026-05-01T05:00:00Z2026-05-01T05:00:00Z; do
		block 1 | sed "s/^2026.*Z/$t/" >bad
		refused
	done
	why='not a row of three fields'
	block 1 | sed 's/\t1$//' >bad
	refused
	echo >>bad && sed -i '10s/.*//' bad
	refused
	why='field 2: a key, where there are none'
	block 1 | sed 's/\t-/\tSECRET/' >bad
	refused
	keys=(--keys=200,%,-)
	for k in SECRET %zz %2 %25%25 20 2000 "$(printf %04000d 0)"; do
		dpmap "${day[@]}" "${epoch[@]}" -k 2 "${keys[@]}" --shard=a /dev/null 2>err |
		    sed '/^#end/,$d' >bad
		printf '2026-05-01T05:00:00Z\t%s\t1\n#end 1\n' "$k" >>bad
		why='field 2: no declared key'
		refused "${keys[@]}"
	done
	for k in 200 %25 %2d; do
		sed -i "10s/.*/2026-05-01T05:00:00Z\t$k\t1/" bad
		seal <bad >good
		mv good bad
		dpcount -e 1 "${day[@]}" "${keys[@]}" --partial bad >out
	done
}

@test "bad input: shards that are cut, twice there, or made by other rules" {
	a_log
	shards 2
	map
	try() {
		fails 3 dpcount -e 1 "${range[@]}" --partial "$@"
		[ -z "$output" ]
	}
	cp shard.0.part again
	try shard.0.part again
	[[ $stderr = 'dpcount: again:4: this shard is given twice' ]]
	cat shard.0.part shard.1.part shard.0.part >three
	try three
	[[ $stderr = *"three:$(($(cat shard.?.part | wc -l) + 4)): this shard is given twice" ]]
	# cut anywhere: in the first line, in the others, in a row, before the end, in its number
	n=$(wc -c <shard.0.part)
	for cut in 0 1 70 72 100 200 400 $((n - 80)) $((n - 74)) $((n - 8)) $((n - 1)); do
		head -c "$cut" shard.0.part >cut
		try shard.1.part cut
		try cut shard.1.part
	done
	# in the middle of a line of its beginning: which, and that it may be cut there
	for line in $(seq 5 8); do
		{ head -n $((line - 1)) shard.0.part; sed -n "${line}s/.\$//p" shard.0.part; } >bad
		printf %s "$(cat bad)" >cut
		try cut
		[[ $stderr = *"cut:$line: "*cut\ short* ]] || { echo "$line $stderr"; false; }
	done
	sed 10d shard.0.part >bad
	try bad
	[[ $stderr = *': rows are missing, or there are too many: copy the shard again'* ]]
	head -c 2000000 /dev/zero >long
	for text in log /dev/null long; do
		try "$text"
	done
	for line in 1 3 4 5 6 7 8 9; do
		sed "${line}s/ .*/ 1/" shard.0.part >bad
		try shard.1.part bad
		[[ $stderr = *bad:[1-9]:* ]]
	done
	# one more line, one less, another order
	for edit in 2d 2p 5d '5{h;d};6G' '9a#end 0'; do
		sed "$edit" shard.0.part >bad
		try shard.1.part bad
	done
	dpmap --bucket=1h --from=2026-05-01 --to=2026-05-05 "${time[@]}" shard.0 >bad 2>err
	try bad
	[[ $stderr = *"bad:4: the shard's times are not within --from and --to" ]]
}

@test "bad input: a shard that is damaged in any way is refused, before anything is released" {
	local f n=0 rows=

	range=(--bucket=1h --from=2026-05-01 --to=2026-05-02)
	for s in a b; do
		rows+=x			# the two differ
		printf '%s\n' 1777611600,x 1777615200,x 17776188${#rows}0,y |
		    dpmap "${range[@]}" "${epoch[@]}" -F , -k 2 --keys=x,y,z --shard=$s - >$s 2>err
	done
	head -n -1 a | b2sum -l 256 | sed 's/^/#blake2b /; s/  -$//' | diff - <(tail -n 1 a)
	mkdir bad
	# cut, a bit flipped, a line removed, repeated, swapped with the next, two shards merged
	perl -e 'local $/; sub slurp { open F, shift; <F> } sub spill { open F, ">bad/" . shift;
	    print F @_; close F } my ($a, $b) = map slurp($_), @ARGV;
	    for ($i = 0; $i < length $a; $i++) {
		spill("cut.$i", substr $a, 0, $i) if $i % 11 == 0 || $i > length($a) - 4;
		$c = $a; substr($c, $i, 1) ^= chr(1 << $i % 8);
		spill("flip.$i", $c) if $i % 6 == 0; }
	    @a = split /^/, $a; @b = split /^/, $b;
	    for ($i = 0; $i < @a; $i++) {
		@c = @a; splice @c, $i, 1; spill("less.$i", @c);
		@c = @a; splice @c, $i, 0, $a[$i]; spill("more.$i", @c);
		@c = @a; @c[$i, $i + 1] = @c[$i + 1, $i]; spill("swap.$i", @c) if $i < $#a;
		spill("halves.$i", @a[0 .. $i - 1], @b[$i .. $#b]) if $i > 1 && $i < $#a;
		spill("wove.$i", @a[0 .. $i - 1], @b, @a[$i .. $#a]) if $i > 0; }
	    $c = $a; $c =~ s/\n/\r\n/g; spill("crlf.0", $c); spill("twice.0", $a, $a);
	    spill("sorted.0", sort @a); spill("both.0", sort @a, @b);' a b
	for f in bad/*; do
		fails 3 timeout 60 dpcount -e 1 "${range[@]}" --keys=x,y,z -q --partial "$f"
		[ -z "$output" ]
		n=$((n + 1))
	done
	[ "$n" -gt 150 ]
	cat b a | dpcount -e inf "${range[@]}" --keys=x,y,z --partial 2>err | wc -l | grep -x 24
	# what an earlier version printed, or a later one
	sed 's/^#dpmap 2/#dpmap 1/; /^#blake2b/d' a >old
	fails 3 dpcount -e 1 "${range[@]}" --keys=x,y,z --partial old
	[[ $stderr == *'old:1: the shard was printed by an earlier dpmap, without a checksum;'* ]]
	sed 's/^#dpmap 2/#dpmap 3/' a >new
	fails 3 dpcount -e 1 "${range[@]}" --keys=x,y,z --partial new
	[[ $stderr == *'another version of dpmap, or is damaged' ]]
}

@test "bad input: options that do not go with --partial, or not with dpmap" {
	a_log
	for o in '-u 1 -c 2' '-k 1 --keys=a' '-v 1' '-m x' '-t 1' '-F x' --csv --tsv -H --strict \
	    --time-format=clf '--cut=(?<a>x)' --log=syslog --json --where=x; do
		# shellcheck disable=SC2086
		fails 2 dpcount -e 1 "${range[@]}" --partial $o log
		[[ $stderr = *': refused with --partial (events were read by dpmap)'* ]]
		[[ $o != '-k 1'* || $stderr = *'; give --keys without --key, the same as '* ]]
	done
	# keys are told, and how: no key is shown
	dpmap "${range[@]}" "${time[@]}" -k 9 --keys=200,404 --shard=a log >a.part 2>err
	fails 3 dpcount -e 1 "${range[@]}" --partial a.part
	[[ $stderr = *'a.part:9: dpmap had --keys: give them here, too, without --key' ]]
	for o in --keys=200 --keys=404,200; do
		fails 3 dpcount -e 1 "${range[@]}" $o --partial a.part
		[[ $stderr = *'a.part:9: dpmap had other --keys (or --queries), or in '* ]]
	done
	dpmap "${range[@]}" "${time[@]}" --shard=b log >b.part 2>err
	fails 3 dpcount -e 1 "${range[@]}" --keys=200,404 --partial b.part
	[[ $stderr = *'b.part:9: dpmap had no --keys: leave them out here, or run it with '* ]]
	dpcount -e 1 "${range[@]}" --keys=200,404 --partial a.part >printed
	fails 2 dpmaxsum -e 1 "${range[@]}" --partial --columns=3 log
	fails 2 dpcount -e 1 --partial log
	[[ $stderr = *'--partial needs --bucket, --from and --to'* ]]
	fails 2 dpcount -e 1 --partial --bucket=1h --live log
	fails 2 dpcount -e 1 "${range[@]}" --partial=users log
	[[ $stderr = *"--partial: 'users' must be by-user, or nothing"* ]]
	fails 2 dpcount -e 1 "${range[@]}" --partial by-user
	[[ $stderr = *"'by-user' stands apart"* ]]
	fails 2 dpdistinct -e 1 --partial log
	for o in '-e 1' '-d 1' '-T 3' '-M tree' --seed=1 '-o csv' -E -n -B --live --public-times \
	    --gap=3 --state=s --partial -P --line-buffered --nonnegative \
	    --budget=b --within=3; do
		# shellcheck disable=SC2086
		fails 2 dpmap "${range[@]}" "${time[@]}" $o log
		[[ $stderr = *': dpmap does not take this option'* ]]
	done
	for o in '' --bucket=1h '--from=1 --to=2' '--bucket=1h --from=1' \
	    '--bucket=1h --from=2 --to=1'; do
		# shellcheck disable=SC2086
		fails 2 dpmap $o "${time[@]}" log
		[ -z "$output" ]
	done
	for f in - /dev/null; do
		fails 2 dpmap "${range[@]}" "${epoch[@]}" $f
		[[ $stderr = *'--shard is required where input is not all regular files'* ]]
	done
	run -0 --separate-stderr dpmap --check "${range[@]}" "${time[@]}" - <<<"$(head -n 1 log)"
	[[ $output = 'standard input:1	value=1	time=2026-05-0'* ]]
	fails 2 dpcount --check "${range[@]}" --partial log
	fails 3 dpmap "${range[@]}" "${epoch[@]}" nowhere
	fails 2 dpmap "${range[@]}" "${epoch[@]}" --shard= log
	fails 2 dpmap "${range[@]}" "${epoch[@]}" --shard="$(printf %05000d 0)" log
	# a name of any bytes comes back as one; that of files is theirs, wherever they are called
	dpmap "${range[@]}" "${epoch[@]}" --shard=$'a b\t%\n#' log 2>err |
	    grep -qxF '#shard a%20b%09%25%0a#'
	mkdir d
	dpmap "${range[@]}" "${epoch[@]}" log 2>err >here
	(cd d && dpmap "${range[@]}" "${epoch[@]}" ../log 2>err) | cmp here -
	cp log log2
	dpmap "${range[@]}" "${epoch[@]}" log log2 2>err >there
	run ! cmp -s here there
}

@test "dpmap says that it is not private, on both sides, -q or not; exits 1 on a full disk" {
	a_log
	dpmap -q "${range[@]}" "${time[@]}" log >out 2>err
	[[ $(head -n 1 out) = *'NOT PRIVATE'* ]]
	[ "$(cut -d : -f 1-2 err)" = 'dpmap: exact counts, NOT PRIVATE' ]
	fails 1 bash -c 'dpmap "$@" >/dev/full' - "${range[@]}" "${time[@]}" log
	# stopped, it has no end, and is refused
	dpmap "${range[@]}" "${time[@]}" --shard=a <log - >out 2>err
	head -n -1 out >cut
	fails 3 dpcount -e 1 "${range[@]}" --partial cut
	[[ $stderr = *'cut: the last shard is cut off' ]]
}
