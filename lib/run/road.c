/*
 * road.c - the road that an operand's records take: the first in the table that can do all that
 * the run asks for.  The last can do everything, and all give the same bytes (roads.bats).
 */
#include "roads.h"

/* Requests that a run may make. */
enum {
	STATE = 1,		/* what counts is committed record by record */
	PAN = 2,		/* what is left of a record is wiped before the next */
	CHECK = 4,		/* records are shown */
	TOTALS = 8,		/* records are a randomiser's answers */
	PARTIAL = 16,		/* records are exact sums */
	BUCKET = 32,		/* steps are buckets of time */
	CLOCK = 64,		/* which the clock closes */
	USERS = 128,		/* so many events of a user count */
	STRICT = 256,		/* a malformed record ends the run, with its place */
	FIELDS = 512,		/* a line is more than its number, or than a string that it holds */
	TERMS = 1024,		/* an event is many numbers, or a text */
	COLUMNS = 2048,		/* an event is in one of many columns */
	LINES = 4096,		/* lines without a certain string may count, too */
	/* a step is another thing than a number, or is printed together with others */
	STEPS = 8192,
	/* a user is looked up when his event counts, as K/step and --distinct do */
	LOOKED_UP = 16384
};

static const struct road {
	unsigned must, can;
	int (*run)(struct dp_run *, const char *file);
} road[] = {
	/* of what is kept in memory nobody sees a part: many steps are taken, then printed */
	{ 0, LINES, dp_values_spans },
	{ 0, LINES | FIELDS | STRICT | USERS | COLUMNS, dp_values_records },
	/* lines are passed over unseen: nothing that counts or shows each of them */
	{ 0, BUCKET | USERS | LOOKED_UP | FIELDS | TERMS | COLUMNS | STEPS, dp_records_matches },
	/* events are read ahead: terms, and users who are looked up later, would be the last's */
	{ USERS | BUCKET, LINES | FIELDS | USERS | BUCKET | COLUMNS | STEPS,
	    dp_records_users },
	{ 0, ~0u, dp_records_all }
};

/* True: besides a line is nothing but its number. */
static bool
plain_numbers(const struct dp_options *o)
{
	return !o->form.csv && !o->form.header && !o->form.strict && o->form.match == NULL &&
	    (o->form.value.number | o->keys.field.number | o->users.field.number |
	    o->time.field.number) == 0 &&
	    o->form.conditions == 0 && !dp_options_formed(o);
}

/* True: each line is a step of one number for a mechanism that takes many of them at a time. */
static bool
steps_of_numbers(const struct dp_run *r)
{
	return dp_step_plain(r) && (r->print.nest == 1 || r->col.several != NULL) &&
	    r->plan.mech->inputs == 1;
}

static unsigned
asks(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const struct {
		bool asked;
		unsigned what;
	} all[] = {
		{ o->keep.state != NULL, STATE }, { o->priv.pan, PAN }, { o->print.check, CHECK },
		{ r->totals != NULL, TOTALS }, { r->in.partial != NULL, PARTIAL },
		{ o->time.bucket != 0, BUCKET }, { o->time.steps == DP_BY_CLOCK, CLOCK },
		{ o->users.most != 0 && r->cap.users != NULL, USERS }, { o->form.strict, STRICT },
		{ o->users.per_step || o->users.once, LOOKED_UP },
		{ !plain_numbers(o) && !dp_events_searchable(r->in.events), FIELDS },
		{ r->tool->shape == DP_SHAPE_VECTOR || r->tool->shape == DP_SHAPE_NAME ||
		    r->tool->adds != NULL, TERMS },
		{ r->print.nest != 1, COLUMNS }, { !dp_events_seekable(r->in.events), LINES },
		{ o->print.check || !steps_of_numbers(r), STEPS }
	};
	unsigned what = 0;
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++)
		what |= all[i].asked ? all[i].what : 0;
	return what;
}

int
dp_road_run(struct dp_run *r, const char *file)
{
	const unsigned what = asks(r);
	const struct road *p = road;

	while ((what & ~p->can) != 0 || (p->must & ~what) != 0)
		p++;
	return p->run(r, file);
}
