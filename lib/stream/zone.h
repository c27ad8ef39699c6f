/*
 * zone.h - a time zone as plain data: how far its clocks are from UTC, and when that changed.
 * Nothing here reads TZ, or a file.
 *
 * After 2100 the rules of all zones are the same every year, and the Gregorian calendar, with its
 * days of the week, repeats after 400 years (146097 days): later times are as those of 2100 to
 * 2499.
 */
#ifndef DP_ZONE_H
#define DP_ZONE_H

#include "base/dp.h"

struct dp_zone_change {
	int64_t at;		/* from here on */
	int32_t east;		/* clocks are so many seconds ahead of UTC */
};

struct dp_zone {
	size_t n;			/* >= 1 */
	struct dp_zone_change *change;	/* by time, the first INT64_MIN; owned */
};

/*
 * east(t): the offset at t; some 10^5 calls, from 1800 on.  Found are changes that are not taken
 * back within two days (from 2100 on: seven), which no zone of the tz database has had.  DP_ENOMEM.
 */
int	dp_zone_make(struct dp_zone *, int32_t (*east)(int64_t t)) DP_MUSTUSE;
void	dp_zone_free(struct dp_zone *);

/* Local times are seconds since 1970-01-01T00:00:00 as the zone's clocks show them. */
int32_t	dp_zone_east(const struct dp_zone *, int64_t t);
/*
 * When clocks show it: if twice, the first time; if never, because they skip it, as if they had not
 * changed yet, so that 02:30 becomes 03:30.
 */
int64_t	dp_zone_seconds(const struct dp_zone *, int64_t local);
/* The first time at which clocks show it, or more. */
int64_t	dp_zone_first(const struct dp_zone *, int64_t local);
/* The most that clocks have shown up to t: what they show, unless they were put back shortly. */
int64_t	dp_zone_latest(const struct dp_zone *, int64_t t);

#endif
