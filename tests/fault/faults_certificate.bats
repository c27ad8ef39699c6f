#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Faults of those who plan, which the checker of plans must refute, and faults of the checker, which
# its test must find.

load faults

# planner FILE EDIT TEST TOOL: the tool's plans are then refuted
planner() {
	faulty_tools "$1" "$2" dpaudit_plan "$3" "$4"
	grep -q 'status 6, not 0: ' tap
}

# checker FILE EDIT [PART]
checker() {
	fault "audit/$1" "$2" "unit/t_certificate${3:+:$3}"
}

# words FILE EDIT [PART]: by the toys of each word
words() {
	fault "audit/$1" "$2" "unit/t_certificate_words:${3:-all_words}"
}

# passes EDIT [PART]: how high noise rises
passes() {
	fault audit/passage.c "$1" "unit/t_certificate_pass:${2:-brute}"
}

@test "planner: shares are of a rate that is a thousandth too large" {
	planner normtree/make 's/fmin\(k->rate/fmin(1.001 * k->rate/' \
	    'plans of tools hold: norm' dpcount
}

@test "planner: a table's weight is off where it is drawn from, after the certificate" {
	planner normtree/store 's/_real_of\(v\[i\]\)/_real_of(v[i] * (i == 3 ? 1.01 : 1))/' \
	    'plans of tools hold: norm' dpcount
}

@test "planner: a scale for half of the levels" {
	planner counter/tree_create 's/dp_q_make\(1, k->h\)/dp_q_make(1, (k->h + 1) \/ 2)/' \
	    'plans of tools hold: textbook' dpcount
}

@test "planner: a scale of less than the reach" {
	planner account/laplace 's/(dp_q_make\(p->l1,) 1\), p->epsilon/\1 2), p->epsilon/' \
	    'plans of tools hold: textbook' dpcount
}

@test "planner: each part has all of the budget" {
	planner account/dp_privacy_part \
	    's/part_of\(whole->epsilon, share\), part_of/whole->epsilon, part_of/' \
	    'plans of tools hold: parts' dpquantile
}

@test "planner: one line for another moves as far as an event" {
	planner account/dp_relation_distance \
	    's/const bool line = r->lines \&\& K == 0 \&\& !one/const bool line = false/' \
	    'what neighbours move' dpcount
}

