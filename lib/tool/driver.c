/*
 * driver.c - one run of a tool, from its options to its exit status.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sodium.h>

#include "partial.h"
#include "charge.h"

#define TIGHT	((rlim_t)64 << 20)	/* bytes */
#define LARGE	(32 << 10)		/* bytes: what is freed of that size goes back */

_Noreturn void
dp_run_fail(const struct dp_run *r, int e)
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

/* Memory an intruder could reach in other ways: no core file, no ptrace. */
static void
harden(void)
{
	const struct rlimit none = { 0, 0 };

	if (setrlimit(RLIMIT_CORE, &none) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0)
		dp_die(DP_EX_SYSTEM, "core dumps cannot be turned off: %s", strerror(errno));
}

/*
 * Keeps memory out of swap, where exact counts would outlive the run: every page as soon as it is
 * touched.  Called once all is allocated, before anything is drawn or read.  Under a limit that is
 * tight, later pages stay unlocked: locking them too could leave no memory to be had at all.
 */
static void
lock_memory(const struct dp_options *o)
{
	struct rlimit most = { 0, 0 };
	bool tight = getrlimit(RLIMIT_MEMLOCK, &most) != 0 ||
	    (most.rlim_cur != RLIM_INFINITY && most.rlim_cur < TIGHT);

	if (mlockall(MCL_ONFAULT | MCL_CURRENT | (tight ? 0 : MCL_FUTURE)) != 0 && !o->quiet)
		dp_warn("memory cannot be locked (%s): it may be swapped out", strerror(errno));
}

/* Whether an output line is one number and nothing else. */
static bool
bare_output(const struct dp_options *o)
{
	return o->bucket == 0 && o->nkeys == 0 && o->outputs == 1 &&
	    o->output[0].kind != DP_OUTPUT_CHOICE && o->format == DP_PLAIN &&
	    o->confidence == 0 && !o->nonnegative && !o->monotone && !o->number;
}

/*
 * How many of the mechanism's decimals are printed: down to a tenth of the error, since what is
 * finer says nothing.  Post-processing; rounding adds less than a thousandth to the variance.
 */
static unsigned
kept_decimals(const struct dp_run *r)
{
	const double error = sqrt(r->plan.eligible[r->plan.chosen].error.max);
	const unsigned most = r->plan.mech->decimals;
	double k;

	if (most == 0 || !(error > 0) || r->plan.mech->measure != DP_MEASURE_RMSE)
		return most;
	k = ceil(1 - log10(error));
	return k < 0 ? 0 : k < most ? (unsigned)k : most;
}

static void
allocate(struct dp_run *r)
{
	unsigned i;

	r->width = dp_options_width(r->o);
	if (r->tool->shape == DP_SHAPE_ID || r->tool->shape == DP_SHAPE_SYMBOL)
		r->width = 1;		/* keys are a universe, or an alphabet */
	r->ncol = r->tool->shape == DP_SHAPE_NUMBER ? r->width : 1;
	r->asks = r->plan.mech->ops->answer != NULL;
	r->outputs = r->plan.mech->outputs;
	r->nest = r->ncol * r->outputs;
	if (!r->params.replay)		/* else as it was when the state was made */
		r->decimals = kept_decimals(r);
	if (r->decimals > r->plan.mech->decimals)
		dp_die(DP_EX_STATE, "%s: the state file's 'decimals' is damaged", r->o->state);
	r->places = r->o->places + r->decimals;
	for (r->coarse = 1, i = r->decimals; i < r->plan.mech->decimals; i++)
		r->coarse *= 10;
	for (i = 0, r->unit = 1; i < r->plan.mech->decimals; i++)
		r->unit *= 10;
	if (r->plan.mech->inputs * r->ncol > r->width || r->outputs != r->o->outputs)
		dp_die(DP_EX_USAGE, "%s: the mechanism does not fit this tool", r->plan.ops->name);
	if (r->plan.mech->column > SIZE_MAX / 2 / r->ncol)
		dp_run_fail(r, DP_ENOMEM);
	/* calloc: what a long window has not reached yet takes no memory */
	r->columns = calloc(r->ncol, r->plan.mech->column);
	r->x = calloc(r->width, sizeof *r->x);
	r->est = calloc(r->nest, sizeof *r->est);
	r->last = calloc(r->nest, sizeof *r->last);
	r->shown = calloc(r->nest, sizeof *r->shown);
	r->half = calloc(r->outputs, sizeof *r->half);
	if (r->columns == NULL || r->x == NULL || r->est == NULL ||
	    r->last == NULL || r->shown == NULL || r->half == NULL)
		dp_run_fail(r, DP_ENOMEM);
	if (dp_bucket_prepare(r) != 0)
		dp_run_fail(r, DP_ENOMEM);
	r->bare = bare_output(r->o);
	r->raw = r->coarse == 1 && r->o->confidence == 0 && !r->o->nonnegative && !r->o->monotone;
}

