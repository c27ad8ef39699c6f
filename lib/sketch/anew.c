/*
 * anew.c - distinct identifiers of a declared universe, where memory may be looked at several
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
 * Cells (cells.h), for what may be undone: by ops->anew every cell has a place added that is drawn
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
 * by e^eps2 at most; means of such likelihoods likewise.
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
#include <math.h>
#include <stdio.h>

#include <sodium.h>

#include "bits.h"

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
	struct dp_odds odds[LOOKS_MAX + 1];	/* after so many looks */
};

struct column {
	uint8_t key[crypto_shorthash_KEYBYTES];	/* of cells */
	uint64_t looks, reserved;
	uint64_t word[];		/* bits, or cells */
};

_Static_assert(sizeof(struct column) == 32, "four words");

/* Odds after j looks, of a loss eps1 each. */
static struct dp_odds
odds_of(const struct anew *k, uint64_t j, double eps1)
{
	const double gap = pow(tanh(eps1 / 2), (double)j + 1);

	return k->cells ? (struct dp_odds){ (1 - overlap[j] * gap) / 2, overlap[j] * gap / 2 } :
	    (struct dp_odds){ (1 - gap) / 2, gap };
}

/* After all looks. */
static double
variance(const void *arg, double eps1, double noise)
{
	const struct anew *k = arg;
	const struct dp_odds o = odds_of(k, k->mem.s.looks, eps1);
	const double m = (double)k->mem.s.universe;
	const double each = o.p * (1 - o.p);

	return ((k->cells ? (m - k->seen) * each + k->seen / 4 : m * each) + noise) /
	    (o.gap * o.gap);
}

static int
count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct anew *k = (const void *)m;
	const struct column *c = col;
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
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
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
	k = dp_memory_alloc(ops, sizeof *k, rule, sizeof(struct column) + n);
	if (k == NULL)
		return DP_ENOMEM;
	k->cells = cells;
	k->seen = dp_sketch_seen(s, rule->report);
	k->mem.draws += cells ? 0 : (double)s->looks + 1;
	k->mem.begins = cells ? DP_CELL_BEGINS : DP_BIT_BEGINS;
	k->mem.count = count;
	k->mem.flipped = !cells;
	if (!cells)
		dp_numbers_same(rule->privacy.numbers, "plan", PLAN);
	if ((e = dp_memory_split(&k->mem, rule, 1, variance, k)) != 0)
		return e;
	for (j = 0; j <= s->looks; j++) {
		k->odds[j] = odds_of(k, j, dp_sketch_loss(&k->mem.state));
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
refuses(const struct dp_task *k)
{
	const char *why = refuses_cells(k);

	return why != NULL ? why : dp_sketch_refuse_deletes(k);
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct anew *k = (const void *)m;
	struct column *c = col;
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
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct anew *k = (const void *)m;
	const uint64_t i = id->word[0];
	struct column *c = col;

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
	struct column *c = col;
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
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
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
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	(void)t;
	return ((const struct column *)col)->looks <=
	    ((const struct anew *)(const void *)m)->mem.s.looks;
}

static bool
note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
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
	.statistic = &dp_distinct, .start = start, .open.see = see, .open.anew = anew, \
	.law.at = law, .valid = valid, .say.note = note

const struct dp_mech_ops dp_anew_ops = {
	ANEW, .name = "anew", .say.source = "a random bit for each of a universe, and all of them "
	    "flipped at random after each look (Dwork, Roth 2014, 12.2; Mir et al. 2011)",
	.create = create, .say.refuses = refuses, .error = dp_mech_error_constant
};

const struct dp_mech_ops dp_anew_cells_ops = {
	ANEW, .name = "anew-cells", .say.source = "a cell of 64 bits for each of a universe, and a "
	    "random place added to all of them after each look (Mir et al. 2011, section 5)",
	.create = create, .say.refuses = refuses_cells, .error = dp_cells_error
};
