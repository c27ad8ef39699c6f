/*
 * linmap.c - decayed sums under sharp expiry: Bolot et al. 2013, Theorems 8 and 9, one noise value a step.
 *
 * Step t's estimate is sum over d of g(d) x_(t-d) over ALL steps, plus fresh noise.  Only the last W steps are
 * protected.  An event at step i counts w_0, w_1, .. in the outputs of steps i, i+1, ..; while it is protected those
 * of the first W: one unit of l1 moves them by S l1 = (w_0 + .. + w_(W-1)) l1 in L1.
 *
 * map        noise DLap(S l1 / epsilon): all W outputs together cost epsilon (the equal scales of Theorem 8 for rows
 *            that are shifts of each other)
 * map-paper  noise DLap(W w_0 l1 / epsilon): Theorem 9, which must do with the row at hand; never less
 *
 * Exactness.  Weights are integers, w_d = g(d) 2^s rounded; the sensitivity is computed from THEM, so
 * privacy does not depend on g's doubles, and sum + noise is an exact function of noisy integer sums.  Dividing by
 * 2^s (rounded to 10^-decimals, half away from zero) is post-processing.  s = 20, or what less, down to 8,
 * lets the scale fit; without noise 40, or what less, down to 20, keeps the tail short.  An estimate of the real g is off by
 * at most 2^-(s+1) sum |x|.
 *
 * The column holds the N raw values whose weight is above 0 (never pan-private); N <= 2^24, EXP: some
 * (s+1) ln 2 / (1 - alpha), POLY: 2^((s+1)/power).  Step: O(N) time, one draw.
 */
#include <math.h>
#include <stdlib.h>

#include "mech.h"

extern const struct dp_mech_ops dp_map_ops, dp_map_paper_ops;

#define WEIGHTS_MAX	((uint64_t)1 << 24)

struct map {
	struct dp_mech m;
	unsigned shift;			/* s */
	uint64_t n;
	int64_t *w;			/* n weights, > 0; NULL: dry */
	dp_wide scale;			/* 10^decimals */
	struct dp_noise noise;
};

/* Behind it: the last n values, in a ring. */
struct column {
	dp_wide unused;
};

static uint64_t
weight(const struct dp_task *task, uint64_t d, unsigned s)
{
	/* g <= 1 */
	return (uint64_t)llround(ldexp(dp_task_weight(task, d), (int)s));
}

