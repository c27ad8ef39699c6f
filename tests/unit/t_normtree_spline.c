/* SPDX-License-Identifier: ISC */
/*
 * t_normtree_spline.c - the norm tree on a grid finer than its tables, by what its header says
 * (SPLINES), from the tables alone.
 *
 * loss     every point of trees of 2 and of 4 steps, within a box that reaches beyond the tables,
 *          against its neighbours, a unit away: the largest change of log p is at most what is
 *          certified, and above 0.95 of it; farther neighbours are as many units away
 * lambda   of tables with kinks, even and falling, what every x loses, from sums of uniforms: at
 *          most what dp_spline_loss() tells, and hardly less
 * errors   variances against sums over all points, where e is so large that what is left out of the
 *          law of a child shows: .4 % of its split's variance
 * refused  tables that draws have not the law of: c falls too steeply for 64 bits; c(1) > c(0)
 * targets  an error at most 3 % above that on the tables' own grid
 */
#include <stdio.h>

#include "mech.h"
#include "normtree/internal.h"
#include "normtree_law.h"

#define BOX	280

/* log p of a split of P, P = -BOX .. BOX, into a = -BOX .. BOX and the rest; of the root */
static double split[3][2 * BOX + 1][2 * BOX + 1], root[4 * BOX + 1];

/* uniforms(), total() and the like are slow: logarithms of each part, by coarse places. */
static void
take_logs(const struct dp_normtree *p)
{
	const int64_t D = (int64_t)1 << p->fine, most = BOX / D + 9;
	const int64_t n = 2 * most + 1;
	long double *tau = calloc((size_t)(n * n), sizeof *tau), s, C[2 * BOX + 1], *N, one;
	long double beta[8 * FINEST + 1];
	int64_t a, P, i, j, x, y;
	unsigned l;

	N = calloc((size_t)(2 * n), sizeof *N);
	if (tau == NULL || N == NULL)
		abort();
	for (x = -4 * FINEST; x <= 4 * FINEST; x++)
		beta[x + 4 * FINEST] = uniforms((unsigned)D, 4, x);
	for (P = -2 * BOX; P <= 2 * BOX; P++)
		root[P + 2 * BOX] = (double)logl(fine_root(p, P));
	for (l = 1; l <= p->h; l++) {
		for (i = 0; i < 2 * n; i++)
			N[i] = own(p, l - 1, i) / total(p, l - 1, i);
		for (i = -most; i <= most; i++)
			for (j = -most; j <= most; j++)
				tau[(i + most) * n + j + most] = weight(p, l - 1, i, j) *
				    N[llabs(i + j)];
		for (P = -BOX; P <= BOX; P++)
			C[P + BOX] = spread(p, l - 1, P);
		for (P = -BOX; P <= BOX; P++)
			for (a = -BOX; a <= BOX; a++) {
				x = floor_to(a, D);
				y = floor_to(P - a, D);
				split[l][P + BOX][a + BOX] = NAN;
				if (llabs(P - a) > BOX)
					continue;
				for (s = 0, i = x - 3; i <= x + 3; i++)
					for (j = y - 3; j <= y + 3; j++) {
						one = beta[a - D * i + 4 * FINEST] *
						    beta[P - a - D * j + 4 * FINEST];
						s += one * tau[(i + most) * n + j + most];
					}
				split[l][P + BOX][a + BOX] = (double)logl(s / C[P + BOX]);
			}
	}
	free(tau);
	free(N);
}

#define SPLIT(l, P, a)	split[l][(P) + BOX][(a) + BOX]
#define ROOT(P)		root[(P) + 2 * BOX]

/*
 * One step of the first half up by one moves (a, b) of the lower level and, by P = a + b, what is
 * above: the loss of both is the sum.
 */
static double
worst(const struct dp_normtree *p)
{
	const int64_t half = BOX / 2 - 1;
	double low[2], up, high, most = 0;
	int64_t a, c, P;

	for (P = -half; P < half; P++) {
		low[0] = INFINITY, low[1] = -INFINITY;
		for (a = -half; a < half; a++) {
			up = SPLIT(1, P + 1, a + 1) - SPLIT(1, P, a);
			low[0] = fmin(low[0], up);
			low[1] = fmax(low[1], up);
		}
		for (c = -half; c <= (p->h == 2 ? half : -half); c++) {
			high = p->h == 1 ? ROOT(P + 1) - ROOT(P) : SPLIT(2, P + 1 + c, P + 1) -
			    SPLIT(2, P + c, P) + ROOT(P + 1 + c) - ROOT(P + c);
			most = fmax(most, fmax(fabs(high + low[0]), fabs(high + low[1])));
		}
	}
	return most;
}

