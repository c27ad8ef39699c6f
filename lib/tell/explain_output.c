/*
 * explain_output.c - for dpplot and --explain=json: the lines of a run, as print.c and totals.c
 * write them: their form, and of each column its name and kind; and, in words, the numbers and
 * their guarantee.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/options_table.h"
#include "columns.h"
#include "explain.h"

#define LISTED	256		/* columns; of more only the number is said */

/* One more column; names are the caller's, and text. */
static void
column(const char *name, const char *kind, bool *first)
{
	char text[6 * DP_COLUMN + 2];

	*dp_print_text(text, name, DP_JSON) = '\0';
	printf("%s{\"name\":%s,\"kind\":\"%s\"}", *first ? "" : ",", text, kind);
	*first = false;
}

/* Estimates and their intervals; of --output=json a part of them: 0 estimates, 1 lo, 2 hi. */
static void
estimates(const struct dp_run *r, size_t n, int part, bool *first)
{
	static const char *const suffix[] = { "", "_lo", "_hi" };
	static const char *const kind[] = { "estimate", "lo", "hi" };
	char name[DP_COLUMN];
	size_t c;
	int i;

	for (c = 0; c < n; c++)
		for (i = 0; i < (dp_print_bounds(r, c) ? 3 : 1); i++)
			if (part < 0 || part == i)
				column(dp_print_column(r, c, suffix[i], name),
				    dp_print_choice(r, c) ? "choice" : kind[i], first);
}

/* Lines that are a name and its estimate. */
static void
row(const struct dp_run *r, const char *heading, bool *first)
{
	if (r->o->print.format != DP_PLAIN || r->o->form.totals != DP_TOTALS_NO ||
	    r->o->given[OPT_TOP] || r->o->output[0].name != NULL)
		column(heading, "name", first);
	column("estimate", "estimate", first);
	if (r->o->print.confidence > 0) {
		column("lo", "lo", first);
		column("hi", "hi", first);
	}
	if (r->o->print.confidence > 0 && r->o->given[OPT_TOP])
		column("certain", "other", first);
}

/*
 * Lines are public, as steps or by their times (neighbour.h): what is in them is protected, not
 * that they are there.  Of totals it is an event in a line.
 */
static bool
lines_show(const struct dp_options *o)
{
	return o->time.steps == DP_BY_LINE || o->time.steps == DP_BY_TIMES;
}

/* Unit of protection as somebody says it who has read no page of the manual. */
static void
protected(const struct dp_report *report, char text[static DP_PROTECTED])
{
	const bool within = lines_show(report->o) && report->o->range.total == NULL;
	char unit[DP_PROTECTED];

	dp_options_protected(report->o, report->tool, unit);
	unit[strcspn(unit, "/")] = '\0';
	if (strcmp(unit, "number") == 0)
		snprintf(text, DP_PROTECTED, "what any one number is");
	else if (strcmp(unit, "user-step") == 0)
		snprintf(text, DP_PROTECTED, "%s", within ?
		    "what any one user's events in any one step were" :
		    "whether any one user did anything in any one step");
	else if (within)
		snprintf(text, DP_PROTECTED, strcmp(unit, "user") == 0 ?
		    "what any one user's events were" : "what any one %.200s was", unit);
	else
		snprintf(text, DP_PROTECTED, "whether any one %.200s is in the data", unit);
}

/* x > 0 to three digits, rounded up. */
static double
up(double x)
{
	const double digit = pow(10, floor(log10(x)) - 2);

	return ceil(x / digit) * digit;
}

