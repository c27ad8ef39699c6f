/* dpcount - private running count or sum of a stream, one estimate per time step. */
#include "tool/run.h"

static const struct dp_own own[] = {
	{ 0, "expire", "W", "protect the last W steps only; gradual:LAMBDA: older events ever less" },
	{ 0, NULL, NULL, NULL }
};

static void
task(struct dp_options *o)
{
	if (o->own[0] != NULL)
		dp_cli_expire(o, o->own[0]);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpcount",
		.purpose = "Print a differentially private running count (or sum) after every time step.",
		.synopsis = "[--expire=W] ",
		.tasks = DP_TASK_COUNT | DP_TASK_EXPIRE | DP_TASK_GRADUAL,
		.own = own, .task = task
	};

	return dp_filter_main(&tool, argc, argv);
}
