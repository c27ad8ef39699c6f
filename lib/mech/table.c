#include <string.h>

#include "table.h"

#define TILE	512	/* weights taken at a time */

double
dp_table_step(const struct dp_table *f, double *ring, uint64_t t, double y)
{
	const uint64_t n = f->n, here = (t - 1) % n;
	double sum = 0;
	uint64_t d;

	ring[here] = y;		/* what is older than step 1 is 0 */
	for (d = 0; d <= here; d++)
		sum += f->g[d] * ring[here - d];
	for (; d < n && d < t; d++)
		sum += f->g[d] * ring[here + n - d];
	return sum;
}

/*
 * s[j] += g[0] y[n-1+j] + g[1] y[n-2+j] + .. + g[n-1] y[j]: every sum adds its own terms in turn,
 * so each is to the last bit what dp_table_step() finds, but one need not wait for the other.
 */

/* Unrolled at once, or else gcc 12 keeps the sums in memory. */
#define EACH_FOUR(j)	_Pragma("GCC unroll 8") for (j = 0; j < DP_TABLE_WIDE / 4; j++)

DP_VECTORS static void
add_dots(double s[static DP_TABLE_WIDE], const double *g, const double *y, size_t n)
{
	dp_four sum[DP_TABLE_WIDE / 4], *out = (dp_four *)(void *)s;
	const dp_four *met;
	size_t d, j;

	EACH_FOUR(j)
		sum[j] = out[j];
	for (d = 0; d < n; d++) {
		met = (const dp_four *)(const void *)(y + n - 1 - d);
		EACH_FOUR(j)
			sum[j] += g[d] * met[j];
	}
	EACH_FOUR(j)
		out[j] = sum[j];
}

/* The values of n steps from i on: 0 before the first one, in the ring before t, then y[]. */
static void
collect(const struct dp_table *f, const double *ring, const double y[static DP_TABLE_WIDE],
    uint64_t t, int64_t i, double *v, size_t n)
{
	const int64_t now = (int64_t)t, last = i + (int64_t)n;
	uint64_t at;
	size_t k;

	for (; i < 1 && i < last; i++)
		*v++ = 0;
	for (; i < last && i < now; i += (int64_t)k, v += k) {
		at = (uint64_t)(i - 1) % f->n;
		k = (size_t)((last < now ? last : now) - i);
		k = k < f->n - at ? k : (size_t)(f->n - at);
		memcpy(v, ring + at, k * sizeof *v);
	}
	for (; i < last; i++)
		*v++ = y[i - now];
}

/* TILE weights at a time, with the values that they meet side by side. */
void
dp_table_wide(const struct dp_table *f, double *ring, uint64_t t,
    const double y[static DP_TABLE_WIDE], double s[static DP_TABLE_WIDE])
{
	const uint64_t last = t + DP_TABLE_WIDE - 1, reach = last < f->n ? last : f->n;
	double met[TILE + DP_TABLE_WIDE - 1];
	uint64_t d;
	size_t n, j;

	memset(s, 0, DP_TABLE_WIDE * sizeof *s);
	for (d = 0; d < reach; d += n) {
		n = reach - d < TILE ? (size_t)(reach - d) : TILE;
		collect(f, ring, y, t, (int64_t)(t + 1 - d - n), met, n + DP_TABLE_WIDE - 1);
		add_dots(s, f->g + d, met, n);
	}
	for (j = 0; j < DP_TABLE_WIDE; j++)
		ring[(t + j - 1) % f->n] = y[j];
}
