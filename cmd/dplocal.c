/* SPDX-License-Identifier: ISC */
/* dplocal - each line's answer, private by itself; and the totals that many answers tell. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "job/options.h"
#include "run/driver.h"
#include "sketch/local.h"

enum { ESTIMATE, SIMPLEX, OTHER, ANSWERS };

static const struct dp_own own[] = {
	[ESTIMATE] = { 0, "estimate", NULL,
	    "lines are answers: print the total of each symbol", DP_KIND_FLAG },
	[SIMPLEX] = { 0, "simplex", NULL,
	    "with --estimate: none is below 0, and they sum to the answers", DP_KIND_FLAG },
	[OTHER] = { 0, "other", "SYMBOL",
	    "what a line that is no symbol is taken for; default one at random", DP_KIND_TEXT },
	[ANSWERS] = { 0, "answers", "N",
	    "one person gives up to N: each loses epsilon/N", DP_KIND_TEXT },
	{ .name = NULL }
};

#define ANSWERS_MAX	1000000

static int64_t
other(const struct dp_options *o)
{
	const char *name = o->own[OTHER].text;
	int64_t x;
	size_t i;

	if (name != NULL && o->range.has_range) {
		if (dp_decimal_parse(&x, name, strlen(name), o->range.places) != 0 ||
		    x < o->range.lo || x > o->range.hi)
			dp_die(DP_EX_USAGE, "--other: '%s' is no number of the range", name);
		return x - o->range.lo;
	}
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
	uint64_t each = 1;

	if (o->own[ANSWERS].text != NULL &&
	    dp_u64_parse(&each, o->own[ANSWERS].text, 1, ANSWERS_MAX) != 0)
		dp_die(DP_EX_USAGE, "--answers: '%s' must be a whole number from 1 to 1000000",
		    o->own[ANSWERS].text);
	if (ask->keys.n == 0 && !o->range.has_range)
		dp_die(DP_EX_USAGE, "--domain=A,B,C is required: the alphabet, all that a line's "
		    "symbol may be; or --range=LO:HI, of lines that are numbers");
	if (ask->keys.n != 0 && o->range.has_range)
		dp_die(DP_EX_USAGE, "--domain and --range: a line is a symbol or a number");
	if (o->range.has_range && o->range.lo == o->range.hi)
		dp_die(DP_EX_USAGE, "--range: LO and HI are the same");
	if (o->range.has_range && o->own[SIMPLEX].text != NULL)
		dp_die(DP_EX_USAGE, "--simplex: refused with --range (it is for symbols)");
	if (o->range.has_range) {
		if ((ask->keys.name = calloc(2, sizeof *ask->keys.name)) == NULL ||
		    (ask->keys.name[0] = strdup("mean")) == NULL ||
		    (ask->keys.name[1] = strdup("sum")) == NULL)
			dp_die(DP_EX_SYSTEM, "out of memory");
		ask->keys.n = 2;
		ask->keys.own = true;
	}
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
	a = (struct dp_local_task){ ask->keys.n, other(o), 0, each };
	if (o->range.has_range) {
		a.width = (uint64_t)(o->range.hi - o->range.lo);
		a.symbols = (size_t)a.width + 1;
	}
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = o->range.has_range ? &dp_local_numbers : &dp_local_statistic;
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
	    (double)o->horizon * (!o->range.has_range ? 1 : (double)(o->range.hi - o->range.lo) *
	    pow(10, -(double)o->range.places)) : INFINITY;
}

static const char *
values(const struct dp_options *o)
{
	return o->range.has_range ? "a number, the nearer end of the range if it is outside, or "
	    "none" : "a symbol of the declared alphabet, or none";
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dplocal",
		.purpose = "Print each line's symbol or number randomised, so that it is private "
		    "by itself; or totals of such lines.",
		.synopsis = "{--domain=A,B,C | -r LO:HI} [--estimate] ",
		.examples =
		    "  dplocal -e 2 --domain=200,404,503,else --other=else -v 9 access.log >ans\n"
		    "  dplocal -e 2 --domain=200,404,503,else --estimate -B ans",
		.groups = DP_GROUP_DOMAIN | DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_PAN |
		    DP_GROUP_BOUND | DP_GROUP_NONNEGATIVE,
		.own = own, .shape = DP_SHAPE_SYMBOL, .task = task, .reach = reach,
		.words.reads = "symbol", .words.values = values,
		.words.unknown = "no symbol of --domain is",
		.lists = { { "", DP_TASK_OWN, &dp_local_statistic },
		    { " of numbers (--range)", DP_TASK_OWN, &dp_local_numbers } }
	};

	return dp_tool_main(&tool, argc, argv);
}
