/* SPDX-License-Identifier: ISC */
/* phase.c - how often identifiers came. */
#include <math.h>
#include <sodium.h>
#include <stdio.h>

#include "internal.h"

extern const struct dp_mech_ops dp_phase_levels_ops;

static double phase_gain(const struct dp_phase *, double eps1);
static double phase_variance(const void *, double eps1, double noise);
static void phase_plan(struct dp_phase *, const struct dp_mech_rule *);
static double together(const struct dp_phase *, const double *y, uint64_t t);
static void levels_drift(struct dp_phase *, const struct dp_mech_rule *);
static void phase_law(const struct dp_mech *, unsigned out, uint64_t t, struct dp_law *);
static void phase_error(const struct dp_mech *, uint64_t T, struct dp_error *);

/*
 * How often identifiers came, cropped: a phase each, on a circle that wraps.
 *
 * A cell for each of m identifiers (internal.h), with a multiplier f whose law (internal.h) suits
 * what is
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
 * and 1 in IN, so that gain = tanh(eps1/2) and cos^2 becomes 1; UNBIASED in internal.h has the
 * proof.
 *
 * Privacy: PAN-PRIVACY in internal.h with R = 2 BOUND: every term is an integer, and is cut to
 * +-BOUND, which K is so small for that no weight comes near.
 *
 * Without a universe heavy hashes identifiers to m buckets, and a is what the bucket's came to
 * together: dp_phase_meeting() says how far that puts R off.  After Mir, Muthukrishnan, Nikolov,
 * Wright 2011, sections 3.2 and 3.3, whose own algorithm (paper.c) has an error that grows with
 * tau^2, not tau.
 *
 * Without noise a cell is the net count itself.
 */

#define PLACES_MAX	((uint64_t)1 << 28)
#define BOUND		DP_PHASE_BOUND
#define FULL		0.2		/* of the buckets of a level */
#define MANY		65536		/* of these, where nobody says how many */
#define FEWEST		64
#define FEW		16		/* answers */

struct column {
	uint8_t key[crypto_shorthash_siphashx24_KEYBYTES];
	uint64_t cell[];
};

_Static_assert(sizeof(struct column) == 16, "a key of two words");

/* The threshold after t lines. */
static struct dp_ramp
phase_ramp(const struct dp_statistic *what, uint64_t tau)
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

/* Factor of the sum of r. */
static double
phase_worth(const struct dp_phase *k, uint64_t tau)
{
	return k->what == &dp_cropped ? (double)tau :
	    k->what == &dp_mean ? 1e6 * (double)tau / (double)k->n : 1;
}

bool
dp_phase_square(const struct dp_phase *k)
{
	return k->what == &dp_incidence || (k->mem.s.share == 0 && k->mem.s.tau == 1);
}

/* K. */
static uint64_t
phase_scale(const struct dp_phase *k, uint64_t tau)
{
	const struct dp_ramp r = phase_ramp(k->what, tau);

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
	const struct dp_ramp r = phase_ramp(k->what, tau);
	dp_uwide sum = 0;
	uint64_t i, size;

	for (i = 0; i < k->n * k->levels; i++) {
		size = c->cell[i] >> 63 != 0 ? -c->cell[i] : c->cell[i];
		if (k->what == &dp_incidence)
			sum += c->cell[i] == tau;
		else
			sum += size <= r.low ? 0 : size >= r.tau ? r.tau - r.low : size - r.low;
	}
	return (double)sum / (double)(r.tau - r.low);
}

