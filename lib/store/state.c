/* SPDX-License-Identifier: ISC */
/* state.c - draw, commit, print: a state's generations. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

static int dp_state_too_large(const char *path, char *why);
static void dp_state_witness_line(const struct dp_stateform *, char line[static DP_STATE_WITNESS +
    1]);
static int dp_state_open_witness(struct dp_state *, bool create, char *why)
	    DP_MUSTUSE;
static int dp_state_failed(char *why, const char *path, const char *then);
static const char *dp_state_sink(const struct dp_state *);
static int dp_state_put(const struct dp_state *, int fd, const char *, size_t,
    off_t off) DP_MUSTUSE;
static int dp_state_emit(struct dp_state *, uint64_t from, char *why) DP_MUSTUSE;
static int dp_annex_open(struct dp_state *, int i, int (*take)(void *, const char *, size_t),
	    void *arg, char *why) DP_MUSTUSE;
static int dp_annex_make(struct dp_state *, int i, char *why) DP_MUSTUSE;
static int dp_annex_add(struct dp_state *, int i, const char *, size_t, char *why) DP_MUSTUSE;
static void dp_annex_drop(struct dp_state *, int i, struct dp_stateform *next);
static int dp_annex_sync(struct dp_state *, struct dp_stateform *next, char *why) DP_MUSTUSE;
static int dp_annex_tidy(struct dp_state *);
static ssize_t dp_annex_read(const struct dp_state *, int i, char *, size_t n, uint64_t from);

/*
 * Making, opening and looking at a state; the protocol itself is in
 * state.c, the checks on files in file.c.
 */

#define LINES	1024		/* bytes of the form's own lines */

struct dp_state *
dp_state_new(void)
{
	/* libsodium's hashes in it are aligned further than malloc(3) does */
	struct dp_state *s = aligned_alloc(_Alignof(struct dp_state), sizeof *s);
	int i;

	if (s == NULL)
		return NULL;
	memset(s, 0, sizeof *s);
	for (i = 0; i < DP_ANNEXES; i++)
		s->annex[i].fd = -1;
	s->fd = (struct dp_state_fds){ -1, -1, -1, -1, -1, { -1, -1 } };
	s->at.dir = s->out_at.dir = s->witness_at.dir = -1;
	return s;
}

void
dp_state_free(struct dp_state *s)
{
	int i, saved = errno;

	if (s == NULL)
		return;
	for (i = 0; i < DP_ANNEXES; i++)
		dp_state_shut(&s->annex[i].fd);
	dp_state_forget(s);
	dp_buf_free(&s->record);
	dp_buf_free(&s->image);
	free(s->read.head);
	dp_place_clear(&s->at);
	dp_place_clear(&s->out_at);
	dp_place_clear(&s->witness_at);
	dp_state_shut(&s->fd.state);
	dp_state_shut(&s->fd.tmp);
	dp_state_shut(&s->fd.room[0]);
	dp_state_shut(&s->fd.room[1]);
	dp_state_shut(&s->fd.out);
	dp_state_shut(&s->fd.witness);
	dp_state_shut(&s->fd.lock);		/* last: the next run may begin now */
	explicit_bzero(s, sizeof *s);
	free(s);
	errno = saved;
}

/* A folder is no --out, which its name alone tells, before there is a lock. */
static int
check_new_out(const struct dp_state *s, char *why)
{
	const struct dp_place *out = &s->out_at;
	struct stat st;

	if (out->path == NULL || fstatat(out->dir, out->name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    !S_ISDIR(st.st_mode))
		return 0;
	errno = EISDIR;
	return dp_state_errno(why, out->path);
}

/* Steps of init and open before they look at S itself. */
static int
begin_state(struct dp_state *s, const struct dp_state_rule *rule, bool create,
    char *why)
{
	int e;

	/* Or the next file opened would become standard output. */
	if (rule->out == NULL && fcntl(STDOUT_FILENO, F_GETFD) < 0)
		return dp_state_errno(why, "standard output");
	s->rule.keep = rule->keep;
	s->rule.move = rule->move;
	s->rule.stop = rule->stop;
	if ((e = dp_state_places(s, rule, why)) != 0)
		return e;
	/* Before the lock, so that a mistyped name leaves no S.lock behind. */
	if (create && !dp_place_missing(&s->at))
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "exists already; to go on, or to repeat a run that failed, leave --init "
		    "out (a fresh state file would spend a fresh privacy budget)");
	if (!create && dp_place_missing(&s->at))
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "no such state file; --init creates it");
	if (create && (e = check_new_out(s, why)) != 0)
		return e;
	if ((e = dp_state_lock(s, why)) != 0)
		return e;
	if (create && !dp_place_missing(&s->at))
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "exists already; another run has just created it");
	return 0;
}

