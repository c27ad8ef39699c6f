/*
 * digits.h - one trial of the discrete Laplace; internal to noise*.c.
 *
 * A geometric variate G, P(G = g) = (1-q) q^g with q = exp(-1/b), is written
 * in radix 16, g = sum d_k 16^k.  As q^g is the product of the q^(d_k 16^k),
 * the digits are independent: below the top, P(d_k = d) is proportional to
 * q^(d 16^k), d = 0..15; the top digit is geometric with ratio z =
 * q^(16^(n-1)), cut at `top`: "top" means top plus a fresh copy, as a
 * geometric has no memory.  Each digit is the number of its distribution
 * function's values ("thresholds") that do not exceed a uniform U in [0, 1):
 * 32 bits of U are compared with the first 32 of all thresholds at once; when
 * they equal a threshold's, the slow path draws the rest of 256.  The lowest
 * bit of the top digit's word is not U's but the sign; minus zero is rejected,
 * which leaves (1-q)/(1+q) q^|k|.
 *
 * The top digit has up to 31 thresholds in two rows: that saves a digit, four
 * bytes and their entropy, at most scales (one word at b = 1, two at b = 20).
 *
 * A trial reads the whole of every row, and its caller branches on nothing but
 * "rare", a tie: no address and no branch depends on the digits or the sign.
 * Rejected trials are dropped without a branch.
 */
#ifndef DP_NOISE_DIGITS_H
#define DP_NOISE_DIGITS_H

#include <endian.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "noise.h"

#define DP_NOISE_BIAS	0x80000000u	/* SSE2 compares signed words only */

/* The tables for b = num/den; both > 0, 1/64 <= b <= 2^40. */
int	dp_noise_rows(struct dp_noise *, uint64_t num, uint64_t den) DP_MUSTUSE;
/* The trees, from the rows. */
void	dp_noise_trees(struct dp_noise *);

/*
 * run: trials on the n records at p until `want` values are kept; they go to z,
 * their number to *got.  Returns the number of trials done; when that is fewer
 * than n and *got < want the next one is rare.
 * lanes: run, except that it may stop sooner (lanes.c). exact: the trial of one record, decided to
 * the last bit; takes more bytes when needed. 1: *z is the value; 0: rejected; negative: an error.
 */
size_t	dp_laplace_run(const struct dp_noise *, const uint8_t *p, size_t n,
	    int64_t *z, size_t want, size_t *got);
size_t	dp_laplace_lanes(const struct dp_noise *, const uint8_t *p, size_t n,
	    int64_t *z, size_t want, size_t *got);
int	dp_laplace_exact(const struct dp_noise *, struct dp_rng *,
	    const uint8_t *record, int64_t *z) DP_MUSTUSE;
size_t	dp_gauss_run(const struct dp_noise *, const uint8_t *p, size_t n,
	    int64_t *z, size_t want, size_t *got);
int	dp_gauss_exact(const struct dp_noise *, struct dp_rng *,
	    const uint8_t *record, int64_t *z) DP_MUSTUSE;
double	dp_gauss_variance(struct dp_q sigma2);

/*
 * The acceptance of a proposal |y| = centre + d, for the test to compare with
 * MPFR: in units of 2^-63, off by less than DP_GAUSS_SLACK; and 256 bits of it,
 * high word first, off by less than 2^-255 (for n > 0).
 */
#define DP_GAUSS_SLACK	64
uint64_t dp_gauss_accept(const struct dp_noise *, int64_t d);
void	dp_gauss_accept_exact(const struct dp_noise *, int64_t d, uint64_t w[4]);

DP_INLINE uint32_t
dp_load32(const uint8_t *p)
{
	uint32_t x;

	memcpy(&x, p, 4);
	return le32toh(x);
}

DP_INLINE uint64_t
dp_load64(const uint8_t *p)
{
	uint64_t x;

	memcpy(&x, p, 8);
	return le64toh(x);
}

#ifdef __SSE2__

typedef __m128i dp_tie;

/* Bit j: threshold j exceeds u. */
DP_INLINE uint64_t
dp_row(const int32_t *row, uint32_t u, dp_tie *tie)
{
	const __m128i *q = (const __m128i *)(const void *)row;
	__m128i v = _mm_set1_epi32((int)(u ^ DP_NOISE_BIAS));
	__m128i a = _mm_loadu_si128(q), b = _mm_loadu_si128(q + 1);
	__m128i c = _mm_loadu_si128(q + 2), d = _mm_loadu_si128(q + 3);
	__m128i low, high;

	*tie = _mm_or_si128(*tie,
	    _mm_or_si128(
	    _mm_or_si128(_mm_cmpeq_epi32(a, v), _mm_cmpeq_epi32(b, v)),
	    _mm_or_si128(_mm_cmpeq_epi32(c, v), _mm_cmpeq_epi32(d, v))));
	low = _mm_packs_epi32(_mm_cmpgt_epi32(a, v), _mm_cmpgt_epi32(b, v));
	high = _mm_packs_epi32(_mm_cmpgt_epi32(c, v), _mm_cmpgt_epi32(d, v));
	return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}

DP_INLINE dp_tie
dp_no_tie(void)
{
	return _mm_setzero_si128();
}

DP_INLINE unsigned
dp_tied(dp_tie t)
{
	return (unsigned)_mm_movemask_epi8(t);
}

#else

typedef unsigned dp_tie;

DP_INLINE uint64_t
dp_row(const int32_t *row, uint32_t u, dp_tie *tie)
{
	int32_t v = (int32_t)((int64_t)u - DP_NOISE_BIAS);
	unsigned above = 0, t = 0, j;

	for (j = 0; j < 16; j++) {
		above |= (unsigned)(row[j] > v) << j;
		t |= row[j] == v;
	}
	*tie |= t;
	return above;
}

DP_INLINE dp_tie
dp_no_tie(void)
{
	return 0;
}

DP_INLINE unsigned
dp_tied(dp_tie t)
{
	return t;
}

#endif

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
