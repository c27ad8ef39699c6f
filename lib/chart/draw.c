/* SPDX-License-Identifier: ISC */
/* draw.c - a figure on a canvas: axes, marks and labels, each kind in its way. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "internal.h"

#define HEAD_LINES	4	/* of a title, and of the words below it */
#define ROOM		.4	/* of the width, that numbers beside bars may take */
#define OTHERS		"other names"
#define SAID		(2 * DP_LABEL + DP_TEXT_SHORT)	/* a number, its interval, a name */

/* Pixels or cells. */
static double
either(const struct dp_canvas *c, double pixels, double cells)
{
	return c->ops->cells ? cells : pixels;
}

/*
 * Places and texts.
 */

static double
at_x(const struct dp_canvas *c, double v)
{
	const struct dp_figure *f = c->f;
	const double part = f->xlog ? log(v / f->xlo) / log(f->xhi / f->xlo) :
	    (v - f->xlo) / (f->xhi - f->xlo);
	const double dot = c->dots ? c->fine[0] : 0;

	return c->x0 + dot / 2 + (c->x1 - c->x0 - dot) * fmin(fmax(part, 0), 1);
}

#define FAR	9	/* panels: how far below a logarithmic one 0 is */

/* Where a value is in its panel: from 0, its foot, to 1. */
static double
part_of(const struct dp_panel *p, double v)
{
	if (!p->log)
		return (v - p->lo) / (p->hi - p->lo);
	return v <= 0 ? -FAR : fmax(log(v / p->lo) / log(p->hi / p->lo), -FAR);
}

static double
part_y(const struct dp_canvas *c, double part)
{
	const double dot = c->dots ? c->fine[1] : 0;

	return c->y0 - dot / 2 - (c->y0 - c->y1 - dot) * fmin(fmax(part, 0), 1);
}

/* Height of a value, which ends where its panel does. */
static double
at_y(const struct dp_canvas *c, double v)
{
	return part_y(c, part_of(c->panel, v));
}

/* Place of row i. */
static double
row_x(const struct dp_canvas *c, size_t i)
{
	const struct dp_figure *f = c->f;

	return at_x(c, i < f->rows ? dp_figure_x(f, f->p->data, &f->data, i) : f->xhi);
}

/* Where the step of row i begins. */
static double
row_begin(const struct dp_canvas *c, size_t i)
{
	const struct dp_figure *f = c->f;

	return at_x(c, i < f->rows ? dp_figure_begin(f, f->p->data, &f->data, i) : f->xhi);
}

/* Room that a text takes. */
static double
wide(const struct dp_canvas *c, const char *s)
{
	return (double)dp_text_width(s, strlen(s), c->ops->cells ? DP_FONT_CELLS : DP_FONT_BOLD) *
	    either(c, .13, .01);
}

/* A text that has so much room. */
static const char *
fit(const struct dp_canvas *c, char out[static DP_TEXT_SHORT], const char *s, double room)
{
	return dp_text_fit(out, s, (size_t)(fmax(room, 4) / either(c, .13, .01)),
	    c->ops->cells ? DP_FONT_CELLS : DP_FONT_BOLD);
}

static void
text(struct dp_canvas *c, double x, double y, enum dp_class class, unsigned k,
    enum dp_anchor anchor, const char *s)
{
	c->ops->text(c, x, y, class, k, anchor, (struct dp_slice){ s, strlen(s) });
}

/* Centred at x, but inside of the picture. */
static void
centred(struct dp_canvas *c, double x, double y, enum dp_class class, const char *s)
{
	const double half = wide(c, s) / 2;

	text(c, fmax(half, fmin(c->width - half, x)), y, class, DP_PLAIN, DP_MIDDLE, s);
}

static void
line(struct dp_canvas *c, double xa, double ya, double xb, double yb, enum dp_class class)
{
	c->ops->path(c, class, DP_PLAIN);
	c->ops->point(c, false, xa, ya);
	c->ops->point(c, true, xb, yb);
	c->ops->end(c);
}

/* Folds a text into at most `most' lines below y; returns their height, and draws them if asked. */
static double
folded(struct dp_canvas *c, const char *s, double y, enum dp_class class, unsigned most, bool drawn)
{
	const double size = class == DP_TITLE ? 18 : class == DP_CAPTION ? 12 : 13;
	const double step = either(c, size + 4.5, 1), edge = either(c, 8, 0);
	const enum dp_font font = c->ops->cells ? DP_FONT_CELLS :
	    class == DP_TITLE || class == DP_BAD ? DP_FONT_BOLD : DP_FONT_PLAIN;
	const char *next;
	unsigned i;
	size_t n;

	for (i = 0; s != NULL && *s != '\0'; i++, s = next) {
		const bool cut = i == most;

		next = dp_text_fold(s, (size_t)((c->width - 2 * edge) / either(c, size / 100, .01)),
		    font, &n);
		if (drawn)
			c->ops->text(c, edge, y + step * (i + either(c, .5, 0)), class, DP_PLAIN,
			    DP_START, cut ? (struct dp_slice){ "...", 3 } :
			    (struct dp_slice){ s, n });
		if (cut)
			next = "";
	}
	return i * step;
}

/*
 * Axes.
 */

/* Ticks of a panel, about n; two at least, as one alone is no scale. */
static void
ticks(const struct dp_figure *f, const struct dp_panel *p, unsigned n, struct dp_scale *s)
{
	do
		dp_figure_yscale(s, f, p, n);
	while (s->last - s->first < 1 && ++n <= 6);
}

