/*
 * phase.c - how often identifiers came, cropped: a phase each, on a circle that wraps.
 *
 * A cell for each of m identifiers (cells.h), with a multiplier f whose law (ramp.h) suits what is
 * asked for.  Of its net count a, by |a|:
 *   cropped    sum of min(|a|, tau) = tau sum of r(a), with the ramp from 0 to tau
 *   mean       the same, divided by m
 *   heavy      sum of r(a), with the ramp from tau/2, rounded down, to tau: at least the number of
 *              those with |a| >= tau, at most that of those with |a| > tau/2
 *   incidence  the number of those with a = tau: sum of 1 - r(a - tau), with the ramp from 0 to 1
 * C sums over the cells round(K W(f) cos(2 pi s / 2^64)), s the cell, or s - f tau for incidence.
 * With gain = (2/pi) tanh(eps1/2), z the noise of the output, and R^ the sum of r,
 *
 *	R^ = m - (C + z)/(K gain)
 *	Var R^ = m E W^2 / (2 gain^2) - sum of (1 - r)^2 + Var z / (K gain)^2.
 *
 * R^ is unbiased but for the rounding of terms, below m/(2 K gain): c is uniform in one half of the
 * circle or in the other, so E cos(2 pi (c + x)/2^64) = gain cos(2 pi x/2^64), and f brings 1 - r
 * (KERNEL).  The mean of cos^2 is 1/2 for every x, as the second harmonic of a half circle is 0.
 *
 * Where f is uniform (the ramp from 0 to 1: W = 1) a square wave takes the cosine's place: -1 OUT
 * and 1 in IN, so that gain = tanh(eps1/2) and cos^2 becomes 1; UNBIASED in cells.h has the proof.
 *
 * Privacy: PAN-PRIVACY in cells.h with R = 2 BOUND: every term is an integer, and is cut to
 * +-BOUND, which K is so small for that no weight comes near.
 *
 * Without a universe heavy hashes identifiers to m buckets, and a is what the bucket's came to
 * together: dp_phase_meeting() says how far that puts R off.  After Mir, Muthukrishnan, Nikolov,
 * Wright 2011, sections 3.2 and 3.3, whose own algorithm (alg2.c) has an error that grows with
 * tau^2, not tau.
 *
 * Without noise a cell is the net count itself.
 */
#include <math.h>

#include <sodium.h>

#include "phase.h"

#define PLACES_MAX	((uint64_t)1 << 28)
#define BOUND		DP_PHASE_BOUND

struct column {
	uint8_t key[crypto_shorthash_siphashx24_KEYBYTES];
	uint64_t cell[];
};

_Static_assert(sizeof(struct column) == 16, "a key of two words");

struct dp_ramp
dp_phase_ramp(const struct dp_statistic *what, uint64_t tau)
{
	return what == &dp_incidence ? (struct dp_ramp){ 0, 1 } :
	    (struct dp_ramp){ what == &dp_heavy ? tau / 2 : 0, tau };
}

uint64_t
dp_phase_tau(const struct dp_sketch *s, uint64_t t)
{
	uint64_t tau = s->tau;

	if (s->share != 0)
		tau = t / s->share + (t % s->share != 0);
	return tau < 1 ? 1 : tau > DP_RAMP_MAX ? DP_RAMP_MAX : tau;
}

double
dp_phase_worth(const struct dp_phase *k, uint64_t tau)
{
	return k->what == &dp_cropped ? (double)tau :
	    k->what == &dp_mean ? 1e6 * (double)tau / (double)k->n : 1;
}

bool
dp_phase_square(const struct dp_phase *k)
{
	return k->what == &dp_incidence || (k->mem.s.share == 0 && k->mem.s.tau == 1);
}

