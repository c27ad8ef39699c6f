/* SPDX-License-Identifier: ISC */
/*
 * toylevels - a histogram of two levels: how many events had a value in each of 16 bins of the
 * range, for each key if there are any, from running counts of 16 bins and of 4 wide ones.
 *
 * An event is in one bin of each level: two bands, of which the fine one has three fifths of the
 * budget.  A bin is what its counter says and a fourth of what the wide bin has more, or less,
 * than its four.  It is off by 3/4 of its own noise, 1/4 of that of three others and 1/4 of the
 * wide one's: with gamma / 5 for each no more than by their bounds.
 */
#include <math.h>

#include "counter/internal.h"
#include "run/driver.h"
#include "toy.h"

extern const struct dp_mech_ops dp_pan_ops;

enum { BINS = 16, WIDE = 4 };
#define DECIMALS	2
#define UNITS		100

static const struct dp_statistic levels = {
	.name = "levels", .sentence = "events in each bin since step 1",
	.measure = DP_MEASURE_QUANTILE
};

static int
create(struct dp_mech **out, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	static const struct dp_mech_ops *const counter[] = { &dp_pan_ops, &dp_pan_ops };
	static const struct dp_q share[] = { { 3, 5 }, { 2, 5 } };
	struct dp_mech *m = dp_mech_alloc(o, sizeof *m, rule->horizon, 0);
	int e;

	if (m == NULL)
		return DP_ENOMEM;
	if ((e = dp_parts_create(m, rule, counter, share)) != 0) {
		dp_mech_free(m);
		return e;
	}
	m->outputs = BINS;
	m->estimate.decimals = DECIMALS;
	*out = m;
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const dp_wide *y = dp_parts_numbers(m, col), *four;
	unsigned i;
	int e;

	if ((e = dp_parts_step(m, col, rng, t, x)) != 0)
		return e;
	for (i = 0; i < m->outputs; i++) {
		four = y + i / WIDE * WIDE;
		est[i] = UNITS * y[i] + UNITS / WIDE * (y[BINS + i / WIDE] -
		    four[0] - four[1] - four[2] - four[3]);
	}
	return 0;
}

static double
off(const struct dp_mech *m, uint64_t t, double gamma)
{
	return 1.5 * dp_parts_bound(m, 0, t, gamma / 5) + .25 * dp_parts_bound(m, 1, t, gamma / 5);
}

static int
interval(const struct dp_mech *m, const void *col, unsigned i, uint64_t t, double gamma,
    dp_wide *lo, dp_wide *hi)
{
	const dp_wide *y = dp_parts_numbers(m, col), *four = y + i / WIDE * WIDE;
	const dp_wide est = UNITS * y[i] + UNITS / WIDE * (y[BINS + i / WIDE] -
	    four[0] - four[1] - four[2] - four[3]);
	const double w = off(m, t, gamma);

	if (isnan(w))
		return DP_ENOMEM;
	*lo = est - (dp_wide)ceil(UNITS * w);
	*hi = est + (dp_wide)ceil(UNITS * w);
	return 0;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	e->max = e->mean = off(m, T, .05);
	e->worst = T;
}

static const struct dp_mech_ops ops = {
	.name = "levels", .say.source = "two levels of pan-private counts",
	.traits = DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .tasks = DP_TASK_OWN, .statistic = &levels,
	.create = create, .step = step, .open.add = dp_parts_add, .valid = dp_parts_valid,
	.bound.interval = interval, .error = error
};

TOY_REGISTRY(&ops)

static size_t
bins(const struct dp_options *o, unsigned band)
{
	(void)o;
	return band == 0 ? BINS : WIDE;
}

static uint64_t
one(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return 1;
}

static unsigned
place(const struct dp_options *o, int64_t value, struct dp_term *x)
{
	const dp_wide values = (dp_wide)o->range.hi - o->range.lo + 1;
	const size_t bin = (size_t)((dp_wide)(value - o->range.lo) * BINS / values);

	x[0] = (struct dp_term){ bin, 1 };
	x[1] = (struct dp_term){ BINS + bin / WIDE, 1 };
	return 2;
}

static const struct dp_contributions adds = { 2, bins, one, 2, place, NULL };

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	(void)o;
	static const char *const name[BINS] = { "1", "2", "3", "4", "5", "6", "7", "8", "9", "10",
	    "11", "12", "13", "14", "15", "16" };

	toy_outputs(ask, &levels, name, BINS);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "toylevels",
		.purpose = "Print how many values so far were in each of 16 bins.",
		.synopsis = "",
		.groups = TOY_CONTRIBUTIONS,
		.words.noun = { "count", "count" },
		.shape = DP_SHAPE_CONTRIBUTIONS, .adds = &adds, .task = task,
		.lists = { { "", DP_TASK_OWN, &levels } }
	};

	return dp_tool_main(&tool, argc, argv);
}
