/* SPDX-License-Identifier: ISC */
/*
 * pan.c - pan-private counters: the memory between steps may be read once, unannounced, by the
 * adversary who also sees every output.
 *
 * pan: Dwork, Naor, Pitassi, Rothblum 2010, Figure 1 = Dwork, Roth 2014, Figure 12.2.  The count
 *   starts at DLap(b); step u (0-based) adds the noise of every open interval [s 2^i, (s+1) 2^i), i
 *   < h, h = max(1, ceil(lg T)).  One event is compensated by shifting at most 1 + h noises (the
 *   count's and a prefix cover when the intrusion comes after it, a suffix cover when it comes
 *   before): b = (1+h) l1 / epsilon, every noise has share 1/(1+h), and every estimate has variance
 *   (1+h) V(b).
 *
 * pan-slots: the same over a deeper tree of depth D in which only the time slots with exactly
 *   o ones in their index are used, C(D,o) >= T.  A prefix cover [0,s) has o intervals, a suffix
 *   cover [s,2^D) has D - o + 1 - ctz(s): cost max(1+o, D-o+1), variance (1+D) V(b).
 *
 * Noise is drawn when its interval is first needed and wiped when the interval ends; the exact
 * count never exists.  An open step (a time bucket) may be absorbed piecewise by add(): the noise
 * of intervals that start with the step is drawn at its end, so an intrusion in its middle sees
 * only older noise.
 *
 * Draw order: the count; then per step the longest interval first; after a look all intervals, the
 * longest first, then what the count gets.
 *
 * LOOKS.  Memory may be looked at J = `looks` times more.  After each of these ops->open.anew() is
 * called, before the next look: then the count has one more draw added, and the noise of every open
 * interval is drawn again.  Statement: all looks, J + 1 of them, and all outputs together cost what
 * one look does, but at least 3 draws.  Every estimate has variance (1+h+j) V(b) after j of them.
 * Proof: tests/proof/counters.md.  That errors grow with looks has to be: Theorem 4.3 of the paper,
 * sketch/local.h.
 */
#include <math.h>

#include "mech.h"

#define DEPTH	62

struct pan {
	struct dp_mech m;
	unsigned depth, ones, cost;	/* plain: depth = h, ones = 0 */
	unsigned looks;			/* that are told */
	struct dp_noise noise;
};

struct column {
	dp_wide count;
	uint64_t slot;			/* of the last step taken, pan-slots */
	uint64_t looks;			/* told so far */
	int64_t eta[DEPTH];		/* 0 = not drawn or wiped */
};

static int
create_pan(struct dp_mech **out, const struct dp_mech_ops *ops,
    const struct dp_mech_rule *rule, unsigned depth, unsigned ones, unsigned cost)
{
	struct pan *k;

	k = dp_mech_alloc(ops, sizeof *k, rule->horizon, sizeof(struct column));
	if (k == NULL)
		return DP_ENOMEM;
	*out = &k->m;
	k->depth = depth;
	k->ones = ones;
	k->cost = cost;
	k->looks = (unsigned)rule->task.looks;
	if (k->looks != 0)
		dp_numbers_same(rule->privacy.numbers, "looks", k->looks);
	k->m.drawn.noise = &k->noise;
	k->m.drawn.numbers = "the count and every interval of the tree";
	return dp_privacy_laplace(&k->noise, &rule->privacy, dp_q_make(1, cost));
}

static int
pan_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	unsigned h;

	if (rule->horizon == 0 || rule->horizon > (uint64_t)1 << (DEPTH - 1))
		return DP_EINVAL;
	h = dp_ceil_log2(rule->horizon);
	if (h < 2)
		h = rule->task.looks != 0 ? 2 : 1;
	return create_pan(out, ops, rule, h, 0, 1 + h);
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct pan *k = (const void *)m;
	struct column *c = col;
	int64_t z;
	int e;

	if ((e = dp_draw(&k->noise, rng, &z)) != 0)
		return e;
	c->count = z;
	if (k->ones != 0)		/* one before the first slot: see next_slot() */
		c->slot = 0;
	return 0;
}

static void
pan_add(const struct dp_mech *m, void *col, size_t place, int64_t x)
{
	(void)m;
	(void)place;
	((struct column *)col)->count += x;
}

/* Draws what starts between slots `was` and `u`, prints, wipes what ends before slot `next`. */
static int
release(const struct pan *k, struct column *c, struct dp_rng *rng, bool first,
    uint64_t was, uint64_t u, uint64_t next, dp_wide *est)
{
	const unsigned fresh = first ? k->depth : 64 - (unsigned)__builtin_clzll(was ^ u);
	unsigned i;
	int e;

	*est = c->count;
	dp_rng_expect(rng, fresh * k->noise.record);
	for (i = k->depth; i-- > 0; ) {
		if (i < fresh && (e = dp_draw(&k->noise, rng, &c->eta[i])) != 0)
			return e;
		*est = dp_wrapped(*est, c->eta[i]);
	}
	for (i = 0; i < k->depth; i++)
		if (u >> i != next >> i)
			c->eta[i] = 0;
	return 0;
}

static int
pan_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct pan *k = (const void *)m;
	struct column *c = col;

	c->count += *x;
	return release(k, c, rng, t == 1, t - 2, t - 1, t, est);
}

/*
 * An interval that is not open is drawn, too: it will be again when it begins, and nobody can tell
 * from memory which are.
 */
