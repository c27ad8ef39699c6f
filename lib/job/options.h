/* SPDX-License-Identifier: ISC */
/* options.h - fields that options name, and conditions of them. */
#ifndef DP_JOB_OPTIONS_H
#define DP_JOB_OPTIONS_H

#include <stdbool.h>

#include "base/logs.h"
#include "base/text.h"
#include "base/when.h"
#include "plan.h"

struct dp_tool;

/* A field named on the command line: by number, or by name (-H, --cut, --log, --json). */
struct dp_field {
	const char *name;	/* NULL: number counts */
	unsigned number;	/* 0: not given */
};

/* -u A,B and -v A,B: fields that name one user or identifier together. */
#define DP_KEY_FIELDS	4
struct dp_fields {
	struct dp_field part[DP_KEY_FIELDS];
	unsigned n;		/* 0: one field, and no more */
};

/* --let: a field that is made of another one's text, and takes the number DP_FIELDS_MAX + 1 + i. */
struct dp_let {
	const char *name;
	struct dp_field from;
	const char *how;	/* a word that let.c knows, or a pattern whose group it is */
	bool pattern;
};

/* --where: a line is an event only if it matches, or its field does, or compares so. */
struct dp_condition {
	struct dp_field field;	/* number 0: the line */
	enum dp_op { DP_OP_MATCH, DP_OP_EQUAL, DP_OP_OTHER, DP_OP_BELOW, DP_OP_UP_TO, DP_OP_ABOVE,
	    DP_OP_FROM } op;
	const char *pattern;	/* or what the field is compared with */
	bool number;		/* which is a number */
	bool either;		/* --or joins it with the one before */
	const char *text;	/* as given */
};

/*
 * Command lines: the options that tools share, in groups, and those of one tool alone.
 */

#define DP_KEYS_MAX	1000000
#define DP_KEY_MAX	255	/* bytes */
#define DP_OWN_MAX	15
#define DP_LISTS_MAX	8
#define DP_OPTION_CODES	320			/* getopt's: letters, long ones, a tool's own */

enum dp_format { DP_PLAIN, DP_TSV, DP_CSV, DP_JSON, DP_LONG, DP_MARKDOWN, DP_PROMETHEUS };
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
	DP_GROUP_KEY = 8,	/* -k --keys; DP_GROUP_UNIT: -k */
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
	DP_GROUP_EACH = 4194304,	/* --each-user */
	DP_GROUP_SAMPLING = 8388608,	/* --sampling --independent --weight --of */
	DP_GROUP_RETENTION = 16777216,	/* --retention */
	DP_GROUP_ROUND = 33554432,	/* --integers --round --suppress */
	DP_GROUP_DIFFERENCE = 67108864,	/* --difference */
	DP_GROUP_COUNTER = 134217728,	/* --counter --holistic */
	DP_GROUP_DROPPED = 268435456,	/* --dropped */
	DP_GROUP_TABLE = 536870912,	/* --margins --hierarchy */
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
	bool adds;			/* says what an event adds to: dpmap --for takes it */
	bool later;			/* no state from before there were jobs knows it */
	bool rare;			/* --help=all has it, the first screen has not */
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

#define DP_RETENTION_MAX	10000

/* -u, -c */
struct dp_ask_users {
	struct dp_field field;		/* of several fields: their texts, as given */
	struct dp_fields several;
	uint64_t most;			/* events of one that count */
	bool per_step;			/* `most' is for each step, and one step is protected */
	/* K/B: steps between those that count, or more; 0: any.  Its text: dp_options_spacing(). */
	uint64_t spacing;
	const char *spacing_text;
	bool once;	/* of these no two have one name, or declared key; task() */
	/* --each-user: a user's events of a step are one, of what they come to (store/fold.c) */
	unsigned each;
	bool counter;		/* a value is a reading, and counts what it has increased by */
	uint64_t retention;	/* columns: steps since a user's first, 0 .. this, more; 0: no */
	const char *retention_text;	/* a duration, until the bucket is known; or NULL */
	bool automatic;			/* -c auto, which stands for others (parse.c) */
	uint64_t dropped;	/* events beyond `most' that are counted as left out; 0: none are */
};

