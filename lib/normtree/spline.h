/*
 * spline.h - what a norm tree's tables become on a finer grid (normtree.h, SPLINES), and lose.
 * Tables are even, over 0 .. last = 3A + 2, from A on geometric.
 */
#ifndef DP_NORMTREE_SPLINE_H
#define DP_NORMTREE_SPLINE_H

#include "normtree.h"

#define DP_SPLINE_ORDER	4	/* n: uniforms in a residual */
#define DP_SPLINE_REACH	12	/* A, at least */

/*
 * Replaces c, as far as A, by its means of five, for which lambda is least.  ratio: c(v + 1) / c(v)
 * from A - 1 on.
 */
void	dp_spline_smooth(double *c, unsigned A, unsigned last, double ratio, unsigned fine);
/* lambda of g and c, fall = exp(-e), but for rounding; in grid units. */
double	dp_spline_loss(const double *g, const double *c, unsigned A, unsigned fine, double fall);
/* D times the probability that n uniforms from 0 .. D - 1 sum to s + D k, 0 <= s < D, k < n. */
void	dp_spline_basis(double *w, unsigned n, double D, double s);
/* The variance of a residual, and the mean of that of half the difference of two of known sum. */
double	dp_spline_residual(unsigned fine);

#endif
