/*
 * alg1.c - the first sketch of Mir, Muthukrishnan, Nikolov, Wright 2011 (Algorithm 1), as far as it
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
#include <math.h>
#include <stdio.h>

#include <sodium.h>

#include "sketch.h"

#define R		6
#define VECTORS		729		/* 3^R */
#define PLACES_MAX	((uint64_t)4096)
#define FLIPS		0x1p20		/* of the law: so many bits are normal */

struct alg1 {
	struct dp_memory mem;
	uint64_t places;
	double keep[R];			/* phi_j */
	uint16_t row[PLACES_MAX];
	uint8_t dist[VECTORS];
};

static unsigned
add(unsigned x, unsigned y, unsigned times)
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
			step[add(0, k->row[i], times)] = true;
	memset(k->dist, UINT8_MAX, sizeof k->dist);
	k->dist[0] = 0;
	for (queue[0] = 0; head < tail; head++)
		for (i = 1; i < VECTORS; i++) {
			z = add(queue[head], (unsigned)i, 1);
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
count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct alg1 *k = (const void *)m;
	unsigned c;
	int e;

	(void)t;
	if ((e = draw(k, &k->mem.output, rng, &c)) != 0)
		return e;
	/* the sum is private: from here on doubles do no harm */
	*est = dp_sketch_round(most_likely(k, add((unsigned)*(uint64_t *)col, c, 1)));
	return 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	const uint64_t n = dp_sketch_outputs(rule);
	struct alg1 *k;
	unsigned j;
	uint64_t i;
	size_t outer;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX || n == 0 || n > 1 << 20 ||
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
	k->mem.count = count;
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
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct alg1 *k = (const void *)m;
	unsigned c = 0;
	int e = draw(k, &k->mem.state, rng, &c);

	*(uint64_t *)col = c;
	return e;
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct alg1 *k = (const void *)m;
	uint64_t *at = col;

	(void)rng;
	if (id->word[0] < k->places)
		*at = add((unsigned)*at, k->row[id->word[0]], id->sign < 0 ? 2 : 1);
	return 0;
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	(void)m;
	(void)t;
	return *(const uint64_t *)col < VECTORS;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	(void)out;
	(void)t;
	dp_law_flip(l, 2 * (double)((const struct alg1 *)(const void *)m)->places / sqrt(FLIPS),
	    FLIPS, 0.5);
}

static const char *
refuses(const struct dp_task *k)
{
	const struct dp_sketch *s = k->own;

	return s->universe > PLACES_MAX ?
	    "is for a universe of at most 4096: above, no computer finds its noise; take cells" :
	    s->universe == 0 ? "needs --universe: take hashed" : NULL;
}

static bool
note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
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
	.statistic = &dp_distinct, .say.refuses = refuses, .say.note = note,
	.create = create, .start = start,
	.open.see = see, .law.at = law, .error = dp_mech_error_constant, .valid = valid
};
