/* SPDX-License-Identifier: ISC */
/* print.c - one step to one line, in every form. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "counter/width.h"
#include "input/event.h"
#include "job/table.h"
#include "law/law.h"
#include "internal.h"
#include "print.h"

static char *print_safe(const struct dp_run *, char *p, const char *, bool declared);
static bool print_named(const struct dp_run *);
static bool by_rows(const struct dp_run *);
static const char *name_of(const struct dp_run *, size_t c, char text[static DP_COLUMN]);
static const char *dp_print_flag(const struct dp_run *);
static const char *print_frozen(const struct dp_run *);
static int print_members(struct dp_run *) DP_MUSTUSE;
static int print_widths(struct dp_run *, uint64_t t) DP_MUSTUSE;
static int print_differences(struct dp_run *, uint64_t t) DP_MUSTUSE;
static int print_top(struct dp_run *, uint64_t t, int64_t begin) DP_MUSTUSE;
static const char *print_statistic(const struct dp_run *, size_t c);
#define DP_PRINT_KEY	(2 * DP_KEY_MAX + 2)	/* a key, or two with a - between */
static const char *print_key(const struct dp_run *, size_t c, char place[static DP_PRINT_KEY]);
static int print_long_header(struct dp_run *) DP_MUSTUSE;
static char *print_tidy(struct dp_run *, char *p, const struct dp_tidy *);

/*
 * One step to one line: plain, tsv, csv, json.
 */

/* --suppress: the least number that is printed; else what no estimate is below. */
static dp_wide
least_print(const struct dp_run *r, size_t c)
{
	dp_wide least = (dp_wide)r->o->print.table.suppress;
	unsigned i;

	for (i = r->o->output[dp_print_output(r, c)].fewer; i < r->print.places; i++)
		least *= 10;
	return least != 0 ? least : -DP_NONE;
}

/* Estimate and interval of column c as printed. */
static void
print_finish(struct dp_run *r, uint64_t t, size_t c, struct dp_interval *v)
{
	/* an answer at the end of no lines is one of step 0 */
	v->none = (r->plan.mech->estimate.first > 1 && t < r->plan.mech->estimate.first) ||
	    r->print.told.est[c] == DP_NONE;
	if (r->print.raw || dp_print_choice(r, c))
		v->est = r->print.told.est[c];
	else
		dp_print_round(r, t, c, v);
	v->below = least_print(r, c) > v->est && !v->none;
}

/* Name of a chosen column; NULL: it has none but its number. */
static const char *
choice_name(const struct dp_run *r, dp_wide v)
{
	if (v >= 0 && v < (dp_wide)r->o->keys.n)
		return r->o->keys.name[(size_t)v];
	return v >= 0 && v < (dp_wide)r->col.width ?
	    dp_events_name(r->in.events, (size_t)v) : NULL;
}

/*
 * The place of a column: its name, quoted as the format asks, or its number from 1.  An answer of
 * another form is its mechanism's to write; it has nothing that CSV would quote.
 */
static char *
put_choice(struct dp_run *r, char *p, dp_wide v)
{
	const char *name = choice_name(r, v);
	const struct dp_answers *a = r->plan.mech->ops->answers;

	if (a != NULL && a->put != NULL) {
		if (r->o->print.format == DP_JSON)
			*p++ = '"';
		p = a->put(r->plan.mech, r->col.p, v, p);
		if (r->o->print.format == DP_JSON)
			*p++ = '"';
		return p;
	}
	return name != NULL ? print_safe(r, p, name, v < (dp_wide)r->o->keys.n) :
	    dp_out_put(r->print.out, p, v + 1);
}

static inline char *
put_number_print(struct dp_run *r, char *p, size_t c, dp_wide v)
{
	return dp_out_decimal(r->print.out, p, v,
	    r->print.places - r->o->output[dp_print_output(r, c)].fewer);
}

/* An empty field; alone in its CSV row it is written "", since readers skip an empty line. */
static char *
put_none(const struct dp_run *r, char *p)
{
	const struct dp_options *o = r->o;

	if (o->print.format == DP_JSON)
		return stpcpy(p, "null");
	return o->print.format == DP_CSV && r->print.told.columns == 1 && !o->print.number &&
	    !dp_options_timed(o) &&
	    !dp_print_bounds(r, 0) ? stpcpy(p, "\"\"") : p;
}

static inline char *
put_estimate(struct dp_run *r, char *p, size_t c, const struct dp_interval *v)
{
	if (v->below && (r->o->print.format == DP_PLAIN ||
	    r->o->print.format == DP_MARKDOWN))
		return p + sprintf(p, "<%llu", (unsigned long long)r->o->print.table.suppress);
	if (v->none || v->below)
		return put_none(r, p);
	return r->print.raw || !dp_print_choice(r, c) ? put_number_print(r, p, c, v->est) :
	    put_choice(r, p, v->est);
}

/* An end of an interval, which would tell what --suppress does not. */
static inline char *
put_end(struct dp_run *r, char *p, size_t c, const struct dp_interval *v, dp_wide end)
{
	if (DP_UNLIKELY(v->below))
		return r->o->print.format == DP_JSON ? stpcpy(p, "null") : p;
	return put_number_print(r, p, c, end);
}

