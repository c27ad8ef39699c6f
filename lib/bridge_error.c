/*
 * bridge_error.c - exact sum and maximum of the variance over steps 1..T.
 *
 * Below the top the part of level l is a quadratic in p over each child of each block, the same in all inner blocks
 * (bridge_level.h), so it is summed in closed form.  The maximum is found by branch and bound over the digits of t.
 */
#include <math.h>

#include "bridge_level.h"

void
dp_bridge_tally_set(struct dp_bridge_tally *q, const struct dp_bridge_shape *s, const struct dp_task *task,
    unsigned out)
{
	unsigned l, i;

	dp_bridge_view_set(&q->view, s, task, out);
	q->h = s->h;
	for (l = 0; l + 1 < q->h; l++)
		for (i = 0; i < DP_BRIDGE_EDGES; i++)
			dp_bridge_rows(&q->view.level[l], i, q->row[l][i]);
}

/* Level l's squares in COUNT or EXP after n steps. */
static double
prefix(const struct dp_bridge_tally *q, unsigned l, uint64_t n)
{
	const struct dp_bridge_level *v = &q->view.level[l];
	struct dp_bridge_place at = dp_bridge_place(&q->view, l, n);
	const struct dp_bridge_poly *row;
	double keep, node;

	if (l == q->h - 1) {
		if (v->rate == 0)
			return (double)at.K + at.p * at.p;
		node = at.p / (-expm1(-v->rate) * v->B);
		keep = 1 - at.p;
		return node * node + dp_bridge_older(v, at.K) * keep * keep;
	}
	if (at.end)
		return 0;
	row = &q->row[l][at.edge][at.r];
	keep = 1 - at.p;
	return row->a + at.p * (row->b + at.p * row->c) + (v->rate == 0 ? 0 :
	    dp_bridge_older(v, at.K) * exp(-2 * v->rate * v->B * at.r) * keep * keep);
}

double
dp_bridge_tally_at(const struct dp_bridge_tally *q, unsigned l, uint64_t t)
{
	uint64_t W = q->view.W, n = t - W;
	struct dp_bridge_place a, b;

	if (W == 0 || t <= W)
		return prefix(q, l, t);
	if (l < q->h - 1)
		return prefix(q, l, t) + prefix(q, l, n) - 2 * dp_bridge_cross(&q->view, l, n, t);
	a = dp_bridge_place(&q->view, l, n);
	b = dp_bridge_place(&q->view, l, t);
	if (a.K == b.K)
		return (b.p - a.p) * (b.p - a.p);
	return (1 - a.p) * (1 - a.p) + (double)(b.K - a.K - 1) + b.p * b.p;
}

typedef double value(const struct dp_bridge_tally *, unsigned l, uint64_t t);

static double
cross(const struct dp_bridge_tally *q, unsigned l, uint64_t t)
{
	return dp_bridge_cross(&q->view, l, t - q->view.W, t);
}

/* Sum over t = a .. a+n-1 of a quadratic in t, which holds at a + n too. */
static double
quadratic_sum(const struct dp_bridge_tally *q, value *f, unsigned l, uint64_t a, uint64_t n)
{
	double y = f(q, l, a), m = (double)(n / 2), N = (double)n, slope, bend;

	if (n == 1)
		return y;
	slope = (f(q, l, a + n / 2) - y) / m;
	bend = ((f(q, l, a + n) - y) / N - slope) / (N - m);
	slope -= bend * m;
	return N * y + slope * N * (N - 1) / 2 + bend * N * (N - 1) * (2 * N - 1) / 6;
}

/* Sum over t = a .. b-1, a > W: between the steps at which either end enters another node f is a quadratic. */
static double
pieces_sum(const struct dp_bridge_tally *q, value *f, unsigned l, uint64_t a, uint64_t b)
{
	uint64_t B = (uint64_t)1 << q->view.shape->log2b[l], n, left;
	double sum = 0;

	for (; a < b; a += n) {
		n = B - (a & (B - 1));
		left = B - ((a - q->view.W) & (B - 1));
		n = n < left ? n : left;
		n = n < b - a ? n : b - a;
		sum += quadratic_sum(q, f, l, a, n);
	}
	return sum;
}

/* Sum over t = W+1 .. T; from t = W + period on f has that period. */
static double
window_sum(const struct dp_bridge_tally *q, value *f, unsigned l, uint64_t period, uint64_t T)
{
	uint64_t from = q->view.W + period, n;

	if (T < from)
		return pieces_sum(q, f, l, q->view.W + 1, T + 1);
	n = T + 1 - from;
	return pieces_sum(q, f, l, q->view.W + 1, from) +
	    (n < period ? 0 : (double)(n / period) * pieces_sum(q, f, l, from, from + period)) +
	    pieces_sum(q, f, l, from, from + n % period);
}

