/*
 * session_next.c - --next: the range from the state's next bucket to the last one that is over.
 *
 * The clock and the state's public head alone decide it.  A range is one commit (session_commit.c),
 * so a run that failed leaves the next bucket where it was, or has all of it, and prints what it
 * owes when it is run again.
 */
#include <string.h>

#include "ask/options_table.h"
#include "charge.h"
#include "session.h"

static void
check(const struct dp_options *o)
{
	need(o->keep.state != NULL, "--next needs --state: that says which bucket is next");
	need(!o->time.once, "--once, --next: only one can say what a step is");
	need(!o->given[OPT_TO], "--next: the clock says --to");
	need(o->keep.batch == NULL, "--batch: not with --next, which counts no bucket twice");
	need(o->time.bucket != 0, "--next needs steps that are buckets: --bucket");
}

/* Start of the first bucket: of a new state the one that was over last, unless --from says it. */
static int64_t
first(const struct dp_run *r, int64_t over)
{
	const struct dp_options *o = r->o;
	const bool given = o->given[OPT_FROM];
	int64_t next;

	if (!o->keep.init && dp_session_next_bucket(r, &next)) {
		need(!given, "--next: the state says --from");
		return next;
	}
	need(o->keep.init || given, "--next: %s has no bucket yet, and keeps no --from: give that "
	    "of --init again, with --next, until a run has printed one", o->keep.state);
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
 * (driver.c).  None left: a range of one bucket, whose step stays untaken.
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
	check(o);
	over = dp_span_floor(&o->time.span, dp_charge_now());
	from = first(r, over);
	n = from < over ? dp_span_count(&o->time.span, from, over, UINT64_MAX) : 0;
	if (n > dp_options_gap(o))
		dp_die(DP_EX_USAGE, "--next: %llu buckets are over since the last step of the "
		    "state file; if the clock is right, give --gap", (unsigned long long)n);
	r->kept.nothing = n == 0;
	o->time.from = from;
	if (n == 0 && o->keep.init && !o->print.quiet)
		dp_warn("--next: no bucket from --from on is over, so none is printed; the state "
		    "file keeps no --from: give it again, with --next, until one is");
	o->time.to = last(r, from, over, n);
	o->time.has_from = o->time.has_to = true;
	give(o, OPT_FROM, o->time.from);
	give(o, OPT_TO, o->time.to);
}
