/*
 * heading.c - what stands above a picture: the title, what is to be known of the truth, the legend.
 */
#include <stdio.h>
#include <string.h>

#include "draw.h"

#define TITLE_LINES	3	/* that a title may have */
#define ENTRY		18	/* pixels of a line of the legend */
#define LETTER		8	/* pixels of a letter there, at most */
#define SAMPLE		80	/* of what stands beside an entry's words */
#define ABOVE		4	/* entries that have their place above; more stand at the side */
#define WIDE		640	/* pixels of a picture that has room at its side */

static bool
has_key(const struct dp_draw *d)
{
	if (d->p->ranked && !d->text)
		return false;			/* names stand where their lines end */
	if (d->p->truth != NULL || d->data.series > 1 || d->across)
		return d->p->truth != NULL || d->data.series > 1 || d->data.at[0].lo >= 0;
	return d->data.axis != DP_CHART_NAME && d->data.series == 1 &&
	    (d->data.choice >= 0 || dp_draw_band(d, 0));
}

/* Entries of the legend, and the letters of the longest. */
static unsigned
entries(const struct dp_draw *d, size_t *longest)
{
	const struct dp_chart *c = d->p->data;
	const bool names = d->data.choice >= 0 && d->data.axis != DP_CHART_NAME;
	unsigned n = d->data.series, k;
	size_t length;

	*longest = n == 1 ? strlen("95 % noise interval") : 0;
	if (d->across || d->data.bar > 0)
		*longest += strlen(n == 1 ? "estimate, " : "");
	for (k = 0; k < n; k++) {
		length = c->column[d->data.at[k].est].name == NULL ? 9 :
		    strlen(c->column[d->data.at[k].est].name);
		*longest = length > *longest ? length : *longest;
	}
	for (k = 0; names && k < c->words.n && k < DP_DRAW_COLOURS; k++) {
		length = strlen(c->words.text[k]);
		*longest = length > *longest ? length : *longest;
	}
	if (n > 1 || names)
		*longest = *longest < d->name ? *longest : d->name;
	if (d->p->truth != NULL)
		*longest += strlen(", the truth");
	n = names ? k : n;
	return n + (d->data.series == 1 && d->data.bar == 0) +
	    (d->p->truth == NULL ? 0 : d->data.series > 1 ? d->data.series : 1);
}

/* Lines and columns of the legend above the picture; 0 lines: it has none there. */
static unsigned
key_lines(const struct dp_draw *d, unsigned *columns)
{
	size_t longest;
	unsigned n;

	*columns = 1;
	if (d->text || !has_key(d))
		return 0;
	n = entries(d, &longest);
	if (n > ABOVE && d->p->width >= WIDE)
		return 0;
	*columns = (unsigned)(0.9 * d->p->width / (double)(LETTER * longest + SAMPLE));
	*columns = *columns == 0 ? 1 : *columns;
	return (n + *columns - 1) / *columns;
}

size_t
dp_draw_more(const struct dp_draw *d)
{
	unsigned columns;
	const unsigned lines = key_lines(d, &columns);

	return (lines > 2 ? ENTRY * (lines - 2) : 0) + dp_draw_across_more(d);
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

static void
legend(struct dp_draw *d, unsigned down)
{
	unsigned columns;
	const unsigned lines = key_lines(d, &columns);

	if (!has_key(d))
		dp_draw_add(d, "set key off\n");
	else if (lines == 0)
		dp_draw_add(d, "set key outside right top vertical Left reverse\n");
	else
		dp_draw_add(d, "set key at %s, graph 1.02 left bottom horizontal Left reverse "
		    "maxcols %u%s\n", d->p->width < WIDE ? "screen 0" : "graph 0", columns,
		    columns == 1 ? " width -8" : "");
	down += lines > 0 ? 26 + ENTRY * lines : 14;
	dp_draw_add(d, "set tmargin at screen %.6g\n", 1 - down / (double)d->height);
}

void
dp_draw_heading(struct dp_draw *d)
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
		legend(d, down);
		return;
	}
	dp_draw_add(d, "set key tmargin left horizontal Left reverse\nset title ");
	text_title(d, title == NULL ? "" : title);
	if (d->p->truth != NULL)
		dp_draw_add(d, ".\"%s\".'%s'", title == NULL ? "" : "\\n", warning);
	dp_draw_add(d, "\n");
}

void
dp_draw_key(struct dp_draw *d)
{
	if (d->text && !has_key(d))
		dp_draw_add(d, "set key off\n");
}
