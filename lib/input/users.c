/* SPDX-License-Identifier: ISC */
/*
 * users.c - sorted linear probing.
 *
 * A fingerprint's home is its share of the table, home(hi) = floor(hi / 2^64 * slots), so homes
 * ascend with fingerprints.  Entries are kept in ascending order, each at its home or to the right
 * of it without a gap in between (Amble, Knuth, The Computer Journal 17(2), 1974: "ordered hash
 * tables").  Hence a search ends early, a walk is sorted, and, as nothing wraps around, the table
 * can be spread over more slots without a second copy.
 *
 * A table of folds has a number beside each entry, which goes where the entry goes.
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "users.h"

/*
 * Slots to the right of the last home.  At load .95 a run that is cut off by the end of the table
 * is as long as a queue of that utilization, and outgrows 255 about once in 10^10 tables; then the
 * table grows early.
 */
#define SLACK	256
#define SLOTS	256	/* at first */

struct entry {
	uint64_t hi;
	uint32_t lo;
	uint32_t n;		/* events admitted; 0: free slot */
};

struct dp_users {
	uint8_t key[crypto_shorthash_siphashx24_KEYBYTES];
	uint32_t cap;
	size_t slots, count;
	size_t next;		/* the slot after the last entry that was put or moved */
	size_t loaded;		/* entries that were put */
	void (*changed)(void *, uint64_t, uint32_t, uint32_t);	/* or NULL */
	void *arg;
	struct entry *slot;	/* slots + SLACK of them; the last one stays free */
	int64_t *value;		/* as many; NULL: no table of folds */
};

static int
compare(const struct entry *a, const struct entry *b)
{
	if (a->hi != b->hi)
		return a->hi < b->hi ? -1 : 1;
	return (a->lo > b->lo) - (a->lo < b->lo);
}

static size_t
home(uint64_t hi, size_t slots)
{
	return (size_t)((dp_uwide)hi * slots >> 64);
}

static int
make(struct dp_users **out, const uint8_t key[16], uint64_t cap, bool folds)
{
	struct dp_users *u;

	if (cap < 1 || cap > UINT32_MAX)
		return DP_EINVAL;
	if ((u = calloc(1, sizeof *u)) == NULL)
		return DP_ENOMEM;
	u->slots = SLOTS;
	u->slot = calloc(SLOTS + SLACK, sizeof *u->slot);
	if (folds)
		u->value = calloc(SLOTS + SLACK, sizeof *u->value);
	if (u->slot == NULL || (folds && u->value == NULL)) {
		dp_users_free(u);
		return DP_ENOMEM;
	}
	memcpy(u->key, key, sizeof u->key);
	u->cap = (uint32_t)cap;
	*out = u;
	return 0;
}

int
dp_users_new(struct dp_users **out, const uint8_t key[16], uint64_t cap)
{
	return make(out, key, cap, false);
}

int
dp_users_new_folds(struct dp_users **out, const uint8_t key[16])
{
	return make(out, key, UINT32_MAX, true);
}

/*
 * Spread the table over 1.3 times the slots.  All entries move to the end, which keeps their order,
 * and from there, lowest first, to their new places.  These are never to the right of where an
 * entry is read: the entries after it have places too.  For with slots + k slots each home is at
 * least k further to the left of the last one, and so is each run: what fitted fits.
 */
static int
grow(struct dp_users *u)
{
	size_t slots = u->slots + u->slots / 10 * 3, from, next, at, i, n;
	struct entry *s, x;
	int64_t *v = NULL;

	if (slots / 8 > u->count + SLOTS)	/* no hash does this: put() of made-up entries */
		return DP_ENOMEM;
	n = slots + SLACK;
	if (u->value != NULL && (v = realloc(u->value, n * sizeof *v)) == NULL)
		return DP_ENOMEM;
	u->value = v;
	if ((s = realloc(u->slot, n * sizeof *s)) == NULL)
		return DP_ENOMEM;
	from = n;
	for (i = u->slots + SLACK; i-- > 0; ) {
		if (s[i].n == 0)
			continue;
		s[--from] = s[i];
		if (v != NULL)
			v[from] = v[i];
	}
	next = 0;
	for (i = from; i < n; i++) {
		x = s[i];
		at = home(x.hi, slots);
		while (next < at)
			s[next++] = (struct entry){ 0, 0, 0 };
		if (v != NULL)
			v[next] = v[i];
		s[next++] = x;
	}
	memset(s + next, 0, (n - next) * sizeof *s);
	u->slot = s;
	u->slots = slots;
	u->next = next;
	return 0;
}

/* The entry of this fingerprint, or the first one after it, or the free slot where it would be. */
static struct entry *
find(const struct dp_users *u, const struct entry *x)
{
	struct entry *s = u->slot + home(x->hi, u->slots);

	while (s->n != 0 && compare(s, x) < 0)
		s++;
	return s;
}

/* What find() has found is the fingerprint itself. */
static bool
is(const struct entry *s, const struct entry *x)
{
	return s->n != 0 && compare(s, x) == 0;
}

