/* top_window.c - counts of the last W steps of names that nobody declared (top.h, WINDOW). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mech/certificate.h"
#include "normtree/certificate.h"
#include "normtree/late.h"
#include "normtree/passage.h"
#include "top_own.h"

#define RARE	1e-9		/* of f: what is left out of its sum, by W steps */
#define LEAST	2e-12		/* times W: what passage.h does not tell from less */

struct column {
	int64_t declared;
	int64_t last;			/* the last step with an event; 0: none */
	int64_t sum;			/* of what the ring holds */
	int64_t y[];			/* W: a ring of steps; then int32_t's, the tree's */
};

static uint64_t
steps_of(const struct dp_top *k)
{
	return (uint64_t)1 << k->tree->h;
}

static int32_t *
wait_of(const struct dp_top *k, void *col)
{
	return (void *)(((struct column *)col)->y + k->W);
}

/* Of step i + 1; words of a forged column may wrap. */
static void
put(const struct dp_top *k, struct column *c, uint64_t i, int64_t y)
{
	int64_t *at = c->y + i % k->W;

	c->sum = (int64_t)((uint64_t)c->sum + (uint64_t)y - (uint64_t)*at);
	*at = y;
}

static int
least(const struct dp_top *k, uint64_t W, double f, unsigned n, unsigned *x, double *tail)
{
	double *all = malloc(n * sizeof *all);
	int e = all == NULL ? DP_ENOMEM : dp_normtree_passage_windows(k->tree, W,
	    f * RARE / (double)W, n, all);

	if (e == 0) {
		for (*x = 1; *x <= n && !(all[*x - 1] <= f); ++*x)
			;
		*tail = *x <= n ? all[*x - 1] : 1;
	}
	free(all);
	return e;
}

static double
work_of(const struct dp_top *k)
{
	const double reach = fmax(k->tree->A, 16 + DP_TOP_DEEP * sqrt(dp_normtree_variance(k->tree,
	    &k->window, 0, k->W)));

	return (double)steps_of(k) * reach * reach * reach;
}

/* A row of trees, and its threshold. */
static int
plant(struct dp_top *k, const struct dp_mech_rule *rule, double *f)
{
	struct dp_normtree_shape shape = { 0 };
	int e;

	dp_normtree_stream(&shape, &k->window, 0, dp_privacy_rate(&rule->privacy));
	if ((e = dp_normtree_create(&k->tree, &shape, &rule->privacy)) != 0)
		return e;
	k->tree->row = true;
	if (rule->privacy.exact)
		return 0;
	*f = dp_top_allowed(k, rule);
	if (k->tree->fine > 0 || k->tree->unit != 1 || *f < LEAST * (double)k->W)
		return DP_ERANGE;
	if (dp_top_replays(rule))
		return 0;
	if (work_of(k) > 4 * DP_TOP_LONG)
		return DP_ERANGE;
	if (rule->privacy.dry)
		return 0;
	return dp_top_find(k, least, k->W, sqrt(dp_normtree_variance(k->tree, &k->window, 0,
	    k->W)), *f);
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_top *k;
	double f = 0;
	int e;

	if (rule->task.windows != 1 || rule->task.w[0] < 2)
		return DP_EINVAL;
	if ((e = dp_top_begin(out, &k, ops, rule, 0)) != 0)
		return e;
	k->W = rule->task.w[0];
	k->window = (struct dp_task){ .what = DP_TASK_WINDOW, .windows = 1, .w = { k->W } };
	dp_numbers_same(rule->privacy.numbers, "window", k->W);
	if ((e = plant(k, rule, &f)) != 0)
		return e;
	dp_top_keep(k, rule, f);
	k->m.column = sizeof(struct column) + (k->W + (k->tree->h + 1) / 2) * sizeof(int64_t);
	k->m.drawn.distribution = DP_NORMTREE_NOISE;
	return 0;
}

