/* divide.c - the budget of a private memory: the division of least variance. */
#include <math.h>

#include "bits.h"

#define WHOLE		((uint64_t)1 << 24)	/* the budget, in parts */
#define OUTPUTS_MAX	((uint64_t)1 << 30)
#define SIGMA_MAX	0x1.ffp27	/* that can be drawn (noise.h), and a little less */

/* One division of the budget, and what is asked of it. */
struct division {
	const struct dp_mech_rule *rule;
	double (*variance)(const void *arg, double, double);
	const void *arg;
	uint64_t range, k;		/* of an answer; answers */
	uint64_t looks;			/* at memory, each with the same odds */
	bool redrawn, flipped;
	unsigned each;			/* > 0: Gaussian noise, so many draws an answer */
};

/*
 * The loss that answers may have together, if memory has `memory`, of `whole`.  Bits that are drawn
 * again (bits.h, AGAIN): log((e^(whole - memory) - p)/(1 - p)), a little less.
 */
static double
answers_loss(const struct division *d, double whole, double memory)
{
	const double rest = whole - memory, p = 1 / (1 + exp(memory));

	if (!d->redrawn)
		return rest;
	/* doubles are off by far less: by a part of rest, and of logarithms below 1 */
	return fmin(whole, (rest + log1p(-p * exp(-rest)) - log1p(-p)) * (1 - 0x1p-30) - 0x1p-48);
}

/* eps1 of each look, if all cost `memory': of bits that are flipped after each a little less. */
static double
look_loss(const struct division *d, double memory)
{
	double lo = memory / (double)d->looks, hi = memory, mid;
	int i;

	if (d->looks == 1 || !d->flipped)
		return lo;
	for (i = 0; i < 48; i++) {
		mid = lo + (hi - lo) / 2;
		if (dp_bits_looks(mid, d->looks) <= memory)
			lo = mid;
		else
			hi = mid;
	}
	return lo * (1 - 0x1p-30);
}

/*
 * Noise of answers with a Gaussian law; *shift: the distance by which one identifier moves them
 * all.
 */
static int
gauss_part(struct dp_privacy *own, double *shift, const struct division *d, uint64_t part)
{
	const uint64_t most = d->rule->privacy.l1 * d->range;
	const struct dp_reach reach = { .l1 = most, .l2squared = most * most, .linf = most,
	    .columns = 1 };

	if (d->rule->privacy.l1 >> 31 != 0 || d->range >> 31 != 0 || most >> 31 != 0)
		return DP_ERANGE;
	*shift = (double)most * sqrt((double)d->k);
	return dp_privacy_part(own, &d->rule->privacy, dp_q_make(WHOLE - part, WHOLE), &reach);
}

static uint64_t
part_of(double p)
{
	const uint64_t part = (uint64_t)(p * (double)WHOLE);

	return part < 1 ? 1 : part > WHOLE - 1 ? WHOLE - 1 : part;
}

/* The variance if memory has a share p of epsilon. */
static double
variance_of(const struct division *d, double p, bool exactly)
{
	const double eps = dp_q_double(d->rule->privacy.epsilon) / (double)d->rule->privacy.l1;
	const double look = look_loss(d, p * eps);
	struct dp_privacy own;
	double shift, sigma;

	if (d->each == 0 && !d->redrawn)
		return d->variance(d->arg, look, dp_sketch_laplace((1 - p) * eps /
		    (double)d->k / (double)d->range));
	if (d->each == 0)
		return d->variance(d->arg, look, dp_sketch_laplace(answers_loss(d, eps,
		    look) / (double)d->k / (double)d->range));
	if (gauss_part(&own, &shift, d, part_of(p)) != 0 || own.rho.num == 0)
		return INFINITY;
	/* a search takes what rho asks for; the analytic one is slow, and a little less */
	sigma = exactly ? dp_privacy_gauss_sigma(&own, shift, d->k * d->each) :
	    shift / sqrt(2 * dp_q_double(own.rho));
	if (sigma <= 0 || sigma >= SIGMA_MAX)
		return INFINITY;
	return d->variance(d->arg, look, sigma * sigma);
}

/* Golden section over the logarithm of eps1 : k eps2, from the best of a row of points. */
static double
best_part(const struct division *d, double *least)
{
	const double g = 0.6180339887498949;
	double best = INFINITY, at = 0, v, x, y, lo, hi;
	int i;

	for (i = -16; i <= 16; i++) {
		if ((v = variance_of(d, 1 / (1 + exp(-i)), false)) < best) {
			best = v;
			at = i;
		}
	}
	for (lo = at - 1, hi = at + 1, i = 0; i < (d->each == 0 ? 60 : 20); i++) {
		x = hi - g * (hi - lo);
		y = lo + g * (hi - lo);
		v = variance_of(d, 1 / (1 + exp(-x)), false);
		if (v < variance_of(d, 1 / (1 + exp(-y)), false))
			hi = y;
		else
			lo = x;
	}
	*least = variance_of(d, 1 / (1 + exp(-(lo + hi) / 2)), true);
	return 1 / (1 + exp(-(lo + hi) / 2));
}

