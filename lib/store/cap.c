/* SPDX-License-Identifier: ISC */
/* cap.c - at most K events of one user, and the table of users in a state file. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/event.h"
#include "internal.h"

static void dp_session_users_free(struct dp_run *);

/*
 * At most K events of one user: in the whole run, in each step (-c K/step), or in the whole
 * run and B steps apart (-c K/B).
 *
 * K/B looks at the steps of the user's own events alone, in the order of the input: an event counts
 * if it is B steps or more after the last one that counted.  One that is earlier than that, by a
 * time that is out of order, counts nowhere.
 *
 * --dropped: K + D events of a user are admitted.  The first K count, and of the next D the term is
 * that of an event left out (stat/dropped.h).  Which of them an event is follows from its user's
 * own events, of its step alone, in the order of the input.
 *
 * What counts for a step is where an event is counted, which a late one's time does not tell.  The
 * few buckets that are open by the clock, or by event times, have a table each, which goes when the
 * bucket closes.  Those from --from to --to are all open until the input ends, and many: they share
 * one table, of users and bucket together; so do all with --check.
 *
 * Identifiers of each key (o->id.keyed) have such tables besides the one of stamps, which is of an
 * identifier and a key: an event that is admitted is the first of both in its bucket.
 */

static bool
has_rows(const struct dp_run *r)
{
	return r->o->users.per_step && r->o->time.steps != DP_BY_RANGE && !r->o->print.check;
}

int
dp_cap_begin(struct dp_run *r)
{
	int e = dp_fold_begin(r);

	if (e != 0 || dp_options_lone(r->o, r->tool))
		return e;
	if ((r->cap.tabled || !has_rows(r)) &&
	    (e = dp_users_new(&r->cap.users, r->cap.key, r->cap.most)) != 0)
		return e;
	if (!has_rows(r))
		return r->cap.tabled && r->o->id.keyed ?
		    dp_users_new(&r->cap.range, r->cap.key, r->o->users.most) : 0;
	r->cap.row = calloc(r->ring.n, sizeof *r->cap.row);
	return r->cap.row != NULL ? 0 : DP_ENOMEM;
}

size_t
dp_cap_tables(const struct dp_run *r)
{
	if (r->cap.most == 0 || dp_options_lone(r->o, r->tool))
		return 0;
	if (has_rows(r))
		return r->ring.n + r->cap.tabled;
	/* no bucket of a range stays open from run to run */
	return r->o->users.per_step && !r->cap.tabled ? 0 : 1;
}

struct dp_users **
dp_cap_table(struct dp_run *r, size_t i)
{
	if (r->cap.tabled)
		return i == 0 ? &r->cap.users : &r->cap.row[i - 1];
	return has_rows(r) ? &r->cap.row[i] : &r->cap.users;
}

uint64_t
dp_cap_most(const struct dp_run *r, size_t i)
{
	return i > 0 && r->cap.tabled ? r->o->users.most : r->cap.most;
}

/* Reason why an event does not count, for --check. */
static const char beyond[] = "its user has had as many events as --per-user and --dropped allow";
static const char over[] = "its user has had as many events as --per-user allows";
static const char named[] = "its user has counted for this name, or for as many as --per-user "
    "allows";
static const char soon[] = "too soon after its user's last event that counted, or earlier "
    "(--per-user=K/B)";

uint64_t
dp_cap_step(const struct dp_run *r, size_t row)
{
	const uint64_t gap = r->o->time.steps == DP_BY_RANGE ? r->ring.gap : 0;

	return r->t + gap + row + 1;
}

static int
admit_spaced(struct dp_run *r, size_t row, const struct dp_mark *m)
{
	const uint64_t step = dp_cap_step(r, row);

	if (step > dp_options_spaced_steps(r->o))	/* lines are read ahead of the horizon */
		return 0;
	if (r->o->users.retention != 0)
		return dp_users_admit_since(r->cap.users, m, (uint32_t)r->o->users.most, step);
	return dp_users_admit_spaced(r->cap.users, m, (uint32_t)r->o->users.most,
	    r->o->users.spacing, step);
}

#define LEFT_OUT	3	/* admitted, as one of those that -c leaves out */

static int
admit_mark(const struct dp_run *r, struct dp_users *u, const struct dp_mark *m)
{
	const int e = dp_users_admit(u, m);

	return e == 1 && r->o->users.dropped != 0 && dp_users_number(u, m) > r->o->users.most ?
	    LEFT_OUT : e;
}

