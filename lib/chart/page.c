/* SPDX-License-Identifier: ISC */
/* page.c - a page in one file, and the rows behind its picture. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "internal.h"

static void dp_picture_numbers(struct dp_buf *, const struct dp_figure *);

/*
 * A page in one file, free of scripts and of anything to fetch.
 */

#define END	"</main>\n</body>\n</html>\n"

/* Where a chart that is added goes: its figure, its drawing, its guarantee.  No text has a `<'. */
static const char tiles[] = "<!--tiles-->\n", charts[] = "<!--charts-->\n",
    guarantees[] = "<!--guarantees-->\n";

/* At the top, as long as it is true of all charts. */
static const char lay[] =
    "<p class=\"lay\">Random noise was added to every number on this page, to protect those whom "
    "the data are about: <a href=\"#private\">how private is it?</a></p>\n";

static const char reading[] =
    "<details>\n<summary>How to read this</summary>\n<p>Bars, lines and large numbers are "
    "estimates: the true numbers, and some noise. The thin line or the band at an estimate shows "
    "where the true number is, with the probability that stands above the chart. Where two of "
    "them overlap, the true numbers may be the same.</p>\n</details>\n";

/* Of a page with several charts, before its end: each guarantee is of one run. */
static const char together[] =
    "<p class=\"together\">Each chart has the guarantee of its own run. Where several "
    "runs have read the same data, what they lose adds up: the factors on the odds multiply, and "
    "the small chances that a guarantee does not hold are added.</p>\n";

static const char near[] = "<p class=\"sub\">Names with nearly equal numbers change places by the "
    "noise alone.</p>\n";

void
dp_picture_html(struct dp_buf *b, const char *s)
{
	static const char *const entity[] = { ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;",
	    ['"'] = "&quot;", ['\n'] = "\n" };
	const char *e = s + strlen(s), *instead;
	size_t n;

	for (; s < e; s += n) {
		const unsigned char c = (unsigned char)*s;

		instead = dp_text_shown(s, e, &n);
		if (c < sizeof entity / sizeof *entity && entity[c] != NULL)
			dp_buf_puts(b, entity[c]);
		else
			dp_buf_add(b, instead != NULL ? instead : s, instead != NULL ? 1 : n);
	}
}

