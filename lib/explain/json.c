/* SPDX-License-Identifier: ISC */
/* json.c - --explain=json, and the plan as it is drawn from. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "job/table.h"
#include "sketch/sketch.h"
#include "stat/maxsum.h"
#include "stat/quantile.h"
#include "explain.h"
#include "internal.h"
#include "print.h"

/*
 * --explain=json: one object.
 */

/* A number, or null where there is none. */
static void
json_number(const char *before, double x)
{
	if (isnan(x))
		printf("%snull", before);
	else
		printf("%s%.10g", before, x);
}

/* Numbers that only estimates with a law have; null where there are none. */
static void
json_rmse(const struct dp_report *r)
{
	const struct dp_error *e = &r->p->eligible[r->p->chosen].error;
	const uint64_t n = r->p->report;

	if (r->regret) {
		printf(",\"rmse\":null,\"bound\":null,\"regret\":{\"max\":%.10g,\"mean\":%.10g}",
		    dp_report_error(r, e->max), dp_report_error(r, e->mean));
		return;
	}
	if (!r->rmse) {
		printf(",\"rmse\":null,\"loss_quantile\":"
		    "{\"confidence\":%.10g,\"max\":%.10g", r->bound.conf,
		    r->bound.all);
		json_number(",\"mean\":", dp_report_error(r, e->mean) + r->bound.margin);
		printf("},\"bound\":{\"confidence\":%.10g,\"max\":%.10g,\"all_steps\":%.10g}",
		    r->bound.conf, r->bound.max, r->bound.all);
		return;
	}
	printf(",\"rmse\":{\"max\":%.10g,\"mean\":%.10g,\"first\":%.10g,\"middle\":%.10g,"
	    "\"last\":%.10g,\"worst_step\":%llu}", dp_report_error(r, e->max),
	    dp_report_error(r, e->mean), dp_report_rmse(r, r->bound.out, 1),
	    dp_report_rmse(r, r->bound.out, (n + 1) / 2), dp_report_rmse(r, r->bound.out, n),
	    (unsigned long long)r->bound.step);
	printf(",\"bound\":{\"confidence\":%.10g,\"max\":%.10g,\"all_steps\":%.10g,"
	    "\"first\":%.10g,\"last\":%.10g}",
	    r->bound.conf, r->bound.max, r->bound.all,
	    dp_report_interval(r, r->bound.out, 1),
	    dp_report_interval(r, r->bound.out, n));
}

static void
json_eligible(const struct dp_report *r)
{
	const struct dp_plan *p = r->p;
	const char *max = r->rmse ? "rmse_max" : r->regret ? "regret_max" : "loss_max";
	const char *mean = r->rmse ? "rmse_mean" : r->regret ? "regret_mean" : "loss_mean";
	const struct dp_error *e;
	unsigned i;

	printf(",\"lower_bound\":%.10g,\"unbiased_bound\":%.10g,\"eligible\":[", r->lower,
	    r->unbiased);
	for (i = 0; i < p->n; i++) {
		e = &p->eligible[i].error;
		printf("%s{\"mechanism\":\"%s\",\"%s\":%.10g,\"%s", i == 0 ? "" : ",",
		    p->eligible[i].ops->name, max, dp_report_error(r, e->max), mean);
		json_number("\":", dp_report_error(r, e->mean));
		if (p->ops->answers != NULL && r->o->task.statistic->symbols)
			printf(",\"rmse_in_no_line\":%.10g,\"rmse_in_every_line\":%.10g",
			    dp_report_error(r, e->none), dp_report_error(r, e->all));
		printf("}");
	}
	printf("]");
	if (p->left != NULL)
		printf(",\"left_out\":{\"mechanism\":\"%s\",\"why\":\"%s\"}", p->left->name,
		    p->left_why);
}

