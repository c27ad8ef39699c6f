/* SPDX-License-Identifier: ISC */
/*
 * quantile.h - the grid of a histogram: bins that follow one another and hold all values of a
 * range.
 *
 * Values are whole numbers of grid units, lo .. hi.  Bin b holds edge[b] .. edge[b + 1] - 1;
 * edge[0] = lo, edge[n] = hi + 1.  Edges are public: found from options alone.
 *
 * LINEAR  edge[b] = lo + ceil(b V / n), V = hi - lo + 1 values, n = V if there are fewer: so v is
 *         in bin floor((v - lo) n / V).
 * LOG     edge[b] = lo ((hi + 1) / lo)^(b / n), rounded; of several that are one, one.  lo = 0: a
 *         bin for 0, and n - 1 from 1 on.
 * GIVEN   by the caller.  EVEN: by the caller, of one width, on a grid that is finer than it.
 */
#ifndef DP_STAT_QUANTILE_H
#define DP_STAT_QUANTILE_H

#include "counter/mech.h"

#define DP_BINS_MAX	4096

enum dp_bins_kind { DP_BINS_LINEAR, DP_BINS_LOG, DP_BINS_GIVEN, DP_BINS_EVEN };

struct dp_bins {
	enum dp_bins_kind kind;
	bool first;			/* a quantile is the first value of its bin */
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

/*
 * Quantiles of values in a range, and histograms, from private numbers of events in
 * bins.
 *
 * F(j) is the number of events in the first j of G bins (quantile.h), N = F(G).  An event adds 1 to
 * its
 * bin and nothing else: contributions of sum 1 (account/neighbour.h), whatever is done to them. 
 * What the
 * private F are made of is a layout:
 *
 * TREE    of each step by itself: bins are the time of a norm tree (normtree/normtree.h), a chain
 * over
 *         2^h >= G leaves, drawn anew in every step; N has the root's noise.
 *	   Privacy.  A unit moves the numbers of all bins, of all steps and keys, by at most l1
 *	   together, l1_s in step s.  Step s loses at most l1_s rate, as in normtree/normtree.h;
    steps draw
 *	   noise of their own, so all together lose l1 rate = epsilon, however many steps there are.
 * FLAT    a counter for each bin, any that the house has for the sum over time: each has the whole
 *         budget (the spread lemma, account/neighbour.h).
 * LEVELS  counters of G bins, and of K wide bins of k each, k the least with k k >= G.  A wide bin
 *         is moved by what its bins are moved by, so the same reach holds for both; .495 of the
 *         budget and .505.  Children are corrected by what their wide bin has more, evenly:
 *		F(j) = sum of the wide bins before + y_1 + .. + y_m + (m / k)(Y - y_1 - .. - y_k).
 * ROOT    for Gaussian noise: u = W x, W[i][b] = w[i - b] m[b] for i >= b, whole numbers in
 *         proportion to the coefficients of (1 - z)^(-1/2) and to what makes all columns of W of
 *         one length (Henzinger, Kalinin, Upadhyay 2025); a counter for each u[i].
 *         F is the sum of W^-1 u, which is post-processing.
 *	   Privacy.  A unit moves x by p - n, p and n of whole numbers >= 0.  W has no entry below
 *	   0, so |W(p - n)|_2^2 <= |W p|_2^2 + |W n|_2^2 <= (|p|_1^2 + |n|_1^2) S^2, S^2 the longest
 *	   column's square; and account/neighbour.h's l2squared of contributions of sum 1 is what
 *	   |p|_1^2 + |n|_1^2 is at most: K^2, or 2 of lines.  l1 and linf by the largest sum of a
 *	   column, the largest entry.
 * FLAT up to 64 bins and for histograms; ROOT where the counter has delta; else LEVELS; TREE in
 * their place where the counter is the norm tree's and the sum is that of one step.
 *
 * ESTIMATE.  The least squares fit of a non-decreasing F >= 0 to the private one (pool adjacent
 * violators); the first bin b with F(b) >= q F(G), and in it the value that the part
 * (q F(G) - F(b - 1)) / (F(b) - F(b - 1)) of its events is up to.  All quantiles come from one F,
 * so they rise with q.  None where the private N is below twice its standard deviation, or where
 * min(q, 1 - q) N is less than D(j) is off by (on average): the place of a p95 that 10 events are
 * beyond is not told by noise of 20.
 *
 * INTERVAL.  D(j) = F(j) - q N; the quantile is in the bin j* with D(j*) >= 0 > D(j* - 1), which
 * every N > 0 has.  Of the bins j with private D(j) >= -c(j) and D(j - 1) <= c(j - 1), c(j) not
 * passed by D(j)'s noise with probability 1 - gamma/2, the first to the last: j* is none of them
 * with probability gamma at most.  c is that of the widest symmetric log-concave law of the noise's
 * variance and one unit more (law/law.c).
 *
 * ERROR is in events: of D(j), the largest over j for max, the mean over j for mean.
 *	TREE	var D(j) = sum over levels of split_l s_l(j)^2 + (j / 2^h - q)^2 var of the root
 *	FLAT	v (j - 2 q j + q^2 G)
 *	LEVELS	m wide bins and l of k bins before: V (m + (l/k)^2 - 2 q (m + l/k) + q^2 K) +
 *		v l (k - l) / k
 *	ROOT	by the rows of the sums of W^-1.
 */

#define DP_QUANTILES	16

struct dp_quantile_asked {
	struct dp_bins bins;
	unsigned n;			/* quantiles; 0: the number of events in each bin */
	double q[DP_QUANTILES];		/* above 0 and below 1 */
	int64_t coarse;			/* quantiles are in so many grid units, >= 1 */
	unsigned places;		/* a grid unit is 10^-places of the user's */
	unsigned shown;			/* places of edges */
};

extern const struct dp_statistic dp_quantile_statistic, dp_histogram_statistic;

#endif
