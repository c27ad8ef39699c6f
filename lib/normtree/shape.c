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
	double sum = 0;
	unsigned l;

	s->h = h;
	for (l = 0; l <= h; l++)
		sum += s->share[l] = weight(h, l) * (l == h ? root : 1);
	for (l = 0; l <= h; l++)	/* the rest is for the certificate */
		s->share[l] *= (1 - 0x1p-20) / sum;
	for (l = 0; l < h; l++)
		s->corner[l] = l == 0 ? 0.53 : 0.235;
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
