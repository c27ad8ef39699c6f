/*
 * bins.h - the grid of a histogram: bins that follow one another and hold all values of a range.
 *
 * Values are whole numbers of grid units, lo .. hi.  Bin b holds edge[b] .. edge[b + 1] - 1;
 * edge[0] = lo, edge[n] = hi + 1.  Edges are public: found from options alone.
 *
 * LINEAR  edge[b] = lo + ceil(b V / n), V = hi - lo + 1 values, n = V if there are fewer: so v is
 *         in bin floor((v - lo) n / V).
 * LOG     edge[b] = lo ((hi + 1) / lo)^(b / n), rounded; of several that are one, one.  lo = 0: a
 *         bin for 0, and n - 1 from 1 on.
 * GIVEN   by the caller.
 */
#ifndef DP_BINS_H
#define DP_BINS_H

#include "base/dp.h"

#define DP_BINS_MAX	4096

enum dp_bins_kind { DP_BINS_LINEAR, DP_BINS_LOG, DP_BINS_GIVEN };

struct dp_bins {
	enum dp_bins_kind kind;
	unsigned n;
	int64_t edge[DP_BINS_MAX + 1];
};

/* 1 <= n <= DP_BINS_MAX, lo <= hi; log: lo >= 0, n > 1 if it is 0.  DP_EINVAL. */
int	dp_bins_linear(struct dp_bins *, int64_t lo, int64_t hi, unsigned n) DP_MUSTUSE;
int	dp_bins_log(struct dp_bins *, int64_t lo, int64_t hi, unsigned n) DP_MUSTUSE;
/* edge[0 .. n], of which the last is in the last bin.  DP_EINVAL: they do not rise. */
int	dp_bins_given(struct dp_bins *, const int64_t *edge, unsigned n) DP_MUSTUSE;

/* The bin of a value within the range; O(log n), of linear ones O(1). */
unsigned dp_bins_place(const struct dp_bins *, int64_t value);
/* The value that a part of 0..1 of a bin's events is up to, if they are spread evenly over it. */
int64_t	dp_bins_within(const struct dp_bins *, unsigned bin, double part);
/* Values of the widest bin, less one; of log bins, the largest edge[b + 1] / edge[b]. */
int64_t	dp_bins_widest(const struct dp_bins *);
double	dp_bins_ratio(const struct dp_bins *);

#endif
