/* law_chernoff.c - rigorous bounds of a law, from its cumulants. */
#include <math.h>

#include "law.h"

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

/* For the worse sign of s; INFINITY: with parts, too. */
static double
cumulant(const struct dp_law *l, double s)
{
	double k = dp_law_cumulant(l, s);
	unsigned i;

	for (i = 0; i < l->flips; i++)
		k += l->flip[i].n * log_mgf_bit(l->flip[i].p, s * l->flip[i].coef);
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
