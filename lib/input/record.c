/* SPDX-License-Identifier: ISC */
/* record.c - bytes of read(2) to records: lines, rows of CSV, parts of a file. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/block.h"
#include "internal.h"

static int dp_reader_lines(struct dp_reader *, int timeout_ms) DP_MUSTUSE;
static void dp_frugal_attach(struct dp_reader *, const struct stat *st);
static void dp_frugal_detach(struct dp_reader *);
static ssize_t dp_frugal_read(struct dp_reader *, char *p, size_t n) DP_MUSTUSE;
static int dp_csvrow_new(struct dp_csvrow **, const struct dp_reader_rule *) DP_MUSTUSE;
static void dp_csvrow_reset(struct dp_csvrow *);
static void dp_csvrow_free(struct dp_csvrow *);
static int dp_csvrow_more(struct dp_reader *, struct dp_record *) DP_MUSTUSE;
static int dp_csvrow_next(struct dp_reader *, struct dp_record *, int timeout_ms) DP_MUSTUSE;
static int dp_csvrow_plain(struct dp_reader *, struct dp_record *) DP_MUSTUSE;
static enum dp_csvquote dp_csvquote_judge(struct dp_reader *);
static int dp_csvquote_text(struct dp_csvrow *) DP_MUSTUSE;

/*
 * Making and freeing a reader, and records that are lines.
 */

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
next_line_record(struct dp_reader *r, struct dp_record *rec)
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
	next_line_record(r, rec);
	return DP_READ_RECORD;
}

