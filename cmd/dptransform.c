/* SPDX-License-Identifier: ISC */
/*
 * dptransform - the current answer of any statistic, one a line, as a private series: an answer is
 * released when it has moved.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "job/options.h"
#include "run/driver.h"
#include "stat/transform.h"

#define CHANGES_MAX	((uint64_t)1 << 32)
#define BETA_LEAST	1e-9
#define INNER_MAX	1e9

enum { SENSITIVITY, CHANGES, DISTANCE, BETA, ON_HALT, INNER, RISING, ONE_SIDED, DRIFT,
    REFRESH };

static const struct dp_own own[] = {
	[SENSITIVITY] = { 0, "sensitivity", "R",
	    "answers of neighbouring data differ by at most R, on every line", DP_KIND_NUMBER },
	[CHANGES] = { 0, "changes", "K", "release at most K answers", DP_KIND_TEXT },
	[DISTANCE] = { 0, "distance", "D", "moves of up to D need no release; default 0",
	    DP_KIND_TEXT },
	[BETA] = { 0, "beta", "B", "probability that an error is beyond its bound; default 0.05",
	    DP_KIND_NUMBER },
	[ON_HALT] = { 0, "on-halt", "WHAT", "after K releases: stop (default) or hold the last",
	    DP_KIND_TEXT, "stop hold" },
	[INNER] = { 0, "inner-epsilon", "E0", "what the statistic has spent itself, for --explain",
	    DP_KIND_TEXT },
	[RISING] = { 0, "rising", "M", "answers never fall, nor pass M: --changes and --distance "
	    "are found", DP_KIND_TEXT },
	[ONE_SIDED] = { 0, "one-sided", NULL,
	    "with --rising: of two neighbours one has no answer below the other's", DP_KIND_FLAG,
	    "-" },
	[DRIFT] = { 0, "drift", "V", "from a line to the next the answer moves by V at most",
	    DP_KIND_TEXT, .later = true },
	[REFRESH] = { 0, "refresh", "N", "with --drift: release an answer every N lines; else N "
	    "is found", DP_KIND_TEXT, .later = true },
	{ .name = NULL }
};

static struct dp_q
parse(const char *option, const char *text)
{
	struct dp_q q;
	int e = dp_q_parse(&q, text);

	if (e == DP_ERANGE)
		dp_die(DP_EX_USAGE, "%s: '%s' has too many digits, or is too large or too small",
		    option, text);
	if (e != 0)
		dp_die(DP_EX_USAGE, "%s: '%s' must be a decimal or a ratio, 0 or above", option,
		    text);
	return q;
}

/* q in grid units, rounded up or down. */
static uint64_t
on_grid(const struct dp_options *o, struct dp_q q, bool up)
{
	dp_uwide n = q.num;
	unsigned i;

	for (i = 0; i < o->range.places; i++)
		n *= 10;
	n = n / q.den + (up && n % q.den != 0);
	return n > (uint64_t)DP_VALUE_MAX ? (uint64_t)DP_VALUE_MAX : (uint64_t)n;
}

/*
 * R on the grid.  Rounding to it is half away from 0, so of two answers that are n grid units apart
 * one on each side of 0 may move away from the other by a unit: -1/2 and n - 1/2 become -1 and n.
 * On one side of 0 it is half up, or half down, for both.
 */
static void
set_sensitivity(const struct dp_options *o, struct dp_question *ask)
{
	const struct dp_own_value *v = &o->own[SENSITIVITY];
	size_t zeros;

	if (v->text == NULL)
		dp_die(DP_EX_USAGE, "--sensitivity=R is required: how far apart the answers of "
		    "neighbouring data can be");
	ask->range.unit = on_grid(o, v->number, true) + (ask->range.lo < 0 && ask->range.hi > 0);
	if (!o->print.quiet &&
	    (double)ask->range.unit > 2 * dp_q_double(v->number) * pow(10, ask->range.places))
		dp_warn("--sensitivity: %s counts as %g, as answers are rounded to the decimals of "
		    "--range: with more of them there would be less noise", v->text,
		    (double)ask->range.unit / pow(10, ask->range.places));
	/* --explain cuts a long text: not to the zeros before its digits */
	zeros = strspn(v->text, "0");
	ask->range.apart = v->text + (zeros > 1 ? zeros - 1 : 0);
}

static bool
hold(const struct dp_options *o)
{
	const char *text = o->own[ON_HALT].text;

	if (text != NULL && strcmp(text, "hold") != 0 && strcmp(text, "stop") != 0)
		dp_die(DP_EX_USAGE, "--on-halt: '%s' must be stop or hold", text);
	return text != NULL && strcmp(text, "hold") == 0;
}

