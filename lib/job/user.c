/* SPDX-License-Identifier: ISC */
/*
 * user.c - --per-user: how many events of a user count, and, in words, the bias of dropping
 * what comes beyond that.
 */
#include <stdio.h>
#include <string.h>

#include "table.h"

const char *
dp_options_each(const struct dp_options *o)
{
	static const char *const word[] = { [DP_EACH_NO] = "-", [DP_EACH_ANY] = "any",
	    [DP_EACH_COUNT] = "count", [DP_EACH_SUM] = "sum", [DP_EACH_MEAN] = "mean",
	    [DP_EACH_MAX] = "max", [DP_EACH_MIN] = "min", [DP_EACH_FIRST] = "first",
	    [DP_EACH_LAST] = "last" };

	return word[o->users.each];
}

uint64_t
dp_options_spaced_steps(const struct dp_options *o)
{
	return o->horizon != 0 ? o->horizon : UINT32_MAX / o->users.most;
}

/* All the steps that are so far apart. */
static bool
all_spaced(const struct dp_options *o)
{
	return o->users.spacing != 0 &&
	    o->users.most > (o->horizon - 1) / o->users.spacing;
}

/* The allowance is of many steps, and some day it is used up. */
static bool
runs_out(const struct dp_options *o, const struct dp_tool *tool)
{
	return !o->users.per_step && o->horizon != 1 && tool->prints != DP_PRINT_END &&
	    !all_spaced(o);
}

/* The events that K/B leaves out besides. */
static const char *
sooner(const struct dp_options *o, char text[static 100])
{
	if (o->users.spacing > 1)
		snprintf(text, 100, ", and none less than %llu steps after the last that counts",
		    (unsigned long long)o->users.spacing);
	else
		snprintf(text, 100, ", and one in a step");
	return o->users.spacing != 0 ? text : "";
}

static const char *
falls(const struct dp_options *o)
{
	return dp_task_forgets(&o->task) ? "constant traffic falls to 0" :
	    "constant traffic stops counting";
}

static const char *
span(const struct dp_options *o)
{
	return o->users.per_step ? "a step" : "the whole run";
}

/* Looks like users of each key, and is none: a user of two keys counts for the first. */
static bool
users_by_key(const struct dp_options *o, const struct dp_tool *tool)
{
	return !o->users.once && o->users.most == 1 && o->users.each == DP_EACH_NO &&
	    o->keys.field.number != 0 && !tool->map &&
	    (o->users.per_step || o->time.once);
}

bool
dp_options_by_key(const struct dp_options *o, const struct dp_tool *tool)
{
	return o->users.once && tool->shape != DP_SHAPE_NAME;
}

/* True: an identifier may have more keys than count. */
static bool
loses_keys(const struct dp_options *o, const struct dp_tool *tool)
{
	return dp_options_by_key(o, tool) && o->users.most < o->keys.n;
}

/* --each-user: a user may have more keys, or steps, than count. */
static bool
leaves_folds(const struct dp_options *o, const struct dp_tool *tool)
{
	return !dp_options_lone(o, tool) && (!dp_options_step_unit(o) || o->keys.n == 0 ||
	    o->users.most < o->keys.n);
}

#define UNKNOWN	", and no error or interval shows how much that changes"
#define SHARE	", and the column dropped has their share"	/* --dropped */

