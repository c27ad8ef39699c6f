#!/usr/bin/env bats
# Planted faults in the norm tree: each must make its test fail.

load faults

@test "plan: twice the rate" {
	fault normtree/plan.c 's/fmin\(dp_privacy_rate\(privacy\), MOST\)/2 * dp_privacy_rate(privacy)/' \
	    unit/t_normtree quick
}

@test "table: k falls by e^(-3e): the certificate refuses" {
	fault normtree/table.c 's/w->fade = decay\(2 \* e\)/w->fade = decay(3 * e)/' unit/t_normtree quick
}

# twice: |P| counts for two
steep='s/w->fade = decay\(2 \* e\)/w->fade = decay(4 * e)/; s/const double q = decay\(e\)(, A)?/const double q = decay(2 * e)\1/'

@test "potentials that are 2-Lipschitz, and a certificate that does not mind" {
	fault normtree/table.c "$steep" unit/t_normtree quick
}

@test "table: the parents' is e^(e/4) too large beyond 5" {
	fault normtree/table.c 's/(w->next\[P\] = w->N\[P\] \* x)/\1 * (P > 5 ? decay(-e \/ 4) : 1)/' \
	    unit/t_normtree quick
}

@test "table: the same, and a certificate that does not look" {
	fault normtree/table.c 's/(w->next\[P\] = w->N\[P\] \* x)/\1 * (P > 5 ? decay(-e \/ 4) : 1)/; s/\*loss = e \+ worst.*/*loss = e;/' \
	    unit/t_normtree quick
}

@test "certificate: nothing is asked for beyond A" {
	fault normtree/table.c 's/return DP_ERANGE;/(void)0;/' unit/t_normtree quick
}

@test "draw: a kink one too far" {
	fault normtree/draw.c 's/y = b & negative;/y = (b - (b > 0)) \& negative;/' stat/s_normtree
}

@test "draw: the table read one too far on one side" {
	fault normtree/draw.c 's/times\(v->child\[P - half \+ \*j\], v->child\[b\]\)/times(v->child[P - half + *j], v->child[b + (negative != 0 \&\& b < p->A)])/' \
	    stat/s_normtree
}

@test "draw: no bit has to be zero" {
	fault normtree/draw.c 's/yes = \(t->u < T\.m\) & .*/yes = t->u < T.m;/' stat/s_normtree
}

@test "draw: a half counted twice" {
	fault normtree/draw.c 's/yes & valid & !\(t->negative .*/yes \& valid;/' stat/s_normtree
}

@test "draw: beyond the table a geometric too many" {
	fault normtree/draw.c 's/power\(beyond, v - A\)/power(beyond, v - A + 1)/' stat/s_normtree
}

@test "a sibling drawn twice" {
	fault normtree/gen.c 's/wait\[l - 1\] = child\[1\]/wait[l - 1] = child[0]/' stat/s_variance normtree \
	    count
}

@test "prediction: a split's variance halved" {
	fault normtree/table.c 's/return 2 \* square;/return square;/' unit/t_normtree quick
}

@test "bounds: a third of the variance" {
	fault noise/law.c 's/(x = )sqrt\(v\) \* log_concave/\10.6 * sqrt(v) * log_concave/' stat/s_normtree
}
