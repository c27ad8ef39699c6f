/* SPDX-License-Identifier: ISC */
/* decay.c - EXPONENTIALSUM and POLYNOMIALSUM (Bolot et al. 2013, Algorithms 3 and 4). */
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counter/mech.h"
#include "internal.h"

static int dp_buckets_keep(struct dp_q *share, const struct dp_bucket *, unsigned n,
	    struct dp_numbers *) DP_MUSTUSE;
static void dp_buckets_error(const struct dp_bucket *, unsigned n, uint64_t T, uint64_t tried,
	    struct dp_error *);

/*
 * EXPONENTIALSUM (Bolot, Fawaz, Muthukrishnan, Nikolov, Taft 2013, Algorithm 3) on an
 * integer grid.
 *
 * A binary tree over time; node (u - 2^l, u] is kept if it is its parent's left half, and releases
 * sum x_i w(u - i) + noise when it closes, w(d) = round(alpha^d 2^s) integers.  Exactly one
 * node closes a step: at step u the one of level ctz(u).  The estimate after step t is
 *	2^-s sum over the set bits b of t of alpha^(t mod 2^b) node_b,	node_b the last of level b.
 *
 * Sensitivity.  Step i lies in the kept nodes of the levels l where i - 1 has a zero bit, at the
 * lag u - i = (the zero bits of i - 1 below l, as a number) >= 2^m - 1 for the m-th such l (m = 0,
 * 1, ..).  w does not increase, so the weights of one step sum to at most S = sum over m of
 * w(2^m - 1), which step 1 attains.  The paper has share 1/lambda a unit of weight, lambda
 *	(ln(2 alpha/(1 - alpha)) + 1/2 + ln 2) / (alpha ln 2),
 * 1.3 to 3.3 times the exact S for alpha >= 1/2, but below it, so not private, for alpha < .1455,
 * which is refused.  Two more repairs: the root counts as a left node; the estimate decays node_b
 * by t mod 2^b (the paper's index is one node off).
 *
 * Accuracy.  Rounded weights: a bias of at most 2^-(s+1) of every value, sum |x| over the s ln 2/(1
 * - alpha) last steps, and older ones are 0: 2^-(s+1)/(1 - alpha).  s = 20, less (>= 8) if the
 * scale would not fit; 33 to 40 at epsilon = inf.
 * Variance: V(2^s lambda l1/epsilon) 4^-s sum over the set bits of alpha^(2 (t mod 2^b)).
 *
 * Exact sums of open nodes are kept: not pan-private.  Cost: one draw, at most lg(lags) + 2 updates
 * a step.
 */

#define LEVELS	62
#define ONE	63		/* factors are in units of 2^-63 */

struct expsum {
	struct dp_mech m;
	unsigned s;
	uint64_t factor[LEVELS];	/* alpha^(2^b), rounded down */
	long double power[LEVELS];	/* alpha^(2^b) */
	struct dp_noise noise;
};

struct column {
	dp_wide open[LEVELS], closed[LEVELS];
};

/*
 * w(d) from f = alpha^d in units of 2^-63, the product of the factors of d's bits, lowest first,
 * each product rounded down.  It does not increase: f is off by at most 3 units a factor, under
 * 2^8; where w(d + 1) > 0, alpha^(d+1) >= 2^-(s+1) - 2^-55, so alpha^d - alpha^(d+1) > 2^-(s+2) (1
 * - alpha) >= 2^9 units for 1 - alpha >= 2^-30 and s <= 20: larger than both errors.
 */
static inline int64_t
weight_expsum(const struct expsum *k, uint64_t f)
{
	return (int64_t)((f + ((uint64_t)1 << (ONE - 1 - k->s))) >> (ONE - k->s));
}

static inline uint64_t
times(uint64_t f, uint64_t factor)
{
	return (uint64_t)((dp_uwide)f * factor >> ONE);
}

/* S, from all lags 2^m - 1. */
static uint64_t
sensitivity_expsum(const struct expsum *k)
{
	uint64_t f = (uint64_t)1 << ONE, sum = 0;
	unsigned m;

	for (m = 0; m < LEVELS && weight_expsum(k, f) > 0; m++) {
		sum += (uint64_t)weight_expsum(k, f);
		f = times(f, k->factor[m]);
	}
	return sum;
}

/* The paper's lambda on the grid; 0 where the paper is not private. */
static uint64_t
paper(const struct expsum *k, double alpha)
{
	double lambda = (log(2 * alpha / (1 - alpha)) + .5 + log(2)) / (alpha * log(2));
	uint64_t sum;

	if (!(lambda > 0))
		return 0;
	sum = (uint64_t)ceil(ldexp(lambda, (int)k->s));
	return sum < sensitivity_expsum(k) ? 0 : sum;
}

