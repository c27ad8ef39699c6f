/*
 * zonerule.h - the rule by which a zone's clocks change every year, for zonefile.c only.
 */
#ifndef DP_ZONERULE_H
#define DP_ZONERULE_H

#include "zone.h"

struct dp_zone_rule {
	int32_t east[2];		/* standard time, and the other */
	bool changes;			/* false: standard time all year */
	struct dp_zone_day {
		char kind;		/* M: day of the week in a month; J, 0: day of the year */
		unsigned month, week, day;
		int32_t seconds;	/* from midnight on, by the clocks of before */
	} day[2];			/* when standard time ends, when it begins */
};

/* Reads a rule in the form of POSIX's TZ, with times of day up to a week (RFC 8536). */
bool	dp_zone_rule(struct dp_zone_rule *, struct dp_slice) DP_MUSTUSE;
int32_t	dp_zone_rule_east(const struct dp_zone_rule *, int64_t t);
/*
 * Adds the changes after the last that the zone has, INT64_MIN: all from 1800 on.  DP_ENOMEM;
 * DP_ESYNTAX: a year's begin before those of the year before have ended.
 */
int	dp_zone_rule_changes(const struct dp_zone_rule *, struct dp_zone *,
	    int64_t after) DP_MUSTUSE;

#endif
