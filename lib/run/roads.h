/*
 * roads.h - internal to this room: making a run, and the roads of its lines to the mechanism's
 * columns.
 */
#ifndef DP_ROADS_H
#define DP_ROADS_H

#include "bucket.h"
#include "keep/charge.h"
#include "keep/session.h"
#include "process.h"
#include "tell/print.h"

/* totals.c: --estimate, lines are a randomiser's answers. */
int	dp_total_begin(struct dp_run *) DP_MUSTUSE;
/* Adds a line; of a line that is no answer it sets v->why.  DP_EHORIZON. */
int	dp_total_add(struct dp_run *, struct dp_event *) DP_MUSTUSE;
int	dp_total_end(struct dp_run *) DP_MUSTUSE;	/* a line for each symbol */

/* check.c */
/* All operands, a line for each record; returns the exit status. */
int	dp_check(struct dp_run *);
int	dp_check_record(struct dp_run *, const struct dp_record *, const char *file,
	    struct dp_event *) DP_MUSTUSE;

/* header.c */
/*
 * A header of what the reader is attached to, the i-th operand: DP_READ_RECORD; 0: there is none;
 * DP_E*.  Exits on one that lacks a field of an option.
 */
int	dp_run_header(struct dp_run *, int i, const char *file) DP_MUSTUSE;
/* Exits if a record that is public begins a file that is no text, or UTF-16. */
void	dp_header_text(const char *file, const struct dp_record *);
/* The option that cuts a record of one field into several; NULL: none does. */
const char *dp_header_delimiter(const struct dp_record *);

/* make.c: allocates the parts of a run whose plan is made; exits on an error. */
void	dp_run_make(struct dp_run *);
void	dp_run_start(struct dp_run *);		/* draws the first noise of columns */
void	dp_run_free(struct dp_run *);

/* run.c: all operands; DP_EHORIZON when the horizon is spent. */
int	dp_run_files(struct dp_run *) DP_MUSTUSE;
/* Exits on an error e of the reader, DP_EIO with errno, with a message. */
_Noreturn void dp_run_unreadable(struct dp_run *, int e, const char *name);
/* beforehand.c: if the run is to be charged, exits on operands that cannot be read. */
void	dp_run_beforehand(struct dp_run *);
/* Exits under --strict: flushes estimates, then tells the place of the line, never its text. */
_Noreturn void dp_run_refuse(struct dp_run *, const char *file, uint64_t line,
	    const struct dp_event *);
/* road.c: all records of an operand, to steps or sums; DP_E*, DP_EHORIZON. */
int	dp_road_run(struct dp_run *, const char *file) DP_MUSTUSE;
/*
 * The roads.  values.c: lines that are steps of a number, many at a time, as they stand or of
 * records.  records.c: lines that hold a plain string; some records ahead, for users' allowances;
 * one by one.
 */
int	dp_values_spans(struct dp_run *, const char *file) DP_MUSTUSE;
int	dp_values_records(struct dp_run *, const char *file) DP_MUSTUSE;
int	dp_records_matches(struct dp_run *, const char *file) DP_MUSTUSE;
int	dp_records_users(struct dp_run *, const char *file) DP_MUSTUSE;
int	dp_records_all(struct dp_run *, const char *file) DP_MUSTUSE;
/* values_columns.c: n steps, each with a value in one column; DP_EHORIZON */
#define DP_SEVERAL	((size_t)16)
struct dp_values {
	const int64_t *x;
	const size_t *column;
};
int	dp_values_columns(struct dp_run *, struct dp_values, size_t n) DP_MUSTUSE;
/*
 * step.c: one step with values r->col.x, printed if it is due; DP_EHORIZON before anything is
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
/* memory_left.c: bytes that can still be touched; UINT64_MAX: unknown. */
uint64_t dp_memory_left(void);
/* Gives memory of planning back, heap and stack; else both stay resident. */
void	dp_memory_trim(void);

/* partial_write.c, dpmap: writes the head of a block, a step's sums r->col.x, its end. */
int	dp_partial_begin(struct dp_run *) DP_MUSTUSE;
int	dp_partial_step(struct dp_run *, int64_t begin) DP_MUSTUSE;
int	dp_partial_finish(struct dp_run *) DP_MUSTUSE;

#endif
