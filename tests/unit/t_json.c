/* SPDX-License-Identifier: ISC */
/*
 * t_json.c - JSON lines are read as others read them: the same are malformed, and fields are the
 * same.  Lines are made by a grammar, and some bytes of many of them changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "../fuzz/jsonref.h"

#define PATHS	11
#define LINES	60000

static uint64_t seed = 1;

static unsigned
any(unsigned n)
{
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return (unsigned)(seed >> 33) % n;
}

static char line[1 << 16];
static size_t length;

static void
put(const char *s)
{
	size_t n = strlen(s);

	if (length + n < sizeof line - 64) {
		memcpy(line + length, s, n);
		length += n;
	}
}

#define PUT_ONE(...)	do { \
	const char *const of[] = { __VA_ARGS__ }; \
	put(of[any(sizeof of / sizeof *of)]); \
	} while (0)

static void
put_blanks(void)
{
	PUT_ONE("", "", "", "", "", " ", "\t", "  ", "\r");
}

static void put_value(unsigned depth);

static void
put_object(unsigned depth)
{
	unsigned n = any(5);

	put("{");
	while (n-- > 0) {
		put_blanks();
		if (any(20) == 0)
			PUT_ONE("\"a\\u0062\"", "\"\\u0061\"", "a", "\"a.\"", "\"\t\"",
			    "\"a\\u0000\"");
		else
			PUT_ONE("\"a\"", "\"b\"", "\"a.b\"", "\"b.c\"", "\"\"", "\"c\"", "\"e\"");
		put_blanks();
		put(any(60) == 0 ? "" : ":");
		put_blanks();
		put_value(depth);
		put_blanks();
		put(n > 0 || any(40) == 0 ? "," : "");
	}
	put_blanks();
	put("}");
}

static void
put_array(unsigned depth)
{
	unsigned n = any(4);

	put("[");
	put_blanks();
	while (n-- > 0) {
		put_value(depth);
		put_blanks();
		put(n > 0 || any(40) == 0 ? "," : "");
		put_blanks();
	}
	put("]");
}

static void
put_value(unsigned depth)
{
	unsigned i, n;

	switch (any(depth < 6 ? 8 : 4)) {
	case 0:
		if (any(9) == 0)
			PUT_ONE("tru", "NULL", "True", "NaN", "Infinity", "-", "");
		else
			PUT_ONE("true", "false", "null");
		break;
	case 1:
		if (any(9) == 0)
			PUT_ONE("00", "01", "1.", ".5", "+1", "1e", "--1", "1-2", "0x10", "1e+");
		else
			PUT_ONE("0", "-0", "7", "-12", "0.10", "-0.0", "1e5", "1E-07", "1e400",
			    "999999999999999999", "-999999999999999999", "9223372036854775807",
			    "9223372036854775808", "18446744073709551615", "1.5e+3",
			    "18446744073709551616", "-9223372036854775808",
			    "3.14159265358979323846");
		break;
	case 2:
		if (any(9) == 0)
			PUT_ONE("\"\\x\"", "\"\\u12\"", "\"\t\"", "'x'", "\"\\u00zz\"", "\"",
			    "\"\\\"", "\"\001\"", "\"\\ud83d\\x\"");
		else
			PUT_ONE("\"\"", "\"x y\"", "\"\303\244\"", "\"\377\"", "\"\\\"\"",
			    "\"\\u0041\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"",
			    "\"\\ud83d\\u0041\"", "\"\\ude00x\"", "\"\\ud83d\\ud83d\"",
			    "\"\\u0000\"", "\"\\/\\b\\f\\n\\r\\t\\\\\"", "\"\\ud83d\\n\"",
			    "\"{\\\"a\\\":1}\"", "\"{\\\"b\\\":{\\\"c\\\":\\\"x\\\"}}\"",
			    "\"{\\\"b\\\":\\\"{}\\\"}\\n\"", "\"{\\\"c\\\":{\\\"d\\\":[2]}}\"");
		break;
	case 3:
		put("\"");
		for (i = 0, n = any(40); i < n; i++)
			PUT_ONE("a", "b", " ", "{", "}", ",", ":", "[", "0");
		put("\"");
		break;
	case 4:
		put_array(depth + 1);
		break;
	default:
		put_object(depth + 1);
		break;
	}
}

static void
make_line(void)
{
	unsigned i, n;

	length = 0;
	put_blanks();
	put_object(0);
	put_blanks();
	if (any(20) == 0)
		PUT_ONE("x", "{}", "//", "\n");
	if (any(8) == 0)
		for (i = 0, n = 1 + any(3); i < n; i++)
			line[any((unsigned)length)] = "\"{}[]:,\\ 0e-.\0\377a"[any(17)];
	if (any(20) == 0)
		length = any((unsigned)length);
}

/* Lines, and `v` in them: a text, "" where it is not there; NULL where none is an object. */
static void
nul(void)
{
#define LINE(s, v)	{ { s, sizeof s - 1 }, v }
	static const struct { struct dp_slice line; const char *v; } of[] = {
		LINE("null\0", NULL), LINE("null\0x", NULL), LINE("\0", NULL), LINE("", NULL),
		LINE("true\0-", NULL), LINE("{\"v\":1}\0junk", NULL), LINE("{\"v\":1}\0", NULL),
		LINE("{\"v\":1} \0 ", NULL), LINE("\0{\"v\":1}", NULL), LINE("{\"v\":\0001}", NULL),
		LINE("{\"v\0\":1}", NULL), LINE("{\"v\":\"1\0\"}", NULL), LINE("{\"v\":1\0}", NULL),
		LINE("{\"v\":1}}", NULL), LINE("{\"v\":1} \t\r", "1"), LINE(" {\"v\":1}", "1"),
		LINE("{\"v\":1,\"v\\u0000\":2}", "1"), LINE("{\"v\\u0000\":2,\"v\":1}", "1"),
		LINE("{\"v\\u0000\":2}", ""), LINE("{\"\\u0076\\u0000x\" :2}", ""),
		LINE("{'v':1}", NULL), LINE("{\"v\":1\\u0020}", NULL),
		LINE("{\"x\\\\\":\"\\\"\",\"v\\u0000\"\t:2}", ""),
		LINE("{\"v\":1,\"\\u0000v\":{\"v\":4}}", "1"),
		LINE("{\"\\\\u0000\":1,\"v\":\"\\\\u0000\"}", "\\u0000"),
		LINE("{\"x\\u0000\":1,\"v\":\"a\\u0041\"}", "aA"),
		LINE("{\"v\":1,\"aaaaaa\":2}", "1"),
	};
	/* behind the end of the first stands what would go on */
	static const char *const path[] = { "v\0.", "v0", "b.a", "vaaaaaa" };
	struct dp_record r;
	struct dp_json *j;
	size_t i, k;
	unsigned f;
	int rc;

	check(dp_json_new(&j, path, 4, false) == 0);
	for (i = 0; i < sizeof of / sizeof *of; i++) {
		r.text = of[i].line;
		rc = dp_json_record(j, &r);
		k = of[i].v == NULL ? 0 : strlen(of[i].v);
		if (rc != (of[i].v != NULL) || (rc == 1 && (r.field[1].n != k ||
		    (k > 0 && memcmp(r.field[1].p, of[i].v, k) != 0)))) {
			printf("%s\n", r.text.p);
			fail("a NUL is no end");
		}
		for (f = 2; rc == 1 && f <= r.nfields; f++)
			check(r.field[f].p == NULL);
	}
	/* in a value it is a byte, whether or not a name has one too */
	r.text = (struct dp_slice){ "{\"x\\u0000\":1,\"v\":\"a\\u0000:\"}", 28 };
	check(dp_json_record(j, &r) == 1 && r.field[1].n == 3 &&
	    memcmp(r.field[1].p, "a\0:", 3) == 0);
	dp_json_free(j);
}

