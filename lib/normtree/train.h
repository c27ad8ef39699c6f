/*
 * train.h - the characteristic functions of all first n steps of a tree, as a product of small
 * matrices, one a level (a tensor train: Oseledets 2011): found once, then a step takes some 600
 * multiplications.  For counts, whose steps weigh the same.
 *
 * Let f(P) = E[exp(i t S) | P], S the counted steps of a node of level l, the first n mod 2^l of
 * it, and K the law of a child given P, Z_l that of the node.  If the second child has the last
 * counted step, f = A f' of that child's f', (A f')(P) = sum_x K(P, x) exp(i t (P - x)) f'(x); else
 * f = B f', (B f')(P) = sum_x K(P, x) f'(x).  Let f = exp(i t P / 2) (u + i v), u, v real, u even
 * and v odd.  Then B is linear in (u, v), and A is B with the sign of v changed before and after.
 *
 * u and v are near spaces of few dimensions, which are found from level to level: with functions
 * u_j, v_j such that all of the level below are sums with coefficients from [-1, 1], it is those of
 * their images, by Gram and Schmidt with the largest first, until what is left has norms in
 * L2(Z_l) that sum to little.  New functions are as long as their coefficients can become: again
 * these are within [-1, 1], as the entries of B in them have absolute values that sum to 1 or less.
 *
 * Error.  In L1(Z_l) A and B are contractions: K averages, and takes Z_l to Z_(l-1).  So f is off
 * by no more than what was left on all levels, plus the probability of the P beyond those that are
 * looked at, and E f(root) likewise.  A tail that is inverted from them is off by 2 / pi step times
 * the sum over the points of that times their weights.
 */
#ifndef DP_NORMTREE_TRAIN_H
#define DP_NORMTREE_TRAIN_H

#include "curve.h"

#define DP_NORMTREE_EVEN	24	/* even functions of a level and point, at most; odd ones */
#define DP_NORMTREE_ABREAST	4	/* sums that a machine adds side by side */

/* A level's functions at a point: even ones, then odd ones, then nothing up to a whole ABREAST. */
struct dp_normtree_rank {
	unsigned even, odd, all;
};

struct dp_normtree_train {
	unsigned h, low, points;
	double off;			/* a tail, at most, for each tree in it */
	struct dp_normtree_rank rank[DP_NORMTREE_LEVELS + 1][DP_LAW_POINTS];
	size_t width[DP_NORMTREE_LEVELS + 1];	/* of a level's vectors, all points */
	/* B from level l - 1 to l, a row for each of l's functions: [l][point] */
	double *map[DP_NORMTREE_LEVELS + 1][DP_LAW_POINTS];
	double *near;		/* coefficients of the first n steps of a node of level `low` */
	struct {
		bool known;
		uint64_t n;
		double *before[DP_NORMTREE_LEVELS + 1];	/* what a level's functions add to phi */
	} way[2];
};

/*
 * For a curve's points, alpha = 1; it needs none of its memory.  NULL: there is none.  Takes A^2
 * times points times levels: .1 to .5 s.
 */
struct dp_normtree_train *dp_normtree_train_create(const struct dp_normtree_curve *);
void	dp_normtree_train_free(struct dp_normtree_train *);	/* NULL is fine */
/* phi *= that of the first n < 2^h steps, way 0 or 1: faster if n is near to the last one. */
void	dp_normtree_train_steps(struct dp_normtree_train *, unsigned way, uint64_t n, double *phi);
/* For train_make.c: coefficients of the first n steps of a node of level `low`, n = 0 .. */
bool	dp_normtree_train_near(struct dp_normtree_train *);

#endif
