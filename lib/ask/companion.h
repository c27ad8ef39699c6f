/*
 * companion.h - tools that stand beside the filters: they release nothing of their own; of the
 * shared options they take --help and --version.
 */
#ifndef DP_COMPANION_H
#define DP_COMPANION_H

#include "options.h"

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


/*
 * The same, an option at a time, between dp_aside_begin() and -1: the place of the next in own[],
 * its value in optarg.  order: getopt's, '-': operands are DP_ASIDE_OPERAND, '+': they end options,
 * 0: they come last.  n: operands so far.
 */
#define DP_ASIDE_OPERAND	(-2)
void	dp_aside_begin(const struct dp_aside *, int argc, char **argv);
int	dp_aside_next(const struct dp_aside *, char order, int n, int argc, char **argv);

#endif
