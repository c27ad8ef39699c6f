/* SPDX-License-Identifier: ISC */
/* privacy.c - what noise costs, and what a budget buys. */
#include <math.h>
#include <stdlib.h>

#include "random/rng.h"
#include "internal.h"
#include "neighbour.h"
#include "privacy.h"

static int dp_privacy_range(double *c, const struct dp_privacy *, uint64_t n) DP_MUSTUSE;

#define EPSILON_MAX	10000		/* of one draw; more is not used: less is more private */

/* (a/b) / (c/d), rounded UP when it does not fit: a larger scale is more private. */
static int
scale_up(struct dp_q *out, struct dp_q a, struct dp_q b)
{
	long double x;

	if (dp_q_div(out, a, b) == 0)
		return 0;
	/* 2^-10 relative headroom dwarfs the rounding of the long doubles. */
	x = (long double)a.num / (long double)a.den / ((long double)b.num / (long double)b.den);
	x = ceill(x * 1.0009765625L * 65536);
	if (!(x < 0x1p62L))
		return DP_ERANGE;
	*out = dp_q_make((uint64_t)x, 65536);
	return 0;
}

#define ROUNDED	0x1p-40		/* by which doubles may differ, of a scale that is no less */

/* The scale, or variance, that was found: now, or when it was planned. */
static int
planned(struct dp_q *used, const struct dp_privacy *p, enum dp_noise_kind kind, struct dp_q param,
    bool rounded)
{
	struct dp_numbers *n = p->numbers;
	const double least = dp_q_double(param) * (1 - ROUNDED);

	*used = dp_numbers_q(n, kind == DP_NOISE_GAUSS ? "variance" : "scale", param);
	if (!dp_numbers_replays(n))
		return dp_numbers_error(n);
	if (rounded ? dp_q_double(*used) < least : dp_q_cmp(*used, param) < 0)
		dp_numbers_refuse(n);
	return dp_numbers_error(n);
}

static int
make(struct dp_noise *z, const struct dp_privacy *p, enum dp_noise_kind kind, struct dp_q param,
    bool rounded)
{
	struct dp_q used;
	int e;

	if ((e = planned(&used, p, kind, param, rounded)) != 0 ||
	    (e = dp_noise_describe(z, kind, used)) != 0)
		return e;
	return p->dry ? 0 : dp_noise_build(z);
}

/*
 * b = l1 / (epsilon times), for nodes that a value enters with a weight of `largest` at most;
 * dividing twice keeps each step rounded up.
 */
static int
laplace(struct dp_noise *z, const struct dp_privacy *p, struct dp_q times, uint64_t largest)
{
	dp_uwide shift = (dp_uwide)p->l1 * largest;
	struct dp_q whole, b;
	int e;

	if (p->exact) {
		dp_noise_none(z);
		return 0;
	}
	if (times.num == 0 || largest == 0)
		return DP_EINVAL;
	if (shift >> 62 != 0)
		return DP_ERANGE;
	if ((e = scale_up(&whole, dp_q_make(p->l1, 1), p->epsilon)) != 0 ||
	    (e = scale_up(&b, whole, times)) != 0)
		return e;
	/* the sampler keeps its word up to 45000 b: no shift may come near */
	if (dp_q_cmp(b, dp_q_make((uint64_t)shift, EPSILON_MAX)) < 0)
		b = dp_q_make((uint64_t)shift, EPSILON_MAX);
	return make(z, p, DP_NOISE_LAPLACE, b, false);
}

int
dp_privacy_laplace(struct dp_noise *z, const struct dp_privacy *p, struct dp_q share)
{
	return !p->exact && share.num > share.den ? DP_EINVAL : laplace(z, p, share, 1);
}

int
dp_privacy_laplace_weights(struct dp_noise *z, const struct dp_privacy *p, uint64_t sum,
    uint64_t largest)
{
	if (!p->exact && (sum == 0 || sum > INT64_MAX || largest > sum))
		return DP_EINVAL;
	return laplace(z, p, dp_q_make(1, p->exact ? 1 : sum), largest);
}