/* In the order of the words of --each-user. */
enum dp_each { DP_EACH_NO, DP_EACH_ANY, DP_EACH_COUNT, DP_EACH_SUM, DP_EACH_MEAN, DP_EACH_MAX,
	DP_EACH_MIN, DP_EACH_FIRST, DP_EACH_LAST };

enum { DP_TOTALS_NO, DP_TOTALS_EACH, DP_TOTALS_SIMPLEX };

#define DP_OR	"--or"			/* a line of `where' */
struct dp_ask_lets {
	const char *text;		/* --let, a field a line */
	struct dp_let made[DP_LETS_MAX];	/* the same, once complete */
	unsigned n;
};

/* Bytes of numbers. */
struct dp_digits {
	char decimal, thousands;	/* NUL: a point, and none */
	bool lakh;			/* groups are of two digits, but the last one of three */
};

enum { DP_CSV_NO, DP_CSV_ROWS, DP_CSV_LINES };	/* rows: of several lines, if in quotes */

/* Options that cut a line, and decide if it is an event. */
struct dp_ask_form {
	int delimiter;			/* -1: runs of blanks */
	unsigned csv;
	bool header, strict, json;
	struct dp_digits digits;
	const struct dp_log *log;
	const struct dp_log *outer;	/* --log=OUTER+LOG: its messages are lines of `log' */
	const char *cut;		/* the pattern, also of --log */
	struct dp_ask_lets lets;
	const char *where;		/* a condition a line, or DP_OR */
	struct dp_condition *condition;	/* `where', once complete; owned */
	size_t conditions;
	struct dp_field value;		/* as users.field */
	struct dp_fields several;
	const char *match;
	bool fixed, icase, invert;
	/* Lines are a randomiser's answers: task().  SIMPLEX: totals sum to their number. */
	unsigned totals;
};

/* --weight: rows have a weight besides their value, and what is asked for is a ratio of totals. */
struct dp_ask_weight {
	struct dp_field field;
	const char *max;		/* as given, or NULL */
	bool times;			/* the value is an answer, which the weight multiplies */
	/* On which grids they are read, and what numbers of a row are at most; task() sets these */
	unsigned places, value_places;
	unsigned grid;			/* of the totals of a row */
	uint64_t cap;			/* 0: what a unit moves them by */
};

/* Range of values, and the largest difference between those of neighbours. */
struct dp_ask_range {
	int64_t lo, hi;			/* grid units */
	int64_t nothing;		/* the value of a line that holds no number; the tool's */
	unsigned places;		/* grid 10^-places */
	unsigned finer;			/* places that the range was not written with */
	unsigned coarser;	/* places of answers that neither values nor the range have */
	bool has_range;
	bool magnitudes;		/* -r auto:HI, lo is -HI: complete.c */
	const char *total;		/* --unit, as given: values are totals; else NULL */
	/*
	 * Most grid units by which a value differs between neighbours: of --unit, or set by the
	 * task() of a tool of DP_SHAPE_NUMBER.  0: the range decides.  apart: --sensitivity as
	 * given, if every line's value may differ so (account/neighbour.h); else NULL.
	 */
	uint64_t unit;
	const char *apart;
	bool one_way;	/* account/neighbour.h */
	uint64_t changes;	/* --holistic: lines that one event may change; 0: not given */
	struct dp_ask_weight weight;
	bool entry;	/* the protected unit is a number of a line; task() sets it */
	/*
	 * Symbols: distance, in grid units, by which one line's symbol moves the sums that noise is
	 * planned for; a tool's task() sets both.  0: the mechanism computes it.
	 */
	uint64_t l1, l2squared;
	uint64_t counts;		/* what counts of all symbols move by in sum; 0: unsaid */
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
	struct dp_ask_zone {
		const char *name;	/* as given; NULL: times are read as in tz */
		struct dp_zone zone;	/* owned */
	} in;
	const char *start;		/* as given; NULL: midnight, Monday */
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
	/*
	 * -k A[]: every element of an array is a key.  most: so many of an event count, as -c says
	 * where there are no users; 0: as many as its user's allowance has left.
	 */
	bool each;
	uint64_t most;
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
	bool step;			/* the unit is all that an identifier does in one step */
	bool keyed;	/* those of each key, told by when each was seen there last (complete.c) */
};

