/*
 * polysum_bound.c - bounds on the variance at every step, sharp where what differs from step to
 * step is that of short buckets: their sums, in tables of some periods.  All other buckets count
 * at most.
 */
#include <stdlib.h>
#include <string.h>

#include "polysum.h"

#define PERIOD	16384		/* of a table, at most */
#define TABLES	8
#define TRIFLE	1e-13		/* of all buckets' most: what changes by less is in no table */

struct dp_buckets_bound {
	double base;		/* what is in no table, at most */
	unsigned n, block;
	struct {
		uint64_t period;
		double *sum;	/* [t % period + i], i < block */
	} table[TABLES];
};

uint64_t
dp_buckets_period(uint64_t a, uint64_t b)
{
	uint64_t x = a, y = b, r;

	for (; y != 0; x = y, y = r)
		r = x % y;
	return a / x * b;
}

void
dp_buckets_gather(double *sum, uint64_t period, const struct dp_bucket *b, double c)
{
	const uint64_t W = b->sum.w, begin = (b->lo + 1) % W;
	uint64_t j, x;
	double v;

	for (j = 0; j < W; j++) {
		v = c * (dp_wsum_terms(&b->sum, W + 1 + j) - 1);
		for (x = (begin + j) % W; x < period; x += W)
			sum[x] += v;
	}
}

/* The table that bucket b is to be in, whose period is then long enough; TABLES: none. */
static unsigned
assign(struct dp_buckets_bound *p, const struct dp_bucket *b)
{
	uint64_t both;
	unsigned i;

	if (b->sum.w > PERIOD)
		return TABLES;
	for (i = 0; i < p->n; i++)
		if ((both = dp_buckets_period(p->table[i].period, b->sum.w)) <= PERIOD) {
			p->table[i].period = both;
			return i;
		}
	if (p->n < TABLES)
		p->table[p->n++].period = b->sum.w;
	return i;
}

/* of[k]: the table of bucket k, TABLES: none. */
static int
fill(struct dp_buckets_bound *p, const struct dp_bucket *b, unsigned n, const double *c,
    const unsigned *of)
{
	unsigned i, k;
	double *sum;

	for (i = 0; i < p->n; i++) {
		sum = calloc(p->table[i].period + p->block, sizeof *sum);
		if ((p->table[i].sum = sum) == NULL)
			return DP_ENOMEM;
		for (k = 0; k < n; k++)
			if (of[k] == i)
				dp_buckets_gather(sum, p->table[i].period, &b[k], c[k]);
		for (k = 0; k < p->block; k++)
			sum[p->table[i].period + k] = sum[k % p->table[i].period];
	}
	return 0;
}

struct dp_buckets_bound *
dp_buckets_bound_create(const struct dp_bucket *b, unsigned n, const double *c, unsigned block)
{
	struct dp_buckets_bound *p = calloc(1, sizeof *p);
	unsigned of[DP_POLYSUM_MAX], k;
	double all = 0, most;

	if (p == NULL)
		return NULL;
	p->block = block;
	for (k = 0; k < n; k++)
		all += c[k] * dp_wsum_most(&b[k].sum);
	for (k = 0; k < n; k++) {
		most = dp_wsum_most(&b[k].sum);
		of[k] = c[k] * (most - 1) < all * TRIFLE ? TABLES : assign(p, &b[k]);
		p->base += c[k] * (of[k] == TABLES ? most : 1);
	}
	if (fill(p, b, n, c, of) != 0) {
		dp_buckets_bound_free(p);
		return NULL;
	}
	return p;
}

void
dp_buckets_bound_at(const struct dp_buckets_bound *p, uint64_t t, double *v)
{
	const double *sum;
	unsigned i, k;

	for (i = 0; i < p->block; i++)
		v[i] = p->base;
	for (k = 0; k < p->n; k++) {
		sum = p->table[k].sum + t % p->table[k].period;
		for (i = 0; i < p->block; i++)
			v[i] += sum[i];
	}
}

void
dp_buckets_bound_free(struct dp_buckets_bound *p)
{
	unsigned i;

	for (i = 0; p != NULL && i < p->n; i++)
		free(p->table[i].sum);
	free(p);
}
