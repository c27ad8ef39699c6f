/*
 * pass.h - K and J of place.h as matrices: what takes functions of a node's noise from a parent to
 * its child, and back.
 */
#ifndef DP_NORMTREE_PASS_H
#define DP_NORMTREE_PASS_H

#include "normtree.h"

/* Two functions of a node's noise v at all points: [v * stride + point]. */
struct half {
	double *x, *y;
};

/* Of a kind; [P * (last of the child + 1) + u]. */
struct dp_normtree_pass {
	double *even[2], *odd[2];	/* NULL: not made yet; what free() takes is even[0] */
	unsigned last, child[2];	/* largest P; largest u of each child */
	unsigned sides;			/* 0: children of one kind, which share matrices */
};

/*
 * In grains (child.h).  A level's nodes: none larger than last[level] is looked at.  false: no
 * memory.
 */
bool	dp_normtree_pass_set(struct dp_normtree_pass *, const struct dp_normtree *, unsigned kind,
	    const unsigned *last, unsigned grain) DP_MUSTUSE;
/* x by K, y by J: from the parent to that child, sum_P f(P) K(P, u); up: sum_u K(P, u) f(u). */
void	dp_normtree_pass(const struct dp_normtree_pass *, unsigned side, bool up,
	    const struct half *from, struct half *to, size_t stride);

#endif
