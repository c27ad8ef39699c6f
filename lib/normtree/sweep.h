/*
 * sweep.h - the characteristic function of the noise in one estimate of a count or a window, found
 * from the root down: for trees of all kinds.
 *
 * How: tests/proof/norm-tree.md.
 * Left out are nodes beyond M, a level's: what that comes to is found with the points, as they are
 * 1 at s = 0 but for it, and is charged.
 *
 * Numbers are those of the tables at multiples of a grain (child.h), 2 of which, or some more, are
 * a step's standard deviation: the law is of nearly the same form then, and law_parts.c makes it as
 * wide as the exact variance says.  Points are all that a period of them has: some 20, as an
 * estimate's noise is not much wider than a step's.  They serve all steps of a count.
 * Half-widths are never below the exact ones, and within 1 %: measured (t_normtree_bounds.c), not
 * proved, as for the form of a law in grains there is no bound so near.
 *
 * The last steps of a chain are as the first, reversed; trees of a row are independent.  A window
 * that begins and ends within one tree is not served: there the variance decides.
 */
#ifndef DP_NORMTREE_SWEEP_H
#define DP_NORMTREE_SWEEP_H

#include <math.h>

#include "normtree.h"

struct dp_normtree_sweeps;

/* Grid units from one number of the tables to the next: D units. */
static inline double
dp_normtree_apart(const struct dp_normtree *p)
{
	return (double)p->unit * (double)((uint64_t)1 << p->fine);
}

struct dp_normtree_sweeps *dp_normtree_sweeps_create(void);	/* a tree's; NULL: no memory */
void	dp_normtree_sweeps_free(struct dp_normtree_sweeps *);	/* NULL is fine */
/* dp_law_part.waves of a part whose `of` is a tree that is awake, and whose steps weigh 1. */
bool	dp_normtree_sweep(const struct dp_law_part *, struct dp_law_wave *);

#endif
