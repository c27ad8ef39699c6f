/* dpdistinct - private count of the distinct identifiers of a stream, and its relatives. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/driver.h"
#include "sketch/say.h"
#include "sketch/sketch.h"

enum {
	STATISTIC, WINDOW, PROTECT, UNIVERSE, TAU, SHARE, DELETES, FLIPS, UPDATES, LOOKS,
	PRESENCE, BUCKETS, NO_PAN
};

static const struct dp_own own[] = {
	[STATISTIC] = { 0, "statistic", "NAME",
	    "distinct (default) or another of those below", DP_KIND_TEXT },
	[WINDOW] = { 'w', "window", "W", "of the last W steps alone (or 7d)", DP_KIND_TEXT },
	[PROTECT] = { 0, "protect", "WHAT",
	    "with -w: event (default) or identifier", DP_KIND_TEXT, "-" },
	[UNIVERSE] = { 0, "universe", "N",
	    "identifiers are 1 to N, or A,B,C, or @FILE", DP_KIND_TEXT },
	[TAU] = { 0, "tau", "N", "how often: cropped, mean, incidence, heavy", DP_KIND_TEXT },
	[SHARE] = { 0, "share", "K", "heavy: tau is 1/K of the lines so far", DP_KIND_TEXT },
	[DELETES] = { 0, "deletes", NULL, "lines -ID undo ID", DP_KIND_FLAG },
	[FLIPS] = { 0, "flips", "N",
	    "with --deletes: follow the first N changes of each", DP_KIND_TEXT },
	[UPDATES] = { 0, "updates", "W", "the promise that no identifier has more than W lines",
	    DP_KIND_TEXT },
	[LOOKS] = { 0, "looks", "J", "J looks, each told by --seen, then one", DP_KIND_TEXT, "-" },
	[PRESENCE] = { 0, "presence", NULL,
	    "protect whether an identifier is there, not when", DP_KIND_FLAG },
	[BUCKETS] = { 0, "buckets", "B[+W]",
	    "powers of 2 to hash to; default 4096+T/4", DP_KIND_TEXT },
	[NO_PAN] = { 0, "no-pan-private", NULL,
	    "faster; memory is not kept private", DP_KIND_FLAG },
	{ .name = NULL }
};

static struct dp_sketch sketch;

/* N, or names: those of a state file are there already. */
static void
set_universe(struct dp_options *o, const char *text)
{
	if (*text >= '0' && *text <= '9' && strchr(text, ',') == NULL) {
		if (dp_u64_parse(&o->id.universe, text, 1, (uint64_t)1 << 32) != 0)
			dp_die(DP_EX_USAGE, "--universe: '%s' must be a whole number from 1 to "
			    "4294967296, or names: A,B,C or @FILE", text);
	} else if (o->keys.n == 0) {
		dp_options_keys(o, "universe", text);
		dp_options_keys_warn(o, "universe");
	}
	sketch.universe = o->id.universe != 0 ? o->id.universe : o->keys.n;
}

static void
set_buckets(const struct dp_options *o, const char *text)
{
	if (dp_sketch_buckets(&sketch, text) != 0)
		dp_die(DP_EX_USAGE, "--buckets: '%s' must be a power of 2 from 16 to 67108864, or "
		    "two of them, B+W, W no less than B", text);
	if (sketch.wide != 0 && o->task.statistic != &dp_distinct)
		dp_die(DP_EX_USAGE, "--buckets: B+W is for --statistic=distinct");
}

/*
 * Buckets of one level by as many identifiers as there may be, a quarter of which it gets.  A new
 * state keeps them as if they were given; one of before went on without them, and so it does.
 */
