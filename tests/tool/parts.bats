# SPDX-License-Identifier: ISC
# dpmap --for=TOOL: what a tool of values adds up of each shard, added up by its --partial: byte for
# byte what one process prints of all lines; and what is refused of such parts.
load ../lib/helper

setup() {
	set +T
	cd "$BATS_TEST_TMPDIR" || return
	range=(--bucket=1h --from=2026-05-01 --to=2026-05-04)
	form=(-F , -t 1 --time-format=iso)
}

# a_log: time, key, value, user, status; some lines that are none, and values beyond any range
a_log() {
	integers 16000 | awk '{ x = 1000 * x + $1 }
	    NR % 4 == 0 { printf "2026-05-%02dT%02d:%02d:00Z,%s,%.3f,u%d,%d\n",
	    1 + x % 3, int(x / 3) % 24, int(x / 72) % 60, substr("abcd", 1 + int(x / 7) % 4, 1),
	    int(x / 11) % 400 / 10 - 5, int(x / 13) % 60, x % 5 ? 200 : 500; x = 0 }
	    NR % 97 == 0 { print "2026-05-02T01:00:00Z,a,none,u1,200" }' >log
}

# split_log N SEED: lines to shard.1 to shard.N at random; users stay together in user.1 to user.N
split_log() {
	awk -F , -v n="$1" -v seed="$2" 'BEGIN { srand(seed) }
	    { print >("shard." 1 + int(rand() * n)); print >("user." 1 + substr($4, 2) % n) }' log
}

# whole_and_parts: on standard input TOOL|OPTIONS|OPTIONS of dpmap and of the log|OPTIONS of the
# release|by-user.  All of the log, and the sum of its parts, in any order: the same bytes, without
# noise and with one seed.
whole_and_parts() {
	local tool both map release by noise n=0 s kind

	while IFS='|' read -r tool both map release by; do
		kind=shard
		[[ -z $by ]] || kind=user
		for noise in '-e 1 --seed 5' '-e inf'; do
			# what depends on epsilon is as without it where there is no noise
			[[ $noise != *inf ]] || map=${map/-e 1/}
			for s in $kind.?; do
				# shellcheck disable=SC2086
				dpmap --for="$tool" "${range[@]}" "${form[@]}" $map $both "$s" \
				    >"$s.part" 2>err ||
				    { echo "dpmap $tool $map $both"; cat err; return 1; }
			done
			# shellcheck disable=SC2086
			"$tool" $noise "${range[@]}" "${form[@]}" ${map/-e 1/} $both $release log \
			    >raw 2>err || { echo "$tool $map $both $release"; cat err; return 1; }
			# shellcheck disable=SC2086
			shuf --random-source=log -e $kind.?.part | xargs cat | "$tool" $noise \
			    "${range[@]}" $both $release --partial${by:+=$by} >merged 2>err ||
			    { echo "$tool $both $release"; cat err; return 1; }
			cmp raw merged || { echo "$tool $both $release"; return 1; }
		done
		[ "$(sort -u raw | wc -l)" -gt 20 ]
		n=$((n + 1))
	done
	[ "$n" -gt 0 ]
}

# seal: a block's lines, and their checksum
seal() {
	sed '/^#blake2b/d' >unsealed
	cat unsealed
	echo "#blake2b $(b2sum -l 256 <unsealed | cut -d ' ' -f 1)"
}

@test "means and shares: of parts what one process has, whatever the split" {
	a_log
	split_log 5 1
	whole_and_parts <<-'E'
	dpmean|-r 0:20.0|-v 3 -e 1|--statistic=mean,sum -w 1,24 -B
	dpmean|-r 0:20.0 --statistic=sd,count|-v 3 -e 1|--half-life=6
	dpmean|-m ^5|-v 5|--running
	dpmean|-r 0:20.0 --sampling --keys=a,b,c|-v 3 -e 1 -k 2|-B --independent
	dpmean|-r 0:20 --weight=5:300 --of=3|-e 1|-w 24
	dpmean|-r 0:20.0 -k 2,5 --keys=a,b,c/200,500|-v 3 -e 1|--margins -B
	dpmean|-r 0:9 -c 1/step --each-user=max --sampling|-u 4 -v 3 -e 1|-B|by-user
	dpmean|-r 0:20.0 -c 3/step|-u 4 -v 3 -e 1|-w 1,2|by-user
	dpmean|-c 1/step --each-user=any -m ^500|-u 4 -v 5|-w 24|by-user
	E
}

