/* SPDX-License-Identifier: ISC */
/* paper.c - the sketches of Mir, Muthukrishnan, Nikolov, Wright 2011. */
#include <limits.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>

#include "internal.h"

/*
 * The first sketch of Mir, Muthukrishnan, Nikolov, Wright 2011 (Algorithm 1), as far as it
 * can be computed: for reproduction, and not for use.
 *
 * Memory is a vector of Z_3^6: identifier i adds or takes its row X_i, which is public.  Memory
 * begins at, and every answer is blurred by, a draw c from the exponential mechanism for the number
 * of identifiers that would explain it,
 *	P(c) proportional to e^(-kappa dist(c)),
 * dist(c) the least number of identifiers whose rows, each times 1 or 2, sum to c.  That is
 * decoding a random code, which nobody can do for vectors that could hold a p-stable sketch (the
 * paper's): it is done here by trying all 729 of them.
 *
 * Statement: memory costs kappa1, and each of k answers kappa2, for one identifier with all of its
 * events; epsilon = kappa1 + k kappa2, half of it for memory.
 *
 * Proof.  What an identifier adds up to is c X_i, c in {0, 1, 2}: one step of dist, for dist(z +
 * x) is at most dist(z) + 1 if dist(x) = 1.  The law's normaliser does not depend on where it is
 * centred, so two centres one step apart have probabilities within e^kappa of each other, and no
 * factor 2.  Given the memory at one moment the sums at the moments of the answers differ by one
 * identifier's, too.  (The paper takes dist over a box of coefficients, -2Z to 2Z: then a value at
 * its edge is possible in one of two neighbours only, and nothing is private.  Its Lemma 1 is
 * wrong.)
 *
 * A draw is exact: a uniform vector is accepted if a discrete Laplace variable of scale 1/kappa
 * that is at least 1 is above its dist, as P(z > d | z >= 1) = e^(-kappa d).
 *
 * The estimate: row entry j is not 0 with probability m^(-j/5), so that it tells fewer identifiers
 * from more.  With phi_j = 1 - 3/2 P(entry j of both draws together is not 0), the answer's entry
 * j is 0 with probability 1/3 + 2/3 phi_j (1 - 3/2 m^(-j/5))^D; D^ is the D in 0 .. m that is
 * likeliest if they were independent.  It is off by m at the most: that is the error predicted,
 * and not much is gained on it.
 */

#define R		6
#define VECTORS		729		/* 3^R */
#define PLACES_MAX_ALG1	((uint64_t)4096)
#define FLIPS		0x1p20		/* flips in the law, which stand for a normal one */

struct alg1 {
	struct dp_memory mem;
	uint64_t places;
	double keep[R];			/* phi_j */
	uint16_t row[PLACES_MAX_ALG1];
	uint8_t dist[VECTORS];
};

static unsigned
add_alg1(unsigned x, unsigned y, unsigned times)
{
	unsigned sum = 0, p;

	for (p = 1; p < VECTORS; p *= 3)
		sum += (x / p + times * (y / p)) % 3 * p;
	return sum;
}

static double
rate(uint64_t places, unsigned j)
{
	return pow((double)places, -(double)j / (R - 1));
}

/* Public, and the same in every run: privacy does not rest on the rows. */
static uint16_t
make_row(uint64_t place, uint64_t places)
{
	static const unsigned char key[crypto_shorthash_KEYBYTES] = "alg1, X, public";
	uint64_t in[2] = { place, 0 }, h;
	unsigned row = 0, p = 1;

	for (; in[1] < R; in[1]++, p *= 3) {
		crypto_shorthash((unsigned char *)&h, (const unsigned char *)in, sizeof in, key);
		if (in[1] == 0 || ldexp((double)(h >> 11), -53) < rate(places, (unsigned)in[1]))
			row += (1 + (unsigned)(h & 1)) * p;	/* the first entry is never 0 */
	}
	return (uint16_t)row;
}

