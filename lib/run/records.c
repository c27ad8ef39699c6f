/* SPDX-License-Identifier: ISC */
/* records.c - the way that an operand's records take to steps and sums. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/stack.h"
#include "explain/print.h"
#include "input/event.h"
#include "input/partial.h"
#include "input/record.h"
#include "store/run.h"
#include "internal.h"

static int dp_records_matches(struct dp_run *, const char *file) DP_MUSTUSE;
static int dp_records_users(struct dp_run *, const char *file) DP_MUSTUSE;
static int dp_records_all(struct dp_run *, const char *file) DP_MUSTUSE;
static int dp_values_spans(struct dp_run *, const char *file) DP_MUSTUSE;
static int dp_values_records(struct dp_run *, const char *file) DP_MUSTUSE;
static int dp_values_columns(struct dp_run *, struct dp_values, size_t n) DP_MUSTUSE;

/*
 * The road that an operand's records take: the first in the table that can do all that
 * the run asks for.  The last can do everything, and all give the same bytes (roads.bats).
 */

/* Requests that a run may make. */
enum {
	STATE = 1,		/* what counts is committed record by record */
	PAN = 2,		/* what is left of a record is wiped before the next */
	CHECK = 4,		/* records are shown */
	TOTALS = 8,		/* records are a randomiser's answers */
	PARTIAL = 16,		/* records are exact sums */
	BUCKET = 32,		/* steps are buckets of time */
	CLOCK = 64,		/* which the clock closes */
	USERS = 128,		/* so many events of a user count */
	STRICT = 256,		/* a malformed record ends the run, with its place */
	FIELDS = 512,		/* a line is more than its number, or than a string that it holds */
	TERMS = 1024,		/* an event is many numbers, or a text */
	COLUMNS = 2048,		/* an event is in one of many columns */
	LINES = 4096,		/* lines without a certain string may count, too */
	/* a step is another thing than a number, or is printed together with others */
	STEPS = 8192,
	/* a user is looked up when his event counts, as K/step and --distinct do */
	LOOKED_UP = 16384,
	/* an event is an identifier in a table, and nothing else of its record is looked at */
	TABLED = 32768
};

static const struct road {
	unsigned must, can;
	int (*run)(struct dp_run *, const char *file);
} road[] = {
	/* of what is kept in memory nobody sees a part: many steps are taken, then printed */
	{ 0, LINES, dp_values_spans },
	{ 0, LINES | FIELDS | STRICT | USERS | COLUMNS, dp_values_records },
	/* lines are passed over unseen: nothing that counts or shows each of them */
	{ 0, BUCKET | USERS | LOOKED_UP | FIELDS | TERMS | COLUMNS | STEPS, dp_records_matches },
	/* events are read ahead: terms, and users who are looked up later, would be the last's */
	{ USERS | BUCKET, LINES | FIELDS | USERS | BUCKET | COLUMNS | STEPS,
	    dp_records_users },
	{ TABLED, LINES | FIELDS | BUCKET | STEPS | TERMS | PARTIAL | TABLED, dp_records_users },
	{ 0, ~0u, dp_records_all }
};

/* True: besides a line is nothing but its number. */
static bool
plain_numbers(const struct dp_options *o)
{
	return !o->form.csv && !o->form.header && !o->form.strict && o->form.match == NULL &&
	    (o->form.digits.decimal | o->form.digits.thousands) == 0 &&
	    (o->form.value.number | o->keys.field.number | o->users.field.number |
	    o->time.field.number) == 0 &&
	    o->form.conditions == 0 && !dp_options_formed(o);
}

/* True: each line is a step of one number for a mechanism that takes many of them at a time. */
static bool
steps_of_numbers(const struct dp_run *r)
{
	return dp_step_plain(r) && (r->print.nest == 1 || r->col.several != NULL) &&
	    r->plan.mech->inputs == 1;
}

