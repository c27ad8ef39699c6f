/* SPDX-License-Identifier: ISC */
/* dpdistinct - private count of the distinct identifiers of a stream, and its relatives. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/options.h"
#include "run/driver.h"
#include "sketch/sketch.h"

static const struct dp_own own[] = {
	[DP_ASKS_STATISTIC] = { 0, "statistic", "NAME",
	    "distinct (default), density, mean, cropped, ..", DP_KIND_TEXT,
	    "distinct density cropped mean incidence heavy f2" },
	[DP_ASKS_WINDOW] = { 'w', "window", "W[,W...]",
	    "of the last W steps alone (or 7d); a column each", DP_KIND_TEXT },
	[DP_ASKS_SHARES] = { 0, "shares", "A,B,C",
	    "of the budget, of each -w; default: errors agree", DP_KIND_TEXT,
	    .later = true },
	[DP_ASKS_PROTECT] = { 0, "protect", "WHAT",
	    "with -w: event (default) or identifier; f2: event", DP_KIND_TEXT, "event identifier" },
	[DP_ASKS_UNIVERSE] = { 0, "universe", "N",
	    "identifiers are 1 to N, or A,B,C, or @FILE", DP_KIND_TEXT },
	[DP_ASKS_TAU] = { 0, "tau", "N",
	    "how often: cropped, mean, incidence, heavy", DP_KIND_TEXT },
	[DP_ASKS_SHARE] = { 0, "share", "K",
	    "heavy: tau is 1/K of the lines so far", DP_KIND_TEXT },
	[DP_ASKS_DELETES] = { 0, "deletes", NULL, "lines -ID undo ID", DP_KIND_FLAG },
	[DP_ASKS_FLIPS] = { 0, "flips", "N",
	    "with --deletes: follow the first N changes of each", DP_KIND_TEXT },
	[DP_ASKS_UPDATES] = { 0, "updates", "W",
	    "the promise that no identifier has more than W lines", DP_KIND_TEXT },
	[DP_ASKS_LOOKS] = { 0, "looks", "J",
	    "J looks, each told by --seen, then one", DP_KIND_TEXT },
	[DP_ASKS_PRESENCE] = { 0, "presence", NULL,
	    "protect whether an identifier is there, not when", DP_KIND_FLAG },
	[DP_ASKS_BUCKETS] = { 0, "buckets", "B[+W]",
	    "powers of 2 to hash to; default 4096+T/4", DP_KIND_TEXT },
	[DP_ASKS_NO_PAN] = { 0, "no-pan-private", NULL,
	    "faster; memory is not kept private", DP_KIND_FLAG },
	[DP_ASKS_HASHED] = { 0, "hashed", "PRINT",
	    "with --partial: which key dpmap --hash-key had", DP_KIND_TEXT,
	    .later = true },
	{ .name = NULL }
};

static struct dp_sketch sketch;

static const struct question {
	enum dp_sketch_fact fact;
	const struct dp_statistic *what;
	unsigned places;
} questions[] = {
	{ DP_ASKS_RECENT, &dp_recent, 0 },
	{ DP_ASKS_DISTINCT, &dp_distinct, 0 },
	{ DP_ASKS_DENSITY, &dp_density, 6 },
	{ DP_ASKS_CROPPED, &dp_cropped, 0 },
	{ DP_ASKS_MEAN, &dp_mean, 6 },
	{ DP_ASKS_INCIDENCE, &dp_incidence, 0 },
	{ DP_ASKS_HEAVY, &dp_heavy, 0 },
	{ DP_ASKS_F2, &dp_f2, 0 }
};

/* The text of an option; NULL: it is not given. */
static const char *
given(const struct dp_options *o, enum dp_sketch_fact option)
{
	return o->own[option].text;
}

/* N, or names: those of a state file are there already. */
static void
set_universe(const struct dp_options *o, struct dp_question *ask, const char *text)
{
	if (*text >= '0' && *text <= '9' && strchr(text, ',') == NULL) {
		if (o->form.several.n != 0)
			dp_die(DP_EX_USAGE, "--universe: the identifiers of several fields are no "
			    "numbers; A,B,C and @FILE have their texts, joined by commas");
		if (dp_u64_parse(&ask->id.universe, text, 1, (uint64_t)1 << 32) != 0)
			dp_die(DP_EX_USAGE, "--universe: '%s' must be a whole number from 1 to "
			    "4294967296, or names: A,B,C or @FILE", text);
	} else if (ask->keys.n == 0) {
		dp_options_keys(&ask->keys, "universe", text);
		dp_options_keys_warn(o, &ask->keys, "universe");
	}
	sketch.universe = ask->id.universe != 0 ? ask->id.universe : ask->keys.n;
}