int
dp_privacy_laplace_beyond(struct dp_noise *z, const struct dp_privacy *p, struct dp_q times)
{
	return laplace(z, p, times, 1);
}

/* The largest e of the condition for n nodes, less 1e-9 of it. */
static double
composed(double n, double eps, double delta)
{
	double lo = -80, hi = 10, mid, e;	/* log e */
	int i;

	for (i = 0; i < 100; i++) {
		mid = (lo + hi) / 2;
		e = exp(mid);
		if (sqrt(-2 * n * log(delta)) * e + n * e * expm1(e) <= eps)
			lo = mid;
		else
			hi = mid;
	}
	return exp(lo) * (1 - 1e-9);
}

int
dp_privacy_laplace_composed(struct dp_noise *z, const struct dp_privacy *p, uint64_t n,
    uint64_t most)
{
	const double eps = dp_q_double(p->epsilon), delta = dp_q_double(p->delta);
	double b;

	if (p->exact) {
		dp_noise_none(z);
		return 0;
	}
	if (p->delta.num == 0 || n == 0 || most == 0)
		return DP_EINVAL;
	b = fmax(sqrt(-8 * (double)n * log(delta)) / eps, 1 / composed((double)n, eps, delta));
	b = ceil((double)most * fmax(b, 1.0 / EPSILON_MAX) * (1 + 1e-9) * 65536);
	if (!(b < 0x1p56))
		return DP_ERANGE;
	return make(z, p, DP_NOISE_LAPLACE, dp_q_make((uint64_t)b, 65536), true);
}

int
dp_privacy_perturbation(struct dp_noise *z, const struct dp_privacy *p, struct dp_q scale)
{
	int e;

	scale = dp_numbers_q(p->numbers, "perturbation", scale);
	if ((e = dp_numbers_error(p->numbers)) != 0 ||
	    (e = dp_noise_describe(z, DP_NOISE_LAPLACE, scale)) != 0)
		return e;
	return p->dry ? 0 : dp_noise_build(z);
}

int
dp_privacy_coin(struct dp_coin *c, const struct dp_privacy *p, struct dp_q share, struct dp_q odds)
{
	struct dp_q each, x;
	int e;

	if (p->exact) {
		dp_coin_always(c);
		return 0;
	}
	if (share.num == 0 || share.num > share.den)
		return DP_EINVAL;
	if ((e = dp_q_div(&each, p->epsilon, dp_q_make(p->l1, 1))) != 0 ||
	    (e = dp_q_div(&x, each, dp_q_make(share.den, share.num))) != 0)
		return e;
	return dp_coin_make(c, x, odds);
}

int
dp_privacy_gauss(struct dp_noise *z, const struct dp_privacy *p, struct dp_q share)
{
	struct dp_q half, s2;
	int e;

	if (p->exact) {
		dp_noise_none(z);
		return 0;
	}
	if (share.num == 0 || share.num > share.den || p->rho.num == 0 || p->wide)
		return DP_EINVAL;
	/* sigma^2 = l2squared / (2 rho share) */
	if ((e = scale_up(&half, dp_q_make(p->l2squared, 2), p->rho)) != 0 ||
	    (e = scale_up(&s2, half, share)) != 0)
		return e;
	return make(z, p, DP_NOISE_GAUSS, s2, true);
}

int
dp_privacy_gauss_shift(struct dp_noise *z, const struct dp_privacy *p, double shift, uint64_t n)
{
	double s, s2;

	if (p->exact) {
		dp_noise_none(z);
		return 0;
	}
	if (p->delta.num == 0 || p->wide || !(shift >= 1))
		return DP_EINVAL;
	s = dp_privacy_gauss_sigma(p, shift, n);
	s2 = ceil(s * s * (1 + 1e-12) * 64);
	if (!(s2 >= 1 && s2 <= 0x1p56 * 64))
		return DP_ERANGE;
	return make(z, p, DP_NOISE_GAUSS, dp_q_make((uint64_t)s2, 64), true);
}

