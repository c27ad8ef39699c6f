/* SPDX-License-Identifier: ISC */
/*
 * print.h - output: the header line, a step's estimates, and finished lines.
 */
#ifndef DP_EXPLAIN_PRINT_H
#define DP_EXPLAIN_PRINT_H

#include "base/dp.h"

struct dp_buf;
struct dp_interval;
struct dp_run;

/* Heading of the names, where a line is a row of one name; NULL: it is not. */
const char *dp_print_row_name(const struct dp_run *);
/* Once the mechanism's estimates have their room, and before they are freed. */
int	dp_print_prepare(struct dp_run *) DP_MUSTUSE;
void	dp_print_done(struct dp_run *);
int	dp_print_header(struct dp_run *) DP_MUSTUSE;
/* Prints step t, whose estimates are r->print.est; begin: the bucket's start. */
int	dp_print_step(struct dp_run *, uint64_t t, int64_t begin) DP_MUSTUSE;
/*
 * A row at p: column c under a name (or NULL), and a further number under a heading, as text (or
 * NULL).  Returns its end; NULL: no memory.
 */
char	*dp_print_row(struct dp_run *, char *p, uint64_t t, int64_t begin, size_t c,
	    const char *name, const struct dp_interval *, const char *heading, const char *text);
/* -o prometheus: step t takes the place of the one before. */
void	dp_print_again(struct dp_run *, uint64_t t, int64_t begin);
/* -o prometheus: prints the last step, if there was one; once, when the input has ended. */
int	dp_print_last(struct dp_run *) DP_MUSTUSE;
/* Sends a buffer of whole lines to the output and empties it. */
int	dp_print_lines(struct dp_run *, struct dp_buf *) DP_MUSTUSE;

#endif
