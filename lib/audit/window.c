/*
 * window.c - how often the noise of windows over a row of trees may be at a height (passage.h).
 *
 * The noise of a window that ends with the first i steps of a tree is that of these, of whole
 * trees before it, and of the last m steps of one more, independent of each other; where both
 * halves of each node have one kind the last m steps are as the first, reversed.  The law of the
 * first i: from the root down, m(E, P) the measure of noise E before a node and P its own; its
 * left half has m(E, a) = sum over P of m(E, P) p(a | P), its right half, with S = E + P, which
 * stays, m(S - b, b) = sum over P of m(S - P, P) p(P - b | P).  All is even, so rows E >= 0, and S
 * >= 0, do.
 *
 * All terms are positive; a measure that is left out is added to what is lost, and counts as
 * reached.  Doubles are off by few factors 1 +- 2^-53 (split.h), which are made good at the end.
 */
#include <math.h>
#include <stdlib.h>

#include "passage.h"
#include "split.h"

#define WORK	0x1p37
#define ROOM	0x1p27
#define DEPTHS	24			/* p above 2^-4j lie between low[j] and high[j] */

struct windows {
	const struct audit_tree *t;
	struct audit_split s;
	long R, n;			/* n: 2 R + 1 */
	double rare, lost;
	double *room;			/* owned: two measures for each level, and all below */
	double *law;			/* [i n + y + R]: of the first i steps */
	double *root;
	double *before, *after;		/* n + 1: sums of p(a | P) before a, and from a on */
	long low[DEPTHS], high[DEPTHS];
	long done;
};

static double *
row(const struct windows *q, double *m, long r)
{
	return m + (r + q->R) * q->n + q->R;
}

/* Between which a p(a | P) is above 2^-4j, and its sums. */
static void
range(struct windows *q)
{
	const long R = q->R;
	double least = 1;
	long a, low, high;
	int j;

	q->before[0] = q->after[2 * R + 1] = 0;
	for (a = -R; a <= R; a++) {
		q->before[a + R + 1] = q->before[a + R] + q->s.p[a + R];
		q->after[R - a] = q->after[R - a + 1] + q->s.p[R - a];
	}
	for (j = 0; j < DEPTHS; j++, least /= 16) {
		for (low = -R; low <= R && q->s.p[low + R] <= least; low++)
			;
		for (high = R; high > low && q->s.p[high + R] <= least; high--)
			;
		q->low[j] = low;
		q->high[j] = low > R ? R : high;
	}
}

/*
 * Adds what one = m(E, P), P >= 0, gives to a = low .. high of the left half, or of the right one;
 * row: of E, or of S.  sign: of P, as all is even.
 */
static void
give(struct windows *q, double one, long P, long sign, bool right, double *to)
{
	const long R = q->R;
	const double *p = q->s.p + R;
	long a, low, high;
	int j = 0;

	if (one <= q->rare) {
		q->lost += one;
		return;
	}
	while (j < DEPTHS - 1 && one * ldexp(1, -4 * j) > q->rare)
		j++;
	low = q->low[j];
	high = q->high[j];
	if (right && low < P - R)
		low = P - R;
	if (low > high) {
		q->lost += one;
		return;
	}
	q->lost += one * (q->s.outside + q->before[low + R] + q->after[high + R + 1]);
	if (right)
		for (a = low; a <= high; a++)
			to[sign * (P - a)] += one * p[a];
	else if (sign > 0)
		for (a = low; a <= high; a++)
			to[a] += one * p[a];
	else
		for (a = low; a <= high; a++)
			to[-a] += one * p[a];
}

/* A half's measure from its node's: rows E, or S for the right one, whose E are in `from', too. */
static void
halve(struct windows *q, const struct audit_kind *k, double *from, bool right, double *to)
{
	const long R = q->R;
	long P, r, a, sign;

	for (r = 0; r < q->n * q->n; r++)
		to[r] = 0;
	audit_split_of(&q->s, k);
	for (P = 0; P <= R; P++) {
		audit_split_law(&q->s, k, P);
		range(q);
		for (r = 0; r <= R; r++)
			for (sign = P == 0 ? 1 : -1; sign <= 1; sign += 2)
				if (row(q, from, r)[sign * P] > 0)
					give(q, row(q, from, r)[sign * P], P, sign, right,
					    row(q, to, r));
	}
	for (r = 1; r <= R; r++)
		for (a = -R; a <= R; a++)
			row(q, to, -r)[-a] = row(q, to, r)[a];
}

