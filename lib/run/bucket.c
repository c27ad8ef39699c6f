/*
 * bucket.c - time steps that are buckets of event time.
 *
 * The ring holds the open buckets' exact sums, oldest first (pan-private: none; the open
 * bucket's events go straight into the mechanism's noisy memory).
 */
#include <stdlib.h>
#include <string.h>

#include "keep/roll.h"
#include "roads.h"

/* The end of the oldest open bucket. */
static int64_t
oldest_ends(const struct dp_run *r)
{
	return dp_span_next(&r->o->time.span, r->ring.next);
}

static int
by_row(const void *a, const void *b)
{
	const struct dp_pending *p = a, *q = b;

	return p->row != q->row ? (p->row > q->row) - (p->row < q->row) :
	    (p->nth > q->nth) - (p->nth < q->nth);
}

/* The identifiers of a row, in the order in which they came. */
static int
see_row(struct dp_run *r, size_t row)
{
	int e;

	if (row == 0)			/* the first to close: no more will come */
		qsort(r->ring.pending, r->ring.npending, sizeof *r->ring.pending, by_row);
	for (; r->ring.seen < r->ring.npending && r->ring.pending[r->ring.seen].row == row;
	    r->ring.seen++)
		if ((e = dp_step_see(r, &r->ring.pending[r->ring.seen].id)) != 0)
			return e;
	return 0;
}

/* Of the identifiers that a row is the first to have only their number is kept. */
static int
see_firsts(struct dp_run *r)
{
	const struct dp_id first = { .sign = 1 };
	int64_t n;
	int e;

	for (n = r->col.x[0]; n > 0; n--)
		if ((e = r->plan.mech->ops->open.see(r->plan.mech, r->col.p, r->col.rng,
		    &first)) != 0)
			return e;
	return 0;
}

/* The next row of a range, to r->col.x and to the sketch; of a gap there is none. */
static int
take_next(struct dp_run *r)
{
	size_t row;
	int e;

	if (r->ring.closed < r->ring.gap)
		memset(r->col.x, 0, r->col.width * sizeof *r->col.x);
	else {
		row = r->ring.closed - r->ring.gap;
		dp_carry_close(r, row, false);
		if (r->roll != NULL)
			dp_roll_take(r, row);
		if (r->ring.touched != NULL)
			dp_touched_row(r->ring.touched, row, r->col.x);
		else
			memcpy(r->col.x, r->ring.sums + row * r->col.width,
			    r->col.width * sizeof *r->col.x);
		if ((r->ring.npending != 0 && (e = see_row(r, row)) != 0) ||
		    (r->ring.firsts && (e = see_firsts(r)) != 0))
			return e;
	}
	r->ring.closed++;
	return 0;
}

/* The oldest open bucket's sums, to r->col.x; the others move up: few, LATENESS over DUR. */
static void
take_oldest(struct dp_run *r)
{
	const size_t n = r->col.width * sizeof *r->col.x, others = (r->ring.n - 1) * r->col.width;

	dp_carry_close(r, 0, true);
	memcpy(r->col.x, r->ring.sums, n);
	memmove(r->ring.sums, r->ring.sums + r->col.width, others * sizeof *r->ring.sums);
	memset(r->ring.sums + others, 0, n);
	if (r->roll != NULL) {
		dp_roll_take(r, 0);
		dp_roll_shift(r);
	}
	dp_cap_close(r);
}

static int
close_oldest(struct dp_run *r)
{
	int64_t begin = r->ring.next;
	int e;

	if (r->o->horizon != 0 && r->t == r->o->horizon)
		return DP_EHORIZON;
	if (r->o->time.steps != DP_BY_RANGE)
		take_oldest(r);
	else if ((e = take_next(r)) != 0)
		return e;
	r->ring.next = oldest_ends(r);
	return dp_step(r, begin);
}

/* The row of a range, whose buckets have not all the same width. */
static int64_t
row_of(const struct dp_run *r, int64_t time)
{
	size_t lo = 0, hi = r->ring.n, m;

	while (hi - lo > 1) {
		m = lo + (hi - lo) / 2;
		if (r->ring.border[m] <= time)
			lo = m;
		else
			hi = m;
	}
	return (int64_t)lo;
}

/* Open bucket that an event belongs to, or `most`; negative: before the oldest. */
static int64_t
place(const struct dp_run *r, int64_t time, uint64_t most)
{
	const struct dp_span *s = &r->o->time.span;

	if (time < r->ring.next)
		return -1;
	if (dp_span_uniform(s))
		return (time - r->ring.next) / (int64_t)r->o->time.bucket;
	return r->ring.border != NULL ? row_of(r, time) :
	    (int64_t)dp_span_count(s, r->ring.next, time + 1, most + 1) - 1;
}

static int64_t *
sum_of(struct dp_run *r, size_t row, size_t place)
{
	int64_t *sum;

	if (r->ring.touched != NULL) {
		if ((sum = dp_touched_sum(r->ring.touched, row, place)) != NULL)
			return sum;
		dp_touched_spread(r->ring.touched, r->ring.sums);
		dp_touched_free(r->ring.touched);
		r->ring.touched = NULL;
	}
	return r->ring.sums + row * r->col.width + place;
}

static void
add(struct dp_run *r, size_t row, size_t place, int64_t value)
{
	const struct dp_mech *m = r->plan.mech;
	int64_t *sum;

	if (!r->o->priv.pan) {
		sum = sum_of(r, row, place);
		*sum = dp_run_sum(dp_carry_add(r, row, place, (dp_wide)*sum + value));
	} else
		m->ops->open.add(m, r->col.p + place / m->inputs * m->column, place % m->inputs,
		    value);
}

