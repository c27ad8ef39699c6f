/* SPDX-License-Identifier: ISC */
/* tree.c - counters by trees of sums. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>

#include "internal.h"

/*
 * The event-level tree counter, Dwork, Roth 2014, Figure 12.1 (Dwork, Naor, Pitassi,
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

extern const struct dp_mech_ops dp_tree_ops;

#define LEVELS_TREE	62
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
	int64_t open[LEVELS_TREE], closed[LEVELS_TREE];
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
tree_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct tree *k;
	int e;

	if (rule->horizon == 0 || rule->horizon > (uint64_t)1 << (LEVELS_TREE - 1))
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
tree_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
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
law_tree(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct tree *k = (const void *)m;

	(void)out;
	dp_law_add(l, &k->noise, m->drawn.unit, nodes(k, t));
}

static void
tree_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
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
draws_tree(const struct dp_mech *m)
{
	return 2 - 2 / (double)((uint64_t)1 << ((const struct tree *)(const void *)m)->h);
}

/* A step lies in one interval a level. */
static int
tree_certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_certificate_laplace(b, m->drawn.noise, ((const struct tree *)(const void *)m)->h);
}

const struct dp_mech_ops dp_tree_ops = {
	.name = "tree",
	.say.source = "binary tree (Dwork, Roth 2014, Figure 12.1)",
	.tasks = DP_TASK_COUNT,
	.create = tree_create, .step = tree_step, .law.at = law_tree, .error = tree_error,
	.drawn.number = draws_tree, .drawn.certify = tree_certify
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
	.create = tree_create, .step = tree_step, .law.at = law_tree, .error = tree_error,
	.drawn.number = draws_tree, .drawn.certify = gauss_certify
};

/*
 * K-ary tree with balanced digits and subtraction (Andersson, Pagh, Steiner, Torkamani
 * 2024).
 *
 * k odd, m = (k-1)/2, h levels with (k^h - 1)/2 >= T; a node of level i covers k^i steps and
 * every step lies in one node a level: share 1/h each.  t = sum d_i k^i with -m <= d_i <= m: the
 * estimate reads |d_i| nodes to the right of the running position, or takes |d_i| to the left back
 * again.  A node taken back may reach beyond t; its noise is drawn early, which is legal because
 * noise never looks at the data.  Var(t) = V(b) sum |d_i(t)|.
 *
 * Level i keeps the walk W_i = noise read at it.  When the digit above it grows, it starts at
 * d_i = -m: m draws, W_i = -(their sum); each of the next m steps of the digit gives one of them
 * back, the m after that draw afresh.
 */

#define LEVELS	40
#define ARITY	199

struct kary {
	struct dp_mech m;
	unsigned k, h;
	struct dp_noise noise;
};

/* The ring of level i is words [i * half, (i+1) * half). */
struct column_kary {
	dp_wide count;
	int64_t walk[LEVELS];
	int64_t digit[LEVELS];
	int64_t ring[];
};

static unsigned
half(const struct kary *k)
{
	return (k->k - 1) / 2;
}

static uint64_t
power(unsigned k, unsigned n)
{
	dp_uwide p = 1;

	while (n-- > 0 && p >> 62 == 0)
		p *= k;
	return p >> 62 ? (uint64_t)1 << 62 : (uint64_t)p;
}

/* Sum over t = 1..T of |d_i(t)|; the top digit is not reduced. */
static double
level_sum(unsigned k, uint64_t base, bool top, uint64_t T)
{
	uint64_t o = (base - 1) / 2, U = (T + o) / base, last = T + o - U * base + 1, q, r, j;
	double full = 0, part = 0;

	if (U == 0)
		return 0;
	if (top)		/* digits 0..U-1 whole, U partly */
		return (double)U * ((double)U - 1) / 2 * (double)base + (double)U * (double)last;
	for (j = 0; j < k; j++)
		full += (double)(j < k - j ? j : k - j);
	q = U / k;		/* u = 0..U-1: q full rounds and r more */
	r = U % k;
	for (j = 0; j < r; j++)
		part += (double)(j < k - j ? j : k - j);
	return ((double)q * full + part) * (double)base +
	    (double)(r < k - r ? r : k - r) * (double)last;
}

static double
digit_total(unsigned k, unsigned h, uint64_t T)
{
	double s = 0;
	unsigned i;

	for (i = 0; i < h; i++)
		s += level_sum(k, power(k, i), i == h - 1, T);
	return s;
}

