/*
 * session_users.c - the table of users in a state file: in the body while it is small, and then
 * beside it, where a commit costs what has changed.
 *
 * Beside it stand entries of 16 bytes, fingerprint and count, the later of two of one user holds:
 * the whole table in the order of fingerprints, and behind it what has changed since, sorted in
 * groups.  The table is written anew when the changes are more than it, and by the last commit of a
 * run, so that between runs the order says nothing about who came first; what a killed run leaves
 * does, to a group.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "session.h"

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

	if (r->kept.state == NULL || dp_cap_tables(r) != 1 || dp_cap_table(r, 0) != &r->cap.users)
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

void
dp_session_users_free(struct dp_run *r)
{
	if (r->cap.changes != NULL)
		sodium_memzero(r->cap.changes, sizeof *r->cap.changes);
	free(r->cap.changes);
}
