/* SPDX-License-Identifier: ISC */
/*
 * toyend - everything, then one answer: the sum of all numbers in all columns.
 *
 * One unit moves it by at most l1; there is one answer, and it spends the budget.
 */
#include "run/driver.h"
#include "toy.h"

static const struct dp_statistic total = {
	.name = "total", .sentence = "the sum of all numbers, once", .measure = DP_MEASURE_QUANTILE
};

static int
create(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	return toy_new(m, rule, o, dp_q_make(1, 1), sizeof(dp_wide));
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	dp_wide *sum = col;
	size_t i;

	(void)rng;
	(void)t;
	(void)est;
	for (i = 0; i < m->inputs; i++)
		*sum += x[i];
	return 0;
}

static int
answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const dp_wide *sum = col;
	int64_t z;
	int e = toy_draw(m, rng, &z);

	(void)t;
	*est = *sum + z;
	return e;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	(void)T;
	toy_error(m, 1, e);
}

static const struct dp_mech_ops ops = {
	.name = "once", .say.source = "noise on the sum", .traits = DP_TRAIT_ENDLESS,
	.tasks = DP_TASK_OWN,
	.statistic = &total, .create = create, .step = step, .answer = answer, .error = error
};

TOY_REGISTRY(&ops)

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	(void)o;
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = &total;
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "toyend", .purpose = "Print the sum of all numbers, once.",
		.synopsis = "--columns=D ",
		.groups = DP_GROUP_RANGE | DP_GROUP_STATE | DP_GROUP_TIME | DP_GROUP_COLUMNS,
		.shape = DP_SHAPE_VECTOR, .prints = DP_PRINT_END, .task = task,
		.lists = { { "", DP_TASK_OWN, &total } }
	};

	return dp_tool_main(&tool, argc, argv);
}
