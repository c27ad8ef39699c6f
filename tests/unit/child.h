/* SPDX-License-Identifier: ISC */
/* child.h - what exits, or prints to standard error, in a child of its own. */
#ifndef CHILD_H
#define CHILD_H

#include <string.h>
#include <sys/wait.h>

#include "check.h"

static char child_said[512];	/* the beginning of what the last one said */

/* f(arg): its exit status, 0 if it returned; -1: a signal ended it. */
static inline int
child_status(void (*f)(void *), void *arg)
{
	int end[2], status;
	size_t n = 0;
	ssize_t k;
	pid_t p;

	fflush(stdout);
	if (pipe(end) != 0 || (p = fork()) < 0)
		exit(1);
	if (p == 0) {
		if (dup2(end[1], STDERR_FILENO) < 0)
			exit(1);
		f(arg);
		child_exit(0);
	}
	close(end[1]);
	while (n < sizeof child_said - 1 &&
	    (k = read(end[0], child_said + n, sizeof child_said - 1 - n)) > 0)
		n += (size_t)k;
	child_said[n] = '\0';
	close(end[0]);
	if (waitpid(p, &status, 0) != p)
		exit(1);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
