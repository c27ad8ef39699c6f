/*
 * honaker.c - the binary tree "estimated from below" (Honaker 2015): every interval is released,
 * and a closed interval is estimated from its own noisy value and its two halves' estimates.
 *
 * Weights by inverse variance: u_0 = 1, u_(l+1) = 1/(1 + 1/(2 u_l)) = 2^(l+1)/(2^(l+2)-1), so
 * est_l = (2^l own + (2^l - 1)(left + right)) / (2^(l+1) - 1) and Var = V(b) sum of u_l over the
 * set bits l of t (t = T = 2^h: 2 u_(h-1)).
 *
 * Unlike in the other mechanisms the combination works on the noisy sums, not on the noise: they
 * are private, so rounding them (to 2^-20 of a grid unit) is post-processing.  Rounding
 * combined noise instead would leave the proof.
 */
#include <math.h>

#include "bits.h"
#include "mech.h"

extern const struct dp_mech_ops dp_honaker_ops;

#define LEVELS	62
#define FRAC	20

struct honaker {
	struct dp_mech m;
	unsigned h;
	struct dp_noise noise;
};

struct column {
	dp_wide open[LEVELS];		/* exact sum of the current interval */
	dp_wide left[LEVELS];		/* the last closed left interval's estimate, 2^-FRAC */
};

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	struct honaker *k;
	int e;

	/* 2^44 steps of 2^61, 20 fraction bits: below 2^126 */
	if (rule->horizon == 0 || rule->horizon > (uint64_t)1 << 44)
		return DP_EINVAL;
	k = dp_mech_alloc(&dp_honaker_ops, sizeof *k, rule->horizon, sizeof(struct column));
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

/* round(a w / v) for 0 <= w < v < 2^63 without overflow */
static dp_wide
mul_ratio(dp_wide a, uint64_t w, uint64_t v)
{
	dp_wide q = a / (dp_wide)v, r = a % (dp_wide)v;

	r = r * (dp_wide)w;
	return q * (dp_wide)w + (2 * r + (r < 0 ? -(dp_wide)v : (dp_wide)v)) / (2 * (dp_wide)v);
}

/* (2^l own + (2^l - 1) children) / (2^(l+1) - 1) = children + (own - children) 2^l/(2^(l+1) - 1) */
static dp_wide
combine(dp_wide own, dp_wide children, unsigned l)
{
	return children + mul_ratio(own - children, (uint64_t)1 << l,
	    ((uint64_t)2 << l) - 1);
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct honaker *k = (const void *)m;
	struct column *c = col;
	dp_wide cur = 0, sum = 0, own;
	uint64_t n;
	int64_t z;
	unsigned i;
	int e;

	for (i = 0; i < k->h; i++)
		c->open[i] += *x;
	/* Close every interval that ends here, shortest first. */
	for (i = 0; i < k->h && (t & (((uint64_t)1 << i) - 1)) == 0; i++) {
		if ((e = dp_draw(&k->noise, rng, &z)) != 0)
			return e;
		/* an even interval index closing at t means t has bit i set */
		own = (c->open[i] + z) * ((dp_wide)1 << FRAC);
		cur = i == 0 ? own : combine(own, cur + c->left[i - 1], i);
		c->open[i] = 0;
		if (t >> i & 1)
			c->left[i] = cur;
	}
	for (n = t; n != 0; n &= n - 1) {
		i = (unsigned)__builtin_ctzll(n);
		if (i < k->h)
			sum += c->left[i];
		else			/* t = T = 2^h: the second half is in cur */
			sum += c->left[k->h - 1] + cur;
	}
	*est = (sum + ((dp_wide)1 << (FRAC - 1))) >> FRAC;
	return 0;
}

/*
 * What a state may say: sums of 2^i steps of at most 2^62, and estimates of such.  own and children
 * in combine() are then within twice that, below 2^126 (create()).
 */
static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct honaker *k = (const void *)m;
	const struct column *c = col;
	dp_wide most;
	unsigned i;

	(void)t;
	for (i = 0; i < k->h; i++) {
		most = (dp_wide)1 << (i + 62);
		if (c->open[i] > most || c->open[i] < -most)
			return false;
		most *= (dp_wide)1 << FRAC;
		if (c->left[i] > most || c->left[i] < -most)
			return false;
	}
	return true;
}

static double
u(unsigned l)
{
	return 1 / (2 - ldexp(1, -(int)l));
}

/* The noise in one estimate of level l, n times: a node d levels below has the weights' product. */
static void
node_law(const struct honaker *k, unsigned l, double n, struct dp_law *law)
{
	double coef = 1;
	unsigned j;

	for (j = l + 1; j-- > 0; ) {
		dp_law_add(law, &k->noise, coef * u(j), n * ldexp(1, (int)(l - j)));
		coef *= 1 - u(j);
	}
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct honaker *k = (const void *)m;

	(void)out;
	for (; t != 0; t &= t - 1) {
		unsigned i = (unsigned)__builtin_ctzll(t);

		if (i < k->h)
			node_law(k, i, 1, l);
		else
			node_law(k, k->h - 1, 2, l);
	}
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct honaker *k = (const void *)m;
	double weight[64], sum;
	unsigned i;

	for (i = 0; i < 64; i++)
		weight[i] = (i < k->h ? u(i) : 2 * u(k->h - 1)) * dp_noise_variance(&k->noise);
	dp_bits_sum(T, weight, &e->max, &e->worst, &sum);
	e->mean = sum / (double)T;
}

static double
draws(const struct dp_mech *m)
{
	return 2 - 2 / (double)((uint64_t)1 << ((const struct honaker *)(const void *)m)->h);
}

const struct dp_mech_ops dp_honaker_ops = {
	.name = "honaker",
	.source = "binary tree, intervals estimated from below (Honaker 2015)",
	.tasks = DP_TASK_COUNT,
	.create = create, .step = step, .law = law, .error = error,
	.draws = draws, .valid = valid
};
