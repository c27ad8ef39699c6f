/*
 * memory.c - where the tables of a tree lie: made, given up, and made again.
 */
#include <math.h>
#include <stdlib.h>

#include "spline.h"
#include "place.h"

/* The tables: a step's g, and a kind's g, k and, on a finer grid, c; the root's law is the last. */
static size_t
count_reals(const struct dp_normtree *p)
{
	return ((size_t)p->A + 1) * ((p->fine > 0 ? 3 : 2) * (size_t)p->shape.kinds + 1);
}

/* After the tables, and what a state has a hash of, is how they are used. */
static void *
allocate(const struct dp_normtree *p)
{
	return calloc(1, p->bytes + p->shape.kinds * sizeof *p->level);
}

static void
settle(struct dp_normtree *p, void *memory)
{
	p->memory = memory;
	p->level = (void *)((char *)memory + p->bytes);
}

/* Tables in p->memory. */
static int
set(struct dp_normtree *p, double *space, enum dp_normtree_use use)
{
	const struct dp_normtree_shape *s = &p->shape;
	const double coarse = ldexp(p->rate, (int)p->fine);
	struct dp_normtree_real *step = p->memory;
	double loss[DP_NORMTREE_KINDS];
	struct work w;
	unsigned i;
	int e = 0;

	p->loss = 0;
	if (p->fine > 0 && p->A < DP_SPLINE_REACH)
		return DP_ERANGE;
	dp_normtree_start(&w, p->A, p->fine, space);
	for (i = 0; i <= p->A; i++)
		step[i] = (struct dp_normtree_real){ (uint64_t)1 << 63, 1 };
	for (i = 0; i < s->kinds && e == 0; i++) {
		e = dp_normtree_set_level(p, &w, i, coarse, use != DP_NORMTREE_CERTIFY, loss);
		p->loss = e == 0 ? loss[i] : p->loss;
	}
	if (e == 0)
		e = dp_normtree_set_root(p, &w, s->root * coarse, loss[s->kinds - 1]);
	if (e == 0 && !(p->loss <= p->rate))
		e = DP_ERANGE;
	p->awake = e == 0 && use == DP_NORMTREE_DRAW;
	if (p->awake && !p->measured) {
		if (s->chain)
			dp_normtree_moments(p, &w);
		else if ((e = dp_normtree_find_places(p, &w)) != 0)
			return e;
		p->measured = true;
	}
	return e;
}

int
dp_normtree_set(struct dp_normtree *p, const struct dp_normtree_shape *s, double rate,
    enum dp_normtree_use use)
{
	double *space = malloc(dp_normtree_work(p->A));
	void *memory;
	int e = DP_ENOMEM;

	p->shape = *s;
	p->rate = rate;
	p->h = s->h;
	p->measured = false;
	p->bytes = count_reals(p) * sizeof(struct dp_normtree_real) +
	    ((size_t)p->A + 1) * s->kinds * sizeof(struct dp_normtree_row);
	if ((memory = allocate(p)) != NULL)
		settle(p, memory);
	if (space != NULL && memory != NULL)
		e = set(p, space, use);
	free(space);
	return e;
}

/* Memory that is not touched, for memory that is; if there is none it stays as it is. */
void
dp_normtree_rest(struct dp_normtree *p)
{
	void *fresh = p->exact ? NULL : allocate(p);

	if (fresh != NULL && p->work == NULL)
		p->work = malloc(dp_normtree_work(p->A));
	if (fresh == NULL || p->work == NULL) {
		free(fresh);
		return;
	}
	free(p->memory);
	settle(p, fresh);
	p->awake = false;
}

int
dp_normtree_wake(struct dp_normtree *p)
{
	return p->awake ? 0 : set(p, p->work, DP_NORMTREE_DRAW);
}
