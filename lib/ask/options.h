/*
 * options.h - command lines: the options that tools share, in groups, and those of one tool alone.
 *
 * Of lib/, only ask, event, keep, tell, plot and run print, exit or read the clock (make lint).
 */
#ifndef DP_OPTIONS_H
#define DP_OPTIONS_H

#include "fields.h"
#include "base/buf.h"
#include "base/num.h"
#include "plan/plan.h"
#include "stream/cut.h"
#include "stream/span.h"
#include "stream/when.h"

#define DP_KEYS_MAX	1000000
#define DP_KEY_MAX	255	/* bytes */
#define DP_COLUMNS_MAX	1000000
#define DP_OWN_MAX	13
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
	DP_GROUP_STATE = 64,	/* --state --init --out --batch --witness --change --next */
	DP_GROUP_BOUND = 128,	/* -B */
	DP_GROUP_NONNEGATIVE = 256,
	DP_GROUP_MONOTONE = 512,	/* --monotone: estimates of a sum that never falls */
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
	DP_GROUP_PER_USER = 1048576,	/* -c without -u */
	DP_GROUP_SEEN = 2097152,	/* --seen */
	/* A flag beside a group: refused by a tool that releases nothing (dp_tool.map). */
	DP_GROUP_RELEASE = 1 << 30
};
/* Groups of tools that sum numbers; tools that take exact partial sums add _PARTIAL. */
#define DP_GROUPS_SUM	(DP_GROUP_RANGE | DP_GROUP_VALUE | DP_GROUP_MATCH | DP_GROUP_TIME | \
	DP_GROUP_WHERE | DP_GROUP_KEY | DP_GROUP_USER | DP_GROUP_STATE | DP_GROUP_BOUND | \
	DP_GROUP_NONNEGATIVE | DP_GROUP_PAN | DP_GROUP_UNIT)

enum dp_kind {
	DP_KIND_TEXT,
	DP_KIND_FLAG,		/* takes no argument */
	DP_KIND_NUMBER,		/* a decimal or ratio above 0, exact; a state compares values */
	DP_KIND_FILE,		/* its name; of a tool's own: read, hashed, compared by contents */
	DP_KIND_WHOLE,		/* a whole number within bounds */
	DP_KIND_FIELD, DP_KIND_DURATION,
	DP_KIND_WORD,		/* one of a few words, or none */
	DP_KIND_LIST		/* A,B,C or @FILE */
};

/* An option of one tool alone. */
struct dp_own {
	int letter;			/* 0: long only */
	const char *name, *arg, *help;	/* arg: NULL for a flag */
	enum dp_kind kind;
	const char *words;		/* that it may be; NULL: others, too */
};

struct dp_own_value {
	const char *text;	/* as given; a flag: ""; NULL: not given */
	struct dp_q number;
	char *file;		/* contents of the file, and a NUL; owned */
	size_t size;
	char hash[33];		/* hash of `file', hex */
};

/* One number of a line. */
enum dp_output_kind {
	DP_OUTPUT_ESTIMATE,	/* unbiased; if it has a law: an interval with -B */
	DP_OUTPUT_BIASED,	/* has a bias, or an error to one side; if it has a law: with -B */
	DP_OUTPUT_CHOICE	/* the place of a declared column: its name, or its number from 1 */
};

struct dp_output {
	char *name;		/* NULL: the only output; owned */
	enum dp_output_kind kind;
	unsigned fewer;		/* decimals that it has less than other outputs */
};

/* Options that decide the noise, from -e on. */
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
	struct dp_field field;		/* of several fields: their texts, as given */
	struct dp_fields several;
	uint64_t most;			/* events of one that count */
	bool per_step;			/* so many in each step, and protected are those of one */
	/* K/B: steps between those that count, or more; 0: any.  Its text: dp_options_spacing(). */
	uint64_t spacing;
	const char *spacing_text;
	bool once;	/* of these no two have one name, or declared key; task() */
};

enum { DP_TOTALS_NO, DP_TOTALS_EACH, DP_TOTALS_SIMPLEX };

/* Options that cut a line, and decide if it is an event. */
struct dp_ask_form {
	int delimiter;			/* -1: runs of blanks */
	bool csv, header, strict, json;
	const struct dp_log *log;
	const char *cut;		/* the pattern, also of --log */
	const char *where;		/* a condition a line */
	struct dp_condition *condition;	/* `where', once complete; owned */
	size_t conditions;
	struct dp_field value;		/* as users.field */
	struct dp_fields several;
	const char *match;
	bool fixed, icase, invert;
	/* Lines are a randomiser's answers: task().  SIMPLEX: totals sum to their number. */
	unsigned totals;
};

