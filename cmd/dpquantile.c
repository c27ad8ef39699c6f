/* dpquantile - private quantiles of values in a range, or their histogram, at every time step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/options.h"
#include "run/driver.h"
#include "stat/quantile.h"

enum { WINDOW, RUNNING, HALF_LIFE, QUANTILE, BINS, LOG_BINS, HISTOGRAM };

static const struct dp_own own[] = {
	[WINDOW] = { 'w', "window", "W[,W...]",
	    "of the last W steps (or 7d): a column each", DP_KIND_TEXT },
	[RUNNING] = { 0, "running", NULL, "of all events so far", DP_KIND_FLAG },
	[HALF_LIFE] = { 0, "half-life", "N",
	    "older ones weigh less: 1/2 after N steps (or 14d)", DP_KIND_TEXT },
	[QUANTILE] = { 0, "quantile", "Q[,Q...]",
	    "which: 0.5, the median, by default; .5,.95,.99", DP_KIND_TEXT },
	[BINS] = { 0, "bins", "N|E,E...",
	    "bins of the range (1024), or their edges", DP_KIND_TEXT },
	[LOG_BINS] = { 0, "log-bins", NULL,
	    "bins of one ratio; so without --bins from LO on, LO > 0", DP_KIND_FLAG },
	[HISTOGRAM] = { 0, "histogram", NULL,
	    "the number of events in each bin instead", DP_KIND_FLAG },
	{ .name = NULL }
};

#define BINS_USUAL	1024
#define WIDE		100	/* a range this many times its lower end has logarithmic bins */
#define TEXT		40	/* bytes of an item that messages show */

static struct dp_quantile_asked asked;

/* The next item of a list, copied; how many bytes it had. */
static size_t
item(const char *option, const char *text, char out[static DP_RANGE_TEXT])
{
	const size_t n = strcspn(text, ",");

	if (n >= DP_RANGE_TEXT)
		dp_die(DP_EX_USAGE, "--%s: '%.*s..' is too long", option, TEXT, text);
	memcpy(out, text, n);
	out[n] = '\0';
	return n;
}

/* p50, p99.9: a quantile in percent. */
static const char *
name_of(struct dp_question *ask, double q)
{
	char text[DP_RANGE_TEXT];

	snprintf(text, sizeof text, "p%.10g", 100 * q);
	return dp_question_keep(ask, text, strlen(text));
}

static void
set_quantiles(struct dp_question *ask, const char *text)
{
	const char *name[DP_QUANTILES];
	char one[DP_RANGE_TEXT];
	struct dp_q q;
	unsigned i, places;
	int64_t unit;

	for (asked.n = 0; ; text++) {
		const size_t n = item("quantile", text, one);

		if (dp_q_parse(&q, one) != 0 || q.num == 0 || q.num >= q.den)
			dp_die(DP_EX_USAGE, "--quantile: '%s' must be a decimal or a ratio above 0 "
			    "and below 1, as .95; 0 and 1, the smallest and the largest value, "
			    "hang on one event, which no private number tells", one);
		if (asked.n == DP_QUANTILES)
			dp_die(DP_EX_USAGE, "--quantile: more than %d quantiles", DP_QUANTILES);
		asked.q[asked.n] = dp_q_double(q);
		for (i = 0; i < asked.n; i++)
			if (asked.q[i] == asked.q[asked.n])
				dp_die(DP_EX_USAGE, "--quantile: %s is there twice", one);
		name[asked.n] = name_of(ask, asked.q[asked.n]);
		asked.n++;
		if (*(text += n) == '\0')
			break;
	}
	dp_options_each_window(ask, name, asked.n, DP_OUTPUT_BIASED);
	for (places = 0, unit = asked.coarse; unit > 1; unit /= 10)
		places++;
	for (i = 0; i < ask->outputs; i++)
		ask->output[i].fewer = places;
}

#define FINER	4		/* places of values beyond those of edges, which cut them */
#define PLACES_MAX	9

/* The largest number of places of an item. */
static unsigned
places_of(const char *text)
{
	char one[DP_RANGE_TEXT];
	unsigned most = 0;
	int n;

	for (;; text++) {
		const size_t length = item("bins", text, one);

		if ((n = dp_decimal_places(one, length)) < 0 || n > PLACES_MAX)
			dp_die(DP_EX_USAGE, "--bins: '%s' is no decimal number of at most %d "
			    "places", one, PLACES_MAX);
		most = (unsigned)n > most ? (unsigned)n : most;
		if (*(text += length) == '\0')
			return most;
	}
}

