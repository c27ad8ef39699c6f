/* SPDX-License-Identifier: ISC */
/* when.h - times, zones and buckets of time. */
#ifndef DP_BASE_WHEN_H
#define DP_BASE_WHEN_H

#include "dp.h"

/*
 * A time zone as plain data: how far its clocks are from UTC, and when that changed.
 * The zone is an argument: TZ and files are the caller's.
 *
 * After 2100 the rules of a zone repeat every year, and the Gregorian calendar, with its days of
 * the week, after 400 years (146097 days): a later time is taken for one of 2100 to 2499.
 */

struct dp_zone_change {
	int64_t at;		/* from here on */
	int32_t east;		/* clocks are so many seconds ahead of UTC */
};

/* 1800-01-01, before clocks were set by zones; 2500-01-08, after which changes are as before. */
#define DP_ZONE_BEGIN	(-INT64_C(5364662400))
#define DP_ZONE_END	INT64_C(16725830400)

/* Slots of 2^24 seconds, 194 days, from DP_ZONE_BEGIN to DP_ZONE_END */
#define DP_ZONE_SLOT	24
#define DP_ZONE_SLOTS	(((DP_ZONE_END - DP_ZONE_BEGIN) >> DP_ZONE_SLOT) + 1)

struct dp_zone {
	size_t n;			/* >= 1 */
	struct dp_zone_change *change;	/* by time, the first INT64_MIN; owned */
	size_t slots;			/* that begin before the last change */
	uint32_t in_force[DP_ZONE_SLOTS];	/* change in force as a slot begins, or earlier */
};

/*
 * file: all of a file of the tz database (RFC 8536, version 2 or later, without leap seconds).
 * DP_ESYNTAX: it is cut off, damaged or none, as *why says (static storage); DP_ENOMEM.
 */
int	dp_zone_read(struct dp_zone *, struct dp_slice file, const char **why) DP_MUSTUSE;
/* A change at `at`, no earlier than the last; kept only if it changes `east'.  DP_ENOMEM. */
void	dp_zone_free(struct dp_zone *);

/* Local times are seconds since 1970-01-01T00:00:00 as the zone's clocks show them. */
int32_t	dp_zone_east(const struct dp_zone *, int64_t t);

/*
 * Event times in, bucket starts out.  Whole seconds since 1970, no locale, no clock, no
 * TZ; times without an offset are UTC, or of a zone that is given as data (when.h).
 *
 * Every parser is exact about its form: any other text is DP_ESYNTAX, never a wrong time.
 *
 *	epoch	[-]DIGITS[.DIGITS][{E,e}[{+,-}]DIGITS]; from 10^11 on (either sign) milliseconds;
 *		what would then be after the year 9999, microseconds; likewise nanoseconds
 *	iso	YYYY-MM-DD, or YYYY-MM-DD{T,t,blank}HH:MM[:SS[{.,}DIGITS]][ZONE], where ZONE is
 *		{+,-}HH[[:]MM], Z, z, or UTC or GMT (in any case) with or without such an
 *		offset, and one blank may precede it.  The day may be YYYY-DDD or YYYY-Www-D, too;
 *		without any dash a T and HHMM[SS[{.,}DIGITS]][ZONE] follow it.  24:00:00 is the end
 *		of a day
 *	clf	[DD/Mon/YYYY:HH:MM:SS[.DIGITS] {+,-}HHMM], the Common Log Format, with or
 *		without the brackets; the zone may be missing
 *	syslog	Mon DD HH:MM:SS[.DIGITS][ YYYY], the time stamp of RFC 3164; DD may have one digit;
 *		the year only where all of it is one field.  Or iso, as rsyslogd writes it now
 *	excel	DIGITS[.DIGITS], days of a spreadsheet, 1 being 1900-01-01; from 61 on, as
 *		1900-02-29 was none; to the nearest second
 *	strptime, if the format ends in %S or %T: the same, and [{.,}DIGITS] behind it
 *
 * Month names are English, three letters, "Jan".  Days are checked against the length of their
 * month.
 */

enum dp_when_kind { DP_WHEN_EPOCH, DP_WHEN_ISO, DP_WHEN_CLF, DP_WHEN_SYSLOG, DP_WHEN_EXCEL,
	DP_WHEN_STRPTIME };