/* The tables of 2^h steps, with that part of the rate for e. */
static bool
tree(struct dp_normtree *p, unsigned h, double rate, double part)
{
	struct dp_normtree_shape s;
	unsigned l;
	int e;

	dp_normtree_shape(&s, h);
	for (l = 0; l < h; l++)
		s.kind[l].share *= part;
	s.root *= part;
	check((e = dp_normtree_set(p, &s, rate, DP_NORMTREE_DRAW)) == 0);
	if (e == 0)
		take_logs(p);
	return e == 0;
}

static void
loss(unsigned h, unsigned fine, double rate)
{
	struct dp_normtree p = { .A = 26, .fine = fine };
	double most;

	if (tree(&p, h, rate, 0.95)) {
		most = worst(&p);
		check(most <= p.loss + 1e-11 && most > 0.95 * p.loss && p.loss <= rate);
		if (most > p.loss + 1e-11 || most <= 0.95 * p.loss)
			printf("h %u, D %d: %.9g of %.9g\n", h, 1 << fine, most, p.loss);
	}
	dp_normtree_release(p.held.memory);
}

/* The law of n uniforms from 0 .. D - 1, from their least sum on. */
static void
add_uniforms(long double *p, unsigned n, unsigned D)
{
	unsigned i, k, d;

	for (p[0] = 1, k = 1; k <= 8 * D; k++)
		p[k] = 0;
	for (i = 0; i < n; i++)
		for (k = 8 * D + 1; k-- > 0; p[k] /= D)
			for (d = 1; d < D && d <= k; d++)
				p[k] += p[k - d];
}

/* The sum of e^(e i) table[|i|] times that law at x - D i, its mean 0. */
static long double
spline_at(const double *table, const long double *p, unsigned n, int64_t D, double e, int64_t x)
{
	const int64_t y = x + n * (D - 1) / 2;
	long double s = 0;
	int64_t k;

	for (k = floor_to(y, D); y - D * k <= n * (D - 1); k--)
		s += expl((long double)e * (long double)k) * table[llabs(k)] * p[y - D * k];
	return s;
}

/*
 * Where c falls by e^-right a number, and from `kink` to A by half as much again; g its means of
 * five.
 */
static void
lambda(unsigned A, unsigned fine, double e, double right, double kink)
{
	const unsigned last = 3 * A + 2;
	const int64_t D = 1 << fine;
	double g[3 * 60 + 3], c[3 * 60 + 3], told;
	long double four[8 * 64 + 1], eight[8 * 64 + 1], u, before = 0, most = 0;
	bool few;
	int64_t x;
	unsigned v;

	for (v = 0; v <= last; v++)
		c[v] = exp(-right * v - (v > kink && v < A ? .5 * right * (v - kink) : 0) -
		    (v >= A ? .5 * right * (A - kink) : 0));
	memcpy(g, c, sizeof g);
	dp_spline_smooth(g, A, last, c[A + 1] / c[A], fine);
	add_uniforms(four, 4, (unsigned)D);
	add_uniforms(eight, 8, (unsigned)D);
	for (x = -D * (A + 12); x <= D * (A + 12); x++, before = u) {
		u = logl(spline_at(g, four, 4, D, e, x)) - logl(spline_at(c, eight, 8, D, 0, x));
		if (x > -D * (A + 12))
			most = fmaxl(most, u - before);
	}
	told = dp_spline_loss(g, c, A, fine, exp(-e), DP_SPLINE_SMALL);
	few = told >= most - 1e-13L && told <= most * (1 + 2e-6L + most * most * most / 3);
	check(few);
	if (!few)
		printf("A %u, D %d, e %g: %.12g, and %.12Lg is lost\n", A, (int)D, e, told, most);
}

/* From the law of a node's noise, its variance, that of its split, and the law of a child's. */
static double
descend(unsigned l, const double *law, double *split_variance, double *child)
{
	double v = 0, q;
	int64_t P, a;

	*split_variance = 0;
	for (a = -BOX; a <= BOX; a++)
		child[a + BOX] = 0;
	for (P = -BOX; P <= BOX; P++) {
		v += law[P + BOX] * (double)(P * P);
		for (a = -BOX; a <= BOX; a++)
			if (!isnan(SPLIT(l, P, a))) {
				q = law[P + BOX] * exp(SPLIT(l, P, a));
				*split_variance += q * pow((double)a - (double)P / 2, 2);
				child[a + BOX] += q;
			}
	}
	return v;
}

