/* SPDX-License-Identifier: ISC */
/* count.c - the mechanisms made of trees, and their certificate. */
#include <math.h>
#include <stdlib.h>

#include "internal.h"

/*
 * The mechanisms: trees one after another, and the filters of their increments.
 *
 * A count of known T: one tree of the least 2^h >= T steps.  Of unknown T: segment j = 0, 1, ..
 * covers the next 16^(j+2) steps with a tree of its own, of whose noise only the root's stays in
 * the total when it ends.  Segments are disjoint in time, so each has the whole budget: what a unit
 * moves in all of them sums to l1.  All trees are certified at the start; the tables of one are
 * there as long as its segment lasts, and where a prediction asks for them.
 *
 * Windows and decays: one segment without end, a row of trees that are alike.
 */

#define SEGMENTS	9		/* 2^8 + .. + 2^40 steps */
#define LONGEST		((uint64_t)1 << 50)

struct trees {
	struct dp_filtered f;
	bool quick;
	struct dp_privacy privacy;	/* of a prediction: of the trees it has not asked for */
	unsigned n;
	uint64_t begin[SEGMENTS + 1];	/* steps before segment j; the last: all */
	struct dp_normtree *segment[SEGMENTS];
};

static const struct trees *
trees(const struct dp_mech *m)
{
	return (const void *)m;
}

/* Arguments of the functions of a tree. */
static const struct dp_task *
task(const struct trees *p)
{
	return p->f.filter.task.what == DP_TASK_COUNT ? NULL : &p->f.filter.task;
}

/* The segment that holds step t >= 1, or the last. */
static unsigned
find_count(const struct trees *p, uint64_t t)
{
	unsigned j = 0;

	while (j < p->n - 1 && t > p->begin[j + 1])
		j++;
	return j;
}

static void
destroy(struct dp_mech *m)
{
	struct trees *p = (void *)m;
	unsigned j;

	for (j = 0; j < SEGMENTS; j++)
		dp_normtree_free(p->segment[j]);
}

/* Of segment j, or of the one tree: a chain is planned in a few milliseconds. */
static void
shape(struct dp_normtree_shape *s, unsigned j, uint64_t T, bool quick,
    const struct dp_privacy *privacy)
{
	if (T == 0)
		dp_normtree_segment(s, j);
	else if (dp_normtree_rare_shape(s, T, dp_privacy_rate(privacy)))
		return;
	else if (quick)
		dp_normtree_shape(s, T < 2 ? 1 : dp_ceil_log2(T));
	else
		dp_normtree_count_shape(s, T);
}

static bool
unfit(const struct dp_mech_rule *rule, char *text, size_t size)
{
	return (rule->task.what != DP_TASK_COUNT || rule->horizon <= LONGEST) &&
	    dp_normtree_unfit(&rule->privacy, text, size);
}

/* The trees of a count, *h levels of the last; a prediction makes those that have begun. */
static int
plant(struct trees *p, const struct dp_mech_rule *rule, unsigned *h)
{
	struct dp_normtree_shape s;
	size_t outer;
	unsigned j;
	int e = 0;

	s.h = 0;
	p->n = rule->horizon == 0 ? SEGMENTS : 1;
	for (j = 0; j < p->n && e == 0; j++) {
		shape(&s, j, rule->horizon, rule->quick, &rule->privacy);
		p->begin[j + 1] = p->begin[j] + ((uint64_t)1 << s.h);
		outer = dp_numbers_enter_nth(rule->privacy.numbers, "segment", j);
		if (rule->privacy.dry && (p->n == 1 || p->begin[j] < rule->report))
			e = dp_normtree_measure(&p->segment[j], &s, &rule->privacy, p->n == 1);
		else if (p->n == 1)
			e = dp_normtree_create(&p->segment[j], &s, &rule->privacy);
		else if (!rule->privacy.dry)
			e = dp_normtree_reserve(&p->segment[j], &s, &rule->privacy);
		dp_numbers_leave(rule->privacy.numbers, outer);
	}
	*h = s.h;
	return e;
}

