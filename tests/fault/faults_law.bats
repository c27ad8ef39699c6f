#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# One fault for all that has noise: every draw twice as large, and every split, and the odds of
# every coin.  The law test of each mechanism, for each task, must notice; which those are the tests
# say themselves (tests/unit/covers.h).

load faults

@test "law: a factor of all coefficients forgotten" {
	fault law/dp_law_bound 's/return g \* dp_law_bound/return dp_law_bound/' unit/t_law:factors
}

@test "every draw doubled: each mechanism's law test fails, for each of its tasks" {
	local dir=$BATS_TEST_TMPDIR kind name task n=0

	# zero becomes 3: a flip depends on the sign alone
	plant random/noise.c 's/^dp_noise_fill\(/fill(/
	    $a int dp_noise_fill(const struct dp_noise *nz, struct dp_rng *r, int64_t *z,\
	    size_t n) {\
		int e = fill(nz, r, z, n);\
		for (size_t i = 0; i < n; i++) z[i] = 2 * z[i] + 3 * (z[i] == 0);\
		return e; }' "$dir"
	mv "$dir/fault.o" "$dir/draw.o"
	plant random/dp_coin_make 's/mul_u64\(&h, odds\.num/mul_u64(\&h, 2 * odds.num/' "$dir"
	mv "$dir/fault.o" "$dir/coin.o"
	# splits twice as far from even
	plant normtree/round_of_draw,one_slowly,by_rejection 's|put\((P[^,]*), j,|put(\1, 2 * j,|' \
	    "$dir"
	for test in "$DP_BUILD"/tests/law/s_*.o; do
		link "$dir/test" "$test" "$dir/fault.o" "$dir/draw.o" "$dir/coin.o"
		"$dir/test" --covers | sort -u >"$dir/list"
		while read -r kind name task; do
			[ "$kind" = law ] || continue
			n=$((n + 1))
			run "$dir/test" "$name" "$task" law
			[ "$status" -eq 1 ] || { echo "${test##*/}: $name $task: $output"; false; }
		done <"$dir/list"
	done
	[ $n -ge 35 ]
}

# What every mechanism owes is tested without its name
@test "expsum: the mean's recursion, seen by the test of all mechanisms" {
	fault paper/expsum_error 's/half = 2 \* half/half = half/' unit/t_registry
}

@test "output: the oldest value never leaves, seen by the test of all mechanisms" {
	fault paper/each_step 's/raw\[p \+ k->n - d\]/raw[p]/' unit/t_registry
}

@test "filtered: the oldest weight of a table left out" {
	fault counter/table_step 's/d < n \&\& d < t/d + 1 < n \&\& d < t/' unit/t_registry
}

@test "filtered: of weights taken many at a time, those of a tile meet the step before" {
	fault counter/table_wide 's/t \+ 1 - d - n\)/t - d - n)/' unit/t_filtered
}

@test "filtered: what is in a ring that has come round is taken as it stands" {
	fault counter/collect 's/k = k < f->n - at \? k : .*/;/' unit/t_filtered
}

@test "filtered: every window as long as the first" {
	fault counter/window_filter 's/w = f->task\.w\[i\];/w = f->task.w[0];/' unit/t_filtered
}

@test "filtered: no borrow when a value leaves the window" {
	fault counter/slide 's/s->whole -= s->part < \(uint64_t\)old;/;/' unit/t_filtered
}

@test "half-widths: laws inverted all the same" {
	fault counter/invert 's/seen->variance = v;/seen->variance = -1;/' unit/t_width
}

@test "half-widths: one less is taken for sure" {
	fault law/sure_bound 's/ - up\);/ - up) - 1;/
	    s/cubic\(c, high\) < to - lost \* \(1 \+ lost\) -/1 + 0 */' unit/t_normtree_bounds
}

@test "half-widths: two steps with any bounds taken for equal ones" {
	fault counter/rise 's/then == \*w/then >= *w/' unit/t_width
}

@test "law: what lies between whole numbers is taken for whole" {
	fault law/beyond_invert 's/if \(!l->between\)$/if (true)/' unit/t_law:between
	fault law/single_bound 's/return ceil\(b \* log\(1 \/ gamma\)\);/;/' unit/t_law:between
	fault counter/create_mech 's/\(\*m\)->estimate.between = .*/;/' unit/t_width
}

@test "responses: bounds of half the flips, or of one error less" {
	fault law/response_bound 's/\(1 - l->gap\) \/ 2, 0x1p-53/(1 - l->gap) \/ 4, 0x1p-53/' \
	    unit/t_law:edges
	fault law/response_bound 's/l->gap \+ 0\.5\)/l->gap - 0.5)/' unit/t_law:edges
	fault law/response_bound 's/if \(l->each != 0\)$/if (false)/' unit/t_law:edges
}

@test "law: a discrete Gaussian of any variance is a normal law" {
	fault law/grainy 's/< 6;/< 0;/' unit/t_law:grains
}

@test "law: a decay's tail ends where that of whole numbers does" {
	fault law/periods 's/v >= 1\.5 \? 8 : 32/1/' unit/t_law:halves
	fault law/invert 's/SHARP \/ \(end/0 \/ (end/' unit/t_law:halves
}
