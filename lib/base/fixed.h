/* SPDX-License-Identifier: ISC */
/*
 * fixed.h - 512-bit fixed point with stated errors, for the samplers'
 * constants.
 *
 * For lib/noise (and a test).  A number is an integer part of 64
 * bits and a fraction of 512; an ulp is 2^-512.  All is integers, free of rounding modes.
 * Arguments are public parameters, except in the slow path of random/noise.c (probability 2^-23 a
 * draw, see random/noise.h).
 *
 * Every operation rounds down, so it is off by less than one ulp; callers
 * carry a bound on the error as an exponent e ("within 2^e ulp of the true
 * value") and dp_fx_bits() refuses when the bound does not determine the bits
 * asked for.
 */
#ifndef DP_BASE_FIXED_H
#define DP_BASE_FIXED_H

#include "dp.h"

#define DP_FX_LIMBS	8		/* of the fraction */
#define DP_FX_WORDS	4		/* a threshold: 256 bits of fraction */

struct dp_fx {
	uint64_t limb[DP_FX_LIMBS + 1];	/* little-endian; the last is the integer part */
};

void	dp_fx_set(struct dp_fx *, uint64_t integer);
void	dp_fx_add(struct dp_fx *, const struct dp_fx *);	/* modulo 2^64 */
void	dp_fx_sub(struct dp_fx *, const struct dp_fx *);	/* modulo 2^64 */
/* The product must be below 2^64. */
void	dp_fx_mul(struct dp_fx *, const struct dp_fx *);
void	dp_fx_mul_u64(struct dp_fx *, uint64_t);		/* exact */
void	dp_fx_div_u64(struct dp_fx *, uint64_t);		/* by > 0 */
/* 1/d for d > 1. */
void	dp_fx_inverse(struct dp_fx *, const struct dp_fx *d);

/*
 * z = exp(-x), where x (below 2^10) is within 2^e ulp of what is meant.
 * Returns the exponent of z's error bound.
 */
int	dp_fx_exp(struct dp_fx *z, const struct dp_fx *x, int e);

/*
 * The first 256 bits of the fraction of v, most significant word first, if all numbers within 2^e
 * ulp of v agree in them; v < 1.  Else DP_ERANGE.
 */
int	dp_fx_bits(uint64_t w[static DP_FX_WORDS], const struct dp_fx *v, int e)
	    DP_MUSTUSE;

#endif
