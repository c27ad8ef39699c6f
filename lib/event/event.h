/*
 * event.h - one record to one event: value on the grid, time, column, user.
 *
 * Every record is mapped by itself, from public options only, so one record can change at
 * most its own contribution; what cannot be read counts nowhere.
 */
#ifndef DP_EVENT_H
#define DP_EVENT_H

#include "terms.h"
#include "ask/tool.h"
#include "stream/record.h"
#include "stream/users.h"

struct dp_event {
	/*
	 * 0: nothing happened.  A number: grid units, within the range.  A vector: 1, its numbers
	 * are the terms.  An identifier: its sign.  A symbol, a name: 1.  Contributions: 1, they
	 * are the terms.
	 */
	int64_t value;
	int64_t number;		/* contributions: of what number, grid units */
	int64_t time;		/* seconds since 1970, if the rule has a time field */
	size_t column;		/* the declared key's; the symbol's */
	struct dp_slice text;	/* the name; what was to be a symbol, an identifier, a key */
	const struct dp_term *term;	/* a line of many numbers: nterms of them */
	size_t nterms;
	struct dp_id id;
	bool timed;		/* time was read */
	bool counts;		/* false: no declared key, outside --from/--to, or malformed */
	struct dp_slice user;
	/* dp_cap_expect(): what the user's allowance is kept by */
	struct dp_known {
		bool set;
		struct dp_mark mark;
	} known;
	const char *why;	/* malformed: the reason (--strict); NULL: well formed */
	const char *none;	/* well formed, and nothing: the reason; NULL: its value is 0 */
	bool clamped;		/* the value was outside --range */
	unsigned field;		/* the field that is malformed, 0: the line */
	unsigned with;		/* one that belongs to it, as a time's other half; 0: none */
	const char *name;	/* its name, if fields have names but no numbers; or NULL */
	bool cut;		/* the record's fields are set */
	int error;		/* no memory to read it with: the run must end */
};

struct dp_events;

/*
 * Exits with DP_EX_USAGE on a bad pattern, and on a name that --cut has not.  id_key: of the hash
 * of identifiers that no universe declares; it stays the caller's, and is read anew for every
 * record.  now: the year syslog times are near to.
 */
int	dp_events_new(struct dp_events **, const struct dp_options *, const struct dp_tool *,
	    const uint8_t id_key[16],
	    int64_t now) DP_MUSTUSE;
/* What the reader must cut. */
void	dp_events_reader_rule(struct dp_events *, struct dp_reader_rule *);
/* Finds named fields in a header record; NULL, or the name that is not there. */
const char *dp_events_header(struct dp_events *, const struct dp_record *);
/* What a header without declared keys called a column of numbers; NULL: nothing did. */
const char *dp_events_name(const struct dp_events *, size_t column);
/* The column of the declared key that is these bytes; false: none is. */
bool	dp_events_column(const struct dp_events *, struct dp_slice key, size_t *column);
/* Cuts the record's fields first if the reader was told not to. */
void	dp_events_read(const struct dp_events *, struct dp_record *, struct dp_event *);
/*
 * Whether only lines that hold a plain string can count (--match, --from/--to): then the rest of a
 * span may be passed over.  dp_events_seek() finds the next such line in [*p, end), *p at a line's
 * start, and moves *p behind it: 1; 0: none; DP_ENOMEM.
 */
bool	dp_events_seekable(const struct dp_events *);
int	dp_events_seek(const struct dp_events *, const char **p, const char *end,
	    struct dp_slice *line) DP_MUSTUSE;
/*
 * Whether a line is an event by a plain string in it and by nothing else (--match), and nothing
 * more is asked of it.  dp_events_search() gives the values of at most n lines of [*p, end), moves
 * *p behind them, and returns how many they are, or DP_ENOMEM.  *hit is its own, at first NULL.
 */
bool	dp_events_searchable(const struct dp_events *);
int	dp_events_search(const struct dp_events *, const char **p, const char *end,
	    const char **hit, int64_t *x, int n) DP_MUSTUSE;
/* Pan-private: wipes what matching left behind. */
int	dp_events_forget(struct dp_events *) DP_MUSTUSE;
void	dp_events_free(struct dp_events *);

#endif
