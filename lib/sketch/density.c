/* SPDX-License-Identifier: ISC */
/* density.c - distinct identifiers of a declared universe: random bits. */
#include <math.h>
#include <sodium.h>
#include <stdio.h>

#include "internal.h"

/*
 * Distinct identifiers of a declared universe, done only: a random bit each.
 *
 * A bit begins as 1 with probability p = 1/(1+E), E = e^eps1, and whenever its identifier is seen,
 * the first time or not, it is drawn again, as 1 with probability 1 - p.  Y bits of m are 1 and D
 * identifiers were seen, so with z, DLap(1/eps2), and gap = 1 - 2p = tanh(eps1/2)
 *
 *	D^ = (Y + z - m p)/gap,  Var D^ = (m p (1 - p) + Var z)/gap^2 = m/(4 sinh^2(eps1/2)) + ..
 *
 * is unbiased, whatever D is, before it is rounded: half of what cells need that can be undone.
 *
 * Statement: one identifier's events, any number of them or none, cost eps1 + log(p + (1 - p)
 * e^(k eps2)), with memory seen once and k outputs.  Proof: AGAIN in internal.h; only its own bit
 * has
 * another law.  That each sight draws again, the first one like the others, is needed: to know a
 * first sight would take an exact memory.
 *
 * Dwork, Roth 2014, section 12.2, and Dwork et al. 2010, with the law that is symmetric: theirs,
 * 1/2 and 1/2 + eps/4, has twice the error.
 */

#define PLACES_MAX	((uint64_t)1 << 32)

struct density {
	struct dp_memory mem;
	struct dp_odds odds;
	double unit;
};

static double
variance_density(const void *arg, double eps1, double noise)
{
	const struct density *k = arg;
	const double s = sinh(eps1 / 2), t = tanh(eps1 / 2);

	return (double)k->mem.s.universe / (4 * s * s) + noise / (t * t);
}

static int
density_count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct density *k = (const void *)m;
	const uint64_t y = dp_bits_count(col, 0, k->mem.s.universe);
	int64_t z;
	int e;

	(void)t;
	if ((e = dp_draw(&k->mem.output, rng, &z)) != 0)
		return e;
	/* y + z is private: from here on doubles do no harm */
	*est = dp_sketch_round(((double)((int64_t)y + z) - (double)k->mem.s.universe * k->odds.p) /
	    k->odds.gap * k->unit);
	return 0;
}

static int
density_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct density *k;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX || s->deletes)
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule, dp_bits_bytes(s->universe));
	if (k == NULL)
		return DP_ENOMEM;
	k->unit = dp_sketch_unit(rule);
	k->mem.draws += 1;
	k->mem.begins = DP_BIT_BEGINS;
	k->mem.count = density_count;
	k->mem.redrawn = true;
	if ((e = dp_memory_split(&k->mem, rule, 1, variance_density, k)) != 0)
		return e;
	dp_bits_odds(&k->odds, &k->mem.state, rule->privacy.numbers);
	k->mem.m.drawn.unit = k->unit / k->odds.gap;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	*out = &k->mem.m;
	return 0;
}

static int
density_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct density *k = (const void *)m;

	return dp_bits_start(col, k->mem.s.universe, &k->mem.state, rng);
}

static int
density_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct dp_memory *k = (const void *)m;

	return id->word[0] < k->s.universe ? dp_bits_see(col, id->word[0], &k->state, rng) : 0;
}

static void
law_density(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct density *k = (const void *)m;

	(void)out;
	(void)t;
	if (dp_memory_exact(&k->mem))
		return;
	/* p and 1 - p are as far from their means, either way */
	dp_law_flip(l, m->drawn.unit, (double)k->mem.s.universe, k->odds.p);
	dp_law_add(l, &k->mem.output, m->drawn.unit, 1);
}

