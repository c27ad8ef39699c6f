/*
 * explain.c - the guarantee and the predicted errors, from the options alone; reads no data.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"

static const char *
pure_number(char text[64], struct dp_q q)
{
	snprintf(text, 64, q.den == 1 ? "%llu" : "%llu/%llu",
	    (unsigned long long)q.num, (unsigned long long)q.den);
	return text;
}

/* The most that a record moves a column by, grid units: a user's are there or not (neighbour.h). */
static double
record_moves(const struct dp_options *o)
{
	const double most = o->users.most == 0 ? dp_report_reach(o) :
	    fmax(fabs((double)o->range.lo), fabs((double)o->range.hi));

	return o->range.unit != 0 ? fmin(most, (double)o->range.unit) : most;
}

/*
 * One unit moves a column by K records: in K steps, blocks of which make one event; or in one; or
 * in as many as fit, B steps apart, blocks of which are so much longer.
 */
static double
lower_bound(const struct dp_report *r)
{
	const struct dp_options *o = r->o;
	const uint64_t T = r->p->report, apart = o->users.spacing;
	uint64_t k = o->users.most, steps;

	if (k == 0 || dp_options_by_key(o, r->tool))
		k = 1;
	if (apart != 0 && k > (T - 1) / apart + 1)
		k = (T - 1) / apart + 1;
	steps = o->users.per_step ? 1 : apart != 0 ? (k - 1) * apart + 1 : k;
	if (o->priv.exact || (!o->priv.pan && dp_task_lower(&o->task) == DP_LOWER_PAN))
		return 0;
	return record_moves(o) * (double)k * r->unit * dp_task_lower_bound(&o->task,
	    T / steps, dp_q_double(o->priv.epsilon), dp_q_double(o->priv.delta),
	    1 - r->bound.conf);
}

/* An event is one step's here; estimates that are not printed leave fewer, longer steps. */
static double
unbiased_bound(const struct dp_report *r)
{
	const struct dp_options *o = r->o;

	if (o->priv.exact || o->priv.pan || o->users.most != 0 || o->priv.delta.num != 0)
		return 0;
	return record_moves(o) * r->unit * dp_task_unbiased_bound(&o->task, dp_report_printed(r),
	    dp_q_double(o->priv.epsilon));
}

/*
 * By the law of the largest error, which mechanisms without a drift have, or a union bound over the
 * steps.
 */
static double
all_steps(const struct dp_report *r, double gamma)
{
	const struct dp_mech *m = r->p->mech;
	const uint64_t n = dp_report_printed(r);
	const double any = dp_report_bound(r, r->bound.out, r->bound.step, gamma / (double)n);
	double w;

	if (m->ops->bound.all_steps == NULL || n == 1 || r->o->priv.exact)
		return any;
	w = m->ops->bound.all_steps(m, r->p->report, gamma, round(r->bound.max / r->unit),
	    round(any / r->unit));
	if (isnan(w))
		dp_die(DP_EX_SYSTEM, "out of memory");
	return w * r->unit;
}

static void
predict(struct dp_report *r)
{
	const struct dp_error *e = &r->p->eligible[r->p->chosen].error;
	const double missed = (1 - r->bound.conf) / r->p->mech->off.worst_of;
	const double off = isinf(r->p->mech->off.drift) ? 0 : r->p->mech->off.drift * r->unit;
	const double most = r->p->mech->off.most * r->unit;
	unsigned i;

	/* The bound of a quantile of all steps' loss is that quantile. */
	r->bound.margin = r->p->mech->off.margin * r->unit;
	r->bound.max = r->bound.all = dp_report_error(r, e->max) + r->bound.margin;
	if (r->rmse) {
		/* r->bound.out: the output whose worst step it is. */
		for (i = 0; i < r->p->mech->outputs; i += r->p->mech->estimate.alike)
			if (dp_report_rmse(r, i, r->bound.step) >
			    dp_report_rmse(r, r->bound.out, r->bound.step))
				r->bound.out = i;
		r->bound.max = off + dp_report_bound(r, r->bound.out, r->bound.step, missed);
		r->bound.all = fmin(most, off + all_steps(r, missed));
		r->bound.max = fmin(most, r->bound.max);
	}
	if (r->p->mech->ops->bound.together != NULL && !r->o->priv.exact)
		r->bound.together = r->unit * r->p->mech->ops->bound.together(r->p->mech,
		    r->o->horizon, 1 - r->bound.conf);
	r->lower = lower_bound(r);
	r->unbiased = unbiased_bound(r);
}

void
dp_report_words(struct dp_report *r, const struct dp_tool *tool, const struct dp_options *o,
    const struct dp_mech_rule *s, const struct dp_plan *p)
{
	static struct dp_law law;
	static struct dp_options done;	/* the options, with the task that the mechanism does */

	done = *o;
	*r = (struct dp_report){ .tool = tool, .o = &done, .s = s, .p = p, .law = &law,
	    .unit = dp_report_unit(o),
	    .bound.conf = 1 - s->beta,
	    .bound.step = p->eligible[p->chosen].error.worst };
	r->once = tool->prints == DP_PRINT_END || (o->time.once && o->horizon == 1);
	r->spare = dp_mech_spares(p->ops, &o->task, &done.task);
	r->cover = dp_task_cover(&done.task);
	r->rmse = dp_task_measure(&done.task) == DP_MEASURE_RMSE;
	r->regret = dp_task_measure(&done.task) == DP_MEASURE_REGRET;
	if (o->priv.exact)
		snprintf(r->text.epsilon, sizeof r->text.epsilon, "inf");
	else
		pure_number(r->text.epsilon, o->priv.epsilon);
	pure_number(r->text.delta, o->priv.delta);
	dp_options_neighbours(&done, tool, r->text.neighbours);
	dp_task_sentence(&done.task, r->text.estimates);
}

void
dp_report_make(struct dp_report *r, const struct dp_tool *tool, const struct dp_options *o,
    const struct dp_mech_rule *s, const struct dp_plan *p)
{
	dp_report_words(r, tool, o, s, p);
	predict(r);
}

int
dp_explain(const struct dp_tool *tool, const struct dp_options *o,
    const struct dp_mech_rule *s, const struct dp_plan *p)
{
	const char *columns = getenv(DP_COLUMNS);
	static struct dp_report r;

	if (o->print.explain == DP_EXPLAIN_PLAN) {
		dp_explain_plan(tool, o, p);
		return dp_close_stdout();
	}
	dp_report_make(&r, tool, o, s, p);
	if (o->print.explain == DP_EXPLAIN_JSON)
		dp_explain_json(&r);
	else
		dp_explain_text(&r);
	if (o->print.explain != DP_EXPLAIN_JSON && columns != NULL && strcmp(columns, "1") == 0) {
		printf("{");
		dp_explain_output(&r);
		printf("}\n");
	}
	return dp_close_stdout();
}
