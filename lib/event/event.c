/*
 * event.c - records to events: what is read of a record, and in which order.
 */
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "events.h"

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
	e->id_key = id_key;
	e->value.field = o->form.value;
	e->time = o->time.field;
	e->clock = o->time.clock;
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
	    &o->keys.field, &o->keys.then[0], &o->keys.then[1], &o->keys.then[2], &e->user.field };
	unsigned n;
	size_t i;

	r->csv = o->form.csv;
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

	if (f->name == NULL)
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
check_total(const struct dp_events *e)
{
	const unsigned v = e->value.field.number;

	const bool key = v == e->key.field.number || v == e->key.then[0].number ||
	    v == e->key.then[1].number || v == e->key.then[2].number;

	if (e->o->range.total != NULL && v != 0 && (v == e->time.number || v == e->clock.number ||
	    key))
		dp_die(DP_EX_USAGE, "--unit: --value, the total, must be another field than %s",
		    key ? "--key" : "--time");
}

void
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
	    &e->key.then[0], &e->key.then[1], &e->key.then[2] };
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
	check_total(e);
	dp_events_aside(e, aside);
	return e->terms == NULL ? NULL : dp_terms_header(e->terms, r->text, aside);
}

void
dp_events_directives(struct dp_events *e, bool there)
{
	e->lines.directives = there;
}

unsigned
dp_events_lacks(const struct dp_events *e, const struct dp_record *r)
{
	const struct dp_field *const all[] = { &e->value.field, &e->time, &e->clock,
	    &e->key.field, &e->key.then[0], &e->key.then[1], &e->key.then[2], &e->user.field };
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i]->number > r->nfields)
			return all[i]->number;
	for (i = 0; i < DP_KEY_FIELDS; i++)
		if (e->user.of.part[i].number > r->nfields && !e->user.named)
			return e->user.of.part[i].number;
		else if (e->value.of.part[i].number > r->nfields && !e->value.named)
			return e->value.of.part[i].number;
	for (i = 0; i < e->conditions; i++)
		if (e->condition[i].field.number > r->nfields)
			return e->condition[i].field.number;
	return 0;
}

const char *
dp_events_name(const struct dp_events *e, size_t column)
{
	return e->terms == NULL ? NULL : dp_terms_name(e->terms, column);
}

void
dp_events_blame(const struct dp_events *e, const struct dp_field *f, struct dp_event *v,
    const char *why)
{
	v->why = why;
	v->field = f->number;
	v->with = 0;
	v->name = dp_options_formed(e->o) ? f->name : NULL;
}

const struct dp_slice *
dp_events_get(const struct dp_events *e, const struct dp_record *r, const struct dp_field *f,
    struct dp_event *v)
{
	if (f->number <= r->nfields && r->field[f->number].p != NULL)
		return &r->field[f->number];
	dp_events_blame(e, f, v, e->json == NULL ? "the field is missing" :
	    "not there, or no string, number, true or false");
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
		v->none = "not from --from to --to";
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
	v->cut = e->cut == NULL && e->json == NULL && e->lines.fields == 0;	/* the reader did */
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
		v->none = "does not match --where";
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
