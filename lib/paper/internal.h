/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/paper: what its files alone share. */
#ifndef DP_PAPER_INTERNAL_H
#define DP_PAPER_INTERNAL_H

#include "random/noise.h"

struct dp_numbers;
struct dp_rng;
struct dp_task;

/*
 * The noise of one sliding-window sum: WINDOWSUM (Bolot et al. 2013, Algorithm 1), any W.
 *
 * Time n = 1, 2, .. is cut into blocks of W.  In each block the root [0,W) and every aligned
 * interval [s 2^l, (s+1) 2^l) inside [0,W), l < h = ceil(lg W), releases its sum plus noise.  A
 * step lies in the root and in at most one interval of each level: h + 1 in all, exactly so at
 * position 0 (the paper proves W = 2^h only).
 *
 * The window that ends at position j (1..W) of its block is, with p(j) the prefix of j steps (the
 * set bits of j; all of them: the root),
 *	first block, or j = W	p(j)
 *	else			root - p(j) of the block before + p(j): 1 + 2 popcount(j) terms
 *
 * Only noise is kept here: covers are disjoint, or cancel, so the sums add up to the exact window
 * sum, which the caller has.  State: words without pointers; 2 W of them.  Cost: under 2 draws a
 * step.
 */

struct dp_wsum {
	uint64_t w;		/* 1 .. 2^40 */
	unsigned h;		/* ceil(lg w); h + 1 levels */
};

void	dp_wsum_set(struct dp_wsum *, uint64_t w);
/* int64 words of state, zeroed before step 1. */
size_t	dp_wsum_words(const struct dp_wsum *);
/*
 * Step n = 1, 2, ..: adds the cover's noise to *est.  Draws the intervals that begin here, the root
 * first, then the longest first.  As dp_noise_fill() on an error.
 */
int	dp_wsum_step(const struct dp_wsum *, int64_t *state, const struct dp_noise *,
	    struct dp_rng *, uint64_t n, dp_wide *est) DP_MUSTUSE;
/* Noise terms in step n's cover, each +-1 times a draw of its own. */
unsigned dp_wsum_terms(const struct dp_wsum *, uint64_t n);
/* The terms of n = 1..T: their sum, the most, and the first n that has so many.  O(lg^3 W). */
void	dp_wsum_total(const struct dp_wsum *, uint64_t T, double *sum, unsigned *most,
	    uint64_t *worst);
/* The most over all n > W. */
unsigned dp_wsum_most(const struct dp_wsum *);

/*
 * A non-increasing g cut into buckets of nearly equal weights, and a budget for each.
 *
 * Internal to polysum*.c and its test.  Bucket 0 are the lags with g(d) = 1; the lags with
 * (1-beta)^j <= g(d) < (1-beta)^(j-1) are one bucket of weight (1-beta)^j; empty ones are skipped.
 * So weight <= g(d) < weight/(1-beta) and, for x >= 0, (1-beta) F <= F' <= F.  (As printed, Bolot
 * et al. 2013, Algorithm 4 shifts every bucket by one lag: neither inequality holds.)  A boundary
 * decided by a rounded power moves the approximation, never privacy.
 */

#define DP_POLYSUM_MAX	1024		/* buckets; at most DP_LAW_TERMS */

struct dp_bucket {
	double weight;
	uint64_t lo;		/* lags lo .. lo + sum.w - 1 */
	struct dp_wsum sum;
	size_t state;		/* its words' index in the column */
	struct dp_noise noise;	/* the last: one that only predicts touches little */
};

/*
 * Buckets for the lags below n of the task's g, noise not set; *b is malloc'd.  DP_EINVAL: g(0) is
 * not 1, or g increases, or what numbers (which may be NULL) replay; DP_ERANGE: more than
 * DP_POLYSUM_MAX; DP_ENOMEM.
 */
int	dp_buckets_make(struct dp_bucket **b, unsigned *n, const struct dp_task *, uint64_t lags,
	    struct dp_numbers *) DP_MUSTUSE;

/*
 * share[k]: of each of the h_k + 1 levels of bucket k; sum over k of (h_k + 1) share[k] <= 1,
 * exactly: b_k = Delta/(epsilon w_k), Delta = sum w_k (h_k + 1), the exact L1 sensitivity of the
 * weighted sums.  A share below `least' is raised to it.
 */
int	dp_buckets_share(struct dp_q *share, const struct dp_bucket *, unsigned n, double least)
	    DP_MUSTUSE;

#endif
