/* SPDX-License-Identifier: ISC */
/*
 * svg.c - a figure as SVG: for browsers, light or dark or on paper, and for rsvg-convert(1).
 *
 * A property is written twice, as a colour and as a variable: who knows no variables (librsvg)
 * keeps the first.
 */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

__attribute__((format(printf, 2, 3))) static void
put(struct dp_canvas *d, const char *format, ...)
{
	char line[512];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	if (n < 0 || n >= (int)sizeof line)
		d->b->error = DP_ENOMEM;
	else
		dp_buf_add(d->b, line, (size_t)n);
}

/*
 * Colours, which colour-blind people tell apart, and letters in them can be read: light, dark.
 */
static const struct { const char *name, *light, *dark; } colour[] = {
	{ "ink", "#1d2126", "#e7eaee" }, { "soft", "#5a626b", "#a3abb4" },
	{ "ground", "#ffffff", "#14171a" }, { "grid", "#e6e9ec", "#2a2f35" },
	{ "axis", "#9aa3ab", "#6a737c" }, { "pale", "#9cc3e4", "#3f6f96" },
	{ "strong", "#14527f", "#a9d4f5" }, { "bad", "#b00000", "#ff8f8f" },
	{ "s0", "#1f6fb2", "#6db1e6" }, { "s1", "#b3540f", "#f0a05e" },
	{ "s2", "#1d7a58", "#64c79f" }, { "s3", "#a13d8b", "#e08fcf" },
	{ "s4", "#7d6300", "#d9b845" }, { "s5", "#0b7285", "#5ec7d6" },
	{ "s6", "#5a626b", "#a3abb4" }, { "s7", "#1d2126", "#e7eaee" }
};

static const struct { const char *selector, *property, *name, *more; } rule[] = {
	{ ".ground", "fill", "ground", "" },
	{ "svg text", "fill", "ink",
	    ";font:13px \"DejaVu Sans\",Arial,sans-serif" },
	{ "svg .title", "fill", "ink", ";font-size:18px;font-weight:600" },
	{ "svg .big", "fill", "ink", ";font-size:46px;font-weight:600" },
	{ "svg .sub,svg .tick", "fill", "soft", "" },
	{ "svg .caption", "fill", "soft", ";font-size:12px" },
	{ "svg .bad", "fill", "bad", ";font-weight:600" },
	{ "svg .value", "fill", "ink", ";font-weight:600" },
	/* numbers may stand on a neighbour's bar */
	{ "svg .value", "stroke", "ground", ";paint-order:stroke;stroke-width:3px;"
	    "stroke-linejoin:round" },
	{ ".grid", "stroke", "grid", "" },
	{ ".axis", "stroke", "axis", "" },
	{ ".whisker", "stroke", "strong", ";stroke-width:2;fill:none" },
	{ ".bar", "fill", "pale", "" },
	{ ".last", "fill", "s0", "" },
	{ ".unknown", "fill", "grid", "" },
	{ ".line", "stroke", "s0", ";fill:none;stroke-width:2;stroke-linejoin:round;"
	    "stroke-linecap:round" },
	{ ".truth", "stroke", "ink", ";fill:none;stroke-width:1.5;stroke-dasharray:5 3" }
};

static const char *
light(const char *name)
{
	size_t i = 0;

	while (strcmp(colour[i].name, name) != 0)
		i++;
	return colour[i].light;
}

void
dp_svg_style(struct dp_buf *b)
{
	struct dp_canvas d = { .b = b };
	const size_t n = sizeof colour / sizeof *colour;
	size_t i;
	int k;

	put(&d, ":root{color-scheme:light dark");
	for (i = 0; i < n; i++)
		put(&d, ";--%s:%s", colour[i].name, colour[i].light);
	put(&d, "}\n@media screen and (prefers-color-scheme:dark){:root{");
	for (i = 0; i < n; i++)
		put(&d, "%s--%s:%s", i == 0 ? "" : ";", colour[i].name, colour[i].dark);
	put(&d, "}}\n");
	for (i = 0; i < sizeof rule / sizeof *rule; i++)
		put(&d, "%s{%s:%s;%s:var(--%s)%s}\n", rule[i].selector, rule[i].property,
		    light(rule[i].name), rule[i].property, rule[i].name, rule[i].more);
	put(&d, ".band{opacity:.18}\n");
	for (k = 0; k < DP_SERIES; k++) {
		const char *c = colour[n - DP_SERIES + (size_t)k].light;

		put(&d, ".line.s%d{stroke:%s;stroke:var(--s%d)}.band.s%d,.bar.s%d,svg .t%d{fill:%s;"
		    "fill:var(--s%d)}\n", k, c, k, k, k, k, c, k);
	}
	put(&d, ".dash{stroke-dasharray:8 3}\n");
}