@test "-r auto and -c auto: of parts what one process has, whatever the split" {
	a_log
	split_log 3 4
	whole_and_parts <<-'E'
	dpcount|-r auto|-v 3 -e 1|
	dpwindow|-r auto:1000.0 --keys=a,b,c|-v 3 -k 2 -e 1|-w 24
	dpdecay|-r auto|-v 5 -e 1|--half-life=12
	dpcount|-c auto|-u 4 -e 1||by-user
	dpwindow|-c 1/step --each-user=sum -r auto|-u 4 -v 5 -e 1|-w 1|by-user
	dpcount|-r 0:20.0 --keys=a,b,c|-v 3 -k 2|
	E
	# totals with noise of their own are made of plain sums
	printf '%s\n' a,x b,x c,y >tree
	whole_and_parts <<-'E'
	dpcount|-r 0:20.0 -k 2,5 --keys=a,b,c/200,500|-v 3|--margins=.3 -B
	dpwindow|-r 0:20.0 --keys=a,b,c|-v 3 -k 2|-w 1,24 --margins=.5
	dpcount|--keys=a,b,c,d|-k 2|--hierarchy=tree --margins=.2
	dpcount|--keys=a,b,c -c 1/step --each-user=sum -r 0:20|-k 2 -u 4 -v 3|--margins=.5|by-user
	dpcount|--keys=a,b,c -c 9|-k 2 -u 4|--margins=.5 -d 1e-6|by-user
	E
	# one part serves the three
	dpmap --for=dpcount "${range[@]}" "${form[@]}" -v 3 -e 1 -r auto log >part 2>err
	dpdecay -q -e 1 "${range[@]}" -r auto --half-life=12 --partial part >merged 2>err
	for why in 'made for this tool with other options|-e .001 -r auto' \
	    'made for this tool with other options|-e 1 -r auto:99' \
	    'run dpmap without --for|-e 1 -r 0:9'; do
		# shellcheck disable=SC2086
		fails 3 dpcount -q ${why#*|} "${range[@]}" --partial part
		[[ $stderr == *"${why%|*}"* ]] || { echo "$why $stderr"; false; }
	done
	dpmap "${range[@]}" "${form[@]}" -v 3 -r 0:9 log >part 2>err
	fails 3 dpcount -e 1 -r auto "${range[@]}" --partial part
	[[ $stderr == *'the shard has plain counts: run dpmap with --for'* ]]
}

@test "quantiles and histograms: of parts what one process has, whatever the split" {
	a_log
	split_log 4 2
	whole_and_parts <<-'E'
	dpquantile|-r 0:20|-v 3|--quantile=.1,.5,.9 -w 1,24
	dpquantile|-r 0:20.0 --bins=30 --keys=a,b,c|-v 3 -k 2|-B
	dpquantile|-r 1:2000 --log-bins|-v 3|--running
	dpquantile|--histogram --bins=0,1,5,10.5,20|-v 3|-w 2
	dpquantile|-r 0:20 --keys=a,b,c|-v 3 -k x --let=x=2:first|--difference=b
	dpquantile|-r 0:20 -c 1/step --each-user=mean|-u 4 -v 3|-w 1|by-user
	E
}

@test "names that nobody declared: of parts what one process has, whatever the split" {
	a_log
	split_log 4 5
	whole_and_parts <<-'E'
	dptop||-k 4|-d 1e-6
	dptop|--keys=u1,u7|-k 4|-d 1e-6 -w 1 --top=9 -B
	dptop||-k 4,5|-d 1e-6 -w 24
	dptop|-c 2/step --distinct|-u 4 -k 3|-d 1e-2 -w 1|by-user
	dptop|-c 3/step --each-user=any|-u 4 -k 3|-d 1e-2|by-user
	E
	# names of any bytes, and of many events: more than a cell counts
	once() {
		dpmap --for=dptop --once --shard=s "$@" 2>err
	}
	printf '%s\n' 'a%,b' $'\xff-' 'a%,b' -x >names
	once names | dptop -q -e inf --once --partial 2>err >printed
	dptop -q -e inf --once names 2>err | cmp - printed
	once names | sed '/^1970/{/a%25/s/2$/5000000000/}' | seal |
	    dptop -q -e inf --once --partial 2>err | grep -q '	5000000000$'
	for bad in 's/\t[0-9]*$/\t0/' 's/\t[0-9]*$/\t1099511627777/' 's/\t[^\t]*\t/\t\t/' \
	    's/\t[^\t]*\t/\t%00\t/' "s/\\t[^\\t]*\\t/\\t$(printf %0300d 0)\\t/"; do
		once names | sed "/^1970/$bad" | seal >bad
		fails 3 dptop -q -e 1 -d 1e-6 --once --partial bad
		[[ $stderr =~ bad:11:\ field\ [23]:\ n ]] || { echo "$bad $stderr"; false; }
	done
	for why in 'another tool|names --identifiers' 'other options|names -u 1 -c 1 --distinct'; do
		# shellcheck disable=SC2086
		case $why in
		*identifiers) dpmap --once --shard=s ${why#*|} >bad 2>err ;;
		*) once ${why#*|} >bad ;;
		esac
		fails 3 dptop -q -e 1 -d 1e-6 --once --partial bad
	done
	fails 2 dptop -q -e 1 -d 1e-6 --once --hold=.1 --partial bad
	[[ $stderr == *'leave --hold out'* ]]
}

# lines_of ARG ...: dpmap for dpproject of lines that are symbols
lines_of() {
	dpmap --for=dpproject --shard=s --queries=q.csv "$@" 2>err
}

@test "linear queries: of parts what one process has, whatever the split" {
	a_log
	split_log 4 6
	range=() form=(-F ,)
	integers 24 | awk 'BEGIN { print "query,a/200,a/500,b/200,b/500,-,d/200" }
	    { printf "q%d", NR
	    for (i = 1; i < 7; i++) printf ",%.1f", int(NR * i * 37 / 8) % 11 / 10
	    print "" }' >q.csv
	awk 'NR == 1 { print "query,u1,u2,u3,u4,u5" }
	    { print NR "," NR % 2 ",1,0," NR % 3 / 2 ",0" }' \
	    <(head -n 24 log) >u.csv
	sed '1s/.*/query,a,b,c,x,y/' u.csv >v.csv
	whole_and_parts <<-'E'
	dpproject|--queries=q.csv|-v 2,5|
	dpproject|--queries=q.csv|-v 2,5 --where 3>7|-d 1e-6 -M gauss -B
	dpproject|--queries=q.csv|-v 2,5|-M pan
	dpproject|--queries=v.csv|-v x --let=x=2:first|-M counts -o csv -n
	dpproject|--queries=q.csv -c 3|-v 2,5 -u 4||by-user
	dpproject|--queries=u.csv -c 2|-v 4 -u 4 --where 5=200|-M projected-counts -o json|by-user
	dpproject|--queries=u.csv --complete|-v 4|
	dpproject|--queries=u.csv|-v 4|--symmetric -T 5000
	E
	# without noise, what awk says; lines of no column count in -n, and more than 32 bits hold
	awk -F , '{ n[$2 "/" $5]++ } END { printf "%.0f\n", 5000000000 + n["a/200"] }' log >sum
	printf '%s\n' query,a/200,b/200 one,1,0 >q.csv
	lines_of "${form[@]}" -v 2,5 log >part
	lines_of <(echo a/200) | sed '/^1970/s/1$/5000000000/; s/^#shard s/&2/' | seal >more
	dpproject -q -e inf --queries=q.csv -o csv -n --partial part more 2>err | tail -n 1 >printed
	[ "$(cut -d , -f 3 printed)" = "$(cat sum)" ] || { cat printed sum; false; }
	[ "$(cut -d , -f 1 printed)" = $((5000000000 + $(wc -l <log))) ]
	grep -q $'^1970[^\t]*\t\t[0-9]*$' part
}

@test "linear queries: parts that are none, or too many lines; a state has all of them or nothing" {
	printf '%s\n' query,a,b one,1,0 two,1,1 >q.csv
	printf '%s\n' a b b c >log
	lines_of log >part
	dpbudget --init --total=9 L
	cp L before
	refused() {
		fails 3 dpproject -q -e 1 --queries=q.csv -T 9 --budget=L --state=s --init \
		    "${@:2}" --partial bad
		[[ $stderr == *"bad:${1-}"* ]] || { echo "$* $stderr"; false; }
		[ -z "$output" ] && [ ! -e s ]
		cmp L before
	}
	while IFS='|' read -r why edit; do
		sed "$edit" part | seal >bad
		refused "$why"
	done <<-'E'
	11: field 3: not a number of lines from 1 to 2^61|11s/1$/0/
	11: field 3: not a number of lines from 1 to 2^61|11s/1$/-1/
	11: field 3: not a number of lines from 1 to 2^61|11s/1$/1.0/
	11: field 3: not a number of lines from 1 to 2^61|11s/1$/2305843009213693953/
	11: more lines in all than -T says there are|11s/1$/2305843009213693952/
	12: more lines in all than -T says there are|12s/2$/9/
	12: field 2: no declared key|12s/b/c/
	11: field 1: not the start of a bucket|11s/1970/1971/
	11: not a row of three fields|11s/\t1$//
	10: dpmap had other --keys|10s/keys 2/keys 3/
	5: the shard was made for this tool with other options|5s/$/ complete/
	5: the shard was made for another tool|5s/project/mean/
	E
	sed '11s/1$/2305843009213693952/' part | seal >bad
	fails 3 dpproject -q -e 1 --queries=q.csv --partial bad
	[[ $stderr == *'bad:12: more than 2^61 lines in all' ]]
	cp part bad
	refused '5: the shard was made for this tool with other options' --complete
	lines_of --complete log >bad
	refused '5: the shard was made for this tool with other options'
	for o in '-c 1' '-c 1 --complete'; do
		# shellcheck disable=SC2086
		fails 2 dpproject -q -e 1 --queries=q.csv $o --partial part
	done
	fails 2 dpproject -q -e 1 --queries=q.csv -c 1 --complete --partial=by-user part
	fails 2 dpproject -q -e 1 --queries=q.csv --unit=1 --partial part
	fails 2 lines_of --complete -u 1 -c 1 log
	for o in --symmetric --bucket=1h --once '-B' '-k 1' '-k 1 -v 2 --unit=1'; do
		# shellcheck disable=SC2086
		fails 2 lines_of $o log
	done
	n=$(wc -c <part)
	for cut in $(seq 0 23 $((n - 1))) $((n - 1)); do
		head -c "$cut" part >bad
		refused ''
	done
	cp part bad
	cp part again
	fails 3 dpproject -q -e 1 --queries=q.csv --budget=L --partial part again
	fails 3 dpproject -q -e 1 --queries=q.csv --budget=L --expect=2 --partial part
	cmp L before
	# the answers, once, and again for the batch
	dpproject -q -e 1 --queries=q.csv -T 9 --budget=L --state=s --init --batch=1 --partial \
	    part >first
	dpproject -q --state=s --batch=1 part 2>err | cmp first -
	fails 4 dpproject -q --state=s --batch=2 part
	[ -z "$output" ]
	# stopped in the middle of what comes by a pipe: nothing of it counts
	mkfifo feed
	once=(-q -e 1 --seed=1 --queries=q.csv -T 9999 -o csv --partial)
	dpproject "${once[@]}" --state=t --init <feed >cut 2>err &
	exec 8>feed
	(head -n 10 part; yes "$(sed -n 11p part)" | head -n 4000) >&8
	until_true test -e t
	sleep .3			# whoever commits what he has read does it now
	kill %1
	wait %1 || :
	exec 8>&-
	[ ! -s cut ]
	dpproject -q --state=t part >resumed 2>err
	dpproject "${once[@]}" part 2>err | cmp - resumed
}

@test "without noise the sum of parts is what awk says" {
	a_log
	split_log 3 3
	day=(--bucket=1d --from=2026-05-01 --to=2026-05-04)
	for s in shard.?; do
		dpmap --for=dpmean "${day[@]}" "${form[@]}" -v 3 -r 0:20.000 "$s" >"$s.mean" 2>err
		dpmap --for=dpquantile "${day[@]}" "${form[@]}" -v 3 --bins=0,5,20 \
		    --histogram "$s" >"$s.bins" 2>err
	done
	dpmean -qe inf "${day[@]}" -r 0:20.000 --statistic=count,sum --partial shard.?.mean 2>err |
	    cut -f 2- >sums
	awk -F , '$3 != "none" { d = substr($1, 9, 2); v = $3 < 0 ? 0 : $3 > 20 ? 20 : $3; n[d]++
	    s[d] += v } END { for (d = 1; d <= 3; d++) printf "%d\t%.3f\n", n["0" d], s["0" d] }' \
	    log | diff - sums
	dpquantile -qe inf "${day[@]}" --bins=0,5,20 --histogram --partial shard.?.bins 2>err |
	    cut -f 2- >bins
	awk -F , '$3 != "none" { n[substr($1, 9, 2), $3 >= 5]++ } END { for (d = 1; d <= 3; d++)
	    print n["0" d, 0] + 0 "\t" n["0" d, 1] + 0 }' log | diff - bins
}

