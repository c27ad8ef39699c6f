/* SPDX-License-Identifier: ISC */
/* doc.c - see doc.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define NUMBER	64		/* bytes of a number's text, and a NUL */

struct dp_doc
dp_doc_writer(struct dp_buf *out)
{
	return (struct dp_doc){ .way = DP_DOC_WRITE, .out = out };
}

struct dp_doc
dp_doc_reader(struct dp_slice text)
{
	return (struct dp_doc){ .way = DP_DOC_READ, .p = text.p, .end = text.p + text.n };
}

struct dp_doc
dp_doc_comparer(struct dp_slice text)
{
	return (struct dp_doc){ .way = DP_DOC_COMPARE, .p = text.p, .end = text.p + text.n };
}

void
dp_doc_refuse(struct dp_doc *d, const char *key, enum dp_doc_fault fault)
{
	size_t n;

	if (d->fault != DP_DOC_GOOD)
		return;
	d->fault = fault;
	n = strlen(key) < DP_DOC_KEY ? strlen(key) : DP_DOC_KEY - 1;
	memcpy(d->key, key, n);
	d->key[n] = '\0';
}

int
dp_doc_error(const struct dp_doc *d, char why[static DP_DOC_WHY])
{
	static const char *const is[] = { "", "is missing", "is damaged", "differs",
	    "is unknown here", "" };

	if (d->fault == DP_DOC_GOOD)
		return 0;
	if (d->fault == DP_DOC_NOMEM)
		return DP_ENOMEM;
	snprintf(why, DP_DOC_WHY, "'%s' %s", d->key, is[d->fault]);
	return DP_ESTATE;
}

static enum dp_doc_way
way(const struct dp_doc *d, const char *key)
{
	return d->way == DP_DOC_READ && d->compares != NULL && d->compares(d->arg, key) ?
	    DP_DOC_COMPARE : d->way;
}

/* The next line; false: there is none. */
static bool
peek(const struct dp_doc *d, struct dp_slice *line)
{
	const char *nl = d->p == d->end ? NULL :
	    memchr(d->p, '\n', (size_t)(d->end - d->p));

	if (nl == NULL)
		return false;
	*line = (struct dp_slice){ d->p, (size_t)(nl - d->p) };
	return true;
}

static bool
has_key(struct dp_slice line, const char *key)
{
	const size_t k = strlen(key);

	return line.n > k && memcmp(line.p, key, k) == 0 && line.p[k] == ' ';
}

bool
dp_doc_next(const struct dp_doc *d, const char *key)
{
	struct dp_slice line;

	return d->fault == DP_DOC_GOOD && peek(d, &line) && has_key(line, key);
}

void
dp_doc_peek(const struct dp_doc *d, char key[static DP_DOC_KEY])
{
	struct dp_slice line;
	const char *blank;
	size_t n = 0;

	if (d->fault == DP_DOC_GOOD && peek(d, &line) &&
	    (blank = memchr(line.p, ' ', line.n)) != NULL) {
		n = (size_t)(blank - line.p) < DP_DOC_KEY ? (size_t)(blank - line.p) : 0;
		memcpy(key, line.p, n);
	}
	key[n] = '\0';
}

bool
dp_doc_find(struct dp_slice text, const char *key, struct dp_slice *value)
{
	struct dp_doc d = dp_doc_reader(text);
	struct dp_slice line;

	for (; peek(&d, &line); d.p = line.p + line.n + 1)
		if (has_key(line, key)) {
			*value = (struct dp_slice){ line.p + strlen(key) + 1,
			    line.n - strlen(key) - 1 };
			return true;
		}
	return false;
}

/* The key is not next: if it is there, a line too many is before it. */
static void
missing(struct dp_doc *d, const char *key)
{
	char first[DP_DOC_KEY];
	struct dp_slice value;

	dp_doc_peek(d, first);
	if (*first != '\0' &&
	    dp_doc_find((struct dp_slice){ d->p, (size_t)(d->end - d->p) }, key, &value))
		dp_doc_refuse(d, first, DP_DOC_REST);
	else
		dp_doc_refuse(d, key, DP_DOC_MISSING);
}