uint64_t
dp_phase_scale(const struct dp_phase *k, uint64_t tau)
{
	const struct dp_ramp r = dp_phase_ramp(k->what, tau);

	if (dp_phase_square(k))
		return (uint64_t)BOUND;
	return (uint64_t)((double)BOUND / dp_bands_peak(&k->bands, &r, &r));
}

/* The multiplier of cell i. */
static uint64_t
multiplier(const struct dp_phase *k, const struct column *c, uint64_t i)
{
	uint64_t h[2];

	if (dp_memory_exact(&k->mem))
		return 1;
	crypto_shorthash_siphashx24((unsigned char *)h, (const unsigned char *)&i, sizeof i,
	    c->key);
	return dp_bands_draw(&k->bands, h) >> k->shift << k->shift;
}

/* A cell's addend in C, from -BOUND to BOUND. */
static int64_t
term(const struct dp_phase *k, const struct dp_ramp *r, uint64_t K, uint64_t cell, uint64_t f)
{
	const unsigned places = DP_WEIGHT_BITS + 30;
	int64_t y;

	if (k->what == &dp_incidence)
		cell -= f * k->mem.s.tau;
	if (dp_phase_square(k))
		return dp_cell_out(cell) ? -BOUND : BOUND;
	y = (int64_t)((dp_ramp_weight(&k->bands, r, K, f) * (dp_wide)dp_ramp_cosine(cell) +
	    ((dp_wide)1 << (places - 1))) >> places);
	return y < -BOUND ? -BOUND : y > BOUND ? BOUND : y;
}

/* The sum of r, or the number of cells at tau, without noise. */
static double
sum_exactly(const struct dp_phase *k, const struct column *c, uint64_t tau)
{
	const struct dp_ramp r = dp_phase_ramp(k->what, tau);
	dp_uwide sum = 0;
	uint64_t i, size;

	for (i = 0; i < k->n; i++) {
		size = c->cell[i] >> 63 != 0 ? -c->cell[i] : c->cell[i];
		if (k->what == &dp_incidence)
			sum += c->cell[i] == tau;
		else
			sum += size <= r.low ? 0 : size >= r.tau ? r.tau - r.low : size - r.low;
	}
	return (double)sum / (double)(r.tau - r.low);
}

static int
count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct dp_phase *k = (const void *)m;
	const struct column *c = col;
	const uint64_t tau = dp_phase_tau(&k->mem.s, t);
	const struct dp_ramp r = dp_phase_ramp(k->what, tau);
	const uint64_t K = k->mem.s.share != 0 ? dp_phase_scale(k, tau) : k->K;
	dp_wide sum = 0;
	uint64_t i;
	double x;
	int64_t z;
	int e;

	if (dp_memory_exact(&k->mem)) {
		*est = dp_sketch_round(sum_exactly(k, c, tau) * dp_phase_worth(k, tau));
		return 0;
	}
	if ((e = dp_draw(&k->mem.output, rng, &z)) != 0)
		return e;
	for (i = 0; i < k->n; i++)
		sum += term(k, &r, K, c->cell[i], multiplier(k, c, i));
	/* sum + z is private: from here on doubles do no harm */
	x = (double)(sum + z) / ((double)K * k->gain);
	*est = dp_sketch_round(k->what == &dp_incidence ? x :
	    ((double)k->n - x) * dp_phase_worth(k, tau));
	return 0;
}

static uint64_t
cells_of(const struct dp_sketch *s, const struct dp_statistic *what)
{
	if (s->universe != 0 || what != &dp_heavy)
		return s->universe;
	/*
	 * c k/(1 - 1/sqrt(2)), c = 2: so few of the heavy ones meet, and of the light ones add up
	 * to one (Mir et al. 2011, Lemma 7)
	 */
	if (s->buckets == 0 && s->share != 0)
		return s->share > PLACES_MAX / 8 ? 0 :
		    (s->share * 68284272 + 9999999) / 10000000;
	return s->buckets != 0 ? s->buckets : DP_SKETCH_BUCKETS;
}

