/* SPDX-License-Identifier: ISC */
/*
 * json.c - members of a JSON object as the fields of a line, read where they stand; texts that have
 * escapes are written anew, beside the line.
 *
 * A reader of our own, since a line must leave nothing behind: json-c 0.16 kept half a surrogate
 * pair of a malformed line for the next line, so that one event moved two counts, and strictness,
 * names with a NUL and whole numbers took as many lines around it.  json-c and a grammar in PCRE2
 * are its oracle (t_json.c, f_json.c).
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct dp_json {
	const char *p, *e;	/* what is left of the line */
	struct dp_slice line, *field;	/* field: those of the record, from 1 on */
	struct dp_buf plain;	/* texts without their escapes, together no longer than the line */
	size_t used;
	bool bytes;		/* an array of bytes is a text */
	bool texts;		/* a path may go on inside a text */
	bool inside;		/* what is read is such a text */
	bool more;		/* behind the object begins another one */
	struct {		/* NAME[]: the elements of the array */
		const char *at;	/* the brackets, in its path; NULL: no path has them */
		unsigned path;
		bool there;	/* the array is */
		struct dp_slice *text;
		size_t n, room;
	} each;
	unsigned n;
	const char *path[];
};

/* A text of the line; escaped: it has escapes, or had. */
struct text {
	struct dp_slice s;
	bool escaped;
};

static bool value(struct dp_json *, const char *const *rest, unsigned depth, struct text *);

int
dp_json_new(struct dp_json **out, const char *const *path, unsigned n, bool bytes)
{
	struct dp_json *j = calloc(1, sizeof *j + n * sizeof j->path[0]);
	unsigned i;

	if (j == NULL)
		return DP_ENOMEM;
	j->n = n;
	j->bytes = bytes;
	memcpy(j->path, path, n * sizeof *path);
	for (i = 0; i < n; i++) {
		j->texts |= strchr(path[i], '.') != NULL;
		if (j->each.at == NULL && (j->each.at = dp_path_brackets(path[i])) != NULL)
			j->each.path = i;
	}
	*out = j;
	return 0;
}

/* What has been read of a path does not hold: the member comes again, or is no member. */
static void
forget(struct dp_json *j, unsigned i, const char *rest)
{
	j->field[i] = (struct dp_slice){ NULL, 0 };
	if (j->each.at == NULL || i != j->each.path || rest > j->each.at)
		return;			/* rest is behind the brackets: one element's */
	j->each.there = false;
	j->each.n = 0;
}

/* Another element; its text is NULL if it has none. */
static void
add_element(struct dp_json *j, struct dp_slice text)
{
	struct dp_slice *more;

	if (text.p == NULL)
		return;
	if (j->each.n == j->each.room) {
		j->each.room = j->each.room == 0 ? 16 : 2 * j->each.room;
		more = reallocarray(j->each.text, j->each.room, sizeof *more);
		if (more == NULL) {
			j->each.room = j->each.n;
			j->plain.error = DP_ENOMEM;
			return;
		}
		j->each.text = more;
	}
	j->each.text[j->each.n++] = text;
}

bool
dp_json_several(const struct dp_json *j)
{
	return j->more;
}

size_t
dp_json_elements(const struct dp_json *j, const struct dp_slice **text)
{
	*text = j->each.text;
	return j->each.n;
}

static void
blanks(struct dp_json *j)
{
	while (j->p < j->e && (*j->p == ' ' || *j->p == '\t' || *j->p == '\r' || *j->p == '\n'))
		j->p++;
}

static bool
is(struct dp_json *j, char c)
{
	if (j->p == j->e || *j->p != c)
		return false;
	j->p++;
	return true;
}

/* Four digits; -1: they are none. */
static long
hex(const char *p, const char *e)
{
	long v = 0;
	int i;

	for (i = 0; i < 4; i++, p++) {
		if (p == e || *p == '\0' || strchr("0123456789abcdefABCDEF", *p) == NULL)
			return -1;
		v = 16 * v + (*p <= '9' ? *p - '0' : (*p | 32) - 'a' + 10);
	}
	return v;
}

/* The character after a backslash. */
static bool
escape(struct dp_json *j)
{
	if (j->p == j->e || *j->p == '\0' || strchr("\"\\/bfnrtu", *j->p) == NULL)
		return false;
	if (*j->p++ != 'u')
		return true;
	if (hex(j->p, j->e) < 0)
		return false;
	j->p += 4;
	return true;
}

