/*
 * cell.c - a line of any form, cut into fields.
 */
#include <csv.h>
#include <json-c/json.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "cell.h"
#include "stream/when.h"

#define VALUE_MAX	1e100		/* no sum of values overflows */
#define NUMBER_MAX	400	/* bytes of a number */
#define DEPTH	3		/* of JSON: no tool prints more */

int
dp_chart_refuse(struct dp_chart *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(c->why, sizeof c->why, format, ap);
	va_end(ap);
	return DP_ESYNTAX;
}

/* [+-]DIGITS[.DIGITS][e[+-]DIGITS]: what strtold(3) takes beyond is no number here. */
bool
dp_cell_number(double *v, struct dp_slice s)
{
	char text[NUMBER_MAX + 1], *end;

	if (s.n == 0 || s.n > NUMBER_MAX || s.p[s.n - 1] == '.')
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	if (strspn(text, "+-.0123456789eE") < s.n)
		return false;
	*v = (double)dp_real_read(text, &end);
	return *end == '\0' && fabs(*v) <= VALUE_MAX;
}

static int
two_digits(const char *p)
{
	return (p[0] - '0') * 10 + p[1] - '0';
}

/* ISO 8601, with at least a day. */
bool
dp_cell_time(double *v, int *zone, struct dp_slice s)
{
	static const struct dp_when iso = { .kind = DP_WHEN_ISO };
	int64_t t;

	if (dp_when_parse(&t, &iso, &(struct dp_stamp){ .text = s }) != 0)
		return false;
	*v = (double)t;
	*zone = 0;
	if (s.n > 6 && s.p[s.n - 3] == ':' && (s.p[s.n - 6] == '+' || s.p[s.n - 6] == '-'))
		*zone = (two_digits(s.p + s.n - 5) * 60 + two_digits(s.p + s.n - 2)) *
		    (s.p[s.n - 6] == '-' ? -60 : 60);
	return true;
}

static int
add(struct dp_cells *k, struct dp_chart *c, struct dp_cell cell)
{
	if (k->n == DP_CHART_COLUMNS_MAX)
		return dp_chart_refuse(c, "more than %d columns", DP_CHART_COLUMNS_MAX);
	k->at[k->n++] = cell;
	return 0;
}

/* Every field ends at a c, and the last at the end. */
static int
cut_tabs(struct dp_cells *k, struct dp_chart *c, struct dp_slice line)
{
	const char *p = line.p, *end = line.p + line.n, *tab;
	int e = 0;

	for (; e == 0; p = tab + 1) {
		tab = memchr(p, '\t', (size_t)(end - p));
		e = add(k, c, (struct dp_cell){ .text = { p, (size_t)((tab == NULL ? end : tab) -
		    p) } });
		if (tab == NULL)
			break;
	}
	return e;
}

/* Runs of blanks, if all pieces are numbers or times; else the whole is one name. */
static int
cut_blanks(struct dp_cells *k, struct dp_chart *c, struct dp_slice line)
{
	const char *p = line.p, *end = line.p + line.n, *q;
	double v;
	int zone, e;

	for (; p < end; p = q) {
		for (; p < end && *p == ' '; p++)
			;
		for (q = p; q < end && *q != ' '; q++)
			;
		if (q == p)
			break;
		if ((e = add(k, c, (struct dp_cell){ .text = { p, (size_t)(q - p) } })) != 0)
			return e;
		if (!dp_cell_number(&v, k->at[k->n - 1].text) &&
		    !dp_cell_time(&v, &zone, k->at[k->n - 1].text)) {
			k->n = 0;
			return add(k, c, (struct dp_cell){ .text = line });
		}
	}
	return 0;
}

/* The texts of the current line; empty ones have no buffer yet. */
static const char *
texts(const struct dp_chart *c)
{
	return c->line.side.p == NULL ? "" : c->line.side.p;
}

/* Target of libcsv's callbacks. */
struct row {
	struct dp_chart *c;
	size_t end[DP_CHART_COLUMNS_MAX + 1];	/* of each field, in side */
	unsigned n;
	bool over;		/* a second row in one line */
};

static void
on_field(void *s, size_t n, void *arg)
{
	struct row *r = arg;

	dp_buf_add(&r->c->line.side, s, n);
	if (r->n <= DP_CHART_COLUMNS_MAX)
		r->end[r->n++] = r->c->line.side.n;
}

static int
cut_csv(struct dp_cells *k, struct dp_chart *c, struct dp_slice line)
{
	struct row r = { .c = c };
	struct csv_parser parser;
	size_t at = 0;
	unsigned i;
	int e = 0;

	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
		return DP_ENOMEM;
	if (csv_parse(&parser, line.p, line.n, on_field, NULL, &r) != line.n ||
	    csv_fini(&parser, on_field, NULL, &r) != 0)
		e = csv_error(&parser) == CSV_ENOMEM ? DP_ENOMEM :
		    dp_chart_refuse(c, "a quote that does not fit");
	csv_free(&parser);
	if (c->line.side.error != 0)
		e = DP_ENOMEM;
	for (i = 0; e == 0 && i < r.n; at = r.end[i++])
		e = add(k, c, (struct dp_cell){ .text = { texts(c) + at, r.end[i] - at } });
	return e;
}

