/* SPDX-License-Identifier: ISC */
/*
 * table.c - lines to a table.
 */
#include <csv.h>
#include <json-c/json.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "internal.h"

static int dp_chart_refuse(struct dp_chart *, const char *format, ...)
	    __attribute__((format(printf, 2, 3)));
static bool dp_cell_number(double *, struct dp_slice);
static bool dp_cell_time(double *, int *zone, struct dp_slice);
static int dp_cells_cut(struct dp_cells *, struct dp_chart *, struct dp_slice line) DP_MUSTUSE;

#define LONG_COLUMNS	6	/* of rows with a name, at most: step, time, name, three numbers */

void
dp_chart_free(struct dp_chart *c)
{
	unsigned i;

	for (i = 0; i < DP_CHART_COLUMNS_MAX; i++)
		free(c->column[i].name);
	while (c->words.n > 0)
		free(c->words.text[--c->words.n]);
	free(c->words.text);
	free(c->cell);
	dp_buf_free(&c->line.side);
	dp_buf_free(&c->line.both);
	json_object_put(c->line.object);
}

int
dp_chart_declare(struct dp_chart *c, const char *name, enum dp_chart_part part)
{
	struct dp_chart_column *col = c->column + c->columns;

	if (c->columns > 0 && strcmp(name, "statistic") == 0 &&
	    col[-1].part == DP_CHART_IS_NAME) {
		c->line.tidy = c->columns;
		return 0;
	}
	if (c->columns == DP_CHART_COLUMNS_MAX)
		return DP_ERANGE;
	if ((col->name = strdup(name)) == NULL)
		return DP_ENOMEM;
	col->part = part;
	col->kind = part == DP_CHART_IS_TIME ? DP_CHART_TIME : part == DP_CHART_IS_NAME ||
	    part == DP_CHART_IS_CHOICE ? DP_CHART_TEXT : DP_CHART_NUMBER;
	c->columns++;
	c->named = c->declared = true;
	return 0;
}

/* The place of a text; its name is new, or met before. */
static int
intern(struct dp_chart *c, unsigned column, struct dp_slice s, double *v)
{
	size_t i = 0;

	if (c->words.text == NULL &&
	    (c->words.text = calloc(DP_CHART_NAMES_MAX, sizeof *c->words.text)) == NULL)
		return DP_ENOMEM;
	if (c->seen > 0 && c->column[column].kind == DP_CHART_TEXT)
		i = (size_t)c->last[column];		/* often the one before */
	if (i < c->words.n && strlen(c->words.text[i]) == s.n &&
	    memcmp(c->words.text[i], s.p, s.n) == 0) {
		*v = (double)i;
		return 0;
	}
	for (i = 0; i < c->words.n; i++)
		if (strlen(c->words.text[i]) == s.n && memcmp(c->words.text[i], s.p, s.n) == 0)
			break;
	if (i == DP_CHART_NAMES_MAX)
		return dp_chart_refuse(c, "more than %d different names; to count a log and draw "
		    "its counts: dpplot --run TOOL OPTION ... FILE",
		    DP_CHART_NAMES_MAX);
	if (i == c->words.n) {
		if ((c->words.text[i] = strndup(s.p, s.n)) == NULL)
			return DP_ENOMEM;
		c->words.n++;
	}
	*v = (double)i;
	return 0;
}

static bool
is(struct dp_slice s, const char *word)
{
	return s.n == strlen(word) && memcmp(s.p, word, s.n) == 0;
}

/* True: a tool's own heading says that column i holds names. */
static bool
is_text(const struct dp_chart *c, unsigned i)
{
	const char *name = c->column[i].name, *next;

	if (name == NULL || i + 1 >= c->columns)
		return false;
	next = c->column[i + 1].name;
	if (strcmp(next, "estimate") == 0)
		return strcmp(name, "step") != 0 && strcmp(name, "time") != 0;
	return strcmp(name, "column") == 0 && strcmp(next, "sum") == 0;
}

/* An estimate that there is none of, quoted where a line of CSV has no comma to be known by. */
static bool
is_empty_table(const struct dp_cell *cell)
{
	return !cell->string && (cell->text.n == 0 || is(cell->text, "\"\""));
}

/* The same, or one of a declared column that --suppress keeps back: "<5". */
static bool
is_untold(const struct dp_chart *c, const struct dp_cell *cell)
{
	const struct dp_slice s = cell->text;
	double v;

	return is_empty_table(cell) || (c->declared && !cell->string && s.n > 1 && *s.p == '<' &&
	    dp_cell_number(&v, (struct dp_slice){ s.p + 1, s.n - 1 }));
}

