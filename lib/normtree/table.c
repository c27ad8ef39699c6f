/* SPDX-License-Identifier: ISC */
/* table.c - the tables of a tree: how they are made, and what they lose. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/*
 * The loss of tables on a finer grid.
 *
 * G and C of normtree.h are polynomials of x in each cell, x = D m + s, s = 0 .. D; and with the
 * differences dG = D (G(x + 1) - G(x)), dC,
 *	D (G(x + 1) C(x) / (G(x) C(x + 1)) - 1) = (dG(x) C(x) - G(x) dC(x)) / (G(x) C(x + 1))
 * is a quotient of two of them.  In Bernstein's form their values are means of their coefficients,
 * with the same weights, which are not negative: so no quotient of values is larger than the
 * largest of coefficients, where all of the denominator's are positive.  Where that is too much a
 * cell is halved; at its ends the coefficients are the values.
 *
 * "Scaled" are coefficients times their binomials: then products are convolutions.
 *
 * Rounding changes D times a loss by less than 1e-12, and SLACK allows for that.  A coefficient has
 * up to 150 roundings of 2^-53, and its terms are positive but for some that are D^2 times smaller.
 * The quotient is dG(x) C(x) / (G(x) C(x + 1)) less dC(x) / C(x + 1), and neither is above 2.1
 * where no table is steeper than STEEP.
 */

#define N_SPLINE		DP_SPLINE_ORDER
#define DEGREE		(3 * N_SPLINE - 2)	/* of the quotient */
#define CELLS		12		/* beyond A: from A + 9 on all is periodic */
#define ABREAST		4		/* cells at a time */
#define MARGIN		(CELLS + N_SPLINE + ABREAST)	/* and coefficients that these meet */
#define LOOKS		4096	/* halves, at most: tables of a forged plan may need many */

/* Weights of c(i +- 1), c(i +- 2) in a mean of five, for D = 2, 4 and more: found by searches. */
static const double mean[][2] = { { 0.172, -0.0156 }, { 0.1835, -0.0093 }, { 0.1918, -0.009 } };

static double
at_spline(const double *table, int64_t v)
{
	return table[v < 0 ? -v : v];
}

static double
more(double x, double y)
{
	return x > y ? x : y;
}

/* D times the probability that n uniforms from 0 .. D - 1 sum to s + D k, 0 <= s < D, k < n. */
/* From n to n + 1: z d/dz of both sides of ((1 - z^D) / (1 - z))^(n + 1). */
static void
spline_basis(double *w, unsigned n, double D, double s)
{
	unsigned i, k;
	double x, scale;

	for (w[0] = 1, i = 1; i < n; i++) {
		w[i] = 0;
		scale = 1 / (i * D);
		for (k = i + 1; k-- > 0; ) {
			x = s + D * k;
			w[k] = (x + i) * w[k];
			if (k > 0)
				w[k] += ((i + 1) * (D - 1) + 1 - x) * w[k - 1];
			w[k] *= scale;
		}
	}
}

/*
 * Cells as polynomials in s, scaled, from s = `from` on for D numbers: [k * n + j]. They hold from
 * 1 - n on, as what is left out then has a zero there.
 */
static void
pieces(double *w, unsigned n, double D, double from)
{
	unsigned i, j, k;
	double lo, hi, v, most;

	memset(w, 0, (size_t)n * n * sizeof *w);
	for (w[0] = 1, i = 1; i < n; i++)
		for (k = i + 1; k-- > 0; ) {
			lo = from + D * k;
			hi = lo + D - 1;
			most = (i + 1) * (D - 1) + 1;
			for (j = i + 1; j-- > 0; ) {
				v = (lo + i) * w[k * n + j];
				if (j > 0)
					v += (hi + i) * w[k * n + j - 1];
				if (k > 0)
					v += (most - lo) * w[(k - 1) * n + j];
				if (k > 0 && j > 0)
					v += (most - hi) * w[(k - 1) * n + j - 1];
				w[k * n + j] = v / (i * D);
			}
		}
}

struct search {
	double w[N_SPLINE * N_SPLINE], dw[(N_SPLINE - 1) *
	    (N_SPLINE - 1)];			/* pieces of G and dG, */
	double v[4 * N_SPLINE * N_SPLINE], dv[(2 * N_SPLINE - 1) * (2 *
	    N_SPLINE - 1)];	/* of C and dC */
	double g[2 * (DP_NORMTREE_REACH + MARGIN) + 1];		/* at v + zero */
	double c[2 * (DP_NORMTREE_REACH + MARGIN) + 1];
	double tilt[N_SPLINE];			/* e^(-e k) */
	int64_t zero;
	double D;
	unsigned looks;
	double small;			/* of the loss: what the search leaves */
	double best, worst;		/* what some step gains, and no step does */
};

static void
start(struct search *q, const double *g, const double *c, unsigned A, double fall)
{
	int64_t k;

	/* those that x, x + 1 of a cell meet are pieces of one cell each, a little to the left */
	pieces(q->w, N_SPLINE, q->D, -N_SPLINE / 2);
	pieces(q->dw, N_SPLINE - 1, q->D, 1 - N_SPLINE / 2);
	pieces(q->v, 2 * N_SPLINE, q->D, -N_SPLINE);
	pieces(q->dv, 2 * N_SPLINE - 1, q->D, 1 - N_SPLINE);
	q->zero = (int64_t)A + MARGIN;
	for (k = -q->zero; k <= q->zero; k++) {
		q->g[k + q->zero] = at_spline(g, k);
		q->c[k + q->zero] = at_spline(c, k);
	}
	for (q->tilt[0] = 1, k = 1; k < N_SPLINE; k++)
		q->tilt[k] = q->tilt[k - 1] * fall;
}

struct lanes {
	double at[ABREAST];
};

/* to = the sum of n coefficients times their pieces, of degree n - 1. */
DP_INLINE void
combine_spline(struct lanes *restrict to, const struct lanes *restrict a, const double *restrict w,
    unsigned n)
{
	unsigned j, k, i;

	memset(to, 0, n * sizeof *to);
	for (k = 0; k < n; k++)
		for (j = 0; j < n; j++)
			for (i = 0; i < ABREAST; i++)
				to[j].at[i] += a[k].at[i] * w[k * n + j];
}

