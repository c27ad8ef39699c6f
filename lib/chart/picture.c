/* picture.c - a chart in gnuplot's commands. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "internal.h"

static void dp_draw_marks(struct dp_draw *);
static void dp_draw_axes(struct dp_draw *);
static size_t dp_draw_more(const struct dp_draw *);
static void dp_draw_heading(struct dp_draw *);
static void dp_draw_key(struct dp_draw *);
static bool dp_draw_is_across(const struct dp_draw *);
static size_t dp_draw_rows(const struct dp_draw *, const struct dp_chart *);
static size_t dp_draw_across_more(const struct dp_draw *);
static void dp_draw_across_axes(struct dp_draw *);
static void dp_draw_across_bars(struct dp_draw *);
static int dp_draw_lanes(struct dp_draw *) DP_MUSTUSE;
static void dp_draw_place_axes(struct dp_draw *);

/*
 * A chart in gnuplot's commands.
 */

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

/* Adds the n bytes at s as a string of gnuplot. */
static void
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

/*
 * Place of row i on the x axis.  Names take their places in p->data; a name missing there is at -1,
 * out of sight.
 */
static double
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

/*
 * Place of row i on the x axis.  Names take their places in p->data; a name missing there is at -1,
 * out of sight.
 */
static double
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

/*
 * Lines, bands, bars and points.
 */

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
field_marks(int column)
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

/* There are bars: of names; of days, unless characters are too wide for them; as asked. */
static bool
dp_draw_barred(const struct dp_draw *d)
{
	return d->data.axis == DP_CHART_NAME || (d->data.bar > 0 && (!d->text || d->p->bars));
}

/* Bars are few enough for their numbers to stand above them. */
static bool
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
numbers_marks(struct dp_draw *d)
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

static const char *
interval_name(const struct dp_picture *p)
{
	return p->sampling ? "interval, noise and sampling" : "noise interval";
}

/* Name of the k-th series in the legend. */
/* Of bars with what stands on them. */
static void
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
		dp_draw_add(d, ".', %s%s%s%s'", d->p->width < 640 ? "" : "with its ",
		    d->p->confidence > 0 ? percent(d->p->confidence, text) : "",
		    d->p->confidence > 0 ? " % " : "", interval_name(d->p));
	dp_draw_add(d, truth && v->series > 1 ? ".', the truth'," : ",");
}

/*
 * true: the k-th series has a band that can be seen.  In a picture of characters the band must
 * somewhere be as wide as one line (call it after the axes are known).
 */
static bool
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
	char name[64] = "";
	unsigned k, lo, hi;

	if (v->series == 1)
		snprintf(name, sizeof name, "%s%s%s", d->p->confidence > 0 ?
		    percent(d->p->confidence, (char [16]){ 0 }) : "", word, interval_name(d->p));
	for (k = 0; k < v->series; k++) {
		if (!dp_draw_band(d, k))
			continue;
		lo = field_marks(v->at[k].lo);
		hi = field_marks(v->at[k].hi);
		if (d->text)
			dp_draw_add(d, " $data using 1:%u with %s title %s'%s',"
			    " $data using 1:%u with %s notitle,", lo, dots, *name == '\0' ?
			    "" : "' '.", name, hi, dots);
		else if (d->p->data->seen == 1)
			dp_draw_add(d, " $data using 1:%u:%u:%u with yerrorbars pt 0 lw 3 lc rgb "
			    "'%s' title '%s',", field_marks((int)v->at[k].est), lo, hi,
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
		dp_draw_add(d, " $data using 1:%u with ", field_marks((int)d->data.at[k].est));
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
	const unsigned name = field_marks(d->data.choice);
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
		    k + 1 < DP_DRAW_COLOURS ? "==" : ">=", k, field_marks((int)d->data.at[0].est));
		if (d->text)
			dp_draw_add(d, "pt '%c'", (char)('A' + k));
		else
			dp_draw_add(d, "pt 7 ps 0.7 lc rgb '%s'", dp_draw_colour[k]);
		name_it(d, dp_text_short(out, text, d->name));
		dp_draw_add(d, ",");
	}
}

