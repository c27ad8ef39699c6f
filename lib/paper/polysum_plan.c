#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "polysum.h"

static bool
sound(const struct dp_task *k, uint64_t lags)
{
	uint64_t d;

	if (!(k->beta > 0 && k->beta < 1) || lags == 0 || dp_task_weight(k, 0) != 1)
		return false;
	if (k->what == DP_TASK_POLY)
		return k->power > 0;
	for (d = 1; d < lags; d++)
		if (!(k->g[d] <= k->g[d - 1] && k->g[d] >= 0))
			return false;
	return true;
}

/* The first lag of lo+1 .. lags with g(d) < w: by halving, g does not increase. */
static uint64_t
end_of(const struct dp_task *k, uint64_t lo, uint64_t lags, double w)
{
	uint64_t hi = lags, mid;

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (dp_task_weight(k, mid) >= w)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

/* The largest weight (1-beta)^j <= g, and its j. */
static double
weight_below(double g, double beta, double *j)
{
	double w;

	/* one too early, in case the logarithms round up */
	*j = g == 1 ? 0 : fmax(1, ceil(log(g) / log1p(-beta)) - 1);
	while ((w = pow(1 - beta, *j)) > g)
		++*j;
	return w;
}

/* Number of buckets; fills them in, unless b is NULL. */
static unsigned
cut(struct dp_bucket *b, const struct dp_task *k, uint64_t lags)
{
	uint64_t lo, hi;
	unsigned i = 0;
	double g, j, w;

	for (lo = 0; lo < lags && (g = dp_task_weight(k, lo)) > 0 && i <= DP_POLYSUM_MAX;
	    lo = hi, i++) {
		w = weight_below(g, k->beta, &j);
		hi = end_of(k, lo, lags, w);
		if (b == NULL)
			continue;
		b[i].weight = w;
		b[i].lo = lo;
		dp_wsum_set(&b[i].sum, hi - lo);
	}
	return i;
}

/* Buckets through numbers: weights, and lengths that end at or before the end of g. */
static int
keep(struct dp_bucket *b, unsigned n, uint64_t lags, struct dp_numbers *numbers)
{
	uint64_t lo = 0;
	unsigned i;

	for (i = 0; i < n; i++) {
		b[i].weight = dp_numbers_real(numbers, "weight", b[i].weight, 0, 1);
		b[i].lo = lo;
		dp_wsum_set(&b[i].sum, dp_numbers_int(numbers, "length", b[i].sum.w, 1, lags - lo));
		lo += b[i].sum.w;
	}
	return dp_numbers_error(numbers);
}

int
dp_buckets_make(struct dp_bucket **out, unsigned *n, const struct dp_task *k, uint64_t lags,
    struct dp_numbers *numbers)
{
	const bool replays = dp_numbers_replays(numbers);
	struct dp_bucket *b;
	unsigned count = 0, i;

	if (!sound(k, lags))
		return DP_EINVAL;
	if (!replays && (count = cut(NULL, k, lags)) > DP_POLYSUM_MAX)
		return DP_ERANGE;
	count = (unsigned)dp_numbers_int(numbers, "buckets", count, 1, DP_POLYSUM_MAX);
	if ((b = malloc(count * sizeof *b)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < count; i++)
		memset(&b[i], 0, offsetof(struct dp_bucket, noise));
	if (!replays)
		(void)cut(b, k, lags);
	*n = count;
	*out = b;
	return keep(b, count, lags, numbers);
}

/* x <= 1 rounded down to 24 bits, or to a multiple of 2^-62. */
static struct dp_q
round_down(double x)
{
	int e, shift;

	(void)frexp(x, &e);	/* x < 2^e */
	shift = 24 - e < 62 ? 24 - e : 62;
	return dp_q_make((uint64_t)floor(ldexp(x, shift)), (uint64_t)1 << shift);
}

/* True: the levels' shares sum to at most 1, in units of 2^-62. */
static bool
fits(const struct dp_q *share, const struct dp_bucket *b, unsigned n)
{
	const dp_uwide whole = (dp_uwide)1 << 62;
	dp_uwide sum = 0;
	unsigned i;

	for (i = 0; i < n; i++)		/* denominators are powers of two */
		sum += (b[i].sum.h + 1) * (whole / share[i].den) * share[i].num;
	return sum <= whole;
}

int
dp_buckets_share(struct dp_q *share, const struct dp_bucket *b, unsigned n, double least)
{
	double real[DP_POLYSUM_MAX], whole = 0, sum = 0, factor;
	unsigned i, tries;

	for (i = 0; i < n; i++)
		whole += (b[i].sum.h + 1) * b[i].weight;
	for (i = 0; i < n; i++) {
		real[i] = fmax(b[i].weight / whole, least);
		sum += (b[i].sum.h + 1) * real[i];
	}
	/* within the doubles' errors of 1: try it as it is, so that powers of two stay */
	factor = sum <= 1 + 1e-9 ? 1 : 1 / sum;
	for (tries = 0; tries < 8; tries++, factor *= 1 - 1e-9) {
		for (i = 0; i < n; i++)
			if ((share[i] = round_down(real[i] * factor)).num == 0)
				return DP_ERANGE;
		if (fits(share, b, n))
			return 0;
	}
	return DP_ERANGE;
}

int
dp_buckets_keep(struct dp_q *share, const struct dp_bucket *b, unsigned n,
    struct dp_numbers *numbers)
{
	uint64_t word;
	unsigned i;

	/* numerators have 24 bits, denominators are powers of two */
	for (i = 0; i < n && numbers != NULL; i++) {
		word = share[i].num << 6 | (unsigned)__builtin_ctzll(share[i].den);
		word = dp_numbers_int(numbers, "share", word, 1 << 6, ((uint64_t)1 << 31) - 1);
		if ((word & 63) > 62)
			dp_numbers_refuse(numbers);
		share[i] = dp_q_make(word >> 6, (uint64_t)1 << (word & 63));
	}
	return numbers == NULL || fits(share, b, n) ? dp_numbers_error(numbers) : DP_EINVAL;
}
