/*
 * top_running.c - counts so far of names that nobody declared (top.h, RUNNING): of T steps, with
 * the noise of one tree; of unknown T with that of a count without end, whose trees follow each
 * other, and of those that have ended the roots stay.
 */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "mech/certificate.h"
#include "normtree/certificate.h"
#include "normtree/late.h"
#include "normtree/passage.h"
#include "top_own.h"

extern const struct dp_mech_ops dp_normtree_ops;

#define LEAST	1e-20		/* times T: what passage.h does not tell from less */

#define DECLARED	1
#define NAMED		2
#define COUNT		4		/* state: COUNT times the events so far, and these */
#define MOST		(INT64_MAX / COUNT)
#define FAR		((DP_TOP_SEGMENTS + 1) * DP_NORMTREE_FAR)

struct column {
	int64_t state;
	int32_t noise;
	int32_t wait[];			/* the tree's */
};

static int
least(const struct dp_top *k, uint64_t T, double f, unsigned n, unsigned *x, double *tail)
{
	return dp_normtree_passage_least(k->tree, T, f, n, x, tail);
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
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_normtree_shape shape;
	bool plain = false;
	size_t outer;
	int e;

	dp_normtree_count_shape(&shape, T);
	if ((e = dp_normtree_create(&k->tree, &shape, &rule->privacy)) != 0 ||
	    rule->privacy.exact || k->tree->unit != 1)
		return e;
	if (dp_numbers_finds(numbers))
		plain = k->tree->fine > 0 || !(work_of(k->tree) < DP_TOP_LONG);
	if (dp_numbers_new_int(numbers, "plain", plain, 0, 1) == 0)
		return dp_numbers_error(numbers);
	dp_normtree_free(k->tree);
	k->tree = NULL;
	dp_normtree_shape(&shape, T < 2 ? 1 : dp_ceil_log2(T));
	outer = dp_numbers_enter(numbers, "levels");
	e = dp_normtree_create(&k->tree, &shape, &rule->privacy);
	dp_numbers_leave(numbers, outer);
	return e;
}

/* A count without end, whose trees are those of a name. */
static int
plant_count(struct dp_top *k, const struct dp_mech_rule *rule)
{
	struct dp_mech_rule own = *rule;

	own.task = (struct dp_task){ .what = DP_TASK_COUNT };
	return dp_normtree_ops.create(&k->count, &dp_normtree_ops, &own);
}

/* Largest f allowed, and the thresholds. */
static int
allow(struct dp_top *k, const struct dp_mech_rule *rule, double *f)
{
	const bool wanted = !rule->privacy.dry && !dp_top_replays(rule) && !rule->privacy.exact;
	const uint64_t T = rule->horizon;

	*f = rule->privacy.exact ? 0 : dp_top_allowed(k, rule);
	if (T == 0)
		return dp_top_phases(k, rule->privacy.numbers, *f, rule->privacy.exact, wanted);
	if (!rule->privacy.exact && (k->tree->fine > 0 || k->tree->unit != 1 ||
	    *f < LEAST * (double)T))
		return DP_ERANGE;
	return !wanted ? 0 : dp_top_find(k, least, T, sqrt(dp_normtree_variance(k->tree, NULL, 0,
	    T)), *f);
}

/* The tree that step i + 1 is of, and the steps before it; NULL: beyond the last. */
static const struct dp_normtree *
tree_at(const struct dp_top *k, uint64_t i, uint64_t *begin, unsigned *segment)
{
	const struct dp_normtree *p;

	*begin = 0;
	*segment = 0;
	if (k->tree != NULL)
		return k->tree;
	if (i >= k->plan.phase[k->plan.phases - 1].end)
		return NULL;
	while ((p = dp_normtree_count_tree(k->count, *segment, begin)) != NULL &&
	    i - *begin >= (uint64_t)1 << p->h)
		++*segment;
	return p;
}

static int64_t
tau_at(const struct dp_top *k, uint64_t t)
{
	unsigned i;

	for (i = 0; i < k->plan.phases; i++)
		if (t <= k->plan.phase[i].end)
			return k->plan.phase[i].tau;
	return k->plan.tau;
}

static int
tree_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_top *k;
	unsigned segment;
	uint64_t begin;
	double f = 0;
	int e;

	if ((e = dp_top_begin(out, &k, ops, rule, 0)) != 0)
		return e;
	e = rule->horizon == 0 ? plant_count(k, rule) : plant(k, rule);
	if (e == 0)
		e = allow(k, rule, &f);
	if (e == 0) {
		dp_top_keep(k, rule, f);
		k->last = k->tree != NULL ? k->tree : tree_at(k, k->plan.phase[k->plan.phases -
		    1].end - 1, &begin, &segment);
		e = k->last == NULL ? DP_ENOMEM : 0;
		if (k->plan.phases > 0)		/* the run ends there, with names or without */
			k->m.horizon = k->plan.phase[k->plan.phases - 1].end;
	}
	if (e != 0)
		return e;
	k->m.column = offsetof(struct column, wait) + k->last->h * sizeof(int32_t);
	k->m.column = (k->m.column + 7) & ~(size_t)7;
	k->m.drawn.distribution = DP_NORMTREE_NOISE;
	return 0;
}

