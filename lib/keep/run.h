/*
 * run.h - one run of a tool: all that its parts share.  Rooms below the roads read it: what of it a
 * state keeps (keep/), what is told of it (tell/).
 */
#ifndef DP_RUN_H
#define DP_RUN_H

#include "event/event.h"
#include "event/partial.h"
#include "local/local.h"
#include "mech/width.h"
#include "state/budget.h"
#include "stream/out.h"

struct dp_interval {
	dp_wide est, lo, hi;
	bool none;			/* est holds a place (mech.h, first) */
};

/* Records in. */
struct dp_input {
	struct dp_events *events;
	struct dp_reader *reader;
	struct dp_partial *partial;	/* --partial: lines are a shard's exact sums; else NULL */
	bool no_stdin;			/* it was closed when we started */
	/* run/beforehand.c: the beginning of the first operand has been read */
	bool looked;
	int ahead, ahead_fd;		/* as dp_run_header() says; its descriptor */
};

/* Users, of whom so many events are let through, or when identifiers were seen (cap.c). */
struct dp_allowance {
	struct dp_users *users;
	uint8_t key[16];
	uint64_t most;			/* so many events of one are let through; 0: no table */
	struct dp_users **row;		/* of each open bucket; NULL where nobody came */
	struct dp_changes *changes;	/* session_users.c: once the table is beside the state */
	bool tabled;			/* the table is of identifiers: when they were seen last */
};

/* A step's values, and the mechanism's memory. */
struct dp_columns {
	struct dp_rng *rng;
	size_t width;			/* numbers a step: a declared key's, or a column's, each */
	size_t n;			/* the mechanism's: one for each key, or one for all */
	char *p;			/* n blocks of plan.mech->column bytes */
	int64_t *x;			/* this step's values, width of them */
	dp_wide *several;		/* DP_SEVERAL of each column; NULL: one step at a time */
	uint8_t id_key[16];		/* DP_SHAPE_ID: of the hash */
};

/* Lines out (tell/). */
struct dp_printing {
	struct dp_out *out;
	unsigned outputs;		/* estimates a column */
	size_t nest;			/* in all: column by column */
	unsigned decimals;		/* of the mechanism's, those that are printed */
	unsigned places;		/* decimals printed */
	int64_t coarse;			/* the last decimal printed, in units of the estimate */
	dp_wide unit;			/* estimates a grid unit */
	dp_wide *est, *last;		/* estimates; what was printed last (--monotone) */
	struct dp_interval *shown;	/* as printed */
	struct dp_buf names;		/* json: the estimates', as they are written; */
	size_t *member;			/* where each begins; NULL: not yet made */
	bool headed;			/* the header line is out */
	bool bare;			/* a line is one whole number */
	bool raw;			/* estimates are numbers, printed as they are */
	struct dp_widths *widths;	/* --bound; else NULL */
	dp_wide *half;			/* half-width of each output's interval at this step */
	dp_wide *ends;			/* or both ends of each, which its mechanism finds */
	uint64_t rows;			/* dpmap: printed */
	void *block;			/* dpmap: the checksum of what is printed */
};

/* Buckets that are open. */
struct dp_ring {
	bool open;			/* begun: `next` is set */
	int64_t next;			/* start of the oldest open bucket */
	bool before_open;		/* --from/--to: both before this run */
	int64_t before;
	size_t n;			/* buckets in the ring */
	int64_t *sums;			/* n rows of col.width, oldest first; DP_SHAPE_ID: firsts */
	struct dp_touched *touched;	/* they are here as yet; NULL: in the array */
	struct dp_pending {
		size_t row, nth;
		struct dp_id id;
	} *pending;			/* DP_SHAPE_ID, --from/--to: identifiers of open rows, */
	bool firsts;			/* or only how many each row is the first to have */
	size_t npending, seen;		/* how many there are, and went into their step */
	size_t gap;			/* --from/--to: steps before its rows, of empty buckets; */
	size_t closed;			/* steps closed, these among them */
	int64_t *border;		/* --from/--to: where rows begin, unless all are as wide */
};

/* --live (run/clock.c), in ms. */
struct dp_clock {
	int64_t offset;			/* of the wall clock from the time since boot, believed */
	int64_t other, since;		/* another, and when it was seen first */
	int64_t slot, now;		/* of the last look: when its slot began; its answer */
	bool looked, seen, doubt, warned;
};

/* The state file, and what is committed to it. */
struct dp_kept {
	struct dp_state *state;
	struct dp_buf body;
	int64_t committed;		/* when, in ms of the monotonic clock */
	bool changed;			/* --change: the next commit is to keep other options, */
	bool reprint;			/* and the header line has other columns */
	uint64_t since;			/* steps before this batch; before --from */
	uint64_t skip;			/* records of this batch that are counted already */
	uint64_t records;		/* records of this batch consumed */
	bool hashing, done, ending;
	void *hash;			/* crypto_generichash_state of the records consumed */
	uint8_t want_hash[32];
	struct dp_receipt receipt;	/* --budget: of this run's charge; n = 0: none */
	bool no_sigpipe;		/* it was ignored when we started */
};

struct dp_run {
	struct dp_options *o;
	const struct dp_tool *tool;
	struct dp_mech_rule setting;
	struct dp_plan plan;
	struct dp_params params;	/* with a state file: the numbers of the plan */
	struct dp_input in;
	struct dp_allowance cap;
	struct dp_columns col;
	struct dp_printing print;
	struct dp_ring ring;
	struct dp_clock clock;
	struct dp_kept kept;
	struct dp_totals *totals;	/* lines are answers; NULL: they are steps */
	struct dp_roll *roll;		/* DP_SHAPE_NAME: names and their columns; else NULL */
	uint64_t t;			/* steps taken */
	bool asks;			/* estimates come from the mechanism's answer() */
	bool answered;			/* the answer is out: step t + 1's; _END: the only one */
	bool halted;			/* the mechanism has ended */
	bool stepped;			/* a step was taken in this run: print.est is set */
	bool stray;			/* a line was no answer (--estimate) */
};

/*
 * A sum within what mechanisms take: it is clamped after each event.  That is a contraction: it
 * cannot widen the gap between neighbours, so that only the answer suffers.  --explain says so
 * where it could come to that.
 */
static inline int64_t
dp_run_sum(dp_wide s)
{
	const dp_wide most = (dp_wide)1 << 61;

	return (int64_t)(s > most ? most : s < -most ? -most : s);
}

/* An error without a place: a message, and the status that it has. */
_Noreturn void dp_run_fail(const struct dp_run *, int e);

/* cap.c: user-level privacy, at most K events of one user */
int	dp_cap_begin(struct dp_run *) DP_MUSTUSE;	/* the buckets that stay open are known */
/* The event is to be admitted after some others: its text is not needed then, but for K/step. */
void	dp_cap_expect(const struct dp_run *, struct dp_event *);
/* An event of the row-th open bucket (a line: 0): beyond the cap its value becomes 0. */
int	dp_cap_admit(struct dp_run *, size_t row, struct dp_event *) DP_MUSTUSE;
void	dp_cap_close(struct dp_run *);			/* the oldest bucket closes */
/* The tables that a state file keeps; *table may be NULL: empty. */
size_t	dp_cap_tables(const struct dp_run *);
struct dp_users **dp_cap_table(struct dp_run *, size_t i);
void	dp_cap_free(struct dp_run *);

#endif
