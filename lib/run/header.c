/*
 * header.c - a header line without a field that an option names.
 *
 * Header lines are public (dputils(7), WHAT IS PUBLIC), and the message has their names.  A line
 * with a number in it, however it is cut, is rather one of data, for which -H was given by mistake,
 * and a file after the first rather the second piece of one: nothing of either is shown.
 */
#include <string.h>

#include "roads.h"

#define NAMES	20
#define TEXT	400		/* bytes of all names, and some more */

/* True: a piece of it begins as numbers do, if it is cut at any delimiter and has quotes. */
static bool
has_number(struct dp_slice s)
{
	bool begins = true;
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (begins && memchr("0123456789+-.", s.p[i], 13) != NULL)
			return true;
		begins = memchr(";\t,| \"'", s.p[i], 7) != NULL;
	}
	return false;
}

static bool
has_names(const struct dp_record *rec)
{
	unsigned i;

	for (i = 1; i <= rec->nfields; i++)
		if (rec->field[i].p != NULL && has_number(rec->field[i]))
			return false;
	return true;
}

const char *
dp_header_delimiter(const struct dp_record *rec)
{
	static const struct { char c; const char *hint; } known[] = {
		{ ';', "-F ';' cuts it at semicolons" }, { '\t', "--tsv cuts it at tabs" },
		{ ',', "--csv cuts it at commas" }, { '|', "-F '|' cuts it at bars" },
		{ ' ', "without -F, --csv and --tsv it is cut at blanks" } };
	size_t i;

	if (rec->nfields != 1 || rec->field[1].p == NULL)
		return NULL;
	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (memchr(rec->field[1].p, known[i].c, rec->field[1].n) != NULL)
			return known[i].hint;
	return NULL;
}

/* Blanks may stand in a title above the rows, which are cut as they should be. */
void
dp_header_cut(const char *file, const struct dp_record *rec, unsigned number)
{
	const char *hint = dp_header_delimiter(rec);
	struct dp_buf b = { .p = NULL };

	if (hint == NULL || strncmp(hint, "without", 7) == 0 || !has_names(rec))
		return;
	dp_shown_put(&b, rec->field[1]);
	dp_buf_add(&b, "", 1);
	if (b.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	dp_die(DP_EX_USAGE, "%s: the header has no field %u: it has '%.*s' (%s)", file, number,
	    TEXT, b.p, hint);
}

_Noreturn void
dp_header_fail(const char *file, bool first, const struct dp_record *rec, const char *missing)
{
	const char *hint = dp_header_delimiter(rec);
	struct dp_buf b = { .p = NULL };
	unsigned i;

	if (!first)
		dp_die(DP_EX_USAGE, "%s: the header has no field '%s': with -H each file must "
		    "begin with a header, as the first", file, missing);
	if (!has_names(rec))
		dp_die(DP_EX_USAGE, "%s: the header has no field '%s': it has a number among its "
		    "names, as lines of data do", file, missing);
	for (i = 1; i <= rec->nfields && i <= NAMES && b.n < TEXT; i++) {
		dp_buf_puts(&b, i == 1 ? "'" : ", '");
		if (rec->field[i].p != NULL)
			dp_shown_put(&b, rec->field[i]);
		dp_buf_puts(&b, "'");
	}
	dp_buf_puts(&b, i <= rec->nfields ? ", ..." : "");
	dp_buf_add(&b, "", 1);
	if (b.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	dp_die(DP_EX_USAGE, "%s: the header has no field '%s': it has %s%s%s%s", file, missing,
	    b.p, hint != NULL ? " (" : "", hint != NULL ? hint : "", hint != NULL ? ")" : "");
}
