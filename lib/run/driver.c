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

	if (r->tool->tells == NULL || r->numbers.replay || o->print.quiet || o->priv.exact)
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

/* All that is left to be decided of the options is the mechanism. */
static void
plan(struct dp_run *r, struct dp_options *o)
{
	char why[DP_PLAN_WHY] = "";
	int e;

	dp_options_setting(o, r->tool, &r->setting);
	dp_session_moves(r);
	r->setting.privacy.numbers = o->keep.state != NULL ? &r->numbers : NULL;
	r->setting.rivals = o->print.explain == DP_EXPLAIN_TEXT ||
	    o->print.explain == DP_EXPLAIN_JSON;
	r->setting.alone = r->numbers.replay && !r->setting.rivals;
	if ((e = dp_plan_make(&r->plan, &r->setting, o->priv.mechanism, why)) != 0) {
		if (r->numbers.replay && (e == DP_EINVAL || e == DP_ERANGE))
			dp_die(DP_EX_STATE, "%s: the noise planned here is not the state "
			    "file's%s%s", o->keep.state, r->numbers.fault[0] != '\0' ? ": " : "",
			    r->numbers.fault);
		if (why[0] != '\0')
			dp_die(DP_EX_USAGE, "%s", why);
		dp_run_fail(r, e);
	}
	dp_options_planned(o, r->plan.ops);
	r->setting.pan = o->priv.pan;
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

static void
end(struct dp_run *r, struct dp_options *o)
{
	dp_run_free(r);
	dp_options_free(o);
}

static void
kept(void *r, struct dp_options *o)
{
	dp_session_open(r, o);
}

static void
next(void *r, struct dp_options *o)
{
	dp_session_next(r, o);
}

int
dp_tool_main(const struct dp_tool *tool, int argc, char **argv)
{
	static struct dp_options o;
	static struct dp_run r;
	const struct dp_completion others = { &r, kept, next };
	int rc;

	r.o = &o;
	r.tool = tool;
	if (dp_options_pan(tool, argc, argv))
		dp_process_bind(argv);
	r.in.no_stdin = !dp_process_files();
	dp_options_parse(&o, tool, argc, argv);
	/* planning tries many mechanisms: no table of theirs stays in the memory of a run */
	if (o.print.explain == DP_EXPLAIN_NO)
		(void)mallopt(M_MMAP_THRESHOLD, LARGE);
	if (o.keep.show)
		return dp_session_show(&o, tool);
	if (o.keep.move != NULL)
		return dp_session_move(&o, tool);
	r.tool = tool = dp_options_complete(&o, tool, &others);
	if (o.priv.within.num != 0)
		dp_options_found(&o, dp_within(&r));
	if (!o.print.check)
		plan(&r, &o);
	if (o.print.explain != DP_EXPLAIN_NO) {
		warn_told(&r);
		rc = dp_explain(tool, &o, &r.setting, &r.plan);
		end(&r, &o);
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
		end(&r, &o);
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
	end(&r, &o);
	return rc;
}
