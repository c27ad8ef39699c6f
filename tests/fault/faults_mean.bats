#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in means: each must make the suite fail, or the suite proves nothing.

load faults

@test "mean: noise for half of what an event adds" {
	fault stat/dp_mean_unit 's/return M;/return M \/ 2;/' law/s_mean neighbour
}

@test "mean: the ends of the range exchanged" {
	fault stat/dp_mean_split 's/x\[0\] = \(int64_t\)\(M - v\)/x[0] = (int64_t)v/;
	    s/x\[1\] = \(int64_t\)v;/x[1] = (int64_t)(M - v);/' unit/t_mean
}

@test "mean: what an event adds to three totals is more than noise is for" {
	fault stat/dp_mean_split 's/2 \* u - 2 \* b2/2 * u - b2/' unit/t_mean
}

@test "mean: squares not rounded but cut" {
	fault stat/dp_mean_split 's/v \+ M \/ 2\)/v)/' unit/t_mean
}

@test "mean: an interval for twice the probability to miss" {
	fault stat/bound 's/dp_law_bound\(&f->mix, gamma\)/dp_law_bound(\&f->mix, 2 * gamma)/' \
	    law/s_mean mean
}

@test "mean: the quantile of the middle for all means" {
	fault stat/first_within 's/l->knot\[j < [^]]*\]/l->knot[DP_MEAN_KNOTS - 1]/' \
	    law/s_mean mean
}

@test "mean: one number's noise left out of the mix" {
	fault law/dp_law_mix 's/i < n; i\+\+/i < (n > 1 ? n - 1 : n); i++/' law/s_mean mean
}

@test "keys: names of columns looked at where a key has one number only" {
	faulty_tools job/dp_keys_check 's/dp_options_keyed\(o, tool\)/tool->adds == NULL/' \
	    dpmean 'refused: no range' dpmean
}

@test "keys: memory of one column for all" {
	local one='(r->tool->adds == NULL ? dp_options_columns(o, r->tool) : 1)'

	faulty_tools run/check_columns "s/dp_options_columns\(o, r->tool\)/$one/" badinput \
	    'what memory cannot hold' dpmean
}

@test "mean: trees' parts counted once" {
	fault law/dp_law_mix 's/c \* c \* of/(i == 0) * c * c * of/' law/s_mean running
}

@test "mean: a variance's largest value sought at the corners alone" {
	fault stat/most_interval 's/fmin\(fmax\(top, lo\), hi\)/(top > lo ? hi : lo)/' unit/t_mean
}

@test "mean: where noise alone may be above, an end of the range is left out" {
	fault stat/first_within 's/j == 0 \? 0 : /j == 0 ? .001 : /' unit/t_mean
}

@test "mean: quantiles at the knots, and chords between them" {
	fault stat/dp_strips_bounds 's/both = growth\(.*/both = 0;/' unit/t_strips:coarse
	fault stat/dp_strips_bounds 's/both = shrinkage\(.*/both = 0;/' unit/t_strips:lower
}

@test "mean: half of what can happen on a lattice left out, or counted otherwise" {
	fault stat/set_rows 's/r == 0 \? 1 : 2/1/' unit/t_strips:coarse
	fault stat/set_table 's/y \+ 2 \* z/y + z/' unit/t_strips:coarse
	fault stat/dp_strips_one 's/s->tail\[k\] > gamma/s->tail[k] > 4 * gamma/' \
	    unit/t_strips:coarse
}

@test "mean: a fine lattice is the reals, and numbers are not rounded" {
	fault stat/find_by 's/unit > 0 \? unit \/ 2 :/unit > 0 ? 0 :/' unit/t_strips:fine
	fault stat/find_by 's/z\.whole && times == 1 && /false \&\& /' unit/t_strips:coarse
}

@test "sampling: the variance of what events are a sample of left out" {
	fault stat/squares 's/const double most = n \* rho \* \(1 - rho\)/const double most = 0/' \
	    law/s_sampling shares
}

@test "sampling: the estimate in the place of the bound of N" {
	fault stat/see 's/a->all \+ l->all/a->all/; s/a->all - l->all/a->all/' unit/t_sampling
}

@test "sampling: half of a tail" {
	fault stat/tail_of 's/return p;/return p \/ 2;/' unit/t_sampling
	fault stat/tail_of 's/return p;/return 2 * p;/' unit/t_sampling
}

@test "sampling: the largest number of events for all" {
	fault stat/lower 's/i < ROUNDS/i < 0/' unit/t_sampling
}

