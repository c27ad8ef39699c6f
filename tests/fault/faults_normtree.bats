#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in the norm tree: each must make its test fail.

load faults

# table EDIT: a fault in the tables or their certificate
table() {
	local at=normtree/set_fall,set_parents,certify_table,keep_parents
	at+=,dp_normtree_set_level,dp_normtree_set_root
	fault "$at" "$1" unit/t_normtree quick
}

# draw EDIT: a fault in the draws
draw() {
	fault normtree/quickly "$1" law/s_normtree
}

large='s/(w->next\[P\] = w->N\[P\] \* x)/\1 * (P > 5 ? decay(-e \/ 4) : 1)/'

@test "plan: twice the rate" {
	fault normtree/make 's/fmin\(k->rate/fmin(2 * k->rate/' \
	    unit/t_normtree quick
}

@test "plan: a segment's tables, made when it draws, of another hash" {
	fault normtree/dp_normtree_wake 's/ != p->held.hash/ == 0/g' unit/t_normtree quick
}

@test "plan: just above a power of two there is none that a state keeps" {
	fault normtree/keep 's/"root", s->root, 0,/"root", s->root, 0x1p-20,/' unit/t_normtree quick
}

@test "plan: a segment that a prediction measured is found by what lay in its memory" {
	fault normtree/fill_shape 's/s->T = 0;//' unit/t_normtree quick
}

@test "k falls by e^(-3e): the certificate refuses" {
	table 's/w->beyond.fade = decay\(2 \* e\)/w->beyond.fade = decay(3 * e)/'
}

@test "level 1: k begins too steep for what is beyond A, and the certificate does not look" {
	table 's/fmax\(decay\(2 \* e \* \(y - c\)\), w->beyond.fade\)/decay(2 * e * (y - c))/
	    s/least = w->open \? w->beyond.fade : q \* q/least = q * q/'
}

