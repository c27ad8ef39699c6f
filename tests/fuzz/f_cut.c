/* SPDX-License-Identifier: ISC */
/*
 * f_cut.c - any pattern, and any text cut by it: fields lie within the text.  The first line is the
 * pattern; the rest is the text.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_cut.c ...; ./f_cut corpus
 *	cc -DREPLAY f_cut.c ...; ./f_cut FILE ...
 */
#include "input/internal.h"
#include "target.h"

static void
cut(const char *pattern, struct dp_slice text)
{
	static struct dp_record r;
	char why[DP_MATCH_WHY] = "";
	struct dp_slice *f;
	struct dp_cut *c;
	unsigned i;
	int rc;

	if ((rc = dp_cut_new(&c, pattern, why)) != 0) {
		if (rc != DP_ESYNTAX || why[0] == '\0')
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

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const uint8_t *nl = n == 0 ? NULL : memchr(p, '\n', n);
	struct dp_slice text;
	char *pattern;

	if (nl == NULL)
		return 0;
	text = (struct dp_slice){ (const char *)nl + 1, n - (size_t)(nl - p) - 1 };
	if ((pattern = strndup((const char *)p, (size_t)(nl - p))) == NULL)
		abort();
	cut(pattern, text);
	free(pattern);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