/* The user has one allowance for the whole run. */
static int
admit_once(struct dp_run *r, size_t row, const struct dp_mark *m)
{
	return r->o->users.spacing != 0 || r->o->users.retention != 0 ? admit_spaced(r, row, m) :
	    admit_mark(r, r->cap.users, m);
}

static int
admit(const struct dp_run *r, struct dp_users *u, struct dp_slice user)
{
	struct dp_mark m;

	dp_users_mark(u, user, &m);
	return admit_mark(r, u, &m);
}

/* A user with something else, as one name that nobody can give: the hash of his, and that. */
#define HASH	crypto_shorthash_siphashx24_BYTES
#define PAIR	(HASH + sizeof(uint64_t) + DP_KEY_MAX)

static struct dp_slice
pair(const struct dp_run *r, struct dp_slice user, const void *p, size_t n,
    unsigned char name[static PAIR])
{
	crypto_shorthash_siphashx24(name,
	    (const unsigned char *)(user.p == NULL ? "" : user.p), user.n, r->cap.key);
	memcpy(name + HASH, p, n);
	return (struct dp_slice){ (const char *)name, HASH + n };
}

/*
 * Of a user's events with one name the first alone.  What stands for that in the user's table is
 * the user and the name.
 */
static int
admit_name(struct dp_run *r, struct dp_users *u, struct dp_slice user, struct dp_slice name)
{
	unsigned char text[PAIR];
	const struct dp_slice both = pair(r, user, name.p, name.n, text);
	int e;

	if (dp_users_stamp(u, both) != 0)
		return 0;
	if ((e = admit(r, u, user)) <= 0)
		return e;
	return admit(r, u, both);
}

/* The event's user, by that name or with something else. */
static int
admit_in(struct dp_run *r, struct dp_users *u, struct dp_slice user, const struct dp_event *v)
{
	const uint64_t column = htole64(v->column);

	if (!r->o->users.once)
		return admit(r, u, user);
	/* a declared key is its column, which --other has for many */
	return admit_name(r, u, user, r->tool->shape == DP_SHAPE_NAME ? v->text :
	    (struct dp_slice){ (const char *)&column, sizeof column });
}

/* A user in a bucket: with the bucket's place. */
static int
admit_in_range(struct dp_run *r, size_t row, const struct dp_event *v)
{
	const uint64_t place = htole64(row);
	unsigned char text[PAIR];

	return admit_in(r, r->cap.tabled ? r->cap.range : r->cap.users,
	    pair(r, v->user, &place, sizeof place, text), v);
}

static int
admit_in_row(struct dp_run *r, size_t row, const struct dp_event *v)
{
	struct dp_users **u = &r->cap.row[row];
	int e;

	if (*u == NULL && (e = dp_users_new(u, r->cap.key, dp_cap_most(r, row + 1))) != 0)
		return e;
	return admit_in(r, *u, v->user, v);
}

void
dp_cap_id(const struct dp_run *r, const struct dp_event *v, struct dp_id *id)
{
	unsigned char hash[HASH];

	crypto_shorthash_siphashx24(hash,
	    (const unsigned char *)(v->user.p == NULL ? "" : v->user.p), v->user.n, r->cap.key);
	memcpy(id->word, hash, sizeof id->word);
	id->sign = 1;
	id->column = (uint32_t)v->column;
}

/* Of --each-user: what is charged is a step, or a key in it. */
int
dp_cap_charge(struct dp_run *r, size_t row, const struct dp_mark *user)
{
	const uint64_t word[] = { htole64(user->hi), htole64(user->lo), htole64(row) };
	struct dp_users **u = has_rows(r) ? &r->cap.row[row] : &r->cap.users;
	struct dp_mark m = *user;
	int e;

	if (!r->o->users.per_step)
		return admit_once(r, row, user);
	if (*u == NULL && (e = dp_users_new(u, r->cap.key, r->cap.most)) != 0)
		return e;
	if (!has_rows(r))		/* the user in that bucket */
		dp_users_hash(r->cap.key, (struct dp_slice){ (const char *)word, sizeof word },
		    &m);
	return dp_users_admit(*u, &m);
}

/* True: the event's user has an allowance.  Partial counts: dpmap let so many through. */
static bool
has_cap(const struct dp_run *r, const struct dp_event *v)
{
	return r->o->users.most != 0 && r->in.partial == NULL && v->counts && v->value != 0;
}

