/* SPDX-License-Identifier: ISC */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "numbers.h"

#define EXPONENT	((uint64_t)1 << 15)	/* added to a long double's: none is negative */
#define NONE		UINT32_MAX		/* the name of a word without one */
#define END		SIZE_MAX		/* no further number of this name */
#define VALUE		32			/* bytes of one value's text */
#define HEX_FROM	((uint64_t)1 << 32)

/* The first fault stays. */
static void
fault(struct dp_numbers *p, const char *name, size_t n, const char *why)
{
	if (p->error != 0)
		return;
	p->error = DP_EINVAL;
	snprintf(p->name, sizeof p->name, "%.*s", n < sizeof p->name ? (int)n :
	    (int)sizeof p->name - 1, name);
	snprintf(p->fault, sizeof p->fault, "'%s' %s", p->name, why);
}

static void
fault_at(struct dp_numbers *p, size_t line, const char *why)
{
	if (line < p->lines)
		fault(p, p->line[line].name, strlen(p->line[line].name), why);
	else
		fault(p, "params", 6, why);
}

/* ---- lists ---- */

static bool
room(struct dp_numbers *p, void **list, size_t n, size_t *cap, size_t size)
{
	const size_t wanted = *cap == 0 ? 64 : 2 * *cap;
	void *more;

	if (n < *cap)
		return true;
	if ((more = realloc(*list, wanted * size)) == NULL) {
		p->error = DP_ENOMEM;
		return false;
	}
	*list = more;
	*cap = wanted;
	return true;
}

/* A number's place; END after an error. */
static size_t
add(struct dp_numbers *p, uint64_t word, enum dp_number_kind kind)
{
	void *list = p->number;

	if (p->error != 0 || !room(p, &list, p->n, &p->cap, sizeof *p->number))
		return END;
	p->number = list;
	p->number[p->n] = (struct dp_number){ word, END, NONE, (unsigned char)kind, false };
	return p->n++;
}

static void
name_it(struct dp_numbers *p, size_t number, size_t line)
{
	struct dp_numbers_line *l = &p->line[line];

	p->number[number].name = (uint32_t)line;
	if (l->first == END)
		l->first = number;
	else
		p->number[l->last].next = number;
	l->last = number;
}

/* The line of a name; p->lines: there is none. */
static size_t
find_numbers(const struct dp_numbers *p, const char *name)
{
	size_t i;

	/* calls come line after line, or again and again to one */
	for (i = p->last; i < p->lines && i < p->last + 2; i++)
		if (strcmp(p->line[i].name, name) == 0)
			return i;
	for (i = 0; i < p->lines; i++)
		if (strcmp(p->line[i].name, name) == 0)
			return i;
	return p->lines;
}

/* A line of that name, made if there is none; END after an error. */
static size_t
line_of(struct dp_numbers *p, const char *name)
{
	size_t i = find_numbers(p, name);
	void *list = p->line;

	if (i < p->lines)
		return i;
	if (p->error != 0 || !room(p, &list, p->lines, &p->lines_cap, sizeof *p->line))
		return END;
	p->line = list;
	p->line[i] = (struct dp_numbers_line){ .first = END, .last = END, .at = END };
	snprintf(p->line[i].name, sizeof p->line[i].name, "%s", name);
	return p->lines++;
}

void
dp_numbers_add(struct dp_numbers *p, uint64_t word)
{
	p->old++;
	(void)add(p, word, DP_NUMBER_INT);
}

void
dp_numbers_replay(struct dp_numbers *p)
{
	size_t i;

	p->replay = true;
	p->at = p->depth = p->last = 0;
	p->error = 0;
	if (p->old > 0) {
		p->lines = 0;
		p->n = p->old;
	}
	for (i = 0; i < p->lines; i++)
		p->line[i].at = p->line[i].first;
	for (i = 0; i < p->n; i++) {
		p->number[i].taken = false;
		if (p->old > 0) {
			p->number[i].name = NONE;
			p->number[i].next = END;
		}
	}
}

void
dp_numbers_free(struct dp_numbers *p)
{
	free(p->number);
	free(p->line);
	*p = (struct dp_numbers){ .n = 0 };
}

