/*
 * recall.h - internal to this room: trees of one planning, by what they are a function of.
 */
#ifndef DP_NORMTREE_RECALL_H
#define DP_NORMTREE_RECALL_H

#include "normtree.h"

/* All that a tree is a function of, except its tables' hash in a state. */
struct dp_normtree_key {
	char of[8];
	double rate;
	struct dp_normtree_shape shape;
};

void	dp_normtree_set_key(struct dp_normtree_key *, const struct dp_normtree_shape *,
	    double rate);
/* A tree of that key, if it will do, at rest unless its tables are known; the key stays. */
bool	dp_normtree_recall(struct dp_normtree *, struct dp_normtree_key *,
	    const struct dp_privacy *, enum dp_normtree_use);
void	dp_normtree_remember(const struct dp_normtree *, struct dp_normtree_key *,
	    const struct dp_privacy *);
/* Its tables, too. */
void	dp_normtree_remember_tables(const struct dp_normtree *, const struct dp_normtree_shape *,
	    struct dp_memo *);

#endif