#define DENSITY \
	DP_MEMORY_OPS, .name = "density", \
	.say.source = "a random bit for each of a universe, drawn "	\
	    "again at every sight (Dwork, Roth 2014, 12.2)", \
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, \
	.say.refuses = dp_sketch_refuse_deletes, .start = density_start, .open.see = density_see, \
	    .law.at = law_density, \
	.error = dp_mech_error_constant

const struct dp_mech_ops dp_density_distinct_ops = {
	DENSITY, .statistic = &dp_distinct, .create = density_create
};

const struct dp_mech_ops dp_density_ops = {
	DENSITY, .statistic = &dp_density, .create = density_create
};

/*
 * Distinct identifiers of a declared universe, by random bits of a sample of it.
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
 * it, AGAIN in internal.h.  That hardly anybody is sampled gains nothing: whoever is, is known.
 *
 * The sample is the first n places of a permutation of all: a Feistel network of eight rounds of
 * SipHash-2-4 under a public key on the least even number of bits that hold m, applied again where
 * it leaves 0 .. m - 1 (cycle walking), which keeps it a permutation.
 *
 * Dwork, Naor, Pitassi, Rothblum, Yekhanin 2010: the density of a sample, in memory of the sample's
 * size.  n is --buckets.
 */

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
weight_sample(const struct sample *k)
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
variance_sample(const void *arg, double eps1, double noise)
{
	const struct sample *k = arg;
	const double s = sinh(eps1 / 2), t = tanh(eps1 / 2);

	return (double)k->n / (4 * s * s) + noise / (t * t);
}

static int
sample_count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
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
	    weight_sample(k) * k->unit);
	return 0;
}

static int
sample_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
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
	k->mem.count = sample_count;
	k->mem.redrawn = true;
	if ((e = dp_memory_split(&k->mem, rule, 1, variance_sample, k)) != 0)
		return e;
	dp_bits_odds(&k->odds, &k->mem.state, rule->privacy.numbers);
	k->mem.m.drawn.unit = k->unit * weight_sample(k) / k->odds.gap;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	dp_numbers_same(rule->privacy.numbers, "cells", n);
	*out = &k->mem.m;
	return 0;
}

