/* SPDX-License-Identifier: ISC */
/*
 * cells.c - distinct identifiers of a declared universe, done and undone: a cell each.
 *
 * Y cells of m are OUT (internal.h).  D of them hold an identifier: their net count is not 0 mod
 * 2^64.
 * Each cell is OUT by itself, those D with probability 1/2, the others with p = 1/(1+E), so with z,
 * DLap(1/eps2), and gap = 1/2 - p = tanh(eps1/2)/2
 *
 *	D^ = (Y + z - m p)/gap
 *	Var D^ = ((m - D) p (1 - p) + D/4)/gap^2 + Var z / gap^2
 *	       = m/sinh^2(eps1/2) + D + 4 coth^2(eps1/2) Var z
 *
 * is unbiased, before it is rounded to a whole number.  Privacy: PAN-PRIVACY in internal.h, g being
 * 1
 * OUT and 0 in IN, so R = 1.
 *
 * f is SipHash-2-4 of the place, under a public key drawn at the start.  After Mir, Muthukrishnan,
 * Nikolov, Wright 2011, whose own first sketch cannot be run; see paper.c.
 *
 * Without noise a cell is the net count itself: f = 1, c = 0, and every cell but 0 is counted.
 */
#include <math.h>
#include <sodium.h>
#include <stdio.h>

#include "internal.h"

#define PLACES_MAX	((uint64_t)1 << 28)

struct cells {
	struct dp_memory mem;
	struct dp_odds odds;
	unsigned shift;			/* 64 - bits of a cell */
	double unit;
};

struct column {
	uint8_t key[crypto_shorthash_KEYBYTES];
	uint64_t cell[];
};

_Static_assert(sizeof(struct column) == 16, "a key of two words");

int
dp_cell_start(const struct dp_noise *state, struct dp_rng *rng, unsigned shift, uint64_t *cell)
{
	const uint8_t *q;
	uint64_t w;
	bool out;
	int e;

	if ((e = dp_sketch_flip(state, rng, &out)) != 0)
		return e;
	if ((q = dp_rng_take(rng, sizeof w)) == NULL)
		return DP_EENTROPY;
	memcpy(&w, q, sizeof w);
	w = w >> 1 | (uint64_t)out << 63;	/* in [0, 2^63), or in the rest */
	*cell = (w >> shift << shift) - DP_CELLS_QUARTER;
	return 0;
}

void
dp_cell_odds(struct dp_odds *o, const struct dp_noise *state, struct dp_numbers *numbers)
{
	const double eps = dp_sketch_loss(state);

	o->p = dp_numbers_real(numbers, "flip", 1 / (1 + exp(eps)), 0, 0.5);
	o->gap = dp_numbers_real(numbers, "gap", tanh(eps / 2) / 2, 0x1p-64, 0.5);
}

int
dp_cells_start(const struct dp_memory *k, struct dp_rng *rng, unsigned shift, uint64_t *cell,
    uint64_t n)
{
	uint64_t i;
	int e = 0;

	for (i = 0; i < n && e == 0; i++)
		e = dp_cell_start(&k->state, rng, shift, &cell[i]);
	dp_rng_wipe(rng);
	return e;
}

void
dp_cells_see(const struct dp_memory *k, const uint8_t *key, unsigned shift, uint64_t *cell,
    const struct dp_id *id)
{
	uint64_t f = 1;

	if (id->word[0] >= k->s.universe)
		return;
	if (!dp_memory_exact(k)) {
		crypto_shorthash((unsigned char *)&f, (const unsigned char *)&id->word[0],
		    sizeof id->word[0], key);
		f <<= shift;
	}
	cell[id->word[0]] += id->sign < 0 ? -f : f;
}

/*
 * For cells of a declared universe, cell[0 .. universe - 1], of which those are counted that are
 * OUT (cells.c): an identifier is seen; the variance, with that of an answer's noise, if `seen` of
 * them were; the law of an answer at step t with so many draws on it; and ops->error().
 */
