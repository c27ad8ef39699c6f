/*
 * moment.c - the variances that a tree's tables lead to, by the law of a node's noise.
 */
#include <math.h>

#include "spline.h"
#include "work.h"

#define UNLIKELY	1e-20	/* noise that moments leave out */
#define UNEVEN		1e-17	/* and splits, of what is split */

static double
second_moment(const double *m, unsigned last)
{
	double v = 0;
	unsigned i;

	for (i = 1; i <= last; i++)
		v += m[i] * (double)i * i;
	return v;
}

/*
 * The law of the children's size from the parents', and the mean variance of a split.  A child is
 * P/2 + z, and z as likely as -z: the variance of z is that of a child less a quarter of P's.
 */
static double
descend(const struct work *w)
{
	double *t = w->t[0], *c = w->child;
	double side[2], v, parents = 0;
	unsigned P, j, n;

	memset(c, 0, (w->last + 1) * sizeof *c);
	for (P = 0; P <= 2 * w->A; P++) {
		if (w->m[P] < UNLIKELY)
			continue;
		parents += w->m[P] * P * P;
		n = dp_normtree_weights(w, 0, P, UNEVEN, side);
		v = w->m[P] / dp_normtree_both(w, P, side);
		t[0] *= P % 2 == 0 ? 0.5 : 1;
		for (j = 0; j < n; j++)
			c[P - P / 2 + j] += t[j] * v;
		for (j = 0; j <= P / 2 && j < n; j++)
			c[P / 2 - j] += t[j] * v;
		for (; j < n; j++)
			c[j - P / 2] += t[j] * v;
	}
	return second_moment(c, w->last) - parents / 4;
}

void
dp_normtree_redraw(struct work *w, const struct dp_normtree_level *v, bool odd)
{
	double *swap = w->m;
	unsigned i;

	for (i = 0; i <= w->last; i++)
		w->c[0][i] = i <= v->A ? dp_normtree_number(v->own[i]) :
		    w->c[0][i - 1] * dp_normtree_number(v->past);
	dp_spline_redraw(w->c[0], v->A, w->fine, w->m, w->child, w->last, odd);
	w->m = w->child;
	w->child = swap;
}

static void
take_side(struct work *w, const struct dp_normtree_level *v, unsigned side)
{
	unsigned i;

	w->q[side] = w->open ? 1 : dp_normtree_number(v->beyond[side]);
	for (i = 0; i <= w->last; i++)
		w->g[side][i] = i <= v->reach[side] ? dp_normtree_number(v->child[side][i]) :
		    w->g[side][i - 1] * w->q[side];
}

void
dp_normtree_take(struct work *w, const struct dp_normtree *p, unsigned kind)
{
	const struct dp_normtree_level *v = &p->level[kind];
	unsigned i;

	w->A = v->A;
	w->open = v->open;
	w->alike = v->child[0] == v->child[1];
	take_side(w, v, 0);
	w->q[1] = w->q[0];
	if (!w->alike)
		take_side(w, v, 1);
	w->wedge = 0;
	for (i = 0; i <= w->A; i++) {
		w->k[i] = dp_normtree_number(v->fall[i]);
		w->wedge += i > 0 ? w->k[i] : 0;
	}
}

/* Mean variances of all splits of a chain, as drawn or by tables alone. */
static void
split_all(const struct dp_normtree *p, struct work *w, unsigned kind, bool drawn, double *split)
{
	double *swap;
	unsigned l;

	for (l = p->shape.kind[kind].level; l > 0; l--, kind = p->shape.kind[kind].child[0]) {
		if (drawn)
			dp_normtree_redraw(w, &p->level[kind], false);
		dp_normtree_take(w, p, kind);
		split[l - 1] = descend(w);
		swap = w->m;
		w->m = w->child;
		w->child = swap;
	}
}

void
dp_normtree_chain(const struct dp_normtree *p, struct work *w, unsigned kind, double *split)
{
	split_all(p, w, kind, p->fine > 0, split);
}

void
dp_normtree_moments(struct dp_normtree *p, struct work *w)
{
	const double unit = ldexp(1, 2 * (int)p->fine), rest = dp_spline_residual(p->fine);
	const size_t size = (w->last + 1) * sizeof *w->m;
	unsigned l;

	p->var[p->h] = unit * second_moment(w->m, w->last) + rest;
	p->fine_root = rest;
	memcpy(w->next, w->m, size);
	split_all(p, w, p->shape.kinds - 1, p->fine > 0, p->split);
	if (p->fine > 0) {
		memcpy(w->m, w->next, size);
		split_all(p, w, p->shape.kinds - 1, false, p->fine_split);
	}
	for (l = p->h; l > 0; l--) {
		if (p->fine > 0)
			p->fine_split[l - 1] = unit * (p->split[l - 1] - p->fine_split[l - 1]) +
			    rest / 2;
		p->split[l - 1] = unit * p->split[l - 1] + rest / 2;
		p->var[l - 1] = p->var[l] / 4 + p->split[l - 1];	/* uncorrelated */
	}
}
