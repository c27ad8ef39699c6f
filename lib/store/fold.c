/* SPDX-License-Identifier: ISC */
/*
 * fold.c - --each-user: a user's events of a step become one number, which is the user's one event
 * of the step.
 *
 * FOLDS.  A cell is a user, a step and, with -k, a key.  Its fold is a function of the events in it
 * that --where keeps, clamped to LO:HI.  Only a cell that is charged to its user's allowance has a
 * fold.  So a step's numbers are
 *	x[c] = sum over users of the fold of (user, step, c),
 * or, where an event adds to several numbers, the sum of what the folds add to each.
 *
 * Statement.  Take all events of one user away, in one step (-c K/step) or in the run (-c N).  Then
 * the folds of at most K (N) cells go, and nothing else changes.  A sum moves by at most max(|LO|,
 * |HI|) for each of these cells, and contributions by what one event adds for each.  This is the
 * distance that account/neighbour.h has for K records of a user.  Under -c K/step no two cells of a
 * user are in one column, so it is the distance of `once'.
 *
 * The statement is about a user's presence, and no other relation.  One event more or fewer, or
 * another value, changes a fold instead of removing it: by up to HI - LO in one column; or removes
 * it, where what is left is no event.  The two inputs are two presences apart at most, as each is
 * one from the input without the user.  Without one step of a user a later one may count under
 * -c N: two presences as well.
 *
 * Three things make it true.  A cell is charged when it is first seen, whatever its value, and the
 * charge is never given back: else (b,0), (a,1), (b,1) with K = 1 would count in both a and b.  A
 * late event joins the cell of the bucket where it counts: a second fold there would be a second
 * event.  And sums are exact until their bucket closes, and only then clamped to 2^61: if a clamped
 * sum went on, a number could take more out of it than it had brought.
 *
 * --retention: the column of a user's cell is the number of steps since the first one, in the order
 * of the input, that counts for that user.  It depends on the user's own events alone, and no two
 * steps share a cell.  So a whole user moves at most K cells, each by 1: that is what is protected.
 * Without the user's first step all other cells are in another column: 2K.  An event of a step
 * before the first one counts nowhere: else the columns of later events would move.
 *
 * --counter: an event's number is what its user's reading (of its key) has increased by since the
 * one before, in the order of the input; after a fall, the reading itself; the first has none.
 * That depends on the user's own events alone, so a whole user moves at most N cells, as above.
 * Without a user's events of one step the next increase is over a longer time, or none: the fold of
 * the step where it counts is another number in 0:HI.  If a user's steps are not mixed in the input
 * that is one cell: with the one that went two steps, one number each, of at most HI (-c 1/step).
 *
 * Proof, and an attack on all small streams: tests/proof/folds.md, t_fold.c.
 */
#include <stdlib.h>
#include <string.h>

#include "input/event.h"
#include "internal.h"

/* The few buckets that are open by the clock or by event times have a table each, as in cap.c. */
static bool
by_row(const struct dp_run *r)
{
	return r->o->time.steps != DP_BY_RANGE && !r->o->print.check;
}

/* A table has one cell of a user at most, so the user's fingerprint is the cell's. */
static bool
one_cell(const struct dp_run *r)
{
	return !dp_options_by_cell(r->o, r->tool) && (by_row(r) || r->o->time.once);
}

size_t
dp_fold_tables(const struct dp_run *r)
{
	return r->o->users.each == DP_EACH_NO ? 0 : by_row(r) ? r->ring.n : 1;
}

int
dp_fold_begin(struct dp_run *r)
{
	const size_t n = dp_fold_tables(r);

	if (n == 0)
		return 0;
	return (r->cap.fold = calloc(n, sizeof *r->cap.fold)) != NULL ? 0 : DP_ENOMEM;
}

void
dp_fold_close(struct dp_run *r)
{
	const size_t n = dp_fold_tables(r);

	if (r->cap.fold == NULL || !by_row(r))
		return;
	dp_users_free(r->cap.fold[0]);
	memmove(r->cap.fold, r->cap.fold + 1, (n - 1) * sizeof *r->cap.fold);
	r->cap.fold[n - 1] = NULL;
}

void
dp_fold_free(struct dp_run *r)
{
	size_t i;

	for (i = 0; r->cap.fold != NULL && i < dp_fold_tables(r); i++)
		dp_users_free(r->cap.fold[i]);
	free(r->cap.fold);
	r->cap.fold = NULL;
	dp_users_free(r->cap.reading);
	r->cap.reading = NULL;
}

