/* SPDX-License-Identifier: ISC */
/* dpcount - private running count or sum of a stream, one estimate per time step. */
#include <math.h>
#include <stdio.h>

#include "job/options.h"
#include "run/driver.h"
#include "sketch/local.h"

enum { EXPIRE, LOOKS, AGES };

static const struct dp_own own[] = {
	[EXPIRE] = { 0, "expire", "W",
	    "protect the last W steps only; gradual:LAMBDA: older events ever less", DP_KIND_TEXT },
	[LOOKS] = { 0, "looks", "J", "-P: looks at memory that are told (--seen), and one more",
	    DP_KIND_TEXT, .later = true, .rare = true },
	[AGES] = { 0, "ages", "FILE",
	    "older events may lose more: 1, then a factor of epsilon a line, never falling",
	    DP_KIND_FILE, .later = true, .rare = true },
	{ .name = NULL }
};

static void
set_looks(const struct dp_options *o, struct dp_question *ask, const char *text)
{
	if (!o->priv.pan || ask->task.what != DP_TASK_COUNT)
		dp_die(DP_EX_USAGE, "--looks is for -P, and memory without --expire");
	if (dp_u64_parse(&ask->task.looks, text, 1, DP_LOOKS_MAX) != 0)
		dp_die(DP_EX_USAGE, "--looks: '%s' must be a whole number from 1 to %d", text,
		    DP_LOOKS_MAX);
}

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	if (o->own[EXPIRE].text != NULL && o->own[AGES].text != NULL)
		dp_die(DP_EX_USAGE, "--expire and --ages: only one can say what an old event may "
		    "lose");
	if (o->own[EXPIRE].text != NULL)
		dp_options_expire(o, ask, o->own[EXPIRE].text);
	if (o->own[AGES].text != NULL)
		dp_options_ages(ask, &o->own[AGES]);
	ask->task.looks = 0;
	if (o->own[LOOKS].text != NULL)
		set_looks(o, ask, o->own[LOOKS].text);
	else if (o->keep.seen)
		dp_die(DP_EX_USAGE, "--seen: the state was begun without --looks");
}

/* What looks at memory are paid for, and what many of them cost whoever counts. */
static bool
note(const struct dp_options *o, const struct dp_mech_rule *s, const struct dp_plan *p, unsigned i,
    char text[static DP_NOTE])
{
	const struct dp_privacy *e = &s->privacy;
	const unsigned long long steps = p->report, looks = o->task.looks;
	const double event = (double)(e->linf != 0 ? e->linf : e->l1) *
	    pow(10, -(double)o->range.places);
	double least;

	if (e->exact)
		return false;
	if (looks != 0 && i-- == 0) {
		snprintf(text, DP_NOTE, "epsilon is for %llu looks at memory, not one: the first "
		    "%llu are each told (--seen) before the next one, only the last may be untold; "
		    "errors are those after all of them", looks + 1, looks);
		return true;
	}
	if (i != 0 || !o->priv.pan || e->delta.num != 0 ||
	    (o->users.most | o->range.changes) != 0 ||
	    o->task.what != DP_TASK_COUNT || o->task.statistic != NULL)
		return false;
	least = event * dp_local_lower(p->report, dp_q_double(e->epsilon), s->beta);
	snprintf(text, DP_NOTE, "if memory may be looked at after each of %llu steps, told or not, "
	    "no counter stays within %.4g at the last one with probability %.6g: of order the "
	    "square root of looks (Dwork, Naor, Pitassi, Rothblum 2010, Theorem 4.3)", steps,
	    least, 1 - s->beta);
	return least > 0;
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpcount",
		.purpose = "Print a differentially private running count (or sum) after "
		    "every time step.",
		.synopsis = "[--expire=W] ",
		.examples = "  tail -n 0 -F access.log | dpcount -e 1 -T 1M -m '\" 404 '\n"
		    "  dpcount -e 1 -B --log=combined --bucket=1d \\\n"
		    "      --from=2026-05-01 --to=2026-05-04 access.log",
		.fine = true,
		.groups = DP_GROUPS_SUM | DP_GROUP_EACH | DP_GROUP_COUNTER |
		    DP_GROUP_RETENTION | DP_GROUP_DROPPED | DP_GROUP_AUTO |
		    DP_GROUP_PARTIAL | DP_GROUP_TOP | DP_GROUP_MONOTONE | DP_GROUP_DIFFERENCE |
		    DP_GROUP_TABLE | DP_GROUP_ROUND | DP_GROUP_SEEN,
		.words.noun = { "count", "sum" },
		.own = own, .task = task, .note = note,
		.lists = { { "", DP_TASK_COUNT, NULL },
		    { " with --expire=W", DP_TASK_WINDOW, NULL },
		    { " with --expire=gradual:LAMBDA or --ages=FILE", DP_TASK_GRADUAL, NULL } }
	};

	return dp_tool_main(&tool, argc, argv);
}
