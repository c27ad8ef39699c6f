/*
 * csvquote.c - a quote that is open where its line ends: does the row go on?
 *
 * RFC 4180 lets a quoted field hold line breaks.  Of who never meant to quote, as in a height of
 * "30, all rows that follow would be one field, so that an event more would hide them.  So the
 * next quote that is not doubled decides: at a field's end it is the closing one; anywhere else,
 * and if there is none, the quote was text, and the row ends with its line.  That mends most such
 * rows, and no more: behind one a quoted field that begins with the delimiter, a blank or a newline
 * looks like the end of a field.  Only where all rows end their quotes is each read by itself.
 *
 * Doubled are the quotes of a run of an even number, wherever one begins to look, so that one
 * quote decides for all lines before it, and no byte is looked at twice for each of them.
 */
#include <string.h>

#include "csvrow.h"

/*
 * Looks for the quote that decides from p on, before end.  *to: so far nothing is left to look at;
 * with a verdict, behind the quote.
 */
static enum dp_csvquote
look(const struct dp_reader *r, const char *p, const char *end, const char **to)
{
	const struct dp_csvrow *c = r->csv;
	const char *q, *s;

	while ((q = memchr(p, '"', (size_t)(end - p))) != NULL) {
		for (p = q; p < end && *p == '"'; p++)
			;
		*to = q;
		if (p == end && !r->eof)
			return DP_CSVQUOTE_OPEN;
		if ((p - q) % 2 == 0)
			continue;
		for (s = p; s < end && c->blank[(unsigned char)*s]; s++)
			;
		if (s == end && !r->eof)
			return DP_CSVQUOTE_OPEN;
		*to = p;
		return s == end || *s == c->delimiter || *s == '\n' || *s == '\r' ?
		    DP_CSVQUOTE_CLOSES : DP_CSVQUOTE_TEXT;
	}
	*to = end;
	return r->eof ? DP_CSVQUOTE_TEXT : DP_CSVQUOTE_OPEN;
}

/*
 * A quote beyond the longest row does not decide: what is longer is one row, which counts nothing,
 * and not many.
 */
enum dp_csvquote
dp_csvquote_judge(struct dp_reader *r)
{
	struct dp_csvrow *c = r->csv;
	const char *beg = r->buf + r->beg, *end = r->buf + r->end, *to = beg;

	if (c->unseen < (size_t)(end - beg))
		to = end - c->unseen;
	else
		c->quote = DP_CSVQUOTE_OPEN;
	if (c->quote == DP_CSVQUOTE_OPEN)
		c->quote = look(r, to, end, &to);
	c->unseen = (size_t)(end - to);
	if (c->raw + (size_t)(to - beg) > DP_RECORD_MAX || (c->quote == DP_CSVQUOTE_OPEN &&
	    r->end - r->beg > DP_RECORD_MAX))
		return DP_CSVQUOTE_CLOSES;
	return c->quote;
}

/* The parser's last field is [p, e): no quote of it is one, so delimiters end fields. */
static void
cut_text(struct dp_csvrow *c, const char *p, const char *e)
{
	const char *stop, *s;

	for (; p <= e; p = stop + 1) {
		if ((stop = memchr(p, c->delimiter, (size_t)(e - p))) == NULL)
			stop = e;
		for (s = stop; p < s && c->blank[(unsigned char)*p]; p++)
			;
		while (s > p && c->blank[(unsigned char)s[-1]])
			s--;
		dp_csvrow_field(c, p, (size_t)(s - p));
	}
}

/*
 * The fields before the open quote once more, byte by byte, which says where the last one of them
 * ends.
 */
int
dp_csvquote_text(struct dp_csvrow *c)
{
	const char *open = c->text.p, *e = c->text.p + c->text.n, *p;
	unsigned seen;
	int rc;

	if (c->text.error != 0)
		return DP_ENOMEM;
	csv_fini(&c->parser, NULL, NULL, NULL);
	dp_buf_reset(&c->side);
	c->seen = 0;
	for (p = c->text.p; p < e; p++) {
		seen = c->seen;
		if ((rc = dp_csvrow_parse(c, p, 1)) != 0)
			return rc;
		if (c->seen != seen)
			open = p + 1;
	}
	csv_fini(&c->parser, NULL, NULL, NULL);
	cut_text(c, open, e);
	c->done = true;
	return 0;
}
