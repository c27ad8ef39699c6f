/*
 * draw.h - draws on the tables' own grid.
 */
#ifndef DP_NORMTREE_DRAW_H
#define DP_NORMTREE_DRAW_H

#include "normtree.h"

typedef struct dp_real real;

DP_INLINE uint64_t
size_of(int64_t noise)
{
	const uint64_t sign = -((uint64_t)noise >> 63);

	return ((uint64_t)noise ^ sign) - sign;
}

/* a and b of the node's noise, from j */
DP_INLINE void
put(int64_t noise, uint64_t j, unsigned swap, int64_t *out)
{
	const uint64_t sign = -((uint64_t)noise >> 63), P = ((uint64_t)noise ^ sign) - sign;
	const uint64_t a = P - P / 2 + j, b = P / 2 - j, other = (a ^ b) & -(uint64_t)swap;

	out[0] = (int64_t)(((a ^ other) ^ sign) - sign);
	out[1] = (int64_t)(((b ^ other) ^ sign) - sign);
}

/* Of a table that is geometric from A on. */
real	dp_normtree_entry(const real *table, unsigned A, real beyond, uint64_t v);
/* Of the split of P into P/2 + j, rounded up, for the child of that side, and the rest. */
real	dp_normtree_weight(const struct dp_normtree_level *, unsigned side, uint64_t P,
	    uint64_t j);
/* The envelope of P's splits: of its row, or found. */
struct dp_normtree_row dp_normtree_row_for(const struct dp_normtree_level *, uint64_t P);
/* dp_normtree_root() and _split(), in units of the tables. */
int	dp_normtree_coarse_root(const struct dp_normtree *, struct dp_rng *, int64_t *) DP_MUSTUSE;
int	dp_normtree_coarse_split(const struct dp_normtree *, struct dp_rng *, unsigned kind,
	    const int64_t *Q, int64_t *out, unsigned n) DP_MUSTUSE;

#endif
