/*
 * tally.h - where the variance of a window or a decay comes from, in an endless row of trees.
 *
 * Trees are binary, and a node's noise splits into that of its two children.  Where splits have a
 * variance by level, and are uncorrelated with each other and with the roots, the variance of an
 * estimate is a sum over nodes.  With q(J) the mean weight that the steps of node J have in it (0
 * if they are to come), that is
 *	sum over levels l < h, nodes J of 2^(l+1) steps: split_l (q(left half) - q(right half))^2
 *	+ sum over the roots J: root q(J)^2.
 * B = 2^l are the steps of a half (of a root at l = h).  Let K be the node that holds step n
 * (0-based), r its whole halves before n, y the steps since.
 *   near  of node K the difference is affine in p = y / B (COUNT), p = 1 - alpha^y (EXP), so its
 *         square is a quadratic, convex in p.  Under COUNT other nodes have none.
 *   old   EXP: that of node J < K falls by alpha a step after its end.
 * WINDOW is COUNT at t minus COUNT at t - W, node by node.
 */
#ifndef DP_TALLY_H
#define DP_TALLY_H

#include "task.h"

#define DP_TALLY_LEVELS	56	/* of splits */

/* a + b p + c p^2 */
struct dp_tally_poly {
	double a, b, c;
};

struct dp_tally_rung {
	double B, span;		/* steps of p's course, and of a node: 2 B; of a root both are B */
	double rate;		/* -ln alpha; 0: COUNT or WINDOW */
	double full;		/* p of B steps: 1, or 1 - alpha^B */
	double old;		/* EXP: square of a node that ended just now */
	unsigned halves;	/* 2; of a root 1 */
	struct dp_tally_poly near[2];	/* square of the node at hand: r = 0, 1 */
};

struct dp_tally {
	unsigned h;		/* level of the roots */
	uint64_t W;		/* WINDOW, EXPIRE; else 0 */
	double rate;
	double v[DP_TALLY_LEVELS + 1];	/* split_l, and root */
	struct dp_tally_rung level[DP_TALLY_LEVELS + 1];
};

/* split: h of them.  Of a COUNT nothing is found.  WINDOW, EXPIRE: of w[out]. */
void	dp_tally_set(struct dp_tally *, unsigned h, const double *split,
	    double root, const struct dp_task *, unsigned out);
/* Squares of level l at step t, and their sum over t = 1..T. */
double	dp_tally_at(const struct dp_tally *, unsigned l, uint64_t t);
double	dp_tally_sum(const struct dp_tally *, unsigned l, uint64_t T);
/* EXP: squares of all nodes that ended before one, as it begins: the most, ever. */
double	dp_tally_oldest(const struct dp_tally_rung *);
/* Largest variance of steps 1..T, exact but for rounding, and a step that has it. */
double	dp_tally_max(const struct dp_tally *, uint64_t T, uint64_t *worst);

#endif
