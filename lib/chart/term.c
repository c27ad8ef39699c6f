/* SPDX-License-Identifier: ISC */
/*
 * term.c - a canvas of characters: blocks and Braille, whose dots are two by four in each; or
 * ASCII.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "internal.h"

#define SOFT	(DP_SERIES + 1)	/* of axes and bands */
#define BAD	(DP_SERIES + 2)
#define BRAILLE	0x2800
#define TAKEN	UINT32_MAX	/* a cell that the wide character before it takes, too */

struct dp_square {
	uint32_t c;		/* 0: empty */
	uint8_t colour;		/* 0: none; series from 1 on */
};

static bool
is_ascii(const struct dp_canvas *t)
{
	return t->f->p->text.ascii;
}

/* NULL: beyond the edge. */
static struct dp_square *
cell(struct dp_canvas *t, double x, double y)
{
	return t->cell != NULL && x >= 0 && y >= 0 && x < t->width && y < t->height ?
	    &t->cell[(size_t)y * (size_t)t->width + (size_t)x] : NULL;
}

static void
put(struct dp_canvas *t, double x, double y, uint32_t c, uint32_t plain, unsigned colour)
{
	struct dp_square *to = cell(t, x, y);

	if (to != NULL)
		*to = (struct dp_square){ is_ascii(t) ? plain : c, (uint8_t)colour };
}

static unsigned
colour_of(enum dp_class class, unsigned k)
{
	if (k != DP_PLAIN)
		return k % DP_SERIES + 1;
	return class == DP_BAD ? BAD : class == DP_TICK || class == DP_SUB || class == DP_UNKNOWN ?
	    SOFT : class == DP_BAR || class == DP_LAST || class == DP_BIG ? 1 : 0;
}

/*
 * The terminal's colours.
 */

static void
colour(struct dp_buf *b, unsigned colours, unsigned k)
{
	static const uint32_t full[] = { 0x3a8fd0, 0xd9772b, 0x3fa37c, 0xc267ad, 0xa98f1f, 0x2a9fb3,
	    0x8a929a, 0x6f7a85, 0x7d858d, 0xd04545 };
	static const uint8_t few[] = { 36, 33, 32, 35, 34, 31, 90, 39, 90, 31 };
	char code[32];

	if (colours == 0)
		return;
	if (k == 0)
		snprintf(code, sizeof code, "\033[0m");
	else if (colours > 16)
		snprintf(code, sizeof code, "\033[38;2;%u;%u;%um", full[k - 1] >> 16,
		    full[k - 1] >> 8 & 255, full[k - 1] & 255);
	else
		snprintf(code, sizeof code, "\033[%um", few[k - 1]);
	dp_buf_puts(b, code);
}

/* The lines of cells, without what is blank at their ends. */
static void
close_cells(struct dp_canvas *t)
{
	const unsigned colours = t->f->p->text.colours;
	const size_t width = (size_t)t->width;
	size_t x, y, n;
	char u[4];

	for (y = 0; t->cell != NULL && y < (size_t)t->height; y++) {
		const struct dp_square *row = t->cell + y * width;
		unsigned now = 0;

		for (n = width; n > 0 && (row[n - 1].c == 0 || row[n - 1].c == ' '); n--)
			;
		for (x = 0; x < n; x++) {
			if (row[x].c == TAKEN)
				continue;
			if (row[x].c != 0 && row[x].colour != now) {
				if (now != 0)
					colour(t->b, colours, 0);
				now = row[x].colour;
				if (now != 0)
					colour(t->b, colours, now);
			}
			dp_buf_add(t->b, u, (size_t)(dp_utf8_put(u, row[x].c == 0 ? ' ' :
			    row[x].c) - u));
		}
		if (now != 0)
			colour(t->b, colours, 0);
		dp_buf_puts(t->b, "\n");
	}
	free(t->cell);
}

/*
 * The canvas.
 */

static void
open_cells(struct dp_canvas *t)
{
	t->width = floor(t->width);
	t->height = ceil(t->height);
	t->cell = calloc((size_t)t->width * (size_t)t->height, sizeof *t->cell);
	if (t->cell == NULL)
		t->b->error = DP_ENOMEM;
}

static void
text(struct dp_canvas *t, double x, double y, enum dp_class class, unsigned k,
    enum dp_anchor anchor, struct dp_slice s)
{
	const double width = (double)dp_text_width(s.p, s.n, DP_FONT_CELLS) / 100;
	const char *e = s.p + s.n, *p, *instead;
	const unsigned colour = colour_of(class, k);
	uint32_t c = 0;
	size_t n, w;

