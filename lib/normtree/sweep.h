/*
 * sweep.h - the characteristic function of the noise in one estimate of a count or a window, found
 * from the root down: for trees of all kinds.
 *
 * With B the noise of all steps before a node, and P its own, let
 *	X(v) = E[cos(s B); |P| = v],	Y(v) = E[sin(s B) sign(P); |P| = v],
 * at the points s = 1, 2, .. times a step.  As all is even that is all of E[exp(i s B); P].  Given
 * P nothing within the node depends on B, so with K and J of place.h, those of the child,
 *	left	B' = B: X'(u) = sum_P X(P) K(P, u), Y'(u) = sum_P Y(P) J(P, u)
 *	right	B' = B + P - b, b the child's own: first exp(i s P) turns X + i Y, and after K and J
 *		exp(-i s b) turns what they make of it.
 * What the first n steps of the node have, given P, is p(|P|) + i sign(P) q(|P|); going up,
 *	n in the left child	p(P) = sum_u K(P, u) p'(u), q(P) = sum_u J(P, u) q'(u)
 *	in the right one	turned by exp(-i s u) before, and by exp(i s P) after,
 *	all of them		p + i q = exp(i s P).
 * The estimate's is sum_v X(v) p(v) - Y(v) q(v), at a node of a few steps: the way to which is kept
 * for each tree, and the p, q of which for each kind.
 *
 * Left out are nodes beyond M, a level's: what is there at all is less than gamma DP_LAW_TRIFLE, on
 * all levels together, whatever the law's form (dp_law_widest()).
 *
 * Numbers are those of the tables at multiples of a grain (child.h), some 2.5 of which are a step's
 * standard deviation: the law is of nearly the same form then, and law_parts.c makes it as wide as
 * the exact variance says.  Half-widths are within .2 % of those of all numbers, and wider in the
 * mean (t_normtree_wave.c).  Where few points do not tell a law, as those of a few whole nodes,
 * which have a kink, all numbers and as many points as there are do.
 *
 * Points of a count are as many as its widest step asks for, and serve all steps that have half of
 * its noise or more, which nearly all do; what they leave out of a step's is charged, or more are
 * asked for (noise/law_parts.c).  A count of few steps has points for each range of noise.
 *
 * Cost: two products a block of steps; the matrices of each kind, once; and, where there are fewer
 * kinds than blocks, what the first steps of a kind have.  Confidences are served as long as points
 * are few enough and doubles tell the tail; beyond, the variance decides, or Chernoff's bound.
 *
 * The last steps of a chain are as the first, reversed; trees of a row are independent.  A window
 * that begins and ends within one tree is not served: there the variance decides.
 */
#ifndef DP_NORMTREE_SWEEP_H
#define DP_NORMTREE_SWEEP_H

#include <math.h>

#include "normtree.h"

struct dp_normtree_sweeps;

/* Grid units from one number of the tables to the next: D units. */
static inline double
dp_normtree_apart(const struct dp_normtree *p)
{
	return ldexp((double)p->unit, (int)p->fine);
}

struct dp_normtree_sweeps *dp_normtree_sweeps_create(void);	/* a tree's; NULL: no memory */
void	dp_normtree_sweeps_free(struct dp_normtree_sweeps *);	/* NULL is fine */
/* dp_law_part.waves of a part whose `of` is a tree that is awake, and whose steps weigh 1. */
bool	dp_normtree_sweep(const struct dp_law_part *, double gamma, double sigma, double *step,
	    unsigned *n, double *phi, double *off, double *variance);

#endif
