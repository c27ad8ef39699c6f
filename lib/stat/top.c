/* SPDX-License-Identifier: ISC */
/* top.c - names that nobody declared, and when they may be printed. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "top.h"

/* Names that nobody declared: what their mechanisms have in common (top.h). */

#define TRIES_TOP	4u
#define LARGE	((size_t)16 << 20)	/* bytes: less is not worth a word */

const struct dp_top_plan *
dp_top_plan(const struct dp_mech *m)
{
	return &dp_top(m)->plan;
}

double
dp_top_unit(double epsilon, uint64_t K)
{
	return fmax((double)K, exp(epsilon * (double)(K - 1) / (double)K) * DP_TOP_ROUNDED);
}

/* A plan with tau = 1; DP_EINVAL: there is noise, and no delta. */
static int
dp_top_begin(struct dp_mech **out, struct dp_top **made, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule, size_t column)
{
	struct dp_top *k;

	if (!rule->privacy.exact && rule->privacy.delta.num == 0)
		return DP_EINVAL;
	if ((k = dp_mech_alloc(ops, sizeof *k, rule->horizon, column)) == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	*made = k;
	k->m.estimate.gaps = true;
	k->plan.most = rule->privacy.l1;
	k->plan.each = rule->privacy.linf;
	k->plan.tau = 1;
	return 0;
}

/* Factor of f: for a user whose events have K names, or any names at least. */
/* Factor of f: for a user whose events have K names, or any names at least. */
static double
dp_top_factor(const struct dp_top *k, const struct dp_mech_rule *rule)
{
	return rule->privacy.linf == 1 ? (double)k->plan.most :
	    dp_top_unit(dp_q_double(rule->privacy.epsilon), k->plan.most);
}

double
dp_top_allowed(const struct dp_top *k, const struct dp_mech_rule *rule)
{
	return dp_q_double(rule->privacy.delta) / dp_top_factor(k, rule) / DP_TOP_ROUNDED;
}

/* By as many heights as the noise can be expected to need, then by more. */
static int
dp_top_find(struct dp_top *k, dp_top_least *least, uint64_t T, double sd, double f)
{
	unsigned n = (unsigned)(DP_TOP_DEEP * sd) + 16, try, x;
	double tail;
	int e;

	for (try = 0; try < TRIES_TOP; try++, n += n / 2) {
		if ((e = least(k, T, f / DP_TOP_ROUNDED, n, &x, &tail)) != 0)
			return e;
		if (x <= n) {
			k->plan.tau = (int64_t)x + 1;
			k->plan.delta = tail * DP_TOP_ROUNDED;
			k->plan.bytes = k->W == 0 ? dp_normtree_passage_bytes(k->tree, n) : 0;
			return 0;
		}
	}
	return DP_ERANGE;
}

/* Factor of f: for a user whose events have K names, or any names at least. */
static bool
dp_top_replays(const struct dp_mech_rule *rule)
{
	return dp_numbers_replays(rule->privacy.numbers);
}

/*
 * A hash of the thresholds and what they were found for.  To find again what they spend takes as
 * long as to find them, so what a state has of them is held against accidents only, as tables are.
 */
static uint64_t
tested(const struct dp_top *k, const struct dp_mech_rule *rule)
{
	uint64_t word[9 + 2 * DP_TOP_PHASES] = { rule->privacy.epsilon.num,
	    rule->privacy.epsilon.den, rule->privacy.delta.num, rule->privacy.delta.den,
	    rule->privacy.l1, rule->privacy.linf, rule->horizon, k->W, (uint64_t)k->plan.tau };
	unsigned i, n = 9;

	for (i = 0; i < k->plan.phases; i++) {
		word[n++] = k->plan.phase[i].end;
		word[n++] = (uint64_t)k->plan.phase[i].tau;
	}
	return dp_numbers_hash(word, n * sizeof *word);
}

/* The plan's tau and delta, once found, or those of a plan that is replayed. */
static void
dp_top_keep(struct dp_top *k, const struct dp_mech_rule *rule, double f)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	unsigned i;

	for (i = 0; i < k->plan.phases; i++)
		k->plan.phase[i].tau = (int64_t)dp_numbers_int(numbers, "threshold",
		    (uint64_t)k->plan.phase[i].tau, 1, INT64_MAX);
	k->plan.tau = k->plan.phases > 0 ? k->plan.phase[0].tau :
	    (int64_t)dp_numbers_int(numbers, "threshold", (uint64_t)k->plan.tau, 1, INT64_MAX);
	if (k->tree != NULL || k->count != NULL) {
		dp_numbers_new_same(numbers, "tested", tested(k, rule));
		/* a state of 0.2 lacks it: all that is allowed, at most */
		k->plan.delta = dp_numbers_new_real(numbers, "spent", dp_top_replays(rule) &&
		    k->plan.delta == 0 ? f : k->plan.delta, 0, 1);
	}
	k->plan.delta *= dp_top_factor(k, rule);
}

/* Thresholds of all phases. */
static void
say_taus(const struct dp_top_plan *p, char *text, size_t size)
{
	size_t n = (size_t)snprintf(text, size, "where the number of steps is not known tau grows "
	    "with them: ");
	unsigned i;

	for (i = 0; i < p->phases && n < size; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%lld up to step %llu", i == 0 ? "" :
		    ", ", (long long)p->phase[i].tau, (unsigned long long)p->phase[i].end);
	if (n < size)
		snprintf(text + n, size - n, ", the last");
}

