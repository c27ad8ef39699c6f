/* SPDX-License-Identifier: ISC */
/*
 * choose.c - the expert of least cost, chosen privately now and then and followed between.
 *
 *   blocks	after every B-th line: for costs that favour now one expert, now another
 *   doubling	after T/2^n, .., T/4, T/2 lines, rounded down: for costs that stay as they are
 *
 * With segments both begin anew in each: after its last line the sums are 0 again.
 *
 * A choice among D sums is paid once, however many experts there are; a counter for each of D
 * experts has noise for all that a line moves, D costs.
 *
 * Before the first line an expert is chosen from sums that are all 0: a look at no data.  Then the
 * choice is made anew at n times that the options alone fix, by random/selection.h, scores minus
 * the exact
 * sums of ALL costs so far, of the segment: so a line is part of every choice after it, up to n.
 *
 * Private.  All that a unit moves is in one segment (experts.h), and no choice of another looks at
 * it.  In that segment two inputs' scores differ at each of the n choices by moves within `spread`
 * of each other (account/neighbour.h; internal.h where sums are cut).  account/privacy.h, REPEATED,
 * composes
 * them, each made in the knowledge of those before: permute-and-flip of scale n spread / epsilon
 * loses epsilon / n at most each, epsilon in all; the exponential mechanism of scale spread sqrt(n
 * / (8 rho)) spends rho / n each.  What is printed between is the last choice again.  The sums are
 * exact: it is not pan-private.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experts.h"
#include "internal.h"

static uint64_t dp_chooser_paid(const struct dp_chooser *);
static double dp_chooser_worst(const struct dp_chooser *);
static double dp_chooser_steady(const struct dp_chooser *);
static int dp_chooser_plan(struct dp_chooser *, const struct dp_mech_rule *) DP_MUSTUSE;

#define HALF	0.5		/* x of internal.h */

extern const struct dp_mech_ops dp_experts_doubling_ops;

struct column {
	uint64_t choice, unused;
	int64_t score[];		/* minus the sums */
};

static const struct dp_chooser *
chooser(const struct dp_mech *m)
{
	return (const void *)m;
}

static bool
due(const struct dp_chooser *k, uint64_t t)
{
	uint64_t j;

	t %= k->segment;
	if (t == 0)
		return false;
	if (!k->doubling)
		return t % k->block == 0;
	for (j = 1; j <= k->block; j++)
		if (t == k->segment >> j)
			return true;
	return false;
}

/* A segment ends with line t, and another one follows. */
static bool
last_choose(const struct dp_chooser *k, uint64_t t)
{
	return t % k->segment == 0 && t < k->m.horizon;
}

static int
choose_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_experts *own = rule->task.own;
	struct dp_chooser *k;
	int e;

	if (rule->horizon == 0 || rule->horizon > INT64_MAX / 4 || own->given ||
	    own->segments > rule->horizon)
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sums_column(sizeof(struct column), rule->inputs));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->doubling = ops == &dp_experts_doubling_ops;
	k->segments = own->segments > 1 ? own->segments : 1;
	k->range = (double)(rule->hi > 0 ? rule->hi : 0) - (double)(rule->lo < 0 ? rule->lo : 0);
	k->m.inputs = rule->inputs;
	if ((e = dp_chooser_plan(k, rule)) != 0)
		return e;
	snprintf(k->what, sizeof k->what, "%" PRIu64 " choices, held between", dp_chooser_paid(k));
	return 0;
}

static int
choose(const struct dp_chooser *k, struct column *c, struct dp_rng *rng)
{
	size_t which = 0;
	int e;

	if ((e = dp_choose(&k->choose, rng, c->score, k->m.inputs, &which)) != 0)
		return e;
	c->choice = which;
	return 0;
}

static int
choose_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	return choose(chooser(m), col, rng);
}

static int
choose_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	struct column *c = col;

	(void)est;
	sums_subtract(c->score, x, m->inputs);
	if (last_choose(chooser(m), t))
		memset(c->score, 0, m->inputs * sizeof *c->score);
	return due(chooser(m), t) ? choose(chooser(m), c, rng) : 0;
}

