/* SPDX-License-Identifier: ISC */
/*
 * toybefore - printed before the line is read: the column with the smallest noisy sum of what came
 * before.
 *
 * Noise on every number of every step, as toyvector.
 */
#include "run/driver.h"
#include "toy.h"

static const struct dp_statistic smallest = {
	.name = "smallest", .sentence = "the column with the smallest sum before this step",
	.measure = DP_MEASURE_QUANTILE
};

static int
create(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	return toy_new(m, rule, o, dp_q_make(1, 1), rule->inputs * sizeof(int64_t));
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	int64_t *sum = col, z;
	size_t i;
	int e;

	(void)t;
	(void)est;
	for (i = 0; i < m->inputs; i++) {
		if ((e = toy_draw(m, rng, &z)) != 0)
			return e;
		sum[i] += x[i] + z;
	}
	return 0;
}

static int
answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const int64_t *sum = col;
	size_t i, least = 0;

	(void)rng;
	(void)t;
	for (i = 1; i < m->inputs; i++)
		if (sum[i] < sum[least])
			least = i;
	*est = (dp_wide)least;
	return 0;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	toy_error(m, (double)T * (double)m->inputs, e);
}

static const struct dp_mech_ops ops = {
	.name = "leader", .say.source = "noise on every number", .traits = DP_TRAIT_ENDLESS,
	.tasks = DP_TASK_OWN,
	.statistic = &smallest, .create = create, .step = step, .answer = answer, .error = error
};

TOY_REGISTRY(&ops)

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	(void)o;
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = &smallest;
	dp_options_output(ask, 0, NULL, DP_OUTPUT_CHOICE);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "toybefore", .purpose = "Print the column to choose before each line.",
		.synopsis = "--columns=D ",
		.groups = DP_GROUP_RANGE | DP_GROUP_STATE | DP_GROUP_KEYS | DP_GROUP_COLUMNS,
		.shape = DP_SHAPE_VECTOR, .prints = DP_PRINT_BEFORE, .task = task,
		.lists = { { "", DP_TASK_OWN, &smallest } }
	};

	return dp_tool_main(&tool, argc, argv);
}
