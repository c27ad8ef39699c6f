/*
 * mean.h - mean, variance and their like of values in a range, from private totals.
 *
 * An event of value v, LO <= v <= HI, adds to two numbers v - LO and HI - v, M = HI - LO together;
 * or, where a variance is asked for, to three
 *	b0 = U - 2u + b2,  b1 = 2u - 2 b2,  b2 = round(r^2 U),  u = rU,  r = (v - LO)/M,
 * U = M min(M, 1000) together: (1-r)^2, 2r(1-r) and r^2 of U, rounded so that u = b1/2 + b2 is
 * exact.  All are at least 0: u is whole, as M divides U, and r^2 U <= u, so b2 <= u; b0 is
 * (1-r)^2 U + b2 - r^2 U, whole and at least -1/2.
 *
 * So each number has noise for the whole budget (account/neighbour.h, CONTRIBUTIONS: the spread
 * lemma).
 * Outputs are computed of them: with s = (0, 1) or (0, 1/2, 1), numbers B[i], N = sum B / U,
 *	mean      LO + M sum s[i] B[i] / sum B
 *	variance  M^2 (B[0] B[2] - B[1]^2 / 4) / (sum B)^2;  sd, its root
 *	count     N
 *	sum       sum (LO + s[i] M) B[i] / U
 * Where sum B < 2S, S its standard deviation, the three first are none: no more events than some
 * four times the error of a count.  They are kept within what values of the range can have.
 *
 * Error of the mean of N events: sum (s[i] - r) w[i] M / (N U) for N well above S/U, w the noise:
 * of two numbers sigma sqrt((1-r)^2 + r^2) / N, in ranges, sigma the RMSE of a count; of three
 * sigma sqrt((1-r)^2 + (1/2-r)^2 + r^2) / N.
 *
 * INTERVALS: tests/proof/mean.md.
 */
#ifndef DP_STAT_MEAN_H
#define DP_STAT_MEAN_H

#include "counter/mech.h"

enum dp_mean_what { DP_MEAN_MEAN, DP_MEAN_SD, DP_MEAN_VARIANCE, DP_MEAN_COUNT, DP_MEAN_SUM,
	DP_MEAN_KINDS };

#define DP_MEAN_NUMBERS	3

/* The statistic's parameters: task.own. */
struct dp_mean_asked {
	int64_t lo, hi;			/* grid units, lo < hi */
	unsigned n;			/* statistics of each window */
	enum dp_mean_what what[DP_MEAN_KINDS];
	/* All are in units of 10^-(decimals + places) of the user's, sums in 10^finer of those */
	unsigned decimals;
	unsigned places;	/* a grid unit is 10^-places of the user's */
	unsigned finer;		/* sums: in units of 10^finer grid units */
	bool sampling;			/* intervals are of what the events are a sample of, too */
	double gamma;			/* sampling: what intervals may miss, for sentences */
};

extern const struct dp_statistic dp_mean_statistic;

/* Numbers that events add to: 2, or 3 if a variance is asked for or used; what one adds to all. */
unsigned dp_mean_numbers(const struct dp_mean_asked *);
uint64_t dp_mean_unit(const struct dp_mean_asked *);
/* Amounts that a value adds to each of the numbers. */
void	dp_mean_split(const struct dp_mean_asked *, int64_t value, int64_t *x);

#endif
