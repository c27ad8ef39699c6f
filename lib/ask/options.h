/*
 * options.h - command lines: the options that tools share, in groups, and those of one tool alone.
 *
 * Of lib/, only ask, event, keep, tell, plot and run print, exit or read the clock (make lint).
 */
#ifndef DP_OPTIONS_H
#define DP_OPTIONS_H

#include "base/buf.h"
#include "base/num.h"
#include "plan/plan.h"
#include "stream/cut.h"
#include "stream/span.h"
#include "stream/when.h"

#define DP_KEYS_MAX	1000000
#define DP_KEY_MAX	255	/* bytes */
#define DP_COLUMNS_MAX	1000000
#define DP_OWN_MAX	12
#define DP_LISTS_MAX	8
#define DP_FILE_MAX	((size_t)1 << 26)	/* bytes of a file that an option names */
#define DP_OPTION_CODES	320			/* getopt's: letters, long ones, a tool's own */

enum dp_format { DP_PLAIN, DP_TSV, DP_CSV, DP_JSON, DP_LONG, DP_PROMETHEUS };
enum dp_steps {
	DP_BY_LINE,		/* every line is a time step */
	DP_BY_RANGE,		/* buckets from --from to --to, printed at the end */
	DP_BY_CLOCK,		/* --live: the wall clock closes buckets */
	DP_BY_TIMES		/* --public-times: event times close buckets */
};

/*
 * Options that a tool may take, or not.  -e -d -T -M --seed -F --csv --tsv -H --cut --log --json
 * --strict -o -E -n -q are every tool's.
 */
enum dp_group {
	DP_GROUP_ALL = 0,
	DP_GROUP_RANGE = 1,	/* -r */
	DP_GROUP_MATCH = 2,	/* -m --fixed -i --invert-match */
	/* -t --time-format --tz --bucket --from --to --once --live --public-times --gap */
	DP_GROUP_TIME = 4,
	DP_GROUP_KEY = 8,	/* -k --keys */
	DP_GROUP_KEYS = 16,	/* --keys without -k: names of columns, a universe, an alphabet */
	DP_GROUP_USER = 32,	/* -u -c */
	DP_GROUP_STATE = 64,	/* --state and what belongs to it */
	DP_GROUP_BOUND = 128,	/* -B */
	DP_GROUP_NONNEGATIVE = 256,
	DP_GROUP_MONOTONE = 512,	/* for what never falls */
	DP_GROUP_PAN = 1024,	/* -P */
	DP_GROUP_COLUMNS = 2048,	/* --columns --ones */
	DP_GROUP_PRINT = 4096,	/* --every --at-end */
	DP_GROUP_VALUE = 8192,	/* -v */
	DP_GROUP_DOMAIN = 16384,	/* --domain: --keys, where they are an alphabet */
	DP_GROUP_PARTIAL = 32768,	/* --partial */
	DP_GROUP_UNIT = 65536,	/* --unit */
	DP_GROUP_WHERE = 131072,	/* --where */
	DP_GROUP_AUTO = 262144,		/* -r auto */
	DP_GROUP_TOP = 524288,		/* --top */
	/* Besides: of no use to a tool that releases nothing (dp_tool.map), and refused there. */
	DP_GROUP_RELEASE = 1 << 30
};
/* What the sums of numbers take; those of them that take exact partial sums add _PARTIAL. */
#define DP_GROUPS_SUM	(DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_MATCH | DP_GROUP_TIME | \
	DP_GROUP_WHERE | DP_GROUP_KEY | DP_GROUP_USER | DP_GROUP_STATE | DP_GROUP_BOUND | \
	DP_GROUP_NONNEGATIVE | DP_GROUP_PAN | DP_GROUP_UNIT)

/* A field named on the command line: by number, or by name (-H, --cut, --log, --json). */
struct dp_field {
	const char *name;	/* NULL: number counts */
	unsigned number;	/* 0: not given */
};

/* --where: a line is an event only if it matches, or its field does. */
struct dp_condition {
	struct dp_field field;	/* number 0: the line */
	const char *pattern;
};

/* An option of one tool alone. */
enum dp_kind {
	DP_KIND_TEXT,
	DP_KIND_FLAG,		/* takes no argument */
	DP_KIND_NUMBER,		/* a decimal or ratio above 0, exact; a state compares values */
	DP_KIND_FILE		/* is read and hashed; the state file knows it by what it holds */
};

