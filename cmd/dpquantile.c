/* SPDX-License-Identifier: ISC */
/* dpquantile - private quantiles of values in a range, or their histogram, at every time step. */
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os.h"
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
	    "bins of the range (1024), or their edges", DP_KIND_TEXT, .adds = true },
	[LOG_BINS] = { 0, "log-bins", NULL,
	    "bins of one ratio; so without --bins from LO on, LO > 0", DP_KIND_FLAG,
	    .adds = true },
	[HISTOGRAM] = { 0, "histogram", NULL,
	    "the number of events in each bin instead", DP_KIND_FLAG, .adds = true },
	{ .name = NULL }
};

#define BINS_USUAL	1024
#define BINS_FINER	512	/* at most, where decimals as written tell fewer than FEW apart */
#define FEW		256
#define WIDE		100	/* a range this many times its lower end has logarithmic bins */
#define TEXT		40	/* bytes of an item that messages show */

static struct dp_quantile_asked asked;
static int64_t edge[DP_BINS_MAX + 1];

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
			dp_die(DP_EX_USAGE, "--quantile: '%s' must be a decimal or a ratio above "
			    "0 and below 1, as .95; 0 and 1, the smallest and the largest value, "
			    "depend on a single event, so no private number can be near them", one);
		if (asked.n == DP_QUANTILES)
			dp_die(DP_EX_USAGE, "--quantile: more than %d quantiles", DP_QUANTILES);
		asked.q[asked.n] = dp_q_double(q);
		for (i = 0; i < asked.n; i++)
			if (asked.q[i] == asked.q[asked.n])
				dp_die(DP_EX_USAGE, "--quantile: %s is given twice", one);
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

/* The largest number of places of an item. */
static unsigned
places_of(const char *text)
{
	char one[DP_RANGE_TEXT];
	unsigned most = 0;
	int n;

	for (;; text++) {
		const size_t length = item("bins", text, one);

		if ((n = dp_decimal_places(one, length)) < 0 || n > DP_PLACES_MAX)
			dp_die(DP_EX_USAGE, "--bins: '%s' is no decimal number of at most %d "
			    "places", one, DP_PLACES_MAX);
		most = (unsigned)n > most ? (unsigned)n : most;
		if (*(text += length) == '\0')
			return most;
	}
}