static void
bars_marks(struct dp_draw *d)
{
	const double all = 0.8 * d->data.bar, width = all / d->data.series;
	unsigned k;

	for (k = 0; k < d->data.series; k++) {
		dp_draw_add(d, " $data using ($1%+.9g):%u", width * (k + 0.5) - all / 2,
		    field_marks((int)d->data.at[k].est));
		if (d->data.at[k].lo >= 0)
			dp_draw_add(d, ":%u:%u:(%.9g) with boxerrorbars",
			    field_marks(d->data.at[k].lo),
			    field_marks(d->data.at[k].hi), width);
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
		est = field_marks(names ? v->choice : (int)v->at[k].est);
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

/* picture.c: the plot command */
static void
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
		numbers_marks(d);
	dp_draw_add(d, "plot");
	if (d->across) {
		dp_draw_across_bars(d);
	} else if (bar) {
		bars_marks(d);
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

/*
 * What a picture's axes reach over, and their ticks.
 */

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

/* At most n of the names, of each `most' bytes. */
static void
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

/* picture.c: ranges and ticks */
static void
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
x_label_axes(struct dp_draw *d, const char *what)
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
	x_label_axes(d, label);
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
		x_label_axes(d, d->data.axis == DP_CHART_ROW && d->p->data->row[0] != '\0' ?
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

/* picture.c: ranges and ticks */
static void
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

/*
 * Round numbers and round times.
 */

#define TICKS_MAX	200
#define LEAST		1e-300	/* smaller steps lose digits, and are 0 in the end */
#define DECIMALS_MAX	15	/* of a label */

void
dp_scale_numbers(struct dp_scale *s, double lo, double hi, unsigned n, bool whole)
{
	double raw = (hi - lo) / n, ten;

	if (!(raw > LEAST))
		raw = 1;
	ten = pow(10, floor(log10(raw)));
	raw /= ten;
	*s = (struct dp_scale){ .step = ten * (raw <= 1 ? 1 : raw <= 2 ? 2 : raw <= 5 ? 5 : 10) };
	if (whole && s->step < 1)
		s->step = 1;
	s->first = ceil(lo / s->step - 1e-9);
	s->last = floor(hi / s->step + 1e-9);
}

void
dp_scale_times(struct dp_scale *s, double lo, double hi, unsigned n, int zone, double least)
{
	static const unsigned seconds[] = { 1, 2, 5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE,
	    10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR,
	    DAY, 2 * DAY, 7 * DAY, 14 * DAY };
	static const unsigned months[] = { 1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400 };
	const double month = 365.2425 / 12 * DAY;
	struct dp_civil a, b;
	size_t i;

	*s = (struct dp_scale){ .time = true, .zone = zone };
	for (i = 0; i < sizeof seconds / sizeof *seconds; i++)
		if ((hi - lo) / seconds[i] <= n && seconds[i] >= least) {
			s->step = seconds[i];
			/* 1970-01-05 is a Monday */
			s->first = ceil((lo + zone - 4 * DAY) / s->step);
			s->last = floor((hi + zone - 4 * DAY) / s->step);
			return;
		}
	for (i = 0; i + 1 < sizeof months / sizeof *months &&
	    (hi - lo) / (months[i] * month) > n; i++)
		;
	s->months = months[i];
	dp_civil_day((int64_t)floor((lo + zone) / DAY), &a);
	dp_civil_day((int64_t)floor((hi + zone) / DAY), &b);
	s->first = ceil((a.year * 12 + a.month - 1 + (a.day > 1)) / (double)s->months);
	s->last = floor((b.year * 12 + b.month - 1) / (double)s->months);
}

/* v with so many decimals, and a comma every three digits. */
static void
put_number(char label[static DP_LABEL], double v, int decimals)
{
	char plain[DP_LABEL], *p = label;
	const char *s = plain;
	size_t whole;

	if (fabs(v) >= 1e15 || decimals > DECIMALS_MAX) {
		snprintf(label, DP_LABEL, "%g", v);
		return;
	}
	snprintf(plain, sizeof plain, "%.*f", decimals, v);
	if (*s == '-')
		*p++ = *s++;
	for (whole = strcspn(s, "."); whole > 0; whole--) {
		*p++ = *s++;
		if (whole % 3 == 1 && whole > 1)
			*p++ = ',';
	}
	strcpy(p, s);
}

void
dp_scale_number(char label[static DP_LABEL], double v)
{
	if (v == floor(v) || fabs(v) >= 1e6)
		put_number(label, v, 0);
	else if (fabs(v) >= 1)
		put_number(label, v, 2);
	else
		snprintf(label, DP_LABEL, "%.3g", v);
}

static const char *const month_name[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug",
    "Sep", "Oct", "Nov", "Dec" };

static void
put_time_scale(const struct dp_scale *s, char label[static DP_LABEL], int64_t local)
{
	const int64_t day = (local - ((local % DAY) + DAY) % DAY) / DAY;
	const unsigned rest = (unsigned)(local - day * DAY);
	struct dp_civil c;

	dp_civil_day(day, &c);
	if (s->months >= 12)
		snprintf(label, DP_LABEL, "%04u", c.year);
	else if (s->months > 0)
		snprintf(label, DP_LABEL, "%s %04u", month_name[c.month - 1], c.year);
	else if (rest == 0 && s->step >= MINUTE)
		snprintf(label, DP_LABEL, "%u %s", c.day, month_name[c.month - 1]);
	else if (s->step >= MINUTE)
		snprintf(label, DP_LABEL, "%02u:%02u", rest / HOUR, rest / MINUTE % 60);
	else
		snprintf(label, DP_LABEL, "%02u:%02u:%02u", rest / HOUR, rest / MINUTE % 60,
		    rest % 60);
}

/* Seconds since 1970 of the first of a month, counted from year 0. */
static int64_t
month_begin(double n)
{
	const struct dp_civil c = { .year = (unsigned)(n / 12), .month = (unsigned)n % 12 + 1,
	    .day = 1 };
	int64_t t;

	return dp_civil_seconds(&t, &c, NULL) == 0 ? t : DP_WHEN_MAX;
}

bool
dp_scale_tick(const struct dp_scale *s, unsigned i, double *at, char label[static DP_LABEL])
{
	const double k = s->first + i;
	int64_t local;

	/* counts that differ by less than a double shows go on for ever */
	if (!(k <= s->last) || i >= TICKS_MAX)
		return false;
	if (!s->time) {
		*at = k * s->step;
		put_number(label, *at, s->step >= 1 ? 0 : (int)ceil(-log10(s->step) - 1e-9));
		return true;
	}
	local = s->months > 0 ? month_begin(k * s->months) : (int64_t)(k * s->step) + 4 * DAY;
	*at = (double)(local - s->zone);
	put_time_scale(s, label, local);
	return true;
}

/*
 * What stands above a picture: the title, what is to be known of the truth, the legend.
 */

#define TITLE_LINES	3	/* that a title may have */
#define ENTRY		18	/* pixels of a line of the legend */
#define LETTER_HEADING		8	/* pixels of a letter there, at most */
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

	*longest = n == 1 ? strlen("95 % ") + strlen(interval_name(d->p)) : 0;
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
	*columns = (unsigned)(0.9 * d->p->width / (double)(LETTER_HEADING * longest + SAMPLE));
	*columns = *columns == 0 ? 1 : *columns;
	return (n + *columns - 1) / *columns;
}

/* picture.c: the title and the legend, and pixels that a picture is higher for what it has */
static size_t
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

/* picture.c: the title and the legend, and pixels that a picture is higher for what it has */
static void
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

/* With characters: whether there is a legend, once the axes are known. */
static void
dp_draw_key(struct dp_draw *d)
{
	if (d->text && !has_key(d))
		dp_draw_add(d, "set key off\n");
}

/*
 * Bars of names: one below the other, as names are long, each with its number behind it.
 */

#define NAMES	24	/* bars in any order, at most; more are columns, as of a histogram */
#define LEADING	20 /* bars of what comes in the order of its numbers_across: the first of them */
#define BAR	22	/* pixels of a bar and the gap below it */
#define LETTER_ACROSS	8	/* pixels of a digit */

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

static bool
dp_draw_is_across(const struct dp_draw *d)
{
	const struct dp_chart *c = d->p->data;

	return !d->text && d->data.axis == DP_CHART_NAME && c->stride == 1 &&
	    (dp_chart_drawn(c) <= NAMES || falls(c, d->data.at[0].est));
}

/* Rows that are drawn: all, or of bars the first. */
static size_t
dp_draw_rows(const struct dp_draw *d, const struct dp_chart *c)
{
	const size_t n = dp_chart_drawn(c);

	return d->across && c == d->p->data && n > NAMES ? LEADING : n;
}

/* Rows that are drawn: all, or of bars the first. */
static size_t
dp_draw_across_more(const struct dp_draw *d)
{
	const size_t want = d->across ? BAR * dp_draw_rows(d, d->p->data) + 4 * BAR : 0;

	return want > d->p->height ? want - d->p->height : 0;
}

/* End of a row's marks. */
static double
end_of_across(const struct dp_draw *d, const double *row)
{
	const int hi = d->data.at[0].hi;
	const double end = row[d->data.at[0].est];

	return fmax(0, hi >= 0 && row[hi] > end ? row[hi] : end);
}

/* Each bar's number; returns the letters of the longest. */
static size_t
numbers_across(struct dp_draw *d)
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
		    "'#222222'\n", end_of_across(d, row), dp_draw_x(d, c, &d->data, i));
		longest = strlen(label) > longest ? strlen(label) : longest;
	}
	return longest;
}

