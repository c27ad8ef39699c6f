/*
 * cap.c - at most K events of one user: in the whole run, in each step (-c K/step), or in the whole
 * run and B steps apart (-c K/B).
 *
 * K/B looks at the steps of the user's own events alone, in the order of the input: an event counts
 * if it is B steps or more after the last one that counted.  One that is earlier than that, by a
 * time that is out of order, counts nowhere.
 *
 * What counts for a step is where an event is counted, which a late one's time does not tell.  The
 * few buckets that are open by the clock, or by event times, have a table each, which goes when the
 * bucket closes.  Those from --from to --to are all open until the input ends, and many: they share
 * one table, of users and bucket together; so do all with --check.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "ask/relation.h"
#include "session.h"

static bool
has_rows(const struct dp_run *r)
{
	return r->o->users.per_step && r->o->time.steps != DP_BY_RANGE && !r->o->print.check;
}

int
dp_cap_begin(struct dp_run *r)
{
	if (!has_rows(r))
		return dp_users_new(&r->cap.users, r->cap.key, r->cap.most);
	r->cap.row = calloc(r->ring.n, sizeof *r->cap.row);
	return r->cap.row != NULL ? 0 : DP_ENOMEM;
}

size_t
dp_cap_tables(const struct dp_run *r)
{
	if (r->cap.most == 0)
		return 0;
	if (has_rows(r))
		return r->ring.n;
	/* no bucket of a range stays open from run to run */
	return r->o->users.per_step ? 0 : 1;
}

struct dp_users **
dp_cap_table(struct dp_run *r, size_t i)
{
	return has_rows(r) ? &r->cap.row[i] : &r->cap.users;
}

/* Why an event does not count, for --check. */
static const char over[] = "its user has had as many events as --per-user allows";
static const char soon[] = "too soon after its user's last event that counted, or earlier "
    "(--per-user=K/B)";

static int
admit_spaced(struct dp_run *r, size_t row, const struct dp_mark *m)
{
	const uint64_t gap = r->o->time.steps == DP_BY_RANGE ? r->ring.gap : 0;
	const uint64_t step = r->t + gap + row + 1;

	if (step > dp_options_spaced_steps(r->o))	/* lines are read ahead of the horizon */
		return 0;
	return dp_users_admit_spaced(r->cap.users, m, (uint32_t)r->o->users.most,
	    r->o->users.spacing, step);
}

/* The user has one allowance for the whole run. */
static int
admit_once(struct dp_run *r, size_t row, const struct dp_mark *m)
{
	return r->o->users.spacing != 0 ? admit_spaced(r, row, m) :
	    dp_users_admit(r->cap.users, m);
}

static int
admit(struct dp_users *u, struct dp_slice user)
{
	struct dp_mark m;

	dp_users_mark(u, user, &m);
	return dp_users_admit(u, &m);
}

/* A user in a bucket, as one name: the hash of his, and the bucket's place. */
static int
admit_in_range(struct dp_run *r, size_t row, struct dp_slice user)
{
	unsigned char name[crypto_shorthash_siphashx24_BYTES + sizeof(uint64_t)];
	const uint64_t place = htole64(row);

	crypto_shorthash_siphashx24(name,
	    (const unsigned char *)(user.p == NULL ? "" : user.p), user.n, r->cap.key);
	memcpy(name + crypto_shorthash_siphashx24_BYTES, &place, sizeof place);
	return admit(r->cap.users, (struct dp_slice){ (const char *)name, sizeof name });
}

static int
admit_in_row(struct dp_run *r, size_t row, struct dp_slice user)
{
	struct dp_users **u = &r->cap.row[row];
	int e;

	if (*u == NULL && (e = dp_users_new(u, r->cap.key, r->cap.most)) != 0)
		return e;
	return admit(*u, user);
}

/* Whether the event's user has an allowance.  Partial counts: dpmap let so many through. */
static bool
has_cap(const struct dp_run *r, const struct dp_event *v)
{
	return r->o->users.most != 0 && r->in.partial == NULL && v->counts && v->value != 0;
}

void
dp_cap_expect(const struct dp_run *r, struct dp_event *v)
{
	if ((v->known.set = has_cap(r, v) && !r->o->users.per_step))
		dp_users_mark(r->cap.users, v->user, &v->known.mark);
}

int
dp_cap_admit(struct dp_run *r, size_t row, struct dp_event *v)
{
	int e;

	if (!has_cap(r, v))
		return 0;
	if (!r->o->users.per_step && !v->known.set)
		dp_users_mark(r->cap.users, v->user, &v->known.mark);
	e = !r->o->users.per_step ? admit_once(r, row, &v->known.mark) :
	    has_rows(r) ? admit_in_row(r, row, v->user) : admit_in_range(r, row, v->user);
	if (e == 1 || e < 0)
		return e < 0 ? e : 0;
	v->value = 0;
	v->none = e == 0 ? over : soon;
	return 0;
}

void
dp_cap_close(struct dp_run *r)
{
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
	dp_users_free(r->cap.users);
	for (i = 0; r->cap.row != NULL && i < r->ring.n; i++)
		dp_users_free(r->cap.row[i]);
	free(r->cap.row);
}
