/*
 * sample.c - distinct identifiers of a declared universe, by random bits of a sample of it.
 *
 * n of the m places of the universe are sampled, without replacement, before any event, and have a
 * bit each, as in density.c; an identifier that is not among them counts nowhere.  With Y bits of n
 * at 1, D of m seen, z DLap(1/eps2), p = 1/(1+E), gap = 1 - 2p
 *
 *	D^ = (m/n) (Y + z - n p)/gap
 *	Var D^ = (m/n)^2 (n p (1 - p) + Var z)/gap^2 + (m/n) D (1 - D/m) (m - n)/(m - 1)
 *
 * is unbiased: of D identifiers X are sampled, a hypergeometric number, E X = D n/m.  The last term
 * is largest for D = m/2.
 *
 * Privacy: the sample does not depend on the stream, and is in memory, where all may see it; given
 * it, AGAIN in bits.h.  That hardly anybody is sampled gains nothing: whoever is, is known.
 *
 * The sample is the first n places of a permutation of all: a Feistel network of eight rounds of
 * SipHash-2-4 under a public key on the least even number of bits that hold m, applied again where
 * it leaves 0 .. m - 1 (cycle walking), which keeps it a permutation.
 *
 * Dwork, Naor, Pitassi, Rothblum, Yekhanin 2010: the density of a sample, in memory of the sample's
 * size.  n is --buckets.
 */
#include <math.h>

#include <sodium.h>

#include "bits.h"

#define PLACES_MAX	((uint64_t)1 << 32)
#define ROUNDS		8

struct sample {
	struct dp_memory mem;
	struct dp_odds odds;
	uint64_t n;
	unsigned half;			/* bits of half of a place */
	double unit;			/* of an identifier */
};

struct column {
	uint8_t key[crypto_shorthash_KEYBYTES];
	uint64_t bit[];
};

_Static_assert(sizeof(struct column) == 16, "a key of two words");

/* m/n. */
static double
weight(const struct sample *k)
{
	return (double)k->mem.s.universe / (double)k->n;
}

/* Largest variance of the sampled number, for D = M/2 or the most that there may be. */
static double
sampling(const struct sample *k)
{
	const double m = (double)k->mem.s.universe, n = (double)k->n;

	return m == 1 ? 0 : n / 4 * (m - n) / (m - 1);
}

static double
variance(const void *arg, double eps1, double noise)
{
	const struct sample *k = arg;
	const double s = sinh(eps1 / 2), t = tanh(eps1 / 2);

	return (double)k->n / (4 * s * s) + noise / (t * t);
}

static int
count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct sample *k = (const void *)m;
	const uint64_t y = dp_bits_count(((struct column *)col)->bit, 0, k->n);
	int64_t z;
	int e;

	(void)t;
	if ((e = dp_draw(&k->mem.output, rng, &z)) != 0)
		return e;
	/* y + z is private: from here on doubles do no harm */
	*est = dp_sketch_round(((double)((int64_t)y + z) - (double)k->n * k->odds.p) / k->odds.gap *
	    weight(k) * k->unit);
	return 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	const uint64_t n = s->buckets != 0 ? s->buckets : DP_SKETCH_BUCKETS;
	struct sample *k;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX || n > s->universe || s->wide != 0 ||
	    s->deletes)
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule, sizeof(struct column) + dp_bits_bytes(n));
	if (k == NULL)
		return DP_ENOMEM;
	k->n = n;
	k->half = (dp_ceil_log2(s->universe) + 1) / 2;
	k->half = k->half == 0 ? 1 : k->half;
	k->unit = dp_sketch_unit(rule);
	k->mem.draws += 1;
	k->mem.begins = DP_BIT_BEGINS;
	k->mem.count = count;
	k->mem.redrawn = true;
	if ((e = dp_memory_split(&k->mem, rule, 1, variance, k)) != 0)
		return e;
	dp_bits_odds(&k->odds, &k->mem.state, rule->privacy.numbers);
	k->mem.m.drawn.unit = k->unit * weight(k) / k->odds.gap;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	dp_numbers_same(rule->privacy.numbers, "cells", n);
	*out = &k->mem.m;
	return 0;
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct sample *k = (const void *)m;
	struct column *c = col;
	int e = dp_memory_key(c->key, rng);	/* without noise, too: it is a sample */

	return e != 0 ? e : dp_bits_start(c->bit, k->n, &k->mem.state, rng);
}

/* The place of i among the universe's, by the key's permutation. */
static uint64_t
place_of(const struct sample *k, const uint8_t *key, uint64_t i)
{
	const uint64_t mask = ((uint64_t)1 << k->half) - 1;
	uint64_t in[2], left, right, h;

	do {
		left = i >> k->half;
		right = i & mask;
		for (in[1] = 0; in[1] < ROUNDS; in[1]++) {
			in[0] = right;
			crypto_shorthash((unsigned char *)&h, (const unsigned char *)in, sizeof in,
			    key);
			h = (left ^ h) & mask;
			left = right;
			right = h;
		}
		i = left << k->half | right;
	} while (i >= k->mem.s.universe);
	sodium_memzero(in, sizeof in);
	return i;
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct sample *k = (const void *)m;
	struct column *c = col;
	uint64_t place;

	if (id->word[0] >= k->mem.s.universe)
		return 0;
	place = place_of(k, c->key, id->word[0]);
	return place < k->n ? dp_bits_see(c->bit, place, &k->mem.state, rng) : 0;
}

/*
 * The sampled number counts as a binomial one of its largest variance.  That this covers D is not
 * proved; tests/law/s_coverage.c counts how often it does.
 */
static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct sample *k = (const void *)m;
	const double n = (double)k->n, each = weight(k) * k->unit;

	(void)out;
	(void)t;
	dp_law_flip(l, each * sqrt(4 * sampling(k) / n), n, 0.5);
	if (dp_memory_exact(&k->mem))
		return;
	dp_law_flip(l, m->drawn.unit, n, k->odds.p);
	dp_law_add(l, &k->mem.output, m->drawn.unit, 1);
}

#define SAMPLE \
	DP_MEMORY_OPS, .name = "sample", \
	.say.source = "a random bit for each of a sample of a universe (Dwork et al. 2010, Pan-" \
	    "private Streaming Algorithms)", \
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN | DP_TRAIT_NAMED, \
	.say.refuses = dp_sketch_refuse_deletes, .start = start, .open.see = see, .law.at = law, \
	.error = dp_mech_error_constant

const struct dp_mech_ops dp_sample_distinct_ops = {
	SAMPLE, .statistic = &dp_distinct, .create = create
};

const struct dp_mech_ops dp_sample_ops = {
	SAMPLE, .statistic = &dp_density, .create = create
};
