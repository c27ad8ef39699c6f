/* SPDX-License-Identifier: ISC */
/* os.c - see os.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#elif defined __APPLE__
#include <mach-o/dyld.h>
#include <sys/random.h>
#else
#include <sys/auxv.h>
#include <sys/user.h>
#endif

#include "dp.h"
#include "internal.h"

int
dp_os_random(void *buf, size_t n)
{
	uint8_t *p = buf;
	ssize_t k;

	for (; n > 0; p += k, n -= (size_t)k) {
#ifdef __linux__
		/*
		 * Not libsodium's randombytes: it ends the process when it fails.  Not
		 * getrandom(3): that of glibc 2.41 asks the vDSO, which keeps a key and unread
		 * bytes in our memory.
		 */
		if ((k = syscall(SYS_getrandom, p, n, 0)) < 0 && errno == EINTR)
			k = 0;
		else if (k <= 0)
			return DP_EENTROPY;
#else
		k = n < 256 ? (ssize_t)n : 256;
		if (getentropy(p, (size_t)k) != 0)
			return DP_EENTROPY;
#endif
	}
	return 0;
}

#ifdef __linux__
#ifndef STATX_BTIME	/* musl before 1.2.5 has no statx(2): the kernel's structure */
#define STATX_INO	0x100u
#define STATX_BTIME	0x800u
struct statx {
	uint32_t stx_mask, other[7];
	uint64_t stx_ino, more[3];
	struct {
		int64_t tv_sec;
		uint32_t tv_nsec, pad;
	} access, stx_btime, rest[10];
};
_Static_assert(sizeof(struct statx) == 256, "as in linux/stat.h");
#define statx(...)	(int)syscall(SYS_statx, __VA_ARGS__)
#endif

int
dp_os_born(int fd, const char *name, uint64_t *inode, uint64_t *born)
{
	struct statx x;

	if (statx(fd, name, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME, &x) != 0)
		return -1;
	*inode = x.stx_ino;
	*born = (x.stx_mask & STATX_BTIME) == 0 ? 0 :
	    (uint64_t)x.stx_btime.tv_sec * 1000000000 + x.stx_btime.tv_nsec;
	return 0;
}
#else
int
dp_os_born(int fd, const char *name, uint64_t *inode, uint64_t *born)
{
	struct stat st;

	if ((*name == '\0' ? fstat(fd, &st) : fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW)) != 0)
		return -1;
	*inode = st.st_ino;
	*born = st.st_birthtimespec.tv_sec <= 0 ? 0 :	/* -1: none */
	    (uint64_t)st.st_birthtimespec.tv_sec * 1000000000 +
	    (uint64_t)st.st_birthtimespec.tv_nsec;
	return 0;
}
#endif

void
dp_os_user(char name[static DP_OS_HOST])
{
	const unsigned long id = (unsigned long)geteuid();
	struct passwd pw, *found = NULL;
	char text[4096];

	if (getpwuid_r(geteuid(), &pw, text, sizeof text, &found) != 0 || found == NULL ||
	    snprintf(name, DP_OS_HOST, "%s", pw.pw_name) >= DP_OS_HOST)
		snprintf(name, DP_OS_HOST, "%lu", id);
}

int
dp_os_file(void)
{
#ifdef __APPLE__
	char name[] = "/tmp/dputils.XXXXXX";
	const int fd = mkostemp(name, O_CLOEXEC);

	if (fd >= 0)
		(void)unlink(name);
	return fd;
#else
	return memfd_create("dputils", MFD_CLOEXEC);
#endif
}

bool
dp_os_program(char *path, size_t room)
{
#ifdef __linux__
	const ssize_t n = readlink("/proc/self/exe", path, room - 1);

	path[n < 0 ? 0 : n] = '\0';
	return n >= 0;
#elif defined __APPLE__
	uint32_t n = (uint32_t)room;

	return _NSGetExecutablePath(path, &n) == 0;
#else
	return elf_aux_info(AT_EXECPATH, path, (int)room) == 0;
#endif
}

bool
dp_os_name(int fd, char *path, size_t room)
{
#ifdef __linux__
	char at[32];
	ssize_t n;

	snprintf(at, sizeof at, "/proc/self/fd/%d", fd);
	n = readlink(at, path, room - 1);
	path[n < 0 ? 0 : n] = '\0';
	return n >= 0;
#elif defined __APPLE__
	char all[PATH_MAX] = "";

	return fcntl(fd, F_GETPATH, all) == 0 && strlcpy(path, all, room) < room;
#else
	struct kinfo_file f = { .kf_structsize = sizeof f };

	return fcntl(fd, F_KINFO, &f) == 0 && strlcpy(path, f.kf_path, room) < room;
#endif
}

/*
 * Linux before 4.14 says no.  qemu-user takes all advice for hints, answers 0 and (7.2 at least)
 * does nothing, so a kernel that also takes made-up advice counts as one that cannot.
 */
bool
dp_os_wiped_on_fork(void *p, size_t n)
{
#ifdef __linux__
	return madvise(p, n, MADV_WIPEONFORK) == 0 && madvise(p, n, -1) != 0;
#elif defined INHERIT_ZERO
	return minherit(p, n, INHERIT_ZERO) == 0;
#else
	(void)p, (void)n;
	return false;
#endif
}

