/*
 * when.h - event times in, bucket starts out.  Whole seconds since 1970, no locale, no clock, no
 * TZ; times without an offset are UTC, or of a zone that is given as data (zone.h).
 *
 * Every parser is exact about its form: any other text is DP_ESYNTAX, never a wrong time.
 *
 *	epoch	[-]DIGITS[.DIGITS]; from 10^11 on (either sign) milliseconds; what would then be
 *		after the year 9999, microseconds; likewise nanoseconds
 *	iso	YYYY-MM-DD, or YYYY-MM-DD{T,t,blank}HH:MM[:SS[{.,}DIGITS]][ZONE], where ZONE is
 *		{+,-}HH[[:]MM], Z, z, or UTC or GMT (in any case) with or without such an
 *		offset, and one blank may precede it
 *	clf	[DD/Mon/YYYY:HH:MM:SS[.DIGITS] {+,-}HHMM], the Common Log Format, with or
 *		without the brackets; the zone may be missing
 *	syslog	Mon DD HH:MM:SS[.DIGITS][ YYYY], the time stamp of RFC 3164; DD may have one digit;
 *		the year only where all of it is one field.  Or iso, as rsyslogd writes it now
 *	strptime, if the format ends in %S or %T: the same, and [{.,}DIGITS] behind it
 *
 * Month names are English, three letters, "Jan".  Days are checked against the length of their
 * month.
 */
#ifndef DP_WHEN_H
#define DP_WHEN_H

#include "zone.h"

enum dp_when_kind { DP_WHEN_EPOCH, DP_WHEN_ISO, DP_WHEN_CLF, DP_WHEN_SYSLOG, DP_WHEN_STRPTIME };

/* 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z */
#define DP_WHEN_MIN	(-INT64_C(62167219200))
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
 * "epoch" "iso" "clf" "syslog" or a strptime(3) format, which contains a '%'; before is 0,
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

#endif
