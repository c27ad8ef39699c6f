/* SPDX-License-Identifier: ISC */
/* dropped.c - the share of events that --per-user leaves out (dropped.h). */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "counter/width.h"
#include "dropped.h"
#include "internal.h"
#include "mean.h"

#define FINER	16
#define FAR	((uint64_t)1 << 50)	/* no reach is as far */
#define UNITS	1e6			/* 10^DP_DROPPED_DECIMALS */

/* Weights for a reach of R each, rounded down; true: nothing is rounded. */
static bool
weigh(struct dp_dropped_asked *k, const uint64_t *each, uint64_t R)
{
	bool whole = true;
	unsigned i;

	k->reach = R;
	for (i = 0; i < k->numbers; i++) {
		k->weight[i] = R / each[i];
		whole &= R % each[i] == 0;
	}
	return whole;
}

void
dp_dropped_ask(struct dp_dropped_asked *k, uint64_t most, uint64_t left, int64_t lo, int64_t hi,
    unsigned places)
{
	const uint64_t below = lo < 0 ? -(uint64_t)lo : 0, above = hi > 0 ? (uint64_t)hi : 1;
	const uint64_t M = below > above ? below : above;
	uint64_t each[DP_DROPPED_NUMBERS], R;
	unsigned f, finest;

	*k = (struct dp_dropped_asked){ .most = most, .left = left, .places = places };
	if (lo != 0 || hi != 1 || places != 0)
		each[k->numbers++] = M < FAR / most ? most * M : FAR;
	each[k->numbers++] = most;
	each[k->numbers++] = left;
	R = each[0] > left ? each[0] : left;
	finest = R < FAR / FINER / k->numbers ? FINER : 1;
	for (f = 1; !weigh(k, each, f * R) && f < finest; f++)
		;
}

void
dp_dropped_split(const struct dp_dropped_asked *k, int64_t value, int64_t *x)
{
	x[0] = value * (int64_t)k->weight[0];
	x[k->numbers - 2] = k->numbers == 2 ? x[0] : (int64_t)k->weight[1];
}

struct dropped {
	struct dp_mech m;
	const struct dp_dropped_asked *asked;
	unsigned windows;
	double kept, left;		/* weights of the two */
	double scale;			/* what a private number is in units of */
	dp_wide one;			/* the weight of a count or a sum, in these units */
	double least[DP_WINDOWS_MAX];	/* a share is printed from this A + B on */
	uint64_t report;		/* steps that are looked at are up to here */
	struct dp_mean_law *law;	/* the last one of each window */
	struct dp_law *of;
	struct dp_widths *widths;	/* of that confidence; or NULL */
	double gamma;
};

static struct dropped *
plan_of_dropped(const struct dp_mech *m)
{
	return (void *)(uintptr_t)m;
}

/* The private numbers of a window: a A and b B. */
static void
read_both(const struct dropped *k, const void *col, unsigned window, double b[2])
{
	const dp_wide *y = dp_parts_numbers(&k->m, col);
	unsigned i;

	for (i = 0; i < 2; i++)
		b[i] = (double)y[(k->asked->numbers - 2 + i) * k->windows + window] / k->scale;
}

/* y / w, down; w > 0. */
static dp_wide
below(dp_wide y, dp_wide w)
{
	return y / w - (y % w < 0);
}

/* No share is above it (dropped.h). */
static double
most_of_all(const struct dropped *k)
{
	return (double)k->asked->left / ((double)k->asked->most + (double)k->asked->left);
}

/* B / (A + B) from the share of both as they are. */
static double
share(const struct dropped *k, double s)
{
	const double left = s / k->left, kept = (1 - s) / k->kept;

	return fmin(left / (left + kept), most_of_all(k));
}

static dp_wide
estimate_of(const struct dropped *k, unsigned window, const double *b)
{
	const double all = b[0] / k->kept + b[1] / k->left;

	if (!(all > 0) || all < k->least[window])
		return DP_NONE;
	return (dp_wide)rint(UNITS * fmin(fmax(b[1] / k->left / all, 0), most_of_all(k)));
}

