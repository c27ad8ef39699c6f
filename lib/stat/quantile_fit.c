/* quantile_fit.c - from private numbers of events up to each bin to a quantile (quantile.h). */
#include <math.h>

#include "quantile.h"

/* Pool adjacent violators: blocks of one mean each, of n numbers; all weigh the same. */
void
dp_quantile_fit(double *f, unsigned n)
{
	double sum[DP_BINS_MAX];
	unsigned length[DP_BINS_MAX], blocks = 0, i, j;

	for (i = 0; i < n; i++) {
		sum[blocks] = f[i];
		length[blocks++] = 1;
		while (blocks > 1 && sum[blocks - 1] * length[blocks - 2] <
		    sum[blocks - 2] * length[blocks - 1]) {
			blocks--;
			sum[blocks - 1] += sum[blocks];
			length[blocks - 1] += length[blocks];
		}
	}
	for (i = j = 0; i < blocks; i++)
		for (sum[i] = fmax(sum[i] / length[i], 0); length[i] > 0; length[i]--)
			f[j++] = sum[i];
}

#define ROUNDED	1e-12	/* what doubles may hide of a number of events */

int64_t
dp_quantile_find(const struct dp_bins *b, const double *f, double q)
{
	const double rank = q * f[b->n] * (1 - ROUNDED);
	unsigned lo = 0, hi = b->n, mid;	/* f[lo] < rank <= f[hi] */

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		*(f[mid] < rank ? &lo : &hi) = mid;
	}
	return dp_bins_within(b, lo, (q * f[b->n] - f[lo]) / (f[hi] - f[lo]));
}
