/* SPDX-License-Identifier: ISC */
/*
 * kernel.h - syscall(2) as a test wants it: its own kernel_random() answers SYS_getrandom; all else
 * goes to the kernel.  What is defined here stands in front of the C library's, for all of the
 * program.  One test includes it in one file.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static ssize_t kernel_random(void *p, size_t n, unsigned flags);

static inline long
kernel_call(long number, const long a[static 6])
{
	static long (*real)(long, ...);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static inline ssize_t
kernel_really(void *p, size_t n, unsigned flags)
{
	return kernel_call(SYS_getrandom, (long[6]){ (long)p, (long)n, flags });
}

long
syscall(long number, ...)
{
	long a[6];
	va_list list;
	int i;

	va_start(list, number);
	for (i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	return number == SYS_getrandom ?
	    kernel_random((void *)a[0], (size_t)a[1], (unsigned)a[2]) : kernel_call(number, a);
}

#endif
