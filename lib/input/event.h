/* SPDX-License-Identifier: ISC */
/*
 * event.h - one record to one event: value on the grid, time, column, user.
 *
 * Each record is mapped by itself, by public options only, so one record changes at most its own
 * contribution.  A record that cannot be read counts nowhere.
 */
#ifndef DP_INPUT_EVENT_H
#define DP_INPUT_EVENT_H

#include "job/options.h"
#include "users.h"

struct dp_events;
struct dp_reader_rule;
struct dp_record;

struct dp_event {
	/*
	 * 0: no event.  Numbers: grid units, within the range.  Identifiers: the sign, 1 or -1.
	 * Symbols and names: 1.  Vectors and contributions: 1, with the numbers in `term`.
	 */
	int64_t value;
	/*
	 * Contributions: the number they are made of, grid units.  --each-user: the event's own,
	 * which no range has clamped; then `value' is 1, and there are no terms.  --weight: the
	 * total, on the grid of totals.
	 */
	int64_t number;
	int64_t time;		/* seconds since 1970, if the rule has a time field */
	size_t column;		/* of the declared key or the symbol */
	struct dp_slice text;	/* the name; the text read as symbol, identifier or key */
	/* Vectors, contributions, and the keys of -k A[]: nterms numbers, each of another place */
	const struct dp_term *term;
	size_t nterms;
	union {
		struct dp_id id;
		int64_t weight;		/* --weight, on the grid of weights */
	};
	bool timed;		/* time was read */
	bool counts;		/* false: an undeclared key, outside --from/--to, or malformed */
	struct dp_slice user;
	/* The user's place in the table of allowances, found early by dp_cap_expect() */
	struct dp_known {
		bool set;
		struct dp_mark mark, cell;	/* --each-user: and in that of folds */
	} known;
	const char *why;	/* malformed: the reason (--strict); NULL: well formed */
	/*
	 * Well formed without an event: the reason; NULL: it is 0.  dp_events_no_user is of
	 * `user', dp_events_no_symbol of `text'.
	 */
	const char *none;
	bool clamped;		/* the value was outside --range */
	unsigned field;		/* number of the malformed field; 0: the line */
	unsigned with;		/* number of the field with its other half (a time's); 0: none */
	const char *name;	/* the malformed field's name, if fields have no numbers; or NULL */
	bool cut;		/* the record's fields are set */
	int error;		/* DP_ENOMEM: the run must end */
};

/* Of `none' */
extern const char dp_events_no_user[], dp_events_no_symbol[], dp_events_no_key[],
    dp_events_outside[], dp_events_not_where[], dp_events_no_match[], dp_events_no_universe[];
/* Of `why' */
extern const char dp_events_no_time[], dp_events_no_number[], dp_events_no_object[],
    dp_events_not_there[], dp_events_no_clock[];

/*
 * Exits with DP_EX_USAGE on a bad pattern and on a field name missing from --cut.  id_key: key of
 * the hash of undeclared identifiers; the caller owns it and may change it between records.
 * before: seconds since 1970; syslog times without a year get the latest one before that.
 */
int	dp_events_new(struct dp_events **, const struct dp_options *, const struct dp_tool *,
	    const uint8_t id_key[16],
	    int64_t before) DP_MUSTUSE;
/* True: times may lack their year, so that dp_events_before() matters. */
bool	dp_events_yearless(const struct dp_events *);
void	dp_events_before(struct dp_events *, int64_t before);
/* Sets the fields that the reader must cut. */
void	dp_events_reader_rule(struct dp_events *, struct dp_reader_rule *);
/*
 * Finds the named fields in a header record.  Returns NULL, or a name the header lacks; exits if it
 * has a name twice.
 */
