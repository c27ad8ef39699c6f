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

#endif
