/*
 * real.h - products of the numbers that tables hold, by integers alone; and draws on the tables'
 * own grid.
 */
#ifndef DP_NORMTREE_REAL_H
#define DP_NORMTREE_REAL_H

#include "normtree.h"
#include "noise/digits.h"

typedef struct dp_normtree_real real;

/* x y, rounded down by less than 2^-62 of it */
DP_INLINE real
times(real x, real y)
{
	const dp_uwide p = (dp_uwide)x.m * y.m;
	uint64_t high = (uint64_t)(p >> 64), low = (uint64_t)p;
	const unsigned s = (unsigned)(~high >> 63);

	return (real){ high << s | (low >> 63 & s), x.x + y.x - (int64_t)s };
}

static inline real
power(real x, uint64_t n)
{
	real r = { (uint64_t)1 << 63, 1 };

	for (; n != 0; n >>= 1, x = times(x, x))
		if (n & 1)
			r = times(r, x);
	return r;
}

/* Of a table that is geometric from A on. */
static inline real
entry(const real *table, unsigned A, real beyond, uint64_t v)
{
	return v <= A ? table[v] : times(table[A], power(beyond, v - A));
}

/* As dp_normtree_root() and _split(), in units of the tables. */
int	dp_normtree_coarse_root(const struct dp_normtree *, struct dp_rng *, int64_t *) DP_MUSTUSE;
int	dp_normtree_coarse_split(const struct dp_normtree *, struct dp_rng *, unsigned l,
	    const int64_t *Q, int64_t *out, unsigned n) DP_MUSTUSE;

#endif