static int
dropped_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dropped *k = plan_of_dropped(m);
	const dp_wide *y = dp_parts_numbers(m, col);
	double b[2];
	unsigned w;
	int e;

	if ((e = dp_parts_step(m, col, rng, t, x)) != 0)
		return e;
	for (w = 0; w < k->windows; w++) {
		read_both(k, col, w, b);
		*est++ = below(2 * y[w] + k->one, 2 * k->one);
		*est++ = estimate_of(k, w, b);
	}
	return 0;
}

/* What a private number may be off besides its noise. */
static double
drift_of(const struct dropped *k)
{
	return k->m.part->inner->off.drift + (k->scale > 1 ? 1 / k->scale : 0);
}

/* Of a count or a sum: by the law of its noise. */
static int
ends_of_first(struct dropped *k, dp_wide y, unsigned window, uint64_t t, double gamma, dp_wide *lo,
    dp_wide *hi)
{
	double w;
	int e;

	if (k->widths == NULL || k->gamma != gamma) {
		dp_widths_free(k->widths);
		k->widths = NULL;
		if ((e = dp_widths_create(&k->widths, k->m.part->inner, gamma)) != 0)
			return e;
		k->gamma = gamma;
	}
	if ((e = dp_widths_at(k->widths, window, t, &w)) != 0)
		return e;
	w = ceil((w + drift_of(k)) * k->scale);
	*lo = below(y - (dp_wide)w, k->one);
	*hi = -below(-y - (dp_wide)w, k->one);
	return 0;
}

/* Laws of equal variance are one (counter/width.h). */
static int
ends_of_share(struct dropped *k, const double *b, unsigned window, uint64_t t, double gamma,
    dp_wide *lo, dp_wide *hi)
{
	static const struct dp_mean_asked shares = { .lo = 0, .hi = 1, .n = 1,
	    .what = { DP_MEAN_MEAN } };
	const struct dp_mean_noise z = { k->of, drift_of(k), k->scale == 1, 1 };
	struct dp_mean_law *l = &k->law[window];
	double end[2];
	int e;

	dp_mech_law(k->m.part->inner, window, t, k->of);
	if ((l->gamma != gamma || l->variance != dp_law_variance(k->of)) &&
	    (e = dp_mean_law(l, &shares, z, gamma, false)) != 0)
		return e;
	dp_mean_hull(l, b, 2, end);
	*lo = (dp_wide)floor(UNITS * share(k, end[0]));
	*hi = (dp_wide)ceil(UNITS * share(k, end[1]));
	return 0;
}

static int
interval(const struct dp_mech *m, const void *col, unsigned out, uint64_t t, double gamma,
    dp_wide *lo, dp_wide *hi)
{
	struct dropped *k = plan_of_dropped(m);
	const unsigned window = out / 2;
	double b[2];

	if (out % 2 == 0)
		return ends_of_first(k, dp_parts_numbers(m, col)[window], window, t, gamma, lo, hi);
	read_both(k, col, window, b);
	return ends_of_share(k, b, window, t, gamma, lo, hi);
}

/* Of a count or a sum, whatever the output is, in units of its weight. */
static void
law_dropped(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	dp_mech_law(m->part->inner, out / 2, t, l);
}

static void
dropped_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_mech_error(m->part->inner, T, e);
}

/* The i-th sentence; v: the largest variance of a private number, least: what a share needs. */
static bool
said_of(const struct dropped *k, unsigned i, double v, double least, char *text, size_t size)
{
	const struct dp_dropped_asked *a = k->asked;
	const double none = sqrt(v) / k->left, half = sqrt(v) / 2 * hypot(1 / k->left, 1 / k->kept);

	switch (i) {
	case 0:
		snprintf(text, size, "--dropped has %s, so a %s has %s the noise that it has "
		    "without --dropped (Gaussian noise: sqrt(%u) times as much)", a->numbers == 2 ?
		    "a second private number, of events that are left out, for half of the budget" :
		    "two more private numbers, of events that count and of those that are left "
		    "out, for a third of the budget each", a->numbers == 2 ? "count" : "sum",
		    a->numbers == 2 ? "twice" : "three times", a->numbers);
		return true;
	case 1:
		snprintf(text, size, "of a user's events in a step the first %llu count, the "
	    "%llu after these are left out, and later ones are not looked at: no share is above "
	    "%.4g", (unsigned long long)a->most, (unsigned long long)a->left,
		    most_of_all(k));
		return true;
	case 2:
		snprintf(text, size, "a share of N events is off by some %.3g/N where none is left "
		    "out, %.3g/N where half of them are: %.3g and %.3g for 10000", none, half,
		    none / 1e4, half / 1e4);
		return true;
	case 3:
		snprintf(text, size, "no share is printed where the private number of events is "
		    "below %.3g", least);
		return true;
	}
	return false;
}