/* Numbers that people want to know first. */
static void
json_first(const struct dp_report *r)
{
	char text[DP_TASK_TEXT], epsilon[64];
	const char *warning;
	unsigned i;

	dp_report_expect(r, text);
	printf(",\"expect\":\"%s\",\"warnings\":[", text);
	for (i = 0; (warning = dp_report_warning(r, i)) != NULL; i++)
		printf("%s\"%s\"", i == 0 ? "" : ",", warning);
	printf("]");
	if (r->o->priv.within.num != 0)
		printf(",\"within\":{\"error\":%.10g,\"epsilon\":\"%s\"}",
		    dp_q_double(r->o->priv.within), dp_report_within(r, epsilon));
}

void
dp_explain_json(const struct dp_report *r)
{
	const struct dp_options *o = r->o;
	const struct dp_plan *p = r->p;
	const char *list[DP_REPORT_ASSUMPTIONS], *what;
	char text[DP_TASK_TEXT > DP_NOTE ? DP_TASK_TEXT : DP_NOTE];
	unsigned i, n;
	uint64_t age;
	double b = 0;

	printf("{\"tool\":\"%s\",\"mechanism\":\"%s\",\"epsilon\":\"%s\",\"delta\":\"%s\"",
	    r->tool->name, p->ops->name, r->text.epsilon, r->text.delta);
	json_first(r);
	printf(",\"estimates\":\"%s\",\"neighbours\":\"%s\",\"pan_private\":%s", r->text.estimates,
	    r->text.neighbours, o->priv.pan ? "true" : "false");
	if (dp_report_local(r))
		printf(",\"local\":true,\"post_processing\":%s",
		    o->form.totals != DP_TOTALS_NO ? "true" : "false");
	if (o->horizon != 0)
		printf(",\"horizon\":%llu", (unsigned long long)o->horizon);
	else
		printf(",\"horizon\":null");
	printf(",\"report\":%llu,\"sensitivity\":%.10g", (unsigned long long)p->report,
	    dp_report_sensitivity(r));
	(void)dp_report_scale(r, 0, &b, &what);
	printf(",\"noise\":{\"distribution\":\"%s\",\"scale\":%.10g,\"families\":[",
	    dp_report_distribution(r, 0), b);
	for (i = 0; dp_report_scale(r, i, &b, &what); i++)
		printf("%s{\"on\":\"%s\",\"distribution\":\"%s\",\"scale\":%.10g}",
		    i == 0 ? "" : ",", what, dp_report_distribution(r, i), b);
	printf("]");
	if (dp_report_answer(r, text))
		printf(",\"answer\":\"%s\"", text);
	printf("}");
	json_rmse(r);
	json_eligible(r);
	if (p->mech->ops->bound.together != NULL)
		printf(",\"together\":%.10g", r->bound.together);
	printf(",\"loss\":[");
	for (i = 0; dp_report_loss(r, i, &age, &b); i++)
		printf("%s{\"age\":%llu,\"epsilon\":%.10g}",
		    i == 0 ? "" : ",", (unsigned long long)age, b);
	printf("],\"columns\":[");
	for (i = 0; r->rmse && !r->once && p->mech->outputs > p->mech->estimate.alike &&
	    i < p->mech->outputs; i += p->mech->estimate.alike)
		printf("%s{\"window\":\"%s\",\"rmse_first\":%.10g,\"rmse_last\":%.10g}",
		    i == 0 ? "" : ",", dp_report_law_name(r, i),
		    dp_report_rmse(r, i, 1), dp_report_rmse(r, i, p->report));
	printf("],\"notes\":[");
	for (i = 0; dp_report_note(r, i, text); i++)
		printf("%s\"%s\"", i == 0 ? "" : ",", text);
	printf("],\"memory_bytes\":%zu,\"draws_per_step\":%.6g,\"assumptions\":[",
	    dp_report_memory(r), dp_mech_draws(p->mech));
	n = dp_report_assumptions(r, list);
	for (i = 0; i < n; i++)
		printf("%s\"%s\"", i == 0 ? "" : ",", list[i]);
	printf("],");
	dp_explain_output(r);
	printf("}\n");
}