/* Begins a line of a table. */
static char *
put_step(struct dp_run *r, char *p, uint64_t t, int64_t begin)
{
	if (r->o->print.number) {
		p = dp_out_put(r->print.out, p, (dp_wide)t);
		*p++ = dp_print_separator(r);
	}
	if (dp_options_timed(r->o)) {
		p = dp_when_put(p, begin, r->o->time.span.zone);
		*p++ = dp_print_separator(r);
	}
	return p;
}

/* All columns, as they are: what is the same for each of them is not asked for each. */
static char *
put_raw(struct dp_run *r, char *p, char sep)
{
	const unsigned places = r->print.places;
	const dp_wide *est = r->print.est, *const end = est + r->print.nest;

	for (; est < end; est++) {
		if ((p = dp_print_room(r, p, 64)) == NULL)
			return NULL;
		p = dp_out_decimal(r->print.out, p, *est, places);
		*p++ = sep;
	}
	return p;
}

/* All columns, and what intervals they have. */
static char *
put_columns(struct dp_run *r, char *p, uint64_t t, char sep)
{
	struct dp_interval v;
	size_t c;

	for (c = 0; c < r->print.told.columns; c++) {
		if ((p = dp_print_room(r, p, 1600 + r->plan.mech->answers.text)) == NULL)
			return NULL;
		print_finish(r, t, c, &v);
		p = put_estimate(r, p, c, &v);
		*p++ = sep;
		if (dp_print_bounds(r, c)) {
			p = put_end(r, p, c, &v, v.lo);
			*p++ = sep;
			p = put_end(r, p, c, &v, v.hi);
			*p++ = sep;
		}
	}
	return p;
}

/* At the end of a line: a word, if it is so; under a heading 1 or 0. */
static char *
put_frozen(struct dp_run *r, char *p)
{
	const char *frozen = print_frozen(r);

	if (frozen == NULL || (r->o->print.format == DP_PLAIN && *frozen == '0'))
		return p;
	return stpcpy(p, r->o->print.format == DP_PLAIN ? "frozen" : frozen) + 1;
}

/*
 * -o markdown: the line from `at' on, whose fields end at tabs, as a table's row; no field has a
 * tab (dp_keys_check()).
 */
static char *
table_row(struct dp_run *r, size_t at, char *end)
{
	struct dp_out *out = r->print.out;
	size_t n = (size_t)(end - out->buf) - at, more = 4, i;
	char *p, *from;

	if (r->o->print.format != DP_MARKDOWN)
		return end;
	for (i = 0; i < n; i++)
		more += out->buf[at + i] == '\t' ? 2 : 0;
	if ((p = dp_print_room(r, end, more)) == NULL)
		return NULL;
	p = out->buf + at;
	from = memmove(p + more, p, n);
	p = stpcpy(p, "| ");
	for (i = 0; i + 1 < n; i++) {		/* to the end of the line, which is the last byte */
		if (from[i] == '\t')
			p = stpcpy(p, " | ");
		else
			*p++ = from[i];
	}
	return stpcpy(p, " |\n");
}

static int
print_table(struct dp_run *r, uint64_t t, int64_t begin)
{
	const char sep = dp_print_separator(r);
	size_t at;
	char *p;

	if ((p = dp_out_room(r->print.out, 128)) == NULL)
		return DP_ENOMEM;
	at = (size_t)(p - r->print.out->buf);
	p = put_step(r, p, t, begin);
	p = r->print.raw ? put_raw(r, p, sep) : put_columns(r, p, t, sep);
	if (p == NULL || (p = dp_print_room(r, p, 64)) == NULL)
		return DP_ENOMEM;
	p = put_frozen(r, p);
	p[-1] = '\n';
	if ((p = table_row(r, at, p)) == NULL)
		return DP_ENOMEM;
	return dp_out_line(r->print.out, p);
}

/* Text of n bytes with DP_PRINT_SLACK behind it. */
static inline char *
put_text(char *p, const char *s, size_t n)
{
	memcpy(p, s, DP_PRINT_SLACK);
	if (DP_UNLIKELY(n > DP_PRINT_SLACK))
		memcpy(p, s, n);
	return p + n;
}

/* "estimate":V or "estimate":{"A":V,..}; which: 0 estimate, 1 lo, 2 hi */
static char *
put_member(struct dp_run *r, char *p, const struct dp_interval *v, int which)
{
	static const char name[][DP_PRINT_SLACK] = { "\"estimate\":", "\"lo\":", "\"hi\":" };
	static const size_t len[] = { 11, 5, 5 };
	const size_t most = 8192 + r->plan.mech->answers.text;
	const bool many = r->print.json.member != NULL;
	size_t c, first = 1, at;

	p = put_text(p, name[which], len[which]);
	if (many)
		*p++ = '{';
	for (c = 0; c < r->print.told.columns; c++) {
		if (which != 0 && !dp_print_bounds(r, c))
			continue;
		if ((p = dp_print_room(r, p, most)) == NULL)
			return NULL;
		if (many) {
			at = r->print.json.member[c] + first;	/* without the first one's comma */
			p = put_text(p, r->print.json.names.p + at,
			    r->print.json.member[c + 1] - at);
			first = 0;
		}
		p = which == 0 ? put_estimate(r, p, c, &v[c]) :
		    put_end(r, p, c, &v[c], which == 1 ? v[c].lo : v[c].hi);
	}
	if (many)
		*p++ = '}';
	return dp_print_room(r, p, 128);
}

