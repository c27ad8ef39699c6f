#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <sodium.h>

#include "filter.h"

int64_t
dp_run_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec;
}

static _Noreturn void
fail(const struct dp_run *r, int e)
{
	if (r->state != NULL)
		dp_session_fail(r, e, NULL);
	dp_die(DP_EX_SYSTEM, "%s", e == DP_EIO ? strerror(errno) : dp_strerror(e));
}

/* Standard output without a state file. */
static int
plain_sink(void *arg, const char *p, size_t n)
{
	ssize_t k;

	(void)arg;
	while (n > 0) {
		if ((k = write(STDOUT_FILENO, p, n)) < 0) {
			if (errno == EINTR)
				continue;
			if (errno == EAGAIN) {	/* somebody made it non-blocking */
				(void)poll(&(struct pollfd){ STDOUT_FILENO, POLLOUT, 0 }, 1, -1);
				continue;
			}
			dp_die(DP_EX_SYSTEM, "standard output: %s", strerror(errno));
		}
		p += k;
		n -= (size_t)k;
	}
	return 0;
}

static int
idle(void *arg)
{
	struct dp_run *r = arg;

	return dp_out_flush(r->out);
}

/* Memory an intruder could reach in other ways: no core file, no ptrace, no swap. */
static void
harden(const struct dp_options *o)
{
	const struct rlimit none = { 0, 0 };

	if (setrlimit(RLIMIT_CORE, &none) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0)
		dp_die(DP_EX_SYSTEM, "core dumps cannot be turned off: %s", strerror(errno));
	if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0 && !o->quiet)
		dp_warn("memory cannot be locked (%s): it may be swapped out", strerror(errno));
}

/* Whether an output line is one whole number and nothing else. */
static bool
bare_output(const struct dp_options *o)
{
	return o->bucket == 0 && o->nkeys == 0 && o->places == 0 && o->format == DP_PLAIN &&
	    o->confidence == 0 && !o->nonnegative && !o->monotone && !o->number;
}

static void
allocate(struct dp_run *r)
{
	size_t n;

	r->ncol = r->o->nkeys > 0 ? r->o->nkeys : 1;
	n = r->ncol * r->plan.mech->column;
	r->columns = aligned_alloc(64, (n + 63) & ~(size_t)63);
	r->x = calloc(r->ncol, sizeof *r->x);
	r->est = calloc(r->ncol, sizeof *r->est);
	r->last = calloc(r->ncol, sizeof *r->last);
	r->shown = calloc(r->ncol, sizeof *r->shown);
	r->law = calloc(1, sizeof *r->law);
	if (r->columns == NULL || r->x == NULL || r->est == NULL ||
	    r->last == NULL || r->shown == NULL || r->law == NULL)
		fail(r, DP_ENOMEM);
	memset(r->columns, 0, n);
	r->bare = bare_output(r->o);
}

static void
random_bytes(const struct dp_run *r, uint8_t *p, size_t n)
{
	const uint8_t *q = dp_rng_take(r->rng, n);

	if (q == NULL)
		fail(r, DP_EENTROPY);
	memcpy(p, q, n);
}

static void
prepare(struct dp_run *r)
{
	struct dp_reader_rule rule = { .idle = idle, .arg = r };
	struct dp_options *o = r->o;
	int e;

	if (o->has_seed)
		e = dp_rng_open_seed(&r->rng, o->seed);
	else
		e = dp_rng_open(&r->rng, o->pan ? DP_RNG_KERNEL : DP_RNG_CHACHA);
	if (e != 0 || (e = dp_out_new(&r->out, o->state != NULL ? dp_session_sink : plain_sink, r)) != 0)
		fail(r, e);
	r->out->each = o->line_buffered || o->pan || isatty(STDOUT_FILENO);
	allocate(r);
	if (o->per_user != 0) {
		random_bytes(r, r->users_key, sizeof r->users_key);
		if ((e = dp_users_new(&r->users, r->users_key, o->per_user)) != 0)
			fail(r, e);
	}
	if ((e = dp_events_new(&r->events, o, o->steps == DP_BY_RANGE ? o->from : dp_run_now())) != 0)
		fail(r, e);
	dp_events_reader_rule(r->events, &rule);
	rule.text |= o->batch != NULL;	/* to be hashed */
	if ((e = dp_reader_new(&r->reader, &rule)) != 0)
		fail(r, e);
}

static void
start_columns(struct dp_run *r)
{
	const struct dp_mech *m = r->plan.mech;
	size_t c;
	int e;

	for (c = 0; m->ops->start != NULL && c < r->ncol; c++)
		if ((e = m->ops->start(m, r->columns + c * m->column, r->rng)) != 0)
			fail(r, e);
}

