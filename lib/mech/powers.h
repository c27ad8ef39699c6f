/*
 * powers.h - polynomial decay (d + 1)^-c as a sum of exponentials, so that O(1) memory will do:
 *	(d + 1)^-c = 1/Gamma(c) int e^(c u - (d + 1) e^u) du
 * by the trapezoidal rule (Beylkin, Monzon 2005).  Relative error below 1e-9 for every lag below
 * 2^40, 0 < c < 8.  For private values only: doubles.
 */
#ifndef DP_POWERS_H
#define DP_POWERS_H

#include "base/numbers.h"

#define DP_POWERS_MAX	402

struct dp_powers {
	unsigned n;			/* sum of weight[j] decay[j]^d */
	double weight[DP_POWERS_MAX], decay[DP_POWERS_MAX];	/* zeros from n on */
};

/*
 * *f zeroed before: a fit, through numbers, or what these replay.  DP_ERANGE: too many of them;
 * DP_EINVAL: what is replayed is no fit.
 */
int	dp_powers_keep(struct dp_powers *f, double c, struct dp_numbers *) DP_MUSTUSE;
/*
 * v comes, all before are one step older: their weighted sum.  s: DP_POWERS_MAX words, zeros
 * before the first.
 */
double	dp_powers_step(const struct dp_powers *, double *s, double v);

#endif
