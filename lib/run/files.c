/* SPDX-License-Identifier: ISC */
/* files.c - operands: opened, read one after another, and their header lines. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "input/event.h"
#include "input/record.h"
#include "input/spawn.h"
#include "store/run.h"
#include "internal.h"

static char *dp_files_unpacker(const char *program);
static const struct dp_file *dp_files_copying(const struct dp_run *);
static void dp_files_beside(const struct dp_run *);

/*
 * Operands: opened all at once, and which of them are one file.
 *
 * Between the first open(2) and the last a log may be renamed, and then two names lead to one file,
 * or a file has no name: so names are looked at again when all is open.  A file that is cut or
 * written over keeps its name; its size, and a hash of its first and last bytes, say so.
 */

#define TRIES	20
#define OTHERS	64		/* descriptors that a run needs besides */

static bool
is_input(const char *name)
{
	return strcmp(name, "-") == 0;
}

/* The n bytes at `at`, into the hash; false: they are not all there. */
static bool
take_files(crypto_generichash_state *h, int fd, off_t at, size_t n)
{
	char block[4096];
	const bool all = pread(fd, block, n, at) == (ssize_t)n;

	crypto_generichash_update(h, (const uint8_t *)block, all ? n : 0);
	sodium_memzero(block, sizeof block);
	return all;
}

/* False: it has not got these bytes.  -P looks only whether an empty file is empty. */
static bool
mark(uint8_t hash[static DP_FILE_MARK], int fd, off_t size, bool pan)
{
	const size_t n = size < 4096 ? (size_t)size : 4096;
	crypto_generichash_state h;
	bool all = true;
	char byte;

	memset(hash, 0, DP_FILE_MARK);
	if (size == 0)
		return pread(fd, &byte, 1, 0) == 0;
	if (pan)
		return true;
	crypto_generichash_init(&h, NULL, 0, DP_FILE_MARK);
	all = take_files(&h, fd, 0, n) && ((off_t)n == size || take_files(&h, fd, size - (off_t)n,
	    n));
	crypto_generichash_final(&h, hash, DP_FILE_MARK);
	return all;
}

/* files.c: a regular file that is open begins with all that it held. */
static bool
dp_files_holds(const struct dp_file *f, bool pan)
{
	uint8_t now[DP_FILE_MARK];
	struct stat st;

	return fstat(f->fd, &st) == 0 && st.st_size >= f->st.st_size &&
	    mark(now, f->fd, f->st.st_size, pan) == f->stays &&
	    memcmp(now, f->mark, sizeof now) == 0;
}

/* True: its name still leads to what is open, and that holds what it held. */
static bool
same_files(const struct dp_file *f, const char *name, bool pan)
{
	struct stat st;

	if (f->fd < 0)
		return true;
	if (!is_input(name) && (stat(name, &st) != 0 || st.st_dev != f->st.st_dev ||
	    st.st_ino != f->st.st_ino))
		return false;
	return dp_files_holds(f, pan);
}

static _Noreturn void
too_many(int n)
{
	struct rlimit limit = { 0, 0 };

	(void)getrlimit(RLIMIT_NOFILE, &limit);
	dp_die(DP_EX_SYSTEM, "%d files are more than may be open at once (ulimit -n: %llu), which "
	    "they must be, so that a log rotated meanwhile is read once: raise the limit, or "
	    "give fewer", n, (unsigned long long)limit.rlim_cur);
}

/* False: it cannot be opened. */
static bool
open_one(struct dp_run *r, int i)
{
	struct dp_file *f = &r->in.file[i];
	const char *name = r->o->operands.file[i];

	f->fd = -1;
	if (is_input(name) ? fstat(STDIN_FILENO, &f->st) != 0 : stat(name, &f->st) != 0)
		return false;
	if (!S_ISREG(f->st.st_mode))	/* a pipe would wait for its writer */
		return true;
	f->fd = is_input(name) ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0 && (errno == EMFILE || errno == ENFILE))
		too_many(r->o->operands.n);
	if (f->fd < 0 || fstat(f->fd, &f->st) != 0)
		return false;
	f->begin = lseek(f->fd, 0, SEEK_CUR);
	f->stays = mark(f->mark, f->fd, f->st.st_size, r->o->priv.pan);
	return true;
}