static unsigned
asks(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const bool folds = r->cap.fold != NULL;
	const struct {
		bool asked;
		unsigned what;
	} all[] = {
		{ o->keep.state != NULL, STATE }, { o->priv.pan, PAN }, { o->print.check, CHECK },
		{ r->totals != NULL, TOTALS }, { r->in.partial != NULL, PARTIAL },
		{ o->time.bucket != 0, BUCKET }, { o->time.steps == DP_BY_CLOCK, CLOCK },
		{ o->users.most != 0 && (r->cap.users != NULL || folds), USERS },
		{ o->form.strict, STRICT },
		{ (o->users.per_step || o->users.once) && !folds, LOOKED_UP },
		{ !plain_numbers(o) && !dp_events_searchable(r->in.events), FIELDS },
		{ r->tool->shape == DP_SHAPE_VECTOR || r->tool->shape == DP_SHAPE_NAME ||
		    o->keys.each || (r->tool->adds != NULL && !folds), TERMS },
		{ r->print.nest != 1, COLUMNS }, { !dp_events_seekable(r->in.events), LINES },
		{ o->print.check || !steps_of_numbers(r), STEPS },
		{ r->ring.firsts || (o->shard.hash != NULL && o->time.steps == DP_BY_RANGE),
		    TABLED }
	};
	unsigned what = 0;
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++)
		what |= all[i].asked ? all[i].what : 0;
	return what;
}

int
dp_road_run(struct dp_run *r, const char *file)
{
	const unsigned what = asks(r);
	const struct road *p = road;

	while ((what & ~p->can) != 0 || (p->must & ~what) != 0)
		p++;
	return p->run(r, file);
}

/*
 * Records in, steps out: the loops that records go through one by one, or a few at a
 * time.
 */

