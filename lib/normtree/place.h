/*
 * place.h - where a count's variance comes from, in a tree whose nodes differ.
 *
 * A place is a node below which all is a chain; the nodes above it are gone down one by one.  With
 * B the noise of all steps before it and P its own, its first u of L steps have the noise B + f P +
 * splits, f = u / L, where the splits of a chain are uncorrelated with what is above, and with each
 * other: error.c.  So step u has the variance
 *	E[B^2] + 2 f E[B P] + f^2 E[P^2] + sum over levels l of split_l s_l(u)^2,
 *	s_l(u) = 2 min(x, 1 - x), x = u / 2^l mod 1.
 * A tree that is a chain is one place, B = 0.
 *
 * Found from the root down: tests/proof/norm-tree.md.
 */
#ifndef DP_NORMTREE_PLACE_H
#define DP_NORMTREE_PLACE_H

#include "level.h"

struct dp_normtree_place {
	uint64_t base;			/* steps before it */
	unsigned level;
	uint32_t split;			/* the lowest level's is at number[split] */
	double before, both, own;	/* E[B^2], 2 E[B P], E[P^2] */
};

/* In one piece, n of them in the order of their steps. */
struct dp_normtree_places {
	uint32_t n, numbers;
	struct dp_normtree_place at[];	/* n, then the numbers */
};

size_t	dp_normtree_places_size(const struct dp_normtree_places *);
const double *dp_normtree_numbers(const struct dp_normtree_places *);
/* Of the steps up to the shape's T; the tables are there, and in w->m the root's law. */
int	dp_normtree_find_places(struct dp_normtree *, struct work *) DP_MUSTUSE;

/*
 * All of one place: its step u's variance; the sum of the first n; what none is above; and the
 * largest of the first n, or that where more than a plan has may be the largest.
 */
double	dp_normtree_place_at(const struct dp_normtree_place *, const double *split, uint64_t u);
double	dp_normtree_place_sum(const struct dp_normtree_place *, const double *split, uint64_t n);
double	dp_normtree_place_bound(const struct dp_normtree_place *, const double *split);
double	dp_normtree_place_max(const struct dp_normtree_place *, const double *split, uint64_t n,
	    uint64_t *worst);

#endif