/*
 * Of hashed identifiers half of what may go wrong is for where they meet, and half for noise; its
 * error is unknown as long as their number is.
 */
static void
set_drift(struct dp_phase *k, const struct dp_mech_rule *rule)
{
	const uint64_t answers = dp_sketch_outputs(rule);

	if (k->mem.s.universe != 0)
		return;
	k->mem.m.off.worst_of = 2;
	k->mem.m.off.drift = INFINITY;
	if (k->mem.s.lines && answers != 0 && (rule->horizon != 0 || k->mem.s.share != 0))
		k->mem.m.off.drift = ceil(dp_phase_meeting(k, rule->report,
		    rule->beta / (2 * (double)answers)));
}

static int
create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	const uint64_t n = cells_of(s, ops->statistic);
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_phase *k;
	int e;

	if (n == 0 || n > PLACES_MAX || s->modulo != 0 ||
	    (s->tau == 0) == (s->share == 0) || s->tau > DP_RAMP_MAX ||
	    (s->share != 0 && (!s->lines || ops->statistic != &dp_heavy)))
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule, sizeof(struct column) + n * sizeof(uint64_t));
	if (k == NULL)
		return DP_ENOMEM;
	k->what = ops->statistic;
	k->n = n;
	k->shift = s->bits == 0 ? 0 : 64 - s->bits;
	k->every = rule->every;
	k->mem.begins = DP_CELL_BEGINS;
	k->mem.count = count;
	dp_phase_plan(k, rule);
	if ((e = dp_memory_split(&k->mem, rule, 2 * (uint64_t)BOUND, dp_phase_variance, k)) != 0)
		return e;
	k->gain = dp_numbers_real(numbers, "gain",
	    dp_phase_gain(k, dp_sketch_loss(&k->mem.state)), 0x1p-64, 1);
	dp_numbers_same(numbers, "cells", n);
	dp_numbers_same(numbers, "threshold", s->share != 0 ? s->share : s->tau);
	k->mem.m.drawn.unit = dp_phase_worth(k, dp_phase_tau(s, k->last)) /
	    ((double)k->K * k->gain);
	set_drift(k, rule);
	*out = &k->mem.m;
	return 0;
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct dp_phase *k = (const void *)m;
	struct column *c = col;
	int e;

	if (dp_memory_exact(&k->mem))
		return 0;
	if ((e = dp_memory_key(c->key, rng)) != 0)
		return e;
	return dp_cells_start(&k->mem, rng, k->shift, c->cell, k->n);
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct dp_phase *k = (const void *)m;
	struct column *c = col;
	uint64_t f, i = id->word[0];

	(void)rng;
	if (k->mem.s.universe == 0)		/* it is a hash */
		i = (uint64_t)((dp_uwide)i * k->n >> 64);
	else if (i >= k->n)
		return 0;
	f = multiplier(k, c, i);
	c->cell[i] += id->sign < 0 ? -f : f;
	return 0;
}

static const char *
refuses(const struct dp_task *k)
{
	return cells_of(k->own, k->statistic) == 0 ? "needs --universe" : NULL;
}

#define PHASE(NAME) \
	DP_MEMORY_OPS, .name = "phase", \
	.say.source = "a cell of 64 bits, begun at random, for each "	\
	    "of a universe; cosines of cells (after Mir et al. 2011)", \
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, \
	.statistic = &dp_##NAME, .say.refuses = refuses, .create = create, .start = start, \
	.open.see = see, .law.at = dp_phase_law, .error = dp_phase_error

const struct dp_mech_ops dp_phase_cropped_ops = { PHASE(cropped) };
const struct dp_mech_ops dp_phase_mean_ops = { PHASE(mean) };
const struct dp_mech_ops dp_phase_heavy_ops = { PHASE(heavy) };
const struct dp_mech_ops dp_phase_incidence_ops = { PHASE(incidence) };