/* How many weights are above 0: g does not increase.  `most` + 1: too many. */
static uint64_t
support(const struct dp_task *task, unsigned s, uint64_t most)
{
	uint64_t lo = 0, hi = most + 1, mid;	/* w_(lo-1) > 0, and w_hi = 0 unless too many */

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (weight(task, mid, s) > 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Sensitivity to one unit, by w_0 .. w_(W-1); 2^63 and more does not fit. */
static int
sensitivity(const struct map *k, const struct dp_task *task, uint64_t W, bool paper, bool exact,
    uint64_t *sum)
{
	uint64_t d, n = W < k->n ? W : k->n;

	*sum = 1;
	if (exact)
		return 0;
	if (paper)	/* w_0 is the largest */
		return __builtin_mul_overflow(W, weight(task, 0, k->shift), sum) ||
		    *sum > INT64_MAX ? DP_ERANGE : 0;
	for (*sum = 0, d = 0; d < n; d++)	/* <= 2^24 weights <= 2^20 */
		*sum += weight(task, d, k->shift);
	return 0;
}

/* Sets shift, n and noise. */
static int
fit(struct map *k, const struct dp_mech_rule *rule, bool paper)
{
	const struct dp_task *task = &rule->task;
	uint64_t W = task->w[0], most = WEIGHTS_MAX, sum;
	unsigned lowest = rule->privacy.exact ? 20 : 8;
	int e = DP_ERANGE;

	if (rule->horizon != 0) {
		W = W < rule->horizon ? W : rule->horizon;
		most = most < rule->horizon ? most : rule->horizon;
	}
	for (k->shift = rule->privacy.exact ? 40 : 20; k->shift >= lowest; k->shift--) {
		k->n = support(task, k->shift, most);
		if (k->n > most && rule->horizon != 0 && most == rule->horizon)
			k->n = most;	/* there are no older values */
		if (k->n > most) {
			if (rule->privacy.exact)
				continue;
			return DP_ERANGE;
		}
		if (k->n == 0)
			return DP_EINVAL;
		if ((e = sensitivity(k, task, W, paper, rule->privacy.exact, &sum)) == 0 &&
		    (e = dp_privacy_laplace(&k->noise, &rule->privacy, dp_q_make(1, sum))) != DP_ERANGE)
			return e;
	}
	return DP_ERANGE;
}

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule, const struct dp_mech_ops *ops)
{
	struct map *k;
	uint64_t d;
	int e;

	if (rule->task.windows != 1 || rule->task.w[0] == 0 || (rule->task.map & DP_TASK_DECAY) == 0)
		return DP_EINVAL;
	if ((k = dp_mech_alloc(ops, sizeof *k, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	e = fit(k, rule, ops == &dp_map_paper_ops);
	if (e == 0 && !rule->privacy.dry) {
		if ((k->w = malloc((size_t)k->n * sizeof *k->w)) == NULL)
			e = DP_ENOMEM;
		for (d = 0; e == 0 && d < k->n; d++)
			k->w[d] = (int64_t)weight(&rule->task, d, k->shift);
	}
	if (e != 0) {
		dp_mech_free(&k->m);
		return e;
	}
	k->m.column = sizeof(struct column) + ((size_t)k->n + 1) / 2 * 2 * sizeof(int64_t);
	k->m.decimals = rule->task.decimals;
	for (k->scale = 1, d = 0; d < rule->task.decimals; d++)
		k->scale *= 10;
	*out = &k->m;
	return 0;
}

static int
own_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create(out, rule, &dp_map_ops);
}

static int
paper_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create(out, rule, &dp_map_paper_ops);
}

static void
destroy(struct dp_mech *m)
{
	free(((struct map *)(void *)m)->w);
}

/* y 10^decimals / 2^s, rounded; the whole part apart, so that nothing overflows. */
static dp_wide
divide(const struct map *k, dp_wide y)
{
	dp_uwide a = y < 0 ? -(dp_uwide)y : (dp_uwide)y, mask = ((dp_uwide)1 << k->shift) - 1;
	dp_uwide scale = (dp_uwide)k->scale, r = (a & mask) * scale + ((dp_uwide)1 << (k->shift - 1));
	dp_wide q = (dp_wide)((a >> k->shift) * scale + (r >> k->shift));

	return y < 0 ? -q : q;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x, dp_wide *est)
{
	const struct map *k = (const void *)m;
	int64_t *raw = (void *)((struct column *)col + 1), z;
	uint64_t p = (t - 1) % k->n, d;
	dp_wide sum = 0;
	int e;

	if ((e = dp_draw(&k->noise, rng, &z)) != 0)
		return e;
	raw[p] = *x;
	/* values before step 1 are 0 */
	for (d = 0; d <= p; d++)
		sum += (dp_wide)k->w[d] * raw[p - d];
	for (; d < k->n && d < t; d++)
		sum += (dp_wide)k->w[d] * raw[p + k->n - d];
	*est = divide(k, sum + z);
	return 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct map *k = (const void *)m;

	(void)out;
	(void)t;
	dp_law_add(l, &k->noise, ldexp(1, -(int)k->shift), 1);
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	(void)T;
	e->max = e->mean = dp_mech_variance(m, 1);
	e->worst = 1;
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	*z = &((const struct map *)(const void *)m)->noise;
	*what = "every estimate";
	return i == 0;
}

static double
unit(const struct dp_mech *m, unsigned i)
{
	(void)i;
	return ldexp(1, -(int)((const struct map *)(const void *)m)->shift);
}

static double
draws(const struct dp_mech *m)
{
	(void)m;
	return 1;
}

const struct dp_mech_ops dp_map_ops = {
	.name = "map",
	.source = "noise on every decayed sum, for the weights of the last W steps (Bolot et al. 2013, Theorem 8)",
	.tasks = DP_TASK_MAP,
	.traits = DP_TRAIT_ENDLESS,
	.create = own_create, .step = step, .law = law, .error = error,
	.family = family, .unit = unit, .draws = draws, .destroy = destroy
};

const struct dp_mech_ops dp_map_paper_ops = {
	.name = "map-paper",
	.source = "noise on every decayed sum, W times the largest weight (Bolot et al. 2013, Theorem 9)",
	.tasks = DP_TASK_MAP,
	.traits = DP_TRAIT_ENDLESS,
	.create = paper_create, .step = step, .law = law, .error = error,
	.family = family, .unit = unit, .draws = draws, .destroy = destroy
};
