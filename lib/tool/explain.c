/*
 * explain.c - the guarantee and the predicted errors, from the options alone; reads no data.
 *
 * What is to be said about a task or a mechanism they say themselves (task.h, mech.h): no name of
 * one stands here.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run.h"

struct report {
	const struct dp_tool *tool;
	const struct dp_options *o;
	const struct dp_setting *s;
	const struct dp_plan *p;
	double unit;			/* one grid unit, in the user's units */
	double conf;
	double bound_max, bound_all;	/* grid units */
	double lower;
	double together;		/* of all outputs, the user's units; 0: none */
	uint64_t worst;
	unsigned out;			/* the output it belongs to */
	bool rmse;			/* errors are variances, not quantiles of the loss, */
	bool regret;			/* or bounds on the expected regret */
	bool spare;			/* what may expire is not made use of */
	bool once;			/* there is one answer, at the end */
	enum dp_cover cover;
	struct dp_law *law;
	char epsilon[64], delta[64], neighbours[DP_NEIGHBOURS], estimates[DP_TASK_TEXT];
};

static double
bound_at(const struct report *r, unsigned out, uint64_t t, double gamma)
{
	dp_mech_law(r->p->mech, out, t, r->law);
	return dp_law_bound(r->law, gamma) * r->unit;
}

static double
rmse_at(const struct report *r, unsigned out, uint64_t t)
{
	dp_mech_law(r->p->mech, out, t, r->law);
	return sqrt(dp_law_variance(r->law)) * r->unit;
}

/* A predicted error, in the user's units and the task's measure. */
static double
error_of(const struct report *r, double e)
{
	return (r->rmse ? sqrt(e) : e) * r->unit;
}

static const char *
pure_number(char text[64], struct dp_q q)
{
	snprintf(text, 64, q.den == 1 ? "%llu" : "%llu/%llu",
	    (unsigned long long)q.num, (unsigned long long)q.den);
	return text;
}

/* Of the i-th family */
static const char *
distribution(const struct report *r, unsigned i)
{
	const struct dp_noise *z;
	const char *what;

	if (r->o->exact)
		return "none";
	if (r->p->ops->noise != NULL)
		return r->p->ops->noise;
	return dp_mech_family(r->p->mech, i, &z, &what) ? dp_noise_name(z->kind) : "none";
}

/*
 * Scale of the i-th family: sigma (Gauss) or b (all others), in the user's units; false past the
 * last.
 */
static bool
scale(const struct report *r, unsigned i, double *b, const char **what)
{
	const struct dp_noise *z;

	if (r->o->exact || !dp_mech_family(r->p->mech, i, &z, what))
		return false;
	*b = dp_q_double(z->param);
	if (z->kind == DP_NOISE_GAUSS)
		*b = sqrt(*b);
	*b *= r->unit * dp_mech_unit(r->p->mech, i);
	return true;
}

#define ASSUMPTIONS	24
#define NOTES		8
#define NOTE		400		/* bytes of a mechanism's sentence */

/* How far one unit moves the values, in the user's units; of identifiers: how many. */
static double
sensitivity(const struct report *r)
{
	return (double)r->s->privacy.l1 * (r->tool->shape == DP_SHAPE_ID ? 1 : r->unit);
}

/* How many estimates are printed of the steps reported for. */
static uint64_t
printed(const struct report *r)
{
	const uint64_t n = r->once || r->o->every == 0 ? 1 : r->p->report / r->o->every;

	return n == 0 ? 1 : n;
}