/* The fingerprint of a user's cell in that row: of user, row and key together. */
static void
join(const struct dp_run *r, size_t row, const struct dp_event *v, const struct dp_mark *user,
    struct dp_mark *m)
{
	struct dp_mark key = { .hi = dp_options_by_cell(r->o, r->tool) ? v->column : 0 };
	uint64_t word[5];

	if (r->tool->shape == DP_SHAPE_NAME)
		dp_users_hash(r->cap.key, v->text, &key);
	word[0] = htole64(user->hi);
	word[1] = htole64(user->lo);
	word[2] = htole64(row);
	word[3] = htole64(key.hi);
	word[4] = htole64(key.lo);
	dp_users_hash(r->cap.key, (struct dp_slice){ (const char *)word, sizeof word }, m);
}

void
dp_fold_expect(const struct dp_run *r, size_t row, struct dp_event *v)
{
	const struct dp_users *u = r->cap.fold[by_row(r) ? row : 0];

	if (!v->counts || v->value == 0)
		return;
	v->known.set = true;
	dp_users_hash(r->cap.key, v->user, &v->known.mark);
	v->known.cell = v->known.mark;
	if (!one_cell(r))
		join(r, by_row(r) ? 0 : row, v, &v->known.mark, &v->known.cell);
	if (u != NULL)
		dp_users_fetch(u, &v->known.cell);
}

#define MOST	((int64_t)1 << 61)	/* values are far smaller: a sum of two fits */

bool
dp_fold_sane(int64_t value)
{
	return value >= -MOST && value <= MOST;
}

/* Stays at the bound, as no user's events may end a run. */
static int64_t
plus(int64_t a, int64_t b)
{
	return a + b > MOST ? MOST : a + b < -MOST ? -MOST : a + b;
}

/* Folds one more event's number into its cell; first: there was none before. */
static void
fold_in(enum dp_each how, const struct dp_fold *f, int64_t number, bool first)
{
	int64_t *const v = f->value;

	switch (how) {
	case DP_EACH_MEAN:
		if (first || *f->n == UINT32_MAX)
			break;
		++*f->n;
		/* fall through */
	case DP_EACH_COUNT:
	case DP_EACH_SUM:
		*v = plus(*v, first ? 0 : number);
		break;
	case DP_EACH_ANY:
	case DP_EACH_MAX:
		*v = number > *v ? number : *v;
		break;
	case DP_EACH_MIN:
		*v = number < *v ? number : *v;
		break;
	case DP_EACH_LAST:
		*v = number;
		break;
	case DP_EACH_FIRST:
	case DP_EACH_NO:
		break;
	}
	if (first)
		*v = number;
}

/* The whole number that is nearest to sum / n; halves go away from 0. */
static int64_t
nearest(int64_t sum, uint32_t n)
{
	const int64_t q = sum / n, rest = sum % n;

	if (2 * (rest < 0 ? -rest : rest) < (int64_t)n)
		return q;
	return q + (sum < 0 ? -1 : 1);
}

/* The fold, not clamped. */
static int64_t
come_to(const struct dp_options *o, const struct dp_fold *f)
{
	return o->users.each == DP_EACH_MEAN ? nearest(*f->value, *f->n) : *f->value;
}

static int64_t
clamped(const struct dp_options *o, const struct dp_fold *f)
{
	const int64_t v = come_to(o, f);

	return v < o->range.lo ? o->range.lo : v > o->range.hi ? o->range.hi : v;
}

/* The cell is new.  1: it is charged; 0 and 2: see dp_cap_charge(). */
static int
enter(struct dp_run *r, size_t row, const struct dp_event *v, struct dp_users *u,
    struct dp_fold *f)
{
	int e = dp_options_lone(r->o, r->tool) ? 1 : dp_cap_charge(r, row, &v->known.mark);

	if (e == 1 && (e = dp_users_fold_new(u, &v->known.cell, f)) == 0)
		e = 1;
	return e;
}

/* Reason why an event does not count, for --check. */
static const char steps[] = "its user has counted in as many steps as --per-user allows";
static const char keys[] = "its user has counted for as many keys or names as --per-user allows";
static const char cells[] = "its user has counted as often as --per-user allows";
static const char soon[] = "too soon after its user's last step that counted, or earlier "
    "(--per-user=K/B)";

static const char *
reason(const struct dp_run *r, int e)
{
	return e == 2 ? soon : !dp_options_by_cell(r->o, r->tool) ? steps :
	    dp_options_step_unit(r->o) ? keys : cells;
}

static const char early[] = "before its user's first step (--retention)";