const char *dp_events_header(struct dp_events *, const struct dp_record *);
/* The first field that an option has by a number and the record lacks; 0: none. */
unsigned dp_events_lacks(const struct dp_events *, const struct dp_record *);
/* The file is a log of W3C's format: lines that begin with # are no events, - names nobody. */
void	dp_events_directives(struct dp_events *, bool there);
/* A column's name in the header, where no keys are declared; NULL: it has none. */
const char *dp_events_name(const struct dp_events *, size_t column);
/* The text of a field of --cut or --log in a record that was read; p == NULL: it is absent. */
struct dp_slice dp_events_field(const struct dp_events *, const struct dp_record *,
	    const char *name);
/* Maps a record, whose fields it cuts first if the reader has not. */
void	dp_events_read(const struct dp_events *, struct dp_record *, struct dp_event *);
/*
 * Numbers that an event of this value, within the range, adds to, for a column; in memory that the
 * next call changes.
 */
size_t	dp_events_terms(const struct dp_events *, int64_t value, size_t column,
	    const struct dp_term **);
/* -k A[]: of an event's keys the i-th stays, as the n-th, n <= i. */
void	dp_events_stays(const struct dp_events *, size_t i, size_t n);
/*
 * dp_events_seekable(): only lines that hold a plain string can count (--match, --from/--to), so
 * other lines may be skipped.  dp_events_seek() finds the next line with the string in [*p, end),
 * where *p begins a line, and moves *p behind it.  1: found; 0: none is left; DP_ENOMEM.
 */
bool	dp_events_seekable(const struct dp_events *);
int	dp_events_seek(const struct dp_events *, const char **p, const char *end,
	    struct dp_slice *line) DP_MUSTUSE;
/*
 * dp_events_searchable(): a line is an event if it holds a plain string (--match), and no other
 * option reads the line.  dp_events_search() sets x to the values of at most n lines of [*p, end),
 * moves *p behind them, and returns their number, or DP_ENOMEM.  *hit is its memory between calls;
 * the caller sets it to NULL before the first.
 */
bool	dp_events_searchable(const struct dp_events *);
int	dp_events_search(const struct dp_events *, const char **p, const char *end,
	    const char **hit, int64_t *x, int n) DP_MUSTUSE;
/* Pan-private: wipes the bytes that matching left in memory. */
int	dp_events_forget(struct dp_events *) DP_MUSTUSE;
void	dp_events_free(struct dp_events *);

/*
 * For --check, of a record that was read (written.c).
 */
struct dp_match;
/* The text that is read as a number; p == NULL: none is, or the line holds several. */
struct dp_slice dp_events_written(const struct dp_events *, const struct dp_record *);
/* The text of the i-th condition's field; p == NULL: there is none. */
struct dp_slice dp_events_tested(const struct dp_events *, const struct dp_record *, size_t i);
/* True: the text is a number, so written, and that on a grid. */
bool	dp_number_reads(struct dp_digits, unsigned places, struct dp_slice, int64_t *);
/* True: it is one with a unit; that, or another of its family, is what --let asks for by `how'. */
#define DP_UNIT_NAME	9
bool	dp_number_unit(struct dp_digits, struct dp_slice, char how[static DP_UNIT_NAME]);
/* True: it is, and nothing is rounded off. */
bool	dp_number_exact(struct dp_digits, unsigned places, struct dp_slice);
/*
 * The path of a member of this name, in any case of letters, that an object has with a value that
 * can be read, where no field is; false: there is none.
 */
#define DP_JSON_PATH	128
bool	dp_json_elsewhere(struct dp_slice object, const char *name, char path[static DP_JSON_PATH]);
/* -m as a plain string, or in any case; NULL: there is none, or it is that.  DP_E*. */
int	dp_events_match_as(const struct dp_events *, bool fixed, struct dp_match **) DP_MUSTUSE;
bool	dp_events_matches(const struct dp_events *, const struct dp_record *, struct dp_match *);
/* The i-th condition's pattern in any case; NULL: it has none.  DP_E*. */
int	dp_events_where_as(const struct dp_events *, size_t i, struct dp_match **) DP_MUSTUSE;
bool	dp_events_where_matches(const struct dp_events *, const struct dp_record *, size_t i,
	    struct dp_match *);
void	dp_events_match_end(struct dp_match *);		/* NULL is fine */

#endif
