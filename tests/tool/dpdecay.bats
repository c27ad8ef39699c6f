# SPDX-License-Identifier: ISC
# dpdecay: decayed sums, against awk at epsilon = inf, and what seeds and states show of the rest.
load ../lib/helper

# exact ARG ...: dpdecay without noise
exact() {
	exact_of dpdecay "$@"
}

# able ARG ...: the mechanisms that --explain calls eligible, one a line; there is at least one
able() {
	dpdecay --explain=json "$@" 2>/dev/null | jq -er '.eligible[].mechanism'
}

# near: standard input has two columns that agree to a millionth; not empty
near() {
	awk '{ d = $1 - $2; if (d < 0) d = -d; if (!(d <= 1.000001e-6)) { print NR ": " $0;
	    bad = 1 } } END { exit bad || NR == 0 }'
}

# decayed EXPRESSION [FILE]: sum over the lags d of EXPRESSION(d) times the number d lines back, the
# long way
decayed() {
	awk "{ x[NR] = \$1; s = 0; for (d = 0; d < NR; d++) s += ($1) * x[NR - d]
	    printf \"%.9f\\n\", s }" "${@:2}"
}

# Mechanisms that may lose a factor 1 - beta
bucketed='paper'

# agree WANTED ARG ...: all mechanisms give the numbers of the file, or bucketed ones nearly
agree() {
	local wanted=$1 m

	shift
	able -e inf "$@" >names
	[ -s names ]
	while read -r m; do
		if [[ $m =~ ^($bucketed)$ ]]; then
			exact -M "$m" --beta=0.05 "$@" | paste - "$wanted" |
			    awk '$1 > $2 + 1e-5 || $1 < .95 * $2 - 1e-5 {
				print NR ": " $0; exit 1 }'
		else
			exact -M "$m" "$@" | paste - "$wanted" | near
		fi || { echo "$m: $*"; false; }
	done <names
}

@test "--alpha: exponential decay, for every mechanism" {
	integers 200 >in
	for a in 0.5 0.99 1/3 .001; do
		decayed "($a) ^ d" in >want
		exact --alpha=$a -r 0:999 in | paste - want | near
		agree want -a $a -r 0:999 -T 200 in
	done
	exact -a 0.5 -r 0:999 in >want
	prints exact --alpha=1/2 -r 0:999 in <want
}

@test "six decimals, printed always" {
	printf '1\n0\n1\n' >in
	printf '1.000000\n0.500000\n1.250000\n' | prints exact -a 0.5 in
	printf '1.000000\n0.333333\n1.111111\n' | prints exact -a 1/3 in
	printf '1\n0\n-1\n0\n' >in
	printf '1.000000\n0.500000\n-0.750000\n-0.375000\n' | prints exact -a 0.5 -r -1:1 in
}

@test "as many decimals as the error deserves: down to a tenth of it, intervals outwards" {
	local range places rmse

	integers 50 >in
	for range in 0:1 0:10 0:100 0:1000 0.0:1.0; do
		rmse=$(dpdecay -e 1 -a .9 -r $range --explain=json | jq .rmse.max)
		places=$(dpdecay -e 1 -a .9 -r $range --seed=1 in 2>/dev/null |
		    awk -F . '{ print length($2) }' | sort -u)
		# 10^-places is at most rmse / 10, and a place less would be too few
		awk -v e="$rmse" -v k="$places" \
		    -v grid="$([[ $range = *.* ]] && echo 1 || echo 0)" 'BEGIN {
			exit !(10 ^ -k <= e / 10 && (k == grid || 10 ^ -(k - 1) > e / 10)) }'
		dpdecay -e 1 -a .9 -r $range --seed=1 -B in >bounds 2>/dev/null
		dpdecay -e 1 -a .9 -r $range --seed=1 -B -o json in 2>/dev/null |
		    jq -r '"\(.estimate) \(.lo) \(.hi)"' | paste - bounds |
		    awk '{ d = $1 - $4; if (d > 1e-9 || d < -1e-9 || $5 >= $4 || $6 <= $4) exit 1 }'
	done
	# what is printed is the estimate rounded: the true value, where there is no noise to speak
	# of
	dpdecay -e 1000 -a .5 -r 0:999 in | paste - <(decayed '.5 ^ d' in) |
	    awk '{ d = $1 - $2; if (d > 40 || d < -40) exit 1 }'
}

