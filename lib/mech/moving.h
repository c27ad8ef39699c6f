/*
 * moving.h - bounds of a law in parts (dp_mech_ops.parts), which move with the step; for width.c.
 *
 * The law's characteristic function is the product of its parts', and each of those is a smooth
 * function of one number x in 0..1, the same one at all steps that meet the part.  So it is kept as
 * a polynomial in x at each of the few points that an inversion needs (law.h), and a step costs one
 * multiplication and addition for each point and power.
 *
 * What is known of the result is not one probability but two, between which it lies:
 *  - a polynomial is off by less than what its last powers amount to, in parts of itself at every
 *    point: those add up;
 *  - all points beyond the last weigh less than that one times their number before it;
 *  - what was wrapped around is below exp(-s y) E exp(s X), Chernoff's bound for the law beyond y:
 *    E exp(s X) is a product over the parts, too, for one s.
 * If gamma lies between the two, nothing is told, and the law is inverted as it stands.
 *
 * Points serve for laws of some half to twice one variance; where too many are not told, they are
 * set up anew for another one, less and less often.  A part is learnt when it has been met some
 * times, so that a short run does not pay for what it does not use.
 *
 * Cost: half a microsecond a step, an inversion being 20; up to 3 MiB.
 */
#ifndef DP_MOVING_H
#define DP_MOVING_H

#include "mech.h"

#define DP_MOVING_GAMMA	1e-7	/* gamma at least: two probabilities are not so near */

struct dp_moving;

/* NULL: no memory.  The mechanism has parts. */
struct dp_moving *dp_moving_create(const struct dp_mech *, unsigned out, double gamma);
/* The bound at step t; false: it takes an inversion, whose result dp_moving_use() is to get. */
bool	dp_moving_tell(struct dp_moving *, uint64_t t, double *w);
void	dp_moving_use(struct dp_moving *, const struct dp_law *, double w);
void	dp_moving_free(struct dp_moving *);

#endif
