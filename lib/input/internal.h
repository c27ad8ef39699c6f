/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/input: what its files alone share. */
#ifndef DP_INPUT_INTERNAL_H
#define DP_INPUT_INTERNAL_H

#include <csv.h>
#include <sys/types.h>

#include "job/options.h"
#include "match.h"
#include "record.h"

struct csv_parser;
struct dp_csvrow;
struct dp_cut;
struct dp_event;
struct dp_events;
struct dp_events_several;
struct dp_events_text;
struct dp_json;
struct dp_pairs;
struct dp_match;
struct dp_terms;

#define DP_RECORD_MAX	((size_t)1 << 20)
/*
 * Cuts fields 1..fields of record.text (lines), as the reader does for its rule's fields.  Up to
 * DP_RECORD_SLACK bytes behind the text may be read: the reader's buffer has them.
 */
#define DP_RECORD_SLACK	((size_t)64)

/*
 * The inside of the reader, for record.c, record.c and record.c only.
 *
 * The buffer: 0 <= beg <= whole <= end <= cap, and room behind for looks ahead by blocks.
 *
 *	[beg, whole)	whole lines not yet handed out (lines only)
 *	[whole, end)	the start of a line or row that is not complete yet
 */

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

/*
 * The inside of CSV rows, for record.c, record.c and record.c only.
 */

/*
 * Progress of record.c: a block of 64 bytes at p, one bit a byte.  open, edge and closed are
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
	uint64_t broken;	/* ends of lines inside quotes */
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
	/* record.c: what was found, up to so many bytes before the end of the buffer */
	enum dp_csvquote quote;
	size_t unseen;
};

enum { ROW_PLAIN, ROW_BLANK, ROW_ODD, ROW_CUT };

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

/*
 * Lines that are JSON objects: members, by path, as the fields of a line.
 *
 * A path is a member's name, or names with dots between them, from the outside in.  Where a name
 * has dots of its own, the longest beginning of the path that is a member's name counts.  NAME[K]
 * is element K of an array, from 0 on; NAME[], of one path, all of its elements.  Where a path goes
 * on in a string, the string's text is read as an object, if it is one; but no string of that.
 *
 * A line is well formed if it is an object of RFC 8259 that nests less than DP_JSON_DEPTH deep and
 * holds no NUL byte.  Beyond the RFC, NaN, Infinity and -Infinity are numbers, as some programs
 * write them, and strings may have control bytes and bytes that are no UTF-8, which are kept.  Of
 * members of one name the last counts; a name with a NUL in it (\u0000) is no path's; half a
 * surrogate pair is U+FFFD.
 */

#define DP_JSON_DEPTH	128

/*
 * path[0..n-1], n <= DP_FIELDS_MAX, become fields 1..n; the texts must stay.  bytes: an array of
 * numbers from 0 to 255 is the text of these bytes, as journald writes what is no UTF-8. DP_ENOMEM.
 */
int	dp_json_new(struct dp_json **, const char *const *path, unsigned n, bool bytes) DP_MUSTUSE;
/*
 * Sets all fields of a record from its text, until the next call: 1; 0: the line is malformed;
 * DP_ENOMEM.  A string is its text, escapes resolved; a number is its digits as they stand; a truth
 * value is true or false.  An absent field: a member that is absent, null, an object or an array.
 */
int	dp_json_record(struct dp_json *, struct dp_record *) DP_MUSTUSE;
/* True: the last record was malformed, as behind its object another one begins. */
bool	dp_json_several(const struct dp_json *);
/*
 * The field of a path with NAME[] is empty where the array is there.  These are the array's
 * elements in the last record that have a text, or a member with one as the path goes on, until the
 * next call.
 */
size_t	dp_json_elements(const struct dp_json *, const struct dp_slice **text);
void	dp_json_free(struct dp_json *);		/* NULL is fine */

/* Lines of pairs, between tabs (LTSV) or blanks (logfmt); as dp_json_new() and dp_json_record(). */
int	dp_pairs_new(struct dp_pairs **, char between, const char *const *name,
	    unsigned n) DP_MUSTUSE;
