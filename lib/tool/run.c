/*
 * run.c - records in, steps out: the loops every line goes through.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sodium.h>

#include "base/stack.h"
#include "partial.h"
#include "run.h"

int64_t
dp_run_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec;
}

_Noreturn void
dp_run_refuse(struct dp_run *r, const char *file, uint64_t line, const struct dp_event *v)
{
	int e;

	if ((e = dp_out_flush(r->out)) != 0 || (e = dp_session_end(r)) != 0)
		dp_run_fail(r, e);
	if (line == 0)		/* not even we know */
		dp_die(DP_EX_INPUT, "%s: %s", file, v->why);
	if (v->name != NULL)
		dp_die(DP_EX_INPUT, "%s:%llu: field %s: %s", file, (unsigned long long)line,
		    v->name, v->why);
	if (v->field != 0)
		dp_die(DP_EX_INPUT, "%s:%llu: field %u: %s", file, (unsigned long long)line,
		    v->field, v->why);
	dp_die(DP_EX_INPUT, "%s:%llu: %s", file, (unsigned long long)line, v->why);
}

/*
 * Every commit must hold either all of a record's effect or none, and its count with it: buckets
 * are closed before the record counts, a line's own step is released after.
 */
static int
take_bucket(struct dp_run *r, const struct dp_record *rec, struct dp_event *v)
{
	int e;

	if (r->o->steps == DP_BY_TIMES && v->timed && (e = dp_bucket_reach(r, v)) != 0)
		return e;
	if (v->counts && (e = dp_bucket_add(r, v)) != 0)
		return e;
	dp_session_count(r, rec);
	return 0;
}

/* A frame of its own: take_and_forget() wipes what is below its own. */
__attribute__((noinline)) static int
take(struct dp_run *r, struct dp_record *rec, const char *file)
{
	struct dp_event v;
	int e;

	if (!dp_session_wants(r, rec))
		return 0;
	if (r->partial != NULL)
		dp_partial_read(r->partial, rec, file, &v);
	else
		dp_events_read(r->events, rec, &v);
	if (v.error != 0)
		return v.error;
	if (r->o->check)
		return dp_check_record(r, rec, file, &v);
	if (r->totals != NULL && (e = dp_total_add(r, &v)) != 0)
		return e;
	if (v.why != NULL && r->o->strict)
		dp_run_refuse(r, file, rec->number, &v);
	if (r->totals != NULL)
		return 0;
	if (r->o->bucket != 0)
		return take_bucket(r, rec, &v);
	/* a record that is not released is not counted: the batch given again stops at it again */
	if (r->o->horizon != 0 && r->t == r->o->horizon)
		return DP_EHORIZON;
	if ((e = dp_cap_admit(r, 0, &v)) != 0)
		return e;
	dp_session_count(r, rec);
	return dp_step_event(r, &v);
}

/* The stack comes last: a signal before that would leave there what registers still hold. */
static int
take_and_forget(struct dp_run *r, struct dp_record *rec, const char *file)
{
	int e = take(r, rec, file), f;

	/* also its length and where its fields were */
	sodium_memzero(rec, sizeof *rec);
	f = dp_events_forget(r->events);
	dp_reader_forget(r->reader);
	dp_stack_wipe(8192);		/* more than twice what a line reaches */
	dp_registers_wipe();
	return e != 0 ? e : f;
}

int
dp_run_header(struct dp_run *r, int i, const char *file)
{
	static struct dp_record rec;
	const char *missing;
	int rc;

	do
		rc = dp_reader_next(r->reader, &rec, -1);
	while (rc == DP_READ_TIMEOUT && dp_session_signal == 0);
	if (rc == DP_READ_RECORD && (missing = dp_events_header(r->events, &rec)) != NULL)
		dp_header_fail(file, i == 0 && (r->o->state == NULL || r->o->init), &rec, missing);
	sodium_memzero(&rec, sizeof rec);
	return rc == DP_READ_TIMEOUT ? 0 : rc;		/* stopped before it came */
}

/* --from/--to with a plain string to match: only lines that hold it are looked at. */
static int
run_matches(struct dp_run *r, const char *file)
{
	static struct dp_record rec;
	const char *at;
	char *p, *e;
	int rc, fault;

	while ((rc = dp_reader_span(r->reader, &p, &e, -1)) > 0 && dp_session_signal == 0) {
		if (rc != DP_READ_RECORD)
			continue;
		for (at = p; at < e && (rc = dp_events_seek(r->events, &at, e, &rec.text)) > 0; )
			if ((fault = take(r, &rec, file)) != 0)
				return fault;
		if (rc < 0)
			return rc;
	}
	return rc < 0 ? rc : 0;
}

/*
 * Whether the allowances of users decide, and records are counted in buckets, of which nobody but
 * the process sees a part.  Terms are the last record's.
 */
static bool
many_users(const struct dp_run *r)
{
	const struct dp_options *o = r->o;

	return r->users != NULL && o->per_user != 0 && !o->per_step && o->bucket != 0 &&
	    o->steps != DP_BY_CLOCK && r->tool->shape != DP_SHAPE_VECTOR && !o->strict &&
	    !o->pan && !o->check && o->state == NULL && r->partial == NULL && r->totals == NULL;
}

#define AHEAD	16

/*
 * Some records are read before the first of them counts: by then what is kept of their users is on
 * its way from memory, which a table of a million does not share with the cache.
 */
