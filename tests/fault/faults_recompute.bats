#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in what releases a largest sum, or a choice, again and again: each must make its
# test fail, or it proves nothing.

bats_require_minimum_version 1.5.0

load faults

@test "recompute: drift not centred" {
	fault stat/fit_recompute_plan 's/(k->centre = ).*/\10;/' unit/t_recompute
}

@test "recompute: values below 0 centred as if there were none" {
	fault stat/fit_recompute_plan 's/\(k->grow - k->fall\)/k->grow/' unit/t_recompute
}

@test "recompute: a step late" {
	fault stat/recompute_step 's/t % k->r == 0/t % k->r == 1 % k->r/' unit/t_recompute
}

@test "recompute: a stale choice" {
	fault stat/release_recompute \
	    's/c->choice = which/c->choice += c->choice == 0 ? which : 0/' \
		unit/t_recompute
}

@test "recompute: released with noise that is halved" {
	fault stat/release_recompute 's/\(dp_wide\)most \+ z/(dp_wide)most + z \/ 2/' \
	    unit/t_recompute
}

@test "recompute: what is held is noised anew" {
	fault stat/recompute_step 's/if \(t % k->r == 0 \&\&/if (t >= k->r \&\&/' unit/t_recompute
}

@test "recompute: one release less paid for" {
	fault stat/fit_recompute_plan \
	    's/(const uint64_t m = k->m.horizon \/ s->r);/\1 - (s->r == 1);/' \
		law/s_recompute recompute maxsum law
}

@test "recompute: both pay all: epsilon is refuted from outputs alone" {
	fault stat/fit_recompute_plan 's/dp_q_make\(WHOLE - s->share, WHOLE\)/all/' \
		law/s_recompute recompute maxsum neighbour
}

@test "recompute: the loss of one release, not of all" {
	fault stat/dp_recompute_quantile 's/\/ \(double\)k->releases\)/)/' unit/t_recompute
}

@test "recompute: a share that could be the best is not looked at" {
	fault stat/dp_recompute_quantile 's/gap \+ rest >= fmin/2 * gap + rest >= fmin/' \
	    unit/t_recompute
}

@test "recompute: an interval that takes the choice for right" {
	fault stat/set_interval 's/k->m\.off\.drift \+= .*/;/' unit/t_recompute
}

@test "recompute: a state's choice that is no column" {
	fault stat/recompute_valid 's/return c->choice < m->inputs/return true/' unit/t_recompute
}

@test "sums: not cut" {
	fault stat/recompute_step \
	    's/sums_add\(c->sum, x, /for (size_t j = 0; j < 2; j++) c->sum[j] += x[j]; (void)(/' \
		unit/t_recompute
}

@test "trivial: not centred" {
	fault stat/trivial_step 's/t \* k->fall\) >> 1/t * k->fall)/' unit/t_recompute
}

@test "repeated: halved scale of values" {
	fault account/number 's/one\.l1 = p->linf;/one.l1 = (p->linf + 1) \/ 2;/' unit/t_privacy
}

@test "repeated: the share of one column of the l1 distance in place of linf" {
	fault account/number 's/one\.l1 = p->linf;/one.l1 = p->l1 \/ p->columns;/' unit/t_privacy
}

@test "repeated: eps0 doubled" {
	fault account/weigh_scale 's/sqrt\(8 \* spent/sqrt(32 * spent/' unit/t_privacy
}

@test "repeated: the exponential mechanism spends all of rho, whatever its share" {
	fault account/weigh_scale 's/(spent = dp_q_double.p->rho.) \* dp_q_double\(share\)/\1/' \
		unit/t_privacy
}

@test "repeated: permute-and-flip by linf, as if all columns moved one way" {
	fault account/flip_scale 's/dp_q_make\(p->spread, 1\)/dp_q_make(p->linf, 1)/' unit/t_privacy
}

@test "repeated: Gaussian noise of one release" {
	fault account/dp_privacy_gauss_repeat 's/p->linf \* sqrt\(\(double\)n\), n\)/p->linf, n)/' \
	    unit/t_privacy
}

@test "neighbours: two columns never move apart" {
	fault account/spread 's/2 \* d->linf/d->linf/' unit/t_neighbour
}

@test "neighbours: a user's columns all move one way" {
	fault account/spread,dp_relation_distance 's/least\(M, below\) \+ //' unit/t_neighbour
}

@test "choose: of the accepted the first" {
	fault random/flip 's/\& below\(best, word \+ 4, 4\)/\& -(uint64_t)(chosen == 0)/' \
		unit/t_selection
}

@test "choose: one coin for all" {
	fault random/flip 's/word\[i\] = dp_load64\(p \+ 8 \* i\)/if (j == 0 || i >= 4) &/' \
		unit/t_selection
}

@test "choose: weights of gaps cut too soon" {
	fault random/selection.c 's/(define REACH)\t+67/\1 20/' unit/t_selection
}

