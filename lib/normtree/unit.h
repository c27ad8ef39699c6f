/*
 * unit.h - a tree on a grid coarser than the data's (normtree.h, UNITS).
 */
#ifndef DP_NORMTREE_UNIT_H
#define DP_NORMTREE_UNIT_H

#include "noise/privacy.h"

/*
 * The unit that a tree for this budget stands on, in grid units, and what may be lost for each of
 * its units that a protected unit moves.  A unit above 1 passes through the budget's params.
 * DP_ERANGE: none is coarse enough.
 */
int	dp_normtree_unit(const struct dp_privacy *, uint64_t *unit, double *rate) DP_MUSTUSE;
/* L of UNITS. */
uint64_t dp_normtree_moves(uint64_t l1, uint64_t cells, uint64_t unit);
/* The least epsilon, but for rounding, that has one. */
double	dp_normtree_epsilon(const struct dp_privacy *);
/* n increments of a tree, in grid units.  DP_EENTROPY, DP_ERANGE: they must not be used. */
int	dp_normtree_widen(uint64_t unit, struct dp_rng *, int64_t *w, unsigned n) DP_MUSTUSE;

#endif
