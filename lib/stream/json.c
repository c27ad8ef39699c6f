/*
 * json.c - members of a JSON object as the fields of a line.
 *
 * json-c, since it keeps the text of a number with a fraction or an exponent, and takes whole
 * numbers of 64 bits: a number never becomes a double on its way.
 */
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "base/buf.h"
#include "json.h"
#include "jsonplain.h"
#include "jsonstrict.h"

#define NUL	"\\u0000"
#define NUL_LEN	(sizeof NUL - 1)

struct dp_json {
	struct json_tokener *parser;
	struct dp_buf strict;		/* the last line, as every strict json-c takes it */
	struct json_object *object;	/* the last line's: fields point into it */
	struct dp_buf marked;		/* the last line, if it has names with a NUL */
	char mark[NUL_LEN];		/* letters that are in no path */
	bool no_plain;
	unsigned n;
	char *path[];			/* owned */
};

static bool
in_no_path(const struct dp_json *j)
{
	unsigned i;

	for (i = 0; i < j->n; i++)
		if (memmem(j->path[i], strlen(j->path[i]), j->mark, NUL_LEN) != NULL)
			return false;
	return true;
}

/* Counts up, and meets a mark before it has seen as many as the paths have bytes. */
static void
choose_mark(struct dp_json *j)
{
	size_t i;

	memset(j->mark, 'a', NUL_LEN);
	while (!in_no_path(j))
		for (i = 0; i < NUL_LEN; i++) {
			if (j->mark[i]++ != 'z')
				break;
			j->mark[i] = 'a';
		}
}

int
dp_json_new(struct dp_json **out, const char *const *path, unsigned n, bool no_plain)
{
	struct dp_json *j = calloc(1, sizeof *j + n * sizeof j->path[0]);

	if (j == NULL)
		return DP_ENOMEM;
	if ((j->parser = json_tokener_new_ex(DP_JSON_DEPTH)) == NULL)
		goto fail;
	j->no_plain = no_plain;
	for (; j->n < n; j->n++)
		if ((j->path[j->n] = strdup(path[j->n])) == NULL)
			goto fail;
	choose_mark(j);
	*out = j;
	return 0;
fail:
	dp_json_free(j);
	return DP_ENOMEM;
}

/* The last dot of a path before `end`, or NULL. */
static char *
dot_before(char *path, const char *end)
{
	return memrchr(path, '.', (size_t)(end - path));
}

/* The member that a path leads to, or NULL; the path is as it was afterwards. */
static struct json_object *
find(struct json_object *o, char *path)
{
	struct json_object *member = NULL;
	char *dot = path + strlen(path);
	bool hit;

	if (json_object_object_get_ex(o, path, &member))
		return member;
	while ((dot = dot_before(path, dot)) != NULL) {
		*dot = '\0';
		hit = json_object_object_get_ex(o, path, &member);
		*dot = '.';
		if (hit)
			return json_object_is_type(member, json_type_object) ?
			    find(member, dot + 1) : NULL;
	}
	return NULL;
}

/* json-c that is not strict takes whole numbers beyond 64 bits for the nearest of 64. */
static bool
beyond(const struct json_object *o)
{
	return json_object_get_int64(o) == INT64_MIN || json_object_get_uint64(o) == UINT64_MAX;
}

static int
text(struct json_object *o, struct dp_slice *s)
{
	*s = (struct dp_slice){ NULL, 0 };
	switch (json_object_get_type(o)) {
	case json_type_null:
	case json_type_array:
	case json_type_object:
		return 0;
	case json_type_string:
		s->n = (size_t)json_object_get_string_len(o);
		s->p = json_object_get_string(o);
		return 0;
	case json_type_int:
		if (beyond(o))
			return 0;
		break;
	case json_type_double:
	case json_type_boolean:
		break;
	}
	if ((s->p = json_object_get_string(o)) == NULL)
		return DP_ENOMEM;
	s->n = strlen(s->p);
	return 0;
}

/*
 * No memory, to json-c 0.16, is a success that stops early and has nothing; later ones say it, by
 * an error that 0.16 has no name for: a program built with one may run with another.
 */
static bool
without_memory(const struct dp_json *j, enum json_tokener_error e, size_t n)
{
	if ((unsigned)e > json_tokener_error_size)
		return true;
	return e == json_tokener_success && j->object == NULL &&
	    json_tokener_get_parse_end(j->parser) < n;
}