/* The plan as it is drawn from, for dpaudit --plan and for receipts. */

int
dp_plan_text(struct dp_buf *b, const struct dp_tool *tool, const struct dp_options *o,
    const struct dp_plan *p)
{
	struct dp_buf moves = { .n = 0 };
	int e = dp_options_neighbour_lines(o, tool, &moves);

	if (e == 0)
		e = dp_certificate_plan(b, tool->name, o->priv.exact ? "exact" :
		    o->priv.has_seed ? "seeded" : NULL, &moves, &o->task, p->mech);
	dp_buf_free(&moves);
	return e;
}

void
dp_explain_plan(const struct dp_tool *tool, const struct dp_options *o, const struct dp_plan *p)
{
	struct dp_buf b = { .n = 0 };
	int e;

	if ((e = dp_plan_text(&b, tool, o, p)) != 0)
		dp_die(DP_EX_SYSTEM, "%s", dp_strerror(e));
	(void)fwrite(b.p, 1, b.n, stdout);
	dp_buf_free(&b);
}

/*
 * For dpplot and --explain=json: the lines of a run, as print.c and run/step.c
 * write them: their form, and of each column its name and kind; and, in words, the numbers and
 * their guarantee.
 */

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
 * Lines are public, as steps or by their times (account/neighbour.h): what is in them is protected,
 * not
 * that they are there.  Of totals it is an event in a line.
 */
static bool
lines_show(const struct dp_options *o)
{
	return o->time.steps == DP_BY_LINE || o->time.steps == DP_BY_TIMES;
}

/*
 * Unit of protection as somebody says it who has read no page of the manual.  What is protected of
 * a user's lines that stay where they are, and of one line with a public time, is whether they say
 * something or nothing: something else may be two such changes.
 */
