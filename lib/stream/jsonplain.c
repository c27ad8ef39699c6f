/*
 * jsonplain.c - JSON lines as programs write them, read where they stand.
 *
 * What takes a closer look is left to json-c: a name or a wanted string with an escape in it,
 * control bytes in strings, a whole number that has perhaps more than 64 bits, deep nesting, two
 * members that could both be what a path names, and all that is wrong.
 */
#include <string.h>

#include "jsonplain.h"
#include "record.h"

#define DEPTH	32
#define DIGITS	18		/* of these any whole number has 64 bits */

struct scan {
	const char *p, *e;
	struct dp_slice *field;
	unsigned n;
	bool escaped;		/* the last string has an escape */
};

static bool value(struct scan *, const char *const *rest, unsigned depth, struct dp_slice *);

static void
blanks(struct scan *s)
{
	while (s->p < s->e && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
}

static bool
is(struct scan *s, char c)
{
	if (s->p == s->e || *s->p != c)
		return false;
	s->p++;
	return true;
}

/* The character after a backslash. */
static bool
escape(struct scan *s)
{
	int i;

	if (s->p == s->e || *s->p == '\0' || strchr("\"\\/bfnrtu", *s->p) == NULL)
		return false;
	if (*s->p++ != 'u')
		return true;
	for (i = 0; i < 4; i++, s->p++)
		if (s->p == s->e || *s->p == '\0' ||
		    strchr("0123456789abcdefABCDEF", *s->p) == NULL)
			return false;
	return true;
}

static bool
string(struct scan *s, struct dp_slice *text)
{
	s->escaped = false;
	if (!is(s, '"'))
		return false;
	text->p = s->p;
	for (;;) {
		while (s->p < s->e && *s->p != '"' && *s->p != '\\' &&
		    (unsigned char)*s->p >= ' ')
			s->p++;
		if (!is(s, '\\'))
			break;
		s->escaped = true;
		if (!escape(s))
			return false;
	}
	text->n = (size_t)(s->p - text->p);
	return is(s, '"');
}

static size_t
digits(struct scan *s)
{
	const char *p = s->p;

	while (s->p < s->e && *s->p >= '0' && *s->p <= '9')
		s->p++;
	return (size_t)(s->p - p);
}

static bool
number(struct scan *s, struct dp_slice *text)
{
	const char *p = s->p;
	const bool minus = is(s, '-'), zero = s->p < s->e && *s->p == '0';
	const size_t n = digits(s);
	bool whole = true;

	if (n == 0 || (zero && n > 1))
		return false;
	if (is(s, '.')) {
		whole = false;
		if (digits(s) == 0)
			return false;
	}
	if (is(s, 'e') || is(s, 'E')) {
		whole = false;
		if (!is(s, '+'))
			(void)is(s, '-');
		if (digits(s) == 0)
			return false;
	}
	*text = (struct dp_slice){ p, (size_t)(s->p - p) };
	return !whole || (n <= DIGITS && !(minus && zero));
}

static bool
word(struct scan *s, const char *w, struct dp_slice *text)
{
	const size_t n = strlen(w);

	if ((size_t)(s->e - s->p) < n || memcmp(s->p, w, n) != 0)
		return false;
	*text = (struct dp_slice){ *w == 'n' ? NULL : s->p, *w == 'n' ? 0 : n };
	s->p += n;
	return true;
}

/*
 * Paths that a member is on: `whole` has the bits of those that end here, inner what is left of
 * those that go on, *inside whether any does. false: a path has had a member of this object
 * already.
 */
static bool
concerns(const struct scan *s, const char *const *rest, struct dp_slice key, uint64_t *seen,
    uint64_t *whole, const char **inner, bool *inside)
{
	uint64_t bit = 1;
	unsigned i;
	bool hit;
	char c;

	*whole = 0;
	*inside = false;
	for (i = 0; i < s->n; i++, bit <<= 1) {
		inner[i] = NULL;
		if (rest[i] == NULL || strncmp(rest[i], key.p, key.n) != 0)
			continue;
		c = rest[i][key.n];
		hit = c == '\0' || c == '.';
		if (hit && (*seen & bit) != 0)
			return false;
		if (c == '\0')
			*whole |= bit;
		if (c == '.') {
			inner[i] = rest[i] + key.n + 1;
			*inside = true;
		}
		if (hit)
			*seen |= bit;
	}
	return true;
}

static bool
member(struct scan *s, const char *const *rest, uint64_t *seen, unsigned depth)
{
	const char *inner[DP_FIELDS_MAX];
	struct dp_slice key, text;
	uint64_t whole = 0;
	bool inside = false;
	unsigned i;

	blanks(s);
	if (!string(s, &key) || s->escaped)
		return false;
	blanks(s);
	if (!is(s, ':'))
		return false;
	blanks(s);
	if (rest != NULL && !concerns(s, rest, key, seen, &whole, inner, &inside))
		return false;
	s->escaped = false;
	if (!value(s, inside ? inner : NULL, depth, &text) || (s->escaped && text.p != NULL &&
	    whole != 0))
		return false;
	for (i = 0; whole != 0; i++, whole >>= 1)
		if ((whole & 1) != 0)
			s->field[i + 1] = text;
	blanks(s);
	return true;
}

/* rest[i]: what is left of path i in this object; NULL: nothing.  No rest: no path leads here. */
static bool
object(struct scan *s, const char *const *rest, unsigned depth)
{
	uint64_t seen = 0;

	if (!is(s, '{') || depth == DEPTH)
		return false;
	blanks(s);
	if (is(s, '}'))
		return true;
	do
		if (!member(s, rest, &seen, depth + 1))
			return false;
	while (is(s, ','));
	return is(s, '}');
}

static bool
array(struct scan *s, unsigned depth)
{
	struct dp_slice text;

	if (!is(s, '[') || depth == DEPTH)
		return false;
	blanks(s);
	if (is(s, ']'))
		return true;
	do {
		blanks(s);
		if (!value(s, NULL, depth + 1, &text))
			return false;
		blanks(s);
	} while (is(s, ','));
	return is(s, ']');
}

static bool
value(struct scan *s, const char *const *rest, unsigned depth, struct dp_slice *text)
{
	*text = (struct dp_slice){ NULL, 0 };
	if (s->p == s->e)
		return false;
	switch (*s->p) {
	case '"':
		return string(s, text);
	case '{':
		return object(s, rest, depth);
	case '[':
		return array(s, depth);
	case 't':
		return word(s, "true", text);
	case 'f':
		return word(s, "false", text);
	case 'n':
		return word(s, "null", text);
	default:
		return number(s, text);
	}
}

bool
dp_json_plain(char *const *path, unsigned n, struct dp_slice text, struct dp_slice *field)
{
	struct scan s = { text.p, text.p == NULL ? NULL : text.p + text.n, field, n, false };
	const char *rest[DP_FIELDS_MAX] = { NULL };
	unsigned i;

	for (i = 0; i < n; i++) {
		rest[i] = path[i];
		field[i + 1] = (struct dp_slice){ NULL, 0 };
	}
	blanks(&s);
	if (!object(&s, rest, 0))
		return false;
	blanks(&s);
	return s.p == s.e;
}
