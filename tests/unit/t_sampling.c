/* SPDX-License-Identifier: ISC */
/*
 * t_sampling.c - intervals of what events are a sample of (stat/sampling.c): tails against sums
 * over all that can happen, and the ends of intervals against those.
 */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "law/law.h"
#include "stat/internal.h"
#include "stat/mean.h"

#define GAMMA	.05
#define HALF	(.9 * GAMMA / 2)
#define FAR	80		/* noise farther off is left out, with what it weighs */

static struct dp_noise noise;
static struct dp_law law;
static struct dp_sampling_law l;

/* Discrete Laplace noise of scale 1/e on both numbers of shares, e tenths. */
static void
plan(unsigned tenths)
{
	static const struct dp_mean_asked k = { .hi = 1, .n = 1, .what = { DP_MEAN_MEAN },
	    .sampling = true };

	noise = (struct dp_noise){ .kind = DP_NOISE_LAPLACE, .param = dp_q_make(10, tenths) };
	dp_law_clear(&law);
	dp_law_add(&law, &noise, 1, 1);
	check(dp_sampling_law(&l, &k, (struct dp_mean_noise){ &law, 0, true, 1 },
	    GAMMA) == 0);
}

static double
binomial(int n, int k, double p)
{
	if (p <= 0 || p >= 1)
		return k == (p >= 1 ? n : 0);
	return exp(lgamma(n + 1.) - lgamma(k + 1.) - lgamma(n - k + 1.) + k * log(p) +
	    (n - k) * log1p(-p));
}

/* P((1 - rho) A' - rho B' >= d), A' and B' the private numbers of n events. */
static double
exact(int n, double rho, double d)
{
	const double q = exp(-1 / dp_q_double(noise.param)), top = (1 - q) / (1 + q);
	double p = 0, one;
	int k, w, least;

	for (k = 0; k <= n; k++) {
		one = 0;
		for (w = -FAR; w <= FAR; w++) {
			/* the least w_a that is enough with w_b = w; ties to the right */
			least = (int)ceil((d - k + n * rho + rho * w) / (1 - rho) - 1e-9);
			one += top * pow(q, abs(w)) * (least > 0 ? pow(q, least) / (1 + q) :
			    1 - pow(q, 1 - least) / (1 + q));
		}
		p += binomial(n, k, rho) * one;
	}
	return p;
}

/* Tails are never below the exact ones, and near them where it matters. */
static void
tails(void)
{
	static const double rhos[] = { .0005, .01, .03, .1, .25, .4, .5, .7, .95 };
	static const int numbers[] = { 1, 5, 30, 120 };
	static const unsigned tenths[] = { 3, 10, 20, 50 };
	double b[2], d, p, bound, sd, most = 0, worst = 1;
	unsigned e, i, j, x;

	for (e = 0; e < 4; e++) {
		plan(tenths[e]);
		for (i = 0; i < 4; i++)
			for (j = 0; j < sizeof rhos / sizeof *rhos; j++) {
				sd = sqrt(numbers[i] * rhos[j] * (1 - rhos[j]) +
				    dp_law_variance(&law) * (rhos[j] * rhos[j] +
				    (1 - rhos[j]) * (1 - rhos[j])));
				for (x = 0; x < 4; x++) {
					/* A and B that give d, on the lattice or off it */
					b[1] = ceil(numbers[i] * rhos[j] + (1.6 + .3 * x) * sd);
					b[0] = numbers[i] - b[1] + (int)(x % 3) - 1;
					d = (1 - rhos[j]) * b[1] - rhos[j] * b[0];
					bound = dp_sampling_tail(&l, b, rhos[j], numbers[i]);
					p = exact(numbers[i], rhos[j], d);
					worst = fmin(worst, bound / p);
					if (p > 1e-3)
						most = fmax(most, bound / exact(numbers[i],
						    rhos[j], d - .12 * sd - .05));
					check(bound >= p * (1 - 1e-6));
				}
			}
	}
	printf("tails: %.4f to %.3f of the exact ones\n", worst, most);
	check(most < 2.2);	/* where noise has few values; most are within a fifth */
}

