#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# dpmaxsum's mechanisms that release what they compute of exact sums: recompute, lazy, trivial.

load ../lib/helper

exactly() {
	dpmaxsum -e inf "$@" 2>/dev/null
}

quiet() {
	dpmaxsum "$@" 2>/dev/null
}

# rows N D: N lines of D numbers 0 and 1
rows() {
	bits $(($1 * $2)) | paste -d ' ' $(yes - | head -n "$2")
}

# leaders: place and sum of the largest column so far, the first of equal ones
leaders() {
	awk '{ m = 1
	    for (i = 1; i <= NF; i++)
		if ((s[i] += $i) > s[m] || (s[i] == s[m] && i < m))
		    m = i
	    print m "\t" s[m] }' "$@"
}

# predicts WANT ARG ...: the loss of recompute at 2/3, as the literature has it, within 1 %
predicts() {
	local want=$1

	shift
	dpmaxsum --explain=json -B2/3 "$@" | jq -e --argjson w "$want" \
	    '.eligible[] | select(.mechanism == "recompute") | .loss_max / $w |
	    . > .99 and . < 1.01'
}

@test "exact: values and choices against awk" {
	rows 200 5 >in
	leaders in >both
	exactly -T 200 --columns=5 -M recompute --both in | diff both -
	exactly -T 200 --columns=5 -M recompute --select in | diff <(cut -f 1 both) -
	exactly -T 200 --columns=5 -M recompute in | diff <(cut -f 2 both) -
	exactly -T 200 --columns=5 -M lazy --ceiling=9 --select in | diff <(cut -f 1 both) -
	exactly -T 200 --columns=5 -M lazy --ceiling=9 in | diff <(cut -f 2 both) -
	awk '{ print $1 - 1, $2 - $3, $4, -$5 }' in >signed
	leaders signed >both
	exactly -T 200 --columns=4 -r -1:1 -M recompute --both signed | diff both -
	awk '{ print NR * 60, "k" $1 + 2 * $2 }' in >timed
	awk '{ s[$2]++; m = "k0"; for (i = 1; i < 4; i++) if (s["k" i] > s[m]) m = "k" i
	    print m "\t" s[m] + 0 }' timed |
	    diff - <(exactly -M recompute --both -k 2 --keys=k0,k1,k2,k3 -t 1 --time-format=epoch \
	    --bucket=1m --from=60 --to=12060 timed | cut -f 2,3)
}

@test "trivial: no look at the data, the middle of what can be" {
	printf '1 0\n%.0s' 1 2 3 4 5 6 | quiet -e 1 -T 6 --columns=2 -M trivial | tr '\n' ' ' |
	    diff - <(printf '0 1 1 2 2 3 ')
	printf '0 0\n%.0s' 1 2 3 4 5 6 | quiet -e 1 -T 6 --columns=2 -r -3:1 -M trivial --both |
	    diff - <(printf '1\t%s\n' -1 -2 -3 -4 -5 -6)
	printf '0 0\n%.0s' 1 2 3 4 5 6 | quiet -e 1 -T 6 --columns=2 --ceiling=4 -M trivial |
	    tr '\n' ' ' | diff - <(printf '0 1 1 2 2 2 ')
	fails 2 dpmaxsum -e 1 -T 9 -k 1 --keys=a,b -t 2 --time-format=epoch --bucket=1h \
	    --public-times -M trivial
	fails 2 dpmaxsum -e 1 -P --columns=2 -T 9 -M trivial
}

@test "--explain=json: the published figures, within 1 %, and ours where they are smaller" {
	predicts 929 -e 1 -d 1e-6 -T 1000000 --columns=10
	predicts 929 -e 1 -d 1e-6 -T 1000000 --columns=100
	predicts 1526 -e 0.1 -d 1e-6 -T 100000 --columns=1
	predicts 187 -e 0.1 -d 1e-6 -T 1000 --columns=10	# published: 221
	predicts 2667 -e 1 -d 1e-6 -T 1000000 --columns=100 --select	# published: 2775
	predicts 3264 -e 1 -d 1e-6 -T 1000000 --columns=10000 --select	# published: 3400
	predicts 9004 -e 1 -T 1000000 --columns=100 --select
	predicts 3596 -e 1 -T 1000000 --columns=1
	# a line with one entry: no column falls while another rises
	[ "$(dpmaxsum -e 1 -T 1000 -k 1 --keys=a,b,c -M recompute --explain=json |
	    jq .loss_quantile.max)" -le "$(dpmaxsum -e 1 -T 1000 --columns=3 -M recompute \
	    --explain=json | jq .loss_quantile.max)" ]
}

