/*
 * make.c - what a run holds, made once its plan is there: columns, input, output.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include "ask/options_table.h"
#include "ask/relation.h"
#include "keep/roll.h"
#include "receipt.h"
#include "files.h"
#include "roads.h"

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
	    !o->print.monotone &&
	    !o->print.number;
}

/*
 * Number of the mechanism's decimals that are printed: down to a tenth of the error, as finer
 * digits say nothing.  Post-processing; rounding adds less than a thousandth to the variance.
 */
static unsigned
kept_decimals(const struct dp_run *r)
{
	const double error = sqrt(r->plan.eligible[r->plan.chosen].error.max);
	const unsigned most = r->plan.mech->estimate.decimals;
	double k;

	if (most == 0 || !(error > 0) || r->plan.mech->estimate.gaps ||
	    r->plan.mech->measure != DP_MEASURE_RMSE)
		return most;
	k = ceil(1 - log10(error));
	return k < 0 ? 0 : k < most ? (unsigned)k : most;
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

static void
allocate(struct dp_run *r)
{
	unsigned i;

	r->col.width = dp_options_numbers(r->o, r->tool);
	r->col.n = dp_options_columns(r->o, r->tool);
	r->answer.asks = r->plan.mech->ops->answer != NULL;
	r->print.outputs = r->plan.mech->outputs;
	r->print.nest = r->col.n * r->print.outputs;
	if (!r->numbers.replay)		/* else as it was when the state was made */
		r->print.decimals = kept_decimals(r);
	if (r->print.decimals > r->plan.mech->estimate.decimals)
		dp_die(DP_EX_STATE, "%s: the state file's 'decimals' is damaged", r->o->keep.state);
	r->print.places = r->o->range.places + r->print.decimals;
	for (r->print.coarse = 1, i = r->print.decimals; i < r->plan.mech->estimate.decimals; i++)
		r->print.coarse *= 10;
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
	if (dp_bucket_prepare(r) != 0)
		dp_run_fail(r, DP_ENOMEM);
	r->print.bare = bare_output(r);
	r->print.raw = r->print.coarse == 1 && r->o->print.confidence == 0 &&
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
	r->cap.most = r->cap.tabled ? UINT32_MAX : o->shard.partial ? 0 : o->users.most;
	if (o->users.spacing != 0 && !r->cap.tabled)
		r->cap.most = o->users.most * dp_options_spaced_steps(o);
	if (r->cap.most != 0) {
		random_bytes(r, r->cap.key, sizeof r->cap.key);
		if ((e = dp_cap_begin(r)) != 0)
			dp_run_fail(r, e);
	}
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

void
dp_run_start(struct dp_run *r)
{
	const struct dp_mech *m = r->plan.mech;
	size_t c;
	int e;

	for (c = 0; c < r->col.n; c++)
		if ((e = dp_mech_start(m, r->col.p + c * m->column, r->col.rng)) != 0)
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
	free(r->print.order);
	free(r->ring.sums);
	dp_touched_free(r->ring.touched);
	free(r->ring.border);
	free(r->ring.carry);
	free(r->kept.hash);
	free(r->print.map.block);
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
