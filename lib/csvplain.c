/*
 * csvplain.c - CSV rows that are plain RFC 4180, cut where they stand in the buffer.
 *
 * A block of 64 bytes becomes words of one bit a byte: quotes, and bytes that end a field if no quote is open.
 * Whether one is open before each byte is the parity of the quotes up to it, all 64 by six shifts.  Whatever
 * looks odd is left to libcsv, which defines the format: csvrow.c.
 */
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "csvrow.h"

#define BLOCK	64

/* Bit i: byte i of the block is one. */
struct bits {
	uint64_t quote, stop, end, newline;
};

#ifdef __SSE2__

static inline uint64_t
equal(const __m128i v[4], char byte)
{
	const __m128i b = _mm_set1_epi8(byte);
	uint64_t m = 0;
	unsigned i;

#pragma GCC unroll 4
	for (i = 0; i < 4; i++)
		m |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v[i], b)) << 16 * i;
	return m;
}

static inline void
look(const struct dp_csvrow *c, const char *p, struct bits *b)
{
	const __m128i *q = (const __m128i *)(const void *)p;
	const __m128i v[4] = { _mm_loadu_si128(q), _mm_loadu_si128(q + 1), _mm_loadu_si128(q + 2),
	    _mm_loadu_si128(q + 3) };

	b->quote = equal(v, '"');
	b->newline = equal(v, '\n');
	b->end = b->newline | equal(v, '\r');
	b->stop = b->end | equal(v, c->delimiter);
}

#else

static void
look(const struct dp_csvrow *c, const char *p, struct bits *b)
{
	unsigned i, kind;

	*b = (struct bits){ 0 };
	for (i = 0; i < BLOCK; i++) {
		kind = c->kind[(unsigned char)p[i]];
		b->quote |= (uint64_t)(p[i] == '"') << i;
		b->newline |= (uint64_t)(p[i] == '\n') << i;
		b->end |= (uint64_t)((kind & KIND_END) != 0) << i;
		b->stop |= (uint64_t)((kind & (KIND_DELIMITER | KIND_END)) != 0) << i;
	}
}

#endif

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

/* What is carried along a row. */
struct scan {
	uint64_t open;		/* all ones: a quote is open */
	uint64_t edge;		/* 1: the byte before is a quote, ends a field, or is not there */
	uint64_t closed;	/* 1: the byte before is a closing quote */
	uint64_t newlines;	/* inside quotes */
	bool quoted, doubled;	/* there is a quote; one directly after another */
};

/*
 * A block of which n bytes are there, n > 0.  *stop: where fields end; *end: where the row does, 0: not here;
 * false: something is odd before.  RFC 4180 lets a quote open only at a field's start, where another one just
 * closed (then the two stand for one), and close only at a field's end or before another.
 */
static inline bool
scan(const struct dp_csvrow *c, struct scan *s, const char *p, size_t n, uint64_t *stop, uint64_t *end)
{
	const uint64_t there = n < BLOCK ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
	uint64_t inside, opening, closing, edge, odd, row;
	struct bits b;

	look(c, p, &b);
	b.quote &= there;
	inside = parity(b.quote) ^ s->open;
	opening = b.quote & inside;
	closing = b.quote & ~inside;
	*stop = b.stop & ~inside & there;
	*end = b.end & *stop;
	edge = *stop | b.quote;
	odd = (opening & ~(edge << 1 | s->edge)) | ((closing << 1 | s->closed) & ~edge & there);
	row = *end != 0 ? *end ^ (*end - 1) : ~(uint64_t)0;	/* through the row's end */
	s->quoted |= (b.quote & row) != 0;
	s->doubled |= (opening & (b.quote << 1 | s->closed) & row) != 0;
	s->newlines += (uint64_t)__builtin_popcountll(b.newline & inside & row & there);
	s->open = 0 - (inside >> 63);
	s->edge = edge >> 63;
	s->closed = closing >> 63;
	return (odd & row) == 0;
}

/* The field [s,e): without its quotes, or without blanks at both ends. */
static inline struct dp_slice
field(const struct dp_csvrow *c, const char *s, const char *e)
{
	if (s < e && *s == '"') {
		s++;
		e--;
	} else {
		while (s < e && c->kind[(unsigned char)*s] & KIND_BLANK)
			s++;
		while (e > s && c->kind[(unsigned char)e[-1]] & KIND_BLANK)
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

/* The row's fields are cut, n of them that are wanted, and it ends before `last`. */
static int
complete(struct dp_reader *r, struct dp_record *rec, const struct scan *s, const char *last, unsigned n)
{
	struct dp_csvrow *c = r->csv;
	const char *row = r->buf + r->beg;

	const uint64_t number = r->line + 1;

	r->beg = (size_t)(last + 1 - r->buf);
	r->line += s->newlines + (*last == '\n');
	if (!s->quoted && field(c, row, last).n == 0)
		return ROW_BLANK;
	rec->number = number;
	rec->too_long = false;
	rec->text = c->want_text ? (struct dp_slice){ row, (size_t)(last - row) } :
	    (struct dp_slice){ NULL, 0 };
	dp_csvrow_complete(c, rec, n);
	return DP_UNLIKELY(s->doubled) ? undouble(c, rec, n) : ROW_PLAIN;
}

int
dp_csvrow_plain(struct dp_reader *r, struct dp_record *rec)
{
	struct dp_csvrow *c = r->csv;
	const char *p = r->buf + r->beg, *data = r->buf + r->end, *from = p, *at;
	struct scan s = { .edge = 1 };
	uint64_t stop, end;
	unsigned n = 0;

	for (; p < data; p += BLOCK) {
		if (!scan(c, &s, p, (size_t)(data - p), &stop, &end))
			return ROW_ODD;
		for (; stop != 0 && n < c->want; stop &= stop - 1) {
			at = p + __builtin_ctzll(stop);
			rec->field[++n] = field(c, from, at);
			from = at + 1;
			if ((end & (stop & -stop)) != 0)
				break;
		}
		if (end != 0)
			return complete(r, rec, &s, p + __builtin_ctzll(end), n);
	}
	return ROW_CUT;
}
