/*
 * f_cut.c - any pattern, and any text cut by it: fields lie within the text.  The first line is the
 * pattern, or, if it is empty, those of all logs in turn; the rest is the text.
 * A log's splitter finds the fields of its pattern.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_cut.c ...; ./f_cut corpus
 *	cc -DREPLAY f_cut.c ...; ./f_cut FILE ...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/cut.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
cut(const char *pattern, struct dp_slice text, bool known)
{
	static struct dp_record r;
	char why[DP_MATCH_WHY] = "";
	struct dp_slice *f;
	struct dp_cut *c;
	unsigned i;
	int rc;

	if ((rc = dp_cut_new(&c, pattern, why)) != 0) {
		if (known || rc != DP_ESYNTAX || why[0] == '\0')
			abort();
		return;
	}
	for (i = 0; dp_cut_name(c, i) != NULL; i++)
		if (dp_cut_field(c, dp_cut_name(c, i)) - 1 >= dp_cut_fields(c))
			abort();
	r.text = text;
	if ((rc = dp_cut_record(c, &r)) < 0 || r.nfields != (rc == 1 ? dp_cut_fields(c) : 0))
		abort();
	for (i = 1; i <= r.nfields; i++) {
		f = &r.field[i];
		if (f->p != NULL && (f->p < text.p || f->n > text.n ||
		    (size_t)(f->p - text.p) > text.n - f->n))
			abort();
	}
	if (dp_cut_forget(c) != 0 || dp_cut_record(c, &r) != rc)
		abort();
	dp_cut_free(c);
}

static void
split(const struct dp_log *l, struct dp_slice text)
{
	static struct dp_record a, b;
	struct dp_cut *pattern, *c;
	char why[DP_MATCH_WHY] = "";
	char *copy = calloc(1, text.n + DP_RECORD_SLACK);
	unsigned i;

	if (copy == NULL || dp_cut_new(&pattern, l->pattern, why) != 0 ||
	    dp_cut_new_log(&c, l, false, why) != 0)
		abort();
	memcpy(copy, text.p, text.n);
	a.text = b.text = (struct dp_slice){ copy, text.n };
	if (dp_cut_record(c, &a) != dp_cut_record(pattern, &b) || a.nfields != b.nfields)
		abort();
	for (i = 1; i <= a.nfields; i++)
		if (a.field[i].p != b.field[i].p || a.field[i].n != b.field[i].n)
			abort();
	dp_cut_free(pattern);
	dp_cut_free(c);
	free(copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const uint8_t *nl = n == 0 ? NULL : memchr(p, '\n', n);
	struct dp_slice text;
	unsigned i;
	char *pattern;

	if (nl == NULL)
		return 0;
	text = (struct dp_slice){ (const char *)nl + 1, n - (size_t)(nl - p) - 1 };
	if (nl == p) {
		for (i = 0; dp_log_get(i) != NULL; i++) {
			cut(dp_log_get(i)->pattern, text, true);
			split(dp_log_get(i), text);
		}
		return 0;
	}
	if ((pattern = strndup((const char *)p, (size_t)(nl - p))) == NULL)
		abort();
	cut(pattern, text, false);
	free(pattern);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
