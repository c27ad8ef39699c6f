/* SPDX-License-Identifier: ISC */
/*
 * s_levels.c - hashed identifiers: how often the bound that is said of their number is exceeded.
 *
 * R = 60 independent runs of each setting, seeds fixed.  Statistic: the runs in which one answer
 * at least is further off than the bound of its line, each with its share of 0.05.  A binomial
 * variable of 60 and 0.05 is above 14 with probability below 1e-6.  No answer is below 0, or above
 * the number of lines.  Power: bounds of the variance alone, of answers that are not cut, are
 * exceeded in three of four runs of the first setting.
 *
 * Intervals: R runs of one answer each.  Statistic: those whose interval of probability 0.95 does
 * not hold the number, with the same limit; and the mean of their lengths in standard deviations of
 * an efficient estimate, at most 4.4, where 3.92 is a normal variable's.
 */
#include <stdio.h>

#include "../unit/sketch.h"

#define R	60
#define MOST	14

static const struct {
	const char *name;
	uint64_t lines, every, distinct;	/* identifiers of the lines come round */
	uint64_t epsilon;
	bool buckets;				/* steps are not lines: of one distinct each */
} cases[] = {
	{ "hashed-bits", 100, 1, 100, 1, false },
	{ "hashed-bits", 100, 1, 1, 3, false },
	{ "hashed", 1000, 50, 1000, 1, false },
	{ "hashed-bits", 2000, 400, 2000, 1, false },
	{ "hashed-bits", 2000, 400, 20, 1, false },
	{ "hashed-bits", 3000, 300, 1500, 2, false },
	{ "hashed-bits", 4000, 4000, 4000, 1, false },
	{ "hashed", 2000, 2000, 60, 1, false },
	{ "hashed-bits", 1000, 100, 1000, 1, true },
	{ "hashed-bits", 1000, 500, 1000, 1, true },
};

#define CASES	(sizeof cases / sizeof cases[0])

/* Whether one answer of a run is too far off. */
static bool
breaks(const struct dp_mech *m, struct dp_rng *rng, unsigned k, const double *bound)
{
	const uint64_t D = cases[k].distinct;
	struct column c;
	bool out = false;
	double est;

	if (column_new(&c, m, rng) != 0)
		abort();
	for (c.t = 1; c.t <= cases[k].lines; c.t++) {
		sees(&c, c.t % D, 1);
		if (c.t % cases[k].every != 0)
			continue;
		est = asks(&c);
		check(est >= 0 && (cases[k].buckets || est <= (double)c.t));
		out |= fabs(est - fmin((double)c.t, (double)D)) > bound[c.t / cases[k].every];
	}
	column_free(&c);
	return out;
}

static void
covers(unsigned k)
{
	const struct dp_sketch s = { .lines = !cases[k].buckets };
	const uint64_t n = cases[k].lines / cases[k].every;
	struct dp_mech *m = sketch_make(cases[k].name, &s, cases[k].lines, cases[k].every,
	    cases[k].epsilon, 1);
	static struct dp_law law;
	static double bound[128];
	struct dp_rng *rng = seeded(k + 1);
	int i, broken = 0;

	for (i = 1; i <= (int)n && m != NULL; i++) {
		dp_mech_law(m, 0, (uint64_t)i * cases[k].every, &law);
		bound[i] = dp_law_bound(&law, 0.05 / (double)n);
	}
	for (i = 0; i < R && m != NULL; i++)
		broken += breaks(m, rng, k, bound);
	printf("%s, %llu answers of %llu lines, %llu distinct, epsilon %llu: %d of %d, +-%.0f\n",
	    cases[k].name, (unsigned long long)n, (unsigned long long)cases[k].lines,
	    (unsigned long long)cases[k].distinct, (unsigned long long)cases[k].epsilon, broken,
	    R, bound[n]);
	check(m != NULL && broken <= MOST);
	dp_rng_free(rng);
	dp_mech_free(m);
}

