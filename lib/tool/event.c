#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "event.h"

#define TIME_FIELDS	2		/* a time of day, and a zone */

struct key {
	struct dp_slice name;
	size_t column;
};

struct dp_events {
	const struct dp_options *o;
	struct dp_field value, time, key, user;	/* numbers resolved */
	enum dp_shape shape;
	const uint8_t *id_key;		/* 16 bytes; a state file may replace them later */
	struct dp_terms *terms;		/* a line is many numbers */
	struct dp_match *match;
	struct dp_when when;
	unsigned following;		/* fields after the time's in which it may go on */
	unsigned fields;		/* to cut here, 0: the reader did */
	int64_t one;			/* what one event counts: 1, on the grid, clamped */
	struct key *keys;		/* sorted */
};

static int
compare(const void *a, const void *b)
{
	const struct dp_slice *x = a, *y = b;	/* a key begins with its name */
	int c = memcmp(x->p, y->p, x->n < y->n ? x->n : y->n);

	return c != 0 ? c : (x->n > y->n) - (x->n < y->n);
}

static int64_t
clamp(const struct dp_options *o, int64_t v)
{
	return v < o->lo ? o->lo : v > o->hi ? o->hi : v;
}

static int
time_rule(const struct dp_options *o, struct dp_when *w)
{
	return dp_when_rule(w, o->time_format);
}

int
dp_events_new(struct dp_events **out, const struct dp_options *o, const struct dp_tool *tool,
    const uint8_t id_key[16], int64_t now)
{
	struct dp_events *e = calloc(1, sizeof *e);
	char why[120] = "";
	int64_t one = 1;
	size_t i;
	int rc;

	if (e == NULL)
		return DP_ENOMEM;
	e->o = o;
	e->shape = tool->shape;
	e->id_key = id_key;
	e->value = o->value;
	e->time = o->time;
	e->key = o->key;
	e->user = o->user;
	for (i = 0; i < o->places; i++)
		one *= 10;
	e->one = clamp(o, one);
	if (o->time.number != 0 && (rc = time_rule(o, &e->when)) != 0) {
		free(e);
		return rc;
	}
	e->when.near = now;
	e->when.zone = o->span.zone;
	if (e->when.kind != DP_WHEN_EPOCH && (o->csv || (o->delimiter >= 0 && o->delimiter != ' ')))
		e->following = TIME_FIELDS;
	if (o->match != NULL &&
	    (rc = dp_match_new(&e->match, o->match, o->fixed, o->icase, why)) != 0) {
		if (rc == DP_ESYNTAX)
			dp_die(DP_EX_USAGE, "--match: %s", why);
		free(e);
		return rc;
	}
	if (o->nkeys > 0 && (e->keys = calloc(o->nkeys, sizeof *e->keys)) == NULL) {
		dp_events_free(e);
		return DP_ENOMEM;
	}
	for (i = 0; i < o->nkeys; i++)
		e->keys[i] = (struct key){ { o->keys[i], strlen(o->keys[i]) }, i };
	if (o->nkeys > 0)
		qsort(e->keys, o->nkeys, sizeof *e->keys, compare);
	if (e->shape == DP_SHAPE_VECTOR && o->key.number == 0 &&
	    (rc = dp_terms_new(&e->terms, o, dp_options_width(o))) != 0) {
		dp_events_free(e);
		return rc;
	}
	*out = e;
	return 0;
}

void
dp_events_free(struct dp_events *e)
{
	if (e == NULL)
		return;
	dp_terms_free(e->terms);
	dp_match_free(e->match);
	free(e->keys);
	free(e);
}

int
dp_events_forget(struct dp_events *e)
{
	if (e->terms != NULL)
		dp_terms_forget(e->terms);
	return e->match == NULL ? 0 : dp_match_forget(e->match);
}

static unsigned
wanted(const struct dp_field *f, unsigned following)
{
	return f->number == 0 ? 0 : f->name != NULL || f->number > DP_FIELDS_MAX - following ?
	    DP_FIELDS_MAX : f->number + following;
}

/* A pattern over the whole line decides whether anything else is looked at. */
static bool
seldom(const struct dp_events *e)
{
	return e->match != NULL && e->value.number == 0 && !e->o->csv;
}

bool
dp_events_seekable(const struct dp_events *e)
{
	const struct dp_options *o = e->o;

	return seldom(e) && dp_match_literal(e->match) && !o->invert && !o->strict &&
	    !o->header && !o->pan && o->steps == DP_BY_RANGE;
}

int
dp_events_seek(const struct dp_events *ev, const char **p, const char *end, struct dp_slice *line)
{
	const char *from, *nl;
	size_t at;
	int hit;

	if ((hit = dp_match_find(ev->match, (struct dp_slice){ *p, (size_t)(end - *p) }, &at)) != 1)
		return hit;
	from = memrchr(*p, '\n', at);
	line->p = from == NULL ? *p : from + 1;
	nl = memchr(*p + at, '\n', (size_t)(end - *p) - at);
	*p = nl + 1;
	line->n = (size_t)((nl > line->p && nl[-1] == '\r' ? nl - 1 : nl) - line->p);
	return 1;
}

