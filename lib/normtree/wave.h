/*
 * wave.h - the characteristic function of the noise in one estimate of a norm tree, exactly.
 *
 * Given a node's noise P, what lies in it is independent of all else.  So for the first n steps of
 * a tree E exp(i t S) is found going down to the node of a few steps, a block, in which they end:
 * what came before it, times the probability of its P; and coming up to it from step n: E exp(i t
 * S) of what is within it, given P.  The sum over P of the products is all of it.  From step to
 * step the former stays as it is within a block, and the latter comes again in each.
 *
 * The last steps of a tree are as the first, reversed; trees of a row are independent.  A window
 * that begins and ends within one tree is not served: there the variance decides.
 *
 * A decay: a node all of whose steps count has the sum mean P + Y, Y what is uneven in its weights,
 * with E[Y | P] = 0 and a variance that is found exactly; its law is taken for Laplacian, the
 * widest of its kind, which Y is a small part of.  Weights fall from step to step, and so do the
 * points t in all that came before; instead they are kept, and the step's points are raised.
 *
 * Left out: nodes beyond M, trees whose weight is below 10^-5.  Cost: a block A^2 times points
 * times levels, some ms, a step A times points; twice up to 5 MiB, and if that is too little (A
 * above some 200) no tree is served.
 */
#ifndef DP_NORMTREE_WAVE_H
#define DP_NORMTREE_WAVE_H

#include "normtree.h"

struct dp_normtree_curve;

struct dp_normtree_curve *dp_normtree_curve_create(void);	/* a tree's; NULL: no memory */
void	dp_normtree_curve_free(struct dp_normtree_curve *);	/* NULL is fine */
/* dp_law_part.cumulant of a count; bytes of a tree's room, which it works in. */
void	dp_normtree_cumulant(const struct dp_law_part *, const double *s, unsigned n, double *k);
size_t	dp_normtree_room(const struct dp_normtree *);
/* dp_law_part.waves of a decay. */
bool	dp_normtree_waves(const struct dp_law_part *, struct dp_law_wave *);

#endif
