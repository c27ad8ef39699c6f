/*
 * refuse.h - what a statistic of identifiers, a window or memory cannot be asked for: statistic by
 * option, with the reason.
 *
 * A question is a set of facts, a bit each: the options of its own that are given, one statistic,
 * and what else it depends on.  A new statistic, or option, is a fact here and rows of refuse.c.
 */
#ifndef DP_SKETCH_REFUSE_H
#define DP_SKETCH_REFUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dp_sketch_fact {
	/* options of dpdistinct's own, given */
	DP_ASKS_STATISTIC, DP_ASKS_WINDOW, DP_ASKS_PROTECT, DP_ASKS_UNIVERSE, DP_ASKS_TAU,
	DP_ASKS_SHARE, DP_ASKS_DELETES, DP_ASKS_FLIPS, DP_ASKS_UPDATES, DP_ASKS_LOOKS,
	DP_ASKS_PRESENCE, DP_ASKS_BUCKETS, DP_ASKS_NO_PAN,
	DP_ASKS_OPTIONS,			/* their number */
	/* statistics; that of a window is RECENT */
	DP_ASKS_RECENT = DP_ASKS_OPTIONS, DP_ASKS_DISTINCT, DP_ASKS_DENSITY, DP_ASKS_CROPPED,
	DP_ASKS_MEAN, DP_ASKS_INCIDENCE, DP_ASKS_HEAVY,
	/* else */
	DP_ASKS_TIME, DP_ASKS_VALUE,		/* --time of a run; --value */
	DP_ASKS_HORIZON,			/* the number of steps is known */
	DP_ASKS_BUCKET,				/* a step is a length of time */
	DP_ASKS_IDENTIFIER,			/* all that one does is protected */
	DP_ASKS_THRESHOLD,			/* one of --tau and --share */
	DP_ASKS_MODULO, DP_ASKS_WIDE,		/* --tau=R%K; --buckets=B+W */
	DP_ASKS_SEEN,				/* --seen */
	DP_ASKS_PAN, DP_ASKS_MAY_PAN,		/* -P; nothing forbids it */
	DP_ASKS_REDRAWN,			/* memory that is drawn again */
	DP_ASKS_FACTS
};

/* True: it is refused, and text, of `size` bytes, says which option and why. */
bool	dp_sketch_refuses(uint64_t facts, char *text, size_t size);

#endif
