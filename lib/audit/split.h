/*
 * split.h - internal to lib/audit: p(a | P) = g'(a) g"(P - a) k(min(y, Y)) / N(P), what a node's
 * left half has of its noise P (tree.h), and the root's law, as doubles: within a factor
 * 1 + 10^-12.
 */
#ifndef DP_AUDIT_SPLIT_H
#define DP_AUDIT_SPLIT_H

#include "tree.h"

#define DP_AUDIT_NEVER	1e-200		/* more than all that underflows */

struct audit_split {
	const struct audit_tree *t;
	long R;				/* |P| and |a| at most; at least the tables' A */
	double *g[2], *k;		/* room for 4 R + 1 */
	double *p, outside;		/* p(a | P), [a + R], 2 R + 1 of them; of all other a */
};

/* Of nodes of this kind; then p and outside for P, 0 <= P <= R. */
void	audit_split_of(struct audit_split *, const struct audit_kind *);
void	audit_split_law(struct audit_split *, const struct audit_kind *, long P);
/* law[P + R] of the root's table; returns at most the probability of all others. */
double	audit_root_law(const struct audit_tree *, long R, double *law);

#endif
