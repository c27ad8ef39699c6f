/* SPDX-License-Identifier: ISC */
/* dpmean - private mean of values in a range, or share of events that match, at every time step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/options.h"
#include "run/driver.h"
#include "stat/mean.h"

enum { WINDOW, RUNNING, HALF_LIFE, STATISTIC };

static const struct dp_own own[] = {
	[WINDOW] = { 'w', "window", "W[,W...]",
	    "of the last W steps (or 7d): a column each", DP_KIND_TEXT },
	[RUNNING] = { 0, "running", NULL, "of all events so far", DP_KIND_FLAG },
	[HALF_LIFE] = { 0, "half-life", "N",
	    "older ones weigh less: 1/2 after N steps (or 14d)", DP_KIND_TEXT },
	[STATISTIC] = { 0, "statistic", "S[,S...]",
	    "mean (default), sd, variance, count, sum", DP_KIND_TEXT,
	    "mean sd variance count sum", .adds = true },
	{ .name = NULL }
};

static struct dp_mean_asked asked;

/* The statistics asked for, each once. */
static void
set_statistics(const char *text)
{
	const char *bad;
	const int n = dp_mean_statistics(&asked, text, &bad);

	if (n == DP_ERANGE)
		dp_die(DP_EX_USAGE, "--statistic: %.*s is given twice", (int)strcspn(bad, ","),
		    bad);
	if (n != 0)
		dp_die(DP_EX_USAGE, "--statistic: '%.*s' is none of mean, sd, variance, "
		    "count, sum", (int)(strcspn(bad, ",") < 40 ? strcspn(bad, ",") : 40), bad);
}

/* A column for each statistic of each window. */
static void
name_outputs(struct dp_question *ask)
{
	const char *name[DP_MEAN_KINDS];
	unsigned i;

	for (i = 0; i < asked.n; i++)
		name[i] = dp_mean_word(asked.what[i]);
	dp_options_each_window(ask, name, asked.n, DP_OUTPUT_BIASED);
	for (i = 0; i < ask->outputs; i++)
		ask->output[i].fewer = dp_mean_fewer(&asked, i % asked.n);
}

/*
 * Values are told to a millionth of the range, or a ten-millionth of the noise that hides one
 * event, and so are means; sums have the decimals that the range was written with.  0 and 1 stay:
 * noise of a whole number's grid has less variance.  Weights have grids of their own.
 */
static void
set_grid(const struct dp_options *o, struct dp_question *ask)
{
	const struct dp_ask_range *r = &ask->range;
	const struct dp_q one = { 1, 1 };

	dp_options_refine(o, &ask->range, dp_options_whole(o) ||
	    o->range.weight.field.number != 0 ? 0 : dp_mean_finer(r->lo, r->hi, r->places,
	    o->users.most, o->priv.has_epsilon && o->priv.epsilon.den != 0 ? o->priv.epsilon :
	    one));
	asked.places = ask->range.places;
	asked.finer = ask->range.finer;
}

/* True: a mean may be of several steps, in which a user has an event each. */
static bool
many_of_user(const struct dp_options *o, const struct dp_task *task)
{
	unsigned i;

	if (o->users.most == 0 || (o->users.most == 1 && !o->users.per_step &&
	    o->users.spacing_text == NULL))
		return false;
	for (i = 0; i < task->windows; i++)
		if (task->w[i] > 1)
			return true;
	return task->windows == 0 && !o->time.once;
}

/* An interval of what the events are a sample of: of means, whose events are independent. */
static void
check_sampling(const struct dp_options *o, const struct dp_task *task)
{
	unsigned i;

	for (i = 0; i < asked.n; i++)
		if (asked.what[i] != DP_MEAN_MEAN)
			dp_die(DP_EX_USAGE, "--sampling is of means and shares: run --statistic=%s "
			    "without it", dp_mean_word(asked.what[i]));
	if (o->own[HALF_LIFE].text != NULL)
		dp_die(DP_EX_USAGE, "--sampling: refused with --half-life, where a mean is of no "
		    "number of events; give --window");
	if (many_of_user(o, task))
		dp_die(DP_EX_USAGE, "--sampling: refused with --user where a mean is of several "
		    "steps: a user has an event in each, and they are no independent draws; give "
		    "-w 1, a longer --bucket, or -c 1");
}