int
dp_reader_more(struct dp_reader *r, struct dp_record *rec)
{
	if (r->csv != NULL)
		return dp_csvrow_more(r, rec);
	if (r->beg == r->whole)
		return 0;
	next_line_record(r, rec);
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

/*
 * The block reader: read(2), poll(2), and where lines end.
 *
 * It answers whatever read(2) returned and never waits to fill the block, so a
 * live pipe is answered at once and a file is read in 64 KiB steps.  Only
 * bytes that are new are searched for a newline: a long line is not searched twice.
 */

/*
 * Before a read: call idle() if it would block, and wait as long as allowed.
 * Without idle() and timeout the read itself may as well do the waiting.
 */
static int
ready(struct dp_reader *r, int timeout_ms)
{
	struct pollfd q = { .fd = r->fd, .events = POLLIN };
	int e, n;

	if (!r->waits || (r->rule.idle == NULL && timeout_ms < 0 && !r->nonblocking))
		return 0;
	n = poll(&q, 1, 0);		/* a hangup counts as ready: read returns 0 */
	if (n == 0) {
		if (r->rule.idle != NULL && (e = r->rule.idle(r->rule.arg)) != 0)
			return e;
		n = poll(&q, 1, timeout_ms);
	}
	if (n > 0)
		return 0;
	return n == 0 || errno == EINTR ? DP_READ_TIMEOUT : DP_EIO;
}

/*
 * Moves [beg,end) to the front and reads once, at most rule.block bytes; there must be room.  0:
 * *got bytes came, none at the end of the file.  Else the value that dp_reader_next() must return.
 */
static int
dp_reader_fill(struct dp_reader *r, int timeout_ms, size_t *got)
{
	bool ask;		/* Non-blocking descriptor: poll after EAGAIN. */
	size_t n;
	ssize_t k;
	int e;

	if (r->stopped)
		return DP_READ_TIMEOUT;
	if (r->beg != 0) {
		memmove(r->buf, r->buf + r->beg, r->end - r->beg);
		r->end -= r->beg;
		r->beg = r->whole = 0;
	}
	n = r->cap - r->end < r->rule.block ? r->cap - r->end : r->rule.block;
	n = n < r->left ? n : (size_t)r->left;
	for (ask = !r->nonblocking; ; ask = true) {
		if (ask && (e = ready(r, timeout_ms)) != 0)
			return e;
		k = r->rule.frugal ? dp_frugal_read(r, r->buf + r->end, n) :
		    read(r->fd, r->buf + r->end, n);
		if (k >= 0)
			break;
		if (errno == EINTR)
			return DP_READ_TIMEOUT;
		if (errno != EAGAIN && errno != EWOULDBLOCK)
			return DP_EIO;
		r->nonblocking = true;	/* whoever shares our standard input did that */
	}
	r->end += (size_t)k;
	if (r->left != UINT64_MAX)	/* else it would tell, under -P, how long a line was */
		r->left -= (uint64_t)k;
	r->eof = k == 0;
	if (r->eof && r->rule.end != NULL && (e = r->rule.end(r->rule.arg)) != 0)
		return e;
	*got = (size_t)k;
	return 0;
}

/*
 * Before each fill of one call; true: the call has taken enough of the caller's time.  There is no
 * clock here, so a call with a timeout waits once and reads at most 64 times.
 */
static bool
dp_reader_enough(int *timeout_ms, unsigned *reads)
{
	if (*timeout_ms < 0)
		return false;
	if (*reads > 0)
		*timeout_ms = 0;
	return (*reads)++ == 64;
}

/* Room for more of a record, up to the longest one: DP_ENOMEM. */
/* The frugal buffer is never moved: a copy would stay behind. */
static int
dp_reader_grow(struct dp_reader *r)
{
	size_t cap = r->cap < DP_RECORD_MAX / 2 ? 2 * r->cap : DP_RECORD_MAX + 1;
	char *p = realloc(r->buf, cap + DP_RECORD_SLACK);

	if (p == NULL)
		return DP_ENOMEM;
	r->buf = p;
	r->cap = cap;
	return 0;
}

static void
drop(struct dp_reader *r)
{
	if (r->rule.frugal)
		explicit_bzero(r->buf, r->end);
	r->beg = r->whole = r->end = 0;
}

void
dp_reader_forget(struct dp_reader *r)
{
	if (r->rule.frugal && r->beg == r->end)
		drop(r);
}

/* New bytes came while passing over a line: is its end among them? */
static void
pass(struct dp_reader *r)
{
	char *nl = memchr(r->buf + r->beg, '\n', r->end - r->beg);

	if (nl == NULL && !r->eof) {
		drop(r);
		return;
	}
	r->passing = false;
	r->passed = true;
	if (nl == NULL || r->rule.frugal) {
		drop(r);
		return;
	}
	r->beg = (size_t)(nl + 1 - r->buf);
	nl = memrchr(r->buf + r->beg, '\n', r->end - r->beg);
	r->whole = nl == NULL ? r->beg : (size_t)(nl + 1 - r->buf);
}

/* Lines: makes [beg,whole) nonempty, or sets passed.  Returns as dp_reader_next(). */
static int
dp_reader_lines(struct dp_reader *r, int timeout_ms)
{
	unsigned reads = 0;
	size_t got;
	char *nl;
	int e;

	if (r->beg == r->end)
		drop(r);
	while (!r->eof) {
		r->whole = r->beg;
		if (r->end - r->beg > DP_RECORD_MAX) {
			r->passing = true;
			drop(r);
		}
		if (r->end - r->beg == r->cap && (e = dp_reader_grow(r)) != 0)
			return e;
		if (dp_reader_enough(&timeout_ms, &reads))
			return DP_READ_TIMEOUT;
		if ((e = dp_reader_fill(r, timeout_ms, &got)) != 0)
			return e;
		if (r->passing) {
			pass(r);
			if (r->passed)
				return DP_READ_RECORD;
			continue;
		}
		if (r->eof && r->end > r->beg) {
			r->buf[r->end++] = '\n';
			r->unended = true;
			got = 1;
		}
		nl = memrchr(r->buf + r->end - got, '\n', got);
		if (nl != NULL) {
			r->whole = (size_t)(nl + 1 - r->buf);
			return DP_READ_RECORD;
		}
	}
	return DP_READ_END;
}

/*
 * A line at a time from the kernel, for memory that may hold no other.
 *
 * What comes next is looked at where it stays: in a pipe by tee(2) into one of our own; in a
 * stream socket by MSG_PEEK; in a file by a step back.  Only the bytes through the first newline
 * are taken, and the rest is wiped before anything is done with the line.  How far to look is the
 * same for every line, or it would tell how long the last one was.  All else, as terminals, gives
 * a byte at a time.
 *
 * A line costs two system calls of a file (read, lseek) or a socket, three of a pipe (tee, read,
 * read), and noise that nobody may know beforehand another.  That is the floor: fewer calls would
 * need more than a line at once in our memory, or an offset, which is the length of all lines so
 * far: pread(2) in the place of read and lseek would take one.
 */

bool
dp_reader_messages(int fd)
{
	int type = 0;
	socklen_t n = sizeof type;

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) == 0 && type != SOCK_STREAM;
}

/*
 * record.c: rule.frugal.  st: of the file descriptor; NULL: it is none.  A read takes at most
 * n bytes, and none behind the first newline, into p, where there is room for n; returns as
 * read(2).
 */
