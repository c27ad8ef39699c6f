/*
 * rule.h - what a mechanism is made by: the budget, the task, and all that is public of the steps.
 */
#ifndef DP_RULE_H
#define DP_RULE_H

#include "noise/privacy.h"
#include "task.h"

struct dp_mech_ops;
struct dp_error;

#define DP_BANDS	4	/* of numbers that events add to */

struct dp_mech_rule {
	/* Whatever create() finds with doubles or by a search passes through privacy.numbers. */
	struct dp_privacy privacy;
	/*
	 * For a mechanism that runs another, for a rule of its own: *id = 0 finds the one of least
	 * predicted error of all there are (plan.h), and that error; *id becomes dp_numbers_hash()
	 * of its name, for numbers.  Any other *id finds the one of that name, and no error.  It
	 * need not be pan-private.  DP_EINVAL: none; DP_ERANGE, DP_ENOMEM: as ops->create().
	 */
	int (*inner)(const struct dp_mech_ops **, struct dp_error *, const struct dp_mech_rule *,
	    uint64_t *id);
	uint64_t horizon;	/* 0: unknown */
	uint64_t most;		/* no step value is larger, either way; 0: unknown */
	/*
	 * Unknown horizon: tune and choose by the errors of 1..report.  In a create() of ops it is
	 * set; of a known horizon it is that.
	 */
	uint64_t report;
	uint64_t every;		/* estimates are printed at multiples of it; 0: at the end only */
	size_t inputs;		/* numbers a step; 0: identifiers */
	double beta;		/* for errors measured by a quantile: it is the 1 - beta quantile */
	int64_t lo, hi;		/* of one number of one event, grid units; buckets add them up */
	/*
	 * Numbers that events add to (ask/tool.h): bands of `width` numbers, one after another;
	 * inputs is their sum.  reach: what the protected unit moves of all numbers of the band, in
	 * the columns of all keys together.  0 bands: a step's numbers are no such sums.
	 */
	unsigned bands;
	struct dp_band {
		size_t width;
		struct dp_reach reach;
	} band[DP_BANDS];
	struct dp_task task;
	bool quick;		/* planned in some 10 ms, for a tenth more of error */
	/* For the choice alone (plan.h), down to the end: mechanisms look at none of it. */
	bool bits;		/* step values are 0 or 1 */
	bool pan;		/* memory between steps must be private against one intrusion */
	bool open_step;		/* pan: and so must memory while a step (a bucket) is open */
	bool alone;		/* one mechanism, by name: without comparison or predicted error */
	bool rivals;		/* the errors of all that are eligible are wanted */
	uint64_t predict;	/* unknown horizon: say the errors of 1..predict; 0: of 1..report */
};

#endif
