/*
 * shape.c - the shares of the levels, found by a search (of the largest and the mean error of a
 * count together; of windows and decays, over lengths and horizons), and how long the tables are.
 */
#include <math.h>

#include "normtree.h"

/* The lowest three levels, one of the middle, the highest three, the root. */
enum { FIRST, SECOND, THIRD, MIDDLE, UNDER2, UNDER1, TOP, ROOT, WEIGHTS };

#define FREE	40	/* levels of a state's tree, at most, where they are free */
#define DEEP	6		/* levels from which on all weights differ */
#define SLOW	0.8		/* a decay that remembers T steps over that hardly forgets in T */
#define LONGEST	0x1p40		/* steps of a tree of a row, at most */

static const double deep[WEIGHTS] = { 3.7, 0.15, 0.95, 1, 0.85, 1.2, 1, 0.5 };
static const double flat[DEEP][DEEP] = {
	{ 0 },
	{ 0.9, 0.1 },
	{ 0.74, 0.16, 0.1 },
	{ 0.62, 0.12, 0.17, 0.09 },
	{ 0.549, 0.099, 0.15, 0.128, 0.074 },
	{ 0.505, 0.025, 0.143, 0.131, 0.132, 0.064 }
};

static double
weight(unsigned h, unsigned l)
{
	if (h < DEEP)
		return flat[h][l];
	if (l == h)
		return deep[ROOT];
	if (l <= SECOND + 1 && l <= THIRD)
		return deep[l];
	return l + 3 >= h ? deep[TOP + l + 1 - h] : deep[MIDDLE];
}

/* root: the root's weight counts so many times. */
static void
fill(struct dp_normtree_shape *s, unsigned h, double root)
{
	struct dp_normtree_kind *k = s->kind;
	double sum = 0;
	unsigned l;

	s->h = s->kinds = h;
	s->chain = true;
	s->T = 0;
	s->free = false;
	for (l = 0; l < h; l++)
		sum += k[l].share = weight(h, l);
	sum += s->root = weight(h, h) * root;
	for (l = 0; l < h; l++) {	/* the rest is for the certificate */
		k[l].share *= (1 - 0x1p-20) / sum;
		k[l].corner = l == 0 ? 0.53 : 0.235;
		k[l].level = (uint16_t)(l + 1);
		k[l].child[0] = k[l].child[1] = l == 0 ? DP_NORMTREE_STEP : (uint16_t)(l - 1);
	}
	s->root *= (1 - 0x1p-20) / sum;
}

void
dp_normtree_shape(struct dp_normtree_shape *s, unsigned h)
{
	fill(s, h, 1);
}

/*
 * The root counts three times: its noise stays in all totals after the segment.  Shares by path,
 * with the root's noise as it is, gain 2 % at the end of a segment of 2^12 steps, and lose 3 %
 * within it, where the last step may be.
 */
void
dp_normtree_segment(struct dp_normtree_shape *s, unsigned j)
{
	fill(s, 8 + 4 * j, 3);
}

#define RARE	5	/* a rate from which on noise may be rare */
#define FITS	480	/* e (3A + 2) of pairs: longer tables end below 2^-1000 */

/*
 * Below T e^-rate = 1/2 hardly any step has noise, and it is best if each has its own: pairs of
 * steps take all but e = q on each level above.  Tables are the longer the smaller q is, and
 * shorter where they fall steeply.
 */
bool
dp_normtree_rare_shape(struct dp_normtree_shape *s, uint64_t T, double rate)
{
	const unsigned h = T < 2 ? 1 : dp_ceil_log2(T);
	double q = .48, own;
	unsigned l;

	rate = fmin(rate, DP_NORMTREE_RATE);
	if (rate < RARE || (double)T * exp(-rate) > .5 || h < 3)
		return false;
	do {
		q *= 1.1;
		own = 1 - 0x1p-20 - q * (h - 1.5) / rate;
	} while (own * rate * (3 * (5 / q + 9) + 2) > FITS && own > .2);
	fill(s, h, 1);
	s->T = T;
	for (l = 0; l < h; l++) {
		s->kind[l].share = l == 0 ? own : (l == 1 ? .4 : 1) * q / rate;
		s->kind[l].corner = l == 0 ? .02 : 0;
	}
	s->root = .1 * q / rate;
	return own > .2;
}

/* The steps of the longest window, or those that a decay remembers. */
static double
remembered(const struct dp_task *task)
{
	uint64_t W = 1;
	unsigned i;

	for (i = 0; i < task->windows; i++)
		W = task->w[i] > W ? task->w[i] : W;
	return task->what == DP_TASK_EXP ? 1 / (1 - task->alpha) : (double)W;
}

/*
 * Trees as long as what counts, n steps, at most: then the root's share grows from one power of two
 * to the next.  What forgets nothing in T steps is a count, and n may be as much below the tree's
 * length as above.  Shares are a count's where noise is so small that rounding to whole numbers
 * tells levels apart, and where windows shorter than n are asked for, too.  Few steps are best in
 * pairs with hardly any noise of their own.
 */
