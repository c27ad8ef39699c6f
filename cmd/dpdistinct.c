/* dpdistinct - private count of the distinct identifiers of a stream, and its relatives. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sketch/sketch.h"
#include "tool/tool.h"

enum { STATISTIC, WINDOW, UNIVERSE, DELETES, FLIPS, PRESENCE, BUCKETS, NO_PAN };

static const struct dp_own own[] = {
	[STATISTIC] = { 0, "statistic", "NAME",
	    "distinct (default): how many identifiers; density: which fraction of the universe",
	    DP_KIND_TEXT },
	[WINDOW] = { 'w', "window", "W", "of the last W steps alone: a number, or a duration",
	    DP_KIND_TEXT },
	[UNIVERSE] = { 0, "universe", "N",
	    "identifiers are 1 to N; or A,B,C or @FILE (one a line); others count nowhere",
	    DP_KIND_TEXT },
	[DELETES] = { 0, "deletes", NULL, "lines -ID undo ID", DP_KIND_FLAG },
	[FLIPS] = { 0, "flips", "N",
	    "with --deletes: follow the first N comings and goings of each, exactly",
	    DP_KIND_TEXT },
	[PRESENCE] = { 0, "presence", NULL,
	    "protect whether an identifier is there, not when: less noise in exact memory",
	    DP_KIND_FLAG },
	[BUCKETS] = { 0, "buckets", "B",
	    "of a hashed level: a power of 2, from 16 to 64M; default 4096", DP_KIND_TEXT },
	[NO_PAN] = { 0, "no-pan-private", NULL,
	    "read in blocks: faster, and memory is not kept private", DP_KIND_FLAG },
	{ .name = NULL }
};

static struct dp_sketch sketch;

/* N, or names: those of a state file are there already. */
static void
set_universe(struct dp_options *o, const char *text)
{
	if (*text >= '0' && *text <= '9' && strchr(text, ',') == NULL) {
		if (dp_u64_parse(&o->universe, text, 1, (uint64_t)1 << 32) != 0)
			dp_die(DP_EX_USAGE, "--universe: '%s' must be a whole number from 1 to "
			    "4294967296, or names: A,B,C or @FILE", text);
	} else if (o->nkeys == 0)
		dp_options_keys(o, text);
	sketch.universe = o->universe != 0 ? o->universe : o->nkeys;
}

static void
set_buckets(const char *text)
{
	if (dp_u64_parse(&sketch.buckets, text, 16, (uint64_t)1 << 26) != 0 ||
	    (sketch.buckets & (sketch.buckets - 1)) != 0)
		dp_die(DP_EX_USAGE, "--buckets: '%s' must be a power of 2 from 16 to 67108864",
		    text);
}

/* The last W steps: one event is protected, as dpwindow does. */
static void
set_window(struct dp_options *o, const char *text)
{
	static const struct {
		int option;
		const char *name;
	} other[] = { { STATISTIC, "statistic" }, { DELETES, "deletes" },
	    { PRESENCE, "presence" }, { FLIPS, "flips" } };
	size_t i;

	for (i = 0; i < sizeof other / sizeof other[0]; i++)
		if (o->own[other[i].option].text != NULL)
			dp_die(DP_EX_USAGE, "--window: refused with --%s", other[i].name);
	sketch.window = dp_options_steps(o, "--window", text);
	o->task.statistic = &dp_recent;
}

static void
set_flips(const char *text)
{
	if (dp_u64_parse(&sketch.flips, text, 1, 1000000) != 0)
		dp_die(DP_EX_USAGE, "--flips: '%s' must be a whole number from 1 to 1000000", text);
	if (!sketch.deletes)
		dp_die(DP_EX_USAGE, "--flips needs --deletes: who cannot go comes once");
}

static void
set_statistic(struct dp_options *o, const char *name)
{
	o->task.statistic = &dp_distinct;
	if (name == NULL || strcmp(name, "distinct") == 0)
		return;
	if (strcmp(name, "density") != 0)
		dp_die(DP_EX_USAGE, "--statistic: '%s' must be distinct or density", name);
	if (sketch.universe == 0)
		dp_die(DP_EX_USAGE, "--statistic=density needs --universe: of what it is a "
		    "fraction");
	o->task.statistic = &dp_density;
	o->places = 6;
}

static void
task(struct dp_options *o)
{
	o->task.what = DP_TASK_OWN;
	o->task.own = &sketch;
	o->whole = o->own[WINDOW].text == NULL;
	sketch.deletes = o->deletes = o->own[DELETES].text != NULL;
	sketch.presence = o->presence = o->own[PRESENCE].text != NULL;
	sketch.lines = o->bucket == 0;
	if (o->own[UNIVERSE].text != NULL)
		set_universe(o, o->own[UNIVERSE].text);
	if (o->own[WINDOW].text != NULL)
		set_window(o, o->own[WINDOW].text);
	else
		set_statistic(o, o->own[STATISTIC].text);
	if (o->own[FLIPS].text != NULL)
		set_flips(o->own[FLIPS].text);
	if (o->own[BUCKETS].text != NULL)
		set_buckets(o->own[BUCKETS].text);
	o->pan_default = o->own[NO_PAN].text == NULL;
	if (o->pan && !o->pan_default)
		dp_die(DP_EX_USAGE, "--pan-private and --no-pan-private do not go together");
}

