/*
 * bits.h - random bits that tell whether something was seen, for density.c and hashed.c.
 *
 * A bit begins as 1 with probability p = 1/(1+E), E = e^eps1, and is drawn again at every sight, as
 * 1 with probability q = 1 - p.
 *
 * AGAIN.  Statement: let each identifier draw one bit, also one that others draw, too, and let each
 * of k outputs be a function of sums of bits, a sum for each set of several that share none, plus
 * DLap(1/eps2).  Then memory at one moment t0, with the outputs before and after it, costs
 *	eps1 + log(p + q e^(k eps2)),
 * which is less than eps1 + k eps2, and is attained.
 * Proof: tests/proof/sketches.md.
 */
#ifndef DP_SKETCH_BITS_H
#define DP_SKETCH_BITS_H

#include "cells.h"

/* Bytes of n bits, a multiple of 8. */
size_t	dp_bits_bytes(uint64_t n);
int	dp_bits_start(uint64_t *word, uint64_t n, const struct dp_noise *state, struct dp_rng *)
	    DP_MUSTUSE;
int	dp_bits_see(uint64_t *word, uint64_t place, const struct dp_noise *state, struct dp_rng *)
	    DP_MUSTUSE;
/* Number of ones among the n bits from `from` on. */
uint64_t dp_bits_count(const uint64_t *word, uint64_t from, uint64_t n);
/* Carrier of the bits' noise, for --explain. */
#define DP_BIT_BEGINS	"every bit: its sign"
/* Loss of so many looks at bits that are flipped after each (anew.c), eps1 at the first. */
double	dp_bits_looks(double eps1, uint64_t looks);
/* p, and gap = 1 - 2p. */
void	dp_bits_odds(struct dp_odds *, const struct dp_noise *state, struct dp_numbers *);

#endif
