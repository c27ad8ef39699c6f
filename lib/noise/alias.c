/*
 * alias.c - weights to whole units, units to columns (alias.h).
 */
#include <string.h>

#include "alias.h"
#include "real.h"

#define KEPT	((uint64_t)1 << 43)	/* units of an outcome, at least */
#define LAST	17			/* -log2 of the last one's probability, at most */

static unsigned
length(dp_uwide w)
{
	const uint64_t high = (uint64_t)(w >> 64), low = (uint64_t)w;

	return high != 0 ? 128 - (unsigned)__builtin_clzll(high) :
	    low != 0 ? 64 - (unsigned)__builtin_clzll(low) : 0;
}

/* 1 / w, rounded down. */
static struct dp_real
inverse(dp_uwide w)
{
	const unsigned n = length(w);
	const uint64_t d = (uint64_t)(w >> (n - 63)) + 1;

	return (struct dp_real){ (uint64_t)(((dp_uwide)1 << 126) / d), 1 - (int64_t)n };
}

/* w 2^63 / sum, rounded down: fewer units than 2^63. */
static uint64_t
share(dp_uwide w, struct dp_real over)
{
	const unsigned n = length(w);
	struct dp_real u;

	if (n == 0)
		return 0;
	u = (struct dp_real){ (uint64_t)(n > 64 ? w >> (n - 64) : w << (64 - n)), n };
	u = dp_times(u, over);
	return u.x < -62 ? 0 : u.m >> (1 - u.x);
}

unsigned
dp_alias_units(struct dp_alias *a, const dp_uwide *W, dp_uwide sum)
{
	const struct dp_real over = inverse(sum);
	const unsigned width = 1u << a->bits;
	uint64_t missing = (uint64_t)1 << 63, u;
	dp_uwide left = sum;
	unsigned j, first, last = width - 1, most = last;

	memset(a->unit, 0, sizeof a->unit);
	for (first = 0; first < last; first++) {
		u = share(W[first], over);
		if (u < KEPT || (left - W[first]) << LAST < sum)
			break;
		left -= W[first];
		a->unit[first] = u;
		missing -= u;
	}
	a->unit[last] = share(left, over);
	missing -= a->unit[last];
	for (j = 0; j < first; j++)
		if (a->unit[j] > a->unit[most])
			most = j;
	a->unit[most] += missing;
	return first;
}

/* Vose's construction: it ends with columns that are full of one outcome. */
void
dp_alias_columns(struct dp_alias *a, uint32_t *column, uint32_t *tie)
{
	const uint64_t full = (uint64_t)1 << (63 - a->bits);
	const unsigned width = 1u << a->bits;
	unsigned i, s, l, small = 0, large = 0;

	for (i = 0; i < width; i++) {
		column[i] = i;
		tie[i] = 0;
		if (a->unit[i] < full)
			a->small[small++] = (uint16_t)i;
		else
			a->large[large++] = (uint16_t)i;
	}
	while (small > 0) {
		s = a->small[--small];
		l = a->large[large - 1];
		column[s] = (uint32_t)(a->unit[s] >> 32) << a->bits | l;
		tie[s] = (uint32_t)a->unit[s];
		a->unit[l] -= full - a->unit[s];
		if (a->unit[l] < full) {
			a->small[small++] = (uint16_t)l;
			large--;
		}
	}
}
