/*
 * print.c - one step to one line: plain, tsv, csv, json.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* Text as a JSON string (bytes above 0x7f as they are), or quoted for CSV when it must be. */
char *
dp_print_text(char *p, const char *s, enum dp_format format)
{
	bool quote = format == DP_JSON || (format == DP_CSV && s[strcspn(s, ",\"\r\n")] != '\0');

	if (quote)
		*p++ = '"';
	for (; *s != '\0'; s++) {
		if (format == DP_JSON && (unsigned char)*s < ' ') {
			p += sprintf(p, "\\u%04x", (unsigned)*s);
			continue;
		}
		if (quote && (*s == '"' || (format == DP_JSON && *s == '\\')))
			*p++ = format == DP_JSON ? '\\' : '"';
		*p++ = *s;
	}
	if (quote)
		*p++ = '"';
	return p;
}

static char
separator(const struct dp_run *r)
{
	return r->o->format == DP_CSV ? ',' : '\t';
}

/* Whether every declared key has a column of its own. */
static bool
keyed(const struct dp_run *r)
{
	return r->tool->shape == DP_SHAPE_NUMBER && r->o->nkeys > 0;
}

/* Whether a line holds several estimates, by key, by window or both. */
static bool
named(const struct dp_run *r)
{
	return keyed(r) || r->outputs > 1;
}

/* KEY, OUTPUT or KEY_OUTPUT */
static const char *
name_of(const struct dp_run *r, size_t c, char text[static 512])
{
	const char *key = keyed(r) ? r->o->keys[c / r->outputs] : "";
	const char *out = r->outputs > 1 ? r->o->output[c % r->outputs].name : "";

	snprintf(text, 512, "%s%s%s", key, *key != '\0' && *out != '\0' ? "_" : "", out);
	return text;
}

static char *
column_name(const struct dp_run *r, char *p, size_t c, const char *suffix)
{
	char name[1200];

	if (named(r))
		snprintf(name, sizeof name, "%s%s", name_of(r, c, (char [512]){ 0 }), suffix);
	else
		snprintf(name, sizeof name, "%s", suffix[0] == '\0' ? "estimate" : suffix + 1);
	return dp_print_text(p, name, r->o->format);
}

/* The output of column c; where there is one, no division. */
static size_t
output_of(const struct dp_run *r, size_t c)
{
	return DP_LIKELY(r->outputs == 1) ? 0 : c % r->outputs;
}

static bool
is_choice(const struct dp_run *r, size_t c)
{
	return r->o->output[output_of(r, c)].kind == DP_OUTPUT_CHOICE;
}

/* Whether output c has an interval. */
static bool
has_bounds(const struct dp_run *r, size_t c)
{
	return r->o->confidence > 0 && !is_choice(r, c);
}

static int
rows_header(struct dp_run *r, char *p, char sep)
{
	p += sprintf(p, "%s%cestimate", r->tool->rows, sep);
	if (has_bounds(r, 0))
		p += sprintf(p, "%clo%chi", sep, sep);
	*p++ = '\n';
	return dp_out_line(r->out, p);
}

int
dp_print_header(struct dp_run *r)
{
	static const char *const suffix[] = { "", "_lo", "_hi" };
	const struct dp_options *o = r->o;
	size_t c, i;
	char sep = separator(r), *p;

	if (o->format != DP_TSV && o->format != DP_CSV)
		return 0;
	r->headed = true;
	if ((p = dp_out_room(r->out, 320)) == NULL)
		return DP_ENOMEM;
	if (o->number)
		p = stpcpy(p, "step") + 1, p[-1] = sep;
	if (o->bucket != 0)
		p = stpcpy(p, "time") + 1, p[-1] = sep;
	if (r->tool->rows != NULL)
		return rows_header(r, p, sep);
	r->out->n = (size_t)(p - r->out->buf);
	for (c = 0; c < r->nest; c++)
		for (i = 0; i < (has_bounds(r, c) ? 3 : 1); i++) {
			if ((p = dp_out_room(r->out, 8192)) == NULL)
				return DP_ENOMEM;
			p = column_name(r, p, c, suffix[i]);
			*p++ = sep;
			r->out->n = (size_t)(p - r->out->buf);
		}
	p[-1] = '\n';
	return dp_out_line(r->out, p);
}