#define PLACES_MAX	9	/* that a number is read to */
#define WEIGHTS		10000	/* the fewest grid units of MAX, where there is room */
#define ANSWERS		100	/* and an answer's range; */
#define ROWS		1000000	/* and what a row adds */
#define ROW_MAX		((uint64_t)1 << 40)	/* which noise of small budgets can hide */
#define REACH_MAX	(((uint64_t)1 << 49) - 1)
#define TOTALS		((uint64_t)1000000000000)	/* a larger total is mistyped */

/* A whole number of the option's text times 10^places; no larger than `most'. */
static uint64_t
whole(const char *option, const char *text, unsigned places, uint64_t most)
{
	int64_t n;

	if (dp_decimal_parse(&n, text, strlen(text), places) != 0 || n <= 0 || (uint64_t)n > most)
		dp_die(DP_EX_USAGE, "--%s: '%s' must be above 0, and that times the width of "
		    "--range below 2^49, counted in the last decimals of both", option, text);
	return (uint64_t)n;
}

/* --unit: totals of whole numbers, as they are. */
static void
set_totals(const struct dp_options *o, struct dp_question *ask, uint64_t width)
{
	struct dp_mean_weight *w = &asked.weight;
	uint64_t most = REACH_MAX / width;

	if (ask->range.places > 0)
		dp_die(DP_EX_USAGE, "--range: with --unit totals are whole numbers, and so are LO "
		    "and HI, by which one event moves -v where it moves the weight by 1: -r 0:1");
	if (strspn(o->range.total, "0123456789") != strlen(o->range.total))
		dp_die(DP_EX_USAGE, "--unit: '%s' must be a whole number here: rows are totals of "
		    "people", o->range.total);
	w->most = whole("unit", o->range.total, 0, most);
	most = most < TOTALS ? most : TOTALS;
	w->cap = (most > w->most ? most : w->most) * width;
}

/* MAX, on a grid that is fine enough for weights such as 0.8371. */
static void
set_most(const struct dp_options *o, uint64_t width)
{
	struct dp_mean_weight *w = &asked.weight;
	const int places = dp_decimal_places(o->range.weight.max, strlen(o->range.weight.max));
	const unsigned taken = o->range.places + (asked.weight.finer > 1);

	if (places < 0 || (unsigned)places + taken > PLACES_MAX)
		dp_die(DP_EX_USAGE, "--weight: '%s': MAX and --range together have %d decimals at "
		    "most", o->range.weight.max, PLACES_MAX);
	w->places = w->shown = (unsigned)places;
	w->most = whole("weight", o->range.weight.max, w->places, REACH_MAX / width);
	while ((w->most < WEIGHTS || w->most * width < ROWS) && w->most * width < ROW_MAX / 10 &&
	    w->places + taken < PLACES_MAX) {
		w->most *= 10;
		w->places++;
	}
}

/* --weight: rows are totals, or have a largest weight. */
static void
set_weight(const struct dp_options *o, struct dp_question *ask)
{
	struct dp_mean_weight *w = &asked.weight;
	uint64_t width = (uint64_t)asked.hi - (uint64_t)asked.lo;
	unsigned finer = 0;

	*w = (struct dp_mean_weight){ .finer = 1 };
	if (o->range.weight.times)
		for (; width < ANSWERS && o->range.places + finer < PLACES_MAX; width *= 10)
			finer++;
	w->finer = (uint64_t)dp_power10(finer);
	if (o->range.total != NULL)
		set_totals(o, ask, width);
	else
		set_most(o, width);
	if (asked.decimals < w->shown)
		asked.decimals = w->shown;
	ask->range.weight.places = w->places;
	ask->range.weight.grid = o->range.places + finer + w->places;
	ask->range.weight.value_places = o->range.weight.times || o->form.match != NULL ?
	    o->range.places + finer : ask->range.weight.grid;
	ask->range.weight.cap = w->cap;
	w->grid = pow(10, -(double)ask->range.weight.grid);
}

/* Statistics that weights have. */
static void
check_weight(void)
{
	unsigned i;

	for (i = 0; i < asked.n; i++)
		if (asked.what[i] == DP_MEAN_SD || asked.what[i] == DP_MEAN_VARIANCE)
			dp_die(DP_EX_USAGE, "--statistic: %s: a row is a total, and does not say "
			    "how far apart the values are that it is of; with --weight there are "
			    "mean, count (the sum of weights) and sum",
			    dp_mean_word(asked.what[i]));
}

