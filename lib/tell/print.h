/*
 * print.h - lines out: the header, a step's estimates, and lines that are made elsewhere.
 */
#ifndef DP_PRINT_H
#define DP_PRINT_H

#include "keep/run.h"

int	dp_print_header(struct dp_run *) DP_MUSTUSE;
/* Prints step t, whose estimates are r->print.est; begin: the bucket's start. */
int	dp_print_step(struct dp_run *, uint64_t t, int64_t begin) DP_MUSTUSE;
/* A name at p, in quotes if the format asks for them; twice its bytes must fit, and 2 (JSON: 6). */
char	*dp_print_text(char *p, const char *, enum dp_format);
/* An estimate, rounded to what is printed. */
dp_wide	dp_print_nearest(dp_wide v, int64_t coarse);
/* A buffer of whole lines, to the output; it is empty then. */
int	dp_print_lines(struct dp_run *, struct dp_buf *) DP_MUSTUSE;

#endif
