/*
 * moved.c - distinct identifiers of a declared universe, answer after answer, each identifier with
 * any number of lines: random bits, of which the number of ones is released when it has moved.
 *
 * Bits are those of density.c: Y_j of m are 1 at answer j = 1 .. k, and Y_j - round(m p) goes
 * through the general transformation (stat/transform.h, pan-private), which releases it at most K
 * times, when it is more than the distance d, and a slack, away from what was released last, and
 * repeats that otherwise, to the end.  With y what it prints, D^ = (y + round(m p) - m p)/gap.
 *
 * PRIVACY.  Statement: memory at any one moment t0 and all k answers together are (eps1 + eps2)-DP,
 * however large k is.
 * Proof.  Two streams differ in one identifier.  Its bit at t0 is 1 with probability p or 1 - p:
 * eps1.  Given that bit, fix its values at all answers, in both streams: then the numbers differ by
 * 1 at each, at most, and what the transformation prints, with what memory holds of it at t0, is
 * eps2-DP (transform.h, PRIVACY).  So it is for the means over these values.
 *
 * ACCURACY.  Statement: except with probability beta each answer is off by no more than
 *	bound + |Y_j - E Y_j|,  in ones, bound that of the transformation,
 * where d = 2 alpha + gap M/(K + 1), rounded up, M the most identifiers there may be, and alpha
 * such that |Y_j - E Y_j| <= alpha at all answers but with probability beta/2.
 * Proof (Dwork, Naor, Pitassi, Rothblum 2010, Claim 5.1).  E Y_j = m p + gap D_j, D_j the number of
 * identifiers by then, which never falls, from 0 to M.  Between answers that are more than d apart
 * gap D has moved by more than gap M/(K + 1), upwards: K times at most, also from 0, where the
 * transformation begins.  So its bound holds, but with the other beta/2.
 *
 * d is large since a bit is drawn again at every sight: with cells it would be no less.
 * Dwork, Naor, Pitassi, Rothblum 2010, Figure 2 and Theorem 5.2, with the charges of transform.h.
 */
#include <math.h>
#include <stdio.h>

#include "bits.h"
#include "mech/certificate.h"
#include "mech/part.h"
#include "mech/transform.h"

extern const struct dp_mech_ops dp_moved_ops, dp_transform_pan_ops;

#define PLACES_MAX	((uint64_t)1 << 32)
#define ANSWERS_MAX	((uint64_t)1 << 40)
#define WHOLE		((uint64_t)1 << 16)	/* of the budget */
#define BETA		1e-6
#define FEWEST		8			/* answers; one by one they are better */

/* A division of the budget: memory's part, of WHOLE; K; d. */
struct choice {
	uint64_t part, changes, distance;
};

struct moved {
	struct dp_memory mem;		/* its part: the transformation */
	struct dp_odds odds;
	uint64_t answers;		/* k */
	uint64_t every;
	double most;			/* M */
	int64_t middle;			/* round(m p) */
	double bound;			/* ones */
	struct choice choice;
};

struct column {
	uint64_t answers;		/* given so far */
	uint64_t reserved;
	uint64_t bit[];
};

static int
count(const struct dp_mech *m, void *col, struct dp_rng *rng, uint64_t t, dp_wide *est)
{
	const struct moved *k = (const void *)m;
	struct column *c = col;
	int64_t y;
	int e;

	(void)t;
	if (c->answers == k->answers)
		return DP_EHORIZON;
	c->answers++;
	y = (int64_t)dp_bits_count(c->bit, 0, k->mem.s.universe) - k->middle;
	e = dp_part_step(m->part, col, 0, rng, c->answers, &y, est);
	y = 0;
	/* it is private: from here on doubles do no harm */
	if (e == 0)
		*est = dp_sketch_round(((double)*est + (double)k->middle -
		    (double)k->mem.s.universe * k->odds.p) / k->odds.gap);
	return e;
}

/* The law of Y_j - E Y_j, in units of coef. */
static void
state_law(struct dp_law *l, double coef, uint64_t m, double p)
{
	dp_law_flip(l, coef, (double)m, p);
}

static double
distance_of(const struct moved *k, double p, double changes)
{
	const double move = (1 - 2 * p) * k->most / (changes + 1);
	struct dp_law l;

	dp_law_clear(&l);
	state_law(&l, 1, k->mem.s.universe, p);
	return ceil(2 * dp_law_bound(&l, BETA / 2 / (double)k->answers) + move);
}

