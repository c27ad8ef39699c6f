/* SPDX-License-Identifier: ISC */
/*
 * t_cut.c - lines of access logs: their splitter against their pattern, on lines that were made,
 * spoilt and drawn, and on those of ../shared/data where they are.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "input/internal.h"

#define LINES	400000
#define LONG	((size_t)40000)		/* longer than what the splitter takes */
#define ROOM	((size_t)1 << 16)

struct pair {
	struct dp_cut *split, *pattern;
	struct dp_record a, b;
	unsigned long lines, hits, parts, halves, tails;
} pairs[5];		/* common, combined, vhost, and the heads of both */
#define PAIRS	(sizeof pairs / sizeof *pairs)

static uint64_t seed = 20261123;

static unsigned
draw(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)((seed >> 11) % n);
}

static void
open_pair(struct pair *p, const char *name, bool head)
{
	const struct dp_log *l = dp_log_find(name);
	char why[DP_MATCH_WHY], *pattern = strndup(l->pattern, head ? l->head : 9999);

	check(pattern != NULL && dp_cut_new(&p->pattern, pattern, why) == 0 &&
	    dp_cut_new_log(&p->split, l, head, why) == 0 &&
	    dp_cut_fields(p->split) == dp_cut_fields(p->pattern));
	free(pattern);
}

static bool
same(const struct dp_slice *a, const struct dp_slice *b)
{
	return a->p == b->p && a->n == b->n;
}

/* Both cut it into equal fields; false: they differ. */
static bool
agree(struct pair *p, struct dp_slice text)
{
	const unsigned first = dp_cut_field(p->split, "host") - 1;
	const struct dp_slice *f = p->a.field + first;
	unsigned i;
	int hit;

	memset(&p->a, 'x', sizeof p->a);		/* fields that nobody sets would agree */
	memset(&p->b, 'y', sizeof p->b);
	p->a.text = p->b.text = text;
	hit = dp_cut_record(p->split, &p->a);
	if (hit != dp_cut_record(p->pattern, &p->b) || p->a.nfields != p->b.nfields)
		return false;
	for (i = 1; i <= p->a.nfields; i++)
		if (!same(&p->a.field[i], &p->b.field[i]))
			return false;
	p->lines++;
	p->hits += hit == 1;
	p->parts += hit == 1 && f[8].p != NULL;
	p->halves += hit == 1 && f[8].p == NULL && f[7].p != NULL;
	p->tails += p->a.nfields == first + 12 && f[12].p != NULL;
	return true;
}

/* A copy of its own: a byte too far is behind its end, and what is there is drawn. */
static void
compare(const char *p, size_t n)
{
	char *copy = malloc(n + DP_RECORD_SLACK);
	size_t i;

	if (copy == NULL)
		abort();
	memcpy(copy, p, n);
	for (i = 0; i < DP_RECORD_SLACK; i++)
		copy[n + i] = " \"\\][-0x"[draw(8)];
	for (i = 0; i < PAIRS; i++)
		if (!agree(&pairs[i], (struct dp_slice){ copy, n })) {
			fail("a line that they cut in two ways:");
			printf("%zu: %.*s\n", i, (int)n, p);
		}
	free(copy);
}

/* One of several, at random */
static const char *
one(const char *const *of, unsigned n)
{
	return of[draw(n)];
}
#define ONE(...)	one((const char *const[]){ __VA_ARGS__ }, \
	(unsigned)(sizeof (const char *const[]){ __VA_ARGS__ } / sizeof (char *)))

/* Hosts, and words that are none, that are in front of a host, or behind it */
#define V4		"192.0.2.1", "192.0.2.1", "192.0.2.1", "255.255.255.255", "1.2.3.4", \
	"h", "www.example.org", "a_b-c.example.org", "0123456789./0123456", "\"", "\\"
#define V6		"2001:db8::1", "::1", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1", "::", \
	"1:2:3:4:5:6:7::", "fe80::1%eth0", "[::1]", "[fe80::1%0]", "1::2.3", "1:2:3:4:5:6:1.2.3.4"
