/*
 * options_table.c - the options every tool shares, said once: for getopt_long, --help and messages.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options_table.h"

/* One table makes getopt's list, --help, refusals, and what a state file keeps. */
static const struct dp_row table[] = {
	{ 0, NULL, NULL, "Privacy", 0, DP_KEEP_NO },
	{ 'e', "epsilon", "E",
	    "total privacy loss: 0.5, 1/2; inf: NOT PRIVATE",
	    DP_GROUP_RELEASE, DP_KEEP_NO },
	{ 'd', "delta", "D", "(E, D)-differential privacy; 0 by default",
	    DP_GROUP_RELEASE, DP_KEEP_NO },
	{ 'T', "horizon", "N", "time steps planned for: 1000, 10k, 1M",
	    DP_GROUP_RELEASE, DP_KEEP_NO },
	{ 'M', "mechanism", "NAME", "auto (default) or one of those that --help=mechanisms lists",
	    DP_GROUP_RELEASE, DP_KEEP_NO },
	{ 'P', "pan-private", NULL, "memory must be private too, against one intrusion",
	    DP_GROUP_PAN, DP_KEEP_NO },
	{ 'u', "user", "FIELD", "protect all events of a user, not one event",
	    DP_GROUP_USER, DP_KEEP_NO },
	{ 'c', "per-user", "K", "at most K events of a user count in the whole run",
	    DP_GROUP_USER | DP_GROUP_PER_USER, DP_KEEP_NO },
	{ OPT_BUDGET, "budget", "FILE[:LABEL]",
	    "debit epsilon and delta from a ledger (dpbudget), before data is read",
	    DP_GROUP_RELEASE, DP_KEEP_NO },
	{ OPT_RECEIPT, "receipt", "FILE", "sign what was released, once it is (dpaudit --receipt)",
	    DP_GROUP_RELEASE, DP_KEEP_NO },
	{ OPT_SIGN, "sign", "KEY", "with --receipt: the secret key (dpaudit --new-key)",
	    DP_GROUP_RELEASE, DP_KEEP_NO },
	{ OPT_SEED, "seed", "N", "reproducible noise, for tests: NOT PRIVATE",
	    DP_GROUP_RELEASE, DP_KEEP_NO },
	{ 0, NULL, NULL, "Input", 0, DP_KEEP_NO },
	{ 'r', "range", "LO:HI", "clamp values; decimals fix the grid; ",
	    DP_GROUP_RANGE, DP_KEEP_NO },
	{ OPT_UNIT, "unit", "U", "values are totals: one event moves one by at most U; range 0:1T",
	    DP_GROUP_UNIT, DP_KEEP_FIXED },
	{ 'F', "delimiter", "C", "fields are separated by C; default runs of blanks",
	    DP_GROUP_ALL, DP_KEEP },
	{ OPT_CSV, "csv", NULL, "fields are comma-separated values (RFC 4180)",
	    DP_GROUP_ALL, DP_KEEP },
	{ OPT_TSV, "tsv", NULL, "fields are separated by tabs",
	    DP_GROUP_ALL, DP_KEEP },
	{ 'H', "header", NULL, "the first line of each file names the fields",
	    DP_GROUP_ALL, DP_KEEP },
	{ OPT_CUT, "cut", "REGEX", "fields are the pattern's groups: (?<NAME>...)",
	    DP_GROUP_ALL, DP_KEEP },
	{ OPT_LOG, "log", "NAME", "lines of a log: combined, syslog, .. (or list)",
	    DP_GROUP_ALL, DP_KEEP },
	{ OPT_JSON, "json", NULL, "lines are JSON objects; a FIELD is a name or a.b.c",
	    DP_GROUP_ALL, DP_KEEP },
	{ OPT_WHERE, "where", "COND", "only lines with FIELD>=VALUE, FIELD~REGEX, REGEX",
	    DP_GROUP_WHERE, DP_KEEP },
	{ 'v', "value", "FIELD", "field of the value: its number or name",
	    DP_GROUP_VALUE, DP_KEEP },
	{ 'm', "match", "REGEX", "value 1 if the line (or -v field) matches, else 0",
	    DP_GROUP_MATCH, DP_KEEP },
	{ OPT_FIXED, "fixed", NULL, "the -m pattern is a plain string",
	    DP_GROUP_MATCH, DP_KEEP },
	{ 'i', "ignore-case", NULL, "the -m pattern ignores case",
	    DP_GROUP_MATCH, DP_KEEP },
	{ OPT_INVERT, "invert-match", NULL, "value 1 if the line does not match",
	    DP_GROUP_MATCH, DP_KEEP },
	{ 't', "time", "FIELD", "field of the event time, or two: DAY,CLOCK",
	    DP_GROUP_TIME, DP_KEEP },
	{ OPT_FORMAT, "time-format", "FMT",
	    "epoch, iso, clf, syslog, or a strptime(3) format",
	    DP_GROUP_TIME, DP_KEEP },
	{ OPT_TZ, "tz", "ZONE", "zone of times without an offset, and of buckets; default UTC",
	    DP_GROUP_TIME, DP_KEEP_FIXED },
	{ OPT_BUCKET, "bucket", "DUR", "steps are buckets of time: 30s 5m 1h 1d 1w 1mo 1y",
	    DP_GROUP_TIME, DP_KEEP_NO },
	{ OPT_FROM, "from", "TIME", "first bucket; with --to; printed at end of input",
	    DP_GROUP_TIME, DP_KEEP_NO },
	{ OPT_TO, "to", "TIME", "end of the last bucket",
	    DP_GROUP_TIME, DP_KEEP_NO },
	{ OPT_ONCE, "once", NULL, "all input of a run is one step: a table",
	    DP_GROUP_TIME, DP_KEEP_FIXED },
	{ OPT_LIVE, "live", "[LATENESS]", "the clock closes buckets, LATENESS after their end",
	    DP_GROUP_TIME | DP_GROUP_RELEASE, DP_KEEP_NO },
	{ OPT_PUBLIC, "public-times", NULL, "event times are public and close buckets",
	    DP_GROUP_TIME | DP_GROUP_RELEASE, DP_KEEP_NO },
	{ OPT_GAP, "gap", "N", "a time beyond N empty buckets is wrong (--public-times, --live)",
	    DP_GROUP_TIME | DP_GROUP_RELEASE, DP_KEEP },
	{ 'k', "key", "FIELD", "a histogram: one column per declared key",
	    DP_GROUP_KEY, DP_KEEP },
	{ OPT_KEYS, "keys", "A,B,C", "the keys, or @FILE with one a line",
	    DP_GROUP_KEY | DP_GROUP_KEYS, DP_KEEP_NO },
	{ OPT_OTHER, "other", "[NAME]", "one more key, for events whose key is not declared",
	    DP_GROUP_KEY, DP_KEEP_FIXED },
	{ OPT_DOMAIN, "domain", "A,B,C", "the alphabet, or @FILE with one symbol a line",
	    DP_GROUP_DOMAIN, DP_KEEP_NO },
	{ OPT_PARTIAL, "partial", "[by-user]",
	    "input is the exact partial counts of dpmap; by-user: a user is in one shard",
	    DP_GROUP_PARTIAL, DP_KEEP },
	{ OPT_EXPECT, "expect", "N", "with --partial: how many shards, or @FILE of their names",
	    DP_GROUP_PARTIAL, DP_KEEP_NO },
	{ OPT_STRICT, "strict", NULL, "a malformed line ends the run (status 3)",
	    DP_GROUP_ALL, DP_KEEP },
	{ OPT_COLUMNS, "columns", "D", "a line is D numbers, or index:value pairs",
	    DP_GROUP_COLUMNS, DP_KEEP_FIXED },
	{ OPT_ONES, "ones", "S", "at most S numbers of a line are not 0",
	    DP_GROUP_COLUMNS, DP_KEEP_FIXED },
	{ 0, NULL, NULL, "Output", 0, DP_KEEP_NO },
	{ 'o', "output", "FORMAT", "plain, tsv, csv, json, long, prometheus[:NAME]",
	    DP_GROUP_RELEASE, DP_KEEP },
	{ 'B', "bound", "[CONF]", "add lo and hi of the noise, confidence 0.95 or CONF",
	    DP_GROUP_BOUND, DP_KEEP },
	{ OPT_TOP, "top", "K", "print the K largest keys of a step, a row each",
	    DP_GROUP_TOP, DP_KEEP },
	{ OPT_SAFE, "safe", "[no]", "CSV: no name begins a spreadsheet's formula",
	    DP_GROUP_RELEASE, DP_KEEP },
	{ OPT_NONNEGATIVE, "nonnegative", NULL, "print no estimate below 0",
	    DP_GROUP_NONNEGATIVE, DP_KEEP },
	{ OPT_MONOTONE, "monotone", NULL, "print no estimate below an earlier one",
	    DP_GROUP_MONOTONE, DP_KEEP },
	{ OPT_EVERY, "every", "N", "print after every N steps",
	    DP_GROUP_PRINT, DP_KEEP_FIXED },
	{ OPT_AT_END, "at-end", NULL, "print once, when the input ends",
	    DP_GROUP_PRINT, DP_KEEP_FIXED },
	{ 'E', "explain", "[FORM]", "guarantee, predicted errors; reads no data",
	    DP_GROUP_RELEASE, DP_KEEP_NO },
	{ OPT_CHECK, "check", NULL,
	    "show how a public sample is read, in place of -e",
	    DP_GROUP_ALL, DP_KEEP_NO },
	{ OPT_WITHIN, "within", "ERR", "with --explain: the smallest epsilon for errors up to ERR",
	    DP_GROUP_RELEASE, DP_KEEP_NO },
	{ OPT_REPORT, "report", "N", "with --explain, without -T: errors of the first N steps",
	    DP_GROUP_RELEASE, DP_KEEP_NO },
	{ OPT_LINE_BUFFERED, "line-buffered", NULL, "flush after every estimate",
	    DP_GROUP_RELEASE, DP_KEEP_NO },
	{ 'n', "number", NULL, "start each line with its step number",
	    DP_GROUP_RELEASE, DP_KEEP },
	{ 'q', "quiet", NULL, "no warnings",
	    DP_GROUP_ALL, DP_KEEP_NO },
	{ 'h', "help", "[WHAT]", "what is used most; all: every option; mechanisms: those",
	    DP_GROUP_ALL, DP_KEEP_NO },
	{ 'V', "version", NULL, "version",
	    DP_GROUP_ALL, DP_KEEP_NO },
	{ 0, NULL, NULL, "State", 0, DP_KEEP_NO },
	{ OPT_STATE, "state", "FILE", "resume exactly where the last run stopped",
	    DP_GROUP_STATE, DP_KEEP_NO },
	{ OPT_NEXT, "next", NULL, "the buckets that are over, and that the state has not",
	    DP_GROUP_STATE, DP_KEEP_NO },
	{ OPT_INIT, "init", NULL, "create the state file; refused if it exists",
	    DP_GROUP_STATE, DP_KEEP_NO },
	{ OPT_OUT, "out", "FILE", "append estimates to FILE exactly once",
	    DP_GROUP_STATE, DP_KEEP_NO },
	{ OPT_BATCH, "batch", "ID",
	    "the last ID again prints the same estimates and consumes nothing",
	    DP_GROUP_STATE, DP_KEEP_NO },
	{ OPT_WITNESS, "witness", "FILE", "a generation number kept elsewhere, against rollback",
	    DP_GROUP_STATE, DP_KEEP_NO },
	{ OPT_SHOW, "state-show", NULL, "print the state file's public header",
	    DP_GROUP_STATE, DP_KEEP_NO },
	{ OPT_MOVE, "state-move", "FILE",
	    "move the state to FILE, on another disk, and end this one",
	    DP_GROUP_STATE, DP_KEEP_NO },
	{ OPT_SEEN, "seen", NULL, "the state was looked at: begin its memory anew (--looks)",
	    DP_GROUP_SEEN, DP_KEEP_NO },
	{ OPT_CHANGE, "change", "[NAME,...]",
	    "input and output options may differ from those kept; drop NAME,...",
	    DP_GROUP_STATE, DP_KEEP_NO },
};