int
dp_state_draw_lineage(struct dp_state *s, char *why)
{
	unsigned char r[DP_STATE_LINEAGE / 2];

	if (dp_os_random(r, sizeof r) != 0)
		return dp_state_say(why, DP_EENTROPY, s->at.path,
		    "the kernel gave no random bytes for its lineage");
	sodium_bin2hex(s->form.lineage, sizeof s->form.lineage, r, sizeof r);
	return 0;
}

/* Error, or 0 also where the file system cannot promise room. */
static int
allocate(int fd, off_t n)
{
	int code;

	while ((code = posix_fallocate(fd, 0, n)) == EINTR)
		;
	return code == ENOSPC || code == EDQUOT || code == EFBIG || code == EIO ? code : 0;
}

/*
 * Room on the disk for the state, and for S.tmp of its first commit beside it, in files without a
 * name, which are gone with the process; each is given up just before it is needed.
 */
static int
reserve(struct dp_state *s, size_t size, char *why)
{
	int i;

	for (i = 0; i < 2; i++)
		if ((s->fd.room[i] = dp_place_open(&s->at, ".tmp", O_WRONLY | O_CREAT | O_EXCL,
		    0600)) < 0 || dp_place_unlink(&s->at, ".tmp") != 0 ||
		    (errno = allocate(s->fd.room[i], (off_t)(size + LINES))) != 0)
			return dp_state_errno(why, s->at.path);
	return 0;
}

int
dp_state_claim(struct dp_state **out, const struct dp_state_rule *rule, size_t size,
    char why[static DP_STATE_WHY])
{
	struct dp_state *s;
	int e;

	why[0] = '\0';
	if ((s = dp_state_new()) == NULL)
		return dp_state_say(why, DP_ENOMEM, rule->path,
		    "out of memory");
	if ((e = size > DP_STATE_ROOM ? dp_state_too_large(rule->path, why) : 0) != 0 ||
	    (e = begin_state(s, rule, true, why)) != 0 ||
	    (e = dp_state_draw_lineage(s, why)) != 0 ||
	    (e = dp_state_open_out(s, why)) != 0 ||
	    (e = dp_state_open_witness(s, true, why)) != 0 ||
	    (e = dp_annex_tidy(s) != 0 ? dp_state_errno(why, s->at.path) : 0) != 0 ||
	    (e = reserve(s, size, why)) != 0) {
		dp_state_free(s);
		return e;
	}
	s->claimed = true;
	*out = s;
	return 0;
}

static int
check_parts(const char *path, const char *head, const struct dp_buf *body, char *why)
{
	if (!dp_stateform_head_ok((struct dp_slice){ head, strlen(head) }))
		return dp_state_say(why, DP_EINVAL, path,
		    "its parameters are not lines of \"key value\"");
	return body->error != 0 ? dp_state_say(why, DP_ENOMEM, path, "out of memory") : 0;
}

int
dp_state_create(struct dp_state *s, const char *head, const struct dp_buf *body,
    char why[static DP_STATE_WHY])
{
	struct dp_stateform f;
	int e;

	why[0] = '\0';
	if (!s->claimed)
		return dp_state_say(why, DP_EINVAL, s->at.path, "create out of turn");
	s->claimed = false;
	if ((e = check_parts(s->at.path, head, body, why)) != 0)
		return e;
	if ((s->read.head = strdup(head)) == NULL)
		return dp_state_say(why, DP_ENOMEM, s->at.path, "out of memory");
	s->form.head = (struct dp_slice){ s->read.head, strlen(s->read.head) };
	f = s->form;
	f.generation = 1;
	f.body = (struct dp_slice){ body->p, body->n };
	if ((e = dp_state_replace(s, &f, why)) != 0 ||
	    (e = dp_state_put_witness(s, why)) != 0)
		return e;
	s->ready = true;
	return 0;
}

