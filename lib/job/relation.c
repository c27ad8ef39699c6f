/* SPDX-License-Identifier: ISC */
/* relation.c - what the options protect, and what they estimate. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "account/neighbour.h"
#include "base/matrix.h"
#include "internal.h"
#include "table.h"

/*
 * What the options protect: the neighbour relation, its sensitivity, and the
 * setting that noise is planned for.
 */

#define IDENTIFIERS	((size_t)1 << 40)

bool
dp_options_carries(const struct dp_options *o, const struct dp_tool *tool,
    const struct dp_mech_ops *ops)
{
	return (o->task.what == DP_TASK_COUNT || o->task.what == DP_TASK_WINDOW) &&
	    o->task.statistic == NULL && tool->shape == DP_SHAPE_NUMBER && !tool->map &&
	    !o->priv.pan && o->keep.state == NULL &&
	    (ops->traits & (DP_TRAIT_ADDS | DP_TRAIT_EXACT)) != 0;
}

/* The most that one event adds to a band. */
static uint64_t
event_adds(const struct dp_options *o, const struct dp_tool *tool, unsigned band)
{
	const uint64_t K = o->users.most, D = o->users.dropped;

	return tool->adds->most(o, band) / (tool->adds->beyond == NULL ? 1 : K < D ? K : D);
}

uint64_t
dp_options_cut(const struct dp_options *o, const struct dp_tool *tool,
    const struct dp_mech_ops *ops)
{
	const uint64_t below = o->range.lo < 0 ? (uint64_t)-o->range.lo : 0;
	const uint64_t above = o->range.hi > 0 ? (uint64_t)o->range.hi : 0;
	uint64_t most = below > above ? below : above;
	unsigned g;

	for (g = 0; tool->adds != NULL && g < tool->adds->bands; g++) {
		most = g == 0 ? 0 : most;
		most = event_adds(o, tool, g) > most ? event_adds(o, tool, g) : most;
	}
	if (o->time.bucket == 0 || o->priv.pan || most == 0 || dp_options_carries(o, tool, ops))
		return UINT64_MAX;
	return ((uint64_t)1 << 61) / most;
}

size_t
dp_options_width(const struct dp_options *o)
{
	return o->keys.n != 0 ? o->keys.n : o->keys.columns != 0 ? o->keys.columns : 1;
}

bool
dp_options_keyed(const struct dp_options *o, const struct dp_tool *tool)
{
	return (tool->shape == DP_SHAPE_NUMBER || tool->adds != NULL) && o->keys.n != 0;
}

size_t
dp_options_columns(const struct dp_options *o, const struct dp_tool *tool)
{
	return dp_options_keyed(o, tool) && tool->at == NULL ?
	    o->keys.n : 1;
}

/* Numbers that a column takes in a step; 0: identifiers. */
static size_t
inputs_of(const struct dp_options *o, const struct dp_tool *tool)
{
	if (tool->shape == DP_SHAPE_SYMBOL && o->range.total != NULL)
		return 2;		/* which, and how many */
	return o->id.keyed ? 0 : tool->adds != NULL ? o->keys.adds :
	    tool->shape == DP_SHAPE_VECTOR ? dp_options_width(o) : tool->shape != DP_SHAPE_ID;
}

size_t
dp_options_numbers(const struct dp_options *o, const struct dp_tool *tool)
{
	const size_t inputs = inputs_of(o, tool);

	return dp_options_columns(o, tool) * (inputs != 0 ? inputs : 1);
}

/* At least 1: a band that no event changes has noise as well, and is one. */
static uint64_t
most_of(const struct dp_options *o, const struct dp_tool *tool, unsigned band)
{
	const uint64_t most = tool->adds->most(o, band);

	return most != 0 ? most : 1;
}

