/* SPDX-License-Identifier: ISC */
/*
 * run.h - one run of a tool: the structs that keep/ (states), tell/ (output) and run/ (the driver)
 * share.
 */
#ifndef DP_STORE_RUN_H
#define DP_STORE_RUN_H

#include "base/out.h"
#include "budget.h"
#include "job/options.h"
#include "sketch/local.h"

struct dp_changes;
struct dp_event;
struct dp_events;
struct dp_file;
struct dp_names;
struct dp_partial;
struct dp_reader;
struct dp_roll;
struct dp_signing;
struct dp_state;
struct dp_touched;
struct dp_users;
struct dp_which;
struct dp_widths;

struct dp_interval {
	dp_wide est, lo, hi;
	bool none;			/* est holds a place (counter/mech.h, first) */
	bool below;			/* it is not to be printed: --suppress */
};

/* Records in. */
struct dp_input {
	struct dp_events *events;
	struct dp_reader *reader;
	struct dp_partial *partial;	/* --partial: lines are a shard's exact sums; else NULL */
	bool yearless;			/* the clock says the year of a time without one */
	bool no_stdin;			/* standard input was closed at the start */
	struct dp_file *file;		/* operands (run/internal.h) */
	int at;				/* the one that is being read */
	bool looked;			/* the first operand's beginning was read (run/driver.c) */
	int ahead;			/* dp_run_header()'s result */
};

/* Events already admitted of each user, or times at which identifiers were seen (cap.c). */
struct dp_allowance {
	struct dp_users *users;
	uint8_t key[16];
	uint64_t most;			/* events admitted of one user; 0: there is no table */
	struct dp_term beyond;		/* --dropped: what one of those that -c leaves out adds */
	struct dp_users **row;		/* a table for each open bucket; NULL: no event came */
	struct dp_users **fold;		/* --each-user: tables of folds (fold.c); or NULL */
	struct dp_users *reading;	/* --counter: the last of each user (and key), or NULL */
	struct dp_changes *changes;	/* cap.c: the table beside the state */
	bool tabled;			/* the table holds identifiers' last times; */
	struct dp_users *range;		/* then that of a range's users and buckets; or NULL */
};

/* A step's values, and the mechanism's memory. */
struct dp_columns {
	struct dp_rng *rng;
	size_t width;			/* numbers of a step */
	size_t n;			/* columns of the mechanism: one, or one for each key */
	char *p;			/* n blocks of plan.mech->column bytes */
	int64_t *x;			/* this step's values, width of them */
	dp_wide *several;		/* DP_SEVERAL of each column; NULL: one step at a time */
	uint8_t id_key[16];		/* DP_SHAPE_ID: the hash's key */
};

