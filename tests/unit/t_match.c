/* SPDX-License-Identifier: ISC */
/* t_match.c - patterns and plain strings, errors in patterns, and the limit. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "check.h"
#include "input/internal.h"

#define FIXED	1
#define ICASE	2

static int
match(const char *pattern, int how, const char *text, size_t n)
{
	char why[DP_MATCH_WHY];
	struct dp_match *m;
	int hit;

	if (dp_match_new(&m, pattern, how & FIXED, how & ICASE, why) != 0)
		return -1;
	hit = dp_match_test(m, (struct dp_slice){ text, n });
	if (hit != dp_match_test(m, (struct dp_slice){ text, n }))
		hit = 2;
	dp_match_free(m);
	return hit;
}

static const struct {
	const char *pattern;
	int how;
	const char *text;
	int want;
} table[] = {
	{ "", 0, "", 1 }, { "", FIXED, "", 1 }, { "", FIXED, "abc", 1 },
	{ "a", 0, "", 0 }, { "a", 0, "bab", 1 }, { "abc", 0, "ab", 0 },
	{ "abc", FIXED, "xxabcxx", 1 }, { "abc", FIXED, "abx", 0 },
	{ "\" 404 ", 0, "\"GET / HTTP/1.1\" 404 12", 1 },
	{ "\" 404 ", 0, "\"GET / HTTP/1.1\" 200 404", 0 },
	{ "a.c", 0, "abc", 1 }, { "a.c", FIXED, "abc", 0 }, { "a.c", FIXED, "a.c", 1 },
	{ "a.c", 0, "a\nc", 0 }, { "a.c", 0, "a\rc", 1 },
	{ "(*UTF)", FIXED, "x(*UTF)", 1 }, { "\\d", FIXED, "1", 0 }, { "\\", FIXED, "\\", 1 },
	{ "ABC", 0, "abc", 0 }, { "ABC", ICASE, "abc", 1 }, { "aBc", FIXED | ICASE, "AbC", 1 },
	{ "a.c", FIXED | ICASE, "ABC", 0 }, { "A[B-D]", ICASE, "ad", 1 },
	{ "^a", 0, "ba", 0 }, { "^a", 0, "ab", 1 }, { "b$", 0, "ab", 1 }, { "^$", 0, "", 1 },
	{ "^b", 0, "a\nb", 0 }, { "(?m)^b", 0, "a\nb", 1 },
	/* POSIX extended expressions as they are written */
	{ "(GET|POST) /login[^\"]*\" (200|4[0-9]{2}) ", 0, "\"POST /login?x=1\" 404 ", 1 },
	{ "[[:alpha:]]+[[:digit:]]", 0, "--ab1", 1 }, { "colou?r", 0, "color", 1 },
	/* bytes, not characters; no locale */
	{ "^.$", 0, "\xc3\xa9", 0 }, { "^..$", 0, "\xc3\xa9", 1 },
	{ "\\w", 0, "\xe9", 0 }, { "\xc9", ICASE, "\xe9", 0 }, { "\\x{e9}", 0, "\xe9", 1 },
	{ "\xff\xfe", 0, "a\xff\xfe", 1 },
	/* the interpreter, when there is no compiled code */
	{ "(*NO_JIT)b+c", 0, "abbbc", 1 }, { "(*NO_JIT)b+c", 0, "abbb", 0 },
};

static void
tables(void)
{
	size_t i;
	int hit;

	for (i = 0; i < sizeof table / sizeof *table; i++) {
		hit = match(table[i].pattern, table[i].how, table[i].text, strlen(table[i].text));
		if (hit != table[i].want)
			printf("/%s/ %d \"%s\"\n", table[i].pattern, table[i].how, table[i].text);
		check(hit == table[i].want);
	}
	/* NUL is a byte; and a slice ends where it ends. */
	check(match("b", 0, "a\0b", 3) == 1 && match("b", 0, "a\0b", 2) == 0);
	check(match("^a\\x00b$", 0, "a\0b", 3) == 1 && match("ab", FIXED, "ab", 1) == 0);
	check(match("^$", 0, NULL, 0) == 1 && match("a", FIXED, NULL, 0) == 0);
}

