/*
 * across.c - bars of names: one below the other, as names are long, each with its number behind it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw.h"
#include "scale.h"

#define NAMES	24	/* bars in any order, at most; more are columns, as of a histogram */
#define LEADING	20	/* bars of what comes in the order of its numbers: the first of them */
#define BAR	22	/* pixels of a bar and the gap below it */
#define LETTER	8	/* pixels of a digit */

/* The rows come in the order of their numbers. */
static bool
falls(const struct dp_chart *c, unsigned est)
{
	size_t i;

	for (i = 1; i < dp_chart_drawn(c); i++)
		if (!(dp_chart_row(c, i)[est] <= dp_chart_row(c, i - 1)[est]))
			return false;
	return true;
}

bool
dp_draw_is_across(const struct dp_draw *d)
{
	const struct dp_chart *c = d->p->data;

	return !d->text && d->data.axis == DP_CHART_NAME && c->stride == 1 &&
	    (dp_chart_drawn(c) <= NAMES || falls(c, d->data.at[0].est));
}

size_t
dp_draw_rows(const struct dp_draw *d, const struct dp_chart *c)
{
	const size_t n = dp_chart_drawn(c);

	return d->across && c == d->p->data && n > NAMES ? LEADING : n;
}

size_t
dp_draw_across_more(const struct dp_draw *d)
{
	const size_t want = d->across ? BAR * dp_draw_rows(d, d->p->data) + 4 * BAR : 0;

	return want > d->p->height ? want - d->p->height : 0;
}

/* End of a row's marks. */
static double
end_of(const struct dp_draw *d, const double *row)
{
	const int hi = d->data.at[0].hi;
	const double end = row[d->data.at[0].est];

	return fmax(0, hi >= 0 && row[hi] > end ? row[hi] : end);
}

/* Each bar's number; returns the letters of the longest. */
static size_t
numbers(struct dp_draw *d)
{
	const struct dp_chart *c = d->p->data;
	char label[DP_LABEL];
	size_t longest = 0, i;
	const double *row;

	for (i = 0; d->data.series == 1 && i < dp_draw_rows(d, c); i++) {
		row = dp_chart_row(c, i);
		if (isnan(row[d->data.at[0].est]))
			continue;
		dp_scale_number(label, row[d->data.at[0].est]);
		dp_draw_add(d, "set label ");
		dp_draw_quote(d, label, strlen(label));
		dp_draw_add(d, " at %.17g,%.17g left offset character 0.7,0 textcolor rgb "
		    "'#222222'\n", end_of(d, row), dp_draw_x(d, c, &d->data, i));
		longest = strlen(label) > longest ? strlen(label) : longest;
	}
	return longest;
}

/* Label of the numbers, if it fits; their time; and the number of rows left out. */
static void
x_label(struct dp_draw *d, size_t rows)
{
	const char *what = d->p->ylabel != NULL ? d->p->ylabel : d->p->estimate;
	const char *when = d->p->when;
	const size_t all = dp_chart_drawn(d->p->data);

	dp_draw_add(d, "set xlabel ");
	if (what == NULL || strlen(what) + (when != NULL ? strlen(when) : 0) > d->p->width / 12)
		what = "";
	dp_draw_quote(d, what, strlen(what));
	if (when != NULL) {
		dp_draw_add(d, *what == '\0' ? "." : ".', '.");
		dp_draw_quote(d, when, strlen(when));
	}
	if (rows < all)
		dp_draw_add(d, ".\"\\n\".'the %zu largest of %zu names'", rows, all);
	dp_draw_add(d, " textcolor rgb '#444444'\n");
}

void
dp_draw_across_axes(struct dp_draw *d)
{
	const struct dp_chart *c = d->p->data;
	const size_t letters = numbers(d), rows = dp_draw_rows(d, c);
	struct dp_scale s;

	dp_draw_add(d, "set grid noytics\n");
	dp_draw_name_ticks(d, 'y', (unsigned)c->words.n, d->name);
	d->xlo = fmin(d->ylo, 0);
	d->xhi = fmax(d->yhi, 0);
	if (d->xlo == d->xhi)
		d->xhi = 1;
	/* names and margins take some third of the width */
	d->xhi += (d->xhi - d->xlo) * (.02 + LETTER * (double)(letters + 1) / (d->p->width * .6));
	d->ylo = (double)rows - .4;
	d->yhi = -.6;
	dp_scale_numbers(&s, d->xlo, d->xhi, d->p->width / 150 + 1, false);
	dp_draw_ticks(d, 'x', &s);
	x_label(d, rows);
}

void
dp_draw_across_bars(struct dp_draw *d)
{
	const double all = .8, width = all / d->data.series;
	double y;
	unsigned k, est;

	for (k = 0; k < d->data.series; k++) {
		y = width * (k + .5) - all / 2;
		est = (unsigned)d->data.at[k].est + 2;
		dp_draw_add(d, " $data using ($%u/2):($1%+.9g):($%u < 0 ? $%u : 0):"
		    "($%u > 0 ? $%u : 0):($1%+.9g):($1%+.9g) with boxxyerror lc rgb '%s'", est, y,
		    est, est, est, est, y - width / 2, y + width / 2,
		    dp_draw_colour[k % DP_DRAW_COLOURS]);
		dp_draw_title(d, d->p->data, &d->data, k);
		if (d->data.at[k].lo >= 0)
			dp_draw_add(d, " $data using %u:($1%+.9g):%d:%d with xerrorbars pt 0 "
			    "lw 1.5 lc rgb '#222222' notitle,", est, y, d->data.at[k].lo + 2,
			    d->data.at[k].hi + 2);
	}
}
