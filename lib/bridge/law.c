/*
 * law.c - the law of the noise in one estimate, coefficient by coefficient (level.h).
 */
#include <math.h>

#include "level.h"

/* EXP: so many of the old coefficients, the newest, have terms of their own; see add_old(). */
#define ALONE	64

void
dp_bridge_view_set(struct dp_bridge_view *v, const struct dp_bridge_shape *s,
    const struct dp_task *task, unsigned out)
{
	unsigned l;

	v->shape = s;
	/* under a sharp expiry what is older is exact: a window's noise */
	v->W = task != NULL && (task->what == DP_TASK_WINDOW || task->what == DP_TASK_EXPIRE) ?
	    task->w[out] : 0;
	v->rate = task != NULL && task->what == DP_TASK_EXP ? -log(task->alpha) : 0;
	for (l = 0; l < s->h; l++)
		dp_bridge_level_set(&v->level[l], l + 1 < s->h ? 1u << s->log2k[l] : 0, s->hat[l],
		    ldexp(1, (int)s->log2b[l]), v->rate);
}

/* The 2k coefficients near a step that stands at `at`; a root that has ended leaves only zeros. */
static void
near(const struct dp_bridge_view *v, unsigned l, const struct dp_bridge_place *at, double *c)
{
	if (at->end)
		memset(c, 0, 2 * v->level[l].k * sizeof *c);
	else
		dp_bridge_near(&v->level[l], at->edge, at->r, at->p, c);
}

double
dp_bridge_cross(const struct dp_bridge_view *v, unsigned l, uint64_t n, uint64_t t)
{
	struct dp_bridge_place a = dp_bridge_place(v, l, n), b = dp_bridge_place(v, l, t);
	double c[DP_BRIDGE_NEAR], d[DP_BRIDGE_NEAR], sum = 0;
	unsigned i, k = v->level[l].k, gap;

	if (b.K - a.K > (v->level[l].hat ? 1 : 0))
		return 0;
	gap = (unsigned)(b.K - a.K) * k;
	near(v, l, &a, c);
	near(v, l, &b, d);
	for (i = gap; i < 2 * k; i++)
		sum += c[i] * d[i - gap];
	return sum;
}

struct terms {
	struct dp_law *law;
	const struct dp_noise *z;
	double scale;		/* 1 / den */
};

static void
add(const struct terms *to, const double *c, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		dp_law_add(to->law, to->z, to->scale * c[i], 1);
}

/*
 * Adds `count` patterns of n coefficients each: c times `by`, c times by w, c times by w^2, ..
 *
 * The first ALONE coefficients get terms of their own.  Of the rest a group of 1, 2, 4, .. patterns
 * becomes one term of equal coefficients, which are fewer than the group had and no smaller than
 * its largest, with the same sum of squares: so the variance is exact, and no higher cumulant is
 * less than it was, as a Laplace variable has no negative ones.  The difference in a tail is far
 * below the steps that bounds come in: these terms decide it together with hundreds of others.
 */
static void
add_old(const struct terms *to, const double *c, unsigned n, double w, double by, double count)
{
	double all = 0, most = 0, squares, copies, len = 1;
	unsigned i, alone;

	for (alone = 0; alone + n <= ALONE && count >= 1; alone += n, count--, by *= w)
		for (i = 0; i < n; i++)
			dp_law_add(to->law, to->z, to->scale * c[i] * by, 1);
	for (i = 0; i < n; i++) {
		all += c[i] * c[i];
		most = fmax(most, fabs(c[i]));
	}
	for (; count >= 1 && by > 1e-12; count -= len, by *= pow(w, len), len *= 2) {
		len = fmin(len, count);
		squares = all * expm1(2 * len * log(w)) / expm1(2 * log(w));
		copies = fmax(1, floor(squares / (most * most)));
		dp_law_add(to->law, to->z, to->scale * by * sqrt(squares / copies), copies);
	}
}

static void
add_below(const struct dp_bridge_view *v, unsigned l, uint64_t n, const struct terms *to)
{
	const struct dp_bridge_level *lv = &v->level[l];
	struct dp_bridge_place at = dp_bridge_place(v, l, n);
	double c[DP_BRIDGE_NEAR], w, by, K = (double)at.K;

	near(v, l, &at, c);
	add(to, c, 2 * lv->k);
	if (v->rate == 0 || at.K == 0)
		return;
	w = exp(-v->rate * lv->B * lv->k);
	by = exp(-v->rate * lv->B * at.r) * (1 - at.p);
	add_old(to, c, dp_bridge_old(lv, false, c), w, by, lv->hat ? K - 1 : K);
	if (lv->hat)
		add_old(to, c, dp_bridge_old(lv, true, c), w, by * pow(w, K - 1), 1);
}

