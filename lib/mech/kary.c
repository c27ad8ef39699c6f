/*
 * kary.c - k-ary tree with balanced digits and subtraction (Andersson, Pagh, Steiner, Torkamani
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
#include <math.h>
#include <stdlib.h>

#include "certificate.h"

#define LEVELS	40
#define ARITY	199

struct kary {
	struct dp_mech m;
	unsigned k, h;
	struct dp_noise noise;
};

/* The ring of level i is words [i * half, (i+1) * half). */
struct column {
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
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
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
	    sizeof(struct column) + h * (arity - 1) / 2 * sizeof(int64_t));
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
advance(const struct kary *k, struct column *c, struct dp_rng *rng, unsigned i)
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
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct kary *k = (const void *)m;
	struct column *c = col;
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
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct kary *k = (const void *)m;
	const struct column *c = col;
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
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
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
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct kary *k = (const void *)m;
	double v = dp_noise_variance(&k->noise);

	e->max = v * digit_most(k->k, k->h, T, &e->worst);
	e->mean = v * digit_total(k->k, k->h, T) / (double)T;
}

/* A step lies in one node a level. */
static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_certificate_laplace(b, m->drawn.noise, ((const struct kary *)(const void *)m)->h);
}

const struct dp_mech_ops dp_kary_ops = {
	.name = "kary",
	.say.source = "k-ary tree, balanced digits (Andersson, Pagh, Steiner, Torkamani 2024)",
	.tasks = DP_TASK_COUNT,
	.create = create, .step = step, .law.at = law, .law.blend = blend, .error = error,
	.valid = valid, .drawn.certify = certify
};
