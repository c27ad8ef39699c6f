/*
 * tool.h - what a tool is: one table in its cmd/ file, and one call of the driver (run/driver.h).
 *
 * The table says which options the tool takes, how a line becomes a step's value, what is estimated
 * and when it is printed.  What it does not name is refused by the shared parser with a clear
 * message, never accepted and ignored.
 *
 * Adding a tool: one file in cmd/, its mechanisms in lib/mech/ (a line each in lib/plan/list.c),
 * its page in man/.
 */
#ifndef DP_TOOL_H
#define DP_TOOL_H

#include "options.h"

#define DP_NOTE		400
#define DP_NOTE_BLIND	"NO INFORMATION"	/* a first note that begins so is a warning, too */

/* How a line, or a bucket of them, becomes the value of a step. */
enum dp_shape {
	/*
	 * One number; with --key one for each declared key.  The mechanism takes one number, and
	 * every key has a column of its own.
	 */
	DP_SHAPE_NUMBER,
	/*
	 * D numbers at once: dense, or as index:value pairs (--columns=D, or --keys without --key
	 * for named ones), or one for each declared key (--key).  The mechanism takes all D, and
	 * there is one column.
	 */
	DP_SHAPE_VECTOR,
	/*
	 * An identifier, with a sign: the value field as text.  The mechanism sees it; --keys
	 * declare the universe.
	 */
	DP_SHAPE_ID,
	/* A symbol of the alphabet that --keys declares: its place, or -1 for none of them. */
	DP_SHAPE_SYMBOL,
	/*
	 * One number an event, read as DP_SHAPE_NUMBER's, which adds to several numbers of the
	 * step (struct dp_contributions); one that is 0 is an event, too.  The mechanism takes all
	 * of them, and every key has a column of its own.  Not with DP_GROUP_PARTIAL or
	 * DP_GROUP_UNIT, whose values are sums of events.
	 */
	DP_SHAPE_CONTRIBUTIONS,
	/*
	 * A name, which counts 1: the key, or without --key the line.  Nobody has declared it, but
	 * for those of --keys; each has a column of its own, from its first event on (mech.h,
	 * late), and there are buckets.  What is printed of a step is a row for each name that its
	 * column tells of, the largest estimate first.
	 */
	DP_SHAPE_NAME
};

/* x[place] += value */
struct dp_term {
	size_t place;		/* 0 .. D - 1 */
	int64_t value;		/* grid units */
};

/*
 * Amounts, each at least 0, that an event adds to numbers of its step.  The numbers are in bands,
 * one after another, and a unit's reach is known of each band by itself (struct dp_mech_rule).
 */
struct dp_contributions {
	unsigned bands;			/* 1 .. DP_BANDS */
	/* Numbers of a band, 1 or more; and the most that an event adds to all of them together. */
	size_t (*width)(const struct dp_options *, unsigned band);
	uint64_t (*most)(const struct dp_options *, unsigned band);
	unsigned terms;			/* of an event, at most */
	/*
	 * value: within the range, grid units.  Number of terms, each of another place.  An event
	 * of which a band gets more than `most', or a place is none, adds nothing.
	 */
	unsigned (*of)(const struct dp_options *, int64_t value, struct dp_term *);
};

/* When an estimate is printed.  Steps go on regardless. */
enum dp_when_printed {
	DP_PRINT_EACH,		/* after every step; DP_GROUP_PRINT: or as --every, --at-end say */
	DP_PRINT_BEFORE,	/* step t + 1's before its line is read: answer(); lines only */
	DP_PRINT_END		/* once, when the input ends: the mechanism's answer() */
};

