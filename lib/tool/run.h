/*
 * run.h - one run of a tool, which the parts of the driver share: records in, one step at a time
 * through a mechanism, lines out, state committed before they leave.
 */
#ifndef DP_RUN_H
#define DP_RUN_H

#include <signal.h>

#include "event.h"
#include "touched.h"
#include "mech/local.h"
#include "mech/width.h"
#include "stream/out.h"
#include "state/budget.h"
#include "stream/users.h"

struct dp_interval {
	dp_wide est, lo, hi;
	bool none;			/* est holds a place (mech.h, first) */
};

/* One run. The parts below driver.c (print.c, bucket.c, session.c) share it. */
struct dp_run {
	struct dp_options *o;
	const struct dp_tool *tool;
	struct dp_setting setting;
	struct dp_plan plan;
	struct dp_params params;	/* with a state file: the numbers of the plan */
	struct dp_rng *rng;
	struct dp_out *out;
	struct dp_events *events;
	struct dp_reader *reader;
	struct dp_partial *partial;	/* --partial: lines are a shard's exact sums; else NULL */
	uint64_t rows;			/* dpmap: printed */
	void *block;			/* dpmap: the checksum of what is printed */
	struct dp_users *users;
	uint8_t users_key[16];
	uint64_t users_cap;		/* so many events of one are let through; 0: no table */
	struct dp_users **row_users;	/* cap.c: of each open bucket; NULL where nobody came */
	struct dp_changes *changes;	/* session_users.c: once the table is beside the state */
	bool tabled;			/* the table is of identifiers: when they were seen last */
	bool no_stdin;			/* it was closed when we started */
	bool no_sigpipe;		/* it was ignored when we started */
	/* beforehand.c: the beginning of the first operand has been read */
	bool looked;
	int ahead, ahead_fd;		/* as dp_run_header() says; its descriptor */
	/* columns */
	size_t width;			/* numbers a step: a declared key's, or a column's, each */
	size_t ncol;			/* the mechanism's: one for each key, or one for all */
	char *columns;			/* ncol blocks of plan.mech->column bytes */
	int64_t *x;			/* this step's values, width of them */
	uint8_t id_key[16];		/* DP_SHAPE_ID: of the hash */
	unsigned outputs;		/* estimates a column */
	size_t nest;			/* in all: column by column */
	unsigned decimals;		/* of the mechanism's, those that are printed */
	unsigned places;		/* decimals printed */
	int64_t coarse;			/* the last decimal printed, in units of the estimate */
	dp_wide unit;			/* estimates a grid unit */
	dp_wide *several;		/* DP_SEVERAL of each column; NULL: one step at a time */
	dp_wide *est, *last;		/* estimates; what was printed last (--monotone) */
	struct dp_interval *shown;	/* as printed */
	struct dp_buf names;		/* json: the estimates', as they are written; */
	size_t *member;			/* where each begins; NULL: not yet made */
	uint64_t t;			/* steps taken */
	bool headed;			/* the header line is out */
	bool bare;			/* a line is one whole number */
	bool raw;			/* estimates are numbers, printed as they are */
	bool asks;			/* estimates come from the mechanism's answer() */
	bool answered;			/* the answer is out: step t + 1's; _END: the only one */
	bool halted;			/* the mechanism has ended */
	bool stepped;			/* a step was taken in this run: r->est is set */
	/* bounds */
	struct dp_widths *widths;	/* --bound; else NULL */
	dp_wide *half;			/* half-width of each output's interval at this step */
	/* buckets */
	bool open;			/* begun: `next` is set */
	int64_t next;			/* start of the oldest open bucket */
	bool before_open;		/* --from/--to: both before this run */
	int64_t before;
	struct dp_clock {		/* --live, clock.c: in ms */
		int64_t offset;		/* of the wall clock from the time since boot, believed */
		int64_t other, since;	/* another, and when it was seen first */
		int64_t slot, now;	/* of the last look: when its slot began; its answer */
		bool looked, seen, doubt, warned;
	} clock;
	size_t nopen;			/* buckets in the ring */
	int64_t *sums;			/* nopen rows of width, oldest first; DP_SHAPE_ID: firsts */
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
	struct dp_totals *totals;	/* lines are answers; NULL: they are steps */
	bool stray;			/* one of them was no answer */
	struct dp_receipt receipt;	/* --budget: of this run's charge; n = 0: none */
	/* state */
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
};