/* Parts of a log: --partial (input/partial.h), dpmap. */
struct dp_ask_shard {
	bool partial;
	unsigned by_user;		/* 1: all lines of a user are in one shard */
	bool identifiers;		/* rows are of identifiers, which nobody declared */
	bool names;			/* rows are of names, declared or not; task() */
	bool symbols;			/* rows are of lines: of a column, or, no key, of none */
	const char *name;		/* dpmap: what its counts are called */
	/*
	 * What sums are of, where they are no plain counts: the tool, and how it divides a value; a
	 * tool's task() sets it.  NULL: plain counts, which all tools of counts add up.
	 */
	const char *adds;
#define DP_FILEPARTS_MAX	1000000
	uint64_t slice, slices;		/* dpmap: the part of its file (input/record.h); 0: all */
	uint64_t expect;		/* --expect: shards that must be there; 0: not said */
	const char *expected;		/* their names, escaped, each with a newline; NULL: any */
	const struct dp_hash_key *hash;	/* dpmap: prints hashes of identifiers; NULL: texts */
	const char *hashed;		/* --partial: the print of their key; NULL: not said */
};

/* dpmap --hash-key: what hashes identifiers, and what says in public which key it was, in hex. */
struct dp_hash_key {
	unsigned char key[16];
	char print[33];
};

/* --explain; --safe: names that a spreadsheet is kept from taking for formulas, in CSV */
enum { DP_EXPLAIN_NO, DP_EXPLAIN_TEXT, DP_EXPLAIN_JSON, DP_EXPLAIN_PLAN };
enum { DP_SAFE_UNDECLARED, DP_SAFE_ALL, DP_SAFE_NONE };

/* Tables: totals, and how their numbers are printed. */
struct dp_ask_table {
	bool margins;
	struct dp_q share;		/* of the budget, on totals; 0: none */
	const char *hierarchy;		/* file of child,parent rows; NULL: none */
	bool integers;			/* whole numbers */
	uint64_t round;			/* to multiples of it; 0: not given */
	uint64_t suppress;		/* what is below it is not printed; 0: not given */
	struct dp_margins *made;	/* owned; NULL: no totals */
};

#define DP_OTHERS	"+"		/* in the place of a key: all that --top leaves out */

