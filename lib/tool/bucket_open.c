/*
 * bucket_open.c - the buckets that a run begins with, and their memory.
 */
#include <stdlib.h>

#include "run.h"

/* calloc: an array that no event has come to takes no memory. */
static int
make_rows(struct dp_run *r, size_t n)
{
	const size_t sums = n > SIZE_MAX / r->width ? SIZE_MAX : n * r->width;

	r->nopen = n;
	r->sums = calloc(sums, sizeof *r->sums);
	if (r->sums == NULL)
		return DP_ENOMEM;
	return r->o->steps != DP_BY_RANGE || sums < DP_TOUCHED_LEAST ? 0 :
	    dp_touched_new(&r->touched, n, r->width);
}

size_t
dp_bucket_rows(const struct dp_options *o)
{
	uint64_t least;

	if (o->bucket == 0)
		return 0;
	least = dp_span_least(&o->span);
	switch (o->steps) {
	case DP_BY_RANGE:
		return (size_t)dp_span_count(&o->span, o->begin, o->end, SIZE_MAX);
	case DP_BY_CLOCK:
		return (o->lateness + least - 1) / least + 1;
	case DP_BY_TIMES:
	case DP_BY_LINE:
		break;
	}
	return 1;
}

static int
make_borders(struct dp_run *r)
{
	const struct dp_span *s = &r->o->span;
	int64_t t = r->o->begin;
	size_t i;

	if (r->o->steps != DP_BY_RANGE || dp_span_uniform(s))
		return 0;
	if ((r->border = calloc(r->nopen, sizeof *r->border)) == NULL)
		return DP_ENOMEM;
	for (i = 0; i < r->nopen; i++, t = dp_span_next(s, t))
		r->border[i] = t;
	return 0;
}

int
dp_bucket_prepare(struct dp_run *r)
{
	int e;

	if (r->o->bucket == 0)
		return 0;
	if ((e = make_rows(r, dp_bucket_rows(r->o))) != 0)
		return e;
	return make_borders(r);
}

/* More empty buckets than this by one event's time are a wrong time. */
#define GAP	((uint64_t)100)
#define PAUSE	((uint64_t)31 * 86400)

uint64_t
dp_bucket_gap(const struct dp_options *o)
{
	return o->gap != 0 ? o->gap : PAUSE / o->bucket > GAP ? PAUSE / o->bucket : GAP;
}

/*
 * A stretch between two runs that no run was given: nothing happened there, but time went by.  For
 * a running count that is no matter, and would only spend the horizon; nor must a mistyped year
 * spend it.  Nothing can come into these buckets, so they have no rows.
 */
static void
fill_gap(struct dp_run *r)
{
	struct dp_options *o = r->o;
	char until[DP_WHEN_TEXT + 1];
	uint64_t n;

	if (!r->open || o->begin <= r->next)
		return;
	n = dp_span_count(&o->span, r->next, o->begin, UINT64_MAX);
	if (n > dp_bucket_gap(o))
		dp_die(DP_EX_USAGE, "--from: %llu buckets after the last step of the state file; "
		    "if that is meant, give --gap", (unsigned long long)n);
	*dp_when_put(until, r->next, o->span.zone) = '\0';
	if (!o->quiet)
		dp_warn("--from: no run was given the %llu buckets from %s on, and none can be now",
		    (unsigned long long)n, until);
	if (!dp_task_fades(&o->task))
		return;
	r->gap = n;
	n += r->nopen;
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
	char until[32];

	fill_gap(r);
	if (r->open && o->begin < r->next) {
		*dp_when_put(until, r->next, o->span.zone) = '\0';
		dp_die(DP_EX_USAGE,
		    "--from: the state file has released the steps before %s", until);
	}
	r->since = r->t + r->gap;
	r->before_open = r->open;
	r->before = r->next;
	r->next = o->begin;
	r->open = true;
}

void
dp_bucket_begin(struct dp_run *r)
{
	if (r->o->steps == DP_BY_RANGE)
		begin_range(r);
	if (r->o->steps == DP_BY_CLOCK && r->open)
		dp_clock_begin(r);
	else if (r->o->steps == DP_BY_CLOCK) {
		r->next = dp_span_floor(&r->o->span, dp_clock_look(r));
		r->open = true;
	}
}