/* What the relation is under which another one costs more. */
static bool
note_relation(const struct dp_options *o, const struct dp_plan *p, double epsilon,
    char text[static DP_NOTE])
{
	const bool same = (p->ops->traits & DP_TRAIT_TABLE) != 0 && !sketch.presence;

	if (!o->whole)
		return false;
	snprintf(text, DP_NOTE, "where one identifier stands in place of another, everywhere, the "
	    "loss is twice as large: epsilon = %.6g; where one event has another identifier, it "
	    "is %s", 2 * epsilon, same ? "epsilon" : "twice as large, too");
	return true;
}

/* How the budget is divided. */
static bool
note_budget(const struct dp_plan *p, double epsilon, char text[static DP_NOTE])
{
	const struct dp_noise *z;
	const char *what;
	double memory;

	if (!(p->ops->traits & DP_TRAIT_PAN) || !dp_mech_family(p->mech, 1, &z, &what))
		return false;
	memory = 1 / dp_q_double(z->param);
	snprintf(text, DP_NOTE, "of epsilon, %.4g is for memory, whenever it is looked at, and "
	    "%.4g for the answers together", memory, epsilon - memory);
	return true;
}

/* The same question to dpcount: the first event of each identifier counts. */
static bool
note_dpcount(const struct dp_options *o, const struct dp_setting *s, char text[static DP_NOTE])
{
	struct dp_setting count = *s;
	struct dp_plan p;
	char why[DP_PLAN_WHY];

	if (o->deletes || o->presence || o->task.statistic != &dp_distinct)
		return false;
	count.task = (struct dp_task){ .what = DP_TASK_COUNT };
	count.privacy.l1 = count.privacy.l2squared = count.privacy.columns = 1;
	count.inputs = count.every = 1;
	count.pan = false;
	count.params = NULL;
	if (dp_plan_make(&p, &count, "auto", why) != 0)
		return false;
	snprintf(text, DP_NOTE, "dpcount -u FIELD -c 1 -m . counts each identifier once, too, "
	    "after every step, with a largest rms error of %.6g; its memory is exact, and it "
	    "protects whether an identifier is there at all, not which of its events are "
	    "(--presence)", sqrt(p.eligible[p.chosen].error.max));
	dp_plan_free(&p);
	return true;
}

static bool
note_seen(const struct dp_options *o, const struct dp_plan *p, char text[static DP_NOTE])
{
	if (p->ops->traits & DP_TRAIT_TABLE || sketch.universe != 0)
		return false;
	snprintf(text, DP_NOTE, "errors are those of %.0f identifiers; of fewer they are smaller",
	    dp_sketch_seen(&sketch, o->horizon != 0 ? o->horizon : p->report));
	return true;
}

/* What is wrong for whoever comes and goes more often. */
static bool
note_flips(const struct dp_plan *p, char text[static DP_NOTE])
{
	if (sketch.flips == 0 || (p->ops->traits & DP_TRAIT_PAN))
		return false;
	snprintf(text, DP_NOTE, "an identifier that comes and goes more than %llu times is held to "
	    "be what it was then: the error of that is not among those above",
	    (unsigned long long)sketch.flips);
	return true;
}

static bool
note(const struct dp_options *o, const struct dp_setting *s, const struct dp_plan *p, unsigned i,
    char text[static DP_NOTE])
{
	const double epsilon = dp_q_double(s->privacy.epsilon);
	unsigned n = 0;

	if (o->exact)
		return false;
	return (note_relation(o, p, epsilon, text) && n++ == i) ||
	    (note_budget(p, epsilon, text) && n++ == i) ||
	    (note_seen(o, p, text) && n++ == i) || (note_flips(p, text) && n++ == i) ||
	    (note_dpcount(o, s, text) && n++ == i);
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpdistinct",
		.purpose = "Print how many distinct identifiers there are, differentially private.",
		.synopsis = "[--universe=N] ",
		.groups = DP_GROUP_VALUE | DP_GROUP_TIME | DP_GROUP_STATE | DP_GROUP_BOUND |
		    DP_GROUP_NONNEGATIVE | DP_GROUP_PAN | DP_GROUP_PRINT,
		.own = own, .shape = DP_SHAPE_ID, .task = task, .note = note,
		.lists = { { "", DP_TASK_OWN, &dp_distinct },
		    { " with --window=W", DP_TASK_OWN, &dp_recent },
		    { " with --statistic=density", DP_TASK_OWN, &dp_density } }
	};

	return dp_tool_main(&tool, argc, argv);
}