/* 128 inside each other are taken. */
static void
deep(void)
{
	static const char *const path[] = { "v" };
	struct dp_record r;
	struct dp_json *j;
	char text[600];
	int k;

	check(dp_json_new(&j, path, 1, false) == 0);
	for (k = 120; k < 140; k++) {
		r.text = (struct dp_slice){ text, (size_t)sprintf(text, "{\"v\":%0*d%0*d}", k, 0, k,
		    0) };
		memset(text + 5, '[', (size_t)k);
		memset(text + 5 + k, ']', (size_t)k);
		check(dp_json_record(j, &r) == (k < DP_JSON_DEPTH));
	}
	dp_json_free(j);
}

/* A line cut anywhere, so that it may end in half of a surrogate pair, and the next one. */
static void
next_line(void)
{
	static const char cut[] = "{\"w\\ud83d\\ude00\":\"\\ud83d\\ude00\","
	    "\"v\":\"\\ud83d\\u0041\"}";
	static const char next[] = "{\"v\":\"\\u0041\",\"\\u0077\":1}";
	static const char *const path[] = { "v", "w" };
	struct dp_record r;
	struct dp_json *j;
	size_t n;

	check(dp_json_new(&j, path, 2, false) == 0);
	for (n = 0; n < sizeof cut; n++) {
		r.text = (struct dp_slice){ cut, n };
		check(dp_json_record(j, &r) == (n == sizeof cut - 1));
		r.text = (struct dp_slice){ next, sizeof next - 1 };
		check(dp_json_record(j, &r) == 1 && r.field[1].n == 1 && *r.field[1].p == 'A' &&
		    r.field[2].n == 1 && *r.field[2].p == '1');
	}
	dp_json_free(j);
}