static unsigned
assumptions(const struct report *r, const char **out)
{
	static char gap[120], sum[120], note[NOTES][DP_NOTE];
	const struct dp_options *o = r->o;
	const int64_t most = -o->lo > o->hi ? -o->lo : o->hi;
	unsigned n = 0, i;

	if (r->spare)
		out[n++] = "--expire is not made use of: this mechanism protects every step "
		    "for ever, at a smaller error";
	if (o->exact)
		out[n++] = "epsilon is inf: exact answers, NOT PRIVATE";
	if (o->has_seed)
		out[n++] = "--seed makes the noise reproducible: NOT PRIVATE";
	if (o->horizon == 0 && !r->once)
		out[n++] = "the horizon is unknown: figures are for the reported steps";
	if (o->whole)
		out[n++] = "all events of one identifier are protected together; several "
		    "identifiers of one person add up";
	else if (o->user.number == 0 && o->apart == NULL)
		out[n++] = "each event is protected by itself; several events of one person add up";
	if (o->apart != NULL)
		out[n++] = "the caller asserts that whatever is to be protected, an event or all "
		    "of a user, moves no answer by more than the sensitivity";
	if (o->steps == DP_BY_TIMES)
		out[n++] = "the caller asserts that event times are public, and with them the "
		    "length of lines and which field holds the time: only the content is protected";
	if (o->steps == DP_BY_TIMES &&
	    snprintf(gap, sizeof gap, "an event with more than %llu empty buckets before it has "
	    "a wrong time, and counts nowhere (--gap)", (unsigned long long)dp_bucket_gap(o)) > 0)
		out[n++] = gap;
	if (o->bucket != 0 && !o->pan && most >> 21 != 0 &&
	    snprintf(sum, sizeof sum, "no bucket's sum is beyond +-%.6g (2^61 grid units): "
	    "it is cut there", ldexp(r->unit, 61)) > 0)
		out[n++] = sum;
	if (o->steps == DP_BY_CLOCK)
		out[n++] = "which buckets exist depends on the wall clock alone";
	switch (r->cover) {
	case DP_COVER_LAST:
		out[n++] = "the caller gives up what is older than the expiry: estimates "
		    "show it exactly";
		break;
	case DP_COVER_FADING:
		out[n++] = "the caller gives up old events by and by: their loss grows beyond "
		    "epsilon as the curve above says";
		break;
	case DP_COVER_ALL:
		break;
	}
	if (o->csv)
		out[n++] = "the file is well-formed CSV: the text of one record cannot change "
		    "where others begin; a blank row is none, so 'nothing happened' is a "
		    "row of value 0";
	for (i = 0; r->tool->note != NULL && i < NOTES &&
	    r->tool->note(o, r->s, r->p, i, note[i]); i++)
		out[n++] = note[i];
	if (o->strict)
		out[n++] = "--strict: the place of the first malformed line is outside "
		    "the guarantee";
	return n;
}

/*
 * Ages 0, 1, 3, 7, .. up to the steps reported for, where the loss grows with age; false past
 * the last.
 */
static bool
loss_at(const struct report *r, unsigned i, uint64_t *age, double *loss)
{
	*age = ((uint64_t)1 << i) - 1;
	if (r->p->mech->ops->loss == NULL || r->o->exact || *age >= r->p->report)
		return false;
	*loss = r->p->mech->ops->loss(r->p->mech, *age);
	return true;
}

/* What a line is worth. */
static const char *
values(const struct report *r)
{
	const struct dp_options *o = r->o;

	switch (r->tool->shape) {
	case DP_SHAPE_ID:
		if (o->universe != 0)
			return "identifiers that are whole numbers from 1 to the universe's size";
		return o->nkeys != 0 ? "identifiers of the declared universe" :
		    "identifiers, told by a keyed hash of 128 bits";
	case DP_SHAPE_SYMBOL:
		return "a symbol of the declared alphabet, or none";
	case DP_SHAPE_VECTOR:
		if (o->key.number == 0)
			return "the numbers of each line, clamped to the range; "
			    "a line that is malformed counts 0";
		break;
	case DP_SHAPE_NUMBER:
		break;
	}
	if (o->match != NULL)
		return o->invert ? "1 for each line or field that does not match, else 0" :
		    "1 for each line or field that matches, else 0";
	if (o->value.number != 0)
		return "the number in the value field, clamped to the range";
	return o->time.number != 0 || o->key.number != 0 || o->user.number != 0 ?
	    "1 for each line (no value field, no match)" :
	    "the number that a line is, clamped to the range; a line that is none counts 0";
}