void
dp_events_reader_rule(struct dp_events *e, struct dp_reader_rule *r)
{
	const struct dp_options *o = e->o;
	const struct dp_field *const all[] = { &o->value, &o->time, &o->key, &o->user };
	unsigned n;
	size_t i;

	r->csv = o->csv;
	r->delimiter = o->csv && o->delimiter < 0 ? ',' : o->delimiter;
	r->frugal = o->pan;
	r->uncounted = o->pan && o->bucket != 0;
	r->fields = 0;
	for (i = 0; i < 4; i++)
		if ((n = wanted(all[i], all[i] == &o->time ? e->following : 0)) > r->fields)
			r->fields = n;
	e->fields = 0;
	if (seldom(e) && !o->header) {	/* most lines will not match: cut those that do */
		e->fields = r->fields;
		r->fields = 0;
	}
	/*
	 * CSV: the row's own text is wanted only by a pattern over the whole row, or a bare number
	 */
	r->text = !o->csv || o->value.number == 0 || e->terms != NULL;
}

static bool
resolve(struct dp_field *f, const struct dp_record *r)
{
	unsigned i;

	if (f->name == NULL)
		return true;
	for (i = 1; i <= r->nfields; i++)
		if (r->field[i].n == strlen(f->name) &&
		    memcmp(r->field[i].p, f->name, r->field[i].n) == 0) {
			f->number = i;
			return true;
		}
	return false;
}

const char *
dp_events_header(struct dp_events *e, const struct dp_record *r)
{
	struct dp_field *const all[] = { &e->value, &e->time, &e->key, &e->user };
	size_t i;

	for (i = 0; i < 4; i++)
		if (!resolve(all[i], r))
			return all[i]->name;
	return e->terms == NULL ? NULL :
	    dp_terms_header(e->terms, r->text, e->time.number, e->user.number);
}

const char *
dp_events_name(const struct dp_events *e, size_t column)
{
	return e->terms == NULL ? NULL : dp_terms_name(e->terms, column);
}

/* The field, or NULL with the event marked malformed. */
static const struct dp_slice *
get(const struct dp_record *r, const struct dp_field *f, struct dp_event *v)
{
	if (f->number <= r->nfields && r->field[f->number].p != NULL)
		return &r->field[f->number];
	v->why = "the field is missing";
	v->field = f->number;
	return NULL;
}

/* The declared key that is these bytes. */
static bool
find_key(const struct dp_events *e, const struct dp_slice *s, size_t *column)
{
	const struct key *k = bsearch(s, e->keys, e->o->nkeys, sizeof *e->keys, compare);

	if (k != NULL)
		*column = k->column;
	return k != NULL;
}