#define NONE		"::1:", "::1]2", "12345::1", "::12345", "::1%", "::1%a:", "::g", \
	"[::1]:80", "1:2:3:4:5:6:7:8:9:0", "::1.2345", "::1.", "h:80", "192.0.2.1:80", "10:43:45", \
	"a:b", "1:2:3:4:5:6", "192.0.2.1,", "h,", "<1>h", "a;b", "a|b", "a\tb", "unix:x", "unix:", \
	"[", "["
#define WORDS		"-", "-", "-x", "x-", "192.0.2.1", "192.0.2.", "192.0.2.1,", "w", \
	"192.0.2.1:80", "192.0.2.1x", "192.0.2.1.x", "192.0.2", "1234.0.2.1", "192.0.2.1234", \
	"::1", "::1%a", "::1.5x", "10:43:45", "10:43:45.1", "a:b", "a::b", "x::b", "::12345", \
	"[::1]:", "::1]", "a,b"

/* What is often in front of a host */
static const char *
front(void)
{
	return draw(8) == 0 ? ONE("h ", "h:80 ", "192.0.2.1 ", "192.0.2.1:80 ", "[::1]:443 ",
	    "[::1] ", "::1 ", "::1:80 ", "- ", "-:80 ", "h:", "h: ", "h:8x ", "[::1]x ",
	    "[::1:80 ", "[1:2:3]:80 ", "[1:2:3]::80 ", "[1:2:3:4:5:6:7:8]:80 ", "[:80 ", "[x]:1 ",
	    "a,b:1 ", ":80 ", " ", "a b ", "192.0.2.1.5 ", "<1>h:80 ") :
	    ONE("", "h ", "www.example.org:443 ");
}

static bool
seldom(void)
{
	return draw(8) == 0;
}

/* Every part as it is mostly, and as it is seldom */
static size_t
make(char line[static ROOM])
{
	return (size_t)snprintf(line, ROOM, "%s%s %s %s%s [%s] \"%s%s%s\" %s %s%s%s%s%s%s",
	    front(), seldom() ? ONE(NONE, WORDS) : ONE(V4, V6),
	    seldom() ? ONE("", "a.b", "a:b", "a,b", WORDS) : ONE("-", "-", "-", "i", "\"i\"", "]"),
	    seldom() ? ONE("", "[u", WORDS) : ONE("-", "-", "frank", "\\", "\"\"", "u]", "a.b"),
	    !seldom() ? ONE("", "", " b") : ONE(" two words", "  ", " [x", " ", " b [y", " - -",
	    " -", " w 192.0.2.1", " w ::1 -", " 10:43:45 w", " w - x"),
	    seldom() ? ONE("-", "a \" b", "[", "", "x\\") : "01/May/2026:12:00:00 +0000",
	    seldom() ? ONE("", "\\x16", "G\\\"", "[", "-") : "GET",
	    seldom() ? ONE(" \\", " ", "", " /x y", "  /", " /\\", " /]") : ONE(" /", " /a?b",
	    " /a\\\"b", " /a\\ b"),
	    seldom() ? ONE(" ", " H\\x", " \\", "  ", " a b", " \\\"") : ONE(" HTTP/1.1", ""),
	    seldom() ? ONE("\"", "", "2 0", "20", "2000", "2x0", "-1") : ONE("200", "404", "-"),
	    seldom() ? ONE("-5", "5-", "", "x", "--", "0.5") : ONE("0", "5", "123456789", "-"),
	    ONE(" ", " ", " ", "", "x"),
	    ONE("\"-", "\"http://x/", "\"a\\\"b", "\"", "\"\\", "", "-"),
	    ONE("\" ", "\" ", "\" ", "\"", " "), ONE("\"", "\"", ""),
	    ONE("curl/8\"", "Mozi", "a\\\"b\"", "\\", "a\\", "\" more", "\" 0.004", "",
	    "-\" \"-\"\r"));
}

/* At most three bytes that are other ones, gone, twice there, or no end */
static size_t
spoil(char *line, size_t n)
{
	static const char bytes[] = " \"\\[]-0a/\n\r\t\0\377:,.%";
	unsigned i, edits = draw(4);
	size_t at;

	for (i = 0; i < edits && n > 0; i++) {
		at = draw((unsigned)n);
		switch (draw(4)) {
		case 0:
			line[at] = bytes[draw(sizeof bytes - 1)];
			break;
		case 1:
			memmove(line + at, line + at + 1, n-- - at - 1);
			break;
		case 2:
			memmove(line + at + 1, line + at, n++ - at);
			line[at] = bytes[draw(sizeof bytes - 1)];
			break;
		default:
			n = draw(8) == 0 ? at : n;
			break;
		}
	}
	return n;
}