/* Breadth first from 0, a step for every row once or twice. */
static void
find_distances(struct alg1 *k)
{
	uint16_t queue[VECTORS];
	unsigned head = 0, tail = 1, times, z;
	bool step[VECTORS] = { false };
	uint64_t i;

	for (i = 0; i < k->places; i++)
		for (times = 1; times < 3; times++)
			step[add_alg1(0, k->row[i], times)] = true;
	memset(k->dist, UINT8_MAX, sizeof k->dist);
	k->dist[0] = 0;
	for (queue[0] = 0; head < tail; head++)
		for (i = 1; i < VECTORS; i++) {
			z = add_alg1(queue[head], (unsigned)i, 1);
			if (!step[i] || k->dist[z] != UINT8_MAX)
				continue;
			k->dist[z] = (uint8_t)(k->dist[queue[head]] + 1);
			queue[tail++] = (uint16_t)z;
		}
}

/* 1 - 3/2 P(entry j of a draw is not 0). */
static double
kept(const struct alg1 *k, const struct dp_noise *noise, unsigned j)
{
	double all = 0, zero = 0, p;
	unsigned i, digit = 1;

	if (noise->kind == DP_NOISE_NONE)
		return 1;
	while (j-- > 0)
		digit *= 3;
	for (i = 0; i < VECTORS; i++) {
		if (k->dist[i] == UINT8_MAX)	/* no sum of rows: never drawn */
			continue;
		p = exp(-dp_sketch_loss(noise) * k->dist[i]);
		all += p;
		zero += i / digit % 3 == 0 ? p : 0;
	}
	return 1 - 1.5 * (1 - zero / all);
}

/* A draw of the exponential mechanism. */
static int
draw(const struct alg1 *k, const struct dp_noise *noise, struct dp_rng *rng, unsigned *c)
{
	const uint8_t *q;
	int64_t z;
	unsigned u;
	int e;

	for (*c = 0; noise->kind != DP_NOISE_NONE; ) {
		if ((q = dp_rng_take(rng, 2)) == NULL)
			return DP_EENTROPY;
		u = q[0] | (unsigned)q[1] << 8;
		if (u >= 65536 / VECTORS * VECTORS)
			continue;
		*c = u % VECTORS;
		do
			if ((e = dp_draw(noise, rng, &z)) != 0)
				return e;
		while (z < 1);
		if (k->dist[*c] != UINT8_MAX && z > k->dist[*c])
			break;
	}
	return 0;
}

/* The likeliest D of an answer y. */
static double
most_likely(const struct alg1 *k, unsigned y)
{
	const double m = (double)k->places;
	double D, at = 0, best = -INFINITY, v, zero;
	unsigned j, p;

	for (D = 0; D <= m; D++) {
		for (v = 0, j = 0, p = 1; j < R; j++, p *= 3) {
			zero = (1 + 2 * k->keep[j] * pow(1 - 1.5 * rate(k->places, j), D)) / 3;
			v += log(fmax(y / p % 3 == 0 ? zero : 1 - zero, 1e-9));
		}
		if (v > best) {
			best = v;
			at = D;
		}
	}
	return at;
}

static int
alg1_count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct alg1 *k = (const void *)m;
	unsigned c;
	int e;

	(void)t;
	if ((e = draw(k, &k->mem.output, rng, &c)) != 0)
		return e;
	/* the sum is private: from here on doubles do no harm */
	*est = dp_sketch_round(most_likely(k, add_alg1((unsigned)*(uint64_t *)col, c, 1)));
	return 0;
}