static void
set_buckets(const char *text)
{
	if (dp_sketch_buckets(&sketch, text) != 0)
		dp_die(DP_EX_USAGE, "--buckets: '%s' must be a power of 2 from 16 to 67108864, or "
		    "two of them, B+W, W no less than B", text);
}

/*
 * Buckets of one level by as many identifiers as there may be, a quarter of which it gets.  A new
 * state keeps them as if they were given; one of before went on without them, and so it does.
 */
static void
wide_buckets(const struct dp_options *o, struct dp_question *ask)
{
	static char text[64];
	const bool hashed = strncmp(o->priv.mechanism, "hashed", 6) == 0;
	const double seen = dp_sketch_seen(&sketch, o->horizon != 0 ? o->horizon : DP_SKETCH_MAX);

	if (given(o, DP_ASKS_BUCKETS) != NULL || ask->task.statistic != &dp_distinct ||
	    sketch.universe != 0 || !(o->priv.pan || hashed) ||
	    (o->keep.state != NULL && !o->keep.init) || seen < 16. * DP_SKETCH_BUCKETS)
		return;
	snprintf(text, sizeof text, "%d+%llu", DP_SKETCH_BUCKETS,
	    (unsigned long long)dp_sketch_wide(seen));
	ask->own[DP_ASKS_BUCKETS].text = text;
}

static const struct question *
question(const struct dp_options *o)
{
	const char *const name = given(o, DP_ASKS_STATISTIC);
	const size_t n = sizeof questions / sizeof questions[0];
	size_t i = given(o, DP_ASKS_WINDOW) == NULL;	/* that of a window is the first */

	while (i > 0 && i < n && strcmp(name == NULL ? "distinct" : name,
	    questions[i].what->name) != 0)
		i++;
	if (i == n)
		dp_die(DP_EX_USAGE, "--statistic: '%s' must be distinct, density, cropped, mean, "
		    "incidence, heavy or f2", name);
	return &questions[i];
}

static void
refuse(const struct dp_options *o, const struct dp_question *ask, const struct question *q)
{
	const char *const tau = given(o, DP_ASKS_TAU), *const buckets = given(o, DP_ASKS_BUCKETS);
	const bool also[DP_ASKS_FACTS] = {
		[DP_ASKS_TIME] = o->time.field.number != 0 && o->print.explain == DP_EXPLAIN_NO,
		[DP_ASKS_VALUE] = o->form.value.number != 0,
		[DP_ASKS_SEVERAL] = given(o, DP_ASKS_WINDOW) != NULL &&
		    strchr(given(o, DP_ASKS_WINDOW), ',') != NULL,
		[DP_ASKS_HORIZON] = o->horizon != 0,
		[DP_ASKS_BUCKET] = o->time.bucket != 0,
		[DP_ASKS_IDENTIFIER] = ask->id.whole,
		[DP_ASKS_THRESHOLD] = (tau == NULL) != (given(o, DP_ASKS_SHARE) == NULL),
		[DP_ASKS_MODULO] = tau != NULL && strchr(tau, '%') != NULL,
		[DP_ASKS_WIDE] = buckets != NULL && strchr(buckets, '+') != NULL,
		[DP_ASKS_SEEN] = o->keep.seen,
		[DP_ASKS_PAN] = o->priv.pan,
		[DP_ASKS_MAY_PAN] = ask->pan_default,
		[DP_ASKS_REDRAWN] = o->priv.pan || strncmp(o->priv.mechanism, "anew", 4) == 0
	};
	uint64_t facts = (uint64_t)1 << q->fact;
	char why[160];
	unsigned i;

	for (i = 0; i < DP_ASKS_FACTS; i++)
		if (i < DP_ASKS_OPTIONS ? given(o, i) != NULL : also[i])
			facts |= (uint64_t)1 << i;
	if (sketch.keyed)	/* it is what is protected */
		facts &= ~((uint64_t)1 << DP_ASKS_PRESENCE);
	if (dp_sketch_refuses(facts, why, sizeof why))
		dp_die(DP_EX_USAGE, "%s", why);
}

