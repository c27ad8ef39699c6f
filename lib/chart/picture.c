/*
 * picture.c - a chart in gnuplot's commands.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "draw.h"

#define LINE	16	/* pixels of a line of the caption */
#define TITLE_LINES	3	/* that a title may have */
#define DENSITY	2	/* dots of a PNG for each pixel of the picture */

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

/* Bytes of the character of UTF-8 that [s,e) begins with; 0: it is none. */
static size_t
utf8(const unsigned char *s, const unsigned char *e)
{
	const size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 :
	    s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
	size_t i;

	if (n > (size_t)(e - s))
		return 0;
	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

const char *
dp_text_shown(const char *s, const char *e, size_t *n)
{
	const unsigned char *u = (const unsigned char *)s;

	if ((*n = utf8(u, (const unsigned char *)e)) == 0) {
		*n = 1;
		return "?";
	}
	return *u < ' ' || *u == 0x7f ? " " : *u == 0xc2 && u[1] < 0xa0 ? "?" : NULL;
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
		return text;
	for (i = 0; i < d->p->data->words.n; i++)
		if (strcmp(d->p->data->words.text[i], c->words.text[(size_t)text]) == 0)
			return (double)i;
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

const char *
dp_text_fold(const char *text, size_t width, size_t *n)
{
	size_t i;

	*n = strcspn(text, "\n");
	if (*n > width) {
		for (i = *n = width; i > 0; i--)
			if (text[i] == ' ') {
				*n = i;
				break;
			}
		for (i = *n; i > 0 && ((unsigned char)text[i] & 0xc0) == 0x80; i--)
			;
		*n = i > 0 ? i : *n;	/* not inside of a character */
	}
	return text + *n + (text[*n] == ' ' || text[*n] == '\n');
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
		dp_draw_add(d, " at screen 0.02, screen %.6g font ',9' textcolor rgb '#444444'\n",
		    LINE * ((double)i - 0.4) / height);
	}
}

static void
terminal(struct dp_draw *d)
{
	d->height = d->p->height + LINE * caption_lines(d);
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

static bool
has_key(const struct dp_draw *d)
{
	if (d->p->truth != NULL || d->data.series > 1)
		return true;
	return d->data.axis != DP_CHART_NAME && d->data.series == 1 &&
	    (d->data.choice >= 0 || dp_draw_band(d, 0));
}

/* A line above a picture of pixels, of n bytes; returns how far down the next begins. */
static unsigned
headline(struct dp_draw *d, unsigned down, const char *text, size_t n, bool centred,
    const char *style)
{
	dp_draw_add(d, "set label ");
	dp_draw_quote(d, text, n);
	dp_draw_add(d, " at screen %s, screen %.6g %s %s\n", centred ? "0.5" : "0.02",
	    1 - (down + 14.) / (double)d->height, centred ? "center" : "left", style);
	return down + 26;
}

/*
 * A long title is folded, since gnuplot would cut it off at both sides, and begins at the
 * left, since letters may be wide.
 */
static unsigned
title_lines(struct dp_draw *d)
{
	const size_t width = d->p->width / 11;
	const char *s = d->p->title, *next;
	const bool centred = strlen(s) <= d->p->width / 18;
	unsigned i, down = 0;
	size_t n;

	for (i = 0; i < TITLE_LINES && *s != '\0'; i++, s = next) {
		next = dp_text_fold(s, width, &n);
		down = headline(d, down, s, n, centred, "font ',14' textcolor rgb '#222222'");
	}
	return *s == '\0' ? down : headline(d, down, "...", 3, centred, "font ',14'");
}

/* With characters gnuplot leaves out a title that does not fit. */
static void
text_title(struct dp_draw *d, const char *title)
{
	size_t n;

	if (*dp_text_fold(title, d->p->width - 16, &n) == '\0')
		n = strlen(title);
	dp_draw_quote(d, title, n);
	if (title[n] != '\0')
		dp_draw_add(d, ".'...'");
}

/* The title, what is to be known of the truth, and the legend, each below the other. */
static void
heading(struct dp_draw *d)
{
	static const char warning[] = "NOT PRIVATE: the truth is shown";
	const char *title = d->p->title;
	unsigned down = 0;

	if (!d->text) {
		if (title != NULL)
			down = title_lines(d);
		if (d->p->truth != NULL)
			down = headline(d, down, warning, sizeof warning - 1, true,
			    "font ',11' textcolor rgb '#b00000'");
		dp_draw_add(d, d->data.series > 8 ? "set key outside right top\n" :
		    "set key at graph 0, graph 1.02 left bottom horizontal Left reverse\n");
		down += has_key(d) && d->data.series <= 8 ? 44 : 14;
		dp_draw_add(d, "set tmargin at screen %.6g\n", 1 - down / (double)d->height);
		return;
	}
	dp_draw_add(d, "set key tmargin left horizontal Left reverse\nset title ");
	text_title(d, title == NULL ? "" : title);
	if (d->p->truth != NULL)
		dp_draw_add(d, ".\"%s\".'%s'", title == NULL ? "" : "\\n", warning);
	dp_draw_add(d, "\n");
}

void
dp_picture_script(struct dp_buf *b, const struct dp_picture *p)
{
	struct dp_draw d = { .b = b, .p = p, .text = p->form == DP_PICTURE_TEXT };

	dp_chart_look(p->data, &d.data);
	if (p->truth != NULL)
		dp_chart_look(p->truth, &d.truth);
	terminal(&d);
	heading(&d);
	caption(&d);
	dp_draw_axes(&d);
	if (!has_key(&d))
		dp_draw_add(&d, "set key off\n");
	dp_draw_marks(&d);
}
