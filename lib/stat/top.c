/* top.c - counts of names that nobody declared (top.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "normtree/late.h"
#include "normtree/passage.h"
#include "top.h"

extern const struct dp_mech_ops dp_gated_tree_ops, dp_gated_laplace_ops;

#define ROUNDED	(1 + 1e-9)	/* what doubles may be off, and more */
#define DEEP	9.5		/* standard deviations that heights are looked at, at first */
#define TRIES	4u
#define LEAST	4e-14		/* times T: what passage.h does not tell from less */
#define LONG	0x1p31		/* steps of work: 2 s; kinds of one level take less */

struct top {
	struct dp_mech m;
	struct dp_top_plan plan;
	struct dp_normtree *tree;	/* RUNNING */
	struct dp_noise noise;		/* EACH STEP */
};

/* Of a name: RUNNING all of it, EACH STEP `declared' alone. */
struct column {
	int64_t declared, named;
	int64_t count, noise;
	int64_t wait[];			/* the tree's */
};

static const struct top *
top(const struct dp_mech *m)
{
	return (const void *)m;
}

const struct dp_top_plan *
dp_top_plan(const struct dp_mech *m)
{
	return &top(m)->plan;
}

double
dp_top_unit(double epsilon, uint64_t K)
{
	return fmax((double)K, exp(epsilon * (double)(K - 1) / (double)K) * ROUNDED);
}

/* RUNNING */

/* By as many heights as the noise can be expected to need, then by more. */
static int
find_tau(struct top *k, uint64_t T, double f)
{
	const double sd = sqrt(dp_normtree_variance(k->tree, NULL, 0, T));
	unsigned n = (unsigned)(DEEP * sd) + 16, try, x;
	double *tail = NULL, *more;
	int e = 0;

	for (try = 0, x = 0; try < TRIES && e == 0; try++, n += n / 2) {
		if ((more = realloc(tail, n * sizeof *tail)) == NULL)
			e = DP_ENOMEM;
		tail = more != NULL ? more : tail;
		if (e == 0)
			e = dp_normtree_passage(k->tree, T, n, tail);
		for (x = 0; e == 0 && x < n && !(tail[x] * ROUNDED <= f); x++)
			;
		if (e != 0 || x < n)
			break;
	}
	if (e == 0 && try == TRIES)
		e = DP_ERANGE;
	if (e == 0) {		/* tail[x] is of x + 1 = tau - 1 */
		k->plan.tau = (int64_t)x + 2;
		k->plan.delta = tail[x] * ROUNDED;
	}
	free(tail);
	return e;
}

static double
work_of(const struct dp_normtree *p)
{
	const double sd = sqrt(dp_normtree_variance(p, NULL, 0, (uint64_t)1 << (p->h - 1)));

	return (double)p->shape.kinds * p->A * p->A * (DEEP * sd + 16);
}

/* The tree: one whose largest noise is not found in a few seconds has one kind a level. */
static int
plant(struct top *k, const struct dp_mech_rule *rule)
{
	const uint64_t T = rule->horizon;
	struct dp_normtree_shape shape;
	int e;

	dp_normtree_count_shape(&shape, T);
	if ((e = dp_normtree_create(&k->tree, &shape, &rule->privacy)) != 0 ||
	    rule->privacy.exact || k->tree->fine > 0 || k->tree->unit != 1 ||
	    work_of(k->tree) < LONG)
		return e;
	dp_normtree_free(k->tree);
	k->tree = NULL;
	dp_normtree_shape(&shape, T < 2 ? 1 : dp_ceil_log2(T));
	return dp_normtree_create(&k->tree, &shape, &rule->privacy);
}

/* What f may be. */
static double
allowed(const struct top *k, const struct dp_mech_rule *rule)
{
	const double epsilon = dp_q_double(rule->privacy.epsilon);

	return dp_q_double(rule->privacy.delta) / dp_top_unit(epsilon, k->plan.most) / ROUNDED;
}

