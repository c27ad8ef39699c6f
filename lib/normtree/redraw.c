/*
 * redraw.c - noise of a finer grid, taken for a whole number of the tables' (redraw.h).
 */
#include <stdlib.h>
#include <string.h>

#include "redraw.h"
#include "spline.h"

#define N		DP_SPLINE_ORDER
#define FAR		DP_NORMTREE_FARTHER	/* |P - D i| < N D / 2, |P - D Q| < N D */
#define WIDTH		(2 * FAR + 1)
#define RESIDUES	4u	/* of a cell, that stand for all */

/* Of E[F; i] and of E[F xi; i] what goes to E[F; Q], and what to E[F rho; Q]. */
struct weights {
	double of[2], rest[2];
};

struct dp_normtree_redraw {
	unsigned n;
	double *sided[2];		/* a pair of i, from -FAR on */
	struct weights w[][WIDTH];	/* of Q = 0 .. n + FAR - 1, from i = Q - FAR on */
};

/* A residue of P: N pieces have P from an i, 2 N take it for a Q. */
struct residue {
	int64_t i, Q;			/* the first of these, both falling, less P / D, down */
	double w[N], v[2 * N];
	double xi[N], rho[2 * N];	/* xi over its variance */
};

static void
set_residue(struct residue *s, unsigned fine, int64_t P)
{
	const int64_t D = (int64_t)1 << fine, x = P + N / 2 * (D - 1), y = P + N * (D - 1);
	const double unit = 1 / (double)D, spread = dp_spline_residual(fine) * unit * unit;
	int64_t k;

	s->i = x >> fine;
	s->Q = y >> fine;
	dp_spline_basis(s->w, N, (double)D, (double)(x & (D - 1)));
	dp_spline_basis(s->v, 2 * N, (double)D, (double)(y & (D - 1)));
	for (k = 0; k < N; k++)
		s->xi[k] = ((double)P * unit - (double)(s->i - k)) / spread;
	for (k = 0; k < 2 * N; k++)
		s->rho[k] = (double)P * unit - (double)(s->Q - k);
}

/* The weights of P = D m + residue,. */
static void
add_point(struct dp_normtree_redraw *r, const double *c, const struct residue *s, int64_t m,
    double part)
{
	double v[2 * N], all = 0, p;
	struct weights *to;
	int64_t j, k, Q;

	for (k = 0; k < 2 * N; k++)
		all += v[k] = s->v[k] * c[llabs(m + s->Q - k)];
	for (k = 0; k < 2 * N; k++) {
		Q = m + s->Q - k;
		if (Q < 0 || Q >= (int64_t)r->n + FAR)
			continue;
		for (j = 0; j < N; j++) {
			p = s->w[j] * v[k] * part / all;
			to = &r->w[Q][s->i - j - (s->Q - k) + FAR];
			to->of[0] += p;
			to->of[1] += p * s->xi[j];
			to->rest[0] += p * s->rho[k];
			to->rest[1] += p * s->rho[k] * s->xi[j];
		}
	}
}

size_t
dp_normtree_redraw_size(unsigned n)
{
	const size_t rows = n + FAR;

	return (sizeof(struct dp_normtree_redraw) + rows * sizeof(struct weights[WIDTH])) /
	    sizeof(double) + 2 * (rows + 2 * FAR);
}

void
dp_normtree_redraw_set(struct dp_normtree_redraw *r, const double *c, unsigned fine, unsigned n)
{
	const unsigned rows = n + FAR, parts = fine < 2 ? 1u << fine : RESIDUES;
	const int64_t D = (int64_t)1 << fine;
	struct residue s;
	int64_t m;
	unsigned k;

	memset(r->w, 0, rows * sizeof *r->w);
	r->n = n;
	r->sided[0] = (double *)(r->w + rows);
	r->sided[1] = r->sided[0] + rows + 2 * FAR;
	for (k = 0; k < parts; k++) {	/* as many below a multiple of D as above */
		set_residue(&s, fine, D <= RESIDUES ? k : D / (2 * RESIDUES) * (2 * k + 1));
		for (m = -N; m < (int64_t)n + FAR + N; m++)
			add_point(r, c, &s, m, 1. / parts);
	}
}

/* Of |i| to those of i. */
static void
take_sides(double *to, const double *from, unsigned n, bool odd)
{
	unsigned v;

	memset(to, 0, (n + 3 * FAR) * sizeof *to);
	to[FAR] = odd ? 0 : from[0];
	for (v = 1; v < n; v++) {
		to[FAR + v] = from[v] / 2;
		if (v <= FAR)
			to[FAR - v] = odd ? -from[v] / 2 : from[v] / 2;
	}
}

void
dp_normtree_redraw(const struct dp_normtree_redraw *r, bool odd, unsigned m,
    const struct dp_normtree_pair *from, const struct dp_normtree_pair *to)
{
	double f, g;
	unsigned Q, k;

	take_sides(r->sided[0], from->of, m, odd);
	take_sides(r->sided[1], from->rest, m, !odd);
	for (Q = 0; Q < m + FAR; Q++) {
		for (f = g = 0, k = 0; k < WIDTH; k++) {
			f += r->w[Q][k].of[0] * r->sided[0][Q + k] +
			    r->w[Q][k].of[1] * r->sided[1][Q + k];
			g += r->w[Q][k].rest[0] * r->sided[0][Q + k] +
			    r->w[Q][k].rest[1] * r->sided[1][Q + k];
		}
		to->of[Q] = Q == 0 ? (odd ? 0 : f) : 2 * f;
		to->rest[Q] = Q == 0 ? (odd ? g : 0) : 2 * g;
	}
}
