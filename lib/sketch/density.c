/*
 * density.c - distinct identifiers of a declared universe, done only: a random bit each.
 *
 * A bit begins as 1 with probability p = 1/(1+E), E = e^eps1, and whenever its identifier is seen,
 * the first time or not, it is drawn again, as 1 with probability 1 - p.  Y bits of m are 1 and D
 * identifiers were seen, so with z, DLap(1/eps2), and gap = 1 - 2p = tanh(eps1/2)
 *
 *	D^ = (Y + z - m p)/gap,  Var D^ = (m p (1 - p) + Var z)/gap^2 = m/(4 sinh^2(eps1/2)) + ..
 *
 * is unbiased, whatever D is, before it is rounded: half of what cells need that can be undone.
 *
 * Statement: one identifier's events, any number of them or none, cost eps1 + log(p + (1 - p)
 * e^(k eps2)), with memory seen once and k outputs.  Proof: AGAIN in bits.h; only its own bit has
 * another law.  That each sight draws again, the first one like the others, is needed: to know a
 * first sight would take an exact memory.
 *
 * Dwork, Roth 2014, section 12.2, and Dwork et al. 2010, with the law that is symmetric: theirs,
 * 1/2 and 1/2 + eps/4, has twice the error.
 */
#include <math.h>

#include "bits.h"

#define PLACES_MAX	((uint64_t)1 << 32)

struct density {
	struct dp_memory mem;
	struct dp_odds odds;
	double unit;
};

static double
variance(const void *arg, double eps1, double noise)
{
	const struct density *k = arg;
	const double s = sinh(eps1 / 2), t = tanh(eps1 / 2);

	return (double)k->mem.s.universe / (4 * s * s) + noise / (t * t);
}

static int
count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct density *k = (const void *)m;
	const uint64_t y = dp_bits_count(col, 0, k->mem.s.universe);
	int64_t z;
	int e;

	(void)t;
	if ((e = dp_draw(&k->mem.output, rng, &z)) != 0)
		return e;
	/* y + z is private: from here on doubles do no harm */
	*est = dp_sketch_round(((double)((int64_t)y + z) - (double)k->mem.s.universe * k->odds.p) /
	    k->odds.gap * k->unit);
	return 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct density *k;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX || s->deletes)
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule, dp_bits_bytes(s->universe));
	if (k == NULL)
		return DP_ENOMEM;
	k->unit = dp_sketch_unit(rule);
	k->mem.draws += 1;
	k->mem.begins = DP_BIT_BEGINS;
	k->mem.count = count;
	k->mem.redrawn = true;
	if ((e = dp_memory_split(&k->mem, rule, 1, variance, k)) != 0)
		return e;
	dp_bits_odds(&k->odds, &k->mem.state, rule->privacy.numbers);
	k->mem.m.drawn.unit = k->unit / k->odds.gap;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	*out = &k->mem.m;
	return 0;
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct density *k = (const void *)m;

	return dp_bits_start(col, k->mem.s.universe, &k->mem.state, rng);
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct dp_memory *k = (const void *)m;

	return id->word[0] < k->s.universe ? dp_bits_see(col, id->word[0], &k->state, rng) : 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct density *k = (const void *)m;

	(void)out;
	(void)t;
	if (dp_memory_exact(&k->mem))
		return;
	/* p and 1 - p are as far from their means, either way */
	dp_law_flip(l, m->drawn.unit, (double)k->mem.s.universe, k->odds.p);
	dp_law_add(l, &k->mem.output, m->drawn.unit, 1);
}

#define DENSITY \
	DP_MEMORY_OPS, .name = "density", \
	.say.source = "a random bit for each of a universe, drawn "	\
	    "again at every sight (Dwork, Roth 2014, 12.2)", \
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, \
	.say.refuses = dp_sketch_refuse_deletes, .start = start, .open.see = see, .law.at = law, \
	.error = dp_mech_error_constant

const struct dp_mech_ops dp_density_distinct_ops = {
	DENSITY, .statistic = &dp_distinct, .create = create
};

const struct dp_mech_ops dp_density_ops = {
	DENSITY, .statistic = &dp_density, .create = create
};
