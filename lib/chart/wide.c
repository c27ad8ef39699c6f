/* SPDX-License-Identifier: ISC */
/*
 * wide.c - rows of several names at one time, to columns: a series for each of the largest names,
 * or for the places of those that are first at last; and the last of such rows, to bars.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "internal.h"

#define PLACES	8	/* names that have a column; more colours nobody tells apart */

/* Number of one name at one time. */
struct entry {
	const char *name;
	double x, est, lo, hi;		/* lo, hi: if there are intervals */
};

struct entries {
	struct entry *at;
	size_t n;
	bool band;			/* there are intervals */
	char **plain;			/* -o long: names without what they all share */
	size_t plains;
	char column[DP_CHART_COLUMNS_MAX][16];	/* what those are called that have no name */
};

/* Subject of a column's numbers. */
static const char *
name_of_wide(struct entries *all, const struct dp_chart *c, unsigned i)
{
	if (c->column[i].name != NULL)
		return c->column[i].name;
	snprintf(all->column[i], sizeof all->column[i], "column %u", i + 1);
	return all->column[i];
}

/* The mark between key and statistic, or the end. */
static char *
mark(const char *s)
{
	return (char *)(uintptr_t)s + strcspn(s, (const char []){ DP_TIDY, '\0' });
}

/* -o long: of keys and statistics only what differs.  DP_ENOMEM. */
static int
take_plain(struct entries *all, const struct dp_chart *c)
{
	bool keys = false, statistics = false;
	size_t i;
	char *at;

	if ((all->plain = calloc(c->words.n + 1, sizeof *all->plain)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < c->words.n; i++) {
		keys |= c->words.text[i][0] != DP_TIDY;
		statistics |= strcmp(mark(c->words.text[i]), mark(c->words.text[0])) != 0;
	}
	for (; all->plains < c->words.n; all->plains++) {
		if ((all->plain[all->plains] = at = strdup(c->words.text[all->plains])) == NULL)
			return DP_ENOMEM;
		if (*(at = mark(at)) == '\0')
			continue;
		*at = keys && !statistics ? '\0' : ' ';
		if (at == all->plain[all->plains])
			memmove(at, at + 1, strlen(at + 1) + 1);
	}
	return 0;
}

static const char *
plain_name(const struct entries *all, const struct dp_chart *c, double text)
{
	return (all->plain != NULL ? all->plain : c->words.text)[(size_t)text];
}

static void
forget(struct entries *all)
{
	while (all->plain != NULL && all->plains > 0)
		free(all->plain[--all->plains]);
	free(all->plain);
	free(all->at);
}

/* Entries of a long chart, or of one with a column for each name; in the order of time. */
static int
take_wide(struct entries *all, const struct dp_chart *c, const struct dp_chart_view *v, bool gaps)
{
	const bool wide = v->choice < 0;
	const unsigned each = wide ? v->series : 1;
	const double *row;
	unsigned k;
	size_t i;

	all->band = v->at[0].lo >= 0;
	if ((all->at = calloc(dp_chart_drawn(c) * each, sizeof *all->at)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < dp_chart_drawn(c); i++) {
		row = dp_chart_row(c, i);
		for (k = 0; k < each; k++)
			if (gaps || !isnan(row[v->at[k].est]))
				all->at[all->n++] = (struct entry){
				    .name = wide ? name_of_wide(all, c, v->at[k].est) :
				    plain_name(all, c, row[v->choice]),
				    .x = v->x < 0 ? (double)(c->before + i * c->stride + 1) :
				    row[v->x], .est = row[v->at[k].est],
				    .lo = v->at[k].lo < 0 ? NAN : row[v->at[k].lo],
				    .hi = v->at[k].hi < 0 ? NAN : row[v->at[k].hi] };
	}
	return 0;
}

/* Past the last entry of the time of entry i. */
static size_t
end_of_wide(const struct entries *all, size_t i)
{
	const double x = all->at[i].x;

	while (i < all->n && all->at[i].x == x)
		i++;
	return i;
}

/* The first entry of the last time. */
static size_t
last(const struct entries *all)
{
	size_t from = 0;

	while (end_of_wide(all, from) < all->n)
		from = end_of_wide(all, from);
	return from;
}

/* Place of entry i among those of its time, [from,to): of equal ones the first comes first. */
static unsigned
place_wide(const struct entries *all, size_t from, size_t to, size_t i)
{
	unsigned above = 0;
	size_t k;

	for (k = from; k < to && above < PLACES; k++)
		above += all->at[k].est > all->at[i].est ||
		    (all->at[k].est == all->at[i].est && k < i);
	return above + 1;
}

/* The names with the largest estimates from an entry on, the largest first; returns how many. */
static unsigned
largest(const struct entries *all, size_t from, const char *name[static PLACES])
{
	double most[PLACES], est;
	unsigned n = 0, k;
	size_t i;

	for (i = from; i < all->n; i++) {
		est = isnan(all->at[i].est) ? -INFINITY : all->at[i].est;
		for (k = 0; k < n && strcmp(name[k], all->at[i].name) != 0; k++)
			;
		if (k < n ? est <= most[k] : n == PLACES && est <= most[--k])
			continue;
		n += k == n;
		for (; k > 0 && est > most[k - 1]; k--) {
			most[k] = most[k - 1];
			name[k] = name[k - 1];
		}
		most[k] = est;
		name[k] = all->at[i].name;
	}
	return n;
}

/* A column of one part of a name's numbers. */
static int
declare_wide(struct dp_chart *to, const char *name, const char *suffix, enum dp_chart_part part)
{
	char *both;
	int e;

	if (asprintf(&both, "%s%s", name, suffix) < 0)
		return DP_ENOMEM;
	e = dp_chart_declare(to, both, part);
	free(both);
	return e;
}

/* The time, and for each name its estimate and ends; or its place, and the estimate besides. */
static int
columns(struct dp_chart *to, const struct dp_chart_view *v, const char *const *name, unsigned n,
    bool ranked)
{
	const bool time = v->axis == DP_CHART_DATE, band = !ranked && v->at[0].lo >= 0;
	unsigned k;
	int e = dp_chart_declare(to, time ? "time" : "step",
	    time ? DP_CHART_IS_TIME : DP_CHART_IS_STEP);

	for (k = 0; e == 0 && k < n; k++) {
		e = declare_wide(to, name[k], "", DP_CHART_IS_ESTIMATE);
		if (e == 0 && ranked)
			e = declare_wide(to, name[k], "", DP_CHART_IS_OTHER);
		if (e == 0 && band && (e = declare_wide(to, name[k], "_lo", DP_CHART_IS_LOW)) == 0)
			e = declare_wide(to, name[k], "_hi", DP_CHART_IS_HIGH);
	}
	return e;
}

/* Entry i of those of its time, [from,to), in the cells of its name. */
static void
put(double *cell, const struct entries *all, size_t from, size_t to, size_t i, bool ranked)
{
	const struct entry *x = &all->at[i];
	const unsigned at = ranked ? place_wide(all, from, to, i) : 0;

	if (ranked && at <= PLACES) {
		cell[0] = at;
		cell[1] = x->est;
	} else if (!ranked) {
		cell[0] = x->est;
		if (all->band) {
			cell[1] = x->lo;
			cell[2] = x->hi;
		}
	}
}

static void
row(struct dp_chart *to, const struct entries *all, size_t from, size_t end, unsigned width,
    bool ranked)
{
	double *cell = to->cell + to->rows++ * to->columns;
	size_t i;
	unsigned k;

	cell[0] = all->at[from].x;
	for (k = 1; k < to->columns; k++)
		cell[k] = NAN;
	for (i = from; i < end; i++)
		for (k = 1; k < to->columns; k += width)
			if (strcmp(to->column[k].name, all->at[i].name) == 0)
				put(cell + k, all, from, end, i, ranked);
}

static int
rows(struct dp_chart *to, const struct entries *all, bool ranked)
{
	const unsigned width = ranked ? 2 : all->band ? 3 : 1;
	size_t i, times = 0;

	for (i = 0; i < all->n; i = end_of_wide(all, i))
		times++;
	if ((to->cell = calloc(times * to->columns, sizeof *to->cell)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < all->n; i = end_of_wide(all, i))
		row(to, all, i, end_of_wide(all, i), width, ranked);
	to->seen = to->rows;
	to->stride = 1;
	memcpy(to->first, to->cell, to->columns * sizeof *to->first);
	memcpy(to->last, to->cell + (to->rows - 1) * to->columns,
	    to->columns * sizeof *to->last);
	return 0;
}

/* An empty chart, and the entries of c.  DP_ERANGE: there are none. */
static int
begin(struct dp_chart *to, struct entries *all, const struct dp_chart *c, struct dp_chart_view *v,
    bool gaps)
{
	int e;

	*all = (struct entries){ .n = 0 };
	dp_chart_free(to);
	*to = (struct dp_chart){ .zone = c->zone, .form = c->form };
	memcpy(to->row, c->row, sizeof to->row);
	dp_chart_look(c, v);
	e = c->line.tidy == 0 ? 0 : take_plain(all, c);
	if (e == 0)
		e = take_wide(all, c, v, gaps);
	return e == 0 && all->n == 0 ? DP_ERANGE : e;
}

int
dp_chart_pivot(struct dp_chart *to, const struct dp_chart *c, const struct dp_chart *like,
    bool ranked)
{
	const char *name[PLACES] = { NULL };
	struct dp_chart_view v;
	struct entries all;
	unsigned n = 0, i;
	int e = begin(to, &all, c, &v, !ranked);

	if (e == 0 && like == NULL)
		n = largest(&all, ranked ? last(&all) : 0, name);
	for (i = 0; like != NULL && i < like->columns && n < PLACES; i++)
		if (like->column[i].part == DP_CHART_IS_ESTIMATE)
			name[n++] = like->column[i].name;
	if (e == 0)
		e = columns(to, &v, name, n, ranked);
	if (e == 0)
		e = rows(to, &all, ranked);
	forget(&all);
	return e;
}

static int
descending(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (isnan(x->est) != isnan(y->est))
		return isnan(x->est) ? 1 : -1;
	if (x->est != y->est && !isnan(x->est))
		return x->est < y->est ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* A row for each of n entries. */
static int
bars_wide(struct dp_chart *to, const struct entry *at, size_t n, bool band)
{
	int e = dp_chart_declare(to, "name", DP_CHART_IS_NAME);
	double *cell;
	size_t i;

	if (e == 0)
		e = dp_chart_declare(to, "estimate", DP_CHART_IS_ESTIMATE);
	if (e == 0 && band && (e = dp_chart_declare(to, "lo", DP_CHART_IS_LOW)) == 0)
		e = dp_chart_declare(to, "hi", DP_CHART_IS_HIGH);
	if (e == 0 && ((to->cell = calloc(n * to->columns, sizeof *to->cell)) == NULL ||
	    (to->words.text = calloc(n, sizeof *to->words.text)) == NULL))
		e = DP_ENOMEM;
	for (i = 0; e == 0 && i < n; i++) {
		cell = to->cell + i * to->columns;
		cell[0] = (double)i;
		cell[1] = at[i].est;
		if (band) {
			cell[2] = at[i].lo;
			cell[3] = at[i].hi;
		}
		if ((to->words.text[i] = strdup(at[i].name)) == NULL)
			return DP_ENOMEM;
		to->words.n = to->rows = to->seen = i + 1;
	}
	to->stride = 1;
	return e;
}

int
dp_chart_last(struct dp_chart *to, const struct dp_chart *c, bool sorted)
{
	struct dp_chart_view v;
	struct entries all;
	size_t from;
	int e = begin(to, &all, c, &v, true);

	if (e == 0) {
		from = last(&all);
		if (sorted)
			qsort(all.at + from, all.n - from, sizeof *all.at, descending);
		e = bars_wide(to, all.at + from, all.n - from, v.at[0].lo >= 0);
	}
	forget(&all);
	return e;
}

bool
dp_chart_is_row(const struct dp_chart *c)
{
	struct dp_chart_view v;

	if (c->seen == 0)
		return false;
	dp_chart_look(c, &v);
	return c->line.tidy > 0 ? v.axis == DP_CHART_NAME : c->seen == 1 && v.choice < 0 &&
	    v.series > 1;
}

bool
dp_names_are_quantiles(char *const *name, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (name[i] == NULL || name[i][0] != 'p' || name[i][1] == '\0' ||
		    name[i][1 + strspn(name[i] + 1, "0123456789.")] != '\0')
			return false;
	return n > 0;
}

/* A number at s, and the place behind it; *unit: of its last digit.  false: there is none. */
static bool
bin_number(const char **s, double *v, double *unit)
{
	char text[32];
	const char *dots = strstr(*s, "..");
	const size_t n = dots == NULL ? strlen(*s) : (size_t)(dots - *s);
	const char *point = memchr(*s, '.', n);
	char *end;

	if (n == 0 || n >= sizeof text || strspn(*s, "+-.0123456789eE") < n)
		return false;
	memcpy(text, *s, n);
	text[n] = '\0';
	*v = (double)dp_real_read(text, &end);
	*unit = point == NULL ? 1 : pow(10, -(double)(n - (size_t)(point - *s) - 1));
	*s += n;
	return *end == '\0';
}

/* A..<B, A..B, A.., ..<B, A; whole numbers and A..B include their end. */
static bool
bin(const char *s, double *lo, double *hi, double *unit)
{
	const bool open = strncmp(s, "..", 2) == 0;

	*lo = *hi = NAN;
	if (!open && !bin_number(&s, lo, unit))
		return false;
	if (*s == '\0') {
		*hi = *lo + *unit;
		return true;
	}
	s += 2;
	if (*s == '\0')
		return !open;
	if (*s == '<') {
		s++;
		return bin_number(&s, hi, unit) && *s == '\0';
	}
	if (!bin_number(&s, hi, unit) || *s != '\0')
		return false;
	*hi += *unit;
	return true;
}

bool
dp_names_are_bins(char *const *name, size_t n, double *edge)
{
	double lo, hi, unit = 1, before = NAN;
	bool dots = n > 2, single = false;
	size_t i;

	for (i = 0; i < n; i++) {
		if (name[i] == NULL || !bin(name[i], &lo, &hi, &unit) ||
		    (i > 0 && !(fabs(lo - before) < unit / 2)) || (i + 1 < n && isnan(hi)) ||
		    lo >= hi)
			return false;
		dots |= strstr(name[i], "..") != NULL;
		single |= strstr(name[i], "..") == NULL;
		edge[i] = lo;
		edge[i + 1] = before = hi;
	}
	for (i = 0; single && i <= n; i++)	/* 3 is at 3, and has a half on each side */
		edge[i] -= unit / 2;
	return n > 1 && dots;
}

/* Quantiles, and the bins of a histogram. */
bool
dp_chart_has_order(const struct dp_chart *c)
{
	char *name[DP_CHART_COLUMNS_MAX];
	double edge[DP_CHART_COLUMNS_MAX + 1];
	struct dp_chart_view v;
	unsigned k;

	dp_chart_look(c, &v);
	if (c->line.tidy > 0)
		return true;
	for (k = 0; k < v.series; k++)
		name[k] = c->column[v.at[k].est].name;
	return dp_names_are_quantiles(name, k) || dp_names_are_bins(name, k, edge);
}

bool
dp_chart_is_long(const struct dp_chart *c)
{
	struct dp_chart_view v;
	size_t i;

	if (c->seen == 0)
		return false;
	dp_chart_look(c, &v);
	if (v.choice < 0 || v.series == 0 || v.x < 0 || c->first[v.x] == c->last[v.x])
		return false;
	if (c->declared || c->line.tidy > 0)
		return c->line.tidy > 0 || c->column[v.choice].part == DP_CHART_IS_NAME;
	for (i = 1; i < dp_chart_drawn(c); i++)
		if (dp_chart_row(c, i)[v.x] == dp_chart_row(c, i - 1)[v.x])
			return true;
	return false;
}
