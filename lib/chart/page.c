/* page.c - a page in one file, and the rows behind its picture. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/when.h"
#include "internal.h"

static void dp_picture_numbers(struct dp_buf *, const struct dp_picture *);

/*
 * A page in one file, free of scripts and of anything to fetch.
 */

#define END	"</main>\n</body>\n</html>\n"	/* of a page; a chart is added before it */

/* Of a page with several charts, before its end: each guarantee is of one run. */
static const char together[] =
    "<p class=\"together\">Each of these charts has the guarantee of its own run. Where several "
    "runs have read the same data, what they lose adds up: the factors on the odds multiply, and "
    "the chances that they do not hold add.</p>\n";

static const char near[] = "Names with nearly equal numbers change places by the noise alone.";

void
dp_picture_html(struct dp_buf *b, const char *s)
{
	const char *e = s + strlen(s), *instead;
	size_t n;

	for (; s < e; s += n) {
		instead = dp_text_shown(s, e, &n);
		switch (*s) {
		case '&':
			dp_buf_puts(b, "&amp;");
			break;
		case '<':
			dp_buf_puts(b, "&lt;");
			break;
		case '>':
			dp_buf_puts(b, "&gt;");
			break;
		case '"':
			dp_buf_puts(b, "&quot;");
			break;
		case '\n':
			dp_buf_puts(b, "\n");
			break;
		default:
			dp_buf_add(b, instead != NULL ? instead : s, instead != NULL ? 1 : n);
		}
	}
}

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" "
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

static const char style[] =
    "body{font:16px/1.5 system-ui,\"DejaVu Sans\",Arial,sans-serif;color:var(--ink);"
    "background:var(--ground);margin:0}\n"
    "main{max-width:56rem;margin:0 auto;padding:2rem 1rem 4rem}\n"
    "h1,h2{font-size:1.5rem;line-height:1.25;margin:0 0 .3rem;overflow-wrap:anywhere}\n"
    "h2{font-size:1.2rem}\n"
    "section+section{margin-top:3rem}\n"
    "figure{margin:1rem 0}\n"
    "p{overflow-wrap:anywhere}\n"
    ".sub,.made{color:var(--soft);font-size:.9rem;margin:0 0 .6rem}\n"
    ".warning{color:var(--bad);font-weight:600}\n"
    ".chart,.numbers{overflow-x:auto}\n"
    "svg{display:block;width:100%;height:auto}\n"
    ".narrow{display:none}\n"
    "@media screen and (max-width:37em){.wide{display:none}.narrow{display:block}}\n"
    "figcaption{border-left:3px solid var(--s0);padding:.2em 1em;margin:1rem 0;"
    "white-space:pre-line;overflow-wrap:anywhere;font-size:.9rem}\n"
    "summary{cursor:pointer}\n"
    "pre{overflow-x:auto;font-size:13px}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.1em .8em;border-bottom:1px solid var(--grid);text-align:right}\n"
    "th:first-child,td:first-child{text-align:left}\n"
    ".together{border-top:1px solid var(--grid);margin-top:2em;padding-top:1em}\n"
    "a{color:var(--s0)}\n"
    "@media print{main{max-width:none;padding:0}section{break-inside:avoid}}\n"
    "</style>\n";

static const char *
title_of(const struct dp_picture *p)
{
	return p->words.title == NULL ? "Private estimates" : p->words.title;
}

static void
paragraph(struct dp_buf *b, const char *class, const char *before, const char *s)
{
	if (s == NULL)
		return;
	dp_buf_puts(b, class);
	dp_buf_puts(b, before);
	dp_picture_html(b, s);
	dp_buf_puts(b, "</p>\n");
}

static void
chart(struct dp_buf *b, struct dp_slice svg, const char *class)
{
	if (svg.n == 0)
		return;
	dp_buf_puts(b, "<div class=\"");
	dp_buf_puts(b, class);
	dp_buf_puts(b, "\">\n");
	dp_buf_add(b, svg.p, svg.n);
	dp_buf_puts(b, "</div>\n");
}

/* What is drawn, in words. */
static void
sub(struct dp_buf *b, const struct dp_figure *f)
{
	struct dp_buf said = { .p = NULL };

	dp_figure_words(&said, f, DP_FIGURE_WHISKERS);
	dp_buf_add(&said, "", 1);
	if (said.error != 0)
		b->error = said.error;
	else
		paragraph(b, "<p class=\"sub\">", "", said.p);
	dp_buf_free(&said);
}