@test "--half-life: half after so many steps" {
	printf '1\n0\n0\n0\n0\n' >in
	exact --half-life=2 in | paste - <(printf '%s\n' 1 .707106781 .5 .353553391 .25) | near
	printf '1.000000\n0.500000\n0.250000\n0.125000\n0.062500\n' | prints exact --half-life=1 in
	for h in 1k 2M; do
		exact --half-life=$h in >got
		exact --half-life="$(sed 's/k/000/; s/M/000000/' <<<$h)" in | cmp got -
	done
	exact --half-life=1/2 in | paste - <(printf '%s\n' 1 .25 .0625 .015625 .00390625) | near
	integers 100 >in
	exact --half-life=2.5 -r 0:999 in | paste - <(decayed '2 ^ (-d / 2.5)' in) | near
	exact -a .5 -r 0:999 in >want
	prints exact --half-life=1 -r 0:999 in <want
}

@test "--power: polynomial decay, for every mechanism" {
	integers 200 >in
	for c in 1 2 0.5 3/2 0.01 20; do
		decayed "(d + 1) ^ -($c)" in >want
		exact --power=$c -r 0:999 in | paste - want | near
		agree want -p $c -r 0:999 -T 200 in
	done
}

@test "--power: far back" {
	{ echo 1000; yes 0 | head -19999; } >in
	exact -p 1.5 -r 0:1000 in | awk '{ printf "%s %.9f\n", $1, 1000 * NR ^ -1.5 }' | near
	exact -p 0.1 -r 0:1000 in | awk '{ printf "%s %.9f\n", $1, 1000 * NR ^ -.1 }' | near
}

@test "--weights: any decay, for every mechanism" {
	integers 100 >in
	printf '1\n1\n.75\n0.75\n1e-1\n0\n' >w
	decayed 'd < 2 ? 1 : d < 4 ? .75 : d == 4 ? .1 : 0' in >want
	exact --weights=w -r 0:999 in | paste - want | near
	agree want --weights=w -r 0:999 -T 100 in
	# what is older than the last weight counts nowhere
	printf '1\n' >w
	awk '{ print $1 ".000000" }' in >want
	prints exact --weights=w -r 0:999 in <want
	# the end of the file: no newline, blank lines, CRLF
	printf '1\n0.5' >w
	decayed 'd == 0 ? 1 : d == 1 ? .5 : 0' in >want
	exact --weights=w -r 0:999 in | paste - want | near
	printf '1\r\n0.5\r\n\n\n' >w
	exact --weights=w -r 0:999 in | paste - want | near
}

@test "--weights: thousands of them" {
	bits 5000 >in
	# 2000 ones are a window
	awk 'BEGIN { for (d = 0; d < 2000; d++) print 1 }' >w
	exact --weights=w in | paste - <(dpwindow -e inf -w 2000 in 2>/dev/null) | near
	awk 'BEGIN { for (d = 0; d < 3000; d++) printf "%.17g\n", 1 - d / 3000 }' >w
	decayed 'd < 3000 ? 1 - d / 3000 : 0' in >want
	exact --weights=w in | paste - want | near
	# a state goes on from noisy values alone
	set -- -e 1 --seed=3 -M input -T 5000
	dpdecay "$@" --weights=w in >want 2>/dev/null
	head -n 1500 in | dpdecay --state=s --init "$@" --weights=w >got 2>/dev/null
	[ "$(wc -c <s)" -lt $((3000 * 17 + 12000)) ]
	# and has none of how they are added up: 1000 steps need no long sum
	dpdecay -e 1 --seed=3 -M input -T 1000 --state=s2 --init --weights=w </dev/null 2>/dev/null
	[ -n "$(grep -a '^noise\.' s)" ]
	cmp <(grep -a '^noise\.' s) <(grep -a '^noise\.' s2)
	tail -n +1501 in | head -n 2572 | dpdecay --state=s >>got 2>/dev/null
	tail -n +4073 in | dpdecay --state=s >>got 2>/dev/null
	cmp want got
	# keys take their steps one by one
	awk '{ print ($1 ? "a" : "b"), 1 }' in >keyed
	exact --weights=w -k 1 --keys=a,b -v 2 -r 0:1 keyed | cut -f 1 | paste - \
	    <(exact --weights=w in) | near
}

