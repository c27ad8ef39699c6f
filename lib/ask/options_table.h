/*
 * options_table.h - internal to the rooms that ask and tell: option numbers and the shared table.
 */
#ifndef DP_OPTIONS_TABLE_H
#define DP_OPTIONS_TABLE_H

#include <getopt.h>

#include "tool.h"

#define DP_TABLE_ROWS	96

/* A refusal unless the condition holds. */
#define need(cond, ...) do { \
	if (!(cond)) \
		dp_die(DP_EX_USAGE, __VA_ARGS__); \
	} while (0)

/* Long options without a letter. */
enum { OPT_LONG = 128, OPT_SEED, OPT_CSV, OPT_TSV, OPT_FIXED, OPT_INVERT, OPT_FORMAT,
    OPT_BUCKET, OPT_FROM, OPT_TO, OPT_LIVE, OPT_PUBLIC, OPT_GAP, OPT_KEYS, OPT_STRICT,
    OPT_NONNEGATIVE, OPT_MONOTONE, OPT_LINE_BUFFERED, OPT_STATE, OPT_INIT, OPT_OUT,
    OPT_BATCH, OPT_WITNESS, OPT_SHOW, OPT_CHANGE, OPT_COLUMNS, OPT_ONES, OPT_EVERY, OPT_AT_END,
    OPT_DOMAIN, OPT_PARTIAL, OPT_UNIT, OPT_WITHIN, OPT_REPORT, OPT_CUT, OPT_LOG, OPT_JSON,
    OPT_WHERE, OPT_TZ, OPT_BUDGET, OPT_MOVE, OPT_CHECK, OPT_ONCE, OPT_OTHER, OPT_TOP, OPT_NEXT,
    OPT_OWN };	/* and up: the tool's own, by their place in its table */

enum dp_keep {
	DP_KEEP_NO,			/* or in a line of its own (session_head.c) */
	DP_KEEP,			/* how lines are read or printed: --change may change it */
	DP_KEEP_FIXED			/* the noise was planned for it */
};

struct dp_row {
	int c;				/* getopt's number; 0: a heading */
	const char *name, *arg, *help;	/* arg: NULL none; "[...]" optional */
	unsigned group;			/* DP_GROUP_*: a tool that takes none of them refuses it */
	enum dp_keep keep;		/* whether a state file keeps it */
};

/* The i-th shared option or heading; NULL past the last. */
const struct dp_row *dp_table_row(size_t i);
/* The value of a shared option (options.c); an option that is none of them changes nothing. */
void	dp_options_shared(struct dp_options *, int c, const char *arg);
/* --unit (options_unit.c): its text; and what it means, once the range is known. */
void	dp_options_total(struct dp_options *, const char *text);
void	dp_options_totals(struct dp_options *);
/* A field by number or name; exits if it is neither.  It keeps the text. */
void	dp_options_field(struct dp_field *, const char *option, const char *);
void	dp_options_log(struct dp_options *, const char *);	/* --log */
/* -o and -B, and what the form of the output forbids (options_print.c). */
void	dp_options_format(struct dp_options *, const char *);
void	dp_options_confidence(struct dp_options *, const char *);
void	dp_options_check_print(const struct dp_options *);
/* Whether an option says how a line is cut, or what names its fields. */
bool	dp_options_cuts(int c);
/* Whether it does not go with another, because both say how a line is cut. */
bool	dp_options_apart(int c, int d);
/* -k A,B; and --keys and --other, once -k is known (options_keys.c). */
void	dp_options_key_fields(struct dp_options *, const char *arg);
void	dp_options_keys_complete(struct dp_options *);
/* A file that an option names cannot be read: a message, by errno, and exit. */
_Noreturn void dp_options_bad_file(const char *option, const char *path);
bool	dp_table_optional(const char *arg);	/* whether an argument may be left out */
/* Whether the tool takes it. */
bool	dp_table_takes(const struct dp_tool *, const struct dp_row *);
/* Fills longs (DP_TABLE_ROWS entries) and shorts (3 * DP_TABLE_ROWS bytes) for getopt_long(3). */
void	dp_table_getopt(struct option *longs, char *shorts, const struct dp_own *);
/*
 * After getopt_long(3) refused the word, as argv[optind - 1]: which of longs it may have meant, if
 * one is near (options_near.c).
 */
void	dp_table_near(const struct option *longs, const char *word);
/* The long name of an option, without dashes. */
const char *dp_table_name(int c, const struct dp_own *);
/* The name messages begin with. */
void	dp_table_progname(const char *);
/* what: NULL, "all" or "mechanisms"; prints and exits (options_help.c). */
_Noreturn void dp_table_help(const struct dp_tool *, const char *what);

/* Parts of it: words from column `at` on, new lines begin at `left`; width 0: one line. */
void	dp_help_words(const char *text, int at, int left, int width);
void	dp_help_own(const struct dp_own *, int width);

#endif
