/* SPDX-License-Identifier: ISC */
/* check.h - a test is a program: check() says file:line and goes on; done() gives the status. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int check_failed, check_run;
static bool check_first;	/* the first failure is the end; also if CHECK_FIRST is set */
static const char *check_part;	/* from CHECK_PART */

__attribute__((constructor)) static void
check_start(void)
{
	check_first = getenv("CHECK_FIRST") != NULL;
	check_part = getenv("CHECK_PART");
}

/* A part of a test: if CHECK_PART is set only those run whose text begins so, as planted faults
   would otherwise wait for the others. */
#define PART(...) do { \
	if (check_part == NULL || strncmp(#__VA_ARGS__, check_part, strlen(check_part)) == 0) \
		__VA_ARGS__; \
	} while (0)

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
