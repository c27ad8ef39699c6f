/*
 * child.h - how the noise of a node's children depends on its own: rows of the splits' laws.
 *
 * Of a child u and its parent's P, by their sizes: K(P, u) = P(child is u or -u | P), and
 * J(P, u) = P(u | P) - P(-u | P).
 */
#ifndef DP_NORMTREE_CHILD_H
#define DP_NORMTREE_CHILD_H

#include "level.h"

/*
 * The tables that a kind's nodes are split by; grain > 1: at its multiples alone, a law of nearly
 * equal form where the tables are long, in so many fewer numbers.
 */
void	dp_normtree_take(struct work *, const struct dp_normtree *, unsigned kind, unsigned grain);
/* On a finer grid: how its nodes are redrawn, from pairs of n <= 2A + 1 numbers. */
void	dp_normtree_take_redraw(struct work *, const struct dp_normtree *, unsigned kind,
	    unsigned n);

/*
 * Row P of K and, if asked for, of J, of both children of that kind, in w->row, where children are
 * alike the left one's: those from the one returned on are 0, and are not written.  weight: the
 * probability of P, or more; the less it is the fewer splits count.
 */
unsigned dp_normtree_row_of(const struct work *, unsigned P, double weight,
	    bool odd);

/* Of a chain: what row P, of so many numbers, makes of a node's pair in its child's. */
void	dp_normtree_descend(const struct work *, unsigned P, unsigned end,
	    const struct dp_normtree_pair *from, const struct dp_normtree_pair *to);

#endif
