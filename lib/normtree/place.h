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
 * Going down: let m(v) = P(|P| = v), o(v) = E[B sign(P); |P| = v], and a, b the children's noise.
 * Given P nothing within the node depends on B.  As all is even,
 *	left	B' = B: m'(u) = sum_P m(P) K(P, u), o'(u) = sum_P o(P) J(P, u)
 *	right	B' = B + a: E[B'^2] = E[B^2] + 2 sum_P o(P) E[a | P] + sum_P m(P) E[a^2 | P], and as
 *		a = P - b: o'(u) = sum_P (o(P) + P m(P)) J(P, u) - u m'(u),
 * K(P, u) = P(child is u or -u | P), J(P, u) = P(u | P) - P(-u | P), of the child that it is.
 */
#ifndef DP_NORMTREE_PLACE_H
#define DP_NORMTREE_PLACE_H

#include "work.h"

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

/* Row P of K and of J, of both children; of a kind that was taken. */
struct dp_normtree_row_of {
	double *even[2], *odd[2];	/* [child][u], u = 0 .. last */
};
/* Those from the one returned on are 0, and are not written. */
unsigned dp_normtree_row_of(const struct work *, unsigned P, const struct dp_normtree_row_of *);

/*
 * On a finer grid: what residuals add to step t's variance, as if both children of every node had
 * tables alike.  They are a fraction of it below 1/100.
 */
double	dp_normtree_residue(const struct dp_normtree *, uint64_t t);

/*
 * All of one place: its step u's variance; the sum of the first n; the largest of these, and what
 * none is above.
 */
double	dp_normtree_place_at(const struct dp_normtree_place *, const double *split, uint64_t u);
double	dp_normtree_place_sum(const struct dp_normtree_place *, const double *split, uint64_t n);
double	dp_normtree_place_bound(const struct dp_normtree_place *, const double *split);
double	dp_normtree_place_max(const struct dp_normtree_place *, const double *split, uint64_t n,
	    uint64_t *worst);

#endif
