#!/usr/bin/env bats
# Planted faults: the rooms of a run.
load ../lib/helper
load faults

@test "buckets: the row before, an event too far ahead, sums that pass 2^61" {
	fault run/bucket.c 's/border\[m\] <= time/border[m] < time/' unit/t_run_bucket:test_range
	fault run/bucket.c 's/ - 1 > gap;/ > gap;/' unit/t_run_bucket:test_public
	fault run/bucket.c 's/dp_run_sum\((dp_carry_add\(.*\))\);/(int64_t)\1;/' \
	    unit/t_run_bucket:test_clamped
	fault run/bucket.c 's/memset\(r->ring\.sums \+ others, 0, n\)/(void)0/' \
	    unit/t_run_bucket:test_public
}

@test "buckets: past the horizon, a user's allowance of another bucket" {
	fault run/bucket.c '/^dp_bucket_reach\(/,/^}/s/return r->o->horizon.*/return 0;/' \
	    unit/t_run_bucket:test_horizon
	fault run/bucket.c 's/dp_cap_admit\(r, \(size_t\)i, v\)/dp_cap_admit(r, 0, v)/' \
	    unit/t_run_bucket:test_users
}

@test "steps: past the horizon, each in place of each third, an end twice, a value that stays" {
	fault run/step.c 's/r->o->horizon != 0 && r->t == r->o->horizon\) \|\|/false) ||/' \
	    unit/t_run_step:test_each
	fault run/step.c 's/r->t % r->o->print\.every == 0/true/' unit/t_run_step:test_every
	fault run/step.c 's/\(r->answer.asks \? r->answer.out : !r->print.stepped\)/false/' \
	    unit/t_run_step:test_at_end
	fault run/step.c \
	    's/\(r->answer.asks \? r->answer.out : (!r->print.stepped)\)/\1/' \
	    unit/t_run_step:test_end
	fault run/step.c 's/ \|\| \(r->answer.asks && dp_step_last\(r\) && r->answer.out\)//' \
	    unit/t_run_step:test_end
	fault run/step.c 's/set \? v->value : 0/v->value/' unit/t_run_step:test_alone
}

@test "steps: an answer before the line twice, or none" {
	fault run/step.c 's/ \|\| r->answer.out \|\|/ ||/' unit/t_run_step:test_before
	fault run/step.c '/^dp_step_end\(/,/^}/s/return answer_next.*/return 0;/' \
	    unit/t_run_step:test_before
	fault run/step.c '/^take\(/,/^}/s/^\tif \(e != 0\)/\tif (e != 0 \&\& e != DP_EHALT)/' \
	    unit/t_run_step:test_halt
}

@test "clock: a look at each event, a moment believed, a clock far ahead, a late begin" {
	fault run/clock.c 's/ \|\| r->clock\.slot != slot\)/ || true)/' unit/t_run_clock:test_slots
	fault run/clock.c 's/boot - c->since >= CONFIRM/true/' unit/t_run_clock:test_moment
	fault run/clock.c 's/too_far\(r, now\)\) \{/false) {/' unit/t_run_clock:test_far
	fault run/clock.c 's/r->t == 0 && r->kept/false \&\& r->kept/' unit/t_run_clock:test_first
	fault run/clock.c 's/c->offset = offset;$/;/' unit/t_run_clock:test_set
}