/* WINDOW: the coefficients after t steps, less those after n = t - W. */
static void
add_between(const struct dp_bridge_view *v, unsigned l, uint64_t n, uint64_t t,
    const struct terms *to)
{
	struct dp_bridge_place a = dp_bridge_place(v, l, n), b = dp_bridge_place(v, l, t);
	double c[2 * DP_BRIDGE_NEAR], d[DP_BRIDGE_NEAR];
	unsigned i, k = v->level[l].k, gap = b.K - a.K > 2 ? 2 * k : (unsigned)(b.K - a.K) * k;

	memset(c, 0, sizeof c);
	near(v, l, &a, c);
	near(v, l, &b, d);
	for (i = 0; i < 2 * k; i++)
		c[gap + i] -= d[i];
	add(to, c, gap + 2 * k);
}

static void
add_top(const struct dp_bridge_view *v, uint64_t n, uint64_t t, const struct terms *to)
{
	unsigned top = v->shape->h - 1;
	const struct dp_bridge_level *lv = &v->level[top];
	struct dp_bridge_place a = dp_bridge_place(v, top, n), b = dp_bridge_place(v, top, t);

	if (v->rate > 0) {
		dp_law_add(to->law, to->z, to->scale * b.p / (-expm1(-v->rate) * lv->B), 1);
		add_old(to, &lv->node, 1, lv->decay, 1 - b.p, (double)b.K);
	} else if (a.K == b.K)
		dp_law_add(to->law, to->z, to->scale * (b.p - a.p), 1);
	else {
		dp_law_add(to->law, to->z, to->scale * (1 - a.p), 1);
		dp_law_add(to->law, to->z, to->scale, (double)(b.K - a.K - 1));
		dp_law_add(to->law, to->z, to->scale * b.p, 1);
	}
}

void
dp_bridge_law(const struct dp_bridge *b, const struct dp_task *task, unsigned out, uint64_t t,
    struct dp_law *law)
{
	struct dp_bridge_view v;
	struct terms to = { .law = law };
	unsigned l;

	dp_bridge_view_set(&v, &b->shape, task, out);
	for (l = 0; l < b->shape.h; l++) {
		to.z = &b->noise[b->table[l]];
		to.scale = ldexp(1, -(int)b->shape.log2den[l]);
		if (l == b->shape.h - 1)
			add_top(&v, v.W != 0 && t > v.W ? t - v.W : 0, t, &to);
		else if (v.W != 0 && t > v.W)
			add_between(&v, l, t - v.W, t, &to);
		else
			add_below(&v, l, t, &to);
	}
}

/* ---- parts ---- */

/*
 * A part: the coefficients near a step below the top (NEAR; BETWEEN: near both ends of a window, if
 * they may share nodes); in the top row one node (TOP), whole ones (BLOCKS).  EXP: what is older is
 * a pattern c times z, z w, z w^2, .. without end (OLD), z the weight of the segment that ended
 * last; where there are but K segments, the same from z w^K on is gone from it; and, under hats,
 * the pattern of the first segment (FIRST).  x is a place within a child, or z within an octave.
 */
enum kind { NEAR, BETWEEN, TOP, BLOCKS, OLD, FIRST };

#define SLOW	0.98
#define APART	48

/* key: kind, level; then n of BLOCKS, or an octave, or the places of one end or two */
#define PLACE_BITS	8

struct listing {
	const struct dp_bridge *b;
	const struct dp_bridge_view *v;
	struct dp_part *part;
	unsigned n;
	bool whole;		/* so far all coefficients are whole numbers */
};

static void
list(struct listing *p, enum kind kind, unsigned l, uint64_t rest, double x, bool gone)
{
	p->part[p->n++] = (struct dp_part){ .key = rest << 8 | l << 4 | kind, .x = x,
	    .gone = gone, .still = kind == BLOCKS || (kind == NEAR && l == 0) };
}

static uint64_t
place_word(const struct dp_bridge_place *at)
{
	return at->edge | at->r << 2;
}

static void
list_near(struct listing *p, unsigned l, const struct dp_bridge_place *at)
{
	const struct dp_bridge_level *lv = &p->v->level[l];

	if (at->end)
		return;
	p->whole = p->whole && !lv->hat && at->r == 0 && at->p == 0 && p->v->rate == 0;
	list(p, NEAR, l, place_word(at), at->p / lv->full, false);
}

/*
 * z e^-fall within its octave; what is below 2^-24 adds less than 2^-48 of itself to a variance.
 */