static double
prefix_sum(const struct dp_bridge_tally *q, unsigned l, uint64_t T)
{
	const struct dp_bridge_shape *s = q->view.shape;
	uint64_t blocks = s->root && l + 1 < q->h ? (uint64_t)1 << (s->log2b[q->h - 1] - s->log2b[l + 1]) : 0;

	return dp_bridge_level_sum(&q->view.level[l], q->row[l], blocks, T);
}

double
dp_bridge_tally_sum(const struct dp_bridge_tally *q, unsigned l, uint64_t T)
{
	uint64_t W = q->view.W, period;
	double sum;

	if (W == 0 || T <= W)
		return prefix_sum(q, l, T);
	period = (uint64_t)1 << q->view.shape->log2b[l + 1 < q->h ? l + 1 : l];
	if (l + 1 == q->h)
		return prefix_sum(q, l, W) + window_sum(q, dp_bridge_tally_at, l, period, T);
	sum = prefix_sum(q, l, T) + prefix_sum(q, l, T - W);
	if (W < 2 * period)	/* else both ends are never near the same nodes */
		sum -= 2 * window_sum(q, cross, l, period, T);
	return sum;
}

/* ---- maximum ---- */

/* No block has more from level l (edges: nor the first or last). */
static double
most(const struct dp_bridge_tally *q, unsigned l, bool edges)
{
	const struct dp_bridge_level *v = &q->view.level[l];
	const struct dp_bridge_poly *row;
	double best = 0, y, p = dp_bridge_level_p(v, v->B), fall, before = 0;
	unsigned e, r;

	if (v->rate > 0)	/* a mean of these two, see dp_bridge_older() */
		before = fmax(v->old / -expm1(-2 * v->rate * v->B * v->k), v->hat ? v->old0 : 0);
	for (e = 0; e < (edges ? DP_BRIDGE_EDGES : 1); e++)
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
	unsigned to;		/* the levels below this count */
	double below[DP_BRIDGE_LEVELS + 1];	/* no step has more than this from levels < l .. */
	/* .. none outside first and last blocks, in the i-th of the children of a block of level l, see bound() */
	double inner[DP_BRIDGE_LEVELS + 1][DP_BRIDGE_BLOCK];
	double bend;		/* bound(): times f^2 - f is added, f the part of a block of level `to` */
	uint64_t T, worst;
	double best;
};

static double
above(const struct climb *c, unsigned l, uint64_t t)
{
	double v = 0, f;

	if (c->bend > 0) {
		f = ldexp((double)t, -(int)c->q->view.shape->log2b[c->to]) - 1;
		v = c->bend * f * (f - 1);
	}
	for (; l < c->to; l++)
		v += c->q->v[l] * dp_bridge_tally_at(c->q, l, t);
	return v;
}

/*
 * No step that agrees with t in the digits of levels >= l can be worse than this: over those B_l steps (WINDOW: between
 * those at which its begin enters another node) what levels >= l have is convex in p, so it is largest at an end.
 * COUNT: with f the part of the B_l steps it is at least bend (f - f^2) below its chord, which inner[] counts.
 */
static double
ceiling(const struct climb *c, unsigned l, uint64_t t)
{
	const struct dp_bridge_shape *s = c->q->view.shape;
	uint64_t B = (uint64_t)1 << s->log2b[l], W = c->q->view.W, turn = (W - t) & (B - 1);
	double begin = above(c, l, t), end = above(c, l, t + B), v = fmax(begin, end), most = -INFINITY, k;
	unsigned i;
	bool edge = t == 0 || (s->root && t + B == (uint64_t)1 << s->log2b[s->h - 1]);

	if (W != 0 && turn != 0 && t + turn >= W)
		v = fmax(v, above(c, l, t + turn));
	if (W != 0 && t < W + B && t + B > W)
		edge = true;
	if (edge || l == 0)
		return v + c->below[l];
	if (W != 0)
		begin = end = v;
	for (i = 0, k = c->q->view.level[l - 1].k; i < k; i++)
		most = fmax(most, c->inner[l][i] + begin + (end - begin) * (i + (end > begin)) / k);
	return most;
}

