/*
 * column_sums.h - the exact sums of D columns, for mechanisms that release what they compute of
 * them.
 *
 * A sum is cut at +-2^62.  That moves nothing farther: the difference of two neighbours' sums of
 * one column keeps its sign and only shrinks at a cut, so it stays within linf of 0; and two
 * columns' moves within spread of each other, as spread >= linf allows for one that moves beside
 * one that no longer does.  No branch depends on sums but, with some compilers, the cut's.
 */
#ifndef DP_COLUMN_SUMS_H
#define DP_COLUMN_SUMS_H

#include "maxsum.h"

#define SUMS_MAX	((int64_t)1 << 62)

/* Bytes of a column that has D sums after a head of so many. */
static inline size_t
sums_column(size_t head, size_t D)
{
	return head + (D + 1) / 2 * 2 * sizeof(int64_t);
}

/* |x| <= 2^61 (a bucket is cut there) */
static inline void
sums_add(int64_t *sum, const int64_t *x, size_t D)
{
	int64_t v;
	size_t j;

	for (j = 0; j < D; j++) {
		v = sum[j] + x[j];
		v = v < SUMS_MAX ? v : SUMS_MAX;
		sum[j] = v > -SUMS_MAX ? v : -SUMS_MAX;
	}
}

/* sum less x, within the limits of sums_add() */
static inline void
sums_subtract(int64_t *sum, const int64_t *x, size_t D)
{
	int64_t v;
	size_t j;

	for (j = 0; j < D; j++) {
		v = sum[j] - x[j];
		v = v < SUMS_MAX ? v : SUMS_MAX;
		sum[j] = v > -SUMS_MAX ? v : -SUMS_MAX;
	}
}

static inline int64_t
sums_largest(const int64_t *sum, size_t D)
{
	int64_t most = sum[0];
	size_t j;

	for (j = 1; j < D; j++)
		most = sum[j] > most ? sum[j] : most;
	return most;
}

/* True: a run can have these sums, which come from a file. */
static inline bool
sums_valid(const int64_t *sum, size_t D)
{
	size_t j;

	for (j = 0; j < D; j++)
		if (sum[j] > SUMS_MAX || sum[j] < -SUMS_MAX)
			return false;
	return true;
}

#endif
