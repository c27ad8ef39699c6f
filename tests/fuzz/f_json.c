/*
 * f_json.c - any bytes as a line of JSON, with the paths a, a.b, b.c.d and the empty one: fields
 * are there or not, and json-c alone finds the same; no line with a NUL byte is an object.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_json.c ...; ./f_json corpus
 *	cc -DREPLAY f_json.c ...; ./f_json FILE ...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/json.h"

#define PATHS	4

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

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
	if ((rc = dp_json_record(j, r)) < 0 || r->nfields != (rc == 1 ? PATHS : 0))
		abort();
	if (rc == 1 && memchr(p, '\0', n) != NULL)
		abort();
	return rc;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct dp_record x, y;
	struct dp_json *a = parser(false), *b = parser(true);
	int rc = read_line(a, &x, p, n);
	unsigned i;

	(void)read_line(b, &y, (const uint8_t *)"{\"a\":\"other\"}", 13);
	if (read_line(b, &y, p, n) != rc)
		abort();
	for (i = 1; i <= x.nfields; i++)
		if ((x.field[i].p == NULL) != (y.field[i].p == NULL) ||
		    x.field[i].n != y.field[i].n ||
		    (x.field[i].n > 0 && memcmp(x.field[i].p, y.field[i].p, x.field[i].n) != 0))
			abort();
	dp_json_free(a);
	dp_json_free(b);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
