/*
 * numbers.c - the rows behind a picture, for readers and programs: a table of HTML, and CSV.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart.h"
#include "stream/when.h"

#define CELL	64

/* Seconds since 1970 in the zone of the first row, with its offset. */
static void
put_time(char cell[static CELL], double at, int zone)
{
	char text[DP_WHEN_TEXT + 1] = "";
	char *end = dp_when_put(text, (int64_t)at + zone, NULL);

	*end = '\0';
	if (zone != 0 && end > text && end[-1] == 'Z')
		end[-1] = '\0';
	snprintf(cell, CELL, zone == 0 ? "%s" : "%s%+03d:%02d", text, zone / 3600,
	    (zone < 0 ? -zone : zone) / 60 % 60);
}

/* A cell as text: its own memory, or the chart's. */
static const char *
cell_text(const struct dp_chart *c, const struct dp_chart_view *v, unsigned i, double value,
    char cell[static CELL])
{
	*cell = '\0';
	if (c->column[i].kind == DP_CHART_TEXT)
		return c->words.text[(size_t)value];
	if (c->column[i].kind == DP_CHART_TIME || (v->axis == DP_CHART_DATE && (int)i == v->x))
		put_time(cell, value, c->zone);
	else if (!isnan(value))
		snprintf(cell, CELL, "%.15g", value);
	return cell;
}

static const char *
name_of(const struct dp_chart *c, const struct dp_chart_view *v, unsigned i, char cell[static CELL])
{
	static const char *const axis[] = { [DP_CHART_ROW] = "", [DP_CHART_STEP] = "step",
	    [DP_CHART_DATE] = "time", [DP_CHART_NAME] = "name" };
	unsigned k;

	if (c->column[i].name != NULL && *c->column[i].name != '\0')
		return c->column[i].name;
	if ((int)i == v->x)
		return axis[v->axis];
	if ((int)i == v->choice)
		return "name";
	for (k = 0; k < v->series; k++)
		if ((int)i == v->at[k].lo || (int)i == v->at[k].hi)
			return (int)i == v->at[k].lo ? "lo" : "hi";
	if (v->series == 1)
		return "estimate";
	snprintf(cell, CELL, "column %u", i + 1);
	return cell;
}

/*
 * A field of CSV in a link: quoted, and every byte that is not plain by its number.  A name that a
 * spreadsheet would take for a formula has an apostrophe before it; the page is a stranger's.
 */
static void
field(struct dp_buf *b, const char *s, bool name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789.-_";
	const bool formula = name && *s != '\0' && strchr("=+-@\t\r", *s) != NULL;
	const bool quoted = formula || strpbrk(s, ",\"\n\r") != NULL;
	char byte[4];

	if (quoted)
		dp_buf_puts(b, formula ? "%22%27" : "%22");
	for (; *s != '\0'; s++)
		if (strchr(plain, *s) != NULL) {
			dp_buf_add(b, s, 1);
		} else {
			snprintf(byte, sizeof byte, "%%%02X", (unsigned char)*s);
			dp_buf_puts(b, byte);
			if (*s == '"')
				dp_buf_puts(b, byte);
		}
	if (quoted)
		dp_buf_puts(b, "%22");
}

static void
csv(struct dp_buf *b, const struct dp_chart *c, const struct dp_chart_view *v)
{
	char cell[CELL];
	const double *row;
	unsigned i;
	size_t n;

	for (i = 0; i < c->columns; i++) {
		dp_buf_puts(b, i == 0 ? "" : ",");
		field(b, name_of(c, v, i, cell), true);
	}
	for (n = 0; n < dp_chart_drawn(c); n++) {
		row = dp_chart_row(c, n);
		dp_buf_puts(b, "%0A");
		for (i = 0; i < c->columns; i++) {
			dp_buf_puts(b, i == 0 ? "" : ",");
			field(b, cell_text(c, v, i, row[i], cell),
			    c->column[i].kind == DP_CHART_TEXT);
		}
	}
	dp_buf_puts(b, "%0A");
}

static void
table(struct dp_buf *b, const struct dp_chart *c, const struct dp_chart_view *v)
{
	char cell[CELL];
	const double *row;
	unsigned i;
	size_t n;

	dp_buf_puts(b, "<table>\n<thead><tr>");
	for (i = 0; i < c->columns; i++) {
		dp_buf_puts(b, "<th scope=\"col\">");
		dp_picture_html(b, name_of(c, v, i, cell));
		dp_buf_puts(b, "</th>");
	}
	dp_buf_puts(b, "</tr></thead>\n<tbody>\n");
	for (n = 0; n < dp_chart_drawn(c); n++) {
		row = dp_chart_row(c, n);
		dp_buf_puts(b, "<tr>");
		for (i = 0; i < c->columns; i++) {
			dp_buf_puts(b, "<td>");
			dp_picture_html(b, cell_text(c, v, i, row[i], cell));
			dp_buf_puts(b, "</td>");
		}
		dp_buf_puts(b, "</tr>\n");
	}
	dp_buf_puts(b, "</tbody>\n</table>\n");
}

void
dp_picture_numbers(struct dp_buf *b, const struct dp_picture *p)
{
	const struct dp_chart *c = p->numbers != NULL ? p->numbers : p->data;
	struct dp_chart_view v;

	dp_chart_look(c, &v);
	dp_buf_puts(b, "<details>\n<summary>The numbers</summary>\n<p><a download=\"numbers.csv\" "
	    "href=\"data:text/csv;charset=utf-8,");
	csv(b, c, &v);
	dp_buf_puts(b, "\">as CSV</a></p>\n<div class=\"numbers\" role=\"group\" tabindex=\"0\" "
	    "aria-label=\"the numbers\">\n");
	table(b, c, &v);
	dp_buf_puts(b, "</div>\n</details>\n");
}
