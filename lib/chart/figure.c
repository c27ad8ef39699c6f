/* SPDX-License-Identifier: ISC */
/*
 * figure.c - what is drawn of a table: its columns, the kind of picture that fits them, scales.
 *
 * The estimates set the scale, and intervals stretch it only so far: one that is the whole range
 * would leave no room for the other values.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/when.h"
#include "internal.h"

#define NAMES		60	/* bars of names in any order, at most */
#define FALLING		24	/* of names in the order of their numbers; of more the first */
#define LEADING		20
#define LANES		24	/* of names that are answers */
#define APART		12	/* times as large: scales of their own */
#define MUDDY		.3	/* of a panel, that pairs of bands may share, all together */
#define PANELS		6	/* of one scale, for such bands */
#define DECADES		30	/* times as large: a logarithmic scale of quantiles */
#define BINS_GROW	4	/* times as wide: a logarithmic axis of bins */

/* The rows come in the order of their numbers. */
static bool
falls(const struct dp_chart *c, unsigned est)
{
	size_t i;

	for (i = 1; i < dp_chart_drawn(c); i++)
		if (!(dp_chart_row(c, i)[est] <= dp_chart_row(c, i - 1)[est] ||
		    isnan(dp_chart_row(c, i)[est])))
			return false;
	return true;
}

const char *
dp_figure_shown(const struct dp_figure *f, const char *name, char text[static DP_FIGURE_NAME])
{
	const char *s = name, *e = text + DP_FIGURE_NAME - 8;
	bool some = false, all = true;
	char *p = text;
	size_t n;

	if (f->p->told.others && strcmp(name, "+") == 0)
		return "all others";
	for (; f->p->told.totals && p < e; s += n + 1) {
		n = strcspn(s, "/");
		if (n == 1 && *s == '*') {
			p = stpcpy(p, "all");
			some = true;
		} else {
			all = false;
			if (n >= (size_t)(e - p))
				return name;
			memcpy(p, s, n);
			p += n;
		}
		*p = '\0';
		if (s[n] == '\0')
			return all ? "all" : some ? text : name;
		*p++ = '/';
	}
	return name;
}

const char *
dp_figure_name(const struct dp_figure *f, unsigned k, char text[static DP_FIGURE_NAME])
{
	const unsigned i = f->data.at[k].est;

	if (f->p->data->column[i].name != NULL)
		return dp_figure_shown(f, f->p->data->column[i].name, text);
	snprintf(text, DP_FIGURE_NAME, f->data.series == 1 ? "estimate" : "column %u", i + 1);
	return text;
}

/* A name's place among those of the data; -1: it is not there. */
static double
place(const struct dp_figure *f, const struct dp_chart *c, double text)
{
	const struct dp_chart *data = f->p->data;
	size_t i = c == data ? (size_t)text : 0;

	while (c != data && i < data->words.n &&
	    strcmp(data->words.text[i], c->words.text[(size_t)text]) != 0)
		i++;
	return i == data->words.n ? -1 : f->lane == NULL ? (double)i : (double)f->lane[i];
}

/* End of a step that begins at a local time; months are not all as long. */
static double
step_end(double at, double gap)
{
	struct dp_civil c;
	unsigned month;
	int64_t t;

	if (gap < 27 * DAY)
		return at + gap;
	dp_civil_day((int64_t)floor(at / DAY), &c);
	month = c.month - 1 + (unsigned)round(gap / (30.44 * DAY));
	c = (struct dp_civil){ .year = c.year + month / 12, .month = month % 12 + 1, .day = c.day };
	return dp_civil_seconds(&t, &c, NULL) == 0 ? (double)t : at + gap;
}

double
dp_figure_begin(const struct dp_figure *f, const struct dp_chart *c, const struct dp_chart_view *v,
    size_t i)
{
	const double *row = dp_chart_row(c, i);

	if (v->axis == DP_CHART_NAME)
		return place(f, c, row[v->choice]);
	return v->x >= 0 ? row[v->x] : (double)(c->before +
	    (i < c->rows ? i * c->stride + 1 : c->seen));
}

double
dp_figure_x(const struct dp_figure *f, const struct dp_chart *c, const struct dp_chart_view *v,
    size_t i)
{
	const double begin = dp_figure_begin(f, c, v, i);

	return f->is.late ? step_end(begin + c->zone, f->p->told.bucket) - c->zone : begin;
}