/* Steps between two records of a user, or more; 0: any.  A fold is all of a user's in its step. */
static uint64_t
apart(const struct dp_options *o, const struct dp_tool *tool)
{
	const bool folds = o->users.each != DP_EACH_NO && !dp_options_by_cell(o, tool) &&
	    !dp_options_step_unit(o);

	return o->users.spacing == 0 && (folds || dp_options_linked(o)) ? 1 : o->users.spacing;
}

/*
 * Events of a user that count, or are told as left out, at most: the horizon has no more that are
 * so far apart.  Linked: one of the step that is protected, and the change of one in a later step.
 */
static uint64_t
counted(const struct dp_options *o, const struct dp_tool *tool)
{
	const uint64_t K = dp_options_linked(o) ? 2 : o->users.most + o->users.dropped;
	const uint64_t B = apart(o, tool);
	const uint64_t T = o->horizon;

	return B == 0 || T == 0 || K <= (T - 1) / B ? K : (T - 1) / B + 1;
}

static struct dp_relation
relation(const struct dp_options *o, const struct dp_tool *tool)
{
	struct dp_relation r = { .lines = o->time.bucket == 0,
	    .words.run = o->time.once && o->keep.state == NULL,
	    .times = o->time.steps == DP_BY_TIMES, .words.keyed = o->keys.field.number != 0,
	    .lo = o->range.lo, .hi = o->range.hi, .per_user = counted(o, tool),
	    .per_step = o->users.per_step, .once = o->users.once,
	    .spacing = dp_options_linked(o) ? 1 : o->users.spacing, .ones = 1,
	    .unit = o->range.unit, .every.apart = o->range.apart, .every.one_way = o->range.one_way,
	    .every.most = o->range.changes, .total = o->range.total };
	unsigned g;

	/* store/fold.c: a user has one number in a step and column */
	r.words.folds = o->users.each != DP_EACH_NO;
	r.words.next = dp_options_linked(o);
	r.once |= r.words.folds && dp_options_by_cell(o, tool) && dp_options_step_unit(o);
	r.words.keyed |= r.words.folds && dp_options_by_cell(o, tool);
	/* with users a key of an event is one of their K records */
	r.words.elements = o->keys.each;
	if (o->keys.most != 0)
		r.ones = o->keys.most < o->keys.n ? (size_t)o->keys.most : o->keys.n;
	switch (tool->shape) {
	case DP_SHAPE_NUMBER:
		r.columns = o->keys.n;
		break;
	case DP_SHAPE_VECTOR:
		r.columns = dp_options_width(o);
		if (o->keys.field.number != 0)
			break;
		r.of = DP_RECORD_NUMBERS;
		r.ones = o->keys.ones != 0 ? o->keys.ones : r.columns;
		r.entry = o->range.entry;
		break;
	case DP_SHAPE_NAME:		/* a key of endlessly many, that counts 1 */
		r.of = DP_RECORD_NAME;
		r.columns = IDENTIFIERS;
		break;
	case DP_SHAPE_CONTRIBUTIONS:
		r.columns = dp_options_numbers(o, tool);
		for (g = 0; g < tool->adds->bands; g++)
			r.sum += most_of(o, tool, g);
		break;
	case DP_SHAPE_ID:	/* as a key of endlessly many, that counts 1, or -1: undone */
		r.of = DP_RECORD_ID;
		r.columns = IDENTIFIERS;
		r.lo = o->id.deletes ? -1 : 0;
		r.hi = 1;
		r.whole = o->id.whole;
		r.presence = o->id.presence;
		break;
	case DP_SHAPE_SYMBOL:		/* 1, unless the tool says what another symbol costs */
		r.of = DP_RECORD_SYMBOL;
		r.words.number = o->range.has_range;
		if (o->range.total == NULL) {
			r.lo = 0;
			r.hi = 1;
		}
		r.vector.l1 = o->range.l1;
		r.vector.l2squared = o->range.l2squared;
		break;
	}
	return r;
}

