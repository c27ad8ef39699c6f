/*
 * recompute.h - a largest sum that is found anew every r steps; for recompute*.c alone.
 */
#ifndef DP_RECOMPUTE_H
#define DP_RECOMPUTE_H

#include "column_sums.h"

struct dp_recompute {
	struct dp_mech m;
	enum dp_maxsum_show show;
	uint64_t r, releases;
	uint64_t linf, spread;		/* of a unit (privacy.h) */
	dp_wide centre;
	double beta, half, drift;	/* drift: of a choice, in a step */
	double grow, fall;
	struct dp_noise noise;		/* of values */
	struct dp_choose choose;
	struct dp_noise shown;		/* the law of choose, for --explain */
	char what[2][64];
};

/* r, the noise and the drift, with the least quantile; DP_ERANGE: no noise fits. */
int	dp_recompute_plan(struct dp_recompute *, const struct dp_mech_rule *) DP_MUSTUSE;

/* Of the largest loss over all steps, once it is planned; INFINITY: it is not below `most`. */
double	dp_recompute_quantile(const struct dp_recompute *, double most);

#endif
