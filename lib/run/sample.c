/* SPDX-License-Identifier: ISC */
/*
 * sample.c - --check: what will probably surprise, of all lines of a sample: a line a kind when it
 * ends, with how many there are, the first of them, and the option that cures it.
 *
 * NOT PRIVATE, as all of --check is: the sample's lines must be public.
 */
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "input/event.h"
#include "input/record.h"
#include "store/run.h"
#include "internal.h"

/* How many there are of a kind, and the first. */
struct kind {
	uint64_t n;
	char first[DP_SHOWN_TEXT];
};

/* Ways to write numbers, each before those that take more signs than it. */
static const struct {
	struct dp_digits digits;
	const char *options;
} ways[] = {
	{ { ',', '\0', false }, "--decimal=," },
	{ { '\0', ',', false }, "--thousands=," },
	{ { '\0', ' ', false }, "--thousands=' '" },
	{ { '\0', '\'', false }, "--thousands=\"'\"" },
	{ { '\0', '_', false }, "--thousands=_" },
	{ { ',', '.', false }, "--decimal=, --thousands=." },
	{ { ',', ' ', false }, "--decimal=, --thousands=' '" },
	{ { ',', '\'', false }, "--decimal=, --thousands=\"'\"" }
};

#define WAYS	(sizeof ways / sizeof *ways)
enum { COMMA, GROUPS };			/* the first two: 1,234 is either */

/*
 * Formats of times: those with names, and days with a time of day behind them, or none.  Each
 * before those that read a part of what it reads.
 */
static const char *const named[] = { "clf", "iso", "syslog", "epoch", "excel", "%Y%m%d%H%M%S",
	"%a %b %d %H:%M:%S %Y", "%Y-%m", "%Y/%m", "%m/%Y", "%b %Y", "%b-%y", "%Y" };
static const char *const days[] = { "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y",
	"%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d %b %Y",
	"%d-%b-%Y", "%d-%b-%y", "%b %d, %Y", "%b %d %Y", "%a, %d %b %Y" };
static const char *const clocks[] = { " %H:%M:%S", " %I:%M:%S %p", " %I.%M.%S %p", " %H:%M",
	" %I:%M %p", ", %H:%M:%S", ", %I:%M:%S %p", ", %H:%M", "_%H:%M:%S", "-%H.%M.%S", "" };

#define NAMED	(sizeof named / sizeof *named)
#define DAYS	(sizeof days / sizeof *days)
#define FORMATS	(NAMED + DAYS * (sizeof clocks / sizeof *clocks))
#define FORMAT	32

/* Values, times, users, lines that are not as they seem */
enum { CLAMPED, FOLDED, ROUNDED, NUMBER, MORE, SPACED, BEHIND, DASH, POINTS, WORD, TIME, NO_CLOCK,
	OUTSIDE, NOBODY, BEYOND, UNDECLARED, PORT, LIST, LONG_ADDRESS, OBJECT, WHERE, KINDS };

#define HELD	8		/* conditions that are looked at */

/* By what a key differs from one that is declared. */
enum { TRIM = 1, PAGE = 2, LOWER = 4, QUOTES = 8, APART = 16 };

struct dp_sample {
	uint64_t lines, counted;
	struct kind kind[KINDS];
	struct kind apart[APART];
	uint64_t looks;			/* keys that one was compared with */
	bool apart_large;		/* a declared key has capitals */
	const char *object;		/* what makes one of the first line that is none */
	int64_t lo, hi;			/* of values that are clamped, on the grid */
	unsigned places;		/* most decimals of those that are rounded */
	bool other_points;		/* a number whose point cannot be one of thousands */
	struct {
		uint64_t n[WAYS];	/* numbers that are read so */
		char unit[DP_UNIT_NAME];	/* of the first with one; or empty */
	} way;
	struct format {
		char name[FORMAT];
		struct dp_when rule;
		bool known;
		uint64_t n;			/* times that are read so */
	} *format;				/* FORMATS of them, once one is needed */
	bool zoned;			/* UTC stands behind a time, in its field */
	int64_t early, late;		/* of times outside */
	const struct dp_condition *condition;	/* one that nearly holds */
	struct {
		struct dp_match *match[2];	/* -m in any case; as a plain string */
		uint64_t n[2], of;		/* lines that match so, of those that do not */
		struct dp_match *where[HELD];	/* patterns of --where in any case */
		uint64_t held[HELD];
	} other;
};

static void
note(struct kind *k, struct dp_slice s)
{
	if (k->n++ == 0)
		dp_shown(k->first, s.p, s.n);
}

int
dp_sample_new(struct dp_sample **out, const struct dp_run *r)
{
	struct dp_sample *s = calloc(1, sizeof *s);
	size_t i;
	int e;

	if (s == NULL)
		return DP_ENOMEM;
	for (i = 0, e = 0; i < 2 && e == 0; i++)
		e = dp_events_match_as(r->in.events, i == 1, &s->other.match[i]);
	for (i = 0; i < HELD && e == 0; i++)
		e = dp_events_where_as(r->in.events, i, &s->other.where[i]);
	if (e != 0) {
		dp_sample_free(s);
		return e;
	}
	*out = s;
	return 0;
}