static int
choose_answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	(void)m;
	(void)rng;
	(void)t;
	*est = (dp_wide)((const struct column *)col)->choice;
	return 0;
}

static bool
choose_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;

	(void)t;
	return c->choice < m->inputs && sums_valid(c->score, m->inputs);
}

static void
choose_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_chooser *k = chooser(m);

	e->max = dp_chooser_worst(k);
	e->mean = e->max / (double)T;
	e->worst = T;
}

static bool
choose_family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct dp_chooser *k = chooser(m);

	*z = &k->shown;
	*what = k->what;
	return i == 0 && k->choose.kind != DP_NOISE_NONE;
}

static double
draws_choose(const struct dp_mech *m)
{
	const struct dp_chooser *k = chooser(m);

	return ((double)k->segments * (double)dp_chooser_paid(k) + 1) * (double)m->inputs /
	    (double)m->horizon;
}

/* Of which costs a choice is made. */
static const char *
among(const struct dp_chooser *k, char text[static 80])
{
	if (k->segments == 1)
		return "all costs so far";
	snprintf(text, 80, "its segment's costs so far, one of %" PRIu64 " of up to %" PRIu64
	    " steps", k->segments, k->segment);
	return text;
}

/* Cost of choices that are held over a segment's end, grid units. */
static double
held(const struct dp_chooser *k)
{
	const uint64_t first = k->doubling ? k->segment >> k->block :
	    k->block < k->segment ? k->block : k->segment;

	return (double)(k->segments - 1) * (double)first * k->range;
}

static bool
blocks_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct dp_chooser *k = chooser(m);
	const double y = (double)k->block * k->range / dp_q_double(k->choose.scale);
	const double a = y / -expm1(-y);
	char of[80];

	if (k->choose.kind == DP_NOISE_NONE || i > 1)
		return false;
	if (i == 0) {
		snprintf(text, size, "a choice is made from %s, anew every %" PRIu64
		    " steps, and held between; a line is part of up to %" PRIu64 " of them, which "
		    "share epsilon", among(k, of), k->block, dp_chooser_paid(k));
		return true;
	}
	snprintf(text, size, "where the best column costs L in all, the choices are expected to "
	    "cost %.4g L + %.6g at most (first order)", a,
	    ((double)k->segments * a * dp_chooser_behind(k) + held(k)) * unit);
	return true;
}

static bool
doubling_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct dp_chooser *k = chooser(m);
	const double a = HALF / -expm1(-HALF), n = (double)k->block, off = dp_chooser_behind(k);
	const double first = (double)(k->segment >> k->block) * k->range;
	char of[80];

	if (k->choose.kind == DP_NOISE_NONE || i > 2)
		return false;
	if (i == 0)
		snprintf(text, size, "a choice is made from %s, after %" PRIu64
		    " steps and whenever they have doubled, and held between; a line is part of "
		    "up to %" PRIu64 " of them, which share epsilon", among(k, of),
		    k->segment >> k->block, dp_chooser_paid(k));
	else if (i == 1)
		snprintf(text, size, "where the rounds%s are independent and of one law, the "
		    "choices are expected to cost at most %.6g more than the best column%s; where "
		    "another column becomes the best%s, nothing better is promised than that of "
		    "all costs", k->segments > 1 ? " of a segment" : "",
		    dp_chooser_steady(k) * unit, k->segments > 1 ? " of each segment" : "",
		    k->segments > 1 ? " within one" : "");
	else
		snprintf(text, size, "where they are, and the best column costs L in all, the "
		    "choices are expected to cost %.4g L + %.6g at most (first order)", a,
		    (double)k->segments * (first + n * (k->range + a * off +
		    k->range * log((double)m->inputs) * a / HALF)) * unit);
	return true;
}

static const char *
choose_refuses(const struct dp_task *task)
{
	return ((const struct dp_experts *)task->own)->given ?
	    "takes no --rate (its choices have noise of their own)" : NULL;
}

/* The one before the first line is a look at no data. */
static int
choose_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const uint64_t n = dp_chooser_paid(chooser(m));

	return dp_certificate_choices(b, &chooser(m)->choose, chooser(m)->spread, n > 0 ? n : 1);
}

