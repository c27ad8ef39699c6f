/* SPDX-License-Identifier: ISC */
/*
 * failing.h - the C library as it is on a bad day: the N-th call from now on fails.
 *
 * What is defined here stands in front of the C library's own, for all of the program and for the
 * shared libraries too.  Until failing_at() says so every call goes through.  One test includes it
 * in one file.  With a sanitizer that has a malloc of its own memory does not fail.
 */
#ifndef FAILING_H
#define FAILING_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel.h"

enum failing {
	FAIL_NONE,
	FAIL_MEMORY,		/* malloc and its like: ENOMEM */
	FAIL_MEMORY_ON,		/* likewise, and all that follow */
	FAIL_CALL,		/* a system call: with the error given */
	FAIL_EMPTY,		/* read, write and their like: 0 bytes */
	FAIL_SLOW		/* each of these: EINTR, then one byte, and so on; flock: EINTR */
};

static struct {
	enum failing how;
	unsigned long left;	/* until the one that fails; 0: it has */
	int error;
	bool again;		/* FAIL_SLOW: interrupted just now */
} bad_day;

static inline void
failing_at(enum failing how, unsigned long nth, int error)
{
	bad_day.how = how;
	bad_day.left = nth;
	bad_day.error = error;
}

/* The end of it; did a call fail? */
static inline bool
failing_end(void)
{
	bool did = bad_day.how != FAIL_NONE && bad_day.left == 0;

	bad_day.how = FAIL_NONE;
	return did;
}

static inline bool
fails(enum failing how)
{
	const bool on = bad_day.how == FAIL_MEMORY_ON && how == FAIL_MEMORY;

	if (!on && (bad_day.how != how || bad_day.left == 0))
		return false;
	if (bad_day.left > 0 && --bad_day.left > 0)
		return false;
	errno = how == FAIL_MEMORY ? ENOMEM : bad_day.error;
	return true;
}

/* Before a transfer of *n bytes: false if it ends with *result. */
static inline bool
transfers(size_t *n, ssize_t *result)
{
	*result = -1;
	if (fails(FAIL_CALL))
		return false;
	*result = 0;
	if (fails(FAIL_EMPTY))
		return false;
	if (bad_day.how != FAIL_SLOW)
		return true;
	*result = -1;
	errno = EINTR;
	bad_day.again = !bad_day.again;
	*n = *n > 0;
	return !bad_day.again;
}

#define FAILING_REAL(name)	do { \
	void *next_ = real == NULL ? dlsym(RTLD_NEXT, #name) : NULL; \
	if (real == NULL) \
		memcpy(&real, &next_, sizeof real); \
	} while (0)

#define FAILING_CALL(type, bad, name, params, args) \
type name params \
{ \
	static type (*real) params; \
\
	FAILING_REAL(name); \
	return fails(FAIL_CALL) ? (bad) : real args; \
}

#define FAILING_TRANSFER(name, params, args) \
ssize_t name params \
{ \
	static ssize_t (*real) params; \
	ssize_t result; \
\
	FAILING_REAL(name); \
	return transfers(&n, &result) ? real args : result; \
}

FAILING_TRANSFER(read, (int fd, void *p, size_t n), (fd, p, n))
FAILING_TRANSFER(write, (int fd, const void *p, size_t n), (fd, p, n))
FAILING_TRANSFER(pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
FAILING_TRANSFER(pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at))

/* All or nothing, as getrandom(2) says of so few bytes. */
static ssize_t
kernel_random(void *p, size_t n, unsigned flags)
{
	size_t unused = n;
	ssize_t result;

	return transfers(&unused, &result) ? kernel_really(p, n, flags) : result;
}

ssize_t
getrandom(void *p, size_t n, unsigned flags)
{
	return kernel_random(p, n, flags);
}

int
posix_fallocate(int fd, off_t at, off_t n)
{
	static int (*real)(int, off_t, off_t);

	FAILING_REAL(posix_fallocate);
	return fails(FAIL_CALL) ? bad_day.error : real(fd, at, n);
}

int
flock(int fd, int how)
{
	static int (*real)(int, int);

	FAILING_REAL(flock);
	if (bad_day.how == FAIL_SLOW && (bad_day.again = !bad_day.again)) {
		errno = EINTR;
		return -1;
	}
	return fails(FAIL_CALL) ? -1 : real(fd, how);
}

FAILING_CALL(int, -1, fsync, (int fd), (fd))
FAILING_CALL(int, -1, fdatasync, (int fd), (fd))
FAILING_CALL(int, -1, fstat, (int fd, struct stat *st), (fd, st))
FAILING_CALL(int, -1, fstatat, (int fd, const char *name, struct stat *st, int flags),
    (fd, name, st, flags))
FAILING_CALL(int, -1, statx, (int fd, const char *name, int flags, unsigned mask,
    struct statx *x), (fd, name, flags, mask, x))
FAILING_CALL(int, -1, faccessat, (int fd, const char *name, int mode, int flags),
    (fd, name, mode, flags))
FAILING_CALL(int, -1, unlinkat, (int fd, const char *name, int flags), (fd, name, flags))
FAILING_CALL(int, -1, renameat, (int a, const char *from, int b, const char *to),
    (a, from, b, to))
FAILING_CALL(int, -1, fchmod, (int fd, mode_t mode), (fd, mode))
FAILING_CALL(int, -1, ftruncate, (int fd, off_t n), (fd, n))
FAILING_CALL(int, -1, poll, (struct pollfd *p, nfds_t n, int wait), (p, n, wait))
FAILING_CALL(int, -1, madvise, (void *p, size_t n, int how), (p, n, how))
FAILING_CALL(void *, MAP_FAILED, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t at),
    (p, n, prot, flags, fd, at))

int
open(const char *name, int flags, ...)
{
	static int (*real)(const char *, int, ...);
	mode_t mode = 0;
	va_list ap;

	FAILING_REAL(open);
	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	return fails(FAIL_CALL) ? -1 : real(name, flags, mode);
}

int
openat(int dir, const char *name, int flags, ...)
{
	static int (*real)(int, const char *, int, ...);
	mode_t mode = 0;
	va_list ap;

	FAILING_REAL(openat);
	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, mode_t);
	va_end(ap);
	return fails(FAIL_CALL) ? -1 : real(dir, name, flags, mode);
}

#ifndef __SANITIZE_ADDRESS__

/* dlsym(3) may want memory itself. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *
malloc(size_t n)
{
	return fails(FAIL_MEMORY) ? NULL : __libc_malloc(n);
}

void *
calloc(size_t k, size_t n)
{
	return fails(FAIL_MEMORY) ? NULL : __libc_calloc(k, n);
}

void *
realloc(void *p, size_t n)
{
	return fails(FAIL_MEMORY) ? NULL : __libc_realloc(p, n);
}

void *
aligned_alloc(size_t to, size_t n)
{
	return fails(FAIL_MEMORY) ? NULL : __libc_memalign(to, n);
}

#endif

#endif