static int
sample_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
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
sample_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
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
law_sample(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct sample *k = (const void *)m;
	const double n = (double)k->n, each = weight_sample(k) * k->unit;

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
	.say.refuses = dp_sketch_refuse_deletes, .start = sample_start, .open.see = sample_see, \
	    .law.at = law_sample, \
	.error = dp_mech_error_constant

const struct dp_mech_ops dp_sample_distinct_ops = {
	SAMPLE, .statistic = &dp_distinct, .create = sample_create
};

const struct dp_mech_ops dp_sample_ops = {
	SAMPLE, .statistic = &dp_density, .create = sample_create
};

/*
 * Distinct identifiers of a declared universe, where memory may be looked at several
 * times: it is begun anew after each look that all know of.
 *
 * Let memory be looked at J times, each of which is told (ops->anew) before the next, and after the
 * last of these was told once more, of which nobody knows.  After j of the J:
 *
 * Bits (density.c), for what is never undone: with g = tanh(eps1/2) and p = (1 - g)/2, a bit begins
 * as 1 with probability p; at a sight it is drawn again, as 1 with probability 1 - p(j), p(j) =
 * (1 - g^(j+1))/2; and by ops->anew every bit is flipped with probability p.  So it is 1 with
 * probability p(j), or 1 - p(j) if its identifier was seen, whenever that was, as flips multiply
 * 1 - 2 p(j) by g.
 *
 * Cells (internal.h), for what may be undone: by ops->anew every cell has a place added that is
 * drawn
 * as its first one was.  One that holds an identifier is OUT with probability 1/2, as before.  The
 * first places have a density of 1 + g S, S being 1 in IN and -1 OUT, of mean 0 over the circle; so
 * the sum of j + 1 has 1 + g^(j+1) S*..*S, and an untouched cell is OUT with probability
 *	1/2 - C(j+1) g^(j+1)/2,  C(k) the mean of S times the k-fold S*..*S.
 * S is the sum over odd n of (4/pi) (+-1/n) cos(n x), so C(k) is 2^-k times the sum of
 * ((4/pi)(+-1/n))^(k+1), 1, 1/2, 1/3, 5/24, 2/15, ..: the coefficients of sec x + tan x (Euler).
 *
 * Statement: J + 1 looks, and k outputs anywhere among them, cost eps(J) + k eps2.  Of cells eps(J)
 * is (J + 1) eps1.  Of bits it is the most that
 *	eps1 + w(1, b(0), b(1)) + .. + w(J, b(J-1), b(J))
 * comes to, each b 0 or 1, which is attained: with G = g^(j+1)
 *	w(j, 0, 1) = ln((1 + G)/(1 - g))	w(j, 1, 0) = ln((1 - G)/(1 - g))
 *	w(j, 0, 0) = ln((1 + g)/(1 - G))	w(j, 1, 1) = ln((1 + g)/(1 + G)).
 * (A look that is never told must be the last.  With none of ops->anew between it and another a bit
 * that is not 1 in both, or 0 in both, was drawn again: its identifier came, for certain.)
 * Proof.  Bits: at the first look it is 1 with probability p or 1 - p: eps1.  Given what it is at
 * look j - 1, b, at look j it is b with probability (1 + g)/2; or, if it was drawn again since, 1
 * with probability (1 + G)/2, whatever b is, be it before or after ops->anew.  So either stream has
 * one of two factors for each look, and w is the logarithm of their ratio, the larger one above: a
 * sum of these is the most, for streams in which one alone draws where it counts.  Given the bits
 * at all looks, an output's sum is moved by 1 at most, whatever the bit is then, so its likelihood
 * by e^eps2 at most; so are means of such likelihoods.
 * Cells: let d(t) be how far f times the net values of the two streams are apart, the i-th look at
 * t(i).  A bijection of the places drawn has the first one d(t(0)) less, and the i-th added one
 * d(t(i)) - d(t(i-1)) less: memory is the same at each look, for E each; given that, the sums of
 * outputs differ in one term, by 1 at most.  (It is no less: d may jump by half of the circle.)
 *
 * Estimates are unbiased, after any number of looks: D^ = (Y + z - m p)/gap, where OUT or 1 has
 * probability p, or p + gap for what was seen.
 *
 * Mir et al. 2011, section 5: "randomize anew after each intrusion"; Dwork, Roth 2014, 12.2.
 */

extern const struct dp_mech_ops dp_anew_cells_ops;

#define BITS_MAX	((uint64_t)1 << 32)
#define CELLS_MAX	((uint64_t)1 << 28)
#define LOOKS_MAX	7
#define PLAN		((uint64_t)1 << 32)	/* of bits: states that paid more a look lack it */

/* C(1) .. */
static const double overlap[LOOKS_MAX + 1] = {
	1, 1. / 2, 1. / 3, 5. / 24, 2. / 15, 61. / 720, 17. / 315, 277. / 8064
};

struct anew {
	struct dp_memory mem;
	bool cells;
	double seen;			/* identifiers that the budget is divided for */
	struct dp_odds odds[LOOKS_MAX + 1];	/* odds[i]: after i looks */
};

struct column_anew {
	uint8_t key[crypto_shorthash_KEYBYTES];	/* of cells */
	uint64_t looks, reserved;
	uint64_t word[];		/* bits, or cells */
};

_Static_assert(sizeof(struct column_anew) == 32, "four words");

/* Odds after j looks, of a loss eps1 each. */
static struct dp_odds
odds_of_anew(const struct anew *k, uint64_t j, double eps1)
{
	const double gap = pow(tanh(eps1 / 2), (double)j + 1);

	return k->cells ? (struct dp_odds){ (1 - overlap[j] * gap) / 2, overlap[j] * gap / 2 } :
	    (struct dp_odds){ (1 - gap) / 2, gap };
}

/* After all looks. */
static double
variance_anew(const void *arg, double eps1, double noise)
{
	const struct anew *k = arg;
	const struct dp_odds o = odds_of_anew(k, k->mem.s.looks, eps1);
	const double m = (double)k->mem.s.universe;
	const double each = o.p * (1 - o.p);

	return ((k->cells ? (m - k->seen) * each + k->seen / 4 : m * each) + noise) /
	    (o.gap * o.gap);
}

static int
anew_count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct anew *k = (const void *)m;
	const struct column_anew *c = col;
	const struct dp_odds *o = &k->odds[c->looks];
	const uint64_t n = k->mem.s.universe;
	const bool exact = dp_memory_exact(&k->mem);
	uint64_t y = 0, i;
	int64_t z;
	int e;

	(void)t;
	if ((e = dp_draw(&k->mem.output, rng, &z)) != 0)
		return e;
	if (!k->cells)
		y = dp_bits_count(c->word, 0, n);
	for (i = 0; k->cells && i < n; i++)
		y += exact ? c->word[i] != 0 : dp_cell_out(c->word[i]);
	/* y + z is private: from here on doubles do no harm */
	*est = exact ? (dp_wide)y :
	    dp_sketch_round(((double)((int64_t)y + z) - (double)n * o->p) / o->gap);
	return 0;
}