#define CHOOSER(name_, source_) \
	const struct dp_mech_ops dp_experts_##name_##_ops = { \
		.name = #name_, .say.source = source_, .tasks = DP_TASK_OWN, \
		.statistic = &dp_experts_statistic, .create = choose_create, .start = \
		    choose_start, \
		.step = choose_step, .answer = choose_answer, .valid = choose_valid, .error = \
		    choose_error, \
		.drawn.family = choose_family, .drawn.number = draws_choose, .say.note = \
		    name_##_note, \
		.say.refuses = choose_refuses, .drawn.certify = choose_certify \
	};

CHOOSER(blocks, "leader chosen anew every so many steps (this toolkit)")
CHOOSER(doubling, "leader chosen anew whenever the steps have doubled (this toolkit)")

/* When leaders are chosen, with what noise, and what that costs. */

#define FINER	50		/* blocks that are tried differ by a part of this */
#define GAPS	80		/* factors of sqrt(1/2) */

/* Choices that look at one line: n. */
static uint64_t
dp_chooser_paid(const struct dp_chooser *k)
{
	return k->doubling ? k->block : (k->segment - 1) / k->block;
}

double
dp_chooser_behind(const struct dp_chooser *k)
{
	if (k->choose.kind == DP_NOISE_NONE)
		return 0;
	return dp_q_double(k->choose.scale) *
	    (k->choose.kind == DP_NOISE_FLIP ? k->harmonic : log((double)k->m.inputs));
}

/* Cost of a block of so many rounds above the potential's growth. */
static double
block_cost(const struct dp_chooser *k, double rounds)
{
	const double v = rounds * k->range, b = dp_q_double(k->choose.scale);

	if (k->choose.kind == DP_NOISE_NONE)
		return v;
	return fmin(v, v * v / ((k->choose.kind == DP_NOISE_FLIP ? 4 : 8) * b));
}

/* Cost of a segment of T rounds, its first block's choice made by other costs if `held`. */
static double
segment_cost(const struct dp_chooser *k, uint64_t T, bool held)
{
	const double first = (double)(k->block < T ? k->block : T);
	double sum;
	uint64_t j;

	if (k->doubling) {
		sum = block_cost(k, (double)(T >> k->block));
		for (j = k->block; j > 0; j--)
			sum += block_cost(k, (double)((T >> (j - 1)) - (T >> j)));
	} else
		sum = (double)(T / k->block) * block_cost(k, (double)k->block) +
		    block_cost(k, (double)(T % k->block));
	if (held)
		sum += first * k->range - block_cost(k, first);
	return fmin(sum + dp_chooser_behind(k), (double)T * k->range);
}

/* The first statement's bound, all costs at most; and doubling's, for rounds of one law. */
static double
dp_chooser_worst(const struct dp_chooser *k)
{
	const uint64_t R = k->segment, T = k->m.horizon;

	if (k->m.inputs == 1)
		return 0;
	if (k->segments == 1)
		return segment_cost(k, T, false);
	if (k->doubling || T <= R)
		return (double)T * k->range;
	return segment_cost(k, R, false) + (double)(T / R - 1) * segment_cost(k, R, true) +
	    (T % R != 0 ? segment_cost(k, T % R, true) : 0);
}

/* The first statement's bound, all costs at most; and doubling's, for rounds of one law. */
static double
dp_chooser_steady(const struct dp_chooser *k)
{
	const uint64_t R = k->segment;
	const double n = (double)k->m.inputs, segments = (double)k->segments;
	double t = (double)(R >> k->block), sum = t * k->range * (1 - 1 / (n * segments));
	uint64_t j;

	for (j = k->block; j > 0; j--) {
		t = (double)(R >> j);
		sum += ((double)(R >> (j - 1)) - t) *
		    fmin(k->range, (dp_chooser_behind(k) + k->range * sqrt(t * log(n) / 2)) / t);
	}
	return segments * sum;
}

/*
 * Cost of doubling where all others are behind the best by the same in each round: exact, at the
 * worst such gap.
 */
