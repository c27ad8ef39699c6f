/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/random: what its files alone share. */
#ifndef DP_RANDOM_INTERNAL_H
#define DP_RANDOM_INTERNAL_H

#include <string.h>

#include "noise.h"

struct dp_rng;

#define DP_RNG_STACK	4096	/* more than drawing uses, and the mechanism that draws */
/* The stream of C++ pcg64(seed): state from the seed, PCG's default increment. */
int	dp_rng_open_bytes(struct dp_rng **, const uint8_t *, size_t) DP_MUSTUSE;
/* The stream of C++ pcg64(seed): state from the seed, PCG's default increment. */
int	dp_rng_open_known(struct dp_rng **, const int64_t *, size_t) DP_MUSTUSE;

#define DP_COIN_REACH	64		/* the largest x; a larger one becomes this: more private */

/*
 * b is used exactly as given, except that b < 1/64 becomes 1/64 (more noise,
 * never less); DP_ERANGE if b > 2^40, DP_EINVAL if b.den is 0.  Takes about
 * 0.1 ms.
 */
int	dp_noise_laplace(struct dp_noise *, struct dp_q b) DP_MUSTUSE;
/*
 * sigma^2 is used exactly as given, except that sigma^2 < 1/64 becomes 1/64; DP_ERANGE if sigma^2 >
 * 2^56, DP_EINVAL if sigma2.den is 0.
 */
int	dp_noise_gauss(struct dp_noise *, struct dp_q sigma2) DP_MUSTUSE;

/*
 * run: trials on the n records at p until `want` values are kept; they go to z,
 * their number to *got.  Returns the number of trials done; when that is fewer
 * than n and *got < want the next one is rare.
 * lanes: run, except that it may stop sooner (noise.c). exact: the trial of one record, decided to
 * the last bit; takes more bytes when needed. 1: *z is the value; 0: rejected; negative: an error.
 */
size_t	dp_laplace_run(const struct dp_noise *, const uint8_t *p, size_t n,
	    int64_t *z, size_t want, size_t *got);

/*
 * The acceptance of a proposal |y| = centre + d, for the test to compare with
 * MPFR: in units of 2^-63, off by less than DP_GAUSS_SLACK; and 256 bits of it,
 * high word first, off by less than 2^-255 (for n > 0).
 */
#define DP_GAUSS_SLACK	64
uint64_t dp_gauss_accept(const struct dp_noise *, int64_t d);
void	dp_gauss_accept_exact(const struct dp_noise *, int64_t d, uint64_t w[4]);

/*
 * The magnitude g and the sign of one trial; nonzero if it is rare, then g
 * means nothing.  digits and wide are nz's own, handed over so that they can be
 * constants.
 */
DP_INLINE unsigned
dp_trial(const struct dp_noise *nz, const uint8_t *p, unsigned digits, bool wide,
    uint64_t *g, uint64_t *negative)
{
	const unsigned last = digits - 1;
	const int32_t *row = nz->row;
	dp_tie tie = dp_no_tie();
	uint64_t above, x = 0;
	uint32_t u;
	unsigned k;

	/* Thresholds ascend, so the lowest one above U says how many are not. */
#pragma GCC unroll 5
	for (k = 0; k < last; k++, row += 16) {
		above = dp_row(row, dp_load32(p + 4 * k), &tie);
		x |= (uint64_t)__builtin_ctzll(above | (uint64_t)1 << 16) << 4 * k;
	}
	u = dp_load32(p + 4 * last);
	above = dp_row(row, u & ~(uint32_t)1, &tie);
	if (wide)
		above |= dp_row(row + 16, u & ~(uint32_t)1, &tie) << 16;
	k = (unsigned)__builtin_ctzll(above | (uint64_t)1 << (wide ? 32 : 16));
	*g = x | (uint64_t)k << 4 * last;
	*negative = -(uint64_t)(u & 1);
	/* Keeps gcc from a branch on the sign: half mispredicted, and a leak. */
	__asm__("" : "+r"(*negative));
	/* An escape is a tie too: the last threshold, within 2^-32 of 1,
	 * begins with 31 ones, as does the filling of the rows. */
	return dp_tied(tie);
}

#endif