static int
phase_count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct dp_phase *k = (const void *)m;
	const struct column *c = col;
	const uint64_t tau = dp_phase_tau(&k->mem.s, t);
	const struct dp_ramp r = phase_ramp(k->what, tau);
	const uint64_t K = k->mem.s.share != 0 ? phase_scale(k, tau) : k->K;
	double x[DP_LEVELS];
	int64_t z[DP_LEVELS];
	dp_wide sum;
	uint64_t i;
	unsigned l;
	int e;

	if (dp_memory_exact(&k->mem)) {
		*est = dp_sketch_round(sum_exactly(k, c, tau) * phase_worth(k, tau));
		return 0;
	}
	if ((e = dp_noise_fill(&k->mem.output, rng, z, k->levels)) != 0)
		return e;
	for (l = 0; l < k->levels; l++) {
		for (sum = 0, i = k->n * l; i < k->n * (l + 1); i++)
			sum += term(k, &r, K, c->cell[i], multiplier(k, c, i));
		/* sum + z is private: from here on doubles do no harm */
		x[l] = (double)(sum + z[l]) / ((double)K * k->gain);
		if (k->what != &dp_incidence)
			x[l] = (double)k->n - x[l];
	}
	*est = dp_sketch_round((k->levels > 1 ? together(k, x, t) : x[0]) *
	    (k->what == &dp_incidence ? 1 : phase_worth(k, tau)));
	return 0;
}

/* As many that the first level is not too full, where answers are few: an answer takes them all. */
static uint64_t
levels_cells(const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	const uint64_t most = dp_sketch_outputs(rule) - 1 < FEW ? MANY : DP_SKETCH_BUCKETS;
	const double V = s->lines ? (double)rule->report / (double)s->tau : INFINITY;
	uint64_t n = FEWEST;

	while (n < most && V > 2 * FULL * (double)n)
		n *= 2;
	return n;
}

static uint64_t
cells_of(const struct dp_sketch *s, const struct dp_statistic *what,
    const struct dp_mech_rule *levels)
{
	if (s->universe != 0 || (what != &dp_heavy && levels == NULL))
		return levels != NULL ? 0 : s->universe;
	/*
	 * c k/(1 - 1/sqrt(2)), c = 2: so few of the heavy ones meet, and of the light ones add up
	 * to one (Mir et al. 2011, Lemma 7)
	 */
	if (levels != NULL && s->buckets == 0)
		return levels_cells(levels);
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
	if (k->levels > 1) {
		levels_drift(k, rule);
		return;
	}
	k->mem.m.off.worst_of = 2;
	k->mem.m.off.drift = INFINITY;
	if (k->mem.s.lines && answers != 0 && (rule->horizon != 0 || k->mem.s.share != 0))
		k->mem.m.off.drift = ceil(dp_phase_meeting(k, rule->report,
		    rule->beta / (2 * (double)answers)));
}

static int
phase_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	const bool levels = ops == &dp_phase_levels_ops;
	const uint64_t n = cells_of(s, ops->statistic, levels ? rule : NULL);
	const unsigned of = levels ? DP_LEVELS : 1;
	struct dp_numbers *numbers = rule->privacy.numbers;
	struct dp_phase *k;
	int e;

	if (n == 0 || n > PLACES_MAX / of || s->modulo != 0 ||
	    (s->tau == 0) == (s->share == 0) || s->tau > DP_RAMP_MAX ||
	    (s->share != 0 && (!s->lines || ops->statistic != &dp_heavy)))
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule,
	    sizeof(struct column) + n * of * sizeof(uint64_t));
	if (k == NULL)
		return DP_ENOMEM;
	k->what = ops->statistic;
	k->n = n;
	k->levels = k->mem.each = of;
	k->mem.draws *= of;
	if (levels)
		k->mem.m.drawn.numbers = "the sum of every level, in every answer";
	k->shift = s->bits == 0 ? 0 : 64 - s->bits;
	k->every = rule->every;
	k->mem.begins = DP_CELL_BEGINS;
	k->mem.count = phase_count;
	phase_plan(k, rule);
	if ((e = dp_memory_split(&k->mem, rule, 2 * (uint64_t)BOUND, phase_variance, k)) != 0)
		return e;
	k->gain = dp_numbers_real(numbers, "gain",
	    phase_gain(k, dp_sketch_loss(&k->mem.state)), 0x1p-64, 1);
	dp_numbers_same(numbers, "cells", n);
	dp_numbers_same(numbers, "threshold", s->share != 0 ? s->share : s->tau);
	k->mem.m.drawn.unit = phase_worth(k, dp_phase_tau(s, k->last)) /
	    ((double)k->K * k->gain);
	set_drift(k, rule);
	*out = &k->mem.m;
	return 0;
}