/* Takes the next line, which must have this key. */
static bool
take(struct dp_doc *d, const char *key, struct dp_slice *value)
{
	const size_t k = strlen(key);
	struct dp_slice line;

	if (d->fault != DP_DOC_GOOD)
		return false;
	if (!peek(d, &line) || !has_key(line, key)) {
		missing(d, key);
		return false;
	}
	*value = (struct dp_slice){ line.p + k + 1, line.n - k - 1 };
	d->p = line.p + line.n + 1;
	return true;
}

static void
malformed(struct dp_doc *d, const char *key, struct dp_slice found)
{
	dp_doc_refuse(d, key, DP_DOC_MALFORMED);
	d->found = found;
}

static bool
equal(struct dp_slice s, const char *p, size_t n)
{
	return s.n == n && memcmp(s.p, p, n) == 0;
}

/* Appends the line, or compares it. */
static void
put_doc(struct dp_doc *d, const char *key, const char *p, size_t n)
{
	struct dp_slice found;

	if (d->way == DP_DOC_WRITE && d->fault == DP_DOC_GOOD) {
		dp_buf_puts(d->out, key);
		dp_buf_add(d->out, " ", 1);
		dp_buf_add(d->out, p, n);
		dp_buf_add(d->out, "\n", 1);
		if (d->out->error != 0)
			dp_doc_refuse(d, key, DP_DOC_NOMEM);
	} else if (take(d, key, &found) && !equal(found, p, n)) {
		dp_doc_refuse(d, key, DP_DOC_DIFFERS);
		d->found = found;
	}
}

/* The same of a value made in a buffer, which is freed. */
static void
put_buf(struct dp_doc *d, const char *key, struct dp_buf *b)
{
	if (b->error != 0)
		dp_doc_refuse(d, key, DP_DOC_NOMEM);
	else
		put_doc(d, key, b->n == 0 ? "" : b->p, b->n);
	dp_buf_free(b);
}

/* In place of a line: "[name]" */
static void
bracket(struct dp_doc *d, const char *name)
{
	char text[DP_DOC_KEY + 2];
	const size_t n = (size_t)snprintf(text, sizeof text, "[%s]", name);
	struct dp_slice line;

	if (d->fault != DP_DOC_GOOD)
		return;
	if (d->way == DP_DOC_WRITE) {
		dp_buf_add(d->out, text, n);
		dp_buf_add(d->out, "\n", 1);
		if (d->out->error != 0)
			dp_doc_refuse(d, text, DP_DOC_NOMEM);
	} else if (!peek(d, &line))
		dp_doc_refuse(d, text, DP_DOC_MISSING);
	else if (equal(line, text, n))
		d->p = line.p + line.n + 1;
	else {			/* a line of the section before, or of a later version */
		snprintf(text, sizeof text, "%.*s", (int)(line.n < DP_DOC_KEY ? line.n :
		    DP_DOC_KEY), line.p);
		text[strcspn(text, " ")] = '\0';
		dp_doc_refuse(d, text, DP_DOC_REST);
	}
}

void
dp_doc_section(struct dp_doc *d, const char *name)
{
	bracket(d, name);
}

void
dp_doc_end(struct dp_doc *d)
{
	bracket(d, "end");
	if (d->way != DP_DOC_WRITE && d->p != d->end)
		dp_doc_refuse(d, "[end]", DP_DOC_REST);
}

bool
dp_doc_optional(struct dp_doc *d, const char *key, bool *there)
{
	const bool next = dp_doc_next(d, key);

	if (d->fault != DP_DOC_GOOD)
		return false;
	switch (way(d, key)) {
	case DP_DOC_WRITE:
		break;
	case DP_DOC_READ:
		*there = next;
		break;
	case DP_DOC_COMPARE:
		if (*there != next)
			dp_doc_refuse(d, key, next ? DP_DOC_DIFFERS : DP_DOC_MISSING);
		break;
	}
	return d->fault == DP_DOC_GOOD && *there;
}

