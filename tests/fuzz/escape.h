/* SPDX-License-Identifier: ISC */
/*
 * escape.h - code that prints and exits, in a target's own process.
 *
 * After escape_begin() exit(3) leads back to escape_from, what is printed goes nowhere, no file is
 * there to be opened, and escape_end() frees what was allocated since and is still held.
 */
#ifndef DP_FUZZ_ESCAPE_H
#define DP_FUZZ_ESCAPE_H

#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "target.h"

#define HELD_MAX	65536

static jmp_buf escape_from;
static bool escaping;
static const volatile void *held[HELD_MAX];
static size_t nheld;
static FILE *nowhere, *spoken[2];

/* Of AddressSanitizer; without it what an exit leaves behind stays */
typedef void (*allocated)(const volatile void *, size_t);
typedef void (*freed)(const volatile void *);
__attribute__((weak)) int __sanitizer_install_malloc_and_free_hooks(allocated, freed);

static void
hold(const volatile void *p, size_t n)
{
	(void)n;
	if (escaping && nheld < HELD_MAX)
		held[nheld++] = p;
}

static void
let_go(const volatile void *p)
{
	size_t i;

	for (i = escaping ? nheld : 0; i-- > 0; )
		if (held[i] == p) {
			held[i] = held[--nheld];
			return;
		}
}

/* The C library's function of that name, which one below stands before. */
static void *
next_of(const char *name)
{
	void *p = dlsym(RTLD_NEXT, name);

	need(p != NULL);
	return p;
}

_Noreturn void
exit(int status)
{
	void (*real)(int);
	void *p;

	if (escaping)
		longjmp(escape_from, 1 + status);
	p = next_of("exit");
	memcpy(&real, &p, sizeof real);
	real(status);
	abort();
}

FILE *
fopen(const char *path, const char *mode)
{
	FILE *(*real)(const char *, const char *);
	void *p;

	if (escaping) {
		errno = ENOENT;
		return NULL;
	}
	p = next_of("fopen");
	memcpy(&real, &p, sizeof real);
	return real(path, mode);
}

int
open(const char *path, int flags, ...)
{
	int (*real)(const char *, int, ...);
	unsigned mode;
	va_list ap;
	void *p;

	if (escaping) {
		errno = ENOENT;
		return -1;
	}
	va_start(ap, flags);
	mode = va_arg(ap, unsigned);
	va_end(ap);
	p = next_of("open");
	memcpy(&real, &p, sizeof real);
	return real(path, flags, mode);
}

int
access(const char *path, int mode)
{
	(void)path, (void)mode;
	errno = ENOENT;
	return -1;
}

static void
escape_begin(void)
{
	if (nowhere == NULL) {
		need((nowhere = fopen("/dev/null", "w")) != NULL);
		if (__sanitizer_install_malloc_and_free_hooks != NULL)
			need(__sanitizer_install_malloc_and_free_hooks(hold, let_go) != 0);
		fputc(' ', nowhere);		/* its buffer is not the input's */
	}
	spoken[0] = stdout;
	spoken[1] = stderr;
	stdout = stderr = nowhere;
	escaping = true;
}

static void
escape_end(void)
{
	escaping = false;
	while (nheld > 0)
		free((void *)(uintptr_t)held[--nheld]);
	stdout = spoken[0];
	stderr = spoken[1];
}

#endif
