/*
 * levels.h - number of identifiers behind the counts of levels (hashed.c), and its interval.
 *
 * Level l counts Y_l of its B_l buckets, Y_l + z_l is y_l, z_l noise.  A bucket counts with
 * probability q_l(D) = p + gap (1 - (1 - pi_l/B_l)^D) if there are D identifiers.  All of it works
 * on y, which is private: doubles do no harm.
 *
 * INTERVAL.  Statement: all D that the score of y does not refute,
 *	|U(D)| <= c(D), U(D) = sum over l of a_l(D) (y_l - B_l q_l(D)),
 * a_l the weight that an efficient estimate near D gives to level l, c(D) the 1 - gamma quantile of
 * |U(D)|, hold the true D with probability 1 - gamma; so does the least interval around them.
 * Proof: tests/proof/sketches.md.
 */
#ifndef DP_LEVELS_H
#define DP_LEVELS_H

#include "bits.h"

#define DP_LEVELS	21
#define DP_LEVELS_WIDE	1		/* the level whose size is one of its own */

struct dp_levels {
	double b, wide;			/* B_l; that of DP_LEVELS_WIDE */
	struct dp_odds odds;
	const struct dp_noise *z;	/* of each level's count; NULL: none */
	double noise;			/* its variance */
};

/* pi_l: 2^-(l+1), and what is left for the last. */
double	dp_levels_share(unsigned level);
/* Variance of an efficient estimate of D, 1 over the information. */
double	dp_levels_variance(const struct dp_levels *, double D);
/* Law of U(D), in identifiers: that of D^ - D to the first order. */
void	dp_levels_law(const struct dp_levels *, double D, struct dp_law *);
/* The D from 0 to cap of the greatest likelihood, y_l taken as normal. */
double	dp_levels_likeliest(const struct dp_levels *, const int64_t y[static DP_LEVELS],
	    double cap);
/*
 * Ends of the interval of probability 1 - gamma from 0 to cap, whole numbers, est within.  Some 30
 * ms.  0; DP_ENOMEM.
 */
int	dp_levels_interval(const struct dp_levels *, const int64_t y[static DP_LEVELS], double est,
	    double cap, double gamma, double *lo, double *hi) DP_MUSTUSE;

#endif
