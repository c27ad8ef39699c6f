/* SPDX-License-Identifier: ISC */
/*
 * svg.c - a figure as SVG: for browsers, light or dark or on paper, and for rsvg-convert(1).
 *
 * A property is written twice, as a colour and as a variable: who knows no variables (librsvg)
 * keeps the first.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

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
	const size_t n = sizeof colour / sizeof *colour;
	size_t i;
	int k;

	dp_put(b, ":root{color-scheme:light dark");
	for (i = 0; i < n; i++)
		dp_put(b, ";--%s:%s", colour[i].name, colour[i].light);
	dp_put(b, "}\n@media screen and (prefers-color-scheme:dark){:root{");
	for (i = 0; i < n; i++)
		dp_put(b, "%s--%s:%s", i == 0 ? "" : ";", colour[i].name, colour[i].dark);
	dp_put(b, "}}\n");
	for (i = 0; i < sizeof rule / sizeof *rule; i++)
		dp_put(b, "%s{%s:%s;%s:var(--%s)%s}\n", rule[i].selector, rule[i].property,
		    light(rule[i].name), rule[i].property, rule[i].name, rule[i].more);
	dp_put(b, ".band{opacity:.18}\n");
	for (k = 0; k < DP_SERIES; k++) {
		const char *c = colour[n - DP_SERIES + (size_t)k].light;

		dp_put(b, ".line.s%d{stroke:%s;stroke:var(--s%d)}.band.s%d,.bar.s%d,svg .t%d{"
		    "fill:%s;fill:var(--s%d)}\n", k, c, k, k, k, k, c, k);
	}
	dp_put(b, ".dash{stroke-dasharray:8 3}\n");
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
	dp_put(d->b, " class=\"%s", class_name[class]);
	if (k != DP_PLAIN)
		dp_put(d->b, " %c%u%s", letter, k % DP_SERIES,
		    k >= DP_SERIES && class == DP_LINE ? " dash" : "");
	dp_put(d->b, "\"");
}

static void
open_svg(struct dp_canvas *d)
{
	const struct dp_picture *p = d->f->p;
	const char *title = p->words.title != NULL ? p->words.title : "Private estimates";

	dp_put(d->b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
	    "width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-label=\"", d->width, d->height,
	    d->width, d->height);
	dp_html(d->b, "%\">\n<title>%</title>\n<desc>%</desc>\n", title, title,
	    p->words.estimate != NULL ? p->words.estimate : "Private estimates.");
	if (p->page)
		return;
	dp_put(d->b, "<style>");
	dp_svg_style(d->b);
	dp_put(d->b, "</style>\n<rect class=\"ground\" width=\"100%%\" height=\"100%%\"/>\n");
}

static void
close_svg(struct dp_canvas *d)
{
	dp_put(d->b, "</svg>\n");
}

static void
text(struct dp_canvas *d, double x, double y, enum dp_class class, unsigned k,
    enum dp_anchor anchor, struct dp_slice s)
{
	char *copy = strndup(s.p, s.n);

	dp_put(d->b, "<text x=\"%.1f\" y=\"%.1f\"", x, y + (class == DP_BIG ? 16 : 4));
	put_class(d, class, k, 't');
	dp_put(d->b, "%s>", anchor == DP_START ? "" : anchor == DP_END ? " text-anchor=\"end\"" :
	    " text-anchor=\"middle\"");
	if (copy == NULL)
		d->b->error = DP_ENOMEM;
	dp_html(d->b, "%</text>\n", copy);
	free(copy);
}

/* With its number for who points at it. */
static void
box(struct dp_canvas *d, const double at[static 4], enum dp_class class, unsigned k,
    const char *name, const char *number)
{
	dp_put(d->b, "<rect");
	put_class(d, class, k, 's');
	dp_put(d->b, " x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">", at[0], at[1],
	    fmax(at[2], .5), fmax(at[3], .5));
	if (*name != '\0')
		dp_html(d->b, *number == '\0' ? "<title>%</title>" : "<title>%: %</title>", name,
		    number);
	dp_put(d->b, "</rect>\n");
}

static void
path(struct dp_canvas *d, enum dp_class class, unsigned k)
{
	dp_put(d->b, "<path");
	put_class(d, class, k, 's');
	dp_put(d->b, " d=\"");
	d->pen.class = class;
}

static void
point(struct dp_canvas *d, bool pen, double x, double y)
{
	dp_put(d->b, "%s%.1f,%.1f", pen ? "L" : "M", x, y);
}

static void
end(struct dp_canvas *d)
{
	dp_put(d->b, "%s\"/>\n", d->pen.class == DP_BAND ? "Z" : "");
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
