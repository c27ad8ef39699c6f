#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in sums of values whose range nobody knows.

load faults

@test "magnitude: a value adds more than noise is for" {
	fault stat/dp_magnitude_place \
	    's/j = dp_ceil_log2\(size\);/j = dp_ceil_log2(size); j -= j > 0;/' \
	    unit/t_magnitude
}

@test "magnitude: values beyond the top are not clamped" {
	fault stat/dp_magnitude_place 's/size = size < most \? size : most;//' unit/t_magnitude
}

@test "magnitude: both signs in one column" {
	fault stat/dp_magnitude_place 's/value < 0 \? k->top \+ 1 : 0/0/' unit/t_magnitude
}

@test "magnitude: a clamp that noise alone lifts" {
	fault stat/sum_of 's/> k->least\[window\]/> k->least[window] \/ 4/' unit/t_magnitude
}

@test "magnitude: columns that are read a place off" {
	fault stat/sum_of 's/k->digits - \(j - 1\)/k->digits - j/' \
	    unit/t_magnitude
}

@test "magnitude: noise for half of what a value adds" {
	fault stat/magnitude_make 's/if .*dp_parts_create.*/struct dp_mech_rule h = *rule; &/;
	    s/\(&k->m, rule, &c/(\&k->m, \&h, \&c/; s/h = \*rule;/& HALF;/;
	    s/HALF/h.band->reach = (struct dp_reach){ 1 << 19, 1LL << 38, 1 << 19, 42 }/' \
	    unit/t_magnitude
}