/* Label of the numbers, if it fits; their time; and the number of rows left out. */
static void
x_label_across(struct dp_draw *d, size_t rows)
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

/* Rows that are drawn: all, or of bars the first. */
static void
dp_draw_across_axes(struct dp_draw *d)
{
	const struct dp_chart *c = d->p->data;
	const size_t letters = numbers_across(d), rows = dp_draw_rows(d, c);
	struct dp_scale s;

	dp_draw_add(d, "set grid noytics\n");
	dp_draw_name_ticks(d, 'y', (unsigned)c->words.n, d->name);
	d->xlo = fmin(d->ylo, 0);
	d->xhi = fmax(d->yhi, 0);
	if (d->xlo == d->xhi)
		d->xhi = 1;
	/* names and margins take some third of the width */
	d->xhi += (d->xhi - d->xlo) * (.02 + LETTER_ACROSS * (double)(letters + 1) / (d->p->width *
	    .6));
	d->ylo = (double)rows - .4;
	d->yhi = -.6;
	dp_scale_numbers(&s, d->xlo, d->xhi, d->p->width / 150 + 1, false);
	dp_draw_ticks(d, 'x', &s);
	x_label_across(d, rows);
}

/* Rows that are drawn: all, or of bars the first. */
static void
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

/*
 * Names against the time: who leads, and who has which place.
 */

