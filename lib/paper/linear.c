/* SPDX-License-Identifier: ISC */
/*
 * linear.c - decayed sums with fresh noise on every one of them: Bolot et al. 2013, section 3
 * (Table 1) and, under sharp expiry, Theorems 8 and 9.
 *
 * Step t's estimate is 2^-s (sum over d of w_d x_(t-d) + noise), w_d = g(d) 2^s rounded.  A step's
 * value enters the estimates of steps i, i + 1, .. with weights w_0, w_1, ..; those of the first W
 * are made while it is protected (for ever: of all, below T if T is known).  So one unit of l1
 * moves them by w_0 + .. + w_(W-1) in L1, S or less, and noise DLap(S l1 / epsilon) is epsilon-DP:
 * share 1/S a unit of weight.
 *
 * output     W without end, S = w_0 + w_1 + ..: the rival that is never best
 * map-paper  the last W steps, S = W w_0: Theorem 9, which must do with the row at hand
 *
 * Exactness.  Weights are integers and S is the sum of THEM, so privacy does not depend on g's
 * doubles, and sum + noise is an exact function of noisy integer sums.  Dividing by 2^s is
 * post-processing.  s falls from where it starts (struct recipe) until the scale fits.  An estimate
 * of the real g is off by at most 2^-(s+1) sum |x| over the lags kept, and by the older values' g.
 * (alpha^d cannot be summed by a recursion here: rounded powers are no powers.)
 *
 * The column holds the N raw values whose weight is above 0 (never pan-private); EXP: some
 * (s+1) ln 2 / (1 - alpha), POLY: 2^((s+1)/power), never more than T.  Step: O(N) time, one draw.
 */
#include <math.h>
#include <stdlib.h>

#include "counter/mech.h"

extern const struct dp_mech_ops dp_map_paper_ops;

struct recipe {
	uint64_t lags;			/* more of them are refused */
	unsigned s, s_least;
	unsigned exact, exact_least;	/* the same without noise */
	bool paper;
	bool up;	/* half a unit: a weight to even, an estimate up; else away from 0 */
};

static const struct recipe paper = { .lags = (uint64_t)1 << 24, .s = 20, .s_least = 8,
    .exact = 40, .exact_least = 20, .paper = true };
static const struct recipe output = { .lags = 1 << 20, .s = 30, .s_least = 8, .exact = 40,
    .exact_least = 40, .up = true };

struct linear {
	struct dp_mech m;
	const struct recipe *recipe;
	unsigned s;
	uint64_t n, sum;		/* sum: S, when the noise is set */
	int64_t *w;			/* n weights, > 0; NULL: dry */
	struct dp_noise noise;
};

static uint64_t
weight_each(const struct linear *k, const struct dp_task *task, uint64_t d)
{
	double w = ldexp(dp_task_weight(task, d), (int)k->s);	/* g <= 1 */

	return (uint64_t)(k->recipe->up ? llrint(w) : llround(w));
}

#define RUN	256

/* w_d .. w_(d + n - 1), n <= RUN; their sum. */
static uint64_t
run(const struct linear *k, const struct dp_task *task, uint64_t d, unsigned n, int64_t *w)
{
	double g[RUN], v, rest;
	uint64_t sum = 0;
	unsigned i;

	dp_task_weights(task, d, n, g);
	for (i = 0; i < n; i++) {
		v = g[i] * (double)((uint64_t)1 << k->s) + 0.5;
		w[i] = (int64_t)v;
		rest = v - (double)w[i];
		if (fmin(rest, 1 - rest) < v * 0x1p-44)		/* too near to a half */
			w[i] = (int64_t)weight_each(k, task, d + i);
		sum += (uint64_t)w[i];
	}
	return sum;
}

