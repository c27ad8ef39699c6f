/*
 * driver.c - one run of a tool, from its options to its exit status.
 */
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ask/relation.h"
#include "files.h"
#include "receipt.h"
#include "roads.h"
#include "tell/explain.h"
#include "ask/options_table.h"

#define LARGE	(32 << 10)		/* bytes: what is freed of that size goes back */

static void
announce(const struct dp_options *o, const struct dp_tool *tool)
{
	if (tool->map)
		dp_warn("exact counts, NOT PRIVATE: for --partial alone, and for nobody's eyes");
	else if (o->priv.exact)
		dp_warn("epsilon is inf: exact answers, NOT PRIVATE");
	else if (o->priv.has_seed)
		dp_warn("--seed: reproducible noise, NOT PRIVATE");
}

/*
 * A time inside a bucket: events on its other side count nowhere, so that only a part of the bucket
 * is counted.  A state could never have the rest: a step is released once.
 */
static void
check_border(const struct dp_options *o, const char *option, const char *text, int64_t t)
{
	const int64_t begin = dp_span_floor(&o->time.span, t);
	char first[DP_WHEN_TEXT + 1], next[DP_WHEN_TEXT + 1];

	if (t == begin)
		return;
	*dp_when_put(first, begin, o->time.span.zone) = '\0';
	*dp_when_put(next, dp_span_next(&o->time.span, t), o->time.span.zone) = '\0';
	if (o->keep.state != NULL)
		dp_die(DP_EX_USAGE, "%s: '%s' must begin a bucket, or a part of one is lost for "
		    "the state file: %s or %s", option, text, first, next);
	if (!o->print.quiet)
		dp_warn("%s: '%s' is inside a bucket: of the bucket from %s to %s only a part "
		    "counts", option, text, first, next);
}

/* Buckets from --from to --to are the horizon. */
static void
fix_horizon(struct dp_options *o)
{
	uint64_t n;

	if (o->time.steps != DP_BY_RANGE || o->time.bucket == 0)
		return;
	check_border(o, "--from", o->text[OPT_FROM], o->time.from);
	check_border(o, "--to", o->text[OPT_TO], o->time.to);
	o->time.begin = dp_span_floor(&o->time.span, o->time.from);
	o->time.end = dp_span_next(&o->time.span, o->time.to - 1);
	n = dp_span_count(&o->time.span, o->time.begin, o->time.end, UINT64_MAX);
	if (o->horizon == 0 && o->keep.state == NULL)
		o->horizon = n;
	if (o->horizon != 0 && n > o->horizon)
		dp_die(DP_EX_SPENT, "--from and --to span %llu buckets, more than the horizon",
		    (unsigned long long)n);
}

/* A tool may have -P wherever the mechanism can and no option forbids it. */
static void
pan_by_default(struct dp_run *r)
{
	struct dp_options *o = r->o;
	const unsigned needed = DP_TRAIT_PAN | (o->time.bucket != 0 ? DP_TRAIT_PAN_OPEN : 0);

	if (o->priv.pan_default && (o->keep.state == NULL || o->keep.init) && !o->priv.exact &&
	    (r->plan.ops->traits & needed) == needed && dp_options_no_pan(o) == NULL)
		o->priv.pan = r->setting.pan = true;
}

static void
check_bound(const struct dp_run *r)
{
	unsigned i;

	if (r->plan.mech->ops->law.at == NULL && r->plan.mech->ops->bound.interval == NULL)
		dp_die(DP_EX_USAGE, "--bound: %s has no interval", r->o->priv.mechanism);
	if (isinf(r->plan.mech->off.drift))
		dp_die(DP_EX_USAGE, "--bound: %s has no interval here: how far it is off without "
		    "any noise depends on how many events there are, which nobody knows (-T, in "
		    "lines, says it)", r->o->priv.mechanism);
	if (r->o->form.totals != DP_TOTALS_NO)
		return;
	for (i = 0; i < r->o->outputs; i++)
		if (r->o->output[i].kind != DP_OUTPUT_CHOICE)
			return;
	dp_die(DP_EX_USAGE, "--bound: a choice has no interval");
}

/* Under these options answers would be noise alone: said of a run that nothing else refuses. */
static void
warn_blind(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	char text[DP_NOTE];

	if (!r->setting.alone && !o->print.quiet && o->print.explain == DP_EXPLAIN_NO &&
	    dp_blind(r->tool, o, &r->setting, &r->plan, text))
		dp_warn("%s", text);
}

