/*
 * longsum.h - a long weighted sum of the last integers, exact, at a cost that hardly grows with the
 * number of weights.
 *
 * Weights g(0) .. g(n-1) of 0..1 are taken to the nearest multiple of 2^-62, then nothing more is
 * rounded: the sum is an integer in units of 2^-62.  So it does not depend on when, or in how many
 * runs, its parts were added up.
 *
 * Method: the last DP_LONGSUM_NEAR values are weighted one by one.  Older lags are cut into parts
 * of L = 64, 1024 and 32768, each length from lag L to the next length (Gardner 1995, Efficient
 * convolution without input-output delay).  Every L steps, before step i = m L, the values of
 * blocks m - 2 and m - 1 are transformed (ntt.h), and with the transforms kept of the pairs before
 * them multiplied by those of the parts: what lags [j L, (j + 1) L) add to the L steps to come lies
 * in the pair of blocks m - j - 1 and m - j, whose product with g(j L), .. modulo x^(2L) - 1 has it
 * in its second half.  All parts of one length are added up before they are transformed back.
 *
 * EXACTNESS.  n <= 2^20, weights are at most 2^62 units, so a sum of values below 2^38 is below
 * 2^120, and two primes of more than 2^60.9 tell it; three tell 2^20 2^62 2^62.  Transforms
 * of at most 32 parts are added up as 128-bit words: 2^5 2^61 2^61 < 2^128.
 *
 * Cost: 64 products a step, and 2 log(2L) butterflies and 2 products a part for each length and
 * prime.  Every 32768 steps one takes some 10 ms.  Memory: 16 bytes a weight and prime in the plan,
 * once more in each state, whose pages are touched as time comes to them.  A state is a function of
 * the values: it may be zeroed at any time, and is found again at the cost of the transforms of all
 * parts.
 */
#ifndef DP_LONGSUM_H
#define DP_LONGSUM_H

#include "base/dp.h"

#define DP_LONGSUM_MAX	((size_t)1 << 20)	/* weights */
#define DP_LONGSUM_NEAR	64

struct dp_longsum;

/* 62 bits after the point: (2^64 whole + part) 2^-62. */
struct dp_longsum_value {
	dp_wide whole;
	uint64_t part;
};

/*
 * g(d) <= 1 for d < n <= DP_LONGSUM_MAX; |values| <= most, 0: below 3 2^60.  The plan keeps nothing
 * of g.  DP_ENOMEM, DP_EINVAL.
 */
int	dp_longsum_create(struct dp_longsum **, const double *g, size_t n, uint64_t most)
	    DP_MUSTUSE;
void	dp_longsum_free(struct dp_longsum *);	/* NULL: does nothing */
/* Of a state: a multiple of 16; all 0 before the first step, or when it is to be found again. */
size_t	dp_longsum_bytes(const struct dp_longsum *);
/*
 * Step t = 1, 2, .. with the value y.  past[(u - 1) % kept] is the value of step u, for the last
 * kept >= n steps before t; whole numbers, others, and those out of range, count 0.
 */
struct dp_longsum_value dp_longsum_step(const struct dp_longsum *, void *state, const double *past,
	    size_t kept, uint64_t t, int64_t y);
/* v 10^decimals to the nearest, half to even; v 10^decimals < 2^126, decimals <= 18. */
dp_wide	dp_longsum_decimal(struct dp_longsum_value v, unsigned decimals);

#endif
