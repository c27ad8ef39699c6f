/*
 * curve.h - waves, and what finding them takes; for wave.c and curve.c.
 *
 * A wave is a complex function of a node's noise P, at the points 1, 2, .. times a step: E exp(i t
 * S) given P, S a sum over the node's steps; or that of all that came before it, times the
 * probability of P.  As all is even, what it is at -P is the conjugate: only P >= 0 is kept.
 */
#ifndef DP_NORMTREE_CURVE_H
#define DP_NORMTREE_CURVE_H

#include "wave.h"

#define DP_NORMTREE_NEAR	6	/* log2 of the steps of a block, at most */

struct wave {
	double *re, *im;	/* P's points: [P * points] .. */
};

/* Steps before a block: for each level the node on the way to it. */
struct way {
	uint64_t base, older;
	bool known;
	struct wave level[DP_NORMTREE_LEVELS + 1];
};

struct dp_normtree_curve {
	const struct dp_normtree *p;
	double alpha, gamma, step;
	double least;		/* of a sum: weights that are less are left out */
	unsigned points, M, low;	/* |P| <= M; log2 of the steps of a block */
	size_t row;			/* numbers of half a wave */
	double mean[DP_NORMTREE_LEVELS + 1];	/* weight of a node's steps, the newest's 1 */
	double *about;		/* variance of a node's sum given P: [level * (M + 1) + P] */
	double *g, *k;		/* a level's tables, g as far as M */
	struct way way;
	struct wave near[1 << DP_NORMTREE_NEAR], other, child;
	bool known[1 << DP_NORMTREE_NEAR];
	double *memory;			/* waves */
};

/* The splits of P of level l, one after the other: P = x + y, x > 0 or both 0, in both orders. */
struct splits {
	unsigned P, j, x;
	int y;
	bool open;
	double w, sum;		/* of both orders together 2 w; of all so far */
};

/* A level's tables, which the splits of its nodes are found in. */
void	dp_normtree_curve_level(const struct dp_normtree_curve *, unsigned l);
struct splits dp_normtree_splits(const struct dp_normtree_curve *, unsigned l, unsigned P);
bool	dp_normtree_next(const struct dp_normtree_curve *, struct splits *);

/* The wave of a node of level l from those of its children; a NULL: its steps do not count. */
void	dp_normtree_up(const struct dp_normtree_curve *, unsigned l, const struct wave *a,
	    const struct wave *b, struct wave *to);
/* All before a node of level l - 1 from all before its parent and the other child's, or NULL. */
void	dp_normtree_down(const struct dp_normtree_curve *, unsigned l, const struct wave *from,
	    const struct wave *other, struct wave *to);
/* Of a node of level l all of whose steps count, the newest with weight z. */
void	dp_normtree_all_steps(const struct dp_normtree_curve *, unsigned l, double z,
	    struct wave *to);
/* The root's probabilities. */
void	dp_normtree_root_law(const struct dp_normtree_curve *, struct wave *to);
/* phi *= E of what came before times what follows */
void	dp_normtree_close(const struct dp_normtree_curve *, const struct wave *before,
	    const struct wave *after, double *phi);
/* phi *= that of a tree all of whose steps count, the newest with weight z. */
void	dp_normtree_whole_tree(struct dp_normtree_curve *, double z, double *phi);

#endif
