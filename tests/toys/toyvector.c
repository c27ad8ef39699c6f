/* SPDX-License-Identifier: ISC */
/*
 * toyvector - many numbers a step: which column has the largest sum so far, and that sum.
 *
 * Noise on every number of every step, all of the budget: x + z is private, what is computed of it
 * post-processing.
 */
#include "run/driver.h"
#include "toy.h"

static const struct dp_statistic largest = {
	.name = "largest", .sentence = "the column with the largest sum since step 1, and that sum",
	.measure = DP_MEASURE_QUANTILE
};

static int
create(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	int e = toy_new(m, rule, o, dp_q_make(1, 1), rule->inputs * sizeof(int64_t));

	if (e == 0)
		(*m)->outputs = 2;
	return e;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	int64_t *sum = col, z;
	size_t i, most = 0;
	int e;

	(void)t;
	for (i = 0; i < m->inputs; i++) {
		if ((e = toy_draw(m, rng, &z)) != 0)
			return e;
		sum[i] += x[i] + z;
		if (sum[i] > sum[most])
			most = i;
	}
	est[0] = (dp_wide)most;
	est[1] = sum[most];
	return 0;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	toy_error(m, (double)T * (double)m->inputs, e);
	e->max *= (double)T;
	e->mean *= (double)T / 2;
	e->worst = T;
}

static const struct dp_mech_ops ops = {
	.name = "noisy", .say.source = "noise on every number", .traits = DP_TRAIT_ENDLESS,
	.tasks = DP_TASK_OWN, .statistic = &largest, .create = create, .step = step, .error = error
};

TOY_REGISTRY(&ops)

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	static const char *const name[] = { "column", "sum" };
	unsigned i;

	(void)o;
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = &largest;
	ask->outputs = 2;
	for (i = 0; i < 2; i++)
		dp_options_output(ask, i, name[i], i == 0 ? DP_OUTPUT_CHOICE : DP_OUTPUT_BIASED);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "toyvector",
		.purpose = "Print the column with the largest sum, and that sum.",
		.synopsis = "{--columns=D | --keys=A,B} ",
		.groups = DP_GROUP_RANGE | DP_GROUP_STATE | DP_GROUP_TIME | DP_GROUP_KEY |
		    DP_GROUP_KEYS | DP_GROUP_COLUMNS | DP_GROUP_BOUND | DP_GROUP_USER,
		.shape = DP_SHAPE_VECTOR, .task = task, .lists = { { "", DP_TASK_OWN, &largest } }
	};

	return dp_tool_main(&tool, argc, argv);
}
