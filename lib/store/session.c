/* SPDX-License-Identifier: ISC */
/* session.c - a run that goes on from a state file. */
#include <errno.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "input/record.h"
#include "input/users.h"
#include "job/table.h"
#include "internal.h"

static void dp_session_roll_put(const struct dp_run *, struct dp_buf *);
static void dp_session_roll_get(struct dp_run *, struct dp_lines *);
static char *dp_line_put_hex(char *p, uint64_t w, int digits);
static void dp_line_put_bytes(struct dp_buf *, const void *, size_t n);
static void dp_line_put(struct dp_buf *, const char *key, const void *, size_t n);
static bool dp_line_hex(const char *p, size_t digits, uint64_t *w) DP_MUSTUSE;
static _Noreturn void dp_line_damaged(const struct dp_lines *, const char *key);
static struct dp_slice dp_line_next(struct dp_lines *, const char *key);
static uint64_t dp_line_number(struct dp_lines *, const char *key);
static void dp_line_bytes(struct dp_lines *, const char *key, const char *p, void *out, size_t n);
static void dp_line_words(struct dp_lines *, const char *key, void *out, size_t n);

/*
 * A run that goes on from a state file.
 *
 * head: the job, public (session.h).
 * body: steps taken, the mechanism's columns, open buckets, users (session.c).  Pan-private:
 * nothing but what the theorem allows (steps, columns, what was printed); no count of lines, no
 * hash of the input.
 */

volatile sig_atomic_t dp_session_signal;

/* A signal just before a blocking read(2) would wait for the next line: a second one follows. */
static void
on_signal(int s)
{
	if (s != SIGALRM)
		dp_session_signal = s;
	alarm(1);
}

/* The record is in the columns or sums: every commit from here on holds it. */
/* Signals ignored at the start (nohup) stay so. */
static int
dp_session_catch(struct dp_run *r)
{
	static const int stop[] = { SIGTERM, SIGINT, SIGHUP };
	const struct sigaction sa = { .sa_handler = on_signal }, ignore = { .sa_handler = SIG_IGN };
	struct sigaction old;
	size_t i;

	if (sigaction(SIGPIPE, &ignore, &old) != 0 || sigaction(SIGALRM, &sa, NULL) != 0)
		return DP_EIO;
	r->kept.no_sigpipe = old.sa_handler == SIG_IGN;
	for (i = 0; i < sizeof stop / sizeof *stop; i++)
		if (sigaction(stop[i], NULL, &old) != 0 ||
		    (old.sa_handler != SIG_IGN && sigaction(stop[i], &sa, NULL) != 0))
			return DP_EIO;
	return 0;
}

/* The record is in the columns or sums: every commit from here on holds it. */
static void
dp_session_die_of(int s)
{
	signal(s, SIG_DFL);
	raise(s);
}

/* Of an error of the state module, which has said why. */
static int
status_of(int e)
{
	switch (e) {
	case DP_ESTATE:
		return DP_EX_STATE;
	case DP_EBUSY:
		return DP_EX_BUSY;
	case DP_EINVAL:		/* a path where no such file can be */
		return DP_EX_USAGE;
	default:
		return DP_EX_SYSTEM;
	}
}

_Noreturn void
dp_session_fail(const struct dp_run *r, int e, const char *why)
{
	int code = errno;

	if (e == DP_EIO && code == EPIPE && r != NULL && !r->kept.no_sigpipe)
		dp_session_die_of(SIGPIPE);	/* the reader left: quiet, like any filter */
	if (e == DP_EIO && code == EINTR && dp_session_signal != 0)
		dp_session_die_of(dp_session_signal);	/* the reader does not read: so too */
	dp_die(why == NULL ? DP_EX_SYSTEM : status_of(e), "%s",
	    why != NULL ? why : e == DP_EIO ? strerror(code) : dp_strerror(e));
}

_Noreturn void
dp_run_fail(const struct dp_run *r, int e)
{
	if (e == DP_ESTATE)
		dp_die(DP_EX_STATE, "%s: the noise planned here for the steps that follow is not "
		    "the state file's", r->o->keep.state);
	if (r->kept.state != NULL)
		dp_session_fail(r, e, NULL);
	dp_die(DP_EX_SYSTEM, "%s", e == DP_EIO ? strerror(errno) : dp_strerror(e));
}

/* The record is in the columns or sums: every commit from here on holds it. */
static struct dp_state_rule
dp_session_rule(const struct dp_options *o)
{
	return (struct dp_state_rule){ .path = o->keep.state, .out = o->keep.out,
	    .witness = o->keep.witness,
	    .keep = o->keep.batch != NULL, .stop = &dp_session_signal };
}

/* Estimates printed elsewhere would be missing in the file for ever: no step is released twice. */
static void
same_out(const struct dp_options *o, const struct dp_stateform *f)
{
	if (o->keep.out == NULL && f->outlen > 0)
		dp_die(DP_EX_STATE, "%s: earlier runs have written %llu bytes to a file, which "
		    "would lack what this run prints; give --out=FILE in every run", o->keep.state,
		    (unsigned long long)f->outlen);
}

void
dp_session_open(struct dp_run *r, struct dp_options *o)
{
	char why[DP_STATE_WHY] = "";
	struct dp_state_rule rule;
	int e;

	if (o->keep.state == NULL || o->keep.init)
		return;
	rule = dp_session_rule(o);
	e = o->print.explain != DP_EXPLAIN_NO ? dp_state_peek(&r->kept.state, o->keep.state, why) :
	    dp_state_open(&r->kept.state, &rule, why);
	if (e != 0)
		dp_session_fail(r, e, why);
	dp_job_adopt(r, o, dp_state_form(r->kept.state)->head.p);
	if (o->print.explain == DP_EXPLAIN_NO)
		same_out(o, dp_state_form(r->kept.state));
}

/* True: kept is L1 L2^2 COLUMNS, each no less than now. */
static bool
charged_more(const char *kept, const struct dp_privacy *now)
{
	unsigned long long l1, l2squared;
	unsigned columns;
	char more;

	return sscanf(kept, "%llu %llu %u%c", &l1, &l2squared, &columns, &more) == 3 &&
	    l1 >= now->l1 && l2squared >= now->l2squared && columns >= now->columns && !now->wide;
}

