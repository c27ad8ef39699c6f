/*
 * file.c - finding, opening and locking the files of a state.
 *
 * Every file is opened through a descriptor of its directory, without
 * following a link in the last component, and judged by what the descriptor
 * says, never by name twice.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

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
			    "names that end in %s are those of files beside a state", suffix[i]);
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
				    "is a file of the state itself");
	if (s->out_at.path != NULL && s->witness_at.path != NULL &&
	    same_place(&s->out_at, "", &s->witness_at))
		return dp_state_say(why, DP_EINVAL, s->out_at.path,
		    "is both output and witness");
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
	return dp_state_identity(pl->dir, name, inode, born);
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
		    "its lock file is not a regular file");
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
