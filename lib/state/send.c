/*
 * send.c - the protocol: settle, replace, witness, emit.
 *
 * A process may die between any two effects here, and each of them may fail;
 * t_statekill.c does both, wherever at() stands.  The order is the whole point:
 * nothing is let out before it is durable in S, and S does not drop it before
 * it is durable where it went.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

static int
fill_tmp(struct dp_state *s, struct dp_stateform *f, char *why)
{
	int e;

	/* A strange umask must not lock us out of our own state. */
	if (fchmod(s->fd.tmp, 0600) != 0 ||
	    dp_state_identity(s->fd.tmp, "", &f->inode, &f->born) != 0)
		return dp_state_failed(why, s->at.path, DP_STATE_STANDS);
	if ((e = dp_stateform_write(f, &s->image)) != 0)
		return dp_state_say(why, e, s->at.path, "out of memory; "
		    DP_STATE_STANDS);
	if (dp_state_at(s, DP_AT_WRITE) != 0 ||
	    dp_state_put(s, s->fd.tmp, s->image.p, s->image.n, 0) != 0 ||
	    dp_state_at(s, DP_AT_SYNC) != 0 || fsync(s->fd.tmp) != 0)
		return dp_state_failed(why, s->at.path, DP_STATE_STANDS);
	return 0;
}

int
dp_state_write_tmp(struct dp_state *s, struct dp_stateform *f, char *why)
{
	if (dp_place_unlink(&s->at, ".tmp") != 0 ||
	    dp_state_at(s, DP_AT_CREATE) != 0 ||
	    (s->fd.tmp = dp_place_open(&s->at, ".tmp", O_WRONLY | O_CREAT |
	    O_EXCL, 0600)) < 0)
		return dp_state_failed(why, s->at.path, DP_STATE_STANDS);
	return fill_tmp(s, f, why);
}

int
dp_state_too_large(const char *path, char *why)
{
	return dp_state_say(why, DP_ERANGE, path,
	    "would become too large for a state file; " DP_STATE_STANDS);
}

/* A state that open would refuse is not written. */
static bool
fits(const struct dp_stateform *f)
{
	size_t left = DP_STATE_ROOM;

	return !__builtin_sub_overflow(left, f->head.n, &left) &&
	    !__builtin_sub_overflow(left, f->body.n, &left) &&
	    !__builtin_sub_overflow(left, f->record.n, &left);
}

/* Time between the look and the rename is enough for an attack, not for a mishap. */
static int
install(struct dp_state *s, char *why)
{
	int e;

	if (dp_state_at(s, DP_AT_RENAME) != 0)
		return dp_state_failed(why, s->at.path, DP_STATE_STANDS);
	if ((e = dp_state_ours(s, why)) != 0)
		return e;
	if (dp_place_rename(&s->at, ".tmp") != 0)
		return dp_state_failed(why, s->at.path, DP_STATE_STANDS);
	return 0;
}

int
dp_state_replace(struct dp_state *s, struct dp_stateform *next, char *why)
{
	int e, saved;

	if (!fits(next))
		return dp_state_too_large(s->at.path, why);
	/* S.tmp may otherwise be another run's. */
	if ((e = dp_state_ours(s, why)) != 0)
		return e;
	dp_state_shut(&s->fd.room[s->form.generation == 0 ? 0 : 1]);
	if ((e = dp_state_write_tmp(s, next, why)) == 0)
		e = install(s, why);
	saved = errno;
	dp_state_shut(&s->fd.tmp);
	dp_buf_reset(&s->image);
	if (e != 0) {
		(void)dp_place_unlink(&s->at, ".tmp");
		errno = saved;
		return e;
	}
	s->form = *next;
	s->extended = false;
	dp_state_forget(s);
	if (dp_state_at(s, DP_AT_SYNC_DIR) != 0 || fsync(s->at.dir) != 0)
		return dp_state_failed(why, s->at.path, DP_STATE_HELD);
	if (s->untidy)		/* what is left over is in nobody's way: the next run tries again */
		(void)dp_annex_tidy(s);
	return 0;
}

int
dp_state_put_witness(struct dp_state *s, char *why)
{
	char line[DP_STATE_WITNESS + 1];

	if (s->fd.witness < 0)
		return 0;
	dp_state_witness_line(&s->form, line);
	if (dp_state_at(s, DP_AT_WITNESS) != 0 ||
	    dp_state_put(s, s->fd.witness, line, DP_STATE_WITNESS, 0) != 0 ||
	    fdatasync(s->fd.witness) != 0)
		return dp_state_failed(why, s->witness_at.path, DP_STATE_HELD);
	return 0;
}

