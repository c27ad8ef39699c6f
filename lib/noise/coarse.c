/*
 * coarse.c - noise on a grid coarser than the data's (coarse.h).
 */
#include <math.h>

#include "digits.h"
#include "coarse.h"

#define LEAST		26	/* -log2 of a rate: of less, draws are too far off (normtree.h) */
#define UNIT_MAX	((uint64_t)1 << 26)
/* Units of one of w: times UNIT_MAX it is less than half a word. */
#define FAR		((int64_t)1 << 36)

/* The largest L: floor(epsilon 2^LEAST). */
static uint64_t
room(const struct dp_privacy *p)
{
	const dp_uwide n = ((dp_uwide)p->epsilon.num << LEAST) / p->epsilon.den;

	return n > UINT64_MAX ? UINT64_MAX : (uint64_t)n;
}

uint64_t
dp_coarse_moves(uint64_t l1, uint64_t cells, uint64_t unit)
{
	return (uint64_t)((l1 + (dp_uwide)cells * (unit - 1)) / unit);
}

int
dp_coarse_unit(const struct dp_privacy *p, uint64_t *unit, double *rate)
{
	const uint64_t L = p->exact ? UINT64_MAX : room(p), c = p->cells;
	struct dp_privacy own = *p;

	*unit = 1;
	if (p->l1 > L) {
		if (c == 0 || L <= c)
			return DP_ERANGE;
		*unit = ((p->l1 - c + (L - c) - 1) / (L - c)) | 1;
		if (*unit > UNIT_MAX)
			return DP_ERANGE;
		*unit = dp_numbers_int(p->numbers, "unit", *unit, 3, UNIT_MAX);
		own.l1 = dp_coarse_moves(p->l1, c, *unit);
	}
	*rate = dp_privacy_rate(&own);
	return 0;
}

double
dp_coarse_epsilon(const struct dp_privacy *p)
{
	const double l1 = (double)p->l1, c = (double)p->cells;
	const double L = p->cells == 0 ? l1 : c + fmax(1, ceil(l1 / (UNIT_MAX - 2)));

	return ldexp(fmin(l1, L), -LEAST);
}

/* Uniform from -(unit - 1) / 2 .. (unit - 1) / 2. */
static int
uniform(uint64_t unit, struct dp_rng *rng, int64_t *u)
{
	uint64_t mask = unit, x;
	const uint8_t *at;

	mask |= mask >> 1;
	mask |= mask >> 2;
	mask |= mask >> 4;
	mask |= mask >> 8;
	mask |= mask >> 16;
	do {
		if ((at = dp_rng_take(rng, sizeof x)) == NULL)
			return rng->error;
		x = dp_load64(at) & mask;
	} while (x >= unit);
	*u = (int64_t)x - (int64_t)(unit / 2);
	return 0;
}

int
dp_coarse_widen(uint64_t unit, struct dp_rng *rng, int64_t *w, unsigned n)
{
	int64_t u = 0;
	unsigned i;
	int e = 0;

	for (i = 0; i < n && e == 0; i++) {
		if (w[i] > FAR || w[i] < -FAR)
			e = DP_ERANGE;
		else if (rng->kind == DP_RNG_KNOWN || (e = uniform(unit, rng, &u)) == 0)
			w[i] = w[i] * (int64_t)unit + u;
	}
	dp_rng_wipe(rng);
	explicit_bzero(&u, sizeof u);
	return e;
}
