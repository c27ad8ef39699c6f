/* SPDX-License-Identifier: ISC */
/* table.c - what is made of the options that tools share, and --help. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "table.h"

/*
 * What is made of the rows: getopt's lists, names, whose an option is and what a
 * misspelt one may have meant; messages.
 */

static const char *progname = "dputils";	/* set once, by dp_table_progname() */

void
dp_table_progname(const char *name)
{
	progname = name;
}

/* In one piece, so that two tools of a pipe do not write into each other's lines. */
static void
say(const char *format, va_list ap)
{
	char text[4000];

	if (vsnprintf(text, sizeof text, format, ap) >= (int)sizeof text)
		strcpy(text + sizeof text - sizeof "...", "...");
	fprintf(stderr, "%s: %s\n", progname, text);
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
	if (dp_wrap_end() != 0 || fflush(stdout) != 0 || ferror(stdout))
		dp_die(DP_EX_SYSTEM, "standard output: %s", strerror(errno));
	return DP_EX_OK;
}

bool
dp_table_takes(const struct dp_tool *tool, const struct dp_row *row)
{
	const unsigned group = row->group & ~(unsigned)DP_GROUP_RELEASE;

	if (tool->map && row->group != group)
		return row->c == 'e' && tool->fine;
	return group == DP_GROUP_ALL || (group & tool->groups) != 0;
}

bool
dp_table_optional(const char *arg)
{
	return arg[0] == '[' && strchr(arg, ']') == arg + strlen(arg) - 1;
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
		if (*own->name == *name && strcmp(own->name, name) == 0)
			return true;
	return false;
}

void
dp_table_getopt(struct option *longs, char *shorts, const struct dp_own *own)
{
	const struct dp_row *row;
	size_t i, n = 0;

	for (i = 0; (row = dp_table_row(i)) != NULL; i++)
		if (row->name != NULL && !has(own, row->name))
			shorts = to_getopt(&longs[n++], shorts, row->c, row->c, row->name,
			    row->arg);
	for (i = 0; own != NULL && own[i].name != NULL; i++)
		shorts = to_getopt(&longs[n++], shorts, own[i].letter,
		    own[i].letter != 0 ? own[i].letter : OPT_OWN + (int)i, own[i].name,
		    own[i].kind == DP_KIND_FLAG ? NULL : own[i].arg);
	longs[n] = (struct option){ NULL, 0, NULL, 0 };
	*shorts = '\0';
}

int
dp_table_next(int argc, char **argv, const char *shorts, const struct option *longs)
{
	int c;

	opterr = 0;
	optopt = 0;
	c = getopt_long(argc, argv, shorts, longs, NULL);
	if (optind > argc)	/* musl: behind a letter whose argument is missing */
		optind = argc;
	return c;
}

bool
dp_table_refused(const struct option *longs, const char *shorts, const char *word)
{
	const bool dashes = strncmp(word, "--", 2) == 0, value = strchr(word, '=') != NULL;
	const size_t n = dashes ? strcspn(word + 2, "=") : 0;
	const struct option *l, *meant = NULL;
	char several[2000] = "";
	size_t count = 0, at = 0;

	for (l = longs; dashes && l->name != NULL; l++) {
		if (strncmp(word + 2, l->name, n) != 0)
			continue;
		meant = l;
		if (l->name[n] == '\0') {
			count = 1;
			break;
		}
		count++;
		if (at < sizeof several)
			at += (size_t)snprintf(several + at, sizeof several - at, " '--%s'",
			    l->name);
	}
	if (optopt == 0 && count > 1)
		dp_warn("option '%s' is ambiguous; possibilities:%s", word, several);
	else if (optopt == 0)
		dp_warn("unrecognized option '%s'", word);
	else if (count == 1 && meant->val == optopt && value && meant->has_arg == no_argument)
		dp_warn("option '--%s' doesn't allow an argument", meant->name);
	else if (count == 1 && meant->val == optopt && !value &&
	    meant->has_arg == required_argument)
		dp_warn("option '--%s' requires an argument", meant->name);
	else {
		dp_warn(strchr(shorts, optopt) != NULL ? "option requires an argument -- '%c'" :
		    "invalid option -- '%c'", optopt);
		return false;
	}
	return true;
}

