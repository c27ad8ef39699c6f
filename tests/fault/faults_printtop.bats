#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in --top; each must make its test fail.

load faults

@test "top: intervals of one key decide for all" {
	faulty_tools run/plan 's/\(r->plan\.mech->off\.worst_of \* \(double\)o->keys\.n\)/1/' \
	    top 'certain: the key' dpcount
}

@test "top: certain with half the distance" {
	faulty_tools explain/certain 's/ - 2 \* half/ - half/' top 'certain: the key' dpcount
}

@test "top: one more may be above" {
	faulty_tools explain/certain 's/return others < r/return others <= r/' top \
	    'certain: the key' dpcount
}

@test "top: the smallest come first" {
	faulty_tools explain/by_estimate 's/v\[x\]\.est > v\[y\]\.est \?/v[x].est < v[y].est ?/' \
	    top \
	    'with noise' dpcount
}

@test "top: equals come as the sort leaves them" {
	faulty_tools explain/by_estimate 's/return x < y/return x > y/' top 'with noise' dpcount
}
