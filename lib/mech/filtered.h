/*
 * filtered.h - counts, windows and decays as filters of private step values.
 *
 * y_t = x_t + w_t is private for every noise w that never looks at the data (ops->fill(), whose
 * header proves it) and for independent noise on every step value, so whatever is computed from
 * y_1, y_2, .. is post-processing: counts and window sums in fixed point, decays in doubles that
 * never see x itself.  The noise is tuned to the filter: create() gets the task.
 *
 * COUNT   the sum of all values of y, exact, rounded half to even (count.c).
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

#include "filter.h"

#define DP_WINDOW_MAX	((uint64_t)1 << 32)

/* The plan of such a mechanism begins with this. */
struct dp_filtered {
	struct dp_mech m;		/* no fill(): m.noise, drawn at every step */
	struct dp_filter filter;
	/* The unit of w: 2^-fraction of a grid unit, and no w is above 2^60. */
	unsigned fraction;
	/* COUNT: a unit that is another at every step, one part in so many; fraction is 64. */
	uint64_t (*parts)(const struct dp_filtered *, uint64_t t);
	bool words;	/* COUNT: fraction is 0, and the sum of all w fits a word */
	size_t own;			/* bytes into the column, to fill()'s */
};

/*
 * Lays out the column for the rule's task, of which fill() has `own' bytes, once m.noise, m.block,
 * fraction and words are set.  Errors: as dp_filter_set(); dp_filtered_destroy() in any case.
 */
int	dp_filtered_set(struct dp_filtered *, const struct dp_mech_rule *, size_t own) DP_MUSTUSE;
void	dp_filtered_destroy(struct dp_mech *m);

/* Members of every such table, besides name, create(), fill(), law() and error(). */
#define DP_FILTERED_OPERATIONS \
	.step = dp_filtered_step, .steps = dp_filtered_steps
int	dp_filtered_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
	    const int64_t *x, dp_wide *est);
int	dp_filtered_steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
	    const int64_t *x, dp_wide *y, size_t n, size_t *done);
/* ops->error() of all outputs, from that of each. */
void	dp_filtered_error(const struct dp_mech *m, uint64_t T, struct dp_error *e,
	    void (*of)(const struct dp_mech *, unsigned out, uint64_t T, struct dp_error *));
/* ops->valid(), but for what is fill()'s own. */
bool	dp_filtered_valid(const struct dp_mech *m, const void *col, uint64_t t);

/* count.c: of a COUNT */
void	dp_count_set(struct dp_filtered *, size_t own);	/* as dp_filtered_set() */
int	dp_count_steps(const struct dp_filtered *, void *col, struct dp_rng *rng, uint64_t t,
	    const int64_t *x, dp_wide *y, size_t n, size_t *done) DP_MUSTUSE;
bool	dp_count_valid(const struct dp_filtered *, const void *col);

static inline void *
dp_filtered_own(const struct dp_filtered *f, const void *col)
{
	return (char *)(uintptr_t)col + f->own;
}

#endif
