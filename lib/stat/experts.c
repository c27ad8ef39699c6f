/* SPDX-License-Identifier: ISC */
/*
 * experts.c - follow the perturbed leader on private counters (Dwork, Naor, Pitassi, Rothblum
 * 2010, section 6; Kalai, Vempala 2005).
 *
 * Every expert has a counter of its costs, one that counters of single streams have elsewhere in
 * this room.  The choice of round t + 1, before its costs are read, is the least i with the
 * smallest y_i - G_i: y_i is the counter's estimate after t lines, G_i >= 0 geometric with scale
 * s = 1/rate, drawn afresh in every round: an exponential variable, rounded down to the grid.
 *
 * Private: the counters.  One protected unit moves the vector of all costs by at most l1 in L1
 * (l2squared: account/neighbour.h), and each counter's noise is for that: as keys of a histogram,
 * whose
 * columns are counters too (account/privacy.h).  All else is computed from the y_i and from what is
 * drawn
 * without a look at the data.  A column here keeps the last y_i, which are among the outputs that
 * a pan-private counter's intruder sees anyway.
 *
 * Regret (internal.h): the law of the noise must be the same in every round.  So each counter takes
 * one step with the value 0 before the first round; the pan-private ones have then the same law at
 * every step; kary has as many draws in an estimate as the step has digits, and gets what is
 * missing to the most of them afresh in every round; blt's noise grows.  Others, as good as they
 * count, have a noise that rises and falls with the step's number.
 *
 * Draws: the counters' starts, 1 .. n, then every step's, 1 .. n.  An answer: for each expert what
 * is missing, then its G.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "experts.h"
#include "internal.h"

static double dp_regret_first(const struct dp_regret *, double s, double *c);

#define DRAWS	64		/* at a time */

const struct dp_statistic dp_experts_statistic = {
	.name = "experts",
	.sentence = "the expert to follow in each round, before its costs are read: the one of "
	    "least cost so far, perturbed",
	.measure = DP_MEASURE_REGRET
};

struct experts {
	struct dp_mech m;		/* its part: the counters */
	double most;			/* draws in an estimate; 0: none are to be added */
	size_t reserve;			/* draws of an expert */
	struct dp_noise perturb;
	struct dp_regret regret;
};

static const struct experts *
experts(const struct dp_mech *m)
{
	return (const void *)m;
}

/*
 * A column is the counters' last estimates, the sums of the first 1, 2, .. draws of each reserve,
 * and the counters' columns.
 */
static dp_wide *
reserve(const struct experts *k, void *col, size_t i)
{
	return (dp_wide *)col + k->m.inputs + i * k->reserve;
}

/* Draws in the estimate of a counter with noise of one kind. */
static double
draws_in(const struct experts *k, uint64_t t)
{
	struct dp_law law;

	dp_mech_law(k->m.part->inner, 0, t, &law);
	return law.terms == 0 ? 0 : law.term[0].n;
}

/* The laws of the noise, in the bound's numbers. */
static void
measure(struct experts *k, uint64_t T)
{
	struct dp_regret *r = &k->regret;
	struct dp_error e;
	struct dp_law law;
	double sum = 0;
	uint64_t t, n;

	dp_mech_error(k->m.part->inner, T, &e);
	if (!r->grows) {
		dp_mech_law(k->m.part->inner, 0, e.worst, &law);
		dp_regret_noise(r, &law);
		k->most = law.terms == 0 ? 0 : law.term[0].n;
		/* no step has fewer than the first */
		k->reserve = k->most > 0 ? (size_t)(k->most - draws_in(k, 1)) : 0;
		return;
	}
	/* A falls as noise grows: that of the first step of eight times as many serves for all */
	for (t = 1; t <= T; t += n) {
		n = 7 * t < T - t + 1 ? 7 * t : T - t + 1;
		dp_mech_law(k->m.part->inner, 0, t, &law);
		dp_regret_noise(r, &law);
		sum += r->pull * (double)n;
	}
	dp_mech_law(k->m.part->inner, 0, T, &law);
	dp_regret_noise(r, &law);
	r->pull = sum / (double)T;
}