@test "sampling: noise below 0 at its farther end" {
	fault stat/tail_of 's/near = t->low\[i \+ step - 1\]/near = 2 * t->atom[i + step - 1]/' \
	    unit/t_sampling
}

@test "sampling: squares as they came, with no bound" {
	fault stat/squares 's/return fmin\(most_squares.*/return fmin(fmax(v, 0), most);/' \
	    unit/t_sampling
}

@test "grid: a state goes on with one of now, and not with its own" {
	fault job/dp_options_refine 's/finer = r->finer;/finer += 0;/' unit/t_job
}

@test "mean: a variance in units of the grid" {
	faulty_tools stat/mean_make 's| / pow\(10, k->asked->places\)||' dpmean 'values of any' \
	    dpmean
}

@test "grid: a state's is that of its range" {
	faulty_tools store/grid 's/\(unsigned\)places - written/0/' dpmean 'a state keeps' dpmean
}

@test "-c auto: a user's first event alone" {
	faulty_tools job/set_automatic 's/dp_options_set\(o, tool, OPT_EACH_USER, "count"\);//' \
	    people '-c auto' dpcount dpwindow dpdecay
}

@test "weights: noise for half of what a row adds" {
	fault stat/dp_mean_reach 's/return dp_mean_unit\(k\)/return (dp_mean_unit(k) + 1) \/ 2/' \
	    unit/t_mean
}

@test "weights: the weight clamped by itself, and not the numbers" {
	local most='(int64_t)k->weight.most'

	fault stat/dp_mean_weigh "s/unit = \(dp_wide\)w/unit = (dp_wide)(w > $most ? $most : w)/;
	    s/y\[0\] \+ y\[1\] > R/false/" unit/t_mean
}

@test "weights: not clamped once they are rounded" {
	fault stat/dp_mean_weigh 's/free\[i\] < 0 \? 0 : free/free/' unit/t_weight
}

@test "weights: each number clamped, and not both together" {
	fault stat/dp_mean_weigh 's/y\[0\] \+ y\[1\] > R/false/' unit/t_mean
}

@test "weights: one factor for totals, which takes one number down as the other goes up" {
	fault stat/dp_mean_weigh 's/if \(cap == 0 && /if (/' unit/t_mean
}

@test "weights: a negative answer, or a unit more than together" {
	fault input/weighted "s/\(dp_wide\)y \* weight/(dp_wide)(y < 0 ? 0 : y) * weight/" \
	    unit/t_weight
	fault stat/scale_down 's/x\[0\] = R - x\[1\]/x[0] = R - x[1] + 1/' unit/t_weight
}

@test "weights: a fraction of a total is rounded" {
	fault input/read_part 's/!is_whole\(s, \*n\)/false/' unit/t_weight
}

@test "weights: a line of totals is two moves, and one that differs is one" {
	fault account/contributions_distance 's/ && r->total == NULL//' unit/t_neighbour
}

@test "difference: the ends of the two intervals exchanged" {
	fault law/dp_law_difference 's/beyond\(p->hi, p->est\)/beyond(p->est, p->lo)/' \
	    law/s_difference ends
}

@test "difference: each interval for itself, where noise comes in steps" {
	fault stat/set_bounds 's/fmax\(l->knot\[j\], twice\[j\] \* M_SQRT1_2\)/l->knot[j]/' \
	    law/s_difference means
}

@test "difference: the law of one key" {
	fault counter/invert 's/k->several > 1 \&\& /false \&\& /' law/s_difference counts
}

@test "difference: a box where there is no estimate is none" {
	fault law/dp_law_difference 's/none \|\| q->box \|\| p->box/none/' law/s_difference ends
}

@test "sampling: rows with weights as so many events of the smallest" {
	fault stat/dp_sampling_law 's/dp_mean_reach\(k\)/dp_mean_unit(k)/' law/s_sampling weights
}

@test "differences of samples: the interval of the noise alone, a mean's ends exchanged" {
	faulty_tools stat/apart_at 's/if \(k->asked->sampling\)/if (false)/' dpmean \
	    '--difference --sampling' dpmean
	faulty_tools stat/apart_at 's/&v->lo, &v->hi\);/\&v->hi, \&v->lo);/' dpmean \
	    '--difference --sampling' dpmean
}

@test "differences of samples: an interval that is cut has the distance of one that is not" {
	fault law/both 's/cut \? a \+ b : //' law/s_difference ends
}