/* explain.c: prints to stdout, reads no data. */
int	dp_explain(const struct dp_tool *, const struct dp_options *,
	    const struct dp_setting *, const struct dp_plan *);

/* within.c: --within; sets the epsilon */
void	dp_within(struct dp_run *);

/* print.c */
int	dp_print_header(struct dp_run *) DP_MUSTUSE;
/* Prints step t, whose estimates are r->est; begin: the bucket's start. */
int	dp_print_step(struct dp_run *, uint64_t t, int64_t begin) DP_MUSTUSE;

/* A name at p, in quotes if the format asks for them; twice its bytes must fit, and 2 (JSON: 6). */
char	*dp_print_text(char *p, const char *, enum dp_format);

/* totals.c: --estimate, lines are a randomiser's answers. */
int	dp_total_begin(struct dp_run *) DP_MUSTUSE;
/* Adds a line, or says in v->why that it is no answer.  DP_EHORIZON. */
int	dp_total_add(struct dp_run *, struct dp_event *) DP_MUSTUSE;
int	dp_total_end(struct dp_run *) DP_MUSTUSE;	/* a line for each symbol */

/* An estimate, rounded to what is printed. */
dp_wide	dp_print_nearest(dp_wide v, int64_t coarse);
/* A buffer of whole lines, to the output; it is empty then. */
int	dp_print_lines(struct dp_run *, struct dp_buf *) DP_MUSTUSE;

/* check.c */
/* --check: refuses what does not go with it. */
void	dp_check_options(struct dp_options *);
/* All operands, a line for each record; returns the exit status. */
int	dp_check(struct dp_run *);
/* A text for a terminal: what would move its cursor is ?, and 100 bytes are enough. */
void	dp_put_shown(struct dp_buf *, struct dp_slice);
int	dp_check_record(struct dp_run *, const struct dp_record *, const char *file,
	    struct dp_event *) DP_MUSTUSE;

/*
 * reading.c: one line on standard error each: how lines are read; that a range is used which nobody
 * gave.  Of options alone.
 */
void	dp_reading_say(const struct dp_options *, const struct dp_tool *);
void	dp_reading_warn(const struct dp_options *, const struct dp_tool *);

/* driver.c */
_Noreturn void dp_run_fail(const struct dp_run *, int e);
/* header.c: refuses a header, of the first file or not, without a field that an option names */
_Noreturn void dp_header_fail(const char *file, bool first, const struct dp_record *,
	    const char *missing);

/* make.c: from its plan on, all that a run holds; exits if something cannot be had. */
void	dp_run_make(struct dp_run *);
void	dp_run_start(struct dp_run *);		/* draws what columns begin with */
void	dp_run_free(struct dp_run *);

/* process.c */
/*
 * Before any file is opened: a closed descriptor 0-2 would be given to the first one, and of a lock
 * or a witness made without rights for its owner no later run could have them.  Whether there is a
 * standard input.
 */
bool	dp_process_files(void);
/*
 * All functions of the libraries looked up at once: runs the program again, with that in its
 * environment, unless this is that run.  To be called before anything is read or opened.
 */
void	dp_process_bind(char **argv);
/* Memory that an intruder could reach in other ways: no core file, no ptrace. */
void	dp_process_harden(void);
/*
 * Keeps memory out of swap, where exact counts would outlive the run: every page as soon as it is
 * touched.  To be called once all is allocated, before noise is drawn or a line read.  Unless
 * quiet, warns where it cannot be.
 */