/* Factor of f: for a user whose events have K names, or any names at least. */
static bool
dp_top_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct dp_top *k = dp_top(m);
	const struct dp_top_plan *p = &k->plan;
	size_t n;

	(void)unit;
	if (i == 1 && p->phases > 0 && p->delta > 0) {
		say_taus(p, text, size);
		return true;
	}
	if (i != 0 || p->delta == 0)
		return false;
	snprintf(text, size, "a name is printed %s its private count is at least tau = %lld%s; "
	    "delta pays for that: %.3g is the probability%s that noise alone lifts %s over tau, of "
	    "all names%s together", m->brief ? "at a step if it has had an event in it and" :
	    k->W > 0 ? "at a step if it has had an event in the window and" :
	    "from the first step on at which it has had an event and",
	    (long long)p->tau, p->phases > 0 ? " or more" : "", p->delta,
	    k->W > 0 ? ", summed over steps," : "",
	    p->most == 1 ? "one event" : "a user's events", m->brief ? "" : " and steps");
	n = strlen(text);
	if (p->bytes >= LARGE && n < size)
		snprintf(text + n, size - n, " (to find tau takes %.3g MiB at the start)",
		    (double)p->bytes / 0x1p20);
	return true;
}

/* Factor of f: for a user whose events have K names, or any names at least. */
static void
dp_top_destroy(struct dp_mech *m)
{
	struct dp_top *k = (void *)m;

	dp_normtree_free(k->tree);
	dp_mech_free(k->count);
}

static void
describe_running(const struct dp_task *task, char *text, size_t size)
{
	(void)task;
	snprintf(text, size, "names that nobody declared, each with the number of its events so "
	    "far");
}

static void
describe_each(const struct dp_task *task, char *text, size_t size)
{
	(void)task;
	snprintf(text, size, "names that nobody declared, each with the number of its events in a "
	    "step");
}

static void
describe_window(const struct dp_task *task, char *text, size_t size)
{
	snprintf(text, size, "names that nobody declared, each with the number of its events in "
	    "the last %llu steps", (unsigned long long)task->w[0]);
}

const struct dp_statistic dp_top_running = {
	.name = "names", .describe = describe_running, .measure = DP_MEASURE_RMSE,
	.noun = "count of a printed name"
};

const struct dp_statistic dp_top_each = {
	.name = "step-names", .describe = describe_each, .measure = DP_MEASURE_RMSE,
	.fades = true, .noun = "count of a printed name"
};

const struct dp_statistic dp_top_window = {
	.name = "window-names", .describe = describe_window, .measure = DP_MEASURE_RMSE,
	.fades = true, .noun = "count of a printed name"
};

/* Counts of a step of names that nobody declared (top.h, EACH STEP). */

struct column {
	int64_t declared;
};

static int
laplace_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	static const struct dp_q whole = { 1, 1 };
	struct dp_top *k;
	int64_t least = 1;
	double b = 1, f = 0, x;
	int e;

	if ((e = dp_top_begin(out, &k, ops, rule, sizeof(struct column))) != 0)
		return e;
	if ((e = dp_privacy_laplace(&k->noise, &rule->privacy, whole)) != 0)
		return e;
	if (!rule->privacy.exact) {
		b = dp_q_double(k->noise.param);
		f = dp_top_allowed(k, rule);
		x = -b * (log(f) + log1p(exp(-1 / b)));
		k->plan.tau = least = (int64_t)fmax(ceil(x + 1e-12 * fabs(x) + 1e-6), 1) + 1;
	}
	dp_top_keep(k, rule, f);
	if (k->plan.tau < least) {	/* of a state's noise the least there is */
		dp_numbers_refuse(rule->privacy.numbers);
		return DP_EINVAL;
	}
	if (!rule->privacy.exact)
		k->plan.delta = exp(-(double)(k->plan.tau - 1) / b) / (1 + exp(-1 / b)) *
		    DP_TOP_ROUNDED * dp_top_factor(k, rule);
	k->m.brief = true;
	k->m.drawn.noise = &k->noise;
	k->m.drawn.numbers = "every name's events of a step";
	return 0;
}

static int
laplace_late(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t i, bool declared)
{
	struct column *c = col;

	(void)m;
	(void)rng;
	(void)i;
	c->declared = declared;
	return 0;
}

static int
laplace_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct column *c = col;
	int64_t w;
	int e;

	(void)t;
	*est = DP_NONE;
	if (*x == 0 && !c->declared)
		return 0;
	if ((e = dp_draw(&dp_top(m)->noise, rng, &w)) != 0)
		return e;
	if (c->declared || (dp_wide)*x + w >= dp_top(m)->plan.tau)
		*est = (dp_wide)*x + w;
	return 0;
}

static void
laplace_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)out;
	(void)t;
	dp_law_add(l, &dp_top(m)->noise, 1, 1);
}

static bool
laplace_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;

	(void)m;
	(void)t;
	return (c->declared | 1) == 1;
}

static void
laplace_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_mech_error_constant(m, T, e);
}

/* A name's count of one step moves by its events: by l1 together. */
static int
laplace_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_top *k = dp_top(m);
	const int e = dp_certificate_laplace(b, &k->noise, 1);

	return e != 0 || k->noise.kind == DP_NOISE_NONE ? e : dp_certificate_names(b, &k->noise,
	    (uint64_t)k->plan.tau, k->plan.most, k->plan.each);
}

const struct dp_mech_ops dp_gated_laplace_ops = {
	.name = "gated-laplace",
	.say.source = "fresh noise for each name of a step (Korolova et al. 2009); named over a "
	    "threshold",
	.traits = DP_TRAIT_ENDLESS,
	.tasks = DP_TASK_OWN, .statistic = &dp_top_each,
	.create = laplace_create, .names.late = laplace_late, .step = laplace_step,
	.law.at = laplace_law,
	.error = laplace_error, .valid = laplace_valid, .say.note = dp_top_note,
	.drawn.certify = laplace_certify,
	.destroy = dp_top_destroy
};

/* Counts so far of names, with Gaussian noise (top.h, GAUSSIAN). */

extern const struct dp_mech_ops dp_blt_norm_ops;

#define ROUNDED	1e-9		/* by which doubles may differ elsewhere */
#define LONGEST	4096u		/* steps: a column draws all that were before it began */
#define WIDER	(1 + 1e-6)	/* variances, for what doubles may be off */