static int
alg1_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	const uint64_t n = dp_sketch_outputs(rule);
	struct alg1 *k;
	unsigned j;
	uint64_t i;
	size_t outer;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX_ALG1 || n == 0 || n > 1 << 20 ||
	    s->looks != 0)
		return DP_EINVAL;
	if ((k = dp_memory_alloc(ops, sizeof *k, rule, sizeof(uint64_t))) == NULL)
		return DP_ENOMEM;
	outer = dp_numbers_enter(rule->privacy.numbers, "state");
	e = dp_privacy_laplace(&k->mem.state, &rule->privacy, dp_q_make(1, 2));
	dp_numbers_leave(rule->privacy.numbers, outer);
	if (e != 0 ||
	    (e = dp_privacy_laplace(&k->mem.output, &rule->privacy, dp_q_make(1, 2 * n))) != 0) {
		dp_mech_free(&k->mem.m);
		return e;
	}
	k->mem.m.drawn.numbers = "every answer: what decides whether a vector is taken";
	k->mem.begins = "where memory begins: likewise";
	k->mem.count = alg1_count;
	k->mem.range = 1;
	k->mem.answers = n;
	k->places = s->universe;
	for (i = 0; i < k->places; i++)
		k->row[i] = make_row(i, k->places);
	find_distances(k);
	for (j = 0; j < R; j++)
		k->keep[j] = dp_numbers_real(rule->privacy.numbers, "keep",
		    kept(k, &k->mem.state, j) * kept(k, &k->mem.output, j), -1, 1);
	dp_numbers_same_bytes(rule->privacy.numbers, "distances", k->dist, sizeof k->dist);
	dp_numbers_same_bytes(rule->privacy.numbers, "rows", k->row, sizeof k->row);
	*out = &k->mem.m;
	return 0;
}

static int
alg1_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct alg1 *k = (const void *)m;
	unsigned c = 0;
	int e = draw(k, &k->mem.state, rng, &c);

	*(uint64_t *)col = c;
	return e;
}

static int
alg1_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct alg1 *k = (const void *)m;
	uint64_t *at = col;

	(void)rng;
	if (id->word[0] < k->places)
		*at = add_alg1((unsigned)*at, k->row[id->word[0]], id->sign < 0 ? 2 : 1);
	return 0;
}

static bool
alg1_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	(void)m;
	(void)t;
	return *(const uint64_t *)col < VECTORS;
}

static void
law_alg1(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)out;
	(void)t;
	dp_law_flip(l, 2 * (double)((const struct alg1 *)(const void *)m)->places / sqrt(FLIPS),
	    FLIPS, 0.5);
}

static const char *
alg1_refuses(const struct dp_task *k)
{
	const struct dp_sketch *s = k->own;

	return s->universe > PLACES_MAX_ALG1 ?
	    "is for a universe of at most 4096: above, no computer finds its noise; take cells" :
	    s->universe == 0 ? "needs --universe: take hashed" : NULL;
}

static bool
alg1_note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
{
	(void)m;
	(void)unit_;
	if (i != 0)
		return false;
	snprintf(text, size, "it is a DEMONSTRATION of what the paper describes, no estimate for "
	    "use: an answer may be off by all of the universe; take density, or cells");
	return true;
}

const struct dp_mech_ops dp_alg1_ops = {
	DP_MEMORY_OPS, .name = "alg1", .say.source = "for reproduction: 729 vectors, and the "
	    "exponential mechanism (Mir et al. 2011, 1)",
	.say.noise = "exponential mechanism",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN | DP_TRAIT_NAMED,
	.statistic = &dp_distinct, .say.refuses = alg1_refuses, .say.note = alg1_note,
	.create = alg1_create, .start = alg1_start,
	.open.see = alg1_see, .law.at = law_alg1, .error = dp_mech_error_constant, .valid =
	    alg1_valid
};

/*
 * Algorithm 2 of Mir, Muthukrishnan, Nikolov, Wright 2011, for comparison: its constants
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
 * Privacy: PAN-PRIVACY in internal.h on a circle of M places, any two of which have odds of E at
 * the
 * most, with R = M - 1.
 */

