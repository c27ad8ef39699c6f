/*
 * roll.h - names that nobody declared: what of them is in the open buckets, and each one's column
 * of the mechanism.
 *
 * SAMPLE AND HOLD (options.h, keys.hold = n > 1).  A name that is not declared is held from one of
 * its events on, each of them with probability 1 / n; of columns that end with their step, in each
 * bucket anew.  Events before that one are gone, (n - 1) of them on average, which are added to
 * what is told of, and take no memory.
 *
 * Names are in order of first sight, declared ones first, and so are their draws.  A column begins
 * in the step of its name's first event (mech.h, late), whenever that is read.
 */
#ifndef DP_ROLL_H
#define DP_ROLL_H

#include "run.h"
#include "stream/names.h"

/* Events of a bucket: of a name its place, and how many. */
struct dp_cells {
	struct dp_cell {
		uint64_t name;		/* place + 1; 0: none */
		int64_t events;
	} *cell;			/* NULL: no event has come to it */
	size_t n, mask;			/* mask + 1 cells, at most three quarters full */
};

struct dp_roll {
	struct dp_names *names;		/* a block: BEGUN, X, then the mechanism's column */
	size_t declared;		/* the first so many */
	struct dp_cells *row;		/* of each open bucket, as the ring has them; */
	size_t rows;			/* so many */
	/* what the last step tells of, in the order in which it is printed */
	struct dp_told {
		size_t name;
		dp_wide est;
	} *told;
	size_t n, room;
};

/* Once the open buckets are known; key: of the hash. */
int	dp_roll_new(struct dp_run *, const uint8_t key[16]) DP_MUSTUSE;
/* An event of the row-th open bucket. */
int	dp_roll_add(struct dp_run *, size_t row, struct dp_slice name) DP_MUSTUSE;
/* The row's events are the next step's; the row is empty then. */
void	dp_roll_take(struct dp_run *, size_t row);
/* Rows move up by one, as the oldest has closed. */
void	dp_roll_shift(struct dp_run *);
/* Step r->t: r->roll->told is what it tells of. */
int	dp_roll_step(struct dp_run *) DP_MUSTUSE;
/*
 * After that, and once it is printed: of columns that end with their step (mech.h, brief) nothing
 * is kept once no open bucket has an event.
 */
void	dp_roll_forget(struct dp_run *);
/*
 * A name as it is printed: what are controls, and bytes that are no UTF-8, as \xHH, and \ as \\, so
 * that two names never look the same.  DP_ROLL_TEXT bytes hold any.
 */
#define DP_ROLL_TEXT	(4 * DP_KEY_MAX + 1)
void	dp_roll_text(const struct dp_roll *, size_t name, char text[static DP_ROLL_TEXT]);
/* For a state.  A name's column; NULL: it has had no event. */
int64_t	*dp_roll_column(const struct dp_roll *, size_t name);
/*
 * Loading: the next name, declared ones first; its column, if it has one, is all 0.  DP_EINVAL: it
 * was there, or is not the one declared; DP_ENOMEM.
 */
int	dp_roll_put(struct dp_roll *, struct dp_slice name, size_t place, bool begun) DP_MUSTUSE;
/* A row's cells, from *i = 0 on; false at the end.  And loading one: DP_EINVAL, DP_ENOMEM. */
bool	dp_roll_each(const struct dp_roll *, size_t row, size_t *i, size_t *name, int64_t *events);
int	dp_roll_set(struct dp_roll *, size_t row, size_t name, uint64_t events) DP_MUSTUSE;
/* Bytes that a name takes, its own apart, for a column of so many. */
size_t	dp_roll_bytes(size_t column);
void	dp_roll_free(struct dp_roll *);		/* wipes; NULL is fine */

#endif