/* Range of values, and the largest difference between those of neighbours. */
struct dp_ask_range {
	int64_t lo, hi;			/* grid units */
	int64_t nothing;		/* the value of a line that holds no number; the tool's */
	unsigned places;		/* grid 10^-places */
	bool has_range;
	bool magnitudes;		/* -r auto:HI, lo is -HI: options_variant.c */
	const char *total;		/* --unit, as given: values are totals; else NULL */
	/*
	 * Most grid units by which a value differs between neighbours: of --unit, or set by the
	 * task() of a tool of DP_SHAPE_NUMBER.  0: the range decides.  apart: --sensitivity as
	 * given, if every line's value may differ so (neighbour.h); else NULL.
	 */
	uint64_t unit;
	const char *apart;
	bool one_way;	/* neighbour.h */
	bool entry;	/* the protected unit is a number of a line; task() sets it */
	/*
	 * Symbols: distance, in grid units, by which one line's symbol moves the sums that noise is
	 * planned for; a tool's task() sets both.  0: the mechanism computes it.
	 */
	uint64_t l1, l2squared;
};

/* Times of events, and the steps that are made of them. */
struct dp_ask_time {
	struct dp_field field;
	struct dp_field clock;		/* the time of day, if it has a field of its own */
	const char *format;
	uint64_t bucket;		/* seconds, of months on average; 0: lines */
	struct dp_span span;		/* length and zone of buckets */
	const char *tz;			/* as given; NULL: UTC */
	struct dp_zone zone;		/* behind span.zone; owned */
	enum dp_steps steps;
	/*
	 * --once: BY_RANGE with one bucket of a second: in the n-th run of a state the n-th second
	 * since 1970, which is never printed.
	 */
	bool once;
	bool next;			/* --next: the state and the clock set from and to */
	bool has_from, has_to;
	int64_t from, to;		/* events outside count nowhere */
	int64_t begin, end;		/* the whole buckets that hold from and to */
	uint64_t lateness;
	uint64_t gap;			/* 0: dp_options_gap() */
};

/* Declared keys, or names; or numbers without. */
struct dp_ask_keys {
	struct dp_field field;
	struct dp_field then[DP_KEY_FIELDS - 1];	/* -k A,B: fields after the first */
	unsigned more;			/* number of fields in `then'; texts are joined by '/' */
	const char *list;		/* as given: A,B,C, A,B/C,D of several fields, or @FILE */
	const char *other;		/* --other: the last key, of undeclared ones; or NULL */
	char **name;			/* owned */
	size_t n;
	bool own;			/* a tool's task() made them of options of its own */
	uint64_t hold;			/* --hold=1/N: N; 0: every name is held */
	uint64_t columns;		/* --columns; 0: not given */
	uint64_t ones;			/* --ones; 0: not given */
	size_t adds;	/* numbers of one key that events add to, once the task is known; else 0 */
};

/* Identifiers; a tool's task() sets these. */
struct dp_ask_id {
	bool deletes;			/* -ID undoes ID */
	uint64_t universe;		/* they are the numbers 1 .. universe; 0: texts */
	bool whole;			/* the unit is all events of an identifier, */
	bool presence;			/* present or absent together */
};

/* Parts of a log: --partial (partial.h), dpmap. */
struct dp_ask_shard {
	bool partial;
	unsigned by_user;		/* 1: all lines of a user are in one shard */
	bool identifiers;		/* rows are of identifiers, which nobody declared */
	const char *name;		/* dpmap: what its counts are called */
	uint64_t slice, slices;		/* dpmap: the part of its file (filepart.h); 0: all */
	uint64_t expect;		/* --expect: shards that must be there; 0: not said */
	const char *expected;		/* their names, escaped, each with a newline; NULL: any */
};

/* --explain; --safe: names that a spreadsheet is kept from taking for formulas, in CSV */
enum { DP_EXPLAIN_NO, DP_EXPLAIN_TEXT, DP_EXPLAIN_JSON, DP_EXPLAIN_PLAN };
enum { DP_SAFE_UNDECLARED, DP_SAFE_ALL, DP_SAFE_NONE };

/* Options of printing and explaining. */
struct dp_ask_print {
	enum dp_format format;
	const char *metric;		/* prometheus:NAME; NULL: the tool's name */
	double confidence;		/* 0: no bounds */
	bool nonnegative, monotone, number, line_buffered, quiet;
	uint64_t every;			/* steps between two that are printed; 0: at the end */
	uint64_t top;			/* most rows of a step, the largest first; 0: no --top */
	unsigned explain;
	bool check;			/* --check: shows how lines are read; releases nothing */
	unsigned safe;
};