#define PLACES_MAX	((uint64_t)1 << 28)
#define TAU_MAX		((uint64_t)1 << 16)
#define TRIED_ALG2		4096		/* counts */

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
worth_alg2(const struct alg2 *k, double more)
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
try_counts_alg2(struct alg2 *k)
{
	const uint64_t tau = k->mem.s.tau, step = 1 + 8 * tau / TRIED_ALG2;
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

/* kappa, by which estimates of this plan of alg2 were divided. */
static double
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
variance_alg2(const void *arg, double eps1, double noise)
{
	const struct alg2 *k = arg;
	const double more = expm1(eps1), unit = worth_alg2(k, more);
	double mean, var;

	cell_law(k, more, 0, &mean, &var);
	return unit * unit * ((double)k->mem.s.universe * var * (double)k->G * (double)k->G +
	    noise);
}

static int
budget_alg2(struct alg2 *k, const struct dp_mech_rule *rule)
{
	const struct dp_q odds = dp_q_make(2 * k->mem.s.tau - 1, 1);
	struct dp_privacy wide = rule->privacy;
	struct dp_q state, output;
	int e;

	if ((e = dp_sketch_shares(&state, &output, rule, k->M - 1, variance_alg2, k)) != 0 ||
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
alg2_count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
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
	    (M * (M - 1) + k->more * G * (G - 1)) / (2 * all)) * worth_alg2(k, k->more) / k->kappa);
	return 0;
}

static int
alg2_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
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
	k->mem.count = alg2_count;
	k->mem.coin = &k->block;
	k->mem.odds = 2 * s->tau - 1;
	k->mem.range = k->M - 1;
	k->mem.answers = dp_sketch_outputs(rule);
	if ((e = budget_alg2(k, rule)) != 0) {
		dp_mech_free(&k->mem.m);
		return e;
	}
	k->more = dp_numbers_real(rule->privacy.numbers, "more", dp_memory_exact(&k->mem) ? 1 :
	    expm1(k->block.x), 0x1p-64, INFINITY);
	try_counts_alg2(k);
	k->kappa = dp_numbers_real(rule->privacy.numbers, "kappa", k->kappa, 0.25, 4);
	k->mem.m.drawn.unit = worth_alg2(k, k->more) / k->kappa;
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
alg2_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
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
weight_alg2(const struct alg2 *k, const struct column *c, uint64_t i)
{
	uint64_t h;

	crypto_shorthash((unsigned char *)&h, (const unsigned char *)&i, sizeof i, c->key);
	return k->G + (uint64_t)((dp_uwide)h * (k->G + 1) >> 64);
}

static int
alg2_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
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
	w = weight_alg2(k, c, i);
	c->cell[i] = (c->cell[i] + (id->sign < 0 ? k->M - w : w)) % k->M;
	return 0;
}

/* Normal but for the output's noise, for the counts that leave it widest; without the bias. */
static void
law_alg2(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
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
alg2_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct alg2 *k = (const void *)m;
	const double bias = bias_in(k, T);

	e->max = e->mean = dp_mech_variance(m, T) + (dp_memory_exact(&k->mem) ? 0 : bias * bias);
	e->worst = T;
}

/* unit: a grid unit in the user's, which is 1. */
static bool
alg2_note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
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
	.statistic = &dp_cropped, .create = alg2_create, .start = alg2_start, .open.see = alg2_see,
	    .law.at = law_alg2,
	.error = alg2_error, .say.note = alg2_note
};

/*
 * Algorithm 3 of Mir, Muthukrishnan, Nikolov, Wright 2011, for comparison: heavy hitters
 * as the difference of two cropped sums.
 *
 * Identifiers are those of a universe, or are hashed to h buckets.  Of what came to each place two
 * sums are estimated by Algorithm 2 (paper.c), with the mended constants and not divided by
 * anything: x1 cropped at tau, x2 at tau/2 (the paper's c is 2; tau is its F1/k, which it takes to
 * be known), and the answer is
 *
 *	(x1 - x2)/(tau - tau/2).
 *
 * The paper takes any estimate of cropped sums to do.  What Algorithm 2 estimates is off by up to a
 * factor, which differences do not keep: a place with N events counts
 *	v(N) = (phi(N, tau) - phi(N, tau/2))/(tau - tau/2),
 * phi as in paper.c: nothing below tau/2 but for what wraps, from 0 to 2 up to tau, and 2/3 to 2
 * from there on.  And each sum has an error of the order of tau^2 sqrt(h)/eps, tau times what the
 * paper has: after the division tau sqrt(h)/eps remain, where O(sqrt(k)/eps) is said.
 *
 * Privacy: two parts, each with half of the budget for all of an identifier's events
 * (counter/mech.h),
 * which feed one cell of each.  The paper's 2 eps leaves out that a sum costs eps for its memory
 * and as much for its output.
 */