/* Events come in any order: a row is the first to have an identifier until an earlier one is. */
static int
see_first(struct dp_run *r, size_t row, const struct dp_id *id)
{
	const struct dp_slice name = { (const char *)id->word, sizeof id->word };
	const uint32_t now = (uint32_t)row + 1;
	uint32_t before;
	int e;

	if ((e = dp_users_set_stamp(r->cap.users, name, now, true, &before)) != 0)
		return e;
	if (before != 0 && before <= now)
		return 0;
	if (before != 0)
		(*sum_of(r, before - 1, 0))--;
	(*sum_of(r, row, 0))++;
	return 0;
}

/*
 * An identifier goes into the open step; of a range, whose events come in any order, when its
 * bucket closes.
 */
static int
see(struct dp_run *r, size_t row, const struct dp_id *id)
{
	struct dp_pending *more;

	if (r->o->time.steps != DP_BY_RANGE)
		return dp_step_see(r, id);
	if (r->ring.firsts)
		return see_first(r, row, id);
	if ((r->ring.npending & (r->ring.npending - 1)) == 0) {	/* room for twice as many */
		more = realloc(r->ring.pending,
		    (r->ring.npending == 0 ? 1 : 2 * r->ring.npending) * sizeof *more);
		if (more == NULL)
			return DP_ENOMEM;
		r->ring.pending = more;
	}
	r->ring.pending[r->ring.npending] = (struct dp_pending){ row, r->ring.npending, *id };
	r->ring.npending++;
	return 0;
}

static int
absorb(struct dp_run *r, size_t row, const struct dp_event *v)
{
	size_t i;

	if (v->value == 0)	/* nothing happened, or the user is over the allowance */
		return 0;
	if (r->tool->shape == DP_SHAPE_ID)
		return see(r, row, &v->id);
	if (r->tool->shape == DP_SHAPE_NAME)
		return dp_roll_add(r, row, v->text);
	if (v->nterms == 0)
		add(r, row, v->column, v->value);
	for (i = 0; i < v->nterms; i++)
		add(r, row, v->term[i].place, v->term[i].value);
	return 0;
}

bool
dp_bucket_far(const struct dp_run *r, int64_t time)
{
	const uint64_t gap = dp_options_gap(r->o);
	const struct dp_span *s = &r->o->time.span;
	int64_t i;

	if (!r->ring.open)
		return false;
	if ((i = place(r, time, gap + 2)) >= 0)
		return i > 1 && (uint64_t)i - 1 > gap;
	return !r->ring.advanced &&
	    dp_span_count(s, dp_span_floor(s, time), r->ring.next, gap + 2) > gap + 1;
}

int
dp_bucket_reach(struct dp_run *r, struct dp_event *v)
{
	int64_t i;
	int e;

	if (!r->ring.open) {
		r->ring.next = dp_span_floor(&r->o->time.span, v->time);
		r->ring.open = true;
	}
	if (dp_bucket_far(r, v->time)) {
		v->counts = false;
		v->value = 0;
		return 0;
	}
	for (i = place(r, v->time, INT64_MAX - 1); i > 0; i--) {
		if ((e = close_oldest(r)) != 0)
			return e;
		r->ring.advanced = true;
	}
	return r->o->horizon != 0 && r->t == r->o->horizon ? DP_EHORIZON : 0;
}

int
dp_bucket_add(struct dp_run *r, struct dp_event *v)
{
	int64_t i = 0, newest, now;
	int e;

	switch (r->o->time.steps) {
	case DP_BY_RANGE:
		i = r->o->time.once ? 0 : place(r, v->time, r->ring.n);
		break;
	case DP_BY_CLOCK:
		now = dp_clock_look(r);
		newest = place(r, now, r->ring.n);
		if (newest >= (int64_t)r->ring.n)
			newest = (int64_t)r->ring.n - 1;
		i = place(r, r->o->time.field.number != 0 ? v->time : now, r->ring.n);
		i = i > newest ? newest : i;
		i = i < 0 ? 0 : i;
		break;
	default:		/* its bucket, or a later one, is the open one */
		break;
	}
	if ((e = dp_cap_admit(r, (size_t)i, v)) != 0)
		return e;
	return absorb(r, (size_t)i, v);
}

/* The look comes first: it may move the oldest bucket. */
static bool
is_due(struct dp_run *r)
{
	const int64_t now = dp_clock_look(r);

	return oldest_ends(r) + (int64_t)r->o->time.lateness <= now;
}

int
dp_bucket_tick(struct dp_run *r)
{
	bool closed = false;
	int e;

	while (is_due(r)) {
		if ((e = close_oldest(r)) != 0)
			return e;
		closed = true;
		if (r->o->horizon != 0 && r->t == r->o->horizon)
			return DP_EHORIZON;
	}
	return closed ? dp_out_flush(r->print.out) : 0;
}

int
dp_bucket_wait(struct dp_run *r)
{
	return is_due(r) ? 0 : dp_clock_wait(r);
}

int
dp_bucket_end(struct dp_run *r)
{
	int64_t n;
	int e;

	/* open buckets stay open for the next run, unless this is the end */
	if (!r->ring.open ||
	    (r->kept.state != NULL && r->o->time.steps != DP_BY_RANGE && !dp_step_last(r)))
		return 0;
	if (r->ring.gap != 0)
		r->ring.next = r->ring.before;
	n = r->o->time.steps == DP_BY_RANGE ? (int64_t)(r->ring.gap + r->ring.n) :
	    r->o->time.steps == DP_BY_CLOCK ? place(r, dp_clock_look(r), INT64_MAX - 1) + 1 : 1;
	if (n < 1)			/* the clock was set back: there is an open one */
		n = 1;
	while (n-- > 0)
		if ((e = close_oldest(r)) != 0)
			return e;
	return 0;
}