#define DECLARED	1
#define NAMED		2

struct column_gauss {
	int64_t state;
	int64_t none;		/* 0; then the noise's column, with the events so far */
};

static const struct dp_mech *
noise_of(const struct dp_mech *m)
{
	return m->part[0].inner;
}

/*
 * Error of rounding, grid units: of the estimate 1/2; of w 2^-64 a step (counter/internal.h); and
 * of the noise,
 * as follows. w = C^-1 (z - rho), rho_t = r_t - R_t, |rho_t| <= 1/2 + nu (counter/internal.h), nu
 * below a half,
 * and z is a normal number n off by 1/2 at most (below): so n is off by less than 2 a step.  C^-1
 * is 1 and then numbers of at most 0, of a sum of -1 at least, and the unit of step s is q_s, which
 * falls: what n_j is off counts in all steps together q_j less a sum of later q_s, that is 0 to q_j
 * <= q_1.  So it is 2 T q_1 at most; four times that is taken.
 */
static double
slack(const struct dp_mech *noise, uint64_t T)
{
	return 0.5 + 8 * (double)T * noise->drawn.unit;
}

/*
 * At least the sum of P(N_t >= x) over t = 1 .. T, but for rounding, which slack() has.
 * LEMMA.  For every set of z_1 .. z_T discrete Gaussian draws have it with at most e^(T / (24
 * sigma^2)) times the probability that normal draws of that sigma, rounded to whole numbers, have.
 * Proof.  With p(k) = exp(-k^2 / (2 sigma^2)) / (sigma sqrt(2 pi)), a discrete draw is k with
 * probability p(k) over the sum of all p(j), which is that of exp(-2 pi^2 sigma^2 m^2) over all m
 * (Poisson), at least 1; a rounded one with p(k) E exp(-(2 k v + v^2) / (2 sigma^2)), v uniform
 * from -1/2 to 1/2, which is at least p(k) e^(-1 / (24 sigma^2)) (Jensen).  Draws are independent,
 * so the factors multiply.
 * With normal draws and no rounding N_t is normal, of the variance of counter/internal.h.  sigma >=
 * 2^26 and T
 * <= 2^12 (counter/internal.h, LONGEST), so the factor is below 1 + 2^-44, which WIDER has; the
 * sampler is 2^-98
 * a draw off at most (random/noise.h).
 */
static double
reached_gauss(const double *variance, uint64_t T, double x)
{
	double sum = 0;
	uint64_t t;

	for (t = 0; t < T; t++)
		sum += 0.5 * erfc(x / sqrt(2 * variance[t] * WIDER)) * WIDER;
	return sum + (double)T * (double)T * 0x1p-96;
}

/* At least what is spent of delta: K times the largest F(c) / c, which is at an end (top.h). */
static double
spent_gauss(const struct dp_top *k, const double *variance, uint64_t T, uint64_t linf, int64_t tau)
{
	const double off = slack(noise_of(&k->m), T), K = (double)k->plan.most;
	const uint64_t C = linf < k->plan.most ? linf : k->plan.most;
	const double one = reached_gauss(variance, T, (double)(tau - 1) - off);
	const double all = reached_gauss(variance, T, (double)(tau - (int64_t)C) - off);

	return K * fmax(one, all / (double)C) * DP_TOP_ROUNDED;
}

/* The least tau that spends no more than that, by bisection. */
static int
find_gauss(struct dp_top *k, uint64_t T, uint64_t linf, double most)
{
	const struct dp_mech *noise = noise_of(&k->m);
	double variance[LONGEST], widest = 0, off = slack(noise, T);
	int64_t lo = 1, hi, tau;
	uint64_t t;

	for (t = 0; t < T; t++) {
		variance[t] = dp_mech_variance(noise, t + 1);
		widest = fmax(widest, variance[t]);
	}
	if (!(widest < 0x1p80))
		return DP_ERANGE;
	hi = (int64_t)(64 * sqrt(widest) + off) + 64 + (int64_t)k->plan.most;
	while (hi - lo > 1) {
		tau = lo + (hi - lo) / 2;
		if (spent_gauss(k, variance, T, linf, tau) <= most)
			hi = tau;
		else
			lo = tau;
	}
	k->plan.tau = hi;
	k->plan.delta = spent_gauss(k, variance, T, linf, hi);
	return k->plan.delta <= most ? 0 : DP_ERANGE;
}

/* What the threshold that was kept spends. */
static double
spend(struct dp_top *k, uint64_t T, uint64_t linf)
{
	double variance[LONGEST];
	uint64_t t;

	for (t = 0; t < T; t++)
		variance[t] = dp_mech_variance(noise_of(&k->m), t + 1);
	return k->plan.delta = spent_gauss(k, variance, T, linf, k->plan.tau);
}

/* The noise has half of delta. */
static int
make_noise_gauss(struct dp_top *k, const struct dp_mech_rule *rule)
{
	struct dp_mech_rule own = *rule;
	const struct dp_privacy *p = &rule->privacy;
	int e;

	own.task = (struct dp_task){ .what = DP_TASK_COUNT };
	if (p->delta.den > (uint64_t)1 << 62)
		return DP_ERANGE;
	own.privacy.delta = dp_q_make(p->delta.num, 2 * p->delta.den);
	if ((e = dp_privacy_set(&own.privacy, false, p->epsilon, own.privacy.delta, p->l1,
	    p->l2squared)) != 0)
		return e;
	own.privacy.dry = p->dry;
	own.privacy.wide = p->wide;
	own.privacy.linf = p->linf;
	own.privacy.spread = p->spread;
	own.privacy.columns = p->columns;
	own.privacy.numbers = p->numbers;
	own.privacy.memo = p->memo;
	return dp_part_create(&k->m, &dp_blt_norm_ops, &own, 1, 1);
}

