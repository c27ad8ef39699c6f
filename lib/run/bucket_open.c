/*
 * bucket_open.c - the buckets that a run begins with, and their memory.
 */
#include <stdlib.h>

#include "roads.h"

/* calloc: an array that no event has come to takes no memory. */
static int
make_rows(struct dp_run *r, size_t n)
{
	const size_t sums = n > SIZE_MAX / r->col.width ? SIZE_MAX : n * r->col.width;

	r->ring.n = n;
	r->ring.sums = calloc(sums, sizeof *r->ring.sums);
	if (r->ring.sums == NULL)
		return DP_ENOMEM;
	return r->o->time.steps != DP_BY_RANGE || sums < DP_TOUCHED_LEAST ? 0 :
	    dp_touched_new(&r->ring.touched, n, r->col.width);
}

static int
make_borders(struct dp_run *r)
{
	const struct dp_span *s = &r->o->time.span;
	int64_t t = r->o->time.begin;
	size_t i;

	if (r->o->time.steps != DP_BY_RANGE || dp_span_uniform(s))
		return 0;
	if ((r->ring.border = calloc(r->ring.n, sizeof *r->ring.border)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < r->ring.n; i++, t = dp_span_next(s, t))
		r->ring.border[i] = t;
	return 0;
}

int
dp_bucket_prepare(struct dp_run *r)
{
	int e;

	if (r->o->time.bucket == 0)
		return 0;
	if ((e = make_rows(r, dp_options_rows(r->o))) != 0)
		return e;
	return make_borders(r);
}

/*
 * A stretch of time between two runs that was given to neither: its buckets are empty.  For a
 * running count that is no matter, and would only spend the horizon; nor must a mistyped year spend
 * it.  Nothing can come into these buckets, so they have no rows.
 */
static void
fill_gap(struct dp_run *r, int64_t begin)
{
	const struct dp_options *o = r->o;
	char until[DP_WHEN_TEXT + 1];
	uint64_t n;

	if (!r->ring.open || begin <= r->ring.next)
		return;
	n = dp_span_count(&o->time.span, r->ring.next, begin, UINT64_MAX);
	if (n > dp_options_gap(o))
		dp_die(DP_EX_USAGE, "--from: %llu buckets after the last step of the state file; "
		    "if that is meant, give --gap", (unsigned long long)n);
	*dp_when_put(until, r->ring.next, o->time.span.zone) = '\0';
	if (!o->print.quiet)
		dp_warn("--from: no run was given the %llu buckets from %s on, and none can be now",
		    (unsigned long long)n, until);
	if (!dp_task_fades(&o->task))
		return;
	r->ring.gap = n;
	n += r->ring.n;
	if (o->horizon != 0 && n > o->horizon - r->t)
		dp_die(DP_EX_SPENT,
		    "--from: with the empty buckets before it the run takes %llu steps; "
		    "%llu are left", (unsigned long long)n,
		    (unsigned long long)(o->horizon - r->t));
}

static void
begin_range(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	/* a run of --once is a step: the next one */
	const int64_t begin = o->time.once && r->ring.open ? r->ring.next : o->time.begin;
	char until[32];

	fill_gap(r, begin);
	if (r->ring.open && begin < r->ring.next) {
		*dp_when_put(until, r->ring.next, o->time.span.zone) = '\0';
		dp_die(DP_EX_USAGE,
		    "--from: the state file has released the steps before %s", until);
	}
	r->kept.since = r->t + r->ring.gap;
	r->ring.before_open = r->ring.open;
	r->ring.before = r->ring.next;
	r->ring.next = begin;
	r->ring.open = true;
}

void
dp_bucket_begin(struct dp_run *r)
{
	if (r->o->time.steps == DP_BY_RANGE)
		begin_range(r);
	if (r->o->time.steps == DP_BY_CLOCK && r->ring.open)
		dp_clock_begin(r);
	else if (r->o->time.steps == DP_BY_CLOCK) {
		r->ring.next = dp_span_floor(&r->o->time.span, dp_clock_look(r));
		r->ring.open = true;
	}
}
