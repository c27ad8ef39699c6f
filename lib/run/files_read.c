/*
 * files_read.c - operands, read one after another; and that each was read whole (files.h).
 *
 * A compressed file is unpacked by a child, on a processor of its own.  When its output ends, its
 * exit status says whether that was all: before that no last line without a newline is taken for
 * one.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include "files.h"
#include "plot/spawn.h"
#include "roads.h"
#include "files_own.h"

char *
dp_files_unpacker(const char *program)
{
	const char *path = getenv("PATH"), *end;
	struct dp_buf b = { .n = 0 };

	if (path == NULL)
		path = "/usr/bin:/bin";
	for (; *path != '\0'; path = end + (*end == ':')) {
		end = strchrnul(path, ':');
		if (*path != '/')
			continue;
		dp_buf_reset(&b);
		dp_buf_add(&b, path, (size_t)(end - path));
		dp_buf_puts(&b, "/");
		dp_buf_puts(&b, program);
		dp_buf_add(&b, "", 1);
		if (b.error == 0 && access(b.p, X_OK) == 0)
			return b.p;
	}
	dp_buf_free(&b);
	return NULL;
}

const char *
dp_files_name(const struct dp_run *r, int i)
{
	return r->in.file[i].name;
}

bool
dp_files_again(const struct dp_run *r, int i)
{
	return r->in.file[i].fd >= 0;
}

int
dp_files_fd(const struct dp_run *r, int i)
{
	return r->in.file[i].fd;
}

void
dp_files_kept(struct dp_run *r, int i)
{
	r->in.file[i].fd = STDIN_FILENO;
	r->in.file[i].begin = 0;
}

/* Ends a child that may not be at its end. */
static void
stop(struct dp_file *f)
{
	if (f->child == 0)
		return;
	close(f->pipe);
	(void)kill(f->child, SIGKILL);
	(void)dp_spawn_wait(f->child);
	f->child = 0;
}

static int
start(struct dp_file *f)
{
	char *const argv[] = { f->unpacker, (char[]){ "-dc" }, NULL };

	if (lseek(f->fd, 0, SEEK_SET) != 0 ||
	    (f->pipe = dp_spawn(&f->child, argv, f->fd, DP_SPAWN_APART | DP_SPAWN_QUIET)) < 0)
		return DP_EIO;
	return 0;
}

/* A pipe is opened now, and a terminal. */
static void
open_now(struct dp_file *f, const char *name)
{
	if (f->fd >= 0)
		return;
	if (strcmp(name, "-") == 0)
		f->fd = STDIN_FILENO;
	else if ((f->fd = open(name, O_RDONLY | O_CLOEXEC)) < 0)
		dp_die(DP_EX_INPUT, "%s: %s", name, strerror(errno));
}

int
dp_files_begin(struct dp_run *r, int i)
{
	struct dp_file *f = &r->in.file[i];
	off_t at;
	int e;

	r->in.at = i;
	if (f->unpacker != NULL) {
		if ((e = start(f)) == 0)
			dp_reader_attach(r->in.reader, f->pipe);
		return e;
	}
	open_now(f, r->o->operands.file[i]);
	dp_reader_attach(r->in.reader, f->fd);
	if (!f->stays || r->o->priv.pan)
		return 0;
	if ((at = lseek(f->fd, 0, SEEK_CUR)) < 0)
		return DP_EIO;
	dp_reader_limit(r->in.reader, (uint64_t)(at < f->st.st_size ? f->st.st_size - at : 0));
	return 0;
}

int
dp_files_rewind(struct dp_run *r, int i)
{
	struct dp_file *f = &r->in.file[i];

	stop(f);
	return lseek(f->fd, f->begin, SEEK_SET) == f->begin ? 0 : DP_EIO;
}

void
dp_files_end(struct dp_run *r, int i)
{
	struct dp_file *f = &r->in.file[i];

	stop(f);
	if (f->fd > STDERR_FILENO)
		close(f->fd);
	f->fd = -1;
}

/* Lines printed before stand; of a range none was. */
static _Noreturn void
refuse(struct dp_run *r, int status, const char *what)
{
	const bool range = r->o->time.steps == DP_BY_RANGE;
	int e;

	if (!range && (e = dp_out_flush(r->print.out)) != 0)
		dp_run_fail(r, e);
	dp_die(status, "%s: %s%s", r->in.file[r->in.at].name, what,
	    range ? "; nothing of this run is released" : "");
}

static void
wait_for(struct dp_run *r, struct dp_file *f)
{
	int status;

	close(f->pipe);
	status = dp_spawn_wait(f->child);
	f->child = 0;
	if (status != 0)
		refuse(r, DP_EX_INPUT, "cannot be unpacked to its end: it is damaged, or was still "
		    "being written");
}

void
dp_files_try(struct dp_run *r, int i)
{
	struct dp_file *f = &r->in.file[i];
	char block[65536];
	ssize_t n;

	if (f->unpacker == NULL)
		return;
	r->in.at = i;
	if (start(f) != 0)
		dp_run_unreadable(r, DP_EIO, f->name);
	while ((n = read(f->pipe, block, sizeof block)) != 0)
		if (n < 0 && errno != EINTR)
			dp_run_unreadable(r, DP_EIO, f->name);
	sodium_memzero(block, sizeof block);
	wait_for(r, f);
}

/* Reading came to the end of what there is; was it all that there was? */
static bool
cut(const struct dp_run *r, const struct dp_file *f)
{
	struct stat st;
	off_t at;

	if (fstat(f->fd, &st) != 0 || (at = lseek(f->fd, 0, SEEK_CUR)) < 0)
		return true;
	if (r->o->priv.pan)
		return st.st_size < at;
	if (f->st.st_size == 0)			/* and nothing was read of what came later */
		return false;
	if (f->unpacker != NULL && st.st_size != f->st.st_size)
		return true;
	return (r->o->shard.slices == 0 && at < f->st.st_size) || !dp_files_holds(f, false);
}

int
dp_files_ended(void *run)
{
	struct dp_run *r = run;
	struct dp_file *f = &r->in.file[r->in.at];

	if (f->child != 0)
		wait_for(r, f);
	if (f->stays && cut(r, f))
		refuse(r, DP_EX_SYSTEM, "was cut or written over while it was read, as logs are by "
		    "copytruncate: run again");
	return 0;
}
