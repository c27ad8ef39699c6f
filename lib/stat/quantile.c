/* SPDX-License-Identifier: ISC */
/* quantile.c - quantiles of values in a range, and histograms. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

static void dp_quantile_law(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);
static void dp_quantile_error(const struct dp_mech *, uint64_t T, struct dp_error *);
static int dp_quantile_interval(const struct dp_mech *, const void *col, unsigned out, uint64_t t,
	    double gamma, dp_wide *lo, dp_wide *hi);
static int apart_quantile(const struct dp_mech *, const void *col, unsigned out, uint64_t t,
	    double gamma, struct dp_law_range *);
static int dp_quantile_set_least(struct dp_quantile *, const struct dp_mech_rule *) DP_MUSTUSE;
static size_t dp_quantile_note(const struct dp_quantile *, unsigned i, char *text, size_t size);
static void dp_quantile_describe(const struct dp_task *, char *text, size_t size);
static void dp_histogram_describe(const struct dp_task *, char *text, size_t size);

/*
 * Quantiles of values in a range, and histograms (quantile.h): the statistics, on
 * windows, decays or running counts by any mechanism of the house.
 */

#define FLAT_MAX	64	/* bins: beyond them two levels have less noise */

extern const struct dp_mech_ops dp_normtree_filtered_ops;

static struct dp_quantile *
plan_of_quantile(const struct dp_mech *m)
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
quantile_add(const struct dp_mech *m, void *col, size_t place, int64_t v)
{
	plan_of_quantile(m)->layout->add(plan_of_quantile(m), col, place, v);
}

/* The layout's F of each window, to f[window][0 .. G]. */
static int
release_quantile(const struct dp_quantile *k, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x,
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
quantile_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_quantile *k = plan_of_quantile(m);
	const struct dp_quantile_asked *a = k->asked;
	double *f = room(k, col), *y;
	unsigned w, i;
	int e;

	if ((e = release_quantile(k, col, rng, t, x, dp_quantile_sums(k, col, 0))) != 0)
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
	const struct dp_quantile *k = plan_of_quantile(m);
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
	const struct dp_quantile *k = plan_of_quantile(m);
	const struct dp_mech *in = m->part[0].inner;

	in->ops->law.at(in, out / k->G, t, l);
}

static void
error_counts(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_mech_error(m->part[0].inner, T, e);
}

static bool
quantile_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	return dp_parts_valid(m, col, t);
}

static bool
quantile_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	(void)unit;
	return dp_quantile_note(plan_of_quantile(m), i, text, size) != 0;
}

static double
draws_quantile(const struct dp_mech *m)
{
	const struct dp_quantile *k = plan_of_quantile(m);

	return k->tree == NULL ? 0 : (double)((uint64_t)1 << k->tree->h);
}

static void
quantile_destroy(struct dp_mech *m)
{
	struct dp_quantile *k = plan_of_quantile(m);

	dp_normtree_free(k->tree);
	free(k->noise.own[0]);
	free(k->w);
	free(k->times);
	free(k->law);
	free(k->width);
}

/* The tree is a part that draws anew in each step: its steps are bins. */
static int
quantile_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_quantile *k = plan_of_quantile(m);
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
	.say.source = "computed of private numbers of events in bins", .open.add = quantile_add, \
	.valid = quantile_valid,	\
	.say.note = quantile_note, .drawn.number = draws_quantile, .destroy = quantile_destroy, \
	    .drawn.certify = quantile_certify