static double
dp_cells_variance(const struct dp_memory *k, double seen, double eps1, double noise)
{
	const double s = sinh(eps1 / 2), t = tanh(eps1 / 2);

	return (double)k->s.universe / (s * s) + seen + 4 / (t * t) * noise;
}

/* For as many identifiers as there may be: with fewer it is narrower. */
void
dp_cells_law(const struct dp_memory *k, const struct dp_odds *o, uint64_t t, double n,
    struct dp_law *l)
{
	const double seen = dp_sketch_seen(&k->s, t), unit = k->m.drawn.unit;

	if (dp_memory_exact(k))
		return;
	dp_law_flip(l, unit, (double)k->s.universe - seen, o->p);
	dp_law_flip(l, unit, seen, 0.5);
	dp_law_add(l, &k->output, unit, n);
}

/* The variance is linear in how many identifiers were seen, and that grows by 1 up to the most. */
void
dp_cells_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_sketch *s = &((const struct dp_memory *)(const void *)m)->s;
	const double most = dp_sketch_seen(s, T), first = dp_sketch_seen(s, 1);
	const double mean = most - most * (most - 1) / 2 / (double)T;	/* of min(t, most) */
	const double last = dp_mech_variance(m, T), one = dp_mech_variance(m, 1);

	e->max = last;
	e->worst = T;
	e->mean = most == first ? last : one + (last - one) * (mean - first) / (most - first);
}

/* For the split: `seen` identifiers. */
struct horizon {
	const struct dp_memory *k;
	double seen;
};

static double
variance_cells(const void *arg, double eps1, double noise)
{
	const struct horizon *h = arg;

	return dp_cells_variance(h->k, h->seen, eps1, noise);
}

static int
cells_count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct cells *k = (const void *)m;
	const struct column *c = col;
	const uint64_t n = k->mem.s.universe;
	uint64_t y = 0, i;
	int64_t z;
	int e;

	(void)t;
	if (dp_memory_exact(&k->mem)) {
		for (i = 0; i < n; i++)
			y += c->cell[i] != 0;
		*est = dp_sketch_round((double)y * k->unit);
		return 0;
	}
	if ((e = dp_draw(&k->mem.output, rng, &z)) != 0)
		return e;
	for (i = 0; i < n; i++)
		y += dp_cell_out(c->cell[i]);
	/* y + z is private: from here on doubles do no harm */
	*est = dp_sketch_round(((double)((int64_t)y + z) - (double)n * k->odds.p) / k->odds.gap *
	    k->unit);
	return 0;
}

static int
cells_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct horizon h;
	struct cells *k;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX)
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule,
	    sizeof(struct column) + s->universe * sizeof(uint64_t));
	if (k == NULL)
		return DP_ENOMEM;
	k->shift = s->bits == 0 ? 0 : 64 - s->bits;
	k->unit = dp_sketch_unit(rule);
	k->mem.begins = DP_CELL_BEGINS;
	k->mem.count = cells_count;
	h = (struct horizon){ &k->mem, dp_sketch_seen(s, rule->report) };
	if ((e = dp_memory_split(&k->mem, rule, 1, variance_cells, &h)) != 0)
		return e;
	dp_cell_odds(&k->odds, &k->mem.state, rule->privacy.numbers);
	k->mem.m.drawn.unit = k->unit / k->odds.gap;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	*out = &k->mem.m;
	return 0;
}

static int
cells_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct cells *k = (const void *)m;
	struct column *c = col;
	int e;

	if (dp_memory_exact(&k->mem))
		return 0;
	if ((e = dp_memory_key(c->key, rng)) != 0)
		return e;
	return dp_cells_start(&k->mem, rng, k->shift, c->cell, k->mem.s.universe);
}

static int
cells_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct cells *k = (const void *)m;
	struct column *c = col;

	(void)rng;
	dp_cells_see(&k->mem, c->key, k->shift, c->cell, id);
	return 0;
}

static void
law_cells(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct cells *k = (const void *)m;

	(void)out;
	dp_cells_law(&k->mem, &k->odds, t, 1, l);
}

