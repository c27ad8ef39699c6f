/*
 * bucket.h - steps that are buckets of time, and the clock that may close them.
 */
#ifndef DP_BUCKET_H
#define DP_BUCKET_H

#include "keep/run.h"
#include "touched.h"

/* clock.c: --live, the clock that closes buckets */
/*
 * Time in seconds: the wall clock's, unless that was just set.  The clock is read once in each slot
 * of 250 ms of the time since boot; within a slot the answer is constant.
 */
int64_t	dp_clock_look(struct dp_run *);
/*
 * Before a record is read whose time may lack the year (dp_events_before()): it is the last one
 * with a time no later than a day from now, as the clock that wrote it may be ahead of this one.
 */
#define DP_CLOCK_AHEAD	INT64_C(86400)
void	dp_clock_year(struct dp_run *);
int	dp_clock_wait(const struct dp_run *);	/* ms until the slot of the last look ends */
/* Resuming an open bucket: waits until the clock was seen twice; exits beyond --gap. */
void	dp_clock_begin(struct dp_run *);

/* bucket_open.c */
/* Allocates all memory of open buckets, before a state is read or made and before any charge. */
int	dp_bucket_prepare(struct dp_run *) DP_MUSTUSE;
void	dp_bucket_begin(struct dp_run *);		/* sets which buckets are open */

/* carry.c: what sums have beyond a word */
/* A sum of a row, less what is beyond 2^61 and kept; whole, if nothing can be. */
dp_wide	dp_carry_add(struct dp_run *, size_t row, size_t place, dp_wide sum);
/* The row becomes the next step; moved: those after it move up. */
void	dp_carry_close(struct dp_run *, size_t row, bool moved);
void	dp_carry_pay(struct dp_run *);			/* to the estimates of step r->t */

/* bucket.c */
/*
 * --public-times: more than dp_options_gap() empty buckets lie between the open bucket and this
 * time, which is later; or earlier, while no bucket has closed in this run.
 */
bool	dp_bucket_far(const struct dp_run *, int64_t time);
/*
 * --public-times: closes the buckets that the event's time ends.  A time that is far closes none,
 * and its event counts nowhere.
 */
int	dp_bucket_reach(struct dp_run *, struct dp_event *) DP_MUSTUSE;
/* Adds an event to its bucket; a user's event beyond the cap counts nowhere. */
int	dp_bucket_add(struct dp_run *, struct dp_event *) DP_MUSTUSE;
/* --live: closes the buckets that the clock has ended. */
int	dp_bucket_tick(struct dp_run *) DP_MUSTUSE;
int	dp_bucket_wait(struct dp_run *);		/* ms until dp_bucket_tick() is due */
int	dp_bucket_end(struct dp_run *) DP_MUSTUSE;	/* end of input */

#endif