void
dp_sample_free(struct dp_sample *s)
{
	size_t i;

	if (s == NULL)
		return;
	for (i = 0; i < 2; i++)
		dp_events_match_end(s->other.match[i]);
	for (i = 0; i < HELD; i++)
		dp_events_match_end(s->other.where[i]);
	free(s->format);
	free(s);
}

/*
 * Numbers.
 */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct dp_slice
trimmed(struct dp_slice s)
{
	while (s.n > 0 && (*s.p == ' ' || *s.p == '\t')) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
		s.n--;
	return s;
}

/* True: the ways that read it are counted. */
static bool
count_ways(struct dp_sample *s, struct dp_slice text)
{
	bool any = false, reads;
	int64_t n;
	size_t i;

	for (i = 0; i < WAYS; i++) {
		reads = dp_number_reads(ways[i].digits, 0, text, &n);
		s->way.n[i] += reads;
		any |= reads;
	}
	return any;
}

/* True: a number with a unit; the ways that read it are counted, if it is not plain. */
static bool
see_unit(struct dp_sample *s, struct dp_slice text)
{
	char unit[DP_UNIT_NAME], of[DP_UNIT_NAME];
	const bool plain = dp_number_unit((struct dp_digits){ .decimal = '\0' }, text, of);
	bool any = plain;
	size_t i;

	for (i = 0; i < WAYS && !plain; i++)
		if (dp_number_unit(ways[i].digits, text, unit)) {
			s->way.n[i]++;
			strcpy(of, unit);
			any = true;
		}
	if (any && *s->way.unit == '\0')
		strcpy(s->way.unit, of);
	return any;
}

#define MINUS	"\xe2\x88\x92"		/* U+2212 */

/* A text that is no number under these options. */
static void
see_unread(struct dp_sample *s, struct dp_slice text)
{
	struct dp_slice in = text;
	int64_t n;

	if (count_ways(s, text)) {
		note(&s->kind[NUMBER], text);
		return;
	}
	while (in.n > 0 && !is_digit(*in.p) && strchr("+-.", *in.p) == NULL) {
		in.p++;
		in.n--;
	}
	while (in.n > 0 && !is_digit(in.p[in.n - 1]))
		in.n--;
	if (text.n == 0)
		return;
	if (text.n > 3 && memcmp(text.p, MINUS, 3) == 0) {
		note(&s->kind[DASH], text);
		return;
	}
	if (trimmed(text).n != in.n && see_unit(s, text))
		note(&s->kind[MORE], text);
	else if (in.n == 0 || (!dp_number_reads((struct dp_digits){ 0 }, 0, in, &n) &&
	    !count_ways(s, in)))
		note(&s->kind[WORD], text);
	else if (trimmed(text).n == in.n)
		note(&s->kind[SPACED], text);
	else
		note(&s->kind[text.p[text.n - 1] == '-' || text.p[text.n - 1] == ')' ? BEHIND :
		    MORE], text);
}

/* Digits that the number needs after its point. */
static unsigned
decimals(struct dp_digits digits, struct dp_slice text)
{
	unsigned places = 0;

	while (places < 9 && !dp_number_exact(digits, places, text))
		places++;
	return places;
}

/* 1.234: three digits behind a point, and one to three before it. */
static bool
may_be_thousands(struct dp_slice s)
{
	const char *point = memchr(s.p, '.', s.n);
	size_t before = point == NULL ? 0 : (size_t)(point - s.p);

	if (before > 0 && (*s.p == '-' || *s.p == '+'))
		before--;
	return before >= 1 && before <= 3 && s.n - (size_t)(point - s.p) == 4 && *s.p != '0' &&
	    is_digit(point[1]) && is_digit(point[2]) && is_digit(point[3]);
}

static void
see_clamped(struct dp_sample *s, int64_t n, struct dp_slice text)
{
	s->lo = s->kind[CLAMPED].n == 0 || n < s->lo ? n : s->lo;
	s->hi = s->kind[CLAMPED].n == 0 || n > s->hi ? n : s->hi;
	note(&s->kind[CLAMPED], text);
}