const char *
dp_table_name(int c, const struct dp_own *own)
{
	const struct dp_row *row = dp_table_find(c);
	size_t i;

	if (row != NULL)
		return row->name;
	for (i = 0; own != NULL && own[i].name != NULL; i++)
		if (c == own[i].letter || c == OPT_OWN + (int)i)
			return own[i].name;
	return "an option";
}

#define NAME	32		/* more than any name is long */

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Letters to insert, leave out, replace, or swap with the next, until a[0..n) is b; n < NAME.  Row
 * and column 0 are of empty words.
 */
static unsigned
distance(const char *a, size_t n, const char *b)
{
	const size_t m = strlen(b);
	unsigned d[NAME][NAME];
	size_t i, j;

	for (i = 0; i <= n; i++)
		for (j = 0; j <= m; j++) {
			if (i == 0 || j == 0) {
				d[i][j] = (unsigned)(i + j);
				continue;
			}
			d[i][j] = least(1 + least(d[i - 1][j], d[i][j - 1]),
			    d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], 1 + d[i - 2][j - 2]);
		}
	return d[n][m];
}

void
dp_table_near(const struct option *longs, const char *word)
{
	const struct option *l, *near = NULL;
	const size_t n = strcspn(word, "=") - 2;
	unsigned far = 3, d;

	if (optopt != 0 || strncmp(word, "--", 2) != 0 || n >= NAME)
		return;		/* a letter, or known and used wrongly */
	for (l = longs; l->name != NULL; l++) {
		if (strncmp(word + 2, l->name, n) == 0)
			return;		/* the start of several, which getopt has named */
		if (strlen(l->name) < NAME && (d = distance(word + 2, n, l->name)) < far &&
		    2 * d < n) {
			far = d;
			near = l;
		}
	}
	if (near != NULL)
		dp_warn("%.*s: did you mean --%s?", (int)n + 2, word, near->name);
}

/*
 * Options that are a tool's own, and the tools that have one of that name: a tool knows no other's
 * table; badinput.bats compares this one with what all of them take.  The tool that somebody is
 * likely to want is the first.
 */
static const struct {
	const char *name, *tools;
} whose[] = {
	{ "ages", "dpcount" }, { "alpha", "dpdecay dpmaxsum" }, { "answers", "dplocal" },
	{ "beta", "dpdecay dptransform" },
	{ "bins", "dpquantile" }, { "both", "dpmaxsum" }, { "buckets", "dpdistinct" },
	{ "ceiling", "dpmaxsum" }, { "changes", "dptransform" }, { "complete", "dpproject" },
	{ "deletes", "dpdistinct" }, { "distance", "dptransform" }, { "distinct", "dptop" },
	{ "drift", "dptransform" },
	{ "estimate", "dplocal" }, { "expire", "dpcount dpdecay" }, { "flips", "dpdistinct" },
	{ "for", "dpmap" },
	{ "half-life", "dpdecay dpmean dpquantile dpmaxsum" }, { "histogram", "dpquantile" },
	{ "hash-key", "dpmap" }, { "hashed", "dpdistinct" },
	{ "hold", "dptop" }, { "identifiers", "dpmap" }, { "inner-epsilon", "dptransform" },
	{ "log-bins", "dpquantile" }, { "looks", "dpcount dpdistinct" }, { "margin", "dpmaxsum" },
	{ "no-pan-private", "dpdistinct" }, { "on-halt", "dptransform" },
	{ "one-sided", "dptransform" }, { "power", "dpdecay" }, { "presence", "dpdistinct" },
	{ "protect", "dpdistinct dpexperts" }, { "quantile", "dpquantile" },
	{ "queries", "dpproject" }, { "rate", "dpexperts" }, { "refresh", "dptransform" },
	{ "rising", "dptransform" },
	{ "running", "dpmean dpquantile dptop" }, { "segments", "dpexperts" },
	{ "select", "dpmaxsum" }, { "sensitivity", "dptransform" }, { "shard", "dpmap" },
	{ "share", "dpdistinct" }, { "shares", "dpdistinct" }, { "simplex", "dplocal" },
	{ "slice", "dpmap" },
	{ "statistic", "dpmean dpdistinct" }, { "symmetric", "dpproject" },
	{ "tau", "dpdistinct" }, { "universe", "dpdistinct" }, { "updates", "dpdistinct" },
	{ "weights", "dpdecay" },
	{ "window", "dpwindow dpmean dpquantile dpmaxsum dpdistinct dptop" }
};

