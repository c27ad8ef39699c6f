/* SPDX-License-Identifier: ISC */
/*
 * baseline.c - the exact count, and the three naive counters (Dwork, Roth 2014, section 12.3).
 *
 *   identity  the count itself: for epsilon = inf only
 *   response  each bit is flipped with probability p = 1/(1+e^epsilon), the sum R is debiased:
 *             (R - tp)/(1-2p)
 *   input     R += x + DLap(l1/epsilon); private under continual intrusion
 *   output    exact count + fresh DLap(T l1/epsilon): one event moves T outputs
 *
 * input is the single "node" of one item: share 1.  output's T releases each get share 1/T.
 */
#include <math.h>

#include "mech.h"

extern const struct dp_mech_ops dp_output_ops, dp_response_ops, dp_identity_ops;

struct baseline {
	struct dp_mech m;
	struct dp_noise noise;
	double p;			/* response: chance of a flip */
	double gap;			/* 1 - 2p */
};

struct sum {
	dp_wide n;
};

static int
baseline_create(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
{
	const bool each = ops == &dp_output_ops;
	struct baseline *b;
	int e;

	if ((each && rule->horizon == 0) || (ops == &dp_identity_ops && !rule->privacy.exact))
		return DP_EINVAL;
	b = dp_mech_alloc(ops, sizeof *b, rule->horizon, sizeof(struct sum));
	if (b == NULL)
		return DP_ENOMEM;
	*out = &b->m;
	if ((e = dp_privacy_laplace(&b->noise, &rule->privacy,
	    dp_q_make(1, each ? rule->horizon : 1))) != 0)
		return e;
	if (b->noise.kind != DP_NOISE_NONE) {
		/* P(z > 0) = q/(1+q) = 1/(1+e^(1/scale)) */
		b->p = 1 / (1 + exp(1 / dp_q_double(b->noise.param)));
		b->gap = tanh(0.5 / dp_q_double(b->noise.param));	/* 1 - 2p would cancel */
		if (ops == &dp_response_ops) {	/* what debiases */
			b->p = dp_numbers_real(rule->privacy.numbers, "flip", b->p, 0, 0.5);
			b->gap = dp_numbers_real(rule->privacy.numbers, "gap", b->gap, 0x1p-64, 1);
		}
	}
	b->m.drawn.noise = &b->noise;
	b->m.drawn.numbers = each ? "every estimate" : "every step value";
	return 0;
}

static double
no_draw(const struct dp_mech *m)
{
	(void)m;
	return 0;
}

/* A flip is z > 0: not to flip is e^(1/scale) times as probable, as a move of one unit allows. */
static int
baseline_certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_certificate_laplace(b, m->drawn.noise, m->ops == &dp_output_ops ? m->horizon : 1);
}

/* open.anew() of memory that is noise already: any number of looks at it, told or not, cost 0. */
static int
looked(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	(void)m;
	(void)col;
	(void)rng;
	return 0;
}

/* input */

static int
input_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct baseline *b = (const void *)m;
	struct sum *s = col;
	int64_t z;
	int e;

	(void)t;
	if ((e = dp_draw(&b->noise, rng, &z)) != 0)
		return e;
	*est = s->n += (dp_wide)*x + z;
	return 0;
}

static void
input_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)out;
	dp_law_add(l, &((const struct baseline *)(const void *)m)->noise, 1, (double)t);
}

static void
input_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	e->max = dp_mech_variance(m, T);
	e->worst = T;
	e->mean = dp_mech_variance(m, 1) * ((double)T + 1) / 2;
}

const struct dp_mech_ops dp_input_ops = {
	.name = "input",
	.say.source = "noise on every step value (Dwork, Roth 2014, 12.3)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_RISING | DP_TRAIT_ADDS,
	.create = baseline_create, .step = input_step, .open.anew = looked, .law.at = input_law,
	.error = input_error, .drawn.certify = baseline_certify
};

/* output */

static int
output_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct baseline *b = (const void *)m;
	struct sum *s = col;
	int64_t z;
	int e;

	(void)t;
	if ((e = dp_draw(&b->noise, rng, &z)) != 0)
		return e;
	s->n += *x;
	*est = s->n + z;
	return 0;
}

static void
output_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)out;
	(void)t;
	dp_law_add(l, &((const struct baseline *)(const void *)m)->noise, 1, 1);
}

const struct dp_mech_ops dp_output_ops = {
	.name = "output",
	.say.source = "fresh noise on every estimate (Dwork, Roth 2014, 12.3)",
	.tasks = DP_TASK_COUNT,
	.create = baseline_create, .step = output_step, .law.at = output_law,
	.error = dp_mech_error_constant, .drawn.certify = baseline_certify
};

/* response */

static int
response_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct baseline *b = (const void *)m;
	struct sum *s = col;
	int64_t z;
	int e;

	if ((e = dp_draw(&b->noise, rng, &z)) != 0)
		return e;
	s->n += (*x != 0) ^ (z > 0);	/* Bernoulli(p), exactly */
	/* R is private already: the debiasing may use doubles */
	*est = b->noise.kind == DP_NOISE_NONE ? s->n :
	    (dp_wide)llrint(((double)s->n - (double)t * b->p) / b->gap);
	return 0;
}

static void
response_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct baseline *b = (const void *)m;

	(void)out;
	if (b->noise.kind == DP_NOISE_NONE)
		return;
	l->bits = (double)t;
	l->gap = b->gap;
}

const struct dp_mech_ops dp_response_ops = {
	.name = "response",
	.say.noise = "randomised response",
	.say.source = "randomised response on every bit (Warner 1965; Dwork, Roth 2014, 12.3)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_BITS,
	.create = baseline_create, .step = response_step, .open.anew = looked,
	.law.at = response_law,
	.error = input_error, .drawn.certify = baseline_certify
};

/* identity */

static int
identity_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	struct sum *s = col;

	(void)m;
	(void)rng;
	(void)t;
	*est = s->n += *x;
	return 0;
}

static void
sum_add(const struct dp_mech *m, void *col, size_t place, int64_t x)
{
	(void)m;
	(void)place;
	((struct sum *)col)->n += x;
}

const struct dp_mech_ops dp_identity_ops = {
	.name = "identity",
	.say.source = "the exact answer, for epsilon = inf only",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN | DP_TRAIT_ADDS,
	.create = baseline_create, .step = identity_step,
	.open = { .add = sum_add, .anew = looked }, .law.at = input_law,
	.error = input_error, .drawn.number = no_draw
};