/* to += x y, or -= it; of n and m coefficients. */
DP_INLINE void
multiply_spline(struct lanes *restrict to, const struct lanes *restrict x, unsigned n,
    const struct lanes *restrict y, unsigned m, const double sign)
{
	unsigned j, k, i;

	for (j = 0; j < n; j++)
		for (k = 0; k < m; k++)
			for (i = 0; i < ABREAST; i++)
				to[j + k].at[i] += sign * (x[j].at[i] * y[k].at[i]);
}

/* The scaled coefficients of the quotients of ABREAST cells from x = D m on. */
struct quotients {
	struct lanes up[DEGREE + 1], down[DEGREE + 1];
};

DP_INLINE void
set_quotients(const struct search *q, int64_t m, struct quotients *to)
{
	const double *g = q->g + q->zero + m + N_SPLINE / 2, *c = q->c + q->zero + m + N_SPLINE;
	struct lanes a[2 * N_SPLINE], G[N_SPLINE], dG[N_SPLINE - 1], C[2 * N_SPLINE], dC[2 *
	    N_SPLINE - 1];
	int k, i;

	for (k = 0; k < N_SPLINE; k++)
		for (i = 0; i < ABREAST; i++)
			a[k].at[i] = g[i - k] * q->tilt[k];
	combine_spline(G, a, q->w, N_SPLINE);
	for (k = 0; k < N_SPLINE - 1; k++)
		for (i = 0; i < ABREAST; i++)
			a[k].at[i] -= a[k + 1].at[i];
	combine_spline(dG, a, q->dw, N_SPLINE - 1);
	for (k = 0; k < 2 * N_SPLINE; k++)
		for (i = 0; i < ABREAST; i++)
			a[k].at[i] = c[i - k];
	combine_spline(C, a, q->v, 2 * N_SPLINE);
	for (k = 0; k < 2 * N_SPLINE - 1; k++)
		for (i = 0; i < ABREAST; i++)
			a[k].at[i] -= a[k + 1].at[i];
	combine_spline(dC, a, q->dv, 2 * N_SPLINE - 1);
	memset(to, 0, sizeof *to);
	multiply_spline(to->up, dG, N_SPLINE - 1, C, 2 * N_SPLINE, 1);
	multiply_spline(to->up, G, N_SPLINE, dC, 2 * N_SPLINE - 1, -1);
	for (k = DEGREE; k > 0; k--)	/* of a degree more */
		for (i = 0; i < ABREAST; i++)
			to->up[k].at[i] += to->up[k - 1].at[i];
	for (k = 0; k < 2 * N_SPLINE; k++)	/* C(x + 1) */
		for (i = 0; i < ABREAST; i++)
			C[k].at[i] += ((k < 2 * N_SPLINE - 1 ? dC[k].at[i] : 0) +
			    (k > 0 ? dC[k - 1].at[i] : 0)) / q->D;
	multiply_spline(to->down, G, N_SPLINE, C, 2 * N_SPLINE, 1);
}

/* True if no step of a cell gains more than that. */
DP_INLINE void
compare(const struct quotients *of, double most, bool *within)
{
	unsigned k, i;

	for (i = 0; i < ABREAST; i++)
		within[i] = true;
	for (k = 0; k <= DEGREE; k++)
		for (i = 0; i < ABREAST; i++)
			within[i] &= of->down[k].at[i] > 0 &&
			    of->up[k].at[i] <= most * of->down[k].at[i];
}

DP_VECTORS static void
cells(const struct search *q, int64_t m, struct quotients *of, bool *within)
{
	set_quotients(q, m, of);
	compare(of, q->best * (1 + q->small), within);
}

/* One cell's, or those of a part of it, not scaled. */
struct quotient {
	double up[DEGREE + 1], down[DEGREE + 1];
};

/* Coefficients from where it begins to t, 0 < t < 1, in `left`; the rest stay (de Casteljau). */
static void
halve(double *a, double *left, double t)
{
	unsigned i, j;

	for (j = 0; j <= DEGREE; j++) {
		left[j] = a[0];
		for (i = 0; i + j < DEGREE; i++)
			a[i] += t * (a[i + 1] - a[i]);
	}
}

/* Gain of the steps of a part of a cell, from one whole number on. */
static void
look(struct search *q, struct quotient *of, int64_t steps)
{
	const int64_t some = steps / 2;
	struct quotient left = { .up = { 0 }, .down = { 0 } };
	double most = 0;
	unsigned k;

	for (k = 0; k <= DEGREE; k++)
		if (k % DEGREE == 0 || steps > 1)
			most = more(most, of->down[k] > 0 ? of->up[k] / of->down[k] : INFINITY);
	if (of->down[0] > 0)
		q->best = more(q->best, of->up[0] / of->down[0]);
	if (of->down[DEGREE] > 0)
		q->best = more(q->best, of->up[DEGREE] / of->down[DEGREE]);
	if (steps <= 1 || most <= q->best * (1 + q->small) || q->looks == 0) {
		q->worst = more(q->worst, most);
		return;
	}
	q->looks--;
	halve(of->up, left.up, (double)some / (double)steps);
	halve(of->down, left.down, (double)some / (double)steps);
	look(q, &left, some);
	look(q, of, steps - some);
}

/* Of ABREAST cells from D m on. */
static void
look_at(struct search *q, int64_t m)
{
	struct quotients all;
	struct quotient one;
	bool within[ABREAST];
	unsigned i, k;
	double choose;

	cells(q, m, &all, within);
	for (i = 0; i < ABREAST; i++) {
		if (within[i])
			continue;
		for (choose = 1, k = 0; k <= DEGREE; k++) {
			one.up[k] = all.up[k].at[i] / choose;
			one.down[k] = all.down[k].at[i] / choose;
			choose *= (DEGREE - k) / (k + 1.);
		}
		look(q, &one, (int64_t)q->D - 1);
	}
}