static const struct dp_mech_ops ops = {
	.name = "quantile", .step = quantile_step, .law.at = dp_quantile_law,
	.bound.interval = dp_quantile_interval, .bound.apart = apart_quantile,
	.error = dp_quantile_error, OPERATIONS
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
make_stat_quantile(struct dp_mech **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter,
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
	return make_stat_quantile(out, rule, counter, &ops);
}

static int
make_counts(struct dp_mech **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	return make_stat_quantile(out, rule, counter, &counts_ops);
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

/* Private numbers of events in bins: by a tree, flat, by levels. */

/* The norm tree over bins */

/* Of the largest number of leaves, and its blocks. */
#define LEAVES	(2 * DP_BINS_MAX)

static int
tree_create_layout(struct dp_quantile *k, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	static const struct dp_q whole = { 1, 1 };
	const unsigned h = dp_ceil_log2(k->G) > 1 ? dp_ceil_log2(k->G) : 1;
	struct dp_privacy privacy = rule->privacy;
	struct dp_normtree_shape shape = { 0 };
	int e;

	(void)counter;
	dp_normtree_shape(&shape, h);
	if ((e = dp_privacy_part(&privacy, &rule->privacy, whole, &rule->band[0].reach)) != 0 ||
	    (e = dp_normtree_create(&k->tree, &shape, &privacy)) != 0)
		return e;
	k->moved = privacy.l1;
	k->windows = 1;
	k->m.drawn.distribution = DP_NORMTREE_NOISE;
	return 0;
}

static void
tree_know(const struct dp_quantile *k)
{
	const uint64_t leaves = (uint64_t)1 << k->tree->h;
	struct dp_quantile_noise *z = (void *)(uintptr_t)&k->noise;	/* when it is asked for */
	unsigned j;

	if (z->all[0] > 0)
		return;
	z->all[0] = dp_normtree_variance(k->tree, NULL, 0, leaves);
	for (j = 1; j <= k->G; j++) {	/* E[a | P] = P/2 */
		z->own[0][j] = dp_normtree_variance(k->tree, NULL, 0, j);
		z->with[0][j] = j / (double)leaves * z->all[0];
	}
	z->own[0][k->G] = z->with[0][k->G] = z->all[0];
}

static int
tree_step_layout(const struct dp_quantile *k, struct dp_rng *rng, const int64_t *x, double *f)
{
	int64_t wait[DP_NORMTREE_LEVELS] = { 0 }, w[LEAVES], noise = 0;
	const unsigned block = 1u << dp_normtree_bottom(k->tree);
	const uint64_t n = (uint64_t)1 << k->tree->h;
	dp_wide sum = 0;
	uint64_t i;
	int e;

	for (i = 0; i < n; i += block)
		if ((e = dp_normtree_fill(k->tree, wait, rng, i, w + i)) != 0)
			return e;
	for (f[0] = 0, i = 0; i < k->G; i++) {
		sum += x[i];
		noise += w[i];
		f[i + 1] = (double)(sum + noise);
	}
	for (; i < n; i++)	/* leaves without a bin: N has the root's noise */
		noise += w[i];
	f[k->G] = (double)(sum + noise);
	return 0;
}

const struct dp_quantile_layout dp_quantile_tree = {
	.name = "a norm tree over bins, drawn anew in each step", .create = tree_create_layout,
	.step = tree_step_layout, .know = tree_know
};

/* Parts */

static int
parts_create(struct dp_quantile *k, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter, const struct dp_q share[])
{
	const struct dp_mech_ops *const each[] = { counter, counter };
	int e;

	if ((e = dp_parts_create(&k->m, rule, each, share)) != 0)
		return e;
	k->windows = k->m.part[0].inner->outputs;
	k->m.drawn.distribution = k->m.part[0].inner->drawn.distribution;
	k->m.inputs = k->G;
	return 0;
}

static int
flat_create(struct dp_quantile *k, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	static const struct dp_q whole[] = { { 1, 1 } };
	struct dp_quantile_noise *z = &k->noise;
	unsigned j;

	for (j = 0; z->own[0] != NULL && j <= k->G; j++)
		z->own[0][j] = z->with[0][j] = j;
	z->all[0] = k->G;
	return parts_create(k, rule, counter, whole);
}

static void
flat_read(const struct dp_quantile *k, const dp_wide *y, unsigned window, double *f)
{
	unsigned j;

	for (f[0] = 0, j = 0; j < k->G; j++)
		f[j + 1] = f[j] + dp_quantile_number(k, y, j, window);
}

static void
flat_add(const struct dp_quantile *k, void *col, size_t place, int64_t v)
{
	dp_parts_add(&k->m, col, place, v);
}

const struct dp_quantile_layout dp_quantile_flat = {
	.name = "a count of each bin", .create = flat_create, .read = flat_read, .add = flat_add
};

/* Two levels */

#define EVENTS_LAYOUT		((int64_t)1 << 52) /* of a bin and step; more are not counted */

static unsigned
wides(const struct dp_quantile *k)
{
	return (k->G + k->k - 1) / k->k;
}

/* Bins of the i-th wide one; the last may have fewer. */
static unsigned
bins_of(const struct dp_quantile *k, unsigned i)
{
	return (i + 1) * k->k <= k->G ? k->k : k->G - i * k->k;
}

static void
levels_noise(struct dp_quantile *k)
{
	struct dp_quantile_noise *z = &k->noise;
	unsigned i, j, l, n;
	double part;

	z->all[1] = wides(k);
	for (i = j = 0; i < wides(k); i++)
		for (n = bins_of(k, i), l = 0; l < n; l++, j++) {
			part = (l + 1.) / n;
			z->own[0][j + 1] = (l + 1) * (1 - part);
			z->own[1][j + 1] = i + part * part;
			z->with[1][j + 1] = i + part;
		}
}

static int
levels_create(struct dp_quantile *k, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	static const struct dp_q share[] = { { 495, 1000 }, { 505, 1000 } };
	struct dp_mech_rule own = *rule;

	for (k->k = 1; k->k * k->k < k->G; k->k++)
		;
	levels_noise(k);
	own.bands = 2;
	own.band[1] = rule->band[0];
	own.band[1].width = wides(k);
	own.inputs += wides(k);
	return parts_create(k, &own, counter, share);
}

static void
levels_read(const struct dp_quantile *k, const dp_wide *y, unsigned window, double *f)
{
	const dp_wide *wide = y + (size_t)k->G * k->windows;
	double sum, left, before = 0;
	unsigned i, l, n;

	for (*f++ = 0, i = 0; i < wides(k); i++, y += n * k->windows, f += n) {
		n = bins_of(k, i);
		for (sum = 0, l = 0; l < n; l++)
			f[l] = sum += dp_quantile_number(k, y, l, window);
		left = dp_quantile_number(k, wide, i, window) - sum;
		for (l = 0; l < n; l++)
			f[l] += before + left * (l + 1) / n;
		before = f[n - 1];
	}
}

static void
levels_enter(const struct dp_quantile *k, const int64_t *x, int64_t *u)
{
	int64_t *wide = u + k->G, sum;
	unsigned i, l, n;

	for (i = 0; i < wides(k); i++, x += n, u += n) {
		n = bins_of(k, i);
		for (sum = 0, l = 0; l < n; l++)
			sum += u[l] = x[l] < EVENTS_LAYOUT ? x[l] : EVENTS_LAYOUT;
		wide[i] = sum;
	}
}

static void
levels_add(const struct dp_quantile *k, void *col, size_t place, int64_t v)
{
	dp_parts_add(&k->m, col, place, v);
	dp_parts_add(&k->m, col, k->G + place / k->k, v);
}

const struct dp_quantile_layout dp_quantile_levels = {
	.name = "counts of bins and of wide ones", .create = levels_create, .enter = levels_enter,
	.read = levels_read, .add = levels_add
};

/*
 * Numbers of events in bins behind a square root, for Gaussian noise: the layout
 * ROOT of quantile.h.
 */

/* Weights are whole numbers of 1/UNIT, what makes columns alike of 1/FINER. */
#define UNIT	1024
#define FINER	32

/* Coefficients of (1 - z)^(-1/2), rounded: w[i] > 0 for all i < DP_BINS_MAX. */
static void
set_weights(int64_t *w, unsigned n)
{
	double c = 1;
	unsigned i;

	for (i = 0; i < n; i++) {
		w[i] = llround(UNIT * c);
		c *= (2 * i + 1) / (2. * i + 2);
	}
}

/* Factors of the columns of W.  The last has one entry, the first has all. */
static void
set_times(struct dp_quantile *k)
{
	double all = 0, squares = 0;
	unsigned j;

	for (j = 0; j < k->G; j++)
		all += (double)k->w[j] * (double)k->w[j];
	for (j = 0; j < k->G; j++) {
		squares += (double)k->w[j] * (double)k->w[j];
		k->times[k->G - 1 - j] = (int64_t)floor(FINER * sqrt(all / squares));
	}
}

int
dp_quantile_root_reach(const struct dp_quantile *k, struct dp_reach *reach)
{
	dp_uwide squares = 0, sum = 0, longest = 0, largest = 0;
	uint64_t m, w;
	unsigned j;

	for (j = 0; j < k->G; j++) {
		w = (uint64_t)k->w[j];
		m = (uint64_t)k->times[k->G - 1 - j];
		squares += w * w;	/* < 2^23 in all, a sum < 2^17, m < 2^7 */
		sum += w;
		longest = squares * m * m > longest ? squares * m * m : longest;
		largest = sum * m > largest ? sum * m : largest;
	}
	longest *= reach->l2squared;
	largest *= reach->l1;
	if (longest >= (dp_uwide)1 << 62 || largest >= (dp_uwide)1 << 50)
		return DP_ERANGE;
	reach->l2squared = (uint64_t)longest;
	reach->l1 = (uint64_t)largest;
	/* the last column's entry is the largest: its m is */
	reach->linf *= (uint64_t)(k->w[0] * k->times[k->G - 1]);
	/* columns: all bins of all keys that a unit can move, as many as there are of u */
	return 0;
}

/* Coefficients of 1 / (w[0] + w[1] z + ..) */
static void
invert(double *v, const int64_t *w, unsigned n)
{
	unsigned i, j;
	double s;

	for (i = 0; i < n; i++) {
		for (s = i == 0, j = 1; j <= i; j++)
			s -= (double)w[j] * v[i - j];
		v[i] = s / (double)w[0];
	}
}

/*
 * F(j) = sum over b < j of sum over i <= b of v[b - i] u[i] / m[b]: each u[i] adds the squares of
 * what it has in F(1), F(2), .., and the products with what it has in N.
 */
static void
set_noise(struct dp_quantile *k, const double *v)
{
	struct dp_quantile_noise *z = &k->noise;
	double in, all;
	unsigned i, b;

	for (i = 0; i < k->G; i++) {
		for (all = 0, b = i; b < k->G; b++)
			all += v[b - i] / (double)k->times[b];
		for (in = 0, b = i; b < k->G; b++) {
			in += v[b - i] / (double)k->times[b];
			z->own[0][b + 1] += in * in;
			z->with[0][b + 1] += in * all;
		}
		z->all[0] += all * all;
	}
}

static int
root_create(struct dp_quantile *k, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	static const struct dp_q whole[] = { { 1, 1 } };
	struct dp_mech_rule own = *rule;
	double *v = malloc(k->G * sizeof *v);
	int e = DP_ENOMEM;

	k->w = malloc(k->G * sizeof *k->w);
	k->times = malloc(k->G * sizeof *k->times);
	if (v == NULL || k->w == NULL || k->times == NULL)
		goto out;
	set_weights(k->w, k->G);
	set_times(k);
	if ((e = dp_quantile_root_reach(k, &own.band[0].reach)) != 0)
		goto out;
	dp_numbers_same_bytes(rule->privacy.numbers, "times", k->times, k->G * sizeof *k->times);
	dp_numbers_same_bytes(rule->privacy.numbers, "weights", k->w, k->G * sizeof *k->w);
	own.most = 0;
	own.privacy.cells = 0;
	invert(v, k->w, k->G);
	set_noise(k, v);
	if ((e = dp_parts_create(&k->m, &own, &counter, whole)) != 0)
		goto out;
	k->windows = k->m.part[0].inner->outputs;
	k->m.drawn.distribution = k->m.part[0].inner->drawn.distribution;
	/* of what is told of the noise, a unit is what an event moves all of u by */
	k->m.part[0].inner->drawn.unit *= sqrt((double)rule->band[0].reach.l2squared /
	    (double)own.band[0].reach.l2squared);
out:
	free(v);
	return e;
}

#define EVENTS	((int64_t)1 << 30)	/* of a bin and step; more are not counted */

/* W x: below 2^12 2^30 2^19 each.  A cap moves by no more than what it cuts. */
static void
enter(const struct dp_quantile *k, const int64_t *x, int64_t *u)
{
	unsigned i, b;
	int64_t part;

	for (i = 0; i < k->G; i++)
		u[i] = 0;
	for (b = 0; b < k->G; b++)
		for (part = (x[b] < EVENTS ? x[b] : EVENTS) * k->times[b], i = b;
		    part != 0 && i < k->G; i++)
			u[i] += k->w[i - b] * part;
}

/* The sum of W^-1 u */
static void
read(const struct dp_quantile *k, const dp_wide *y, unsigned window, double *f)
{
	double z[DP_BINS_MAX], w[DP_BINS_MAX], s;
	unsigned i, b;

	for (i = 0; i < k->G; i++)
		w[k->G - 1 - i] = (double)k->w[i];	/* backwards, beside z */
	for (f[0] = 0, b = 0; b < k->G; b++) {
		for (s = 0, i = 0; i < b; i++)
			s += w[k->G - 1 - b + i] * z[i];
		z[b] = (dp_quantile_number(k, y, b, window) - s) / (double)k->w[0];
		f[b + 1] = f[b] + z[b] / (double)k->times[b];
	}
}

static void
root_add(const struct dp_quantile *k, void *col, size_t place, int64_t v)
{
	size_t i;

	for (i = place; i < k->G; i++)
		dp_parts_add(&k->m, col, i, k->w[i - place] * k->times[place] * v);
}

const struct dp_quantile_layout dp_quantile_root = {
	.name = "counts of bins behind a square root", .create = root_create, .enter = enter,
	.read = read, .add = root_add
};

/* From private numbers of events up to each bin to a quantile (quantile.h). */

/* Pool adjacent violators: blocks of one mean each, of n numbers; all weigh the same. */
void
dp_quantile_fit(double *f, unsigned n)
{
	double sum[DP_BINS_MAX], mean;
	unsigned length[DP_BINS_MAX], blocks = 0, i, j;

	for (i = 0; i < n; i++) {
		sum[blocks] = f[i];
		length[blocks++] = 1;
		while (blocks > 1 && sum[blocks - 1] * length[blocks - 2] <
		    sum[blocks - 2] * length[blocks - 1]) {
			blocks--;
			sum[blocks - 1] += sum[blocks];
			length[blocks - 1] += length[blocks];
		}
	}
	for (i = j = 0; i < blocks; i++) {
		mean = length[i] == 1 ? sum[i] : sum[i] / length[i];
		for (mean = mean > 0 ? mean : 0; length[i] > 0; length[i]--)
			f[j++] = mean;
	}
}

#define ROUNDED	1e-12	/* what doubles may hide of a number of events */

int64_t
dp_quantile_find(const struct dp_bins *b, const double *f, double q)
{
	const double rank = q * f[b->n] * (1 - ROUNDED);
	unsigned lo = 0, hi = b->n, mid;	/* f[lo] < rank <= f[hi] */

	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		*(f[mid] < rank ? &lo : &hi) = mid;
	}
	return dp_bins_within(b, lo, (q * f[b->n] - f[lo]) / (f[hi] - f[lo]));
}

/*
 * What the noise of a quantile's counters does (quantile.h): its law, its
 * predicted error, its interval, and how many events it takes to hide it.
 */

/* Variances of the counters of both parts, in events. */
static void
variances(const struct dp_quantile *k, unsigned window, uint64_t t, double v[2])
{
	unsigned i;

	if (k->layout->know != NULL)
		k->layout->know(k);
	v[0] = v[1] = k->m.parts == 0;
	for (i = 0; i < k->m.parts; i++) {
		dp_mech_law(k->m.part[i].inner, window, t, k->law);
		v[i] = dp_law_variance(k->law);
	}
}

/* The largest variance of D(j), of all bins; *mean: what it is on average. */
static double
worst(const struct dp_quantile *k, const double *v, double q, double *mean)
{
	double most = 0, sum = 0, d;
	unsigned j;

	for (j = 1; j <= k->G; j++) {
		d = fmax(dp_quantile_variance(&k->noise, v, q, j), 0);
		most = fmax(most, d);
		sum += d;
	}
	*mean = sum / k->G;
	return most;
}

/* quantile.c: a quantile's operations (counter/mech.h) that tell of its noise. */
static void
dp_quantile_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_quantile *k = (const void *)m;
	double v[2], mean;

	variances(k, out / k->asked->n, t, v);
	dp_law_part(l, &(struct dp_law_part){
	    .variance = worst(k, v, k->asked->q[out % k->asked->n], &mean) });
}