/* The closing quote of the string that begins at p, or e; json-c takes names in single quotes. */
static char *
string_end(char *p, const char *e)
{
	const char quote = *p++;

	while (p < e && *p != quote)
		p += *p == '\\' && e - p > 1 ? 2 : 1;
	return p;
}

static void
mark_string(const struct dp_json *j, char *p, const char *e)
{
	while (p < e) {
		if (*p != '\\') {
			p++;
			continue;
		}
		if ((size_t)(e - p) >= NUL_LEN && memcmp(p, NUL, NUL_LEN) == 0)
			memcpy(p, j->mark, NUL_LEN);
		p += 2;
	}
}

/* A string is a name where a colon follows. */
static void
mark_names(const struct dp_json *j, char *p, const char *e)
{
	char *begin, *end;

	while (p < e) {
		if (*p != '"' && *p != '\'') {
			p++;
			continue;
		}
		begin = p;
		end = string_end(p, e);
		for (p = end < e ? end + 1 : end; p < e && strchr(" \t\r\n", *p) != NULL; p++)
			;
		if (p < e && *p == ':')
			mark_string(j, begin, end);
	}
}

/*
 * json-c ends a name at a NUL, so that "v\u0000" would be taken for v: such names are marked in a
 * copy of the line, and then are no path's.
 */
static int
without_nul_names(struct dp_json *j, struct dp_slice *s)
{
	if (memmem(s->p, s->n, NUL, NUL_LEN) == NULL)
		return 0;
	dp_buf_reset(&j->marked);
	dp_buf_add(&j->marked, s->p, s->n);
	if (j->marked.error != 0)
		return DP_ENOMEM;
	mark_names(j, j->marked.p, j->marked.p + s->n);
	s->p = j->marked.p;
	return 0;
}

/* To json-c a NUL is the end of the text, in a line it is a byte that JSON has nowhere. */
static int
parse(struct dp_json *j, struct dp_slice s)
{
	enum json_tokener_error e;

	if (s.n == 0 || memchr(s.p, '\0', s.n) != NULL)
		return 0;
	if (without_nul_names(j, &s) != 0)
		return DP_ENOMEM;
	json_object_put(j->object);
	json_tokener_reset(j->parser);
	j->object = json_tokener_parse_ex(j->parser, s.p, (int)s.n);
	e = json_tokener_get_error(j->parser);
	return without_memory(j, e, s.n) ? DP_ENOMEM : e == json_tokener_success &&
	    json_tokener_get_parse_end(j->parser) == s.n &&
	    json_object_is_type(j->object, json_type_object);
}

/*
 * A line is an object if a strict json-c takes its like with nothing that they differ about; where
 * it has some of that, its fields are those that a json-c finds that is not strict.
 */
static int
parse_strict(struct dp_json *j, struct dp_slice s)
{
	int rc;

	if (dp_json_strict(&j->strict, s) != 0)
		return DP_ENOMEM;
	json_tokener_set_flags(j->parser, JSON_TOKENER_STRICT);
	rc = parse(j, (struct dp_slice){ j->strict.p, j->strict.n });
	if (rc != 1 || memcmp(j->strict.p, s.p, s.n) == 0)
		return rc;
	json_tokener_set_flags(j->parser, 0);
	return parse(j, s);
}

int
dp_json_record(struct dp_json *j, struct dp_record *r)
{
	unsigned i;
	int rc;

	r->nfields = j->n;
	if (!j->no_plain && dp_json_plain(j->path, j->n, r->text, r->field))
		return 1;
	r->nfields = 0;
	if ((rc = parse_strict(j, r->text)) != 1)
		return rc;
	for (i = 0; i < j->n; i++)
		if ((rc = text(find(j->object, j->path[i]), &r->field[i + 1])) != 0)
			return rc;
	r->nfields = j->n;
	return 1;
}

void
dp_json_free(struct dp_json *j)
{
	if (j == NULL)
		return;
	while (j->n > 0)
		free(j->path[--j->n]);
	json_object_put(j->object);
	dp_buf_free(&j->strict);
	dp_buf_free(&j->marked);
	if (j->parser != NULL)
		json_tokener_free(j->parser);
	free(j);
}