bool
dp_numbers_replays(const struct dp_numbers *p)
{
	return p != NULL && p->replay;
}

int
dp_numbers_error(const struct dp_numbers *p)
{
	return p != NULL ? p->error : 0;
}

void
dp_numbers_refuse(struct dp_numbers *p)
{
	if (p != NULL)
		fault_at(p, p->last, "does not fit");
}

void
dp_numbers_end(struct dp_numbers *p)
{
	size_t i;

	for (i = 0; dp_numbers_replays(p) && i < p->n; i++)
		if (!p->number[i].taken)
			fault_at(p, p->number[i].name, "has more than this plan");
}

/* ---- scopes ---- */

size_t
dp_numbers_enter(struct dp_numbers *p, const char *scope)
{
	const size_t outer = p == NULL ? 0 : p->depth, n = strlen(scope);

	if (p == NULL)
		return 0;
	if (n + 2 > sizeof p->scope - outer)
		fault(p, scope, n, "is too deep");
	else {
		memcpy(p->scope + outer, scope, n);
		p->scope[outer + n] = '.';
		p->depth += n + 1;
	}
	return outer;
}

size_t
dp_numbers_enter_nth(struct dp_numbers *p, const char *scope, size_t i)
{
	char text[DP_NUMBERS_NAME];

	snprintf(text, sizeof text, "%s.%zu", scope, i);
	return dp_numbers_enter(p, text);
}

void
dp_numbers_leave(struct dp_numbers *p, size_t outer)
{
	if (p != NULL)
		p->depth = outer;
}

/* ---- a number ---- */

static uint64_t
record(struct dp_numbers *p, const char *name, uint64_t v, enum dp_number_kind kind)
{
	const size_t line = line_of(p, name), number = line == END ? END : add(p, v, kind);

	if (number != END) {
		p->number[number].taken = true;
		name_it(p, number, line);
		p->last = line;
	}
	return v;
}

/* The next word without a name, which becomes one of this name. */
static uint64_t
replay_old(struct dp_numbers *p, const char *name, enum dp_number_kind kind)
{
	const size_t line = line_of(p, name);

	if (line == END)
		return 0;
	p->last = line;
	if (p->at == p->old) {
		fault_at(p, line, "is missing");
		return 0;
	}
	name_it(p, p->at, line);
	p->number[p->at].kind = (unsigned char)kind;
	p->number[p->at].taken = true;
	return p->number[p->at++].word;
}

static uint64_t
replay(struct dp_numbers *p, const char *name, enum dp_number_kind kind)
{
	const size_t line = find_numbers(p, name);
	struct dp_number *v;

	if (line == p->lines || p->line[line].at == END) {
		fault(p, name, strlen(name), "is missing");
		return 0;
	}
	p->last = line;
	v = &p->number[p->line[line].at];
	p->line[line].at = v->next;
	v->taken = true;
	if (v->kind != kind) {
		fault_at(p, line, "is no number of its kind");
		return 0;
	}
	return v->word;
}

/* A word as it was recorded, or after v was: v.  fresh: lists of words without names lack it. */
static uint64_t
pass(struct dp_numbers *p, const char *name, uint64_t v, enum dp_number_kind kind, bool fresh)
{
	char text[2 * DP_NUMBERS_NAME];

	if (p == NULL)
		return v;
	snprintf(text, sizeof text, "%.*s%s", (int)p->depth, p->scope, name);
	if (strlen(text) >= DP_NUMBERS_NAME)
		fault(p, name, strlen(name), "is too deep");
	if (!p->replay || (fresh && p->old > 0))
		return record(p, text, v, kind);
	return p->old > 0 ? replay_old(p, text, kind) : replay(p, text, kind);
}

static void
out_of_range(struct dp_numbers *p)
{
	fault_at(p, p->last, "is out of range");
}

static uint64_t
word(struct dp_numbers *p, const char *name, enum dp_number_kind kind, uint64_t v, uint64_t lo,
    uint64_t hi, bool fresh)
{
	v = pass(p, name, v, kind, fresh);
	if (p == NULL || (lo <= v && v <= hi))
		return v;
	out_of_range(p);
	return lo;
}