int	dp_pairs_record(struct dp_pairs *, struct dp_record *) DP_MUSTUSE;
void	dp_pairs_free(struct dp_pairs *);	/* NULL is fine */

/*
 * A number as --decimal and --thousands say it is written, as others are, in the room or where it
 * stands; what is no such number is none then either.  1.234 is never two numbers: without
 * --thousands=. its point is one, and with it none.
 */
#define DP_NUMBER_ROOM	512
struct dp_slice dp_number_plain(const struct dp_ask_form *, struct dp_slice,
	    char room[static DP_NUMBER_ROOM]);
/* Wipes what was written into the room. */
void	dp_number_forget(const struct dp_slice *, char room[static DP_NUMBER_ROOM]);

/* A unit of times, sizes or numbers, or a currency: what numbers are asked for in. */
struct dp_unit {
	uint64_t worth;
	unsigned families;
	struct dp_slice sign;		/* of a currency, before or behind a number */
};
bool	dp_unit_find(struct dp_unit *, const char *how);	/* false: it is none */
/*
 * A number with a unit as a number of that unit, written as the digits say; what is none stays as
 * it is.  Its value is exact, or, rounded to 29 decimals or fewer, as the exact one is.
 */
#define DP_UNIT_ROOM	120
struct dp_slice dp_number_in(const struct dp_digits *, const struct dp_unit *, struct dp_slice,
	    char room[static DP_UNIT_ROOM]);

/* match.h: lines whose message is a line of another log. */
unsigned dp_behind_fields(const struct dp_behind *);		/* of the outer log */
unsigned dp_behind_field(const struct dp_behind *, const char *name);	/* 0: none has it */
int	dp_behind_forget(struct dp_behind *) DP_MUSTUSE;

#define DP_GROUPS_MAX	64

/*
 * fixed: the pattern is a plain string.  The empty pattern matches every text. DP_ESYNTAX: why says
 * "at offset N: ..." in the words of PCRE2, N a byte of the pattern; DP_ENOMEM.
 */
int	dp_match_new(struct dp_match **, const char *pattern, bool fixed, bool icase,
	    char why[static DP_MATCH_WHY]) DP_MUSTUSE;
/*
 * 1: the text holds a match; 0: it does not.  A text that exceeds the match limit does not match (a
 * fixed outcome: an abort would depend on the data).  All memory that the limits allow is taken
 * beforehand, so that it does not depend on the text; DP_ENOMEM if PCRE2 wants more.  The object
 * holds that memory and is changed, so one object serves one thread.
 */
int	dp_match_test(struct dp_match *, struct dp_slice) DP_MUSTUSE;
/*
 * True: the pattern is a plain string of one line.  Then every matching line holds the string, and
 * whole blocks can be searched for it.
 */
bool	dp_match_literal(const struct dp_match *);
/*
 * dp_match_test(), and the place where the first match begins.  Literal patterns only (others could
 * match across lines).
 */
int	dp_match_find(struct dp_match *, struct dp_slice, size_t *at) DP_MUSTUSE;
/*
 * Wipes what the last match left in memory (pan-private mode). DP_ENOMEM: only dp_match_free() is
 * left to do.
 */
int	dp_match_forget(struct dp_match *) DP_MUSTUSE;
void	dp_match_free(struct dp_match *);	/* NULL is fine */

/*
 * DP_ESYNTAX: why says what is wrong with the pattern: PCRE2's words; no group with a name; two
 * groups of one name; more than DP_FIELDS_MAX groups.  DP_ENOMEM.
 */
int	dp_cut_new(struct dp_cut **, const char *pattern, char why[static DP_MATCH_WHY]) DP_MUSTUSE;
/* The pattern may have no names: *group is the one with a name, or the first. */
int	dp_cut_new_part(struct dp_cut **, const char *pattern, unsigned *group,
	    char why[static DP_MATCH_WHY]) DP_MUSTUSE;