struct dp_tool {
	const char *name, *purpose;
	const char *synopsis;		/* its own part of the usage line */
	const char *examples;		/* of --help, indented by two blanks; NULL: none */
	unsigned groups;		/* DP_GROUP_* of the shared options it takes */
	bool pan;	/* -P unless it cannot be, or an option of its own says no */
	bool map;	/* prints exact partial sums (partial.h), and releases nothing */
	const char *range;		/* default of --range; NULL: 0:1 */
	struct dp_words {
		/* Noun for an estimate: of ones and totals, of others; NULL: estimate. */
		const char *noun[2];
		const char *halted;	/* why its mechanisms may end a run; NULL: not said */
		/* Noun for a line that holds no numbers: identifier, symbol; else NULL. */
		const char *reads;
		/* Sentence on such lines; set where `reads' is. */
		const char *(*values)(const struct dp_options *);
	} words;
	/* Its own options, ended by a NULL name, at most DP_OWN_MAX of them; NULL: none. */
	const struct dp_own *own;
	enum dp_shape shape;
	const struct dp_contributions *adds;	/* DP_SHAPE_CONTRIBUTIONS: what events add */
	enum dp_when_printed prints;
	double confidence;		/* of predictions, unless -B says another; 0: 0.95 */
	/*
	 * What an output is called, if each is a line of its own, with its name before it: the
	 * heading of the names.  NULL: they are columns of one line.
	 */
	const char *rows;
	/*
	 * From o->own[] to o->task and o->output[], once all options are known (also from a state
	 * file); exits like dp_options_parse().  NULL: the running count.
	 */
	void (*task)(struct dp_options *);
	/*
	 * By how much right answers of an output can differ at the last step reported for, in the
	 * user's units, by the options alone; INFINITY: nobody knows.  Where predicted errors are
	 * more than half of that, --explain and standard error say so (blind.c).  NULL: numbers in
	 * lines by the range and the weights of the task, others not.
	 */
	double (*reach)(const struct dp_options *, const struct dp_plan *, unsigned out);
	/*
	 * What else --explain says, the i-th: true, and one sentence without its period, or false
	 * past the last.  NULL: nothing.
	 */
	bool (*note)(const struct dp_options *, const struct dp_mech_rule *, const struct dp_plan *,
	    unsigned i, char text[static DP_NOTE]);
	/* The mechanisms of --help: a heading, and those for any of `tasks`; ends with no tasks. */
	struct dp_listing {
		const char *heading;
		unsigned tasks;
		const struct dp_statistic *statistic;	/* DP_TASK_OWN: which */
	} lists[DP_LISTS_MAX];
};

/* The parts of a tool's task() that tools share (options_task.c). */
/* A number of steps: a whole number, or with --bucket a duration that is a multiple of it. */
uint64_t dp_options_steps(const struct dp_options *, const char *option, const char *text);
/*
 * Names the i-th output (NULL: it has none) and says what it is; o->outputs is the caller's to set.
 */
void	dp_options_output(struct dp_options *, unsigned i, const char *name, enum dp_output_kind);
/* The alphabet, in place of --keys: n names, which become the options'. */
void	dp_options_alphabet(struct dp_options *, char **name, size_t n);
/* options_auto.c: with -r auto the tool that it is then; else itself. */
const struct dp_tool *dp_options_auto(const struct dp_options *, const struct dp_tool *);
void	dp_options_windows(struct dp_options *, const char *text);	/* -w W[,W...] */
/*
 * Of what values a statistic is: exits unless it is known, where a line is more than its number and
 * would count as 1.  matches: -m says what share of the events is asked for.
 */
void	dp_options_need_value(const struct dp_options *, const char *what, bool matches);
/*
 * Which events a statistic is of: the last ones (--window), all (--running), or all, the older the
 * less (--half-life): one of the three at most, NULL if not given.  Else of each bucket, or of all
 * lines so far.
 */
void	dp_options_sums(struct dp_options *, const char *window, const char *running,
	    const struct dp_own_value *half_life);
/*
 * n outputs of each window that there is, or n: named after the window, name[i], or both where
 * there are several of both.
 */
void	dp_options_each_window(struct dp_options *, const char *const *name, unsigned n,
	    enum dp_output_kind);
/* --expire=W, --expire=gradual:LAMBDA. */
void	dp_options_expire(struct dp_options *, const char *text);
void	dp_options_alpha(struct dp_options *, const struct dp_own_value *);
void	dp_options_half_life(struct dp_options *, const struct dp_own_value *);
void	dp_options_power(struct dp_options *, const struct dp_own_value *);
void	dp_options_beta(struct dp_options *, const struct dp_own_value *);
void	dp_options_weights(struct dp_options *, const struct dp_own_value *);

#endif