#define ROWS	(sizeof table / sizeof table[0])

static const char *progname = "dputils";	/* set once, by dp_table_progname() */

void
dp_table_progname(const char *name)
{
	progname = name;
}

static void
say(const char *format, va_list ap)
{
	fprintf(stderr, "%s: ", progname);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
}

void
dp_warn(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say(format, ap);
	va_end(ap);
}

_Noreturn void
dp_die(int status, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say(format, ap);
	va_end(ap);
	if (status == DP_EX_USAGE)
		fprintf(stderr, "Try '%s --help'.\n", progname);
	exit(status);
}

int
dp_close_stdout(void)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		dp_die(DP_EX_SYSTEM, "standard output: %s", strerror(errno));
	return DP_EX_OK;
}

const struct dp_row *
dp_table_row(size_t i)
{
	return i < ROWS ? &table[i] : NULL;
}

bool
dp_table_takes(const struct dp_tool *tool, const struct dp_row *row)
{
	const unsigned group = row->group & ~(unsigned)DP_GROUP_RELEASE;

	if (tool->map && row->group != group)
		return false;
	return group == DP_GROUP_ALL || (group & tool->groups) != 0;
}

bool
dp_table_optional(const char *arg)
{
	return arg[0] == '[' && arg[strlen(arg) - 1] == ']';
}