/* Edges in units of 10^-places; how many bins they are of. */
static unsigned
read_edges(const char *text, unsigned places, int64_t *edge)
{
	char one[DP_RANGE_TEXT];
	unsigned n;

	for (n = 0; ; text++, n++) {
		const size_t length = item("bins", text, one);

		if (n > DP_BINS_MAX)
			dp_die(DP_EX_USAGE, "--bins: more than %d bins", DP_BINS_MAX);
		if (dp_decimal_parse(&edge[n], one, length, places) != 0 ||
		    (n > 0 && edge[n] <= edge[n - 1]))
			dp_die(DP_EX_USAGE, "--bins: '%s' is not above the edge before it", one);
		if (*(text += length) == '\0')
			return n;
	}
}

/*
 * E1,E2,..: bins, and the range, from the first to the last.  Values are told on a finer grid, as
 * one that was rounded to the places of an edge would be on its wrong side; quantiles have a place
 * more than edges.
 */
static void
set_edges(const struct dp_options *o, struct dp_question *ask, const char *text)
{
	static int64_t edge[DP_BINS_MAX + 1];
	const unsigned shown = places_of(text);
	unsigned n, i;

	if (o->given['r'])
		dp_die(DP_EX_USAGE, "--bins=E,E,..: the edges say the range, from the first to the "
		    "last: leave out -r");
	asked.shown = shown;
	ask->range.places = shown + FINER < PLACES_MAX ? shown + FINER : PLACES_MAX;
	for (;; ask->range.places--) {
		n = read_edges(text, ask->range.places, edge);
		if (dp_bins_given(&asked.bins, edge, n) == 0)
			break;
		if (ask->range.places == shown)
			dp_die(DP_EX_USAGE, "--bins: edges must be within +-2^50 of their last "
			    "decimal");
	}
	for (i = shown + 1; i < ask->range.places; i++)
		asked.coarse *= 10;
	ask->range.lo = edge[0];
	ask->range.hi = edge[n];
	ask->range.has_range = true;
}

static void
set_bins(const struct dp_options *o, struct dp_question *ask, const char *text)
{
	const int64_t lo = ask->range.lo, hi = ask->range.hi;
	const bool log = o->own[LOG_BINS].text != NULL;
	uint64_t n = BINS_USUAL;

	if (text != NULL && strchr(text, ',') != NULL) {
		if (log)
			dp_die(DP_EX_USAGE, "--log-bins: --bins=E,E,.. says where bins begin");
		set_edges(o, ask, text);
		return;
	}
	if (text != NULL && dp_u64_parse(&n, text, 2, DP_BINS_MAX) != 0)
		dp_die(DP_EX_USAGE, "--bins: '%.*s' must be a number of bins from 2 to %d, or "
		    "their edges, E1,E2,..", TEXT, text, DP_BINS_MAX);
	if (log && lo < 0)
		dp_die(DP_EX_USAGE, "--log-bins: they need a range from 0 or above, as 0:1000");
	if (log || (text == NULL && lo > 0 && hi / lo >= WIDE && hi > WIDE * lo) ?
	    dp_bins_log(&asked.bins, lo, hi, (unsigned)n) :
	    dp_bins_linear(&asked.bins, lo, hi, (unsigned)n))
		dp_die(DP_EX_USAGE, "--range: it is too wide");
}

/* An edge, or the value before it, with the places that it was given with. */
static char *
put_edge(const struct dp_question *ask, char *p, int64_t v)
{
	unsigned i;

	for (i = asked.bins.kind == DP_BINS_GIVEN ? asked.shown : ask->range.places;
	    i < ask->range.places; i++)
		v /= 10;
	return dp_decimal_put(p, v, asked.bins.kind == DP_BINS_GIVEN ? asked.shown :
	    ask->range.places);
}

/*
 * "10": the one value of a bin; else "10..19", of given edges "10..<20"; what is beyond the range
 * is in the first, "..19", and the last, "980..".
 */
