/* SPDX-License-Identifier: ISC */
/*
 * f_csv.c - any bytes as CSV through the reader, twice: plain rows cut where they stand, by blocks
 * of any size, and all rows through libcsv, at once; both times the same rows.
 * Byte 0: fields, and whether the text is wanted; byte 1: delimiter; byte 2: block size; the rest
 * is the file.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_csv.c ...; ./f_csv corpus
 *	cc -DREPLAY f_csv.c ...; ./f_csv FILE ...
 */
#include "feed.h"
#include "input/record.h"

static void
alike(const struct dp_record *x, const struct dp_record *y, unsigned fields)
{
	unsigned i;

	need(x->number == y->number && x->too_long == y->too_long && same(x->text, y->text) &&
	    x->nfields == y->nfields && x->nfields <= fields);
	for (i = 1; i <= fields; i++)
		need(same(x->field[i], y->field[i]) &&
		    (x->field[i].p != NULL) == (i <= x->nfields));
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct dp_record x, y;
	struct dp_reader_rule rule = { .csv = true, .delimiter = -1 };
	struct dp_reader *a, *b;
	uint64_t last = 0;
	int e;

	if (n < 3)
		return 0;
	rule.text = p[0] & 1;
	rule.fields = p[0] >> 1 > DP_FIELDS_MAX ? 3 : p[0] >> 1;
	if (p[1] != '\n' && p[1] != '\r' && p[1] != '"')
		rule.delimiter = p[1];
	rule.block = p[2] != 0 ? p[2] : 1;
	need(dp_reader_new(&a, &rule) == 0);
	rule.no_fast_csv = true;
	rule.block = 1 << 10;
	need(dp_reader_new(&b, &rule) == 0);
	dp_reader_attach(a, feed(0, p + 3, n - 3));
	dp_reader_attach(b, feed(1, p + 3, n - 3));
	while ((e = dp_reader_next(a, &x, -1)) == DP_READ_RECORD) {
		need(dp_reader_next(b, &y, -1) == e && x.number >= last);
		alike(&x, &y, rule.fields);
		last = x.number;
	}
	need(e == DP_READ_END && dp_reader_next(b, &y, -1) == DP_READ_END);
	dp_reader_free(a);
	dp_reader_free(b);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
