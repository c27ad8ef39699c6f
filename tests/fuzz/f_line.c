/* SPDX-License-Identifier: ISC */
/*
 * f_line.c - any bytes through the reader of lines: by blocks of any size, and a line at a time
 * (frugal); both times the lines and fields that a loop over the bytes finds.
 * Byte 0: frugal; byte 1: delimiter; byte 2: block size; byte 3: fields; the rest is the file.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_line.c ...; ./f_line corpus
 *	cc -DREPLAY f_line.c ...; ./f_line FILE ...
 */
#include "feed.h"
#include "input/internal.h"

/* The next field of [p,e), cut without haste; what is behind it. */
static const char *
cut(const char *p, const char *e, int delimiter, struct dp_slice *f)
{
	const char *s;

	while (delimiter < 0 && p < e && (*p == ' ' || *p == '\t'))
		p++;
	*f = (struct dp_slice){ NULL, 0 };
	if (p > e || (delimiter < 0 && p == e))
		return e + 1;
	for (s = p; p < e && (delimiter < 0 ? *p != ' ' && *p != '\t' : *p != (char)delimiter); p++)
		;
	*f = (struct dp_slice){ s, (size_t)(p - s) };
	return p + 1;
}

static void
check(const struct dp_record *r, const struct dp_reader_rule *rule, const char *p, const char *e)
{
	struct dp_slice f;
	unsigned i, n = 0;

	if (e > p && e[-1] == '\r')
		e--;
	need(!r->too_long && same(r->text, (struct dp_slice){ p, (size_t)(e - p) }));
	for (i = 1; i <= rule->fields; i++) {
		p = cut(p, e, rule->delimiter, &f);
		n += f.p != NULL;
		need(same(f, r->field[i]));
	}
	need(r->nfields == n);
}

/* The lines of a file, which has no NUL behind it. */
static void
read_all(struct dp_reader *r, const char *p, const char *e)
{
	static struct dp_record rec;
	uint64_t line = 0;
	const char *nl;

	for (; p < e; p = nl + 1) {
		need(dp_reader_next(r, &rec, -1) == DP_READ_RECORD && rec.number == ++line);
		while (e - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
			p += 3;
		if ((nl = memchr(p, '\n', (size_t)(e - p))) == NULL)
			nl = e;
		need(dp_reader_unended(r) == (nl == e) || nl != e);
		check(&rec, &r->rule, p, nl);
		dp_reader_forget(r);
	}
	need(dp_reader_next(r, &rec, -1) == DP_READ_END);
}

/* Made once: the frugal one has room for the longest line. */
static struct dp_reader *
reader(bool frugal)
{
	static struct dp_reader *made[2];
	const struct dp_reader_rule rule = { .delimiter = -1, .frugal = frugal };

	if (made[frugal] == NULL)
		need(dp_reader_new(&made[frugal], &rule) == 0);
	return made[frugal];
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct dp_reader *r;

	if (n < 4)
		return 0;
	r = reader(p[0] & 1);
	r->rule.delimiter = p[1] == '\n' || p[1] == '\r' ? -1 : p[1];
	r->rule.fields = p[3] % (DP_FIELDS_MAX + 1);
	if (!r->rule.frugal) {		/* a buffer of its own, that must grow */
		r->rule.block = p[2] != 0 ? p[2] : 1;
		r->cap = r->rule.block < 4 ? 4 : r->rule.block;
		free(r->buf);
		need((r->buf = malloc(r->cap + DP_RECORD_SLACK)) != NULL);
	}
	dp_reader_attach(r, feed(0, p + 4, n - 4));
	read_all(r, (const char *)p + 4, (const char *)p + n);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
