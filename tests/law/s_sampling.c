/* SPDX-License-Identifier: ISC */
/*
 * s_sampling.c - intervals of what events are a sample of (stat/sampling.c) hold the mean that the
 * events come from as often as they say.
 *
 * Fixed seed.  Of each setting R samples of N events, each with noise of its own; the statistic is
 * how many of R intervals of confidence .95 miss the mean, which is binomial with a probability of
 * at most .05: limit 6 standard deviations, R = 2000, false-reject rate of all checks together
 * below 1e-6.  SAMPLING_RUNS=100000 (make sampling): all settings, at most .055 R each (7 standard
 * deviations above .05), and of shares the widths at E = 1 and N = 1500, within 5 % of the least;
 * differences of every two of 24 settings at four epsilons by R / 50.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../unit/covers.h"
#include "law/law.h"
#include "random/internal.h"
#include "random/rng.h"
#include "stat/internal.h"
#include "stat/mean.h"

#define GAMMA	.05
#define RUNS	2000
#define NUMBERS_MAX	100000

static struct dp_rng *rng;
static uint64_t R = RUNS;
static bool all;

static double
uniform(void)
{
	const uint8_t *p = dp_rng_take(rng, sizeof(uint64_t));
	uint64_t u;

	if (p == NULL)
		abort();
	memcpy(&u, p, sizeof u);
	return (double)(u >> 11) * 0x1p-53;
}

/* P(K <= k), K binomial, of two settings */
static double cumulative[2][NUMBERS_MAX + 1];

static void
set_binomial(unsigned which, int n, double p)
{
	double sum = 0;
	int k;

	for (k = 0; k <= n; k++) {
		sum += p < 1 ? exp(lgamma(n + 1.) - lgamma(k + 1.) - lgamma(n - k + 1.) +
		    k * log(p) + (n - k) * log1p(-p)) : k == n;
		cumulative[which][k] = sum;
	}
}

static int
binomial(unsigned which, int n)
{
	const double u = uniform() * cumulative[which][n];
	int lo = -1, hi = n, mid;

	while (hi - lo > 1) {
		mid = (lo + hi) / 2;
		*(cumulative[which][mid] > u ? &hi : &lo) = mid;
	}
	return hi;
}

/* Plans intervals for noise of epsilon on all numbers; of values 0 .. M. */
static void
plan_of(struct dp_sampling_law *l, struct dp_noise *noise, const struct dp_mean_asked *k,
    struct dp_q epsilon)
{
	static struct dp_law law;

	if (dp_noise_laplace(noise, dp_q_make(dp_mean_reach(k) * epsilon.den, epsilon.num)) != 0)
		abort();
	dp_law_clear(&law);
	dp_law_add(&law, noise, 1, 1);
	if (dp_sampling_law(l, k, (struct dp_mean_noise){ &law, 0, true, 1 }, GAMMA) != 0)
		abort();
}

static void
plan(struct dp_sampling_law *l, struct dp_noise *noise, struct dp_mean_asked *k, int64_t M,
    struct dp_q epsilon)
{
	*k = (struct dp_mean_asked){ .hi = M, .n = 1, .what = { DP_MEAN_MEAN }, .sampling = true };
	plan_of(l, noise, k, epsilon);
}

/* Adds noise to the numbers; the interval, and whether it holds the mean. */
static bool
holds(const struct dp_sampling_law *l, const struct dp_noise *noise, double *b, double mean,
    double end[2])
{
	int64_t z[DP_MEAN_NUMBERS];
	unsigned i;

	if (dp_noise_fill(noise, rng, z, l->n) != 0)
		abort();
	for (i = 0; i < l->n; i++)
		b[i] += (double)z[i];
	dp_sampling_hull(l, b, end);
	return end[0] <= mean + 1e-12 && end[1] >= mean - 1e-12;
}

static void
judge(const char *what, double E, int N, double mean, uint64_t misses, double width)
{
	const double n = (double)R, six = 6 * sqrt(n * GAMMA * (1 - GAMMA));
	const double room = all ? fmax(.005 * n, six) : six;

	printf("%s, E = %g, N = %d, mean %g: %.4f hold it, %.4f wide\n", what, E, N, mean,
	    1 - (double)misses / n, width / n);
	fflush(stdout);
	check((double)misses <= GAMMA * n + room);
}

