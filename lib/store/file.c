/* SPDX-License-Identifier: ISC */
/* file.c - the files of a state: found, locked, checked. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

/*
 * Finding, opening and locking the files of a state.
 *
 * Every file is opened through a descriptor of its directory, without
 * following a link in the last component, and judged by what the descriptor
 * says, never by name twice.
 */

int
dp_state_say(char *why, int e, const char *path, const char *fmt, ...)
{
	va_list ap;
	int n, saved = errno;

	/* Half for the path, so that a long one cannot hide the reason. */
	n = snprintf(why, DP_STATE_WHY, "%.*s: ", DP_STATE_WHY / 2, path);
	va_start(ap, fmt);
	vsnprintf(why + n, (size_t)(DP_STATE_WHY - n), fmt, ap);
	va_end(ap);
	errno = saved;
	return e;
}

/* A bad name, or one of a file that is closed to us: whoever gave it can mend that. */
static bool
wrong_path(int code)
{
	switch (code) {
	case ENOENT:
	case ENOTDIR:
	case EISDIR:
	case EACCES:
	case EPERM:
	case ENAMETOOLONG:
	case ELOOP:
	case ENXIO:		/* a FIFO without a reader */
		return true;
	default:
		return false;
	}
}

/* whose: "" or "its directory: " */
static int
errno_of(char *why, const char *path, const char *whose)
{
	if (errno == ENOMEM)
		return dp_state_say(why, DP_ENOMEM, path, "out of memory");
	return dp_state_say(why, wrong_path(errno) ? DP_EINVAL : DP_EIO, path,
	    "%s%s", whose, errno == ELOOP ?
	    "is a symbolic link; name the file itself" : strerror(errno));
}

int
dp_state_errno(char *why, const char *path)
{
	return errno_of(why, path, "");
}

void
dp_state_shut(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	errno = saved;
}

void
dp_state_forget(struct dp_state *s)
{
	if (s->read.raw != NULL)
		explicit_bzero(s->read.raw, s->read.n);
	free(s->read.raw);
	s->read.raw = NULL;
	s->form.body = (struct dp_slice){ NULL, 0 };
}

/* Descriptors 0 to 2 are the filter's: nothing of ours may become one. */
static int
above_two(int fd)
{
	int up, saved;

	if (fd < 0 || fd > 2)
		return fd;
	up = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	saved = errno;
	close(fd);
	errno = saved;
	return up;
}

int
dp_place_set(struct dp_place *pl, const char *path, char *why)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	struct stat st;
	char *dir;

	/* ".lock" and ".tmp" must fit too. */
	if (*name == '\0' || strlen(name) > NAME_MAX - 5)
		return dp_state_say(why, DP_EINVAL, path,
		    "does not end in a usable file name");
	strcpy(pl->name, name);
	if ((pl->path = strdup(path)) == NULL)
		return dp_state_errno(why, path);
	if (slash == NULL)
		dir = strdup(".");
	else
		dir = strndup(path, slash == path ? 1 :
		    (size_t)(slash - path));
	if (dir == NULL)
		return dp_state_errno(why, path);
	pl->dir = above_two(open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	free(dir);
	if (pl->dir < 0 || fstat(pl->dir, &st) != 0)
		return errno_of(why, path, "its directory: ");
	pl->dev = st.st_dev;
	pl->ino = st.st_ino;
	return 0;
}

void
dp_place_clear(struct dp_place *pl)
{
	dp_state_shut(&pl->dir);
	free(pl->path);
	pl->path = NULL;
}

static bool
same_place(const struct dp_place *a, const char *suffix,
    const struct dp_place *b)
{
	size_t n = strlen(a->name);

	return strncmp(a->name, b->name, n) == 0 &&
	    strcmp(b->name + n, suffix) == 0 && a->dev == b->dev && a->ino == b->ino;
}

static bool
ends_in(const char *name, const char *suffix)
{
	const size_t n = strlen(name), k = strlen(suffix);

	return n >= k && strcmp(name + n - k, suffix) == 0;
}

