/*
 * run.c - records in, steps out: the loops every line goes through.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sodium.h>

#include "partial.h"
#include "run.h"

int64_t
dp_run_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec;
}

/* The place of a malformed record; never its content. */
static _Noreturn void
strict_fail(struct dp_run *r, const char *file, uint64_t line, const struct dp_event *v)
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
		strict_fail(r, file, rec->number, &v);
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

/* The line itself is the reader's to wipe; what parsing and stepping left on the stack is ours. */
static int
take_and_forget(struct dp_run *r, struct dp_record *rec, const char *file)
{
	int e = take(r, rec, file), f;

	/* also its length and where its fields were */
	sodium_memzero(rec, sizeof *rec);
	f = dp_events_forget(r->events);
	sodium_stackzero(8192);		/* more than twice what a line reaches */
	return e != 0 ? e : f;
}

/*
 * Whether steps can be taken many at a time: a line is a step of one number, and of what is kept in
 * memory or in a state nobody sees a part.
 */
static bool
many_at_a_time(const struct dp_run *r)
{
	const struct dp_options *o = r->o;

	return dp_step_plain(r) && r->nest == 1 && r->plan.mech->inputs == 1 && !o->pan &&
	    !o->check && o->bucket == 0 && o->state == NULL && r->totals == NULL &&
	    r->partial == NULL && !r->tool->map;
}

/* Whether besides a line is nothing but its number. */
static bool
plain_numbers(const struct dp_run *r)
{
	const struct dp_options *o = r->o;

	return !o->csv && !o->header && !o->strict && o->match == NULL &&
	    (o->value.number | o->key.number | o->user.number | o->time.number) == 0 &&
	    o->conditions == 0 && !dp_options_formed(o);
}

/* One line [p, nl) to its value, as dp_events_read() maps it. */
static int64_t
line_value(const struct dp_options *o, const char *p, const char *nl)
{
	int64_t v;

	if (nl > p && nl[-1] == '\r')
		nl--;
	if (nl == p || dp_decimal_parse(&v, p, (size_t)(nl - p), o->places) != 0)
		return 0;
	return v < o->lo ? o->lo : v > o->hi ? o->hi : v;
}

#define BATCH	256

/*
 * The digits of four lines of one digit each, as they stand at p, in steps of 16 bits; false:
 * they are not.
 */
static bool
four_digits(const char *p, uint64_t *w)
{
	const uint64_t ones = 0x0001000100010001;

	memcpy(w, p, sizeof *w);
	*w = le64toh(*w) ^ ('0' + '\n' * 256) * ones;
	return ((*w | (*w + 6 * ones)) & ~(15 * ones)) == 0;
}

/* Values of up to BATCH lines of [p, e), digits one at a time: on short lines that beats memchr. */
static size_t
read_values(const struct dp_options *o, const char **at, const char *e, int64_t *x)
{
	const char *p = *at, *nl;
	int64_t digit[10];
	size_t n = 0;
	uint64_t w;
	int i;

	for (i = 0; i < 10; i++)
		digit[i] = line_value(o, &"0123456789"[i], &"0123456789"[i + 1]);
	while (n < BATCH && p < e) {
		if (n <= BATCH - 4 && e - p >= 8 && four_digits(p, &w)) {
			for (i = 0; i < 4; i++, w >>= 16)
				x[n++] = digit[w & 15];
			p += 8;
			continue;
		}
		nl = memchr(p, '\n', (size_t)(e - p));
		x[n++] = line_value(o, p, nl);
		p = nl + 1;
	}
	*at = p;
	return n;
}

/* n estimates, a line each; flushes when the block is full. */
static int
write_values(struct dp_out *out, const dp_wide *y, size_t n, unsigned places)
{
	char *q = out->buf + out->n;
	/* The block's slack is room. */
	const char *full = out->each ? out->buf : out->buf + DP_OUT_BLOCK;
	size_t i;
	int e;

	for (i = 0; i < n; i++) {
		q = places == 0 ? dp_out_put(out, q, y[i]) : dp_decimal_put(q, y[i], places);
		*q++ = '\n';
		if (DP_UNLIKELY(q >= full)) {
			out->n = (size_t)(q - out->buf);
			if ((e = dp_out_flush(out)) != 0)
				return e;
			q = out->buf;
		}
	}
	out->n = (size_t)(q - out->buf);
	return 0;
}

/* The same in any other format: steps from t on. */
static int
print_values(struct dp_run *r, uint64_t t, const dp_wide *y, size_t n)
{
	size_t i;
	int e = 0;

	for (i = 0; i < n && e == 0; i++) {
		r->est[0] = y[i];
		e = dp_print_step(r, t + i, 0);
	}
	return e;
}

/* n steps with the values x, a line each; DP_EHORIZON when they are more than are left. */
static int
take_values(struct dp_run *r, const int64_t *x, size_t n)
{
	const uint64_t left = (r->o->horizon != 0 ? r->o->horizon : UINT64_MAX) - r->t;
	dp_wide y[BATCH];
	size_t done, i;
	int rc, fault;

	rc = dp_mech_steps(r->plan.mech, r->columns, r->rng, r->t + 1, x, y,
	    left < n ? (size_t)left : n, &done);
	r->t += done;
	for (i = 0; r->bare && r->coarse > 1 && i < done; i++)
		y[i] = dp_print_nearest(y[i], r->coarse);
	fault = r->bare ? write_values(r->out, y, done, r->places) :
	    print_values(r, r->t - done + 1, y, done);
	if (fault != 0 || rc != 0)
		return fault != 0 ? fault : rc;
	return left < n ? DP_EHORIZON : 0;
}