/* Room of the labels at the left. */
static double
left(const struct dp_canvas *c)
{
	const struct dp_figure *f = c->f;
	char label[DP_LABEL];
	struct dp_scale s;
	double most = 0, at;
	unsigned k, i;

	for (k = 0; k < f->panels; k++) {
		dp_figure_yscale(&s, f, &f->panel[k], 6);
		for (i = 0; dp_scale_tick(&s, i, &at, label); i++)
			most = fmax(most, wide(c, label));
	}
	return most + either(c, 14, 2);
}

static void
y_axis(struct dp_canvas *c)
{
	char label[DP_LABEL];
	struct dp_scale s;
	double at;
	unsigned i;

	c->ops->axes(c, false);
	ticks(c->f, c->panel, (unsigned)((c->y0 - c->y1) / c->ops->ytick) + 1, &s);
	for (i = 0; dp_scale_tick(&s, i, &at, label); i++) {
		c->ops->tick(c, false, at_y(c, at));
		text(c, c->x0 - either(c, 8, 2), at_y(c, at), DP_TICK, DP_PLAIN, DP_END, label);
	}
	if (c->panel->lo <= 0 && c->panel->hi >= 0 && !c->panel->log)
		line(c, c->x0, at_y(c, 0), c->x1, at_y(c, 0), DP_AXIS);
}

static void
x_axis(struct dp_canvas *c)
{
	char label[DP_LABEL];
	struct dp_scale s;
	double at, free = -INFINITY, half, x;
	unsigned i, more = 0;

	c->ops->axes(c, true);
	do	/* one alone is no scale */
		dp_figure_xscale(&s, c->f, (unsigned)((c->x1 - c->x0) / c->ops->xtick) + 1 + more);
	while (s.last - s.first < 1 && ++more < 6);
	for (i = 0; dp_scale_tick(&s, i, &at, label); i++) {
		half = wide(c, label) / 2;
		x = fmax(half, fmin(c->width - half, at_x(c, at)));
		if (x - half < free)
			continue;
		c->ops->tick(c, true, at_x(c, at));
		text(c, x, c->y0 + either(c, 14, 1), DP_TICK, DP_PLAIN, DP_MIDDLE, label);
		free = x + half + either(c, 6, 1);
	}
}

/* Time, step or name of row i. */
static const char *
row_name(const struct dp_canvas *c, size_t i, char label[static DP_FIGURE_NAME])
{
	const struct dp_figure *f = c->f;
	const struct dp_chart *d = f->p->data;
	double x;

	if (f->data.choice >= 0)
		return dp_figure_shown(f,
		    d->words.text[(size_t)dp_chart_row(d, i)[f->data.choice]], label);
	x = dp_figure_x(f, d, &f->data, i);
	if (f->data.axis == DP_CHART_DATE)
		dp_scale_when(label, x, d->zone, f->data.bar >= 23 * HOUR);
	else
		snprintf(label, DP_LABEL, "%.15g", x);
	return label;
}

/*
 * Lines, and what is known of them.
 */

/* Where a slope crosses the edges of its panel, which cuts it. */
static void
crossings(struct dp_canvas *c, double xa, double a, double xb, double b)
{
	double edge;
	int i;

	for (i = 0; i < 2; i++) {
		edge = (a < b) == (i == 0) ? 0 : 1;
		if ((a < edge && b > edge) || (a > edge && b < edge))
			c->ops->point(c, true, xa + (xb - xa) * (edge - a) / (b - a),
			    part_y(c, edge));
	}
}

/* A line in a run of rows; v[which] is its height.  back: from right to left, of a band. */
static void
points(struct dp_canvas *c, size_t from, size_t to, unsigned k, int which, bool back)
{
	const bool steps = c->f->steps;
	double v[3], x = 0, y = 0, part = 0, next, xa, a;
	size_t i, j;

	for (j = from; j < to; j++) {
		i = back ? to - 1 - (j - from) : j;
		(void)dp_figure_known(c->f, i, k, v);
		xa = x;
		a = part;
		part = part_of(c->panel, v[which]);
		y = part_y(c, part);
		x = row_x(c, i);
		if (!steps && j > from)
			crossings(c, xa, a, x, part);
		next = steps ? row_x(c, i + 1) : x;
		c->ops->point(c, back || j > from, back ? next : x, y);
		if (steps)
			c->ops->point(c, true, back ? x : next, y);
	}
	if (!steps && to == from + 1 && which == 0)
		c->ops->point(c, true, x + .1, y);
}

/* Where an interval goes on beyond the edge of its picture. */
static void
arrow(struct dp_canvas *c, double x, double y, double dx, double dy)
{
	if (c->ops->cells) {
		text(c, x, y - (dy > 0), DP_TICK, DP_PLAIN, DP_MIDDLE, dy < 0 ? "^" : "v");
		return;
	}
	c->ops->path(c, DP_WHISKER, DP_PLAIN);
	c->ops->point(c, false, x - 5 * dx - 4 * dy, y - 5 * dy - 4 * dx);
	c->ops->point(c, true, x, y);
	c->ops->point(c, true, x - 5 * dx + 4 * dy, y - 5 * dy + 4 * dx);
	c->ops->end(c);
}