/* Whether every line is private by itself. */
static bool
is_local(const struct report *r)
{
	return r->o->task.what == DP_TASK_OWN && r->o->task.statistic->local;
}

static void
print_guarantee(const struct report *r)
{
	const struct dp_options *o = r->o;
	const unsigned long long n = r->p->report;

	if (o->exact) {
		printf("No guarantee: epsilon is inf, every estimate is exact.\n");
		return;
	}
	if (o->totals != DP_TOTALS_NO)
		printf("Nothing is released or charged here: totals are told from answers that are "
		    "private already.\nOf the command that made the answers: ");
	switch (r->cover) {
	case DP_COVER_LAST:
		printf("At every step, everything printed so far is (%s, %s)-differentially "
		    "private for the last %llu steps,\nand shows older ones exactly: %s.\n",
		    r->epsilon, r->delta, (unsigned long long)o->task.w[0], r->neighbours);
		break;
	case DP_COVER_FADING:
		printf("Everything this command prints in %llu steps%s is (%.6g, %s)-"
		    "differentially private;\nan event pays epsilon = %s at the step it "
		    "happens, and more as it grows old: %s.\n", n,
		    o->horizon != 0 ? "" : " (the horizon is unknown)",
		    r->p->mech->ops->loss(r->p->mech, n - 1), r->delta, r->epsilon, r->neighbours);
		break;
	case DP_COVER_ALL:
		printf("Everything this command prints, all steps together, is "
		    "(%s, %s)-differentially private: %s.\n", r->epsilon, r->delta, r->neighbours);
		break;
	}
	if (is_local(r))
		printf("Each line is (%s, %s)-locally differentially private: its answer is so by "
		    "itself, before it meets any other.\nWho answers j lines loses j times that.  "
		    "Totals told from the answers (--estimate) cost nothing more.\n", r->epsilon,
		    r->delta);
	if (o->pan)
		printf("Its memory between steps is private too, against one unannounced "
		    "intrusion.\n");
}

/* What a randomiser draws for a line; false: the mechanism is none. */
static bool
answer(const struct report *r, char text[static DP_TASK_TEXT])
{
	const struct dp_answers *a = r->p->ops->answers;

	if (a != NULL)
		a->describe(r->p->mech, text, DP_TASK_TEXT);
	return a != NULL;
}

static void
print_noise(const struct report *r)
{
	const char *what, *same;
	char text[DP_TASK_TEXT];
	unsigned i, k;
	double b, c;

	if (answer(r, text))
		printf("answer        %s\n", text);
	for (i = 0; scale(r, i, &b, &what); i += k) {
		for (k = 1; scale(r, i + k, &c, &same) && c == b && strcmp(same, what) == 0; k++)
			;
		printf("noise         %s, scale %.6g, on %s", distribution(r, i), b, what);
		if (k > 1)
			printf(" (%u such)", k);
		printf("\n");
	}
}

/* The i-th sentence that the mechanism adds. */
static bool
note(const struct report *r, unsigned i, char text[static NOTE])
{
	const struct dp_mech *m = r->p->mech;

	return m->ops->note != NULL && m->ops->note(m, i, r->unit, text, NOTE);
}

/* A row for each of four steps, of every output that has a law. */
static void
print_steps(const struct report *r)
{
	static const char *const name[] = { "first", "middle", "last", "worst" };
	const uint64_t n = r->p->report, at[] = { 1, (n + 1) / 2, n, r->worst };
	unsigned i, k;

	for (k = 0; r->rmse && !r->once && k < r->p->mech->outputs; k++) {
		if (r->p->mech->outputs > 1)
			printf("\n%s steps", r->o->output[k].name);
		printf("\n%-8s %14s %14s %22s\n", "step", "number", "rms error", "noise interval");
		for (i = 0; i < 4; i++)
			printf("%-8s %14llu %14.6g %14s +-%.6g\n", name[i],
			    (unsigned long long)at[i], rmse_at(r, k, at[i]), "",
			    bound_at(r, k, at[i], 1 - r->conf));
	}
}

#define ROWS_MAX	24

