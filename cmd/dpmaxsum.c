/* dpmaxsum - which of D columns has the largest sum so far, and that sum, after every time step. */
#include "mech/maxsum.h"
#include "tool/tool.h"

enum { SELECT, BOTH };

static const struct dp_own own[] = {
	[SELECT] = { 0, "select", NULL, "print which column has the largest sum: its name, or number",
	    DP_KIND_FLAG },
	[BOTH] = { 0, "both", NULL, "print which it is, and its sum", DP_KIND_FLAG },
	{ .name = NULL }
};

static void
task(struct dp_options *o)
{
	static struct dp_maxsum s;

	if (o->own[SELECT].text != NULL && o->own[BOTH].text != NULL)
		dp_die(DP_EX_USAGE, "--select and --both do not go together");
	s.show = o->own[SELECT].text != NULL ? DP_MAXSUM_CHOICE :
	    o->own[BOTH].text != NULL ? DP_MAXSUM_BOTH : DP_MAXSUM_VALUE;
	s.columns = dp_options_width(o);
	s.ones = o->key.number != 0 ? 1 : o->ones != 0 ? o->ones : s.columns;
	s.below = o->lo < 0;
	o->task.what = DP_TASK_OWN;
	o->task.statistic = &dp_maxsum_statistic;
	o->task.own = &s;
	o->outputs = s.show == DP_MAXSUM_BOTH ? 2 : 1;
	if (s.show & DP_MAXSUM_CHOICE)
		dp_options_output(o, 0, o->outputs > 1 ? "column" : NULL, DP_OUTPUT_CHOICE);
	if (s.show & DP_MAXSUM_VALUE)
		dp_options_output(o, o->outputs - 1, o->outputs > 1 ? "sum" : NULL,
		    DP_OUTPUT_BIASED);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpmaxsum",
		.purpose = "Print the largest of D differentially private column sums after every "
		    "time step.",
		.synopsis = "{--columns=D | [-k FIELD] --keys=A,B,C} [--select | --both] ",
		.groups = DP_GROUPS_SUM | DP_GROUP_KEYS | DP_GROUP_COLUMNS | DP_GROUP_MONOTONE,
		.own = own, .shape = DP_SHAPE_VECTOR, .confidence = 2. / 3, .task = task,
		.lists = { { "", DP_TASK_OWN, &dp_maxsum_statistic } }
	};

	return dp_tool_main(&tool, argc, argv);
}
