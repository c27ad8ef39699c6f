/* SPDX-License-Identifier: ISC */
/*
 * toyhalt - printed a last time: noisy values until the third that is above 1000, which is not
 * released.
 *
 * Noise on every value; that a value is above 1000 is told by the noisy value: post-processing.
 */
#include "run/driver.h"
#include "toy.h"

static const struct dp_statistic until = {
	.name = "until", .sentence = "the value of each step, until the third above 1000",
	.fades = true
};

static int
create(struct dp_mech **m, const struct dp_mech_ops *o, const struct dp_mech_rule *rule)
{
	return toy_new(m, rule, o, dp_q_make(1, 1), sizeof(int64_t));
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	int64_t *above = col, z;
	int e;

	(void)t;
	if ((e = toy_draw(m, rng, &z)) != 0)
		return e;
	*est = (dp_wide)*x + z;
	return (*above += *est > 1000) == 3 ? DP_EHALT : 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)out;
	(void)t;
	dp_law_add(l, m->drawn.noise, 1, 1);
}

static const struct dp_mech_ops ops = {
	.name = "until", .say.source = "noise on every value", .traits = DP_TRAIT_ENDLESS,
	.tasks = DP_TASK_OWN,
	.statistic = &until, .create = create, .step = step, .law.at = law
};

TOY_REGISTRY(&ops)

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	(void)o;
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = &until;
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "toyhalt", .purpose = "Print noisy values until three are above 1000.",
		.synopsis = "",
		.groups = DP_GROUP_RANGE | DP_GROUP_STATE | DP_GROUP_BOUND | DP_GROUP_VALUE,
		.task = task, .lists = { { "", DP_TASK_OWN, &until } }
	};

	return dp_tool_main(&tool, argc, argv);
}
