/*
 * spline.h - internal to lib/audit: what a table's potential costs on a grid D = 2^fine times as
 * fine as its own (lib/normtree/normtree.h, SPLINES, has the statement and the proof).
 *
 * beta4(y): the number of ways in which four numbers from 0 .. D - 1 sum to y + 2 (D - 1); beta8:
 * eight, y + 4 (D - 1).  With
 *	G(x) = sum_i g(i) e^(e i) beta4(x - D i),   C(x) = sum_Q c(Q) beta8(x - D Q)
 * the cost is the logarithm of the largest G(x + 1) C(x) / (G(x) C(x + 1)) over all whole x.  It is
 * found in exact numbers: e^-e is replaced by one of 44 bits that is no larger, as may be, since
 * what moves by e moves by no more than any larger e.  For x = D m + s, s = 0 .. D - 1, both sides
 * are polynomials of s, which are tried at each s, or for a larger D bounded by the coefficients of
 * Bernstein's form; where they say too little a cell is halved.
 */
#ifndef DP_AUDIT_SPLINE_H
#define DP_AUDIT_SPLINE_H

#include "tree.h"

/*
 * g and c go on beyond as geometric tables; NULL: a step's, 1 everywhere.  e is at least 0; loss is
 * rounded up.  NULL; or why not.
 */
const char *audit_spline_loss(const struct audit_table *g, const struct audit_table *c,
    unsigned fine, const mpfr_t e, mpfr_t loss);

#endif
