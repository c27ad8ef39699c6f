/*
 * memory.c - columns that cannot be had: refused before anything is read or spent, with how much
 * they need, the option that asks for it, and the nearest that fits.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ask/relation.h"
#include "roads.h"

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
most(uint64_t need)
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
	have = most(plus(columns, need));
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
	have = most(need);
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

	(void)malloc_trim(0);
	(void)madvise((void *)(end - FRAMES), FRAMES, MADV_DONTNEED);
}
