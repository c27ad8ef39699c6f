/* SPDX-License-Identifier: ISC */
/* magnitude.c - sums of values whose range nobody knows (magnitude.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "magnitude.h"

#define FALSE_CLAMPS	1e-5	/* of steps that have one, by noise alone */

struct magnitude {
	struct dp_mech m;
	unsigned top, digits, windows;
	double least[DP_WINDOWS_MAX];	/* of a column that is above noise */
	dp_wide unit;			/* of estimates: 10^decimals */
	struct dp_law *law;
};

static struct magnitude *
plan_of_magnitude(const struct dp_mech *m)
{
	return (void *)(uintptr_t)m;
}

size_t
dp_magnitude_columns(const struct dp_magnitude_asked *k)
{
	return 2 * (k->top + 1);
}

size_t
dp_magnitude_place(const struct dp_magnitude_asked *k, int64_t value, int64_t *adds)
{
	const uint64_t most = (uint64_t)1 << k->top;
	const unsigned S = k->digits;
	uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
	unsigned j;

	size = size < most ? size : most;
	j = dp_ceil_log2(size);
	*adds = (int64_t)(j <= S ? size << (S - j) :
	    (size + ((uint64_t)1 << (j - S - 1))) >> (j - S));
	return (value < 0 ? k->top + 1 : 0) + j;
}

/* The private columns of a sign up to the highest that is above noise; *clamp: 2^J, if larger. */
static dp_wide
sum_of(const struct magnitude *k, const dp_wide *y, unsigned window, dp_wide *clamp)
{
	dp_wide sum = 0, one;
	unsigned j = k->top + 1, shift;

	while (j > 0 && !((double)y[(j - 1) * k->windows + window] > k->least[window]))
		j--;
	if (j > 0 && (dp_wide)1 << (j - 1) > *clamp)
		*clamp = (dp_wide)1 << (j - 1);
	for (; j > 0; j--) {	/* y 2^(j - 1 - S), to the nearest */
		one = y[(j - 1) * k->windows + window];
		shift = k->digits > j - 1 ? k->digits - (j - 1) : 0;
		sum += shift > 0 ? (one + ((dp_wide)1 << (shift - 1))) >> shift :
		    one * ((dp_wide)1 << (j - 1 - k->digits));
	}
	return sum;
}

static int
magnitude_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct magnitude *k = plan_of_magnitude(m);
	const dp_wide *y = dp_parts_numbers(m, col);
	dp_wide clamp;
	unsigned w;
	int e;

	if ((e = dp_parts_step(m, col, rng, t, x)) != 0)
		return e;
	for (w = 0; w < k->windows; w++) {
		clamp = 0;
		est[0] = sum_of(k, y, w, &clamp);
		est[0] -= sum_of(k, y + (k->top + 1) * k->windows, w, &clamp);
		est[1] = clamp * k->unit;
		est += 2;
	}
	return 0;
}

/* Of a sum of one sign, at most: 4/3 V, of columns; the clamp is 2^S of their units. */
static void
law_magnitude(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct magnitude *k = plan_of_magnitude(m);

	dp_mech_law(m->part->inner, out / 2, t, k->law);
	dp_law_part(l, &(struct dp_law_part){ .variance = 4 * dp_law_variance(k->law) / 3 });
}

static void
magnitude_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_mech_error(m->part->inner, T, e);
	e->max *= 4. / 3;
	e->mean *= 4. / 3;
}

static bool
magnitude_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	static const char *const said[] = {
		"the clamp, a power of two, is chosen on every line: the largest whose values' sum "
		    "is above what noise alone reaches in one line of 100000; that costs 15 % more "
		    "noise than to know it beforehand",
		"values above the clamp are left out of a sum, and no number here tells how much "
		    "they come to: a sum that hangs on a few large values cannot be had"
	};

	(void)m;
	(void)unit;
	if (i >= sizeof said / sizeof *said)
		return false;
	snprintf(text, size, "%s", said[i]);
	return true;
}

static void
magnitude_destroy(struct dp_mech *m)
{
	free(plan_of_magnitude(m)->law);
}

static const struct dp_mech_ops ops = {
	.name = "magnitude", .say.source = "computed of private sums by magnitude", .step =
	    magnitude_step,
	.open.add = dp_parts_add, .valid = dp_parts_valid, .law.at = law_magnitude, .error =
	    magnitude_error,
	.say.note = magnitude_note, .destroy = magnitude_destroy, .drawn.certify =
	    dp_certificate_parts
};

static int
magnitude_make(struct dp_mech **out, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *counter)
{
	static const struct dp_q whole[] = { { 1, 1 } };
	const struct dp_magnitude_asked *asked = rule->task.own;
	const uint64_t T = rule->report != 0 ? rule->report : 1, at[] = { 1, (T + 1) / 2, T };
	struct magnitude *k = dp_mech_alloc(&ops, sizeof *k, rule->horizon, 0);
	unsigned w, i;
	double bound;
	int e;

	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	if ((e = dp_parts_create(&k->m, rule, &counter, whole)) != 0)
		return e;
	dp_numbers_same(rule->privacy.numbers, "top", asked->top);
	dp_numbers_same(rule->privacy.numbers, "digits", asked->digits);
	k->top = asked->top;
	k->digits = asked->digits;
	k->windows = k->m.part->inner->outputs;
	k->m.outputs = 2 * k->windows;
	k->m.estimate.alike = 2;
	k->m.estimate.decimals = k->m.part->inner->estimate.decimals;
	k->m.drawn.distribution = k->m.part->inner->drawn.distribution;
	if ((k->law = malloc(sizeof *k->law)) == NULL)
		return DP_ENOMEM;
	for (k->unit = 1, i = 0; i < k->m.estimate.decimals; i++)
		k->unit *= 10;
	for (w = 0; w < k->windows; w++)
		for (i = 0; i < 3; i++) {
			dp_mech_law(k->m.part->inner, w, at[i], k->law);
			bound = dp_law_bound(k->law, FALSE_CLAMPS / (2 * (k->top + 1)));
			if (isnan(bound))
				return DP_ENOMEM;
			k->least[w] = fmax(k->least[w], bound * (double)k->unit);
		}
	return 0;
}

static void
magnitude_describe(const struct dp_task *task, char *text, size_t size)
{
	struct dp_task of = *task;
	char sums[DP_TASK_TEXT];

	of.statistic = NULL;
	snprintf(text, size, "sums of values whose range nobody knows (%s), and the clamp of each",
	    dp_task_sentence(&of, sums));
}

static double
clamp_unit(const struct dp_task *task)
{
	return ldexp(1, -(int)((const struct dp_magnitude_asked *)task->own)->digits);
}

const struct dp_statistic dp_magnitude_statistic = {
	.name = "magnitude", .describe = magnitude_describe, .measure = DP_MEASURE_RMSE, .unit =
	    clamp_unit,
	.noun = "sum, divided by its clamp,", .error = "the error of a sum, divided by its clamp,",
	.make = magnitude_make
};
