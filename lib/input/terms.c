/* SPDX-License-Identifier: ISC */
/* terms.c - a line that is many numbers. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct dp_terms {
	const struct dp_options *o;
	size_t width, n, ones;
	struct dp_term *term;		/* width of them */
	uint64_t *seen;			/* the line that named a place last */
	uint64_t line;
	size_t *place;			/* by field, less one; width: not ours; NULL: in order */
	size_t fields;			/* in the header */
	char **name;			/* width of them; NULL: no header named them */
	int64_t digit[10];		/* what a digit is worth: read_digits() */
};

static int64_t
clamp_terms(const struct dp_options *o, int64_t v)
{
	return v < o->range.lo ? o->range.lo : v > o->range.hi ? o->range.hi : v;
}

int
dp_terms_new(struct dp_terms **out, const struct dp_options *o, size_t width)
{
	struct dp_terms *t = calloc(1, sizeof *t);
	int64_t one = 1, i;

	if (t == NULL)
		return DP_ENOMEM;
	t->o = o;
	t->width = width;
	t->ones = o->keys.ones != 0 ? o->keys.ones : width;
	for (i = 0; i < (int64_t)o->range.places; i++)
		one *= 10;
	for (i = 0; i < 10; i++)
		t->digit[i] = clamp_terms(o, i * one);
	t->term = calloc(width, sizeof *t->term);
	t->seen = calloc(width, sizeof *t->seen);
	if (t->term == NULL || t->seen == NULL) {
		dp_terms_free(t);
		return DP_ENOMEM;
	}
	*out = t;
	return 0;
}

void
dp_terms_free(struct dp_terms *t)
{
	size_t i;

	if (t == NULL)
		return;
	for (i = 0; t->name != NULL && i < t->width; i++)
		free(t->name[i]);
	free(t->name);
	free(t->term);
	free(t->seen);
	free(t->place);
	free(t);
}

void
dp_terms_forget(struct dp_terms *t)
{
	sodium_memzero(t->term, t->n * sizeof *t->term);
	sodium_memzero(t->seen, t->width * sizeof *t->seen);
	t->n = 0;
	t->line = 0;	/* how many lines there were is protected where steps are buckets */
}

static bool
blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct dp_slice
trimmed(const char *p, const char *e)
{
	while (p < e && blank(*p))
		p++;
	while (e > p && blank(e[-1]))
		e--;
	return (struct dp_slice){ p, (size_t)(e - p) };
}

/* The quote that ends a CSV field whose text begins at p: the first that is not doubled. */
static const char *
closing(const char *p, const char *end)
{
	while ((p = memchr(p, '"', (size_t)(end - p))) != NULL && p + 1 < end && p[1] == '"')
		p += 2;
	return p;
}

/*
 * The next token of text from *at on, which moves behind it; false: there is none.  Text between a
 * CSV field's quotes stays as it is: numbers are free of quotes.
 */
static bool
next_token(const struct dp_options *o, struct dp_slice text, size_t *at, struct dp_slice *s)
{
	const int c = o->form.csv && o->form.delimiter < 0 ? ',' : o->form.delimiter;
	const char *p = text.p + *at, *end = text.p + text.n, *e;

	if (c < 0) {
		while (p < end && blank(*p))
			p++;
		for (e = p; e < end && !blank(*e); e++)
			;
		*at = (size_t)(e - text.p);
		*s = (struct dp_slice){ p, (size_t)(e - p) };
		return e > p;
	}
	if (*at > text.n)
		return false;
	if (o->form.csv && p < end && *p == '"' && (e = closing(p + 1, end)) != NULL) {
		*s = (struct dp_slice){ p + 1, (size_t)(e - p) - 1 };
		e = memchr(e, c, (size_t)(end - e));
	} else {
		e = memchr(p, c, (size_t)(end - p));
		*s = trimmed(p, e != NULL ? e : end);
	}
	*at = e != NULL ? (size_t)(e - text.p) + 1 : text.n + 1;
	return true;
}

/* The text of a header's field: in CSV a doubled quote is one. false: it is no name. */
static bool
header_name(const struct dp_options *o, struct dp_slice s, char name[static DP_KEY_MAX + 1])
{
	size_t i, n = 0;

	for (i = 0; i < s.n && n < DP_KEY_MAX && s.p[i] != '\0'; i++) {
		name[n++] = s.p[i];
		i += o->form.csv && s.p[i] == '"' && i + 1 < s.n && s.p[i + 1] == '"';
	}
	name[n] = '\0';
	return n > 0 && i == s.n;
}

