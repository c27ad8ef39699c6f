/*
 * error.c - the variance of a step, exactly, and its sum over steps 1..T; the maximum: climb.c.
 *
 * Below the top the part of level l is a quadratic in p over each child of each block, the same in
 * all inner blocks (level.h), so it is summed in closed form.
 */
#include <math.h>

#include "level.h"

void
dp_bridge_tally_set(struct dp_bridge_tally *q, struct dp_bridge_poly room[DP_BRIDGE_ROWS],
    const struct dp_bridge_shape *s, const struct dp_task *task, unsigned out)
{
	unsigned l, i, same;

	dp_bridge_view_set(&q->view, s, task, out);
	q->h = s->h;
	for (l = 0; l + 1 < q->h; l++) {
		/* COUNT, WINDOW: rows do not depend on B */
		for (same = 0; same < l && (q->view.rate > 0 || s->log2k[same] != s->log2k[l] ||
		    s->hat[same] != s->hat[l]); same++)
			;
		for (i = 0; i < DP_BRIDGE_EDGES; i++)
			if (same < l)
				q->row[l][i] = q->row[same][i];
			else if (i == DP_BRIDGE_INNER ||
			    (s->hat[l] && (i == DP_BRIDGE_FIRST || s->root))) {
				dp_bridge_rows(&q->view.level[l], i, room);
				q->row[l][i] = room;
				room += (size_t)1 << s->log2k[l];
			} else	/* no fold there */
				q->row[l][i] = q->row[l][DP_BRIDGE_INNER];
	}
}

double
dp_bridge_tally_count(const struct dp_bridge_tally *q, unsigned l, uint64_t n)
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
		return dp_bridge_tally_count(q, l, t);
	if (l < q->h - 1)
		return dp_bridge_tally_count(q, l, t) + dp_bridge_tally_count(q, l, n) -
		    2 * dp_bridge_cross(&q->view, l, n, t);
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

/*
 * Sum over t = a .. b-1, a > W: between the steps at which either end enters another node f is a
 * quadratic.
 */
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
	uint64_t blocks = 0;

	if (s->root && l + 1 < q->h)
		blocks = (uint64_t)1 << (s->log2b[q->h - 1] - s->log2b[l + 1]);
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

static void
set(struct dp_bridge_tally *q, struct dp_bridge_poly *rows, const struct dp_bridge *b,
    const struct dp_task *task, unsigned out)
{
	unsigned l;

	dp_bridge_tally_set(q, rows, &b->shape, task, out);
	for (l = 0; l < q->h; l++)
		q->v[l] = ldexp(dp_noise_variance(&b->noise[b->table[l]]),
		    -2 * (int)b->shape.log2den[l]);
}

double
dp_bridge_sum(const struct dp_bridge *b, const struct dp_task *task, unsigned out, uint64_t T)
{
	struct dp_bridge_tally q;
	struct dp_bridge_poly rows[DP_BRIDGE_ROWS];
	double sum = 0;
	unsigned l;

	set(&q, rows, b, task, out);
	for (l = 0; l < q.h; l++)
		sum += q.v[l] * dp_bridge_tally_sum(&q, l, T);
	return sum;
}

double
dp_bridge_max(const struct dp_bridge *b, const struct dp_task *task, unsigned out, uint64_t T,
    uint64_t *worst)
{
	struct dp_bridge_tally q;
	struct dp_bridge_poly rows[DP_BRIDGE_ROWS];

	set(&q, rows, b, task, out);
	return dp_bridge_tally_max(&q, T, 1, worst);
}
