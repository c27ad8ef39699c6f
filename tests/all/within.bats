# SPDX-License-Identifier: ISC
# What --explain says first: how far off the output will be, what to be wary of; --within=ERR, the
# epsilon for an error; --report=N, the steps to report for.
load ../lib/helper

# first ARG ...: the sentence
first() {
	"$@" --explain | sed -n 1p
}

@test "--explain begins with how far off the output will be, in words that fit the output" {
	echo 0.5 >w
	printf 'a,b\n1,1\n0,1\n' >A
	# ~ N: to be off by about N, and by no more than N; with: with probability; A: on all lines
	# at once; L: A with N
	while read -r command && read -r want; do
		# shellcheck disable=SC2086
		got=$(first $command)
		# numbers are those of the tables, and tested with them
		sed -E 's/([^=])[0-9]+(\.[0-9]+)?(e-?[0-9]+)?/\1N/g
		    s/^Expect //; s/ to be off by about N, and by no more than N/ ~ N/
		    s/ with probability N([.,])/ with N\1/
		    s/ on all lines at once/ A/; s/ A with N([.,])/ L\1/
		    s/, for values clamped to N:N; what is cut off is not included\.$/, clamped./
		    ' <<<"$got" |
		    diff - <(echo "$want") || { echo "$command: $got"; return 1; }
	done <<'END'
dpcount -e 1 -T 365
    the count ~ N L.
dpcount -e 1
    the count ~ N on all of the first N lines at once with N.
dpcount -e 1 -T 9 -r 0:5
    the sum ~ N L, clamped.
dpcount -e 1 -T 9 -v 2 -r 0:1
    the count ~ N L, clamped.
dpcount -e 1 -T 9 --unit=5
    the count ~ N L.
dpcount -e 1 -T 9 --bucket=1d --live
    the count ~ N on all days at once with N.
dpcount -e 1 -T 9 --bucket=60m --live
    the count ~ N in all hours at once with N.
dpcount -e 1 --bucket=1w --live
    the count ~ N in all of the first N weeks at once with N.
dpcount -e 1 -T 9 --bucket=1mo --live
    the count ~ N in all months at once with N.
dpcount -e 1 -T 9 --bucket=1y --live
    the count ~ N in all years at once with N.
dpcount -e 1 -T 9 --bucket=2w --live
    the count ~ N in all buckets at once with N.
dpcount -e 1 -T 9 --bucket=5m --live
    the count ~ N in all buckets at once with N.
dpcount -e 1 -T 9 -k 1 --keys=a,b
    each key's count ~ N L.
dpwindow -e 1 -T 99 -w 3,9
    each count ~ N L.
dpdecay -e 1 -a .9 -T 9 -r 0.0:9.0
    the decayed sum ~ N L, clamped.
dpquantile -e 1 -T 99 -r 0:9
    the noise to put the quantile off by about N events, and by no more than N L, clamped.
dpquantile -e 1 --once -r 0:9 --histogram
    each count to be off by about N events, and by no more than N with N, clamped.
dpmaxsum -e 1 -T 99 --columns=3
    the largest count to be off by no more than N L.
dpmaxsum -e 1 -T 99 --columns=3 --select
    the column chosen to be no more than N behind the leader L.
dpmaxsum -e 1 -T 99 --columns=3 --both -B
    the column chosen to be no more than N behind the leader, and the sum as near to the largest, L.
dpexperts -e 1 -T 99 --columns=3
    the choices of N steps to cost at most N more than the best single column.
dpdistinct -e 1 -T 99
    the estimate ~ N L.
dpdistinct -e 1 --at-end
    the estimate ~ N with N.
dpdistinct -e 1 -T 99 --every=9
    the estimate ~ N in all N estimates printed at once with N.
dptransform -e 1 -T 9 --sensitivity=1 --changes=2
    the answer printed to be off by no more than N L.
dplocal -e 1 --domain=a,b -T 99
    each symbol's total, told from all answers, ~ N L.
dpproject -e 1 --queries=A
    the noise to put each answer off by about N, and by no more than N with N.
dpcount -e inf -T 9
    no noise: epsilon is inf.
END
}

