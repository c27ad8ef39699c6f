/* top_running.c - counts so far of names that nobody declared (top.h, RUNNING). */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "normtree/late.h"
#include "normtree/passage.h"
#include "top_own.h"

extern const struct dp_mech_ops dp_gated_tree_ops;

#define LEAST	1e-20		/* times T: what passage.h does not tell from less */

#define DECLARED	1
#define NAMED		2
#define COUNT		4		/* state: COUNT times the events so far, and these */
#define MOST		(INT64_MAX / COUNT)

struct column {
	int64_t state;
	int32_t noise;
	int32_t wait[];			/* the tree's */
};

static int
tails(const struct dp_top *k, uint64_t T, double f, unsigned n, double *tail)
{
	(void)f;
	return dp_normtree_passage(k->tree, T, n, tail);
}

static double
work_of(const struct dp_normtree *p)
{
	const double sd = sqrt(dp_normtree_variance(p, NULL, 0, (uint64_t)1 << (p->h - 1)));

	return (double)p->shape.kinds * p->A * p->A * (DP_TOP_DEEP * sd + 16);
}

/*
 * The tree: one whose largest noise is not found in a few seconds, or not known, as on a finer
 * grid, has one kind a level.
 */
static int
plant(struct dp_top *k, const struct dp_mech_rule *rule)
{
	const uint64_t T = rule->horizon;
	struct dp_normtree_shape shape;
	int e;

	dp_normtree_count_shape(&shape, T);
	if ((e = dp_normtree_create(&k->tree, &shape, &rule->privacy)) != 0 ||
	    rule->privacy.exact || k->tree->unit != 1 ||
	    (k->tree->fine == 0 && work_of(k->tree) < DP_TOP_LONG))
		return e;
	dp_normtree_free(k->tree);
	k->tree = NULL;
	dp_normtree_shape(&shape, T < 2 ? 1 : dp_ceil_log2(T));
	return dp_normtree_create(&k->tree, &shape, &rule->privacy);
}

static int
tree_create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	struct dp_top *k;
	double f = 0;
	int e;

	if (rule->horizon == 0)
		return DP_EINVAL;
	if ((e = dp_top_begin(&k, &dp_gated_tree_ops, rule, 0)) != 0)
		return e;
	if ((e = plant(k, rule)) == 0 && !rule->privacy.exact) {
		f = dp_top_allowed(k, rule);
		if (k->tree->fine > 0 || k->tree->unit != 1 || f < LEAST * (double)rule->horizon)
			e = DP_ERANGE;
		else if (!rule->privacy.dry && !dp_top_replays(rule))
			e = dp_top_find(k, tails, rule->horizon, sqrt(dp_normtree_variance(k->tree,
			    NULL, 0, rule->horizon)), f);
	}
	if (e != 0) {
		dp_mech_free(&k->m);
		return e;
	}
	dp_top_keep(k, rule, f);
	k->m.column = offsetof(struct column, wait) + k->tree->h * sizeof(int32_t);
	k->m.column = (k->m.column + 7) & ~(size_t)7;
	k->m.drawn.distribution = DP_NORMTREE_NOISE;
	*out = &k->m;
	return 0;
}

static int
tree_late(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t i, bool declared)
{
	struct column *c = col;
	int64_t before;
	int e;

	c->state = declared ? DECLARED | NAMED : 0;
	e = dp_normtree_late(dp_top(m)->tree, c->wait, rng, i, &before);
	c->noise = (int32_t)before;
	return e;
}

_Static_assert(DP_FILL <= DP_NORMTREE_SPLITS, "columns abreast are split at once");

static int
tree_abreast(const struct dp_mech *m, void *const *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est, unsigned n)
{
	int32_t *wait[DP_FILL] = { NULL };
	int64_t w[DP_FILL], count;
	struct column *c;
	unsigned i;
	dp_wide y;
	int e;

	for (i = 0; i < n; i++)
		wait[i] = ((struct column *)col[i])->wait;
	if ((e = dp_normtree_late_steps(dp_top(m)->tree, wait, rng, t - 1, n, w)) != 0)
		return e;
	for (i = 0; i < n; i++) {
		c = col[i];
		c->noise += (int32_t)w[i];
		count = c->state / COUNT;
		count = x[i] < MOST - count ? count + x[i] : MOST;
		c->state = count * COUNT | (c->state & (DECLARED | NAMED));
		y = (dp_wide)count + c->noise;
		c->state |= y >= dp_top(m)->plan.tau ? NAMED : 0;
		est[i] = (c->state & NAMED) != 0 ? y : DP_NONE;
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
	dp_normtree_law(dp_top(m)->tree, NULL, out, t, l);
}

static void
tree_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_normtree_error(dp_top(m)->tree, NULL, 0, T, e);
}

static bool
tree_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;

	(void)t;
	return c->state >= 0 && c->noise < DP_NORMTREE_FAR && c->noise > -DP_NORMTREE_FAR &&
	    dp_normtree_late_valid(dp_top(m)->tree, c->wait);
}

static bool
tree_unfit(const struct dp_mech_rule *rule, char *text, size_t size)
{
	(void)rule;
	snprintf(text, size, "has no known threshold: epsilon an event must be some 1/9 or more, "
	    "delta more than 1e-13 a step (-w 1 has one, and --distinct)");
	return true;
}

const struct dp_mech_ops dp_gated_tree_ops = {
	.name = "gated-normtree",
	.say.source = "a norm tree for each name, from its first event on; named once over a "
	    "threshold",
	.tasks = DP_TASK_OWN, .statistic = &dp_top_running,
	.create = tree_create, .names.late = tree_late, .step = tree_step,
	.many.abreast = tree_abreast, .law.at = tree_law, .error = tree_error, .valid = tree_valid,
	.say.unfit = tree_unfit, .say.note = dp_top_note, .destroy = dp_top_destroy
};