/* A byte many times, in the middle of the line: fields of more than a block */
static size_t
lengthen(char *line, size_t n)
{
	static const char *const of[] = { "a", "\\\"", "\\\\", "\\ ", "a ", "]", "\"", " ", "0" };
	const size_t each[] = { 1, 62, 63, 64, 65, 128, 300, 9000, LONG };
	const char *unit = of[draw(sizeof of / sizeof *of)];
	const size_t m = strlen(unit), at = draw((unsigned)n + 1), k = each[draw(9)] / m;
	size_t i;

	memmove(line + at + k * m, line + at, n - at);
	for (i = 0; i < k; i++)
		memcpy(line + at + i * m, unit, m);
	return n + k * m;
}

static void
made(void)
{
	static char line[2 * ROOM];
	size_t n;
	int i;

	for (i = 0; i < LINES; i++) {
		n = make(line);
		if (i % 4 != 0)
			n = spoil(line, n);
		if (i % 64 == 0)
			n = lengthen(line, n);
		compare(line, n);
	}
}

/* Bytes of which nearly every one ends something */
static void
drawn(void)
{
	char line[200];
	size_t n, j;
	int i;

	for (i = 0; i < LINES / 4; i++) {
		n = draw(sizeof line);
		for (j = 0; j < n; j++)
			line[j] = " \"\\[]-0a\n:."[draw(11)];
		compare(line, n);
	}
}

/* Every beginning of a line, with all that it may have */
static void
cut_off(void)
{
	static const char line[] = "[::1]:443 fe80::1%eth0 - a b [01/May/2026:12:00:00 +0000] "
	    "\"GET /\\\"a\\\\ HTTP/1.1\""
	    " 200 5 \"http://x/\\\"\" \"Mozilla/5.0 (\\\"x\\\")\" 0.004";
	size_t n;

	for (n = 0; n < sizeof line; n++) {
		compare(line, n);
		if (n >= 10)
			compare(line + 10, n - 10);
	}
}

/* Longer than the limits of the pattern allow: both say that it is none. */
static void
limits(void)
{
	static char line[300000];
	size_t n = (size_t)sprintf(line, "h - - [t] \"");

	for (; n < 250000; n += 2)
		memcpy(line + n, "\\\"", 2);
	n += (size_t)sprintf(line + n, "\" 200 5");
	compare(line, n);
}

static void
real(const char *path)
{
	FILE *fp = fopen(path, "r");
	static char line[2 * ROOM];
	size_t n;

	if (fp == NULL) {
		printf("%s is not there\n", path);
		return;
	}
	while (fgets(line, ROOM, fp) != NULL) {
		n = strcspn(line, "\n");
		compare(line, n);
		compare(line, spoil(line, n));
	}
	fclose(fp);
}

int
main(void)
{
	size_t i;

	open_pair(&pairs[0], "common", false);
	open_pair(&pairs[1], "combined", false);
	open_pair(&pairs[2], "vhost", false);
	open_pair(&pairs[3], "combined", true);
	open_pair(&pairs[4], "vhost", true);
	made();
	drawn();
	cut_off();
	limits();
	real("../shared/data/apache_access.log");
	real("../shared/data/openssh.log");
	for (i = 0; i < PAIRS; i++) {
		printf("%lu lines: %lu match, %lu with three parts, %lu with two, %lu with tails\n",
		    pairs[i].lines, pairs[i].hits, pairs[i].parts, pairs[i].halves,
		    pairs[i].tails);
		/* it is lines of every form that agree */
		check(pairs[i].hits > LINES / 20 && pairs[i].hits < pairs[i].lines / 2);
		check(pairs[i].parts > LINES / 100 && pairs[i].halves > LINES / 200);
		check((pairs[i].tails > LINES / 100) == (i == 1 || i == 2));
		dp_cut_free(pairs[i].split);
		dp_cut_free(pairs[i].pattern);
	}
	return done();
}