@test "--weights agrees with the other decays, and with a window" {
	bits 60 >in
	awk 'BEGIN { for (d = 0; d < 60; d++) printf "%.17g\n", .9 ^ d }' >w
	exact -a .9 in >want
	exact --weights=w in | paste - want | near
	awk 'BEGIN { for (d = 0; d < 60; d++) printf "%.17g\n", (d + 1) ^ -1.5 }' >w
	exact -p 1.5 in >want
	exact --weights=w in | paste - want | near
	printf '%s\n' 1 1 1 1 1 1 1 >w
	exact --weights=w in | paste - <(dpwindow -e inf -w 7 in 2>/dev/null) | near
}

@test "--range: negative values, decimals, clamping" {
	integers 300 | awk '{ print ($1 - 500) / 8 }' >in
	awk '{ v = $1 < -20 ? -20 : $1 > 30 ? 30 : int($1 * 10 + ($1 < 0 ? -.5 : .5)) / 10;
	    print v }' in >x
	# decimals of the grid and of the decay add up
	exact -a .9 -r -20.0:30.0 in >got
	run ! grep -vqE '^-?[0-9]+\.[0-9]{7}$' got
	paste got <(decayed '.9 ^ d' x) | near
	exact -p 1 -r -20.0:30.0 in | paste - <(decayed '1 / (d + 1)' x) | near
}

@test "-k: all columns step on every line" {
	printf 'b\na\nc\nb\n' >in
	printf '0.000000\t1.000000\n1.000000\t0.500000\n0.500000\t0.250000\n0.250000\t1.125000\n' |
	    prints exact -a .5 -k 1 --keys=a,b in
}

# days: "EPOCH VALUE" within 60 days of 2024, in no order; the second week is empty
days() {
	integers 400 | awk '{ t = 1704067200 + $1 * 5011; d = (t - 1704067200) / 86400;
	    if (d < 7 || d >= 14) print t, NR % 3 }'
}

@test "--bucket: the half-life in durations or in steps" {
	days >in
	awk '$1 < 1704067200 + 50 * 86400 { n[int(($1 - 1704067200) / 86400)] += $2 }
	    END { for (i = 0; i < 50; i++) print n[i] + 0 }' in |
	    decayed '2 ^ (-d / 14)' >want
	set -- -t 1 --time-format=epoch -v 2 -r 0:9 --bucket=1d --from=2024-01-01 --to=2024-02-20
	for h in 14 14d 2w 336h 28/2; do
		exact --half-life=$h "$@" in >got
		cut -f 2 got | paste - want | near
	done
	cut -f 1 got | head -3 | xargs >times
	[ "$(<times)" = '2024-01-01T00:00:00Z 2024-01-02T00:00:00Z 2024-01-03T00:00:00Z' ]
	[ "$(wc -l <got)" -eq 50 ]
	# half a bucket is a half-life like any other
	exact -a 1/4 "$@" in | cut -f 2 >quarter
	exact --half-life=12h "$@" in | cut -f 2 | paste - quarter | near
	sort -n in >sorted
	exact --half-life=14d -t 1 --time-format=epoch -v 2 -r 0:9 --bucket=1d --public-times \
	    sorted | head -50 |
	    cut -f 2 | paste - want | near
}

@test "-u -c: the allowance is for the run" {
	printf 'a\na\nb\na\n' >in
	printf '1.000000\n1.500000\n1.750000\n0.875000\n' | prints exact -a .5 -u 1 -c 2 in
}