/* K and D as asked for. */
static void
set_changes(const struct dp_options *o, struct dp_transform *k)
{
	const char *distance = o->own[DISTANCE].text != NULL ? o->own[DISTANCE].text : "0";

	if (o->own[CHANGES].text == NULL)
		dp_die(DP_EX_USAGE, "--changes=K is required: how many answers may be released; "
		    "or --rising=M, or --drift=V");
	if (dp_u64_parse(&k->changes, o->own[CHANGES].text, 0, CHANGES_MAX) != 0)
		dp_die(DP_EX_USAGE, "--changes: '%s' must be a whole number from 0 to 2^32",
		    o->own[CHANGES].text);
	k->distance = on_grid(o, parse("--distance", distance), false);
	k->distance_text = distance;
}

/*
 * Answers that go a way V in all move by more than V/(K+1) at most K times: K with the least
 * V/(K+1) + 3 R (K+1)/E (log(T (K+1)/B) + 10), about.
 */
static void
set_moves(const struct dp_options *o, const struct dp_question *ask, struct dp_transform *k,
    double way, uint64_t first)
{
	static char distance[32];
	const double R = (double)ask->range.unit, E = dp_q_double(o->priv.epsilon);
	const double T = o->horizon != 0 ? (double)o->horizon : 1e6;
	double n = 1;
	int i;

	for (i = 0; i < 9; i++)
		n = fmin(fmax(2, sqrt(way * (o->priv.exact ? 1e9 : E) / (3 * R *
		    (log(T * n / ask->beta) + 10)))), (double)CHANGES_MAX);
	k->changes = (uint64_t)n - 1 + first;
	k->distance = (uint64_t)(way / floor(n));
	snprintf(distance, sizeof distance, "%.10g", (double)k->distance *
	    pow(10, -(double)ask->range.places));
	k->distance_text = distance;
}

/* Answers that rise to M.  For mechanisms that ask for K and D; rising has its own. */
static void
set_rising(const struct dp_options *o, struct dp_question *ask, struct dp_transform *k)
{
	uint64_t top = on_grid(o, parse("--rising", o->own[RISING].text), false);

	if (o->own[CHANGES].text != NULL || o->own[DISTANCE].text != NULL)
		dp_die(DP_EX_USAGE, "--rising finds K and D: --%s does not go with it",
		    o->own[CHANGES].text != NULL ? "changes" : "distance");
	if (top > (uint64_t)DP_VALUE_MAX || (int64_t)top <= ask->range.lo)
		dp_die(DP_EX_USAGE, "--rising: '%s' must be above the low end of --range",
		    o->own[RISING].text);
	if (ask->range.hi < (int64_t)top)
		top = (uint64_t)ask->range.hi;
	k->rising = (uint64_t)((int64_t)top - ask->range.lo);
	k->one_way = ask->range.one_way = o->own[ONE_SIDED].text != NULL;
	set_moves(o, ask, k, (double)k->rising, 0);
}

/*
 * V and N of recompute.  V on the grid as R is: a unit more where answers may round to both sides
 * of 0.  The first answer may be anywhere: a move more than the way of the others has.
 */
