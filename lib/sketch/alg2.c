/*
 * alg2.c - Algorithm 2 of Mir, Muthukrishnan, Nikolov, Wright 2011, for comparison: its constants
 * mended, in integers.
 *
 * The sum of min(a, tau) over m identifiers, a their net counts, by a cell each:
 *	s = (c + w a) mod M,  M = 2 tau G,
 * w public and uniform in G .. 2G, c among the first G places with E times the probability of the
 * others, E = e^eps1.  The paper has real numbers, where G is 1, and (tau, [1, 2], 2 tau) for
 * (tau G, [G, 2G], M); a real number's last bits would tell a cell that was moved from one that was
 * not.  With K = 2 tau - 1 + E, S the sum of the cells and z the noise of the output, DLap of
 * scale (M - 1)/eps2,
 *
 *	T' = ((S + z)/G - m (2 tau^2 + (E - 1)/2)/K) K/(E - 1),  but for terms of 1/G,
 *
 * estimates the sum of phi(a), where phi(a) is the mean over w of (w a mod M)/G, but for what wraps
 * while c is among the first G, a loss of the order of 1/tau.  In the limit of large tau the ratio
 * phi(a)/min(a, tau) is from 2 sqrt(6) - 4 = 0.898979 (at a = sqrt(8/3) tau) to 3/2 (at tau), so
 * that T'/kappa, kappa = sqrt(1.5 * 0.898979) = 1.1613, is off by a factor of 1.2917 at most,
 * either way.  For each tau there are such numbers, found by trying counts a.
 *
 * What the paper has otherwise: tau^2 m/K in place of 2 tau^2 m/K, a bias of tau^2 m/(E - 1); an
 * additive error of the order of tau sqrt(m)/eps, where it is tau^2 sqrt(m)/eps, as one unit moves
 * the mean by (E - 1)/K; and a factor from 1/2 to 2.
 *
 * Privacy: PAN-PRIVACY in cells.h on a circle of M places, any two of which have odds of E at the
 * most, with R = M - 1.
 */
#include <math.h>
#include <stdio.h>

#include <sodium.h>

#include "noise/coin.h"
#include "alg2.h"

#define PLACES_MAX	((uint64_t)1 << 28)
#define TAU_MAX		((uint64_t)1 << 16)
#define FLIPS		0x1p20		/* of the law: so many bits are normal */
#define TRIED		4096		/* counts */

struct alg2 {
	struct dp_memory mem;
	struct dp_coin block;		/* heads: c is among the first G */
	uint64_t G, M;
	double more;			/* E - 1 */
	double kappa, factor;		/* T'/kappa is off by this factor at most */
	double each;			/* variance of s/G, the largest */
};

struct column {
	uint8_t key[crypto_shorthash_KEYBYTES];
	uint64_t cell[];
};

_Static_assert(sizeof(struct column) == 16, "a key of two words");

/* Worth of a cell's unit: K/((E - 1) G). */
static double
worth(const struct alg2 *k, double more)
{
	return (2 * (double)k->mem.s.tau + more) / (more * (double)k->G);
}

/*
 * Mean and variance of s/G for a net count a.  All places once, and the block E - 1 times more:
 * with Y = x + U mod 2 tau, x = w a and U uniform in [0, 1], as G is large,
 *	K E s = 2 tau^2 + (E - 1) E Y,  K E s^2 = 8 tau^3/3 + (E - 1) E Y^2.
 * Given x, less than 2 tau, and what of [x, x + 1] wraps, u = max(0, x - 2 tau + 1), the two are
 * x + 1/2 - 2 tau u and x^2 + x + 1/3 - 2 tau u^2 - 4 tau^2 u.  sums() has their integrals from 0.
 */
static void
sums(double tau, double x, double *one, double *two)
{
	const double u = fmax(0, x - 2 * tau + 1);

	*one = x * (x + 1) / 2 - tau * u * u;
	*two = x * (x * (x / 3 + 0.5) + 1. / 3) - 2 * tau * u * u * (u / 3 + tau);
}

static void
cell_law(const struct alg2 *k, double more, double a, double *mean, double *var)
{
	const double tau = (double)k->mem.s.tau, K = 2 * tau + more;
	const double turns[] = { floor(a / tau / 2), floor(a / tau) };
	double one[3], two[3], m1 = 0.5, m2 = 1. / 3;

	sums(tau, 2 * tau, &one[2], &two[2]);
	sums(tau, a - 2 * tau * turns[0], &one[0], &two[0]);
	sums(tau, 2 * a - 2 * tau * turns[1], &one[1], &two[1]);
	if (a > 0) {		/* the mean over x from a to 2a */
		m1 = (one[1] - one[0] + (turns[1] - turns[0]) * one[2]) / a;
		m2 = (two[1] - two[0] + (turns[1] - turns[0]) * two[2]) / a;
	}
	*mean = (2 * tau * tau + more * m1) / K;
	*var = (8 * tau * tau * tau / 3 + more * m2) / K - *mean * *mean;
}

