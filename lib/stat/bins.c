/* bins.c - the grid of a histogram (bins.h). */
#include <math.h>
#include <string.h>

#include "bins.h"

#define FAR	((int64_t)1 << 50)	/* n times the width of a range fits a word */

static bool
fits(int64_t lo, int64_t hi, unsigned n)
{
	return lo <= hi && n >= 1 && n <= DP_BINS_MAX && lo > -FAR && hi < FAR;
}

int
dp_bins_linear(struct dp_bins *b, int64_t lo, int64_t hi, unsigned n)
{
	const uint64_t V = (uint64_t)(hi - lo) + 1;
	unsigned i;

	if (!fits(lo, hi, n))
		return DP_EINVAL;
	b->kind = DP_BINS_LINEAR;
	b->n = V < n ? (unsigned)V : n;
	for (i = 0; i <= b->n; i++)
		b->edge[i] = lo + (int64_t)((i * V + b->n - 1) / b->n);
	return 0;
}

int
dp_bins_log(struct dp_bins *b, int64_t lo, int64_t hi, unsigned n)
{
	int64_t edge;
	unsigned i;

	if (!fits(lo, hi, n) || lo < 0 || (lo == 0 && (n == 1 || hi == 0)))
		return DP_EINVAL;
	b->kind = DP_BINS_LOG;
	b->edge[0] = lo;
	b->n = 0;
	if (lo == 0) {		/* a bin of its own */
		b->edge[++b->n] = lo = 1;
		n--;
	}
	for (i = 1; i <= n; i++) {
		edge = i == n ? hi + 1 : (int64_t)llround((double)lo *
		    pow(((double)hi + 1) / (double)lo, (double)i / n));
		if (edge > b->edge[b->n] && (i == n || edge <= hi))
			b->edge[++b->n] = edge;
	}
	return 0;
}

int
dp_bins_given(struct dp_bins *b, const int64_t *edge, unsigned n)
{
	unsigned i;

	if (n < 1 || !fits(edge[0], edge[n], n))
		return DP_EINVAL;
	for (i = 0; i < n; i++)
		if (edge[i] >= edge[i + 1])
			return DP_EINVAL;
	b->kind = DP_BINS_GIVEN;
	b->n = n;
	memcpy(b->edge, edge, (n + 1) * sizeof *edge);
	b->edge[n]++;
	return 0;
}

unsigned
dp_bins_place(const struct dp_bins *b, int64_t value)
{
	const int64_t *at = b->edge;
	unsigned n = b->n, half;

	if (b->kind == DP_BINS_LINEAR)
		return (unsigned)((uint64_t)(value - at[0]) * n / (uint64_t)(at[n] - at[0]));
	for (; n > 1; n -= half) {	/* value lies in one of the n bins from at on */
		half = n / 2;
		at += at[half] <= value ? half : 0;
	}
	return (unsigned)(at - b->edge);
}

int64_t
dp_bins_within(const struct dp_bins *b, unsigned bin, double part)
{
	const double first = (double)b->edge[bin], last = (double)(b->edge[bin + 1] - 1);

	part = fmin(fmax(part, 0), 1);
	return (int64_t)llround(b->kind == DP_BINS_LOG && first > 0 ?
	    first * pow(last / first, part) : first + part * (last - first));
}

int64_t
dp_bins_widest(const struct dp_bins *b)
{
	int64_t most = 0;
	unsigned i;

	for (i = 0; i < b->n; i++)
		if (b->edge[i + 1] - 1 - b->edge[i] > most)
			most = b->edge[i + 1] - 1 - b->edge[i];
	return most;
}

double
dp_bins_ratio(const struct dp_bins *b)
{
	double most = 1;
	unsigned i;

	for (i = b->edge[0] == 0; i < b->n; i++)
		most = fmax(most, (double)(b->edge[i + 1] - 1) / (double)b->edge[i]);
	return most;
}
