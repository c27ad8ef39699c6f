/* SPDX-License-Identifier: ISC */
/* internal.h - internal to lib/job: what its files alone share. */
#ifndef DP_JOB_INTERNAL_H
#define DP_JOB_INTERNAL_H

#include <getopt.h>

#include "random/noise.h"

struct dp_field;
struct dp_mech_ops;
struct dp_options;
struct dp_own;
struct dp_row;
struct dp_tool;
struct option;

#define DP_PLAN_REPORT	((uint64_t)1 << 20)	/* step reported for when nobody says */

/*
 * The i-th mechanism of the house, NULL past the last: for --help.  Mechanisms of one task have
 * different names.
 */
const struct dp_mech_ops *dp_plan_list(unsigned i);

#define DP_COLUMNS_MAX	1000000
#define DP_FILE_MAX	((size_t)1 << 26)	/* bytes of a file that an option names */

/* An option that forbids -P, and why; NULL: -P can be had. */
const char *dp_options_no_pan(const struct dp_options *);

/* A fault of a text as a value in this output format; NULL: none. */
bool	dp_keys_utf8(const char *);
/*
 * Checks keys as names of columns, or as values, in this output format.  DP_EINVAL: *why is the
 * fault; DP_ENOMEM.
 */
int	dp_keys_check(const struct dp_options *, const struct dp_tool *, const char **why)
	    DP_MUSTUSE;

/*
 * The same, an option at a time, between dp_aside_begin() and -1: the place of the next in own[],
 * its value in optarg.  order: getopt's, '-': operands are DP_ASIDE_OPERAND, '+': they end options,
 * 0: they come last.  n: operands so far.
 */
#define DP_ASIDE_OPERAND	(-2)

#define DP_TABLE_ROWS	128

/* What completion offers, where it is no list of words. */
#define DP_OFFER_FIELDS		"@FIELDS"	/* of the log that the line names */
/* Who writes 1.234,5 and who 1 234,5; others 1,234.5, ch 1'234.5, and in 12,34,567.5 */
#define DP_POINTS	"br de dk es id it nl tr"
#define DP_BLANKS	"cz fi fr no pl ru se ua"
#define DP_COUNTRIES	DP_POINTS " " DP_BLANKS " gb jp us ch in"
#define DP_OFFER_ZONES		"@ZONES"
#define DP_OFFER_LOGS		"@LOGS"
#define DP_OFFER_MECHANISMS	"@MECHANISMS"
#define DP_OFFER_HELP		"@HELP"
/* The shared option of a number; NULL: none. */
const struct dp_row *dp_table_find(int c);
/* Sets a field by number or name, and keeps the text; exits if it is neither. */
void	dp_options_field(struct dp_field *, const char *option, const char *);
/* Steps of dp_options_complete(), each in a file of its own. */
/* --where, and -r auto, --key and --identifiers, which make another tool of the tool. */
void	dp_options_where(struct dp_options *);
/* --let (let.c): before fields are complete; then the fields that are made take their numbers. */
void	dp_options_lets(struct dp_options *);
void	dp_options_lets_used(struct dp_options *);
/* The field has the number of the one of its name that is made, if there is one. */
void	dp_options_made(const struct dp_options *, struct dp_field *);
/* Refuses what breaks a rule on options together (check.c), where so much is known. */
enum dp_stage {
	DP_STAGE_SAMPLE, DP_STAGE_PARTIAL, DP_STAGE_DROPPED, DP_STAGE_AUTO, DP_STAGE_LIST,
	DP_STAGE_IDS, DP_STAGE_ALL, DP_STAGE_HORIZON, DP_STAGE_UNIT, DP_STAGE_TASK, DP_STAGE_PAN
};
void	dp_options_check(const struct dp_options *, const struct dp_tool *, enum dp_stage);
/* tool->task(), and settings common to all tasks. */
void	dp_options_task(struct dp_options *, const struct dp_tool *);
/* --unit, once the range is known. */
void	dp_options_totals(struct dp_options *);
/* --keys and --other, once -k is known (check.c). */
void	dp_options_keys_complete(struct dp_options *);
/* Exits with a message, by errno, on a file that an option names. */
_Noreturn void dp_options_bad_file(const char *option, const char *path);
/* Fills longs (DP_TABLE_ROWS entries) and shorts (3 * DP_TABLE_ROWS bytes) for getopt_long(3). */
void	dp_table_getopt(struct option *longs, char *shorts, const struct dp_own *);
/*
 * getopt_long(3), silent: its own messages differ by system.  dp_table_refused() says what was
 * wrong with the option of argv[optind - 1], `word'; false: with a letter, which may stand in the
 * next word.
 */
int	dp_table_next(int argc, char **argv, const char *shorts, const struct option *longs);
bool	dp_table_refused(const struct option *longs, const char *shorts, const char *word);
/* Names the nearest of `longs' to the word that was refused, if one is near. */
void	dp_table_near(const struct option *longs, const char *word);
/*
 * The tools that have an option by its long name, "dpcount, dpwindow and dpmean",
 * as text; NULL: it is no option, or one that most of them have.  The long name of a letter that is
 * of such an option; or NULL.
 */
#define DP_WHOSE	100
const char *dp_table_whose(const char *name, size_t n, char text[static DP_WHOSE]);
const char *dp_table_letter(int c);
/* Sets the name that messages begin with. */
void	dp_table_progname(const char *);
/* what: NULL, "all" or "mechanisms"; prints and exits (table.c). */
_Noreturn void dp_table_help(const struct dp_tool *, const char *what);

/* --help of it: the options for tests/completions.sh, a line each (table.c) */
#define DP_HELP_COMPLETION	"completion"

int	dp_wrap_end(void) DP_MUSTUSE;	/* prints what was kept; 0, or -1 and errno */
/* Parts of --help, which return how many lines they took.  A width of 0: none is broken. */
#define DP_HELP_SCREEN		80	/* a width: one line an option, cut if need be */
#define DP_HELP_SCREEN_LINES	24
#define DP_HELP_LINES		(-1)	/* a width: lines for completion */
/* Words go from column `at` on, new lines from `left`. */
int	dp_help_words(const char *text, int at, int left, int width);
int	dp_help_own(const struct dp_own *, int width, int most);
int	dp_help_examples(const char *text);	/* NULL: none */

/*
 * The pattern of a format string of goaccess (%h %^[%d:%t %^] "%r" %s %b) or of nginx
 * ($remote_addr - $remote_user ..), which the caller frees.  NULL: *why says what is wrong, behind
 * "'FORMAT' "; or NULL: no memory.
 */
char	*dp_format_pattern(const char *format, const char **why);

/* margins.c */
struct dp_margins;
/* Once the keys are known: print.table.made, if there are totals; exits with a message. */
void	dp_options_margins(struct dp_options *);
void	dp_margins_free(struct dp_margins *);

#endif
