/* SPDX-License-Identifier: ISC */
/* dpdecay - private sum in which older steps weigh less, one estimate per time step. */
#include <stdio.h>
#include <string.h>

#include "job/options.h"
#include "run/driver.h"

enum { ALPHA, HALF_LIFE, POWER, WEIGHTS, BETA, EXPIRE };

static const struct dp_own own[] = {
	[ALPHA] = { 'a', "alpha", "A", "exponential decay: a step d back weighs A^d",
	    DP_KIND_NUMBER },
	[HALF_LIFE] = { 0, "half-life", "N", "the same, 1/2 after N steps (with --bucket also 14d)",
	    DP_KIND_TEXT },
	[POWER] = { 'p', "power", "C", "polynomial decay: a step d back weighs (d+1)^-C",
	    DP_KIND_NUMBER },
	[WEIGHTS] = { 0, "weights", "FILE",
	    "any decay: 1, then one weight a line, never growing", DP_KIND_FILE },
	[BETA] = { 0, "beta", "B", "share that bucketed mechanisms may lose; default 0.1",
	    DP_KIND_NUMBER },
	[EXPIRE] = { 0, "expire", "W", "protect the last W steps only", DP_KIND_TEXT },
	{ .name = NULL }
};

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	static void (*const set[])(const struct dp_options *, struct dp_question *,
	    const struct dp_own_value *) = {
	    dp_options_alpha, dp_options_half_life, dp_options_power, dp_options_weights };
	int i, n = 0;

	ask->task.decimals = 6;
	ask->task.beta = 0.1;
	for (i = ALPHA; i <= WEIGHTS; i++)
		if (o->own[i].text != NULL && n++ == 0)
			set[i](o, ask, &o->own[i]);
	if (n == 0)
		dp_die(DP_EX_USAGE,
		    "one of --alpha, --half-life, --power and --weights must say how steps decay");
	if (n > 1)
		dp_die(DP_EX_USAGE, "--alpha, --half-life, --power and --weights: only one "
		    "can say how steps decay");
	if (o->own[BETA].text != NULL) {
		if (o->own[POWER].text == NULL && o->own[WEIGHTS].text == NULL)
			dp_die(DP_EX_USAGE, "--beta is for --power and --weights");
		dp_options_beta(ask, &o->own[BETA]);
	}
	if (o->own[EXPIRE].text != NULL)
		dp_options_expire(o, ask, o->own[EXPIRE].text);
}

static bool
tells(const struct dp_options *o, const struct dp_mech_rule *rule, const struct dp_plan *p,
    unsigned i, char text[static DP_NOTE])
{
	(void)rule;
	if (i > 0 || o->own[BETA].text == NULL ||
	    strcmp(p->ops->name, "paper") == 0)
		return false;
	snprintf(text, DP_NOTE, "--beta has no effect: %s has no buckets, and takes nothing off",
	    p->ops->name);
	return true;
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpdecay",
		.purpose = "Print a differentially private decayed sum after every time step: "
		    "older steps weigh less.",
		.synopsis = "{-a A | --half-life=N | -p C | --weights=FILE} ",
		.examples = "  dpdecay -e 1 -T 1k --half-life=100 bits.txt\n"
		    "  dpdecay -e 1 --half-life=14d --log=combined --bucket=1d \\\n"
		    "      --from=2026-05-01 --to=2026-05-04 access.log",
		.fine = true,
		.groups = DP_GROUPS_SUM | DP_GROUP_EACH | DP_GROUP_COUNTER | DP_GROUP_AUTO |
		    DP_GROUP_PARTIAL | DP_GROUP_TOP,
		.words.noun = { "decayed count", "decayed sum" },
		.own = own, .task = task, .tells = tells,
		.lists = { { "", DP_TASK_DECAY, NULL },
		    { " with --expire=W, besides those above", DP_TASK_MAP, NULL } }
	};

	return dp_tool_main(&tool, argc, argv);
}
