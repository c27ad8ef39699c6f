#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in dptransform's mechanisms: each must make a test fail.

load faults

# faulty_tool FILE SED TEST: with the fault in lib/FILE, or cmd/FILE, a test of
# tests/tool/dptransform.bats fails
faulty_tool() {
	local dir=$BATS_TEST_TMPDIR/build objects=("$DP_BUILD/cmd/dptransform.o")

	cd "$BATS_TEST_TMPDIR"
	sound "$dir"
	plant "$1" "$2" "$dir"
	[[ $1 != ../cmd/* ]] || objects=()
	link "$dir/bin/dptransform" "${objects[@]}" "$dir/fault.o"
	suite "$dir" dptransform "$3"
	cat tap
	grep -q '^not ok 1 ' tap
}

@test "options: the sensitivity rounded down" {
	faulty_tool ../cmd/dptransform.c 's/(on_grid\(o, v->number), true/\1, false/' 'the sensit'
}

@test "options: what rounding to both sides of 0 adds left out" {
	faulty_tool ../cmd/dptransform.c 's/ \+ \(ask->range\.lo < 0 && ask->range\.hi > 0\)//' \
	    'the sensit'
}

@test "options: the distance rounded up" {
	faulty_tool ../cmd/dptransform.c 's/distance\), false/distance), true/' 'input: cl'
}

@test "options: the sensitivity that of the range" {
	faulty_tool job/relation 's/\.unit = o->range\.unit/.unit = 0/' 'the sensit'
}

@test "transform: halved scales" {
	fault stat/dp_transform_shares \
	    's/(dp_transform_charge\(k, i\)), 1\)/(\1 + 1) \/ 2, 1)/' \
	    unit/t_transform
}

@test "transform: halved scales: epsilon is refuted from what is seen" {
	fault stat/dp_transform_shares \
	    's/(dp_transform_charge\(k, i\)), 1\)/(\1 + 1) \/ 2, 1)/' \
	    law/s_transform transform transform neighbour
}

@test "transform: the comparison that ends the run not paid" {
	fault stat/begin 's/(k->heavy = k->task\.changes) \+ !own->hold/\1/' unit/t_transform
}

@test "transform: the comparison that ends the run not paid: epsilon is refuted" {
	fault stat/begin \
	    's/(k->heavy = k->task\.changes) \+ !own->hold/\1 + (own->changes == 0)/' \
	    law/s_transform transform transform neighbour
}

@test "transform: a heavy comparison paid once, not twice" {
	fault stat/dp_transform_charge 's/return 2 \* covered/return covered/' \
	    law/s_transform transform transform neighbour
}

@test "transform: stretches are ruled out that are best" {
	fault stat/dp_transform_least 's/\* \(1 - 1e-9\)/* 8/' unit/t_transform
}

@test "transform: the threshold not paid" {
	fault stat/make_noise_plan \
	    's/own, (k->share\[family\])/own, family == 0 ? dp_q_make(1, 1) : \1/' \
	    law/s_transform transform transform neighbour
}

@test "transform: the threshold drawn anew at every step, for nothing" {
	fault stat/transform_step 's/if \(aligned\(t - 1, i\) &&/if (/' unit/t_transform
}

@test "transform: what is held for good still compared: epsilon is refuted" {
	fault stat/transform_step \
	    's/k->task\.changes \+ !k->task\.hold/k->task.changes + 1/' \
	    unit/t_transform
}

@test "transform: the halting value printed" {
	fault stat/transform_step 's/c->changes\+\+ < k->task/c->changes++ <= k->task/
	    s/return DP_EHALT;/;/' unit/t_transform
}

@test "transform: an ended run goes on" {
	fault stat/transform_step 's/c->changes\+\+ < k->task/c->changes < k->task/' \
	    unit/t_transform
}

@test "transform: the answer compared with itself" {
	fault stat/transform_step \
	    's/gap = \(dp_wide\)c->out - a/gap = (dp_wide)a - a/' \
	    unit/t_transform
}

@test "transform: an answer released with the comparison's noise" {
	fault stat/transform_step 's/out_of\(\(dp_wide\)a \+ answer\)/a + compare/' unit/t_transform
}

@test "transform: no noise on the answers" {
	fault stat/transform_step 's/out_of\(\(dp_wide\)a \+ answer\)/a/' \
	    law/s_transform transform transform neighbour
}

@test "transform: the slack left out" {
	fault stat/accuracy 's/task\.distance \+ slack\)/task.distance)/' unit/t_transform
}

@test "transform: the slack left out: changes for no reason" {
	fault stat/accuracy 's/task\.distance \+ slack\)/task.distance)/' \
	    law/s_transform transform transform loss
}

@test "transform: the bound too small by what a late change adds" {
	fault stat/accuracy \
	    's/\+ quantile_plan\(k, false, late_tail\(k\)\)//' \
	    law/s_transform transform transform loss
}

@test "transform: shares of a state file that sum to more than 1 accepted" {
	fault stat/dp_transform_shares 's/share\[n\]\.num > left/false/' unit/t_transform
}

@test "recompute: one block less is paid for" {
	fault stat/answers_fit 's/(rule->horizon - 1\) \/ every) \+ 1;/\1 + (every == 1);/' \
	    law/s_transform recompute transform neighbour
}

@test "recompute: each line of a block releases" {
	fault stat/answers_step 's/k->every == 1 \|\| c->block != block/true/' \
	    law/s_transform recompute transform neighbour
}

@test "recompute: blocks end a line late" {
	fault stat/answers_step 's/\(t - 1\) \/ k->every \+ 1/t \/ k->every + 1/' \
	    unit/t_transform
}

@test "recompute: a block's blank first lines spend its answer" {
	fault stat/answers_step 's/if \(\*x != DP_TRANSFORM_NONE\) \{/{/' unit/t_transform
}

@test "recompute: not centred where answers never fall" {
	fault stat/answers_fit 's/k->centre = .*/k->centre = 0;/' \
	    law/s_transform recompute transform loss
}

@test "recompute: the drift is not in the bound" {
	fault stat/answers_fit 's/k->bound = k->half \+/k->bound =/' \
	    law/s_transform recompute transform loss
}

@test "recompute: half of the drift in the bound where answers fall, too" {
	fault stat/answers_fit 's/k->half = k->task\.rising != 0 \?/k->half = true ?/' \
	    law/s_transform recompute transform loss
}

@test "recompute: a length of blocks that is not the best" {
	fault stat/answers_search 's/m \*= 1\.125/m *= 64/' unit/t_transform
}

@test "recompute: a block that a run cannot have reached, from a state" {
	fault stat/answers_valid 's/return k->every == 1 \|\|/return true ||/' unit/t_transform
}

@test "pan: the uncovered steps not paid" {
	fault stat/set_low \
	    's/k->uncovered = T >> low == 0.*/k->uncovered = 0;/' \
	    unit/t_transform
}

@test "pan: one threshold noise of the siblings not paid" {
	fault stat/dp_transform_charge \
	    's/return k->levels;/return k->levels > 1 ? k->levels - 1 : 1;/' \
	    unit/t_transform
}

@test "pan: threshold noise left in memory when its stretch is over" {
	fault stat/transform_step 's/c->theta\[i\] = 0;/;/' unit/t_transform
}

@test "pan: one threshold for all time, in memory" {
	fault stat/pan_create \
	    's/set_low\(k, top, \(unsigned\)dp_numbers_int.*/k->low = 63, k->levels = 1;/' \
	    unit/t_transform
}

@test "paper: 2 eps in place of 3" {
	fault stat/paper_create 's/dp_q_make\(1, 3 \* k->levels\)/dp_q_make(1, 2 * k->levels)/' \
	    unit/t_transform
}

@test "paper: a threshold of alpha" {
	fault stat/accuracy \
	    's/floor\(2 \* k->paper.alpha\)/floor(k->paper.alpha)/' unit/t_transform
}

@test "input: an answer beyond the range" {
	fault stat/transform_step 's/(	    )dp_transform_clamp\(.*\*x\);/\1*x;/' unit/t_transform
	fault stat/answers_step 's/dp_transform_clamp\(k->lo, k->hi, \*x\)/*x/' unit/t_transform
}

@test "output: every answer as if it were the only one" {
	fault stat/answers_fit 's/dp_q_make\(1, k->releases\)/dp_q_make(1, 1)/' \
	    law/s_transform output transform neighbour
}

@test "output-gauss: the shift of one answer" {
	fault stat/answers_fit 's/sqrt\(\(double\)k->releases\) \* //' \
	    law/s_transform output-gauss transform neighbour
}

@test "answers: a lower bound without the streams' number" {
	fault stat/answers_lower_bound 's/m \+= bit;/m += 2 * bit;/' unit/t_transform
}

@test "a line that is no answer is the answer 0" {
	fault stat/transform_step 's/(DP_TRANSFORM_NONE \?) c->out :$/\1 0 :/' unit/t_transform
	fault stat/answers_step 's/if \(\*x != DP_TRANSFORM_NONE\) \{$/{/' unit/t_transform
}

@test "rising: two-sided neighbours paid as one-sided: epsilon is refuted" {
	fault stat/rising_create 's/own->one_way \? rule/true ? rule/' \
		law/s_rising rising transform neighbour
}

@test "rising: a released answer's noise for half a move: epsilon is refuted" {
	fault stat/rising_step 's/c->held = a \+ z;/c->held = a + z \/ 2;/' \
		law/s_rising rising transform neighbour
}

@test "rising: a line that is no answer asks of the answer 0" {
	fault stat/rising_step 's/DP_TRANSFORM_NONE \? c->held/DP_TRANSFORM_NONE ? 0/' \
		law/s_rising rising transform neighbour
}

@test "rising: asked on after the last, where that is held" {
	fault stat/rising_step 's/\(more \|\| !k->task\.hold\)/(more || 1)/' \
		law/s_rising rising transform neighbour
}

@test "rising: the end not paid, a bound without the threshold's noise" {
	fault stat/fit_plan 's/\* \(c \+ 1\),/* c,/' law/s_rising rising transform neighbour
	fault stat/parts_of \
		's/v\.up = between\(.*;/v.up = 0;/; s/v\.down = .*;/v.down = 0;/' \
		law/s_rising rising transform loss
}

@test "options: --rising above what the range allows" {
	faulty_tool ../cmd/dptransform.c 's/if \(ask->range\.hi < \(int64_t\)top\)/if (false)/' \
		'rising: '
}

@test "rounds: a threshold that stays, one round for all, answers as if they were one" {
	fault stat/transform_step 's/if \(k->rounds\)$/if (false)/' unit/t_transform
	fault stat/make_noise_plan 's/(dp_privacy_round\(&own, p, )k->heavy/\11/' \
	    law/s_transform rounds transform neighbour
	fault stat/make_noise_plan 's/gauss_repeat\(z, p, k->task\.changes/gauss_repeat(z, p, 1/' \
	    law/s_transform rounds transform neighbour
	fault stat/dp_transform_rounds \
	    's/\(PARTS - threshold, 2 \* PARTS/(PARTS - threshold, PARTS/' \
	    law/s_transform rounds transform neighbour
	fault account/dp_privacy_round 's/sqrt\(2 (\* dp_q_double\(whole->rho)/sqrt(4 \1/' \
	    unit/t_transform
}
