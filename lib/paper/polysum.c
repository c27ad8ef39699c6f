/*
 * polysum.c - POLYNOMIALSUM (Bolot, Fawaz, Muthukrishnan, Nikolov, Taft 2013, Algorithm 4), for any
 * non-increasing g.
 *
 * The lags are cut into buckets of nearly equal weight (polysum.h); bucket k is a WINDOWSUM of W_k
 * steps (wsum.h) of the values lo_k steps ago, with noise DLap(b_k) on its unscaled integer sums;
 * the estimate is sum of w_k F^_k.  Multiplicative bias: (1-beta) F <= F' <= F for x >= 0.
 *
 * Privacy.  A step lies in exactly h_k + 1 intervals of every bucket k that it reaches, so it costs
 * sum of (h_k + 1)/b_k <= epsilon: in shares, sum of (h_k + 1) share_k <= 1, checked in integers.
 *
 * The noise is b_k = Delta/(epsilon w_k).  What differs from print: buckets begin one lag later, so
 * that the bias is as claimed; Delta is the exact sensitivity, where the paper's lambda,
 * log(1/(1-beta))/(c beta^2) + 1/beta, is 2 to 16 times as large.  In print every node has the same
 * noise, and the accuracy proof (Theorem 6) multiplies it by (1-beta)^j.  Both cannot hold:
 * unscaled noise on weighted sums, which is this, makes an error that grows like lg T; noise scaled
 * down by (1-beta)^j is not private.
 *
 * POLY needs a horizon: all lags below T.  TABLE: the ng weights, or T of them.  Memory is 3 words
 * a lag, and lags that would need more than 256 MiB a column are refused.  The delayed values are
 * kept as they are: not pan-private.
 */
#include <math.h>
#include <stdlib.h>

#include "polysum.h"
#include "mech/certificate.h"
#include "mech/decimals.h"

#define COLUMN_MAX	((uint64_t)256 << 20)
#define TRIED	((uint64_t)1 << 13)	/* steps tried for the largest variance */

struct polysum {
	struct dp_mech m;
	unsigned n;
	struct dp_bucket *b;
	uint64_t lags;		/* all buckets' */
	size_t ring;		/* index of the last lags + 1 values in the column, in words */
};

/* The column: n exact window sums (dp_wide), the last lags + 1 values, each bucket's state. */

static int
lay_out(struct polysum *p)
{
	const struct dp_bucket *last = &p->b[p->n - 1];
	uint64_t words;
	unsigned k;

	p->lags = last->lo + last->sum.w;
	p->ring = 2 * (size_t)p->n;
	words = p->ring + p->lags + 1;
	for (k = 0; k < p->n; k++) {
		p->b[k].state = words;
		words += dp_wsum_words(&p->b[k].sum);
	}
	words += words & 1;
	if (words > COLUMN_MAX / 8)
		return DP_ERANGE;
	p->m.column = words * 8;
	return 0;
}

