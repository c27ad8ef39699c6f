/*
 * digits.c - the largest variance of a window's estimate, digit by digit of the step t, from the
 * lowest; while the window fills it is a count.
 *
 * What the levels below l have depends on t modulo B_l alone, but for hats whose first block is not
 * over at step t - W.  Of all t modulo B_l those are kept that may yet become the maximum: the
 * levels from l on change by at most slope_l a step, so what is behind another one by more than
 * that times the steps between never catches up.  What is kept hardly grows with W, or with how
 * much wider the widest window is.
 */
#include <math.h>

#include "level.h"

#define KEPT	2048		/* most that may stay */
#define SAME	1e-13		/* relative: what is ahead by less is left out */

struct search {
	const struct dp_bridge_tally *q;
	uint64_t W;		/* 0: a count */
	uint64_t T;
	uint64_t from;		/* a multiple of all B_l, from which on no block is the first */
	bool hats;
	double slope[DP_BRIDGE_LEVELS + 1];
	struct dp_bridge_digits *kept;	/* KEPT, most of them not touched */
	unsigned n;
	double best;
	uint64_t worst;
};

static double
at(const struct search *s, unsigned l, uint64_t t)
{
	return s->q->v[l] * (s->W == 0 ? dp_bridge_tally_count(s->q, l, t) :
	    dp_bridge_tally_at(s->q, l, t));
}

/*
 * The most that level l changes by, a step.  Its coefficients D, a count's after t steps less those
 * after t - W, are continuous in t; those of a count move by sqrt(c)/B a step, c of a row.
 * |D|^2 changes by at most 2 |D| |D'|, and |D| is at most what W steps can make of it.
 */
static double
steepness(const struct search *s, unsigned l)
{
	const struct dp_bridge_tally *q = s->q;
	const struct dp_bridge_level *v = &q->view.level[l];
	const double W = (double)s->W, old = 2 * dp_bridge_level_oldest(v);
	const struct dp_bridge_poly *row;
	double a = 0, b = 0, c = 0;
	unsigned e, r;

	if (l == q->h - 1)	/* (1 - f')^2 + n + f^2: slopes of opposite signs */
		return v->rate == 0 ? 2 * q->v[l] / v->B :
		    (2 * v->node * v->node / v->full + old) * q->v[l] * v->rate;
	for (e = 0; e < DP_BRIDGE_EDGES; e++)
		for (r = 0; r < v->k; r++) {
			row = &q->row[l][e][r];
			a = fmax(a, fmax(row->a, row->a + row->b + row->c));
			b = fmax(b, fmax(fabs(row->b), fabs(row->b + 2 * v->full * row->c)));
			c = fmax(c, row->c);
		}
	if (v->rate > 0)
		return (b + old) * q->v[l] * v->rate;
	if (W == 0)
		return b * q->v[l] / v->B;
	if (W >= 2 * v->B * v->k)	/* the two counts have no coefficient in common */
		return 2 * b * q->v[l] / v->B;
	return 4 * fmin(2 * sqrt(a), W / v->B * sqrt(c)) * sqrt(c) * q->v[l] / v->B;
}

/* Of equals the last: a window's noise is that of its mirror image. */
static void
try(struct search *s, uint64_t t, unsigned l, double v)
{
	double by;

	if (t <= s->W || t > s->T)
		return;
	for (; l < s->q->h; l++)
		v += at(s, l, t);
	by = v - s->best;
	if (by > SAME * v || (by > -SAME * v && t > s->worst)) {
		s->best = v;
		s->worst = t;
	}
}

/* Steps W + n, n = B_l .. B_(l+1) - 1: the levels from l on are in their first block at step n. */
static void
first_blocks(struct search *s, unsigned l)
{
	const struct dp_bridge_shape *shape = s->q->view.shape;
	const uint64_t B = (uint64_t)1 << shape->log2b[l], W = s->W;
	unsigned i, r;

	for (i = 0; i < s->n; i++)
		for (r = l > 0; r < 1u << shape->log2k[l]; r++)
			try(s, W + r * B + ((s->kept[i].t - W) & (B - 1)), l, s->kept[i].v);
}

/* Whether t - W borrows, or t stays within T, for one of the two only. */
static bool
apart(const struct search *s, uint64_t B, uint64_t a, uint64_t b)
{
	const uint64_t begin = s->W & (B - 1), end = s->T & (B - 1);

	return (a < begin) != (b < begin) || (a <= end) != (b <= end);
}

/* What one that was passed may still come to where the next one is. */
struct reach {
	uint64_t t;
	double v;
};

/*
 * Whether the next one, on either side, may still become the maximum.  If the window lies in one
 * block of B steps, it does not matter where.
 */
static bool
may_win(const struct search *s, struct reach *r, const struct dp_bridge_digits *d, uint64_t B,
    double slope)
{
	const double steps = (double)(d->t > r->t ? d->t - r->t : r->t - d->t);
	const bool inside = s->W != 0 && s->W < B && d->t >= s->W;

	if (apart(s, B, r->t, d->t))
		r->v = -INFINITY;
	else if (!inside)
		r->v -= slope * steps;
	r->t = d->t;
	if (d->v <= r->v + SAME * fabs(r->v))
		return false;
	r->v = fmax(r->v, d->v);
	return true;
}