/* Begins an object. */
static char *
put_object(struct dp_run *r, char *p, uint64_t t, int64_t begin)
{
	p = stpcpy(p, "{\"step\":");
	p = dp_out_put(r->print.out, p, (dp_wide)t);
	if (dp_options_timed(r->o)) {
		p = stpcpy(p, ",\"time\":\"");
		p = dp_when_put(p, begin, r->o->time.span.zone);
		*p++ = '"';
	}
	*p++ = ',';
	return p;
}

static int
print_json(struct dp_run *r, uint64_t t, int64_t begin)
{
	struct dp_interval *v = r->print.shown;	/* a line lists all estimates before any bound */
	size_t c;
	char *p;

	if ((print_named(r) && r->print.json.member == NULL && print_members(r) != 0) ||
	    (p = dp_out_room(r->print.out, 128)) == NULL)
		return DP_ENOMEM;
	for (c = 0; c < r->print.told.columns; c++)
		print_finish(r, t, c, &v[c]);
	p = put_object(r, p, t, begin);
	p = put_member(r, p, v, 0);
	if (p != NULL && r->o->print.confidence > 0) {
		*p++ = ',';
		if ((p = put_member(r, p, v, 1)) != NULL) {
			*p++ = ',';
			p = put_member(r, p, v, 2);
		}
	}
	if (p == NULL)
		return DP_ENOMEM;
	if (print_frozen(r) != NULL)
		p += sprintf(p, ",\"frozen\":%s", print_frozen(r));
	if (r->o->print.sampling)
		p = stpcpy(p, ",\"interval\":\"noise and sampling\"");
	*p++ = '}';
	*p++ = '\n';
	return dp_out_line(r->print.out, p);
}

/* The name of a row, output c's; without one its number, not in plain lines. */
static char *
put_row_name(struct dp_run *r, char *p, size_t c, const char *name)
{
	const enum dp_format format = r->o->print.format;

	if (format == DP_JSON)
		p += sprintf(p, "\"%s\":", dp_print_row_name(r));
	if (name != NULL)
		p = print_safe(r, p, name, r->roll == NULL);
	else if (format != DP_PLAIN)
		p = dp_out_put(r->print.out, p, (dp_wide)c + 1);
	else
		return p;
	*p++ = format == DP_JSON ? ',' : dp_print_separator(r);
	return p;
}

/* A row of -o long, or samples of -o prometheus; name: its key, or NULL. */
static char *
put_tidy(struct dp_run *r, char *p, uint64_t t, int64_t begin, size_t c, const char *name,
    const struct dp_interval *v, const char *flag)
{
	char number[3][64] = { "", "", "" }, place[64];
	struct dp_tidy row = { .t = t, .begin = begin, .key = name != NULL ? name : "",
	    .keyed = name != NULL, .declared = r->roll == NULL,
	    .statistic = print_statistic(r, c), .flag = flag,
	    .number = { number[0], number[1], number[2] } };

	if (!v->none && dp_print_choice(r, c)) {
		*dp_decimal_put(place, v->est + 1, 0) = '\0';
		row.key = choice_name(r, v->est) != NULL ? choice_name(r, v->est) : place;
		row.chosen = true;
		row.declared = v->est < (dp_wide)r->o->keys.n;
	} else if (!v->none && !v->below)
		*put_number_print(r, number[0], c, v->est) = '\0';
	if (dp_print_bounds(r, c) && !v->below) {
		*put_number_print(r, number[1], c, v->lo) = '\0';
		*put_number_print(r, number[2], c, v->hi) = '\0';
	}
	return print_tidy(r, p, &row);
}

char *
dp_print_row(struct dp_run *r, char *p, uint64_t t, int64_t begin, size_t c, const char *name,
    const struct dp_interval *v, const char *heading, const char *text)
{
	static const char *const member[] = { "\"estimate\":", ",\"lo\":", ",\"hi\":" };
	const bool json = r->o->print.format == DP_JSON;
	const dp_wide *const value[] = { &v->est, &v->lo, &v->hi };
	size_t at;
	int i;

	if ((p = dp_print_room(r, p, 8192)) == NULL)
		return NULL;
	at = (size_t)(p - r->print.out->buf);
	if (dp_options_tidy(r->o))
		return put_tidy(r, p, t, begin, c, name, v, text);
	p = json ? put_object(r, p, t, begin) : put_step(r, p, t, begin);
	p = put_row_name(r, p, c, name);
	for (i = 0; i < (dp_print_bounds(r, c) ? 3 : 1); i++) {
		if (json)
			p = stpcpy(p, member[i]);
		else if (i > 0)
			*p++ = dp_print_separator(r);
		p = i == 0 ? put_estimate(r, p, c, v) : put_end(r, p, c, v, *value[i]);
	}
	if (text != NULL && json)
		p += sprintf(p, ",\"%s\":%s", heading, text);
	else if (text != NULL)
		p += sprintf(p, "%c%s", dp_print_separator(r), text);
	if (json)
		*p++ = '}';
	*p++ = '\n';
	return table_row(r, at, p);
}

/* The key that column c is of; of a difference KEY-BASE. */
static const char *
print_key(const struct dp_run *r, size_t c, char place[static DP_PRINT_KEY])
{
	const struct dp_options *o = r->o;
	const size_t key = c / r->print.outputs;

	if (key >= o->keys.n)
		return o->print.table.made->name[key - o->keys.n];
	if (!o->print.difference)
		return o->keys.name[key];
	snprintf(place, DP_PRINT_KEY, "%s-%s", o->keys.name[key + (key >= o->print.base)],
	    o->keys.name[o->print.base]);
	return place;
}