/*
 * The g-th band's relation.  Where `most' is what a user's events move each of its numbers by,
 * these are as many records of a user, no two in one column.
 */
static struct dp_relation
of_band(const struct dp_options *o, const struct dp_tool *tool, struct dp_relation r, unsigned g)
{
	r.columns = tool->adds->width(o, g) * dp_options_columns(o, tool);
	r.sum = most_of(o, tool, g);
	if (tool->adds->beyond == NULL)
		return r;
	r.once = true;
	r.per_user = r.columns;
	r.hi = (int64_t)r.sum;
	r.lo = o->range.lo < 0 ? -r.hi : 0;
	r.sum = 0;
	return r;
}

static int
bands_distance(const struct dp_options *o, const struct dp_tool *tool, struct dp_relation whole,
    struct dp_mech_rule *s, struct dp_distance *all)
{
	struct dp_relation r;
	unsigned g;
	int e;

	*all = (struct dp_distance){ .l1 = 0 };
	for (g = 0; g < tool->adds->bands; g++) {
		r = of_band(o, tool, whole, g);
		if ((e = dp_rule_band(s, &r, tool->adds->width(o, g), most_of(o, tool, g),
		    all)) != 0)
			return e;
	}
	s->most = o->range.weight.cap > s->most ? o->range.weight.cap : s->most;
	return 0;
}

int
dp_options_neighbour_lines(const struct dp_options *o, const struct dp_tool *tool, struct dp_buf *b)
{
	struct dp_relation r = relation(o, tool), band;
	unsigned g;
	int e = 0;

	if (tool->adds == NULL)
		e = dp_relation_lines(&r, b);
	else for (g = 0; g < tool->adds->bands && e == 0; g++) {
		band = of_band(o, tool, r, g);
		e = dp_relation_lines(&band, b);
	}
	if (e == 0 && o->range.counts != 0) {
		dp_buf_puts(b, "counts ");
		dp_buf_u64(b, o->range.counts);
		dp_buf_puts(b, "\n");
		e = b->error;
	}
	if (e == 0 && apart(o, tool) != 0 && !o->users.once) {
		dp_buf_puts(b, "apart ");
		dp_buf_u64(b, apart(o, tool));
		dp_buf_puts(b, "\n");
		e = b->error;
	}
	return e;
}

/* Of all numbers, and of each band of them. */
static void
set_spacing(const struct dp_options *o, const struct dp_tool *tool, struct dp_mech_rule *s)
{
	unsigned g;

	if (apart(o, tool) == 0 || o->users.once)	/* once: squares are no K^2 times one's */
		return;
	s->privacy.times = counted(o, tool);
	s->privacy.spacing = apart(o, tool);
	for (g = 0; g < s->bands; g++) {
		s->band[g].reach.times = counted(o, tool);
		s->band[g].reach.spacing = apart(o, tool);
	}
}

