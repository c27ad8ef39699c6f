#include <math.h>

#include "tally.h"

static double
p_of(const struct dp_tally_rung *v, double y)
{
	return v->rate == 0 ? y / v->B : -expm1(-v->rate * y);
}

/* The node at hand: p from 0 to 1 takes the difference from one weight to another. */
static struct dp_tally_poly
square(double from, double to)
{
	const double by = to - from;

	return (struct dp_tally_poly){ from * from, 2 * from * by, by * by };
}

static void
set_level(struct dp_tally_rung *v, double B, double rate, bool root)
{
	const double step = -expm1(-rate);	/* 1 - alpha */
	const double half = rate == 0 ? 1 : -expm1(-rate * B) / (step * B);	/* just ended */
	const double unit = rate == 0 ? 1 : 1 / (step * B);

	*v = (struct dp_tally_rung){ .B = B, .span = root ? B : 2 * B, .rate = rate,
	    .full = rate == 0 ? 1 : -expm1(-rate * B), .halves = root ? 1 : 2 };
	v->near[0] = square(0, unit);
	v->near[1] = square(half, rate == 0 ? 0 : -unit);
	if (rate > 0)
		v->old = pow(root ? half : half * expm1(-rate * B), 2);
}

void
dp_tally_set(struct dp_tally *q, unsigned h, const double *split, double root,
    const struct dp_task *task, unsigned out)
{
	unsigned l;

	q->h = h;
	/* under a sharp expiry what is older is exact: a window's noise */
	q->W = task->what == DP_TASK_WINDOW || task->what == DP_TASK_EXPIRE ? task->w[out] : 0;
	q->rate = task->what == DP_TASK_EXP ? -log(task->alpha) : 0;
	for (l = 0; l <= h; l++) {
		set_level(&q->level[l], ldexp(1, (int)l), q->rate, l == h);
		q->v[l] = l == h ? root : split[l];
	}
}

/* EXP: squares of all nodes that ended before node K, as it begins. */
static double
older(const struct dp_tally_rung *v, uint64_t K)
{
	const double w = 2 * v->rate * v->span;

	return v->rate == 0 || K == 0 ? 0 : v->old * expm1(-w * (double)K) / expm1(-w);
}

double
dp_tally_oldest(const struct dp_tally_rung *v)
{
	return v->rate == 0 ? 0 : v->old / -expm1(-2 * v->rate * v->span);
}

/* Place of step n (0-based, n steps are done). */
struct stand {
	uint64_t K;
	unsigned r;
	double p;
};

static struct stand
stand(const struct dp_tally *q, unsigned l, uint64_t n)
{
	const bool root = l == q->h;

	return (struct stand){ n >> (root ? l : l + 1), root ? 0 : n >> l & 1,
	    p_of(&q->level[l], (double)(n & (((uint64_t)1 << l) - 1))) };
}

static double
poly(const struct dp_tally_poly *f, double p)
{
	return f->a + p * (f->b + p * f->c);
}

/* COUNT, or EXP: level l's squares after n steps. */
static double
after(const struct dp_tally *q, unsigned l, uint64_t n)
{
	const struct dp_tally_rung *v = &q->level[l];
	const struct stand at = stand(q, l, n);
	const double keep = 1 - at.p, near = poly(&v->near[at.r], at.p);

	if (v->rate == 0)
		return near + (l == q->h ? (double)at.K : 0);
	return near + older(v, at.K) * exp(-2 * v->rate * v->B * at.r) * keep * keep;
}

/* COUNT: the difference of the node at hand. */
static double
difference(const struct stand *at)
{
	return at->r == 0 ? at->p : 1 - at->p;
}

/* WINDOW, t > W: the product of the differences at its two ends, if one node has both. */
static double
cross(const struct dp_tally *q, unsigned l, uint64_t t)
{
	const struct stand a = stand(q, l, t - q->W), b = stand(q, l, t);

	return a.K == b.K ? difference(&a) * difference(&b) : 0;
}

double
dp_tally_at(const struct dp_tally *q, unsigned l, uint64_t t)
{
	struct stand a, b;

	if (q->W == 0 || t <= q->W)
		return after(q, l, t);
	a = stand(q, l, t - q->W);
	b = stand(q, l, t);
	if (a.K == b.K)
		return pow(difference(&b) - difference(&a), 2);
	if (l == q->h)
		return (1 - a.p) * (1 - a.p) + (double)(b.K - a.K - 1) + b.p * b.p;
	return pow(difference(&a), 2) + pow(difference(&b), 2);
}

/* ---- sums over steps ---- */

/*
 * Of p and of p^2 over y = 0..n-1.  p(x + n) = p(n) + (1 - p(n)) p(x), COUNT: p(n) + p(x): sums
 * double without cancelling anything.
 */
