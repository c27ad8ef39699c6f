/* SPDX-License-Identifier: ISC */
/* driver.c - one run of a tool, from its options to its exit status. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counter/width.h"
#include "explain/explain.h"
#include "explain/print.h"
#include "input/event.h"
#include "input/partial.h"
#include "input/record.h"
#include "job/table.h"
#include "store/run.h"
#include "driver.h"
#include "internal.h"

static void dp_run_start(struct dp_run *);
static void dp_run_beforehand(struct dp_run *);
static void dp_process_bind(char **argv);
static void dp_process_harden(void);
static void dp_process_lock(bool quiet);

/*
 * One run of a tool, from its options to its exit status.
 */

#define LARGE	(32 << 10)		/* bytes: what is freed of that size goes back */

/* Odds grow at most by exp(epsilon), which is 22026 for 10. */
static void
warn_weak(const struct dp_options *o)
{
	char epsilon[64];

	if (o->print.quiet || o->priv.exact || dp_q_cmp(o->priv.epsilon, dp_q_make(10, 1)) <= 0 ||
	    (o->keep.state != NULL && !o->keep.init))
		return;
	*dp_q_put(epsilon, o->priv.epsilon) = '\0';
	dp_warn("epsilon %s protects little: who reads the output may become all but sure of what "
	    "it should hide; 1 or less is a promise worth the name", epsilon);
}

static void
announce(const struct dp_options *o, const struct dp_tool *tool)
{
	if (tool->map)
		dp_warn("exact counts, NOT PRIVATE: for --partial alone; show them to nobody");
	else if (o->priv.exact)
		dp_warn("epsilon is inf: exact answers, NOT PRIVATE");
	else if (o->priv.has_seed)
		dp_warn("--seed: reproducible noise, NOT PRIVATE");
	else
		warn_weak(o);
}

