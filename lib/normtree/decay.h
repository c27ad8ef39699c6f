/*
 * decay.h - the characteristic function of the noise in a decayed sum of a row of trees, each a
 * chain, as sweep.h has that of a count.
 *
 * A node all of whose steps count, the newest with weight z, has the sum z (m P + Y): m the mean of
 * its weights, Y what is uneven in them.  E[Y | P] = 0, and the variance of Y is found exactly; its
 * law is taken for Laplacian, the widest of its kind, which Y is a small part of.  So a left child
 * turns by exp(i s z m P) where sweep.h has exp(i s P), P its parent's, and all is multiplied by
 * 1 / (1 + (s z)^2 E[Var(Y) | P] / 2).
 *
 * Weights fall from step to step, and so do the points s in all that came before; instead they are
 * kept within a block, and the step's points are raised.  Trees whose weight is below 10^-5 are
 * left out.
 */
#ifndef DP_NORMTREE_DECAY_H
#define DP_NORMTREE_DECAY_H

#include "normtree.h"

struct dp_normtree_fades;

struct dp_normtree_fades *dp_normtree_fades_create(void);	/* a tree's; NULL: no memory */
void	dp_normtree_fades_free(struct dp_normtree_fades *);	/* NULL is fine */
/* dp_law_part.waves of a decay. */
bool	dp_normtree_decay(const struct dp_law_part *, struct dp_law_wave *);

#endif