int
dp_state_open(struct dp_state **out, const struct dp_state_rule *rule,
    char why[static DP_STATE_WHY])
{
	struct dp_state *s;
	int e;

	why[0] = '\0';
	if ((s = dp_state_new()) == NULL)
		return dp_state_say(why, DP_ENOMEM, rule->path,
		    "out of memory");
	if ((e = begin_state(s, rule, false, why)) != 0 ||
	    (e = dp_state_find(s, why)) != 0 ||
	    (e = dp_state_open_witness(s, false, why)) != 0 ||
	    (e = dp_state_open_out(s, why)) != 0 ||
	    (e = dp_annex_tidy(s) != 0 ? dp_state_errno(why, s->at.path) : 0) != 0) {
		dp_state_free(s);
		return e;
	}
	*out = s;
	return 0;
}

int
dp_state_peek(struct dp_state **out, const char *path,
    char why[static DP_STATE_WHY])
{
	struct dp_state *s;
	int e;

	why[0] = '\0';
	if ((s = dp_state_new()) == NULL)
		return dp_state_say(why, DP_ENOMEM, path, "out of memory");
	if ((e = dp_state_places(s, &(struct dp_state_rule){ .path = path }, why)) == 0) {
		s->fd.state = openat(s->at.dir, s->at.name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (s->fd.state >= 0)
			e = dp_state_read(s, s->fd.state, path, why);
		else
			e = errno == ENOENT ?
			    dp_state_say(why, DP_ESTATE, path, "no such state file") :
			    dp_state_errno(why, path);
	}
	if (e != 0) {
		dp_state_free(s);
		return e;
	}
	dp_state_shut(&s->fd.state);
	*out = s;
	return 0;
}

int
dp_state_at(const struct dp_state *s, enum dp_state_point p)
{
	return s->hook.at != NULL ? s->hook.at(s->hook.arg, p) : 0;
}

int
dp_state_set_head(struct dp_state *s, const char *head)
{
	struct dp_slice lines = { head, strlen(head) };
	char *copy;

	if (!s->ready || !dp_stateform_head_ok(lines))
		return DP_EINVAL;
	if ((copy = strdup(head)) == NULL)
		return DP_ENOMEM;
	free(s->read.head);
	s->read.head = copy;
	s->form.head = (struct dp_slice){ copy, lines.n };
	return 0;
}

const struct dp_stateform *
dp_state_form(const struct dp_state *s)
{
	return &s->form;
}

int
dp_state_begin_batch(struct dp_state *s, const char *id)
{
	struct dp_slice text = { id, strlen(id) };

	if (!s->ready || s->dead || !s->rule.keep || !dp_stateform_id_ok(text))
		return DP_EINVAL;
	strcpy(s->next_batch, id);
	return 0;
}

/*
 * The protocol: settle, replace, witness, emit.
 *
 * A process may die between any two effects here, and each of them may fail;
 * t_statekill.c does both, wherever at() stands.  The order is the whole point:
 * nothing is let out before it is durable in S, and S does not drop it before
 * it is durable where it went.
 */

static int
fill_tmp(struct dp_state *s, struct dp_stateform *f, char *why)
{
	int e;

	/* A strange umask must not lock us out of our own state. */
	if (fchmod(s->fd.tmp, 0600) != 0 ||
	    dp_os_born(s->fd.tmp, "", &f->inode, &f->born) != 0)
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

/* DP_ERANGE */
static int
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

/*
 * The witness: which generation of the state is the last, told beside it.
 */

#define WITNESS	((int)DP_STATE_WITNESS)

static void
dp_state_witness_line(const struct dp_stateform *f, char line[static DP_STATE_WITNESS + 1])
{
	snprintf(line, DP_STATE_WITNESS + 1, "%s %020" PRIu64 "\n", f->lineage, f->generation);
}

static bool
parse_witness(const char p[static WITNESS], char *lineage, uint64_t *gen)
{
	size_t i;

	memcpy(lineage, p, DP_STATE_LINEAGE);
	lineage[DP_STATE_LINEAGE] = '\0';
	if (strspn(lineage, "0123456789abcdef") != DP_STATE_LINEAGE ||
	    p[DP_STATE_LINEAGE] != ' ' || p[WITNESS - 1] != '\n')
		return false;
	for (*gen = 0, i = DP_STATE_LINEAGE + 1; i < WITNESS - 1; i++)
		if (p[i] < '0' || p[i] > '9' ||
		    __builtin_mul_overflow(*gen, 10, gen) ||
		    __builtin_add_overflow(*gen, (uint64_t)(p[i] - '0'), gen))
			return false;
	return true;
}

/*
 * Is p what is left of a witness's first line if the power went as it was
 * written: of each byte, either it or nothing?  Empty too: --init made it and
 * died.  That may be only as long as nothing was released, generation 1: a
 * witness that has lost its memory looks just the same.
 */
static bool
begun(const struct dp_stateform *f, const char *p, ssize_t n)
{
	char line[WITNESS + 1];
	ssize_t i;

	if (f->generation != 1 || n > WITNESS)
		return false;
	dp_state_witness_line(f, line);
	for (i = 0; i < n; i++)
		if (p[i] != '\0' && p[i] != line[i])
			return false;
	return true;
}

/*
 * The witness is written after S, so it may lag by the one commit that a
 * death came after; anything else is another history.
 */
static int
check_witness(struct dp_state *s, const char *p, ssize_t n, char *why)
{
	const struct dp_stateform *f = &s->form;
	const char *path = s->witness_at.path;
	char lineage[DP_STATE_LINEAGE + 1];
	uint64_t w = 0;

	if (begun(f, p, n))
		return 0;
	if (n != 0) {
		if (n != WITNESS || !parse_witness(p, lineage, &w))
			return dp_state_say(why, DP_ESTATE, path,
			    "not a witness, or damaged");
		if (strcmp(lineage, f->lineage) != 0)
			return dp_state_say(why, DP_ESTATE, path,
			    "the witness of another state");
	}
	if (f->generation < w)
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "rolled back: generation %" PRIu64 ", but the witness has "
		    "seen %" PRIu64 "; to go on from it would spend the same "
		    "budget twice", f->generation, w);
	if (f->generation > w + 1)
		return dp_state_say(why, DP_ESTATE, path, "has seen generation "
		    "%" PRIu64 ", but the state is at %" PRIu64 ": rolled back "
		    "or not used each time; if you know better, let it hold "
		    "the one line \"%s %020" PRIu64 "\"", w, f->generation,
		    f->lineage, f->generation);
	return 0;
}

int
dp_state_find_witness(struct dp_state *s, bool create, char *why)
{
	const char *path = s->witness_at.path;
	struct stat st;

	s->fd.witness = dp_place_open(&s->witness_at, "", O_RDWR |
	    (create ? O_CREAT : 0), 0600);
	if (s->fd.witness < 0 && errno == ENOENT)
		return dp_state_say(why, DP_ESTATE, path,
		    "the witness is not there; put it back");
	if (s->fd.witness < 0 || fstat(s->fd.witness, &st) != 0 ||
	    fsync(s->witness_at.dir) != 0)
		return dp_state_errno(why, path);
	if (!S_ISREG(st.st_mode))
		return dp_state_say(why, DP_ESTATE, path,
		    "not a regular file");
	return 0;
}

int
dp_state_match_witness(struct dp_state *s, bool create, char *why)
{
	const char *path = s->witness_at.path;
	char p[WITNESS + 1];
	ssize_t n;

	if ((n = dp_state_read_up_to(s->fd.witness, p, sizeof p)) < 0)
		return dp_state_errno(why, path);
	if (create && n != 0)
		return dp_state_say(why, DP_ESTATE, path,
		    "already holds something: a state or ledger that it stood beside is gone; "
		    "move it away to begin anew, which is one more release of the same data");
	return create ? 0 : check_witness(s, p, n, why);
}

/*
 * Opens --out and the witness, locks them, since a run with another state may name them too, and
 * verifies them against the form.
 */
static int
dp_state_open_witness(struct dp_state *s, bool create, char *why)
{
	int e;

	if (s->witness_at.path == NULL)
		return 0;
	if ((e = dp_state_find_witness(s, create, why)) != 0 ||
	    (e = dp_state_take(s, s->fd.witness, s->witness_at.path, why)) != 0)
		return e;
	return dp_state_match_witness(s, create, why);
}

/*
 * How what is recorded gets out: whole lines where a pipe takes them, and never without
 * a way back for who was told to stop.
 */

/* dp_state_say() by errno. */
static int
dp_state_failed(char *why, const char *path, const char *then)
{
	if (errno == ENOMEM)
		return dp_state_say(why, DP_ENOMEM, path, "out of memory; %s",
		    then);
	return dp_state_say(why, DP_EIO, path, "%s; %s", strerror(errno),
	    then);
}

/* Name of the output, for messages. */
static const char *
dp_state_sink(const struct dp_state *s)
{
	return s->fd.out >= 0 ? s->out_at.path : "standard output";
}

static bool
stopped(const struct dp_state *s)
{
	return s->rule.stop != NULL && *s->rule.stop != 0;
}

/*
 * May a piece be written without waiting?  A signal that comes after this and
 * before write(2) leaves that waiting; who sets stop sees to it that a second
 * signal follows.
 */
static bool
ready(int fd, int wait)
{
	struct pollfd p = { fd, POLLOUT, 0 };

	return poll(&p, 1, wait) > 0;
}

/* Writes all n bytes, at off, or where fd stands if off < 0; -1.  EINTR: stopped, reader waits. */
static int
dp_state_put(const struct dp_state *s, int fd, const char *p, size_t n, off_t off)
{
	ssize_t k;

	while (n > 0) {
		if (off < 0 && stopped(s) && !ready(fd, 0)) {
			errno = EINTR;
			return -1;
		}
		k = off < 0 ? write(fd, p, n) : pwrite(fd, p, n, off);
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0 && errno == EAGAIN) {
			(void)ready(fd, -1);
			continue;
		}
		if (k == 0)
			errno = EIO;
		if (k <= 0)
			return -1;
		p += k;
		n -= (size_t)k;
		if (off >= 0)
			off += k;
	}
	return 0;
}