static void
close_all(struct dp_run *r)
{
	int i;

	for (i = 0; i < r->o->operands.n; i++) {
		if (r->in.file[i].fd > STDERR_FILENO)
			close(r->in.file[i].fd);
		r->in.file[i].fd = -1;
	}
}

/* Opens all and looks at them again.  NULL, or why another try is due, and of which file. */
static const char *
open_all(struct dp_run *r, bool first, const struct dp_file **which)
{
	static const char moved[] = "its name leads to another file each time it is opened";
	const struct dp_options *o = r->o;
	int i;

	for (i = 0; i < o->operands.n; i++) {
		*which = &r->in.file[i];
		if (open_one(r, i))
			continue;
		if (first)
			dp_die(DP_EX_INPUT, "%s: %s", r->in.file[i].name, strerror(errno));
		return moved;
	}
	for (i = 0; i < o->operands.n; i++) {
		*which = &r->in.file[i];
		if (!same_files(&r->in.file[i], o->operands.file[i], o->priv.pan))
			return moved;
	}
	if (o->time.steps == DP_BY_RANGE && !o->time.once &&
	    (*which = dp_files_copying(r)) != NULL)
		return "it was just copied, and the original is not emptied yet, so lines would "
		    "count twice";
	return NULL;
}

static void
raise_limit(int n)
{
	const rlim_t need = (rlim_t)n + OTHERS;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= need)
		return;
	limit.rlim_cur = limit.rlim_max < need ? limit.rlim_max : need;
	(void)setrlimit(RLIMIT_NOFILE, &limit);		/* open(2) says what is missing */
}

/* By what is known before it is opened; else errno says why not. */
static bool
readable(const char *name)
{
	const int how = is_input(name) ? fcntl(STDIN_FILENO, F_GETFL) : O_RDONLY;
	struct stat st;

	errno = EBADF;
	if ((how & O_ACCMODE) == O_WRONLY)
		return false;
	if (is_input(name) ? fstat(STDIN_FILENO, &st) != 0 :
	    access(name, R_OK) != 0 || stat(name, &st) != 0)
		return false;
	errno = EISDIR;
	return !S_ISDIR(st.st_mode);
}

/* Sets the name of the file that a shell has opened as standard input, if it is known. */
static void
input_name(char name[static PATH_MAX + 1])
{
	struct stat st;

	if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode) &&
	    !dp_os_name(STDIN_FILENO, name, PATH_MAX + 1))
		*name = '\0';
}

/* Refuses an archive, which holds several files, and standard input that is compressed. */
static void
check_packed(const struct dp_run *r, const char *name)
{
	char input[PATH_MAX + 1] = "";
	const char *command;
	size_t stem;

	if (is_input(name))
		input_name(input);
	if ((command = dp_archived_by(is_input(name) ? input : name)) != NULL)
		dp_die(DP_EX_INPUT, "%s: is an archive, by %s name; unpack it: %s %s | %s ...",
		    is_input(name) ? "standard input" : name, is_input(name) ? "the file's" : "its",
		    command, is_input(name) ? "FILE" : name, r->tool->name);
	if (is_input(name) && dp_packed_by(input, &stem) != NULL)
		dp_die(DP_EX_INPUT, "standard input: is a compressed file, by its name; give the "
		    "name instead: %s FILE", r->tool->name);
}