/* Sets the column: steps since the user's first.  False: the event is of a step before that. */
static bool
aged(const struct dp_run *r, size_t row, struct dp_event *v)
{
	const uint64_t first = dp_users_first(r->cap.users, &v->known.mark,
	    (uint32_t)r->o->users.most), now = dp_cap_step(r, row), N = r->o->users.retention;
	const uint64_t age = first == 0 || now < first ? 0 : now - first;

	v->column = (size_t)(age <= N ? age : N + 1);
	return now >= first;
}

static const char unread[] = "the first reading of its series (--counter)";

/* The event's number becomes an increase; 0: it is the first reading, of none. */
static int
increase(struct dp_run *r, struct dp_event *v)
{
	const int64_t now = v->number;
	struct dp_mark series = v->known.mark;
	struct dp_fold last;
	int e;

	if (r->cap.reading == NULL &&
	    (e = dp_users_new_folds(&r->cap.reading, r->cap.key)) != 0)
		return e;
	if (dp_options_by_cell(r->o, r->tool))
		join(r, 0, v, &v->known.mark, &series);
	if (dp_users_fold(r->cap.reading, &series, &last)) {
		v->number = now >= *last.value ? now - *last.value : now;
		*last.value = now;
		return 1;
	}
	if ((e = dp_users_fold_new(r->cap.reading, &series, &last)) == 0)
		*last.value = now;
	v->value = 0;
	v->none = unread;
	return e;
}

int
dp_fold_take(struct dp_run *r, size_t row, struct dp_event *v, struct dp_folded *out)
{
	struct dp_users **u = &r->cap.fold[by_row(r) ? row : 0];
	const struct dp_options *o = r->o;
	struct dp_fold f;
	int e;

	*out = (struct dp_folded){ .was = false };
	if (!v->counts || v->value == 0)
		return 0;
	if (*u == NULL && (e = dp_users_new_folds(u, r->cap.key)) != 0)
		return e;
	if (!v->known.set)
		dp_fold_expect(r, row, v);
	if (o->users.counter && (e = increase(r, v)) != 1)
		return e;
	if (o->users.retention != 0 && !aged(r, row, v)) {
		v->value = 0;
		v->none = early;
		return 0;
	}
	if ((out->was = dp_users_fold(*u, &v->known.cell, &f)))
		out->before = clamped(o, &f);
	else if ((e = enter(r, row, v, *u, &f)) != 1) {
		v->value = 0;
		v->none = reason(r, e);
		return e < 0 ? e : 0;
	}
	fold_in(o->users.each, &f, v->number, !out->was);
	out->now = clamped(o, &f);
	out->cut = out->now != come_to(o, &f);
	out->counts = true;
	return 0;
}

/*
 * Exact sums of open rows, which may need more than 64 bits (run/step.c).
 */

/* Index of an open row's carry; ring.carries: it has none. */
static size_t
find_carry(const struct dp_run *r, size_t row, size_t place)
{
	const struct dp_carry *c = r->ring.carry;
	size_t i;

	for (i = 0; i < r->ring.carries; i++)
		if (c[i].t == 0 && c[i].row == row && c[i].place == place)
			break;
	return i;
}

struct dp_carry *
dp_carry_of(struct dp_run *r, size_t row, size_t place)
{
	struct dp_carry *c = r->ring.carry, *more;
	const size_t i = find_carry(r, row, place);

	if (i < r->ring.carries)
		return &c[i];
	if ((i & (i - 1)) == 0) {		/* room for twice as many */
		if ((more = reallocarray(c, i == 0 ? 1 : 2 * i, sizeof *c)) == NULL)
			return NULL;
		r->ring.carry = c = more;
	}
	r->ring.carries++;
	c[i] = (struct dp_carry){ .row = row, .place = place };
	return &c[i];
}

int
dp_carry_move(struct dp_run *r, size_t row, size_t place, int64_t *sum, dp_wide by)
{
	const dp_wide s = *sum + by;
	struct dp_carry *c;

	if (DP_LIKELY(s <= DP_CARRY && s >= -DP_CARRY)) {
		*sum = (int64_t)s;
		return 0;
	}
	if ((c = dp_carry_of(r, row, place)) == NULL)
		return DP_ENOMEM;
	c->n += (int64_t)(s / DP_CARRY);
	*sum = (int64_t)(s % DP_CARRY);
	return 0;
}

dp_wide
dp_carry_sum(const struct dp_run *r, size_t row, size_t place, int64_t sum)
{
	const size_t i = find_carry(r, row, place);

	return i < r->ring.carries ? sum + DP_CARRY * r->ring.carry[i].n : sum;
}
