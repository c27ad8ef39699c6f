/*
 * move.c - from one file to another: one of the two goes on, never both.
 *
 * T.tmp is durable before S ends, so that there always is one that can; S ends, durably, before
 * T.tmp is called T, so that there never are two.  What ended S says which file it was for, by
 * inode and birth time: only that one may become T.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

#define AGAIN	"; ask for the move again"

static int
failed(const struct dp_state *s, char *why)
{
	return dp_state_say(why, DP_EIO, s->at.path, "%s" AGAIN, strerror(errno));
}

/* True: T is there; else: DP_ESTATE if what is there is no copy of S. */
static int
check_target(const struct dp_state *s, struct dp_state *t, char *why)
{
	bool same;
	int e;

	if (dp_place_missing(&t->at))
		return 0;
	if ((t->fd.state = dp_place_open(&t->at, "", O_RDONLY, 0)) < 0)
		return dp_state_errno(why, t->at.path);
	e = dp_state_read(t, t->fd.state, t->at.path, why);
	same = e == 0 && t->read.n == s->read.n && memcmp(t->read.raw, s->read.raw, s->read.n) == 0;
	dp_state_shut(&t->fd.state);
	dp_state_forget(t);
	if (same)
		return 0;
	if (e != 0 && e != DP_ESTATE)
		return e;
	return dp_state_say(why, DP_ESTATE, t->at.path,
	    "exists already, and is no copy of the state");
}

/* T.tmp is the state from here on; give it its name, durably. */
static int
publish(const struct dp_state *s, const struct dp_state *t, char *why)
{
	if (dp_state_at(s, DP_AT_RENAME) != 0 || dp_place_rename(&t->at, ".tmp") != 0 ||
	    dp_state_at(s, DP_AT_SYNC_DIR) != 0 || fsync(t->at.dir) != 0)
		return failed(t, why);
	(void)dp_state_at(s, DP_AT_END);
	return 0;
}

static bool
is_target(const struct dp_state *s, const struct dp_state *t, const char *suffix)
{
	uint64_t inode, born;

	return dp_place_identity(&t->at, suffix, &inode, &born) == 0 &&
	    inode == s->form.to_inode && (s->form.to_born == 0 || born == s->form.to_born);
}

/* S has ended; who did it died, or is asked again. */
static int
finish(struct dp_state *s, const struct dp_state *t, char *why)
{
	int e;

	if (fsync(s->at.dir) != 0)
		return failed(s, why);
	if ((e = dp_state_put_witness(s, why)) != 0)
		return e;
	if (is_target(s, t, ""))
		return fsync(t->at.dir) != 0 ? failed(t, why) : 0;
	if (is_target(s, t, ".tmp"))
		return publish(s, t, why);
	return dp_state_say(why, DP_ESTATE, s->at.path, 
	    "was moved already; %.200s is not where, or has gone on since", t->at.path);
}

static int
begin(struct dp_state *s, struct dp_state *t, char *why)
{
	struct dp_stateform f = s->form, stub = s->form;
	int e, i;

	if ((e = check_target(s, t, why)) != 0)
		return e;
	if (dp_state_at(s, DP_AT_REDO) != 0 || fsync(s->fd.state) != 0 || fsync(s->at.dir) != 0)
		return failed(s, why);
	/* Witness of a dead run: one generation behind; behind a stub it is two, refused. */
	if ((e = dp_state_put_witness(s, why)) != 0)
		return e;
	f.generation++;
	if ((e = dp_annex_copy(s, t, &f, why)) == 0)
		e = dp_state_write_tmp(t, &f, why);
	if (e == 0 && (dp_state_at(s, DP_AT_SYNC_DIR) != 0 || fsync(t->at.dir) != 0))
		e = failed(t, why);
	stub.generation++;
	stub.moved = true;
	stub.to_inode = f.inode;
	stub.to_born = f.born;
	stub.body = stub.record = (struct dp_slice){ NULL, 0 };
	stub.settled = 0;
	for (i = 0; i < DP_ANNEXES; i++)
		dp_annex_drop(s, i, &stub);
	if (e == 0)
		e = dp_state_replace(s, &stub, why);
	if (!s->form.moved) {		/* S goes on */
		(void)dp_place_unlink(&t->at, ".tmp");
		(void)dp_annex_tidy(t);
	}
	if (e != 0 || (e = dp_state_put_witness(s, why)) != 0)
		return e;
	return publish(s, t, why);
}

int
dp_state_move(struct dp_state *s, const char *to, char why[static DP_STATE_WHY])
{
	struct dp_state *t;
	int e;

	why[0] = '\0';
	if (s->dead || s->ready || s->fd.lock < 0)
		return dp_state_say(why, DP_EINVAL, s->at.path, "move out of turn");
	s->dead = true;
	if ((t = dp_state_new()) == NULL)
		return dp_state_say(why, DP_ENOMEM, to, "out of memory");
	t->hook = s->hook;
	e = dp_state_places(t, &(struct dp_state_rule){ .path = to }, why);
	if (e == 0 && strcmp(t->at.name, s->at.name) == 0 && t->at.dev == s->at.dev &&
	    t->at.ino == s->at.ino)
		e = dp_state_say(why, DP_EINVAL, to, "is the state itself");
	if (e == 0 && (e = dp_state_take_lock(t, why)) == 0)
		e = s->form.moved ? finish(s, t, why) : begin(s, t, why);
	dp_state_free(t);
	return e;
}
