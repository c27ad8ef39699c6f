/* dpwindow - private sum of the last W steps, one estimate per window and time step. */
#include "tool/run.h"

static const struct dp_own own[] = {
	{ 'w', "window", "W[,W...]", "sum of the last W steps (with --bucket also 24h, 7d): a column each" },
	{ 0, NULL, NULL, NULL }
};

static void
task(struct dp_options *o)
{
	if (o->own[0] == NULL)
		dp_die(DP_EX_USAGE, "--window is required: how many steps to sum");
	dp_cli_windows(o, o->own[0]);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpwindow",
		.purpose = "Print a differentially private sum of the last W time steps, after every step.",
		.synopsis = "-w W[,W...] ",
		.tasks = DP_TASK_WINDOW,
		.own = own, .task = task
	};

	return dp_filter_main(&tool, argc, argv);
}
