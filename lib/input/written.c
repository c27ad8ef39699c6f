/* SPDX-License-Identifier: ISC */
/*
 * written.c - for --check: what stands in a record's fields, and how else it could be read.
 *
 * None of it is asked for by a run.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "event.h"
#include "internal.h"

static const struct dp_slice absent = { NULL, 0 };

static struct dp_slice
field_text(const struct dp_record *r, unsigned n)
{
	return n == 0 || n > r->nfields ? absent : r->field[n];
}

struct dp_slice
dp_events_written(const struct dp_events *e, const struct dp_record *r)
{
	if ((e->shape != DP_SHAPE_NUMBER && e->shape != DP_SHAPE_CONTRIBUTIONS) ||
	    e->match != NULL || e->weight.number != 0)
		return absent;
	if (e->value.field.number != 0)
		return field_text(r, e->value.field.number);
	return dp_events_by_itself(e) ? absent : r->text;
}

struct dp_slice
dp_events_tested(const struct dp_events *e, const struct dp_record *r, size_t i)
{
	return i >= e->conditions ? absent : field_text(r, e->condition[i].field.number);
}

bool
dp_number_reads(struct dp_digits digits, unsigned places, struct dp_slice s, int64_t *n)
{
	const struct dp_ask_form form = { .digits = digits };
	char room[DP_NUMBER_ROOM];

	s = dp_number_plain(&form, s, room);
	return dp_decimal_parse(n, s.p, s.n, places) == 0;
}

/* The sign before a number or behind it, of n bytes; NULL: there is none. */
static const char *
sign(struct dp_slice s, size_t *n)
{
	static const char number[] = "0123456789+-.,' \t";
	const char *p = s.p, *const e = s.p + s.n;

	while (p < e && memchr("+- \t", *p, 4) != NULL)
		p++;
	for (*n = 0; p + *n < e && memchr(number, p[*n], sizeof number - 1) == NULL; ++*n)
		;
	if (*n != 0)
		return p;
	for (p = e; p > s.p && memchr(number, p[-1], sizeof number - 1) == NULL; ++*n)
		p--;
	return *n != 0 ? p : NULL;
}

bool
dp_number_unit(struct dp_digits digits, struct dp_slice s, char how[static DP_UNIT_NAME])
{
	const char *const known[] = { "ms", "B", memchr(s.p, '%', s.n) != NULL ? "%" : "number" };
	char room[DP_UNIT_ROOM];
	struct dp_unit u;
	const char *p;
	size_t i, n;

	for (i = 0; i < sizeof known / sizeof *known; i++) {
		strcpy(how, known[i]);
		if (dp_unit_find(&u, how) && dp_number_in(&digits, &u, s, room).p == room)
			return true;
	}
	if ((p = sign(s, &n)) == NULL || n >= DP_UNIT_NAME)
		return false;
	memcpy(how, p, n);
	how[n] = '\0';
	return dp_unit_find(&u, how) && dp_number_in(&digits, &u, s, room).p == room;
}

bool
dp_number_exact(struct dp_digits digits, unsigned places, struct dp_slice s)
{
	const struct dp_ask_form form = { .digits = digits };
	char room[DP_NUMBER_ROOM], text[49];
	int64_t n;
	int order;

	s = dp_number_plain(&form, s, room);
	if (dp_decimal_parse(&n, s.p, s.n, places) != 0)
		return false;
	*dp_decimal_put(text, n, places) = '\0';
	return dp_decimal_compare(&order, s, (struct dp_slice){ text, strlen(text) }) == 0 &&
	    order == 0;
}

int
dp_events_match_as(const struct dp_events *e, bool fixed, struct dp_match **out)
{
	const struct dp_ask_form *f = &e->o->form;
	char why[DP_MATCH_WHY];

	*out = NULL;
	return f->match == NULL || f->invert || f->fixed || (!fixed && f->icase) ? 0 :
	    dp_match_new(out, f->match, fixed, !fixed || f->icase, why);
}

bool
dp_events_matches(const struct dp_events *e, const struct dp_record *r, struct dp_match *m)
{
	const struct dp_slice s = e->value.field.number == 0 ? r->text :
	    field_text(r, e->value.field.number);

	return m != NULL && s.p != NULL && dp_match_test(m, s) == 1;
}