/* One for each stretch of rows, where it goes furthest; of equal ones in their middle. */
static void
arrows(struct dp_canvas *c, unsigned k, size_t from, size_t to, bool up)
{
	double v[3], beyond, most = 0;
	size_t i, first = from, last = from;

	for (i = from; i <= to; i++) {
		beyond = 0;
		if (i < to) {
			(void)dp_figure_known(c->f, i, k, v);
			beyond = up ? v[2] - c->panel->hi : c->panel->lo - v[1];
		}
		if (beyond > most) {
			most = beyond;
			first = i;
		}
		if (beyond > 0 && beyond == most)
			last = i;
		if (beyond > 0 || most == 0)
			continue;
		arrow(c, (row_x(c, first) + row_x(c, last + c->f->steps)) / 2, up ? c->y1 : c->y0,
		    0, up ? -1 : 1);
		most = 0;
	}
}

/* Where nothing is known of the only line the ground is grey; elsewhere there are bands. */
static void
bands(struct dp_canvas *c, unsigned k)
{
	const struct dp_figure *f = c->f;
	double v[3], x;
	size_t i, to;

	for (i = 0; i < f->rows; i = to) {
		const enum dp_known known = dp_figure_known(f, i, k, v);

		to = dp_figure_run(f, i, k);
		x = row_x(c, i);
		if (known == DP_KNOWN_NOT && !isnan(v[1]) && c->panel->to - c->panel->from == 1)
			c->ops->box(c, (double [4]){ x, c->y1, fmax(row_x(c, to) - x, either(c, 2,
			    .5)), c->y0 - c->y1 }, DP_UNKNOWN, DP_PLAIN, "", "");
		if (known != DP_KNOWN_INTERVAL || f->kind != DP_FIGURE_LINES)
			continue;
		arrows(c, k, i, to, true);
		arrows(c, k, i, to, false);
		if (to == i + 1 && !f->steps) {		/* a band without width */
			line(c, x, at_y(c, v[1]), x, at_y(c, v[2]), DP_WHISKER);
			continue;
		}
		c->ops->path(c, DP_BAND, f->fan ? 0 : k);
		points(c, i, to, k, 2, false);
		points(c, i, to, k, 1, true);
		c->ops->end(c);
	}
}

static void
lines(struct dp_canvas *c, unsigned k)
{
	const struct dp_figure *f = c->f;
	double v[3];
	size_t i, to;

	c->ops->path(c, DP_LINE, f->fan ? 0 : k);
	for (i = 0; i < f->rows; i = to) {
		to = i + 1;
		if (dp_figure_known(f, i, k, v) == DP_KNOWN_NOT)
			continue;
		while (to < f->rows && dp_figure_known(f, to, k, v) != DP_KNOWN_NOT)
			to++;
		points(c, i, to, k, 0, false);
	}
	c->ops->end(c);
}

static void
truth_line(struct dp_canvas *c, unsigned k)
{
	const struct dp_chart *t = c->f->p->truth;
	const struct dp_chart_view *v = &c->f->truth;
	bool pen = false;
	double y;
	size_t i;

	if (t == NULL || k >= v->series)
		return;
	c->ops->path(c, DP_TRUTH, DP_PLAIN);
	for (i = 0; i < dp_chart_drawn(t); i++) {
		y = dp_chart_row(t, i)[v->at[k].est];
		if (!isnan(y))
			c->ops->point(c, pen, at_x(c, dp_figure_x(c->f, t, v, i)), at_y(c, y));
		pen = !isnan(y);
		if (pen && c->f->steps && i + 1 < dp_chart_drawn(t))
			c->ops->point(c, true, at_x(c, dp_figure_x(c->f, t, v, i + 1)), at_y(c,
			    y));
	}
	c->ops->end(c);
}

/* Labels at the ends of lines: at their heights, or as near as others leave room. */
struct label {
	double y;
	unsigned k;
};

static int
higher(const void *a, const void *b)
{
	const struct label *x = a, *y = b;

	return x->y != y->y ? (x->y < y->y ? -1 : 1) : x->k < y->k ? -1 : x->k > y->k;
}

static void
spread(const struct dp_canvas *c, struct label *at, unsigned n)
{
	const double apart = either(c, 15, 1);
	double low = c->y0 - either(c, 0, 1);
	unsigned i;

	qsort(at, n, sizeof *at, higher);
	for (i = 0; i < n; i++)
		at[i].y = either(c, at[i].y, floor(at[i].y));
	for (i = 1; i < n; i++)
		at[i].y = fmax(at[i].y, at[i - 1].y + apart);
	for (i = n; i > 0; i--) {
		at[i - 1].y = fmin(at[i - 1].y, low);
		low = at[i - 1].y - apart;
	}
}

/* The last row with an estimate; false: none, and v is of the first. */
static bool
last_of(const struct dp_figure *f, unsigned k, double v[static 3])
{
	size_t i;

	for (i = f->rows; i > 0; i--)
		if (dp_figure_known(f, i - 1, k, v) != DP_KNOWN_NOT)
			return true;
	return false;
}

