/* transform.h - answers that are released when they have moved (stat/transform.h), as a task. */
#ifndef DP_MECH_TRANSFORM_H
#define DP_MECH_TRANSFORM_H

#include "mech.h"

/* task.own */
struct dp_transform {
	uint64_t changes;		/* K */
	uint64_t distance;		/* grid units */
	/* No answer falls, or is farther above the range's end than this, grid units; 0: unknown */
	uint64_t rising;
	bool one_way;			/* neighbours' answers are all on one side */
	bool hold;			/* the last answer is repeated, instead of HALT */
	uint64_t reach;			/* the most that answers are apart, in r */
	uint64_t unit;			/* r, grid units */
	double inner;			/* epsilon that the statistic itself has spent */
	const char *distance_text;	/* as given */
};

extern const struct dp_statistic dp_transform_statistic;

#endif
