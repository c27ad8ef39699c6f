/*
 * whentext.h - the inside of when.h, for when*.c only.
 */
#ifndef DP_WHENTEXT_H
#define DP_WHENTEXT_H

#include "when.h"

#define MINUTE	60
#define HOUR	3600
#define DAY	86400

/* A time as it is written; nothing is checked yet. */
struct dp_civil {
	unsigned year, month, day, hour, minute, second;
	int offset;			/* seconds east of UTC */
	bool zoned;			/* the text says so */
	bool bare;			/* a day: no offset is looked for */
};

/*
 * zone: the zone of a time that is not zoned; NULL: its offset counts.  DP_ESYNTAX: there is no
 * such day or time, or it is out of range.
 */
int	dp_civil_seconds(int64_t *, const struct dp_civil *, const struct dp_zone *) DP_MUSTUSE;
/* Days from 1970-01-01; the month from 1 to 12. */
int64_t	dp_civil_days(unsigned year, unsigned month, unsigned day);
/* Year, month and day of a day counted from 1970-01-01, from DP_WHEN_MIN to DP_WHEN_MAX. */
void	dp_civil_day(int64_t day, struct dp_civil *);

/* One for each dp_when_kind; contract in when.h. */
int	dp_when_epoch(int64_t *, struct dp_slice text) DP_MUSTUSE;
int	dp_when_iso(int64_t *, const struct dp_when *, const struct dp_stamp *) DP_MUSTUSE;
int	dp_when_clf(int64_t *, const struct dp_when *, const struct dp_stamp *) DP_MUSTUSE;
int	dp_when_syslog(int64_t *, const struct dp_when *, const struct dp_stamp *) DP_MUSTUSE;
int	dp_when_strptime(int64_t *, const struct dp_when *, const struct dp_stamp *) DP_MUSTUSE;
/* w->format: sets w->clock and w->zoned; DP_ERANGE: it cannot give back a time that it printed. */
int	dp_when_format(struct dp_when *) DP_MUSTUSE;

/* strptime: the format has one of these conversions. */
bool	dp_when_has(const char *format, const char *conversions);

/* A place in text, and its end. */
struct cursor {
	const char *p, *e;
};

/* Skips a fraction of a second, if there is one; false: a point without a digit behind it. */
bool	dp_civil_fraction(struct cursor *, bool comma);

static inline struct cursor
over(struct dp_slice s)
{
	return (struct cursor){ s.p, s.n == 0 ? s.p : s.p + s.n };
}

static inline bool
at_end(const struct cursor *c)
{
	return c->p == c->e;
}

static inline bool
at_blank(const struct cursor *c)
{
	return c->p < c->e && (*c->p == ' ' || *c->p == '\t');
}

static inline void
skip_blanks(struct cursor *c)
{
	while (at_blank(c))
		c->p++;
}

static inline bool
is(struct cursor *c, char x)
{
	if (at_end(c) || *c->p != x)
		return false;
	c->p++;
	return true;
}

static inline bool
digit(const struct cursor *c)
{
	return c->p < c->e && (unsigned char)(*c->p - '0') < 10;
}

/* Exactly n digits, looked at together. */
static inline bool
number(struct cursor *c, unsigned n, unsigned *v)
{
	unsigned x = 0, i, d, bad = 0;

	if (c->e - c->p < (ptrdiff_t)n)
		return false;
	for (i = 0; i < n; i++) {
		d = (unsigned)(unsigned char)c->p[i] - '0';
		bad |= d > 9;
		x = 10 * x + d;
	}
	c->p += n;
	*v = x;
	return bad == 0;
}

static inline bool
sign(const struct cursor *c)
{
	return c->p < c->e && (*c->p == '+' || *c->p == '-');
}

/* whenzone.c */

/* +HHMM, with colon also +HH:MM and +HH; the cursor is at the sign. */
bool	dp_zone_offset(struct cursor *, bool colon, struct dp_civil *) DP_MUSTUSE;
/* Reads the zone attached to a time of day, if there is one; false: an unknown zone. */
bool	dp_zone_here(struct cursor *, struct dp_civil *) DP_MUSTUSE;
/*
 * Reads the zone in the words from p on, a place in s->next, unless the time has one already;
 * false: an unknown zone.
 */
bool	dp_zone_after(const struct dp_stamp *s, const char *p, struct dp_civil *) DP_MUSTUSE;

/* A stamp's text and the text that follows, as one string, for forms that blanks cut apart. */
struct dp_joined {
	char buf[160];
	size_t n, text;			/* bytes in all, and of the text */
	const char *next;		/* where what follows stands */
};

bool	dp_stamp_join(struct dp_joined *, const struct dp_stamp *) DP_MUSTUSE;
bool	dp_stamp_complete(const struct dp_joined *, const char *p) DP_MUSTUSE;
const char *dp_stamp_place(const struct dp_joined *, const char *p) DP_MUSTUSE;

#endif