/* Whole lines that a pipe takes in one piece, if there are such. */
static size_t
piece(const char *p, size_t n)
{
	const char *nl;

	if (n <= PIPE_BUF)
		return n;
	nl = memrchr(p, '\n', PIPE_BUF);
	return nl != NULL ? (size_t)(nl - p) + 1 : PIPE_BUF;
}

/* The piece that begins at i; one that stands beside S is read to block, and cut at line ends. */
static ssize_t
next_piece(const struct dp_state *s, uint64_t i, char block[static PIPE_BUF + 1], const char **p)
{
	const struct dp_stateform *f = &s->form;
	const uint64_t old = f->annex[DP_ANNEX_OLD].n;
	ssize_t n;

	if (i >= old) {
		*p = f->record.p + (i - old);
		return (ssize_t)piece(*p, f->record.n - (size_t)(i - old));
	}
	*p = block;
	n = dp_annex_read(s, DP_ANNEX_OLD, block,
	    old - i > PIPE_BUF ? PIPE_BUF + 1 : (size_t)(old - i), i);
	return n < 0 ? n : (ssize_t)piece(block, (size_t)n);
}

void
dp_state_watch(struct dp_state *s, void (*sent)(void *arg, const char *p, size_t n), void *arg)
{
	s->watch.sent = sent;
	s->watch.arg = arg;
}