@test "-o csv, tsv, json, -n, -B" {
	printf '1\n0\n' >in
	printf 'step,estimate,lo,hi\n1,1.000000,1.000000,1.000000\n2,0.500000,0.500000,0.500000\n' |
	    prints exact -a .5 -o csv -n -B in
	printf 'estimate\n1.000000\n0.500000\n' | prints exact -a .5 -o tsv in
	printf '1\t1.000000\n2\t0.500000\n' | prints exact -a .5 -n in
	exact -a .5 -B -o json in | jq -es '.[1] == {step: 2, estimate: 0.5, lo: 0.5, hi: 0.5}'
	printf 'a\nb\n' >in
	printf 'a,b\n1.000000,0.000000\n0.500000,1.000000\n' |
	    prints exact -a .5 -k 1 --keys=a,b -o csv in
	exact -a .5 -k 1 --keys=a,b -o json in |
	    jq -es '.[1] == {step: 2, estimate: {a: 0.5, b: 1}}'
}

@test "-B: the interval covers the truth as often as it says, for every mechanism" {
	yes 0 | head -64 >in
	keys=$(seq -s , 20)
	for a in '-a .9' '-p 1.5'; do
		# shellcheck disable=SC2086
		able -e 1 -d 1e-6 -T 64 $a >names
		while read -r m; do
			# 20 keys of 64 steps, and a run without: 1344 correlated answers, at
			# most 5 % miss; 12 % is far out
			# shellcheck disable=SC2086
			{
				dpdecay -e 1 -d 1e-6 -T 64 -M "$m" --seed 1 -B $a in
				dpdecay -e 1 -d 1e-6 -T 64 -M "$m" --seed 1 -B $a -k 1 \
				    --keys="$keys" in
			} 2>/dev/null | awk -F '\t' -v m="$m" '
			    { for (i = 1; i < NF; i += 3) { n++
				a += $(i + 1) > 0 || $(i + 2) < 0 } }
			    END { print m, a / n; exit !(n == 1344 && a < .12 * n) }'
		done <names
	done
}

@test "--nonnegative, by awk's rule" {
	yes 0 | head -200 >in
	dpdecay -e 1 -T 200 --seed 5 -a .9 in 2>/dev/null >raw
	grep -q '^-' raw
	awk '/^-/ { sub(/^-[0-9]+/, "0"); gsub(/[1-9]/, "0") } 1' raw |
	    prints dpdecay -e 1 -T 200 --seed 5 -a .9 --nonnegative in 2>/dev/null
}

@test "one line moves every later estimate by its weight, and no earlier one: every mechanism" {
	printf '1\n.5\n.5\n.25\n' >w
	changed_at 0 1 16 17 33 50
	for d in '-a .75' '-p 2' '--weights=w'; do
		# shellcheck disable=SC2086
		able -e 20 -d 1e-6 -T 50 -r 0:9 $d >names
		# shellcheck disable=SC2086
		for j in 1 16 17 33 50; do
			exact -M input -r 0:9 $d in.$j
		done >want
		beta=--beta=.05
		[[ $d != -a* ]] || beta=
		while read -r m; do
			f=1
			[[ ! $m =~ ^($bucketed)$ ]] || f=.95
			# shellcheck disable=SC2086
			for j in 0 1 16 17 33 50; do
				dpdecay -e 20 -d 1e-6 -T 50 -M "$m" --seed 8 -r 0:9 $d $beta in.$j
			done 2>/dev/null >all
			# both are rounded to what is printed; expsum-paper rounds weights to 2^-20
			awk -v f=$f 'NR <= 50 { y[NR] = $1; next }
			    { getline truth <"want"; x = y[(NR - 1) % 50 + 1]
			      moved = $1 - x; point = index(x, ".")
			      u = (point ? 10 ^ -(length(x) - point) : 1) + 1e-5 }
			    moved > truth + u || moved < f * truth - u {
				print NR ": " $0; bad = 1; exit }
			    END { exit bad || NR != 300 }' all || { echo "$d -M $m"; false; }
		done <names
	done
}