static void
name_one(struct dp_run *r, int i)
{
	struct dp_file *f = &r->in.file[i];
	const char *name = r->o->operands.file[i], *program;
	size_t stem;

	f->fd = -1;
	f->name = is_input(name) ? "standard input" : name;
	if (is_input(name) && r->in.no_stdin)
		dp_die(DP_EX_INPUT, "standard input is closed");
	if (!readable(name))
		dp_die(DP_EX_INPUT, "%s: %s", f->name, strerror(errno));
	if (is_input(name) && r->o->priv.pan && dp_reader_messages(STDIN_FILENO))
		dp_die(DP_EX_INPUT, "standard input: a socket of messages, which --pan-private "
		    "cannot take a line at a time");
	check_packed(r, name);
	if ((program = dp_packed_by(name, &stem)) != NULL &&
	    (f->unpacker = dp_files_unpacker(program)) == NULL)
		dp_die(DP_EX_INPUT, "%s: is compressed, by its name, and %s, which unpacks it, is "
		    "not in PATH: it is in the package %s", name, program,
		    dp_packed_package(program));
}

/* Order of names without the suffix of a compressed file, and without "./" before them. */
static int
by_stem(const void *a, const void *b)
{
	const struct dp_file *f = *(const struct dp_file *const *)a,
	    *g = *(const struct dp_file *const *)b;
	const char *p = f->name, *q = g->name;
	size_t m, n;
	int c;

	while (strncmp(p, "./", 2) == 0)
		p += 2;
	while (strncmp(q, "./", 2) == 0)
		q += 2;
	(void)dp_packed_by(p, &m);
	(void)dp_packed_by(q, &n);
	c = memcmp(p, q, m < n ? m : n);
	return c != 0 ? c : (m > n) - (m < n);
}

/* A log that is being compressed is given twice for a while; names alone say so. */
static void
refuse_copies(const struct dp_file **f, int n)
{
	int i;

	qsort(f, (size_t)n, sizeof *f, by_stem);
	for (i = 1; i < n; i++)
		if (by_stem(&f[i - 1], &f[i]) == 0 && strcmp(f[i - 1]->name, f[i]->name) != 0 &&
		    (f[i - 1]->unpacker != NULL || f[i]->unpacker != NULL))
			dp_die(DP_EX_USAGE, "%s and %s may be the same log: give one",
			    f[i - 1]->unpacker == NULL ? f[i - 1]->name : f[i]->name,
			    f[i - 1]->unpacker == NULL ? f[i]->name : f[i - 1]->name);
}

/* Order of files that give the same bytes each time; those that do not, as pipes, come last. */
static int
by_file(const void *a, const void *b)
{
	const struct stat *s = &(*(const struct dp_file *const *)a)->st,
	    *t = &(*(const struct dp_file *const *)b)->st;
	const int k = !S_ISREG(s->st_mode) + (!S_ISREG(s->st_mode) && !S_ISBLK(s->st_mode)),
	    l = !S_ISREG(t->st_mode) + (!S_ISREG(t->st_mode) && !S_ISBLK(t->st_mode));
	const uint64_t d = k == 1 ? 0 : (uint64_t)s->st_dev, e = l == 1 ? 0 : (uint64_t)t->st_dev;
	const uint64_t m = k == 1 ? (uint64_t)s->st_rdev : s->st_ino,
	    n = l == 1 ? (uint64_t)t->st_rdev : t->st_ino;

	if (k != l)
		return k - l;
	return d != e ? (d > e) - (d < e) : (m > n) - (m < n);
}

static void
refuse_twice(const struct dp_file **f, int n)
{
	int i;

	qsort(f, (size_t)n, sizeof *f, by_file);
	for (i = 1; i < n; i++) {
		if (by_file(&f[i - 1], &f[i]) != 0 ||
		    !(S_ISREG(f[i]->st.st_mode) || S_ISBLK(f[i]->st.st_mode)))
			continue;
		if (strcmp(f[i - 1]->name, f[i]->name) == 0)
			dp_die(DP_EX_USAGE, "%s is given twice: its events would count twice",
			    f[i]->name);
		dp_die(DP_EX_USAGE, "%s and %s are one file, whose events would count twice: give "
		    "one", f[i - 1]->name, f[i]->name);
	}
}