static int
phase_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct dp_phase *k = (const void *)m;
	struct column *c = col;
	int e;

	if (dp_memory_exact(&k->mem))
		return 0;
	if ((e = dp_memory_key(c->key, rng)) != 0)
		return e;
	return dp_cells_start(&k->mem, rng, k->shift, c->cell, k->n * k->levels);
}

/* A level is half as likely as the one before it. */
static unsigned
level_of(const struct dp_phase *k, const struct dp_id *id)
{
	return (unsigned)__builtin_ctzll(id->word[1] | (uint64_t)1 << (k->levels - 1));
}

static int
phase_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct dp_phase *k = (const void *)m;
	struct column *c = col;
	uint64_t f, i = id->word[0];

	(void)rng;
	if (k->mem.s.universe == 0)		/* it is a hash */
		i = (uint64_t)((dp_uwide)i * k->n >> 64) + k->n * level_of(k, id);
	else if (i >= k->n)
		return 0;
	f = multiplier(k, c, i);
	c->cell[i] += id->sign < 0 ? -f : f;
	return 0;
}

static const char *
phase_refuses(const struct dp_task *k)
{
	return cells_of(k->own, k->statistic, NULL) == 0 ? "needs --universe" : NULL;
}

#define PHASE(NAME) \
	DP_MEMORY_OPS, .name = "phase", \
	.say.source = "a cell of 64 bits, begun at random, for each "	\
	    "of a universe; cosines of cells (after Mir et al. 2011)", \
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, \
	.statistic = &dp_##NAME, .say.refuses = phase_refuses, .create = phase_create, .start = \
	    phase_start, \
	.open.see = phase_see, .law.at = phase_law, .error = phase_error

const struct dp_mech_ops dp_phase_cropped_ops = { PHASE(cropped) };
const struct dp_mech_ops dp_phase_mean_ops = { PHASE(mean) };
const struct dp_mech_ops dp_phase_heavy_ops = { PHASE(heavy) };
const struct dp_mech_ops dp_phase_incidence_ops = { PHASE(incidence) };

/*
 * Sums of counts, cropped, of any identifiers: levels of hashed ones, ever more sparse.
 *
 * An identifier goes to level l with probability p_l = 2^-(l+1), what is left to the last, and
 * there to one of n cells.  y_l = R^ of the cells of level l, each level with output noise of its
 * own.  With v_i = min(a_i, tau)/tau and V their sum, u_l = p_l V/n is how full a level is.
 * Statement: where nobody is undone more often than done, over hashes and noise,
 *	n (1 - exp(-u_l)) <= E y_l <= n u_l = p_l V, but for rounding.
 * Proof: tests/proof/sketches.md, Levels that share cells.
 *
 * From the first level on that can be no more than FULL full, by the number of lines and tau, both
 * of them public, levels are put together so that their variance is least, as all have much the
 * same:
 *	V^ = sum of p_l y_l / sum of p_l^2.
 * It is divided by the middle of 1 and (1 - exp(-u))/u, u = p V^/n of the first of them, so that it
 * is within some 5 % of V before noise.  (Which level is the first that is not too full by its own
 * y_l must not be asked: it is taken where its noise is low.)  Without noise it is the sum over all
 * cells.
 *
 * Privacy: PAN-PRIVACY in internal.h: an identifier has one cell, and levels share none.
 *
 * Mir, Muthukrishnan, Nikolov, Wright 2011, section 3.2, "multiple levels of hashing", of Dwork,
 * Naor, Pitassi, Rothblum, Yekhanin 2010, where levels are nested, and each costs.
 */

/* The middle of what identifiers that meet leave of a sum, u full. */
static double
left_of(double u)
{
	return u < 1e-9 ? 1 : (1 - expm1(-u) / u) / 2;
}

/* The first level that is taken, of V. */
static unsigned
first_level(const struct dp_phase *k, double V)
{
	unsigned l = 0;

	while (l + 1 < k->levels && dp_levels_share(l) * V > FULL * (double)k->n)
		l++;
	return l;
}