int
dp_run_step(struct dp_run *r, int64_t begin)
{
	const struct dp_mech *m = r->plan.mech;
	size_t c;
	int e;

	if (r->o->horizon != 0 && r->t == r->o->horizon)
		return DP_EHORIZON;
	r->t++;
	for (c = 0; c < r->ncol; c++)
		if ((e = m->ops->step(m, r->columns + c * m->column, r->rng, r->t,
		    r->x[c], &r->est[c])) != 0)
			return e;
	return dp_print_step(r, begin);
}

/* The place of a malformed record; never its content. */
static _Noreturn void
strict_fail(struct dp_run *r, const char *file, uint64_t line, const struct dp_event *v)
{
	int e;

	if ((e = dp_out_flush(r->out)) != 0 || (e = dp_session_end(r)) != 0)
		fail(r, e);
	if (v->field != 0)
		dp_die(DP_EX_INPUT, "%s:%llu: field %u: %s", file, (unsigned long long)line, v->field, v->why);
	dp_die(DP_EX_INPUT, "%s:%llu: %s", file, (unsigned long long)line, v->why);
}

/* User-level privacy: a user's events beyond the cap count nowhere. */
static void
cap_user(struct dp_run *r, struct dp_event *v)
{
	int e;

	if (r->users == NULL || !v->counts || v->value == 0)
		return;
	if ((e = dp_users_admit(r->users, v->user)) < 0)
		fail(r, e);
	if (e == 0)
		v->value = 0;
}

/*
 * Every commit must hold either all of a record's effect or none, and its count with it: buckets are closed
 * before the record counts, a line's own step is released after.
 */
static int
take_bucket(struct dp_run *r, const struct dp_record *rec, struct dp_event *v)
{
	int e;

	if (r->o->steps == DP_BY_TIMES && v->timed && (e = dp_bucket_reach(r, v->time)) != 0)
		return e;
	cap_user(r, v);
	if (v->counts)
		dp_bucket_add(r, v);
	dp_session_count(r, rec);
	return 0;
}

static int
take(struct dp_run *r, struct dp_record *rec, const char *file)
{
	struct dp_event v;
	int e;

	if (!dp_session_wants(r, rec))
		return 0;
	dp_events_read(r->events, rec, &v);
	if (v.why != NULL && r->o->strict)
		strict_fail(r, file, rec->number, &v);
	if (r->o->bucket != 0)
		return take_bucket(r, rec, &v);
	cap_user(r, &v);
	dp_session_count(r, rec);
	r->x[v.column] = v.value;
	e = dp_run_step(r, 0);
	r->x[v.column] = 0;
	return e;
}

/* The line itself is the reader's to wipe; what parsing and stepping left on the stack is ours. */
static int
take_and_forget(struct dp_run *r, struct dp_record *rec, const char *file)
{
	int e = take(r, rec, file);

	sodium_stackzero(16384);
	return e;
}

/* Whether lines can take the short way: a bare number each, nothing else to look at. */
static bool
plain_numbers(const struct dp_run *r)
{
	const struct dp_options *o = r->o;

	return r->bare && !o->csv && o->match == NULL && !o->header && o->value.number == 0 &&
	    o->user.number == 0 && !o->pan && !o->strict && o->state == NULL;
}

/* One line [p, nl) to its value, as dp_events_read() maps it. */
static int64_t
line_value(const struct dp_options *o, const char *p, const char *nl)
{
	int64_t v;

	if (nl > p && nl[-1] == '\r')
		nl--;
	if (nl == p || dp_decimal_parse(&v, p, (size_t)(nl - p), 0) != 0)
		return 0;
	return v < o->lo ? o->lo : v > o->hi ? o->hi : v;
}

