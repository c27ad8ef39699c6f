/*
 * real.h - positive numbers for weights that draws go by: whole numbers and shifts, equal on every
 * machine, and of a wider range than a double's.
 */
#ifndef DP_REAL_H
#define DP_REAL_H

#include <math.h>

#include "base/num.h"

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
	return ldexp((double)r.m, (int)r.x - 64);
}

/* A double as it is stored. */
static inline struct dp_real
dp_real_of(double v)
{
	struct dp_real r;
	int x;

	r.m = (uint64_t)ldexp(frexp(v, &x), 64);
	r.x = x;
	return r;
}

#endif