/* The next digit, that of level l; false: too many stay. */
static bool
grow(struct search *s, unsigned l)
{
	const struct dp_bridge_shape *shape = s->q->view.shape;
	const uint64_t B = (uint64_t)1 << shape->log2b[l], up = (uint64_t)1 << shape->log2b[l + 1];
	struct dp_bridge_digits old[KEPT], *x;
	struct reach reach = { 0, -INFINITY };
	unsigned n = s->n, r, i;

	memcpy(old, s->kept, n * sizeof *old);
	for (s->n = 0, r = 0; r < 1u << shape->log2k[l]; r++)
		for (i = 0; i < n; i++) {
			if (s->n == KEPT)
				return false;
			x = &s->kept[s->n];
			x->t = r * B + old[i].t;
			x->v = old[i].v + at(s, l, s->from + x->t);
			s->n += may_win(s, &reach, x, up, s->slope[l + 1]);
		}
	reach.v = -INFINITY;
	for (n = KEPT, i = s->n; i-- > 0; )
		if (may_win(s, &reach, &s->kept[i], up, s->slope[l + 1]))
			s->kept[--n] = s->kept[i];
	s->n = KEPT - n;
	memmove(s->kept, s->kept + n, s->n * sizeof *s->kept);
	return true;
}

/* The last step of each kind: in the first blocks were others. */
static void
top_row(struct search *s)
{
	const unsigned top = s->q->h - 1;
	const uint64_t B = (uint64_t)1 << s->q->view.shape->log2b[top], W = s->W;
	uint64_t t;
	unsigned i;

	for (i = 0; i < s->n; i++) {
		t = s->T - ((s->T - s->kept[i].t) & (B - 1));
		if (t <= s->T && t >= W + (s->hats ? B : 1))
			try(s, t, top, s->kept[i].v);
	}
}

/* No digit is chosen yet. */
static void
begin(struct search *s, uint64_t W, uint64_t T)
{
	const struct dp_bridge_shape *shape = s->q->view.shape;
	const unsigned top = s->q->h - 1;
	const double rate = s->q->view.rate;
	const uint64_t settled = rate > 0 ? (uint64_t)(20 / rate) : W;
	unsigned l;

	s->W = W;
	s->T = T;
	s->n = 1;
	s->kept[0] = (struct dp_bridge_digits){ 0, 0 };
	s->from = ((settled >> shape->log2b[top]) + 2) << shape->log2b[top];
	for (s->slope[s->q->h] = 0, l = s->q->h; l-- > 0; )
		s->slope[l] = s->slope[l + 1] + steepness(s, l);
}

/* Steps up to T, of a window after step W; false: it is not for this search to find. */
static bool
run(struct search *s, uint64_t W, uint64_t T)
{
	const unsigned top = s->q->h - 1;
	unsigned l;

	begin(s, W, T);
	for (l = 0; l < top; l++) {
		if (s->hats)
			first_blocks(s, l);
		if (!grow(s, l))
			return false;
	}
	top_row(s);
	return true;
}

bool
dp_bridge_window_max(const struct dp_bridge_tally *q, uint64_t T, double *max, uint64_t *worst)
{
	const uint64_t W = q->view.W;
	struct dp_bridge_digits kept[KEPT];
	struct search s = { .q = q, .kept = kept, .best = -1 };
	unsigned l;

	if (W == 0 || q->view.shape->root)
		return false;
	for (l = 0; l + 1 < q->h; l++)
		s.hats |= q->view.shape->hat[l];
	if ((T > W && !run(&s, W, T)) || !run(&s, 0, T < W ? T : W))
		return false;
	*max = s.best;
	*worst = s.worst;
	return true;
}

void
dp_bridge_blocks_set(struct dp_bridge_blocks *b, const struct dp_bridge_tally *q, uint64_t W)
{
	struct dp_bridge_tally own = *q;
	struct dp_bridge_shape endless = *q->view.shape;
	struct dp_bridge_digits kept[KEPT];
	struct search s = { .q = &own, .kept = kept };
	unsigned l;

	endless.root = false;
	own.view.shape = &endless;
	b->W = W;
	b->levels = b->begin[0] = 0;
	begin(&s, W, UINT64_MAX);
	if (q->view.rate > 0)
		for (l = 0; l < q->h; l++)
			dp_bridge_level_settle(&own.view.level[l]);
	for (l = 0; l < q->h && b->begin[l] + s.n <= DP_BRIDGE_BLOCKS; l++) {
		memcpy(&b->kept[b->begin[l]], s.kept, s.n * sizeof *s.kept);
		b->begin[l + 1] = b->begin[l] + s.n;
		b->levels = l + 1;
		if (l + 1 < q->h && !grow(&s, l))
			return;
	}
}
