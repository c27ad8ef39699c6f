/*
 * scale.h - ticks of an axis: their places and labels.
 */
#ifndef DP_SCALE_H
#define DP_SCALE_H

#include "base/buf.h"

#define DP_LABEL	48

/*
 * The ticks of an axis: every `step`, from first to last.  Times: steps of months (seconds == 0)
 * are counted in months since year 0.
 */
struct dp_scale {
	double step, first, last;
	unsigned months;	/* times, if not 0: the step */
	int zone;		/* times: seconds east of UTC */
	bool time;
};

/* About n ticks for numbers lo <= hi; whole: the step is at least 1. */
void	dp_scale_numbers(struct dp_scale *, double lo, double hi, unsigned n, bool whole);
/* About n ticks for seconds since 1970, on round times of the zone, at least `least' apart. */
void	dp_scale_times(struct dp_scale *, double lo, double hi, unsigned n, int zone,
	    double least);
/* The i-th tick, and its label; false past the last. */
bool	dp_scale_tick(const struct dp_scale *, unsigned i, double *at, char label[static DP_LABEL]);

/* A number by itself, with a comma every three digits. */
void	dp_scale_number(char label[static DP_LABEL], double);

#endif
