/*
 * event_value.c - what a record's value field is: a number, an identifier, a symbol, many numbers;
 * and which declared key it has, or which name.
 */
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "ask/relation.h"
#include "events.h"

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
clamp(const struct dp_options *o, int64_t v)
{
	return v < o->range.lo ? o->range.lo : v > o->range.hi ? o->range.hi : v;
}

int
dp_events_value_new(struct dp_events *e)
{
	const struct dp_options *o = e->o;
	int64_t one = 1;
	size_t i;
	int rc;

	for (i = 0; i < o->range.places; i++)
		one *= 10;
	e->one = clamp(o, one);
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
	v->none = "not in the universe";
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
static bool
event_by_itself(const struct dp_events *e)
{
	return (e->time.number | e->key.field.number | e->user.field.number) != 0 ||
	    e->conditions > 0 || dp_options_formed(e->o);
}

/* A number on the grid; false: nothing happened, or the line is malformed. */
static bool
read_number(const struct dp_events *e, struct dp_slice s, struct dp_event *v)
{
	const struct dp_options *o = e->o;
	int hit;

	if (e->match != NULL) {
		if ((hit = dp_match_test(e->match, s)) < 0)
			v->error = hit;
		else
			v->value = (hit == 1) != o->form.invert ? e->one : 0;
		v->none = o->form.invert ? "matches --match" : "does not match --match";
		return hit >= 0;
	}
	if (e->value.field.number == 0 && event_by_itself(e)) {
		v->value = e->one;	/* the line is the event */
		return true;
	}
	if (s.n == 0 && (e->value.field.number == 0 || e->cut != NULL)) {
		v->none = "empty";	/* nothing happened */
		return false;
	}
	if (dp_decimal_parse(&v->value, s.p, s.n, o->range.places) != 0) {
		v->value = o->range.nothing;
		dp_events_blame(e, &e->value.field, v,
		    s.n == 0 ? "empty, not a number" : "not a decimal number");
		return false;
	}
	v->clamped = v->value < o->range.lo || v->value > o->range.hi;
	v->value = clamp(o, v->value);
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

/*
 * Terms of an event, to numbers of its key; its value is 1 if there are any.  A statistic that adds
 * more than it promised (tool.h) adds nothing: that costs its numbers, and no privacy.
 */
static void
contribute(const struct dp_events *e, struct dp_event *v)
{
	v->number = clamp(e->o, v->value);	/* 0, of no match, may be outside */
	v->term = e->term;
	v->nterms = e->adds->of(e->o, v->number, e->term);
	if (!within_reach(e, (unsigned)v->nterms))
		v->nterms = 0;
	v->none = NULL;
	v->value = v->nterms != 0;
}

void
dp_events_place(const struct dp_events *e, struct dp_event *v)
{
	size_t i;

	for (i = 0; i < v->nterms; i++)
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

void
dp_events_value(const struct dp_events *e, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_slice *s = &r->text;

	if (e->value.field.number != 0 &&
	    (s = dp_events_text(e, &e->value, r, v)) == NULL)
		return;
	switch (e->shape) {
	case DP_SHAPE_ID:
		read_id(e, *s, v);
		return;
	case DP_SHAPE_SYMBOL:
		v->text = *s;
		v->none = dp_events_no_symbol;
		v->value = dp_events_column(e, *s, &v->column);
		return;
	case DP_SHAPE_VECTOR:
		if (e->terms == NULL)
			break;
		read_terms(e, *s, v);
		return;
	case DP_SHAPE_NAME:
		v->value = e->one;
		if (e->key.field.number == 0)
			read_name(e->o->shard.identifiers && dp_events_nobody(e, *s) ?
			    (struct dp_slice){ "", 0 } : *s, v);
		return;
	case DP_SHAPE_NUMBER:
	case DP_SHAPE_CONTRIBUTIONS:
		break;
	}
	if (read_number(e, *s, v) && e->adds != NULL)
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

void
dp_events_key(const struct dp_events *e, const struct dp_record *r, struct dp_event *v)
{
	struct dp_slice key;

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
	v->none = "the key is not declared";
	v->text = key;
}
