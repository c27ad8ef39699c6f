/*
 * cells.c - distinct identifiers of a declared universe, done and undone: a cell each.
 *
 * Y cells of m are OUT (cells.h).  D of them hold an identifier: their net count is not 0 mod 2^64.
 * Each cell is OUT by itself, those D with probability 1/2, the others with p = 1/(1+E), so with z,
 * DLap(1/eps2), and gap = 1/2 - p = tanh(eps1/2)/2
 *
 *	D^ = (Y + z - m p)/gap
 *	Var D^ = ((m - D) p (1 - p) + D/4)/gap^2 + Var z / gap^2
 *	       = m/sinh^2(eps1/2) + D + 4 coth^2(eps1/2) Var z
 *
 * is unbiased, before it is rounded to a whole number.  Privacy: PAN-PRIVACY in cells.h, g being 1
 * OUT and 0 in IN, so R = 1.
 *
 * f is SipHash-2-4 of the place, under a public key drawn at the start.  After Mir, Muthukrishnan,
 * Nikolov, Wright 2011, whose own first sketch cannot be run; see alg1.c.
 *
 * Without noise a cell is the net count itself: f = 1, c = 0, and every cell but 0 is counted.
 */
#include <math.h>

#include <sodium.h>

#include "cells.h"

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

double
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
variance(const void *arg, double eps1, double noise)
{
	const struct horizon *h = arg;

	return dp_cells_variance(h->k, h->seen, eps1, noise);
}

static int
count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
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
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
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
	k->mem.count = count;
	h = (struct horizon){ &k->mem, dp_sketch_seen(s, rule->report) };
	if ((e = dp_memory_split(&k->mem, rule, 1, variance, &h)) != 0)
		return e;
	dp_cell_odds(&k->odds, &k->mem.state, rule->privacy.numbers);
	k->mem.m.drawn.unit = k->unit / k->odds.gap;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	*out = &k->mem.m;
	return 0;
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
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
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct cells *k = (const void *)m;
	struct column *c = col;

	(void)rng;
	dp_cells_see(&k->mem, c->key, k->shift, c->cell, id);
	return 0;
}

static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct cells *k = (const void *)m;

	(void)out;
	dp_cells_law(&k->mem, &k->odds, t, 1, l);
}

#define CELLS \
	DP_MEMORY_OPS, .name = "cells", \
	.say.source = "a cell of 64 bits, begun at random, for each "	\
	    "of a universe (after Mir et al. 2011)", \
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .start = start, \
	.open.see = see, .law.at = law, .error = dp_cells_error

const struct dp_mech_ops dp_cells_ops = { CELLS, .statistic = &dp_distinct, .create = create };

const struct dp_mech_ops dp_cells_density_ops = {
	CELLS, .statistic = &dp_density, .create = create
};