/* quantile.c: a quantile's operations (counter/mech.h) that tell of its noise. */
/* Of a law that is nowhere near its largest step the laws of all parts are those of one step. */
static void
dp_quantile_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_quantile *k = (const void *)m;
	struct dp_error part = { .max = 1, .mean = 1, .worst = 1 };
	double max[2] = { 1, 1 }, mean[2] = { 1, 1 }, over;
	unsigned i;

	if (k->layout->know != NULL)
		k->layout->know(k);
	for (i = 0; i < m->parts; i++) {
		dp_mech_error(m->part[i].inner, T, &part);
		max[i] = part.max;
		mean[i] = part.mean;
	}
	*e = part;
	for (e->max = e->mean = 0, i = 0; i < k->asked->n; i++) {
		e->max = fmax(e->max, worst(k, max, k->asked->q[i], &over));
		(void)worst(k, mean, k->asked->q[i], &over);
		e->mean += over / k->asked->n;
	}
}

/*
 * Half-widths of D(j), which its noise passes with probability gamma / 2 at most: those of the
 * step before, if variances are its.  NULL: no memory.
 */
static const double *
half_widths(struct dp_quantile *k, unsigned out, uint64_t t, double gamma)
{
	const double widest = dp_law_widest(gamma), q = k->asked->q[out % k->asked->n];
	const double drift = k->m.parts == 0 ? 0 : (k->G + 1) * (k->m.part[0].inner->off.drift +
	    (k->scale > 1 ? 1 / k->scale : 0));
	double of[3] = { [2] = gamma }, *to, v;
	unsigned j;

	if (k->width == NULL && (k->width = calloc(k->m.outputs, (k->G + 4) *
	    sizeof *k->width)) == NULL)
		return NULL;
	to = k->width + (size_t)out * (k->G + 4);
	variances(k, out / k->asked->n, t, of);
	if (memcmp(to, of, sizeof of) != 0)
		for (memcpy(to, of, sizeof of), j = 1; j <= k->G; j++) {
			v = dp_quantile_variance(&k->noise, of, q, j);
			to[3 + j] = v > 0 ? widest * dp_law_spread(v) + 1 + drift : drift;
		}
	return to + 3;
}