/* What stands at the end of line k: its last number, or of several their names. */
static const char *
end_label(const struct dp_canvas *c, unsigned k, bool several, char said[static SAID])
{
	const struct dp_figure *f = c->f;
	char name[DP_FIGURE_NAME], out[DP_TEXT_SHORT];
	double v[3];

	const bool known = last_of(f, k, v);
	double last[3];

	*said = '\0';
	if (!several && known && dp_figure_known(f, f->rows - 1, k, last) != DP_KNOWN_NOT)
		(void)dp_figure_number(f, v[0], v, said);
	else if (!several && known && !isnan(last[1]))
		strcpy(said, "not known");
	else if (several && known && c->ops->cells && f->p->text.ascii)	/* with its line's mark */
		snprintf(said, SAID, "%c %s", "*#o+x=@&"[k % DP_SERIES], dp_text_fit(out,
		    dp_figure_name(f, k, name), (size_t)c->width * 28, DP_FONT_CELLS));
	else if (several)
		snprintf(said, SAID, "%s%s", fit(c, out, dp_figure_name(f, k, name), c->width * .3),
		    known ? "" : isnan(v[1]) && f->p->told.suppress > 0 ? ": not told" :
		    ": not known");
	return said;
}

/* Nothing of a panel is known. */
static void
nothing(struct dp_canvas *c)
{
	const double x = (c->x0 + c->x1) / 2, y = (c->y0 + c->y1) / 2;
	const bool noise = c->f->p->told.lo < c->f->p->told.hi;

	centred(c, x, y - (noise ? c->ops->line / 2 : 0), DP_VALUE, !noise &&
	    c->f->p->told.suppress > 0 ? "not told" : "not known");
	if (noise)
		centred(c, x, y + c->ops->line / 2, DP_SUB, "too few events for this epsilon");
}

static void
ends(struct dp_canvas *c)
{
	const struct dp_figure *f = c->f;
	const struct dp_panel *p = c->panel;
	struct label at[DP_CHART_COLUMNS_MAX];
	char said[SAID];
	unsigned n = 0, k, known = 0;
	double v[3];

	for (k = p->from; k < p->to; k++) {
		at[n].y = last_of(f, k, v) && ++known ? at_y(c, v[0]) : c->y1;
		at[n++].k = k;
	}
	if (known == 0)
		nothing(c);
	spread(c, at, n);
	for (k = 0; k < n; k++)
		text(c, c->x1 + c->ops->gap, at[k].y, DP_VALUE, f->fan ? 0 : at[k].k, DP_START,
		    end_label(c, at[k].k, p->to - p->from > 1, said));
}

/* Room of the labels at the right. */
static double
right(const struct dp_canvas *c)
{
	const bool several = c->f->panels == 1 && c->f->data.series > 1;
	char said[SAID];
	double most = 0;
	unsigned k;

	for (k = 0; k < c->f->data.series; k++)
		most = fmax(most, wide(c, end_label(c, k, several, said)));
	return most + either(c, 14, 2);
}

/*
 * Names that are the answer, each in its lane.
 */

/* Names at the left, at most a part of the width. */
static double
names(const struct dp_canvas *c, size_t rows)
{
	char label[DP_FIGURE_NAME];
	double most = 0;
	size_t i;

	for (i = 0; i < rows; i++)
		most = fmax(most, wide(c, row_name(c, i, label)));
	if (c->f->lanes < c->f->p->data->words.n && c->f->lane != NULL)
		most = fmax(most, wide(c, "9999 " OTHERS));
	return fmin(most, c->width * either(c, .4, .5)) + either(c, 12, 2);
}

/* The rows of one name as a bar. */
static void
pieces(struct dp_canvas *c, double top)
{
	const struct dp_figure *f = c->f;
	const struct dp_chart *d = f->p->data;
	const double lane = c->ops->lane, pad = either(c, 5, 0);
	char label[DP_FIGURE_NAME];
	size_t i, to;
	double at, x;

	for (i = 0; i < f->rows; i = to) {
		at = dp_figure_lane(f, d, &f->data, i);
		for (to = i + 1; to < f->rows && dp_figure_lane(f, d, &f->data, to) == at; to++)
			;
		x = row_begin(c, i);
		c->ops->box(c, (double [4]){ x, top + lane * at + pad, row_begin(c, to) - x, lane -
		    2 * pad }, DP_BAR, (unsigned)at, at + 1 == (double)f->lanes &&
		    f->lanes < d->words.n ? OTHERS : row_name(c, i, label), "");
	}
}

static void
lanes(struct dp_canvas *c, double top)
{
	const struct dp_figure *f = c->f;
	const struct dp_chart *t = f->p->truth, *d = f->p->data;
	const double middle = either(c, c->ops->lane / 2, 0);
	char out[DP_TEXT_SHORT], others[32] = "", label[DP_FIGURE_NAME];
	size_t i, n;
	double at;

	if (d->words.n > f->lanes)
		snprintf(others, sizeof others, "%zu " OTHERS, d->words.n - f->lanes + 1);
	for (i = 0; i < d->words.n; i++)
		if (*others == '\0' || f->lane[i] + 1 < f->lanes)
			text(c, c->x0 - either(c, 8, 2), top + c->ops->lane * (double)f->lane[i] +
			    middle, DP_NAME, DP_PLAIN, DP_END, fit(c, out, dp_figure_shown(f,
			    d->words.text[i], label), c->x0 - either(c, 10, 2)));
	if (*others != '\0')
		text(c, c->x0 - either(c, 8, 2), top + c->ops->lane * (double)(f->lanes - 1) +
		    middle, DP_NAME, DP_PLAIN, DP_END, others);
	pieces(c, top);
	for (i = 0, n = t == NULL || f->truth.choice < 0 ? 0 : dp_chart_drawn(t); i < n; i++) {
		if ((at = dp_figure_lane(f, t, &f->truth, i)) < 0)
			continue;
		at = top + c->ops->lane * (at + .5);
		line(c, at_x(c, dp_figure_begin(f, t, &f->truth, i)), at, at_x(c, i + 1 < n ?
		    dp_figure_begin(f, t, &f->truth, i + 1) : f->xhi), at, DP_TRUTH);
	}
}