double
dp_spline_loss(const double *g, const double *c, unsigned A, unsigned fine, double fall,
    double small)
{
	const int64_t end = (int64_t)A + CELLS;
	struct search q;
	double z;
	int64_t m;

	q.D = ldexp(1, (int)fine);
	q.looks = LOOKS;
	q.small = small;
	q.best = q.worst = 0;
	start(&q, g, c, A, fall);
	/* it is near the kink: what is found there saves time */
	look_at(&q, -ABREAST);
	look_at(&q, 0);
	for (m = -end; m < end; m += ABREAST)
		look_at(&q, m);
	/* D log(1 + z) <= D (z - z^2 / 2 + z^3 / 3) */
	q.worst = more(q.worst, q.best * (1 + q.small));
	z = q.worst / q.D;
	return q.worst < INFINITY ? z * (1 - z * (0.5 - z / 3)) : INFINITY;
}

void
dp_spline_smooth(double *c, unsigned A, unsigned last, double ratio, unsigned fine)
{
	/* cppcheck-suppress negativeIndex	// fine is 1 or more */
	const double *w = mean[(fine < 3 ? fine : 3) - 1], own = 1 - 2 * (w[0] + w[1]);
	double before[2] = { c[1], c[2] }, here;
	unsigned v;

	for (v = 0; v <= A; v++) {
		here = c[v];
		c[v] = own * here + w[0] * (before[0] + c[v + 1]) +
		    w[1] * (before[1] + c[v + 2]);
		before[1] = before[0];
		before[0] = here;
	}
	for (; v <= last; v++)
		c[v] = c[v - 1] * ratio;
}

double
dp_spline_residual(unsigned fine)
{
	return N_SPLINE * (ldexp(1, 2 * (int)fine) - 1) / 12;
}

/*
 * Noise of a finer grid, taken for a whole number of the tables'.
 */

#define N_REDRAW		DP_SPLINE_ORDER
#define FAR		DP_NORMTREE_FARTHER /* |P - D i| < N_REDRAW D / 2, |P - D Q| < N_REDRAW D */
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
	double w[N_REDRAW], v[2 * N_REDRAW];
	double xi[N_REDRAW], rho[2 * N_REDRAW];	/* xi over its variance */
};

static void
set_residue(struct residue *s, unsigned fine, int64_t P)
{
	const int64_t D = (int64_t)1 << fine, x = P + N_REDRAW / 2 * (D - 1), y = P + N_REDRAW *
	    (D - 1);
	const double unit = 1 / (double)D, spread = dp_spline_residual(fine) * unit * unit;
	int64_t k;

	s->i = x >> fine;
	s->Q = y >> fine;
	spline_basis(s->w, N_REDRAW, (double)D, (double)(x & (D - 1)));
	spline_basis(s->v, 2 * N_REDRAW, (double)D, (double)(y & (D - 1)));
	for (k = 0; k < N_REDRAW; k++)
		s->xi[k] = ((double)P * unit - (double)(s->i - k)) / spread;
	for (k = 0; k < 2 * N_REDRAW; k++)
		s->rho[k] = (double)P * unit - (double)(s->Q - k);
}

/* The weights of P = D m + residue. */
static void
add_point(struct dp_normtree_redraw *r, const double *c, const struct residue *s, int64_t m,
    double part)
{
	double v[2 * N_REDRAW], all = 0, p;
	struct weights *to;
	int64_t j, k, Q;

	for (k = 0; k < 2 * N_REDRAW; k++)
		all += v[k] = s->v[k] * c[llabs(m + s->Q - k)];
	for (k = 0; k < 2 * N_REDRAW; k++) {
		Q = m + s->Q - k;
		if (Q < 0 || Q >= (int64_t)r->n + FAR)
			continue;
		for (j = 0; j < N_REDRAW; j++) {
			p = s->w[j] * v[k] * part / all;
			to = &r->w[Q][s->i - j - (s->Q - k) + FAR];
			to->of[0] += p;
			to->of[1] += p * s->xi[j];
			to->rest[0] += p * s->rho[k];
			to->rest[1] += p * s->rho[k] * s->xi[j];
		}
	}
}

static size_t
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
		for (m = -N_REDRAW; m < (int64_t)n + FAR + N_REDRAW; m++)
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

/*
 * Sums over the splits of a node, which planning takes most of its time for.
 */

/*
 * Error of an N', in parts of itself: below DP_NORMTREE_OFF where all reaches are A <= 600, and
 * where children's are shorter than A <= 400.  Its terms are positive; u is 2^-53, one rounding.
 *	beyond a reach	g goes from step to step: k u, and 2 k u as q is the rounded ratio of two.
 *			From A = 600 on 3 (2A + 2) u at last, 3 (A + 1) u up to 2A + 1; from a short
 *			reach on, A = 400, 3 (3A + 2) u and 3 (2A + 1) u: 3606 u and 2403 u at most
 *	P <= A		a term: two of these and two products, 2 3606 u + 2 u = 7214 u; a sum:
 *			fewer than 160 additions on the way of each, so 320 u, as the sums of both
 *			sides less t(0) are at least either; the tail's 1 - q^2: 2^9 u: less than
 *			8100 u, 9e-13
 *	the same, open	1 - fade: 2^9 u, the wedge's sum (A + 3) u: less than 1200 u
 *	P > A		a fold's term: both factors are P steps beyond their reaches together, at
 *			most, 2403 u; fewer than 200 additions.  A wedge's: g, 3 A u, a power, A u;
 *			(A + 3) additions, 2^9 u, times g(P), 2403 u: less than 5000 u
 * The terms left out sum to less than 2^-70 / (1 - q^2).
 */
size_t
dp_normtree_work(unsigned A)
{
	return (21 * (3 * (size_t)A + 3) + A + 1 + dp_normtree_redraw_size(2 * A + 1)) *
	    sizeof(double);
}

/* Takes n doubles of *at. */
static double *
take(double **at, size_t n)
{
	double *from = *at;

	*at += n;
	return from;
}