/* The short way over a span of whole lines; digits one at a time beat memchr on short lines. */
static int
take_span(struct dp_run *r, const char *p, const char *e)
{
	const struct dp_mech *m = r->plan.mech;
	int (*step)(const struct dp_mech *, void *, struct dp_rng *, uint64_t, int64_t, dp_wide *) = m->ops->step;
	const uint64_t horizon = r->o->horizon != 0 ? r->o->horizon : UINT64_MAX;
	const int64_t lo = r->o->lo, hi = r->o->hi;
	struct dp_out *out = r->out;
	char *q = out->buf + out->n, *full = out->buf + DP_OUT_BLOCK;	/* the block's slack is room */
	uint64_t t = r->t;
	const char *nl;
	dp_wide est;
	int64_t v;
	int rc = 0;

	while (p < e) {
		if ((unsigned char)(p[0] - '0') < 10 && p[1] == '\n') {
			v = p[0] - '0';
			v = v < lo ? lo : v > hi ? hi : v;
			p += 2;
		} else {
			nl = memchr(p, '\n', (size_t)(e - p));
			v = line_value(r->o, p, nl);
			p = nl + 1;
		}
		if (DP_UNLIKELY(t == horizon)) {
			rc = DP_EHORIZON;
			break;
		}
		if (DP_UNLIKELY((rc = step(m, r->columns, r->rng, ++t, v, &est)) != 0))
			break;
		q = dp_out_put(out, q, est);
		*q++ = '\n';
		if (DP_UNLIKELY(q >= full || out->each)) {
			out->n = (size_t)(q - out->buf);
			if ((rc = dp_out_flush(out)) != 0)
				break;
			q = out->buf;
		}
	}
	out->n = (size_t)(q - out->buf);
	r->t = t;
	return rc;
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
		rc = p == e ? dp_run_step(r, 0) : take_span(r, p, e);
		if (rc != 0)
			return rc;
	}
	return rc;
}

/* --from/--to with a plain string to match: only lines that hold it are looked at. */
static int
run_matches(struct dp_run *r, const char *file)
{
	static struct dp_record rec;
	char *p, *e;
	int rc, fault;

	while ((rc = dp_reader_span(r->reader, &p, &e, -1)) > 0 && dp_session_signal == 0) {
		if (rc != DP_READ_RECORD)
			continue;
		while (p < e && dp_events_seek(r->events, p, e, &rec.text)) {
			p = (char *)(uintptr_t)rec.text.p + rec.text.n + 1;
			if (rec.text.n > 0 && p[-2] == '\r')
				rec.text.n--;
			if ((fault = take(r, &rec, file)) != 0)
				return fault;
		}
	}
	return rc < 0 ? rc : 0;
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
	return rc;
}