/* Name of column c's row; without one its number; a single statistic needs neither. */
static const char *
row_key(const struct dp_run *r, size_t c, char place[static DP_COLUMN])
{
	if (by_rows(r))
		return name_of(r, c, place);
	if (r->tool->rows == NULL)
		return dp_options_keyed(r->o, r->tool) ? print_key(r, c, place) : NULL;
	if (r->o->output[c].name != NULL || !dp_options_tidy(r->o))
		return r->o->output[c].name;
	snprintf(place, DP_PRINT_KEY, "%zu", c + 1);
	return place;
}

/* All rows as one line: committed, and let out, together. */
static int
print_rows(struct dp_run *r, uint64_t t, int64_t begin)
{
	char *p = dp_out_room(r->print.out, 0), place[DP_COLUMN];
	struct dp_interval v;
	size_t c;

	for (c = 0; c < r->print.told.columns; c++) {
		print_finish(r, t, c, &v);
		if ((p = dp_print_row(r, p, t, begin, c, row_key(r, c, place), &v,
		    dp_print_flag(r), print_frozen(r))) == NULL)
			return DP_ENOMEM;
	}
	return dp_out_line(r->print.out, p);
}

/* Line of names, which take turns in one column; without names there is no line. */
static int
print_roll(struct dp_run *r, uint64_t t, int64_t begin)
{
	const struct dp_roll *roll = r->roll;
	char *p = dp_out_room(r->print.out, 0), name[DP_ROLL_TEXT];
	struct dp_interval v;
	size_t i;

	for (i = 0; i < roll->n; i++) {
		dp_roll_text(roll, roll->told[i].name, name);
		r->print.est[0] = roll->told[i].est;
		print_finish(r, t, 0, &v);
		if ((p = dp_print_row(r, p, t, begin, 0, name, &v, NULL, NULL)) == NULL)
			return DP_ENOMEM;
	}
	return roll->n > 0 ? dp_out_line(r->print.out, p) : dp_out_none(r->print.out);
}

int
dp_print_step(struct dp_run *r, uint64_t t, int64_t begin)
{
	char *p;
	int e;

	if (DP_LIKELY(r->print.bare)) {
		if ((p = dp_out_room(r->print.out, 64)) == NULL)
			return DP_ENOMEM;
		p = put_number_print(r, p, 0, dp_nearest(r->print.est[0], r->print.coarse));
		*p++ = '\n';
		return dp_out_line(r->print.out, p);
	}
	if ((e = print_widths(r, t)) != 0 ||
	    (r->o->print.difference && (e = print_differences(r, t)) != 0) ||
	    (r->o->print.table.made != NULL && (e = dp_margins_step(r, t)) != 0))
		return e;
	if (r->o->print.format == DP_PROMETHEUS)
		dp_print_again(r, t, begin);
	if (r->roll != NULL)
		return print_roll(r, t, begin);
	if (r->print.order != NULL)
		return print_top(r, t, begin);
	if (r->tool->rows != NULL || dp_options_tidy(r->o) || by_rows(r))
		return print_rows(r, t, begin);
	return r->o->print.format == DP_JSON ? print_json(r, t, begin) : print_table(r, t, begin);
}

/*
 * What columns and rows are called: in the header line, and in objects.
 */

/* Bytes of a mark at s that turns what follows or ends its line, and nobody sees; 0: none. */
static size_t
unseen(const char *s, uint32_t *c)
{
	const size_t n = dp_utf8(c, s, s + strnlen(s, 4));

	return n != 0 && dp_utf8_unseen(*c) ? n : 0;
}

/* Text as a JSON string (bytes above 0x7f as they are, but marks), or for CSV, with its quotes. */
char *
dp_print_text(char *p, const char *s, enum dp_format format)
{
	const bool csv = format == DP_CSV || format == DP_LONG;
	const bool quote = format == DP_JSON || (csv && s[strcspn(s, ",\"\r\n")] != '\0');
	uint32_t c;
	size_t n;

	if (quote)
		*p++ = '"';
	for (; *s != '\0'; s++) {
		if (format == DP_JSON && (unsigned char)*s >= 0x80 && (n = unseen(s, &c)) != 0) {
			p += sprintf(p, "\\u%04x", c);
			s += n - 1;
			continue;
		}
		if (format == DP_JSON && (unsigned char)*s < ' ') {
			p += sprintf(p, "\\u%04x", (unsigned)*s);
			continue;
		}
		if (format == DP_MARKDOWN && strchr("\\`*[]<>|&", *s) != NULL)
			*p++ = '\\';
		if (quote && (*s == '"' || (format == DP_JSON && *s == '\\')))
			*p++ = format == DP_JSON ? '\\' : '"';
		*p++ = *s;
	}
	if (quote)
		*p++ = '"';
	return p;
}

/*
 * The same in the run's format.  In CSV a name that begins as a formula of a spreadsheet does gets
 * an apostrophe before it, and quotes, as --safe says; by default if it is not declared.  That
 * takes a byte more than dp_print_text() does.
 */
