/* SPDX-License-Identifier: ISC */
/*
 * spawn.h - other programs: starting them without a shell, and reading their output.
 */
#ifndef DP_INPUT_SPAWN_H
#define DP_INPUT_SPAWN_H

#include <sys/types.h>

#include "base/dp.h"

struct dp_buf;

enum {
	DP_SPAWN_APART = 1,	/* a process group of its own, which a terminal's signals miss */
	DP_SPAWN_QUIET = 2	/* says nothing on standard error, and ends with who reads it */
};

/*
 * Starts argv[0], sought in PATH.  in: descriptor of its standard input, which the caller still
 * owns; -1: an empty one.  Returns a descriptor of its standard output; -1: errno.
 */
int	dp_spawn(pid_t *, char *const argv[], int in, unsigned flags);
/*
 * Reads its whole output and closes fd.  DP_EIO: errno; DP_ERANGE: more than `most` bytes;
 * DP_ENOMEM.
 */
int	dp_spawn_read(int fd, struct dp_buf *, size_t most) DP_MUSTUSE;
/* Waits for it; its exit status, 128 + N for signal N. */
int	dp_spawn_wait(pid_t);
/* An unnamed file of the n bytes at p, at offset 0; -1: errno. */
int	dp_spawn_text(const char *p, size_t n);

#endif
