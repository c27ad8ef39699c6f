/*
 * s_levels.c - hashed identifiers: how often the bound that is said of their number is exceeded.
 *
 * R = 120 independent runs of each setting, seeds fixed.  Statistic: the runs in which one answer
 * at least is further off than the bound of its line, each with its share of 0.05.  A binomial
 * variable of 120 and 0.05 is above 20 with probability below 1e-6.  No answer is below 0, or above
 * the number of lines.  Power: bounds of the variance alone, of answers that are not cut, are
 * exceeded in three of four runs of the first setting.
 */
#include <stdio.h>

#include "../unit/sketch.h"

#define R	120
#define MOST	20

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

int
main(int argc, char **argv)
{
	unsigned k;

	/* nothing that is owed (covers.h) */
	if (argc > 1 && strcmp(argv[1], "--covers") == 0)
		return 0;
	for (k = 0; k < CASES; k++)
		covers(k);
	return done();
}