/* Lets out the record from byte `from' on; in --out the unsettled bytes begin at outlen. */
static int
dp_state_emit(struct dp_state *s, uint64_t from, char *why)
{
	const struct dp_stateform *f = &s->form;
	char block[PIPE_BUF + 1];
	const char *p;
	uint64_t i;
	ssize_t n;
	off_t off;

	for (i = from; i < dp_stateform_recorded(f) && !s->stalled; i += (uint64_t)n) {
		if ((n = next_piece(s, i, block, &p)) < 0)
			return dp_state_failed(why, s->at.path, DP_STATE_HELD);
		off = s->fd.out < 0 ? -1 :
		    (off_t)(f->outlen + (i - f->settled));
		if (dp_state_at(s, DP_AT_EMIT) == 0 &&
		    dp_state_put(s, s->fd.out < 0 ? STDOUT_FILENO : s->fd.out,
		    p, (size_t)n, off) == 0) {
			if (s->watch.sent != NULL)
				s->watch.sent(s->watch.arg, p, (size_t)n);
			continue;
		}
		s->stalled = errno == EINTR && stopped(s);
		if (!s->stalled)
			return dp_state_failed(why, dp_state_sink(s), DP_STATE_HELD);
	}
	return 0;
}

int
dp_state_settle(struct dp_state *s, char *why)
{
	struct stat st;
	int fd = s->fd.out >= 0 ? s->fd.out : STDOUT_FILENO;

	if (dp_stateform_recorded(&s->form) == 0 && s->form.tail == 0)
		return 0;
	if (dp_state_at(s, DP_AT_SETTLE) != 0 || fstat(fd, &st) != 0 ||
	    (S_ISREG(st.st_mode) && fsync(fd) != 0))
		return dp_state_failed(why, dp_state_sink(s), DP_STATE_STANDS);
	return 0;
}