static bool
full(const struct dp_users *u)
{
	return u->count >= u->slots - u->slots / 20;
}

/* The first free slot from s on: full tables have runs of hundreds, so four at a time. */
static struct entry *
free_slot(const struct dp_users *u, struct entry *s)
{
	const struct entry *end = u->slot + u->slots + SLACK;

	while (end - s > 4 &&
	    (s[0].n != 0) & (s[1].n != 0) & (s[2].n != 0) & (s[3].n != 0))
		s += 4;
	while (s->n != 0)
		s++;
	return s;
}

/* x is not in the table; s is where find() says. */
static int
insert(struct dp_users *u, struct entry *s, const struct entry *x)
{
	struct entry *gap;
	int64_t *value;
	int e;

	for (;;) {
		gap = free_slot(u, s);
		if (!full(u) && gap < u->slot + u->slots + SLACK - 1)
			break;
		if ((e = grow(u)) != 0)
			return e;
		s = find(u, x);
	}
	memmove(s + 1, s, (size_t)(gap - s) * sizeof *s);
	*s = *x;
	if (u->value != NULL) {
		value = u->value + (s - u->slot);
		memmove(value + 1, value, (size_t)(gap - s) * sizeof *value);
		*value = 0;
	}
	u->count++;
	return 0;
}

void
dp_users_hash(const uint8_t key[16], struct dp_slice user, struct dp_mark *m)
{
	unsigned char hash[crypto_shorthash_siphashx24_BYTES];

	crypto_shorthash_siphashx24(hash,
	    (const unsigned char *)(user.p == NULL ? "" : user.p), user.n, key);
	memcpy(&m->hi, hash, sizeof m->hi);
	memcpy(&m->lo, hash + sizeof m->hi, sizeof m->lo);
	m->hi = le64toh(m->hi);		/* a state file may move to another machine */
	m->lo = le32toh(m->lo);
}

void
dp_users_fetch(const struct dp_users *u, const struct dp_mark *m)
{
	const size_t at = home(m->hi, u->slots);
	unsigned i;

	for (i = 0; i < 4; i++)		/* most searches end within 4 cache lines */
		__builtin_prefetch(u->slot + at + 4 * i, 1);
	if (u->value != NULL)
		__builtin_prefetch(u->value + at, 1);
}

void
dp_users_mark(const struct dp_users *u, struct dp_slice user, struct dp_mark *m)
{
	dp_users_hash(u->key, user, m);
	dp_users_fetch(u, m);
}

bool
dp_users_fold(const struct dp_users *u, const struct dp_mark *m, struct dp_fold *f)
{
	const struct entry x = { .hi = m->hi, .lo = m->lo };
	struct entry *s = find(u, &x);

	if (!is(s, &x))
		return false;
	*f = (struct dp_fold){ u->value + (s - u->slot), &s->n };
	return true;
}

int
dp_users_fold_new(struct dp_users *u, const struct dp_mark *m, struct dp_fold *f)
{
	const struct entry x = { m->hi, m->lo, 1 };
	int e = insert(u, find(u, &x), &x);

	return e != 0 ? e : dp_users_fold(u, m, f) ? 0 : DP_EINVAL;
}

static void
tell(const struct dp_users *u, const struct entry *x)
{
	if (u->changed != NULL)
		u->changed(u->arg, x->hi, x->lo, x->n);
}

/* The user's first event that counts, x->n of it; s is where find() says.  1, or DP_ENOMEM. */
static int
admit_first(struct dp_users *u, struct entry *s, const struct entry *x)
{
	int e = insert(u, s, x);

	if (e != 0)
		return e;
	tell(u, x);
	return 1;
}

/* One more event of an entry, which makes its count n.  1. */
static int
admit_next(const struct dp_users *u, struct entry *s, uint32_t n)
{
	s->n = n;
	tell(u, s);
	return 1;
}

int
dp_users_admit(struct dp_users *u, const struct dp_mark *m)
{
	const struct entry x = { m->hi, m->lo, 1 };
	struct entry *s = find(u, &x);

	if (!is(s, &x))
		return admit_first(u, s, &x);
	return s->n < u->cap ? admit_next(u, s, s->n + 1) : 0;
}

/* A step and a number of events, 1 to times, in one count. */
static uint32_t
pack(uint32_t times, uint64_t step, uint64_t number)
{
	return (uint32_t)(times * (step - 1) + number);
}

int
dp_users_admit_spaced(struct dp_users *u, const struct dp_mark *m, uint32_t times,
    uint64_t spacing, uint64_t step)
{
	const struct entry x = { m->hi, m->lo, pack(times, step, 1) };
	struct entry *s = find(u, &x);
	uint64_t last, number;

	if (times < 1 || step < 1 || step > u->cap / times)
		return DP_EINVAL;
	if (!is(s, &x))
		return admit_first(u, s, &x);
	last = (s->n - 1) / times + 1;
	number = (s->n - 1) % times + 1;
	if (step < last || step - last < spacing)
		return 2;
	if (number == times)
		return 0;
	return admit_next(u, s, pack(times, step, number + 1));
}