uint64_t
dp_numbers_int(struct dp_numbers *p, const char *name, uint64_t v, uint64_t lo, uint64_t hi)
{
	return word(p, name, DP_NUMBER_INT, v, lo, hi, false);
}

static double
real(struct dp_numbers *p, const char *name, double v, double lo, double hi, bool fresh)
{
	uint64_t w;

	memcpy(&w, &v, sizeof w);
	w = pass(p, name, w, DP_NUMBER_REAL, fresh);
	memcpy(&v, &w, sizeof v);
	if (p == NULL || (lo <= v && v <= hi))	/* no NaN is */
		return v;
	out_of_range(p);
	return lo;
}

double
dp_numbers_real(struct dp_numbers *p, const char *name, double v, double lo, double hi)
{
	return real(p, name, v, lo, hi, false);
}

bool
dp_numbers_finds(const struct dp_numbers *p)
{
	return p == NULL || !p->replay || p->old > 0;
}

double
dp_numbers_new_real(struct dp_numbers *p, const char *name, double v, double lo, double hi)
{
	return real(p, name, v, lo, hi, true);
}

uint64_t
dp_numbers_new_int(struct dp_numbers *p, const char *name, uint64_t v, uint64_t lo, uint64_t hi)
{
	return word(p, name, DP_NUMBER_INT, v, lo, hi, true);
}

long double
dp_numbers_long(struct dp_numbers *p, const char *name, long double v)
{
	uint64_t w, e;
	int n;

	if (p == NULL)
		return v;
	w = (uint64_t)ldexpl(frexpl(v, &n), 64);
	w = pass(p, name, w, DP_NUMBER_INT, false);
	e = dp_numbers_int(p, name, (uint64_t)n + EXPONENT, 1, EXPONENT + 1);
	v = ldexpl((long double)w, (int)e - (int)EXPONENT - 64);
	if (v <= 1)			/* no word is below 0 */
		return v;
	out_of_range(p);
	return 0;
}

struct dp_q
dp_numbers_q(struct dp_numbers *p, const char *name, struct dp_q q)
{
	q.num = word(p, name, DP_NUMBER_NUM, q.num, 1, INT64_MAX, false);
	q.den = word(p, name, DP_NUMBER_DEN, q.den, 1, INT64_MAX, false);
	return q;
}

static void
same(struct dp_numbers *p, const char *name, uint64_t v, bool fresh)
{
	if (pass(p, name, v, DP_NUMBER_INT, fresh) != v)
		fault_at(p, p->last, "is another here");
}

void
dp_numbers_same(struct dp_numbers *p, const char *name, uint64_t v)
{
	same(p, name, v, false);
}

void
dp_numbers_new_same(struct dp_numbers *p, const char *name, uint64_t v)
{
	same(p, name, v, true);
}

#define BASIS	UINT64_C(0xcbf29ce484222325)	/* FNV's, and its prime */
#define PRIME	UINT64_C(0x100000001b3)

uint64_t
dp_numbers_hash(const void *bytes, size_t n)
{
	const unsigned char *b = bytes;
	uint64_t h = BASIS;

	for (; n > 0; n--)
		h = (h ^ *b++) * PRIME;
	return h;
}

uint64_t
dp_numbers_hash_words(const void *words, size_t n)
{
	const uint64_t *w = words;
	uint64_t h = BASIS;

	for (n /= sizeof *w; n > 0; n--, h ^= h >> 32)
		h = (h ^ *w++) * PRIME;
	return h;
}

void
dp_numbers_same_bytes(struct dp_numbers *p, const char *name, const void *bytes, size_t n)
{
	if (p != NULL)
		dp_numbers_same(p, name, dp_numbers_hash(bytes, n));
}

/* ---- text ---- */

