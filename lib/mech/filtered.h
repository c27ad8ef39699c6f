/*
 * filtered.h - counts, windows and decays as filters of private step values.
 *
 * y_t = x_t + w_t is private for every noise w that never looks at the data (ops->many.fill():
 * its header proves it) and for independent noise on every step value, so whatever is computed from
 * y_1, y_2, .. is post-processing: counts and window sums in fixed point, decays in doubles that
 * never see x itself.  The noise is tuned to the filter: create() gets the task.
 *
 * COUNT   the sum of all values of y, exact, rounded half to even (count.c).
 * WINDOW  the sums of the last W values of y, exact in units of 2^-64, rounded half to even.
 * EXP     s = alpha s + y.
 * POLY    a sum of exponentials (powers.h), relative error below 1e-9 for every lag below 2^40;
 *         c >= 8: the last 48 values, weighted.
 * TABLE   the last ng values of y, weighted: O(ng) a step, and a tenth of it where 32 steps come at
 *         once; the sums are the same to the last bit.
 * Estimates of decays are in units of 10^-decimals, rounded to nearest; relative error of the
 * arithmetic below 1e-13 of the sum of magnitudes, ng 2^-53 of it for longer tables.
 *
 * Memory: WINDOW 16 bytes a step of the longest window, 8 where values and noise are known to fit a
 * word; TABLE 8 a weight; the others O(1).
 */
#ifndef DP_FILTERED_H
#define DP_FILTERED_H

#include "mech.h"
#include "powers.h"
#include "table.h"

#define DP_WINDOW_MAX	((uint64_t)1 << 32)
#define DP_FILTER_STEEP	48		/* lags that count where POLY is steep */

/* filter.c: what is made of y, wherever that comes from */
struct dp_filter {
	struct dp_task task;
	uint64_t ring;			/* values of y kept */
	unsigned shift;			/* WINDOW: last bits left out to fit a word; 0: two words */
	size_t ring_at;			/* bytes into the column */
	size_t column;			/* as dp_mech's, with what is before the ring */
	double unit;			/* 10^decimals */
	struct dp_table table;		/* TABLE and steep POLY */
	double steep[DP_FILTER_STEEP];	/* steep POLY: its weights */
	struct dp_powers powers;	/* POLY otherwise */
};

/* A column begins with this; somewhere behind it the ring. */
struct dp_filter_column {
	struct dp_fixed {
		dp_wide whole;
		uint64_t part;		/* units of 2^-64 */
	} sum[DP_WINDOWS_MAX];		/* WINDOW: wider than its terms */
	dp_wide ahead[DP_FILL];		/* a block of w: the caller's */
	double s[DP_POWERS_MAX];	/* EXP: s[0]; POLY: one each */
};

/*
 * For the rule's task; at: where the ring is to stand.  Values are multiples of 2^-fraction.  *f is
 * zeroed before.  DP_ENOMEM, also for a window that is too long; DP_ERANGE; DP_EINVAL: what numbers
 * replay.
 */
int	dp_filter_set(struct dp_filter *, const struct dp_mech_rule *, unsigned fraction,
	    size_t at) DP_MUSTUSE;

/* y, units of 2^-64, of step t: the estimates, one a window. */
void	dp_filter_step(const struct dp_filter *, struct dp_filter_column *, uint64_t t, dp_wide y,
	    dp_wide *est);
/* n steps with y = x + w / 2^64 and one output, as n calls of dp_filter_step() would, faster. */
void	dp_filter_steps(const struct dp_filter *, struct dp_filter_column *, uint64_t t,
	    const int64_t *x, const dp_wide *w, dp_wide *est, size_t n);

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
 * fraction and words are set.  Errors: as dp_filter_set().
 */
int	dp_filtered_set(struct dp_filtered *, const struct dp_mech_rule *, size_t own) DP_MUSTUSE;

/* Members of every such table, besides name, create(), fill(), law() and error(). */
#define DP_FILTERED_OPERATIONS \
	.step = dp_filtered_step, .many.steps = dp_filtered_steps
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
