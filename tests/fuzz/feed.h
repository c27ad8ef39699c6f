/* SPDX-License-Identifier: ISC */
/*
 * feed.h - read(2) from memory: descriptors below 0 give the bytes that they are fed, as many as
 * are asked for; a system call each would be most of what a target does.
 */
#ifndef DP_FUZZ_FEED_H
#define DP_FUZZ_FEED_H

#include <sys/syscall.h>
#include <unistd.h>

#include "target.h"

#define FEEDS	2

static struct dp_slice feed_left[FEEDS];

/* The descriptor, 0 <= i < FEEDS; fstat(2) finds none there. */
static inline int
feed(unsigned i, const uint8_t *p, size_t n)
{
	feed_left[i] = (struct dp_slice){ (const char *)p, n };
	return -1 - (int)i;
}

ssize_t
read(int fd, void *to, size_t n)
{
	struct dp_slice *left;

	if (fd >= 0)
		return syscall(SYS_read, fd, to, n);
	left = &feed_left[-1 - fd];
	n = n < left->n ? n : left->n;
	memcpy(to, left->p, n);
	left->p += n;
	left->n -= n;
	return (ssize_t)n;
}

#endif
