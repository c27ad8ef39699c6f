/* SPDX-License-Identifier: ISC */
/*
 * dropped.h - the share of events that --per-user leaves out, beside a count or a sum.
 *
 * Of a user's events in a step the first K count, and the next D are counted as left out; what
 * comes after these is in no number.  The numbers of a step are
 *	of values 0 and 1	kept, which is the count, and left
 *	of others, LO:HI	the sum of those that count, kept, and left
 * with a weight each: an event adds its value, or 1, times that.
 *
 * REACH.  All events of one user in one step there or not: a number moves by at most R, and another
 * one by at most R as well, so n numbers are n records of a user, no two in one column
 * (account/neighbour.h, `once'): l1 = n R, l2squared = n R^2.
 * Proof.  Which of a user's events count, and which are left out, follows from that user's events
 * of the step alone; so all others add what they add without the user, and each number loses what
 * the user's events have added to it: at most K M times the sum's weight, up or down, M the larger
 * of |LO| and |HI|; K times that of kept, and D times that of left.  None of these is above R, as
 * the weights are R over K M, K and D, rounded down.  R = f max(K M, D), and f <= 16 is the least
 * for which nothing is rounded, if there is one.
 *
 * So every number has an n-th of the budget (Gaussian: n-th parts of rho): a count has twice the
 * noise that it has alone, a sum three times (sqrt(2), sqrt(3)), whatever D is.  With weights of 1,
 * by which the noise of all would be that of K + D events, a count would have 11 times as much for
 * D = 10 K.
 *
 * SHARE, of A = kept and B = left: B / (A + B), empty where the private A + B is below twice its
 * standard deviation.  With weights a, b the private numbers are a A and b B, with noise of one
 * law.
 * INTERVAL.  s = b B / (a A + b B) is the share of two numbers with such noise, which has an
 * interval (tests/proof/mean.md); and B / (A + B) = (s / b) / (s / b + (1 - s) / a), which rises
 * with s, so its interval has the ends of that.
 *
 * A user with n events adds min(n, K) to A and min(max(n - K, 0), D) to B: no share is above
 * D / (K + D), and neither is what is printed.
 */
#ifndef DP_STAT_DROPPED_H
#define DP_STAT_DROPPED_H

#include "counter/mech.h"

#define DP_DROPPED_NUMBERS	3
#define DP_DROPPED_DECIMALS	6	/* of shares */

/* The statistic's parameters: task.own. */
struct dp_dropped_asked {
	uint64_t most, left;		/* K, D */
	unsigned places;		/* of values */
	unsigned numbers;		/* 2, 3; the last is left, the one before it kept */
	uint64_t weight[DP_DROPPED_NUMBERS];
	uint64_t reach;			/* R, grid units; 2^50: too far */
};

extern const struct dp_statistic dp_dropped_statistic;

/* 1 <= most, left; values lo .. hi, grid units of 10^-places. */
void	dp_dropped_ask(struct dp_dropped_asked *, uint64_t most, uint64_t left, int64_t lo,
	    int64_t hi, unsigned places);
/* What an event that counts adds to all numbers but the last; its value is not 0. */
void	dp_dropped_split(const struct dp_dropped_asked *, int64_t value, int64_t *x);

#endif