/* A line, and what paths find in it; NULL: nothing. */
static void
paths(bool bytes)
{
	static const struct {
		const char *line, *v[6];
	} of[] = {
		{ "{\"log\":\"{\\\"level\\\":\\\"e\\\\nr\\\",\\\"ms\\\":120}\\n\",\"a\":\"x\"}",
		    { "e\nr", "120", NULL, NULL, "x" } },
		/* no object, or more than one: no member */
		{ "{\"log\":\"{\\\"level\\\":1}x\"}", { NULL } },
		{ "{\"log\":\"{\\\"level\\\":1}{\\\"ms\\\":2}\"}", { NULL } },
		{ "{\"log\":\"[1]\",\"a\":[]}", { NULL } },
		{ "{\"log\":\"\",\"a\":[[]]}", { NULL } },
		{ "{\"log\":\"{\\\"level\\\":1\\u0000}\"}", { NULL } },
		/* the last of two counts, whatever it holds */
		{ "{\"log\":{\"level\":1},\"log\":\"{\\\"ms\\\":2}\"}", { NULL, "2" } },
		{ "{\"log\":\"{\\\"ms\\\":2}\",\"log\":\"x\"}", { NULL } },
		/* a text in a text is not looked into */
		{ "{\"log\":\"{\\\"level\\\":\\\"{\\\\\\\"ms\\\\\\\":2}\\\"}\"}",
		    { "{\"ms\":2}" } },
		{ "{\"a\":[[7],{\"b\":8},9]}", { NULL, NULL, "7", "8", NULL, NULL } },
		{ "{\"a\":[ [ \"\\u0041\" ] , {\"b\":null} ]}", { NULL, NULL, "A" } },
		{ "{\"a\":{\"[1]\":{\"b\":8}}}", { NULL } },
		{ "{\"a[1]\":{\"b\":8},\"a\":[1,{\"b\":7}]}", { NULL, NULL, NULL, "8" } },
		{ "{\"a\":[97,0, 255 ,10]}", { NULL, NULL, NULL, NULL, "a" } },
		{ "{\"a\":[97,256]}", { NULL } }, { "{\"a\":[97,-1]}", { NULL } },
		{ "{\"a\":[97,1.0]}", { NULL } }, { "{\"a\":[ ]}", { NULL } },
		{ "{\"a\":[97,\"a\"]}", { NULL } }, { "{\"a\":[[97]]}", { NULL, NULL, "97" } },
	};
	static const char *const path[] = { "log.level", "log.ms", "a[0][0]", "a[1].b", "a",
		"a[99999999999999999999]" };
	static struct dp_record r;
	struct dp_json *j;
	const char *want;
	size_t i, k;

	check(dp_json_new(&j, path, 6, bytes) == 0);
	for (i = 0; i < sizeof of / sizeof *of; i++) {
		r.text = (struct dp_slice){ of[i].line, strlen(of[i].line) };
		check(dp_json_record(j, &r) == 1);
		for (k = 0; k < 6; k++) {
			want = of[i].v[k];
			if (want != NULL && strcmp(want, "a") == 0)	/* and 0, 255, 10 */
				check(bytes ? r.field[5].n == 4 && memcmp(r.field[5].p, "a\0\377\n",
				    4) == 0 : r.field[5].p == NULL);
			else if (want == NULL ? r.field[k + 1].p != NULL :
			    r.field[k + 1].n != strlen(want) ||
			    memcmp(r.field[k + 1].p, want, strlen(want)) != 0) {
				printf("%s %s\n", of[i].line, path[k]);
				fail("a path that leads elsewhere");
			}
		}
	}
	dp_json_free(j);
}

int
main(void)
{
	static const char *const path[PATHS] = { "a", "b", "a.b", "a.b.c", "b.c.d", "", "a.", "e",
	    "a[0]", "b[1].a", "a[0][1]" };
	static struct dp_record r;
	struct dp_json *j;
	unsigned i, whole = 0, found = 0;
	int rc;

	nul();
	deep();
	next_line();
	paths(false);
	paths(true);
	check(dp_json_new(&j, path, PATHS, false) == 0);
	for (i = 0; i < LINES; i++) {
		make_line();
		r.text = (struct dp_slice){ line, length };
		rc = dp_json_record(j, &r);
		if (rc != jsonref_object(r.text) || r.nfields != (rc == 1 ? PATHS : 0) ||
		    (rc == 1 && !jsonref_same(&r, path))) {
			printf("%.*s\n", (int)length, line);
			fail("others say the same");
		}
		whole += rc == 1;
		found += rc == 1 && r.field[3].p != NULL;
	}
	printf("%u objects, %u with a.b\n", whole, found);
	check(whole > LINES / 8 && whole < LINES && found > LINES / 100);
	dp_json_free(j);
	return done();
}
