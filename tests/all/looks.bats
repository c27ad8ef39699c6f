# SPDX-License-Identifier: ISC
# --looks, --seen of dpdistinct and dpcount: memory that is looked at several times, and begun anew
# in between.
load ../lib/helper
load ../lib/dying

# wholly ARG ...: dpdistinct without noise
wholly() {
	dpdistinct -q -e inf "$@" 2>err
}

@test "--looks: exact without noise, and nearly so with little, whatever was seen" {
	seq 1 300 >a
	seq 200 500 >b
	cat a b >ab
	for m in anew anew-cells; do
		wholly -P --universe=1000 -M $m --looks=2 -T 601 --every=300 ab |
		    diff <(printf '300\n499\n') -
		rm -f s
		dpdistinct -e 200 -P --universe=1000 -M $m --looks=2 -T 601 --every=300 --state=s \
		    --init a >out
		dpdistinct --state=s --seen
		dpdistinct --state=s b >>out
		awk -v m=$m 'NR == 1 { want = 300 } NR == 2 { want = 499 } { d = $1 - want }
		    m == "anew" ? d != 0 : d < -200 || d > 200 { exit 1 } END { exit NR != 2 }' out
		dpdistinct --state=s --seen
		fails 4 dpdistinct --state=s --seen
		[[ $stderr = *'all looks that --looks allows are used up'* ]]
	done
	printf '%s\n' 7 7 9 -7 -7 8 >c
	[ "$(wholly -P --universe=9 --deletes --looks=1 --at-end c)" = 2 ]
}

# column STATE: what memory holds
column() {
	grep -a '^column ' "$1" | cut -d ' ' -f 6-
}

@test "--seen: all of memory is another, and no step, no answer, no line of input is taken" {
	seq 90 >in
	for args in '-M anew' '-M anew-cells --deletes'; do
		rm -f s
		# shellcheck disable=SC2086
		dpdistinct -e 2 -P --universe=90 --looks=1 $args -T 99 --at-end --state=s \
		    --init in >out
		column s >before
		dpdistinct --state=s --state-show >shown
		# it would read this, and end it
		[ -z "$(printf '1\n2\n' | dpdistinct --state=s --seen)" ]
		column s >after
		dpdistinct --state=s --state-show | diff <(sed '/^generation/d' shown) \
		    <(sed '/^generation/d' -)
		[ "$(wc -w <before)" = "$(wc -w <after)" ]
		paste <(tr ' ' '\n' <before) <(tr ' ' '\n' <after) | awk '$1 == $2 { exit 1 }'
		fails 4 dpdistinct --state=s --seen
		column s | cmp after -
	done
}

@test "--seen: killed at every effect it was done or it was not, and can be told again" {
	preload
	seq 40 >in
	for ((n = 1; n < 100; n++)); do
		rm -f s s.* w
		dpdistinct -e 2 -P --universe=90 --looks=2 -T 99 --at-end --state=s --init \
		    --witness=w in >out
		column s >before
		dying before $n dpdistinct --state=s --witness=w --seen || :
		[ -s reached ] || break
		dpdistinct --state=s --witness=w --seen
		run ! cmp -s before <(column s)
		# of two looks the second is left, if the first run did not come so far
		dpdistinct --state=s --witness=w --seen 2>err || grep -q 'are used up' err
		fails 4 dpdistinct --state=s --witness=w --seen
	done
	[ "$n" -gt 5 ]
}

@test "--looks, --seen: what they are refused with" {
	seq 9 >in
	rejects() {
		local reason=$1

		shift
		fails 2 dpdistinct -e 1 --at-end "$@" in
		[[ $stderr = *"$reason"* ]] || { echo "$reason: $stderr"; false; }
	}
	for j in 0 8 x -1; do
		rejects 'must be a whole number from 1 to 7' -P --universe=9 --looks=$j
	done
	rejects '--looks is for -P' --universe=9 --looks=1
	rejects '--looks is for -P, --statistic=distinct and a --universe' -P --looks=1
	rejects '--looks is for -P, ' -P --universe=9 --looks=1 --statistic=cropped --tau=2
	rejects '--looks is for -P, --statistic' -P --universe=9 --looks=1 --statistic=density
	for m in cells density alg1; do
		rejects "$m is not for these parameters" -P --universe=9 --looks=1 -M $m
	done
	rejects 'anew is for memory that is looked at several times' -P --universe=9 -M anew
	rejects 'anew-cells is for memory' -P --universe=9 -M anew-cells
	rejects 'anew cannot undo' -P --universe=9 -M anew --looks=1 --deletes
	rejects '--seen needs --state' -P --universe=9 --looks=1 --seen
	dpdistinct -e 1 -P --universe=9 --at-end --state=one --init -T 20 in >out
	fails 2 dpdistinct --state=one --seen
	[[ $stderr = *'was begun without --looks'* ]]
	dpdistinct -e 1 -P --universe=9 --looks=1 --at-end --state=s --init -T 20 in >out
	for a in in --batch=4 --explain --change; do
		fails 2 dpdistinct --state=s --seen $a
		[[ $stderr = *'--seen reads no data'* ]]
	done
	fails 5 dpdistinct --state=s --looks=2 in
	fails 2 dpcount -e 1 -T 9 --seen in
}

