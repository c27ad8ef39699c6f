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
 * Cases left out count as reached: parts beyond the reach R, nodes and splits that together are
 * rarer than a share of what is asked for; heights above the highest count as it does.
 * R is where the root's table leaves so little outside, so it grows as rates fall.
 *
 * All terms are positive, and doubles: sums are off by few factors 1 +- 2^-53 (split.h), which are
 * counted and made good at the end.  G' + G" - G' G" = G' + (1 - G') G" rises with both, and falls
 * by no larger a factor than they do: with G' e and G" e, e < 1, it is e (G' + (1 - e G') G") or
 * more. Laws of roots are whole numbers of 2^-126, rounded up.  Draws are off by e^(2^-40) a node.
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

/* Of whole numbers, its left halves one level below each node. */
bool	audit_passage_bounded(const struct audit_tree *);
/* R: the root is farther than R with a probability of `share' or less; at least its A; 0: none. */
long	audit_passage_reach(const struct audit_tree *, double share);
/* sum = v, where that is off by n factors 1 +- 2^-53, with room for those, rounded up. */
void	audit_passage_up(mpfr_t sum, double v, double n);

/*
 * sum: the sum over i < n of P(S + w_1 + .. + w_t >= height[i] at some t <= steps[i]), rounded up;
 * w are the tree's increments.  share: what may be left out of the root, and
 * rare: of one node or split; all of it counts as reached.  false: it cannot be bounded,
 * for want of memory, time, or as the grid is finer.
 */
bool	audit_passage(const struct audit_tree *, const struct audit_before *, unsigned n,
	    const uint64_t *steps, const uint64_t *height, double share, double rare, mpfr_t sum);
/*
 * Of windows over an endless row of such trees, none longer than W: at most the largest sum of
 * P(N_t >= height) over W steps t in a row, N_t the noise of the last W steps, before step W that
 * of all.  share, rare and false: as above; or a tree's halves differ.
 */
bool	audit_passage_windows(const struct audit_tree *, uint64_t W, uint64_t height,
	    double share, double rare, mpfr_t sum);
/* The tree has ended: its root is of what is before.  false: as above. */
bool	audit_passage_root(const struct audit_tree *, struct audit_before *);

#endif
