/* SPDX-License-Identifier: ISC */
/*
 * t_flips.c - the law of many random bits and a Laplace draw: variance, tail and bound against sums
 * over all that can happen.
 */
#include <math.h>

#include "check.h"
#include "law/law.h"

/* P(|coef (x - n p) + unit z| > y), x binomial; z from -200 to 200, which is all but 1e-15 */
static double
brute(const struct dp_law_flip *f, const struct dp_noise *z, double unit, double y)
{
	const double q = exp(-1 / dp_q_double(z->param));
	double sum = 0, px, pz;
	int x, k;

	for (x = 0; x <= f->n; x++) {
		px = exp(lgamma(f->n + 1) - lgamma(x + 1) - lgamma(f->n - x + 1) +
		    x * log(f->p) + (f->n - x) * log1p(-f->p));
		for (k = -200; k <= 200; k++) {
			pz = (1 - q) / (1 + q) * pow(q, abs(k));
			if (fabs(f->coef * (x - f->n * f->p) + unit * k) > y)
				sum += px * pz;
		}
	}
	return sum;
}

static void
bounds(double n, double p, double coef)
{
	const struct dp_law_flip f = { coef, n, p };
	static struct dp_law law;
	struct dp_noise z;
	double gamma, w;

	if (dp_noise_describe(&z, DP_NOISE_LAPLACE, dp_q_make(3, 2)) != 0)
		abort();
	dp_law_clear(&law);
	dp_law_flip(&law, coef, n, p);
	dp_law_flip(&law, coef, 0, p);
	dp_law_add(&law, &z, coef, 1);
	check(law.flips == 1);
	check(fabs(dp_law_variance(&law) / (coef * coef * (n * p * (1 - p) +
	    dp_noise_variance(&z))) - 1) < 1e-12);
	for (gamma = .3; gamma > 1e-7; gamma /= 4) {
		w = dp_law_bound(&law, gamma);
		/* holds what it says, and an eighth, three units and three steps less do not */
		check(brute(&f, &z, coef, w + 1) <= gamma * 1.0001);
		check(brute(&f, &z, coef, w * 7 / 8 - 3 - 3 * coef) > gamma);
	}
	w = dp_law_bound(&law, 1e-12);
	check(brute(&f, &z, coef, w) <= 1e-12);
	check(w < 30 * sqrt(dp_law_variance(&law)));
	/* a bound for the tail at any point */
	for (w = 1; w < 60; w += 7)
		check(dp_law_chernoff(&law, w) >= brute(&f, &z, coef, w - .01));
}

/* Several kinds of bits, and too many kinds. */
static void
kinds(void)
{
	static struct dp_law law;
	int i;

	dp_law_clear(&law);
	for (i = 0; i < DP_LAW_FLIPS; i++)
		dp_law_flip(&law, 1 + i, 100, .5);
	check(fabs(dp_law_variance(&law) - 25 * (1 + 4 + 9 + 16)) < 1e-9);
	/* four sums of a hundred are all but normal */
	check(fabs(dp_law_bound(&law, .05) - 1.96 * sqrt(750)) < 3);
	dp_law_flip(&law, 1, 1, .5);
	check(isinf(dp_law_variance(&law)) && isinf(dp_law_bound(&law, .05)));
	dp_law_clear(&law);
	check(law.flips == 0 && dp_law_bound(&law, .05) == 0);
}

int
main(void)
{
	bounds(50, .27, 4.1);
	bounds(50, .73, 4.1);
	bounds(200, .5, 2.2);
	bounds(40, .1, 2.5);
	bounds(1, .27, 3);
	kinds();
	return done();
}