static void
set_often(const struct dp_options *o, const struct question *q)
{
	const char *const tau = given(o, DP_ASKS_TAU), *const share = given(o, DP_ASKS_SHARE);
	const bool often = q->fact > DP_ASKS_DENSITY;

	if (tau != NULL && (!often || dp_sketch_often(&sketch, tau) != 0))
		dp_die(DP_EX_USAGE, "--tau: '%s' %s", tau, often ? "must be a whole number "
		    "from 1 to 2^31, or R%K, R < K" : strchr(tau, '%') != NULL ?
		    "is for incidence" : "is for cropped, mean, incidence and heavy");
	if (share != NULL && dp_u64_parse(&sketch.share, share, 2, (uint64_t)1 << 31) != 0)
		dp_die(DP_EX_USAGE, "--share: '%s' must be a whole number from 2 to 2^31", share);
}

/* True: a run begins that may say something on standard error. */
static bool
begins(const struct dp_options *o)
{
	return !o->print.quiet && o->print.explain == DP_EXPLAIN_NO &&
	    (o->keep.state == NULL || o->keep.init);
}

/* True: the unit is all that an identifier does; false: one event, as dpwindow's. */
static bool
protects_identifier(const struct dp_options *o, const struct question *q)
{
	const bool window = given(o, DP_ASKS_WINDOW) != NULL;
	const char *what = given(o, DP_ASKS_PROTECT);

	if (what == NULL || (!window && q->what != &dp_f2))
		return !window;
	if (strcmp(what, "event") != 0 && strcmp(what, "identifier") != 0)
		dp_die(DP_EX_USAGE, "--protect: '%s' must be event or identifier", what);
	return strcmp(what, "identifier") == 0;
}

/* No window is longer than all steps, but where buckets from --from to --to may be few as yet. */
static uint64_t
window_steps(const struct dp_options *o, const char *text)
{
	const uint64_t W = dp_options_steps(o, "--window", text);
	const bool planned = o->time.steps != DP_BY_RANGE || o->given['T'];

	if (planned && o->horizon != 0 && W > o->horizon &&
	    (o->keep.state == NULL || o->keep.init))
		dp_die(DP_EX_USAGE, "--window: '%s' is %llu steps, and the horizon (-T) has %llu: "
		    "give a shorter one or a longer horizon", text, (unsigned long long)W,
		    (unsigned long long)o->horizon);
	return W;
}

/* Several windows, an output each, in the order given. */
static void
set_windows(const struct dp_options *o, struct dp_question *ask, const char *text)
{
	struct dp_sketch_window *w;
	char *name;
	size_t n;
	unsigned i;

	for (;; text++) {
		n = strcspn(text, ",");
		if (sketch.windows == DP_WINDOWS_MAX)
			dp_die(DP_EX_USAGE, "--window: more than %d windows", DP_WINDOWS_MAX);
		w = &sketch.each[sketch.windows];
		if ((name = strndup(text, n)) == NULL)
			dp_die(DP_EX_SYSTEM, "out of memory");
		dp_options_output(ask, sketch.windows, name, DP_OUTPUT_ESTIMATE);
		free(name);
		w->name = ask->output[sketch.windows].name;
		w->steps = window_steps(o, w->name);
		for (i = 0; i < sketch.windows; i++)
			if (sketch.each[i].steps == w->steps)
				dp_die(DP_EX_USAGE, "--window: %s and %s are the same window",
				    sketch.each[i].name, w->name);
		ask->outputs = ++sketch.windows;
		if (*(text += n) == '\0')
			return;
	}
}

/* --shares: of each window, in their order; at most all of the budget. */
static void
set_shares(const char *text)
{
	struct dp_q left = { 1, 1 }, *share;
	const char *p = text;
	char one[64];
	unsigned i;

	for (i = 0; i < sketch.windows && p != NULL; i++) {
		share = &sketch.each[i].share;
		snprintf(one, sizeof one, "%.*s", (int)strcspn(p, ","), p);
		if (dp_q_parse(share, one) != 0 || share->num == 0 || share->num > share->den)
			dp_die(DP_EX_USAGE, "--shares: '%s' must be above 0 and at most 1, as 0.2 "
			    "or 1/5", one);
		if (dp_q_cmp(*share, left) > 0)
			dp_die(DP_EX_USAGE, "--shares: '%s' is more than all of the budget: they "
			    "must sum to 1 at most", text);
		left = dp_q_left(left, *share);
		p = strchr(p, ',');
		p = p == NULL ? NULL : p + 1;
	}
	if (i < sketch.windows || p != NULL)
		dp_die(DP_EX_USAGE, "--shares: '%s' has not one share for each of the %u windows",
		    text, sketch.windows);
}

