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

	for (i = 0; i < dp_draw_rows(d, c); i++) {
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

void
dp_draw_name_ticks(struct dp_draw *d, char axis, size_t n, size_t most)
{
	const struct dp_chart *c = d->p->data;
	const size_t every = (c->words.n + n - 1) / n;
	char label[2 * DP_TEXT_SHORT], out[DP_TEXT_SHORT], *p;
	size_t i, at, k = 0;
	const char *s;

	dp_draw_add(d, "set %ctics (", axis);
	for (i = 0; i < c->words.n; i++) {
		at = d->lane == NULL ? i : d->lane[i];
		if ((d->lane == NULL ? at : c->words.n - 1 - at) % every != 0)
			continue;
		for (s = dp_text_short(out, c->words.text[i], most), p = label; *s != '\0'; s++) {
			if (*s == '%')		/* a label of a tick is a format */
				*p++ = '%';
			*p++ = *s;
		}
		if (k++ > 0)
			dp_draw_add(d, ",");
		dp_draw_quote(d, label, (size_t)(p - label));
		dp_draw_add(d, " %zu", at);
	}
	dp_draw_add(d, ")\n");
}

void
dp_draw_ticks(struct dp_draw *d, char axis, const struct dp_scale *s)
{
	char label[DP_LABEL];
	double at;
	unsigned i;

	dp_draw_add(d, "set %ctics (", axis);
	for (i = 0; dp_scale_tick(s, i, &at, label); i++)
		dp_draw_add(d, "%s'%s' %.17g", i == 0 ? "" : ",", label, at);
	dp_draw_add(d, ")\n");
}

/* A narrow picture gets a second line for the rest. */
static void
x_label(struct dp_draw *d, const char *what)
{
	const struct dp_chart *all = d->p->numbers != NULL ? d->p->numbers : d->p->data;
	const bool wide = d->text || d->p->width >= 640;
	char more[96] = "";

	if (all->stride > 1)
		snprintf(more, sizeof more, "one in %llu is drawn",
		    (unsigned long long)all->stride);
	else if (d->p->numbers != NULL && all->words.n > d->data.series)
		snprintf(more, sizeof more, d->p->ranked ? "the first %u of %zu names" :
		    "the %u largest of %zu names", d->data.series, all->words.n);
	if (*more == '\0')
		dp_draw_add(d, "set xlabel '%s'\n", what);
	else if (all->stride > 1 && wide)
		dp_draw_add(d, "set xlabel '%s (%s)'\n", what, more);
	else
		dp_draw_add(d, "set xlabel '%s'.\"%s\".'%s'\n", what, wide ? "\\073 " : "\\n",
		    more);
}

static void
time_axis(struct dp_draw *d, unsigned n)
{
	const int zone = d->p->data->zone;
	char label[80], begin[24] = "";
	struct dp_scale s;

	/* a day is at its beginning, 12:00 is no step, and a week has one bar */
	dp_scale_times(&s, d->xlo, d->xhi, n, zone, d->data.bar > 25 * HOUR ? d->data.bar :
	    d->data.bar > 0 || d->p->bucket >= DAY ? DAY : 0);
	dp_draw_ticks(d, 'x', &s);
	(void)dp_when_put(begin, (int64_t)(d->xlo + d->data.bar * 0.6) + zone, NULL);
	if (zone == 0)
		snprintf(label, sizeof label, "UTC, from %.10s", begin);
	else
		snprintf(label, sizeof label, "from %.10s, UTC%+03d:%02d", begin, zone / 3600,
		    abs(zone) / 60 % 60);
	x_label(d, label);
}

/* Bytes of a name below one of n bars side by side. */
static size_t
room_for(const struct dp_draw *d, size_t n)
{
	const size_t bars = d->p->data->words.n < n ? d->p->data->words.n : n;
	const size_t room = d->p->width / (bars + 1) / (d->text ? 1 : 8) - 1;

	return room < 4 ? 4 : room > 24 ? 24 : room;
}

/* Pixels, or letters, for the ticks: less where names stand beside them. */
static unsigned
x_room(const struct dp_draw *d)
{
	const unsigned names = (unsigned)d->name * (d->text ? 1 : 8);

	if (d->p->ranked ? d->text : d->data.series > 0)
		return d->p->width;
	return d->p->width > 2 * names ? d->p->width - names : d->p->width / 2;
}

static void
x_axis(struct dp_draw *d)
{
	const unsigned n = x_room(d) / (d->text ? 12 : 90) + 1;
	struct dp_scale s;

	switch (d->data.axis) {
	case DP_CHART_NAME:
		dp_draw_name_ticks(d, 'x', n, room_for(d, n));
		d->xlo = -0.6;
		d->xhi = (double)d->p->data->words.n - 0.4;
		return;
	case DP_CHART_DATE:
		d->xlo -= d->data.bar * 0.6;
		d->xhi += d->data.bar * 0.6;
		time_axis(d, n);
		break;
	case DP_CHART_STEP:
	case DP_CHART_ROW:
		d->xlo -= d->data.bar * 0.6;
		d->xhi += d->data.bar * 0.6;
		dp_scale_numbers(&s, d->xlo, d->xhi, n, true);
		dp_draw_ticks(d, 'x', &s);
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
	const char *words = d->p->ylabel != NULL ? d->p->ylabel : d->p->estimate;
	size_t n;

	if (words == NULL || (d->p->ylabel == NULL && (d->text ||
	    strlen(words) > d->p->height / 10)))
		return;
	n = strlen(words);
	/* characters stay upright: above the axis, in a line of their own */
	dp_draw_add(d, d->text ? "set label " : "set ylabel ");
	dp_draw_quote(d, words, n);
	dp_draw_add(d, d->text ? " at graph 0, graph 1 offset character 2, 0\n" :
	    " textcolor rgb '#444444'\n");
}

/* From 0 if that is not far away, and a little more than what is there. */
static void
y_axis(struct dp_draw *d)
{
	const unsigned n = d->p->height / (d->text ? 4 : 70) + 1;
	struct dp_scale s;
	double more;

	if (d->data.series == 0) {
		dp_draw_name_ticks(d, 'y', d->p->height / (d->text ? 2 : 20), d->name);
		d->ylo = -0.5;
		d->yhi = (double)d->p->data->words.n - 0.5;
		return;
	}
	if (d->p->ranked) {
		dp_draw_place_axes(d);
		return;
	}
	if ((d->ylo > 0 && d->ylo < 2 * (d->yhi - d->ylo)) || dp_draw_barred(d))
		stretch(&d->ylo, &d->yhi, 0);
	more = (d->yhi - d->ylo) / (dp_draw_numbered(d) ? 10 : 25);
	if (more < 1e-9 * fabs(d->yhi) || more == 0)	/* all the same */
		more = d->yhi == 0 ? 1 : fabs(d->yhi) / 25;
	d->ylo -= d->ylo == 0 ? 0 : more;
	d->yhi += more;
	y_label(d);
	dp_scale_numbers(&s, d->ylo, d->yhi, n, false);
	dp_draw_ticks(d, 'y', &s);
}

void
dp_draw_axes(struct dp_draw *d)
{
	d->xlo = d->ylo = INFINITY;
	d->xhi = d->yhi = -INFINITY;
	extent(d, d->p->data, &d->data);
	if (d->p->truth != NULL)
		extent(d, d->p->truth, &d->truth);
	if (d->across) {
		dp_draw_across_axes(d);
	} else {
		x_axis(d);
		y_axis(d);
	}
	dp_draw_add(d, "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n", d->xlo, d->xhi,
	    d->ylo, d->yhi);
}