void
dp_normtree_start(struct work *w, unsigned A, unsigned fine, double *space)
{
	const size_t n = 3 * (size_t)A + 3;
	unsigned i;

	*w = (struct work){ .A = A, .last = 3 * A + 2, .fine = fine, .open = true, .alike = true,
	    .beyond.q = { 1, 1 }, .small = DP_SPLINE_SMALL };
	for (i = 0; i < 2; i++) {
		w->g[i] = take(&space, n);
		w->c[i] = take(&space, n);
		w->t[i] = take(&space, n);
		w->steep[i] = take(&space, n);
		w->flat[i] = take(&space, n);
		w->row.even[i] = take(&space, n);
		w->row.odd[i] = take(&space, n);
	}
	w->next = take(&space, n);
	w->m = take(&space, n);
	w->N = take(&space, n);
	w->node = (struct dp_normtree_pair){ take(&space, n), take(&space, n) };
	w->child = (struct dp_normtree_pair){ take(&space, n), take(&space, n) };
	w->k = take(&space, A + 1);
	w->redraw = (void *)space;
	for (i = 0; i <= w->last; i++)
		w->g[0][i] = w->c[0][i] = 1;
}

static unsigned
cap(const struct work *w, unsigned P)
{
	return w->open ? w->A : P < w->A ? w->A - P : 0;
}

#define ABREAST_LEVEL	4	/* sums that a machine adds side by side */
#define STRETCH	32

DP_INLINE double
both(const double s[static ABREAST_LEVEL])
{
	return s[0] + s[1] + (s[2] + s[3]);
}

/* Sum of n numbers. */
DP_INLINE double
total(const double *v, size_t n)
{
	double s[ABREAST_LEVEL] = { 0 };
	size_t i, l;

	for (i = 0; i + ABREAST_LEVEL <= n; i += ABREAST_LEVEL)
		for (l = 0; l < ABREAST_LEVEL; l++)
			s[l] += v[i + l];
	for (; i < n; i++)
		s[0] += v[i];
	return both(s);
}

#define FOUR(v)		(*(const dp_four *)(v))

/* STRETCH weights, a b k, or where k is NULL a b flat, and their sum, as total() has it. */
DP_INLINE double
stretch(double *restrict t, const double *restrict a, const double *restrict b,
    const double *restrict k, double flat)
{
	dp_four s = { 0 }, v;
	size_t i;

	for (i = 0; i < STRETCH; i += ABREAST_LEVEL) {
		v = FOUR(a + i) * FOUR(b + i);
		v *= k != NULL ? FOUR(k + i) : (dp_four){ flat, flat, flat, flat };
		*(dp_four *)(t + i) = v;
		s += v;
	}
	return s[0] + s[1] + (s[2] + s[3]);
}

#ifdef __clang__
#define BACKWARD(v)	__builtin_shufflevector(v, v, 3, 2, 1, 0)
#else
typedef long long order __attribute__((vector_size(32)));
#define BACKWARD(v)	__builtin_shuffle(v, (order){ 3, 2, 1, 0 })
#endif

/* n weights a[j] b[-j], and their sum, as total() has it. */
DP_INLINE double
between(double *restrict t, const double *restrict a, const double *restrict b, size_t n)
{
	dp_four s = { 0 }, v;
	size_t i;

	for (i = 0; i + ABREAST_LEVEL <= n; i += ABREAST_LEVEL) {
		v = FOUR(a + i) * BACKWARD(FOUR(b - i - 3));
		*(dp_four *)(t + i) = v;
		s += v;
	}
	for (; i < n; i++)
		s[0] += t[i] = a[i] * b[-(ptrdiff_t)i];
	return s[0] + s[1] + (s[2] + s[3]);
}

DP_VECTORS unsigned
dp_normtree_weights(const struct work *w, unsigned side, unsigned P, double nothing, double *sum)
{
	const size_t half = P / 2, end = w->open ? half + w->A : w->last - (P - half);
	const size_t edge = half + cap(w, P) < end ? half + cap(w, P) : end;
	const unsigned other = w->alike ? 0 : !side;
	const double *restrict a = w->g[w->alike ? 0 : side] + (P - half);
	const double *b = w->g[other] + half, *restrict k = w->k;
	double *restrict t = w->t[side], s, last = k[edge - half];
	size_t j, n, stop;

	s = between(t, a, b, half + 1);
	b = w->g[other] - half;
	k -= half;
	for (n = half + 1; n <= end && t[n - 1] > s * nothing; n = stop) {
		stop = n + STRETCH <= end ? n + STRETCH : end + 1;
		if (stop == n + STRETCH && (stop <= edge + 1 || n > edge)) {
			s += n > edge ? stretch(t + n, a + n, b + n, NULL, last) :
			    stretch(t + n, a + n, b + n, k + n, last);
			continue;
		}
		for (j = n; j < stop; j++)
			t[j] = a[j] * b[j] * (j <= edge ? k[j] : last);
		s += total(t + n, stop - n);
	}
	if (n > end && !w->open)	/* straight from there on, on both sides */
		s += t[end] * w->beyond.q[0] * w->beyond.q[1] /
		    (1 - w->beyond.q[0] * w->beyond.q[1]);
	*sum = s;
	return (unsigned)n;
}

/* The largest of n numbers, or 0. */
static DP_VECTORS double
largest(const double *v, unsigned n)
{
	double m[4] = { 0, 0, 0, 0 };
	unsigned i, k;

	for (i = 0; i + 4 <= n; i += 4)
		for (k = 0; k < 4; k++)
			m[k] = v[i + k] > m[k] ? v[i + k] : m[k];
	for (; i < n; i++)
		m[0] = v[i] > m[0] ? v[i] : m[0];
	m[0] = m[0] > m[1] ? m[0] : m[1];
	m[2] = m[2] > m[3] ? m[2] : m[3];
	return m[0] > m[2] ? m[0] : m[2];
}

#define TWICE	(2 * ABREAST_LEVEL)

/*
 * The sums of x[i] y[n - 1 - i], i < n, and of as many as n + 1: of products that a machine need
 * not add in turn, nor load twice.
 */