/* sum of p_l^power over levels from l on. */
static double
shares_from(const struct dp_phase *k, unsigned l, unsigned power)
{
	double sum = 0;

	for (; l < k->levels; l++)
		sum += pow(dp_levels_share(l), power);
	return sum;
}

/* The most that V can be after t lines, and the level from which levels are taken then. */
static double
largest(const struct dp_phase *k, uint64_t t, unsigned *first)
{
	const struct dp_sketch *s = &k->mem.s;
	double V = dp_sketch_seen(s, t);

	if (s->lines)
		V = fmin(V, (double)t / (double)s->tau);
	*first = first_level(k, V);
	return V;
}

/* V^ by y_l, after t lines. */
static double
together(const struct dp_phase *k, const double *y, uint64_t t)
{
	double sum = 0, V;
	unsigned first, l;

	(void)largest(k, t, &first);
	for (l = first; l < k->levels; l++)
		sum += dp_levels_share(l) * y[l];
	V = sum / shares_from(k, first, 2);
	return V / left_of(fmin(1, fmax(0, dp_levels_share(first) * V / (double)k->n)));
}

/*
 * Variance of V^: memory's part, where (1 - r)^2 >= 1 - 2 r of each cell; and hashing's, where each
 * v_i is in one level, at most V sum of p_l w_l^2, w_l = p_l/sum of p^2.
 */
static double
levels_spread(const struct dp_phase *k, uint64_t t)
{
	unsigned first, l;
	const double V = largest(k, t, &first), squares = shares_from(k, first, 2);
	const double n = (double)k->n, left = left_of(fmin(1, dp_levels_share(first) * V / n));
	double sum = V * shares_from(k, first, 3), p;

	for (l = first; l < k->levels; l++) {
		p = dp_levels_share(l);
		sum += p * p * (n * k->square / (2 * k->gain * k->gain) - n +
		    2 * fmin(n / 2, p * V));
	}
	return sum / (squares * squares) / (left * left);
}

/* The noise is such that hardly anything is learned. */
static bool
levels_blind(const struct dp_phase *k, uint64_t t)
{
	const double scale = phase_worth(k, k->mem.s.tau);
	unsigned first;
	const double V = scale * largest(k, t, &first);
	const double one = scale / ((double)k->K * k->gain);

	return 4 * (scale * scale * levels_spread(k, t) + one * one *
	    dp_noise_variance(&k->mem.output) / shares_from(k, first, 2)) > V * V;
}

static void
levels_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_phase *k = (const void *)m;
	const double scale = phase_worth(k, k->mem.s.tau);
	unsigned first, i;
	double V, squares, left;

	(void)out;
	if (dp_memory_exact(&k->mem))
		return;
	V = largest(k, t, &first);
	squares = shares_from(k, first, 2);
	left = left_of(fmin(1, dp_levels_share(first) * V / (double)k->n));
	l->blind = levels_blind(k, t);
	dp_law_flip(l, 2 * scale * sqrt(levels_spread(k, t) / 0x1p20), 0x1p20, 0.5);
	for (i = first; i < k->levels; i++)
		dp_law_add(l, &k->mem.output, scale / ((double)k->K * k->gain) *
		    dp_levels_share(i) / squares / left, 1);
}

static void
levels_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_phase *k = (const void *)m;
	const uint64_t tried = T < 32 ? T : 32;
	uint64_t i;

	*e = (struct dp_error){ .max = dp_mech_variance(m, T), .worst = T };
	for (i = 1; i <= tried; i++)
		e->mean += dp_mech_variance(m, T / tried * i + T % tried * i / tried) /
		    (double)tried;
	e->max = fmax(e->max, e->mean);
	e->blind = !dp_memory_exact(&k->mem) && levels_blind(k, T);
}

/* Of the largest V, what identifiers that meet may leave out, or not; where lines are counted. */
static void
levels_drift(struct dp_phase *k, const struct dp_mech_rule *rule)
{
	unsigned first;
	const double V = largest(k, rule->report, &first);
	const double left = left_of(fmin(1, dp_levels_share(first) * V / (double)k->n));

	k->mem.m.off.drift = k->mem.s.lines && rule->horizon != 0 && !dp_memory_exact(&k->mem) ?
	    ceil((1 - left) / left * V * phase_worth(k, k->mem.s.tau)) : INFINITY;
}