/* Rows E become rows E + P, or for sign -1 rows S become S - P; beyond R they are lost. */
static void
shear(struct windows *q, long sign, double *from, double *to)
{
	const long R = q->R;
	long r, P;

	for (r = 0; r < q->n * q->n; r++)
		to[r] = 0;
	for (r = -R; r <= R; r++)
		for (P = -R; P <= R; P++)
			if (labs(r + sign * P) <= R)
				row(q, to, r + sign * P)[P] = row(q, from, r)[P];
			else
				q->lost += row(q, from, r)[P];
}

static void
descend(struct windows *q, uint32_t kind, double *m)
{
	double *room = m + q->n * q->n, *to = room + q->n * q->n, *law;
	const struct audit_kind *k;
	long E, P;

	if (kind == DP_AUDIT_STEP) {
		q->done++;
		law = q->law + q->done * q->n + q->R;
		for (E = -q->R; E <= q->R; E++)
			for (P = -q->R; P <= q->R; P++)
				if (labs(E + P) <= q->R)
					law[E + P] += row(q, m, E)[P];
				else
					q->lost += row(q, m, E)[P];
		return;
	}
	k = &q->t->kind[kind];
	halve(q, k, m, false, to);
	descend(q, k->child[0], to);
	shear(q, 1, m, room);
	halve(q, k, room, true, m);
	shear(q, -1, m, to);
	descend(q, k->child[1], to);
}

/*
 * The noise of n whole trees and of n - 1: P(it >= y) at above[n & 1][y + far], far = (n + 1) R, of
 * what is not lost.
 */
struct whole {
	double *law, *above[2];		/* law: of n, P(it = y); owned */
	unsigned n;
};

static void
whole_stop(struct whole *w)
{
	free(w->law);
	free(w->above[0]);
	free(w->above[1]);
}

/* Takes the law of n trees over. */
static bool
whole_take(const struct windows *q, struct whole *w, double *law, unsigned n)
{
	const size_t size = (size_t)(2 * (long)(n + 1) * q->R + 2);
	double *above = law == NULL ? NULL : calloc(size, sizeof *above);
	size_t i;

	free(w->law);
	w->law = law;
	if (above == NULL)
		return false;
	for (i = size - 1; i-- > 0;)
		above[i] = above[i + 1] + law[i];
	free(w->above[n & 1]);
	w->above[n & 1] = above;
	w->n = n;
	return true;
}

static bool
whole_start(const struct windows *q, struct whole *w)
{
	double *law = calloc((size_t)(2 * q->R + 2), sizeof *law);

	if (law != NULL)
		law[q->R] = 1;
	return whole_take(q, w, law, 0);
}

/* One tree more. */
static bool
whole_rise(const struct windows *q, struct whole *w)
{
	const long far = (long)(w->n + 1) * q->R, reach = (long)w->n * q->R;
	double *next = calloc((size_t)(2 * (far + q->R) + 2), sizeof *next);
	long y, P;

	for (y = -reach; y <= reach && next != NULL; y++)
		for (P = -q->R; P <= q->R; P++)
			next[y + P + far + q->R] += w->law[y + far] * q->root[P + q->R];
	return whole_take(q, w, next, w->n + 1);
}

/* P(first i steps, n whole trees, and the last m of another >= x), with what they have lost. */
static double
above(const struct windows *q, const double *trees, unsigned n, long i, long m, long x)
{
	const long R = q->R, far = (long)(n + 1) * R;
	const double *a = q->law + i * q->n, *b = q->law + m * q->n;
	double sum = (n + 2) * q->lost, one;
	long y, z, need;

	for (y = -R; y <= R; y++)
		for (one = 0, z = m == 0 ? 0 : -R; z <= (m == 0 ? 0 : R); z++) {
			need = x - y - z;
			if (need <= far)
				one += (m == 0 ? 1 : b[z + R]) *
				    trees[need < -far ? 0 : need + far];
			if (z == (m == 0 ? 0 : R))
				sum += a[y + R] * one;
		}
	return sum < 1 ? sum : 1;
}