DP_INLINE void
fold(const double *restrict x, const double *restrict y, size_t n, double *restrict sum)
{
	double s[TWICE] = { 0 }, r[TWICE] = { 0 };
	size_t i, l;

	for (i = 0; i + TWICE <= n; i += TWICE)
		for (l = 0; l < TWICE; l++) {
			s[l] += x[i + l] * y[n - 1 - i - l];
			r[l] += x[i + l] * y[n - i - l];
		}
	if (i + TWICE == n + 1)
		for (l = 0; l < TWICE; l++)
			r[l] += x[i + l] * y[n - i - l];
	else
		for (l = i; l <= n; l++)
			r[0] += x[l] * y[n - l];
	for (; i < n; i++)
		s[0] += x[i] * y[n - 1 - i];
	sum[0] = both(s) + both(s + ABREAST_LEVEL);
	sum[1] = both(r) + both(r + ABREAST_LEVEL);
}

/*
 * k is 1 for all of these: N'(P) is the sum of g(a) h(P - a), h the other child's.  Where one of
 * them is negative the other is beyond A, and falls from one to the next: a wedge on either side.
 */
DP_VECTORS void
dp_normtree_weigh_beyond(const struct work *w)
{
	const double *g = w->g[0], *h = w->g[w->alike ? 0 : 1];
	const double q = w->beyond.q[0], r = w->beyond.q[w->alike ? 0 : 1];
	double left = 0, right = 0, fall[2] = { 1, 1 }, sum[2] = { 0 };
	size_t P, m;

	for (m = 1; m <= w->A; m++) {
		left += g[m] * (fall[0] *= r);
		right += h[m] * (fall[1] *= q);
	}
	left += g[w->A] * fall[0] * q * r / (1 - q * r);
	right += h[w->A] * fall[1] * q * r / (1 - q * r);
	for (P = w->A + 1, m = 0; P <= 2 * w->A + 1; P++, m ^= 1) {
		if (m == 0)
			fold(g, h, P + 1, sum);
		w->N[P] = sum[m] + left * h[P] + right * g[P];
	}
}

double
dp_normtree_both(const struct work *w, unsigned P, const double sum[2])
{
	if (w->open)
		return P + 1 + 2 * w->beyond.wedge;
	return sum[0] + sum[w->alike ? 0 : 1] - (P % 2 == 0 ? w->t[0][0] : 0);
}

/*
 * The first of n weights from which on all are down to `half'; n: none is.  They fall from t[peak]
 * on.  near: where to look first.
 */
static unsigned
first_half(const double *t, unsigned n, unsigned peak, double half, unsigned near)
{
	unsigned j = t[peak] <= half || near <= peak ? peak + 1 : near < n ? near : n;

	while (j < n && t[j] > half)
		j++;
	while (j > 1 && t[j - 1] <= half)
		j--;
	return j;
}

/*
 * The rows that splits are drawn by: of each size of a node an envelope above its weights.
 */

#define SURELY	(1 - 1e-11)	/* weights that fall so fall, whatever is rounded */
#define ROUNDED	1e-12		/* what doubles may hide of a weight: a row leaves so much */

static void
set_envelope(struct dp_normtree_row *r, unsigned S, double C)
{
	r->width = S;
	r->odd = -S % S;
	/* T stays below 1, whatever rounding did */
	r->inverse = dp_real_of((1 - ROUNDED) / C);
}

/* Of weights that fall so each time S come to less than half of the first, whatever is rounded. */
static double
halving(unsigned S)
{
	return 1 - 0.6932 / S;		/* log 2 is less */
}

/* Least factor by which a side's weights fall from the n-th on; they may rise as far as P / 2. */
static double
fall_after(const struct work *w, unsigned side, unsigned P, unsigned n)
{
	const unsigned half = P / 2;

	if (w->open)
		return n > half + w->A || n >= half + w->beyond.from ? w->beyond.fade : 1;
	if (n > w->last - (P - half))
		return w->beyond.q[0] * w->beyond.q[1];
	if (n <= half)
		return w->steep[w->alike ? 0 : side][P - half + n - 1] /
		    w->flat[w->alike ? 0 : !side][half - n];
	return w->steep[w->alike ? 0 : side][P - half + n - 1] *
	    (n > half + 1 ? w->steep[w->alike ? 0 : !side][n - half - 1] : 1);
}

/*
 * True if an envelope C 2^-floor(j / S), C >= all t[j] 2^floor(j / S), j < n, is above what follows
 * t[n - 1] and falls by `end` each time: at the next place where it halves, and from then on as
 * S of them come to a half or less.
 */
static bool
covered(const double *t, unsigned n, unsigned S, double end, double C)
{
	const unsigned blocks = (n - 1) / S + 1, next = blocks * S;
	double fall = end <= halving(S) ? 0 : 1, here = ldexp(t[n - 1], (int)blocks);
	unsigned i;

	for (i = n - 1; i < next && here > C; i++)
		here *= end;
	for (i = 0; i < S && fall > 0.5; i++)
		fall *= end;
	return fall <= 0.5 && here <= C;
}

/* The largest of a block of n weights: its first, where they surely fall, as beyond P / 2. */
static double
block_largest(const struct work *w, unsigned side, unsigned P, unsigned j, unsigned n)
{
	const double *t = w->t[side] + j;
	const unsigned half = P / 2;

	if (fall_after(w, side, P, j + 1) <= SURELY)
		return t[0];
	return largest(t, j > half || j + n <= half || fall_after(w, side, P, half + 1) > SURELY ?
	    n : half + 1 - j);
}

/* C of a trial's envelope 2^-floor(j / S) C: no block counts after one in which weights halve. */
static double
envelope(const struct work *w, unsigned side, unsigned P, unsigned n, unsigned S)
{
	const double enough = halving(S);
	double most = 0, scale = 1, block;
	unsigned j;

	for (j = 0; j < n; j += S, scale *= 2) {
		block = block_largest(w, side, P, j, n - j < S ? n - j : S);
		most = block * scale > most ? block * scale : most;
		if (fall_after(w, side, P, j + 1) <= enough)
			break;
	}
	return most;
}

/*
 * N' of P, and an envelope above the weights of both sides: the larger S, then the larger C.
 * near[]: each side's S of the P before.
 */
