/*
 * points.h - points that laws of a tree's noise are found at, and what is found once for all of
 * them: matrices of splits.
 *
 * They are all that a period of a lattice of grains has (noise/law.h), and after them 0 and a
 * slight one: what is left out is missing at 0, and both tell the variance.
 */
#ifndef DP_NORMTREE_POINTS_H
#define DP_NORMTREE_POINTS_H

#include <math.h>

#include "pass.h"

#define DP_NORMTREE_SETS	2	/* of points, those of two ranges, are kept */
#define DP_NORMTREE_STRIDE	(DP_LAW_POINTS + 4)	/* numbers of a v, at most */
#define DP_NORMTREE_FARTHEST	(2 * DP_NORMTREE_REACH)	/* M, at most */
#define DP_NORMTREE_SLIGHT	0.0625	/* of a step */

/* In grains, each `grain` of the tables' numbers. */
struct dp_normtree_points {
	double gamma, step;
	unsigned points, stride, grain;
	unsigned M[DP_NORMTREE_LEVELS + 1];	/* no node of a level is looked at beyond */
	struct dp_normtree_pass pass[DP_NORMTREE_KINDS];
};

/* Points as they were chosen last, for a gamma and a standard deviation; gamma 0: none yet. */
struct dp_normtree_choice {
	double gamma, sigma, step, grain;
	unsigned n, tables;
};

/*
 * Sets step, n and grain, and phi to 1, for a law of standard deviation `most`, in numbers of the
 * tables; 0: of the power of two that sigma is below.  Returns the tables' grain.
 */
unsigned dp_normtree_points_choose(const struct dp_normtree *, struct dp_normtree_choice *,
	    struct dp_law_wave *, double most);
/* Returns the largest M.  What is zeroed, or freed, is good for it. */
unsigned dp_normtree_points_set(struct dp_normtree_points *, const struct dp_normtree *,
	    double gamma, double step, unsigned n, unsigned grain);
void	dp_normtree_points_free(struct dp_normtree_points *);
/* NULL, false: no memory.  One that is there stays. */
const struct dp_normtree_pass *dp_normtree_pass_of(struct dp_normtree_points *,
	    const struct dp_normtree *, unsigned kind);
/* sum_v of the real part of the product of both, v <= M, at all points. */
void	dp_normtree_close(const struct dp_normtree_points *, unsigned M, const struct half *,
	    const struct half *, double *to);
bool	dp_normtree_half_new(const struct dp_normtree_points *, unsigned M, struct half *)
	    DP_MUSTUSE;
/* The law of the root's size, its first n numbers. */
void	dp_normtree_root_numbers(const struct dp_normtree *, unsigned grain, double *to,
	    unsigned n);

/* The i-th: of points 0 .. points + 1, and more of no use as far as a stride goes. */
static inline double
dp_normtree_point(const struct dp_normtree_points *q, unsigned i)
{
	return i < q->points ? (i + 1) * q->step :
	    (i - q->points) * DP_NORMTREE_SLIGHT * q->step;
}

/* The variance of a law, in grains, from its values at the last two points. */
static inline double
dp_normtree_curvature(const struct dp_normtree_points *q, const double *told)
{
	const double s = dp_normtree_point(q, q->points + 1);

	return -2 * log(told[1] / told[0]) / (s * s);
}

#endif