static void
dp_frugal_attach(struct dp_reader *r, const struct stat *st)
{
	r->look = DP_LOOK_BYTE;
	if (st == NULL)
		return;
	if (S_ISREG(st->st_mode))
		r->look = DP_LOOK_FILE;
	else if (S_ISSOCK(st->st_mode) && !dp_reader_messages(r->fd)) {
		r->look = DP_LOOK_SOCKET;
		r->nonblocking = true;
	} else if (S_ISFIFO(st->st_mode) &&
	    (r->peek[0] >= 0 || pipe2(r->peek, O_CLOEXEC) == 0)) {
		r->look = DP_LOOK_PIPE;
		r->nonblocking = true;
	}
}

/*
 * record.c: rule.frugal.  st: of the file descriptor; NULL: it is none.  A read takes at most
 * n bytes, and none behind the first newline, into p, where there is room for n; returns as
 * read(2).
 */
static void
dp_frugal_detach(struct dp_reader *r)
{
	if (r->peek[0] < 0)
		return;
	close(r->peek[0]);
	close(r->peek[1]);
	r->peek[0] = r->peek[1] = -1;
}

/* Number of the n bytes at p that are the line's; the others are wiped. */
static size_t
keep(char *p, size_t n)
{
	const char *nl = memchr(p, '\n', n);
	const size_t k = nl == NULL ? n : (size_t)(nl + 1 - p);

	explicit_bzero(p + k, n - k);
	return k;
}

static ssize_t
from_file(struct dp_reader *r, char *p, size_t n)
{
	const ssize_t k = read(r->fd, p, n);
	ssize_t kept;

	if (k <= 0)
		return k;
	kept = (ssize_t)keep(p, (size_t)k);
	/* Back to where the line ends.  No offset is kept: it would tell how long lines were. */
	return kept == k || lseek(r->fd, kept - k, SEEK_CUR) >= 0 ? kept : -1;
}

static ssize_t
from_pipe(struct dp_reader *r, char *p, size_t n)
{
	const ssize_t seen = dp_os_peek(r->fd, r->peek[1], n);
	ssize_t k;

	if (seen <= 0)
		return seen;
	if (read(r->peek[0], p, (size_t)seen) != seen) {
		errno = EIO;		/* it is our own, and holds that many */
		return -1;
	}
	/* the same bytes, unless somebody else reads there too: then as many of those */
	if ((k = read(r->fd, p, keep(p, (size_t)seen))) < 0)
		explicit_bzero(p, (size_t)seen);
	return k;
}

static ssize_t
from_socket(struct dp_reader *r, char *p, size_t n)
{
	const ssize_t seen = recv(r->fd, p, n, MSG_PEEK | MSG_DONTWAIT);
	ssize_t k;

	if (seen <= 0)
		return seen;
	if ((k = recv(r->fd, p, keep(p, (size_t)seen), MSG_DONTWAIT)) < 0)
		explicit_bzero(p, (size_t)seen);
	return k;
}

/*
 * record.c: rule.frugal.  st: of the file descriptor; NULL: it is none.  A read takes at most
 * n bytes, and none behind the first newline, into p, where there is room for n; returns as
 * read(2).
 */
static ssize_t
dp_frugal_read(struct dp_reader *r, char *p, size_t n)
{
	switch (r->look) {
	case DP_LOOK_FILE:
		return from_file(r, p, n);
	case DP_LOOK_PIPE:
		return from_pipe(r, p, n);
	case DP_LOOK_SOCKET:
		return from_socket(r, p, n);
	case DP_LOOK_BYTE:
		break;
	}
	return read(r->fd, p, 1);
}

/*
 * Where the parts of a file begin.
 *
 * A part ends where the next one begins, which one function of the file and of S I / N says: the
 * parts have nothing in common and leave nothing out.
 */

/* Bytes of [at, end), at most a block; 0: there are none (more). */
static ssize_t
block(int fd, char buf[static BLOCK], uint64_t at, uint64_t end)
{
	const size_t n = end - at < BLOCK ? (size_t)(end - at) : BLOCK;
	ssize_t k;

	do
		k = pread(fd, buf, n, (off_t)at);
	while (k < 0 && errno == EINTR);
	return k;
}

/* The first line that begins at `at` or behind it; size: none does. */
static int
next_line_filepart(uint64_t *begin, int fd, uint64_t at, uint64_t size)
{
	char buf[BLOCK];
	const char *nl;
	ssize_t k;

	*begin = at;
	if (at == 0)
		return 0;
	for (at--; (k = block(fd, buf, at, size)) > 0; at += (uint64_t)k)
		if ((nl = memchr(buf, '\n', (size_t)k)) != NULL) {
			*begin = at + (uint64_t)(nl + 1 - buf);
			return 0;
		}
	*begin = size;
	return k < 0 ? DP_EIO : 0;
}

