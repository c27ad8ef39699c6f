/* SPDX-License-Identifier: ISC */
/*
 * explain.c - the guarantee and the predicted errors, from the options alone; reads no data.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "internal.h"

#define SCANNED	4096		/* steps looked at for a window's worst */
#define SAME	1e-9		/* relative: errors that differ by less are one */

static double report_unit(const struct dp_options *);
static double report_bound(const struct dp_report *, unsigned out, uint64_t t, double gamma);

static const char *
pure_number(char text[64], struct dp_q q)
{
	snprintf(text, 64, q.den == 1 ? "%llu" : "%llu/%llu",
	    (unsigned long long)q.num, (unsigned long long)q.den);
	return text;
}

/* The most that a record moves a column by, grid units: a user's are there or not
 * (account/neighbour.h). */
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
	uint64_t k = o->range.changes != 0 ? o->range.changes : o->users.most, steps;

	if (k == 0 || dp_options_by_key(o, r->tool) ||
	    (o->users.each != DP_EACH_NO && dp_options_step_unit(o)))
		k = 1;
	if (apart != 0 && k > (T - 1) / apart + 1)
		k = (T - 1) / apart + 1;
	if (o->range.changes != 0 && k > T)
		k = T;
	steps = o->users.per_step ? 1 : apart != 0 ? (k - 1) * apart + 1 : k;
	if (o->priv.exact || dp_report_differs(r) ||
	    (!o->priv.pan && dp_task_lower(&o->task) == DP_LOWER_PAN))
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

	if (o->priv.exact || o->priv.pan || (o->users.most | o->range.changes) != 0 ||
	    o->priv.delta.num != 0 || dp_report_differs(r))
		return 0;
	return record_moves(o) * r->unit * dp_task_unbiased_bound(&o->task, dp_report_printed(r),
	    dp_q_double(o->priv.epsilon));
}

/*
 * By the law of the largest error, which mechanisms without a drift have, or a union bound over the
 * steps.  one: the interval at the worst of them.
 */
static double
all_steps(const struct dp_report *r, unsigned out, uint64_t worst, double gamma, double one)
{
	const struct dp_mech *m = r->p->mech;
	const uint64_t n = dp_report_printed(r);
	const double any = report_bound(r, out, worst, gamma / (double)n);
	double w;

	if (m->ops->bound.all_steps == NULL || n == 1 || r->o->priv.exact ||
	    dp_report_differs(r))
		return any;
	w = m->ops->bound.all_steps(m, r->p->report, gamma, round(one / r->unit),
	    round(any / r->unit));
	if (isnan(w))
		dp_die(DP_EX_SYSTEM, "out of memory");
	return w * r->unit;
}

/* An error is the largest of many noises: the law of one does not tell it (counter/mech.h,
 * worst_of). */
static bool
many(const struct dp_report *r)
{
	return r->rmse && r->p->mech->off.worst_of > 2;
}

/* Few outputs, as windows are, each with laws of its own. */
static bool
several(const struct dp_report *r)
{
	const struct dp_mech *m = r->p->mech;

	return r->rmse && !many(r) && !m->estimate.gaps && m->outputs > m->estimate.alike &&
	    m->outputs / m->estimate.alike <= DP_WINDOWS_MAX;
}

uint64_t
dp_report_worst(const struct dp_report *r, unsigned out)
{
	const uint64_t n = r->p->report < SCANNED ? r->p->report : SCANNED;
	uint64_t t, worst = r->bound.step;
	double e, most;

	if (!several(r))
		return worst;
	most = dp_report_rmse(r, out, worst);
	for (t = 1; t <= n; t++) {
		e = dp_report_rmse(r, out, t);
		if (e > most * (1 + SAME)) {
			most = e;
			worst = t;
		}
	}
	return dp_report_rmse(r, out, r->p->report) > most * (1 + SAME) ? r->p->report : worst;
}

/*
 * The largest interval of a step, and that of all steps.  Windows with one rms error differ in
 * their tails: Laplace's are longer than those of a sum.
 */
static void
largest(struct dp_report *r, double missed, double off)
{
	const bool each = several(r);
	const struct dp_mech *m = r->p->mech;
	uint64_t t, step = r->bound.step;
	double e, one, most = -1;
	unsigned i;

	for (i = 0; i < m->outputs; i += m->estimate.alike) {
		t = dp_report_worst(r, i);
		e = dp_report_rmse(r, i, t);
		if (e > most * (1 + SAME)) {
			most = e;
			r->bound.out = i;
			step = t;
		}
	}
	r->bound.max = r->bound.all = 0;
	for (i = 0; i < m->outputs; i += m->estimate.alike)
		if (each || i == r->bound.out) {
			t = dp_report_worst(r, i);
			one = off + report_bound(r, i, t, missed);
			r->bound.max = fmax(r->bound.max, one);
			r->bound.all = fmax(r->bound.all,
			    off + all_steps(r, i, t, missed, one));
		}
	r->bound.step = step;
}

