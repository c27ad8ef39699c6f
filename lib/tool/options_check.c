/*
 * options_check.c - what the options say together: refusals, the neighbour relation and its
 * sensitivity.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event.h"
#include "noise/neighbour.h"
#include "options_table.h"

#define IDENTIFIERS	((size_t)1 << 40)

#define KEYS_TOGETHER	"--key and --keys go together: -k FIELD --keys=A,B,C, or --keys=@FILE " \
	"with one a line (keys are public and declared)"

#define need(cond, ...) do { \
	if (!(cond)) \
		dp_die(DP_EX_USAGE, __VA_ARGS__); \
	} while (0)

const char *
dp_options_no_pan(const struct dp_options *o)
{
	if (o->has_seed)
		return "--seed (a generator's state tells its future and its past)";
	if (o->csv)
		return "--csv (its parser keeps past input)";
	if (o->json)
		return "--json (its parser keeps past input)";
	if (o->user.number != 0)
		return "--user (the table of users is exact)";
	if (o->steps == DP_BY_RANGE)
		return "--from/--to (exact bucket sums would be held to the end); use "
		    "--public-times -T N, or --live";
	if (o->steps == DP_BY_CLOCK && o->lateness != 0)
		return "--live=LATENESS (several open buckets would be held exactly)";
	if (o->steps != DP_BY_LINE && o->batch != NULL)
		return "--bucket and --batch (the place in the input would be a count of events)";
	return NULL;
}

static void
check_privacy(const struct dp_options *o)
{
	const char *why;

	need(o->has_epsilon || !o->init || o->state == NULL || access(o->state, F_OK) != 0,
	    "--init: %s exists already; without --init the run goes on with it", o->state);
	need(o->has_epsilon || o->within.num != 0,
	    "--epsilon is required: the total privacy loss of everything printed");
	need(o->by_user || (o->user.number != 0) == (o->per_user != 0),
	    "--user and --per-user go together: "
	    "-u FIELD -c K counts, and protects, at most K events of a user");
	need(!o->per_step || o->bucket != 0, "--per-user=K/step needs --bucket: without it a line "
	    "is a step, and a user's only one in it");
	if (o->pan && (why = dp_options_no_pan(o)) != NULL)
		dp_die(DP_EX_USAGE, "--pan-private: refused with %s", why);
	need(!(o->exact && o->state != NULL), "--epsilon=inf: refused with --state");
	need(o->budget == NULL || !o->exact, "--epsilon=inf: refused with --budget (no budget is "
	    "enough)");
	need(o->budget == NULL || !o->has_seed, "--seed: refused with --budget (seeded noise is no "
	    "private release, and nothing to charge)");
}

static void
check_time(const struct dp_options *o)
{
	need(o->gap == 0 || o->steps == DP_BY_TIMES ||
	    (o->steps == DP_BY_RANGE && o->state != NULL),
	    "--gap needs --public-times, or --state and --from");
	if (o->bucket == 0) {
		need(o->steps == DP_BY_LINE,
		    "--from/--to, --live and --public-times need --bucket");
		need(o->time.number == 0 && o->time_format == NULL,
		    "--time and --time-format need --bucket");
		need(o->tz == NULL, "--tz needs --bucket");
		return;
	}
	need(o->steps != DP_BY_LINE || o->explain,
	    "--bucket needs one of --from/--to, --live or --public-times (which buckets exist "
	    "must not depend on one record)");
	need(o->time.number != 0 || o->steps == DP_BY_CLOCK || o->explain,
	    "--bucket needs --time, the field that holds the event time");
	need(o->time.number == 0 || o->time_format != NULL,
	    "--time needs --time-format: epoch (seconds since 1970), iso (2024-05-01T12:00:00), "
	    "clf ([01/May/2024:12:00:00 +0000]), syslog (May  1 12:00:00), or a strptime(3) "
	    "format such as '%%d.%%m.%%Y %%H:%%M'");
	if (o->steps == DP_BY_RANGE) {
		need(o->has_from && o->has_to, "--from and --to go together: the buckets are from "
		    "the one to the other");
		need(o->from < o->to, "--from must be before --to");
	}
}

static void
check_state(const struct dp_options *o)
{
	if (o->state != NULL) {
		need(!(o->init && o->change), "--init and --change do not go together: "
		    "a new state file keeps what is given");
		need(o->batch == NULL || o->steps != DP_BY_CLOCK,
		    "--batch: refused with --live (its input cannot be given again)");
		return;
	}
	need(!o->init && !o->change && o->out == NULL && o->batch == NULL && o->witness == NULL,
	    "--init, --out, --batch, --witness and --change need --state");
}

/* What only --explain can do. */
static void
check_explain(const struct dp_options *o)
{
	need(o->explain || (o->within.num == 0 && o->report == 0),
	    "--within and --report need --explain");
	need(o->report == 0 || (o->horizon == 0 && o->steps != DP_BY_RANGE),
	    "--report: the horizon is known, and what is reported for");
	need(o->within.num == 0 || o->state == NULL,
	    "--within: refused with --state, which has its epsilon");
	need(o->within.num == 0 || !o->has_epsilon,
	    "--within finds the epsilon: leave --epsilon out");
}