void	dp_process_lock(bool quiet);

/* run.c: all operands; DP_EHORIZON when the horizon is spent. */
int	dp_run_files(struct dp_run *) DP_MUSTUSE;
void	dp_run_check_files(const struct dp_run *);
/* The i-th operand, opened; returns its name for messages. */
const char *dp_run_open(const struct dp_run *, int i, int *fd);
/*
 * A header of what the reader is attached to, the i-th operand: DP_READ_RECORD; 0: there is none;
 * DP_E*.
 */
int	dp_run_header(struct dp_run *, int i, const char *file) DP_MUSTUSE;
/* Of an error of the reader, DP_EIO with errno: a message, and the status that it has. */
_Noreturn void dp_run_unreadable(struct dp_run *, int e, const char *name);
/* beforehand.c: if the run is to be charged, what its operands are refused for. */
void	dp_run_beforehand(struct dp_run *);
/* What --strict does not take: prints what is out, then the place; never what stands there. */
_Noreturn void dp_run_refuse(struct dp_run *, const char *file, uint64_t line,
	    const struct dp_event *);
/*
 * values.c: whether steps can be taken many at a time: a line is a step of one number, in one of
 * the columns, and of what is kept in memory or in a state nobody sees a part.  All of an operand
 * then.
 */
bool	dp_values_many(const struct dp_run *);
int	dp_values_run(struct dp_run *, const char *file) DP_MUSTUSE;
/* values_columns.c: n steps, each with a value in one column; DP_EHORIZON */
#define DP_SEVERAL	((size_t)16)
struct dp_values {
	const int64_t *x;
	const size_t *column;
};
int	dp_values_columns(struct dp_run *, struct dp_values, size_t n) DP_MUSTUSE;
/*
 * step.c: one step with values r->x, printed if it is due; DP_EHORIZON before anything is
 * drawn, DP_EHALT.  begin: the bucket's start.
 */
int	dp_step(struct dp_run *, int64_t begin) DP_MUSTUSE;
/* A line's event, as the value of a step of its own. */
int	dp_step_event(struct dp_run *, const struct dp_event *) DP_MUSTUSE;
/* An identifier of the open step, to the sketch. */
int	dp_step_see(struct dp_run *, const struct dp_id *) DP_MUSTUSE;
/*
 * Before the first line: DP_PRINT_BEFORE's first answer, once.  At the end of input: DP_PRINT_END's
 * answer, or the first one if that is still to come.
 */
int	dp_step_begin(struct dp_run *) DP_MUSTUSE;
int	dp_step_end(struct dp_run *) DP_MUSTUSE;
/* Whether every step's estimate is printed as step() writes it: many steps at a time will do. */
bool	dp_step_plain(const struct dp_run *);
/* Whether there is one estimate, when the input ends. */
bool	dp_step_last(const struct dp_run *);
/* The current wall clock, in seconds. */
int64_t	dp_run_now(void);

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
/* Open buckets of a run that the options fix. */
size_t	dp_bucket_rows(const struct dp_options *);
/* The open buckets, all of their memory; before a state file is read or made, and anything paid. */
int	dp_bucket_prepare(struct dp_run *) DP_MUSTUSE;
void	dp_bucket_begin(struct dp_run *);		/* which they are */
/* --gap, or 100 buckets, or 31 days of them if that is more. */
uint64_t dp_bucket_gap(const struct dp_options *);

/* bucket.c */
/*
 * --public-times: close what the event's time closes.  If that were more empty buckets than
 * dp_bucket_gap(), none; and the event counts nowhere.
 */