/* Lines out (tell/). */
struct dp_printing {
	struct dp_out *out;
	unsigned outputs;		/* estimates of a column */
	size_t nest;			/* estimates of a step, column by column */
	unsigned decimals;		/* decimals of the mechanism that are printed */
	unsigned places;		/* decimals printed */
	int64_t coarse;			/* the last decimal printed, in units of the estimate */
	dp_wide unit;			/* units of the estimate in a grid unit */
	dp_wide *est, *last;		/* this step's estimates; those last printed (--monotone) */
	struct {			/* what is printed: est, or differences of its columns */
		size_t columns;
		dp_wide *est;
		dp_wide step;		/* what is printed is a multiple of it, in units of est */
		dp_wide round;		/* --round, in last decimals printed; else 1 */
		dp_wide *fit;		/* --margins: as printed, but for --suppress; else NULL */
		dp_wide *half;		/* and half-widths of the totals' intervals */
		dp_wide *room;
		const void **col;	/* of a total whose figures are computed of its columns */
		struct dp_widths **widths;	/* of sums of n keys; NULL: no intervals */
	} told;
	struct dp_interval *shown;	/* estimates as printed, with their intervals */
	struct {			/* -o json */
		struct dp_buf names;	/* of the estimates, as written */
		size_t *member;		/* where each name begins; NULL: not yet made */
	} json;
	bool stepped;			/* a step was taken in this run: est is set */
	bool headed;			/* the header line is out */
	bool bare;			/* a line is one whole number */
	bool raw;			/* estimates are printed without rounding */
	struct dp_bounds {		/* --bound; else NULL */
		struct dp_widths *widths;
		dp_wide *half;		/* half-width of each output's interval at this step */
		struct dp_widths *sure;	/* --top: of all keys' intervals together */
		struct dp_widths *all, *one;	/* --top=K+: of all keys' sum, of each of them */
		dp_wide *ends;		/* ends of each interval, if the mechanism finds them; */
		dp_wide *told;		/* and of what is printed: ends, or of differences */
	} bound;
	size_t *order;			/* --top: keys, the largest estimate first */
#define DP_FAMILIES	4
	struct {			/* -o prometheus: samples of the last step */
		struct dp_buf family[DP_FAMILIES];	/* estimates, lo, hi, a flag */
		uint64_t t;
		int64_t begin;		/* the start of its bucket */
		bool told;		/* there is one */
	} samples;
	struct {			/* dpmap */
		uint64_t rows;		/* printed */
		void *block;		/* checksum of the block being printed */
		uint64_t *lines;	/* symbols: of each column, and of none; else NULL */
	} map;
};

/* Buckets that are open. */
struct dp_ring {
	bool open;			/* the first bucket has begun: `next` is set */
	int64_t next;			/* start of the oldest open bucket */
	bool before_open;		/* --from/--to: `open` as this run found it, */
	int64_t before;			/* and `next` */
	bool advanced;			/* --public-times: a bucket closed in this run */
	bool far;			/* --public-times: it was said that a time is too far */
	size_t n;			/* buckets in the ring */
	int64_t *sums;			/* n rows of col.width, oldest first; DP_SHAPE_ID: firsts */
	struct dp_touched *touched;	/* holds the sums instead of `sums`; NULL: `sums` does */
	struct dp_pending {
		size_t row, nth;
		struct dp_id id;
	} *pending;			/* DP_SHAPE_ID, --from/--to: identifiers of open rows */
	bool firsts;			/* sums of identifiers that a row is the first to have */
	size_t npending, seen;		/* identifiers pending, and those that reached their step */
	size_t gap;			/* --from/--to: steps of empty buckets before the rows */
	size_t closed;			/* steps closed, the gap's included */
	/*
	 * What a sum has beyond its word, in units of 2^61 (dp_options_carries()): of an open row,
	 * or of the step t that it became; t 0: open.
	 */
	struct dp_carry {
		size_t row, place;
		uint64_t t;
		int64_t n;
	} *carry;
	size_t carries;
	int64_t *border;		/* --from/--to: starts of rows of unequal length; or NULL */
};

/* --live (run/clock.c), in ms. */
struct dp_clock {
	int64_t offset;			/* wall clock minus time since boot, as believed */
	int64_t other, since;		/* a differing offset, and when it was first seen */
	int64_t slot, now;		/* the last look: start of its slot; its answer */
	bool looked, seen, doubt, warned;
};

/* The state file and its commits. */
struct dp_kept {
	struct dp_state *state;
	struct dp_buf body;
	int64_t committed;		/* the last commit, ms of the monotonic clock */
	bool changed;			/* --change: the next commit must keep other options */
	bool reprint;			/* --change: the header line has other columns */
	uint64_t since;			/* steps before this batch, or before --from */
	uint64_t skip;			/* records of this batch that an earlier run counted */
	uint64_t records;		/* records of this batch consumed */
	bool nothing;			/* --next: no bucket is over */
	uint64_t over;			/* --next: so many are, more than steps are left; else 0 */
	bool done, ending;
	void *hash;			/* crypto_generichash_state of the records consumed */
	uint8_t want_hash[32];
	struct dp_receipt receipt;	/* --budget: this run's charge; n = 0: none */
#define DP_MOVES_TEXT	80
	char moves[DP_MOVES_TEXT];	/* of the state's job (session.h) */
	/* A translated head lacks the line: times, --where, may have been read otherwise. */
	bool old_times, old_where;
	bool no_sigpipe;		/* SIGPIPE was ignored at the start */
};