static void
moments(const struct dp_tally_rung *v, uint64_t n, double *s1, double *s2)
{
	double p, keep, m;
	unsigned bit;
	uint64_t i = 0;

	*s1 = *s2 = 0;
	for (bit = 63; bit < 64; bit--) {
		m = (double)i;
		p = p_of(v, m);
		keep = v->rate == 0 ? 1 : 1 - p;
		*s2 += m * p * p + 2 * p * keep * *s1 + keep * keep * *s2;
		*s1 += m * p + keep * *s1;
		i *= 2;
		if (n >> bit & 1) {
			p = p_of(v, (double)i++);
			*s1 += p;
			*s2 += p * p;
		}
	}
}

/* The node at hand, over its first n steps. */
static double
node_sum(const struct dp_tally_rung *v, uint64_t n)
{
	const uint64_t B = (uint64_t)v->B;
	uint64_t part;
	double s1, s2, sum = 0;
	unsigned r;

	for (r = 0; r < v->halves && n > 0; r++, n -= part) {
		part = n < B ? n : B;
		moments(v, part, &s1, &s2);
		sum += v->near[r].a * (double)part + v->near[r].b * s1 + v->near[r].c * s2;
	}
	return sum;
}

/* Nodes that have ended, while K whole ones and n steps of the next go by. */
static double
older_sum(const struct dp_tally_rung *v, uint64_t K, uint64_t n)
{
	const double a = 2 * v->rate, w = a * v->span, count = (double)K - 1;
	double fall, whole, part;

	if (K == 0)
		return 0;
	if (v->rate == 0)	/* roots, each 1 for ever */
		return v->halves == 2 ? 0 : (double)K * (count / 2 * v->B + (double)n);
	whole = expm1(-w) / expm1(-a);
	part = older(v, K) * expm1(-a * (double)n) / expm1(-a);
	/* sum over J = 1..K-1 of (1 - e^(-w J)) / (1 - e^-w) */
	fall = exp(-w) * expm1(-w * count) / expm1(-w);
	return part + whole * v->old * (count - fall) / (-expm1(-w));
}

/* COUNT, or EXP: after 0 .. T steps. */
static double
sum_after(const struct dp_tally_rung *v, uint64_t T)
{
	const uint64_t span = (uint64_t)v->span, K = (T + 1) / span, n = (T + 1) % span;

	return (double)K * node_sum(v, span) + node_sum(v, n) + older_sum(v, K, n);
}

typedef double value(const struct dp_tally *, unsigned l, uint64_t t);

/* Over t = a .. a+n-1 of a quadratic in t, which holds at a + n too. */
static double
quadratic_sum(const struct dp_tally *q, value *f, unsigned l, uint64_t a, uint64_t n)
{
	double y = f(q, l, a), m = (double)(n / 2), N = (double)n, slope, bend;

	if (n == 1)
		return y;
	slope = (f(q, l, a + n / 2) - y) / m;
	bend = ((f(q, l, a + n) - y) / N - slope) / (N - m);
	slope -= bend * m;
	return N * y + slope * N * (N - 1) / 2 + bend * N * (N - 1) * (2 * N - 1) / 6;
}

/* Over t = a .. b-1, a > W: between the steps at which either end enters another half. */
static double
pieces_sum(const struct dp_tally *q, value *f, unsigned l, uint64_t a, uint64_t b)
{
	const uint64_t B = (uint64_t)1 << l;
	uint64_t n, left;
	double sum = 0;

	for (; a < b; a += n) {
		n = B - (a & (B - 1));
		left = B - ((a - q->W) & (B - 1));
		n = n < left ? n : left;
		n = n < b - a ? n : b - a;
		sum += quadratic_sum(q, f, l, a, n);
	}
	return sum;
}

/* Over t = W+1 .. T: f has the period of a node from the first step on. */
static double
window_sum(const struct dp_tally *q, value *f, unsigned l, uint64_t T)
{
	const uint64_t from = q->W + 1, n = T - q->W, span = (uint64_t)q->level[l].span;

	return (n < span ? 0 :
	    (double)(n / span) * pieces_sum(q, f, l, from, from + span)) +
	    pieces_sum(q, f, l, from, from + n % span);
}

double
dp_tally_sum(const struct dp_tally *q, unsigned l, uint64_t T)
{
	const struct dp_tally_rung *v = &q->level[l];
	const uint64_t W = q->W;
	double sum;

	if (W == 0 || T <= W)
		return sum_after(v, T);
	if (l == q->h)
		return sum_after(v, W) + window_sum(q, dp_tally_at, l, T);
	sum = sum_after(v, T) + sum_after(v, T - W);
	return W < (uint64_t)v->span ? sum - 2 * window_sum(q, cross, l, T) : sum;
}