/* Nothing is accepted and ignored without a word. */
static void
warn_told(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	char text[DP_NOTE];
	unsigned i;

	if (r->tool->tells == NULL || r->params.replay || o->print.quiet || o->priv.exact)
		return;
	for (i = 0; r->tool->tells(o, &r->setting, &r->plan, i, text); i++)
		dp_warn("%s", text);
}

/* A bucket's sum that so few events as a log may have in one could take beyond a word. */
#define FEW	((uint64_t)1 << 27)

static void
warn_cut(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const uint64_t n = dp_options_cut(o, r->tool, r->plan.ops);

	if (n < FEW && o->given['r'] && !o->print.quiet && (o->keep.state == NULL || o->keep.init))
		dp_warn("--range: a bucket's sum is cut at 2^61 grid units, which %llu events at "
		    "an end of the range reach: a range that is narrower, or has fewer decimals, "
		    "is not cut so soon", (unsigned long long)n);
}

static void
plan(struct dp_run *r)
{
	struct dp_options *o = r->o;
	char why[DP_PLAN_WHY] = "";
	int e;

	dp_options_setting(o, r->tool, &r->setting);
	dp_session_moves(r);
	r->setting.privacy.params = o->keep.state != NULL ? &r->params : NULL;
	r->setting.alone = r->params.replay && o->print.explain <= DP_EXPLAIN_PLAN;
	r->setting.rivals = o->print.explain > DP_EXPLAIN_PLAN;
	if ((e = dp_plan_make(&r->plan, &r->setting, o->priv.mechanism, why)) != 0) {
		if (r->params.replay && dp_plan_gone(o->priv.mechanism))
			dp_die(DP_EX_STATE, "%s: made with --mechanism=%s, which is no longer "
			    "there: dputils 0.1 goes on with it, or start another state file",
			    o->keep.state, o->priv.mechanism);
		if (r->params.replay && (e == DP_EINVAL || e == DP_ERANGE))
			dp_die(DP_EX_STATE, "%s: the noise planned here is not the state file's",
			    o->keep.state);
		if (why[0] != '\0')
			dp_die(DP_EX_USAGE, "%s", why);
		dp_run_fail(r, e);
	}
	o->priv.mechanism = r->plan.ops->name;
	pan_by_default(r);
	if (o->print.confidence > 0 && o->print.explain == DP_EXPLAIN_NO) {
		check_bound(r);
		if (o->form.totals == DP_TOTALS_NO && r->plan.mech->ops->bound.interval == NULL &&
		    (e = dp_widths_create(&r->print.bound.widths, r->plan.mech,
		    (1 - o->print.confidence) / r->plan.mech->off.worst_of)) != 0)
			dp_run_fail(r, e);
		if (o->given[OPT_TOP] && r->print.bound.widths != NULL &&
		    (e = dp_widths_create(&r->print.bound.sure, r->plan.mech,
		    (1 - o->print.confidence) /
		    (r->plan.mech->off.worst_of * (double)o->keys.n))) != 0)
			dp_run_fail(r, e);
	}
}

/* True: all that may be released has been. */
static bool
spent(int e)
{
	return e == DP_EHORIZON || e == DP_EHALT;
}

/* Reason why nothing more is released. */
static void
say_spent(const struct dp_run *r)
{
	const unsigned long long n = r->o->horizon != 0 ? r->o->horizon : r->t;

	if (r->halted)
		dp_warn("the mechanism has ended: nothing more may be released%s%s",
		    r->tool->words.halted != NULL ? "; " : "",
		    r->tool->words.halted != NULL ? r->tool->words.halted : "");
	else if (dp_step_last(r) && r->answer.out)
		dp_warn("the answer was given: what comes after is not released (-T says for "
		    "how many steps it is, and a state file has it once)");
	else if (r->kept.over != 0 && r->ring.closed > 0)
		dp_warn("the horizon of %llu step%s is spent: of %llu buckets that are over the "
		    "first %zu are released, and no later one will be", n, n == 1 ? "" : "s",
		    (unsigned long long)r->kept.over, r->ring.closed);
	else
		dp_warn("the horizon of %llu step%s is spent; what comes after is not released", n,
		    n == 1 ? "" : "s");
}

