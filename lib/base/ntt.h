/*
 * ntt.h - the Fourier transform modulo a prime: products of polynomials over the integers, exact.
 *
 * For n = 2^log <= 2^DP_NTT_LOG, the product of two polynomials modulo x^n - 1 has as transform the
 * products, place by place, of their transforms.  An integer of magnitude below half the product of
 * the first k primes is determined by its k residues.  The primes lie between 2^60 and 2^61, in
 * rising order; each is 1 more than a multiple of 2^DP_NTT_LOG.
 *
 * Residues are below the prime on the way in and out.  Time: n log n / 2 butterflies of three
 * multiplications; none depends on the values.
 */
#ifndef DP_NTT_H
#define DP_NTT_H

#include "dp.h"

#define DP_NTT_PRIMES	3
#define DP_NTT_LOG	20

/* A factor w below the prime p, and floor(2^64 w/p). */
struct dp_ntt_factor {
	uint64_t w, quotient;
};

struct dp_ntt {
	uint64_t p;
	unsigned log;			/* transforms are up to 2^log long */
	struct dp_ntt_factor one, word;	/* 1, 2^64 */
	struct dp_ntt_factor *root, *inverse;	/* 2^(log - 1) each */
};

/* For the i-th prime; log >= 1.  DP_ENOMEM. */
int	dp_ntt_create(struct dp_ntt *, unsigned i, unsigned log) DP_MUSTUSE;
void	dp_ntt_destroy(struct dp_ntt *);	/* does nothing to a zeroed one */

/*
 * In place.  forward() leaves the transform in an order that back() expects; back() of forward()
 * is 2^log times the input.
 */
void	dp_ntt_forward(const struct dp_ntt *, uint64_t *a, unsigned log);
void	dp_ntt_back(const struct dp_ntt *, uint64_t *a, unsigned log);

struct dp_ntt_factor dp_ntt_factor(const struct dp_ntt *, uint64_t w);
uint64_t dp_ntt_power(const struct dp_ntt *, uint64_t x, uint64_t e);

/*
 * A number below 2p that is w x modulo p.  With q = quotient and r = 2^64 w - q p, 0 <= r < p, the
 * subtrahend is p floor(q x / 2^64), and q x / 2^64 = w x / p - r x / (2^64 p) > w x / p - 1.
 * (Shoup; Harvey 2014, Faster arithmetic for number-theoretic transforms, Algorithm 2.)
 */
static inline uint64_t
dp_ntt_lazy(uint64_t p, struct dp_ntt_factor f, uint64_t x)
{
	return f.w * x - (uint64_t)((dp_uwide)f.quotient * x >> 64) * p;
}

/* w x modulo p. */
static inline uint64_t
dp_ntt_times(const struct dp_ntt *t, struct dp_ntt_factor f, uint64_t x)
{
	const uint64_t y = dp_ntt_lazy(t->p, f, x);

	return y < t->p ? y : y - t->p;
}

/* x modulo p. */
static inline uint64_t
dp_ntt_residue(const struct dp_ntt *t, dp_uwide x)
{
	const uint64_t y = dp_ntt_times(t, t->word, (uint64_t)(x >> 64)) +
	    dp_ntt_times(t, t->one, (uint64_t)x);

	return y < t->p ? y : y - t->p;
}

#endif
