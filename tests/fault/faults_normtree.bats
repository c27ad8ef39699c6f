#!/usr/bin/env bats
# Planted faults in the norm tree: each must make its test fail.

load faults

# table EDIT: a fault in the tables or their certificate
table() {
	fault normtree/table.c "$1" unit/t_normtree quick
}

# draw EDIT: a fault in the draws
draw() {
	fault normtree/draw.c "$1" law/s_normtree
}

large='s/(w->next\[P\] = w->N\[P\] \* x)/\1 * (P > 5 ? decay(-e \/ 4) : 1)/'

@test "plan: twice the rate" {
	fault normtree/plan.c 's/fmin\(k->rate/fmin(2 * k->rate/' \
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

@test "certificate: of what is beyond the table a place is left out" {
	fault normtree/work.c 's/fold\(g, h, P \+ 1\)/fold(g, h, P)/' unit/t_normtree quick
}

@test "windows and decays: a shape that does not know the horizon" {
	fault normtree/shape.c 's/known = T == 0 \? LONGEST : \(double\)T/known = LONGEST/' \
	    unit/t_normtree quick
}

@test "windows and decays: a state has to have the tree that a new one would" {
	faulty_tools normtree/shape.c 's/= s->free \?/= false ?/; s/!s->free \&\& //' forged \
	    'a state of a version whose trees' dpdecay dpwindow
}

@test "prediction: a split's variance halved" {
	fault normtree/moment.c 's/return 2 \* square;/return square;/' unit/t_normtree quick
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
	draw 's/power\(beyond, v - A\)/power(beyond, v - A + 1)/'
}

@test "a tree that wakes with other tables" {
	fault normtree/memory.c 's/return p->awake \? 0 : /p->rate *= 1.001;\n\t&/' \
	    unit/t_normtree quick
}

@test "a prediction that stops where the plan was tuned for" {
	fault normtree/count.c \
	    's/return dp_normtree_create\(&p->segment\[j\].* == 0 \?/return false ?/' \
	    unit/t_normtree quick
}

@test "a segment that has ended leaves no noise" {
	fault mech/segments.c 's/older \+= one\.root;/(void)0;/' unit/t_normtree quick
}

@test "tables of a prediction: used where they no longer lie, or where others lay" {
	fault normtree/memory.c 's/p->root = .*shift\);/;/' unit/t_normtree quick
	fault normtree/recall.c 's/^\t\treturn;\t\t.\* those of another base .*/\t\t;/' \
	    unit/t_normtree quick
}

@test "rough cumulants: points of another scale than the grain's" {
	fault normtree/cumulant.c 's/ = s\[i\] \* grain;/ = s[i];/' unit/t_normtree_wave
}

@test "a law leaves out a tree that there was no memory for" {
	fault normtree/count.c 's/dp_normtree_law\(p, NULL, 0, \(j/if (p != NULL)\n\t\t\t&/' \
	    unit/t_failing
}

@test "a state's plan of a tree of other levels" {
	fault normtree/shape.c \
	    's/\(params, word, s->h, s->h \| most << 16\)/(params, word, 1, 56)/
	    s/if \(\(word & 0xffff\) != s->h\)/s->h = s->kinds = word;\n\tif (false)/' \
	    unit/t_normtree quick
}

@test "a sibling drawn twice" {
	fault normtree/gen.c 's/wait\[l - 1\] = child\[1\]/wait[l - 1] = child[0]/' \
	    law/s_variance normtree count
}

@test "bounds: characteristic functions of six tenths of the noise" {
	fault normtree/sweep.c 's/angle = i == n \? 0 : /&.6 * /' law/s_normtree
}

# bound EDIT: a fault in the law of an estimate
bound() {
	fault normtree/sweep.c "$1" unit/t_normtree_wave
}

@test "bounds: what comes before a right child is not turned back" {
	bound 's/turn\(q, s->child\[1\], true, &to->at, .*/(void)0;/'
}

@test "bounds: of right children the left one" {
	bound 's/to->kind = k->child.side.;/to->kind = k->child[0];/'
}

@test "bounds: what was kept of another step" {
	bound 's/to = &q->first\[kind\]\[n - 1\];/to = \&q->first[kind][(n - 1) \& ~1u];/'
}

@test "bounds: what is left out is not charged" {
	bound 's/\*off \+= fmax\(1 - sum.*/*off += 0;/'
}

@test "bounds: hardly anything is left in" {
	bound 's/dp_law_widest\(gamma \* OUTSIDE\)/1.5/'
}

# halves FILE EDIT: a fault in the half-widths of counts
halves() {
	fault normtree/"$1".c "$2" unit/t_normtree_bounds
}

@test "half-widths of counts: a period too short for the widest step" {
	halves curve 's/period = 1\.3 \* top/period = .5 * top/'
}

@test "half-widths of counts: few points for little noise" {
	halves curve 's/^#define FEWER.*/#define FEWER 0/'
}

@test "half-widths of counts: more is left out than the error has room for" {
	halves sweep 's/^#define OUTSIDE.*/#define OUTSIDE .2/'
}

@test "half-widths of counts: of a node's children both by the matrices of one" {
	halves pass 's/to->sides = .*/to->sides = 0;/'
}

# spline EDIT: a fault in what is certified or predicted of a finer grid
spline() {
	fault normtree/"$1".c "$2" unit/t_normtree_spline
}

# fine EDIT: a fault in the draws on it
fine() {
	fault normtree/fine.c "$1" law/s_normtree
}

@test "finer grid: the loss of the tables alone" {
	spline table 's/return w->fine == 0 \? e :/return w->fine < 9 ? e \/ (1 << w->fine) :/'
}

@test "finer grid: c falls by e^-3 and more, where U has too few bits" {
	spline table 's/STEEP\t0x1p-3/STEEP\t0x1p-8/'
}

@test "finer grid: c rises from 0" {
	spline table 's/if \(here > 1 \+ 1e-13\)/if (false)/; s/most <= 1 \+ 1e-13 && //'
}

@test "finer grid: half of the cells are not looked at" {
	spline spline 's/for \(m = -end; m < end; m\+\+\)/for (m = 3; m < end; m++)/
	    s/cell \+ n \/ 2 - 3, 6,/cell, 6,/'
}

@test "finer grid: no smoothing, and a certificate that takes it for done" {
	spline table 's/dp_spline_smooth\(w->next, /dp_spline_smooth(w->m, /'
}

@test "finer grid: plans at twice the rate" {
	spline table 's/w->A = k->reach;/rate *= 1 + (w->fine > 0);\n\t&/
	    s/return w->fine == 0 \? e :/return w->fine == 0 ? e : 0.5 */'
}

@test "finer grid: C is of the children's table" {
	spline spline 's/start\(&q.down, c,/start(\&q.down, g,/'
}

@test "finer grid: an interval's inside is not bounded, and its ends are far apart" {
	spline spline 's/to - from <= 1 \|\|/to - from <= 9 ||/; s/s \* \(c->up \+ c->down\)/0/
	    s/set_step\(q, to\);/set_step(q, from);/'
}

@test "finer grid: a chain where a table bends too early for the last shares" {
	spline plan 's/e = set\(p, s, rate, use\)\) != DP_ERANGE/& || p->loss <= rate/'
}

@test "finer grid, prediction: a residual's variance is left out" {
	spline spline 's/return N \* \(ldexp/return 0 * (ldexp/'
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
	fine 's/\{ own\(v, Q\),/{ own(v, Q + 2),/'
}

@test "finer grid, draw: always taken" {
	fine 's/left->node\[k\] = .*/&\n\t\tnow = YES;/'
}

@test "finer grid, draw: a node has what was drawn for another" {
	fine 's/P\[node\], at, &to->of\[node\]/P[node], at, \&to->of[i]/'
}

@test "finer grid, draw: the root has no residual" {
	fine 's/\+ sum\(p, at, 0, N, p->fine/+ 0 * sum(p, at, 0, N, p->fine/'
}

# ties EDIT: a fault in what few draws meet
ties() {
	fault normtree/fine.c "$1" unit/t_normtree_fine
}

@test "finer grid, draw: half of U alone decides" {
	ties 's/limit - least > half \+ m \? YES : OPEN/YES/'
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

@test "bounds: trees before a decay's last are forgotten" {
	fault normtree/curve.c 's/j < older/j < older \&\& j < 0/' law/s_normtree
}

@test "bounds: a child without noise counts on one side only" {
	fault normtree/wave.c 's/s\.y <= 0/s.y < 0/' unit/t_normtree_wave
}

@test "bounds: a decay's counted as if it were whole numbers" {
	fault noise/law_parts.c 's/v->whole \? w \+ \.5 : w/w + .5/' law/s_normtree
}

@test "normtree: a forged plan whose tables fall below what doubles hold" {
	fault normtree/table.c \
	    's/w->next\[w->A \+ 1\] >= LEAST && w->next\[w->last\] >= LEAST/true/' unit/t_normtree
	fault normtree/table.c 's/if \(w->m\[w->A \+ 1\] < LEAST\)/if (false)/' unit/t_normtree
}

@test "normtree: a forged plan whose splines rise as steeply as nothing else" {
	fault normtree/table.c 's/fall < STEEP \? INFINITY ://' unit/t_normtree
}

@test "normtree: what residuals add to the variance of a law, halved" {
	fault normtree/moment.c 's/^( +|\t+ +)rest \/ 2;/\1rest \/ 4;/' unit/t_normtree_wave
	fault normtree/moment.c 's/p->fine_root = rest;/p->fine_root = 0;/' unit/t_normtree_wave
}

@test "law: whole numbers take the standard deviation for how wide they are" {
	fault noise/law_parts.c 's/return M_SQRT1_2 .*/return sqrt(variance);/' unit/t_normtree_wave
}

# kink EDIT: a fault in what is known of laws whose characteristic functions fall slowly
kink() {
	fault noise/law_parts.c "$1" unit/t_normtree_wave
}

@test "bounds: as many points as there are, never asked for" {
	kink 's/if \(ask\(l, gamma, DP_LAW_ALL, &all\)\)/if (false)/'
}

@test "bounds: smoothed by nothing" {
	kink 's/z = 2 \* log.*/z = 0;/'
}

@test "normtree: a forged plan that no envelope is above" {
	fault normtree/rows.c 's/ && here <= C;/;/' unit/t_normtree quick
}

@test "normtree: the same in a state file, which is not refused then" {
	faulty_tools normtree/rows.c 's/ && here <= C;/;/' forged \
	    "a norm tree's plan that is" dpcount
	grep -q 'status [01]: ' tap
}

@test "normtree: N' is off by more than its slack has" {
	fault normtree/work.c 's/fall\[2\] = \{ 1, 1 \}/fall[2] = { 1 + 1e-8, 1 + 1e-8 }/' \
	    unit/t_normtree quick
}

# most EDIT: a fault in the law of the largest noise
most() {
	fault normtree/most.c "$1" unit/t_normtree_most
}

@test "the largest noise: splits of two signs are left out" {
	most 's/(one|other) = (g\[.*) \* k;/\1 = \2 * k * 1e-3;/'
}

@test "the largest noise: half the scale is promised" {
	most 's/^(	return )hi;/\1ceil(hi \/ 2);/'
}

@test "the largest noise: steps after the last one count" {
	most 's/return kind == DP_NORMTREE_STEP \|\| T == .*/return true;/'
}

@test "the largest noise: a right child is looked at from behind" {
	most 's/: q->turned\[child\[1\]\]/: q->H[child[1]]/'
}

@test "the largest noise: of two children both are the right one" {
	most 's/q->ones : q->H\[child\[0\]\]/q->ones : q->H[child[1]]/'
}

@test "the largest noise: what is passed on the way to the last step is not looked at" {
	most 's/ \* all\[x \* n \+ x \+ a\]//'
}

@test "cumulant: the other child has none where it has all" {
	fault normtree/cumulant.c 's/^\t\ttilt\(m, room, -1\);/\t\t;/' unit/t_normtree_wave
	fault normtree/cumulant.c 's/cut = part\[side\];/cut = part[!side];/' unit/t_normtree_wave
}

@test "cumulant: of two children that are cut one counts" {
	fault normtree/cumulant.c 's/side, room, more, u\);/side, room, NULL, u);/' \
	    unit/t_normtree_wave
}

@test "cumulant: the first s for all" {
	fault normtree/cumulant.c 's/m\.s\.at\[i\] = s\[i\]/m.s.at[i] = s[0]/' unit/t_normtree_wave
}

# units FILE EDIT: a fault on a grid coarser than the data's
units() {
	fault "$1" "$2" unit/t_normtree_unit
}

@test "units: what moves by less than a unit does not move" {
	units normtree/unit.c 's/l1 \+ \(dp_uwide\)cells \* .*\) \/ unit/l1 + 0 * cells) \/ unit/'
}

@test "units: nothing is drawn within them" {
	units normtree/unit.c 's/\*u = \(int64_t\)x - .*/*u = 0;/'
}

@test "units: what is drawn within them is never at an end" {
	units normtree/unit.c 's/while \(x >= unit\)/while (x >= unit - 1)/'
}

@test "units: a unit where nobody knows how many values move" {
	units normtree/unit.c 's/c == 0 \|\| L <= c/L <= c/'
}

@test "units: a smaller one than epsilon leaves" {
	units normtree/unit.c 's/epsilon\.num << LEAST/epsilon.num << (LEAST + 1)/'
}

@test "units: errors know nothing of what is drawn within them" {
	units normtree/error.c 's/v \+ steps \/ 12/v + 0 * steps/'
}

@test "units: intervals are those of the tree" {
	units normtree/law.c 's/D = dp_normtree_apart\(p\)/D = ldexp(1, (int)p->fine)/'
}

@test "units: a plan has another one when it is read again" {
	units normtree/unit.c 's/\*unit = (dp_params_word\(.*)/(void)\1/'
}

@test "units: points of laws for noise that is measured in them" {
	fault normtree/sweep.c 's|/ dp_normtree_apart\(p\)|* ldexp(1, -(int)p->fine)|' \
	    unit/t_normtree_unit
}

@test "units: drawn as if it were one" {
	fault normtree/gen.c 's/p->unit == 1 \? 0 :/p->unit >= 1 ? 0 :/' law/s_variance normtree
}

@test "neighbours: a user moves no more values than an event does" {
	fault noise/neighbour.c 's/K != 0 \? K \* S : full/K != 0 ? S : full/' unit/t_neighbour
}

@test "neighbours: two lines differ in no more values than one has" {
	fault noise/neighbour.c 's/(out->cells = .*) \+ part;/\1;/' unit/t_neighbour
}

# alias EDIT: a fault in the alias rows
alias() {
	fault normtree/alias.c "$1" unit/t_normtree_alias
}

# made EDIT: a fault in what rows are made of
made() {
	fault normtree/alias_make.c "$1" unit/t_normtree_alias
}

@test "alias rows: a column's other outcome is wrong" {
	made 's/>> 32\) << a->bits \| l;/>> 32) << a->bits | (s == 3 ? l ^ 1 : l);/'
}

@test "alias rows: the tail is given what rounding hid" {
	made 's/a->unit\[most\] \+= missing;/a->unit[last] += missing;/'
}

@test "alias rows: thresholds one too high" {
	made 's/tie\[s\] = \(uint32_t\)a->unit\[s\];/tie[s] = (uint32_t)a->unit[s] + 1;/'
}

@test "alias rows: the tail is an outcome" {
	alias 's/\*left = j == a->width - 1;/*left = false;/'
}

@test "alias rows: the tail's end is forgotten" {
	made 's/return sum \+ geometric\(.*/return sum;/'
}

@test "alias rows: the tail is drawn from its first on, and as if it were all" {
	fault normtree/draw.c 's/if \(\*j < tail->first\)/if (false)/' unit/t_normtree_alias
}

@test "alias rows: the last block alone raises a tail" {
	fault normtree/draw.c 's/tail->raise = x > tail->raise \? x : .*/tail->raise = x - 3;/' \
	    unit/t_normtree_alias
}

@test "alias rows: a tail's raise ends at its first place" {
	fault normtree/draw.c 's/ && i > tail->block//' unit/t_normtree_alias
}

@test "alias rows: a tie takes the bits that it has" {
	alias 's/here = dp_load32\(at\) </here = w </'
}

@test "alias rows: a tie is decided by no bits" {
	alias 's/return \(k\.u == threshold\) \| /return /'
}

@test "alias rows: those of the level above" {
	alias 's/alias_row\(a, l, /alias_row(a, l < 8 ? l : 7, /'
}

@test "alias rows: the middle is counted twice" {
	made 's/ >> \(j == 0 && P % 2 == 0\)//'
}

@test "alias rows: AVX2 takes a side from another bit" {
	alias 's/_mm256_srai_epi32\(w, 31\)/_mm256_srai_epi32(_mm256_slli_epi32(w, 1), 31)/'
}

@test "alias rows: used from a run's 4096th step on, not a tree's" {
	faulty_tools normtree/alias.c 's/a->on = i >= .*/static int n; a->on = n++ >= 8;/' \
	    normtree 'cut before alias rows' dpcount dpwindow
}

# rows EDIT: a fault in the variance of windows and decays
rows() {
	fault normtree/tally.c "$1" unit/t_normtree_tally quick
}

# worst EDIT: a fault in the search for its largest
worst() {
	fault normtree/tally_max.c "$1" unit/t_normtree_tally quick
}

@test "window: both ends in one node, taken apart" {
	rows 's/(W < \(uint64_t\)v->span \? sum - )2 \*/\10 */'
}

@test "decay: older nodes forgotten in the sum" {
	rows 's/node_sum\(v, n\) \+ older_sum\(v, K, n\)/node_sum(v, n)/'
}

@test "decay: a node that ended counts as if its halves weighed the same" {
	rows 's/pow\(root \? half : half \* expm1\(-rate \* B\), 2\)/pow(root ? half : 0, 2)/'
}

@test "decay: the node at hand ends at no weight" {
	rows 's/rate == 0 \? 0 : -unit/0/'
}

@test "largest: candidates are out too soon" {
	worst 's/r->v -= slope \* steps/r->v -= slope * steps \/ 4/'
}

@test "largest: half of the candidates of a block left out" {
	worst 's/= b->begin\[l\] \+ s->n;/= b->begin[l] + (s->n + 1) \/ 2;/'
}

@test "largest: a window's steps before it is full left out" {
	worst 's/ \|\| !run\(\&s, 0, T < W \? T : W\)//'
}
