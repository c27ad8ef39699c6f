/*
 * passage.h - internal to lib/audit: how likely the noise of a count ever reaches a height, from
 * the tables of its trees alone.
 *
 * Within a node of noise P let G(P, x) be the probability that its noise, counted from its first
 * step on, is x or more at one of its steps: 1 for P >= x, as its end is one of them, else
 *	sum over a of p(a | P) (G' + G" - G' G"),   G' = G'(a, x), G" = G"(P - a, x - a),
 * as the halves are independent given a and P; p(a | P) is g'(a) g"(P - a) k(min(y, Y)) / N(P)
 * (tree.h).  Of the first T steps: from the root down to where they end, without the node's own
 * end.  Trees before this one count with their roots, whose sum S is independent of it.
 *
 * All is rounded up, whole numbers of 2^-63 and 2^-126.  Cases left out count as reached: parts
 * beyond the reach, or rarer than `rare', and heights above the highest are as likely as that one.
 * Draws are off by e^(2^-40) a node.
 */
#ifndef DP_AUDIT_PASSAGE_H
#define DP_AUDIT_PASSAGE_H

#include "share.h"
#include "tree.h"

#define DP_AUDIT_PASSES	16

/* The law of S, rounded up: p[s + reach], and of all others. */
struct audit_before {
	dp_uwide *p, outside;		/* p is owned; NULL: S = 0 */
	long reach;
	unsigned trees;
};

/*
 * sum: the sum over i < n of P(S + w_1 + .. + w_t >= height[i] at some t <= steps[i]), rounded up;
 * w are the tree's increments.  false: it cannot be bounded, for want of memory, time, or as the
 * grid is finer.
 */
bool	audit_passage(const struct audit_tree *, const struct audit_before *, unsigned n,
	    const uint64_t *steps, const uint64_t *height, dp_uwide rare, mpfr_t sum);
/*
 * Of windows over an endless row of such trees, none longer than W: at most the largest sum of
 * P(N_t >= height) over W steps t in a row, N_t the noise of the last W steps, before step W that
 * of all.  rare: a measure that is left out.  false: as above, or a tree's halves differ.
 */
bool	audit_passage_windows(const struct audit_tree *, uint64_t W, uint64_t height,
	    dp_uwide rare, mpfr_t sum);
/* The tree has ended: its root is of what is before.  false: as above. */
bool	audit_passage_root(const struct audit_tree *, struct audit_before *);

#endif
