/*
 * privacy_delta.c - what a delta buys: rho, and the standard deviation of Gaussian noise.
 */
#include <math.h>

#include "privacy.h"
#include "range.h"

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
 * The miss of Gaussian samplers (noise.h: 2^-98 in total variation a draw; more, to be safe) adds m
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

/* A choice's sampler misses far less (selection.h) than the 2^-97 that are set aside. */
int
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