#define LETTER	8	/* pixels of a letter, at most */

/* picture.c: names that lead, the one that led most at the top; and places of names */
/* Names as the answer: the one that is in most rows has the highest lane. */
static int
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

/* picture.c: names that lead, the one that led most at the top; and places of names */
static void
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

/*
 * A table's columns: what is drawn of them, and against what.
 */

#define BARS	120	/* rows of a chart of bars, at most */

static bool
is_named(const struct dp_chart *c, int i, const char *prefix, const char *suffix)
{
	const char *name;
	size_t n = strlen(prefix);

	if (i < 0 || (unsigned)i >= c->columns || (name = c->column[i].name) == NULL)
		return false;
	return strncmp(name, prefix, n) == 0 && strcmp(name + n, suffix) == 0;
}

/* The column that is the low or high end of column i's band; -1: none. */
static int
end_of_look(const struct dp_chart *c, unsigned i, const char *suffix)
{
	const enum dp_chart_part part = suffix[1] == 'l' ? DP_CHART_IS_LOW : DP_CHART_IS_HIGH;
	unsigned j;

	for (j = i + 1; j < c->columns; j++)
		if (c->declared && c->column[j].part != part)
			continue;
		else if (is_named(c, (int)j, c->column[i].name, suffix) ||
		    (is_named(c, (int)i, "estimate", "") && is_named(c, (int)j, "", suffix + 1)))
			return (int)j;
	return -1;
}