/* One option to getopt's two lists; returns the end of shorts. */
static char *
to_getopt(struct option *l, char *shorts, int c, int id, const char *name, const char *arg)
{
	int has = arg == NULL ? no_argument : dp_table_optional(arg) ? optional_argument :
	    required_argument;

	*l = (struct option){ name, has, NULL, id };
	if (c > 0 && c < OPT_LONG) {
		*shorts++ = (char)c;
		if (has != no_argument)
			*shorts++ = ':';
		if (has == optional_argument)
			*shorts++ = ':';
	}
	return shorts;
}

/* True: a tool has an option of its own by that name. */
static bool
has(const struct dp_own *own, const char *name)
{
	for (; own != NULL && own->name != NULL; own++)
		if (strcmp(own->name, name) == 0)
			return true;
	return false;
}

void
dp_table_getopt(struct option *longs, char *shorts, const struct dp_own *own)
{
	size_t i, n = 0;

	for (i = 0; i < ROWS; i++)
		if (table[i].name != NULL && !has(own, table[i].name))
			shorts = to_getopt(&longs[n++], shorts, table[i].c, table[i].c,
			    table[i].name, table[i].arg);
	for (i = 0; own != NULL && own[i].name != NULL; i++)
		shorts = to_getopt(&longs[n++], shorts, own[i].letter,
		    own[i].letter != 0 ? own[i].letter : OPT_OWN + (int)i, own[i].name,
		    own[i].kind == DP_KIND_FLAG ? NULL : own[i].arg);
	longs[n] = (struct option){ NULL, 0, NULL, 0 };
	*shorts = '\0';
}

const char *
dp_table_name(int c, const struct dp_own *own)
{
	size_t i;

	for (i = 0; i < ROWS; i++)
		if (table[i].name != NULL && table[i].c == c)
			return table[i].name;
	for (i = 0; own != NULL && own[i].name != NULL; i++)
		if (c == own[i].letter || c == OPT_OWN + (int)i)
			return own[i].name;
	return "an option";
}

_Static_assert(OPT_OWN + DP_OWN_MAX <= DP_OPTION_CODES, "every option has a place in given[]");
_Static_assert(ROWS + DP_OWN_MAX < DP_TABLE_ROWS, "the caller's arrays hold all rows");
