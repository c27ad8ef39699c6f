/* SPDX-License-Identifier: ISC */
/*
 * normtree_law.h - the law of a norm tree by what its header says, from the tables alone, in long
 * double: e^-8000 is a number.  Of a chain, level l is kind l - 1.
 */
#ifndef TEST_NORMTREE_LAW_H
#define TEST_NORMTREE_LAW_H

#include <math.h>
#include <stdlib.h>

#include "normtree/normtree.h"

static inline long double
value(struct dp_real r)
{
	return ldexpl((long double)r.m, (int)r.x - 64);
}

/* q^n; those asked for last are kept, as the tests ask for few again and again. */
static inline long double
power(struct dp_real q, int64_t n)
{
	static struct {
		uint64_t m;
		int64_t x, n;
		long double power;
	} kept[1 << 14];
	const size_t i = (q.m * 0x9e3779b97f4a7c15u + (uint64_t)n * 0xd6e8feb86659fd93u) >> 50;

	if (kept[i].m != q.m || kept[i].x != q.x || kept[i].n != n) {
		kept[i].m = q.m;
		kept[i].x = q.x;
		kept[i].n = n;
		kept[i].power = powl(value(q), (long double)n);
	}
	return kept[i].power;
}

/* A table entry of an even function that is geometric from A on. */
static inline long double
entry(const struct dp_real *table, unsigned A, struct dp_real beyond, int64_t v)
{
	v = v < 0 ? -v : v;
	return v <= A ? value(table[v]) : value(table[A]) * power(beyond, v - A);
}

/* t(a, b) of the header: a is the left child's */
static inline long double
weight(const struct dp_normtree *p, unsigned kind, int64_t a, int64_t b)
{
	const struct dp_normtree_level *v = &p->level[kind];
	const int64_t P = llabs(a + b), A = v->A, x = llabs(a), z = llabs(b);
	int64_t y = (a < 0 && b > 0) || (a > 0 && b < 0) ? x < z ? x : z : 0;

	if (p->shape.kind[kind].level == 1)
		return entry(v->fall, v->A, v->fade, y);
	if (y > (P < A ? A - P : 0))
		y = P < A ? A - P : 0;
	return entry(v->child[0], v->reach[0], v->beyond[0], a) *
	    entry(v->child[1], v->reach[1], v->beyond[1], b) * value(v->fall[y]);
}

/* N(P), summed until nothing is added. */
static inline long double
total(const struct dp_normtree *p, unsigned kind, int64_t P)
{
	long double s = 0, both;
	int64_t j;

	P = llabs(P);
	for (j = 0; ; j++) {
		both = weight(p, kind, P - P / 2 + j, P / 2 - j);
		if (j > 0 || P % 2 != 0)
			both += weight(p, kind, P / 2 - j, P - P / 2 + j);
		s += both;
		if (2 * j > P && both <= s * 1e-19L)
			return s;
	}
}

/* ---- on a finer grid, D = 8 at most ---- */

#define FINEST	8

/* of n <= 8 uniforms from 0 .. D - 1, at x above their mean: by adding them up */
static inline long double
uniforms(unsigned D, unsigned n, int64_t x)
{
	static long double p[FINEST + 1][9][8 * FINEST];
	unsigned i, k, d;

	for (i = p[D][0][0] > 0 ? 9 : 0; i <= 8; i++)
		for (k = 0; k < 8 * FINEST; k++)
			if (i == 0)
				p[D][i][k] = k == 0;
			else
				for (d = 0; d < D && d <= k; d++)
					p[D][i][k] += p[D][i - 1][k - d] / D;
	x += n * (D - 1) / 2;
	return x < 0 || x > n * (D - 1) ? 0 : p[D][n][x];
}

static inline int64_t
floor_to(int64_t v, int64_t D)
{
	return v >= 0 ? v / D : -((-v + D - 1) / D);
}

static inline long double
own(const struct dp_normtree *p, unsigned kind, int64_t Q)
{
	return entry(p->level[kind].own, p->level[kind].A, p->level[kind].past, Q);
}

/* What P is split with: C(P). */
static inline long double
spread(const struct dp_normtree *p, unsigned kind, int64_t P)
{
	const int64_t D = (int64_t)1 << p->fine, Q = floor_to(P, D);
	long double s = 0;
	int64_t i;

	for (i = Q - 5; i <= Q + 5; i++)
		s += own(p, kind, i) * uniforms((unsigned)D, 8, P - D * i);
	return s;
}

/* The probability of a, where P is split. */
static inline long double
fine_split(const struct dp_normtree *p, unsigned kind, int64_t a, int64_t P)
{
	const int64_t D = (int64_t)1 << p->fine, b = P - a, x = floor_to(a, D), y = floor_to(b, D);
	long double s = 0, one;
	int64_t i, j;

	for (i = x - 3; i <= x + 3; i++)
		for (j = y - 3; j <= y + 3; j++) {
			one = uniforms((unsigned)D, 4, a - D * i) *
			    uniforms((unsigned)D, 4, b - D * j);
			if (one > 0)
				s += one * own(p, kind, i + j) * weight(p, kind, i, j) /
				    total(p, kind, i + j);
		}
	return s / spread(p, kind, P);
}

/* In proportion to the probability that the root's noise is P. */
static inline long double
fine_root(const struct dp_normtree *p, int64_t P)
{
	const int64_t D = (int64_t)1 << p->fine, x = floor_to(P, D);
	long double s = 0;
	int64_t i;

	for (i = x - 3; i <= x + 3; i++)
		s += entry(p->root, p->A, p->beyond, i) * uniforms((unsigned)D, 4, P - D * i);
	return s;
}

#endif
