/*
 * audit_rows.h - runs of any command on two inputs as rows of numbers, of which audit.h makes a
 * bound.
 *
 * A row: the exit status, the bytes on standard error, the number of words of the output, and its
 * words, as many as the first run printed.  A word that is a number counts as it; a text, or a
 * number that is not finite, counts as how much likelier it is on the second input than on the
 * first, told by the runs that choose the event alone (audit.h).
 */
#ifndef DP_AUDIT_ROWS_H
#define DP_AUDIT_ROWS_H

#include "base/dp.h"

/* Columns of a row; words from DP_AUDIT_WORD on. */
enum { DP_AUDIT_STATUS, DP_AUDIT_SAID, DP_AUDIT_WORDS, DP_AUDIT_WORD };

struct dp_audit_rows;

/* runs: on each input. */
int	dp_audit_rows_new(struct dp_audit_rows **, uint64_t runs) DP_MUSTUSE;
void	dp_audit_rows_free(struct dp_audit_rows *);
/*
 * The run-th run (from 0) on input `side', 0 or 1: its output ends with a NUL and is changed.
 * status: as wait(2) has it.  DP_ENOMEM.
 */
int	dp_audit_rows_add(struct dp_audit_rows *, unsigned side, uint64_t run, int status,
	    size_t said, char *output) DP_MUSTUSE;
/* True: every run printed nothing. */
bool	dp_audit_rows_silent(const struct dp_audit_rows *);
/* Columns; 0 before the first run. */
size_t	dp_audit_rows_width(const struct dp_audit_rows *);
/* True: a column has texts. */
bool	dp_audit_rows_texts(const struct dp_audit_rows *, size_t column);
/* All rows of a side, once all runs are added; the caller's to free.  NULL: no memory. */
double	*dp_audit_rows_numbers(const struct dp_audit_rows *, unsigned side);

#endif