static int
run_records(struct dp_run *r, const char *file)
{
	static struct dp_record rec;
	int rc, e;

	if (r->o->header && (rc = read_header(r, &rec, file)) != DP_READ_RECORD)
		return rc;
	for (;;) {
		if (dp_session_signal != 0)	/* lines read already still count */
			dp_reader_stop(r->reader);
		rc = dp_reader_next(r->reader, &rec,
		    r->o->steps == DP_BY_CLOCK ? dp_bucket_wait(r) : -1);
		if (rc <= 0)
			return rc;
		if (rc == DP_READ_TIMEOUT && dp_session_signal != 0)
			return 0;
		if (r->o->steps == DP_BY_CLOCK && (e = dp_bucket_tick(r)) != 0)
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

/* Operands that cannot be read are refused before anything is released. */
static void
check_files(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	int i;

	for (i = 0; i < o->nfiles; i++)
		if (strcmp(o->files[i], "-") == 0 && r->no_stdin)
			dp_die(DP_EX_INPUT, "standard input is closed");
		else if (strcmp(o->files[i], "-") != 0 && access(o->files[i], R_OK) != 0)
			dp_die(DP_EX_INPUT, "%s: %s", o->files[i], strerror(errno));
}

static int
run_files(struct dp_run *r)
{
	struct dp_options *o = r->o;
	const char *name;
	int i, fd, e, rc = 0;

	for (i = 0; i < o->nfiles && dp_session_signal == 0; i++) {
		name = strcmp(o->files[i], "-") == 0 ? "standard input" : o->files[i];
		open_file(r, o->files[i], &fd);
		dp_reader_attach(r->reader, fd);
		rc = plain_numbers(r) ? run_spans(r) :
		    r->state == NULL && dp_events_seekable(r->events) ? run_matches(r, name) :
		    run_records(r, name);
		if (rc == DP_EIO) {
			rc = errno;
			if ((e = dp_out_flush(r->out)) != 0)
				fail(r, e);
			dp_die(rc == EISDIR || rc == EBADF ? DP_EX_INPUT : DP_EX_SYSTEM,
			    "%s: %s", name, strerror(rc));
		}
		if (fd != STDIN_FILENO)
			close(fd);
		if (rc != 0)
			return rc;
	}
	return 0;
}

/* A closed descriptor 0-2 would be given to the next file opened: settle that first. */
static void
check_descriptors(struct dp_run *r)
{
	r->no_stdin = fcntl(STDIN_FILENO, F_GETFD) < 0 && open("/dev/null", O_RDONLY) == STDIN_FILENO;
	if (fcntl(STDERR_FILENO, F_GETFD) < 0)
		(void)!open("/dev/null", O_RDWR);
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
		dp_die(DP_EX_SYSTEM, "standard output is closed");
}

static void
announce(const struct dp_options *o)
{
	if (o->exact)
		dp_warn("epsilon is inf: exact answers, NOT PRIVATE");
	else if (o->has_seed)
		dp_warn("--seed: reproducible noise, NOT PRIVATE");
}

/* Buckets from --from to --to are the horizon. */
static void
fix_horizon(struct dp_options *o)
{
	uint64_t n;

	if (o->steps != DP_BY_RANGE || o->bucket == 0)
		return;
	o->from = dp_when_floor(o->from, o->bucket);
	o->to = dp_when_floor(o->to - 1, o->bucket) + (int64_t)o->bucket;
	n = (uint64_t)(o->to - o->from) / o->bucket;
	if (o->horizon == 0 && o->state == NULL)
		o->horizon = n;
	if (o->horizon != 0 && n > o->horizon)
		dp_die(DP_EX_SPENT, "--from and --to span %llu buckets, more than the horizon", (unsigned long long)n);
}

static void
plan(struct dp_run *r)
{
	struct dp_options *o = r->o;
	char why[160] = "";
	int e;

	dp_cli_setting(o, &r->setting);
	if ((e = dp_plan_make(&r->plan, &r->setting, o->mechanism, why)) != 0) {
		if (why[0] != '\0')
			dp_die(DP_EX_USAGE, "%s", why);
		fail(r, e);
	}
	o->mechanism = r->plan.mech->ops->name;
}

static int
finish(struct dp_run *r, int rc)
{
	int e = 0, status = rc == DP_EHORIZON ? DP_EX_SPENT : DP_EX_OK;

	if (rc < 0 && rc != DP_EHORIZON)
		fail(r, rc);
	if (rc == 0 && dp_session_signal == 0 && r->o->bucket != 0)
		e = dp_bucket_end(r);
	if (e == DP_EHORIZON) {
		status = DP_EX_SPENT;
		e = 0;
	}
	r->done = rc == 0 && dp_session_signal == 0;
	r->out->hold = false;
	if (e != 0 || (e = dp_out_flush(r->out)) != 0 || (e = dp_session_end(r)) != 0)
		fail(r, e);
	if (close(STDOUT_FILENO) != 0 && errno != EBADF)
		dp_die(DP_EX_SYSTEM, "standard output: %s", strerror(errno));
	if (status == DP_EX_SPENT)
		dp_warn("the horizon of %llu steps is spent; what comes after is not released",
		    (unsigned long long)r->o->horizon);
	return status;
}

static void
release(struct dp_run *r)
{
	if (r->columns != NULL)
		sodium_memzero(r->columns, r->ncol * r->plan.mech->column);
	free(r->columns);
	free(r->x);
	free(r->est);
	free(r->last);
	free(r->shown);
	free(r->law);
	free(r->sums);
	free(r->hash);
	dp_users_free(r->users);
	dp_reader_free(r->reader);
	dp_events_free(r->events);
	dp_out_free(r->out);
	dp_rng_free(r->rng);
	dp_plan_free(&r->plan);
	dp_buf_free(&r->body);
	dp_state_free(r->state);
	while (r->o->nkeys > 0)
		free(r->o->keys[--r->o->nkeys]);
	free(r->o->keys);
}

int
dp_filter_main(const struct dp_tool *tool, int argc, char **argv)
{
	static struct dp_options o;
	static struct dp_run r;
	int rc;

	r.o = &o;
	r.tool = tool;
	check_descriptors(&r);
	dp_cli_parse(&o, tool, argc, argv);
	if (o.show)
		return dp_session_show(&o, tool);
	if (o.explain == DP_EXPLAIN_NO)
		dp_session_open(&r);
	dp_cli_check(&o);
	fix_horizon(&o);
	plan(&r);
	if (o.explain != DP_EXPLAIN_NO) {
		rc = dp_explain(tool, &o, &r.setting, &r.plan);
		release(&r);
		return rc;
	}
	check_files(&r);
	announce(&o);
	if (o.pan)
		harden(&o);
	prepare(&r);
	if (o.state == NULL || o.init)
		start_columns(&r);
	rc = dp_session_begin(&r);
	if (rc == 0 && o.bucket != 0)
		rc = dp_bucket_begin(&r);
	if (rc == 0 && !r.headed)
		rc = dp_print_header(&r);
	if (rc == 0)
		rc = run_files(&r);
	rc = rc > 0 ? 0 : finish(&r, rc);
	release(&r);
	return rc;
}
