/*
 * csvrow.h - the inside of CSV rows, for csvrow.c, csvplain.c and csvquote.c only.
 */
#ifndef DP_CSVROW_H
#define DP_CSVROW_H

#include <csv.h>

#include "base/buf.h"
#include "reader.h"

/*
 * Progress of csvplain.c: a block of 64 bytes at p, one bit a byte.  open, edge and closed are
 * about the byte before the next block.
 */
struct dp_csvscan {
	const char *next;	/* the row to go on with; NULL: none, begin anew */
	const char *p;
	uint64_t left;		/* bytes of rows that are still to cut */
	uint64_t stop, end;	/* where fields end, and rows */
	uint64_t quote;
	uint64_t doubled;	/* second quotes of two that stand for one */
	uint64_t inner;		/* newlines inside quotes */
	uint64_t odd;		/* not plain */
	uint64_t open;		/* all ones: a quote is open */
	uint64_t edge;		/* 1: a quote, the end of a field, or no byte */
	uint64_t closed;	/* 1: a closing quote */
};

/* A quote that is open at the end of a line; OPEN: not known before more bytes come. */
enum dp_csvquote { DP_CSVQUOTE_OPEN, DP_CSVQUOTE_CLOSES, DP_CSVQUOTE_TEXT };

struct dp_csvrow {
	struct csv_parser parser;
	bool blank[256];	/* bytes that are trimmed from a field's ends */
	char delimiter;
	struct dp_csvscan scan;
	unsigned want;		/* fields asked for */
	bool want_text;
	/* The row that is in the parser: */
	bool open;		/* a row is in the parser */
	bool begun;		/* the row has a byte that is no blank */
	bool done;		/* its end has been seen */
	bool broken;		/* a line has ended inside quotes, to be judged */
	bool too_long;
	uint64_t number;	/* the line on which it starts */
	size_t raw;		/* bytes of the row so far */
	unsigned seen;		/* fields so far */
	size_t off[DP_FIELDS_MAX + 1], len[DP_FIELDS_MAX + 1];	/* in side */
	struct dp_buf side;	/* fields whose text differs from the bytes in the buffer */
	struct dp_buf text;	/* the row as it stands, if it is not too long */
	/* csvquote.c: what was found, up to so many bytes before the end of the buffer */
	enum dp_csvquote quote;
	size_t unseen;
};

enum { ROW_PLAIN, ROW_BLANK, ROW_ODD, ROW_CUT };

/*
 * Cuts the row at beg where it stands.  ROW_PLAIN: done; ROW_BLANK: a blank row, passed over;
 * ROW_ODD: libcsv must cut it; ROW_CUT: plain so far, its end is beyond the buffer; DP_ENOMEM.
 */
int	dp_csvrow_plain(struct dp_reader *, struct dp_record *) DP_MUSTUSE;

/* csvrow.c: one more field of the row; n bytes to the parser: DP_ENOMEM. */
void	dp_csvrow_field(struct dp_csvrow *, const char *, size_t n);
int	dp_csvrow_parse(struct dp_csvrow *, const char *, size_t n) DP_MUSTUSE;

/* The quote that is open before beg, in a row that is not too long. */
enum dp_csvquote dp_csvquote_judge(struct dp_reader *);
/* It is text: finishes the row, all of which is in c->text, without what ends it.  DP_ENOMEM. */
int	dp_csvquote_text(struct dp_csvrow *) DP_MUSTUSE;

/* Field i from the side buffer, once the row is whole and the buffer no longer moves. */
static inline void
dp_csvrow_settle(const struct dp_csvrow *c, struct dp_record *rec, unsigned i)
{
	rec->field[i].p = c->len[i] == 0 ? "" : c->side.p + c->off[i];
	rec->field[i].n = c->len[i];
}

/* Sets the rest of a record whose first n fields are set. */
static inline void
dp_csvrow_complete(const struct dp_csvrow *c, struct dp_record *rec, unsigned n)
{
	rec->nfields = n < c->want ? n : c->want;
	for (; n < c->want; n++)
		rec->field[n + 1] = (struct dp_slice){ NULL, 0 };
}

#endif