void
dp_cap_expect(const struct dp_run *r, struct dp_event *v)
{
	if ((v->known.set = has_cap(r, v) && !r->o->users.per_step && !r->o->users.once))
		dp_users_mark(r->cap.users, v->user, &v->known.mark);
}

static int
admit_event(struct dp_run *r, size_t row, const struct dp_event *v)
{
	return has_rows(r) ? admit_in_row(r, row, v) :
	    r->o->users.per_step ? admit_in_range(r, row, v) :
	    r->o->users.once ? admit_in(r, r->cap.users, v->user, v) :
	    admit_once(r, row, &v->known.mark);
}

/* -k A[]: each key of the event is charged, and those stay that the allowance has room for. */
static int
admit_elements(struct dp_run *r, size_t row, struct dp_event *v)
{
	size_t i, n = 0;
	int e;

	for (i = 0; i < v->nterms; i++) {
		v->column = v->term[i].place;
		if ((e = admit_event(r, row, v)) < 0)
			return e;
		if (e == 1)
			dp_events_stays(r->in.events, i, n++);
	}
	v->nterms = n;
	return n != 0;
}

int
dp_cap_admit(struct dp_run *r, size_t row, struct dp_event *v)
{
	int e;

	if (!has_cap(r, v))
		return 0;
	if (!r->o->users.per_step && !r->o->users.once && !v->known.set)
		dp_users_mark(r->cap.users, v->user, &v->known.mark);
	e = r->o->keys.each ? admit_elements(r, row, v) : admit_event(r, row, v);
	if (e == 1 || e < 0)
		return e < 0 ? e : 0;
	if (e == LEFT_OUT) {
		r->tool->adds->beyond(r->o, &r->cap.beyond);
		v->term = &r->cap.beyond;
		v->nterms = 1;
		v->none = over;
		return 0;
	}
	v->value = 0;
	v->none = e != 0 ? soon : r->o->users.once ? named :
	    r->o->users.dropped != 0 ? beyond : over;
	return 0;
}

void
dp_cap_close(struct dp_run *r)
{
	dp_fold_close(r);
	if (r->cap.row == NULL)
		return;
	dp_users_free(r->cap.row[0]);
	memmove(r->cap.row, r->cap.row + 1, (r->ring.n - 1) * sizeof *r->cap.row);
	r->cap.row[r->ring.n - 1] = NULL;
}

void
dp_cap_free(struct dp_run *r)
{
	size_t i;

	dp_session_users_free(r);
	dp_fold_free(r);
	dp_users_free(r->cap.users);
	dp_users_free(r->cap.range);
	for (i = 0; r->cap.row != NULL && i < r->ring.n; i++)
		dp_users_free(r->cap.row[i]);
	free(r->cap.row);
}

/*
 * The table of users in a state file: in the body while it is small, and then
 * beside it, where a commit costs what has changed.
 *
 * Beside it stand entries of 16 bytes, fingerprint and count, the later of two of one user holds:
 * the whole table in the order of fingerprints, and behind it what has changed since, sorted in
 * groups.  The table is written anew when the changes are more than it, and by the last commit of a
 * run, so that between runs the order says nothing about who came first; what a killed run leaves
 * does, to a group.
 */

#define SMALL	1024	/* users that stand in the body */
#define GROUP	4096
#define ENTRY	16	/* bytes */

struct change {
	uint64_t hi;
	uint32_t lo, n;
};

struct dp_changes {
	struct dp_run *r;
	size_t n;
	uint64_t written;	/* entries beside the state */
	uint64_t whole;		/* of them, those of a whole table */
	struct change change[GROUP];
	char text[GROUP * ENTRY];
};

static int
by_user(const void *a, const void *b)
{
	const struct change *p = a, *q = b;

	if (p->hi != q->hi)
		return p->hi < q->hi ? -1 : 1;
	if (p->lo != q->lo)
		return p->lo < q->lo ? -1 : 1;
	return (p->n > q->n) - (p->n < q->n);	/* counts and stamps only grow */
}

static bool
same_user(const struct change *p, const struct change *q)
{
	return p->hi == q->hi && p->lo == q->lo;
}