extern const struct dp_mech_ops dp_alg2_ops;

#define TRIED	4096		/* numbers of events */

struct alg3 {
	struct dp_mech m;
	struct dp_sketch s;
	uint64_t places;		/* h */
	double width;			/* tau - tau/2 */
	double least, most;		/* v(N) for N >= tau */
};

static uint64_t
tau_of(const struct alg3 *k, unsigned i)
{
	return i == 0 ? k->s.tau : k->s.tau / 2;
}

/* Of v(N), over numbers of events: the range from tau on; and the most that it is off a ramp. */
static double
try_counts_alg3(struct alg3 *k)
{
	const double tau = (double)k->s.tau, low = (double)(k->s.tau / 2);
	const double step = fmax(1, floor(8 * tau / TRIED));
	double N, v, off = 0;

	k->least = INFINITY;
	for (N = step; N <= 8 * tau; N += step) {
		v = (dp_alg2_adds(k->m.part[0].inner, N) - dp_alg2_adds(k->m.part[1].inner, N)) /
		    k->width;
		off = fmax(off, fabs(v - fmin(1, fmax(0, (N - low) / k->width))));
		if (N >= tau) {
			k->least = fmin(k->least, v);
			k->most = fmax(k->most, v);
		}
	}
	return off;
}

static int
create_part(struct alg3 *k, const struct dp_mech_rule *rule, unsigned i)
{
	const uint64_t l1 = rule->privacy.l1;
	const struct dp_reach reach = { .l1 = l1, .l2squared = l1 * l1, .linf = l1,
	    .columns = 1 };
	struct dp_sketch own = k->s;
	struct dp_mech_rule inner = *rule;
	int e;

	own.universe = k->places;
	own.tau = tau_of(k, i);
	inner.task.statistic = &dp_cropped;
	inner.task.own = &own;
	if ((e = dp_privacy_part(&inner.privacy, &rule->privacy, dp_q_make(1, 2), &reach)) != 0)
		return e;
	return dp_part_create(&k->m, &dp_alg2_ops, &inner, 1, 1);
}

static int
plan_alg3(struct alg3 *k, const struct dp_mech_rule *rule)
{
	const uint64_t heavy = k->s.lines ? rule->report / (k->s.tau / 2) : k->places;
	size_t end = 0;
	double off;
	unsigned i;
	int e;

	for (i = 0; i < 2; i++) {
		if ((e = create_part(k, rule, i)) != 0)
			return e;
		end = dp_part_place(&k->m.part[i], end);
		if (end == SIZE_MAX)
			return DP_ENOMEM;
	}
	k->m.column = end;
	k->m.drawn.unit = dp_alg2_divided(k->m.part[0].inner) / k->width;
	off = rule->privacy.exact ? 0 : try_counts_alg3(k);
	k->m.off.drift = k->s.universe == 0 ? INFINITY :
	    off * (double)(heavy < k->places ? heavy : k->places);
	dp_numbers_same(rule->privacy.numbers, "places", k->places);
	dp_numbers_same(rule->privacy.numbers, "tau", k->s.tau);
	return dp_numbers_error(rule->privacy.numbers);
}

