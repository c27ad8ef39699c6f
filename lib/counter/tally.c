/* SPDX-License-Identifier: ISC */
#include <math.h>
#include <string.h>

#include "filter.h"

static double
p_of(const struct dp_tally_rung *v, double y)
{
	return v->rate == 0 ? y / v->B : -expm1(-v->rate * y);
}

/* The node at hand: p from 0 to 1 takes the difference from one weight to another. */
static struct dp_tally_poly
square_tally(double from, double to)
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
	v->near[0] = square_tally(0, unit);
	v->near[1] = square_tally(half, rate == 0 ? 0 : -unit);
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

/* EXP: squares of all nodes that ended before one, as it begins: the most, ever. */
static double
tally_oldest(const struct dp_tally_rung *v)
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
moments_tally(const struct dp_tally_rung *v, uint64_t n, double *s1, double *s2)
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
		moments_tally(v, part, &s1, &s2);
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

/*
 * The step of the largest variance, digit by digit of the step t, from the lowest.
 *
 * What the levels below l have depends on t modulo 2^l alone, but for a decay's old nodes, of which
 * it takes those long after the begin, which have more.  Of all t modulo 2^l those are kept that
 * may yet become the maximum: the levels from l on change by at most slope_l a step, so what is
 * behind another one by more than that times the steps between never catches up.
 *
 * A window has its maximum among those that are kept at the top.  A decay that has not settled is
 * searched: what a block of 2^l steps can have is told by those that are kept at level l.
 */

#define KEPT	2048		/* most that may stay */
#define BLOCKS	4096		/* of all levels together */
#define SAME	1e-13		/* relative: what is ahead by less is left out */

struct digits {
	uint64_t t;		/* modulo 2^l */
	double v;		/* what the levels below l have */
};

struct search {
	struct dp_tally q;	/* W = 0: a count */
	uint64_t T;
	uint64_t from;		/* a multiple of 2^h, from which on no old node is missing */
	double slope[DP_TALLY_LEVELS + 2];
	struct digits kept[KEPT];
	unsigned n;
	double best;
	uint64_t worst;
};

static double
at_max(const struct search *s, unsigned l, uint64_t t)
{
	return s->q.v[l] * dp_tally_at(&s->q, l, t);
}

static double
above(const struct search *s, unsigned l, uint64_t t)
{
	double v = 0;

	for (; l <= s->q.h; l++)
		v += at_max(s, l, t);
	return v;
}

/*
 * The most that level l changes by, a step.  A count's squares have slopes of at most 2 / B, those
 * of a window's two ends together twice that; where one node may have both, their difference D is
 * at most 2 and at most W / B, moves by at most 2 / B a step, and D^2 by 2 |D| |D'|.  The root's
 * (1 - f')^2 + n + f^2 has slopes of opposite signs.
 */
static double
steepness(const struct search *s, unsigned l)
{
	const struct dp_tally *q = &s->q;
	const struct dp_tally_rung *v = &q->level[l];
	const double W = (double)q->W, old = 2 * tally_oldest(v);
	const struct dp_tally_poly *f;
	double b = 0;
	unsigned r;

	if (v->rate == 0 && (l == q->h || q->W == 0))
		return 2 * q->v[l] / v->B;
	if (v->rate == 0)
		return 4 * q->v[l] / v->B * (q->W >= 4 * (uint64_t)v->B ? 1 : fmin(2, W / v->B));
	for (r = 0; r < v->halves; r++) {
		f = &v->near[r];
		b = fmax(b, fmax(fabs(f->b), fabs(f->b + 2 * v->full * f->c)));
	}
	return (b + old) * q->v[l] * v->rate;
}

/* True: t - W borrows, or t stays within T, for one of the two only. */
static bool
apart(const struct search *s, uint64_t B, uint64_t a, uint64_t b)
{
	const uint64_t begin = s->q.W & (B - 1), end = s->T & (B - 1);

	return (a < begin) != (b < begin) || (a <= end) != (b <= end);
}

/* Bound of one that was passed, at the place of the next one. */
struct reach {
	uint64_t t;
	double v;
};

/*
 * True: the next one, on either side, may still become the maximum.  If the window lies in one
 * block of B steps, it does not matter where.
 */
static bool
may_win(const struct search *s, struct reach *r, const struct digits *d, uint64_t B, double slope)
{
	const double steps = (double)(d->t > r->t ? d->t - r->t : r->t - d->t);
	const bool inside = s->q.W != 0 && s->q.W < B && d->t >= s->q.W;

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
	const uint64_t B = (uint64_t)1 << l;
	struct digits old[KEPT], *x;
	struct reach reach = { 0, -INFINITY };
	unsigned n = s->n, r, i;

	memcpy(old, s->kept, n * sizeof *old);
	for (s->n = 0, r = 0; r < 2; r++)
		for (i = 0; i < n; i++) {
			if (s->n == KEPT)
				return false;
			x = &s->kept[s->n];
			x->t = r * B + old[i].t;
			x->v = old[i].v + at_max(s, l, s->from + x->t);
			s->n += may_win(s, &reach, x, 2 * B, s->slope[l + 1]);
		}
	reach.v = -INFINITY;
	for (n = KEPT, i = s->n; i-- > 0; )
		if (may_win(s, &reach, &s->kept[i], 2 * B, s->slope[l + 1]))
			s->kept[--n] = s->kept[i];
	s->n = KEPT - n;
	memmove(s->kept, s->kept + n, s->n * sizeof *s->kept);
	return true;
}

