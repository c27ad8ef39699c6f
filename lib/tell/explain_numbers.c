/*
 * explain_numbers.c - what --explain computes of a plan.
 */
#include <math.h>

#include "explain.h"

double
dp_report_unit(const struct dp_options *o)
{
	const struct dp_statistic *k = o->task.statistic;

	return k != NULL && k->unit != NULL ? k->unit(&o->task) :
	    pow(10, -(double)o->range.places);
}

double
dp_report_bound(const struct dp_report *r, unsigned out, uint64_t t, double gamma)
{
	double w;

	dp_mech_law(r->p->mech, out, t, r->law);
	if (isnan(w = dp_law_bound(r->law, gamma)))
		dp_die(DP_EX_SYSTEM, "out of memory");
	return w * r->unit;
}

/* An error is the largest of many noises: the law of one does not tell it (mech.h, worst_of). */
static bool
many(const struct dp_report *r)
{
	return r->rmse && r->p->mech->off.worst_of > 2;
}

double
dp_report_rmse(const struct dp_report *r, unsigned out, uint64_t t)
{
	if (many(r))
		return dp_report_error(r, r->p->eligible[r->p->chosen].error.max);
	dp_mech_law(r->p->mech, out, t, r->law);
	return sqrt(dp_law_variance(r->law)) * r->unit;
}

double
dp_report_interval(const struct dp_report *r, unsigned out, uint64_t t)
{
	return many(r) ? r->bound.max : dp_report_bound(r, out, t, 1 - r->bound.conf);
}

/* Of the law of an output */
const char *
dp_report_law_name(const struct dp_report *r, unsigned out)
{
	const struct dp_mech *m = r->p->mech;

	return m->estimate.alike == 1 ? r->o->output[out].name :
	    r->o->task.window[out / m->estimate.alike];
}

/* A predicted error, in the user's units and the task's measure. */
double
dp_report_error(const struct dp_report *r, double e)
{
	return (r->rmse ? sqrt(e) : e) * r->unit;
}

/* Of the i-th family */
const char *
dp_report_distribution(const struct dp_report *r, unsigned i)
{
	const struct dp_noise *z;
	const char *what;

	if (r->o->priv.exact)
		return "none";
	if (r->p->mech->drawn.distribution != NULL)
		return r->p->mech->drawn.distribution;
	return dp_mech_family(r->p->mech, i, &z, &what) ? dp_noise_name(z->kind) : "none";
}

/*
 * Scale of the i-th family: sigma (Gauss) or b (all others), in the user's units; false past the
 * last.
 */
bool
dp_report_scale(const struct dp_report *r, unsigned i, double *b, const char **what)
{
	const struct dp_noise *z;

	if (r->o->priv.exact || !dp_mech_family(r->p->mech, i, &z, what))
		return false;
	*b = dp_q_double(z->param);
	if (z->kind == DP_NOISE_GAUSS)
		*b = sqrt(*b);
	*b *= r->unit * dp_mech_unit(r->p->mech, i);
	return true;
}

/* Distance that one unit moves the values, in the user's units; of identifiers: their number. */
double
dp_report_sensitivity(const struct dp_report *r)
{
	return (double)r->s->privacy.l1 * (r->s->inputs != 0 ? r->unit : 1);
}

/* Number of estimates printed in the steps of the report. */
uint64_t
dp_report_printed(const struct dp_report *r)
{
	const uint64_t n = r->once || r->o->print.every == 0 ? 1 : r->p->report / r->o->print.every;

	return n == 0 ? 1 : n;
}

/*
 * Ages 0, 1, 3, 7, .. up to the steps reported for, where the loss grows with age; false past
 * the last.
 */
bool
dp_report_loss(const struct dp_report *r, unsigned i, uint64_t *age, double *loss)
{
	*age = ((uint64_t)1 << i) - 1;
	if (r->p->mech->ops->drawn.loss == NULL || r->o->priv.exact || *age >= r->p->report)
		return false;
	*loss = r->p->mech->ops->drawn.loss(r->p->mech, *age);
	return true;
}

/*
 * All columns; of one for many numbers what the run keeps of each besides: a value, or the numbers
 * of a line, its name, and its sums in open buckets.
 */
#define KEY_BYTES	80		/* its name, twice found */

size_t
dp_report_memory(const struct dp_report *r)
{
	const struct dp_options *o = r->o;
	const size_t width = dp_options_width(o);
	size_t each;

	if (r->s->inputs <= 1 || r->s->bands != 0)
		return r->p->mech->column * dp_options_columns(o, r->tool);
	each = sizeof(int64_t) + dp_options_rows(o) * sizeof(dp_wide);
	if (o->keys.field.number == 0)
		each += sizeof(struct dp_term) + sizeof(uint64_t);
	if (o->keys.n != 0)
		each += KEY_BYTES;
	return r->p->mech->column + width * each;
}

/* The most that two numbers differ by, grid units. */
double
dp_report_reach(const struct dp_options *o)
{
	return (double)(o->range.hi > 0 ? o->range.hi : 0) - (double)(o->range.lo < 0 ?
	    o->range.lo : 0);
}
