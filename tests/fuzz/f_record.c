/*
 * f_record.c - any bytes through the reader, twice, in different blocks; both times the same
 * records.  CSV: the first time plain rows are cut in place, the second time all go through libcsv.
 * Byte 0: rule; byte 1: delimiter; byte 2: block size; the rest is the file.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_record.c ...; ./f_record corpus
 *	cc -DREPLAY f_record.c ...; ./f_record FILE ...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stream/record.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static struct dp_reader *
open_reader(const struct dp_reader_rule *rule, const uint8_t *p, size_t n, int *fd)
{
	struct dp_reader *r;

	*fd = memfd_create("f", 0);
	if (*fd < 0 || write(*fd, p, n) != (ssize_t)n || lseek(*fd, 0, SEEK_SET) != 0 ||
	    dp_reader_new(&r, rule) != 0)
		abort();
	dp_reader_attach(r, *fd);
	return r;
}

static bool
same(struct dp_slice a, struct dp_slice b)
{
	return (a.p == NULL) == (b.p == NULL) && a.n == b.n &&
	    (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct dp_reader_rule rule = { .delimiter = -1 };
	struct dp_reader *a, *b;
	struct dp_record x, y;
	uint64_t last = 0;
	unsigned i;
	int f, g, e;

	if (n < 3)
		return 0;
	rule.csv = p[0] & 1;
	rule.text = p[0] & 2;
	rule.fields = p[0] >> 4 == 15 ? DP_FIELDS_MAX : p[0] >> 4;
	if (p[0] & 4 && p[1] != '\n' && p[1] != '\r' && p[1] != '"')
		rule.delimiter = p[1];
	rule.block = p[2];
	a = open_reader(&rule, p + 3, n - 3, &f);
	rule.no_fast_csv = true;
	rule.frugal = !rule.csv && p[0] & 8;
	rule.block = 0;
	b = open_reader(&rule, p + 3, n - 3, &g);
	for (;;) {
		e = dp_reader_next(a, &x, -1);
		if (e != dp_reader_next(b, &y, -1) || e < 0 || e == DP_READ_TIMEOUT)
			abort();
		if (e == DP_READ_END)
			break;
		if (x.number != y.number || x.number < last + !rule.csv ||
		    x.too_long != y.too_long || x.nfields != y.nfields ||
		    x.nfields > rule.fields || !same(x.text, y.text))
			abort();
		for (i = 1; i <= rule.fields; i++)
			if (!same(x.field[i], y.field[i]) ||
			    (x.field[i].p != NULL) != (i <= x.nfields))
				abort();
		last = x.number;
	}
	dp_reader_free(a);
	dp_reader_free(b);
	close(f);
	close(g);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
