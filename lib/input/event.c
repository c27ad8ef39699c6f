/* SPDX-License-Identifier: ISC */
/* event.c - a record to an event. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "internal.h"

const char dp_events_no_user[] = "no user", dp_events_no_symbol[] = "no symbol",
    dp_events_no_key[] = "the key is not declared", dp_events_outside[] = "not from --from to --to",
    dp_events_not_where[] = "does not match --where",
    dp_events_no_match[] = "does not match --match",
    dp_events_no_clock[] = "no time of day", dp_events_no_universe[] = "not in the universe",
    dp_events_no_time[] = "not a time of the given format",
    dp_events_not_there[] = "missing, or not a string, number, true or false",
    dp_events_no_number[] = "not a decimal number", dp_events_no_object[] = "no JSON object";

static int dp_events_form_new(struct dp_events *) DP_MUSTUSE;
static void dp_events_form_free(struct dp_events *);
static int dp_events_form_forget(struct dp_events *) DP_MUSTUSE;
static bool dp_events_seldom(const struct dp_events *);
static struct dp_match *dp_events_literal(const struct dp_events *);
static bool dp_events_cut(const struct dp_events *, struct dp_record *, struct dp_event *);
static bool dp_events_holds(const struct dp_events *, struct dp_record *, struct dp_event *);
static int dp_events_value_new(struct dp_events *) DP_MUSTUSE;
static void dp_events_value(const struct dp_events *, const struct dp_record *, struct dp_event *);
static void dp_events_key(const struct dp_events *, const struct dp_record *, struct dp_event *);
static int dp_events_time_new(struct dp_events *, int64_t before) DP_MUSTUSE;
static void dp_events_time(const struct dp_events *, const struct dp_record *, struct dp_event *);
static int dp_events_join_new(const struct dp_events *, struct dp_events_several *,
	    const struct dp_fields *) DP_MUSTUSE;
static const char *dp_events_join_header(struct dp_events_several *, const struct dp_record *);
static void dp_events_join_forget(struct dp_events_several *);
static void dp_events_join_free(struct dp_events_several *);
static void dp_events_user(const struct dp_events *, const struct dp_record *, struct dp_event *);

/*
 * Records to events: what is read of a record, and in which order.
 */

static int
match_new(struct dp_events *e)
{
	const struct dp_options *o = e->o;
	char why[DP_MATCH_WHY] = "";
	int rc;

	if (o->form.match == NULL)
		return 0;
	if ((rc = dp_match_new(&e->match, o->form.match, o->form.fixed, o->form.icase,
	    why)) == DP_ESYNTAX)
		dp_die(DP_EX_USAGE, "--match: %s", why);
	return rc;
}

int
dp_events_new(struct dp_events **out, const struct dp_options *o, const struct dp_tool *tool,
    const uint8_t id_key[16], int64_t before)
{
	struct dp_events *e = calloc(1, sizeof *e);
	int rc;

	if (e == NULL)
		return DP_ENOMEM;
	e->o = o;
	e->shape = tool->shape;
	e->adds = tool->adds;
	e->tool = tool;
	e->id_key = id_key;
	e->value.field = o->form.value;
	e->time = o->time.field;
	e->clock = o->time.clock;
	e->weight = o->range.weight.field;
	e->key.field = o->keys.field;
	memcpy(e->key.then, o->keys.then, sizeof e->key.then);
	e->user.field = o->users.field;
	if ((rc = dp_events_join_new(e, &e->user, &o->users.several)) != 0 ||
	    (tool->words.reads != NULL &&
	    (rc = dp_events_join_new(e, &e->value, &o->form.several)) != 0) ||
	    (rc = dp_events_time_new(e, before)) != 0 || (rc = match_new(e)) != 0 ||
	    (rc = dp_events_form_new(e)) != 0 || (rc = dp_events_value_new(e)) != 0) {
		dp_events_free(e);
		return rc;
	}
	*out = e;
	return 0;
}

/* Terms of the last event: amounts and places. */
static void
wipe_terms(struct dp_events *e)
{
	if (e->term != NULL)
		sodium_memzero(e->term, e->adds->terms * sizeof *e->term);
}

void
dp_events_free(struct dp_events *e)
{
	if (e == NULL)
		return;
	dp_events_form_free(e);
	dp_terms_free(e->terms);
	wipe_terms(e);
	free(e->term);
	dp_match_free(e->match);
	dp_events_join_free(&e->user);
	dp_events_join_free(&e->value);
	free(e->key.place);
	free(e->key.joined);
	free(e->key.each);
	free(e->key.met);
	free(e);
}

int
dp_events_forget(struct dp_events *e)
{
	int rc = dp_events_form_forget(e);

	if (e->terms != NULL)
		dp_terms_forget(e->terms);
	wipe_terms(e);
	dp_events_join_forget(&e->user);
	dp_events_join_forget(&e->value);
	if (e->key.joined != NULL)
		sodium_memzero(e->key.joined, DP_KEY_MAX);
	return rc != 0 || e->match == NULL ? rc : dp_match_forget(e->match);
}

static unsigned
wanted(const struct dp_field *f, unsigned following)
{
	if (f->number > DP_FIELDS_MAX)		/* it is made of another */
		return 0;
	return f->number == 0 ? 0 : f->name != NULL || f->number > DP_FIELDS_MAX - following ?
	    DP_FIELDS_MAX : f->number + following;
}

bool
dp_events_seekable(const struct dp_events *e)
{
	const struct dp_options *o = e->o;

	return dp_events_seldom(e) && dp_events_literal(e) != NULL && !o->form.strict &&
	    !o->form.header &&
	    !o->priv.pan && o->time.steps == DP_BY_RANGE;
}

int
dp_events_seek(const struct dp_events *ev, const char **p, const char *end, struct dp_slice *line)
{
	const struct dp_slice text = { *p, (size_t)(end - *p) };
	const char *from, *nl;
	size_t at;
	int hit;

	if ((hit = dp_match_find(dp_events_literal(ev), text, &at)) != 1)
		return hit;
	from = memrchr(*p, '\n', at);
	line->p = from == NULL ? *p : from + 1;
	nl = memchr(*p + at, '\n', (size_t)(end - *p) - at);
	line->p += dp_record_marks(line->p, nl);
	*p = nl + 1;
	line->n = (size_t)((nl > line->p && nl[-1] == '\r' ? nl - 1 : nl) - line->p);
	return 1;
}

bool
dp_events_searchable(const struct dp_events *e)
{
	const struct dp_options *o = e->o;

	return e->shape == DP_SHAPE_NUMBER && e->match != NULL && dp_match_literal(e->match) &&
	    (o->form.value.number | o->keys.field.number | o->users.field.number |
	    o->time.field.number) == 0 &&
	    o->form.conditions == 0 && !o->form.csv && !o->form.header && !o->form.strict &&
	    !dp_options_formed(o);
}

int
dp_events_search(const struct dp_events *ev, const char **p, const char *end, const char **hit,
    int64_t *x, int n)
{
	const bool invert = ev->o->form.invert;
	const int64_t value[] = { invert ? ev->one : 0, invert ? 0 : ev->one };
	const char *at, *nl;
	size_t next;
	int i, found;

	for (i = 0, at = *p; i < n && at < end; i++, at = nl + 1) {
		at += dp_record_marks(at, end);
		if (*hit == NULL || *hit < at) {
			found = dp_match_find(ev->match, (struct dp_slice){ at,
			    (size_t)(end - at) }, &next);
			if (found < 0)
				return found;
			*hit = found == 1 ? at + next : end;
		}
		nl = memchr(at, '\n', (size_t)(end - at));
		x[i] = value[*hit < nl];
	}
	*p = at;
	return i;
}

