/*
 * reader.c - the block reader: read(2), poll(2), and where lines end.
 *
 * It answers whatever read(2) returned and never waits to fill the block, so a
 * live pipe is answered at once and a file is read in 64 KiB steps.  Only
 * bytes that are new are searched for a newline: a long line is not searched twice.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader.h"

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

int
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

bool
dp_reader_enough(int *timeout_ms, unsigned *reads)
{
	if (*timeout_ms < 0)
		return false;
	if (*reads > 0)
		*timeout_ms = 0;
	return (*reads)++ == 64;
}

/* The frugal buffer is never moved: a copy would stay behind. */
int
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

int
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
