/* SPDX-License-Identifier: ISC */
/*
 * t_saddle.c - one-sided tails by the saddlepoint, against inversion, closed forms and convolution.
 */
#include <math.h>

#include "check.h"
#include "law/internal.h"
#include "law/law.h"

static struct dp_noise
laplace(uint64_t num, uint64_t den)
{
	struct dp_noise z;

	if (dp_noise_describe(&z, DP_NOISE_LAPLACE, dp_q_make(num, den)) != 0)
		abort();
	return z;
}

static struct dp_noise
gauss(uint64_t sigma2)
{
	struct dp_noise z;

	if (dp_noise_describe(&z, DP_NOISE_GAUSS, dp_q_make(sigma2, 1)) != 0)
		abort();
	return z;
}

/* P(X >= x) by the saddlepoint over what it should be: within lo..hi */
static void
near(const struct dp_law *l, double x, double want, double lo, double hi)
{
	const double got = dp_law_upper(l, x);
	const bool good = got >= lo * want && got <= hi * want;

	check(good);
	if (!good)
		printf("x %g: %.6g, not %.6g (%.4f)\n", x, got, want, got / want);
}

/* Inversion (law.h) is exact to 1e-12 or so, which limits how far out it can be asked. */
static void
inverted(const struct dp_law *l, double lo, double hi)
{
	const double sd = sqrt(dp_law_variance(l));
	double x, tail;

	for (x = ceil(sd); (tail = dp_law_tail(l, x)) > 1e-8; x = ceil(x + sd / 2))
		near(l, x, tail / 2, lo, hi);
}

/* Far out: sums of n Laplace variables of a large scale are continuous ones (F.4). */
static double
laplace_sum(unsigned n, double y)
{
	double sum = 0, inner, power = 1, choose;
	unsigned i, j;

	for (j = 0; j < n; j++) {
		for (inner = 0, choose = ldexp(1, -(int)n), i = 0; i < n - j; i++) {
			inner += choose;
			choose *= (n + i) / (i + 1.) / 2;
		}
		sum += power * inner;
		power *= y / (j + 1);
	}
	return exp(-y) * sum;
}

int
main(void)
{
	static const double coef[] = { 1, .9, .5, .25, .1 };
	struct dp_noise b20 = laplace(20, 1), b3 = laplace(3, 1), half = laplace(1, 2);
	struct dp_noise wide = laplace(1000000, 1), g = gauss(400), fine = gauss(1000000);
	static struct dp_law l;
	unsigned n, i;
	double x;

	dp_law_clear(&l);
	check(dp_law_upper(&l, 1) == 0 && dp_law_upper(&l, 0) == 1);
	/* one variable: closed form */
	dp_law_add(&l, &b20, 1, 1);
	for (x = 1; x < 1000; x += 100)
		near(&l, x, exp(-x / 20) / (1 + exp(-1. / 20)), 1 - 1e-12, 1 + 1e-12);
	/* sums, to 1/12n and a little */
	for (n = 2; n <= 64; n *= 2) {
		dp_law_clear(&l);
		dp_law_add(&l, &b20, 1, n);
		inverted(&l, 0.985, 1 + 1. / 12 / n + 0.03);
		dp_law_clear(&l);
		dp_law_add(&l, &b3, 1, n);
		inverted(&l, 0.985, 1 + 1. / 12 / n + 0.03);
		dp_law_clear(&l);
		dp_law_add(&l, &wide, 1, n);
		for (x = 2e6; x < 1e8; x *= 2)
			near(&l, x, laplace_sum(n, x / 1e6), 0.985, 1 + 1. / 12 / n + 0.03);
	}
	dp_law_clear(&l);
	dp_law_add(&l, &half, 1, 5);
	inverted(&l, 0.9, 1.15);
	/* unequal terms, and what is no lattice */
	dp_law_clear(&l);
	for (i = 0; i < 5; i++)
		dp_law_add(&l, &b20, coef[i], i + 1);
	inverted(&l, 0.985, 1.06);
	dp_law_add(&l, &g, 1, 2);
	inverted(&l, 0.985, 1.06);
	/* Gaussian: the normal tail at x - 1/2, however far out */
	dp_law_clear(&l);
	dp_law_add(&l, &fine, 1, 1);
	for (x = 1000; x < 20000; x += 1000)
		near(&l, x, erfc((x - 0.5) / 1000 * M_SQRT1_2) / 2, 1 - 1e-4, 1 + 1e-4);
	dp_law_clear(&l);
	dp_law_add(&l, &g, 0.01, 10000);
	for (x = 2; x < 200; x += 10)
		near(&l, x, erfc((x - 0.5) / 20 * M_SQRT1_2) / 2, 0.985, 1.001);
	/* the saddlepoint itself */
	check(fabs(dp_law_saddle(&l, 40) * 400 - 40) < 1e-4);
	check(fabs(dp_law_cumulant(&l, 0.1) - 2) < 1e-9);
	dp_law_clear(&l);
	dp_law_add(&l, &b20, 1, 3);
	check(isinf(dp_law_cumulant(&l, 0.05)));
	return done();
}
