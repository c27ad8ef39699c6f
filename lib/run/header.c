/*
 * header.c - the header line: which it is, and one without a field that an option names.
 *
 * Header lines are public (dputils(7), WHAT IS PUBLIC), and the message has their names.  A line
 * with a number in it, however it is cut, is rather one of data, for which -H was given by mistake,
 * and a file after the first rather the second piece of one: nothing of either is shown.
 *
 * The form of a file is told by its first bytes here and by --check alone, as both are public.
 * Without a header they are somebody's event, and who wrote it would decide how the run ends.
 */
#include <string.h>

#include <sodium.h>

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

/* A title above the rows, which are cut as they should be: blanks stand in it, and nothing else. */
static bool
is_title(const struct dp_record *rec)
{
	const char *hint = dp_header_delimiter(rec);

	return hint != NULL && strncmp(hint, "without", 7) == 0;
}

/* A header of one field that should be several. */
static _Noreturn void
uncut(const char *file, const struct dp_record *rec, unsigned number)
{
	struct dp_buf b = { .p = NULL };

	dp_shown_put(&b, rec->field[1]);
	dp_buf_add(&b, "", 1);
	if (b.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	dp_die(DP_EX_USAGE, "%s: the header has no field %u: it has '%.*s' (%s)", file, number,
	    TEXT, b.p, dp_header_delimiter(rec));
}

/* Its fields are counted for the operator, if names are. */
static _Noreturn void
too_few(const char *file, bool first, const struct dp_record *rec, unsigned number)
{
	if (!first)
		dp_die(DP_EX_USAGE, "%s: the header has no field %u: with -H each file must begin "
		    "with a header, as the first", file, number);
	if (!has_names(rec))
		dp_die(DP_EX_USAGE, "%s: the header has no field %u: it has a number among its "
		    "names, as lines of data do", file, number);
	if (dp_header_delimiter(rec) != NULL)
		uncut(file, rec, number);
	dp_die(DP_EX_USAGE, "%s: the header has no field %u: it has %u", file, number,
	    rec->nfields);
}

static _Noreturn void
fail(const char *file, bool first, const struct dp_record *rec, const char *missing)
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

static bool
begins(struct dp_slice s, const char *with, size_t n)
{
	return s.n >= n && memcmp(s.p, with, n) == 0;
}

void
dp_header_text(const char *file, const struct dp_record *rec)
{
	static const struct { const char *magic; size_t n; const char *is, *by; } known[] = {
		{ "\xff\xfe", 2, "UTF-16", "iconv -f UTF-16 -t UTF-8" },
		{ "\xfe\xff", 2, "UTF-16", "iconv -f UTF-16 -t UTF-8" },
		{ "\x1f\x8b", 2, "compressed", "zcat" }, { "\x1f\x9d", 2, "compressed", "zcat" },
		{ "BZh", 3, "compressed", "bzcat" }, { "\xfd" "7zXZ", 5, "compressed", "xzcat" },
		{ "\x28\xb5\x2f\xfd", 4, "compressed", "zstdcat" },
		{ "\x04\x22\x4d\x18", 4, "compressed", "lz4cat" },
		{ "PK\x03\x04", 4, "a zip archive or a spreadsheet", "unzip -p" } };
	const struct dp_slice s = rec->text.p != NULL || rec->nfields == 0 ? rec->text :
	    rec->field[1];
	size_t i;

	for (i = 0; s.p != NULL && i < sizeof known / sizeof *known; i++)
		if (begins(s, known[i].magic, known[i].n))
			dp_die(DP_EX_INPUT, "%s: is %s, by its first bytes; use: %s %s | ...", file,
			    known[i].is, known[i].by, strcmp(file, "standard input") == 0 ?
			    "FILE" : file);
}

/* One record; 0: there is none, or a signal came before it. */
static int
next(struct dp_run *r, struct dp_record *rec)
{
	int rc;

	do
		rc = dp_reader_next(r->in.reader, rec, -1);
	while (rc == DP_READ_TIMEOUT && dp_session_signal == 0);
	return rc == DP_READ_TIMEOUT ? 0 : rc;
}

#define FIELDS		"#Fields:"
#define DIRECTIVES	100		/* before the fields, at most */

/* The first line of a log in the W3C's extended format, as IIS writes it. */
static bool
is_directive(const struct dp_record *rec)
{
	static const char *const known[] = { "#Software:", "#Version:", "#Date:", FIELDS,
	    "#Start-Date:", "#Remark:" };
	size_t i;

	for (i = 0; rec->text.p != NULL && i < sizeof known / sizeof *known; i++)
		if (begins(rec->text, known[i], strlen(known[i])))
			return true;
	return false;
}

/*
 * Such a log names its fields in one of the lines that begin with #; those before it belong to the
 * header.  As for DP_READ_RECORD the record becomes the names alone.
 */
static int
find_fields(struct dp_run *r, struct dp_record *rec, const char *file)
{
	const struct dp_options *o = r->o;
	const size_t word = strlen(FIELDS);
	unsigned n;
	int rc;

	for (n = 0; !begins(rec->text, FIELDS, word); n++) {
		if (n == DIRECTIVES || rec->text.n == 0 || *rec->text.p != '#')
			dp_die(DP_EX_USAGE, "%s: the header has no line '#Fields: ...' with the "
			    "names of its fields", file);
		if ((rc = next(r, rec)) != DP_READ_RECORD)
			return rc;
	}
	rec->text.p += word;
	rec->text.n -= word;
	if (rec->text.n > 0 && (*rec->text.p == ' ' || *rec->text.p == '\t')) {
		rec->text.p++;
		rec->text.n--;
	}
	dp_record_cut(rec, o->form.delimiter, DP_FIELDS_MAX);
	return DP_READ_RECORD;
}

static void
check(struct dp_run *r, int i, const char *file, const struct dp_record *rec)
{
	const bool first = i == 0 && (r->o->keep.state == NULL || r->o->keep.init);
	const char *missing = dp_events_header(r->in.events, rec);
	unsigned number;

	if (missing != NULL)
		fail(file, first, rec, missing);
	if ((number = dp_events_lacks(r->in.events, rec)) != 0 && !is_title(rec))
		too_few(file, first, rec, number);
}

int
dp_run_header(struct dp_run *r, int i, const char *file)
{
	static struct dp_record rec;
	int rc = next(r, &rec);
	bool directives;

	if (rc == DP_READ_RECORD) {
		dp_header_text(file, &rec);
		directives = !r->o->form.csv && is_directive(&rec);
		dp_events_directives(r->in.events, directives);
		if (directives)
			rc = find_fields(r, &rec, file);
	}
	if (rc == DP_READ_RECORD)
		check(r, i, file, &rec);
	sodium_memzero(&rec, sizeof rec);
	return rc;
}