int
dp_privacy_laplace_shift(struct dp_noise *z, const struct dp_privacy *p, uint64_t shift,
    struct dp_q share)
{
	struct dp_privacy moved = *p;

	moved.l1 = shift;
	if (!p->exact && (shift == 0 || shift > INT64_MAX))
		return shift == 0 ? DP_EINVAL : DP_ERANGE;
	return dp_privacy_laplace(z, &moved, share);
}

/* The n-th part of share, exactly. */
static int
part(struct dp_q *each, uint64_t n, struct dp_q share)
{
	if (n == 0 || share.num == 0 || share.num > share.den)
		return DP_EINVAL;
	return n > INT64_MAX || dp_q_div(each, share, dp_q_make(n, 1)) != 0 ? DP_ERANGE : 0;
}

/* Noise that protects a number that moves by linf as if it were all there is. */
static struct dp_privacy
number(const struct dp_privacy *p)
{
	struct dp_privacy one = *p;

	one.l1 = p->linf;
	one.wide = false;
	one.columns = 1;
	return one;
}

int
dp_privacy_laplace_repeat(struct dp_noise *z, const struct dp_privacy *p, uint64_t n,
    struct dp_q share)
{
	const struct dp_privacy one = number(p);
	struct dp_q each = { 1, 1 };
	int e = p->exact ? 0 : part(&each, n, share);

	return e != 0 ? e : laplace(z, &one, each, 1);
}

int
dp_privacy_gauss_repeat(struct dp_noise *z, const struct dp_privacy *p, uint64_t n,
    struct dp_q share)
{
	struct dp_privacy one = number(p);
	struct dp_q each = { 1, 1 };
	int e = p->exact ? 0 : part(&each, n, share);

	if (e != 0)
		return e;
	if (share.num == share.den)
		return dp_privacy_gauss_shift(z, &one, (double)p->linf * sqrt((double)n), n);
	if (!p->exact && (dp_uwide)p->linf * p->linf >> 62 != 0)
		return DP_ERANGE;
	one.l2squared = p->linf * p->linf;
	return dp_privacy_gauss(z, &one, each);
}

#define ROUND_UNIT	((uint64_t)1 << 50)

int
dp_privacy_round(struct dp_privacy *out, const struct dp_privacy *whole, uint64_t n,
    struct dp_q share)
{
	struct dp_privacy one = *whole;
	struct dp_q each;
	double e;
	int fault;

	if (!whole->exact) {
		if (whole->rho.num == 0)
			return DP_EINVAL;
		if ((fault = part(&each, n, share)) != 0)
			return fault;
		e = floor(sqrt(2 * dp_q_double(whole->rho) * dp_q_double(each)) * (1 - 1e-12) *
		    (double)ROUND_UNIT);
		if (!(e >= 1 && e < 0x1p62))
			return DP_ERANGE;
		one.epsilon = dp_q_make((uint64_t)e, ROUND_UNIT);
	}
	one.delta = one.rho = dp_q_make(0, 1);
	*out = one;
	return 0;
}

/* b of n exponential mechanisms, rounded up. */
static int
weigh_scale(struct dp_q *b, const struct dp_privacy *p, uint64_t n, struct dp_q share)
{
	double c, x, spent = dp_q_double(p->rho) * dp_q_double(share);
	int e;

	if (p->rho.num == 0)
		return DP_EINVAL;
	c = sqrt(8 * spent / (double)n);
	if (share.num == share.den && !p->quick && (e = dp_privacy_range(&c, p, n)) != 0)
		return e;
	x = (double)p->spread / c;
	x = ceil(x * (1 + 1e-9) * 0x1p20);
	if (!(x >= 1 && x <= 0x1p60))
		return DP_ERANGE;
	*b = dp_q_make((uint64_t)x, (uint64_t)1 << 20);
	return 0;
}

