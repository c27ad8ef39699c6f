/*
 * columns.h - the inside of print*.c: what columns there are, what they are called, and what is
 * printed of an estimate.
 */
#ifndef DP_TELL_COLUMNS_H
#define DP_TELL_COLUMNS_H

#include "print.h"

static inline char
dp_print_separator(const struct dp_run *r)
{
	return r->o->print.format == DP_CSV ? ',' : '\t';
}

/* The output of column c; where there is one, no division. */
static inline size_t
dp_print_output(const struct dp_run *r, size_t c)
{
	return DP_LIKELY(r->print.outputs == 1) ? 0 : c % r->print.outputs;
}

static inline bool
dp_print_choice(const struct dp_run *r, size_t c)
{
	return r->o->output[dp_print_output(r, c)].kind == DP_OUTPUT_CHOICE;
}

/* Whether column c has an interval. */
static inline bool
dp_print_bounds(const struct dp_run *r, size_t c)
{
	return r->o->print.confidence > 0 && !dp_print_choice(r, c);
}

/* print_names.c */
/* Whether a line holds several estimates, by key, by window or both. */
bool	dp_print_named(const struct dp_run *);
/* What column c's estimate is called, or with suffix _lo or _hi an end of its interval. */
#define DP_COLUMN	1200
const char *dp_print_column(const struct dp_run *, size_t c, const char *suffix,
	    char name[static DP_COLUMN]);
/*
 * JSON: what stands before each estimate of an object, a comma, its name and a colon: column c's is
 * names.p[member[c] .. member[c + 1] - 1] of r->print, with DP_PRINT_SLACK bytes behind the last
 * one.
 * Made once.  DP_ENOMEM.
 */
#define DP_PRINT_SLACK	16
int	dp_print_members(struct dp_run *) DP_MUSTUSE;

/* print_round.c */
/* The half-widths at step t, if there are intervals: before any of its estimates. */
int	dp_print_widths(struct dp_run *, uint64_t t) DP_MUSTUSE;
/* What is printed of column c, which is no choice, and of its interval, if it has one. */
void	dp_print_round(struct dp_run *, uint64_t t, size_t c, struct dp_interval *);

#endif