/* The state file, and options that need one. */
struct dp_ask_keep {
	const char *state, *out, *batch, *witness, *receipt, *sign;
	const char *move;		/* --state-move: where to; NULL: no move */
	bool init, show, change, seen;
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

/* All that a tool's task() makes of the options. */
struct dp_question {
	struct dp_task task;
	struct dp_output *output;	/* owned */
	unsigned outputs;		/* number of outputs, >= 1 */
	unsigned room;			/* outputs that `output' has room for */
	/* Begin as the options', and become theirs */
	struct dp_ask_range range;
	struct dp_ask_keys keys;
	struct dp_ask_id id;
	struct dp_ask_shard shard;
	struct dp_own_value own[DP_OWN_MAX];
	uint64_t hold, top;		/* keys.hold, print.top */
	double beta;			/* priv.beta */
	bool pan_default, once;		/* priv.pan_default, users.once */
	bool nonnegative;		/* print.nonnegative */
	unsigned totals;		/* form.totals */
	struct dp_ask_owned *owned;
};

struct dp_options {
	uint64_t horizon;		/* 0: unknown */
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
	struct dp_ask_operands operands;
	struct dp_own_value own[DP_OWN_MAX];
	struct dp_task task;
	struct dp_output *output;	/* owned */
	unsigned outputs;		/* number of outputs, >= 1 */
	unsigned room;			/* outputs that `output' has room for */
	/* Options given, by getopt's number, and their texts, to be compared with a state file's */
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
/* True: argv may ask for -P, as far as is known before a file or a state is read. */
bool	dp_options_pan(const struct dp_tool *, int argc, char **argv);
/* One option as if it stood on the command line. c: getopt's number. */
void	dp_options_set(struct dp_options *, const struct dp_tool *, int c, const char *arg);
/*
 * Who else has a say in the options of a run: a state, with those that it keeps, and --next, with
 * --from and --to.  NULL: it has none.
 */
struct dp_completion {
	void *arg;
	void (*kept)(void *arg, struct dp_options *);
	void (*next)(void *arg, struct dp_options *);
};
/*
 * From the options given to all that a run goes by (options_complete.c); exits like
 * dp_options_parse().  Returns the tool, or what an option makes of it.  NULL: nobody has a say.
 */
const struct dp_tool *dp_options_complete(struct dp_options *, const struct dp_tool *,
	    const struct dp_completion *);
/* --within: the epsilon that was found. */
void	dp_options_found(struct dp_options *, struct dp_q epsilon);
/* The mechanism is chosen; -P, where it is the default, if it can. */
void	dp_options_planned(struct dp_options *, const struct dp_mech_ops *);
/* --tz, --from and --to, once all options are known (also from a state file). */
void	dp_options_times(struct dp_options *);
/* True: lines have a form of their own (--cut, --log, --json), and fields have names. */
bool	dp_options_formed(const struct dp_options *);
void	dp_options_free(struct dp_options *);
/* A command line as a shell would read it, but for control characters; owned by the caller. */
char	*dp_options_command(int argc, char **argv);
/* Memory to be freed with the options; NULL: exits, as memory is out. */
void	dp_owned_add(struct dp_ask_owned *, void *);
/* A copy of n bytes at p, freed with o, or with the options that are asked. */
char	*dp_options_keep(struct dp_options *, const char *p, size_t n);
char	*dp_question_keep(struct dp_question *, const char *p, size_t n);

/* An option that forbids -P, and why; NULL: -P can be had. */
const char *dp_options_no_pan(const struct dp_options *);
/* -k A,B: its i-th field, 0 the first. */
static inline const struct dp_field *
dp_options_key(const struct dp_options *o, unsigned i)
{
	return i == 0 ? &o->keys.field : &o->keys.then[i - 1];
}
/* True: steps are buckets of time, and lines of the output begin with it. */
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
/* The grid that values are rounded to: "whole numbers", "0.01"; returns text. */
const char *dp_options_grid_put(const struct dp_options *, char text[static DP_RANGE_TEXT]);
/* True: the range may cut numbers: of a field, or of lines under -r. */
bool	dp_options_clamps(const struct dp_options *, const struct dp_tool *);
/* Splits A,B,C or @FILE; exits on errors.  option: its name, for messages. */
void	dp_options_keys(struct dp_ask_keys *, const char *option, const char *);
/* The keys of a state; DP_EINVAL: one is too long, or there twice. */
int	dp_options_keys_list(struct dp_ask_keys *, char *const *name, size_t n) DP_MUSTUSE;
/*
 * Warnings of keys that begin or end with a blank, and of a list's only key if it holds a blank, a
 * semicolon or a bar; none of a state that goes on.
 */
void	dp_options_keys_warn(const struct dp_options *, const struct dp_ask_keys *,
	    const char *option);

/* Open buckets of a run that the options fix. */
size_t	dp_options_rows(const struct dp_options *);
/* --gap, or 100 buckets, or 31 days of them if that is more. */
uint64_t dp_options_gap(const struct dp_options *);
/* Fields of a row of partial sums. */
enum { DP_PARTIAL_TIME = 1, DP_PARTIAL_KEY, DP_PARTIAL_SUM };

/* "dpcount: ..." on standard error and exit. */
_Noreturn void dp_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Flushes what stdio printed; a failure is a message and DP_EX_SYSTEM. */
int	dp_close_stdout(void);
void	dp_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define DP_COLUMNS	"DPUTILS_COLUMNS"	/* 1: --explain ends with the meaning of columns */

#define DP_SHOWN	100		/* most bytes of a text in a message */
#define DP_SHOWN_TEXT	(DP_SHOWN + 4)

/* Text for a terminal: '?' for controls, and beyond ASCII if it is not UTF-8.  NULL is fine. */
void	dp_plain(char *text);
/* The beginning of n bytes, for a terminal; returns text. */
char	*dp_shown(char text[static DP_SHOWN_TEXT], const char *p, size_t n);
/* The beginning of a text, for a terminal, added to a buffer. */
void	dp_shown_put(struct dp_buf *, struct dp_slice);

#endif