@test "planner: a user's squares are those of one record" {
	planner account/dp_relation_distance \
	    's/l2 = \(dp_uwide\)full \* far \* far/l2 = (dp_uwide)full * far/;
	    s/if \(l2 < \(dp_uwide\)S/if (false \&\& l2 < (dp_uwide)S/' \
	    'what neighbours move' dpcount
}

@test "checker: moves: what both lines have in common, squares, what a unit caps, columns" {
	local edit

	for edit in 's/mpz_submul_ui\(t->x, t->K, 2\);//' \
	    's/mpz_addmul\(t->square, t->x, t->M\);//' 's/mpz_set\(t->R, t->x\);/;/' \
	    's/mpz_cmp\(t->K, t->D\) < 0 \? t->K : t->D/t->K/' \
	    's/mpz_mul\(t->cells, t->cells, t->K\);//' \
	    's/mpz_sub\(t->R, t->x, t->M\)/mpz_set(t->R, t->x)/'; do
		fault audit/reader.c "$edit" unit/t_certificate_moves:planned
	done
}

@test "checker: a reach, squares and cells that neighbours go beyond" {
	fault audit/audit_line_top 's/r->depth == 1 \&\& r->neighbours->lines > 0/false/' \
	    unit/t_certificate_moves:refused
	fault audit/audit_line_top 's/r->depth == 1 \&\& //' unit/t_certificate_moves:refused
	fault audit/check_squares 's/(mpz_cmp\(square, least\)) < 0/\1 < -9/' \
	    unit/t_certificate_moves:refused
}

@test "checker: what a plan claims, and nothing is compared with it" {
	local edit

	for edit in 's/m->fading != 0/false/' 's/m->spacing > r->claim->apart/false/' \
	    's/m->times < around\(r, b\)->events/false/'; do
		fault audit/check_squares,check_spacing "$edit" unit/t_certificate_bound:edits
	done
	for edit in 's/each < around\(r, b\)->each/false/' \
	    's/known\[i\]\.of\[w\] == b->bound\.has/true/' \
	    's/\(is = has_its_lines\(b\)\) == 0/(is = has_its_lines(b)) == 2/' \
	    's/bool all = .*;/bool all = true;/; s/b->bound\.passes < r->claim->horizon/false/' \
	    's/r->claim->last\[0\] != W/false/' 's/steps < \(T == 0 \? ENDLESS : T\)/false/' \
	    's/(mpz_cmp\(reach, least\)\)) < 0/\1 < -9/' 's/\(T - 1\) >> times/0/' \
	    's/age < \(T/0 > (T/' 's/(around\(r, b\)->columns, columns\)) > 0/\1 > 9/' \
	    's/r->claim->covers == 0/false/' 's/n < T \|\| strcmp/strcmp/' \
	    's/ \|\| strcmp\(b->bound\.name, "pan"\) != 0//' \
	    's/b->bound\.got != b->bound\.parts/false/' 's/counts > moves/false/' \
	    's/strcmp\(b->bound\.name, "counts"\) == 0 \|\|/true ||/' \
	    's/\{ LAPLACE \| VALUE, LAPLACE \| GAUSS \} \},$/{ AGAIN, LAPLACE | VALUE } },/' \
	    's/ && b->trees > 1\);/ \&\& false);/'; do
		fault audit/line.c "$edit" unit/t_certificate_bound:edits
	done
	for edit in 's/mpz_cmp\(square, least\) < 0/false/' \
	    's/mpz_set\(least, around\(r, b\)->square\);/;/'; do
		fault audit/audit_bound_squares "$edit" unit/t_certificate_bound:edits
	done
	fault audit/audit_bound_span 's/mpz_cmp_ui\(.*\) > 0/false/' \
	    unit/t_certificate_bound:edits
	fault audit/parts 's/b->bound\.parts > 1/b->bound.parts > 2/' \
	    unit/t_certificate_bound:claims
	fault audit/tell_levels 's/\(T == 0 \|\| b->trees > 1 \|\| .*\)/false)/' \
	    unit/t_certificate_bound:claims
	fault audit/check_whole 's/r->read != lines/false/' unit/t_certificate_bound:edits
	fault audit/check_whole 's/ \|\| !r->claim->timed//' unit/t_certificate_bound:edits
	fault audit/digits "s/s\[0\] == '0' && s\[1\]/false \&\& s[1]/" \
	    unit/t_certificate_bound:spelled
}

@test "checker: k may fall as it likes" {
	checker look_at 's/mpfr_max\(steep\[v\], steep\[v - 1\], fall, MPFR_RNDU\);//' texts
}

@test "checker: N without what is beyond the tables" {
	checker gather_signs 's/interval_mul\(&w->b, &w->b, &w->tail\);/interval_set(\&w->b, 0);/' \
	    altered
}

@test "checker: N of one side's signs" {
	checker weigh_tree 's/gather_signs\(w, N, P, 1\);//' brute
}

@test "checker: a parent's share alone counts" {
	checker add_level 's/mpfr_add\(on, on, path\[k->child\[side\]\], MPFR_RNDU\);//' brute
}

@test "checker: the last of the ratios that are looked at, for the largest" {
	checker worsen 's/if \(mpfr_greater_p\(x, w->worst\)\)//' brute
}

@test "checker: where tables end is not looked at" {
	checker look_at 's/P <= w->M/P < w->M \/ 2/' altered
}

@test "checker: a finer grid without the tilt" {
	checker make 's/mpfr_exp\(w, w, MPFR_RNDD\)/mpfr_set_ui(w, 1, MPFR_RNDD)/' spline
}

@test "checker: cells of one side" {
	checker audit_spline_loss 's/m = i % 2 == 0 \? i \/ 2 : /m = /' spline
}

@test "checker: a cell's ends are all of it" {
	checker look_spline 's/k == 0 \|\| k == TERMS - 1/true/;
	    s/halvings == 0/halvings <= HALVINGS/;
	    s/raise_to_spline\(f->most, f->one\);/if (k == 0) raise_to_spline(f->most, \
	    f->one);/' spline
}

@test "checker: parts that have more than the whole" {
	checker add_part 's/mpq_add\((whole->account\.loss), \1, part->epsilon\);/;/' texts
}

@test "checker: a part's own loss is not compared" {
	checker compare 's/if \(why\[0\]/if (r->depth == 1 \&\& why[0]/' texts
}

@test "checker: the reach does not count" {
	checker compare 's/mpq_mul\(b->rate, b->rate, b->reach\);//' texts
}

@test "checker: noise of several families counts once" {
	checker laplace 's/mpq_add\(b->rate, b->rate, n\);/mpq_set(b->rate, n);/' texts
}

@test "checker: moves of a tree count once" {
	checker audit_line_tree 's/mpq_mul\(loss, loss, n\);//' planned
}

@test "planner: choices have all of the budget, and so do values" {
	planner stat/fit_recompute_plan 's/dp_q_make\(s->share, WHOLE\)/all/' \
	    'plans of tools hold: values' dpmaxsum
}

@test "checker: releases one after the other count once" {
	checker lose_line 's/mpz_mul_ui\(mpq_numref\(q\), mpq_numref\(q\), n\);//' texts
}

@test "checker: what follows the end is not looked at" {
	checker dp_certificate_check 's/ \|\| r\.cut\)/)/' texts
}

@test "checker: another version is read" {
	checker read_first 's/strcmp\(version, "1"\) != 0/false/' texts
}

@test "checker: a delta that parts miss is not the whole's" {
	words add_part 's/mpq_add\((whole->account\.missed), \1, part->delta\);/;/'
}

@test "checker: a delta is not compared" {
	words compare 's/mpfr_cmp_q\(delta, rest\) > 0/false/'
}

@test "checker: rounds by their epsilon alone" {
	words add_part 's/part->epsilon, 2\);/part->epsilon, 4);/'
}

@test "checker: a choice by weights counts once" {
	words weigh_line \
	    's/(_choices\(&b->account, )audit_some\(r\)/\1(audit_some(r), 1)/'
}

@test "checker: a threshold costs nothing" {
	words sparse 's/lose_line\(b, scale, m, 1\);/(void)0;/'
}

@test "checker: tails of a coin are as likely as they like" {
	words coin 's/mpq_inv\(odds, odds\)/mpq_set_ui(odds, 1, 1)/'
}

@test "checker: a coin's answers of several bits" {
	words coin 's/mpz_mul_ui\(mpq_numref\(loss\), mpq_numref\(loss\), n\);//'
}

@test "checker: bits drawn again: their own odds" {
	words again 's/mpq_add\(b->rate, b->rate, state\);//'
}

@test "checker: bits drawn again: what answers add" {
	words again 's/mpfr_ui_sub\(p, 1, p, MPFR_RNDU\);//'
}

@test "checker: looks at bits that are flipped: the first alone, one less, by another bit" {
	words lose_looks 's/i < n; i\+\+\)$/i < 1; i++)/'
	words lose_looks 's/i < n; i\+\+\)$/i + 1 < n; i++)/'
	words look_looks 's/(at\[0\], s\[MORE)_ALL\]\.hi, s\[LESS\]/\1].hi, s[MORE]/'
	words look_looks 's/\.lo, j \+ 1, MPFR/.lo, j + 2, MPFR/'
}

@test "planner: looks at bits that are flipped cost less than they do" {
	planner sketch/dp_bits_looks 's/log\(\(2 - H\) \/ h\)/log((2 - H) \/ h) * .999/' \
	    'plans of tools hold: answers of lines' dpdistinct
	planner sketch/dp_bits_looks 's/uint64_t j;$/uint64_t j; looks--;/' \
	    'plans of tools hold: answers of lines' dpdistinct
}

@test "checker: names of one that has all events" {
	words audit_line_factor 's/if \(each == 1\)/if (true)/'
}

@test "checker: names by noise of another scale" {
	words names 's/!mpq_equal\(q, b->laplace\)/false/'
}

@test "checker: names of a unit with more events than the threshold is for" {
	words audit_line_unit 's/mpq_cmp_ui\(b->reach, k, 1\) > 0/false/'
}

@test "checker: Gaussian names, of which one has all of a unit's events" {
	words audit_line_rose 's/mpfr_max\(f\[0\], f\[0\], f\[1\], MPFR_RNDU\);//'
}

@test "checker: names: noise reaches tau, not tau - 1" {
	words names 's/mpfr_mul_ui\(x, x, tau - 1/mpfr_mul_ui(x, x, tau/'
}

@test "checker: composition without its second term" {
	words composed 's/mpfr_add\(x, x, y, MPFR_RNDU\);/;/'
}

@test "checker: composition leaves delta to others" {
	words composed 's/mpq_add\((b->account\.missed), \1, b->delta\);/;/'
}

@test "checker: a loss without bound is none" {
	words audit_rounded 's/audit_refute\(r, b, "a loss without bound"\);//'
}

@test "checker: Gaussian noise at half of its rho" {
	words audit_account_gauss 's/mpq_div_2exp\(rho, rho, 1\)/mpq_div_2exp(rho, rho, 2)/'
}

@test "checker: an order's share of rho" {
	words at_order 's/mpfr_mul\(to, a, rho/mpfr_mul(to, less, rho/' deltas
}

@test "checker: discrete noise as if it were not" {
	words analytic 's/mpfr_sub\(t, eps, t, MPFR_RNDD\)/mpfr_set(t, eps, MPFR_RNDD)/'
}

@test "checker: what samplers miss" {
	words audit_account_delta 's/mpfr_add\(to, to, missed, MPFR_RNDU\);//'
}

@test "checker: the last of several Gaussians stands for all" {
	words audit_account_delta 's/a->gaussian == 1 && a->others == 0/a->gaussian > 0/'
}

@test "checker: the last of several rows of choices stands for all" {
	words audit_account_delta 's/a->gaussian == 0 && a->others == 1/true/'
}

@test "checker: choices: what bends between points of the grid" {
	words choose 's/if \(fall > rest\)/if (false)/' ranges
}

@test "checker: choices: one of the ends" {
	words choose 's/left > right \? left : right/left < right ? left : right/' ranges
}

@test "checker: choices: a grid that is too coarse for few" {
	words parts_of 's/choices <= 10 \? PARTS :/choices <= 10 ? PARTS \/ 8 :/' planned_choices
}

@test "checker: choices: the first one, as if it were a chord to where nothing is lost" {
	words first_range 's/mpfr_sqr\(to, y, MPFR_RNDU\)/mpfr_neg(to, y, MPFR_RNDU)/' few_choices
}

@test "checker: choices: a first one whose loss is below 0" {
	words first_range 's/mpfr_mul\(to, to, y, MPFR_RNDD\);//' ranges
}

@test "checker: choices: one less" {
	words audit_range_delta \
	    's/for \(k = 1; k < choices; k\+\+\)/for (k = 2; k < choices; k++)/' ranges
}

@test "checker: a band's columns that overlap" {
	words add_products 's/k == 0 \? 1 : 2/1/' bands
}

@test "checker: a band's columns within the horizon" {
	words add_products 's/columns - k\)/1)/' bands
}

@test "checker: a band that rises" {
	words audit_banded_square 's/f->a\[i\] > f->a\[i - 1\]/false/'
}

@test "checker: poles: products of two" {
	words add_squares 's/i == j \? 1 : 2/1/' poles
}

@test "checker: poles: events that are apart meet" {
	words comb \
	    's/mpfr_add\((x\[j\]), p->x, (p->om\[j\], ABOVE)/mpfr_set(\1, \2/' poles
}

@test "checker: pieces: the last for the largest" {
	words length 's/mpfr_max\(to, to, one, ABOVE\)/mpfr_set(to, one, ABOVE)/' poles
}

@test "checker: pieces: some of the steps" {
	words formed 's/f->left\[0\] != f->steps \|\|//' poles
}

@test "checker: a coefficient without its dither" {
	words formed 's/sum % \(2 \* unit\) != unit/false/' poles
}

@test "checker: an echo is lost" {
	words block_next \
	    's/interval_add\(&k->S\[j\], &k->a, d\)/interval_copy(\&k->S[j], \&k->a)/' poles
}

@test "checker: an echo without what is left of it" {
	words audit_echo_squares \
	    's/m < BLOCKS/m < 2/; s/mpfr_add\(to, to, rest, ABOVE\);//' poles
}

@test "checker: passage: a step's end is one higher" {
	passes 's/whole \&\& x < P/whole \&\& x < P - 1/'
}

@test "checker: passage: a half by itself" {
	passes 's/ \+ \(1 - left\[i - from\]\) \* right\[i - a\]//'
}

@test "checker: passage: of steps in the right half none" {
	passes 's/right \? in : NULL/NULL/'
}

@test "checker: passage: laws are rounded the other way, or lack their ends" {
	local edit

	for edit in 's/mpfr_div\(one, of\[P\], sum, way\);/mpfr_div(one, of[P], sum, other);/' \
	    's/ \+ weight\(q, P, -far, cap\) \* q->tail//' \
	    's/sum_up_split\(q, P, R, far, cap\) \/ N \+ DP_AUDIT_UNDER/DP_AUDIT_UNDER/'; do
		fault audit/sum_up_split,audit_split_law,audit_root_law "$edit" \
		    unit/t_certificate_pass:splits
	done
}

@test "checker: passage: roots of the trees before" {
	passes 's/x - s < q->n \? x - s : q->n/x/'
}

@test "checker: passage: only the last threshold counts" {
	fault audit/run 's/sum \+= one;/sum = one;/' \
	    unit/t_certificate_pass:brute
}

@test "checker: passage: trees before have no root" {
	fault audit/end_tree \
	    's/b->passed \&\& !audit_passage_root/false \&\& !audit_passage_root/' \
	    unit/t_certificate_pass:words
}

@test "planner: a threshold that is one too low" {
	planner stat/find_one 's/tau = x \+ 1/tau = x/' 'plans of tools hold: names' dptop
}

@test "planner: noise of a step that reaches tau, not tau - 1" {
	planner stat/laplace_create \
	    's/\(int64_t\)fmax\(ceil\(x \+ 1e-12 \* fabs\(x\) \+ 1e-6\), 1\) \+ 1/(int64_t)x/' \
	    'plans of tools hold: names' dptop
}

@test "checker: windows: a right half begins where its node does" {
	fault audit/descend \
	    's/shear\(q, 1, m, room\);/shear(q, 0, m, room);/' \
	    unit/t_certificate_pass:windows
}

@test "checker: windows: the last steps of a tree before" {
	fault audit/above_window \
	    's/\(m == 0 \? 1 : b\[z \+ R\]\)/(double)(z == 0)/' \
	    unit/t_certificate_pass:windows
}

@test "checker: windows: whole trees before" {
	fault audit/most 's/n = \(unsigned\)\(rest \/ L\)/n = 0/' \
	    unit/t_certificate_pass:windows
}

@test "checker: passage and windows: what is left out is lost" {
	local edit

	for edit in 's/missed \+= one;/missed += 0;/' \
	    's/^(\t\t\tout\[x - to->from\]) = 1;/\1 = 0;/'; do
		fault audit/row_passage,row_of "$edit" unit/t_certificate_pass:slow
	done
	for edit in 's/sum = \(n \+ 2\) \* q->lost/sum = 0/' \
	    's/q->lost \+= one;/q->lost += 0;/; s/q->lost \+= one \* \(.*;/q->lost += 0;/'; do
		fault audit/give,above_window "$edit" unit/t_certificate_pass:slow
	done
}

@test "checker: windows: fewer steps in a row" {
	fault audit/most 's/i < t \+ W/i < t + L/' \
	    unit/t_certificate_pass:windows
}

@test "planner: a window's names have twice the delta that is left" {
	planner stat/plant_window 's/= dp_top_allowed\(k, rule\)/= 3 * dp_top_allowed(k, rule)/' \
	    'plans of tools hold: names' dptop
}

@test "checker: rise: pieces have one unit" {
	words unit_at \
	    's/while \(i \+ 1 < f->pieces/while (false \&\& i + 1 < f->pieces/' rises
}

@test "checker: rise: what rounding adds" {
	words add_tail_rise \
	    's/mpfr_ui_sub\(q->x, height, q->x, BELOW\)/mpfr_set_ui(q->x, height, BELOW)/' rises
}

@test "checker: rise: draws are normal numbers" {
	words as_drawn 's/mpfr_mul\(to, to, q->x, ABOVE\);//' rises
	words as_drawn 's/T \* T, -96/0, -96/' rises
}

@test "checker: rise: each step by itself" {
	words step \
	    's/mpfr_add\(s->(lo|hi), s->(lo|hi), q->x/mpfr_set(s->\1, q->x/' rises
}

@test "checker: a threshold of a part's noise costs nothing" {
	words read_body \
	    's/audit_line_rose\(r, b\);//'
}

@test "planner: Gaussian noise has all of delta, and names half of it" {
	planner stat/make_noise_gauss 's/dp_q_make\(p->delta.num, 2 \* p->delta.den\)/p->delta/' \
	    'plans of tools hold: names' dptop
}

@test "checker: ages: what an event loses at its own step" {
	words audit_line_ages 's/mpq_cmp\(loss, b->fresh\) > 0/false/'
	words audit_line_ages '/loss_at\(&a, 0, loss\);/{ n; s/.*//; }'
}

@test "planner: an event of gradual expiry loses more than -e at its own step" {
	planner counter/set_noise 's/n = l == 0 \? unit :/n = l == 0 ? unit + unit \/ 1000 :/' \
	    'plans of tools hold: textbook' dpcount
}

@test "checker: ages: longer intervals may cost more" {
	words greedy 's/if \(mpq_cmp\(level\(a, l\), most\) > 0\)//'
}

@test "checker: ages: a step of a level, not two of the one below" {
	words across 's/mpq_mul_2exp\(h, h, 1\)/(void)0/'
}

@test "planner: gradual: an event that is half as old" {
	planner counter/claimed \
	    's/(drawn.loss\(m, dp_certificate_age\(m\))\)/\1 \/ 2)/' \
	    'plans of tools hold: textbook' dpcount
}

@test "planner, checker: a seeded run's plan says nothing of its seed" {
	faulty_tools explain/dp_plan_text 's/"seeded"/NULL/' dpaudit_plan \
	    'what is not private' dpcount
	faulty_tools audit/noise_line 's/r->seeded \|= seeded;//' dpaudit_plan \
	    'what is not private' dpaudit
}

@test "checker: no noise is unknown" {
	faulty_tools audit/noise_line 's/if \(exact\)$/if (false)/m' dpaudit_plan \
	    'what is not private' dpaudit
}