/* The transformation, for what memory leaves. */
static int
create_inner(struct dp_mech **out, const struct moved *k, const struct dp_mech_rule *rule,
    const struct choice *c)
{
	const uint64_t l1 = rule->privacy.l1;
	const struct dp_reach reach = { .l1 = l1, .l2squared = l1 * l1, .linf = l1,
	    .columns = 1 };
	struct dp_transform own = { .changes = c->changes, .distance = c->distance, .hold = true,
	    .reach = 1, .unit = l1, .distance_text = "d" };
	struct dp_mech_rule inner = *rule;
	int e;

	inner.task = (struct dp_task){ .what = DP_TASK_OWN, .statistic = &dp_transform_statistic,
	    .own = &own };
	inner.horizon = inner.report = k->answers;
	inner.every = inner.inputs = 1;
	inner.most = 0;
	inner.beta = BETA / 2;
	inner.lo = -(int64_t)k->mem.s.universe;
	inner.hi = (int64_t)k->mem.s.universe;
	if ((e = dp_privacy_part(&inner.privacy, &rule->privacy,
	    dp_q_make(WHOLE - c->part, WHOLE), &reach)) != 0)
		return e;
	if ((e = dp_transform_pan_ops.create(out, &inner)) == 0)
		dp_mech_paid(*out, &inner.privacy);
	return e;
}

/* Error of a transformation, except d, at loss 1 and r = 1; NAN: there is none. */
static double
noise_of(const struct moved *k, const struct dp_mech_rule *rule, uint64_t changes)
{
	const struct choice half = { .part = WHOLE / 2, .changes = changes };
	struct dp_mech_rule dry = *rule;
	struct dp_error error;
	struct dp_mech *inner;

	dry.privacy.dry = true;
	dry.privacy.params = NULL;
	if (create_inner(&inner, k, &dry, &half) != 0)
		return NAN;
	inner->ops->error(inner, k->answers, &error);
	dp_mech_free(inner);
	return error.max * dp_q_double(rule->privacy.epsilon) / 2 / (double)rule->privacy.l1;
}

/* The least square of bound/gap, with the bits' variance, over divisions and K. */
static bool
choose(const struct moved *k, const struct dp_mech_rule *rule, struct choice *best)
{
	const double eps = dp_q_double(rule->privacy.epsilon) / (double)rule->privacy.l1;
	const double m = (double)k->mem.s.universe, most = fmin((double)k->answers, k->most);
	double noise, p, gap, part, off, least = INFINITY;
	uint64_t changes;
	int i;

	for (changes = 1; (double)changes <= most; changes += (changes + 1) / 2) {
		if (isnan(noise = noise_of(k, rule, changes)))
			continue;
		for (i = -16; i <= 16; i++) {
			part = 1 / (1 + exp(-i / 4.));
			p = 1 / (1 + exp(part * eps));
			gap = 1 - 2 * p;
			off = distance_of(k, p, (double)changes) + noise / (eps * (1 - part));
			off = (off * off + m * p * (1 - p)) / (gap * gap);
			if (off >= least)
				continue;
			least = off;
			best->part = (uint64_t)(part * (double)WHOLE);
			best->changes = changes;
		}
		if (noise / eps > sqrt(least))	/* it grows with K */
			break;
	}
	return !isinf(least);
}

static int
plan(struct moved *k, const struct dp_mech_rule *rule)
{
	struct dp_params *params = rule->privacy.params;
	struct choice c = { .part = WHOLE / 2, .changes = 1 };
	struct dp_mech *inner;
	struct dp_error error;
	size_t end;
	int e;

	if (!rule->privacy.exact && !dp_params_replays(params) && !choose(k, rule, &c))
		return DP_EINVAL;
	c.part = dp_params_word(params, c.part, 1, WHOLE - 1);
	c.changes = dp_params_word(params, c.changes, 1, k->answers);
	if ((e = dp_privacy_laplace(&k->mem.state, &rule->privacy,
	    dp_q_make(c.part, WHOLE))) != 0)
		return e;
	dp_bits_odds(&k->odds, &k->mem.state, params);
	if (rule->privacy.exact)
		c.changes = k->answers;	/* each answer is a change */
	else
		c.distance = (uint64_t)distance_of(k, k->odds.p, (double)c.changes);
	c.distance = dp_params_word(params, c.distance, 0, (uint64_t)1 << 33);
	k->choice = c;
	if ((e = create_inner(&inner, k, rule, &c)) != 0)
		return e;
	inner->ops->error(inner, k->answers, &error);
	k->bound = dp_params_real(params, error.max, 0, 0x1p62);
	k->middle = llrint((double)k->mem.s.universe * k->odds.p);
	if ((e = dp_part_give(&k->mem.m, inner, 1, 1 / (double)k->every)) != 0)
		return e;
	end = dp_part_place(k->mem.m.part, (k->mem.m.column + 63) & ~(size_t)63);
	k->mem.m.column = end;
	return end == SIZE_MAX ? DP_ENOMEM : 0;
}