@test "what k lines print is the beginning of what k+1 lines print, for every mechanism" {
	bits 70 >in
	for d in '-a .9' '-p 2'; do
		# shellcheck disable=SC2086
		able -e 1 -T 70 $d >names
		while read -r m; do
			# shellcheck disable=SC2086
			dpdecay -e 1 -T 70 -M "$m" --seed 4 $d in >all 2>/dev/null
			for k in 1 15 16 40; do
				# shellcheck disable=SC2086
				head -$k in | dpdecay -e 1 -T 70 -M "$m" --seed 4 $d 2>/dev/null |
				    diff <(head -$k all) - || { echo "$d $m $k"; false; }
			done
		done <names
	done
}

@test "-T: step N+1 is refused with 4, all before it are there" {
	yes 1 | head -5 >in
	run -4 --separate-stderr dpdecay -e inf -T 3 -a .5 in
	[ "$output" = "$(printf '%s\n' 1.000000 1.500000 1.750000)" ]
	[[ ${stderr_lines[-1]} == 'dpdecay: the horizon of 3 steps is spent; '* ]]
}

@test "a line is answered before the next is sent" {
	talk dpdecay -e inf -a .5
	ask 1 1
	[ "$answer" = 1.500000 ]
	ask 0
	[ "$answer" = 0.750000 ]
	hangup
}

@test "--beta is refused outside (0, 1), and moves nothing but bucketed mechanisms" {
	bits 30 >in
	exact -p 1 -M input in >want
	prints exact -p 1 -M input --beta=.5 in <want
	able -e inf -T 30 -p 1 | grep -E "^($bucketed)$" >names || :
	while read -r m; do
		exact -T 30 -p 1 -M "$m" --beta=.5 in >half
		exact -T 30 -p 1 -M input in | paste half - |
		    awk '$1 > $2 + 1e-5 || $1 < .5 * $2 - 1e-5 { exit 1 }'
		exact -T 30 -p 1 -M "$m" --beta=.001 in | run ! cmp -s - half
	done <names
}

# State

@test "--state: one run in pieces has the bytes of one run, for every mechanism" {
	bits 200 >in
	awk 'BEGIN { for (d = 0; d < 50; d++) print 1 / (1 + d / 4) }' >w
	for d in '-a .9' '--half-life=9' '-p 1.5' '--weights=w'; do
		# shellcheck disable=SC2086
		able -e 1 -d 1e-6 -T 200 $d >names
		while read -r m; do
			# shellcheck disable=SC2086
			set -- -e 1 -d 1e-6 -T 200 -M "$m" --seed 3 -n $d
			dpdecay "$@" in >want 2>/dev/null
			rm -f s s.lock
			head -1 in | dpdecay --state s --init "$@" >got 2>/dev/null
			sed -n 2,64p in | dpdecay --state s -n >>got 2>/dev/null
			: | dpdecay --state s -n >>got 2>/dev/null
			sed -n 65,131p in | dpdecay --state s "$@" >>got 2>/dev/null
			# shellcheck disable=SC2086
			tail -n +132 in | dpdecay --state s $d -n >>got 2>/dev/null
			cmp want got || { echo "$d -M $m"; false; }
		done <names
	done
}

@test "--state: killed, and gone on with: the estimates of one run" {
	bits 40 >in
	mapfile -t x <in
	for d in '--half-life=7' '-p 1'; do
		# shellcheck disable=SC2086
		dpdecay -e 1 -T 40 --seed 6 $d -n in >want 2>/dev/null
		rm -f s s.lock
		# shellcheck disable=SC2086
		talk dpdecay --state s --init -e 1 -T 40 --seed 6 $d -n
		ask "${x[@]:0:9}"
		kill -9 "$pid"
		hangup 137
		tail -n +10 in | dpdecay --state s -n >got 2>/dev/null
		sort -n -u got >once
		[ "$(wc -l <once)" -ge 31 ]
		tail -n "$(wc -l <once)" want | diff - once
	done
}