/* Height of all lanes. */
static double
strip(const struct dp_canvas *c)
{
	return c->f->lane == NULL ? 0 : c->ops->lane * (double)c->f->lanes;
}

static void
draw_lines(struct dp_canvas *c, double top)
{
	const struct dp_figure *f = c->f;
	const double gap = f->lane == NULL ? 0 : either(c, 8, 0);
	const double foot = c->height - c->ops->foot - strip(c) - gap;
	const double each = floor((foot - top) / f->panels);
	char out[DP_TEXT_SHORT], name[DP_FIGURE_NAME];
	unsigned i, k;

	c->x0 = fmax(left(c), f->lane == NULL ? 0 : names(c, f->rows));
	c->x1 = c->width - right(c);
	for (i = 0; i < f->panels; i++) {
		c->panel = &f->panel[i];
		c->y1 = top + each * i + (f->panels > 1 ? either(c, 34, 1) : either(c, 8, 0));
		c->y0 = i + 1 == f->panels ? foot : top + each * (i + 1);
		for (k = c->panel->from; k < c->panel->to; k++)
			bands(c, k);
		y_axis(c);
		if (f->panels > 1)
			text(c, either(c, 8, c->x0), c->y1 - either(c, 14, 1), DP_VALUE, i,
			    DP_START, fit(c, out, dp_figure_name(f, i, name), c->width * .6));
		for (k = c->panel->to; k > c->panel->from; k--)
			lines(c, k - 1);
		for (k = c->panel->from; k < c->panel->to; k++)
			truth_line(c, k);
		ends(c);
	}
	if (f->lane != NULL)
		lanes(c, c->y0 + gap);
	c->y0 = c->height - c->ops->foot;
	x_axis(c);
}

static void
draw_leads(struct dp_canvas *c, double top)
{
	c->x0 = names(c, c->f->rows);
	c->x1 = c->width - either(c, 12, 1);
	c->y0 = c->height - c->ops->foot;
	lanes(c, top);
	x_axis(c);
}

/* Places: names where their lines end, with their last numbers. */
static void
draw_places(struct dp_canvas *c, double top)
{
	const struct dp_figure *f = c->f;
	const struct dp_chart *d = f->p->data;
	const double *last = dp_chart_row(d, f->rows - 1);
	char label[DP_LABEL], out[DP_TEXT_SHORT];
	double number = 0, name = 0, y;
	unsigned k, est;

	for (k = 0; k < f->data.series; k++) {
		est = f->data.at[k].est;
		dp_scale_number(label, last[est + 1], NAN, f->unit);
		number = fmax(number, wide(c, label));
		name = fmax(name, wide(c, d->column[est].name));
	}
	name = fmin(name, c->width * .4);
	c->panel = &f->panel[0];
	c->x0 = either(c, 28, 4);
	c->x1 = c->width - name - number - either(c, 30, 4);
	c->y0 = c->height - c->ops->foot;
	c->y1 = top + either(c, 6, 0);
	c->ops->axes(c, false);
	for (k = 1; k <= f->data.series; k++) {
		snprintf(label, sizeof label, "%u", k);
		c->ops->tick(c, false, at_y(c, k));
		text(c, c->x0 - either(c, 8, 2), at_y(c, k), DP_TICK, DP_PLAIN, DP_END, label);
	}
	for (k = 0; k < f->data.series; k++) {
		est = f->data.at[k].est;
		lines(c, k);
		if (isnan(last[est]))
			continue;
		y = at_y(c, last[est]);
		text(c, c->x1 + c->ops->gap, y, DP_VALUE, k, DP_START,
		    fit(c, out, d->column[est].name, name));
		dp_scale_number(label, last[est + 1], NAN, f->unit);
		text(c, c->width - either(c, 8, 0), y, DP_VALUE, DP_PLAIN, DP_END, label);
	}
	x_axis(c);
}

/*
 * Bars.
 */

/* Names of several series, in their colours, above the bars; returns their height. */
static double
key(struct dp_canvas *c, double top, bool drawn)
{
	const struct dp_figure *f = c->f;
	const double edge = either(c, 8, 0);
	char out[DP_TEXT_SHORT], name[DP_FIGURE_NAME];
	double x = edge, y = top + either(c, 10, 0);
	const char *s;
	unsigned k;

	if (f->data.series < 2 || (f->kind != DP_FIGURE_BARS && f->kind != DP_FIGURE_RANKED))
		return 0;
	for (k = 0; k < f->data.series; k++) {
		s = fit(c, out, dp_figure_name(f, k, name), c->width - 2 * edge);
		if (x > edge && x + wide(c, s) > c->width - edge) {
			x = edge;
			y += c->ops->line;
		}
		if (drawn)
			text(c, x, y, DP_VALUE, k, DP_START, s);
		x += wide(c, s) + either(c, 18, 3);
	}
	return y - top + either(c, 12, 1);
}