struct dp_run {
	const struct dp_options *o;
	const struct dp_tool *tool;
	struct dp_mech_rule setting;
	struct dp_plan plan;
	struct dp_numbers numbers;	/* with a state file: the numbers of the plan */
	struct dp_input in;
	struct dp_allowance cap;
	struct dp_columns col;
	struct dp_printing print;
	struct dp_ring ring;
	struct dp_clock clock;
	struct dp_kept kept;
	struct dp_signing *signing;	/* --receipt (run/receipt.c); else NULL */
	struct dp_totals *totals;	/* counts of lines that are answers; else NULL */
	struct dp_roll *roll;		/* DP_SHAPE_NAME: names and their columns; else NULL */
	uint64_t t;			/* steps taken */
	struct {			/* estimates that come from the mechanism's answer() */
		bool asks;
		bool out;		/* that of step t + 1 (_END: the only one) is */
	} answer;
	bool halted;			/* the mechanism has ended */
	bool stray;			/* a line was no answer (--estimate) */
	struct {
		bool begun;
		int64_t first;		/* the bucket that steps are counted from, of K/B */
		struct dp_sample *sample;
		struct dp_which *which;	/* --log=auto; else NULL */
	} check;			/* --check */
};

/* Says an error that has no place in the input; exits with its status. */
_Noreturn void dp_run_fail(const struct dp_run *, int e);

/* cap.c: user-level privacy, at most K events of one user */
int	dp_cap_begin(struct dp_run *) DP_MUSTUSE;	/* the ring of buckets is set */
/*
 * Keeps the user's fingerprint in an event that is admitted later, when its text is gone.  K/step
 * needs the text.
 */
void	dp_cap_expect(const struct dp_run *, struct dp_event *);
/*
 * An event of the row-th open bucket, which is step r->t + row + 1 (of a range: after ring.gap
 * more), or of the line at that step.  Beyond the cap its value becomes 0, and its member `none'
 * says why; --dropped: of the next D its term becomes that of an event left out, and `none' says
 * why.
 */
int	dp_cap_admit(struct dp_run *, size_t row, struct dp_event *) DP_MUSTUSE;
void	dp_cap_close(struct dp_run *);			/* the oldest bucket closes */
/* An event's identifier, with its key's column. */
void	dp_cap_id(const struct dp_run *, const struct dp_event *, struct dp_id *);
/* Number of tables that a state file keeps, and the i-th; *table is NULL while empty. */
void	dp_cap_free(struct dp_run *);

/*
 * fold.c: --each-user, a user's events of a step folded into one number.
 *
 * A caller with an event of the row-th open bucket takes it in, and moves the bucket's sums as the
 * answer says: `before' leaves if it was there, and `now' enters.
 */
struct dp_folded {
	bool counts;		/* false: the event has no part, and its member `none' why */
	bool was;			/* its user had a number there: before */
	int64_t before, now;		/* grid units, within the range */
	bool cut;			/* the range has clamped it */
};
/* Finds the fold of an event that is taken in later, when its text is gone. */
void	dp_fold_expect(const struct dp_run *, size_t row, struct dp_event *);
int	dp_fold_take(struct dp_run *, size_t row, struct dp_event *, struct dp_folded *) DP_MUSTUSE;

/* What a sum has beyond its word (run/step.c). */
#define DP_CARRY	((dp_wide)1 << 61)
/* That of an open row; NULL: out of memory. */
struct dp_carry *dp_carry_of(struct dp_run *, size_t row, size_t place);
/* Adds to a sum of an open row, exactly; DP_ENOMEM. */
int	dp_carry_move(struct dp_run *, size_t row, size_t place, int64_t *sum, dp_wide by)
	    DP_MUSTUSE;