static int
run_users(struct dp_run *r)
{
	static struct dp_record rec;
	struct dp_event v[AHEAD];
	size_t n, i;
	int rc, e;

	while ((rc = dp_reader_next(r->reader, &rec, -1)) > 0 && dp_session_signal == 0) {
		for (n = 0; rc == DP_READ_RECORD && n < AHEAD; n++) {
			dp_events_read(r->events, &rec, &v[n]);
			dp_cap_expect(r, &v[n]);
			rc = n + 1 < AHEAD ? dp_reader_more(r->reader, &rec) : 0;
		}
		for (i = 0; i < n; i++)
			if ((e = v[i].error) != 0 || (e = take_bucket(r, &rec, &v[i])) != 0)
				return e;
		if (rc < 0)
			return rc;
	}
	return rc < 0 ? rc : 0;
}

static int
run_records(struct dp_run *r, const char *file)
{
	static struct dp_record rec;
	const bool clock = r->o->steps == DP_BY_CLOCK && !r->o->check;
	int rc, e;

	if ((e = dp_step_begin(r)) != 0)
		return e;
	for (;;) {
		if (dp_session_signal != 0)	/* lines read already still count */
			dp_reader_stop(r->reader);
		rc = dp_reader_next(r->reader, &rec, clock ? dp_bucket_wait(r) : -1);
		if (rc <= 0)
			return rc;
		if (rc == DP_READ_TIMEOUT && dp_session_signal != 0)
			return 0;
		if (clock && (e = dp_bucket_tick(r)) != 0)
			return e;
		if (rc == DP_READ_RECORD &&
		    (e = (r->o->pan ? take_and_forget : take)(r, &rec, file)) != 0)
			return e;
	}
}

const char *
dp_run_open(const struct dp_run *r, int i, int *fd)
{
	const char *name = r->o->files[i];

	if (strcmp(name, "-") != 0) {
		if ((*fd = open(name, O_RDONLY | O_CLOEXEC)) < 0)
			dp_die(DP_EX_INPUT, "%s: %s", name, strerror(errno));
		return name;
	}
	if (r->no_stdin)
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
	if ((e = dp_out_flush(r->out)) != 0)
		dp_run_fail(r, e);
	dp_die(code == EISDIR || code == EBADF ? DP_EX_INPUT : DP_EX_SYSTEM, "%s: %s", name,
	    strerror(code));
}

/*
 * What reads a compressed file, or NULL.  By its name, which is public: its first bytes may be
 * somebody's record.
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

	for (i = 0; i < o->nfiles; i++)
		if (strcmp(o->files[i], "-") == 0 && r->no_stdin)
			dp_die(DP_EX_INPUT, "standard input is closed");
		else if (strcmp(o->files[i], "-") == 0 && !readable_input())
			dp_die(DP_EX_INPUT, "standard input: %s", strerror(errno));
		else if (strcmp(o->files[i], "-") == 0 && o->pan &&
		    dp_reader_messages(STDIN_FILENO))
			dp_die(DP_EX_INPUT, "standard input: a socket of messages, which "
			    "--pan-private cannot take a line at a time");
		else if ((by = decompressor(o->files[i])) != NULL)
			dp_die(DP_EX_INPUT, "%s: is compressed, by its name; use: %s %s | %s ...",
			    o->files[i], by, o->files[i], r->tool->name);
		else if (strcmp(o->files[i], "-") != 0 && !readable(o->files[i]))
			dp_die(DP_EX_INPUT, "%s: %s", o->files[i], strerror(errno));
}

/* All of an operand's records, on the shortest road that will do. */
static int
records(struct dp_run *r, const char *file)
{
	if (dp_values_many(r))
		return dp_values_run(r, file);
	if (r->state == NULL && dp_events_seekable(r->events))
		return run_matches(r, file);
	return many_users(r) ? run_users(r) : run_records(r, file);
}

/* Its slice alone.  Lines before it are counted where messages have their numbers. */
static int
begin_slice(struct dp_run *r, int fd)
{
	const struct dp_options *o = r->o;
	struct dp_filepart part;
	uint64_t line = 0;
	int e = dp_filepart_find(&part, fd, o->slice, o->slices);

	if (e == 0 && (o->strict || o->check))
		e = dp_filepart_lines(&line, fd, part.begin);
	return e != 0 ? e : dp_reader_part(r->reader, &part, line);
}

/* Up to its first record: DP_READ_RECORD, or as dp_run_header(). */
static int
begin_file(struct dp_run *r, int i, const char **name, int *fd)
{
	if (i == 0 && r->looked) {
		*name = strcmp(r->o->files[0], "-") == 0 ? "standard input" : r->o->files[0];
		*fd = r->ahead_fd;
		return r->ahead;
	}
	*name = dp_run_open(r, i, fd);
	dp_reader_attach(r->reader, *fd);
	if (r->o->slices != 0)
		return begin_slice(r, *fd) == 0 ? DP_READ_RECORD : DP_EIO;
	return r->o->header ? dp_run_header(r, i, *name) : DP_READ_RECORD;
}

int
dp_run_files(struct dp_run *r)
{
	struct dp_options *o = r->o;
	const char *name;
	int i, fd, rc = 0;

	for (i = 0; i < o->nfiles && dp_session_signal == 0; i++) {
		rc = begin_file(r, i, &name, &fd);
		if (rc == DP_READ_RECORD)
			rc = records(r, name);
		if (rc == DP_EIO)
			dp_run_unreadable(r, rc, name);
		if (fd != STDIN_FILENO)
			close(fd);
		if (rc != 0)
			return rc;
		if (r->partial != NULL && dp_session_signal == 0)
			dp_partial_end(r->partial, name, dp_reader_unended(r->reader));
	}
	return 0;
}