static bool
dropped_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct dropped *k = plan_of_dropped(m);
	double v = 0, least = 0;
	unsigned w;

	(void)unit;
	for (w = 0; w < k->windows; w++) {
		v = fmax(v, dp_largest_variance(m->part->inner, w, k->report, k->of));
		least = fmax(least, k->least[w]);
	}
	return said_of(k, i, v, least, text, size);
}

static void
dropped_destroy(struct dp_mech *m)
{
	free(plan_of_dropped(m)->law);
	free(plan_of_dropped(m)->of);
	dp_widths_free(plan_of_dropped(m)->widths);
}

static const struct dp_mech_ops ops = {
	.name = "dropped", .say.source = "computed of private numbers", .step = dropped_step,
	.open.add = dp_parts_add, .valid = dp_parts_valid, .law.at = law_dropped,
	.bound.interval = interval, .error = dropped_error, .say.note = dropped_note,
	.destroy = dropped_destroy, .drawn.certify = dp_certificate_parts
};

/* What the numbers are to be told from: twice the standard deviation of A + B. */
static int
set_least(struct dropped *k, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	double v = 0;
	unsigned i;

	for (i = 0; i < k->asked->numbers; i++)
		dp_numbers_same(numbers, "weight", k->asked->weight[i]);
	k->report = rule->report;
	for (i = 0; i < k->windows; i++) {
		if (dp_numbers_finds(numbers))
			v = dp_largest_variance(k->m.part->inner, i, k->report, k->of);
		k->least[i] = dp_numbers_new_real(numbers, "printed-from",
		    2 * sqrt(v) * hypot(1 / k->kept, 1 / k->left), 0, DBL_MAX);
	}
	return dp_numbers_error(numbers);
}

static int
dropped_make(struct dp_mech **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	static const struct dp_q whole[] = { { 1, 1 } };
	const struct dp_dropped_asked *asked = rule->task.own;
	struct dropped *k = dp_mech_alloc(&ops, sizeof *k, rule->horizon, 0);
	const struct dp_mech *in;
	int e;

	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	if ((e = dp_parts_create(&k->m, rule, &counter, whole)) != 0)
		return e;
	in = k->m.part->inner;
	k->asked = asked;
	k->windows = in->outputs;
	k->kept = (double)asked->weight[asked->numbers - 2];
	k->left = (double)asked->weight[asked->numbers - 1];
	k->scale = pow(10, in->estimate.decimals);
	k->one = (dp_wide)k->scale * (dp_wide)asked->weight[0];
	k->m.outputs = 2 * k->windows;
	k->m.estimate.alike = 2;
	k->m.estimate.decimals = DP_DROPPED_DECIMALS;
	k->m.estimate.gaps = true;
	k->m.drawn.distribution = in->drawn.distribution;
	k->law = calloc(k->windows, sizeof *k->law);
	k->of = malloc(sizeof *k->of);
	if (k->law == NULL || k->of == NULL)
		return DP_ENOMEM;
	return set_least(k, rule);
}

/* "count, and the share of events that -c leaves out (sum of the last 7 steps)" */
static void
dropped_describe(const struct dp_task *task, char *text, size_t size)
{
	const struct dp_dropped_asked *k = task->own;
	struct dp_task of = *task;
	char sums[DP_TASK_TEXT];

	of.statistic = NULL;
	snprintf(text, size, "%s of events that count, and the share of events that -c leaves out "
	    "(%s)", k->numbers == 2 ? "number" : "sum", dp_task_sentence(&of, sums));
}

static double
dropped_unit(const struct dp_task *task)
{
	const struct dp_dropped_asked *k = task->own;

	return pow(10, -(double)k->places) / (double)k->weight[0];
}

const struct dp_statistic dp_dropped_statistic = {
	.name = "dropped", .describe = dropped_describe, .measure = DP_MEASURE_RMSE,
	.unit = dropped_unit, .make = dropped_make
};