static int
anew_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const bool cells = ops == &dp_anew_cells_ops;
	const struct dp_sketch *s = rule->task.own;
	const size_t n = s->universe > BITS_MAX ? 0 : cells ? s->universe * sizeof(uint64_t) :
	    dp_bits_bytes(s->universe);
	struct anew *k;
	uint64_t j;
	int e;

	if (s->universe == 0 || s->universe > (cells ? CELLS_MAX : BITS_MAX) || s->looks == 0 ||
	    s->looks > LOOKS_MAX || (s->deletes && !cells))
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule, sizeof(struct column_anew) + n);
	if (k == NULL)
		return DP_ENOMEM;
	k->cells = cells;
	k->seen = dp_sketch_seen(s, rule->report);
	k->mem.draws += cells ? 0 : (double)s->looks + 1;
	k->mem.begins = cells ? DP_CELL_BEGINS : DP_BIT_BEGINS;
	k->mem.count = anew_count;
	k->mem.flipped = !cells;
	if (!cells)
		dp_numbers_same(rule->privacy.numbers, "plan", PLAN);
	if ((e = dp_memory_split(&k->mem, rule, 1, variance_anew, k)) != 0)
		return e;
	for (j = 0; j <= s->looks; j++) {
		k->odds[j] = odds_of_anew(k, j, dp_sketch_loss(&k->mem.state));
		k->odds[j].p = dp_numbers_real(rule->privacy.numbers, "flip", k->odds[j].p, 0, 0.5);
		k->odds[j].gap = dp_numbers_real(rule->privacy.numbers, "gap", k->odds[j].gap,
		    0x1p-512, 1);
	}
	k->mem.m.drawn.unit = 1 / k->odds[s->looks].gap;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	dp_numbers_same(rule->privacy.numbers, "looks", s->looks);
	*out = &k->mem.m;
	return 0;
}

static const char *
refuses_cells(const struct dp_task *k)
{
	return ((const struct dp_sketch *)k->own)->looks == 0 ?
	    "is for memory that is looked at several times (--looks=J)" : NULL;
}

static const char *
anew_refuses(const struct dp_task *k)
{
	const char *why = refuses_cells(k);

	return why != NULL ? why : dp_sketch_refuse_deletes(k);
}

static int
anew_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct anew *k = (const void *)m;
	struct column_anew *c = col;
	int e;

	if (!k->cells)
		return dp_bits_start(c->word, k->mem.s.universe, &k->mem.state, rng);
	if (dp_memory_exact(&k->mem))
		return 0;
	if ((e = dp_memory_key(c->key, rng)) != 0)
		return e;
	return dp_cells_start(&k->mem, rng, 0, c->word, k->mem.s.universe);
}