static int
begin(struct top **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule,
    size_t column)
{
	struct top *k;

	if (!rule->privacy.exact && rule->privacy.delta.num == 0)
		return DP_EINVAL;
	if ((k = dp_mech_alloc(ops, sizeof *k, rule->horizon, column)) == NULL)
		return DP_ENOMEM;
	k->m.gaps = true;
	k->plan.most = rule->privacy.l1;
	k->plan.tau = 1;
	*out = k;
	return 0;
}

static int
tree_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	struct top *k;
	int e;

	if (rule->horizon == 0)
		return DP_EINVAL;
	if ((e = begin(&k, &dp_gated_tree_ops, rule, 0)) != 0)
		return e;
	if ((e = plant(k, rule)) == 0 && !rule->privacy.exact) {
		if (k->tree->fine > 0 || k->tree->unit != 1 ||
		    allowed(k, rule) < LEAST * (double)rule->horizon)
			e = DP_ERANGE;
		else if (!rule->privacy.dry)
			e = find_tau(k, rule->horizon, allowed(k, rule));
	}
	if (e != 0) {
		dp_mech_free(&k->m);
		return e;
	}
	k->plan.tau = (int64_t)dp_params_word(rule->privacy.params, (uint64_t)k->plan.tau, 1,
	    INT32_MAX);
	k->plan.delta *= dp_top_unit(dp_q_double(rule->privacy.epsilon), k->plan.most);
	k->m.column = sizeof(struct column) + k->tree->h * sizeof(int64_t);
	k->m.distribution = DP_NORMTREE_NOISE;
	*out = &k->m;
	return 0;
}

static int
tree_late(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t i, bool declared)
{
	struct column *c = col;

	c->declared = c->named = declared;
	return dp_normtree_late(top(m)->tree, c->wait, rng, i, &c->noise);
}

_Static_assert(DP_FILL <= DP_NORMTREE_SPLITS, "columns abreast are split at once");

static int
tree_abreast(const struct dp_mech *m, void *const *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est, unsigned n)
{
	int64_t *wait[DP_FILL] = { NULL }, w[DP_FILL];
	struct column *c;
	unsigned i;
	dp_wide y;
	int e;

	for (i = 0; i < n; i++)
		wait[i] = ((struct column *)col[i])->wait;
	if ((e = dp_normtree_late_steps(top(m)->tree, wait, rng, t - 1, n, w)) != 0)
		return e;
	for (i = 0; i < n; i++) {
		c = col[i];
		c->noise += w[i];
		y = (dp_wide)c->count + x[i];
		c->count = (int64_t)(y < INT64_MAX ? y : INT64_MAX);
		y = (dp_wide)c->count + c->noise;
		c->named |= y >= top(m)->plan.tau;
		est[i] = c->named ? y : DP_NONE;
	}
	return 0;
}

static int
tree_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	return tree_abreast(m, &col, rng, t, x, est, 1);
}

static void
tree_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	dp_normtree_law(top(m)->tree, NULL, out, t, l);
}

static void
tree_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_normtree_error(top(m)->tree, NULL, 0, T, e);
}

static bool
tree_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;

	(void)t;
	return (c->declared | 1) == 1 && (c->named | 1) == 1 && c->count >= 0 &&
	    c->noise < DP_NORMTREE_FAR && c->noise > -DP_NORMTREE_FAR &&
	    dp_normtree_valid(top(m)->tree, c->wait);
}

static bool
tree_unfit(const struct dp_mech_rule *rule, char *text, size_t size)
{
	(void)rule;
	snprintf(text, size, "has no known threshold: epsilon an event must be some 1/7 or more, "
	    "delta more than 1e-13 a step (-w 1 has one)");
	return true;
}

static void
destroy(struct dp_mech *m)
{
	dp_normtree_free(((struct top *)(void *)m)->tree);
}

/* EACH STEP */

