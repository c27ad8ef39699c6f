/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/run: what its files alone share. */
#ifndef DP_RUN_INTERNAL_H
#define DP_RUN_INTERNAL_H

#include <sys/stat.h>
#include <sys/types.h>

#include "base/dp.h"

struct dp_buf;
struct dp_event;
struct dp_id;
struct dp_record;
struct dp_run;
struct dp_touched;
struct stat;

/*
 * --receipt: what a run released, under which guarantee, signed once it is out.
 *
 * The text (dputils-plan(5)) is of options, the plan and the bytes that this run wrote: nothing in
 * it is computed from the data but their hash and number.
 */

#define DP_RECEIPT		"dputils-receipt"
#define DP_RECEIPT_VERSION	"2"

/* Before the run is charged: the key, the plan, and that the file can be written.  Exits. */
void	dp_receipt_begin(struct dp_run *);
/* From here on, bytes that a state lets out count as released. */
void	dp_receipt_watch(struct dp_run *);
/* Adds n bytes that are out. */
void	dp_receipt_sent(void *run, const char *p, size_t n);
/* After the last byte: writes the file.  Exits where it cannot. */
void	dp_receipt_end(struct dp_run *);

/*
 * Sums of a range's keys and buckets, of cells that have an event, while they are few.
 *
 * A sum takes 32 bytes here; in an array it would touch a page, which is 512 sums.  Once a
 * sixteenth of the cells has events all pages are touched in any case, and an array takes over.
 */

#define DP_TOUCHED_LEAST	((uint64_t)1 << 20)	/* fewer cells are an array: 8 MiB */

/* Bytes beside the array: 0 of few cells, else a fourth of the array's. */
uint64_t dp_touched_bytes(uint64_t cells);
/* Allocates all memory; pages without a cell stay untouched. */
int	dp_touched_new(struct dp_touched **, size_t rows, size_t width) DP_MUSTUSE;
/* Sum of a cell, at first 0, valid until the next call; NULL: new, and there are too many. */
int64_t	*dp_touched_sum(struct dp_touched *, size_t row, size_t place);
/* Copies all sums to an array of zeros. */
void	dp_touched_spread(const struct dp_touched *, int64_t *sums);
/* Copies a row, `width' sums, to x.  From the first call on no other function may be called. */
void	dp_touched_row(struct dp_touched *, size_t row, int64_t *x);
void	dp_touched_free(struct dp_touched *);

/*
 * Steps that are buckets of time, and the clock that may close them.
 */

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

/* bucket.c */
/* Allocates all memory of open buckets, before a state is read or made and before any charge. */
int	dp_bucket_prepare(struct dp_run *) DP_MUSTUSE;
void	dp_bucket_begin(struct dp_run *);		/* sets which buckets are open */

/* step.c: what sums have beyond a word */
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
/* An event that is added later, when the text of its user is gone. */
void	dp_bucket_expect(const struct dp_run *, struct dp_event *);
/* --live: closes the buckets that the clock has ended. */
int	dp_bucket_tick(struct dp_run *) DP_MUSTUSE;
int	dp_bucket_wait(struct dp_run *);		/* ms until dp_bucket_tick() is due */
int	dp_bucket_end(struct dp_run *) DP_MUSTUSE;	/* end of input */

/*
 * Internal to this room: making a run, and the roads of its lines to the mechanism's
 * columns.
 */

/* step.c: --estimate, lines are a randomiser's answers. */
int	dp_total_begin(struct dp_run *) DP_MUSTUSE;
/* Adds a line; of a line that is no answer it sets v->why.  DP_EHORIZON. */
int	dp_total_add(struct dp_run *, struct dp_event *) DP_MUSTUSE;
int	dp_total_end(struct dp_run *) DP_MUSTUSE;	/* a line for each symbol */

/* check.c */
/* All operands, a line for each record; returns the exit status. */
int	dp_check(struct dp_run *);
int	dp_check_record(struct dp_run *, const struct dp_record *, const char *file,
	    struct dp_event *) DP_MUSTUSE;

/* sample.c: what will probably surprise, of all lines of a sample */
struct dp_sample;
int	dp_sample_new(struct dp_sample **, const struct dp_run *) DP_MUSTUSE;
/* A line; counts: as an event. */
void	dp_sample_see(struct dp_sample *, const struct dp_run *, const struct dp_record *,
	    const struct dp_event *, bool counts);
/* --each-user: what a user's events come to was clamped. */
void	dp_sample_folded(struct dp_sample *);
/* A line a kind, on standard error. */
void	dp_sample_say(const struct dp_sample *, const struct dp_run *);
void	dp_sample_free(struct dp_sample *);		/* NULL is fine */
/* True: an address with a port. */
bool	dp_sample_port(struct dp_slice);

/* files.c */
/*
 * A header of what the reader is attached to, the i-th operand: DP_READ_RECORD; 0: there is none;
 * DP_E*.  Exits on one that lacks a field of an option.
 */
/* True: the text has the form of the log, of those without a pattern (check.c). */
struct dp_log;
struct dp_buf;
bool	dp_check_is(const struct dp_log *, struct dp_slice text);
/* which.c: --check --log=auto.  Adds which log the line is of; in the end, how many are of each. */
struct dp_which;
int	dp_which_new(struct dp_which **) DP_MUSTUSE;
void	dp_which_see(struct dp_which *, const struct dp_record *, struct dp_buf *);
void	dp_which_say(const struct dp_which *);
void	dp_which_free(struct dp_which *);	/* NULL is fine */
int	dp_run_header(struct dp_run *, int i, const char *file) DP_MUSTUSE;
/* Exits if a record that is public begins a file that is no text, or UTF-16. */
void	dp_header_text(const char *file, const struct dp_record *);
/* The option that cuts a record of one field into several; NULL: none does. */
const char *dp_header_delimiter(const struct dp_record *);

