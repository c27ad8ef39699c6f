/*
 * wsum.h - the noise of one sliding-window sum: WINDOWSUM (Bolot et al. 2013, Algorithm 1), any W.
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
#ifndef DP_WSUM_H
#define DP_WSUM_H

#include "noise/noise.h"

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

#endif
