/* SPDX-License-Identifier: ISC */
/* nobirth.c - to be preloaded: a file system that knows no birth times. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/stat.h>

int
statx(int fd, const char *restrict path, int flags, unsigned mask, struct statx *restrict x)
{
	int (*real)(int, const char *, int, unsigned, struct statx *), e;

	*(void **)&real = dlsym(RTLD_NEXT, "statx");
	e = real(fd, path, flags, mask, x);
	x->stx_mask &= ~STATX_BTIME;
	x->stx_btime.tv_sec = 7;
	return e;
}