/* A double as %a has it in the C locale, whatever the locale is. */
static void
put_real(char text[static VALUE], uint64_t w)
{
	const uint64_t whole = (uint64_t)1 << 52;
	const char *minus = w >> 63 ? "-" : "";
	uint64_t m = w & (whole - 1);
	int e = (int)(w >> 52 & 0x7ff), n = 13;
	char digits[16] = "";

	if (e == 0x7ff) {
		snprintf(text, VALUE, "%s%s", minus, m == 0 ? "inf" : "nan");
		return;
	}
	if (m != 0) {
		snprintf(digits, sizeof digits, ".%013llx", (unsigned long long)m);
		for (; digits[n] == '0'; n--)
			digits[n] = '\0';
	}
	snprintf(text, VALUE, "%s0x%d%sp%+d", minus, e != 0, digits, e != 0 ? e - 1023 :
	    m != 0 ? -1022 : 0);
}

static void
put_value(char text[static VALUE], uint64_t w, enum dp_number_kind kind)
{
	if (kind == DP_NUMBER_REAL)
		put_real(text, w);
	else
		snprintf(text, VALUE, w < HEX_FROM || kind != DP_NUMBER_INT ? "%llu" : "0x%llx",
		    (unsigned long long)w);
}

void
dp_numbers_put(struct dp_buf *b, const struct dp_numbers *p, const char *prefix)
{
	const struct dp_number *v;
	char text[VALUE];
	size_t i, j;

	for (i = 0; i < p->lines; i++) {
		dp_buf_puts(b, prefix);
		dp_buf_puts(b, p->line[i].name);
		for (j = p->line[i].first; j != END; j = v->next) {
			v = &p->number[j];
			put_value(text, v->word, v->kind);
			dp_buf_puts(b, v->kind == DP_NUMBER_DEN ? "/" : " ");
			dp_buf_puts(b, text);
		}
		dp_buf_puts(b, "\n");
	}
}

static void
get_lines(struct dp_numbers *p, struct dp_doc *d)
{
	static const char prefix[] = DP_NUMBERS_PREFIX;
	const size_t n = sizeof prefix - 1;
	const char *nl;

	while (p->error == 0 && (size_t)(d->end - d->p) > n && memcmp(d->p, prefix, n) == 0 &&
	    (nl = memchr(d->p, '\n', (size_t)(d->end - d->p))) != NULL) {
		dp_numbers_get(p, d->p + n, (size_t)(nl - d->p) - n);
		d->p = nl + 1;
	}
	if (p->error == DP_ENOMEM)
		dp_doc_refuse(d, "", DP_DOC_NOMEM);
	else if (p->error != 0)
		dp_doc_refuse(d, p->name, DP_DOC_MALFORMED);
}

/* Numbers that are known already: the lines are the same, in the same order. */
static void
compare_lines(const struct dp_numbers *p, struct dp_doc *d)
{
	struct dp_buf own = { .n = 0 };
	size_t i;

	dp_numbers_put(&own, p, DP_NUMBERS_PREFIX);
	for (i = 0; own.error == 0 && i < own.n && d->p + i != d->end && own.p[i] == d->p[i]; i++)
		;
	if (own.error != 0)
		dp_doc_refuse(d, "", DP_DOC_NOMEM);
	else if (i < own.n) {
		for (; i > 0 && own.p[i - 1] != '\n'; i--)
			;
		own.p[i + strcspn(own.p + i, " ")] = '\0';
		dp_doc_refuse(d, own.p + i, DP_DOC_DIFFERS);
	} else
		d->p += i;
	dp_buf_free(&own);
}

void
dp_numbers_doc(struct dp_numbers *p, struct dp_doc *d)
{
	if (d->fault != DP_DOC_GOOD)
		return;
	switch (d->way) {
	case DP_DOC_WRITE:
		dp_numbers_put(d->out, p, DP_NUMBERS_PREFIX);
		if (d->out->error != 0)
			dp_doc_refuse(d, "", DP_DOC_NOMEM);
		break;
	case DP_DOC_READ:
		get_lines(p, d);
		break;
	case DP_DOC_COMPARE:
		compare_lines(p, d);
		break;
	}
}

