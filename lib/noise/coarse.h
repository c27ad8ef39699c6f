/*
 * coarse.h - noise over time on a grid coarser than the data's, which is too fine for it.
 *
 * Whole numbers w_t, of any joint law, are noise on a grid of units of u grid units, u odd; a step
 * has the noise u w_t + v_t, v_t uniform from -(u - 1)/2 .. (u - 1)/2, fresh at each step.  Numbers
 * beyond 2^36 units are refused, so that words hold all.
 * Statement: if at most c of the values of the steps differ between neighbours, by l1 in sum, the
 * release loses at most what w does for L = floor((l1 + c (u - 1)) / u) moves of one unit.
 * Proof.  There is one pair (w, v) for each z = u w + v, so p(z) = p(w) u^-T: where z_t moves by d
 *   w_t moves by at most ceil(|d| / u) = floor((|d| + u - 1) / u), and p(w) is what moves by that.
 *   These whole numbers sum to at most (l1 + c (u - 1)) / u.
 * v adds (u^2 - 1) / 12 a step to the variance: next to nothing, as L is about epsilon 2^26.
 */
#ifndef DP_COARSE_H
#define DP_COARSE_H

#include "privacy.h"

/*
 * The unit that w for this budget needs, in grid units, and what may be lost for each of its units
 * that a protected unit moves, at least 2^-26.  A unit above 1 passes through the budget's numbers.
 * DP_ERANGE: none is coarse enough.
 */
int	dp_coarse_unit(const struct dp_privacy *, uint64_t *unit, double *rate) DP_MUSTUSE;
/* L */
uint64_t dp_coarse_moves(uint64_t l1, uint64_t cells, uint64_t unit);
/* The least epsilon, but for rounding, that has one. */
double	dp_coarse_epsilon(const struct dp_privacy *);
/* n of w, to grid units.  DP_EENTROPY, DP_ERANGE: they must not be used. */
int	dp_coarse_widen(uint64_t unit, struct dp_rng *, int64_t *w, unsigned n) DP_MUSTUSE;

#endif
