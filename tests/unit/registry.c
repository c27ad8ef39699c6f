/*
 * registry.c - what there is, for tests/registry.bats: a line "NAME TASK" for every mechanism and every task that it
 * knows, with " exact" if it never serves where noise is needed; and a line "task TASK" for every task.
 */
#include "covers.h"
#include "mech.h"

/* It has noise: it is made for epsilon = 1 and delta = 1e-6 in some setting that it may like. */
static bool
noisy(const struct dp_mech_ops *o, enum dp_what what)
{
	static const double g[] = { 1, .5, .25 };
	struct dp_mech_rule r = { .horizon = 8, .report = 8, .every = 1, .inputs = 1, .most = 1, .beta = .05, .task = {
	    .what = what, .map = DP_TASK_EXP, .windows = 1, .w = { 4 }, .alpha = .5, .power = 1, .beta = .1, .lambda = 1,
	    .g = g, .ng = 3, .decimals = 6 } };
	struct dp_mech *m;

	if (dp_privacy_set(&r.privacy, false, dp_q_make(1, 1), dp_q_make(o->traits & DP_TRAIT_DELTA, 16000000), 1, 1) != 0)
		abort();
	if (o->create(&m, &r) != 0)
		return false;
	dp_mech_free(m);
	return true;
}

int
main(void)
{
	const struct dp_mech_ops *o;
	unsigned i, what;

	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		for (what = 1; what <= o->tasks; what *= 2)
			if (o->tasks & what)
				printf("%s %s%s\n", o->name, task_name(what), noisy(o, what) ? "" : " exact");
	for (what = 1; strcmp(task_name(what), "unknown") != 0; what *= 2)
		printf("task %s\n", task_name(what));
	return 0;
}