static void
check_bound(const struct dp_run *r)
{
	unsigned i;

	if (r->plan.mech->ops->law.at == NULL && r->plan.mech->ops->bound.interval == NULL)
		dp_die(DP_EX_USAGE, "--bound: %s has no interval", r->o->priv.mechanism);
	if (isinf(r->plan.mech->off.drift))
		dp_die(DP_EX_USAGE, "--bound: %s has no interval here: it would depend on the "
		    "number of events, which is secret; with -T, in lines, it is known",
		    r->o->priv.mechanism);
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

/*
 * What a state's plan draws is told of in whole, in a plan, a prediction or a receipt: parts that
 * would be certified when they begin are, before a word of it.
 */
static void
certify_all(const struct dp_run *r)
{
	struct dp_buf text = { .n = 0 };
	int e;

	if (!r->numbers.replay || (r->o->print.explain == DP_EXPLAIN_NO &&
	    r->o->keep.receipt == NULL))
		return;
	e = dp_certificate_add(r->plan.mech, &text);
	dp_buf_free(&text);
	if (e != 0)
		dp_run_fail(r, e);
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
	certify_all(r);
	dp_options_planned(o, r->plan.ops);
	r->setting.pan = o->priv.pan;
	if (o->print.confidence > 0 && o->print.explain == DP_EXPLAIN_NO) {
		check_bound(r);
		if (o->form.totals == DP_TOTALS_NO && r->plan.mech->ops->bound.interval == NULL &&
		    (e = dp_widths_create(&r->print.bound.widths, r->plan.mech,
		    (1 - o->print.confidence) / r->plan.mech->off.worst_of)) != 0)
			dp_run_fail(r, e);
		if (o->print.difference && r->print.bound.widths != NULL)
			dp_widths_several(r->print.bound.widths, 2);
		if (o->given[OPT_TOP] && r->print.bound.widths != NULL &&
		    (e = dp_widths_create(&r->print.bound.sure, r->plan.mech,
		    (1 - o->print.confidence) /
		    (r->plan.mech->off.worst_of * (double)o->keys.n))) != 0)
			dp_run_fail(r, e);
		if (o->print.others && r->print.bound.sure != NULL &&
		    ((e = dp_widths_create(&r->print.bound.all, r->plan.mech,
		    (1 - o->print.confidence) / (2 * r->plan.mech->off.worst_of))) != 0 ||
		    (e = dp_widths_create(&r->print.bound.one, r->plan.mech,
		    (1 - o->print.confidence) / (2 * r->plan.mech->off.worst_of *
		    (double)o->keys.n))) != 0))
			dp_run_fail(r, e);
		if (r->print.bound.all != NULL)
			dp_widths_several(r->print.bound.all, (unsigned)o->keys.n);
	}
}

/* True: all that may be released has been. */
static bool
spent_driver(int e)
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
		dp_warn("the answer was given: what comes after is not released");
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
	status = spent_driver(e) ? DP_EX_SPENT : DP_EX_OK;
	if (e != 0 && !spent_driver(e))
		dp_run_fail(r, e);
	if ((e = dp_print_last(r)) != 0)
		dp_run_fail(r, e);
	r->kept.done = whole && status == DP_EX_OK;
	r->print.out->hold = false;
	if (r->kept.state != NULL && dp_options_together(r->o) && !r->kept.done &&
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
next_driver(void *r, struct dp_options *o)
{
	dp_session_next(r, o);
}

int
dp_tool_main(const struct dp_tool *tool, int argc, char **argv)
{
	static struct dp_options o;
	static struct dp_run r;
	const struct dp_completion others = { &r, kept, next_driver };
	bool told;
	int rc;

	r.o = &o;
	r.tool = tool = dp_map_of(tool, argc, argv);
	if (dp_options_pan(tool, argc, argv))
		dp_process_bind(argv);
	r.in.no_stdin = !dp_process_files();
	dp_options_parse(&o, tool, argc, argv);
	/* planning tries many mechanisms: no table of theirs stays in the memory of a run */
	if (o.print.explain == DP_EXPLAIN_NO)
		dp_os_large(LARGE);
	if (o.keep.show)
		return dp_session_show(&o, tool);
	if (o.keep.move != NULL)
		return dp_session_move(&o, tool);
	r.tool = tool = dp_options_complete(&o, tool, &others);
	o.priv.exact |= tool->map;		/* whatever -e says of grids */
	if (o.priv.within.num != 0)
		dp_options_found(&o, dp_within(&r));
	if (!o.print.check)
		plan(&r, &o);
	if (o.print.explain != DP_EXPLAIN_NO) {
		warn_told(&r);
		warn_weak(&o);
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
	told = !o.print.quiet && !dp_options_any_log(&o) &&
	    (o.print.check || isatty(STDERR_FILENO));
	if (told)
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
	/* all that may refuse the run, what it draws beforehand, what it costs; then it prints */
	dp_charge_check(&o);
	dp_receipt_begin(&r);
	dp_run_beforehand(&r);
	dp_session_claim(&r);
	if (o.keep.state == NULL || o.keep.init)
		dp_run_start(&r);
	dp_charge(&r);
	if (!told && !o.print.quiet && dp_reading_doubt(&o, tool))
		dp_reading_say(&o, tool);
	dp_receipt_watch(&r);
	rc = o.form.totals != DP_TOTALS_NO ? dp_total_begin(&r) : begin(&r);
	if (rc == 0)
		rc = dp_run_files(&r);
	rc = rc > 0 ? 0 : finish(&r, rc);
	dp_receipt_end(&r);
	end(&r, &o);
	return rc;
}

/*
 * What a run holds, made once its plan is there: columns, input, output.
 */

/* Standard output without a state file. */
static int
plain_sink(void *arg, const char *p, size_t n)
{
	if (dp_write_all(STDOUT_FILENO, p, n) != 0)
		dp_die(DP_EX_SYSTEM, "standard output: %s", strerror(errno));
	dp_receipt_sent(arg, p, n);
	return 0;
}

static int
idle(void *arg)
{
	struct dp_run *r = arg;

	return dp_out_flush(r->print.out);
}

/* True: what is printed is not each estimate by itself, or not all of them. */
static bool
tabled(const struct dp_options *o)
{
	return o->print.table.made != NULL || o->print.table.round != 0 ||
	    o->print.table.suppress != 0;
}

/* True: an output line is one number and nothing else. */
static bool
bare_output(const struct dp_run *r)
{
	const struct dp_options *o = r->o;

	return o->time.bucket == 0 && r->print.nest == 1 && dp_print_row_name(r) == NULL &&
	    r->plan.mech->ops->frozen == NULL &&
	    r->plan.mech->estimate.first <= 1 && !r->plan.mech->estimate.gaps &&
	    o->output[0].kind != DP_OUTPUT_CHOICE &&
	    o->print.format == DP_PLAIN && o->print.confidence == 0 && !o->print.nonnegative &&
	    !o->print.monotone && !tabled(o) &&
	    !o->print.number;
}

/*
 * True: so many steps can be taken column after column, with the noise that one step after the
 * other would have: a column draws at most once in them.
 */
static bool
several(const struct dp_run *r)
{
	const uint64_t block = r->plan.mech->block, T = r->o->horizon;

	return block != 0 && (block + 1 >= DP_SEVERAL || (T != 0 && T <= block + 1));
}

/* What a printed number is a multiple of (--round). */
static void
set_step(struct dp_run *r)
{
	unsigned i;

	r->print.told.round = r->o->print.table.round != 0 ? (dp_wide)r->o->print.table.round : 1;
	for (i = 0; r->o->print.table.round != 0 && i < r->print.places; i++)
		r->print.told.round *= 10;
	r->print.told.step = r->print.coarse * r->print.told.round;
}

static void
allocate(struct dp_run *r)
{
	unsigned i;

	r->col.width = dp_options_numbers(r->o, r->tool);
	r->col.n = dp_options_columns(r->o, r->tool);
	r->answer.asks = r->plan.mech->ops->answer != NULL;
	r->print.outputs = r->plan.mech->outputs;
	r->print.nest = r->col.n * r->print.outputs *
	    (r->plan.mech->nodes != 0 ? r->plan.mech->nodes : 1);
	if (!r->numbers.replay)		/* else as it was when the state was made */
		r->print.decimals = dp_plan_decimals(&r->plan);
	if (r->print.decimals > r->plan.mech->estimate.decimals)
		dp_die(DP_EX_STATE, "%s: the state file's 'decimals' is damaged", r->o->keep.state);
	r->print.places = r->o->range.places + r->print.decimals;
	if (r->o->print.table.integers && r->print.places == 0 && !r->o->print.quiet)
		dp_warn("--integers: these numbers are whole without it");
	if (r->o->print.table.integers)
		r->print.places = 0;
	for (r->print.coarse = 1, i = r->print.places; i < r->o->range.places +
	    r->plan.mech->estimate.decimals; i++)
		r->print.coarse *= 10;
	set_step(r);
	for (i = 0, r->print.unit = 1; i < r->plan.mech->estimate.decimals; i++)
		r->print.unit *= 10;
	if (r->plan.mech->inputs * r->col.n > r->col.width || r->print.outputs != r->o->outputs)
		dp_die(DP_EX_USAGE, "%s: the mechanism does not fit this tool", r->plan.ops->name);
	if (r->plan.mech->column > SIZE_MAX / 2 / r->col.n)
		dp_run_fail(r, DP_ENOMEM);
	/* calloc: what a long window has not reached yet takes no memory */
	r->col.p = calloc(r->col.n, r->plan.mech->column);
	r->col.x = calloc(r->col.width, sizeof *r->col.x);
	r->print.est = calloc(r->print.nest, sizeof *r->print.est);
	r->print.last = calloc(r->print.nest, sizeof *r->print.last);
	r->print.shown = calloc(r->print.nest, sizeof *r->print.shown);
	r->print.bound.half = calloc(r->print.outputs, sizeof *r->print.bound.half);
	if (r->o->print.confidence > 0 && r->plan.mech->ops->bound.interval != NULL &&
	    (r->print.bound.ends = calloc(r->print.nest, 2 * sizeof *r->print.bound.ends)) == NULL)
		dp_run_fail(r, DP_ENOMEM);
	if (r->o->given[OPT_TOP] &&
	    (r->print.order = calloc(r->print.nest, sizeof *r->print.order)) == NULL)
		dp_run_fail(r, DP_ENOMEM);
	if (r->col.n > 1 && r->col.n == r->col.width && r->print.nest == r->col.n && several(r) &&
	    r->o->time.bucket == 0)
		r->col.several = calloc(r->col.n, DP_SEVERAL * sizeof *r->col.several);
	if (r->col.p == NULL || r->col.x == NULL || r->print.est == NULL ||
	    r->print.last == NULL || r->print.shown == NULL || r->print.bound.half == NULL)
		dp_run_fail(r, DP_ENOMEM);
	if (dp_print_prepare(r) != 0 || dp_bucket_prepare(r) != 0)
		dp_run_fail(r, DP_ENOMEM);
	r->print.bare = bare_output(r);
	r->print.raw = r->print.coarse == 1 && r->o->print.confidence == 0 &&
	    !r->o->print.difference && !tabled(r->o) &&
	    !r->o->print.nonnegative && !r->o->print.monotone &&
	    r->plan.mech->estimate.first <= 1 && !r->plan.mech->estimate.gaps;
	for (i = 0; i < r->print.outputs; i++)
		r->print.raw &= r->o->output[i].kind != DP_OUTPUT_CHOICE &&
		    r->o->output[i].fewer == 0;
}

static void
random_bytes(const struct dp_run *r, uint8_t *p, size_t n)
{
	const uint8_t *q = dp_rng_take(r->col.rng, n);

	if (q == NULL)
		dp_run_fail(r, DP_EENTROPY);
	memcpy(p, q, n);
}

void
dp_run_make(struct dp_run *r)
{
	struct dp_reader_rule rule = { .idle = idle, .end = dp_files_ended, .arg = r };
	const struct dp_options *o = r->o;
	int e;

	if (o->priv.has_seed)
		e = dp_rng_open_seed(&r->col.rng, o->priv.seed);
	else
		e = dp_rng_open(&r->col.rng, o->priv.pan ? DP_RNG_KERNEL : DP_RNG_CHACHA);
	if (e != 0 ||
	    (e = dp_out_new(&r->print.out, o->keep.state != NULL ? dp_session_sink : plain_sink,
	    r)) != 0)
		dp_run_fail(r, e);
	r->print.out->stage = dp_session_stage;
	r->print.out->wait = o->keep.state != NULL ? dp_session_wait : NULL;
	r->print.out->each = o->print.line_buffered || isatty(STDOUT_FILENO);
	if (!o->print.check) {
		allocate(r);
		r->cap.tabled = (r->plan.mech->ops->traits & DP_TRAIT_TABLE) != 0;
		/* a commit keeps the table: open rows must not be in it */
		r->ring.firsts = (r->plan.mech->ops->traits & DP_TRAIT_FIRST) != 0 &&
		    o->time.steps == DP_BY_RANGE && r->ring.n < UINT32_MAX && o->keep.state == NULL;
	}
	r->cap.most = r->cap.tabled ? UINT32_MAX : o->shard.partial ? 0 :
	    o->users.most + o->users.dropped;
	if ((o->users.spacing != 0 || o->users.retention != 0) && !r->cap.tabled)
		r->cap.most = o->users.most * dp_options_spaced_steps(o);
	/* a table's key, also where shards had the table: then noise is that of one process */
	if (r->cap.most != 0 || o->shard.by_user != 0)
		random_bytes(r, r->cap.key, sizeof r->cap.key);
	if (r->cap.most != 0 && (e = dp_cap_begin(r)) != 0)
		dp_run_fail(r, e);
	if (r->tool->shape == DP_SHAPE_NAME && !o->print.check) {
		random_bytes(r, r->col.id_key, sizeof r->col.id_key);
		if ((e = dp_roll_new(r, r->col.id_key)) != 0)
			dp_run_fail(r, e);
	}
	if (r->tool->shape == DP_SHAPE_ID && o->keys.n == 0)
		random_bytes(r, r->col.id_key, sizeof r->col.id_key);
	if ((e = dp_events_new(&r->in.events, o, r->tool, r->col.id_key,
	    o->time.steps == DP_BY_RANGE ? o->time.to : dp_charge_now() + DP_CLOCK_AHEAD)) != 0)
		dp_run_fail(r, e);
	r->in.yearless = o->time.steps != DP_BY_RANGE && dp_events_yearless(r->in.events);
	if (o->shard.partial && (e = dp_partial_new(&r->in.partial, o, r->in.events)) != 0)
		dp_run_fail(r, e);
	dp_events_reader_rule(r->in.events, &rule);
	rule.text |= o->keep.batch != NULL;	/* to be hashed */
	if ((e = dp_reader_new(&r->in.reader, &rule)) != 0)
		dp_run_fail(r, e);
}

/* Allocates the parts of a run whose plan is made; exits on an error. */
static void
dp_run_start(struct dp_run *r)
{
	const int e = dp_columns_start(r->plan.mech, r->col.p, r->col.n, r->col.rng);

	if (e != 0)
		dp_run_fail(r, e);
}

void
dp_run_free(struct dp_run *r)
{
	int i;

	if (r->col.p != NULL && r->o->priv.pan)
		sodium_memzero(r->col.p, r->col.n * r->plan.mech->column);
	free(r->col.p);
	free(r->col.x);
	dp_print_done(r);
	free(r->print.est);
	free(r->print.last);
	free(r->print.shown);
	free(r->print.json.member);
	dp_buf_free(&r->print.json.names);
	for (i = 0; i < DP_FAMILIES; i++)
		dp_buf_free(&r->print.samples.family[i]);
	free(r->print.bound.half);
	free(r->print.bound.ends);
	free(r->col.several);
	dp_widths_free(r->print.bound.widths);
	dp_widths_free(r->print.bound.sure);
	dp_widths_free(r->print.bound.all);
	dp_widths_free(r->print.bound.one);
	free(r->print.order);
	free(r->ring.sums);
	dp_touched_free(r->ring.touched);
	free(r->ring.border);
	free(r->ring.carry);
	free(r->kept.hash);
	free(r->print.map.block);
	free(r->print.map.lines);
	dp_roll_free(r->roll);
	dp_cap_free(r);
	dp_totals_free(r->totals);
	dp_files_free(r);
	dp_partial_free(r->in.partial);
	dp_reader_free(r->in.reader);
	dp_events_free(r->in.events);
	dp_out_free(r->print.out);
	dp_rng_free(r->col.rng);
	dp_plan_free(&r->plan);
	dp_numbers_free(&r->numbers);
	dp_buf_free(&r->kept.body);
	dp_state_free(r->kept.state);
	free(r->ring.pending);
}

/* Operands: opened, their headers read, and all of their records on a road. */

_Noreturn void
dp_run_unreadable(struct dp_run *r, int e, const char *name)
{
	const int code = errno;

	if (e != DP_EIO)
		dp_run_fail(r, e);
	if ((e = dp_out_flush(r->print.out)) != 0)
		dp_run_fail(r, e);
	dp_die(code == EISDIR || code == EBADF ? DP_EX_INPUT : DP_EX_SYSTEM, "%s: %s", name,
	    strerror(code));
}

/* Its slice alone.  Lines before it are counted where messages have their numbers. */
static int
begin_slice(struct dp_run *r, int fd)
{
	const struct dp_options *o = r->o;
	struct dp_filepart part;
	uint64_t line = 0;
	int e = dp_filepart_find(&part, fd, o->shard.slice, o->shard.slices);

	if (e == 0 && (o->form.strict || o->print.check))
		e = dp_filepart_lines(&line, fd, part.begin);
	return e != 0 ? e : dp_reader_part(r->in.reader, &part, line);
}

/* Up to its first record: DP_READ_RECORD, or as dp_run_header(). */
static int
begin_file(struct dp_run *r, int i)
{
	int e;

	if (i == 0 && r->in.looked)
		return r->in.ahead;
	if ((e = dp_files_begin(r, i)) != 0)
		return e;
	if (r->o->shard.slices != 0)
		return begin_slice(r, dp_files_fd(r, i)) == 0 ? DP_READ_RECORD : DP_EIO;
	return r->o->form.header ? dp_run_header(r, i, dp_files_name(r, i)) : DP_READ_RECORD;
}

int
dp_run_files(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	const char *name;
	int i, rc = 0;

	for (i = 0; i < o->operands.n && dp_session_signal == 0; i++) {
		name = dp_files_name(r, i);
		rc = begin_file(r, i);
		if (rc == DP_READ_RECORD)
			rc = dp_road_run(r, name);
		if (rc == DP_EIO)
			dp_run_unreadable(r, rc, name);
		dp_files_end(r, i);
		if (rc != 0)
			return rc;
		if (r->in.partial != NULL && dp_session_signal == 0)
			dp_partial_end(r->in.partial, name, dp_reader_unended(r->in.reader));
	}
	if (r->in.partial != NULL && dp_session_signal == 0) {
		dp_partial_expected(r->in.partial);
		dp_partial_slices(r->in.partial);
	}
	return 0;
}

/*
 * What operands are refused for, found before the run is charged and its state is
 * made: a header without the fields that were asked for, partial counts that are none, a file that
 * opens and cannot be read.  All are the operator's, not somebody's record.
 *
 * Read of a file that can be read again: a byte, headers, and partial counts to their end; of a
 * compressed one all, as only its end says whether it is whole.  Of a pipe, if it is the first
 * operand, the beginning, after which dp_run_files() goes on; a later one is read when its turn
 * comes.  With --expect standard input is kept, as a file that can be read again, in memory:
 * partial counts are small, and their number is known at their end alone.
 */

/* Partial counts up to their first row, or to the end of the file. */
static int
read_partial(struct dp_run *r, struct dp_partial *p, const char *name, bool all)
{
	static struct dp_record rec;
	struct dp_event v;
	int rc;

	while ((rc = dp_reader_next(r->in.reader, &rec, -1)) > 0) {
		if (rc == DP_READ_RECORD)
			dp_partial_read(p, &rec, name, &v);
		if (!all && dp_partial_rows(p))
			return DP_READ_RECORD;
	}
	if (rc == DP_READ_END)
		dp_partial_end(p, name, dp_reader_unended(r->in.reader));
	return rc;
}

static int
read_some(struct dp_run *r, struct dp_partial *p, int i, const char *name, bool all)
{
	int rc = r->o->form.header ? dp_run_header(r, i, name) : read_partial(r, p, name, all);

	if (rc < 0)
		dp_run_unreadable(r, rc, name);
	return rc;
}

static void
read_and_rewind(struct dp_run *r, struct dp_partial *p, int i)
{
	const char *name = dp_files_name(r, i);

	if (dp_files_begin(r, i) != 0)
		dp_run_unreadable(r, DP_EIO, name);
	(void)read_some(r, p, i, name, true);
	if (dp_files_rewind(r, i) != 0)
		dp_run_unreadable(r, DP_EIO, name);
}

/* Its first byte, of which nothing stays; of a compressed file all. */
static void
try_to_read(struct dp_run *r, int i)
{
	const int fd = dp_files_fd(r, i);
	const off_t at = lseek(fd, 0, SEEK_CUR);
	char byte;

	if (at >= 0 && pread(fd, &byte, 1, at) < 0 && errno != ESPIPE)
		dp_run_unreadable(r, DP_EIO, dp_files_name(r, i));
	sodium_memzero(&byte, 1);
	dp_files_try(r, i);
}

/* All of standard input to a file without a name, in its place. */
static void
keep_input(struct dp_run *r)
{
	static const char name[] = "standard input";
	char block[1 << 16];
	const int fd = dp_os_file();
	ssize_t n;

	if (fd < 0)
		dp_die(DP_EX_SYSTEM, "%s: %s", name, strerror(errno));
	while ((n = read(STDIN_FILENO, block, sizeof block)) != 0) {
		if (n < 0 && errno == EINTR && dp_session_signal == 0)
			continue;
		if (n < 0)
			dp_run_unreadable(r, DP_EIO, name);
		if (dp_write_all(fd, block, (size_t)n) != 0)
			dp_die(DP_EX_SYSTEM, "%s: %s", name, strerror(errno));
	}
	if (dup2(fd, STDIN_FILENO) != STDIN_FILENO || lseek(STDIN_FILENO, 0, SEEK_SET) != 0)
		dp_die(DP_EX_SYSTEM, "%s: %s", name, strerror(errno));
	close(fd);
}

/* --expect: operands that can all be read again; of a named pipe nobody knows beforehand. */
static void
make_parts_files(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	bool kept = false;
	int i;

	if (o->shard.expect == 0)
		return;
	for (i = 0; i < o->operands.n; i++)
		if (dp_files_again(r, i))
			continue;
		else if (strcmp(o->operands.file[i], "-") == 0) {
			if (!kept)
				keep_input(r);
			kept = true;
			dp_files_kept(r, i);
		} else
			need(!dp_charge_due(o) && !o->keep.init, "--expect: %s is no file: what "
			    "it holds must be known before the run is charged and its state made; "
			    "give standard input, or files", o->operands.file[i]);
}

static bool
are_files(const struct dp_run *r)
{
	int i;

	for (i = 0; i < r->o->operands.n; i++)
		if (!dp_files_again(r, i))
			return false;
	return true;
}

/* If the run is to be charged, exits on operands that cannot be read. */
static void
dp_run_beforehand(struct dp_run *r)
{
	const struct dp_options *o = r->o;
	struct dp_partial *p = NULL;
	int e, i;

	make_parts_files(r);
	if (!(dp_charge_due(o) || o->keep.init || o->shard.expect != 0))
		return;
	for (i = 0; i < o->operands.n; i++)
		if (dp_files_again(r, i))
			try_to_read(r, i);
	if (!o->form.header && !o->shard.partial)
		return;
	if (o->shard.partial && (e = dp_partial_new(&p, o, r->in.events)) != 0)
		dp_run_fail(r, e);
	for (i = 0; i < o->operands.n; i++)
		if (dp_files_again(r, i))
			read_and_rewind(r, p, i);
	if (p != NULL && are_files(r))
		dp_partial_expected(p);
	/* last: the reader stays where it is; a state alone does not wait for its first line */
	if (dp_charge_due(o) && !dp_files_again(r, 0)) {
		if (dp_files_begin(r, 0) != 0)
			dp_run_unreadable(r, DP_EIO, dp_files_name(r, 0));
		r->in.ahead = read_some(r, r->in.partial, 0, dp_files_name(r, 0), false);
		r->in.looked = true;
	}
	dp_partial_free(p);
}

/*
 * The process itself: descriptors, the rights to what it makes, and that its memory
 * stays its own.
 */

#define TIGHT	((rlim_t)64 << 20)	/* bytes */

bool
dp_process_files(void)
{
	const bool closed = fcntl(STDIN_FILENO, F_GETFD) < 0 &&
	    open("/dev/null", O_RDONLY) == STDIN_FILENO;

	if (fcntl(STDERR_FILENO, F_GETFD) < 0)
		(void)!open("/dev/null", O_RDWR);
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
		dp_die(DP_EX_SYSTEM, "standard output is closed");
	/* before any file is there: who dies next to a chmod would leave one without rights */
	umask(umask(0) & 077);
	(void)signal(SIGXFSZ, SIG_IGN);		/* a file that may not grow is an error */
	return !closed;
}

/*
 * Binds all functions of libraries at once: runs the program again with LD_BIND_NOW set, unless it
 * is set.  To be called before anything is read or opened.
 *
 * The dynamic linker looks a function up when it is first called, and leaves its address in the
 * caller's table and registers on the stack: traces of the line that needed it.  The tools are
 * linked with -z now; their libraries are bound at the start only by LD_BIND_NOW, which the linker
 * reads before we run.
 */
static void
dp_process_bind(char **argv)
{
	const char *now = getenv("LD_BIND_NOW");

	if (!dp_os_lazy() || (now != NULL && *now != '\0'))
		return;
	if (setenv("LD_BIND_NOW", "1", 1) == 0)
		dp_os_again(argv);
	dp_die(DP_EX_SYSTEM, "cannot start anew with LD_BIND_NOW=1 in the environment (%s), which "
	    "--pan-private needs: set it", strerror(errno));
}

/* Forbids core files and ptrace, other ways to this memory. */
static void
dp_process_harden(void)
{
	const struct rlimit none = { 0, 0 };

	if (setrlimit(RLIMIT_CORE, &none) != 0 || dp_os_untraced() != 0)
		dp_die(DP_EX_SYSTEM, "core dumps cannot be turned off: %s", strerror(errno));
}

/*
 * Locks every page, as soon as it is touched, out of swap, where exact counts would outlive the
 * run.  To be called once all is allocated, before noise is drawn or a line read.  Warns if that
 * fails, unless quiet.
 */
/*
 * Under a limit that is tight, later pages stay unlocked: locking them too could leave no memory to
 * be had at all.
 */
static void
dp_process_lock(bool quiet)
{
	struct rlimit most = { 0, 0 };
	bool tight = getrlimit(RLIMIT_MEMLOCK, &most) != 0 ||
	    (most.rlim_cur != RLIM_INFINITY && most.rlim_cur < TIGHT);

	if (dp_os_lock(!tight) != 0 && !quiet)
		dp_warn("memory cannot be locked (%s): it may be swapped out", strerror(errno));
}
