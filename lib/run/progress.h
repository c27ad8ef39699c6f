/*
 * progress.h - how far a long task is, on a terminal: a line on standard error, once a second, with
 * the time that the rest will take; it is gone when the task has ended.
 */
#ifndef DP_PROGRESS_H
#define DP_PROGRESS_H

#include "base/dp.h"

struct dp_progress {
	const char *name;		/* the program's */
	uint64_t all, done;		/* runs */
	bool on;			/* standard error is a terminal */
	double begun, told;		/* seconds: as runs began, as the line was written */
};

void	dp_progress_begin(struct dp_progress *, const char *name, uint64_t all);
void	dp_progress_step(struct dp_progress *);		/* one more run has ended */
void	dp_progress_end(struct dp_progress *);

#endif
