#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults: the rooms of a run.
load ../lib/helper
load faults

@test "buckets: the row before, an event too far ahead, sums that pass 2^61" {
	fault run/row_of 's/border\[m\] <= time/border[m] < time/' unit/t_run_bucket:test_range
	fault run/dp_bucket_far 's/ - 1 > gap;/ > gap;/' unit/t_run_bucket:test_public
	fault run/add 's/dp_run_sum\((dp_carry_add\(.*\))\);/(int64_t)\1;/' \
	    unit/t_run_bucket:test_clamped
	fault run/take_oldest 's/memset\(r->ring\.sums \+ others, 0, n\)/(void)0/' \
	    unit/t_run_bucket:test_public
}

@test "buckets: past the horizon, a user's allowance of another bucket" {
	fault run/dp_bucket_reach '/^dp_bucket_reach\(/,/^}/s/return r->o->horizon.*/return 0;/' \
	    unit/t_run_bucket:test_horizon
	fault run/dp_bucket_add 's/dp_cap_admit\(r, \(size_t\)i, v\)/dp_cap_admit(r, 0, v)/' \
	    unit/t_run_bucket:test_users
}

@test "steps: past the horizon, each in place of each third, an end twice, a value that stays" {
	fault run/spent_step 's/r->o->horizon != 0 && r->t == r->o->horizon\) \|\|/false) ||/' \
	    unit/t_run_step:test_each
	fault run/due 's/r->t % r->o->print\.every == 0/true/' unit/t_run_step:test_every
	fault run/dp_step_end 's/\(r->answer.asks \? r->answer.out : !r->print.stepped\)/false/' \
	    unit/t_run_step:test_at_end
	fault run/dp_step_end \
	    's/\(r->answer.asks \? r->answer.out : (!r->print.stepped)\)/\1/' \
	    unit/t_run_step:test_end
	fault run/take_step 's/ \|\| \(r->answer.asks && dp_step_last\(r\) && r->answer.out\)//' \
	    unit/t_run_step:test_end
	fault run/put 's/set \? v->value : 0/v->value/' unit/t_run_step:test_alone
}

@test "steps: an answer before the line twice, or none" {
	fault run/answer_next 's/ \|\| r->answer.out \|\|/ ||/' unit/t_run_step:test_before
	fault run/dp_step_end '/^dp_step_end\(/,/^}/s/return answer_next.*/return 0;/' \
	    unit/t_run_step:test_before
	fault run/take_step \
	    '/^take_step\(/,/^}/s/^\tif \(e != 0\)/\tif (e != 0 \&\& e != DP_EHALT)/' \
	    unit/t_run_step:test_halt
}

@test "clock: a look at each event, a moment believed, a clock far ahead, a late begin" {
	fault run/dp_clock_look 's/ \|\| r->clock\.slot != slot\)/ || true)/' \
	    unit/t_run_clock:test_slots
	fault run/look 's/boot - c->since >= CONFIRM/true/' unit/t_run_clock:test_moment
	fault run/believe 's/too_far\(r, now\)\) \{/false) {/' unit/t_run_clock:test_far
	fault run/believe 's/r->t == 0 && r->kept/false \&\& r->kept/' unit/t_run_clock:test_first
	fault run/believe,look 's/c->offset = offset;$/;/' unit/t_run_clock:test_set
}

@test "folds: a retraction left out; one kept into the next bucket; a late event's of its own" {
	fault run/fold 's/if \(f\.was && \(e = /if (false \&\& (e = /' unit/t_fold:test_reaches
	fault store/dp_fold_close 's/ \|\| !by_row\(r\)\)/ || true)/' unit/t_fold:test_rows
	fault store/join 's/word\[2\] = htole64\(row\)/& + (uint64_t)v->number/' \
	    unit/t_fold:test_reaches
	fault store/fold_in 's/^\tif \(first\)$/\tif (false)/' unit/t_fold:test_reaches
}

@test "folds: reach 1 for K; of steps as of keys; a key, a step, a value of 0 that costs nothing" {
	fault account/dp_relation_distance 's/r->once \? least\(K, D\) :/r->once ? 1 :/' \
	    unit/t_fold:test_reaches
	fault job/relation 's/ && dp_options_step_unit\(o\);/;/' unit/t_fold:test_reaches
	fault store/enter 's/(dp_options_lone\(r->o, r->tool\)) \?/\1 || v->number == 0 ?/' \
	    unit/t_fold:test_reaches
	fault store/join 's/word\[3\] = htole64\(key\.hi\)/word[3] = 0/' unit/t_fold:test_reaches
	fault store/join 's/word\[2\] = htole64\(row\)/word[2] = 0/' unit/t_fold:test_reaches
	fault store/dp_cap_charge 's/return admit_once\(r, row, user\);/return 1;/' \
	    unit/t_fold:test_reaches
}

@test "folds: a sum that has left its word; a state without what an open bucket's folds are" {
	fault store/dp_carry_move 's/c->n \+= \(int64_t\)\(s \/ DP_CARRY\);/;/' \
	    unit/t_fold:test_large
	fault store/plus 's/a \+ b > MOST \? MOST/a + b > MOST ? 0/' unit/t_fold:test_large
	faulty_tools store/nearest 's/^\tif \(2 \* \(rest/\tif ((rest/' \
	    people 'every fold' dpwindow
	faulty_tools store/get_fold 's/\(int64_t\)value\) == 0/0) == 0/' people \
	    '--each-user: a state' dpmean
}
