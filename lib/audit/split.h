/*
 * split.h - internal to lib/audit: p(a | P) = g'(a) g"(P - a) k(min(y, Y)) / N(P), what a node's
 * left half has of its noise P (tree.h), and the root's law.
 *
 * p is computed in doubles, and every sum has positive terms: nothing is lost to cancellation, and
 * an operation is off by a factor 1 +- 2^-53 at most.  A number g(v) or k(v) beyond its table is a
 * product of v of them at most.  No v is above P + far, where far = max(P + A, R) + 1 <= 2 R + 1
 * is the a that a sum is geometric from.  So a weight is off by (2R + 1) + (3R + 1) + (2R + 1) + 2
 * factors at most, a sum of them by 4R + 7 more (terms, their additions, and the tail's ratio,
 * which MPFR finds), and p and what is outside, one sum or weight over another, by
 * DP_AUDIT_OFF(R).  Where N is not within 2^+-500, or a table's number above 2^200, all counts as
 * outside; else numbers that are too small for a double make at most 2^-150 of a row, which
 * outside has, too.
 */
#ifndef DP_AUDIT_SPLIT_H
#define DP_AUDIT_SPLIT_H

#include "share.h"
#include "tree.h"

#define DP_AUDIT_WEIGHT	64		/* bits of a weight of the root */
#define DP_AUDIT_OFF(R)	(22 * (R) + 25)	/* factors 1 +- 2^-53 */
#define DP_AUDIT_UNDER	0x1p-150

struct audit_split {
	const struct audit_tree *t;
	long R;				/* |P| and |a| at most; at least the tables' A */
	double *g[2], *k;		/* 4 R + 2 of them: beyond the tables, too; owned */
	double tail;			/* r / (1 - r), r the ratio of weights beyond */
	bool wild;			/* numbers above 2^200 */
	double *p, outside;		/* p(a | P), [a + R], 2 R + 1 of them; of all other a */
};

/* false: no memory; stop, too, then. */
bool	audit_split_start(struct audit_split *, const struct audit_tree *, long R);
void	audit_split_stop(struct audit_split *);
/* Of nodes of this kind; then p and outside for P, 0 <= P <= R. */
void	audit_split_of(struct audit_split *, const struct audit_kind *);
void	audit_split_law(struct audit_split *, const struct audit_kind *, long P);
/* law[P + R] of the root's table, and of all others, in shares; false: no memory. */
bool	audit_root_law(const struct audit_tree *, long R, mpfr_rnd_t way, dp_uwide *law,
	    dp_uwide *outside);

#endif
