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

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char *const path[PATHS] = { "a", "a.b", "b.c.d", "" };
	static struct dp_json *j;
	static struct dp_record r;
	int rc;

	need(j != NULL || dp_json_new(&j, path, PATHS) == 0);
	rc = read_line(j, &r, p, n);
	need(rc == 0 || jsonref_same(&r, path));
	need(n >= DP_JSON_DEPTH || rc == jsonref_object(r.text));
	/* nothing of this line is in the next */
	need(read_line(j, &r, (const uint8_t *)"{\"b\":1}", 7) == 1 && r.field[1].p == NULL);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