/* The short way over a span of whole lines. */
static int
take_span(struct dp_run *r, const char *p, const char *e)
{
	const bool search = dp_events_searchable(r->events);
	const char *hit = NULL;
	int64_t x[BATCH];
	int n, rc;

	while (p < e) {
		n = search ? dp_events_search(r->events, &p, e, &hit, x, BATCH) :
		    (int)read_values(r->o, &p, e, x);
		if (n < 0 || (rc = take_values(r, x, (size_t)n)) != 0)
			return n < 0 ? n : rc;
	}
	return 0;
}

static int
run_spans(struct dp_run *r)
{
	char *p, *e;
	int rc;

	while ((rc = dp_reader_span(r->reader, &p, &e, -1)) > 0) {
		if (rc != DP_READ_RECORD)
			continue;
		/* a line too long counts as nothing */
		rc = p == e ? take_values(r, &(int64_t){ 0 }, 1) : take_span(r, p, e);
		if (rc != 0)
			return rc;
	}
	return rc;
}

static int
read_header(struct dp_run *r, struct dp_record *rec, const char *file)
{
	const char *missing;
	int rc;

	do
		rc = dp_reader_next(r->reader, rec, -1);
	while (rc == DP_READ_TIMEOUT && dp_session_signal == 0);
	if (rc == DP_READ_RECORD && (missing = dp_events_header(r->events, rec)) != NULL)
		dp_die(DP_EX_USAGE, "%s: the header has no field '%s'", file, missing);
	return rc == DP_READ_TIMEOUT ? 0 : rc;		/* stopped before it came */
}

/* A record's value; an error, or a record that --strict refuses, ends what is read. */
static int
read_value(struct dp_run *r, struct dp_record *rec, struct dp_event *v, int64_t *x)
{
	int e;

	dp_events_read(r->events, rec, v);
	if (v->error != 0)
		return v->error;
	if (v->why != NULL && r->o->strict)
		return DP_ESYNTAX;
	if ((e = dp_cap_admit(r, 0, v)) == 0)
		*x = v->value;
	return e;
}

/* Records of which each is a number: as many at a time as are in memory. */
static int
run_values(struct dp_run *r, const char *file)
{
	static struct dp_record rec;
	struct dp_event v;
	int64_t x[BATCH];
	size_t n;
	int rc, e, bad;

	if (r->o->header && (rc = read_header(r, &rec, file)) != DP_READ_RECORD)
		return rc;
	while ((rc = dp_reader_next(r->reader, &rec, -1)) > 0) {
		bad = 0;
		for (n = 0; rc == DP_READ_RECORD && n < BATCH; n++) {
			if ((bad = read_value(r, &rec, &v, &x[n])) != 0)
				break;
			rc = n + 1 < BATCH ? dp_reader_more(r->reader, &rec) : 0;
		}
		if ((e = take_values(r, x, n)) != 0)
			return e;
		if (bad == DP_ESYNTAX)
			strict_fail(r, file, rec.number, &v);
		if ((e = bad) != 0 || (e = rc < 0 ? rc : 0) != 0)
			return e;
	}
	return rc;
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
run_users(struct dp_run *r, const char *file)
{
	static struct dp_record rec;
	struct dp_event v[AHEAD];
	size_t n, i;
	int rc, e;

	if (r->o->header && (rc = read_header(r, &rec, file)) != DP_READ_RECORD)
		return rc;
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

	if (r->o->header && (rc = read_header(r, &rec, file)) != DP_READ_RECORD)
		return rc;
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

static void
open_file(const struct dp_run *r, const char *name, int *fd)
{
	if (strcmp(name, "-") == 0 && r->no_stdin)
		dp_die(DP_EX_INPUT, "standard input is closed");
	if (strcmp(name, "-") == 0)
		*fd = STDIN_FILENO;
	else if ((*fd = open(name, O_RDONLY | O_CLOEXEC)) < 0)
		dp_die(DP_EX_INPUT, "%s: %s", name, strerror(errno));
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
		else if ((by = decompressor(o->files[i])) != NULL)
			dp_die(DP_EX_INPUT, "%s: is compressed, by its name; use: %s %s | %s ...",
			    o->files[i], by, o->files[i], r->tool->name);
		else if (strcmp(o->files[i], "-") != 0 && !readable(o->files[i]))
			dp_die(DP_EX_INPUT, "%s: %s", o->files[i], strerror(errno));
}

int
dp_run_files(struct dp_run *r)
{
	struct dp_options *o = r->o;
	const char *name;
	int i, fd, e, rc = 0;

	for (i = 0; i < o->nfiles && dp_session_signal == 0; i++) {
		name = strcmp(o->files[i], "-") == 0 ? "standard input" : o->files[i];
		open_file(r, o->files[i], &fd);
		dp_reader_attach(r->reader, fd);
		rc = many_at_a_time(r) ? (plain_numbers(r) || dp_events_searchable(r->events) ?
		    run_spans(r) : run_values(r, name)) :
		    r->state == NULL && dp_events_seekable(r->events) ? run_matches(r, name) :
		    many_users(r) ? run_users(r, name) : run_records(r, name);
		if (rc == DP_EIO) {
			rc = errno;
			if ((e = dp_out_flush(r->out)) != 0)
				dp_run_fail(r, e);
			dp_die(rc == EISDIR || rc == EBADF ? DP_EX_INPUT : DP_EX_SYSTEM,
			    "%s: %s", name, strerror(rc));
		}
		if (fd != STDIN_FILENO)
			close(fd);
		if (rc != 0)
			return rc;
		if (r->partial != NULL && dp_session_signal == 0)
			dp_partial_end(r->partial, name);
	}
	return 0;
}