static void
list_old(struct listing *p, enum kind kind, unsigned l, double z, double fall, bool gone)
{
	double m;
	int e;

	if (fall > 17 || (z *= exp(-fall)) < 0x1p-24)
		return;
	m = frexp(z, &e);
	list(p, kind, l, (uint64_t)(1 - e), 2 * m - 1, gone);
}

/* K segments have ended, the last one with weight z. */
static void
list_older(struct listing *p, unsigned l, double z, double K)
{
	const struct dp_bridge_level *lv = &p->v->level[l];
	const double a = lv->rate * dp_bridge_level_span(lv);

	p->whole = false;
	if (lv->hat)
		list_old(p, FIRST, l, z, a * --K, false);
	if (K >= 1) {
		list_old(p, OLD, l, z, 0, false);
		list_old(p, OLD, l, z, a * K, true);
	}
}

/* WINDOW: from child to child, is it one more than W holds whole?  Else it is as many. */
static bool
farther(const struct dp_bridge_view *v, unsigned l, unsigned children)
{
	return children != (v->W >> v->shape->log2b[l]);
}

/* W in children of level l: what is left over. */
static double
rest_of(const struct dp_bridge_view *v, unsigned l)
{
	const uint64_t B = (uint64_t)1 << v->shape->log2b[l];

	return (double)(v->W & (B - 1)) / (double)B;
}

static void
list_below(struct listing *p, unsigned l, uint64_t n, uint64_t t)
{
	struct dp_bridge_place a, b = dp_bridge_place(p->v, l, t);
	const struct dp_bridge_level *lv = &p->v->level[l];
	double rest = rest_of(p->v, l);
	unsigned gap;

	if (n == 0) {
		list_near(p, l, &b);
		if (p->v->rate > 0 && b.K > 0)
			list_older(p, l, exp(-lv->rate * lv->B * b.r) * (1 - b.p), (double)b.K);
		return;
	}
	a = dp_bridge_place(p->v, l, n);
	if (b.K - a.K >= 2) {
		list_near(p, l, &a);
		list_near(p, l, &b);
		return;
	}
	p->whole = false;
	gap = (unsigned)(b.K - a.K);
	list(p, BETWEEN, l, place_word(&a) | place_word(&b) << PLACE_BITS |
	    (uint64_t)gap << 2 * PLACE_BITS, farther(p->v, l, gap * lv->k + b.r - a.r) ?
	    (a.p - (1 - rest)) / rest : a.p / (1 - rest), false);
}

/*
 * EXP: K nodes of the top row have ended.  All there could ever be would have no weight left in a
 * characteristic function where many of them are nearly as new: then each is a part.
 */
static void
list_row(struct listing *p, const struct dp_bridge_place *at)
{
	const unsigned top = p->v->shape->h - 1;
	const struct dp_bridge_level *lv = &p->v->level[top];
	double x = 1 - at->p;
	uint64_t i;

	p->whole = false;
	if (lv->decay < SLOW || at->K > APART) {
		list_older(p, top, x, (double)at->K);
		return;
	}
	for (i = 0; i < at->K; i++, x *= lv->decay)
		list(p, TOP, top, 0, x, false);
}

static void
list_top(struct listing *p, uint64_t n, uint64_t t)
{
	unsigned top = p->v->shape->h - 1;
	const struct dp_bridge_level *lv = &p->v->level[top];
	struct dp_bridge_place a = dp_bridge_place(p->v, top, n), b = dp_bridge_place(p->v, top, t);
	uint64_t blocks = b.K - a.K;

	p->whole = p->whole && p->v->shape->log2den[top] == 0 && a.p == 0 && b.p == 0;
	if (p->v->rate > 0) {
		list(p, TOP, top, 0, b.p / lv->full, false);
		if (b.K > 0)
			list_row(p, &b);
		return;
	}
	if (blocks == 0) {
		list(p, TOP, top, 0, b.p - a.p, false);
		return;
	}
	if (a.p == 0)		/* all of that node counts */
		blocks++;
	else
		list(p, TOP, top, 0, 1 - a.p, false);
	if (blocks > 1)
		list(p, BLOCKS, top, blocks - 1, 0, false);
	if (b.p > 0)
		list(p, TOP, top, 0, b.p, false);
}

unsigned
dp_bridge_parts(const struct dp_bridge *b, const struct dp_bridge_view *v, uint64_t t,
    struct dp_part *part)
{
	struct listing p = { .b = b, .v = v, .part = part, .whole = true };
	const uint64_t n = v->W != 0 && t > v->W ? t - v->W : 0;
	unsigned l;

