/*
 * zone.h - a time zone as plain data: how far its clocks are from UTC, and when that changed.
 * The zone is an argument: TZ and files are the caller's.
 *
 * After 2100 the rules of a zone repeat every year, and the Gregorian calendar, with its days of
 * the week, after 400 years (146097 days): a later time is taken for one of 2100 to 2499.
 */
#ifndef DP_ZONE_H
#define DP_ZONE_H

#include "base/dp.h"

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
int	dp_zone_add(struct dp_zone *, int64_t at, int32_t east) DP_MUSTUSE;
void	dp_zone_free(struct dp_zone *);

/* Local times are seconds since 1970-01-01T00:00:00 as the zone's clocks show them. */
int32_t	dp_zone_east(const struct dp_zone *, int64_t t);
/*
 * The time at which clocks show `local': the first if they show it twice; if they skip it, the time
 * as if they had not changed yet, so that 02:30 becomes 03:30.
 */
int64_t	dp_zone_seconds(const struct dp_zone *, int64_t local);
/* The first time at which clocks show `local' or a later time of day. */
int64_t	dp_zone_first(const struct dp_zone *, int64_t local);
/* The latest that clocks have shown up to t: more than they show after they were put back. */
int64_t	dp_zone_latest(const struct dp_zone *, int64_t t);

#endif