static int
gauss_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_top *k;
	double delta;
	int e;

	if (rule->privacy.exact || rule->horizon == 0 || rule->horizon > LONGEST)
		return DP_EINVAL;
	if ((e = dp_top_begin(out, &k, ops, rule, 0)) != 0)
		return e;
	if ((e = make_noise_gauss(k, rule)) != 0)
		return e;
	delta = dp_q_double(rule->privacy.delta) / 2;
	if (!dp_top_replays(rule) && (e = find_gauss(k, rule->horizon, rule->privacy.linf,
	    delta)) != 0)
		return e;
	dp_top_keep(k, rule, 0);
	/* of all events of a unit */
	if (!(spend(k, rule->horizon, rule->privacy.linf) <= delta * (1 + ROUNDED))) {
		dp_numbers_refuse(rule->privacy.numbers);
		return DP_EINVAL;
	}
	k->m.column = dp_part_place(&k->m.part[0], sizeof(struct column_gauss));
	return 0;
}

/* All steps before are drawn, so it is the noise of a column that began at step 1. */
static int
gauss_late(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t i, bool declared)
{
	static const int64_t nothing = 0;
	struct column_gauss *c = col;
	uint64_t t;
	dp_wide y;
	int e;

	c->state = declared ? DECLARED | NAMED : 0;
	e = dp_mech_start(noise_of(m), dp_part_column(m->part, col, 0), rng);
	for (t = 1; t <= i && e == 0; t++)
		e = dp_part_step(m->part, col, 0, rng, t, &nothing, &y);
	return e;
}

static int
gauss_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	struct column_gauss *c = col;
	int e;

	if ((e = dp_part_step(m->part, col, 0, rng, t, x, est)) != 0)
		return e;
	c->state |= *est >= dp_top(m)->plan.tau ? NAMED : 0;
	*est = (c->state & NAMED) != 0 ? *est : DP_NONE;
	return 0;
}

static void
law_gauss(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	noise_of(m)->ops->law.at(noise_of(m), out, t, l);
}

static void
gauss_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_mech_error(noise_of(m), T, e);
}

static bool
gauss_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column_gauss *c = col;

	return c->state >= 0 && c->state <= (DECLARED | NAMED) && c->none == 0 &&
	    dp_part_valid(m->part, col, t);
}

static bool
gauss_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	if (i == 1)
		snprintf(text, size, "half of delta is for the noise, which is Gaussian");
	return i == 1 || dp_top_note(m, i, unit, text, size);
}

/* The threshold of its part's noise. */
static int
gauss_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_top_plan *p = &dp_top(m)->plan;

	return dp_certificate_rise(b, p->most, p->each, (uint64_t)p->tau);
}

const struct dp_mech_ops dp_gated_blt_ops = {
	.name = "gated-blt",
	.say.source = "buffered linear Toeplitz noise for each name; named once over a threshold",
	.traits = DP_TRAIT_DELTA,
	.tasks = DP_TASK_OWN, .statistic = &dp_top_running,
	.create = gauss_create, .names.late = gauss_late, .step = gauss_step, .law.at = law_gauss,
	    .error = gauss_error,
	.valid = gauss_valid, .say.note = gauss_note, .drawn.certify = gauss_certify, .destroy =
	    dp_top_destroy
};

/*
 * Thresholds of counts so far of names where nobody knows how long the run is
 * (top.h, RUNNING).
 *
 * The noise is that of normtree's count without end: segment j = 0, 1, .. has a tree of its own of
 * 16^(j+2) steps, and of those before it their roots, S.  Phase i = 0, 1, .. is the rest of the
 * first 4^(i+2) steps of its segment, and may spend 1 / ((i + 1) (i + 2)) of f, which sum to 1.
 * That some N_t of it is x or more has the probability, at most,
 *	sum over s of P(S = s) P(w_1 + .. + w_n >= x - s for some n <= 4^(i+2)),
 * w the segment's tree, of the very tables that are drawn from, rounded outwards (passage.c).
 */

#define TRIES	4
#define ENDS	3		/* phases of a segment, at most */
#define FEWEST	2		/* segments, or T must be known */
#define WORK	(4 * DP_TOP_LONG)	/* of all trees: some 5 s */
#define DEEPER	1.3		/* deviations that a further segment's heights take */

/* The law of the sum of the roots of the segments before. */
struct before {
	ptrdiff_t reach;
	double *p;			/* [s + reach] */
	double outside;			/* probability of all other s, at most */
	double variance;
};

static unsigned
segment_of(unsigned phase)
{
	return phase < ENDS ? 0 : (phase - 1) / 2;
}

/* heights x = 1 .. n; within[x - 1] is the passage's, of the segment alone */
static double
reached_phases(const struct before *b, const double *within, ptrdiff_t n, ptrdiff_t x)
{
	double sum = b->outside;
	ptrdiff_t s;

	for (s = -b->reach; s <= b->reach; s++)
		sum += b->p[s + b->reach] * (s >= x ? 1 : within[x - s > n ? n - 1 : x - s - 1]);
	return sum * DP_TOP_ROUNDED;
}

static unsigned
heights(const struct dp_normtree *tree, unsigned segment, double before)
{
	const double widest = dp_normtree_variance(tree, NULL, 0, (uint64_t)1 << (tree->h - 1));

	return (unsigned)((DP_TOP_DEEP + DEEPER * segment) * sqrt(before + 2 * widest)) + 16;
}

/* Phase i of a segment whose phases are looked at up to n heights; false: tau is beyond. */
static bool
find_one(struct dp_top *k, const struct before *b, const double *within, unsigned n, unsigned i,
    double f)
{
	double spent = INFINITY;
	ptrdiff_t x = 0;

	while (++x < (ptrdiff_t)n && (spent = reached_phases(b, within, n, x)) > f / ((i + 1.) *
	    (i + 2.)))
		;
	if (x == (ptrdiff_t)n)
		return false;
	k->plan.phase[i].tau = x + 1;
	k->plan.delta += spent;
	return true;
}

