/* run.c - operands: opened, their headers read, and all of their records on a road. */
#include <errno.h>
#include <string.h>

#include "files.h"
#include "roads.h"

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
begin_file(struct dp_run *r, int i)
{
	int e;

	if (i == 0 && r->in.looked)
		return r->in.ahead;
	if ((e = dp_files_begin(r, i)) != 0)
		return e;
	if (r->o->shard.slices != 0)
		return begin_slice(r, dp_files_fd(r, i)) == 0 ? DP_READ_RECORD : DP_EIO;
	return r->o->form.header ? dp_run_header(r, i, dp_files_name(r, i)) : DP_READ_RECORD;
}

int
dp_run_files(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const char *name;
	int i, rc = 0;

	for (i = 0; i < o->operands.n && dp_session_signal == 0; i++) {
		name = dp_files_name(r, i);
		rc = begin_file(r, i);
		if (rc == DP_READ_RECORD)
			rc = dp_road_run(r, name);
		if (rc == DP_EIO)
			dp_run_unreadable(r, rc, name);
		dp_files_end(r, i);
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