double
dp_figure_lane(const struct dp_figure *f, const struct dp_chart *c, const struct dp_chart_view *v,
    size_t i)
{
	return place(f, c, dp_chart_row(c, i)[v->choice]);
}

/* The least distance of two rows on the axis; of a single one 1, or its bucket. */
static double
least_gap(const struct dp_figure *f)
{
	const struct dp_chart *c = f->p->data;
	double least = INFINITY, gap;
	size_t i;

	for (i = 1; i < dp_chart_drawn(c); i++) {
		gap = dp_figure_begin(f, c, &f->data, i) -
		    dp_figure_begin(f, c, &f->data, i - 1);
		least = gap > 0 && gap < least ? gap : least;
	}
	return f->p->told.bucket > 0 && f->data.axis == DP_CHART_DATE ? f->p->told.bucket :
	    isfinite(least) ? least : 1;
}

double
dp_figure_end(const struct dp_figure *f)
{
	return dp_figure_x(f, f->p->data, &f->data, f->rows - 1) + (f->is.late ? 0 : least_gap(f));
}

enum dp_known
dp_figure_known(const struct dp_figure *f, size_t i, unsigned k, double v[static 3])
{
	const double *row = dp_chart_row(f->p->data, i);
	const int lo = f->data.at[k].lo, hi = f->data.at[k].hi;

	v[0] = row[f->data.at[k].est];
	v[1] = lo < 0 ? NAN : row[lo];
	v[2] = hi < 0 ? NAN : row[hi];
	if (isnan(v[0]) || (f->p->told.lo < f->p->told.hi && v[1] <= f->p->told.lo &&
	    v[2] >= f->p->told.hi))
		return DP_KNOWN_NOT;
	return isnan(v[1]) || isnan(v[2]) ? DP_KNOWN_ESTIMATE : DP_KNOWN_INTERVAL;
}

size_t
dp_figure_run(const struct dp_figure *f, size_t i, unsigned k)
{
	double v[3];
	const enum dp_known as = dp_figure_known(f, i, k, v);
	const bool gap = isnan(v[1]) && as == DP_KNOWN_NOT;

	while (++i < f->rows && dp_figure_known(f, i, k, v) == as &&
	    (as != DP_KNOWN_NOT || isnan(v[1]) == gap))
		;
	return i;
}

const char *
dp_figure_untold(const struct dp_figure *f, const double v[static 3], char label[static DP_LABEL])
{
	const bool less = isnan(v[0]) && isnan(v[1]) && f->p->told.suppress > 0;

	snprintf(label, DP_LABEL, less ? "<%.15g" : "?", f->p->told.suppress);
	return label;
}

const char *
dp_figure_number(const struct dp_figure *f, double x, const double v[static 3],
    char label[static DP_LABEL])
{
	dp_scale_number(label, x, f->half > 0 ? -f->half : (v[2] - v[1]) / 2, f->unit);
	return label;
}

static void
stretch(double *lo, double *hi, double v)
{
	*lo = v < *lo ? v : *lo;
	*hi = v > *hi ? v : *hi;
}

/* Estimates of some series, and the truth of them; most[]: the largest of each. */
static void
extent(const struct dp_figure *f, struct dp_panel *p, double *most)
{
	const struct dp_chart *c = f->p->truth;
	double v[3], t;
	unsigned k;
	size_t i;

	p->lo = INFINITY;
	p->hi = -INFINITY;
	for (k = p->from; k < p->to; k++) {
		for (i = 0; i < f->rows; i++)
			if (dp_figure_known(f, i, k, v) != DP_KNOWN_NOT) {
				stretch(&p->lo, &p->hi, v[0]);
				most[k] = fmax(most[k], fabs(v[0]));
			}
		for (i = 0; c != NULL && k < f->truth.series && i < dp_chart_drawn(c); i++) {
			t = dp_chart_row(c, i)[f->truth.at[k].est];
			stretch(&p->lo, &p->hi, t);
			most[k] = isnan(t) ? most[k] : fmax(most[k], fabs(t));
		}
	}
}