int
dp_filepart_find(struct dp_filepart *p, int fd, uint64_t i, uint64_t n)
{
	struct stat st;
	uint64_t size;
	int e;

	if (fstat(fd, &st) != 0)
		return DP_EIO;
	size = (uint64_t)st.st_size;
	e = next_line_filepart(&p->begin, fd, (uint64_t)((dp_wide)size * (i - 1) / n), size);
	return e != 0 ? e : next_line_filepart(&p->end, fd, (uint64_t)((dp_wide)size * i / n),
	    size);
}

int
dp_filepart_lines(uint64_t *lines, int fd, uint64_t end)
{
	uint64_t at, n = 0;
	char buf[BLOCK];
	ssize_t k, i;

	for (at = 0; (k = block(fd, buf, at, end)) > 0; at += (uint64_t)k)
		for (i = 0; i < k; i++)
			n += buf[i] == '\n';
	*lines = n;
	return k < 0 ? DP_EIO : 0;
}

/*
 * Records that are CSV rows.
 *
 * libcsv 3.0 defines the format.  It costs about 5 ns a byte, so record.c cuts rows of plain
 * RFC 4180 where they stand and hands the others, byte by byte the same, to the parser.  The
 * parser is between rows whenever that runs.  A row whose quotes do not end is record.c's.
 */

/* A row that is not complete in the buffer is looked at again, up to this size. */
#define RESCAN	((size_t)4096)
/* libcsv keeps one field; of a row that is not too long each fits with room to spare. */
#define STEP	((size_t)4096)
#define FIELD_CAP	(DP_RECORD_MAX + STEP)
#define WINDOW	1024	/* bytes given to libcsv at a time, at most */

static void *
capped(void *p, size_t n)
{
	return n > FIELD_CAP ? NULL : realloc(p, n);
}

static int
dp_csvrow_new(struct dp_csvrow **out, const struct dp_reader_rule *rule)
{
	struct dp_csvrow *c = calloc(1, sizeof *c);
	unsigned char delimiter = rule->delimiter < 0 ? ',' :
	    (unsigned char)rule->delimiter;

	if (c == NULL)
		return DP_ENOMEM;
	c->delimiter = (char)delimiter;
	c->want = rule->fields;
	c->want_text = rule->text;
	c->blank[' '] = c->blank['\t'] = true;
	c->blank[delimiter] = false;
	csv_init(&c->parser, 0);
	csv_set_delim(&c->parser, delimiter);
	csv_set_realloc_func(&c->parser, capped);
	*out = c;
	return 0;
}

static void
restart(struct dp_csvrow *c)
{
	c->open = c->begun = c->done = c->broken = c->too_long = false;
	c->raw = 0;
	c->seen = 0;
	dp_buf_reset(&c->side);
	dp_buf_reset(&c->text);
}

static void
dp_csvrow_reset(struct dp_csvrow *c)
{
	csv_fini(&c->parser, NULL, NULL, NULL);
	c->scan.next = NULL;
	c->quote = DP_CSVQUOTE_OPEN;
	c->unseen = 0;
	restart(c);
}

static void
dp_csvrow_free(struct dp_csvrow *c)
{
	if (c == NULL)
		return;
	csv_free(&c->parser);
	dp_buf_free(&c->side);
	dp_buf_free(&c->text);
	free(c);
}

/* record.c: one more field of the row; n bytes to the parser: DP_ENOMEM. */
static void
dp_csvrow_field(struct dp_csvrow *c, const char *s, size_t n)
{
	if (c->seen++ >= c->want || c->too_long)
		return;
	c->off[c->seen] = c->side.n;
	c->len[c->seen] = n;
	dp_buf_add(&c->side, s, n);
}

static void
on_field(void *s, size_t n, void *arg)
{
	dp_csvrow_field(arg, s, n);
}

static void
on_row(int end, void *arg)
{
	(void)end;
	((struct dp_csvrow *)arg)->done = true;
}

/* Count n bytes of the row, and keep them: record.c may have to look at them again. */
static void
note(struct dp_csvrow *c, const char *p, size_t n)
{
	c->raw += n;
	if (c->raw > DP_RECORD_MAX && !c->too_long) {
		c->too_long = true;
		dp_buf_reset(&c->side);
		dp_buf_reset(&c->text);
	}
	if (!c->too_long)
		dp_buf_add(&c->text, p, n);
}

/* record.c: one more field of the row; n bytes to the parser: DP_ENOMEM. */
/*
 * csv_parse() stops with CSV_ENOMEM where capped() refused.  The row is too long then, but where it
 * ends must still be found: forget the bytes of the field, and nothing else.  After a quote that
 * may be the closing one csv_parse() takes spaces + 1 bytes off the field, and asks whether spaces
 * is 0.
 */