/* Their letters, where others may mistake them for one of their own. */
static const struct {
	char letter;
	const char *name;
} letters[] = { { 'a', "alpha" }, { 'p', "power" }, { 'w', "window" } };

const char *
dp_table_letter(int c)
{
	size_t i;

	for (i = 0; i < sizeof letters / sizeof *letters; i++)
		if (letters[i].letter == c)
			return letters[i].name;
	return NULL;
}

static bool
is_name_table(const char *known, const char *name, size_t n)
{
	return strlen(known) == n && memcmp(known, name, n) == 0;
}

/* NULL: most have it, or none. */
static const char *
tools_of(const char *name, size_t n)
{
	const struct dp_row *row;
	size_t i;

	for (i = 0; (row = dp_table_row(i)) != NULL; i++)
		if (row->name != NULL && is_name_table(row->name, name, n) && row->whose != NULL)
			return row->whose;
	for (i = 0; i < sizeof whose / sizeof *whose; i++)
		if (is_name_table(whose[i].name, name, n))
			return whose[i].tools;
	return NULL;
}

const char *
dp_table_whose(const char *name, size_t n, char text[static DP_WHOSE])
{
	const char *const tools = tools_of(name, n), *p;
	size_t k, at = 0;

	for (p = tools; p != NULL && *p != '\0'; p += k + (p[k] != '\0')) {
		k = strcspn(p, " ");
		at += (size_t)snprintf(text + at, DP_WHOSE - at, "%s%.*s", p == tools ?
		    "" : p[k] == '\0' ? " and " : ", ", (int)k, p);
	}
	return tools == NULL ? NULL : text;
}

/*
 * --help: one screen of what is used most, every option, or the mechanisms.
 */

#define LEFT		28	/* columns before the text of an option */
#define SCREEN		DP_HELP_SCREEN
#define SCREEN_LEFT	26
#define OWN_MAX	5	/* options of the tool on a screen that has shared ones, too */

int
dp_help_words(const char *text, int at, int left, int width)
{
	int lines = 1;
	size_t n;

	for (; *text != '\0'; text += n + (text[n] == ' ')) {
		n = strcspn(text, " ");
		if (width != 0 && at > left && at + 1 + (int)n > width) {
			at = printf("\n%*s", left, "") - 1;
			lines++;
		} else if (at > left)
			at += printf(" ");
		at += printf("%.*s", (int)n, text);
	}
	putchar('\n');
	return lines;
}

/* The text, or what of it stands before a semicolon, a comma or a parenthesis and fits one line. */
static void
one_line(char text[static 200], const char *help)
{
	size_t i, n = 0;
	int open = 0;

	snprintf(text, 200, "%s", help);
	if (strlen(text) <= SCREEN - SCREEN_LEFT)
		return;
	for (i = 1; i <= SCREEN - SCREEN_LEFT; i++) {
		open += (text[i] == '(') - (text[i] == ')');
		if (open == 0 && ((strchr(";,", text[i]) != NULL && text[i + 1] == ' ') ||
		    (text[i] == ' ' && text[i + 1] == '(')))
			n = i;
	}
	if (n > 0)
		text[n] = '\0';
}