#define DP_WHEN_MAX	INT64_C(253402300799)

struct dp_when {
	enum dp_when_kind kind;
	const char *format;	/* strptime(3) only; the caller's */
	bool clock, zoned;	/* the format has a time of day; it has a zone */
	bool whole;		/* iso: a day without a time of day is refused */
	int64_t before;		/* syslog without a year: the latest one with a time before this */
	const struct dp_zone *zone;	/* of times without an offset; NULL: UTC */
};

/*
 * "epoch" "iso" "clf" "syslog" "excel" or a strptime(3) format, which contains a '%'; before is 0,
 * zone NULL.
 * DP_EINVAL: none of these, or a format with %s, which glibc converts through the local time zone.
 * DP_ERANGE: a format that cannot give back a time it printed.  strptime(3) takes %Z, %G, %V and
 * more and does nothing with them, and what a format leaves out (the year, the month before a day,
 * %p after %I) it leaves at 1970-01-01.  So times are printed and read again: each must come out as
 * the start of the second, minute, .. or year that the format tells apart, in the same year, and
 * later ones not before earlier ones.
 */
int	dp_when_rule(struct dp_when *, const char *name) DP_MUSTUSE;
/* Why dp_when_rule() refuses a name, and what to write instead: goes on after "'NAME' ". */
const char *dp_when_refused(const char *name);

/*
 * text = the field; next = what follows it on the line (may be empty; blanks at its start are
 * skipped); a zone may stand in the first zone bytes of next. A time that blanks have cut apart
 * goes on in next: iso looks there for a time of day after a bare date (unless w->whole it is
 * midnight without one; one or two digits and a colon have to be one), syslog and strptime for
 * what is missing.  Otherwise all of text must belong to the time.
 *
 * A time of day without a zone has it in the word that follows, also in brackets, if that is
 * {+,-}HH[[:]MM], UTC, GMT or Z; a word that begins like an offset must be one.  Names of other
 * zones are ambiguous (IST is three), and AM or PM is half a time: such a word makes the time
 * malformed, in any case, or in capitals alone where it is a word of English, too (CAT).  Any other
 * word does not belong to the time.
 *
 * Fractions of seconds are cut (downwards, also before 1970); a leap second :60 counts as :59.
 * Times outside DP_WHEN_MIN..DP_WHEN_MAX are malformed. strptime: names are those of the C locale.
 * DP_ESYNTAX; DP_ERANGE: w->whole, and it is a day alone.
 */
struct dp_stamp {
	struct dp_slice text, next;
	size_t zone;
};

int	dp_when_parse(int64_t *, const struct dp_when *, const struct dp_stamp *) DP_MUSTUSE;

/*
 * The same day and time a year later, as the zone's clocks show it; of February 29 it is March 1.
 * From t up to it no day and time comes twice.
 */
int64_t	dp_when_year_later(int64_t t, const struct dp_zone *);

/* For --from and --to: ISO (date, or date and time) or epoch seconds.  NULL: UTC.  DP_ESYNTAX. */
int	dp_when_parse_arg(int64_t *, const char *, const struct dp_zone *) DP_MUSTUSE;

/*
 * "2015-05-17T10:00:00Z", no terminator; 20 bytes; returns the end.  Times out of range print as
 * the nearest in it.  In a zone "2015-05-17T12:00:00+02:00", 25 bytes, or of times when clocks were
 * no whole minutes from UTC "+00:53:28", DP_WHEN_TEXT at most.
 */
#define DP_WHEN_TEXT	28
char	*dp_when_put(char *, int64_t, const struct dp_zone *);

/* Start of the bucket of width w >= 1 that holds t: floor to a multiple of w, also before 1970. */
int64_t	dp_when_floor(int64_t t, uint64_t w);

/*
 * The inside of when.h, for when*.c only.
 */

#define MINUTE	60
#define HOUR	3600
#define DAY	86400

/* A time as it is written; nothing is checked yet. */
struct dp_civil {
	unsigned year, month, day, hour, minute, second;
	int offset;			/* seconds east of UTC */
	bool zoned;			/* the text says so */
	bool until_24;			/* 24:00:00 is the end of the day */
	bool bare;			/* a day: no offset is looked for */
};

