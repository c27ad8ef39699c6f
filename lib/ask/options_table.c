/*
 * options_table.c - what is made of the rows: getopt's lists, names, whose an option is and what a
 * misspelt one may have meant; messages.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options_table.h"

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
		if (strcmp(own->name, name) == 0)
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
	{ "alpha", "dpdecay dpmaxsum" }, { "beta", "dpdecay dptransform" },
	{ "bins", "dpquantile" }, { "both", "dpmaxsum" }, { "buckets", "dpdistinct" },
	{ "ceiling", "dpmaxsum" }, { "changes", "dptransform" }, { "complete", "dpproject" },
	{ "deletes", "dpdistinct" }, { "distance", "dptransform" }, { "distinct", "dptop" },
	{ "estimate", "dplocal" }, { "expire", "dpcount dpdecay" }, { "flips", "dpdistinct" },
	{ "half-life", "dpdecay dpmean dpquantile dpmaxsum" }, { "histogram", "dpquantile" },
	{ "hold", "dptop" }, { "identifiers", "dpmap" }, { "inner-epsilon", "dptransform" },
	{ "log-bins", "dpquantile" }, { "looks", "dpdistinct" }, { "margin", "dpmaxsum" },
	{ "no-pan-private", "dpdistinct" }, { "on-halt", "dptransform" },
	{ "one-sided", "dptransform" }, { "power", "dpdecay" }, { "presence", "dpdistinct" },
	{ "protect", "dpdistinct dpexperts" }, { "quantile", "dpquantile" },
	{ "queries", "dpproject" }, { "rate", "dpexperts" }, { "rising", "dptransform" },
	{ "running", "dpmean dpquantile dptop" }, { "segments", "dpexperts" },
	{ "select", "dpmaxsum" }, { "sensitivity", "dptransform" }, { "shard", "dpmap" },
	{ "share", "dpdistinct" }, { "simplex", "dplocal" }, { "slice", "dpmap" },
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
is_name(const char *known, const char *name, size_t n)
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
		if (row->name != NULL && is_name(row->name, name, n) && row->whose != NULL)
			return row->whose;
	for (i = 0; i < sizeof whose / sizeof *whose; i++)
		if (is_name(whose[i].name, name, n))
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
