/*
 * replace.h - replacing a file at once: it is whole or absent, whatever ends the process.
 */
#ifndef DP_REPLACE_H
#define DP_REPLACE_H

#include <stddef.h>

/* 0: a file could be made at `to`; -1: errno. */
int	dp_replace_check(const char *to);
/*
 * n bytes at p become the file `to`, with the mode that umask leaves.  -1: errno, and the old file
 * stays.  SIGHUP, SIGINT and SIGTERM wait meanwhile.  A killed process leaves a temporary file that
 * the next call takes over.
 */
int	dp_replace(const char *to, const void *p, size_t n);

#endif