struct dp_own {
	int letter;			/* 0: long only */
	const char *name, *arg, *help;	/* arg: NULL for a flag */
	enum dp_kind kind;
};

struct dp_own_value {
	const char *text;	/* as given; a flag: ""; NULL: not given */
	struct dp_q number;
	char *file;		/* what the file holds, and a NUL; owned */
	size_t size;
	char hash[33];		/* of it, hex */
};

/* One number of a line. */
enum dp_output_kind {
	DP_OUTPUT_ESTIMATE,	/* unbiased; if it has a law: an interval with -B */
	DP_OUTPUT_BIASED,	/* the same with a stated bias or one-sided error */
	DP_OUTPUT_CHOICE	/* the place of a declared column: its name, or its number from 1 */
};

struct dp_output {
	char *name;		/* NULL if it is the only one; owned */
	enum dp_output_kind kind;
	unsigned fewer;		/* decimals than others have */
};

/* -e and what else decides the noise, and who may know. */
struct dp_ask_privacy {
	bool has_epsilon, exact;
	struct dp_q epsilon, delta;
	const char *mechanism;
	bool pan;
	bool pan_default;		/* -P where the mechanism can and no option forbids it */
	bool has_seed;
	uint64_t seed;
	const char *budget, *label;	/* NULL: no ledger; label: "" for none */
	char *command;			/* the command line, as a shell would read it; owned */
	struct dp_q within;		/* --within; 0: not given */
	uint64_t report;		/* --report; 0: not given */
	double beta;		/* of predictions; 0: 1 - confidence.  task() may set it */
};

/* -u, -c */
struct dp_ask_users {
	struct dp_field field;
	uint64_t most;			/* events of one that count */
	bool per_step;			/* so many in each step, and protected are those of one */
};

/* How a line is cut, and whether it is an event. */
struct dp_ask_form {
	int delimiter;			/* -1: runs of blanks */
	bool csv, header, strict, json;
	const struct dp_log *log;
	const char *cut;		/* the pattern, also of --log */
	const char *where;		/* [FIELD~]REGEX, a line each */
	struct dp_condition *condition;	/* the same, once complete; owned */
	size_t conditions;
	struct dp_field value;
	const char *match;
	bool fixed, icase, invert;
	/* Lines are a randomiser's answers: task().  SIMPLEX: totals sum to their number. */
	enum { DP_TOTALS_NO, DP_TOTALS_EACH, DP_TOTALS_SIMPLEX } totals;
};

/* Range of values, and the largest difference between those of neighbours. */
struct dp_ask_range {
	int64_t lo, hi;			/* grid units */
	int64_t nothing;		/* the value of a line that holds no number; the tool's */
	unsigned places;		/* grid 10^-places */
	bool has_range;
	bool magnitudes;		/* -r auto:HI, lo is -HI: options_auto.c */
	const char *total;		/* --unit, as given: values are totals; else NULL */
	/*
	 * No value differs by more grid units between neighbours (0: by what the range allows):
	 * --unit's, or of DP_SHAPE_NUMBER what a tool's task() may set; and this, as given, if
	 * every line's may (neighbour.h).
	 */
	uint64_t unit;
	const char *apart;
	bool one_way;	/* neighbour.h */
	bool entry;			/* a number is protected, not its line: task() */
	/*
	 * Symbols: how far one line's can move the sums that noise is planned for, in grid units;
	 * a tool's task() sets them.  0: its mechanisms know.
	 */
	uint64_t l1, l2squared;
};

/* When events were, and what steps are made of them. */
struct dp_ask_time {
	struct dp_field field;
	struct dp_field clock;		/* a time of day, where it has a field of its own */
	char *day;			/* with a clock: the name of field; owned */
	/*
	 * Of a state by an early version: a time is in one field, also one with a comma in its
	 * name, a group of --cut is all of it, and a day alone is midnight in any bucket.
	 */
	bool old;
	const char *format;
	uint64_t bucket;		/* seconds, of months on average; 0: lines */
	struct dp_span span;		/* where buckets begin, and the zone of times */
	const char *tz;			/* as given; NULL: UTC */
	struct dp_zone zone;		/* behind span.zone; owned */
	enum dp_steps steps;
	/*
	 * --once: BY_RANGE, of one bucket, which is a second.  The n-th run of a state has the
	 * n-th second since 1970; nobody is shown it.
	 */
	bool once;
	bool next;			/* --next: the state and the clock say from and to */
	bool has_from, has_to;
	int64_t from, to;		/* events outside count nowhere */
	int64_t begin, end;		/* the whole buckets that hold them */
	uint64_t lateness;
	uint64_t gap;			/* 0: dp_options_gap() */
};