static int
pan_anew(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct pan *k = (const void *)m;
	struct column *c = col;
	unsigned i;
	int64_t z;
	int e;

	if (c->looks == k->looks)
		return DP_EHALT;
	c->looks++;
	for (i = k->depth; i-- > 0; )
		if ((e = dp_draw(&k->noise, rng, &c->eta[i])) != 0)
			return e;
	if ((e = dp_draw(&k->noise, rng, &z)) != 0)
		return e;
	c->count = dp_wrapped(c->count, z);
	return 0;
}

static bool
pan_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	(void)t;
	return ((const struct column *)col)->looks <= ((const struct pan *)(const void *)m)->looks;
}

/* After the last look: before it, it is narrower. */
static void
law_pan(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct pan *k = (const void *)m;

	(void)out;
	(void)t;
	dp_law_add(l, &k->noise, 1, 1 + k->depth + k->looks);
}

static void
pan_error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	(void)T;
	e->max = e->mean = dp_mech_variance(m, 1);
	e->worst = 1;
}

static double
pan_draws(const struct dp_mech *m)
{
	(void)m;
	return 2;
}

/* A unit is explained by moves of `cost' noises. */
static int
pan_certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_certificate_laplace(b, m->drawn.noise,
	    ((const struct pan *)(const void *)m)->cost);
}

const struct dp_mech_ops dp_pan_ops = {
	.name = "pan",
	.say.source = "pan-private tree (Dwork, Naor, Pitassi, Rothblum 2010, Figure 1)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN,
	.create = pan_create, .start = start, .step = pan_step,
	.open = { .add = pan_add, .anew = pan_anew },
	.law.at = law_pan, .error = pan_error, .valid = pan_valid, .drawn.number = pan_draws,
	.drawn.certify = pan_certify
};

/* Balanced slots */

/* C(n, k), saturated at 2^62 */
static uint64_t
choose(unsigned n, unsigned k)
{
	dp_uwide c = 1;
	unsigned i;

	for (i = 1; i <= k; i++) {
		c = c * (n - k + i) / i;
		if (c >> 62 != 0)
			return (uint64_t)1 << 62;
	}
	return (uint64_t)c;
}

/* Least number above v with as many ones (v > 0). */
static uint64_t
next_slot(uint64_t v)
{
	uint64_t low = v & -v, up = v + low;

	return up | ((v ^ up) / low >> 2);
}

/* Draws that an event may move: a prefix cover, or a suffix cover, and the count's. */
static unsigned
slots_cost(unsigned d, unsigned o, bool looks)
{
	const unsigned cost = 1 + o > d - o + 1 ? 1 + o : d - o + 1;

	return looks && cost < 3 ? 3 : cost;	/* the first step's suffix cover has 2 */
}

static int
slots_create(struct dp_mech **out, const struct dp_mech_ops *ops, const struct dp_mech_rule *rule)
{
	const unsigned looks = (unsigned)rule->task.looks;
	unsigned d, o, cost, best = 0, bd = 0, bo = 0;

	if (rule->horizon == 0)
		return DP_EINVAL;
	/* least cost^2 (1+D+J): the variance, but for the discreteness */
	for (d = 2; d <= DEPTH - 2; d++)
		for (o = 1; o < d; o++) {
			cost = slots_cost(d, o, looks != 0);
			if (choose(d, o) < rule->horizon ||
			    (best != 0 && cost * cost * (1 + d + looks) >= best))
				continue;
			best = cost * cost * (1 + d + looks);
			bd = d;
			bo = o;
		}
	if (best == 0)
		return DP_EINVAL;
	bd = (unsigned)dp_numbers_int(rule->privacy.numbers, "depth", bd, 2, DEPTH - 2);
	bo = (unsigned)dp_numbers_int(rule->privacy.numbers, "old", bo, 1, bd - 1);
	if (choose(bd, bo) < rule->horizon)
		return DP_EINVAL;
	return create_pan(out, ops, rule, bd, bo, slots_cost(bd, bo, looks != 0));
}

static int
slots_step(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t,
    const int64_t *x, dp_wide *est)
{
	const struct pan *k = (const void *)m;
	struct column *c = col;
	uint64_t was = c->slot;

	c->slot = t == 1 ? ((uint64_t)1 << k->ones) - 1 : next_slot(was);
	c->count += *x;
	return release(k, c, rng, t == 1, was, c->slot, next_slot(c->slot), est);
}

static bool
slots_valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct pan *k = (const void *)m;
	const struct column *c = col;

	return !pan_valid(m, col, t) ? false : t == 0 ? c->slot == 0 : c->slot >> k->depth == 0 &&
	    (unsigned)__builtin_popcountll(c->slot) == k->ones;
}

static double
slots_draws(const struct dp_mech *m)
{
	const struct pan *k = (const void *)m;
	uint64_t s = ((uint64_t)1 << k->ones) - 1, next;
	double sum = 0;
	int n;

	for (n = 0; n < 4096 && s >> k->depth == 0; n++, s = next) {
		next = next_slot(s);
		sum += 64 - __builtin_clzll(s ^ next);
	}
	return sum / n;
}

const struct dp_mech_ops dp_pan_slots_ops = {
	.name = "pan-slots",
	.say.source = "pan-private tree over balanced time slots (this toolkit)",
	.tasks = DP_TASK_COUNT,
	.traits = DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN,
	.create = slots_create, .start = start, .step = slots_step,
	.open = { .add = pan_add, .anew = pan_anew },
	.law.at = law_pan, .error = pan_error, .valid = slots_valid,
	.drawn.number = slots_draws, .drawn.certify = pan_certify
};
