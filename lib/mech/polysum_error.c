/*
 * polysum_error.c - predicted variance: sum over the buckets k of c_k m_k(t - lo_k), c_k = w_k^2
 * V_k, m_k the terms of the cover at its step; periodic with W_k after its first block.
 */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "polysum.h"

#define STEPS	512		/* of one pass over the buckets */

static double
unit(const struct dp_bucket *b)
{
	return b->weight * b->weight * dp_noise_variance(&b->noise);
}

/*
 * One period of c m(n), n = W+1, .., and STEPS more, so that any STEPS of it are contiguous.
 * Returns the largest; in sum[0] the sum of one period, in sum[1] of its first `part' steps.
 */
static double
period(double *p, const struct dp_bucket *b, uint64_t part, double sum[2])
{
	double c = unit(b), max = 0;
	uint64_t j;

	sum[0] = sum[1] = 0;
	for (j = 0; j < b->sum.w; j++) {
		p[j] = c * dp_wsum_terms(&b->sum, b->sum.w + 1 + j);
		max = p[j] > max ? p[j] : max;
		sum[j < part] += p[j];
	}
	sum[0] += sum[1];
	for (; j < b->sum.w + STEPS; j++)
		p[j] = p[j - b->sum.w];
	return max;
}

/* Sum of the variance over steps 1..n of the first block. */
static double
first_block(const struct dp_bucket *b, uint64_t n)
{
	double one[64], max, sum = 0;
	uint64_t worst, last = n == b->sum.w;	/* the root, one term */
	unsigned i;

	for (i = 0; i < 64; i++)
		one[i] = 1;
	if (n > last)
		dp_bits_sum(n - last, one, &max, &worst, &sum);
	return unit(b) * (sum + (double)last);
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

/*
 * Fills p with the patterns, rest with what each and all later ones add at most; returns the sum
 * over t = 1..T.
 */
static double
patterns(const struct dp_bucket *b, unsigned n, double *p, double **pattern, double *rest,
    uint64_t T)
{
	double total = 0, sum[2];
	uint64_t steps, w;
	unsigned k;

	rest[n] = 0;
	for (k = n; k-- > 0; p += w + STEPS) {
		w = b[k].sum.w;
		steps = T > b[k].lo ? T - b[k].lo : 0;
		pattern[k] = p;
		rest[k] = rest[k + 1] + period(p, &b[k], steps % w, sum);
		total += first_block(&b[k], steps < w ? steps : w);
		if (steps > w)
			total += (double)(steps / w - 1) * sum[0] + sum[1];
	}
	return total;
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
	e->mean = patterns(b, n, p, pattern, rest, T) / (double)T;
	e->max = largest(b, n, pattern, rest, T < tried ? T : tried, &e->worst);
	free(p);
	return 0;
}