int
dp_users_admit_since(struct dp_users *u, const struct dp_mark *m, uint32_t times, uint64_t step)
{
	const struct entry x = { m->hi, m->lo, pack(times, step, 1) };
	struct entry *s = find(u, &x);

	if (times < 1 || step < 1 || step > u->cap / times)
		return DP_EINVAL;
	if (!is(s, &x))
		return admit_first(u, s, &x);
	if (s->n % times == 0)		/* times (first - 1) + times */
		return 0;
	return admit_next(u, s, s->n + 1);
}

uint64_t
dp_users_first(const struct dp_users *u, const struct dp_mark *m, uint32_t times)
{
	const struct entry x = { .hi = m->hi, .lo = m->lo }, *s = find(u, &x);

	return is(s, &x) ? (s->n - 1) / times + 1 : 0;
}

int
dp_users_set_stamp(struct dp_users *u, struct dp_slice user, uint32_t now, bool least,
    uint32_t *before)
{
	struct dp_mark m;

	dp_users_mark(u, user, &m);
	return dp_users_set_mark(u, &m, now, least, before);
}

int
dp_users_set_mark(struct dp_users *u, const struct dp_mark *m, uint32_t now, bool least,
    uint32_t *before)
{
	const struct entry x = { m->hi, m->lo, now };
	struct entry *s;
	int e;

	if (now < 1 || now > u->cap)
		return DP_EINVAL;
	s = find(u, &x);
	*before = 0;
	if (!is(s, &x)) {
		if ((e = insert(u, s, &x)) != 0)
			return e;
	} else {
		*before = s->n;
		if (least && s->n <= now)
			return 0;
		s->n = now;
	}
	tell(u, &x);
	return 0;
}

uint32_t
dp_users_number(const struct dp_users *u, const struct dp_mark *m)
{
	const struct entry x = { .hi = m->hi, .lo = m->lo };
	const struct entry *s = find(u, &x);

	return is(s, &x) ? s->n : 0;
}

uint32_t
dp_users_stamp(const struct dp_users *u, struct dp_slice user)
{
	struct dp_mark m;

	dp_users_mark(u, user, &m);
	return dp_users_number(u, &m);
}

size_t
dp_users_count(const struct dp_users *u)
{
	return u->count;
}

bool
dp_users_each(const struct dp_users *u, size_t *i, uint64_t *hi, uint32_t *lo, uint32_t *n)
{
	const struct entry *s;

	while (*i < u->slots + SLACK) {
		s = &u->slot[(*i)++];
		if (s->n != 0) {
			*hi = s->hi;
			*lo = s->lo;
			*n = s->n;
			return true;
		}
	}
	return false;
}

/*
 * Each entry is the last one so far: its place is known, and a search would take time quadratic in
 * the number of entries, for in a table that is still small they all have their homes at the left.
 */
int
dp_users_put(struct dp_users *u, uint64_t hi, uint32_t lo, uint32_t n)
{
	struct entry x = { hi, lo, n };
	size_t at;
	int e;

	if (n < 1 || n > u->cap || u->loaded != u->count ||
	    (u->count > 0 && compare(&u->slot[u->next - 1], &x) >= 0))
		return DP_EINVAL;
	for (;;) {
		at = home(hi, u->slots);
		if (at < u->next)
			at = u->next;
		if (!full(u) && at < u->slots + SLACK - 1)
			break;
		if ((e = grow(u)) != 0)
			return e;
	}
	u->slot[at] = x;
	if (u->value != NULL)
		u->value[at] = 0;
	u->next = at + 1;
	u->loaded = ++u->count;
	return 0;
}

int
dp_users_put_fold(struct dp_users *u, const struct dp_mark *m, uint32_t n, int64_t value)
{
	int e = dp_users_put(u, m->hi, m->lo, n);

	if (e == 0)
		u->value[u->next - 1] = value;
	return e;
}

int
dp_users_set(struct dp_users *u, uint64_t hi, uint32_t lo, uint32_t n)
{
	struct entry x = { hi, lo, n }, *s;

	if (n < 1 || n > u->cap)
		return DP_EINVAL;
	if (u->loaded == u->count && (u->count == 0 || compare(&u->slot[u->next - 1], &x) < 0))
		return dp_users_put(u, hi, lo, n);
	s = find(u, &x);
	if (!is(s, &x))
		return insert(u, s, &x);
	s->n = n;
	return 0;
}

void
dp_users_follow(struct dp_users *u, void (*changed)(void *, uint64_t, uint32_t, uint32_t),
    void *arg)
{
	u->changed = changed;
	u->arg = arg;
}

void
dp_users_free(struct dp_users *u)
{
	if (u == NULL)
		return;
	if (u->slot != NULL)
		explicit_bzero(u->slot, (u->slots + SLACK) * sizeof *u->slot);
	if (u->value != NULL)
		explicit_bzero(u->value, (u->slots + SLACK) * sizeof *u->value);
	free(u->slot);
	free(u->value);
	explicit_bzero(u, sizeof *u);
	free(u);
}