void
dp_events_reader_rule(struct dp_events *e, struct dp_reader_rule *r)
{
	const struct dp_options *o = e->o;
	const struct dp_field *const all[] = { &e->value.field, &o->time.field, &o->time.clock,
	    &o->keys.field, &o->keys.then[0], &o->keys.then[1], &o->keys.then[2], &e->user.field,
	    &o->range.weight.field };
	unsigned n;
	size_t i;

	r->csv = o->form.csv;
	r->lines = o->form.csv == DP_CSV_LINES;
	r->delimiter = o->form.csv && o->form.delimiter < 0 ? ',' : o->form.delimiter;
	r->frugal = o->priv.pan;
	r->uncounted = o->priv.pan && o->time.bucket != 0;
	r->fields = 0;
	for (i = 0; i < sizeof all / sizeof *all; i++)
		if ((n = wanted(all[i], all[i] == &o->time.field ? e->following : 0)) > r->fields)
			r->fields = n;
	for (i = 0; i < 2 * DP_KEY_FIELDS; i++)
		if ((n = wanted(&(i % 2 ? &e->user : &e->value)->of.part[i / 2], 0)) > r->fields)
			r->fields = n;
	/*
	 * CSV: the row's own text is wanted only by a pattern over the whole row, or a bare number
	 */
	r->text = !o->form.csv || o->form.value.number == 0 || e->terms != NULL;
	for (i = 0; i < o->form.conditions; i++) {
		if ((n = wanted(&o->form.condition[i].field, 0)) > r->fields)
			r->fields = n;
		r->text |= n == 0;
	}
	for (i = 0; i < o->form.lets.n; i++)
		if ((n = wanted(&o->form.lets.made[i].from, 0)) > r->fields)
			r->fields = n;
	e->lines.fields = 0;
	if (dp_options_formed(o))
		r->fields = 0;
	else if (dp_events_seldom(e) && !o->form.header) {
		/* most lines will not match: cut those that do */
		e->lines.fields = r->fields;
		r->fields = 0;
	}
}

/* Two fields of one name cannot be told apart by it. */
bool
dp_events_resolve(struct dp_field *f, const struct dp_record *r)
{
	unsigned i, found = 0;

	if (f->name == NULL || f->number > DP_FIELDS_MAX)
		return true;
	for (i = 1; i <= r->nfields; i++) {
		if (r->field[i].n != strlen(f->name) ||
		    memcmp(r->field[i].p, f->name, r->field[i].n) != 0)
			continue;
		if (found != 0)
			dp_die(DP_EX_USAGE, "--header: two fields have the name '%s': name the "
			    "one that is meant by its number, %u or %u", f->name, found, i);
		found = i;
	}
	if (found != 0)
		f->number = found;
	return found != 0;
}

/* --unit: an event more changes the total, and nothing that says where it counts. */
static void
check_total(const struct dp_events *e, unsigned v, const char *option)
{
	const bool key = v == e->key.field.number || v == e->key.then[0].number ||
	    v == e->key.then[1].number || v == e->key.then[2].number;

	if (e->o->range.total != NULL && v != 0 && (v == e->time.number || v == e->clock.number ||
	    key))
		dp_die(DP_EX_USAGE, "--unit: --%s, the total, must be another field than %s",
		    option, key ? "--key" : "--time");
}

/* Fields of a vector's line that are no columns: times and the user. */
static void
dp_events_aside(const struct dp_events *e, unsigned aside[static DP_TERMS_ASIDE])
{
	unsigned i;

	aside[0] = e->time.number;
	aside[1] = e->clock.number;
	for (i = 0; i < DP_KEY_FIELDS; i++)
		aside[2 + i] = e->user.named ? 0 : e->user.of.part[i].number;
	if (e->user.of.n == 0 || e->user.named)
		aside[2] = e->user.field.number;
}

const char *
dp_events_header(struct dp_events *e, const struct dp_record *r)
{
	struct dp_field *const all[] = { &e->time, &e->clock, &e->key.field,
	    &e->key.then[0], &e->key.then[1], &e->key.then[2], &e->weight };
	unsigned aside[DP_TERMS_ASIDE];
	const char *missing;
	size_t i;

	if ((missing = dp_events_join_header(&e->value, r)) != NULL ||
	    (missing = dp_events_join_header(&e->user, r)) != NULL)
		return missing;
	for (i = 0; i < sizeof all / sizeof *all; i++)
		if (!dp_events_resolve(all[i], r))
			return all[i]->name;
	for (i = 0; i < e->conditions; i++)
		if (!dp_events_resolve(&e->condition[i].field, r))
			return e->condition[i].field.name;
	for (i = 0; i < e->o->form.lets.n; i++)
		if (!dp_events_resolve(dp_lets_field(e->lets, (unsigned)i), r))
			return dp_lets_field(e->lets, (unsigned)i)->name;
	check_total(e, e->value.field.number, "value");
	check_total(e, e->weight.number, "weight");
	dp_events_aside(e, aside);
	return e->terms == NULL ? NULL : dp_terms_header(e->terms, r->text, aside);
}

void
dp_events_directives(struct dp_events *e, bool there)
{
	e->lines.directives = there;
}

/* Fields that are made come of others. */
static bool
lacks(const struct dp_field *f, const struct dp_record *r)
{
	return f->number > r->nfields && f->number <= DP_FIELDS_MAX;
}

unsigned
dp_events_lacks(const struct dp_events *e, const struct dp_record *r)
{
	const struct dp_field *const all[] = { &e->value.field, &e->time, &e->clock, &e->weight,
	    &e->key.field, &e->key.then[0], &e->key.then[1], &e->key.then[2], &e->user.field };
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++)
		if (lacks(all[i], r))
			return all[i]->number;
	for (i = 0; i < DP_KEY_FIELDS; i++)
		if (lacks(&e->user.of.part[i], r) && !e->user.named)
			return e->user.of.part[i].number;
		else if (lacks(&e->value.of.part[i], r) && !e->value.named)
			return e->value.of.part[i].number;
	for (i = 0; i < e->conditions; i++)
		if (lacks(&e->condition[i].field, r))
			return e->condition[i].field.number;
	for (i = 0; i < e->o->form.lets.n; i++)
		if (lacks(dp_lets_field(e->lets, (unsigned)i), r))
			return dp_lets_field(e->lets, (unsigned)i)->number;
	return 0;
}

const char *
dp_events_name(const struct dp_events *e, size_t column)
{
	return e->terms == NULL ? NULL : dp_terms_name(e->terms, column);
}

/* Marks the event malformed: the field, and why. */
static void
dp_events_blame(const struct dp_events *e, const struct dp_field *f, struct dp_event *v,
    const char *why)
{
	v->why = why;
	v->field = f->number;
	v->with = 0;
	v->name = dp_options_formed(e->o) || f->number > DP_FIELDS_MAX ? f->name : NULL;
}

/* The field, or NULL after marking the event malformed. */
static const struct dp_slice *
dp_events_get(const struct dp_events *e, const struct dp_record *r, const struct dp_field *f,
    struct dp_event *v)
{
	if (f->number <= r->nfields && r->field[f->number].p != NULL)
		return &r->field[f->number];
	dp_events_blame(e, f, v, e->json == NULL ? "the field is missing" :
	    dp_events_not_there);
	return NULL;
}

/* Time, key and user of an event that may count. */
static void
read_rest(const struct dp_events *e, struct dp_record *r, struct dp_event *v)
{
	if (v->why == NULL && e->time.number != 0 && !v->timed)
		dp_events_time(e, r, v);
	/* here, so that a user's allowance is not spent on what counts nowhere */
	if (e->o->time.steps == DP_BY_RANGE && v->timed &&
	    (v->time < e->o->time.from || v->time >= e->o->time.to)) {
		v->counts = false;
		v->none = dp_events_outside;
		v->text = (struct dp_slice){ NULL, 0 };
	}
	if (v->why == NULL && e->key.field.number != 0)
		dp_events_key(e, r, v);
	if (v->why == NULL && e->user.field.number != 0)
		dp_events_user(e, r, v);
}

/*
 * All but what is only read where it was set: id, term, known.mark.  Field by field, since the
 * compiler clears the whole of it by rep stos, which takes 15 ns to begin.
 */
static void
start(const struct dp_events *e, struct dp_event *v)
{
	v->value = e->o->range.nothing;
	v->time = 0;
	v->column = v->nterms = 0;
	v->text = (struct dp_slice){ NULL, 0 };
	v->user = (struct dp_slice){ NULL, 0 };
	v->why = v->none = v->name = NULL;
	v->field = 0;
	v->error = 0;
	v->timed = v->known.set = v->clamped = false;
	/* the reader did */
	v->cut = !dp_options_formed(e->o) && e->lines.fields == 0 && e->lets == NULL;
	v->counts = true;
}

static inline bool
cut(const struct dp_events *e, struct dp_record *r, struct dp_event *v)
{
	return v->cut || dp_events_cut(e, r, v);
}

