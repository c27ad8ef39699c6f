/*
 * redraw.h - what is known of a node's noise on a finer grid (normtree.h, SPLINES), and what
 * becomes of that when the noise is taken for a whole number of the tables' again.
 *
 * A node has D (i + xi), its parent's split giving i, and xi a residual; what is split is Q, and
 * the rest of the noise is D rho = D (i + xi - Q).  Of i and xi the law of i is known, and the
 * mean of xi for each i: as the densities of what is above are nearly geometric over a few D, that
 * of xi given i is beta times 1 + xi E[xi | i] / Var(xi), but for less than 2 10^-3 of the
 * variance.  So P's law is, and thus that of Q, and the mean of rho for each Q.  All of it
 * holds for means of B, the noise of the steps before the node.
 *
 * A pair f(v), g(v) is E[F; |i| = v], E[F xi; |i| = v] of a variable F; of an odd one times the
 * sign of i, where f is odd; and g, where F is even.  After the redraw Q is in i's place, rho in
 * xi's.
 */
#ifndef DP_NORMTREE_REDRAW_H
#define DP_NORMTREE_REDRAW_H

#include "normtree.h"

struct dp_normtree_pair {
	double *of, *rest;		/* f, g */
};

/* For pairs of v < n, in dp_normtree_redraw_size(n) doubles. */
struct dp_normtree_redraw;

#define DP_NORMTREE_FARTHER	5

size_t	dp_normtree_redraw_size(unsigned n);
/* c: a kind's own table, as far as v = n + 12. */
void	dp_normtree_redraw_set(struct dp_normtree_redraw *, const double *c, unsigned fine,
	    unsigned n);
/* From m <= n numbers of each to m + DP_NORMTREE_FARTHER of each.  odd: F is. */
void	dp_normtree_redraw(const struct dp_normtree_redraw *, bool odd, unsigned m,
	    const struct dp_normtree_pair *from, const struct dp_normtree_pair *to);

#endif