static void
wide_buckets(struct dp_options *o)
{
	static char text[64];
	const bool hashed = strncmp(o->priv.mechanism, "hashed", 6) == 0;
	const double seen = dp_sketch_seen(&sketch, o->horizon != 0 ? o->horizon : DP_SKETCH_MAX);

	if (o->own[BUCKETS].text != NULL || o->task.statistic != &dp_distinct ||
	    sketch.universe != 0 || !(o->priv.pan || hashed) ||
	    (o->keep.state != NULL && !o->keep.init) || seen < 16. * DP_SKETCH_BUCKETS)
		return;
	snprintf(text, sizeof text, "%d+%llu", DP_SKETCH_BUCKETS,
	    (unsigned long long)dp_sketch_wide(seen));
	o->own[BUCKETS].text = text;
}

/* What can be asked for. */
static const struct question {
	const struct dp_statistic *what;
	unsigned places;
	bool universe;			/* it must be declared, whatever memory is */
	bool often;			/* --tau */
} questions[] = {
	{ &dp_distinct, 0, false, false },
	{ &dp_density, 6, true, false },
	{ &dp_cropped, 0, false, true },
	{ &dp_mean, 6, true, true },
	{ &dp_incidence, 0, false, true },
	{ &dp_heavy, 0, false, true },
};

static void
set_often(const struct dp_options *o, const struct question *q)
{
	const char *tau = o->own[TAU].text, *share = o->own[SHARE].text;

	if (tau != NULL && (!q->often || dp_sketch_often(&sketch, tau) != 0))
		dp_die(DP_EX_USAGE, "--tau: '%s' %s", tau, q->often ? "must be a whole number "
		    "from 1 to 2^31, or R%K, R < K" : "is for cropped, mean, incidence and heavy");
	if (sketch.modulo != 0 && (q->what != &dp_incidence || sketch.universe == 0))
		dp_die(DP_EX_USAGE, "--tau: R%%K is for --statistic=incidence and a --universe");
	if (share != NULL && q->what != &dp_heavy)
		dp_die(DP_EX_USAGE, "--share is for --statistic=heavy");
	if (share != NULL && dp_u64_parse(&sketch.share, share, 2, (uint64_t)1 << 31) != 0)
		dp_die(DP_EX_USAGE, "--share: '%s' must be a whole number from 2 to 2^31", share);
	if (share != NULL && o->time.bucket != 0)
		dp_die(DP_EX_USAGE, "--share is refused with --bucket: how many events there are "
		    "is not public there, so give --tau");
	if (q->often && o->own[BUCKETS].text != NULL && o->own[UNIVERSE].text != NULL)
		dp_die(DP_EX_USAGE, "--buckets is for identifiers without a --universe");
	if (q->what != &dp_distinct && (o->own[FLIPS].text != NULL || o->own[UPDATES].text != NULL))
		dp_die(DP_EX_USAGE, "--%s is for --statistic=distinct",
		    o->own[FLIPS].text != NULL ? "flips" : "updates");
	if (q->often && (tau == NULL) == (share == NULL))
		dp_die(DP_EX_USAGE, q->what == &dp_heavy ? "--statistic=heavy needs --tau or "
		    "--share, and not both: how often is that?" : "--statistic=%s needs --tau: how "
		    "often is that?", q->what->name);
}

static void
set_statistic(struct dp_options *o, const char *name)
{
	const struct question *q = questions;
	unsigned i;

	for (i = 1; i < sizeof questions / sizeof questions[0]; i++)
		if (strcmp(name, questions[i].what->name) == 0)
			q = &questions[i];
	if (strcmp(name, q->what->name) != 0)
		dp_die(DP_EX_USAGE, "--statistic: '%s' must be distinct, density, cropped, mean, "
		    "incidence or heavy", name);
	if (q->universe && sketch.universe == 0)
		dp_die(DP_EX_USAGE, "--statistic=%s needs --universe%s", name,
		    q->places != 0 ? ": of what it is a fraction" : "");
	if (q->often && q->what != &dp_heavy && sketch.universe == 0 && o->priv.pan)
		dp_die(DP_EX_USAGE, "--statistic=%s needs --universe with --pan-private", name);
	set_often(o, q);
	o->task.statistic = q->what;
	o->range.places = q->places;
}

