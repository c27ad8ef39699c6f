#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# The norm tree from outside: what it refuses, and says; states.
bats_require_minimum_version 1.5.0

load ../lib/helper

# nearest TOOL ARG ..: refused before anything is read, and what the message says is enough, is
nearest() {
	local tool=$1 e

	# more values of a user than whole units that epsilon leaves
	shift
	set -- "$@" --user=9 --per-user=100000
	run -2 --separate-stderr "$tool" -e 1/1000 "$@" -M normtree nosuch
	[[ $stderr == "$tool: normtree takes epsilon "*" or more here, or a range that much "* ]]
	e=${stderr#*epsilon }
	e=${e%% *}
	"$tool" -e "$e" "$@" -M normtree --explain >text
	grep -q '^mechanism     normtree' text
	# a twentieth less is not enough: then auto takes another one, and says why
	e=$(awk -v e="$e" 'BEGIN { printf "%.6g", e / 1.05 }')
	run -2 --separate-stderr "$tool" -e "$e" "$@" -M normtree nosuch
	"$tool" -e "$e" "$@" --explain >text
	grep -q '^left out: normtree takes epsilon ' text
	! grep -q '^normtree .*chosen' text
	"$tool" -e "$e" "$@" --explain=json | jq -e '.left_out.mechanism == "normtree"'
}

@test "refused where noise would be too wide, with the nearest that fits" {
	nearest dpcount -T 1000
	nearest dpcount
	nearest dpwindow -w 100
	nearest dpdecay --alpha=.99
	nearest dpmaxsum --both -k 1 --keys=a,b -T 1000
}

# in_units EPSILON RANGE ARG ..: the errors are those of epsilon 1/1000 and the range 0:1000, as
# many times as large, but for 1 in 100
in_units() {
	local e=$1 r=$2 tool=$3

	shift 3
	"$tool" -e "$e" -r "0:$r" "$@" --explain=json >wide
	"$tool" -e 1/1000 -r 0:1000 "$@" --explain=json >near
	jq -es --argjson by "$(awk -v e="$e" -v r="$r" 'BEGIN { print r / 1000 / (e * 1000) }')" '
		.[0].mechanism == "normtree" and
		([.[].rmse | .max / 1], [.[].rmse | .mean / 1] |
		.[0] / .[1] / $by | . > .99 and . < 1.01)' wide near
}

@test "no epsilon is too small, and no range too wide, from 1e-6 and to 1e9" {
	for r in 1 1000 1000000000; do
		for e in .000001 .001 .01; do
			in_units $e $r dpcount -T 1000
		done
	done
	in_units .000001 1000000000 dpcount
	in_units .000001 1000000000 dpwindow -w 30
	in_units .000001 1000000000 dpdecay --alpha=.9
}

@test "a state keeps its mechanism, whatever auto would take" {
	bits 40 >in
	dpcount -e 1 -T 300 -M kary --seed 3 --state=s --init in >/dev/null 2>&1
	# as if auto had taken it
	grep -aqx 'mechanism kary' s
	dpcount --state=s in 2>/dev/null >got
	head -n 40 in | cat in - >both
	dpcount -e 1 -T 300 -M kary --seed 3 both 2>/dev/null | tail -n 40 | cmp - got
}

@test "resumed in parts, and killed between them, it prints what one run does" {
	bits 300 >in
	for a in 'dpcount -e 1 -T 300' 'dpcount -e 1' 'dpwindow -e 1 -w 20,33' \
	    'dpdecay -e 1 --alpha=.98' 'dpcount -e 1 --expire=30' \
	    'dpcount -e .05 -T 300' 'dpwindow -e 1 -w 20 -r 0:1000' \
	    'dpcount -e 1e-6 -T 300 -r 0:1000000000' 'dpdecay -e 1e-6 -a .9 -r 0:1000000000'; do
		$a -M normtree --seed 4 in 2>/dev/null >want
		rm -f s*
		from=1
		for n in 1 30 33 64 65 107; do
			sed -n "$from,$((from + n - 1))p" in >part
			if [ $from = 1 ]; then
				$a -M normtree --seed 4 --state=s --init part 2>/dev/null
			else
				"${a%% *}" --state=s part 2>/dev/null
			fi
			from=$((from + n))
		done >got
		cmp want got || { echo "$a"; false; }
	done
}

# Alias rows are used from step 4096 on.
@test "cut before alias rows are used, where they begin, and after, it prints what one run does" {
	bits 6000 >in
	for a in 'dpcount -e 1 -T 6000' 'dpcount -e 1' 'dpwindow -e 1 -w 20,33' \
	    'dpcount -e .05 -T 6000'; do
		$a -M normtree --seed 4 in 2>/dev/null >want
		rm -f s*
		from=1
		for to in 10 4000 4096 4100 4353 6000; do
			sed -n "$from,${to}p" in >part
			if [ $from = 1 ]; then
				$a -M normtree --seed 4 --state=s --init part 2>/dev/null
			else
				"${a%% *}" --state=s part 2>/dev/null
			fi
			from=$((to + 1))
		done >got
		cmp want got || { echo "$a"; false; }
	done
}

@test "planning takes no time to speak of, and little memory" {
	dpcount -e 1 -T 1000000 --explain=json >json
	jq -e '.mechanism == "normtree" and .memory_bytes < 2000' json
	# unbiased mechanisms: 2.37 at 2^8, 4.91 at 2^20
	dpcount -e 1 -T 256 --explain=json | jq -e '.unbiased_bound | . > 2.36 and . < 2.38'
	dpcount -e 1 -T 1048576 --explain=json | jq -e '.unbiased_bound | . > 4.9 and . < 4.92'
}
