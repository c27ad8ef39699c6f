/* SPDX-License-Identifier: ISC */
/*
 * mean.h - mean, variance and their like of values in a range, from private totals.
 *
 * An event of value v, LO <= v <= HI, adds to two numbers v - LO and HI - v, M = HI - LO together;
 * or, where a variance is asked for, to three
 *	b0 = U - 2u + b2,  b1 = 2u - 2 b2,  b2 = round(r^2 U),  u = rU,  r = (v - LO)/M,
 * U = M min(M, 1000) together: (1-r)^2, 2r(1-r) and r^2 of U, rounded so that u = b1/2 + b2 is
 * exact; on a finer grid than was asked for, M times at most max(1, 10^6/M).  All are at least 0: u
 * is whole, as M divides U, and r^2 U <= u, so b2 <= u; b0 is (1-r)^2 U + b2 - r^2 U, whole and at
 * least -1/2.
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
 * WEIGHTS.  A row of value v and weight w adds to two numbers a = max(v - LO w, 0) and
 * b = max(HI w - v, 0), v and w being rounded to their grids before: M w together for v between
 * LO w and HI w, and then sum v / sum w is the mean above, sum w the count, and sum v the sum.
 *   A row there or not: where a + b > R = M MAX, both become R/(a + b) times as large, so at most R
 *   together, whatever the row is.
 *   Rows are totals, of whole v and w: one more event takes w up by dw <= U and v by
 *   LO dw <= dv <= HI dw.  So v - LO w grows by dv - LO dw >= 0 and HI w - v by HI dw - dv >= 0,
 *   M dw <= M U together.  max(., 0), and min(., CAP) of each number by itself, never widen a move
 *   nor turn it.  (A factor for both does: of a + b = R, all of it a, one more of b takes nearly
 *   one from a.)
 * In either case the numbers are CONTRIBUTIONS (account/neighbour.h) with that sum.  v alone, moved
 * by up to M U, moves both by as much: twice the reach.  The order is the point: w clamped by
 * itself leaves v - LO w of any sign and size, and numbers rounded after they were clamped may be
 * negative, or more than R together.
 *
 * Error of the mean of N events: sum (s[i] - r) w[i] M / (N U) for N well above S/U, w the noise:
 * of two numbers sigma sqrt((1-r)^2 + r^2) / N, in ranges, sigma the RMSE of a count; of three
 * sigma sqrt((1-r)^2 + (1/2-r)^2 + r^2) / N.  Of weights N is their sum.
 *
 * INTERVALS: tests/proof/mean.md.
 */
#ifndef DP_STAT_MEAN_H
#define DP_STAT_MEAN_H

#include "counter/mech.h"

enum dp_mean_what { DP_MEAN_MEAN, DP_MEAN_SD, DP_MEAN_VARIANCE, DP_MEAN_COUNT, DP_MEAN_SUM,
	DP_MEAN_KINDS };

#define DP_MEAN_NUMBERS	3

/*
 * WEIGHTS.  Grids: of weights 10^-places, of v that of LO and HI times that of weights, `finer'
 * times; all numbers are on v's.
 */
struct dp_mean_weight {
	uint64_t most;		/* MAX, or U, on the grid of weights; 0: there are no weights */
	uint64_t cap;		/* totals: no number of a row is larger; 0: rows are none */
	unsigned places;
	unsigned shown;		/* decimals of a printed sum of weights, <= places */
	uint64_t finer;		/* 1, 10, .. 1000 */
	double grid;		/* of v, in the user's units */
};

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
	struct dp_mean_weight weight;
};

extern const struct dp_statistic dp_mean_statistic, dp_mean_weighted;

/*
 * Places more for values, on a grid of `places': to a millionth of the range, but fewer where the
 * noise that hides one event of a user's (0: of one event) would be wider than any tree has it.
 */
unsigned dp_mean_finer(int64_t lo, int64_t hi, unsigned places, uint64_t events,
	    struct dp_q epsilon);
/* Decimals such that a millionth of the range is seen, of ratios a thousandth of that. */
unsigned dp_mean_decimals(int64_t lo, int64_t hi, bool ratios);
/* Decimals that the i-th statistic has less than a mean. */
unsigned dp_mean_fewer(const struct dp_mean_asked *, unsigned i);
const char *dp_mean_word(enum dp_mean_what);
/* S[,S..], each once: DP_EINVAL: *bad is none; DP_ERANGE: *bad is there twice. */
int	dp_mean_statistics(struct dp_mean_asked *, const char *, const char **bad) DP_MUSTUSE;

/* Numbers that events add to: 2, or 3 if a variance is asked for or used. */
unsigned dp_mean_numbers(const struct dp_mean_asked *);
/* The most that a unit that is protected moves all of them by, together. */
uint64_t dp_mean_reach(const struct dp_mean_asked *);
/* Amounts that a value adds to each of the numbers. */
void	dp_mean_split(const struct dp_mean_asked *, int64_t value, int64_t *x);
/* Of a row, to the two numbers (HI's first); false: the row was clamped.  |v|, |w| <= 2^56. */
bool	dp_mean_weigh(const struct dp_mean_asked *, int64_t v, int64_t w, int64_t *x);

#endif
