/* SPDX-License-Identifier: ISC */
/*
 * toynumber - a number a step: the running count again, with an own option of each kind and no
 * option it can do without.
 */
#include "run/driver.h"
#include "toy.h"

enum { SHOUT, TIMES, WORD, LIST };

static const struct dp_own own[] = {
	[SHOUT] = { 0, "shout", NULL, "a flag", DP_KIND_FLAG },
	[TIMES] = { 'x', "times", "N", "a number", DP_KIND_NUMBER },
	[WORD] = { 0, "word", "TEXT", "a text", DP_KIND_TEXT },
	[LIST] = { 0, "list", "FILE", "a file", DP_KIND_FILE },
	{ .name = NULL }
};

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "toynumber", .purpose = "Print a running count, every now and then.",
		.synopsis = "",
		.groups = DP_GROUP_RANGE | DP_GROUP_STATE | DP_GROUP_PRINT | DP_GROUP_TIME,
		.own = own, .lists = { { "", DP_TASK_COUNT, NULL } }
	};

	return dp_tool_main(&tool, argc, argv);
}