static double
even(const struct dp_chooser *k)
{
	const uint64_t T = k->segment;
	const size_t n = k->m.inputs;
	double gap, sum, most = 0;
	uint64_t j;
	int i;

	for (i = 0; i < GAPS; i++) {
		gap = k->range * exp2(-i / 2.);
		sum = (double)(T >> k->block) * (1 - 1 / (double)n);
		for (j = k->block; j > 0; j--)
			sum += (double)((T >> (j - 1)) - (T >> j)) *
			    dp_choose_tail(&k->choose, n, gap * (double)(T >> j));
		most = fmax(most, gap * sum);
	}
	return most;
}

static int
fit_choose_plan(struct dp_chooser *k, const struct dp_privacy *p, uint64_t block, bool concentrated)
{
	uint64_t n;

	k->block = block;
	k->spread = p->spread;
	n = dp_chooser_paid(k);
	return dp_privacy_choose(&k->choose, p, concentrated ? DP_NOISE_WEIGH : DP_NOISE_FLIP,
	    n > 0 ? n : 1, dp_q_make(1, 1));
}

/* The most choices by doubling: floor(lg T), and one where T is 1. */
static uint64_t
doublings(uint64_t T)
{
	uint64_t n = 0;

	while (T >> (n + 1) != 0)
		n++;
	return n > 0 ? n : 1;
}

/* Measure of a plan; INFINITY: no noise fits. */
static double
judged(struct dp_chooser *k, const struct dp_privacy *dry, uint64_t block, bool concentrated)
{
	if (fit_choose_plan(k, dry, block, concentrated) != 0)
		return INFINITY;
	return k->doubling ? even(k) : dp_chooser_worst(k);
}

/*
 * The block with the least bound, of doubling the n with the least even(), which the first choices
 * decide as they do for most data; its kind to *concentrated.
 */
static int
find_choose_plan(struct dp_chooser *k, const struct dp_privacy *privacy, uint64_t *block,
    bool *concentrated)
{
	const uint64_t T = k->segment, most = k->doubling ? doublings(T) : T;
	struct dp_privacy dry = *privacy;
	double least[2] = { INFINITY, INFINITY }, x;
	uint64_t best[2] = { 1, 1 }, at;
	int i;

	*block = k->doubling ? most : 1;
	*concentrated = false;
	if (privacy->exact)
		return 0;
	dry.dry = dry.quick = true;
	dry.numbers = NULL;
	for (i = 0; i < 2 && (i == 0 || dry.rho.num != 0); i++)
		for (at = 1; at <= most; at += k->doubling ? 1 : at / FINER + 1)
			if ((x = judged(k, &dry, at, i != 0)) < least[i]) {
				least[i] = x;
				best[i] = at;
			}
	dry.quick = false;
	if (least[1] < INFINITY)
		least[1] = fmin(least[1], judged(k, &dry, best[1], true));
	*concentrated = least[1] < least[0];
	*block = best[*concentrated];
	return least[*concentrated] < INFINITY ? 0 : DP_ERANGE;
}

/*
 * inputs, horizon, range, doubling and segments are set: the rest.  Errors as of
 * dp_mech_ops.create().
 */
static int
dp_chooser_plan(struct dp_chooser *k, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	uint64_t block = 1;
	bool concentrated = false;
	double i;
	int e;

	k->segment = (rule->horizon - 1) / k->segments + 1;
	k->segments = (rule->horizon - 1) / k->segment + 1;
	for (i = (double)k->m.inputs; i > 1; i--)
		k->harmonic += 1 / i;
	if (!dp_numbers_replays(numbers) &&
	    (e = find_choose_plan(k, &rule->privacy, &block, &concentrated)) != 0)
		return e;
	block = dp_numbers_int(numbers, "block", block, 1, k->doubling ? doublings(k->segment) :
	    k->segment);
	concentrated = dp_numbers_int(numbers, "concentrated", concentrated, 0, 1) != 0;
	if ((e = fit_choose_plan(k, &rule->privacy, block, concentrated)) != 0)
		return e;
	if (k->choose.kind != DP_NOISE_NONE)
		e = dp_noise_describe(&k->shown, k->choose.kind, k->choose.scale);
	return e != 0 ? e : dp_numbers_error(numbers);
}