static int
alg3_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct alg3 *k;

	if (s->share != 0 || s->tau < 2)
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon, 0);
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->s = *s;
	k->places = s->universe != 0 ? s->universe :
	    s->buckets != 0 ? s->buckets : DP_SKETCH_BUCKETS;
	k->width = (double)(s->tau - s->tau / 2);
	k->m.inputs = 0;
	return plan_alg3(k, rule);
}

static const char *
alg3_refuses(const struct dp_task *k)
{
	const struct dp_sketch *s = k->own;

	return s->share != 0 ? "takes its threshold to be known: --tau, not --share" :
	    s->tau < 2 ? "needs a --tau of 2 at least" : NULL;
}

static int
alg3_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct alg3 *k = (const void *)m;
	struct dp_id at = { .word = { id->word[0], 0 }, .sign = id->sign };
	unsigned i;
	int e = 0;

	if (k->s.universe == 0)
		at.word[0] = (uint64_t)((dp_uwide)id->word[0] * k->places >> 64);
	for (i = 0; i < 2 && e == 0; i++)
		e = m->part[i].inner->ops->open.see(m->part[i].inner,
		    dp_part_column(&m->part[i], col, 0), rng, &at);
	return e;
}

static int
alg3_answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct alg3 *k = (const void *)m;
	dp_wide x[2];
	unsigned i;
	int e = 0;

	for (i = 0; i < 2 && e == 0; i++)
		e = m->part[i].inner->ops->answer(m->part[i].inner,
		    dp_part_column(&m->part[i], col, 0), rng, t, &x[i]);
	/* what parts answer is private */
	if (e == 0)
		*est = dp_sketch_round(((double)x[0] * dp_alg2_divided(m->part[0].inner) -
		    (double)x[1] * dp_alg2_divided(m->part[1].inner)) / k->width);
	return e;
}

/* Without the bias. */
static void
law_alg3(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct alg3 *k = (const void *)m;
	struct dp_law one;
	const struct dp_noise *z;
	const char *what;
	unsigned i, j;
	double each;

	for (i = 0; i < 2; i++) {
		const struct dp_mech *inner = m->part[i].inner;

		each = dp_alg2_divided(inner) / k->width;
		dp_mech_law(inner, out, t, &one);
		for (j = 0; j < one.flips; j++)
			dp_law_flip(l, one.flip[j].coef * each, one.flip[j].n, one.flip[j].p);
		if (dp_mech_family(inner, 0, &z, &what))
			dp_law_add(l, z, inner->drawn.unit * each, 1);
	}
}

static void
alg3_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const double bias = isinf(m->off.drift) ? 0 : m->off.drift;

	e->max = e->mean = dp_mech_variance(m, T) + bias * bias;
	e->worst = T;
}

static bool
alg3_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	return dp_part_valid(&m->part[0], col, t) && dp_part_valid(&m->part[1], col, t);
}

static bool
alg3_note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
{
	const struct alg3 *k = (const void *)m;

	(void)unit_;
	if (i != 0 || !(k->most > 0))
		return false;
	snprintf(text, size, "it is the difference of two cropped sums, at %llu and %llu, each "
	    "with half of epsilon, and BIASED: one that came at least %llu times counts %.4g to "
	    "%.4g", (unsigned long long)tau_of(k, 0), (unsigned long long)tau_of(k, 1),
	    (unsigned long long)k->s.tau, k->least, k->most);
	return true;
}

const struct dp_mech_ops dp_alg3_ops = {
	.name = "alg3", .tasks = DP_TASK_OWN, .statistic = &dp_heavy,
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN | DP_TRAIT_NAMED,
	.create = alg3_create, .step = dp_sketch_step, .answer = alg3_answer, .valid = alg3_valid,
	.error = alg3_error, .open.see = alg3_see, .law.at = law_alg3, .drawn.certify =
	    dp_certificate_parts,
	.say = { .source = "the difference of two sums of alg2 (Mir et al. 2011, Algorithm 3, its "
	    "constants mended)", .note = alg3_note, .refuses = alg3_refuses }
};
