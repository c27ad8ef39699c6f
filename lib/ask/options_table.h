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
    OPT_RECEIPT, OPT_SIGN, OPT_SEEN, OPT_SAFE, OPT_EXPECT,
    OPT_OWN };				/* and up: the tool's own, by their place in its table */

enum dp_keep {
	DP_KEEP_NO,			/* not kept, or in a line of its own (session_head.c) */
	DP_KEEP,			/* kept; --change may change it */
	DP_KEEP_FIXED			/* kept for good: the noise was planned for it */
};

struct dp_row {
	int c;				/* getopt's number; 0: a heading */
	const char *name, *arg, *help;	/* arg: NULL none; "[...]" optional */
	unsigned group;			/* DP_GROUP_*, of which a tool must take one */
	enum dp_keep keep;		/* in a state file */
};

/* The i-th shared option or heading; NULL past the last. */
const struct dp_row *dp_table_row(size_t i);
/* Sets the value of a shared option (options.c); any other option changes nothing. */
void	dp_options_shared(struct dp_options *, int c, const char *arg);
/* -c (options_user.c): K, K/step or K/B. */
void	dp_options_per_user(struct dp_options *, const char *text);
/* --unit (options_unit.c): takes the text; sets the unit once the range is known. */
void	dp_options_total(struct dp_options *, const char *text);
void	dp_options_totals(struct dp_options *);
/* Sets a field by number or name, and keeps the text; exits if it is neither. */
void	dp_options_field(struct dp_field *, const char *option, const char *);
void	dp_options_log(struct dp_options *, const char *);	/* --log */
/* options_where.c: --where, once all options are known. */
void	dp_options_where(struct dp_options *);
/* True: a condition of --where is a comparison. */
bool	dp_options_compares(const struct dp_options *);
/* options_print.c: sets -o and -B; refuses options that the form of the output forbids. */
void	dp_options_format(struct dp_options *, const char *);
/* The whole file, at most DP_FILE_MAX bytes, with a NUL behind it; the caller's to free. */
char	*dp_options_read(const char *option, const char *path, size_t *n);
void	dp_options_expect(struct dp_options *, const char *);
void	dp_options_safe(struct dp_options *, const char *);
void	dp_options_confidence(struct dp_options *, const char *);
void	dp_options_check_print(const struct dp_options *);
/* True: the option cuts lines, or names their fields. */
bool	dp_options_cuts(int c);
/* True: options c and d exclude each other, as both cut lines. */
bool	dp_options_apart(int c, int d);
/* -k A,B; and --keys and --other, once -k is known (options_keys.c). */
void	dp_options_key_fields(struct dp_options *, const char *arg);
void	dp_options_keys_complete(struct dp_options *);
/* Exits with a message, by errno, on a file that an option names. */
_Noreturn void dp_options_bad_file(const char *option, const char *path);
bool	dp_table_optional(const char *arg);	/* true: the argument may be left out */
/* True: the tool takes the option. */
bool	dp_table_takes(const struct dp_tool *, const struct dp_row *);
/* Fills longs (DP_TABLE_ROWS entries) and shorts (3 * DP_TABLE_ROWS bytes) for getopt_long(3). */
void	dp_table_getopt(struct option *longs, char *shorts, const struct dp_own *);
/*
 * Names the nearest of `longs' to a word that getopt_long(3) has refused as argv[optind - 1], if
 * one is near (options_near.c).
 */
void	dp_table_near(const struct option *longs, const char *word);
/*
 * options_whose.c: the tools that have an option by its long name, "dpcount, dpwindow and dpmean",
 * as text; NULL: it is no option, or one that most of them have.  The long name of a letter that is
 * of such an option; or NULL.
 */
#define DP_WHOSE	100
const char *dp_table_whose(const char *name, size_t n, char text[static DP_WHOSE]);
const char *dp_table_letter(int c);
/* The long name of an option, without dashes. */
const char *dp_table_name(int c, const struct dp_own *);
/* Sets the name that messages begin with. */
void	dp_table_progname(const char *);
/* what: NULL, "all" or "mechanisms"; prints and exits (options_help.c). */
_Noreturn void dp_table_help(const struct dp_tool *, const char *what);

/* Parts of --help.  Words go from column `at` on, new lines from `left`; width 0: one line. */
void	dp_help_words(const char *text, int at, int left, int width);
void	dp_help_own(const struct dp_own *, int width);

#endif
