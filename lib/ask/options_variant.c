/*
 * options_variant.c - tools that an option makes other ones of: their table, with some members
 * changed.
 */
#include <math.h>
#include <string.h>

#include "options_table.h"
#include "relation.h"
#include "stat/magnitude.h"

/*
 * -r auto[:TOP]: sums of values whose range nobody knows (magnitude.h).  A tool that takes it
 * becomes one whose events add to columns by magnitude; all else of it stays.
 */
static struct dp_magnitude_asked asked;
static const struct dp_tool *tool_of;

static size_t
columns(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return dp_magnitude_columns(&asked);
}

static uint64_t
most(const struct dp_options *o, unsigned band)
{
	(void)o;
	(void)band;
	return (uint64_t)1 << asked.digits;
}

static unsigned
place(const struct dp_options *o, int64_t value, struct dp_term *x)
{
	(void)o;
	if (value != 0)
		x->place = dp_magnitude_place(&asked, value, &x->value);
	return value != 0;
}

static const struct dp_contributions adds = { 1, columns, most, 1, place };

#define DIGITS_LEAST	12
#define RATE		25	/* digits of values, and of noise, that trees of all kinds serve */

/* Digits on which noise of the rate epsilon / (move of a unit) is just fine enough. */
static unsigned
digits(const struct dp_options *o)
{
	const double moves = o->users.most != 0 ? (double)o->users.most :
	    o->time.bucket != 0 ? 1 : 2;
	double S = DP_MAGNITUDE_DIGITS;

	if (!o->priv.exact)
		S = o->priv.has_epsilon ?
		    floor(RATE + log2(dp_q_double(o->priv.epsilon) / moves)) : DIGITS_LEAST;
	S = fmin(fmax(S, DIGITS_LEAST), DP_MAGNITUDE_DIGITS);
	return S < asked.top ? (unsigned)S : asked.top;
}

static void
auto_task(const struct dp_options *o, struct dp_question *ask)
{
	static const char *const name[] = { "sum", "clamp" };

	if (tool_of->task != NULL)
		tool_of->task(o, ask);
	need((ask->task.what & (DP_TASK_COUNT | DP_TASK_WINDOW | DP_TASK_EXP)) != 0,
	    "--range=auto: refused with --expire, --power and --weights");
	asked.top = dp_ceil_log2((uint64_t)ask->range.hi);
	asked.digits = digits(o);
	ask->task.statistic = &dp_magnitude_statistic;
	ask->task.own = &asked;
	dp_options_each_window(ask, name, 2, DP_OUTPUT_BIASED);
}

static double
no_reach(const struct dp_options *o, const struct dp_plan *p, unsigned out)
{
	(void)o;
	(void)p;
	(void)out;
	return INFINITY;	/* nobody knows */
}

static const struct dp_tool *
by_magnitude(const struct dp_options *o, const struct dp_tool *tool)
{
	static struct dp_tool own;

	if (!o->range.magnitudes)
		return tool;
	dp_options_check(o, tool, DP_STAGE_AUTO);
	tool_of = tool;
	own = *tool;
	own.shape = DP_SHAPE_CONTRIBUTIONS;
	own.adds = &adds;
	own.task = auto_task;
	own.reach = no_reach;
	return &own;
}

/*
 * A tool of identifiers with --key: number of different ones of each declared key.  It is a count
 * of users: the identifier is the user, who counts once at most for each key, and for --per-user
 * keys in all (neighbour.h, ONCE); or, with a window of one step, in each step.
 */
static const struct dp_own *options;	/* the tool's own */

static void
set_key_steps(const struct dp_options *o, struct dp_question *ask, const char *window)
{
	ask->task.what = DP_TASK_COUNT;
	if (window == NULL) {
		need(!o->users.per_step, "--per-user=K/step: with --window=1 (or the bucket's "
		    "duration), which counts each step by itself");
		return;
	}
	need(dp_options_steps(o, "--window", window) == 1, "--window: with --key it is one step, "
	    "the bucket's duration");
	need(o->users.per_step, "--window: with --key it needs --per-user=K/step: each step counts "
	    "by itself");
	dp_options_windows(o, ask, window);
}

static void
key_task(const struct dp_options *o, struct dp_question *ask)
{
	const char *window = NULL;
	size_t i;

	for (i = 0; options[i].name != NULL; i++) {
		if (o->own[i].text == NULL)
			continue;
		if (strcmp(options[i].name, "window") == 0)
			window = o->own[i].text;
		else if (strcmp(options[i].name, "statistic") != 0 ||
		    strcmp(o->own[i].text, "distinct") != 0)
			need(strcmp(options[i].name, "presence") == 0, "--%s: refused with --key",
			    options[i].name);
	}
	set_key_steps(o, ask, window);
}

static const char *
hashed(const struct dp_options *o)
{
	(void)o;
	return "identifiers, each once for a key, told by a keyed hash of 96 bits";
}

static const struct dp_tool *
each_key(struct dp_options *o, const struct dp_tool *tool)
{
	static struct dp_tool own;

	if (tool->shape != DP_SHAPE_ID || (tool->groups & DP_GROUP_KEY) == 0)
		return tool;
	dp_options_check(o, tool, DP_STAGE_IDS);
	o->shard.identifiers = o->shard.partial;
	if (o->keys.field.number == 0)
		return tool;
	o->users.field = o->form.value;
	o->users.several = o->form.several;
	o->users.once = true;
	o->form.match = ".";		/* an identifier that is empty is none */
	o->priv.pan_default = false;
	options = tool->own;
	own = *tool;
	own.shape = DP_SHAPE_NUMBER;
	own.words.values = hashed;
	own.task = key_task;
	own.reach = NULL;
	own.note = NULL;
	own.pan = false;
	return &own;
}

/*
 * An own option --identifiers, of a tool that prints exact sums: a tool that prints identifiers and
 * how often each came.
 */
static const char *
texts(const struct dp_options *o)
{
	(void)o;
	return "identifiers, as their texts";
}

static const struct dp_tool *
identifiers(struct dp_options *o, const struct dp_tool *tool)
{
	static struct dp_tool own;
	size_t i;

	for (i = 0; tool->own != NULL && tool->own[i].name != NULL; i++)
		if (strcmp(tool->own[i].name, "identifiers") == 0)
			break;
	if (!tool->map || tool->own[i].name == NULL || o->own[i].text == NULL)
		return tool;
	dp_options_check(o, tool, DP_STAGE_LIST);
	o->shard.identifiers = true;
	own = *tool;
	own.shape = DP_SHAPE_NAME;
	own.words.reads = "identifier";
	own.words.values = texts;
	return &own;
}

const struct dp_tool *
dp_options_variant(struct dp_options *o, const struct dp_tool *tool)
{
	return each_key(o, identifiers(o, by_magnitude(o, tool)));
}