/* Of one answer: a row for each of its outputs, those with one error together. */
static void
print_answers(const struct report *r)
{
	const unsigned n = r->p->mech->outputs;
	char text[32];
	unsigned i, k, rows = 0;
	double e;

	printf("\n%-16s %14s %22s\n", "answers", "rms error", "noise interval");
	for (i = 0; i < n && rows++ < ROWS_MAX; i = k) {
		e = rmse_at(r, i, 1);
		for (k = i + 1; k < n && rmse_at(r, k, 1) == e; k++)
			;
		snprintf(text, sizeof text, k > i + 1 ? "%u-%u" : "%u", i + 1, k);
		printf("%-16s %14.6g %14s +-%.6g\n", text, e, "", bound_at(r, i, 1, 1 - r->conf));
	}
	if (i < n)
		printf("and %u more\n", n - i);
	if (r->together > 0 && r->together < r->bound_max)	/* else it says nothing */
		printf("\nWith probability %.6g the root mean square of the errors of all answers "
		    "stays below %.6g.\n", r->conf, r->together);
}

/* The most that two numbers differ by, grid units. */
static double
reach(const struct dp_options *o)
{
	return (double)(o->hi > 0 ? o->hi : 0) - (double)(o->lo < 0 ? o->lo : 0);
}

static void
print_regret(const struct report *r)
{
	const double most = (double)r->p->report * reach(r->o) * r->unit;

	printf("\nIf the costs do not respond to the choices, the choices of %llu steps are "
	    "expected to cost at most\n%.6g more than the best single column does",
	    (unsigned long long)r->p->report, r->bound_all);
	printf(r->bound_all < most ? "; no choices could cost %.6g more.\n" :
	    ": that says nothing, as no choices could cost %.6g more.\n", most);
}

static void
print_bounds(const struct report *r)
{
	if (r->regret) {
		print_regret(r);
		return;
	}
	if (r->once && r->rmse) {
		print_answers(r);
		return;
	}
	printf("\nWith probability %.6g the error stays within +-%.6g", r->conf, r->bound_all);
	if (!r->once)
		printf(" at every one of the %llu %s%s", (unsigned long long)printed(r),
		    r->o->every == 1 ? "steps" : "estimates printed",
		    r->tool->shape == DP_SHAPE_SYMBOL ? ", for each symbol by itself" :
		    r->rmse && (dp_options_width(r->o) > 1 || r->p->mech->outputs > 1) ?
		    ", in each column by itself" : "");
	switch (r->lower > 0 ? dp_task_lower(&r->o->task) : DP_LOWER_NONE) {
	case DP_LOWER_ALL:
		printf(";\nno mechanism with this guarantee can promise less than %.6g (%.3g "
		    "times smaller).\n", r->lower, r->bound_all / r->lower);
		break;
	case DP_LOWER_STEP:
		printf(";\nno mechanism with this guarantee can promise an error below %.6g "
		    "at one step (the worst step's interval here\nis %.3g times that).\n",
		    r->lower, r->bound_max / r->lower);
		break;
	case DP_LOWER_PAN:
		printf(";\nno mechanism with this guarantee, memory included, has an rms error "
		    "below %.6g (here it is %.3g times that).\n", r->lower,
		    error_of(r, r->p->eligible[r->p->chosen].error.max) / r->lower);
		break;
	case DP_LOWER_LOCAL:
		printf(";\nno randomiser of single lines with this guarantee can promise less "
		    "than %.6g (%.3g times smaller)\nfor one symbol, at the last of them.\n",
		    r->lower, r->bound_max / r->lower);
		break;
	case DP_LOWER_NONE:
		printf(".\n");
		break;
	}
}