/* The phases from .. to - 1, which are a segment's. */
static int
find_phases(struct dp_top *k, const struct before *b, const struct dp_normtree *tree, unsigned from,
    unsigned to, double f)
{
	unsigned n = heights(tree, segment_of(from), b->variance), try, i = from;
	uint64_t T[ENDS];
	double *within = NULL, *more;
	int e = 0;

	for (i = from; i < to; i++)
		T[i - from] = (uint64_t)1 << 2 * (i + 2);
	for (try = 0, i = from; try < TRIES && i < to && e == 0; try++, n += n / 2) {
		if ((more = realloc(within, (size_t)n * (to - from) * sizeof *within)) == NULL) {
			e = DP_ENOMEM;
			break;
		}
		within = more;
		e = dp_normtree_passages(tree, T, to - from, n, within);
		while (e == 0 && i < to && find_one(k, b, within + (size_t)n * (i - from), n, i, f))
			i++;
	}
	free(within);
	return e != 0 ? e : i < to ? DP_ERANGE : 0;
}

/* Another root to those before. */
static int
join_phases(struct before *b, const struct dp_normtree *tree)
{
	const double variance = dp_normtree_variance(tree, NULL, 0, (uint64_t)1 << tree->h);
	const ptrdiff_t R = (ptrdiff_t)(2 * DP_TOP_DEEP * sqrt(variance)) + tree->A;
	const ptrdiff_t both = b->reach + R;
	double *root = malloc((2 * (size_t)R + 1) * sizeof *root), outside;
	double *sum = calloc(2 * (size_t)both + 1, sizeof *sum);
	ptrdiff_t s, P;
	int e = root == NULL || sum == NULL ? DP_ENOMEM :
	    dp_normtree_root_law(tree, (unsigned)R, root, &outside);

	if (e != 0) {
		free(root);
		free(sum);
		return e;
	}
	for (s = 0; s <= 2 * b->reach; s++)
		for (P = 0; P <= 2 * R; P++)
			sum[s + P] += b->p[s] * root[P];
	free(b->p);
	free(root);
	*b = (struct before){ .reach = both, .p = sum, .outside = b->outside + outside,
	    .variance = b->variance + variance };
	return 0;
}

/* Segments whose thresholds can be found, and soon enough. */
static unsigned
affordable(const struct dp_top *k)
{
	double before = 0, work = 0, n, reach;
	const struct dp_normtree *tree;
	uint64_t begin;
	unsigned j;

	for (j = 0; j < DP_TOP_SEGMENTS; j++) {
		tree = dp_normtree_count_tree(k->count, j, &begin);
		if (tree == NULL || tree->fine > 0 || tree->unit != 1)
			break;
		n = heights(tree, j, before);
		reach = fmax(tree->A, n + 24);
		if ((work += tree->h * reach * reach * n) > WORK)
			break;
		before += dp_normtree_variance(tree, NULL, 0, (uint64_t)1 << tree->h);
	}
	return j;
}

static int
name_phases(struct dp_top *k, struct dp_numbers *numbers, bool exact)
{
	unsigned segments = exact ? DP_TOP_SEGMENTS : FEWEST, i;
	uint64_t begin;

	if (!exact && !dp_numbers_replays(numbers) && (segments = affordable(k)) < FEWEST)
		return DP_ERANGE;
	segments = (unsigned)dp_numbers_int(numbers, "segments", segments, FEWEST, DP_TOP_SEGMENTS);
	k->plan.phases = 2 * segments + 1;
	for (i = 0; i < k->plan.phases; i++) {
		if (dp_normtree_count_tree(k->count, segment_of(i), &begin) == NULL)
			return DP_ENOMEM;
		k->plan.phase[i] = (struct dp_top_phase){ begin + ((uint64_t)1 << 2 * (i + 2)), 1 };
	}
	return 0;
}

/*
 * RUNNING, T unknown: the phases, as many as can be found in some seconds; if they are wanted each
 * one's tau, and what of f all of them spend.  DP_ERANGE: as above, or they are too few.
 */
static int
dp_top_phases(struct dp_top *k, struct dp_numbers *numbers, double f, bool exact, bool wanted)
{
	struct before b = { .p = calloc(1, sizeof *b.p) };
	const struct dp_normtree *tree;
	unsigned from, to;
	uint64_t begin;
	int e = b.p == NULL ? DP_ENOMEM : name_phases(k, numbers, exact);

	if (b.p != NULL)
		b.p[0] = 1;
	for (from = 0; wanted && from < k->plan.phases && e == 0; from = to) {
		for (to = from; to < k->plan.phases && segment_of(to) == segment_of(from); to++)
			;
		tree = dp_normtree_count_tree(k->count, segment_of(from), &begin);
		if ((e = find_phases(k, &b, tree, from, to, f)) == 0)
			e = join_phases(&b, tree);
	}
	free(b.p);
	return e;
}

/*
 * Counts so far of names that nobody declared (top.h, RUNNING): of T steps, with
 * the noise of one tree; of unknown T with that of a count without end, whose trees follow each
 * other, and of those that have ended the roots stay.
 */

extern const struct dp_mech_ops dp_normtree_ops;

#define LEAST_RUNNING	1e-20		/* times T: what passage.c does not tell from less */
#define COUNT		4		/* state: COUNT times the events so far, and these */
#define MOST		(INT64_MAX / COUNT)
#define FAR		((DP_TOP_SEGMENTS + 1) * DP_NORMTREE_FAR)

struct column_running {
	int64_t state;
	int32_t noise;
	int32_t wait[];			/* the tree's */
};

static int
least_running(const struct dp_top *k, uint64_t T, double f, unsigned n, unsigned *x, double *tail)
{
	return dp_normtree_passage_least(k->tree, T, f, n, x, tail);
}

static double
work_of_running(const struct dp_normtree *p)
{
	const double sd = sqrt(dp_normtree_variance(p, NULL, 0, (uint64_t)1 << (p->h - 1)));

	return (double)p->shape.kinds * p->A * p->A * (DP_TOP_DEEP * sd + 16);
}