/* What a part's sums are of; the range, and with it the grid, is said beside it. */
static void
name_sums(struct dp_question *ask)
{
	const struct dp_mean_weight *w = &asked.weight;
	char text[128];

	snprintf(text, sizeof text, w->most == 0 ? "dpmean of %u numbers" :
	    "dpmean of %u numbers by weights %llu %u %llu %llu", dp_mean_numbers(&asked),
	    (unsigned long long)w->most, w->places, (unsigned long long)w->cap,
	    (unsigned long long)w->finer);
	ask->shard.adds = dp_question_keep(ask, text, strlen(text));
}

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	dp_options_need_value(o, "which field's mean", true);
	if (ask->range.lo == ask->range.hi)
		dp_die(DP_EX_USAGE, "--range: all values are one then, and so is their mean");
	set_grid(o, ask);
	asked.lo = ask->range.lo;
	asked.hi = ask->range.hi;
	asked.decimals = dp_mean_decimals(asked.lo, asked.hi, o->range.weight.field.number != 0);
	set_statistics(o->own[STATISTIC].text != NULL ? o->own[STATISTIC].text : "mean");
	asked.sampling = o->print.sampling;
	asked.gamma = 1 - o->print.confidence;
	asked.weight.most = 0;
	if (o->range.weight.field.number != 0) {
		check_weight();
		set_weight(o, ask);
	}
	dp_options_sums(o, ask, o->own[WINDOW].text, o->own[RUNNING].text, &o->own[HALF_LIFE]);
	if (asked.sampling)
		check_sampling(o, &ask->task);
	ask->task.statistic = asked.weight.most != 0 ? &dp_mean_weighted : &dp_mean_statistic;
	ask->task.own = &asked;
	name_outputs(ask);
	name_sums(ask);
}

static size_t
numbers(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return dp_mean_numbers(&asked);
}

static uint64_t
most(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return dp_mean_reach(&asked);
}

static unsigned
split(const struct dp_options *o, int64_t value, struct dp_term *x)
{
	const unsigned n = dp_mean_numbers(&asked);
	int64_t b[DP_MEAN_NUMBERS];
	unsigned i;

	(void)o;
	dp_mean_split(&asked, value, b);
	for (i = 0; i < n; i++)
		x[i] = (struct dp_term){ i, b[i] };
	return n;
}

/* A row of nothing is none. */
static unsigned
weigh(const struct dp_options *o, int64_t value, int64_t weight, struct dp_term *x, bool *is)
{
	int64_t b[2];
	unsigned i;

	(void)o;
	*is = dp_mean_weigh(&asked, value, weight, b);
	for (i = 0; i < 2; i++)
		x[i] = (struct dp_term){ i, b[i] };
	return b[0] != 0 || b[1] != 0 ? 2 : 0;
}

static const struct dp_contributions adds = { 1, numbers, most, DP_MEAN_NUMBERS, split, NULL };

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpmean",
		.purpose = "Print a private mean of values, or a share of events, after every "
		    "step.",
		.synopsis = "{-r LO:HI | -m REGEX} [-w W[,W...] | --running | --half-life=N] ",
		.examples = "  dpmean -e 1 -B -v status -m '^5' --log=combined --bucket=1d \\\n"
		    "      --from=2026-05-01 --to=2026-05-04 access.log",
		.groups = DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_MATCH | DP_GROUP_TIME |
		    DP_GROUP_WHERE | DP_GROUP_KEY | DP_GROUP_USER | DP_GROUP_EACH |
		    DP_GROUP_COUNTER | DP_GROUP_STATE |
		    DP_GROUP_BOUND | DP_GROUP_SAMPLING | DP_GROUP_PAN | DP_GROUP_UNIT |
		    DP_GROUP_DIFFERENCE | DP_GROUP_TABLE | DP_GROUP_PARTIAL, .fine = true,
		.words.noun = { "share of N events, times N,", "mean of N events, times N," },
		.own = own, .shape = DP_SHAPE_CONTRIBUTIONS, .adds = &adds,
		.weigh = weigh, .task = task,
		.lists = { { "", DP_TASK_WINDOW, NULL },
		    { " with --running", DP_TASK_COUNT, NULL },
		    { " with --half-life", DP_TASK_EXP, NULL } }
	};

	return dp_tool_main(&tool, argc, argv);
}
