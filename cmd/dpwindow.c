/* SPDX-License-Identifier: ISC */
/* dpwindow - private sum of the last W steps, one estimate per window and time step. */
#include "job/options.h"
#include "run/driver.h"

static const struct dp_own own[] = {
	[0] = { 'w', "window", "W[,W...]",
	    "sum of the last W steps (with --bucket also 24h, 7d): a column each", DP_KIND_TEXT },
	{ .name = NULL }
};

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	if (o->own[0].text == NULL)
		dp_die(DP_EX_USAGE, "--window is required: how many steps to sum");
	dp_options_windows(o, ask, o->own[0].text);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpwindow",
		.purpose = "Print a differentially private sum of the last W time steps, "
		    "after every step.",
		.synopsis = "-w W[,W...] ",
		.examples =
		    "  tail -n 0 -F access.log | dpwindow -e 1 -m . -w 1h --bucket=1m --live\n"
		    "  dpwindow -e 1 -w 1d,7d --log=combined --bucket=1d \\\n"
		    "      --from=2026-05-01 --to=2026-05-04 access.log",
		.fine = true,
		.groups = DP_GROUPS_SUM | DP_GROUP_EACH | DP_GROUP_COUNTER |
		    DP_GROUP_RETENTION | DP_GROUP_DROPPED | DP_GROUP_AUTO |
		    DP_GROUP_PARTIAL | DP_GROUP_TOP | DP_GROUP_DIFFERENCE |
		    DP_GROUP_TABLE | DP_GROUP_ROUND,
		.words.noun = { "count", "sum" },
		.own = own, .task = task,
		.lists = { { "", DP_TASK_WINDOW, NULL } }
	};

	return dp_tool_main(&tool, argc, argv);
}
