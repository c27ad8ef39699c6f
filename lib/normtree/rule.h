/*
 * rule.h - internal to this room: shares by path, as numbers that a horizon decides.
 *
 * Nodes have one of four types.  What a node takes of the budget that its path has left, and where
 * its k begins to fall, are functions of its height and type, with some numbers of their own near
 * the root and the steps; these numbers are there for some T and are interpolated between.
 */
#ifndef DP_NORMTREE_RULE_H
#define DP_NORMTREE_RULE_H

#include <stdbool.h>

#define DP_NORMTREE_BUDGETS	16	/* of a height, at most */
#define DP_NORMTREE_NUMBERS	29

/* The left child of a left one, or the top; the left of a right one; a right one; all alike. */
enum { DP_NORMTREE_LL, DP_NORMTREE_LR, DP_NORMTREE_RIGHT, DP_NORMTREE_ALIKE, DP_NORMTREE_TYPES };

struct dp_normtree_rule {
	unsigned H;			/* levels below the root, or below the node above them */
	unsigned unlike;		/* children differ so far from the top */
	unsigned budgets;		/* that the nodes of a height leave, at most */
	double root;			/* its share */
	double above;			/* share of a node above; 0: there is none */
	double p[DP_NORMTREE_NUMBERS];
};

/*
 * Of runs with hardly more than 2^(H - 1) steps the first 2^(H - 1) have a tree of their own, below
 * one node; up to 2^7 steps other numbers are better. x as below.
 */
static inline bool
dp_normtree_rule_above(unsigned H, double x)
{
	return H > 7 && 2 * x <= 1.0625;
}

/* For T steps of 2^H, x = T / 2^H from above 1/2 to 1. */
void	dp_normtree_rule_set(struct dp_normtree_rule *, unsigned H, double x);
/* Share of its budget that a node of height h takes, and where k bends. */
void	dp_normtree_rule_wish(const struct dp_normtree_rule *, unsigned h, unsigned type,
	    double *share, double *corner);

#endif