/*
 * dp_cut_new() with the pattern of a log (below).  head: only the fields of the log's head, if it
 * has one.
 */
struct dp_log;
unsigned dp_cut_fields(const struct dp_cut *);		/* how many */
unsigned dp_cut_field(const struct dp_cut *, const char *name);	/* its number; 0: none has it */
/* The i-th name, for messages, in alphabetical order; NULL: past the last. */
const char *dp_cut_name(const struct dp_cut *, unsigned i);
/*
 * Sets all fields of a record from its text: 1; a group without part in the match is an absent
 * field. 0: the text does not match.  DP_ENOMEM.  Cost: one match (match.h).  Of a log,
 * DP_RECORD_SLACK bytes behind the text may be looked at.
 */
int	dp_cut_forget(struct dp_cut *) DP_MUSTUSE;	/* as dp_match_forget() */

/*
 * A line of many numbers: dense, or as index:value pairs.
 *
 * dense   D numbers between delimiters (CSV: fields, quoted or not); with a header and declared
 *         keys, the fields with the keys' names, wherever they stand
 * pairs   INDEX:VALUE between delimiters (without --csv, --tsv and -F: blanks), 1 <= INDEX <= D,
 *         each at most once; a number without a pair is 0
 *
 * An empty line has no numbers.  A line of another form, or with more than `ones` numbers other
 * than 0, is malformed as a whole.  Memory: 24 bytes a column.  Cost: O(length of the line).
 */

#define DP_TERMS_ASIDE	(2 + DP_KEY_FIELDS)	/* a time, a time of day, a user's fields */

/* width: D. */
int	dp_terms_new(struct dp_terms **, const struct dp_options *, size_t width) DP_MUSTUSE;
/*
 * Finds the declared keys in a header's text.  Returns NULL, or a key the header lacks.  Without
 * declared keys the header names the columns, fields aside excepted; exits unless it names all D,
 * and as the first header did.
 */
const char *dp_terms_header(struct dp_terms *, struct dp_slice text,
	    const unsigned aside[static DP_TERMS_ASIDE]);
const char *dp_terms_name(const struct dp_terms *, size_t place);	/* NULL: it has none */
/*
 * The numbers of a line other than 0, clamped to the range, valid until the next call; NULL: the
 * line is malformed, and *why is set.  Fields aside (0: none) are skipped; with a header the names
 * say which fields are numbers.
 */
const struct dp_term *dp_terms_read(struct dp_terms *, struct dp_slice text,
	    const unsigned aside[static DP_TERMS_ASIDE], size_t *n, const char **why);
void	dp_terms_forget(struct dp_terms *);	/* wipes the last line's numbers */
void	dp_terms_free(struct dp_terms *);

/*
 * let.c: fields that are made of others (--let), as fields DP_FIELDS_MAX + 1 and on of a record
 * that is cut.  DP_ESYNTAX: no way of making one, or a pattern's fault, and why; DP_ENOMEM.
 */
#define DP_LET_WHY	400
struct dp_lets;
int	dp_lets_new(struct dp_lets **, const struct dp_ask_form *, char why[static DP_LET_WHY])
	    DP_MUSTUSE;
struct dp_field *dp_lets_field(struct dp_lets *, unsigned i);	/* that the i-th is made of */
/* Valid until the next call.  A field that is absent makes one that is.  DP_ENOMEM. */
int	dp_lets_make(struct dp_lets *, struct dp_record *) DP_MUSTUSE;
void	dp_lets_free(struct dp_lets *);		/* NULL is fine */

/* Sets the column of a declared key; false: these bytes are no declared key. */
bool	dp_events_column(const struct dp_events *, struct dp_slice key, size_t *column);
/* Sets value and id by the text of an identifier. */
void	dp_events_identifier(const struct dp_events *, struct dp_slice, struct dp_event *);

/*
 * The inside of event.h, for event*.c only.
 */

#define DP_TIME_FIELDS	2		/* a time of day, and a zone */
/* Contributions: moves the terms to the numbers of the event's key, once the key is known. */
void	dp_events_place(const struct dp_events *, struct dp_event *);

