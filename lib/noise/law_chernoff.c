/* law_chernoff.c - rigorous bounds of a law, from its cumulants. */
#include <math.h>

#include "law.h"

/* log E exp(s z) for s >= 0, or what is at most 1 % above it; or +inf */
static double
log_mgf(const struct dp_noise *z, double s)
{
	double b = dp_q_double(z->param), x, y;

	if (z->kind == DP_NOISE_GAUSS)
		return s * s * b / 2;	/* CKS20: subgaussian with sigma^2 */
	if (s * b >= 1)
		return INFINITY;
	/* (cosh(1/b) - 1) / (cosh(1/b) - cosh(s)), with cosh x - 1 = 2 sinh^2(x/2) */
	x = 0.5 / b;
	y = s / 2;
	if (y < 0.1 && x < 0.17) {	/* most terms, at no cost: a bound a little above */
		y *= y * (1 + 0.35 * y * y);	/* sinh^2 y < y^2 + 0.35 y^4 */
		y /= x * x;			/* sinh x > x */
		if (y < 0.01)
			return y / (1 - y);	/* > -log(1 - y) */
	}
	x = sinh(0.5 / b);
	y = sinh(s / 2);
	return -log1p(-(y * y) / (x * x));
}

/*
 * log E exp(s x) of a bit that is 1 with probability p, less its mean, for the worse sign of s:
 * that is where p is below a half.
 */
static double
log_mgf_bit(double p, double s)
{
	p = p < 0.5 ? p : 1 - p;
	if (s > 30)		/* exp(s) may not fit */
		return s + log(p + (1 - p) * exp(-s)) - s * p;
	return log1p(p * expm1(s)) - s * p;
}

static double
cumulant(const struct dp_law *l, double s)
{
	double k = 0;
	unsigned i;

	if (l->parts != 0)
		return INFINITY;
	for (i = 0; i < l->flips; i++)
		k += l->flip[i].n * log_mgf_bit(l->flip[i].p, s * l->flip[i].coef);
	for (i = 0; i < l->terms; i++)
		k += l->term[i].n * log_mgf(l->term[i].noise, s * l->term[i].coef);
	return k;
}

double
dp_law_chernoff(const struct dp_law *l, double x)
{
	double lo = 0, hi = dp_law_pole(l), a, b, v;
	int i;

	if (x <= 0 || l->full)
		return 1;
	if (l->terms + l->flips == 0)
		return 0;
	if (isinf(hi))
		hi = 2 * x / dp_law_variance(l);
	/* K(s) - s x is convex */
	for (i = 0; i < 100; i++) {
		a = lo + (hi - lo) * 0.382;
		b = lo + (hi - lo) * 0.618;
		if (cumulant(l, a) - a * x < cumulant(l, b) - b * x)
			hi = b;
		else
			lo = a;
	}
	v = 2 * exp(cumulant(l, lo) - lo * x);
	return v < 1 ? v : 1;
}

double
dp_law_chernoff_quantile(const struct dp_law *l, double gamma)
{
	double lo = 0, hi = sqrt(dp_law_variance(l)) + 1, mid;

	while (dp_law_chernoff(l, hi) > gamma) {
		lo = hi;
		hi *= 2;
	}
	while (hi - lo > 1e-3 * hi) {
		mid = (lo + hi) / 2;
		if (dp_law_chernoff(l, mid) > gamma)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

double
dp_law_quick_quantile(const struct dp_law *l, double gamma)
{
	double s = sqrt(2 * log(2 / gamma) / dp_law_variance(l)), most = 0.75 * dp_law_pole(l);

	if (s > most)
		s = most;
	return (cumulant(l, s) + log(2 / gamma)) / s;
}
