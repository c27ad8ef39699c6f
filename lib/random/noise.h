/* SPDX-License-Identifier: ISC */
/*
 * noise.h - exact integer noise.
 *
 * Discrete Laplace of scale b = num/den:
 *	P(k) = (1-q)/(1+q) q^|k|, q = exp(-1/b).
 * Discrete Gaussian of sigma^2 = num/den:
 *	P(k) proportional to exp(-k^2 / (2 sigma^2)).
 *
 * Statement (Laplace).  Bytes uniform and independent => every point
 * probability with |k| <= 45000 b is the law's times a factor within
 * exp(+-2^-100).  A draw may fail as DP_ERANGE instead (its top digit escapes
 * more than 2048 times, noise.c): probability < 2^-65000, and that
 * covers every larger |k|; so |k| < 2^56 always.  The failure is decided by
 * the noise alone, before any data is looked at: it is the same event for
 * neighbouring inputs.  So one draw added to an integer query of sensitivity s
 * is (s/b + 2^-99, 2^-65000)-DP.  A failed draw is refused, where a saturated
 * one would cost as much delta and release a value: a failure means that the
 * bytes are not random.
 *
 * Statement (Gaussian).  Rejection from a discrete Laplace (as above), after
 * Canonne, Kamath, Steinke 2020, Algorithm 3; each acceptance is a
 * Bernoulli(p), |p - exp(-gamma)| < 2^-255, gamma an exact rational.  Hence
 * every point probability with |k| <= 10 sigma is the law's times a factor
 * within exp(+-2^-99), and the total variation distance from the law, failures
 * (as above) included, is below 2^-98.  The law gives s^2/(2 sigma^2)-zCDP for
 * a sensitivity s (ibid., Theorem 4).
 *
 * Time.  A draw's time and the addresses it touches do not depend on the value
 * drawn, except when a random word ties with a threshold (escapes do):
 * probability < 2^-24 a draw, 2^-23 Gaussian.  The number of rejected trials is
 * independent of the value.  (Checked with valgrind, random bytes marked
 * undefined, on gcc 12 and clang 14; it is a property of compiled code.)
 *
 * Batches.  dp_noise_fill(n) consumes the same bytes, and gives the same
 * values, as n calls for one draw each.
 *
 * Only account/privacy.c may call dp_noise_laplace() and dp_noise_gauss(): mechanisms
 * ask account/privacy.h for noise by privacy share.
 */
#ifndef DP_RANDOM_NOISE_H
#define DP_RANDOM_NOISE_H

#include <math.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/num.h"

struct dp_rng;

enum dp_noise_kind {
	DP_NOISE_NONE, DP_NOISE_LAPLACE, DP_NOISE_GAUSS,
	DP_NOISE_FLIP, DP_NOISE_WEIGH	/* choices (selection.h): described, not drawn */
};

#define DP_NOISE_DIGITS	11	/* enough for b = 2^40 */
#define DP_NOISE_LANES	6	/* number of draws made side by side */
#define DP_NOISE_EXACT	(15 * (DP_NOISE_DIGITS - 1) + 31)

/* Read-only once made: any number of threads may draw from one.  May be copied. */
struct dp_noise {
	enum dp_noise_kind kind;
	unsigned digits;		/* radix-16 digits of a draw; 0: no tables */
	unsigned top;			/* thresholds of the top digit, 1..31 */
	bool wide;			/* its thresholds fill two rows */
	size_t record;			/* bytes of one trial */
	struct dp_q param;		/* b (Laplace) or sigma^2 (Gauss), as used */
	double variance;		/* once it is built; 0: not computed */
	/* Gauss only, see noise.c */
	uint64_t rate;
	unsigned rate_shift;
	int64_t centre, odd, reach;
	/* The first 32 bits of every threshold, less 2^31 (noise.h). */
	int32_t row[16 * (DP_NOISE_DIGITS + 1)];
	/* row[] as search trees, for noise.c: 32 a digit, 16 more where the last is wide. */
	int32_t tree[32 * DP_NOISE_LANES + 16];
	/* All 256 bits of each threshold, high word first: 15 a digit, then the top digit's. */
	uint64_t exact[DP_NOISE_EXACT][4];
};

/* Noise that is always 0 (epsilon = inf). */
void	dp_noise_none(struct dp_noise *);

/*
 * The law without its tables, at no cost, for plans that only predict: kind,
 * param and dp_noise_variance() are as the two functions above would make
 * them, dp_noise_fill() is DP_EINVAL.
 */
