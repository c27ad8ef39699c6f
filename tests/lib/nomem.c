/*
 * nomem.c - to be preloaded: a malloc() that fails.
 *
 * FAIL=N: the N-th call of main() fails, or with FOR_EVER set each from the N-th on; the file
 * "reached" tells that it came so far.
 * SWEEP=1: main() runs in a child for each N, from 1 until it is not reached, with its output in
 * "got" and "err".  Each child must end with status 1, one message that says why, and a beginning
 * of the file "want"; or, as libraries may do without memory, with 0 and all of it.  What it came
 * to is printed; status 1: it was not so, or memory failed too seldom.
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

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

static long left;
static int on, (*tool)(int, char **, char **);

static int
fails(void)
{
	if (!on || --left > 0 || (left < 0 && getenv("FOR_EVER") == NULL))
		return 0;
	if (left == 0)
		close(open("reached", O_WRONLY | O_CREAT, 0600));
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

void
exit(int status)
{
	on = 0;
	((void (*)(int))dlsym(RTLD_NEXT, "exit"))(status);
	__builtin_unreachable();
}

static void
to(int fd, const char *name)
{
	const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	dup2(file, fd);
	close(file);
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

static int
sweep(int argc, char **argv, char **env)
{
	size_t want_n, got_n, err_n;
	char *want = contents("want", &want_n), *got, *err, number[24];
	long n, refused = 0;
	int status, good;
	pid_t pid;

	for (n = 1; n < 5000; n++) {
		unlink("reached");
		if ((pid = fork()) == 0) {
			to(1, "got");
			to(2, "err");
			unsetenv("SWEEP");
			snprintf(number, sizeof number, "%ld", n);
			setenv("FAIL", number, 1);
			alarm(300);
			left = n;
			on = 1;
			exit(tool(argc, argv, env));
		}
		if (waitpid(pid, &status, 0) != pid || access("reached", F_OK) != 0)
			break;
		status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		got = contents("got", &got_n);
		err = contents("err", &err_n);
		good = status == 0 ? got_n == want_n && memcmp(got, want, want_n) == 0 :
		    status == 1 && messages(err) == 1 && got_n <= want_n &&
		    memcmp(got, want, got_n) == 0;
		refused += status == 1;
		if (!good) {
			printf("allocation %ld: status %d\n%s", n, status, err);
			return 1;
		}
		free(got);
		free(err);
	}
	printf("%ld allocations, %ld refused\n", n - 1, refused);
	return !(refused >= 3 && refused >= n * 2 / 3);
}

static int
with_limit(int argc, char **argv, char **env)
{
	const char *fail = getenv("FAIL");

	if (getenv("SWEEP") != NULL)
		return sweep(argc, argv, env);
	left = fail == NULL ? 0 : atol(fail);
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
