/* SPDX-License-Identifier: ISC */
/* dptop - names that nobody declared, with private counts of their events. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "run/driver.h"
#include "stat/top.h"
#include "store/run.h"

enum { WINDOW, RUNNING, TOP, HOLD, DISTINCT };

static const struct dp_own own[] = {
	[WINDOW] = { 'w', "window", "W",
	    "names and events of the last W steps, or of a duration: 1, 7d",
	    DP_KIND_TEXT },
	[RUNNING] = { 0, "running", NULL, "names and events so far (default)", DP_KIND_FLAG },
	[TOP] = { 0, "top", "K", "no more than the K largest counts of a step", DP_KIND_TEXT },
	[HOLD] = { 0, "hold", "P",
	    "hold a name from an event on, each with probability P = 1/N: less memory",
	    DP_KIND_NUMBER },
	[DISTINCT] = { 0, "distinct", NULL, "users, not events: each once a name (with -u)",
	    DP_KIND_FLAG, .adds = true },
	{ .name = NULL }
};

#define TYPICAL	40		/* bytes of a name, for an example */
#define HOLD_MAX 1000000	/* events that a name has before it is held, on average */

static void
hold(const struct dp_options *o, struct dp_question *ask, bool each)
{
	const struct dp_own_value *v = &o->own[HOLD];

	if (v->text == NULL)
		return;
	if (v->number.num != 1 || v->number.den > HOLD_MAX)
		dp_die(DP_EX_USAGE, "--hold: '%s' must be 1/N, N a whole number from 1 to %u, as "
		    ".25: N - 1 events make up for those that came before", v->text, HOLD_MAX);
	if (ask->task.windows > 0)
		dp_die(DP_EX_USAGE, "--hold: refused with --window: a name that left the window "
		    "would be held anew, and when that happens depends on each of its events; "
		    "give -w 1, by which each step holds names anew");
	if (o->shard.partial)
		dp_die(DP_EX_USAGE, "--hold: refused with --partial (shards have all names "
		    "already): leave --hold out");
	if (o->print.confidence > 0)
		dp_die(DP_EX_USAGE, "--hold: refused with --bound: the interval covers the noise, "
		    "not the events before a name was held");
	if (!each && o->time.steps == DP_BY_RANGE && !o->time.once && o->keep.state != NULL)
		dp_die(DP_EX_USAGE, "--hold: refused with --state and --from: a run that is cut "
		    "short reads its range again, and would hold other names; use -w 1, "
		    "--public-times or --live");
	ask->hold = v->number.den;
}

/* A window of one step is no window. */
static void
set_window(const struct dp_options *o, struct dp_question *ask, const char *text)
{
	const uint64_t W = dp_options_steps(o, "--window", text);

	if (W == 1)
		return;
	ask->task.windows = 1;
	ask->task.w[0] = W;
	ask->task.window[0] = text;
}

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	const char *window = o->own[WINDOW].text, *running = o->own[RUNNING].text,
	    *top = o->own[TOP].text;
	const bool alone = o->time.once && o->keep.state == NULL;

	if (o->keys.other != NULL)
		dp_die(DP_EX_USAGE, "--other: names need not be declared here, so all others have "
		    "their own");
	if (!o->priv.exact && o->priv.delta.num == 0 && !o->print.check)
		dp_die(DP_EX_USAGE, "--delta is required: the probability that a name with only "
		    "one event is printed, as -d 1e-6");
	if (window != NULL && running != NULL)
		dp_die(DP_EX_USAGE, "--window and --running do not go together: either says which "
		    "events are meant");
	if (top != NULL && strspn(top, "0123456789") > 0 &&
	    strcmp(top + strspn(top, "0123456789"), "+") == 0)
		dp_die(DP_EX_USAGE, "--top: '%s' is refused: the events of names that are not "
		    "printed have no private number here; dpcount over the same events, with an "
		    "epsilon of its own, counts all, and the others are that less the names "
		    "printed", top);
	if (top != NULL && dp_u64_parse(&ask->top, top, 1, DP_NAMES_MAX) != 0)
		dp_die(DP_EX_USAGE, "--top: '%s' must be a whole number from 1 to %u", top,
		    DP_NAMES_MAX);
	ask->once = o->own[DISTINCT].text != NULL;
	if (ask->once && o->users.field.number == 0 && o->shard.by_user == 0)
		dp_die(DP_EX_USAGE, "--distinct needs --user and --per-user=K, the number of "
		    "names for which a user counts");
	if (ask->once && o->users.each != DP_EACH_NO)
		dp_die(DP_EX_USAGE, "--distinct: --each-user=any says so already");
	if (ask->once && o->users.spacing_text != NULL)
		dp_die(DP_EX_USAGE, "--distinct: refused with --per-user=K/B: a user counts once "
		    "for a name");
	if (window != NULL)
		set_window(o, ask, window);
	dp_options_output(ask, 0, "count", DP_OUTPUT_ESTIMATE);
	ask->task.what = DP_TASK_OWN;
	ask->task.statistic = ask->task.windows > 0 ? &dp_top_window :
	    window != NULL || (alone && running == NULL) ? &dp_top_each : &dp_top_running;
	hold(o, ask, ask->task.statistic == &dp_top_each);
	ask->shard.names = true;
	ask->shard.adds = ask->once ? "dptop of users, each once a name" : "dptop";
}

