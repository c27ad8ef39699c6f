/*
 * fold.c - --each-user: a user's events of a step become one number, which is the user's one event
 * of the step.
 *
 * FOLDS.  A cell is a user, a step and, with -k, a key.  Its fold is a function of that cell's own
 * events (what --where drops is none), clamped to LO:HI; a cell that is charged to the user's
 * allowance has it, every other cell has none.  So a step's numbers are
 *	x[c] = sum over users of the fold of (user, step, c),
 * or the sum of what the folds add to several numbers.
 *
 * Statement.  Take all events of one user away, in one step (-c K/step) or in the run (-c N).  Then
 * the folds of at most K (N) cells go, and nothing else changes: a sum moves by at most max(|LO|,
 * |HI|) for each, one column c of a step by that once, and contributions by what one event adds.
 * This is the distance that account/neighbour.h has for K records of a user; under -c K/step, where
 * two cells of a user are never in one column, that of `once'.
 *
 * That is the presence of a user, and no other relation.  An event more or fewer, or another value,
 * changes a fold in place of removing it: by up to HI - LO in one column, and at most two presences
 * away, as the user's absence is one away from either.  Taking a step away from a user under -c N
 * lets a later one count: two presences as well.
 *
 * Three things make it true.  A cell is charged when it is first seen, whatever its value, and is
 * never given back: else (b,0), (a,1), (b,1) with K = 1 would count in both a and b.  A late event
 * joins the cell of the bucket where it counts: a second fold there would be a second event.  And
 * sums are exact until their bucket closes, and clamped to 2^61 then: a number that leaves a
 * clamped sum takes more with it than it brought.
 *
 * --retention: the column of a user's cell is the number of steps since the first one, in the order
 * of the input, that counts for that user; it is one function of the user's own events, and no two
 * steps share a cell.  So a user whole moves K cells by 1 at most, K in all: that is what is
 * protected.  Taking the first step away moves each of the others to another column: 2K.  An event
 * of a step before the first one counts nowhere: else the columns of those after it would move.
 *
 * Proof, and an attack on all small streams: tests/proof/folds.md, t_fold.c.
 */
#include <endian.h>
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

/* The row alone, or with the column, says which cell of a user's it is. */
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
}

/* A user's cell in that row, as one name that nobody can give. */
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

#define MOST	((int64_t)1 << 61)	/* a value is far below: sums of two fit */

bool
dp_fold_sane(int64_t value)
{
	return value >= -MOST && value <= MOST;
}

/* A sum that is too large for anybody stays where it is: nothing of a user's ends a run. */
static int64_t
plus(int64_t a, int64_t b)
{
	return a + b > MOST ? MOST : a + b < -MOST ? -MOST : a + b;
}

/* One more event of the cell, of that number; true: its first. */
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

/* The nearest whole number of n-ths, halves away from 0. */
static int64_t
nearest(int64_t sum, uint32_t n)
{
	const int64_t q = sum / n, rest = sum % n;

	if (2 * (rest < 0 ? -rest : rest) < (int64_t)n)
		return q;
	return q + (sum < 0 ? -1 : 1);
}

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

/* The event's column is its step, less that of its user's first; false: it is before that. */
static bool
aged(const struct dp_run *r, size_t row, struct dp_event *v)
{
	const uint64_t first = dp_users_first(r->cap.users, &v->known.mark,
	    (uint32_t)r->o->users.most), now = dp_cap_step(r, row), N = r->o->users.retention;
	const uint64_t age = first == 0 || now < first ? 0 : now - first;

	v->column = (size_t)(age <= N ? age : N + 1);
	return now >= first;
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

/* Sums beyond a word (run/step.c): of an open row, exact. */

struct dp_carry *
dp_carry_of(struct dp_run *r, size_t row, size_t place)
{
	struct dp_carry *c = r->ring.carry, *more;
	size_t i;

	for (i = 0; i < r->ring.carries; i++)
		if (c[i].t == 0 && c[i].row == row && c[i].place == place)
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
	const struct dp_carry *c = r->ring.carry;
	size_t i;

	for (i = 0; i < r->ring.carries; i++)
		if (c[i].t == 0 && c[i].row == row && c[i].place == place)
			return sum + DP_CARRY * c[i].n;
	return sum;
}