/* The guarantee for a reader who knows nothing of epsilon: odds, and a factor e^epsilon. */
static void
plainly(const struct dp_report *report)
{
	const struct dp_ask_privacy *p = &report->o->priv;
	const double factor = p->exact ? INFINITY : exp(dp_q_double(p->epsilon));
	char unit[DP_PROTECTED];

	if (report->o->range.apart != NULL)	/* answers of a command: it knows what moves them */
		return;
	if (!isfinite(factor) || p->has_seed) {
		printf(",\"plainly\":\"These numbers are NOT PRIVATE.\"");
		return;
	}
	protected(report, unit);
	printf(",\"plainly\":\"Noise was added to these numbers: they change the odds on %s by a "
	    "factor of at most %.6g", unit, up(factor));
	if (p->delta.num != 0)
		printf(", but for a chance of %.6g", up(dp_q_double(p->delta)));
	if (report->cover == DP_COVER_LAST)
		printf("; what is older than %llu steps is not protected",
		    (unsigned long long)report->o->task.w[0]);
	else if (report->cover == DP_COVER_FADING)
		printf(" when it happens, which grows with its age");
	if (lines_show(report->o))
		printf("; that a line is there%s is not hidden",
		    report->o->time.steps == DP_BY_TIMES ? ", and when," : "");
	printf(".\"");
}

/* Numbers of a line in words, the confidence of their intervals, seconds of a bucket. */
static void
described(const struct dp_report *report)
{
	char text[6 * DP_TASK_TEXT + 2];

	*dp_print_text(text, report->text.estimates, DP_JSON) = '\0';
	printf(",\"estimate\":%s,\"confidence\":%.15g,\"bucket\":%llu", text,
	    report->o->print.confidence, (unsigned long long)
	    (dp_options_timed(report->o) ? report->o->time.bucket : 0));
	plainly(report);
}

/* Columns of -o long, and none of -o prometheus, whose lines are no table. */
static void
tidy(const struct dp_run *r, bool timed)
{
	static const char *const name[] = { "key", "statistic", "estimate", "lo", "hi" };
	static const char *const kind[] = { "name", "other", "estimate", "lo", "hi" };
	bool first = true;
	int i;

	if (r->o->print.format == DP_PROMETHEUS)
		return;
	if (!timed || r->o->print.number)
		column("step", "step", &first);
	if (timed)
		column("time", "time", &first);
	for (i = 0; i < 5; i++)
		column(name[i], kind[i], &first);
	if (r->o->print.confidence > 0 && r->o->given[OPT_TOP])
		column("certain", "other", &first);
	else if (r->plan.mech->ops->frozen != NULL)
		column("frozen", "other", &first);
}

/* Columns of the other forms; rows: what a row is of, NULL: a step. */
static void
columns(const struct dp_run *r, const char *rows, bool timed)
{
	const bool json = r->o->print.format == DP_JSON;
	bool first = true;
	int part;

	if (r->o->print.number || json)
		column("step", "step", &first);
	if (timed)
		column("time", "time", &first);
	if (rows != NULL)
		row(r, rows, &first);
	else if (r->print.nest <= LISTED && !json)
		estimates(r, r->print.nest, -1, &first);
	else if (r->print.nest <= LISTED)
		for (part = 0; part < 3; part++)
			estimates(r, r->print.nest, part, &first);
	if (r->plan.mech->ops->frozen != NULL && r->o->print.format != DP_PLAIN)
		column("frozen", "other", &first);
}

void
dp_explain_output(const struct dp_report *report)
{
	static const char *const form[] = { [DP_PLAIN] = "plain", [DP_TSV] = "tsv",
	    [DP_CSV] = "csv", [DP_JSON] = "json",
	    [DP_LONG] = "long", [DP_PROMETHEUS] = "prometheus" };
	const struct dp_options *o = report->o;
	const struct dp_tool *tool = report->tool;
	const bool totals = o->form.totals != DP_TOTALS_NO;
	struct dp_run r = { .o = o, .tool = tool, .print.outputs = o->outputs,
	    .plan = *report->p };
	const char *rows = dp_print_row_name(&r);

	r.print.nest = o->outputs * dp_options_columns(o, tool);
	printf("\"output\":{\"format\":\"%s\",\"row\":\"%s\",\"rows\":%zu,\"estimates\":%zu,"
	    "\"columns\":[", form[o->print.format], rows == NULL ? "step" : rows,
	    rows == NULL ? 0 : totals ? o->keys.n : r.print.nest, rows == NULL ? r.print.nest : 1);
	if (dp_options_tidy(o))
		tidy(&r, dp_options_timed(o));
	else
		columns(&r, rows, dp_options_timed(o));
	printf("]");
	described(report);
	printf("}");
}