int	dp_bucket_reach(struct dp_run *, struct dp_event *) DP_MUSTUSE;
int64_t	dp_bucket_sum(dp_wide);		/* clamped to what mechanisms take */
/* A user's event beyond the cap counts nowhere. */
int	dp_bucket_add(struct dp_run *, struct dp_event *) DP_MUSTUSE;
/* --live: close what the clock has closed. */
int	dp_bucket_tick(struct dp_run *) DP_MUSTUSE;
int	dp_bucket_wait(struct dp_run *);		/* ms until that is to be asked again */
int	dp_bucket_end(struct dp_run *) DP_MUSTUSE;	/* end of input */

/* memory.c */
/*
 * Whether the columns and open buckets can be had; if not, says how much they need, and exits:
 * DP_EX_USAGE, or DP_EX_SYSTEM where the machine could have it, but has not so much left.
 */
void	dp_memory_check(const struct dp_run *);
/* memory_left.c: bytes that can still be touched; UINT64_MAX: that is not known. */
uint64_t dp_memory_left(void);
/* Gives back what planning had, of the heap and of the stack: both stay resident else. */
void	dp_memory_trim(void);

/* cap.c: user-level privacy, at most K events of one user */
int	dp_cap_begin(struct dp_run *) DP_MUSTUSE;	/* the buckets that stay open are known */
/* The event is to be admitted after some others: from here on its text is not needed for that. */
void	dp_cap_expect(const struct dp_run *, struct dp_event *);
/* An event of the row-th open bucket (a line: 0): beyond the cap its value becomes 0. */
int	dp_cap_admit(struct dp_run *, size_t row, struct dp_event *) DP_MUSTUSE;
void	dp_cap_close(struct dp_run *);			/* the oldest bucket closes */
/* The tables that a state file keeps; *table may be NULL: empty. */
size_t	dp_cap_tables(const struct dp_run *);
struct dp_users **dp_cap_table(struct dp_run *, size_t i);
void	dp_cap_free(struct dp_run *);

/* session_commit.c: --init: all that may refuse the state, whose lock is held from here on. */
void	dp_session_claim(struct dp_run *);
/* session.c */
void	dp_session_open(struct dp_run *);		/* completes options from the state file */
/* Exits unless the sensitivity is the state file's. */
void	dp_session_moves(const struct dp_run *);
int	dp_session_begin(struct dp_run *);		/* redo, batch; 1: nothing more to do */
int	dp_session_sink(void *, const char *, size_t) DP_MUSTUSE;
int	dp_session_stage(void *, const char *, size_t) DP_MUSTUSE;	/* of a long commit */
bool	dp_session_wait(void *);	/* output may wait: the last commit is no second old */
int	dp_session_end(struct dp_run *) DP_MUSTUSE;
int	dp_session_show(struct dp_options *, const struct dp_tool *);
int	dp_session_move(const struct dp_options *, const struct dp_tool *);
/*
 * session_users.c: the table is, or is from the next commit on, beside the state and as it is now;
 * false: it is to stand in the body.
 */
bool	dp_session_users_beside(struct dp_run *) DP_MUSTUSE;
/* The table from there, r->users is empty; false: these are not so many. */
bool	dp_session_users_load(struct dp_run *, uint64_t count) DP_MUSTUSE;
void	dp_session_users_free(struct dp_run *);
/* false: the record was counted by an earlier run of this batch */
bool	dp_session_wants(struct dp_run *, const struct dp_record *);
/* The record's effect is in the columns or sums: what is committed from here on holds it. */
void	dp_session_count(struct dp_run *, const struct dp_record *);
_Noreturn void dp_session_fail(const struct dp_run *, int e, const char *why);
struct dp_state_rule dp_session_rule(const struct dp_options *);
int	dp_session_catch(struct dp_run *) DP_MUSTUSE;	/* signals */
void	dp_session_die_of(int signal);	/* as if it had never been caught */
extern volatile sig_atomic_t dp_session_signal;	/* SIGTERM, SIGINT or SIGHUP came */
void	dp_session_head(const struct dp_run *, struct dp_buf *);
void	dp_session_put(struct dp_buf *, const char *key, uint64_t);

#endif