@test "--explain: what is noised how, and how often" {
	dpmaxsum -e 1 -d 1e-6 -T 1000000 --columns=10 -M recompute -B2/3 --explain >out
	grep -qE '^noise +discrete Gaussian, scale 166\..* the sum, once in 6[5-9][0-9] steps$' out
	dpmaxsum -e 1 -d 1e-6 -T 1000000 --columns=100 -M recompute --select -B2/3 --explain >out
	grep -qE '^noise +exponential mechanism, .* the choice, once in 10[0-9][0-9] steps$' out
	dpmaxsum -e 1 -T 1000000 --columns=10 -M recompute --both --explain=json |
	    jq -e '.noise.families | length == 2 and .[0].distribution == "permute-and-flip" and
	    .[1].distribution == "discrete Laplace"'
	dpmaxsum -e 1 -T 1000 --columns=10 --ceiling=50 --explain >out
	grep -q 'lazy' out
	grep -qF 'the caller says that none passes --ceiling (else errors grow, or lazy ends)' out
}

@test "before the first release there is no estimate, in any form; --explain says until when" {
	rows 400 2 >in
	set -- -e 1 -T 1000 --columns=2 -M recompute --seed=3
	first=$(dpmaxsum "$@" --explain |
	    sed -n 's/^note  *nothing is released before step \([0-9]*\): up to .* empty.*/\1/p')
	[ "$first" -gt 20 ] && [ "$first" -lt 300 ]
	# empty FORM NOTHING [ARG ...]: a line before it is NOTHING, none from it on is
	empty() {
		local form=$1 nothing=$2 skip=0

		shift 2
		[ "$form" = plain ] || [ "$form" = json ] || skip=1
		quiet -e 1 -T 1000 --columns=2 -M recompute --seed=3 -o "$form" "$@" in |
		    tail -n +$((skip + 1)) | sed -E 's/^\{"step":[0-9]+,/{/' >out
		[ "$(wc -l <out)" -eq 400 ]
		head -n $((first - 1)) out | sort -u | diff <(printf '%s\n' "$nothing") -
		# shellcheck disable=SC2251
		! tail -n +"$first" out | grep -qxF -e "$nothing"
		! tail -n +"$first" out | grep -q null
	}
	empty plain ''
	empty tsv ''
	empty csv '""'
	empty json '{"estimate":null}'
	empty plain '' --nonnegative --monotone
	# what never was cannot hold a maximum up
	sed -n "${first}p" out | grep -qxF "$(quiet "$@" in | sed -n "${first}p")"
	# a choice is as little known; each has its own r
	for o in --select --both; do
		first=$(dpmaxsum "$@" $o --explain |
		    sed -n 's/^note  *nothing .* before step \([0-9]*\):.*/\1/p')
		case $o in
		--select)
			empty plain '' $o
			empty json '{"estimate":null}' $o ;;
		--both)
			empty plain $'\t' $o
			empty csv , $o
			empty json '{"estimate":{"column":null,"sum":null}}' $o ;;
		esac
	done
	# in one answer there is no first one to wait for, and in buckets each step has its own
	run -1 grep 'nothing is released' <(dpmaxsum -e 1 -T 1000 --columns=2 -M recompute \
	    --bucket=1h --live --explain)
	# a chart begins where estimates do
	quiet "$@" -o csv in | dpplot --to=a.svg
	grep -o 'text-anchor="middle">[0-9]*<' a.svg | tr -dc '0-9\n' >ticks
	grep -qx 300 ticks && run -1 grep -qx 0 ticks
}

@test "-B: drift and noise; what the sum can be by now is known before the first release, too" {
	rows 3 1 >in
	dpmaxsum -e 1 -T 1000 --columns=1 -B -M recompute --seed=3 in 2>/dev/null >out
	# half of a block's steps either way, nothing drawn yet
	[ "$(sort -u out | wc -l)" -eq 1 ]
	awk -F '\t' '{ exit !($1 == "" && $2 + 1 >= 0 && $2 <= 0 && $3 >= 40) }' out
	rows 200 1 | quiet -e 1 -T 1000 --columns=1 -B -M recompute --seed=3 | tail -n 1 |
	    awk -v d="$(cut -f 3 out | head -n 1)" '{ exit !($3 - $2 > 1.2 * d) }'
	fails 2 dpmaxsum -e 1 -T 9 --columns=3 -B -M lazy --ceiling=5
	[[ $stderr == *'--bound: lazy has no interval'* ]]
}

