/*
 * bucket.h - steps that are buckets of time, and the clock that may close them.
 */
#ifndef DP_BUCKET_H
#define DP_BUCKET_H

#include "keep/run.h"
#include "touched.h"

/* clock.c: --live, the clock that closes buckets */
/*
 * The time, in seconds: the wall clock's, unless that was set just now.  It is looked at once in
 * each slot of 250 ms of the time since boot: within a slot the answer is the same.
 */
int64_t	dp_clock_look(struct dp_run *);
int	dp_clock_wait(const struct dp_run *);	/* ms until the slot of the last look ends */
/* With the open bucket of a state: waits until the clock was seen twice; exits beyond --gap. */
void	dp_clock_begin(struct dp_run *);

/* bucket_open.c */
/* The open buckets, all of their memory; before a state file is read or made, and anything paid. */
int	dp_bucket_prepare(struct dp_run *) DP_MUSTUSE;
void	dp_bucket_begin(struct dp_run *);		/* which they are */

/* bucket.c */
/*
 * --public-times: close what the event's time closes.  If that were more empty buckets than
 * dp_options_gap(), none; and the event counts nowhere.
 */
int	dp_bucket_reach(struct dp_run *, struct dp_event *) DP_MUSTUSE;
/* A user's event beyond the cap counts nowhere. */
int	dp_bucket_add(struct dp_run *, struct dp_event *) DP_MUSTUSE;
/* --live: close what the clock has closed. */
int	dp_bucket_tick(struct dp_run *) DP_MUSTUSE;
int	dp_bucket_wait(struct dp_run *);		/* ms until that is to be asked again */
int	dp_bucket_end(struct dp_run *) DP_MUSTUSE;	/* end of input */

#endif