/* driver.c: allocates the parts of a run whose plan is made; exits on an error. */
void	dp_run_make(struct dp_run *);
void	dp_run_free(struct dp_run *);

/* driver.c: all operands; DP_EHORIZON when the horizon is spent. */
int	dp_run_files(struct dp_run *) DP_MUSTUSE;
/* Exits on an error e of the reader, DP_EIO with errno, with a message. */
_Noreturn void dp_run_unreadable(struct dp_run *, int e, const char *name);
/* records.c: all records of an operand, to steps or sums; DP_E*, DP_EHORIZON. */
int	dp_road_run(struct dp_run *, const char *file) DP_MUSTUSE;
/* records.c: n steps, each with a value in one column; DP_EHORIZON */
#define DP_SEVERAL	((size_t)16)
struct dp_values {
	const int64_t *x;
	const size_t *column;
};
/*
 * step.c: one step with values r->col.x, printed if it is due; DP_EHORIZON before anything is
 * drawn, DP_EHALT.  begin: the bucket's start.
 */
int	dp_step(struct dp_run *, int64_t begin) DP_MUSTUSE;
/* A line's event, as the value of a step of its own. */
int	dp_step_event(struct dp_run *, const struct dp_event *) DP_MUSTUSE;
/* Lines of a shard, all one symbol, as steps of their own: v->value of them; DP_EHORIZON. */
int	dp_step_same(struct dp_run *, const struct dp_event *) DP_MUSTUSE;
/* An identifier of the open step, to the sketch. */
int	dp_step_see(struct dp_run *, const struct dp_id *) DP_MUSTUSE;
/*
 * Before the first line: DP_PRINT_BEFORE's first answer, once.  At the end of input: DP_PRINT_END's
 * answer, or the first one if that is still to come.
 */
int	dp_step_begin(struct dp_run *) DP_MUSTUSE;
int	dp_step_end(struct dp_run *) DP_MUSTUSE;
/* True: each estimate is printed as step() writes it, so that many steps may go at a time. */
bool	dp_step_plain(const struct dp_run *);
/* True: there is one estimate, when the input ends. */
bool	dp_step_last(const struct dp_run *);

/* memory.c */
/*
 * Exits if memory for columns and open buckets is out of reach, with a message on the amount:
 * DP_EX_USAGE; or DP_EX_SYSTEM, if the machine has so much, but less is free.
 */
void	dp_memory_check(const struct dp_run *);
/* Gives memory of planning back, heap and stack; else both stay resident. */
void	dp_memory_trim(void);

/* step.c, dpmap: writes the head of a block, a step's sums r->col.x, its end. */
int	dp_partial_begin(struct dp_run *) DP_MUSTUSE;
int	dp_partial_finish(struct dp_run *) DP_MUSTUSE;

/*
 * Operands: which files they are, and that what is read of them is what they held when
 * all of them were open.
 *
 * A log may be rotated at any time.  All regular files are opened before one is read; then names
 * must still lead to the files that are open, or all are opened anew.  From then on a rename loses
 * nothing and doubles nothing: what is open is read, up to the size that it had.  A file that is
 * cut or written over meanwhile (copytruncate) ends the run.  Pipes are opened in their turn.
 */

#define DP_FILE_MARK	32

struct dp_file {
	const char *name;		/* for messages */
	char *unpacker;			/* path of the program that unpacks it; NULL: plain */
	struct stat st;			/* when it was opened; -P: without its size */
	int fd;				/* -1: not open */
	off_t begin;			/* offset that reading begins at: of standard input any */
	bool stays;			/* a regular file that has a size, which /proc has not */
	uint8_t mark[DP_FILE_MARK];	/* hash of its first and last bytes; not with -P */
	pid_t child;			/* the unpacker; 0: none */
	int pipe;			/* from it */
};

/* Exits on operands that cannot be read, or are one file. */
void	dp_files_open(struct dp_run *);
void	dp_files_free(struct dp_run *);
/* Name for messages. */
const char *dp_files_name(const struct dp_run *, int i);
/* True: a regular file, or what a child unpacks of one, which can be begun again. */
bool	dp_files_again(const struct dp_run *, int i);
/* Attaches the reader to the i-th operand, at its beginning; DP_EIO: errno. */
int	dp_files_begin(struct dp_run *, int i) DP_MUSTUSE;
/* After dp_files_begin(): back to the beginning, for the next one; DP_EIO: errno. */
int	dp_files_rewind(struct dp_run *, int i) DP_MUSTUSE;
void	dp_files_end(struct dp_run *, int i);
/* Reads all of a compressed file, for nothing but whether it is whole: exits if it is not. */
void	dp_files_try(struct dp_run *, int i);
/*
 * The reader's: the operand has been read to its end.  Exits if it was not read whole, or does not
 * hold any more what it held; no record of a last line without its newline is out yet.
 */
int	dp_files_ended(void *run);
/* Standard input, which was a pipe, has become a file of our own. */
void	dp_files_kept(struct dp_run *, int i);
/* Descriptor of a regular file. */
int	dp_files_fd(const struct dp_run *, int i);

#endif
