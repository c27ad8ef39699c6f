/*
 * places.c - names against the time: who leads, and who has which place.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

#define LETTER	8	/* pixels of a letter, at most */

/* Names as the answer: the one that is in most rows has the highest lane. */
int
dp_draw_lanes(struct dp_draw *d)
{
	const struct dp_chart *c = d->p->data;
	size_t *rows, i, k;

	if (d->data.choice < 0 || d->data.series > 0)
		return 0;
	rows = calloc(c->words.n, sizeof *rows);
	d->lane = calloc(c->words.n, sizeof *d->lane);
	if (rows == NULL || d->lane == NULL) {
		free(rows);
		free(d->lane);
		return DP_ENOMEM;
	}
	for (i = 0; i < dp_chart_drawn(c); i++)
		rows[(size_t)dp_chart_row(c, i)[d->data.choice]]++;
	for (i = 0; i < c->words.n; i++)
		for (k = 0; k < c->words.n; k++)
			d->lane[i] += rows[k] < rows[i] || (rows[k] == rows[i] && k > i);
	free(rows);
	return 0;
}

/* Each name where its line ends, with its last number. */
static size_t
names(struct dp_draw *d)
{
	const struct dp_chart *c = d->p->data;
	const double *last = dp_chart_row(c, dp_chart_drawn(c) - 1);
	char out[DP_TEXT_SHORT], number[DP_LABEL], label[DP_TEXT_SHORT + DP_LABEL + 4];
	size_t longest = 0, n;
	unsigned k, est;

	for (k = 0; k < d->data.series; k++) {
		est = d->data.at[k].est;
		dp_scale_number(number, last[est + 1]);
		n = (size_t)snprintf(label, sizeof label, "%s  %s",
		    dp_text_short(out, c->column[est].name, d->name), number);
		dp_draw_add(d, "set label ");
		dp_draw_quote(d, label, n);
		dp_draw_add(d, " at %.17g,%.17g left offset character 1,0 textcolor rgb "
		    "'#222222'\n", d->xhi, last[est]);
		longest = n > longest ? n : longest;
	}
	return longest;
}

void
dp_draw_place_axes(struct dp_draw *d)
{
	unsigned i;

	if (!d->text)
		dp_draw_add(d, "set rmargin at screen %.6g\nset ylabel 'place' textcolor rgb "
		    "'#444444'\n", fmax(.3, 1 - (double)(LETTER * names(d) + 28) / d->p->width));
	dp_draw_add(d, "set ytics (");
	for (i = 1; i <= d->data.series; i++)
		dp_draw_add(d, "%s'%u' %u", i == 1 ? "" : ",", i, i);
	dp_draw_add(d, ")\n");
	d->ylo = d->data.series + .5;
	d->yhi = .5;
}