/* Options of printing and explaining. */
struct dp_ask_print {
	enum dp_format format;
	const char *metric;		/* prometheus:NAME; NULL: the tool's name */
	double confidence;		/* 0: no bounds */
	bool sampling, independent;	/* bounds are of what the events are a sample of */
	bool nonnegative, monotone, number, line_buffered, quiet;
	uint64_t every;			/* steps between two that are printed; 0: at the end */
	uint64_t top;			/* most rows of a step, the largest first; 0: no --top */
	bool others;			/* and one row more, of all others */
	bool difference;		/* keys' columns less that of the base-th */
	const char *less;		/* --difference=KEY; NULL: the first */
	size_t base;
	struct dp_ask_table table;
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

/* Input is one whole, and a state has all of it or nothing. */
static inline bool
dp_options_together(const struct dp_options *o)
{
	return o->time.steps == DP_BY_RANGE || (o->shard.symbols && o->shard.partial);
}

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
 * From the options given to all that a run goes by (complete.c); exits like
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
/* The zone of times without an offset; NULL: UTC */
const struct dp_zone *dp_options_zone_in(const struct dp_options *);
/* All of --where, for a message: 'a' and ('b' or 'c'); a long one is cut off.  Returns text. */
#define DP_WHERE_TEXT	400
const char *dp_options_where_put(const struct dp_options *, char text[static DP_WHERE_TEXT]);
/* True: --or joins some of them. */
bool	dp_options_either(const struct dp_options *);
/* True: --log=w3c, whose header is lines that begin with #. */
bool	dp_options_w3c(const struct dp_options *);
/* True: --log=auto, which with --check says which log a line is of. */
bool	dp_options_any_log(const struct dp_options *);
/* True: --log=csvlog, whose header is in no file (base/logs.h). */
bool	dp_options_csvlog(const struct dp_options *);
/* True: a field that is - has no value in the lines of --log and --log-format, and names nobody. */
bool	dp_options_dashed(const struct dp_options *);
/* True: lines have a form of their own (--cut, --log, --json), and fields have names. */
bool	dp_options_formed(const struct dp_options *);
void	dp_options_free(struct dp_options *);
/* Memory to be freed with the options; NULL: exits, as memory is out. */
void	dp_owned_add(struct dp_ask_owned *, void *);
/* A copy of n bytes at p, freed with o, or with the options that are asked. */
char	*dp_options_keep(struct dp_options *, const char *p, size_t n);
char	*dp_question_keep(struct dp_question *, const char *p, size_t n);
/* -k A,B: its i-th field, 0 the first. */
static inline const struct dp_field *
dp_options_key(const struct dp_options *o, unsigned i)
{
	return i == 0 ? &o->keys.field : &o->keys.then[i - 1];
}
/* True: what is protected is a user in one step, as there is one, or as -c K/step says. */
static inline bool
dp_options_step_unit(const struct dp_options *o)
{
	return o->users.per_step || (o->time.once && o->keep.state == NULL);
}
/* True: steps are buckets of time, and lines of the output begin with it. */
static inline bool
dp_options_timed(const struct dp_options *o)
{
	return o->time.bucket != 0 && !o->time.once;
}
/* Reads a range LO:HI into o; false if malformed. */
bool	dp_options_range(struct dp_options *, const char *);
/* True: values are whole numbers, whatever is read: matches, or a user's number of events. */
static inline bool
dp_options_whole(const struct dp_options *o)
{
	return o->form.match != NULL || o->users.each == DP_EACH_ANY ||
	    o->users.each == DP_EACH_COUNT;
}
/*
 * A finer grid than the decimals that the range was written with: what a millionth of the range
 * needs, or as many decimals more; at most 9, and the range below 2^50 grid units.  A state that
 * goes on has the grid that it was begun with, which is that of the range if it says nothing.
 */
void	dp_options_refine(const struct dp_options *, struct dp_ask_range *, unsigned finer);
/* The range as LO:HI, in the user's units, as it was written; returns text. */
#define DP_RANGE_TEXT	64
const char *dp_options_range_put(const struct dp_options *, char text[static DP_RANGE_TEXT]);
/*
 * The grid that values are rounded to: "whole numbers", "0.01"; and where a range was given that
 * has fewer than 100 grid units, how it has more of them.  Returns text.
 */
#define DP_GRID_TEXT	(2 * DP_RANGE_TEXT)
const char *dp_options_grid_put(const struct dp_options *, char text[static DP_GRID_TEXT]);
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
/*
 * Fields of a row of partial sums.  The sum is the third; or the fourth, and the third is which of
 * the numbers it is of that a key's events add to, from 1 on.
 */
enum { DP_PARTIAL_TIME = 1, DP_PARTIAL_KEY, DP_PARTIAL_SUM, DP_PARTIAL_LAST };

/* "dpcount: ..." on standard error and exit. */
_Noreturn void dp_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Flushes what stdio printed; a failure is a message and DP_EX_SYSTEM. */
int	dp_close_stdout(void);
/* Text from here on is wrapped where standard output is a terminal (wrap.c). */
void	dp_wrap_begin(void);
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

/*
 * A tool: one table in its cmd/ file, and one call of the driver (run/driver.h).
 *
 * The table has the options that the tool takes, how a line becomes a step's value, what is
 * estimated and when it is printed.  The shared parser refuses every other option with a clear
 * message.
 *
 * Adding a tool: one file in cmd/, its mechanisms in lib/counter/ (a line each in lib/job/list.c),
 * its page in man/.
 */

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
	 * of the step, and every key has a column of its own.  Not with DP_GROUP_UNIT, whose values
	 * are sums of events.
	 */
	DP_SHAPE_CONTRIBUTIONS,
	/*
	 * A name, which counts 1: the key, or without --key the line, declared (--keys) or not.
	 * Each name has a column of its own, from its first event on (counter/mech.h, late).  Steps
	 * are
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
	/*
	 * Not NULL: `most' is what all of a user's events together move each number of the band by,
	 * up or down (stat/dropped.h).  The term of an event that -c leaves out.
	 */
	void (*beyond)(const struct dp_options *, struct dp_term *);
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
	bool map;	/* prints exact partial sums (input/partial.h), and releases nothing */
	bool fine;	/* how fine values are told depends on -e, which dpmap takes, too */
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
	/*
	 * --weight: adds->of() of a row's value and weight, each on the grid that task() has
	 * set; *whole false: the row was clamped.  It adds at most dp_ask_weight.cap to a number,
	 * if there is one, else at most adds->most() in all.
	 */
	unsigned (*weigh)(const struct dp_options *, int64_t value, int64_t weight,
	    struct dp_term *, bool *whole);
	/*
	 * Not NULL: there is one column, and a key's event adds to several of its numbers: from the
	 * one term of adds->of() it makes those of the key, and returns how many.
	 */
	unsigned (*at)(const struct dp_options *, size_t key, struct dp_term *);
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
	 * warn of predicted errors above half of it (explain/explain.c).  NULL: of numbers in lines
	 * it
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

/*
 * dpmap (map.c).  dpmap --for=TOOL is TOOL under the name of dpmap: its table becomes that of a
 * tool which prints what TOOL adds up.
 */
enum { DP_MAP_SHARD, DP_MAP_SLICE, DP_MAP_FOR, DP_MAP_OWN };
#define DP_MAP_TOOLS	"dpcount dpwindow dpdecay dpmean dpquantile dptop dpproject"
extern const struct dp_own dp_map_own[];	/* dpmap's own options, in that order */
/* Their part of a task(); own: their values. */
void	dp_map_task(const struct dp_options *, struct dp_question *,
	    const struct dp_own_value own[static DP_MAP_OWN]);
/* The TOOL of --for; NULL: there is none. */
const char *dp_map_for(int argc, char **argv);
/* The tool, or what it is for dpmap --for. */
const struct dp_tool *dp_map_of(const struct dp_tool *, int argc, char **argv);

/* A statistic of events' values; not a count or a sum with a share besides, or totals. */
static inline bool
dp_tool_of_values(const struct dp_tool *tool)
{
	return tool->adds != NULL && tool->adds->beyond == NULL && tool->at == NULL;
}

/* -m alone says what is asked for: a count of what matches, or its share; else with --each-user. */
static inline bool
dp_tool_matches(const struct dp_tool *tool)
{
	const bool bins = dp_tool_of_values(tool) &&
	    (tool->groups & (DP_GROUP_EACH | DP_GROUP_SAMPLING)) == DP_GROUP_EACH;

	return (tool->groups & DP_GROUP_MATCH) != 0 && !bins;
}

/* Decimals of values. */
static inline unsigned
dp_range_places(const struct dp_ask_range *r)
{
	return r->places - r->coarser;
}

/* The word of --each-user. */
const char *dp_options_each(const struct dp_options *);
/* --each-user: a user has a number for each key, or name. */
static inline bool
dp_options_by_cell(const struct dp_options *o, const struct dp_tool *tool)
{
	return (o->keys.n != 0 && o->users.retention == 0) || tool->shape == DP_SHAPE_NAME;
}
/* --counter -c 1/step: a user's events of a step move one number of a later step, too. */
static inline bool
dp_options_linked(const struct dp_options *o)
{
	return o->users.counter && o->users.per_step;
}
/* --each-user: a user has one number in a step, and nothing is left out. */
static inline bool
dp_options_lone(const struct dp_options *o, const struct dp_tool *tool)
{
	return o->users.each != DP_EACH_NO && o->users.most == 1 &&
	    !dp_options_by_cell(o, tool) && dp_options_step_unit(o);
}

/* Parts that tools share of their task() (relation.c). */
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
void	dp_options_ages(struct dp_question *, const struct dp_own_value *);
void	dp_options_weights(const struct dp_options *, struct dp_question *,
	    const struct dp_own_value *);

/*
 * Neighbours under these options, the distance between them, and the sentences on
 * both.
 */

/* The guarantee's numbers, once the options are complete (also from a state file). */
void	dp_options_setting(const struct dp_options *, const struct dp_tool *,
	    struct dp_mech_rule *);
/* Adds the lines of a plan on what neighbours move (dputils-plan(5)).  DP_ENOMEM. */
int	dp_options_neighbour_lines(const struct dp_options *, const struct dp_tool *,
	    struct dp_buf *) DP_MUSTUSE;
/*
 * True: sums of buckets are exact, however large (run/step.c).  A state file has one word for a
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
	return o->keys.field.number == 0 && o->users.retention == 0 &&
	    (o->keys.n | o->keys.columns) != 0;
}
/* One sentence, without its period, on inputs that are neighbours.  Returns text. */
#define DP_NEIGHBOURS	DP_TASK_TEXT
const char *dp_options_neighbours(const struct dp_options *, const struct dp_tool *,
	    char text[static DP_NEIGHBOURS]);
/*
 * Unit of protection, in the words of account/neighbour.h.  A user's events in a step have the
 * step's
 * length as well, since losses of a day and of a month do not add up: "user-step/86400s",
 * "user-step/1mo Europe/Berlin", "user-step/1w Europe/Berlin from sun,06:00".
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
/* True: identifiers count once for each declared key (complete.c), not for any name. */
bool	dp_options_by_key(const struct dp_options *, const struct dp_tool *);
/* Sentence on what --per-user drops; the end of a sentence on errors that says so. */
#define DP_DROPPED	320
void	dp_options_dropped(const struct dp_options *, const struct dp_tool *,
	    char text[static DP_DROPPED]);
void	dp_options_dropped_end(const struct dp_options *, const struct dp_tool *, bool clamps,
	    char text[static DP_DROPPED]);
/* True: an event of -k A[] may have more keys than -c lets count; a sentence that says so. */
bool	dp_options_elements(const struct dp_options *, char text[static DP_DROPPED]);
/* True: sums of users of several steps, which look like distinct users; a sentence that says so. */
bool	dp_options_users_summed(const struct dp_options *, const struct dp_tool *,
	    char text[static DP_DROPPED]);
/*
 * A warning wherever --per-user may drop events.  None for a count of users, of a step or so far,
 * each of whom counts once.
 */
void	dp_options_dropped_warn(const struct dp_options *, const struct dp_tool *);

/*
 * Faults of declared keys: unreadable bytes, or names that look alike in the output.  A
 * fault is a text for a message after the option's name.
 */

/* A fault of a text as a value in this output format; NULL: none. */
const char *dp_keys_objection(const struct dp_options *, const char *text);

/*
 * Tools that stand beside the filters: they release nothing of their own; of the
 * shared options they take --help and --version.
 */

struct dp_aside {
	const char *name, *purpose;
#define DP_ASIDE_LINES	5
	const char *synopsis[DP_ASIDE_LINES];	/* the usage, a line each; NULL: end */
	const char *examples;		/* of --help, indented by two blanks; NULL: none */
	const char *statuses;		/* exit statuses, as --help has them */
	const struct dp_own *own;	/* ended by a NULL name, at most DP_OWN_MAX of them */
	/* Name of a flag after which the first operand begins a command; NULL: no such flag. */
	const char *command;
};

/*
 * Reads argv.  Values of options go to v[], by the option's place in own[]; operands go to the
 * front of argv, behind argv[0], and a NULL behind them.  Returns the number of operands.  An error
 * is one clear line and DP_EX_USAGE; --help and --version print and exit 0.
 */
int	dp_aside_parse(const struct dp_aside *, struct dp_own_value v[static DP_OWN_MAX], int argc,
	    char **argv);
void	dp_aside_begin(const struct dp_aside *);
int	dp_aside_next(const struct dp_aside *, char order, int n, int argc, char **argv);

#endif
