/*
 * state.c - making, opening and looking at a state; the protocol itself is in
 * send.c, the checks on files in file.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

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
begin(struct dp_state *s, const struct dp_state_rule *rule, bool create,
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
		    "not there; --init creates it");
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
	ssize_t n;

	while ((n = getrandom(r, sizeof r, 0)) < 0 && errno == EINTR)
		;
	if (n != (ssize_t)sizeof r)
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
	    (e = begin(s, rule, true, why)) != 0 ||
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
	if ((e = begin(s, rule, false, why)) != 0 ||
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
			e = errno == ENOENT ? dp_state_say(why, DP_ESTATE, path, "not there") :
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