/* Tries the counts to 8 tau, tau among them. */
static void
try_counts(struct alg2 *k)
{
	const uint64_t tau = k->mem.s.tau, step = 1 + 8 * tau / TRIED;
	const double inverse = (2 * (double)tau + k->more) / k->more;	/* of the gain */
	double zero, mean, var, phi, lo = INFINITY, hi = 0;
	uint64_t a, i;

	cell_law(k, k->more, 0, &zero, &k->each);
	for (i = 0; i <= 8 * tau / step; i++) {
		a = i == 0 ? tau : i * step;
		cell_law(k, k->more, (double)a, &mean, &var);
		k->each = fmax(k->each, var);
		phi = (mean - zero) * inverse / (double)(a < tau ? a : tau);
		lo = fmin(lo, phi);
		hi = fmax(hi, phi);
	}
	k->kappa = sqrt(lo * hi);
	k->factor = sqrt(hi / lo);
}

double
dp_alg2_divided(const struct dp_mech *m)
{
	return dp_memory_exact((const struct dp_memory *)(const void *)m) ? 1 :
	    ((const struct alg2 *)(const void *)m)->kappa;
}

double
dp_alg2_adds(const struct dp_mech *m, double a)
{
	const struct alg2 *k = (const void *)m;
	double zero, mean, var;

	cell_law(k, k->more, 0, &zero, &var);
	cell_law(k, k->more, a, &mean, &var);
	return (mean - zero) * (2 * (double)k->mem.s.tau + k->more) / k->more;
}

static double
variance(const void *arg, double eps1, double noise)
{
	const struct alg2 *k = arg;
	const double more = expm1(eps1), unit = worth(k, more);
	double mean, var;

	cell_law(k, more, 0, &mean, &var);
	return unit * unit * ((double)k->mem.s.universe * var * (double)k->G * (double)k->G +
	    noise);
}

static int
budget(struct alg2 *k, const struct dp_mech_rule *rule)
{
	const struct dp_q odds = dp_q_make(2 * k->mem.s.tau - 1, 1);
	struct dp_privacy wide = rule->privacy;
	struct dp_q state, output;
	int e;

	if ((e = dp_sketch_shares(&state, &output, rule, k->M - 1, variance, k)) != 0 ||
	    (e = dp_privacy_coin(&k->block, &wide, state, odds)) != 0)
		return e;
	if (wide.l1 > ((uint64_t)1 << 62) / k->M)
		return DP_ERANGE;
	wide.l1 *= k->M - 1;
	return dp_privacy_laplace(&k->mem.output, &wide, output);
}

/* By how much the mean can be off: factor - 1 of what all can come to in T steps; 0: unknown. */
static double
bias_in(const struct alg2 *k, uint64_t T)
{
	const double all = (double)k->mem.s.universe * (double)k->mem.s.tau;

	return (k->factor - 1) * (k->mem.s.lines && T != 0 ? fmin(all, (double)T) : all);
}

static int
count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct alg2 *k = (const void *)m;
	const struct column *c = col;
	const double all = (2 * (double)k->mem.s.tau + k->more) * (double)k->G;
	dp_wide sum = 0;
	const double M = (double)k->M, G = (double)k->G;
	uint64_t i;
	int64_t z;
	int e;

	(void)t;
	if (dp_memory_exact(&k->mem)) {
		for (i = 0; i < k->mem.s.universe; i++)
			sum += c->cell[i] >> 63 != 0 ? 0 :
			    (dp_wide)(c->cell[i] < k->mem.s.tau ? c->cell[i] : k->mem.s.tau);
		*est = sum;
		return 0;
	}
	if ((e = dp_draw(&k->mem.output, rng, &z)) != 0)
		return e;
	for (i = 0; i < k->mem.s.universe; i++)
		sum += c->cell[i];
	/* sum + z is private: from here on doubles do no harm */
	*est = dp_sketch_round(((double)(sum + z) - (double)k->mem.s.universe *
	    (M * (M - 1) + k->more * G * (G - 1)) / (2 * all)) * worth(k, k->more) / k->kappa);
	return 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct alg2 *k;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX || s->tau == 0 || s->tau > TAU_MAX ||
	    s->share != 0 || (s->bits != 0 && (s->bits > 32 || s->tau >> (s->bits - 1) > 1)))
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule,
	    sizeof(struct column) + s->universe * sizeof(uint64_t));
	if (k == NULL)
		return DP_ENOMEM;
	k->G = ((uint64_t)1 << (s->bits != 0 ? s->bits - 1 : 24)) / s->tau;
	k->M = 2 * s->tau * k->G;
	k->mem.count = count;
	k->mem.coin = &k->block;
	k->mem.odds = 2 * s->tau - 1;
	k->mem.range = k->M - 1;
	k->mem.answers = dp_sketch_outputs(rule);
	if ((e = budget(k, rule)) != 0) {
		dp_mech_free(&k->mem.m);
		return e;
	}
	k->more = dp_numbers_real(rule->privacy.numbers, "more", dp_memory_exact(&k->mem) ? 1 :
	    expm1(k->block.x), 0x1p-64, INFINITY);
	try_counts(k);
	k->kappa = dp_numbers_real(rule->privacy.numbers, "kappa", k->kappa, 0.25, 4);
	k->mem.m.drawn.unit = worth(k, k->more) / k->kappa;
	k->mem.m.off.drift = dp_memory_exact(&k->mem) ? 0 : bias_in(k, rule->horizon);
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	dp_numbers_same(rule->privacy.numbers, "tau", s->tau);
	*out = &k->mem.m;
	return 0;
}