static int
set_noise_expsum(struct expsum *k, const struct dp_mech_rule *rule, const struct dp_privacy *p)
{
	uint64_t sum = paper(k, rule->task.alpha);

	if (sum == 0)
		return DP_EINVAL;
	/* w(0) = 2^s */
	return dp_privacy_laplace_weights(&k->noise, p, sum, (uint64_t)1 << k->s);
}

static int
choose_grid(struct expsum *k, const struct dp_mech_rule *rule)
{
	struct dp_privacy trial = rule->privacy;
	int e;

	trial.dry = true;
	trial.numbers = NULL;
	if (rule->privacy.exact) {
		/* values below 2^63, weights 2^s, at most 2^lags of them: sums stay below 2^126 */
		k->s = 63 - (unsigned)ceil(-log2(1 - rule->task.alpha));
		if (k->s > 40)
			k->s = 40;
		return set_noise_expsum(k, rule, &rule->privacy);
	}
	for (k->s = 20; (e = set_noise_expsum(k, rule, &trial)) == DP_ERANGE && k->s > 8; k->s--)
		;
	if (e != 0)
		return e;
	k->s = (unsigned)dp_numbers_int(rule->privacy.numbers, "fraction", k->s, 8, 20);
	return set_noise_expsum(k, rule, &rule->privacy);
}

/*
 * In units of 2^-127, rounded down; below 1.  Not by powl: that of musl has 53 bits on arm64, and
 * weights of such factors may increase.
 */
static dp_uwide
square(dp_uwide p)
{
	const uint64_t h = (uint64_t)(p >> 64), l = (uint64_t)p;

	return 2 * ((dp_uwide)h * h) + (((dp_uwide)h * l + ((dp_uwide)l * l >> 65)) >> 62);
}

static int
expsum_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	double alpha = rule->task.alpha;
	struct expsum *k;
	dp_uwide p;
	unsigned b;
	int e;

	if (!(alpha > 0 && alpha < 1) || rule->horizon >= (uint64_t)1 << LEVELS ||
	    rule->task.decimals > DP_SCALED_DECIMALS)
		return DP_EINVAL;
	if (1 - alpha < 0x1p-30 || LDBL_MANT_DIG < 64)	/* factors would have fewer bits */
		return DP_ERANGE;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon, sizeof(struct column));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->m.estimate.decimals = rule->task.decimals;
	p = (dp_uwide)ldexp(alpha, 63) << 64;
	for (b = 0; b < LEVELS; b++, p = square(p)) {
		k->power[b] = dp_numbers_long(rule->privacy.numbers, "power",
		    ldexpl((long double)p, -127));
		k->factor[b] = (uint64_t)ldexpl(k->power[b], ONE);
	}
	if ((e = choose_grid(k, rule)) != 0)
		return e;
	k->m.drawn.noise = &k->noise;
	k->m.drawn.numbers = "every left interval of the binary tree";
	k->m.drawn.unit = ldexp(1, -(int)k->s);
	return 0;
}

/* x into the kept nodes that hold step t: at the zero bits of t - 1, the lag the zeros below. */
static void
absorb(const struct expsum *k, struct column *c, uint64_t t, int64_t x)
{
	uint64_t zeros = ~(t - 1) & (((uint64_t)1 << LEVELS) - 1), f = (uint64_t)1 << ONE;
	unsigned l;
	int64_t w;

	for (; zeros != 0 && (w = weight_expsum(k, f)) > 0; zeros &= zeros - 1) {
		l = (unsigned)__builtin_ctzll(zeros);
		c->open[l] += (dp_wide)x * w;
		f = times(f, k->factor[l]);
	}
}

static int
expsum_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct expsum *k = (const void *)m;
	struct column *c = col;
	unsigned b = (unsigned)__builtin_ctzll(t);
	long double v = 0;
	uint64_t n;
	int64_t z;
	int e;

	if ((e = dp_draw(&k->noise, rng, &z)) != 0)
		return e;
	absorb(k, c, t, *x);
	c->closed[b] = c->open[b] + z;
	c->open[b] = 0;
	/* from the oldest node on: v alpha^(2^b) + node_b; private values only */
	for (n = t; n != 0; n ^= (uint64_t)1 << b) {
		b = 63 - (unsigned)__builtin_clzll(n);
		v = v * k->power[b] + (long double)c->closed[b];
	}
	*est = dp_scaled_real(ldexpl(v, -(int)k->s), m->estimate.decimals);
	return 0;
}

