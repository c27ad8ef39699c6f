/*
 * filtered.h - windows and decays as filters of private step values.
 *
 * y_t = x_t + w_t is private for every generator (gen.h) and for independent noise on every step
 * value, so whatever is computed from y_1, y_2, .. is post-processing: window sums in fixed point,
 * decays in doubles that never see x itself.
 *
 * WINDOW  the sums of the last W values of y, exact in units of 2^-64, rounded half to even.
 * EXP     s = alpha s + y.
 * POLY    a sum of exponentials (powers.h), relative error below 1e-9 for every lag below 2^40;
 *         c >= 8: the last 48 values, weighted.
 * TABLE   the last ng values of y, weighted: up to 1024 weights O(ng) a step, and a tenth of it
 *         where 32 steps come at once; the sums are the same to the last bit.  More of them, which
 *         are then taken to multiples of 2^-62: exact sums of step values rounded to doubles, at a
 *         cost that hardly grows (longsum.h).
 * Estimates of decays are in units of 10^-decimals, rounded to nearest; relative error of the
 * arithmetic below 1e-13 of the sum of magnitudes, but for such long tables.
 *
 * Memory: WINDOW 16 bytes a step of the longest window, 8 where values and noise are known to fit a
 * word; TABLE 8 a weight, where they are many 40 to 56, and once more as much for all columns; the
 * others O(1).
 */
#ifndef DP_FILTERED_H
#define DP_FILTERED_H

#include "gen.h"

#define DP_WINDOW_MAX	((uint64_t)1 << 32)

/* The mechanism `ops` that filters the generator; NULL: independent noise on every value. */
int	dp_filtered_create(struct dp_mech **, const struct dp_mech_rule *,
	    const struct dp_mech_ops *ops, const struct dp_gen_ops *) DP_MUSTUSE;

/* What every such mechanism's table holds besides its name, tasks, traits and create(). */
#define DP_FILTERED_OPERATIONS \
	.step = dp_filtered_step, .steps = dp_filtered_steps, .law = dp_filtered_law, \
	.cycle = dp_filtered_cycle, .error = dp_filtered_error, \
	.valid = dp_filtered_valid, .destroy = dp_filtered_destroy
int	dp_filtered_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
	    const int64_t *x, dp_wide *est);
int	dp_filtered_steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
	    const int64_t *x, dp_wide *y, size_t n, size_t *done);
void	dp_filtered_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l);
uint64_t dp_filtered_cycle(const struct dp_mech *m, unsigned out, uint64_t *from);
void	dp_filtered_error(const struct dp_mech *m, uint64_t T, struct dp_error *e);
bool	dp_filtered_valid(const struct dp_mech *m, const void *col, uint64_t t);
void	dp_filtered_destroy(struct dp_mech *m);

#endif
