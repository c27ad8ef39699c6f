/* SPDX-License-Identifier: ISC */
/* t_polysum.c - buckets, budgets, oracles and predictions of paper. */
#include "decay.h"
#include "paper/internal.h"

extern const struct dp_mech_ops dp_polysum_paper_ops;

static void
oracles(void)
{
	struct dp_task c1 = polynomial(1, .5), c2 = polynomial(2, .5);
	static const double flat[] = { 1, 1, .5, .5, .5 };

	EXACT("paper", c1, 4, (1, 0, 1, 1), (1, .5, 1.25, 1.75));
	EXACT("paper", c1, 16, (1, 1, 1, 1, 1, 1, 1, 1),
	    (1, 1.5, 1.75, 2, 2.125, 2.25, 2.375, 2.5));
	EXACT("paper", c2, 16, (1, 1, 1, 1, 1, 1, 1, 1),
	    (1, 1.25, 1.3125, 1.375, 1.40625, 1.421875, 1.4375, 1.453125));
	/* instances 1..3: roots; 10,20,30,40 | 1,1,1 | root 4, leaves 8 and 0 */
	KNOWN("paper", c1, 4, 0, (1, 0, 1, 1), (10, 20, 1, 30, 1, 4, 8, 40, 1, 0),
	    (11, 21, 33.75, 43.25));
	EXACT("paper", table(flat, 5, .5), 5, (1, 1, 0, 1, 1), (1, 2, 1.5, 2, 3));
	EXACT("paper", table(flat, 5, .5), 0, (8, 0, 0, 0, 0, 0, 4), (8, 8, 4, 4, 4, 0, 4));
}

static void
buckets(void)
{
	static const double weight[] = { 1, .25, .0625, .03125, .015625, .0078125, .00390625 };
	static const uint64_t lo[] = { 0, 1, 2, 4, 5, 8, 11, 16 };
	struct dp_task k = polynomial(2, .5);
	struct dp_bucket *b;
	struct dp_q share[DP_POLYSUM_MAX];
	unsigned n, i;

	check(dp_buckets_make(&b, &n, &k, 16, NULL) == 0 && n == 7);
	for (i = 0; i < n; i++)
		check(b[i].weight == weight[i] && b[i].lo == lo[i] &&
		    b[i].sum.w == lo[i + 1] - lo[i]);
	free(b);
	k.power = 1;
	check(dp_buckets_make(&b, &n, &k, 4, NULL) == 0 && n == 3);
	check(dp_buckets_share(share, b, n, 0) == 0);
	for (i = 0; i < 3; i++)		/* b = 2, 4, 8 */
		check(share[i].num == 1 && share[i].den == (uint64_t)2 << i);
	free(b);
}

/*
 * Buckets cover the lags, weights are within the factor; levels times shares sum to at most 1,
 * nearly.
 */
static void
budget(struct dp_task k, uint64_t lags, double least)
{
	const dp_uwide whole = (dp_uwide)1 << 62;
	struct dp_bucket *b;
	struct dp_q share[DP_POLYSUM_MAX];
	unsigned n, i;
	uint64_t d = 0;
	dp_uwide sum = 0;
	bool good = true;

	if (dp_buckets_make(&b, &n, &k, lags, NULL) != 0) {
		check(false);
		return;
	}
	check(dp_buckets_share(share, b, n, least) == 0);
	for (i = 0; i < n; i++) {
		good &= b[i].lo == d;
		for (; d < b[i].lo + b[i].sum.w; d++)
			good &= b[i].weight <= dp_task_weight(&k, d) &&
			    dp_task_weight(&k, d) * (1 - k.beta) < b[i].weight * (1 + 1e-12);
		good &= whole % share[i].den == 0 && dp_q_double(share[i]) >= least * .49;
		sum += (b[i].sum.h + 1) * (whole / share[i].den) * share[i].num;
	}
	good &= d == lags && sum <= whole && (double)sum > .999999 * (double)whole;
	if (!good)
		printf("power %g, beta %g, %llu lags: %u buckets, budget %g\n", k.power, k.beta,
		    (unsigned long long)lags, n, (double)sum / (double)whole);
	check(good);
	free(b);
}

