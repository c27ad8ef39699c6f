/*
 * moment.c - the variances that a chain's tables lead to, by the law of a node's noise.
 */
#include <math.h>

#include "child.h"
#include "spline.h"

#define UNLIKELY	1e-20	/* noise that moments leave out */

static double
second_moment(const double *m, unsigned last)
{
	double v = 0;
	unsigned i;

	for (i = 1; i <= last; i++)
		v += m[i] * (double)i * i;
	return v;
}

static void
swap(struct work *w)
{
	const struct dp_normtree_pair node = w->node;

	w->node = w->child;
	w->child = node;
}

/*
 * One level down: from what is known of a node to that of its child; the variance of its split.  A
 * child is half of its parent and z, which is as likely as -z: the variance of z is that of a child
 * less a quarter of the parent's.
 */
static double
go_down(const struct dp_normtree *p, struct work *w, unsigned kind)
{
	const unsigned most = 2 * w->A + 1;
	const size_t size = (w->last + 1) * sizeof(double);
	double parents = 0;
	unsigned P;

	if (w->fine > 0) {
		dp_normtree_take_redraw(w, p, kind, most);
		dp_normtree_redraw(w->redraw, false, most, &w->node, &w->child);
		swap(w);
	}
	dp_normtree_take(w, p, kind, 1);
	memset(w->child.of, 0, size);
	memset(w->child.rest, 0, size);
	for (P = 0; P < most; P++) {
		if (w->node.of[P] < UNLIKELY)
			continue;
		parents += w->node.of[P] * P * P;
		dp_normtree_descend(w, P, dp_normtree_row_of(w, P, w->node.of[P], w->fine > 0),
		    &w->node, &w->child);
	}
	swap(w);
	return second_moment(w->node.of, w->last) - parents / 4;
}

void
dp_normtree_moments(struct dp_normtree *p, struct work *w)
{
	const double unit = ldexp(1, 2 * (int)p->fine), rest = dp_spline_residual(p->fine);
	const size_t size = (w->last + 1) * sizeof(double);
	unsigned l, kind = p->shape.kinds - 1;

	p->moments.var[p->h] = unit * second_moment(w->m, w->last) + rest;
	memcpy(w->node.of, w->m, size);
	memset(w->node.rest, 0, size);
	for (l = p->h; l > 0; l--, kind = p->shape.kind[kind].child[0]) {
		p->moments.split[l - 1] = unit * go_down(p, w, kind) + rest / 2;
		/* Terms are uncorrelated. */
		p->moments.var[l - 1] = p->moments.var[l] / 4 + p->moments.split[l - 1];
	}
}