/*
 * Most sum |d_i| with value <= bound over the digits of levels < n, and the value.
 * Every value of levels < n lies within +-(k^n - 1)/2.
 */
static double
most_below(unsigned k, unsigned n, int64_t bound, int64_t *value)
{
	int64_t base, m = (k - 1) / 2, reach, d, lower;
	double tight, best;

	*value = 0;
	if (n == 0)
		return 0;
	base = (int64_t)power(k, n - 1);
	reach = ((int64_t)power(k, n) - 1) / 2;
	if (bound >= reach) {		/* all digits m */
		*value = reach;
		return (double)m * n;
	}
	/* largest d with d * base - (base-1)/2 <= bound */
	d = bound + (base - 1) / 2;
	d = d >= 0 ? d / base : -((-d + base - 1) / base);
	tight = fabs((double)d) + most_below(k, n - 1, bound - d * base, &lower);
	*value = d * base + lower;
	best = tight;
	if (d - 1 >= -m && fabs((double)d - 1) + (double)m * (n - 1) > best) {
		best = fabs((double)d - 1) + (double)m * (n - 1);
		*value = (d - 1) * base + (base - 1) / 2;
	}
	if (d - 1 >= -m && (double)m + (double)m * (n - 1) > best) {
		best = (double)m * n;
		*value = -m * base + (base - 1) / 2;
	}
	return best;
}

static double
digit_most(unsigned k, unsigned h, uint64_t T, uint64_t *t)
{
	int64_t base = (int64_t)power(k, h - 1), m = (k - 1) / 2, lower;
	int64_t D = ((int64_t)T + (base - 1) / 2) / base;
	double best, v;

	best = (double)D + most_below(k, h - 1, (int64_t)T - D * base, &lower);
	*t = (uint64_t)(D * base + lower);
	v = (double)(D - 1) + (double)m * (h - 1);
	if (D >= 1 && v > best) {
		best = v;
		*t = (uint64_t)((D - 1) * base + (base - 1) / 2);
	}
	return best;
}

/* Levels of arity k that reach T. */
static unsigned
levels(unsigned k, uint64_t T)
{
	unsigned n = 1;

	while ((power(k, n) - 1) / 2 < T)
		n++;
	return n;
}

/* Arity with the least h^2 times the most digits; ties go to the smaller. */
static unsigned
choose_arity(uint64_t T)
{
	unsigned k, n, best = 3;
	double v, least = INFINITY;
	uint64_t t;

	for (k = 3; k <= ARITY; k += 2) {
		n = levels(k, T);
		v = (double)n * n * digit_most(k, n, T, &t);
		if (v < least) {
			least = v;
			best = k;
		}
	}
	return best;
}

static int
kary_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	struct kary *k;
	unsigned arity, h;

	if (rule->horizon == 0 || rule->horizon > (uint64_t)1 << 50)
		return DP_EINVAL;
	arity = choose_arity(rule->horizon);
	/* an arity is odd */
	arity = (unsigned)dp_numbers_int(rule->privacy.numbers, "arity", arity / 2, 1,
	    ARITY / 2) * 2 + 1;
	h = levels(arity, rule->horizon);
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sizeof(struct column_kary) + h * (arity - 1) / 2 * sizeof(int64_t));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->k = arity;
	k->h = h;
	k->m.column = (k->m.column + 15) & ~(size_t)15;
	k->m.drawn.noise = &k->noise;
	k->m.drawn.numbers = "every node of the k-ary tree";
	return dp_privacy_laplace(&k->noise, &rule->privacy, dp_q_make(1, h));
}

/* Level i's digit grows by one; a full digit starts over at -m and carries. */
static int
advance(const struct kary *k, struct column_kary *c, struct dp_rng *rng, unsigned i)
{
	int64_t m = half(k), *ring = c->ring + i * (size_t)m, z;
	int64_t j;
	int e;

	if (i < k->h - 1 && c->digit[i] == m) {
		if ((e = dp_noise_fill(&k->noise, rng, ring, (size_t)m)) != 0)
			return e;
		for (c->walk[i] = 0, j = 0; j < m; j++)
			c->walk[i] -= ring[j];
		c->digit[i] = -m;
		return advance(k, c, rng, i + 1);
	}
	if (c->digit[i] < 0)		/* a node taken back is given again */
		c->walk[i] += ring[c->digit[i] + m];
	else {
		if ((e = dp_draw(&k->noise, rng, &z)) != 0)
			return e;
		c->walk[i] += z;
	}
	c->digit[i]++;
	return 0;
}