@test "potentials that are 2-Lipschitz, and a certificate that does not mind" {
	table 's/w->beyond.fade = decay\(2 \* e\)/w->beyond.fade = decay(4 * e)/
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

@test "certificate: of what is beyond the table a place is left out" {
	fault normtree/dp_normtree_weigh_beyond 's/fold\(g, h, P \+ 1, sum\)/fold(g, h, P, sum)/' \
	    unit/t_normtree quick
}

@test "windows and decays: a shape that does not know the horizon" {
	fault normtree/dp_normtree_stream \
	    's/known = T == 0 \? LONGEST_SHAPE : \(double\)T/known = LONGEST_SHAPE/' \
	    unit/t_normtree quick
}

@test "windows and decays: a state has to have the tree that a new one would" {
	faulty_tools normtree/dp_normtree_keep_kinds \
	    's/= s->free \?/= false ?/; s/!s->free \&\& //' forged \
	    'a state of a version whose trees' dpdecay dpwindow
}

@test "prediction: of a split's variance the parents' share is left in" {
	fault normtree/go_down_moment 's/ - parents \/ 4;/;/' unit/t_normtree quick
}

@test "draw: a kink one too far" {
	draw 's/y = b & negative;/y = (b - (b > 0)) \& negative;/'
}

@test "draw: the table read one too far on one side" {
	draw 's/v->child\[!t->negative\]\[b\]\),/v->child[0][b + (negative != 0 \&\& b < v->A)]),/'
}

@test "draw: no bit has to be zero" {
	draw 's/yes = \(t->u < T\.m\) & .*/yes = t->u < T.m;/'
}

@test "draw: a half counted twice" {
	draw 's/yes & valid & !\(t->negative .*/yes \& valid;/'
}

@test "draw: beyond the table a geometric too many" {
	fault normtree/dp_normtree_entry 's/power\(beyond, v - A\)/power(beyond, v - A + 1)/' \
	    law/s_normtree
}

@test "a tree that wakes with other tables" {
	fault normtree/dp_normtree_wake 's/if \(p->awake\)/p->rate *= 1.001;\n\t&/' \
	    unit/t_normtree quick
}

@test "a prediction that stops where the plan was tuned for" {
	fault normtree/tree \
	    's/return dp_normtree_create\(&p->segment\[j\].* == 0 \?/return false ?/' \
	    unit/t_normtree quick
}

@test "a segment that has ended leaves no noise" {
	fault normtree/error_of 's/older \+= dp_normtree_variance.*/(void)0;/' unit/t_normtree quick
}

@test "tables of a prediction: used when they are given back" {
	# what is freed may be read as anything: it fails, or crashes
	dir=$BATS_TEST_TMPDIR
	plant normtree/normtree_share 's/^\t\+\+\*users\(tables\);/\t;/' "$dir"
	link "$dir/test" "$DP_BUILD/tests/unit/t_normtree.o" "$dir/fault.o"
	run "$dir/test" quick
	[ "$status" -ne 0 ]
}

@test "a law leaves out a tree that there was no memory for" {
	fault normtree/law_count \
	    's/dp_normtree_law\(tree/if (tree(m, j) != NULL)\n\t\t\t&/' unit/t_failing
}

@test "a state's plan of a tree of other levels" {
	fault normtree/dp_normtree_keep_kinds \
	    's/"shape", word, s->h, s->h \| most << 16\)/"shape", word, 1, 56)/
	    s/if \(\(word & 0xffff\) != s->h\)/s->h = s->kinds = word;\n\tif (false)/' \
	    unit/t_normtree quick
}

@test "a sibling drawn twice" {
	fault normtree/enter_gen 's/\[l - 1\] = child\[2 \* k \+ 1\]/[l - 1] = child[2 * k]/' \
	    law/s_variance normtree count
}

@test "bounds: characteristic functions of six tenths of the noise" {
	fault normtree/set_sweep 's/s = dp_normtree_point/s = .6 * dp_normtree_point/' \
	    law/s_normtree:coverages
}

# bound EDIT [PART]: a fault in the law of an estimate
bound() {
	fault normtree/first_steps,go_down_sweep,close_wave_sweep "$1" unit/t_normtree_wave${2:+:$2}
}

@test "bounds: what comes before a right child is not turned back" {
	bound 's/turn_sweep\(q, s->child\[1\], true, &to->at, .*/(void)0;/' prefixes
}

@test "bounds: of right children the left one" {
	bound 's/to->kind = k->child.side.;/to->kind = k->child[0];/' prefixes
}

@test "bounds: what was kept of another step" {
	bound 's/to = &q->first\[kind\]\[n - 1\];/to = \&q->first[kind][(n - 1) \& ~1u];/'
}

@test "bounds: what is left out is not charged" {
	bound 's/\*off \+= fmax\(1 - sum.*/*off += 0;/'
}

@test "bounds: hardly anything is left in" {
	fault normtree/points_set \
	    's/dp_law_widest\(fmin\(gamma, LARGEST\) \* OUTSIDE\)/1.5/' \
	    unit/t_normtree_wave
}

# halves FILE EDIT: a fault in the half-widths of counts
halves() {
	fault normtree/"$1" "$2" unit/t_normtree_bounds
}

# tails EDIT: a fault in the tails that these are found from
tails() {
	fault law/law.c "$1" unit/t_normtree_bounds:count_of
}

@test "half-widths of counts: a period too short for the widest step" {
	halves choose 's/, SHORTEST\) \/ 2\)/, SHORTEST) \/ 5)/'
}

@test "half-widths of counts: more is left out than the error has room for" {
	halves OUTSIDE 's/^#define OUTSIDE.*/#define OUTSIDE .2/'
}

@test "half-widths of counts: grains as wide as a step's noise" {
	halves grain_of 's/narrowest = .*/narrowest = .7;/'
}

@test "half-widths of counts: tails take no finer grain, and no more of gamma" {
	halves grain_of 's/gamma >= TAIL . 2 : .*/1.5;/'
	fault law/rough_bound 's/fmax\((fmin\(rare, 1\)), .*/\1;/' unit/t_normtree_bounds
}

@test "half-widths of counts: a law in grains is as wide as it is" {
	tails 's/grain \* sqrt\(variance [^,]*,/grain,/'
}

@test "half-widths of counts: a tail of reals between grains is that of grains" {
	tails 's/raw\[i \+ 1\] \+ a \* a .*/raw[i + 1];/'
}

@test "half-widths of counts: the end of a period counts twice" {
	tails 's| \* \(k == n \? 2 : 1\)||'
}

@test "half-widths of counts: nothing is for what a law in grains is off" {
	tails 's/1 - ROUGH \* .*/1 + 4 * ROUGH;/'
}

@test "half-widths of counts: of a node's children both by the matrices of one" {
	halves pass_set 's/to->sides = .*/to->sides = 0;/'
}

# spline EDIT: a fault in what is certified or predicted of a finer grid
spline() {
	fault normtree/"$1" "$2" unit/t_normtree_spline
}

# fine EDIT [PART]: a fault in the draws on it
fine() {
	fault normtree/draw.c "$1" law/s_normtree:"${2-fine_laws}"
}

@test "finer grid: the loss of the tables alone" {
	spline cost 's/return w->fine == 0 \? e :/return w->fine < 9 ? e \/ (1 << w->fine) :/'
}

@test "finer grid: c falls by e^-3 and more, where U has too few bits" {
	spline STEEP 's/STEEP\t0x1p-3/STEEP\t0x1p-8/'
}

@test "finer grid: c rises from 0" {
	spline concave 's/if \(here > 1 \+ 1e-13\)/if (false)/; s/most <= 1 \+ 1e-13 && //'
}

@test "finer grid: half of the cells are not looked at" {
	spline dp_spline_loss 's/for \(m = -end;/for (m = 3;/
	    s/look_at\(&q, (-ABREAST|0)\)/look_at(\&q, end)/'
}

@test "finer grid: no smoothing, and a certificate that takes it for done" {
	spline keep_parents 's/dp_spline_smooth\(w->next, /dp_spline_smooth(w->m, /'
}

@test "finer grid: a pair's flat table stands for the root's, too" {
	fault normtree/dp_normtree_set_root \
	    's/w->A, 0, e \+ SLACK/w->open ? 0 : w->A, 0, e + SLACK/' \
	    unit/t_normtree_kinds
}

@test "finer grid: plans at twice the rate" {
	spline cost,dp_normtree_set_level 's/w->A = k->reach;/rate *= 1 + (w->fine > 0);\n\t&/
	    s/return w->fine == 0 \? e :/return w->fine == 0 ? e : 0.5 */'
}

@test "finer grid: C is of the children's table" {
	spline start 's/= at_spline\(c, k\)/= at_spline(g, k)/'
}

@test "finer grid: a cell's inside is not bounded" {
	spline table.c 's/k % DEGREE == 0 \|\| steps > 1/k % DEGREE == 0/
	    s/k <= DEGREE; k\+\+\)$/k <= DEGREE; k += DEGREE)/'
}