/* Exits under --strict: flushes estimates, then tells the place of the line, never its text. */
static _Noreturn void
dp_run_refuse(struct dp_run *r, const char *file, uint64_t line, const struct dp_event *v)
{
	int e;

	if ((e = dp_out_flush(r->print.out)) != 0 || (e = dp_session_end(r)) != 0)
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
 * --public-times: times are public, so one that is far from the open bucket is said.  While that is
 * the first of the run nobody knows which of the two is wrong, and all later lines may be as far
 * from it: the run ends.
 */
static void
say_far(struct dp_run *r, const char *file, uint64_t line, int64_t time)
{
	char far[DP_WHEN_TEXT + 1], open[DP_WHEN_TEXT + 1], place[24] = "", text[400];
	const struct dp_event v = { .why = text };

	*dp_when_put(far, time, r->o->time.span.zone) = '\0';
	*dp_when_put(open, r->ring.next, r->o->time.span.zone) = '\0';
	snprintf(text, sizeof text, "its time, %s, is more than %llu empty buckets %s the open "
	    "one, %s", far, (unsigned long long)dp_options_gap(r->o),
	    time < r->ring.next ? "before" : "after", open);
	if (!r->ring.advanced) {
		strcat(text, ": one of the two is wrong.  Delete the line with the wrong time; if "
		    "both are right, sort lines by time and give --gap=N, no less than the "
		    "number of buckets between them");
		dp_run_refuse(r, file, line, &v);
	}
	if (line != 0)
		snprintf(place, sizeof place, ":%llu", (unsigned long long)line);
	if (!r->ring.far && !r->o->print.quiet)
		dp_warn("%s%s: %s: it counts nowhere, and so will any other time that far ahead "
		    "(--gap)", file, place, text);
	r->ring.far = true;
}

/*
 * Every commit must hold either all of a record's effect or none, and its count with it: buckets
 * are closed before the record counts, a line's own step is released after.
 */
static int
take_bucket(struct dp_run *r, const struct dp_record *rec, const char *file, struct dp_event *v)
{
	int e;

	if (r->o->time.steps == DP_BY_TIMES && v->timed) {
		if ((e = dp_bucket_reach(r, v)) != 0)
			return e;
		if (!v->counts && dp_bucket_far(r, v->time))
			say_far(r, file, rec->number, v->time);
	}
	if (v->counts && (e = dp_bucket_add(r, v)) != 0)
		return e;
	dp_session_count(r, rec);
	return 0;
}

/* A frame of its own: take_and_forget() wipes what is below its own. */
__attribute__((noinline)) static int
take_records(struct dp_run *r, struct dp_record *rec, const char *file)
{
	struct dp_event v;
	int e;

	if (!dp_session_wants(r, rec))
		return 0;
	if (r->in.partial != NULL)
		dp_partial_read(r->in.partial, rec, file, &v);
	else
		dp_events_read(r->in.events, rec, &v);
	if (v.error != 0)
		return v.error;
	if (r->o->print.check)
		return dp_check_record(r, rec, file, &v);
	if (r->totals != NULL && (e = dp_total_add(r, &v)) != 0)
		return e;
	if (v.why != NULL && r->o->form.strict)
		dp_run_refuse(r, file, rec->number, &v);
	if (r->totals != NULL)
		return 0;
	if (r->o->time.bucket != 0)
		return take_bucket(r, rec, file, &v);
	if (r->in.partial != NULL) {
		dp_session_count(r, rec);
		return v.counts ? dp_step_same(r, &v) : 0;
	}
	/* an unreleased record stays uncounted: the batch given again stops at it again */
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
	int e = take_records(r, rec, file), f;

	/* also its length and where its fields were */
	sodium_memzero(rec, sizeof *rec);
	f = dp_events_forget(r->in.events);
	dp_reader_forget(r->in.reader);
	dp_stack_wipe(8192);		/* more than twice what a line reaches */
	dp_registers_wipe();
	return e != 0 ? e : f;
}

/*
 * The roads.  records.c: lines that are steps of a number, many at a time, as they stand or of
 * records.  records.c: lines that hold a plain string; some records ahead, for users' allowances;
 * one by one.
 */
/* --from/--to with a plain string to match: only lines that hold it are looked at. */
static int
dp_records_matches(struct dp_run *r, const char *file)
{
	static struct dp_record rec;
	const char *at;
	char *p, *e;
	int rc, fault;

	while ((rc = dp_reader_span(r->in.reader, &p, &e, -1)) > 0 && dp_session_signal == 0) {
		if (rc != DP_READ_RECORD)
			continue;
		for (at = p; at < e && (rc = dp_events_seek(r->in.events, &at, e, &rec.text)) > 0; )
			if ((fault = take_records(r, &rec, file)) != 0)
				return fault;
		if (rc < 0)
			return rc;
	}
	return rc < 0 ? rc : 0;
}

#define AHEAD	16

/*
 * The roads.  records.c: lines that are steps of a number, many at a time, as they stand or of
 * records.  records.c: lines that hold a plain string; some records ahead, for users' allowances;
 * one by one.
 */
/*
 * Some records are read before the first of them counts: by then what is kept of their users is on
 * its way from memory, which a table of a million does not share with the cache.
 */
static int
dp_records_users(struct dp_run *r, const char *file)
{
	static struct dp_record rec;
	struct dp_event v[AHEAD];
	uint64_t number[AHEAD];		/* of their lines */
	size_t n, i;
	int rc, e;

	while ((rc = dp_reader_next(r->in.reader, &rec, -1)) > 0 && dp_session_signal == 0) {
		dp_clock_year(r);
		for (n = 0; rc == DP_READ_RECORD && n < AHEAD; n++) {
			if (r->in.partial != NULL)
				dp_partial_read(r->in.partial, &rec, file, &v[n]);
			else
				dp_events_read(r->in.events, &rec, &v[n]);
			number[n] = rec.number;
			dp_bucket_expect(r, &v[n]);
			rc = n + 1 < AHEAD ? dp_reader_more(r->in.reader, &rec) : 0;
		}
		for (i = 0; i < n; i++) {
			rec.number = number[i];
			if ((e = v[i].error) != 0 || (e = take_bucket(r, &rec, file, &v[i])) != 0)
				return e;
		}
		if (rc < 0)
			return rc;
	}
	return rc < 0 ? rc : 0;
}

/*
 * The roads.  records.c: lines that are steps of a number, many at a time, as they stand or of
 * records.  records.c: lines that hold a plain string; some records ahead, for users' allowances;
 * one by one.
 */
static int
dp_records_all(struct dp_run *r, const char *file)
{
	static struct dp_record rec;
	const bool clock = r->o->time.steps == DP_BY_CLOCK && !r->o->print.check;
	int rc, e;

	if ((e = dp_step_begin(r)) != 0)
		return e;
	for (;;) {
		if (dp_session_signal != 0)	/* lines read already still count */
			dp_reader_stop(r->in.reader);
		rc = dp_reader_next(r->in.reader, &rec, clock ? dp_bucket_wait(r) : -1);
		if (rc <= 0)
			return rc;
		if (rc == DP_READ_TIMEOUT && dp_session_signal != 0)
			return 0;
		if (clock && (e = dp_bucket_tick(r)) != 0)
			return e;
		dp_clock_year(r);
		if (rc == DP_READ_RECORD &&
		    (e = (r->o->priv.pan ? take_and_forget : take_records)(r, &rec, file)) != 0)
			return e;
	}
}

/*
 * Lines that are steps of one number each: as many at a time as are in memory.
 */

/* One line [p, nl) to its value, as dp_events_read() maps it. */
static int64_t
line_value(const struct dp_options *o, const char *p, const char *nl)
{
	int64_t v;

	p += dp_record_marks(p, nl);
	if (nl > p && nl[-1] == '\r')
		nl--;
	if (nl == p || dp_decimal_parse(&v, p, (size_t)(nl - p), o->range.places) != 0)
		return o->range.nothing;
	return v < o->range.lo ? o->range.lo : v > o->range.hi ? o->range.hi : v;
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
		q = dp_out_decimal(out, q, y[i], places);
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

/* Steps from t on in the other formats. */
static int
print_values(struct dp_run *r, uint64_t t, const dp_wide *y, size_t n)
{
	size_t i;
	int e = 0;

	for (i = 0; i < n && e == 0; i++) {
		r->print.est[0] = y[i];
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

	rc = dp_mech_steps(r->plan.mech, r->col.p, r->col.rng, r->t + 1, x, y,
	    left < n ? (size_t)left : n, &done);
	r->t += done;
	for (i = 0; r->print.bare && r->print.coarse > 1 && i < done; i++)
		y[i] = dp_nearest(y[i], r->print.coarse);
	fault = r->print.bare ? write_values(r->print.out, y, done, r->print.places) :
	    print_values(r, r->t - done + 1, y, done);
	if (fault != 0 || rc != 0)
		return fault != 0 ? fault : rc;
	return left < n ? DP_EHORIZON : 0;
}

/* The short way over a span of whole lines. */
static int
take_span(struct dp_run *r, const char *p, const char *e)
{
	const bool search = dp_events_searchable(r->in.events);
	const char *hit = NULL;
	int64_t x[BATCH];
	int n, rc;

	while (p < e) {
		n = search ? dp_events_search(r->in.events, &p, e, &hit, x, BATCH) :
		    (int)read_values(r->o, &p, e, x);
		if (n < 0 || (rc = take_values(r, x, (size_t)n)) != 0)
			return n < 0 ? n : rc;
	}
	return 0;
}

/*
 * The roads.  records.c: lines that are steps of a number, many at a time, as they stand or of
 * records.  records.c: lines that hold a plain string; some records ahead, for users' allowances;
 * one by one.
 */
static int
dp_values_spans(struct dp_run *r, const char *file)
{
	const int64_t nothing = r->o->range.nothing;
	char *p, *e;
	int rc;

	(void)file;
	while ((rc = dp_reader_span(r->in.reader, &p, &e, -1)) > 0) {
		if (rc != DP_READ_RECORD)
			continue;
		/* a line too long counts as nothing */
		rc = p == e ? take_values(r, &nothing, 1) : take_span(r, p, e);
		if (rc != 0)
			return rc;
	}
	return rc;
}

/*
 * The event of the record of step r->t + n + 1; an error, or a record that --strict refuses, ends
 * what is read.
 */
static int
read_event(struct dp_run *r, struct dp_record *rec, size_t n, struct dp_event *v)
{
	dp_events_read(r->in.events, rec, v);
	if (v->error != 0)
		return v->error;
	return v->why != NULL && r->o->form.strict ? DP_ESYNTAX : dp_cap_admit(r, n, v);
}

/*
 * The roads.  records.c: lines that are steps of a number, many at a time, as they stand or of
 * records.  records.c: lines that hold a plain string; some records ahead, for users' allowances;
 * one by one.
 */
/* Records of which each is a number: as many at a time as are in memory. */
static int
dp_values_records(struct dp_run *r, const char *file)
{
	static struct dp_record rec;
	struct dp_event v;
	int64_t x[BATCH];
	size_t column[BATCH], n;
	int rc, e, bad;

	while ((rc = dp_reader_next(r->in.reader, &rec, -1)) > 0) {
		bad = 0;
		for (n = 0; rc == DP_READ_RECORD && n < BATCH; n++) {
			if ((bad = read_event(r, &rec, n, &v)) != 0)
				break;
			x[n] = v.value;
			column[n] = v.column;
			rc = n + 1 < BATCH ? dp_reader_more(r->in.reader, &rec) : 0;
		}
		e = r->col.several != NULL ?
		    dp_values_columns(r, (struct dp_values){ x, column }, n) :
		    take_values(r, x, n);
		if (e != 0)
			return e;
		if (bad == DP_ESYNTAX)
			dp_run_refuse(r, file, rec.number, &v);
		if ((e = bad) != 0 || (e = rc < 0 ? rc : 0) != 0)
			return e;
	}
	return rc;
}

/*
 * Lines that are steps of many columns: column by column, some steps at a time.
 *
 * No more than a block has (counter/mech.h): then one step at most draws, for column after column,
 * which is
 * the order of single steps.
 */

/*
 * n steps, no more than a block's; *done of them in all columns: once one column ends early, those
 * behind it go no further.  While it lasts r->col.x, else 0, says where a column's values begin.
 */
static int
step_all(struct dp_run *r, const struct dp_values *v, size_t n, size_t *done)
{
	const struct dp_mech *m = r->plan.mech;
	char *col = r->col.p;
	dp_wide *y = r->col.several;
	int64_t value[DP_SEVERAL] = { 0 }, next[DP_SEVERAL] = { 0 }, i;
	size_t c;
	int e = 0, rc;

	for (i = (int64_t)n; i > 0; i--) {
		next[i - 1] = r->col.x[v->column[i - 1]];
		r->col.x[v->column[i - 1]] = i;
	}
	*done = n;
	for (c = 0; c < r->col.n; c++, col += m->column, y += DP_SEVERAL) {
		for (i = r->col.x[c]; i != 0; i = next[i - 1])
			value[i - 1] = v->x[i - 1];
		rc = dp_mech_steps(m, col, r->col.rng, r->t + 1, value, y, *done, done);
		e = e != 0 ? e : rc;
		for (i = r->col.x[c]; i != 0; i = next[i - 1])
			value[i - 1] = 0;
		r->col.x[c] = 0;
	}
	return e;
}

static int
print_all(struct dp_run *r, size_t n)
{
	const dp_wide *y;
	size_t i, c;
	int e = 0;

	for (i = 0; i < n && e == 0; i++) {
		for (c = 0, y = r->col.several + i; c < r->col.n; c++, y += DP_SEVERAL)
			r->print.est[c] = *y;
		e = dp_print_step(r, ++r->t, 0);
	}
	return e;
}

static int
dp_values_columns(struct dp_run *r, struct dp_values v, size_t n)
{
	size_t some, done;
	int e, fault;

	for (; n > 0; n -= some, v.x += some, v.column += some) {
		if (r->o->horizon != 0 && r->t == r->o->horizon)
			return DP_EHORIZON;
		some = DP_SEVERAL < n ? DP_SEVERAL : n;
		if (r->o->horizon != 0 && some > r->o->horizon - r->t)
			some = r->o->horizon - r->t;
		e = step_all(r, &v, some, &done);
		if ((fault = print_all(r, done)) != 0 || e != 0)
			return fault != 0 ? fault : e;
	}
	return 0;
}
