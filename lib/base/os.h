/* SPDX-License-Identifier: ISC */
/*
 * os.h - calls that differ by system: Linux with glibc or musl, FreeBSD, macOS.  On the last two
 * nobody has run it; headers of macOS are all that it was compiled with.
 */
#ifndef DP_BASE_OS_H
#define DP_BASE_OS_H

#if !defined __SIZEOF_INT128__ || __SIZEOF_POINTER__ < 8
#error "dputils needs a 64-bit system: exact sums and rationals are 128-bit integers"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#if defined __FLT_EVAL_METHOD__ && __FLT_EVAL_METHOD__ != 0
#error "dputils needs SSE2 or the like: the x87 computes plans with other digits"
#endif

#ifdef __APPLE__
#include <xlocale.h>
#include <libkern/OSByteOrder.h>
#define htobe64(x)	OSSwapHostToBigInt64(x)
#define be32toh(x)	OSSwapBigToHostInt32(x)
#define be64toh(x)	OSSwapBigToHostInt64(x)
#define htole32(x)	OSSwapHostToLittleInt32(x)
#define htole64(x)	OSSwapHostToLittleInt64(x)
#define le32toh(x)	OSSwapLittleToHostInt32(x)
#define le64toh(x)	OSSwapLittleToHostInt64(x)
void	explicit_bzero(void *, size_t);
void	*memrchr(const void *, int c, size_t);
void	*reallocarray(void *, size_t n, size_t size);
int	pipe2(int fd[2], int flags);
int	posix_fallocate(int fd, off_t at, off_t n);
#define fsync(fd)	dp_os_sync(fd)	/* fsync(2) leaves bytes in the disk's own memory */
#define fdatasync(fd)	dp_os_sync(fd)
int	dp_os_sync(int fd);
#elif defined __FreeBSD__
#include <sys/endian.h>
#include <xlocale.h>
#else
#include <endian.h>
#endif
/* Time asleep counts there by this name */
#ifndef CLOCK_BOOTTIME
#define CLOCK_BOOTTIME	CLOCK_MONOTONIC
#endif
#ifndef CLOCK_REALTIME_COARSE
#define CLOCK_REALTIME_COARSE	CLOCK_REALTIME
#endif

#define DP_OS_HOST	256	/* room for the host's name, by POSIX, or the user's */

void	dp_os_user(char name[static DP_OS_HOST]);	/* or the number of who has none */

/* n bytes from the kernel, and none that are kept in our memory.  0 or DP_EENTROPY. */
int	dp_os_random(void *, size_t n) __attribute__((warn_unused_result));
/*
 * Inode and time of birth, in ns, of the file by that name in the open folder, no link followed;
 * name "": of what is open.  *born 0: the file system keeps none.  0, or -1 and errno.
 *
 * On Linux no cp, tar or rsync can set a birth time, so it tells the original from a copy written
 * over it; the inode alone missed half of those on ext4, which gives the two inodes of S and S.tmp
 * out in turn.  On macOS, a copy that keeps times may keep this one.
 */
int	dp_os_born(int fd, const char *name, uint64_t *inode, uint64_t *born)
	    __attribute__((warn_unused_result));
int	dp_os_file(void);	/* a new one without a name, in memory if can be */
/* The file that this program is, the one that is open as fd; false: unknown. */
bool	dp_os_program(char *path, size_t room);
bool	dp_os_name(int fd, char *path, size_t room);

/* True: a forked child finds these pages zero. */
bool	dp_os_wiped_on_fork(void *, size_t n);
void	dp_os_undumped(void *, size_t n);	/* not in core files, where that can be */
int	dp_os_untraced(void);			/* no debugger and no core file; or -1 and errno */
/* Pages that are touched stay out of swap; later: those that come, too.  0, or -1 and errno. */
int	dp_os_lock(bool later);
/* Blocks of n bytes and more are given back when they are freed; all that is free, now. */
void	dp_os_large(int n);
void	dp_os_give_back(void);
/* n bytes of the stack, or more, that nobody needs: given back where zeroes come in their place */
void	dp_os_unneeded(void *, size_t n);
/* What is in the pipe to another one, and it stays; -1 and errno ENOSYS: cannot. */
ssize_t	dp_os_peek(int fd, int copy, size_t n);
/* Libraries' functions may be looked up when they are first called, but with LD_BIND_NOW */
bool	dp_os_lazy(void);
void	dp_os_again(char **argv);	/* executes this program anew; returns where that fails */
void	dp_os_sort(void *, size_t n, size_t size, int (*)(const void *, const void *, void *),
	    void *);

#endif
