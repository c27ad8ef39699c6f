/*
 * expsum.c - EXPONENTIALSUM (Bolot, Fawaz, Muthukrishnan, Nikolov, Taft 2013, Algorithm 3) on an
 * integer grid.
 *
 * A binary tree over time; node (u - 2^l, u] is kept if it is its parent's left half, and releases
 * sum x_i w(u - i) + noise when it closes, w(d) = round(alpha^d 2^s) integers.  Exactly one
 * node closes a step: at step u the one of level ctz(u).  The estimate after step t is
 *	2^-s sum over the set bits b of t of alpha^(t mod 2^b) node_b,	node_b the last of level b.
 *
 * Sensitivity.  Step i lies in the kept nodes of the levels l where i - 1 has a zero bit, at the
 * lag u - i = (the zero bits of i - 1 below l, as a number) >= 2^m - 1 for the m-th such l (m = 0,
 * 1, ..).  w does not increase, so the weights of one step sum to at most S = sum over m of
 * w(2^m - 1), which step 1 attains.  The paper has share 1/lambda a unit of weight, lambda
 *	(ln(2 alpha/(1 - alpha)) + 1/2 + ln 2) / (alpha ln 2),
 * 1.3 to 3.3 times the exact S for alpha >= 1/2, but below it, so not private, for alpha < .1455,
 * which is refused.  Two more repairs: the root counts as a left node; the estimate decays node_b
 * by t mod 2^b (the paper's index is one node off).
 *
 * Accuracy.  Rounded weights: a bias of at most 2^-(s+1) of every value, sum |x| over the s ln 2/(1
 * - alpha) last steps, and older ones are 0: 2^-(s+1)/(1 - alpha).  s = 20, less (>= 8) if the
 * scale would not fit; 33 to 40 at epsilon = inf.
 * Variance: V(2^s lambda l1/epsilon) 4^-s sum over the set bits of alpha^(2 (t mod 2^b)).
 *
 * Exact sums of open nodes are kept: not pan-private.  Cost: one draw, at most lg(lags) + 2 updates
 * a step.
 */
#include <math.h>

#include "mech/certificate.h"
#include "mech/decimals.h"

#define LEVELS	62
#define ONE	63		/* factors are in units of 2^-63 */

struct expsum {
	struct dp_mech m;
	unsigned s;
	uint64_t factor[LEVELS];	/* alpha^(2^b), rounded down */
	long double power[LEVELS];	/* alpha^(2^b) */
	struct dp_noise noise;
};

struct column {
	dp_wide open[LEVELS], closed[LEVELS];
};

/*
 * w(d) from f = alpha^d in units of 2^-63, the product of the factors of d's bits, lowest first,
 * each product rounded down.  It does not increase: f is off by at most 3 units a factor, under
 * 2^8; where w(d + 1) > 0, alpha^(d+1) >= 2^-(s+1) - 2^-55, so alpha^d - alpha^(d+1) > 2^-(s+2) (1
 * - alpha) >= 2^9 units for 1 - alpha >= 2^-30 and s <= 20: larger than both errors.
 */
static inline int64_t
weight(const struct expsum *k, uint64_t f)
{
	return (int64_t)((f + ((uint64_t)1 << (ONE - 1 - k->s))) >> (ONE - k->s));
}

static inline uint64_t
times(uint64_t f, uint64_t factor)
{
	return (uint64_t)((dp_uwide)f * factor >> ONE);
}

/* S, from all lags 2^m - 1. */
static uint64_t
sensitivity(const struct expsum *k)
{
	uint64_t f = (uint64_t)1 << ONE, sum = 0;
	unsigned m;

	for (m = 0; m < LEVELS && weight(k, f) > 0; m++) {
		sum += (uint64_t)weight(k, f);
		f = times(f, k->factor[m]);
	}
	return sum;
}

/* The paper's lambda on the grid; 0 where the paper is not private. */
static uint64_t
paper(const struct expsum *k, double alpha)
{
	double lambda = (log(2 * alpha / (1 - alpha)) + .5 + log(2)) / (alpha * log(2));
	uint64_t sum;

	if (!(lambda > 0))
		return 0;
	sum = (uint64_t)ceil(ldexp(lambda, (int)k->s));
	return sum < sensitivity(k) ? 0 : sum;
}

static int
set_noise(struct expsum *k, const struct dp_mech_rule *rule, const struct dp_privacy *p)
{
	uint64_t sum = paper(k, rule->task.alpha);

	if (sum == 0)
		return DP_EINVAL;
	/* w(0) = 2^s */
	return dp_privacy_laplace_weights(&k->noise, p, sum, (uint64_t)1 << k->s);
}