/* The first and the last bin that are kept, and what the estimate is in. */
static void
keep_error(const double *width, const double *f, unsigned G, double rank, unsigned in,
    unsigned end[2])
{
	unsigned j;

	end[0] = end[1] = in;
	for (j = 1; j <= G; j++)
		if ((j == G || f[j] - rank >= -width[j]) &&
		    (j == 1 || f[j - 1] - rank <= width[j - 1])) {
			end[0] = j - 1 < end[0] ? j - 1 : end[0];
			end[1] = j - 1 > end[1] ? j - 1 : end[1];
		}
}

/* quantile.c: a quantile's operations (counter/mech.h) that tell of its noise. */
static int
dp_quantile_interval(const struct dp_mech *m, const void *col, unsigned out, uint64_t t,
    double gamma, dp_wide *lo, dp_wide *hi)
{
	struct dp_quantile *k = plan_of_quantile(m);
	const struct dp_bins *b = &k->asked->bins;
	const double q = k->asked->q[out % k->asked->n];
	const double *y = dp_quantile_sums(k, col, out / k->asked->n), *width;
	double f[DP_BINS_MAX + 1];
	unsigned end[2];

	*lo = dp_quantile_rounded(b->edge[0], k->asked->coarse, -1);
	*hi = dp_quantile_rounded(b->edge[b->n] - 1, k->asked->coarse, 1);
	memcpy(f, y, (k->G + 1) * sizeof *f);
	dp_quantile_fit(f + 1, k->G);
	if (!(f[k->G] > 0))
		return 0;
	if ((width = half_widths(k, out, t, gamma)) == NULL)
		return DP_ENOMEM;
	keep_error(width, y, k->G, q * y[k->G], dp_bins_place(b, dp_quantile_find(b, f, q)), end);
	*lo = dp_quantile_rounded(b->edge[end[0]], k->asked->coarse, -1);
	*hi = dp_quantile_rounded(b->edge[end[1] + 1] - 1, k->asked->coarse, 1);
	return 0;
}

