/* session_commit.c - the order of effects: draw, commit, print; and what a later run goes on with. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "session.h"

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

	return milliseconds() - r->committed < 1000;
}

int
dp_session_sink(void *arg, const char *p, size_t n)
{
	char why[DP_STATE_WHY] = "";
	struct dp_run *r = arg;
	int e;

	dp_body_put(r, &r->body);
	if (r->body.error != 0)
		return r->body.error;
	/* A snapshot of this process must not hold the noise of the next group. */
	dp_rng_drop(r->rng);
	if ((e = dp_state_commit(r->state, &r->body, p, n, why)) != 0)
		dp_session_fail(r, e, why[0] != '\0' ? why : NULL);
	dp_buf_reset(&r->body);
	r->committed = milliseconds();
	return 0;
}

int
dp_session_stage(void *arg, const char *p, size_t n)
{
	char why[DP_STATE_WHY] = "";
	struct dp_run *r = arg;
	int e;

	if ((e = dp_state_stage(r->state, p, n, why)) != 0)
		dp_session_fail(r, e, why);
	return 0;
}

/* Both parts of a new state; the body goes to r->body. */
static void
put_parts(struct dp_run *r, struct dp_buf *head)
{
	dp_session_head(r, head);
	dp_buf_add(head, "", 1);
	dp_body_put(r, &r->body);
	if (head->error != 0 || r->body.error != 0)
		dp_session_fail(r, DP_ENOMEM, NULL);
}

void
dp_session_claim(struct dp_run *r)
{
	char why[DP_STATE_WHY] = "";
	struct dp_state_rule rule;
	struct dp_buf head = { .n = 0 };
	int e;

	if (!r->o->init)
		return;
	rule = dp_session_rule(r->o);
	/* as long as they will be, but for the line of a charge; what is drawn has no other length */
	put_parts(r, &head);
	if ((e = dp_state_claim(&r->state, &rule, head.n + r->body.n + CHARGE_LINE, why)) != 0)
		dp_session_fail(r, e, why);
	dp_buf_free(&head);
	dp_buf_reset(&r->body);
}

static void
create(struct dp_run *r)
{
	char why[DP_STATE_WHY] = "";
	struct dp_buf head = { .n = 0 };
	int e;

	put_parts(r, &head);
	if ((e = dp_state_create(r->state, head.p, &r->body, why)) != 0)
		dp_session_fail(r, e, why);
	dp_buf_free(&head);
}

/* The options as they are now, kept from the next commit on. */
static void
change(struct dp_run *r)
{
	struct dp_buf head = { .n = 0 };

	if (!r->changed)
		return;
	dp_session_head(r, &head);
	dp_buf_add(&head, "", 1);
	if (head.error != 0 || dp_state_set_head(r->state, head.p) != 0)
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
	const char *id = r->o->batch;
	int e;

	if (again) {
		if (r->done && !r->o->quiet)
			dp_warn("%s: batch '%s' is done: %s; the input is not read", r->o->state,
			    id, r->o->out != NULL ? "what it printed is in --out" :
			    "printing what it printed");
		return r->done;
	}
	if (dp_state_batch(r->state)[0] != '\0') {
		if (compare_ids(id, dp_state_batch(r->state)) < 0)
			dp_die(DP_EX_STATE, "%s: --batch: '%s' sorts before '%s', which was the "
			    "last: IDs must not go back (all digits: as numbers; others as text)",
			    r->o->state, id, dp_state_batch(r->state));
		if (!r->done && r->t > 0)
			dp_warn("%s: batch '%s' did not come to its end; going on with '%s'",
			    r->o->state, dp_state_batch(r->state), id);
	}
	r->skip = 0;
	r->since = r->t;
	if ((e = dp_state_begin_batch(r->state, id)) != 0)
		dp_session_fail(r, e, NULL);
	return 0;
}

static uint64_t
range_steps(const struct dp_options *o)
{
	return dp_span_count(&o->span, o->begin, o->end, UINT64_MAX);
}

/* Whether --from and --to are the steps of the run that was the last, and came to its end. */
static bool
same_range(const struct dp_run *r)
{
	return r->done && r->o->end == r->next && r->since <= r->t &&
	    range_steps(r->o) == r->t - r->since;
}