static int
finish(struct dp_run *r, int rc)
{
	int status;
	const bool whole = rc == 0 && dp_session_signal == 0;
	int e = rc, end = 0;

	if (whole && r->o->time.bucket != 0)
		e = dp_bucket_end(r);
	if ((whole && e == 0) || (e == DP_EHORIZON && !r->answer.out))
		end = r->totals != NULL ? dp_total_end(r) :
		    r->tool->map ? dp_partial_finish(r) : dp_step_end(r);
	if (end != 0)
		e = end;
	r->halted |= e == DP_EHALT;
	status = spent(e) ? DP_EX_SPENT : DP_EX_OK;
	if (e != 0 && !spent(e))
		dp_run_fail(r, e);
	if ((e = dp_print_last(r)) != 0)
		dp_run_fail(r, e);
	r->kept.done = whole && status == DP_EX_OK;
	r->print.out->hold = false;
	if (r->kept.state != NULL && r->o->time.steps == DP_BY_RANGE && !r->kept.done &&
	    r->ring.closed == 0)
		r->print.out->n = 0;	/* a range before its first event lacks header and users */
	if ((e = dp_out_flush(r->print.out)) != 0 || (e = dp_session_end(r)) != 0)
		dp_run_fail(r, e);
	if (close(STDOUT_FILENO) != 0 && errno != EBADF)
		dp_die(DP_EX_SYSTEM, "standard output: %s", strerror(errno));
	if (status == DP_EX_OK && r->kept.over != 0)
		status = DP_EX_SPENT;
	if (status == DP_EX_SPENT)
		say_spent(r);
	return status;
}

/* Up to the first line; 1: nothing more to do. */
static int
begin(struct dp_run *r)
{
	int e = dp_session_begin(r);

	if (r->kept.nothing)		/* what was owed is out */
		return e != 0 ? e : 1;
	if (e == 0 && r->o->time.bucket != 0)
		dp_bucket_begin(r);
	if (e == 0 && !r->print.headed)
		e = r->tool->map ? dp_partial_begin(r) : dp_print_header(r);
	/* a header names the columns: an answer before it would have another name */
	return e != 0 || r->o->form.header ? e : dp_step_begin(r);
}

int
dp_tool_main(const struct dp_tool *tool, int argc, char **argv)
{
	static struct dp_options o;
	static struct dp_run r;
	int rc;

	/* planning tries many mechanisms: none of their tables stays resident */
	(void)mallopt(M_MMAP_THRESHOLD, LARGE);
	r.o = &o;
	r.tool = tool;
	if (dp_options_pan(tool, argc, argv))
		dp_process_bind(argv);
	r.in.no_stdin = !dp_process_files();
	dp_options_parse(&o, tool, argc, argv);
	if (o.keep.show)
		return dp_session_show(&o, tool);
	if (o.keep.move != NULL)
		return dp_session_move(&o, tool);
	if (o.print.check)
		dp_check_options(&o);
	dp_session_open(&r);
	dp_options_times(&o);
	dp_session_next(&r);
	dp_options_partial(&o);
	dp_options_complete(&o);
	r.tool = tool = dp_options_each_key(&o, dp_options_identifiers(&o,
	    dp_options_auto(&o, tool)));
	dp_options_check(&o, tool);
	fix_horizon(&o);
	dp_options_spaced(&o);
	dp_options_task(&o, tool);
	if (o.priv.within.num != 0)
		dp_within(&r);
	if (!o.print.check)
		plan(&r);
	if (o.print.explain != DP_EXPLAIN_NO) {
		warn_told(&r);
		rc = dp_explain(tool, &o, &r.setting, &r.plan);
		dp_run_free(&r);
		return rc;
	}
	dp_files_open(&r);
	if (!o.print.check) {
		dp_memory_check(&r);
		warn_told(&r);
		warn_blind(&r);
		warn_cut(&r);
	}
	announce(&o, tool);
	if (!o.print.quiet && (o.print.check || isatty(STDERR_FILENO)))
		dp_reading_say(&o, tool);
	if (!o.print.quiet)
		dp_reading_warn(&o, tool);
	if (o.priv.pan)
		dp_process_harden();
	dp_memory_trim();
	dp_run_make(&r);
	if (o.priv.pan)
		dp_process_lock(o.print.quiet);
	if (o.print.check) {
		rc = dp_check(&r);
		dp_run_free(&r);
		return rc;
	}
	/* all that may refuse the run, then what it costs, then what it draws */
	dp_charge_check(&o);
	dp_receipt_begin(&r);
	dp_run_beforehand(&r);
	dp_session_claim(&r);
	dp_charge(&r);
	dp_receipt_watch(&r);
	if (o.keep.state == NULL || o.keep.init)
		dp_run_start(&r);
	rc = o.form.totals != DP_TOTALS_NO ? dp_total_begin(&r) : begin(&r);
	if (rc == 0)
		rc = dp_run_files(&r);
	rc = rc > 0 ? 0 : finish(&r, rc);
	dp_receipt_end(&r);
	dp_run_free(&r);
	return rc;
}
