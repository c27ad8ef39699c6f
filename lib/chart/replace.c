/* SPDX-License-Identifier: ISC */
/*
 * replace.c - see internal.h.
 *
 * The file's first name, beside the one that it replaces, is the same in all runs: a lock gives
 * each its turn, and what a dead run left there is written over.
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

#include "base/out.h"
#include "internal.h"

/* The first name of a file; owned by the caller; NULL: no memory. */
static char *
first_name(const char *to)
{
	const char *slash = strrchr(to, '/');
	const int n = slash == NULL ? 0 : (int)(slash - to + 1);
	char *name;

	if (asprintf(&name, "%.*s.%s.dpplot", n, to, to + n) >= 0)
		return name;
	errno = ENOMEM;
	return NULL;
}

/* The file of the first name, ours alone: locked, and still there. */
static int
open_first(const char *name)
{
	struct stat a, b;
	int fd;

	for (;;) {
		fd = open(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno == EACCES && unlink(name) == 0)
			continue;		/* left by somebody else */
		if (fd < 0)
			return -1;
		if (flock(fd, LOCK_EX) == 0 && fstat(fd, &a) == 0 && stat(name, &b) == 0 &&
		    a.st_dev == b.st_dev && a.st_ino == b.st_ino)
			return fd;
		(void)close(fd);
	}
}

static void
forget(char *name, int fd)
{
	const int saved = errno;

	if (fd >= 0)
		(void)close(fd);
	free(name);
	errno = saved;
}

static int
replace(const char *to, const char *name, int fd, const void *p, size_t n, mode_t mode)
{
	int saved;

	if (ftruncate(fd, 0) == 0 && dp_write_all(fd, p, n) == 0 && fchmod(fd, mode) == 0 &&
	    fsync(fd) == 0 && rename(name, to) == 0)
		return 0;
	saved = errno;
	(void)unlink(name);
	errno = saved;
	return -1;
}

int
dp_replace_check(const char *to)
{
	char *name = first_name(to);
	const int fd = name == NULL ? -1 : open_first(name);

	if (fd >= 0)
		(void)unlink(name);
	forget(name, fd);
	return fd < 0 ? -1 : 0;
}

int
dp_replace(const char *to, const void *p, size_t n)
{
	const mode_t mask = umask(0);
	char *name = first_name(to);
	sigset_t stop, before;
	int fd, e;

	(void)umask(mask);
	if (name == NULL)
		return -1;
	(void)sigemptyset(&stop);
	(void)sigaddset(&stop, SIGHUP);
	(void)sigaddset(&stop, SIGINT);
	(void)sigaddset(&stop, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &stop, &before);
	fd = open_first(name);
	e = fd < 0 ? -1 : replace(to, name, fd, p, n, 0666 & ~mask);
	forget(name, fd);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	return e;
}
