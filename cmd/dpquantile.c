/* dpquantile - private quantiles of values in a range, or their histogram, at every time step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	    "bins of one ratio (default of a positive range > 100:1)", DP_KIND_FLAG },
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
name_of(struct dp_options *o, double q)
{
	char text[DP_RANGE_TEXT];

	return dp_options_keep(o, text, (size_t)snprintf(text, sizeof text, "p%.10g", 100 * q) + 1);
}

static void
set_quantiles(struct dp_options *o, const char *text)
{
	const char *name[DP_QUANTILES];
	char one[DP_RANGE_TEXT];
	struct dp_q q;
	unsigned i;

	for (asked.n = 0; ; text++) {
		const size_t n = item("quantile", text, one);

		if (dp_q_parse(&q, one) != 0 || q.num == 0 || q.num >= q.den)
			dp_die(DP_EX_USAGE, "--quantile: '%s' must be a decimal or a ratio above 0 "
			    "and below 1: the smallest and the largest value hang on one event, "
			    "which no private number tells", one);
		if (asked.n == DP_QUANTILES)
			dp_die(DP_EX_USAGE, "--quantile: more than %d quantiles", DP_QUANTILES);
		asked.q[asked.n] = dp_q_double(q);
		for (i = 0; i < asked.n; i++)
			if (asked.q[i] == asked.q[asked.n])
				dp_die(DP_EX_USAGE, "--quantile: %s is there twice", one);
		name[asked.n] = name_of(o, asked.q[asked.n]);
		asked.n++;
		if (*(text += n) == '\0')
			break;
	}
	dp_options_each_window(o, name, asked.n, DP_OUTPUT_BIASED);
}

/* E1,E2,..: what they are in grid units, and the range, from the first to the last. */
static void
set_edges(struct dp_options *o, const char *text)
{
	static int64_t edge[DP_BINS_MAX + 1];
	char one[DP_RANGE_TEXT];
	const char *p;
	unsigned n = 0;
	int places;

	if (o->given['r'])
		dp_die(DP_EX_USAGE, "--bins=E,E,..: the edges say the range, from the first to the "
		    "last: leave out -r");
	for (o->range.places = 0, p = text; ; p++) {
		const size_t length = item("bins", p, one);

		if ((places = dp_decimal_places(one, length)) < 0 || places > 9)
			dp_die(DP_EX_USAGE, "--bins: '%s' is no decimal number of at most 9 places",
			    one);
		if ((unsigned)places > o->range.places)
			o->range.places = (unsigned)places;
		if (*(p += length) == '\0')
			break;
	}
	for (p = text; ; p++, n++) {
		const size_t length = item("bins", p, one);

		if (n > DP_BINS_MAX)
			dp_die(DP_EX_USAGE, "--bins: more than %d bins", DP_BINS_MAX);
		if (dp_decimal_parse(&edge[n], one, length, o->range.places) != 0 ||
		    (n > 0 && edge[n] <= edge[n - 1]))
			dp_die(DP_EX_USAGE, "--bins: '%s' is not above the edge before it", one);
		if (*(p += length) == '\0')
			break;
	}
	if (dp_bins_given(&asked.bins, edge, n) != 0)
		dp_die(DP_EX_USAGE, "--bins: edges must be within +-2^50 of their last decimal");
	o->range.lo = edge[0];
	o->range.hi = edge[n];
	o->range.has_range = true;
}

static void
set_bins(struct dp_options *o, const char *text)
{
	const int64_t lo = o->range.lo, hi = o->range.hi;
	const bool log = o->own[LOG_BINS].text != NULL;
	uint64_t n = BINS_USUAL;

	if (text != NULL && strchr(text, ',') != NULL) {
		if (log)
			dp_die(DP_EX_USAGE, "--log-bins: --bins=E,E,.. says where bins begin");
		set_edges(o, text);
		return;
	}
	if (text != NULL && dp_u64_parse(&n, text, 2, DP_BINS_MAX) != 0)
		dp_die(DP_EX_USAGE, "--bins: '%.*s' must be a number of bins from 2 to %d, or "
		    "their edges, E1,E2,..", TEXT, text, DP_BINS_MAX);
	if (log && lo <= 0)
		dp_die(DP_EX_USAGE, "--log-bins: they need a range above 0, as -r 1:1000 is");
	if (log || (text == NULL && lo > 0 && hi / lo >= WIDE && hi > WIDE * lo) ?
	    dp_bins_log(&asked.bins, lo, hi, (unsigned)n) :
	    dp_bins_linear(&asked.bins, lo, hi, (unsigned)n))
		dp_die(DP_EX_USAGE, "--range: it is too wide");
}

/* "10..19": the values that a bin holds; "10": there is one. */
static const char *
bin_name(struct dp_options *o, unsigned i)
{
	char text[2 * DP_RANGE_TEXT];
	char *p = dp_decimal_put(text, asked.bins.edge[i], o->range.places);

	if (asked.bins.edge[i + 1] - 1 > asked.bins.edge[i])
		p = dp_decimal_put(stpcpy(p, ".."), asked.bins.edge[i + 1] - 1, o->range.places);
	*p = '\0';
	return dp_options_keep(o, text, (size_t)(p - text) + 1);
}

static void
set_histogram(struct dp_options *o)
{
	static const char *name[DP_BINS_MAX];
	unsigned i;

	if (o->own[QUANTILE].text != NULL)
		dp_die(DP_EX_USAGE, "--histogram: not with --quantile: counts of bins and "
		    "quantiles have the least noise from different private numbers, so each has "
		    "a run, and an epsilon, of its own");
	asked.n = 0;
	for (i = 0; i < asked.bins.n; i++)
		name[i] = bin_name(o, i);
	dp_options_each_window(o, name, asked.bins.n, DP_OUTPUT_ESTIMATE);
	for (i = 0; i < o->outputs; i++)
		o->output[i].fewer = o->range.places;
}

static void
task(struct dp_options *o)
{
	const bool histogram = o->own[HISTOGRAM].text != NULL;

	if (o->form.value.number == 0 && (o->time.field.number | o->keys.field.number |
	    o->users.field.number) != 0)
		dp_die(DP_EX_USAGE, "--value: which field's quantiles? Without it every line is 1");
	set_bins(o, o->own[BINS].text);
	if (o->range.lo == o->range.hi)
		dp_die(DP_EX_USAGE, "--range: all values are one then, and so are all quantiles");
	asked.places = o->range.places;
	dp_options_sums(o, o->own[WINDOW].text, o->own[RUNNING].text, &o->own[HALF_LIFE]);
	o->task.statistic = histogram ? &dp_histogram_statistic : &dp_quantile_statistic;
	o->task.own = &asked;
	if (histogram)
		set_histogram(o);
	else
		set_quantiles(o, o->own[QUANTILE].text != NULL ? o->own[QUANTILE].text : ".5");
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
		    DP_GROUP_KEY | DP_GROUP_USER | DP_GROUP_STATE | DP_GROUP_BOUND |
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