/* Without names: whether all columns from i on are threes with a band. */
static bool
all_bands(const struct dp_chart *c, unsigned i)
{
	if ((c->columns - i) % 3 != 0)
		return false;
	for (; i < c->columns; i += 3)
		if (!c->column[i].band || c->column[i].sides * 2 < c->seen)
			return false;
	return true;
}

static void
look_series(const struct dp_chart *c, struct dp_chart_view *v, unsigned i)
{
	bool bands = !c->named && all_bands(c, i), end[DP_CHART_COLUMNS_MAX] = { false };
	int lo, hi;

	for (v->series = 0; i < c->columns; i++) {
		if (end[i] || (c->declared ? c->column[i].part == DP_CHART_IS_OTHER :
		    c->named && is_named(c, (int)i, "certain", "")))
			continue;
		lo = c->named ? end_of_look(c, i, "_lo") : bands ? (int)i + 1 : -1;
		hi = c->named ? end_of_look(c, i, "_hi") : bands ? (int)i + 2 : -1;
		if (lo < 0 || hi < 0)
			lo = hi = -1;
		else
			end[lo] = end[hi] = true;
		v->at[v->series].est = i;
		v->at[v->series].lo = lo;
		v->at[v->series++].hi = hi;
	}
}

/* The first column is a step: by its name, or as it has gone up. */
static bool
is_step(const struct dp_chart *c)
{
	if (c->named || c->columns < 2)
		return c->columns > 1 && is_named(c, 0, "step", "");
	return c->steps.even && !all_bands(c, 0) &&
	    (c->seen < 2 || c->steps.by > 0 || c->column[1].kind != DP_CHART_NUMBER);
}

/*
 * The least distance of two rows in column x, if all are days or more apart and there are few
 * enough to be told apart; else 0.  Rows of several names at one time are no bars.
 */
static double
daily(const struct dp_chart *c, int x)
{
	const size_t n = dp_chart_drawn(c);
	double least = INFINITY, gap;
	size_t i;

	for (i = 1; i < n; i++) {
		gap = dp_chart_row(c, i)[x] - dp_chart_row(c, i - 1)[x];
		least = gap < least ? gap : least;
	}
	/* a day may have 23 hours */
	return n > 1 && n <= BARS && least >= 23 * 3600 ? least : 0;
}

/* Column i is of that part, or, where none was declared, looks so. */
static bool
is_part(const struct dp_chart *c, unsigned i, enum dp_chart_part part, bool looks)
{
	return i < c->columns && (c->declared ? c->column[i].part == part : looks);
}

void
dp_chart_look(const struct dp_chart *c, struct dp_chart_view *v)
{
	const struct dp_chart_column *col = c->column;
	unsigned i = 0;
	bool still;

	*v = (struct dp_chart_view){ .axis = DP_CHART_ROW, .x = -1, .choice = -1 };
	if (is_part(c, 0, DP_CHART_IS_STEP, is_step(c))) {
		v->axis = DP_CHART_STEP;
		v->x = (int)i++;
	}
	if (is_part(c, i, DP_CHART_IS_TIME, col[i].kind == DP_CHART_TIME)) {
		v->axis = DP_CHART_DATE;
		v->x = (int)i++;
	}
	if (i < c->columns && col[i].kind == DP_CHART_TEXT)
		v->choice = (int)i++;
	look_series(c, v, i);
	still = v->x < 0 || c->first[v->x] == c->last[v->x];
	if (v->choice >= 0 && v->series > 0 && still && is_part(c, (unsigned)v->choice,
	    DP_CHART_IS_NAME, c->words.n == c->seen))
		v->axis = DP_CHART_NAME;
	if (v->axis == DP_CHART_NAME)
		v->bar = 1;
	else if (v->axis == DP_CHART_DATE && v->choice < 0 && v->series == 1)
		v->bar = daily(c, v->x);
}