static bool
levels_unfit(const struct dp_mech_rule *rule, char *text, size_t size)
{
	const struct dp_sketch *s = rule->task.own;

	snprintf(text, size, "has too much noise here: declare a --universe, %shave a "
	    "larger epsilon%s%s", s->lines && rule->horizon != 0 ? "" :
	    "say how many lines there are (-T), ",
	    dp_sketch_outputs(rule) == 1 ? "" : ", fewer answers (--every, --at-end)",
	    rule->pan ? ", or --no-pan-private in place of -P" : ", or an exact table");
	return true;
}

static const char *
levels_refuses(const struct dp_task *k)
{
	return ((const struct dp_sketch *)k->own)->universe != 0 ? "is for identifiers without a "
	    "--universe: with one it is phase" : NULL;
}

const struct dp_mech_ops dp_phase_levels_ops = {
	DP_MEMORY_OPS, .name = "phase-levels",
	.say.source = "cells of 64 bits of hashed identifiers, in levels ever more sparse (after "
	    "Mir et al. 2011)",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN,
	.statistic = &dp_cropped, .say.refuses = levels_refuses, .create = phase_create,
	.start = phase_start, .open.see = phase_see, .law.at = levels_law, .error = levels_error,
	.say.unfit = levels_unfit
};

/*
 * How far phase.c is off, and what makes that least.
 */

#define FLIPS	0x1p20		/* flips in the law, which stand for a normal one */

/* E W^2, or twice that for the square wave, as cos^2 is 1. */
static double
square_of(const struct dp_phase *k, uint64_t tau)
{
	const struct dp_ramp r = phase_ramp(k->what, tau);

	return dp_phase_square(k) ? 2 : dp_bands_square(&k->bands, &r);
}

static double
phase_gain(const struct dp_phase *k, double eps1)
{
	return tanh(eps1 / 2) * (dp_phase_square(k) ? 1 : 2 / 3.14159265358979323846);
}

/*
 * By how much sum of (1 - r)^2 can fall below m in t lines: a line takes off at most the steepest
 * (1 - (1 - r(a))^2)/a.  With a = low + x d, d = tau - low, that is where d x^2 + 2 low x = 2 low;
 * with low = 0 at a = 1.
 */
static double
steepest(const struct dp_phase *k, uint64_t tau)
{
	const struct dp_ramp r = phase_ramp(k->what, tau);
	const double low = (double)r.low, d = (double)(r.tau - r.low);
	double x = low == 0 ? 1 / d : (sqrt(low * low + 2 * low * d) - low) / d;

	x = x < 1 ? x : 1;
	return (2 * x - x * x) / (low + x * d);
}

static double
touched(const struct dp_phase *k, uint64_t t, uint64_t tau)
{
	const double n = (double)k->n;

	return k->what == &dp_incidence || !k->mem.s.lines ? n :
	    fmin(n, (double)t * steepest(k, tau));
}

/* Variance of R^ but for the output's noise. */
static double
spread(const struct dp_phase *k, uint64_t t, double square, double gain)
{
	const double n = (double)k->n;

	return n * square / (2 * gain * gain) - n + touched(k, t, dp_phase_tau(&k->mem.s, t));
}

/* For dp_memory_split(): of a struct dp_phase. */
static double
phase_variance(const void *arg, double eps1, double noise)
{
	const struct dp_phase *k = arg;
	const double gain = phase_gain(k, eps1), one = (double)k->K * gain;

	return spread(k, k->last, k->square, gain) + noise / (one * one);
}