/* The perturbation: of the rate that was asked for, or of the one with the least bound. */
static int
perturb(struct experts *k, const struct dp_mech_rule *rule)
{
	const struct dp_experts *own = rule->task.own;
	struct dp_q s = own->scale;

	if (!own->given && !dp_numbers_replays(rule->privacy.numbers))
		s = dp_q_make(rule->privacy.exact ? 0 :
		    (uint64_t)fmin(dp_regret_best(&k->regret) * 64, 0x1p46), 64);
	if (dp_numbers_int(rule->privacy.numbers, "perturbed", s.num != 0, 0, 1) == 0) {
		dp_noise_none(&k->perturb);
		return dp_numbers_error(rule->privacy.numbers);
	}
	return dp_privacy_perturbation(&k->perturb, &rule->privacy, s);
}

static int
create_experts(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule,
    const struct dp_mech_ops *inner)
{
	struct dp_mech_rule one = *rule;
	struct experts *k;
	int e;

	if (((const struct dp_experts *)rule->task.own)->segments > 1)
		return DP_EINVAL;
	if ((k = dp_mech_alloc(ops, sizeof *k, rule->horizon, 0)) == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	one.inputs = 1;
	one.task = (struct dp_task){ .what = DP_TASK_COUNT };
	if ((e = dp_part_create(&k->m, inner, &one, rule->inputs, 1)) != 0)
		return e;
	k->regret = (struct dp_regret){ .n = (double)rule->inputs,
	    .T = (double)(rule->horizon != 0 ? rule->horizon : rule->report),
	    .range = (double)(rule->hi > 0 ? rule->hi : 0) - (double)(rule->lo < 0 ? rule->lo : 0),
	    .grows = (inner->traits & DP_TRAIT_DELTA) != 0 };
	measure(k, (uint64_t)k->regret.T);
	if ((e = perturb(k, rule)) != 0)
		return e;
	if (k->perturb.kind != DP_NOISE_NONE)
		k->m.drawn.noise = &k->perturb;
	k->m.drawn.numbers = "every choice, one-sided: scale 1/rate (it protects nothing)";
	k->m.inputs = rule->inputs;
	k->m.column = dp_part_place(k->m.part,
	    rule->inputs * (1 + k->reserve) * sizeof(dp_wide));
	return k->m.column == SIZE_MAX ? DP_ENOMEM : 0;
}

/* One step of every counter, its number t; x: NULL for zeros. */
static int
count(const struct experts *k, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x)
{
	const int64_t nothing = 0;
	dp_wide *y = col;
	size_t i;
	int e;

	for (i = 0; i < k->m.inputs; i++)
		if ((e = dp_part_step(k->m.part, col, i, rng, t, x != NULL ? &x[i] : &nothing,
		    &y[i])) != 0)
			return e;
	return 0;
}

static int
draw_reserve(const struct experts *k, dp_wide *sum, struct dp_rng *rng)
{
	dp_wide all = 0;
	int64_t z;
	size_t j;
	int e;

	for (j = 0; j < k->reserve; j++) {
		if ((e = dp_draw(k->m.part->inner->drawn.noise, rng, &z)) != 0)
			return e;
		sum[j] = all += z;
	}
	return 0;
}

static int
experts_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct experts *k = experts(m);
	size_t i;
	int e;

	for (i = 0; i < m->inputs; i++)
		if ((e = draw_reserve(k, reserve(k, col, i), rng)) != 0)
			return e;
	return count(k, col, rng, 1, NULL);
}

/* Steps of the counters after t lines: the last round is followed by none. */
static uint64_t
counted(const struct dp_mech *m, uint64_t t)
{
	return m->horizon != 0 && t == m->horizon ? t : t + 1;
}

static int
experts_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	(void)est;
	return counted(m, t) == t ? 0 : count(experts(m), col, rng, t + 1, x);
}

/*
 * A discrete Laplace variable folded at -1/2 is geometric: with q = e^(-1/s), P(z = g) +
 * P(z = -g-1) = (1-q)/(1+q) (q^g + q^(g+1)) = (1-q) q^g.
 */
static int64_t
folded(int64_t z)
{
	return z < 0 ? ~z : z;
}

static int
experts_answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct experts *k = experts(m);
	const size_t missing = k->reserve > 0 ? (size_t)(k->most - draws_in(k, t + 1)) : 0;
	const dp_wide *count = col;
	dp_wide y, least = 0;
	int64_t z[DRAWS];
	size_t i, j, n;
	int e;

	for (i = 0; i < m->inputs; i += n) {
		n = m->inputs - i < DRAWS ? m->inputs - i : DRAWS;
		if ((e = dp_noise_fill(&k->perturb, rng, z, n)) != 0)
			return e;
		for (j = 0; j < n; j++) {
			y = count[i + j] - folded(z[j]);
			if (missing > 0)
				y += reserve(k, col, i + j)[missing - 1];
			if (i + j == 0 || y < least) {
				least = y;
				*est = (dp_wide)(i + j);
			}
		}
	}
	return 0;
}