/*
 * The tree: one whose largest noise is not found in a few seconds, or not known, as on a finer
 * grid, has one kind a level.
 */
static int
plant_running(struct dp_top *k, const struct dp_mech_rule *rule)
{
	const uint64_t T = rule->horizon;
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_normtree_shape shape;
	bool plain = false;
	size_t outer;
	int e;

	dp_normtree_count_shape(&shape, T);
	if ((e = dp_normtree_create(&k->tree, &shape, &rule->privacy)) != 0 ||
	    rule->privacy.exact || k->tree->unit != 1)
		return e;
	if (dp_numbers_finds(numbers))
		plain = k->tree->fine > 0 || !(work_of_running(k->tree) < DP_TOP_LONG);
	if (dp_numbers_new_int(numbers, "plain", plain, 0, 1) == 0)
		return dp_numbers_error(numbers);
	dp_normtree_free(k->tree);
	k->tree = NULL;
	dp_normtree_shape(&shape, T < 2 ? 1 : dp_ceil_log2(T));
	outer = dp_numbers_enter(numbers, "levels");
	e = dp_normtree_create(&k->tree, &shape, &rule->privacy);
	dp_numbers_leave(numbers, outer);
	return e;
}

/* A count without end, whose trees are those of a name. */
static int
plant_count(struct dp_top *k, const struct dp_mech_rule *rule)
{
	struct dp_mech_rule own = *rule;

	own.task = (struct dp_task){ .what = DP_TASK_COUNT };
	return dp_normtree_ops.create(&k->count, &dp_normtree_ops, &own);
}

/* Largest f allowed, and the thresholds. */
static int
allow(struct dp_top *k, const struct dp_mech_rule *rule, double *f)
{
	const bool wanted = !rule->privacy.dry && !dp_top_replays(rule) && !rule->privacy.exact;
	const uint64_t T = rule->horizon;

	*f = rule->privacy.exact ? 0 : dp_top_allowed(k, rule);
	if (T == 0)
		return dp_top_phases(k, rule->privacy.numbers, *f, rule->privacy.exact, wanted);
	if (!rule->privacy.exact && (k->tree->fine > 0 || k->tree->unit != 1 ||
	    *f < LEAST_RUNNING * (double)T))
		return DP_ERANGE;
	return !wanted ? 0 : dp_top_find(k, least_running, T, sqrt(dp_normtree_variance(k->tree,
	    NULL, 0,
	    T)), *f);
}

/* The tree that step i + 1 is of, and the steps before it; NULL: beyond the last. */
static const struct dp_normtree *
tree_at(const struct dp_top *k, uint64_t i, uint64_t *begin, unsigned *segment)
{
	const struct dp_normtree *p;

	*begin = 0;
	*segment = 0;
	if (k->tree != NULL)
		return k->tree;
	if (i >= k->plan.phase[k->plan.phases - 1].end)
		return NULL;
	while ((p = dp_normtree_count_tree(k->count, *segment, begin)) != NULL &&
	    i - *begin >= (uint64_t)1 << p->h)
		++*segment;
	return p;
}

static int64_t
tau_at(const struct dp_top *k, uint64_t t)
{
	unsigned i;

	for (i = 0; i < k->plan.phases; i++)
		if (t <= k->plan.phase[i].end)
			return k->plan.phase[i].tau;
	return k->plan.tau;
}

static int
tree_create_running(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
{
	struct dp_top *k;
	unsigned segment;
	uint64_t begin;
	double f = 0;
	int e;

	if ((e = dp_top_begin(out, &k, ops, rule, 0)) != 0)
		return e;
	e = rule->horizon == 0 ? plant_count(k, rule) : plant_running(k, rule);
	if (e == 0)
		e = allow(k, rule, &f);
	if (e == 0) {
		dp_top_keep(k, rule, f);
		k->last = k->tree != NULL ? k->tree : tree_at(k, k->plan.phase[k->plan.phases -
		    1].end - 1, &begin, &segment);
		e = k->last == NULL ? DP_ENOMEM : 0;
		if (k->plan.phases > 0)		/* the run ends there, with names or without */
			k->m.horizon = k->plan.phase[k->plan.phases - 1].end;
	}
	if (e != 0)
		return e;
	k->m.column = offsetof(struct column_running, wait) + k->last->h * sizeof(int32_t);
	k->m.column = (k->m.column + 7) & ~(size_t)7;
	k->m.drawn.distribution = DP_NORMTREE_NOISE;
	return 0;
}

/* The roots of the segments before, and what is before step i + 1 in its own. */
static int
tree_late(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t i, bool declared)
{
	const struct dp_top *k = dp_top(m);
	struct column_running *c = col;
	const struct dp_normtree *p, *root;
	unsigned segment, j;
	uint64_t begin, at;
	int64_t w;
	int e = 0;

	c->state = declared ? DECLARED | NAMED : 0;
	c->noise = 0;
	if ((p = tree_at(k, i, &begin, &segment)) == NULL)
		return DP_EHORIZON;
	for (j = 0; j < segment && !p->exact; j++) {
		root = dp_normtree_count_tree(k->count, j, &at);
		if ((e = dp_normtree_root(root, rng, &w)) != 0)
			return e;
		c->noise += (int32_t)w;
	}
	e = dp_normtree_late(p, c->wait, rng, i - begin, &w);
	c->noise += (int32_t)w;
	return e;
}

_Static_assert(DP_FILL <= DP_NORMTREE_SPLITS, "columns abreast are split at once");

static int
tree_abreast(const struct dp_mech *m, void *const *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est, unsigned n)
{
	const struct dp_top *k = dp_top(m);
	const int64_t tau = tau_at(k, t);
	const struct dp_normtree *p;
	int32_t *wait[DP_FILL] = { NULL };
	int64_t w[DP_FILL], count;
	struct column_running *c;
	uint64_t begin;
	unsigned i;
	dp_wide y;
	int e;

	if ((p = tree_at(k, t - 1, &begin, &i)) == NULL)
		return DP_EHORIZON;
	for (i = 0; i < n; i++)
		wait[i] = ((struct column_running *)col[i])->wait;
	if ((e = dp_normtree_late_steps(p, wait, rng, t - 1 - begin, n, w)) != 0)
		return e;
	for (i = 0; i < n; i++) {
		c = col[i];
		c->noise += (int32_t)w[i];
		count = c->state / COUNT;
		count = x[i] < MOST - count ? count + x[i] : MOST;
		c->state = count * COUNT | (c->state & (DECLARED | NAMED));
		y = (dp_wide)count + c->noise;
		c->state |= y >= tau ? NAMED : 0;
		est[i] = (c->state & NAMED) != 0 ? y : DP_NONE;
	}
	return 0;
}

static int
tree_step_running(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x,
    dp_wide *est)
{
	return tree_abreast(m, &col, rng, t, x, est, 1);
}

static void
tree_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_top *k = dp_top(m);

	if (k->count != NULL)
		k->count->ops->law.at(k->count, out, t, l);
	else
		dp_normtree_law(k->tree, NULL, out, t, l);
}

