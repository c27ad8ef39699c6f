/*
 * passage.h - internal to lib/audit: how likely the noise of a count ever reaches a height, from
 * the tables of its trees alone.
 *
 * Within a node of noise P let G(P, x) be the probability that its noise, counted from its first
 * step on, is x or more at one of its steps: 1 for P >= x, as its end is one of them, else
 *	sum over a of p(a | P) (G'(a, x) + (1 - G'(a, x)) G"(P - a, x - a)),
 *	G'(a, x) = 1 if a >= x,
 * as the halves are independent given a and P; p(a | P) is g'(a) g"(P - a) k(min(y, Y)) / N(P)
 * (tree.h).  Of the first T steps: from the root down to where they end, without the node's own
 * end.  Trees before this one count with their roots, whose sum S is independent of it.
 *
 * Cases left out count as reached: parts beyond the reach, rarer than 10^-25, and heights above
 * the highest are as likely as that one.  All terms are positive: doubles are off by a factor below
 * 1 + 10^-9, and draws by e^(2^-40) a node.
 */
#ifndef DP_AUDIT_PASSAGE_H
#define DP_AUDIT_PASSAGE_H

#include "tree.h"

#define DP_AUDIT_PASSES	16

/* The law of S: p[s + reach], and at most the probability of all others. */
struct audit_before {
	double *p;			/* owned; NULL: S = 0 */
	long reach;
	double outside;
};

/*
 * The sum over i < n of P(S + w_1 + .. + w_t >= height[i] at some t <= steps[i]), or more; w are
 * the tree's increments.  Negative: it cannot be bounded, for want of memory, time, or as the grid
 * is finer.
 */
double	audit_passage(const struct audit_tree *, const struct audit_before *, unsigned n,
	    const uint64_t *steps, const uint64_t *height);
/*
 * Of windows over an endless row of such trees, none longer than W: at most the largest sum of
 * P(N_t >= height) over W steps t in a row, N_t the noise of the last W steps, before step W that
 * of all.  rare: a measure that is left out.  Negative: as above, or a tree's halves differ.
 */
double	audit_passage_windows(const struct audit_tree *, uint64_t W, uint64_t height, double rare);
/* The tree has ended: its root is of what is before.  false: as above. */
bool	audit_passage_root(const struct audit_tree *, struct audit_before *);

#endif
