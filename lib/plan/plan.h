/*
 * plan.h - predicts every eligible mechanism's error exactly, in the measure of the task, and picks
 * one.  It knows no task and no mechanism by name.
 */
#ifndef DP_PLAN_H
#define DP_PLAN_H

#include "mech/mech.h"

#define DP_PLAN_MAX	24
#define DP_PLAN_WHY	160
#define DP_PLAN_REPORT	((uint64_t)1 << 20)	/* step reported for when nobody says */

struct dp_candidate {
	const struct dp_mech_ops *ops;
	struct dp_error error;
};

struct dp_plan {
	struct dp_mech *mech;		/* the chosen one, ready to run; owned */
	const struct dp_mech_ops *ops;	/* as listed: mech itself may be wrapped */
	unsigned chosen, n;		/* eligible[chosen]; no rivals are wanted: that one alone */
	struct dp_candidate eligible[DP_PLAN_MAX];
	uint64_t report;		/* steps that errors are of: the horizon, if known */
	/* One that would do but for its noise, and why; NULL: there is none. */
	const struct dp_mech_ops *left;
	char left_why[DP_PLAN_WHY];
};

/*
 * name: a mechanism, or "auto": the smallest predicted maximum error, then mean.
 * DP_EINVAL: no such mechanism, or not eligible; DP_ERANGE: no noise scale fits;
 * then why is a sentence.  DP_ENOMEM.
 */
int	dp_plan_make(struct dp_plan *, const struct dp_mech_rule *, const char *name,
	    char why[static DP_PLAN_WHY]) DP_MUSTUSE;
void	dp_plan_free(struct dp_plan *);

/*
 * The i-th mechanism there is, NULL past the last: for --help.  Those of one task have different
 * names.
 */
const struct dp_mech_ops *dp_plan_list(unsigned i);
/*
 * Whether an earlier version had a mechanism of this name, for a task that has none of it now:
 * others came to have less error in every setting (make choices).
 */
bool	dp_plan_gone(const char *name);

#endif
