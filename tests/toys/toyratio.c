/* SPDX-License-Identifier: ISC */
/*
 * toyratio - a statistic made of private numbers: the mean of events' values in a range, for each
 * key if there are any, from two running counts, A of value - LO and B of HI - value.
 *
 * Each event adds HI - LO to both together, so each counter may have noise for the whole budget
 * (neighbour.h, CONTRIBUTIONS): one band of two numbers.  The counters are pan-private trees; what
 * is computed of them is post-processing: LO + (HI - LO) A / (A + B), in the middle where A + B is
 * no more than 0.  With A and B each in an interval of confidence 1 - gamma / 2, A / (A + B) is
 * between what both pairs of opposite ends give.
 */
#include <math.h>

#include "counter/internal.h"
#include "run/driver.h"
#include "toy.h"

extern const struct dp_mech_ops dp_pan_ops;

#define DECIMALS	3
#define UNITS		1000

static const struct dp_statistic mean = {
	.name = "mean", .sentence = "mean of all values since step 1",
	.measure = DP_MEASURE_QUANTILE
};

struct ratio {
	struct dp_mech m;
	int64_t lo, hi;
};

static int
create(struct dp_mech **out, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	static const struct dp_mech_ops *const counter[] = { &dp_pan_ops };
	static const struct dp_q whole[] = { { 1, 1 } };
	struct ratio *k = dp_mech_alloc(o, sizeof *k, rule->horizon, 0);
	int e;

	if (k == NULL)
		return DP_ENOMEM;
	if ((e = dp_parts_create(&k->m, rule, counter, whole)) != 0) {
		dp_mech_free(&k->m);
		return e;
	}
	k->m.estimate.decimals = DECIMALS;
	k->lo = rule->lo;
	k->hi = rule->hi;
	*out = &k->m;
	return 0;
}

/* A / (A + B), in units of the estimate. */
static double
mean_of(const struct dp_mech *m, double a, double b)
{
	const struct ratio *k = (const void *)m;
	double r = a + b > 0 ? a / (a + b) : .5;

	r = r < 0 ? 0 : r > 1 ? 1 : r;
	return UNITS * ((double)k->lo + r * (double)(k->hi - k->lo));
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const dp_wide *y = dp_parts_numbers(m, col);
	const int e = dp_parts_step(m, col, rng, t, x);

	if (e == 0)
		*est = (dp_wide)mean_of(m, (double)y[0], (double)y[1]);
	return e;
}

static int
interval(const struct dp_mech *m, const void *col, unsigned i, uint64_t t, double gamma,
    dp_wide *lo, dp_wide *hi)
{
	const double q = dp_parts_bound(m, 0, t, gamma / 2);
	const double a = (double)dp_parts_numbers(m, col)[0];
	const double b = (double)dp_parts_numbers(m, col)[1];

	if (isnan(q))
		return DP_ENOMEM;
	(void)i;
	*lo = a - q > 0 ? (dp_wide)floor(mean_of(m, a - q, fmax(b + q, 0))) :
	    ((const struct ratio *)(const void *)m)->lo * UNITS;
	*hi = b - q > 0 ? (dp_wide)ceil(mean_of(m, fmax(a + q, 0), b - q)) :
	    ((const struct ratio *)(const void *)m)->hi * UNITS;
	return 0;
}

/* Off by no more than all of the range. */
static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct ratio *k = (const void *)m;

	e->max = e->mean = (double)(k->hi - k->lo);
	e->worst = T;
}

static const struct dp_mech_ops ops = {
	.name = "ratio", .say.source = "the ratio of two pan-private counts",
	.traits = DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .tasks = DP_TASK_OWN, .statistic = &mean,
	.create = create, .step = step, .open.add = dp_parts_add, .valid = dp_parts_valid,
	.bound.interval = interval, .error = error
};

TOY_REGISTRY(&ops)

static size_t
two(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return 2;
}

static uint64_t
most(const struct dp_options *o, unsigned band)
{
	(void)band;
	return (uint64_t)(o->range.hi - o->range.lo);
}

static unsigned
split(const struct dp_options *o, int64_t value, struct dp_term *x)
{
	x[0] = (struct dp_term){ 0, value - o->range.lo };
	x[1] = (struct dp_term){ 1, o->range.hi - value };
	return 2;
}

static const struct dp_contributions adds = { 1, two, most, 2, split, NULL };

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	static const char *const name[] = { "mean" };

	(void)o;
	toy_outputs(ask, &mean, name, 1);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "toyratio",
		.purpose = "Print the mean of all values so far.",
		.synopsis = "",
		.groups = TOY_CONTRIBUTIONS,
		.words.noun = { "mean", "mean" },
		.shape = DP_SHAPE_CONTRIBUTIONS, .adds = &adds, .task = task,
		.lists = { { "", DP_TASK_OWN, &mean } }
	};

	return dp_tool_main(&tool, argc, argv);
}