int
dp_state_places(struct dp_state *s, const struct dp_state_rule *rule,
    char *why)
{
	static const char *const suffix[] = { "", ".tmp", ".lock", ".old0", ".old1", ".tab0",
	    ".tab1" };
	const size_t suffixes = sizeof suffix / sizeof *suffix;
	struct dp_place *other[2] = { &s->out_at, &s->witness_at };
	size_t i, k;
	int e;

	if ((e = dp_place_set(&s->at, rule->path, why)) != 0)
		return e;
	/* a commit that died would be a state by that name, beside the one it was for */
	for (i = 1; i < suffixes; i++)
		if (ends_in(s->at.name, suffix[i]))
			return dp_state_say(why, DP_EINVAL, rule->path,
			    "names that end in %s are kept for files that belong to a state; "
			    "choose another name", suffix[i]);
	if ((rule->out != NULL &&
	    (e = dp_place_set(&s->out_at, rule->out, why)) != 0) ||
	    (rule->witness != NULL &&
	    (e = dp_place_set(&s->witness_at, rule->witness, why)) != 0))
		return e;
	for (k = 0; k < 2; k++)
		for (i = 0; other[k]->path != NULL && i < suffixes; i++)
			if (same_place(&s->at, suffix[i], other[k]))
				return dp_state_say(why, DP_EINVAL,
				    other[k]->path,
				    "belongs to the state itself; give another file");
	if (s->out_at.path != NULL && s->witness_at.path != NULL &&
	    same_place(&s->out_at, "", &s->witness_at))
		return dp_state_say(why, DP_EINVAL, s->out_at.path,
		    "is given as --out and as --witness; give two files");
	return 0;
}

int
dp_place_open(const struct dp_place *pl, const char *suffix, int flags,
    mode_t mode)
{
	char name[sizeof pl->name + 8];

	snprintf(name, sizeof name, "%s%s", pl->name, suffix);
	/* O_NONBLOCK: a FIFO in its place must not stop us here. */
	return above_two(openat(pl->dir, name, flags | O_NOFOLLOW |
	    O_CLOEXEC | O_NONBLOCK, mode));
}

int
dp_place_unlink(const struct dp_place *pl, const char *suffix)
{
	char name[sizeof pl->name + 8];

	snprintf(name, sizeof name, "%s%s", pl->name, suffix);
	return unlinkat(pl->dir, name, 0) == 0 || errno == ENOENT ? 0 : -1;
}

int
dp_place_rename(const struct dp_place *pl, const char *suffix)
{
	char name[sizeof pl->name + 8];

	snprintf(name, sizeof name, "%s%s", pl->name, suffix);
	return renameat(pl->dir, name, pl->dir, pl->name);
}

int
dp_place_link(const struct dp_place *pl, const char *suffix)
{
	char name[sizeof pl->name + 8];

	snprintf(name, sizeof name, "%s%s", pl->name, suffix);
	return linkat(pl->dir, name, pl->dir, pl->name, 0);
}

bool
dp_place_missing(const struct dp_place *pl)
{
	struct stat st;

	return fstatat(pl->dir, pl->name, &st, AT_SYMLINK_NOFOLLOW) != 0 &&
	    errno == ENOENT;
}

int
dp_place_identity(const struct dp_place *pl, const char *suffix,
    uint64_t *inode, uint64_t *born)
{
	char name[sizeof pl->name + 8];

	snprintf(name, sizeof name, "%s%s", pl->name, suffix);
	return dp_os_born(pl->dir, name, inode, born);
}

int
dp_state_flock(int fd, const char *path, const char *whose, char *why)
{
	while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (errno == EWOULDBLOCK)
			return dp_state_say(why, DP_EBUSY, path,
			    "in use by another run; try again later");
		if (errno != EINTR)
			return errno_of(why, path, whose);
	}
	return 0;
}

int
dp_state_take_lock(struct dp_state *s, char *why)
{
	struct stat st;

	/* Or the first commit would find out, after all the work. */
	if (faccessat(s->at.dir, ".", W_OK | X_OK, AT_EACCESS) != 0)
		return errno_of(why, s->at.path, "its directory: ");
	s->fd.lock = dp_place_open(&s->at, ".lock", O_RDWR | O_CREAT, 0600);
	if (s->fd.lock < 0 || fstat(s->fd.lock, &st) != 0)
		return errno_of(why, s->at.path, "its lock file: ");
	if (!S_ISREG(st.st_mode))
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "its lock file is not a regular file; remove it");
	return dp_state_flock(s->fd.lock, s->at.path, "its lock file: ", why);
}

int
dp_state_lock(struct dp_state *s, char *why)
{
	int e;

	if ((e = dp_state_take_lock(s, why)) != 0)
		return e;
	/* A dead run's.  In pan-private mode it would be a second view. */
	if (dp_place_unlink(&s->at, ".tmp") != 0)
		return dp_state_errno(why, s->at.path);
	return 0;
}

/*
 * Is this the state, and are the files beside it its own?
 *
 * Each refusal here stands between a user and a second release of the same
 * steps, so there is no option that overrides one.
 */

static int
open_failed(const struct dp_state *s, char *why)
{
	if (errno == ENOENT)
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "no such state file; --init creates it");
	if (errno == ELOOP)
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "is a symbolic link; name the file itself");
	return dp_state_errno(why, s->at.path);
}

