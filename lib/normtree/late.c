/* late.c - a tree's noise from some step on, one step at a time (late.h). */
#include <string.h>

#include "late.h"

#define FINEST	8		/* then no node is beyond 2^30 (gen.c) */

/* n nodes of a kind, to their children; what stands for a higher one is its left child. */
static int
split(const struct dp_normtree *p, struct dp_rng *rng, unsigned level, unsigned kind,
    const int64_t *P, int64_t *child, unsigned n)
{
	unsigned k;

	if (p->shape.kind[kind].level >= level)
		return dp_normtree_split(p, rng, kind, P, child, n);
	for (k = 0; k < n; k++) {
		child[2 * k] = P[k];
		child[2 * k + 1] = 0;
	}
	return 0;
}

static unsigned
child_of(const struct dp_normtree_shape *s, unsigned kind, unsigned level, unsigned side)
{
	return s->kind[kind].level < level ? kind : s->kind[kind].child[side];
}

/* The level of the largest node that step i + 1 is the first of. */
static unsigned
top(const struct dp_normtree *p, uint64_t i)
{
	return i == 0 ? p->h : (unsigned)__builtin_ctzll(i);
}

int
dp_normtree_late(const struct dp_normtree *p, int32_t *wait, struct dp_rng *rng, uint64_t i,
    int64_t *before)
{
	unsigned l, kind = p->shape.kinds - 1, side;
	int64_t P, child[2];
	int e;

	if (p->unit != 1 || p->fine > FINEST)
		return DP_EINVAL;
	*before = 0;
	if (i == 0 || p->exact)
		return 0;
	if ((e = dp_normtree_root(p, rng, &P)) != 0)
		return e;
	for (l = p->h; l > top(p, i); l--) {
		if ((e = split(p, rng, l, kind, &P, child, 1)) != 0)
			return e;
		side = i >> (l - 1) & 1;
		if (side == 0)
			wait[l - 1] = (int32_t)child[1];
		else
			*before += child[0];
		P = child[side];
		kind = child_of(&p->shape, kind, l, side);
	}
	wait[l] = (int32_t)P;
	return 0;
}

bool
dp_normtree_late_valid(const struct dp_normtree *p, const int32_t *wait)
{
	int64_t wide[DP_NORMTREE_LEVELS];
	unsigned l;

	for (l = 0; l < p->h; l++)
		wide[l] = wait[l];
	return dp_normtree_valid(p, wide);
}

int
dp_normtree_late_steps(const struct dp_normtree *p, int32_t *const *wait, struct dp_rng *rng,
    uint64_t i, unsigned n, int64_t *w)
{
	int64_t child[2 * DP_NORMTREE_SPLITS];
	unsigned l, kind = p->shape.kinds - 1, k;
	int e;

	memset(w, 0, n * sizeof *w);
	if (p->exact)
		return 0;
	for (l = p->h; l > top(p, i); l--)
		kind = child_of(&p->shape, kind, l, i >> (l - 1) & 1);
	for (k = 0; k < n; k++)
		if (i != 0)
			w[k] = wait[k][l];
		else if ((e = dp_normtree_root(p, rng, &w[k])) != 0)
			return e;
	for (; l > 0; l--) {
		if ((e = split(p, rng, l, kind, w, child, n)) != 0)
			return e;
		for (k = 0; k < n; k++) {
			w[k] = child[2 * k];
			wait[k][l - 1] = (int32_t)child[2 * k + 1];
		}
		kind = child_of(&p->shape, kind, l, 0);
	}
	return 0;
}
