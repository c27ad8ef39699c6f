/*
 * spawn.h - other programs: started without a shell, and what they print.
 */
#ifndef DP_SPAWN_H
#define DP_SPAWN_H

#include <sys/types.h>

#include "base/buf.h"

enum { DP_SPAWN_APART = 1 };	/* a group of its own: what a terminal sends does not reach it */

/*
 * argv[0] is looked for in PATH; in: its standard input, and the descriptor is the caller's still
 * (-1: an empty one).  Returns where its standard output can be read; -1: errno.
 */
int	dp_spawn(pid_t *, char *const argv[], int in, unsigned flags);
/* All that it prints. DP_EIO: errno; DP_ERANGE: more than `most` bytes; DP_ENOMEM.  Closes fd. */
int	dp_spawn_read(int fd, struct dp_buf *, size_t most) DP_MUSTUSE;
/* Waits for it; its exit status, 128 + N for signal N. */
int	dp_spawn_wait(pid_t);
/* A file without a name that holds n bytes at p, at its begin; -1: errno. */
int	dp_spawn_text(const char *p, size_t n);

#endif