@test "choose: a factor that is one squaring behind" {
	fault random/dp_choose_build \
	    's/for \(i = 0; i < bits; i\+\+\) \{/& if (i == 5) continue;/' \
		unit/t_selection:exact
}

@test "choose: a gap's upper bits lost" {
	fault random/weigh 's/gap = pick\(-.uint64_t..gap > c->most.*//' unit/t_selection:edges
}

@test "choose: a place by the upper half of the random number only" {
	fault random/place 's/dp_load64\(p \+ 8 \* j\)/(j < 2 ? dp_load64(p + 8 * j) : 0)/' \
		unit/t_selection:exact
}

@test "choose: the tail of the exponential mechanism for both" {
	fault random/dp_choose_tail 's/if \(c->kind == DP_NOISE_WEIGH\)/if (1)/' unit/t_selection
}

@test "lazy: the threshold without noise" {
	fault stat/lazy_step 's/(k->least : k->stop.) \+ c->rho/\1/' unit/t_lazy
}

@test "lazy: the threshold's noise drawn again at each step" {
	fault stat/lazy_step 's/rng, &nu\)\) != 0/& || (e = lazy_start(m, col, rng)) != 0/' \
	    unit/t_lazy
}

@test "lazy: queries without noise of their own" {
	fault stat/lazy_step 's/if \(q \+ nu >=/if (q >=/' unit/t_lazy
}

@test "lazy: more fires than are paid for" {
	fault stat/fire,lazy_step 's/c->fired\+\+ == k->fires/c->fired++ > k->fires/
		s/fired < k->f/fired <= k->f/' unit/t_lazy
}

@test "lazy: the end is not paid for" {
	fault stat/fit_plan 's/(: s\)) \* \(c \+ 1\)/\1 * c/' unit/t_lazy
}

@test "lazy: what is printed at the end is as far off as it likes" {
	fault stat/fire 's/(c->fired)\+\+ == (k->fires)\)/\1 == \2) return 0; if (\1++ > \2)/' \
		law/s_recompute lazy maxsum loss
}

@test "lazy: the end comes where a fire would, below the ceiling" {
	fault stat/set_least_plan 's/k->stop = \(int64_t\)fmin.*/k->stop = k->least; (void)(/
		s/^	    v\.down\) \+ 1\), 0x1p61\);/0);/' unit/t_lazy
}

@test "lazy: frozen before its last change" {
	fault stat/frozen 's/fired >= /fired + 1 >= /' unit/t_lazy
}

@test "lazy: a choice's queries move by as little as a value's" {
	fault stat/fit_plan 's/k->choice \? 2 \* s : s/s/' unit/t_lazy
}

@test "lazy: an early fire's own noise is not counted" {
	fault stat/behind 's/fmax\((fmax\(A \+ v->up, last_plan.*\)), v->W\)/\1/' unit/t_lazy
}

@test "lazy: noise of a fire is counted below alone" {
	fault stat/parts_of 's/(RELEASE\], )p \/ c\)/\1fmin(1, 2 * p \/ c))/' unit/t_lazy
}

@test "lazy: past the ceiling a fire's own noise is not counted" {
	fault stat/dp_lazy_farthest 's/fmax\((\(double\)k->stop \+ v\.up), v\.W\)/\1/' unit/t_lazy
}

@test "lazy: what early fires waste is not counted" {
	fault stat/parts_of 's/v\.down = between\(k, p \/ \(double\)k->m\.horizon\)/v.down = 0/
		s/v\.S = sum_width\(.*/v.S = 0;/; s/v\.up = .*/v.up = 0;/' \
		law/s_recompute lazy maxsum loss
}

@test "range: no look between the points of t" {
	fault account/cell 's/left \+= more;//' unit/t_range:one_choice
}

@test "range: the ends' weights exchanged" {
	fault account/cell 's/left = p \* (below.j . 1.) \+ \(1 - p\)/left = (1 - p) * \1 + p/' \
		unit/t_range
}

@test "range: one choice less" {
	fault account/dp_range_delta \
	    's/for \(k = 0; k < choices; k\+\+\)/for (k = 1; k < choices; k++)/' \
		unit/t_range
}

@test "range: of permute-and-flip, too" {
	fault account/dp_privacy_choose \
	    's/kind == DP_NOISE_WEIGH \? weigh/p->delta.num > 0 ? weigh/' \
		unit/t_privacy
}

@test "recompute, experts: fewer choices are paid for than are made" {
	fault stat/fit_recompute_plan 's/FLIP, m, choice/FLIP, m \/ 4 + 1, choice/' unit/t_recompute
	fault stat/fit_choose_plan 's/(DP_NOISE_WEIGH : DP_NOISE_FLIP,)/\1 1 + 0 */' \
		law/s_experts_choose
}