void
dp_events_read(const struct dp_events *e, struct dp_record *r, struct dp_event *v)
{
	start(e, v);
	if (r->too_long)
		v->why = "the line is too long";
	if (e->lines.directives && r->text.n > 0 && *r->text.p == '#') {
		v->counts = false;
		v->none = "a directive of the log";
		return;
	}
	/* Times that close buckets do so whatever else the record holds. */
	if (v->why == NULL && e->o->time.steps == DP_BY_TIMES && cut(e, r, v))
		dp_events_time(e, r, v);
	if (v->why == NULL && (e->conditions == 0 || dp_events_holds(e, r, v)) &&
	    (e->value.field.number == 0 || cut(e, r, v)))
		dp_events_value(e, r, v);
	else {
		v->counts = false;
		v->none = dp_events_not_where;
	}
	/* Nothing happened: when and to whom does not matter. */
	if (v->why == NULL &&
	    (!v->counts || (v->value == e->o->range.nothing && !e->o->form.strict))) {
		v->counts = false;
		v->value = e->o->range.nothing;
		return;
	}
	if (v->why == NULL && cut(e, r, v))
		read_rest(e, r, v);
	if (v->why != NULL || v->error != 0)
		v->counts = false;
	if (!v->counts)
		v->value = e->o->range.nothing;
	else if (e->adds != NULL)
		dp_events_place(e, v);
}

/*
 * How a record is cut into fields, and whether it is an event at all.
 */

/* Fields that -v, -t (two), -k (four), -u and --weight name; then those of conditions. */
#define FIELDS	(5 + 3 * DP_KEY_FIELDS)

static struct dp_field *
field_form(struct dp_events *e, size_t i)
{
	struct dp_field *const all[FIELDS] = { &e->value.field, &e->time, &e->clock, &e->key.field,
	    &e->key.then[0], &e->key.then[1], &e->key.then[2], &e->user.field,
	    &e->value.of.part[0], &e->value.of.part[1], &e->value.of.part[2],
	    &e->value.of.part[3], &e->user.of.part[0], &e->user.of.part[1],
	    &e->user.of.part[2], &e->user.of.part[3], &e->weight };

	return i < FIELDS ? all[i] : i < FIELDS + e->conditions ? &e->condition[i - FIELDS].field :
	    dp_lets_field(e->lets, (unsigned)(i - FIELDS - e->conditions));
}

/* How many of them. */
static size_t
fields_form(const struct dp_events *e)
{
	return FIELDS + e->conditions + e->o->form.lets.n;
}

/* True: the field is made of another one. */
static bool
is_made(const struct dp_field *f)
{
	return f->number > DP_FIELDS_MAX;
}

static int
condition_new(struct dp_events_condition *c, const struct dp_condition *o)
{
	char why[DP_MATCH_WHY] = "";
	int rc;

	*c = (struct dp_events_condition){ .field = o->field, .op = o->op,
	    .value = { o->pattern, strlen(o->pattern) }, .number = o->number };
	if (c->op != DP_OP_MATCH)
		return 0;
	rc = dp_match_new(&c->match, o->pattern, false, false, why);
	if (rc == DP_ESYNTAX)
		dp_die(DP_EX_USAGE, "--where: %s", why);
	return rc;
}

static int
conditions_new(struct dp_events *e)
{
	const struct dp_options *o = e->o;
	struct dp_events_condition *c;
	bool joined;
	size_t i;
	int rc;

	if (o->form.conditions > 0 &&
	    (e->condition = calloc(o->form.conditions, sizeof *e->condition)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < o->form.conditions; i++, e->conditions++)
		if ((rc = condition_new(&e->condition[i], &o->form.condition[i])) != 0)
			return rc;
	while (i-- > 0) {
		c = &e->condition[i];
		joined = i + 1 < e->conditions && o->form.condition[i + 1].either;
		c->end = joined ? c[1].end : i + 1;
		c->cut = c->field.number != 0 || (joined && c[1].cut);
	}
	return 0;
}

/* The i-th field is that of a comparison, whose text may have been meant as a pattern. */
static bool
is_compared(const struct dp_events *e, size_t i)
{
	return i >= FIELDS && i < FIELDS + e->conditions &&
	    e->condition[i - FIELDS].op != DP_OP_MATCH;
}

static _Noreturn void
no_group(const struct dp_events *e, const char *name, bool compared)
{
	char all[400] = "";
	const char *known;
	size_t n = 0;
	unsigned i;

	for (i = 0; (known = dp_cut_name(e->cut, i)) != NULL && n < sizeof all; i++)
		n += (size_t)snprintf(all + n, sizeof all - n, " %s", known);
	dp_die(DP_EX_USAGE, "%s'%s' is not a field of --%s, whose fields are%s%s",
	    compared ? "--where: " : "", name, e->o->form.log != NULL ? "log" : "cut", all,
	    compared ? " (for a = < > of a pattern of the line write [=])" : "");
}

/* True: a pattern has all fields that are asked for. */
static bool
has_fields(struct dp_events *e, const struct dp_cut *c)
{
	const struct dp_field *f;
	size_t i;

	for (i = 0; i < fields_form(e); i++) {
		f = field_form(e, i);
		if (is_made(f))
			continue;
		if (f->name != NULL ? dp_cut_field(c, f->name) == 0 : f->number > dp_cut_fields(c))
			return false;
	}
	return true;
}

/* The head of a log's pattern is faster than all of it, and may do. */
static int
cut_log(struct dp_events *e, char why[static DP_MATCH_WHY])
{
	int rc = dp_cut_new_log(&e->cut, e->o->form.log, true, why);

	if (rc == 0 && e->o->form.log->head != 0 && !has_fields(e, e->cut)) {
		dp_cut_free(e->cut);
		e->cut = NULL;
		rc = dp_cut_new_log(&e->cut, e->o->form.log, false, why);
	}
	return rc;
}

/* The number of the field of a name, of the inner log before the outer one; 0: none has it. */
static unsigned
group(const struct dp_events *e, const char *name)
{
	const unsigned n = dp_cut_field(e->cut, name);
	const unsigned more = n != 0 || e->behind == NULL ? 0 : dp_behind_field(e->behind, name);

	return more != 0 ? dp_cut_fields(e->cut) + more : n;
}

static unsigned
groups(const struct dp_events *e)
{
	return dp_cut_fields(e->cut) + (e->behind == NULL ? 0 : dp_behind_fields(e->behind));
}

/* Names and numbers of groups. */
static int
cut_new(struct dp_events *e)
{
	const struct dp_options *o = e->o;
	char why[DP_MATCH_WHY] = "";
	struct dp_field *f;
	size_t i;
	int rc;

	rc = o->form.log != NULL ? cut_log(e, why) : dp_cut_new(&e->cut, o->form.cut, why);
	if (rc == 0 && o->form.outer != NULL)
		rc = dp_behind_new(&e->behind, o->form.outer, why);
	if (rc == DP_ESYNTAX)
		dp_die(DP_EX_USAGE, "--cut: %s", why);
	if (rc != 0)
		return rc;
	for (i = 0; i < fields_form(e); i++) {
		f = field_form(e, i);
		if (is_made(f))
			continue;
		if (f->name != NULL && (f->number = group(e, f->name)) == 0)
			no_group(e, f->name, is_compared(e, i));
		if (f->number > groups(e))
			dp_die(DP_EX_USAGE, "field %u: --cut has only %u groups", f->number,
			    groups(e));
	}
	return 0;
}

/* Fields are numbered as the options name them. */
static int
json_new(struct dp_events *e)
{
	const char *path[DP_FIELDS_MAX];
	struct dp_field *f;
	unsigned n = 0;
	size_t i;

	for (i = 0; i < fields_form(e); i++) {
		f = field_form(e, i);
		if (f->name == NULL || is_made(f))
			continue;
		if (n < DP_FIELDS_MAX)
			path[n++] = f->name;
		else
			dp_die(DP_EX_USAGE, "--where: more than %d fields", DP_FIELDS_MAX);
		f->number = n;
	}
	if (e->o->form.log != NULL && e->o->form.log->between != '\0')
		return dp_pairs_new(&e->pairs, e->o->form.log->between, path, n);
	return dp_json_new(&e->json, path, n, e->o->form.log != NULL &&
	    strcmp(e->o->form.log->name, "journald") == 0);
}

static int
lets_new(struct dp_events *e)
{
	char why[DP_LET_WHY];
	int rc;

	if (e->o->form.lets.n == 0)
		return 0;
	rc = dp_lets_new(&e->lets, &e->o->form, why);
	if (rc == DP_ESYNTAX)
		dp_die(DP_EX_USAGE, "--let: %s", why);
	return rc;
}

static int
dp_events_form_new(struct dp_events *e)
{
	int rc = conditions_new(e);

	if (rc == 0)
		rc = lets_new(e);
	if (rc == 0 && e->o->form.cut != NULL)
		rc = cut_new(e);
	else if (rc == 0 && e->o->form.json)
		rc = json_new(e);
	return rc;
}

static void
dp_events_form_free(struct dp_events *e)
{
	size_t i;

	for (i = 0; i < e->conditions; i++)
		dp_match_free(e->condition[i].match);
	free(e->condition);
	dp_cut_free(e->cut);
	dp_behind_free(e->behind);
	dp_json_free(e->json);
	dp_pairs_free(e->pairs);
	dp_lets_free(e->lets);
}

static int
dp_events_form_forget(struct dp_events *e)
{
	int rc = e->cut == NULL ? 0 : dp_cut_forget(e->cut);
	size_t i;

	if (rc == 0 && e->behind != NULL)
		rc = dp_behind_forget(e->behind);

	for (i = 0; i < e->conditions && rc == 0; i++)
		if (e->condition[i].match != NULL)
			rc = dp_match_forget(e->condition[i].match);
	return rc;
}

/* True: a line without a match is no event.  With contributions it is an event that counts 0. */
static bool
decides(const struct dp_events *e)
{
	return e->match != NULL && e->value.field.number == 0 && e->adds == NULL &&
	    e->o->users.each == DP_EACH_NO;	/* else who matches nothing is there as well */
}

/* true: a pattern of the whole line is tried before any field is cut. */
static bool
dp_events_seldom(const struct dp_events *e)
{
	size_t i;

	if (e->o->form.csv)
		return false;
	for (i = 0; i < e->conditions; i++)
		if (e->condition[i].field.number == 0)
			return true;
	return decides(e);
}

/* A plain string that every line that counts holds, or NULL. */
static struct dp_match *
dp_events_literal(const struct dp_events *e)
{
	size_t i;

	if (decides(e) && !e->o->form.invert && dp_match_literal(e->match))
		return e->match;
	for (i = 0; i < e->conditions; i = e->condition[i].end)
		if (e->condition[i].end == i + 1 && e->condition[i].field.number == 0 &&
		    dp_match_literal(e->condition[i].match))
			return e->condition[i].match;
	return NULL;
}

/* An event is a line: what is malformed then takes no other with it. */
static const char several_objects[] = "several JSON objects in one line (jq -c . makes a line of "
    "each)";

/* Cuts the record if it is uncut; false: it cannot be cut, and the event is marked malformed. */
static bool
dp_events_cut(const struct dp_events *e, struct dp_record *r, struct dp_event *v)
{
	int rc = 1, made;

	if (v->cut)
		return true;
	if (e->behind != NULL)
		rc = dp_behind_record(e->behind, e->cut, r);
	else if (e->cut != NULL)
		rc = dp_cut_record(e->cut, r);
	else if (e->json != NULL)
		rc = dp_json_record(e->json, r);
	else if (e->pairs != NULL)
		rc = dp_pairs_record(e->pairs, r);
	else if (e->lines.fields != 0)
		dp_record_cut(r, e->o->form.delimiter, e->lines.fields);
	if (rc == 1 && e->lets != NULL && (made = dp_lets_make(e->lets, r)) != 0)
		rc = made;
	if (rc < 0)
		v->error = rc;
	if (rc == 0)
		v->why = e->json != NULL ? dp_json_several(e->json) ? several_objects :
		    dp_events_no_object : e->o->form.log != NULL ?
		    "the line does not match --log" : "the line does not match --cut";
	return v->cut = rc == 1;
}

struct dp_slice
dp_events_field(const struct dp_events *e, const struct dp_record *r, const char *name)
{
	const unsigned n = e->cut == NULL ? 0 : group(e, name);

	return n != 0 && n <= r->nfields ? r->field[n] : (struct dp_slice){ NULL, 0 };
}

/* By bytes, a text that another begins with before that. */
static int
compare_texts(struct dp_slice a, struct dp_slice b)
{
	const int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);

	return order != 0 ? order : (a.n > b.n) - (a.n < b.n);
}

