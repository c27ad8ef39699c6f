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
 * together.  After Mir, Muthukrishnan, Nikolov, Wright 2011, sections 3.2 and 3.3, whose own
 * algorithm (alg2.c) has an error that grows with tau^2, not tau.
 *
 * Without noise a cell is the net count itself.
 */
#include <math.h>
#include <stdio.h>

#include <sodium.h>

#include "cells.h"
#include "ramp.h"

extern const struct dp_mech_ops dp_phase_cropped_ops, dp_phase_mean_ops, dp_phase_heavy_ops,
    dp_phase_incidence_ops;

#define PLACES_MAX	((uint64_t)1 << 28)
#define BOUND		((int64_t)1 << 20)
#define FLIPS		0x1p20		/* of the law: so many bits are normal */

struct phase {
	struct dp_mech m;
	struct dp_noise state, output;
	struct dp_sketch s;
	const struct dp_statistic *what;
	uint64_t n;			/* cells */
	struct dp_bands bands;
	double gain, draws;		/* draws: a step */
	uint64_t every;			/* steps between answers; 0: there is one */
	unsigned shift;			/* 64 - bits of a cell */
	/* Of the fixed ramp, if there is one; else of that at the end of the run. */
	uint64_t last;
	uint64_t K;
	double square;
};

struct column {
	uint8_t key[crypto_shorthash_siphashx24_KEYBYTES];
	uint64_t cell[];
};

_Static_assert(sizeof(struct column) == 16, "a key of two words");

static struct dp_ramp
ramp_of(const struct dp_statistic *what, uint64_t tau)
{
	return what == &dp_incidence ? (struct dp_ramp){ 0, 1 } :
	    (struct dp_ramp){ what == &dp_heavy ? tau / 2 : 0, tau };
}

/* The threshold after t lines. */
static uint64_t
tau_at(const struct dp_sketch *s, uint64_t t)
{
	uint64_t tau = s->tau;

	if (s->share != 0)
		tau = t / s->share + (t % s->share != 0);
	return tau < 1 ? 1 : tau > DP_RAMP_MAX ? DP_RAMP_MAX : tau;
}

/* What the sum of r is to be multiplied by. */
static double
scale_of(const struct phase *k, uint64_t tau)
{
	return k->what == &dp_cropped ? (double)tau :
	    k->what == &dp_mean ? 1e6 * (double)tau / (double)k->n : 1;
}

static bool
exact(const struct phase *k)
{
	return k->state.kind == DP_NOISE_NONE;
}

/* W = 1 everywhere. */
static bool
square_wave(const struct phase *k)
{
	return k->what == &dp_incidence || (k->s.share == 0 && k->s.tau == 1);
}

static uint64_t
scale_for(const struct phase *k, uint64_t tau)
{
	const struct dp_ramp r = ramp_of(k->what, tau);

	if (square_wave(k))
		return (uint64_t)BOUND;
	return (uint64_t)((double)BOUND / dp_bands_peak(&k->bands, &r, &r));
}

/* E W^2, or twice that for the square wave, as cos^2 is 1. */
static double
square_of(const struct phase *k, uint64_t tau)
{
	const struct dp_ramp r = ramp_of(k->what, tau);

	return square_wave(k) ? 2 : dp_bands_square(&k->bands, &r);
}

static double
gain_of(const struct phase *k, double eps1)
{
	return tanh(eps1 / 2) * (square_wave(k) ? 1 : 2 / 3.14159265358979323846);
}

/*
 * By how much sum of (1 - r)^2 can fall below m in t lines: a line takes off at most the steepest
 * (1 - (1 - r(a))^2)/a.  With a = low + x d, d = tau - low, that is where d x^2 + 2 low x = 2 low;
 * with low = 0 at a = 1.
 */