static void
check_map(const struct dp_options *o, const struct dp_tool *tool)
{
	need(!tool->map || (o->bucket != 0 && o->steps == DP_BY_RANGE),
	    "--bucket, --from and --to are required: counts are of buckets, which must exist "
	    "whatever a shard holds");
}

static void
check_shape(const struct dp_options *o, const struct dp_tool *tool)
{
	const bool keyed = o->key.number != 0;

	switch (tool->shape) {
	case DP_SHAPE_NUMBER:
		need(keyed == (o->nkeys != 0),
		    KEYS_TOGETHER);
		break;
	case DP_SHAPE_VECTOR:
		need(!keyed || o->nkeys != 0,
		    KEYS_TOGETHER);
		need(o->nkeys != 0 || o->columns != 0, "%s", tool->groups & DP_GROUP_KEY ?
		    "-k FIELD --keys=A,B,C is required, a column for each key; or --columns=D, "
		    "for lines of D numbers" :
		    "--columns=D is required, for lines of D numbers; or --keys=A,B,C, their "
		    "names");
		need(o->nkeys == 0 || o->columns == 0,
		    "--columns and --keys: either says how many columns there are");
		need(!keyed || o->ones == 0, "--ones: with --key a line is in one column");
		need(keyed || !dp_options_formed(o) || o->value.number != 0,
		    "--cut, --log and --json need --value or --key here: without -k the numbers "
		    "of a line stand in a field");
		need(keyed || o->match == NULL,
		    "--match needs --key here: without it a line is numbers");
		need(o->ones <= dp_options_width(o),
		    "--ones: there are only %zu columns", dp_options_width(o));
		break;
	case DP_SHAPE_SYMBOL:
		need(o->bucket == 0, "--bucket: refused here (a symbol is a line)");
		break;
	case DP_SHAPE_ID:
		need(o->steps != DP_BY_CLOCK || o->lateness == 0,
		    "--live=LATENESS: refused here (several buckets would be open)");
		break;
	}
}

/* The options that say how a line is cut, and what names its fields. */
static void
check_form(const struct dp_options *o)
{
	static const int form[] = { OPT_CUT, OPT_LOG, OPT_JSON, OPT_CSV, OPT_TSV, 'F', 'H' };
	const struct dp_field *const field[] = { &o->value, &o->time, &o->key, &o->user };
	const size_t n = sizeof form / sizeof *form;
	size_t i, j;

	for (i = 0; i < n; i++)
		for (j = i + 1; j < n; j++)
			need(!o->given[form[i]] || !o->given[form[j]] ||
			    !dp_options_apart(form[i], form[j]), "--%s and --%s do not go together",
			    dp_table_name(form[i], NULL), dp_table_name(form[j], NULL));
	for (i = 0; i < 4; i++) {
		need(o->header || dp_options_formed(o) || field[i]->name == NULL,
		    "'%s' is the name of a field: names need -H, --cut, --log or --json",
		    field[i]->name);
		need(!o->json || field[i]->number == 0 || field[i]->name != NULL,
		    "--json: fields have names, and %u is a number", field[i]->number);
	}
	for (i = 0; i < o->conditions; i++)
		need(!o->json || o->condition[i].field.number == 0 ||
		    o->condition[i].field.name != NULL,
		    "--json: fields have names, and %u is a number", o->condition[i].field.number);
}

/* A key that no field can be. */
static void
check_keys(const struct dp_options *o)
{
	size_t i;

	if (o->key.number == 0 || o->delimiter != -1 || o->csv || dp_options_formed(o) || o->quiet)
		return;
	for (i = 0; i < o->nkeys; i++)
		if (o->keys[i][strcspn(o->keys[i], " \t")] != '\0')
			dp_warn("--keys: '%s' has a blank in it, and counts nothing: fields end at "
			    "blanks (unless -F, --csv or --tsv says otherwise)", o->keys[i]);
}