@test "lazy: a sum beyond the ceiling ends the run, status 4, and a state stays at its end" {
	yes 1 | head -n 3000 >in
	set -- -e 1 -T 3000 --columns=1 --ceiling=300 -M lazy --seed=4
	run -4 --separate-stderr dpmaxsum "$@" in
	# shellcheck disable=SC2154
	[[ $stderr == *'mechanism has ended: nothing more'*"beyond --ceiling"* ]]
	echo "$output" >want
	[ "$(wc -l <want)" -gt 300 ] && [ "$(wc -l <want)" -lt 1000 ]
	# no line is farther off than --explain says
	far=$(dpmaxsum "$@" --explain | sed -n 's/.* off by more than \([0-9.]*\);.*/\1/p')
	awk -v far="$far" '{ d = NR - $1; if (d < 0) d = -d; if (d > far) exit 1 }' want
	# while none passes it, nothing ends
	head -n 300 in | quiet "$@" | diff <(head -n 300 want) -
	# in pieces; what came out stays, and later runs have nothing more
	head -n 200 in | quiet "$@" --state=S --init --out=out >/dev/null
	for i in 1 2; do
		run -4 --separate-stderr dpmaxsum --state=S --out=out in
		[[ $stderr == *'mechanism has ended'* ]]
		diff want out
	done
	# in buckets, whose steps a range has all at once
	awk '{ print 60 * NR, "a" }' in >at
	set -- -e 1 -k 2 --keys=a --ceiling=300 -M lazy --seed=4 -t 1 --time-format=epoch \
	    --bucket=60s --from=60 --to=180060
	run -4 --separate-stderr dpmaxsum "$@" at
	[[ $stderr == *'mechanism has ended'* ]]
	echo "$output" >want
	[ "$(wc -l <want)" -gt 300 ] && [ "$(wc -l <want)" -lt 1000 ]
	run -4 dpmaxsum -q "$@" -T 3000 --state=R --init --out=at.out at
	diff want at.out
	run -4 dpmaxsum -q --state=R --from=60 --to=180060 --out=at.out at
	diff want at.out
}

@test "lazy: a line says that it is frozen, from the last change that is paid for on" {
	local changes

	awk 'BEGIN { for (i = 0; i < 300; i++) print 60 * i, i % 3 ? "a" : "b" }' >at
	awk '{ print $2 == "a", $2 == "b" }' at >in
	set -- -e 4 --ceiling=200 -M lazy --seed=5
	quiet "$@" -T 300 --columns=2 in >out
	# each line's change is of what was printed; frozen is so from one of them on
	awk '/frozen$/ && !n { n = NR; if ($1 == last) exit 1 }
	    n && (!/^[0-9]+\tfrozen$/ || (NR > n && $1 != last)) { exit 1 }
	    { last = $1 }
	    END { if (n < 50 || n > 290) exit 1; print n }' out >from
	for f in csv tsv; do
		{ printf 'estimate,frozen\n'
		  awk '{ print $1 "," ($2 == "frozen" ? 1 : 0) }' out; } >want
		[ $f = csv ] || { tr , '\t' <want >want.tsv && mv want.tsv want; }
		quiet "$@" -T 300 --columns=2 -o $f in | diff want -
	done
	quiet "$@" -T 300 --columns=2 -o json in | jq -r '[.estimate, .frozen] | @tsv' |
	    sed 's/.0$//; s/.1$/\tfrozen/' | diff out -
	quiet "$@" -T 300 --columns=2 -o long in | sed 1d | cut -d , -f 4,7 |
	    sed 's/,0$//; s/,1$/\tfrozen/' | diff out -
	quiet "$@" -T 300 --columns=2 -o prometheus in | grep -qx 'dpmaxsum_frozen{.*} 1'
	quiet "$@" -T 300 --columns=2 -B1/2 -M recompute in | diff <(grep -c frozen) <(echo 0)
	# a choice; a state that goes on; all steps of a range at once; a chart
	quiet "$@" -T 300 --columns=2 --select in >choices
	grep -q '^[12]$' choices
	changes=$(dpmaxsum "$@" -T 300 --columns=2 --select -o csv --explain=json |
	    jq -c '[.output.columns[].name]')
	[ "$changes" = '["estimate","frozen"]' ]
	head -n 100 in | quiet "$@" -T 300 --columns=2 --state=S --init >half
	tail -n 200 in | quiet --state=S | cat half - | diff out -
	quiet "${@/=5/=4}" -k 2 --keys=a,b -t 1 --time-format=epoch --bucket=1m --from=0 \
	    --to=18000 at >r
	awk -v n="$(awk '/frozen$/ { print NR; exit }' r)" '(NR >= n) != /frozen$/ { exit 1 }' r
	[ "$(grep -c frozen r)" = 24 ]
	dpplot --to=out.svg out
	# without noise every step changes it, and nothing is frozen
	[ "$(quiet -e inf -T 300 --columns=2 --ceiling=9 -M lazy in | grep -c frozen)" = 0 ]
}

