#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in following the leader: each must make the suite fail.

load faults

# faulty_tool FILE SED TEST: the test of tests/tool/dpexperts.bats whose name begins so fails with
# dpexperts made of FILE's fault.
faulty_tool() {
	faulty_tools "$1" "$2" dpexperts "$3" dpexperts
}

# halved: noise for half of what a line moves
halved='s/^\tone.inputs = 1;/& one.privacy.l1 = (one.privacy.l1 + 1) \/ 2;/'

@test "halved scale" {
	fault stat/create_experts "$halved" unit/t_experts
}

@test "halved scale: the law of the choices is not the one predicted" {
	fault stat/create_experts "$halved" law/s_experts kary experts law
}

@test "no noise for one cost: epsilon is refuted" {
	fault stat/create_experts 's/^\tone.inputs = 1;/& one.privacy.exact = true;/' \
		law/s_experts pan experts neighbour
}

@test "a third of the scale: epsilon is refuted" {
	fault account/laplace 's/^(\tif \(\(e = scale_up\(&whole, dp_q_make\(p->l1, )1/\13/' \
		law/s_experts kary experts neighbour
}

@test "one expert's noise used for the others: epsilon is refuted" {
	fault stat/count \
		's/(\&y\[i\])\)\) != 0\)/\1)) != 0 || \
		(i > 0 \&\& x != NULL \&\& (y[i] = y[0] - x[0] + x[i], 0)))/' \
		law/s_experts kary experts neighbour
}

@test "the draws that are missing to the most not added: the law of a round" {
	fault stat/experts_answer 's/k->most - draws_in\(k, t \+ 1\)/0 * k->most/' \
		law/s_experts kary experts law
}

@test "the draws that are missing to the most not added: the regret is above its bound" {
	fault stat/experts_answer 's/k->most - draws_in\(k, t \+ 1\)/0 * k->most/' \
		law/s_experts kary experts loss
}

@test "missing draws counted for the step before" {
	fault stat/experts_answer 's/draws_in\(k, t \+ 1\)/draws_in(k, t > 0 ? t : 1)/' \
	    unit/t_experts
}

@test "a reserve for all experts: the law of a round" {
	fault stat/experts_answer 's/reserve\(k, col, i \+ j\)\[/reserve(k, col, 0)[/' \
		law/s_experts kary experts law
}

@test "a reserve's last draw for all of them" {
	fault stat/draw_reserve 's/sum\[j\] = all \+= z/sum[j] = all = z/' \
		law/s_experts kary experts law
}

@test "no step before the first line" {
	fault stat/experts_start 's/return count\(k, col, rng, 1, NULL\);/return 0;/' unit/t_experts
}

@test "every other line's costs forgotten: a stale leader" {
	fault stat/experts_step 's/counted\(m, t\) == t \?/t % 2 == 0 ?/' unit/t_experts
}

@test "the last line counted" {
	fault stat/counted 's/m->horizon != 0 \&\& t == m->horizon/m->horizon == 0/' \
		unit/t_experts
}

@test "ties go to the last" {
	fault stat/experts_answer 's/y < least/y <= least/' unit/t_experts
}

@test "an answer looks into the counters" {
	local column='dp_part_column(m->part, col, i + j)'

	fault stat/experts_answer "s/y = count\[i \+ j\]/& + *(int64_t *)$column % 7 * 100/" \
		unit/t_experts
}

@test "folded at 0: no geometric law" {
	fault stat/folded 's/z < 0 \? ~z : z/z < 0 ? -z : z/' unit/t_experts
}

@test "what perturbs a choice is drawn once, not in every round" {
	fault stat/experts_answer \
		's/y = (.*) - folded\(z\[j\]\);/static int64_t old[9]; \
		old[j] = t == 0 ? folded(z[j]) : old[j]; y = \1 - old[j];/' \
		law/s_experts kary experts law
}

@test "one perturbation for all experts" {
	fault stat/experts_answer \
		's/y = (.*) - folded\(z\[j\]\);/static int64_t one; \
		one = j == 0 ? folded(z[j]) : one; y = \1 - one;/' \
		law/s_experts pan experts law
}

