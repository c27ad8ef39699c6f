/*
 * tree.h - internal to lib/audit: the certificate of a norm tree's tables.
 *
 * As NormTree.v has it, with R as the root's g, so that e_R = 0: g, N and k of each kind, N(P) the
 * sum of g'(a) g"(P - a) k(min(y, Y(P))) over all a.  With r(P) = g(P + 1) / g(P) N(P) / N(P + 1)
 * the kind's e is the logarithm of the largest of
 *	1 / r(P), r(P) (low, high)   and   r(P) k(v) / k(v + 1), v < Y(P) (slope),   P >= 0.
 * Tables are geometric beyond A.  From M = max(A, A' + A") on N(P) is a s^P + b f^P, or (a + b P)
 * s^P where the two ratios are one; then N(P + 1) / N(P) goes one way, to the larger ratio, so that
 * M and the limit are enough.  Of a pair of steps N(P) = P + 1 + 2 (k(1) + k(2) + ..).
 */
#ifndef DP_AUDIT_TREE_H
#define DP_AUDIT_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include <mpfr.h>

#define DP_AUDIT_REACH	1024	/* A, at most */
#define DP_AUDIT_KINDS	1024
#define DP_AUDIT_STEP	UINT32_MAX

/* v[0..A], positive, and the ratio beyond. */
struct audit_table {
	double *v;		/* owned */
	unsigned A;
	double beyond;
};

struct audit_kind {
	unsigned level;
	uint32_t child[2];	/* or DP_AUDIT_STEP, both */
	double beyond[2];	/* of the children's tables, as this kind draws by them */
	struct audit_table k, g, c;	/* c: on a finer grid */
};

struct audit_tree {
	unsigned h, kinds, fine;
	uint64_t unit, cells;
	struct audit_kind *kind;	/* children before parents, the root's last; owned */
	struct audit_table root;	/* R: the last kind's g, which nothing else is drawn by */
};

/*
 * At most what a move of one of its units loses, to loss, rounded up.  NULL; or why the tables are
 * none that the theorem is about, a sentence's end.
 */
const char *audit_tree_loss(const struct audit_tree *, mpfr_t loss);
void	audit_tree_free(struct audit_tree *);

#endif
