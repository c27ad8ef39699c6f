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

#include "roll_cells.h"
#include "run.h"
#include "stream/names.h"

struct dp_roll {
	struct dp_names *names;		/* a block is a column; marked: it has begun */
	size_t declared;		/* the first so many */
	struct dp_cells *row;		/* of each open bucket, as the ring has them; */
	size_t rows;			/* so many */
	struct dp_cells now;		/* of the step that is next, or at hand */
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
 * After that, and once it is printed: names whose columns may be given up (mech.h, brief and gone)
 * go, but those with an event in an open bucket; of a range nothing goes before its end.
 */
void	dp_roll_forget(struct dp_run *);
/* Gives names up at any step; for a state that is loaded. */
void	dp_roll_loaded(struct dp_run *);
/*
 * A name as it is printed: controls, and bytes outside UTF-8, as \xHH, and \ as \\, so that
 * distinct names look distinct.  DP_ROLL_TEXT bytes hold any.
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
/* Bytes that a name takes, its own apart, for a column of so many. */
size_t	dp_roll_bytes(size_t column);
void	dp_roll_free(struct dp_roll *);		/* wipes; NULL is fine */

#endif