static void
shares(struct dp_q epsilon, int N, double p, double most)
{
	struct dp_sampling_law l = { .gamma = 0 };
	struct dp_mean_asked k;
	struct dp_noise noise;
	double width = 0, b[2], end[2];
	uint64_t r, misses = 0;
	int K;

	plan(&l, &noise, &k, 1, epsilon);
	set_binomial(0, N, p);
	for (r = 0; r < R; r++) {
		K = binomial(0, N);
		b[0] = N - K;
		b[1] = K;
		misses += !holds(&l, &noise, b, p, end);
		width += end[1] - end[0];
	}
	judge("shares", dp_q_double(epsilon), N, p, misses, width);
	if (most > 0)
		check(width / (double)R <= most * (all ? 1 : 1.01));
}

#define UNITS	1e9		/* of a difference */

/* What mean.c has for --difference. */
static void
range_of(struct dp_law_range *v, const double *b, const double end[2])
{
	const double n = b[0] + b[1];

	*v = (struct dp_law_range){ n > 0 ? (dp_wide)rint(UNITS * fmin(fmax(b[1] / n, 0), 1)) :
	    DP_NONE, (dp_wide)floor(UNITS * end[0]), (dp_wide)ceil(UNITS * end[1]), 0,
	    (dp_wide)UNITS, false };
}

/* The difference of two shares, of the intervals of both. */
static void
differences(struct dp_q epsilon, const int n[2], const double p[2])
{
	struct dp_sampling_law l = { .gamma = 0 };
	struct dp_mean_asked k;
	struct dp_noise noise;
	const double truth = rint(UNITS * (p[0] - p[1]));
	struct dp_law_range one[2], d;
	double width = 0, b[2], end[2];
	uint64_t r, misses = 0, told = 0;
	int i, K;
	char what[64];

	plan(&l, &noise, &k, 1, epsilon);
	for (i = 0; i < 2; i++)
		set_binomial((unsigned)i, n[i], p[i]);
	for (r = 0; r < R; r++) {
		for (i = 0; i < 2; i++) {
			K = binomial((unsigned)i, n[i]);
			b[0] = n[i] - K;
			b[1] = K;
			(void)holds(&l, &noise, b, p[i], end);
			range_of(&one[i], b, end);
		}
		dp_law_difference(&one[0], &one[1], &d);
		misses += (double)d.lo > truth || (double)d.hi < truth;
		told += d.lo > 0 || d.hi < 0;
		width += (double)(d.hi - d.lo) / UNITS;
	}
	snprintf(what, sizeof what, "difference to %g of %d, told apart %.3f", p[1], n[1],
	    (double)told / (double)R);
	judge(what, dp_q_double(epsilon), n[0], p[0], misses, width);
}

/* Every two numbers of events and shares, by a fiftieth of the runs. */
static void
pairs(struct dp_q epsilon)
{
	static const double share[] = { .0005, .01, .1, .4, .5, 1 };
	static const int number[] = { 30, 100, 1500, 100000 };
	const uint64_t runs = R;
	unsigned i, j;

	R /= 50;
	for (i = 0; i < 24; i++)
		for (j = 0; j <= i; j++)
			differences(epsilon, (int[]){ number[i % 4], number[j % 4] },
			    (double[]){ share[i / 4], share[j / 4] });
	R = runs;
}

#define MAX	1000		/* grid units of weights */

/* N rows of weights up to MAX, few of them near it, of which values are all or nothing. */
static void
weights(struct dp_q epsilon, int N, double p)
{
	struct dp_mean_asked k = { .hi = 1, .n = 1, .what = { DP_MEAN_MEAN }, .sampling = true,
	    .weight = { .most = MAX, .finer = 1 } };
	struct dp_sampling_law l = { .gamma = 0 };
	struct dp_noise noise;
	double width = 0, b[2], end[2], w, u;
	uint64_t r, misses = 0;
	int i;

	plan_of(&l, &noise, &k, epsilon);
	check(l.n == 2 && l.unit == MAX);
	for (r = 0; r < R; r++) {
		b[0] = b[1] = 0;
		for (i = 0; i < N; i++) {
			u = uniform();
			w = floor(MAX * u * u);
			b[uniform() < p] += w;
		}
		misses += !holds(&l, &noise, b, p, end);
		width += end[1] - end[0];
	}
	judge("weights", dp_q_double(epsilon), N, p, misses, width);
}

static double
even(double u)
{
	return u;
}

static double
skewed(double u)		/* revenue: few buy, and little, most often */
{
	return u < .9 ? 0 : pow((u - .9) / .1, 6);
}

static double
near_one(double u)
{
	return .8 + .02 * u;
}

static double
bits(double u)
{
	return u < .99 ? 0 : 1;
}