static void
read_terms(const struct dp_events *e, struct dp_slice s, struct dp_event *v)
{
	const bool whole = e->value.number == 0;

	v->term = dp_terms_read(e->terms, s, whole ? e->time.number : 0,
	    whole ? e->user.number : 0, &v->nterms, &v->why);
	v->value = v->nterms != 0;
	v->field = e->value.number;
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

/* An identifier, or its undoing; of a declared universe: nothing if it is none of those. */
static void
read_id(const struct dp_events *e, struct dp_slice s, struct dp_event *v)
{
	size_t place = 0;

	v->id = (struct dp_id){ .sign = 1 };
	if (e->o->deletes && s.n > 0 && *s.p == '-') {
		v->id.sign = -1;
		s.p++;
		s.n--;
	}
	if (s.n == 0)
		return;			/* nothing happened */
	if (e->o->universe != 0) {
		if (!read_place(s, e->o->universe, &v->id.word[0]))
			return;
	} else if (e->o->nkeys == 0)
		crypto_shorthash_siphashx24((unsigned char *)v->id.word, (const unsigned char *)s.p,
		    s.n, e->id_key);
	else if (!find_key(e, &s, &place))
		return;
	else
		v->id.word[0] = place;
	v->value = v->id.sign;
}

static void
read_value(const struct dp_events *e, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_options *o = e->o;
	const struct dp_slice *s = &r->text;
	int hit;

	if (e->value.number != 0 && (s = get(r, &e->value, v)) == NULL)
		return;
	switch (e->shape) {
	case DP_SHAPE_ID:
		read_id(e, *s, v);
		return;
	case DP_SHAPE_SYMBOL:
		v->text = *s;
		v->value = find_key(e, s, &v->column);
		return;
	case DP_SHAPE_VECTOR:
		if (e->terms == NULL)
			break;
		read_terms(e, *s, v);
		return;
	case DP_SHAPE_NUMBER:
		break;
	}
	if (e->match != NULL) {
		if ((hit = dp_match_test(e->match, *s)) < 0)
			v->error = hit;
		else
			v->value = (hit == 1) != o->invert ? e->one : 0;
		return;
	}
	if (e->value.number == 0 && (e->time.number | e->key.number | e->user.number) != 0) {
		v->value = e->one;	/* the line is the event */
		return;
	}
	if (e->value.number == 0 && s->n == 0)
		return;			/* nothing happened */
	if (dp_decimal_parse(&v->value, s->p, s->n, o->places) != 0) {
		v->value = 0;
		v->why = s->n == 0 ? "empty, not a number" : "not a decimal number";
		v->field = e->value.number;
		return;
	}
	v->value = clamp(o, v->value);
}

/* The zone is looked for where no number is: a value after the time may be -1200. */
static bool
holds_number(const struct dp_events *e, unsigned field)
{
	return e->match == NULL && e->value.number == field;
}

/* What follows the time field of a line cut at blanks is the rest of the line. */
static void
rest_of_line(const struct dp_events *e, const struct dp_record *r, struct dp_stamp *s)
{
	const unsigned v = e->value.number;

	s->next.p = s->text.p + s->text.n;
	s->next.n = (size_t)(r->text.p + r->text.n - s->next.p);
	s->zone = s->next.n;
	if (v > e->time.number && holds_number(e, v) && v <= r->nfields)
		s->zone = (size_t)(r->field[v].p - s->next.p);
}

/*
 * With a delimiter it is up to TIME_FIELDS fields, with blanks between them; no time is longer than
 * these.
 */
#define FOLLOWING	((size_t)64)

static void
next_fields(const struct dp_events *e, const struct dp_record *r, struct dp_stamp *s,
    char buf[static TIME_FIELDS * (FOLLOWING + 1)])
{
	const struct dp_slice *f;
	unsigned i;

	s->next.p = buf;
	for (i = e->time.number + 1; i <= e->time.number + TIME_FIELDS && i <= r->nfields; i++) {
		f = &r->field[i];
		if (f->n == 0 || f->n > FOLLOWING)
			break;
		buf[s->next.n++] = ' ';
		memcpy(buf + s->next.n, f->p, f->n);
		s->next.n += f->n;
		if (s->zone + f->n + 1 == s->next.n && !holds_number(e, i))
			s->zone = s->next.n;
	}
}

static void
read_time(const struct dp_events *e, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_slice *text = get(r, &e->time, v);
	char buf[TIME_FIELDS * (FOLLOWING + 1)];
	struct dp_stamp s = { .next = { "", 0 } };

	if (text == NULL)
		return;
	s.text = *text;
	if (e->following != 0)
		next_fields(e, r, &s, buf);
	else if (!e->o->csv)
		rest_of_line(e, r, &s);
	if (dp_when_parse(&v->time, &e->when, &s) != 0) {
		v->why = "not a time of the given format";
		v->field = e->time.number;
	} else
		v->timed = true;
	if (e->following != 0)
		explicit_bzero(buf, s.next.n);	/* pan-private: no copy of the record stays */
}

static void
read_key(const struct dp_events *e, const struct dp_record *r, struct dp_event *v)
{
	const struct dp_slice *s = get(r, &e->key, v);

	if (s != NULL && !find_key(e, s, &v->column))
		v->counts = false;
}

void
dp_events_read(const struct dp_events *e, struct dp_record *r, struct dp_event *v)
{
	const struct dp_slice *s;

	v->value = 0;
	v->column = 0;
	v->nterms = 0;
	v->counts = true;
	v->timed = false;
	v->why = NULL;
	v->field = 0;
	v->error = 0;
	if (r->too_long)
		v->why = "the line is too long";
	/* Times that close buckets do so whatever else the record holds. */
	if (v->why == NULL && e->o->steps == DP_BY_TIMES) {
		if (e->fields != 0)
			dp_record_cut(r, e->o->delimiter, e->fields);
		read_time(e, r, v);
	}
	if (v->why == NULL)
		read_value(e, r, v);
	/* Nothing happened: when and to whom does not matter. */
	if (v->why == NULL && v->value == 0 && !e->o->strict) {
		v->counts = false;
		return;
	}
	if (v->why == NULL && e->fields != 0)
		dp_record_cut(r, e->o->delimiter, e->fields);
	if (v->why == NULL && e->time.number != 0 && !v->timed)
		read_time(e, r, v);
	/* here, so that a user's allowance is not spent on what counts nowhere */
	if (e->o->steps == DP_BY_RANGE && v->timed && (v->time < e->o->from || v->time >= e->o->to))
		v->counts = false;
	if (v->why == NULL && e->key.number != 0)
		read_key(e, r, v);
	if (v->why == NULL && e->user.number != 0) {
		if ((s = get(r, &e->user, v)) != NULL)
			v->user = *s;
	}
	if (v->why != NULL)
		v->counts = false;
	if (!v->counts)
		v->value = 0;
}

const char *
dp_check_time_format(const struct dp_options *o)
{
	struct dp_when w;

	switch (time_rule(o, &w)) {
	case 0:
		return NULL;
	case DP_ERANGE:
		return "cannot give back a time that it printed: it needs the year, nothing in "
		    "between may be missing, and zone names and week numbers "
		    "(%Z, %G, %V) are not read";
	default:
		return "must be epoch, iso, clf, syslog or a strptime(3) format";
	}
}