static void
random_bytes(const struct dp_run *r, uint8_t *p, size_t n)
{
	const uint8_t *q = dp_rng_take(r->rng, n);

	if (q == NULL)
		dp_run_fail(r, DP_EENTROPY);
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
	if (e != 0 ||
	    (e = dp_out_new(&r->out, o->state != NULL ? dp_session_sink : plain_sink, r)) != 0)
		dp_run_fail(r, e);
	r->out->stage = dp_session_stage;
	r->out->wait = o->state != NULL ? dp_session_wait : NULL;
	r->out->each = o->line_buffered || isatty(STDOUT_FILENO);
	if (!o->check) {
		allocate(r);
		r->tabled = (r->plan.mech->ops->traits & DP_TRAIT_TABLE) != 0;
	}
	r->users_cap = r->tabled ? UINT32_MAX : o->partial ? 0 : o->per_user;
	if (r->users_cap != 0) {
		random_bytes(r, r->users_key, sizeof r->users_key);
		if ((e = dp_cap_begin(r)) != 0)
			dp_run_fail(r, e);
	}
	if (r->tool->shape == DP_SHAPE_ID && o->nkeys == 0)
		random_bytes(r, r->id_key, sizeof r->id_key);
	if ((e = dp_events_new(&r->events, o, r->tool, r->id_key,
	    o->steps == DP_BY_RANGE ? o->from : dp_run_now())) != 0)
		dp_run_fail(r, e);
	if (o->partial && (e = dp_partial_new(&r->partial, o, r->events)) != 0)
		dp_run_fail(r, e);
	dp_events_reader_rule(r->events, &rule);
	rule.text |= o->batch != NULL;	/* to be hashed */
	if ((e = dp_reader_new(&r->reader, &rule)) != 0)
		dp_run_fail(r, e);
}

static void
start_columns(struct dp_run *r)
{
	const struct dp_mech *m = r->plan.mech;
	size_t c;
	int e;

	for (c = 0; m->ops->start != NULL && c < r->ncol; c++)
		if ((e = m->ops->start(m, r->columns + c * m->column, r->rng)) != 0)
			dp_run_fail(r, e);
}

bool
dp_run_descriptors(void)
{
	const bool closed = fcntl(STDIN_FILENO, F_GETFD) < 0 &&
	    open("/dev/null", O_RDONLY) == STDIN_FILENO;

	if (fcntl(STDERR_FILENO, F_GETFD) < 0)
		(void)!open("/dev/null", O_RDWR);
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
		dp_die(DP_EX_SYSTEM, "standard output is closed");
	return !closed;
}

static void
announce(const struct dp_options *o, const struct dp_tool *tool)
{
	if (tool->map)
		dp_warn("exact counts, NOT PRIVATE: for --partial alone, and for nobody's eyes");
	else if (o->exact)
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
	o->begin = dp_span_floor(&o->span, o->from);
	o->end = dp_span_next(&o->span, o->to - 1);
	n = dp_span_count(&o->span, o->begin, o->end, UINT64_MAX);
	if (o->horizon == 0 && o->state == NULL)
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
	const unsigned needed = DP_TRAIT_PAN | (o->bucket != 0 ? DP_TRAIT_PAN_OPEN : 0);

	if (o->pan_default && (o->state == NULL || o->init) && !o->exact &&
	    (r->plan.ops->traits & needed) == needed && dp_options_no_pan(o) == NULL)
		o->pan = r->setting.pan = true;
}

