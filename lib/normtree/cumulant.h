/*
 * cumulant.h - cumulants of the noise in one estimate of a count or a window, where no node's noise
 * is beyond 2A.
 */
#ifndef DP_NORMTREE_CUMULANT_H
#define DP_NORMTREE_CUMULANT_H

#include "normtree.h"

/* dp_law_part.cumulant of a count; bytes of a tree's room, which it works in. */
void	dp_normtree_cumulant(const struct dp_law_part *, const double *s, unsigned n, double *k);
size_t	dp_normtree_room(const struct dp_normtree *);

#endif