/*
 * Bytes of a state that only grow, in files beside S: they are appended, not rewritten.
 *
 * An annex is bytes 0 to n of S.oldK or S.tabK, K = 0 or 1, and S says which, n and their hash.
 * So the state is still what S says, and it changes when S is replaced and at no other time:
 *
 *   - Bytes that the durable S counts are never written again.  What is appended stands behind
 *     them; what begins anew stands in the other file (its name may hold a dead run's bytes, and is
 *     unlinked first).
 *   - Appended bytes, and the name of a new file, are durable before the S that counts them is
 *     renamed: dp_annex_sync().
 *   - The file that S no longer names goes after that S is durable: dp_annex_tidy().
 *
 * A death at any moment therefore leaves an S, old or new, and all the bytes that it counts; what
 * is there besides is cut off or unlinked by the next run.  A copy of an annex is as good as the
 * annex, since S tells which bytes it means: whether a state is a copy is asked of S alone.
 */

#define BLOCK	65536

static const char *const names[DP_ANNEXES][2] = {
	{ ".old0", ".old1" }, { ".tab0", ".tab1" }
};

static int
failed_annex(const struct dp_state *s, char *why)
{
	return dp_state_say(why, errno == ENOMEM ? DP_ENOMEM : DP_EIO, s->at.path, "%s; %s",
	    strerror(errno), DP_STATE_STANDS);
}

static void
put_hash(const struct dp_annex *a, char hex[static DP_STATE_HASH + 1])
{
	crypto_generichash_state h;
	unsigned char sum[DP_STATE_HASH / 2];

	memcpy(&h, &a->hash, sizeof h);
	crypto_generichash_final(&h, sum, sizeof sum);
	sodium_bin2hex(hex, DP_STATE_HASH + 1, sum, sizeof sum);
}

/* Reads and hashes what S counts. */
static int
read_all(const struct dp_annexform *f, struct dp_annex *a,
    int (*take)(void *, const char *, size_t), void *arg)
{
	char block[BLOCK];
	ssize_t n = 0;
	int e = 0;

	crypto_generichash_init(&a->hash, NULL, 0, DP_STATE_HASH / 2);
	for (a->n = 0; e == 0 && a->n < f->n; a->n += (uint64_t)n) {
		n = pread(a->fd, block, f->n - a->n < BLOCK ? (size_t)(f->n - a->n) : BLOCK,
		    (off_t)a->n);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			e = n == 0 ? DP_ESTATE : DP_EIO;
		else {
			crypto_generichash_update(&a->hash, (unsigned char *)block, (size_t)n);
			e = take != NULL ? take(arg, block, (size_t)n) : 0;
		}
		n = n < 0 ? 0 : n;
	}
	explicit_bzero(block, sizeof block);
	return e;
}

/*
 * Opens annex i, if S counts bytes of it and it is not open yet, and verifies these bytes; take, if
 * there is one, gets all of them in pieces.  DP_ESTATE; any error that take returns.
 */
