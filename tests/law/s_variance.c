/* SPDX-License-Identifier: ISC */
/*
 * s_variance.c - measured variance equals predicted variance, for every mechanism, at steps
 * 1, T/2, T and the worst, T in {1, 2, 3, 7, 8, 1000, 1024}.
 *
 * R independent runs, fixed seed.  Statistic: (sample variance / predicted - 1) / sd with sd =
 * sqrt((2 + k)/R), k <= 3 the excess kurtosis of a sum of Laplace variables.  Limit 6.2:
 * false-reject rate below 1e-6 for all checks together (some 400 checks, normal approximation at
 * 6e-10 each side, inflated tenfold for the skewness of a sample variance).  A rounding to the grid
 * adds up to 1/12. Means: |mean| <= 6.2 sqrt(variance / R).
 * Power: a scale 15 % off moves the statistic to 7.9 at the least R used, 3000.
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/mech.h"

static const double weights[] = { 1, 1, .6, .3, .3, .1 };

static const struct {
	const char *name;
	struct dp_task task;
	uint64_t more;		/* than 1 is the sensitivity, by so much */
} cases[] = {
	{ "input", { .what = DP_TASK_COUNT }, 0 },
	{ "output", { .what = DP_TASK_COUNT }, 0 },
	{ "response", { .what = DP_TASK_COUNT }, 0 },
	{ "tree", { .what = DP_TASK_COUNT }, 0 },
	{ "kary", { .what = DP_TASK_COUNT }, 0 },
	{ "pan", { .what = DP_TASK_COUNT }, 0 },
	{ "pan-slots", { .what = DP_TASK_COUNT }, 0 },
	{ "input", { .what = DP_TASK_WINDOW, .windows = 1, .w = { 1 } }, 0 },
	{ "input", { .what = DP_TASK_EXP, .alpha = .9, .decimals = 6 }, 0 },
	{ "input", { .what = DP_TASK_POLY, .power = 1.5, .decimals = 6 }, 0 },
	{ "input", { .what = DP_TASK_TABLE, .g = weights, .ng = 6, .decimals = 6 }, 0 },
	{ "normtree", { .what = DP_TASK_COUNT }, 0 },
	{ "normtree", { .what = DP_TASK_WINDOW, .windows = 1, .w = { 357 } }, 0 },
	{ "normtree", { .what = DP_TASK_EXP, .alpha = .99, .decimals = 6 }, 0 },
	{ "normtree", { .what = DP_TASK_COUNT }, 999 },
	{ "normtree", { .what = DP_TASK_WINDOW, .windows = 1, .w = { 357 } }, 999999 },
	{ "normtree", { .what = DP_TASK_COUNT }, 999999999999 },
	{ "normtree", { .what = DP_TASK_WINDOW, .windows = 1, .w = { 357 } }, 999999999999 },
};

#define LIMIT	6.2

struct moments {
	uint64_t step;
	double sum, squares;
};

static void
judge(const char *what, uint64_t T, const struct dp_mech *m, const struct moments *a, double R)
{
	double v = dp_mech_variance(m, a->step), mean = a->sum / R;
	double got = (a->squares - R * mean * mean) / (R - 1), sd = sqrt(5 / R);
	bool good = fabs(mean) <= LIMIT * sqrt((v + 1. / 12) / R) &&
	    got >= v * (1 - LIMIT * sd) && got <= (v + 1. / 4) * (1 + LIMIT * sd);

	/* The debiased sum lies on a coarse grid of its own until many bits are in. */
	if (strcmp(what, "response") == 0 && v < 100)
		return;
	check(good);
	if (!good)
		printf("%s, T = %llu, step %llu: predicted %.6g, measured %.6g, mean %.4g\n", what,
		    (unsigned long long)T, (unsigned long long)a->step, v, got, mean);
}

/* Not as many ones as zeros: bits flipped with 1 - p in place of p would have the same law. */
static int64_t
value(uint64_t t)
{
	return t % 3 != 0;
}

/* Step t's exact answer */
static double
truth(const struct dp_task *k, uint64_t t)
{
	double sum = 0;
	uint64_t d;

	for (d = 0; d < t; d++)
		sum += (double)value(t - d) * dp_task_weight(k, d);
	return sum;
}

static void
measure(size_t which, uint64_t T, uint64_t R, struct dp_rng *rng)
{
	const char *what = cases[which].name;
	struct dp_mech_rule s = setting(T, 1, 1, 1 + cases[which].more);
	struct moments a[4] = { { 0, 0, 0 } };
	struct dp_error e;
	struct dp_mech *m;
	struct column c;
	double exact[4], unit, off;
	uint64_t r, t;
	int64_t est;
	int i;

	s.privacy.cells = 1;
	s.task = cases[which].task;
	s.pan = strncmp(what, "pan", 3) == 0;
	if (strcmp(what, "gauss") == 0 &&
	    dp_privacy_set(&s.privacy, false, dp_q_make(1, 1), dp_q_make(1, 1000), 1, 1) != 0)
		abort();
	if ((m = make(what, &s)) == NULL) {
		fail("not eligible");
		return;
	}
	dp_mech_error(m, T, &e);
	for (i = 0; i < 4; i++)
		a[i].step = ((uint64_t[]){ 1, (T + 1) / 2, T, e.worst })[i];
	for (i = 0; i < 4; i++)
		exact[i] = truth(&s.task, a[i].step);
	unit = pow(10, m->estimate.decimals);
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (t = 1; t <= T; t++) {
			if (column_step(&c, value(t), &est) != 0)
				abort();
			for (i = 0; i < 4; i++)
				if (a[i].step == t) {
					off = (double)est / unit - exact[i];
					a[i].sum += off;
					a[i].squares += off * off;
				}
		}
		column_free(&c);
	}
	for (i = 0; i < 4; i++)
		judge(what, T, m, &a[i], (double)R);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	static const uint64_t T[] = { 1, 2, 3, 7, 8, 1000, 1024 };
	struct dp_rng *rng;
	size_t i, j;

	covers(argc, argv);
	if (dp_rng_open_seed(&rng, 20261121) != 0)
		abort();
	for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		if (leave("law", cases[i].name, cases[i].task.what))
			continue;
		for (j = 0; j < sizeof T / sizeof T[0]; j++)
			measure(i, T[j], T[j] < 100 ? 20000 : 3000, rng);
	}
	dp_rng_free(rng);
	return done();
}