/* Prints an option as `width' says: in 80 columns, in any, or for completion. */
static void
option(int c, const char *name, const char *arg, const char *words, const char *help, int width)
{
	const int left = width == SCREEN ? SCREEN_LEFT : LEFT;
	const bool letter = c > 0 && c < OPT_LONG;
	char begin[64], text[200];
	int at;

	if (width == DP_HELP_LINES) {
		printf("%c\t%s\t%s\t%s\t%s\n", letter ? c : '-', name, arg == NULL ? "-" : arg,
		    words == NULL ? "-" : words, help);
		return;
	}
	if (width == SCREEN)
		one_line(text, help);
	snprintf(begin, sizeof begin, "%c%c%s--%s%s%s", letter ? '-' : ' ', letter ? c : ' ',
	    letter ? ", " : "  ", name, arg == NULL ? "" : dp_table_optional(arg) ? "[=" : "=",
	    arg == NULL ? "" : arg + dp_table_optional(arg));
	at = printf("  %-*s ", left - 3, begin);
	dp_help_words(width == SCREEN ? text : help, at, left, 0);
}

int
dp_help_own(const struct dp_own *own, int width, int most)
{
	int i, n = 0;

	for (i = 0; own != NULL && own[i].name != NULL && n < most; i++) {
		if (own[i].rare && most < DP_OWN_MAX)
			continue;
		if (own[i].help != NULL)	/* NULL: refused (map.c) */
			option(own[i].letter, own[i].name, own[i].arg, own[i].words, own[i].help,
			    width);
		n++;
	}
	return n;
}

/* One of the mechanisms that the tool lists under a heading. */
static bool
is_listed(const struct dp_tool *tool, const struct dp_listing *list, const struct dp_mech_ops *m)
{
	return (m->tasks & list->tasks) != 0 && m->statistic == list->statistic &&
	    (tool->adds == NULL || !(m->traits & DP_TRAIT_BITS));
}

/* Their names, each once. */
static void
put_mechanisms(struct dp_buf *b, const struct dp_tool *tool)
{
	const struct dp_mech_ops *m;
	const char *known[DP_OPTION_CODES];
	unsigned i, j, k, n = 0;

	dp_buf_puts(b, "auto");
	for (i = 0; i < DP_LISTS_MAX && tool->lists[i].tasks != 0; i++)
		for (j = 0; (m = dp_plan_list(j)) != NULL; j++) {
			for (k = 0; k < n && strcmp(known[k], m->name) != 0; k++)
				;
			if (k < n || n == DP_OPTION_CODES || !is_listed(tool, &tool->lists[i], m))
				continue;
			known[n++] = m->name;
			dp_buf_puts(b, " ");
			dp_buf_puts(b, m->name);
		}
}

/* Words that complete the option's argument, or a list that the shell knows; NULL: none. */
static const char *
words_of(const struct dp_tool *tool, const struct dp_row *row, struct dp_buf *b)
{
	const struct dp_log *l;
	unsigned i;

	b->n = 0;
	if (row->kind == DP_KIND_FIELD)
		return DP_OFFER_FIELDS;
	if (row->words == NULL || *row->words != '@' || strcmp(row->words, DP_OFFER_ZONES) == 0)
		return row->words;
	if (strcmp(row->words, DP_OFFER_HELP) == 0)
		return tool->map ? "all" : "all mechanisms";
	if (strcmp(row->words, DP_OFFER_MECHANISMS) == 0)
		put_mechanisms(b, tool);
	for (i = 0; strcmp(row->words, DP_OFFER_LOGS) == 0 && (l = dp_log_get(i)) != NULL; i++) {
		dp_buf_puts(b, l->name);
		dp_buf_puts(b, " ");
	}
	dp_buf_puts(b, strcmp(row->words, DP_OFFER_LOGS) == 0 ? "w3c csvlog list patterns" : "");
	dp_buf_add(b, "", 1);
	return b->error != 0 ? NULL : b->p;
}

