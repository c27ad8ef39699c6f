/*
 * csvrow.c - records that are CSV rows.
 *
 * libcsv 3.0 defines the format.  It costs about 5 ns a byte, so csvplain.c cuts rows of plain
 * RFC 4180 where they stand and hands the others, byte by byte the same, to the parser.  The
 * parser is between rows whenever that runs.  A row whose quotes do not end is csvquote.c's.
 */
#include <stdlib.h>
#include <string.h>

#include "csvrow.h"

/* A row that is not complete in the buffer is looked at again, up to this size. */
#define RESCAN	((size_t)4096)
/* libcsv keeps one field; of a row that is not too long each fits with room to spare. */
#define STEP	((size_t)4096)
#define FIELD_CAP	(DP_RECORD_MAX + STEP)
#define WINDOW	1024	/* bytes given to libcsv at a time, at most */

static void *
capped(void *p, size_t n)
{
	return n > FIELD_CAP ? NULL : realloc(p, n);
}

int
dp_csvrow_new(struct dp_csvrow **out, const struct dp_reader_rule *rule)
{
	struct dp_csvrow *c = calloc(1, sizeof *c);
	unsigned char delimiter = rule->delimiter < 0 ? ',' :
	    (unsigned char)rule->delimiter;

	if (c == NULL)
		return DP_ENOMEM;
	c->delimiter = (char)delimiter;
	c->want = rule->fields;
	c->want_text = rule->text;
	c->blank[' '] = c->blank['\t'] = true;
	c->blank[delimiter] = false;
	csv_init(&c->parser, 0);
	csv_set_delim(&c->parser, delimiter);
	csv_set_realloc_func(&c->parser, capped);
	*out = c;
	return 0;
}

static void
restart(struct dp_csvrow *c)
{
	c->open = c->begun = c->done = c->broken = c->too_long = false;
	c->raw = 0;
	c->seen = 0;
	dp_buf_reset(&c->side);
	dp_buf_reset(&c->text);
}

void
dp_csvrow_reset(struct dp_csvrow *c)
{
	csv_fini(&c->parser, NULL, NULL, NULL);
	c->scan.next = NULL;
	c->quote = DP_CSVQUOTE_OPEN;
	c->unseen = 0;
	restart(c);
}

void
dp_csvrow_free(struct dp_csvrow *c)
{
	if (c == NULL)
		return;
	csv_free(&c->parser);
	dp_buf_free(&c->side);
	dp_buf_free(&c->text);
	free(c);
}

void
dp_csvrow_field(struct dp_csvrow *c, const char *s, size_t n)
{
	if (c->seen++ >= c->want || c->too_long)
		return;
	c->off[c->seen] = c->side.n;
	c->len[c->seen] = n;
	dp_buf_add(&c->side, s, n);
}

static void
on_field(void *s, size_t n, void *arg)
{
	dp_csvrow_field(arg, s, n);
}

static void
on_row(int end, void *arg)
{
	(void)end;
	((struct dp_csvrow *)arg)->done = true;
}

/* Count n bytes of the row, and keep them: csvquote.c may have to look at them again. */
static void
note(struct dp_csvrow *c, const char *p, size_t n)
{
	c->raw += n;
	if (c->raw > DP_RECORD_MAX && !c->too_long) {
		c->too_long = true;
		dp_buf_reset(&c->side);
		dp_buf_reset(&c->text);
	}
	if (!c->too_long)
		dp_buf_add(&c->text, p, n);
}

/*
 * csv_parse() stops with CSV_ENOMEM where capped() refused.  The row is too long then, but where it
 * ends must still be found: forget the bytes of the field, and nothing else.  After a quote that
 * may be the closing one csv_parse() takes spaces + 1 bytes off the field, and asks whether spaces
 * is 0.
 */
int
dp_csvrow_parse(struct dp_csvrow *c, const char *p, size_t n)
{
	size_t size = c->parser.entry_size, k;

	csv_set_blk_size(&c->parser, size < STEP ? STEP : size);	/* double */
	for (; (k = csv_parse(&c->parser, p, n, on_field, on_row, c)) < n;
	    p += k, n -= k) {
		if (c->parser.entry_size < FIELD_CAP)
			return DP_ENOMEM;
		c->parser.spaces = c->parser.spaces != 0;
		c->parser.entry_pos = c->parser.spaces + 1;
	}
	return 0;
}

/*
 * Bytes of [p,e) to give to the parser: through the first newline of either kind, for a row ends
 * there if anywhere; *ends tells whether there is one.  No more than WINDOW is searched: in a file
 * without '\n' each row would search all of the buffer for one.
 */
static size_t
piece(const char *p, const char *e, bool *ends)
{
	size_t n = e - p > WINDOW ? WINDOW : (size_t)(e - p);
	const char *lf, *cr;

	lf = memchr(p, '\n', n);
	cr = memchr(p, '\r', lf == NULL ? n : (size_t)(lf - p));
	*ends = lf != NULL || cr != NULL;
	return cr != NULL ? (size_t)(cr + 1 - p) :
	    lf != NULL ? (size_t)(lf + 1 - p) : n;
}

