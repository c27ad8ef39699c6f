/*
 * alias_make.c - alias rows, made: weights to whole units, units to columns (alias.h).
 */
#include <string.h>

#include "alias_rows.h"

#define KEPT	((uint64_t)1 << 43)	/* units of an outcome, at least */
#define TAIL	17			/* -log2 of the tail's probability, at most */
#define GUARD	32			/* bits of W below those of t(0) */

/* m 2^(x - 64) in W's units, 2^(95 - top) a whole one. */
static dp_uwide
fixed(dp_uwide m, int64_t x, int64_t top)
{
	const int64_t s = top + 1 - x;

	return s >= 128 ? 0 : m << GUARD >> s;
}

/* t(j), j <= A + P / 2 */
static real
weight(const struct dp_normtree_alias *a, const struct dp_normtree_level *v,
    unsigned P, unsigned j)
{
	const unsigned half = P / 2, cap = P < v->A ? v->A - P : 0;
	const unsigned b = j > half ? j - half : half - j;
	const unsigned y = j > half ? b : 0;

	return v->open ? v->fall[y] : times(times(a->child[P - half + j], a->child[b]),
	    v->fall[y < cap ? y : cap]);
}

/* W(j) and all after it, from where each is the same part of that before. */
static dp_uwide
geometric(const struct dp_normtree_level *v, real t, int64_t top)
{
	const real fall = v->open ? v->fade : times(v->beyond[0], v->beyond[0]);
	const uint64_t rest = ~(fall.x < -63 ? 0 : fall.m >> -fall.x);	/* (1 - fall) 2^64 */

	return fixed(((dp_uwide)t.m << 63) / rest * 2, t.x, top);
}

/* W(0) .. W(n - 1), and the sum of all W. */
static dp_uwide
weigh(struct dp_normtree_alias *a, const struct dp_normtree_level *v, unsigned P)
{
	const unsigned end = v->A + P / 2;
	int64_t top = 0;
	dp_uwide sum, w;
	unsigned j;
	real t;

	memset(a->weight, 0, sizeof a->weight);
	for (sum = 0, j = 0; j < end; j++, sum += w) {
		t = weight(a, v, P, j);
		top = j == 0 ? t.x : top;
		w = fixed(t.m, t.x, top) >> (j == 0 && P % 2 == 0);
		if (j < a->width)
			a->weight[j] = w;
	}
	return sum + geometric(v, weight(a, v, P, end), top);
}

static unsigned
length(dp_uwide w)
{
	const uint64_t high = (uint64_t)(w >> 64), low = (uint64_t)w;

	return high != 0 ? 128 - (unsigned)__builtin_clzll(high) :
	    low != 0 ? 64 - (unsigned)__builtin_clzll(low) : 0;
}

/* 1 / w, rounded down. */
static real
inverse(dp_uwide w)
{
	const unsigned n = length(w);
	const uint64_t d = (uint64_t)(w >> (n - 63)) + 1;

	return (real){ (uint64_t)(((dp_uwide)1 << 126) / d), 1 - (int64_t)n };
}

/* w 2^63 / sum, rounded down: fewer units than 2^63. */
static uint64_t
share(dp_uwide w, real over)
{
	const unsigned n = length(w);
	real u;

	if (n == 0)
		return 0;
	u = times((real){ (uint64_t)(n > 64 ? w >> (n - 64) : w << (64 - n)), n }, over);
	return u.x < -62 ? 0 : u.m >> (1 - u.x);
}

/* The outcomes' units; returns `first`. */
static unsigned
set_units(struct dp_normtree_alias *a, dp_uwide sum)
{
	const real over = inverse(sum);
	uint64_t missing = (uint64_t)1 << 63, u;
	dp_uwide left = sum;
	unsigned j, first, last = a->width - 1, most = last;

	memset(a->unit, 0, sizeof a->unit);
	for (first = 0; first < last; first++) {
		u = share(a->weight[first], over);
		if (u < KEPT || (left - a->weight[first]) << TAIL < sum)
			break;
		left -= a->weight[first];
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
static void
set_columns(struct dp_normtree_alias *a, uint32_t *column, uint32_t *tie)
{
	const uint64_t full = (uint64_t)1 << (63 - a->bits);
	unsigned i, s, l, small = 0, large = 0;

	for (i = 0; i < a->width; i++) {
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

static void
extend(struct dp_normtree_alias *a, const struct dp_normtree_level *v)
{
	unsigned i;

	for (i = 0; i <= v->A + a->width && !v->open; i++)
		a->child[i] = i <= v->reach[0] ? v->child[0][i] :
		    times(a->child[i - 1], v->beyond[0]);
}

void
dp_normtree_alias_make(struct dp_normtree_alias *a, const struct dp_normtree_level *const level[],
    unsigned n)
{
	unsigned l, P;
	size_t row;

	a->levels = n;
	for (l = 1; l <= a->levels; l++) {
		extend(a, level[l - 1]);
		for (P = 0; P < a->width; P++) {
			row = dp_normtree_alias_row(a, l, P);
			a->first[row] = (uint8_t)set_units(a, weigh(a, level[l - 1], P));
			set_columns(a, a->column + (row << a->bits), a->tie + (row << a->bits));
		}
	}
}