@test "--state: the decay is kept, and others are refused" {
	bits 30 >in
	dpdecay --state s --init -e 1 -T 90 --half-life=7 in >/dev/null
	dpdecay --state s --state-show | grep -qx 'own-half-life 7'
	dpdecay --state s --state-show | run ! grep -e ^own-alpha -e ^file-
	dpdecay --state s --half-life=7 in >/dev/null
	fails 5 dpdecay --state s --half-life=8 in
	[[ $stderr == "dpdecay: s: --half-life differs from the state file's, which is 7; "* ]]
	for a in --alpha=.5 --power=1 --weights=in --expire=9 --beta=.2; do
		cp s before
		fails 5 dpdecay --state s $a in
		[ -z "$output" ]
		o=${a%=*}
		[[ $stderr == "dpdecay: s: $o was not given when the state file was started; "* ]]
		cmp s before
	done
}

@test "--state: half-lives in durations" {
	days | sort -n >in
	set -- -e 1 --seed 9 -T 60 --half-life=14d --bucket=1d --public-times
	dpdecay "$@" -t 1 --time-format=epoch -v 2 -r 0:1 in >want 2>/dev/null
	head -100 in | dpdecay --state s --init "$@" -t 1 --time-format=epoch -v 2 -r 0:1 \
	    >got 2>/dev/null
	tail -n +101 in | dpdecay --state s -t 1 --time-format=epoch -v 2 >>got 2>/dev/null
	diff <(head -n "$(wc -l <got)" want) got
	[ "$(wc -l <got)" -ge 40 ]
	fails 5 dpdecay --state s --half-life=15d -t 1 --time-format=epoch in
}

@test "--state: the decimals are those of the first run" {
	integers 300 >in
	set -- -e 0.01 -T 300 -r 0:1000 --half-life=9 --seed=4
	dpdecay "$@" in >want 2>/dev/null
	head -100 in | dpdecay --state s --init "$@" >got 2>/dev/null
	tail -n +101 in | dpdecay --state s >>got 2>/dev/null
	cmp want got
	dpdecay --state s --state-show | grep -qx 'decimals 0'
	dpdecay --state s --state-show | grep -qxE 'params of [0-9]+ numbers'
}

@test "--state: weights are told by what the file holds" {
	bits 30 >in
	printf '1\n.5\n.25\n' >w
	dpdecay --state s --init -e 1 -T 900 --weights=w in >/dev/null
	dpdecay --state s --state-show | grep -E '^file-weights [0-9a-f]{32}$'
	dpdecay --state s in >/dev/null
	dpdecay --state s --weights=w in >/dev/null
	# the same weights under another name
	cp w other
	dpdecay --state s --weights=other in >/dev/null
	mkdir elsewhere
	mv w elsewhere/w
	dpdecay --state s --weights=elsewhere/w in >/dev/null
	# not to be found any more
	fails 2 dpdecay --state s in
	[[ ${stderr_lines[0]} == 'dpdecay: --weights: w: No such file or directory' ]]
	cp s before
	for t in '1\n.5\n.125\n' '1\n.5\n' '1\n.5\n.25\n.125\n'; do
		# shellcheck disable=SC2059
		printf "$t" >w
		fails 5 dpdecay --state s in
		[ -z "$output" ]
		[[ $stderr == \
		    'dpdecay: s: the weights file is not the one the state file was started with' ]]
		fails 5 dpdecay --state s --weights=w in
	done
	cmp s before
	fails 5 dpdecay --state s -a .5 in
}

@test "--explain: what is estimated" {
	printf '1\n.5\n' >w
	for t in '-a .5:sum in which a step d back weighs 0.5^d' \
	    '-p 1.5:sum in which a step d back weighs (d+1)^-1.5' \
	    '--half-life=1:sum in which a step d back weighs 0.5^d' \
	    '--weights=w:sum weighted by the 2 weights given'; do
		# shellcheck disable=SC2086
		dpdecay -e 1 -T 1000 ${t%%:*} --explain >text
		grep -xF "estimates     ${t#*:}" text
		# shellcheck disable=SC2086
		[ "$(dpdecay -e 1 -T 1000 ${t%%:*} --explain=json | jq -r .estimates)" = "${t#*:}" ]
	done
}

@test "-P: the memory of input holds private values alone" {
	bits 20 >in
	exact -P -a .5 in | paste - <(decayed '.5 ^ d' in) | near
}