/* True: a run begins that may say something on standard error. */
static bool
begins(const struct dp_options *o)
{
	return !o->print.quiet && o->print.explain == DP_EXPLAIN_NO &&
	    (o->keep.state == NULL || o->keep.init);
}

/* True: the unit of --window is all that an identifier does; false: one event, as dpwindow's. */
static bool
protects_identifier(const struct dp_options *o)
{
	const char *what = o->own[PROTECT].text;

	if (what == NULL)
		return o->own[WINDOW].text == NULL;
	if (o->own[WINDOW].text == NULL)
		dp_die(DP_EX_USAGE, "--protect is for --window: without it identifiers are "
		    "protected, with all that they do");
	if (strcmp(what, "event") != 0 && strcmp(what, "identifier") != 0)
		dp_die(DP_EX_USAGE, "--protect: '%s' must be event or identifier", what);
	if (strcmp(what, "event") == 0)
		return false;
	if (o->horizon == 0)
		dp_die(DP_EX_USAGE, "--protect=identifier needs -T, or --from and --to: in how "
		    "many steps may it come and go?");
	return true;
}

/* The last W steps. */
static void
set_window(struct dp_options *o, const char *text)
{
	static const struct {
		int option;
		const char *name;
	} other[] = { { STATISTIC, "statistic" }, { TAU, "tau" }, { SHARE, "share" },
	    { DELETES, "deletes" }, { PRESENCE, "presence" }, { FLIPS, "flips" },
	    { UPDATES, "updates" } };
	size_t i;

	for (i = 0; i < sizeof other / sizeof other[0]; i++)
		if (o->own[other[i].option].text != NULL &&
		    (other[i].option != PRESENCE || !sketch.whole))
			dp_die(DP_EX_USAGE, "--window: refused with --%s%s", other[i].name,
			    other[i].option == PRESENCE ?
			    ", but for --protect=identifier" : "");
	sketch.window = dp_options_steps(o, "--window", text);
	if (o->own[PROTECT].text == NULL && begins(o))
		dp_warn("--window: one event of an identifier is protected, not all that it does: "
		    "--protect=identifier (--protect=event is this)");
	o->task.statistic = &dp_recent;
}

/*
 * Where the number of lines is not public: from how many events on light identifiers add up to
 * heavy ones.  M of dp_phase_meeting() is half of all that there can be, where t = n tau / 4.
 */
static void
warn_meeting(const struct dp_options *o)
{
	const uint64_t n = sketch.buckets != 0 ? sketch.buckets : DP_SKETCH_BUCKETS;

	if (o->task.statistic != &dp_heavy || sketch.universe != 0 || sketch.share != 0 ||
	    (!o->priv.pan && strcmp(o->priv.mechanism, "auto") == 0) ||
	    (sketch.lines && o->horizon != 0) || !begins(o))
		return;
	dp_warn("--statistic=heavy: identifiers share %llu buckets, in which light ones add up to "
	    "heavy ones unless there are far fewer than %.6g events in all: --universe or more "
	    "--buckets help", (unsigned long long)n, (double)n * (double)sketch.tau / 4);
}

/* An option's whole number from 1 to `most`. */
static uint64_t
number(const struct dp_options *o, int option, uint64_t most)
{
	uint64_t v;

	if (dp_u64_parse(&v, o->own[option].text, 1, most) != 0)
		dp_die(DP_EX_USAGE, "--%s: '%s' must be a whole number from 1 to %llu",
		    own[option].name, o->own[option].text, (unsigned long long)most);
	return v;
}

static void
set_looks(const struct dp_options *o)
{
	sketch.looks = number(o, LOOKS, 7);
	if (o->task.statistic != &dp_distinct || sketch.universe == 0 ||
	    (!o->priv.pan && strncmp(o->priv.mechanism, "anew", 4) != 0))
		dp_die(DP_EX_USAGE, "--looks is for -P, --statistic=distinct and a --universe");
}