static void
print_eligible(const struct report *r)
{
	const struct dp_plan *p = r->p;
	const struct dp_error *e;
	unsigned i;

	if (p->ops->answers != NULL)
		printf("\n%-16s %14s %14s %14s %14s\n", "eligible", "max rms error",
		    "mean rms error", "in no line", "in every line");
	else if (r->rmse)
		printf("\n%-16s %14s %14s\n", "eligible", "max rms error", "mean rms error");
	else
		printf("\n%-16s %14s %14s\n", "eligible",
		    r->regret ? "regret, at most" : "largest loss",
		    r->regret ? "a step" : "mean loss");
	for (i = 0; i < p->n; i++) {
		e = &p->eligible[i].error;
		printf("%-16s %14.6g %14.6g", p->eligible[i].ops->name, error_of(r, e->max),
		    error_of(r, e->mean));
		if (p->ops->answers != NULL)
			printf(" %14.6g %14.6g", error_of(r, e->none), error_of(r, e->all));
		printf("%s\n", i == p->chosen ? "  <- chosen" : "");
	}
}

/*
 * All columns, and what the run keeps of each besides: a value, or the numbers of a line, its name,
 * and its sums in open buckets.
 */
#define KEY_BYTES	80		/* its name, twice found */

static size_t
memory(const struct report *r)
{
	const struct dp_options *o = r->o;
	const size_t width = dp_options_width(o);
	size_t each;

	if (r->tool->shape == DP_SHAPE_NUMBER)
		return r->p->mech->column * width;
	if (r->tool->shape != DP_SHAPE_VECTOR)
		return r->p->mech->column;
	each = sizeof(int64_t) + dp_bucket_rows(o) * sizeof(dp_wide);
	if (o->key.number == 0)
		each += sizeof(struct dp_term) + sizeof(uint64_t);
	if (o->nkeys != 0)
		each += KEY_BYTES;
	return r->p->mech->column + width * each;
}

static void
print_text(const struct report *r)
{
	const struct dp_plan *p = r->p;
	const char *list[ASSUMPTIONS];
	char text[NOTE];
	unsigned i, count;
	uint64_t age;
	double b;

	print_guarantee(r);
	printf("\nestimates     %s\n", r->estimates);
	printf("of            %s\n", values(r));
	printf("mechanism     %s: %s\n", p->ops->name, p->ops->source);
	if (r->o->horizon != 0)
		printf("horizon       %llu steps\n", (unsigned long long)r->o->horizon);
	else if (r->once)
		printf("horizon       unknown\n");
	else
		printf("horizon       unknown; figures are for steps 1 to %llu\n",
		    (unsigned long long)p->report);
	if (p->ops->answers == NULL)
		printf("sensitivity   %.10g\n", sensitivity(r));
	print_noise(r);
	for (i = 0; note(r, i, text); i++)
		printf("note          %s\n", text);
	print_steps(r);
	print_bounds(r);
	for (i = 0; loss_at(r, i, &age, &b); i++)
		printf("%s%-16llu %14.6g\n",
		    i == 0 ? "\nWhat an event that many steps ago, or more, has lost by "
		    "now:\nsteps ago        loss (epsilon)\n" : "", (unsigned long long)age, b);
	print_eligible(r);
	printf(r->once ? "\nmemory        %zu bytes\ndraws         %.4g in all\n" :
	    p->mech->inputs > 1 ? "\nmemory        %zu bytes\ndraws         %.4g a step\n" :
	    "\nmemory        %zu bytes a column\ndraws         %.4g a step and column\n",
	    p->mech->inputs > 1 ? memory(r) : p->mech->column, dp_mech_draws(p->mech));
	count = assumptions(r, list);
	for (i = 0; i < count; i++)
		printf("%s %s\n", i == 0 ? "\nassumed:     " : "             ", list[i]);
}