void
dp_options_setting(const struct dp_options *o, const struct dp_tool *tool, struct dp_mech_rule *s)
{
	const struct dp_relation r = relation(o, tool);
	const uint64_t below = o->range.lo < 0 ? (uint64_t)-o->range.lo : 0;
	const uint64_t above = o->range.hi > 0 ? (uint64_t)o->range.hi : 0;
	struct dp_distance d;
	int e;

	memset(s, 0, sizeof *s);
	s->task = o->task;
	s->horizon = o->horizon;
	s->bits = o->keys.adds == 0 && o->range.lo == 0 && o->range.hi == 1 &&
	    o->range.places == 0 && o->time.bucket == 0;
	s->pan = o->priv.pan;
	s->open_step = o->time.bucket != 0;
	s->every = o->print.every;
	s->predict = o->priv.report;
	s->lo = o->range.lo;
	s->hi = o->range.hi;
	s->inputs = inputs_of(o, tool);
	s->beta = o->priv.beta > 0 ? o->priv.beta : 1 -
	    (o->print.confidence > 0 ? o->print.confidence : 0.95);
	s->most = tool->adds != NULL ? 0 : below > above ? below : above;
	e = tool->adds != NULL ? bands_distance(o, tool, r, s, &d) : dp_relation_distance(&r, &d);
	if (e != 0)
		dp_die(DP_EX_USAGE,
		    "--range and --per-user: the sensitivity must stay below 2^50 grid units");
	if (o->time.bucket != 0)
		s->most = 0;
	e = dp_privacy_between(&s->privacy, &d, o->priv.exact, o->priv.epsilon, o->priv.delta);
	if (e != 0)
		dp_die(DP_EX_USAGE, "--epsilon or --delta: %s", dp_strerror(e));
	set_spacing(o, tool, s);
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
	char start[DP_SPAN_START], zone[DP_PROTECTED / 2];

	dp_span_start_put(start, &o->time.span);
	snprintf(zone, sizeof zone, "%s%s%s%s", o->time.tz != NULL ? o->time.tz : "",
	    o->time.tz != NULL && *start != '\0' ? " " : "", *start != '\0' ? "from " : "", start);
	if (o->users.per_step)
		put_user_step(text, &o->time.span, zone);
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

/*
 * The options that say what to estimate, of the tools that have some.
 */

#define BETA_LEAST	1e-6

static void
need_bucket(const struct dp_options *o, const char *option, const char *text)
{
	if (!dp_options_timed(o))
		dp_die(DP_EX_USAGE, "%s: '%s' is a duration: that needs --bucket; without it "
		    "give a number of %s", option, text, o->time.once ? "runs" : "lines");
}

uint64_t
dp_options_steps(const struct dp_options *o, const char *option, const char *text)
{
	const struct dp_span *b = &o->time.span;
	char bucket[DP_SPAN_TEXT];
	struct dp_span w;
	uint64_t n;

	if (dp_u64_parse(&n, text, 1, DP_TASK_STEPS) == 0)
		return n;
	if (strcmp(option, "--window") == 0 && strchr(text, ',') != NULL)
		dp_die(DP_EX_USAGE, "%s: '%s' are several windows, and a run has one here: give "
		    "each a run and an epsilon of its own (dpwindow, dpmean and dpquantile have "
		    "several from one)", option, text);
	if (dp_span_parse(&w, text) != 0)
		dp_die(DP_EX_USAGE, "%s: '%s' must be a whole number of steps from 1 to 2^32%s",
		    option, text, dp_options_timed(o) ? ", or a duration such as 7d" : "");
	need_bucket(o, option, text);
	/* a month is no number of days; a week is seven, of whatever length */
	n = dp_span_mean(&w);
	if ((w.unit == DP_SPAN_MONTHS) != (b->unit == DP_SPAN_MONTHS) || n % o->time.bucket != 0) {
		dp_span_say(bucket, b);
		dp_die(DP_EX_USAGE, "%s: '%s' is not a whole number of buckets of %s",
		    option, text, bucket);
	}
	return n / o->time.bucket;
}

void
dp_options_output(struct dp_question *ask, unsigned i, const char *name,
    enum dp_output_kind kind)
{
	while (i >= ask->room) {
		ask->output = reallocarray(ask->output, 2 * ask->room, sizeof *ask->output);
		if (ask->output == NULL)
			dp_die(DP_EX_SYSTEM, "out of memory");
		memset(ask->output + ask->room, 0, ask->room * sizeof *ask->output);
		ask->room *= 2;
	}
	ask->output[i].kind = kind;
	if (name != NULL && (ask->output[i].name = strdup(name)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
}

void
dp_options_alphabet(struct dp_question *ask, char **name, size_t n)
{
	ask->keys.name = name;
	ask->keys.n = n;
	ask->keys.own = true;
}

void
dp_options_windows(const struct dp_options *o, struct dp_question *ask, const char *text)
{
	struct dp_task *k = &ask->task;
	unsigned i;
	char *name;
	size_t n;

	k->what = DP_TASK_WINDOW;
	for (;; text++) {
		n = strcspn(text, ",");
		if (k->windows == DP_WINDOWS_MAX)
			dp_die(DP_EX_USAGE, "--window: more than %d windows", DP_WINDOWS_MAX);
		if ((name = strndup(text, n)) == NULL)
			dp_die(DP_EX_SYSTEM, "out of memory");
		ask->output[k->windows].name = name;
		k->window[k->windows] = name;
		k->w[k->windows] = dp_options_steps(o, "--window", name);
		for (i = 0; i < k->windows; i++)
			if (k->w[i] == k->w[k->windows])
				dp_die(DP_EX_USAGE, "--window: %s and %s are the same window",
				    ask->output[i].name, name);
		k->windows++;
		ask->outputs = k->windows;
		if (*(text += n) == '\0')
			return;
	}
}

void
dp_options_need_value(const struct dp_options *o, const char *what, bool matches)
{
	if (o->form.value.number != 0 || (matches && o->form.match != NULL) ||
	    o->users.each == DP_EACH_COUNT ||
	    (!dp_options_formed(o) && o->form.conditions == 0 && (o->time.field.number |
	    o->keys.field.number | o->users.field.number) == 0))
		return;
	dp_die(DP_EX_USAGE, "--value: %s%s? Without it every line is 1", what,
	    matches ? ", or --match: the share of what" : "");
}

/* What a user's events come to. */
static void
need_each_range(const struct dp_options *o, const struct dp_tool *tool)
{
	need(o->users.each == DP_EACH_NO || o->users.each == DP_EACH_ANY || o->range.has_range ||
	    o->print.check || (o->keep.state != NULL && !o->keep.init),
	    "--range is required: give the smallest and the largest number that a user's events of "
	    "a step may come to (--each-user=%s) as -r LO:HI; what lies outside counts as the "
	    "nearer of the two%s", dp_options_each(o), tool->groups & DP_GROUP_AUTO ?
	    "; or -r auto, which chooses a range" : "");
}

/* A name that is none of the log's is a likelier slip than a range that nobody gave. */
static void
need_logged(const struct dp_options *o)
{
	char fields[400], shown[DP_SHOWN_TEXT];
	const char *name = o->form.value.name;

	if (name == NULL || o->form.log == NULL || o->form.log->pattern == NULL ||
	    o->form.outer != NULL || o->form.value.number > DP_FIELDS_MAX)
		return;
	need(dp_log_fields(o->form.log, name, fields, sizeof fields),
	    "'%s' is not a field of --log, whose fields are%s", dp_shown(shown, name,
	    strlen(name)), fields);
}

/*
 * Values that a range is needed for, and nobody gave one: dpmean and its like of anything but -m;
 * sums of a field.  A state that goes on has its own; --check releases nothing.
 */
static void
need_range(const struct dp_options *o, const struct dp_tool *tool)
{
	const char *field = o->form.value.name;
	const bool total = (tool->groups & DP_GROUP_UNIT) != 0 && o->users.field.number == 0 &&
	    tool->adds == NULL;
	const bool weighted = o->range.weight.field.number != 0;
	const bool named = o->form.value.number != 0 && !o->shard.partial;
	char what[DP_SHOWN_TEXT], number[32];

	need_each_range(o, tool);
	if (o->users.each != DP_EACH_NO || o->range.has_range ||
	    (o->range.total != NULL && !weighted) || o->form.match != NULL || o->print.check ||
	    (o->keep.state != NULL && !o->keep.init) || tool->range != NULL ||
	    (!dp_tool_of_values(tool) && (tool->shape == DP_SHAPE_ID ||
	    tool->shape == DP_SHAPE_SYMBOL || tool->shape == DP_SHAPE_NAME || !o->given['v'])))
		return;
	need_logged(o);
	need(!weighted, "--range is required: give the smallest and the largest %s as -r LO:HI%s",
	    o->range.weight.times ? "answer" : "ratio that a row may have",
	    o->range.weight.times ? "" : " (deaths per case: -r 0:1)");
	snprintf(number, sizeof number, "%u", o->form.value.number);
	dp_die(DP_EX_USAGE, "--range is required: give the smallest and the largest value%s%s as "
	    "-r LO:HI (what lies outside counts as the nearer of the two)%s%s%s; or -r 0:1, if "
	    "values are 0 to 1",
	    named ? " of -v " : "", !named ? "" :
	    dp_shown(what, field != NULL ? field : number, strlen(field != NULL ? field : number)),
	    tool->groups & DP_GROUP_AUTO ? "; or -r auto, which chooses a range" : "",
	    total ? "; or --unit=1, if values are totals of events" : "",
	    tool->adds != NULL && dp_tool_matches(tool) ?
	    "; or -m REGEX, for the share of events that match" : "");
}

void
dp_options_sums(const struct dp_options *o, struct dp_question *ask, const char *window,
    const char *running, const struct dp_own_value *half_life)
{
	const bool half = half_life != NULL && half_life->text != NULL;

	if ((window != NULL) + half + (running != NULL) > 1)
		dp_die(DP_EX_USAGE, "--window, --running and --half-life: only one can say which "
		    "events are meant");
	if (half) {
		ask->task.decimals = 6;
		dp_options_half_life(o, ask, half_life);
	} else if (window != NULL)
		dp_options_windows(o, ask, window);
	else if (running == NULL && o->time.bucket != 0)
		dp_options_windows(o, ask, "1");
}

void
dp_options_each_window(struct dp_question *ask, const char *const *name, unsigned n,
    enum dp_output_kind kind)
{
	char text[DP_TASK_TEXT];
	const unsigned windows = ask->task.windows > 0 ? ask->task.windows : 1;
	unsigned i, j, k;

	for (i = 0; i < ask->task.windows; i++) {
		ask->task.window[i] = dp_question_keep(ask, ask->output[i].name,
		    strlen(ask->output[i].name) + 1);
		free(ask->output[i].name);
		ask->output[i].name = NULL;
	}
	for (i = k = 0; i < windows; i++)
		for (j = 0; j < n; j++, k++) {
			snprintf(text, sizeof text, "%s%s%s",
			    windows > 1 ? ask->task.window[i] : "", windows > 1 && n > 1 ? "_" : "",
			    n > 1 || windows == 1 ? name[j] : "");
			dp_options_output(ask, k, text, kind);
		}
	ask->outputs = k;
}

static double
positive(const char *option, const char *text)
{
	struct dp_q q;
	int e = dp_q_parse(&q, text);

	if (e == DP_ERANGE)
		dp_die(DP_EX_USAGE, "%s: '%s' has too many digits, or is too large or too small",
		    option, text);
	if (e != 0 || q.num == 0)
		dp_die(DP_EX_USAGE, "%s: '%s' must be a decimal or a ratio above 0", option, text);
	return dp_q_double(q);
}

void
dp_options_expire(const struct dp_options *o, struct dp_question *ask, const char *text)
{
	struct dp_task *k = &ask->task;

	if (strcmp(text, "gradual") == 0)
		dp_die(DP_EX_USAGE, "--expire: 'gradual' needs a rate: gradual:LAMBDA");
	if (strncmp(text, "gradual:", 8) == 0) {
		if (k->what != DP_TASK_COUNT)
			dp_die(DP_EX_USAGE, "--expire: gradual expiry is for running counts; "
			    "give a number of steps");
		k->what = DP_TASK_GRADUAL;
		k->lambda = positive("--expire=gradual", text + 8);
		if (k->lambda > 8)
			dp_die(DP_EX_USAGE, "--expire=gradual: '%s' must be at most 8", text + 8);
		return;
	}
	if (k->what == DP_TASK_COUNT)
		k->what = DP_TASK_EXPIRE;
	else {
		k->map = k->what;
		k->what = DP_TASK_MAP;
	}
	k->windows = 1;
	k->w[0] = dp_options_steps(o, "--expire", text);
}

static void
set_alpha(struct dp_question *ask, double alpha, const char *option, const char *text)
{
	if (!dp_task_set_alpha(&ask->task, alpha))
		dp_die(DP_EX_USAGE, "%s: '%s' is too extreme: alpha must be from 1e-9 to 1 - 2^-40",
		    option, text);
}

void
dp_options_alpha(const struct dp_options *o, struct dp_question *ask,
    const struct dp_own_value *v)
{
	(void)o;
	if (v->number.num >= v->number.den)
		dp_die(DP_EX_USAGE,
		    "--alpha: '%s' must be above 0 and below 1, as 0.99 or 99/100", v->text);
	set_alpha(ask, dp_q_double(v->number), "--alpha", v->text);
}

void
dp_options_half_life(const struct dp_options *o, struct dp_question *ask,
    const struct dp_own_value *v)
{
	const bool duration = v->text[strspn(v->text, "0123456789")] != '\0';
	struct dp_span s;
	uint64_t steps;
	double n;
	int e;

	if ((e = dp_span_parse(&s, v->text)) == DP_ERANGE && duration)
		dp_die(DP_EX_USAGE, "--half-life: '%s' must be above 0, and no longer than a "
		    "duration may be", v->text);
	if (e == 0) {
		need_bucket(o, "--half-life", v->text);
		n = (double)dp_span_mean(&s) / (double)o->time.bucket;
	} else if (dp_u64_parse(&steps, v->text, 1, DP_TASK_STEPS) == 0)
		n = (double)steps;
	else
		n = positive("--half-life", v->text);
	set_alpha(ask, exp2(-1 / n), "--half-life", v->text);
}

void
dp_options_power(const struct dp_options *o, struct dp_question *ask,
    const struct dp_own_value *v)
{
	(void)o;
	ask->task.what = DP_TASK_POLY;
	ask->task.power = dp_q_double(v->number);
	if (ask->task.power > 64)
		dp_die(DP_EX_USAGE, "--power: '%s' must be at most 64", v->text);
}

void
dp_options_beta(struct dp_question *ask, const struct dp_own_value *v)
{
	ask->task.beta = dp_q_double(v->number);
	if (ask->task.beta >= 1 || ask->task.beta < BETA_LEAST)
		dp_die(DP_EX_USAGE, "--beta: '%s' must be from 1e-6 to below 1", v->text);
}

/* Numbers of the steps ago 0, 1, .., from a file. */
static void
read_table(struct dp_question *ask, const char *option, const struct dp_own_value *v,
    int (*read)(const char *, size_t, double **, size_t *, char why[static 160]))
{
	char why[160];
	double *g;
	int e;

	if ((e = read(v->file, v->size, &g, &ask->task.ng, why)) == DP_ENOMEM)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (e != 0)
		dp_die(DP_EX_USAGE, "%s: %s: %s", option, v->text, why);
	ask->task.g = g;
	dp_owned_add(ask->owned, g);
}

void
dp_options_weights(const struct dp_options *o, struct dp_question *ask,
    const struct dp_own_value *v)
{
	(void)o;
	read_table(ask, "--weights", v, dp_weights_read);
	ask->task.what = DP_TASK_TABLE;
}

void
dp_options_ages(struct dp_question *ask, const struct dp_own_value *v)
{
	read_table(ask, "--ages", v, dp_rise_read);
	ask->task.what = DP_TASK_GRADUAL;
	ask->task.lambda = 0;
}

/* The tool's question. */
static void
ask_tool(struct dp_options *o, const struct dp_tool *tool)
{
	struct dp_question ask = { .task.what = DP_TASK_COUNT, .output = o->output,
	    .outputs = o->outputs, .room = o->room, .range = o->range, .keys = o->keys,
	    .id = o->id, .shard = o->shard, .top = o->print.top, .hold = o->keys.hold,
	    .beta = o->priv.beta, .pan_default = o->priv.pan_default, .once = o->users.once,
	    .nonnegative = o->print.nonnegative, .totals = o->form.totals, .owned = &o->owned };

	memcpy(ask.own, o->own, sizeof ask.own);
	if (tool->task != NULL)
		tool->task(o, &ask);
	o->task = ask.task;
	o->output = ask.output;
	o->outputs = ask.outputs;
	o->room = ask.room;
	o->range = ask.range;
	o->keys = ask.keys;
	o->id = ask.id;
	o->shard = ask.shard;
	o->print.top = ask.top;
	o->keys.hold = ask.hold;
	o->priv.beta = ask.beta;
	o->priv.pan_default = ask.pan_default;
	o->users.once = ask.once;
	o->print.nonnegative = ask.nonnegative;
	o->form.totals = ask.totals;
	memcpy(o->own, ask.own, sizeof ask.own);
	if (!tool->map)
		return;
	o->task = (struct dp_task){ .what = DP_TASK_COUNT };	/* nothing is made of sums */
	o->outputs = 1;
}

/* --retention: a column for each number of steps since a user's first, and one for more. */
static void
set_ages(struct dp_options *o)
{
	const size_t n = (size_t)o->users.retention + 2;
	char **name = calloc(n, sizeof *name);
	size_t i;

	for (i = 0; name != NULL && i < n; i++)
		if ((i + 1 < n ? asprintf(&name[i], "%zu", i) : asprintf(&name[i], "+")) < 0)
			name = NULL;
	if (name == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	o->keys.name = name;
	o->keys.n = n;
	o->keys.own = true;
}

void
dp_options_task(struct dp_options *o, const struct dp_tool *tool)
{
	const char *why;
	unsigned i;

	dp_options_totals(o);
	ask_tool(o, tool);
	if (o->users.retention != 0)
		set_ages(o);
	need_range(o, tool);
	for (i = 0, o->keys.adds = 0; tool->adds != NULL && i < tool->adds->bands; i++)
		o->keys.adds += tool->adds->width(o, i);
	if (tool->shape == DP_SHAPE_SYMBOL && o->keys.n == 0)
		dp_die(DP_EX_USAGE, "--%s is required: the alphabet",
		    tool->groups & DP_GROUP_DOMAIN ? "domain" : "keys");
	/* buckets from --from to --to may be fewer than a window has: a young log */
	for (i = 0; o->horizon != 0 && (o->time.steps != DP_BY_RANGE || o->given['T']) &&
	    i < o->task.windows; i++)
		if (o->task.w[i] > o->horizon)
			dp_die(DP_EX_USAGE,
			    "a window or expiry of %llu steps is longer than the horizon of %llu",
			    (unsigned long long)o->task.w[i], (unsigned long long)o->horizon);
	for (i = 0; tool->rows != NULL && (o->print.format == DP_JSON ||
	    o->print.format == DP_PROMETHEUS) && i < o->outputs; i++)
		if (o->output[i].name != NULL && !dp_keys_utf8(o->output[i].name))
			dp_die(DP_EX_USAGE, "the name of a %s is not UTF-8, which -o %s needs",
			    tool->rows, o->print.format == DP_JSON ? "json" : "prometheus");
	dp_options_check(o, tool, DP_STAGE_TASK);
	if (dp_keys_check(o, tool, &why) != 0)
		dp_die(why == NULL ? DP_EX_SYSTEM : DP_EX_USAGE, "--%s: %s",
		    tool->groups & DP_GROUP_DOMAIN ? "domain" : "keys",
		    why == NULL ? "out of memory" : why);
}
