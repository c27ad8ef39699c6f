/*
 * look.c - a table's columns: what is drawn of them, and against what.
 */
#include <math.h>
#include <string.h>

#include "chart.h"

#define BARS	120	/* rows of a chart of bars, at most */

static bool
is_named(const struct dp_chart *c, int i, const char *prefix, const char *suffix)
{
	const char *name;
	size_t n = strlen(prefix);

	if (i < 0 || (unsigned)i >= c->columns || (name = c->column[i].name) == NULL)
		return false;
	return strncmp(name, prefix, n) == 0 && strcmp(name + n, suffix) == 0;
}

/* The column that is the low or high end of column i's band; -1: none. */
static int
end_of(const struct dp_chart *c, unsigned i, const char *suffix)
{
	const enum dp_chart_part part = suffix[1] == 'l' ? DP_CHART_IS_LOW : DP_CHART_IS_HIGH;
	unsigned j;

	for (j = i + 1; j < c->columns; j++)
		if (c->declared && c->column[j].part != part)
			continue;
		else if (is_named(c, (int)j, c->column[i].name, suffix) ||
		    (is_named(c, (int)i, "estimate", "") && is_named(c, (int)j, "", suffix + 1)))
			return (int)j;
	return -1;
}

/* Without names: whether all columns from i on are threes with a band. */
static bool
all_bands(const struct dp_chart *c, unsigned i)
{
	if ((c->columns - i) % 3 != 0)
		return false;
	for (; i < c->columns; i += 3)
		if (!c->column[i].band || c->column[i].sides * 2 < c->seen)
			return false;
	return true;
}

static void
look_series(const struct dp_chart *c, struct dp_chart_view *v, unsigned i)
{
	bool bands = !c->named && all_bands(c, i), end[DP_CHART_COLUMNS_MAX] = { false };
	int lo, hi;

	for (v->series = 0; i < c->columns; i++) {
		if (end[i] || (c->declared ? c->column[i].part == DP_CHART_IS_OTHER :
		    c->named && is_named(c, (int)i, "certain", "")))
			continue;
		lo = c->named ? end_of(c, i, "_lo") : bands ? (int)i + 1 : -1;
		hi = c->named ? end_of(c, i, "_hi") : bands ? (int)i + 2 : -1;
		if (lo < 0 || hi < 0)
			lo = hi = -1;
		else
			end[lo] = end[hi] = true;
		v->at[v->series].est = i;
		v->at[v->series].lo = lo;
		v->at[v->series++].hi = hi;
	}
}

/* The first column is a step: by its name, or as it has gone up. */
static bool
is_step(const struct dp_chart *c)
{
	if (c->named || c->columns < 2)
		return c->columns > 1 && is_named(c, 0, "step", "");
	return c->steps.even && !all_bands(c, 0) &&
	    (c->seen < 2 || c->steps.by > 0 || c->column[1].kind != DP_CHART_NUMBER);
}

/*
 * The least distance of two rows in column x, if all are days or more apart and there are few
 * enough to be told apart; else 0.  Rows of several names at one time are no bars.
 */
static double
daily(const struct dp_chart *c, int x)
{
	const size_t n = dp_chart_drawn(c);
	double least = INFINITY, gap;
	size_t i;

	for (i = 1; i < n; i++) {
		gap = dp_chart_row(c, i)[x] - dp_chart_row(c, i - 1)[x];
		least = gap < least ? gap : least;
	}
	/* a day may have 23 hours */
	return n > 1 && n <= BARS && least >= 23 * 3600 ? least : 0;
}

/* Column i is of that part, or, where none was declared, looks so. */
static bool
is_part(const struct dp_chart *c, unsigned i, enum dp_chart_part part, bool looks)
{
	return i < c->columns && (c->declared ? c->column[i].part == part : looks);
}

void
dp_chart_look(const struct dp_chart *c, struct dp_chart_view *v)
{
	const struct dp_chart_column *col = c->column;
	unsigned i = 0;
	bool still;

	*v = (struct dp_chart_view){ .axis = DP_CHART_ROW, .x = -1, .choice = -1 };
	if (is_part(c, 0, DP_CHART_IS_STEP, is_step(c))) {
		v->axis = DP_CHART_STEP;
		v->x = (int)i++;
	}
	if (is_part(c, i, DP_CHART_IS_TIME, col[i].kind == DP_CHART_TIME)) {
		v->axis = DP_CHART_DATE;
		v->x = (int)i++;
	}
	if (i < c->columns && col[i].kind == DP_CHART_TEXT)
		v->choice = (int)i++;
	look_series(c, v, i);
	still = v->x < 0 || c->first[v->x] == c->last[v->x];
	if (v->choice >= 0 && v->series > 0 && still && is_part(c, (unsigned)v->choice,
	    DP_CHART_IS_NAME, c->words.n == c->seen))
		v->axis = DP_CHART_NAME;
	if (v->axis == DP_CHART_NAME)
		v->bar = 1;
	else if (v->axis == DP_CHART_DATE && v->choice < 0 && v->series == 1)
		v->bar = daily(c, v->x);
}
