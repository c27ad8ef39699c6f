/*
 * span.h - buckets of time: where they begin.
 *
 *	N seconds	from 1970 on.  In a zone: whole days are the zone's days, of 23 or 25 hours
 *			twice a year; buckets of an hour or less are that long from the zone's
 *			midnight on, the last of a day perhaps shorter; longer ones divide a day,
 *			and begin when its clocks show a multiple.
 *	N weeks		from Monday; of those from 1969-12-29 on
 *	N months	from the first; of those from January of the year 0 on
 *
 * A bucket begins when clocks first show its first second, or a later one if they skip it.  So each
 * instant lies in one bucket, and a bucket of no length, as of a day that a zone skipped, does not
 * exist.
 */
#ifndef DP_SPAN_H
#define DP_SPAN_H

#include "zone.h"

#define DP_SPAN_TEXT	32

struct dp_span {
	enum dp_span_unit { DP_SPAN_SECONDS, DP_SPAN_WEEKS, DP_SPAN_MONTHS } unit;
	uint64_t n;			/* >= 1 */
	const struct dp_zone *zone;	/* NULL: UTC */
};

/*
 * "30s" "5m" "1h" "1d" in seconds, as dp_duration_parse(); "2w" weeks; "3mo" and "1y" months, at
 * most 1200.  The zone is NULL.  DP_ESYNTAX, DP_ERANGE.
 */
int	dp_span_parse(struct dp_span *, const char *) DP_MUSTUSE;
/* Text of a span in state files: "86400" "2w" "3mo". */
void	dp_span_put(char text[static DP_SPAN_TEXT], const struct dp_span *);
int	dp_span_get(struct dp_span *, const char *) DP_MUSTUSE;
/*
 * A unit of protection for people: "user-step/86400s", as ledgers have it, is "user-step/1d"; a
 * unit without seconds stays.  Returns text.
 */
#define DP_UNIT_TEXT	340
const char *dp_span_unit(const char *unit, char text[static DP_UNIT_TEXT]);
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