static void
law_expsum(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct expsum *k = (const void *)m;
	long double f = ldexpl(1, -(int)k->s);
	unsigned b;

	(void)out;
	for (; t != 0; t &= t - 1) {
		b = (unsigned)__builtin_ctzll(t);
		dp_law_add(l, &k->noise, (double)f, 1);
		f *= k->power[b];
	}
}

/*
 * With f(t) = sum over the set bits b of t of r^(t mod 2^b), r = alpha^2: f(2^b + m) = f(m) + r^m
 * for m < 2^b.  So F(n) = f(0) + .. + f(n-1) has F(2^b + m) = F(2^b) + F(m) + (1 - r^m)/(1 - r).
 * Among t with n bits set, 2^n - 1 has the largest f (every bit as low as can be), and f(2^n - 1)
 * increases.
 */
static void
expsum_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct expsum *k = (const void *)m;
	double log_r = 2 * log((double)k->power[0]), half = 0, sum = 0;
	uint64_t n = T + 1;
	unsigned b;

	/* the lowest bit first: F(2^b + the bits below) */
	for (b = 0; b < 63 && n >> b != 0; b++) {
		if (n >> b & 1)
			sum += half +
			    expm1((double)(n & (((uint64_t)1 << b) - 1)) * log_r) / expm1(log_r);
		half = 2 * half + expm1(ldexp(log_r, (int)b)) / expm1(log_r);
	}
	e->worst = ((uint64_t)1 << (63 - __builtin_clzll(n))) - 1;
	e->max = dp_mech_variance(m, e->worst);
	e->mean = sum / (double)T * ldexp(dp_noise_variance(&k->noise), -2 * (int)k->s);
}

static int
expsum_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct expsum *k = (const void *)m;

	return dp_certificate_laplace(b, &k->noise, sensitivity_expsum(k));
}

const struct dp_mech_ops dp_expsum_paper_ops = {
	.name = "expsum-paper",
	.say.source = "EXPONENTIALSUM with the paper's lambda, alpha > .1455 "
	    "(Bolot et al. 2013, Algorithm 3)",
	.tasks = DP_TASK_EXP,
	.traits = DP_TRAIT_ENDLESS,
	.create = expsum_create, .step = expsum_step, .law.at = law_expsum, .error = expsum_error,
	    .drawn.certify = expsum_certify
};

/*
 * POLYNOMIALSUM (Bolot, Fawaz, Muthukrishnan, Nikolov, Taft 2013, Algorithm 4), for any
 * non-increasing g.
 *
 * The lags are cut into buckets of nearly equal weight (internal.h); bucket k is a WINDOWSUM of W_k
 * steps (internal.h) of the values lo_k steps ago, with noise DLap(b_k) on its unscaled integer
 * sums;
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
set_noise_polysum(struct polysum *p, const struct dp_mech_rule *rule)
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
polysum_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
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
	return set_noise_polysum(p, rule);
}

static void
polysum_destroy(struct dp_mech *m)
{
	free(((struct polysum *)(void *)m)->b);
}

static int
polysum_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
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
law_polysum(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct polysum *p = (const void *)m;
	unsigned k;

	(void)out;
	for (k = 0; k < p->n && p->b[k].lo < t; k++)
		dp_law_add(l, &p->b[k].noise, p->b[k].weight,
		    dp_wsum_terms(&p->b[k].sum, t - p->b[k].lo));
}

static void
paper_polysum_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct polysum *p = (const void *)m;

	dp_buckets_error(p->b, p->n, T, TRIED, e);
}

static bool
polysum_family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct polysum *p = (const void *)m;

	*z = &p->b[i == 0 ? 0 : p->n - 1].noise;
	*what = i == 0 ? "every interval of the first bucket of lags" :
	    "every interval of the last bucket of lags";
	return i == 0 || (i == 1 && p->n > 1);
}

/* Of a bucket: all intervals of a block of W, over W, once its first lag is behind. */
static double
draws_polysum(const struct dp_mech *m)
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
polysum_certify(const struct dp_mech *m, struct dp_buf *b)
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
	.create = polysum_create, .step = polysum_step, .law.at = law_polysum, .error =
	    paper_polysum_error,
	.drawn.family = polysum_family, .drawn.number = draws_polysum, .destroy = polysum_destroy,
	    .drawn.certify = polysum_certify
};

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

/* The shares pass through numbers; DP_EINVAL: those that come sum to more than 1. */
static int
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

/*
 * Predicted variance: sum over the buckets k of w_k^2 V_k m_k(t - lo_k), m_k the
 * terms of the cover at its step.
 */

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

/*
 * Variance over t = 1..T: the mean, and the largest; beyond `tried' steps a bound of it, and then
 * exact is false.  At most tried n additions.
 */
static void
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