/*
 * The tail: what a dead run may have written to --out, and a run without --out
 * has let out instead.  The next one with --out cuts it off, and the commit
 * after that forgets it.
 */
static int
redo_tail(struct dp_state *s, char *why)
{
	struct dp_stateform *f = &s->form;
	const uint64_t owed = dp_stateform_owed(f);

	if (s->fd.out < 0) {
		f->tail = owed > f->tail ? owed : f->tail;
		return 0;
	}
	if (f->tail == 0)
		return 0;
	if (dp_state_at(s, DP_AT_CUT) != 0 || ftruncate(s->fd.out, (off_t)f->outlen) != 0)
		return dp_state_failed(why, dp_state_sink(s), DP_STATE_HELD);
	return 0;
}

/* The one after this: what was let out is owed no longer. */
static struct dp_stateform
successor(const struct dp_state *s)
{
	struct dp_stateform f = s->form;

	f.generation++;
	if (s->fd.out >= 0) {
		f.outlen += dp_stateform_owed(&f);
		f.tail = 0;
	}
	if (!s->stalled)
		f.settled = dp_stateform_recorded(&f);
	return f;
}

/*
 * The run may end without a commit of its own (its batch was complete, it is refused): the next
 * one would print again what this one has.
 */
static int
settle_redone(struct dp_state *s, char *why)
{
	struct dp_stateform next;
	int e;

	if (dp_stateform_owed(&s->form) == 0)
		return 0;
	next = successor(s);
	if ((e = dp_state_settle(s, why)) != 0 || (e = dp_state_replace(s, &next, why)) != 0)
		return e;
	return dp_state_put_witness(s, why);
}

int
dp_state_redo(struct dp_state *s, bool again, char why[static DP_STATE_WHY])
{
	int e;

	why[0] = '\0';
	if (s->dead || s->fd.lock < 0 || (s->ready && again))
		return dp_state_say(why, DP_EINVAL, s->at.path,
		    "redo out of turn");
	if (s->ready)
		return 0;
	if (again && !s->form.kept)
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "the output of the last batch is no longer kept: steps "
		    "were taken outside it since");
	s->dead = true;
	if ((again || s->form.settled < s->form.annex[DP_ANNEX_OLD].n) &&
	    (e = dp_annex_open(s, DP_ANNEX_OLD, NULL, NULL, why)) != 0)
		return e;
	if (dp_state_at(s, DP_AT_REDO) != 0 || fsync(s->fd.state) != 0 ||
	    fsync(s->at.dir) != 0)
		return dp_state_failed(why, s->at.path, DP_STATE_HELD);
	if ((e = dp_state_put_witness(s, why)) != 0 ||
	    (e = redo_tail(s, why)) != 0 ||
	    (e = dp_state_emit(s, again && s->fd.out < 0 ? 0 : s->form.settled, why)) != 0)
		return e;
	if (s->stalled) {
		errno = EINTR;
		return dp_state_failed(why, dp_state_sink(s), DP_STATE_HELD);
	}
	if ((e = settle_redone(s, why)) != 0)
		return e;
	(void)dp_state_at(s, DP_AT_END);
	dp_state_shut(&s->fd.state);
	s->dead = false;
	s->ready = true;
	return 0;
}

/* True: the next record is a new one, or what S holds and more. */
static bool
begins(const struct dp_state *s)
{
	return !s->stalled && (s->next_batch[0] != '\0' || !s->rule.keep);
}

/* More of the next record can be added beside S, where what S itself holds of it goes first. */
static int
extend(struct dp_state *s, char *why)
{
	int e;

	if (s->extended)
		return 0;
	s->extended = true;
	if (begins(s) || s->form.annex[DP_ANNEX_OLD].n == 0)
		e = dp_annex_make(s, DP_ANNEX_OLD, why);
	else
		e = dp_annex_open(s, DP_ANNEX_OLD, NULL, NULL, why);
	if (e != 0 || begins(s))
		return e;
	return dp_annex_add(s, DP_ANNEX_OLD, s->record.p, s->record.n, why);
}

