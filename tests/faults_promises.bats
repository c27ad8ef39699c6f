#!/usr/bin/env bats
# Planted faults in what --explain predicts: a promise must be broken.

load faults

@test "a law of noise of half the scale: the running count is off by more" {
	faulty_tools tool/explain_numbers.c 's/dp_law_bound\(r->law, gamma\)/& \/ 2/' promises \
	    'a running count' dpcount
}

@test "half the scale is said" {
	faulty_tools tool/explain_numbers.c 's/\*b \*= r->unit/& \/ 2/' promises_notes \
	    'the scale of noise' dpcount dpdistinct dpproject
}

@test "an event is said to lose half of what it does" {
	faulty_tools mech/gradual.c 's/return (\(least < greedy)/return .5 * \1/' promises_notes \
	    'what an event' dpcount
}

@test "a slack of half the size" {
	faulty_tools mech/transform_plan.c 's/\(uint64_t\)quantile\(k, true, slack_tail\(k\)\)/& \/ 2/' \
	    promises_notes 'answers that change seldom' dptransform
}

@test "buckets that meet are said to matter a tenth of what they do" {
	faulty_tools sketch/phase_error.c 's/return (fmin\(s->share != 0)/return .1 * \1/' \
	    promises_notes 'heavy: so many buckets' dpdistinct
}

@test "lazy ends when it is three times as far off as it says" {
	faulty_tools mech/lazy.c 's/farthest\(k\) \* unit/farthest(k) * unit \/ 3/' promises_notes \
	    'lazy: what is printed' dpmaxsum
}