/* Numbers that only estimates with a law have; null where there are none. */
static void
json_rmse(const struct report *r)
{
	const struct dp_error *e = &r->p->eligible[r->p->chosen].error;
	const uint64_t n = r->p->report;

	if (r->regret) {
		printf(",\"rmse\":null,\"bound\":null,\"regret\":{\"max\":%.10g,\"mean\":%.10g}",
		    error_of(r, e->max), error_of(r, e->mean));
		return;
	}
	if (!r->rmse) {
		printf(",\"rmse\":null,\"loss_quantile\":"
		    "{\"confidence\":%.10g,\"max\":%.10g,\"mean\":%.10g}", r->conf,
		    error_of(r, e->max), error_of(r, e->mean));
		printf(",\"bound\":{\"confidence\":%.10g,\"max\":%.10g,\"all_steps\":%.10g}",
		    r->conf, r->bound_max, r->bound_all);
		return;
	}
	printf(",\"rmse\":{\"max\":%.10g,\"mean\":%.10g,\"first\":%.10g,\"middle\":%.10g,"
	    "\"last\":%.10g,\"worst_step\":%llu}", error_of(r, e->max), error_of(r, e->mean),
	    rmse_at(r, r->out, 1), rmse_at(r, r->out, (n + 1) / 2), rmse_at(r, r->out, n),
	    (unsigned long long)r->worst);
	printf(",\"bound\":{\"confidence\":%.10g,\"max\":%.10g,\"all_steps\":%.10g,"
	    "\"first\":%.10g,\"last\":%.10g}",
	    r->conf, r->bound_max, r->bound_all, bound_at(r, r->out, 1, 1 - r->conf),
	    bound_at(r, r->out, n, 1 - r->conf));
}

static void
json_eligible(const struct report *r)
{
	const struct dp_plan *p = r->p;
	const char *max = r->rmse ? "rmse_max" : r->regret ? "regret_max" : "loss_max";
	const char *mean = r->rmse ? "rmse_mean" : r->regret ? "regret_mean" : "loss_mean";
	const struct dp_error *e;
	unsigned i;

	printf(",\"lower_bound\":%.10g,\"eligible\":[", r->lower);
	for (i = 0; i < p->n; i++) {
		e = &p->eligible[i].error;
		printf("%s{\"mechanism\":\"%s\",\"%s\":%.10g,\"%s\":%.10g",
		    i == 0 ? "" : ",", p->eligible[i].ops->name, max, error_of(r, e->max), mean,
		    error_of(r, e->mean));
		if (p->ops->answers != NULL)
			printf(",\"rmse_in_no_line\":%.10g,\"rmse_in_every_line\":%.10g",
			    error_of(r, e->none), error_of(r, e->all));
		printf("}");
	}
	printf("]");
}

static void
print_json(const struct report *r)
{
	const struct dp_options *o = r->o;
	const struct dp_plan *p = r->p;
	const char *list[ASSUMPTIONS], *what;
	char text[DP_TASK_TEXT > NOTE ? DP_TASK_TEXT : NOTE];
	unsigned i, n;
	uint64_t age;
	double b = 0;

	printf("{\"tool\":\"%s\",\"mechanism\":\"%s\",\"epsilon\":\"%s\",\"delta\":\"%s\"",
	    r->tool->name, p->ops->name, r->epsilon, r->delta);
	printf(",\"estimates\":\"%s\",\"neighbours\":\"%s\",\"pan_private\":%s", r->estimates,
	    r->neighbours, o->pan ? "true" : "false");
	if (is_local(r))
		printf(",\"local\":true,\"post_processing\":%s",
		    o->totals != DP_TOTALS_NO ? "true" : "false");
	if (o->horizon != 0)
		printf(",\"horizon\":%llu", (unsigned long long)o->horizon);
	else
		printf(",\"horizon\":null");
	printf(",\"report\":%llu,\"sensitivity\":%.10g", (unsigned long long)p->report,
	    sensitivity(r));
	(void)scale(r, 0, &b, &what);
	printf(",\"noise\":{\"distribution\":\"%s\",\"scale\":%.10g,\"families\":[",
	    distribution(r, 0), b);
	for (i = 0; scale(r, i, &b, &what); i++)
		printf("%s{\"on\":\"%s\",\"distribution\":\"%s\",\"scale\":%.10g}",
		    i == 0 ? "" : ",", what, distribution(r, i), b);
	printf("]");
	if (answer(r, text))
		printf(",\"answer\":\"%s\"", text);
	printf("}");
	json_rmse(r);
	json_eligible(r);
	if (p->mech->ops->together != NULL)
		printf(",\"together\":%.10g", r->together);
	printf(",\"loss\":[");
	for (i = 0; loss_at(r, i, &age, &b); i++)
		printf("%s{\"age\":%llu,\"epsilon\":%.10g}",
		    i == 0 ? "" : ",", (unsigned long long)age, b);
	printf("],\"columns\":[");
	for (i = 0; r->rmse && !r->once && p->mech->outputs > 1 && i < p->mech->outputs; i++)
		printf("%s{\"window\":\"%s\",\"rmse_first\":%.10g,\"rmse_last\":%.10g}",
		    i == 0 ? "" : ",", o->output[i].name,
		    rmse_at(r, i, 1), rmse_at(r, i, p->report));
	printf("],\"notes\":[");
	for (i = 0; note(r, i, text); i++)
		printf("%s\"%s\"", i == 0 ? "" : ",", text);
	printf("],\"memory_bytes\":%zu,\"draws_per_step\":%.6g,\"assumptions\":[", memory(r),
	    dp_mech_draws(p->mech));
	n = assumptions(r, list);
	for (i = 0; i < n; i++)
		printf("%s\"%s\"", i == 0 ? "" : ",", list[i]);
	printf("]}\n");
}