/* Half-width of each output's noise interval at this step. */
static int
half_widths(struct dp_run *r, uint64_t t)
{
	unsigned i;
	double w;
	int e;

	for (i = 0; i < r->outputs; i++) {
		if ((e = dp_widths_at(r->widths, i, t, &w)) != 0)
			return e;
		r->half[i] = (dp_wide)ceil(r->plan.mech->drift + w) * r->unit;
	}
	return 0;
}

/* v / coarse, down. */
static dp_wide
below(dp_wide v, int64_t coarse)
{
	dp_wide q;

	if (DP_LIKELY(v == (int64_t)v))		/* a machine's division */
		q = (int64_t)v / coarse;
	else
		q = v / coarse;
	return q - (q * coarse > v);
}

dp_wide
dp_print_nearest(dp_wide v, int64_t coarse)
{
	return coarse == 1 ? v : below(v + coarse / 2, coarse);
}

/* The ends of the interval, rounded outwards. */
static void
put_around(const struct dp_run *r, size_t c, struct dp_interval *v)
{
	const dp_wide w = r->half[output_of(r, c)];

	v->lo = r->est[c] - w;
	v->hi = r->est[c] + w;
	if (r->coarse > 1) {
		v->lo = below(v->lo, r->coarse);
		v->hi = -below(-v->hi, r->coarse);
	}
	if (r->o->nonnegative) {
		v->lo = v->lo < 0 ? 0 : v->lo;
		v->hi = v->hi < 0 ? 0 : v->hi;
	}
}

/* Post-processing of one estimate: costs no privacy.  Its interval is set if there are any. */
static void
process(struct dp_run *r, uint64_t t, size_t c, struct dp_interval *v)
{
	const struct dp_options *o = r->o;

	if (is_choice(r, c))
		return;
	if (o->confidence > 0)
		put_around(r, c, v);
	if (r->coarse > 1)
		v->est = dp_print_nearest(v->est, r->coarse);
	if (o->nonnegative)
		v->est = v->est < 0 ? 0 : v->est;
	if (o->monotone) {
		if (t > 1 && v->est < r->last[c])
			v->est = r->last[c];
		r->last[c] = v->est;
		v->hi = o->confidence > 0 && v->hi < v->est ? v->est : v->hi;
	}
}

/* Not returned by value: to copy what was just written by other sizes waits for the writes. */
static inline void
finish(struct dp_run *r, uint64_t t, size_t c, struct dp_interval *v)
{
	v->est = r->est[c];
	if (!r->raw)
		process(r, t, c, v);
}

/*
 * The place of a column: its name, quoted as the format asks, or its number from 1.  An answer of
 * another form is its mechanism's to write; it has nothing that CSV would quote.
 */
static char *
put_choice(struct dp_run *r, char *p, dp_wide v)
{
	const char *name = NULL;
	const struct dp_answers *a = r->plan.mech->ops->answers;

	if (a != NULL && a->put != NULL) {
		if (r->o->format == DP_JSON)
			*p++ = '"';
		p = a->put(r->plan.mech, r->columns, v, p);
		if (r->o->format == DP_JSON)
			*p++ = '"';
		return p;
	}
	if (v >= 0 && v < (dp_wide)r->o->nkeys)
		name = r->o->keys[(size_t)v];
	else if (v >= 0 && v < (dp_wide)r->width)
		name = dp_events_name(r->events, (size_t)v);
	return name != NULL ? dp_print_text(p, name, r->o->format) : dp_out_put(r->out, p, v + 1);
}

static char *
put_number(struct dp_run *r, char *p, dp_wide v)
{
	return r->places == 0 ? dp_out_put(r->out, p, v) : dp_decimal_put(p, v, r->places);
}

