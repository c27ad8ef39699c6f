/* SPDX-License-Identifier: ISC */
/*
 * magnitude.h - sums of values whose range nobody knows: the clamp is chosen afterwards.
 *
 * A value v is in one of 2 (top + 1) columns: that of its sign and of the least j with |v| <= 2^j,
 * to which it adds |v| 2^(S - j), rounded, at most 2^S, S <= top; a value beyond 2^top is clamped
 * to it.  So an event adds at most 2^S to all columns together, and each has noise for the whole
 * budget at that reach (account/neighbour.h, CONTRIBUTIONS: the spread lemma): in units of values,
 * noise
 * that is in proportion to 2^j in column j.  Values up to 2^S are exact, larger ones to S binary
 * digits, far below that noise.
 *
 * ESTIMATE.  Of each sign let J be the highest column whose private number is above what noise
 * alone passes, in any of all columns of a step together, with probability 10^-5 at most, by its
 * law; the estimate is the sum of the columns up to J of the one sign, less that of the other.
 * The clamp printed beside it is 2^J, of the sign with the larger; 0: no column is above.  All of
 * it is computed of private numbers.
 *
 * ERROR, for a count's noise of variance V: sum over j <= J of 4^j V, less than 4/3 4^J V, so at
 * most 15.5 % more than by one who knew the clamp 2^J beforehand; of both signs, if both have
 * values, of each.  What is in columns above J is left out, and no noise tells how much that is.
 */
#ifndef DP_STAT_MAGNITUDE_H
#define DP_STAT_MAGNITUDE_H

#include "counter/mech.h"

#define DP_MAGNITUDE_TOP	40	/* of values nobody has set a limit to */
#define DP_MAGNITUDE_MAX	48
#define DP_MAGNITUDE_DIGITS	30	/* S, at most, so that sums of 2^31 events fit */

struct dp_magnitude_asked {
	unsigned top;			/* 0 .. DP_MAGNITUDE_MAX */
	unsigned digits;		/* S, 0 .. top */
};

extern const struct dp_statistic dp_magnitude_statistic;

/* The column of a value, which is not 0, and what it adds there. */
size_t	dp_magnitude_place(const struct dp_magnitude_asked *, int64_t value, int64_t *adds);
size_t	dp_magnitude_columns(const struct dp_magnitude_asked *);

#endif