/* One unit moves a column by reach * K in K steps, so blocks of K steps make one event. */
static double
lower_bound(const struct report *r)
{
	const struct dp_options *o = r->o;
	uint64_t k = o->per_user == 0 ? 1 : o->per_user;
	double most = reach(o);

	if (o->unit != 0)
		most = fmin(most, (double)o->unit);
	if (o->exact || (!o->pan && dp_task_lower(&o->task) == DP_LOWER_PAN))
		return 0;
	return most * (double)k * r->unit * dp_task_lower_bound(&o->task, r->p->report / k,
	    dp_q_double(o->epsilon), dp_q_double(o->delta), 1 - r->conf);
}

static void
predict(struct report *r)
{
	const struct dp_error *e = &r->p->eligible[r->p->chosen].error;
	unsigned i;

	/* The bound of a quantile of all steps' loss is that quantile. */
	r->bound_max = r->bound_all = error_of(r, e->max);
	if (r->rmse) {
		/* r->out: the output whose worst step it is. */
		for (i = 1; i < r->p->mech->outputs; i++)
			if (rmse_at(r, i, r->worst) > rmse_at(r, r->out, r->worst))
				r->out = i;
		r->bound_max = bound_at(r, r->out, r->worst, 1 - r->conf);
		/* union bound over the steps */
		r->bound_all = bound_at(r, r->out, r->worst, (1 - r->conf) / (double)printed(r));
	}
	if (r->p->mech->ops->together != NULL && !r->o->exact)
		r->together = r->unit * r->p->mech->ops->together(r->p->mech, r->o->horizon,
		    1 - r->conf);
	r->lower = lower_bound(r);
}

int
dp_explain(const struct dp_tool *tool, const struct dp_options *o,
    const struct dp_setting *s, const struct dp_plan *p)
{
	static struct dp_law law;
	static struct dp_options done;	/* the options, with the task that the mechanism does */
	static struct report r;

	done = *o;
	r = (struct report){ .tool = tool, .o = &done, .s = s, .p = p, .law = &law,
	    .unit = pow(10, -(double)o->places),
	    .conf = 1 - s->beta,
	    .worst = p->eligible[p->chosen].error.worst };
	r.once = tool->prints == DP_PRINT_END;
	r.spare = dp_mech_spares(p->ops, &o->task, &done.task);
	r.cover = dp_task_cover(&done.task);
	r.rmse = dp_task_measure(&done.task) == DP_MEASURE_RMSE;
	r.regret = dp_task_measure(&done.task) == DP_MEASURE_REGRET;
	if (o->exact)
		snprintf(r.epsilon, sizeof r.epsilon, "inf");
	else
		pure_number(r.epsilon, o->epsilon);
	pure_number(r.delta, o->delta);
	dp_options_neighbours(&done, tool, r.neighbours);
	dp_task_sentence(&done.task, r.estimates);
	predict(&r);
	if (o->explain == DP_EXPLAIN_JSON)
		print_json(&r);
	else
		print_text(&r);
	return dp_close_stdout();
}