/* Number of weights above 0 of a non-increasing g. `most` + 1: too many. */
static uint64_t
support(const struct linear *k, const struct dp_task *task, uint64_t most)
{
	uint64_t lo = 0, hi = most + 1, mid;	/* w_(lo-1) > 0, and w_hi = 0 unless too many */

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (weight_each(k, task, mid) > 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* S for W protected steps; 2^63 and more does not fit. */
static int
sensitivity_each(const struct linear *k, const struct dp_task *task, uint64_t W, uint64_t *sum)
{
	uint64_t d, n = W < k->n ? W : k->n;
	int64_t w[RUN];

	if (k->recipe->paper)	/* w_0 is the largest */
		return __builtin_mul_overflow(W, weight_each(k, task, 0), sum) || *sum > INT64_MAX ?
		    DP_ERANGE : 0;
	for (*sum = 0, d = 0; d < n; d += RUN)	/* <= 2^24 weights <= 2^30 */
		*sum += run(k, task, d, n - d < RUN ? (unsigned)(n - d) : RUN, w);
	return 0;
}

/* The noise at this s; DP_ERANGE: a coarser one may do. */
static int
set_noise_each(struct linear *k, const struct dp_mech_rule *rule, const struct dp_privacy *p,
    uint64_t W)
{
	int e;

	k->sum = 1;
	e = p->exact ? 0 : sensitivity_each(k, &rule->task, W, &k->sum);
	return e != 0 ? e : dp_privacy_laplace_weights(&k->noise, p, k->sum,
	    weight_each(k, &rule->task, 0));
}

/* True: even a sum of at most S is too large; there may be none. */
static bool
too_large(struct linear *k, const struct dp_privacy *p, uint64_t S)
{
	const uint64_t first = (uint64_t)1 << k->s;

	return S > first && dp_privacy_laplace_weights(&k->noise, p, S, first) == DP_ERANGE;
}

/* Finds s and n, at most `most` lags and W of them protected. */
static int
search(struct linear *k, const struct dp_mech_rule *rule, uint64_t W, uint64_t most)
{
	const bool exact = rule->privacy.exact;
	const struct recipe *r = k->recipe;
	const unsigned least = exact ? r->exact_least : r->s_least;
	struct dp_privacy trial = rule->privacy;
	uint64_t lags = 0, S = 0;
	int e = DP_ERANGE;

	trial.dry = true;
	trial.numbers = NULL;
	for (k->s = exact ? r->exact : r->s; ; k->s--) {
		k->n = support(k, &rule->task, most);
		if (k->n > most && most == rule->horizon)
			k->n = most;
		/* at s - 1 a weight is at least half of what it was at s, less 1 */
		S = S / 2 > lags ? S / 2 - lags : 0;
		if (k->n > most && !exact)
			return DP_ERANGE;
		if (k->n <= most && !too_large(k, &trial, S)) {
			e = set_noise_each(k, rule, &trial, W);
			S = r->paper ? 0 : k->sum;
			lags = k->n;
		}
		if (e != DP_ERANGE || k->s == least)
			return e;
	}
}

/* Sets s, n and noise. */
static int
fit(struct linear *k, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	uint64_t W = rule->task.what == DP_TASK_MAP ? rule->task.w[0] : UINT64_MAX;
	uint64_t most = k->recipe->lags;
	int e;

	if (rule->horizon != 0) {	/* there are no older values */
		W = W < rule->horizon ? W : rule->horizon;
		most = most < rule->horizon ? most : rule->horizon;
	}
	if (!dp_numbers_replays(numbers) && (e = search(k, rule, W, most)) != 0)
		return e;
	k->s = (unsigned)dp_numbers_int(numbers, "fraction", k->s, 8, 40);
	k->n = dp_numbers_int(numbers, "lags", k->n, 1, most);
	return set_noise_each(k, rule, &rule->privacy, W);
}

static int
each_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_task *task = &rule->task;
	struct linear *k;
	uint64_t d;
	int e;

	if (task->decimals > DP_SCALED_DECIMALS || dp_task_weight(task, 0) != 1 ||
	    (task->what == DP_TASK_MAP && (task->windows != 1 || task->w[0] == 0)))
		return DP_EINVAL;
	if ((k = dp_mech_alloc(ops, sizeof *k, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->recipe = ops == &dp_map_paper_ops ? &paper : &output;
	e = fit(k, rule);
	if (e == 0 && !rule->privacy.dry) {
		if ((k->w = malloc((size_t)k->n * sizeof *k->w)) == NULL)
			e = DP_ENOMEM;
		for (d = 0; e == 0 && d < k->n; d += RUN)
			(void)run(k, task, d, k->n - d < RUN ? (unsigned)(k->n - d) : RUN,
			    &k->w[d]);
		if (e == 0)
			dp_numbers_same_bytes(rule->privacy.numbers, "weights", k->w,
			    (size_t)k->n * sizeof *k->w);
	}
	if (e != 0)
		return e;
	/* a multiple of 16: columns stand in a row */
	k->m.column = ((size_t)k->n + 1) / 2 * 2 * sizeof(int64_t);
	k->m.estimate.decimals = task->decimals;
	k->m.drawn.noise = &k->noise;
	k->m.drawn.numbers = "every estimate";
	k->m.drawn.unit = ldexp(1, -(int)k->s);
	return 0;
}

static void
each_destroy(struct dp_mech *m)
{
	free(((struct linear *)(void *)m)->w);
}

static int
each_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct linear *k = (const void *)m;
	int64_t *raw = col, z;
	uint64_t p = (t - 1) % k->n, d;
	dp_wide sum;
	int e;

	if ((e = dp_draw(&k->noise, rng, &z)) != 0)
		return e;
	raw[p] = *x;
	sum = z;
	for (d = 0; d <= p; d++)
		sum += (dp_wide)k->w[d] * raw[p - d];
	for (; d < k->n && d < t; d++)		/* values before step 1 are 0 */
		sum += (dp_wide)k->w[d] * raw[p + k->n - d];
	*est = k->recipe->up ? dp_scaled_grid(sum, k->s, m->estimate.decimals) :
	    dp_scaled_away(sum, k->s, m->estimate.decimals);
	return 0;
}

static void
law_each(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)out;
	(void)t;
	dp_law_add(l, m->drawn.noise, m->drawn.unit, 1);
}

/* S, of the weights that it is used with. */
static int
each_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct linear *k = (const void *)m;

	return dp_certificate_laplace(b, m->drawn.noise, k->sum);
}

#define COMMON \
	.create = each_create, .traits = DP_TRAIT_ENDLESS, \
	.step = each_step, .law.at = law_each, .error = dp_mech_error_constant, .destroy = \
	    each_destroy, \
	.drawn.certify = each_certify

const struct dp_mech_ops dp_map_paper_ops = {
	.name = "map-paper",
	.say.source = "noise on every decayed sum, W times the largest weight "
	    "(Bolot et al. 2013, Theorem 9)",
	.tasks = DP_TASK_MAP,
	COMMON
};

const struct dp_mech_ops dp_decayed_output_ops = {
	.name = "output",
	.say.source = "noise on every estimate, for the sum of all weights "
	    "(Bolot et al. 2013, Table 1)",
	.tasks = DP_TASK_EXP | DP_TASK_POLY | DP_TASK_TABLE,
	COMMON
};