/* Intervals stretch a panel by its own height, or by the least of them. */
static void
intervals(const struct dp_figure *f, struct dp_panel *p)
{
	double v[3], least = INFINITY, lo = p->lo, hi = p->hi, room;
	unsigned k;
	size_t i;

	for (k = p->from; k < p->to; k++)
		for (i = 0; i < f->rows; i++)
			if (dp_figure_known(f, i, k, v) == DP_KNOWN_INTERVAL) {
				stretch(&lo, &hi, v[1]);
				stretch(&lo, &hi, v[2]);
				least = fmin(least, v[2] - v[1]);
			}
	if (p->log) {
		p->lo = fmax(lo, p->lo / 4);
		p->hi = fmin(hi, p->hi * 4);
		return;
	}
	room = fmax(p->hi - p->lo, isfinite(least) ? least : 0);
	p->lo = fmax(lo, p->lo - room);
	p->hi = fmin(hi, p->hi + room);
}

/*
 * Quantiles that go over decades, or whose intervals do, have a logarithmic scale from the least
 * above 0 on, if few of them are not.
 */
static bool
is_log(const struct dp_figure *f, struct dp_panel *p)
{
	char *const *name = &f->p->data->column[f->data.at[p->from].est].name;
	double v[3], least = INFINITY, most = p->hi;
	size_t i, below = 0, n = 0;
	unsigned k;

	if (f->kind != DP_FIGURE_LINES || !(f->fan || (f->data.series == 1 && *name != NULL &&
	    dp_names_are_quantiles(name, 1))))
		return false;
	for (k = p->from; k < p->to; k++)
		for (i = 0; i < f->rows; i++) {
			if (dp_figure_known(f, i, k, v) == DP_KNOWN_NOT)
				continue;
			n++;
			below += v[0] <= 0;
			least = v[0] > 0 ? fmin(least, v[0]) : least;
			most = fmax(most, v[2]);
		}
	if (10 * below > n || !(most > DECADES * least))
		return false;
	p->lo = p->lo > 0 ? p->lo : least;
	return true;
}

/* From 0 if that is not far away, and a little more than what is there. */
static void
finish(const struct dp_figure *f, struct dp_panel *p)
{
	const bool zero = f->kind != DP_FIGURE_LINES;
	double more;

	if (!(p->lo <= p->hi)) {		/* nothing is known */
		p->lo = f->p->told.lo;
		p->hi = f->p->told.lo < f->p->told.hi ? f->p->told.hi : 1;
	}
	p->log = is_log(f, p);
	if (zero ? !f->p->text.on : true)	/* a terminal's bars have theirs in words */
		intervals(f, p);
	if (p->log) {
		p->lo /= 1.1;
		p->hi *= 1.1;
		return;
	}
	if (zero || (p->lo > 0 && p->lo < 2 * (p->hi - p->lo)))
		stretch(&p->lo, &p->hi, 0);
	more = (p->hi - p->lo) / 25;
	if (more < 1e-9 * fabs(p->hi) || more == 0)	/* all the same */
		more = p->hi == 0 ? 1 : fabs(p->hi) / 25;
	p->lo -= p->lo == 0 ? 0 : more;
	p->hi += p->hi == 0 && p->lo < 0 ? 0 : more;
}

/* Bands lie upon each other. */
static bool
are_muddy(const struct dp_figure *f, const struct dp_panel *p)
{
	double v[3], w[3], sum = 0;
	unsigned k, j;
	size_t i;

	for (i = 0; i < f->rows; i++)
		for (k = p->from; k < p->to; k++)
			for (j = k + 1; j < p->to && dp_figure_known(f, i, k, v) ==
			    DP_KNOWN_INTERVAL; j++)
				if (dp_figure_known(f, i, j, w) == DP_KNOWN_INTERVAL)
					sum += fmax(fmin(fmin(v[2], w[2]), p->hi) -
					    fmax(fmax(v[1], w[1]), p->lo), 0);
	return sum > MUDDY * (p->hi - p->lo) * (double)f->rows;
}

