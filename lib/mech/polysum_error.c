/*
 * polysum_error.c - predicted variance: sum over the buckets k of c_k m_k(t - lo_k), c_k = w_k^2
 * V_k, m_k the terms of the cover at its step; periodic with W_k after its first block.
 *
 * The mean has a closed form.  For the largest, the steps of a block are bounded from above in
 * small integers (polysum_parts.c).  Only those whose bound passes what was found are computed;
 * where these are not few, as what differs is little beside the rest, a sharper bound is asked
 * first (polysum_bound.c).
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "polysum.h"

#define SAME	4e-12		/* relative: what is better by less need not be found */
#define MANY	4096		/* steps that are computed before a sharper bound is made */

static double
unit(const struct dp_bucket *b)
{
	return b->weight * b->weight * dp_noise_variance(&b->noise);
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

struct scan {
	const struct dp_bucket *b;
	unsigned n;
	double c[DP_POLYSUM_MAX];
	double far[DP_POLYSUM_MAX];	/* the most that the buckets after this one have, */
	double each[DP_POLYSUM_MAX];	/* and that one of them has */
	unsigned ones;		/* the first buckets, of one step each, */
	double start;		/* and the sum of theirs */
	const struct dp_buckets_parts *parts;
	double best;
	uint64_t worst;
	unsigned computed;
	struct dp_buckets_bound *bound;	/* NULL: they are few yet, or there is no memory */
};

/* The variance at step t, or less than the largest that was found. */
static double
at(const struct scan *s, uint64_t t)
{
	const bool begun = s->ones > 0 && s->b[s->ones - 1].lo < t;
	double v = begun ? s->start : 0;
	unsigned k;

	for (k = begun ? s->ones : 0; k < s->n && s->b[k].lo < t; k++) {
		v += s->b[k].sum.w == 1 ? s->c[k] :
		    s->c[k] * dp_wsum_terms(&s->b[k].sum, t - s->b[k].lo);
		if (v + s->far[k] < s->best * (1 - 1e-12) || s->each[k] < v * 0x1p-54)
			break;		/* or rounding leaves v as it is */
	}
	return v;
}

/* v[i]: what step t + i has at most, if that is asked for by now. */
static void
sharpen(struct scan *s, uint64_t t, double *v)
{
	unsigned i;

	if (s->bound == NULL && s->computed > MANY)
		s->bound = dp_buckets_bound_create(s->b, s->n, s->c, DP_POLYSUM_BLOCK);
	if (s->bound != NULL)
		dp_buckets_bound_at(s->bound, t, v);
	else
		for (i = 0; i < DP_POLYSUM_BLOCK; i++)
			v[i] = INFINITY;
}

/* A block's steps from t on, up to T; of equals the first, later blocks having been tried. */
static void
try(struct scan *s, uint64_t t, uint64_t T)
{
	uint16_t v[DP_POLYSUM_BLOCK];
	const unsigned enough = dp_buckets_parts_at(s->parts, t, s->best * (1 + SAME), v);
	double most[DP_POLYSUM_BLOCK], x;
	unsigned i;

	if (enough == UINT_MAX)
		return;
	sharpen(s, t, most);
	for (i = DP_POLYSUM_BLOCK; i-- > 0; ) {
		if (v[i] < enough || t + i > T || most[i] < s->best * (1 - 1e-12))
			continue;
		s->computed++;
		if ((x = at(s, t + i)) >= s->best) {
			s->best = x;
			s->worst = t + i;
		}
	}
}

/* The last step there is need to try: what comes after it was there before. */
static uint64_t
last(const struct dp_bucket *b, unsigned n, uint64_t T)
{
	uint64_t period = 1, end = 0;
	unsigned k;

	for (k = 0; k < n && period <= T; k++) {
		period = dp_buckets_period(period, b[k].sum.w);
		end = b[k].lo + b[k].sum.w;
	}
	return k == n && period <= T && end <= T - period ? end + period : T;
}

int
dp_buckets_error(const struct dp_bucket *b, unsigned n, uint64_t T, uint64_t tried,
    struct dp_error *e)
{
	struct scan *s = malloc(sizeof *s);
	struct dp_buckets_parts *parts = NULL;
	const uint64_t end = last(b, n, T < tried ? T : tried);
	double far = 0, each = 0, most;
	uint64_t i;
	unsigned k;

	if (s == NULL)
		return DP_ENOMEM;
	*s = (struct scan){ .b = b, .n = n, .worst = 1 };
	for (k = n; k-- > 0; far += most, each = fmax(each, most)) {
		s->c[k] = unit(&b[k]);
		most = s->c[k] * dp_wsum_most(&b[k].sum);
		s->far[k] = far;
		s->each[k] = each;
	}
	for (; s->ones < n && b[s->ones].sum.w == 1; s->ones++)
		s->start += s->c[s->ones];
	if ((s->parts = parts = dp_buckets_parts_create(b, n, s->c)) != NULL) {
		/* the largest are rather among the last ones, with all buckets */
		for (i = (end - 1) / DP_POLYSUM_BLOCK + 1; i-- > 0; )
			try(s, 1 + i * DP_POLYSUM_BLOCK, end);
		e->mean = dp_buckets_mean(b, n, T);
		e->max = s->best;
		e->worst = s->worst;
	}
	dp_buckets_parts_free(parts);
	dp_buckets_bound_free(s->bound);
	free(s);
	return parts != NULL ? 0 : DP_ENOMEM;
}
