/*
 * climb.c - the maximum of the variance over steps 1..T, by branch and bound over the digits of t:
 * a block of 2^b steps is left out where no step of it can have more than what was found.
 */
#include <math.h>

#include "level.h"

/* The most that level l alone can have at a step, in any block. */
static double
most(const struct dp_bridge_tally *q, unsigned l)
{
	const struct dp_bridge_level *v = &q->view.level[l];
	const struct dp_bridge_poly *row;
	const double before = dp_bridge_level_oldest(v);
	double best = 0, y, p = dp_bridge_level_p(v, v->B), fall;
	unsigned e, r;

	for (e = 0; e < DP_BRIDGE_EDGES; e++)
		for (r = 0; r < v->k; r++) {
			row = &q->row[l][e][r];
			fall = exp(-2 * v->rate * v->B * r) * before;
			best = fmax(best, row->a + fall);
			y = row->a + p * (row->b + p * row->c) + fall * (1 - p) * (1 - p);
			best = fmax(best, y);
		}
	return best;
}

struct climb {
	const struct dp_bridge_tally *q;
	unsigned to;		/* only the levels below this one count */
	/*
	 * In bound() the climb is over the block of level `to` that begins at step base (0: none),
	 * and what counts is less bend[to] p (p(B) - p), p the block's own.
	 */
	uint64_t base;
	double bend[DP_BRIDGE_LEVELS];
	/* The most that the levels below l have together at a step; at any step at all. */
	double below[DP_BRIDGE_LEVELS];
	/*
	 * The same, less the bend of level l, inside the i-th child of a block of level l that is
	 * neither the first nor the last; and the largest of those.
	 */
	double *inner[DP_BRIDGE_LEVELS], peak[DP_BRIDGE_LEVELS];
	/* p of level l where the i-th child begins, in parts of p(B). */
	double *along[DP_BRIDGE_LEVELS];
	unsigned ends[DP_BRIDGE_LEVELS];	/* WINDOW: how often each of these counts */
	uint64_t T, worst;
	double best;
	double slack;		/* what is better by at most this factor is left out; 1: nothing */
	/* The blocks of full windows, and of counts and decays. */
	const struct dp_bridge_blocks *full, *filling;
};

static double
above(const struct climb *c, unsigned l, uint64_t t)
{
	const struct dp_bridge_level *v;
	double sum = 0, p;

	if (c->base != 0) {
		v = &c->q->view.level[c->to];
		p = dp_bridge_level_p(v, (double)(t - c->base));
		sum = c->bend[c->to] * p * (p - dp_bridge_level_p(v, v->B));
	}
	for (; l < c->to; l++)
		sum += c->q->v[l] * dp_bridge_tally_at(c->q, l, t);
	return sum;
}

/*
 * The most that levels below l can add to a chord from begin to end over the B_l steps from t, or
 * to the larger of both.
 */
static double
chord(const struct climb *c, unsigned l, double begin, double end, unsigned ends)
{
	const double *x = c->along[l];
	double most = fmax(begin, end) + ends * c->peak[l];
	unsigned i;

	if (begin == end || most <= c->best * c->slack)
		return most;
	for (most = -INFINITY, i = 0; i < c->q->view.level[l - 1].k; i++)
		most = fmax(most, ends * c->inner[l][i] + begin +
		    (end - begin) * (end > begin ? x[i + 1] : x[i]));
	return most;
}

/*
 * An upper bound for all steps that agree with t in the digits of levels >= l: the B_l steps from
 * t. Over those steps (WINDOW: between the steps at which the window's begin enters another node)
 * what the levels >= l have is convex in p, so it is largest at an end.  It is even below the chord
 * between its ends, by bend[l] p (p(B) - p) at least, and inner[] is less just that.
 */