/* A member of a line's object; name may be the name of the member that it is in, or begin it. */
static int
add_member(struct dp_cells *k, struct dp_chart *c, struct dp_slice name, struct json_object *v)
{
	struct dp_cell cell = { .name = name };

	switch (json_object_get_type(v)) {
	case json_type_string:
		cell.string = true;
		cell.text = (struct dp_slice){ json_object_get_string(v),
		    (size_t)json_object_get_string_len(v) };
		break;
	case json_type_int:
	case json_type_double:
		cell.text.p = json_object_to_json_string(v);
		cell.text.n = strlen(cell.text.p);
		break;
	case json_type_null:		/* an empty field */
		cell.text.p = "";
		break;
	case json_type_boolean:
	case json_type_object:
	case json_type_array:
		return dp_chart_refuse(c, "a member that is no number and no name");
	}
	return add(k, c, cell);
}

/* An estimate of several, {"a":1,"b":2}: each is a column, named as tables do it: a, a_lo. */
static int
add_members(struct dp_cells *k, struct dp_chart *c, const char *name, struct json_object *v)
{
	const char *suffix = strcmp(name, "lo") == 0 ? "_lo" : strcmp(name, "hi") == 0 ? "_hi" : "";
	size_t at;
	int e;

	if (!json_object_is_type(v, json_type_object))
		return add_member(k, c, (struct dp_slice){ name, strlen(name) }, v);
	json_object_object_foreach(v, key, member) {
		at = c->line.side.n;
		dp_buf_puts(&c->line.side, key);
		dp_buf_puts(&c->line.side, suffix);
		if (c->line.side.error != 0)
			return DP_ENOMEM;
		e = add_member(k, c, (struct dp_slice){ NULL, c->line.side.n - at }, member);
		if (e != 0)
			return e;
	}
	return 0;
}

/* Places of names of members in members are known once the buffer has stopped moving. */
static void
settle(struct dp_cells *k, const struct dp_chart *c)
{
	size_t at = 0;
	unsigned i;

	for (i = 0; i < k->n; i++)
		if (k->at[i].name.p == NULL) {
			k->at[i].name.p = texts(c) + at;
			at += k->at[i].name.n;
		}
}

static int
cut_json(struct dp_cells *k, struct dp_chart *c, struct dp_slice line)
{
	struct json_tokener *t = json_tokener_new_ex(DEPTH);
	int e = 0;

	if (t == NULL)
		return DP_ENOMEM;
	json_tokener_set_flags(t, JSON_TOKENER_STRICT);
	json_object_put(c->line.object);
	c->line.object = line.n > INT_MAX ? NULL : json_tokener_parse_ex(t, line.p, (int)line.n);
	if (json_tokener_get_error(t) != json_tokener_success ||
	    json_tokener_get_parse_end(t) != line.n ||
	    !json_object_is_type(c->line.object, json_type_object))
		e = dp_chart_refuse(c, "not a JSON object");
	json_tokener_free(t);
	if (e != 0)
		return e;
	json_object_object_foreach(c->line.object, key, v) {
		if (e == 0)
			e = add_members(k, c, key, v);
	}
	settle(k, c);
	return e;
}

static bool
has(struct dp_slice s, char x)
{
	return s.n > 0 && memchr(s.p, x, s.n) != NULL;
}

/* A plain line may end with a word about its estimate (dpmaxsum's lazy), behind its columns. */
static struct dp_slice
without_word(struct dp_slice line, unsigned columns)
{
	static const char word[] = "\tfrozen";
	const size_t n = sizeof word - 1;
	unsigned tabs = 0;
	size_t i;

	for (i = 0; i < line.n; i++)
		tabs += line.p[i] == '\t';
	if (tabs == columns && line.n > n && memcmp(line.p + line.n - n, word, n) == 0)
		line.n -= n;
	return line;
}

int
dp_cells_cut(struct dp_cells *k, struct dp_chart *c, struct dp_slice line)
{
	int e = DP_ESYNTAX;

	if (c->columns > 0)
		line = without_word(line, c->columns);
	if (c->form == DP_CHART_NEW)
		c->form = line.n > 0 && line.p[0] == '{' ? DP_CHART_JSON :
		    has(line, '\t') ? DP_CHART_TABS : has(line, ',') ? DP_CHART_CSV :
		    DP_CHART_BLANKS;
	k->n = 0;
	dp_buf_reset(&c->line.side);
	switch (c->form) {
	case DP_CHART_NEW:
	case DP_CHART_BLANKS:
		e = cut_blanks(k, c, line);
		break;
	case DP_CHART_TABS:
		e = cut_tabs(k, c, line);
		break;
	case DP_CHART_CSV:
		e = cut_csv(k, c, line);
		break;
	case DP_CHART_JSON:
		e = cut_json(k, c, line);
		break;
	}
	if (e == 0 && k->n == 0)
		e = dp_chart_refuse(c, "an empty line");
	return e;
}
