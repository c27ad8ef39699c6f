/* SPDX-License-Identifier: ISC */
/*
 * t_normtree_tally.c - the variance of windows and decays over a row of chains (internal.h), with
 * variances of splits of any size.
 *
 * by_hand  two levels, a window of 3: each square on paper
 * brute    rows of 2^0 .. 2^6 steps, windows of 1 .. 41, alpha .05 .. .9999: at every step the sum
 *          over all nodes, from the weights of the steps, to 10^-11; so are the sums of 1..T
 * largest  rows of 2^0 .. 2^13 steps: no step of 1..T has more, and the one that is named has it,
 *          to 10^-10; T from 1 to 60,000
 * places   a count's variance in one place of 2 .. 2^14 steps: the same, also where most
 *          of it is of the steps alone, and many are nearly as bad
 * far      T = 2^40, windows to 2^32, half-lives to 10^8: found, and attained
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "normtree/internal.h"

static uint64_t state = 88172645463325252;

static double
uniform(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return ldexp((double)(state >> 11), -53);
}

static bool
near(double a, double b, double room)
{
	return fabs(a - b) <= room * (fabs(a) + fabs(b)) + 1e-300;
}

static struct dp_task
window(uint64_t W)
{
	return (struct dp_task){ .what = DP_TASK_WINDOW, .windows = 1, .w = { W } };
}

static struct dp_task
decay(double alpha)
{
	return (struct dp_task){ .what = DP_TASK_EXP, .alpha = alpha };
}

/* Random variances, one level in five next to nothing. */
static struct dp_tally
row(unsigned h, const struct dp_task *k)
{
	struct dp_tally q;
	double split[DP_NORMTREE_LEVELS], root = uniform() * 10;
	unsigned l;

	for (l = 0; l < h; l++)
		split[l] = uniform() < .2 ? 1e-6 : .1 + 10 * uniform();
	dp_tally_set(&q, h, split, root, k, 0);
	return q;
}

static double
variance(const struct dp_tally *q, uint64_t t)
{
	double v = 0;
	unsigned l;

	for (l = 0; l <= q->h; l++)
		v += q->v[l] * dp_tally_at(q, l, t);
	return v;
}

static void
by_hand(void)
{
	static const double split[] = { 1, 1 };
	const struct dp_task k = window(3);
	struct dp_tally q;

	dp_tally_set(&q, 2, split, 1, &k, 0);
	/* after step 3: nodes (1 2) whole, (3 4): the left half; (1..4): 1 and 1/2; its mean 3/4 */
	check(dp_tally_at(&q, 0, 3) == 1);
	check(dp_tally_at(&q, 1, 3) == .25);
	check(dp_tally_at(&q, 2, 3) == .5625);
	/* steps 3 4 5: (3 4) whole, (5 6) half; (1..4): 0, 1; (5..8): 1/2, 0; roots 1/2, 1/4 */
	check(dp_tally_at(&q, 0, 5) == 1);
	check(dp_tally_at(&q, 1, 5) == 1.25);
	check(dp_tally_at(&q, 2, 5) == .3125);
	/* steps 2 3 4: (1 2) half; (1..4): 1/2 and 1; root 3/4 */
	check(dp_tally_at(&q, 0, 4) == 1);
	check(dp_tally_at(&q, 1, 4) == .25);
}

#define LONG	700

/* The weight of step s, 1-based, in the estimate of step t. */
static double
weight(const struct dp_task *k, uint64_t s, uint64_t t)
{
	if (s > t)
		return 0;
	if (k->what == DP_TASK_WINDOW)
		return t - s < k->w[0];
	return pow(k->alpha, (double)(t - s));
}

/* From the definition: nodes of all levels, the means of their steps' weights. */
static double
brute(const struct dp_tally *q, const struct dp_task *k, uint64_t t)
{
	double mean[LONG + 128], sum = 0;
	uint64_t n = ((t - 1) >> q->h) + 1, i;
	unsigned l;

	n <<= q->h;
	for (i = 0; i < n; i++)
		mean[i] = weight(k, i + 1, t);
	for (l = 0; l < q->h; l++, n /= 2)
		for (i = 0; i < n / 2; i++) {
			sum += q->v[l] * pow(mean[2 * i] - mean[2 * i + 1], 2);
			mean[i] = (mean[2 * i] + mean[2 * i + 1]) / 2;
		}
	for (i = 0; i < n; i++)
		sum += q->v[q->h] * mean[i] * mean[i];
	return sum;
}

static void
all_steps(unsigned h, const struct dp_task *k)
{
	const struct dp_tally q = row(h, k);
	double sum = 0, total;
	bool steps = true, sums = true;
	uint64_t t;
	unsigned l;

	for (t = 1; t <= LONG; t++) {
		steps = steps && near(variance(&q, t), brute(&q, k, t), 1e-11);
		sum += variance(&q, t);
		for (total = 0, l = 0; l <= h; l++)
			total += q.v[l] * dp_tally_sum(&q, l, t);
		sums = sums && near(total, sum, 1e-11);
	}
	check(steps);
	check(sums);
	if (!steps || !sums)
		printf("h %u, W %d, alpha %g\n", h, (int)k->w[0], k->alpha);
}

