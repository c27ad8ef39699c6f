/* SPDX-License-Identifier: ISC */
/*
 * maxsum.h - the largest of D column sums, as dpmaxsum and its mechanisms share it.
 *
 * Step t's answer is max_j s_j(t), s_j(t) = x_j(1) + .. + x_j(t) the sum of column j (Jain,
 * Raskhodnikova, Sivakumar, Smith 2021: MaxSum), and the least j that attains it (SumSelect).
 * The loss of a value v is |max_j s_j - v|, that of a choice a is max_j s_j - s_a; what counts is
 * the 1 - beta quantile of the largest loss over all steps, of both where both are shown.
 *
 * Statement: where columns have counters, what is drawn at a step is a function of the step alone,
 * not of which columns can lead.  Why no draw can be spared: tests/proof/selection.md.
 */
#ifndef DP_STAT_MAXSUM_H
#define DP_STAT_MAXSUM_H

#include "counter/mech.h"

enum dp_maxsum_show {
	DP_MAXSUM_VALUE = 1,	/* output 0: the largest sum */
	DP_MAXSUM_CHOICE = 2,	/* output 0: which column has it, from 0 */
	DP_MAXSUM_BOTH = 3	/* output 0: the column; output 1: its sum */
};

/* task.own */
struct dp_maxsum {
	enum dp_maxsum_show show;
	size_t columns;		/* D */
	size_t ones;		/* the most columns that a record has entries in */
	bool below;		/* an entry may be below 0 */
	uint64_t ceiling;	/* the caller's upper bound on all sums, grid units; 0: none */
	/*
	 * A choice: the last one stays until the noisy sum of another is more than a margin larger,
	 * grid units; 0: one that the noise tells.  False: the largest noisy sum is chosen anew.
	 */
	bool keep;
	struct dp_q margin;
};

/* Since step 1, a task of its own; of a window or an exponential decay, on their mechanisms. */
extern const struct dp_statistic dp_maxsum_statistic, dp_maxsum_recent;

#endif