@test "bad input: parts for another tool, of other options, rows that are none; before any charge" {
	a_log
	day=(--bucket=1d --from=2026-05-01 --to=2026-05-04)
	map() {
		dpmap "${day[@]}" "${form[@]}" -v 3 "$@" log 2>err
	}
	map --for=dpmean -r 0:20.0 >mean
	map --for=dpmean -e .00001 -r 0:20.0 >coarse
	map --for=dpmean -r 0:20.0 --statistic=sd >sd
	map --for=dpquantile -r 0:20.0 >bins
	map -r 0:20.0 >plain
	sed 's/^#dpmap 2/#dpmap 3/' mean >later
	sed 's/\t2\t/\t3\t/' mean | seal >place
	sed 's/\t2\t[0-9]*$/\t2/' mean | seal >three
	sed 's/\t1\t/&-/' mean | seal >below
	sed 's/\t1\t/&0./' mean | seal >part
	dpbudget --init --total=9 L
	cp L before
	refused() {
		local why=$1

		shift
		fails 3 "$1" -q -e 1 "${day[@]}" -T 9 --budget=L --state=s --init "${@:2}"
		[[ $stderr == *"$why"* ]] || { echo "$* $stderr"; false; }
		[ -z "$output" ] && [ ! -e s ]
		cmp L before
	}
	mean=(dpmean -r 0:20.0 --partial)
	refused 'bins:5: the shard was made for another tool: run dpmap with --for' "${mean[@]}" \
	    bins
	refused 'mean:5: the shard was made for another tool: run dpmap with --for' \
	    dpquantile -r 0:20.0 --partial mean
	refused 'plain:5: the shard has plain counts: run dpmap with --for' "${mean[@]}" plain
	refused 'mean:5: the shard was made for another tool: run dpmap without --for' \
	    dpcount -r 0:20.0 --partial mean
	refused 'sd:5: the shard was made for this tool with other options' "${mean[@]}" sd
	refused 'mean:5: the shard was made for this tool with other options' "${mean[@]}" \
	    --statistic=sd mean
	refused 'bins:5: the shard was made for this tool with other options' \
	    dpquantile -r 0:20.0 --bins=7 --partial bins
	refused 'coarse:7: the shard has another --range than this run, or values with other' \
	    "${mean[@]}" coarse
	refused 'mean:7: the shard has another --range than this run' dpmean -r 0:21.0 --partial \
	    mean
	refused 'later:1: the shard was printed by another version' "${mean[@]}" later
	refused 'place:12: field 3: not the place of a number' "${mean[@]}" place
	refused 'three:12: not a row of four fields' "${mean[@]}" three
	refused 'below:11: field 4: not a whole number from 0 to 2^61' "${mean[@]}" below
	refused 'part:11: field 4: not a whole number from 0 to 2^61' "${mean[@]}" part
	cp mean again
	refused 'again:4: this shard is given twice' "${mean[@]}" mean again
	# cut off anywhere
	n=$(wc -c <mean)
	for cut in $(seq 0 37 $((n - 1))) $((n - 1)); do
		head -c "$cut" mean >cut
		refused cut "${mean[@]}" cut
	done
	# a state has each day's parts, once
	dpmean -q -e 1 "${day[@]}" -T 9 --budget=L --state=s --init -r 0:20.0 --batch=1 \
	    --partial mean >first
	dpmean -q --state=s "${day[@]}" --batch=1 mean 2>err | cmp first -
	run ! cmp -s L before
}