/* Digits of levels >= l of t are chosen; try those of level l-1, the middle ones first. */
static void
climb(struct climb *c, unsigned l, uint64_t t)
{
	unsigned k, i, d;
	uint64_t u;
	double v;

	if (l == 0) {
		v = above(c, 0, t);
		if (t >= 1 && v > c->best) {
			c->best = v;
			c->worst = t;
		}
		return;
	}
	k = 1u << c->q->view.shape->log2k[l - 1];
	for (i = 0; i < k; i++) {
		d = k / 2 + (i & 1 ? -(i + 1) / 2 : i / 2);
		u = t + ((uint64_t)(d & (k - 1)) << c->q->view.shape->log2b[l - 1]);
		if (u <= c->T && ceiling(c, l - 1, u) > c->best)
			climb(c, l - 1, u);
	}
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
	n = 20 / q->view.rate + 2 * (double)B;	/* what is older has weight < 2^-57 */
	return n < (double)T ? (uint64_t)n : T;
}

/* The least p^2 coefficient of level l. */
static double
least_bend(const struct dp_bridge_tally *q, unsigned l)
{
	double least = 1;
	unsigned e, r;

	if (l + 1 < q->h)
		for (e = 0; e < DP_BRIDGE_EDGES; e++)
			for (r = 0; r < q->view.level[l].k; r++)
				least = fmin(least, q->row[l][e][r].c);
	return least;
}

/*
 * below[], inner[].  COUNT: the exact maximum over a block amid others of its lower levels less the bend of its own level, found
 * in the same way from the levels under it, one level after the other.
 * WINDOW: no bend, for two ends; (a - b)^2 <= 2 a^2 + 2 b^2 if both may be near one node.  EXP: level by level.
 */
static void
bound(struct climb *c)
{
	struct dp_bridge_shape endless = *c->q->view.shape;
	struct dp_bridge_tally q = *c->q;
	struct climb part = { .q = &q, .T = UINT64_MAX };
	unsigned l, i, times = 1;
	double alone = 0, all;
	uint64_t u;

	endless.root = false;
	q.view.shape = &endless;
	q.view.W = 0;
	for (l = 0; l + 1 < q.h; l++) {
		part.to = l + 1;
		part.bend = c->q->view.W != 0 ? 0 : q.v[l + 1] * least_bend(&q, l + 1);
		alone += q.v[l] * most(&q, l, false);
		if (c->q->view.W != 0)
			times = c->q->view.W >> endless.log2b[l + 1] >= 2 ? 2 : 4;
		c->below[l + 1] = c->below[l] + times * q.v[l] * most(&q, l, true);
		for (all = -INFINITY, i = 0; i < q.view.level[l].k; i++) {
			part.best = -INFINITY;
			u = ((uint64_t)1 << endless.log2b[l + 1]) + ((uint64_t)i << endless.log2b[l]);
			if (q.view.rate == 0)
				climb(&part, l, u);
			part.inner[l + 1][i] = q.view.rate == 0 ? part.best : alone;
			all = fmax(all, part.inner[l + 1][i]);
		}
		for (i = 0; i < q.view.level[l].k; i++)
			c->inner[l + 1][i] = c->q->view.W == 0 ? part.inner[l + 1][i] : times * all;
	}
}

double
dp_bridge_tally_max(const struct dp_bridge_tally *q, uint64_t T, uint64_t *worst)
{
	const unsigned *log2b = q->view.shape->log2b, top = q->h - 1;
	struct climb c = { .q = q, .to = q->h, .best = -1, .T = settled(q, T) };
	uint64_t n;

	bound(&c);
	climb(&c, 0, c.T);	/* a first bound to prune by */
	for (n = c.T >> log2b[top]; ; n--) {
		if (ceiling(&c, top, n << log2b[top]) > c.best)
			climb(&c, top, n << log2b[top]);
		if (n == 0)
			break;
	}
	*worst = c.worst;
	return c.best;
}

static void
set(struct dp_bridge_tally *q, const struct dp_bridge *b, const struct dp_task *task, unsigned out)
{
	unsigned l;

	dp_bridge_tally_set(q, &b->shape, task, out);
	for (l = 0; l < q->h; l++)
		q->v[l] = ldexp(dp_noise_variance(&b->noise[b->table[l]]), -2 * (int)b->shape.log2den[l]);
}

double
dp_bridge_sum(const struct dp_bridge *b, const struct dp_task *task, unsigned out, uint64_t T)
{
	struct dp_bridge_tally q;
	double sum = 0;
	unsigned l;

	set(&q, b, task, out);
	for (l = 0; l < q.h; l++)
		sum += q.v[l] * dp_bridge_tally_sum(&q, l, T);
	return sum;
}

double
dp_bridge_max(const struct dp_bridge *b, const struct dp_task *task, unsigned out, uint64_t T, uint64_t *worst)
{
	struct dp_bridge_tally q;

	set(&q, b, task, out);
	return dp_bridge_tally_max(&q, T, worst);
}