static int
enclose(const struct work *w, unsigned P, bool drawn, unsigned *near, unsigned *S, double *C)
{
	const unsigned sides = w->alike ? 1 : 2;
	unsigned n[2], side;
	double sum[2], half, here;

	for (side = 0; side < sides; side++)
		n[side] = dp_normtree_weights(w, side, P, DP_NORMTREE_NOTHING, &sum[side]);
	w->N[P] = dp_normtree_both(w, P, sum);
	if (!drawn)
		return 0;
	for (*S = 0, side = 0; side < sides; side++) {
		half = (w->alike ? w->t[0][0] : largest(w->t[side], P / 2 + 1)) / 2;
		near[side] = first_half(w->t[side], n[side], w->alike ? 0 : P / 2, half,
		    near[side]);
		*S = near[side] > *S ? near[side] : *S;
	}
	for (*C = 0, side = 0; side < sides; side++) {
		here = envelope(w, side, P, n[side], *S);
		*C = here > *C ? here : *C;
	}
	for (side = 0; side < sides; side++)
		if (!covered(w->t[side], n[side], *S, fall_after(w, side, P, n[side]),
		    *C))
			return DP_ERANGE;
	return 0;
}

/*
 * N' as far as A, and the rows, if they are kept.  C is raised until trials fail alike for all P
 * (Time).  DP_ERANGE: some row has no envelope.
 */
static int
set_rows(const struct work *w, enum dp_normtree_use use, struct dp_normtree_row *row)
{
	const bool kept = use != DP_NORMTREE_FIND && use != DP_NORMTREE_CERTIFY;
	double accept = 1, one, C = 0;
	unsigned P, S = 0, near[2] = { 0, 0 };

	for (P = 0; P <= w->A; P++) {
		if (enclose(w, P, use != DP_NORMTREE_FIND, near, &S, &C) != 0)
			return DP_ERANGE;
		if (!kept)
			continue;
		row[P].width = S;
		one = w->N[P] / (4 * (double)S * C);
		accept = one < accept ? one : accept;
	}
	for (P = 0; P <= w->A && kept; P++)
		set_envelope(&row[P], row[P].width,
		    w->N[P] / (4 * (double)row[P].width * accept));
	return 0;
}

/*
 * The tables of a tree, and what they lose.
 */

#define SLACK	DP_NORMTREE_SLACK
#define DRAWN	0x1p-38		/* what draws are off, on a finer grid: a level's loss of a move */
#define STEEP	0x1p-3		/* c(v + 1) / c(v), at least: 7 of them leave 43 of U's bits.
				 * And so is e^-e: then table.c's numbers are far from 0 */
#define FLAT	(1 - 0x1p-9)	/* no table falls more slowly beyond A */
#define LEAST	0x1p-1000	/* no table is below it: doubles are rounded evenly to 2^-1022 */

/*
 * exp(-x), 0 <= x <= 40, within 1e-12 of itself.  Additions, multiplications and divisions alone,
 * so that every machine finds the same.
 *
 * y <= 1/16, so from its ninth term on the sum stays as it is, which is above 0.93: 8 additions are
 * off by u / 2 each, u = 2^-53, and the terms by .2 u together, in all by 5 u of it.  A square
 * doubles that and adds one: r of them make it 6 u 2^r, and 2^r < 32 x: below 9e-13.
 */
static double
decay(double x)
{
	double y = x, term = 1, sum = 1;
	unsigned n, r = 0;

	for (; y > 0x1p-4; y /= 2)
		r++;
	for (n = 1; n < 16; n++)
		sum += term *= -y / n;
	for (; r > 0; r--)
		sum *= sum;
	return sum;
}

/* k of a level, from its share e. */
static void
set_fall(struct work *w, double e, double corner)
{
	double fall = 1, c = corner / e;
	unsigned y;

	/* level 1: less steep, as the parents' table is straight beyond A (certify_table()) */
	w->beyond.fade = decay(2 * e) * (w->open ? (w->A + 1.) / w->A * (1 + 1e-9) : 1);
	w->beyond.wedge = 0;
	w->beyond.from = c < w->A ? (unsigned)c + 2 : w->A + 1;
	for (y = 0; y <= w->A; y++) {
		if (y > c)
			fall *= y - c < 1 ? fmax(decay(2 * e * (y - c)), w->beyond.fade) :
			    w->beyond.fade;
		w->k[y] = fall;
		w->beyond.wedge += y > 0 ? fall : 0;
	}
	w->beyond.wedge += fall * w->beyond.fade / (1 - w->beyond.fade);
}

/* The parents' table: N' e^(-e P) as far as A, straight beyond. */
static void
set_parents(struct work *w, double e)
{
	const double q = decay(e);
	double x = 1 / w->N[0], last;
	unsigned P;

	for (P = 0; P <= w->A; P++, x *= q)
		w->next[P] = w->N[P] * x;
	last = w->next[w->A] / w->next[w->A - 1];
	for (; P <= w->last; P++)
		w->next[P] = w->next[P - 1] * last;
}

static double
ratio(const struct work *w, unsigned P)
{
	return w->next[P + 1] / w->next[P] * (w->N[P] / w->N[P + 1]);
}

/*
 * (3) of normtree.h: *loss is at least what the level loses, or DP_ERANGE.  w0 is the most that
 * ratio() is off q where P < A, so worst is w0 + SLACK.  What is off, in parts of itself: q by
 * OFF; N' by OFF (internal.h), so ratio(), two of them and three roundings, and up to four more of
 * what the tables' ratio beyond A is, by 2 OFF + 8 u; and what is drawn by SAMPLED; u is 2^-53.  As
 * -log(1 - w) <= w + w^2 for these w,
 *	P < A	-d(P) <= e + w0 + w0^2 + OFF + (2 OFF + 8 u) + SAMPLED, and a step of k, which
 *		is at most 2 (e + OFF) + FALL + 4 u, less e - w0 at least: d(P) + log(k / k) <=
 *		e + w0 + FALL + 3 OFF + (2 OFF + 8 u) + 4 u + SAMPLED
 *	P >= A	|d(P)| <= e + within + within^2 + OFF + (2 OFF + 8 u) + SAMPLED
 * and both are at most *loss, as these sums are below SLACK and BEYOND (t_normtree.c).
 */