/* The row of trees of a window or a decay. */
static int
plant_row(struct trees *p, const struct dp_mech_rule *rule, unsigned *h)
{
	struct dp_normtree_shape s = { 0 };
	int e;

	dp_normtree_stream(&s, &rule->task, rule->horizon, dp_privacy_rate(&rule->privacy));
	p->n = 1;
	p->begin[1] = UINT64_MAX;
	if ((e = dp_normtree_create(&p->segment[0], &s, &rule->privacy)) != 0)
		return e;
	p->segment[0]->row = true;
	*h = p->segment[0]->h;
	return 0;
}

static int
count_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const bool count = rule->task.what == DP_TASK_COUNT;
	struct trees *p;
	unsigned h;
	int e;

	if (count && rule->horizon > LONGEST)
		return DP_EINVAL;
	p = dp_mech_alloc(ops, sizeof *p, rule->horizon, 0);
	if (p == NULL)
		return DP_ENOMEM;
	*out = &p->f.m;
	p->quick = rule->quick;
	p->privacy = rule->privacy;
	p->privacy.memo = NULL;
	p->f.words = true;
	if ((e = count ? plant(p, rule, &h) : plant_row(p, rule, &h)) == 0) {
		p->f.m.block = ((uint64_t)1 << dp_normtree_bottom(p->segment[0])) - 1;
		e = dp_filtered_set(&p->f, rule, (h * sizeof(int64_t) + 15) & ~(size_t)15);
	}
	return e;
}

/* Those before segment j have ended. */
static void
end_before(const struct trees *p, unsigned j)
{
	unsigned i;

	for (i = 0; i < j; i++)
		if (p->segment[i]->awake)
			dp_normtree_rest(p->segment[i]);
}

static int
count_fills(const struct dp_mech *m, void *own, size_t stride, unsigned n, struct dp_rng *rng,
    uint64_t i, int64_t *w)
{
	const struct trees *p = trees(m);
	const unsigned j = find_count(p, i + 1);

	if (i >= p->begin[p->n])
		return DP_EHORIZON;
	if (DP_UNLIKELY(!p->segment[j]->awake))
		end_before(p, j);
	return dp_normtree_fills(p->segment[j], own, stride, n, rng, i - p->begin[j], w);
}

static int
count_fill(const struct dp_mech *m, void *own, struct dp_rng *rng, uint64_t i, int64_t *w)
{
	return count_fills(m, own, 0, 1, rng, i, w);
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct trees *p = trees(m);

	return dp_filtered_valid(m, col, t) &&
	    dp_normtree_valid(p->segment[find_count(p, t)], dp_filtered_own(&p->f, col));
}

/* Segment j's tree; NULL: a prediction has asked for one that there is no memory for. */
static struct dp_normtree *
tree(const struct dp_mech *m, unsigned j)
{
	struct trees *p = (void *)(uintptr_t)m;		/* it makes those that it is asked for */
	struct dp_normtree_shape s;

	if (p->segment[j] != NULL)
		return p->segment[j];
	shape(&s, j, m->horizon, p->quick, &p->privacy);
	return dp_normtree_create(&p->segment[j], &s, &p->privacy) == 0 ? p->segment[j] : NULL;
}

struct dp_normtree *
dp_normtree_count_tree(const struct dp_mech *m, unsigned j, uint64_t *begin)
{
	struct dp_normtree *p = j < trees(m)->n ? tree(m, j) : NULL;

	if (p == NULL || dp_normtree_wake(p) != 0)
		return NULL;
	*begin = trees(m)->begin[j];
	return p;
}

