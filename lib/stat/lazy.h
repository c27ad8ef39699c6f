/*
 * lazy.h - internal to lazy*.c: the plan of one that fires (lazy.c has its proof).
 */
#ifndef DP_LAZY_H
#define DP_LAZY_H

#include "noise/selection.h"
#include "column_sums.h"

enum { RHO, NU, RELEASE, FAMILIES };

struct lazy {
	struct dp_mech m;
	bool choice;
	uint64_t fires;			/* c */
	int64_t least, stop;		/* A, H */
	int64_t centre;
	double beta, ceiling;		/* K */
	struct dp_q share[FAMILIES];
	struct dp_noise noise[FAMILIES];	/* of a choice: as --explain has it */
	struct dp_choose choose;
	uint64_t linf, spread;		/* that the noise is for */
};

/*
 * Plans shares, threshold and fires, for the least loss or by the rule's numbers.  Errors as of
 * dp_mech_ops.create().
 */
int	dp_lazy_plan(struct lazy *, const struct dp_mech_rule *, const struct dp_maxsum *)
	    DP_MUSTUSE;
/* The loss by (1) to (3) of lazy.c; and the most that a printed sum is off, by (4). */
double	dp_lazy_loss(const struct lazy *);
double	dp_lazy_farthest(const struct lazy *);
/* Statements of its draws: for ops->certify. */
int	dp_lazy_certify(const struct lazy *, struct dp_buf *) DP_MUSTUSE;

#endif
