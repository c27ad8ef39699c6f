/* SPDX-License-Identifier: ISC */
/* dpexperts - the expert to follow in each round, before its costs are read. */
#include <string.h>

#include "job/options.h"
#include "run/driver.h"
#include "stat/experts.h"

#define SCALE_MAX	((uint64_t)1 << 40)	/* grid units (random/noise.h) */

enum { RATE, PROTECT, SEGMENTS };

static const struct dp_own own[] = {
	[RATE] = { 0, "rate", "G", "rate of the choices' perturbation, or inf; default: the best",
	    DP_KIND_TEXT },
	[PROTECT] = { 0, "protect", "WHAT", "line (default): a round's costs, or cost: one of them",
	    DP_KIND_TEXT, "line cost" },
	[SEGMENTS] = { 0, "segments", "K", "blocks, doubling: sums begin anew in each of K parts",
	    DP_KIND_TEXT },
	{ .name = NULL }
};

/* An exponential variable of the rate has the mean 1/rate. */
static void
rate(const struct dp_question *ask, struct dp_experts *k, const char *text)
{
	struct dp_q g, unit = dp_q_make(1, 1);
	unsigned i;

	k->given = true;
	k->scale = dp_q_make(0, 1);
	if (strcmp(text, "inf") == 0)
		return;
	for (i = 0; i < ask->range.places; i++)
		unit.num *= 10;
	if (dp_q_parse(&g, text) != 0 || g.num == 0)
		dp_die(DP_EX_USAGE, "--rate: '%s' must be a decimal or a ratio above 0, or inf",
		    text);
	if (dp_q_div(&k->scale, unit, g) != 0 ||
	    dp_q_cmp(k->scale, dp_q_make(SCALE_MAX, 1)) > 0)
		dp_die(DP_EX_USAGE, "--rate: '%s' is too small for this range, or has too many "
		    "digits", text);
}

static void
protect(const struct dp_options *o, struct dp_question *ask, const char *what)
{
	if (strcmp(what, "cost") != 0 && strcmp(what, "line") != 0)
		dp_die(DP_EX_USAGE, "--protect: '%s' must be line or cost", what);
	ask->range.entry = *what == 'c';
	if (ask->range.entry && o->keys.ones != 0)
		dp_die(DP_EX_USAGE, "--protect=cost: refused with --ones (one cost more could make "
		    "a line count as nothing)");
	if (ask->range.entry && o->users.field.number != 0)
		dp_die(DP_EX_USAGE, "--protect=cost: refused with --user, which protects lines");
}

/* A unit has its lines in one segment (stat/experts.h). */
static void
segments(const struct dp_options *o, struct dp_experts *k, const char *text)
{
	if (dp_u64_parse(&k->segments, text, 1, INT64_MAX) != 0)
		dp_die(DP_EX_USAGE, "--segments: '%s' must be a whole number from 1", text);
	if (o->users.field.number != 0)
		dp_die(DP_EX_USAGE, "--segments: refused with --user, whose lines may be in "
		    "several of them");
	if (o->priv.pan)
		dp_die(DP_EX_USAGE, "--segments: refused with --pan-private, as the sums are "
		    "exact");
	if (o->horizon != 0 && k->segments > o->horizon)
		dp_die(DP_EX_USAGE, "--segments: '%s' is more than --horizon has steps", text);
}

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	static struct dp_experts k;

	if (o->own[RATE].text != NULL)
		rate(ask, &k, o->own[RATE].text);
	if (o->own[PROTECT].text != NULL)
		protect(o, ask, o->own[PROTECT].text);
	if (o->own[SEGMENTS].text != NULL)
		segments(o, &k, o->own[SEGMENTS].text);
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = &dp_experts_statistic;
	ask->task.own = &k;
	dp_options_output(ask, 0, NULL, DP_OUTPUT_CHOICE);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpexperts",
		.purpose = "Print which expert (column) to follow before each line of costs is "
		    "read, keeping them private. Costs are from 0 to 1, or what -r says.",
		.synopsis = "{--columns=N | --keys=A,B,...} ",
		.examples = "  awk '{ print $7 == \"/\" ? \"0 1\" : \"1 0\" }' access.log |\n"
		    "      dpexperts -e 1 -T 10k --columns=2",
		.groups = DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_STATE | DP_GROUP_KEYS |
		    DP_GROUP_COLUMNS | DP_GROUP_USER | DP_GROUP_PAN,
		.range = "0.000:1.000",
		.own = own, .shape = DP_SHAPE_VECTOR, .prints = DP_PRINT_BEFORE, .task = task,
		.lists = { { "", DP_TASK_OWN, &dp_experts_statistic } }
	};

	return dp_tool_main(&tool, argc, argv);
}
