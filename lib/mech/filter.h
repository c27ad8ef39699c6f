/*
 * filter.h - what filtered.h says of noisy step values y_1, y_2, .., wherever they come from: sums
 * in fixed point, decays in doubles.
 */
#ifndef DP_FILTER_H
#define DP_FILTER_H

#include "mech.h"
#include "longsum.h"
#include "powers.h"
#include "table.h"

#define DP_FILTER_STEEP		48	/* lags that count where POLY is steep */

struct dp_filter {
	struct dp_task task;
	uint64_t ring;			/* values of y kept */
	unsigned shift;			/* WINDOW: last bits left out to fit a word; 0: two words */
	size_t ring_at, sum_at;		/* bytes into the column */
	size_t column, beside;		/* as dp_mech's, with what is before the ring */
	double unit;			/* 10^decimals */
	struct dp_table table;		/* TABLE and steep POLY */
	double steep[DP_FILTER_STEEP];	/* steep POLY: its weights */
	struct dp_longsum *sum;		/* TABLE of many weights */
	struct dp_powers powers;	/* POLY otherwise */
};

/* A column begins with this; somewhere behind it the ring; beside it the long sum's state. */
struct dp_filter_column {
	struct dp_fixed {
		dp_wide whole;
		uint64_t part;		/* units of 2^-64 */
	} sum[DP_WINDOWS_MAX];		/* WINDOW: wider than its terms */
	dp_wide ahead[DP_FILL];		/* a block of w: the caller's */
	double s[DP_POWERS_MAX];	/* EXP: s[0]; POLY: one each */
};

/*
 * For the rule's task; at: where the ring is to stand.  Values are multiples of 2^-fraction, and
 * none is more than `most', either way (0: not known).  *f is zeroed before; dp_filter_clear() in
 * any case.  DP_ENOMEM: a window that is too long, too; DP_ERANGE; DP_EINVAL: what params replay.
 */
int	dp_filter_set(struct dp_filter *, const struct dp_mech_rule *, unsigned fraction,
	    uint64_t most, size_t at) DP_MUSTUSE;
void	dp_filter_clear(struct dp_filter *);

/* y, units of 2^-64, of step t: the estimates, one a window. */
void	dp_filter_step(const struct dp_filter *, struct dp_filter_column *, uint64_t t, dp_wide y,
	    dp_wide *est);
/* n steps with y = x + w / 2^64: the same, faster; for one output. */
void	dp_filter_steps(const struct dp_filter *, struct dp_filter_column *, uint64_t t,
	    const int64_t *x, const dp_wide *w, dp_wide *est, size_t n);

#endif
