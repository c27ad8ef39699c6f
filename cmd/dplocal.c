/* SPDX-License-Identifier: ISC */
/* dplocal - each line's answer, private by itself; and the totals that many answers tell. */
#include <math.h>
#include <string.h>

#include "job/options.h"
#include "run/driver.h"
#include "sketch/local.h"

enum { ESTIMATE, SIMPLEX, OTHER };

static const struct dp_own own[] = {
	[ESTIMATE] = { 0, "estimate", NULL,
	    "lines are answers: print the total of each symbol", DP_KIND_FLAG },
	[SIMPLEX] = { 0, "simplex", NULL,
	    "with --estimate: none is below 0, and they sum to the answers", DP_KIND_FLAG },
	[OTHER] = { 0, "other", "SYMBOL",
	    "what a line that is no symbol is taken for; default one at random", DP_KIND_TEXT },
	{ .name = NULL }
};

static int64_t
other(const struct dp_options *o)
{
	const char *name = o->own[OTHER].text;
	size_t i;

	for (i = 0; name != NULL && i < o->keys.n; i++)
		if (strcmp(name, o->keys.name[i]) == 0)
			return (int64_t)i;
	if (name != NULL)
		dp_die(DP_EX_USAGE, "--other: '%s' is not in the alphabet", name);
	return -1;
}

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	static struct dp_local_task a;
	const bool estimate = o->own[ESTIMATE].text != NULL;

	if (ask->keys.n == 0)
		dp_die(DP_EX_USAGE, "--domain=A,B,C is required: the alphabet, all that a line's "
		    "symbol may be");
	if (ask->keys.n == 1)
		dp_die(DP_EX_USAGE, "--domain: an alphabet has at least two symbols");
	if (o->priv.delta.num != 0)
		dp_die(DP_EX_USAGE, "--delta: refused here (every mechanism is purely private)");
	if (!estimate &&
	    (o->print.confidence > 0 || ask->nonnegative || o->own[SIMPLEX].text != NULL) &&
	    o->print.explain == DP_EXPLAIN_NO)
		dp_die(DP_EX_USAGE, "--bound, --nonnegative and --simplex need --estimate");
	if (!estimate && dp_options_tidy(o))
		dp_die(DP_EX_USAGE, "--output: answers are no estimates: long and prometheus need "
		    "--estimate");
	if (estimate && (o->priv.has_seed || o->priv.pan))
		dp_die(DP_EX_USAGE, "--%s: refused with --estimate (nothing is drawn, and answers "
		    "are private already)", o->priv.pan ? "pan-private" : "seed");
	a = (struct dp_local_task){ ask->keys.n, other(o) };
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = &dp_local_statistic;
	ask->task.own = &a;
	ask->totals = !estimate ? DP_TOTALS_NO :
	    o->own[SIMPLEX].text != NULL ? DP_TOTALS_SIMPLEX : DP_TOTALS_EACH;
	ask->nonnegative |= ask->totals == DP_TOTALS_SIMPLEX;
	dp_options_output(ask, 0, NULL, DP_OUTPUT_CHOICE);
}

/* A symbol's total; of a line that is answered nobody knows with how many more it will be told. */
static double
reach(const struct dp_options *o, const struct dp_plan *p, unsigned out)
{
	(void)p;
	(void)out;
	return o->horizon != 0 &&
	    (o->form.totals != DP_TOTALS_NO || o->print.explain != DP_EXPLAIN_NO) ?
	    (double)o->horizon : INFINITY;
}

static const char *
values(const struct dp_options *o)
{
	(void)o;
	return "a symbol of the declared alphabet, or none";
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dplocal",
		.purpose = "Print each line's symbol randomised, so that it is private by itself; "
		    "or totals of such lines.",
		.synopsis = "--domain=A,B,C [--estimate] ",
		.examples =
		    "  dplocal -e 2 --domain=200,404,503,else --other=else -v 9 access.log >ans\n"
		    "  dplocal -e 2 --domain=200,404,503,else --estimate -B ans",
		.groups = DP_GROUP_DOMAIN | DP_GROUP_VALUE | DP_GROUP_PAN | DP_GROUP_BOUND |
		    DP_GROUP_NONNEGATIVE,
		.own = own, .shape = DP_SHAPE_SYMBOL, .task = task, .reach = reach,
		.words.reads = "symbol", .words.values = values,
		.words.unknown = "no symbol of --domain is",
		.lists = { { "", DP_TASK_OWN, &dp_local_statistic } }
	};

	return dp_tool_main(&tool, argc, argv);
}