static void
task(struct dp_options *o)
{
	const char *name = o->own[STATISTIC].text;

	if (o->time.field.number != 0 && o->form.value.number == 0 &&
	    o->print.explain == DP_EXPLAIN_NO)
		dp_die(DP_EX_USAGE, "--time needs --value, the field that holds the identifier: "
		    "as a whole hardly any line comes twice");
	o->task.what = DP_TASK_OWN;
	o->task.own = &sketch;
	o->id.whole = protects_identifier(o);
	sketch.whole = o->own[WINDOW].text != NULL && o->id.whole;
	sketch.deletes = o->id.deletes = o->own[DELETES].text != NULL;
	sketch.presence = o->id.presence = o->own[PRESENCE].text != NULL;
	sketch.lines = o->time.bucket == 0;
	if (o->own[UNIVERSE].text != NULL)
		set_universe(o, o->own[UNIVERSE].text);
	if (o->own[WINDOW].text != NULL)
		set_window(o, o->own[WINDOW].text);
	else
		set_statistic(o, name == NULL ? "distinct" : name);
	if (o->own[FLIPS].text != NULL)
		sketch.flips = number(o, FLIPS, 1000000);
	if (sketch.flips != 0 && !sketch.deletes)
		dp_die(DP_EX_USAGE, "--flips needs --deletes: who cannot go comes once");
	if (o->own[UPDATES].text != NULL)
		sketch.updates = number(o, UPDATES, 1000000);
	if (sketch.updates != 0 && sketch.universe == 0)
		dp_die(DP_EX_USAGE, "--updates needs --universe");
	if (o->own[LOOKS].text != NULL)
		set_looks(o);
	else if (o->keep.seen)
		dp_die(DP_EX_USAGE, "--seen: the state was begun without --looks");
	wide_buckets(o);
	if (o->own[BUCKETS].text != NULL)
		set_buckets(o, o->own[BUCKETS].text);
	warn_meeting(o);
	o->priv.pan_default &= o->own[NO_PAN].text == NULL;
	if (o->priv.pan && !o->priv.pan_default)
		dp_die(DP_EX_USAGE, "--pan-private and --no-pan-private do not go together");
}

/*
 * The same question to dpcount: the first event of each identifier counts, or the first tau ones.
 */
static bool
note_dpcount(const struct dp_options *o, const struct dp_mech_rule *s, char text[static DP_NOTE])
{
	const uint64_t c = o->task.statistic == &dp_cropped ? sketch.tau : 1;
	struct dp_mech_rule count = *s;
	struct dp_plan p;
	char why[DP_PLAN_WHY];

	if (o->id.deletes || o->id.presence || c >> 24 != 0 ||
	    (o->task.statistic != &dp_distinct && o->task.statistic != &dp_cropped))
		return false;
	count.task = (struct dp_task){ .what = DP_TASK_COUNT };
	count.privacy.l1 = c;
	count.privacy.l2squared = c * c;
	count.privacy.columns = 1;
	count.privacy.cells = 0;
	count.inputs = count.every = 1;
	count.pan = false;
	count.privacy.params = NULL;
	count.rivals = false;
	count.privacy.dry = true;
	if (dp_plan_make(&p, &count, "auto", why) != 0)
		return false;
	snprintf(text, DP_NOTE, "dpcount -u FIELD -c %llu -m . counts %s, too, after every step, "
	    "with a largest rms error of %.6g; its memory is exact, and it protects whether an "
	    "identifier is there at all, not which of its events are%s", (unsigned long long)c,
	    c == 1 ? "each identifier once" : "so many of each",
	    sqrt(p.eligible[p.chosen].error.max),
	    o->task.statistic == &dp_distinct ? " (--presence)" : "");
	dp_plan_free(&p);
	return true;
}