static void
tree_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_top *k = dp_top(m);

	if (k->count != NULL)
		dp_mech_error(k->count, T, e);
	else
		dp_normtree_error(k->tree, NULL, 0, T, e);
}

static bool
tree_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column_running *c = col;

	(void)t;
	return c->state >= 0 && c->noise < FAR && c->noise > -FAR &&
	    dp_normtree_late_valid(dp_top(m)->last, c->wait);
}

static bool
tree_unfit(const struct dp_mech_rule *rule, char *text, size_t size)
{
	const bool known = rule->horizon != 0;

	snprintf(text, size, "has no known threshold: epsilon an event must be some 1/%d or "
	    "more%s, delta 1e-18 a step (-w 1 has one, -T 4096 too)", known ? 9 : 6,
	    known ? "" : " (with -T 1/9)");
	return true;
}

/* Each tree, and the thresholds of its steps. */
static int
tree_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_top *k = dp_top(m);
	const struct dp_top_plan *p = &k->plan;
	struct dp_certificate_pass pass[DP_TOP_PHASES] = { { m->horizon, (uint64_t)p->tau } };
	struct dp_normtree *tree = k->tree;
	unsigned segment, i = 0, n;
	uint64_t begin = 0;
	int e = 0;

	if (tree != NULL)
		return (e = dp_normtree_certify(tree, b)) != 0 || tree->exact ? e :
		    dp_certificate_passes(b, p->most, p->each, pass, 1);
	for (segment = 0; i < p->phases && e == 0; segment++) {
		if ((tree = dp_normtree_count_tree(k->count, segment, &begin)) == NULL)
			return DP_ENOMEM;
		for (n = 0; i < p->phases && p->phase[i].end - begin <= (uint64_t)1 << tree->h; i++)
			pass[n++] = (struct dp_certificate_pass){ p->phase[i].end - begin,
			    (uint64_t)p->phase[i].tau };
		e = dp_normtree_certify(tree, b);
		if (e == 0 && !tree->exact)
			e = dp_certificate_passes(b, p->most, p->each, pass, n);
	}
	return e;
}

const struct dp_mech_ops dp_gated_tree_ops = {
	.name = "gated-normtree", .traits = DP_TRAIT_ENDLESS,
	.say.source = "a norm tree for each name, from its first event on; named once over a "
	    "threshold",
	.tasks = DP_TASK_OWN, .statistic = &dp_top_running,
	.create = tree_create_running, .names.late = tree_late, .step = tree_step_running,
	.many.abreast = tree_abreast, .law.at = tree_law, .error = tree_error, .valid = tree_valid,
	.say.unfit = tree_unfit, .say.note = dp_top_note, .drawn.certify = tree_certify,
	.destroy = dp_top_destroy
};

/* Counts of the last W steps of names that nobody declared (top.h, WINDOW). */

#define RARE	1e-9		/* of f: what is left out of its sum, by W steps */
#define LEAST	2e-12		/* times W: what passage.c does not tell from less */

struct column_window {
	int64_t declared;
	int64_t last;			/* the last step with an event; 0: none */
	int64_t sum;			/* of what the ring holds */
	int64_t y[];			/* W: a ring of steps; then int32_t's, the tree's */
};

static uint64_t
steps_of(const struct dp_top *k)
{
	return (uint64_t)1 << k->tree->h;
}

static int32_t *
wait_of(const struct dp_top *k, void *col)
{
	return (void *)(((struct column_window *)col)->y + k->W);
}

/* Of step i + 1; words of a forged column may wrap. */
static void
put(const struct dp_top *k, struct column_window *c, uint64_t i, int64_t y)
{
	int64_t *at = c->y + i % k->W;

	c->sum = (int64_t)((uint64_t)c->sum + (uint64_t)y - (uint64_t)*at);
	*at = y;
}

static int
least_window(const struct dp_top *k, uint64_t W, double f, unsigned n, unsigned *x, double *tail)
{
	double *all = malloc(n * sizeof *all);
	int e = all == NULL ? DP_ENOMEM : dp_normtree_passage_windows(k->tree, W,
	    f * RARE / (double)W, n, all);

	if (e == 0) {
		for (*x = 1; *x <= n && !(all[*x - 1] <= f); ++*x)
			;
		*tail = *x <= n ? all[*x - 1] : 1;
	}
	free(all);
	return e;
}

static double
work_of_window(const struct dp_top *k)
{
	const double reach = fmax(k->tree->A, 16 + DP_TOP_DEEP * sqrt(dp_normtree_variance(k->tree,
	    &k->window, 0, k->W)));

	return (double)steps_of(k) * reach * reach * reach;
}