/* No digit is chosen yet. */
static void
begin(struct search *s, uint64_t W, uint64_t T)
{
	const unsigned h = s->q.h;
	const double rate = s->q.rate;
	const uint64_t settled = rate > 0 ? (uint64_t)(20 / rate) : W;
	unsigned l;

	s->q.W = W;
	s->T = T;
	s->n = 1;
	s->kept[0] = (struct digits){ 0, 0 };
	s->from = ((settled >> h) + 2) << h;
	for (s->slope[h + 1] = 0, l = h + 1; l-- > 0; )
		s->slope[l] = s->slope[l + 1] + steepness(s, l);
}

/* ---- windows ---- */

/* Of equals the last: a window's noise is that of its mirror image. */
static void
try_max(struct search *s, uint64_t t, double v)
{
	const double all = v + at_max(s, s->q.h, t), by = all - s->best;

	if (by > SAME * all || (by > -SAME * all && t > s->worst)) {
		s->best = all;
		s->worst = t;
	}
}

/* Steps W+1 .. T of a window; W = 0: of a count.  False: too many may be the worst. */
static bool
run(struct search *s, uint64_t W, uint64_t T)
{
	const uint64_t B = (uint64_t)1 << s->q.h;
	uint64_t t;
	unsigned l, i;

	begin(s, W, T);
	for (l = 0; l < s->q.h; l++)
		if (!grow(s, l))
			return false;
	for (i = 0; i < s->n; i++) {	/* the last step of each kind */
		t = T - ((T - s->kept[i].t) & (B - 1));
		if (t <= T && t > W)
			try_max(s, t, s->kept[i].v);
	}
	return true;
}

/* ---- decays ---- */

struct blocks {
	unsigned levels, begin[DP_TALLY_LEVELS + 2];	/* kept[begin[l]] ..: of level l < levels */
	struct digits kept[BLOCKS];
};

static void
gather(struct blocks *b, struct search *s)
{
	unsigned l;

	b->levels = b->begin[0] = 0;
	begin(s, 0, UINT64_MAX);
	for (l = 0; l <= s->q.h && b->begin[l] + s->n <= BLOCKS; l++) {
		memcpy(&b->kept[b->begin[l]], s->kept, s->n * sizeof *s->kept);
		b->begin[l + 1] = b->begin[l] + s->n;
		b->levels = l + 1;
		if (l < s->q.h && !grow(s, l))
			return;
	}
}

/* No step of the 2^l from t has more, but for rounding; long after the begin one has as much. */
static double
ceiling(const struct blocks *b, const struct search *s, unsigned l, uint64_t t)
{
	double most = -INFINITY;
	unsigned i;

	if (l >= b->levels)
		return fmax(ceiling(b, s, l - 1, t),
		    ceiling(b, s, l - 1, t + ((uint64_t)1 << (l - 1))));
	for (i = b->begin[l]; i < b->begin[l + 1]; i++)
		most = fmax(most, b->kept[i].v + above(s, l, t + b->kept[i].t));
	return most * (1 + 1e-12);
}

static void
climb(const struct blocks *b, struct search *s, unsigned l, uint64_t t)
{
	uint64_t u = l == 0 ? t : t + ((uint64_t)1 << (l - 1));
	double v, w;

	if (l == 0) {
		v = above(s, 0, t);
		if (t >= 1 && v > s->best) {
			s->best = v;
			s->worst = t;
		}
		return;
	}
	v = ceiling(b, s, l - 1, t);
	w = u <= s->T ? ceiling(b, s, l - 1, u) : -INFINITY;
	if (w > v) {
		if (w > s->best)
			climb(b, s, l - 1, u);
		w = -INFINITY;
	}
	if (v > s->best)
		climb(b, s, l - 1, t);
	if (w > s->best)
		climb(b, s, l - 1, u);
}

/* From settled on the variance has the period of a root: older steps have weight < 2^-57. */
static void
decay_max(struct search *s, uint64_t T)
{
	const unsigned h = s->q.h;
	const double settled = 20 / s->q.rate + ldexp(2, (int)h);
	struct blocks b;
	uint64_t n;

	gather(&b, s);
	s->T = settled < (double)T ? (uint64_t)settled : T;
	climb(&b, s, 0, s->T);	/* a first bound to prune by */
	for (n = (s->T >> h) + 1; n-- > 0; )
		if (ceiling(&b, s, h, n << h) > s->best)
			climb(&b, s, h, n << h);
}

double
dp_tally_max(const struct dp_tally *q, uint64_t T, uint64_t *worst)
{
	struct search s = { .q = *q, .best = -1 };
	const uint64_t W = q->W, settled = W + ((uint64_t)2 << q->h);

	T = q->rate == 0 && T > settled ? settled : T;
	if (q->rate > 0)
		decay_max(&s, T);
	else if ((T > W && !run(&s, W, T)) || !run(&s, 0, T < W ? T : W))
		return INFINITY;
	*worst = s.worst;
	return s.best;
}