static int
dp_csvrow_parse(struct dp_csvrow *c, const char *p, size_t n)
{
	size_t size = c->parser.entry_size, k;

	csv_set_blk_size(&c->parser, size < STEP ? STEP : size);	/* double */
	for (; (k = csv_parse(&c->parser, p, n, on_field, on_row, c)) < n;
	    p += k, n -= k) {
		if (c->parser.entry_size < FIELD_CAP)
			return DP_ENOMEM;
		c->parser.spaces = c->parser.spaces != 0;
		c->parser.entry_pos = c->parser.spaces + 1;
	}
	return 0;
}

/*
 * Bytes of [p,e) to give to the parser: through the first newline of either kind, for a row ends
 * there if anywhere; *ends tells whether there is one.  No more than WINDOW is searched: in a file
 * without '\n' each row would search all of the buffer for one.
 */
static size_t
piece(const char *p, const char *e, bool *ends)
{
	size_t n = e - p > WINDOW ? WINDOW : (size_t)(e - p);
	const char *lf, *cr;

	lf = memchr(p, '\n', n);
	cr = memchr(p, '\r', lf == NULL ? n : (size_t)(lf - p));
	*ends = lf != NULL || cr != NULL;
	return cr != NULL ? (size_t)(cr + 1 - p) :
	    lf != NULL ? (size_t)(lf + 1 - p) : n;
}

/* A line has ended inside quotes: 1: the row goes on; 0: it ends here, or more bytes are needed. */
static int
go_on(struct dp_reader *r)
{
	struct dp_csvrow *c = r->csv;
	const enum dp_csvquote quote = r->rule.lines ? DP_CSVQUOTE_TEXT : c->too_long ?
	    DP_CSVQUOTE_CLOSES : dp_csvquote_judge(r);

	if (quote == DP_CSVQUOTE_OPEN)
		return 0;
	c->broken = false;
	if (quote == DP_CSVQUOTE_CLOSES)
		return 1;
	c->raw--;
	if (c->too_long) {
		csv_fini(&c->parser, NULL, NULL, NULL);
		c->done = true;
		return 0;
	}
	c->text.n -= c->text.n > 0;	/* what ended the line ends the row */
	return dp_csvquote_text(c);
}

/* Give the bytes at beg to the parser until it has a row, or they run out. */
static int
feed(struct dp_reader *r)
{
	struct dp_csvrow *c = r->csv;
	size_t i, n;
	char *p;
	bool ends;
	int e;

	while (!c->done && c->open) {
		if (c->broken && (e = go_on(r)) != 1)
			return e;
		if (r->beg == r->end)
			return 0;
		p = r->buf + r->beg;
		n = piece(p, r->buf + r->end, &ends);
		r->beg += n;
		for (i = 0; !c->begun && i < n - ends; i++)
			c->begun = !c->blank[(unsigned char)p[i]];
		note(c, p, n - ends);
		if ((e = dp_csvrow_parse(c, p, n)) != 0)
			return e;
		if (!ends)
			continue;
		r->line += p[n - 1] == '\n';
		if (!c->begun)
			restart(c);	/* a blank row is none */
		else if (!c->done) {
			note(c, p + n - 1, 1);	/* a newline in quotes */
			c->broken = true;
		}
	}
	return 0;
}

/* The file ends in a row: as if a newline were behind it. */
static int
finish(struct dp_reader *r)
{
	struct dp_csvrow *c = r->csv;
	int e;

	if (!c->begun) {
		csv_fini(&c->parser, NULL, NULL, NULL);
		restart(c);
		return 0;
	}
	if (!c->done && (e = dp_csvrow_parse(c, "\n", 1)) != 0)
		return e;
	if (!c->done && !c->too_long)
		return dp_csvquote_text(c);
	csv_fini(&c->parser, NULL, NULL, NULL);
	c->done = true;
	return 0;
}

/* The row that the parser has finished. */
static int
deliver(struct dp_csvrow *c, struct dp_record *rec)
{
	unsigned i;

	if (c->side.error != 0 || c->text.error != 0)
		return DP_ENOMEM;
	rec->number = c->number;
	rec->too_long = c->too_long;
	rec->text = c->want_text && !c->too_long ?
	    (struct dp_slice){ c->text.p, c->text.n } : (struct dp_slice){ NULL, 0 };
	if (c->too_long)
		c->seen = 0;
	for (i = 1; i <= c->seen && i <= c->want; i++)
		dp_csvrow_settle(c, rec, i);
	dp_csvrow_complete(c, rec, c->seen);
	return DP_READ_RECORD;
}

