/*
 * count.c - running counts: count + w_1 + .. + w_t, whole numbers all of them.
 *
 * Known T: one tree of the least 2^h >= T steps.  Unknown T: segment j = 0, 1, .. covers the next
 * 16^(j+2) steps with a tree of its own; when it ends its root's noise stays in the total. 
 * Segments are disjoint in time, so each has the whole budget: what a unit moves in all of them
 * sums to l1.  All trees are certified at the start; the tables of one are there as long as its
 * segment lasts, and where a prediction asks for them.
 */
#include <math.h>
#include <stdlib.h>

#include "normtree.h"

extern const struct dp_mech_ops dp_normtree_ops;

#define SEGMENTS	9		/* 2^8 + .. + 2^40 steps */
#define LONGEST		((uint64_t)1 << 50)

struct counter {
	struct dp_mech m;
	struct dp_privacy privacy;	/* of a prediction: of the trees it has not asked for */
	unsigned segments;
	uint64_t block;			/* steps of a block, less one */
	uint64_t begin[SEGMENTS + 1];	/* steps before segment j; the last: all */
	struct dp_normtree *segment[SEGMENTS];
};

struct column {
	dp_wide count;
	int64_t noise;			/* of the last estimate of this block */
	int64_t ahead[DP_GEN_BLOCK];	/* of this block's estimates */
	int64_t wait[];			/* dp_normtree_fill() */
};

static void
destroy(struct dp_mech *m)
{
	struct counter *p = (void *)m;
	unsigned j;

	for (j = 0; j < SEGMENTS; j++)
		dp_normtree_free(p->segment[j]);
}

/* Of segment j, or of the one tree. */
static void
shape(struct dp_normtree_shape *s, unsigned j, uint64_t T)
{
	if (T == 0)
		dp_normtree_segment(s, j);
	else
		dp_normtree_shape(s, T < 2 ? 1 : dp_ceil_log2(T));	/* one step: half of it */
}