/* Sum over earlier steps in the first windows that have step i + 1. */
static int
late(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t i, bool declared)
{
	const struct dp_top *k = dp_top(m);
	const uint64_t L = steps_of(k), from = i + 1 > k->W ? i + 1 - k->W : 0;
	struct column *c = col;
	int32_t *const wait[] = { wait_of(k, col) };
	int64_t w;
	uint64_t j;
	int e = 0;

	c->declared = declared;
	if (from % L != 0)
		e = dp_normtree_late(k->tree, wait[0], rng, from % L, &w);
	for (j = from; j < i && e == 0; j++)
		if ((e = dp_normtree_late_steps(k->tree, wait, rng, j % L, 1, &w)) == 0)
			put(k, c, j, w);
	return e;
}

static int
abreast(const struct dp_mech *m, void *const *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est, unsigned n)
{
	const struct dp_top *k = dp_top(m);
	int32_t *wait[DP_FILL] = { NULL };
	int64_t w[DP_FILL];
	struct column *c;
	unsigned i;
	bool had;
	int e;

	for (i = 0; i < n; i++)
		wait[i] = wait_of(k, col[i]);
	if ((e = dp_normtree_late_steps(k->tree, wait, rng, (t - 1) % steps_of(k), n, w)) != 0)
		return e;
	for (i = 0; i < n; i++) {
		c = col[i];
		c->last = x[i] != 0 ? (int64_t)t : c->last;
		put(k, c, t - 1, x[i] + w[i]);
		had = c->last != 0 && t - (uint64_t)c->last < k->W;
		est[i] = c->declared || (had && c->sum >= k->plan.tau) ? c->sum : DP_NONE;
	}
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	return abreast(m, &col, rng, t, x, est, 1);
}

/* Noise of steps that windows from step t + 1 on have is of trees that no window shown has. */
static bool
gone(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct dp_top *k = dp_top(m);
	const struct column *c = col;
	const uint64_t from = t + 1 > k->W ? t + 1 - k->W : 0, L = steps_of(k);

	return (uint64_t)c->last + k->W - 1 <= from - from % L;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	dp_normtree_law(dp_top(m)->tree, &dp_top(m)->window, out, t, l);
}

static uint64_t
cycle(const struct dp_mech *m, unsigned out, uint64_t *from)
{
	(void)out;
	*from = dp_top(m)->W;
	return steps_of(dp_top(m));
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_normtree_error(dp_top(m)->tree, &dp_top(m)->window, 0, T, e);
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;
	const int32_t *wait = (const void *)(c->y + dp_top(m)->W);

	return (c->declared | 1) == 1 && c->last >= 0 && (uint64_t)c->last <= t &&
	    dp_normtree_late_valid(dp_top(m)->tree, wait);
}

static bool
unfit(const struct dp_mech_rule *rule, char *text, size_t size)
{
	(void)rule;
	snprintf(text, size, "has no known threshold: epsilon an event must be larger, or the "
	    "window of fewer steps, such as wider buckets");
	return true;
}

static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_top *k = dp_top(m);
	const int e = dp_normtree_certify(k->tree, b);

	return e != 0 || k->tree->exact ? e : dp_certificate_window(b, k->plan.most,
	    k->plan.each, k->W, (uint64_t)k->plan.tau);
}

const struct dp_mech_ops dp_gated_window_ops = {
	.name = "gated-window",
	.say.source = "windows over a row of norm trees for each name; named over a threshold",
	.traits = DP_TRAIT_ENDLESS,
	.tasks = DP_TASK_OWN, .statistic = &dp_top_window,
	.create = create, .names.late = late, .step = step, .many.abreast = abreast,
	.names.gone = gone, .law.at = law, .law.cycle = cycle, .error = error, .valid = valid,
	.say.unfit = unfit, .say.note = dp_top_note, .drawn.certify = certify,
	.destroy = dp_top_destroy
};
