/*
 * record.c - making and freeing a reader, and records that are lines.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "block.h"
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
	/* A byte order mark has to fit (CSV); a frugal buffer cannot grow. */
	r->cap = rule->frugal ? DP_RECORD_MAX + 1 :
	    r->rule.block < 4 ? 4 : r->rule.block;
	size = (r->cap + DP_RECORD_SLACK + PAGE - 1) / PAGE * PAGE;
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
	r->eof = r->unended = r->passing = r->passed = false;
	r->beg = r->whole = r->end = 0;
	r->line = 0;
	r->left = UINT64_MAX;
	if (r->csv != NULL)
		dp_csvrow_reset(r->csv);
}

int
dp_reader_part(struct dp_reader *r, const struct dp_filepart *part, uint64_t line)
{
	if (lseek(r->fd, (off_t)part->begin, SEEK_SET) < 0)
		return DP_EIO;
	r->line = line;
	r->left = part->end - part->begin;
	return 0;
}

void
dp_reader_limit(struct dp_reader *r, uint64_t bytes)
{
	r->left = bytes;
}

void
dp_reader_stop(struct dp_reader *r)
{
	r->stopped = true;
}

bool
dp_reader_unended(const struct dp_reader *r)
{
	return r->unended;
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

/* Fields begin and end, in turn, where blanks end and begin; before the line is a blank. */
static unsigned
cut_blanks(struct dp_record *rec, unsigned want)
{
	const char *p = rec->text.p, *e = p + rec->text.n, *s = NULL, *at;
	uint64_t blank, edge, before = 1;
	unsigned n = 0;

	for (; p <= e && n < want; p += DP_BLOCK) {
		blank = dp_block_equal(p, ' ') | dp_block_equal(p, '\t') |
		    ~dp_block_first((size_t)(e - p));
		edge = blank ^ (blank << 1 | before);
		before = blank >> 63;
		for (; edge != 0 && n < want; edge &= edge - 1) {
			at = p + __builtin_ctzll(edge);
			if (s == NULL) {
				s = at;
				continue;
			}
			rec->field[++n] = (struct dp_slice){ s, (size_t)(at - s) };
			s = NULL;
		}
	}
	return n;
}

static unsigned
cut_delimiter(struct dp_record *rec, unsigned want, char delimiter)
{
	const char *p = rec->text.p, *e = p + rec->text.n, *s = p, *at;
	uint64_t stop;
	unsigned n = 0;

	for (; p < e && n < want; p += DP_BLOCK) {
		stop = dp_block_equal(p, delimiter) & dp_block_first((size_t)(e - p));
		for (; stop != 0 && n < want; stop &= stop - 1) {
			at = p + __builtin_ctzll(stop);
			rec->field[++n] = (struct dp_slice){ s, (size_t)(at - s) };
			s = at + 1;
		}
	}
	if (n < want)
		rec->field[++n] = (struct dp_slice){ s, (size_t)(e - s) };
	return n;
}

void
dp_record_cut(struct dp_record *rec, int delimiter, unsigned fields)
{
	unsigned i;

	rec->nfields = rec->too_long ? 0 : delimiter < 0 ?
	    cut_blanks(rec, fields) : cut_delimiter(rec, fields, (char)delimiter);
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
		p += dp_record_marks(p, r->buf + r->whole);
		nl = memchr(p, '\n', (size_t)(r->buf + r->whole - p));
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
