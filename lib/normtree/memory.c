/*
 * memory.c - where the tables of a tree lie: made, given up, and made again.
 */
#include <math.h>
#include <stdlib.h>

#include "spline.h"
#include "work.h"

/* In the tables: a level has g, k and, on a finer grid, c. */
static size_t
count_reals(const struct dp_normtree *p)
{
	return ((size_t)p->A + 1) * ((p->fine > 0 ? 3 : 2) * (size_t)p->shape.h + 1);
}

/* Tables in p->memory. */
static int
set(struct dp_normtree *p, double *space, enum dp_normtree_use use)
{
	const struct dp_normtree_shape *s = &p->shape;
	const double coarse = ldexp(p->rate, (int)p->fine);
	struct dp_normtree_place at = { NULL, NULL };
	struct work w;
	double loss;
	unsigned l;
	int e = 0;

	p->loss = 0;
	if (p->fine > 0 && p->A < DP_SPLINE_REACH)
		return DP_ERANGE;
	if (use != DP_NORMTREE_CERTIFY) {
		at.to = p->memory;
		at.row = (void *)(at.to + count_reals(p));
	}
	dp_normtree_start(&w, p->A, p->fine, space);
	for (l = 1; l <= s->h && e == 0; l++) {
		e = dp_normtree_set_level(&w, &p->level[l - 1], s->share[l - 1] * coarse,
		    s->corner[l - 1], &loss, &at);
		p->loss += e == 0 ? loss : 0;
	}
	if (e == 0)
		e = dp_normtree_set_root(p, &w, s->share[s->h] * coarse, at.to);
	if (e == 0 && !(p->loss <= p->rate))
		e = DP_ERANGE;
	p->awake = e == 0 && use == DP_NORMTREE_DRAW;
	if (p->awake && !p->measured) {
		dp_normtree_moments(p, &w);
		p->measured = true;
	}
	return e;
}

int
dp_normtree_set(struct dp_normtree *p, const struct dp_normtree_shape *s, double rate,
    enum dp_normtree_use use)
{
	double *space = malloc(dp_normtree_work(p->A));
	int e = DP_ENOMEM;

	p->shape = *s;
	p->rate = rate;
	p->h = s->h;
	p->measured = false;
	p->bytes = count_reals(p) * sizeof(struct dp_normtree_real) +
	    ((size_t)p->A + 1) * s->h * sizeof(struct dp_normtree_row);
	p->memory = calloc(1, p->bytes);
	if (space != NULL && p->memory != NULL)
		e = set(p, space, use);
	free(space);
	return e;
}

/* Memory that is not touched, for memory that is; if there is none it stays as it is. */
void
dp_normtree_rest(struct dp_normtree *p)
{
	void *fresh = p->exact ? NULL : calloc(1, p->bytes);

	if (fresh != NULL && p->work == NULL)
		p->work = malloc(dp_normtree_work(p->A));
	if (fresh == NULL || p->work == NULL) {
		free(fresh);
		return;
	}
	free(p->memory);
	p->memory = fresh;
	p->awake = false;
}

int
dp_normtree_wake(struct dp_normtree *p)
{
	return p->awake ? 0 : set(p, p->work, DP_NORMTREE_DRAW);
}