static int
certify_table(const struct work *w, double e, double *loss)
{
	const double q = decay(e), A = w->A, least = w->open ? w->beyond.fade : q * q;
	const double slow = fmax(w->beyond.q[0], w->beyond.q[1]);
	double worst = SLACK, within, x;
	unsigned P, y;

	for (P = 0; P < w->A; P++)
		worst = fmax(worst, fabs(ratio(w, P) / q - 1) + SLACK);
	within = worst - DP_NORMTREE_BEYOND;
	for (y = 0; y < w->A; y++)
		if (w->k[y + 1] > w->k[y] || w->k[y + 1] < w->k[y] * least * (1 - DP_NORMTREE_FALL))
			return DP_ERANGE;
	if (w->open) {	/* x rises from where it is at A to the ratio of g; Y has no end */
		x = w->next[w->A + 1] / w->next[w->A];
		if (x * (A + 1 + 2 * w->beyond.wedge) <
		    q * (1 - within) * (A + 2 + 2 * w->beyond.wedge) ||
		    w->beyond.fade < q * q || x > w->beyond.fade / q)
			return DP_ERANGE;
	}
	/*
	 * From 2A on N' is q^P times a linear function, or a s^P + b f^P, s > f the two q: positive
	 * for all P, so a > 0 unless it is 0.  N'(P + 1) / N'(P) = s - (s - f) / (1 + (a / b)
	 * (s / f)^P) goes one way then, so x goes from that at 2A to g's ratio over the larger q.
	 */
	for (P = w->A; P <= 2 * w->A + 1 && !w->open; P++) {
		x = P <= 2 * w->A ? ratio(w, P) : w->next[P] / w->next[P - 1] / slow;
		if (x < q * (1 - within) || x > (1 - within) / q)
			return DP_ERANGE;
	}
	*loss = e + worst * (1 + worst);
	return 0;
}

/*
 * Falling, as draw.c's largest c needs it; and within a factor exp(DP_NORMTREE_BENT) of a log-
 * concave table, as draws beyond A do: one whose ratios are the largest of those that follow.
 * Where splits of two signs are no longer punished, near A, log N' bends a little the other way.
 */
static bool
concave(const double *g, unsigned A)
{
	double here, most = g[A + 1] / g[A], off = 0;
	unsigned v;

	for (v = A; v-- > 0; ) {
		here = g[v + 1] / g[v];
		if (here > 1 + 1e-13)
			return false;
		if (here < most)
			off += most / here - 1;
		else
			most = here;
	}
	return most <= 1 + 1e-13 && off <= DP_NORMTREE_BENT;
}

static struct dp_real *
store(struct dp_real *to, const double *v, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		to[i] = dp_real_of(v[i]);
	return to + n;
}

static double
ratio_beyond(const double *v, unsigned A)
{
	return v[A + 1] / v[A];
}

/* A table that is straight from A - 1 on, from where it lies. */
static void
unfold(double *to, const struct dp_real *from, unsigned A, unsigned last)
{
	double by;
	unsigned i;

	for (i = 0; i <= A; i++)
		to[i] = dp_real_double(from[i]);
	by = to[A] / to[A - 1];
	for (; i <= last; i++)
		to[i] = to[i - 1] * by;
}

/* A child's table: what is next after its own k and, on a finer grid, c. */
static const struct dp_real *
children(const struct dp_normtree *p, uint16_t kind)
{
	return kind == DP_NORMTREE_STEP ? p->held.memory :
	    p->level[kind].fall + (p->fine > 0 ? 2 : 1) * (p->shape.kind[kind].reach + (size_t)1);
}

/* A child's tables, which go on beyond A as they did when they were made. */
static void
load_side(struct work *w, const struct dp_normtree *p, const struct dp_real *g,
    unsigned kind, unsigned side)
{
	const unsigned A = p->shape.kind[kind].reach;
	unsigned i;

	if (w->fine == 0) {
		unfold(w->g[side], g, A, w->last);
		w->beyond.q[side] = ratio_beyond(w->g[side], A);
		return;
	}
	unfold(w->c[side], p->level[kind].own, A, w->last);
	w->beyond.q[side] = ratio_beyond(w->c[side], A);
	for (i = 0; i <= w->last; i++)
		w->g[side][i] = i <= A ? dp_real_double(g[i]) :
		    w->g[side][i - 1] * w->beyond.q[side];
}

/* The largest of the ratios from g(v + 1) / g(v) on, and the least up to it; one from A on. */
static void
set_steep(struct work *w, unsigned side, unsigned A)
{
	double *most = w->steep[side], *least = w->flat[side];
	const double *g = w->g[side];
	unsigned v;

	for (v = 0; v <= w->last; v++)
		most[v] = least[v] = v < A ? g[v + 1] / g[v] : w->beyond.q[side];
	for (v = 1; v <= w->last; v++)
		least[v] = least[v] < least[v - 1] ? least[v] : least[v - 1];
	for (v = w->last; v-- > 0; )
		most[v] = most[v] > most[v + 1] ? most[v] : most[v + 1];
}

static void
load(struct work *w, const struct dp_normtree *p, unsigned i)
{
	const uint16_t *child = p->shape.kind[i].child;
	unsigned j;

	w->open = child[0] == DP_NORMTREE_STEP;
	w->alike = child[0] == child[1];
	for (j = 0; j <= w->last && w->open; j++)
		w->g[0][j] = w->c[0][j] = 1;
	w->beyond.q[0] = w->beyond.q[1] = 1;
	if (w->open)
		return;
	load_side(w, p, children(p, child[0]), child[0], 0);
	w->beyond.q[1] = w->beyond.q[0];
	set_steep(w, 0, p->shape.kind[child[0]].reach);
	if (!w->alike) {
		load_side(w, p, children(p, child[1]), child[1], 1);
		set_steep(w, 1, p->shape.kind[child[1]].reach);
	}
}

/*
 * Cost of a potential of the nodes of w->g that moves by e, for a move of one grid unit; on a finer
 * grid one steeper than all tables costs more than there is.  A: from there on the table falls
 * evenly, and cells are alike; a step's does from 0 on.
 */
static double
cost(const struct work *w, unsigned A, unsigned side, double e)
{
	const double fall = decay(e);

	return w->fine == 0 ? e : fall < STEEP ? INFINITY :
	    dp_spline_loss(w->g[side], w->c[side], A, w->fine, fall, w->small) +
	    ldexp(SLACK, -(int)w->fine) + DRAWN;
}