/* One panel; or one for each of several series that share no scale, or whose bands are muddy. */
static void
panels(struct dp_figure *f)
{
	double most[DP_CHART_COLUMNS_MAX] = { 0 }, least = INFINITY, large = 0;
	const unsigned n = f->data.series;
	unsigned k;

	f->panels = 1;
	f->panel[0] = (struct dp_panel){ .to = n, .lo = n + .5, .hi = .5 };
	if (f->kind == DP_FIGURE_PLACES)
		return;
	extent(f, &f->panel[0], most);
	for (k = 0; k < n; k++) {
		least = most[k] > 0 ? fmin(least, most[k]) : least;
		large = fmax(large, most[k]);
	}
	if (f->kind == DP_FIGURE_LINES && !f->fan && n > 1 && n <= DP_FIGURE_PANELS &&
	    large > APART * least) {
		f->panels = n;
		for (k = 0; k < n; k++) {
			f->panel[k] = (struct dp_panel){ .from = k, .to = k + 1 };
			extent(f, &f->panel[k], most);
		}
	}
	for (k = 0; k < f->panels; k++)
		finish(f, &f->panel[k]);
	if (f->kind == DP_FIGURE_LINES && !f->fan && f->panels == 1 && n > 1 && n <= PANELS &&
	    f->lane == NULL && are_muddy(f, &f->panel[0]))
		for (f->panels = n; k <= n; k++) {
			f->panel[n - k] = f->panel[0];
			f->panel[n - k].from = n - k;
			f->panel[n - k].to = n - k + 1;
		}
}

/* An open end of a histogram is as wide as the bin beside it. */
static void
open_end(double *end, double edge, double next, bool log)
{
	if (isnan(*end))
		*end = log ? edge * edge / next : 2 * edge - next;
}

/* Edges of bins, if the names are that.  DP_ENOMEM. */
static int
bins(struct dp_figure *f)
{
	const struct dp_chart *c = f->p->data;
	const size_t n = f->rows;
	double *e;
	size_t first, last;

	if (c->words.n != n || dp_chart_drawn(c) != n)
		return 0;
	if ((e = f->edge = calloc(n + 1, sizeof *e)) == NULL)
		return DP_ENOMEM;
	if (!dp_names_are_bins(c->words.text, n, e)) {
		free(f->edge);
		f->edge = NULL;
		return 0;
	}
	f->kind = DP_FIGURE_BINS;
	first = isnan(e[0]) != 0 ? 1u : 0u;
	last = isnan(e[n]) != 0 ? n - 1 : n;
	f->xlog = last > first + 1 && e[first] > 0 &&
	    e[last] - e[last - 1] >= BINS_GROW * (e[first + 1] - e[first]);
	open_end(&e[0], e[1], last > 1 ? e[2] : e[1] + 1, f->xlog && last > 1);
	open_end(&e[n], e[n - 1], n > 1 ? e[n - 2] : e[n - 1] - 1, f->xlog && e[n - 2] > 0);
	f->xlo = e[0];
	f->xhi = e[n];
	return 0;
}

/* Names as the answer: the one that is in most rows has the first lane.  DP_ENOMEM. */
static int
lanes(struct dp_figure *f)
{
	const struct dp_chart *c = f->p->data;
	size_t *rows = calloc(c->words.n, sizeof *rows), i, k;

	if ((f->lane = calloc(c->words.n, sizeof *f->lane)) == NULL || rows == NULL) {
		free(rows);
		return DP_ENOMEM;
	}
	for (i = 0; i < f->rows; i++)
		rows[(size_t)dp_chart_row(c, i)[f->data.choice]]++;
	f->lanes = c->words.n < LANES ? c->words.n : LANES;
	for (i = 0; i < c->words.n; i++)
		for (k = 0; k < c->words.n && f->lane[i] + 1 < f->lanes; k++)
			f->lane[i] += rows[k] > rows[i] || (rows[k] == rows[i] && k < i);
	free(rows);
	return 0;
}

static enum dp_figure_kind
kind(const struct dp_figure *f)
{
	if (f->rows == 0)
		return DP_FIGURE_NUMBER;
	if (f->data.axis == DP_CHART_NAME)	/* -o long: one number's name is no name of a bar */
		return f->rows == 1 && f->p->numbers != NULL && f->p->numbers->line.tidy > 0 &&
		    f->p->numbers->words.text[0][0] == DP_TIDY ? DP_FIGURE_NUMBER :
		    DP_FIGURE_RANKED;
	if (f->p->ranked)
		return DP_FIGURE_PLACES;
	if (f->data.choice >= 0)
		return f->data.series == 0 ? DP_FIGURE_LEADS : DP_FIGURE_LINES;
	if (f->p->bars || f->data.bar > 0)
		return DP_FIGURE_BARS;
	return f->rows > 1 ? DP_FIGURE_LINES : f->data.series == 1 ? DP_FIGURE_NUMBER :
	    DP_FIGURE_BARS;
}