#define DP_KEY_FIELDS	4

/* Declared keys, or names; or numbers without. */
struct dp_ask_keys {
	struct dp_field field;
	struct dp_field then[DP_KEY_FIELDS - 1];	/* -k A,B: those after it, */
	unsigned more;			/* so many; their texts are joined by '/' */
	const char *list;		/* as given: A,B,C, A,B/C,D of several fields, or @FILE */
	const char *other;		/* the last key: what is none of the others; NULL: not */
	char **name;			/* owned */
	size_t n;
	bool own;			/* a tool's task() made them of options of its own */
	uint64_t hold;			/* a name is held from an event of 1 in so many; 0: all */
	size_t columns;			/* --columns; 0: not given */
	size_t ones;			/* --ones; 0: not given */
	size_t adds;	/* of one key, numbers that events add to, once tasks are known; else 0 */
};

/* Identifiers; a tool's task() sets these. */
struct dp_ask_id {
	bool deletes;			/* -ID undoes ID */
	uint64_t universe;		/* they are the numbers 1 .. universe; 0: texts */
	bool whole;			/* all events of one are protected together, */
	bool presence;			/* there, or all of them not */
};

/* Parts of a log: --partial (partial.h), dpmap. */
struct dp_ask_shard {
	bool partial, by_user;
	const char *name;		/* dpmap: what its counts are called */
	uint64_t slice, slices;		/* dpmap: which part of its file (filepart.h); 0: all */
};

/* How estimates are printed, or told of. */
struct dp_ask_print {
	enum dp_format format;
	const char *metric;		/* prometheus:NAME; NULL: the tool's name */
	double confidence;		/* 0: no bounds */
	bool nonnegative, monotone, number, line_buffered, quiet;
	uint64_t every;			/* print at multiples of it; 0: at the end */
	uint64_t top;			/* rows of a step, at most, the largest; 0: no --top */
	enum { DP_EXPLAIN_NO, DP_EXPLAIN_TEXT, DP_EXPLAIN_JSON } explain;
	bool check;			/* show how lines are read; nothing is released */
};

/* The state file and what belongs to it. */
struct dp_ask_keep {
	const char *state, *out, *batch, *witness;
	const char *move;		/* --state-move: where to; NULL: no move */
	bool init, show, change;
	const char *forget;		/* --change=NAME,...: kept options to drop; NULL: none */
};

struct dp_ask_operands {
	char **file;
	int n;				/* >= 1 */
};

/* Memory that is freed with the options: texts of a state file, a table of weights. */
struct dp_ask_owned {
	void **p;
	size_t n;
};

struct dp_options {
	struct dp_ask_privacy priv;
	struct dp_ask_users users;
	struct dp_ask_form form;
	struct dp_ask_range range;
	struct dp_ask_time time;
	struct dp_ask_keys keys;
	struct dp_ask_id id;
	struct dp_ask_shard shard;
	struct dp_ask_print print;
	struct dp_ask_keep keep;
	uint64_t horizon;		/* 0: unknown */
	struct dp_ask_operands operands;
	/* what is asked for */
	struct dp_own_value own[DP_OWN_MAX];
	struct dp_task task;
	struct dp_output *output;	/* owned */
	unsigned outputs;		/* >= 1; those named by dp_options_output(), and more */
	unsigned room;			/* for so many */
	/* by getopt's number: whether it was given, and how, for comparison with a state file */
	bool given[DP_OPTION_CODES];
	const char *text[DP_OPTION_CODES];
	struct dp_ask_owned owned;
};

struct dp_tool;

/*
 * Parses argv; on an error prints one clear line and exits with DP_EX_USAGE; --help and --version
 * print and exit 0.
 */
void	dp_options_parse(struct dp_options *, const struct dp_tool *, int argc, char **argv);
/* These may ask for -P, as far as is known before a file or a state is read. */
bool	dp_options_pan(const struct dp_tool *, int argc, char **argv);
/* One option as if it stood on the command line. c: getopt's number. */
void	dp_options_set(struct dp_options *, const struct dp_tool *, int c, const char *arg);
/*
 * --tz, --from and --to, once all options are known (also from a state file); exits like
 * dp_options_parse().
 */