static double
steepest(const struct phase *k, uint64_t tau)
{
	const struct dp_ramp r = ramp_of(k->what, tau);
	const double low = (double)r.low, d = (double)(r.tau - r.low);
	double x = low == 0 ? 1 / d : (sqrt(low * low + 2 * low * d) - low) / d;

	x = x < 1 ? x : 1;
	return (2 * x - x * x) / (low + x * d);
}

static double
touched(const struct phase *k, uint64_t t, uint64_t tau)
{
	const double n = (double)k->n;

	return k->what == &dp_incidence || !k->s.lines ? n :
	    fmin(n, (double)t * steepest(k, tau));
}

/* Variance of R^ but for the output's noise. */
static double
spread(const struct phase *k, uint64_t t, double square, double gain)
{
	const double n = (double)k->n;

	return n * square / (2 * gain * gain) - n + touched(k, t, tau_at(&k->s, t));
}

static double
variance(const void *arg, double eps1, double eps2)
{
	const struct phase *k = arg;
	const double gain = gain_of(k, eps1), one = (double)k->K * gain;

	return spread(k, k->last, k->square, gain) +
	    dp_sketch_laplace(eps2 / (2 * (double)BOUND)) / (one * one);
}

/* The least variance that some division of the budget has, of a few. */
static double
try_split(const struct phase *k, const struct dp_mech_rule *rule)
{
	const struct dp_privacy *p = &rule->privacy;
	const double eps = dp_q_double(p->epsilon) / (double)p->l1;
	const double answers = (double)dp_sketch_outputs(rule);
	double best = INFINITY, part;
	int i;

	for (i = -12; i <= 12; i++) {
		part = 1 / (1 + exp2(-i));
		best = fmin(best, variance(k, part * eps, (1 - part) * eps / answers));
	}
	return best;
}

static void
tune(struct phase *k, const struct dp_ramp *least, const struct dp_ramp *most, double even,
    struct dp_params *params)
{
	dp_bands_make(&k->bands, least, most, even, params);
	k->square = square_of(k, most->tau);
	k->K = dp_params_word(params, scale_for(k, most->tau), 1, (uint64_t)BOUND);
}