static char *
print_safe(const struct dp_run *r, char *p, const char *s, bool declared)
{
	const enum dp_format format = r->o->print.format;
	char *const begin = p;

	if ((format != DP_CSV && format != DP_LONG) || *s == '\0' ||
	    strchr("=+-@\t\r", *s) == NULL || r->o->print.safe == DP_SAFE_NONE ||
	    (declared && r->o->print.safe == DP_SAFE_UNDECLARED))
		return dp_print_text(p, s, format);
	p = stpcpy(p, "\"'");
	p = dp_print_text(p, s, format);
	if (begin[2] == '"') {			/* these quotes are before the apostrophe now */
		memmove(begin + 2, begin + 3, (size_t)(p - begin) - 3);
		return p - 1;
	}
	*p++ = '"';
	return p;
}

/* true: a line holds several estimates, by key, by window or both. */
static bool
print_named(const struct dp_run *r)
{
	return dp_options_keyed(r->o, r->tool) || r->print.outputs > 1;
}

/* KEY, OUTPUT or KEY_OUTPUT */
static const char *
name_of(const struct dp_run *r, size_t c, char text[static DP_COLUMN])
{
	char place[DP_PRINT_KEY];
	const char *key = dp_options_keyed(r->o, r->tool) ? print_key(r, c, place) : "";
	const char *out = r->print.outputs > 1 ? r->o->output[c % r->print.outputs].name : "";

	snprintf(text, DP_COLUMN, "%s%s%s", key, *key != '\0' && *out != '\0' ? "_" : "", out);
	return text;
}

const char *
dp_print_column(const struct dp_run *r, size_t c, const char *suffix, char name[static DP_COLUMN])
{
	if (print_named(r))
		snprintf(name, DP_COLUMN, "%s%s", name_of(r, c, (char [DP_COLUMN]){ 0 }), suffix);
	else
		snprintf(name, DP_COLUMN, "%s", suffix[0] == '\0' ? "estimate" : suffix + 1);
	return name;
}

/* A table to paste has a row a key: a line of many columns would be no table. */
static bool
by_rows(const struct dp_run *r)
{
	return r->o->print.format == DP_MARKDOWN && r->tool->rows == NULL &&
	    dp_options_keyed(r->o, r->tool);
}

const char *
dp_print_row_name(const struct dp_run *r)
{
	if (r->o->given[OPT_TOP] || by_rows(r))
		return "key";
	return r->o->form.totals != DP_TOTALS_NO ? "symbol" : r->tool->rows;
}

/*
 * Heading of what ends a row, 1 or 0: "certain", the key is one of the largest (--top, -B);
 * "frozen", the estimate is shown until the run ends (counter/mech.h).  NULL: nothing does.
 */
static const char *
dp_print_flag(const struct dp_run *r)
{
	return r->print.bound.sure != NULL ? "certain" :
	    r->plan.mech->ops->frozen != NULL ? "frozen" : NULL;
}

/* "1" or "0": frozen; NULL: another flag, or none. */
static const char *
print_frozen(const struct dp_run *r)
{
	const struct dp_mech *m = r->plan.mech;

	if (m->ops->frozen == NULL)
		return NULL;
	return m->ops->frozen(m, r->col.p) ? "1" : "0";
}

/*
 * Ends the header line, whose last field ended with what is between fields; -o markdown: with the
 * line under it, which sets numbers to the right.
 */
static int
end_header(struct dp_run *r, size_t at, char *p)
{
	const struct dp_options *o = r->o;
	const size_t first = o->print.number, names = dp_options_timed(o) +
	    (size_t)(dp_print_row_name(r) != NULL);
	size_t i, n = 1;

	p[-1] = '\n';
	if (o->print.format != DP_MARKDOWN)
		return dp_out_line(r->print.out, p);
	for (i = at; r->print.out->buf + i < p; i++)
		n += r->print.out->buf[i] == '\t';
	if ((p = table_row(r, at, p)) == NULL || (p = dp_print_room(r, p, 7 * n + 8)) == NULL)
		return DP_ENOMEM;
	p = stpcpy(p, "|");
	for (i = 0; i < n; i++)
		p = stpcpy(p, i >= first && i < first + names ? " --- |" : " ---: |");
	return dp_out_line(r->print.out, stpcpy(p, "\n"));
}

static int
rows_header(struct dp_run *r, size_t at, char *p, char sep)
{
	p += sprintf(p, "%s%cestimate", dp_print_row_name(r), sep);
	if (dp_print_bounds(r, 0))
		p += sprintf(p, "%clo%chi", sep, sep);
	if (dp_print_flag(r) != NULL)
		p += sprintf(p, "%c%s", sep, dp_print_flag(r));
	return end_header(r, at, p + 1);
}

int
dp_print_header(struct dp_run *r)
{
	static const char *const suffix[] = { "", "_lo", "_hi" };
	const struct dp_options *o = r->o;
	size_t c, i, at;
	char sep = dp_print_separator(r), name[DP_COLUMN], *p;

	if (o->print.format != DP_TSV && o->print.format != DP_CSV &&
	    o->print.format != DP_LONG && o->print.format != DP_MARKDOWN)
		return 0;
	r->print.headed = true;
	if (o->print.format == DP_LONG)
		return print_long_header(r);
	if ((p = dp_out_room(r->print.out, 320)) == NULL)
		return DP_ENOMEM;
	at = (size_t)(p - r->print.out->buf);
	if (o->print.number)
		p = stpcpy(p, "step") + 1, p[-1] = sep;
	if (dp_options_timed(o))
		p = stpcpy(p, "time") + 1, p[-1] = sep;
	if (dp_print_row_name(r) != NULL)
		return rows_header(r, at, p, sep);
	r->print.out->n = (size_t)(p - r->print.out->buf);
	for (c = 0; c < r->print.told.columns; c++)
		for (i = 0; i < (dp_print_bounds(r, c) ? 3 : 1); i++) {
			if ((p = dp_out_room(r->print.out, 8192)) == NULL)
				return DP_ENOMEM;
			p = print_safe(r, p, dp_print_column(r, c, suffix[i], name), true);
			*p++ = sep;
			r->print.out->n = (size_t)(p - r->print.out->buf);
		}
	if (dp_print_flag(r) != NULL)
		p = stpcpy(p, dp_print_flag(r)) + 1;
	return end_header(r, at, p);
}