/*
 * Widths have the tail of the widest law, and a unit more, so that pairs are no wider; an interval
 * that ends where values do is a box.
 */
static int
apart_quantile(const struct dp_mech *m, const void *col, unsigned out, uint64_t t, double gamma,
    struct dp_law_range *v)
{
	const struct dp_quantile *k = (const void *)m;
	const struct dp_bins *b = &k->asked->bins;

	v->least = dp_quantile_rounded(b->edge[0], k->asked->coarse, -1);
	v->most = dp_quantile_rounded(b->edge[b->n] - 1, k->asked->coarse, 1);
	if (dp_quantile_interval(m, col, out, t, gamma, &v->lo, &v->hi) != 0)
		return DP_ENOMEM;
	v->box = v->lo <= v->least || v->hi >= v->most;
	return 0;
}

/*
 * Numbers of events from which on there are quantiles, by what laws at some steps say: twice the
 * standard deviation of N, and so many that more of them lie beyond the quantile than its place is
 * off by.
 */
static void
find_least(struct dp_quantile *k, const struct dp_mech_rule *rule)
{
	const uint64_t T = rule->report != 0 ? rule->report : 1, at[] = { 1, (T + 1) / 2, T };
	const double *q = k->asked->q;
	double v[2], all, off;
	unsigned w, i, j;

	for (w = 0; w < k->windows; w++)
		for (i = 0; i < 3; i++) {
			variances(k, w, at[i], v);
			all = 2 * sqrt(dp_quantile_variance(&k->noise, v, 0, k->G));
			for (j = 0; j < k->asked->n; j++) {
				(void)worst(k, v, q[j], &off);
				off = sqrt(off) / fmin(q[j], 1 - q[j]);
				k->least[w][j] = fmax(k->least[w][j], fmax(all, off));
			}
		}
}

