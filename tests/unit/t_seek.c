/* SPDX-License-Identifier: ISC */
/*
 * t_seek.c - lines looked for in whole spans (dp_events_seek, _search) against lines read one by
 * one: the same events, on random lines and patterns with a fixed seed.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "input/event.h"
#include "input/record.h"

#define CASES	3000
#define SIZE	4000
#define EVENTS	SIZE

static uint64_t seed = 20260501;

static unsigned
below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((seed >> 33) % n);
}

/*
 * Lines with times, some with '\r', NUL, byte order marks, no newline at the end; words of few
 * letters, so that patterns are met.
 */
static size_t
random_text(char *text)
{
	static const char byte[] = "abABx 17;\t.";
	size_t n = 0, i, length;

	while (n < SIZE - 100 && below(200) != 0) {
		for (i = below(4) == 0; i > 0; i = below(8) == 0)
			n += (size_t)sprintf(text + n, "\xef\xbb\xbf");
		n += (size_t)sprintf(text + n, below(8) == 0 ? "x %u" : "%u ", below(20000));
		length = below(4) == 0 ? 0 : below(40);
		for (i = 0; i < length; i++)
			text[n++] = below(50) == 0 ? "\0\r"[below(2)] :
			    byte[below(sizeof byte - 1)];
		if (below(5) == 0)
			text[n++] = '\r';
		if (below(30) != 0)
			text[n++] = '\n';
		if (below(20) == 0)
			text[n++] = '\n';
	}
	return n;
}

static void
random_options(struct dp_options *o, char pattern[8])
{
	static char a[] = "a", b[] = "b", ab[] = "ab", *keys[] = { a, b, ab };
	static const char byte[] = "abAB x17.;\xef\xbb\xbf";
	const unsigned marks = below(6) == 0 ? 3 : 0;
	size_t i, n = 1 + below(3);

	for (i = 0; i < n; i++)
		pattern[i] = byte[below(10 + marks)];
	pattern[n] = '\0';
	*o = (struct dp_options){ .range.hi = 1, .time = { .steps = DP_BY_RANGE, .bucket = 100,
	    .from = 100, .to = 15000, .field = { NULL, 1 + below(2) }, .format = "epoch" },
	    .form = { .delimiter = below(3) == 0 ? ';' : -1, .match = pattern,
	    .icase = below(3) == 0, .fixed = strpbrk(pattern, ".") != NULL || below(2) == 0 } };
	if (below(2) == 0) {
		o->keys.field.number = 1 + below(3);
		o->keys.name = keys;
		o->keys.n = 3;
	}
	if (below(2) == 0) {
		o->users.field.number = 1 + below(3);
		o->users.most = 1;
	}
}

static const struct dp_tool tool = { .shape = DP_SHAPE_NUMBER };
static const uint8_t id_key[16];

static struct dp_events *
events(const struct dp_options *o)
{
	struct dp_events *e;

	if (dp_events_new(&e, o, &tool, id_key, 0) != 0)
		exit(1);
	return e;
}

/* A reader of the text in blocks of that size, by the rule of these events. */
static struct dp_reader *
reader(struct dp_events *e, int fd, size_t block)
{
	struct dp_reader_rule rule = { .block = block };
	struct dp_reader *r;

	dp_events_reader_rule(e, &rule);
	if (dp_reader_new(&r, &rule) != 0 || lseek(fd, 0, SEEK_SET) != 0)
		exit(1);
	dp_reader_attach(r, fd);
	return r;
}

/* What of an event can make a difference. */
struct seen {
	int64_t value, time;
	size_t column, user;
	char name[64];
};

static size_t
note(struct seen *s, size_t n, const struct dp_events *ev, struct dp_record *rec)
{
	struct dp_event v = { .user = { "", 0 } };

	dp_events_read(ev, rec, &v);
	if (v.error != 0)
		exit(1);
	if (!v.counts)
		return n;
	memset(&s[n], 0, sizeof s[n]);
	s[n].value = v.value;
	s[n].time = v.time;
	s[n].column = v.column;
	s[n].user = v.user.n;
	memcpy(s[n].name, v.user.n == 0 ? "" : v.user.p,
	    v.user.n < sizeof s->name ? v.user.n : sizeof s->name);
	return n + 1;
}

static size_t
one_by_one(const struct dp_options *o, int fd, struct seen *s)
{
	static struct dp_record rec;
	struct dp_events *ev = events(o);
	struct dp_reader *r = reader(ev, fd, 0);
	size_t n = 0;

	while (dp_reader_next(r, &rec, -1) == DP_READ_RECORD)
		n = note(s, n, ev, &rec);
	dp_reader_free(r);
	dp_events_free(ev);
	return n;
}

static size_t
by_spans(const struct dp_options *o, int fd, struct seen *s, size_t block)
{
	static struct dp_record rec;
	struct dp_events *ev = events(o);
	struct dp_reader *r = reader(ev, fd, block);
	const char *at;
	char *p, *e;
	size_t n = 0;

	check(dp_events_seekable(ev));
	while (dp_reader_span(r, &p, &e, -1) == DP_READ_RECORD)
		for (at = p; at < e && dp_events_seek(ev, &at, e, &rec.text) == 1; )
			n = note(s, n, ev, &rec);
	dp_reader_free(r);
	dp_events_free(ev);
	return n;
}

/* The values of lines that are read one by one, and of the same lines in spans. */
static void
values(const struct dp_options *like, int fd, size_t block)
{
	static struct dp_record rec;
	static int64_t a[EVENTS], b[EVENTS];
	const struct dp_options o = { .range.hi = 1, .form = { .delimiter = -1,
	    .match = like->form.match, .icase = like->form.icase, .fixed = like->form.fixed,
	    .invert = below(2) == 0 } };
	struct dp_events *ev = events(&o);
	struct dp_reader *r = reader(ev, fd, block);
	const char *at, *hit;
	size_t n = 0, k = 0;
	struct dp_event v;
	char *p, *e;

	for (; dp_reader_next(r, &rec, -1) == DP_READ_RECORD; a[n++] = v.value)
		dp_events_read(ev, &rec, &v);
	dp_reader_free(r);
	r = reader(ev, fd, block);
	check(dp_events_searchable(ev));
	while (dp_reader_span(r, &p, &e, -1) == DP_READ_RECORD)
		for (at = p, hit = NULL; at < e; )
			k += (size_t)dp_events_search(ev, &at, e, &hit, b + k, 1 + (int)below(9));
	check(k == n && memcmp(a, b, n * sizeof *a) == 0);
	dp_reader_free(r);
	dp_events_free(ev);
}

int
main(void)
{
	static const size_t block[] = { 0, 1, 7, 64, 4096 };
	static struct seen a[EVENTS], b[EVENTS];
	static char text[SIZE];
	struct dp_options o;
	char pattern[8];
	size_t n, k, m, total = 0;
	unsigned i;
	int fd;

	for (i = 0; i < CASES; i++) {
		random_options(&o, pattern);
		n = random_text(text);
		if ((fd = memfd_create("t", 0)) < 0 || write(fd, text, n) != (ssize_t)n)
			return 1;
		k = one_by_one(&o, fd, a);
		m = by_spans(&o, fd, b, block[below(5)]);
		if (m != k || memcmp(a, b, k * sizeof *a) != 0)
			printf("case %u: '%s', %zu and %zu events\n", i, pattern, k, m);
		check(m == k && memcmp(a, b, k * sizeof *a) == 0);
		total += k;
		values(&o, fd, block[below(5)]);
		close(fd);
	}
	printf("%zu events\n", total);
	check(total > 10000);
	return done();
}
