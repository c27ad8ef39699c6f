/* SPDX-License-Identifier: ISC */
/*
 * record.h - a regular file cut into N parts at ends of lines.
 *
 * Part I holds the lines that begin in bytes [S (I-1) / N, S I / N) of a file of S bytes, rounded
 * down: each line is in one part, which may be empty where lines are long.
 */
#ifndef DP_INPUT_RECORD_H
#define DP_INPUT_RECORD_H

#include <string.h>

#include "base/text.h"

struct dp_reader;

struct dp_filepart {
	uint64_t begin, end;		/* bytes; lines begin there, or the file ends */
};

/*
 * 1 <= i <= n <= DP_FILEPARTS_MAX (job/options.h).  The file's size is that of now.  DP_EIO
 * (errno).
 */
int	dp_filepart_find(struct dp_filepart *, int fd, uint64_t i, uint64_t n) DP_MUSTUSE;
/* Lines that end before a byte.  Cost: all of these bytes are read.  DP_EIO (errno). */
int	dp_filepart_lines(uint64_t *lines, int fd, uint64_t end) DP_MUSTUSE;

/*
 * Bytes of read(2) to records: lines or CSV rows.
 *
 * Memory is bounded for any input: a record of more than DP_RECORD_MAX bytes
 * (as it stands in the file, without the newline that ends it) is passed over
 * in constant space and reported as too_long.
 *
 * A record is read the same wherever it stands and whatever stands beside it (f_additive.c), or an
 * event more would change how others are read: so UTF-8 byte order marks at the beginning of any
 * record are dropped, not of the first alone.
 *
 * Lines  '\n' ends a line; one '\r' before it is dropped; a missing last newline is supplied; NUL
 *        is an ordinary byte.
 * CSV    the rules of libcsv without options: RFC 4180, but blank rows are skipped, unquoted
 *        fields are trimmed of blanks and tabs, a bare '\r' ends a row, a stray quote is text.
 *        Beyond libcsv, a quote that is open where its line ends is text, and so are those that
 *        follow in its line, if the next one that is not doubled does not end a field, or if no
 *        other comes (record.c).  So where all rows end their quotes as RFC 4180 says, each is
 *        read by itself; one that leaves a quote open may take all that follow with it.  With
 *        rule.lines a quote that is open where its line ends always is such text.  Rows
 *        that are plain RFC 4180 are cut where they stand, the others go through
 *        libcsv; the results are the same (t_csv.c).
 */

struct dp_reader_rule {
	bool csv;
	/*
	 * The byte between fields; '\n', '\r' and, in CSV, '"' cannot be.  -1: in CSV a
	 * comma; in lines runs of spaces and tabs, those at both ends ignored.
	 */
	int delimiter;
	unsigned fields;	/* cut fields 1..fields of each record (0: none) */
	bool lines;		/* CSV: rows end where their lines do (--csv=lines) */
	/*
	 * CSV: record.text is wanted too: the row as it stands in the file, quotes
	 * and all, without the newline that ends it.  Lines always have text.
	 */
	bool text;
	bool uncounted;		/* lines only: no line numbers, as the number of lines is private */
	/*
	 * Pan-private: take one line from the kernel at a time, so that no record but the
	 * current one is in memory, and wipe it once done (record.c).  Lines only.
	 */
	bool frugal;
	bool no_fast_csv;	/* every row through libcsv (tests, bench) */
	size_t block;		/* most bytes a read(2) asks for; 0: 64 KiB; <= DP_RECORD_MAX */
	/*
	 * Called before any read(2) that would block (never for a regular file), and
	 * before waiting: flush what is owed.  Return 0, or a negative DP_E* to
	 * give up: dp_reader_next() then returns it.  May be NULL.
	 */
	int (*idle)(void *);
	/*
	 * Called when a file has come to its end, before the record that its last bytes are: 0,
	 * or a negative DP_E*, as idle().  May be NULL.
	 */
	int (*end)(void *);
	void *arg;
};