	for (l = 0; l + 1 < b->shape.h; l++)
		list_below(&p, l, n, t);
	list_top(&p, n, t);
	return p.whole ? 0 : p.n;
}

static struct dp_bridge_place
place_of(uint64_t word, double p)
{
	return (struct dp_bridge_place){ .edge = word & 3, .r = word >> 2 & 63, .p = p };
}

static void
add_part_between(const struct dp_bridge_view *v, unsigned l, uint64_t word, double x,
    const struct terms *to)
{
	const double rest = rest_of(v, l);
	struct dp_bridge_place a = place_of(word, 0), b = place_of(word >> PLACE_BITS, 0);
	double c[2 * DP_BRIDGE_NEAR] = { 0 }, d[DP_BRIDGE_NEAR];
	unsigned i, k = v->level[l].k, gap = (unsigned)(word >> 2 * PLACE_BITS) * k;

	if (farther(v, l, gap + b.r - a.r)) {
		a.p = 1 - rest + x * rest;
		b.p = x * rest;
	} else {
		a.p = x * (1 - rest);
		b.p = rest + x * (1 - rest);
	}
	near(v, l, &a, c);
	near(v, l, &b, d);
	for (i = 0; i < 2 * k; i++)
		c[gap + i] -= d[i];
	add(to, c, gap + 2 * k);
}

void
dp_bridge_part(const struct dp_bridge *b, const struct dp_bridge_view *v,
    const struct dp_part *part, struct dp_law *law)
{
	const enum kind kind = part->key & 15;
	const unsigned l = part->key >> 4 & 15;
	const uint64_t rest = part->key >> 8;
	const struct dp_bridge_level *lv = &v->level[l];
	const double p = part->x * lv->full;
	struct terms to = { law, &b->noise[b->table[l]], ldexp(1, -(int)b->shape.log2den[l]) };
	struct dp_bridge_place at = place_of(rest, p);
	double c[DP_BRIDGE_NEAR], z = ldexp((part->x + 1) / 2, 1 - (int)rest);

	switch (kind) {
	case NEAR:
		near(v, l, &at, c);
		add(&to, c, 2 * lv->k);
		return;
	case BETWEEN:
		add_part_between(v, l, rest, part->x, &to);
		return;
	case TOP:
		dp_law_add(law, to.z, to.scale * (v->rate > 0 ?
		    p / (-expm1(-v->rate) * lv->B) : part->x), 1);
		return;
	case BLOCKS:
		dp_law_add(law, to.z, to.scale, (double)rest);
		return;
	case OLD:
	case FIRST:
		c[0] = lv->node;
		add_old(&to, c, lv->k == 0 ? 1 : dp_bridge_old(lv, kind == FIRST, c),
		    exp(-lv->rate * dp_bridge_level_span(lv)), z, kind == OLD ? INFINITY : 1);
		return;
	}
}

/* Level l's part of a blend, below the top. */
static void
blend_below(const struct dp_bridge_view *v, unsigned l, uint64_t t, double now, double next,
    const struct terms *to)
{
	struct dp_bridge_place a = dp_bridge_place(v, l, t), b = dp_bridge_place(v, l, t + 1);
	double c[2 * DP_BRIDGE_NEAR] = { 0 }, d[DP_BRIDGE_NEAR];
	unsigned i, k = v->level[l].k, gap = (unsigned)(b.K - a.K) * k;

	near(v, l, &a, d);
	for (i = 0; i < 2 * k; i++)
		c[i] = now * d[i];
	near(v, l, &b, d);
	for (i = 0; i < 2 * k; i++)
		c[gap + i] += next * d[i];
	add(to, c, gap + 2 * k);
}

void
dp_bridge_blend(const struct dp_bridge *b, uint64_t t, double now, double next, struct dp_law *law)
{
	const unsigned top = b->shape.h - 1;
	struct dp_bridge_place at, then;
	struct dp_bridge_view v;
	struct terms to = { .law = law };
	unsigned l;

	dp_bridge_view_set(&v, &b->shape, NULL, 0);
	for (l = 0; l < b->shape.h; l++) {
		to.z = &b->noise[b->table[l]];
		to.scale = ldexp(1, -(int)b->shape.log2den[l]);
		if (l < top)
			blend_below(&v, l, t, now, next, &to);
	}
	at = dp_bridge_place(&v, top, t);
	then = dp_bridge_place(&v, top, t + 1);
	dp_law_add(law, to.z, to.scale * (now + next), (double)at.K);
	dp_law_add(law, to.z, to.scale * (now * at.p + next * (then.K == at.K ? then.p : 1)), 1);
	if (then.K != at.K)
		dp_law_add(law, to.z, to.scale * next * then.p, 1);
}