/* Half of the geometric mean of the intervals; 0: there is none, or all numbers are whole. */
static double
usual_half(const struct dp_figure *f)
{
	double v[3], sum = 0;
	bool whole = true;
	size_t i, n = 0;
	unsigned k;

	for (i = 0; i < f->rows; i++)
		for (k = 0; k < f->data.series; k++)
			if (dp_figure_known(f, i, k, v) == DP_KNOWN_INTERVAL && v[2] > v[1]) {
				sum += log((v[2] - v[1]) / 2);
				n++;
				whole &= v[0] == floor(v[0]);
			}
	return whole ? 0 : exp(sum / (double)n);
}

/* Names that dpmean gives its numbers, which have no scale in common. */
static bool
are_statistics(char *const *name, size_t n)
{
	static const char *const its[] = { "mean", "sd", "variance", "count", "sum", "clamp" };
	size_t i, k;

	for (i = 0; i < n; i++) {
		for (k = 0; k < sizeof its / sizeof *its && strcmp(its[k], name[i]) != 0; k++)
			;
		if (k == sizeof its / sizeof *its)
			return false;
	}
	return n > 1;
}

static void
xextent(struct dp_figure *f)
{
	const struct dp_chart *c[] = { f->p->data, f->p->truth };
	const struct dp_chart_view *v[] = { &f->data, &f->truth };
	size_t i;
	int k;

	if (f->kind == DP_FIGURE_BINS)
		return;
	f->xlo = INFINITY;
	f->xhi = -INFINITY;
	for (k = 0; k < 2 && c[k] != NULL; k++)
		for (i = 0; i < dp_chart_drawn(c[k]); i++)
			stretch(&f->xlo, &f->xhi, dp_figure_begin(f, c[k], v[k], i));
	if (f->kind == DP_FIGURE_BARS) {
		f->data.bar = f->data.bar > 0 ? f->data.bar : least_gap(f);
		f->xlo -= f->data.bar * .6;
		f->xhi += f->data.bar * .6;
	} else if (f->steps || f->data.choice >= 0) {
		f->xhi = dp_figure_end(f);
	}
	if (f->xlo == f->xhi) {
		f->xlo -= 1;
		f->xhi += 1;
	}
}

int
dp_figure_make(struct dp_figure *f, const struct dp_picture *p)
{
	char *name[DP_CHART_COLUMNS_MAX];
	double v[3], edge[DP_CHART_COLUMNS_MAX + 1];
	unsigned k;
	size_t i;
	int e = 0;

	*f = (struct dp_figure){ .p = p, .rows = dp_chart_drawn(p->data) };
	dp_chart_look(p->data, &f->data);
	if (p->truth != NULL)
		dp_chart_look(p->truth, &f->truth);
	if (p->leads && f->data.choice >= 0)
		f->data.series = f->truth.series = 0;
	f->kind = kind(f);
	f->steps = p->told.running && f->kind == DP_FIGURE_LINES;
	f->is.late = f->steps && f->data.axis == DP_CHART_DATE && p->told.bucket > 0;
	for (k = 0; k < f->data.series; k++)
		name[k] = p->data->column[f->data.at[k].est].name;
	f->fan = f->data.series > 1 && dp_names_are_quantiles(name, f->data.series);
	if (f->kind == DP_FIGURE_RANKED && f->rows > FALLING &&
	    falls(p->data, f->data.at[0].est))
		f->rows = LEADING;
	else if (f->kind == DP_FIGURE_RANKED && (e = bins(f)) == 0 && f->edge == NULL &&
	    f->rows > NAMES)
		f->rows = NAMES;
	if (e == 0 && f->data.choice >= 0 && f->data.axis != DP_CHART_NAME)
		e = lanes(f);
	if (e != 0)
		return e;
	f->unit = f->kind == DP_FIGURE_BINS || (f->data.series > 1 &&
	    dp_names_are_bins(name, f->data.series, edge)) ? NULL : p->told.unit;
	f->xunit = f->kind == DP_FIGURE_BINS ? p->told.unit : NULL;
	f->share = f->unit != NULL && strcmp(f->unit, DP_SHARE) == 0;
	panels(f);
	xextent(f);
	f->is.apart = f->kind == DP_FIGURE_RANKED && p->numbers != NULL && f->data.series == 1 &&
	    are_statistics(p->data->words.text, p->data->words.n);
	if (f->kind != DP_FIGURE_LINES && f->kind != DP_FIGURE_NUMBER && !f->is.apart)
		f->half = usual_half(f);
	f->is.empty = f->data.series > 0;
	for (i = 0; i < f->rows; i++)
		for (k = 0; k < f->data.series; k++)
			if (dp_figure_known(f, i, k, v) == DP_KNOWN_NOT) {
				f->is.unknown |= !isnan(v[1]);
			} else {
				f->is.empty = false;
				f->is.cut |= v[1] < f->panel[f->panels > 1 ? k : 0].lo ||
				    v[2] > f->panel[f->panels > 1 ? k : 0].hi;
			}
	f->is.cut &= f->kind == DP_FIGURE_LINES || !p->text.on;
	return 0;
}

