/* dpdecay - private sum in which older steps weigh less, one estimate per time step. */
#include "tool/run.h"

enum { ALPHA, HALF_LIFE, POWER, WEIGHTS, BETA, EXPIRE };

static const struct dp_own own[] = {
	[ALPHA] = { 'a', "alpha", "A", "exponential decay: a step d back weighs A^d" },
	[HALF_LIFE] = { 0, "half-life", "N", "the same, 1/2 after N steps (with --bucket also 14d)" },
	[POWER] = { 'p', "power", "C", "polynomial decay: a step d back weighs (d+1)^-C" },
	[WEIGHTS] = { 0, "weights", "FILE", "any decay: 1, then a weight a line, none above the one before" },
	[BETA] = { 0, "beta", "B", "factor 1-B that bucketed mechanisms may lose; default 0.1" },
	[EXPIRE] = { 0, "expire", "W", "protect the last W steps only" },
	{ 0, NULL, NULL, NULL }
};

static void
task(struct dp_options *o)
{
	static void (*const set[])(struct dp_options *, const char *) = { dp_cli_alpha, dp_cli_half_life,
	    dp_cli_power, dp_cli_weights };
	int i, n = 0;

	o->task.decimals = 6;
	for (i = ALPHA; i <= WEIGHTS; i++)
		if (o->own[i] != NULL && n++ == 0)
			set[i](o, o->own[i]);
	if (n == 0)
		dp_die(DP_EX_USAGE, "one of --alpha, --half-life, --power and --weights must say how steps decay");
	if (n > 1)
		dp_die(DP_EX_USAGE, "--alpha, --half-life, --power and --weights: only one can say how steps decay");
	if (o->own[BETA] != NULL && o->own[POWER] == NULL && o->own[WEIGHTS] == NULL)
		dp_die(DP_EX_USAGE, "--beta is for --power and --weights");
	dp_cli_beta(o, o->own[BETA] != NULL ? o->own[BETA] : "0.1");
	if (o->own[EXPIRE] != NULL)
		dp_cli_expire(o, o->own[EXPIRE]);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpdecay",
		.purpose = "Print a differentially private decayed sum after every time step: older steps weigh less.",
		.synopsis = "{-a A | --half-life=N | -p C | --weights=FILE} ",
		.tasks = DP_TASK_DECAY | DP_TASK_MAP,
		.own = own, .task = task
	};

	return dp_filter_main(&tool, argc, argv);
}
