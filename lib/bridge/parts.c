/*
 * parts.c - the law of law.c as a list of parts, by keys that come again at other steps, so that
 * what is known of a part serves there too (struct dp_part).
 */
#include <math.h>

#include "level.h"

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
    const struct dp_bridge_terms *to)
{
	const double rest = rest_of(v, l);
	struct dp_bridge_place a = place_of(word, 0), b = place_of(word >> PLACE_BITS, 0);
	const unsigned gap = (unsigned)(word >> 2 * PLACE_BITS) * v->level[l].k;

	if (farther(v, l, gap + b.r - a.r)) {
		a.p = 1 - rest + x * rest;
		b.p = x * rest;
	} else {
		a.p = x * (1 - rest);
		b.p = rest + x * (1 - rest);
	}
	dp_bridge_add_both(v, l, &a, 1, &b, -1, gap, to);
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
	const struct dp_bridge_terms to = { law, &b->noise[b->table[l]],
	    ldexp(1, -(int)b->shape.log2den[l]) };
	struct dp_bridge_place at = place_of(rest, p);
	double c[DP_BRIDGE_NEAR], z = ldexp((part->x + 1) / 2, 1 - (int)rest);

	switch (kind) {
	case NEAR:
		dp_bridge_add_near(v, l, &at, &to);
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
		dp_bridge_add_old(&to, c, lv->k == 0 ? 1 : dp_bridge_old(lv, kind == FIRST, c),
		    exp(-lv->rate * dp_bridge_level_span(lv)), z, kind == OLD ? INFINITY : 1);
		return;
	}
}