/*
 * Passes over the byte order marks before a row.  True: nothing is behind them yet, or what may be
 * the beginning of another.
 */
static bool
passes_marks(struct dp_reader *r)
{
	const char *end = r->buf + r->end, *p = r->buf + r->beg;
	const size_t n = dp_record_marks(p, end), left = r->end - r->beg - n;

	r->beg += n;
	return left == 0 ||
	    (!r->eof && left < 3 && memcmp(p + n, "\xef\xbb", left) == 0);
}

/*
 * A row from what is in the buffer, by either way: DP_READ_RECORD; 0: more bytes are needed;
 * DP_ENOMEM.
 */
static int
from_buffer(struct dp_reader *r, struct dp_record *rec)
{
	struct dp_csvrow *c = r->csv;
	size_t n;
	int e;

	while (r->beg < r->end || (c->broken && r->eof)) {
		if (!c->open) {
			if (passes_marks(r))
				return 0;
			e = r->rule.no_fast_csv ? ROW_ODD : dp_csvrow_plain(r, rec);
			if (e < 0 || e == ROW_PLAIN)
				return e < 0 ? e : DP_READ_RECORD;
			if (e == ROW_BLANK)
				continue;
			n = r->end - r->beg;
			if (e == ROW_CUT && !r->eof && n < RESCAN && n < r->cap)
				return 0;
			c->open = true;
			c->number = r->line + 1;
		}
		if ((e = feed(r)) != 0)
			return e;
		if (c->done)
			return deliver(c, rec);
		if (c->broken)
			return 0;
	}
	return 0;
}

static int
dp_csvrow_more(struct dp_reader *r, struct dp_record *rec)
{
	if (r->csv->done)
		restart(r->csv);
	return from_buffer(r, rec);
}

static int
dp_csvrow_next(struct dp_reader *r, struct dp_record *rec, int timeout_ms)
{
	struct dp_csvrow *c = r->csv;
	unsigned reads = 0;
	size_t got;
	int e;

	if (c->done)
		restart(c);
	for (;;) {
		if ((e = from_buffer(r, rec)) != 0)
			return e;
		if (r->eof)
			break;
		if (dp_reader_enough(&timeout_ms, &reads))
			return DP_READ_TIMEOUT;
		if (r->end - r->beg == r->cap && (e = dp_reader_grow(r)) != 0)
			return e;
		if ((e = dp_reader_fill(r, timeout_ms, &got)) != 0)
			return e;
		c->unseen += got;
		c->scan.next = NULL;	/* rows have moved */
	}
	if (c->open && (e = finish(r)) != 0)
		return e;
	return c->done ? deliver(c, rec) : DP_READ_END;
}

/*
 * CSV rows that are plain RFC 4180, cut where they stand in the buffer.
 *
 * A block of 64 bytes becomes words of one bit a byte: quotes, and bytes that end a field if no
 * quote is open. Whether one is open before each byte is the parity of the quotes up to it, all 64
 * by six shifts.  Whatever looks odd is left to libcsv, which defines the format: record.c.
 */

/* Bit i: the parity of bits 0..i. */
static inline uint64_t
parity(uint64_t x)
{
	x ^= x << 1;
	x ^= x << 2;
	x ^= x << 4;
	x ^= x << 8;
	x ^= x << 16;
	return x ^ x << 32;
}

/*
 * Look at the block at s->p, before data.  RFC 4180 lets a quote open only at a field's start, or
 * where another one just closed (then the two stand for one), and close only at a field's end or
 * before another.
 */
static void
scan(const struct dp_csvrow *c, struct dp_csvscan *s, const char *data)
{
	const uint64_t there = dp_block_first((size_t)(data - s->p));
	const uint64_t newline = dp_block_equal(s->p, '\n');
	const uint64_t end = newline | dp_block_equal(s->p, '\r');
	uint64_t inside, opening, closing, edge;

	s->quote = dp_block_equal(s->p, '"') & there;
	inside = parity(s->quote) ^ s->open;
	opening = s->quote & inside;
	closing = s->quote & ~inside;
	s->stop = (end | dp_block_equal(s->p, c->delimiter)) & ~inside & there;
	s->end = end & s->stop;
	s->inner = newline & inside & there;
	s->broken = end & inside & there;
	edge = s->stop | s->quote;
	s->odd = (opening & ~(edge << 1 | s->edge)) | ((closing << 1 | s->closed) & ~edge & there);
	s->doubled = opening & (closing << 1 | s->closed);
	s->open = 0 - (inside >> 63);
	s->edge = edge >> 63;
	s->closed = closing >> 63;
	s->left = ~(uint64_t)0;
}