/* A number, on a terminal with how far it may be off, and of several series its name. */
static const char *
bar_label(const struct dp_canvas *c, unsigned k, const double v[static 3], enum dp_known known,
    char said[static SAID])
{
	const struct dp_figure *f = c->f;
	char name[DP_FIGURE_NAME], out[DP_TEXT_SHORT], side[DP_LABEL];
	size_t n;

	(void)dp_figure_number(f, v[0], v, said);
	n = strlen(said);
	if (c->sides && known == DP_KNOWN_INTERVAL) {
		n += (size_t)snprintf(said + n, SAID - n, " %s%s", f->p->text.ascii ? "+-" :
		    "\302\261", dp_figure_number(f, fmax(v[2] - v[0], v[0] - v[1]), v, side));
	}
	if (c->ops->cells && f->data.series > 1)
		snprintf(said + n, SAID - n, " %s", dp_text_fit(out, dp_figure_name(f, k, name),
		    1200, DP_FONT_CELLS));
	return said;
}

/* The room of the widest label. */
static double
widest(const struct dp_canvas *c)
{
	char said[SAID];
	double most = 0, v[3];
	enum dp_known known;
	unsigned k;
	size_t i;

	for (i = 0; i < c->f->rows; i++)
		for (k = 0; k < c->f->data.series; k++)
			if ((known = dp_figure_known(c->f, i, k, v)) != DP_KNOWN_NOT)
				most = fmax(most, wide(c, bar_label(c, k, v, known, said)));
	return most;
}

/* Where the k-th bar of a row begins, which is at `at' on the axis, and its width. */
static void
span(const struct dp_canvas *c, double at, unsigned k, double *x, double *w)
{
	const struct dp_figure *f = c->f;
	const double slot = (c->x1 - c->x0) * f->data.bar / (f->xhi - f->xlo) * .76;

	if (f->kind == DP_FIGURE_BINS) {
		*x = at_x(c, f->edge[(size_t)at]) + .5;
		*w = at_x(c, f->edge[(size_t)at + 1]) - *x - .5;
		return;
	}
	*w = slot / f->data.series;
	*x = at_x(c, at) - slot / 2 + *w * k;
}

/* Bars of one colour are pale, the last is strong; of several series each has its own. */
static void
bar(struct dp_canvas *c, size_t i, unsigned k, bool labelled)
{
	const struct dp_figure *f = c->f;
	const bool last = i + 1 == f->rows && f->data.axis == DP_CHART_DATE;
	const double zero = at_y(c, 0);
	char said[SAID], label[DP_FIGURE_NAME];
	double v[3], x, each, y, top;
	const enum dp_known known = dp_figure_known(f, i, k, v);

	span(c, dp_figure_x(f, f->p->data, &f->data, i), k, &x, &each);
	if (known == DP_KNOWN_NOT) {
		if (!isnan(v[1]) || f->p->told.suppress > 0)
			text(c, x + each / 2, zero - either(c, 10, 1), DP_TICK, DP_PLAIN, DP_MIDDLE,
			    dp_figure_untold(f, v, label));
		return;
	}
	y = at_y(c, v[0]);
	top = fmin(y, zero);
	(void)dp_figure_number(f, v[0], v, said);
	c->ops->box(c, (double [4]){ x, top, each * (f->data.series > 1 ? .92 : 1), fabs(y -
	    zero) }, f->data.series == 1 && last ? DP_LAST : DP_BAR,
	    f->data.series > 1 ? k : DP_PLAIN, row_name(c, i, label), said);
	if (known == DP_KNOWN_INTERVAL && (each > 6 || f->kind == DP_FIGURE_BARS)) {
		line(c, x + each / 2, at_y(c, v[1]), x + each / 2, at_y(c, v[2]), DP_WHISKER);
		if (v[2] > c->panel->hi && !c->ops->cells)
			arrow(c, x + each / 2, c->y1, 0, -1);
		top = either(c, fmin(top, at_y(c, v[2])), top);
	}
	if (f->data.series == 1 && (labelled || last))
		centred(c, x + each / 2, top - either(c, 10, 1), DP_VALUE, said);
}

/* A mark across each bar. */
static void
true_marks(struct dp_canvas *c)
{
	const struct dp_figure *f = c->f;
	const struct dp_chart *t = f->p->truth;
	double at, x, w, v;
	unsigned k;
	size_t i;

	for (i = 0; t != NULL && i < dp_chart_drawn(t); i++)
		for (k = 0; k < f->truth.series && k < f->data.series; k++) {
			at = dp_figure_x(f, t, &f->truth, i);
			v = dp_chart_row(t, i)[f->truth.at[k].est];
			if (isnan(v) || (f->kind == DP_FIGURE_BINS && at < 0))
				continue;
			span(c, at, k, &x, &w);
			line(c, x, at_y(c, v), x + w, at_y(c, v), DP_TRUTH);
		}
}

