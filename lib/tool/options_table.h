/*
 * options_table.h - internal to cli*.c: option numbers and the shared table.
 */
#ifndef DP_CLI_TABLE_H
#define DP_CLI_TABLE_H

#include <getopt.h>

#include "options.h"

#define DP_CLI_ROWS	64

/* Long options without a letter. */
enum { OPT_LONG = 128, OPT_SEED, OPT_CSV, OPT_TSV, OPT_FIXED, OPT_INVERT, OPT_FORMAT,
    OPT_BUCKET, OPT_FROM, OPT_TO, OPT_LIVE, OPT_PUBLIC, OPT_GAP, OPT_KEYS, OPT_STRICT,
    OPT_NONNEGATIVE, OPT_MONOTONE, OPT_LINE_BUFFERED, OPT_STATE, OPT_INIT, OPT_OUT,
    OPT_BATCH, OPT_WITNESS, OPT_SHOW,
    OPT_OWN };	/* and up: the tool's own, by their place in its table */

/* Fills longs (DP_CLI_ROWS entries) and shorts (3 * DP_CLI_ROWS bytes) for getopt_long(3). */
void	dp_cli_getopt(struct option *longs, char *shorts, const struct dp_own *);
/* The long name of an option, without dashes. */
const char *dp_cli_option(int c, const struct dp_own *);
_Noreturn void dp_cli_help(const struct dp_tool *);
/* The name messages begin with. */
void	dp_cli_name(const char *);

#endif
