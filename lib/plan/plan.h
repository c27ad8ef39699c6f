/*
 * plan.h - predicts every eligible mechanism's error exactly and picks one.
 */
#ifndef DP_PLAN_H
#define DP_PLAN_H

#include "mech/mech.h"

#define DP_PLAN_MAX	24
#define DP_PLAN_REPORT	((uint64_t)1 << 20)	/* step reported for when nobody says */

struct dp_setting {
	struct dp_privacy privacy;
	struct dp_task task;
	uint64_t horizon;	/* 0: unknown */
	uint64_t most;		/* no step value is larger, either way; 0: unknown */
	uint64_t report;	/* unknown horizon: predict for steps 1..report */
	bool bits;		/* step values are 0 or 1 */
	bool pan;		/* memory must be private against one intrusion .. */
	bool open_step;		/* .. also while a step (a bucket) is open */
};

struct dp_candidate {
	const struct dp_mech_ops *ops;
	struct dp_error error;
};

struct dp_plan {
	struct dp_mech *mech;		/* the chosen one, ready to run; owned */
	const struct dp_mech_ops *ops;	/* as listed: mech itself may be wrapped */
	unsigned chosen, n;		/* eligible[chosen] */
	struct dp_candidate eligible[DP_PLAN_MAX];
	uint64_t report;		/* the steps predictions cover: the horizon, if known */
};

/*
 * name: a mechanism, or "auto": the smallest predicted maximum error, then mean.
 * DP_EINVAL: no such mechanism, or not eligible; DP_ERANGE: no noise scale fits;
 * then why is a sentence.  DP_ENOMEM.
 */
int	dp_plan_make(struct dp_plan *, const struct dp_setting *, const char *name,
	    char why[static 160]) DP_MUSTUSE;
void	dp_plan_free(struct dp_plan *);

/* The i-th mechanism there is, NULL past the last: for --help.  Those of one task have different names. */
const struct dp_mech_ops *dp_plan_list(unsigned i);

/*
 * A lower bound on the error of any (epsilon, delta)-DP mechanism, in units of one event.
 * COUNT: at all of T steps together (the packing of Dwork et al. 2010, Theorem 4.2, constants explicit, group
 * privacy with delta): the largest k/2 such that no mechanism keeps its error below k/2 at all of T
 * steps with probability 1-beta.
 *   floor(T/k) e^(-k epsilon) (1 - beta - delta (e^(k epsilon) - 1)/(e^epsilon - 1)) > beta
 * Others: at one step: the inputs 0.. and 1 at the last D steps differ by G(D) = g(0) + .. + g(D-1), so no
 * mechanism keeps its error below G(D)/2 at each step with probability 1-beta while
 *   e^(D epsilon) beta + delta (e^(D epsilon) - 1)/(e^epsilon - 1) < 1 - beta;
 * under expiry the D steps must be protected ones.  GRADUAL: 0, none is known to us.
 */
double	dp_plan_lower_bound(const struct dp_task *, uint64_t T, double epsilon, double delta, double beta);

#endif