/* Hexadecimal digits at *p, of a value that fits; their number. */
static unsigned
hex(const char **p, uint64_t *v)
{
	static const char digits[] = "0123456789abcdef";
	const char *d;
	unsigned n = 0;

	for (; **p != '\0' && n < 16 && (d = strchr(digits, **p)) != NULL; ++*p, n++)
		*v = *v << 4 | (uint64_t)(d - digits);
	return n;
}

/* One spelling of a real: what put_real() does not write again is refused by the caller. */
static uint64_t
get_real(const char *p)
{
	const bool minus = *p == '-';
	uint64_t m = 0, w;
	unsigned n;
	double v = 0;
	long e;

	p += minus;
	if (strcmp(p, "inf") == 0)
		v = INFINITY;
	else if (p[0] == '0' && p[1] == 'x' && (p[2] == '0' || p[2] == '1')) {
		m = (uint64_t)(p[2] - '0');
		p += 3;
		n = *p == '.' ? (p++, hex(&p, &m)) : 0;
		e = *p == 'p' ? strtol(p + 1, NULL, 10) : 0;
		v = n > 13 || e > 1023 || e < -1022 ? 0 : ldexp((double)m, (int)e - 4 * (int)n);
	}
	if (minus)
		v = -v;
	memcpy(&w, &v, sizeof w);
	return w;
}

static uint64_t
get_int(const char *p)
{
	uint64_t v = 0;

	if (p[0] == '0' && p[1] == 'x') {
		p += 2;
		(void)hex(&p, &v);
	} else
		for (; *p >= '0' && *p <= '9'; p++)	/* what overflows has another spelling */
			v = v * 10 + (uint64_t)(*p - '0');
	return v;
}

/* One value; false: it is not as put_value() writes it. */
static bool
get_value(struct dp_numbers *p, const char *text, enum dp_number_kind kind, size_t line)
{
	const uint64_t w = kind == DP_NUMBER_REAL ? get_real(text) : get_int(text);
	char again[VALUE];
	size_t number;

	put_value(again, w, kind);
	if (strcmp(again, text) != 0)
		return false;
	if ((number = add(p, w, kind)) != END)
		name_it(p, number, line);
	return true;
}

static bool
get_text_numbers(struct dp_numbers *p, char *text, size_t line)
{
	char *slash = strchr(text, '/');

	if (slash != NULL) {
		*slash = '\0';
		return get_value(p, text, DP_NUMBER_NUM, line) &&
		    get_value(p, slash + 1, DP_NUMBER_DEN, line);
	}
	return get_value(p, text, strpbrk(text, "pn") != NULL ? DP_NUMBER_REAL : DP_NUMBER_INT,
	    line);
}

/* A name of letters, digits, dots and dashes. */
static bool
sound(const char *name, size_t n)
{
	size_t i;

	for (i = 0; i < n && ((name[i] >= 'a' && name[i] <= 'z') || name[i] == '-' ||
	    (name[i] >= '0' && name[i] <= '9') || name[i] == '.'); i++)
		;
	return i == n && n > 0 && n < DP_NUMBERS_NAME;
}

void
dp_numbers_get(struct dp_numbers *p, const char *text, size_t n)
{
	const char *end = text + n, *gap = memchr(text, ' ', n);
	const size_t length = gap == NULL ? n : (size_t)(gap - text);
	char name[DP_NUMBERS_NAME], value[2 * VALUE];
	size_t line;

	if (!sound(text, length) || gap == NULL) {
		fault(p, text, length, "is no line of numbers");
		return;
	}
	snprintf(name, sizeof name, "%.*s", (int)length, text);
	if (find_numbers(p, name) != p->lines) {
		fault(p, name, length, "comes twice");
		return;
	}
	if ((line = line_of(p, name)) == END)
		return;
	for (text = gap + 1; text <= end; text = gap + 1) {
		if ((gap = memchr(text, ' ', (size_t)(end - text))) == NULL)
			gap = end;
		snprintf(value, sizeof value, "%.*s", gap - text < (int)sizeof value ?
		    (int)(gap - text) : 0, text);
		if (!get_text_numbers(p, value, line)) {
			fault(p, name, length, "has no number there");
			return;
		}
	}
}
