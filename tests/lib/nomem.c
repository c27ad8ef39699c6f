/* SPDX-License-Identifier: ISC */
/*
 * nomem.c - to be preloaded: a malloc() that fails.
 *
 * FAIL=N: the N-th call of main() fails; the file "reached" has something in it if it came so far.
 * It ends after five minutes.
 * LIST=1: none fails; the file "calls" has the N that are worth it, a line each, and then 0.
 * SWEEP=1: at each call that is worth it a child goes on without that memory; the run itself has
 * it.  So nothing up to there is done again.  A child has what was printed so far, and prints on,
 * in "got" and "err"; the run in "out" and "said".  Each child must end with status 1, one message
 * that says why, and a beginning of the file "want"; or, as libraries may do without memory, with 0
 * and all of it.  What it came to is printed; status 1: it was not so, or memory failed too seldom.
 * Not for --pan-private, whose memory no child has.
 *
 * Worth it is a call by a way through the program, return addresses up to main(), that this run has
 * not gone twice yet (with LIST once), nor all runs that share the file $SEEN three times: what
 * starts all commands fails in the first of them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST	5000
#define OPEN	32	/* descriptors that the run may have, and a child reads on */

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

#define WAYS	(1 << 22)
#define DEPTH	64

static long left, calls, failed, refused;
static int on, sweeping, listing = -1, report, (*tool)(int, char **, char **);
static unsigned char *seen, here[WAYS];	/* times that a way was gone: by all, and by this run */
static uint64_t program;
static char *want;
static size_t want_n;

static int child(void);

static int
fails(void)
{
	if (!on)
		return 0;
	if (sweeping || listing >= 0) {
		if (!child())
			return 0;
	} else {
		if (--left != 0)
			return 0;
		int fd = open("reached", O_WRONLY | O_CREAT, 0600);
		if (write(fd, "x", 1) != 1)
			abort();
		close(fd);
	}
	errno = ENOMEM;
	return 1;
}

void *
malloc(size_t n)
{
	return fails() ? NULL : __libc_malloc(n);
}

void *
calloc(size_t k, size_t n)
{
	return fails() ? NULL : __libc_calloc(k, n);
}

void *
realloc(void *p, size_t n)
{
	return fails() ? NULL : __libc_realloc(p, n);
}

void *
aligned_alloc(size_t a, size_t n)
{
	return fails() ? NULL : __libc_memalign(a, n);
}

static void finish(void);

void
exit(int status)
{
	on = 0;
	if (sweeping)
		finish();
	((void (*)(int))dlsym(RTLD_NEXT, "exit"))(status);
	__builtin_unreachable();
}

static void
to(int fd, const char *name)
{
	const int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	dup2(file, fd);
	close(file);
}

/* From now on a copy of what fd's file has. */
static void
copied(int fd, const char *name)
{
	const int old = dup(fd);
	char block[4096];
	off_t at = 0;
	ssize_t n;

	to(fd, name);
	while ((n = pread(old, block, sizeof block, at)) > 0 && write(fd, block, (size_t)n) == n)
		at += n;
	close(old);
}

/* A file and a NUL; the caller's to free. */
static char *
contents(const char *name, size_t *n)
{
	const int fd = open(name, O_RDONLY);
	char *p = malloc(1 << 20);
	ssize_t r = fd < 0 ? -1 : read(fd, p, (1 << 20) - 1);

	close(fd);
	*n = r < 0 ? 0 : (size_t)r;
	p[*n] = '\0';
	return p;
}

static int
messages(const char *s)
{
	static const char *const why[] = { "out of memory", "Cannot allocate memory" };
	int n = 0, i;

	for (i = 0; i < 2; i++)
		for (const char *p = s; (p = strstr(p, why[i])) != NULL; p++)
			n++;
	return n;
}

/* Said on what was standard output; never comes back. */
static void
finish(void)
{
	dprintf(report, "%ld allocations, %ld failed, %ld refused\n", calls, failed, refused);
	_exit(!(calls >= 3 && failed - refused <= (failed > 36 ? failed / 3 : 12)));
}

static void
judge(int status)
{
	size_t got_n, err_n;
	char *got = contents("got", &got_n), *err = contents("err", &err_n);

	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	refused += status == 1;
	if (!(status == 0 ? got_n == want_n && memcmp(got, want, want_n) == 0 :
	    status == 1 && messages(err) == 1 && got_n <= want_n &&
	    memcmp(got, want, got_n) == 0)) {
		dprintf(report, "allocation %ld: status %d\n%s", calls, status, err);
		_exit(1);
	}
	free(got);
	free(err);
}