/*
 * zone: the zone of a time that is not zoned; NULL: its offset counts.  DP_ESYNTAX: there is no
 * such day or time, or it is out of range.
 */
int	dp_civil_seconds(int64_t *, const struct dp_civil *, const struct dp_zone *) DP_MUSTUSE;
/* Year, month and day of a day counted from 1970-01-01, from DP_WHEN_MIN to DP_WHEN_MAX. */
void	dp_civil_day(int64_t day, struct dp_civil *);

/*
 * Buckets of time: where they begin.
 *
 *	N seconds	from 1970 on.  In a zone: whole days are the zone's days, of 23 or 25 hours
 *			twice a year; buckets of an hour or less are that long from the zone's
 *			midnight on, the last of a day perhaps shorter; longer ones divide a day,
 *			and begin when its clocks show a multiple.
 *	N weeks		from Monday; of those from 1969-12-29 on
 *	N months	from the first; of those from January of the year 0 on
 *
 * Of days and more each may begin later, or earlier, by one time for all of them.
 *
 * A bucket begins when clocks first show its first second, or a later one if they skip it.  So each
 * instant lies in one bucket, and a bucket of no length, as of a day that a zone skipped, does not
 * exist.
 */

#define DP_SPAN_TEXT	32
/*
 * A unit of protection for people: "user-step/86400s", as ledgers have it, is "user-step/1d"; a
 * unit without seconds stays.  Returns text.
 */
#define DP_UNIT_TEXT	340
const char *dp_span_unit(const char *unit, char text[static DP_UNIT_TEXT]);

struct dp_span {
	enum dp_span_unit { DP_SPAN_SECONDS, DP_SPAN_WEEKS, DP_SPAN_MONTHS } unit;
	uint64_t n;			/* >= 1 */
	const struct dp_zone *zone;	/* NULL: UTC */
	int64_t start;			/* buckets begin so many seconds later, by the clocks */
};

#define DP_SPAN_START	16
/*
 * "06:00" days that begin then, "sun" weeks from Sunday, "sun,06:00" both.  After unit and n are
 * set; DP_ESYNTAX; DP_ERANGE: buckets of this length have no such beginning.
 */
int	dp_span_start(struct dp_span *, const char *) DP_MUSTUSE;
/* The same as text, one for each start; "" of 0. */
void	dp_span_start_put(char text[static DP_SPAN_START], const struct dp_span *);

/*
 * "30s" "5m" "1h" "1d" in seconds, as dp_duration_parse(); "2w" weeks; "3mo" and "1y" months, at
 * most 1200.  The zone is NULL.  DP_ESYNTAX, DP_ERANGE.
 */
int	dp_span_parse(struct dp_span *, const char *) DP_MUSTUSE;
/* Text of a span in state files: "86400" "2w" "3mo". */
void	dp_span_put(char text[static DP_SPAN_TEXT], const struct dp_span *);
/* As somebody would write it: 1d, 90s, 2w. */
void	dp_span_say(char text[static DP_SPAN_TEXT], const struct dp_span *);
int	dp_span_get(struct dp_span *, const char *) DP_MUSTUSE;
/* Seconds; of months their average. */
uint64_t dp_span_mean(const struct dp_span *);
/* A lower bound on the seconds of any such span. */
uint64_t dp_span_least(const struct dp_span *);
/* True: all spans have one length, n or dp_span_mean(). */
bool	dp_span_uniform(const struct dp_span *);
/* True: a zone can have such buckets: weeks, months, seconds that are days or divide one. */
bool	dp_span_fits_zone(const struct dp_span *);

/*
 * Start of the bucket that holds t, and of the next one after it; t from DP_WHEN_MIN to
 * DP_WHEN_MAX (when.h).
 */
int64_t	dp_span_floor(const struct dp_span *, int64_t t);
int64_t	dp_span_next(const struct dp_span *, int64_t t);
/* Number of spans that begin in [from, to), at most `most`; from is the start of one. */
uint64_t dp_span_count(const struct dp_span *, int64_t from, int64_t to, uint64_t most);

#endif