/* The roots of the segments before, and what is before step i + 1 in its own. */
static int
tree_late(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t i, bool declared)
{
	const struct dp_top *k = dp_top(m);
	struct column *c = col;
	const struct dp_normtree *p, *root;
	unsigned segment, j;
	uint64_t begin, at;
	int64_t w;
	int e = 0;

	c->state = declared ? DECLARED | NAMED : 0;
	c->noise = 0;
	if ((p = tree_at(k, i, &begin, &segment)) == NULL)
		return DP_EHORIZON;
	for (j = 0; j < segment && !p->exact; j++) {
		root = dp_normtree_count_tree(k->count, j, &at);
		if ((e = dp_normtree_root(root, rng, &w)) != 0)
			return e;
		c->noise += (int32_t)w;
	}
	e = dp_normtree_late(p, c->wait, rng, i - begin, &w);
	c->noise += (int32_t)w;
	return e;
}

_Static_assert(DP_FILL <= DP_NORMTREE_SPLITS, "columns abreast are split at once");

static int
tree_abreast(const struct dp_mech *m, void *const *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est, unsigned n)
{
	const struct dp_top *k = dp_top(m);
	const int64_t tau = tau_at(k, t);
	const struct dp_normtree *p;
	int32_t *wait[DP_FILL] = { NULL };
	int64_t w[DP_FILL], count;
	struct column *c;
	uint64_t begin;
	unsigned i;
	dp_wide y;
	int e;

	if ((p = tree_at(k, t - 1, &begin, &i)) == NULL)
		return DP_EHORIZON;
	for (i = 0; i < n; i++)
		wait[i] = ((struct column *)col[i])->wait;
	if ((e = dp_normtree_late_steps(p, wait, rng, t - 1 - begin, n, w)) != 0)
		return e;
	for (i = 0; i < n; i++) {
		c = col[i];
		c->noise += (int32_t)w[i];
		count = c->state / COUNT;
		count = x[i] < MOST - count ? count + x[i] : MOST;
		c->state = count * COUNT | (c->state & (DECLARED | NAMED));
		y = (dp_wide)count + c->noise;
		c->state |= y >= tau ? NAMED : 0;
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
	const struct dp_top *k = dp_top(m);

	if (k->count != NULL)
		k->count->ops->law.at(k->count, out, t, l);
	else
		dp_normtree_law(k->tree, NULL, out, t, l);
}

static void
tree_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_top *k = dp_top(m);

	if (k->count != NULL)
		dp_mech_error(k->count, T, e);
	else
		dp_normtree_error(k->tree, NULL, 0, T, e);
}

static bool
tree_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;

	(void)t;
	return c->state >= 0 && c->noise < FAR && c->noise > -FAR &&
	    dp_normtree_late_valid(dp_top(m)->last, c->wait);
}

static bool
tree_unfit(const struct dp_mech_rule *rule, char *text, size_t size)
{
	const bool known = rule->horizon != 0;

	snprintf(text, size, "has no known threshold: epsilon an event must be some 1/%d or "
	    "more%s, delta 1e-18 a step (-w 1 has one, -T 4096 too)", known ? 9 : 6,
	    known ? "" : " (with -T 1/9)");
	return true;
}

/* Each tree, and the thresholds of its steps. */
static int
tree_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_top *k = dp_top(m);
	const struct dp_top_plan *p = &k->plan;
	struct dp_certificate_pass pass[DP_TOP_PHASES] = { { m->horizon, (uint64_t)p->tau } };
	struct dp_normtree *tree = k->tree;
	unsigned segment, i = 0, n;
	uint64_t begin = 0;
	int e = 0;

	if (tree != NULL)
		return (e = dp_normtree_certify(tree, b)) != 0 || tree->exact ? e :
		    dp_certificate_passes(b, p->most, p->each, pass, 1);
	for (segment = 0; i < p->phases && e == 0; segment++) {
		if ((tree = dp_normtree_count_tree(k->count, segment, &begin)) == NULL)
			return DP_ENOMEM;
		for (n = 0; i < p->phases && p->phase[i].end - begin <= (uint64_t)1 << tree->h; i++)
			pass[n++] = (struct dp_certificate_pass){ p->phase[i].end - begin,
			    (uint64_t)p->phase[i].tau };
		e = dp_normtree_certify(tree, b);
		if (e == 0 && !tree->exact)
			e = dp_certificate_passes(b, p->most, p->each, pass, n);
	}
	return e;
}

const struct dp_mech_ops dp_gated_tree_ops = {
	.name = "gated-normtree", .traits = DP_TRAIT_ENDLESS,
	.say.source = "a norm tree for each name, from its first event on; named once over a "
	    "threshold",
	.tasks = DP_TASK_OWN, .statistic = &dp_top_running,
	.create = tree_create, .names.late = tree_late, .step = tree_step,
	.many.abreast = tree_abreast, .law.at = tree_law, .error = tree_error, .valid = tree_valid,
	.say.unfit = tree_unfit, .say.note = dp_top_note, .drawn.certify = tree_certify,
	.destroy = dp_top_destroy
};