static const bool ends_text[256] = { ['"'] = true, ['\\'] = true, ['\0'] = true };

static bool
string(struct dp_json *j, struct text *t)
{
	const char *p;

	t->escaped = false;
	if (!is(j, '"'))
		return false;
	t->s.p = j->p;
	for (;;) {
		for (p = j->p; p < j->e && !ends_text[(unsigned char)*p]; p++)
			;
		j->p = p;
		if (!is(j, '\\'))
			break;
		t->escaped = true;
		if (!escape(j))
			return false;
	}
	t->s.n = (size_t)(j->p - t->s.p);
	return is(j, '"');
}

#define HIGH(c)		((c) >> 10 == 0xd800 >> 10)
#define LOW(c)		((c) >> 10 == 0xdc00 >> 10)
#define NO_PAIR		0xfffdul

/* The character whose digits stand at *p, and perhaps of a second escape; *p is behind them. */
static unsigned long
character(const char **p, const char *e)
{
	const unsigned long c = (unsigned long)hex(*p, e);
	long low;

	*p += 4;
	if (!HIGH(c))
		return LOW(c) ? NO_PAIR : c;
	if (e - *p < 6 || (*p)[0] != '\\' || (*p)[1] != 'u' || (low = hex(*p + 2, e)) < 0 ||
	    !LOW(low))
		return NO_PAIR;
	*p += 6;
	return 0x10000 + ((c & 0x3ff) << 10 | ((unsigned long)low & 0x3ff));
}

/* Where the next text is written; NULL: no memory.  Texts of a line are no longer than it. */
static char *
room(struct dp_json *j)
{
	static const char slack[DP_RECORD_SLACK];

	if (j->used == 0) {
		dp_buf_add(&j->plain, j->line.p, j->line.n);
		if (j->texts)
			dp_buf_add(&j->plain, j->line.p, j->line.n);
		dp_buf_add(&j->plain, slack, sizeof slack);
	}
	return j->plain.error != 0 ? NULL : j->plain.p + j->used;
}

/* Writes a text without its escapes, each of which is longer than what it stands for. */
static bool
without_escapes(struct dp_json *j, struct text *t)
{
	static const char from[] = "bfnrt", into[] = "\b\f\n\r\t";
	const char *p = t->s.p, *e, *at;
	char *to;

	if (!t->escaped)
		return true;
	if ((to = room(j)) == NULL)
		return false;
	t->s.p = to;
	for (e = p + t->s.n; p < e; )
		if (*p != '\\')
			*to++ = *p++;
		else if (p[1] == 'u') {
			p += 2;
			to = dp_utf8_put(to, character(&p, e));
		} else {
			at = strchr(from, p[1]);
			*to++ = at != NULL ? into[at - from] : p[1];
			p += 2;
		}
	t->s.n = (size_t)(to - t->s.p);
	j->used += t->s.n;
	return true;
}

static size_t
digits(struct dp_json *j)
{
	const char *p = j->p;

	while (j->p < j->e && *j->p >= '0' && *j->p <= '9')
		j->p++;
	return (size_t)(j->p - p);
}

static bool
word(struct dp_json *j, const char *w)
{
	const size_t n = strlen(w);

	if ((size_t)(j->e - j->p) < n || memcmp(j->p, w, n) != 0)
		return false;
	j->p += n;
	return true;
}

static bool
number(struct dp_json *j)
{
	bool zero;
	size_t n;

	(void)is(j, '-');
	if (word(j, "Infinity"))
		return true;
	zero = j->p < j->e && *j->p == '0';
	n = digits(j);
	if (n == 0 || (zero && n > 1))
		return false;
	if (is(j, '.') && digits(j) == 0)
		return false;
	if (is(j, 'e') || is(j, 'E')) {
		if (!is(j, '+'))
			(void)is(j, '-');
		return digits(j) != 0;
	}
	return true;
}

/* What is left of a path begins with the place of an element, and not with a name. */
static bool
is_index(const struct dp_json *j, const char *const *rest, unsigned i)
{
	return *rest[i] == '[' && rest[i] != j->path[i] && rest[i][-1] != '.';
}

/*
 * Paths that a member is on: `whole` has the bits of those that end here, inner what is left of
 * those that go on, *inside whether any does.  best[i]: bytes of the longest name in this object
 * that path i has begun with, and 1.
 */