/* The least variance that some division of the budget has, of a few. */
static double
try_split(const struct dp_phase *k, const struct dp_mech_rule *rule)
{
	const struct dp_privacy *p = &rule->privacy;
	const double eps = dp_q_double(p->epsilon) / (double)p->l1;
	const double answers = (double)dp_sketch_outputs(rule);
	double best = INFINITY, part;
	int i;

	for (i = -12; i <= 12; i++) {
		part = 1 / (1 + exp2(-i));
		best = fmin(best, phase_variance(k, part * eps, dp_sketch_laplace((1 - part) *
		    eps / answers / (2 * (double)DP_PHASE_BOUND))));
	}
	return best;
}

static void
tune(struct dp_phase *k, const struct dp_ramp *least, const struct dp_ramp *most, double even,
    struct dp_numbers *numbers)
{
	dp_bands_make(&k->bands, least, most, even, numbers);
	k->square = square_of(k, most->tau);
	k->K = dp_numbers_replays(numbers) ? 1 : phase_scale(k, most->tau);
	k->K = dp_numbers_int(numbers, "weight", k->K, 1, (uint64_t)DP_PHASE_BOUND);
}

/* The bands and K that are best for the thresholds that answers will have, and `square`. */
/* For the thresholds that answers will have; from 1 on where nobody knows. */
static void
phase_plan(struct dp_phase *k, const struct dp_mech_rule *rule)
{
	static const double even[] = { 1, 0.8, 0.67, 0.5, 0.33, 0.2 };
	const uint64_t first = rule->horizon == 0 ? 1 :
	    rule->every != 0 && rule->every < rule->report ? rule->every : rule->report;
	const struct dp_ramp most = phase_ramp(k->what, dp_phase_tau(&k->mem.s, rule->report));
	const struct dp_ramp least = phase_ramp(k->what, dp_phase_tau(&k->mem.s, first));
	double best = even[0], v, least_v = INFINITY;
	unsigned i;

	k->last = rule->report;
	for (i = 0; i < sizeof even / sizeof even[0] && !rule->privacy.exact &&
	    !dp_numbers_replays(rule->privacy.numbers); i++) {
		tune(k, &least, &most, even[i], NULL);
		if ((v = try_split(k, rule)) < least_v) {
			least_v = v;
			best = even[i];
		}
	}
	tune(k, &least, &most, best, rule->privacy.numbers);
}

/* Members of dp_mech_ops. */
/* Normal but for the output's noise, for the data of t lines that leave it widest. */
static void
phase_law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct dp_phase *k = (const void *)m;
	const uint64_t tau = dp_phase_tau(&k->mem.s, t);
	const bool moves = k->mem.s.share != 0;
	const double scale = phase_worth(k, tau), square = moves ? square_of(k, tau) : k->square;
	const double K = (double)(moves ? phase_scale(k, tau) : k->K);

	(void)out;
	if (dp_memory_exact(&k->mem))
		return;
	dp_law_flip(l, 2 * scale * sqrt(spread(k, t, square, k->gain) / FLIPS), FLIPS, 0.5);
	dp_law_add(l, &k->mem.output, scale / (K * k->gain), 1);
}

double
dp_phase_meeting(const struct dp_phase *k, uint64_t t, double p)
{
	const struct dp_sketch *s = &k->mem.s;
	const struct dp_ramp r = phase_ramp(k->what, dp_phase_tau(s, t));
	const double low = (double)r.low, d = (double)(r.tau - r.low), share = (double)s->share;
	const double c = r.low == 0 ? 2 : 1 / (low * d), n = (double)k->n, lines = (double)t;
	const double M = s->share != 0 ? 9 * share * share / (4 * n) : lines * lines * c / (2 * n);
	const double held = s->share != 0 ? 2 * share : lines / d;

	return fmin(s->share != 0 ? share : lines / (double)r.tau,
	    M + (s->deletes ? 2 : 1) * sqrt(held * log(2 / p) / 2));
}

/* The mean of touched() over the steps to T, for one threshold. */
static double
mean_touched(const struct dp_phase *k, uint64_t T)
{
	const double n = (double)k->n, all = (double)T, one = touched(k, 1, k->mem.s.tau);
	const double rising = fmin(all, floor(n / one));

	return (rising * (rising + 1) / 2 * one + (all - rising) * n) / all;
}

