/* progress.c - how far a long task is, on a terminal. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

#define LINE	70		/* more than the line has */

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void
dp_progress_begin(struct dp_progress *p, const char *name, uint64_t all)
{
	*p = (struct dp_progress){ .name = name, .all = all, .on = isatty(STDERR_FILENO) == 1 };
	p->begun = p->told = seconds();
}

void
dp_progress_step(struct dp_progress *p)
{
	const double now = seconds();
	double left;

	p->done++;
	if (!p->on || now - p->told < 1)
		return;
	p->told = now;
	left = (now - p->begun) / (double)p->done * (double)(p->all - p->done);
	fprintf(stderr, left >= 120 ? "\r%s: %llu of %llu runs, some %.0f min left    " :
	    "\r%s: %llu of %llu runs, some %.0f s left    ", p->name,
	    (unsigned long long)p->done, (unsigned long long)p->all,
	    left >= 120 ? left / 60 : left);
}

void
dp_progress_end(struct dp_progress *p)
{
	if (p->told > p->begun)
		fprintf(stderr, "\r%*s\r", LINE, "");
}
