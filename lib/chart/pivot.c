/*
 * pivot.c - rows of several names at one time, to columns: a series for each of the largest names.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"

#define SERIES	8	/* names that have a column; more colours nobody tells apart */

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
	if (c->declared)
		return c->column[v.choice].part == DP_CHART_IS_NAME;
	for (i = 1; i < dp_chart_drawn(c); i++)
		if (dp_chart_row(c, i)[v.x] == dp_chart_row(c, i - 1)[v.x])
			return true;
	return false;
}

/* The names with the largest estimates anywhere, the largest first; returns how many. */
static unsigned
largest(const struct dp_chart *c, const struct dp_chart_view *v, const char *name[static SERIES])
{
	double best[SERIES], *most = calloc(c->words.n, sizeof *most), e;
	unsigned n = 0, k;
	size_t i, text;

	for (i = 0; most != NULL && i < c->words.n; i++)
		most[i] = -INFINITY;
	for (i = 0; most != NULL && i < dp_chart_drawn(c); i++) {
		text = (size_t)dp_chart_row(c, i)[v->choice];
		e = dp_chart_row(c, i)[v->at[0].est];
		most[text] = e > most[text] ? e : most[text];
	}
	for (i = 0; most != NULL && i < c->words.n; i++) {
		for (k = n < SERIES ? n++ : SERIES; k > 0 && most[i] > best[k - 1]; k--)
			if (k < SERIES) {
				best[k] = best[k - 1];
				name[k] = name[k - 1];
			}
		if (k < SERIES) {
			best[k] = most[i];
			name[k] = c->words.text[i];
		}
	}
	free(most);
	return n;
}

static int
declare(struct dp_chart *to, const char *name, const char *suffix, enum dp_chart_part part)
{
	struct dp_buf b = { .p = NULL };
	int e;

	dp_buf_puts(&b, name);
	dp_buf_puts(&b, suffix);
	dp_buf_add(&b, "", 1);
	e = b.error != 0 ? b.error : dp_chart_declare(to, b.p, part);
	dp_buf_free(&b);
	return e;
}

/* The columns of the names, and a row for each time. */
static int
columns(struct dp_chart *to, const struct dp_chart *c, const struct dp_chart_view *v,
    const char *const *name, unsigned n)
{
	const bool time = v->axis == DP_CHART_DATE, band = v->at[0].lo >= 0;
	unsigned k;
	int e = dp_chart_declare(to, time ? "time" : "step",
	    time ? DP_CHART_IS_TIME : DP_CHART_IS_STEP);

	for (k = 0; e == 0 && k < n; k++) {
		e = declare(to, name[k], "", DP_CHART_IS_ESTIMATE);
		if (e == 0 && band)
			e = declare(to, name[k], "_lo", DP_CHART_IS_LOW);
		if (e == 0 && band)
			e = declare(to, name[k], "_hi", DP_CHART_IS_HIGH);
	}
	if (e == 0)
		to->cell = calloc(dp_chart_drawn(c) * to->columns, sizeof *to->cell);
	return e != 0 ? e : to->cell == NULL ? DP_ENOMEM : 0;
}

static void
rows(struct dp_chart *to, const struct dp_chart *c, const struct dp_chart_view *v,
    const char *const *name, unsigned n)
{
	const unsigned width = v->at[0].lo >= 0 ? 3 : 1;
	const double *from;
	double *row = NULL;
	unsigned k, j;
	size_t i;

	for (i = 0; i < dp_chart_drawn(c); i++) {
		from = dp_chart_row(c, i);
		if (row == NULL || row[0] != from[v->x]) {
			row = to->cell + to->rows++ * to->columns;
			row[0] = from[v->x];
			for (j = 1; j < to->columns; j++)
				row[j] = NAN;
		}
		for (k = 0; k < n; k++)
			if (strcmp(name[k], c->words.text[(size_t)from[v->choice]]) == 0)
				break;
		if (k == n)
			continue;
		row[1 + k * width] = from[v->at[0].est];
		if (width == 3) {
			row[2 + k * width] = from[v->at[0].lo];
			row[3 + k * width] = from[v->at[0].hi];
		}
	}
	to->seen = to->rows;
	to->stride = 1;
	memcpy(to->first, to->cell, to->columns * sizeof *to->first);
	memcpy(to->last, to->cell + (to->rows - 1) * to->columns,
	    to->columns * sizeof *to->last);
}

int
dp_chart_pivot(struct dp_chart *to, const struct dp_chart *c, const struct dp_chart *like)
{
	const char *name[SERIES] = { NULL };
	struct dp_chart_view v;
	unsigned n = 0, i;
	int e;

	dp_chart_free(to);
	*to = (struct dp_chart){ .zone = c->zone, .form = c->form };
	memcpy(to->row, c->row, sizeof to->row);
	dp_chart_look(c, &v);
	if (like == NULL)
		n = largest(c, &v, name);
	for (i = 0; like != NULL && i < like->columns && n < SERIES; i++)
		if (like->column[i].part == DP_CHART_IS_ESTIMATE)
			name[n++] = like->column[i].name;
	if (n == 0)
		return DP_ENOMEM;
	if ((e = columns(to, c, &v, name, n)) == 0)
		rows(to, c, &v, name, n);
	return e;
}