/* The group, of each user the last entry, beside the state. */
static void
flush(struct dp_changes *c)
{
	char why[DP_STATE_WHY] = "", *p = c->text;
	const struct change *x = c->change, *end = x + c->n;
	uint64_t hi;
	uint32_t low[2];
	int e;

	for (; x < end; x++) {
		if (x + 1 < end && same_user(x, x + 1))
			continue;
		hi = htole64(x->hi);
		low[0] = htole32(x->lo);
		low[1] = htole32(x->n);
		memcpy(p, &hi, sizeof hi);
		memcpy(p + sizeof hi, low, sizeof low);
		p += ENTRY;
		c->written++;
	}
	if ((e = dp_state_table_add(c->r->kept.state, c->text, (size_t)(p - c->text), why)) != 0)
		dp_session_fail(c->r, e, why);
	c->n = 0;
}

static void
flush_changes(struct dp_changes *c)
{
	qsort(c->change, c->n, sizeof *c->change, by_user);
	flush(c);
}

static void
changed(void *arg, uint64_t hi, uint32_t lo, uint32_t n)
{
	struct dp_changes *c = arg;

	c->change[c->n++] = (struct change){ hi, lo, n };
	if (c->n == GROUP)
		flush_changes(c);
}

static void
write_whole(struct dp_changes *c)
{
	char why[DP_STATE_WHY] = "";
	struct change *x;
	size_t i = 0;
	int e;

	if ((e = dp_state_table_begin(c->r->kept.state, why)) != 0)
		dp_session_fail(c->r, e, why);
	c->n = 0;		/* the table has these changes */
	c->written = 0;
	for (x = c->change; dp_users_each(c->r->cap.users, &i, &x->hi, &x->lo, &x->n);
	    x = c->change + c->n)
		if (++c->n == GROUP)
			flush(c);
	flush(c);
	c->whole = c->written;
}

static void
follow(struct dp_run *r)
{
	if ((r->cap.changes = calloc(1, sizeof *r->cap.changes)) == NULL)
		dp_run_fail(r, DP_ENOMEM);
	r->cap.changes->r = r;
	dp_users_follow(r->cap.users, changed, r->cap.changes);
}

bool
dp_session_users_beside(struct dp_run *r)
{
	struct dp_changes *c = r->cap.changes;

	if (r->kept.state == NULL || dp_cap_tables(r) == 0 || dp_cap_table(r, 0) != &r->cap.users)
		return false;
	if (c == NULL && dp_users_count(r->cap.users) <= SMALL)
		return false;
	if (c == NULL) {
		follow(r);
		write_whole(r->cap.changes);
		return true;
	}
	flush_changes(c);
	if (c->written > c->whole && (r->kept.ending || c->written / 2 > c->whole + SMALL))
		write_whole(c);
	return true;
}

/* Entries as they are read, in pieces that may end within one. */
struct loading {
	struct dp_users *users;
	uint64_t read;
	size_t n;		/* bytes of an entry that is not whole yet */
	char part[ENTRY];
};

static int
load(void *arg, const char *p, size_t n)
{
	struct loading *l = arg;
	uint64_t hi;
	uint32_t low[2];
	size_t k;
	int e;

	for (; n > 0; p += k, n -= k) {
		k = n < ENTRY - l->n ? n : ENTRY - l->n;
		memcpy(l->part + l->n, p, k);
		if ((l->n += k) < ENTRY)
			continue;
		memcpy(&hi, l->part, sizeof hi);
		memcpy(low, l->part + sizeof hi, sizeof low);
		e = dp_users_set(l->users, le64toh(hi), le32toh(low[0]), le32toh(low[1]));
		if (e != 0)
			return e == DP_EINVAL ? DP_ESTATE : e;
		l->n = 0;
		l->read++;
	}
	return 0;
}

bool
dp_session_users_load(struct dp_run *r, uint64_t count)
{
	char why[DP_STATE_WHY] = "";
	struct loading l = { .users = r->cap.users };
	int e;

	if ((e = dp_state_table_read(r->kept.state, load, &l, why)) != 0)
		dp_session_fail(r, e, why);
	sodium_memzero(l.part, sizeof l.part);
	follow(r);
	r->cap.changes->written = l.read;
	r->cap.changes->whole = dp_users_count(r->cap.users);
	return l.n == 0 && dp_users_count(r->cap.users) == count;
}

/* Loads the table beside the state into the empty r->cap.users; false: its size is not count. */
static void
dp_session_users_free(struct dp_run *r)
{
	if (r->cap.changes != NULL)
		sodium_memzero(r->cap.changes, sizeof *r->cap.changes);
	free(r->cap.changes);
}