@test "dpcount --looks: exact without noise, nearly so with little, and begun anew" {
	local m
	awk 'BEGIN { for (i = 1; i <= 90; i++) print i % 3 == 0 }' >in
	[ "$(dpcount -q -e inf -P -T 90 --looks=3 in | tail -n 1)" = 30 ]
	for m in pan pan-slots response input; do
		rm -f s
		dpcount -e 200 -P -T 90 --looks=2 -M $m --state=s --init < <(head -n 40 in) >out
		[ -z "$(printf '1\n' | dpcount --state=s --seen)" ]
		dpcount --state=s < <(tail -n +41 in | head -n 20) >>out
		dpcount --state=s --seen
		dpcount --state=s < <(tail -n 30 in) >>out
		awk '{ want += NR % 3 == 0; d = $1 - want; if (d < -1 || d > 1) exit 1 }
		    END { exit NR != 90 }' out
		[[ $m != pan* ]] || {
			fails 4 dpcount --state=s --seen
			[[ $stderr = *'all looks that --looks allows are used up'* ]]
		}
	done
	# with noise: all of a column is another, and of each key
	for m in pan pan-slots; do
		rm -f s
		dpcount -e 1 -P -T 90 --looks=1 -M $m -k 1 --keys=0,1 -m . --state=s --init in |
		    head -n 60 >out
		column s >before
		dpcount --state=s --seen
		column s >after
		cat before after
		[ "$(sort -u before after | wc -l)" -eq 4 ]
	done
}

@test "dpcount --looks: what it is refused with, and what --explain says" {
	rejects() {
		local reason=$1

		shift
		fails 2 dpcount -e 1 -T 9 "$@" </dev/null
		[[ $stderr = *"$reason"* ]] || { echo "$reason: $stderr"; false; }
	}
	rejects '--looks is for -P' --looks=1
	rejects '--looks is for -P' --looks=1 -M pan
	rejects 'memory without --expire' -P --looks=1 --expire=3
	rejects "must be a whole number from 1 to 1000" -P --looks=1001
	dpcount -e 1 -P -T 9 --state=one --init </dev/null
	fails 2 dpcount --state=one --seen
	[[ $stderr = *'was begun without --looks'* ]]
	rejects 'without --dropped or a range' -P --looks=1 -r auto
	dpcount -P -e 1 -T 1000 --looks=2 --explain=json >j
	jq -e '.notes | any(test("is for 3 looks at memory, not one: the first 2 are"))' j
	jq -e '.notes | any(test("1000 steps, told or not, no counter stays within 13.5 "))' j
	# Theorem 4.3: of order sqrt(n)
	for n in 100k 10M; do
		dpcount -P -e 2 -T $n --explain |
		    sed -nE 's/.* stays within ([0-9.e+]+) at the .*/\1/p'
	done | awk '{ was[NR] = $1 } END { exit !(was[1] > 60 && was[2] / was[1] > 9 &&
	    was[2] / was[1] < 12) }'
	# and here it is: as many looks as there are steps take what keeps noise alone
	dpcount -P -e 1 -T 500 --looks=500 --explain=json | jq -e '.mechanism == "response"'
}

@test "dpcount --looks: the errors that the page has" {
	for j in '' --looks=2 --looks=7; do
		# shellcheck disable=SC2086
		dpcount -P -e 1 -T 1M $j --explain=json | jq '.rmse.max | round'
	done | tr '\n' ' ' >said
	[ "$(<said)" = '90 94 102 ' ] || { cat said; false; }
	mandoc -Tutf8 "$BATS_TEST_DIRNAME/../../man/dpcount.1" | col -bx | tr -s ' \n' ' ' |
	    grep -q 'off by 90 without such a look, by 94 with two and by 102 with seven'
}

@test "--looks: --explain says how many, and what they cost" {
	dpdistinct -e 2 -P --universe=900 --looks=3 --at-end --explain=json >j
	jq -e '.mechanism == "anew" and .pan_private and
	    (.notes | any(test("is for 4 looks at memory, not one: the first 3 are")))' j
	jq -r '.notes[]' j | grep -oE 'of epsilon, [0-9.]+ is for memory' >said
	# the most of all rows of four bits (dputils-formulas(7)); the first costs 1 over the scale
	dpdistinct -e 2 -P --universe=900 --looks=3 --at-end --explain | awk '
	function cost(was, is, j,	G) {
		G = g ^ (j + 1)
		if (was == is)
			return log((1 + g) / (is ? 1 + G : 1 - G))
		return log((is ? 1 + G : 1 - G) / (1 - g))
	}
	/every bit: its sign/ {
		sub(/,/, "", $5)
		E = exp(1 / $5)
		g = (E - 1) / (E + 1)
		for (row = 0; row < 16; row++) {
			sum = 1 / $5
			for (j = 1; j < 4; j++)
				sum += cost(int(row / 2 ^ (j - 1)) % 2, int(row / 2 ^ j) % 2, j)
			if (sum > most)
				most = sum
		}
		printf "of epsilon, %.4g is for memory\n", most
	}' | diff said -
}

@test "--looks: the errors that the page has" {
	error() {
		dpdistinct -P --universe=10000 --at-end "$@" --explain=json |
		    jq '.rmse.max | round'
	}
	for e in 2 4; do
		error -e $e
		error -e $e --looks=1
		error -e $e --looks=2
	done | tr '\n' ' ' >said
	[ "$(<said)" = '48 221 861 17 73 181 ' ]
	mandoc -Tutf8 "$BATS_TEST_DIRNAME/../../man/dpdistinct.1" | col -bx | tr -s ' \n' ' ' |
	    grep -q '10,000 identifiers it is 48 .* 221 with one and 861 with two; 17, 73 and 181'
}