	x = floor(anchor == DP_START ? x : anchor == DP_END ? x - width : x - width / 2);
	for (p = s.p, x = fmax(x, 0); p < e; p += n, x += (double)w) {
		instead = dp_text_shown(p, e, &n);
		w = dp_text_width(p, n, DP_FONT_CELLS) / 100;
		if (instead != NULL)
			c = (unsigned char)*instead;
		else
			(void)dp_utf8(&c, p, e);
		if (w > 0)		/* a mark above the letter before it has no cell */
			put(t, x, y, c, c, colour);
		if (w > 1)
			put(t, x + 1, y, TAKEN, TAKEN, colour);
	}
}

/* Eighths of a cell at the end of a bar, its right one or its upper one. */
static void
box(struct dp_canvas *t, const double at[static 4], enum dp_class class, unsigned k,
    const char *name, const char *number)
{
	const bool up = t->f->kind == DP_FIGURE_BARS && !t->across;
	const double x0 = floor(at[0] + (up ? .5 : 0)), y1 = at[1] + fmax(at[3], .01);
	const double x1 = up ? fmax(at[0] + at[2] - .5, x0 + 1) : at[0] + fmax(at[2], .01);
	double x, y, part;

	(void)name;
	(void)number;
	for (y = floor(at[1]); y < y1; y++)
		for (x = x0; x < x1; x++) {
			part = up ? y + 1 - fmax(y, at[1]) : fmin(x + 1, x1) - x;
			part = fmax(round(part * 8), 1);
			if (class == DP_UNKNOWN)
				put(t, x, y, 0x2591, ':', SOFT);
			else if (!is_ascii(t) || part >= 4)
				put(t, x, y, up ? 0x2580 + (uint32_t)part : 0x2590 - (uint32_t)part,
				    '#', colour_of(class, k));
		}
}

static void
dot(struct dp_canvas *t, double x, double y, uint32_t plain, bool over)
{
	static const uint8_t bit[4][2] = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } };
	struct dp_square *c = cell(t, x, y);
	const uint8_t colour = (uint8_t)(over ? colour_of(t->pen.class, t->pen.k) : SOFT);

	if (c == NULL)
		return;
	if (is_ascii(t)) {
		if (over || c->c == 0)
			*c = (struct dp_square){ plain, colour };
		return;
	}
	if ((c->c & ~0xffu) != BRAILLE)
		*c = (struct dp_square){ .c = BRAILLE };
	c->c |= bit[(size_t)(y * 4) % 4][(size_t)(x * 2) % 2];
	if (over || c->colour == 0)
		c->colour = colour;
}

static void
path(struct dp_canvas *t, enum dp_class class, unsigned k)
{
	t->pen.class = class;
	t->pen.k = k;
}

/* A band has its edges alone, of every second dot, and the truth is dashed. */
static void
point(struct dp_canvas *t, bool pen, double x, double y)
{
	static const char mark[DP_SERIES + 1] = "*#o+x=@&";
	const enum dp_class class = t->pen.class;
	const uint32_t plain = class == DP_BAND ? '.' : class == DP_TRUTH ? '-' :
	    (unsigned char)mark[t->pen.k % DP_SERIES];
	const double fx = pen ? t->pen.x : x, fy = pen ? t->pen.y : y;
	const double n = fmax(1, ceil(fmax(fabs(x - fx) / t->fine[0], fabs(y - fy) / t->fine[1])));
	const int every = is_ascii(t) || class == DP_LINE || n < 2 ? 1 : 2;
	double i;

	t->pen.x = x;
	t->pen.y = y;
	if (class == DP_TRUTH && t->across)
		put(t, x, y, 0x2502, 'o', 0);
	if (class == DP_WHISKER || class == DP_GRID || class == DP_AXIS || t->across)
		return;
	for (i = 0; i <= n; i++)
		if ((long)((fx + (x - fx) * i / n) / t->fine[0]) % every == 0 || n < 2)
			dot(t, fx + (x - fx) * i / n, fy + (y - fy) * i / n, plain,
			    class != DP_BAND);
}

static void
end(struct dp_canvas *t)
{
	(void)t;
}

static void
axes(struct dp_canvas *t, bool x)
{
	double at;

	for (at = x ? t->x0 : t->y1; at < (x ? t->x1 : t->y0); at++)
		put(t, x ? at : t->x0 - 1, x ? t->y0 : at, x ? 0x2500 : 0x2502, x ? '-' : '|',
		    SOFT);
	if (x)
		put(t, t->x0 - 1, t->y0, 0x2514, '+', SOFT);
}

static void
tick(struct dp_canvas *t, bool x, double at)
{
	put(t, x ? at : t->x0 - 1, x ? t->y0 : at, x ? 0x252c : 0x2524, '+', SOFT);
}

const struct dp_canvas_ops dp_term = { .cells = true, .line = 1, .gap = 1, .bar = 1, .lane = 1,
    .foot = 2, .xtick = 12, .ytick = 4, .body = 8, .panel = 6, .open = open_cells,
    .close = close_cells, .text = text, .box = box, .path = path, .point = point, .end = end,
    .axes = axes, .tick = tick };