/* The interval goes by what was found, not by what there may be. */
static const struct {
	const char *name;
	uint64_t lines, distinct, every, buckets, wide;
	bool days;				/* steps are not lines */
	double length;				/* at most, in standard deviations */
} found[] = {
	{ "hashed-bits", 1000000, 1000, 0, 0, 0, false, 4.4 },
	{ "hashed", 1000000, 1000, 0, 0, 0, false, 4.4 },
	{ "hashed-bits", 1000000, 1000, 0, 0, 262144, false, 4.4 },
	{ "hashed-bits", 1000000, 200000, 0, 0, 262144, true, 4.4 },
	{ "hashed-bits", 100000, 3000, 25000, 256, 0, false, INFINITY },
	{ "hashed", 20000, 20000, 0, 1024, 4096, true, 4.6 },
	{ "hashed-bits", 5000, 0, 0, 0, 0, false, INFINITY },
	{ "hashed-bits", 5000, 3, 0, 0, 0, true, INFINITY },
	{ "hashed-bits", 300, 300, 20, 16, 0, false, INFINITY },
};

#define FOUND	(sizeof found / sizeof found[0])

/* 1/I(D), from the formula. */
static double
efficient(const struct dp_mech *m, unsigned k, double D)
{
	const double e1 = 1 / dp_q_double(noise_of(m, 1)->param), p = 1 / (1 + exp(e1));
	const double gap = strcmp(m->ops->name, "hashed") == 0 ? .5 - p : 1 - 2 * p;
	const double v = dp_noise_variance(noise_of(m, 0));
	double info = 0, B, pi, w, q, slope;
	int l;

	for (l = 0; l < 21; l++) {
		B = found[k].buckets != 0 ? (double)found[k].buckets : 4096;
		B = l == 1 && found[k].wide != 0 ? (double)found[k].wide : B;
		pi = pow(2, l < 20 ? -l - 1 : -l);
		w = pow(1 - pi / B, D);
		q = p + gap * (1 - w);
		slope = -B * gap * w * log(1 - pi / B);
		info += slope * slope / (B * q * (1 - q) + v);
	}
	return 1 / info;
}

static void
holds(unsigned k)
{
	const struct dp_sketch s = { .lines = !found[k].days, .buckets = found[k].buckets,
	    .wide = found[k].wide };
	struct dp_mech *m = sketch_make(found[k].name, &s, found[k].lines, found[k].every, 1, 1);
	const double D = (double)found[k].distinct;
	struct dp_rng *rng = seeded(100 + k);
	dp_wide lo = 0, hi = 0;
	double length = 0;
	int i, missed = 0;
	uint64_t j;
	struct column c;

	for (i = 0; i < R && m != NULL; i++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (j = 0; j < found[k].distinct; j++)
			sees(&c, j, 1);
		c.t = found[k].lines;
		(void)asks(&c);
		check(m->ops->bound.interval(m, c.state, 0, c.t, 0.05, &lo, &hi) == 0);
		check(lo >= 0 && lo <= hi && (found[k].days || hi <= (dp_wide)c.t));
		missed += (double)lo > D || (double)hi < D;
		length += (double)(hi - lo) / R;
		column_free(&c);
	}
	printf("%s, %llu of %llu: %d of %d missed, length %.0f\n", found[k].name,
	    (unsigned long long)found[k].distinct, (unsigned long long)found[k].lines, missed, R,
	    length);
	check(m != NULL && missed <= MOST);
	check(m == NULL || isinf(found[k].length) || length / found[k].length <
	    sqrt(efficient(m, k, D)));
	dp_rng_free(rng);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	unsigned k;

	/* nothing that is owed (covers.h) */
	if (argc > 1 && strcmp(argv[1], "--covers") == 0)
		return 0;
	for (k = 0; k < CASES; k++)
		covers(k);
	for (k = 0; k < FOUND; k++)
		holds(k);
	return done();
}