void
dp_figure_free(struct dp_figure *f)
{
	free(f->edge);
	free(f->lane);
}

void
dp_figure_yscale(struct dp_scale *s, const struct dp_figure *f, const struct dp_panel *p,
    unsigned n)
{
	if (p->log)
		dp_scale_decades(s, p->lo, p->hi, n);
	else
		dp_scale_numbers(s, p->lo, p->hi, n, false);
	s->unit = f->unit;
}

void
dp_figure_xscale(struct dp_scale *s, const struct dp_figure *f, unsigned n)
{
	const double bar = f->data.bar, edge = f->kind == DP_FIGURE_BARS ? .6 * bar : 0;

	if (f->xlog)
		dp_scale_decades(s, f->xlo, f->xhi, n);
	else if (f->data.axis == DP_CHART_DATE)
		/* a day is at its beginning, 12:00 is no step, and a week has one bar */
		dp_scale_times(s, rint(f->xlo + edge), rint(f->xhi - edge), n, f->p->data->zone,
		    bar > 25 * HOUR ? bar : bar > 0 || least_gap(f) >= 23 * HOUR ? DAY : 0);
	else
		dp_scale_numbers(s, f->xlo, f->xhi, n, f->kind != DP_FIGURE_BINS ||
		    fabs(fmod(f->edge[1], 1)) == .5);
	s->unit = f->xunit;
}

/*
 * The words above a picture.
 */

static void
put_time(struct dp_buf *b, double at, bool day)
{
	char text[DP_WHEN_TEXT + 1] = "";

	*dp_when_put(text, (int64_t)at, NULL) = '\0';
	dp_put(b, day ? "%.10s" : "%.10s %.5s", text, text + 11);
}

/* From a time to the end of the step that begins at another; from above to: up to that end. */
static void
times(struct dp_buf *b, const struct dp_figure *f, double from, double to, double gap)
{
	const int zone = f->p->data->zone;
	const bool day = gap >= 23 * HOUR;
	const double last = day ? step_end(to + zone, gap) - 12 * HOUR :
	    to + zone + (f->p->told.bucket > 0 ? gap : 0);

	if (from <= to)
		put_time(b, from + zone, day);
	if (from > to || (day ? floor(last / DAY) > floor((from + zone) / DAY) :
	    last > from + zone)) {
		dp_put(b, from > to ? "up to " : " to ");
		put_time(b, last, day);
	}
	dp_put(b, zone == 0 ? ", UTC" : ", UTC%+03d:%02d", zone / HOUR, abs(zone) / 60 % 60);
}

void
dp_figure_period(struct dp_buf *b, const struct dp_figure *f, size_t from, size_t to)
{
	const struct dp_picture *p = f->p;
	const double last = p->last.at;

	if (f->data.axis == DP_CHART_DATE)
		times(b, f, dp_figure_begin(f, p->data, &f->data, from), dp_figure_begin(f,
		    p->data, &f->data, to), least_gap(f));
	else if (p->last.step)
		dp_put(b, p->told.running ? "up to step %.15g" : "step %.15g", last);
	else
		times(b, f, p->told.running ? last + 1 : last, last, p->told.bucket);
}