/* The last W steps. */
static void
set_window(const struct dp_options *o, struct dp_question *ask, const char *text)
{
	sketch.window = sketch.windows = 0;	/* a run before may have had some */
	if (strchr(text, ',') != NULL)
		set_windows(o, ask, text);
	else
		sketch.window = window_steps(o, text);
	if (given(o, DP_ASKS_SHARES) != NULL)
		set_shares(given(o, DP_ASKS_SHARES));
	if (given(o, DP_ASKS_PROTECT) == NULL && !sketch.keyed && begins(o))
		dp_warn("--window: what an identifier does in one step is protected, not all that "
		    "it ever does: --protect=identifier (--protect=event is this)");
}

/*
 * Where the number of lines is not public: from how many events on light identifiers add up to
 * heavy ones.  M of dp_phase_meeting() is half of all that there can be, where t = n tau / 4.
 */
static void
warn_meeting(const struct dp_options *o, const struct dp_question *ask)
{
	const uint64_t n = sketch.buckets != 0 ? sketch.buckets : DP_SKETCH_BUCKETS;

	if (ask->task.statistic != &dp_heavy || sketch.universe != 0 || sketch.share != 0 ||
	    (!o->priv.pan && strcmp(o->priv.mechanism, "auto") == 0) ||
	    (sketch.lines && o->horizon != 0) || !begins(o))
		return;
	dp_warn("--statistic=heavy: identifiers share %llu buckets, in which light ones add up to "
	    "heavy ones unless there are far fewer than %.6g events in all: --universe or more "
	    "--buckets help", (unsigned long long)n, (double)n * (double)sketch.tau / 4);
}

/* An option's whole number from 1 to `most`. */
static uint64_t
number(const struct dp_options *o, enum dp_sketch_fact option, uint64_t most)
{
	uint64_t v;

	if (dp_u64_parse(&v, given(o, option), 1, most) != 0)
		dp_die(DP_EX_USAGE, "--%s: '%s' must be a whole number from 1 to %llu",
		    own[option].name, given(o, option), (unsigned long long)most);
	return v;
}

static void
check_hashed(const struct dp_options *o, const char *print)
{
	if (!o->shard.partial)
		dp_die(DP_EX_USAGE, "--hashed is for --partial: it says which key dpmap --hash-key "
		    "had");
	if (given(o, DP_ASKS_UNIVERSE) != NULL)
		dp_die(DP_EX_USAGE, "--hashed: refused with --universe: hashes cannot be compared "
		    "with what it has");
	if (strlen(print) != 32 || strspn(print, "0123456789abcdef") != 32)
		dp_die(DP_EX_USAGE, "--hashed: '%s' must be the 32 digits that dpmap --hash-key "
		    "prints behind '#identifiers hashed'", print);
}

static void
task(const struct dp_options *o, struct dp_question *ask)
{
	const struct question *const q = question(o);

	ask->task.what = DP_TASK_OWN;
	ask->task.own = &sketch;
	ask->task.statistic = q->what;
	ask->range.places = q->places;
	ask->pan_default &= given(o, DP_ASKS_NO_PAN) == NULL;
	ask->id.whole = protects_identifier(o, q);
	sketch.whole = given(o, DP_ASKS_WINDOW) != NULL && ask->id.whole;
	sketch.deletes = ask->id.deletes = given(o, DP_ASKS_DELETES) != NULL;
	sketch.presence = ask->id.presence = given(o, DP_ASKS_PRESENCE) != NULL;
	sketch.lines = o->time.bucket == 0;
	sketch.keyed = o->keys.field.number != 0;
	ask->id.step = given(o, DP_ASKS_WINDOW) != NULL && !ask->id.whole && !sketch.lines;
	refuse(o, ask, q);
	if (sketch.deletes && o->form.several.n != 0)
		dp_die(DP_EX_USAGE, "--deletes: refused with several fields of --value: which of "
		    "them has the minus?");
	if (given(o, DP_ASKS_UNIVERSE) != NULL)
		set_universe(o, ask, given(o, DP_ASKS_UNIVERSE));
	if (given(o, DP_ASKS_WINDOW) != NULL)
		set_window(o, ask, given(o, DP_ASKS_WINDOW));
	set_often(o, q);
	if (given(o, DP_ASKS_FLIPS) != NULL)
		sketch.flips = number(o, DP_ASKS_FLIPS, 1000000);
	if (given(o, DP_ASKS_UPDATES) != NULL)
		sketch.updates = number(o, DP_ASKS_UPDATES, 1000000);
	if (given(o, DP_ASKS_LOOKS) != NULL)
		sketch.looks = number(o, DP_ASKS_LOOKS, 7);
	if ((ask->shard.hashed = given(o, DP_ASKS_HASHED)) != NULL)
		check_hashed(o, ask->shard.hashed);
	wide_buckets(o, ask);
	if (ask->own[DP_ASKS_BUCKETS].text != NULL)
		set_buckets(ask->own[DP_ASKS_BUCKETS].text);
	warn_meeting(o, ask);
}

