/* SPDX-License-Identifier: ISC */
/*
 * toyname - names that nobody declared: each with its events so far, from three on.
 *
 * An event moves one name's numbers of all later steps, each of which has noise of its own and
 * spends 1/T of the budget.  That a name is there at all is not hidden: it would take a delta.
 */
#include "run/driver.h"
#include "toy.h"

#define LEAST	3

static const struct dp_statistic often = {
	.name = "often", .sentence = "names with three events or more",
	.measure = DP_MEASURE_QUANTILE
};

struct column {
	int64_t declared, count;
};

static int
create(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	int e = rule->horizon == 0 ? DP_EINVAL :
	    toy_new(m, rule, o, dp_q_make(1, rule->horizon), sizeof(struct column));

	if (e == 0)
		(*m)->estimate.gaps = true;
	return e;
}

static int
late(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t i, bool declared)
{
	(void)m;
	(void)rng;
	(void)i;
	((struct column *)col)->declared = declared;
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	struct column *c = col;
	int64_t z;
	int e;

	(void)t;
	c->count += *x;
	if ((e = toy_draw(m, rng, &z)) == 0)
		*est = c->declared != 0 || c->count + z >= LEAST ? (dp_wide)c->count + z : DP_NONE;
	return e;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	toy_error(m, (double)T, e);
}

static const struct dp_mech_ops ops = {
	.name = "often", .say.source = "noise on every count of a name", .traits = 0,
	.tasks = DP_TASK_OWN, .statistic = &often,
	.create = create, .names.late = late, .step = step, .error = error
};

TOY_REGISTRY(&ops)

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	(void)o;
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = &often;
	dp_options_output(ask, 0, "count", DP_OUTPUT_ESTIMATE);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "toyname", .purpose = "Print names with three events or more.",
		.synopsis = "-T N ",
		.groups = DP_GROUP_USER | DP_GROUP_STATE | DP_GROUP_TIME | DP_GROUP_KEY,
		.shape = DP_SHAPE_NAME, .rows = "name", .words.noun = { "count", "count" },
		.words.reads = "name", .task = task,
		.lists = { { "", DP_TASK_OWN, &often } }
	};

	return dp_tool_main(&tool, argc, argv);
}