static void
set_drift(const struct dp_options *o, struct dp_question *ask, struct dp_transform *k)
{
	const char *refresh = o->own[REFRESH].text;
	const struct dp_q v = parse("--drift", o->own[DRIFT].text);

	k->drifts = true;
	k->drift = on_grid(o, v, true) + (v.num != 0 && ask->range.lo < 0 && ask->range.hi > 0);
	if (refresh != NULL && dp_u64_parse(&k->refresh, refresh, 1, (uint64_t)1 << 62) != 0)
		dp_die(DP_EX_USAGE, "--refresh: '%s' must be a whole number of lines, 1 or above",
		    refresh);
	if (o->own[RISING].text != NULL || o->own[CHANGES].text != NULL)
		return;
	if (o->own[DISTANCE].text != NULL)
		dp_die(DP_EX_USAGE, "--distance needs --changes (--drift alone finds both)");
	if (o->horizon == 0)
		dp_die(DP_EX_USAGE, "--drift needs a horizon (-T): of how many lines one is "
		    "released depends on it");
	set_moves(o, ask, k, (double)o->horizon * (double)k->drift, 1);
}

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	static struct dp_transform k;
	const char *inner = o->own[INNER].text != NULL ? o->own[INNER].text : "0";
	uint64_t first, last;

	set_sensitivity(o, ask);
	ask->beta = o->own[BETA].text != NULL ? dp_q_double(o->own[BETA].number) : 0.05;
	if (ask->beta >= 1 || ask->beta < BETA_LEAST)
		dp_die(DP_EX_USAGE, "--beta: '%s' must be from 1e-9 to below 1",
		    o->own[BETA].text);
	if (o->own[ONE_SIDED].text != NULL && o->own[RISING].text == NULL)
		dp_die(DP_EX_USAGE, "--one-sided needs --rising (no other question is cheaper)");
	if (o->own[REFRESH].text != NULL && o->own[DRIFT].text == NULL)
		dp_die(DP_EX_USAGE, "--refresh needs --drift: an answer is as far off as it has "
		    "moved since it was released");
	if (o->own[DRIFT].text != NULL)
		set_drift(o, ask, &k);
	if (o->own[RISING].text != NULL)
		set_rising(o, ask, &k);
	else if (o->own[DRIFT].text == NULL || o->own[CHANGES].text != NULL)
		set_changes(o, &k);
	k.hold = hold(o);
	if (k.hold && k.changes == 0)
		dp_die(DP_EX_USAGE, "--on-halt=hold: refused with --changes=0 (nothing would ever "
		    "be released)");
	k.inner = dp_q_double(parse("--inner-epsilon", inner));
	if (k.inner > INNER_MAX)
		dp_die(DP_EX_USAGE, "--inner-epsilon: '%s' must be at most 1e9", inner);
	k.unit = ask->range.unit;
	ask->range.nothing = DP_TRANSFORM_NONE;
	/* from where the output begins to the farther end of the range */
	first = ask->range.lo > 0 ? 0 : (uint64_t)(-ask->range.lo);
	last = ask->range.hi < 0 ? 0 : (uint64_t)ask->range.hi;
	if (ask->range.lo > 0 || ask->range.hi < 0)
		first = last = (uint64_t)(ask->range.hi - ask->range.lo);
	k.reach = (first > last ? first : last) / k.unit;
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = &dp_transform_statistic;
	ask->task.own = &k;
}

/* Answers are within the range; where none is ever released, the end alone tells something. */
static double
reach(const struct dp_options *o, const struct dp_plan *p, unsigned out)
{
	const struct dp_transform *k = o->task.own;
	const double width = (k->rising != 0 ? (double)k->rising :
	    (double)o->range.hi - (double)o->range.lo) * pow(10, -(double)o->range.places);

	(void)p;
	(void)out;
	return k->changes == 0 ? 2 * width : width;
}

/* Options without effect, as all answers are released, or one a block, or those that have moved. */
static bool
tells(const struct dp_options *o, const struct dp_mech_rule *rule, const struct dp_plan *p,
    unsigned i, char text[static DP_NOTE])
{
	static const int all[] = { DISTANCE, ON_HALT, REFRESH, CHANGES, DRIFT };
	const bool every = strncmp(p->ops->name, "output", 6) == 0;
	const bool again = strcmp(p->ops->name, "recompute") == 0;
	const bool none[] = { every || again, every || again, !again, again, !again &&
	    (every || o->own[CHANGES].text != NULL || o->own[RISING].text != NULL) };
	const size_t n = sizeof all / sizeof all[0];
	size_t k;

	(void)rule;
	for (k = 0; k < n && (!none[k] || o->own[all[k]].text == NULL || i-- > 0); k++)
		;
	if (k == n)
		return false;
	snprintf(text, DP_NOTE, "--%s has no effect: %s releases %s", own[all[k]].name,
	    p->ops->name, every ? "every answer" : again ? "one answer of each block of lines" :
	    "an answer when it has moved");
	return true;
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dptransform",
		.purpose = "Print a differentially private version of a series of current answers, "
		    "one for every line.",
		.synopsis = "--sensitivity=R {--changes=K [--distance=D] | --rising=M | "
		    "--drift=V} ",
		.examples = "  awk '!seen[$1]++ { n++ } { print n }' access.log |\n"
		    "      dptransform -e 3 -T 10k --sensitivity=1 --rising=1000 --one-sided",
		.groups = DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_STATE | DP_GROUP_NONNEGATIVE |
		    DP_GROUP_MONOTONE | DP_GROUP_PAN,
		.range = "0:1000000000000",	/* only keeps answers sane: the noise is R's */
		.words.halted = "all --changes are spent (with --on-halt=hold the last answer "
		    "would be printed again instead)",
		.words.noun = { "answer printed", "answer printed" },
		.own = own, .task = task, .reach = reach, .tells = tells,
		.lists = { { "", DP_TASK_OWN, &dp_transform_statistic } }
	};

	return dp_tool_main(&tool, argc, argv);
}