/* With its variances. */
static const struct dp_normtree *
measured(const struct dp_mech *m, unsigned j)
{
	struct dp_normtree *p = tree(m, j);
	bool awake;

	if (p == NULL || p->moments.known)
		return p;
	awake = p->awake;
	if (!dp_normtree_know(p))
		return NULL;
	if (!awake)
		dp_normtree_rest(p);
	return p;
}

static void
law_count(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct trees *k = trees(m);
	const unsigned i = find_count(k, t);
	unsigned j;

	for (j = 0; j <= i; j++)
		dp_normtree_law(tree(m, j), task(k), out, (j < i ? k->begin[j + 1] : t) -
		    k->begin[j], l);
}

/* Of the first segment, or of the one tree. */
static double
all_steps(const struct dp_mech *m, uint64_t T, double gamma, double least, double most)
{
	struct dp_normtree *p;

	if (T > trees(m)->begin[1])
		return most;
	p = tree(m, 0);
	return p == NULL || dp_normtree_wake(p) != 0 ? NAN :
	    dp_normtree_all(p, T, gamma, least, most);
}

/* V(aX + bY) from V(X), V(Y) and V(Y - X), which is a step's. */
static void
count_blend(const struct dp_mech *m, uint64_t t, double now, double next, struct dp_law *l)
{
	const unsigned j = find_count(trees(m), t + 1);
	const struct dp_normtree *p = measured(m, j);
	double before, after, step;

	if (p == NULL) {
		dp_normtree_law(NULL, NULL, 0, t, l);
		return;
	}
	before = dp_mech_variance(m, t);
	after = dp_mech_variance(m, t + 1);
	step = dp_normtree_step_variance(p, t + 1 - trees(m)->begin[j]);
	dp_law_part(l, &(struct dp_law_part){ .variance = now * now * before +
	    next * next * after + now * next * (before + after - step) });
}

/*
 * Trees come again.  A decay's law lacks what would be of the trees before the first: from when
 * their weights are below a tenth, a hundredth of the variance.
 */
static uint64_t
cycle(const struct dp_mech *m, unsigned out, uint64_t *from)
{
	const struct dp_task *k = task(trees(m));

	*from = k->what == DP_TASK_EXP ? (uint64_t)(log(.1) / log(k->alpha)) : k->w[out];
	return (uint64_t)1 << trees(m)->segment[0]->h;
}

/* Once a segment has ended its root's noise stays. */
static void
error_of(const struct dp_mech *m, unsigned out, uint64_t T, struct dp_error *e)
{
	const struct trees *k = trees(m);
	const struct dp_normtree *p;
	struct dp_error one;
	double older = 0, sum = 0;
	uint64_t n;
	unsigned j;

	*e = (struct dp_error){ .max = -1 };
	for (j = 0; j < k->n && k->begin[j] < T; j++) {
		n = (T < k->begin[j + 1] ? T : k->begin[j + 1]) - k->begin[j];
		if ((p = measured(m, j)) == NULL) {
			e->max = e->mean = INFINITY;
			return;
		}
		dp_normtree_error(p, task(k), out, n, &one);
		sum += (older + one.mean) * (double)n;
		if (older + one.max > e->max) {
			e->max = older + one.max;
			e->worst = k->begin[j] + one.worst;
		}
		if (T > k->begin[j + 1])
			older += dp_normtree_variance(p, NULL, 0, (uint64_t)1 << p->h);
	}
	e->mean = sum / (double)T;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_filtered_error(m, T, e, error_of);
}

/* Segments are disjoint in time: each has the whole budget. */
static int
count_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct trees *p = trees(m);
	unsigned j;
	int e = 0;

	for (j = 0; j < p->n && e == 0; j++)
		e = p->segment[j] == NULL ? DP_EINVAL : dp_normtree_certify(p->segment[j], b);
	return e;
}

#define OPERATIONS \
	.name = "normtree", .say.noise = DP_NORMTREE_NOISE, \
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_ADDS, \
	.create = count_create, .many.fill = count_fill, .many.fills = count_fills, \
	.law.at = law_count, .error = error, \
	    .say.unfit = unfit, \
	.valid = valid, .destroy = destroy, .drawn.certify = count_certify, DP_FILTERED_OPERATIONS