static void
concerns(struct dp_json *j, const char *const *rest, struct dp_slice key, size_t *best,
    uint64_t *whole, const char **inner, bool *inside)
{
	unsigned i;
	char c;

	for (i = 0; i < j->n; i++) {
		inner[i] = NULL;
		/* the first byte tells most names apart, without a call */
		if (rest[i] == NULL || (key.n != 0 && *rest[i] != *key.p) ||
		    is_index(j, rest, i) || key.n + 1 < best[i] ||
		    strncmp(rest[i], key.p, key.n) != 0)
			continue;
		c = rest[i][key.n];
		if (c != '\0' && c != '.' && c != '[')
			continue;
		best[i] = key.n + 1;
		forget(j, i, rest[i]);
		if (c == '\0')
			*whole |= (uint64_t)1 << i;
		else {
			inner[i] = rest[i] + key.n + (c == '.');
			*inside = true;
		}
	}
}

static bool
member(struct dp_json *j, const char *const *rest, size_t *best, unsigned depth)
{
	const char *inner[DP_FIELDS_MAX];
	struct text key, text;
	uint64_t whole = 0;
	bool inside = false;
	unsigned i;

	blanks(j);
	if (!string(j, &key))
		return false;
	blanks(j);
	if (!is(j, ':'))
		return false;
	blanks(j);
	if (rest != NULL) {
		if (!without_escapes(j, &key))
			return false;
		if (!key.escaped || memchr(key.s.p, '\0', key.s.n) == NULL)
			concerns(j, rest, key.s, best, &whole, inner, &inside);
	}
	/* cppcheck-suppress legacyUninitvar	// concerns() has filled it where `inside' */
	if (!value(j, inside ? inner : NULL, depth, &text) ||
	    (whole != 0 && !without_escapes(j, &text)))
		return false;
	for (i = 0; whole != 0; i++, whole >>= 1)
		if ((whole & 1) != 0)
			j->field[i] = text.s;
	blanks(j);
	return true;
}

/* rest[i]: what is left of path i in this object; NULL: nothing.  No rest: no path leads here. */
static bool
object(struct dp_json *j, const char *const *rest, unsigned depth)
{
	size_t best[DP_FIELDS_MAX];

	if (!is(j, '{'))
		return false;
	blanks(j);
	if (is(j, '}'))
		return true;
	if (rest != NULL)
		memset(best, 0, j->n * sizeof *best);
	do
		if (!member(j, rest, best, depth + 1))
			return false;
	while (is(j, ','));
	return is(j, '}');
}

/* [K], the place that a path goes on with, or [], any place; *behind: what follows it. */
static bool
is_place(const char *p, size_t k, const char **behind)
{
	char *end;

	if (p[1] == ']') {
		*behind = p + 2;
		return true;
	}
	if (p[1] < '0' || p[1] > '9' || strtoull(p + 1, &end, 10) != k || *end != ']')
		return false;
	*behind = end + 1;
	return true;
}

/* Element k of an array. */
static bool
element(struct dp_json *j, const char *const *rest, size_t k, unsigned depth)
{
	const char *inner[DP_FIELDS_MAX], *behind;
	bool inside = false;
	struct text text;
	uint64_t whole = 0;
	bool each = false;
	unsigned i;

	if (rest == NULL)
		return value(j, NULL, depth + 1, &text);
	for (i = 0; i < j->n; i++) {
		inner[i] = NULL;
		if (rest[i] == NULL || !is_index(j, rest, i) || !is_place(rest[i], k, &behind))
			continue;
		each |= rest[i] == j->each.at;
		if (*behind == '\0')
			whole |= (uint64_t)1 << i;
		else if (*behind == '.' || *behind == '[') {
			inner[i] = behind + (*behind == '.');
			inside = true;
		}
	}
	if (!value(j, inside ? inner : NULL, depth + 1, &text) ||
	    (whole != 0 && !without_escapes(j, &text)))
		return false;
	for (i = 0; whole != 0; i++, whole >>= 1)
		if ((whole & 1) != 0)
			j->field[i] = text.s;
	if (each) {
		add_element(j, j->field[j->each.path]);
		j->field[j->each.path] = (struct dp_slice){ NULL, 0 };
	}
	return true;
}