@test "an answer depends on no later line; between releases nothing is drawn" {
	rows 300 3 >in
	for m in '-M recompute --both' '-M recompute -d 1e-6' '-M lazy --ceiling=100' \
	    '-M lazy --ceiling=200 --select'; do
		# shellcheck disable=SC2086
		quiet -e 1 -T 300 --columns=3 --seed=4 $m in >want
		for n in 1 60 61 150 299; do
			# shellcheck disable=SC2086
			{ head -n $n in; seq $((300 - n)) | sed 's/.*/1 0 1/'; } |
			    quiet -e 1 -T 300 --columns=3 --seed=4 $m | head -n $n |
			    diff <(head -n $n want) - || { echo "$m, $n"; false; }
		done
	done
	quiet -e 1 -T 300 --columns=3 --seed=4 -M recompute in | uniq | wc -l >runs
	[ "$(<runs)" -gt 3 ] && [ "$(<runs)" -lt 20 ]
}

@test "state: in pieces as in one run, also where a run was killed" {
	rows 120 3 >in
	for m in 'recompute --both' 'recompute -d 1e-6 --select' 'recompute -d 1e-6' 'trivial' \
	    'lazy --ceiling=60' 'lazy --ceiling=60 --select'; do
		rm -f S S.* out
		# shellcheck disable=SC2086
		quiet -e 5 -T 120 --columns=3 --seed=6 -M $m in >want
		# shellcheck disable=SC2086
		head -n 7 in | quiet -e 5 -T 120 --columns=3 --seed=6 -M $m --state=S --init \
		    --out=out >/dev/null
		sed -n '8,30p' in | quiet --state=S --out=out >/dev/null
		# killed as it waits for more
		talk dpmaxsum --state=S --out=out
		sed -n '31,60p' in >&6
		until [ "$(wc -l <out)" -ge 60 ]; do sleep .05; done
		kill -9 "$pid"
		hangup 137
		sed -n '61,120p' in | quiet --state=S --out=out >/dev/null
		diff want out || { echo "$m"; false; }
	done
	fails 5 dpmaxsum --state=S --ceiling=61 </dev/null
	fails 4 dpmaxsum --state=S --out=out in
}

@test "--ceiling: numbers of any form, and refusals" {
	for k in 1 0.5 1e3 7/2; do
		dpmaxsum -e 1 -T 100 --columns=2 --ceiling=$k --explain=json |
		    jq -e '.eligible | any(.mechanism == "lazy")'
	done
	for k in 0 -1 x inf 1e-400 '' 2e30; do
		fails 2 dpmaxsum -e 1 -T 9 --columns=2 --ceiling="$k"
		[[ $stderr == *--ceiling* ]]
	done
	fails 2 dpmaxsum -e 1 -T 9 --columns=2 -r -1:1 --ceiling=5
	[[ $stderr == *'--ceiling: refused with a range below 0'* ]]
	fails 2 dpmaxsum -e 1 -T 9 --columns=2 -M lazy
	fails 2 dpmaxsum -e 1 -T 9 --columns=2 -M lazy --ceiling=5 --both
	fails 2 dpmaxsum -e 1 --columns=2 -M lazy --ceiling=5
	[[ $stderr == *'lazy needs a horizon (-T)'* ]]
	fails 2 dpmaxsum -e 1 --columns=2 -M recompute
	# in the user's units: the same as for tenths
	[ "$(dpmaxsum -e 1 -T 99 --columns=2 -r 0:1 --ceiling=30 -M trivial --explain=json |
	    jq .loss_quantile.max)" = "$(dpmaxsum -e 1 -T 99 --columns=2 -r 0.0:1.0 --ceiling=30 \
	    -M trivial --explain=json | jq .loss_quantile.max)" ]
}
