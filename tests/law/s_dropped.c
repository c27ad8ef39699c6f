/* SPDX-License-Identifier: ISC */
/*
 * s_dropped.c - a count or a sum and the share of events left out (stat/dropped.h): errors are
 * those predicted, and intervals hold the truth as often as they say.
 *
 * Fixed seed.  R = 10000 runs of each of 9 settings of A events that count and B that are left out,
 * by a release of each step, a tree and Gaussian noise.  The variance of a count or a sum over that
 * predicted (and 1/12, of rounding) is 1 in the mean, with a standard deviation of at most
 * sqrt(5 / R), Laplace's; so is that of a share of 10^5 events, half of which are left out, over
 * the one that --explain says.  Misses are binomial with a probability of at most gamma.  Limits
 * are 6 standard deviations; false-reject rate of all checks together below 1e-6.
 */
#include <math.h>
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/mech.h"
#include "account/neighbour.h"
#include "stat/dropped.h"

#define RUNS	10000
#define GAMMA	.1
#define T	4

static struct dp_mech_rule
rule_of(const struct dp_dropped_asked *k, bool delta)
{
	const struct dp_relation r = { .hi = (int64_t)k->reach, .per_user = k->numbers,
	    .once = true, .columns = k->numbers };
	struct dp_mech_rule s = { .task = { .what = DP_TASK_COUNT,
	    .statistic = &dp_dropped_statistic, .own = k }, .horizon = T, .every = 1, .report = T,
	    .inputs = k->numbers, .hi = 1, .bands = 1 };
	struct dp_distance d;

	if (dp_relation_distance(&r, &d) != 0 || dp_privacy_set(&s.privacy, false, dp_q_make(1, 2),
	    delta ? dp_q_make(1, 1000000) : dp_q_make(0, 1), d.l1, d.l2squared) != 0)
		abort();
	s.band[0].width = s.inputs;
	s.band[0].reach = (struct dp_reach){ .l1 = d.l1, .l2squared = d.l2squared,
	    .linf = d.linf, .columns = (unsigned)d.columns };
	s.privacy.columns = (unsigned)d.columns;
	s.privacy.linf = d.linf;
	s.privacy.spread = d.spread;
	return s;
}

/* The last has the 10^5 events. */
static const int64_t of[][2] = { { 0, 0 }, { 3, 0 }, { 3, 7 }, { 1000, 0 }, { 1000, 10 },
    { 1000, 2000 }, { 1000, 1000 }, { 60000, 140000 }, { 50000, 50000 } };
#define SETTINGS	(sizeof of / sizeof *of)
#define SUM	7	/* of a count more that is a sum, what each event has */

struct seen {
	double square, sum, share;	/* of errors */
	int missed[2], empty;
};

/* One run: all events are in the first step. */
static void
look(const struct dp_mech *m, const struct dp_dropped_asked *k, struct dp_rng *rng,
    const int64_t *ab, struct seen *s)
{
	const double count = (double)ab[0] * (k->numbers == 3 ? SUM : 1);
	const double most = 1e6 * (double)k->left / (double)(k->most + k->left);
	const double all = (double)(ab[0] + ab[1]), share = (double)ab[1] / all;
	int64_t x[DP_DROPPED_NUMBERS] = { 0 };
	dp_wide est[2], lo, hi;
	struct column c;
	unsigned t;

	x[0] = (int64_t)count * (int64_t)k->weight[0];
	if (k->numbers == 3)
		x[1] = ab[0] * (int64_t)k->weight[1];
	x[k->numbers - 1] = ab[1] * (int64_t)k->weight[k->numbers - 1];
	check(column_new(&c, m, rng) == 0);
	for (t = 1; t <= T; t++) {
		check(m->ops->step(m, c.state, rng, t, x, est) == 0);
		memset(x, 0, sizeof x);
	}
	s->sum += (double)est[0] - count;
	s->square += ((double)est[0] - count) * ((double)est[0] - count);
	check(m->ops->bound.interval(m, c.state, 0, T, GAMMA, &lo, &hi) == 0 && lo <= est[0] &&
	    est[0] <= hi);
	s->missed[0] += count < (double)lo || count > (double)hi;
	check(m->ops->bound.interval(m, c.state, 1, T, GAMMA, &lo, &hi) == 0 && lo <= hi &&
	    lo >= 0 && hi <= (dp_wide)ceil(most));
	s->missed[1] += all > 0 && (share * 1e6 < (double)lo || share * 1e6 > (double)hi);
	s->empty += est[1] == DP_NONE;
	if (est[1] != DP_NONE) {
		check(est[1] >= 0 && est[1] <= (dp_wide)rint(most));
		s->share += pow((double)est[1] * 1e-6 - share, 2);
	}
	column_free(&c);
}