/* The scale of permute-and-flip, rounded up at each step. */
static int
flip_scale(struct dp_q *b, const struct dp_privacy *p, struct dp_q each)
{
	struct dp_q whole;
	int e;

	e = scale_up(&whole, dp_q_make(p->spread, 1), p->epsilon);
	return e != 0 ? e : scale_up(b, whole, each);
}

int
dp_privacy_choose(struct dp_choose *c, const struct dp_privacy *p, enum dp_noise_kind kind,
    uint64_t n, struct dp_q share)
{
	struct dp_q each, b, used;
	int e;

	if (p->exact) {
		dp_choose_none(c);
		return 0;
	}
	if ((e = part(&each, n, share)) != 0)
		return e;
	e = kind == DP_NOISE_WEIGH ? weigh_scale(&b, p, n, share) : flip_scale(&b, p, each);
	if (e != 0 || (e = planned(&used, p, kind, b, kind == DP_NOISE_WEIGH)) != 0 ||
	    (e = dp_choose_describe(c, kind, used)) != 0)
		return e;
	return p->dry ? 0 : dp_choose_build(c);
}

double
dp_privacy_rate(const struct dp_privacy *p)
{
	return p->exact ? INFINITY :
	    (double)p->epsilon.num / (double)p->epsilon.den / (double)p->l1 * (1 - 0x1p-48);
}

void
dp_privacy_split(struct dp_q *share, const double *weight, unsigned n)
{
	const uint64_t whole = (uint64_t)1 << 24;
	uint64_t part, others = 0;
	double sum = 0;
	unsigned i, widest = 0;

	for (i = 0; i < n; i++) {
		sum += weight[i];
		if (weight[i] > weight[widest])
			widest = i;
	}
	for (i = 0; i < n; i++) {
		part = (uint64_t)(weight[i] / sum * (double)whole);
		if (part == 0)
			part = 1;
		if (i != widest)
			others += part;
		share[i] = dp_q_make(part, whole);
	}
	/* what rounding left, or took, is the widest one's: the sum is exactly 1 */
	share[widest] = dp_q_make(whole - others, whole);
}

/*
 * What a delta buys: rho, and the standard deviation of Gaussian noise.
 */

#define DRAWS_MAX	0x1p50		/* of one run, where they are not counted */

/* log of the bound at order a */
static double
log_delta_at(double rho, double eps, double a)
{
	return (a - 1) * (a * rho - eps) - log(a - 1) + a * log1p(-1 / a);
}

/*
 * Every order gives a valid bound.  The best real one is found by a ternary search, as the log is
 * convex in log(a - 1) near its minimum; one of its two neighbours is the best integer.
 */
double
dp_zcdp_delta(double rho, double eps)
{
	double lo = -30, hi = 30, x, y, a;
	int i;

	for (i = 0; i < 100; i++) {
		x = lo + (hi - lo) / 3;
		y = hi - (hi - lo) / 3;
		if (log_delta_at(rho, eps, 1 + exp(x)) < log_delta_at(rho, eps, 1 + exp(y)))
			hi = y;
		else
			lo = x;
	}
	a = fmax(2, floor(1 + exp(lo)));
	return exp(fmin(log_delta_at(rho, eps, a), log_delta_at(rho, eps, a + 1)));
}

struct dp_q
dp_zcdp_rho(double eps, double delta)
{
	struct dp_q q = { 0, 1 };
	double lo = 0, hi = eps, mid, n;
	int i;

	for (i = 0; i < 64; i++) {
		mid = (lo + hi) / 2;
		if (dp_zcdp_delta(mid, eps) <= delta * (1 - 1e-9))
			lo = mid;
		else
			hi = mid;
	}
	n = floor(lo * (1 - 1e-9) * 0x1p32);
	if (n >= 1 && n < 0x1p62)
		q = dp_q_make((uint64_t)n, (uint64_t)1 << 32);
	return q;
}

/*
 * The miss of Gaussian samplers (random/noise.h: 2^-98 in total variation a draw; more, to be safe)
 * adds m
 * (1 + e^epsilon) of it to delta.  Sets it aside; where that takes more than a half, epsilon is cut
 * instead: less is more private.
 */
