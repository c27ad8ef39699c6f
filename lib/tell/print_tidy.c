/*
 * print_tidy.c - rows of one estimate each: a table with a column for each part of its name
 * (-o long), or the last step as a collector of metrics reads it (-o prometheus).
 *
 * Prometheus' text format has all samples of a metric behind each other, so a step's are gathered
 * by metric; a later step takes their place, and the last step's are printed when the input ends.
 */
#include <stdio.h>
#include <string.h>

#include "ask/relation.h"
#include "columns.h"
#include "explain.h"

enum { ESTIMATE, LO, HI, FLAG };

/* Last lines of a family's metric. */
static const char *
suffix(const struct dp_run *r, int family)
{
	static const char *const end[] = { "", "_lo", "_hi", "_certain", "_frozen" };

	return end[family + (family == FLAG && r->print.bound.sure == NULL)];
}

const char *
dp_print_statistic(const struct dp_run *r, size_t c)
{
	const struct dp_options *o = r->o;
	const struct dp_statistic *k = o->task.statistic;
	const char *name = o->output[dp_print_output(r, c)].name;
	const char *noun = r->tool->words.noun[!dp_options_ones(o)];

	/* the only window's length says nothing (-w) */
	if (r->tool->rows == NULL && name != NULL &&
	    (o->outputs > 1 || o->task.windows == 0 || name != o->task.window[0]))
		return name;
	if (dp_print_choice(r, c))
		return "column";
	return r->totals != NULL ? "count" : noun != NULL ? noun : k != NULL ? k->name : "estimate";
}

int
dp_print_long_header(struct dp_run *r)
{
	const bool timed = dp_options_timed(r->o);
	char *p;

	if ((p = dp_out_room(r->print.out, 128)) == NULL)
		return DP_ENOMEM;
	p += sprintf(p, "%s%s,key,statistic,estimate,lo,hi%s\n",
	    r->o->print.number && timed ? "step," : "", timed ? "time" : "step",
	    r->print.bound.sure != NULL ? ",certain" :
	    dp_print_flag(r) != NULL ? ",frozen" : "");
	return dp_out_line(r->print.out, p);
}

static char *
long_row(struct dp_run *r, char *p, const struct dp_tidy *row)
{
	const bool timed = dp_options_timed(r->o);
	int i;

	if (r->o->print.number && timed) {
		p = dp_out_put(r->print.out, p, (dp_wide)row->t);
		*p++ = ',';
	}
	p = timed ? dp_when_put(p, row->begin, r->o->time.span.zone) :
	    dp_out_put(r->print.out, p, (dp_wide)row->t);
	*p++ = ',';
	p = dp_print_safe(r, p, row->key, row->declared);
	*p++ = ',';
	p = dp_print_text(p, row->statistic, DP_LONG);
	for (i = ESTIMATE; i <= HI; i++) {
		*p++ = ',';
		p = stpcpy(p, row->number[i]);
	}
	if (row->flag != NULL)
		p += sprintf(p, ",%s", row->flag);
	*p++ = '\n';
	return p;
}

/* A label, as text format 0.0.4 has it; no UTF-8 was refused (keys.h) or is escaped (roll.h). */
static void
label(struct dp_buf *b, const char *name, const char *s)
{
	dp_buf_puts(b, name);
	dp_buf_puts(b, "=\"");
	for (; *s != '\0'; s++)
		if (*s == '\n')
			dp_buf_puts(b, "\\n");
		else {
			if (*s == '"' || *s == '\\')
				dp_buf_add(b, "\\", 1);
			dp_buf_add(b, s, 1);
		}
	dp_buf_puts(b, "\"");
}

static const char *
metric_of(const struct dp_run *r)
{
	return r->o->print.metric != NULL ? r->o->print.metric : r->tool->name;
}

static void
sample(struct dp_run *r, int family, const struct dp_tidy *row, const char *value)
{
	struct dp_buf *b = &r->print.samples.family[family];

	dp_buf_puts(b, metric_of(r));
	dp_buf_puts(b, suffix(r, family));
	dp_buf_puts(b, "{");
	label(b, "statistic", row->statistic);
	if (*row->key != '\0' || row->keyed) {
		dp_buf_puts(b, ",");
		label(b, "key", row->key);
	}
	dp_buf_puts(b, "} ");
	dp_buf_puts(b, value);
	dp_buf_puts(b, "\n");
}

