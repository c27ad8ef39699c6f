/*
 * beforehand.c - what operands are refused for, found before the run is charged and its state is
 * made: a header without the fields that were asked for, partial counts that are none, a file that
 * opens and cannot be read.  All are the operator's, not somebody's record.
 *
 * Read of a file that can be read again: a byte, headers, and partial counts to their end; of a
 * compressed one all, as only its end says whether it is whole.  Of a pipe, if it is the first
 * operand, the beginning, after which dp_run_files() goes on; a later one is read when its turn
 * comes.  With --expect standard input is kept, as a file that can be read again, in memory:
 * partial counts are small, and their number is known at their end alone.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "ask/options_table.h"
#include "files.h"
#include "roads.h"
#include "stream/out.h"

/* Partial counts up to their first row, or to the end of the file. */
static int
read_partial(struct dp_run *r, struct dp_partial *p, const char *name, bool all)
{
	static struct dp_record rec;
	struct dp_event v;
	int rc;

	while ((rc = dp_reader_next(r->in.reader, &rec, -1)) > 0) {
		if (rc == DP_READ_RECORD)
			dp_partial_read(p, &rec, name, &v);
		if (!all && dp_partial_rows(p))
			return DP_READ_RECORD;
	}
	if (rc == DP_READ_END)
		dp_partial_end(p, name, dp_reader_unended(r->in.reader));
	return rc;
}

static int
read_some(struct dp_run *r, struct dp_partial *p, int i, const char *name, bool all)
{
	int rc = r->o->form.header ? dp_run_header(r, i, name) : read_partial(r, p, name, all);

	if (rc < 0)
		dp_run_unreadable(r, rc, name);
	return rc;
}

static void
read_and_rewind(struct dp_run *r, struct dp_partial *p, int i)
{
	const char *name = dp_files_name(r, i);

	if (dp_files_begin(r, i) != 0)
		dp_run_unreadable(r, DP_EIO, name);
	(void)read_some(r, p, i, name, true);
	if (dp_files_rewind(r, i) != 0)
		dp_run_unreadable(r, DP_EIO, name);
}

/* Its first byte, of which nothing stays; of a compressed file all. */
static void
try_to_read(struct dp_run *r, int i)
{
	const int fd = dp_files_fd(r, i);
	const off_t at = lseek(fd, 0, SEEK_CUR);
	char byte;

	if (at >= 0 && pread(fd, &byte, 1, at) < 0 && errno != ESPIPE)
		dp_run_unreadable(r, DP_EIO, dp_files_name(r, i));
	sodium_memzero(&byte, 1);
	dp_files_try(r, i);
}

/* All of standard input to a file without a name, in its place. */
static void
keep_input(struct dp_run *r)
{
	static const char name[] = "standard input";
	char block[1 << 16];
	const int fd = memfd_create("parts", MFD_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		dp_die(DP_EX_SYSTEM, "%s: %s", name, strerror(errno));
	while ((n = read(STDIN_FILENO, block, sizeof block)) != 0) {
		if (n < 0 && errno == EINTR && dp_session_signal == 0)
			continue;
		if (n < 0)
			dp_run_unreadable(r, DP_EIO, name);
		if (dp_write_all(fd, block, (size_t)n) != 0)
			dp_die(DP_EX_SYSTEM, "%s: %s", name, strerror(errno));
	}
	if (dup2(fd, STDIN_FILENO) != STDIN_FILENO || lseek(STDIN_FILENO, 0, SEEK_SET) != 0)
		dp_die(DP_EX_SYSTEM, "%s: %s", name, strerror(errno));
	close(fd);
}

/* --expect: operands that can all be read again; of a named pipe nobody knows beforehand. */
static void
make_parts_files(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	bool kept = false;
	int i;

	if (o->shard.expect == 0)
		return;
	for (i = 0; i < o->operands.n; i++)
		if (dp_files_again(r, i))
			continue;
		else if (strcmp(o->operands.file[i], "-") == 0) {
			if (!kept)
				keep_input(r);
			kept = true;
			dp_files_kept(r, i);
		} else
			need(!dp_charge_due(o) && !o->keep.init, "--expect: %s is no file: what "
			    "it holds must be known before the run is charged and its state made; "
			    "give standard input, or files", o->operands.file[i]);
}

static bool
are_files(const struct dp_run *r)
{
	int i;

	for (i = 0; i < r->o->operands.n; i++)
		if (!dp_files_again(r, i))
			return false;
	return true;
}

void
dp_run_beforehand(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	struct dp_partial *p = NULL;
	int e, i;

	make_parts_files(r);
	if (!(dp_charge_due(o) || o->keep.init || o->shard.expect != 0))
		return;
	for (i = 0; i < o->operands.n; i++)
		if (dp_files_again(r, i))
			try_to_read(r, i);
	if (!o->form.header && !o->shard.partial)
		return;
	if (o->shard.partial && (e = dp_partial_new(&p, o, r->in.events)) != 0)
		dp_run_fail(r, e);
	for (i = 0; i < o->operands.n; i++)
		if (dp_files_again(r, i))
			read_and_rewind(r, p, i);
	if (p != NULL && are_files(r))
		dp_partial_expected(p);
	/* last: the reader stays where it is; a state alone does not wait for its first line */
	if (dp_charge_due(o) && !dp_files_again(r, 0)) {
		if (dp_files_begin(r, 0) != 0)
			dp_run_unreadable(r, DP_EIO, dp_files_name(r, 0));
		r->in.ahead = read_some(r, r->in.partial, 0, dp_files_name(r, 0), false);
		r->in.looked = true;
	}
	dp_partial_free(p);
}