/* Room for one more value of the current line. */
static inline char *
room(struct dp_run *r, char *p, size_t n)
{
	if (DP_LIKELY(r->out->cap - (size_t)(p - r->out->buf) >= n))
		return p;
	r->out->n = (size_t)(p - r->out->buf);
	return dp_out_room(r->out, n);
}

/* What a table's line begins with. */
static char *
put_step(struct dp_run *r, char *p, uint64_t t, int64_t begin)
{
	if (r->o->number) {
		p = dp_out_put(r->out, p, (dp_wide)t);
		*p++ = separator(r);
	}
	if (r->o->bucket != 0) {
		p = dp_when_put(p, begin, r->o->span.zone);
		*p++ = separator(r);
	}
	return p;
}

static int
print_table(struct dp_run *r, uint64_t t, int64_t begin)
{
	struct dp_interval v;
	char sep = separator(r), *p;
	size_t c;

	if ((p = dp_out_room(r->out, 128)) == NULL)
		return DP_ENOMEM;
	p = put_step(r, p, t, begin);
	for (c = 0; c < r->nest; c++) {
		if ((p = room(r, p, 1600 + r->plan.mech->text)) == NULL)
			return DP_ENOMEM;
		finish(r, t, c, &v);
		p = is_choice(r, c) ? put_choice(r, p, v.est) : put_number(r, p, v.est);
		*p++ = sep;
		if (has_bounds(r, c)) {
			p = put_number(r, p, v.lo);
			*p++ = sep;
			p = put_number(r, p, v.hi);
			*p++ = sep;
		}
	}
	p[-1] = '\n';
	return dp_out_line(r->out, p);
}

/* What stands before each estimate of an object: a comma, its name and a colon; made once. */
static int
name_members(struct dp_run *r)
{
	char text[8192], *end;
	size_t c;

	if ((r->member = calloc(r->nest + 1, sizeof *r->member)) == NULL)
		return DP_ENOMEM;
	for (c = 0; c < r->nest; c++) {
		text[0] = ',';
		end = dp_print_text(text + 1, name_of(r, c, (char [512]){ 0 }), DP_JSON);
		*end++ = ':';
		dp_buf_add(&r->names, text, (size_t)(end - text));
		r->member[c + 1] = r->names.n;
	}
	return r->names.error;
}

/* "estimate":V or "estimate":{"A":V,..}; which: 0 estimate, 1 lo, 2 hi */
static char *
put_member(struct dp_run *r, char *p, const struct dp_interval *v, int which)
{
	static const char *const name[] = { "\"estimate\":", "\"lo\":", "\"hi\":" };
	size_t c, comma, len, n = 0;

	p = stpcpy(p, name[which]);
	if (named(r))
		*p++ = '{';
	for (c = 0; c < r->nest; c++) {
		if (which != 0 && !has_bounds(r, c))
			continue;
		if ((p = room(r, p, 8192 + r->plan.mech->text)) == NULL)
			return NULL;
		if (named(r)) {
			comma = n++ > 0 ? 0 : 1;
			len = r->member[c + 1] - r->member[c] - comma;
			memcpy(p, r->names.p + r->member[c] + comma, len);
			p += len;
		}
		if (is_choice(r, c))
			p = put_choice(r, p, v[c].est);
		else
			p = put_number(r, p, which == 0 ? v[c].est :
			    which == 1 ? v[c].lo : v[c].hi);
	}
	if (named(r))
		*p++ = '}';
	return room(r, p, 128);
}

/* What an object begins with. */
static char *
put_object(struct dp_run *r, char *p, uint64_t t, int64_t begin)
{
	p = stpcpy(p, "{\"step\":");
	p = dp_out_put(r->out, p, (dp_wide)t);
	if (r->o->bucket != 0) {
		p = stpcpy(p, ",\"time\":\"");
		p = dp_when_put(p, begin, r->o->span.zone);
		*p++ = '"';
	}
	*p++ = ',';
	return p;
}

