/* splits.c - the probabilities of a kind's splits (splits.h). */
#include <math.h>

#include "splits.h"

#define UNSEEN	0x1p-55		/* of a sum: a term that does not change it */

size_t
dp_normtree_splits_size(unsigned reach)
{
	const size_t row = 2 * (size_t)reach + 1;

	return ((row + 2) * (reach + 1) + 2 * (5 * (size_t)reach + 1)) * sizeof(double) +
	    (reach / 2 + 1) * 2 * sizeof(unsigned);	/* several may follow each other */
}

void
dp_normtree_splits_in(struct dp_normtree_splits *s, unsigned reach, double *memory)
{
	s->reach = s->rows = reach;
	s->split = memory;
	s->g[0] = s->split + (2 * (size_t)reach + 1) * (reach + 1);
	s->g[1] = s->g[0] + 5 * (size_t)reach + 1;
	s->fall = s->g[1] + 5 * (size_t)reach + 1;
	s->outside = s->fall + reach + 1;
	s->spread = (void *)(s->outside + reach + 1);
}

static double
table(const struct dp_real *t, unsigned A, double beyond, double *to, unsigned n)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i <= n; i++) {
		to[i] = i <= A ? dp_real_double(t[i]) : to[i - 1] * beyond;
		sum += i == 0 ? to[i] : 2 * to[i];
	}
	return sum + 2 * to[n] * beyond / (1 - beyond);
}

/* k of P's split into a and P - a, one of them negative by y */
static double
fall(const struct dp_normtree_splits *s, const struct dp_normtree_level *v, unsigned P,
    unsigned y)
{
	const unsigned most = v->open ? y : P < v->A ? v->A - P : 0;

	y = y < most ? y : most;
	if (y <= s->reach && y <= v->A)
		return s->fall[y];
	return y <= v->A ? dp_real_double(v->fall[y]) : dp_real_double(v->fall[v->A]) *
	    pow(dp_real_double(v->fade), y - v->A);
}

/*
 * The splits of P, whose sum is taken as far as they go on, or change it: beyond R >= A terms fall
 * by `ratio' a step or faster, so those after one of them come to that over 1 - ratio at most.
 */
static void
set_split(const struct dp_normtree_splits *s, const struct dp_normtree_level *v, unsigned P,
    double rare)
{
	const unsigned R = s->reach, far = 4 * R;
	const double *g = s->g[0], *h = s->g[1];
	const double fade = dp_real_double(v->fade), ratio = v->open ? fade :
	    dp_real_double(v->beyond[0]) * dp_real_double(v->beyond[1]);
	double *to = s->split + (size_t)P * (2 * R + 1) + R, sum = 0, out = 0, k = 1,
	    one = 0, other = 0;
	unsigned y, a;

	for (a = 0; a <= P; a++)
		sum += to[a] = g[a] * h[P - a];
	for (y = 1; y <= far; y++) {	/* -y and P + y, in both orders */
		k = y <= v->A + 1 ? fall(s, v, P, y) : k * (v->open ? fade : 1);
		one = g[y] * h[P + y] * k;
		other = g[P + y] * h[y] * k;
		if (y > R && one + other < sum * UNSEEN)
			break;
		sum += one + other;
		if (y <= R)
			to[-(ptrdiff_t)y] = one;
		else
			out += one;
		if (P + y <= R)
			to[P + y] = other;
		else
			out += other;
	}
	s->outside[P] = (out + (one + other) / (1 - ratio)) / sum;
	for (y = 0; y <= 2 * R; y++)
		to[(ptrdiff_t)y - R] /= sum;
	for (y = P / 2 + R; y > P && to[(ptrdiff_t)(P / 2) - y] < rare &&
	    (P - P / 2 + y > R || to[P - P / 2 + y] < rare); y--)
		;
	s->spread[P] = y;
}

void
dp_normtree_set_splits(struct dp_normtree_splits *s, const struct dp_normtree *p, unsigned kind,
    double rare)
{
	const struct dp_normtree_level *v = &p->level[kind];
	const unsigned end = 5 * s->reach;
	unsigned side, a, P;

	for (side = 0; side < 2; side++)
		if (v->open)
			for (a = 0; a <= end; a++)
				s->g[side][a] = 1;
		else
			(void)table(v->child[side], v->reach[side],
			    dp_real_double(v->beyond[side]), s->g[side], end);
	for (a = 0; a <= s->reach && a <= v->A; a++)
		s->fall[a] = dp_real_double(v->fall[a]);
	for (P = 0; P <= s->rows; P++)
		set_split(s, v, P, rare);
}

const double *
dp_normtree_root_weights(struct dp_normtree_splits *s, const struct dp_normtree *p, double *sum)
{
	*sum = table(p->root, p->A, dp_real_double(p->beyond), s->g[0], s->reach);
	return s->g[0];
}
