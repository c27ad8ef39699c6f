#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in answers to linear queries: each must make the suite fail.

load faults

@test "project: the largest entry for a sensitivity: epsilon is refuted from outputs alone" {
	fault stat/dp_moves_find 's/(v->l1 = v->l2squared) = farthest\(.*/\1 = 1;/' \
	    law/s_project projected answers neighbour
}

@test "project: a column from nothing, not from another one" {
	fault stat/farthest 's/!from_nothing && i </0 \&\& i </' unit/t_project
}

@test "project: columns from each other, not from nothing" {
	fault stat/farthest 's/best = list\[0\]\.norm > 0 .*/best = 1;/' unit/t_project
}

@test "project: pairs passed over" {
	fault stat/farthest 's/list\[l\]\.norm > best/& + 1/' unit/t_project
}

@test "project: what only one of two columns has" {
	fault stat/apart_bits 's/a\[j\] \^ b\[j\]/a[j] \& ~b[j]/' unit/t_project
}

@test "project: L1 for L2" {
	fault stat/dp_moves_find 's/s\.power = 2/s.power = 1/' unit/t_project
}

@test "project: half the work, half the sensitivity" {
	fault stat/farthest 's/return most;/return best;/' unit/t_project
}

@test "project: a user's lines moved as one" {
	fault account/symbol_distance \
	    's/\(dp_uwide\)r->vector\.l1 \* K, l2/(dp_uwide)r->vector.l1, l2/' \
	    unit/t_neighbour
}

@test "project: halved scale: epsilon is refuted from outputs alone" {
	fault stat/make_noise_project \
	    's/return (dp_privacy_laplace\(&p->noise, )v,/counts.l1 \/= 2; return \1\&counts,/' \
		law/s_project projected answers neighbour
}

@test "project: halved scale on the counts: epsilon is refuted from outputs alone" {
	fault stat/make_noise_project 's/counts\.l1 = p->queries->counts/counts.l1 = 1/' \
		law/s_project projected-counts answers neighbour
}

@test "project: Gaussian noise for a part of the shift" {
	fault stat/make_noise_project 's/sqrt\(\(double\)v->l2squared\)/& \/ 1.4/' \
		law/s_project gauss answers neighbour
}

@test "project, --unit: what one event moves of a total, forgotten, in words and in noise" {
	fault account/symbol_distance 's/least\(r->unit, far\)/1/' unit/t_neighbour
	fault account/symbol_distance 's/least\(r->unit, far\)/1/' law/s_project laplace answers \
	    neighbour
	faulty_tools account/symbol_distance 's/least\(r->unit, far\)/r->unit/' dpproject \
	    '--unit: what one event moves' dpproject
}

@test "project, --unit: a total that is not clipped, of no column, of a sum that goes on" {
	faulty_tools input/read_number 's/v->value = clamp_value\(o, v->value\);//' dpproject \
	    '--unit: totals by several fields' dpproject
	fault stat/sketch_step 's/totals \? x\[1\] : 1/totals ? 1 : 1/' \
	    law/s_project pan answers law
	fault stat/project_step 's/>= self\(m\)/> 1 + self(m)/' unit/t_project
	fault stat/project_step 's/within\((.*)\);/\1;/' unit/t_project
}

@test "project, --unit: projected to the number of lines, or to too few" {
	fault stat/project 's/p->queries->totals \? enough.*/0 ? 0 :/' unit/t_project
	fault stat/enough 's/return sqrt\(.*\) \//return .5 * sqrt(v) \//' unit/t_project
}

@test "project: the book's noise for answers that move by 1" {
	fault stat/make_noise_project 's/k, p->queries->most\)/k, 1)/' law/s_project book answers \
	    neighbour
}

@test "project: the book's scale where it is too small" {
	fault account/dp_privacy_laplace_composed \
	    's/(b = fmax\(sqrt\(-8 .*\)) \/ eps, 1 \/ .*/\1 \/ eps, 0);/' \
		unit/t_project
}