static void
check_all(struct dp_run *r, void (*refuse)(const struct dp_file **, int))
{
	const int n = r->o->operands.n;
	const struct dp_file **f = calloc((unsigned)n, sizeof *f);
	int i;

	if (f == NULL)
		dp_run_fail(r, DP_ENOMEM);
	for (i = 0; i < n; i++)
		f[i] = &r->in.file[i];
	refuse(f, n);
	free(f);
}

/* Between two tries is some time, in which whoever rotates may come to an end. */
static void
open_steadily(struct dp_run *r)
{
	const struct timespec wait = { .tv_nsec = 50000000 };
	const struct dp_file *which;
	const char *why;
	int i;

	for (i = 0; (why = open_all(r, i == 0, &which)) != NULL; i++) {
		if (i + 1 == TRIES)
			dp_die(DP_EX_SYSTEM, "%s: is being rotated: %s; nothing was read: run "
			    "again", which->name, why);
		close_all(r);
		(void)nanosleep(&wait, NULL);
	}
}

void
dp_files_open(struct dp_run *r)
{
	const int n = r->o->operands.n;
	struct dp_file *f;
	int i;

	if ((r->in.file = calloc((size_t)n, sizeof *r->in.file)) == NULL)
		dp_run_fail(r, DP_ENOMEM);
	for (i = 0; i < n; i++)
		name_one(r, i);
	check_all(r, refuse_copies);
	raise_limit(n);
	open_steadily(r);
	check_all(r, refuse_twice);
	if (r->o->time.next)
		dp_files_beside(r);
	for (i = 0; i < n; i++) {
		f = &r->in.file[i];
		if (f->unpacker != NULL && f->fd < 0)
			dp_die(DP_EX_INPUT, "%s: has the name of a compressed file, but is not a "
			    "regular file",
			    f->name);
		if (f->unpacker != NULL && f->stays && f->st.st_size == 0)
			dp_die(DP_EX_INPUT, "%s: is empty, which no compressed file is: was it "
			    "written to its end?", f->name);
		if (r->o->priv.pan)
			f->st.st_size = 0;	/* it would tell how long lines were */
	}
}

void
dp_files_free(struct dp_run *r)
{
	int i;

	if (r->in.file == NULL)
		return;
	for (i = 0; i < r->o->operands.n; i++) {
		dp_files_end(r, i);
		free(r->in.file[i].unpacker);
	}
	free(r->in.file);
	r->in.file = NULL;
}

/*
 * Operands, read one after another; and that each was read whole (internal.h).
 *
 * A compressed file is unpacked by a child, on a processor of its own.  When its output ends, its
 * exit status says whether that was all: before that no last line without a newline is taken for
 * one.
 */

/* files.c: path of a program, by the absolute folders in PATH; NULL: there is none. */
static char *
dp_files_unpacker(const char *program)
{
	const char *path = getenv("PATH"), *end;
	struct dp_buf b = { .n = 0 };

	if (path == NULL)
		path = "/usr/bin:/bin";
	for (; *path != '\0'; path = end + (*end == ':')) {
		end = path + strcspn(path, ":");
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

/*
 * Logs that are being rotated, by their names and times.
 *
 * A log that was NAME is called NAME.1 or NAME-20260501; a suffix may follow.  Two things no look
 * at the open files alone can tell.  The log was renamed after the command was given its names, so
 * that its last days are in a file that is not among them: with --next they would be lost for good.
 * Or it was copied, and is to be cut (copytruncate): till then lines are there twice.
 */

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
	uint64_t inode, c, l;

	if (copy->fd < 0 || log->fd < 0 || copy->unpacker != NULL ||
	    !is_recent(&copy->st, COPIED) ||
	    dp_os_born(copy->fd, "", &inode, &c) != 0 || dp_os_born(log->fd, "", &inode, &l) != 0)
		return false;
	return l != 0 && c > l;
}

/*
 * files.c.  All are open: one that is a copy of another, which may still be cut; NULL:
 * there is none.
 */
static const struct dp_file *
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
			dp_die(DP_EX_SYSTEM, "%s%s was made or renamed in the last %d minutes, "
			    "and is not among the files: what %s held before would be lost; "
			    "nothing was read: run again with both", folder, e->d_name,
			    NAMED / 60, name);
	if (d != NULL)
		closedir(d);
	free(folder);
}