/* Of the two noises the better: memory's part of the budget, and WHOLE more for Gaussian noise. */
static uint64_t
divide(const struct division *d)
{
	const struct dp_privacy *p = &d->rule->privacy;
	struct division pure = *d;
	double least, other, part;
	uint64_t found;

	if (p->exact)
		return WHOLE / 2;
	pure.each = 0;
	found = part_of(best_part(&pure, &least));
	if (d->each == 0 || p->delta.num == 0)
		return found;
	part = best_part(d, &other);
	return other < least ? WHOLE + part_of(part) : found;
}

/* At memory: those that all know of, and one. */
static uint64_t
looks_of(const struct dp_mech_rule *rule)
{
	return ((const struct dp_sketch *)rule->task.own)->looks + 1;
}

int
dp_sketch_shares(struct dp_q *state, struct dp_q *output, const struct dp_mech_rule *rule,
    uint64_t range, double (*variance)(const void *, double, double), const void *arg)
{
	const struct division d = { .rule = rule, .variance = variance, .arg = arg,
	    .range = range, .k = dp_sketch_outputs(rule), .looks = 1 };
	uint64_t part;

	if (d.k == 0 || d.k > OUTPUTS_MAX || looks_of(rule) != 1)
		return DP_EINVAL;
	part = dp_numbers_replays(rule->privacy.numbers) ? 1 : divide(&d);
	part = dp_numbers_int(rule->privacy.numbers, "part", part, 1, WHOLE - 1);
	/* (*): part + k (WHOLE - part)/k = WHOLE */
	*state = dp_q_make(part, WHOLE);
	*output = dp_q_make(WHOLE - part, WHOLE * d.k);
	return 0;
}

/* Share of epsilon of each answer, where memory has `part` of WHOLE. */
static struct dp_q
answer_share(const struct division *d, uint64_t part)
{
	const double eps = dp_q_double(d->rule->privacy.epsilon) / (double)d->rule->privacy.l1;
	const double memory = (double)part / (double)WHOLE * eps;
	uint64_t all = WHOLE - part;

	if (d->redrawn && !d->rule->privacy.exact)	/* down */
		all = (uint64_t)(answers_loss(d, eps, memory) / eps * (double)WHOLE);
	return dp_q_make(all < WHOLE - part ? WHOLE - part : all, WHOLE * d->k);
}

/* Share of epsilon of each look. */
static struct dp_q
look_share(const struct division *d, uint64_t part)
{
	const double eps = dp_q_double(d->rule->privacy.epsilon) / (double)d->rule->privacy.l1;
	const double whole = (double)(WHOLE * d->looks);
	uint64_t share = part;

	if (d->looks > 1 && d->flipped && !d->rule->privacy.exact)	/* down */
		share = (uint64_t)(look_loss(d, (double)part / (double)WHOLE * eps) / eps * whole);
	return dp_q_make(share < part ? part : share, WHOLE * d->looks);
}

static int
split(struct dp_memory *k, const struct division *d)
{
	struct dp_privacy wide = d->rule->privacy;
	uint64_t part, most = 2 * WHOLE - 1;
	size_t outer;
	double shift;
	bool gauss;
	int e;

	if (d->k == 0 || d->k > OUTPUTS_MAX || (d->looks != 1 && k->m.ops->open.anew == NULL))
		return DP_EINVAL;
	part = dp_numbers_replays(wide.numbers) ? 1 : divide(d);
	part = dp_numbers_int(wide.numbers, "part", part, 1, d->each != 0 ? most : WHOLE - 1);
	gauss = part > WHOLE;
	part -= gauss ? WHOLE : 0;
	if (part == WHOLE)
		return DP_EINVAL;
	outer = dp_numbers_enter(wide.numbers, "state");
	e = dp_privacy_laplace(&k->state, &d->rule->privacy, look_share(d, part));
	dp_numbers_leave(wide.numbers, outer);
	if (e != 0)
		return e;
	if (gauss)
		return (e = gauss_part(&wide, &shift, d, part)) != 0 ? e :
		    dp_privacy_gauss_shift(&k->output, &wide, shift, d->k * d->each);
	if (wide.l1 > ((uint64_t)1 << 62) / d->range)
		return DP_ERANGE;
	wide.l1 *= d->range;
	return dp_privacy_laplace(&k->output, &wide, answer_share(d, part));
}

int
dp_memory_split(struct dp_memory *k, const struct dp_mech_rule *rule, uint64_t range,
    double (*variance)(const void *, double, double), const void *arg)
{
	const struct division d = { rule, variance, arg, range, dp_sketch_outputs(rule),
	    looks_of(rule), k->redrawn, k->flipped, k->each };
	const int e = split(k, &d);

	k->range = range;
	k->answers = d.k;
	if (e != 0)
		dp_mech_free(&k->m);
	return e;
}
