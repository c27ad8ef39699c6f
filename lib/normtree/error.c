/*
 * error.c - the exact variance of what is filtered: of counts by place.h, of windows and decays,
 * over an endless row of trees, by tally.h.
 */
#include <math.h>

#include "mech/tally.h"
#include "place.h"
#include "spline.h"

#define RESIDUAL	1.4	/* with what is split varying by up to a third of one more */

/* The root's and the splits': all of a tree's, or a part. */
struct variances {
	double root;
	const double *split;
};

static struct variances
all(const struct dp_normtree *p)
{
	return (struct variances){ p->moments.var[p->h], p->moments.split };
}

/*
 * A variance in grid units squared from one in units squared, and from so many steps' noise within
 * them, or more.
 */
static double
scaled(const struct dp_normtree *p, double v, double steps)
{
	const double unit = (double)p->unit;

	return p->unit == 1 ? v : unit * unit * (v + steps / 12);
}

/* Variances of steps in the estimate of step t. */
static double
entered(const struct dp_task *task, unsigned out, uint64_t t)
{
	const double n = (double)t;

	if (task == NULL)
		return n;
	if (task->what == DP_TASK_WINDOW)
		return fmin(n, (double)task->w[out]);
	return fmin(n, 1 / (1 - task->alpha * task->alpha));
}

/* ---- counts over one tree: by its places, a chain's by itself ---- */

static void
count_error(const struct dp_normtree *p, uint64_t T, struct dp_error *e)
{
	const struct dp_normtree_place chain = { .level = p->h, .own = p->moments.var[p->h] };
	const struct dp_normtree_place *at = p->moments.places == NULL ? &chain :
	    p->moments.places->at;
	const unsigned n = p->moments.places == NULL ? 1 : p->moments.places->n;
	const double *split;
	uint64_t size, worst;
	double most, sum = 0;
	unsigned i;

	for (i = 0; i < n && at[i].base < T; i++) {
		split = p->moments.places == NULL ? p->moments.split :
		    dp_normtree_numbers(p->moments.places) + at[i].split;
		size = T - at[i].base;
		if (at[i].level < 64 && size > (uint64_t)1 << at[i].level)
			size = (uint64_t)1 << at[i].level;
		sum += dp_normtree_place_sum(&at[i], split, size);
		if (i > 0 && dp_normtree_place_bound(&at[i], split) <= e->max)
			continue;
		most = dp_normtree_place_max(&at[i], split, size, &worst);
		if (i == 0 || most > e->max) {
			e->max = most;
			e->worst = at[i].base + worst;
		}
	}
	e->mean = sum / (double)T;
}

void
dp_normtree_error(const struct dp_normtree *p, const struct dp_task *task, unsigned out,
    uint64_t T, struct dp_error *e)
{
	struct dp_tally q;
	double sum = 0;
	unsigned l;

	*e = (struct dp_error){ .worst = 1 };
	if (p->exact)
		return;
	if (!dp_normtree_know(p)) {
		e->max = e->mean = INFINITY;
		return;
	}
	if (task == NULL)
		count_error(p, T, e);
	else {
		dp_tally_set(&q, p->h, p->moments.split, p->moments.var[p->h], task, out);
		for (l = 0; l <= q.h; l++)
			sum += q.v[l] * dp_tally_sum(&q, l, T);
		e->mean = sum / (double)T;
		e->max = dp_tally_max(&q, T, &e->worst);
	}
	e->mean = scaled(p, e->mean, entered(task, out, T));
	e->max = scaled(p, e->max, entered(task, out, T));
}

/* The place of step t, of no chain. */
static const struct dp_normtree_place *
place_of(const struct dp_normtree *p, uint64_t t)
{
	const struct dp_normtree_place *at = p->moments.places->at;
	unsigned lo = 0, hi = p->moments.places->n, mid;

	while (hi - lo > 1) {
		mid = (lo + hi) / 2;
		if (at[mid].base < t)
			lo = mid;
		else
			hi = mid;
	}
	return &at[lo];
}

static double
count_variance(const struct dp_normtree *p, struct variances of, uint64_t t)
{
	const struct dp_normtree_place chain = { .level = p->h, .own = of.root }, *at;

	if (p->moments.places == NULL)
		return dp_normtree_place_at(&chain, of.split, t);
	at = place_of(p, t);
	return dp_normtree_place_at(at, dp_normtree_numbers(p->moments.places) + at->split,
	    t - at->base);
}

double
dp_normtree_step_variance(const struct dp_normtree *p, uint64_t t)
{
	const struct dp_normtree_place *at;
	const double *split;
	double var;
	unsigned l;

	if (!dp_normtree_know(p))
		return INFINITY;
	if (p->moments.places == NULL)
		return scaled(p, p->moments.var[0], 1);
	at = place_of(p, t);
	split = dp_normtree_numbers(p->moments.places) + at->split;
	for (var = at->own, l = at->level; l > 0; l--)
		var = var / 4 + split[l - 1];
	return scaled(p, var, 1);
}

static double
variance(const struct dp_normtree *p, struct variances of, const struct dp_task *task, unsigned out,
    uint64_t t)
{
	struct dp_tally q;
	double v = 0;
	unsigned l;

	if (p->exact)
		return 0;
	if (task == NULL)
		return count_variance(p, of, t);
	dp_tally_set(&q, p->h, of.split, of.root, task, out);
	for (l = 0; l <= q.h; l++)
		v += q.v[l] * dp_tally_at(&q, l, t);
	return v;
}

double
dp_normtree_variance(const struct dp_normtree *p, const struct dp_task *task, unsigned out,
    uint64_t t)
{
	return !dp_normtree_know(p) ? INFINITY :
	    scaled(p, variance(p, all(p), task, out, t), entered(task, out, t));
}

double
dp_normtree_residual(const struct dp_normtree *p, const struct dp_task *task, unsigned out,
    uint64_t t)
{
	const double rest = RESIDUAL * dp_spline_residual(p->fine);
	const struct dp_normtree_place chain = { .level = p->h, .own = rest };
	double split[DP_NORMTREE_LEVELS];
	const struct variances of = { rest, split };
	unsigned l;

	for (l = 0; l < p->h; l++)
		split[l] = rest / 2;
	return scaled(p, task == NULL ? dp_normtree_place_at(&chain, split, t) :
	    variance(p, of, task, out, t), entered(task, out, t));
}
