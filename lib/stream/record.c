/*
 * record.c - making and freeing a reader, and records that are lines.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reader.h"

#define BLOCK	((size_t)1 << 16)
#define PAGE	((size_t)4096)
#define LOOK	((size_t)512)	/* bytes a frugal reader looks ahead: most lines are shorter */

static bool
valid(const struct dp_reader_rule *rule)
{
	int d = rule->delimiter;

	return d >= -1 && d <= 255 && d != '\n' && d != '\r' &&
	    !(rule->csv && (d == '"' || rule->frugal)) &&
	    rule->fields <= DP_FIELDS_MAX && rule->block <= DP_RECORD_MAX;
}

int
dp_reader_new(struct dp_reader **out, const struct dp_reader_rule *rule)
{
	struct dp_reader *r;
	size_t size;
	int e;

	if (!valid(rule))
		return DP_EINVAL;
	if ((r = calloc(1, sizeof *r)) == NULL)
		return DP_ENOMEM;
	r->rule = *rule;
	r->peek[0] = r->peek[1] = -1;
	if (rule->block == 0)
		r->rule.block = BLOCK;
	if (rule->frugal)
		r->rule.block = LOOK;
	/* A byte order mark has to fit; a frugal buffer cannot grow. */
	r->cap = rule->frugal ? DP_RECORD_MAX + 1 :
	    r->rule.block < 4 ? 4 : r->rule.block;
	size = (r->cap + DP_READER_SLACK + PAGE - 1) / PAGE * PAGE;
	if ((r->buf = aligned_alloc(PAGE, size)) == NULL) {
		free(r);
		return DP_ENOMEM;
	}
	if (rule->csv && (e = dp_csvrow_new(&r->csv, rule)) != 0) {
		dp_reader_free(r);
		return e;
	}
	dp_reader_attach(r, -1);
	*out = r;
	return 0;
}

void
dp_reader_attach(struct dp_reader *r, int fd)
{
	struct stat st;
	bool there;

	if (r->rule.frugal)
		explicit_bzero(r->buf, r->end);
	r->fd = fd;
	there = fstat(fd, &st) == 0;
	r->waits = !there || !S_ISREG(st.st_mode);
	r->nonblocking = false;
	if (r->rule.frugal)
		dp_frugal_attach(r, there ? &st : NULL);
	r->start = true;
	r->eof = r->passing = r->passed = false;
	r->beg = r->whole = r->end = 0;
	r->line = 0;
	if (r->csv != NULL)
		dp_csvrow_reset(r->csv);
}

void
dp_reader_stop(struct dp_reader *r)
{
	r->stopped = true;
}

void
dp_reader_free(struct dp_reader *r)
{
	if (r == NULL)
		return;
	if (r->rule.frugal)
		explicit_bzero(r->buf, r->end);
	dp_frugal_detach(r);
	dp_csvrow_free(r->csv);
	free(r->buf);
	free(r);
}

static bool
blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A high bit in the first byte of w that is 0, and perhaps in later ones. */
static uint64_t
zero_byte(uint64_t w)
{
	const uint64_t ones = 0x0101010101010101;

	return (w - ones) & ~w & (ones << 7);
}

/* The first blank of [p, e), or e: eight bytes at a time. */
static const char *
next_blank(const char *p, const char *e)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t w;

	for (; e - p >= 8; p += 8) {
		memcpy(&w, p, sizeof w);
		w = le64toh(w);
		w = zero_byte(w ^ ' ' * ones) | zero_byte(w ^ '\t' * ones);
		if (w != 0)
			return p + __builtin_ctzll(w) / 8;
	}
	while (p < e && !blank(*p))
		p++;
	return p;
}

static unsigned
cut_blanks(struct dp_record *rec, unsigned want)
{
	const char *p = rec->text.p, *e = p + rec->text.n, *s;
	unsigned n = 0;

	while (n < want) {
		while (p < e && blank(*p))
			p++;
		if (p == e)
			break;
		s = p;
		p = next_blank(p, e);
		rec->field[++n] = (struct dp_slice){ s, (size_t)(p - s) };
	}
	return n;
}

static unsigned
cut_delimiter(struct dp_record *rec, unsigned want, int delimiter)
{
	const char *p = rec->text.p, *e = p + rec->text.n, *s;
	unsigned n = 0;

	while (n < want && p != NULL) {
		s = p;
		p = memchr(s, delimiter, (size_t)(e - s));
		rec->field[++n] = (struct dp_slice){ s,
		    (size_t)((p == NULL ? e : p) - s) };
		if (p != NULL)
			p++;
	}
	return n;
}

void
dp_record_cut(struct dp_record *rec, int delimiter, unsigned fields)
{
	unsigned i;

	rec->nfields = rec->too_long ? 0 : delimiter < 0 ?
	    cut_blanks(rec, fields) : cut_delimiter(rec, fields, delimiter);
	for (i = rec->nfields + 1; i <= fields; i++)
		rec->field[i] = (struct dp_slice){ NULL, 0 };
}

/* Lines: the next of those that are in memory. */
static void
next_line(struct dp_reader *r, struct dp_record *rec)
{
	char *p, *nl;
	size_t n;

	if (!r->rule.uncounted)
		r->line++;
	rec->number = r->line;
	rec->too_long = r->passed;
	if (DP_UNLIKELY(r->passed)) {
		r->passed = false;
		rec->text = (struct dp_slice){ NULL, 0 };
	} else {
		p = r->buf + r->beg;
		nl = memchr(p, '\n', r->whole - r->beg);
		r->beg = (size_t)(nl + 1 - r->buf);
		n = (size_t)(nl - p);
		if (n > 0 && p[n - 1] == '\r')
			n--;
		rec->text = (struct dp_slice){ p, n };
	}
	if (r->rule.fields == 0)
		rec->nfields = 0;
	else
		dp_record_cut(rec, r->rule.delimiter, r->rule.fields);
}

int
dp_reader_next(struct dp_reader *r, struct dp_record *rec, int timeout_ms)
{
	int e;

	if (r->csv != NULL)
		return dp_csvrow_next(r, rec, timeout_ms);
	if (r->beg == r->whole &&
	    (e = dp_reader_lines(r, timeout_ms)) != DP_READ_RECORD)
		return e;
	next_line(r, rec);
	return DP_READ_RECORD;
}

int
dp_reader_more(struct dp_reader *r, struct dp_record *rec)
{
	if (r->csv != NULL)
		return dp_csvrow_more(r, rec);
	if (r->beg == r->whole)
		return 0;
	next_line(r, rec);
	return DP_READ_RECORD;
}

int
dp_reader_span(struct dp_reader *r, char **p, char **e, int timeout_ms)
{
	int rc;

	if (r->csv != NULL)
		return DP_EINVAL;
	if (r->beg == r->whole &&
	    (rc = dp_reader_lines(r, timeout_ms)) != DP_READ_RECORD)
		return rc;
	*p = *e = r->buf + r->beg;
	if (r->passed)
		r->passed = false;
	else {
		*e = r->buf + r->whole;
		r->beg = r->whole;
	}
	return DP_READ_RECORD;
}
