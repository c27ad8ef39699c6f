/* options_bucket.c - buckets of time, as the options fix them. */
#include "options.h"

size_t
dp_options_rows(const struct dp_options *o)
{
	uint64_t least;

	if (o->time.bucket == 0)
		return 0;
	least = dp_span_least(&o->time.span);
	switch (o->time.steps) {
	case DP_BY_RANGE:
		return (size_t)dp_span_count(&o->time.span, o->time.begin, o->time.end, SIZE_MAX);
	case DP_BY_CLOCK:
		return (o->time.lateness + least - 1) / least + 1;
	case DP_BY_TIMES:
	case DP_BY_LINE:
		break;
	}
	return 1;
}

/* More empty buckets than this by one event's time are a wrong time. */
#define GAP	((uint64_t)100)
#define PAUSE	((uint64_t)31 * 86400)

uint64_t
dp_options_gap(const struct dp_options *o)
{
	return o->time.gap != 0 ? o->time.gap : PAUSE / o->time.bucket > GAP ?
	    PAUSE / o->time.bucket : GAP;
}
