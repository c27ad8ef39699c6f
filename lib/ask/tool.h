/*
 * tool.h - a tool: one table in its cmd/ file, and one call of the driver (run/driver.h).
 *
 * The table has the options that the tool takes, how a line becomes a step's value, what is
 * estimated and when it is printed.  The shared parser refuses every other option with a clear
 * message.
 *
 * Adding a tool: one file in cmd/, its mechanisms in lib/mech/ (a line each in lib/plan/list.c),
 * its page in man/.
 */
#ifndef DP_TOOL_H
#define DP_TOOL_H

#include "options.h"

#define DP_NOTE		400
#define DP_NOTE_BLIND	"NO INFORMATION"	/* a first note that begins so is a warning, too */

/* Value that a line, or a bucket of lines, gives a step. */
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
	 * One number an event, read as DP_SHAPE_NUMBER's, that adds to several numbers of the step
	 * (struct dp_contributions); a number 0 is an event, too.  The mechanism takes all numbers
	 * of the step, and every key has a column of its own.  Not with DP_GROUP_PARTIAL or
	 * DP_GROUP_UNIT, whose values are sums of events.
	 */
	DP_SHAPE_CONTRIBUTIONS,
	/*
	 * A name, which counts 1: the key, or without --key the line, declared (--keys) or not.
	 * Each name has a column of its own, from its first event on (mech.h, late).  Steps are
	 * buckets.  A step prints a row for each name that its column tells, the largest estimate
	 * first.
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
	/* Numbers of a band, 1 or more; the most that an event adds to a band in all. */
	size_t (*width)(const struct dp_options *, unsigned band);
	uint64_t (*most)(const struct dp_options *, unsigned band);
	unsigned terms;			/* of an event, at most */
	/*
	 * Terms of an event of a value within the range, in grid units; returns their number.  Each
	 * has another place.  An event that adds more than `most' to a band, or whose place is out
	 * of bounds, counts nothing.
	 */
	unsigned (*of)(const struct dp_options *, int64_t value, struct dp_term *);
};

/* Steps whose estimate is printed.  Every step is taken in any case. */
enum dp_when_printed {
	DP_PRINT_EACH,		/* after every step; DP_GROUP_PRINT: or as --every, --at-end say */
	DP_PRINT_BEFORE,	/* step t + 1's before its line is read: answer(); lines only */
	DP_PRINT_END		/* once, when the input ends: the mechanism's answer() */
};

struct dp_tool {
	const char *name, *purpose;
	const char *synopsis;		/* the tool's own part of the usage line */
	const char *examples;		/* of --help, indented by two blanks; NULL: none */
	unsigned groups;		/* DP_GROUP_* of the shared options it takes */
	bool pan;	/* -P by default, unless an option of the tool or the run forbids it */
	bool map;	/* prints exact partial sums (partial.h), and releases nothing */
	const char *range;		/* default of --range; NULL: 0:1 */
	struct dp_words {
		/* Noun for an estimate: of ones and totals, of others; NULL: estimate. */
		const char *noun[2];
		const char *halted;	/* reason why a mechanism may end a run; NULL: none given */
		/* Noun for a line that holds no numbers: identifier, symbol; else NULL. */
		const char *reads;
		/* DP_SHAPE_SYMBOL: words before a text that is none; NULL: the usual ones. */
		const char *unknown;
		/* Sentence on such lines; set where `reads' is. */
		const char *(*values)(const struct dp_options *);
		/* A line for a person at a terminal: what the answer leaves out.  NULL: nothing. */
		const char *(*silent)(const struct dp_options *);
	} words;
	/* The tool's own options, at most DP_OWN_MAX, ended by a NULL name; NULL: none. */
	const struct dp_own *own;
	enum dp_shape shape;
	const struct dp_contributions *adds;	/* DP_SHAPE_CONTRIBUTIONS; else NULL */
	enum dp_when_printed prints;
	/*
	 * Heading of the names of outputs, if each output is a line of its own that begins with its
	 * name.  NULL: outputs are columns of one line.
	 */
	const char *rows;
	/*
	 * From o->own[] to the question, once all options are known (also from a state file);
	 * exits like dp_options_parse().  NULL: the running count.
	 */
	void (*task)(const struct dp_options *, struct dp_question *);
	/*
	 * Largest difference between right answers of an output at the last step reported for, in
	 * the user's units, by the options alone; INFINITY: unknown.  --explain and standard error
	 * warn of predicted errors above half of it (blind.c).  NULL: of numbers in lines it
	 * follows from the range and the weights of the task; of others it is unknown.
	 */
	double (*reach)(const struct dp_options *, const struct dp_plan *, unsigned out);
	/*
	 * The i-th further sentence of --explain, without its period; false past the last.  NULL:
	 * none.
	 */
	bool (*note)(const struct dp_options *, const struct dp_mech_rule *, const struct dp_plan *,
	    unsigned i, char text[static DP_NOTE]);
	/*
	 * The i-th sentence for standard error on what the chosen mechanism makes of the options,
	 * for example an option without effect; false past the last.  NULL: none.
	 */
	bool (*tells)(const struct dp_options *, const struct dp_mech_rule *,
	    const struct dp_plan *, unsigned i, char text[static DP_NOTE]);
	/* The mechanisms of --help: a heading, and those for any of `tasks`; ends with no tasks. */
	struct dp_listing {
		const char *heading;
		unsigned tasks;
		const struct dp_statistic *statistic;	/* DP_TASK_OWN: which */
	} lists[DP_LISTS_MAX];
};

/* Parts that tools share of their task() (options_task.c). */
/* A number of steps: a whole number, or with --bucket a duration that is a multiple of it. */
uint64_t dp_options_steps(const struct dp_options *, const char *option, const char *text);
/* Sets name (NULL: none) and kind of the i-th output; the caller sets their number. */
void	dp_options_output(struct dp_question *, unsigned i, const char *name, enum dp_output_kind);
/* The alphabet, in place of --keys: n names, which become the options'. */
void	dp_options_alphabet(struct dp_question *, char **name, size_t n);
/* -w W[,W...] */
void	dp_options_windows(const struct dp_options *, struct dp_question *, const char *text);
/*
 * Exits if a statistic of values has no -v though a line is more than its number, and would count
 * 1.  matches: -m will do, for the share of events that match.
 */
void	dp_options_need_value(const struct dp_options *, const char *what, bool matches);
/*
 * Sets the events of a statistic: the last ones (--window), all (--running), or all with weights
 * that fall (--half-life).  At most one is given; if none is: each bucket's, or all lines so far.
 * NULL: not given, or for half_life an option that the tool lacks.
 */
void	dp_options_sums(const struct dp_options *, struct dp_question *, const char *window,
	    const char *running, const struct dp_own_value *half_life);
/*
 * Makes n outputs for each window, or n: named after the window, name[i], or both if there are
 * several of both.
 */
void	dp_options_each_window(struct dp_question *, const char *const *name, unsigned n,
	    enum dp_output_kind);
/* --expire=W, --expire=gradual:LAMBDA. */
void	dp_options_expire(const struct dp_options *, struct dp_question *, const char *text);
void	dp_options_alpha(const struct dp_options *, struct dp_question *,
	    const struct dp_own_value *);
void	dp_options_half_life(const struct dp_options *, struct dp_question *,
	    const struct dp_own_value *);
void	dp_options_power(const struct dp_options *, struct dp_question *,
	    const struct dp_own_value *);
void	dp_options_beta(struct dp_question *, const struct dp_own_value *);
void	dp_options_weights(const struct dp_options *, struct dp_question *,
	    const struct dp_own_value *);

#endif