void
dp_os_undumped(void *p, size_t n)
{
#ifdef MADV_DONTDUMP
	(void)madvise(p, n, MADV_DONTDUMP);
#elif defined MADV_NOCORE
	(void)madvise(p, n, MADV_NOCORE);
#else
	(void)p, (void)n;
#endif
}

/* musl's allocator, and others, give large blocks back as it is. */
void
dp_os_large(int n)
{
#ifdef __GLIBC__
	(void)mallopt(M_MMAP_THRESHOLD, n);
#else
	(void)n;
#endif
}

void
dp_os_give_back(void)
{
#ifdef __GLIBC__
	(void)malloc_trim(0);
#endif
}

#define REGISTERS	16384		/* more than any processor needs yet: 11 KiB */

size_t
dp_os_registers(void)
{
#ifdef _SC_MINSIGSTKSZ
	const long n = sysconf(_SC_MINSIGSTKSZ);

	return n > 0 ? (size_t)n : REGISTERS;
#elif defined __linux__
	const size_t n = getauxval(AT_MINSIGSTKSZ);	/* musl: no sysconf(3) */

	return n > 0 ? n : REGISTERS;
#else
	return REGISTERS;
#endif
}

/* What --pan-private needs, and has on Linux alone. */
#ifdef __linux__
/* A script gets its name and its first line's option from the kernel each time it is executed. */
static bool
is_program(const char *path)
{
	char magic[4] = "";
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const bool elf = fd >= 0 && read(fd, magic, sizeof magic) == (ssize_t)sizeof magic &&
	    memcmp(magic, "\177ELF", sizeof magic) == 0;

	if (fd >= 0)
		close(fd);
	return elf;
}

void
dp_os_again(char **argv)
{
	const char *path = (const char *)(uintptr_t)getauxval(AT_EXECFN);

	if (is_program(path))		/* keeps its name; /proc/self/exe may be ld.so */
		(void)execv(path, argv);
	(void)execv("/proc/self/exe", argv);	/* of a script, a closed descriptor */
}

bool
dp_os_lazy(void)
{
#ifdef __GLIBC__
	return true;
#else
	return false;		/* musl binds all at the start */
#endif
}

int
dp_os_untraced(void)
{
	return prctl(PR_SET_DUMPABLE, 0);
}

int
dp_os_lock(bool later)
{
	return mlockall(MCL_ONFAULT | MCL_CURRENT | (later ? MCL_FUTURE : 0));
}

void
dp_os_unneeded(void *p, size_t n)
{
	(void)madvise(p, n, MADV_DONTNEED);
}

ssize_t
dp_os_peek(int fd, int copy, size_t n)
{
	return tee(fd, copy, n, SPLICE_F_NONBLOCK);
}
#else
void
dp_os_again(char **argv)
{
	(void)argv;
}

bool
dp_os_lazy(void)
{
	return false;
}

int
dp_os_untraced(void)
{
	errno = ENOSYS;
	return -1;
}

int
dp_os_lock(bool later)
{
	(void)later;
	errno = ENOSYS;
	return -1;
}

void
dp_os_unneeded(void *p, size_t n)
{
	(void)p, (void)n;
}

ssize_t
dp_os_peek(int fd, int copy, size_t n)
{
	(void)fd, (void)copy, (void)n;
	errno = ENOSYS;
	return -1;
}
#endif

#ifdef __APPLE__
struct order {
	int (*compare)(const void *, const void *, void *);
	void *with;
};

static int
turned(void *order, const void *a, const void *b)
{
	const struct order *o = order;

	return o->compare(a, b, o->with);
}

void
dp_os_sort(void *p, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
    void *with)
{
	qsort_r(p, n, size, &(struct order){ compare, with }, turned);
}

int
dp_os_sync(int fd)
{
	return fcntl(fd, F_FULLFSYNC) == 0 ? 0 : (fsync)(fd);
}

void
explicit_bzero(void *p, size_t n)
{
	memset(p, 0, n);
	__asm__ volatile ("" :: "r"(p) : "memory");
}

void *
memrchr(const void *p, int c, size_t n)
{
	const char *s = p;

	while (n > 0)
		if (s[--n] == (char)c)
			return (void *)(uintptr_t)(s + n);
	return NULL;
}

void *
reallocarray(void *p, size_t n, size_t size)
{
	size_t all;

	if (!__builtin_mul_overflow(n, size, &all))
		return realloc(p, all);
	errno = ENOMEM;
	return NULL;
}

int
pipe2(int fd[2], int flags)
{
	if (pipe(fd) != 0)
		return -1;
	return (flags & O_CLOEXEC) == 0 || (fcntl(fd[0], F_SETFD, FD_CLOEXEC) == 0 &&
	    fcntl(fd[1], F_SETFD, FD_CLOEXEC) == 0) ? 0 : -1;
}

/* From the end of the file on, which is where all that we have begins. */
int
posix_fallocate(int fd, off_t at, off_t n)
{
	fstore_t f = { F_ALLOCATEALL, F_PEOFPOSMODE, at, n, 0 };

	return fcntl(fd, F_PREALLOCATE, &f) == 0 ? 0 : errno;
}
#else
void
dp_os_sort(void *p, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
    void *with)
{
	qsort_r(p, n, size, compare, with);
}
#endif
