/*
 * splits.h - the probabilities of a kind's splits, for laws of all steps together
 * (passage.c), of one tree of whole numbers.
 */
#ifndef DP_NORMTREE_SPLITS_H
#define DP_NORMTREE_SPLITS_H

#include "level.h"

struct dp_normtree_splits {
	unsigned reach, rows;		/* of a, and of P: at most as far */
	double *split;			/* p(a | P): [P][a + reach], P >= 0 */
	unsigned *spread;		/* [P]: a farther off P / 2 is rarer than was asked for */
	double *outside;		/* [P]: probability that |a| > reach, rounded up */
	double *g[2];			/* a kind's tables, left and right, 0 .. 5 reach */
	double *fall;			/* and its k, 0 .. A */
};

size_t	dp_normtree_splits_size(unsigned reach);
/* In so many bytes at `memory'. */
void	dp_normtree_splits_in(struct dp_normtree_splits *, unsigned reach, double *memory);
/*
 * p(a | P) of a kind, P = 0 .. rows: weights over their sum as far as |a| <= 5 reach, so each is
 * rounded up.  `outside' holds where reach is no less than the kind's A.
 */
void	dp_normtree_set_splits(struct dp_normtree_splits *, const struct dp_normtree *,
	    unsigned kind, double rare);
/* The root's weights R(P), P = 0 .. reach; *sum is that of all. */
const double *dp_normtree_root_weights(struct dp_normtree_splits *, const struct dp_normtree *,
	    double *sum);

/* Of P, at a = 0; of -P that of -a. */
static inline const double *
dp_normtree_split_of(const struct dp_normtree_splits *s, unsigned P)
{
	return s->split + (size_t)P * (2 * s->reach + 1) + s->reach;
}

#endif
