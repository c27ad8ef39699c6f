/* SPDX-License-Identifier: ISC */
/*
 * stats.h - the limits of statistical tests.
 *
 * A test rejects a true hypothesis with probability FALSE_REJECT.  Seeds are
 * fixed, so a test that has passed once passes always; the rate says how lucky
 * the seed may have been.
 */
#ifndef STATS_H
#define STATS_H

#include <math.h>

#define FALSE_REJECT	1e-6
#define Z_LIMIT		4.8916		/* P(|Z| > Z_LIMIT) = FALSE_REJECT, standard normal */

/* P(chi-square with df degrees of freedom > x): the upper incomplete gamma function. */
static inline double
chi2_tail(double x, double df)
{
	double a = df / 2, scale, sum, term, b, c, d, h, n;

	x /= 2;
	if (x <= 0)
		return 1;
	scale = exp(-x + a * log(x) - lgamma(a));
	if (x < a + 1) {		/* series for the lower half */
		sum = term = 1 / a;
		for (n = 1; term > sum * 1e-16; n++)
			sum += term *= x / (a + n);
		return 1 - sum * scale;
	}
	b = x + 1 - a;			/* continued fraction, Lentz */
	c = 1e300;
	d = h = 1 / b;
	for (n = 1; n < 1e5; n++) {
		b += 2;
		d = 1 / (b - n * (n - a) * d);
		c = b - n * (n - a) / c;
		h *= c * d;
		if (fabs(c * d - 1) < 1e-15)
			break;
	}
	return h * scale;
}

/*
 * Chi-square of n[i] draws against weights w[i], over values expected 25 times or more, and the
 * rest as one if that is 5 or more; else INFINITY if the rest came 40 times.  *df: what it has.
 */
static inline double
chi_square(const long double *w, const double *n, unsigned values, double draws, double *df)
{
	double chi = 0, rest = 0, got = 0, mean;
	long double sum = 0;
	unsigned i;

	for (i = 0; i < values; i++)
		sum += w[i];
	for (*df = -1, i = 0; i < values; i++) {
		mean = (double)(w[i] / sum) * draws;
		if (mean < 25) {
			rest += mean;
			got += n[i];
			continue;
		}
		chi += (n[i] - mean) * (n[i] - mean) / mean;
		++*df;
	}
	if (rest < 5)
		return got < 40 ? chi : INFINITY;
	++*df;
	return chi + (got - rest) * (got - rest) / rest;
}

/* Its cube root, normal to 1e-3 (Wilson, Hilferty 1931). */
static inline double
chi_normal(double chi, double df)
{
	return (cbrt(chi / df) - (1 - 2 / (9 * df))) / sqrt(2 / (9 * df));
}

#endif