static int
dp_annex_open(struct dp_state *s, int i, int (*take)(void *, const char *, size_t), void *arg,
    char *why)
{
	const struct dp_annexform *f = &s->form.annex[i];
	struct dp_annex *a = &s->annex[i];
	const char *name = names[i][f->file];
	char hash[DP_STATE_HASH + 1];
	struct stat st;
	int e;

	if (a->fd >= 0 || f->n == 0)
		return 0;
	if ((a->fd = dp_place_open(&s->at, name, O_RDWR, 0)) < 0 && errno == ENOENT)
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "its file %s%s is not there; put it back", s->at.name, name);
	if (a->fd < 0 || fstat(a->fd, &st) != 0)
		return dp_state_errno(why, s->at.path);
	if ((e = dp_state_check_file(s->at.path, &st, why)) != 0)
		return e;
	a->file = f->file;
	a->made = a->dirty = false;
	e = read_all(f, a, take, arg);
	if (e == 0) {
		put_hash(a, hash);
		e = strcmp(hash, f->hash) != 0 ? DP_ESTATE : 0;
	}
	if (e == DP_ESTATE)
		return dp_state_say(why, e, s->at.path, "its file %s%s is damaged", s->at.name,
		    name);
	/* what a dead run appended, and no state ever counted */
	if (e == 0 && ftruncate(a->fd, (off_t)f->n) != 0)
		e = DP_EIO;
	return e == 0 ? 0 : e == DP_EIO ? dp_state_errno(why, s->at.path) :
	    dp_state_say(why, e, s->at.path, "%s", dp_strerror(e));
}

/* Begins a new, empty file for annex i; the one that S counts stays as it is. */
static int
dp_annex_make(struct dp_state *s, int i, char *why)
{
	const struct dp_annexform *f = &s->form.annex[i];
	struct dp_annex *a = &s->annex[i];
	const char *name;

	dp_state_shut(&a->fd);
	a->file = f->n != 0 ? !f->file : 0;
	a->n = 0;
	a->made = true;
	a->dirty = s->untidy = true;
	crypto_generichash_init(&a->hash, NULL, 0, DP_STATE_HASH / 2);
	name = names[i][a->file];
	if (dp_state_at(s, DP_AT_ANNEX) != 0 || dp_place_unlink(&s->at, name) != 0 ||
	    (a->fd = dp_place_open(&s->at, name, O_RDWR | O_CREAT | O_EXCL, 0600)) < 0 ||
	    fchmod(a->fd, 0600) != 0)
		return failed_annex(s, why);
	return 0;
}

/* Appends to annex i, which is open. */
static int
dp_annex_add(struct dp_state *s, int i, const char *p, size_t n, char *why)
{
	struct dp_annex *a = &s->annex[i];

	if (n == 0)
		return 0;
	if (dp_state_at(s, DP_AT_ANNEX) != 0 || dp_state_put(s, a->fd, p, n, (off_t)a->n) != 0)
		return failed_annex(s, why);
	crypto_generichash_update(&a->hash, (const unsigned char *)p, n);
	a->n += n;
	a->dirty = true;
	return 0;
}

/* Leaves annex i out of the next state. */
static void
dp_annex_drop(struct dp_state *s, int i, struct dp_stateform *next)
{
	s->untidy |= next->annex[i].n != 0;
	next->annex[i] = (struct dp_annexform){ .n = 0 };
	dp_state_shut(&s->annex[i].fd);
}

/* Makes all bytes added to annexes durable, and lets the next state count them. */
static int
dp_annex_sync(struct dp_state *s, struct dp_stateform *next, char *why)
{
	struct dp_annex *a;
	bool made = false;
	int i;

	for (i = 0; i < DP_ANNEXES; i++) {
		a = &s->annex[i];
		if (a->fd < 0 || !a->dirty)
			continue;
		if (dp_state_at(s, DP_AT_ANNEX_SYNC) != 0 || fsync(a->fd) != 0)
			return failed_annex(s, why);
		made |= a->made;
		a->made = a->dirty = false;
		next->annex[i].n = a->n;
		next->annex[i].file = a->file;
		put_hash(a, next->annex[i].hash);
		if (a->n == 0)
			next->annex[i] = (struct dp_annexform){ .n = 0 };
	}
	if (made && (dp_state_at(s, DP_AT_ANNEX_SYNC) != 0 || fsync(s->at.dir) != 0))
		return failed_annex(s, why);
	return 0;
}

