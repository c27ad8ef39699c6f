/* SPDX-License-Identifier: ISC */
/*
 * s_blt.c - buffered linear Toeplitz noise: measured variance equals predicted variance.
 *
 * COUNT (T = 1, 7, 1000, 1024; blt-norm: not the last) through the mechanism, WINDOW (5, 16, 100,
 * and 16 beside 100) and EXP (.5, .9, .99) by filtering the increments, at steps 1, n/2 and n.
 * R = 10000 independent
 * runs, fixed seed.  Statistic: (sample variance / predicted - 1) / sqrt(2/R), the noise being as
 * good as normal.  Limit 6.2: false-reject rate below 1e-6 for all 58 checks together (normal
 * approximation at 6e-10 each side, inflated tenfold for the skewness of a sample variance).
 * Means: |mean| <= 6.2 sqrt(variance / R).  Counts are rounded: 1/12 more. Successive increments:
 * the sample covariance of the estimates at n/2 and n, sum_k l_k l_(k + n/2) predicted from the
 * sequence l itself (COUNT and EXP), within 6.2 sqrt(2/R) of the product of standard deviations.
 * Power: a scale 10 % off moves the statistic beyond 14.
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/toeplitz.h"

#define R	10000
#define LIMIT	6.2
#define T_MAX	1024

struct moments {
	double sum, squares;
};

static void
judge(const char *what, uint64_t t, double sum, double squares, double v)
{
	double mean = sum / R, s = ((squares / R - mean * mean) / v - 1) / sqrt(2. / R),
	       m = mean / sqrt(v / R);
	bool good = fabs(s) <= LIMIT && fabs(m) <= LIMIT;

	if (!good)
		printf("%s, step %llu: variance %.4g predicted %.4g: %.1f sd; mean %.1f sd\n", what,
		    (unsigned long long)t, squares / R, v, s, m);
	check(good);
}

static void
counts(const struct dp_mech_ops *ops, uint64_t T, struct dp_rng *rng)
{
	struct dp_mech_rule rule = blt_rule(DP_TASK_COUNT, T, 0, 0, "1", "1e-6");
	struct moments at[3] = { { 0, 0 } };
	const uint64_t step[3] = { 1, T / 2 + 1, T };
	struct dp_mech *m;
	struct column c;
	int64_t est, count;
	uint64_t t;
	int i, k;

	if (leave("law", ops->name, DP_TASK_COUNT))
		return;
	if (dp_mech_plan(&m, ops, &rule) != 0)
		abort();
	for (k = 0; k < R; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (count = 0, t = 1; t <= T; t++) {
			count += (int64_t)(t & 1);
			if (column_step(&c, (int64_t)(t & 1), &est) != 0)
				abort();
			for (i = 0; i < 3; i++)
				if (step[i] == t) {
					at[i].sum += (double)(est - count);
					at[i].squares +=
					    (double)(est - count) * (double)(est - count);
				}
		}
		column_free(&c);
	}
	for (i = 0; i < 3; i++)
		judge(ops->name, step[i], at[i].sum, at[i].squares,
		    dp_mech_variance(m, step[i]) + 1. / 12);
	dp_mech_free(m);
}

/* What a filter of the increments gives at the steps of step[]. */
static void
run(struct dp_blt *b, struct dp_blt_column *c, struct dp_rng *rng, uint64_t w,
    const uint64_t step[3], double y[3])
{
	static int64_t increment[DP_FILL];
	static double sum[T_MAX + 1];
	const struct dp_task *task = &b->f.filter.task;
	const double decay = task->what == DP_TASK_EXP ? task->alpha : 1;
	uint64_t t;
	int i;

	memset(c, 0, blt_bytes(b));
	for (t = 1; t <= step[2]; t++) {
		if ((t - 1) % DP_FILL == 0 &&
		    dp_blt_fill(&b->f.m, c, rng, t - 1, increment) != 0)
			abort();
		sum[t] = decay * sum[t - 1] +
		    ldexp((double)increment[(t - 1) % DP_FILL], -(int)b->f.fraction);
		for (i = 0; i < 3; i++)
			if (step[i] == t)
				y[i] = w != 0 && t > w ? sum[t] - sum[t - w] : sum[t];
	}
}

static void
filtered(struct dp_mech_rule rule, unsigned out, uint64_t n, struct dp_rng *rng)
{
	static long double l[T_MAX];
	struct dp_blt *b;
	struct dp_blt_column *c;
	struct moments at[3] = { { 0, 0 } };
	const uint64_t step[3] = { 1, n / 2, n }, w = rule.task.windows != 0 ? rule.task.w[out] : 0;
	double y[3] = { 0 }, v[3], both = 0, expected = 0;
	struct dp_law law;
	uint64_t i;
	int k;

	if (leave("law", "blt", rule.task.what))
		return;
	b = blt_make(&rule);
	c = blt_column(b);
	for (k = 0; k < R; k++) {
		run(b, c, rng, w, step, y);
		for (i = 0; i < 3; i++) {
			at[i].sum += y[i];
			at[i].squares += y[i] * y[i];
		}
		both += y[1] * y[2] / R;
	}
	for (i = 0; i < 3; i++) {
		dp_law_clear(&law);
		dp_blt_ops.law.at(&b->f.m, out, step[i], &law);
		v[i] = dp_law_variance(&law);
		judge(w != 0 ? "window" : "exp", step[i], at[i].sum, at[i].squares, v[i]);
	}
	chain_l(&b->form, &rule.task, w, l, n);
	for (i = 0; i < n / 2; i++)
		expected += (double)(l[i] * l[i + n - n / 2]);
	expected *= ldexp(dp_noise_variance(&b->noise), -2 * (int)b->s);
	check(fabs(both - expected) <= LIMIT * sqrt(2. / R) * sqrt(v[1] * v[2]));
	free(c);
	dp_mech_free(&b->f.m);
}

int
main(int argc, char **argv)
{
	struct dp_mech_rule two = blt_rule(DP_TASK_WINDOW, 0, 100, 0, "1", "1e-6");
	struct dp_rng *rng;

	covers(argc, argv);
	if (dp_rng_open_seed(&rng, 20261122) != 0)
		abort();
	PART(counts(&dp_blt_ops, 1, rng));
	PART(counts(&dp_blt_ops, 7, rng));
	PART(counts(&dp_blt_ops, 1000, rng));
	PART(counts(&dp_blt_ops, 1024, rng));
	PART(filtered(blt_rule(DP_TASK_WINDOW, 0, 5, 0, "1", "1e-6"), 0, 64, rng));
	PART(filtered(blt_rule(DP_TASK_WINDOW, 0, 16, 0, "1", "1e-6"), 0, 192, rng));
	PART(filtered(two, 0, 384, rng));
	two.task.windows = 2;
	two.task.w[1] = 16;
	PART(filtered(two, 1, 384, rng));
	PART(filtered(blt_rule(DP_TASK_EXP, 0, 0, .5, "1", "1e-6"), 0, 64, rng));
	PART(filtered(blt_rule(DP_TASK_EXP, 0, 0, .9, "1", "1e-10"), 0, 128, rng));
	PART(filtered(blt_rule(DP_TASK_EXP, 0, 0, .99, ".1", "1e-9"), 0, 512, rng));
	PART(counts(&dp_blt_norm_ops, 1, rng));
	PART(counts(&dp_blt_norm_ops, 7, rng));
	PART(counts(&dp_blt_norm_ops, 1000, rng));
	dp_rng_free(rng);
	return done();
}
