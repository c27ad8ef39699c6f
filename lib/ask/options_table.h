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

/* The number of every option: its letter, or one of its own from OPT_LONG + 1 on. */
enum {
#define ROW(id, letter, ...)	PLACE_##id,
#include "rows.h"
	PLACES
};
enum {
	OPT_LONG = 128,
#define ROW(id, letter, ...)	OPT_##id = (letter) != 0 ? (letter) : OPT_LONG + 1 + PLACE_##id,
#include "rows.h"
	OPT_OWN = OPT_LONG + 1 + PLACES	/* and up: the tool's own, by their place in its table */
};

enum dp_keep {
	DP_KEEP_NO,			/* not kept, or in a line of its own, which stays */
	DP_KEEP_YES,			/* kept; --change may change it */
	DP_KEEP_FIXED			/* kept for good: the noise was planned for it */
};

/* The section of the job that an option is of. */
enum dp_section {
	DP_SECTION_NONE,		/* of this run alone: files, times, what is shown */
	DP_SECTION_INPUT,		/* how lines are read */
	DP_SECTION_UNIT,		/* who is protected, and of what */
	DP_SECTION_NOISE,		/* what is drawn */
	DP_SECTION_OUTPUT		/* what is printed */
};

/* What completion offers, where it is no list of words. */
#define DP_OFFER_FIELDS		"@FIELDS"	/* of the log that the line names */
#define DP_OFFER_ZONES		"@ZONES"
#define DP_OFFER_LOGS		"@LOGS"
#define DP_OFFER_MECHANISMS	"@MECHANISMS"
#define DP_OFFER_HELP		"@HELP"

/* An option that tools share: all that is known of it, but the code that uses it. */
struct dp_row {
	int c;				/* getopt's number; 0: a heading */
	const char *name, *arg, *help;	/* arg: NULL none; "[...]" optional */
	unsigned group;			/* DP_GROUP_*, of which a tool must take one */
	enum dp_kind kind;
	size_t at;			/* offset of the member that it sets; 0: none */
	size_t has;			/* offset of a bool: it was given; 0: none */
	uint64_t least, most;		/* bounds of a number; least: a word's value if none */
	const char *must;		/* of a number: what it must be, for the message */
	const char *words;		/* words that it may be, or that completion offers */
	/* Reads the text (NULL: none) in place of the kind's reader. */
	void (*read)(struct dp_options *, const char *);
	enum dp_section section;
	enum dp_keep keep;		/* in a state file */
	/* It cuts lines into fields, by what is between them or by a form of the whole line. */
	enum { DP_CUTS_NOT, DP_CUTS_FIELDS, DP_CUTS_LINE } cuts;
	bool often;			/* on the screen of --help */
	const char *whose;		/* the tools that have it, likeliest first; NULL: most */
};

/* The i-th shared option or heading; NULL past the last. */
const struct dp_row *dp_table_row(size_t i);
/* The shared option of a number; NULL: none. */
const struct dp_row *dp_table_find(int c);
/* Sets a field by number or name, and keeps the text; exits if it is neither. */
void	dp_options_field(struct dp_field *, const char *option, const char *);
/* Resolves K/B of --per-user, where it was given, once it is known what a step is. */
void	dp_options_spacing(struct dp_options *);
/* Steps of dp_options_complete(), each in a file of its own. */
/* --where, and -r auto, --key and --identifiers, which make another tool of the tool. */
void	dp_options_where(struct dp_options *);
const struct dp_tool *dp_options_variant(struct dp_options *, const struct dp_tool *);
/* Refuses what breaks a rule on options together (options_check.c), where so much is known. */
enum dp_stage {
	DP_STAGE_SAMPLE, DP_STAGE_PARTIAL, DP_STAGE_AUTO, DP_STAGE_LIST, DP_STAGE_IDS,
	DP_STAGE_ALL, DP_STAGE_HORIZON, DP_STAGE_UNIT, DP_STAGE_TASK, DP_STAGE_PAN
};
void	dp_options_check(const struct dp_options *, const struct dp_tool *, enum dp_stage);
/* tool->task(), and settings common to all tasks. */
void	dp_options_task(struct dp_options *, const struct dp_tool *);
/* --unit, once the range is known. */
void	dp_options_totals(struct dp_options *);
/* The whole file, at most DP_FILE_MAX bytes, with a NUL behind it; the caller's to free. */
char	*dp_options_read(const char *option, const char *path, size_t *n);
/* True: the option cuts lines, or names their fields. */
bool	dp_options_cuts(int c);
/* True: options c and d exclude each other, as both cut lines. */
bool	dp_options_apart(int c, int d);
/* --keys and --other, once -k is known (options_keys.c). */
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
 * one is near.
 */
void	dp_table_near(const struct option *longs, const char *word);
/*
 * The tools that have an option by its long name, "dpcount, dpwindow and dpmean",
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

/* --help of it: the options for tests/completions.sh, a line each (options_help.c) */
#define DP_HELP_COMPLETION	"completion"

/* Parts of --help.  Words go from column `at` on, new lines from `left`; width 0: one line. */
void	dp_help_words(const char *text, int at, int left, int width);
#define DP_HELP_LINES	(-1)	/* a width: lines for completion */
void	dp_help_own(const struct dp_own *, int width);

#endif