static void
check_bound(const struct dp_run *r)
{
	unsigned i;

	if (r->plan.mech->ops->law == NULL)
		dp_die(DP_EX_USAGE, "--bound: %s has no interval", r->o->mechanism);
	if (r->o->totals != DP_TOTALS_NO)
		return;
	for (i = 0; i < r->o->outputs; i++)
		if (r->o->output[i].kind != DP_OUTPUT_CHOICE)
			return;
	dp_die(DP_EX_USAGE, "--bound: a choice has no interval");
}

/* Under these options answers would be noise alone: said before anything is read. */
static void
warn_blind(const struct dp_run *r)
{
	const struct dp_options *o = r->o;
	char text[DP_NOTE];

	if (r->tool->note != NULL && !r->setting.alone && !o->exact && !o->quiet &&
	    o->explain == DP_EXPLAIN_NO && r->tool->note(o, &r->setting, &r->plan, 0, text) &&
	    strncmp(text, DP_NOTE_BLIND, strlen(DP_NOTE_BLIND)) == 0)
		dp_warn("%s", text);
}

static void
plan(struct dp_run *r)
{
	struct dp_options *o = r->o;
	char why[160] = "";
	int e;

	dp_options_setting(o, r->tool, &r->setting);
	dp_session_moves(r);
	r->setting.params = o->state != NULL ? &r->params : NULL;
	r->setting.alone = r->params.replay && o->explain == DP_EXPLAIN_NO;
	r->setting.rivals = o->explain != DP_EXPLAIN_NO;
	r->setting.rough = !r->setting.rivals;
	if ((e = dp_plan_make(&r->plan, &r->setting, o->mechanism, why)) != 0) {
		if (r->params.replay && (e == DP_EINVAL || e == DP_ERANGE))
			dp_die(DP_EX_STATE, "%s: the noise planned here is not the state file's",
			    o->state);
		if (why[0] != '\0')
			dp_die(DP_EX_USAGE, "%s", why);
		dp_run_fail(r, e);
	}
	o->mechanism = r->plan.ops->name;
	pan_by_default(r);
	if (o->confidence > 0 && o->explain == DP_EXPLAIN_NO) {
		check_bound(r);
		if (o->totals == DP_TOTALS_NO && (e = dp_widths_create(&r->widths, r->plan.mech,
		    (1 - o->confidence) / r->plan.mech->worst_of)) != 0)
			dp_run_fail(r, e);
	}
	warn_blind(r);
}

/* Whether all that may be released has been. */
static bool
spent(int e)
{
	return e == DP_EHORIZON || e == DP_EHALT;
}

static int
finish(struct dp_run *r, int rc)
{
	int status;
	const bool whole = rc == 0 && dp_session_signal == 0;
	int e = rc, end = 0;

	if (whole && r->o->bucket != 0)
		e = dp_bucket_end(r);
	if ((whole && e == 0) || (e == DP_EHORIZON && !r->answered))
		end = r->totals != NULL ? dp_total_end(r) :
		    r->tool->map ? dp_partial_finish(r) : dp_step_end(r);
	if (end != 0)
		e = end;
	r->halted |= e == DP_EHALT;
	status = spent(e) ? DP_EX_SPENT : DP_EX_OK;
	if (e != 0 && !spent(e))
		dp_run_fail(r, e);
	r->done = whole && status == DP_EX_OK;
	r->out->hold = false;
	if (r->state != NULL && r->o->steps == DP_BY_RANGE && !r->done && r->closed == 0)
		r->out->n = 0;		/* a range that is not begun has no header, and no users */
	if ((e = dp_out_flush(r->out)) != 0 || (e = dp_session_end(r)) != 0)
		dp_run_fail(r, e);
	if (close(STDOUT_FILENO) != 0 && errno != EBADF)
		dp_die(DP_EX_SYSTEM, "standard output: %s", strerror(errno));
	if (status == DP_EX_SPENT && r->halted)
		dp_warn("the mechanism has ended: nothing more may be released%s%s",
		    r->tool->halted != NULL ? "; " : "",
		    r->tool->halted != NULL ? r->tool->halted : "");
	else if (status == DP_EX_SPENT && dp_step_last(r) && r->answered)
		dp_warn("the answer was given: what comes after is not released (-T says for "
		    "how many steps it is, and a state file has it once)");
	else if (status == DP_EX_SPENT)
		dp_warn("the horizon of %llu steps is spent; what comes after is not released",
		    (unsigned long long)(r->o->horizon != 0 ? r->o->horizon : r->t));
	return status;
}