struct place {
	uint64_t address, hash;
};

/* Of an address its library and where it is in that, which is the same in all runs. */
static int
in_library(struct dl_phdr_info *of, size_t size, void *arg)
{
	struct place *p = arg;
	const char *name = of->dlpi_name;
	int i;

	(void)size;
	for (i = 0; i < of->dlpi_phnum; i++)
		if (of->dlpi_phdr[i].p_type == PT_LOAD &&
		    p->address - of->dlpi_addr - of->dlpi_phdr[i].p_vaddr <
		    of->dlpi_phdr[i].p_memsz)
			break;
	if (i == of->dlpi_phnum)
		return 0;
	p->hash = (p->hash ^ (p->address - of->dlpi_addr)) * 0x100000001b3;
	for (; *name != '\0'; name++)
		p->hash = (p->hash ^ (unsigned char)*name) * 0x100000001b3;
	return 1;
}

static int
is_worth_it(void)
{
	void *stack[DEPTH];
	struct place p = { 0, program };
	int n = backtrace(stack, DEPTH), i;
	size_t way;

	for (i = 0; i < n; i++) {
		p.address = (uintptr_t)stack[i];
		if (!dl_iterate_phdr(in_library, &p))
			break;
	}
	way = (p.hash ^ p.hash >> 32) % WAYS;
	if (here[way] == (listing >= 0 ? 1 : 2) || seen[way] == 3)
		return 0;
	here[way]++;
	seen[way]++;
	return 1;
}

static void
open_ways(void)
{
	const char *name = getenv("SEEN");
	const int fd = name == NULL ? -1 : open(name, O_RDWR | O_CREAT, 0600);
	struct stat st;
	void *first[1];

	if (fd < 0 || ftruncate(fd, WAYS) != 0 || stat("/proc/self/exe", &st) != 0 ||
	    (seen = mmap(NULL, WAYS, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
		abort();
	close(fd);
	program = st.st_ino * 0x9e3779b97f4a7c15;
	(void)backtrace(first, 1);	/* has its library */
}

/* Whether this is the child whose call fails.  What it reads the run reads again. */
static int
child(void)
{
	off_t at[OPEN];
	int status, fd;
	pid_t pid;

	if (calls >= MOST)
		return 0;
	on = 0;
	calls++;
	if (!is_worth_it()) {
		on = 1;
		return 0;
	}
	failed++;
	if (listing >= 0) {
		dprintf(listing, "%ld\n", calls);
		on = 1;
		return 0;
	}
	for (fd = 0; fd < OPEN; fd++)
		at[fd] = lseek(fd, 0, SEEK_CUR);
	if ((pid = fork()) == 0) {
		sweeping = 0;
		unsetenv("SWEEP");
		copied(1, "got");
		copied(2, "err");
		alarm(300);
		return 1;
	}
	if (waitpid(pid, &status, 0) != pid)
		abort();
	for (fd = 0; fd < OPEN; fd++)
		if (at[fd] >= 0)
			lseek(fd, at[fd], SEEK_SET);
	judge(status);
	on = 1;
	return 0;
}

static int
sweep(int argc, char **argv, char **env)
{
	int status;

	open_ways();
	want = contents("want", &want_n);
	report = fcntl(1, F_DUPFD_CLOEXEC, 100);
	to(1, "out");
	to(2, "said");
	sweeping = on = 1;
	status = tool(argc, argv, env);
	on = 0;
	if (sweeping)
		finish();
	return status;
}

static int
with_limit(int argc, char **argv, char **env)
{
	const char *fail = getenv("FAIL");

	if (getenv("SWEEP") != NULL)
		return sweep(argc, argv, env);
	if (getenv("LIST") != NULL) {
		open_ways();
		listing = fcntl(open("calls", O_WRONLY | O_CREAT | O_TRUNC, 0600), F_DUPFD_CLOEXEC,
		    100);
	}
	left = fail == NULL ? 0 : atol(fail);
	alarm(fail == NULL ? 0 : 300);
	on = 1;
	argc = tool(argc, argv, env);
	on = 0;
	return argc;
}

int
__libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
    void (*fini)(void), void (*end)(void), void *stack)
{
	int (*next)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
	    void (*)(void), void *) = dlsym(RTLD_NEXT, "__libc_start_main");

	tool = main;
	return next(with_limit, argc, argv, init, fini, end, stack);
}