/* A file of keys that was given as a key. */
static void
check_key_file(const struct dp_options *o)
{
	if (!o->quiet && o->nkeys == 1 && o->given[OPT_KEYS] && o->key_list[0] != '@' &&
	    access(o->keys[0], F_OK) == 0)
		dp_warn("--keys: one key, '%s', which is also a file: --keys=@%s has its lines as "
		    "keys", o->keys[0], o->keys[0]);
}

void
dp_options_check(const struct dp_options *o, const struct dp_tool *tool)
{
	const char *why;

	check_privacy(o);
	check_map(o, tool);
	check_form(o);
	check_time(o);
	check_state(o);
	check_explain(o);
	check_shape(o, tool);
	check_keys(o);
	check_key_file(o);
	if (o->time_format != NULL && (why = dp_check_time_format(o)) != NULL)
		dp_die(DP_EX_USAGE, "--time-format: '%s' %s", o->time_format, why);
	need(o->match != NULL || (!o->fixed && !o->icase && !o->invert),
	    "--fixed, -i and --invert-match need --match");
	need(!(o->csv && o->delimiter == '\t'), "--csv and --tsv do not go together");
	need(tool->prints != DP_PRINT_BEFORE || o->bucket == 0,
	    "--bucket: refused here (answers come before a line)");
	need(!o->given[OPT_EVERY] || !o->given[OPT_AT_END],
	    "--every and --at-end do not go together");
}

double
dp_options_confidence(const struct dp_options *o, const struct dp_tool *tool)
{
	return o->confidence > 0 ? o->confidence : tool->confidence > 0 ? tool->confidence : 0.95;
}

size_t
dp_options_width(const struct dp_options *o)
{
	return o->nkeys != 0 ? o->nkeys : o->columns != 0 ? o->columns : 1;
}

static struct dp_relation
relation(const struct dp_options *o, const struct dp_tool *tool)
{
	struct dp_relation r = { .lines = o->bucket == 0, .times = o->steps == DP_BY_TIMES,
	    .lo = o->lo, .hi = o->hi, .per_user = o->per_user, .per_step = o->per_step, .ones = 1,
	    .unit = o->unit, .apart = o->apart, .total = o->total };

	switch (tool->shape) {
	case DP_SHAPE_NUMBER:
		r.columns = o->nkeys;
		break;
	case DP_SHAPE_VECTOR:
		r.columns = dp_options_width(o);
		if (o->key.number != 0)
			break;
		r.of = DP_RECORD_NUMBERS;
		r.ones = o->ones != 0 ? o->ones : r.columns;
		r.entry = o->entry;
		break;
	case DP_SHAPE_ID:	/* as a key of endlessly many, that counts 1, or -1: undone */
		r.of = DP_RECORD_ID;
		r.columns = IDENTIFIERS;
		r.lo = o->deletes ? -1 : 0;
		r.hi = 1;
		r.whole = o->whole;
		r.presence = o->presence;
		break;
	case DP_SHAPE_SYMBOL:		/* 1, unless the tool says what another symbol costs */
		r.of = DP_RECORD_SYMBOL;
		r.lo = 0;
		r.hi = 1;
		r.l1 = o->l1;
		r.l2squared = o->l2squared;
		break;
	}
	return r;
}

/*
 * All that one unit can move.  But for vectors l1 and l2squared are rougher than
 * dp_relation_distance() alone in two places, by a factor of up to 2, so that seeded runs stay what
 * they were: a user's K events count as K times one event (group privacy; not with keys in lines,
 * where that event may change its column and a user's do not), and lines of undeclared keys as one
 * more column.
 */
static int
distance(struct dp_relation r, enum dp_shape shape, struct dp_distance *d)
{
	const bool keyed = shape == DP_SHAPE_NUMBER;
	const uint64_t K = r.per_user != 0 ? r.per_user : 1, D = r.columns != 0 ? r.columns : 1;
	struct dp_distance exact;
	dp_uwide l1, l2;
	int e;

	if ((e = dp_relation_distance(&r, d)) != 0 || r.whole || shape == DP_SHAPE_VECTOR ||
	    r.total != NULL || r.per_step ||
	    (keyed && r.columns != 0 && r.lines && r.per_user != 0))
		return e;
	exact = *d;
	r.per_user = 0;
	if (keyed && r.columns == 1 && r.lines)
		r.columns = 2;
	if ((e = dp_relation_distance(&r, d)) != 0)
		return e;
	l1 = (dp_uwide)d->l1 * K;
	if (l1 >> 50 != 0)
		return DP_ERANGE;
	l2 = (dp_uwide)d->l2squared * K * K;	/* < 2^62 2^40 */
	d->wide |= l2 >> 62 != 0;
	d->l1 = (uint64_t)l1;
	d->l2squared = d->wide ? (uint64_t)1 << 62 : (uint64_t)l2;
	d->columns = d->columns * K < D ? d->columns * K : D;
	d->linf = exact.linf;
	d->spread = exact.spread;
	return 0;
}