/* --next: exits if a log was renamed lately to what is not among the operands. */
static void
dp_files_beside(const struct dp_run *r)
{
	const struct dp_ask_operands *o = &r->o->operands;
	int i;

	for (i = 0; i < o->n; i++)
		if (r->in.file[i].fd > STDERR_FILENO && r->in.file[i].unpacker == NULL)
			look_beside(r, o->file[i]);
}

/*
 * The header line: which it is, and one without a field that an option names.
 *
 * Header lines are public (dputils(7), WHAT IS PUBLIC), and the message has their names.  A line
 * with a number in it, however it is cut, is rather one of data, for which -H was given by mistake,
 * and a file after the first rather the second piece of one: nothing of either is shown.
 *
 * The form of a file is told by its first bytes here and by --check alone, as both are public.
 * Without a header they are somebody's event, and who wrote it would decide how the run ends.
 */

#define NAMES	20
#define TEXT	400		/* bytes of all names, and some more */

/* True: a piece of it begins as numbers do, if it is cut at any delimiter and has quotes. */
static bool
has_number(struct dp_slice s)
{
	bool begins = true;
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (begins && memchr("0123456789+-.", s.p[i], 13) != NULL)
			return true;
		begins = memchr(";\t,| \"'", s.p[i], 7) != NULL;
	}
	return false;
}

static bool
has_names(const struct dp_record *rec)
{
	unsigned i;

	for (i = 1; i <= rec->nfields; i++)
		if (rec->field[i].p != NULL && has_number(rec->field[i]))
			return false;
	return true;
}

const char *
dp_header_delimiter(const struct dp_record *rec)
{
	static const struct { char c; const char *hint; } known[] = {
		{ ';', "-F ';' cuts it at semicolons" }, { '\t', "--tsv cuts it at tabs" },
		{ ',', "--csv cuts it at commas" }, { '|', "-F '|' cuts it at bars" },
		{ ' ', "without -F, --csv and --tsv it is cut at blanks" } };
	size_t i;

	if (rec->nfields != 1 || rec->field[1].p == NULL)
		return NULL;
	for (i = 0; i < sizeof known / sizeof *known; i++)
		if (memchr(rec->field[1].p, known[i].c, rec->field[1].n) != NULL)
			return known[i].hint;
	return NULL;
}

/* A title above the rows, which are cut as they should be: blanks stand in it, and nothing else. */
static bool
is_title(const struct dp_record *rec)
{
	const char *hint = dp_header_delimiter(rec);

	return hint != NULL && strncmp(hint, "without", 7) == 0;
}