void
dp_html(struct dp_buf *b, const char *format, ...)
{
	const size_t before = b->n;
	const char *s, *text;
	va_list ap;

	va_start(ap, format);
	for (; (s = strchr(format, '%')) != NULL; format = s + 1) {
		dp_buf_add(b, format, (size_t)(s - format));
		if ((text = va_arg(ap, const char *)) == NULL)
			break;
		dp_picture_html(b, text);
	}
	va_end(ap);
	if (s == NULL)
		dp_buf_puts(b, format);
	else
		b->n = before;
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
    "h1,h2,h3{line-height:1.25;margin:0 0 .3rem;overflow-wrap:anywhere}\n"
    "h1{font-size:1.6rem}h2{font-size:1.2rem}h3{font-size:1rem;margin-top:1.5rem}\n"
    "h1 code,h2 code{font-size:1rem;overflow-wrap:break-word}\n"
    "section{margin-top:2.5rem}header+section,header+div+section{margin-top:1.5rem}\n"
    "figure{margin:.5rem 0}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));"
    "column-gap:1rem}.tile:only-child{display:none}\n"
    ".tile{border-top:3px solid var(--s0);padding-top:.5rem;min-width:0;margin:1rem 0 1.5rem}\n"
    ".tile h2,.tile p{margin:0;font-size:.85rem;color:var(--soft);overflow-wrap:anywhere}\n"
    ".tile .now{font-size:2rem;line-height:1.2;font-weight:600;color:var(--ink);"
    "font-variant-numeric:tabular-nums}\n"
    ".few strong{font-size:1.2rem;color:var(--ink);font-variant-numeric:tabular-nums}\n"
    ".spark{max-width:9rem}\n"
    "p{overflow-wrap:anywhere}\n"
    ".sub,.made{color:var(--soft);font-size:.9rem;margin:0 0 .6rem}\n"
    "header .sub{margin:.5rem 0 0}\n"
    ".warning{color:var(--bad);font-weight:600}\n"
    ".chart,.numbers{overflow-x:auto}\n"
    "svg{display:block;width:100%;height:auto}\n"
    ".narrow{display:none}\n"
    "@media screen and (max-width:37em){.wide{display:none}.narrow{display:block}}\n"
    ".exact{border-left:3px solid var(--s0);padding:.2em 1em;margin:.5rem 0 1rem;"
    "white-space:pre-line;font-size:.9rem}\n"
    "#private{border-top:1px solid var(--grid);padding-top:1rem}\n"
    "details{margin:.3rem 0}summary{cursor:pointer;overflow-wrap:anywhere}\n"
    "pre{overflow-x:auto;font-size:13px}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.1em .8em;border-bottom:1px solid var(--grid);text-align:right}\n"
    "th:first-child,td:first-child{text-align:left}\n"
    "small{color:var(--soft)}tbody th{font-weight:400}\n"
    "a{color:var(--s0)}\n"
    "@media print{main{max-width:none;padding:0}section,.tile{break-inside:avoid}"
    "#private{break-inside:auto}h3{break-after:avoid}"
    "details:not([open]){display:none}}\n"
    "</style>\n";

/* No line ends between a number and its per cent, from a place on. */
static void
join_percent(struct dp_buf *b, size_t from)
{
	static const char joined[] = "&#160;%";
	struct dp_buf rest = { .p = NULL };
	const char *s, *at;

	if (b->error != 0 || b->n == from)
		return;
	dp_buf_add(&rest, b->p + from, b->n - from);
	dp_buf_add(&rest, "", 1);
	if (rest.error == 0)
		b->n = from;
	else
		b->error = rest.error;
	for (s = rest.p; rest.error == 0 && (at = strstr(s, " %")) != NULL; s = at + 2) {
		dp_buf_add(b, s, (size_t)(at - s));
		dp_buf_puts(b, joined);
	}
	if (rest.error == 0)
		dp_buf_puts(b, s);
	dp_buf_free(&rest);
}

static const char *
title_of(const struct dp_picture *p)
{
	return p->words.title == NULL ? "Private estimates" : p->words.title;
}

static void
chart(struct dp_buf *b, struct dp_slice svg, const char *class)
{
	if (svg.n == 0)
		return;
	dp_html(b, "<div class=\"%\">\n", class);
	dp_buf_add(b, svg.p, svg.n);
	dp_buf_puts(b, "</div>\n");
}

/* What is drawn is not private, as the command says of itself. */
static bool
is_open(const struct dp_picture *p)
{
	const char *said = p->words.plainly != NULL ? p->words.plainly : p->words.caption;

	return said != NULL && (strstr(said, "NOT PRIVATE") != NULL ||
	    strstr(said, "No guarantee") != NULL);
}

/* A chart; heading: it has its title, which else stands above the page. */
static void
section(struct dp_buf *b, const struct dp_figure *f, struct dp_slice svg,
    struct dp_slice narrow, bool heading)
{
	const struct dp_picture *p = f->p;
	struct dp_buf said = { .p = NULL };
	size_t from;

	dp_figure_words(&said, f, DP_FIGURE_WHISKERS);
	dp_buf_add(&said, "", 1);
	dp_buf_puts(b, "<section>\n");
	dp_html(b, title_of(p) == p->words.command ? "<h2><code>%</code></h2>\n" :
	    "<h2>%</h2>\n", heading ? title_of(p) : NULL);
	if (is_open(p))
		dp_buf_puts(b, "<p class=\"warning\">These numbers are NOT PRIVATE.</p>\n");
	from = b->n;
	dp_html(b, "<p class=\"sub\">%</p>\n", said.error != 0 ? NULL : said.p);
	join_percent(b, from);
	dp_buf_puts(b, p->ranked ? near : "");
	dp_buf_puts(b, "<figure>\n");
	chart(b, svg, narrow.n == 0 ? "chart" : "chart wide");
	chart(b, narrow, "chart narrow");
	dp_buf_puts(b, "</figure>\n");
	dp_picture_numbers(b, f);
	dp_buf_puts(b, "</section>\n");
	if (said.error != 0)
		b->error = said.error;
	dp_buf_free(&said);
}

/* What is promised of it, which other charts may share. */
static void
promise(struct dp_buf *b, const struct dp_picture *p)
{
	const char *exact = p->words.caption, *rest = exact == NULL ? NULL : strstr(exact, "\n\n");

	if (rest != NULL && strncmp(exact, "Expect ", 7) == 0)	/* an error is no promise */
		exact = rest + 2;
	dp_html(b, "<p>%</p>\n", p->words.plainly);
	dp_html(b, p->words.plainly != NULL ? "<details>\n<summary>The exact statement</summary>\n"
	    "<p class=\"exact\">%</p>\n</details>\n" : "<p class=\"exact\">%</p>\n", exact);
	if (p->words.plainly == NULL && exact == NULL)
		dp_buf_puts(b, "<p>No guarantee came with these numbers.</p>\n");
}

/* What else its command says. */
static void
besides(struct dp_buf *b, const struct dp_picture *p, const char *more)
{
	if (more == NULL && p->words.command == NULL)
		return;
	dp_html(b, "<details>\n<summary>Errors, mechanism, assumptions: %</summary>\n",
	    title_of(p));
	dp_html(b, "<p class=\"made\">By: %</p>\n", p->words.command);
	dp_html(b, "<pre tabindex=\"0\">%</pre>\n", more);
	dp_buf_puts(b, "</details>\n");
}

/* How the last number differs from the one before, if that is more than the noise. */
static void
change(struct dp_buf *b, const struct dp_figure *f, const double v[static 3], size_t last)
{
	char text[96] = "", label[DP_LABEL];
	double w[3];
	const enum dp_known known = last == 0 ? DP_KNOWN_NOT : dp_figure_known(f, last - 1, 0, w);

	if (f->p->told.running || known == DP_KNOWN_NOT)
		return;
	if (v[1] <= w[2] && w[1] <= v[2])
		snprintf(text, sizeof text, "no clear change on");
	else if (f->share)
		snprintf(text, sizeof text, "%+.1f points on", 100 * (v[0] - w[0]));
	else if (w[0] > 0)
		snprintf(text, sizeof text, "%+.1f %% on", 100 * (v[0] / w[0] - 1));
	else
		snprintf(text, sizeof text, "after");
	dp_html(b, "<p>% the % before (%)</p>\n", text, f->p->words.step,
	    dp_figure_number(f, w[0], w, label));
}

/* The last estimates as a line. */
static void
spark(struct dp_buf *b, const struct dp_figure *f, size_t last)
{
	const size_t from = last > 60 ? last - 60 : 0;
	const double step = 96 / fmax((double)(last - from), 1);
	double v[3], lo = INFINITY, hi = -INFINITY;
	const char *pen = "M";
	size_t i;

	for (i = from; i <= last; i++)
		if (dp_figure_known(f, i, 0, v) != DP_KNOWN_NOT) {
			lo = fmin(lo, v[0]);
			hi = fmax(hi, v[0]);
		}
	dp_buf_puts(b, "<svg class=\"spark\" viewBox=\"0 0 100 30\" aria-hidden=\"true\">"
	    "<path class=\"line s0\" d=\"");
	for (i = from; i <= last; i++) {
		if (dp_figure_known(f, i, 0, v) == DP_KNOWN_NOT) {
			pen = "M";
			continue;
		}
		dp_put(b, "%s%.1f,%.1f", pen, 2 + step * (double)(i - from),
		    26 - 22 * (v[0] - lo) / (hi > lo ? hi - lo : 1));
		pen = "L";
	}
	dp_buf_puts(b, "\"/></svg>\n");
}

/* The last number of a series, its interval, and the numbers before. */
static void
alone(struct dp_buf *b, const struct dp_figure *f, const double v[static 3], size_t last)
{
	char text[DP_LABEL], lo[DP_LABEL];

	dp_html(b, "<p class=\"now\">%</p>\n", dp_figure_number(f, v[0], v, text));
	if (!isnan(v[1]) && !isnan(v[2]))
		dp_html(b, "<p>% to %</p>\n", dp_figure_number(f, v[1], v, lo),
		    dp_figure_number(f, v[2], v, text));
	spark(b, f, last);
	change(b, f, v, last);
}

/* One of several numbers, with its name, and the one before. */
static void
one_of(struct dp_buf *b, const struct dp_figure *f, unsigned k, size_t i)
{
	char text[DP_LABEL], name[DP_FIGURE_NAME];
	const char *of;
	double v[3], w[3];

	(void)dp_figure_known(f, i, k, v);
	of = f->data.axis == DP_CHART_NAME ? dp_figure_shown(f, f->p->data->words.text[(size_t)
	    dp_chart_row(f->p->data, i)[f->data.choice]], name) : dp_figure_name(f, k, name);
	dp_html(b, f->fan ? "<p class=\"few\">% % below <strong>%</strong>" :
	    "<p class=\"few\">%% <strong>%</strong>", f->fan ? of + 1 : of, f->fan ? "%" : "",
	    dp_figure_number(f, v[0], v, text));
	if (f->data.axis == DP_CHART_DATE && !f->p->told.running && i > 0 &&
	    dp_figure_known(f, i - 1, k, w) != DP_KNOWN_NOT)
		dp_html(b, " (% before)", dp_figure_number(f, w[0], w, text));
	dp_buf_puts(b, "</p>\n");
}

#define FEW	4		/* numbers of a tile */

/* A tile is of the last numbers over time, or of the largest of names. */
static bool
has_tile(const struct dp_figure *f)
{
	if (f->kind == DP_FIGURE_RANKED)
		return f->p->last.is && f->rows > 0;
	return !f->is.empty && f->data.choice < 0 && f->data.axis == DP_CHART_DATE &&
	    (f->kind == DP_FIGURE_LINES || f->kind == DP_FIGURE_BARS);
}

/* The last row in which something is known. */
static size_t
last_known(const struct dp_figure *f)
{
	size_t i = f->rows;
	unsigned k;
	double v[3];

	while (i-- > 0)
		for (k = 0; k < f->data.series; k++)
			if (dp_figure_known(f, i, k, v) != DP_KNOWN_NOT)
				return i;
	return 0;
}

/* The time that a tile is of. */
static void
when(struct dp_buf *b, const struct dp_figure *f)
{
	const size_t last = last_known(f);

	dp_buf_puts(b, "<p class=\"sub\">");
	dp_figure_period(b, f, f->p->told.running ? 0 : last, last);
	if (b->n > 5 && memcmp(b->p + b->n - 5, ", UTC", 5) == 0)
		b->n -= 5;
	dp_buf_puts(b, "</p>\n");
}

/* The last numbers, at the top of the page; at: what is there. */
static void
tile(struct dp_buf *b, const struct dp_figure *f, struct dp_slice at)
{
	const bool names = f->kind == DP_FIGURE_RANKED;
	const unsigned n = names ? (unsigned)f->rows : f->data.series;
	struct dp_buf its = { .p = NULL };
	size_t last, from;
	double v[3];
	unsigned k;

	if (!has_tile(f))
		return;
	last = last_known(f);
	from = b->n;
	dp_buf_puts(b, "<div class=\"tile\">\n");
	dp_html(b, "<h2>%</h2>\n", title_of(f->p));
	if (!names && n == 1) {
		(void)dp_figure_known(f, last, 0, v);
		alone(b, f, v, last);
	}
	for (k = 0; (names || n > 1) && k < n && k < FEW; k++)
		if (dp_figure_known(f, names ? k : last, names ? 0 : k, v) != DP_KNOWN_NOT)
			one_of(b, f, names ? 0 : k, names ? k : last);
	when(&its, f);
	if (its.error != 0)
		b->error = its.error;
	else if (memmem(at.p, at.n, its.p, its.n) == NULL)
		dp_buf_add(b, its.p, its.n);
	dp_buf_puts(b, "</div>\n");
	join_percent(b, from);
	dp_buf_free(&its);
}

/* Place of a mark in a page; NULL: it has none. */
static const char *
mark_of(struct dp_slice page, const char *mark)
{
	return memmem(page.p, page.n, mark, strlen(mark));
}

bool
dp_picture_is_page(struct dp_slice page)
{
	const size_t n = sizeof END - 1;

	return page.n > n + sizeof head && memcmp(page.p, head, sizeof head - 1) == 0 &&
	    memcmp(page.p + page.n - n, END, n) == 0 && mark_of(page, tiles) != NULL &&
	    mark_of(page, charts) != NULL && mark_of(page, guarantees) != NULL;
}

/* The page from *at up to a mark, which stays where *at begins. */
static void
up_to(struct dp_buf *b, struct dp_slice *at, const char *mark)
{
	const char *end = mark_of(*at, mark);
	const size_t n = end == NULL ? at->n : (size_t)(end - at->p);

	dp_buf_add(b, at->p, n);
	*at = (struct dp_slice){ at->p + n, at->n - n };
}

/* What a page says of a chart's privacy, where a promise that is there may be of it, too. */
static void
guarantee(struct dp_buf *b, const struct dp_picture *p, const char *more, struct dp_slice there)
{
	static const char end[] = "</h3>\n";
	struct dp_buf said = { .p = NULL };
	const char *same;

	dp_buf_puts(&said, end);
	promise(&said, p);
	if (said.error != 0)
		b->error = said.error;
	same = said.error != 0 ? NULL : memmem(there.p, there.n, said.p, said.n);
	if (same != NULL) {
		dp_buf_add(b, there.p, (size_t)(same - there.p));
		dp_buf_puts(b, "; ");
		there = (struct dp_slice){ same, there.n - (size_t)(same - there.p) };
	} else {
		dp_buf_add(b, there.p, there.n);
		dp_buf_puts(b, "<h3>");
		there = (struct dp_slice){ said.p, said.n };
	}
	dp_picture_html(b, title_of(p));
	up_to(b, &there, "<h3>");
	besides(b, p, more);
	dp_buf_add(b, there.p, there.n);
	dp_buf_free(&said);
}

/* The end of a page, below what is said of its charts. */
static void
end_of_page(struct dp_buf *b, const struct dp_picture *p, bool several)
{
	dp_buf_puts(b, guarantees);
	dp_buf_puts(b, several ? together : "");
	dp_html(b, "<p class=\"made\">Made on %</p>\n", p->words.made);
	dp_buf_puts(b, "</section>\n" END);
}

/* A chart on a page that is there. */
static void
add_to(struct dp_buf *b, const struct dp_figure *f, struct dp_slice svg, struct dp_slice narrow,
    const char *more, struct dp_slice at)
{
	const bool sure = f->p->words.plainly != NULL && !is_open(f->p) && f->p->truth == NULL;
	const struct dp_slice whole = { at.p, (size_t)(mark_of(at, tiles) - at.p) };

	if (!sure && mark_of(at, lay) != NULL) {
		up_to(b, &at, lay);
		at = (struct dp_slice){ at.p + sizeof lay - 1, at.n - (sizeof lay - 1) };
	}
	up_to(b, &at, tiles);
	tile(b, f, whole);
	up_to(b, &at, charts);
	section(b, f, svg, narrow, true);
	at.n = (size_t)(mark_of(at, guarantees) - at.p);
	guarantee(b, f->p, more, at);
	end_of_page(b, f->p, true);
}

void
dp_picture_page(struct dp_buf *b, const struct dp_figure *f, struct dp_slice svg,
    struct dp_slice narrow, const char *more, struct dp_slice before)
{
	const struct dp_picture *p = f->p;
	const char *title = p->words.heading != NULL ? p->words.heading : title_of(p);

	if (before.n > 0) {
		add_to(b, f, svg, narrow, more, before);
		return;
	}
	dp_buf_puts(b, head);
	dp_html(b, "<title>%</title>\n", title);
	dp_buf_puts(b, "<style>\n");
	dp_svg_style(b);
	dp_buf_puts(b, style);
	dp_buf_puts(b, "</head>\n<body>\n<main>\n<header>\n");
	dp_html(b, title == p->words.command ? "<h1><code>%</code></h1>\n" : "<h1>%</h1>\n", title);
	if (p->words.plainly != NULL && !is_open(p) && p->truth == NULL)
		dp_buf_puts(b, lay);
	dp_buf_puts(b, reading);
	if (has_tile(f))
		when(b, f);
	dp_buf_puts(b, "</header>\n<div class=\"tiles\">\n");
	tile(b, f, (struct dp_slice){ b->p, b->n });
	dp_buf_puts(b, tiles);
	dp_buf_puts(b, "</div>\n");
	section(b, f, svg, narrow, p->words.heading != NULL);
	dp_buf_puts(b, charts);
	dp_buf_puts(b, "<section id=\"private\">\n<h2>How private is it?</h2>\n");
	guarantee(b, p, more, (struct dp_slice){ "", 0 });
	end_of_page(b, p, false);
}

/*
 * The rows behind a picture, for readers and programs: a table of HTML, and CSV.
 */

#define CELL	DP_FIGURE_NAME

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

/* A cell: of the n-th row, or of what stands above all of them. */
static const char *
said(const struct dp_figure *f, const struct dp_chart *c, const struct dp_chart_view *v, size_t n,
    unsigned i, char cell[static CELL])
{
	const double value = n == 0 ? 0 : dp_chart_row(c, n - 1)[i];
	unsigned k;

	if (n == 0)
		return name_of_numbers(c, v, i, cell);
	for (k = 0; f != NULL && isnan(value) && k < v->series; k++)
		if (i == v->at[k].est && f->p->told.suppress > 0)
			return dp_figure_untold(f, (double [3]){ NAN, NAN, NAN }, cell);
	if (f != NULL && f->p->told.totals && (int)i == v->choice && v->axis == DP_CHART_NAME)
		return dp_figure_shown(f, c->words.text[(size_t)value], cell);
	if (f == NULL || !f->share || (int)i == v->x || c->column[i].kind != DP_CHART_NUMBER ||
	    isnan(value))
		return cell_text(c, v, i, value, cell);
	snprintf(cell, CELL, "%.4g %%", 100 * value);
	return cell;
}

/* Names of rows, or of columns, each once in their order, the * of totals last. */
struct side {
	struct dp_slice *name;
	size_t n;
};

static size_t
place_of(struct side *s, struct dp_slice name, bool add)
{
	size_t i = 0;

	while (i < s->n && (s->name[i].n != name.n || memcmp(s->name[i].p, name.p, name.n) != 0))
		i++;
	if (i == s->n && add)
		s->name[s->n++] = name;
	return i;
}

/* The two fields of a name; a name of one is in the total of all alone.  false: of more. */
static bool
fields(const char *name, struct dp_slice of[2])
{
	const size_t n = strcspn(name, "/");

	of[0] = (struct dp_slice){ name, n };
	of[1] = name[n] == '\0' ? (struct dp_slice){ "*", 1 } :
	    (struct dp_slice){ name + n + 1, strlen(name + n + 1) };
	return strchr(of[1].p, '/') == NULL;
}

static const char *
name_at(const struct dp_figure *f, size_t i)
{
	return f->p->data->words.text[(size_t)dp_chart_row(f->p->data, i)[f->data.choice]];
}

static void
heading(struct dp_buf *b, const struct dp_figure *f, struct dp_slice name, bool row)
{
	char text[DP_FIGURE_NAME], of[DP_FIGURE_NAME];

	snprintf(of, sizeof of, "%.*s", (int)name.n, name.p);
	dp_html(b, row ? "<tr><th scope=\"row\">%</th>" : "<th scope=\"col\">%</th>",
	    dp_figure_shown(f, of, text));
}

/* A number as it was printed, so that sums hold, and below it its interval. */
static void
crossed(struct dp_buf *b, const struct dp_figure *f, size_t i)
{
	const char *const form = f->share ? "%.4g %%" : "%.15g";
	char text[3][CELL];
	double v[3];
	unsigned k;

	(void)dp_figure_known(f, i, 0, v);
	for (k = 0; k < 3; k++)
		if (!f->share && v[k] == floor(v[k]))
			dp_scale_number(text[k], v[k], NAN, NULL);
		else
			snprintf(text[k], CELL, form, f->share ? 100 * v[k] : v[k]);
	dp_html(b, "<td>%", isnan(v[0]) ? dp_figure_untold(f, v, text[0]) : text[0]);
	if (!isnan(v[1]) && !isnan(v[2]))
		dp_html(b, "<br><small>% to %</small>", text[1], text[2]);
	dp_buf_puts(b, "</td>");
}

/* Rows and columns; at: room for each pair of them. */
static void
cross(struct dp_buf *b, const struct dp_figure *f, struct side s[2], size_t *at, size_t n)
{
	struct dp_slice of[2];
	size_t i, j;

	for (i = 0; i < n; i++) {
		(void)fields(name_at(f, i), of);
		at[place_of(&s[0], of[0], false) * s[1].n + place_of(&s[1], of[1], false)] = i + 1;
	}
	dp_buf_puts(b, "<tr><td></td>");
	for (j = 0; j < s[1].n; j++)
		heading(b, f, s[1].name[j], false);
	dp_buf_puts(b, "</tr></thead>\n<tbody>\n");
	for (i = 0; i < s[0].n; i++) {
		heading(b, f, s[0].name[i], true);
		for (j = 0; j < s[1].n; j++)
			if (at[i * s[1].n + j] != 0)
				crossed(b, f, at[i * s[1].n + j] - 1);
			else
				dp_buf_puts(b, "<td></td>");
		dp_buf_puts(b, "</tr>\n");
	}
}

/* Keys of two fields, with their totals, at one time: a table of rows and columns. */
static bool
crosses(struct dp_buf *b, const struct dp_figure *f)
{
	const struct dp_slice all = { "*", 1 };
	const size_t n = dp_chart_drawn(f->p->data);
	struct side s[2] = { { NULL, 0 }, { NULL, 0 } };
	struct dp_slice of[2];
	size_t *at = NULL, i, k;
	bool is = f->p->told.totals && f->kind == DP_FIGURE_RANKED && f->data.series == 1;

	for (i = 0; is && i < n; i++)
		is = fields(name_at(f, i), of);
	for (k = 0; is && k < 2; k++)
		is = (s[k].name = calloc(n + 1, sizeof *s[k].name)) != NULL;
	for (i = 0; is && i < n; i++) {
		(void)fields(name_at(f, i), of);
		for (k = 0; k < 2; k++)
			if (of[k].n != 1 || *of[k].p != '*')
				(void)place_of(&s[k], of[k], true);
	}
	for (k = 0; is && k < 2; k++) {
		is = s[k].n > 0;
		(void)place_of(&s[k], all, true);
	}
	is = is && s[0].n * s[1].n <= 4 * n &&
	    (at = calloc(s[0].n * s[1].n, sizeof *at)) != NULL;
	if (is)
		cross(b, f, s, at, n);
	free(at);
	free(s[0].name);
	free(s[1].name);
	return is;
}

/* Rows of a chart as those of a table. */
static void
listed(struct dp_buf *b, const struct dp_figure *f, const struct dp_chart *c)
{
	struct dp_chart_view v;
	char cell[CELL];
	unsigned i;
	size_t n;

	dp_chart_look(c, &v);
	for (n = 0; n <= dp_chart_drawn(c); n++) {
		dp_buf_puts(b, "<tr>");
		for (i = 0; i < c->columns; i++)
			dp_html(b, n > 0 ? "<td>%</td>" : f->unit != NULL && !f->share &&
			    (int)i != v.x && (int)i != v.choice ? "<th scope=\"col\">%, %</th>" :
			    "<th scope=\"col\">%</th>", said(f, c, &v, n, i, cell), f->unit);
		dp_buf_puts(b, n == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
	}
}

/* The rows that are drawn, as a table of HTML, and as CSV that a link downloads. */
static void
dp_picture_numbers(struct dp_buf *b, const struct dp_figure *f)
{
	const struct dp_chart *c = f->p->numbers != NULL ? f->p->numbers : f->p->data;
	/* of one row of many columns the bars are what can be read */
	const bool row = f->kind == DP_FIGURE_RANKED && c->seen == 1;
	struct dp_chart_view v;
	char cell[CELL];
	unsigned i;
	size_t n;

	dp_chart_look(c, &v);
	dp_html(b, "<details%>\n<summary>The numbers</summary>\n<p><a download=\"numbers.csv\" "
	    "href=\"data:text/csv;charset=utf-8,", f->p->told.totals ? " open" : "");
	for (n = 0; n <= dp_chart_drawn(c); n++)
		for (i = 0; i < c->columns; i++) {
			field_numbers(b, said(NULL, c, &v, n, i, cell), n == 0 ||
			    c->column[i].kind == DP_CHART_TEXT);
			dp_buf_puts(b, i + 1 < c->columns ? "," : "%0A");
		}
	dp_buf_puts(b, "\">as CSV</a></p>\n<div class=\"numbers\" role=\"group\" tabindex=\"0\" "
	    "aria-label=\"the numbers\">\n<table>\n<thead>");
	if (!crosses(b, f))
		listed(b, f, row ? f->p->data : c);
	dp_buf_puts(b, "</tbody>\n</table>\n</div>\n</details>\n");
}
