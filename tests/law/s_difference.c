/* SPDX-License-Identifier: ISC */
/*
 * s_difference.c - differences of two keys (--difference): their error is the one predicted, and
 * intervals hold the true difference as often as they say.
 *
 * Fixed seed, R runs of two columns with noise of their own.
 * Counts (width.h, of pairs): misses are binomial with a probability of at most gamma, and of at
 * least gamma / 2 where noise is not coarse; variance: R / v - 1, limit 6 sqrt(5 / R), for a fourth
 * moment of 6 variances squared at most.  Means (law/law.h, MOVER): of N1 and N2 events from 30 to
 * 10000 and means from 0 to 1 of the range, misses with a probability of at most .055 for gamma =
 * .05, and of at most gamma + .02 for gamma = .1 and .5.  Limits are 6 standard deviations:
 * false-reject rate of all checks together below 1e-6.
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/mech.h"
#include "account/neighbour.h"
#include "counter/width.h"
#include "law/law.h"
#include "stat/internal.h"
#include "stat/mean.h"

#define R	20000
#define GAMMA	.05

static double
room(double p)
{
	return 6 * sqrt(R * p * (1 - p));
}

/* Two running counts or windows of nothing, at step T. */
static void
counts(const char *name, enum dp_what what, uint64_t T, double least, struct dp_rng *rng)
{
	struct dp_mech_rule s = setting(T, 1, 1, 3);
	double w, unit, v, squares = 0;
	int misses = 0, r, i;
	struct dp_widths *k;
	struct dp_mech *m;
	struct column c;
	static struct dp_law law;
	int64_t est[2] = { 0 };
	uint64_t t;

	s.task = (struct dp_task){ .what = what, .windows = what == DP_TASK_WINDOW, .w = { 1 } };
	s.report = T;
	if ((m = make(name, &s)) == NULL || dp_widths_create(&k, m, GAMMA) != 0)
		abort();
	dp_widths_several(k, 2);
	check(dp_widths_at(k, 0, T, &w) == 0);
	unit = pow(10, m->estimate.decimals);
	dp_mech_law(m, 0, T, &law);
	v = 2 * dp_law_variance(&law);
	if (dp_law_times(&law, 2))
		check(fabs(dp_law_variance(&law) / v - 1) < 1e-12);
	for (r = 0; r < R; r++) {
		for (i = 0; i < 2; i++) {
			check(column_new(&c, m, rng) == 0);
			for (t = 1; t <= T; t++)
				check(column_step(&c, 0, &est[i]) == 0);
			column_free(&c);
		}
		squares += pow((double)(est[1] - est[0]) / unit, 2);
		misses += fabs((double)(est[1] - est[0])) > w * unit;
	}
	check(misses <= R * GAMMA + room(GAMMA) && misses >= R * GAMMA * least - room(GAMMA));
	check(fabs(squares / R / v - 1) < 6 * sqrt(5. / R));
	printf("%s: %d of %d miss +-%g, variance %g of %g\n", name, misses, R, w, squares / R, v);
	dp_widths_free(k);
	dp_mech_free(m);
}

static const struct dp_mean_asked shares = { .hi = 1, .n = 1, .what = { DP_MEAN_MEAN },
    .decimals = 9 };

static struct dp_mech_rule
rule_of(const struct dp_mean_asked *k, uint64_t tenths)
{
	const struct dp_relation r = { .hi = 1, .ones = 1, .columns = 2,
	    .sum = dp_mean_reach(k) };
	struct dp_mech_rule s = { .task = { .what = DP_TASK_WINDOW, .windows = 1, .w = { 1 },
	    .statistic = &dp_mean_statistic, .own = k }, .horizon = 1, .every = 1,
	    .inputs = 2, .hi = 1, .bands = 1, .report = 1 };
	struct dp_distance d;

	if (dp_relation_distance(&r, &d) != 0 || dp_privacy_set(&s.privacy, false,
	    dp_q_make(tenths, 10), dp_q_make(0, 1), d.l1, d.l2squared) != 0)
		abort();
	s.band[0].width = s.inputs;
	s.band[0].reach = (struct dp_reach){ .l1 = d.l1, .l2squared = d.l2squared,
	    .linf = d.linf, .columns = (unsigned)d.columns };
	s.privacy.columns = (unsigned)d.columns;
	s.privacy.linf = d.linf;
	s.privacy.spread = d.spread;
	return s;
}

/* A mean of N events, `hits' of them 1, and its interval. */
static struct dp_law_range
share(const struct dp_mech *m, struct dp_rng *rng, int64_t N, int64_t hits, double gamma)
{
	const int64_t x[] = { N - hits, hits };
	struct dp_law_range a = { .est = 0 };
	struct column c;

	check(column_new(&c, m, rng) == 0);
	check(m->ops->step(m, c.state, rng, 1, x, &a.est) == 0);
	check(m->ops->bound.apart(m, c.state, 0, 1, gamma, &a) == 0);
	column_free(&c);
	return a;
}

