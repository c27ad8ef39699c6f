/*
 * csvrow.h - the inside of CSV rows, for csvrow.c and csvplain.c only.
 */
#ifndef DP_CSVROW_H
#define DP_CSVROW_H

#include <csv.h>

#include "base/buf.h"
#include "reader.h"

/*
 * Where csvplain.c stands: a block of 64 bytes at p, one bit a byte.  The last three are about the
 * byte before the next block.
 */
struct dp_csvscan {
	const char *next;	/* the row this goes on with; NULL: none, begin anew */
	const char *p;
	uint64_t left;		/* not in a row already cut */
	uint64_t stop, end;	/* where fields end, and rows */
	uint64_t quote;
	uint64_t doubled;	/* quotes that stand for one with the one before */
	uint64_t inner;		/* newlines inside quotes */
	uint64_t odd;		/* not plain */
	uint64_t open;		/* all ones: a quote is open */
	uint64_t edge;		/* 1: it is a quote or ends a field, or there is none */
	uint64_t closed;	/* 1: it is a closing quote */
};

struct dp_csvrow {
	struct csv_parser parser;
	bool blank[256];	/* at a field's ends it is none of it */
	char delimiter;
	struct dp_csvscan scan;
	unsigned want;		/* fields asked for */
	bool want_text;
	/* The row that is in the parser: */
	bool open;		/* there is one */
	bool begun;		/* it has a byte that is no blank */
	bool done;		/* the parser has seen its end */
	bool too_long;
	uint64_t number;	/* the line on which it starts */
	size_t raw;		/* bytes of it so far */
	unsigned seen;		/* fields so far */
	size_t off[DP_FIELDS_MAX + 1], len[DP_FIELDS_MAX + 1];	/* in side */
	struct dp_buf side;	/* fields that do not stand as they are in the buffer */
	struct dp_buf text;
};

enum { ROW_PLAIN, ROW_BLANK, ROW_ODD, ROW_CUT };

/*
 * Cut the row at beg where it stands.  ROW_PLAIN: done; ROW_BLANK: it was no row, and is passed;
 * ROW_ODD: libcsv must do it; ROW_CUT: so far plain, but its end is not in the buffer; DP_ENOMEM.
 */
int	dp_csvrow_plain(struct dp_reader *, struct dp_record *) DP_MUSTUSE;

/* Fields in the side buffer, once it has stopped moving. */
static inline void
dp_csvrow_settle(const struct dp_csvrow *c, struct dp_record *rec, unsigned i)
{
	rec->field[i].p = c->len[i] == 0 ? "" : c->side.p + c->off[i];
	rec->field[i].n = c->len[i];
}

/* The first n fields are set: the rest of the record. */
static inline void
dp_csvrow_complete(const struct dp_csvrow *c, struct dp_record *rec, unsigned n)
{
	rec->nfields = n < c->want ? n : c->want;
	for (; n < c->want; n++)
		rec->field[n + 1] = (struct dp_slice){ NULL, 0 };
}

#endif
