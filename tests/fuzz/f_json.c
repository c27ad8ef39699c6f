/* SPDX-License-Identifier: ISC */
/*
 * f_json.c - any bytes as a line of JSON, with the paths a, a.b, b.c.d and the empty one: it is an
 * object, and has these members, as others read it; no line with a NUL byte is an object.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_json.c ...; ./f_json corpus
 *	cc -DREPLAY f_json.c ...; ./f_json FILE ...
 */
#include "jsonref.h"
#include "target.h"

#define PATHS	4

static int
read_line(struct dp_json *j, struct dp_record *r, const uint8_t *p, size_t n)
{
	int rc;

	r->text = (struct dp_slice){ (const char *)p, n };
	rc = dp_json_record(j, r);
	need(rc >= 0 && r->nfields == (rc == 1 ? PATHS : 0));
	need(rc == 0 || memchr(p, '\0', n) == NULL);
	return rc;
}

/* Nothing of a line is in the next. */
static void
unmoved(struct dp_json *j)
{
	static const char line[] = "{\"a\":\"\\u0041b\",\"b\":{\"c\":{\"d\":-1.5e3}}}";
	static struct dp_record r;

	need(read_line(j, &r, (const uint8_t *)line, sizeof line - 1) == 1);
	need(same(r.field[1], (struct dp_slice){ "Ab", 2 }) && r.field[2].p == NULL &&
	    same(r.field[3], (struct dp_slice){ "-1.5e3", 6 }) && r.field[4].p == NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char *const path[PATHS] = { "a", "a.b", "b.c.d", "" };
	static struct dp_json *j;
	static struct dp_record r;
	int rc;

	need(j != NULL || dp_json_new(&j, path, PATHS, false) == 0);
	rc = read_line(j, &r, p, n);
	need(rc == 0 || jsonref_same(&r, path));
	need(n >= DP_JSON_DEPTH || rc == jsonref_object(r.text));
	unmoved(j);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