static bool
compares(const struct dp_options *o)
{
	size_t i;

	for (i = 0; i < o->form.conditions; i++)
		if (o->form.condition[i].op != DP_OP_MATCH)
			return true;
	return false;
}

/* What was read otherwise once counts other events now, or counts them in another range. */
static void
check_rules(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const char *missing = NULL;

	if (r->kept.old_times && o->time.field.number != 0 && strcmp(o->time.format, "epoch") != 0)
		missing = "times";
	else if (r->kept.old_where && compares(o))
		missing = "conditions";
	if (missing != NULL)
		dp_die(DP_EX_STATE, "%s: the state file has no '%s': it was begun by a version "
		    "that read the same options otherwise; start another state file",
		    o->keep.state, missing);
}

void
dp_session_moves(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	char now[DP_MOVES_TEXT];

	if (o->keep.state == NULL || o->keep.init)
		return;
	check_rules(r);
	dp_job_moves(now, &r->setting.privacy);
	if (strcmp(now, r->kept.moves) == 0)
		return;
	if (!o->keep.change && charged_more(r->kept.moves, &r->setting.privacy))
		dp_die(DP_EX_STATE, "%s: an earlier version charged more for these options: "
		    "start another state file", o->keep.state);
	dp_die(DP_EX_STATE, "%s: with these options one event counts for another amount than "
	    "the state file's noise was planned for", o->keep.state);
}

/* The number in a line "KEY N" of the body, or 0. */
static uint64_t
body_number(struct dp_slice body, const char *key, int base)
{
	const size_t n = strlen(key);
	const char *p = body.p, *end = body.p + body.n, *nl;

	for (; p < end && (nl = memchr(p, '\n', (size_t)(end - p))) != NULL; p = nl + 1)
		if ((size_t)(nl - p) > n && memcmp(p, key, n) == 0 && p[n] == ' ')
			return strtoull(p + n + 1, NULL, base);
	return 0;
}

/* Start of the bucket after the state's last step; false: it has no step, or they are lines. */
static uint64_t
dp_session_step(const struct dp_run *r)
{
	return body_number(dp_state_form(r->kept.state)->body, "step", 10);
}

/* Start of the bucket after the state's last step; false: it has no step, or they are lines. */
static bool
dp_session_next_bucket(const struct dp_run *r, int64_t *t)
{
	const struct dp_slice body = dp_state_form(r->kept.state)->body;
	const uint64_t next = body_number(body, "next", 16);

	memcpy(t, &next, sizeof *t);
	return dp_session_step(r) > 0 && dp_options_timed(r->o);
}

static void
show_time(const char *what, const struct dp_options *o, bool any, int64_t t)
{
	char time[DP_WHEN_TEXT + 1] = "-";

	if (any)
		*dp_when_put(time, t, o->time.span.zone) = '\0';
	printf("%s %s\n", what, time);
}

/* "step N", what is left, which bucket was the last, and which is next: all of it is public. */
static void
show_steps(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const uint64_t step = dp_session_step(r);
	int64_t t;
	const bool any = dp_session_next_bucket(r, &t);

	printf("step %llu\n", (unsigned long long)step);
	if (o->horizon != 0 && step <= o->horizon)
		printf("left %llu\n", (unsigned long long)(o->horizon - step));
	else
		printf("left -\n");
	show_time("last-bucket", o, any, any ? dp_span_floor(&o->time.span, t - 1) : 0);
	show_time("next-bucket", o, any, t);
}

/* Its lines; of the plan's numbers only how many there are. */
static void
show_head(const char *head)
{
	static const char old[] = "params ", numbers[] = DP_NUMBERS_PREFIX;
	const char *end, *c;
	unsigned n = 0;

	for (; *head != '\0'; head = end + 1) {
		end = strchr(head, '\n');
		if (strncmp(head, old, strlen(old)) != 0 &&
		    strncmp(head, numbers, strlen(numbers)) != 0)
			printf("%.*s\n", (int)(end - head), head);
		else
			for (c = head; c < end; c++)
				n += *c == ' ' || *c == '/';
	}
	printf("params of %u numbers\n", n);
}

int
dp_session_show(struct dp_options *o, const struct dp_tool *tool)
{
	static struct dp_run r;
	char why[DP_STATE_WHY] = "";
	const struct dp_stateform *f;
	struct dp_buf job = { .n = 0 };
	const char *head;
	int e;

	if (o->keep.state == NULL)
		dp_die(DP_EX_USAGE, "--state-show needs --state");
	if (o->keep.init || o->keep.move != NULL)
		dp_die(DP_EX_USAGE, "--init, --state-move and --state-show do not go together");
	if ((e = dp_state_peek(&r.kept.state, o->keep.state, why)) != 0)
		dp_session_fail(NULL, e, why);
	f = dp_state_form(r.kept.state);
	head = f->head.p;
	if (dp_job_renew(&job, f->head.p, why) == 0 && (dp_buf_add(&job, "", 1), job.error == 0))
		head = job.p;
	show_head(head);
	printf("generation %llu\nbatch %s\n", (unsigned long long)f->generation,
	    f->batch[0] == '\0' ? "-" : f->batch);
	if (f->moved)
		printf("moved\n");
	else {
		r.o = o;
		r.tool = tool;
		if (head == job.p)
			dp_job_show(o, head);
		show_steps(&r);
	}
	dp_state_free(r.kept.state);
	dp_buf_free(&job);
	return dp_close_stdout();
}

/* All options that go with it. */
static void
check_move(const struct dp_options *o, const struct dp_tool *tool)
{
	int c;

	for (c = 0; c < DP_OPTION_CODES; c++)
		if (o->given[c] && c != OPT_MOVE && c != OPT_STATE && c != OPT_WITNESS && c != 'q')
			dp_die(DP_EX_USAGE, "--state-move: --%s does not go with it",
			    dp_table_name(c, tool->own));
	if (o->keep.state == NULL)
		dp_die(DP_EX_USAGE, "--state-move needs --state");
	if (o->operands.n != 1 || strcmp(o->operands.file[0], "-") != 0)
		dp_die(DP_EX_USAGE, "--state-move reads no data; leave out '%s'",
		    o->operands.file[0]);
}