static bool
pay_sampler(double *eps, double *delta, double m)
{
	*eps = fmin(*eps, log(*delta * 0x1p96 / m));
	if (!(*eps > 0))
		return false;
	*delta -= m * (1 + exp(*eps)) * 0x1p-97;
	return *delta > 0;
}

int
dp_privacy_set(struct dp_privacy *p, bool exact, struct dp_q eps,
    struct dp_q delta, uint64_t l1, uint64_t l2squared)
{
	struct dp_privacy r = { .exact = exact, .epsilon = eps, .delta = delta,
	    .rho = { 0, 1 }, .l1 = l1, .l2squared = l2squared, .linf = l1,
	    .spread = l1, .columns = 1 };

	double e = dp_q_double(eps), d = dp_q_double(delta);

	if (!exact && eps.num == 0)
		return DP_EINVAL;
	if (delta.num >= delta.den || l1 == 0 || l1 > (uint64_t)1 << 56)
		return DP_EINVAL;
	if (!exact && delta.num != 0)
		r.rho = pay_sampler(&e, &d, DRAWS_MAX) ? dp_zcdp_rho(e, d) : dp_q_make(0, 1);
	*p = r;
	return 0;
}

int
dp_privacy_between(struct dp_privacy *p, const struct dp_distance *d, bool exact, struct dp_q eps,
    struct dp_q delta)
{
	const int e = dp_privacy_set(p, exact, exact ? dp_q_make(1, 1) : eps, delta, d->l1,
	    d->l2squared);

	if (e != 0)
		return e;
	p->columns = (unsigned)d->columns;
	p->wide = d->wide;	/* too wide for Gaussian noise: leave it out */
	p->linf = d->linf;
	p->spread = d->spread;
	p->cells = d->cells;
	return 0;
}

uint64_t
dp_privacy_each(const struct dp_privacy *p)
{
	const uint64_t squared = p->times * p->times;

	return p->spacing == 0 ? p->l2squared :
	    p->l2squared / squared + (p->l2squared % squared != 0);
}

/* share times q, rounded down to what fits. */
static struct dp_q
part_of(struct dp_q q, struct dp_q share)
{
	dp_uwide num = (dp_uwide)q.num * share.num, den = (dp_uwide)q.den * share.den;
	struct dp_q r;

	while (dp_q_reduce(&r, num, den) != 0) {
		num >>= 1;
		den = (den >> 1) + (den & 1);
	}
	return r;
}

int
dp_privacy_part(struct dp_privacy *p, const struct dp_privacy *whole, struct dp_q share,
    const struct dp_reach *reach)
{
	struct dp_privacy r;
	int e;

	if (share.num == 0 || share.num > share.den || reach->columns == 0 ||
	    reach->linf > reach->l1)
		return DP_EINVAL;
	e = dp_privacy_set(&r, whole->exact, whole->exact ? whole->epsilon :
	    part_of(whole->epsilon, share), part_of(whole->delta, share), reach->l1,
	    reach->l2squared);
	if (e != 0)
		return !whole->exact && part_of(whole->epsilon, share).num == 0 ? DP_ERANGE : e;
	r.dry = whole->dry;
	r.wide = whole->wide;
	r.linf = reach->linf;
	r.spread = reach->l1;		/* of two columns: no more (neighbour.h) */
	r.columns = reach->columns;
	r.times = reach->times;
	r.spacing = reach->spacing;
	r.numbers = whole->numbers;
	r.memo = whole->memo;
	*p = r;
	return 0;
}

double
dp_gauss_delta(double mu, double eps)
{
	const double slack = 1e-12;	/* of erfc, exp and their arguments up to 30 */
	double above = erfc((eps / mu - mu / 2) * M_SQRT1_2) / 2;
	double below = erfc((eps / mu + mu / 2) * M_SQRT1_2) / 2;

	return above * (1 + slack) - exp(eps) * below * (1 - slack);
}