static void
predict(struct dp_report *r)
{
	const struct dp_error *e = &r->p->eligible[r->p->chosen].error;
	const double missed = (1 - r->bound.conf) / r->p->mech->off.worst_of;
	const double each = r->unit * (dp_report_differs(r) ? 2 : 1);
	const double off = isinf(r->p->mech->off.drift) ? 0 : r->p->mech->off.drift * each;
	const double most = r->p->mech->off.most * each;

	/* The bound of a quantile of all steps' loss is that quantile. */
	r->bound.margin = r->p->mech->off.margin * r->unit;
	r->bound.max = r->bound.all = dp_report_error(r, e->max) + r->bound.margin;
	if (r->rmse) {
		largest(r, missed, off);
		r->bound.all = fmin(most, r->bound.all);
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
	    .unit = report_unit(o),
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
	else {
		dp_wrap_begin();
		dp_explain_text(&r);
	}
	if (o->print.explain != DP_EXPLAIN_JSON && columns != NULL && strcmp(columns, "1") == 0) {
		printf("{");
		dp_explain_output(&r);
		printf("}\n");
	}
	return dp_close_stdout();
}

/*
 * What --explain computes of a plan.
 */

/* One grid unit in the user's units; one event where errors are in events. */
static double
report_unit(const struct dp_options *o)
{
	const struct dp_statistic *k = o->task.statistic;

	return k != NULL && k->unit != NULL ? k->unit(&o->task) :
	    pow(10, -(double)o->range.places);
}

/* Output `out` at step t, in the user's units: half of the interval at 1 - gamma, or the rmse. */
static double
report_bound(const struct dp_report *r, unsigned out, uint64_t t, double gamma)
{
	double w;

	dp_mech_law(r->p->mech, out, t, r->law);
	if (!dp_report_differs(r))
		w = dp_law_bound(r->law, gamma);
	else if (dp_law_times(r->law, 2))
		w = dp_law_bound(r->law, gamma);
	else	/* each of two within half of their sum */
		w = 2 * dp_law_bound(r->law, gamma / 2);
	if (isnan(w))
		dp_die(DP_EX_SYSTEM, "out of memory");
	return w * r->unit;
}

/* An error in events is that of a key's own quantile, whatever is printed of it. */
bool
dp_report_differs(const struct dp_report *r)
{
	return r->o->print.difference && (r->o->task.statistic == NULL ||
	    r->o->task.statistic->in == NULL);
}

/* What an rms error is multiplied with in a difference of two keys. */
static double
both(const struct dp_report *r)
{
	return dp_report_differs(r) ? M_SQRT2 : 1;
}

double
dp_report_rmse(const struct dp_report *r, unsigned out, uint64_t t)
{
	if (many(r))
		return dp_report_error(r, r->p->eligible[r->p->chosen].error.max);
	dp_mech_law(r->p->mech, out, t, r->law);
	return sqrt(dp_law_variance(r->law)) * r->unit * both(r);
}

double
dp_report_interval(const struct dp_report *r, unsigned out, uint64_t t)
{
	return many(r) ? r->bound.max : report_bound(r, out, t, 1 - r->bound.conf);
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
	return (r->rmse ? sqrt(e) * both(r) : e) * r->unit;
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
 * Ages 0, 1, 3, 7, .. and that of the first of the steps reported for, where the loss grows with
 * age; false past the last.
 */
bool
dp_report_loss(const struct dp_report *r, unsigned i, uint64_t *age, double *loss)
{
	*age = ((uint64_t)1 << i) - 1;
	if (r->p->mech->ops->drawn.loss == NULL || r->o->priv.exact ||
	    (i > 0 && ((uint64_t)1 << (i - 1)) >= r->p->report))
		return false;
	if (*age >= r->p->report)
		*age = r->p->report - 1;
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

/*
 * Whether answers would be noise alone, told from the options: no answer that never looks
 * at the data is farther off than half of what right answers can differ by.
 *
 * Compared with that half is the rms error at the last step reported for, where right
 * answers differ by the most; a bound that an error keeps with the confidence asked for, where that
 * is what is predicted; and for choices the bound on the regret, with all that choices can cost.
 *
 * Where the horizon is unknown an input may end long before the last step reported for: of lines
 * that are steps it is also said up to which one answers are noise alone.
 */

#define SUMMED	((uint64_t)1 << 16)	/* weights of a power, one by one; the others by integral */
#define FIRST	((uint64_t)1000)	/* steps: fewer that are noise alone are not said */

/* G(n) of the task (counter/mech.h), or somewhat more. */
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
error_at_blind(const struct dp_options *o, const struct dp_plan *p, unsigned out, uint64_t t)
{
	static struct dp_law law;
	const double unit = report_unit(o);
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

/* The same of any tool, if no more than n steps came. */
static double
range_by(const struct dp_tool *tool, const struct dp_options *o, const struct dp_plan *p,
    unsigned out, uint64_t n)
{
	struct dp_plan some = *p;

	some.report = n;
	return tool->reach != NULL ? tool->reach(o, &some, out) : range_at(o, n, out);
}

/* First steps whose answers are noise alone; 0: less than FIRST, or nobody knows. */
static uint64_t
blind_steps(const struct dp_tool *tool, const struct dp_options *o, const struct dp_plan *p,
    unsigned out)
{
	uint64_t lo = FIRST, hi = p->report, t;

	if (hi <= lo || p->mech->measure != DP_MEASURE_RMSE || p->ops->answers != NULL ||
	    error_at_blind(o, p, out, lo) <= range_by(tool, o, p, out, lo) / 2)
		return 0;
	while (hi - lo > 1) {
		t = lo + (hi - lo) / 2;
		if (error_at_blind(o, p, out, t) > range_by(tool, o, p, out, t) / 2)
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

	if (o->horizon != 0 || o->time.bucket != 0 || (n = blind_steps(tool, o, p, out)) == 0)
		return false;
	snprintf(text, DP_NOTE, DP_NOTE_BLIND "%s%.40s in the first %llu steps: right answers "
	    "differ by at most %.6g there, and the rms error is %.4g, more than half of that: an "
	    "answer that never looks at the data is as near", name != NULL ? " in column " : "",
	    name != NULL ? name : "", (unsigned long long)n, range_by(tool, o, p, out, n),
	    error_at_blind(o, p, out, n));
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
		error = error_at_blind(o, p, i, p->report);
		if (error > range / 2)
			return say_error(o, p, i, range, error, text);
		if (say_first(tool, o, p, i, text))
			return true;
	}
	return false;
}
