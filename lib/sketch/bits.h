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
 * Proof.  Two streams differ in one identifier's sights.  Between sights of its bit the bit stays;
 * a stretch before the first sight of all has it 1 with probability p, each other with q, one
 * independent of the other.  Let the bit be b at t0: p or q, a ratio of at most E.  Given that, an
 * output j at which the bit is not b has likelihood r_j times that at which it is, 1/a <= r_j <= a
 * = e^eps2, all else equal; so with D the random set of such j, D' in the other stream, the ratio
 * is E[product over D of r_j] / E'[product over D' of r_j].  It is a ratio of linear functions of
 * each r_j, and so the largest where all r_j are a, j in U say, or 1/a, in V; and at most
 *	E[a^|D n U|] / E'[a^-|D' n V|] <= E[a^|D n U|] E'[a^|D' n V|]                      (Jensen).
 * D is whole stretches, each by itself and with probability 0 (that of t0), p or q <= q, so that
 * E[a^|D n U|] <= product over stretches of p + q a^n, n of their outputs being in U, which is at
 * most p + q a^|U|, as for increasing functions of one coin E f E g <= E f g (Chebyshev).  Likewise
 * for D' and V; and once more for both: p + q a^k.
 * Attained: not seen before t0, and seen once after it and before all outputs; against seen once
 * before t0; the bit being 0 at t0, and outputs such as come of 1.
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
void	dp_bits_odds(struct dp_odds *, const struct dp_noise *state, struct dp_params *);

#endif