static int
print_json(struct dp_run *r, uint64_t t, int64_t begin)
{
	struct dp_interval *v = r->shown;	/* a line lists all estimates before any bound */
	size_t c;
	char *p;

	if ((named(r) && r->member == NULL && name_members(r) != 0) ||
	    (p = dp_out_room(r->out, 128)) == NULL)
		return DP_ENOMEM;
	for (c = 0; c < r->nest; c++)
		finish(r, t, c, &v[c]);
	p = put_object(r, p, t, begin);
	p = put_member(r, p, v, 0);
	if (p != NULL && r->o->confidence > 0) {
		*p++ = ',';
		if ((p = put_member(r, p, v, 1)) != NULL) {
			*p++ = ',';
			p = put_member(r, p, v, 2);
		}
	}
	if (p == NULL)
		return DP_ENOMEM;
	*p++ = '}';
	*p++ = '\n';
	return dp_out_line(r->out, p);
}

/* The name of an output that is a line of its own; without one its number, not in plain lines. */
static char *
put_row_name(struct dp_run *r, char *p, size_t c)
{
	const char *name = r->o->output[c].name;
	const enum dp_format format = r->o->format;

	if (format == DP_JSON)
		p += sprintf(p, "\"%s\":", r->tool->rows);
	if (name != NULL)
		p = dp_print_text(p, name, format);
	else if (format != DP_PLAIN)
		p = dp_out_put(r->out, p, (dp_wide)c + 1);
	else
		return p;
	*p++ = format == DP_JSON ? ',' : separator(r);
	return p;
}

static char *
put_row(struct dp_run *r, char *p, uint64_t t, int64_t begin, size_t c)
{
	static const char *const member[] = { "\"estimate\":", ",\"lo\":", ",\"hi\":" };
	const bool json = r->o->format == DP_JSON;
	struct dp_interval v;
	const dp_wide *const value[] = { &v.est, &v.lo, &v.hi };
	int i;

	finish(r, t, c, &v);
	p = json ? put_object(r, p, t, begin) : put_step(r, p, t, begin);
	p = put_row_name(r, p, c);
	for (i = 0; i < (has_bounds(r, c) ? 3 : 1); i++) {
		if (json)
			p = stpcpy(p, member[i]);
		else if (i > 0)
			*p++ = separator(r);
		p = put_number(r, p, *value[i]);
	}
	if (json)
		*p++ = '}';
	*p++ = '\n';
	return p;
}

/* All rows as one line: committed, and let out, together. */
static int
print_rows(struct dp_run *r, uint64_t t, int64_t begin)
{
	char *p = dp_out_room(r->out, 0);
	size_t c;

	for (c = 0; c < r->nest; c++) {
		if ((p = room(r, p, 4096)) == NULL)
			return DP_ENOMEM;
		p = put_row(r, p, t, begin, c);
	}
	return dp_out_line(r->out, p);
}

int
dp_print_step(struct dp_run *r, uint64_t t, int64_t begin)
{
	char *p;
	int e;

	if (DP_LIKELY(r->bare)) {
		if ((p = dp_out_room(r->out, 64)) == NULL)
			return DP_ENOMEM;
		p = put_number(r, p, dp_print_nearest(r->est[0], r->coarse));
		*p++ = '\n';
		return dp_out_line(r->out, p);
	}
	if (r->o->confidence > 0 && (e = half_widths(r, t)) != 0)
		return e;
	if (r->tool->rows != NULL)
		return print_rows(r, t, begin);
	return r->o->format == DP_JSON ? print_json(r, t, begin) : print_table(r, t, begin);
}

int
dp_print_lines(struct dp_run *r, struct dp_buf *b)
{
	char *p;

	if (b->error != 0 || (p = dp_out_room(r->out, b->n)) == NULL)
		return DP_ENOMEM;
	memcpy(p, b->p, b->n);
	p += b->n;
	dp_buf_reset(b);
	return dp_out_line(r->out, p);
}