/*
 * Numbers of events from which on there are quantiles, to k->least: what is printed depends on
 * them, so they are the plan's.
 */
static int
dp_quantile_set_least(struct dp_quantile *k, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	unsigned w, j;

	if (dp_numbers_finds(numbers))
		find_least(k, rule);
	for (w = 0; w < k->windows; w++)
		for (j = 0; j < k->asked->n; j++)
			k->least[w][j] = dp_numbers_new_real(numbers, "printed-from",
			    k->least[w][j], 0, DBL_MAX);
	return dp_numbers_error(numbers);
}

/* What is said of quantiles and histograms (quantile.h). */

/* Error of the grid alone, in the user's units. */
static size_t
note_grid(const struct dp_quantile_asked *a, char *text, size_t size)
{
	static const char *const kind[] = { [DP_BINS_LINEAR] = "linear",
	    [DP_BINS_LOG] = "logarithmic", [DP_BINS_GIVEN] = "given",
	    [DP_BINS_EVEN] = "linear" };
	const struct dp_bins *b = &a->bins;
	const double unit = pow(10, -(double)a->places), wide = (double)dp_bins_widest(b) * unit;

	if (wide == 0)
		return (size_t)snprintf(text, size, "each of %u bins is one value: the bins cost "
		    "nothing", b->n);
	if (b->kind == DP_BINS_LOG)
		return (size_t)snprintf(text, size, "values are told apart by %u logarithmic bins: "
		    "they alone cost at most %.3g %% of a value", b->n,
		    100 * (dp_bins_ratio(b) - 1));
	return (size_t)snprintf(text, size, "values are told apart by %u %s bins: they alone cost "
	    "at most %.3g%s", b->n, kind[b->kind], wide, b->kind != DP_BINS_GIVEN &&
	    b->edge[0] >= 0 ? "; --log-bins tells small values apart" : "");
}