/* What --each-user leaves out, which no fold is of. */
static void
folds_dropped(const struct dp_options *o, const struct dp_tool *tool,
    char text[static DP_DROPPED])
{
	const char *key = tool->shape == DP_SHAPE_NAME ? "name" : "key";
	const unsigned long long k = o->users.most;
	const bool out = runs_out(o, tool);
	char apart[60] = "", what[24] = "steps", number[24] = "";

	if (k > 1)
		snprintf(number, sizeof number, "%llu", k);
	if (o->users.spacing != 0)
		snprintf(apart, sizeof apart, ", %llu or more apart",
		    (unsigned long long)o->users.spacing);
	if (dp_options_by_cell(o, tool))
		snprintf(what, sizeof what, "%ss and steps", key);
	if (!leaves_folds(o, tool))
		snprintf(text, DP_DROPPED, "all events of a user in a step are in the one number "
		    "that they come to%s", o->keys.n != 0 ? " for their key" : "");
	else if (dp_options_step_unit(o) && k == 1)
		snprintf(text, DP_DROPPED, "a user counts for the first of its %ss in a step "
		    "alone (-c 1): the rest are left out" UNKNOWN, key);
	else if (dp_options_step_unit(o))
		snprintf(text, DP_DROPPED, "a user counts for the first %llu of its %ss in a step "
		    "(-c): the rest are left out" UNKNOWN, k, key);
	else
		snprintf(text, DP_DROPPED, "of the %s that a user is in the first %s%s%s (-c): the "
		    "rest are left out" UNKNOWN "%s%s%s%s", what, number, k == 1 ? "alone counts" :
		    " count", apart, out ? "; " : "", out ? falls(o) : "",
		    out ? " once users have had theirs" : "", k > o->users.retention ? "" :
		    "; who comes in every step is missing of late columns, as K is not above "
		    "--retention");
}

void
dp_options_dropped(const struct dp_options *o, const struct dp_tool *tool,
    char text[static DP_DROPPED])
{
	const unsigned long long k = o->users.most;
	const bool out = runs_out(o, tool);
	char soon[100];

	if (o->users.dropped != 0)
		snprintf(text, DP_DROPPED, "of a user's events in %s only the first %llu count%s "
		    "(-c): the rest are left out" SHARE, span(o), k, k == 1 ? "s" : "");
	else if (o->users.each != DP_EACH_NO)
		folds_dropped(o, tool, text);
	else if (dp_options_by_key(o, tool))
		snprintf(text, DP_DROPPED, loses_keys(o, tool) ? "an identifier counts for the "
		    "first %llu of its keys in %s (-c): the rest are left out" UNKNOWN :
		    "an identifier counts for each of its keys, as -c %llu in %s allows", k,
		    span(o));
	else if (o->users.once)
		snprintf(text, DP_DROPPED, "a user counts once for a name, and for the first %llu "
		    "of his names in %s (-c): the rest are left out" UNKNOWN, k, span(o));
	else if (users_by_key(o, tool))
		snprintf(text, DP_DROPPED, "of a user's events in a step only the first counts "
		    "(-c 1), whatever its key: the rest are left out" UNKNOWN "; these are not "
		    "the users of each key");
	else if (k == 1)
		snprintf(text, DP_DROPPED, "of a user's events in %s only the first counts "
		    "(-c 1): the rest are left out" UNKNOWN "%s%s%s", span(o), out ? "; " : "",
		    out ? falls(o) : "", out ? " once users have had theirs" : "");
	else
		snprintf(text, DP_DROPPED, "of a user's events in %s only the first %llu count%s "
		    "(-c): the rest are left out" UNKNOWN "%s%s%s", span(o), k, sooner(o, soon),
		    out ? "; " : "", out ? falls(o) : "",
		    out ? " once users have had theirs" : "");
}