static int
print_members(struct dp_run *r)
{
	char text[16384], *end;
	size_t c;

	if ((r->print.json.member = calloc(r->print.told.columns + 1,
	    sizeof *r->print.json.member)) == NULL)
		return DP_ENOMEM;
	for (c = 0; c < r->print.told.columns; c++) {
		text[0] = ',';
		end = dp_print_text(text + 1, name_of(r, c, (char [DP_COLUMN]){ 0 }), DP_JSON);
		*end++ = ':';
		dp_buf_add(&r->print.json.names, text, (size_t)(end - text));
		r->print.json.member[c + 1] = r->print.json.names.n;
	}
	dp_buf_add(&r->print.json.names, (char [DP_PRINT_SLACK]){ 0 }, DP_PRINT_SLACK);
	return r->print.json.names.error;
}

/*
 * What is printed of an estimate and of its interval: post-processing, which costs
 * no privacy.
 */

/* Half-widths, one for each output. */
static int
find_widths(struct dp_run *r, uint64_t t)
{
	unsigned i;
	int e = 0;

	for (i = 0; i < r->print.outputs && r->print.bound.widths != NULL && e == 0; i++)
		e = dp_widths_half(r->print.bound.widths, i, t, &r->print.bound.half[i]);
	return e;
}

/* Intervals that the mechanism itself finds. */
static int
find_ends(struct dp_run *r, uint64_t t)
{
	const struct dp_mech *m = r->plan.mech;
	size_t c;
	int e;

	for (c = 0; c < r->print.nest; c++)
		if (dp_print_bounds(r, c) && (e = m->ops->bound.interval(m,
		    r->col.p + (m->nodes != 0 ? 0 : c / r->print.outputs) * m->column,
		    (unsigned)(m->nodes != 0 ? c : dp_print_output(r, c)), t,
		    1 - r->o->print.confidence, &r->print.bound.ends[2 * c],
		    &r->print.bound.ends[2 * c + 1])) != 0)
			return e;
	return 0;
}

/* Sets the half-widths of step t, if there are intervals; call it before dp_print_round(). */
static int
print_widths(struct dp_run *r, uint64_t t)
{
	if (r->print.bound.ends == NULL)
		return find_widths(r, t);
	return r->o->print.difference ? 0 : find_ends(r, t);
}

/* Column i's estimate, and what the mechanism says of it for a difference. */
static int
find_range(struct dp_run *r, uint64_t t, size_t i, struct dp_law_range *v)
{
	const struct dp_mech *m = r->plan.mech;

	*v = (struct dp_law_range){ .est = r->print.est[i], .least = DP_NONE, .most = DP_NONE };
	if (r->print.bound.told == NULL)
		return 0;
	return m->ops->bound.apart(m, r->col.p + i / r->print.outputs * m->column,
	    (unsigned)dp_print_output(r, i), t, 1 - r->o->print.confidence, v);
}

/*
 * --difference: every other key's estimate less the base's, which is post-processing.  Half-widths
 * come from the law of the difference (driver.c).  A mechanism that finds intervals itself finds
 * one for each key; dp_law_difference() makes one of two, which is widened to hold the estimate.
 */
static int
print_differences(struct dp_run *r, uint64_t t)
{
	const struct dp_printing *p = &r->print;
	const size_t base = r->o->print.base;
	struct dp_law_range one, other, d;
	size_t c, i, from;
	int e;

	for (c = 0; c < p->told.columns; c++) {
		from = base * p->outputs + c % p->outputs;
		i = c + (c / p->outputs >= base ? p->outputs : 0);
		p->told.est[c] = p->est[i] == DP_NONE || p->est[from] == DP_NONE ? DP_NONE :
		    p->est[i] - p->est[from];
		if (p->bound.told == NULL)
			continue;
		if ((e = find_range(r, t, from, &one)) != 0 ||
		    (e = find_range(r, t, i, &other)) != 0)
			return e;
		dp_law_difference(&other, &one, &d);
		p->bound.told[2 * c] = p->told.est[c] < d.lo ? p->told.est[c] : d.lo;
		p->bound.told[2 * c + 1] = p->told.est[c] != DP_NONE && p->told.est[c] > d.hi ?
		    p->told.est[c] : d.hi;
	}
	return 0;
}

/* Columns that are printed, and where they are.  DP_ENOMEM. */
int
dp_print_prepare(struct dp_run *r)
{
	struct dp_printing *p = &r->print;

	p->told.columns = dp_print_columns(r);
	p->told.est = p->est;
	p->bound.told = p->bound.ends;
	if (r->o->print.table.made != NULL)
		return dp_margins_prepare(r);
	if (!r->o->print.difference)
		return 0;
	p->told.est = calloc(p->told.columns, sizeof *p->told.est);
	if (p->bound.ends != NULL &&
	    (p->bound.told = calloc(p->told.columns, 2 * sizeof *p->bound.told)) == NULL)
		return DP_ENOMEM;
	return p->told.est == NULL ? DP_ENOMEM : 0;
}