/* "no quantile is printed where the private number of events is below 16 (p50), 160 (p95)" */
static size_t
note_least(const struct dp_quantile *k, char *text, size_t size)
{
	size_t n = (size_t)snprintf(text, size, "no quantile is printed where the private number "
	    "of events is below");
	double most;
	unsigned i, w;

	for (i = 0; i < k->asked->n && n < size; i++) {
		for (most = 0, w = 0; w < k->windows; w++)
			most = fmax(most, k->least[w][i]);
		n += (size_t)snprintf(text + n, size - n, "%s %.3g (p%.6g)", i > 0 ? "," : "",
		    most, 100 * k->asked->q[i]);
	}
	return n;
}

/* The exponential mechanism, for one quantile and few events. */
static size_t
note_rival(const struct dp_quantile *k, char *text, size_t size)
{
	if (k->tree == NULL || k->asked->n != 1)
		return 0;
	return (size_t)snprintf(text, size, "for one quantile of fewer than some 1000 events a "
	    "step the exponential mechanism, which is not built, would be off by fewer: a median "
	    "by a half to a third as many events; it has no interval");
}

/* quantile.c: the i-th sentence of --explain; its length, as snprintf() has it; 0: none. */
static size_t
dp_quantile_note(const struct dp_quantile *k, unsigned i, char *text, size_t size)
{
	if (k->asked->n == 0)
		return 0;
	if (i == 0)
		return note_grid(k->asked, text, size);
	switch (i) {
	case 1:
		return (size_t)snprintf(text, size, "noise is on %s", k->layout->name);
	case 2:
		return note_least(k, text, size);
	case 3:
		return note_rival(k, text, size);
	}
	return 0;
}

static void
describe_say(const struct dp_task *task, const char *what, char *text, size_t size)
{
	struct dp_task of = *task;
	char sums[DP_TASK_TEXT];

	of.statistic = NULL;
	snprintf(text, size, "%s (%s)", what, dp_task_sentence(&of, sums));
}

/* quantile.c: dp_statistic.describe() of both. */
/* "the 0.5 and 0.95 quantiles of events' values, from private numbers of events in bins (..)" */
static void
dp_quantile_describe(const struct dp_task *task, char *text, size_t size)
{
	const struct dp_quantile_asked *a = task->own;
	char what[DP_TASK_TEXT];
	size_t n = 0;
	unsigned i;

	for (i = 0; i < a->n && n < sizeof what / 2; i++)
		n += (size_t)snprintf(what + n, sizeof what - n, "%s%.6g", i == 0 ? "the " :
		    i + 1 < a->n ? ", " : " and ", a->q[i]);
	snprintf(what + n, sizeof what - n, " quantile%s of events' values, from private numbers "
	    "of events in %u bins", a->n > 1 ? "s" : "", a->bins.n);
	describe_say(task, what, text, size);
}