static bool
experts_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	return dp_part_valid(m->part, col, counted(m, t));
}

static void
experts_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct experts *k = experts(m);

	e->max = dp_regret_bound(&k->regret, k->perturb.kind == DP_NOISE_NONE ? 0 :
	    dp_q_double(k->perturb.param));
	e->mean = e->max / k->regret.T;
	e->worst = T;
}

static bool
experts_note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	const struct experts *k = experts(m);
	double c, a = dp_regret_first(&k->regret, k->perturb.kind == DP_NOISE_NONE ? 0 :
	    dp_q_double(k->perturb.param), &c);

	if (i > 0 || !isfinite(a))
		return false;
	snprintf(text, size, "where the best column costs L in all, the choices are expected to "
	    "cost %.4g L + %.6g at most (first order)", a, c * unit);
	return true;
}

static const char *
experts_refuses(const struct dp_task *task)
{
	return ((const struct dp_experts *)task->own)->segments > 1 ?
	    "takes no --segments (its counters count from the first line)" : NULL;
}

static double
draws_experts(const struct dp_mech *m)
{
	return m->drawn.noise != NULL ? (double)m->inputs : 0;
}

#define EXPERTS(inner_, name_, source_, traits_) \
	extern const struct dp_mech_ops dp_##inner_##_ops; \
	\
	static int \
	inner_##_create(struct dp_mech **m, const struct dp_mech_ops *ops, \
	    const struct dp_mech_rule *rule) \
	{ \
		return create_experts(m, ops, rule, &dp_##inner_##_ops); \
	} \
	\
	const struct dp_mech_ops dp_experts_##inner_##_ops = { \
		.name = name_, .say.source = source_, .traits = traits_, .tasks = DP_TASK_OWN, \
		.statistic = &dp_experts_statistic, .create = inner_##_create, .start = \
		    experts_start, \
		.step = experts_step, .answer = experts_answer, .valid = experts_valid, .error = \
		    experts_error, \
		.drawn.number = draws_experts, .say.note = experts_note, .say.refuses = \
		    experts_refuses, \
		.drawn.certify = dp_certificate_parts \
	};

EXPERTS(identity, "identity", "leader on exact sums, for epsilon = inf only",
    DP_TRAIT_ENDLESS | DP_TRAIT_EXACT)
EXPERTS(kary, "kary", "leader on k-ary counters, of one law in all rounds (this toolkit)", 0)
EXPERTS(pan_slots, "pan-slots", "leader on pan-private counters of balanced slots (this toolkit)",
    DP_TRAIT_PAN)
EXPERTS(pan, "pan", "leader on pan-private counters (Dwork et al. 2010, section 6)", DP_TRAIT_PAN)
EXPERTS(blt, "blt", "leader on counters with buffered linear Toeplitz noise (this toolkit)",
    DP_TRAIT_ENDLESS | DP_TRAIT_DELTA)

/* The bound on the expected regret, and its two numbers of a law (internal.h). */

#define POINTS	8192		/* of the lattice */
#define SCALES	34		/* e^-34: what an exponential tail still holds */
#define DEVIATIONS	8
#define LATTICE		1e-3	/* what a sum over it may miss, relative */

/* p, a law on the lattice, becomes that of its sum with a discrete Laplace variable. */
static void
add_laplace(double p[static POINTS], double q)
{
	double last = 0;
	int i;

	for (i = 0; i < POINTS; i++)		/* a geometric one */
		p[i] = last = (1 - q) * p[i] + q * last;
	for (last = 0, i = POINTS; i-- > 0; )	/* less another */
		p[i] = last = (1 - q) * p[i] + q * last;
}