/* A plan for its predictions alone. */
static bool
plan_dry(struct dp_plan *p, struct dp_mech_rule *rule, const char *name)
{
	char why[DP_PLAN_WHY];

	rule->privacy.numbers = NULL;
	rule->rivals = false;
	rule->privacy.dry = true;
	return dp_plan_make(p, rule, name, why) == 0;
}

/*
 * A question to dpcount with an equal answer: the first event of each identifier counts, or the
 * first tau ones.
 */
static bool
note_dpcount(const struct dp_options *o, const struct dp_mech_rule *s, char text[static DP_NOTE])
{
	const uint64_t c = o->task.statistic == &dp_cropped ? sketch.tau : 1;
	struct dp_mech_rule count = *s;
	struct dp_plan p;

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
	if (!plan_dry(&p, &count, "auto"))
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
	    .report = p->report, .horizon = o->horizon, .whole = o->id.whole,
	    .none = DP_NOTE_BLIND ": " };
}

static double
reach(const struct dp_options *o, const struct dp_plan *p, unsigned out)
{
	struct dp_sketch_plan k = planned(o, p);
	struct dp_sketch one = sketch;

	if (sketch.windows != 0)
		one.window = sketch.each[out].steps;
	k.s = &one;
	return dp_sketch_reach(&k);
}

static bool
note(const struct dp_options *o, const struct dp_mech_rule *s, const struct dp_plan *p, unsigned i,
    char text[static DP_NOTE])
{
	struct dp_sketch_plan k = planned(o, p);

	k.blind = o->task.statistic == &dp_distinct && p->eligible[p->chosen].error.blind;
	/* the last one plans: it is not asked for nothing */
	return !o->priv.exact && (dp_sketch_note(&k, s, &i, text, DP_NOTE) ||
	    (i == 0 && note_dpcount(o, s, text)));
}

/* The mechanism without --presence has the same errors. */
static bool
alike(const struct dp_mech_rule *s, const struct dp_plan *p)
{
	const struct dp_error *was = &p->eligible[p->chosen].error, *is;
	struct dp_sketch any = sketch;
	struct dp_mech_rule rule = *s;
	struct dp_plan q;

	any.presence = false;
	rule.task.own = &any;
	if (!plan_dry(&q, &rule, p->ops->name))
		return false;
	is = &q.eligible[q.chosen].error;
	dp_plan_free(&q);		/* what is listed stays */
	return is->max == was->max && is->mean == was->mean;
}

static bool
tells(const struct dp_options *o, const struct dp_mech_rule *s, const struct dp_plan *p,
    unsigned i, char text[static DP_NOTE])
{
	unsigned k;

	for (k = 0; k < DP_ASKS_OPTIONS; k++)
		if (given(o, k) != NULL && dp_sketch_unused(k, own[k].name, p->ops->name, text,
		    DP_NOTE) && (k != DP_ASKS_PRESENCE || alike(s, p)) && i-- == 0)
			return true;
	return false;
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
		.note = note, .tells = tells, .words.reads = "identifier", .words.values = values,
		.lists = { { "", DP_TASK_OWN, &dp_distinct },
		    { " with --window=W", DP_TASK_OWN, &dp_recent },
		    { " with --statistic=density", DP_TASK_OWN, &dp_density },
		    { " with --statistic=cropped", DP_TASK_OWN, &dp_cropped },
		    { " with --statistic=mean", DP_TASK_OWN, &dp_mean },
		    { " with --statistic=incidence", DP_TASK_OWN, &dp_incidence },
		    { " with --statistic=heavy", DP_TASK_OWN, &dp_heavy },
		    { " with --statistic=f2", DP_TASK_OWN, &dp_f2 } }
	};

	return dp_tool_main(&tool, argc, argv);
}