int
dp_session_move(const struct dp_options *o, const struct dp_tool *tool)
{
	struct dp_state_rule rule = { .path = o->keep.state, .witness = o->keep.witness,
	    .move = true };
	char why[DP_STATE_WHY] = "";
	struct dp_state *s;
	int e;

	check_move(o, tool);
	if ((e = dp_state_open(&s, &rule, why)) != 0)
		dp_session_fail(NULL, e, why);
	dp_job_tool(o, tool, dp_state_form(s)->head.p);
	if ((e = dp_state_move(s, o->keep.move, why)) != 0)
		dp_session_fail(NULL, e, why);
	dp_state_free(s);
	return DP_EX_OK;
}

/* What a state file holds besides its public head. */

/* The sums of open buckets: two words each. */
static void
put_sums(const struct dp_run *r, struct dp_buf *b)
{
	dp_wide s;
	size_t i;

	dp_buf_puts(b, "sums");
	for (i = 0; i < r->ring.n * r->col.width; i++) {
		s = dp_carry_sum(r, i / r->col.width, i % r->col.width, r->ring.sums[i]);
		dp_line_put_bytes(b, &s, sizeof s);
	}
	dp_buf_puts(b, "\n");
}

static void
put_table(const struct dp_users *u, struct dp_buf *b)
{
	uint64_t hi;
	uint32_t lo, n;
	size_t i = 0;
	char line[48], *p;

	dp_session_put(b, "users", u != NULL ? dp_users_count(u) : 0);
	while (u != NULL && dp_users_each(u, &i, &hi, &lo, &n)) {
		p = dp_line_put_hex(line, hi, 16);
		*p++ = ' ';
		p = dp_line_put_hex(p, lo, 8);
		*p++ = ' ';
		p = dp_decimal_put(p, n, 0);
		*p++ = '\n';
		dp_buf_add(b, line, (size_t)(p - line));
	}
}

static void
put_users(struct dp_run *r, struct dp_buf *b)
{
	size_t i = 0;

	dp_line_put(b, "users-key", r->cap.key, sizeof r->cap.key);
	if (dp_session_users_beside(r)) {
		dp_session_put(b, "users-beside", dp_users_count(r->cap.users));
		i = 1;
	}
	for (; i < dp_cap_tables(r); i++)
		put_table(*dp_cap_table(r, i), b);
}

/* A line for each number of a user, in an order without news. */
static void
put_folds(const struct dp_users *u, const char *name, struct dp_buf *b)
{
	struct dp_mark m;
	struct dp_fold f;
	uint32_t n;
	size_t i = 0;
	char line[80], *p;

	dp_session_put(b, name, u != NULL ? dp_users_count(u) : 0);
	while (u != NULL && dp_users_each(u, &i, &m.hi, &m.lo, &n)) {
		if (!dp_users_fold(u, &m, &f))
			continue;
		p = dp_line_put_hex(line, m.hi, 16);
		*p++ = ' ';
		p = dp_line_put_hex(p, m.lo, 8);
		*p++ = ' ';
		p = dp_line_put_hex(p, (uint64_t)*f.value, 16);
		*p++ = ' ';
		p = dp_line_put_hex(p, n, 8);
		*p++ = '\n';
		dp_buf_add(b, line, (size_t)(p - line));
	}
}

/* Of open buckets, and a range leaves none open; and last readings. */
static void
put_all_folds(const struct dp_run *r, struct dp_buf *b)
{
	size_t i;

	for (i = 0; r->o->time.steps != DP_BY_RANGE && i < dp_fold_tables(r); i++)
		put_folds(r->cap.fold[i], "folds", b);
	if (r->o->users.counter)
		put_folds(r->cap.reading, "readings", b);
}

/* True: identifiers are told by a keyed hash. */
static bool
hashes(const struct dp_run *r)
{
	return r->tool->shape == DP_SHAPE_ID && r->o->keys.n == 0;
}

/*
 * Zones: of buckets, and of times without an offset (--tz-in).  A later version of the tz database
 * may have changed what clocks show at the border between what is released and what is to come: an
 * event whose time is local could be on either side, and count twice.
 */
#define ZONES	2

static const char *const zone_line[ZONES] = { "east", "east-in" };

/* NULL: there is none */
static const struct dp_zone *
zone_of(const struct dp_options *o, unsigned i)
{
	return i == 0 ? (o->time.tz != NULL ? &o->time.zone : NULL) :
	    o->time.in.name != NULL ? &o->time.in.zone : NULL;
}

/* Writes, and reads back, the body of a state; dp_body_get() exits if it is damaged. */
static void
dp_body_put(struct dp_run *r, struct dp_buf *b)
{
	const struct dp_mech *m = r->plan.mech;
	const struct dp_options *o = r->o;
	/* a header that a signal makes us commit, before any step of a range, begins no range */
	const bool early = o->time.steps == DP_BY_RANGE && r->ring.closed == 0;
	const bool begun = early ? r->ring.before_open : r->ring.open;
	const int64_t next = early ? r->ring.before : r->ring.next;
	int64_t east;
	crypto_generichash_state h;
	uint64_t w[4];
	uint8_t digest[32];
	unsigned i;
	size_t c;

	dp_buf_reset(b);
	dp_buf_room(b, r->col.n * ((m->column - m->beside) / 8 * 17 + 8));
	dp_session_put(b, "step", r->t);
	dp_session_put(b, "since", r->kept.since);
	dp_session_put(b, "begun", begun);
	dp_line_put(b, "next", &next, 8);
	for (i = 0; i < ZONES; i++)
		if (zone_of(o, i) != NULL) {
			east = dp_zone_east(zone_of(o, i), next);
			dp_line_put(b, zone_line[i], &east, 8);
		}
	dp_session_put(b, "done", r->kept.done);
	dp_session_put(b, "headed", r->print.headed);
	dp_session_put(b, "answered", r->answer.out);
	dp_session_put(b, "halted", r->halted);
	/* pan-private: a count of lines, or a hash to check a guess by, would be unprotected */
	if (!o->priv.pan) {
		dp_session_put(b, "records", r->kept.records);
		memset(digest, 0, sizeof digest);
		if (r->kept.hash != NULL) {
			memcpy(&h, r->kept.hash, sizeof h);
			crypto_generichash_final(&h, digest, sizeof digest);
		}
		dp_line_put(b, "input", digest, sizeof digest);
		if (o->time.steps == DP_BY_CLOCK || o->time.steps == DP_BY_TIMES)
			put_sums(r, b);
	}
	for (c = 0; c < r->col.n; c++)
		dp_line_put(b, "column", r->col.p + c * m->column, m->column - m->beside);
	dp_line_put(b, "printed", r->print.last, r->print.nest * sizeof *r->print.last);
	if (o->priv.has_seed) {
		dp_rng_pcg_save(r->col.rng, w);
		dp_line_put(b, "generator", w, sizeof w);
	}
	if (hashes(r))
		dp_line_put(b, "id-key", r->col.id_key, sizeof r->col.id_key);
	if (r->roll != NULL)
		dp_session_roll_put(r, b);
	if (r->cap.most != 0)
		put_users(r, b);
	put_all_folds(r, b);
}

