/*
 * shape.c - the shares of the levels, found by a search (of the largest and the mean error of a
 * count together), and how long the tables are.
 */
#include <math.h>

#include "normtree.h"

/* The lowest three levels, one of the middle, the highest three, the root. */
enum { FIRST, SECOND, THIRD, MIDDLE, UNDER2, UNDER1, TOP, ROOT, WEIGHTS };

#define DEEP	6		/* levels from which on all weights differ */

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

void
dp_normtree_segment(struct dp_normtree_shape *s, unsigned j)
{
	fill(s, 8 + 4 * j, 3);
}

/* Trees as long as the longest window, or as what a decay remembers, at most. */
void
dp_normtree_stream(struct dp_normtree_shape *s, const struct dp_task *task)
{
	uint64_t W = 1;
	unsigned i, h = 1;

	for (i = 0; i < task->windows; i++)
		W = task->w[i] > W ? task->w[i] : W;
	if (task->what == DP_TASK_EXP)
		W = (uint64_t)fmin(1 / (1 - task->alpha), 0x1p40);
	while (h < 40 && (uint64_t)1 << (h + 1) <= W)
		h++;
	fill(s, h, 1);
}

double
dp_normtree_shares(const struct dp_normtree_shape *s)
{
	double most[DP_NORMTREE_KINDS];
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

void
dp_normtree_keep_kinds(struct dp_normtree_shape *s, struct dp_params *params)
{
	const uint64_t most = s->chain ? 0 : DP_NORMTREE_KINDS;
	uint64_t word = s->h | (s->chain ? 0 : (uint64_t)s->kinds << 16);
	unsigned i;

	word = dp_params_word(params, word, s->h, s->h | most << 16);
	if ((word & 0xffff) != s->h)
		dp_params_refuse(params);
	if (word >> 16 == 0) {
		if (!s->chain)
			fill(s, s->h, 1);
		return;
	}
	s->kinds = (unsigned)(word >> 16);
	for (i = 0; i < s->kinds; i++) {
		word = dp_params_word(params, pack(&s->kind[i]), 0, UINT64_MAX);
		s->kind[i].level = (uint16_t)word;
		s->kind[i].child[0] = (uint16_t)(word >> 16);
		s->kind[i].child[1] = (uint16_t)(word >> 32);
		s->kind[i].reach = (uint16_t)(word >> 48);
		if (!fits(s, i))
			dp_params_refuse(params);
	}
	if (dp_params_error(params) != 0)	/* any that can be looked at */
		fill(s, s->h, 1);
}