static enum dp_chart_kind
kind_of(const struct dp_cell *cell)
{
	double v;
	int zone;

	return !cell->string && dp_cell_number(&v, cell->text) ? DP_CHART_NUMBER :
	    dp_cell_time(&v, &zone, cell->text) ? DP_CHART_TIME : DP_CHART_TEXT;
}

static bool
is_header(const struct dp_chart *c, const struct dp_cells *k)
{
	unsigned i;

	if (c->header || c->form == DP_CHART_CSV || is(k->at[0].text, "step") ||
	    is(k->at[0].text, "time") || is(k->at[0].text, "estimate"))
		return true;
	for (i = 0; i < k->n; i++)
		if (kind_of(&k->at[i]) != DP_CHART_TEXT)
			return false;
	return k->n > 1;
}

/* The line is a header: the names of declared columns. */
static bool
is_heading(const struct dp_chart *c, const struct dp_cells *k)
{
	unsigned i;

	for (i = 0; i < k->n; i++)
		if (!is(k->at[i].text, c->column[i].name))
			return false;
	return c->heading;
}

static int
take_names(struct dp_chart *c, const struct dp_cells *k, bool json)
{
	struct dp_slice s;
	unsigned i;

	for (i = 0; i < k->n; i++) {
		s = json ? k->at[i].name : k->at[i].text;
		if ((c->column[i].name = strndup(s.p, s.n)) == NULL)
			return DP_ENOMEM;
	}
	c->columns = k->n;
	c->named = true;
	return 0;
}

/* Kinds of the first row's fields: perhaps a step, a time, a name; then numbers. */
static int
take_kinds(struct dp_chart *c, const struct dp_cells *k)
{
	enum dp_chart_kind kind;
	unsigned i, next = 0;	/* 0: anything; 1: a time or later; 2: a name; 3: numbers */

	for (i = 0; i < k->n; i++) {
		kind = is_text(c, i) ? DP_CHART_TEXT : is_empty_table(&k->at[i]) ? DP_CHART_NUMBER :
		    kind_of(&k->at[i]);
		switch (kind) {
		case DP_CHART_NUMBER:
			next = i == 0 ? 1 : 3;
			break;
		case DP_CHART_TIME:
			if (next > 1)
				return dp_chart_refuse(c, "column %u: no number", i + 1);
			next = 2;
			break;
		case DP_CHART_TEXT:
			if (next > 2)
				return dp_chart_refuse(c, "column %u: no number", i + 1);
			next = 3;
			break;
		}
		c->column[i].kind = kind;
		c->column[i].band = true;
	}
	c->columns = k->n;
	return 0;
}

/* True: the first column goes up as steps do; before names and times it may also stay. */
static bool
goes_on(const struct dp_chart *c, const double *v)
{
	if (c->column[0].kind != DP_CHART_NUMBER || v[0] != floor(v[0]) || v[0] < 1)
		return false;
	if (c->seen == 0)
		return true;
	if (c->columns > 1 && c->column[1].kind != DP_CHART_NUMBER)
		return v[0] >= c->last[0];
	if (c->seen == 1)
		return v[0] >= c->last[0] &&
		    (v[0] == c->last[0] || fmod(c->last[0], v[0] - c->last[0]) == 0);
	return v[0] - c->last[0] == c->steps.by;
}

/* True: column i, so far of numbers, may be one of names: numbers follow, none goes before. */
static bool
may_be_text(const struct dp_chart *c, unsigned i)
{
	const struct dp_chart_column *col = c->column;

	if (c->declared || i + 1 >= c->columns || col[i + 1].kind != DP_CHART_NUMBER)
		return false;
	return i == 0 || (i == 1 && (col[0].kind == DP_CHART_TIME || c->steps.even)) ||
	    (i == 2 && col[0].kind == DP_CHART_NUMBER && col[1].kind == DP_CHART_TIME);
}

/* The numbers of column i become names: some names look like numbers (200, 404, others). */
static int
to_text(struct dp_chart *c, unsigned i)
{
	char name[32];
	double *v;
	size_t k;
	int e = 0;

	for (k = 0; e == 0 && k < c->rows + 2; k++) {
		v = k < c->rows ? c->cell + k * c->columns + i :
		    k == c->rows ? &c->first[i] : &c->last[i];
		snprintf(name, sizeof name, isnan(*v) ? "" : "%.15g", *v);
		e = intern(c, 0, (struct dp_slice){ name, strlen(name) }, v);
	}
	c->column[i].kind = DP_CHART_TEXT;
	c->steps.even &= i > 0;
	return e;
}

