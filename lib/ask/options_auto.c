/*
 * options_auto.c - -r auto[:TOP]: sums of values whose range nobody knows (magnitude.h).  A tool
 * that takes it becomes one whose events add to columns by magnitude; all else of it stays.
 */
#include <math.h>

#include "options_table.h"
#include "stat/magnitude.h"

static struct dp_magnitude_asked asked;
static const struct dp_tool *tool_of;

static size_t
columns(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return dp_magnitude_columns(&asked);
}

static uint64_t
most(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return (uint64_t)1 << asked.digits;
}

static unsigned
place(const struct dp_options *o, int64_t value, struct dp_term *x)
{
	(void)o;
	if (value != 0)
		x->place = dp_magnitude_place(&asked, value, &x->value);
	return value != 0;
}

static const struct dp_contributions adds = { 1, columns, most, 1, place };

#define DIGITS_LEAST	12
#define RATE		25	/* digits of values, and of noise, that trees of all kinds serve */

/* Digits on which noise of the rate epsilon / (move of a unit) is just fine enough. */
static unsigned
digits(const struct dp_options *o)
{
	const double moves = o->users.most != 0 ? (double)o->users.most :
	    o->time.bucket != 0 ? 1 : 2;
	double S = DP_MAGNITUDE_DIGITS;

	if (!o->priv.exact)
		S = o->priv.has_epsilon ?
		    floor(RATE + log2(dp_q_double(o->priv.epsilon) / moves)) : DIGITS_LEAST;
	S = fmin(fmax(S, DIGITS_LEAST), DP_MAGNITUDE_DIGITS);
	return S < asked.top ? (unsigned)S : asked.top;
}

static void
task(struct dp_options *o)
{
	static const char *const name[] = { "sum", "clamp" };

	if (tool_of->task != NULL)
		tool_of->task(o);
	need((o->task.what & (DP_TASK_COUNT | DP_TASK_WINDOW | DP_TASK_EXP)) != 0,
	    "--range=auto: refused with --expire, --power and --weights");
	asked.top = dp_ceil_log2((uint64_t)o->range.hi);
	asked.digits = digits(o);
	o->task.statistic = &dp_magnitude_statistic;
	o->task.own = &asked;
	dp_options_each_window(o, name, 2, DP_OUTPUT_BIASED);
}

static double
reach(const struct dp_options *o, const struct dp_plan *p, unsigned out)
{
	(void)o;
	(void)p;
	(void)out;
	return INFINITY;	/* nobody knows */
}

const struct dp_tool *
dp_options_auto(const struct dp_options *o, const struct dp_tool *tool)
{
	static struct dp_tool own;

	if (!o->range.magnitudes)
		return tool;
	need((tool->groups & DP_GROUP_AUTO) != 0,
	    "--range=auto: only dpcount, dpwindow and dpdecay have it");
	need(o->form.match == NULL, "--range=auto: with --match every event is 1");
	need(o->range.total == NULL && !o->shard.partial,
	    "--range=auto: refused with --unit and --partial, whose numbers are sums of values");
	need(o->print.confidence <= 0 && !o->print.monotone,
	    "--range=auto: refused with --bound and --monotone: what is above the clamp, which "
	    "no interval knows, comes and goes with it");
	tool_of = tool;
	own = *tool;
	own.shape = DP_SHAPE_CONTRIBUTIONS;
	own.adds = &adds;
	own.task = task;
	own.reach = reach;
	return &own;
}