static bool
array(struct dp_json *j, const char *const *rest, unsigned depth)
{
	size_t k = 0;

	if (!is(j, '['))
		return false;
	if (rest != NULL && j->each.at != NULL && rest[j->each.path] == j->each.at)
		j->each.there = true;
	blanks(j);
	if (is(j, ']'))
		return true;
	do {
		blanks(j);
		if (!element(j, rest, k++, depth))
			return false;
		blanks(j);
	} while (is(j, ','));
	return is(j, ']');
}

/* The text of an array of numbers from 0 to 255 that stands from p on; p == NULL: it is none. */
static struct dp_slice
bytes(struct dp_json *j, const char *p)
{
	char *to = room(j), *const text = to;
	const char *from;
	unsigned n;

	while (to != NULL && p < j->p) {
		for (p++; memchr(" \t\r\n", *p, 4) != NULL; p++)
			;		/* behind [ or a comma; ] ends it */
		for (from = p, n = 0; *p >= '0' && *p <= '9' && n < 256; p++)
			n = 10 * n + (unsigned)(*p - '0');
		if (n > 255 || p == from)
			return (struct dp_slice){ NULL, 0 };
		for (; memchr(" \t\r\n", *p, 4) != NULL; p++)
			;
		if (*p != ',' && *p != ']')
			return (struct dp_slice){ NULL, 0 };
		*to++ = (char)n;
		p = *p == ']' ? j->p : p;
	}
	if (to == NULL)
		return (struct dp_slice){ NULL, 0 };
	j->used += (size_t)(to - text);
	return (struct dp_slice){ text, (size_t)(to - text) };
}

/*
 * A text that a path goes on in: an object, as a program's line is in that of the container.  Of
 * another text no path has a member.  Of texts in such a text none is looked into.
 */
static bool
text_inside(struct dp_json *j, const char *const *rest, unsigned depth, struct text *t)
{
	const char *const p = j->p, *const e = j->e;
	bool good;
	unsigned i;

	if (j->inside)
		return true;
	if (!without_escapes(j, t))
		return false;
	t->escaped = false;
	j->inside = true;
	j->p = t->s.p;
	j->e = t->s.p + t->s.n;
	blanks(j);
	good = object(j, rest, depth);
	blanks(j);
	good = good && j->p == j->e;
	for (i = 0; !good && i < j->n; i++)
		if (rest[i] != NULL)
			forget(j, i, rest[i]);
	j->p = p;
	j->e = e;
	j->inside = false;
	return true;
}

static bool
value(struct dp_json *j, const char *const *rest, unsigned depth, struct text *t)
{
	const char *const p = j->p;
	bool good;

	*t = (struct text){ { NULL, 0 }, false };
	if (p == j->e || depth == DP_JSON_DEPTH)
		return false;
	switch (*p) {
	case '"':
		return string(j, t) && (rest == NULL || text_inside(j, rest, depth, t));
	case '{':
		return object(j, rest, depth);
	case '[':
		if (!array(j, rest, depth))
			return false;
		if (j->bytes)
			t->s = bytes(j, p);
		return j->plain.error == 0;
	case 'n':
		return word(j, "null");
	case 't':
		good = word(j, "true");
		break;
	case 'f':
		good = word(j, "false");
		break;
	case 'N':
		good = word(j, "NaN");
		break;
	default:
		good = number(j);
	}
	t->s = (struct dp_slice){ p, (size_t)(j->p - p) };
	return good;
}

int
dp_json_record(struct dp_json *j, struct dp_record *r)
{
	unsigned i;
	bool good;

	j->line = r->text;
	j->field = r->field + 1;
	j->p = r->text.p;
	j->e = r->text.p == NULL ? NULL : r->text.p + r->text.n;
	j->used = 0;
	dp_buf_reset(&j->plain);
	for (i = 0; i < j->n; i++)
		forget(j, i, j->path[i]);
	blanks(j);
	good = object(j, j->path, 0);
	blanks(j);
	j->more = good && j->p < j->e && *j->p == '{';
	good = good && j->p == j->e;
	r->nfields = good ? j->n : 0;
	if (j->each.at != NULL)
		j->field[j->each.path] = (struct dp_slice){ j->each.there ? "" : NULL, 0 };
	return j->plain.error != 0 ? j->plain.error : good;
}

void
dp_json_free(struct dp_json *j)
{
	if (j == NULL)
		return;
	dp_buf_free(&j->plain);
	free(j->each.text);
	free(j);
}