/* Bars of steps, or of bins, with their numbers if there is room for all. */
static void
draw_bars(struct dp_canvas *c, double top)
{
	const struct dp_figure *f = c->f;
	double x, w, each, narrow = INFINITY;
	bool all;
	unsigned k;
	size_t i;

	c->panel = &f->panel[0];
	c->x0 = left(c);
	c->x1 = c->width - either(c, 12, 1);
	each = floor((c->x1 - c->x0) * f->data.bar / (f->xhi - f->xlo));
	if (c->ops->cells && f->kind == DP_FIGURE_BARS && each >= 1)	/* all as wide */
		c->x1 = c->x0 + each * (f->xhi - f->xlo) / f->data.bar;
	c->y0 = c->height - c->ops->foot;
	c->y1 = top + key(c, top, true) + either(c, 22, 1);
	y_axis(c);
	for (i = 0; i < f->rows; i++) {
		span(c, dp_figure_x(f, f->p->data, &f->data, i), 0, &x, &w);
		narrow = fmin(narrow, f->kind == DP_FIGURE_BINS ? w : w / .76);
	}
	all = widest(c) + either(c, 8, 1) < narrow;
	for (i = 0; i < f->rows; i++)
		for (k = 0; k < f->data.series; k++)
			bar(c, i, k, all);
	true_marks(c);
	if (f->is.empty)
		nothing(c);
	x_axis(c);
}

/* Numbers that lie along the width. */
static double
along(const struct dp_canvas *c, double v)
{
	const struct dp_panel *p = &c->f->panel[0];

	return c->x0 + (c->x1 - c->x0) * fmin(fmax((v - p->lo) / (p->hi - p->lo), 0), 1);
}

/* A number alone, with its interval. */
static void
told(struct dp_canvas *c, const double v[static 3], enum dp_known known, double y, const char *said)
{
	char lo[DP_LABEL], hi[DP_LABEL], both[2 * DP_LABEL + 8];
	const double x = c->x0 + c->ops->gap;

	text(c, x, y, DP_VALUE, DP_PLAIN, DP_START, said);
	if (known != DP_KNOWN_INTERVAL || c->sides)
		return;
	snprintf(both, sizeof both, "%s to %s", dp_figure_number(c->f, v[1], v, lo),
	    dp_figure_number(c->f, v[2], v, hi));
	text(c, x + wide(c, said) + 2 * c->ops->gap, y, DP_TICK, DP_PLAIN, DP_START, both);
}

static void
ranked_bar(struct dp_canvas *c, size_t i, unsigned k, double y, double height)
{
	const struct dp_figure *f = c->f;
	const double zero = along(c, 0), middle = y + either(c, height / 2, 0);
	char said[SAID], label[DP_FIGURE_NAME];
	double v[3], end;
	const enum dp_known known = dp_figure_known(f, i, k, v);

	if (known == DP_KNOWN_NOT) {
		text(c, zero + c->ops->gap, middle, DP_TICK, DP_PLAIN, DP_START,
		    dp_figure_untold(f, v, label));
		return;
	}
	end = along(c, v[0]);
	(void)bar_label(c, k, v, known, said);
	if (f->is.apart) {
		told(c, v, known, middle, said);
		return;
	}
	c->ops->box(c, (double [4]){ fmin(zero, end), y, fabs(end - zero), height }, DP_BAR,
	    f->data.series > 1 ? k : DP_PLAIN, row_name(c, i, label), said);
	end = fmax(zero, end);
	if (known == DP_KNOWN_INTERVAL) {
		line(c, along(c, v[1]), middle, along(c, v[2]), middle, DP_WHISKER);
		if (v[2] > f->panel[0].hi && !c->ops->cells)
			arrow(c, c->x1, middle, 1, 0);
		end = either(c, fmax(end, along(c, v[2])), end);
	}
	text(c, ceil(end) + c->ops->gap, middle, DP_VALUE, DP_PLAIN, DP_START, said);
}

/* Names, or on a terminal steps and bins, one below the other. */
static void
draw_ranked(struct dp_canvas *c, double top)
{
	const struct dp_figure *f = c->f;
	const double bar = c->ops->bar, height = bar - either(c, 7, 0);
	const struct dp_chart *t = f->p->truth;
	char out[DP_TEXT_SHORT], label[DP_FIGURE_NAME];
	double y, x;
	unsigned k;
	size_t i;

	top += key(c, top, true) + either(c, 4, 0);
	c->x0 = names(c, f->rows);
	c->x1 = c->width - fmin(widest(c) + either(c, 18, 2), c->width * ROOM);
	for (i = 0; i < f->rows; i++) {
		y = top + bar * f->data.series * (double)i;
		text(c, c->x0 - either(c, 8, 1), y + either(c, height / 2, 0), DP_NAME, DP_PLAIN,
		    DP_END, fit(c, out, row_name(c, i, label), c->x0 - either(c, 10, 1)));
		for (k = 0; k < f->data.series; k++)
			ranked_bar(c, i, k, y + bar * k, height);
	}
	for (i = 0; t != NULL && i < dp_chart_drawn(t); i++)
		for (k = 0; k < f->truth.series; k++) {
			y = f->kind == DP_FIGURE_BARS ? (double)i :
			    dp_figure_x(f, t, &f->truth, i);
			x = along(c, dp_chart_row(t, i)[f->truth.at[k].est]);
			if (y < 0 || y >= (double)f->rows || isnan(x))
				continue;
			y = top + bar * (f->data.series * y + k);
			line(c, x, y - either(c, 2, 0), x, y + height + either(c, 2, -.1),
			    DP_TRUTH);
		}
}

