/*
 * marks.c - lines, bands, bars and points.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw.h"

#define FEW	60	/* rows that have a point each */
#define NUMBER	70	/* pixels of a bar that has room for its number */

const char *const dp_draw_colour[DP_DRAW_COLOURS] = { "#0072B2", "#D55E00", "#009E73", "#CC79A7",
    "#E69F00", "#56B4E9", "#999999", "#000000" };

static const char *
colour(size_t k)
{
	return dp_draw_colour[k % DP_DRAW_COLOURS];
}

/* Rows: where each stands, and its columns. */
static void
block(struct dp_draw *d, const char *name, const struct dp_chart *c,
    const struct dp_chart_view *v)
{
	const double *row;
	unsigned k;
	size_t i;

	dp_draw_add(d, "$%s << END\n", name);
	for (i = 0; i < dp_draw_rows(d, c); i++) {
		row = dp_chart_row(c, i);
		dp_draw_add(d, "%.17g", dp_draw_x(d, c, v, i));
		for (k = 0; k < c->columns; k++)
			if (isnan(row[k]))
				dp_draw_add(d, " NaN");
			else
				dp_draw_add(d, " %.17g", (int)k != v->choice ? row[k] :
				    dp_draw_name(d, c, row[k]));
		dp_draw_add(d, "\n");
	}
	dp_draw_add(d, "END\n");
}

/* The field of a block that holds a chart's column. */
static unsigned
field(int column)
{
	return (unsigned)column + 2;
}

/* Entry of the legend. */
static void
name_it(struct dp_draw *d, const char *name)
{
	dp_draw_add(d, d->text ? " title ' '." : " title ");
	dp_draw_quote(d, name, strlen(name));
}

bool
dp_draw_barred(const struct dp_draw *d)
{
	return d->data.axis == DP_CHART_NAME || (d->data.bar > 0 && (!d->text || d->p->bars));
}

bool
dp_draw_numbered(const struct dp_draw *d)
{
	return dp_draw_barred(d) && !d->text && !d->across && d->data.series == 1 &&
	    dp_chart_drawn(d->p->data) <= d->p->width / NUMBER;
}

/* Some interval is so long that a number at its end would be taken for the end's. */
static bool
far(const struct dp_draw *d)
{
	const struct dp_chart *c = d->p->data;
	const int hi = d->data.at[0].hi;
	const double *row;
	size_t i;

	for (i = 0; hi >= 0 && i < dp_chart_drawn(c); i++) {
		row = dp_chart_row(c, i);
		if (row[hi] - row[d->data.at[0].est] > (d->yhi - d->ylo) / 10)
			return true;
	}
	return false;
}

/* The number of each bar, above it and its interval; or else all in a row above them. */
static void
numbers(struct dp_draw *d)
{
	const struct dp_chart *c = d->p->data;
	const int hi = d->data.at[0].hi;
	const bool row_above = far(d);
	char label[DP_LABEL];
	const double *row;
	double est, top;
	size_t i;

	for (i = 0; i < dp_chart_drawn(c); i++) {
		row = dp_chart_row(c, i);
		est = row[d->data.at[0].est];
		if (isnan(est))
			continue;
		top = fmax(0, hi >= 0 && row[hi] > est ? row[hi] : est);
		dp_scale_number(label, est);
		dp_draw_add(d, "set label ");
		dp_draw_quote(d, label, strlen(label));
		dp_draw_add(d, " at %.17g,%.17g front center offset character 0,0.6 textcolor "
		    "rgb '#222222'\n", dp_draw_x(d, c, &d->data, i),
		    row_above ? d->yhi - (d->yhi - d->ylo) * .07 : top);
	}
}

static const char *
percent(double confidence, char text[static 16])
{
	snprintf(text, 16, "%.6g", 100 * confidence);
	return text;
}