/* Reading: each line must be the one expected. */

static void
get_sums(struct dp_run *r, struct dp_lines *l)
{
	struct dp_slice line = dp_line_next(l, "sums");
	dp_wide s;
	size_t i;

	if (line.n != r->ring.n * r->col.width * 34)
		dp_line_damaged(l, "sums");
	for (i = 0; i < r->ring.n * r->col.width; i++) {
		dp_line_bytes(l, "sums", line.p + 34 * i, &s, sizeof s);
		r->ring.sums[i] = 0;
		if (r->o->users.each == DP_EACH_NO)
			r->ring.sums[i] = dp_run_sum(s);
		else if (dp_carry_move(r, i / r->col.width, i % r->col.width, &r->ring.sums[i],
		    s) != 0)
			dp_die(DP_EX_SYSTEM, "out of memory");
	}
}

static void
get_table(struct dp_run *r, struct dp_lines *l, size_t i)
{
	struct dp_users **u = dp_cap_table(r, i);
	const uint64_t most = dp_cap_most(r, i);
	uint64_t n, hi, lo, count;
	struct dp_slice s;

	dp_users_free(*u);
	if (dp_users_new(u, r->cap.key, most) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	for (n = dp_line_number(l, "users"); n > 0; n--) {
		char text[16];

		s = dp_line_next(l, "");
		if (s.n < 27 || s.n > 36 || !dp_line_hex(s.p, 16, &hi) ||
		    !dp_line_hex(s.p + 17, 8, &lo))
			dp_line_damaged(l, "users");
		snprintf(text, sizeof text, "%.*s", (int)s.n - 26, s.p + 26);
		if (dp_u64_parse(&count, text, 1, most) != 0 ||
		    dp_users_put(*u, hi, (uint32_t)lo, (uint32_t)count) != 0)
			dp_line_damaged(l, "users");
	}
}

static void
same_zones(const struct dp_run *r, struct dp_lines *l)
{
	const struct dp_options *o = r->o;
	int64_t east;
	unsigned i;

	for (i = 0; i < ZONES; i++) {
		if (zone_of(o, i) == NULL)
			continue;
		dp_line_words(l, zone_line[i], &east, 8);
		if (east != dp_zone_east(zone_of(o, i), r->ring.next))
			dp_die(DP_EX_STATE, "%s: the tz database has other rules for %s now, and "
			    "an event could count twice; start another state file", o->keep.state,
			    i == 0 ? o->time.tz : o->time.in.name);
	}
}

static void
get_users(struct dp_run *r, struct dp_lines *l)
{
	size_t i = 0;

	dp_line_words(l, "users-key", r->cap.key, sizeof r->cap.key);
	if (dp_state_table(r->kept.state) != 0) {
		dp_users_free(r->cap.users);
		r->cap.users = NULL;
		if (dp_cap_tables(r) == 0 || dp_cap_table(r, 0) != &r->cap.users)
			dp_line_damaged(l, "users");
		if (dp_users_new(&r->cap.users, r->cap.key, r->cap.most) != 0)
			dp_die(DP_EX_SYSTEM, "out of memory");
		if (!dp_session_users_load(r, dp_line_number(l, "users-beside")))
			dp_line_damaged(l, "users-beside");
		i = 1;
	}
	for (; i < dp_cap_tables(r); i++)
		get_table(r, l, i);
}

/* One line of put_folds(); false: it is none. */
static bool
get_fold(struct dp_users *u, struct dp_slice s)
{
	uint64_t hi, lo, value, n;

	return s.n == 51 && dp_line_hex(s.p, 16, &hi) && dp_line_hex(s.p + 17, 8, &lo) &&
	    dp_line_hex(s.p + 26, 16, &value) && dp_line_hex(s.p + 43, 8, &n) &&
	    dp_users_put_fold(u, &(struct dp_mark){ hi, (uint32_t)lo }, (uint32_t)n,
	    (int64_t)value) == 0 && dp_fold_sane((int64_t)value);
}

static void
get_folds(struct dp_run *r, struct dp_lines *l, const char *name, struct dp_users **u)
{
	uint64_t n = dp_line_number(l, name);

	dp_users_free(*u);
	*u = NULL;
	if (n != 0 && dp_users_new_folds(u, r->cap.key) != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
	for (; n > 0; n--)
		if (!get_fold(*u, dp_line_next(l, "")))
			dp_line_damaged(l, name);
}

/* True: all of a table of last readings may be some. */
static bool
readings(const struct dp_users *u)
{
	struct dp_mark m;
	struct dp_fold f;
	uint32_t n;
	size_t i = 0;

	while (u != NULL && dp_users_each(u, &i, &m.hi, &m.lo, &n))
		if (!dp_users_fold(u, &m, &f) || *f.value < 0 || *f.value >= DP_VALUE_MAX)
			return false;
	return true;
}

static void
get_all_folds(struct dp_run *r, struct dp_lines *l)
{
	size_t i;

	for (i = 0; r->o->time.steps != DP_BY_RANGE && i < dp_fold_tables(r); i++)
		get_folds(r, l, "folds", &r->cap.fold[i]);
	if (!r->o->users.counter)
		return;
	get_folds(r, l, "readings", &r->cap.reading);
	if (!readings(r->cap.reading))
		dp_line_damaged(l, "readings");
}

/* Writes, and reads back, the body of a state; dp_body_get() exits if it is damaged. */
static void
dp_body_get(struct dp_run *r)
{
	const struct dp_mech *m = r->plan.mech;
	const struct dp_options *o = r->o;
	struct dp_slice body = dp_state_form(r->kept.state)->body;
	struct dp_lines l = { r, body.p, body.p + body.n };
	uint64_t w[4];
	size_t c;

	r->t = dp_line_number(&l, "step");
	if (o->horizon != 0 && r->t > o->horizon)
		dp_line_damaged(&l, "step");
	r->kept.since = dp_line_number(&l, "since");
	r->ring.open = dp_line_number(&l, "begun") != 0;
	dp_line_words(&l, "next", &r->ring.next, 8);
	same_zones(r, &l);
	r->kept.done = dp_line_number(&l, "done") != 0;
	r->print.headed = dp_line_number(&l, "headed") != 0 && !r->kept.reprint;
	r->answer.out = dp_line_number(&l, "answered") != 0;
	r->halted = dp_line_number(&l, "halted") != 0;
	if (!o->priv.pan) {
		r->kept.skip = dp_line_number(&l, "records");
		dp_line_words(&l, "input", r->kept.want_hash, sizeof r->kept.want_hash);
		if (o->time.steps == DP_BY_CLOCK || o->time.steps == DP_BY_TIMES)
			get_sums(r, &l);
	}
	for (c = 0; c < r->col.n; c++) {
		dp_line_words(&l, "column", r->col.p + c * m->column, m->column - m->beside);
		if (m->ops->valid != NULL && !m->ops->valid(m, r->col.p + c * m->column, r->t))
			dp_line_damaged(&l, "column");
	}
	dp_line_words(&l, "printed", r->print.last, r->print.nest * sizeof *r->print.last);
	if (o->priv.has_seed) {
		dp_line_words(&l, "generator", w, sizeof w);
		dp_rng_pcg_load(r->col.rng, w);
	}
	if (hashes(r))
		dp_line_words(&l, "id-key", r->col.id_key, sizeof r->col.id_key);
	if (r->roll != NULL)
		dp_session_roll_get(r, &l);
	if (r->cap.most != 0)
		get_users(r, &l);
	get_all_folds(r, &l);
	if (l.p != l.end)
		dp_line_damaged(&l, "end");
}

/* Order of effects: draw, commit, print; and what a later run goes on with. */

#define CHARGE_LINE	80	/* "budget ID N" */

static int64_t
milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool
dp_session_wait(void *arg)
{
	const struct dp_run *r = arg;

	return milliseconds() - r->kept.committed < 1000;
}

int
dp_session_sink(void *arg, const char *p, size_t n)
{
	char why[DP_STATE_WHY] = "";
	struct dp_run *r = arg;
	int e;

	dp_body_put(r, &r->kept.body);
	if (r->kept.body.error != 0)
		return r->kept.body.error;
	/* A snapshot of this process must not hold the noise of the next group. */
	dp_rng_drop(r->col.rng);
	if ((e = dp_state_commit(r->kept.state, &r->kept.body, p, n, why)) != 0)
		dp_session_fail(r, e, why[0] != '\0' ? why : NULL);
	dp_buf_reset(&r->kept.body);
	r->kept.committed = milliseconds();
	return 0;
}

int
dp_session_stage(void *arg, const char *p, size_t n)
{
	char why[DP_STATE_WHY] = "";
	struct dp_run *r = arg;
	int e;

	if ((e = dp_state_stage(r->kept.state, p, n, why)) != 0)
		dp_session_fail(r, e, why);
	return 0;
}

/* Both parts of a new state; the body goes to r->kept.body. */
static void
put_parts(struct dp_run *r, struct dp_buf *head)
{
	dp_job_put(r, head, true);
	dp_buf_add(head, "", 1);
	dp_body_put(r, &r->kept.body);
	if (head->error != 0 || r->kept.body.error != 0)
		dp_session_fail(r, DP_ENOMEM, NULL);
}

void
dp_session_claim(struct dp_run *r)
{
	char why[DP_STATE_WHY] = "";
	struct dp_state_rule rule;
	struct dp_buf head = { .n = 0 };
	int e;

	if (!r->o->keep.init)
		return;
	rule = dp_session_rule(r->o);
	/* as long as they will be, but for the line of a charge: draws have a fixed length */
	put_parts(r, &head);
	if ((e = dp_state_claim(&r->kept.state, &rule, head.n + r->kept.body.n + CHARGE_LINE,
	    why)) != 0)
		dp_session_fail(r, e, why);
	dp_buf_free(&head);
	dp_buf_reset(&r->kept.body);
}

int
dp_session_create(struct dp_run *r, char *why)
{
	struct dp_buf head = { .n = 0 };
	int e;

	put_parts(r, &head);
	e = dp_state_create(r->kept.state, head.p, &r->kept.body, why);
	dp_buf_free(&head);
	dp_buf_reset(&r->kept.body);	/* -P: noise that memory goes on from */
	return e;
}

/* The options as they are now, and names of numbers, kept from the next commit on. */
static void
change(struct dp_run *r)
{
	struct dp_buf head = { .n = 0 };

	if (!r->kept.changed && r->numbers.old == 0)
		return;
	dp_job_put(r, &head, true);
	dp_buf_add(&head, "", 1);
	if (head.error != 0 || dp_state_set_head(r->kept.state, head.p) != 0)
		dp_session_fail(r, DP_ENOMEM, NULL);
	dp_buf_free(&head);
}

/* Numbers by value, other IDs as bytes. */
static int
compare_ids(const char *a, const char *b)
{
	bool numbers = a[strspn(a, "0123456789")] == '\0' && b[strspn(b, "0123456789")] == '\0';

	if (numbers) {
		a += strspn(a, "0");
		b += strspn(b, "0");
		if (strlen(a) != strlen(b))
			return strlen(a) < strlen(b) ? -1 : 1;
	}
	return strcmp(a, b);
}

/* 1: this batch is complete, its estimates were printed again. */
static int
begin_batch(struct dp_run *r, bool again)
{
	const char *id = r->o->keep.batch;
	int e;

	if (again) {
		if (r->kept.done && !r->o->print.quiet)
			dp_warn("%s: batch '%s' was finished before: %s; the input is not read",
			    r->o->keep.state,
			    id, r->o->keep.out != NULL ? "what it printed is in --out" :
			    "printing what it printed");
		return r->kept.done;
	}
	if (dp_state_form(r->kept.state)->batch[0] != '\0') {
		if (compare_ids(id, dp_state_form(r->kept.state)->batch) < 0)
			dp_die(DP_EX_STATE, "%s: --batch: '%s' sorts before '%s', which was the "
			    "last: IDs must not go back (all digits: as numbers; others as text)",
			    r->o->keep.state, id, dp_state_form(r->kept.state)->batch);
		if (!r->kept.done && r->t > 0)
			dp_warn("%s: batch '%s' was not finished; going on with '%s'",
			    r->o->keep.state, dp_state_form(r->kept.state)->batch, id);
	}
	r->kept.skip = 0;
	r->kept.since = r->t;
	if ((e = dp_state_begin_batch(r->kept.state, id)) != 0)
		dp_session_fail(r, e, NULL);
	return 0;
}

static uint64_t
range_steps(const struct dp_options *o)
{
	return dp_span_count(&o->time.span, o->time.begin, o->time.end, UINT64_MAX);
}

/* True: --from and --to are the steps of the run that was the last, and came to its end. */
static bool
same_range(const struct dp_run *r)
{
	return !r->o->time.once && r->kept.done && r->o->time.end == r->ring.next &&
	    r->kept.since <= r->t && range_steps(r->o) == r->t - r->kept.since;
}

/* A batch that is done has one range: another is a mistyped ID, and its days would be lost. */
static void
check_range(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	char kept[DP_WHEN_TEXT + 1], to[DP_WHEN_TEXT + 1];

	if (o->time.once || !r->kept.done || !dp_state_form(r->kept.state)->kept || same_range(r))
		return;
	*dp_when_put(kept, r->ring.next, o->time.span.zone) = '\0';
	*dp_when_put(to, o->time.end, o->time.span.zone) = '\0';
	dp_die(DP_EX_USAGE, "--batch: '%s' is done: its buckets are %llu, up to %s; those of "
	    "--from and --to are %llu, up to %s; give another ID", o->keep.batch,
	    (unsigned long long)(r->t - r->kept.since), kept, (unsigned long long)range_steps(o),
	    to);
}

/* 1: a run that failed is repeated, and what it owed is out now: nothing is left to do. */
static int
begin_again(const struct dp_run *r)
{
	const struct dp_options *o = r->o;

	if (!same_range(r))
		return 0;
	if (!o->print.quiet)
		dp_warn("%s: the steps from --from to --to are released: %s; the input is not read",
		    o->keep.state,
		    o->keep.out != NULL ? "what was owed is in --out" : "printing what was owed");
	return 1;
}

/* --seen, which is all that this run does. */
static int
begin_anew(struct dp_run *r)
{
	const struct dp_mech *m = r->plan.mech;
	size_t c;
	int e = 0;

	for (c = 0; c < r->col.n && e == 0; c++)
		e = m->ops->open.anew(m, r->col.p + c * m->column, r->col.rng);
	if (e == DP_EHALT)
		dp_die(DP_EX_SPENT, "%s: --seen: all looks that --looks allows are used up",
		    r->o->keep.state);
	if (e != 0)
		return e;
	r->kept.ending = true;
	return (e = dp_session_sink(r, NULL, 0)) != 0 ? e : 1;
}

int
dp_session_begin(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const bool range = o->time.steps == DP_BY_RANGE && o->time.bucket != 0;
	char why[DP_STATE_WHY] = "";
	bool again, owed;
	int e;

	if (o->keep.state == NULL)
		return 0;
	if ((e = dp_session_catch(r)) != 0)
		return e;
	if (!o->keep.init)
		dp_body_get(r);
	else if (!dp_charge_due(o) && (e = dp_session_create(r, why)) != 0)
		dp_session_fail(r, e, why);
	again = o->keep.batch != NULL && dp_state_form(r->kept.state)->batch[0] != '\0' &&
	    compare_ids(o->keep.batch, dp_state_form(r->kept.state)->batch) == 0;
	if (again && range)
		check_range(r);
	owed = dp_stateform_owed(dp_state_form(r->kept.state)) != 0;
	if ((e = dp_state_redo(r->kept.state, again, why)) != 0)
		dp_session_fail(r, e, why);
	change(r);
	if (o->priv.pan)	/* what is in memory goes on; what it was is no part of it */
		dp_state_forget(r->kept.state);
	r->kept.committed = milliseconds();
	if (o->keep.seen)
		return begin_anew(r);
	if (range && o->keep.batch == NULL && owed && begin_again(r))
		return 1;
	if (o->keep.batch == NULL)
		r->kept.skip = 0;
	else {
		if (!o->priv.pan) {
			if ((r->kept.hash = aligned_alloc(_Alignof(crypto_generichash_state),
			    sizeof(crypto_generichash_state))) == NULL)
				return DP_ENOMEM;
			crypto_generichash_init(r->kept.hash, NULL, 0, 32);
		} else if (again)
			r->kept.skip = r->t - r->kept.since;	/* a line is a step */
		if ((e = begin_batch(r, again)) != 0)
			return e;
	}
	r->kept.done = false;
	if (dp_options_together(o)) {		/* one commit for all of it, or none */
		r->kept.skip = 0;
		r->print.out->hold = true;
	}
	if (r->halted)
		return DP_EHALT;
	return o->horizon != 0 && r->t == o->horizon && r->kept.skip == 0 ? DP_EHORIZON : 0;
}

void
dp_session_count(struct dp_run *r, const struct dp_record *rec)
{
	if (r->o->priv.pan)		/* in buckets the number of records is what is protected */
		return;
	r->kept.records++;
	if (r->kept.hash != NULL) {
		crypto_generichash_update(r->kept.hash, (const uint8_t *)rec->text.p, rec->text.n);
		crypto_generichash_update(r->kept.hash, (const uint8_t *)"\n", 1);
	}
}

bool
dp_session_wants(struct dp_run *r, const struct dp_record *rec)
{
	crypto_generichash_state h;
	uint8_t digest[32];

	if (DP_LIKELY(r->kept.skip == 0))
		return true;
	dp_session_count(r, rec);
	if (--r->kept.skip == 0 && r->kept.hash != NULL) {
		memcpy(&h, r->kept.hash, sizeof h);
		crypto_generichash_final(&h, digest, sizeof digest);
		if (sodium_memcmp(digest, r->kept.want_hash, sizeof digest) != 0)
			dp_die(DP_EX_STATE, "%s: the input does not begin with what this batch "
			    "has counted already", r->o->keep.state);
	}
	return false;
}

int
dp_session_end(struct dp_run *r)
{
	int e, s = dp_session_signal;

	if (r->kept.state == NULL)
		return 0;
	if (r->kept.skip != 0 && r->kept.done)
		dp_die(DP_EX_STATE, "%s: the input is shorter than what this batch has "
		    "counted already", r->o->keep.state);
	/*
	 * A range half read is not begun: its records will all be read again.  Stopped while
	 * passing over what is counted already: nothing happened.
	 */
	r->kept.ending = true;
	if ((!dp_options_together(r->o) || r->ring.closed > 0 ||
	    (r->o->shard.symbols && r->kept.done)) && r->kept.skip == 0 &&
	    (e = dp_session_sink(r, NULL, 0)) != 0)
		return e;
	if (s != 0)
		dp_session_die_of(s);
	return 0;
}

/*
 * --next: the range from the state's next bucket to the last one that is over.
 *
 * The clock and the state's public head alone decide it.  A range is one commit (session.c),
 * so a run that failed leaves the next bucket where it was, or has all of it, and prints what it
 * owes when it is run again.
 */

static void
check_next(const struct dp_options *o)
{
	need(o->keep.state != NULL, "--next needs --state, which says which bucket is next");
	need(!o->time.once, "--once and --next do not go together: either says what a step is");
	need(!o->given[OPT_TO], "--next: leave --to out: the clock says which bucket is the "
	    "last");
	need(o->keep.batch == NULL, "--batch: refused with --next, which counts no bucket twice");
	need(o->time.bucket != 0, "--next needs --bucket");
}

/* Start of the first bucket: of a new state the one that was over last, unless --from says it. */
static int64_t
first(const struct dp_run *r, int64_t over)
{
	const struct dp_options *o = r->o;
	const bool given = o->given[OPT_FROM];
	int64_t next;

	if (!o->keep.init && dp_session_next_bucket(r, &next)) {
		need(!given, "--next: leave --from out: the state file says which bucket is "
		    "next");
		return next;
	}
	need(o->keep.init || given, "--next: %s has no bucket yet and does not keep --from: give "
	    "the --from of the first run again, with --next, until a run has printed a bucket",
	    o->keep.state);
	return given ? o->time.from : dp_span_floor(&o->time.span, over - 1);
}

/* End of the n-th bucket from t on. */
static int64_t
end_of(const struct dp_options *o, int64_t t, uint64_t n)
{
	while (n-- > 0)
		t = dp_span_next(&o->time.span, t);
	return t;
}

/*
 * Of more buckets than the horizon has steps left the first are released, and the run says so
 * (run/driver.c).  None left: a range of one bucket, whose step stays untaken.
 */
static int64_t
last(struct dp_run *r, int64_t from, int64_t over, uint64_t n)
{
	const struct dp_options *o = r->o;
	const uint64_t spent = o->keep.init ? 0 : dp_session_step(r);
	uint64_t left;

	if (n == 0)		/* a range that is never begun */
		return end_of(o, from, 1);
	if (o->horizon == 0 || spent > o->horizon)
		return over;
	left = o->horizon - spent;
	if (n <= left)
		return over;
	r->kept.over = n;
	return end_of(o, from, left == 0 ? 1 : left);
}

static void
give(struct dp_options *o, int c, int64_t t)
{
	char text[DP_WHEN_TEXT + 1];
	const size_t n = (size_t)(dp_when_put(text, t, o->time.span.zone) - text);

	o->given[c] = true;
	o->text[c] = dp_options_keep(o, text, n);
}

void
dp_session_next(struct dp_run *r, struct dp_options *o)
{
	int64_t over, from;
	uint64_t n;

	if (!o->time.next)
		return;
	check_next(o);
	over = dp_span_floor(&o->time.span, dp_charge_now());
	from = first(r, over);
	n = from < over ? dp_span_count(&o->time.span, from, over, UINT64_MAX) : 0;
	if (n > dp_options_gap(o))
		dp_die(DP_EX_USAGE, "--next: %llu buckets are over since the last step of the "
		    "state file; if the clock is right, give --gap", (unsigned long long)n);
	r->kept.nothing = n == 0;
	o->time.from = from;
	if (n == 0 && o->keep.init && !o->print.quiet)
		dp_warn("--next: no bucket from --from on is over yet, so none is printed; the "
		    "state file does not keep --from: give it again, with --next, until one is");
	o->time.to = last(r, from, over, n);
	o->time.has_from = o->time.has_to = true;
	give(o, OPT_FROM, o->time.from);
	give(o, OPT_TO, o->time.to);
}

/*
 * Names that nobody declared in a state file: in clear, in the order of their
 * draws, with their columns; and events of open buckets.
 */

/* session.c: names in the order of their draws, and their events in open buckets. */
static void
dp_session_roll_put(const struct dp_run *r, struct dp_buf *b)
{
	const struct dp_roll *roll = r->roll;
	const size_t n = dp_names_count(roll->names);
	const int64_t *column;
	char name[DP_KEY_MAX + 1];
	struct dp_slice s;
	size_t i, row, place;
	uint32_t events;

	dp_session_put(b, "names", n);
	for (i = 0; i < n; i++) {
		s = dp_names_text(roll->names, i);
		((char *)memcpy(name, s.p, s.n))[s.n] = '\0';
		column = dp_roll_column(roll, i);
		dp_buf_puts(b, column != NULL ? "begun " : "name ");
		dp_buf_escaped(b, name);
		dp_buf_puts(b, "\n");
		if (column != NULL)
			dp_line_put(b, "column", column, r->plan.mech->column);
	}
	for (row = 0; r->o->time.steps != DP_BY_RANGE && row < roll->rows; row++) {
		dp_session_put(b, "open", roll->row[row].n);
		for (i = 0; dp_cells_each(&roll->row[row], &i, &place, &events); ) {
			dp_session_put(b, "of", place);
			dp_session_put(b, "events", events);
		}
	}
}

/* Result of dp_roll_put() or dp_roll_set() for the row that was read. */
static void
took(const struct dp_lines *l, const char *key, int e)
{
	if (e == DP_EINVAL)
		dp_line_damaged(l, key);
	if (e != 0)
		dp_die(DP_EX_SYSTEM, "out of memory");
}

static void
get_name(struct dp_run *r, struct dp_lines *l, size_t place)
{
	const struct dp_mech *m = r->plan.mech;
	const bool begun = l->p < l->end && *l->p == 'b';
	struct dp_slice s = dp_line_next(l, begun ? "begun " : "name ");
	char name[DP_KEY_MAX];
	int64_t *column;
	size_t n;

	if (!dp_unescape(name, sizeof name, s, &n))
		dp_line_damaged(l, "name");
	took(l, "name", dp_roll_put(r->roll, (struct dp_slice){ name, n }, place, begun));
	if (!begun)
		return;
	column = dp_roll_column(r->roll, place);
	dp_line_words(l, "column", column, m->column);
	if (m->ops->valid != NULL && !m->ops->valid(m, column, r->t))
		dp_line_damaged(l, "column");
}

/* session.c: names in the order of their draws, and their events in open buckets. */
static void
dp_session_roll_get(struct dp_run *r, struct dp_lines *l)
{
	const uint64_t n = dp_line_number(l, "names");
	uint64_t i, left, place;
	size_t row;

	if (n < r->roll->declared)
		dp_line_damaged(l, "names");
	for (i = 0; i < n; i++)
		get_name(r, l, (size_t)i);
	for (row = 0; r->o->time.steps != DP_BY_RANGE && row < r->roll->rows; row++)
		for (left = dp_line_number(l, "open"); left > 0; left--) {
			place = dp_line_number(l, "of");
			if (place >= n)
				dp_line_damaged(l, "of");
			took(l, "events", dp_cells_set(&r->roll->row[row], (size_t)place,
			    dp_line_number(l, "events")));
		}
	dp_roll_loaded(r);
}

/* The lines of a state's body (internal.h). */

/* Writes the last `digits` hex digits of w at p; returns their end. */
/* A commit writes millions. */
static char *
dp_line_put_hex(char *p, uint64_t w, int digits)
{
	int i;

	for (i = digits; i-- > 0; w >>= 4)
		p[i] = "0123456789abcdef"[w & 15];
	return p + digits;
}

/*
 * Bytes as hex words of fixed width, so that the length of a state file tells nothing of the data;
 * dp_line_put() writes a line of key and words.
 */
static void
dp_line_put_bytes(struct dp_buf *b, const void *p, size_t n)
{
	const unsigned char *q = p;
	char hex[64 * 17], *at = hex;
	uint64_t w;

	for (; n >= 8; n -= 8, q += 8) {
		memcpy(&w, q, 8);
		*at++ = ' ';
		at = dp_line_put_hex(at, w, 16);
		if (at == hex + sizeof hex || n < 16) {
			dp_buf_add(b, hex, (size_t)(at - hex));
			at = hex;
		}
	}
	sodium_memzero(hex, sizeof hex);
}

/*
 * Bytes as hex words of fixed width, so that the length of a state file tells nothing of the data;
 * dp_line_put() writes a line of key and words.
 */
static void
dp_line_put(struct dp_buf *b, const char *key, const void *p, size_t n)
{
	dp_buf_puts(b, key);
	dp_line_put_bytes(b, p, n);
	dp_buf_puts(b, "\n");
}

#define EACH(x)	(UINT64_C(0x0101010101010101) * (x))	/* of the bytes of a word */

/* A word of 8 or 16 lower-case hex digits; false: another character is among them. */
static bool
dp_line_hex(const char *p, size_t digits, uint64_t *w)
{
	uint64_t x, v;

	for (*w = 0; digits > 0; digits -= 8, p += 8) {
		memcpy(&x, p, 8);
		x = le64toh(x);
		/* digits' values, if they write what is there: a letter has the bit 0x40 */
		v = (x & EACH(0x0f)) + 9 * ((x >> 6) & EACH(1));
		if ((v & EACH(0xf0)) != 0 ||
		    v + EACH('0') + ('a' - '0' - 10) * (((v + EACH(6)) >> 4) & EACH(1)) != x)
			return false;
		v = (v << 4 | v >> 8) & UINT64_C(0x00ff00ff00ff00ff);
		v = (v | v >> 8) & UINT64_C(0x0000ffff0000ffff);
		*w = *w << 32 | __builtin_bswap32((uint32_t)(v | v >> 16));
	}
	return true;
}

void
dp_session_put(struct dp_buf *b, const char *key, uint64_t n)
{
	dp_buf_puts(b, key);
	dp_buf_puts(b, " ");
	dp_buf_u64(b, n);
	dp_buf_puts(b, "\n");
}

static _Noreturn void
dp_line_damaged(const struct dp_lines *l, const char *key)
{
	dp_die(DP_EX_STATE, "%s: the state file's '%s' is damaged", l->r->o->keep.state, key);
}

/* The text behind the key of the next line. */
static struct dp_slice
dp_line_next(struct dp_lines *l, const char *key)
{
	size_t n = strlen(key), left = (size_t)(l->end - l->p);
	const char *p = l->p, *nl = memchr(p, '\n', left);

	if (nl == NULL)
		dp_line_damaged(l, key);
	left = (size_t)(nl - p);
	if (left < n || memcmp(p, key, n) != 0)
		dp_line_damaged(l, key);
	l->p = nl + 1;
	return (struct dp_slice){ p + n, left - n };
}

/* The text behind the key of the next line. */
static uint64_t
dp_line_number(struct dp_lines *l, const char *key)
{
	struct dp_slice s = dp_line_next(l, key);
	char text[32];
	uint64_t n;

	snprintf(text, sizeof text, "%.*s", (int)s.n, s.p);
	if (text[0] != ' ' || dp_u64_parse(&n, text + 1, 0, UINT64_MAX) != 0)
		dp_line_damaged(l, key);
	return n;
}

/* n bytes from the words at p, or from the next line. */
static void
dp_line_bytes(struct dp_lines *l, const char *key, const char *p, void *out, size_t n)
{
	unsigned char *q = out;
	uint64_t w;

	for (; n >= 8; n -= 8, p += 17, q += 8) {
		if (*p != ' ' || !dp_line_hex(p + 1, 16, &w))
			dp_line_damaged(l, key);
		memcpy(q, &w, 8);
	}
}

/* n bytes from the words at p, or from the next line. */
static void
dp_line_words(struct dp_lines *l, const char *key, void *out, size_t n)
{
	struct dp_slice s = dp_line_next(l, key);

	if (s.n != n / 8 * 17)
		dp_line_damaged(l, key);
	dp_line_bytes(l, key, s.p, out, n);
}