/* True: column i says which row it is. */
static bool
is_row(const struct dp_chart *c, unsigned i)
{
	return i == 0 && c->columns > 1 && (c->declared ?
	    c->column[0].part == DP_CHART_IS_STEP :
	    c->named && strcmp(c->column[0].name, "step") == 0);
}

static int
parse(struct dp_chart *c, const struct dp_cells *k, double *v)
{
	unsigned i;
	int zone, e;

	for (i = 0; i < k->n; i++)
		switch (c->column[i].kind) {
		case DP_CHART_NUMBER:
			if (!k->at[i].string && dp_cell_number(&v[i], k->at[i].text))
				break;
			v[i] = NAN;
			if (is_untold(c, &k->at[i]) && !is_row(c, i))
				break;
			if (is_untold(c, &k->at[i]) || !may_be_text(c, i))
				return dp_chart_refuse(c, "column %u: no number", i + 1);
			if ((e = to_text(c, i)) != 0 ||
			    (e = intern(c, i, k->at[i].text, &v[i])) != 0)
				return e;
			break;
		case DP_CHART_TIME:
			if (!dp_cell_time(&v[i], &zone, k->at[i].text))
				return dp_chart_refuse(c, "column %u: no time", i + 1);
			if (c->seen == 0)
				c->zone = zone;
			break;
		case DP_CHART_TEXT:
			if ((e = intern(c, i, k->at[i].text, &v[i])) != 0)
				return e;
			break;
		}
	if (!c->named && c->column[0].kind == DP_CHART_NUMBER && k->n > 1 &&
	    c->column[1].kind != DP_CHART_NUMBER && c->seen > 0 &&
	    !(c->steps.even && goes_on(c, v)))
		return dp_chart_refuse(c, "names or times after numbers that are not steps");
	return 0;
}

/* True: hi - est and est - lo are one, but for rounding and what is cut at 0, or not known. */
static bool
equal_sides(const double *v)
{
	return !(fabs(v[2] - 2 * v[0] + v[1]) > 0.02 * (v[2] - v[1]) + 1e-9 * fabs(v[0])) ||
	    (v[1] == 0 && v[2] > v[0] && v[0] <= v[2] - v[0]);
}

/* Every stride-th row; when there are too many, every second of those. */
static int
keep(struct dp_chart *c, const double *v)
{
	const size_t n = c->columns;
	const size_t room = n <= LONG_COLUMNS ? DP_CHART_LONG_MAX : DP_CHART_ROWS_MAX;
	size_t most = DP_CHART_ROWS_MAX, i;

	for (i = 1; i < n && i < 3; i++)
		if (c->column[i].kind == DP_CHART_TEXT)
			most = room;
	if (c->cell == NULL) {
		c->stride = 1;
		if ((c->cell = calloc(room * n, sizeof *c->cell)) == NULL)
			return DP_ENOMEM;
	}
	if (c->seen % c->stride == 0 && c->rows >= most) {
		for (i = 0; 2 * i < c->rows; i++)
			memmove(c->cell + i * n, c->cell + 2 * i * n, n * sizeof *c->cell);
		c->rows = i;
		c->stride *= 2;
	}
	if (c->seen % c->stride == 0)
		memcpy(c->cell + c->rows++ * n, v, n * sizeof *c->cell);
	return 0;
}

/*
 * Before the first estimate there may be steps without one (dpmaxsum's recompute): all fields are
 * empty there but what says which row it is.  Such rows are counted, and nothing is drawn.  In a
 * CSV file the first line is a header, unless all of it is empty.
 */
static bool
is_before(const struct dp_chart *c, const struct dp_cells *k)
{
	unsigned i;

	if (c->seen > 0)
		return false;
	for (i = k->n; i > 0 && is_empty_table(&k->at[i - 1]); i--)
		;
	if (i == k->n || (c->columns == 0 && (c->header || (i > 0 && c->form == DP_CHART_CSV))))
		return false;
	while (i > 1 && kind_of(&k->at[i - 1]) != DP_CHART_NUMBER)
		i--;
	return i == 0 || (i == 1 && (!c->declared || c->column[0].part != DP_CHART_IS_ESTIMATE));
}

