/* SPDX-License-Identifier: ISC */
/*
 * bucket.c - time steps that are buckets of event time.
 *
 * The ring holds the open buckets' exact sums, oldest first (pan-private: none; the open
 * bucket's events go straight into the mechanism's noisy memory).
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "input/event.h"
#include "store/run.h"
#include "internal.h"

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
		if (r->roll != NULL)
			dp_roll_take(r, row);
		if (r->ring.touched != NULL)
			dp_touched_row(r->ring.touched, row, r->col.x);
		else
			memcpy(r->col.x, r->ring.sums + row * r->col.width,
			    r->col.width * sizeof *r->col.x);
		dp_carry_close(r, row, false);
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

	memcpy(r->col.x, r->ring.sums, n);
	dp_carry_close(r, 0, true);
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
	if (r->roll != NULL && r->o->priv.has_seed &&
	    (r->o->time.steps != DP_BY_RANGE || r->ring.closed == 0) && (e = dp_roll_sort(r)) != 0)
		return e;
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

static struct dp_slice
word_of(const struct dp_event *v)
{
	return (struct dp_slice){ (const char *)v->id.word, sizeof v->id.word };
}

/* Events come in any order: a row is the first to have an identifier until an earlier one is. */
static int
see_first(struct dp_run *r, size_t row, const struct dp_event *v)
{
	const uint32_t now = (uint32_t)row + 1;
	struct dp_mark mark;
	uint32_t before;
	int e;

	if (!v->known.set)
		dp_users_mark(r->cap.users, word_of(v), &mark);
	if ((e = dp_users_set_mark(r->cap.users, v->known.set ? &v->known.mark : &mark, now, true,
	    &before)) != 0)
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

/* Of each key that the event has: those of -k A[] are terms, which the allowance has room for. */
static int
see_keys(struct dp_run *r, size_t row, const struct dp_event *v)
{
	struct dp_id id;
	size_t i = 0;
	int e;

	dp_cap_id(r, v, &id);
	do {
		if (v->nterms != 0)
			id.column = (uint32_t)v->term[i].place;
		e = see(r, row, &id);
	} while (e == 0 && ++i < v->nterms);
	return e;
}

static int
absorb(struct dp_run *r, size_t row, const struct dp_event *v)
{
	size_t i;

	if (v->value == 0)	/* nothing happened, or the user is over the allowance */
		return 0;
	if (r->tool->shape == DP_SHAPE_ID)
		return r->ring.firsts ? see_first(r, row, v) : see(r, row, &v->id);
	if (r->o->id.keyed)
		return see_keys(r, row, v);
	if (r->o->shard.hash != NULL)
		return dp_roll_add_hash(r, row, v->id.word);
	if (r->tool->shape == DP_SHAPE_NAME)
		return dp_roll_add(r, row, v->text,
		    r->in.partial != NULL ? (uint64_t)v->value : 1);
	if (v->nterms == 0)
		add(r, row, v->column, v->value);
	for (i = 0; i < v->nterms; i++)
		add(r, row, v->term[i].place, v->term[i].value);
	return 0;
}

/* A user's number comes to a bucket, or leaves it: sign 1, -1. */
static int
enter(struct dp_run *r, size_t row, size_t column, int64_t value, int sign)
{
	const struct dp_term *x;
	size_t n, i;
	int e = 0;

	if (r->tool->adds == NULL)
		return dp_carry_move(r, row, column, sum_of(r, row, column), sign * value);
	n = dp_events_terms(r->in.events, value, column, &x);
	for (i = 0; i < n && e == 0; i++)
		e = dp_carry_move(r, row, x[i].place, sum_of(r, row, x[i].place),
		    sign * x[i].value);
	return e;
}

/* --each-user: the event changes its user's number, which is what the bucket holds. */
static int
fold(struct dp_run *r, size_t row, struct dp_event *v)
{
	struct dp_folded f;
	int e;

	if ((e = dp_fold_take(r, row, v, &f)) != 0 || !f.counts ||
	    (f.was && f.before == f.now))
		return e;
	if (r->roll != NULL)		/* any: who has the name, once */
		return f.was ? 0 : dp_roll_add(r, row, v->text, 1);
	if (f.was && (e = enter(r, row, v->column, f.before, -1)) != 0)
		return e;
	return enter(r, row, v->column, f.now, 1);
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
	if (r->cap.fold != NULL)
		return fold(r, (size_t)i, v);
	if ((e = dp_cap_admit(r, (size_t)i, v)) != 0)
		return e;
	return absorb(r, (size_t)i, v);
}

void
dp_bucket_expect(const struct dp_run *r, struct dp_event *v)
{
	const bool range = r->o->time.steps == DP_BY_RANGE && !r->o->time.once;

	if (r->ring.firsts) {
		if ((v->known.set = v->counts && v->value != 0))
			dp_users_mark(r->cap.users, word_of(v), &v->known.mark);
	} else if (r->o->shard.hash != NULL) {
		if (v->counts)
			dp_roll_expect(r, range ? (size_t)place(r, v->time, r->ring.n) : 0,
			    v->id.word);
	} else if (r->cap.fold == NULL)
		dp_cap_expect(r, v);
	else if (v->counts)
		dp_fold_expect(r, range ? (size_t)place(r, v->time, r->ring.n) : 0, v);
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

/*
 * The buckets that a run begins with, and their memory.
 */

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
		dp_warn("--from: the %llu buckets from %s on are left out, and cannot be added "
		    "later", (unsigned long long)n, until);
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
		    "--from: the state file has released the steps before %s; give that or later",
		    until);
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

/*
 * The sums of a range's keys and buckets that an event is in, while they are few.
 *
 * A hash table: cells in the order in which they came, and chains through them.  While events come
 * a chain is that of the cells of one hash; once buckets close, that of a row's, which is read at
 * once.
 */

#define PART	16		/* of the cells, so many times fewer */
#define BITS	10u		/* of the first chains */

struct cell {
	int64_t sum;
	uint64_t at;		/* row by row */
	uint32_t next;		/* as a head */
};

struct dp_touched {
	size_t width;
	struct cell *cell;
	size_t n, most;
	uint32_t *head;		/* a cell's place + 1; 0: none */
	unsigned bits;		/* of the heads that are used, no fewer than cells */
	bool closing;
};

static uint64_t
most_touched(uint64_t cells)
{
	const uint64_t n = cells / PART;

	return cells < DP_TOUCHED_LEAST ? 0 : n < UINT32_MAX / 2 ? n : UINT32_MAX / 2;
}

static uint64_t
heads(uint64_t n)
{
	return (uint64_t)1 << (64 - __builtin_clzll(n));
}

uint64_t
dp_touched_bytes(uint64_t cells)
{
	const uint64_t n = most_touched(cells);

	return n == 0 ? 0 : n * sizeof(struct cell) + heads(n) * sizeof(uint32_t);
}

int
dp_touched_new(struct dp_touched **out, size_t rows, size_t width)
{
	struct dp_touched *t = calloc(1, sizeof *t);

	if (t == NULL)
		return DP_ENOMEM;
	t->width = width;
	t->most = (size_t)most_touched((uint64_t)rows * width);
	t->bits = BITS;
	t->cell = calloc(t->most, sizeof *t->cell);
	t->head = calloc((size_t)heads(t->most), sizeof *t->head);
	if (t->cell == NULL || t->head == NULL) {
		dp_touched_free(t);
		return DP_ENOMEM;
	}
	*out = t;
	return 0;
}

void
dp_touched_free(struct dp_touched *t)
{
	if (t == NULL)
		return;
	free(t->cell);
	free(t->head);
	free(t);
}

/* Rows differ in the last bits, and one that is open is met by its own cells alone, or by few. */
static uint32_t *
chain(const struct dp_touched *t, uint64_t at)
{
	if (t->closing)
		return &t->head[at / t->width & (((uint64_t)1 << t->bits) - 1)];
	return &t->head[at * 0x9e3779b97f4a7c15u >> (64 - t->bits)];
}

/* All chains anew. */
static void
link_all(struct dp_touched *t)
{
	uint32_t *h;
	size_t i;

	memset(t->head, 0, sizeof *t->head << t->bits);
	for (i = 0; i < t->n; i++) {
		h = chain(t, t->cell[i].at);
		t->cell[i].next = *h;
		*h = (uint32_t)i + 1;
	}
}

int64_t *
dp_touched_sum(struct dp_touched *t, size_t row, size_t place)
{
	const uint64_t at = (uint64_t)row * t->width + place;
	uint32_t *h = chain(t, at), i;
	struct cell *c;

	for (i = *h; i != 0; i = c->next) {
		c = &t->cell[i - 1];
		if (c->at == at)
			return &c->sum;
	}
	if (t->n == t->most)
		return NULL;
	if (t->n >> t->bits != 0) {
		t->bits++;
		link_all(t);
		h = chain(t, at);
	}
	c = &t->cell[t->n++];
	c->at = at;
	c->next = *h;
	*h = (uint32_t)t->n;
	return &c->sum;
}

void
dp_touched_spread(const struct dp_touched *t, int64_t *sums)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		sums[t->cell[i].at] = t->cell[i].sum;
}

void
dp_touched_row(struct dp_touched *t, size_t row, int64_t *x)
{
	const uint64_t first = (uint64_t)row * t->width;
	const struct cell *c;
	uint32_t i;

	if (!t->closing) {
		t->closing = true;
		link_all(t);
	}
	memset(x, 0, t->width * sizeof *x);
	for (i = *chain(t, first); i != 0; i = c->next) {
		c = &t->cell[i - 1];
		if (c->at - first < t->width)
			x[c->at - first] = c->sum;
	}
}
