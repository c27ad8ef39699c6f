/* top_gauss.c - counts so far of names, with Gaussian noise (top.h, GAUSSIAN). */
#include <math.h>
#include <stdio.h>

#include "mech/certificate.h"
#include "mech/part.h"
#include "top_own.h"

extern const struct dp_mech_ops dp_blt_norm_ops;

#define ROUNDED	1e-9		/* by which doubles may differ elsewhere */
#define LONGEST	4096u		/* steps: a column draws all that were before it began */
#define WIDER	(1 + 1e-6)	/* variances, for what doubles may be off */

#define DECLARED	1
#define NAMED		2

struct column {
	int64_t state;
	int64_t none;		/* 0; then the noise's column, with the events so far */
};

static const struct dp_mech *
noise_of(const struct dp_mech *m)
{
	return m->part[0].inner;
}

/*
 * Error of rounding, grid units: of the estimate 1/2; of w 2^-64 a step (norm.h); and of the noise,
 * as follows. w = C^-1 (z - rho), rho_t = r_t - R_t, |rho_t| <= 1/2 + nu (blt.h), nu below a half,
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
 * With normal draws and no rounding N_t is normal, of the variance of norm.h.  sigma >= 2^26 and T
 * <= 2^12 (blt.h, LONGEST), so the factor is below 1 + 2^-44, which WIDER has; the sampler is 2^-98
 * a draw off at most (noise.h).
 */
static double
reached(const double *variance, uint64_t T, double x)
{
	double sum = 0;
	uint64_t t;

	for (t = 0; t < T; t++)
		sum += 0.5 * erfc(x / sqrt(2 * variance[t] * WIDER)) * WIDER;
	return sum + (double)T * (double)T * 0x1p-96;
}

/* At least what is spent of delta: K times the largest F(c) / c, which is at an end (top.h). */
static double
spent(const struct dp_top *k, const double *variance, uint64_t T, uint64_t linf, int64_t tau)
{
	const double off = slack(noise_of(&k->m), T), K = (double)k->plan.most;
	const uint64_t C = linf < k->plan.most ? linf : k->plan.most;
	const double one = reached(variance, T, (double)(tau - 1) - off);
	const double all = reached(variance, T, (double)(tau - (int64_t)C) - off);

	return K * fmax(one, all / (double)C) * DP_TOP_ROUNDED;
}

/* The least tau that spends no more than that, by bisection. */
static int
find(struct dp_top *k, uint64_t T, uint64_t linf, double most)
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
		if (spent(k, variance, T, linf, tau) <= most)
			hi = tau;
		else
			lo = tau;
	}
	k->plan.tau = hi;
	k->plan.delta = spent(k, variance, T, linf, hi);
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
	return k->plan.delta = spent(k, variance, T, linf, k->plan.tau);
}

/* The noise has half of delta. */
static int
make_noise(struct dp_top *k, const struct dp_mech_rule *rule)
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
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_top *k;
	double delta;
	int e;

	if (rule->privacy.exact || rule->horizon == 0 || rule->horizon > LONGEST)
		return DP_EINVAL;
	if ((e = dp_top_begin(out, &k, ops, rule, 0)) != 0)
		return e;
	if ((e = make_noise(k, rule)) != 0)
		return e;
	delta = dp_q_double(rule->privacy.delta) / 2;
	if (!dp_top_replays(rule) && (e = find(k, rule->horizon, rule->privacy.linf, delta)) != 0)
		return e;
	dp_top_keep(k, rule, 0);
	/* of all events of a unit */
	if (!(spend(k, rule->horizon, rule->privacy.linf) <= delta * (1 + ROUNDED))) {
		dp_numbers_refuse(rule->privacy.numbers);
		return DP_EINVAL;
	}
	k->m.column = dp_part_place(&k->m.part[0], sizeof(struct column));
	return 0;
}

/* All steps before are drawn, so it is the noise of a column that began at step 1. */
static int
late(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t i, bool declared)
{
	static const int64_t nothing = 0;
	struct column *c = col;
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
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	struct column *c = col;
	int e;

	if ((e = dp_part_step(m->part, col, 0, rng, t, x, est)) != 0)
		return e;
	c->state |= *est >= dp_top(m)->plan.tau ? NAMED : 0;
	*est = (c->state & NAMED) != 0 ? *est : DP_NONE;
	return 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	noise_of(m)->ops->law.at(noise_of(m), out, t, l);
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	dp_mech_error(noise_of(m), T, e);
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;

	return c->state >= 0 && c->state <= (DECLARED | NAMED) && c->none == 0 &&
	    dp_part_valid(m->part, col, t);
}

static bool
note(const struct dp_mech *m, unsigned i, double unit, char *text, size_t size)
{
	if (i == 1)
		snprintf(text, size, "half of delta is for the noise, which is Gaussian");
	return i == 1 || dp_top_note(m, i, unit, text, size);
}

/* The threshold of its part's noise. */
static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct dp_top_plan *p = &dp_top(m)->plan;

	return dp_certificate_rise(b, p->most, p->each, (uint64_t)p->tau);
}

const struct dp_mech_ops dp_gated_blt_ops = {
	.name = "gated-blt",
	.say.source = "buffered linear Toeplitz noise for each name; named once over a threshold",
	.traits = DP_TRAIT_DELTA,
	.tasks = DP_TASK_OWN, .statistic = &dp_top_running,
	.create = create, .names.late = late, .step = step, .law.at = law, .error = error,
	.valid = valid, .say.note = note, .drawn.certify = certify, .destroy = dp_top_destroy
};
