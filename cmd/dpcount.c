/* SPDX-License-Identifier: ISC */
/* dpcount - private running count or sum of a stream, one estimate per time step. */
#include "job/options.h"
#include "run/driver.h"

static const struct dp_own own[] = {
	[0] = { 0, "expire", "W",
	    "protect the last W steps only; gradual:LAMBDA: older events ever less", DP_KIND_TEXT },
	{ .name = NULL }
};

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	if (o->own[0].text != NULL)
		dp_options_expire(o, ask, o->own[0].text);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpcount",
		.purpose = "Print a differentially private running count (or sum) after "
		    "every time step.",
		.synopsis = "[--expire=W] ",
		.examples = "  tail -n 0 -F access.log | dpcount -e 1 -T 1M -m '\" 404 '\n"
		    "  dpcount -e 1 -B --log=combined --bucket=1d \\\n"
		    "      --from=2026-05-01 --to=2026-05-04 access.log",
		.groups = DP_GROUPS_SUM | DP_GROUP_EACH | DP_GROUP_COUNTER |
		    DP_GROUP_RETENTION | DP_GROUP_DROPPED | DP_GROUP_AUTO |
		    DP_GROUP_PARTIAL | DP_GROUP_TOP | DP_GROUP_MONOTONE | DP_GROUP_DIFFERENCE |
		    DP_GROUP_TABLE | DP_GROUP_ROUND,
		.words.noun = { "count", "sum" },
		.own = own, .task = task,
		.lists = { { "", DP_TASK_COUNT, NULL },
		    { " with --expire=W", DP_TASK_WINDOW, NULL },
		    { " with --expire=gradual:LAMBDA", DP_TASK_GRADUAL, NULL } }
	};

	return dp_tool_main(&tool, argc, argv);
}
