/*
 * quantile.c - quantiles of values in a range, and histograms (quantile.h): the statistics, on
 * windows, decays or running counts by any mechanism of the house.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mech/certificate.h"
#include "normtree/certificate.h"
#include "quantile.h"

#define FLAT_MAX	64	/* bins: beyond them two levels have less noise */

extern const struct dp_mech_ops dp_normtree_filtered_ops;

static struct dp_quantile *
plan_of(const struct dp_mech *m)
{
	return (void *)(uintptr_t)m;
}

/* Values that all parts take in. */
static size_t
entering(const struct dp_quantile *k)
{
	size_t n = 0;
	unsigned g;

	for (g = 0; g < k->m.parts; g++)
		n += k->m.part[g].n;
	return n;
}

/*
 * The last of what no state keeps: room for what the parts take in, or an F to be fitted; and F of
 * each window, [0 .. G].  On the stack that room would be deeper than is wiped after a line where
 * memory is private.  Columns lie one behind the other.
 */
static size_t
sums_size(const struct dp_quantile *k)
{
	const size_t each = k->G + 1, one = entering(k) > each ? entering(k) : each,
	    n = (k->windows * each + one) * sizeof(double);

	return (n + sizeof(dp_wide) - 1) / sizeof(dp_wide) * sizeof(dp_wide);
}

static double *
room(const struct dp_quantile *k, const void *col)
{
	return (void *)((char *)(uintptr_t)col + k->m.column - sums_size(k));
}

static void
add(const struct dp_mech *m, void *col, size_t place, int64_t v)
{
	plan_of(m)->layout->add(plan_of(m), col, place, v);
}

/* The layout's F of each window, to f[window][0 .. G]. */
static int
release(const struct dp_quantile *k, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    double *f)
{
	int64_t *u = (void *)room(k, col);
	unsigned w;
	int e;

	if (k->layout->step != NULL)
		return k->layout->step(k, rng, x, f);
	if (k->layout->enter != NULL)
		k->layout->enter(k, x, u);
	e = dp_parts_step(&k->m, col, rng, t, k->layout->enter != NULL ? u : x);
	explicit_bzero(u, entering(k) * sizeof *u);	/* it is exact */
	if (e != 0)
		return e;
	for (w = 0; w < k->windows; w++)
		k->layout->read(k, dp_parts_numbers(&k->m, col), w, f + w * (k->G + 1));
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_quantile *k = plan_of(m);
	const struct dp_quantile_asked *a = k->asked;
	double *f = room(k, col), *y;
	unsigned w, i;
	int e;

	if ((e = release(k, col, rng, t, x, dp_quantile_sums(k, col, 0))) != 0)
		return e;
	for (w = 0; w < k->windows; w++) {
		y = dp_quantile_sums(k, col, w);
		memcpy(f, y, (k->G + 1) * sizeof *f);
		dp_quantile_fit(f + 1, k->G);
		for (i = 0; i < a->n; i++)
			*est++ = f[k->G] > 0 && y[k->G] >= k->least[w][i] ?
			    dp_quantile_rounded(dp_quantile_find(&a->bins, f, a->q[i]),
			    a->coarse, 0) : DP_NONE;
	}
	return 0;
}

/* Release of each bin's counter is the estimate. */
static int
step_counts(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_quantile *k = plan_of(m);
	const dp_wide *y = dp_parts_numbers(m, col);
	unsigned w, j;
	int e;

	if ((e = dp_parts_step(m, col, rng, t, x)) != 0)
		return e;
	for (w = 0; w < k->windows; w++)
		for (j = 0; j < k->G; j++)
			*est++ = y[j * k->windows + w];
	return 0;
}

static void
law_counts(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_quantile *k = plan_of(m);
	const struct dp_mech *in = m->part[0].inner;

	in->ops->law.at(in, out / k->G, t, l);
}

static void
error_counts(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_mech_error(m->part[0].inner, T, e);
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	return dp_parts_valid(m, col, t);
}

static bool
note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	(void)unit;
	return dp_quantile_note(plan_of(m), i, text, size) != 0;
}

static double
draws(const struct dp_mech *m)
{
	const struct dp_quantile *k = plan_of(m);

	return k->tree == NULL ? 0 : (double)((uint64_t)1 << k->tree->h);
}

static void
destroy(struct dp_mech *m)
{
	struct dp_quantile *k = plan_of(m);

	dp_normtree_free(k->tree);
	free(k->noise.own[0]);
	free(k->w);
	free(k->times);
	free(k->law);
}

