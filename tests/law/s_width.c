/* SPDX-License-Identifier: ISC */
/*
 * s_width.c - printed intervals hold the truth as often as they say: half-widths of all steps, one
 * after the other (width.h), against the estimates' own errors.
 *
 * R = 6000 independent runs, fixed seed; of every run the steps below.  A miss is an estimate
 * farther from the truth than the half-width; misses are binomial with a probability of at most
 * gamma, and of at least P(|error| >= w) - P(|error| = w) >= gamma / 2 where w is not small.
 * Statistic: (misses - R gamma) / sd, sd^2 = R gamma (1 - gamma).  Limit 6 for all 42 checks
 * together: false-reject rate below 1e-6 (the binomial's skewness doubles a normal tail of 1e-9).
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/mech.h"
#include "counter/width.h"

#define R	6000
#define GAMMA	.05

static void
measure(const char *name, struct dp_task task, uint64_t T, bool known, struct dp_rng *rng)
{
	const uint64_t at[] = { 1, T / 3 + 1, T / 2 + 5, 3 * T / 4, T - 1, T };
	struct dp_mech_rule s = setting(known ? T : 0, 1, 1, 3);
	const double room = 6 * sqrt(R * GAMMA * (1 - GAMMA));
	int misses[6] = { 0 }, r, i;
	struct dp_widths *k;
	struct dp_mech *m;
	struct column c;
	double w[6] = { 0 }, here, unit;
	int64_t est;
	uint64_t t;

	s.task = task;
	s.report = T;
	if ((m = make(name, &s)) == NULL || dp_widths_create(&k, m, GAMMA) != 0)
		abort();
	unit = pow(10, m->estimate.decimals);
	for (t = 1; t <= T; t++) {
		if (dp_widths_at(k, 0, t, &here) != 0)
			abort();
		for (i = 0; i < 6; i++)
			w[i] = at[i] == t ? here : w[i];
	}
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (t = 1; t <= T; t++) {
			if (column_step(&c, 0, &est) != 0)
				abort();
			for (i = 0; i < 6; i++)
				misses[i] += at[i] == t && fabs((double)est) > w[i] * unit;
		}
		column_free(&c);
	}
	for (i = 0; i < 6; i++) {
		check(misses[i] <= R * GAMMA + room && misses[i] >= R * GAMMA / 2 - room);
		printf("%s, step %d: %d of %d miss +-%g\n", name, (int)at[i], misses[i], R, w[i]);
	}
	dp_widths_free(k);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	const struct dp_task count = { .what = DP_TASK_COUNT },
	    window = { .what = DP_TASK_WINDOW, .windows = 1, .w = { 300 } },
	    fading = { .what = DP_TASK_EXP, .alpha = .99 };
	struct dp_rng *rng;

	covers(argc, argv);
	if (covers_list || covers_name != NULL)	/* the laws themselves are measured elsewhere */
		return 0;
	if (dp_rng_open_seed(&rng, 20261122) != 0)
		abort();
	measure("kary", count, 1500, true, rng);
	measure("tree", count, 1500, true, rng);
	measure("input", count, 1500, false, rng);
	measure("windowsum-paper", window, 1000, true, rng);
	measure("allwindow-paper", window, 1000, true, rng);
	measure("expsum-paper", fading, 1000, true, rng);
	measure("input", fading, 1000, true, rng);
	dp_rng_free(rng);
	return done();
}
