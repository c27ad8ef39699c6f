/* SPDX-License-Identifier: ISC */
/*
 * toysymbol - a symbol a step, one line in, one line out: the symbol's place plus noise, modulo
 * their number.
 *
 * One line for another moves a place by less than their number: share 1 of a budget for so many
 * units of l1.
 */
#include "run/driver.h"
#include "toy.h"

static const struct dp_statistic moved = {
	.name = "moved", .sentence = "the symbol of each line, moved by noise",
	.measure = DP_MEASURE_QUANTILE, .fades = true
};

struct alphabet {
	int64_t n;
};

static int
create(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	const struct alphabet *a = rule->task.own;
	int e = toy_new(m, rule, o, dp_q_make(1, (uint64_t)a->n), sizeof(int64_t));

	/* The column's only word is not used: the size stands in the plan. */
	if (e == 0)
		(*m)->drawn.unit = (double)a->n;
	return e;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const int64_t n = (int64_t)m->drawn.unit;
	int64_t z;
	int e;

	(void)col;
	(void)t;
	if ((e = toy_draw(m, rng, &z)) != 0)
		return e;
	z = ((*x < 0 ? 0 : *x) + z) % n;
	*est = z < 0 ? z + n : z;
	return 0;
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	toy_error(m, (double)T, e);
}

static const struct dp_mech_ops ops = {
	.name = "moved", .say.source = "noise on every symbol's place", .traits = DP_TRAIT_ENDLESS,
	.tasks = DP_TASK_OWN,
	.statistic = &moved, .create = create, .step = step, .error = error
};

TOY_REGISTRY(&ops)

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	static struct alphabet a;

	(void)o;
	a.n = (int64_t)ask->keys.n;
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = &moved;
	ask->task.own = &a;
	dp_options_output(ask, 0, NULL, DP_OUTPUT_CHOICE);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "toysymbol", .purpose = "Print each line's symbol, moved.",
		.synopsis = "--keys=A,B,C ",
		.groups = DP_GROUP_VALUE | DP_GROUP_STATE | DP_GROUP_KEYS,
		.shape = DP_SHAPE_SYMBOL, .words.reads = "symbol", .task = task,
		.lists = { { "", DP_TASK_OWN, &moved } }
	};

	return dp_tool_main(&tool, argc, argv);
}
