/*
 * filepart.h - a regular file cut into N parts at ends of lines.
 *
 * Part I holds the lines that begin in bytes [S (I-1) / N, S I / N) of a file of S bytes, rounded
 * down: each line is in one part, which may be empty where lines are long.
 */
#ifndef DP_FILEPART_H
#define DP_FILEPART_H

#include "base/dp.h"

#define DP_FILEPARTS_MAX	1000000

struct dp_filepart {
	uint64_t begin, end;		/* bytes; lines begin there, or the file ends */
};

/* 1 <= i <= n <= DP_FILEPARTS_MAX.  The file's size is that of now.  DP_EIO (errno). */
int	dp_filepart_find(struct dp_filepart *, int fd, uint64_t i, uint64_t n) DP_MUSTUSE;
/* Lines that end before a byte.  Cost: all of these bytes are read.  DP_EIO (errno). */
int	dp_filepart_lines(uint64_t *lines, int fd, uint64_t end) DP_MUSTUSE;

#endif
