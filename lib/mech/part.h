/*
 * part.h - what a mechanism that is made of others has of them: their plans, where their columns
 * lie in its own, and all that is done to every part alike.
 *
 * A part is a private number over time, or n alike: a mechanism that was planned for its share of
 * the budget and for its own reach (dp_privacy_part()), with a column each.  It belongs to the
 * whole from dp_part_give() on: dp_mech_free() frees it, dp_mech_start() starts its columns before
 * what is the whole's own, dp_mech_family(), _unit() and _draws() tell its noise before the whole's
 * own.  The whole steps it, in its own step() or answer(), and asks dp_part_valid() in its valid().
 *
 * A statistic of what events add to several numbers has a part for each band of them, and steps
 * them all with dp_parts_step(): what they release in a step lies behind their columns, in no state
 * file, and all that the statistic prints is computed from it.
 *
 * Privacy.  Parts draw noise of their own, so the shifts that explain a neighbour are made side by
 * side: with shares that sum to 1, each for all that a unit moves of its part, the whole has the
 * budget.  What is computed from what parts release is post-processing.
 */
#ifndef DP_PART_H
#define DP_PART_H

#include "mech.h"

/*
 * inner becomes the whole's next part, n of it, also on an error; steps: that each of them takes in
 * a step of the whole, for dp_mech_draws().  DP_EINVAL: it has more than one output, or there are
 * DP_PARTS already.
 */
int	dp_part_give(struct dp_mech *whole, struct dp_mech *inner, size_t n, double steps)
	    DP_MUSTUSE;
/* ops->create() with a rule of its own, then dp_part_give(): errors of both. */
int	dp_part_create(struct dp_mech *whole, const struct dp_mech_ops *,
	    const struct dp_mech_rule *, size_t n, double steps) DP_MUSTUSE;
/* Its columns lie from byte `at' on, a multiple of 16.  Returns their end; SIZE_MAX: too large. */
size_t	dp_part_place(struct dp_part *, size_t at);

/* Column j < n; of the whole's column. */
static inline void *
dp_part_column(const struct dp_part *p, const void *col, size_t j)
{
	return (char *)(uintptr_t)col + p->at + j * p->stride;
}

/* Column j's step t. */
static inline int
dp_part_step(const struct dp_part *p, void *col, size_t j, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	return p->inner->ops->step(p->inner, dp_part_column(p, col, j), rng, t, x, est);
}

/*
 * A part for each of the rule's bands, of the rule's weighted sums (of an OWN task, of running
 * counts) by counter[band]: for share[band] of the budget, and for the band's reach.  It sets the
 * whole's inputs, column and first.  As ops->create(); DP_EINVAL also if shares sum to more than 1,
 * or there are parts already.  After an error the whole has some of its parts, which
 * dp_mech_free() frees.
 */
int	dp_parts_create(struct dp_mech *whole, const struct dp_mech_rule *,
	    const struct dp_mech_ops *const counter[], const struct dp_q share[]) DP_MUSTUSE;
/* A step of them all: x as the rule's bands lie.  What they release: dp_parts_numbers(). */
int	dp_parts_step(const struct dp_mech *whole, void *col, struct dp_rng *, uint64_t t,
	    const int64_t *x) DP_MUSTUSE;
/* All outputs of each part, in the order of x; 0 before the first step that this process takes. */
const dp_wide *dp_parts_numbers(const struct dp_mech *whole, const void *col);
/* open.add() and valid() of the whole's ops; law.at() of one that has its first part's law. */
void	dp_parts_add(const struct dp_mech *whole, void *col, size_t place, int64_t v);
bool	dp_parts_valid(const struct dp_mech *whole, const void *col, uint64_t t);
void	dp_parts_law(const struct dp_mech *whole, unsigned out, uint64_t t, struct dp_law *);
/* Half the interval of output 0 of a band's numbers at step t, grid units; NAN: no memory. */
double	dp_parts_bound(const struct dp_mech *whole, unsigned band, uint64_t t, double gamma);

/* True: all its columns may be so after t steps of its own. */
bool	dp_part_valid(const struct dp_part *, const void *col, uint64_t t);

#endif