#define CELLS \
	DP_MEMORY_OPS, .name = "cells", \
	.say.source = "a cell of 64 bits, begun at random, for each "	\
	    "of a universe (after Mir et al. 2011)", \
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .start = cells_start, \
	.open.see = cells_see, .law.at = law_cells, .error = dp_cells_error

const struct dp_mech_ops dp_cells_ops = { CELLS, .statistic = &dp_distinct, .create =
    cells_create };

const struct dp_mech_ops dp_cells_density_ops = {
	CELLS, .statistic = &dp_density, .create = cells_create
};

/*
 * Distinct identifiers of a declared universe, answer after answer, each of them in
 * few lines: cells, and noise that answers share.
 *
 * Cells are those of cells.c, and Y_j, how many are OUT at answer j = 0 .. k - 1, has noise of
 * intervals: with L = max(2, the logarithm of k rounded up), every stretch of answers from i 2^l to
 * (i + 1) 2^l - 1, l < L, has a draw eta of its own, DLap(moves L/eps2), and answer j is made of
 * Y_j plus the L draws of the stretches that hold j.  A draw is made at its stretch's first answer,
 * and is erased after the last.
 *
 * Statement: let no identifier have more than w lines, in either of two streams that differ in what
 * happens to one of them; moves = w if one of the streams has none of its lines (--presence), and
 * else 2w.  Then the memory at any one moment t0 and all k answers together are (eps1 +
 * eps2)-DP, however large k is.
 *
 * Proof.  As in internal.h begin the second stream's cell so that the memories at t0 are the same:
 * a
 * loss of eps1 at most.  The difference g of the two numbers OUT is 0 at t0, and each of the lines
 * changes it by 1 at most, so its changes between one answer and the next, and before and after
 * t0, are `moves` in all.  A change by c after t0, before answer u, is c in all answers from u on:
 * u .. 2^L - 1 is the union of at most L stretches (u > 0: one for each binary digit 1 of 2^L - u;
 * u = 0: two halves), none of which has begun at t0.  Let their draws be c less.  A change before
 * t0, after answer u - 1, is -c in all answers to u - 1: 0 .. u - 1, u <= k <= 2^L, is likewise
 * the union of at most L stretches, all of which have ended at t0.  So a bijection of the draws,
 * none of which is in memory at t0, changes them by L moves in all, and has all the same answers:
 * eps2.
 *
 * Who has more than w lines is protected less, and is not noticed: to count an identifier's lines
 * takes what memory must not have.  So w is a promise.  (Section 5 of Mir et al. 2011 would have
 * the cells themselves begun anew for every stretch: what such a sum of circles tells shrinks with
 * every term, to nothing.)
 *
 * Estimate and variance are those of cells.c, with L times a draw's variance in place of Var z.
 */

#define LEVELS_MAX	30

struct continual {
	struct dp_memory mem;
	uint64_t answers;		/* k */
	unsigned levels;		/* L */
	uint64_t moves;
	double seen;			/* identifiers that the budget is divided for */
	struct dp_odds odds;
};

struct column_continual {
	uint8_t key[crypto_shorthash_KEYBYTES];
	uint64_t answers;		/* given so far */
	uint64_t reserved;
	int64_t eta[LEVELS_MAX + 2];	/* of the open stretch of each level */
	uint64_t cell[];
};

static double
variance_continual(const void *arg, double eps1, double noise)
{
	const struct continual *k = arg;

	return dp_cells_variance(&k->mem, k->seen, eps1, k->levels * noise);
}

/* Of level l: whether answer j is the first of its stretch; the last. */
static bool
begins(uint64_t j, unsigned l)
{
	return j % ((uint64_t)1 << l) == 0;
}

static bool
ends(uint64_t j, unsigned l)
{
	return begins(j + 1, l);
}