/* How many events each name has in an open bucket, by its place in a table. */

/* A name with more events than a cell counts has several. */
struct dp_count_cells {
	struct dp_count_cell {
		uint32_t name;		/* place + 1; 0: none */
		uint32_t events;
	} *cell;			/* NULL: no event has come to it */
	size_t n, mask;			/* mask + 1 cells, at most three quarters full */
};
/* All cells, from *i = 0 on; false at the end. */
bool	dp_cells_each(const struct dp_count_cells *, size_t *i, size_t *place, uint32_t *events);

/*
 * Names that nobody declared: what of them is in the open buckets, and each one's column
 * of the mechanism.
 *
 * SAMPLE AND HOLD (job/options.h, keys.hold = n > 1).  A name that is not declared is held from one
 * of
 * its events on, each of them with probability 1 / n; of columns that end with their step, in each
 * bucket anew.  Events before that one are gone, (n - 1) of them on average, which are added to
 * what is told of, and take no memory.
 *
 * Names are in order of first sight, declared ones first, and so are their draws.  A column begins
 * in the step of its name's first event (counter/mech.h, late), whenever that is read.
 */

struct dp_roll {
	struct dp_names *names;		/* a block is a column; marked: it has begun */
	size_t declared;		/* the first so many */
	struct dp_count_cells *row;		/* of each open bucket, as the ring has them; */
	size_t rows;			/* so many */
	struct dp_count_cells now;		/* of the step that is next, or at hand */
	struct dp_hashes *hashes;	/* keyed ones in place of names: of rows, then of now */
	/* what the last step tells of, in the order in which it is printed */
	struct dp_told {
		size_t name;
		dp_wide est;
	} *told;
	size_t n, room;
};

/* Once the open buckets are known; key: of the hash. */
int	dp_roll_new(struct dp_run *, const uint8_t key[16]) DP_MUSTUSE;
/* Events of the row-th open bucket. */
int	dp_roll_add(struct dp_run *, size_t row, struct dp_slice name, uint64_t events) DP_MUSTUSE;
/* The same of a hash, where a roll is of hashes; and its fetching from memory beforehand. */
int	dp_roll_add_hash(struct dp_run *, size_t row, const uint64_t word[2]) DP_MUSTUSE;
void	dp_roll_expect(const struct dp_run *, size_t row, const uint64_t word[2]);
/*
 * Before a bucket closes: names whose columns have not begun are sorted, by the open bucket that
 * they come in first and then by their bytes, so that what a seed draws for them does not depend on
 * the order of lines.
 */
int	dp_roll_sort(struct dp_run *) DP_MUSTUSE;
/* The row's events are the next step's; the row is empty then. */
void	dp_roll_take(struct dp_run *, size_t row);
/* Rows move up by one, as the oldest has closed. */
void	dp_roll_shift(struct dp_run *);
/* Step r->t: r->roll->told is what it tells of. */
int	dp_roll_step(struct dp_run *) DP_MUSTUSE;
/*
 * After that, and once it is printed: names whose columns may be given up (counter/mech.h, brief
 * and gone)
 * go, but those with an event in an open bucket; of a range nothing goes before its end.
 */
void	dp_roll_forget(struct dp_run *);
/*
 * A name as it is printed: controls, and bytes outside UTF-8, as \xHH, and \ as \\, so that
 * distinct names look distinct.  DP_ROLL_TEXT bytes hold any.
 */
#define DP_ROLL_TEXT	(4 * DP_KEY_MAX + 1)
void	dp_roll_text(const struct dp_roll *, size_t name, char text[static DP_ROLL_TEXT]);
/* Bytes that a name takes, its own apart, for a column of so many. */
size_t	dp_roll_bytes(size_t column);
void	dp_roll_free(struct dp_roll *);		/* wipes; NULL is fine */

#endif