static double
ceiling(const struct climb *c, unsigned l, uint64_t t, double begin, double end)
{
	const struct dp_bridge_view *w = &c->q->view;
	uint64_t B = (uint64_t)1 << w->shape->log2b[l], W = w->W, turn = (W - t) & (B - 1);
	double v = fmax(begin, end), p;
	uint64_t last = w->shape->root ? (uint64_t)1 << w->shape->log2b[c->q->h - 1] : 0;
	bool edge = t == 0 || (last != 0 && t + B == last);

	if (W != 0 && turn != 0 && t + turn >= W)
		v = fmax(v, above(c, l, t + turn));
	if (l == 0 || edge || (W != 0 && t < W + B && t + B > W))
		return v + c->below[l];
	if (W == 0 || t < W)
		return chord(c, l, begin, end, 1);
	/*
	 * The window is a multiple of B_l, so both its ends cross a block at once; and it is long
	 * enough that they are near no common node: the bend and the rest count twice.
	 */
	if (turn == 0 && c->ends[l] == 2 && (l + 1 == c->q->h || c->ends[l + 1] == 2))
		return chord(c, l, begin, end, 2);
	p = dp_bridge_level_p(&w->level[l], (double)B);
	return chord(c, l, v, v, c->ends[l]) + c->ends[l] * c->bend[l] * p * p / 4;
}

/*
 * The most of the B_l steps from t, or more, but for 10^-12 of it; INFINITY: not known.  Of a level
 * that is not known it is that of its children.
 */
static double
block(const struct climb *c, const struct dp_bridge_blocks *b, unsigned l, uint64_t t)
{
	const struct dp_bridge_shape *s = c->q->view.shape;
	const uint64_t B = (uint64_t)1 << s->log2b[l], W = c->q->view.W;
	double most = -INFINITY;
	unsigned i;

	if (l > b->levels || t < b->W + B || (b->W < W && t + B > W) ||
	    (s->root && (t + B) >> s->log2b[c->q->h - 1] != 0))
		return INFINITY;
	if (l == b->levels) {
		for (i = 0; i < 1u << s->log2k[l - 1]; i++)
			most = fmax(most, block(c, b, l - 1,
			    t + ((uint64_t)i << s->log2b[l - 1])));
		return most;
	}
	for (i = b->begin[l]; i < b->begin[l + 1]; i++)
		most = fmax(most, b->kept[i].v + above(c, l, t + b->kept[i].t));
	return most;
}

/*
 * Whether none of the B_l steps from t would be taken, nor let in the one before it: what ceiling()
 * lets by and this does not would be searched for nothing.  end: of the step after them.
 */
static bool
hopeless(const struct climb *c, unsigned l, uint64_t t, double end)
{
	const double enough = c->best * c->slack - 1e-11 * fabs(c->best);

	return end < enough && (block(c, c->filling, l, t) < enough ||
	    (c->full != c->filling && block(c, c->full, l, t) < enough));
}

/* Digits of levels >= l of t are chosen; try those of level l-1, the middle ones first. */
static void
climb(struct climb *c, unsigned l, uint64_t t)
{
	double end[DP_BRIDGE_BLOCK + 1];	/* of the children */
	unsigned k, i, d;
	uint64_t u, b;

	if (l == 0) {
		end[0] = above(c, 0, t);
		if (t >= 1 && end[0] > c->best) {
			c->best = end[0];
			c->worst = t;
		}
		return;
	}
	k = 1u << c->q->view.shape->log2k[l - 1];
	b = (uint64_t)1 << c->q->view.shape->log2b[l - 1];
	for (i = 0; i <= k; i++)
		end[i] = above(c, l - 1, t + i * b);
	for (i = 0; i < k; i++) {
		d = (k / 2 + (i & 1 ? -(i + 1) / 2 : i / 2)) & (k - 1);
		u = t + d * b;
		if (u <= c->T && ceiling(c, l - 1, u, end[d], end[d + 1]) > c->best * c->slack &&
		    !hopeless(c, l - 1, u, end[d + 1]))
			climb(c, l - 1, u);
	}
}

/* The most of the B_l steps from t, about if there is slack. */
static double
highest(struct climb *c, unsigned l, uint64_t t)
{
	const double most = c->slack == 1 ? block(c, c->filling, l, t) : INFINITY;

	if (most < INFINITY)
		return most + 1e-12 * fabs(most);
	c->best = -INFINITY;
	climb(c, l, t);
	return c->best;
}

/* From this step on the variance has the period of a top node, or T. */
static uint64_t
settled(const struct dp_bridge_tally *q, uint64_t T)
{
	uint64_t B = (uint64_t)1 << q->view.shape->log2b[q->h - 1];
	double n;

	if (q->view.W != 0)
		return T < q->view.W + 2 * B ? T : q->view.W + 2 * B;
	if (q->view.rate == 0)
		return T;
	n = 20 / q->view.rate + 2 * (double)B;	/* older steps have weight < 2^-57 */
	return n < (double)T ? (uint64_t)n : T;
}

