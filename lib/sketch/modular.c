/*
 * modular.c - how many identifiers of a declared universe came so often, but for multiples of K: a
 * number modulo K each.
 *
 * A cell holds c + a mod K, a the net count, and c is drawn once: 0 with E times the probability of
 * each other number, E = e^eps1.  With q = 1/(K - 1 + E), a cell is R with probability E q where a
 * is R mod K, and else with q, exactly; so of N such identifiers, Y cells of m at R and z, DLap of
 * scale 1/eps2,
 *
 *	N^ = (Y + z - m q)/gap,  gap = (E - 1) q
 *	Var N^ = (N E q (1 - E q) + (m - N) q (1 - q) + Var z)/gap^2
 *
 * is unbiased, and its error grows as K does: some K sqrt(m q)/(E - 1).
 *
 * Privacy: PAN-PRIVACY in cells.h on a circle of K places, any two of which have odds of E at the
 * most, g being 1 at R and 0 elsewhere, so R = 1 there.
 *
 * Dwork, Naor, Pitassi, Rothblum, Yekhanin 2010, modular incidence.  One answer is well; as every
 * line of an identifier may change it, answer after answer with a loss that does not add up has an
 * error of the order of m (Dwork, Naor, Pitassi, Rothblum 2010, Theorem 5.3).
 */
#include <math.h>
#include <stdio.h>

#include <sodium.h>

#include "noise/coin.h"
#include "sketch.h"

#define PLACES_MAX	((uint64_t)1 << 28)

struct modular {
	struct dp_memory mem;
	struct dp_coin zero;		/* heads: c = 0 */
	double q, gap;
};

static uint64_t
places(const struct dp_sketch *s)
{
	return (s->universe + 3) / 4 * 4;	/* of a column of whole words */
}

/* The larger variance of a cell. */
static double
widest(double q, double E)
{
	return fmax(E * q * (1 - E * q), q * (1 - q));
}

static double
variance(const void *arg, double eps1, double noise)
{
	const struct modular *k = arg;
	const double E = exp(eps1), q = 1 / (expm1(eps1) + (double)k->mem.s.modulo);
	const double gap = expm1(eps1) * q;

	return ((double)k->mem.s.universe * widest(q, E) + noise) / (gap * gap);
}

static int
budget(struct modular *k, const struct dp_mech_rule *rule)
{
	struct dp_q state, output;
	int e;

	if ((e = dp_sketch_shares(&state, &output, rule, 1, variance, k)) != 0 ||
	    (e = dp_privacy_coin(&k->zero, &rule->privacy, state,
	    dp_q_make(k->mem.s.modulo - 1, 1))) != 0)
		return e;
	return dp_privacy_laplace(&k->mem.output, &rule->privacy, output);
}

static int
count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct modular *k = (const void *)m;
	const uint16_t *cell = col;
	uint64_t y = 0, i;
	int64_t z;
	int e;

	(void)t;
	if ((e = dp_draw(&k->mem.output, rng, &z)) != 0)
		return e;
	for (i = 0; i < k->mem.s.universe; i++)
		y += cell[i] == k->mem.s.tau;
	/* y + z is private: from here on doubles do no harm */
	*est = dp_sketch_round(((double)((int64_t)y + z) - (double)k->mem.s.universe * k->q) /
	    k->gap);
	return 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct modular *k;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX || s->modulo < 2 ||
	    s->modulo > DP_SKETCH_MODULO || s->tau >= s->modulo)
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule, places(s) * sizeof(uint16_t));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->mem.m;
	k->mem.count = count;
	k->mem.coin = &k->zero;
	k->mem.odds = s->modulo - 1;
	k->mem.range = 1;
	k->mem.answers = dp_sketch_outputs(rule);
	if ((e = budget(k, rule)) != 0)
		return e;
	k->q = dp_numbers_real(rule->privacy.numbers, "flip",
	    k->zero.tails / (double)(s->modulo - 1), 0, 1);
	k->gap = dp_numbers_real(rule->privacy.numbers, "gap", dp_memory_exact(&k->mem) ? 1 :
	    expm1(k->zero.x) / (expm1(k->zero.x) + (double)s->modulo), 0x1p-64, 1);
	k->mem.m.drawn.unit = 1 / k->gap;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	dp_numbers_same(rule->privacy.numbers, "modulo", s->modulo);
	dp_numbers_same(rule->privacy.numbers, "tau", s->tau);
	return 0;
}

static const char *
refuses(const struct dp_task *k)
{
	return ((const struct dp_sketch *)k->own)->modulo == 0 ?
	    "counts modulo a number (--tau=R%K)" : NULL;
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct modular *k = (const void *)m;
	uint16_t *cell = col;
	uint64_t i, c;
	bool heads;
	int e = 0;

	if (dp_memory_exact(&k->mem))
		return 0;
	for (i = 0; i < k->mem.s.universe && e == 0; i++) {
		if ((e = dp_coin_toss(&k->zero, rng, &heads)) == 0)
			e = dp_fair(rng, k->mem.s.modulo - 1, &c);
		if (e == 0)
			cell[i] = heads ? 0 : (uint16_t)(c + 1);
	}
	dp_rng_wipe(rng);
	sodium_memzero(&c, sizeof c);
	return e;
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct dp_sketch *s = &((const struct dp_memory *)(const void *)m)->s;
	uint16_t *cell = (uint16_t *)col + id->word[0];

	(void)rng;
	if (id->word[0] < s->universe)
		*cell = (uint16_t)((*cell + (id->sign < 0 ? s->modulo - 1 : 1)) % s->modulo);
	return 0;
}

/* For the number that makes it widest. */
static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct modular *k = (const void *)m;
	const double p = k->q + k->gap, worst = p * (1 - p) > k->q * (1 - k->q) ? p : k->q;

	(void)out;
	(void)t;
	if (dp_memory_exact(&k->mem))
		return;
	dp_law_flip(l, m->drawn.unit, (double)k->mem.s.universe, worst);
	dp_law_add(l, &k->mem.output, m->drawn.unit, 1);
}

static bool
note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
{
	const struct modular *k = (const void *)m;

	(void)unit_;
	if (i != 0 || dp_memory_exact(&k->mem))
		return false;
	snprintf(text, size, "of epsilon, %.4g is for memory: it is so much likelier, in "
	    "logarithms, that a count begins at 0 than at another number", k->zero.x);
	return true;
}

const struct dp_mech_ops dp_modular_ops = {
	DP_MEMORY_OPS, .name = "modular",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .statistic = &dp_incidence,
	.create = create, .start = start, .open.see = see, .law.at = law,
	.error = dp_mech_error_constant,
	.say = { .source = "a count modulo K, begun at random, for each of a universe (Dwork et "
	    "al. 2010, Pan-private Streaming Algorithms)", .note = note, .refuses = refuses }
};