/* For the thresholds that answers will have; from 1 on where nobody knows. */
static void
plan_bands(struct phase *k, const struct dp_mech_rule *rule)
{
	static const double even[] = { 1, 0.8, 0.67, 0.5, 0.33, 0.2 };
	const uint64_t first = rule->horizon == 0 ? 1 :
	    rule->every != 0 && rule->every < rule->report ? rule->every : rule->report;
	const struct dp_ramp most = ramp_of(k->what, tau_at(&k->s, rule->report));
	const struct dp_ramp least = ramp_of(k->what, tau_at(&k->s, first));
	double best = even[0], v, least_v = INFINITY;
	unsigned i;

	k->last = rule->report;
	for (i = 0; i < sizeof even / sizeof even[0] && !rule->privacy.exact; i++) {
		tune(k, &least, &most, even[i], NULL);
		if ((v = try_split(k, rule)) < least_v) {
			least_v = v;
			best = even[i];
		}
	}
	tune(k, &least, &most, best, rule->privacy.params);
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

static int
create_for(struct dp_mech **out, const struct dp_mech_rule *rule, const struct dp_mech_ops *ops)
{
	const struct dp_sketch *s = rule->task.own;
	const uint64_t n = cells_of(s, ops->statistic);
	struct dp_params *params = rule->privacy.params;
	struct phase *k;
	int e;

	if (n == 0 || n > PLACES_MAX || (s->tau == 0) == (s->share == 0) || s->tau > DP_RAMP_MAX ||
	    (s->share != 0 && (!s->lines || ops->statistic != &dp_heavy)))
		return DP_EINVAL;
	k = dp_mech_alloc(ops, sizeof *k, rule->horizon,
	    sizeof(struct column) + n * sizeof(uint64_t));
	if (k == NULL)
		return DP_ENOMEM;
	k->s = *s;
	k->what = ops->statistic;
	k->n = n;
	k->shift = s->bits == 0 ? 0 : 64 - s->bits;
	k->draws = dp_sketch_rate(rule);
	k->every = rule->every;
	k->m.inputs = 0;
	plan_bands(k, rule);
	e = dp_sketch_split_range(&k->state, &k->output, rule, 2 * (uint64_t)BOUND, variance, k);
	if (e != 0) {
		dp_mech_free(&k->m);
		return e;
	}
	k->gain = dp_params_real(params, gain_of(k, dp_sketch_loss(&k->state)), 0x1p-64, 1);
	dp_params_same(params, n);
	dp_params_same(params, s->share != 0 ? s->share : s->tau);
	*out = &k->m;
	return 0;
}

static int
create_cropped(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create_for(out, rule, &dp_phase_cropped_ops);
}

static int
create_mean(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create_for(out, rule, &dp_phase_mean_ops);
}

static int
create_heavy(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create_for(out, rule, &dp_phase_heavy_ops);
}

static int
create_incidence(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	return create_for(out, rule, &dp_phase_incidence_ops);
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct phase *k = (const void *)m;
	struct column *c = col;
	const uint8_t *q;
	uint64_t i;
	int e = 0;

	if (exact(k))
		return 0;
	if ((q = dp_rng_take(rng, sizeof c->key)) == NULL)
		return DP_EENTROPY;
	memcpy(c->key, q, sizeof c->key);
	for (i = 0; i < k->n && e == 0; i++)
		e = dp_cell_start(&k->state, rng, k->shift, &c->cell[i]);
	dp_rng_wipe(rng);
	return e;
}

/* The multiplier of cell i. */
static uint64_t
multiplier(const struct phase *k, const struct column *c, uint64_t i)
{
	uint64_t h[2];

	if (exact(k))
		return 1;
	crypto_shorthash_siphashx24((unsigned char *)h, (const unsigned char *)&i, sizeof i,
	    c->key);
	return dp_bands_draw(&k->bands, h) >> k->shift << k->shift;
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct phase *k = (const void *)m;
	struct column *c = col;
	uint64_t f, i = id->word[0];

	(void)rng;
	if (k->s.universe == 0)		/* it is a hash */
		i = (uint64_t)((dp_uwide)i * k->n >> 64);
	else if (i >= k->n)
		return 0;
	f = multiplier(k, c, i);
	c->cell[i] += id->sign < 0 ? -f : f;
	return 0;
}

/* What a cell adds to C, from -BOUND to BOUND. */
static int64_t
term(const struct phase *k, const struct dp_ramp *r, uint64_t K, uint64_t cell, uint64_t f)
{
	const unsigned places = DP_WEIGHT_BITS + 30;
	int64_t y;

	if (k->what == &dp_incidence)
		cell -= f * k->s.tau;
	if (square_wave(k))
		return dp_cell_out(cell) ? -BOUND : BOUND;
	y = (int64_t)((dp_ramp_weight(&k->bands, r, K, f) * (dp_wide)dp_ramp_cosine(cell) +
	    ((dp_wide)1 << (places - 1))) >> places);
	return y < -BOUND ? -BOUND : y > BOUND ? BOUND : y;
}

/* The sum of r, or the number of cells at tau, without noise. */
static double
sum_exactly(const struct phase *k, const struct column *c, uint64_t tau)
{
	const struct dp_ramp r = ramp_of(k->what, tau);
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

/* A function of its own, so that answer() wipes what it leaves on the stack. */
static __attribute__((noinline)) int
estimate(const struct phase *k, const struct column *c, struct dp_rng *rng, uint64_t tau,
    dp_wide *est)
{
	const struct dp_ramp r = ramp_of(k->what, tau);
	const uint64_t K = k->s.share != 0 ? scale_for(k, tau) : k->K;
	dp_wide sum = 0;
	uint64_t i;
	double x;
	int64_t z;
	int e;

	if (exact(k)) {
		*est = dp_sketch_round(sum_exactly(k, c, tau) * scale_of(k, tau));
		return 0;
	}
	if ((e = dp_draw(&k->output, rng, &z)) != 0)
		return e;
	for (i = 0; i < k->n; i++)
		sum += term(k, &r, K, c->cell[i], multiplier(k, c, i));
	/* sum + z is private: from here on doubles do no harm */
	x = (double)(sum + z) / ((double)K * k->gain);
	*est = dp_sketch_round(k->what == &dp_incidence ? x :
	    ((double)k->n - x) * scale_of(k, tau));
	return 0;
}

static int
answer(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct phase *k = (const void *)m;
	const int e = estimate(k, col, rng, tau_at(&k->s, t), est);

	sodium_stackzero(4096);		/* the noise, which memory must not keep */
	return e;
}

/* Normal but for the output's noise, for the data of t lines that leave it widest. */
static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct phase *k = (const void *)m;
	const uint64_t tau = tau_at(&k->s, t);
	const bool moves = k->s.share != 0;
	const double scale = scale_of(k, tau), square = moves ? square_of(k, tau) : k->square;
	const double K = (double)(moves ? scale_for(k, tau) : k->K);

	(void)out;
	if (exact(k))
		return;
	dp_law_flip(l, 2 * scale * sqrt(spread(k, t, square, k->gain) / FLIPS), FLIPS, 0.5);
	dp_law_add(l, &k->output, scale / (K * k->gain), 1);
}

/* The mean of touched() over the steps to T, for one threshold. */
static double
mean_touched(const struct phase *k, uint64_t T)
{
	const double n = (double)k->n, all = (double)T, one = touched(k, 1, k->s.tau);
	const double rising = fmin(all, floor(n / one));

	return (rising * (rising + 1) / 2 * one + (all - rising) * n) / all;
}

/*
 * With one threshold the variance only grows.  With one that moves it is that of the answers: of
 * the one at the end, or of some of them, all if they are few.
 */
static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	const struct phase *k = (const void *)m;
	const double scale = scale_of(k, k->s.tau);
	const uint64_t answers = k->every == 0 || k->every > T ? 1 : T / k->every;
	const uint64_t tried = answers < 32 ? answers : 32;
	double v = dp_mech_variance(m, T);
	uint64_t t, i;

	*e = (struct dp_error){ .max = v, .mean = v, .worst = T };
	if (k->s.share == 0)
		e->mean -= scale * scale * (touched(k, T, k->s.tau) - mean_touched(k, T));
	if (k->s.share == 0 || answers == 1)
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

static double
draws(const struct dp_mech *m)
{
	return ((const struct phase *)(const void *)m)->draws;
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct phase *k = (const void *)m;

	*z = i == 0 ? &k->output : &k->state;
	*what = i == 0 ? "every answer" : "the half of the circle in which a cell begins: its sign";
	return i < 2 && (*z)->kind != DP_NOISE_NONE;
}

static double
unit(const struct dp_mech *m, unsigned i)
{
	const struct phase *k = (const void *)m;

	return i != 0 ? 1 : scale_of(k, tau_at(&k->s, k->last)) / ((double)k->K * k->gain);
}

#define PHASE(NAME) \
	.name = "phase", .source = "a cell of 64 bits, begun at random, for each of a universe; " \
	    "cosines of cells (after Mir et al. 2011)", \
	.traits = DP_TRAIT_ENDLESS | DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .tasks = DP_TASK_OWN, \
	.statistic = &dp_##NAME, .create = create_##NAME, .start = start, \
	.step = dp_sketch_step, .answer = answer, .see = see, .law = law, .error = error, \
	.family = family, .unit = unit, .draws = draws

const struct dp_mech_ops dp_phase_cropped_ops = { PHASE(cropped) };
const struct dp_mech_ops dp_phase_mean_ops = { PHASE(mean) };
const struct dp_mech_ops dp_phase_heavy_ops = { PHASE(heavy) };
const struct dp_mech_ops dp_phase_incidence_ops = { PHASE(incidence) };