/* A line has ended inside quotes: 1: the row goes on; 0: it ends here, or more bytes are needed. */
static int
go_on(struct dp_reader *r)
{
	struct dp_csvrow *c = r->csv;
	const enum dp_csvquote quote = c->too_long ? DP_CSVQUOTE_CLOSES : dp_csvquote_judge(r);

	if (quote == DP_CSVQUOTE_OPEN)
		return 0;
	c->broken = false;
	if (quote == DP_CSVQUOTE_CLOSES)
		return 1;
	c->raw--;
	c->text.n -= c->text.n > 0;	/* what ended the line ends the row */
	return dp_csvquote_text(c);
}

/* Give the bytes at beg to the parser until it has a row, or they run out. */
static int
feed(struct dp_reader *r)
{
	struct dp_csvrow *c = r->csv;
	size_t i, n;
	char *p;
	bool ends;
	int e;

	while (!c->done && c->open) {
		if (c->broken && (e = go_on(r)) != 1)
			return e;
		if (r->beg == r->end)
			return 0;
		p = r->buf + r->beg;
		n = piece(p, r->buf + r->end, &ends);
		r->beg += n;
		for (i = 0; !c->begun && i < n - ends; i++)
			c->begun = !c->blank[(unsigned char)p[i]];
		note(c, p, n - ends);
		if ((e = dp_csvrow_parse(c, p, n)) != 0)
			return e;
		if (!ends)
			continue;
		r->line += p[n - 1] == '\n';
		if (!c->begun)
			restart(c);	/* a blank row is none */
		else if (!c->done) {
			note(c, p + n - 1, 1);	/* a newline in quotes */
			c->broken = true;
		}
	}
	return 0;
}

/* The file ends in a row: as if a newline were behind it. */
static int
finish(struct dp_reader *r)
{
	struct dp_csvrow *c = r->csv;
	int e;

	if (!c->begun) {
		csv_fini(&c->parser, NULL, NULL, NULL);
		restart(c);
		return 0;
	}
	if (!c->done && (e = dp_csvrow_parse(c, "\n", 1)) != 0)
		return e;
	if (!c->done && !c->too_long)
		return dp_csvquote_text(c);
	csv_fini(&c->parser, NULL, NULL, NULL);
	c->done = true;
	return 0;
}

/* The row that the parser has finished. */
static int
deliver(struct dp_csvrow *c, struct dp_record *rec)
{
	unsigned i;

	if (c->side.error != 0 || c->text.error != 0)
		return DP_ENOMEM;
	rec->number = c->number;
	rec->too_long = c->too_long;
	rec->text = c->want_text && !c->too_long ?
	    (struct dp_slice){ c->text.p, c->text.n } : (struct dp_slice){ NULL, 0 };
	if (c->too_long)
		c->seen = 0;
	for (i = 1; i <= c->seen && i <= c->want; i++)
		dp_csvrow_settle(c, rec, i);
	dp_csvrow_complete(c, rec, c->seen);
	return DP_READ_RECORD;
}

/*
 * Passes over the byte order marks before a row.  True: nothing is behind them yet, or what may be
 * the beginning of another.
 */
static bool
passes_marks(struct dp_reader *r)
{
	const char *end = r->buf + r->end, *p = r->buf + r->beg;
	const size_t n = dp_record_marks(p, end), left = r->end - r->beg - n;

	r->beg += n;
	return left == 0 ||
	    (!r->eof && left < 3 && memcmp(p + n, "\xef\xbb", left) == 0);
}

/*
 * A row from what is in the buffer, by either way: DP_READ_RECORD; 0: more bytes are needed;
 * DP_ENOMEM.
 */
static int
from_buffer(struct dp_reader *r, struct dp_record *rec)
{
	struct dp_csvrow *c = r->csv;
	size_t n;
	int e;

	while (r->beg < r->end || (c->broken && r->eof)) {
		if (!c->open) {
			if (passes_marks(r))
				return 0;
			e = r->rule.no_fast_csv ? ROW_ODD : dp_csvrow_plain(r, rec);
			if (e < 0 || e == ROW_PLAIN)
				return e < 0 ? e : DP_READ_RECORD;
			if (e == ROW_BLANK)
				continue;
			n = r->end - r->beg;
			if (e == ROW_CUT && !r->eof && n < RESCAN && n < r->cap)
				return 0;
			c->open = true;
			c->number = r->line + 1;
		}
		if ((e = feed(r)) != 0)
			return e;
		if (c->done)
			return deliver(c, rec);
		if (c->broken)
			return 0;
	}
	return 0;
}

int
dp_csvrow_more(struct dp_reader *r, struct dp_record *rec)
{
	if (r->csv->done)
		restart(r->csv);
	return from_buffer(r, rec);
}

int
dp_csvrow_next(struct dp_reader *r, struct dp_record *rec, int timeout_ms)
{
	struct dp_csvrow *c = r->csv;
	unsigned reads = 0;
	size_t got;
	int e;

	if (c->done)
		restart(c);
	for (;;) {
		if ((e = from_buffer(r, rec)) != 0)
			return e;
		if (r->eof)
			break;
		if (dp_reader_enough(&timeout_ms, &reads))
			return DP_READ_TIMEOUT;
		if (r->end - r->beg == r->cap && (e = dp_reader_grow(r)) != 0)
			return e;
		if ((e = dp_reader_fill(r, timeout_ms, &got)) != 0)
			return e;
		c->unseen += got;
		c->scan.next = NULL;	/* rows have moved */
	}
	if (c->open && (e = finish(r)) != 0)
		return e;
	return c->done ? deliver(c, rec) : DP_READ_END;
}