/* quantile.c: dp_statistic.describe() of both. */
static void
dp_histogram_describe(const struct dp_task *task, char *text, size_t size)
{
	const struct dp_quantile_asked *a = task->own;
	char what[DP_TASK_TEXT];

	snprintf(what, sizeof what, "the number of events in each of %u bins", a->bins.n);
	describe_say(task, what, text, size);
}

/* The grid of a histogram (quantile.h). */

#define FAR	((int64_t)1 << 50)	/* n times the width of a range fits a word */

static bool
fits(int64_t lo, int64_t hi, unsigned n)
{
	return lo <= hi && n >= 1 && n <= DP_BINS_MAX && lo > -FAR && hi < FAR;
}

int
dp_bins_linear(struct dp_bins *b, int64_t lo, int64_t hi, unsigned n)
{
	const uint64_t V = (uint64_t)(hi - lo) + 1;
	unsigned i;

	if (!fits(lo, hi, n))
		return DP_EINVAL;
	b->kind = DP_BINS_LINEAR;
	b->n = V < n ? (unsigned)V : n;
	for (i = 0; i <= b->n; i++)
		b->edge[i] = lo + (int64_t)((i * V + b->n - 1) / b->n);
	return 0;
}

int
dp_bins_log(struct dp_bins *b, int64_t lo, int64_t hi, unsigned n)
{
	int64_t edge;
	unsigned i;

	if (!fits(lo, hi, n) || lo < 0 || (lo == 0 && (n == 1 || hi == 0)))
		return DP_EINVAL;
	b->kind = DP_BINS_LOG;
	b->edge[0] = lo;
	b->n = 0;
	if (lo == 0) {		/* a bin of its own */
		b->edge[++b->n] = lo = 1;
		n--;
	}
	for (i = 1; i <= n; i++) {
		edge = i == n ? hi + 1 : (int64_t)llround((double)lo *
		    pow(((double)hi + 1) / (double)lo, (double)i / n));
		if (edge > b->edge[b->n] && (i == n || edge <= hi))
			b->edge[++b->n] = edge;
	}
	return 0;
}

int
dp_bins_given(struct dp_bins *b, const int64_t *edge, unsigned n)
{
	unsigned i;

	if (n < 1 || !fits(edge[0], edge[n], n))
		return DP_EINVAL;
	for (i = 0; i < n; i++)
		if (edge[i] >= edge[i + 1])
			return DP_EINVAL;
	b->kind = DP_BINS_GIVEN;
	b->n = n;
	memcpy(b->edge, edge, (n + 1) * sizeof *edge);
	b->edge[n]++;
	return 0;
}

unsigned
dp_bins_place(const struct dp_bins *b, int64_t value)
{
	const int64_t *at = b->edge;
	unsigned n = b->n, half;

	if (b->kind == DP_BINS_LINEAR)
		return (unsigned)((uint64_t)(value - at[0]) * n / (uint64_t)(at[n] - at[0]));
	for (; n > 1; n -= half) {	/* value lies in one of the n bins from at on */
		half = n / 2;
		at += at[half] <= value ? half : 0;
	}
	return (unsigned)(at - b->edge);
}

int64_t
dp_bins_within(const struct dp_bins *b, unsigned bin, double part)
{
	const double first = (double)b->edge[bin], last = (double)(b->edge[bin + 1] - 1);

	part = b->first ? 0 : fmin(fmax(part, 0), 1);
	return (int64_t)llround(b->kind == DP_BINS_LOG && first > 0 ?
	    first * pow(last / first, part) : first + part * (last - first));
}

int64_t
dp_bins_widest(const struct dp_bins *b)
{
	int64_t most = 0;
	unsigned i;

	for (i = 0; i < b->n; i++)
		if (b->edge[i + 1] - 1 - b->edge[i] > most)
			most = b->edge[i + 1] - 1 - b->edge[i];
	return most;
}

double
dp_bins_ratio(const struct dp_bins *b)
{
	double most = 1;
	unsigned i;

	for (i = b->edge[0] == 0; i < b->n; i++)
		most = fmax(most, (double)(b->edge[i + 1] - 1) / (double)b->edge[i]);
	return most;
}
