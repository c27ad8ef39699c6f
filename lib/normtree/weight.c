/*
 * weight.c - weights of splits, and the envelope above them where no table has one: draw.h.
 */
#include <math.h>

#include "draw.h"

#define HALF	(real){ (uint64_t)31 << 59, -1 }	/* 1/2 - 2^-6 */

static real
power(real x, uint64_t n)
{
	real r = { (uint64_t)1 << 63, 1 };

	for (; n != 0; n >>= 1, x = dp_times(x, x))
		if (n & 1)
			r = dp_times(r, x);
	return r;
}

real
dp_normtree_entry(const real *table, unsigned A, real beyond, uint64_t v)
{
	return v <= A ? table[v] : dp_times(table[A], power(beyond, v - A));
}

static bool
less(real x, real y)
{
	return x.x < y.x || (x.x == y.x && x.m < y.m);
}

real
dp_normtree_weight(const struct dp_normtree_level *v, unsigned side, uint64_t P, uint64_t j)
{
	const uint64_t half = P / 2, b = j > half ? j - half : half - j;
	const uint64_t cap = P < v->A ? v->A - P : 0;
	uint64_t y = j > half ? b : 0;

	if (v->open)
		return dp_normtree_entry(v->fall, v->A, v->fade, y);
	y = y < cap ? y : cap;
	return dp_times(dp_times(
	    dp_normtree_entry(v->child[side], v->reach[side], v->beyond[side], P - half + j),
	    dp_normtree_entry(v->child[!side], v->reach[!side], v->beyond[!side], b)), v->fall[y]);
}

/* Place of a side's largest weights: from P / 2 on both children's tables fall. */
static uint64_t
peak(const struct dp_normtree_level *v, unsigned side, uint64_t P)
{
	real here, top = dp_normtree_weight(v, side, P, 0);
	uint64_t j, at = 0;

	for (j = 1; j <= P / 2 + 1 && v->child[0] != v->child[1]; j++) {
		here = dp_normtree_weight(v, side, P, j);
		if (less(top, here)) {
			top = here;
			at = j;
		}
	}
	return at;
}

/* The first place after a peak where the weights are below `top`. */
static uint64_t
halved(const struct dp_normtree_level *v, unsigned side, uint64_t P,
    uint64_t from, real top)
{
	uint64_t lo = from, hi = from + 1, mid;

	while (!less(dp_normtree_weight(v, side, P, hi), top)) {
		lo = hi;
		hi *= 2;
	}
	while (hi - lo > 1) {
		mid = (lo + hi) / 2;
		if (less(dp_normtree_weight(v, side, P, mid), top))
			hi = mid;
		else
			lo = mid;
	}
	return hi;
}

/*
 * The envelope for P > A, where the weights of either side are within a factor exp(2 b) of
 * log-concave ones, b = DP_NORMTREE_BENT.  A side that is down to (1/2 - 2^-6) of its largest by S
 * is so by more than a half for these, exp(4 b) being so near to 1, and halves again in every S
 * that follow; so all are below 2^-i exp(4 b) times the largest, and C is above that.
 */
static struct dp_normtree_row
row_beyond(const struct dp_normtree_level *v, uint64_t P)
{
	struct dp_normtree_row r;
	uint64_t at[2], S = 0, one;
	real top[2];
	double inverse;
	unsigned side;
	int x;

	for (side = 0; side < 2; side++) {
		at[side] = peak(v, side, P);
		top[side] = dp_normtree_weight(v, side, P, at[side]);
	}
	for (side = 0; side < 2; side++) {
		one = halved(v, side, P, at[side], dp_times(top[side], HALF));
		S = one > S ? one : S;
	}
	if (less(top[0], top[1]))
		top[0] = top[1];
	r.width = (uint32_t)S;
	r.odd = -r.width % r.width;
	/* 1 / C, C a little above the largest weight: any number that P decides */
	inverse = frexp((1 - 0x1p-6) / ldexp((double)top[0].m, -64), &x);
	r.inverse.m = (uint64_t)ldexp(inverse, 64);
	r.inverse.x = x - top[0].x;
	return r;
}

struct dp_normtree_row
dp_normtree_row_for(const struct dp_normtree_level *v, uint64_t P)
{
	return P <= v->A ? v->row[P] : row_beyond(v, P);
}
