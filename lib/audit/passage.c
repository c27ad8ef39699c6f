/* passage.c - the law of the largest noise of a tree, to one side (passage.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "passage.h"
#include "split.h"

#define WORK	0x1p36			/* products, at most: half a minute */
#define ROOM	0x1p27			/* numbers */
#define FAR	(1 << 15)		/* reach and heights, at most */

/* G of P = -R .. R, and x = from + 1 .. end, at v[(P + R) (end - from) + x - 1 - from]. */
struct grid {
	double *v;
	long from, end;
};

struct passage {
	const struct audit_tree *t;
	struct audit_split s;
	long R, n;			/* |P| <= R; heights 1 .. n */
	double rare;
	struct grid of[DP_AUDIT_KINDS];	/* owned */
	double *mass[DP_AUDIT_KINDS];	/* some node's noise is P, about: [P + R]; owned */
	struct grid some[2];		/* of nodes in which the steps end; owned */
	double *sum;			/* n of them: some room; owned */
	double *root, outside;		/* its law; owned */
};

static const struct audit_kind *
kind_of(const struct passage *q, uint32_t kind)
{
	return &q->t->kind[kind];
}

static bool
make_grid(const struct passage *q, struct grid *g, long from, long end)
{
	free(g->v);
	*g = (struct grid){ malloc((size_t)(2 * q->R + 1) * (size_t)(end - from) * sizeof(double)),
	    from, end };
	return g->v != NULL;
}

static double *
at(const struct passage *q, const struct grid *g, long P)
{
	return g->v + (P + q->R) * (g->end - g->from);
}

/* to[i - from] += one (G'(a, i + 1) + (1 - G') G"), from <= i < end; G' is 1 where a > i. */
static void
add(double *restrict to, double one, const double *restrict left, const double *restrict right,
    long a, long from, long end, long n)
{
	const long ones = a > from ? (a < end ? a : end) : from;
	const long last = n + a < end ? (n + a > ones ? n + a : ones) : end;
	long i;

	for (i = from; i < ones; i++)
		to[i - from] += one;
	for (; i < last; i++)
		to[i - from] += one * (left[i - from] + (1 - left[i - from]) * right[i - a]);
	for (; i < end; i++)
		to[i - from] += one * (left[i - from] + (1 - left[i - from]) * right[n - 1]);
}

/* A node of steps, whose first one counts, and the second, too, if it is whole. */
static void
pair_row(const struct passage *q, long P, struct grid *to)
{
	const long sign = P < 0 ? -1 : 1;
	double above = q->s.outside, *out = at(q, to, P);
	long a, x;

	for (a = q->R; a > to->end; a--)
		above += q->s.p[sign * a + q->R];
	for (x = to->end; x > to->from; x--) {
		above += x <= q->R ? q->s.p[sign * x + q->R] : 0;
		out[x - 1 - to->from] = above;
	}
}

/* Both halves; right NULL: the steps end in the left one.  Heights up to P are reached. */
static void
row(struct passage *q, const struct grid *left, const struct grid *right, long P, double mass,
    struct grid *to)
{
	const long R = q->R, sign = P < 0 ? -1 : 1, width = to->end - to->from;
	double missed = q->s.outside, one, *out = at(q, to, P);
	long a, x;

	for (x = 0; x < width; x++)
		q->sum[x] = 0;
	for (a = -R; a <= R; a++) {
		one = q->s.p[sign * a + R];
		if (mass * one <= q->rare || (right != NULL && labs(P - a) > R))
			missed += one;
		else if (right != NULL)
			add(q->sum, one, at(q, left, a) + to->from - left->from,
			    at(q, right, P - a), a, to->from, to->end, q->n);
		else
			for (x = 0; x < width; x++)
				q->sum[x] += one * at(q, left, a)[x + to->from - left->from];
	}
	for (x = 0; x < width; x++)
		out[x] = q->sum[x] + missed;
}

static void
row_of(struct passage *q, const struct audit_kind *k, const struct grid *left,
    const struct grid *right, bool whole, long P, double mass, struct grid *to)
{
	double *out = at(q, to, P);
	long x;

	if (!(mass > q->rare))		/* reached */
		for (x = to->from; x < to->end; x++)
			out[x - to->from] = 1;
	else if (k->child[0] == DP_AUDIT_STEP)
		pair_row(q, P, to);
	else
		row(q, left, right, P, mass, to);
	for (x = to->from; x < to->end; x++)
		if (!(out[x - to->from] < 1) || (whole && x < P))
			out[x - to->from] = 1;
}

