/*
 * work.h - a level of a norm tree as it is planned: tables of doubles, which are even in their
 * argument; table.c certifies what moments.c measures.
 */
#ifndef DP_NORMTREE_WORK_H
#define DP_NORMTREE_WORK_H

#include "normtree.h"

/* g, next, t, m and child are over 0 .. last = 3A + 2. */
struct work {
	unsigned A, last;
	bool open;		/* level 1: g is 1, and k goes on for ever */
	unsigned fine;		/* log2 D: then tables are of splines */
	double *g, *next;	/* the children's table, the parents' */
	double *c;		/* fine: the children's as parents */
	double *k;		/* 0..A */
	double *N, *C;		/* N'(P) for P = 0 .. 2A + 1, of the envelope for P = 0..A */
	double *t;
	double *m, *child;	/* P(|noise| = v) of a node, of one of its children */
	double q, fade;		/* g(v + 1) / g(v), k(y + 1) / k(y) beyond A */
	double wedge;		/* open: sum of k(y), y >= 1 */
};

/*
 * The weights t of P's splits into P/2 + j, rounded up, and the rest, for j = 0, 1, .. until they
 * are `nothing` of their sum; returns how many.  *sum is that of all, on both sides.
 */
unsigned dp_normtree_weights(const struct work *, unsigned P, double nothing, double *sum);

/* The root's law in w->m: var and split of all levels, from the root down, by the tree's tables. */
void	dp_normtree_moments(struct dp_normtree *, struct work *);

#endif
