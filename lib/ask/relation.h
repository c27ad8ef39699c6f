/*
 * relation.h - neighbours under these options, the distance between them, and the sentences on
 * both.
 */
#ifndef DP_ASK_RELATION_H
#define DP_ASK_RELATION_H

#include "tool.h"

/* The guarantee's numbers, once the options are complete (also from a state file). */
void	dp_options_setting(const struct dp_options *, const struct dp_tool *,
	    struct dp_mech_rule *);
/* Adds the lines of a plan on what neighbours move (dputils-plan(5)).  DP_ENOMEM. */
int	dp_options_neighbour_lines(const struct dp_options *, const struct dp_tool *,
	    struct dp_buf *) DP_MUSTUSE;
/*
 * True: sums of buckets are exact, however large (run/carry.c).  A state file has one word for a
 * sum.
 */
bool	dp_options_carries(const struct dp_options *, const struct dp_tool *,
	    const struct dp_mech_ops *);
/*
 * How many events, each as large as one can be, take a bucket's sum to 2^61 grid units, where it is
 * cut; UINT64_MAX: it is never cut.
 */
uint64_t dp_options_cut(const struct dp_options *, const struct dp_tool *,
	    const struct dp_mech_ops *);
/* Declared keys, or --columns, or 1. */
size_t	dp_options_width(const struct dp_options *);
/* Numbers of a step, in all columns; of an identifier or a symbol: 1. */
size_t	dp_options_numbers(const struct dp_options *, const struct dp_tool *);
/* True: every declared key has a column of the mechanism.  Number of its columns. */
bool	dp_options_keyed(const struct dp_options *, const struct dp_tool *);
size_t	dp_options_columns(const struct dp_options *, const struct dp_tool *);
/* True: a line is one number for each column; for tools that read such lines. */
static inline bool
dp_options_rowed(const struct dp_options *o)
{
	return o->keys.field.number == 0 && (o->keys.n | o->keys.columns) != 0;
}
/* One sentence, without its period, on inputs that are neighbours.  Returns text. */
#define DP_NEIGHBOURS	DP_TASK_TEXT
const char *dp_options_neighbours(const struct dp_options *, const struct dp_tool *,
	    char text[static DP_NEIGHBOURS]);
/*
 * Unit of protection, in the words of neighbour.h.  A user's events in a step have the step's
 * length as well, since losses of a day and of a month do not add up: "user-step/86400s",
 * "user-step/1mo Europe/Berlin".
 */
#define DP_PROTECTED	320
const char *dp_options_protected(const struct dp_options *, const struct dp_tool *,
	    char text[static DP_PROTECTED]);
/* Unit of protection from "user-step/DUR[ ZONE]", DUR as people write it; false: malformed. */
bool	dp_options_user_step(const char *unit, char text[static DP_PROTECTED]);
/* True: values are ones, or totals of ones, and estimates are counts. */
static inline bool
dp_options_ones(const struct dp_options *o)
{
	return o->range.total != NULL || o->form.match != NULL ||
	    (o->range.lo == 0 && o->range.hi == 1 && o->range.places == 0);
}
/* True: each estimate has a row, or a sample, of its own. */
static inline bool
dp_options_tidy(const struct dp_options *o)
{
	return o->print.format == DP_LONG || o->print.format == DP_PROMETHEUS;
}
/*
 * Steps that an allowance of K/B may be of: the horizon; with --check, where none is known, the
 * most.
 */
uint64_t dp_options_spaced_steps(const struct dp_options *);
/* True: identifiers count once for each declared key (options_variant.c), not for any name. */
bool	dp_options_by_key(const struct dp_options *, const struct dp_tool *);
/* Sentence on what --per-user drops; the end of a sentence on errors that says so. */
#define DP_DROPPED	320
void	dp_options_dropped(const struct dp_options *, const struct dp_tool *,
	    char text[static DP_DROPPED]);
void	dp_options_dropped_end(const struct dp_options *, const struct dp_tool *, bool clamps,
	    char text[static DP_DROPPED]);
/* True: sums of users of several steps, which look like distinct users; a sentence that says so. */
bool	dp_options_users_summed(const struct dp_options *, const struct dp_tool *,
	    char text[static DP_DROPPED]);
/*
 * A warning wherever --per-user may drop events.  None for a count of users, of a step or so far,
 * each of whom counts once.
 */
void	dp_options_dropped_warn(const struct dp_options *, const struct dp_tool *);

#endif