/* Least sigma = shift / mu with d(mu, eps) <= delta, a relative 1e-9 up for the bisection. */
static double
analytic_sigma(double shift, double eps, double delta)
{
	double lo = -80, hi = 12, mid;	/* log mu */
	int i;

	for (i = 0; i < 100; i++) {
		mid = (lo + hi) / 2;
		if (dp_gauss_delta(exp(mid), eps) <= delta)
			lo = mid;
		else
			hi = mid;
	}
	return shift / exp(lo) * (1 + 1e-9);
}

/* The analytic Gaussian for the discrete one (privacy.h); 0 if the way between them is too long. */
static double
discrete_sigma(double shift, double eps, double delta, double m)
{
	double x, a, t, s;

	/* with less epsilon sigma only grows, so a computed from this one is an upper bound */
	s = analytic_sigma(shift, eps, delta);
	a = 1 / (24 * s * s);
	x = eps - log(delta) + 20;	/* e^(t-x) <= delta e^-20 < delta 2.1e-9 */
	t = eps - a * (2.1 * m + 104 * x);
	delta *= exp(-a * m) - 2.1e-9;
	if (s < 32 || !(t > eps * 0.9) || !(delta > 0))
		return 0;
	return analytic_sigma(shift, t, delta);
}

double
dp_privacy_gauss_sigma(const struct dp_privacy *p, double shift, uint64_t n)
{
	double eps = dp_q_double(p->epsilon), delta = dp_q_double(p->delta) * (1 - 0x1p-20);
	double m = (double)n * p->columns, s, rho, z;

	if (p->delta.num == 0 || p->wide || !(shift >= 1) || !pay_sampler(&eps, &delta, m))
		return 0;
	s = discrete_sigma(shift, eps, delta, m);
	rho = dp_q_double(dp_zcdp_rho(eps, delta));
	z = rho > 0 ? shift / sqrt(2 * rho) * (1 + 1e-9) : 0;
	/* both are valid: the smaller one; 0: there is none */
	return s > 0 && (z == 0 || s < z) ? s : z;
}

/*
 * The widest range c that n choices can be found to have (internal.h): sqrt(8 rho / n) at the
 * least.
 * DP_ENOMEM; DP_EINVAL: no delta.
 */
/* A choice's sampler misses far less (random/selection.h) than the 2^-97 that are set aside. */
static int
dp_privacy_range(double *c, const struct dp_privacy *p, uint64_t n)
{
	double eps = dp_q_double(p->epsilon), delta = dp_q_double(p->delta) * (1 - 1e-9);
	const double from = sqrt(8 * dp_q_double(p->rho) / (double)n);
	const struct { char what[8]; double eps, delta; uint64_t n; } key = { "range", eps, delta,
	    n };
	const double *known = dp_memo_find(p->memo, &key, sizeof key);
	int e;

	if (p->rho.num == 0 || n == 0)
		return DP_EINVAL;
	*c = known != NULL ? *known : from;
	if (known != NULL || n > DP_RANGE_CHOICES || !pay_sampler(&eps, &delta, (double)n))
		return 0;
	if ((e = dp_range_widest(c, from, n, eps, delta)) == 0)
		dp_memo_keep(p->memo, &key, sizeof key, c, sizeof *c);
	return e;
}

/* Delta of n choices of bounded range, by their worst pairs. */

#define FEW	100	/* choices, with a grid twice as fine */
#define PARTS	16	/* cells of c, for few; half of them for more */
#define BEYOND	3	/* standard deviations of the loss that the grid has above x, below 0 */
#define WIDEST	1.	/* c */
#define GUESS	1.04	/* of the c to begin with */
#define TRIES	8
#define CLOSE	0.02	/* of delta, which is some thousandth of c */
#define NEAR	0x1p-10	/* of c, which is found to this */
#define SLACK	0x1p-46	/* of doubles, a choice, over c */