static void
errors(unsigned h, unsigned fine)
{
	struct dp_normtree p = { .A = 20, .fine = fine };
	double law[2][2 * BOX + 1], sum = 0, v, s;
	int64_t P;
	unsigned l;

	if (tree(&p, h, ldexp(1.6, -(int)fine), 0.7) && dp_normtree_know(&p)) {
		for (P = -BOX; P <= BOX; P++)
			sum += law[0][P + BOX] = exp(ROOT(P));
		for (P = -BOX; P <= BOX; P++)
			law[0][P + BOX] /= sum;
		for (l = h; l > 0; l--) {
			v = descend(l, law[(h - l) % 2], &s, law[(h - l + 1) % 2]);
			check(fabs(v / p.moments.var[l] - 1) < 1e-3);
			check(fabs(s / p.moments.split[l - 1] - 1) < (l == h ? 1e-3 : 5e-3));
		}
	}
	dp_normtree_release(p.held.memory);
}

/*
 * What it must reach: an error in units of l1 at most 3 % above that of the mechanism on the
 * tables' own grid.
 */
static void
targets(uint64_t T)
{
	static const uint64_t l1[] = {	/* 2: on their own */
		2, 4, 5, 6, 7, 9, 11, 3333, 1000000
	};
	const double limit = 1.03;
	struct dp_error e, first = { .max = 0 };
	struct dp_mech_rule s;
	struct dp_mech *m;
	double unit;
	unsigned i;

	for (i = 0; i < sizeof l1 / sizeof l1[0]; i++) {
		s = setting(T, 1, 1, l1[i]);
		unit = (double)l1[i] * (double)l1[i];
		if ((m = make("normtree", &s)) == NULL) {
			fail("not eligible");
			continue;
		}
		dp_mech_error(m, T == 0 ? 1 << 20 : T, &e);
		dp_mech_free(m);
		e.max = sqrt(e.max / unit);
		e.mean = sqrt(e.mean / unit);
		if (i == 0)
			first = e;
		check(e.max / first.max <= limit);
		check(e.mean / first.mean <= limit);
		if (e.max / first.max > limit || e.mean / first.mean > limit)
			printf("T %g, l1 %g: %g %g\n", (double)T, (double)l1[i],
			    e.max / first.max, e.mean / first.mean);
	}
}

/* Shares and corners as a forged state may have them. */
static int
forged(unsigned h, unsigned fine, double rate, double share, double corner)
{
	struct dp_normtree_shape shape;
	struct dp_normtree p = { .A = 16, .fine = fine };
	unsigned l;
	int e;

	dp_normtree_shape(&shape, h);
	for (l = 0; l < h; l++) {
		shape.kind[l].share = l == 0 ? 0.8 / (h + 1) : share;
		shape.kind[l].corner = corner;
	}
	shape.root = share;
	e = dp_normtree_set(&p, &shape, rate, DP_NORMTREE_DRAW);
	dp_normtree_release(p.held.memory);
	return e;
}

static void
refused(void)
{
	check(forged(1, 3, 0.25, 0.1, 0.1) == 0);
	check(forged(1, 3, 1, 0.1, 0.1) == DP_ERANGE);
	check(forged(2, 2, 0.0625, 0.2 / 3, 0.1) == 0);
	check(forged(2, 2, 0.0625, 0.2 / 3, 0.02) == DP_ERANGE);
	check(forged(1, 2, 1, 0.2, 0.1) == 0);
	check(forged(1, 2, 1.4, 0.2, 0.1) == DP_ERANGE);	/* by STEEP alone */
}

int
main(void)
{
	PART(refused());
	PART(loss(1, 1, 0.2));
	PART(loss(1, 2, 0.1));
	PART(loss(2, 1, 0.2));
	PART(loss(2, 2, 0.1));
	PART(lambda(40, 1, .1, .1, 12));
	PART(lambda(40, 2, .004, .2, 3.5));
	PART(lambda(40, 3, .3, .3, 7));
	PART(lambda(40, 4, 1, .02, 20));
	PART(lambda(12, 5, .05, 1.3, 2));
	PART(lambda(40, 6, .1, .15, 0));
	PART(errors(1, 1));
	PART(errors(2, 1));
	PART(errors(2, 2));
	PART(targets(33));
	PART(targets(65));
	PART(targets(84));
	PART(targets(1000));
	PART(targets(1 << 20));
	PART(targets(0));
	return done();
}
