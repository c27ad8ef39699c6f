/*
 * records.c - records in, steps out: the loops that records go through one by one, or a few at a
 * time.
 */
#include <stdio.h>
#include <string.h>

#include <sodium.h>

#include "base/stack.h"
#include "roads.h"

_Noreturn void
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
take(struct dp_run *r, struct dp_record *rec, const char *file)
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
	int e = take(r, rec, file), f;

	/* also its length and where its fields were */
	sodium_memzero(rec, sizeof *rec);
	f = dp_events_forget(r->in.events);
	dp_reader_forget(r->in.reader);
	dp_stack_wipe(8192);		/* more than twice what a line reaches */
	dp_registers_wipe();
	return e != 0 ? e : f;
}

/* --from/--to with a plain string to match: only lines that hold it are looked at. */
int
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
			if ((fault = take(r, &rec, file)) != 0)
				return fault;
		if (rc < 0)
			return rc;
	}
	return rc < 0 ? rc : 0;
}

#define AHEAD	16

/*
 * Some records are read before the first of them counts: by then what is kept of their users is on
 * its way from memory, which a table of a million does not share with the cache.
 */
int
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
			dp_events_read(r->in.events, &rec, &v[n]);
			number[n] = rec.number;
			dp_cap_expect(r, &v[n]);
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

int
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
		    (e = (r->o->priv.pan ? take_and_forget : take)(r, &rec, file)) != 0)
			return e;
	}
}