/* Parts of a plan that sentences on sketches are made of. */
static struct dp_sketch_plan
planned(const struct dp_options *o, const struct dp_plan *p)
{
	return (struct dp_sketch_plan){ .s = &sketch, .what = o->task.statistic, .m = p->mech,
	    .report = p->report, .horizon = o->horizon };
}

static double
reach(const struct dp_options *o, const struct dp_plan *p, unsigned out)
{
	const struct dp_sketch_plan k = planned(o, p);

	(void)out;
	return dp_sketch_reach(&k);
}

static bool
note(const struct dp_options *o, const struct dp_mech_rule *s, const struct dp_plan *p, unsigned i,
    char text[static DP_NOTE])
{
	const double epsilon = dp_q_double(s->privacy.epsilon);
	const struct dp_sketch_plan k = planned(o, p);
	const bool blind = o->task.statistic == &dp_distinct && p->eligible[p->chosen].error.blind;
	char *const to = stpcpy(text, DP_NOTE_BLIND ": ");
	const size_t size = DP_NOTE - (size_t)(to - text);
	unsigned n = 0;

	if (o->priv.exact)
		return false;
	return (dp_sketch_note_few(&k, to, size) && n++ == i) ||
	    (blind && dp_sketch_note_levels(&k, to, size) && n++ == i) ||
	    (o->id.whole && dp_sketch_note_relation(&k, epsilon, o->priv.delta.num != 0, text,
	    DP_NOTE) && n++ == i) ||
	    (dp_sketch_note_budget(&k, epsilon, text, DP_NOTE) && n++ == i) ||
	    (dp_sketch_note_seen(&k, text, DP_NOTE) && n++ == i) ||
	    (dp_sketch_note_additive(&k, s, text, DP_NOTE) && n++ == i) ||
	    (dp_sketch_note_buckets(&k, text, DP_NOTE) && n++ == i) ||
	    (dp_sketch_note_flips(&k, text, DP_NOTE) && n++ == i) ||
	    (n == i && note_dpcount(o, s, text));	/* it plans: not asked for nothing */
}

static const char *
values(const struct dp_options *o)
{
	if (o->id.universe != 0)
		return "identifiers that are whole numbers from 1 to the universe's size";
	return o->keys.n != 0 ? "identifiers of the declared universe" :
	    "identifiers, told by a keyed hash of 128 bits";
}

int
main(int argc, char **argv)
{
	static const struct dp_tool tool = {
		.name = "dpdistinct",
		.purpose = "Print how many distinct identifiers there are, differentially private.",
		.synopsis = "[--universe=N] ",
		.examples = "  dpdistinct -e 1 -v host --log=combined --bucket=1d \\\n"
		    "      --from=2026-05-01 --to=2026-05-04 access.log",
		.groups = DP_GROUP_VALUE | DP_GROUP_WHERE | DP_GROUP_TIME | DP_GROUP_STATE |
		    DP_GROUP_KEY | DP_GROUP_PER_USER | DP_GROUP_PARTIAL |
		    DP_GROUP_BOUND | DP_GROUP_NONNEGATIVE | DP_GROUP_PAN | DP_GROUP_SEEN |
		    DP_GROUP_PRINT,
		.own = own, .shape = DP_SHAPE_ID, .pan = true, .task = task, .reach = reach,
		.note = note, .words.reads = "identifier", .words.values = values,
		.lists = { { "", DP_TASK_OWN, &dp_distinct },
		    { " with --window=W", DP_TASK_OWN, &dp_recent },
		    { " with --statistic=density", DP_TASK_OWN, &dp_density },
		    { " with --statistic=cropped", DP_TASK_OWN, &dp_cropped },
		    { " with --statistic=mean", DP_TASK_OWN, &dp_mean },
		    { " with --statistic=incidence", DP_TASK_OWN, &dp_incidence },
		    { " with --statistic=heavy", DP_TASK_OWN, &dp_heavy } }
	};

	return dp_tool_main(&tool, argc, argv);
}