void	dp_options_times(struct dp_options *);
/* What one option says about others: once all are known, also from a state file. */
void	dp_options_complete(struct dp_options *);
/* Whether lines have a form of their own (--cut, --log, --json), and fields names. */
bool	dp_options_formed(const struct dp_options *);
/* tool->task(), and what holds for every task. */
void	dp_options_task(struct dp_options *, const struct dp_tool *);
void	dp_options_free(struct dp_options *);
/* A command line as a shell would read it, but for control characters; owned by the caller. */
char	*dp_options_command(int argc, char **argv);
/* Memory freed with o from now on; NULL is none: out of memory, and exits. */
void	dp_options_own(struct dp_options *, void *);
/* A copy of n bytes at p, freed with o. */
char	*dp_options_keep(struct dp_options *, const char *p, size_t n);

/* Checks that need all options together; exits like dp_options_parse(). */
void	dp_options_check(const struct dp_options *, const struct dp_tool *);
/* Which option forbids -P, and why; NULL: none does. */
const char *dp_options_no_pan(const struct dp_options *);
/* -k A,B: its i-th field, 0 the first. */
static inline const struct dp_field *
dp_options_key(const struct dp_options *o, unsigned i)
{
	return i == 0 ? &o->keys.field : &o->keys.then[i - 1];
}
/* Whether steps are buckets of time, which lines of the output begin with. */
static inline bool
dp_options_timed(const struct dp_options *o)
{
	return o->time.bucket != 0 && !o->time.once;
}
/* Reads a range LO:HI into o; false if malformed. */
bool	dp_options_range(struct dp_options *, const char *);
/* The range as LO:HI, in the user's units; returns text. */
#define DP_RANGE_TEXT	64
const char *dp_options_range_put(const struct dp_options *, char text[static DP_RANGE_TEXT]);
/* Its grid, as values are rounded to it: "whole numbers", "0.01"; returns text. */
const char *dp_options_grid_put(const struct dp_options *, char text[static DP_RANGE_TEXT]);
/* Whether it cuts numbers that a field, or a line under -r, holds. */
bool	dp_options_clamps(const struct dp_options *, const struct dp_tool *);
/* Splits A,B,C or @FILE into o->keys; exits on errors.  option: its name, for messages. */
void	dp_options_keys(struct dp_options *, const char *option, const char *);
/*
 * Says on standard error which of them begin or end with a blank, and that the only one of a list
 * has one; not of a state that goes on.
 */
void	dp_options_keys_warn(const struct dp_options *, const char *option);

/* options_bucket.c */
/* Open buckets of a run that the options fix. */
size_t	dp_options_rows(const struct dp_options *);
/* --gap, or 100 buckets, or 31 days of them if that is more. */
uint64_t dp_options_gap(const struct dp_options *);
/* NULL, or what is wrong with --time-format, for a message after its text. */
const char *dp_options_time_format(const struct dp_options *);
/* --partial: refuses what only a reader of events needs, and says how rows are read. */
void	dp_options_partial(struct dp_options *);
/* Fields of a row of partial sums. */
enum { DP_PARTIAL_TIME = 1, DP_PARTIAL_KEY, DP_PARTIAL_SUM };

/* "dpcount: ..." on standard error and exit. */
_Noreturn void dp_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Flushes what stdio printed; a failure is a message and DP_EX_SYSTEM. */
int	dp_close_stdout(void);
void	dp_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define DP_COLUMNS	"DPUTILS_COLUMNS"	/* is 1: --explain ends with what columns are */

#define DP_SHOWN	100		/* bytes of a text that are enough */
#define DP_SHOWN_TEXT	(DP_SHOWN + 4)

/*
 * A text that anybody may have written, for a terminal: control characters as '?', and what is no
 * ASCII too, if it is no UTF-8.  NULL is fine.
 */
void	dp_plain(char *text);
/* The beginning of n bytes, for a terminal; returns text. */
char	*dp_shown(char text[static DP_SHOWN_TEXT], const char *p, size_t n);
/* The beginning of a text, for a terminal, added to a buffer. */
void	dp_shown_put(struct dp_buf *, struct dp_slice);

#endif
