/* experts_choose_plan.c - when leaders are chosen, with what noise, and what that costs. */
#include <math.h>

#include "experts_choose.h"

#define FINER	50		/* blocks that are tried differ by a part of this */
#define GAPS	80		/* factors of sqrt(1/2) */

uint64_t
dp_chooser_paid(const struct dp_chooser *k)
{
	return k->doubling ? k->block : (k->segment - 1) / k->block;
}

double
dp_chooser_behind(const struct dp_chooser *k)
{
	if (k->choose.kind == DP_NOISE_NONE)
		return 0;
	return dp_q_double(k->choose.scale) *
	    (k->choose.kind == DP_NOISE_FLIP ? k->harmonic : log((double)k->m.inputs));
}

/* Cost of a block of so many rounds above the potential's growth. */
static double
block_cost(const struct dp_chooser *k, double rounds)
{
	const double v = rounds * k->range, b = dp_q_double(k->choose.scale);

	if (k->choose.kind == DP_NOISE_NONE)
		return v;
	return fmin(v, v * v / ((k->choose.kind == DP_NOISE_FLIP ? 4 : 8) * b));
}

/* Cost of a segment of T rounds, its first block's choice made by other costs if `held`. */
static double
segment_cost(const struct dp_chooser *k, uint64_t T, bool held)
{
	const double first = (double)(k->block < T ? k->block : T);
	double sum;
	uint64_t j;

	if (k->doubling) {
		sum = block_cost(k, (double)(T >> k->block));
		for (j = k->block; j > 0; j--)
			sum += block_cost(k, (double)((T >> (j - 1)) - (T >> j)));
	} else
		sum = (double)(T / k->block) * block_cost(k, (double)k->block) +
		    block_cost(k, (double)(T % k->block));
	if (held)
		sum += first * k->range - block_cost(k, first);
	return fmin(sum + dp_chooser_behind(k), (double)T * k->range);
}

double
dp_chooser_worst(const struct dp_chooser *k)
{
	const uint64_t R = k->segment, T = k->m.horizon;

	if (k->m.inputs == 1)
		return 0;
	if (k->segments == 1)
		return segment_cost(k, T, false);
	if (k->doubling || T <= R)
		return (double)T * k->range;
	return segment_cost(k, R, false) + (double)(T / R - 1) * segment_cost(k, R, true) +
	    (T % R != 0 ? segment_cost(k, T % R, true) : 0);
}

double
dp_chooser_steady(const struct dp_chooser *k)
{
	const uint64_t R = k->segment;
	const double n = (double)k->m.inputs, segments = (double)k->segments;
	double t = (double)(R >> k->block), sum = t * k->range * (1 - 1 / (n * segments));
	uint64_t j;

	for (j = k->block; j > 0; j--) {
		t = (double)(R >> j);
		sum += ((double)(R >> (j - 1)) - t) *
		    fmin(k->range, (dp_chooser_behind(k) + k->range * sqrt(t * log(n) / 2)) / t);
	}
	return segments * sum;
}

/*
 * Cost of doubling where all others are behind the best by the same in each round: exact, at the
 * worst such gap.
 */
static double
even(const struct dp_chooser *k)
{
	const uint64_t T = k->segment;
	const size_t n = k->m.inputs;
	double gap, sum, most = 0;
	uint64_t j;
	int i;

	for (i = 0; i < GAPS; i++) {
		gap = k->range * exp2(-i / 2.);
		sum = (double)(T >> k->block) * (1 - 1 / (double)n);
		for (j = k->block; j > 0; j--)
			sum += (double)((T >> (j - 1)) - (T >> j)) *
			    dp_choose_tail(&k->choose, n, gap * (double)(T >> j));
		most = fmax(most, gap * sum);
	}
	return most;
}

static int
fit(struct dp_chooser *k, const struct dp_privacy *p, uint64_t block, bool concentrated)
{
	uint64_t n;

	k->block = block;
	k->spread = p->spread;
	n = dp_chooser_paid(k);
	return dp_privacy_choose(&k->choose, p, concentrated ? DP_NOISE_WEIGH : DP_NOISE_FLIP,
	    n > 0 ? n : 1, dp_q_make(1, 1));
}

/* The most choices by doubling: floor(lg T), and one where T is 1. */
static uint64_t
doublings(uint64_t T)
{
	uint64_t n = 0;

	while (T >> (n + 1) != 0)
		n++;
	return n > 0 ? n : 1;
}

/* Measure of a plan; INFINITY: no noise fits. */
static double
judged(struct dp_chooser *k, const struct dp_privacy *dry, uint64_t block, bool concentrated)
{
	if (fit(k, dry, block, concentrated) != 0)
		return INFINITY;
	return k->doubling ? even(k) : dp_chooser_worst(k);
}

/*
 * The block with the least bound, of doubling the n with the least even(), which the first choices
 * decide as they do for most data; its kind to *concentrated.
 */
static int
find(struct dp_chooser *k, const struct dp_privacy *privacy, uint64_t *block, bool *concentrated)
{
	const uint64_t T = k->segment, most = k->doubling ? doublings(T) : T;
	struct dp_privacy dry = *privacy;
	double least[2] = { INFINITY, INFINITY }, x;
	uint64_t best[2] = { 1, 1 }, at;
	int i;

	*block = k->doubling ? most : 1;
	*concentrated = false;
	if (privacy->exact)
		return 0;
	dry.dry = dry.quick = true;
	dry.numbers = NULL;
	for (i = 0; i < 2 && (i == 0 || dry.rho.num != 0); i++)
		for (at = 1; at <= most; at += k->doubling ? 1 : at / FINER + 1)
			if ((x = judged(k, &dry, at, i != 0)) < least[i]) {
				least[i] = x;
				best[i] = at;
			}
	dry.quick = false;
	if (least[1] < INFINITY)
		least[1] = fmin(least[1], judged(k, &dry, best[1], true));
	*concentrated = least[1] < least[0];
	*block = best[*concentrated];
	return least[*concentrated] < INFINITY ? 0 : DP_ERANGE;
}

int
dp_chooser_plan(struct dp_chooser *k, const struct dp_mech_rule *rule)
{
	struct dp_numbers *numbers = rule->privacy.numbers;
	uint64_t block = 1;
	bool concentrated = false;
	double i;
	int e;

	k->segment = (rule->horizon - 1) / k->segments + 1;
	k->segments = (rule->horizon - 1) / k->segment + 1;
	for (i = (double)k->m.inputs; i > 1; i--)
		k->harmonic += 1 / i;
	if (!dp_numbers_replays(numbers) &&
	    (e = find(k, &rule->privacy, &block, &concentrated)) != 0)
		return e;
	block = dp_numbers_int(numbers, "block", block, 1, k->doubling ? doublings(k->segment) :
	    k->segment);
	concentrated = dp_numbers_int(numbers, "concentrated", concentrated, 0, 1) != 0;
	if ((e = fit(k, &rule->privacy, block, concentrated)) != 0)
		return e;
	if (k->choose.kind != DP_NOISE_NONE)
		e = dp_noise_describe(&k->shown, k->choose.kind, k->choose.scale);
	return e != 0 ? e : dp_numbers_error(numbers);
}