/* A declared key, in a table by open addressing. */
struct dp_events_place {
	const char *name;		/* NULL: an empty place */
	uint32_t len, column;
};

struct dp_events_keys {
	struct dp_field field;
	struct dp_field then[DP_KEY_FIELDS - 1];	/* after the first */
	char *joined;			/* the last key of several fields, joined */
	size_t other;			/* column of undeclared keys; keys.n: there is none */
	bool empty;			/* a missing field is the empty key */
	struct dp_events_place *place;	/* mask + 1 of them, at most half full */
	size_t mask;
	struct dp_term *each;		/* -k A[]: the keys of the last event; else NULL */
	bool *met;			/* and its columns; none between events */
};

struct dp_events_condition {
	struct dp_field field;		/* number 0: the line */
	struct dp_match *match;		/* NULL: a comparison */
	enum dp_op op;
	struct dp_slice value;
	bool number;			/* the value is one */
	size_t end;			/* behind those that --or joins with it */
	bool cut;			/* one of them is of a field */
};
/*
 * dp_events_get(), or the texts of several fields, joined, until the next call; empty where none of
 * them names anybody.
 */
const struct dp_slice *dp_events_text(const struct dp_events *, const struct dp_events_several *,
	    const struct dp_record *, struct dp_event *);

/* Fields that -u or -v names. */
struct dp_events_several {
	struct dp_field field;		/* number resolved; of several fields: not 0 */
	struct dp_fields of;		/* n 0: one field; numbers resolved */
	bool named;			/* the header has a field of the whole name */
	struct dp_events_text *text;	/* the last one, joined; NULL: one field */
};

struct dp_events_lines {
	unsigned fields;		/* fields to cut here; 0: the reader, cut or json cuts */
	bool directives;		/* W3C's: # begins no event, and - is no value */
};

struct dp_events {
	const struct dp_options *o;
	struct dp_events_several value, user;
	struct dp_field time, clock, weight;	/* numbers resolved */
	struct dp_events_keys key;
	enum dp_shape shape;
	const struct dp_contributions *adds;
	const struct dp_tool *tool;
	struct dp_term *term;		/* room for adds->terms numbers of an event */
	const uint8_t *id_key;		/* 16 bytes; a state file may replace them later */
	struct dp_terms *terms;		/* vectors: the reader of a line; else NULL */
	struct dp_match *match;
	struct dp_when when;
	unsigned following;		/* fields after the time's that may belong to the time */
	struct dp_events_lines lines;
	struct dp_cut *cut;
	struct dp_behind *behind;	/* `cut' cuts the line's message; NULL: the line */
	struct dp_json *json;
	struct dp_pairs *pairs;
	struct dp_events_condition *condition;
	size_t conditions;
	struct dp_lets *lets;		/* --let; or NULL */
	int64_t one;			/* value of one event: 1 on the grid, clamped */
};

/* event.c */
/* Without -v a line is the event, where other options say what stands in it. */
bool	dp_events_by_itself(const struct dp_events *);
/* Finds a field's name in a header; false: it is not there. */
bool	dp_events_resolve(struct dp_field *, const struct dp_record *);
/* True: the text of a field names no user, and no identifier. */
bool	dp_events_nobody(const struct dp_events *, struct dp_slice);

/*
 * Internal to partial*.c: the shards read so far.
 */

struct dp_shard {
	char *name;
	int64_t from, to;
};

struct dp_shards {
	const struct dp_shard *v;
	size_t n;
};

/*
 * A fault: the shards are not those that --expect says, each with all of --from to --to; NULL:
 * they are.  Names in it are as blocks have them.
 */
#define DP_SHARD_WHY	400

/*
 * event.c: dp_events_terms() of a key's sum, where totals of keys are numbers, too (the tool's
 * at()).
 */
size_t	dp_events_totals(const struct dp_events *, int64_t sum, size_t column,
	    const struct dp_term **);

#endif
