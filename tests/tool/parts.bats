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
