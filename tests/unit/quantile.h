/* SPDX-License-Identifier: ISC */
/* quantile.h - plans of quantiles and histograms in tests: one event in a bucket, there or not. */
#ifndef TEST_QUANTILE_H
#define TEST_QUANTILE_H

#include "account/neighbour.h"
#include "mech.h"
#include "stat/internal.h"

static struct dp_quantile_asked quantile_asked;

/* G bins of one value each, and quantiles; 0: their numbers of events. */
static inline struct dp_mech_rule
quantile_rule(unsigned G, unsigned quantiles, enum dp_what what, uint64_t T, uint64_t millionths)
{
	static const double q[] = { .5, .95, .05 };
	const struct dp_relation r = { .hi = 1, .ones = 1, .columns = G, .sum = 1 };
	struct dp_mech_rule s = { .task = { .what = what, .windows = what == DP_TASK_WINDOW,
	    .w = { 1 }, .own = &quantile_asked, .statistic = quantiles > 0 ?
	    &dp_quantile_statistic : &dp_histogram_statistic },
	    .horizon = T, .every = 1, .inputs = G, .hi = 1, .bands = 1, .report = T };
	struct dp_distance d;

	quantile_asked.n = quantiles;
	quantile_asked.coarse = 1;
	memcpy(quantile_asked.q, q, sizeof q);
	if (dp_bins_linear(&quantile_asked.bins, 0, G - 1, G) != 0 ||
	    dp_relation_distance(&r, &d) != 0 || dp_privacy_set(&s.privacy, false, dp_q_make(1, 1),
	    dp_q_make(millionths, 1000000), d.l1, d.l2squared) != 0)
		abort();
	s.band[0].width = G;
	s.band[0].reach = (struct dp_reach){ .l1 = d.l1, .l2squared = d.l2squared,
	    .linf = d.linf, .columns = (unsigned)d.columns };
	s.privacy.columns = (unsigned)d.columns;
	s.privacy.linf = d.linf;
	s.privacy.spread = d.spread;
	return s;
}

static inline const struct dp_quantile *
quantile_of(const struct dp_mech *m)
{
	return (const void *)m;
}

/* F[0 .. G] of the last step. */
static inline const double *
quantile_sums(const struct dp_mech *m, const void *col)
{
	const struct dp_quantile *k = quantile_of(m);

	return (const double *)(const void *)((const char *)col + m->column -
	    k->windows * (k->G + 1) * sizeof(double));
}

#endif
