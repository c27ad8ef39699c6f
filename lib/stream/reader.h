/*
 * reader.h - the inside of the reader, for reader.c, record.c and csvrow.c only.
 *
 * The buffer: 0 <= beg <= whole <= end <= cap, and room behind for looks ahead by blocks.
 *
 *	[beg, whole)	whole lines not yet handed out (lines only)
 *	[whole, end)	the start of a line or row that is not complete yet
 */
#ifndef DP_READER_H
#define DP_READER_H

#include <sys/types.h>

#include "record.h"

struct dp_csvrow;
struct stat;

struct dp_reader {
	struct dp_reader_rule rule;
	int fd;
	bool waits;		/* not a regular file: a read may block */
	bool nonblocking;	/* a nonblocking descriptor: poll after EAGAIN */
	/* frugal: the way to look at bytes before they are taken */
	enum { DP_LOOK_BYTE, DP_LOOK_FILE, DP_LOOK_PIPE, DP_LOOK_SOCKET } look;
	int peek[2];		/* a pipe of our own; -1: none */
	bool eof;
	bool unended;		/* the last line had no newline: one was supplied */
	bool stopped;		/* dp_reader_stop() */
	bool passing;		/* inside a line that is too long */
	bool passed;		/* a line that was too long has ended: report it first */
	char *buf;
	size_t cap, beg, whole, end;
	uint64_t line;		/* newlines in what was handed out of this file */
	uint64_t left;		/* bytes that may still be read of it; UINT64_MAX: all */
	struct dp_csvrow *csv;	/* NULL: lines */
};

/* reader.c */

/*
 * Moves [beg,end) to the front and reads once, at most rule.block bytes; there must be room.  0:
 * *got bytes came, none at the end of the file.  Else the value that dp_reader_next() must return.
 */
int	dp_reader_fill(struct dp_reader *, int timeout_ms, size_t *got) DP_MUSTUSE;
/* Room for more of a record, up to the longest one: DP_ENOMEM. */
int	dp_reader_grow(struct dp_reader *) DP_MUSTUSE;
/*
 * Before each fill of one call; true: the call has taken enough of the caller's time.  There is no
 * clock here, so a call with a timeout waits once and reads at most 64 times.
 */
bool	dp_reader_enough(int *timeout_ms, unsigned *reads);
/* Lines: makes [beg,whole) nonempty, or sets passed.  Returns as dp_reader_next(). */
int	dp_reader_lines(struct dp_reader *, int timeout_ms) DP_MUSTUSE;

/*
 * reader_line.c: rule.frugal.  st: of the file descriptor; NULL: it is none.  A read takes at most
 * n bytes, and none behind the first newline, into p, where there is room for n; returns as
 * read(2).
 */
void	dp_frugal_attach(struct dp_reader *, const struct stat *st);
void	dp_frugal_detach(struct dp_reader *);
ssize_t	dp_frugal_read(struct dp_reader *, char *p, size_t n) DP_MUSTUSE;

/* csvrow.c */
int	dp_csvrow_new(struct dp_csvrow **, const struct dp_reader_rule *) DP_MUSTUSE;
void	dp_csvrow_reset(struct dp_csvrow *);
void	dp_csvrow_free(struct dp_csvrow *);
int	dp_csvrow_next(struct dp_reader *, struct dp_record *, int timeout_ms) DP_MUSTUSE;
int	dp_csvrow_more(struct dp_reader *, struct dp_record *) DP_MUSTUSE;

#endif