void
dp_options_dropped_end(const struct dp_options *o, const struct dp_tool *tool, bool clamps,
    char text[static DP_DROPPED])
{
	const bool out = runs_out(o, tool), leaves = leaves_folds(o, tool);
	char apart[60] = "";

	if (o->users.each != DP_EACH_NO) {
		snprintf(text, DP_DROPPED, "%s", leaves ? clamps ? "; what is cut off or left out "
		    "(-c) is not included" : "; what is left out (-c) is not included" : clamps ?
		    "; what is cut off is not included" : "");
		return;
	}
	if (o->users.once) {
		if (!dp_options_by_key(o, tool))
			snprintf(text, DP_DROPPED, ", where a user counts once for a name, and for "
			    "%llu names in %s at most; what is left out is not included",
			    (unsigned long long)o->users.most, span(o));
		else
			snprintf(text, DP_DROPPED, loses_keys(o, tool) ? ", for at most %llu keys "
			    "of an identifier in %s; where it has others it is missing" : "",
			    (unsigned long long)o->users.most, span(o));
		return;
	}
	if (o->users.spacing != 0)
		snprintf(apart, sizeof apart, ", %llu step%s apart",
		    (unsigned long long)o->users.spacing, o->users.spacing == 1 ? "" : "s");
	snprintf(text, DP_DROPPED, "%s at most %llu event%s of a user in %s%s; what is %sleft out "
	    "is not included%s%s", clamps ? " and" : ", for", (unsigned long long)o->users.most,
	    o->users.most == 1 ? "" : "s", span(o), apart, clamps ? "cut off or " : "",
	    out ? ": " : "", out ? falls(o) : "");
}

/* An event that counts is 1, and no key divides them: of one event each these are users. */
static bool
ones(const struct dp_options *o, const struct dp_tool *tool)
{
	const bool number = tool->shape == DP_SHAPE_NUMBER || o->users.dropped != 0 ||
	    tool->at != NULL;

	if (o->users.each != DP_EACH_NO)
		return o->users.each == DP_EACH_ANY && o->users.most == 1 && o->keys.n == 0 &&
		    number;
	return o->users.most == 1 && o->keys.n == 0 && number &&
	    (o->form.match != NULL || ((o->shard.partial || o->form.value.number == 0) &&
	    o->range.lo == 0 && o->range.hi == 1 && o->range.places == 0));
}

/* One step is all that an estimate is of. */
static bool
one_step(const struct dp_options *o, const struct dp_tool *tool)
{
	return o->horizon == 1 || tool->map ||
	    (o->task.what == DP_TASK_WINDOW && o->task.windows == 1 && o->task.w[0] == 1);
}

/*
 * Users, each once: of a step, or so far.  What is dropped is meant, and said by --explain alone.
 * With --keys a user's first key alone would count.
 */
static bool
users_once(const struct dp_options *o, const struct dp_tool *tool)
{
	return ones(o, tool) && (o->users.per_step || o->horizon == 1 ||
	    (o->task.what == DP_TASK_COUNT && !tool->map));
}

bool
dp_options_elements(const struct dp_options *o, char text[static DP_DROPPED])
{
	const unsigned long long k = o->keys.most;

	if (k == 0 || k >= o->keys.n)
		return false;
	snprintf(text, DP_DROPPED, k == 1 ? "an event counts for the first of its keys alone "
	    "(-c 1): the rest are left out" UNKNOWN : "an event counts for the first %llu of its "
	    "keys (-c): the rest are left out" UNKNOWN, k);
	return true;
}

bool
dp_options_users_summed(const struct dp_options *o, const struct dp_tool *tool,
    char text[static DP_DROPPED])
{
	const struct dp_task *k = &o->task;
	char number[32] = "USERFIELD";
	const char *user = o->users.field.name != NULL ? o->users.field.name : number, *window;
	unsigned i = 0;

	if (!o->users.per_step || !ones(o, tool) || one_step(o, tool))
		return false;
	if (o->users.field.number != 0)		/* 0: of --partial */
		snprintf(number, sizeof number, "%u", o->users.field.number);
	while (k->what == DP_TASK_WINDOW && i + 1 < k->windows && k->w[i] == 1)
		i++;
	window = k->window[i];
	if (k->what == DP_TASK_WINDOW)
		snprintf(text, DP_DROPPED, "-w %.40s with -c 1/step adds up the users of each "
		    "step: who is there in %llu steps counts %llu times; the distinct users of a "
		    "window: dpdistinct -v %.60s -w %.40s", window, (unsigned long long)k->w[i],
		    (unsigned long long)k->w[i], user, window);
	else
		snprintf(text, DP_DROPPED, "-c 1/step adds up the users of each step: who is there "
		    "in several counts in each; the distinct users so far: dpdistinct -v %.60s",
		    user);
	return true;
}