static void
every_step(void)
{
	static const uint64_t W[] = { 1, 2, 3, 5, 8, 13, 16, 24, 37, 41 };
	static const double alpha[] = { .05, .3, .9, .97, .999, .9999 };
	struct dp_task k;
	unsigned h, i;

	for (h = 0; h <= 6; h++) {
		for (i = 0; i < sizeof W / sizeof W[0]; i++) {
			k = window(W[i]);
			all_steps(h, &k);
		}
		for (i = 0; i < sizeof alpha / sizeof alpha[0]; i++) {
			k = decay(alpha[i]);
			all_steps(h, &k);
		}
	}
}

static void
one_largest(unsigned h, const struct dp_task *k, uint64_t T)
{
	const struct dp_tally q = row(h, k);
	uint64_t worst = 0, t;
	double most = dp_tally_max(&q, T, &worst), v = 0;
	bool good;

	for (t = 1; t <= T; t++)
		v = fmax(v, variance(&q, t));
	good = near(most, v, 1e-10) && worst >= 1 && worst <= T &&
	    near(variance(&q, worst), v, 1e-10);
	check(good);
	if (!good)
		printf("h %u, W %d, alpha %g, T %d: %.12g at %d, not %.12g\n", h, (int)k->w[0],
		    k->alpha, (int)T, most, (int)worst, v);
}

static void
largest(unsigned n)
{
	struct dp_task k;
	uint64_t T;
	unsigned h, i;

	for (i = 0; i < n; i++) {
		h = (unsigned)(uniform() * 14);
		T = (uint64_t)exp(uniform() * log(60000));
		k = window((uint64_t)exp(uniform() * log(20000)));
		one_largest(h, &k, T);
		k = decay(1 - exp(-uniform() * 12));
		one_largest(h, &k, T);
	}
}

/* Splits of any size; as steps' own noise has them, which grows by 2 a level, and hardly else. */
static void
places(unsigned n)
{
	double split[14], most, v, sum, said;
	struct dp_normtree_place p;
	uint64_t T, t, worst;
	unsigned i, l;
	bool grows;

	for (i = 0; i < n; i++) {
		p = (struct dp_normtree_place){ .level = 1 + i % 14, .own = uniform() * 10 };
		T = 1 + (uint64_t)(uniform() * ldexp(1, (int)p.level));
		p.before = uniform() * 5;
		p.both = (2 * uniform() - 1) * fmin(2, p.own + p.before);
		grows = i % 3 == 0;
		for (l = 0; l < p.level; l++)
			split[l] = grows ? ldexp(1 + uniform() / 100, (int)l - 1) :
			    uniform() < .2 ? 1e-6 : 10 * uniform();
		p.own = grows ? ldexp(1 + uniform() / 50, (int)p.level) : p.own;
		for (most = sum = 0, t = 1; t <= T; t++) {
			v = dp_normtree_place_at(&p, split, t);
			most = fmax(most, v);
			sum += v;
		}
		said = dp_normtree_place_max(&p, split, T, &worst);
		check(said >= most * (1 - 1e-12) && worst >= 1 && worst <= T);
		check(near(dp_normtree_place_sum(&p, split, T), sum, 1e-10));
		check(dp_normtree_place_bound(&p, split) >= most * (1 - 1e-12));
		/* 2^level of that kind may be the worst: too many to look at */
		if (grows && p.level > 10)
			continue;
		check(near(said, most, 1e-12));
		check(near(dp_normtree_place_at(&p, split, worst), most, 1e-12));
	}
}

static void
far(unsigned n)
{
	const uint64_t T = (uint64_t)1 << 40;
	struct dp_tally q;
	struct dp_task k;
	uint64_t worst = 0;
	double most;
	unsigned i, h;

	for (i = 0; i < n; i++) {
		k = i % 2 == 0 ? window((uint64_t)exp2(uniform() * 32)) :
		    decay(exp2(-1 / exp(uniform() * log(1e8))));
		h = i % 2 == 0 ? (unsigned)ceil(log2((double)k.w[0])) :
		    (unsigned)ceil(-log2(1 - k.alpha));
		q = row(h + i % 3, &k);
		most = dp_tally_max(&q, T, &worst);
		check(most < INFINITY && worst <= T && near(variance(&q, worst), most, 1e-10));
	}
}

int
main(int argc, char **argv)
{
	const bool quick = argc > 1 && strcmp(argv[1], "quick") == 0;

	by_hand();
	every_step();
	largest(quick ? 60 : 400);
	places(quick ? 200 : 1400);
	far(quick ? 40 : 400);
	return done();
}