static void
row_option(const struct dp_tool *tool, const struct dp_row *row, int width)
{
	const bool steps = (tool->groups & DP_GROUP_TIME) != 0;
	struct dp_buf words = { .n = 0 };
	char help[200], range[64];

	snprintf(range, sizeof range, "%s%s", tool->range != NULL ? "default " :
	    tool->shape == DP_SHAPE_SYMBOL && (tool->groups & DP_GROUP_UNIT) != 0 ? "of --unit" :
	    tool->shape != DP_SHAPE_CONTRIBUTIONS ? "-v needs it" :
	    dp_tool_matches(tool) ? "needed if no -m" : "needed",
	    tool->range != NULL ? tool->range : "");
	snprintf(help, sizeof help, "%s%s", row->c == 'c' && tool->shape == DP_SHAPE_ID ?
	    "with -k: an identifier counts for K keys (K/step)" : row->c == 'c' && steps &&
	    (tool->groups & DP_GROUP_AUTO) != 0 ?
	    "K/step: at most K events of a user in a step; K: in the whole run; or auto" :
	    row->c == 'c' && steps ?
	    "K/step: at most K events of a user count in a step; K: in the whole run" :
	    row->c == 'u' && (tool->groups & DP_GROUP_EACH) != 0 ?
	    "protect all events of a user; --each-user: as one" :
	    row->c == 'e' && tool->map ? "the release's: how fine values are told depends on it" :
	    row->c == 'k' && tool->shape == DP_SHAPE_SYMBOL ?
	    "with --unit: the field that names a row's column, or several: A,B" :
	    row->c == 'k' && tool->shape == DP_SHAPE_NAME ?
	    "field of the name, or several: A,B; the whole line by default" :
	    row->c == 'r' && (tool->groups & DP_GROUP_AUTO) != 0 ?
	    "clamp, or auto; decimals fix the grid; " : row->c == 'r' &&
	    tool->shape == DP_SHAPE_CONTRIBUTIONS ? "clamp values; " : row->help,
	    row->c == 'B' && (tool->groups & DP_GROUP_USER) != 0 ? ", not of what -c and -r drop" :
	    row->c == 'c' && (tool->shape == DP_SHAPE_NUMBER ||
	    tool->shape == DP_SHAPE_CONTRIBUTIONS || (tool->shape == DP_SHAPE_VECTOR &&
	    (tool->groups & DP_GROUP_KEY) != 0)) && !tool->map ?
	    "; K/B: and B steps apart" :
	    row->c == 'r' ? range : "");
	option(row->c, row->name, row->arg, width != DP_HELP_LINES ? NULL :
	    words_of(tool, row, &words), help, width);
	dp_buf_free(&words);
}

static void
every_option(const struct dp_tool *tool, int width)
{
	const struct dp_row *row, *heading = NULL;
	size_t i;

	if (tool->own != NULL && width != DP_HELP_LINES)
		printf("\nWhat to estimate:\n");
	dp_help_own(tool->own, width, DP_OWN_MAX);
	for (i = 0; (row = dp_table_row(i)) != NULL; i++)
		if (row->name == NULL)
			heading = row;
		else if (dp_table_takes(tool, row)) {
			if (heading != NULL && width != DP_HELP_LINES)
				printf("\n%s:\n", heading->help);
			heading = NULL;
			row_option(tool, row, width);
		}
}

/* The usage has the option with its argument, not in brackets: there is no run without. */
static bool
is_needed(const struct dp_tool *tool, const struct dp_row *row)
{
	const bool letter = row->c < OPT_LONG;
	const char *at;
	char text[80];

	if (row->arg == NULL)
		return false;
	if (letter)
		snprintf(text, sizeof text, "-%c %s", row->c, row->arg);
	else
		snprintf(text, sizeof text, "--%s=%s", row->name, row->arg);
	at = strstr(tool->synopsis, text);
	return at == tool->synopsis ||
	    (at != NULL && (at[-1] == ' ' || (letter && at[-1] != '[')));
}

