/*
 * window.c - how often the noise of windows over a row of trees may be at a height (passage.h).
 *
 * The noise of a window that ends with the first i steps of a tree is that of these, of whole trees
 * before it, and of the last m steps of one more, independent of each other; where both halves of
 * each node have one kind the last m steps are as the first, reversed.  The law of the first i:
 * from the root down, m(E, P) the measure of noise E before a node and P its own; its left half has
 * m(E, a) = sum over P of m(E, P) p(a | P), its right half m(E + a, P - a).  All terms are
 * positive; what is left out is added up, and counts as reached.
 */
#include <math.h>
#include <stdlib.h>

#include "passage.h"
#include "split.h"

#define HIGH	24
#define WORK	0x1p35
#define ROUNDED	1e-9

struct windows {
	const struct audit_tree *t;
	struct audit_split s;
	long R, n;			/* n: 2 R + 1 */
	double rare;
	double *room;			/* a measure for each level */
	double *law, *lost;	/* [i n + y + R]: of the first i steps; and what is not in it */
	long done;
};

/* Adds what P of row E gives to one of the halves. */
static void
give(struct windows *q, double one, long E, long P, bool right, double *to, double *lost)
{
	const long R = q->R, sign = P < 0 ? -1 : 1;
	double *at;
	long a;

	*lost += one * q->s.outside;
	for (a = -R; a <= R; a++) {
		if (right && (labs(E + a) > R || labs(P - a) > R)) {
			*lost += one * q->s.p[sign * a + R];
			continue;
		}
		at = right ? &to[(E + a + R) * q->n + P - a + R] : &to[(E + R) * q->n + a + R];
		*at += one * q->s.p[sign * a + R];
	}
}

/* A half's measure from its node's, by P: one law serves for P and -P. */
static double
halve(struct windows *q, const struct audit_kind *k, const double *m, bool right, double *to)
{
	const long R = q->R, n = q->n;
	double lost = 0, one;
	long P, E, i;

	for (i = 0; i < n * n; i++)
		to[i] = 0;
	audit_split_of(&q->s, k);
	for (P = 0; P <= R; P++) {
		audit_split_law(&q->s, k, P);
		for (E = -R; E <= R; E++)
			for (i = P == 0 ? 1 : -1; i <= 1; i += 2) {
				one = m[(E + R) * n + i * P + R];
				if (one >= q->rare)
					give(q, one, E, i * P, right, to, &lost);
				else
					lost += one;
			}
	}
	return lost;
}

static void
descend(struct windows *q, uint32_t kind, double *m, double lost)
{
	const struct audit_kind *k;
	double *law, *to = m + q->n * q->n;
	long E, P;

	if (kind == DP_AUDIT_STEP) {
		q->done++;
		law = q->law + q->done * q->n;
		for (E = -q->R; E <= q->R; E++)
			for (P = -q->R; P <= q->R; P++)
				*(labs(E + P) > q->R ? &lost : &law[E + P + q->R]) +=
				    m[(E + q->R) * q->n + P + q->R];
		q->lost[q->done] = lost;
		return;
	}
	k = &q->t->kind[kind];
	descend(q, k->child[0], to, lost + halve(q, k, m, false, to));
	descend(q, k->child[1], to, lost + halve(q, k, m, true, to));
}

/* above[y + far] = P(the noise of so many whole trees >= y), |y| <= far = (trees + 1) R */
static double *
whole_trees(const struct windows *q, const double *root, unsigned trees)
{
	const long far = (long)(trees + 1) * q->R;
	double *p = calloc((size_t)(2 * far + 2), sizeof *p), *next;
	long y, P, reach = 0;
	unsigned i;

	if (p == NULL)
		return NULL;
	p[far] = 1;
	for (i = 0; i < trees; i++, reach += q->R) {
		if ((next = calloc((size_t)(2 * far + 2), sizeof *next)) == NULL) {
			free(p);
			return NULL;
		}
		for (y = -reach; y <= reach; y++)
			for (P = -q->R; P <= q->R; P++)
				next[y + P + far] += p[y + far] * root[P + q->R];
		free(p);
		p = next;
	}
	for (y = 2 * far; y > 0; y--)
		p[y - 1] += p[y];
	return p;
}