/* A row of trees, and its threshold. */
static int
plant_window(struct dp_top *k, const struct dp_mech_rule *rule, double *f)
{
	struct dp_normtree_shape shape = { 0 };
	int e;

	dp_normtree_stream(&shape, &k->window, 0, dp_privacy_rate(&rule->privacy));
	if ((e = dp_normtree_create(&k->tree, &shape, &rule->privacy)) != 0)
		return e;
	k->tree->row = true;
	if (rule->privacy.exact)
		return 0;
	*f = dp_top_allowed(k, rule);
	if (k->tree->fine > 0 || k->tree->unit != 1 || *f < LEAST * (double)k->W)
		return DP_ERANGE;
	if (dp_top_replays(rule))
		return 0;
	if (work_of_window(k) > 4 * DP_TOP_LONG)
		return DP_ERANGE;
	if (rule->privacy.dry)
		return 0;
	return dp_top_find(k, least_window, k->W, sqrt(dp_normtree_variance(k->tree, &k->window, 0,
	    k->W)), *f);
}

static int
window_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_top *k;
	double f = 0;
	int e;

	if (rule->task.windows != 1 || rule->task.w[0] < 2)
		return DP_EINVAL;
	if ((e = dp_top_begin(out, &k, ops, rule, 0)) != 0)
		return e;
	k->W = rule->task.w[0];
	k->window = (struct dp_task){ .what = DP_TASK_WINDOW, .windows = 1, .w = { k->W } };
	dp_numbers_same(rule->privacy.numbers, "window", k->W);
	if ((e = plant_window(k, rule, &f)) != 0)
		return e;
	dp_top_keep(k, rule, f);
	k->m.column = sizeof(struct column_window) + (k->W + (k->tree->h + 1) / 2) *
	    sizeof(int64_t);
	k->m.drawn.distribution = DP_NORMTREE_NOISE;
	return 0;
}

/* Sum over earlier steps in the first windows that have step i + 1. */
static int
window_late(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t i, bool declared)
{
	const struct dp_top *k = dp_top(m);
	const uint64_t L = steps_of(k), from = i + 1 > k->W ? i + 1 - k->W : 0;
	struct column_window *c = col;
	int32_t *const wait[] = { wait_of(k, col) };
	int64_t w;
	uint64_t j;
	int e = 0;

	c->declared = declared;
	if (from % L != 0)
		e = dp_normtree_late(k->tree, wait[0], rng, from % L, &w);
	for (j = from; j < i && e == 0; j++)
		if ((e = dp_normtree_late_steps(k->tree, wait, rng, j % L, 1, &w)) == 0)
			put(k, c, j, w);
	return e;
}

static int
abreast(const struct dp_mech *m, void *const *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est, unsigned n)
{
	const struct dp_top *k = dp_top(m);
	int32_t *wait[DP_FILL] = { NULL };
	int64_t w[DP_FILL];
	struct column_window *c;
	unsigned i;
	bool had;
	int e;

	for (i = 0; i < n; i++)
		wait[i] = wait_of(k, col[i]);
	if ((e = dp_normtree_late_steps(k->tree, wait, rng, (t - 1) % steps_of(k), n, w)) != 0)
		return e;
	for (i = 0; i < n; i++) {
		c = col[i];
		c->last = x[i] != 0 ? (int64_t)t : c->last;
		put(k, c, t - 1, x[i] + w[i]);
		had = c->last != 0 && t - (uint64_t)c->last < k->W;
		est[i] = c->declared || (had && c->sum >= k->plan.tau) ? c->sum : DP_NONE;
	}
	return 0;
}

static int
window_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	return abreast(m, &col, rng, t, x, est, 1);
}

/* Noise of steps that windows from step t + 1 on have is of trees that no window shown has. */
static bool
gone(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct dp_top *k = dp_top(m);
	const struct column_window *c = col;
	const uint64_t from = t + 1 > k->W ? t + 1 - k->W : 0, L = steps_of(k);

	return (uint64_t)c->last + k->W - 1 <= from - from % L;
}

static void
law_window(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	dp_normtree_law(dp_top(m)->tree, &dp_top(m)->window, out, t, l);
}

static uint64_t
cycle(const struct dp_mech *m, unsigned out, uint64_t *from)
{
	(void)out;
	*from = dp_top(m)->W;
	return steps_of(dp_top(m));
}

static void
window_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_normtree_error(dp_top(m)->tree, &dp_top(m)->window, 0, T, e);
}

static bool
window_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column_window *c = col;
	const int32_t *wait = (const void *)(c->y + dp_top(m)->W);

	return (c->declared | 1) == 1 && c->last >= 0 && (uint64_t)c->last <= t &&
	    dp_normtree_late_valid(dp_top(m)->tree, wait);
}

static bool
window_unfit(const struct dp_mech_rule *rule, char *text, size_t size)
{
	(void)rule;
	snprintf(text, size, "has no known threshold: epsilon an event must be larger, or the "
	    "window of fewer steps, such as wider buckets");
	return true;
}

static int
window_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_top *k = dp_top(m);
	const int e = dp_normtree_certify(k->tree, b);

	return e != 0 || k->tree->exact ? e : dp_certificate_window(b, k->plan.most,
	    k->plan.each, k->W, (uint64_t)k->plan.tau);
}

const struct dp_mech_ops dp_gated_window_ops = {
	.name = "gated-window",
	.say.source = "windows over a row of norm trees for each name; named over a threshold",
	.traits = DP_TRAIT_ENDLESS,
	.tasks = DP_TASK_OWN, .statistic = &dp_top_window,
	.create = window_create, .names.late = window_late, .step = window_step, .many.abreast =
	    abreast,
	.names.gone = gone, .law.at = law_window, .law.cycle = cycle, .error = window_error,
	    .valid = window_valid,
	.say.unfit = window_unfit, .say.note = dp_top_note, .drawn.certify = window_certify,
	.destroy = dp_top_destroy
};
