/*
 * privacy.h - the one place that turns a privacy share into a noise scale.
 *
 * A mechanism releases integer sums ("nodes") of the step values plus independent
 * noise.  It says which share of the budget one node family may spend; it never names a scale.
 *
 * Pure.  One protected unit (an event, or all events of a user) moves the vector of all step values by at
 * most `l1` grid units in L1.  If every step value enters at most one node of a family with
 * weight 1 and the family's noise is DLap(l1 / (epsilon * share)), the family is epsilon*share-DP
 * (spec: discrete Laplace on integer queries), and families compose by adding shares.
 *
 * Concentrated.  delta > 0 buys rho-zCDP with delta = min_{a>1} exp((a-1)(a rho - epsilon)) /
 * (a-1) * (1-1/a)^a  (Canonne, Kamath, Steinke 2020, Prop. 12); a family with discrete Gaussian noise of
 * sigma^2 = l2squared / (2 rho share) is rho*share-zCDP (ibid., Theorem 14 for several coordinates), families add.
 */
#ifndef DP_PRIVACY_H
#define DP_PRIVACY_H

#include "noise.h"

struct dp_privacy {
	bool exact;		/* epsilon = inf: no noise, NOT PRIVATE */
	bool dry;		/* only predict: noise knows its law but cannot be drawn */
	struct dp_q epsilon;	/* > 0 */
	struct dp_q delta;	/* [0, 1) */
	struct dp_q rho;	/* derived from both; 0 if delta is 0 */
	uint64_t l1;		/* grid units */
	uint64_t l2squared;	/* grid units squared */
};

/*
 * epsilon > 0, 0 <= delta < 1, 1 <= l1 <= 2^56.  Derives rho, rounded down.
 * DP_EINVAL out of range.
 */
int	dp_privacy_set(struct dp_privacy *, bool exact, struct dp_q epsilon,
	    struct dp_q delta, uint64_t l1, uint64_t l2squared) DP_MUSTUSE;

/* Noise for a family that may spend share (0 < share <= 1) of the budget. DP_ERANGE: the scale does not fit. */
int	dp_privacy_laplace(struct dp_noise *, const struct dp_privacy *, struct dp_q share) DP_MUSTUSE;
int	dp_privacy_gauss(struct dp_noise *, const struct dp_privacy *, struct dp_q share) DP_MUSTUSE;

/*
 * Cuts the budget into n <= 64 shares in proportion to weight[] (all > 0): positive multiples of 2^-24 that
 * sum to exactly 1, rounded down, the remainder going to the widest.
 */
void	dp_privacy_split(struct dp_q *share, const double *weight, unsigned n);

/* delta(rho, epsilon) of the conversion above, an upper bound. */
double	dp_zcdp_delta(double rho, double epsilon);

#endif
