/*
 * options_whose.c - options that only some tools have: those tools, for the messages of the others.
 *
 * A tool knows no other's table; badinput.bats compares this one with what all of them take.
 */
#include <stdio.h>
#include <string.h>

#include "options_table.h"

#define MATCHING	"dpcount dpwindow dpmean dpdecay dpmaxsum dpmap"

/* The tool that somebody is likely to want is the first. */
static const struct {
	const char *name, *tools;
} whose[] = {
	{ "alpha", "dpdecay dpmaxsum" }, { "at-end", "dpdistinct" },
	{ "beta", "dpdecay dptransform" }, { "bins", "dpquantile" }, { "both", "dpmaxsum" },
	{ "buckets", "dpdistinct" }, { "ceiling", "dpmaxsum" }, { "changes", "dptransform" },
	{ "columns", "dpmaxsum dpexperts" }, { "complete", "dpproject" },
	{ "deletes", "dpdistinct" }, { "distance", "dptransform" }, { "distinct", "dptop" },
	{ "domain", "dplocal" }, { "estimate", "dplocal" }, { "every", "dpdistinct" },
	{ "expect", "dpcount dpwindow dpdecay dpmaxsum dpdistinct" },
	{ "expire", "dpcount dpdecay" }, { "flips", "dpdistinct" },
	{ "fixed", MATCHING }, { "ignore-case", MATCHING }, { "invert-match", MATCHING },
	{ "half-life", "dpdecay dpmean dpquantile dpmaxsum" }, { "histogram", "dpquantile" },
	{ "hold", "dptop" }, { "identifiers", "dpmap" }, { "inner-epsilon", "dptransform" },
	{ "log-bins", "dpquantile" }, { "looks", "dpdistinct" }, { "margin", "dpmaxsum" },
	{ "match", MATCHING },
	{ "monotone", "dpcount dpmaxsum dptransform" }, { "no-pan-private", "dpdistinct" },
	{ "on-halt", "dptransform" }, { "one-sided", "dptransform" },
	{ "ones", "dpmaxsum dpexperts" },
	{ "partial", "dpcount dpwindow dpdecay dpmaxsum dpdistinct" }, { "power", "dpdecay" },
	{ "presence", "dpdistinct" }, { "protect", "dpdistinct dpexperts" },
	{ "quantile", "dpquantile" }, { "queries", "dpproject" }, { "rate", "dpexperts" },
	{ "rising", "dptransform" }, { "running", "dpmean dpquantile dptop" },
	{ "seen", "dpdistinct" }, { "segments", "dpexperts" }, { "select", "dpmaxsum" },
	{ "sensitivity", "dptransform" }, { "shard", "dpmap" }, { "share", "dpdistinct" },
	{ "simplex", "dplocal" }, { "slice", "dpmap" }, { "statistic", "dpmean dpdistinct" },
	{ "symmetric", "dpproject" }, { "tau", "dpdistinct" },
	{ "top", "dptop dpcount dpwindow dpdecay" },
	{ "unit", "dpcount dpwindow dpdecay dpmaxsum dpmap" }, { "universe", "dpdistinct" },
	{ "updates", "dpdistinct" }, { "weights", "dpdecay" },
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

const char *
dp_table_whose(const char *name, size_t n, char text[static DP_WHOSE])
{
	const char *p;
	size_t i, k, at = 0;

	for (i = 0; i < sizeof whose / sizeof *whose; i++)
		if (strlen(whose[i].name) == n && memcmp(whose[i].name, name, n) == 0)
			break;
	if (i == sizeof whose / sizeof *whose)
		return NULL;
	for (p = whose[i].tools; *p != '\0'; p += k + (p[k] != '\0')) {
		k = strcspn(p, " ");
		at += (size_t)snprintf(text + at, DP_WHOSE - at, "%s%.*s", p == whose[i].tools ?
		    "" : p[k] == '\0' ? " and " : ", ", (int)k, p);
	}
	return text;
}