/* Of bars with what stands on them. */
void
dp_draw_title(struct dp_draw *d, const struct dp_chart *c, const struct dp_chart_view *v,
    unsigned k)
{
	const bool truth = c != d->p->data;
	const char *name = c->column[v->at[k].est].name;
	char text[64];		/* of a name DP_TEXT_SHORT */

	if (name != NULL)
		name = dp_text_short(text, name, d->name);
	if (truth && v->series == 1)
		name = "the truth (NOT PRIVATE)";
	if (name == NULL) {
		snprintf(text, sizeof text, v->series == 1 ? "estimate" : "column %u",
		    v->at[k].est + 1);
		name = text;
	}
	name_it(d, name);
	if (!truth && v->series == 1 && dp_draw_barred(d) && v->at[k].lo >= 0)
		dp_draw_add(d, ".', %s%s%snoise interval'", d->p->width < 640 ? "" : "with its ",
		    d->p->confidence > 0 ? percent(d->p->confidence, text) : "",
		    d->p->confidence > 0 ? " % " : "");
	dp_draw_add(d, truth && v->series > 1 ? ".', the truth'," : ",");
}

bool
dp_draw_band(const struct dp_draw *d, unsigned k)
{
	const int lo = d->data.at[k].lo, hi = d->data.at[k].hi;
	const double *row;
	size_t i;

	if (lo < 0 || !d->text)
		return lo >= 0;
	for (i = 0; i < dp_chart_drawn(d->p->data); i++) {
		row = dp_chart_row(d->p->data, i);
		if (row[hi] - row[lo] > (d->yhi - d->ylo) / d->p->height)
			return true;
	}
	return false;
}

static void
bands(struct dp_draw *d)
{
	const struct dp_chart_view *v = &d->data;
	const char *const word = d->p->confidence > 0 ? " % " : "";
	const char *dots = dp_chart_drawn(d->p->data) > d->p->width / 2 ? "points pt '.'" :
	    "lines lt 0";
	char name[48] = "";
	unsigned k, lo, hi;

	if (v->series == 1)
		snprintf(name, sizeof name, "%s%snoise interval", d->p->confidence > 0 ?
		    percent(d->p->confidence, (char [16]){ 0 }) : "", word);
	for (k = 0; k < v->series; k++) {
		if (!dp_draw_band(d, k))
			continue;
		lo = field(v->at[k].lo);
		hi = field(v->at[k].hi);
		if (d->text)
			dp_draw_add(d, " $data using 1:%u with %s title %s'%s',"
			    " $data using 1:%u with %s notitle,", lo, dots, *name == '\0' ?
			    "" : "' '.", name, hi, dots);
		else if (d->p->data->seen == 1)
			dp_draw_add(d, " $data using 1:%u:%u:%u with yerrorbars pt 0 lw 3 lc rgb "
			    "'%s' title '%s',", field((int)v->at[k].est), lo, hi,
			    colour(k), name);
		else
			dp_draw_add(d, " $data using 1:%u:%u with filledcurves fs transparent "
			    "solid 0.2 noborder lc rgb '%s' title '%s',", lo, hi,
			    colour(k), name);
	}
}

static void
lines(struct dp_draw *d)
{
	const bool choice = d->data.choice >= 0;
	unsigned k;

	for (k = 0; k < d->data.series; k++) {
		dp_draw_add(d, " $data using 1:%u with ", field((int)d->data.at[k].est));
		if (!d->text)
			dp_draw_add(d, "%s lw 2 dt %u lc rgb '%s'",
			    d->p->data->seen <= FEW ? "linespoints pt 7 ps 0.5" : "lines",
			    k / DP_DRAW_COLOURS + 1, choice ? "#bbbbbb" : colour(k));
		else if (d->p->data->seen > 1)
			dp_draw_add(d, "lines lt %u", k + 1);
		else
			dp_draw_add(d, "points pt '*'");
		if (choice)
			dp_draw_add(d, " notitle,");
		else
			dp_draw_title(d, d->p->data, &d->data, k);
	}
}