/*
 * H_k of cell i, t from i h to (i + 1) h: at x_j its ends are
 *	p_i H(j - i) + (1 - p_i) H(j - i + parts)
 * and that of i + 1.  With the differences d of neighbours below, u of neighbours above, and g =
 * e^h - 1: A = w_0 d (1 + g) / g, C = k w_0 u (1 + g) / g, B = H(j - i - 1) - d / g and
 * D = H(j - i - 1 + parts) - u / g.
 */
static void
cell(double *restrict best, const double *restrict old, size_t n, double c, int parts,
    int i)
{
	const double h = c / parts, k = exp(-c), g = expm1(h), kw = exp(i * h - c);
	const double p = expm1(i * h - c) / expm1(-c), q = expm1((i + 1) * h - c) / expm1(-c);
	const double last = exp(2 * h), over = -0.25 / expm1(-c), slack = SLACK / c;
	const double *const below = old - i - 1, *const above = below + parts;
	double d, u, left, right, a, b, more;
	size_t j;

	for (j = 0; j < n; j++) {
		d = below[j + 1] - below[j];
		u = above[j + 1] - above[j];
		left = p * below[j + 1] + (1 - p) * above[j + 1];
		right = q * below[j] + (1 - q) * above[j];
		a = (k * u - d) * ((1 + g) / g);		/* (C - A) / w_0 */
		b = kw * (below[j] - above[j] + (u - d) / g);	/* k (B - D) w_0 */
		more = a > b && a < b * last ? over * (a - b) * (a - b) / b : 0;
		left += more;
		left = (left > right ? left : right) + slack * below[j];
		best[j] = best[j] > left ? best[j] : left;
	}
}

/* The values beyond the ends. */
static void
pad(double *row, size_t n)
{
	size_t i;

	for (i = 0; i < PARTS; i++) {
		row[i] = 1;
		row[PARTS + n + i] = row[PARTS + n - 1];
	}
}

/*
 * Points of the grid are off by less than 2^-50 of their largest: each stands for one that is less
 * by 2^-40.
 */
int
dp_range_delta(double *delta, double c, uint64_t choices, double x)
{
	const int parts = choices <= FEW ? PARTS : PARTS / 2;
	const double h = c / parts, sd = c * sqrt((double)choices) / 2, all = c * (double)choices;
	const size_t down = (size_t)ceil(fmin(all, x + BEYOND * sd) / h) + 1;
	const size_t n = down + (size_t)ceil(fmin(all, BEYOND * sd) / h) + 1;
	double *row = malloc(2 * (n + (size_t)2 * PARTS) * sizeof *row), *old, *best, *t;
	uint64_t k;
	size_t j;
	int i;

	if (row == NULL)
		return DP_ENOMEM;
	old = row;
	best = row + n + (size_t)2 * PARTS;
	for (j = 0; j < n; j++)
		old[PARTS + j] = fmax(0, -expm1(x + ((double)j - (double)down) * h -
		    (x + 1) * 0x1p-40));
	pad(old, n);
	for (k = 0; k < choices; k++) {
		for (j = 0; j < n; j++)
			best[PARTS + j] = 0;
		for (i = 0; i < parts; i++)
			cell(best + PARTS, old + PARTS, n, c, parts, i);
		pad(best, n);
		t = old;
		old = best;
		best = t;
	}
	*delta = old[PARTS + down];
	free(row);
	return 0;
}

/*
 * Between a c that is enough, of which at[0] is H, and one that is not, as if log H were linear in
 * log c; halves where H is 0.  To begin with a c is guessed that is enough for most deltas.
 */
