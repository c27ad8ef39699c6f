/*
 * polysum_error.c - predicted variance: sum over the buckets k of c_k m_k(t - lo_k), c_k = w_k^2 V_k, m_k the terms
 * of the cover at its step; periodic with W_k after its first block.
 */
#include <stdlib.h>
#include <string.h>

#include "polysum.h"

#define STEPS	512		/* of one pass over the buckets */

static double
unit(const struct dp_bucket *b)
{
	return b->weight * b->weight * dp_noise_variance(&b->noise);
}

/* One period of c m(n), n = W+1, .., and STEPS more, so that any STEPS of it are contiguous. */
static void
period(double *p, const struct dp_bucket *b)
{
	double c = unit(b);
	uint64_t j;

	for (j = 0; j < b->sum.w; j++)
		p[j] = c * dp_wsum_terms(&b->sum, b->sum.w + 1 + j);
	for (; j < b->sum.w + STEPS; j++)
		p[j] = p[j - b->sum.w];
}

/* v[i] += the variance of bucket b at t + i, the first block's steps one by one. */
static void
add(double *restrict v, const struct dp_bucket *b, const double *restrict p, uint64_t t)
{
	uint64_t n;
	unsigned i;

	if (t <= b->lo + b->sum.w) {
		for (i = 0; i < STEPS; i++)
			if (t + i > b->lo) {
				n = t + i - b->lo;
				v[i] += n <= b->sum.w ? unit(b) * dp_wsum_terms(&b->sum, n) :
				    p[(n - 1) % b->sum.w];
			}
		return;
	}
	p += (t - b->lo - 1) % b->sum.w;
	for (i = 0; i < STEPS; i++)
		v[i] += p[i];
}

static double
largest(const struct dp_bucket *b, unsigned n, double *const *pattern, uint64_t T, uint64_t *worst)
{
	double v[STEPS], max = -1;
	uint64_t t;
	unsigned i, k;

	for (t = 1; t <= T; t += STEPS) {
		memset(v, 0, sizeof v);
		for (k = 0; k < n && t + STEPS > b[k].lo; k++)
			add(v, &b[k], pattern[k], t);
		for (i = 0; i < STEPS && t + i <= T; i++)
			if (v[i] > max) {
				max = v[i];
				*worst = t + i;
			}
	}
	return max;
}

double
dp_buckets_worst(const struct dp_bucket *b, unsigned n, uint64_t T, uint64_t *worst)
{
	double *pattern[DP_POLYSUM_MOST], *p, max = 0;
	size_t words = 0;
	unsigned k;

	for (k = 0; k < n; k++)
		words += b[k].sum.w + STEPS;
	*worst = T;
	if ((p = malloc(words * sizeof *p)) == NULL) {
		/* an upper bound that needs no memory */
		for (k = 0; k < n; k++)
			max += unit(&b[k]) * dp_wsum_most(&b[k].sum);
		return max;
	}
	for (words = 0, k = 0; k < n; k++) {
		pattern[k] = p + words;
		period(pattern[k], &b[k]);
		words += b[k].sum.w + STEPS;
	}
	max = largest(b, n, pattern, T, worst);
	free(p);
	return max;
}

/* Terms of the covers of steps 1..n of a sum, added up. */
static double
terms(const struct dp_wsum *s, uint64_t n)
{
	double first = 0, block = 0, part = 0;
	uint64_t i;

	if (n <= s->w) {
		for (i = 1; i <= n; i++)
			first += dp_wsum_terms(s, i);
		return first;
	}
	for (i = 1; i <= s->w; i++) {
		first += dp_wsum_terms(s, i);
		block += dp_wsum_terms(s, s->w + i);
		if (i == n % s->w)
			part = block;
	}
	return first + (double)(n / s->w - 1) * block + part;
}

double
dp_buckets_total(const struct dp_bucket *b, unsigned n, uint64_t T)
{
	double sum = 0;
	unsigned k;

	for (k = 0; k < n && b[k].lo < T; k++)
		sum += unit(&b[k]) * terms(&b[k].sum, T - b[k].lo);
	return sum;
}
