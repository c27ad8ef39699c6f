/* SPDX-License-Identifier: ISC */
/*
 * jsonref.h - JSON lines as others read them: PCRE2 says whether a line is an object as json.h has
 * it, and json-c, which takes those and more, what its members are.
 */
#ifndef JSONREF_H
#define JSONREF_H

#define PCRE2_CODE_UNIT_WIDTH	8
#include <json-c/json.h>
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "input/internal.h"

static const char jsonref_grammar[] = "(?xs)(?(DEFINE)"
    "(?<B> [\\ \\t\\r\\n]*+)"
    "(?<S> \"(?: [^\"\\\\\\x00] | \\\\[\"\\\\/bfnrt] | \\\\u[[:xdigit:]]{4} )*+\")"
    "(?<N> NaN | -?Infinity | -?(?: 0 | [1-9][0-9]*+)(?: \\.[0-9]++)?(?: [eE][-+]?[0-9]++)?)"
    "(?<A> \\[ (?&B) (?: (?&V) (?&B) (?: , (?&B) (?&V) (?&B))*+)? \\])"
    "(?<M> (?&B) (?&S) (?&B) : (?&B) (?&V) (?&B))"
    "(?<O> \\{ (?: (?&B) | (?&M) (?: , (?&M))*+) \\})"
    "(?<V> (?&S) | (?&N) | true | false | null | (?&A) | (?&O)))"
    "\\A (?&B) (?&O) (?&B) \\z";

/* true: the line is an object, however deep it nests. */
static bool
jsonref_object(struct dp_slice s)
{
	static pcre2_code *code;
	pcre2_match_data *m;
	size_t at;
	int e;

	if (code == NULL)
		code = pcre2_compile((PCRE2_SPTR)jsonref_grammar, PCRE2_ZERO_TERMINATED, 0, &e, &at,
		    NULL);
	if (code == NULL || (m = pcre2_match_data_create(1, NULL)) == NULL)
		abort();
	e = pcre2_match(code, (PCRE2_SPTR)s.p, s.n, 0, 0, m, NULL);
	pcre2_match_data_free(m);
	return e >= 0;
}

static struct json_object *jsonref_find(struct json_object *, char *path, bool inside);

/* An object that a string holds; NULL: it holds none. */
static struct json_object *
jsonref_text(struct json_object *o)
{
	const struct dp_slice s = { json_object_get_string(o),
		(size_t)json_object_get_string_len(o) };
	static struct json_object *held[64];
	static unsigned n;
	struct json_tokener *t;

	if (!jsonref_object(s))
		return NULL;
	t = json_tokener_new_ex(DP_JSON_DEPTH);
	n = (n + 1) % 64;		/* freed when 64 others have come */
	json_object_put(held[n]);
	held[n] = json_tokener_parse_ex(t, s.p, (int)s.n);
	json_tokener_free(t);
	return held[n];
}

/* What the rest of a path leads to in a member, behind a dot or at [K]. */
static struct json_object *
jsonref_within(struct json_object *o, char *rest, bool inside)
{
	if (*rest == '[') {
		if (!json_object_is_type(o, json_type_array))
			return NULL;
		o = json_object_array_get_idx(o, strtoul(rest + 1, &rest, 10));
		return *++rest == '\0' ? o : jsonref_within(o, rest + (*rest == '.'), inside);
	}
	if (json_object_is_type(o, json_type_string) && !inside)
		return (o = jsonref_text(o)) == NULL ? NULL : jsonref_find(o, rest, true);
	return json_object_is_type(o, json_type_object) ? jsonref_find(o, rest, inside) : NULL;
}

static struct json_object *
jsonref_find(struct json_object *o, char *path, bool inside)
{
	struct json_object *member = NULL;
	char *stop = path + strlen(path), at;
	bool hit;

	if (json_object_object_get_ex(o, path, &member))
		return member;
	while (stop-- > path) {
		if (*stop != '.' && *stop != '[')
			continue;
		at = *stop;
		*stop = '\0';
		hit = json_object_object_get_ex(o, path, &member);
		*stop = at;
		if (hit)
			return jsonref_within(member, stop + (at == '.'), inside);
	}
	return NULL;
}

/* true: a field is what json-c has there; of whole numbers it keeps the nearest of 64 bits. */
static bool
jsonref_is(struct json_object *o, struct dp_slice s)
{
	char number[64] = "";

	switch (json_object_get_type(o)) {
	case json_type_null:
	case json_type_array:
	case json_type_object:
		return s.p == NULL;
	case json_type_int:
		if (s.p == NULL)
			return false;
		memcpy(number, s.p, s.n < 63 ? s.n : 63);
		return strtoll(number, NULL, 10) == json_object_get_int64(o);
	case json_type_string:
		return s.p != NULL && s.n == (size_t)json_object_get_string_len(o) &&
		    memcmp(s.p, json_object_get_string(o), s.n) == 0;
	default:
		return s.p != NULL && s.n == strlen(json_object_get_string(o)) &&
		    memcmp(s.p, json_object_get_string(o), s.n) == 0;
	}
}

/* true: an object's fields are what json-c finds, which ends names at a NUL: not of those. */
static bool
jsonref_same(const struct dp_record *r, const char *const *path)
{
	struct json_tokener *t = json_tokener_new_ex(DP_JSON_DEPTH);
	struct json_object *o;
	char copy[64];
	unsigned i;
	bool same = true;

	if (memmem(r->text.p, r->text.n, "\\u0000", 6) == NULL) {
		o = json_tokener_parse_ex(t, r->text.p, (int)r->text.n);
		same = o != NULL;
		for (i = 0; same && i < r->nfields; i++)
			same = jsonref_is(jsonref_find(o, strcpy(copy, path[i]), false),
			    r->field[i + 1]);
		json_object_put(o);
	}
	json_tokener_free(t);
	return same;
}

#endif