/* The law on multiples of the step that is returned, 0 in the middle, each part by its variance. */
static double
lattice(const struct dp_law *l, double p[static POINTS])
{
	const struct dp_law_term *t;
	double v = dp_law_variance(l), gauss = 0, widest = 0, step, one, x;
	unsigned i, k;

	for (i = 0; i < l->terms; i++) {
		t = &l->term[i];
		one = t->coef * t->coef * dp_noise_variance(t->noise);
		if (t->noise->kind == DP_NOISE_GAUSS)
			gauss += t->n * one;
		else
			widest = fmax(widest, sqrt(one / 2));
	}
	step = fmax(gauss > 0 ? 0 : 1, 2 * (DEVIATIONS * sqrt(v) + SCALES * widest) / POINTS);
	for (i = 0; i < POINTS; i++) {
		x = ((double)i - POINTS / 2) * step;
		p[i] = gauss > 0 ? step / sqrt(2 * M_PI * gauss) * exp(-x * x / (2 * gauss)) :
		    i == POINTS / 2;
	}
	for (i = 0; i < l->terms; i++) {
		t = &l->term[i];
		if (t->noise->kind == DP_NOISE_GAUSS)
			continue;
		/* variance 1/(cosh(1/b) - 1), and q = exp(-1/b) */
		one = t->coef * t->coef * dp_noise_variance(t->noise) / (step * step);
		for (k = 0; k < (unsigned)t->n; k++)
			add_laplace(p, exp(-acosh(1 + 1 / one)));
	}
	return step;
}

/* 1 / (1 - 1/2b); a law without discrete Laplace noise is a normal one. */
static double
correction(const struct dp_law *l)
{
	const struct dp_noise *z = l->term[0].noise;
	double b = dp_q_double(z->param);

	if (z->kind == DP_NOISE_GAUSS)
		return 1;
	return b > 0.5 ? 1 / (1 - 0.5 / b) : INFINITY;
}

void
dp_regret_noise(struct dp_regret *r, const struct dp_law *l)
{
	double p[POINTS], step, above = 0, up = 1, below, weight, middle;
	int i;

	r->pull = INFINITY;
	r->spread = r->laplace = 0;
	if (l->terms == 0)
		return;
	r->pull = 0;
	step = lattice(l, p);
	/* from the top: `up` is the chance that none of n is above point i */
	for (i = POINTS - 1; i > 0 && up > 0; i--, up = below) {
		above += p[i];
		below = exp(r->n * log1p(-fmin(above, 1)));
		weight = up - below;
		middle = (double)i - POINTS / 2;
		r->spread += weight * middle * step;
		if (p[i] > 0)
			r->pull += weight * (p[i - 1] / p[i] - 1) / step;
	}
	for (i = 0; i < (int)l->terms; i++)
		if (l->term[i].noise->kind == DP_NOISE_LAPLACE && l->term[i].n >= 1)
			r->laplace = fmax(r->laplace, fabs(l->term[i].coef) *
			    dp_q_double(l->term[i].noise->param));
	r->pull *= (1 + LATTICE) * correction(l);
	r->spread *= 1 + LATTICE;
}

static double
harmonic(double n)
{
	double h = 0;

	for (; n >= 1; n--)
		h += 1 / n;
	return h;
}

/* Cost of a round beyond the growth of the potential. */
static double
round_cost(const struct dp_regret *r, double pull)
{
	const double w = r->range * (r->range + (r->grows ? 5 : 1)) / 2;

	return fmin(r->range, w / 2 * pull);
}

double
dp_regret_bound(const struct dp_regret *r, double s)
{
	if (r->n == 1)
		return 0;
	if (!(s > 0))
		return r->T * round_cost(r, r->pull) + r->spread;
	return r->T * round_cost(r, fmin(r->pull, expm1(1 / s))) + r->spread +
	    s * harmonic(r->n) - 1 / expm1(1 / s);
}

/* First order: the cost is at most a L + *c; returns a, INFINITY where nothing is known. */
static double
dp_regret_first(const struct dp_regret *r, double s, double *c)
{
	const double b = fmax(s, r->laplace);

	*c = 0;
	if (r->grows || !(b > 0) || r->n == 1)
		return INFINITY;
	*c = r->spread + (s > 0 ? s * harmonic(r->n) - 1 / expm1(1 / s) : 0);
	*c *= r->range * expm1(1 / b) / -expm1(-r->range / b);
	return r->range * expm1(1 / b) / -expm1(-r->range / b);
}

/*
 * Without A and U the bound is convex in s, nearly c/s + (H_n - 1) s with c = T w/2; with them it
 * has no other minimum but at s = 0.
 */
double
dp_regret_best(const struct dp_regret *r)
{
	const double c = r->T * r->range * (r->range + (r->grows ? 5 : 1)) / 4;
	double s;

	if (r->n == 1)
		return 0;
	s = sqrt(c / (harmonic(r->n) - 1));
	return dp_regret_bound(r, s) < dp_regret_bound(r, 0) ? s : 0;
}