/* A single value. */
static void
draw_number(struct dp_canvas *c, double top)
{
	const struct dp_figure *f = c->f;
	char lo[DP_LABEL], hi[DP_LABEL], said[4 * DP_LABEL];
	const double edge = either(c, 8, 2);
	double v[3];
	const enum dp_known known = dp_figure_known(f, 0, 0, v);

	if (f->rows == 0) {
		(void)folded(c, "No name has enough events to be told.", top, DP_VALUE, 3, true);
		return;
	}
	text(c, edge, top + either(c, 26, 0), DP_BIG, DP_PLAIN, DP_START,
	    known == DP_KNOWN_NOT ? "not known" : dp_figure_number(f, v[0], v, lo));
	snprintf(said, sizeof said, "%s to %s", dp_figure_number(f, v[1], v, lo),
	    dp_figure_number(f, v[2], v, hi));
	if (known == DP_KNOWN_INTERVAL)
		text(c, edge, top + either(c, 64, 1), DP_SUB, DP_PLAIN, DP_START, said);
	if (f->p->truth != NULL && f->truth.series > 0) {
		dp_scale_number(lo, dp_chart_row(f->p->truth, 0)[f->truth.at[0].est], NAN,
		    f->unit);
		snprintf(said, sizeof said, "the truth (NOT PRIVATE): %s", lo);
		text(c, edge, top + either(c, 84, 2), DP_BAD, DP_PLAIN, DP_START, said);
	}
}

/*
 * All of a picture.
 */

/* What a picture needs below its head, if so much is given. */
static double
body(const struct dp_canvas *c, double given)
{
	const struct dp_figure *f = c->f;
	const struct dp_canvas_ops *o = c->ops;
	const double rows = o->bar * (double)(f->rows * f->data.series);

	switch (f->kind) {
	case DP_FIGURE_NUMBER:
		return either(c, 78, 2) + (f->p->truth != NULL ? o->line : 0);
	case DP_FIGURE_LEADS:
		return strip(c) + o->foot + either(c, 4, 0);
	case DP_FIGURE_PLACES:
		return fmax(given, ceil(o->line * 1.3 * f->data.series) + o->foot);
	case DP_FIGURE_LINES:
		return fmax(given, f->panels > 1 ? o->panel * f->panels + o->foot :
		    fmax(o->body, o->line * f->data.series + o->foot) + strip(c));
	case DP_FIGURE_RANKED:
	case DP_FIGURE_BARS:
	case DP_FIGURE_BINS:
		break;
	}
	return c->across ? rows + either(c, 4, 0) : fmax(given, o->body);
}

/* Title, warning and words above; returns their height. */
static double
head(struct dp_canvas *c, const char *said, bool drawn)
{
	const struct dp_picture *p = c->f->p;
	double y = p->page ? 0 : either(c, 6, 0);

	if (!p->page)
		y += folded(c, p->words.title, y, DP_TITLE, HEAD_LINES, drawn);
	if (p->truth != NULL)
		y += folded(c, DP_FIGURE_WARNING, y, DP_BAD, HEAD_LINES, drawn);
	if (!p->page)
		y += folded(c, said, y, DP_SUB, HEAD_LINES, drawn);
	return y + either(c, 6, 0);
}

void
dp_figure_draw(struct dp_buf *b, const struct dp_figure *f, const struct dp_canvas_ops *ops)
{
	static void (*const kind[])(struct dp_canvas *, double) = {
		[DP_FIGURE_NUMBER] = draw_number, [DP_FIGURE_LINES] = draw_lines,
		[DP_FIGURE_BARS] = draw_bars, [DP_FIGURE_RANKED] = draw_ranked,
		[DP_FIGURE_BINS] = draw_bars, [DP_FIGURE_LEADS] = draw_leads,
		[DP_FIGURE_PLACES] = draw_places
	};
	const bool ascii = f->p->text.ascii;
	struct dp_canvas c = { .ops = ops, .b = b, .f = f, .width = f->p->width,
	    .fine = { ascii ? 1 : .5, ascii ? 1 : .25 } };
	const char *caption = f->p->page ? NULL : f->p->words.caption;
	struct dp_buf said = { .p = NULL };
	const double rows = (double)(f->rows * f->data.series);
	double top, given, figure;

	c.across = f->kind == DP_FIGURE_RANKED || (ops->cells && (f->kind == DP_FIGURE_BINS ||
	    (f->kind == DP_FIGURE_BARS && rows + 6 <= f->p->height)));
	c.sides = ops->cells && c.across;
	c.sides &= widest(&c) + 2 <= c.width * ROOM;
	dp_figure_words(&said, f, !ops->cells ? DP_FIGURE_WHISKERS : !c.sides ? NULL :
	    ascii ? "+-: " : "\302\261: ");
	dp_buf_add(&said, "", 1);
	if (said.error != 0) {
		b->error = said.error;
		dp_buf_free(&said);
		return;
	}
	top = head(&c, said.p, false);
	given = fmax(f->p->height - top - key(&c, 0, false), 0);
	c.dots = ops->cells && (f->kind == DP_FIGURE_LINES || f->kind == DP_FIGURE_PLACES);
	figure = top + key(&c, 0, false) + body(&c, given);
	c.height = figure + folded(&c, caption, 0, DP_CAPTION, UINT_MAX, false) + (caption != NULL ?
	    either(&c, 12, 0) : 0);
	ops->open(&c);
	(void)head(&c, said.p, true);
	(void)folded(&c, caption, figure + either(&c, 4, 0), DP_CAPTION, UINT_MAX, true);
	c.height = figure;
	(c.across ? draw_ranked : kind[f->kind])(&c, top);
	c.height = figure + folded(&c, caption, 0, DP_CAPTION, UINT_MAX, false);
	ops->close(&c);
	dp_buf_free(&said);
}