static void
errors(void)
{
	static const struct {
		const char *pattern, *why;
	} bad[] = {
		{ "(a", "at offset 2: missing closing parenthesis" },
		{ "[z", NULL }, { "*", NULL }, { "\\", NULL }, { "a{2,1}", NULL },
		{ "(*UTF)a", "at offset 6: using UTF is disabled by the application" },
		{ "(*UCP)a", NULL }, { "(?P<n", NULL }
	};
	struct dp_match *m = NULL;
	char why[DP_MATCH_WHY];
	size_t i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		memset(why, '#', sizeof why);
		check(dp_match_new(&m, bad[i].pattern, false, false, why) == DP_ESYNTAX &&
		    m == NULL);
		check(memchr(why, '\0', sizeof why) != NULL && strncmp(why, "at offset ", 10) == 0);
		if (bad[i].why != NULL)
			check(strcmp(why, bad[i].why) == 0);
		/* As a plain string it is none. */
		check(match(bad[i].pattern, FIXED, bad[i].pattern, strlen(bad[i].pattern)) == 1);
	}
	dp_match_free(NULL);
}

/* Exponential patterns: no match, soon, and the same each time; later texts are not affected. */
static void
limit(void)
{
	static const char *const pattern[] = {
		"^(a+)+$", "(*NO_JIT)^(a+)+$", "^(a|aa)+$", "(*NO_JIT)^(a|aa)+$",
		"^((a|b)*)*c", "(*NO_JIT)^((a|b)*)*c", "a.*[cd]", "(*NO_JIT)a.*[cd]"
	};
	static char text[1 << 20];
	struct dp_match *m;
	char why[DP_MATCH_WHY];
	size_t i;
	int k;

	memset(text, 'a', sizeof text);
	text[63] = 'b';
	for (i = 0; i < sizeof pattern / sizeof *pattern; i++) {
		check(dp_match_new(&m, pattern[i], false, false, why) == 0);
		for (k = 0; k < 20; k++)
			check(dp_match_test(m, (struct dp_slice){ text, 64 }) == 0);
		check(dp_match_test(m, (struct dp_slice){ i < 4 ? "aaa" : "abc", 3 }) == 1);
		/* A whole megabyte: an answer, whichever. */
		check(dp_match_test(m, (struct dp_slice){ text, sizeof text }) >= 0);
		check(dp_match_test(m, (struct dp_slice){ i < 4 ? "aaa" : "abc", 3 }) == 1);
		dp_match_free(m);
	}
	check(match(".*x", 0, text, sizeof text) == 0);
	text[sizeof text - 1] = 'x';
	check(match("ax$", 0, text, sizeof text) == 1 &&
	    match("ax", FIXED, text, sizeof text) == 1);
}

/*
 * Once the pattern is there no text can be the one for which there is no memory: a match that needs
 * much.
 */
static void
no_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
	static const char *const pattern[] = { "(*NO_JIT)^(a|b)*c$", "^(a|b)*c$" };
	static char text[3001];
	const struct rlimit none = { 0, RLIM_INFINITY };
	struct dp_match *m;
	char why[DP_MATCH_WHY];
	struct rlimit old;
	int i, k, hit[4];

	for (i = 0; i + 1 < (int)sizeof text; i++)
		text[i] = "ab"[i % 2];
	text[i] = 'c';
	for (k = 0; k < 2; k++) {
		check(dp_match_new(&m, pattern[k], false, false, why) == 0);
		check(getrlimit(RLIMIT_AS, &old) == 0 && setrlimit(RLIMIT_AS, &none) == 0);
		for (i = 0; i < 4; i++) {
			text[1500] = "aa--"[i];
			hit[i] = dp_match_test(m, (struct dp_slice){ text, sizeof text });
		}
		check(setrlimit(RLIMIT_AS, &old) == 0);
		check(hit[0] == 1 && hit[1] == 1 && hit[2] == 0 && hit[3] == 0);
		dp_match_free(m);
	}
#endif
}

int
main(void)
{
	tables();
	errors();
	limit();
	no_memory();
	return done();
}
