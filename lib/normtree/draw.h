/*
 * draw.h - draws on the tables' own grid.
 */
#ifndef DP_NORMTREE_DRAW_H
#define DP_NORMTREE_DRAW_H

#include "normtree.h"

typedef struct dp_normtree_real real;

/* Of a table that is geometric from A on. */
real	dp_normtree_entry(const real *table, unsigned A, real beyond, uint64_t v);
/* As dp_normtree_root() and _split(), in units of the tables. */
int	dp_normtree_coarse_root(const struct dp_normtree *, struct dp_rng *, int64_t *) DP_MUSTUSE;
int	dp_normtree_coarse_split(const struct dp_normtree *, struct dp_rng *, unsigned kind,
	    const int64_t *Q, int64_t *out, unsigned n) DP_MUSTUSE;

#endif