static const char *
bin_name(struct dp_question *ask, unsigned i)
{
	const struct dp_bins *b = &asked.bins;
	const bool given = b->kind == DP_BINS_GIVEN, one = b->edge[i + 1] - 1 == b->edge[i];
	char text[2 * DP_RANGE_TEXT], *p = text;

	if (one || i > 0)
		p = put_edge(ask, p, b->edge[i]);
	if (!one)
		p = stpcpy(p, given && i + 1 < b->n ? "..<" : "..");
	if (!one && i + 1 < b->n)
		p = put_edge(ask, p, b->edge[i + 1] - !given);
	*p = '\0';
	return dp_question_keep(ask, text, (size_t)(p - text) + 1);
}

static void
set_histogram(const struct dp_options *o, struct dp_question *ask)
{
	static const char *name[DP_BINS_MAX];
	unsigned i;

	if (o->own[QUANTILE].text != NULL)
		dp_die(DP_EX_USAGE, "--histogram: not with --quantile: counts of bins and "
		    "quantiles have the least noise from different private numbers, so each has "
		    "a run, and an epsilon, of its own");
	asked.n = 0;
	for (i = 0; i < asked.bins.n; i++)
		name[i] = bin_name(ask, i);
	dp_options_each_window(ask, name, asked.bins.n, DP_OUTPUT_ESTIMATE);
	for (i = 0; i < ask->outputs; i++)
		ask->output[i].fewer = ask->range.places;
}

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	const bool histogram = o->own[HISTOGRAM].text != NULL;

	dp_options_need_value(o, "which field's quantiles", false);
	asked.coarse = 1;
	set_bins(o, ask, o->own[BINS].text);
	if (ask->range.lo == ask->range.hi)
		dp_die(DP_EX_USAGE, "--range: all values are one then, and so are all quantiles");
	asked.places = ask->range.places;
	dp_options_sums(o, ask, o->own[WINDOW].text, o->own[RUNNING].text, &o->own[HALF_LIFE]);
	ask->task.statistic = histogram ? &dp_histogram_statistic : &dp_quantile_statistic;
	ask->task.own = &asked;
	if (histogram)
		set_histogram(o, ask);
	else
		set_quantiles(ask, o->own[QUANTILE].text != NULL ? o->own[QUANTILE].text : ".5");
}

static size_t
bins(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return asked.bins.n;
}

static uint64_t
one(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return 1;
}

static unsigned
place(const struct dp_options *o, int64_t value, struct dp_term *x)
{
	(void)o;
	*x = (struct dp_term){ dp_bins_place(&asked.bins, value), 1 };
	return 1;
}

static const struct dp_contributions adds = { 1, bins, one, 1, place };

/* Lines: at most so many events; of a histogram all of them may be in the bin. */
static double
reach(const struct dp_options *o, const struct dp_plan *p, unsigned out)
{
	const struct dp_task *k = &o->task;
	const unsigned each = o->outputs / (k->windows > 0 ? k->windows : 1);

	if (o->time.bucket != 0 || k->what == DP_TASK_EXP)
		return INFINITY;
	return k->windows > 0 && k->w[out / each] < p->report ? (double)k->w[out / each] :
	    (double)p->report;
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpquantile",
		.purpose = "Print differentially private quantiles of values, or their histogram, "
		    "after every time step.",
		.synopsis = "[-w W[,W...] | --running | --half-life=N] ",
		.examples = "  dpquantile -e 1 --quantile=.5,.95 -v size -r 1:1M "
		    "--log=combined \\\n"
		    "      --bucket=1d --from=2026-05-01 --to=2026-05-04 access.log",
		.groups = DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_TIME | DP_GROUP_WHERE |
		    DP_GROUP_KEY | DP_GROUP_USER | DP_GROUP_EACH | DP_GROUP_STATE | DP_GROUP_BOUND |
		    DP_GROUP_NONNEGATIVE | DP_GROUP_PAN,
		.words.noun = { "estimate", "estimate" },
		.own = own, .shape = DP_SHAPE_CONTRIBUTIONS, .adds = &adds, .task = task,
		.reach = reach,
		.lists = { { "", DP_TASK_WINDOW, NULL },
		    { " with --running", DP_TASK_COUNT, NULL },
		    { " with --half-life", DP_TASK_EXP, NULL } }
	};

	return dp_tool_main(&tool, argc, argv);
}
