/* SPDX-License-Identifier: ISC */
/*
 * job.c - a run as a document, what a later run may change of it, and the heads of older states.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "job/table.h"
#include "internal.h"

/* The members of a job, each named once: written, read and compared by the same calls. */

#define NAME	32		/* bytes of a mechanism's name */

struct job {
	struct dp_run *r;
	struct dp_options *o;
	bool whole;
	/* In a reader: options as they are kept; NULL: not given. */
	char *set[DP_OPTION_CODES], *own[DP_OWN_MAX];
	char file[DP_OWN_MAX][sizeof ((struct dp_own_value *)NULL)->hash];
};

/* What the reader allocated belongs to the options. */
static char *
owned(struct dp_doc *d, struct job *j, char *text)
{
	if (d->way == DP_DOC_READ && text != NULL)
		dp_owned_add(&j->o->owned, text);
	return text;
}

static const struct dp_row *
row_of_job(const char *name)
{
	const struct dp_row *row;
	size_t i;

	for (i = 0; (row = dp_table_row(i)) != NULL; i++)
		if (row->name != NULL && *row->name == *name && strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

/* True: a later run says it itself, and must say the same. */
static bool
is_said(const void *arg, const char *key)
{
	const struct dp_options *o = arg;
	const struct dp_row *row = row_of_job(key);

	if (strcmp(key, "steps") == 0)
		return o->time.steps != DP_BY_LINE;
	if (strcmp(key, "keys") == 0)
		return o->keys.n != 0;
	if (strcmp(key, "mechanism") == 0)
		return strcmp(o->priv.mechanism, "auto") != 0;
	return row != NULL && row->keep == DP_KEEP_NO && o->given[row->c] &&
	    strcmp(key, "budget") != 0;		/* the ledger's name, and here the charge */
}

/* True: a head from before there were jobs. */
static bool
is_old(const char *head)
{
	return strncmp(head, DP_JOB " ", sizeof DP_JOB) != 0;
}

/* Options as texts: a line "set-NAME TEXT" or "own-NAME TEXT" of each that is given. */

/* A flag's text is 1. */
static void
option_job(struct dp_doc *d, struct job *j, const char *key, bool flag, char **text)
{
	if (flag)
		dp_doc_is(d, key, "1");
	else
		dp_doc_text(d, key, text);
	if (d->way != DP_DOC_READ || d->fault != DP_DOC_GOOD)
		return;
	if (flag)
		*text = dp_options_keep(j->o, "", 0);
	else if (owned(d, j, *text) == NULL)
		dp_doc_refuse(d, key, DP_DOC_MALFORMED);
}

/* A row may have moved to another section since. */
static void
read_rows(struct dp_doc *d, struct job *j)
{
	const struct dp_row *row;
	char key[DP_DOC_KEY];

	for (;;) {
		dp_doc_peek(d, key);
		if (strncmp(key, "set-", 4) != 0)
			return;
		row = row_of_job(key + 4);
		if (row == NULL || row->keep == DP_KEEP_NO || !dp_table_takes(j->r->tool, row) ||
		    j->set[row->c] != NULL)
			dp_doc_refuse(d, key, DP_DOC_REST);
		else
			option_job(d, j, key, row->arg == NULL, &j->set[row->c]);
	}
}

static void
rows(struct dp_doc *d, struct job *j, enum dp_section section)
{
	const struct dp_options *o = j->o;
	const struct dp_row *row;
	char key[DP_DOC_KEY], *text;
	size_t i;

	if (d->way == DP_DOC_READ) {
		read_rows(d, j);
		return;
	}
	for (i = 0; (row = dp_table_row(i)) != NULL; i++) {
		if (row->name == NULL || row->section != section || row->keep == DP_KEEP_NO ||
		    !o->given[row->c])
			continue;
		snprintf(key, sizeof key, "set-%s", row->name);
		text = (char *)(uintptr_t)o->text[row->c];
		option_job(d, j, key, row->arg == NULL, &text);
	}
}

/* An option of the tool alone; a file is told by what it holds. */
static void
own(struct dp_doc *d, struct job *j, size_t i)
{
	const struct dp_own *own = &j->r->tool->own[i];
	struct dp_own_value *v = &j->o->own[i];
	char key[DP_DOC_KEY], *text = (char *)(uintptr_t)v->text;

	snprintf(key, sizeof key, "own-%s", own->name);
	option_job(d, j, key, own->kind == DP_KIND_FLAG, d->way == DP_DOC_READ ? &j->own[i] :
	    &text);
	if (own->kind != DP_KIND_FILE)
		return;
	snprintf(key, sizeof key, "file-%s", own->name);
	dp_doc_chars(d, key, d->way == DP_DOC_READ ? j->file[i] : v->hash, sizeof v->hash);
}

static void
own_options(struct dp_doc *d, struct job *j)
{
	const struct dp_own *own_of = j->r->tool->own;
	char key[DP_DOC_KEY];
	size_t i;

	if (d->way != DP_DOC_READ) {
		for (i = 0; own_of != NULL && own_of[i].name != NULL; i++)
			if (j->o->own[i].text != NULL)
				own(d, j, i);
		return;
	}
	for (;;) {
		dp_doc_peek(d, key);
		if (strncmp(key, "own-", 4) != 0)
			return;
		for (i = 0; own_of != NULL && own_of[i].name != NULL; i++)
			if (strcmp(own_of[i].name, key + 4) == 0)
				break;
		if (own_of == NULL || own_of[i].name == NULL || j->own[i] != NULL)
			dp_doc_refuse(d, key, DP_DOC_REST);
		else
			own(d, j, i);
	}
}

/* Members whose text an option's own reader takes. */

static void
range(struct dp_doc *d, struct dp_options *o)
{
	struct dp_options kept = { .horizon = 0 };
	char text[DP_RANGE_TEXT], same[DP_RANGE_TEXT];

	dp_options_range_put(o, text);
	dp_doc_chars(d, "range", text, sizeof text);
	if (d->way != DP_DOC_READ || d->fault != DP_DOC_GOOD)
		return;
	if (!dp_options_range(&kept, text) || strcmp(dp_options_range_put(&kept, same), text) != 0)
		dp_doc_refuse(d, "range", DP_DOC_MALFORMED);
	o->range.lo = kept.range.lo;
	o->range.hi = kept.range.hi;
	o->range.places = kept.range.places;
	o->range.magnitudes = kept.range.magnitudes;
	o->range.finer = 0;
}

/* Decimals of values, where they are more than those that the range was written with. */
static void
grid(struct dp_doc *d, struct dp_options *o)
{
	const unsigned written = dp_range_places(&o->range) - o->range.finer;
	uint64_t places = dp_range_places(&o->range);
	bool finer = o->range.finer != 0;

	if (!dp_doc_optional(d, "grid", &finer))
		return;
	dp_doc_u64(d, "grid", &places, written + 1, DP_PLACES_MAX);
	if (d->way == DP_DOC_READ && d->fault == DP_DOC_GOOD)
		o->range.finer = (unsigned)places - written;
}

static void
bucket(struct dp_doc *d, struct dp_options *o)
{
	const struct dp_span none = { .n = 0 };
	struct dp_span kept;
	char text[DP_SPAN_TEXT];

	dp_span_put(text, o->shard.symbols ? &none : &o->time.span);	/* lines have none */
	dp_doc_chars(d, "bucket", text, sizeof text);
	if (d->way != DP_DOC_READ || d->fault != DP_DOC_GOOD)
		return;
	if (dp_span_get(&kept, text) != 0)
		dp_doc_refuse(d, "bucket", DP_DOC_MALFORMED);
	else {
		o->time.span = kept;
		o->time.bucket = dp_span_mean(&kept);
	}
}

/* K, K/step or K/B with B in steps */
static void
per_user_job(struct dp_doc *d, struct dp_options *o)
{
	static const char *const form[] = { "%llu", "%llu/step", "%llu/%llu" };
	unsigned long long most = 0, spacing = 0;
	char text[48], same[48];
	size_t i;

	if (o->users.spacing_text != NULL)
		dp_options_spacing(o);		/* once the bucket is known */
	snprintf(text, sizeof text, form[o->users.per_step ? 1 : o->users.spacing != 0 ? 2 : 0],
	    (unsigned long long)(o->users.most | o->keys.most),
	    (unsigned long long)o->users.spacing);
	dp_doc_chars(d, "per-user", text, sizeof text);
	if (d->way != DP_DOC_READ || d->fault != DP_DOC_GOOD)
		return;
	(void)sscanf(text, "%llu/%llu", &most, &spacing);
	for (i = 0; i < 3; i++) {
		snprintf(same, sizeof same, form[i], most, spacing);
		if (strcmp(same, text) == 0 && (i < 2 || (most != 0 && spacing != 0)))
			break;
	}
	if (i == 3)
		dp_doc_refuse(d, "per-user", DP_DOC_MALFORMED);
	o->users.most = most;
	o->users.per_step = i == 1;
	o->users.spacing = spacing;
}

/* The field that says whose an event is: it decides who the neighbours are. */
static void
user_job(struct dp_doc *d, struct dp_options *o)
{
	const struct dp_field *f = &o->users.field;
	char number[24], *text = f->number == 0 ? NULL : number;
	unsigned long n = 1;

	if (f->name != NULL)
		text = (char *)(uintptr_t)f->name;
	else
		snprintf(number, sizeof number, "%u", f->number);
	dp_doc_text(d, "user", &text);
	if (d->way != DP_DOC_READ || d->fault != DP_DOC_GOOD || is_said(o, "user") ||
	    text == NULL)
		return;
	dp_owned_add(&o->owned, text);
	o->users.field.name = text;
	if (text[strspn(text, "0123456789")] == '\0') {
		n = strlen(text) > 9 || *text == '0' ? 0 : strtoul(text, NULL, 10);
		o->users.field.name = NULL;
	}
	if (n == 0 || n > DP_FIELDS_MAX)
		dp_doc_refuse(d, "user", DP_DOC_MALFORMED);
	o->users.field.number = (unsigned)n;
}

static void
keys_job(struct dp_doc *d, struct dp_options *o)
{
	char **names = o->keys.name;
	size_t n = o->keys.own ? 0 : o->keys.n;
	int e;

	dp_doc_list(d, "keys", &names, &n, DP_KEYS_MAX);
	if (d->way != DP_DOC_READ || d->fault != DP_DOC_GOOD || is_said(o, "keys") || n == 0)
		return;
	dp_owned_add(&o->owned, names);
	if ((e = dp_options_keys_list(&o->keys, names, n)) != 0)
		dp_doc_refuse(d, "keys", e == DP_ENOMEM ? DP_DOC_NOMEM : DP_DOC_MALFORMED);
}

static void
unit_job(struct dp_doc *d, struct job *j)
{
	static const char *const steps[] = { "lines", "range", "clock", "times" };
	struct dp_options *o = j->o;
	unsigned by = o->time.steps;

	dp_doc_section(d, "unit");
	dp_doc_q(d, "epsilon", &o->priv.epsilon);
	dp_doc_q(d, "delta", &o->priv.delta);
	dp_doc_u64(d, "horizon", &o->horizon, 0, UINT64_MAX);
	range(d, o);
	grid(d, o);
	dp_doc_enum(d, "steps", &by, steps, 4);
	bucket(d, o);
	dp_doc_u64(d, "live", &o->time.lateness, 0, UINT64_MAX);
	per_user_job(d, o);
	user_job(d, o);
	dp_doc_flag(d, "pan-private", &o->priv.pan);
	keys_job(d, o);
	own_options(d, j);
	rows(d, j, DP_SECTION_UNIT);
	if (d->way == DP_DOC_READ && d->fault == DP_DOC_GOOD)
		o->time.steps = by;
}

/* The charge that paid for the run: "ID N"; "ID N owed": it may not have been made. */
static void
receipt(struct dp_doc *d, struct dp_receipt *of)
{
	static const char owed[] = " owed";
	char text[DP_BUDGET_ID + 32], *number = text + DP_BUDGET_ID + 1, *end;
	bool there = of->n != 0;

	if (!dp_doc_optional(d, "budget", &there))
		return;
	snprintf(text, sizeof text, "%s %llu%s", of->id, (unsigned long long)of->n,
	    of->owed ? owed : "");
	dp_doc_chars(d, "budget", text, sizeof text);
	if (d->way != DP_DOC_READ || d->fault != DP_DOC_GOOD)
		return;
	end = text + strlen(text) - (strlen(text) > strlen(owed) ? strlen(owed) : 0);
	if ((of->owed = strcmp(end, owed) == 0))
		*end = '\0';
	if (strlen(text) < DP_BUDGET_ID + 2 || text[DP_BUDGET_ID] != ' ' ||
	    number[strspn(number, "0123456789")] != '\0' ||
	    dp_u64_parse(&of->n, number, 1, UINT64_MAX) != 0)
		dp_doc_refuse(d, "budget", DP_DOC_MALFORMED);
	memcpy(of->id, text, DP_BUDGET_ID);
	of->id[DP_BUDGET_ID] = '\0';
}

/*
 * Largest move of the steps' values by one protected unit, which the noise was planned for: L1,
 * squared L2 norm, columns.  Whatever options change, a later run must find it unchanged.
 */
void
dp_job_moves(char text[static DP_MOVES_TEXT], const struct dp_privacy *p)
{
	snprintf(text, DP_MOVES_TEXT, "%llu %llu%s %u", (unsigned long long)p->l1,
	    (unsigned long long)p->l2squared, p->wide ? "+" : "", p->columns);
}

static void
moves(struct dp_doc *d, struct dp_run *r)
{
	char text[sizeof r->kept.moves];

	dp_job_moves(text, &r->setting.privacy);
	dp_doc_chars(d, "moves", d->way == DP_DOC_READ ? r->kept.moves : text, sizeof text);
}

/* Numbers without names, from before there were jobs: words in hex, at most 16 digits each. */
static void
old_numbers(struct dp_doc *d, struct dp_numbers *p)
{
	char *text = NULL, *s, *end;

	dp_doc_text(d, "params", &text);
	for (s = text; d->fault == DP_DOC_GOOD && s != NULL && *s != '\0'; s = end) {
		end = s + strspn(s, "0123456789abcdef");
		if (end == s || end - s > 16 || (*end != '\0' && (*end++ != ' ' || *end == '\0')))
			dp_doc_refuse(d, "params", DP_DOC_MALFORMED);
		else
			dp_numbers_add(p, strtoull(s, NULL, 16));
	}
	free(text);
}

static void
numbers(struct dp_doc *d, struct dp_numbers *p)
{
	if (d->way == DP_DOC_READ && dp_doc_next(d, "params"))
		old_numbers(d, p);
	else
		dp_numbers_doc(p, d);
	if (d->way == DP_DOC_READ && d->fault == DP_DOC_GOOD) {
		if (p->n == 0)
			dp_doc_refuse(d, DP_NUMBERS_PREFIX, DP_DOC_MISSING);
		dp_numbers_replay(p);
	}
}

static void
noise_job(struct dp_doc *d, struct job *j)
{
	struct dp_run *r = j->r;
	struct dp_options *o = j->o;
	char name[NAME];
	uint64_t decimals = r->print.decimals;
	bool seeded = o->priv.has_seed;

	dp_doc_section(d, "noise");
	snprintf(name, sizeof name, "%s", d->way == DP_DOC_WRITE ? r->plan.ops->name :
	    o->priv.mechanism);
	dp_doc_chars(d, "mechanism", name, sizeof name);
	moves(d, r);
	dp_doc_u64(d, "decimals", &decimals, 0, DP_SCALED_DECIMALS);
	receipt(d, &r->kept.receipt);
	if (j->whole && dp_doc_optional(d, "seed", &seeded))
		dp_doc_u64(d, "seed", &o->priv.seed, 0, UINT64_MAX);
	if (j->whole)
		numbers(d, &r->numbers);
	if (d->way != DP_DOC_READ || d->fault != DP_DOC_GOOD)
		return;
	o->priv.mechanism = dp_options_keep(o, name, strlen(name));
	o->priv.has_seed = seeded;
	r->print.decimals = (unsigned)decimals;
}

static void
job(struct dp_doc *d, struct job *j)
{
	static char this[] = DP_VERSION;
	char *version = this;

	dp_doc_is(d, DP_JOB, DP_JOB_VERSION);
	dp_doc_is(d, "tool", j->r->tool->name);
	dp_doc_text(d, "version", &version);	/* of who wrote it; any may go on */
	if (version != this)
		free(version);
	dp_doc_section(d, "input");
	rows(d, j, DP_SECTION_INPUT);
	unit_job(d, j);
	noise_job(d, j);
	dp_doc_section(d, "output");
	rows(d, j, DP_SECTION_OUTPUT);
	dp_doc_end(d);
}

void
dp_job_put(const struct dp_run *r, struct dp_buf *b, bool whole)
{
	struct job j = { .r = (struct dp_run *)(uintptr_t)r,
	    .o = (struct dp_options *)(uintptr_t)r->o, .whole = whole };
	struct dp_doc d = dp_doc_writer(b);

	job(&d, &j);
	if (d.fault != DP_DOC_GOOD)
		b->error = DP_ENOMEM;
}

static _Noreturn void
differs(const struct dp_options *o, const char *name, struct dp_slice kept)
{
	char option[DP_DOC_KEY + 4] = "which buckets exist", text[DP_SHOWN_TEXT];
	const struct dp_row *row = row_of_job(name);
	const bool seconds = strcmp(name, "bucket") == 0 && kept.n != 0 &&
	    kept.p[kept.n - 1] >= '0' && kept.p[kept.n - 1] <= '9';	/* 1w has its unit */

	if (strcmp(name, "steps") != 0)
		snprintf(option, sizeof option, "--%s", name);
	if (kept.n == 0 || (row != NULL && row->arg == NULL) ||
	    (strcmp(name, "per-user") == 0 && kept.n == 1 && kept.p[0] == '0'))
		dp_die(DP_EX_STATE, "%s: %s was not given when the state file was started; leave "
		    "it out, or start another state file", o->keep.state, option);
	dp_die(DP_EX_STATE, "%s: %s differs from the state file's, which is %s%s; leave the option "
	    "out, or start another state file", o->keep.state, option,
	    dp_shown(text, kept.p, kept.n), seconds ? " seconds" : "");
}

/* The first key that is not as it should be, and what to do. */
static void
check_job(const struct dp_options *o, const struct dp_doc *d, const char *number)
{
	const char *state = o->keep.state;
	char text[DP_SHOWN_TEXT];

	switch (d->fault) {
	case DP_DOC_GOOD:
		break;
	case DP_DOC_MISSING:
		if (is_said(o, d->key))
			differs(o, d->key, (struct dp_slice){ NULL, 0 });
		if (strcmp(d->key, DP_NUMBERS_PREFIX) == 0)
			dp_die(DP_EX_STATE, "%s: the state file has no numbers of the noise",
			    state);
		dp_die(DP_EX_STATE, "%s: the state file has no '%s'", state, d->key);
	case DP_DOC_MALFORMED:
		if (number != NULL)
			dp_die(DP_EX_STATE, "%s: a number of the state file's noise is damaged: %s",
			    state, number);
		dp_die(DP_EX_STATE, "%s: the state file's '%s' is damaged", state, d->key);
	case DP_DOC_DIFFERS:
		if (strcmp(d->key, DP_JOB) == 0)
			dp_die(DP_EX_STATE, "%s: the state file has format %s, and this version "
			    "reads " DP_JOB_VERSION "; go on with the version that wrote it", state,
			    dp_shown(text, d->found.p, d->found.n));
		if (strcmp(d->key, "tool") == 0)
			dp_die(DP_EX_STATE, "%s: the state file belongs to %s; run that, or start "
			    "another state file", state,
			    dp_shown(text, d->found.p, d->found.n));
		if (!is_said(o, d->key))	/* a flag */
			dp_die(DP_EX_STATE, "%s: the state file's '%s' is damaged", state, d->key);
		differs(o, d->key, d->found);
	case DP_DOC_REST:
		dp_die(DP_EX_STATE, "%s: the state file has a line '%s' that this version does "
		    "not know; go on with the version that wrote it", state, d->key);
	case DP_DOC_NOMEM:
		dp_die(DP_EX_SYSTEM, "out of memory");
	}
}

/* True: the option is as it is kept.  A number is told by its value, a file by what it holds. */
static bool
same_own(const struct dp_own *own, const struct dp_own_value *v, const char *kept)
{
	struct dp_q q;

	if (own->kind == DP_KIND_FILE || own->kind == DP_KIND_FLAG)
		return true;
	if (own->kind == DP_KIND_NUMBER)
		return dp_q_parse(&q, kept) == 0 && dp_q_cmp(q, v->number) == 0;
	return strcmp(v->text, kept) == 0;
}

/* Texts are compared: --half-life=7 and 7.0 are different options to us. */
static void
adopt_own(const struct job *j)
{
	struct dp_options *o = j->o;
	const struct dp_own *own = j->r->tool->own;
	const char *kept;
	size_t i;

	for (i = 0; own != NULL && own[i].name != NULL; i++) {
		kept = j->own[i];
		if (o->own[i].text == NULL && kept != NULL)
			dp_options_set(o, j->r->tool, own[i].letter ? own[i].letter :
			    OPT_OWN + (int)i, own[i].kind == DP_KIND_FLAG ? NULL : kept);
		if (o->own[i].text != NULL && kept == NULL)
			dp_die(DP_EX_STATE, "%s: --%s was not given when the state file was "
			    "started; leave it out, or start another state file", o->keep.state,
			    own[i].name);
		if (o->own[i].text == NULL)
			continue;
		if (own[i].kind == DP_KIND_FILE && strcmp(j->file[i], o->own[i].hash) != 0)
			dp_die(DP_EX_STATE, "%s: the %s file is not the one the state file was "
			    "started with", o->keep.state, own[i].name);
		if (!same_own(&own[i], &o->own[i], kept))
			differs(o, own[i].name, (struct dp_slice){ kept, strlen(kept) });
	}
}

/* What a later run may leave out or change: options of lines and of output. */

/* True: --change=NAME,... names it. */
static bool
forgotten(const struct dp_options *o, const char *name)
{
	const char *p = o->keep.forget;
	size_t n;

	for (; p != NULL; p = p[n] == ',' ? p + n + 1 : NULL)
		if ((n = strcspn(p, ",")) == strlen(name) && memcmp(p, name, n) == 0)
			return true;
	return false;
}

/* True: one that it does not go with is given. */
static bool
replaced(const bool *given, int c)
{
	int d;

	for (d = 0; d < DP_OPTION_CODES; d++)
		if (given[d] && dp_options_apart(c, d))
			return true;
	return false;
}

/* True: a time may go on behind its field, as far as no number stands there (charge.c). */
static bool
goes_on(char *const set[DP_OPTION_CODES])
{
	const char *format = set[OPT_FORMAT], *time = set['t'], *log = set[OPT_LOG];

	return set[OPT_JSON] == NULL && (log == NULL || strcmp(log, "w3c") == 0) &&
	    (format == NULL || (strcmp(format, "epoch") != 0 && strcmp(format, "excel") != 0)) &&
	    (time == NULL || strchr(time, ',') == NULL);
}

/*
 * True: the option decides who the neighbours are.  How a line is cut, and what is made of its
 * fields, say whose an event is (-u, or an identifier that -v names); these and how times are read
 * say to which of several ranges it belongs.  Changed between two runs, one event, or one user's,
 * could count more often than the noise was planned for.
 */
static bool
is_fixed(const struct dp_options *o, const struct dp_tool *tool, const struct dp_row *row,
    char *const set[DP_OPTION_CODES])
{
	const bool cuts = dp_options_cuts(row->c) || row->c == OPT_LET;
	const bool number = row->c == 'v' || row->c == 'm' || row->c == OPT_WEIGHT ||
	    row->c == OPT_ANSWER;
	const bool times = row->c == 't' || row->c == OPT_FORMAT || row->c == OPT_TZ_IN ||
	    (number && goes_on(set));
	const bool id = tool->shape == DP_SHAPE_ID;

	return row->keep == DP_KEEP_FIXED || (cuts && (id || o->users.field.number != 0)) ||
	    (id && row->c == 'v') || ((cuts || times) && o->time.steps == DP_BY_RANGE);
}

/* An option of lines or output: as it is kept, unless --change lets it differ. */
static void
adopt(struct dp_run *r, struct dp_options *o, const struct dp_row *row,
    char *const set[DP_OPTION_CODES], const bool *given)
{
	const bool fixed = is_fixed(o, r->tool, row, set);
	const char *kept = set[row->c];
	const bool named = o->keep.change && forgotten(o, row->name);
	char text[DP_SHOWN_TEXT];
	bool none;

	if (!given[row->c] && kept == NULL)
		return;
	if (named && fixed)
		dp_die(DP_EX_STATE, "%s: --change: the noise was planned for --%s; start another "
		    "state file", o->keep.state, row->name);
	if (!given[row->c] && !(o->keep.change && !fixed && (named || replaced(given, row->c)))) {
		none = *kept == '\0' && (row->arg == NULL || dp_table_optional(row->arg));
		dp_options_set(o, r->tool, row->c, none ? NULL : kept);
		return;
	}
	if (given[row->c] && kept != NULL && strcmp(o->text[row->c], kept) == 0)
		return;
	if (fixed)
		dp_die(DP_EX_STATE, "%s: --%s differs from the state file's, which it was "
		    "planned for; leave it out, or start another state file", o->keep.state,
		    row->name);
	if (!o->keep.change && kept != NULL)
		dp_die(DP_EX_STATE, "%s: --%s differs from the state file's, which is '%s'; "
		    "leave it out, or give --change", o->keep.state, row->name,
		    dp_shown(text, kept, strlen(kept)));
	if (!o->keep.change)
		dp_die(DP_EX_STATE, "%s: --%s was not given when the state file was started; "
		    "leave it out, or give --change", o->keep.state, row->name);
	r->kept.changed = true;
	/* the columns of a header line */
	r->kept.reprint |= row->c == 'o' || row->c == 'B' || row->c == 'n' || row->c == OPT_TOP;
}

/* Exits unless --change names options that may change. */
static void
check_change(const struct dp_options *o)
{
	const char *p = o->keep.forget;
	const struct dp_row *row;
	size_t i, n;
	bool known;

	for (; p != NULL; p = p[n] == ',' ? p + n + 1 : NULL) {
		n = strcspn(p, ",");
		for (known = false, i = 0; (row = dp_table_row(i)) != NULL; i++)
			known |= row->name != NULL && row->keep == DP_KEEP_YES &&
			    strlen(row->name) == n && memcmp(p, row->name, n) == 0;
		if (!known)
			dp_die(DP_EX_USAGE, "--change: '%.*s' is no option that a state file keeps",
			    (int)n, p);
	}
}

/* set: options by getopt's number as a state has them; NULL: not given. */
static void
adopt_rows(struct dp_run *r, struct dp_options *o, char *const set[DP_OPTION_CODES])
{
	const struct dp_row *row;
	bool given[DP_OPTION_CODES];
	size_t i;

	check_change(o);
	memcpy(given, o->given, sizeof given);	/* on the command line */
	for (i = 0; (row = dp_table_row(i)) != NULL; i++)
		if (row->name != NULL && row->keep != DP_KEEP_NO &&
		    dp_table_takes(r->tool, row))
			adopt(r, o, row, set, given);
}

/*
 * A head that was translated is read by the rules of now if it has the lines that say so; without
 * them times, --where and the tool's options were read otherwise once.  --change with the option
 * takes the rules of now, but for times that say to which of several ranges an event belongs.
 */
static void
find_rules(struct dp_run *r, const struct dp_options *o, struct dp_slice head)
{
	const struct dp_own *own = r->tool->own;
	const bool times = o->keep.change && (o->given['t'] || o->given[OPT_FORMAT]) &&
	    o->time.steps != DP_BY_RANGE;
	struct dp_slice line;
	char key[DP_DOC_KEY];

	r->kept.old_times = !dp_doc_find(head, "times", &line) && !times;
	r->kept.old_where = !dp_doc_find(head, "conditions", &line) &&
	    !(o->keep.change && o->given[OPT_WHERE]);
	for (; own != NULL && own->name != NULL; own++) {
		snprintf(key, sizeof key, "own-%s", own->name);
		if (!own->later && !dp_doc_find(head, key, &line))
			dp_die(DP_EX_STATE, "%s: the state file has no '%s'", o->keep.state, key);
	}
}

/* The head as a job, which belongs to the options. */
static struct dp_slice
renewed(struct dp_options *o, const char *head)
{
	char why[DP_JOB_WHY];
	struct dp_buf text = { .n = 0 };
	const int e = dp_job_renew(&text, head, why);

	if (e != 0)
		dp_die(e == DP_ENOMEM ? DP_EX_SYSTEM : DP_EX_STATE, "%s: %s", o->keep.state,
		    e == DP_ENOMEM ? "out of memory" : why);
	dp_owned_add(&o->owned, text.p);
	return (struct dp_slice){ text.p, text.n };
}

void
dp_job_adopt(struct dp_run *r, struct dp_options *o, const char *head)
{
	struct job j = { .r = r, .o = o, .whole = true };
	const bool ranged = o->time.steps == DP_BY_RANGE || o->keep.init;
	struct dp_doc d;

	d = dp_doc_reader(renewed(o, head));
	if (o->priv.exact)
		dp_die(DP_EX_USAGE, "--epsilon=inf: refused with --state (a state file is for "
		    "private runs; exact answers need none)");
	d.compares = is_said;
	d.arg = o;
	job(&d, &j);
	check_job(o, &d, r->numbers.error != 0 ? r->numbers.fault : NULL);
	if (o->time.steps == DP_BY_RANGE && !ranged && j.set[OPT_ONCE] == NULL)
		dp_die(DP_EX_USAGE, "%s: this state file goes on with --next, or with --from and "
		    "--to (its steps are a range)", o->keep.state);
	o->priv.has_epsilon = true;
	if (is_old(head))
		find_rules(r, o, (struct dp_slice){ head, strlen(head) });
	adopt_own(&j);
	adopt_rows(r, o, j.set);
}

void
dp_job_tool(const struct dp_options *o, const struct dp_tool *tool, const char *head)
{
	struct dp_slice s = { "", 0 };

	if (!dp_doc_find((struct dp_slice){ head, strlen(head) }, "tool", &s) ||
	    s.n != strlen(tool->name) || memcmp(s.p, tool->name, s.n) != 0)
		dp_die(DP_EX_STATE, "%s: the state file belongs to %.*s; run that, or start "
		    "another state file", o->keep.state, (int)s.n,
		    s.p);
}

/* A reader at the line of this key; false: the job has none. */
static bool
at(struct dp_doc *d, struct dp_slice job, const char *key)
{
	struct dp_slice s;

	if (!dp_doc_find(job, key, &s))
		return false;
	s.p -= strlen(key) + 1;
	*d = dp_doc_reader((struct dp_slice){ s.p, (size_t)(job.p + job.n - s.p) });
	return true;
}

/* A text of an option that a state keeps, if it does. */
static void
show_text(struct dp_options *o, struct dp_slice job, const char *name, const char **text)
{
	struct dp_doc d;
	char *kept = NULL;

	if (!at(&d, job, name))
		return;
	dp_doc_text(&d, name, &kept);
	check_job(o, &d, NULL);
	if (kept != NULL)
		dp_owned_add(&o->owned, kept);
	*text = kept;
}

void
dp_job_show(struct dp_options *o, const char *head)
{
	const struct dp_slice job = { head, strlen(head) };
	struct dp_doc d, span;

	if (!at(&d, job, "horizon") || !at(&span, job, "bucket"))
		return;
	dp_doc_u64(&d, "horizon", &o->horizon, 0, UINT64_MAX);
	check_job(o, &d, NULL);
	bucket(&span, o);
	check_job(o, &span, NULL);
	o->time.once = at(&d, job, "set-once");
	show_text(o, job, "set-tz", &o->time.tz);
	show_text(o, job, "set-start", &o->time.start);
	dp_options_times(o);
}

/*
 * Heads of form 2, of states that were begun before there were jobs, line by line as
 * jobs.
 *
 * Bytes that are not plain were %XX there, also a blank, a minus and an at sign; - stood for what
 * was not given and for a text that is empty.
 */

struct old {
	struct dp_slice head;
	struct dp_doc out;
	char *why;
	int e;
};

/* The first fault stays. */
static void
refuse_old(struct old *t, const char *form, const char *key)
{
	if (t->e != 0)
		return;
	t->e = DP_ESTATE;
	snprintf(t->why, DP_JOB_WHY, form, key);
}

static bool
find_old(struct old *t, const char *key, struct dp_slice *value)
{
	*value = (struct dp_slice){ "", 0 };
	if (t->e != 0)
		return false;
	if (dp_doc_find(t->head, key, value))
		return true;
	refuse_old(t, "the state file has no '%s'", key);
	return false;
}

static bool
is(struct dp_slice s, const char *text)
{
	return s.n == strlen(text) && memcmp(s.p, text, s.n) == 0;
}

/* A value that is spelled as it was. */
static void
same(struct old *t, const char *key)
{
	struct dp_slice s;

	if (!find_old(t, key, &s))
		return;
	dp_buf_puts(t->out.out, key);
	dp_buf_puts(t->out.out, " ");
	dp_buf_add(t->out.out, s.p, s.n);
	dp_buf_puts(t->out.out, "\n");
}

/* The text of a value; NULL: a fault.  The caller frees it. */
static char *
text_of(struct old *t, const char *key, struct dp_slice s)
{
	char *text = malloc(s.n + 1);
	size_t n;

	if (text == NULL) {
		if (t->e == 0)
			t->e = DP_ENOMEM;
		return NULL;
	}
	if (!dp_unescape(text, s.n, s, &n)) {
		refuse_old(t, "the state file's '%s' is damaged", key);
		free(text);
		return NULL;
	}
	text[n] = '\0';
	return text;
}

static void
put_text(struct old *t, const char *key, struct dp_slice s)
{
	char *text = text_of(t, key, s);

	if (text != NULL)
		dp_doc_text(&t->out, key, &text);
	free(text);
}

static void
text(struct old *t, const char *key)
{
	struct dp_slice s;

	if (find_old(t, key, &s))
		put_text(t, key, s);
}

/*
 * A comma between fields is said by a line; without it, and without a header, which may have a
 * name with a comma, it was read otherwise once.
 */
static void
whole(struct old *t, struct dp_slice field, const char *line)
{
	struct dp_slice s;

	if (memmem(field.p, field.n, "%2c", 3) != NULL && !dp_doc_find(t->head, line, &s) &&
	    !dp_doc_find(t->head, "set-header", &s))
		refuse_old(t, "the state file has no '%s'", line);
}

static void
user_old(struct old *t)
{
	struct dp_slice s;

	if (!find_old(t, "user", &s))
		return;
	whole(t, s, "several-users");
	if (is(s, "-"))
		dp_buf_puts(t->out.out, "user -\n");
	else
		put_text(t, "user", s);
}

/* K in one line, and perhaps "per-step 1" or "spacing B". */
static void
per_user_old(struct old *t)
{
	struct dp_buf *b = t->out.out;
	struct dp_slice s;

	if (!find_old(t, "per-user", &s))
		return;
	dp_buf_puts(b, "per-user ");
	dp_buf_add(b, s.p, s.n);
	if (dp_doc_find(t->head, "per-step", &s)) {
		if (!is(s, "1") || dp_doc_find(t->head, "spacing", &s))
			refuse_old(t, "the state file's '%s' is damaged", "per-step");
		dp_buf_puts(b, "/step");
	} else if (dp_doc_find(t->head, "spacing", &s)) {
		dp_buf_puts(b, "/");
		dp_buf_add(b, s.p, s.n);
	}
	dp_buf_puts(b, "\n");
}

/* Texts with commas between, the empty one as two quotes. */
static void
keys_old(struct old *t)
{
	struct dp_slice s;
	const char *end, *p, *comma;
	char **name, *key;
	size_t n = 0, room = 1;

	if (!find_old(t, "keys", &s))
		return;
	end = s.p + s.n;
	for (p = s.p; p < end; p++)
		room += *p == ',';
	if ((name = calloc(room, sizeof *name)) == NULL) {
		t->e = DP_ENOMEM;
		return;
	}
	for (p = s.p; !is(s, "-") && n < room; n++, p = comma + 1) {
		comma = n + 1 == room ? end : memchr(p, ',', (size_t)(end - p));
		key = text_of(t, "keys", is((struct dp_slice){ p, (size_t)(comma - p) }, "\"\"") ?
		    (struct dp_slice){ "", 0 } : (struct dp_slice){ p, (size_t)(comma - p) });
		if ((name[n] = key) == NULL)
			break;
	}
	if (t->e == 0)
		dp_doc_list(&t->out, "keys", &name, &n, room);
	for (n = 0; n < room; n++)
		free(name[n]);
	free(name);
}

/* An option of the tool, or the hash of its file: not there unless it was given. */
static bool
is_own(const char *key)
{
	return strncmp(key, "own-", 4) == 0 || strncmp(key, "file-", 5) == 0;
}

/* An option that was given, of one section; a flag's text is 1. */
static void
option_old(struct old *t, const char *key, struct dp_slice s, enum dp_section section)
{
	const struct dp_row *row = strncmp(key, "set-", 4) == 0 ? row_of_job(key + 4) : NULL;

	if (is_own(key)) {
		if (section == DP_SECTION_NONE && !is(s, "-"))
			put_text(t, key, s);
	} else if (row != NULL && row->section == section && row->keep != DP_KEEP_NO) {
		if (is(s, "-"))
			dp_buf_line(t->out.out, key, row->arg == NULL ? "1" : "\"\"");
		else
			put_text(t, key, s);
	}
}

/* All of a section; DP_SECTION_NONE: those of the tool. */
static void
options(struct old *t, enum dp_section section)
{
	const char *p, *end = t->head.p + t->head.n, *nl, *gap;
	char key[DP_DOC_KEY];

	for (p = t->head.p; p < end && (nl = memchr(p, '\n', (size_t)(end - p))) != NULL;
	    p = nl + 1) {
		gap = memchr(p, ' ', (size_t)(nl - p));
		if (gap == NULL || gap - p >= DP_DOC_KEY)
			continue;
		memcpy(key, p, (size_t)(gap - p));
		key[gap - p] = '\0';
		option_old(t, key, (struct dp_slice){ gap + 1, (size_t)(nl - gap) - 1 }, section);
	}
}

/* Lines that were there in every state whose options are read as they are now. */
static void
check_old(struct old *t)
{
	struct dp_slice s;

	if (dp_doc_find(t->head, "set-value", &s))
		whole(t, s, "several-values");
}

/* Times without a format were seconds since 1970 once. */
static void
time_format(struct old *t)
{
	struct dp_slice s;

	if (dp_doc_find(t->head, "set-time", &s) && !dp_doc_find(t->head, "set-log", &s) &&
	    !dp_doc_find(t->head, "set-time-format", &s))
		dp_buf_puts(t->out.out, "set-time-format epoch\n");
}

static void
unit_old(struct old *t)
{
	static const char *const first[] = { "epsilon", "delta", "horizon", "range", "steps",
	    "bucket" };
	struct dp_slice s;
	size_t i;

	dp_doc_section(&t->out, "unit");
	for (i = 0; i < sizeof first / sizeof *first; i++)
		same(t, first[i]);
	if (find_old(t, "lateness", &s)) {
		dp_buf_puts(t->out.out, "live ");
		dp_buf_add(t->out.out, s.p, s.n);
		dp_buf_puts(t->out.out, "\n");
	}
	per_user_old(t);
	user_old(t);
	same(t, "pan-private");
	keys_old(t);
	options(t, DP_SECTION_NONE);
	options(t, DP_SECTION_UNIT);
}

static void
noise_old(struct old *t)
{
	struct dp_slice s;

	dp_doc_section(&t->out, "noise");
	text(t, "mechanism");
	same(t, "moves");
	same(t, "decimals");
	if (dp_doc_find(t->head, "budget", &s))
		same(t, "budget");
	if (find_old(t, "seeded", &s) && is(s, "1"))
		same(t, "seed");
	else if (t->e == 0 && !is(s, "0"))
		refuse_old(t, "the state file's '%s' is damaged", "seeded");
	same(t, "params");
}

static void
translate(struct old *t)
{
	dp_doc_is(&t->out, DP_JOB, DP_JOB_VERSION);
	text(t, "tool");
	text(t, "version");
	check_old(t);
	dp_doc_section(&t->out, "input");
	options(t, DP_SECTION_INPUT);
	time_format(t);
	unit_old(t);
	noise_old(t);
	dp_doc_section(&t->out, "output");
	options(t, DP_SECTION_OUTPUT);
	dp_doc_end(&t->out);
}

int
dp_job_renew(struct dp_buf *out, const char *head, char why[static DP_JOB_WHY])
{
	struct old t = { .head = { head, strlen(head) }, .out = dp_doc_writer(out), .why = why };
	struct dp_slice format = { "1", 1 }, version;

	if (!is_old(head))
		dp_buf_add(out, head, t.head.n);
	else if (find_old(&t, "version", &version)) {
		if (dp_doc_find(t.head, "format", &format) && is(format, "2"))
			translate(&t);
		else {
			t.e = DP_ESTATE;
			snprintf(why, DP_JOB_WHY, "the state file has format %.*s (of version "
			    "%.*s), which is not read here; start another state file",
			    (int)(format.n < 20 ? format.n : 20), format.p,
			    (int)(version.n < 20 ? version.n : 20), version.p);
		}
	}
	if (t.e == 0)
		t.e = out->error != 0 || t.out.fault != DP_DOC_GOOD ? DP_ENOMEM : 0;
	if (t.e != 0)
		dp_buf_free(out);
	return t.e;
}