/* -o long: a field of the key and one of the statistic become one. */
static int
join(struct dp_chart *c, struct dp_cells *k)
{
	struct dp_cell *at = k->at + c->line.tidy;
	unsigned i;

	for (i = 0; c->columns == 0 && c->line.tidy == 0 && i + 2 < k->n; i++)
		if (is(k->at[i].text, "key") && is(k->at[i + 1].text, "statistic") &&
		    is(k->at[i + 2].text, "estimate"))
			at = k->at + (c->line.tidy = i + 1);
	if (c->line.tidy == 0 || c->line.tidy >= k->n)
		return 0;
	if (!is(at->text, "statistic") || !is(at[-1].text, "key") || (c->columns > 0 &&
	    !c->heading)) {		/* not where they name the columns */
		dp_buf_reset(&c->line.both);
		dp_buf_add(&c->line.both, at[-1].text.p, at[-1].text.n);
		dp_buf_add(&c->line.both, (const char []){ DP_TIDY }, 1);
		dp_buf_add(&c->line.both, at->text.p, at->text.n);
		at[-1].text = (struct dp_slice){ c->line.both.p, c->line.both.n };
	}
	memmove(at, at + 1, (--k->n - c->line.tidy) * sizeof *at);
	return c->line.both.error;
}

int
dp_chart_line(struct dp_chart *c, struct dp_slice line)
{
	double v[DP_CHART_COLUMNS_MAX] = { 0 };
	struct dp_cells k;
	unsigned i;
	int e;

	if (line.n == 0 && c->seen == 0 && !c->header) {
		c->before++;
		return 0;
	}
	if (line.n == 0 && c->columns == 1)
		k = (struct dp_cells){ .n = 1, .at[0].text = line };
	else if ((e = dp_cells_cut(&k, c, line)) != 0 || (e = join(c, &k)) != 0)
		return e;
	if (is_before(c, &k)) {
		c->before++;
		return 0;
	}
	if (c->columns == 0 && c->form == DP_CHART_JSON)
		e = take_names(c, &k, true);
	else if (c->columns == 0 && is_header(c, &k))
		return take_names(c, &k, false);
	if (e != 0)
		return e;
	if (c->columns != 0 && k.n != c->columns)
		return dp_chart_refuse(c, "%u columns, where there were %u", k.n, c->columns);
	if (c->declared && c->seen == 0 && is_heading(c, &k)) {
		c->heading = false;
		return 0;
	}
	if (!c->declared && c->seen == 0 && (e = take_kinds(c, &k)) != 0)
		return e;
	if ((e = parse(c, &k, v)) != 0 || (e = keep(c, v)) != 0)
		return e;
	c->steps.even = (c->seen == 0 || c->steps.even) && goes_on(c, v);
	if (c->seen == 1)
		c->steps.by = v[0] - c->last[0];
	for (i = 0; i + 2 < c->columns; i++) {
		c->column[i].band &= !(v[i + 1] > v[i] || v[i] > v[i + 2]);
		c->column[i].sides += equal_sides(v + i);
	}
	if (c->seen++ == 0)
		memcpy(c->first, v, sizeof v);
	memcpy(c->last, v, sizeof v);
	return 0;
}

size_t
dp_chart_drawn(const struct dp_chart *c)
{
	return c->rows + (c->seen > 0 && (c->seen - 1) % c->stride != 0);
}

const double *
dp_chart_row(const struct dp_chart *c, size_t i)
{
	return i < c->rows ? c->cell + i * c->columns : c->last;
}

/*
 * A line of any form, cut into fields.
 */

#define VALUE_MAX	1e100		/* no sum of values overflows */
#define NUMBER_MAX	400	/* bytes of a number */
#define DEPTH	3		/* of JSON: no tool prints more */

/* Sets why; returns DP_ESYNTAX. */
static int
dp_chart_refuse(struct dp_chart *c, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(c->why, sizeof c->why, format, ap);
	va_end(ap);
	return DP_ESYNTAX;
}

/* A field as a number, or as a time; false: it is none. */
/* [+-]DIGITS[.DIGITS][e[+-]DIGITS]: what strtold(3) takes beyond is no number here. */
static bool
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

/* A field as a number, or as a time; false: it is none. */
/* ISO 8601, with at least a day. */
static bool
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
		return dp_chart_refuse(c, "a member that is neither a number nor a name");
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
		if (strcmp(key, "interval") == 0 && json_object_is_type(v, json_type_string))
			c->line.sampled |= strcmp(json_object_get_string(v),
			    DP_CHART_SAMPLED) == 0;
		else if (e == 0)
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

/* Cuts a line by the chart's form, which the first line decides.  Errors: dp_chart_line()'s. */
static int
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