int
dp_range_widest(double *c, double from, uint64_t n, double x, double delta)
{
	const double most = fmin(WIDEST, (n > FEW / 10 ? 1.2 : 2) * from);
	double a = fmin(GUESS * from, most), b = most, at[2] = { 0 }, try, d = 0;
	int e, i;

	*c = from;
	if (from >= most)
		return 0;
	if ((e = dp_range_delta(&at[0], a, n, x)) != 0 ||
	    (at[0] > delta && (e = dp_range_delta(&at[0], a = from, n, x)) != 0) ||
	    (e = dp_range_delta(&at[1], b, n, x)) != 0)
		return e;
	if (at[1] <= delta)
		a = b;
	for (i = 0; i < TRIES && at[0] < (1 - CLOSE) * delta && b / a > 1 + NEAR; i++) {
		d = at[0] > 0 ? (log(delta) - log(at[0])) / (log(at[1]) - log(at[0])) : 0.5;
		try = a * exp(log(b / a) * fmin(fmax(d, 0.02), 0.98)) * (1 - NEAR / 4);
		if ((e = dp_range_delta(&d, try, n, x)) != 0)
			return e;
		*(d <= delta ? &a : &b) = try;
		at[d > delta] = d;
	}
	*c = at[0] <= delta ? a : from;
	return 0;
}

/*
 * Noise on a grid coarser than the data's (privacy.h).
 */

#define LEAST		26	/* -log2 of a rate: of less,
    draws are too far off (normtree/normtree.h) */
#define UNIT_MAX	((uint64_t)1 << 26)
/* Units of one of w: times UNIT_MAX it is less than half a word. */
#define FAR		((int64_t)1 << 36)

/* The largest L: floor(epsilon 2^LEAST). */
static uint64_t
room(const struct dp_privacy *p)
{
	const dp_uwide n = ((dp_uwide)p->epsilon.num << LEAST) / p->epsilon.den;

	return n > UINT64_MAX ? UINT64_MAX : (uint64_t)n;
}

uint64_t
dp_coarse_moves(uint64_t l1, uint64_t cells, uint64_t unit)
{
	return (uint64_t)((l1 + (dp_uwide)cells * (unit - 1)) / unit);
}

int
dp_coarse_unit(const struct dp_privacy *p, uint64_t *unit, double *rate)
{
	const uint64_t L = p->exact ? UINT64_MAX : room(p), c = p->cells;
	struct dp_privacy own = *p;

	*unit = 1;
	if (p->l1 > L) {
		if (c == 0 || L <= c)
			return DP_ERANGE;
		*unit = ((p->l1 - c + (L - c) - 1) / (L - c)) | 1;
		if (*unit > UNIT_MAX)
			return DP_ERANGE;
		*unit = dp_numbers_int(p->numbers, "unit", *unit, 3, UNIT_MAX);
		own.l1 = dp_coarse_moves(p->l1, c, *unit);
	}
	*rate = dp_privacy_rate(&own);
	return 0;
}

double
dp_coarse_epsilon(const struct dp_privacy *p)
{
	const double l1 = (double)p->l1, c = (double)p->cells;
	const double L = p->cells == 0 ? l1 : c + fmax(1, ceil(l1 / (UNIT_MAX - 2)));

	return ldexp(fmin(l1, L), -LEAST);
}

/* Uniform from -(unit - 1) / 2 .. (unit - 1) / 2. */
static int
uniform(uint64_t unit, struct dp_rng *rng, int64_t *u)
{
	uint64_t mask = unit, x;
	const uint8_t *at;

	mask |= mask >> 1;
	mask |= mask >> 2;
	mask |= mask >> 4;
	mask |= mask >> 8;
	mask |= mask >> 16;
	do {
		if ((at = dp_rng_take(rng, sizeof x)) == NULL)
			return rng->error;
		x = dp_load64(at) & mask;
	} while (x >= unit);
	*u = (int64_t)x - (int64_t)(unit / 2);
	return 0;
}

int
dp_coarse_widen(uint64_t unit, struct dp_rng *rng, int64_t *w, unsigned n)
{
	int64_t u = 0;
	unsigned i;
	int e = 0;

	for (i = 0; i < n && e == 0; i++) {
		if (w[i] > FAR || w[i] < -FAR)
			e = DP_ERANGE;
		else if (rng->kind == DP_RNG_KNOWN || (e = uniform(unit, rng, &u)) == 0)
			w[i] = w[i] * (int64_t)unit + u;
	}
	dp_rng_wipe(rng);
	explicit_bzero(&u, sizeof u);
	return e;
}