/*
 * As numbers where the value is one, exactly, else as texts.  A field that is no number then is
 * another one than the value, and neither above nor below.  An empty field, or one that is not
 * there, compares with nothing, not even by !=, but that the empty value asks which it is.
 */
static bool
compares(const struct dp_events *e, const struct dp_events_condition *c, struct dp_slice s)
{
	char room[DP_NUMBER_ROOM];
	int order, rc;

	if (c->value.n == 0)
		return (s.n == 0) == (c->op == DP_OP_EQUAL);
	if (s.n == 0)
		return false;
	if (!c->number)
		order = compare_texts(s, c->value);
	else {
		s = dp_number_plain(&e->o->form, s, room);
		rc = dp_decimal_compare(&order, s, c->value);
		dp_number_forget(&s, room);
		if (rc != 0)
			return c->op == DP_OP_OTHER;
	}
	switch (c->op) {
	case DP_OP_EQUAL:
		return order == 0;
	case DP_OP_OTHER:
		return order != 0;
	case DP_OP_BELOW:
		return order < 0;
	case DP_OP_UP_TO:
		return order <= 0;
	case DP_OP_ABOVE:
		return order > 0;
	case DP_OP_FROM:
		return order >= 0;
	case DP_OP_MATCH:
		break;
	}
	return false;
}

/* An absent field matches nothing. */
static bool
holds(const struct dp_events *e, const struct dp_events_condition *c, const struct dp_record *r,
    struct dp_event *v)
{
	const unsigned n = c->field.number;
	const bool absent = n != 0 && (n > r->nfields || r->field[n].p == NULL);
	int hit;

	if (c->op != DP_OP_MATCH)
		return compares(e, c, absent ? (struct dp_slice){ "", 0 } : r->field[n]);
	if (absent)
		return false;
	if ((hit = dp_match_test(c->match, n == 0 ? r->text : r->field[n])) < 0)
		v->error = hit;
	return hit == 1;
}

/* true: one of the conditions from the i-th on that --or joins holds, of fields or of the line. */
static bool
one_holds(const struct dp_events *e, size_t i, bool fields, const struct dp_record *r,
    struct dp_event *v)
{
	const size_t end = e->condition[i].end;

	for (; i < end; i++)
		if ((e->condition[i].field.number != 0) == fields &&
		    holds(e, &e->condition[i], r, v))
			return true;
	return false;
}

/*
 * true: all conditions hold, of those that --or joins one.  What is of whole lines alone is tried
 * first, and no field is cut where the line itself is enough.
 */
static bool
dp_events_holds(const struct dp_events *e, struct dp_record *r, struct dp_event *v)
{
	bool of_fields = false;
	size_t i;

	for (i = 0; i < e->conditions; i = e->condition[i].end)
		if (e->condition[i].cut)
			of_fields = true;
		else if (!one_holds(e, i, false, r, v))
			return false;
	for (i = 0; i < e->conditions && of_fields; i = e->condition[i].end)
		if (e->condition[i].cut && !one_holds(e, i, false, r, v) &&
		    (!dp_events_cut(e, r, v) || !one_holds(e, i, true, r, v)))
			return false;
	return true;
}

/*
 * What a record's value field is: a number, an identifier, a symbol, many numbers;
 * and which declared key it has, or which name.
 */

/* Multiplied, and the high half, where all bytes have met, folded down. */
static uint64_t
mixed(uint64_t h)
{
	h *= 0x9e3779b97f4a7c15;
	return h ^ h >> 32;
}

/*
 * First place where a key is looked for.  The table holds declared keys alone, so no text of the
 * data can make it slow, and the hash needs no secret.
 */
