/*
 * polysum_error.c - predicted variance: sum over the buckets k of w_k^2 V_k m_k(t - lo_k), m_k the
 * terms of the cover at its step.
 */
#include "polysum.h"

static double
unit(const struct dp_bucket *b)
{
	return b->weight * b->weight * dp_noise_variance(&b->noise);
}

static double
mean(const struct dp_bucket *b, unsigned n, uint64_t T)
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

/* Each bucket at the most that it ever has. */
static double
bound(const struct dp_bucket *b, unsigned n, uint64_t T)
{
	double most = 0;
	unsigned k;

	for (k = 0; k < n && b[k].lo < T; k++)
		most += unit(&b[k]) * dp_wsum_most(&b[k].sum);
	return most;
}

void
dp_buckets_error(const struct dp_bucket *b, unsigned n, uint64_t T, uint64_t tried,
    struct dp_error *e)
{
	const bool all = T <= tried;
	double c[DP_POLYSUM_MAX], v;
	uint64_t t;
	unsigned k;

	*e = (struct dp_error){ .max = -1, .mean = mean(b, n, T), .worst = T };
	for (k = 0; k < n; k++)
		c[k] = unit(&b[k]);
	for (t = 1; all && t <= T; t++) {
		for (v = 0, k = 0; k < n && b[k].lo < t; k++)
			v += c[k] * dp_wsum_terms(&b[k].sum, t - b[k].lo);
		if (v > e->max * (1 + 1e-12)) {
			e->max = v;
			e->worst = t;
		}
	}
	if (!all)
		e->max = bound(b, n, T);
}
