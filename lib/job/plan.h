/* SPDX-License-Identifier: ISC */
/*
 * plan.h - the choice: every eligible mechanism's error, predicted in the task's measure, and the
 * mechanism with the least.  Tasks and mechanisms are unknown to it by name.
 */
#ifndef DP_JOB_PLAN_H
#define DP_JOB_PLAN_H

#include "counter/mech.h"

#define DP_PLAN_MAX	24
#define DP_PLAN_WHY	240

struct dp_candidate {
	const struct dp_mech_ops *ops;
	struct dp_error error;
};

struct dp_plan {
	struct dp_mech *mech;		/* the chosen one, ready to run; owned */
	const struct dp_mech_ops *ops;	/* as listed: mech itself may be wrapped */
	unsigned chosen, n;		/* eligible[0 .. n - 1]; a named mechanism stands alone */
	struct dp_candidate eligible[DP_PLAN_MAX];
	uint64_t report;		/* steps of predicted errors: the horizon, if known */
	/* A mechanism refused only for its noise, and the reason; NULL: none was. */
	const struct dp_mech_ops *left;
	char left_why[DP_PLAN_WHY];
};

/*
 * name: a mechanism, or "auto": the smallest predicted maximum error, then mean.
 * DP_EINVAL: an unknown or ineligible mechanism, or auto's best one tells nothing (error.blind);
 * DP_ERANGE: no noise scale fits; either sets `why` to a sentence.  DP_ENOMEM.
 */
int	dp_plan_make(struct dp_plan *, const struct dp_mech_rule *, const char *name,
	    char why[static DP_PLAN_WHY]) DP_MUSTUSE;
void	dp_plan_free(struct dp_plan *);
/*
 * Number of the mechanism's decimals that are printed: down to a tenth of the error, as finer
 * digits say nothing.  Post-processing; rounding adds less than a thousandth to the variance.
 */
unsigned dp_plan_decimals(const struct dp_plan *);

#endif
