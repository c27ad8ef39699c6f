/*
 * files_rotated.c - logs that are being rotated, by their names and times.
 *
 * A log that was NAME is called NAME.1 or NAME-20260501; a suffix may follow.  Two things no look
 * at the open files alone can tell.  The log was renamed after the command was given its names, so
 * that its last days are in a file that is not among them: with --next they would be lost for good.
 * Or it was copied, and is to be cut (copytruncate): till then lines are there twice.
 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "files.h"
#include "files_own.h"

#define NAMED	600		/* seconds: so long may a command take from its names to here */
#define COPIED	60		/* seconds: so long may a copy wait for the cut */

static bool
is_rotated(const char *suffix)
{
	size_t n;

	if (suffix[0] == '.' && suffix[1] == '1')
		return suffix[2] == '\0' || suffix[2] == '.';
	for (n = 0; *suffix == '-' && isdigit((unsigned char)suffix[n + 1]); n++)
		;
	return n >= 8 && (suffix[n + 1] == '\0' || suffix[n + 1] == '.');
}

/* By the clock that files have their times from. */
static bool
is_recent(const struct stat *st, int64_t seconds)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	return st->st_ctime >= now.tv_sec - seconds;
}

/*
 * True: the copy was made after the log was, and not long ago: it may still be written, or the log
 * not yet be cut.  Sizes would tell, but records decide them, and so would decide how a run ends.
 */
static bool
is_copying(const struct dp_file *copy, const struct dp_file *log)
{
	struct statx c, l;

	if (copy->fd < 0 || log->fd < 0 || copy->unpacker != NULL ||
	    !is_recent(&copy->st, COPIED) ||
	    statx(copy->fd, "", AT_EMPTY_PATH, STATX_BTIME, &c) != 0 ||
	    statx(log->fd, "", AT_EMPTY_PATH, STATX_BTIME, &l) != 0 ||
	    (c.stx_mask & l.stx_mask & STATX_BTIME) == 0)
		return false;
	return c.stx_btime.tv_sec != l.stx_btime.tv_sec ?
	    c.stx_btime.tv_sec > l.stx_btime.tv_sec : c.stx_btime.tv_nsec > l.stx_btime.tv_nsec;
}

const struct dp_file *
dp_files_copying(const struct dp_run *r)
{
	const struct dp_ask_operands *o = &r->o->operands;
	size_t n;
	int i, j;

	for (i = 0; i < o->n; i++)
		for (j = 0, n = strlen(o->file[i]); j < o->n; j++)
			if (strncmp(o->file[j], o->file[i], n) == 0 && is_rotated(o->file[j] + n) &&
			    is_copying(&r->in.file[j], &r->in.file[i]))
				return &r->in.file[j];
	return NULL;
}

static bool
is_operand(const struct dp_run *r, const struct stat *st)
{
	int i;

	for (i = 0; i < r->o->operands.n; i++)
		if (r->in.file[i].st.st_dev == st->st_dev && r->in.file[i].st.st_ino == st->st_ino)
			return true;
	return false;
}

/* Files in its folder that were the log until lately. */
static void
look_beside(const struct dp_run *r, const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash == NULL ? name : slash + 1;
	char *folder = strndup(name, (size_t)(base - name));
	DIR *d = folder == NULL ? NULL : opendir(slash == NULL ? "." : folder);
	const size_t n = strlen(base);
	const struct dirent *e;
	struct stat st;

	while (d != NULL && (e = readdir(d)) != NULL)
		if (strncmp(e->d_name, base, n) == 0 && is_rotated(e->d_name + n) &&
		    fstatat(dirfd(d), e->d_name, &st, 0) == 0 && S_ISREG(st.st_mode) &&
		    is_recent(&st, NAMED) && !is_operand(r, &st))
			dp_die(DP_EX_SYSTEM, "%s%s was made, or renamed, in the last %d minutes, "
			    "and is not among the files: what %s held before would be lost; "
			    "nothing was read: run again, with both", folder, e->d_name,
			    NAMED / 60, name);
	if (d != NULL)
		closedir(d);
	free(folder);
}

void
dp_files_beside(const struct dp_run *r)
{
	const struct dp_ask_operands *o = &r->o->operands;
	int i;

	for (i = 0; i < o->n; i++)
		if (r->in.file[i].fd > STDERR_FILENO && r->in.file[i].unpacker == NULL)
			look_beside(r, o->file[i]);
}