static int
continual_count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct continual *k = (const void *)m;
	struct column_continual *c = col;
	dp_wide y = 0;
	const uint64_t j = c->answers;
	unsigned l;
	uint64_t i;
	int e;

	(void)t;
	if (j == k->answers)
		return DP_EHORIZON;
	c->answers++;
	if (dp_memory_exact(&k->mem)) {
		for (i = 0; i < k->mem.s.universe; i++)
			y += c->cell[i] != 0;
		*est = y;
		return 0;
	}
	for (l = 0; l < k->levels; l++) {
		if (begins(j, l) && (e = dp_draw(&k->mem.output, rng, &c->eta[l])) != 0)
			return e;
		y += c->eta[l];
		if (ends(j, l))
			c->eta[l] = 0;
	}
	for (i = 0; i < k->mem.s.universe; i++)
		y += dp_cell_out(c->cell[i]);
	/* y is private: from here on doubles do no harm */
	*est = dp_sketch_round(((double)y - (double)k->mem.s.universe * k->odds.p) / k->odds.gap);
	return 0;
}

static int
continual_create(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	const uint64_t answers = dp_sketch_outputs(rule);
	struct dp_mech_rule all = *rule;
	struct continual *k;
	int e;

	if (s->updates == 0 || s->universe == 0 || s->universe > PLACES_MAX || answers == 0 ||
	    answers >> LEVELS_MAX != 0)
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule,
	    sizeof(struct column_continual) + s->universe * sizeof(uint64_t));
	if (k == NULL)
		return DP_ENOMEM;
	k->answers = answers;
	k->levels = answers <= 4 ? 2 : dp_ceil_log2(answers);
	k->moves = s->presence ? s->updates : 2 * s->updates;
	k->mem.draws *= 2;	/* 1 + 1/2 + 1/4 + .. for each answer */
	k->seen = dp_sketch_seen(s, rule->report);
	k->mem.m.drawn.numbers = "every stretch of answers";
	k->mem.begins = DP_CELL_BEGINS;
	k->mem.each = 0;
	k->mem.count = continual_count;
	all.every = 0;			/* eps2 is for all answers together */
	if ((e = dp_memory_split(&k->mem, &all, k->moves * k->levels, variance_continual, k)) != 0)
		return e;
	dp_cell_odds(&k->odds, &k->mem.state, rule->privacy.numbers);
	k->mem.m.drawn.unit = 1 / k->odds.gap;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	dp_numbers_same(rule->privacy.numbers, "moves", k->moves);
	*out = &k->mem.m;
	return 0;
}

static const char *
continual_refuses(const struct dp_task *k)
{
	return ((const struct dp_sketch *)k->own)->updates == 0 ?
	    "needs the promise that no identifier has more than W lines (--updates=W)" : NULL;
}

static int
continual_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct dp_memory *k = (const void *)m;
	struct column_continual *c = col;
	int e;

	if (dp_memory_exact(k))
		return 0;
	if ((e = dp_memory_key(c->key, rng)) != 0)
		return e;
	return dp_cells_start(k, rng, 0, c->cell, k->s.universe);
}

static int
continual_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	struct column_continual *c = col;

	(void)rng;
	dp_cells_see((const void *)m, c->key, 0, c->cell, id);
	return 0;
}

static void
law_continual(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct continual *k = (const void *)m;

	(void)out;
	dp_cells_law(&k->mem, &k->odds, t, k->levels, l);
}

static bool
continual_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column_continual *c = col;

	return c->answers <= ((const struct continual *)(const void *)m)->answers &&
	    c->answers <= t + 1;
}

static bool
continual_note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
{
	const struct continual *k = (const void *)m;

	(void)unit_;
	if (i != 0 || dp_memory_exact(&k->mem))
		return false;
	snprintf(text, size, "the caller PROMISES that no identifier has more than %llu lines: one "
	    "that has c times as many can lose c times as much, and nothing notices",
	    (unsigned long long)k->mem.s.updates);
	return true;
}

const struct dp_mech_ops dp_continual_ops = {
	DP_MEMORY_OPS, .name = "continual", .say.source = "a cell of 64 bits, begun at random, for "
	    "each of a universe, and noise that answers share (after Mir et al. 2011)",
	.traits = DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .statistic = &dp_distinct,
	.say.refuses = continual_refuses,
	.create = continual_create, .start = continual_start, .open.see = continual_see, .law.at =
	    law_continual, .error = dp_cells_error,
	.valid = continual_valid, .say.note = continual_note
};
