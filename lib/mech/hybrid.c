/*
 * hybrid.c - the counter for unknown length of Chan, Shi, Song 2011.
 *
 * Half of epsilon goes to the logarithmic mechanism: at t = 2^j the sum of (2^(j-1), 2^j] is
 * released.  The other half goes to a binary tree of k levels on the steps strictly between 2^k
 * and 2^(k+1).  A step lies in one logarithmic segment (share 1/2) and in at most k tree
 * intervals of its segment (share 1/(2k) each).
 * Var(2^k + s) = (k+1) V(2 l1/epsilon) + popcount(s) V(2k l1/epsilon).
 */
#include "bits.h"
#include "mech.h"

extern const struct dp_mech_ops dp_hybrid_ops;

#define LEVELS	62

struct hybrid {
	struct dp_mech m;
	struct dp_noise total;
	struct dp_noise level[LEVELS];	/* [k]: the tree after 2^k, k >= 1 */
};

struct column {
	dp_wide count, noise;		/* noise of the logarithmic mechanism so far */
	int64_t closed[LEVELS];
};

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	struct hybrid *h;
	unsigned k;
	int e;

	h = dp_mech_alloc(&dp_hybrid_ops, sizeof *h, rule->horizon, sizeof(struct column));
	if (h == NULL)
		return DP_ENOMEM;
	e = dp_privacy_laplace(&h->total, &rule->privacy, dp_q_make(1, 2));
	for (k = 1; k < LEVELS && e == 0; k++)
		e = dp_privacy_laplace(&h->level[k], &rule->privacy, dp_q_make(1, 2 * k));
	if (e != 0) {
		dp_mech_free(&h->m);
		return e;
	}
	*out = &h->m;
	return 0;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct hybrid *h = (const void *)m;
	struct column *c = col;
	unsigned k = 63 - (unsigned)__builtin_clzll(t), i;
	uint64_t s = t - ((uint64_t)1 << k);
	int64_t z;
	int e;

	c->count += *x;
	if (s == 0) {
		if ((e = dp_draw(&h->total, rng, &z)) != 0)
			return e;
		c->noise += z;
		memset(c->closed, 0, sizeof c->closed);
		*est = dp_wrapped(c->count, c->noise);
		return 0;
	}
	/* Only the interval of s's lowest set bit is a left node that just closed; the
	 * longer one it ends is read later, the shorter ones never. */
	i = (unsigned)__builtin_ctzll(s);
	if ((e = dp_draw(&h->level[k], rng, &c->closed[i])) != 0)
		return e;
	*est = dp_wrapped(c->count, c->noise);
	for (; s != 0; s &= s - 1)
		*est += c->closed[__builtin_ctzll(s)];
	return 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct hybrid *h = (const void *)m;
	unsigned k = 63 - (unsigned)__builtin_clzll(t);

	(void)out;
	dp_law_add(l, &h->total, 1, k + 1);
	if (k > 0)
		dp_law_add(l, &h->level[k], 1,
		    __builtin_popcountll(t - ((uint64_t)1 << k)));
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct hybrid *h = (const void *)m;
	double weight[64], doublings, max, sum, total = 0;
	uint64_t first, n, worst;
	unsigned k, i;

	e->max = -1;
	for (k = 0; k < LEVELS - 1 && (first = (uint64_t)1 << k) <= T; k++) {
		n = T - first < first - 1 ? T - first : first - 1;	/* steps after 2^k */
		for (i = 0; i < 64; i++)
			weight[i] = k == 0 ? 0 : dp_noise_variance(&h->level[k]);
		max = sum = 0;
		worst = 0;
		if (n > 0)
			dp_bits_sum(n, weight, &max, &worst, &sum);
		doublings = (k + 1) * dp_noise_variance(&h->total);
		total += (double)(n + 1) * doublings + sum;
		if (doublings + max > e->max) {
			e->max = doublings + max;
			e->worst = first + worst;
		}
	}
	e->mean = total / (double)T;
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct hybrid *h = (const void *)m;

	*z = i == 0 ? &h->total : &h->level[10];
	*what = i == 0 ? "every doubling of t" : "every interval of the tree after step 1024";
	return i < 2;
}

const struct dp_mech_ops dp_hybrid_ops = {
	.name = "hybrid",
	.source = "unknown length: logarithmic mechanism and trees (Chan, Shi, Song 2011)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_ENDLESS,
	.create = create, .step = step, .law = law, .error = error,
	.family = family
};