/* G of a node; whole: its end is one of the steps. */
static void
combine(struct passage *q, uint32_t kind, const struct grid *left, const struct grid *right,
    bool whole, struct grid *to)
{
	const struct audit_kind *k = kind_of(q, kind);
	const double *mass = q->mass[kind] + q->R;
	long P;

	audit_split_of(&q->s, k);
	for (P = 0; P <= q->R; P++) {
		audit_split_law(&q->s, k, P);
		row_of(q, k, left, right, whole, P, mass[P], to);
		if (P > 0)
			row_of(q, k, left, right, whole, -P, mass[-P], to);
	}
}

/* Of a node of that kind, whose first T steps count; NULL: no memory. */
static const struct grid *
first(struct passage *q, uint32_t kind, uint64_t T, long from, long end)
{
	const struct audit_kind *k = kind_of(q, kind);
	const uint64_t all = (uint64_t)1 << k->level, half = all / 2;
	const bool right = T > half && k->child[0] != DP_AUDIT_STEP;
	const struct grid *in = NULL, *left = NULL;
	struct grid *to;

	if (T == all && q->of[kind].v != NULL)
		return &q->of[kind];
	if (k->child[0] != DP_AUDIT_STEP) {
		in = right ? first(q, k->child[1], T - half, 0, q->n) :
		    first(q, k->child[0], T, from, end);
		left = right ? &q->of[k->child[0]] : in;
		if (in == NULL)
			return NULL;
	}
	to = &q->some[in == &q->some[0]];
	if (!make_grid(q, to, from, end))
		return NULL;
	combine(q, kind, left, right ? in : NULL, T == all, to);
	return to;
}

/* Adds to the masses of its halves. */
static void
give_mass(struct passage *q, uint32_t kind)
{
	const struct audit_kind *k = kind_of(q, kind);
	const long R = q->R;
	double one, *sums[2] = { q->sum, q->sum + 2 * R + 1 };
	unsigned side;
	long P, a, sign;

	for (a = 0; a < 4 * R + 2; a++)
		q->sum[a] = 0;
	audit_split_of(&q->s, k);
	for (P = 0; P <= R; P++) {
		audit_split_law(&q->s, k, P);
		for (sign = P == 0 ? 1 : -1; sign <= 1; sign += 2)
			for (a = -R; a <= R; a++) {
				one = q->mass[kind][sign * P + R] * q->s.p[a + R];
				sums[0][sign * a + R] += one;
				if (labs(P - a) <= R)
					sums[1][sign * (P - a) + R] += one;
			}
	}
	for (side = 0; side < 2; side++)
		for (a = 0; a <= 2 * R; a++)
			q->mass[k->child[side]][a] = fmax(q->mass[k->child[side]][a],
			    sums[side][a]);
}

/* within[y]: the tree alone reaches y = from + 1 .. end. */
static void
alone(const struct passage *q, const struct grid *G, long from, long end, double *within)
{
	long P, y;

	for (y = from; y < end; y++)
		within[y - from] = q->outside;
	for (P = -q->R; P <= q->R; P++)
		for (y = from; y < end; y++)
			within[y - from] += q->root[P + q->R] * at(q, G, P)[y - G->from];
}

/* The probability of x within the segment: sums over s and the root's P; below 0: no memory. */
static double
reached(struct passage *q, const struct audit_before *b, uint64_t steps, long x)
{
	const long from = b->p == NULL ? x - 1 : 0, end = b->p == NULL ? x : q->n;
	const struct grid *G = first(q, q->t->kinds - 1, steps, from, end);
	double sum = ldexp((double)b->outside, -DP_AUDIT_SHARE), one;
	long s, y;

	if (G == NULL)
		return -1;
	alone(q, G, from, end, q->sum);
	if (b->p == NULL)
		return q->sum[0] < 1 ? q->sum[0] : 1;
	for (s = -b->reach; s <= b->reach; s++) {
		y = x - s < q->n ? x - s : q->n;
		one = y <= 0 || !(q->sum[y - 1] < 1) ? 1 : q->sum[y - 1];
		sum += ldexp((double)b->p[s + b->reach], -DP_AUDIT_SHARE) * one;
	}
	return sum;
}

