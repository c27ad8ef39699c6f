/*
 * passage_window.c - how often the noise of a window can be expected to be at a height or above, in
 * an endless row of chains (passage.h).
 *
 * The noise of a window of W steps is the sum of independent ones: of the last m steps of a tree,
 * of q whole ones, and of the first i of the tree that the window ends in.  The last m steps of a
 * chain are as its first, reversed.  So what is asked for is the law of the noise of the first i
 * steps of a tree, for all i; from the root down, with B the noise before a node and P its own,
 * m(B, P) is the measure of both: that of the left child is sum over P of m(B, P) p(a | P), and of
 * the right one, with E = B + P, which stays, sum over P of m(E - P, P) p(b | P).
 * As all is even only rows B >= 0, or E >= 0, are found, and mirrored.
 *
 * All terms are positive.  What is left out (beyond `reach', rarer than was asked for) is what a
 * law's sum lacks of 1, and counts as reached, with what rounding may have added to that sum: at
 * each of its stages (a split a level, a convolution a tree) numbers are sums of `side' products at
 * most, of probabilities over sums of 3 `side' terms.  Draws are within exp(+-2^-40) of the tables'
 * law.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "passage.h"
#include "splits.h"

#define HIGH	24		/* heights beyond the last one asked for */
#define ROUNDED	1e-9

struct windows {
	const struct dp_normtree *p;
	ptrdiff_t reach, side;		/* side: 2 reach + 1, of a measure and a law */
	double rare;
	struct dp_normtree_splits *splits;	/* [level - 1] */
	/* [2 level]: a node's measure, at [(B or E) + reach][P + reach]; and room for one */
	double **m;
	double *law;			/* [i][y + reach]: of the first i steps, i = 0 .. 2^h */
	size_t done;			/* steps whose law is there */
};

static double *
law(const struct windows *q, size_t i)
{
	return q->law + i * (size_t)q->side;
}

/* to(r, a) = sum over P of from(r, P) p(a | P), r >= 0; the rest is the mirror's. */
static void
split(const struct windows *q, unsigned level, const double *from, double *to)
{
	const struct dp_normtree_splits *s = &q->splits[level - 1];
	const ptrdiff_t R = q->reach, n = q->side;
	ptrdiff_t r, P, a, low, high, half, spread;
	const double *p;
	double *out, one;

	memset(to, 0, (size_t)(n * n) * sizeof *to);
	for (r = 0; r <= R; r++) {
		out = to + (r + R) * n + R;
		for (P = -R; P <= R; P++) {
			if ((one = from[(r + R) * n + P + R]) < q->rare)
				continue;
			p = dp_normtree_split_of(s, (unsigned)llabs(P));
			half = llabs(P) / 2;
			spread = s->spread[llabs(P)] + 1;
			low = half - spread < -R ? -R : half - spread;
			high = half + spread > R ? R : half + spread;
			if (P >= 0)
				for (a = low; a <= high; a++)
					out[a] += one * p[a];
			else
				for (a = low; a <= high; a++)
					out[-a] += one * p[a];
		}
	}
	for (r = 1; r <= R; r++)
		for (a = -R; a <= R; a++)
			to[(R - r) * n + a + R] = to[(R + r) * n + R - a];
}

/* Rows B become rows B + P, or for sign -1 rows E become E - P. */
static void
shear(const struct windows *q, int sign, const double *from, double *to)
{
	const ptrdiff_t R = q->reach, n = q->side;
	ptrdiff_t r, P;

	memset(to, 0, (size_t)(n * n) * sizeof *to);
	for (r = -R; r <= R; r++)
		for (P = -R; P <= R; P++)
			if (r + sign * P >= -R && r + sign * P <= R)
				to[(r + sign * P + R) * n + P + R] = from[(r + R) * n + P + R];
}

/* The node whose measure is q->m[2 level]; q->m[2 level + 1] is room. */
static void
descend(struct windows *q, unsigned level)
{
	const ptrdiff_t R = q->reach, n = q->side;
	double *m = q->m[2 * level], *room = q->m[2 * level + 1], *to;
	ptrdiff_t r, P;

	if (level == 0) {
		to = law(q, ++q->done);
		for (r = -R; r <= R; r++)
			for (P = -R; P <= R; P++)
				if (r + P >= -R && r + P <= R)
					to[r + P + R] += m[(r + R) * n + P + R];
		return;
	}
	split(q, level, m, q->m[2 * level - 2]);
	descend(q, level - 1);
	shear(q, 1, m, room);
	split(q, level, room, m);
	shear(q, -1, m, q->m[2 * level - 2]);
	descend(q, level - 1);
}

