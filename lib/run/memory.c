/* SPDX-License-Identifier: ISC */
/*
 * memory.c - columns that cannot be had: refused before anything is read or spent, with how much
 * they need, the option that asks for it, and the nearest that fits.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "store/run.h"
#include "driver.h"
#include "internal.h"

static uint64_t dp_memory_left(void);

#define COSTLY	((uint64_t)1 << 26)	/* less is always tried */
#define FRAMES	((size_t)512 << 10)	/* planning takes less of the stack */
#define LARGE	((uint64_t)1 << 30)	/* more is said */
#define MANY	10000000u		/* buckets: more take minutes */

static bool
fits(uint64_t n)
{
	void *p = n > SIZE_MAX / 2 ? NULL : malloc((size_t)n);

	free(p);		/* nothing of it was touched */
	return p != NULL;
}

/* Largest amount that can be had, to a thousandth. */
static uint64_t
most_memory(uint64_t need)
{
	uint64_t lo = 0, hi = need, mid;

	while (hi - lo > need / 1000) {
		mid = lo + (hi - lo) / 2;
		if (fits(mid))
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static uint64_t
plus(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static const char *
gib(double bytes, char text[static 32])
{
	snprintf(text, 32, bytes < 0x1p30 ? "%.0f MiB" : "%.1f GiB",
	    bytes / (bytes < 0x1p30 ? 0x1p20 : 0x1p30));
	return text;
}

/*
 * The sums of open buckets, and where these begin if they have not all the same width: of a range,
 * whose lines come in any order, all its buckets.  Each cell may be touched, so that more than the
 * machine has left is refused, though the kernel would promise it: as a fault of the system, since
 * another day it may do.  The columns have their memory, too.
 */
static void
check_buckets(const struct dp_run *r, uint64_t columns)
{
	const struct dp_options *o = r->o;
	const bool range = o->time.steps == DP_BY_RANGE;
	const uint64_t sums = dp_options_numbers(o, r->tool);
	const uint64_t row = (sums + !dp_span_uniform(&o->time.span)) * sizeof(int64_t);
	const uint64_t rows = dp_options_rows(o), left = dp_memory_left();
	const uint64_t array = rows > UINT64_MAX / row ? UINT64_MAX : rows * row;
	const uint64_t need = plus(array, range ? dp_touched_bytes(array / sizeof(int64_t)) : 0);
	const char *const option = o->time.once ? "--once" : range ? "--from, --to" : "--live";
	char needs[32], has[32], each[48] = "";
	bool ever;
	uint64_t have;

	if (sums > 1)
		snprintf(each, sizeof each, ", %llu numbers each,", (unsigned long long)sums);
	gib((double)need, needs);
	ever = need < COSTLY || fits(plus(columns, need));
	if (need < COSTLY || (need <= left && ever)) {
		if (need >= LARGE && !o->print.quiet)
			dp_warn("%s: %llu buckets%s take up to %s of memory: what no event is in "
			    "takes none", option, (unsigned long long)rows, each, needs);
		if (rows > MANY && range && !o->print.quiet)
			dp_warn("--from, --to: %llu buckets of this width, each with its line: "
			    "that takes a while (a wider --bucket makes fewer)",
			    (unsigned long long)rows);
		return;
	}
	have = most_memory(plus(columns, need));
	have = have > columns ? have - columns : 0;
	have = have < left ? have : left;
	dp_die(ever ? DP_EX_SYSTEM : DP_EX_USAGE, "%s: %llu buckets of this width%s need %s of "
	    "memory, and %s can be had: at most %llu fit (%s)", option,
	    (unsigned long long)rows, each, needs, gib((double)have, has),
	    (unsigned long long)((double)have / (double)need * .99 * (double)rows),
	    range ? "--public-times takes one at a time" : "a shorter LATENESS keeps fewer open");
}

/* Returns the bytes of the columns. */
static uint64_t
check_columns(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const uint64_t column = r->plan.mech->column, n = dp_options_columns(o, r->tool);
	const uint64_t need = column > UINT64_MAX / n ? UINT64_MAX : column * n;
	char needs[32], has[32];
	uint64_t widest = 0, have;
	double part;
	unsigned i;

	if (need < COSTLY || fits(need))
		return need;
	have = most_memory(need);
	part = (double)have / (double)need;
	gib((double)need, needs);
	gib((double)have, has);
	for (i = 0; i < o->task.windows; i++)
		widest = widest < o->task.w[i] ? o->task.w[i] : widest;
	if (widest > 1)
		dp_die(DP_EX_USAGE, "--%s: %llu steps need %s of memory, and %s can be had: at "
		    "most %.0f steps fit", o->task.what == DP_TASK_WINDOW ? "window" : "expire",
		    (unsigned long long)widest, needs, has, (double)widest * part * .99);
	if (n > 1)
		dp_die(DP_EX_USAGE, "--keys: %llu keys need %s of memory, and %s can be had: at "
		    "most %.0f keys fit", (unsigned long long)n, needs, has, (double)n * part);
	dp_die(DP_EX_USAGE, "--mechanism: %s needs %s of memory for these parameters, and %s can "
	    "be had", r->plan.ops->name, needs, has);
}

void
dp_memory_check(const struct dp_run *r)
{
	const uint64_t columns = check_columns(r);

	if (r->o->time.bucket != 0)
		check_buckets(r, columns);
}

/*
 * The kernel keeps 1 MiB below a stack free of all else (stack_guard_gap), so that what is told to
 * go is the stack's own.  A page is left for the frames of the calls.
 */
void
dp_memory_trim(void)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t end = (uintptr_t)__builtin_frame_address(0) / page * page - page;

	dp_os_give_back();
	dp_os_unneeded((void *)(end - FRAMES), FRAMES);
}

/*
 * How much memory the machine, or the group of processes we are in, has left.
 *
 * The kernel promises more than there is, and who takes it at its word is killed in the middle of a
 * run that is paid for.
 */

#define GROUPS	"/sys/fs/cgroup"
#define PATH	4096

/* KiB, of what /proc/meminfo calls by that name. */
static bool
of_machine(const char *text, const char *name, uint64_t *bytes)
{
	const char *p = strstr(text, name);
	uint64_t kib;

	if (p == NULL || sscanf(p + strlen(name), ": %" SCNu64, &kib) != 1)
		return false;
	*bytes = kib * 1024;
	return true;
}

static bool
read_text(const char *path, char *text, size_t size)
{
	FILE *f = fopen(path, "r");
	size_t n;

	if (f == NULL)
		return false;
	n = fread(text, 1, size - 1, f);
	text[n] = '\0';
	fclose(f);
	return n > 0;
}

/* "max" is no limit. */
static uint64_t
limit(const char *group)
{
	char path[sizeof GROUPS + PATH + 16], text[32];
	uint64_t n;

	snprintf(path, sizeof path, GROUPS "%s/memory.max", group);
	return read_text(path, text, sizeof text) && sscanf(text, "%" SCNu64, &n) == 1 ? n :
	    UINT64_MAX;
}

/* The least limit of our group and of those it is in. */
static uint64_t
of_groups(void)
{
	char text[PATH], *group, *end;
	uint64_t n, least = UINT64_MAX;

	if (!read_text("/proc/self/cgroup", text, sizeof text) ||
	    (group = strstr(text, "0::/")) == NULL)
		return least;
	group += 3;
	group[strcspn(group, "\n")] = '\0';
	do {
		n = limit(group);
		least = n < least ? n : least;
		if ((end = strrchr(group, '/')) != NULL)
			*end = '\0';
	} while (end != NULL);
	return least;
}

/* memory.c: bytes that can still be touched; UINT64_MAX: unknown. */
static uint64_t
dp_memory_left(void)
{
	char text[PATH];
	uint64_t left, swap, group = of_groups();

	if (!read_text("/proc/meminfo", text, sizeof text) ||
	    !of_machine(text, "MemAvailable", &left))	/* no Linux, or /proc is not there: all */
		left = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	else if (of_machine(text, "SwapFree", &swap))
		left += swap;
	return left < group ? left : group;
}

/* How far a long task is, on a terminal. */

#define LINE	70		/* more than the line has */

static double
seconds_progress(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void
dp_progress_begin(struct dp_progress *p, const char *name, uint64_t all)
{
	*p = (struct dp_progress){ .name = name, .all = all, .on = isatty(STDERR_FILENO) == 1 };
	p->begun = p->told = seconds_progress();
}

void
dp_progress_step(struct dp_progress *p)
{
	const double now = seconds_progress();
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
