/*
 * node.h - internal to this room: a node on the way from the root down, for place.c.
 */
#ifndef DP_NORMTREE_NODE_H
#define DP_NORMTREE_NODE_H

#include "level.h"

/* A node on the way: n numbers of each are not 0.  One of a chain has no `before`. */
struct dp_normtree_node {
	struct dp_normtree_node *next, *child[2];	/* child: while its kind is gone through */
	uint64_t base;
	double offset;			/* E[B^2] / D^2 */
	unsigned n;
	uint32_t place;			/* of a chain's */
	struct dp_normtree_pair noise, before;	/* of 1, and of B / D (redraw.h) */
	double number[];
};

/* Of n numbers, all 0; NULL: no memory. */
struct dp_normtree_node *dp_normtree_node_new(unsigned n, bool chain);
void	dp_normtree_node_free(struct dp_normtree_node *);	/* and its children; NULL is fine */
/* A copy in the memory that it takes, rare entries at its end cut; the other one is freed. */
struct dp_normtree_node *dp_normtree_node_shrink(struct dp_normtree_node *, unsigned most,
	    bool chain);
/* E[i^2], or of Q; E[P^2], with the variance `rest` of a residual, and E[B P]: in D^2. */
double	dp_normtree_node_second(const struct dp_normtree_node *);
double	dp_normtree_node_square(double rest, const struct dp_normtree_node *);
double	dp_normtree_node_cross(const struct dp_normtree_node *);
/*
 * Adds the part that row P, of `end` numbers, makes of both children: place.h.  Not of a chain, and
 * but for what the right one's B has of the left one.
 */
void	dp_normtree_node_share(const struct work *, struct dp_normtree_node *, unsigned P,
	    unsigned end);

#endif
