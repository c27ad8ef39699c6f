#!/usr/bin/env bats
# Planted faults in the norm tree: each must make its test fail.

load faults

# table EDIT: a fault in the tables or their certificate
table() {
	fault normtree/table.c "$1" unit/t_normtree quick
}

# draw EDIT: a fault in the draws
draw() {
	fault normtree/draw.c "$1" stat/s_normtree
}

large='s/(w->next\[P\] = w->N\[P\] \* x)/\1 * (P > 5 ? decay(-e \/ 4) : 1)/'

@test "plan: twice the rate" {
	fault normtree/plan.c 's/fmin\(dp_privacy_rate/fmin(2 * dp_privacy_rate/' \
	    unit/t_normtree quick
}

@test "k falls by e^(-3e): the certificate refuses" {
	table 's/w->fade = decay\(2 \* e\)/w->fade = decay(3 * e)/'
}

@test "level 1: k begins too steep for what is beyond A, and the certificate does not look" {
	table 's/fmax\(decay\(2 \* e \* \(y - c\)\), w->fade\)/decay(2 * e * (y - c))/
	    s/least = w->open \? w->fade : q \* q/least = q * q/'
}

@test "potentials that are 2-Lipschitz, and a certificate that does not mind" {
	table 's/w->fade = decay\(2 \* e\)/w->fade = decay(4 * e)/
	    s/const double q = decay\(e\)/const double q = decay(2 * e)/'
}

@test "a parents' table that is too large beyond 5" {
	table "$large"
}

@test "the same, and a certificate that does not look" {
	table "$large"'; s/\*loss = e \+ worst.*/*loss = e;/'
}

@test "certificate: nothing is asked for" {
	table 's/return DP_ERANGE;/(void)0;/'
}

@test "prediction: a split's variance halved" {
	table 's/return 2 \* square;/return square;/'
}

@test "draw: a kink one too far" {
	draw 's/y = b & negative;/y = (b - (b > 0)) \& negative;/'
}

@test "draw: the table read one too far on one side" {
	draw 's/v->child\[b\]\),/v->child[b + (negative != 0 \&\& b < p->A)]),/'
}

@test "draw: no bit has to be zero" {
	draw 's/yes = \(t->u < T\.m\) & .*/yes = t->u < T.m;/'
}

@test "draw: a half counted twice" {
	draw 's/yes & valid & !\(t->negative .*/yes \& valid;/'
}

@test "draw: beyond the table a geometric too many" {
	draw 's/power\(beyond, v - A\)/power(beyond, v - A + 1)/'
}

@test "a tree that wakes with other tables" {
	table 's/return p->awake \? 0 : /p->rate *= 1.001;\n\t&/'
}

@test "a prediction that stops where the plan was tuned for" {
	fault normtree/count.c \
	    's/j < p->segments && p->begin\[j\] < T;/p->segment[j] != NULL \&\& &/' \
	    unit/t_normtree quick
}

@test "a sibling drawn twice" {
	fault normtree/gen.c 's/wait\[l - 1\] = child\[1\]/wait[l - 1] = child[0]/' \
	    stat/s_variance normtree count
}

@test "bounds: characteristic functions of six tenths of the noise" {
	fault normtree/wave.c 's/angle = c->step/angle = .6 * c->step/' \
	    stat/s_normtree
}

@test "bounds: trees before a decay's last are forgotten" {
	fault normtree/curve.c 's/j < older/j < older \&\& j < 0/' stat/s_normtree
}

@test "bounds: a child without noise counts on one side only" {
	fault normtree/wave.c 's/s\.y <= 0/s.y < 0/' unit/t_normtree_wave
}

@test "bounds: a decay's counted as if it were whole numbers" {
	fault noise/law_parts.c 's/v->whole \? w \+ \.5 : w/w + .5/' stat/s_normtree
}
