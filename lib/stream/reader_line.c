/*
 * reader_line.c - a line at a time from the kernel, for memory that may hold no other.
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
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reader.h"

bool
dp_reader_messages(int fd)
{
	int type = 0;
	socklen_t n = sizeof type;

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) == 0 && type != SOCK_STREAM;
}

void
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

void
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
	const ssize_t seen = tee(r->fd, r->peek[1], n, SPLICE_F_NONBLOCK);
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

ssize_t
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
