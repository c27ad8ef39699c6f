/* SPDX-License-Identifier: ISC */
/*
 * registry.c - what there is, for all/registry.bats: a line "NAME TASK" for every mechanism and
 * every task that it knows, with " exact" if it never serves where noise is needed and " lawless"
 * if it has no law; and a line
 * "task TASK" for every task.
 */
#include "job/internal.h"
#include "registry.h"

/* It has noise: it is made for a finite epsilon. */
static bool
noisy(const struct dp_mech_ops *o, enum dp_what what)
{
	struct dp_mech_rule r = registry_rule(o, what, false, 8);
	struct dp_mech *m;

	if (dp_mech_plan(&m, o, &r) != 0)
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
		if (o->tasks & DP_TASK_OWN)	/* a statistic of its own is a task of its own */
			printf("%s %s%s\ntask %s\n", o->name, o->statistic->name,
			    o->traits & DP_TRAIT_EXACT ? " exact" : o->law.at == NULL ?
			    " lawless" : "", o->statistic->name);
	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		for (what = 1; what <= o->tasks && what < DP_TASK_OWN; what *= 2)
			if (o->tasks & what)
				printf("%s %s%s\n", o->name, task_name(what),
				    noisy(o, what) ? "" : " exact");
	for (what = 1; what < DP_TASK_OWN; what *= 2)
		printf("task %s\n", task_name(what));
	return 0;
}