const struct dp_mech_ops dp_normtree_ops = { OPERATIONS,
	.say.source = "binary tree whose splits depend on what is split, drawn top down "
	    "(this toolkit)",
	.tasks = DP_TASK_COUNT, .bound.all_steps = all_steps, .law.blend = count_blend
};

const struct dp_mech_ops dp_normtree_filtered_ops = { OPERATIONS,
	.say.source = "filtered noise of a tree whose splits depend on what is split (this "
	    "toolkit)",
	.tasks = DP_TASK_WINDOW | DP_TASK_EXP, .law.cycle = cycle
};

/*
 * A tree as it is drawn from, in the text that dputils-plan(5) describes.  A table
 * lies in memory as doubles do, m 2^(x - 64) with m of 53 bits: its text is the number itself.
 */

static void
table_certificate(struct dp_buf *b, const char *word, const struct dp_real *v, unsigned A,
    struct dp_real beyond)
{
	unsigned i;

	dp_buf_puts(b, word);
	for (i = 0; i <= A; i++)
		dp_certificate_real(b, dp_real_double(v[i]));
	dp_certificate_real(b, dp_real_double(beyond));
	dp_buf_puts(b, "\n");
}

/* A kind's table as its parents draw by it: the root's has none, its place is R's. */
static void
own_certificate(struct dp_buf *b, const struct dp_normtree *p, unsigned kind)
{
	const struct dp_normtree_level *v;
	unsigned side;

	for (v = p->level; v < p->level + p->shape.kinds; v++)
		for (side = 0; side < 2; side++)
			if (p->shape.kind[v - p->level].child[side] == kind) {
				table_certificate(b, "g", v->child[side], v->reach[side],
				    v->beyond[side]);
				return;
			}
}

static void
kind(struct dp_buf *b, const struct dp_normtree *p, unsigned i)
{
	const struct dp_normtree_kind *k = &p->shape.kind[i];
	const struct dp_normtree_level *v = &p->level[i];
	const struct dp_real one = { (uint64_t)1 << 63, 1 };
	unsigned side;

	dp_buf_puts(b, "kind");
	dp_certificate_word(b, k->level);
	dp_certificate_word(b, v->A);
	for (side = 0; side < 2; side++) {
		if (k->child[side] == DP_NORMTREE_STEP)
			dp_buf_puts(b, " step");
		else
			dp_certificate_word(b, k->child[side]);
	}
	for (side = 0; side < 2; side++)
		dp_certificate_real(b, dp_real_double(v->beyond[side]));
	dp_buf_puts(b, "\n");
	/* but for pairs of steps k stays as it is beyond A */
	table_certificate(b, "k", v->fall, v->A, v->open ? v->fade : one);
	if (p->fine > 0)
		table_certificate(b, "c", v->own, v->A, v->past);
	own_certificate(b, p, i);
}

int
dp_normtree_certify(struct dp_normtree *p, struct dp_buf *b)
{
	const bool asleep = !p->awake;
	unsigned i;
	int e;

	if (p->exact) {
		dp_buf_puts(b, "unknown\n");
		return b->error;
	}
	if ((e = dp_normtree_wake(p)) != 0)
		return e;
	dp_buf_puts(b, "tree");
	dp_certificate_word(b, p->h);
	dp_certificate_word(b, p->shape.kinds);
	dp_certificate_word(b, p->fine);
	dp_certificate_word(b, p->unit);
	dp_certificate_word(b, p->cells);
	dp_buf_puts(b, "\n");
	for (i = 0; i < p->shape.kinds; i++)
		kind(b, p, i);
	table_certificate(b, "root", p->root, p->A, p->beyond);
	if (asleep)
		dp_normtree_rest(p);
	return b->error;
}