static bool
note(const struct dp_options *o, const struct dp_mech_rule *s, const struct dp_plan *p, unsigned i,
    char text[static DP_NOTE])
{
	const size_t each = dp_roll_bytes(p->mech->column);
	const bool brief = p->mech->brief && o->time.steps != DP_BY_RANGE &&
	    o->time.lateness == 0;
	const double n = (double)o->keys.hold;

	(void)s;
	if (i == 0) {
		snprintf(text, DP_NOTE, "memory holds each name that %s%s, exactly: some "
		    "%zu bytes and its own, so that 1 GiB has %.2g million names of %d bytes; "
		    "where there is no more the run ends, and that it did depends on the data",
		    n > 1 ? "is held" : "had an event", brief ? " in an open bucket" : "", each,
		    0x1p30 / (double)(each + TYPICAL) / 1e6, TYPICAL);
		return true;
	}
	if (i == 1 && n > 1) {
		snprintf(text, DP_NOTE, "a name that is not declared is held from one of its "
		    "events on, each with probability 1/%.0f; %.0f events are added, as many as "
		    "came before that on average, which is off by %.3g beside the noise; of names "
		    "with one event%s one in %.0f is held", n, n - 1, sqrt(n * (n - 1)),
		    p->mech->brief ? " in a bucket" : "", n);
		return true;
	}
	if (i > 1 + (n > 1) || o->priv.exact)
		return false;
	snprintf(text, DP_NOTE, "where an event has another name instead, the loss is (2 "
	    "epsilon, (1 + e^epsilon) delta); a count is rather too high when its name first "
	    "appears, and its interval (-B) does not know that");
	return true;
}

static const char *
values(const struct dp_options *o)
{
	if (o->users.each != DP_EACH_NO)
		return "1 for each user, name and step";
	if (o->users.once)
		return o->users.per_step ? "1 for each user, name and step" :
		    "1 for each user and name";
	return o->keys.field.number != 0 ? "1 for each line, to the name in the key's field" :
	    "1 for each line, to the name that the line is";
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dptop",
		.purpose = "Print the most frequent names, which nobody declared, with private "
		    "counts.",
		.synopsis = "-d DELTA [--running | -w W] [--top=K] [--distinct] [--hold=P] ",
		.examples = "  dptop -e 1 -d 1e-6 --top=10 -k path --log=combined \\\n"
		    "      --bucket=1h --from=2026-05-01 --to=2026-05-04 access.log",
		.groups = DP_GROUP_WHERE | DP_GROUP_TIME | DP_GROUP_KEY | DP_GROUP_USER |
		    DP_GROUP_EACH |
		    DP_GROUP_STATE | DP_GROUP_BOUND | DP_GROUP_NONNEGATIVE | DP_GROUP_PARTIAL,
		.words.noun = { "count", "count" }, .words.reads = "name",
		.words.values = values,
		.own = own, .shape = DP_SHAPE_NAME, .rows = "name", .task = task, .note = note,
		.lists = { { "", DP_TASK_OWN, &dp_top_running },
		    { " with -w 1", DP_TASK_OWN, &dp_top_each },
		    { " with -w W", DP_TASK_OWN, &dp_top_window } }
	};

	return dp_tool_main(&tool, argc, argv);
}
