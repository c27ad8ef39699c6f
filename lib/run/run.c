/* run.c - operands: opened, their headers read, and all of their records on a road. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "roads.h"

const char *
dp_run_open(const struct dp_run *r, int i, int *fd)
{
	const char *name = r->o->operands.file[i];

	if (strcmp(name, "-") != 0) {
		if ((*fd = open(name, O_RDONLY | O_CLOEXEC)) < 0)
			dp_die(DP_EX_INPUT, "%s: %s", name, strerror(errno));
		return name;
	}
	if (r->in.no_stdin)
		dp_die(DP_EX_INPUT, "standard input is closed");
	*fd = STDIN_FILENO;
	return "standard input";
}

_Noreturn void
dp_run_unreadable(struct dp_run *r, int e, const char *name)
{
	const int code = errno;

	if (e != DP_EIO)
		dp_run_fail(r, e);
	if ((e = dp_out_flush(r->print.out)) != 0)
		dp_run_fail(r, e);
	dp_die(code == EISDIR || code == EBADF ? DP_EX_INPUT : DP_EX_SYSTEM, "%s: %s", name,
	    strerror(code));
}

/*
 * Program that reads a compressed file, or NULL.  By its name, which is public: its first bytes may
 * be somebody's record.
 */
static const char *
decompressor(const char *name)
{
	static const char *const by[][2] = { { ".gz", "zcat" }, { ".Z", "zcat" },
	    { ".bz2", "bzcat" }, { ".xz", "xzcat" }, { ".zst", "zstdcat" }, { ".lz4", "lz4cat" } };
	const char *end = strrchr(name, '.');
	size_t i;

	for (i = 0; end != NULL && i < sizeof by / sizeof *by; i++)
		if (strcmp(end, by[i][0]) == 0)
			return by[i][1];
	return NULL;
}

/* The file that a shell has opened as standard input has a name, too. */
static const char *
input_decompressor(void)
{
	char name[PATH_MAX + 1] = "";
	struct stat st;

	if (fstat(STDIN_FILENO, &st) != 0 || !S_ISREG(st.st_mode) ||
	    readlink("/proc/self/fd/0", name, PATH_MAX) < 0)
		return NULL;
	return decompressor(name);
}

/* By what is known before it is opened; else errno says why not. */
static bool
readable(const char *name)
{
	struct stat st;

	if (access(name, R_OK) != 0 || stat(name, &st) != 0)
		return false;
	errno = EISDIR;
	return !S_ISDIR(st.st_mode);
}

/* Standard input, likewise. */
static bool
readable_input(void)
{
	const int how = fcntl(STDIN_FILENO, F_GETFL);
	struct stat st;

	errno = EBADF;
	if ((how & O_ACCMODE) == O_WRONLY || fstat(STDIN_FILENO, &st) != 0)
		return false;
	errno = EISDIR;
	return !S_ISDIR(st.st_mode);
}

/* Operands that cannot be read are refused before anything is released. */
void
dp_run_check_files(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const char *by;
	int i;

	for (i = 0; i < o->operands.n; i++)
		if (strcmp(o->operands.file[i], "-") == 0 && r->in.no_stdin)
			dp_die(DP_EX_INPUT, "standard input is closed");
		else if (strcmp(o->operands.file[i], "-") == 0 && !readable_input())
			dp_die(DP_EX_INPUT, "standard input: %s", strerror(errno));
		else if (strcmp(o->operands.file[i], "-") == 0 && o->priv.pan &&
		    dp_reader_messages(STDIN_FILENO))
			dp_die(DP_EX_INPUT, "standard input: a socket of messages, which "
			    "--pan-private cannot take a line at a time");
		else if (strcmp(o->operands.file[i], "-") == 0 &&
		    (by = input_decompressor()) != NULL)
			dp_die(DP_EX_INPUT, "standard input: is compressed, by the file's name; "
			    "use: %s FILE | %s ...", by, r->tool->name);
		else if ((by = decompressor(o->operands.file[i])) != NULL)
			dp_die(DP_EX_INPUT, "%s: is compressed, by its name; use: %s %s | %s ...",
			    o->operands.file[i], by, o->operands.file[i], r->tool->name);
		else if (strcmp(o->operands.file[i], "-") != 0 && !readable(o->operands.file[i]))
			dp_die(DP_EX_INPUT, "%s: %s", o->operands.file[i], strerror(errno));
}

/* Its slice alone.  Lines before it are counted where messages have their numbers. */
static int
begin_slice(struct dp_run *r, int fd)
{
	const struct dp_options *o = r->o;
	struct dp_filepart part;
	uint64_t line = 0;
	int e = dp_filepart_find(&part, fd, o->shard.slice, o->shard.slices);

	if (e == 0 && (o->form.strict || o->print.check))
		e = dp_filepart_lines(&line, fd, part.begin);
	return e != 0 ? e : dp_reader_part(r->in.reader, &part, line);
}

/* Up to its first record: DP_READ_RECORD, or as dp_run_header(). */
static int
begin_file(struct dp_run *r, int i, const char **name, int *fd)
{
	if (i == 0 && r->in.looked) {
		*name = r->o->operands.file[0];
		if (strcmp(*name, "-") == 0)
			*name = "standard input";
		*fd = r->in.ahead_fd;
		return r->in.ahead;
	}
	*name = dp_run_open(r, i, fd);
	dp_reader_attach(r->in.reader, *fd);
	if (r->o->shard.slices != 0)
		return begin_slice(r, *fd) == 0 ? DP_READ_RECORD : DP_EIO;
	return r->o->form.header ? dp_run_header(r, i, *name) : DP_READ_RECORD;
}

int
dp_run_files(struct dp_run *r)
{
	struct dp_options *o = r->o;
	const char *name;
	int i, fd, rc = 0;

	for (i = 0; i < o->operands.n && dp_session_signal == 0; i++) {
		rc = begin_file(r, i, &name, &fd);
		if (rc == DP_READ_RECORD)
			rc = dp_road_run(r, name);
		if (rc == DP_EIO)
			dp_run_unreadable(r, rc, name);
		if (fd != STDIN_FILENO)
			close(fd);
		if (rc != 0)
			return rc;
		if (r->in.partial != NULL && dp_session_signal == 0)
			dp_partial_end(r->in.partial, name, dp_reader_unended(r->in.reader));
	}
	if (r->in.partial != NULL && dp_session_signal == 0) {
		dp_partial_expected(r->in.partial);
		dp_partial_slices(r->in.partial);
	}
	return 0;
}
