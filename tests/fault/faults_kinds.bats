#!/usr/bin/env bats
# SPDX-License-Identifier: ISC
# Planted faults in norm trees whose nodes differ: each must make its test fail.

load faults

# kinds FILE EDIT [PART]: a fault in tables, their certificate, or what is known of them
kinds() {
	fault normtree/"$1" "$2" unit/t_normtree_kinds${3:+:$3}
}

@test "kinds: a right child is split by the left one's table" {
	kinds load 's/children\(p, child\[1\]\), child\[1\]/children(p, child[0]), child[0]/'
}

@test "kinds: N has one side twice" {
	kinds dp_normtree_both \
	    's/return sum\[0\] \+ sum\[w->alike \? 0 : 1\]/return sum[0] + sum[0]/'
}

@test "kinds: beyond the tables one child's wedge is for both" {
	kinds dp_normtree_weigh_beyond \
	    's/left \* h\[P\] \+ right \* g\[P\]/left * h[P] + left * g[P]/;
	    s/x < q \* \(1 - within\) \|\| x > \(1 - within\) \/ q/false/'
}

@test "kinds: N' is off by more than its slack has, on one side" {
	kinds dp_normtree_weigh_beyond 's/fall\[2\] = \{ 1, 1 \}/fall[2] = { 1 + 1e-8, 1 }/'
}

@test "kinds: the loss of a path is that of the left child's" {
	kinds dp_normtree_set_level 's/side < \(w->alike \? 1 : 2\) && use/side < 1 \&\& use/'
}

@test "kinds: a table's last ratio is its child's reach too late" {
	kinds load_side \
	    's/const unsigned A = p->shape\.kind\[kind\]\.reach;/const unsigned A = w->A;/'
}

@test "kinds: a certificate that is not asked beyond A" {
	kinds certify_table 's/x < q \* \(1 - within\) \|\| x > \(1 - within\) \/ q/false/'
}

@test "kinds: potentials twice as steep, and a certificate that does not mind" {
	kinds table.c 's/w->beyond.fade = decay\(2 \* e\)/w->beyond.fade = decay(4 * e)/
	    s/const double q = decay\(e\)/const double q = decay(2 * e)/'
}

@test "kinds: on a finer grid a right child costs what the left one does" {
	kinds dp_normtree_set_level \
	    's/cost\(w, p->shape\.kind\[k->child\[side\]\]\.reach, side, one\)/one \/ 2/'
}

@test "kinds: a forged plan whose steps are not all drawn" {
	kinds dp_normtree_keep_kinds 's/ \|\| drawn\(s\) < s->T//'
}

@test "kinds: a forged plan with a kind that no node has" {
	kinds dp_normtree_keep_kinds 's/!all_used\(s\) \|\| //'
}

@test "kinds: a forged plan with a reach below a child's" {
	kinds fits 's/s->kind\[k->child\[side\]\]\.reach > k->reach/false/'
}

@test "kinds: a forged plan with a step among higher nodes" {
	kinds fits 's/DP_NORMTREE_STEP \? k->level != 1 \|\| /DP_NORMTREE_STEP ? /'
}

@test "kinds: a forged plan with a child as high as its parent" {
	kinds fits 's/level >= k->level/level > k->level/'
}

@test "kinds: a chain's plan is replayed as the kinds that the caller asks for" {
	kinds dp_normtree_keep_kinds 's/^(\t\t\t)fill_shape\(s, \(unsigned\)word, 1\);/\1(void)0;/'
}

@test "kinds: the largest error is the first place's" {
	kinds count_error 's/if \(i == 0 \|\| most > e->max\)/if (i == 0)/'
}

@test "rare noise: more than the budget" {
	kinds dp_normtree_rare_shape 's/q \* \(h - 1\.5\)/q * (h - 1.9)/' rare
}

@test "rare noise: half of it for the steps, as in other chains" {
	kinds dp_normtree_rare_shape 's/l == 0 \? own/l == 0 ? own \/ 2/' rare
}