static int
begin(const struct alg2 *k, struct dp_rng *rng, uint64_t *cell)
{
	bool heads;
	int e = dp_coin_toss(&k->block, rng, &heads);

	if (e == 0)
		e = dp_fair(rng, heads ? k->G : k->M - k->G, cell);
	*cell += heads ? 0 : k->G;
	return e;
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct alg2 *k = (const void *)m;
	struct column *c = col;
	uint64_t i;
	int e;

	if (dp_memory_exact(&k->mem))
		return 0;
	e = dp_memory_key(c->key, rng);
	for (i = 0; i < k->mem.s.universe && e == 0; i++)
		e = begin(k, rng, &c->cell[i]);
	dp_rng_wipe(rng);
	return e;
}

/* w, of cell i. */
static uint64_t
weight(const struct alg2 *k, const struct column *c, uint64_t i)
{
	uint64_t h;

	crypto_shorthash((unsigned char *)&h, (const unsigned char *)&i, sizeof i, c->key);
	return k->G + (uint64_t)((dp_uwide)h * (k->G + 1) >> 64);
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct alg2 *k = (const void *)m;
	const uint64_t i = id->word[0];
	struct column *c = col;
	uint64_t w;

	(void)rng;
	if (i >= k->mem.s.universe)
		return 0;
	if (dp_memory_exact(&k->mem)) {
		c->cell[i] += (uint64_t)(int64_t)id->sign;
		return 0;
	}
	w = weight(k, c, i);
	c->cell[i] = (c->cell[i] + (id->sign < 0 ? k->M - w : w)) % k->M;
	return 0;
}

/* Normal but for the output's noise, for the counts that leave it widest; without the bias. */
static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct alg2 *k = (const void *)m;

	(void)out;
	(void)t;
	if (dp_memory_exact(&k->mem))
		return;
	dp_law_flip(l, 2 * m->drawn.unit * (double)k->G *
	    sqrt((double)k->mem.s.universe * k->each / FLIPS), FLIPS, 0.5);
	dp_law_add(l, &k->mem.output, m->drawn.unit, 1);
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct alg2 *k = (const void *)m;
	const double bias = bias_in(k, T);

	e->max = e->mean = dp_mech_variance(m, T) + (dp_memory_exact(&k->mem) ? 0 : bias * bias);
	e->worst = T;
}

/* unit: a grid unit in the user's, which is 1. */
static bool
note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
{
	const struct alg2 *k = (const void *)m;

	(void)unit_;
	if (i > 1 || dp_memory_exact(&k->mem))
		return false;
	if (i == 1) {
		snprintf(text, size, "of epsilon, %.4g is for memory: the first places of the "
		    "circle are so much likelier, in logarithms, for a cell to begin at",
		    k->block.x);
		return true;
	}
	snprintf(text, size, "it is BIASED: what it estimates is divided by %.4f, and then off by "
	    "a factor of up to %.4f either way (for large tau 1.1613 and 1.2917); what it is off "
	    "by at most, and its error in the list of those eligible, have that in them, the "
	    "other figures have not", k->kappa, k->factor);
	return true;
}

const struct dp_mech_ops dp_alg2_ops = {
	DP_MEMORY_OPS, .name = "alg2", .say.source = "cells modulo a multiple of tau (Mir et al. "
	    "2011, Algorithm 2, constants mended)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN | DP_TRAIT_NAMED,
	.statistic = &dp_cropped, .create = create, .start = start, .open.see = see, .law.at = law,
	.error = error, .say.note = note
};