void
dp_print_done(struct dp_run *r)
{
	if (r->print.told.est != r->print.est)
		free(r->print.told.est);
	if (r->print.bound.told != r->print.bound.ends)
		free(r->print.bound.told);
	if (r->o->print.table.made != NULL)
		dp_margins_done(r);
}

/* Ends, rounded outwards. */
static void
round_ends(const struct dp_run *r, struct dp_interval *v)
{
	const dp_wide step = r->print.told.step;

	if (step > 1) {
		v->lo = dp_down(v->lo, step) * r->print.told.round;
		v->hi = -dp_down(-v->hi, step) * r->print.told.round;
	}
	if (r->o->print.nonnegative) {
		v->lo = v->lo < 0 ? 0 : v->lo;
		v->hi = v->hi < 0 ? 0 : v->hi;
	}
}

/* The ends of the interval. */
static void
put_around(const struct dp_run *r, size_t c, struct dp_interval *v)
{
	dp_wide w;

	if (r->print.bound.told == NULL) {
		w = c < r->print.nest ? r->print.bound.half[dp_print_output(r, c)] :
		    r->print.told.half[c - r->print.nest];
		v->lo = r->print.told.est[c] - w;
		v->hi = r->print.told.est[c] + w;
	} else {
		v->lo = r->print.bound.told[2 * c];
		v->hi = r->print.bound.told[2 * c + 1];
	}
	round_ends(r, v);
}

void
dp_print_round(struct dp_run *r, uint64_t t, size_t c, struct dp_interval *v)
{
	const struct dp_options *o = r->o;

	v->est = r->print.told.est[c];
	if (o->print.confidence > 0)
		put_around(r, c, v);
	if (r->print.told.fit != NULL)
		v->est = r->print.told.fit[c];
	else if (r->print.told.step > 1)
		v->est = dp_nearest(v->est, r->print.told.step) * r->print.told.round;
	if (o->print.nonnegative)
		v->est = v->est < 0 ? 0 : v->est;
	if (r->print.told.fit != NULL && o->print.confidence > 0) {
		v->lo = v->est < v->lo ? v->est : v->lo;
		v->hi = v->est > v->hi ? v->est : v->hi;
	}
	if (o->print.monotone && !v->none) {
		if (t > r->plan.mech->estimate.first && v->est < r->print.last[c])
			v->est = r->print.last[c];
		r->print.last[c] = v->est;
		v->hi = o->print.confidence > 0 && v->hi < v->est ? v->est : v->hi;
	}
}

/*
 * --top: of declared keys those with the largest estimates, a row each, and which of
 * them are among the largest for certain.  All of it is post-processing.
 */

/*
 * Statement.  Let all keys' counts lie within `half' of their estimates.  A key with fewer than K
 * others whose estimates are at least its own less 2 half is one of the K largest.
 * Proof.  Any other key b, est_b < est_a - 2 half, has count_b <= est_b + half < est_a - half <=
 * count_a: fewer than K keys have a count as large as a's.
 * Each key's interval misses with probability gamma / keys at most, so at any one step all hold
 * together with probability 1 - gamma, whatever the data (union bound).
 */
static int
half_width(struct dp_run *r, uint64_t t, dp_wide *half)
{
	double w;
	const int e = dp_widths_at(r->print.bound.sure, 0, t, &w);

	if (e == 0)
		*half = (dp_wide)ceil(r->plan.mech->off.drift + w) * r->print.unit;
	return e;
}

static int
by_estimate(const void *a, const void *b, void *run)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	const struct dp_interval *v = ((const struct dp_run *)run)->print.shown;

	if (v[x].est != v[y].est)
		return v[x].est > v[y].est ? -1 : 1;
	return x < y ? -1 : 1;
}

/* Of a heap whose top is the last of its order: the i-th may come before those below it. */
static void
sift(struct dp_run *r, size_t n, size_t i)
{
	size_t *const heap = r->print.order, below, x;

	for (; (below = 2 * i + 1) < n; i = below) {
		below += below + 1 < n && by_estimate(&heap[below + 1], &heap[below], r) > 0;
		if (by_estimate(&heap[i], &heap[below], r) > 0)
			break;
		x = heap[i];
		heap[i] = heap[below];
		heap[below] = x;
	}
}

/* The first n in order, to print.order. */
static void
find_first(struct dp_run *r, size_t n)
{
	const dp_wide *least;
	size_t i;

	for (i = 0; i < n; i++)
		r->print.order[i] = i;
	for (i = n / 2; i-- > 0; )
		sift(r, n, i);
	least = &r->print.shown[r->print.order[0]].est;
	for (i = n; i < r->print.nest; i++)	/* of two alike the earlier one stays */
		if (r->print.shown[i].est > *least) {
			r->print.order[0] = i;
			sift(r, n, 0);
			least = &r->print.shown[r->print.order[0]].est;
		}
	dp_os_sort(r->print.order, n, sizeof *r->print.order, by_estimate, r);
}