/* Members of dp_mech_ops. */
/*
 * With one threshold the variance only grows.  With one that moves it is that of the answers: of
 * the one at the end, or of some of them, all if they are few.
 */
static void
phase_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct dp_phase *k = (const void *)m;
	const double scale = phase_worth(k, k->mem.s.tau);
	const uint64_t answers = k->every == 0 || k->every > T ? 1 : T / k->every;
	const uint64_t tried = answers < 32 ? answers : 32;
	double v = dp_mech_variance(m, T);
	uint64_t t, i;

	*e = (struct dp_error){ .max = v, .mean = v, .worst = T };
	if (dp_memory_exact(&k->mem))
		return;
	if (k->mem.s.share == 0)
		e->mean -= scale * scale * (touched(k, T, k->mem.s.tau) - mean_touched(k, T));
	if (k->mem.s.share == 0 || answers == 1)
		return;
	for (e->mean = 0, e->max = 0, i = 1; i <= tried; i++) {
		t = k->every * (answers * i / tried);
		v = dp_mech_variance(m, t);
		e->mean += v / (double)tried;
		if (v > e->max) {
			e->max = v;
			e->worst = t;
		}
	}
}

/*
 * How many identifiers of a declared universe came so often, but for multiples of K: a
 * number modulo K each.
 *
 * A cell holds c + a mod K, a the net count, and c is drawn once: 0 with E times the probability of
 * each other number, E = e^eps1.  With q = 1/(K - 1 + E), a cell is R with probability E q where a
 * is R mod K, and else with q, exactly; so of N such identifiers, Y cells of m at R and z, DLap of
 * scale 1/eps2,
 *
 *	N^ = (Y + z - m q)/gap,  gap = (E - 1) q
 *	Var N^ = (N E q (1 - E q) + (m - N) q (1 - q) + Var z)/gap^2
 *
 * is unbiased, and its error grows as K does: some K sqrt(m q)/(E - 1).
 *
 * Privacy: PAN-PRIVACY in internal.h on a circle of K places, any two of which have odds of E at
 * the
 * most, g being 1 at R and 0 elsewhere, so R = 1 there.
 *
 * Dwork, Naor, Pitassi, Rothblum, Yekhanin 2010, modular incidence.  One answer is well; as every
 * line of an identifier may change it, answer after answer with a loss that does not add up has an
 * error of the order of m (Dwork, Naor, Pitassi, Rothblum 2010, Theorem 5.3).
 */

struct modular {
	struct dp_memory mem;
	struct dp_coin zero;		/* heads: c = 0 */
	double q, gap;
};

static uint64_t
places_modular(const struct dp_sketch *s)
{
	return (s->universe + 3) / 4 * 4;	/* of a column of whole words */
}

/* The larger variance of a cell. */
static double
widest(double q, double E)
{
	return fmax(E * q * (1 - E * q), q * (1 - q));
}

static double
variance_modular(const void *arg, double eps1, double noise)
{
	const struct modular *k = arg;
	const double E = exp(eps1), q = 1 / (expm1(eps1) + (double)k->mem.s.modulo);
	const double gap = expm1(eps1) * q;

	return ((double)k->mem.s.universe * widest(q, E) + noise) / (gap * gap);
}

static int
budget_modular(struct modular *k, const struct dp_mech_rule *rule)
{
	struct dp_q state, output;
	int e;

	if ((e = dp_sketch_shares(&state, &output, rule, 1, variance_modular, k)) != 0 ||
	    (e = dp_privacy_coin(&k->zero, &rule->privacy, state,
	    dp_q_make(k->mem.s.modulo - 1, 1))) != 0)
		return e;
	return dp_privacy_laplace(&k->mem.output, &rule->privacy, output);
}

static int
modular_count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct modular *k = (const void *)m;
	const uint16_t *cell = col;
	uint64_t y = 0, i;
	int64_t z;
	int e;

	(void)t;
	if ((e = dp_draw(&k->mem.output, rng, &z)) != 0)
		return e;
	for (i = 0; i < k->mem.s.universe; i++)
		y += cell[i] == k->mem.s.tau;
	/* y + z is private: from here on doubles do no harm */
	*est = dp_sketch_round(((double)((int64_t)y + z) - (double)k->mem.s.universe * k->q) /
	    k->gap);
	return 0;
}