static void
root(struct windows *q)
{
	const ptrdiff_t R = q->reach;
	double sum;
	const double *w = dp_normtree_root_weights(&q->splits[0], q->p, &sum);
	double *m = q->m[2 * q->p->h];
	ptrdiff_t P;

	memset(m, 0, (size_t)(q->side * q->side) * sizeof *m);
	for (P = -R; P <= R; P++)
		m[R * q->side + P + R] = w[llabs(P)] / sum;
	law(q, 0)[R] = 1;
}

static void
convolve(const struct windows *q, const double *a, const double *b, double *to)
{
	const ptrdiff_t R = q->reach;
	ptrdiff_t i, j;

	memset(to, 0, (size_t)q->side * sizeof *to);
	for (i = -R; i <= R; i++)
		for (j = -R; a[i + R] > 0 && j <= R; j++)
			if (i + j >= -R && i + j <= R)
				to[i + j + R] += a[i + R] * b[j + R];
}

/* P(noise >= x), x = 1 .. n, of the first i steps of a tree, of `whole' ones, and the last m. */
static void
window(const struct windows *q, size_t i, size_t m, uint64_t whole, unsigned n, double *tail,
    double *room)
{
	const size_t L = (size_t)1 << q->p->h;
	const ptrdiff_t R = q->reach;
	const double rounded = ldexp(4 * (double)(q->p->h + whole + 4) * (double)q->side, -53);
	double *sum = room, *next = room + q->side, *other, above = 0, all = 0;
	ptrdiff_t y;

	convolve(q, law(q, i), law(q, m), sum);
	for (; whole > 0; whole--) {
		convolve(q, sum, law(q, L), next);
		other = sum;
		sum = next;
		next = other;
	}
	for (y = -R; y <= R; y++)
		all += sum[y + R];
	all = fmax(1 - all, 0) + rounded;
	for (y = R; y >= 1; y--) {
		above += sum[y + R];
		if (y <= (ptrdiff_t)n)
			tail[y - 1] = fmin(above + all, 1);
	}
}

/* Steps t = 1 .. W + 2^h - 1, then those from W on again; W in a row, from each on. */
static int
slide(const struct windows *q, uint64_t W, unsigned n, double *tail)
{
	const size_t L = (size_t)1 << q->p->h, last = (size_t)W + L - 1;
	const double nodes = ldexp((double)(W / L + 2), (int)q->p->h + 1);
	double *of = malloc((last * n + 2 * (size_t)q->side) * sizeof *of), sum, most;
	size_t t, x, s;

	if (of == NULL)
		return DP_ENOMEM;
	for (t = 1; t <= last; t++) {
		const uint64_t rest = t < W ? t - t % L : W - t % L;

		window(q, t % L, t < W ? 0 : rest % L, rest / L, n, of + (t - 1) * n,
		    of + last * n);
	}
	for (x = 0; x < n; x++) {
		for (most = 0, s = 1; s <= last; s++) {
			for (sum = 0, t = s; t < s + W; t++)
				sum += of[(t <= last ? t - 1 : W - 1 + (t - W) % L) * n + x];
			most = fmax(most, sum);
		}
		tail[x] = fmin(most * (1 + ROUNDED + ldexp(nodes, -39)), 1);
	}
	free(of);
	return 0;
}

static size_t
doubles(const struct windows *q)
{
	const size_t side = (size_t)q->side, h = q->p->h;

	return 2 * (h + 1) * side * side + (((size_t)1 << h) + 1) * side +
	    h * (dp_normtree_splits_size((unsigned)q->reach) / sizeof(double) + 1);
}

int
dp_normtree_passage_windows(const struct dp_normtree *p, uint64_t W, double rare, unsigned n,
    double *tail)
{
	struct dp_normtree_splits splits[DP_NORMTREE_LEVELS];
	double *m[2 * (DP_NORMTREE_LEVELS + 1)], *at;
	struct windows q = { .p = p, .rare = rare, .splits = splits, .m = m };
	unsigned i;
	int e;

	if (p->exact || p->fine != 0 || p->unit != 1 || !p->shape.chain || n == 0 ||
	    W < (uint64_t)1 << p->h)
		return DP_EINVAL;
	q.reach = p->A > n + HIGH ? p->A : n + HIGH;
	q.side = 2 * q.reach + 1;
	if ((at = calloc(doubles(&q), sizeof *at)) == NULL)
		return DP_ENOMEM;
	q.law = at;
	at += (((size_t)1 << p->h) + 1) * (size_t)q.side;
	for (i = 0; i < 2 * (p->h + 1); i++, at += q.side * q.side)
		m[i] = at;
	for (i = 0; i < p->h; i++) {
		dp_normtree_splits_in(&splits[i], (unsigned)q.reach, at);
		at += dp_normtree_splits_size((unsigned)q.reach) / sizeof *at + 1;
		dp_normtree_set_splits(&splits[i], p, i, rare);
	}
	root(&q);
	descend(&q, p->h);
	e = slide(&q, W, n, tail);
	free(q.law);
	return e;
}