void
dp_doc_is(struct dp_doc *d, const char *key, const char *text)
{
	put_doc(d, key, text, strlen(text));
}

static bool
get_u64(struct dp_slice s, uint64_t *x)
{
	size_t i;

	for (*x = 0, i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9' || __builtin_mul_overflow(*x, 10, x) ||
		    __builtin_add_overflow(*x, (uint64_t)(s.p[i] - '0'), x))
			return false;
	return s.n > 0 && (s.n == 1 || *s.p != '0');
}

void
dp_doc_u64(struct dp_doc *d, const char *key, uint64_t *x, uint64_t lo, uint64_t hi)
{
	struct dp_slice value;
	char text[NUMBER];
	uint64_t n;

	if (way(d, key) != DP_DOC_READ) {
		snprintf(text, sizeof text, "%llu", (unsigned long long)*x);
		dp_doc_is(d, key, text);
	} else if (take(d, key, &value)) {
		if (!get_u64(value, &n) || n < lo || n > hi)
			malformed(d, key, value);
		else
			*x = n;
	}
}

void
dp_doc_flag(struct dp_doc *d, const char *key, bool *x)
{
	const bool read = way(d, key) == DP_DOC_READ;
	uint64_t n = !read && *x;

	dp_doc_u64(d, key, &n, 0, 1);
	if (read && d->fault == DP_DOC_GOOD)
		*x = n != 0;
}

void
dp_doc_q(struct dp_doc *d, const char *key, struct dp_q *q)
{
	struct dp_slice value, num;
	struct dp_q x, same;
	char text[NUMBER];
	const char *bar;

	if (way(d, key) != DP_DOC_READ) {
		snprintf(text, sizeof text, "%llu/%llu", (unsigned long long)q->num,
		    (unsigned long long)q->den);
		dp_doc_is(d, key, text);
	} else if (take(d, key, &value)) {
		bar = value.n == 0 ? NULL : memchr(value.p, '/', value.n);
		num = (struct dp_slice){ value.p, bar == NULL ? 0 : (size_t)(bar - value.p) };
		if (!get_u64(num, &x.num) || !get_u64((struct dp_slice){ bar + 1,
		    value.n - num.n - 1 }, &x.den) || dp_q_reduce(&same, x.num, x.den) != 0 ||
		    same.num != x.num || same.den != x.den)
			malformed(d, key, value);
		else
			*q = x;
	}
}

void
dp_doc_enum(struct dp_doc *d, const char *key, unsigned *x, const char *const *name, size_t n)
{
	struct dp_slice value;
	unsigned i;

	if (way(d, key) != DP_DOC_READ) {
		dp_doc_is(d, key, name[*x]);
	} else if (take(d, key, &value)) {
		for (i = 0; i < n && !equal(value, name[i], strlen(name[i])); i++)
			;
		if (i == n)
			malformed(d, key, value);
		else
			*x = i;
	}
}

/* Texts. */

#define EMPTY	"\"\""

/* In a list a comma is not plain. */
static void
put_text(struct dp_buf *b, const char *s, bool listed)
{
	char hex[4];

	if (*s == '\0')
		dp_buf_puts(b, EMPTY);
	else if (strcmp(s, EMPTY) == 0)
		dp_buf_puts(b, "%22%22");
	else if (strcmp(s, "-") == 0)
		dp_buf_puts(b, "%2d");
	else for (; *s != '\0'; s++)
		if (*s >= ' ' && *s <= '~' && *s != '%' && !(listed && *s == ','))
			dp_buf_add(b, s, 1);
		else {
			snprintf(hex, sizeof hex, "%%%02x", (unsigned)(unsigned char)*s);
			dp_buf_add(b, hex, 3);
		}
}