/* All kinds from the steps up but the root's, then each of the heights; below 0: no memory. */
static double
run(struct passage *q, const struct audit_before *b, unsigned n, const uint64_t *steps,
    const uint64_t *height)
{
	const unsigned last = q->t->kinds - 1;
	double sum = 0, one;
	unsigned i;

	for (i = 0; i <= last; i++)
		if ((q->mass[i] = calloc((size_t)(2 * q->R + 1), sizeof(double))) == NULL)
			return -1;
	memcpy(q->mass[last], q->root, (size_t)(2 * q->R + 1) * sizeof(double));
	for (i = last + 1; i-- > 0;)
		if (kind_of(q, i)->child[0] != DP_AUDIT_STEP)
			give_mass(q, i);
	for (i = 0; i < last; i++) {
		if (!make_grid(q, &q->of[i], 0, q->n))
			return -1;
		combine(q, i, &q->of[kind_of(q, i)->child[0] % DP_AUDIT_KINDS],
		    &q->of[kind_of(q, i)->child[1] % DP_AUDIT_KINDS], true, &q->of[i]);
	}
	for (i = 0; i < n; i++) {
		if ((one = reached(q, b, steps[i], (long)height[i])) < 0)
			return -1;
		sum += one;
	}
	return sum;
}

/* Right halves may be shorter than left ones. */
static uint64_t
steps_of(const struct audit_tree *t)
{
	uint32_t i = t->kinds - 1;
	uint64_t steps = 1;

	for (; i != DP_AUDIT_STEP; i = t->kind[i].child[1])
		steps += (uint64_t)1 << (t->kind[i].level - 1);
	return steps;
}

/* Reach, heights, and whether that is not too much. */
static bool
measure(struct passage *q, const struct audit_before *b, unsigned n, const uint64_t *steps,
    const uint64_t *height, double share)
{
	double work, size;
	unsigned i;

	if (!audit_passage_bounded(q->t) || (q->R = audit_passage_reach(q->t, share)) == 0)
		return false;
	for (i = 0; i < n; i++) {
		if (steps[i] == 0 || steps[i] > steps_of(q->t) || height[i] == 0 ||
		    height[i] > FAR)
			return false;
		q->n = (long)height[i] > q->n ? (long)height[i] : q->n;
	}
	/* half of the way that is left both down and up again; all of it, where roots are before */
	if (q->R > q->n)
		q->n += b->p == NULL ? (q->R - q->n + 1) / 2 : q->R - q->n;
	size = (2. * (double)q->R + 1) * (double)q->n;
	work = 2. * (double)q->R * (double)q->R * (double)q->n;
	/* the kinds below the root's, two nodes in which the steps end, and after roots its own */
	return (q->t->kinds - (b->p == NULL)) * work <= WORK &&
	    (q->t->kinds + (q->t->h > 1 || b->p != NULL)) * size <= ROOM;
}

bool
audit_passage(const struct audit_tree *t, const struct audit_before *b, unsigned n,
    const uint64_t *steps, const uint64_t *height, double share, double rare, mpfr_t sum)
{
	struct passage q = { .t = t, .rare = rare };
	dp_uwide *law = NULL, outside;
	double f = -1;
	long i;

	if (!measure(&q, b, n, steps, height, share))
		return false;
	law = malloc((size_t)(2 * q.R + 1) * sizeof *law);
	q.root = malloc((size_t)(2 * q.R + 1) * sizeof *q.root);
	q.sum = malloc((size_t)(4 * q.R + 2 + q.n) * sizeof *q.sum);
	if (audit_split_start(&q.s, t, q.R) && law != NULL && q.root != NULL && q.sum != NULL &&
	    audit_root_law(t, q.R, MPFR_RNDU, law, &outside)) {
		for (i = 0; i <= 2 * q.R; i++)
			q.root[i] = ldexp((double)law[i], -DP_AUDIT_SHARE);
		q.outside = ldexp((double)outside, -DP_AUDIT_SHARE);
		f = run(&q, b, n, steps, height);
	}
	/*
	 * A level: p, 2 (2 R + 1) additions, and 4 for a term; then the sums over P, s and heights.
	 * n draws: e^(n 2^-40) is less than 1 + n 2^-39, so 2^14 n factors.
	 */
	if (f >= 0)
		audit_passage_up(sum, f, (t->h + 1) * (double)(DP_AUDIT_OFF(q.R) + 4 * q.R + 8) +
		    2. * (double)b->reach + n + 8 +
		    0x1p14 * (ldexp(1, (int)t->h) + b->trees));
	for (i = 0; i < (long)t->kinds; i++) {
		free(q.of[i].v);
		free(q.mass[i]);
	}
	free(q.some[0].v);
	free(q.some[1].v);
	audit_split_stop(&q.s);
	free(q.root);
	free(q.sum);
	free(law);
	return f >= 0;
}