/* Share of N events, half of them left out: what its error is predicted as, times N. */
static double
predicted(const struct dp_mech *m)
{
	char text[400];
	const char *p;

	check(m->ops->say.note(m, 2, 1, text, sizeof text));
	p = strstr(text, "left out, ");
	return p == NULL ? NAN : strtod(p + 10, NULL);
}

static void
measure(const char *name, bool delta, uint64_t K, uint64_t D, int64_t lo, int64_t hi)
{
	const double room = 6 * sqrt(RUNS * GAMMA * (1 - GAMMA)), off = 6 * sqrt(5. / RUNS);
	struct dp_dropped_asked k;
	struct dp_mech_rule s;
	struct dp_rng *rng;
	struct dp_mech *m;
	struct seen seen;
	double v, unit;
	unsigned i, j;

	dp_dropped_ask(&k, K, D, lo, hi, 0);
	s = rule_of(&k, delta);
	if (dp_rng_open_seed(&rng, 11) != 0 || (m = make(name, &s)) == NULL)
		abort();
	unit = dp_dropped_statistic.unit(&s.task);
	v = dp_mech_variance(m, T) * unit * unit + 1. / 12;
	for (i = 0; i < SETTINGS; i++) {
		seen = (struct seen){ 0 };
		for (j = 0; j < RUNS; j++)
			look(m, &k, rng, of[i], &seen);
		printf("%s, K %d, D %d, %u numbers, %d and %d: variance %.4g of %.4g, %d and %d "
		    "missed, %d empty\n", name, (int)K, (int)D, k.numbers, (int)of[i][0],
		    (int)of[i][1], seen.square / RUNS, v, seen.missed[0], seen.missed[1],
		    seen.empty);
		check(fabs(seen.square / RUNS / v - 1) < off);
		check(fabs(seen.sum / RUNS) < 6 * sqrt(v / RUNS));
		check(seen.missed[0] <= RUNS * GAMMA + room);
		check(seen.missed[1] <= RUNS * GAMMA + room);
		/* noise alone passes twice its sd on one side in fewer than .04 */
		check(i > 0 || seen.empty > .95 * RUNS);
		check(of[i][0] < 10000 || seen.empty == 0);
		if (i + 1 < SETTINGS)
			continue;
		check(seen.missed[1] >= (RUNS * GAMMA - room) * .7);
		printf("a share of %g events is off by %g/N, predicted %g/N\n", 1e5,
		    sqrt(seen.share / RUNS) * 1e5, predicted(m));
		check(fabs(seen.share / RUNS * 1e10 / pow(predicted(m), 2) - 1) < off + .02);
	}
	dp_mech_free(m);
	dp_rng_free(rng);
}

int
main(void)
{
	PART(measure("input", false, 5, 50, 0, 1));
	PART(measure("input", false, 3, 7, -2, 9));
	PART(measure("normtree", false, 5, 50, 0, 1));
	PART(measure("blt", true, 1, 10, 0, 9));
	return done();
}