/* Into s.n + 1 bytes: 0, DP_ENOMEM, DP_ESYNTAX. */
static int
get_text_doc(char *to, struct dp_slice s, bool listed)
{
	struct dp_buf b = { .n = 0 };
	size_t n = 0;
	int e;

	if (!equal(s, EMPTY, 2) && (s.n == 0 || equal(s, "-", 1) || !dp_unescape(to, s.n, s, &n)))
		return DP_ESYNTAX;
	to[n] = '\0';
	put_text(&b, to, listed);
	e = b.error != 0 ? b.error : equal(s, b.p, b.n) ? 0 : DP_ESYNTAX;
	dp_buf_free(&b);
	return e;
}

/* The fault of a value that could not be read; true: there is none. */
static bool
got(struct dp_doc *d, const char *key, struct dp_slice value, int e)
{
	if (e == DP_ENOMEM)
		dp_doc_refuse(d, key, DP_DOC_NOMEM);
	else if (e != 0)
		malformed(d, key, value);
	return e == 0;
}

void
dp_doc_text(struct dp_doc *d, const char *key, char **text)
{
	struct dp_buf b = { .n = 0 };
	struct dp_slice value;
	char *s = NULL;
	int e;

	if (way(d, key) != DP_DOC_READ) {
		if (*text == NULL)
			dp_buf_puts(&b, "-");
		else
			put_text(&b, *text, false);
		put_buf(d, key, &b);
	} else if (take(d, key, &value)) {
		if (equal(value, "-", 1))
			e = 0;
		else
			e = (s = malloc(value.n + 1)) == NULL ? DP_ENOMEM :
			    get_text_doc(s, value, false);
		if (got(d, key, value, e))
			*text = s;
		else
			free(s);
	}
}

void
dp_doc_chars(struct dp_doc *d, const char *key, char *text, size_t size)
{
	const bool read = way(d, key) == DP_DOC_READ;
	char *s = read ? NULL : text;

	dp_doc_text(d, key, &s);
	if (!read || d->fault != DP_DOC_GOOD)
		return;
	if (s == NULL || strlen(s) >= size)
		dp_doc_refuse(d, key, DP_DOC_MALFORMED);
	else
		memcpy(text, s, strlen(s) + 1);
	free(s);
}

/* The texts of a list into one block: pointers, and then the texts. */
static int
get_list(struct dp_slice s, char ***list, size_t *n, size_t most)
{
	const char *end = s.p + s.n, *p, *comma;
	char **names, *to;
	size_t i, count = 1;
	int e = 0;

	for (p = s.p; p < end; p++)
		count += *p == ',';
	if (count > most)
		return DP_ESYNTAX;
	if ((names = malloc(count * sizeof *names + s.n + 1)) == NULL)
		return DP_ENOMEM;
	to = (char *)(names + count);
	for (p = s.p, i = 0; i < count && e == 0; i++, p = comma + 1) {
		comma = i + 1 == count ? end : memchr(p, ',', (size_t)(end - p));
		names[i] = to;
		if ((e = get_text_doc(to, (struct dp_slice){ p, (size_t)(comma - p) }, true)) == 0)
			to += strlen(to) + 1;
	}
	if (e != 0)
		free(names);
	else {
		*list = names;
		*n = count;
	}
	return e;
}

void
dp_doc_list(struct dp_doc *d, const char *key, char ***list, size_t *n, size_t most)
{
	struct dp_buf b = { .n = 0 };
	struct dp_slice value;
	size_t i;

	if (way(d, key) != DP_DOC_READ) {
		if (*n == 0)
			dp_buf_puts(&b, "-");
		for (i = 0; i < *n; i++) {
			if (i > 0)
				dp_buf_puts(&b, ",");
			put_text(&b, (*list)[i], true);
		}
		put_buf(d, key, &b);
	} else if (take(d, key, &value)) {
		if (equal(value, "-", 1)) {
			*list = NULL;
			*n = 0;
		} else
			(void)got(d, key, value, get_list(value, list, n, most));
	}
}