/* A header of one field that should be several. */
static _Noreturn void
uncut(const char *file, const struct dp_record *rec, unsigned number)
{
	struct dp_buf b = { .p = NULL };

	dp_shown_put(&b, rec->field[1]);
	dp_buf_add(&b, "", 1);
	if (b.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	dp_die(DP_EX_USAGE, "%s: the header has no field %u: it has '%.*s' (%s)", file, number,
	    TEXT, b.p, dp_header_delimiter(rec));
}

/* Its fields are counted for the operator, if names are. */
static _Noreturn void
too_few(const char *file, bool first, const struct dp_record *rec, unsigned number)
{
	if (!first)
		dp_die(DP_EX_USAGE, "%s: the header has no field %u: with -H each file must begin "
		    "with a header, as the first", file, number);
	if (!has_names(rec))
		dp_die(DP_EX_USAGE, "%s: the header has no field %u: it has a number among its "
		    "names, as lines of data do", file, number);
	if (dp_header_delimiter(rec) != NULL)
		uncut(file, rec, number);
	dp_die(DP_EX_USAGE, "%s: the header has no field %u: it has %u", file, number,
	    rec->nfields);
}

/* What stands above the names, by the first bytes, or around them; NULL: nothing. */
static const char *
around(const struct dp_record *rec, bool names)
{
	const struct dp_slice s = rec->nfields == 0 ? (struct dp_slice){ NULL, 0 } : rec->field[1];

	if (s.p == NULL || s.n == 0)
		return NULL;
	return s.n >= 4 && memcmp(s.p, "sep=", 4) == 0 ? "sed 1d takes off Excel's line above it" :
	    *s.p == '#' ? "grep -v '^#' takes off the lines above it" : !names ? NULL :
	    *s.p == '"' ? "--csv takes off the quotes" : dp_header_delimiter(rec);
}

static _Noreturn void
fail(const char *file, bool first, const struct dp_record *rec, const char *missing)
{
	const char *hint = around(rec, has_names(rec));
	struct dp_buf b = { .p = NULL };
	unsigned i;

	if (!first)
		dp_die(DP_EX_USAGE, "%s: the header has no field '%s': with -H each file must "
		    "begin with a header, as the first", file, missing);
	if (!has_names(rec))
		dp_die(DP_EX_USAGE, "%s: the header has no field '%s': it has a number among its "
		    "names, as lines of data do%s%s%s", file, missing, hint != NULL ? " (" : "",
		    hint != NULL ? hint : "", hint != NULL ? ")" : "");
	for (i = 1; i <= rec->nfields && i <= NAMES && b.n < TEXT; i++) {
		dp_buf_puts(&b, i == 1 ? "'" : ", '");
		if (rec->field[i].p != NULL)
			dp_shown_put(&b, rec->field[i]);
		dp_buf_puts(&b, "'");
	}
	dp_buf_puts(&b, i <= rec->nfields ? ", ..." : "");
	dp_buf_add(&b, "", 1);
	if (b.error != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	dp_die(DP_EX_USAGE, "%s: the header has no field '%s': it has %s%s%s%s", file, missing,
	    b.p, hint != NULL ? " (" : "", hint != NULL ? hint : "", hint != NULL ? ")" : "");
}

static bool
begins(struct dp_slice s, const char *with, size_t n)
{
	return s.n >= n && memcmp(s.p, with, n) == 0;
}

void
dp_header_text(const char *file, const struct dp_record *rec)
{
	static const struct { const char *magic; size_t n; const char *is, *by; } known[] = {
		{ "\xff\xfe", 2, "UTF-16", "iconv -f UTF-16 -t UTF-8" },
		{ "\xfe\xff", 2, "UTF-16", "iconv -f UTF-16 -t UTF-8" },
		{ "\x1f\x8b", 2, "compressed", "zcat" }, { "\x1f\x9d", 2, "compressed", "zcat" },
		{ "BZh", 3, "compressed", "bzcat" }, { "\xfd" "7zXZ", 5, "compressed", "xzcat" },
		{ "\x28\xb5\x2f\xfd", 4, "compressed", "zstdcat" },
		{ "\x04\x22\x4d\x18", 4, "compressed", "lz4cat" },
		{ "PK\x03\x04", 4, "a zip archive or a spreadsheet", "unzip -p" } };
	const struct dp_slice s = rec->text.p != NULL || rec->nfields == 0 ? rec->text :
	    rec->field[1];
	size_t i;

	for (i = 0; s.p != NULL && i < sizeof known / sizeof *known; i++)
		if (begins(s, known[i].magic, known[i].n))
			dp_die(DP_EX_INPUT, "%s: is %s, by its first bytes; use: %s %s | ...", file,
			    known[i].is, known[i].by, strcmp(file, "standard input") == 0 ?
			    "FILE" : file);
}

/* One record; 0: there is none, or a signal came before it. */
static int
next_header(struct dp_run *r, struct dp_record *rec)
{
	int rc;

	do
		rc = dp_reader_next(r->in.reader, rec, -1);
	while (rc == DP_READ_TIMEOUT && dp_session_signal == 0);
	return rc == DP_READ_TIMEOUT ? 0 : rc;
}

#define FIELDS		"#Fields:"
#define DIRECTIVES	100		/* before the fields, at most */

/* The first line of a log in the W3C's extended format, as IIS writes it. */
static bool
is_directive(const struct dp_record *rec)
{
	static const char *const known[] = { "#Software:", "#Version:", "#Date:", FIELDS,
	    "#Start-Date:", "#Remark:" };
	size_t i;

	for (i = 0; rec->text.p != NULL && i < sizeof known / sizeof *known; i++)
		if (begins(rec->text, known[i], strlen(known[i])))
			return true;
	return false;
}

/*
 * Such a log names its fields in one of the lines that begin with #; those before it belong to the
 * header.  As for DP_READ_RECORD the record becomes the names alone.
 */
static int
find_fields(struct dp_run *r, struct dp_record *rec, const char *file)
{
	const struct dp_options *o = r->o;
	const size_t word = strlen(FIELDS);
	unsigned n;
	int rc;

	for (n = 0; !begins(rec->text, FIELDS, word); n++) {
		if (n == DIRECTIVES || rec->text.n == 0 || *rec->text.p != '#')
			dp_die(DP_EX_USAGE, "%s: the header has no line '#Fields: ...' with the "
			    "names of its fields", file);
		if ((rc = next_header(r, rec)) != DP_READ_RECORD)
			return rc;
	}
	rec->text.p += word;
	rec->text.n -= word;
	if (rec->text.n > 0 && (*rec->text.p == ' ' || *rec->text.p == '\t')) {
		rec->text.p++;
		rec->text.n--;
	}
	dp_record_cut(rec, o->form.delimiter, DP_FIELDS_MAX);
	return DP_READ_RECORD;
}

static void
check_header(struct dp_run *r, int i, const char *file, const struct dp_record *rec)
{
	const bool first = i == 0 && (r->o->keep.state == NULL || r->o->keep.init);
	const char *missing = dp_events_header(r->in.events, rec);
	unsigned number;

	if (missing != NULL)
		fail(file, first, rec, missing);
	if ((number = dp_events_lacks(r->in.events, rec)) != 0 && !is_title(rec))
		too_few(file, first, rec, number);
}

/* The header that no csvlog has: its columns, by their names. */
static void
find_columns(struct dp_record *rec)
{
	const char *p = dp_log_csvlog, *end;

	*rec = (struct dp_record){ .text = { p, strlen(p) } };
	for (; p != NULL; p = *end == '\0' ? NULL : end + 1) {
		end = p + strcspn(p, ",");
		rec->field[++rec->nfields] = (struct dp_slice){ p, (size_t)(end - p) };
	}
}

int
dp_run_header(struct dp_run *r, int i, const char *file)
{
	static struct dp_record rec;
	bool directives;
	int rc;

	if (dp_options_csvlog(r->o)) {
		find_columns(&rec);
		check_header(r, i, file, &rec);
		return DP_READ_RECORD;
	}
	rc = next_header(r, &rec);
	if (rc == DP_READ_RECORD) {
		dp_header_text(file, &rec);
		directives = !r->o->form.csv && is_directive(&rec);
		if (dp_options_w3c(r->o) && !directives)
			dp_die(DP_EX_USAGE, "%s: a log of W3C's format begins with lines such as "
			    "#Version: and #Fields:, and this one does not", file);
		dp_events_directives(r->in.events, directives);
		if (directives)
			rc = find_fields(r, &rec, file);
	}
	if (rc == DP_READ_RECORD)
		check_header(r, i, file, &rec);
	sodium_memzero(&rec, sizeof rec);
	return rc;
}
