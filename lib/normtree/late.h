/*
 * late.h - a tree's noise from some step on, one step at a time: for a column that begins late, and
 * is small.
 *
 * The noise before step i, and that of all steps from it on, has the law of a tree that is drawn
 * from its first step: of the nodes above step i all are split, those that end before it are not,
 * as nothing is asked of them but their sums; and which nodes are split does not depend on the
 * noise.
 */
#ifndef DP_NORMTREE_LATE_H
#define DP_NORMTREE_LATE_H

#include "normtree.h"

/*
 * i: steps before the one that is next, i < the shape's T.  wait[h] is the column's.  late: *before
 * is the noise of all i of them together.  late_steps: the increments w of step i + 1, i counting
 * up by one from where late() began, of n <= DP_NORMTREE_SPLITS columns, of which the k-th waits at
 * wait[k]: together they take less time.  DP_EINVAL: the tree has units, or too fine a grid
 * (normtree.h); DP_EENTROPY, DP_ERANGE: the columns must not be used again.  late_valid: they could
 * have left wait so.
 */
int	dp_normtree_late(const struct dp_normtree *, int32_t *wait, struct dp_rng *, uint64_t i,
	    int64_t *before) DP_MUSTUSE;
int	dp_normtree_late_steps(const struct dp_normtree *, int32_t *const *wait, struct dp_rng *,
	    uint64_t i, unsigned n, int64_t *w) DP_MUSTUSE;
bool	dp_normtree_late_valid(const struct dp_normtree *, const int32_t *wait);

/*
 * Of a count of unknown T (dp_normtree_ops): the tree of segment j, awake from here on, and the
 * steps before it.  NULL: there are no more, or no memory for a prediction's.
 */
struct dp_normtree *dp_normtree_count_tree(const struct dp_mech *, unsigned j, uint64_t *begin);

#endif