/* A batch that is done has one range: another is a mistyped ID, and its days would be lost. */
static void
check_range(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	char kept[DP_WHEN_TEXT + 1], to[DP_WHEN_TEXT + 1];

	if (!r->done || !dp_state_kept(r->state) || same_range(r))
		return;
	*dp_when_put(kept, r->next, o->span.zone) = '\0';
	*dp_when_put(to, o->end, o->span.zone) = '\0';
	dp_die(DP_EX_USAGE, "--batch: '%s' is done: its buckets are %llu, up to %s; those of --from "
	    "and --to are %llu, up to %s; give another ID", o->batch,
	    (unsigned long long)(r->t - r->since), kept, (unsigned long long)range_steps(o), to);
}

/* 1: a run that failed is repeated, and what it owed is out now: nothing is left to do. */
static int
begin_again(const struct dp_run *r)
{
	const struct dp_options *o = r->o;

	if (!same_range(r))
		return 0;
	if (!o->quiet)
		dp_warn("%s: the steps from --from to --to are released: %s; the input is not read",
		    o->state, o->out != NULL ? "what was owed is in --out" : "printing what was owed");
	return 1;
}

int
dp_session_begin(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const bool range = o->steps == DP_BY_RANGE && o->bucket != 0;
	char why[DP_STATE_WHY] = "";
	bool again, owed;
	int e;

	if (o->state == NULL)
		return 0;
	if ((e = dp_session_catch(r)) != 0)
		return e;
	if (o->init)
		create(r);
	else
		dp_body_get(r);
	again = o->batch != NULL && dp_state_batch(r->state)[0] != '\0' &&
	    compare_ids(o->batch, dp_state_batch(r->state)) == 0;
	if (again && range)
		check_range(r);
	owed = dp_state_owes(r->state);
	if ((e = dp_state_redo(r->state, again, why)) != 0)
		dp_session_fail(r, e, why);
	change(r);
	r->committed = milliseconds();
	if (range && o->batch == NULL && owed && begin_again(r))
		return 1;
	if (o->batch == NULL)
		r->skip = 0;
	else {
		if (!o->pan) {
			if ((r->hash = aligned_alloc(_Alignof(crypto_generichash_state),
			    sizeof(crypto_generichash_state))) == NULL)
				return DP_ENOMEM;
			crypto_generichash_init(r->hash, NULL, 0, 32);
		} else if (again)
			r->skip = r->t - r->since;	/* a line is a step */
		if ((e = begin_batch(r, again)) != 0)
			return e;
	}
	r->done = false;
	if (o->steps == DP_BY_RANGE) {	/* one commit for the whole range: it is all or nothing */
		r->skip = 0;
		r->out->hold = true;
	}
	if (r->halted)
		return DP_EHALT;
	return o->horizon != 0 && r->t == o->horizon && r->skip == 0 ? DP_EHORIZON : 0;
}

void
dp_session_count(struct dp_run *r, const struct dp_record *rec)
{
	if (r->o->pan)		/* in buckets the number of records is what is protected */
		return;
	r->records++;
	if (r->hash != NULL) {
		crypto_generichash_update(r->hash, (const uint8_t *)rec->text.p, rec->text.n);
		crypto_generichash_update(r->hash, (const uint8_t *)"\n", 1);
	}
}

bool
dp_session_wants(struct dp_run *r, const struct dp_record *rec)
{
	crypto_generichash_state h;
	uint8_t digest[32];

	if (DP_LIKELY(r->skip == 0))
		return true;
	dp_session_count(r, rec);
	if (--r->skip == 0 && r->hash != NULL) {
		memcpy(&h, r->hash, sizeof h);
		crypto_generichash_final(&h, digest, sizeof digest);
		if (sodium_memcmp(digest, r->want_hash, sizeof digest) != 0)
			dp_die(DP_EX_STATE, "%s: the input does not begin with what this batch has counted already",
			    r->o->state);
	}
	return false;
}

int
dp_session_end(struct dp_run *r)
{
	int e, s = dp_session_signal;

	if (r->state == NULL)
		return 0;
	if (r->skip != 0 && r->done)
		dp_die(DP_EX_STATE, "%s: the input is shorter than what this batch has counted already",
		    r->o->state);
	/*
	 * A range half read is not begun: its records will all be read again.  Stopped while passing over what is
	 * counted already: nothing happened.
	 */
	r->ending = true;
	if ((r->o->steps != DP_BY_RANGE || r->closed > 0) && r->skip == 0 &&
	    (e = dp_session_sink(r, NULL, 0)) != 0)
		return e;
	if (s != 0)
		dp_session_die_of(s);
	return 0;
}
