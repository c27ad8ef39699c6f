# SPDX-License-Identifier: ISC
# dpdistinct --looks, --seen: memory that is looked at several times, and begun anew in between.
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
		[[ $stderr = *'no look is left of those of --looks'* ]]
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
		dpdistinct --state=s --witness=w --seen 2>err || grep -q 'no look is left' err
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