/*
 * Assumptions of certify_table() on tables that a state's plan may make: no number of a table is
 * subnormal, nor is an N', the last of which is the least; and tables fall beyond A, so that 1 -
 * q^2 and 1 - fade are within 2^-44 of themselves.  Where a child's table goes on far beyond its
 * reach numbers may be lost, each by less than 2^-1060: too little for an N' to show.
 */
static bool
precise(const struct work *w)
{
	return w->next[w->A + 1] <= w->next[w->A] * FLAT &&
	    (w->open ? w->beyond.fade <= FLAT : w->N[2 * w->A + 1] >= LEAST) &&
	    w->next[w->A + 1] * w->next[w->A + 1] >= LEAST && w->next[w->last] >= LEAST;
}

/* The parents' table, and on a finer grid the smoothed one that is the next's children's. */
static int
keep_parents(struct work *w, struct dp_real *own, struct dp_real *g)
{
	const double q = ratio_beyond(w->next, w->A);

	w->bent = !concave(w->next, w->A);
	if (w->bent)
		return DP_ERANGE;
	if (w->fine > 0) {
		if (q < STEEP)
			return DP_ERANGE;
		(void)store(own, w->next, w->A + 1);
		dp_spline_smooth(w->next, w->A, w->last, q, w->fine);
		w->bent = !concave(w->next, w->A);
		if (w->bent)
			return DP_ERANGE;
	}
	(void)store(g, w->next, w->A + 1);
	return 0;
}

/* Numbers for draws and sums, where the tables are. */
static void
keep_level(struct dp_normtree *p, const struct work *w, unsigned i, struct dp_normtree_spot *at)
{
	const struct dp_normtree_kind *k = &p->shape.kind[i];
	struct dp_normtree_level *v = &p->level[i];
	unsigned side;

	for (side = 0; side < 2; side++) {
		v->child[side] = children(p, k->child[side]);
		v->reach[side] = w->open ? w->A : p->shape.kind[k->child[side]].reach;
		v->beyond[side] = dp_real_of(w->beyond.q[side]);
	}
	v->A = w->A;
	v->fall = at->to;
	v->own = at->to + w->A + 1;
	v->row = at->row;
	v->fade = dp_real_of(w->beyond.fade);
	v->open = w->open;
	v->past = dp_real_of(ratio_beyond(w->next, w->A));
}

int
dp_normtree_set_level(struct dp_normtree *p, struct work *w, unsigned i, double rate,
    enum dp_normtree_use use, double *loss, struct dp_normtree_spot *at)
{
	const struct dp_normtree_kind *k = &p->shape.kind[i];
	struct dp_real *own;
	double one, on;
	unsigned side;
	int e;

	w->A = k->reach;
	w->last = 3 * w->A + 2;
	load(w, p, i);
	set_fall(w, k->share * rate, k->corner);
	if ((e = set_rows(w, use, at->row)) != 0)
		return e;
	if (!w->open)
		dp_normtree_weigh_beyond(w);
	set_parents(w, k->share * rate);
	if (!precise(w))
		return DP_ERANGE;
	if ((e = certify_table(w, k->share * rate, &one)) != 0)
		return e;
	for (loss[i] = 0, side = 0; side < (w->alike ? 1 : 2) && use != DP_NORMTREE_AGAIN; side++) {
		on = w->open ? cost(w, 0, 0, one) : loss[k->child[side]] +
		    cost(w, p->shape.kind[k->child[side]].reach, side, one);
		loss[i] = on > loss[i] ? on : loss[i];
	}
	keep_level(p, w, i, at);
	own = store(at->to, w->k, w->A + 1);
	at->to = own + (p->fine > 0 ? 2 : 1) * ((size_t)w->A + 1);
	if (at->row != NULL)		/* rows are not kept where nothing is drawn */
		at->row += w->A + 1;
	return keep_parents(w, own, at->to - (w->A + 1));
}

const struct dp_real *
dp_normtree_root_table(const struct dp_normtree *p)
{
	return children(p, (uint16_t)(p->shape.kinds - 1));
}

/* The root's law, as it is drawn from. */
static void
set_sizes(const struct dp_normtree *p, struct work *w)
{
	const double by = dp_real_double(p->beyond);
	unsigned v;

	for (v = 0; v <= w->last; v++)
		w->m[v] = v <= p->A ? dp_real_double(p->root[v]) : w->m[v - 1] * by;
}

void
dp_normtree_root_sizes(const struct dp_normtree *p, struct work *w)
{
	double sum = 0;
	unsigned v;

	set_sizes(p, w);
	for (v = 0; v <= w->last; v++)
		sum += v == 0 ? w->m[v] : 2 * w->m[v];
	for (v = 0; v <= w->last; v++)
		w->m[v] *= (v == 0 ? 1 : 2) / sum;
}

int
dp_normtree_set_root(struct dp_normtree *p, struct work *w, double e, double loss)
{
	struct dp_real *to = (void *)(uintptr_t)dp_normtree_root_table(p);
	const double q = decay(e);
	double x = 1, C;
	unsigned v, S;

	w->A = p->A;
	w->last = 3 * w->A + 2;
	load_side(w, p, to, p->shape.kinds - 1, 0);
	for (v = 0; v <= w->A + 1; v++, x *= q)
		w->m[v] = w->g[0][v] * x;
	if (w->m[w->A + 1] < LEAST)
		return DP_ERANGE;
	p->root = to;
	(void)store(to, w->m, w->A + 1);
	p->beyond = dp_real_of(w->m[w->A + 1] / w->m[w->A]);
	set_sizes(p, w);
	S = first_half(w->m, w->last, 0, w->m[0] / 2, 0);
	for (C = 0, v = 0, x = 1; v < w->last; v += S, x *= 2)
		C = fmax(C, x * largest(w->m + v, w->last - v < S ? w->last - v : S));
	if (!covered(w->m, w->last, S, w->m[w->A + 1] / w->m[w->A], C))
		return DP_ERANGE;
	p->loss = loss + cost(w, w->A, 0, e + SLACK);
	set_envelope(&p->start, S, C);
	return 0;
}