/* Name of the series; its height, if there are numbers. */
static void
choices(struct dp_draw *d)
{
	const struct dp_chart *c = d->p->data;
	const unsigned name = field(d->data.choice);
	char out[DP_TEXT_SHORT];
	const char *text;
	size_t k;

	if (d->data.series == 0)
		dp_draw_add(d, " $data using 1:%u with points %s notitle,", name,
		    d->text ? "pt '*'" : "pt 7 ps 0.6 lc rgb '#0072B2'");
	for (k = 0; d->data.series > 0 && k < c->words.n && k < DP_DRAW_COLOURS; k++) {
		text = k + 1 < DP_DRAW_COLOURS || c->words.n == DP_DRAW_COLOURS ? c->words.text[k] :
		    "others";
		dp_draw_add(d, " $data using 1:($%u%s%zu ? $%u : NaN) with points ", name,
		    k + 1 < DP_DRAW_COLOURS ? "==" : ">=", k, field((int)d->data.at[0].est));
		if (d->text)
			dp_draw_add(d, "pt '%c'", (char)('A' + k));
		else
			dp_draw_add(d, "pt 7 ps 0.7 lc rgb '%s'", dp_draw_colour[k]);
		name_it(d, dp_text_short(out, text, d->name));
		dp_draw_add(d, ",");
	}
}

static void
bars(struct dp_draw *d)
{
	const double all = 0.8 * d->data.bar, width = all / d->data.series;
	unsigned k;

	for (k = 0; k < d->data.series; k++) {
		dp_draw_add(d, " $data using ($1%+.9g):%u", width * (k + 0.5) - all / 2,
		    field((int)d->data.at[k].est));
		if (d->data.at[k].lo >= 0)
			dp_draw_add(d, ":%u:%u:(%.9g) with boxerrorbars", field(d->data.at[k].lo),
			    field(d->data.at[k].hi), width);
		else
			dp_draw_add(d, " with boxes");
		if (!d->text)
			dp_draw_add(d, " lc rgb '%s'", colour(k));
		dp_draw_title(d, d->p->data, &d->data, k);
	}
}

/* The truth beside it: dashed lines, or rings. */
static void
truths(struct dp_draw *d)
{
	const struct dp_chart_view *v = &d->truth;
	const bool names = v->series == 0;
	const bool rings = names || dp_draw_barred(d) || d->p->truth->seen == 1;
	unsigned k, est, n = names ? 1 : v->series;

	for (k = 0; k < n; k++) {
		est = field(names ? v->choice : (int)v->at[k].est);
		dp_draw_add(d, " $truth using %u:%u with ", d->across ? est : 1,
		    d->across ? 1 : est);
		if (rings)
			dp_draw_add(d, d->text ? "points pt 'o'" :
			    "points pt 6 ps 1.2 lw 1.5 lc rgb '#000000'");
		else if (d->text)
			dp_draw_add(d, "lines lt %u", d->data.series + k + 1);
		else
			dp_draw_add(d, "lines lw 1.5 dt 2 lc rgb '%s'",
			    n == 1 ? "#000000" : colour(k));
		if (names) {
			name_it(d, "the truth (NOT PRIVATE)");
			dp_draw_add(d, ",");
		} else {
			dp_draw_title(d, d->p->truth, v, k);
		}
	}
}

void
dp_draw_marks(struct dp_draw *d)
{
	const bool bar = dp_draw_barred(d);

	block(d, "data", d->p->data, &d->data);
	if (d->p->truth != NULL)
		block(d, "truth", d->p->truth, &d->truth);
	if (bar)
		dp_draw_add(d, "set style fill solid 0.6\nset boxwidth %.9g absolute\n",
		    0.8 * d->data.bar / d->data.series);
	if (dp_draw_numbered(d))
		numbers(d);
	dp_draw_add(d, "plot");
	if (d->across) {
		dp_draw_across_bars(d);
	} else if (bar) {
		bars(d);
	} else {
		bands(d);
		if (d->text && d->p->truth != NULL)
			truths(d);		/* the estimates over it */
		lines(d);
		if (d->data.choice >= 0)
			choices(d);
	}
	if (d->p->truth != NULL && !(d->text && !bar))
		truths(d);
	dp_draw_add(d, " NaN notitle\n");	/* behind the last comma */
}