static void
protected(const struct dp_report *report, char text[static DP_PROTECTED])
{
	const bool within = lines_show(report->o) && report->o->range.total == NULL;
	const bool times = report->o->time.steps == DP_BY_TIMES;
	char unit[DP_PROTECTED];

	dp_options_protected(report->o, report->tool, unit);
	unit[strcspn(unit, "/")] = '\0';
	if (strcmp(unit, "number") == 0)
		snprintf(text, DP_PROTECTED, "what any one number is");
	else if (strcmp(unit, "user-step") == 0)
		snprintf(text, DP_PROTECTED, "%s", within ?
		    "whether any one user's events in any one step happened" :
		    "whether any one user did anything in any one step");
	else if (within && strcmp(unit, "user") == 0)
		snprintf(text, DP_PROTECTED, "whether any one user's events happened");
	else if (within)
		snprintf(text, DP_PROTECTED, times ? "whether any one %.200s happened" :
		    "what any one %.200s was", unit);
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
	if (p->delta.num != 0 && dp_q_double(p->delta) < .01)
		printf(", but for a chance of one in %.0f", floor(1 / up(dp_q_double(p->delta))));
	else if (p->delta.num != 0)
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

/*
 * Where means and quantiles are whatever the data: an interval of all of it says nothing.  A mean
 * of matches, or of users who did something, is a share.
 */
static void
within(const struct dp_report *report)
{
	const struct dp_options *o = report->o;
	const struct dp_statistic *s = o->task.statistic;
	const bool mean = s != NULL && strcmp(s->name, "mean") == 0 &&
	    strncmp(report->text.estimates, "mean of", strlen("mean of")) == 0;
	const double unit = pow(10, -(double)o->range.places);
	const double lo = (double)o->range.lo * unit, hi = (double)o->range.hi * unit;

	if (!mean && (s == NULL || strcmp(s->name, "quantile") != 0))
		return;
	printf(",\"range\":[%.15g,%.15g]", o->print.difference ? lo - hi : lo,
	    o->print.difference ? hi - lo : hi);
	if (mean && (o->users.each == DP_EACH_ANY || (o->users.each == DP_EACH_NO &&
	    o->form.match != NULL)))
		printf(",\"share\":true");
}

/* The unit of the values, where estimates or edges of bins are in it, and it has a name. */
static void
unit(const struct dp_options *o)
{
	const struct dp_ask_lets *l = &o->form.lets;
	const struct dp_statistic *s = o->task.statistic;
	const char *name = o->form.value.name, *its = NULL;
	const bool values = s != NULL && (strcmp(s->name, "quantile") == 0 ||
	    strcmp(s->name, "histogram") == 0 || (strcmp(s->name, "maxsum") == 0 &&
	    !dp_options_ones(o)) || (strcmp(s->name, "mean") == 0 && o->outputs == 1));
	unsigned i;

	if (name == NULL || dp_options_whole(o) || !(s == NULL ? !dp_options_ones(o) : values))
		return;
	if (o->form.log != NULL && strcmp(name, "size") == 0)
		its = "B";
	for (i = 0; i < l->n; i++)
		if (strcmp(l->made[i].name, name) == 0)
			its = l->made[i].pattern || l->made[i].how[0] == '/' ? "none" :
			    l->made[i].how;
	if (its != NULL && strlen(its) <= 3)		/* other words are no units */
		printf(",\"unit\":\"%s\"", its);
}

/* What a window's length counts. */
static const char *
length_word(const char *window)
{
	static const char *const unit[][2] = { { "s", "second" }, { "m", "minute" },
	    { "h", "hour" }, { "d", "day" }, { "w", "week" }, { "mo", "month" }, { "y", "year" } };
	const char *its = window + strspn(window, "0123456789");
	size_t i;

	for (i = 0; i < sizeof unit / sizeof *unit; i++)
		if (strcmp(its, unit[i][0]) == 0)
			return unit[i][1];
	return "step";
}

/* Lengths of windows in words: "1 and 24 steps", "1 step and 7 days". */
static void
lengths(const struct dp_task *k, char *text, size_t room)
{
	const char *last = "", *word, *next;
	size_t n = 0;
	unsigned i;
	int digits;

	for (i = 0; i < k->windows && n < room; i++, last = word) {
		digits = (int)strspn(k->window[i], "0123456789");
		word = length_word(k->window[i]);
		next = i + 1 < k->windows ? length_word(k->window[i + 1]) : "";
		n += (size_t)snprintf(text + n, room - n, "%s%.*s%s%s%s", i == 0 ? "" :
		    i + 1 < k->windows ? ", " : " and ", digits, k->window[i], word == next ? "" :
		    " ", word == next ? "" : word, word == next || (word != last && digits == 1 &&
		    *k->window[i] == '1') ? "" : "s");
	}
}

/* Which steps a number is of. */
static const char *
period(const struct dp_options *o, char text[static DP_TASK_TEXT])
{
	struct dp_task k = o->task;
	char half[32], *end;

	k.statistic = NULL;
	*text = '\0';
	dp_task_sentence(&k, text);
	if (o->time.once && o->keep.state == NULL)
		return "in all";
	if (dp_task_weighted(&k) == DP_TASK_EXP) {
		snprintf(half, sizeof half, "%.4g", -M_LN2 / log(k.alpha));
		snprintf(text, DP_TASK_TEXT, "(each counts half after %s step%s)", half,
		    strcmp(half, "1") == 0 ? "" : "s");
		return text;
	}
	if (strncmp(text, "sum in", 6) == 0)
		return text + 4;
	if (strncmp(text, "sum of ", 7) != 0)
		return "so far";
	memcpy(text, "    in ", 7);
	if ((end = strstr(text, " (")) != NULL && k.w[0] == 1)
		*end = '\0';		/* "in each step" */
	else if (end != NULL || k.windows > 1)
		lengths(&k, text + 16, DP_TASK_TEXT - 16);
	return text + 4;
}

/* "size that 50, 95 and 99 % of the events stay below"; v: the field, of: what has it. */
static void
percentiles(const struct dp_quantile_asked *a, const char *v, const char *of, const char *when,
    char *text, size_t room)
{
	size_t n = (size_t)snprintf(text, room, "%.100s that ", v);
	unsigned i;

	for (i = 0; i < a->n && n < room; i++)
		n += (size_t)snprintf(text + n, room - n, "%s%.6g", i == 0 ? "" : i + 1 < a->n ?
		    ", " : " and ", 100 * a->q[i]);
	if (n < room)
		snprintf(text + n, room - n, " %% of the %s stay below %s", of, when);
}

/* The most that any key has, or which key has it. */
static void
leader(const struct dp_options *o, const char *n, const char *v, const char *when, char *text,
    size_t room)
{
	const struct dp_maxsum *m = o->task.own;
	const char *name = o->keys.field.name != NULL ? o->keys.field.name : o->given[OPT_KEY] ?
	    "key" : "column";
	const bool ones = dp_options_ones(o);
	char what[140];

	snprintf(what, sizeof what, "%s %.100s", ones ? "most" : "largest sum of", ones ? n : v);
	if (m->show == DP_MAXSUM_VALUE)
		snprintf(text, room, "the %s of any %.100s %s", what, name, when);
	else
		snprintf(text, room, "the %.100s with the %s %s%s", name, what, when, m->show ==
		    DP_MAXSUM_BOTH ? ones ? ", and how many" : ", and that sum" : "");
}

/* How many different values of a field there are. */
static void
different(const struct dp_options *o, const char *when, char *text, size_t room)
{
	const struct dp_sketch *s = o->task.statistic == &dp_recent ? o->task.own : NULL;
	struct dp_task k = { .windows = s == NULL ? 0 : s->windows };
	char last[DP_TASK_TEXT] = "in the last ";
	unsigned i;

	for (i = 0; i < k.windows; i++)
		k.window[i] = s->each[i].name;
	if (k.windows > 0)
		lengths(&k, last + strlen(last), sizeof last - strlen(last));
	else if (s != NULL && s->window == 1)
		strcpy(last, "in each step");
	else if (s != NULL)
		snprintf(last, sizeof last, "in the last %llu steps",
		    (unsigned long long)s->window);
	snprintf(text, room, "different values%s%.100s%s%.100s %s", o->form.value.name == NULL ?
	    "" : " of ", o->form.value.name == NULL ? "" : o->form.value.name, o->keys.n == 0 ?
	    "" : " with each ", o->keys.n == 0 ? "" : o->keys.field.name == NULL ? "key" :
	    o->keys.field.name, s == NULL ? when : last);
}

/* The numbers of a line for who looks at a picture: "users in each step". */
static void
said(const struct dp_report *r, char text[static 2 * DP_TASK_TEXT])
{
	const size_t room = 2 * DP_TASK_TEXT;
	const struct dp_options *o = r->o;
	const struct dp_statistic *s = o->task.statistic;
	const char *what = r->text.estimates, *name = s == NULL || strcmp(s->name, "margins") ==
	    0 ? "sum" : s->name;
	const char *of = strstr(what, " of events' values"), *each = strstr(what, "of its events ");
	const char *v = o->form.value.name == NULL ? "values" : o->form.value.name;
	const bool any = o->users.each == DP_EACH_ANY, match = o->form.match != NULL;
	const bool alone = o->users.each == DP_EACH_NO && o->users.most == 1 &&
	    dp_options_step_unit(o);
	const char *n = any ? (match ? "users with a match" : "users") : alone ||
	    o->users.each != DP_EACH_NO ? "users" : match ? "events that match" : "events";
	char when[DP_TASK_TEXT];
	const char *p = period(o, when);

	if (o->users.each == DP_EACH_COUNT)
		v = "number of events";
	if (s != NULL && strcmp(s->name, "maxsum") == 0)
		leader(o, n, v, p, text, room);
	else if (s == &dp_distinct || s == &dp_recent || (s == NULL && strcmp(r->tool->name,
	    "dpdistinct") == 0))
		different(o, p, text, room);
	else if (s != NULL && strcmp(name, "answers") == 0)
		snprintf(text, room, s->local ? "answers that were randomised one by one" :
		    o->range.total != NULL ? "sum of %.100s in each group" : "events in each group",
		    v);
	else if (strncmp(what, "sums of values whose range", 26) == 0)
		snprintf(text, room, "sum of %.100s %s, and its clamp", v, p);
	else if (strcmp(name, "sum") == 0 && (any || (o->users.each == DP_EACH_NO &&
	    dp_options_ones(o) && o->range.total == NULL)))
		snprintf(text, room, "%s%s %s", n, (alone || any) && strcmp(p, "in all") != 0 &&
		    strncmp(p, "in each", 7) != 0 ? " of each step, added up," : "", p);
	else if (strcmp(name, "sum") == 0)
		snprintf(text, room, o->users.each == DP_EACH_COUNT ? "events%.0s %s" :
		    "sum of %.100s %s", v, p);
	else if (strcmp(name, "mean") == 0 && of != NULL && (any || match))
		snprintf(text, room, "share of %s %s", match || alone ? n : "users", p);
	else if (strcmp(name, "histogram") == 0)
		snprintf(text, room, "%s by their %.100s %s", n, v, p);
	else if (strncmp(what, "the 0.5 quantile of", 19) == 0)
		snprintf(text, room, "the median of %s' %.100s %s", n, v, p);
	else if (of != NULL && strcmp(name, "quantile") == 0)
		percentiles(o->task.own, v, n, p, text, room);
	else if (of != NULL)
		snprintf(text, room, "%.*s of %s' %.100s %s", (int)(of - what), what, n, v, p);
	else if (each != NULL)
		snprintf(text, room, "%s of each %.100s %s", n, o->keys.field.name == NULL ?
		    "name" : o->keys.field.name, each + strlen("of its events "));
	else
		snprintf(text, room, "%s", what);
}

/* A text of steps as a text of days, or what else they are; room: twice DP_TASK_TEXT. */
static void
steps_named(char *text, const char *many)
{
	const size_t n = strlen(many) - 1;
	char *at;

	for (at = text; (at = strstr(at, " step")) != NULL; at += n) {
		memmove(at + 1 + n, at + 5, strlen(at + 5) + 1);
		memcpy(++at, many, n);
	}
}

/* What a step is, one of them: "day"; "6 hours". */
static const char *
step_of(const struct dp_options *o, char text[static 2 * DP_SPAN_TEXT])
{
	const char *many = dp_report_steps(o);
	char span[DP_SPAN_TEXT];

	snprintf(text, 2 * DP_SPAN_TEXT, "%.*s", (int)strlen(many) - 1, many);
	if (strcmp(many, "buckets") != 0)
		return text;
	dp_span_say(span, &o->time.span);
	snprintf(text, 2 * DP_SPAN_TEXT, "%.*s %ss", (int)strspn(span, "0123456789"), span,
	    length_word(span));
	return text;
}

/* "in each step", if that has no word: "every 6 hours". */
static void
every(char *text, const char *step)
{
	static const char each[] = "in each step";
	char *at = strstr(text, each);
	const size_t n = strlen(step) + 6;

	if (at == NULL)
		return;
	memmove(at + n, at + strlen(each), strlen(at + strlen(each)) + 1);
	memcpy(at, "every ", 6);
	memcpy(at + 6, step, n - 6);
}

/* Numbers of a line in words, the confidence of their intervals, seconds of a bucket. */
static void
described(const struct dp_report *report)
{
	const struct dp_options *o = report->o;
	char plain[3 * DP_TASK_TEXT], text[18 * DP_TASK_TEXT + 2], step[2 * DP_SPAN_TEXT] = "";

	*dp_print_text(text, report->text.estimates, DP_JSON) = '\0';
	printf(",\"estimate\":%s", text);
	said(report, plain);
	if (dp_options_timed(o) && strchr(step_of(o, step), ' ') != NULL)
		every(plain, step);
	if (dp_options_timed(o))
		steps_named(plain, dp_report_steps(o));
	if (o->print.difference)
		snprintf(plain + strlen(plain), sizeof plain - strlen(plain),
		    ": how many more than of %s", o->keys.name[o->print.base]);
	*dp_print_text(text, plain, DP_JSON) = '\0';
	printf(",\"said\":%s%s", text, (!o->time.once || o->keep.state != NULL) &&
	    (strstr(plain, "so far") != NULL || strstr(plain, "since") != NULL) ?
	    ",\"running\":true" : "");
	printf(",\"confidence\":%.15g%s,\"bucket\":%llu", o->print.confidence,
	    o->print.sampling ? ",\"sampling\":true" : "",
	    (unsigned long long)(dp_options_timed(o) ? o->time.bucket : 0));
	if (*step != '\0')
		printf(",\"step\":\"%s\"", step);
	printf("%s%s", o->print.table.made != NULL ? ",\"totals\":true" : "",
	    o->print.others ? ",\"others\":true" : "");
	if (o->print.table.suppress != 0)
		printf(",\"suppress\":%llu", (unsigned long long)o->print.table.suppress);
	unit(o);
	within(report);
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
	else if (r->print.told.columns <= LISTED && !json)
		estimates(r, r->print.told.columns, -1, &first);
	else if (r->print.told.columns <= LISTED)
		for (part = 0; part < 3; part++)
			estimates(r, r->print.told.columns, part, &first);
	if (r->plan.mech->ops->frozen != NULL && r->o->print.format != DP_PLAIN)
		column("frozen", "other", &first);
}

/* Names that lead, and no numbers. */
static bool
names_alone(const struct dp_options *o)
{
	unsigned i;

	for (i = 0; i < o->outputs && o->output[i].kind == DP_OUTPUT_CHOICE; i++)
		;
	return i == o->outputs && o->form.totals == DP_TOTALS_NO;
}

void
dp_explain_output(const struct dp_report *report)
{
	static const char *const form[] = { [DP_PLAIN] = "plain", [DP_TSV] = "tsv",
	    [DP_CSV] = "csv", [DP_JSON] = "json",
	    [DP_LONG] = "long", [DP_MARKDOWN] = "markdown", [DP_PROMETHEUS] = "prometheus" };
	const struct dp_options *o = report->o;
	const struct dp_tool *tool = report->tool;
	const bool totals = o->form.totals != DP_TOTALS_NO;
	struct dp_run r = { .o = o, .tool = tool, .print.outputs = o->outputs,
	    .plan = *report->p };
	const char *rows = dp_print_row_name(&r);

	r.print.nest = o->outputs * (r.plan.mech->nodes != 0 ? r.plan.mech->nodes :
	    dp_options_columns(o, tool));
	r.print.told.columns = dp_print_columns(&r);
	printf("\"output\":{\"format\":\"%s\",\"row\":\"%s\",\"rows\":%zu,\"estimates\":%zu,"
	    "\"columns\":[", form[o->print.format], rows == NULL ? "step" : rows,
	    rows == NULL ? 0 : totals ? o->keys.n : r.print.told.columns,
	    rows == NULL ? r.print.told.columns : 1);
	if (dp_options_tidy(o))
		tidy(&r, dp_options_timed(o));
	else
		columns(&r, rows, dp_options_timed(o));
	printf("]");
	if ((rows != NULL || dp_options_tidy(o)) && o->time.steps == DP_BY_RANGE &&
	    o->keep.state == NULL)
		printf(",\"steps\":%" PRIu64, o->horizon);
	if (dp_options_tidy(o) && names_alone(o))
		printf(",\"names\":true");
	described(report);
	printf("}");
}
