/*
 * csvplain.c - CSV rows that are plain RFC 4180, cut where they stand in the buffer.
 *
 * A block of 64 bytes becomes words of one bit a byte: quotes, and bytes that end a field if no
 * quote is open. Whether one is open before each byte is the parity of the quotes up to it, all 64
 * by six shifts.  Whatever looks odd is left to libcsv, which defines the format: csvrow.c.
 */
#include "block.h"
#include "csvrow.h"

/* Bit i: the parity of bits 0..i. */
static inline uint64_t
parity(uint64_t x)
{
	x ^= x << 1;
	x ^= x << 2;
	x ^= x << 4;
	x ^= x << 8;
	x ^= x << 16;
	return x ^ x << 32;
}

/*
 * Look at the block at s->p, before data.  RFC 4180 lets a quote open only at a field's start, or
 * where another one just closed (then the two stand for one), and close only at a field's end or
 * before another.
 */
static void
scan(const struct dp_csvrow *c, struct dp_csvscan *s, const char *data)
{
	const uint64_t there = dp_block_first((size_t)(data - s->p));
	const uint64_t newline = dp_block_equal(s->p, '\n');
	const uint64_t end = newline | dp_block_equal(s->p, '\r');
	uint64_t inside, opening, closing, edge;

	s->quote = dp_block_equal(s->p, '"') & there;
	inside = parity(s->quote) ^ s->open;
	opening = s->quote & inside;
	closing = s->quote & ~inside;
	s->stop = (end | dp_block_equal(s->p, c->delimiter)) & ~inside & there;
	s->end = end & s->stop;
	s->inner = newline & inside & there;
	edge = s->stop | s->quote;
	s->odd = (opening & ~(edge << 1 | s->edge)) | ((closing << 1 | s->closed) & ~edge & there);
	s->doubled = opening & (closing << 1 | s->closed);
	s->open = 0 - (inside >> 63);
	s->edge = edge >> 63;
	s->closed = closing >> 63;
	s->left = ~(uint64_t)0;
}

/* The field [s,e), freed of its quotes, or of blanks at both ends. */
static inline struct dp_slice
field(const struct dp_csvrow *c, const char *s, const char *e)
{
	if (s < e && *s == '"') {
		s++;
		e--;
	} else {
		while (s < e && c->blank[(unsigned char)*s])
			s++;
		while (e > s && c->blank[(unsigned char)e[-1]])
			e--;
	}
	return (struct dp_slice){ s, (size_t)(e - s) };
}

/* Undo the doubling of quotes in fields 1..n, aside: the text of the row has to stay as it is. */
static int
undouble(struct dp_csvrow *c, struct dp_record *rec, unsigned n)
{
	const char *p, *q, *e;
	uint64_t doubled = 0, d;
	unsigned i;

	dp_buf_reset(&c->side);
	for (i = 1; i <= n; i++) {
		p = rec->field[i].p;
		e = p + rec->field[i].n;
		if (memchr(p, '"', (size_t)(e - p)) == NULL)
			continue;
		doubled |= (uint64_t)1 << (i - 1);
		c->off[i] = c->side.n;
		while ((q = memchr(p, '"', (size_t)(e - p))) != NULL) {
			dp_buf_add(&c->side, p, (size_t)(q + 1 - p));
			p = q + 2;
		}
		dp_buf_add(&c->side, p, (size_t)(e - p));
		c->len[i] = c->side.n - c->off[i];
	}
	if (c->side.error != 0)
		return c->side.error;
	for (d = doubled; d != 0; d &= d - 1)
		dp_csvrow_settle(c, rec, (unsigned)__builtin_ctzll(d) + 1);
	return ROW_PLAIN;
}

/* Parts of a row beside its fields. */
struct found {
	uint64_t quote, doubled, newlines;
};

/* The row ends before `last`; n of the fields that are wanted are cut. */
static int
complete(struct dp_reader *r, struct dp_record *rec, const struct found *f,
    const char *last, unsigned n)
{
	struct dp_csvrow *c = r->csv;
	const char *row = r->buf + r->beg;
	const uint64_t number = r->line + 1;

	r->beg = (size_t)(last + 1 - r->buf);
	r->line += f->newlines + (*last == '\n');
	c->scan.next = last + 1;
	if (f->quote == 0 && field(c, row, last).n == 0)
		return ROW_BLANK;
	rec->number = number;
	rec->too_long = false;
	rec->text = c->want_text ? (struct dp_slice){ row, (size_t)(last - row) } :
	    (struct dp_slice){ NULL, 0 };
	dp_csvrow_complete(c, rec, n);
	return DP_UNLIKELY(f->doubled != 0) ? undouble(c, rec, n) : ROW_PLAIN;
}

/*
 * Rows that follow each other share blocks: a row begins where no quote is open and a field may
 * start, which is how the one before left the scan.
 */
int
dp_csvrow_plain(struct dp_reader *r, struct dp_record *rec)
{
	struct dp_csvrow *c = r->csv;
	struct dp_csvscan *s = &c->scan;
	const char *from = r->buf + r->beg, *data = r->buf + r->end, *at;
	struct found f = { 0 };
	uint64_t row, end, b;
	unsigned n = 0;

	if (s->next != from) {
		*s = (struct dp_csvscan){ .p = from, .edge = 1 };
		scan(c, s, data);
	}
	s->next = NULL;
	for (;;) {
		end = s->end & s->left;
		row = s->left & (end ^ (end - 1));	/* through its end, all if there is none */
		if (DP_UNLIKELY((s->odd & row) != 0))
			return ROW_ODD;
		for (b = s->stop & row; b != 0 && n < c->want; b &= b - 1) {
			at = s->p + __builtin_ctzll(b);
			rec->field[++n] = field(c, from, at);
			from = at + 1;
		}
		f.quote |= s->quote & row;
		f.doubled |= s->doubled & row;
		for (b = s->inner & row; b != 0; b &= b - 1)
			f.newlines++;
		if (end != 0)
			break;
		s->p += DP_BLOCK;
		if (s->p >= data)
			return ROW_CUT;
		scan(c, s, data);
	}
	at = s->p + __builtin_ctzll(end);
	s->left &= ~row;
	return complete(r, rec, &f, at, n);
}