/* Flips bit i as often as `times` flips of probability p say. */
static int
flip(const struct anew *k, struct dp_rng *rng, uint64_t *word, uint64_t i, uint64_t times)
{
	bool one;
	int e = 0;

	for (; times > 0 && e == 0; times--) {
		e = dp_sketch_flip(&k->mem.state, rng, &one);
		word[i / 64] ^= (uint64_t)one << i % 64;
	}
	return e;
}

static int
anew_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct anew *k = (const void *)m;
	const uint64_t i = id->word[0];
	struct column_anew *c = col;

	if (i >= k->mem.s.universe)
		return 0;
	if (k->cells) {
		dp_cells_see(&k->mem, c->key, 0, c->word, id);
		return 0;
	}
	c->word[i / 64] |= (uint64_t)1 << i % 64;
	return flip(k, rng, c->word, i, c->looks + 1);
}

/* Draws are kept only in what they change. */
static int
anew(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct anew *k = (const void *)m;
	struct column_anew *c = col;
	uint64_t i, place;
	int e = 0;

	if (c->looks == k->mem.s.looks)
		return DP_EHALT;
	c->looks++;
	if (dp_memory_exact(&k->mem))
		return 0;
	for (i = 0; i < k->mem.s.universe && e == 0; i++) {
		if (!k->cells) {
			e = flip(k, rng, c->word, i, 1);
			continue;
		}
		e = dp_cell_start(&k->mem.state, rng, 0, &place);
		c->word[i] += place;
	}
	dp_rng_wipe(rng);
	sodium_memzero(&place, sizeof place);
	return e;
}

/* After the last look: before it, it is narrower. */
static void
law_anew(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct anew *k = (const void *)m;
	const struct dp_odds *o = &k->odds[k->mem.s.looks];

	(void)out;
	if (k->cells) {
		dp_cells_law(&k->mem, o, t, 1, l);
		return;
	}
	if (dp_memory_exact(&k->mem))
		return;
	dp_law_flip(l, m->drawn.unit, (double)k->mem.s.universe, o->p);
	dp_law_add(l, &k->mem.output, m->drawn.unit, 1);
}

static bool
anew_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	(void)t;
	return ((const struct column_anew *)col)->looks <=
	    ((const struct anew *)(const void *)m)->mem.s.looks;
}

static bool
anew_note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
{
	const struct anew *k = (const void *)m;

	(void)unit_;
	if (i != 0 || dp_memory_exact(&k->mem))
		return false;
	snprintf(text, size, "epsilon is for %llu looks at memory, not one: the first %llu are "
	    "each told (--seen) before the next one, only the last may be untold; errors are those "
	    "after all of them, and smaller before", (unsigned long long)k->mem.s.looks + 1,
	    (unsigned long long)k->mem.s.looks);
	return true;
}

#define ANEW \
	DP_MEMORY_OPS, .traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, \
	.statistic = &dp_distinct, .start = anew_start, .open.see = anew_see, .open.anew = anew, \
	.law.at = law_anew, .valid = anew_valid, .say.note = anew_note

const struct dp_mech_ops dp_anew_ops = {
	ANEW, .name = "anew", .say.source = "a random bit for each of a universe, and all of them "
	    "flipped at random after each look (Dwork, Roth 2014, 12.2; Mir et al. 2011)",
	.create = anew_create, .say.refuses = anew_refuses, .error = dp_mech_error_constant
};

const struct dp_mech_ops dp_anew_cells_ops = {
	ANEW, .name = "anew-cells", .say.source = "a cell of 64 bits for each of a universe, and a "
	    "random place added to all of them after each look (Mir et al. 2011, section 5)",
	.create = anew_create, .say.refuses = refuses_cells, .error = dp_cells_error
};