/* A chart with all that is said of it. */
static void
section(struct dp_buf *b, const struct dp_figure *f, struct dp_slice svg,
    struct dp_slice narrow, const char *more, const char *heading)
{
	const struct dp_picture *p = f->p;

	dp_buf_puts(b, "<section>\n<");
	dp_buf_puts(b, heading);
	dp_buf_puts(b, ">");
	dp_picture_html(b, title_of(p));
	dp_buf_puts(b, "</");
	dp_buf_puts(b, heading);
	dp_buf_puts(b, ">\n");
	sub(b, f);
	paragraph(b, "<p>", "", p->words.plainly);
	paragraph(b, "<p>", "", p->ranked ? near : NULL);
	dp_buf_puts(b, "<figure>\n");
	chart(b, svg, narrow.n == 0 ? "chart" : "chart wide");
	chart(b, narrow, "chart narrow");
	if (p->words.caption != NULL) {
		dp_buf_puts(b, "<figcaption>");
		dp_picture_html(b, p->words.caption);
		dp_buf_puts(b, "</figcaption>\n");
	}
	dp_buf_puts(b, "</figure>\n");
	dp_picture_numbers(b, p);
	if (more != NULL) {
		dp_buf_puts(b, "<details>\n<summary>Errors, mechanism, assumptions</summary>\n"
		    "<pre tabindex=\"0\">");
		dp_picture_html(b, more);
		dp_buf_puts(b, "</pre>\n</details>\n");
	}
	paragraph(b, "<p class=\"made\">", "Made on ", p->words.made);
	paragraph(b, "<p class=\"made\">", "By: ", p->words.command);
	dp_buf_puts(b, "</section>\n");
}

bool
dp_picture_is_page(struct dp_slice page)
{
	const size_t n = sizeof END - 1;

	return page.n > n + sizeof head && memcmp(page.p, head, sizeof head - 1) == 0 &&
	    memcmp(page.p + page.n - n, END, n) == 0;
}

void
dp_picture_page(struct dp_buf *b, const struct dp_figure *f, struct dp_slice svg,
    struct dp_slice narrow, const char *more, struct dp_slice before)
{
	if (before.n > 0) {
		before.n -= sizeof END - 1;
		if (before.n > sizeof together &&
		    memcmp(before.p + before.n - (sizeof together - 1), together,
		    sizeof together - 1) == 0)
			before.n -= sizeof together - 1;
		dp_buf_add(b, before.p, before.n);
		section(b, f, svg, narrow, more, "h2");
		dp_buf_puts(b, together);
		dp_buf_puts(b, END);
		return;
	}
	dp_buf_puts(b, head);
	dp_buf_puts(b, "<title>");
	dp_picture_html(b, title_of(f->p));
	dp_buf_puts(b, "</title>\n<style>\n");
	dp_svg_style(b);
	dp_buf_puts(b, style);
	dp_buf_puts(b, "</head>\n<body>\n<main>\n");
	section(b, f, svg, narrow, more, "h1");
	dp_buf_puts(b, END);
}

/*
 * The rows behind a picture, for readers and programs: a table of HTML, and CSV.
 */

#define CELL	64

/* Seconds since 1970 in the zone of the first row, with its offset. */
static void
put_time_numbers(char cell[static CELL], double at, int zone)
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
		put_time_numbers(cell, value, c->zone);
	else if (!isnan(value))
		snprintf(cell, CELL, "%.15g", value);
	return cell;
}

static const char *
name_of_numbers(const struct dp_chart *c, const struct dp_chart_view *v, unsigned i,
    char cell[static CELL])
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
field_numbers(struct dp_buf *b, const char *s, bool name)
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
		field_numbers(b, name_of_numbers(c, v, i, cell), true);
	}
	for (n = 0; n < dp_chart_drawn(c); n++) {
		row = dp_chart_row(c, n);
		dp_buf_puts(b, "%0A");
		for (i = 0; i < c->columns; i++) {
			dp_buf_puts(b, i == 0 ? "" : ",");
			field_numbers(b, cell_text(c, v, i, row[i], cell),
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
		dp_picture_html(b, name_of_numbers(c, v, i, cell));
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

/* The rows that are drawn, as a table of HTML, and as CSV that a link downloads. */
static void
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