/* The field [s,e), freed of its quotes, or of blanks at both ends. */
static inline struct dp_slice
field_csvplain(const struct dp_csvrow *c, const char *s, const char *e)
{
	if (s < e && *s == '"') {
		s++;
		e--;
	} else {
		while (s < e && c->blank[(unsigned char)*s])
			s++;
		while (e > s && c->blank[(unsigned char)e[-1]])
			e--;
	}
	return (struct dp_slice){ s, (size_t)(e - s) };
}

/* Undo the doubling of quotes in fields 1..n, aside: the text of the row has to stay as it is. */
static int
undouble(struct dp_csvrow *c, struct dp_record *rec, unsigned n)
{
	const char *p, *q, *e;
	uint64_t doubled = 0, d;
	unsigned i;

	dp_buf_reset(&c->side);
	for (i = 1; i <= n; i++) {
		p = rec->field[i].p;
		e = p + rec->field[i].n;
		if (memchr(p, '"', (size_t)(e - p)) == NULL)
			continue;
		doubled |= (uint64_t)1 << (i - 1);
		c->off[i] = c->side.n;
		while ((q = memchr(p, '"', (size_t)(e - p))) != NULL) {
			dp_buf_add(&c->side, p, (size_t)(q + 1 - p));
			p = q + 2;
		}
		dp_buf_add(&c->side, p, (size_t)(e - p));
		c->len[i] = c->side.n - c->off[i];
	}
	if (c->side.error != 0)
		return c->side.error;
	for (d = doubled; d != 0; d &= d - 1)
		dp_csvrow_settle(c, rec, (unsigned)__builtin_ctzll(d) + 1);
	return ROW_PLAIN;
}

/* Parts of a row beside its fields. */
struct found {
	uint64_t quote, doubled, newlines;
};

/* The row ends before `last`; n of the fields that are wanted are cut. */
static int
complete(struct dp_reader *r, struct dp_record *rec, const struct found *f,
    const char *last, unsigned n)
{
	struct dp_csvrow *c = r->csv;
	const char *row = r->buf + r->beg;
	const uint64_t number = r->line + 1;

	r->beg = (size_t)(last + 1 - r->buf);
	r->line += f->newlines + (*last == '\n');
	c->scan.next = last + 1;
	if (f->quote == 0 && field_csvplain(c, row, last).n == 0)
		return ROW_BLANK;
	rec->number = number;
	rec->too_long = false;
	rec->text = c->want_text ? (struct dp_slice){ row, (size_t)(last - row) } :
	    (struct dp_slice){ NULL, 0 };
	dp_csvrow_complete(c, rec, n);
	return DP_UNLIKELY(f->doubled != 0) ? undouble(c, rec, n) : ROW_PLAIN;
}

/*
 * Cuts the row at beg where it stands.  ROW_PLAIN: done; ROW_BLANK: a blank row, passed over;
 * ROW_ODD: libcsv must cut it; ROW_CUT: plain so far, its end is beyond the buffer; DP_ENOMEM.
 */
/*
 * Rows that follow each other share blocks: a row begins where no quote is open and a field may
 * start, which is how the one before left the scan.
 */
static int
dp_csvrow_plain(struct dp_reader *r, struct dp_record *rec)
{
	struct dp_csvrow *c = r->csv;
	struct dp_csvscan *s = &c->scan;
	const char *from = r->buf + r->beg, *data = r->buf + r->end, *at;
	struct found f = { 0 };
	uint64_t row, end, b;
	unsigned n = 0;

	if (s->next != from) {
		*s = (struct dp_csvscan){ .p = from, .edge = 1 };
		scan(c, s, data);
	}
	s->next = NULL;
	for (;;) {
		end = s->end & s->left;
		row = s->left & (end ^ (end - 1));	/* through its end, all if there is none */
		if (DP_UNLIKELY((s->odd & row) != 0 ||
		    (r->rule.lines && (s->broken & row) != 0)))
			return ROW_ODD;
		for (b = s->stop & row; b != 0 && n < c->want; b &= b - 1) {
			at = s->p + __builtin_ctzll(b);
			rec->field[++n] = field_csvplain(c, from, at);
			from = at + 1;
		}
		f.quote |= s->quote & row;
		f.doubled |= s->doubled & row;
		for (b = s->inner & row; b != 0; b &= b - 1)
			f.newlines++;
		if (end != 0)
			break;
		s->p += DP_BLOCK;
		if (s->p >= data)
			return ROW_CUT;
		scan(c, s, data);
	}
	at = s->p + __builtin_ctzll(end);
	s->left &= ~row;
	return complete(r, rec, &f, at, n);
}

