/*
 * points.c - points of a tree's laws (points.h).
 */
#include <stdlib.h>

#include "points.h"
#include "sweep.h"
#include "level.h"

#define WIDE	4	/* points are of so many together */
#define CENTRE	0.2	/* gamma that is of the middle, */
#define TAIL	0.02	/* or of the tails */
#define FEW	3	/* levels: with fewer a law has its kinks farther out */
#define OUTSIDE	1e-2	/* in parts of gamma: what M is for, if a law is the widest */
#define WRAPPED	0.01	/* in parts of gamma: what lies beyond a period */
#define LARGEST	0.05	/* gamma that these are for */
#define SHORTEST	24	/* numbers of a period */

/*
 * Grains so small that the steps' noise, the narrowest, has some of them: then its law at their
 * multiples has the same form, once it is as wide.  Where laws have a kink, in the middle, and in
 * their tails that takes more.
 */
static unsigned
grain_of(const struct dp_normtree *p, double gamma)
{
	const double narrowest = gamma > CENTRE ? 4 : gamma >= TAIL ? 2 : p->h < FEW ? 2.5 : 2.2;
	const double grain = sqrt(p->moments.var[0]) / ldexp(1, (int)p->fine) / narrowest;

	return grain < 2 ? 1 : (unsigned)grain;
}

/* From where a tail is gamma, of laws as they are, WRAPPED of it is left where the period ends. */
static void
choose(const struct dp_normtree *p, struct dp_normtree_choice *c)
{
	const double apart = dp_normtree_apart(p), gamma = fmin(c->gamma, LARGEST);
	const double y = .85 * dp_law_widest(gamma), far = y + dp_law_widest(gamma * WRAPPED);
	const double period = c->sigma * far + 1;
	unsigned grain = grain_of(p, c->gamma);

	if (period > 2 * DP_LAW_POINTS * grain)
		grain = (unsigned)ceil(period / (2 * DP_LAW_POINTS));
	c->n = (unsigned)ceil(fmax(period / grain, SHORTEST) / 2);
	c->grain = grain * apart;
	c->step = M_PI / c->n / c->grain;
	c->tables = grain;
}

unsigned
dp_normtree_points_choose(const struct dp_normtree *p, struct dp_normtree_choice *c,
    struct dp_law_wave *v, double most)
{
	double sigma = most;
	unsigned k;
	int e;

	if (!(most > 0))
		sigma = ldexp(1, frexp(v->sigma / dp_normtree_apart(p), &e) == .5 ? e - 1 : e);
	if (c->gamma != v->gamma || c->sigma != sigma) {
		c->gamma = v->gamma;
		c->sigma = sigma;
		choose(p, c);
	}
	v->n = c->n;
	v->grain = c->grain;
	v->step = c->step;
	for (k = 0; k < v->n; k++)
		v->phi[k] = 1;
	return c->tables;
}

unsigned
dp_normtree_points_set(struct dp_normtree_points *q, const struct dp_normtree *p, double gamma,
    double step, unsigned n, unsigned grain)
{
	unsigned l, most = 0;
	double M;

	q->gamma = gamma;
	q->step = step;
	q->points = n;
	q->stride = (n + WIDE + 1) / WIDE * WIDE;
	q->grain = grain;
	for (l = 0; l <= p->h; l++) {
		M = ceil(dp_law_spread(ldexp(p->moments.var[l],
		    -2 * (int)p->fine) / grain / grain) *
		    dp_law_widest(fmin(gamma, LARGEST) * OUTSIDE));
		q->M[l] = M < DP_NORMTREE_FARTHEST ? (unsigned)M : DP_NORMTREE_FARTHEST;
		most = q->M[l] > most ? q->M[l] : most;
	}
	return most;
}

void
dp_normtree_points_free(struct dp_normtree_points *q)
{
	unsigned i;

	for (i = 0; i < DP_NORMTREE_KINDS; i++)
		free(q->pass[i].even[0]);
}

const struct dp_normtree_pass *
dp_normtree_pass_of(struct dp_normtree_points *q, const struct dp_normtree *p, unsigned kind)
{
	struct dp_normtree_pass *s = &q->pass[kind];

	return s->even[0] != NULL || dp_normtree_pass_set(s, p, kind, q->M,
	    q->grain) ? s : NULL;
}

DP_VECTORS static void
add_up(const struct half *a, const struct half *b, unsigned M, size_t n, double *restrict to)
{
	const double *const x[2] = { a->x, b->x }, *const y[2] = { a->y, b->y };
	dp_four even, odd;
	size_t i, at;
	unsigned v;

	for (i = 0; i < n; i += WIDE) {
		even = odd = (dp_four){ 0 };
		for (v = 0, at = i; v <= M; v++, at += n) {
			even += *(const dp_four *)(x[0] + at) * *(const dp_four *)(x[1] + at);
			odd += *(const dp_four *)(y[0] + at) * *(const dp_four *)(y[1] + at);
		}
		*(dp_four *)(to + i) = even - odd;
	}
}

void
dp_normtree_close(const struct dp_normtree_points *q, unsigned M, const struct half *before,
    const struct half *after, double *to)
{
	add_up(before, after, M, q->stride, to);
}

bool
dp_normtree_half_new(const struct dp_normtree_points *q, unsigned M, struct half *to)
{
	const size_t n = (size_t)(M + 1) * q->stride;

	if (to->x == NULL && (to->x = calloc(2 * n, sizeof *to->x)) == NULL)
		return false;
	to->y = to->x + n;
	return true;
}

void
dp_normtree_root_numbers(const struct dp_normtree *p, unsigned grain, double *to, unsigned n)
{
	const double q = pow(dp_real_double(p->beyond), grain);
	const unsigned A = p->A / grain;
	double r = 0, sum = 0;
	unsigned v;

	for (v = 0; v < n || v <= A; v++) {
		r = v <= A ? (v == 0 ? 1 : 2) * dp_real_double(p->root[v * grain]) : r * q;
		sum += r;
		if (v < n)
			to[v] = r;
	}
	sum += r * q / (1 - q);
	for (v = 0; v < n; v++)
		to[v] /= sum;
}