/* Least coverage asked for: .945 at .05, and what its name says for others. */
static void
means(uint64_t tenths, double gamma, int runs, struct dp_rng *rng)
{
	static const struct {
		int64_t N[2];
		double p[2];
	} setting[] = {
		{ { 30, 30 }, { .1, .1 } }, { { 30, 1000 }, { .5, .1 } },
		{ { 100, 100 }, { .4, .5 } }, { { 100, 10000 }, { 1, .4 } },
		{ { 1500, 1500 }, { .01, .01 } }, { { 1500, 100 }, { 0, 1 } },
		{ { 10000, 10000 }, { .0005, .1 } }, { { 40, 60 }, { 0, 0 } },
		{ { 5, 2000 }, { .4, .4 } }, { { 0, 100 }, { 0, .5 } }
	};
	const double most = gamma == GAMMA ? .055 : gamma + .02;
	const struct dp_mech_rule s = rule_of(&shares, tenths);
	struct dp_mech *m = make("input", &s);
	struct dp_law_range one, other, d;
	int64_t hits[2];
	double truth;
	int misses, r;
	unsigned i;

	if (m == NULL)
		abort();
	for (i = 0; i < sizeof setting / sizeof *setting; i++) {
		hits[0] = llrint((double)setting[i].N[0] * setting[i].p[0]);
		hits[1] = llrint((double)setting[i].N[1] * setting[i].p[1]);
		truth = 1e9 * ((double)hits[1] / (double)setting[i].N[1] -
		    (double)hits[0] / fmax((double)setting[i].N[0], 1));
		for (misses = 0, r = 0; r < runs; r++) {
			one = share(m, rng, setting[i].N[0], hits[0], gamma);
			other = share(m, rng, setting[i].N[1], hits[1], gamma);
			dp_law_difference(&other, &one, &d);
			check(d.est == DP_NONE || (d.lo <= d.est && d.est <= d.hi));
			misses += setting[i].N[0] > 0 && ((double)d.lo > truth + 1 ||
			    (double)d.hi < truth - 1);
			/* of no events a mean may be anything, but not one thing */
			misses += setting[i].N[0] == 0 && d.lo >= d.hi;
		}
		printf("means, epsilon %g, gamma %g, N %d %d, p %g %g: %d of %d miss\n",
		    (double)tenths / 10, gamma, (int)setting[i].N[0], (int)setting[i].N[1],
		    setting[i].p[0], setting[i].p[1], misses, runs);
		check(misses <= runs * most + 6 * sqrt(runs * most * (1 - most)));
	}
	dp_mech_free(m);
}

/* MOVER's ends by hand, one interval lopsided; a box; limits; no estimate. */
static void
ends(void)
{
	const struct dp_law_range one = { 100, 70, 140, DP_NONE, DP_NONE, false },
	    other = { 500, 470, 580, DP_NONE, DP_NONE, false },
	    box = { 500, 470, 580, DP_NONE, DP_NONE, true },
	    none = { DP_NONE, 0, 10, DP_NONE, DP_NONE, false },
	    beside = { 5, 6, 7, DP_NONE, DP_NONE, false },
	    share = { 100, 60, 130, 0, 100, false }, cut = { 90, 60, 100, 0, 100, false },
	    inside = { 50, 45, 55, 0, 100, false };
	struct dp_law_range d;

	dp_law_difference(&other, &one, &d);		/* 30, 40 below; 80, 30 above */
	check(d.est == 400 && d.lo == 350 && d.hi == 400 + 86);
	dp_law_difference(&one, &other, &d);
	check(d.est == -400 && d.lo == -486 && d.hi == -350);
	dp_law_difference(&box, &one, &d);
	check(d.est == 400 && d.lo == 330 && d.hi == 510);
	dp_law_difference(&none, &one, &d);
	check(d.est == DP_NONE && d.lo == -140 && d.hi == -60);
	dp_law_difference(&one, &none, &d);
	check(d.est == DP_NONE && d.lo == 60 && d.hi == 140);
	dp_law_difference(&one, &beside, &d);		/* an estimate beside its interval */
	check(d.est == 95 && d.lo == 95 - 31 && d.hi == 95 + 40);
	dp_law_difference(&share, &share, &d);
	check(d.est == 0 && d.lo == -50 && d.hi == 50 && d.least == -100 && d.most == 100);
	dp_law_difference(&share, &(struct dp_law_range){ 10, -30, 60, 0, 100, false }, &d);
	check(d.hi == 100 && d.lo == 90 - 65);
	/* one that is cut where values end: distances on that side add up */
	dp_law_difference(&cut, &inside, &d);
	check(d.est == 40 && d.lo == 40 - 31 && d.hi == 40 + 15);
	dp_law_difference(&inside, &cut, &d);
	check(d.est == -40 && d.lo == -40 - 15 && d.hi == -40 + 31);
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;

	covers(argc, argv);
	if (covers_list)	/* the laws themselves are measured elsewhere */
		return 0;
	if (dp_rng_open_seed(&rng, 20261129) != 0)
		abort();
	if (covers_asked("ends"))
		ends();
	if (covers_asked("counts")) {
		counts("input", DP_TASK_WINDOW, 1, .5, rng);
		counts("tree", DP_TASK_COUNT, 12, .8, rng);
		counts("normtree", DP_TASK_COUNT, 12, .8, rng);
		counts("response", DP_TASK_COUNT, 12, 0, rng);
	}
	if (covers_asked("means")) {
		means(10, GAMMA, R / 2, rng);
		means(3, GAMMA, R / 4, rng);
		means(20, GAMMA, R / 4, rng);
		means(30, GAMMA, R / 4, rng);
		means(50, GAMMA, R / 4, rng);
		means(10, .1, R / 4, rng);
		means(10, .5, R / 4, rng);
	}
	dp_rng_free(rng);
	return done();
}