@test "rare noise: pairs whose tables end too low" {
	kinds FITS 's/FITS\t480/FITS\t900/' rare
}

@test "largest error: of the steps that may be worst only those that end early" {
	fault normtree/grow 's/end = last >> l & 1/end = 0 * last/' unit/t_normtree_tally
}

@test "largest error: what lies on the line of others is behind, and a little above it, too" {
	fault normtree/SAME 's/SAME\t*1e-14/SAME 1e-3/' unit/t_normtree_tally
}

@test "kinds: a sum of a place's variances leaves out what lies before it" {
	kinds dp_normtree_place_sum 's/v = x \* p->before \+/v =/'
}

@test "kinds, finer grid: residuals know nothing of the noise before them" {
	kinds node_share 's/\(c \+ P \* r\) \/ 2/0/' all_variances
}

@test "kinds, finer grid: what is split has all of a residual" {
	kinds node_share 's/o \+ P \* m \+ r, r \/ 2/o + P * m, r \/ 2/' all_variances
}

@test "kinds, finer grid: a residual is as likely up as down" {
	kinds add_point 's/to->rest\[0\] \+= .*/;/' all_variances
}

# draws FILE EDIT [PART]: a fault in the draws, or in the variance of a step
draws() {
	fault normtree/"$1" "$2" law/s_normtree_kinds${3:+:$3}
}

@test "kinds: both children are drawn by the left one's table" {
	draws quickly 's/v->child\[!t->negative\]\[b\]/v->child[0][b]/'
}

@test "kinds: the same far out" {
	draws normtree_weight 's/v->child\[!side\], v->reach\[!side\]/v->child[0], v->reach[0]/;
	    s/v->beyond\[!side\]/v->beyond[0]/'
}

@test "kinds: beyond the tables weights are largest in the middle" {
	draws peak 's/ && v->child\[0\] != v->child\[1\]; j\+\+/ \&\& false; j++/'
}

@test "kinds: beyond the tables the envelope of the right side is for both" {
	draws row_beyond 's/S = one > S \? one : S;/S = one;/'
}

@test "kinds: a right child is of the left one's kind" {
	draws child_of_gen 's/kind\[kind\]\.child\[side\];/kind[kind].child[0];/' variances
}

@test "kinds: what lies before a step does not depend on its node" {
	draws node_share 's/add_law\(left->before.of, left->noise.rest, .*/;/' variances
}

@test "kinds: children have one mean" {
	draws node_share 's/o \+ P \* m \+ r, r/o + r, r/' variances
}

@test "kinds: steps beyond the horizon are taken" {
	fault counter/count_steps 's/t > T \? 0 : T - \(t - 1\)/n/' unit/t_normtree_kinds
}

# rule EDIT: a fault in what nodes take, which no guarantee depends on: errors are larger
rule() {
	fault normtree/plan.c "$1" unit/t_normtree:targets
}

@test "kinds: of long horizons one level less has children that differ" {
	rule 's/(#define UNLIKE_TALL\t)4/\13/'
}

@test "kinds: of long horizons three budgets in place of eight" {
	rule 's/(#define BUDGETS_TALL\t)8/\13/'
}

@test "kinds: the third and the fourth height are like those above" {
	rule 's/if \(h <= 4\)/if (h <= 2)/'
}

@test "kinds: just above a power of two a tree is like that of the power" {
	rule 's/blend_rule\(r->p, low, high, .*/blend_rule(r->p, low, high, 0);/;
	    s/r->p\[i\] \+= change\[i\];/(void)change;/'
}

@test "kinds: of few steps after many the node above takes its share besides the root's" {
	rule 's/!(dp_normtree_rule_above)/true || !\1/'
}

@test "kinds: a pair after many steps takes all of its path" {
	fault normtree/put_kinds 's/r->above > 0 \? fmax/false ? fmax/' unit/t_normtree:targets
}

@test "plan: few steps after many ask for a grid as coarse as twice as many" {
	fault normtree/height 's/s->h - (dp_normtree_rule_above)/s->h - 0 * \1/' \
	    unit/t_normtree:targets
}