/* What is drawn besides the estimates. */
static void
marks(struct dp_buf *b, const struct dp_figure *f, const char *bars)
{
	const struct dp_picture *p = f->p;
	const bool lines = f->kind == DP_FIGURE_LINES;
	bool any = false;
	unsigned k;

	for (k = 0; k < f->data.series; k++)
		any |= f->data.at[k].lo >= 0 && f->kind != DP_FIGURE_PLACES;
	if (any && (bars != NULL || lines || f->kind == DP_FIGURE_NUMBER)) {
		dp_put(b, "; %s", lines ? f->data.series > 1 ? "bands: " : "band: " :
		    f->kind == DP_FIGURE_NUMBER ? "with its " :
		    f->is.apart ? "each with its " : bars);
		if (p->told.confidence > 0)
			dp_put(b, "%.6g %% ", 100 * p->told.confidence);
		dp_put(b, p->told.sampling ? "interval, noise and sampling" : "noise interval");
	}
	if (p->truth != NULL)
		dp_put(b, "; %s: the truth (NOT PRIVATE)", lines ? "dashed" : "marks");
	if (f->is.unknown)
		dp_put(b, "; %s: not known", !lines ? "?" : f->panels < f->data.series ? "gaps" :
		    "grey");
	if (f->is.cut)
		dp_put(b, "; arrows: it goes on");
	if (p->told.suppress > 0)
		dp_put(b, "; less than %.15g is not told", p->told.suppress);
}

/* Rows and names that are left out. */
static void
left_out(struct dp_buf *b, const struct dp_figure *f)
{
	const struct dp_chart *all = f->p->numbers != NULL ? f->p->numbers : f->p->data;
	const size_t rows = dp_chart_drawn(f->p->data);
	struct dp_chart_view v;
	size_t names;

	dp_chart_look(all, &v);
	names = v.choice < 0 ? v.series : all->words.n;
	if (all->stride > 1)
		dp_put(b, "; one in %llu is drawn", (unsigned long long)all->stride);
	else if (f->kind == DP_FIGURE_RANKED && f->rows < rows)
		dp_put(b, "; the %zu %s of %zu names", f->rows, falls(f->p->data,
		    f->data.at[0].est) ? "largest" : "first", rows);
	else if (f->p->numbers != NULL && names > f->data.series && f->data.axis != DP_CHART_NAME)
		dp_put(b, f->p->ranked ? "; the first %u of %zu names" :
		    "; the %u largest of %zu names", f->data.series, names);
}

void
dp_figure_words(struct dp_buf *b, const struct dp_figure *f, const char *bars)
{
	const struct dp_picture *p = f->p;
	const char *what = p->words.ylabel != NULL ? p->words.ylabel : f->kind ==
	    DP_FIGURE_PLACES ? "places, the first at the top" : p->words.estimate;
	const size_t from = b->n;

	if (what != NULL && !p->words.headed)
		dp_put(b, "; %s", what);
	if (f->rows > 0 && (f->data.axis == DP_CHART_DATE || f->data.axis == DP_CHART_NAME)) {
		dp_put(b, f->data.axis == DP_CHART_DATE || p->last.is ? "; " : "");
		if (f->data.axis == DP_CHART_DATE || p->last.is)
			dp_figure_period(b, f, 0, f->rows - 1);
	} else if (f->rows > 1) {
		dp_put(b, "; by %s", f->data.axis == DP_CHART_ROW && p->data->row[0] != '\0' ?
		    p->data->row : "step");
	}
	if (f->rows > 0) {
		marks(b, f, bars);
		left_out(b, f);
	}
	if (b->n > from) {		/* what comes first has nothing before it */
		memmove(b->p + from, b->p + from + 2, b->n - from - 2);
		b->n -= 2;
	}
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
	for (; i < c->columns; i++)
		if (c->column[i].kind != DP_CHART_NUMBER || ((c->columns - i) % 3 == 0 &&
		    (!c->column[i].band || c->column[i].sides * 2 < c->seen)))
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