static int
choose_grid(struct expsum *k, const struct dp_mech_rule *rule)
{
	struct dp_privacy trial = rule->privacy;
	int e;

	trial.dry = true;
	trial.numbers = NULL;
	if (rule->privacy.exact) {
		/* values below 2^63, weights 2^s, at most 2^lags of them: sums stay below 2^126 */
		k->s = 63 - (unsigned)ceil(-log2(1 - rule->task.alpha));
		if (k->s > 40)
			k->s = 40;
		return set_noise(k, rule, &rule->privacy);
	}
	for (k->s = 20; (e = set_noise(k, rule, &trial)) == DP_ERANGE && k->s > 8; k->s--)
		;
	if (e != 0)
		return e;
	k->s = (unsigned)dp_numbers_int(rule->privacy.numbers, "fraction", k->s, 8, 20);
	return set_noise(k, rule, &rule->privacy);
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	double alpha = rule->task.alpha;
	struct expsum *k;
	unsigned b;
	int e;

	if (!(alpha > 0 && alpha < 1) || rule->horizon >= (uint64_t)1 << LEVELS ||
	    rule->task.decimals > DP_SCALED_DECIMALS)
		return DP_EINVAL;
	if (1 - alpha < 0x1p-30)
		return DP_ERANGE;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon, sizeof(struct column));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->m.estimate.decimals = rule->task.decimals;
	for (b = 0; b < LEVELS; b++) {
		k->power[b] = dp_numbers_long(rule->privacy.numbers, "power",
		    powl(alpha, ldexpl(1, (int)b)));
		k->factor[b] = (uint64_t)ldexpl(k->power[b], ONE);
	}
	if ((e = choose_grid(k, rule)) != 0)
		return e;
	k->m.drawn.noise = &k->noise;
	k->m.drawn.numbers = "every left interval of the binary tree";
	k->m.drawn.unit = ldexp(1, -(int)k->s);
	return 0;
}

/* x into the kept nodes that hold step t: at the zero bits of t - 1, the lag the zeros below. */
static void
absorb(const struct expsum *k, struct column *c, uint64_t t, int64_t x)
{
	uint64_t zeros = ~(t - 1) & (((uint64_t)1 << LEVELS) - 1), f = (uint64_t)1 << ONE;
	unsigned l;
	int64_t w;

	for (; zeros != 0 && (w = weight(k, f)) > 0; zeros &= zeros - 1) {
		l = (unsigned)__builtin_ctzll(zeros);
		c->open[l] += (dp_wide)x * w;
		f = times(f, k->factor[l]);
	}
}

static int
step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct expsum *k = (const void *)m;
	struct column *c = col;
	unsigned b = (unsigned)__builtin_ctzll(t);
	long double v = 0;
	uint64_t n;
	int64_t z;
	int e;

	if ((e = dp_draw(&k->noise, rng, &z)) != 0)
		return e;
	absorb(k, c, t, *x);
	c->closed[b] = c->open[b] + z;
	c->open[b] = 0;
	/* from the oldest node on: v alpha^(2^b) + node_b; private values only */
	for (n = t; n != 0; n ^= (uint64_t)1 << b) {
		b = 63 - (unsigned)__builtin_clzll(n);
		v = v * k->power[b] + (long double)c->closed[b];
	}
	*est = dp_scaled_real(ldexpl(v, -(int)k->s), m->estimate.decimals);
	return 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct expsum *k = (const void *)m;
	long double f = ldexpl(1, -(int)k->s);
	unsigned b;

	(void)out;
	for (; t != 0; t &= t - 1) {
		b = (unsigned)__builtin_ctzll(t);
		dp_law_add(l, &k->noise, (double)f, 1);
		f *= k->power[b];
	}
}

/*
 * With f(t) = sum over the set bits b of t of r^(t mod 2^b), r = alpha^2: f(2^b + m) = f(m) + r^m
 * for m < 2^b.  So F(n) = f(0) + .. + f(n-1) has F(2^b + m) = F(2^b) + F(m) + (1 - r^m)/(1 - r).
 * Among t with n bits set, 2^n - 1 has the largest f (every bit as low as can be), and f(2^n - 1)
 * increases.
 */
static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct expsum *k = (const void *)m;
	double log_r = 2 * log((double)k->power[0]), half = 0, sum = 0;
	uint64_t n = T + 1;
	unsigned b;

	/* the lowest bit first: F(2^b + the bits below) */
	for (b = 0; b < 63 && n >> b != 0; b++) {
		if (n >> b & 1)
			sum += half +
			    expm1((double)(n & (((uint64_t)1 << b) - 1)) * log_r) / expm1(log_r);
		half = 2 * half + expm1(ldexp(log_r, (int)b)) / expm1(log_r);
	}
	e->worst = ((uint64_t)1 << (63 - __builtin_clzll(n))) - 1;
	e->max = dp_mech_variance(m, e->worst);
	e->mean = sum / (double)T * ldexp(dp_noise_variance(&k->noise), -2 * (int)k->s);
}

static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	const struct expsum *k = (const void *)m;

	return dp_certificate_laplace(b, &k->noise, sensitivity(k));
}

const struct dp_mech_ops dp_expsum_paper_ops = {
	.name = "expsum-paper",
	.say.source = "EXPONENTIALSUM with the paper's lambda, alpha > .1455 "
	    "(Bolot et al. 2013, Algorithm 3)",
	.tasks = DP_TASK_EXP,
	.traits = DP_TRAIT_ENDLESS,
	.create = create, .step = step, .law.at = law, .error = error, .drawn.certify = certify
};
