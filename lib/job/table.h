/* SPDX-License-Identifier: ISC */
/*
 * table.h - internal to the rooms that ask and tell: option numbers and the shared table.
 */
#ifndef DP_JOB_TABLE_H
#define DP_JOB_TABLE_H

#include <getopt.h>

#include "options.h"

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

/* An option that tools share: all that is known of it, but the code that uses it. */
struct dp_row {
	int c;				/* getopt's number; 0: a heading */
	const char *name, *arg, *help;	/* arg: NULL none; "[...]" optional */
	unsigned group;			/* DP_GROUP_*: the tool must take one of them */
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
	int rank;			/* on the screen of --help: 1 for the first; 0: not there */
	const char *whose;		/* the tools that have it, likeliest first; NULL: most */
};

/* The i-th shared option or heading; NULL past the last. */
const struct dp_row *dp_table_row(size_t i);
/* Resolves K/B of --per-user, where it was given, once it is known what a step is. */
void	dp_options_spacing(struct dp_options *);
/* True: the option cuts lines, or names their fields. */
bool	dp_options_cuts(int c);
/* True: options c and d exclude each other, as both cut lines. */
bool	dp_options_apart(int c, int d);
/* Exits with a message, by errno, on a file that an option names. */
bool	dp_table_optional(const char *arg);	/* true: the argument may be left out */
/* True: the tool takes the option. */
bool	dp_table_takes(const struct dp_tool *, const struct dp_row *);
/* The long name of an option, without dashes. */
const char *dp_table_name(int c, const struct dp_own *);

#endif
