/*
 * segments.h - running counts over segments of time, each with a generator of its own.
 *
 * Known T: one segment.  Unknown T: segment j = 0, 1, .. covers the next 16^(j+2) steps; when it
 * ends only its root's noise stays in the total.  Segments are disjoint in time, so each has the
 * whole budget: what a unit moves in all of them sums to l1, and to l2squared at most.
 */
#ifndef DP_SEGMENTS_H
#define DP_SEGMENTS_H

#include "mech.h"

#define DP_SEGMENTS_MAX	12		/* 2^8 + .. + 2^52 steps */

struct dp_segments {
	unsigned n;
	uint64_t block;			/* steps of a block, less one: segments are of whole ones */
	uint64_t begin[DP_SEGMENTS_MAX + 1];	/* steps before segment j; the last: all */
};

/* The segment that holds step t >= 1, or the last. */
unsigned dp_segments_find(const struct dp_segments *, uint64_t t);

/* Of the first n steps of one segment, in grid units squared. */
struct dp_segment_error {
	double max, sum;		/* variances: the greatest, and all together */
	double root;			/* what stays once it has ended */
	uint64_t worst;			/* a step that attains max, its own */
};

/*
 * dp_mech_ops.error() from that of each segment: of(m, j, n, &one) tells it, or false if it is not
 * to be had; then all is INFINITY.
 */
void	dp_segments_error(const struct dp_segments *, const struct dp_mech *, uint64_t T,
	    bool (*of)(const struct dp_mech *, unsigned j, uint64_t n, struct dp_segment_error *),
	    struct dp_error *);

/* Whether a count is one of 2^50 steps of 2^61, with room for as much again. */
static inline bool
dp_segments_count_fits(dp_wide count)
{
	return count < (dp_wide)1 << 112 && count > -((dp_wide)1 << 112);
}

#endif