static bool
unfit(const struct dp_mech_rule *rule, char *text, size_t size)
{
	return rule->horizon <= LONGEST && dp_normtree_unfit(&rule->privacy, text, size);
}

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	struct dp_normtree_shape s;
	struct counter *p;
	unsigned j;
	int e = 0;

	if (rule->horizon > LONGEST)
		return DP_EINVAL;
	if ((p = dp_mech_alloc(&dp_normtree_ops, sizeof *p, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	p->segments = rule->horizon == 0 ? SEGMENTS : 1;
	p->privacy = rule->privacy;
	p->privacy.memo = NULL;
	/* a prediction makes those that have begun */
	for (j = 0; j < p->segments && e == 0; j++) {
		shape(&s, j, rule->horizon);
		p->begin[j + 1] = p->begin[j] + ((uint64_t)1 << s.h);
		if (rule->privacy.dry && (p->segments == 1 || p->begin[j] < rule->report))
			e = dp_normtree_measure(&p->segment[j], &s, &rule->privacy);
		else if (p->segments == 1)
			e = dp_normtree_create(&p->segment[j], &s, &rule->privacy);
		else if (!rule->privacy.dry)
			e = dp_normtree_reserve(&p->segment[j], &s, &rule->privacy);
	}
	if (e != 0) {
		dp_mech_free(&p->m);
		return e;
	}
	p->block = ((uint64_t)1 << dp_normtree_bottom(p->segment[0])) - 1;
	p->m.column = (sizeof(struct column) + s.h * sizeof(int64_t) + 15) & ~(size_t)15;
	*out = &p->m;
	return 0;
}

/* The segment that holds step t */
static unsigned
find(const struct counter *p, uint64_t t)
{
	unsigned j = 0;

	while (j < p->segments - 1 && t > p->begin[j + 1])
		j++;
	return j;
}

/* Segment j's tables; those before it have ended. */
static int
enter(const struct counter *p, unsigned j)
{
	unsigned i;

	for (i = 0; i < j; i++)
		if (p->segment[i]->awake)
			dp_normtree_rest(p->segment[i]);
	return dp_normtree_wake(p->segment[j]);
}

/* Fills ahead[] if step t begins a block. */
static int
block_of(const struct counter *p, struct column *c, struct dp_rng *rng, uint64_t t)
{
	uint64_t noise = (uint64_t)c->noise;	/* unsigned: a forged state must not overflow */
	unsigned i, j;
	int e;

	if (DP_LIKELY(((t - 1) & p->block) != 0))	/* segments begin at multiples of a block */
		return 0;
	if (t > p->begin[p->segments])
		return DP_EHORIZON;
	j = find(p, t);
	if (DP_UNLIKELY(!p->segment[j]->awake) && (e = enter(p, j)) != 0)
		return e;
	if ((e = dp_normtree_fill(p->segment[j], c->wait, rng, t - 1 - p->begin[j], c->ahead)) != 0)
		return e;
	for (i = 0; i <= p->block; i++)
		c->ahead[i] = (int64_t)(noise += (uint64_t)c->ahead[i]);
	c->noise = (int64_t)noise;
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct counter *p = (const void *)m;
	struct column *c = col;
	int e;

	if ((e = block_of(p, c, rng, t)) != 0)
		return e;
	c->count += *x;
	*est = c->count + c->ahead[(t - 1) & p->block];
	return 0;
}

static int
steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *y, size_t n, size_t *done)
{
	const struct counter *p = (const void *)m;
	struct column *c = col;
	dp_wide before;
	int64_t sum;
	uint64_t i;
	size_t k;
	int e;

	for (*done = 0; *done < n; *done += k) {
		if ((e = block_of(p, c, rng, t + *done)) != 0)
			return e;
		before = c->count;
		i = (t + *done - 1) & p->block;
		/* a block's values, at most 2^56 each, and its noise fit a word together */
		for (sum = 0, k = 0; i <= p->block && *done + k < n; i++, k++) {
			sum += x[*done + k];
			y[*done + k] = before + (sum + c->ahead[i]);
		}
		c->count = before + sum;
	}
	return 0;
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct counter *p = (const void *)m;
	const struct column *c = col;
	const int64_t most = (int64_t)1 << 60;
	unsigned i;

	if (c->noise < -most || c->noise > most)
		return false;
	for (i = 0; i <= p->block; i++)
		if (c->ahead[i] < -most || c->ahead[i] > most)
			return false;
	/* a count of 2^50 steps of 2^61, and as much again to come */
	return c->count < (dp_wide)1 << 112 && c->count > -((dp_wide)1 << 112) &&
	    dp_normtree_valid(p->segment[find(p, t)], c->wait);
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct counter *p = (const void *)m;
	const unsigned i = find(p, t);
	unsigned j;

	(void)out;
	for (j = 0; j <= i; j++) {
		if (dp_normtree_wake(p->segment[j]) != 0)	/* it does not fail */
			continue;
		dp_normtree_law(p->segment[j], NULL, 0,
		    (j < i ? p->begin[j + 1] : t) - p->begin[j], l);
	}
}

/* Segment j's tree, with its variances; NULL: a prediction has no tree so long. */
static const struct dp_normtree *
measured(struct counter *p, unsigned j)
{
	struct dp_normtree_shape s;

	shape(&s, j, p->m.horizon);
	if (p->segment[j] == NULL && dp_normtree_create(&p->segment[j], &s, &p->privacy) != 0)
		return NULL;
	if (!p->segment[j]->measured) {
		if (dp_normtree_wake(p->segment[j]) != 0)
			return NULL;
		dp_normtree_rest(p->segment[j]);
	}
	return p->segment[j];
}

/* V(aX + bY) from V(X), V(Y) and V(Y - X), which is a step's. */
static void
blend(const struct dp_mech *m, uint64_t t, double now, double next, struct dp_law *l)
{
	const struct counter *p = (const void *)m;
	const double before = dp_mech_variance(m, t), after = dp_mech_variance(m, t + 1);
	const double step = p->segment[find(p, t + 1)]->var[0];

	dp_law_part(l, &(struct dp_law_part){ .variance = now * now * before +
	    next * next * after + now * next * (before + after - step) });
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	struct counter *p = (void *)(uintptr_t)m;	/* what it knows grows with T */
	const struct dp_normtree *tree;
	struct dp_error one;
	double older = 0, sum = 0;
	uint64_t n;
	unsigned j;

	e->max = -1;
	for (j = 0; j < p->segments && p->begin[j] < T; j++) {
		n = (T < p->begin[j + 1] ? T : p->begin[j + 1]) - p->begin[j];
		if ((tree = measured(p, j)) == NULL) {
			e->max = e->mean = INFINITY;
			return;
		}
		dp_normtree_error(tree, NULL, 0, n, &one);
		sum += (older + one.mean) * (double)n;
		if (older + one.max > e->max) {
			e->max = older + one.max;
			e->worst = p->begin[j] + one.worst;
		}
		older += tree->var[tree->h];
	}
	e->mean = sum / (double)T;
}

const struct dp_mech_ops dp_normtree_ops = {
	.name = "normtree",
	.source = "binary tree whose splits depend on what is split, drawn top down "
	    "(this toolkit); unknown T: of segments of 16^2, 16^3, .. steps",
	.noise = DP_NORMTREE_NOISE,
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_ENDLESS,
	.create = create, .step = step, .steps = steps, .law = law, .blend = blend, .error = error,
	.unfit = unfit, .destroy = destroy, .valid = valid
};
