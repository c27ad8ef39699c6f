/*
 * make.c - what a run holds, made once its plan is there: columns, input, output.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include "partial.h"
#include "run.h"

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

/* Whether an output line is one number and nothing else. */
static bool
bare_output(const struct dp_run *r)
{
	const struct dp_options *o = r->o;

	return o->bucket == 0 && r->nest == 1 && r->tool->rows == NULL &&
	    r->plan.mech->first <= 1 && o->output[0].kind != DP_OUTPUT_CHOICE &&
	    o->format == DP_PLAIN && o->confidence == 0 && !o->nonnegative && !o->monotone &&
	    !o->number;
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
	if (r->ncol > 1 && r->nest == r->ncol && r->plan.mech->block != 0 && r->o->bucket == 0)
		r->several = calloc(r->ncol, DP_SEVERAL * sizeof *r->several);
	if (r->columns == NULL || r->x == NULL || r->est == NULL ||
	    r->last == NULL || r->shown == NULL || r->half == NULL)
		dp_run_fail(r, DP_ENOMEM);
	if (dp_bucket_prepare(r) != 0)
		dp_run_fail(r, DP_ENOMEM);
	r->bare = bare_output(r);
	r->raw = r->coarse == 1 && r->o->confidence == 0 && !r->o->nonnegative && !r->o->monotone &&
	    r->plan.mech->first <= 1;
	for (i = 0; i < r->outputs; i++)
		r->raw &= r->o->output[i].kind != DP_OUTPUT_CHOICE;
}

static void
random_bytes(const struct dp_run *r, uint8_t *p, size_t n)
{
	const uint8_t *q = dp_rng_take(r->rng, n);

	if (q == NULL)
		dp_run_fail(r, DP_EENTROPY);
	memcpy(p, q, n);
}

void
dp_run_make(struct dp_run *r)
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
		/* a commit keeps the table: open rows must not be in it */
		r->firsts = (r->plan.mech->ops->traits & DP_TRAIT_FIRST) != 0 &&
		    o->steps == DP_BY_RANGE && r->nopen < UINT32_MAX && o->state == NULL;
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

void
dp_run_start(struct dp_run *r)
{
	const struct dp_mech *m = r->plan.mech;
	size_t c;
	int e;

	for (c = 0; m->ops->start != NULL && c < r->ncol; c++)
		if ((e = m->ops->start(m, r->columns + c * m->column, r->rng)) != 0)
			dp_run_fail(r, e);
}

void
dp_run_free(struct dp_run *r)
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
	free(r->several);
	dp_widths_free(r->widths);
	free(r->sums);
	dp_touched_free(r->touched);
	free(r->border);
	free(r->hash);
	free(r->block);
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
