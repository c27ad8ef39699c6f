/* SPDX-License-Identifier: ISC */
/*
 * t_memory.c - memories that are private, with a delta: Gaussian noise of many answers, its scale
 * by the condition that makes it (epsilon, delta)-DP, the variance of answers.
 *
 * Variance: R = 3000 runs, fixed seed, the last of 100 answers of each.  Statistics: mean over its
 * deviation, and (variance / v - 1) / sqrt(2 / R); limit 5.5 for each: a true law is rejected with
 * probability below 1e-6.
 */
#include "account/internal.h"
#include "sketch.h"

#define DELTA	1e-6
#define R	3000

static struct dp_mech *
planned(const char *name, const struct dp_statistic *what, const struct dp_sketch *s, uint64_t k,
    bool delta)
{
	struct dp_mech_rule r = sketch_setting(what, s, 10 * k, 10, 1, 1);

	if (dp_privacy_set(&r.privacy, false, dp_q_make(1, 1), delta ? dp_q_make(1, 1000000) :
	    dp_q_make(0, 1), 1, 1) != 0)
		abort();
	return make(name, &r);
}

/* k answers, each moved by `range`: what memory leaves of epsilon, and delta, hold them. */
static void
scale(const char *name, const struct dp_statistic *what, const struct dp_sketch *s, uint64_t k,
    double range)
{
	struct dp_mech *m = planned(name, what, s, k, true);
	struct dp_mech *pure = planned(name, what, s, k, false);
	double rest, sigma, mu;

	if (m == NULL || pure == NULL || noise_of(m, 0) == NULL) {
		fail(name);
		return;
	}
	check(noise_of(m, 0)->kind == DP_NOISE_GAUSS);
	check(noise_of(m, 1)->kind == DP_NOISE_LAPLACE);
	check(noise_of(pure, 0)->kind == DP_NOISE_LAPLACE);
	/* levels may be blind without a delta */
	check(s->universe == 0 ||
	    dp_mech_variance(m, 10 * k) < dp_mech_variance(pure, 10 * k));
	rest = 1 - 1 / dp_q_double(noise_of(m, 1)->param);
	sigma = sqrt(dp_q_double(noise_of(m, 0)->param));
	mu = sqrt((double)k) * range / sigma;
	check(rest > 0 && dp_gauss_delta(mu, rest) <= DELTA);
	check(dp_gauss_delta(1.2 * mu, rest) > DELTA);	/* and little is left */
	dp_mech_free(m);
	dp_mech_free(pure);
}

static void
varies(const char *name, uint64_t seed)
{
	const struct dp_sketch s = { .universe = 50 };
	struct dp_mech *m = planned(name, &dp_distinct, &s, 100, true);
	double sum = 0, squares = 0, x, v;
	struct dp_rng *rng = seeded(seed);
	struct column c;
	uint64_t i;
	int run;

	for (run = 0; run < R && m != NULL; run++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (i = 0; i < 50; i++)
			sees(&c, i, 1);
		c.t = 1000;
		x = asks(&c) - 50;
		sum += x;
		squares += x * x;
		column_free(&c);
	}
	if (m == NULL)
		fail(name);
	else {
		v = dp_mech_variance(m, 1000);
		check(fabs(sum) < 5.5 * sqrt(v * R));
		check(fabs(squares / R / v - 1) < 5.5 * sqrt(2. / R));
		dp_mech_free(m);
	}
	dp_rng_free(rng);
}

int
main(void)
{
	const struct dp_sketch places = { .universe = 1000 }, any = { .lines = true };
	const struct dp_sketch often = { .universe = 1000, .tau = 5 };
	struct dp_mech *m;

	scale("cells", &dp_distinct, &places, 365, 1);
	scale("density", &dp_distinct, &places, 365, 1);
	scale("density", &dp_density, &places, 2000, 1);
	scale("hashed", &dp_distinct, &any, 365, 1);
	scale("hashed-bits", &dp_distinct, &any, 365, 1);
	scale("phase", &dp_cropped, &often, 100, 0x1p21);
	varies("cells", 1);
	varies("density", 2);
	m = planned("cells", &dp_distinct, &places, 1, true);	/* one answer: no better */
	check(m != NULL && noise_of(m, 0)->kind == DP_NOISE_LAPLACE);
	dp_mech_free(m);
	return done();
}