static void
budgets(void)
{
	static const double power[] = { .3, 1, 1.1, 2, 3.7, 20 },
	    beta[] = { .05, .1, .37, .5, .9, .999 };
	static double g[3000];
	size_t i, j;

	for (i = 0; i < 6; i++)
		for (j = 0; j < 6; j++) {
			budget(polynomial(power[i], beta[j]), 1 + 977 * j, 0x1p-39);
			budget(polynomial(power[i], beta[j]), i < 5 ? 20000 : 1000,
			    0x1p-39);
		}
	budget(polynomial(1, .2), (uint64_t)1 << 20, 0);
	for (i = 0; i < 3000; i++)	/* down to 10^-132: shares that would be nothing are not */
		g[i] = pow(.9, (double)i);
	budget(table(g, 3000, .3), 3000, 0x1p-39);
}

/* Without noise: the bucketed sum, and between (1-beta) F and F. */
static void
no_noise(const char *name, struct dp_task k, uint64_t T)
{
	struct dp_mech *m = decay_make(name, k, T, true);
	struct dp_bucket *b;
	struct column c;
	int64_t x[700];
	double y, f, buckets;
	uint64_t t, d;
	unsigned n, i;
	int bad = 0;

	if (m == NULL || column_new(&c, m, NULL) != 0 ||
	    dp_buckets_make(&b, &n, &k, k.what == DP_TASK_TABLE ? k.ng : T, NULL) != 0) {
		check(false);
		return;
	}
	for (t = 0; t < (T == 0 ? 700 : T); t++) {
		x[t] = (int64_t)(t * 7919 % 1009);
		y = decay_step(&c, x[t]);
		for (f = 0, d = 0; d <= t; d++)
			f += dp_task_weight(&k, d) * (double)x[t - d];
		for (buckets = 0, i = 0; i < n; i++)
			for (d = b[i].lo; d <= t && d < b[i].lo + b[i].sum.w; d++)
				buckets += b[i].weight * (double)x[t - d];
		bad += !(fabs(y - buckets) <= 1e-9 * buckets) || y > f + 1e-9 ||
		    y < (1 - k.beta) * f - 1e-9;
	}
	if (bad != 0)
		printf("%s, power %g: %d\n", name, k.power, bad);
	check(bad == 0);
	free(b);
	column_free(&c);
	dp_mech_free(m);
}

static void
predictions(void)
{
	static const double step[] = { 1, 1, .7, .5, .5, .5, .3, .3, .3, .3, .3, .1, .1, .1 };
	struct dp_task k[4] = { polynomial(1, .5), polynomial(2, .1), polynomial(1.1, .3),
	    table(step, 14, .2) };
	struct dp_mech *m;
	struct dp_error e;
	uint64_t T;
	size_t j;
	bool good;

	for (j = 0; j < 4; j++)
		for (good = true, T = 1; T <= 1600 && good; T += 1 + T / 5) {
			if ((m = decay_make("paper", k[j], j == 3 ? 0 : T, false)) == NULL)
				abort();
			good = closed(m, T);
			check(good);
			dp_mech_free(m);
		}
	m = decay_make("paper", polynomial(1, .5), 4, false);	/* b = 2, 4, 8 */
	check(close_to(dp_mech_variance(m, 3), 23.7834, 1e-5) &&
	    close_to(dp_mech_variance(m, 4), 23.7834, 1e-5));
	check(close_to(dp_q_double(scale(m, 0)), 2, 1e-12) &&
	    close_to(dp_q_double(scale(m, 1)), 8, 1e-12));
	dp_mech_free(m);
	/* This project's bounds at T = 2^10, continuous noise: 39. */
	m = decay_make("paper", polynomial(2, .2), 1024, false);
	dp_mech_error(m, 1024, &e);
	check(sqrt(e.max) < 39 && sqrt(e.max) > 25);
	dp_mech_free(m);
}

