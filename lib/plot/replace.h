/*
 * replace.h - a file that is there whole or not at all, whatever ends the process.
 */
#ifndef DP_REPLACE_H
#define DP_REPLACE_H

#include <stddef.h>

/* Whether a file could be made where `to` is to be; -1: errno. */
int	dp_replace_check(const char *to);
/*
 * n bytes at p become the file `to`, with the mode that umask leaves.  -1: errno, and what was
 * there stays.  SIGHUP, SIGINT and SIGTERM wait meanwhile.  Of a process that is killed nothing is
 * left, or, where the file system has no files without a name, one that the next call takes over.
 */
int	dp_replace(const char *to, const void *p, size_t n);

#endif