static void
release(struct dp_run *r)
{
	if (r->columns != NULL && r->o->pan)
		sodium_memzero(r->columns, r->ncol * r->plan.mech->column);
	free(r->columns);
	free(r->x);
	free(r->est);
	free(r->last);
	free(r->shown);
	free(r->member);
	dp_buf_free(&r->names);
	free(r->half);
	dp_widths_free(r->widths);
	free(r->sums);
	free(r->border);
	free(r->hash);
	dp_cap_free(r);
	dp_totals_free(r->totals);
	dp_partial_free(r->partial);
	dp_reader_free(r->reader);
	dp_events_free(r->events);
	dp_out_free(r->out);
	dp_rng_free(r->rng);
	dp_plan_free(&r->plan);
	dp_params_free(&r->params);
	dp_buf_free(&r->body);
	dp_state_free(r->state);
	free(r->pending);
	dp_options_free(r->o);
}

/* Up to the first line; 1: nothing more to do. */
static int
begin(struct dp_run *r)
{
	int e = dp_session_begin(r);

	if (e == 0 && r->o->bucket != 0)
		e = dp_bucket_begin(r);
	if (e == 0 && !r->headed)
		e = r->tool->map ? dp_partial_begin(r) : dp_print_header(r);
	/* a header names the columns: an answer before it would have another name */
	return e != 0 || r->o->header ? e : dp_step_begin(r);
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
	r.no_stdin = !dp_run_descriptors();
	dp_options_parse(&o, tool, argc, argv);
	if (o.show)
		return dp_session_show(&o, tool);
	if (o.move != NULL)
		return dp_session_move(&o, tool);
	if (o.check)
		dp_check_options(&o);
	dp_session_open(&r);
	dp_options_times(&o);
	dp_partial_options(&o);
	dp_options_complete(&o);
	dp_options_check(&o, tool);
	fix_horizon(&o);
	dp_options_task(&o, tool);
	if (o.within.num != 0)
		dp_within(&r);
	if (!o.check)
		plan(&r);
	if (o.explain != DP_EXPLAIN_NO) {
		rc = dp_explain(tool, &o, &r.setting, &r.plan);
		release(&r);
		return rc;
	}
	dp_run_check_files(&r);
	if (!o.check)
		dp_memory_check(&r);
	announce(&o, tool);
	if (!o.quiet)
		dp_reading_warn(&o, tool);
	if (!o.quiet && (o.check || isatty(STDERR_FILENO)))
		dp_reading_say(&o, tool);
	if (o.pan)
		harden();
	if (!o.check)
		dp_charge(&r);
	prepare(&r);
	if (o.pan)
		lock_memory(&o);
	if (o.check) {
		rc = dp_check(&r);
		release(&r);
		return rc;
	}
	if (o.state == NULL || o.init)
		start_columns(&r);
	rc = o.totals != DP_TOTALS_NO ? dp_total_begin(&r) : begin(&r);
	if (rc == 0)
		rc = dp_run_files(&r);
	rc = rc > 0 ? 0 : finish(&r, rc);
	release(&r);
	return rc;
}
