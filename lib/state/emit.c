/*
 * emit.c - how what is recorded gets out: whole lines where a pipe takes them, and never without
 * a way back for who was told to stop.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

int
dp_state_failed(char *why, const char *path, const char *then)
{
	if (errno == ENOMEM)
		return dp_state_say(why, DP_ENOMEM, path, "out of memory; %s",
		    then);
	return dp_state_say(why, DP_EIO, path, "%s; %s", strerror(errno),
	    then);
}

const char *
dp_state_sink(const struct dp_state *s)
{
	return s->fd.out >= 0 ? s->out_at.path : "standard output";
}

static bool
stopped(const struct dp_state *s)
{
	return s->rule.stop != NULL && *s->rule.stop != 0;
}

/*
 * May a piece be written without waiting?  A signal that comes after this and
 * before write(2) leaves that waiting; who sets stop sees to it that a second
 * signal follows.
 */
static bool
ready(int fd, int wait)
{
	struct pollfd p = { fd, POLLOUT, 0 };

	return poll(&p, 1, wait) > 0;
}

int
dp_state_put(const struct dp_state *s, int fd, const char *p, size_t n, off_t off)
{
	ssize_t k;

	while (n > 0) {
		if (off < 0 && stopped(s) && !ready(fd, 0)) {
			errno = EINTR;
			return -1;
		}
		k = off < 0 ? write(fd, p, n) : pwrite(fd, p, n, off);
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0 && errno == EAGAIN) {
			(void)ready(fd, -1);
			continue;
		}
		if (k == 0)
			errno = EIO;
		if (k <= 0)
			return -1;
		p += k;
		n -= (size_t)k;
		if (off >= 0)
			off += k;
	}
	return 0;
}

/* Whole lines that a pipe takes in one piece, if there are such. */
static size_t
piece(const char *p, size_t n)
{
	const char *nl;

	if (n <= PIPE_BUF)
		return n;
	nl = memrchr(p, '\n', PIPE_BUF);
	return nl != NULL ? (size_t)(nl - p) + 1 : PIPE_BUF;
}

/* The piece that begins at i; one that stands beside S is read to block, and cut at line ends. */
static ssize_t
next_piece(const struct dp_state *s, uint64_t i, char block[static PIPE_BUF + 1], const char **p)
{
	const struct dp_stateform *f = &s->form;
	const uint64_t old = f->annex[DP_ANNEX_OLD].n;
	ssize_t n;

	if (i >= old) {
		*p = f->record.p + (i - old);
		return (ssize_t)piece(*p, f->record.n - (size_t)(i - old));
	}
	*p = block;
	n = dp_annex_read(s, DP_ANNEX_OLD, block,
	    old - i > PIPE_BUF ? PIPE_BUF + 1 : (size_t)(old - i), i);
	return n < 0 ? n : (ssize_t)piece(block, (size_t)n);
}

void
dp_state_watch(struct dp_state *s, void (*sent)(void *arg, const char *p, size_t n), void *arg)
{
	s->watch.sent = sent;
	s->watch.arg = arg;
}

int
dp_state_emit(struct dp_state *s, uint64_t from, char *why)
{
	const struct dp_stateform *f = &s->form;
	char block[PIPE_BUF + 1];
	const char *p;
	uint64_t i;
	ssize_t n;
	off_t off;

	for (i = from; i < dp_stateform_recorded(f) && !s->stalled; i += (uint64_t)n) {
		if ((n = next_piece(s, i, block, &p)) < 0)
			return dp_state_failed(why, s->at.path, DP_STATE_HELD);
		off = s->fd.out < 0 ? -1 :
		    (off_t)(f->outlen + (i - f->settled));
		if (dp_state_at(s, DP_AT_EMIT) == 0 &&
		    dp_state_put(s, s->fd.out < 0 ? STDOUT_FILENO : s->fd.out,
		    p, (size_t)n, off) == 0) {
			if (s->watch.sent != NULL)
				s->watch.sent(s->watch.arg, p, (size_t)n);
			continue;
		}
		s->stalled = errno == EINTR && stopped(s);
		if (!s->stalled)
			return dp_state_failed(why, dp_state_sink(s), DP_STATE_HELD);
	}
	return 0;
}

int
dp_state_settle(struct dp_state *s, char *why)
{
	struct stat st;
	int fd = s->fd.out >= 0 ? s->fd.out : STDOUT_FILENO;

	if (dp_stateform_recorded(&s->form) == 0 && s->form.tail == 0)
		return 0;
	if (dp_state_at(s, DP_AT_SETTLE) != 0 || fstat(fd, &st) != 0 ||
	    (S_ISREG(st.st_mode) && fsync(fd) != 0))
		return dp_state_failed(why, dp_state_sink(s), DP_STATE_STANDS);
	return 0;
}