int	dp_noise_describe(struct dp_noise *, enum dp_noise_kind, struct dp_q)
	    DP_MUSTUSE;

/* Tables for a law that was only described, which can be drawn then; no change if it has them. */
int	dp_noise_build(struct dp_noise *) DP_MUSTUSE;

/*
 * n independent draws.  DP_EENTROPY, DP_ERANGE (above), DP_EINVAL: z is
 * undefined and must not be used.  NONE: n zeros, and the rng (which may be
 * NULL) is not touched.
 */
int	dp_noise_fill(const struct dp_noise *, struct dp_rng *, int64_t *z, size_t n)
	    DP_MUSTUSE;

/* Exact variance of one draw (in doubles: it describes). */
double	dp_noise_variance(const struct dp_noise *);
const char *dp_noise_name(enum dp_noise_kind);

/*
 * One trial of the discrete Laplace; internal to noise*.c.
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

#define DP_NOISE_BIAS	0x80000000u	/* SSE2 compares signed words only */

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
 * Positive numbers for weights that draws go by: whole numbers and shifts, equal on every
 * machine, and of a wider range than a double's.
 */

/* m 2^(x - 64), m >= 2^63 */
struct dp_real {
	uint64_t m;
	int64_t x;
};

/* x y, rounded down by less than 2^-62 of it */
DP_INLINE struct dp_real
dp_times(struct dp_real x, struct dp_real y)
{
	const dp_uwide p = (dp_uwide)x.m * y.m;
	uint64_t high = (uint64_t)(p >> 64), low = (uint64_t)p;
	const unsigned s = (unsigned)(~high >> 63);

	return (struct dp_real){ high << s | (low >> 63 & s), x.x + y.x - (int64_t)s };
}

/* A double as it was stored. */
static inline double
dp_real_double(struct dp_real r)
{
	const uint64_t bits = r.m << 1 >> 12 | (uint64_t)(r.x + 1022) << 52;
	double v;

	if (r.m >> 63 == 0 || (r.m & 2047) != 0 || r.x < -1021 || r.x > 1024)
		return ldexp((double)r.m, (int)r.x - 64);
	memcpy(&v, &bits, sizeof v);
	return v;
}

/* A double as it is stored. */
static inline struct dp_real
dp_real_of(double v)
{
	uint64_t bits;
	int x;

	memcpy(&bits, &v, sizeof bits);
	x = (int)(bits >> 52);
	if (x != 0 && x < 2047)		/* neither subnormal nor negative */
		return (struct dp_real){ (uint64_t)1 << 63 | bits << 12 >> 1, x - 1022 };
	return (struct dp_real){ (uint64_t)ldexp(frexp(v, &x), 64), x };
}

/*
 * A draw of one of few outcomes by one look-up (Walker 1977, Vose 1991): of 2^bits
 * columns of as many units each, which hold units of at most two outcomes.
 *
 * Statement: an outcome that is kept has its probability within exp(+-2^-42), the last one, which
 * stands for all others, too.
 * Proof.  (1) Sums of W are exact.  An outcome kept is at least 2^-20 of the sum, the last at least
 *   2^-17.  Units are W 2^63 / sum rounded down, by less than one unit and 2^-60 of themselves;
 *   they are at least 2^43: 2^-43 + 2^-60 of themselves.  The n + 9 units at most that are missing
 *   then go to the largest outcome, which has 2^55 at least.  The sum is 2^63.
 *   (2) Vose's construction moves whole units, so an outcome's units over all columns are its
 *   weight; each unit and column is as probable as any other.
 */

#define DP_ALIAS_BITS	7	/* at most; at least 4 */

struct dp_alias {
	unsigned bits;
	uint64_t unit[1 << DP_ALIAS_BITS];	/* of each outcome */
	uint16_t small[1 << DP_ALIAS_BITS], large[1 << DP_ALIAS_BITS];
};

/*
 * Units of outcomes 0, 1, .. of weights W, up to the first that would have too few or leave too
 * few; sum, at least 2^62, is of all weights, and what is not kept is the last outcome's.  Returns
 * how many are kept.
 */
unsigned dp_alias_units(struct dp_alias *, const dp_uwide *W, dp_uwide sum);
/*
 * Columns: the first 31 - bits bits of the unit where the other outcome begins, and that outcome;
 * the last 32 bits of the unit.
 */
void	dp_alias_columns(struct dp_alias *, uint32_t *column, uint32_t *tie);

#endif