@test "project: projected first, noisy then" {
	local edit='s/^\tif \(\(e = noisy_answers\(p, col, rng, est\)\).*/'

	edit+='\tstruct project q = *p; int64_t z; dp_noise_none(\&q.noise);'
	edit+='if ((e = noisy_answers(\&q, col, NULL, est)) != 0 || p->noise.kind == DP_NOISE_NONE)'
	edit+='return e; if (p->projects \&\& (e = project(p, t, est)) != 0) return e;'
	edit+='for (unsigned j = 0; j < m->outputs; j++) {'
	edit+='if ((e = dp_draw(\&p->noise, rng, \&z)) != 0) return e;'
	edit+='est[j] += z * (p->projects ? 1000000 : 1); } return 0;/'
	fault stat/project_answer "$edit" unit/t_project
}

@test "project: one draw for all answers" {
	fault stat/noisy_answers 's/if \(!p->on_counts && \(e = /if (j == 0 \&\& (e = /' \
		law/s_project laplace answers neighbour
}

@test "project: columns off by one" {
	fault stat/project_step 's/count\[\*x\]\+\+/count[(*x + 1) % 2]++/' unit/t_project
}

@test "project: one line too many" {
	fault stat/project_answer 's/project\(p, t, est\)/project(p, t + 1, est)/' unit/t_project
}

@test "project: a bound that promises too much" {
	fault stat/together 's/sqrt\(2 \* \(double\)n \* hi/sqrt((double)n \/ 2 * hi/' \
		law/s_project projected answers law
}

@test "project: the noise of an answer to noisy counts without its weights" {
	fault stat/law_project 's/(dp_law_add\(l, &p->noise, )dp_matrix_column.*/\11, 1);/' \
		law/s_project counts answers law
}

@test "project: a sketch that begins without noise, or has none on its answers" {
	fault stat/sketch_start 's/sum\[j\] = z/sum[j] = 0 * z/' law/s_project pan answers neighbour
	fault stat/sketch_answer 's/sum\[j\] \+ z/sum[j] + 0 * z/' law/s_project pan answers \
	    neighbour
}

@test "project: a sketch with half of epsilon for each of its noises" {
	fault stat/make_noise_project \
	    's/(v, dp_q_make\(1, )1\)/\1p->sketch ? 2 : 1)/' unit/t_project
}

@test "project: a sketch whose error is that of one noise" {
	fault stat/law_project 's/p->sketch \? 2 : 1/1/' law/s_project pan answers law
}

@test "nearest point: a gap of 1 will do" {
	fault stat/shorten 's/gap > enough/gap > 1/' unit/t_project
}

@test "nearest point: no corner at 0" {
	fault stat/best_corner 's/h->set == DP_HULL_SOME \? 0 :/1 ?/; s/1 \? I/I/' unit/t_project
}

@test "nearest point: a corner that leaves spoils the triangle" {
	fault stat/leave 's/y - h->v\[i\] \* x/y + h->v[i] * x/' unit/t_project
}

@test "nearest point: a corner with a weight below 0 stays" {
	fault stat/settle 's/if \(out == h->m .*/if (1)/' unit/t_project
}

@test "matrix: an entry above 1, a row too short, a name twice" {
	fault base/entry 's/v <= 1000000/v <= 1000001/' unit/t_project
	fault base/take_row 's/r->field != m->columns/r->field > m->columns/' unit/t_project
	fault base/dp_names_twice 's/(sorted\[i - 1\], sorted\[i\]\)) == 0/\1 > 0/' \
		unit/t_project
}

@test "matrix: rows for columns" {
	fault base/arrange 's/\[i \* m->rows \+ j\]/[j * m->columns + i]/' unit/t_project
}

@test "project: many weights rounded down" {
	fault stat/level 's/v = \(v \+ 1\) >> 1/v >>= 1/' unit/t_project
}
