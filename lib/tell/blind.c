/*
 * blind.c - whether answers would be noise alone, told from the options: no answer that never looks
 * at the data is farther off than half of what right answers can differ by.
 *
 * Compared with that half is the rms error at the last step reported for, where right
 * answers differ by the most; a bound that an error keeps with the confidence asked for, where that
 * is what is predicted; and for choices the bound on the regret, with all that choices can cost.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explain.h"

#define SUMMED	((uint64_t)1 << 16)	/* weights of a power, one by one; the others by integral */

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

/* By how much right answers of output `out` can differ, in the user's units; INFINITY: unknown. */
static double
range_of(const struct dp_tool *tool, const struct dp_options *o, const struct dp_plan *p,
    unsigned out)
{
	const double line = dp_report_reach(o) * pow(10, -(double)o->range.places);
	struct dp_task one = o->task;

	if (tool->reach != NULL)
		return tool->reach(o, p, out);
	if (tool->shape != DP_SHAPE_NUMBER || o->time.bucket != 0 || o->shard.partial ||
	    o->task.what == DP_TASK_OWN)
		return INFINITY;	/* in a bucket there may be any number of events */
	switch (one.what) {
	case DP_TASK_WINDOW:
		return line * (double)(p->report < one.w[out] ? p->report : one.w[out]);
	case DP_TASK_EXPIRE:
	case DP_TASK_GRADUAL:
		return line * (double)p->report;
	default:
		return line * weights(&one, p->report);
	}
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

/* The regret, which choices of the worst column at each step do not pass. */
static bool
say_regret(const struct dp_options *o, const struct dp_plan *p, char text[static DP_NOTE])
{
	const double unit = pow(10, -(double)o->range.places);
	const double most = (double)p->report * dp_report_reach(o) * unit;
	const double bound = p->eligible[p->chosen].error.max * unit;

	if (bound < most)
		return false;
	snprintf(text, DP_NOTE, DP_NOTE_BLIND ": the choices of %llu steps may cost %.6g more than "
	    "the best column, as the bound has it, and no choices can cost more than %.10g more",
	    (unsigned long long)p->report, bound, most);
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
	static struct dp_law law;
	const double unit = pow(10, -(double)o->range.places),
	    max = p->eligible[p->chosen].error.max;
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
		error = max;
		if (p->mech->measure == DP_MEASURE_RMSE && p->ops->answers == NULL) {
			dp_mech_law(p->mech, i, p->report, &law);
			error = dp_law_variance(&law);
		}
		error = unit * (p->mech->measure == DP_MEASURE_RMSE ? sqrt(error) : error);
		if (error > range / 2)
			return say_error(o, p, i, range, error, text);
	}
	return false;
}