/*
 * Quotes and the doubling of quotes are gone from fields.  A field that
 * is not there has p == NULL; an empty one has n == 0 and p != NULL.  With a
 * delimiter an empty line has one empty field, with blanks none.
 */
struct dp_record {
	struct dp_slice text;	/* lines, or rule.text; otherwise p == NULL */
	/* 1..rule.fields are set, no others; behind DP_FIELDS_MAX are those of --let (let.c) */
	struct dp_slice field[DP_FIELDS_MAX + 1 + DP_LETS_MAX];
	unsigned nfields;	/* fields found, <= rule.fields */
	uint64_t number;	/* 1-based PHYSICAL line of this file; 0: uncounted */
	bool too_long;		/* text and fields are then empty */
};

enum { DP_READ_END = 0, DP_READ_RECORD = 1, DP_READ_TIMEOUT = 2 };

/* DP_EINVAL: a rule that contradicts the comments above; DP_ENOMEM. */
int	dp_reader_new(struct dp_reader **, const struct dp_reader_rule *) DP_MUSTUSE;
/*
 * Start on an open descriptor (the caller closes it); numbers restart at 1.  May be
 * called again for the next file; what is left of the last one is forgotten.
 */
void	dp_reader_attach(struct dp_reader *, int fd);
/*
 * After attach, before a record: only this part of a regular file, whose first line has a number
 * of one more.  Lines only.  DP_EIO (errno).
 */
int	dp_reader_part(struct dp_reader *, const struct dp_filepart *, uint64_t line) DP_MUSTUSE;
/* After attach, before a record: reads at most this many bytes.  Not frugal. */
void	dp_reader_limit(struct dp_reader *, uint64_t bytes);
/*
 * True: the descriptor gives messages, as a socket of datagrams does.  Bytes of a message that are
 * not taken at once are lost, so a frugal reader would get its first byte alone.
 */
bool	dp_reader_messages(int fd);
/*
 * The next record, valid until the next call.  timeout_ms < 0: wait for ever;
 * otherwise DP_READ_TIMEOUT if nothing complete is there after so long, or
 * earlier, when only a part of a record came: there is no clock here, so the caller looks at his.
 * Returns DP_READ_*, DP_EIO (errno; a directory gives EISDIR), DP_ENOMEM, or what idle() returned.
 * EINTR returns DP_READ_TIMEOUT too, so that a signal is noticed.  After all of these but DP_ENOMEM
 * the next call goes on, and nothing is lost; after DP_ENOMEM only attach or free make sense.
 * DP_READ_END stays until the next attach.  The record is set only with DP_READ_RECORD.
 */
int	dp_reader_next(struct dp_reader *, struct dp_record *, int timeout_ms) DP_MUSTUSE;
/* Frugal: wipes the last record, whose text is gone then.  Other readers: no effect. */
void	dp_reader_forget(struct dp_reader *);
/*
 * One more record if memory holds it, before any read: DP_READ_RECORD; 0: the buffer has none;
 * DP_ENOMEM.
 */
int	dp_reader_more(struct dp_reader *, struct dp_record *) DP_MUSTUSE;
/*
 * Lines only (else DP_EINVAL), the fast way: a span [*p,*e) of whole lines as they stand, at least
 * one, each with its '\n' ('\r' and byte order marks not dropped, last newline supplied).
 * Returns as dp_reader_next(); a too long line gives DP_READ_RECORD with *p == *e.  The caller may
 * write into the span, and counts its lines: dp_reader_next() numbers only lines of its own.
 */
int	dp_reader_span(struct dp_reader *, char **p, char **e, int timeout_ms) DP_MUSTUSE;
void	dp_record_cut(struct dp_record *, int delimiter, unsigned fields);
/* Ends all read(2): records complete in memory are still handed out, then DP_READ_TIMEOUT. */
void	dp_reader_stop(struct dp_reader *);
/* Lines: the last one of this file had no newline. */
bool	dp_reader_unended(const struct dp_reader *);
void	dp_reader_free(struct dp_reader *);	/* wipes when frugal; NULL is fine */

#endif