/* Edges in units of 10^-places; how many bins they are of. */
static unsigned
read_edges(const char *text, unsigned places)
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
	const unsigned shown = places_of(text);
	unsigned n, i;

	if (o->given['r'])
		dp_die(DP_EX_USAGE, "--bins=E,E,..: the edges say the range, from the first to the "
		    "last: leave out -r");
	asked.shown = shown;
	ask->range.places = shown + FINER < DP_PLACES_MAX ? shown + FINER : DP_PLACES_MAX;
	for (;; ask->range.places--) {
		n = read_edges(text, ask->range.places);
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

/*
 * Bins of a range whose decimals, as written, are too few for them.  Edges have as many as they
 * need, and values are told on a finer grid, as with edges that are given; quantiles have as many
 * decimals as tell bins apart.
 */
/* Edges are on a grid of `places' decimals: values', and what quantiles are printed on. */
static void
set_finer(const struct dp_options *o, struct dp_question *ask, unsigned places)
{
	const unsigned written = ask->range.places;

	asked.shown = places;
	dp_options_refine(o, &ask->range, places + FINER < DP_PLACES_MAX ?
	    places + FINER - written : DP_PLACES_MAX - written);
	if (asked.shown > ask->range.places)
		asked.shown = ask->range.places;
}

static int64_t
power10(unsigned n)
{
	return (int64_t)dp_power10(n);
}

/* Quantiles in units that are no wider than a bin, but for a factor 2. */
static void
set_printed(const struct dp_question *ask, int64_t narrowest)
{
	const int64_t most = power10(ask->range.finer);

	for (asked.coarse = 1; asked.coarse < most && 10 * asked.coarse <= 2 * narrowest; )
		asked.coarse *= 10;
}

/* 1, 2 or 5 times a power of ten, at least a part of the range; in units of 10^-*places. */
static int64_t
round_width(const struct dp_ask_range *r, unsigned *places)
{
	const int64_t W = r->hi - r->lo;
	int64_t width = 1;
	unsigned i;

	for (*places = r->places; *places < DP_PLACES_MAX &&
	    W * power10(*places - r->places) < BINS_FINER; )
		++*places;
	for (i = 0; width * BINS_FINER < W * power10(*places - r->places); i++)
		width = i % 3 == 1 ? width / 2 * 5 : 2 * width;
	return width;
}

/* Decimals that the edges of n bins of one width need: all of them, or a hundredth of a bin. */
static unsigned
places_needed(const struct dp_ask_range *r, unsigned n)
{
	const int64_t W = r->hi - r->lo;
	unsigned more;

	for (more = 0; r->places + more < DP_PLACES_MAX && W * power10(more) < 100 * (int64_t)n &&
	    W * power10(more) % n != 0; more++)
		;
	return r->places + more;
}

static void
set_even(const struct dp_options *o, struct dp_question *ask, unsigned n)
{
	unsigned i;
	int64_t W, unit;

	set_finer(o, ask, places_needed(&ask->range, n));
	unit = power10(ask->range.places - asked.shown);
	W = (ask->range.hi - ask->range.lo) / unit;
	for (i = 0; i < n; i++)
		edge[i] = ask->range.lo + unit * ((2 * i * W + n) / (2 * (int64_t)n));
	edge[n] = ask->range.hi;
	if (dp_bins_given(&asked.bins, edge, n) != 0)
		dp_die(DP_EX_USAGE, "--bins: the range has no room for %u bins", n);
	asked.bins.kind = DP_BINS_EVEN;
	set_printed(ask, W / n * unit);
}

/*
 * Bins of a round width, which begin at values that people have: a quantile is where its bin
 * begins, so of whole numbers it is one.  The range's end is a bin by itself.
 */
static void
set_narrow(const struct dp_options *o, struct dp_question *ask)
{
	unsigned places, n;
	int64_t width = round_width(&ask->range, &places);

	set_finer(o, ask, places);
	width *= power10(ask->range.places - asked.shown);
	asked.bins = (struct dp_bins){ .kind = DP_BINS_EVEN, .first = true };
	for (n = 0; ask->range.lo + n * width < ask->range.hi; n++)
		asked.bins.edge[n] = ask->range.lo + n * width;
	asked.bins.edge[n++] = ask->range.hi;
	asked.bins.edge[n] = ask->range.hi + 1;
	asked.bins.n = n;
	set_printed(ask, width / 2);
}

#define ROUGH	100	/* a bin of fewer units would be too far from its ratio */

/* Edges that are n different ones, if a grid can tell them. */
static void
set_log(const struct dp_options *o, struct dp_question *ask, unsigned n)
{
	struct dp_ask_range r = ask->range;
	int64_t unit;
	unsigned i;

	while (dp_bins_log(&asked.bins, r.lo, r.hi, n) == 0 &&
	    (asked.bins.n < n || asked.bins.edge[1] - asked.bins.edge[0] < ROUGH) &&
	    r.places < DP_PLACES_MAX && r.hi < INT64_C(1) << 46) {
		r.lo *= 10;
		r.hi *= 10;
		r.places++;
	}
	set_finer(o, ask, r.places);
	unit = power10(ask->range.places - asked.shown);
	if (dp_bins_log(&asked.bins, ask->range.lo / unit, ask->range.hi / unit, n) != 0)
		dp_die(DP_EX_USAGE, "--range: it is too wide");
	for (i = 0; i < asked.bins.n; i++)
		asked.bins.edge[i] *= unit;
	asked.bins.edge[i] = ask->range.hi + 1;
	set_printed(ask, asked.bins.edge[1] - asked.bins.edge[0]);
}

/*
 * True: the decimals that the range was written with do for the bins.  One of each value, or of as
 * many whole ones, is what was asked for; without --bins so is a histogram's of one value each, and
 * FEW bins are quantiles enough.
 */
static bool
suffices(const struct dp_options *o, const struct dp_question *ask, unsigned n, bool log)
{
	const uint64_t V = (uint64_t)(ask->range.hi - ask->range.lo) + 1;
	const bool given = o->own[BINS].text != NULL;
	struct dp_ask_range r = ask->range;

	if (o->keep.state != NULL && !o->keep.init)
		return ask->range.finer == 0;
	dp_options_refine(o, &r, 1);
	if (dp_options_whole(o) || r.finer == 0 || r.lo == r.hi || (log && r.lo == 0))
		return true;
	if (!log)
		return given ? V % n == 0 : o->own[HISTOGRAM].text != NULL || V >= FEW;
	return dp_bins_log(&asked.bins, ask->range.lo, ask->range.hi, n) != 0 ||
	    asked.bins.n >= (given ? n : FEW);
}

static void
set_bins(const struct dp_options *o, struct dp_question *ask, const char *text)
{
	const int64_t lo = ask->range.lo, hi = ask->range.hi;
	bool log = o->own[LOG_BINS].text != NULL;
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
	log |= text == NULL && lo > 0 && hi / lo >= WIDE && hi > WIDE * lo;
	if (!suffices(o, ask, (unsigned)n, log)) {
		if (log)
			set_log(o, ask, text != NULL ? (unsigned)n : BINS_FINER);
		else if (text != NULL)
			set_even(o, ask, (unsigned)n);
		else
			set_narrow(o, ask);
		return;
	}
	asked.shown = ask->range.places;
	if (log ? dp_bins_log(&asked.bins, lo, hi, (unsigned)n) :
	    dp_bins_linear(&asked.bins, lo, hi, (unsigned)n))
		dp_die(DP_EX_USAGE, "--range: it is too wide");
}

/* An edge, or the value before it, with the places that it was given with, or needs. */
static char *
put_edge(const struct dp_question *ask, char *p, int64_t v)
{
	return dp_decimal_put(p, v / power10(ask->range.places - asked.shown), asked.shown);
}

/*
 * "10": the one value of a bin; else "10..19", of given edges "10..<20"; what is beyond the range
 * is in the first, "..19", and the last, "980..".
 */
static const char *
bin_name(struct dp_question *ask, unsigned i)
{
	const struct dp_bins *b = &asked.bins;
	const bool given = b->kind == DP_BINS_GIVEN || ask->range.finer != 0;
	const bool one = b->edge[i + 1] - 1 == b->edge[i];
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

/* What a part's sums are of: bins whose edges are these. */
static void
name_sums(struct dp_question *ask)
{
	crypto_generichash_state h;
	unsigned char digest[16];
	char text[64], hex[2 * sizeof digest + 1];
	uint64_t one;
	unsigned i;

	crypto_generichash_init(&h, NULL, 0, sizeof digest);
	for (i = 0; i <= asked.bins.n; i++) {
		one = htole64((uint64_t)asked.bins.edge[i]);
		crypto_generichash_update(&h, (const unsigned char *)&one, sizeof one);
	}
	crypto_generichash_final(&h, digest, sizeof digest);
	snprintf(text, sizeof text, "dpquantile of %u bins %s", asked.bins.n,
	    sodium_bin2hex(hex, sizeof hex, digest, sizeof digest));
	ask->shard.adds = dp_question_keep(ask, text, strlen(text));
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
	name_sums(ask);
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

static const struct dp_contributions adds = { 1, bins, one, 1, place, NULL };

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
		.purpose = "Print private quantiles of values, or their histogram, after every "
		    "step.",
		.synopsis = "{-r LO:HI | --bins=E,E,...} [-w W[,W...] | --running | "
		    "--half-life=N] ",
		.examples = "  dpquantile -e 1 --quantile=.5,.95 -v size -r 1:1M "
		    "--log=combined \\\n"
		    "      --bucket=1d --from=2026-05-01 --to=2026-05-04 access.log",
		.groups = DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_MATCH | DP_GROUP_TIME |
		    DP_GROUP_WHERE |
		    DP_GROUP_KEY | DP_GROUP_USER | DP_GROUP_EACH |
		    DP_GROUP_COUNTER | DP_GROUP_STATE | DP_GROUP_BOUND |
		    DP_GROUP_NONNEGATIVE | DP_GROUP_PAN | DP_GROUP_DIFFERENCE |
		    DP_GROUP_PARTIAL,
		.words.noun = { "estimate", "estimate" },
		.own = own, .shape = DP_SHAPE_CONTRIBUTIONS, .adds = &adds, .task = task,
		.reach = reach,
		.lists = { { "", DP_TASK_WINDOW, NULL },
		    { " with --running", DP_TASK_COUNT, NULL },
		    { " with --half-life", DP_TASK_EXP, NULL } }
	};

	return dp_tool_main(&tool, argc, argv);
}
