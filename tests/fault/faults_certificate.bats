#!/usr/bin/env bats
# Faults of those who plan, which the checker of plans must refute, and faults of the checker, which
# its test must find.

load faults

# planner FILE EDIT TEST TOOL: the tool's plans are then refuted
planner() {
	faulty_tools "$1" "$2" dpaudit_plan "$3" "$4"
	grep -q 'expected exit code 0, got 6' tap
}

# checker FILE EDIT [PART]
checker() {
	fault "audit/$1" "$2" "unit/t_certificate${3:+:$3}"
}

@test "planner: shares are of a rate that is a thousandth too large" {
	planner normtree/plan.c 's/fmin\(k->rate/fmin(1.001 * k->rate/' \
	    'plans of tools hold: norm' dpcount
}

@test "planner: a table's weight is off where it is drawn from, after the certificate" {
	planner normtree/table.c 's/_real\(v\[i\]\)/_real(v[i] * (i == 3 ? 1.01 : 1))/' \
	    'plans of tools hold: norm' dpcount
}

@test "planner: a scale for half of the levels" {
	planner mech/tree.c 's/dp_q_make\(1, k->h\)/dp_q_make(1, (k->h + 1) \/ 2)/' \
	    'plans of tools hold: textbook' dpcount
}

@test "planner: a scale of less than the reach" {
	planner noise/privacy.c 's/(dp_q_make\(p->l1,) 1\), p->epsilon/\1 2), p->epsilon/' \
	    'plans of tools hold: textbook' dpcount
}

@test "planner: each part has all of the budget" {
	planner noise/privacy_delta.c \
	    's/part_of\(whole->epsilon, share\), part_of/whole->epsilon, part_of/' \
	    'plans of tools hold: parts' dpquantile
}

@test "checker: k may fall as it likes" {
	checker tree.c 's/mpfr_max\(steep\[v\], steep\[v - 1\], fall, MPFR_RNDU\);//' texts
}

@test "checker: N without what is beyond the tables" {
	checker tree.c 's/interval_mul\(&w->b, &w->b, &w->tail\);/interval_set(\&w->b, 0);/' altered
}

@test "checker: N of one side's signs" {
	checker tree.c 's/gather_signs\(w, N, P, 1\);//' brute
}

@test "checker: a parent's share alone counts" {
	checker tree.c 's/mpfr_add\(on, on, path\[k->child\[side\]\], MPFR_RNDU\);//' brute
}

@test "checker: the last of the ratios that are looked at, for the largest" {
	checker tree.c 's/if \(mpfr_greater_p\(x, w->worst\)\)//' brute
}

@test "checker: where tables end is not looked at" {
	checker tree.c 's/P <= w->M/P < w->M \/ 2/' altered
}

@test "checker: a finer grid without the tilt" {
	checker spline.c 's/mpfr_exp\(w, w, MPFR_RNDD\)/mpfr_set_ui(w, 1, MPFR_RNDD)/' spline
}

@test "checker: cells of one side" {
	checker spline.c 's/m = i % 2 == 0 \? i \/ 2 : /m = /' spline
}

@test "checker: a cell's ends are all of it" {
	checker spline.c 's/k == 0 \|\| k == TERMS - 1/true/;
	    s/halvings == 0/halvings <= HALVINGS/;
	    s/raise_to\(f->most, f->one\);/if (k == 0) raise_to(f->most, f->one);/' spline
}

@test "checker: parts that have more than the whole" {
	checker certificate.c 's/mpq_add\(loss, loss, one\);/;/' texts
}

@test "checker: a part's own loss is not compared" {
	checker certificate.c 's/(mpq_cmp\(loss, epsilon\)) > 0/r->depth == 1 \&\& \1 > 0/' \
	    texts
}

@test "checker: the reach does not count" {
	checker certificate.c 's/mpq_mul\(rate, rate, reach\);//' texts
}

@test "checker: noise of several families counts once" {
	checker certificate.c 's/mpq_add\(rate, rate, n\);/mpq_set(rate, n);/' texts
}

@test "checker: moves of a tree count once" {
	checker certificate.c 's/mpq_mul\(loss, loss, n\);//' planned
}

@test "planner: choices have all of the budget, and so do values" {
	planner stat/recompute_plan.c 's/dp_q_make\(s->share, WHOLE\)/all/' \
	    'plans of tools hold: values' dpmaxsum
}

@test "checker: releases one after the other count once" {
	checker certificate.c 's/mpq_mul\(n, n, m\);/mpq_set(n, m);/' texts
}

@test "checker: what follows the end is not looked at" {
	checker certificate.c 's/ \|\| r\.cut\)/)/' texts
}

@test "checker: another version is read" {
	checker certificate.c 's/strcmp\(word_, "1"\) != 0/false/' texts
}