static int
laplace_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	static const struct dp_q whole = { 1, 1 };
	struct top *k;
	double b, f, x;
	int e;

	if ((e = begin(&k, &dp_gated_laplace_ops, rule, sizeof(struct column))) != 0)
		return e;
	if ((e = dp_privacy_laplace(&k->noise, &rule->privacy, whole)) != 0) {
		dp_mech_free(&k->m);
		return e;
	}
	if (!rule->privacy.exact) {
		b = dp_q_double(k->noise.param);
		f = allowed(k, rule);
		x = -b * (log(f) + log1p(exp(-1 / b)));
		k->plan.tau = (int64_t)fmax(ceil(x + 1e-12 * fabs(x) + 1e-6), 1) + 1;
		k->plan.delta = exp(-(double)(k->plan.tau - 1) / b) / (1 + exp(-1 / b)) * ROUNDED *
		    dp_top_unit(dp_q_double(rule->privacy.epsilon), k->plan.most);
	}
	k->plan.tau = (int64_t)dp_params_word(rule->privacy.params, (uint64_t)k->plan.tau, 1,
	    INT64_MAX);
	k->m.brief = true;
	k->m.noise = &k->noise;
	k->m.noisy = "every name's events of a step";
	*out = &k->m;
	return 0;
}

static int
laplace_late(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t i, bool declared)
{
	struct column *c = col;

	(void)m;
	(void)rng;
	(void)i;
	c->declared = declared;
	return 0;
}

static int
laplace_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct column *c = col;
	int64_t w;
	int e;

	(void)t;
	*est = DP_NONE;
	if (*x == 0 && !c->declared)
		return 0;
	if ((e = dp_draw(&top(m)->noise, rng, &w)) != 0)
		return e;
	if (c->declared || (dp_wide)*x + w >= top(m)->plan.tau)
		*est = (dp_wide)*x + w;
	return 0;
}

static void
laplace_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)out;
	(void)t;
	dp_law_add(l, &top(m)->noise, 1, 1);
}

static bool
laplace_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;

	(void)m;
	(void)t;
	return (c->declared | 1) == 1 && (c->named | c->count | c->noise) == 0;
}

static void
laplace_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_mech_error_constant(m, T, e);
}

static bool
note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct dp_top_plan *p = &top(m)->plan;

	(void)unit;
	if (i != 0 || p->delta == 0)
		return false;
	snprintf(text, size, "a name is told of from the first step on at which it has had an "
	    "event%s and its private count is at least tau = %lld; delta pays for that: %.3g is "
	    "the probability that noise alone lifts %s over tau, of all names%s together",
	    m->brief ? " in it" : "", (long long)p->tau, p->delta,
	    p->most == 1 ? "one event" : "a user's events", m->brief ? "" : " and steps");
	return true;
}

const struct dp_mech_ops dp_gated_tree_ops = {
	.name = "gated-normtree",
	.source = "a norm tree for each name, from its first event on; named once over a threshold",
	.tasks = DP_TASK_OWN, .statistic = &dp_top_running,
	.create = tree_create, .late = tree_late, .step = tree_step, .abreast = tree_abreast,
	.law = tree_law, .error = tree_error, .valid = tree_valid,
	.unfit = tree_unfit, .note = note, .destroy = destroy
};

const struct dp_mech_ops dp_gated_laplace_ops = {
	.name = "gated-laplace",
	.source = "fresh noise for each name of a step (Korolova et al. 2009); named over a "
	    "threshold",
	.traits = DP_TRAIT_ENDLESS,
	.tasks = DP_TASK_OWN, .statistic = &dp_top_each,
	.create = laplace_create, .late = laplace_late, .step = laplace_step, .law = laplace_law,
	.error = laplace_error, .valid = laplace_valid, .note = note, .destroy = destroy
};

static void
describe_running(const struct dp_task *task, char *text, size_t size)
{
	(void)task;
	snprintf(text, size, "names that nobody declared, each with the number of its events so "
	    "far");
}

static void
describe_each(const struct dp_task *task, char *text, size_t size)
{
	(void)task;
	snprintf(text, size, "names that nobody declared, each with the number of its events in a "
	    "step");
}

const struct dp_statistic dp_top_running = {
	.name = "names", .describe = describe_running, .measure = DP_MEASURE_RMSE,
	.noun = "count of a name that is told of"
};

const struct dp_statistic dp_top_each = {
	.name = "step-names", .describe = describe_each, .measure = DP_MEASURE_RMSE,
	.fades = true, .noun = "count of a name that is told of"
};
