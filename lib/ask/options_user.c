/*
 * options_user.c - events of a user beyond --per-user are dropped: a bias, in words.
 */
#include <stdio.h>

#include "relation.h"

/* The allowance is of many steps, and some day it is used up. */
static bool
runs_out(const struct dp_options *o, const struct dp_tool *tool)
{
	return !o->users.per_step && o->horizon != 1 && tool->prints != DP_PRINT_END;
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
	return o->users.most == 1 && o->keys.field.number != 0 && !tool->map &&
	    (o->users.per_step || o->time.once);
}

void
dp_options_dropped(const struct dp_options *o, const struct dp_tool *tool,
    char text[static DP_DROPPED])
{
	const bool out = runs_out(o, tool);

	if (users_by_key(o, tool)) {
		snprintf(text, DP_DROPPED, "a user's events beyond the first in a step are dropped "
		    "(-c 1), whatever their keys, a bias that no error and no interval has: these "
		    "are no users of each key");
		return;
	}

	snprintf(text, DP_DROPPED, "a user's events beyond %llu in %s are dropped (-c), a bias "
	    "that no error and no interval has%s%s%s", (unsigned long long)o->users.most, span(o),
	    out ? ": " : "", out ? falls(o) : "", out ? " once users have had theirs" : "");
}

void
dp_options_dropped_end(const struct dp_options *o, const struct dp_tool *tool, bool clamps,
    char text[static DP_DROPPED])
{
	const bool out = runs_out(o, tool);

	snprintf(text, DP_DROPPED, "%s at most %llu event%s of a user in %s; what is %sdropped "
	    "comes on top%s%s", clamps ? " and" : ", for", (unsigned long long)o->users.most,
	    o->users.most == 1 ? "" : "s", span(o), clamps ? "cut off or " : "", out ? ": " : "",
	    out ? falls(o) : "");
}

/*
 * Users so far, each once: a running count in which an event counts 1, of one event each.  What is
 * dropped is meant, and said by --explain alone.  With --keys a user's first key alone would count.
 */
static bool
users_once(const struct dp_options *o, const struct dp_tool *tool)
{
	const bool ones = o->form.match != NULL ||
	    ((o->shard.partial || o->form.value.number == 0) && o->range.lo == 0 &&
	    o->range.hi == 1 && o->range.places == 0);

	return o->users.most == 1 && o->task.what == DP_TASK_COUNT && !tool->map &&
	    o->keys.n == 0 &&
	    ones;
}

void
dp_options_dropped_warn(const struct dp_options *o, const struct dp_tool *tool)
{
	const unsigned long long k = o->users.most;
	char step[DP_DROPPED] = "";

	if (users_by_key(o, tool) && (o->keep.state == NULL || o->keep.init)) {
		dp_warn("-k with -c 1: of a user's events in a step the first alone counts, so a "
		    "user of two keys is missing in one; how many users a key has: dpdistinct -v "
		    "%s --where='%s~^KEY$'", o->users.field.name != NULL ?
		    o->users.field.name : "USERFIELD", o->keys.more == 0 &&
		    o->keys.field.name != NULL ? o->keys.field.name : "KEYFIELD");
		return;
	}
	if (k == 0 || !runs_out(o, tool) || users_once(o, tool) ||
	    (o->keep.state != NULL && !o->keep.init))
		return;
	if (tool->groups & DP_GROUP_TIME)
		snprintf(step, sizeof step, "; -c %llu/step%s drops those beyond %llu in one step, "
		    "and protects a user's events of one step", k,
		    o->time.bucket == 0 ? " (with --bucket)" : "", k);
	dp_warn("-c %llu: a user's events beyond %llu in the whole run are dropped, and so %s%s",
	    k, k, falls(o), step);
}