/* Below the lower end no number of events within its bounds has half of what is missed. */
static void
ends(void)
{
	static const double seen[][2] = { { 27, 3 }, { 97, 3 }, { 60, 40 }, { 12, -1 }, { 3, 30 },
	    { 110, 1 }, { 5, 4 } };
	static const unsigned tenths[] = { 3, 10, 50 };
	double end[2], d, rho, p, inside;
	unsigned e, i;
	int n, all;

	for (e = 0; e < 3; e++) {
		plan(tenths[e]);
		for (i = 0; i < sizeof seen / sizeof *seen; i++) {
			dp_sampling_hull(&l, seen[i], end);
			check(end[0] >= 0 && end[0] < end[1] && end[1] <= 1);
			all = (int)(seen[i][0] + seen[i][1]);
			check(l.all > 5 / dp_q_double(dp_q_make(tenths[e], 10)));
			if (end[0] == 0)
				continue;
			for (rho = end[0] * .999; rho > end[0] / 4; rho *= .8) {
				d = seen[i][1] - rho * all;
				for (n = (int)fmax(ceil(all - l.all), 1); n <= all + l.all; n++)
					check(exact(n, rho, d) < HALF);
			}
			/* and not far above it some number has */
			rho = end[0] + .05 * (seen[i][1] / all - end[0]);
			for (inside = 0, n = 1; n <= all + l.all; n++) {
				p = exact(n, rho, seen[i][1] - rho * all);
				inside = fmax(inside, p);
			}
			printf("%g,%g at %g: from %g; a little above it %g of %g\n", seen[i][0],
			    seen[i][1], tenths[e] / 10., end[0], inside, HALF);
			check(inside > .6 * HALF);
		}
	}
}

/* Nothing is known, or all is. */
static void
extremes(void)
{
	double end[2];

	plan(10);
	dp_sampling_hull(&l, (const double []){ -9, 1 }, end);
	check(end[0] == 0 && end[1] == 1);
	dp_sampling_hull(&l, (const double []){ 0, 1000 }, end);
	check(end[0] > .99 && end[1] == 1);
	dp_sampling_hull(&l, (const double []){ 1000, 0 }, end);
	check(end[0] == 0 && end[1] < .01);
	dp_sampling_hull(&l, (const double []){ 1e12, 1e12 }, end);
	check(end[0] > .49999 && end[0] < .5 && end[1] > .5 && end[1] < .50001);
}

/*
 * Values that are all 0 may be few of 1: 100 of them are, and noise is on that side, with the
 * probability HALF if the mean is 1 - (2 HALF)^(1/100).  What is always .5 has nearly that mean.
 */
static void
values(void)
{
	static const struct dp_mean_asked k = { .hi = 1000, .n = 1, .what = { DP_MEAN_MEAN },
	    .sampling = true };
	const double U = (double)dp_mean_unit(&k);
	double end[2];

	check(dp_mean_numbers(&k) == 3 && U == 1e6);
	noise = (struct dp_noise){ .kind = DP_NOISE_LAPLACE, .param = dp_q_make(1000, 1) };
	dp_law_clear(&law);
	dp_law_add(&law, &noise, 1, 1);
	check(dp_sampling_law(&l, &k, (struct dp_mean_noise){ &law, 0, true, 1 },
	    GAMMA) == 0 && !l.shares);
	dp_sampling_hull(&l, (const double []){ 100 * U, 0, 0 }, end);
	check(end[0] == 0 && end[1] > 1 - pow(2 * HALF, .01) && end[1] < .06);
	dp_sampling_hull(&l, (const double []){ 0, 0, 100 * U }, end);
	check(end[1] == 1 && end[0] < pow(2 * HALF, .01) && end[0] > .94);
	/* ten thousand of .5: b = 1/4, 1/2, 1/4 */
	dp_sampling_hull(&l, (const double []){ 2500 * U, 5000 * U, 2500 * U }, end);
	check(end[0] > .499 && end[0] < .5 && end[1] > .5 && end[1] < .501);
}

int
main(void)
{
	values();
	tails();
	ends();
	extremes();
	return done();
}
