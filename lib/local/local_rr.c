/*
 * local_rr.c - randomised response: the symbol itself, or another one (Warner 1965; Kairouz,
 * Bonawitz, Ramage 2016).
 *
 * Heads, P = e^epsilon / (e^epsilon + K - 1): the symbol.  Tails: one of the other K - 1, all
 * equally likely, each with Q = 1 / (e^epsilon + K - 1).  So P(y | v) is P or Q, P/Q = e^epsilon.
 * An answer supports itself: p = P, q = Q.
 */
#include <math.h>
#include <stdio.h>

#include "local.h"

static int
create(struct dp_mech **m, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct dp_local *l;
	int e;

	if ((e = dp_local_new(&l, rule, ops, sizeof(uint64_t))) != 0 ||
	    (e = dp_local_coin(l, rule, dp_q_make(1, 1), dp_q_make(l->K - 1, 1))) != 0)
		return e;
	l->others = l->K - 1;
	/* P = 1 / (1 + (K-1) e^-epsilon), P - Q = P (1 - e^-epsilon) */
	dp_local_set(l, l->coin.heads, l->coin.tails, l->coin.tails / ((double)l->K - 1),
	    l->coin.heads * -expm1(-l->coin.x));
	*m = &l->m;
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, const int64_t *x,
    dp_wide *est)
{
	const struct dp_local *l = dp_local_of(m);
	uint64_t v, other;
	bool keep;
	int e;

	(void)col;
	(void)t;
	if ((e = dp_local_symbol(l, rng, *x, &v)) != 0 ||
	    (e = dp_coin_toss(&l->coin, rng, &keep)) != 0 ||
	    (e = dp_fair(rng, l->K - 1, &other)) != 0)
		return e;
	other += other >= v;
	*est = (dp_wide)(keep ? v : other);
	return 0;
}

static void
describe(const struct dp_mech *m, char *text, size_t size)
{
	const struct dp_local *l = dp_local_of(m);

	snprintf(text, size, "the line's symbol with probability %.6g, each of the others with "
	    "%.6g", l->p, l->q);
}

static const struct dp_answers answers = { .describe = describe };

const struct dp_mech_ops dp_rr_ops = {
	.name = "rr",
	.say.noise = "randomised response",
	.say.source = "randomised response: the symbol, or another (Warner 1965)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN, .tasks = DP_TASK_OWN,
	.statistic = &dp_local_statistic,
	.create = create, .step = step, .law.at = dp_local_law, .error = dp_local_error,
	.drawn.certify = dp_local_certify,
	.answers = &answers
};