/* true: column c is one of the K largest if all intervals of that half-width hold. */
static bool
certain(const struct dp_run *r, size_t c, dp_wide half)
{
	const dp_wide least = r->print.est[c] - 2 * half;
	uint64_t others = 0;
	size_t i;

	for (i = 0; i < r->print.nest && others < r->o->print.top; i++)
		others += i != c && r->print.est[i] >= least;
	return others < r->o->print.top;
}

/*
 * --top=K+: the keys that are not printed, as one.  Statement.  With n keys, noise z of each, w
 * such that P(|z_1 + .. + z_n| > w) <= gamma / 2, and h such that P(|z_i| > h) <= gamma / 2n: the
 * sum of all others is off by at most min(w + K h, (n - K) h) with probability 1 - gamma.
 * Proof.  Which keys these are depends on the noise.  But with that probability the sum of all z is
 * within w and every z within h, and then the others' sum is that of all less K of them, or itself
 * of n - K.
 */
static int
put_others(struct dp_run *r, uint64_t t, size_t n, struct dp_interval *v)
{
	const double others = (double)(r->print.nest - n), drift = r->plan.mech->off.drift;
	dp_wide sum = 0, w;
	double all, one;
	size_t i;
	int e;

	for (i = 0; i < r->print.nest; i++)	/* print.order has the first n alone */
		sum += r->print.est[i];
	for (i = 0; i < n; i++)
		sum -= r->print.est[r->print.order[i]];
	*v = (struct dp_interval){ .est = dp_nearest(sum, r->print.told.step) *
	    r->print.told.round };
	if (r->o->print.nonnegative && v->est < 0)
		v->est = 0;
	v->below = least_print(r, 0) > v->est;
	if (r->print.bound.all == NULL)
		return 0;
	if ((e = dp_widths_at(r->print.bound.all, 0, t, &all)) != 0 ||
	    (e = dp_widths_at(r->print.bound.one, 0, t, &one)) != 0)
		return e;
	w = (dp_wide)ceil(fmin(all + (double)n * one, others * one) + others * drift) *
	    r->print.unit;
	v->lo = sum - w;
	v->hi = sum + w;
	round_ends(r, v);
	return 0;
}

/* True: numbers are ordered as they are printed, before they are made ready for that. */
static bool
as_it_is(const struct dp_run *r)
{
	return r->print.raw || (r->print.told.fit == NULL && r->print.told.step <= 1 &&
	    !r->o->print.nonnegative && !r->o->print.monotone);
}

/* print.c: --top */
static int
print_top(struct dp_run *r, uint64_t t, int64_t begin)
{
	const struct dp_options *o = r->o;
	const size_t n = r->print.nest < o->print.top ? r->print.nest : (size_t)o->print.top;
	char *p = dp_out_room(r->print.out, 0);
	const char *sure = NULL;
	struct dp_interval others;
	dp_wide half = 0;
	size_t i, c;
	int e;

	for (c = 0; c < r->print.nest; c++)
		if (as_it_is(r))
			r->print.shown[c].est = r->print.told.est[c];
		else
			print_finish(r, t, c, &r->print.shown[c]);
	find_first(r, n);
	if (r->print.bound.sure != NULL && (e = half_width(r, t, &half)) != 0)
		return e;
	for (i = 0; i < n; i++) {
		c = r->print.order[i];
		if (as_it_is(r))
			print_finish(r, t, c, &r->print.shown[c]);
		if (r->print.bound.sure != NULL)
			sure = certain(r, c, half) ? "1" : "0";
		if ((p = dp_print_row(r, p, t, begin, c, o->keys.name[c], &r->print.shown[c],
		    dp_print_flag(r), sure)) == NULL)
			return DP_ENOMEM;
	}
	if (o->print.others && n < r->print.nest) {
		if ((e = put_others(r, t, n, &others)) != 0)
			return e;
		if ((p = dp_print_row(r, p, t, begin, 0, DP_OTHERS, &others, dp_print_flag(r),
		    sure == NULL ? NULL : "0")) == NULL)
			return DP_ENOMEM;
	}
	return dp_out_line(r->print.out, p);
}

/*
 * Rows of one estimate each: a table with a column for each part of its name
 * (-o long), or the last step as a collector of metrics reads it (-o prometheus).
 *
 * Prometheus' text format has all samples of a metric behind each other, so a step's are gathered
 * by metric; a later step takes their place, and the last step's are printed when the input ends.
 */

enum { ESTIMATE, LO, HI, FLAG };

/* Last lines of a family's metric. */
static const char *
suffix(const struct dp_run *r, int family)
{
	static const char *const end[] = { "", "_lo", "_hi", "_certain", "_frozen" };

	return end[family + (family == FLAG && r->print.bound.sure == NULL)];
}

/* Name of column c's statistic: that of its output, or a noun for it. */
static const char *
print_statistic(const struct dp_run *r, size_t c)
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

/* Header line of -o long. */
static int
print_long_header(struct dp_run *r)
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
	p = print_safe(r, p, row->key, row->declared);
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

/* A label, as text format 0.0.4 has it; no UTF-8 was refused (job/options.h) or is escaped
 * (store/run.h). */
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

/* Writes a row at p, with room for 4096 bytes and four times the key; returns its end. */
static char *
print_tidy(struct dp_run *r, char *p, const struct dp_tidy *row)
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
		snprintf(end, sizeof end, "%s end of the %s, confidence %.6g.",
		    i == LO ? "Lower" : "Upper", r->o->print.sampling ?
		    "interval of noise and sampling" : "noise interval", r->o->print.confidence);
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