/* The row is on the tool's screen of --help; of symbols --unit, and what it takes, is not. */
static bool
is_first(const struct dp_tool *tool, const struct dp_row *row, int rank)
{
	const bool of_unit = tool->shape == DP_SHAPE_SYMBOL &&
	    (tool->groups & DP_GROUP_UNIT) != 0 && (row->c == 'k' || row->c == 'r');

	return !of_unit && row->name != NULL && dp_table_takes(tool, row) &&
	    ((row->rank > 0 && row->rank <= rank) || is_needed(tool, row)) &&
	    (row->c != 'm' || dp_tool_matches(tool));
}

static int
ranked(const struct dp_tool *tool, int rank)
{
	const struct dp_row *row;
	size_t i;
	int n = 0;

	for (i = 0; (row = dp_table_row(i)) != NULL; i++)
		n += is_first(tool, row, rank);
	return n;
}

int
dp_help_examples(const char *text)
{
	int lines = 2;

	if (text == NULL)
		return 0;
	printf("\n%s\n", text);
	for (; *text != '\0'; text++)
		lines += *text == '\n';
	return lines;
}

/* Examples, then as many options as fit in 24 lines, the best ranks first; `used': lines so far. */
static void
one_screen(const struct dp_tool *tool, int used)
{
	const struct dp_row *row;
	int rank = 0;
	size_t i;

	used += dp_help_examples(tool->examples) + 2;
	putchar('\n');
	used += dp_help_own(tool->own, SCREEN, OWN_MAX);
	while (rank < 100 && used + ranked(tool, rank + 1) <= DP_HELP_SCREEN_LINES)
		rank++;
	for (i = 0; (row = dp_table_row(i)) != NULL; i++)
		if (is_first(tool, row, rank))
			row_option(tool, row, SCREEN);
	printf("--help=all: all options, by topic%s; tasks: dputils-recipes(7).\n",
	    tool->map ? "" : "; --help=mechanisms");
}

static void
mechanisms(const struct dp_tool *tool, const struct dp_listing *list)
{
	const struct dp_mech_ops *m;
	unsigned i;

	printf("\nMechanisms%s:\n", list->heading);
	for (i = 0; (m = dp_plan_list(i)) != NULL; i++)
		if (is_listed(tool, list, m))
			printf("  %-*s%s\n", LEFT - 2, m->name, m->say.source);
}

/* Returns the number of its lines. */
static int
usage(const struct dp_tool *tool, int width)
{
	char line[300];
	int lines;

	snprintf(line, sizeof line, "usage: %s %s%s[options] [FILE ...]", tool->name,
	    tool->map ? "" : "-e EPSILON [-T HORIZON] ", tool->synopsis);
	lines = dp_help_words(line, 0, 0, width);
	return lines + dp_help_words(tool->purpose, 0, 0, width);
}

_Noreturn void
dp_table_help(const struct dp_tool *tool, const char *what)
{
	size_t i;
	int used;

	if (what != NULL && strcmp(what, DP_HELP_COMPLETION) == 0) {
		every_option(tool, DP_HELP_LINES);
		exit(dp_close_stdout());
	}
	if (what != NULL && strcmp(what, "all") != 0 &&
	    (tool->map || strcmp(what, "mechanisms") != 0))
		dp_die(DP_EX_USAGE, "--help: '%s' must be all%s, or nothing", what,
		    tool->map ? "" : " or mechanisms");
	dp_wrap_begin();
	used = usage(tool, what == NULL ? SCREEN : 0);
	if (what == NULL) {
		one_screen(tool, used);
		exit(dp_close_stdout());
	}
	if (strcmp(what, "all") == 0)
		every_option(tool, 0);
	else
		for (i = 0; i < DP_LISTS_MAX && tool->lists[i].tasks != 0; i++)
			mechanisms(tool, &tool->lists[i]);
	printf("\nExit status: 0 success, 1 system, 2 usage, 3 input refused%sSee %s(1), "
	    "dputils(7).\n", tool->map ? ".\n" : ",\n"
	    "4 horizon or budget spent, 5 state file or ledger refused, 75 state file in use.\n",
	    tool->name);
	exit(dp_close_stdout());
}
