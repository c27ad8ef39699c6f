/*
 * blind.c - whether answers would be noise alone, told from the options: no answer that never looks
 * at the data is farther off than half of what right answers can differ by.
 *
 * Compared with that half is the rms error at the last step reported for, where right
 * answers differ by the most; a bound that an error keeps with the confidence asked for, where that
 * is what is predicted; and for choices the bound on the regret, with all that choices can cost.
 *
 * Where the horizon is unknown an input may end long before the last step reported for: of lines
 * that are steps it is also said up to which one answers are noise alone.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explain.h"

#define SUMMED	((uint64_t)1 << 16)	/* weights of a power, one by one; the others by integral */
#define FIRST	((uint64_t)1000)	/* steps: fewer that are noise alone are not said */

/* G(n) of the task (task.h), or somewhat more. */
static double
weights(const struct dp_task *k, uint64_t n)
{
	const double p = k->power, a = (double)SUMMED, b = (double)n;

	if (dp_task_weighted(k) != DP_TASK_POLY || n <= SUMMED)
		return dp_task_total(k, n);
	return dp_task_total(k, SUMMED) + (fabs(p - 1) < 1e-9 ? log(b / a) :
	    (pow(b, 1 - p) - pow(a, 1 - p)) / (1 - p));
}

/* Of a number a line the most that answers at step t differ by, in the user's units. */
static double
range_at(const struct dp_options *o, uint64_t t, unsigned out)
{
	const double line = dp_report_reach(o) * pow(10, -(double)o->range.places);
	const struct dp_task *k = &o->task;

	switch (k->what) {
	case DP_TASK_WINDOW:
		return line * (double)(t < k->w[out] ? t : k->w[out]);
	case DP_TASK_EXPIRE:
	case DP_TASK_GRADUAL:
		return line * (double)t;
	default:
		return line * weights(k, t);
	}
}

/* By how much right answers of output `out` can differ, in the user's units; INFINITY: unknown. */
static double
range_of(const struct dp_tool *tool, const struct dp_options *o, const struct dp_plan *p,
    unsigned out)
{
	if (tool->reach != NULL)
		return tool->reach(o, p, out);
	if (o->task.statistic != NULL || o->time.bucket != 0 || o->shard.partial)
		return INFINITY;	/* in a bucket there may be any number of events */
	return range_at(o, p->report, out);
}

/* The error of output `out` at step t, in the user's units. */
static double
error_at(const struct dp_options *o, const struct dp_plan *p, unsigned out, uint64_t t)
{
	static struct dp_law law;
	const double unit = dp_report_unit(o);
	double error = p->eligible[p->chosen].error.max;

	if (p->mech->measure != DP_MEASURE_RMSE)
		return unit * error;
	/* where it is the largest of many noises the law of one does not tell it */
	if (p->ops->answers == NULL && p->mech->off.worst_of <= 2) {
		dp_mech_law(p->mech, out, t, &law);
		error = dp_law_variance(&law);
		if (!isinf(p->mech->off.drift))
			error += p->mech->off.drift * p->mech->off.drift;
	}
	return unit * sqrt(error);
}

/* First steps whose answers are noise alone; 0: less than FIRST, or nobody knows. */
static uint64_t
blind_steps(const struct dp_options *o, const struct dp_plan *p, unsigned out)
{
	uint64_t lo = FIRST, hi = p->report, t;

	if (hi <= lo || p->mech->measure != DP_MEASURE_RMSE || p->ops->answers != NULL ||
	    error_at(o, p, out, lo) <= range_at(o, lo, out) / 2)
		return 0;
	while (hi - lo > 1) {
		t = lo + (hi - lo) / 2;
		if (error_at(o, p, out, t) > range_at(o, t, out) / 2)
			lo = t;
		else
			hi = t;
	}
	return lo;
}

/* Of an unknown horizon, where answers are no longer noise alone by the last step reported for. */
static bool
say_first(const struct dp_tool *tool, const struct dp_options *o, const struct dp_plan *p,
    unsigned out, char text[static DP_NOTE])
{
	const char *name = p->mech->outputs > 1 ? o->output[out].name : NULL;
	uint64_t n;

	if (o->horizon != 0 || tool->reach != NULL || (n = blind_steps(o, p, out)) == 0)
		return false;
	snprintf(text, DP_NOTE, DP_NOTE_BLIND "%s%.40s in the first %llu steps: right answers "
	    "differ by at most %.6g there, and the rms error is %.4g, more than half of that: an "
	    "answer that never looks at the data is as near", name != NULL ? " in column " : "",
	    name != NULL ? name : "", (unsigned long long)n, range_at(o, n, out),
	    error_at(o, p, out, n));
	return true;
}

static bool
say_error(const struct dp_options *o, const struct dp_plan *p, unsigned out, double range,
    double error, char text[static DP_NOTE])
{
	const bool bound = p->mech->measure == DP_MEASURE_QUANTILE;
	const char *name = p->mech->outputs > 1 ? o->output[out].name : NULL;

	snprintf(text, DP_NOTE, DP_NOTE_BLIND "%s%.40s: right answers differ by at most %.6g%s, "
	    "and %s %.4g, more than half of that: an answer that never looks at the data is as "
	    "near", name != NULL ? " in column " : "", name != NULL ? name : "", range,
	    o->horizon == 0 && o->time.bucket == 0 ? " by the last step reported for" : "",
	    bound ? "the error's bound is" : "the rms error is", error);
	return true;
}

/* The regret, which a column taken at random at each step does not pass. */
static bool
say_regret(const struct dp_options *o, const struct dp_plan *p, char text[static DP_NOTE])
{
	const double unit = pow(10, -(double)o->range.places);
	const double chance = (double)p->report * dp_report_reach(o) * unit *
	    (1 - 1 / (double)p->mech->inputs);
	const double bound = p->eligible[p->chosen].error.max * unit;

	if (p->mech->inputs == 1 || bound < chance)
		return false;
	snprintf(text, DP_NOTE, DP_NOTE_BLIND ": the choices of %llu steps may cost %.6g more than "
	    "the best column, as the bound has it, and those of chance at most %.10g more",
	    (unsigned long long)p->report, bound, chance);
	return true;
}

bool
dp_blind_own(const struct dp_tool *tool, const struct dp_options *o, const struct dp_mech_rule *s,
    const struct dp_plan *p, char text[static DP_NOTE])
{
	return tool->note != NULL && tool->note(o, s, p, 0, text) &&
	    strncmp(text, DP_NOTE_BLIND, strlen(DP_NOTE_BLIND)) == 0;
}

bool
dp_blind(const struct dp_tool *tool, const struct dp_options *o, const struct dp_mech_rule *s,
    const struct dp_plan *p, char text[static DP_NOTE])
{
	double error, range;
	unsigned i;

	if (o->priv.exact)
		return false;
	if (dp_blind_own(tool, o, s, p, text))
		return true;
	if (p->mech->measure == DP_MEASURE_REGRET)
		return say_regret(o, p, text);
	for (i = 0; i < p->mech->outputs; i++) {
		if (isinf(range = range_of(tool, o, p, i)))
			continue;
		error = error_at(o, p, i, p->report);
		if (error > range / 2)
			return say_error(o, p, i, range, error, text);
		if (say_first(tool, o, p, i, text))
			return true;
	}
	return false;
}