static void
see_number(struct dp_sample *s, const struct dp_run *r, const struct dp_record *rec,
    const struct dp_event *v)
{
	const struct dp_ask_range *range = &r->o->range;
	const struct dp_digits digits = r->o->form.digits;
	const struct dp_slice text = dp_events_written(r->in.events, rec);
	const unsigned grid = dp_range_places(range);
	unsigned places;
	int64_t n;

	if (text.p == NULL || text.n == 0 || !dp_number_reads(digits, grid, text, &n))
		return;
	if (v->clamped)
		see_clamped(s, n, text);
	else if (range->finer == 0 && (places = decimals(digits, text)) > grid) {
		s->places = places > s->places ? places : s->places;
		note(&s->kind[ROUNDED], text);
	}
	if (digits.decimal != '\0' || digits.thousands != '\0' || memchr(text.p, '.', text.n) ==
	    NULL)
		return;
	if (may_be_thousands(text))
		note(&s->kind[POINTS], text);
	else
		s->other_points = true;
}

/*
 * Keys.
 */

static struct dp_slice
changed(unsigned how, struct dp_slice s)
{
	size_t n;

	if ((how & TRIM) != 0)
		s = trimmed(s);
	if ((how & QUOTES) != 0 && s.n >= 2 && *s.p == '"' && s.p[s.n - 1] == '"')
		s = (struct dp_slice){ s.p + 1, s.n - 2 };
	for (n = 0; (how & PAGE) != 0 && n < s.n; n++)
		if (s.p[n] == '?' || s.p[n] == '#')
			s.n = n;
	return s;
}

static bool
is_key(unsigned how, struct dp_slice s, const char *key)
{
	return strlen(key) == s.n && (how & LOWER ? strncasecmp(key, s.p, s.n) :
	    memcmp(key, s.p, s.n)) == 0;
}

#define LOOKS	5000000		/* no more keys are compared */
#define TIMES	1000		/* no more times are tried by all formats */