static size_t
place_of(const struct dp_events *e, struct dp_slice s)
{
	uint64_t h = s.n, w = 0;

	for (; s.n >= sizeof w; s.p += sizeof w, s.n -= sizeof w) {
		memcpy(&w, s.p, sizeof w);
		h = mixed(h ^ w);
	}
	for (w = 0; s.n > 0; s.n--)
		w = w << 8 | (unsigned char)*s.p++;
	return (size_t)mixed(h ^ w) & e->key.mask;
}

/* The key is empty, or a text of it is. */
static bool
has_empty(const struct dp_options *o, struct dp_slice key)
{
	return key.n == 0 || (o->keys.more > 0 && (key.p[0] == '/' || key.p[key.n - 1] == '/' ||
	    memmem(key.p, key.n, "//", 2) != NULL));
}

static int
keys_new(struct dp_events *e)
{
	const struct dp_options *o = e->o;
	struct dp_slice s;
	size_t i, at;

	e->key.other = o->keys.other != NULL ? o->keys.n - 1 : o->keys.n;
	e->key.empty = o->keys.other != NULL;
	if (o->keys.more > 0 && (e->key.joined = calloc(1, DP_KEY_MAX)) == NULL)
		return DP_ENOMEM;
	if (o->keys.n == 0)
		return 0;
	if (o->keys.each &&
	    ((e->key.each = calloc(o->keys.n, sizeof *e->key.each)) == NULL ||
	    (e->key.met = calloc(o->keys.n, sizeof *e->key.met)) == NULL))
		return DP_ENOMEM;
	for (e->key.mask = 1; e->key.mask < 2 * o->keys.n; e->key.mask *= 2)
		;
	if ((e->key.place = calloc(e->key.mask--, sizeof *e->key.place)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < o->keys.n; i++) {
		s = (struct dp_slice){ o->keys.name[i], strlen(o->keys.name[i]) };
		e->key.empty |= o->keys.field.number != 0 && has_empty(o, s);
		for (at = place_of(e, s); e->key.place[at].name != NULL; )
			at = (at + 1) & e->key.mask;
		e->key.place[at] = (struct dp_events_place){ s.p, (uint32_t)s.n, (uint32_t)i };
	}
	return 0;
}

static int64_t
clamp_value(const struct dp_options *o, int64_t v)
{
	return v < o->range.lo ? o->range.lo : v > o->range.hi ? o->range.hi : v;
}

static int
dp_events_value_new(struct dp_events *e)
{
	const struct dp_options *o = e->o;
	int64_t one = 1;
	size_t i;
	int rc;

	for (i = 0; i < dp_range_places(&o->range); i++)
		one *= 10;
	e->one = o->users.each != DP_EACH_NO ? one : clamp_value(o, one);
	if ((rc = keys_new(e)) != 0)
		return rc;
	if (e->adds != NULL &&
	    (e->term = calloc(e->adds->terms, sizeof *e->term)) == NULL)
		return DP_ENOMEM;
	return e->shape == DP_SHAPE_VECTOR && o->keys.field.number == 0 ?
	    dp_terms_new(&e->terms, o, dp_options_width(o)) : 0;
}

/* The declared key that is these bytes. */
bool
dp_events_column(const struct dp_events *e, struct dp_slice s, size_t *column)
{
	const struct dp_events_place *k;
	size_t at;

	if (e->o->keys.n == 0)
		return false;
	for (at = place_of(e, s); (k = &e->key.place[at])->name != NULL;
	    at = (at + 1) & e->key.mask)
		if (k->len == s.n && memcmp(k->name, s.p, s.n) == 0) {
			*column = k->column;
			return true;
		}
	return false;
}

static void
read_terms(const struct dp_events *e, struct dp_slice s, struct dp_event *v)
{
	unsigned aside[DP_TERMS_ASIDE] = { 0 };

	if (e->value.field.number == 0)
		dp_events_aside(e, aside);
	v->term = dp_terms_read(e->terms, s, aside, &v->nterms, &v->why);
	v->value = v->nterms != 0;
	if (v->why != NULL)
		dp_events_blame(e, &e->value.field, v, v->why);
}

/* A whole number from 1 to n, in decimal, less 1. */
static bool
read_place(struct dp_slice s, uint64_t n, uint64_t *place)
{
	uint64_t v = 0;

	for (; s.n > 0 && *s.p >= '0' && *s.p <= '9' && v <= n; s.p++, s.n--)
		v = v * 10 + (uint64_t)(*s.p - '0');
	*place = v - 1;
	return s.n == 0 && v >= 1 && v <= n;
}

/* An identifier, or its undoing; of a declared universe: other identifiers count nothing. */
static void
read_id(const struct dp_events *e, struct dp_slice s, struct dp_event *v)
{
	size_t place = 0;

	v->id = (struct dp_id){ .sign = 1 };
	if (e->o->id.deletes && s.n > 0 && *s.p == '-') {
		v->id.sign = -1;
		s.p++;
		s.n--;
	}
	if (dp_events_nobody(e, s)) {	/* nothing happened */
		v->none = s.n == 0 ? "the identifier is empty" :
		    "the identifier is -, which is none";
		return;
	}
	v->text = s;
	v->none = dp_events_no_universe;
	if (e->o->id.universe != 0) {
		if (!read_place(s, e->o->id.universe, &v->id.word[0]))
			return;
	} else if (e->o->keys.n == 0)
		crypto_shorthash_siphashx24((unsigned char *)v->id.word, (const unsigned char *)s.p,
		    s.n, e->id_key);
	else if (!dp_events_column(e, s, &place))
		return;
	else
		v->id.word[0] = place;
	v->value = v->id.sign;
}

void
dp_events_identifier(const struct dp_events *e, struct dp_slice s, struct dp_event *v)
{
	v->value = 0;
	read_id(e, s, v);
	v->text = (struct dp_slice){ NULL, 0 };
}

/* Without -v a line is the event, where other options say what stands in it; otherwise a number. */
bool
dp_events_by_itself(const struct dp_events *e)
{
	return (e->time.number | e->key.field.number | e->user.field.number) != 0 ||
	    e->conditions > 0 || dp_options_formed(e->o);
}

/* --counter: what is no reading of a counter is not compared with others. */
static bool
is_reading(const struct dp_events *e, struct dp_event *v)
{
	const char *why = v->value < 0 ? "a counter below 0" : v->value >= DP_VALUE_MAX ?
	    "a counter of 2^56 or more, in steps of the grid" : NULL;

	if (why == NULL)
		return true;
	v->value = 0;
	dp_events_blame(e, &e->value.field, v, why);
	return false;
}

/* A number on the grid; false: nothing happened, or the line is malformed. */
static bool
read_number(const struct dp_events *e, struct dp_slice s, struct dp_event *v)
{
	const struct dp_options *o = e->o;
	char room[DP_NUMBER_ROOM];
	int hit, rc;

	if (e->match != NULL) {
		if ((hit = dp_match_test(e->match, s)) < 0)
			v->error = hit;
		else
			v->value = (hit == 1) != o->form.invert ? e->one : 0;
		v->none = o->form.invert ? "matches --match" : dp_events_no_match;
		return hit >= 0;
	}
	if (e->value.field.number == 0 && dp_events_by_itself(e)) {
		v->value = e->one;	/* the line is the event */
		return true;
	}
	if (s.n == 0 && (e->value.field.number == 0 || e->cut != NULL)) {
		v->none = "empty";	/* nothing happened */
		return false;
	}
	s = dp_number_plain(&o->form, s, room);
	rc = dp_decimal_parse(&v->value, s.p, s.n, dp_range_places(&o->range));
	dp_number_forget(&s, room);
	if (rc != 0) {
		v->value = o->range.nothing;
		dp_events_blame(e, &e->value.field, v,
		    s.n == 0 ? "empty, not a number" : dp_events_no_number);
		return false;
	}
	if (o->users.counter && !is_reading(e, v))
		return false;
	if (o->users.each != DP_EACH_NO)	/* what all of a user's come to is clamped */
		return true;
	v->clamped = v->value < o->range.lo || v->value > o->range.hi;
	v->value = clamp_value(o, v->value);
	return true;
}

/* The same where `most' is what all of a user's events move each number by: a part for each. */
static bool
within_each(const struct dp_events *e, unsigned n)
{
	const struct dp_term *x = e->term;
	const uint64_t most = e->adds->most(e->o, 0) / e->o->users.most;

	for (; n > 0; n--, x++)
		if (x->place >= e->adds->width(e->o, 0) ||
		    (x->value < 0 ? -(uint64_t)x->value : (uint64_t)x->value) > most)
			return false;
	return true;
}

/*
 * n terms are what noise is planned for (dp_options_setting()): in each band amounts of at most
 * its `most' together.
 */
static bool
within_reach(const struct dp_events *e, unsigned n)
{
	const struct dp_contributions *adds = e->adds;
	const struct dp_term *x = e->term;
	uint64_t left[DP_BANDS];
	size_t width[DP_BANDS], place;
	unsigned b;

	if (adds->beyond != NULL)
		return within_each(e, n);
	for (b = 0; b < adds->bands; b++) {
		left[b] = adds->most(e->o, b);
		width[b] = adds->width(e->o, b);
	}
	for (; n > 0; n--, x++) {
		for (b = 0, place = x->place; b < adds->bands && place >= width[b]; b++)
			place -= width[b];
		if (b == adds->bands || x->value < 0 || (uint64_t)x->value > left[b])
			return false;
		left[b] -= (uint64_t)x->value;
	}
	return true;
}

/* A statistic that adds more than it promised adds nothing: that costs its numbers, not privacy. */
size_t
dp_events_terms(const struct dp_events *e, int64_t value, size_t column, const struct dp_term **x)
{
	const unsigned n = e->adds->of(e->o, value, e->term);
	size_t i;

	*x = e->term;
	if (!within_reach(e, n))
		return 0;
	if (e->tool->at != NULL)
		return n == 0 ? 0 : e->tool->at(e->o, column, e->term);
	for (i = 0; column != 0 && i < n; i++)
		e->term[i].place += column * e->o->keys.adds;
	return n;
}

size_t
dp_events_totals(const struct dp_events *e, int64_t sum, size_t column, const struct dp_term **x)
{
	e->term[0] = (struct dp_term){ 0, sum };
	*x = e->term;
	return e->tool->at != NULL && sum != 0 ? e->tool->at(e->o, column, e->term) : 0;
}

/* Terms of an event, to numbers of its key; its value is 1 if there are any. */
static void
contribute(const struct dp_events *e, struct dp_event *v)
{
	v->number = clamp_value(e->o, v->value);	/* 0, of no match, may be outside */
	v->nterms = dp_events_terms(e, v->number, 0, &v->term);
	v->none = NULL;
	v->value = v->nterms != 0;
}

/* True: the text is a whole number, n. */
static bool
is_whole(struct dp_slice s, int64_t n)
{
	char text[24] = "";
	int order;

	*dp_decimal_put(text, n, 0) = '\0';
	return dp_decimal_compare(&order, s, (struct dp_slice){ text, strlen(text) }) == 0 &&
	    order == 0;
}

/*
 * A number of a row on a grid; of one that is a total a whole number, which is none where numbers
 * end: a value that is cut there stays as it is while an event moves the weight, and LO times as
 * much goes from v - LO w.
 */
static bool
read_part(const struct dp_events *e, const struct dp_field *f, struct dp_slice s, unsigned places,
    struct dp_event *v, int64_t *n)
{
	char room[DP_NUMBER_ROOM];
	bool good = false;

	s = dp_number_plain(&e->o->form, s, room);
	if (dp_decimal_parse(n, s.p, s.n, places) != 0)
		dp_events_blame(e, f, v, s.n == 0 ? "empty, not a number" : dp_events_no_number);
	else if (e->o->range.total != NULL && (*n >= DP_VALUE_MAX || *n <= -DP_VALUE_MAX))
		dp_events_blame(e, f, v, "too large for a total (--unit)");
	else if (e->o->range.total != NULL && !is_whole(s, *n))
		dp_events_blame(e, f, v, "not a whole number, as totals must be (--unit)");
	else
		good = true;
	dp_number_forget(&s, room);
	return good;
}

/* An answer within the range, times the weight; *whole false: it was clamped. */
static int64_t
weighted(const struct dp_events *e, int64_t answer, int64_t weight, bool *whole)
{
	const struct dp_ask_range *r = &e->o->range;
	const int64_t finer = (int64_t)dp_power10(r->weight.value_places - r->places);
	const int64_t lo = r->lo * finer, hi = r->hi * finer;
	const int64_t y = answer < lo ? lo : answer > hi ? hi : answer;
	const dp_wide x = (dp_wide)y * weight;

	*whole = y == answer;
	return x > DP_VALUE_MAX ? DP_VALUE_MAX : x < -DP_VALUE_MAX ? -DP_VALUE_MAX : (int64_t)x;
}

/* The value's number: what -m says, an answer, or a total. */
static bool
read_answer(const struct dp_events *e, struct dp_slice s, struct dp_event *v, int64_t *n)
{
	if (e->match == NULL)
		return read_part(e, &e->value.field, s, e->o->range.weight.value_places, v, n);
	if (!read_number(e, s, v))
		return false;
	*n = v->value;
	return true;
}

/*
 * --weight: a row of a value and a weight (stat/mean.h).  Both are rounded, and only then the
 * numbers that the row adds to are clamped, by the statistic.
 */
static void
read_weighted(const struct dp_events *e, const struct dp_record *r, struct dp_slice s,
    struct dp_event *v)
{
	const bool times = e->o->range.weight.times || e->match != NULL;
	const struct dp_slice *w;
	bool answered = true, whole = true;

	if (!read_answer(e, s, v, &v->number))
		return;
	v->value = 0;
	if ((w = dp_events_get(e, r, &e->weight, v)) == NULL ||
	    !read_part(e, &e->weight, *w, e->o->range.weight.places, v, &v->weight))
		return;
	if (v->weight < 0) {
		dp_events_blame(e, &e->weight, v, "a weight below 0");
		return;
	}
	if (times)
		v->number = weighted(e, v->number, v->weight, &answered);
	v->nterms = e->tool->weigh(e->o, v->number, v->weight, e->term, &whole);
	v->term = e->term;
	v->clamped = !whole || !answered;
	v->none = v->nterms == 0 ? "the weight is 0" : NULL;
	v->value = v->nterms != 0;
}

void
dp_events_place(const struct dp_events *e, struct dp_event *v)
{
	size_t i;

	if (e->tool->at != NULL && v->nterms != 0)
		v->nterms = e->tool->at(e->o, v->column, e->term);
	for (i = 0; e->tool->at == NULL && i < v->nterms; i++)
		e->term[i].place += v->column * e->o->keys.adds;
}

/* A name, and nothing else is asked of it. */
static void
read_name(struct dp_slice s, struct dp_event *v)
{
	v->text = s;
	if (s.n == 0 || s.n > DP_KEY_MAX || memchr(s.p, '\0', s.n) != NULL) {
		v->counts = false;
		v->none = s.n == 0 ? "the name is empty" :
		    "the name is too long, or has a NUL byte";
	}
}

/*
 * --each-user, of a sum: what does not match adds nothing, so it is no event of its user, and uses
 * up none of the steps and keys that -c allows.  Means, bins and ages have users without a match.
 */
static bool
only_matches(const struct dp_events *e)
{
	return e->match != NULL && e->adds == NULL && e->o->users.retention == 0 &&
	    (e->o->users.each == DP_EACH_ANY ||
	    (e->o->users.each == DP_EACH_COUNT && e->o->range.lo == 0));
}

/* --each-user: the number is folded later.  0 is a number, and its user is there. */
static void
keep_number(const struct dp_events *e, struct dp_event *v, bool right)
{
	if (right && (v->value != 0 || !only_matches(e))) {
		v->number = v->value;
		v->none = NULL;
		v->value = 1;
	} else
		v->value = 0;
}

/* A symbol that is a number: its place in the range, the nearer end if it is outside. */
static void
place_number(const struct dp_events *e, struct dp_slice s, struct dp_event *v)
{
	const struct dp_options *o = e->o;
	char room[DP_NUMBER_ROOM];
	int64_t x;
	int rc;

	s = dp_number_plain(&o->form, s, room);
	rc = dp_decimal_parse(&x, s.p, s.n, o->range.places);
	dp_number_forget(&s, room);
	v->none = dp_events_no_number;
	v->value = rc == 0;
	v->column = rc == 0 ? (size_t)(clamp_value(o, x) - o->range.lo) : 0;
}

static void
dp_events_value(const struct dp_events *e, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_slice *s = &r->text;
	bool right;

	if (e->value.field.number != 0 &&
	    (s = dp_events_text(e, &e->value, r, v)) == NULL)
		return;
	switch (e->shape) {
	case DP_SHAPE_ID:
		read_id(e, *s, v);
		return;
	case DP_SHAPE_SYMBOL:
		if (e->o->range.total != NULL)	/* the key says which, and this how many */
			break;
		v->text = *s;
		v->none = dp_events_no_symbol;
		if (e->o->range.has_range) {
			place_number(e, *s, v);
			return;
		}
		v->value = dp_events_column(e, *s, &v->column);
		return;
	case DP_SHAPE_VECTOR:
		if (e->terms == NULL)
			break;
		read_terms(e, *s, v);
		return;
	case DP_SHAPE_NAME:
		v->value = v->number = e->one;
		if (e->key.field.number == 0)
			read_name(e->o->shard.identifiers && dp_events_nobody(e, *s) ?
			    (struct dp_slice){ "", 0 } : *s, v);
		if (e->o->shard.hash != NULL && v->counts)
			crypto_shorthash_siphashx24((unsigned char *)v->id.word,
			    (const unsigned char *)s->p, s->n, e->o->shard.hash->key);
		return;
	case DP_SHAPE_NUMBER:
	case DP_SHAPE_CONTRIBUTIONS:
		break;
	}
	if (e->weight.number != 0) {
		read_weighted(e, r, *s, v);
		return;
	}
	right = read_number(e, *s, v);
	if (e->o->users.each != DP_EACH_NO)
		keep_number(e, v, right);
	else if (right && e->adds != NULL)
		contribute(e, v);
}

/* The text of one of a key's fields; false: it is missing, which is malformed. */
static bool
key_text(const struct dp_events *e, const struct dp_record *r, const struct dp_field *f,
    struct dp_event *v, struct dp_slice *text)
{
	const struct dp_slice *s;

	*text = (struct dp_slice){ "", 0 };
	if (e->key.empty && (f->number > r->nfields || r->field[f->number].p == NULL))
		return true;
	if ((s = dp_events_get(e, r, f, v)) == NULL)
		return false;
	*text = *s;
	return true;
}

/* The key's texts, joined; what is too long for a declared key is a NUL, which none has. */
static bool
join(const struct dp_events *e, const struct dp_record *r, struct dp_event *v, struct dp_slice *key)
{
	const unsigned more = e->o->keys.more;
	struct dp_slice s;
	unsigned i;

	for (key->p = e->key.joined, key->n = 0, i = 0; i <= more; i++) {
		if (!key_text(e, r, i == 0 ? &e->key.field : &e->key.then[i - 1], v, &s))
			return false;
		if (key->n + s.n + (i < more) > DP_KEY_MAX) {
			e->key.joined[0] = '\0';
			key->n = 1;
			return true;
		}
		memcpy(e->key.joined + key->n, s.p, s.n);
		key->n += s.n;
		if (i < more)
			e->key.joined[key->n++] = '/';
	}
	return true;
}

/*
 * -k A[]: the declared keys among the array's elements, each once, and of those the first that an
 * event may have.  They are terms; a user's allowance is charged for each later (store/cap.c).
 */
static void
read_elements(const struct dp_events *e, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_ask_keys *k = &e->o->keys;
	const size_t most = k->most != 0 && k->most < k->n ? (size_t)k->most : k->n;
	const struct dp_slice *text;
	size_t n, i, column;

	if (!e->key.empty && dp_events_get(e, r, &e->key.field, v) == NULL)
		return;
	n = dp_json_elements(e->json, &text);
	for (i = 0; i < n && v->nterms < most; i++) {
		column = e->key.other;
		if ((!dp_events_column(e, text[i], &column) && column == k->n) ||
		    e->key.met[column])
			continue;
		e->key.met[column] = true;
		e->key.each[v->nterms++] = (struct dp_term){ column, v->value };
	}
	for (i = 0; i < v->nterms; i++)
		e->key.met[e->key.each[i].place] = false;
	v->term = e->key.each;
	if (v->nterms != 0) {
		v->column = e->key.each[0].place;
		return;
	}
	v->counts = false;
	v->none = n == 0 ? "the array has no element that is a key" :
	    "no element is a declared key";
	v->text = n == 0 ? (struct dp_slice){ NULL, 0 } : text[0];
}

void
dp_events_stays(const struct dp_events *e, size_t i, size_t n)
{
	e->key.each[n] = e->key.each[i];
}

/* Contributions: moves the terms to the numbers of the event's key, once the key is known. */
static void
dp_events_key(const struct dp_events *e, const struct dp_record *r, struct dp_event *v)
{
	struct dp_slice key;

	if (e->key.each != NULL) {
		if (v->counts)
			read_elements(e, r, v);
		return;
	}
	if (!(e->key.joined == NULL ? key_text(e, r, &e->key.field, v, &key) :
	    join(e, r, v, &key)) || !v->counts)
		return;
	if (e->shape == DP_SHAPE_NAME) {
		read_name(key, v);
		return;
	}
	if (dp_events_column(e, key, &v->column))
		return;
	if (e->key.other < e->o->keys.n) {
		v->column = e->key.other;
		return;
	}
	v->counts = false;
	v->none = dp_events_no_key;
	v->text = key;
}

/*
 * When a record's event was: the time field, and what of it stands in the fields
 * after it.
 */

#define DAY	86400

/*
 * True: a time that one field does not hold goes on in the next: of a pattern's groups, too, but
 * for those of a log, which are known; members of JSON have no order.
 */
static bool
in_fields(const struct dp_options *o)
{
	return dp_options_formed(o) ? o->form.cut != NULL && o->form.log == NULL :
	    o->form.csv || (o->form.delimiter >= 0 && o->form.delimiter != ' ');
}

static int
dp_events_time_new(struct dp_events *e, int64_t before)
{
	const struct dp_options *o = e->o;
	int rc;

	if (o->time.field.number != 0 && (rc = dp_when_rule(&e->when, o->time.format)) != 0)
		return rc;
	e->when.before = before;
	e->when.zone = dp_options_zone_in(o);
	e->when.whole = o->time.clock.number != 0 ||
	    (o->time.bucket != 0 && o->time.span.unit == DP_SPAN_SECONDS && o->time.span.n < DAY);
	if (e->when.kind != DP_WHEN_EPOCH && e->when.kind != DP_WHEN_EXCEL &&
	    o->time.clock.number == 0 && in_fields(o) && !is_made(&e->time))
		e->following = DP_TIME_FIELDS;
	return 0;
}

bool
dp_events_yearless(const struct dp_events *e)
{
	return e->o->time.field.number != 0 && e->when.kind == DP_WHEN_SYSLOG;
}

void
dp_events_before(struct dp_events *e, int64_t before)
{
	e->when.before = before;
}

/* The field of the line that f is, or is made of (--let). */
static unsigned
origin(const struct dp_events *e, unsigned field)
{
	while (field > DP_FIELDS_MAX)
		field = dp_lets_field(e->lets, field - DP_FIELDS_MAX - 1)->number;
	return field;
}

/*
 * The zone is looked for where no number is: a value after the time may be -1200.  Of --unit's no
 * other part of the time either: an event more in the total would move all of it to another step.
 */
static bool
holds_number(const struct dp_events *e, unsigned field)
{
	return (e->match == NULL && origin(e, e->value.field.number) == field) ||
	    (e->weight.number != 0 && origin(e, e->weight.number) == field);
}

/* The first field behind the time's that holds a number; 0: none does. */
static unsigned
number_behind(const struct dp_events *e)
{
	const unsigned value = origin(e, e->value.field.number), v = holds_number(e, value) ?
	    value : 0;
	const unsigned w = origin(e, e->weight.number), t = e->time.number;

	return v > t && (w <= t || v < w) ? v : w > t ? w : 0;
}

/* Behind the time field of a line cut at blanks stands the rest of the line. */
static void
rest_of_line(const struct dp_events *e, const struct dp_record *r, struct dp_stamp *s)
{
	const unsigned v = number_behind(e);

	s->next.p = s->text.p + s->text.n;
	s->next.n = (size_t)(r->text.p + r->text.n - s->next.p);
	s->zone = s->next.n;
	if (v != 0 && v <= r->nfields && r->field[v].p != NULL) {
		s->zone = (size_t)(r->field[v].p - s->next.p);
		if (e->o->range.total != NULL)
			s->next.n = s->zone;
	}
}

/* Of a pattern: a group inside the one before, or of a part of the line before its end. */
static bool
is_before(const struct dp_slice *f, const char *end)
{
	return f->p != NULL && (f->p < end || f->p + f->n == end);
}

/*
 * With a delimiter it is up to DP_TIME_FIELDS fields, with blanks between them; no time is longer
 * than these.  The zone of a time in groups stands in the one with the time of day: another group
 * may be any number with a sign.
 */
#define FOLLOWING	((size_t)64)

static void
next_fields(const struct dp_events *e, const struct dp_record *r, struct dp_stamp *s,
    char buf[static DP_TIME_FIELDS * (FOLLOWING + 1)])
{
	const bool groups = dp_options_formed(e->o);
	const char *end = s->text.p + s->text.n;
	const struct dp_slice *f;
	unsigned i, n = 0;

	s->next.p = buf;
	for (i = e->time.number + 1; n < DP_TIME_FIELDS && i <= r->nfields; i++) {
		f = &r->field[i];
		if (groups && is_before(f, end))
			continue;
		if (f->n == 0 || f->n > FOLLOWING ||
		    (e->o->range.total != NULL && holds_number(e, i)))
			break;
		end = f->p + f->n;
		buf[s->next.n++] = ' ';
		memcpy(buf + s->next.n, f->p, f->n);
		s->next.n += f->n;
		if (s->zone + f->n + 1 == s->next.n && !holds_number(e, i) && !(groups && n > 0))
			s->zone = s->next.n;
		n++;
	}
}

/* A time that one group holds: no other group is looked at. */
static bool
in_one_group(const struct dp_events *e, struct dp_slice text, int64_t *t)
{
	const struct dp_stamp s = { text, { "", 0 }, 0 };
	struct dp_when w = e->when;

	w.whole = true;
	return e->following != 0 && dp_options_formed(e->o) && dp_when_parse(t, &w, &s) == 0;
}

static void
dp_events_time(const struct dp_events *e, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_slice *text = dp_events_get(e, r, &e->time, v), *clock = NULL;
	char buf[DP_TIME_FIELDS * (FOLLOWING + 1)];
	struct dp_stamp s = { .next = { "", 0 } };
	int rc;

	if (text == NULL || (e->clock.number != 0 &&
	    (clock = dp_events_get(e, r, &e->clock, v)) == NULL))
		return;
	if (clock == NULL && in_one_group(e, *text, &v->time)) {
		v->timed = true;
		return;
	}
	s.text = *text;
	if (clock != NULL) {
		s.next = *clock;
		s.zone = clock->n;
	} else if (e->following != 0)
		next_fields(e, r, &s, buf);
	else if (!e->o->form.csv && !dp_options_formed(e->o) && !is_made(&e->time))
		rest_of_line(e, r, &s);
	rc = dp_when_parse(&v->time, &e->when, &s);
	if (rc == DP_ERANGE)
		dp_events_blame(e, &e->time, v, dp_events_no_clock);
	else if (rc != 0)
		dp_events_blame(e, &e->time, v, dp_events_no_time);
	else
		v->timed = true;
	if (rc != 0)
		v->with = e->clock.number;
	if (e->following != 0)
		explicit_bzero(buf, s.next.n);	/* pan-private: no copy of the record stays */
}

/*
 * What names a user or an identifier: a field, or several that are joined; and what
 * names nobody.
 *
 * The texts of several fields are joined by commas, with a backslash before each comma and
 * backslash that a text has of its own, so that no two lists of texts give the same bytes.  A field
 * that is not there is an empty one.
 *
 * An empty text names nobody, as does that of a log for a field without a value; of several fields
 * all must be so.  Nobody's events count nowhere: no unit that is protected has any of them.
 */

/* A whole record, if each of its bytes needs a backslash, and the commas. */
#define ROOM	(2 * DP_RECORD_MAX + DP_KEY_FIELDS)


struct dp_events_text {
	struct dp_slice s;
	char room[ROOM];
};

/* The field is that of the options; of several it loses its name, unless a header may have that. */
static int
dp_events_join_new(const struct dp_events *e, struct dp_events_several *j,
    const struct dp_fields *of)
{
	const struct dp_options *o = e->o;

	j->of = *of;
	if (of->n == 0)
		return 0;
	if (!o->form.header)	/* no field has the whole name */
		j->field = (struct dp_field){ NULL, 1 };
	return (j->text = calloc(1, sizeof *j->text)) == NULL ? DP_ENOMEM : 0;
}

/* Finds the fields in a header, the whole name before its parts.  NULL, or a name it lacks. */
static const char *
dp_events_join_header(struct dp_events_several *j, const struct dp_record *r)
{
	unsigned i;

	if ((j->named = dp_events_resolve(&j->field, r)) || j->of.n == 0)
		return j->named ? NULL : j->field.name;
	for (i = 0; i < j->of.n; i++)
		if (!dp_events_resolve(&j->of.part[i], r))
			return j->of.part[i].name;
	return NULL;
}

static void
dp_events_join_forget(struct dp_events_several *j)
{
	if (j->text == NULL)
		return;
	sodium_memzero(j->text->room, j->text->s.n);
	j->text->s = (struct dp_slice){ NULL, 0 };
}

static void
dp_events_join_free(struct dp_events_several *j)
{
	dp_events_join_forget(j);
	free(j->text);
}

bool
dp_events_nobody(const struct dp_events *e, struct dp_slice s)
{
	return s.n == 0 || (s.n == 1 && *s.p == '-' &&
	    (e->lines.directives || dp_options_dashed(e->o)));
}

/* The i-th field's text; NULL: it is not there. */
static const struct dp_slice *
part(const struct dp_events_several *j, const struct dp_record *r, unsigned i)
{
	const unsigned n = j->of.part[i].number;

	return n <= r->nfields && r->field[n].p != NULL ? &r->field[n] : NULL;
}

/* Appends a text; false: groups of --cut overlap, and have more than a record. */
static bool
append(struct dp_events_text *t, struct dp_slice s, bool key)
{
	char *to = t->room + t->s.n;
	size_t i;

	if (s.n > (ROOM - t->s.n) / 2)
		return false;
	for (i = 0; i < s.n; i++) {
		if (!key && (s.p[i] == ',' || s.p[i] == '\\'))
			*to++ = '\\';
		*to++ = s.p[i];
	}
	t->s.n = (size_t)(to - t->room);
	return true;
}

const struct dp_slice *
dp_events_text(const struct dp_events *e, const struct dp_events_several *j,
    const struct dp_record *r, struct dp_event *v)
{
	const bool key = e->shape == DP_SHAPE_SYMBOL;	/* declared, as -k A,B has it */
	struct dp_events_text *t = j->text;
	const struct dp_field *missing = NULL;
	const struct dp_slice *s;
	bool some = false;
	unsigned i, there = 0;

	if (j->of.n == 0 || j->named)
		return dp_events_get(e, r, &j->field, v);
	t->s = (struct dp_slice){ t->room, 0 };
	for (i = 0; i < j->of.n; i++) {
		if (i > 0)
			t->room[t->s.n++] = key ? '/' : ',';
		if ((s = part(j, r, i)) == NULL) {
			missing = &j->of.part[i];
			continue;
		}
		there++;
		if (!key && dp_events_nobody(e, *s))
			continue;
		some = true;
		if (!append(t, *s, key)) {
			dp_events_blame(e, &j->field, v, "the fields are too long together");
			return NULL;
		}
	}
	if (there == 0 || (key && there < j->of.n))
		return dp_events_get(e, r, missing, v);		/* says so */
	if (!some)
		t->s.n = 0;
	return &t->s;
}

/* Sets the event's user; nobody's events count nowhere. */
static void
dp_events_user(const struct dp_events *e, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_slice *s = dp_events_text(e, &e->user, r, v);

	if (s == NULL)
		return;
	v->user = *s;
	if (!dp_events_nobody(e, *s) || !v->counts)
		return;
	v->counts = false;
	v->none = dp_events_no_user;
	v->text = (struct dp_slice){ NULL, 0 };
}
