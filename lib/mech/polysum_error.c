/*
 * polysum_error.c - predicted variance: sum over the buckets k of c_k m_k(t - lo_k), c_k = w_k^2
 * V_k, m_k the terms of the cover at its step; periodic with W_k after its first block.
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

double
dp_buckets_mean(const struct dp_bucket *b, unsigned n, uint64_t T)
{
	double total = 0, sum;
	uint64_t worst;
	unsigned k, most;

	for (k = n; k-- > 0; )
		if (T > b[k].lo) {
			dp_wsum_total(&b[k].sum, T - b[k].lo, &sum, &most, &worst);
			total += unit(&b[k]) * sum;
		}
	return total / (double)T;
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
peak(const double *v)
{
	double max = v[0];
	unsigned i;

	for (i = 1; i < STEPS; i++)
		max = v[i] > max ? v[i] : max;
	return max;
}

/* rest[k]: buckets k and later never add more than this. */
static double
largest(const struct dp_bucket *b, unsigned n, double *const *pattern, const double *rest,
    uint64_t T, uint64_t *worst)
{
	double v[STEPS], max = -1;
	uint64_t t;
	unsigned i, k;

	for (t = 1; t <= T; t += STEPS) {
		memset(v, 0, sizeof v);
		for (k = 0; k < n && t + STEPS > b[k].lo; k++) {
			/* far buckets weigh little: most of the time the near ones decide */
			if (k % 16 == 15 && peak(v) + rest[k] < max * (1 - 1e-12))
				break;
			add(v, &b[k], pattern[k], t);
		}
		if (k < n && t + STEPS > b[k].lo)
			continue;
		for (i = 0; i < STEPS && t + i <= T; i++)
			if (v[i] > max) {
				max = v[i];
				*worst = t + i;
			}
	}
	return max;
}

/* Fills p with the patterns, rest with what each and all later ones add at most. */
static void
patterns(const struct dp_bucket *b, unsigned n, double *p, double **pattern, double *rest)
{
	unsigned k;

	rest[n] = 0;
	for (k = n; k-- > 0; p += b[k].sum.w + STEPS) {
		pattern[k] = p;
		period(p, &b[k]);
		rest[k] = rest[k + 1] + unit(&b[k]) * dp_wsum_most(&b[k].sum);
	}
}

int
dp_buckets_error(const struct dp_bucket *b, unsigned n, uint64_t T, uint64_t tried,
    struct dp_error *e)
{
	double *pattern[DP_POLYSUM_MAX], rest[DP_POLYSUM_MAX + 1], *p;
	size_t words = 0;
	unsigned k;

	for (k = 0; k < n; k++)
		words += b[k].sum.w + STEPS;
	if ((p = malloc(words * sizeof *p)) == NULL)
		return DP_ENOMEM;
	patterns(b, n, p, pattern, rest);
	e->mean = dp_buckets_mean(b, n, T);
	e->max = largest(b, n, pattern, rest, T < tried ? T : tried, &e->worst);
	free(p);
	return 0;
}
