/* top_each.c - counts of a step of names that nobody declared (top.h, EACH STEP). */
#include <math.h>

#include "mech/certificate.h"
#include "top_own.h"

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
