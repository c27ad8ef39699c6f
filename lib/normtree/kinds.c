/*
 * kinds.c - shares by path, for a count of T steps (provisional).
 */
#include <math.h>

#include "normtree.h"

/* Types of nodes: the left child of a left one, or the top; the left of a right one; a right one. */
enum { LL, LR, RIGHT, TYPES };

#define LEAST	0.015	/* a share: of less, tables would be too long */
#define STRAIGHT	64

static const unsigned below[TYPES][2] = { { LL, RIGHT }, { LL, RIGHT }, { LR, RIGHT } };

/* For 2^8 steps: shares of the budget left, corners, height 2 on. */
static const double pattern[][2 * TYPES] = {
	{ 0.011, 0.006, 0.012, 0.057, 0.057, 0.025 },
	{ 0.331, 0.181, 0.199, 0.456, 0.125, 0.253 },
	{ 0.217, 0.115, 0.154, 0.436, 0.150, 0.117 },
	{ 0.189, 0.161, 0.109, 0.496, 0.427, 0.179 },
	{ 0.167, 0.248, 0.049, 0.379, 0.740, 0.048 },
	{ 0.253, 0.110, 0.001, 0.852, 0.880, 0.451 },
	{ 0.108, 0.108, 0.108, 0.348, 0.348, 0.348 },
};
static const double first[TYPES] = { .718, .359, .412 };

static uint16_t
node(struct dp_normtree_shape *s, unsigned h, unsigned type, double budget)
{
	double share = h == 1 ? budget : pattern[h - 2][type] * budget;
	double corner = h == 1 ? first[type] : pattern[h - 2][TYPES + type];
	uint16_t c[2] = { DP_NORMTREE_STEP, DP_NORMTREE_STEP };

	if (share < LEAST) {
		share = LEAST;
		corner = STRAIGHT;
	}
	if (h > 1) {
		c[0] = node(s, h - 1, below[type][0], budget - share);
		c[1] = node(s, h - 1, below[type][1], budget - share);
	}
	s->kind[s->kinds] = (struct dp_normtree_kind){ share, corner, (uint16_t)h, 0,
	    { c[0], c[1] } };
	return (uint16_t)s->kinds++;
}

void
dp_normtree_count_shape(struct dp_normtree_shape *s, uint64_t T)
{
	if (T != 256) {
		dp_normtree_shape(s, T < 2 ? 1 : dp_ceil_log2(T));
		return;
	}
	*s = (struct dp_normtree_shape){ .h = 8, .T = T, .root = 0.015 };
	(void)node(s, 8, LL, (1 - 0x1p-19) - s->root);
}