/*
 * A quote that is open where its line ends: does the row go on?
 *
 * RFC 4180 lets a quoted field hold line breaks.  Of who never meant to quote, as in a height of
 * "30, all rows that follow would be one field, so that an event more would hide them.  So the
 * next quote that is not doubled decides: at a field's end it is the closing one; anywhere else,
 * and if there is none, the quote was text, and the row ends with its line.  That mends most such
 * rows, and no more: behind one a quoted field that begins with the delimiter, a blank or a newline
 * looks like the end of a field.  Only where all rows end their quotes is each read by itself.
 *
 * Doubled are the quotes of a run of an even number, wherever one begins to look, so that one
 * quote decides for all lines before it, and no byte is looked at twice for each of them.
 */

/*
 * Looks for the quote that decides from p on, before end.  *to: so far nothing is left to look at;
 * with a verdict, behind the quote.
 */
static enum dp_csvquote
look(const struct dp_reader *r, const char *p, const char *end, const char **to)
{
	const struct dp_csvrow *c = r->csv;
	const char *q, *s;

	while ((q = memchr(p, '"', (size_t)(end - p))) != NULL) {
		for (p = q; p < end && *p == '"'; p++)
			;
		*to = q;
		if (p == end && !r->eof)
			return DP_CSVQUOTE_OPEN;
		if ((p - q) % 2 == 0)
			continue;
		for (s = p; s < end && c->blank[(unsigned char)*s]; s++)
			;
		if (s == end && !r->eof)
			return DP_CSVQUOTE_OPEN;
		*to = p;
		return s == end || *s == c->delimiter || *s == '\n' || *s == '\r' ?
		    DP_CSVQUOTE_CLOSES : DP_CSVQUOTE_TEXT;
	}
	*to = end;
	return r->eof ? DP_CSVQUOTE_TEXT : DP_CSVQUOTE_OPEN;
}

/* The quote that is open before beg, in a row that is not too long. */
/*
 * A quote beyond the longest row does not decide: what is longer is one row, which counts nothing,
 * and not many.
 */
static enum dp_csvquote
dp_csvquote_judge(struct dp_reader *r)
{
	struct dp_csvrow *c = r->csv;
	const char *beg = r->buf + r->beg, *end = r->buf + r->end, *to = beg;

	if (c->unseen < (size_t)(end - beg))
		to = end - c->unseen;
	else
		c->quote = DP_CSVQUOTE_OPEN;
	if (c->quote == DP_CSVQUOTE_OPEN)
		c->quote = look(r, to, end, &to);
	c->unseen = (size_t)(end - to);
	if (c->raw + (size_t)(to - beg) > DP_RECORD_MAX || (c->quote == DP_CSVQUOTE_OPEN &&
	    r->end - r->beg > DP_RECORD_MAX))
		return DP_CSVQUOTE_CLOSES;
	return c->quote;
}

/* The parser's last field is [p, e): no quote of it is one, so delimiters end fields. */
static void
cut_text(struct dp_csvrow *c, const char *p, const char *e)
{
	const char *stop, *s;

	for (; p <= e; p = stop + 1) {
		if ((stop = memchr(p, c->delimiter, (size_t)(e - p))) == NULL)
			stop = e;
		for (s = stop; p < s && c->blank[(unsigned char)*p]; p++)
			;
		while (s > p && c->blank[(unsigned char)s[-1]])
			s--;
		dp_csvrow_field(c, p, (size_t)(s - p));
	}
}

/* The row is whole in c->text, without its line end: finishes it.  DP_ENOMEM. */
/*
 * The fields before the open quote once more, byte by byte, which says where the last one of them
 * ends.
 */
static int
dp_csvquote_text(struct dp_csvrow *c)
{
	const char *open = c->text.p, *e = c->text.p + c->text.n, *p;
	unsigned seen;
	int rc;

	if (c->text.error != 0)
		return DP_ENOMEM;
	csv_fini(&c->parser, NULL, NULL, NULL);
	dp_buf_reset(&c->side);
	c->seen = 0;
	for (p = c->text.p; p < e; p++) {
		seen = c->seen;
		if ((rc = dp_csvrow_parse(c, p, 1)) != 0)
			return rc;
		if (c->seen != seen)
			open = p + 1;
	}
	csv_fini(&c->parser, NULL, NULL, NULL);
	cut_text(c, open, e);
	c->done = true;
	return 0;
}
