/* SPDX-License-Identifier: ISC */
/*
 * toymoments - a statistic of three parts with reaches of their own: how many events there were,
 * and the mean and the variance of their values, for each key if there are any, from running
 * counts of 1, of v = value - LO and of v^2.
 *
 * An event adds at most 1, M = HI - LO and M^2: three bands, each with a third of the budget.
 */
#include <math.h>

#include "counter/internal.h"
#include "run/driver.h"
#include "toy.h"

extern const struct dp_mech_ops dp_pan_ops;

#define DECIMALS	3
#define UNITS		1000

static const struct dp_statistic moments = {
	.name = "moments", .sentence = "number, mean and variance of all values since step 1",
	.measure = DP_MEASURE_QUANTILE
};

struct moments {
	struct dp_mech m;
	int64_t lo, hi;
};

static int
create(struct dp_mech **out, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	static const struct dp_mech_ops *const counter[] = { &dp_pan_ops, &dp_pan_ops,
	    &dp_pan_ops };
	static const struct dp_q third[] = { { 1, 3 }, { 1, 3 }, { 1, 3 } };
	struct moments *k = dp_mech_alloc(o, sizeof *k, rule->horizon, 0);
	int e;

	if (k == NULL)
		return DP_ENOMEM;
	if ((e = dp_parts_create(&k->m, rule, counter, third)) != 0) {
		dp_mech_free(&k->m);
		return e;
	}
	k->m.outputs = 3;
	k->m.estimate.decimals = DECIMALS;
	k->lo = rule->lo;
	k->hi = rule->hi;
	*out = &k->m;
	return 0;
}

/* The i-th moment, in units of the estimate, of numbers each in its place. */
static double
moment(const struct dp_mech *m, unsigned i, double n, double sum, double squares)
{
	const struct moments *k = (const void *)m;
	const double most = (double)(k->hi - k->lo);
	double mean = n > 0 ? fmin(fmax(sum / n, 0), most) : most / 2;

	switch (i) {
	case 0:
		return UNITS * n;
	case 1:
		return UNITS * ((double)k->lo + mean);
	default:
		return UNITS * (n > 0 ? fmin(fmax(squares / n - mean * mean, 0), most * most / 4) :
		    0);
	}
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const dp_wide *y = dp_parts_numbers(m, col);
	unsigned i;
	int e;

	if ((e = dp_parts_step(m, col, rng, t, x)) != 0)
		return e;
	for (i = 0; i < m->outputs; i++)
		est[i] = (dp_wide)rint(moment(m, i, (double)y[0], (double)y[1],
		    (double)y[2]));
	return 0;
}

/* The number: its own law.  The others: all that the range allows. */
static int
interval(const struct dp_mech *m, const void *col, unsigned i, uint64_t t, double gamma,
    dp_wide *lo, dp_wide *hi)
{
	const struct moments *k = (const void *)m;
	const int64_t most = k->hi - k->lo;
	const double q = dp_parts_bound(m, 0, t, gamma);

	if (isnan(q))
		return DP_ENOMEM;
	*lo = i == 0 ? UNITS * (dp_parts_numbers(m, col)[i] - (dp_wide)q) :
	    i == 1 ? UNITS * k->lo : 0;
	*hi = i == 0 ? UNITS * (dp_parts_numbers(m, col)[i] + (dp_wide)q) :
	    i == 1 ? UNITS * k->hi : UNITS * ((dp_wide)most * most / 4 + 1);
	return 0;
}

/* What the number is off, which is all that is promised. */
static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	e->max = e->mean = dp_parts_bound(m, 0, T, .05);
	e->worst = T;
}

static const struct dp_mech_ops ops = {
	.name = "moments", .say.source = "three pan-private counts",
	.traits = DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .tasks = DP_TASK_OWN, .statistic = &moments,
	.create = create, .step = step, .open.add = dp_parts_add, .valid = dp_parts_valid,
	.bound.interval = interval, .error = error
};

TOY_REGISTRY(&ops)

static size_t
one(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return 1;
}

static uint64_t
most(const struct dp_options *o, unsigned band)
{
	const uint64_t range = (uint64_t)(o->range.hi - o->range.lo);

	return band == 0 ? 1 : band == 1 ? range : range * range;
}

static unsigned
powers(const struct dp_options *o, int64_t value, struct dp_term *x)
{
	const int64_t v = value - o->range.lo;

	x[0] = (struct dp_term){ 0, 1 };
	x[1] = (struct dp_term){ 1, v };
	x[2] = (struct dp_term){ 2, v * v };
	return 3;
}

static const struct dp_contributions adds = { 3, one, most, 3, powers, NULL };

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	static const char *const name[] = { "count", "mean", "variance" };

	(void)o;
	if ((uint64_t)(ask->range.hi - ask->range.lo) >= (uint64_t)1 << 24)
		dp_die(DP_EX_USAGE,
		    "--range: wider than 2^24 grid units, whose square is too large");
	toy_outputs(ask, &moments, name, 3);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "toymoments",
		.purpose = "Print the number, mean and variance of all values so far.",
		.synopsis = "",
		.groups = TOY_CONTRIBUTIONS,
		.words.noun = { "number", "number" },
		.shape = DP_SHAPE_CONTRIBUTIONS, .adds = &adds, .task = task,
		.lists = { { "", DP_TASK_OWN, &moments } }
	};

	return dp_tool_main(&tool, argc, argv);
}
