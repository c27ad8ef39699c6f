/* SPDX-License-Identifier: ISC */
/*
 * toyid - an identifier a step: how many of 256 cells hold one so far.
 *
 * An identifier more or less moves one cell, another one in its place two: l1 says which, and the
 * answer moves by no more.  Each of at most T answers spends 1/T of the budget.
 */
#include "run/driver.h"
#include "toy.h"

#define CELLS	256

static const struct dp_statistic cells = {
	.name = "cells", .sentence = "cells of 256 that hold an identifier",
	.measure = DP_MEASURE_QUANTILE
};

static int
create(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	return rule->horizon == 0 ? DP_EINVAL :
	    toy_new(m, rule, o, dp_q_make(1, rule->horizon), CELLS * sizeof(int64_t));
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	(void)m;
	(void)rng;
	((int64_t *)col)[id->word[0] % CELLS] += id->sign;
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	(void)m;
	(void)col;
	(void)rng;
	(void)t;
	(void)x;
	(void)est;
	return 0;
}

static int
answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const int64_t *cell = col;
	int64_t z;
	int i, e;

	(void)t;
	if ((e = toy_draw(m, rng, &z)) != 0)
		return e;
	for (*est = z, i = 0; i < CELLS; i++)
		*est += cell[i] != 0;
	return 0;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	toy_error(m, (double)T, e);
}

static const struct dp_mech_ops ops = {
	.name = "cells", .say.source = "noise on every count of cells", .traits = 0,
	.tasks = DP_TASK_OWN, .statistic = &cells,
	.create = create, .step = step, .answer = answer, .open.see = see, .error = error
};

TOY_REGISTRY(&ops)

static const struct dp_own own[] = {
	[0] = { 0, "deletes", NULL, "lines -ID undo ID", DP_KIND_FLAG },
	{ .name = NULL }
};

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = &cells;
	ask->id.deletes = o->own[0].text != NULL;
	dp_options_output(ask, 0, NULL, DP_OUTPUT_BIASED);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "toyid", .purpose = "Print how many cells hold an identifier.",
		.synopsis = "-T N ",
		.groups = DP_GROUP_USER | DP_GROUP_VALUE | DP_GROUP_STATE | DP_GROUP_TIME |
		    DP_GROUP_KEYS | DP_GROUP_PRINT,
		.own = own, .shape = DP_SHAPE_ID, .words.reads = "identifier", .task = task,
		.lists = { { "", DP_TASK_OWN, &cells } }
	};

	return dp_tool_main(&tool, argc, argv);
}
