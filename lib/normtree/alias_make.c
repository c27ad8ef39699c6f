/*
 * alias_make.c - alias rows, made: the weights of outcomes (alias.h).
 */
#include <string.h>

#include "alias_rows.h"

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

	return v->open ? v->fall[y] : dp_times(dp_times(a->child[P - half + j], a->child[b]),
	    v->fall[y < cap ? y : cap]);
}

/* W(j) and all after it, from where each is the same part of that before. */
static dp_uwide
geometric(const struct dp_normtree_level *v, real t, int64_t top)
{
	const real fall = v->open ? v->fade : dp_times(v->beyond[0], v->beyond[0]);
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

static void
extend(struct dp_normtree_alias *a, const struct dp_normtree_level *v)
{
	unsigned i;

	for (i = 0; i <= v->A + a->width && !v->open; i++)
		a->child[i] = i <= v->reach[0] ? v->child[0][i] :
		    dp_times(a->child[i - 1], v->beyond[0]);
}

void
dp_normtree_alias_make(struct dp_normtree_alias *a, const struct dp_normtree_level *const level[],
    unsigned n)
{
	unsigned l, P;
	dp_uwide sum;
	size_t row;

	a->levels = n;
	for (l = 1; l <= a->levels; l++) {
		extend(a, level[l - 1]);
		for (P = 0; P < a->width; P++) {
			row = dp_normtree_alias_row(a, l, P);
			sum = weigh(a, level[l - 1], P);
			a->first[row] = (uint8_t)dp_alias_units(&a->work, a->weight, sum);
			dp_alias_columns(&a->work, a->column + (row << a->bits),
			    a->tie + (row << a->bits));
		}
	}
}