/* A key that is not declared: what it would have to lose to be. */
static void
see_key(struct dp_sample *s, const struct dp_ask_keys *keys, struct dp_slice text)
{
	unsigned bits, how;
	size_t i;

	if (s->looks > LOOKS)
		return;
	s->looks += keys->n;
	for (bits = 1; bits <= 3; bits++)
		for (how = 1; how < APART; how++)
			for (i = 0; __builtin_popcount(how) == (int)bits && i < keys->n; i++)
				if (is_key(how, changed(how, text), keys->name[i])) {
					s->apart_large |= keys->name[i][strcspn(keys->name[i],
					    "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] != '\0';
					note(&s->apart[how], text);
					return;
				}
	if (how == APART)
		note(&s->kind[UNDECLARED], text);
}

/*
 * Who, and when.
 */

/* An address, or what stands in brackets, a colon and digits */
bool
dp_sample_port(struct dp_slice s)
{
	unsigned dots = 0;
	size_t n = s.n, i;

	while (n > 0 && is_digit(s.p[n - 1]))
		n--;
	if (n < 4 || n == s.n || s.p[n - 1] != ':')
		return false;
	if (s.p[0] == '[' && s.p[n - 2] == ']')
		return true;
	for (i = 0; i < n - 1 && (s.p[i] == '.' || is_digit(s.p[i])); i++)
		dots += s.p[i] == '.';
	return i == n - 1 && dots == 3;
}

/* The family of an address; 0: it is none.  short_: it is written as RFC 5952 says. */
static int
address(struct dp_slice s, bool *short_)
{
	char text[INET6_ADDRSTRLEN], again[INET6_ADDRSTRLEN];
	unsigned char a[16];
	int family = memchr(s.p, ':', s.n) != NULL ? AF_INET6 : AF_INET;

	if (s.n == 0 || s.n >= sizeof text || memchr(s.p, '\0', s.n) != NULL)
		return 0;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	if (inet_pton(family, text, a) != 1)
		return 0;
	*short_ = inet_ntop(family, a, again, sizeof again) != NULL && strcmp(again, text) == 0;
	return family;
}

static void
see_person(struct dp_sample *s, struct dp_slice who)
{
	const char *comma = who.n == 0 ? NULL : memchr(who.p, ',', who.n);
	bool is_short = true;

	if (who.n == 0)
		return;
	if (dp_sample_port(who))
		note(&s->kind[PORT], who);
	else if (comma != NULL && address((struct dp_slice){ who.p, (size_t)(comma - who.p) },
	    &is_short) != 0)
		note(&s->kind[LIST], who);
	else if (address(who, &is_short) != 0 && !is_short)
		note(&s->kind[LONG_ADDRESS], who);
}

/* 2000 to 2033: a number of another kind is rarely that. */
static bool
is_present(int64_t t)
{
	return t >= INT64_C(946684800) && t < INT64_C(2000000000);
}

static int
formats_new(struct dp_sample *s, const char *given)
{
	struct format *f;
	size_t i;

	if ((s->format = calloc(FORMATS, sizeof *s->format)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < FORMATS; i++) {
		f = &s->format[i];
		snprintf(f->name, sizeof f->name, "%s%s", i < NAMED ? named[i] :
		    days[(i - NAMED) % DAYS], i < NAMED ? "" : clocks[(i - NAMED) / DAYS]);
		f->known = strcmp(f->name, given) != 0 && dp_when_rule(&f->rule, f->name) == 0;
	}
	return 0;
}

/* A time that is none in the given format. */
static void
see_unread_time(struct dp_sample *s, const struct dp_run *r, const struct dp_record *rec,
    const struct dp_event *v)
{
	const struct dp_ask_form *f = &r->o->form;
	struct dp_stamp stamp = { .next = { "", 0 } };
	int64_t t;
	size_t i;

	if (v->field == 0 || v->field > rec->nfields || rec->field[v->field].p == NULL)
		return;
	stamp.text = rec->field[v->field];
	if (v->with != 0 && v->with <= rec->nfields && rec->field[v->with].p != NULL) {
		stamp.next = rec->field[v->with];
		stamp.zone = stamp.next.n;
	} else if (!f->csv && !dp_options_formed(r->o) && f->delimiter < 0 &&
	    v->field <= DP_FIELDS_MAX) {
		stamp.next.p = stamp.text.p + stamp.text.n;
		stamp.next.n = stamp.zone = (size_t)(rec->text.p + rec->text.n - stamp.next.p);
	}
	note(&s->kind[TIME], stamp.text);
	if (s->kind[TIME].n > TIMES ||
	    (s->format == NULL && formats_new(s, r->o->time.format) != 0))
		return;
	if (stamp.text.n > 4 && stamp.zone == 0 &&
	    (memcmp(stamp.text.p + stamp.text.n - 4, " GMT", 4) == 0 ||
	    memcmp(stamp.text.p + stamp.text.n - 4, " UTC", 4) == 0)) {
		stamp.text.n -= 4;
		s->zoned = true;
	}
	for (i = 0; i < FORMATS; i++)
		s->format[i].n += s->format[i].known && dp_when_parse(&t, &s->format[i].rule,
		    &stamp) == 0 && is_present(t);
}

static void
see_outside(struct dp_sample *s, int64_t t)
{
	s->early = s->kind[OUTSIDE].n == 0 || t < s->early ? t : s->early;
	s->late = s->kind[OUTSIDE].n == 0 || t > s->late ? t : s->late;
	s->kind[OUTSIDE].n++;
}

/*
 * What decides whether a line is an event.
 */

/* A condition that would hold in another case of letters, or without blanks. */
static void
see_where(struct dp_sample *s, const struct dp_run *r, const struct dp_record *rec)
{
	const struct dp_condition *c;
	struct dp_slice text;
	size_t i;

	for (i = 0; i < r->o->form.conditions; i++) {
		if (i < HELD)
			s->other.held[i] += dp_events_where_matches(r->in.events, rec, i,
			    s->other.where[i]);
		c = &r->o->form.condition[i];
		text = dp_events_tested(r->in.events, rec, i);
		if (c->op != DP_OP_EQUAL || text.p == NULL || *c->pattern == '\0' ||
		    is_key(0, text, c->pattern) || !is_key(LOWER, trimmed(text), c->pattern))
			continue;
		if (s->kind[WHERE].n == 0)
			s->condition = c;
		note(&s->kind[WHERE], text);
	}
}

/* What stands around an object, or in it: another form than one object a line. */
static void
see_object(struct dp_sample *s, struct dp_slice text)
{
	const struct dp_slice t = trimmed(text);
	const char first = t.n == 0 ? '{' : *t.p, last = t.n == 0 ? '}' : t.p[t.n - 1];

	if (first != '{' && first != '[' && first != '}' && first != ']' && first != '"' &&
	    memchr(t.p, '{', t.n) == NULL)
		return;
	if (s->kind[OBJECT].n == 0)
		s->object = first == '[' ? "of an array jq -c '.[]' makes a line of each element" :
		    first == '{' && last == ',' ? "sed 's/, *$//' takes off the comma behind it" :
		    first == '{' && t.n > 1 && t.p[1] == '\'' ?
		    "it has single quotes, and JSON has double ones" :
		    first != '{' && memchr(t.p, '{', t.n) != NULL ?
		    "sed 's/^[^{]*//' takes off what stands before it" :
		    "of objects of several lines jq -c . makes a line of each";
	note(&s->kind[OBJECT], text);
}

/* A line that counts nothing, and why. */
static void
see_nothing(struct dp_sample *s, const struct dp_run *r, const struct dp_record *rec,
    const struct dp_event *v)
{
	size_t i;

	if (v->why == dp_events_no_object && rec->text.p != NULL)
		see_object(s, rec->text);
	else if (v->why == dp_events_no_number && v->field <= rec->nfields)
		see_unread(s, v->field == 0 ? rec->text : rec->field[v->field]);
	else if (v->why == dp_events_no_clock && v->field <= rec->nfields)
		note(&s->kind[NO_CLOCK], rec->field[v->field]);
	else if (v->why == dp_events_no_time)
		see_unread_time(s, r, rec, v);
	else if (v->why != NULL)
		return;
	else if (v->none == dp_events_no_key || v->none == dp_events_no_symbol ||
	    v->none == dp_events_no_universe)
		see_key(s, &r->o->keys, v->text);
	else if (v->none == dp_events_outside)
		see_outside(s, v->time);
	else if (v->none == dp_events_no_user || (v->none != NULL &&
	    strncmp(v->none, "the identifier is", 17) == 0))
		s->kind[NOBODY].n++;
	else if (v->none == dp_events_not_where)
		see_where(s, r, rec);
	else if (v->none == dp_events_no_match)
		for (s->other.of++, i = 0; i < 2; i++)
			s->other.n[i] += dp_events_matches(r->in.events, rec, s->other.match[i]);
	else if (v->clamped)
		see_number(s, r, rec, v);
	else if (v->none != NULL && strstr(v->none, "--per-user") != NULL)
		note(&s->kind[BEYOND], v->user);
}

void
dp_sample_see(struct dp_sample *s, const struct dp_run *r, const struct dp_record *rec,
    const struct dp_event *v, bool counts)
{
	s->lines++;
	if (!counts) {
		see_nothing(s, r, rec, v);
		return;
	}
	s->counted++;
	see_number(s, r, rec, v);
	if (r->tool->words.reads != NULL && !dp_options_by_key(r->o, r->tool))
		see_person(s, v->text);
	else if (r->o->users.field.number != 0)
		see_person(s, v->user);
}

void
dp_sample_folded(struct dp_sample *s)
{
	s->kind[FOLDED].n++;
}

/*
 * What is said in the end.
 */

#define TEXT	400

/* "3 values ...", if there are any. */
static void __attribute__((format(printf, 3, 4)))
say(const struct kind *k, const char *what, const char *format, ...)
{
	char text[4 * TEXT];
	va_list ap;

	if (k->n == 0)
		return;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	dp_warn("%llu %s%s %s", (unsigned long long)k->n, what, k->n == 1 ? "" : "s", text);
}

static const char *
are(const struct kind *k)
{
	return k->n == 1 ? "is" : "are";
}

/* The end of a verb. */
static const char *
verb(const struct kind *k)
{
	return k->n == 1 ? "s" : "";
}

/* A word as a shell reads it. */
static const char *
quoted(char text[static TEXT], const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	    "0123456789_.,:=@%+/-";
	char shown[DP_SHOWN_TEXT];

	dp_shown(shown, word, strlen(word));
	snprintf(text, TEXT, shown[strspn(shown, plain)] == '\0' ? "%s" : "'%s'", shown);
	return text;
}

/* --let=NAME=FIELD and what is made of it; of several fields, or of a line, FIELD stays. */
static const char *
let(char text[static TEXT], const char *name, const struct dp_field *f, const char *how)
{
	char word[TEXT], number[24] = "FIELD";

	if (f != NULL && f->name == NULL)
		snprintf(number, sizeof number, "%u", f->number);
	snprintf(word, sizeof word, "--let=%s=%.60s%s", name, f != NULL && f->name != NULL ?
	    f->name : number, how);
	return quoted(text, word);
}

/* The field, where there is one, and not several; of a line that is one word the first. */
static const struct dp_field *
one(const struct dp_field *f, unsigned more, const char *text)
{
	static const struct dp_field word = { NULL, 1 };

	return f->number != 0 ? (more == 0 ? f : NULL) : strchr(text, ' ') == NULL ? &word : NULL;
}

static void
say_lines(const struct dp_sample *s)
{
	if (s->lines == 0)
		dp_warn("there are no lines");
	else if (s->counted == 0)
		dp_warn("of %llu line%s nothing counts", (unsigned long long)s->lines,
		    s->lines == 1 ? "" : "s");
	else if (s->counted < s->lines)
		dp_warn("of %llu lines %llu count%s", (unsigned long long)s->lines,
		    (unsigned long long)s->counted, s->counted == 1 ? "s" : "");
}

/* What stands around an object: another form than one object a line. */
static void
say_objects(const struct dp_sample *s)
{
	const struct kind *k = &s->kind[OBJECT];

	say(k, "line", "%s no JSON object: %s", are(k), s->object);
}

static void
say_conditions(const struct dp_sample *s, const struct dp_run *r)
{
	static const char *const cure[] = { "-i, which ignores the case of letters",
	    "--fixed, as the pattern is a plain string then" };
	const struct dp_condition *c = s->condition;
	char text[TEXT], word[TEXT], number[24];
	size_t i;

	if (c != NULL) {
		snprintf(number, sizeof number, "%u", c->field.number);
		snprintf(word, sizeof word, strpbrk(c->pattern, ".^$*+?()[{\\|") == NULL ?
		    "--where=%.60s~(?i)^\\s*%.90s\\s*$" :
		    "--where=%.60s~(?i)^\\s*\\Q%.90s\\E\\s*$",
		    c->field.name != NULL ? c->field.name : number, c->pattern);
		say(&s->kind[WHERE], "line", "would match --where but for capitals or blanks, as "
		    "'%s': %s", s->kind[WHERE].first, quoted(text, word));
	}
	for (i = 0; i < HELD; i++) {
		if (s->other.held[i] == 0)
			continue;
		c = &r->o->form.condition[i];
		snprintf(number, sizeof number, "%u", c->field.number);
		snprintf(word, sizeof word, "--where=%.60s%s(?i)%.90s", c->field.name != NULL ?
		    c->field.name : c->field.number != 0 ? number : "",
		    c->field.number != 0 ? "~" : "", c->pattern);
		dp_warn("%llu line%s would match --where in any case of letters: %s",
		    (unsigned long long)s->other.held[i], s->other.held[i] == 1 ? "" : "s",
		    quoted(text, word));
	}
	for (i = 0; i < 2; i++)
		if (s->other.n[i] != 0)
			dp_warn("%llu of %llu lines that do not match -m would with %s",
			    (unsigned long long)s->other.n[i], (unsigned long long)s->other.of,
			    cure[i]);
}

static bool
thousands(const struct dp_run *r)
{
	return r->o->range.hi >= (int64_t)(1000 * dp_power10(dp_range_places(&r->o->range)));
}

/*
 * The way that reads most of what is no number, or the two of a comma that may be either. A sample
 * of small amounts does not tell what stands between thousands, which the range may hold.
 */
static const char *
way(const struct dp_sample *s, const struct dp_run *r, char text[static TEXT])
{
	size_t i, best = 0;

	for (i = 0; i < WAYS; i++)
		if (s->way.n[i] > s->way.n[best])
			best = i;
	if (s->way.n[COMMA] == s->way.n[best] && s->way.n[GROUPS] == s->way.n[best])
		snprintf(text, TEXT, "%s if the comma stands before decimals, %s if between "
		    "thousands (this sample does not tell)", ways[COMMA].options,
		    ways[GROUPS].options);
	else
		snprintf(text, TEXT, "%s%s", ways[best].options, best == COMMA &&
		    thousands(r) ? " (and --thousands=. where one may be as '1.234,50')" : "");
	return text;
}

static void
say_numbers(const struct dp_sample *s, const struct dp_run *r)
{
	const struct dp_field *f = r->o->form.value.number == 0 ? NULL : &r->o->form.value;
	const struct kind *k = &s->kind[NUMBER];
	char text[TEXT], how[TEXT], unit[DP_UNIT_NAME + 1];
	bool odd = false;
	size_t i;

	for (i = 0; i < WAYS; i++)
		odd |= s->way.n[i] != 0;
	say(k, "value", "%s written as '%s': %s", are(k), k->first, way(s, r, how));
	k = &s->kind[MORE];
	snprintf(unit, sizeof unit, ":%s", s->way.unit);
	if (f != NULL)
		let(text, "n", f, *s->way.unit != '\0' ? unit : "~([-+0-9.,]+)");
	else if (*s->way.unit != '\0')
		snprintf(text, sizeof text, "--cut='(?<v>.*)' --let=n=v:%s", s->way.unit);
	else
		snprintf(text, sizeof text, "--cut='(?<n>[-+0-9.,]+)'");
	if (odd && f != NULL && f->number > DP_FIELDS_MAX)	/* --let takes it already */
		say(k, "value", "%s a number and more, as '%s': %s", are(k), k->first, how);
	else
		say(k, "value", "%s a number and more, as '%s': %s -v n takes the number%s%s%s%s",
		    are(k), k->first, text, *s->way.unit != '\0' ? " in " : "",
		    s->way.unit, odd ? ", and reads it with " : "", odd ? how : "");
	k = &s->kind[SPACED];
	say(k, "value", "%s a number with blanks around it, as '%s': %s -v n takes the number%s%s",
	    are(k), k->first, f == NULL ? "--cut='(?<n>[-+0-9.,]+)'" : let(text, "n", f, ":trim"),
	    odd ? ", and reads it with " : "", odd ? how : "");
	k = &s->kind[WORD];
	say(k, "value", "%s no number, as '%s', and count%s nothing: %s", are(k), k->first,
	    verb(k), f == NULL ? "-m . counts lines, and -v FIELD takes the number in a field" :
	    "-m REGEX counts texts, and -k groups by them");
	k = &s->kind[BEHIND];
	say(k, "value", "%s written as '%s': a sign that stands behind a number, or brackets, no "
	    "option reads: write the sign before it", are(k), k->first);
	k = &s->kind[DASH];
	say(k, "value", "%s written as '%s', with a typographer's minus: sed "
	    "'s/" MINUS "/-/g' makes it that of numbers", are(k), k->first);
	k = &s->kind[POINTS];
	if (!s->other_points && thousands(r))
		say(k, "value", "%s read with a point before decimals, as '%s': if it stands "
		    "between thousands, --decimal=, --thousands=.", are(k), k->first);
}

/* A number on the grid. */
static const char *
grid(char text[static 48], const struct dp_run *r, int64_t n)
{
	unsigned places = dp_range_places(&r->o->range), finer;

	for (finer = r->o->range.finer; finer > 0 && n % 10 == 0; finer--, places--)
		n /= 10;
	*dp_decimal_put(text, n, places) = '\0';
	return text;
}

static void
say_range(const struct dp_sample *s, const struct dp_run *r)
{
	char range[DP_RANGE_TEXT], lo[48], hi[48], from[48], to[48], wider[104];
	const struct dp_ask_range *a = &r->o->range;
	const struct kind *k = &s->kind[CLAMPED];
	struct dp_ask_range finer = *a;

	if (a->magnitudes)
		return;
	dp_options_range_put(r->o, range);
	grid(from, r, s->lo < a->lo ? s->lo : a->lo);
	grid(to, r, s->hi > a->hi ? s->hi : a->hi);
	snprintf(wider, sizeof wider, s->lo <= -DP_VALUE_MAX || s->hi >= DP_VALUE_MAX ?
	    "a wider -r" : "-r %s:%s", from, to);
	say(k, "value", "outside -r %s, here from %s to %s, count%s as the end that is nearer: "
	    "%s holds these (a range is for all data, and public)", range,
	    grid(lo, r, s->lo), grid(hi, r, s->hi), verb(k), wider);
	k = &s->kind[FOLDED];
	say(k, "event", "with which what the user's come to is outside -r %s, and count%s as the "
	    "end that is nearer: a wider -r holds it", range, k->n == 1 ? "s" : "");
	k = &s->kind[ROUNDED];
	if (k->n == 0)
		return;
	finer.places -= finer.coarser;
	dp_options_refine(r->o, &finer, s->places - finer.places);
	*dp_decimal_put(lo, finer.lo, finer.places) = '\0';
	*dp_decimal_put(hi, finer.hi, finer.places) = '\0';
	say(k, "value", "%s rounded, as '%s', to the decimals of -r %s: -r %s:%s keeps more",
	    are(k), k->first, range, lo, hi);
}

/*
 * Keys and symbols: what is made of the option's field, a step at a time.  Returns the name of
 * the last; NULL: nothing is made.
 */
static const char *
cured(char cure[static 2 * TEXT], unsigned apart, const struct dp_field *f)
{
	static const char *const how[] = { ":trim", ":page", ":lower" };
	static const char *const name[] = { "k", "l", "m" };
	struct dp_field last;
	unsigned i, made = 0;
	char text[TEXT];
	size_t n = 0;

	*cure = '\0';
	for (i = 0; i < 3; i++) {
		if ((apart & 1U << i) == 0)
			continue;
		n += (size_t)snprintf(cure + n, 2 * TEXT - n, " %s", let(text, name[made],
		    made == 0 ? f : &last, how[i]));
		last = (struct dp_field){ name[made++], 0 };
	}
	if ((apart & QUOTES) != 0)
		snprintf(cure + n, 2 * TEXT - n, " --csv");
	return made == 0 ? NULL : last.name;
}

static void
say_keys(const struct dp_sample *s, const struct dp_run *r)
{
	static const char *const what[] = { "blanks at its ends", "what follows ? or #",
	    "capital letters", "quotes" };
	const bool keys = r->o->keys.field.number != 0 && r->tool->words.reads == NULL;
	const struct dp_field *f;
	char but[TEXT], cure[2 * TEXT];
	const char *name;
	unsigned i, k;
	size_t n;

	for (k = 1; k < APART; k++) {
		for (n = 0, i = 0; i < 4; i++)
			if ((k & 1U << i) != 0)
				n += (size_t)snprintf(but + n, sizeof but - n, "%s%s",
				    n == 0 ? "" : " and ", what[i]);
		f = keys ? one(&r->o->keys.field, r->o->keys.more, s->apart[k].first) :
		    one(&r->o->form.value, r->o->form.several.n, s->apart[k].first);
		name = cured(cure, k, f);
		say(&s->apart[k], "key", "would be declared but for %s, as '%s':%s%s%s%s", but,
		    s->apart[k].first, cure, name == NULL ? "" : keys ? " -k " : " -v ",
		    name == NULL ? "" : name, (k & LOWER) != 0 && s->apart_large ?
		    ", and declare it in small letters" : "");
	}
	if (s->counted == 0 && keys)
		say(&s->kind[UNDECLARED], "key", "%s not declared, as '%s': %s",
		    are(&s->kind[UNDECLARED]), s->kind[UNDECLARED].first,
		    r->tool->shape == DP_SHAPE_SYMBOL ? "such lines count nowhere" :
		    "--other counts such events together");
}

/* The format with day and month changed over, where both read the same times; or NULL. */
static const char *
changed_over(const struct dp_sample *s, size_t i)
{
	char text[FORMAT], *p;
	size_t k;

	snprintf(text, sizeof text, "%s", s->format[i].name);
	for (p = text; *p != '\0'; p++)
		if (*p == '%' && (p[1] == 'd' || p[1] == 'm'))
			p[1] = p[1] == 'd' ? 'm' : 'd';
	for (k = 0; k < FORMATS; k++)
		if (k != i && strcmp(text, s->format[k].name) == 0 &&
		    s->format[k].n == s->format[i].n)
			return s->format[k].name;
	return NULL;
}

static void
say_times(const struct dp_sample *s, const struct dp_run *r)
{
	const struct kind *k = &s->kind[NO_CLOCK];
	size_t i, best = 0;
	const char *other;
	char text[TEXT], bare[TEXT];

	say(k, "time", "%s a day alone, as '%s': --time-format=%%Y-%%m-%%d takes its midnight; or "
	    "--bucket=1d", are(k), k->first);
	k = &s->kind[TIME];

	for (i = 0; s->format != NULL && i < FORMATS; i++)
		if (s->format[i].n > s->format[best].n)
			best = i;
	if (s->format == NULL || s->format[best].n == 0)
		return;
	other = changed_over(s, best);
	let(bare, "t", &r->o->time.field, "~(.*) ");
	say(k, "time", "%s not of --time-format=%s, as '%s': %s%s--time-format=%s%s%s", are(k),
	    r->o->time.format, k->first, s->zoned ? bare : "", s->zoned ? " -t t " : "",
	    quoted(text, s->format[best].name), other == NULL ? "" :
	    ", or with day and month changed over: ", other == NULL ? "" : other);
}

static void
say_outside(const struct dp_sample *s, const struct dp_run *r)
{
	const struct kind *k = &s->kind[OUTSIDE];
	char from[DP_WHEN_TEXT + 1], to[DP_WHEN_TEXT + 1];
	const struct dp_ask_time *t = &r->o->time;
	const struct dp_span *span = &t->span;

	if (k->n == 0 || t->once)
		return;
	*dp_when_put(from, dp_span_floor(span, s->early < t->from ? s->early : t->from),
	    span->zone) = '\0';
	*dp_when_put(to, s->late < t->to ? t->to : dp_span_next(span, dp_span_floor(span, s->late)),
	    span->zone) = '\0';
	say(k, "event", "%s not from --from to --to: --from=%s --to=%s holds these", are(k), from,
	    to);
}

static void
say_users(const struct dp_sample *s, const struct dp_run *r)
{
	const char *option = r->tool->words.reads != NULL && !dp_options_by_key(r->o, r->tool) ?
	    "-v" : "-u";
	const struct kind *k = &s->kind[NOBODY];

	say(k, "event", "%s nobody's, as the field is empty or -, and count%s nowhere: give %s one "
	    "that every line has%s%s%s", are(k), verb(k), option, r->o->form.log != NULL ?
	    ", such as " : "", r->o->form.log != NULL ? option : "", r->o->form.log != NULL ?
	    " host" : "");
	k = &s->kind[BEYOND];
	say(k, "event", "%s beyond what -c lets a user have, as of '%s': a larger -c (more "
	    "noise)%s", are(k), k->first, r->o->users.each != DP_EACH_NO ? "" :
	    ", or --each-user=HOW, which makes all of a step's one");
}

/* Identifiers, or users, of whom one may be several. */
static void
say_who(const struct dp_sample *s, const struct dp_run *r)
{
	const bool id = r->tool->words.reads != NULL && !dp_options_by_key(r->o, r->tool);
	const char *who = id ? r->tool->words.reads : "user", *option = id ? "-v w" : "-u w";
	const struct dp_field *f = id ? &r->o->form.value : &r->o->users.field;
	const unsigned n = id ? r->o->form.several.n : r->o->users.several.n;
	const struct kind *k = &s->kind[PORT];
	char text[TEXT];

	say(k, who, "%s an address with its port, as '%s', so that each connection is another one: "
	    "%s %s", are(k), k->first, let(text, "w", one(f, n, k->first), ":host"), option);
	k = &s->kind[LIST];
	say(k, who, "%s a list, as '%s': %s %s takes the first", are(k), k->first,
	    let(text, "w", one(f, n, ""), ":first"), option);
	k = &s->kind[LONG_ADDRESS];
	say(k, who, "%s not as short as IPv6 may be, as '%s', so that one address may be several: "
	    "%s %s", are(k), k->first, let(text, "w", one(f, n, k->first), ":/32,/128"), option);
}

void
dp_sample_say(const struct dp_sample *s, const struct dp_run *r)
{
	say_lines(s);
	say_objects(s);
	say_conditions(s, r);
	say_numbers(s, r);
	say_range(s, r);
	say_keys(s, r);
	say_times(s, r);
	say_outside(s, r);
	say_users(s, r);
	say_who(s, r);
}
