/* SPDX-License-Identifier: ISC */
/*
 * nomem.c - to be preloaded: a malloc() that fails.
 *
 * FAIL=N: the N-th call of main() fails; the file "reached" has something in it if it came so far.
 * It ends after five minutes.
 * SWEEP=1: at each call, up to MOST of them, a child goes on without that memory; the run itself
 * has it.  So nothing up to there is done again.  A child has what was printed so far, and prints
 * on, in "got" and "err"; the run in "out" and "said".  Each child must end with status 1, one
 * message that says why, and a beginning of the file "want"; or, as libraries may do without
 * memory, with 0 and all of it.  What it came to is printed; status 1: it was not so, or memory
 * failed too seldom.  Not for --pan-private, whose memory no child has.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST	5000
#define OPEN	32	/* descriptors that the run may have, and a child reads on */

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

static long left, calls, refused;
static int on, sweeping, report, (*tool)(int, char **, char **);
static char *want;
static size_t want_n;

static int child(void);

static int
fails(void)
{
	if (!on)
		return 0;
	if (sweeping) {
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
	dprintf(report, "%ld allocations, %ld refused\n", calls, refused);
	_exit(!(calls > 0 && refused >= 3 && refused >= calls * 2 / 3));
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
