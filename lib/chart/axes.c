/*
 * axes.c - what a picture's axes reach over, and their ticks.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "scale.h"
#include "stream/when.h"
#include "stream/whentext.h"

#define LABEL_MAX	24	/* bytes of a name at a tick */

static void
stretch(double *lo, double *hi, double v)
{
	*lo = v < *lo ? v : *lo;
	*hi = v > *hi ? v : *hi;
}

static void
extent(struct dp_draw *d, const struct dp_chart *c, const struct dp_chart_view *v)
{
	const double *row;
	unsigned k;
	size_t i;

	for (i = 0; i < dp_chart_drawn(c); i++) {
		row = dp_chart_row(c, i);
		stretch(&d->xlo, &d->xhi, dp_draw_x(d, c, v, i));
		for (k = 0; k < v->series; k++) {
			stretch(&d->ylo, &d->yhi, row[v->at[k].est]);
			if (v->at[k].lo >= 0) {
				stretch(&d->ylo, &d->yhi, row[v->at[k].lo]);
				stretch(&d->ylo, &d->yhi, row[v->at[k].hi]);
			}
		}
	}
}

/* At most n of the names, each at its number. */
static void
name_ticks(struct dp_draw *d, char axis, unsigned n)
{
	const struct dp_chart *c = d->p->data;
	const size_t every = (c->words.n + n - 1) / n;
	char label[2 * LABEL_MAX], *p;
	const char *s;
	size_t i;

	dp_draw_add(d, "set %ctics (", axis);
	for (i = 0; i < c->words.n; i += every) {
		for (s = c->words.text[i], p = label; *s != '\0' &&
		    s < c->words.text[i] + LABEL_MAX; s++) {
			if (*s == '%')		/* a label of a tick is a format */
				*p++ = '%';
			*p++ = *s;
		}
		if (i > 0)
			dp_draw_add(d, ",");
		dp_draw_quote(d, label, (size_t)(p - label));
		dp_draw_add(d, " %zu", i);
	}
	dp_draw_add(d, ")\n");
}

static void
ticks(struct dp_draw *d, char axis, const struct dp_scale *s)
{
	char label[DP_LABEL];
	double at;
	unsigned i;

	dp_draw_add(d, "set %ctics (", axis);
	for (i = 0; dp_scale_tick(s, i, &at, label); i++)
		dp_draw_add(d, "%s'%s' %.17g", i == 0 ? "" : ",", label, at);
	dp_draw_add(d, ")\n");
}

static void
x_label(struct dp_draw *d, const char *what)
{
	const struct dp_chart *all = d->p->numbers != NULL ? d->p->numbers : d->p->data;
	char more[96] = "";

	if (all->stride > 1)
		snprintf(more, sizeof more, " (one in %llu is drawn)",
		    (unsigned long long)all->stride);
	else if (d->p->numbers != NULL && all->words.n > d->data.series)
		snprintf(more, sizeof more, "; the %u largest of %zu names", d->data.series,
		    all->words.n);
	dp_draw_add(d, "set xlabel '%s%s'\n", what, more);
}

static void
time_axis(struct dp_draw *d, unsigned n)
{
	const int zone = d->p->data->zone;
	char label[80], begin[24] = "";
	struct dp_scale s;

	/* a day is at its beginning: 12:00 is no step */
	dp_scale_times(&s, d->xlo, d->xhi, n, zone,
	    d->data.bar > 0 || d->p->bucket >= DAY ? DAY : 0);
	ticks(d, 'x', &s);
	(void)dp_when_put(begin, (int64_t)d->xlo + zone, NULL);
	if (zone == 0)
		snprintf(label, sizeof label, "UTC, from %.10s", begin);
	else
		snprintf(label, sizeof label, "from %.10s, UTC%+03d:%02d", begin, zone / 3600,
		    abs(zone) / 60 % 60);
	x_label(d, label);
}

static void
x_axis(struct dp_draw *d)
{
	const unsigned n = d->p->width / (d->text ? 12 : 90) + 1;
	struct dp_scale s;

	switch (d->data.axis) {
	case DP_CHART_NAME:
		name_ticks(d, 'x', n);
		d->xlo = -0.6;
		d->xhi = (double)d->p->data->words.n - 0.4;
		return;
	case DP_CHART_DATE:
		time_axis(d, n);
		d->xlo -= d->data.bar * 0.6;
		d->xhi += d->data.bar * 0.6;
		break;
	case DP_CHART_STEP:
	case DP_CHART_ROW:
		dp_scale_numbers(&s, d->xlo, d->xhi, n, true);
		ticks(d, 'x', &s);
		x_label(d, d->data.axis == DP_CHART_ROW && d->p->data->row[0] != '\0' ?
		    d->p->data->row : "step");
		break;
	}
	if (d->xlo == d->xhi) {
		d->xlo -= 1;
		d->xhi += 1;
	}
}

/* The numbers in words, if the axis is as long. */
static void
y_label(struct dp_draw *d)
{
	size_t n;

	if (d->text || d->p->estimate == NULL ||
	    (n = strlen(d->p->estimate)) > d->p->height / 10)
		return;
	dp_draw_add(d, "set ylabel ");
	dp_draw_quote(d, d->p->estimate, n);
	dp_draw_add(d, " textcolor rgb '#444444'\n");
}

/* From 0 if that is not far away, and a little more than what is there. */
static void
y_axis(struct dp_draw *d)
{
	const unsigned n = d->p->height / (d->text ? 4 : 70) + 1;
	struct dp_scale s;
	double more;

	if (d->data.series == 0) {
		name_ticks(d, 'y', d->p->height / (d->text ? 2 : 20));
		d->ylo = -0.5;
		d->yhi = (double)d->p->data->words.n - 0.5;
		return;
	}
	if ((d->ylo > 0 && d->ylo < 2 * (d->yhi - d->ylo)) || (d->data.bar > 0 && !d->text) ||
	    d->data.axis == DP_CHART_NAME)
		stretch(&d->ylo, &d->yhi, 0);
	more = (d->yhi - d->ylo) / 25;
	if (more < 1e-9 * fabs(d->yhi) || more == 0)	/* all the same */
		more = d->yhi == 0 ? 1 : fabs(d->yhi) / 25;
	d->ylo -= d->ylo == 0 ? 0 : more;
	d->yhi += more;
	y_label(d);
	dp_scale_numbers(&s, d->ylo, d->yhi, n, false);
	ticks(d, 'y', &s);
}

void
dp_draw_axes(struct dp_draw *d)
{
	d->xlo = d->ylo = INFINITY;
	d->xhi = d->yhi = -INFINITY;
	extent(d, d->p->data, &d->data);
	if (d->p->truth != NULL)
		extent(d, d->p->truth, &d->truth);
	x_axis(d);
	y_axis(d);
	dp_draw_add(d, "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n", d->xlo, d->xhi,
	    d->ylo, d->yhi);
}
