/*
 * columns.h - the inside of print*.c: the columns of a line, their names, and the rounding of an
 * estimate.
 */
#ifndef DP_TELL_COLUMNS_H
#define DP_TELL_COLUMNS_H

#include "print.h"

static inline char
dp_print_separator(const struct dp_run *r)
{
	return r->o->print.format == DP_CSV || r->o->print.format == DP_LONG ? ',' : '\t';
}

/* The output of column c; the common case of one output needs no division. */
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

/* true: column c has an interval. */
static inline bool
dp_print_bounds(const struct dp_run *r, size_t c)
{
	return r->o->print.confidence > 0 && !dp_print_choice(r, c);
}

/* Room for one more value of the current line, of n bytes. */
static inline char *
dp_print_room(struct dp_run *r, char *p, size_t n)
{
	if (DP_LIKELY(r->print.out->cap - (size_t)(p - r->print.out->buf) >= n))
		return p;
	r->print.out->n = (size_t)(p - r->print.out->buf);
	return dp_out_grow(r->print.out, n);
}

/* print.c */
/* Estimate and interval of column c as printed. */
void	dp_print_finish(struct dp_run *, uint64_t t, size_t c, struct dp_interval *);
/* print_top.c: --top */
int	dp_print_top(struct dp_run *, uint64_t t, int64_t begin) DP_MUSTUSE;

/* print_names.c */
/*
 * Heading of what ends a row, 1 or 0: "certain", the key is one of the largest (--top, -B);
 * "frozen", the estimate is shown until the run ends (mech.h).  NULL: nothing does.
 */
const char *dp_print_flag(const struct dp_run *);
/* "1" or "0": frozen; NULL: another flag, or none. */
const char *dp_print_frozen(const struct dp_run *);
/* true: a line holds several estimates, by key, by window or both. */
bool	dp_print_named(const struct dp_run *);
/* Name of column c's estimate (suffix ""), or of an end of its interval (_lo, _hi). */
#define DP_COLUMN	1200
const char *dp_print_column(const struct dp_run *, size_t c, const char *suffix,
	    char name[static DP_COLUMN]);
/*
 * JSON: makes, once, the text before each estimate of an object: comma, name, colon.  Column c's
 * text is names.p[member[c] .. member[c + 1] - 1] of r->print; DP_PRINT_SLACK bytes follow the last
 * text.  DP_ENOMEM.
 */
#define DP_PRINT_SLACK	16
int	dp_print_members(struct dp_run *) DP_MUSTUSE;

/* print_tidy.c */
/* A row of -o long; or of -o prometheus a sample of each metric, which takes no room. */
struct dp_tidy {
	uint64_t t;
	int64_t begin;			/* of its bucket */
	const char *key, *statistic;	/* key: "" if there is none */
	const char *number[3];		/* estimate, lo, hi; "" if there is none */
	const char *flag;		/* what ends the row: columns.h, dp_print_flag() */
	bool keyed;			/* an empty key is one */
	bool declared;			/* the key is one of --keys */
	bool chosen;			/* the key is what was chosen: there is no estimate */
};
/* Writes a row at p, with room for 4096 bytes and four times the key; returns its end. */
char	*dp_print_tidy(struct dp_run *, char *p, const struct dp_tidy *);
/* Header line of -o long. */
int	dp_print_long_header(struct dp_run *) DP_MUSTUSE;
/* Name of column c's statistic: that of its output, or a noun for it. */
const char *dp_print_statistic(const struct dp_run *, size_t c);

/* print_round.c */
/* Sets the half-widths of step t, if there are intervals; call it before dp_print_round(). */
int	dp_print_widths(struct dp_run *, uint64_t t) DP_MUSTUSE;
/* Estimate and interval of column c as printed; c is no choice. */
void	dp_print_round(struct dp_run *, uint64_t t, size_t c, struct dp_interval *);

#endif
