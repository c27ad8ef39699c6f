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
 * tree_gauss: the same with discrete Gaussian noise, for delta > 0 (Jain, Raskhodnikova, Sivakumar,
 * Smith 2021).  A grid unit is 2^s noise units, so many that the discrete Gaussian is nearly the
 * continuous one; the noise is dp_privacy_gauss_shift()'s for the shift 2^s sqrt(h l2squared), and
 * the estimate is rounded to the grid.  Proof: think each noise drawn when its interval closes, as
 * nothing depends on it before.  It has to account for what moved within the interval, an integer
 * known from earlier releases; on each level these are at most |d[c]| together in column c, so the
 * sum of their squares is at most h l2squared over all levels and columns.  A column has less than
 * 2T intervals.  Rounding is post-processing; it adds 1/12 to the variance, left out below.
 *
 * Draw order: within a step the longest interval that starts there first; intervals
 * that cannot close before T are not drawn.
 */
#include <math.h>

#include "bits.h"
#include "certificate.h"

extern const struct dp_mech_ops dp_tree_ops;

#define LEVELS	62
#define FINE	26		/* log2 sigma, nearly */

struct tree {
	struct dp_mech m;
	unsigned h, s;
	uint64_t square, columns;	/* Gaussian: l2squared; columns that one unit moves */
	struct dp_noise noise;
};

struct column {
	dp_wide count;
	/* noise of the current and the last closed interval */
	int64_t open[LEVELS], closed[LEVELS];
	int64_t half;			/* noise of the first half, for t = T = 2^h */
};

static int
make_gauss(struct tree *k, const struct dp_mech_rule *rule)
{
	const struct dp_privacy *p = &rule->privacy;
	const double shift = sqrt((double)k->h * (double)p->l2squared) * (1 + 1e-12);
	const uint64_t n = 2 * rule->horizon;
	double sigma = p->exact ? 0 : dp_privacy_gauss_sigma(p, shift, n);

	if (sigma >= 1 && sigma < ldexp(1, FINE))
		k->s = (unsigned)(FINE - ilogb(sigma));
	k->s = (unsigned)dp_numbers_int(p->numbers, "fraction", k->s, 0, FINE);
	k->m.drawn.unit = ldexp(1, -(int)k->s);
	k->square = p->l2squared;
	k->columns = p->columns;
	return dp_privacy_gauss_shift(&k->noise, p, ldexp(shift, (int)k->s), n);
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct tree *k;
	int e;

	if (rule->horizon == 0 || rule->horizon > (uint64_t)1 << (LEVELS - 1))
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon, sizeof(struct column));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->h = dp_ceil_log2(rule->horizon);
	if (k->h == 0)
		k->h = 1;
	if (ops == &dp_tree_ops)
		e = dp_privacy_laplace(&k->noise, &rule->privacy, dp_q_make(1, k->h));
	else
		e = make_gauss(k, rule);
	k->m.drawn.noise = &k->noise;
	k->m.drawn.numbers = "every interval of the binary tree";
	return e;
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct tree *k = (const void *)m;
	struct column *c = col;
	uint64_t u = t - 1, n;
	dp_wide noise = 0;
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
	for (n = t; n != 0; n &= n - 1) {
		i = (unsigned)__builtin_ctzll(n);
		if (i < k->h)
			noise += c->closed[i];
		else			/* the absent root: both halves */
			noise += (dp_wide)c->half + c->closed[k->h - 1];
	}
	*est = dp_add_noise(c->count, noise, k->s);
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
	dp_law_add(l, &k->noise, m->drawn.unit, nodes(k, t));
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct tree *k = (const void *)m;
	double weight[64], sum;
	unsigned i;

	for (i = 0; i < 64; i++)
		weight[i] = (i < k->h ? 1 : 2) * dp_noise_variance(&k->noise) * m->drawn.unit *
		    m->drawn.unit;
	dp_bits_sum(T, weight, &e->max, &e->worst, &sum);
	e->mean = sum / (double)T;
}

static double
draws(const struct dp_mech *m)
{
	return 2 - 2 / (double)((uint64_t)1 << ((const struct tree *)(const void *)m)->h);
}

/* A step lies in one interval a level. */
static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_certificate_laplace(b, m->drawn.noise, ((const struct tree *)(const void *)m)->h);
}

const struct dp_mech_ops dp_tree_ops = {
	.name = "tree",
	.say.source = "binary tree (Dwork, Roth 2014, Figure 12.1)",
	.tasks = DP_TASK_COUNT,
	.create = create, .step = step, .law.at = law, .error = error,
	.drawn.number = draws, .drawn.certify = certify
};

/* h levels of l2squared each, in units of 2^-s; 2 T draws a column, at most. */
static int
gauss_certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct tree *k = (const void *)m;

	return k->noise.kind == DP_NOISE_NONE ? dp_certificate_unknown(b) :
	    dp_certificate_gauss(b, &k->noise, (dp_uwide)k->square * k->h << (2 * k->s),
	    2 * m->horizon * k->columns);
}

const struct dp_mech_ops dp_tree_gauss_ops = {
	.name = "tree-gauss",
	.say.source = "binary tree, discrete Gaussian noise (Jain et al. 2021)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_DELTA,
	.create = create, .step = step, .law.at = law, .error = error,
	.drawn.number = draws, .drawn.certify = gauss_certify
};