int
dp_state_check_file(const char *path, const struct stat *st, char *why)
{
	if (!S_ISREG(st->st_mode))
		return dp_state_say(why, DP_ESTATE, path,
		    "not a regular file");
	if (st->st_uid != geteuid())
		return dp_state_say(why, DP_ESTATE, path,
		    "belongs to another user; run as its owner");
	if ((st->st_mode & 077) != 0)
		return dp_state_say(why, DP_ESTATE, path,
		    "others may read or change it (mode %04o): chmod 600 it",
		    (unsigned)st->st_mode & 07777);
	if (st->st_nlink != 1)
		return dp_state_say(why, DP_ESTATE, path,
		    "has %ju names (hard links), and could be run twice: remove all but this one",
		    (uintmax_t)st->st_nlink);
	return 0;
}

int
dp_state_check_kind(int fd, const char *magic, const char *path, const struct stat *st, char *why)
{
	const size_t n = strlen(magic);
	char first[32];
	const int e = dp_state_check_file(path, st, why);

	if (e == 0 || !S_ISREG(st->st_mode) || n > sizeof first ||
	    (pread(fd, first, n, 0) == (ssize_t)n && memcmp(first, magic, n) == 0))
		return e;
	return dp_state_say(why, DP_ESTATE, path, strcmp(magic, DP_LEDGER_MAGIC) == 0 ?
	    "not a budget ledger; dpbudget --init makes one" :
	    "not a state file; for a new one give --init and a name that does not exist yet");
}

int
dp_state_find(struct dp_state *s, char *why)
{
	struct stat st;
	uint64_t inode, born;
	int e;

	if ((s->fd.state = dp_place_open(&s->at, "", O_RDONLY, 0)) < 0)
		return open_failed(s, why);
	if (fstat(s->fd.state, &st) != 0)
		return dp_state_errno(why, s->at.path);
	if ((e = dp_state_check_kind(s->fd.state, DP_STATE_MAGIC " ", s->at.path, &st,
	    why)) != 0 ||
	    (e = dp_state_read(s, s->fd.state, s->at.path, why)) != 0)
		return e;
	if (s->form.moved && !s->rule.move)
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "was moved by --state-move; use the file that it was moved to");
	if (dp_os_born(s->fd.state, "", &inode, &born) != 0)
		return dp_state_errno(why, s->at.path);
	if (s->form.inode != inode ||
	    (s->form.born != 0 && s->form.born != born))
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "this is a copy or a restored backup, and running it would release the same "
		    "steps twice: use the file that ran last (--state-move moves a state); if "
		    "that is lost, start another state file (--init)");
	return 0;
}

/* Does the name still mean the file that is open? */
static bool
is_open(const struct dp_place *pl, const char *suffix, int fd)
{
	uint64_t inode[2], born[2];

	return dp_os_born(fd, "", &inode[0], &born[0]) == 0 &&
	    dp_place_identity(pl, suffix, &inode[1], &born[1]) == 0 &&
	    inode[0] == inode[1] && born[0] == born[1];
}

static bool
is_last(const struct dp_state *s)
{
	uint64_t inode, born;

	if (s->form.generation == 0)
		return dp_place_missing(&s->at);
	return dp_place_identity(&s->at, "", &inode, &born) == 0 &&
	    inode == s->form.inode &&
	    (s->form.born == 0 || born == s->form.born);
}

int
dp_state_ours(const struct dp_state *s, char *why)
{
	if (!is_open(&s->at, ".lock", s->fd.lock))
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "its lock file was removed or replaced during this run, so another run may be "
		    "at work; nothing was released");
	if (!is_last(s))
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "was renamed, removed or replaced during this run; nothing was released");
	if (s->fd.tmp >= 0 && !is_open(&s->at, ".tmp", s->fd.tmp))
		return dp_state_say(why, DP_ESTATE, s->at.path,
		    "its .tmp file was replaced during this run, so another run may be at work; "
		    "nothing was released");
	return 0;
}

ssize_t
dp_state_read_up_to(int fd, char *p, size_t n)
{
	size_t got = 0;
	ssize_t k;

	while (got < n && (k = read(fd, p + got, n - got)) != 0) {
		if (k > 0)
			got += (size_t)k;
		else if (errno != EINTR)
			return -1;
	}
	return (ssize_t)got;
}

/* head and record are copied: they outlive raw, which goes with the body. */
static int
keep_parts(struct dp_state *s)
{
	struct dp_stateform *f = &s->form;

	if ((s->read.head = malloc(f->head.n + 1)) == NULL)
		return -1;
	memcpy(s->read.head, f->head.p, f->head.n);
	s->read.head[f->head.n] = '\0';
	f->head.p = s->read.head;
	dp_buf_add(&s->record, f->record.p, f->record.n);
	f->record.p = s->record.p;
	if (s->record.error == 0)
		return 0;
	errno = ENOMEM;
	return -1;
}