/* The tree is a part that draws anew in each step: its steps are bins. */
static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_quantile *k = plan_of(m);
	int e;

	if (k->tree == NULL)
		return dp_certificate_parts(m, b);
	dp_certificate_count(b, 1);
	dp_certificate_begin(b, "normtree", m->epsilon, m->delta, k->moved);
	e = dp_normtree_certify(k->tree, b);
	dp_buf_puts(b, "end\n");
	return e != 0 ? e : b->error;
}

#define OPERATIONS \
	.say.source = "computed of private numbers of events in bins", .open.add = add,	\
	.valid = valid,	\
	.say.note = note, .drawn.number = draws, .destroy = destroy, .drawn.certify = certify

static const struct dp_mech_ops ops = {
	.name = "quantile", .step = step, .law.at = dp_quantile_law,
	.bound.interval = dp_quantile_interval, .error = dp_quantile_error, OPERATIONS
};

static const struct dp_mech_ops counts_ops = {
	.name = "histogram", .step = step_counts, .law.at = law_counts, .error = error_counts,
	OPERATIONS
};

static const struct dp_quantile_layout *
layout_of(const struct dp_mech_rule *rule, const struct dp_mech_ops *counter, unsigned G,
    bool counts)
{
	const struct dp_task *task = &rule->task;

	if (!counts && counter == &dp_normtree_filtered_ops && task->what == DP_TASK_WINDOW &&
	    task->windows == 1 && task->w[0] == 1)
		return &dp_quantile_tree;
	if (counts || G <= FLAT_MAX)
		return &dp_quantile_flat;
	return (counter->traits & DP_TRAIT_DELTA) != 0 ? &dp_quantile_root : &dp_quantile_levels;
}

/* Room for what is known of the noise, in one piece. */
static int
set_room(struct dp_quantile *k)
{
	const size_t n = k->G + 1;

	k->law = malloc(sizeof *k->law);
	k->noise.own[0] = calloc(4 * n, sizeof *k->noise.own[0]);
	if (k->law == NULL || k->noise.own[0] == NULL)
		return DP_ENOMEM;
	k->noise.own[1] = k->noise.own[0] + n;
	k->noise.with[0] = k->noise.own[1] + n;
	k->noise.with[1] = k->noise.with[0] + n;
	return 0;
}

static int
make(struct dp_mech **out, const struct dp_mech_rule *rule, const struct dp_mech_ops *counter,
    const struct dp_mech_ops *own)
{
	const bool counts = own == &counts_ops;
	struct dp_quantile *k;
	int e;

	if (rule->bands != 1)
		return DP_EINVAL;
	if ((k = dp_mech_alloc(own, sizeof *k, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->asked = rule->task.own;
	k->G = k->asked->bins.n;
	dp_numbers_same_bytes(rule->privacy.numbers, "edges", k->asked->bins.edge,
	    (k->G + 1) * sizeof *k->asked->bins.edge);
	k->layout = layout_of(rule, counter, k->G, counts);
	if ((e = set_room(k)) != 0 || (e = k->layout->create(k, rule, counter)) != 0)
		return e;
	k->scale = k->m.parts == 0 ? 1 : pow(10, k->m.part[0].inner->estimate.decimals);
	k->m.inputs = k->G;
	if (counts) {
		k->m.outputs = k->windows * k->G;
		k->m.estimate.alike = k->G;
		k->m.estimate.decimals = k->m.part[0].inner->estimate.decimals;
		k->m.off.drift = k->m.part[0].inner->off.drift;
		k->m.estimate.between = k->m.part[0].inner->estimate.between;
		return 0;
	}
	k->m.outputs = k->windows * k->asked->n;
	k->m.estimate.gaps = true;
	k->m.column += sums_size(k);
	k->m.beside += sums_size(k);
	return dp_quantile_set_least(k, rule);
}

static int
make_quantile(struct dp_mech **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	return make(out, rule, counter, &ops);
}

static int
make_counts(struct dp_mech **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	return make(out, rule, counter, &counts_ops);
}

static double
event(const struct dp_task *task)
{
	(void)task;
	return 1;
}

const struct dp_statistic dp_quantile_statistic = {
	.name = "quantile", .describe = dp_quantile_describe, .measure = DP_MEASURE_RMSE,
	.fades = true, .in = "events", .unit = event, .noun = "quantile",
	.error = "the number of events between a quantile and the place that it should have",
	.make = make_quantile
};

const struct dp_statistic dp_histogram_statistic = {
	.name = "histogram", .describe = dp_histogram_describe, .measure = DP_MEASURE_RMSE,
	.in = "events", .unit = event, .noun = "count", .make = make_counts
};