static int
set_noise(struct polysum *p, const struct dp_mech_rule *rule)
{
	struct dp_q share[DP_POLYSUM_MAX];
	double least = (double)rule->privacy.l1 / dp_q_double(rule->privacy.epsilon) * 0x1p-39;
	unsigned k;
	int e;

	/* a bucket of next to no weight wants noise beyond the largest scale, 2^40: half will do */
	e = dp_buckets_share(share, p->b, p->n, rule->privacy.exact ? 0x1p-39 : least);
	if (e == 0)
		e = dp_buckets_keep(share, p->b, p->n, rule->privacy.numbers);
	for (k = 0; k < p->n && e == 0; k++)
		e = dp_privacy_laplace(&p->b[k].noise, &rule->privacy, share[k]);
	return e;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_task *k = &rule->task;
	uint64_t lags = rule->horizon;
	struct polysum *p;
	int e;

	if (k->what == DP_TASK_TABLE && (lags == 0 || lags > k->ng))
		lags = k->ng;
	if (lags == 0 || k->decimals > DP_SCALED_DECIMALS)
		return DP_EINVAL;
	if (lags > COLUMN_MAX / 8)
		return DP_ERANGE;
	if ((p = dp_mech_alloc(ops, sizeof *p, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &p->m;
	p->m.estimate.decimals = k->decimals;
	if ((e = dp_buckets_make(&p->b, &p->n, k, lags, rule->privacy.numbers)) != 0 ||
	    (e = lay_out(p)) != 0)
		return e;
	return set_noise(p, rule);
}

static void
destroy(struct dp_mech *m)
{
	free(((struct polysum *)(void *)m)->b);
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct polysum *p = (const void *)m;
	const struct dp_bucket *b;
	dp_wide *sum = col, noisy;
	int64_t *word = col, *ring = word + p->ring, in = *x, out;
	uint64_t size = p->lags + 1, at = (t - 1) % size, end;
	long double v = 0;
	unsigned k;
	int e;

	ring[at] = *x;
	for (k = 0; k < p->n && (b = &p->b[k])->lo < t; k++, in = out) {
		/* in: the value lo steps ago; out: the one lo + W ago, which goes in next */
		end = b->lo + b->sum.w;
		out = end < t ? ring[at >= end ? at - end : at + size - end] : 0;
		noisy = sum[k] += (dp_wide)in - out;
		e = dp_wsum_step(&b->sum, word + b->state, &b->noise, rng, t - b->lo, &noisy);
		if (e != 0)
			return e;
		v += (long double)b->weight * (long double)noisy;	/* private already */
	}
	*est = dp_scaled_real(v, m->estimate.decimals);
	return 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct polysum *p = (const void *)m;
	unsigned k;

	(void)out;
	for (k = 0; k < p->n && p->b[k].lo < t; k++)
		dp_law_add(l, &p->b[k].noise, p->b[k].weight,
		    dp_wsum_terms(&p->b[k].sum, t - p->b[k].lo));
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct polysum *p = (const void *)m;

	dp_buckets_error(p->b, p->n, T, TRIED, e);
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct polysum *p = (const void *)m;

	*z = &p->b[i == 0 ? 0 : p->n - 1].noise;
	*what = i == 0 ? "every interval of the first bucket of lags" :
	    "every interval of the last bucket of lags";
	return i == 0 || (i == 1 && p->n > 1);
}

/* Of a bucket: all intervals of a block of W, over W, once its first lag is behind. */
static double
draws(const struct dp_mech *m)
{
	const struct polysum *p = (const void *)m;
	const double T = m->horizon == 0 ? INFINITY : (double)m->horizon;
	double sum = 0, nodes;
	unsigned k, l;

	for (k = 0; k < p->n; k++) {
		for (nodes = 1, l = 0; l < p->b[k].sum.h; l++)
			nodes += (double)(p->b[k].sum.w >> l);
		sum += nodes / (double)p->b[k].sum.w * fmax(0, 1 - (double)p->b[k].lo / T);
	}
	return sum;
}

static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct polysum *p = (const void *)m;
	unsigned k;
	int e = 0;

	for (k = 0; k < p->n && e == 0; k++)
		e = dp_certificate_laplace(b, &p->b[k].noise, p->b[k].sum.h + 1);
	return e;
}

const struct dp_mech_ops dp_polysum_paper_ops = {
	.name = "paper",
	.say.source = "POLYNOMIALSUM, equal noise, repaired; for x >= 0 up to a factor beta too "
	    "low (Bolot et al. 2013, Algorithm 4)",
	.tasks = DP_TASK_POLY | DP_TASK_TABLE,
	.traits = DP_TRAIT_ENDLESS,
	.create = create, .step = step, .law.at = law, .error = error,
	.drawn.family = family, .drawn.number = draws, .destroy = destroy, .drawn.certify = certify
};