/* The largest sum of W of them in a row: from W on they come again every L steps. */
static double
most(const struct windows *q, uint64_t W, long x)
{
	const uint64_t L = (uint64_t)1 << q->t->h, end = 2 * W + L;
	double *p = calloc(end + 1, sizeof *p), sum, largest = 0;
	struct whole trees = { .law = NULL };
	uint64_t t, i, rest;
	bool is = p != NULL && whole_start(q, &trees);
	unsigned n;

	for (t = 1; is && t <= end; t++) {
		i = (t - 1) % L + 1;
		rest = (t < W ? t : W) - i;
		n = (unsigned)(rest / L);	/* rises to the most; that and one less in turn */
		while (is && trees.n < n)
			is = whole_rise(q, &trees);
		if (is)
			p[t] = t >= W + L ? p[t - L] : above(q, trees.above[n & 1], n, (long)i,
			    (long)(rest % L), x);
	}
	/* from each t on, anew, and up to L of them: nothing is taken away again */
	for (t = 1; is && t <= W + L; t++) {
		for (sum = 0, i = t; i < t + W && i <= end; i++)
			sum += p[i];
		largest = fmax(largest, sum);
	}
	whole_stop(&trees);
	free(p);
	return is ? largest : -1;
}

static bool
start(struct windows *q, uint64_t L, size_t levels)
{
	const size_t square = (size_t)(q->n * q->n), laws = (size_t)(L + 1) * (size_t)q->n;
	dp_uwide *law = malloc((size_t)q->n * sizeof *law), outside;
	bool is;
	long i;

	q->room = calloc(2 * levels * square + laws + 3 * (size_t)q->n + 2, sizeof *q->room);
	is = audit_split_start(&q->s, q->t, q->R) && q->room != NULL && law != NULL &&
	    audit_root_law(q->t, q->R, MPFR_RNDU, law, &outside);
	if (is) {
		q->law = q->room + 2 * levels * square;
		q->root = q->law + laws;
		q->before = q->root + q->n;
		q->after = q->before + q->n + 1;
		for (i = 0; i < q->n; i++)
			q->root[i] = ldexp((double)law[i], -DP_AUDIT_SHARE);
		q->lost = ldexp((double)outside, -DP_AUDIT_SHARE);
	}
	free(law);
	return is;
}

/* Nodes that have something before them, each with a cube of numbers; the others, and windows. */
static bool
afforded(const struct windows *q, uint64_t W, uint64_t L)
{
	const double n = (double)q->n, whole = (double)(W / L);

	return n * n * (n / 8 * (double)(L - q->t->h - 1) + 4 * (double)L +
	    whole * whole) <= WORK &&
	    n * (2 * (q->t->h + 1) * n + (double)L + whole) <= ROOM;
}

bool
audit_passage_windows(const struct audit_tree *t, uint64_t W, uint64_t height, double share,
    double rare, mpfr_t f)
{
	const uint64_t L = t->h < 20 ? (uint64_t)1 << t->h : 0;
	struct windows q = { .t = t, .rare = rare };
	double sum = -1, whole;
	unsigned i;
	long P;

	for (i = 0; i < t->kinds; i++)
		if (t->kind[i].child[0] != t->kind[i].child[1])
			return false;
	if (!audit_passage_bounded(t) || L == 0 || W < L || W > 1 << 16 || height > 1 << 15 ||
	    (q.R = audit_passage_reach(t, share)) == 0)
		return false;
	q.n = 2 * q.R + 1;
	if (!afforded(&q, W, L))
		return false;
	if (start(&q, L, t->h + 1)) {
		for (P = -q.R; P <= q.R; P++)
			row(&q, q.room, 0)[P] = q.root[P + q.R];
		q.law[q.R] = 1;			/* of no step */
		descend(&q, t->kinds - 1, q.room);
		q.lost *= 2;	/* a sum of fewer than 4 n^2 numbers for each step: 2^49 in all */
		sum = most(&q, W, (long)height);
	}
	audit_split_stop(&q.s);
	free(q.room);
	/*
	 * A level: p, and sums of n.  Whole trees: sums of n each; two sums more, and one of W.  A
	 * window's trees have fewer than 4 W nodes: e^(4 W 2^-40) is less than 1 + W 2^-37, so
	 * 2^16 W factors.
	 */
	whole = (double)(W / L) + 1;
	if (sum >= 0)
		audit_passage_up(f, sum, (t->h + 1) * (double)(DP_AUDIT_OFF(q.R) + 2 * q.n + 8) +
		    whole * whole * (double)q.n + 8 * (double)q.n + 0x1p17 * (double)W);
	return sum >= 0;
}