/* The record that the next commit makes durable, and all that goes with it. */
static int
collect(struct dp_state *s, struct dp_stateform *next, const char *out,
    size_t n, char *why)
{
	struct dp_stateform *f = &s->form;
	int e;

	*next = successor(s);
	if (s->next_batch[0] != '\0')
		strcpy(next->batch, s->next_batch);
	next->kept = s->rule.keep;
	if (!begins(s) && s->record.n > 0 && s->record.n + n > DP_STATE_INLINE &&
	    (e = extend(s, why)) != 0)
		return e;
	if (begins(s)) {
		next->settled = 0;
		if (!s->extended)
			dp_annex_drop(s, DP_ANNEX_OLD, next);
	}
	if (begins(s) || s->extended)
		dp_buf_reset(&s->record);
	f->record = (struct dp_slice){ NULL, 0 };	/* may move */
	f->settled = 0;
	if (n > 0)
		dp_buf_add(&s->record, out, n);
	next->record = (struct dp_slice){ s->record.p, s->record.n };
	if (s->record.error != 0)
		return dp_state_say(why, DP_ENOMEM, s->at.path, "out of memory; " DP_STATE_STANDS);
	return dp_annex_sync(s, next, why);
}

static bool
may_commit(const struct dp_state *s, const char *out, size_t n)
{
	if (!s->ready || (n > 0 && out[n - 1] != '\n'))
		return false;
	return !s->rule.keep || s->form.kept || s->next_batch[0] != '\0';
}

/* The caller may commit, or add to what it will; if not, why. */
static int
check_turn(const struct dp_state *s, const char *out, size_t n, char *why)
{
	why[0] = '\0';
	if (s->dead) {
		errno = EIO;
		return dp_state_say(why, DP_EIO, s->at.path,
		    "an earlier failure has ended this run");
	}
	if (!may_commit(s, out, n))
		return dp_state_say(why, DP_EINVAL, s->at.path,
		    "commit out of turn");
	return 0;
}

int
dp_state_stage(struct dp_state *s, const char *out, size_t n, char why[static DP_STATE_WHY])
{
	int e;

	if ((e = check_turn(s, out, n, why)) != 0)
		return e;
	s->dead = true;
	if ((e = extend(s, why)) != 0 || (e = dp_annex_add(s, DP_ANNEX_OLD, out, n, why)) != 0)
		return e;
	s->dead = false;
	return 0;
}

uint64_t
dp_state_table(const struct dp_state *s)
{
	return s->form.annex[DP_ANNEX_TABLE].n;
}

int
dp_state_table_read(struct dp_state *s, int (*take)(void *, const char *, size_t), void *arg,
    char why[static DP_STATE_WHY])
{
	why[0] = '\0';
	return dp_annex_open(s, DP_ANNEX_TABLE, take, arg, why);
}

int
dp_state_table_begin(struct dp_state *s, char why[static DP_STATE_WHY])
{
	int e;

	if ((e = check_turn(s, NULL, 0, why)) != 0)
		return e;
	s->dead = true;
	if ((e = dp_annex_make(s, DP_ANNEX_TABLE, why)) != 0)
		return e;
	s->dead = false;
	return 0;
}

int
dp_state_table_add(struct dp_state *s, const char *p, size_t n, char why[static DP_STATE_WHY])
{
	int e;

	if ((e = check_turn(s, NULL, 0, why)) != 0)
		return e;
	if (s->annex[DP_ANNEX_TABLE].fd < 0)
		return dp_state_say(why, DP_EINVAL, s->at.path, "no table to add to");
	s->dead = true;
	if ((e = dp_annex_add(s, DP_ANNEX_TABLE, p, n, why)) != 0)
		return e;
	s->dead = false;
	return 0;
}

int
dp_state_commit(struct dp_state *s, const struct dp_buf *body,
    const char *out, size_t n, char why[static DP_STATE_WHY])
{
	struct dp_stateform next;
	int e;

	if ((e = check_turn(s, out, n, why)) != 0)
		return e;
	s->dead = true;		/* until all of it has worked */
	if (body->error != 0)
		return dp_state_say(why, DP_ENOMEM, s->at.path,
		    "out of memory; " DP_STATE_STANDS);
	if ((e = dp_state_settle(s, why)) != 0)
		return e;
	if ((e = collect(s, &next, out, n, why)) != 0)
		return e;
	next.body = (struct dp_slice){ body->p, body->n };
	if ((e = dp_state_replace(s, &next, why)) != 0 ||
	    (e = dp_state_put_witness(s, why)) != 0 ||
	    (e = dp_state_emit(s, s->form.settled, why)) != 0)
		return e;
	(void)dp_state_at(s, DP_AT_END);
	s->next_batch[0] = '\0';
	s->dead = false;
	return 0;
}