/* Unlinks annex files that S does not name; -1. */
static int
dp_annex_tidy(struct dp_state *s)
{
	const struct dp_annexform *f = s->form.annex;
	unsigned file;
	int i, e = 0;

	for (i = 0; i < DP_ANNEXES; i++)
		for (file = 0; file < 2; file++)
			if ((f[i].n == 0 || f[i].file != file) &&
			    dp_place_unlink(&s->at, names[i][file]) != 0)
				e = -1;
	s->untidy = e != 0;
	return e;
}

struct copying {
	struct dp_state *to;
	int i;
	char *why;
};

static int
copy_block(void *arg, const char *p, size_t n)
{
	struct copying *c = arg;

	return dp_annex_add(c->to, c->i, p, n, c->why);
}

int
dp_annex_copy(struct dp_state *s, struct dp_state *t, struct dp_stateform *f, char *why)
{
	struct copying c = { t, 0, why };
	int e;

	for (; c.i < DP_ANNEXES; c.i++) {
		if (f->annex[c.i].n == 0)
			continue;
		if ((e = dp_annex_make(t, c.i, why)) != 0)
			return e;
		why[0] = '\0';
		e = dp_annex_open(s, c.i, copy_block, &c, why);
		if (e != 0)
			return e;
	}
	return dp_annex_sync(t, f, why);
}

/* Reads at most n bytes of annex i, which is open; -1: errno. */
static ssize_t
dp_annex_read(const struct dp_state *s, int i, char *p, size_t n, uint64_t from)
{
	ssize_t k;

	while ((k = pread(s->annex[i].fd, p, n, (off_t)from)) < 0 && errno == EINTR)
		;
	if (k == 0)
		errno = EIO;	/* it shrank under us */
	return k > 0 ? k : -1;
}

/*
 * From one file to another: one of the two goes on, never both.
 *
 * T.tmp is durable before S ends, so that there always is one that can; S ends, durably, before
 * T.tmp is called T, so that there never are two.  What ended S says which file it was for, by
 * inode and birth time: only that one may become T.
 */

#define AGAIN	"; ask for the move again"

static int
failed_move(const struct dp_state *s, char *why)
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
	    "exists already, and is not a copy of the state");
}

/* T.tmp is the state from here on; give it its name, durably. */
static int
publish_move(const struct dp_state *s, const struct dp_state *t, char *why)
{
	if (dp_state_at(s, DP_AT_RENAME) != 0 || dp_place_rename(&t->at, ".tmp") != 0 ||
	    dp_state_at(s, DP_AT_SYNC_DIR) != 0 || fsync(t->at.dir) != 0)
		return failed_move(t, why);
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
		return failed_move(s, why);
	if ((e = dp_state_put_witness(s, why)) != 0)
		return e;
	if (is_target(s, t, ""))
		return fsync(t->at.dir) != 0 ? failed_move(t, why) : 0;
	if (is_target(s, t, ".tmp"))
		return publish_move(s, t, why);
	return dp_state_say(why, DP_ESTATE, s->at.path, 
	    "was moved already, but not to %.200s, or that file has been run since", t->at.path);
}

static int
begin_move(struct dp_state *s, struct dp_state *t, char *why)
{
	struct dp_stateform f = s->form, stub = s->form;
	int e, i;

	if ((e = check_target(s, t, why)) != 0)
		return e;
	if (dp_state_at(s, DP_AT_REDO) != 0 || fsync(s->fd.state) != 0 || fsync(s->at.dir) != 0)
		return failed_move(s, why);
	/* Witness of a dead run: one generation behind; behind a stub it is two, refused. */
	if ((e = dp_state_put_witness(s, why)) != 0)
		return e;
	f.generation++;
	if ((e = dp_annex_copy(s, t, &f, why)) == 0)
		e = dp_state_write_tmp(t, &f, why);
	if (e == 0 && (dp_state_at(s, DP_AT_SYNC_DIR) != 0 || fsync(t->at.dir) != 0))
		e = failed_move(t, why);
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
	return publish_move(s, t, why);
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
		e = s->form.moved ? finish(s, t, why) : begin_move(s, t, why);
	dp_state_free(t);
	return e;
}