@test "finer grid: a step that ends in the next cell is taken for one of its own" {
	spline start \
	    's/(pieces\(q->dw, N_SPLINE - 1, q->D, )1 - N_SPLINE \/ 2/\10/'
}

@test "finer grid: a chain where a table bends too early for the last shares" {
	spline find_shares 's/e = set_plan\(p, s, rate, use\)\) != DP_ERANGE/& || p->loss <= rate/'
}

@test "finer grid, prediction: a residual's variance is left out" {
	spline dp_spline_residual 's/return N_SPLINE \* \(ldexp/return 0 * (ldexp/'
}

@test "finer grid, draw: a residual used twice" {
	fine 's/eta = sum\(p, at, N, SPLIT, in_word\)/eta = sum(p, at, 0, N - 1, in_word)/'
}

@test "finer grid, draw: uniforms of a word that share a bit" {
	fine 's/w >>= p->fine/w >>= p->fine - 1/'
}

@test "finer grid, draw: five uniforms in one residual, three in the other" {
	fine 's/sum\(p, at, 0, N, in_word\)/sum(p, at, 0, N + 1, in_word)/
	    s/sum\(p, at, N, SPLIT,/sum(p, at, N + 1, SPLIT,/'
}

@test "finer grid, draw: taken for a place two too far" {
	fine 's/\{ own_fine\(v, Q\),/{ own_fine(v, Q + 2),/'
}

@test "finer grid, draw: always taken" {
	fine 's/open \| !yes/open/'
}

@test "finer grid, draw: a node has what was drawn for another" {
	fine 's/P\[node\], at, &to->of\[node\]/P[node], at, \&to->of[i]/'
}

@test "finer grid, draw: the root has no residual" {
	fine 's/\+ sum\(p, at, 0, N, p->fine/+ 0 * sum(p, at, 0, N, p->fine/'
}

# ties EDIT: a fault in what few draws meet
ties() {
	fault normtree/draw.c "$1" unit/t_normtree_fine
}

@test "finer grid, draw: half of U alone decides" {
	ties 's/ & \(limit - least > half \+ m\)//'
}

@test "finer grid, draw: the lower half of U forgotten" {
	ties 's/half << 32 \| dp_load32\(at\)/half << 32/'
}

@test "finer grid, draw: what the lower half refuses is taken" {
	ties 's/k -= yes;/k--;/'
}

@test "finer grid, draw: uniforms of more than nine bits begin in one another" {
	ties 's/at \+ UNIFORM \* k/at + 2 * k/'
}