static int
modular_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	struct modular *k;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX || s->modulo < 2 ||
	    s->modulo > DP_SKETCH_MODULO || s->tau >= s->modulo)
		return DP_EINVAL;
	k = dp_memory_alloc(ops, sizeof *k, rule, places_modular(s) * sizeof(uint16_t));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->mem.m;
	k->mem.count = modular_count;
	k->mem.coin = &k->zero;
	k->mem.odds = s->modulo - 1;
	k->mem.range = 1;
	k->mem.answers = dp_sketch_outputs(rule);
	if ((e = budget_modular(k, rule)) != 0)
		return e;
	k->q = dp_numbers_real(rule->privacy.numbers, "flip",
	    k->zero.tails / (double)(s->modulo - 1), 0, 1);
	k->gap = dp_numbers_real(rule->privacy.numbers, "gap", dp_memory_exact(&k->mem) ? 1 :
	    expm1(k->zero.x) / (expm1(k->zero.x) + (double)s->modulo), 0x1p-64, 1);
	k->mem.m.drawn.unit = 1 / k->gap;
	dp_numbers_same(rule->privacy.numbers, "universe", s->universe);
	dp_numbers_same(rule->privacy.numbers, "modulo", s->modulo);
	dp_numbers_same(rule->privacy.numbers, "tau", s->tau);
	return 0;
}

static const char *
modular_refuses(const struct dp_task *k)
{
	return ((const struct dp_sketch *)k->own)->modulo == 0 ?
	    "counts modulo a number (--tau=R%K)" : NULL;
}

static int
modular_start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct modular *k = (const void *)m;
	uint16_t *cell = col;
	uint64_t i, c;
	bool heads;
	int e = 0;

	if (dp_memory_exact(&k->mem))
		return 0;
	for (i = 0; i < k->mem.s.universe && e == 0; i++) {
		if ((e = dp_coin_toss(&k->zero, rng, &heads)) == 0)
			e = dp_fair(rng, k->mem.s.modulo - 1, &c);
		if (e == 0)
			cell[i] = heads ? 0 : (uint16_t)(c + 1);
	}
	dp_rng_wipe(rng);
	sodium_memzero(&c, sizeof c);
	return e;
}

static int
modular_see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct dp_sketch *s = &((const struct dp_memory *)(const void *)m)->s;
	uint16_t *cell = (uint16_t *)col + id->word[0];

	(void)rng;
	if (id->word[0] < s->universe)
		*cell = (uint16_t)((*cell + (id->sign < 0 ? s->modulo - 1 : 1)) % s->modulo);
	return 0;
}

/* For the number that makes it widest. */
static void
law_modular(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct modular *k = (const void *)m;
	const double p = k->q + k->gap, worst = p * (1 - p) > k->q * (1 - k->q) ? p : k->q;

	(void)out;
	(void)t;
	if (dp_memory_exact(&k->mem))
		return;
	dp_law_flip(l, m->drawn.unit, (double)k->mem.s.universe, worst);
	dp_law_add(l, &k->mem.output, m->drawn.unit, 1);
}

static bool
modular_note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
{
	const struct modular *k = (const void *)m;

	(void)unit_;
	if (i != 0 || dp_memory_exact(&k->mem))
		return false;
	snprintf(text, size, "of epsilon, %.4g is for memory: it is so much likelier, in "
	    "logarithms, that a count begins at 0 than at another number", k->zero.x);
	return true;
}

const struct dp_mech_ops dp_modular_ops = {
	DP_MEMORY_OPS, .name = "modular",
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .statistic = &dp_incidence,
	.create = modular_create, .start = modular_start, .open.see = modular_see, .law.at =
	    law_modular,
	.error = dp_mech_error_constant,
	.say = { .source = "a count modulo K, begun at random, for each of a universe (Dwork et "
	    "al. 2010, Pan-private Streaming Algorithms)", .note = modular_note, .refuses =
	    modular_refuses }
};
