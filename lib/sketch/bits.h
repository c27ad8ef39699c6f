/*
 * bits.h - random bits that tell whether something was seen, for density.c and hashed.c.
 *
 * A bit begins as 1 with probability p = 1/(1+E), E = e^eps1, and is drawn again at every sight, as
 * 1 with probability 1 - p.
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
/* p, and gap = 1 - 2p. */
void	dp_bits_odds(struct dp_odds *, const struct dp_noise *state, struct dp_params *);

#endif
