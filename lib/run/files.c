/*
 * files.c - operands: opened all at once, and which of them are one file.
 *
 * Between the first open(2) and the last a log may be renamed, and then two names lead to one file,
 * or a file has no name: so names are looked at again when all is open.  A file that is cut or
 * written over keeps its name; its size, and a hash of its first and last bytes, say so.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <sodium.h>

#include "files.h"
#include "process.h"
#include "stream/packed.h"
#include "files_own.h"

#define TRIES	20
#define OTHERS	64		/* descriptors that a run needs besides */

static bool
is_input(const char *name)
{
	return strcmp(name, "-") == 0;
}

/* The n bytes at `at`, into the hash; false: they are not all there. */
static bool
take(crypto_generichash_state *h, int fd, off_t at, size_t n)
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
	all = take(&h, fd, 0, n) && ((off_t)n == size || take(&h, fd, size - (off_t)n, n));
	crypto_generichash_final(&h, hash, DP_FILE_MARK);
	return all;
}

bool
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
same(const struct dp_file *f, const char *name, bool pan)
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
	static const char moved[] = "its name leads to another file each time";
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
		if (!same(&r->in.file[i], o->operands.file[i], o->priv.pan))
			return moved;
	}
	if (o->time.steps == DP_BY_RANGE && !o->time.once &&
	    (*which = dp_files_copying(r)) != NULL)
		return "it was copied just now, and what it is a copy of is not cut yet, so that "
		    "lines would count twice";
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
	    readlink("/proc/self/fd/0", name, PATH_MAX) < 0)
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
		dp_die(DP_EX_INPUT, "standard input: is compressed, by the file's name; give the "
		    "file by its name: %s FILE", r->tool->name);
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
		    "not in PATH", name, program);
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

/* A log that is being compressed is there twice for a while; names alone say so. */
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
	const uint64_t d = k == 1 ? 0 : s->st_dev, e = l == 1 ? 0 : t->st_dev;
	const uint64_t m = k == 1 ? s->st_rdev : s->st_ino, n = l == 1 ? t->st_rdev : t->st_ino;

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
	const struct dp_file **f = calloc((size_t)n, sizeof *f);
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
			dp_die(DP_EX_INPUT, "%s: is compressed, by its name, and no regular file",
			    f->name);
		if (f->unpacker != NULL && f->stays && f->st.st_size == 0)
			dp_die(DP_EX_INPUT, "%s: is empty, which no compressed file is", f->name);
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
