/*
 * t_jsonstrict.c - lines are objects, and fields are the same, by whatever json-c: here one that,
 * told to be strict, refuses every byte outside of ASCII or below a blank and more than 20 digits
 * in a row, wherever they are.  0.17 and 0.18 refuse fewer.  And no memory is no malformed line.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "check.h"
#include "stream/json.h"

static int flags;
static bool no_memory;		/* as 0.17 says it, whichever this was built with */
static unsigned asked, refused;

/* In json-c's stead. */
void
json_tokener_set_flags(struct json_tokener *t, int now)
{
	void (*real)(struct json_tokener *, int);

	*(void **)&real = dlsym(RTLD_NEXT, "json_tokener_set_flags");
	real(t, flags = now);
}

static bool
is_refused(const char *s, int n)
{
	int i, run = 0;

	for (i = 0; i < n; i++) {
		run = s[i] >= '0' && s[i] <= '9' ? run + 1 : 0;
		if (run > 20 || (unsigned char)s[i] < ' ' || (unsigned char)s[i] > 0x7f)
			return true;
	}
	return false;
}

/* In json-c's stead. */
struct json_object *
json_tokener_parse_ex(struct json_tokener *t, const char *s, int n)
{
	struct json_object *(*real)(struct json_tokener *, const char *, int);

	*(void **)&real = dlsym(RTLD_NEXT, "json_tokener_parse_ex");
	if ((flags & JSON_TOKENER_STRICT) == 0)
		return real(t, s, n);
	asked++;
	if (!is_refused(s, n))
		return real(t, s, n);
	refused++;
	return real(t, "?", 1);
}

/* In json-c's stead. */
enum json_tokener_error
json_tokener_get_error(struct json_tokener *t)
{
	enum json_tokener_error (*real)(struct json_tokener *);

	*(void **)&real = dlsym(RTLD_NEXT, "json_tokener_get_error");
	return no_memory ? json_tokener_error_size + 1 : real(t);
}

#define Z10	"0000000000"
#define N20	"12345678901234567890"

/* A line, and the text of its v, "" where it is not there; NULL: no object. */
static const char *const of[][2] = {
	{ "", NULL },		/* the first line there is */
	/* text; an escape in a name is what makes a line one for json-c */
	{ "{\"v\":\"\303\266\",\"\\u0041\":1}", "\303\266" },
	{ "{\"v\":\"\\u00e4\303\266\"}", "\303\244\303\266" },
	{ "{\"\303\266\":1,\"\\u0076\":\"\377\"}", "\377" },
	{ "{\"v\":\"a\tb\001\\n\",\"\\u0041\":1}", "a\tb\001\n" },
	{ "{\"v\":1,\"x\":[\"\303\266\",{\"\\u0041\":\"\t\"}]}", "1" },
	{ "\t{\"v\"\t:\r1\t,\"\\u0041\":1}\r\t", "1" },
	/* whole numbers of more than 64 bits are not there; others stay */
	{ "{\"v\":18446744073709551616}", "" },
	{ "{\"v\":-9223372036854775809}", "" },
	{ "{\"v\":" N20 N20 "}", "" },
	{ "{\"v\":-" N20 N20 "}", "" },
	{ "{\"v\":" N20 "}", N20 },
	{ "{\"v\":-9223372036854775807}", "-9223372036854775807" },
	{ "{\"v\":1,\"x\":" N20 N20 "}", "1" },
	{ "{\"x\":[-" N20 N20 "],\"v\":{},\"v\":\"\303\266\"}", "\303\266" },
	/* what has as many digits and is none */
	{ "{\"v\":" N20 N20 ".5,\"\\u0041\":1}", N20 N20 ".5" },
	{ "{\"v\":0." N20 N20 "e0,\"\\u0041\":1}", "0." N20 N20 "e0" },
	{ "{\"v\":1e-" Z10 Z10 "7,\"\\u0041\":1}", "1e-" Z10 Z10 "7" },
	{ "{\"v\":\"" N20 N20 "\",\"\\u0041\":1}", N20 N20 },
	{ "{\"v\":\"\\u0041" N20 N20 "\"}", "A" N20 N20 },
	{ "{\"" N20 N20 "\":1,\"\\u0076\":7}", "7" },
	/* malformed */
	{ "{\"v\":1}\303\266", NULL }, { "{\303\266:1}", NULL }, { "{\"v\":\303\266}", NULL },
	{ "{\"v\":1\303\266}", NULL }, { "{\"v\":tru\303\266}", NULL },
	{ "{\"v\":\"\\\303\266\"}", NULL }, { "{\"v\":\"\\u00\3001\"}", NULL },
	{ "{\"v\":\"\\\t\"}", NULL }, { "{\"v\":\001 1}", NULL }, { "{\"v\":1}\013", NULL },
	{ "{\"v\":\"\303\266}", NULL }, { "{\"v\":/**/\"\303\266\"}", NULL },
	{ "{\"v\":\"\303\266\",}", NULL }, { "{\"v\":'\303\266'}", NULL },
	{ "{\"v\":NULL,\"x\":\"\303\266\"}", NULL },
	{ "{\"v\":0" Z10 Z10 "1}", NULL }, { "{\"v\":00000000001" Z10 "}", NULL },
	{ "{\"v\":" N20 "\t" N20 "}", NULL }, { "{\"v\":" N20 "-" N20 "}", NULL },
	{ "{\"v\":+" N20 N20 "}", NULL }, { "{\"v\":" N20 N20 "x}", NULL },
	{ "{" N20 N20 ":1}", NULL }, { N20 N20, NULL }, { "{\"v\":1}" N20 N20, NULL },
	{ "{\"v\":." N20 N20 "}", NULL }, { "{\"v\":--" N20 N20 "}", NULL },
};

static void
line(struct dp_json *j, const char *text, const char *v)
{
	static struct dp_record r;
	const size_t n = v == NULL ? 0 : strlen(v);

	r.text = (struct dp_slice){ text, strlen(text) };
	if (dp_json_record(j, &r) != (v != NULL) || (v != NULL && (r.field[1].n != n ||
	    (n == 0) != (r.field[1].p == NULL) ||
	    (n > 0 && memcmp(r.field[1].p, v, n) != 0)))) {
		printf("%s\n", text);
		fail("the same by any json-c");
	}
}

int
main(void)
{
	static const char *const path[] = { "v" };
	static struct dp_record r = { .text = { "{}", 2 } };
	struct dp_json *plain, *slow;
	size_t i;

	check(dp_json_new(&plain, path, 1, false) == 0 && dp_json_new(&slow, path, 1, true) == 0);
	for (i = 0; i < sizeof of / sizeof *of; i++) {
		line(plain, of[i][0], of[i][1]);
		line(slow, of[i][0], of[i][1]);
	}
	check(asked > 0 && refused == 0);
	no_memory = true;
	check(dp_json_record(slow, &r) == DP_ENOMEM);
	dp_json_free(plain);
	dp_json_free(slow);
	return done();
}