@test "the first sentence has the figures of the tables" {
	for a in '-T 365' '' '-T 20 -r -3.5:2' '-T 1000 -d 1e-6 -B.5' \
	    '--report=99 -k 1 --keys=a,b'; do
		# shellcheck disable=SC2086
		dpcount -e 0.7 $a --explain=json >j
		jq -r '.expect + "\n" + ([.rmse.max, .bound.all_steps, .bound.confidence] |
		    map(tostring) | join(" "))' j | awk '
		    NR == 1 { match($0, /about [0-9.]+/)
			about = substr($0, RSTART + 6, RLENGTH - 6)
			match($0, /than [0-9.]+/); most = substr($0, RSTART + 5, RLENGTH - 5)
			match($0, /probability [0-9.]+/)
			conf = substr($0, RSTART + 12, RLENGTH - 12) }
		    NR == 2 { d = about / $1 - 1; print about, most, conf, $0
			exit !(d ^ 2 < 1e-4 && (most - $2) ^ 2 < 1e-12 && conf == $3) }'
		# shellcheck disable=SC2086
		[ "$(first dpcount -e 0.7 $a)" = "$(jq -r .expect j)." ]
	done
}

@test "a large epsilon or delta is warned of, in --explain, in one line each" {
	for a in '-e 5 -d 1e-5 0' '-e 5.0001 1' '-e 9 -d 1/10000 2' '-e 1 -d 0.000011 1' \
	    '-e inf 0'; do
		n=${a##* }
		# shellcheck disable=SC2086
		dpcount -T 9 ${a% *} --explain >t 2>err
		[ ! -s err ]
		[ "$(grep -c '^Warning: ' t)" = "$n" ]
		# shellcheck disable=SC2086
		[ "$(dpcount -T 9 ${a% *} --explain=json | jq '.warnings | length')" = "$n" ]
	done
	dpcount -T 9 -e 9 --explain | sed -n 2p | grep '^Warning: epsilon is above 5: '
	dpcount -T 9 -e 1 -d .1 --explain | sed -n 2p | grep '^Warning: delta is above 1e-5: '
	run -0 --separate-stderr dpcount -T 9 -e 9 -d .1 <<<1
	[ -z "$stderr" ]
}

# wish ERR COMMAND ...: the epsilon keeps the promise, and of four digits no smaller one near it
wish() {
	local err=$1 e less most

	shift
	e=$("$@" --within="$err" --explain=json | tee j | jq -r .within.epsilon)
	[ -n "$e" ]
	jq -e --argjson w "$err" '.within.error == $w and .bound.all_steps <= $w' j >/dev/null
	most=$("$@" -e "$e" --explain=json | jq .bound.all_steps)
	[ "$most" = "$(jq .bound.all_steps j)" ]
	# an epsilon that is one less in its last digit of four
	less=$(awk -v e="$e" 'BEGIN { p = 0; x = e; while (x < 1000) { x *= 10; p++ }
	    while (x >= 10000) { x /= 10; p-- } x = int(x + .5) - 1
	    if (x < 1000) { x = 9999; p++ }
	    printf("%." (p > 0 ? p : 0) "f", x / 10 ^ p) }')
	"$@" -e "$less" --explain=json |
	    jq -e --argjson w "$err" '.bound.all_steps > $w' >/dev/null || {
		echo "$* within $err: $e, but $less would do"
		return 1
	}
}

@test "--within: the smallest epsilon that keeps the error within what is wished" {
	wish 20 dpcount -T 365
	wish 7 dpcount -T 365 -B.5
	wish 1000 dpcount
	wish 300 dpcount -d 1e-6 -T 1M
	wish 2.5 dpcount -T 30 -r 0.0:1.0
	wish 30 dpcount -u 1 -c 3/step --bucket=1d --live -T 10
	wish 30 dpcount -T 9 --unit=5 -k 1 --keys=a,b -v 2
	wish 9 dpwindow -w 7 -T 365
	wish 9 dpwindow -w 1
	wish 40 dpdecay --half-life=14 -T 365
	wish 60 dpquantile -T 30 -r 0:99 -w 7
	wish 100 dpmaxsum -T 1000 --columns=3 --both
	wish 60 dptransform -T 100 --sensitivity=1 --changes=3 --distance=9
	wish 30 dpdistinct -T 100
	wish 5 dpdistinct --at-end
	wish 35 dplocal --domain=a,b -T 100
	printf 'a,b\n1,1\n0,1\n' >A
	wish 4 dpproject --queries=A
	e=$(dpcount -T 9 --within=9 --explain=json | jq -r .within.epsilon)
	dpcount -T 9 --within=9 --explain |
	    grep -xF "The smallest epsilon for errors within 9 is $e."
}

@test "--within: what a run would do with that epsilon is what is explained" {
	dpcount --within=20 -T 365 --explain | tail -n +4 >t
	e=$(dpcount --within=20 -T 365 --explain=json | jq -r .within.epsilon)
	dpcount -e "$e" -T 365 --explain | tail -n +3 | diff t -
	dpcount --within=20 -T 365 --explain=json | jq -r .epsilon | tr / ' ' |
	    awk -v e="$e" '{ exit !(($1 / $2 - e) ^ 2 < 1e-20) }'
	# one that is named
	dpcount --within=20 -T 365 -M tree --explain=json | jq -e '.mechanism == "tree"'
	# ratios
	dpcount --within=41/2 -T 365 --explain=json | jq -e '.within.error == 20.5'
}

@test "--within: refused where nothing can keep it, or it makes no sense" {
	fails 2 dpexperts --within=3 --columns=3 -T 9 --explain
	[[ $stderr == 'dpexperts: --within: refused here (what is predicted is an expected'* ]]
	fails 2 dpcount --within=0.5 -T 999 -M normtree --explain
	[[ $stderr == 'dpcount: --within: no epsilon keeps the error so small'* ]]
	fails 2 dpcount --within=20 --explain -M blt -T 9
	[[ $stderr == *'needs a delta'* ]]
	fails 2 dpcount --within=20 --explain -M tree
	[[ $stderr == *'needs a horizon'* ]]
}

@test "--report: another number of steps, the same noise, the same choice" {
	for t in dpcount 'dpcount -d 1e-6' 'dpwindow -w 30' 'dpdecay -a .99' dpdistinct \
	    'dpmaxsum --columns=2' 'dpcount --expire=gradual:1'; do
		# shellcheck disable=SC2086
		$t -e 1 --explain=json >j
		# shellcheck disable=SC2086
		$t -e 1 --report=1000 --explain=json >r
		jq -e '.report == 1000 and .horizon == null' r
		diff <(jq -c '.noise, .mechanism' j) <(jq -c '.noise, .mechanism' r)
		jq -s -e '(.[0].rmse // .[0].loss_quantile).max >= (.[1].rmse //
		    .[1].loss_quantile).max' j r
	done
	dpcount -e 1 --report=1000 --explain | grep -F 'figures are for steps 1 to 1000'
	# what is predicted for the last step is what is printed there
	yes '' | head -300 >in
	seq -f k%.0f 2000 >keys
	want=$(dpcount -e 1 --report=300 -k 1 --keys=@keys --explain=json | jq .rmse.last)
	dpcount -e 1 -k 1 --keys=@keys --seed 1 in 2>/dev/null | tail -n 1 | awk -v w="$want" '
		{ for (i = 1; i <= NF; i++) s += $i * $i }
		END { r = s / NF / w / w; print r; exit !(r > .78 && r < 1.22) }'
	# and a long one takes no longer
	dpcount -e 1 --report=1000000000000 --explain=json | jq -e '.bound.all_steps > 100'
}
