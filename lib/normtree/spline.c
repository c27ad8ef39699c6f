/*
 * spline.c - the loss of tables on a finer grid.
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
 * Rounding is below 1e-12 of a loss times D, and table.c allows SLACK for it: up to 150 roundings
 * of 2^-53 in a coefficient, whose terms are positive but for what is D^2 times smaller; a quotient
 * is a difference of two, neither of which is above 2.1 where no table is steeper than STEEP.
 */
#include <math.h>
#include <stdlib.h>

#include "spline.h"

#define N		DP_SPLINE_ORDER
#define DEGREE		(3 * N - 2)	/* of the quotient */
#define SMALL		0x1p-20		/* of the loss: what its search leaves */
#define CELLS		12		/* beyond A: from A + 9 on all is periodic */
#define ABREAST		4		/* cells at a time */
#define MARGIN		(CELLS + N + ABREAST)	/* and coefficients that these meet */
#define LOOKS		4096		/* halves, at most: tables of a forged plan may need many */

/* Weights of c(i +- 1), c(i +- 2) in a mean of five, for D = 2, 4 and more: found by searches. */
static const double mean[][2] = { { 0.172, -0.0156 }, { 0.1835, -0.0093 }, { 0.1918, -0.009 } };

static double
at(const double *table, int64_t v)
{
	return table[v < 0 ? -v : v];
}

static double
more(double x, double y)
{
	return x > y ? x : y;
}

/* From n to n + 1: z d/dz of both sides of ((1 - z^D) / (1 - z))^(n + 1). */
void
dp_spline_basis(double *w, unsigned n, double D, double s)
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
	double w[N * N], dw[(N - 1) * (N - 1)];			/* pieces of G and dG, */
	double v[4 * N * N], dv[(2 * N - 1) * (2 * N - 1)];	/* of C and dC */
	double g[2 * (DP_NORMTREE_REACH + MARGIN) + 1];		/* at v + zero */
	double c[2 * (DP_NORMTREE_REACH + MARGIN) + 1];
	double tilt[N];			/* e^(-e k) */
	int64_t zero;
	double D;
	unsigned looks;
	double best, worst;		/* what some step gains, and no step does */
};

static void
start(struct search *q, const double *g, const double *c, unsigned A, double fall)
{
	int64_t k;

	/* those that x, x + 1 of a cell meet are pieces of one cell each, a little to the left */
	pieces(q->w, N, q->D, -N / 2);
	pieces(q->dw, N - 1, q->D, 1 - N / 2);
	pieces(q->v, 2 * N, q->D, -N);
	pieces(q->dv, 2 * N - 1, q->D, 1 - N);
	q->zero = (int64_t)A + MARGIN;
	for (k = -q->zero; k <= q->zero; k++) {
		q->g[k + q->zero] = at(g, k);
		q->c[k + q->zero] = at(c, k);
	}
	for (q->tilt[0] = 1, k = 1; k < N; k++)
		q->tilt[k] = q->tilt[k - 1] * fall;
}

struct lanes {
	double at[ABREAST];
};

/* to = the sum of n coefficients times their pieces, of degree n - 1. */
DP_INLINE void
combine(struct lanes *restrict to, const struct lanes *restrict a, const double *restrict w,
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
multiply(struct lanes *restrict to, const struct lanes *restrict x, unsigned n,
    const struct lanes *restrict y, unsigned m, const double sign)
{
	unsigned j, k, i;

	for (j = 0; j < n; j++)
		for (k = 0; k < m; k++)
			for (i = 0; i < ABREAST; i++)
				to[j + k].at[i] += sign * (x[j].at[i] * y[k].at[i]);
}

/* The scaled coefficients of the quotients of so many cells from x = D m on. */
struct quotients {
	struct lanes up[DEGREE + 1], down[DEGREE + 1];
};

DP_INLINE void
set_quotients(const struct search *q, int64_t m, struct quotients *to)
{
	const double *g = q->g + q->zero + m + N / 2, *c = q->c + q->zero + m + N;
	struct lanes a[2 * N], G[N], dG[N - 1], C[2 * N], dC[2 * N - 1];
	int k, i;

	for (k = 0; k < N; k++)
		for (i = 0; i < ABREAST; i++)
			a[k].at[i] = g[i - k] * q->tilt[k];
	combine(G, a, q->w, N);
	for (k = 0; k < N - 1; k++)
		for (i = 0; i < ABREAST; i++)
			a[k].at[i] -= a[k + 1].at[i];
	combine(dG, a, q->dw, N - 1);
	for (k = 0; k < 2 * N; k++)
		for (i = 0; i < ABREAST; i++)
			a[k].at[i] = c[i - k];
	combine(C, a, q->v, 2 * N);
	for (k = 0; k < 2 * N - 1; k++)
		for (i = 0; i < ABREAST; i++)
			a[k].at[i] -= a[k + 1].at[i];
	combine(dC, a, q->dv, 2 * N - 1);
	memset(to, 0, sizeof *to);
	multiply(to->up, dG, N - 1, C, 2 * N, 1);
	multiply(to->up, G, N, dC, 2 * N - 1, -1);
	for (k = DEGREE; k > 0; k--)	/* of a degree more */
		for (i = 0; i < ABREAST; i++)
			to->up[k].at[i] += to->up[k - 1].at[i];
	for (k = 0; k < 2 * N; k++)	/* C(x + 1) */
		for (i = 0; i < ABREAST; i++)
			C[k].at[i] += ((k < 2 * N - 1 ? dC[k].at[i] : 0) +
			    (k > 0 ? dC[k - 1].at[i] : 0)) / q->D;
	multiply(to->down, G, N, C, 2 * N, 1);
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
	compare(of, q->best * (1 + SMALL), within);
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

/* Gain of the steps of a part of a cell, from one whole number to another, so many on. */
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
	if (steps <= 1 || most <= q->best * (1 + SMALL) || q->looks == 0) {
		q->worst = more(q->worst, most);
		return;
	}
	q->looks--;
	halve(of->up, left.up, (double)some / (double)steps);
	halve(of->down, left.down, (double)some / (double)steps);
	look(q, &left, some);
	look(q, of, steps - some);
}

/* Number of cells. */
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
dp_spline_loss(const double *g, const double *c, unsigned A, unsigned fine, double fall)
{
	struct search q = { .D = ldexp(1, (int)fine), .looks = LOOKS };
	const int64_t end = (int64_t)A + CELLS;
	double z;
	int64_t m;

	start(&q, g, c, A, fall);
	/* it is near the kink: what is found there saves time */
	look_at(&q, -ABREAST);
	look_at(&q, 0);
	for (m = -end; m < end; m += ABREAST)
		look_at(&q, m);
	/* D log(1 + z) <= D (z - z^2 / 2 + z^3 / 3) */
	q.worst = more(q.worst, q.best * (1 + SMALL));
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
	return N * (ldexp(1, 2 * (int)fine) - 1) / 12;
}