/* Beyond the steps that are tried what is said is a bound, and says so. */
static void
bounds(void)
{
	static double slow[6000];
	const struct { struct dp_task k; uint64_t T; } of[] = {
		{ polynomial(1.5, .1), 20000 }, { polynomial(.1, .1), 30000 },
		{ polynomial(7, .1), 8193 }, { table(slow, 6000, .3), 16000 } };
	struct dp_mech_rule rule;
	struct dp_error e;
	struct dp_mech *m;
	double max, sum;
	uint64_t t;
	size_t i;

	for (i = 0; i < 6000; i++)
		slow[i] = i < 100 ? 1 : 1 - (double)i / 7000;
	for (i = 0; i < sizeof of / sizeof of[0]; i++) {
		rule = (struct dp_mech_rule){ .privacy = setting(0, 1, 1, 1).privacy,
		    .task = of[i].k, .horizon = of[i].T };
		rule.privacy.dry = true;
		if (dp_mech_plan(&m, &dp_polysum_paper_ops, &rule) != 0)
			abort();
		m->ops->error(m, of[i].T, &e);
		for (max = sum = 0, t = 1; t <= of[i].T; t++) {
			max = fmax(max, dp_mech_variance(m, t));
			sum += dp_mech_variance(m, t);
		}
		check(e.max >= max && e.max < 2 * max);
		check(close_to(e.mean, sum / (double)of[i].T, 1e-12));
		dp_mech_free(m);
	}
}

static void
refusals(void)
{
	static const double up[] = { 1, .5, .6 }, low[] = { .9, .5 }, no[] = { 1, NAN },
	    one[] = { 1 };
	struct dp_mech_rule rule = { .privacy = setting(0, 1, 1, 1).privacy };
	struct dp_mech *m;

	rule.privacy.dry = true;
	rule.task = polynomial(2, .5);		/* no horizon */
	check(dp_mech_plan(&m, &dp_polysum_paper_ops, &rule) == DP_EINVAL);
	rule.horizon = (uint64_t)1 << 23;	/* 193 MiB */
	check(dp_mech_plan(&m, &dp_polysum_paper_ops, &rule) == 0);
	dp_mech_free(m);
	rule.horizon = (uint64_t)12 << 20;
	check(dp_mech_plan(&m, &dp_polysum_paper_ops, &rule) == DP_ERANGE);
	rule.horizon = (uint64_t)1 << 40;
	check(dp_mech_plan(&m, &dp_polysum_paper_ops, &rule) == DP_ERANGE);
	rule.horizon = 1 << 16;
	rule.task.beta = .001;			/* more than 1024 buckets */
	check(dp_mech_plan(&m, &dp_polysum_paper_ops, &rule) == DP_ERANGE);
	rule.task.beta = 0;
	check(dp_mech_plan(&m, &dp_polysum_paper_ops, &rule) == DP_EINVAL);
	rule.task.beta = 1;
	check(dp_mech_plan(&m, &dp_polysum_paper_ops, &rule) == DP_EINVAL);
	rule.task = table(up, 3, .5);
	check(dp_mech_plan(&m, &dp_polysum_paper_ops, &rule) == DP_EINVAL);
	rule.task = table(low, 2, .5);
	check(dp_mech_plan(&m, &dp_polysum_paper_ops, &rule) == DP_EINVAL);
	rule.task = table(no, 2, .5);
	check(dp_mech_plan(&m, &dp_polysum_paper_ops, &rule) == DP_EINVAL);
	rule.task = table(one, 1, .5);
	check(dp_mech_plan(&m, &dp_polysum_paper_ops, &rule) == 0);
	dp_mech_free(m);
}

static void
no_entropy(void)
{
	static const int64_t z[30];
	struct dp_mech *m = decay_make("paper", polynomial(1, .3), 200, false);
	struct dp_rng *rng;
	struct column c;
	size_t n;
	double y;
	int t;

	for (n = 0; n < 30; n++) {
		if (dp_rng_open_known(&rng, z, n) != 0 || column_new(&c, m, rng) != 0)
			abort();
		for (y = 0, t = 0; !isnan(y) && t < 40; t++)
			y = decay_step(&c, 1);
		check(isnan(y));
		column_free(&c);
		dp_rng_free(rng);
	}
	dp_mech_free(m);
}

int
main(void)
{
	static double g[300];
	int i;

	for (i = 0; i < 300; i++)
		g[i] = 1 / (1 + log1p(i));
	oracles();
	buckets();
	budgets();
	no_noise("paper", polynomial(2, .1), 700);
	no_noise("paper", polynomial(1.1, .3), 700);
	no_noise("paper", polynomial(1.5, .5), 257);
	no_noise("paper", table(g, 300, .1), 0);
	no_noise("paper", table(g, 300, .02), 500);
	predictions();
	bounds();
	refusals();
	no_entropy();
	decay_moves("paper", polynomial(1, .3), 200, 200);
	return done();
}