/* The least p^2 coefficient of level l. */
static double
least_bend(const struct dp_bridge_tally *q, unsigned l)
{
	const struct dp_bridge_level *v = &q->view.level[l];
	double least = v->rate == 0 ? 1 : pow(-expm1(-v->rate) * v->B, -2);
	unsigned e, r;

	for (e = 0; e < DP_BRIDGE_EDGES; e++)
		for (r = 0; r < v->k; r++)
			least = fmin(least, q->row[l][e][r].c);
	return q->v[l] * least;
}

/*
 * Fills below[], inner[] and the rest of what ceiling() needs, from the lowest level up: inner[l +
 * 1] is the exact maximum over an inner block of level l + 1 (EXP: one after many others), found by
 * a climb that prunes with the levels filled in before; both arrays lie in room.  WINDOW: a step
 * has two ends; if both may be near one node, (a - b)^2 <= 2 a^2 + 2 b^2.
 */
static void
bound(struct climb *c, double *room)
{
	struct dp_bridge_shape endless = *c->q->view.shape;
	struct dp_bridge_tally q = *c->q;
	struct dp_bridge_level *v = q.view.level;
	uint64_t W = q.view.W, B, b;
	unsigned l, i;
	struct climb part;

	endless.root = false;
	q.view.shape = &endless;
	q.view.W = 0;
	c->below[0] = 0;
	c->ends[0] = W == 0 ? 1 : W >= 2 ? 2 : 4;
	for (l = 0; l + 1 < q.h; l++) {
		B = (uint64_t)1 << endless.log2b[l + 1];
		b = (uint64_t)1 << endless.log2b[l];
		c->ends[l + 1] = W == 0 ? 1 : W >= 2 * B ? 2 : 4;
		c->below[l + 1] = c->below[l] + c->ends[l + 1] * q.v[l] * most(&q, l);
		c->bend[l + 1] = least_bend(&q, l + 1);
		c->inner[l + 1] = room;
		c->along[l + 1] = room + v[l].k;
		room += 2 * v[l].k + 1;
		for (i = 0; i <= v[l].k; i++)
			c->along[l + 1][i] = dp_bridge_level_p(&v[l + 1], (double)(i * b)) /
			    dp_bridge_level_p(&v[l + 1], (double)B);
		dp_bridge_level_settle(&v[l]);
		part = *c;
		part.q = &q;
		part.to = l + 1;
		part.T = UINT64_MAX;
		part.base = B;
		if (v[l].rate > 0)	/* long after the first */
			part.base *= 1 + (uint64_t)(20 / (v[l].rate * (double)B));
		for (c->peak[l + 1] = -INFINITY, i = 0; i < v[l].k; i++) {
			c->inner[l + 1][i] = highest(&part, l, part.base + i * b);
			c->peak[l + 1] = fmax(c->peak[l + 1], c->inner[l + 1][i]);
		}
	}
}

double
dp_bridge_tally_max(const struct dp_bridge_tally *q, uint64_t T, double slack, uint64_t *worst)
{
	const unsigned *log2b = q->view.shape->log2b, top = q->h - 1;
	struct climb c = { .q = q, .to = q->h, .best = -1, .slack = slack, .T = settled(q, T) };
	struct dp_bridge_blocks full, filling;
	double begin, end, room[2 * DP_BRIDGE_CHILDREN + DP_BRIDGE_LEVELS];
	uint64_t n;

	if (slack == 1 && dp_bridge_window_max(q, c.T, &c.best, worst))
		return c.best;
	dp_bridge_blocks_set(&filling, q, 0);
	c.full = c.filling = &filling;
	bound(&c, room);
	if (q->view.W != 0) {
		dp_bridge_blocks_set(&full, q, q->view.W);
		c.full = &full;
	}
	climb(&c, 0, c.T);	/* a first bound to prune by */
	n = c.T >> log2b[top];
	for (end = above(&c, top, (n + 1) << log2b[top]); ; n--, end = begin) {
		begin = above(&c, top, n << log2b[top]);
		if (ceiling(&c, top, n << log2b[top], begin, end) > c.best * slack &&
		    !hopeless(&c, top, n << log2b[top], end))
			climb(&c, top, n << log2b[top]);
		if (n == 0)
			break;
	}
	*worst = c.worst;
	return c.best;
}
