/* check.h - a test is a program: check() says file:line and goes on; done() gives the status. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int check_failed, check_run;
static bool check_first;	/* the first failure is the end; also if CHECK_FIRST is set */

__attribute__((constructor)) static void
check_start(void)
{
	check_first = getenv("CHECK_FIRST") != NULL;
}

#define check(x) do { \
	check_run++; \
	if (!(x)) { \
		check_failed++; \
		printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #x); \
		if (check_first) \
			exit(1); \
	} } while (0)

/* What must not be reached; check(!"...") would be a string that clang takes for a mistake. */
#define fail(why) do { \
	check_run++; \
	check_failed++; \
	printf("%s:%d: failed: %s\n", __FILE__, __LINE__, why); \
	if (check_first) \
		exit(1); \
	} while (0)

/* The end of a child, as _exit(2): but what it ran is counted for "make cover". */
static inline void
child_exit(int status)
{
#ifdef COVER
	void __gcov_dump(void);

	__gcov_dump();
#endif
	_exit(status);
}

static inline int
done(void)
{
	printf("%d checks, %d failed\n", check_run, check_failed);
	return check_failed != 0;
}

#endif