static int
kary_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct kary *k = (const void *)m;
	struct column_kary *c = col;
	unsigned i;
	int e;

	(void)t;
	if ((e = advance(k, c, rng, 0)) != 0)
		return e;
	c->count += *x;
	*est = c->count;
	for (i = 0; i < k->h; i++)
		*est += c->walk[i];
	return 0;
}

static bool
kary_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct kary *k = (const void *)m;
	const struct column_kary *c = col;
	int64_t h = half(k);
	unsigned i;

	(void)t;
	for (i = 0; i < k->h; i++)
		if (c->digit[i] < (i < k->h - 1 ? -h : 0) ||
		    (i < k->h - 1 && c->digit[i] > h))
			return false;
	return true;
}

static void
law_kary(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct kary *k = (const void *)m;
	int64_t h = half(k), d, left = (int64_t)t;
	double sum = 0;
	unsigned i;

	(void)out;
	for (i = 0; i < k->h - 1; i++) {
		d = (left + h) % k->k - h;
		left = (left - d) / k->k;
		sum += (double)llabs(d);
	}
	dp_law_add(l, &k->noise, 1, sum + (double)left);
}

/*
 * From t to t + 1 the lowest digit grows; a full one starts over, so its nodes go and as many fresh
 * ones come, taken back, and the digit above it grows.
 */
static void
blend(const struct dp_mech *m, uint64_t t, double now, double next, struct dp_law *l)
{
	const struct kary *k = (const void *)m;
	int64_t h = half(k), d, left = (int64_t)t;
	bool grows = true;
	unsigned i;

	for (i = 0; i < k->h; i++) {
		d = i < k->h - 1 ? (left + h) % k->k - h : left;
		left = (left - d) / k->k;
		if (grows && i < k->h - 1 && d == h) {
			dp_law_add(l, &k->noise, now, (double)h);
			dp_law_add(l, &k->noise, next, (double)h);
			continue;
		}
		dp_law_add(l, &k->noise, now + next, (double)(llabs(d) - (grows && d < 0)));
		if (grows)
			dp_law_add(l, &k->noise, d < 0 ? now : next, 1);
		grows = false;
	}
}

static void
kary_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct kary *k = (const void *)m;
	double v = dp_noise_variance(&k->noise);

	e->max = v * digit_most(k->k, k->h, T, &e->worst);
	e->mean = v * digit_total(k->k, k->h, T) / (double)T;
}

/* A step lies in one node a level. */
static int
kary_certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_certificate_laplace(b, m->drawn.noise, ((const struct kary *)(const void *)m)->h);
}

const struct dp_mech_ops dp_kary_ops = {
	.name = "kary",
	.say.source = "k-ary tree, balanced digits (Andersson, Pagh, Steiner, Torkamani 2024)",
	.tasks = DP_TASK_COUNT,
	.create = kary_create, .step = kary_step, .law.at = law_kary, .law.blend = blend, .error =
	    kary_error,
	.valid = kary_valid, .drawn.certify = kary_certify
};

static double
weigh(uint64_t t, const double *weight)
{
	double w = 0;

	for (; t != 0; t &= t - 1)
		w += weight[__builtin_ctzll(t)];
	return w;
}

/* Number of 1..T that have bit i. */
static double
times(uint64_t T, unsigned i)
{
	uint64_t b = (uint64_t)1 << i, rest = (T + 1) % (2 * b);

	return (double)((T + 1) / (2 * b)) * (double)b + (rest > b ? (double)(rest - b) : 0);
}

void
dp_bits_sum(uint64_t T, const double weight[64], double *max, uint64_t *worst, double *sum)
{
	uint64_t t;
	double w;
	unsigned i;

	*worst = T;
	*max = weigh(T, weight);
	*sum = 0;
	/* every smaller t is at most T with a set bit cleared and all bits below it set */
	for (i = 0; i < 62 && T >> i != 0; i++) {
		*sum += weight[i] * times(T, i);
		if (!(T >> i & 1))
			continue;
		t = ((T >> i) - 1) << i | (((uint64_t)1 << i) - 1);
		w = weigh(t, weight);
		if (w > *max) {
			*max = w;
			*worst = t;
		}
	}
}
