/*
 * continual.c - distinct identifiers of a declared universe, answer after answer, each of them in
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
 * Proof.  As in cells.h begin the second stream's cell so that the memories at t0 are the same: a
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
#include <math.h>
#include <stdio.h>

#include <sodium.h>

#include "cells.h"

#define PLACES_MAX	((uint64_t)1 << 28)
#define LEVELS_MAX	30

struct continual {
	struct dp_memory mem;
	uint64_t answers;		/* k */
	unsigned levels;		/* L */
	uint64_t moves;
	double seen;			/* identifiers that the budget is divided for */
	struct dp_odds odds;
};

struct column {
	uint8_t key[crypto_shorthash_KEYBYTES];
	uint64_t answers;		/* given so far */
	uint64_t reserved;
	int64_t eta[LEVELS_MAX + 2];	/* of the open stretch of each level */
	uint64_t cell[];
};

static double
variance(const void *arg, double eps1, double noise)
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
count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct continual *k = (const void *)m;
	struct column *c = col;
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
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
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
	    sizeof(struct column) + s->universe * sizeof(uint64_t));
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
	k->mem.count = count;
	all.every = 0;			/* eps2 is for all answers together */
	if ((e = dp_memory_split(&k->mem, &all, k->moves * k->levels, variance, k)) != 0)
		return e;
	dp_cell_odds(&k->odds, &k->mem.state, rule->privacy.numbers);
	k->mem.m.drawn.unit = 1 / k->odds.gap;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	dp_numbers_same(rule->privacy.numbers, "moves", k->moves);
	*out = &k->mem.m;
	return 0;
}

static const char *
refuses(const struct dp_task *k)
{
	return ((const struct dp_sketch *)k->own)->updates == 0 ?
	    "needs the promise that no identifier has more than W lines (--updates=W)" : NULL;
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct dp_memory *k = (const void *)m;
	struct column *c = col;
	int e;

	if (dp_memory_exact(k))
		return 0;
	if ((e = dp_memory_key(c->key, rng)) != 0)
		return e;
	return dp_cells_start(k, rng, 0, c->cell, k->s.universe);
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	struct column *c = col;

	(void)rng;
	dp_cells_see((const void *)m, c->key, 0, c->cell, id);
	return 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct continual *k = (const void *)m;

	(void)out;
	dp_cells_law(&k->mem, &k->odds, t, k->levels, l);
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;

	return c->answers <= ((const struct continual *)(const void *)m)->answers &&
	    c->answers <= t + 1;
}

static bool
note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
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
	.say.refuses = refuses,
	.create = create, .start = start, .open.see = see, .law.at = law, .error = dp_cells_error,
	.valid = valid, .say.note = note
};