void
dp_options_setting(const struct dp_options *o, const struct dp_tool *tool, struct dp_setting *s)
{
	const struct dp_relation r = relation(o, tool);
	const uint64_t below = o->lo < 0 ? (uint64_t)-o->lo : 0;
	const uint64_t above = o->hi > 0 ? (uint64_t)o->hi : 0;
	struct dp_distance d;
	int e;

	memset(s, 0, sizeof *s);
	s->task = o->task;
	s->horizon = o->horizon;
	s->most = o->bucket == 0 ? below > above ? below : above : 0;
	s->bits = o->lo == 0 && o->hi == 1 && o->places == 0 && o->bucket == 0;
	s->pan = o->pan;
	s->open_step = o->bucket != 0;
	s->every = o->every;
	s->predict = o->report;
	s->lo = o->lo;
	s->hi = o->hi;
	s->inputs = tool->shape == DP_SHAPE_VECTOR ? dp_options_width(o) :
	    tool->shape != DP_SHAPE_ID;
	s->beta = o->beta > 0 ? o->beta : 1 - dp_options_confidence(o, tool);
	if (distance(r, tool->shape, &d) != 0)
		dp_die(DP_EX_USAGE,
		    "--range and --per-user: the sensitivity must stay below 2^50 grid units");
	e = dp_privacy_set(&s->privacy, o->exact, o->exact ? dp_q_make(1, 1) : o->epsilon, o->delta,
	    d.l1, d.l2squared);
	if (e != 0)
		dp_die(DP_EX_USAGE, "--epsilon or --delta: %s", dp_strerror(e));
	s->privacy.columns = (unsigned)d.columns;
	s->privacy.wide = d.wide;	/* too wide for Gaussian noise: leave it out */
	s->privacy.linf = d.linf;
	s->privacy.spread = d.spread;
}

#define USER_STEP	"user-step/"

static void
put_user_step(char text[static DP_PROTECTED], const struct dp_span *s, const char *zone)
{
	char span[DP_SPAN_TEXT];

	dp_span_put(span, s);
	snprintf(text, DP_PROTECTED, USER_STEP "%s%s%s%s", span,
	    s->unit == DP_SPAN_SECONDS ? "s" : "", *zone != '\0' ? " " : "", zone);
}

const char *
dp_options_protected(const struct dp_options *o, const struct dp_tool *tool,
    char text[static DP_PROTECTED])
{
	const struct dp_relation r = relation(o, tool);

	if (o->per_step)
		put_user_step(text, &o->span, o->tz != NULL ? o->tz : "");
	else
		snprintf(text, DP_PROTECTED, "%s", dp_relation_unit(&r));
	return text;
}

bool
dp_options_user_step(const char *unit, char text[static DP_PROTECTED])
{
	const size_t n = strlen(USER_STEP);
	const char *zone;
	char span[DP_SPAN_TEXT];
	struct dp_span s;

	if (strncmp(unit, USER_STEP, n) != 0)
		return false;
	zone = unit + n + strcspn(unit + n, " ");
	snprintf(span, sizeof span, "%.*s", (int)(zone - (unit + n)), unit + n);
	if (strlen(zone) >= DP_PROTECTED / 2 || dp_span_parse(&s, span) != 0)
		return false;
	put_user_step(text, &s, zone + (*zone != '\0'));
	return true;
}

const char *
dp_options_neighbours(const struct dp_options *o, const struct dp_tool *tool,
    char text[static DP_NEIGHBOURS])
{
	const struct dp_relation r = relation(o, tool);
	size_t n = dp_relation_sentence(&r, text, DP_NEIGHBOURS);

	switch (dp_task_cover(&o->task)) {
	case DP_COVER_LAST:
		snprintf(text + n, DP_NEIGHBOURS - n,
		    "; at every step this covers the last %llu steps, what is older is not "
		    "protected", (unsigned long long)o->task.w[0]);
		break;
	case DP_COVER_FADING:
		snprintf(text + n, DP_NEIGHBOURS - n,
		    "; this covers an event at the step it happens, its loss then grows with age");
		break;
	case DP_COVER_ALL:
		break;
	}
	return text;
}
