/*
 * tree.c - the event-level tree counter, Dwork, Roth 2014, Figure 12.1 (Dwork, Naor, Pitassi,
 * Rothblum 2010; Chan, Shi, Song 2011), root abolished.
 *
 * h = max(1, ceil(lg T)) levels; level i cuts time into intervals of 2^i steps, each released
 * once, with noise DLap(h l1 / epsilon): a step lies in at most one interval a level, so the
 * families have share 1/h each.  The estimate after step t adds the noise of the intervals in the
 * binary representation of t: Var = popcount(t) V(b); t = T = 2^h takes both halves: 2 V(b).
 * The exact count is kept beside the noise (not pan-private; see pan.c).
 *
 * Draw order: within a step the longest interval that starts there first; intervals
 * that cannot close before T are not drawn.
 */
#include "bits.h"
#include "mech.h"

extern const struct dp_mech_ops dp_tree_ops;

#define LEVELS	62

struct tree {
	struct dp_mech m;
	unsigned h;
	struct dp_noise noise;
};

struct column {
	dp_wide count;
	/* noise of the current and the last closed interval */
	int64_t open[LEVELS], closed[LEVELS];
	int64_t half;			/* noise of the first half, for t = T = 2^h */
};

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	struct tree *k;
	int e;

	if (rule->horizon == 0 || rule->horizon > (uint64_t)1 << (LEVELS - 1))
		return DP_EINVAL;
	k = dp_mech_alloc(&dp_tree_ops, sizeof *k, rule->horizon, sizeof(struct column));
	if (k == NULL)
		return DP_ENOMEM;
	k->h = dp_ceil_log2(rule->horizon);
	if (k->h == 0)
		k->h = 1;
	e = dp_privacy_laplace(&k->noise, &rule->privacy, dp_q_make(1, k->h));
	if (e != 0) {
		dp_mech_free(&k->m);
		return e;
	}
	k->m.noise = &k->noise;
	k->m.noisy = "every interval of the binary tree";
	*out = &k->m;
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct tree *k = (const void *)m;
	struct column *c = col;
	uint64_t u = t - 1, n;
	unsigned i;
	int e;

	/* i > 0: an interval opens at u only if its low bits are zero */
	for (i = k->h; i-- > 0; )
		if ((u & (((uint64_t)1 << i) - 1)) == 0 &&
		    u + ((uint64_t)1 << i) <= m->horizon &&
		    (e = dp_draw(&k->noise, rng, &c->open[i])) != 0)
			return e;
	for (i = 0; i < k->h && (t & (((uint64_t)1 << i) - 1)) == 0; i++) {
		c->closed[i] = c->open[i];
		c->open[i] = 0;
	}
	c->count += *x;
	*est = c->count;
	for (n = t; n != 0; n &= n - 1) {
		i = (unsigned)__builtin_ctzll(n);
		if (i < k->h)
			*est += c->closed[i];
		else			/* the absent root: both halves */
			*est += (dp_wide)c->half + c->closed[k->h - 1];
	}
	if (t == (uint64_t)1 << (k->h - 1))
		c->half = c->closed[k->h - 1];
	return 0;
}

static unsigned
nodes(const struct tree *k, uint64_t t)
{
	return t >> k->h ? 2 : (unsigned)__builtin_popcountll(t);
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct tree *k = (const void *)m;

	(void)out;
	dp_law_add(l, &k->noise, 1, nodes(k, t));
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct tree *k = (const void *)m;
	double weight[64], sum;
	unsigned i;

	for (i = 0; i < 64; i++)
		weight[i] = (i < k->h ? 1 : 2) * dp_noise_variance(&k->noise);
	dp_bits_sum(T, weight, &e->max, &e->worst, &sum);
	e->mean = sum / (double)T;
}

static double
draws(const struct dp_mech *m)
{
	return 2 - 2 / (double)((uint64_t)1 << ((const struct tree *)(const void *)m)->h);
}

const struct dp_mech_ops dp_tree_ops = {
	.name = "tree",
	.source = "binary tree (Dwork, Roth 2014, Figure 12.1)",
	.tasks = DP_TASK_COUNT,
	.create = create, .step = step, .law = law, .error = error,
	.draws = draws
};