void
dp_normtree_stream(struct dp_normtree_shape *s, const struct dp_task *task, uint64_t T, double rate)
{
	const bool decay = task->what == DP_TASK_EXP, several = task->windows > 1;
	const double memory = remembered(task), known = T == 0 ? LONGEST : (double)T;
	const double n = fmax(1, fmin(fmin(memory, known), LONGEST)), x = log2(n);
	const bool count = known <= memory * (decay ? SLOW : 1), plain = several || x < 1.5 * rate;
	unsigned h = (unsigned)x;

	if (count && !several && (decay || !plain))
		h = (unsigned)(log2(fmax(1, n - 1)) + 0.5);
	h = h < 1 ? 1 : h;
	if (!several && (count ? !plain && n > 2 && n < 7 : n < 9.5)) {
		fill(s, 1, 0x1p-5);
		s->kind[0].corner = plain || n < (count ? 4 : 5) ? s->kind[0].corner : 1;
	} else
		fill(s, h, plain ? 1 : count ? exp2(1.5 * (x - h)) : 0.38 * exp2(2.3 * (x - h)));
	s->free = true;
}

double
dp_normtree_shares(const struct dp_normtree_shape *s)
{
	double most[DP_NORMTREE_KINDS] = { 0 };
	const uint16_t *c;
	unsigned i, side;

	for (i = 0; i < s->kinds; i++) {
		c = s->kind[i].child;
		for (most[i] = 0, side = 0; side < 2; side++)
			if (c[side] != DP_NORMTREE_STEP && most[c[side]] > most[i])
				most[i] = most[c[side]];
		most[i] += s->kind[i].share;
	}
	return most[s->kinds - 1] + s->root;
}

/* A kind in a word: its level, its children, its reach. */
static uint64_t
pack(const struct dp_normtree_kind *k)
{
	return k->level | (uint64_t)k->child[0] << 16 | (uint64_t)k->child[1] << 32 |
	    (uint64_t)k->reach << 48;
}

static bool
fits(const struct dp_normtree_shape *s, unsigned i)
{
	const struct dp_normtree_kind *k = &s->kind[i];
	unsigned side;

	if (k->level < 1 || k->level > s->h || (i + 1 == s->kinds && k->level != s->h) ||
	    k->reach < 2 || k->reach > DP_NORMTREE_KINDS_REACH)
		return false;
	for (side = 0; side < 2; side++)
		if (k->child[side] == DP_NORMTREE_STEP ? k->level != 1 || k->child[!side] !=
		    DP_NORMTREE_STEP : k->child[side] >= i ||
		    s->kind[k->child[side]].level >= k->level ||
		    s->kind[k->child[side]].reach > k->reach)
			return false;
	return true;
}

/* Steps from the first on that are drawn: a child below half its parent leaves the rest out. */
static uint64_t
drawn(const struct dp_normtree_shape *s)
{
	uint64_t n[DP_NORMTREE_KINDS] = { 0 }, part[2], half;
	unsigned i, side;

	for (i = 0; i < s->kinds; i++) {
		half = (uint64_t)1 << (s->kind[i].level - 1);
		for (side = 0; side < 2; side++)
			part[side] = s->kind[i].child[side] == DP_NORMTREE_STEP ? 1 :
			    n[s->kind[i].child[side]];
		n[i] = part[0] < half ? part[0] : half + part[1];
	}
	return n[s->kinds - 1];
}

static bool
all_used(const struct dp_normtree_shape *s)
{
	bool used[DP_NORMTREE_KINDS] = { false };
	unsigned i, side;

	used[s->kinds - 1] = true;
	for (i = s->kinds; i-- > 0; )
		for (side = 0; side < 2; side++) {
			if (!used[i])
				return false;
			if (s->kind[i].child[side] != DP_NORMTREE_STEP)
				used[s->kind[i].child[side]] = true;
		}
	return true;
}

void
dp_normtree_keep_kinds(struct dp_normtree_shape *s, struct dp_numbers *numbers)
{
	const uint64_t most = s->T == 0 ? 0 : DP_NORMTREE_KINDS;
	uint64_t word = s->h | (s->chain ? 0 : (uint64_t)s->kinds << 16);
	unsigned i;

	word = s->free ? dp_numbers_int(numbers, "shape", word, 1, FREE) :
	    dp_numbers_int(numbers, "shape", word, s->h, s->h | most << 16);
	if (!s->free && (word & 0xffff) != s->h) {
		dp_numbers_refuse(numbers);
		word = s->h;
	}
	if (word >> 16 == 0) {
		if (!s->chain || word != s->h)
			fill(s, (unsigned)word, 1);
		return;
	}
	s->kinds = (unsigned)(word >> 16);
	s->chain = false;
	for (i = 0; i < s->kinds; i++) {
		word = dp_numbers_int(numbers, "kind", pack(&s->kind[i]), 0, UINT64_MAX);
		s->kind[i].level = (uint16_t)word;
		s->kind[i].child[0] = (uint16_t)(word >> 16);
		s->kind[i].child[1] = (uint16_t)(word >> 32);
		s->kind[i].reach = (uint16_t)(word >> 48);
		if (!fits(s, i))
			dp_numbers_refuse(numbers);
	}
	if (dp_numbers_error(numbers) == 0 && (!all_used(s) || drawn(s) < s->T))
		dp_numbers_refuse(numbers);
	if (dp_numbers_error(numbers) != 0)	/* any that can be looked at */
		fill(s, s->h, 1);
}