@test "regret: half of what a round costs" {
	fault stat/round_cost 's/w \/ 2 \* pull/w \/ 4 * pull/' unit/t_experts
}

@test "regret: the least instead of the largest of n" {
	fault stat/dp_regret_noise 's/exp\(r->n \* log1p/exp(log1p/' unit/t_experts
}

@test "regret: a rate that is not the best" {
	fault stat/dp_regret_best 's/sqrt\(c \/ /sqrt(4 * c \/ /' unit/t_experts
}

@test "neighbours: one number of a line moves two columns, or all of them" {
	fault account/dp_relation_distance 's/lines \&\& K == 0 \&\& !one;/lines \&\& K == 0;/' \
	    unit/t_neighbour
	fault account/dp_relation_distance 's/ \&\& !one \? r->ones/ ? r->ones/' unit/t_neighbour
}

@test "neighbours: a line protected as one cost" {
	faulty_tool job/relation 's/r.entry = o->range\.entry/r.entry = true/' \
	    'protected is'
}

@test "a line's costs are counted before its answer: peeking" {
	# answers come after the line
	faulty_tool run/answer_next,dp_step_begin '/^dp_step_begin\(/,/^}/s/return .*;/return 0;/
		s/dp_print_step\(r, r->t \+ 1, 0\)/dp_print_step(r, r->t, 0)/' \
		'the leader, by hand'
}

@test "the first answer does not wait for the header that names it" {
	faulty_tool run/begin 's/ \|\| r->o->form\.header \? e/ ? e/' 'a header names'
}

@test "no answer where no header came" {
	faulty_tool run/dp_step_end '/^dp_step_end\(/,/^}/s/return answer_next.*/return 0;/' \
		'a header names'
}

@test "costs are not clamped" {
	faulty_tool input/clamp_terms 's/return v < o->range\.lo \? .*;/(void)o; return v;/' \
		'costs are clamped'
}

@test "the words of an error for a regret" {
	faulty_tool explain/print_bounds 's/if \(r->regret\) \{/if (0) {/' '--explain has the words'
}

@test "choices now and then: one fewer is paid than is made" {
	fault stat/fit_choose_plan \
		's/n > 0 \? n : 1, dp_q_make/n > 1 ? n - 1 : 1, dp_q_make/' \
		law/s_experts_choose blocks experts neighbour
}

@test "choices now and then: half the scale" {
	fault account/flip_scale \
		's/dp_q_make\(p->spread, 1\)/dp_q_make((p->spread + 1) \/ 2, 1)/' \
		law/s_experts_choose doubling experts neighbour
}

@test "choices now and then: one more than is paid" {
	fault stat/due 's/if \(!k->doubling\)$/if (t == 1) return true; &/' \
		law/s_experts_choose blocks experts neighbour
}

@test "choices now and then: the first from nothing is always column 1" {
	fault stat/choose_start 's/return choose\(chooser\(m\), col, rng\);/return 0;/' \
		law/s_experts_choose blocks experts neighbour
}

@test "choices now and then: the score without what came before the last choice" {
	fault stat/choose \
		's/^\tc->choice = which;/& memset(c->score, 0, 8 * k->m.inputs);/' \
		law/s_experts_choose blocks experts neighbour
}

@test "segments: sums that go on over an end, which nobody has paid for" {
	fault stat/choose_step 's/if \(last_choose\(chooser\(m\), t\)\)/if (t > m->horizon)/' \
		law/s_experts_choose blocks experts neighbour
	fault stat/choose_step 's/if \(last_choose\(chooser\(m\), t\)\)/if (t > m->horizon)/' \
		law/s_experts_choose doubling experts neighbour
}

@test "choices now and then: who costs most" {
	fault stat/choose_step 's/sums_subtract\(c->score/sums_add(c->score/' \
		law/s_experts_choose doubling experts loss
}

@test "choices now and then: bounds of a part of what a block costs, of half the noise" {
	fault stat/segment_cost 's/fmin\(sum \+ .*behind\(k\),/fmin(sum * .3,/' \
		law/s_experts_choose blocks experts neighbour
	fault stat/blocks_note \
		's/segments \* a \* (dp_chooser_behind\(k\))/segments * a * \1 \/ 2/' \
		law/s_experts_choose blocks experts loss
}
