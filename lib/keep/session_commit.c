/* session_commit.c - order of effects: draw, commit, print; and what a later run goes on with. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "job.h"
#include "lines.h"

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

static void
create(struct dp_run *r)
{
	char why[DP_STATE_WHY] = "";
	struct dp_buf head = { .n = 0 };
	int e;

	put_parts(r, &head);
	if ((e = dp_state_create(r->kept.state, head.p, &r->kept.body, why)) != 0)
		dp_session_fail(r, e, why);
	dp_buf_free(&head);
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
			dp_warn("%s: batch '%s' is done: %s; the input is not read",
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
			dp_warn("%s: batch '%s' did not come to its end; going on with '%s'",
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
		dp_die(DP_EX_SPENT, "%s: --seen: no look is left of those of --looks",
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
	if (o->keep.init)
		create(r);
	else
		dp_body_get(r);
	again = o->keep.batch != NULL && dp_state_form(r->kept.state)->batch[0] != '\0' &&
	    compare_ids(o->keep.batch, dp_state_form(r->kept.state)->batch) == 0;
	if (again && range)
		check_range(r);
	owed = dp_stateform_owed(dp_state_form(r->kept.state)) != 0;
	if ((e = dp_state_redo(r->kept.state, again, why)) != 0)
		dp_session_fail(r, e, why);
	change(r);
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
	if (o->time.steps == DP_BY_RANGE) {	/* one commit for all of it, or none */
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
	if ((r->o->time.steps != DP_BY_RANGE || r->ring.closed > 0) && r->kept.skip == 0 &&
	    (e = dp_session_sink(r, NULL, 0)) != 0)
		return e;
	if (s != 0)
		dp_session_die_of(s);
	return 0;
}
