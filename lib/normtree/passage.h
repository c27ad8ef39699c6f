/*
 * passage.h - whether the noise of a count ever reaches a height: what a threshold for it costs,
 * and how large the noise of all steps is.
 */
#ifndef DP_NORMTREE_PASSAGE_H
#define DP_NORMTREE_PASSAGE_H

#include "normtree.h"

/*
 * tail[i n + x - 1], x = 1 .. n, i < times: at least P(N_t >= x at one of the steps t = 1 .. T[i]),
 * N the noise of a count, and no less than some 10^-20 a step; p is awake.  DP_EINVAL: not known,
 * as on a finer grid, of a row of trees, or beyond the shape's steps; DP_ENOMEM.  Cost: O(kinds
 * reach^2 n); 0.1 s for T = 84.
 */
int	dp_normtree_passages(const struct dp_normtree *p, const uint64_t *T, unsigned times,
	    unsigned n, double *tail) DP_MUSTUSE;
/*
 * The least height *x of 1 .. n whose *tail, which is that of dp_normtree_passages(), is at most
 * `most'; n + 1: there is none.  Few heights of the whole tree are found.
 */
int	dp_normtree_passage_least(const struct dp_normtree *p, uint64_t T, double most, unsigned n,
	    unsigned *x, double *tail) DP_MUSTUSE;
/*
 * The least whole w from least .. most with P(|noise| > w at one of the steps 1 .. T) <= gamma, at
 * most one more: it is that of both sides, of which each has half of gamma.  `most' has at most
 * gamma, and is the result where nothing is known, or it would take long.  NAN: no memory.
 */
double	dp_normtree_all(const struct dp_normtree *, uint64_t T, double gamma, double least,
	    double most);
/*
 * law[R + P] = P(noise of the whole tree = P), |P| <= R, R at least its A, rounded up; *outside is
 * at least the probability of all others.  p is as above.
 */
int	dp_normtree_root_law(const struct dp_normtree *p, unsigned R, double *law, double *outside)
	    DP_MUSTUSE;
/*
 * Of windows over an endless row of trees as p, a chain of 2^h <= W steps, which is awake:
 * tail[x - 1] is at least the largest sum of P(N_t >= x) over any W steps t in a row, N_t the noise
 * of the last W steps, before step W that of all.  Where a node is left out as rarer than `rare',
 * all that it would lead to counts as reached.  DP_EINVAL: on a finer grid, of other trees;
 * DP_ENOMEM.  Cost: O(2^h reach^3); 0.1 s for W = 24.
 */
int	dp_normtree_passage_windows(const struct dp_normtree *p, uint64_t W, double rare,
	    unsigned n, double *tail) DP_MUSTUSE;

#endif