int
dp_events_where_as(const struct dp_events *e, size_t i, struct dp_match **out)
{
	char why[DP_MATCH_WHY];

	*out = NULL;
	return i >= e->conditions || e->condition[i].op != DP_OP_MATCH ? 0 :
	    dp_match_new(out, e->o->form.condition[i].pattern, false, true, why);
}

bool
dp_events_where_matches(const struct dp_events *e, const struct dp_record *r, size_t i,
    struct dp_match *m)
{
	const unsigned n = e->condition[i].field.number;
	const struct dp_slice s = n == 0 ? r->text : field_text(r, n);

	return m != NULL && s.p != NULL && dp_match_test(m, s) == 1;
}

void
dp_events_match_end(struct dp_match *m)
{
	dp_match_free(m);
}

#define DEPTH	16

/* An object or array that is open, and where in it. */
struct inside {
	struct dp_slice key;
	unsigned index;
	bool array;
};

static void
put_path(char path[static DP_JSON_PATH], const struct inside *in, unsigned depth)
{
	size_t n = 0;
	unsigned i;

	for (i = 0, *path = '\0'; i < depth && n < DP_JSON_PATH; i++)
		n += (size_t)(in[i].array ?
		    snprintf(path + n, DP_JSON_PATH - n, "[%u]", in[i].index) :
		    snprintf(path + n, DP_JSON_PATH - n, "%s%.*s", i == 0 ? "" : ".",
		    (int)in[i].key.n, in[i].key.p));
}

static size_t
behind_blanks(struct dp_slice s, size_t i)
{
	while (i < s.n && strchr(" \t\r", s.p[i]) != NULL && s.p[i] != '\0')
		i++;
	return i;
}

/* Letters and digits are the same, in any case: status_code, statusCode. */
static bool
is_alike(struct dp_slice key, const char *name)
{
	size_t i;

	for (i = 0;; i++, name++) {
		while (i < key.n && !isalnum((unsigned char)key.p[i]))
			i++;
		while (*name != '\0' && !isalnum((unsigned char)*name))
			name++;
		if (i == key.n || *name == '\0')
			return i == key.n && *name == '\0';
		if (tolower((unsigned char)key.p[i]) != tolower((unsigned char)*name))
			return false;
	}
}

/* True: a member of that name, whose key ends at i, and whose value, or its first, can be read. */
static bool
is_member(struct dp_slice s, size_t i, struct dp_slice key, const char *name, bool *array)
{
	i = behind_blanks(s, i);
	if (i >= s.n || s.p[i] != ':' || !is_alike(key, name))
		return false;
	i = behind_blanks(s, i + 1);
	if ((*array = i < s.n && s.p[i] == '['))
		i = behind_blanks(s, i + 1);
	return i < s.n && memchr("{[n]", s.p[i], 4) == NULL;
}

bool
dp_json_elsewhere(struct dp_slice s, const char *name, char path[static DP_JSON_PATH])
{
	const char *last = strrchr(name, '.') == NULL ? name : strrchr(name, '.') + 1;
	struct inside in[DEPTH];
	unsigned depth = 0;
	size_t i, begin;
	bool array;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '{' || s.p[i] == '[') {
			if (depth == DEPTH)
				return false;
			in[depth++] = (struct inside){ .array = s.p[i] == '[' };
		} else if ((s.p[i] == '}' || s.p[i] == ']') && depth-- == 0)
			return false;
		else if (s.p[i] == ',' && depth > 0)
			in[depth - 1].index++;
		if (s.p[i] != '"')
			continue;
		for (begin = ++i; i < s.n && s.p[i] != '"'; i++)
			i += s.p[i] == '\\';
		if (i >= s.n || depth == 0 || in[depth - 1].array)
			continue;
		in[depth - 1].key = (struct dp_slice){ s.p + begin, i - begin };
		if (is_member(s, i + 1, in[depth - 1].key, last, &array) && depth < DEPTH) {
			in[depth] = (struct inside){ .array = true };
			put_path(path, in, depth + array);
			return true;
		}
	}
	return false;
}