char *
dp_print_tidy(struct dp_run *r, char *p, const struct dp_tidy *row)
{
	int i;

	if (r->o->print.format == DP_LONG)
		return long_row(r, p, row);
	for (i = ESTIMATE; i <= HI; i++)
		if (*row->number[i] != '\0')
			sample(r, i, row, row->number[i]);
		else if (i == ESTIMATE)		/* a choice, or too few events for an answer */
			sample(r, i, row, row->chosen ? "1" : "NaN");
	if (row->flag != NULL)
		sample(r, FLAG, row, row->flag);
	return p;
}

void
dp_print_again(struct dp_run *r, uint64_t t, int64_t begin)
{
	int i;

	for (i = 0; i < DP_FAMILIES; i++)
		dp_buf_reset(&r->print.samples.family[i]);
	r->print.samples.t = t;
	r->print.samples.begin = begin;
	r->print.samples.told = true;
}

/* Text of HELP, a line: of two characters that are escaped it has none. */
static void
help(struct dp_buf *b, const char *name, const char *suffix, const char *text)
{
	char *p;
	size_t at;

	dp_buf_puts(b, "# HELP ");
	dp_buf_puts(b, name);
	dp_buf_puts(b, suffix);
	dp_buf_puts(b, " ");
	at = b->n;
	dp_buf_puts(b, text);
	for (p = b->p + at; b->error == 0 && p < b->p + b->n; p++)
		if (*p == '\n' || *p == '\\')
			*p = *p == '\n' ? ' ' : '/';
	dp_buf_puts(b, "\n# TYPE ");
	dp_buf_puts(b, name);
	dp_buf_puts(b, suffix);
	dp_buf_puts(b, " gauge\n");
}

static void
guarantee(struct dp_run *r, char text[static DP_GUARANTEE])
{
	static struct dp_report report;

	dp_report_words(&report, r->tool, r->o, &r->setting, &r->plan);
	dp_report_guarantee(&report, text);
}

static void
put_families(struct dp_run *r, struct dp_buf *b)
{
	char text[DP_GUARANTEE + DP_TASK_TEXT + 100], said[DP_GUARANTEE], end[100];
	const char *name = metric_of(r);
	int i;

	guarantee(r, said);
	snprintf(text, sizeof text, "%s%s", r->o->priv.has_seed ? "NOT PRIVATE, the noise is "
	    "reproducible.  " : "", said);
	help(b, name, suffix(r, ESTIMATE), text);
	for (i = ESTIMATE; i < DP_FAMILIES; i++) {
		if (i != ESTIMATE && r->print.samples.family[i].n == 0)
			continue;
		snprintf(end, sizeof end, "%s end of the noise interval, confidence %.6g.",
		    i == LO ? "Lower" : "Upper", r->o->print.confidence);
		if (i != ESTIMATE)
			help(b, name, suffix(r, i), i != FLAG ? end :
			    r->print.bound.sure != NULL ? "1: one of the largest keys, "
			    "if the noise intervals of all hold." :
			    "1: it stays as it is until the run ends.");
		dp_buf_add(b, r->print.samples.family[i].p, r->print.samples.family[i].n);
	}
}

int
dp_print_lines(struct dp_run *r, struct dp_buf *b)
{
	char *p;

	if (b->error != 0 || (p = dp_out_room(r->print.out, b->n)) == NULL)
		return DP_ENOMEM;
	memcpy(p, b->p, b->n);
	p += b->n;
	dp_buf_reset(b);
	return dp_out_line(r->print.out, p);
}

int
dp_print_last(struct dp_run *r)
{
	const char *name = metric_of(r);
	struct dp_buf b = { .p = NULL };
	char text[64];
	int e, i;

	if (r->o->print.format != DP_PROMETHEUS || !r->print.samples.told)
		return 0;
	for (i = 0; i < DP_FAMILIES; i++)
		if (r->print.samples.family[i].error != 0)
			return r->print.samples.family[i].error;
	put_families(r, &b);
	if (dp_options_timed(r->o)) {
		help(&b, name, "_timestamp_seconds", "Start of the bucket that the values are of.");
		snprintf(text, sizeof text, "%s_timestamp_seconds", name);
		dp_buf_puts(&b, name);
		snprintf(text, sizeof text, "_timestamp_seconds %lld\n",
		    (long long)r->print.samples.begin);
		dp_buf_puts(&b, text);
	}
	if (r->o->print.number) {
		help(&b, name, "_step", "Number of the step that the values are of.");
		dp_buf_puts(&b, name);
		snprintf(text, sizeof text, "_step %llu\n", (unsigned long long)r->print.samples.t);
		dp_buf_puts(&b, text);
	}
	e = dp_print_lines(r, &b);
	dp_buf_free(&b);
	return e;
}
