/*
 * count.c - running counts: count + w_1 + .. + w_t, whole numbers all of them.
 *
 * Known T: one tree of the least 2^h >= T steps.  Unknown T: a tree for each segment
 * (mech/segments.h).  All trees are certified at the start; the tables of one are there as long as
 * its segment lasts, and where a prediction asks for them.
 */
#include <math.h>
#include <stdlib.h>

#include "normtree.h"
#include "mech/ahead.h"
#include "mech/segments.h"

extern const struct dp_mech_ops dp_normtree_ops;

#define SEGMENTS	9		/* 2^8 + .. + 2^40 steps */
#define LONGEST		((uint64_t)1 << 50)

struct counter {
	struct dp_mech m;
	bool quick;
	struct dp_privacy privacy;	/* of a prediction: of the trees it has not asked for */
	struct dp_segments time;
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

/* Of segment j, or of the one tree: a chain is planned in a few milliseconds. */
static void
shape(struct dp_normtree_shape *s, unsigned j, uint64_t T, bool quick)
{
	if (T == 0)
		dp_normtree_segment(s, j);
	else if (quick)
		dp_normtree_shape(s, T < 2 ? 1 : dp_ceil_log2(T));
	else
		dp_normtree_count_shape(s, T);
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
	p->time.n = rule->horizon == 0 ? SEGMENTS : 1;
	p->quick = rule->quick;
	p->privacy = rule->privacy;
	p->privacy.memo = NULL;
	/* a prediction makes those that have begun */
	for (j = 0; j < p->time.n && e == 0; j++) {
		shape(&s, j, rule->horizon, rule->quick);
		p->time.begin[j + 1] = p->time.begin[j] + ((uint64_t)1 << s.h);
		if (rule->privacy.dry && (p->time.n == 1 || p->time.begin[j] < rule->report))
			e = dp_normtree_measure(&p->segment[j], &s, &rule->privacy,
			    p->time.n == 1);
		else if (p->time.n == 1)
			e = dp_normtree_create(&p->segment[j], &s, &rule->privacy);
		else if (!rule->privacy.dry)
			e = dp_normtree_reserve(&p->segment[j], &s, &rule->privacy);
	}
	if (e != 0) {
		dp_mech_free(&p->m);
		return e;
	}
	p->time.block = ((uint64_t)1 << dp_normtree_bottom(p->segment[0])) - 1;
	p->m.block = p->time.block;
	p->m.column = (sizeof(struct column) + s.h * sizeof(int64_t) + 15) & ~(size_t)15;
	*out = &p->m;
	return 0;
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
block_of(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t)
{
	const struct counter *p = (const void *)m;
	struct column *c = col;
	uint64_t noise = (uint64_t)c->noise;	/* unsigned: a forged state must not overflow */
	unsigned i, j;
	int e;

	if (DP_LIKELY(((t - 1) & p->time.block) != 0))
		return 0;
	if (t > p->time.begin[p->time.n])
		return DP_EHORIZON;
	j = dp_segments_find(&p->time, t);
	if (DP_UNLIKELY(!p->segment[j]->awake) && (e = enter(p, j)) != 0)
		return e;
	if ((e = dp_normtree_fill(p->segment[j], c->wait, rng, t - 1 - p->time.begin[j],
	    c->ahead)) != 0)
		return e;
	for (i = 0; i <= p->time.block; i++)
		c->ahead[i] = (int64_t)(noise += (uint64_t)c->ahead[i]);
	c->noise = (int64_t)noise;
	return 0;
}

/* A block's values, at most 2^56 each, and its noise fit a word together. */
static inline void
add(const struct dp_mech *m, void *col, uint64_t i, const int64_t *x, dp_wide *y, size_t n)
{
	struct column *c = col;
	const dp_wide before = c->count;
	int64_t sum = 0;
	size_t k;

	(void)m;
	for (k = 0; k < n; k++) {
		sum += x[k];
		y[k] = before + (sum + c->ahead[i + k]);
	}
	c->count = before + sum;
}

/* Steps from t on that have noise: in a tree of kinds what lies beyond T has none. */
static uint64_t
left(const struct dp_mech *m, uint64_t t)
{
	return m->horizon == 0 ? UINT64_MAX : t > m->horizon ? 0 : m->horizon - (t - 1);
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct counter *p = (const void *)m;

	return left(m, t) == 0 ? DP_EHORIZON :
	    dp_ahead_step(m, col, rng, t, x, est, p->time.block, block_of, add);
}

static int
steps(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *y, size_t n, size_t *done)
{
	const struct counter *p = (const void *)m;
	const uint64_t most = left(m, t);
	int e;

	e = dp_ahead_steps(m, col, rng, t, x, y, n < most ? n : (size_t)most, done, p->time.block,
	    block_of, add);
	return e == 0 && n > most ? DP_EHORIZON : e;
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct counter *p = (const void *)m;
	const struct column *c = col;
	const int64_t most = (int64_t)1 << 62;
	unsigned i;

	if (c->noise < -most || c->noise > most)
		return false;
	for (i = 0; i <= p->time.block; i++)
		if (c->ahead[i] < -most || c->ahead[i] > most)
			return false;
	return dp_segments_count_fits(c->count) &&
	    dp_normtree_valid(p->segment[dp_segments_find(&p->time, t)], c->wait);
}

/* Segment j's tree; NULL: a prediction has asked for one that there is no memory for. */
static struct dp_normtree *
tree(const struct dp_mech *m, unsigned j)
{
	struct counter *p = (void *)(uintptr_t)m;	/* it makes those that it is asked for */
	struct dp_normtree_shape s;

	if (p->segment[j] != NULL)
		return p->segment[j];
	shape(&s, j, m->horizon, p->quick);
	return dp_normtree_create(&p->segment[j], &s, &p->privacy) == 0 ? p->segment[j] : NULL;
}

/* With its variances. */
static const struct dp_normtree *
measured(const struct dp_mech *m, unsigned j)
{
	struct dp_normtree *p = tree(m, j);

	if (p == NULL || p->measured)
		return p;
	if (dp_normtree_wake(p) != 0)
		return NULL;
	dp_normtree_rest(p);
	return p;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_segments *s = &((const struct counter *)(const void *)m)->time;
	const unsigned i = dp_segments_find(s, t);
	struct dp_normtree *p;
	unsigned j;

	(void)out;
	for (j = 0; j <= i; j++) {
		if ((p = tree(m, j)) != NULL && dp_normtree_wake(p) != 0)
			p = NULL;
		dp_normtree_law(p, NULL, 0, (j < i ? s->begin[j + 1] : t) - s->begin[j], l);
	}
}

/* Of the first segment, or of the one tree. */
static double
all_steps(const struct dp_mech *m, uint64_t T, double gamma, double least, double most)
{
	const struct dp_segments *s = &((const struct counter *)(const void *)m)->time;
	struct dp_normtree *p;

	if (T > s->begin[1])
		return most;
	p = tree(m, 0);
	return p == NULL || dp_normtree_wake(p) != 0 ? NAN :
	    dp_normtree_all(p, T, gamma, least, most);
}

/* V(aX + bY) from V(X), V(Y) and V(Y - X), which is a step's. */
static void
blend(const struct dp_mech *m, uint64_t t, double now, double next, struct dp_law *l)
{
	const struct dp_segments *s = &((const struct counter *)(const void *)m)->time;
	const unsigned j = dp_segments_find(s, t + 1);
	const struct dp_normtree *p = measured(m, j);
	double before, after, step;

	if (p == NULL) {
		dp_normtree_law(NULL, NULL, 0, t, l);
		return;
	}
	before = dp_mech_variance(m, t);
	after = dp_mech_variance(m, t + 1);
	step = dp_normtree_step_variance(p, t + 1 - s->begin[j]);
	dp_law_part(l, &(struct dp_law_part){ .variance = now * now * before +
	    next * next * after + now * next * (before + after - step) });
}

static bool
error_of(const struct dp_mech *m, unsigned j, uint64_t n, struct dp_segment_error *e)
{
	const struct dp_normtree *p = measured(m, j);
	struct dp_error one;

	if (p == NULL)
		return false;
	dp_normtree_error(p, NULL, 0, n, &one);
	*e = (struct dp_segment_error){ .max = one.max, .sum = one.mean * (double)n,
	    .root = dp_normtree_variance(p, NULL, 0, (uint64_t)1 << p->h), .worst = one.worst };
	return true;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_segments_error(&((const struct counter *)(const void *)m)->time, m, T, error_of, e);
}

const struct dp_mech_ops dp_normtree_ops = {
	.name = "normtree",
	.source = "binary tree whose splits depend on what is split, drawn top down "
	    "(this toolkit)",
	.noise = DP_NORMTREE_NOISE,
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_ENDLESS,
	.create = create, .step = step, .steps = steps, .law = law, .all_steps = all_steps,
	.blend = blend, .error = error, .unfit = unfit, .destroy = destroy, .valid = valid
};