/* P(first i steps, whole trees, and the last m of another >= x), or more */
static double
reached(const struct windows *q, const double *above, unsigned trees, double outside, long i,
    long m, long x)
{
	const long R = q->R, far = (long)(trees + 1) * R;
	const double *a = q->law + i * q->n, *b = q->law + m * q->n;
	double sum = q->lost[i] + q->lost[m] + trees * outside;
	long y, z, need;

	for (y = -R; y <= R; y++)
		for (z = m == 0 ? 0 : -R; z <= (m == 0 ? 0 : R); z++) {
			need = x - y - z;
			if (need <= far)
				sum += a[y + R] * (m == 0 ? 1 : b[z + R]) *
				    above[need < -far ? 0 : need + far];
		}
	return sum;
}

/* The largest sum of W of them in a row: from W on they come again every L steps. */
static double
most(struct windows *q, const double *root, double outside, uint64_t W, long x)
{
	const uint64_t L = (uint64_t)1 << q->t->h, end = 2 * W + L;
	double *p = calloc(end + 1, sizeof *p), *above = NULL, sum = 0, best = 0;
	unsigned trees, had = UINT32_MAX;
	uint64_t t, i, rest;

	for (t = 1; t <= end && p != NULL; t++) {
		i = (t - 1) % L + 1;
		rest = (t < W ? t : W) - i;
		trees = (unsigned)(rest / L);
		if (trees != had) {
			free(above);
			if ((above = whole_trees(q, root, trees)) == NULL)
				break;
			had = trees;
		}
		p[t] = t >= W + L ? p[t - L] :
		    reached(q, above, trees, outside, (long)i, (long)(rest % L), x);
		sum += p[t] - (t > W ? p[t - W] : 0);
		best = sum > best ? sum : best;
	}
	free(above);
	free(p);
	return p == NULL || t <= end ? -1 : best;
}

double
audit_passage_windows(const struct audit_tree *t, uint64_t W, uint64_t height, double rare)
{
	const struct audit_kind *top = &t->kind[t->kinds - 1];
	const uint64_t L = t->h < 20 ? (uint64_t)1 << t->h : 0;
	struct windows q = { .t = t, .rare = rare };
	double *room, *root, outside, f = -1;
	size_t square, laws;
	unsigned i;
	long P;

	for (i = 0; i < t->kinds; i++)
		if (t->kind[i].child[0] != t->kind[i].child[1])
			return -1;
	if (t->fine != 0 || t->unit != 1 || L == 0 || W < L || W > 1 << 16 || height > 1 << 16 ||
	    top->level != t->h || !(t->root.beyond < 1))
		return -1;
	q.R = (long)(height + height / 2 + HIGH);
	q.R = q.R > (long)top->k.A ? q.R : (long)top->k.A;
	q.n = 2 * q.R + 1;
	square = (size_t)(q.n * q.n);
	laws = (size_t)(L + 1) * (size_t)q.n;
	if ((double)L * (double)square * (double)q.n > WORK || (double)laws > 0x1p28)
		return -1;
	room = calloc((t->h + 1) * square + laws + L + 1 + 2 * (size_t)q.n +
	    3 * (4 * (size_t)q.R + 1), sizeof *room);
	if (room == NULL)
		return -1;
	q.law = room + (t->h + 1) * square;
	q.lost = q.law + laws;
	root = q.lost + L + 1;
	q.s = (struct audit_split){ .t = t, .R = q.R, .p = root + q.n };
	q.s.g[0] = q.s.p + q.n;
	q.s.g[1] = q.s.g[0] + 4 * q.R + 1;
	q.s.k = q.s.g[1] + 4 * q.R + 1;
	outside = audit_root_law(t, q.R, root);
	for (P = -q.R; P <= q.R; P++)
		room[q.R * q.n + P + q.R] = root[P + q.R];
	q.law[q.R] = 1;			/* of no step */
	descend(&q, t->kinds - 1, room, outside);
	f = most(&q, root, outside, W, (long)height);
	free(room);
	/* a window's trees: their nodes are fewer than 4 W */
	return f < 0 ? f : (f + DP_AUDIT_NEVER) * (1 + ROUNDED + (double)W * 0x1p-37);
}