@test "sampling: of users whom shards have folded, and of no others; as without parts" {
	range+=(-q -B --sampling -r 0:9 -c 1/step)
	for why in 'needs --each-user' 'independent: leave it out' \
	    'where a mean is of several steps'; do
		case $why in
		*each*) set -- ;;
		*leave*) set -- --each-user=max --independent ;;
		*) set -- --each-user=max -w 2 ;;
		esac
		for from in "--partial=by-user" '-u 4 -v 3 -F , -t 1 --time-format=iso'; do
			# shellcheck disable=SC2086
			fails 2 dpmean -e 1 "${range[@]}" "$@" $from /dev/null
			[[ $stderr == *"$why"* ]] || { echo "$* $from $stderr"; false; }
		done
	done
	fails 2 dpmean -q -e 1 --once -B --sampling -r 0:9 --partial /dev/null
	[[ $stderr == *'or --independent'* ]]
}

@test "bad input: options that are the tool's and not dpmap's, and tools without parts" {
	: >log
	while IFS='|' read -r why options; do
		# shellcheck disable=SC2086
		fails 2 dpmap --once -v 1 -r 0:9 --shard=s $options log
		[[ $stderr == *"$why"* ]] || { echo "$options $stderr"; false; }
	done <<-'E'
	--window: dpmap does not take this option, which says|--for=dpmean -w 2
	give it to dpquantile --partial|--for=dpquantile --quantile=.9
	--bound: dpmap does not take this option|--for=dpmean -B
	--epsilon: dpmap does not take this option|--for=dpquantile -e 1
	--state: dpmap does not take this option|--for=dpmean --state=s
	--counter: dpmap does not take this option|--for=dpmean --counter
	--epsilon: with --range=auto dpmap takes it|--for=dpcount -e 1
	--expire: dpmap does not take this option, which says|--for=dpcount --expire=7
	--for: 'dpexperts' must be one of dpcount|--for=dpexperts
	--for: 'dpmax' must be one of dpcount|--for=dpmax
	and --for written in full|--fo=dpmean
	E
	# as one program that is called dpmap, whatever it was started as
	cp "$(type -P dpmap)" other
	cp other dpmap
	(exec -a dpmap ./other --once --for=dpmean -v 1 -r 0:9 --shard=s log 2>err) |
	    grep -q '^#for dpmean'
	(exec -a other ./dpmap --once --for=dpmean -v 1 -r 0:9 --shard=s log 2>err) |
	    grep -q '^#for dpmean'
	fails 2 dpmap --once -v 1 -r auto --shard=s log
	[[ $stderr == *'--for=dpcount, dpwindow or dpdecay'* ]]
	fails 2 dpmean --for=dpmean --once -v 1 -r 0:9 log
}