/* What has all of them count, where there is a step that they are of. */
static const char *
all_of_them(const struct dp_options *o, const struct dp_tool *tool)
{
	return (tool->groups & DP_GROUP_EACH) != 0 && o->users.each == DP_EACH_NO &&
	    o->time.bucket != 0 && !o->shard.partial && !o->users.once && !o->keys.each &&
	    tool->shape != DP_SHAPE_NAME ? "; --each-user=HOW has all of a user's events in a step "
	    "count, as one" : "";
}

/* An allowance of many steps: it is used up some day. */
static void
warn_runs_out(const struct dp_options *o, const struct dp_tool *tool)
{
	const unsigned long long k = o->users.most;
	char step[DP_DROPPED] = "";

	if (tool->groups & DP_GROUP_TIME)
		snprintf(step, sizeof step, "; -c %llu/step%s counts as many in each step, and "
		    "protects a user's events of one step", k,
		    o->time.bucket == 0 ? " (with --bucket)" : "");
	dp_warn("-c %llu: of a user's events in the whole run only the first %llu count%s: the "
	    "rest are left out, so %s%s%s", k, k, k == 1 ? "s" : "", falls(o), step,
	    all_of_them(o, tool));
}

void
dp_options_dropped_warn(const struct dp_options *o, const struct dp_tool *tool)
{
	const unsigned long long k = o->users.most;
	char text[DP_DROPPED];

	if (o->keep.state != NULL && !o->keep.init)
		return;
	if (dp_options_elements(o, text))
		dp_warn("%s; -c %zu leaves none out, and has more noise", text, o->keys.n);
	if (k == 0)
		return;
	if (o->users.each != DP_EACH_NO && o->range.magnitudes)
		dp_warn("%s: a user whose events%s come to more than the number printed beside the "
		    "sum is left out%s" UNKNOWN, o->users.automatic ? "-c auto" : "-r auto",
		    o->time.once ? "" : " in a step", o->time.once ? "" : " there");
	if (o->users.counter)
		dp_warn("--counter: a reading is compared with its user's last one in the order of "
		    "the input, and one that comes late looks like a counter that began anew: sort "
		    "lines by time, and give rotated logs the oldest first");
	if (o->users.retention != 0)
		dp_warn("--retention: a user's first step is that of its first event in the order "
		    "of the input, and what is earlier counts nowhere: sort lines by time, and "
		    "give rotated logs the oldest first");
	if (o->users.each == DP_EACH_NO && loses_keys(o, tool))
		dp_warn("-c %llu: an identifier with more than %llu of the keys in %s counts for "
		    "the first %llu alone, and is missing of others; -c %zu misses none, and has "
		    "more noise", k, k, span(o), k, o->keys.n);
	else if (users_by_key(o, tool))
		dp_warn("-k with -c 1: of a user's events in a step the first alone counts, so a "
		    "user of two keys is missing in one; how many users a key has: dpdistinct -v "
		    "%s -k %s -c M, the keys of a user that count", o->users.field.name != NULL ?
		    o->users.field.name : "USERFIELD", o->keys.more == 0 &&
		    o->keys.field.name != NULL ? o->keys.field.name : "KEYFIELD");
	else if (dp_options_users_summed(o, tool, text))
		dp_warn("%s", text);
	else if (o->users.each != DP_EACH_NO && !leaves_folds(o, tool))
		;
	else if (dp_options_by_key(o, tool) || users_once(o, tool))
		;
	else if (runs_out(o, tool) && !o->users.once && o->users.each == DP_EACH_NO)
		warn_runs_out(o, tool);
	else {
		dp_options_dropped(o, tool, text);
		dp_warn("%s%s", text, all_of_them(o, tool));
	}
}