static const struct {
	const char *name;
	double (*of)(double);
	double mean;
} laws[] = { { "even values", even, .5 }, { "skewed values", skewed, .1 / 7 },
    { "values near each other", near_one, .81 }, { "values 0 and 1", bits, .01 } };

#define M	1000

static void
values(struct dp_q epsilon, int N, unsigned law)
{
	struct dp_sampling_law l = { .gamma = 0 };
	struct dp_mean_asked k;
	struct dp_noise noise;
	double width = 0, b[3], v, end[2];
	uint64_t r, misses = 0;
	int64_t x[DP_MEAN_NUMBERS];
	int i, c;

	plan(&l, &noise, &k, M, epsilon);
	check(l.n == 3);
	for (r = 0; r < R; r++) {
		b[0] = b[1] = b[2] = 0;
		for (i = 0; i < N; i++) {
			/* to the grid at random, which keeps the mean */
			v = laws[law].of(uniform()) * M;
			v = floor(v) + (uniform() < v - floor(v));
			dp_mean_split(&k, (int64_t)v, x);
			for (c = 0; c < 3; c++)
				b[c] += (double)x[c];
		}
		misses += !holds(&l, &noise, b, laws[law].mean, end);
		width += end[1] - end[0];
	}
	judge(laws[law].name, dp_q_double(epsilon), N, laws[law].mean, misses, width);
}

/* The least widths at E = 1 and N = 1500, with 5 % more; of others nothing is asked. */
static double
most_wide(unsigned e, int N, double p)
{
	if (e != 1 || N != 1500)
		return 0;
	return p == .01 ? 1.05 * .0112 : p == .4 ? 1.05 * .0509 : 0;
}

int
main(int argc, char **argv)
{
	static const double ps[] = { .01, .4, .0005, .1, .5, 1 };
	static const int numbers[] = { 30, 1500, 100, 100000 };
	const struct dp_q epsilon[] = { { 5, 1 }, { 1, 1 }, { 2, 1 }, { 3, 10 } };
	static const struct {
		int n[2];
		double p[2];
	} groups[] = { { { 1500, 1500 }, { .4, .4 } }, { { 1500, 300 }, { .05, .1 } },
	    { { 100, 100 }, { .4, .4 } }, { { 1500, 1500 }, { .4, .45 } },
	    { { 30, 1500 }, { .1, .1 } }, { { 30, 30 }, { 1, 1 } }, { { 100, 100 }, { .01, .01 } },
	    { { 1500, 100 }, { .0005, .01 } }, { { 100000, 1500 }, { .01, .01 } },
	    { { 100, 30 }, { 1, .5 } }, { { 100000, 100000 }, { 1, 1 } },
	    { { 1500, 100000 }, { 1, .5 } },
	    { { 100000, 1500 }, { .5, .0005 } }, { { 30, 30 }, { .5, .5 } },
	    { { 100000, 100000 }, { .0005, .0006 } }, { { 100, 1500 }, { .5, .4 } } };
	const char *runs = getenv("SAMPLING_RUNS");
	unsigned e, n, p;

	covers(argc, argv);
	if (covers_list)
		return 0;
	all = runs != NULL;
	R = all ? strtoull(runs, NULL, 10) : RUNS;
	if (dp_rng_open_seed(&rng, 20261129) != 0)
		abort();
	for (e = 0; covers_asked("shares") && e < (all ? 4 : 2); e++)
		for (n = 0; n < (all ? 4 : 2); n++)
			for (p = 0; p < (all ? 6 : 2); p++)
				shares(epsilon[e], numbers[n], ps[p], most_wide(e, numbers[n],
				    ps[p]));
	for (e = 0; covers_asked("differences") && e < (all ? 4 : 2); e++)
		for (n = 0; n < (all ? sizeof groups / sizeof *groups : 2); n++)
			differences(epsilon[e], groups[n].n, groups[n].p);
	for (e = 0; all && covers_asked("pairs") && e < 4; e++)
		pairs(epsilon[e]);
	for (e = 0; covers_asked("weights") && e < (all ? 4 : 1); e++)
		for (n = all ? 0 : 2; n < 3; n++)
			for (p = 0; p < (all ? 6 : 2); p++)
				weights(epsilon[e], numbers[n], ps[p]);
	for (e = 0; covers_asked("values") && e < (all ? 4 : 1); e++)
		for (n = all ? 0 : 2; n < 3; n++)
			for (p = 0; p < 4; p++)
				values(epsilon[e], numbers[n], p);
	dp_rng_free(rng);
	return done();
}