/*
 * The canvas.
 */

static const char *const class_name[] = { [DP_TITLE] = "title", [DP_BAD] = "bad",
    [DP_SUB] = "sub", [DP_CAPTION] = "caption", [DP_BIG] = "big", [DP_TICK] = "tick",
    [DP_VALUE] = "value", [DP_NAME] = "name", [DP_LINE] = "line", [DP_BAND] = "band",
    [DP_TRUTH] = "truth", [DP_WHISKER] = "whisker", [DP_BAR] = "bar", [DP_LAST] = "bar last",
    [DP_UNKNOWN] = "unknown", [DP_GRID] = "grid", [DP_AXIS] = "axis" };

/* class: of a text t0 and so on are its colours, of shapes s0. */
static void
put_class(struct dp_canvas *d, enum dp_class class, unsigned k, char letter)
{
	put(d, " class=\"%s", class_name[class]);
	if (k != DP_PLAIN)
		put(d, " %c%u%s", letter, k % DP_SERIES,
		    k >= DP_SERIES && class == DP_LINE ? " dash" : "");
	put(d, "\"");
}

static void
open_svg(struct dp_canvas *d)
{
	const struct dp_picture *p = d->f->p;
	const char *title = p->words.title != NULL ? p->words.title : "Private estimates";

	put(d, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
	    "height=\"%.0f\" role=\"img\" aria-label=\"", d->width, d->height, d->width,
	    d->height);
	dp_picture_html(d->b, title);
	put(d, "\">\n<title>");
	dp_picture_html(d->b, title);
	put(d, "</title>\n<desc>");
	dp_picture_html(d->b, p->words.estimate != NULL ? p->words.estimate : "Private estimates.");
	put(d, "</desc>\n");
	if (p->page)
		return;
	put(d, "<style>");
	dp_svg_style(d->b);
	put(d, "</style>\n<rect class=\"ground\" width=\"100%%\" height=\"100%%\"/>\n");
}

static void
close_svg(struct dp_canvas *d)
{
	put(d, "</svg>\n");
}

static void
text(struct dp_canvas *d, double x, double y, enum dp_class class, unsigned k,
    enum dp_anchor anchor, struct dp_slice s)
{
	char *copy = strndup(s.p, s.n);

	put(d, "<text x=\"%.1f\" y=\"%.1f\"", x, y + (class == DP_BIG ? 16 : 4));
	put_class(d, class, k, 't');
	put(d, "%s>", anchor == DP_START ? "" : anchor == DP_END ? " text-anchor=\"end\"" :
	    " text-anchor=\"middle\"");
	if (copy == NULL)
		d->b->error = DP_ENOMEM;
	else
		dp_picture_html(d->b, copy);
	free(copy);
	put(d, "</text>\n");
}

/* With its number for who points at it. */
static void
box(struct dp_canvas *d, const double at[static 4], enum dp_class class, unsigned k,
    const char *name, const char *number)
{
	put(d, "<rect");
	put_class(d, class, k, 's');
	put(d, " x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">", at[0], at[1],
	    fmax(at[2], .5), fmax(at[3], .5));
	if (*name != '\0') {
		put(d, "<title>");
		dp_picture_html(d->b, name);
		put(d, "%s%s</title>", *number == '\0' ? "" : ": ", number);
	}
	put(d, "</rect>\n");
}

static void
path(struct dp_canvas *d, enum dp_class class, unsigned k)
{
	put(d, "<path");
	put_class(d, class, k, 's');
	put(d, " d=\"");
	d->pen.class = class;
}

static void
point(struct dp_canvas *d, bool pen, double x, double y)
{
	put(d, "%s%.1f,%.1f", pen ? "L" : "M", x, y);
}

static void
end(struct dp_canvas *d)
{
	put(d, "%s\"/>\n", d->pen.class == DP_BAND ? "Z" : "");
}

static void
axes(struct dp_canvas *d, bool x)
{
	(void)d;
	(void)x;
}

static void
tick(struct dp_canvas *d, bool x, double at)
{
	path(d, x ? DP_AXIS : DP_GRID, DP_PLAIN);
	point(d, false, x ? at : d->x0, x ? d->y0 : at);
	point(d, true, x ? at : d->x1, x ? d->y0 + 4 : at);
	end(d);
}

const struct dp_canvas_ops dp_svg = { .line = 18, .gap = 8, .bar = 27, .lane = 26, .foot = 26,
    .xtick = 90, .ytick = 50, .body = 140, .panel = 110, .open = open_svg, .close = close_svg,
    .text = text, .box = box, .path = path, .point = point, .end = end, .axes = axes,
    .tick = tick };
