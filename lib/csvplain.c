/*
 * csvplain.c - CSV rows that are plain RFC 4180, cut where they stand in the buffer.
 *
 * Whatever looks odd is left to libcsv, which defines the format: csvrow.c.
 */
#include <string.h>

#include "csvrow.h"

/* One field [s,e), and the byte after it. */
struct span {
	char *s, *e, *next;
	bool quoted, doubled;
};

/*
 * The quoted field at p.  RFC 4180 lets only a delimiter or the end of the row follow it; libcsv goes
 * on after blanks and even letters.  end[0] is a newline that is no input, so a quote just
 * before it, which may be doubled yet, looks like the end of a row there, and the caller sees that.
 */
static int
quoted_field(const struct dp_csvrow *c, char *p, char *end, struct span *f)
{
	f->s = ++p;
	f->quoted = true;
	for (;; p += 2) {
		if ((p = memchr(p, '"', (size_t)(end - p))) == NULL)
			return ROW_CUT;
		if (p[1] != '"')
			break;
		f->doubled = true;
	}
	f->e = p;
	f->next = p + 1;
	return c->kind[(unsigned char)p[1]] & (KIND_DELIMITER | KIND_END) ?
	    ROW_PLAIN : ROW_ODD;
}

static int
bare_field(const struct dp_csvrow *c, char *p, struct span *f)
{
	f->s = p;
	while (!(c->kind[(unsigned char)*p] & KIND_STOP))
		p++;
	f->e = f->next = p;
	if (DP_UNLIKELY(*p == '"'))
		return ROW_ODD;
	while (f->s < f->e && c->kind[(unsigned char)*f->s] & KIND_BLANK)
		f->s++;
	while (f->e > f->s && c->kind[(unsigned char)f->e[-1]] & KIND_BLANK)
		f->e--;
	return ROW_PLAIN;
}

/*
 * Undo the doubling of quotes, aside: the text of the row has to stay as it is.
 * Bit i - 1 of doubled stands for field i.
 */
static int
undouble(struct dp_csvrow *c, struct dp_record *rec, uint64_t doubled)
{
	const char *p, *q, *e;
	uint64_t d;
	unsigned i;

	dp_buf_reset(&c->side);
	for (d = doubled; d != 0; d &= d - 1) {
		i = (unsigned)__builtin_ctzll(d) + 1;
		p = rec->field[i].p;
		e = p + rec->field[i].n;
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

static uint64_t
newlines(const char *p, const char *e)
{
	uint64_t n = 0;

	while ((p = memchr(p, '\n', (size_t)(e - p))) != NULL) {
		n++;
		p++;
	}
	return n;
}

int
dp_csvrow_plain(struct dp_reader *r, struct dp_record *rec)
{
	struct dp_csvrow *c = r->csv;
	char *row = r->buf + r->beg, *end = r->buf + r->end, *p = row;
	uint64_t doubled = 0;
	struct span f;
	bool quoted = false;
	unsigned n = 0;
	int e;

	*end = '\n';
	for (;;) {
		f.quoted = f.doubled = false;
		e = *p == '"' ? quoted_field(c, p, end, &f) :
		    bare_field(c, p, &f);
		if (e != ROW_PLAIN)
			return e;
		if (n < c->want) {
			rec->field[n + 1] = (struct dp_slice){ f.s,
			    (size_t)(f.e - f.s) };
			doubled |= (uint64_t)f.doubled << n;
		}
		n++;
		quoted |= f.quoted;
		p = f.next;
		if (c->kind[(unsigned char)*p] & KIND_END)
			break;
		p++;
	}
	if (p == end)
		return ROW_CUT;
	r->beg = (size_t)(p + 1 - r->buf);
	if (n == 1 && !quoted && f.s == f.e) {
		r->line += *p == '\n';
		return ROW_BLANK;
	}
	rec->number = r->line + 1;
	r->line += *p == '\n';
	if (quoted)
		r->line += newlines(row, p);
	rec->too_long = false;
	rec->text = c->want_text ? (struct dp_slice){ row, (size_t)(p - row) } :
	    (struct dp_slice){ NULL, 0 };
	dp_csvrow_complete(c, rec, n);
	return DP_UNLIKELY(doubled != 0) ? undouble(c, rec, doubled) : ROW_PLAIN;
}

