/*
 * replace.c - see replace.h.
 *
 * The file has no name until it is whole.  Its first one, beside the one that it replaces, is the
 * same in all runs: whoever finds it there takes it away.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "replace.h"
#include "stream/out.h"

#define TRIES	100		/* against others that replace the same file */

struct place {
	const char *to;
	char *folder, *name;	/* owned; name: the first one */
};

static int
place(struct place *w, const char *to)
{
	const char *slash = strrchr(to, '/');
	const int n = slash == NULL ? 0 : (int)(slash - to + 1);

	*w = (struct place){ .to = to };
	if (asprintf(&w->folder, "%s%.*s", n == 0 ? "." : "", n, to) < 0 ||
	    asprintf(&w->name, "%.*s.%s.dpplot", n, to, to + n) < 0) {
		free(w->folder);
		errno = ENOMEM;
		return -1;
	}
	return 0;
}

static void
forget(struct place *w)
{
	const int saved = errno;

	free(w->folder);
	free(w->name);
	errno = saved;
}

/* A file without a name; -1: there are none here. */
static int
nameless(const struct place *w)
{
	struct stat st;
	int fd = access("/proc/self/fd", X_OK) != 0 ? -1 :
	    open(w->folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
		(void)close(fd);
		fd = -1;
	}
	return fd;
}

/* The file of the first name, ours alone: locked, and still there. */
static int
named(const struct place *w)
{
	struct stat a, b;
	int fd;

	for (;;) {
		fd = open(w->name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno == EACCES && unlink(w->name) == 0)
			continue;		/* left by somebody else */
		if (fd < 0)
			return -1;
		if (flock(fd, LOCK_EX) == 0 && fstat(fd, &a) == 0 && stat(w->name, &b) == 0 &&
		    a.st_dev == b.st_dev && a.st_ino == b.st_ino)
			return fd;
		(void)close(fd);
	}
}

static int
put(int fd, const char *p, size_t n, mode_t mode)
{
	return ftruncate(fd, 0) != 0 || dp_write_all(fd, p, n) != 0 || fchmod(fd, mode) != 0 ||
	    fsync(fd) != 0 ? -1 : 0;
}

/* From no name to the first, and to its own; another run may have taken either away. */
static int
give_name(const struct place *w, int fd)
{
	char self[64];

	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	if (linkat(AT_FDCWD, self, AT_FDCWD, w->name, AT_SYMLINK_FOLLOW) != 0) {
		if (errno == EEXIST && unlink(w->name) == 0)
			errno = EEXIST;
		return -1;
	}
	return rename(w->name, w->to);
}

static int
without_name(const struct place *w, int fd, const void *p, size_t n, mode_t mode)
{
	int e = put(fd, p, n, mode), saved;

	if (e == 0)
		e = give_name(w, fd);
	saved = errno;
	if (close(fd) != 0 && e == 0)
		return -1;
	errno = saved;
	return e;
}

static int
with_name(const struct place *w, const void *p, size_t n, mode_t mode)
{
	int fd = named(w), e, saved;

	if (fd < 0)
		return -1;
	e = put(fd, p, n, mode);
	if (e == 0)
		e = rename(w->name, w->to);
	saved = errno;
	if (e != 0)
		(void)unlink(w->name);
	(void)close(fd);
	errno = saved;
	return e;
}

static int
replace(const struct place *w, const void *p, size_t n, mode_t mode)
{
	int fd, i, e = -1;

	for (i = 0; i < TRIES; i++) {
		if ((fd = nameless(w)) < 0)
			return with_name(w, p, n, mode);
		e = without_name(w, fd, p, n, mode);
		if (e == 0 || (errno != EEXIST && errno != ENOENT))
			break;
	}
	return e;
}

int
dp_replace_check(const char *to)
{
	struct place w;
	int fd;

	if (place(&w, to) != 0)
		return -1;
	if ((fd = nameless(&w)) < 0 && (fd = named(&w)) >= 0)
		(void)unlink(w.name);
	if (fd >= 0)
		(void)close(fd);
	forget(&w);
	return fd < 0 ? -1 : 0;
}

int
dp_replace(const char *to, const void *p, size_t n)
{
	const mode_t mask = umask(0);
	sigset_t stop, before;
	struct place w;
	int e;

	(void)umask(mask);
	if (place(&w, to) != 0)
		return -1;
	(void)sigemptyset(&stop);
	(void)sigaddset(&stop, SIGHUP);
	(void)sigaddset(&stop, SIGINT);
	(void)sigaddset(&stop, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &stop, &before);
	e = replace(&w, p, n, 0666 & ~mask);
	forget(&w);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	return e;
}