static int
create(struct dp_mech **out, const struct dp_mech_rule *rule)
{
	const struct dp_sketch *s = rule->task.own;
	const uint64_t answers = dp_sketch_outputs(rule);
	struct moved *k;
	int e;

	if (s->universe == 0 || s->universe > PLACES_MAX || s->deletes || s->looks != 0 ||
	    rule->horizon == 0 || answers < FEWEST || answers > ANSWERS_MAX ||
	    (rule->beta > 0 && rule->beta < 2 * BETA))
		return DP_EINVAL;
	k = dp_memory_alloc(&dp_moved_ops, sizeof *k, rule,
	    sizeof(struct column) + dp_bits_bytes(s->universe));
	if (k == NULL)
		return DP_ENOMEM;
	k->answers = answers;
	k->every = rule->every;
	k->most = dp_sketch_seen(s, rule->report);
	k->mem.draws = 1;
	k->mem.count = count;
	if ((e = plan(k, rule)) == 0) {
		k->mem.m.drawn.unit = 1 / k->odds.gap;
		k->mem.m.off.drift = k->bound / k->odds.gap;
		k->mem.m.off.worst_of = 2;	/* half of what may go wrong is more than BETA */
		dp_params_same(rule->privacy.params, s->universe);
		e = dp_params_error(rule->privacy.params);
	}
	return dp_mech_made(out, &k->mem.m, e);
}

static int
start(const struct dp_mech *m, void *col, struct dp_rng *rng)
{
	const struct dp_memory *k = (const void *)m;

	return dp_bits_start(((struct column *)col)->bit, k->s.universe, &k->state, rng);
}

static int
see(const struct dp_mech *m, void *col, struct dp_rng *rng, const struct dp_id *id)
{
	const struct dp_memory *k = (const void *)m;

	return id->word[0] < k->s.universe ?
	    dp_bits_see(((struct column *)col)->bit, id->word[0], &k->state, rng) : 0;
}

/* Error besides m.off.drift. */
static void
law(const struct dp_mech *m, unsigned out, uint64_t t, struct dp_law *l)
{
	const struct moved *k = (const void *)m;

	(void)out;
	(void)t;
	if (k->mem.state.kind != DP_NOISE_NONE)
		state_law(l, m->drawn.unit, k->mem.s.universe, k->odds.p);
}

static void
error(const struct dp_mech *m, uint64_t T, struct dp_error *e)
{
	e->max = e->mean = dp_mech_variance(m, T) + m->off.drift * m->off.drift;
	e->worst = T;
}

static bool
valid(const struct dp_mech *m, const void *col, uint64_t t)
{
	const struct column *c = col;

	return c->answers <= ((const struct moved *)(const void *)m)->answers &&
	    c->answers <= t + 1 && dp_part_valid(m->part, col, c->answers);
}

static bool
family(const struct dp_mech *m, unsigned i, const struct dp_noise **z, const char **what)
{
	const struct dp_memory *k = (const void *)m;

	*z = &k->state;
	*what = DP_BIT_BEGINS;
	return i == 0 && k->state.kind != DP_NOISE_NONE;
}

static double
unit(const struct dp_mech *m, unsigned i)
{
	(void)m;
	(void)i;
	return 1;
}

static bool
note(const struct dp_mech *m, unsigned i, double unit_, char *text, size_t size)
{
	const struct moved *k = (const void *)m;

	(void)unit_;
	if (i != 0 || k->mem.state.kind == DP_NOISE_NONE)
		return false;
	snprintf(text, size, "of epsilon, %.4g is for memory; an answer is repeated until it is "
	    "found to have moved by more than %.6g, at most %.0f times: what is printed is off by "
	    "%.6g at most for that, at all steps with probability 1 - %.0g, which is part of the "
	    "bounds here and of the error in the list of those eligible, not of the other figures",
	    dp_sketch_loss(&k->mem.state), (double)k->choice.distance / k->odds.gap,
	    (double)k->choice.changes, m->off.drift, BETA);
	return true;
}

/* Share of the memory; the rest is its part's. */
static int
certify(const struct dp_mech *m, struct dp_buf *b)
{
	return dp_certificate_laplace(b, &((const struct moved *)(const void *)m)->mem.state, 1);
}

const struct dp_mech_ops dp_moved_ops = {
	.name = "moved", .traits = DP_TRAIT_PAN | DP_TRAIT_PAN_OPEN, .tasks = DP_TASK_OWN,
	.statistic = &dp_distinct, .create = create, .start = start, .step = dp_sketch_step,
	.answer = dp_memory_answer, .valid = valid, .error = error, .open.see = see,
	.law.at = law, .drawn = { .family = family, .unit = unit, .number = dp_memory_draws,
	    .certify = certify },
	.say = { .source = "random bits as in density, their number released when it has moved "
	    "(after Dwork, Naor, Pitassi, Rothblum 2010, Figure 2)", .note = note,
	    .refuses = dp_sketch_refuse_deletes }
};
