/*
 * f_json.c - any bytes as a line of JSON, with the paths a, a.b, b.c.d and the empty one: fields
 * are there or not, and json-c alone finds the same; no line with a NUL byte is an object.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_json.c ...; ./f_json corpus
 *	cc -DREPLAY f_json.c ...; ./f_json FILE ...
 */
#include "stream/json.h"
#include "target.h"

#define PATHS	4

static struct dp_json *
parser(bool no_plain)
{
	static const char *const path[PATHS] = { "a", "a.b", "b.c.d", "" };
	struct dp_json *j;

	if (dp_json_new(&j, path, PATHS, no_plain) != 0)
		abort();
	return j;
}

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
	static struct dp_json *a, *b;
	static struct dp_record x, y;
	unsigned i;
	int rc;

	if (a == NULL) {
		a = parser(false);
		b = parser(true);
	}
	rc = read_line(a, &x, p, n);
	need(read_line(b, &y, p, n) == rc);
	for (i = 1; i <= x.nfields; i++)
		need(same(x.field[i], y.field[i]));
	/* nothing of this line is in the next */
	need(read_line(a, &x, (const uint8_t *)"{\"b\":1}", 7) == 1 && x.field[1].p == NULL);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
