/*
 * split.h - internal to lib/audit: p(a | P) = g'(a) g"(P - a) k(min(y, Y)) / N(P), what a node's
 * left half has of its noise P (tree.h), and the root's law, in shares, all rounded one way.
 */
#ifndef DP_AUDIT_SPLIT_H
#define DP_AUDIT_SPLIT_H

#include "share.h"
#include "tree.h"

#define DP_AUDIT_WEIGHT	64		/* bits of a weight */

/* v(0), v(1), .., from below and from above. */
struct audit_weights {
	mpfr_t *lo, *hi;		/* owned */
	size_t n;
};

struct audit_split {
	const struct audit_tree *t;
	long R;				/* |P| and |a| at most; at least the tables' A */
	struct audit_weights g[2], k;	/* 4 R + 1 of them */
	mpfr_rnd_t way;			/* up or down */
	dp_uwide *p, outside;		/* p(a | P), [a + R], 2 R + 1 of them; of all other a */
};

/* false: no memory; stop, too, then. */
bool	audit_split_start(struct audit_split *, const struct audit_tree *, long R, mpfr_rnd_t way);
void	audit_split_stop(struct audit_split *);
/* Of nodes of this kind; then p and outside for P, 0 <= P <= R. */
void	audit_split_of(struct audit_split *, const struct audit_kind *);
void	audit_split_law(struct audit_split *, const struct audit_kind *, long P);
/* law[P + R] of the root's table, and of all others; false: no memory. */
bool	audit_root_law(const struct audit_tree *, long R, mpfr_rnd_t way, dp_uwide *law,
	    dp_uwide *outside);

#endif