/* The name of a column, or what it must be. */
static void
name_column(struct dp_terms *t, size_t place, struct dp_slice s)
{
	char name[DP_KEY_MAX + 1];
	const char *why;

	if (!header_name(t->o, s, name))
		dp_die(DP_EX_USAGE, "--header: a name must have 1 to %d bytes, none of them NUL",
		    DP_KEY_MAX);
	if ((why = dp_keys_objection(t->o, name)) != NULL)
		dp_die(DP_EX_USAGE, "--header: %s", why);
	if (t->name[place] == NULL && (t->name[place] = strdup(name)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	if (strcmp(t->name[place], name) != 0)
		dp_die(DP_EX_USAGE, "--header: a file has other columns than the one before it");
}

/* In how many of the places the field stands; 0 is none. */
static unsigned
is_aside(const unsigned *aside, size_t field)
{
	unsigned i, n = 0;

	for (i = 0; i < DP_TERMS_ASIDE; i++)
		n += aside[i] == field;
	return n;
}

static void
name_columns(struct dp_terms *t, struct dp_slice text, const unsigned *aside)
{
	size_t at = 0, n = 0, field = 0;
	const char *twice;
	struct dp_slice s;
	int e = 0;

	if (t->name == NULL && (t->name = calloc(t->width, sizeof *t->name)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	while (next_token(t->o, text, &at, &s))
		if (is_aside(aside, ++field) == 0 && n++ < t->width)
			name_column(t, n - 1, s);
	if (n != t->width)
		dp_die(DP_EX_USAGE, "--header: it names %zu columns, --columns says %zu",
		    n, t->width);
	if ((twice = dp_names_twice(t->name, t->width, &e)) != NULL)
		dp_die(DP_EX_USAGE, "--header: two fields have the name '%s'", twice);
	if (e != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
}

const char *
dp_terms_name(const struct dp_terms *t, size_t place)
{
	return t->name != NULL && place < t->width ? t->name[place] : NULL;
}

struct key {
	const char *name;
	size_t place;
	bool found;
};

static int
by_name_terms(const void *a, const void *b)
{
	return strcmp(((const struct key *)a)->name, ((const struct key *)b)->name);
}

/* Finds the fields that declared keys name; NULL, or a key that is not there. */
static const char *
place_keys(struct dp_terms *t, struct dp_slice text, struct key *key, size_t n)
{
	char name[DP_KEY_MAX + 1];
	struct key *k;
	struct dp_slice s;
	size_t at = 0, i;

	qsort(key, n, sizeof *key, by_name_terms);
	for (i = 0; next_token(t->o, text, &at, &s); i++) {
		t->place[i] = t->width;
		k = !header_name(t->o, s, name) ? NULL :
		    bsearch(&(struct key){ .name = name }, key, n, sizeof *key, by_name_terms);
		if (k == NULL)
			continue;
		if (k->found)
			dp_die(DP_EX_USAGE, "--header: two fields have the name '%s'", k->name);
		k->found = true;
		t->place[i] = k->place;
	}
	for (i = 0; i < n; i++)
		if (!key[i].found)
			return key[i].name;
	return NULL;
}

const char *
dp_terms_header(struct dp_terms *t, struct dp_slice text,
    const unsigned aside[static DP_TERMS_ASIDE])
{
	const struct dp_options *o = t->o;
	const char *missing;
	struct key *key;
	struct dp_slice s;
	size_t at, k, *more;

	if (o->keys.n == 0 && o->form.value.number == 0)
		name_columns(t, text, aside);
	if (o->keys.n == 0)
		return NULL;
	for (t->fields = 0, at = 0; next_token(o, text, &at, &s); t->fields++)
		;
	if ((key = calloc(o->keys.n, sizeof *key)) == NULL ||
	    (more = realloc(t->place, (t->fields + 1) * sizeof *more)) == NULL)
		dp_die(DP_EX_SYSTEM, "out of memory");
	t->place = more;
	for (k = 0; k < o->keys.n; k++)
		key[k] = (struct key){ o->keys.name[k], k, false };
	missing = place_keys(t, text, key, o->keys.n);
	free(key);
	return missing;
}

static const char *
add(struct dp_terms *t, size_t place, struct dp_slice s)
{
	const struct dp_options *o = t->o;
	char room[DP_NUMBER_ROOM];
	int64_t v;
	int e;

	s = dp_number_plain(&o->form, s, room);
	if (t->seen[place] == t->line)
		return "an index is given twice";
	t->seen[place] = t->line;
	e = dp_decimal_parse(&v, s.p, s.n, o->range.places);
	dp_number_forget(&s, room);
	if (e != 0)
		return "not a decimal number";
	if ((v = clamp_terms(o, v)) == 0)
		return NULL;
	if (t->n == t->ones)
		return "more numbers other than 0 than --ones allows";
	t->term[t->n++] = (struct dp_term){ place, v };
	return NULL;
}

static const char *
add_pair(struct dp_terms *t, struct dp_slice s, const char *colon)
{
	uint64_t place = 0;
	const char *p;

	for (p = s.p; p < colon; p++) {
		if (*p < '0' || *p > '9' || place > t->width)
			return "not an index";
		place = place * 10 + (uint64_t)(*p - '0');
	}
	if (place < 1 || place > t->width)
		return "an index is out of range";
	return add(t, (size_t)place - 1,
	    (struct dp_slice){ colon + 1, (size_t)(s.p + s.n - colon) - 1 });
}

static const char *
add_dense(struct dp_terms *t, struct dp_slice s, size_t field)
{
	size_t place = t->place == NULL ? field : field < t->fields ? t->place[field] : t->width;

	if (t->place == NULL && field >= t->width)
		return "more numbers than columns";
	return place == t->width ? NULL : add(t, place, s);
}

/*
 * A line of single digits with single bytes between them, as most are.  false: it is none, or has
 * too many numbers, and is to be read again.
 */
static bool
read_digits(struct dp_terms *t, struct dp_slice text)
{
	const struct dp_options *o = t->o;
	const int c = o->form.csv && o->form.delimiter < 0 ? ',' : o->form.delimiter < 0 ? ' ' :
	    o->form.delimiter;
	const size_t fields = t->place == NULL ? t->width : t->fields;
	size_t i, n = 0, place;
	unsigned d;

	if (text.n != 2 * fields - 1)
		return false;
	for (i = 0; i < fields; i++) {
		d = (unsigned)(unsigned char)text.p[2 * i] - '0';
		place = t->place == NULL ? i : t->place[i];
		if (d > 9 || (i + 1 < fields && (unsigned char)text.p[2 * i + 1] != c))
			return false;
		if (place == t->width || t->digit[d] == 0)
			continue;
		if (n == t->ones)
			return false;
		t->term[n++] = (struct dp_term){ place, t->digit[d] };
	}
	t->n = n;
	return true;
}

const struct dp_term *
dp_terms_read(struct dp_terms *t, struct dp_slice text,
    const unsigned aside[static DP_TERMS_ASIDE], size_t *n, const char **why)
{
	struct dp_slice s;
	const char *colon, *bad = NULL;
	size_t at = 0, fields = 0, number = 0;
	bool pairs = false;

	t->line++;
	t->n = *n = 0;
	if (is_aside(aside, 0) == DP_TERMS_ASIDE && read_digits(t, text)) {
		*n = t->n;
		return t->term;
	}
	if (trimmed(text.p, text.p + text.n).n == 0)
		return t->term;		/* nothing happened */
	while (bad == NULL && next_token(t->o, text, &at, &s)) {
		number++;
		if (t->place == NULL && is_aside(aside, number) != 0)
			continue;
		colon = memchr(s.p, ':', s.n);
		if (fields == 0)
			pairs = colon != NULL && t->place == NULL;
		if (pairs != (colon != NULL) && t->place == NULL)
			bad = "numbers and index:value pairs do not go together";
		else
			bad = pairs ? add_pair(t, s, colon) : add_dense(t, s, fields);
		fields++;
	}
	if (bad == NULL && !pairs && fields < (t->place == NULL ? t->width : t->fields))
		bad = "fewer numbers than columns";
	if (bad != NULL) {
		*why = bad;
		return NULL;
	}
	*n = t->n;
	return t->term;
}