int
dp_state_read(struct dp_state *s, int fd, const char *path, char *why)
{
	struct stat st;
	const char *what;
	ssize_t n;
	int e;

	if (fstat(fd, &st) != 0)
		return dp_state_errno(why, path);
	if (!S_ISREG(st.st_mode))
		return dp_state_say(why, DP_ESTATE, path,
		    "not a regular file");
	if (st.st_size > (off_t)DP_STATE_MAX)
		return dp_state_say(why, DP_ESTATE, path,
		    "too large for a state file");
	s->read.n = (size_t)st.st_size;
	if ((s->read.raw = malloc(s->read.n + 1)) == NULL ||
	    (n = dp_state_read_up_to(fd, s->read.raw, s->read.n)) < 0)
		return dp_state_errno(why, path);
	if ((size_t)n != s->read.n) {	/* it shrank as we read */
		errno = EIO;
		return dp_state_errno(why, path);
	}
	e = dp_stateform_read(&s->form, s->read.raw, s->read.n, true, &what);
	if (e == DP_ESTATE)
		return dp_state_say(why, e, path, "damaged (%s); nothing is guessed and no older "
		    "copy is used: a new state file (--init) spends a fresh, additional privacy "
		    "budget",
		    what);
	if (e != 0 || keep_parts(s) != 0) {
		errno = ENOMEM;
		return dp_state_errno(why, path);
	}
	return 0;
}

int
dp_state_take(const struct dp_state *s, int fd, const char *path, char *why)
{
	const int ours[] = { s->fd.lock, s->fd.out, s->fd.witness };
	struct stat st, other;
	size_t i;

	if (fstat(fd, &st) != 0)
		return dp_state_errno(why, path);
	for (i = 0; i < sizeof ours / sizeof *ours; i++) {
		if (ours[i] < 0 || ours[i] == fd)
			continue;
		if (fstat(ours[i], &other) != 0)
			return dp_state_errno(why, path);
		if (st.st_dev == other.st_dev && st.st_ino == other.st_ino)
			return dp_state_say(why, DP_EINVAL, path, i == 0 ?
			    "belongs to the state itself; give another "
			    "file" : "is given as --out and as "
			    "--witness; give two files");
	}
	return dp_state_flock(fd, path, "", why);
}

/* The state keeps its length alone, so that the file can be renamed. */
#define GIVE_IT	"give that file, or copy it here"

/*
 * --out may end anywhere in what is owed (a dead run's unfinished write, which
 * redo writes over) but nowhere else; or in the tail, which redo cuts off.
 */
int
dp_state_open_out(struct dp_state *s, char *why)
{
	const struct dp_stateform *f = &s->form;
	const char *path = s->out_at.path;
	uint64_t owed = dp_stateform_owed(f);
	struct stat st;
	int e;

	if (path == NULL)
		return 0;
	s->fd.out = dp_place_open(&s->out_at, "", O_WRONLY |
	    (f->outlen == 0 ? O_CREAT : 0), 0666);
	if (s->fd.out < 0 && errno == ENOENT)
		return dp_state_say(why, DP_ESTATE, path,
		    "not there, but the state has written %" PRIu64 " bytes to its --out file; "
		    GIVE_IT, f->outlen);
	/* The directory each time: who created it may have died before. */
	if (s->fd.out < 0 || fstat(s->fd.out, &st) != 0 || fsync(s->out_at.dir) != 0)
		return dp_state_errno(why, path);
	if (!S_ISREG(st.st_mode))
		return dp_state_say(why, DP_ESTATE, path,
		    "not a regular file; only into one can output go exactly "
		    "once");
	if ((e = dp_state_take(s, s->fd.out, path, why)) != 0)
		return e;
	if (fstat(s->fd.out, &st) != 0)
		return dp_state_errno(why, path);
	if ((uint64_t)st.st_size < f->outlen)
		return dp_state_say(why, DP_ESTATE, path,
		    "shorter than the %" PRIu64 " bytes that the state has written to its "
		    "--out file: another one, or its end is lost; " GIVE_IT, f->outlen);
	if (f->generation == 0 && st.st_size > 0)
		return dp_state_say(why, DP_ESTATE, path,
		    "already holds something; a new state needs a new file");
	if ((uint64_t)st.st_size > f->outlen + (owed > f->tail ? owed : f->tail))
		return dp_state_say(why, DP_ESTATE, path,
		    "longer than what the state has written to it: the state "
		    "was rolled back, or this is another file, or something else writes "
		    "there");
	return 0;
}
