/*
 * picture.c - a chart in gnuplot's commands.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

#define LINE	16	/* pixels of a line of the caption */
#define DENSITY	2	/* dots of a PNG for each pixel of the picture */
#define LONG_STEP	(23 * 3600)	/* seconds: a day, which is a bar */

void
dp_draw_add(struct dp_draw *d, const char *format, ...)
{
	char line[256];
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

void
dp_draw_quote(struct dp_draw *d, const char *s, size_t n)
{
	/* not digits, which gnuplot would take for more of a number before them */
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    " .,:/-_";
	const char *e = s + n, *instead, *c;

	dp_buf_puts(d->b, "\"");
	for (; s < e; s += n) {
		instead = dp_text_shown(s, e, &n);
		for (c = instead != NULL ? instead : s; c < (instead != NULL ? instead + 1 : s + n);
		    c++)
			if (memchr(plain, *c, sizeof plain - 1) != NULL)
				dp_buf_add(d->b, c, 1);
			else
				dp_draw_add(d, "\\%03o", (unsigned char)*c);
	}
	dp_buf_puts(d->b, "\"");
}

double
dp_draw_name(const struct dp_draw *d, const struct dp_chart *c, double text)
{
	size_t i;

	if (c == d->p->data)
		return d->lane == NULL ? text : (double)d->lane[(size_t)text];
	for (i = 0; i < d->p->data->words.n; i++)
		if (strcmp(d->p->data->words.text[i], c->words.text[(size_t)text]) == 0)
			return d->lane == NULL ? (double)i : (double)d->lane[i];
	return -1;
}

double
dp_draw_x(const struct dp_draw *d, const struct dp_chart *c, const struct dp_chart_view *v,
    size_t i)
{
	const double *row = dp_chart_row(c, i);

	if (v->axis == DP_CHART_NAME)
		return dp_draw_name(d, c, row[v->choice]);
	return v->x >= 0 ? row[v->x] : (double)(c->before +
	    (i < c->rows ? i * c->stride + 1 : c->seen));
}

/* Lines of the words under a picture of pixels. */
static size_t
caption_lines(const struct dp_draw *d)
{
	const char *s = d->p->caption;
	size_t lines = 0, n;

	for (; s != NULL && !d->text && *s != '\0'; lines++)
		s = dp_text_fold(s, d->p->width / 7, &n);
	return lines;
}

static void
caption(struct dp_draw *d)
{
	const size_t lines = caption_lines(d);
	const double height = (double)d->height;
	const char *s, *next;
	size_t i, n;

	if (lines > 0)
		dp_draw_add(d, "set bmargin at screen %.6g\n",
		    (double)(LINE * lines + 64) / height);
	for (s = d->p->caption, i = lines; i > 0; s = next, i--) {
		next = dp_text_fold(s, d->p->width / 7, &n);
		dp_draw_add(d, "set label ");
		dp_draw_quote(d, s, n);
		dp_draw_add(d, " at screen 0.02, screen %.6g font ',11' textcolor rgb '#444444'\n",
		    LINE * ((double)i - 0.4) / height);
	}
}

static void
terminal(struct dp_draw *d)
{
	d->height = d->p->height + dp_draw_more(d) + LINE * caption_lines(d);
	dp_draw_add(d, "set encoding utf8\nset terminal ");
	switch (d->p->form) {
	case DP_PICTURE_TEXT:
		dp_draw_add(d, "dumb noenhanced size %u,%u\nset border 3 back\n", d->p->width,
		    d->p->height);
		dp_draw_add(d, "set tics nomirror scale 0.5\n");
		return;
	case DP_PICTURE_PNG:	/* two dots a pixel, for screens that have them */
		dp_draw_add(d, "pngcairo noenhanced font 'sans,11' background rgb 'white' "
		    "fontscale %d linewidth %d pointscale %d ", DENSITY, DENSITY, DENSITY);
		break;
	case DP_PICTURE_SVG:
		dp_draw_add(d, "svg noenhanced dynamic font 'sans-serif,13' "
		    "background rgb 'white' ");
		break;
	}
	dp_draw_add(d, "size %u,%zu\nset border 3 lc rgb '#888888'\n", d->p->width *
	    (d->p->form == DP_PICTURE_PNG ? DENSITY : 1), d->height *
	    (d->p->form == DP_PICTURE_PNG ? DENSITY : 1));
	dp_draw_add(d, "set tics nomirror out scale 0.5 textcolor rgb '#222222'\n"
	    "set grid lt 1 lw 0.5 lc rgb '#dddddd'\n");
}

/* Bytes of a name at an axis or in the legend. */
static size_t
name_width(const struct dp_draw *d)
{
	const size_t n = d->text ? d->p->width / 3 : d->p->width / 28;

	return n < 10 ? 10 : n > 28 ? 28 : n;
}

/* The least distance of two rows on the axis; of a single one 1, or its bucket. */
static double
least_gap(const struct dp_draw *d)
{
	const struct dp_chart *c = d->p->data;
	double least = INFINITY, gap;
	size_t i;

	for (i = 1; i < dp_chart_drawn(c); i++) {
		gap = dp_draw_x(d, c, &d->data, i) - dp_draw_x(d, c, &d->data, i - 1);
		least = gap > 0 && gap < least ? gap : least;
	}
	return isfinite(least) ? least : d->p->bucket > 0 ? d->p->bucket : 1;
}

/* Steps are bars, also a single one whose width is known. */
static void
look(struct dp_draw *d)
{
	const struct dp_chart *c = d->p->data;

	dp_chart_look(c, &d->data);
	if (d->data.axis == DP_CHART_DATE && d->data.choice < 0 && d->data.series == 1 &&
	    c->seen == 1 && d->p->bucket >= LONG_STEP)
		d->data.bar = d->p->bucket;
	if (d->p->bars && d->data.choice < 0 && d->data.series > 0)
		d->data.bar = least_gap(d);
	if (d->p->truth != NULL)
		dp_chart_look(d->p->truth, &d->truth);
	if (d->p->leads && d->data.choice >= 0)
		d->data.series = d->truth.series = 0;
	d->across = dp_draw_is_across(d);
	d->name = name_width(d);
}

void
dp_picture_script(struct dp_buf *b, const struct dp_picture *p)
{
	struct dp_draw d = { .b = b, .p = p, .text = p->form == DP_PICTURE_TEXT };

	look(&d);
	if (dp_draw_lanes(&d) != 0) {
		b->error = DP_ENOMEM;
		return;
	}
	terminal(&d);
	dp_draw_heading(&d);
	caption(&d);
	dp_draw_axes(&d);
	dp_draw_key(&d);
	dp_draw_marks(&d);
	free(d.lane);
}
