/* SPDX-License-Identifier: ISC */
/* passage.c - how likely a tree's noise ever reaches a height. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/*
 * Law of the largest noise of a count, to one side, of one tree of whole numbers.
 *
 * Let G(P, x) be the probability that within a node of noise P the noise, counted from its first
 * step on, reaches x >= 1 at one of its steps.  A node's own end is one of them, so
 *	G(P, x) = 1 for P >= x, else sum over a of p(a | P) (L(a, x) + (1 - L(a, x)) R(P - a,
 *	x - a)),
 * as the halves are independent given both a and P; L and R are those of the left and the right
 * child; L(a, x) = 1 where x - a <= 0.  A step: 1 for P >= x, else 0.
 * Of the first T steps alone: down from the root to the node in which the last one lies; F(P, x) is
 * sum p(a | P) F_left(a, x) where it is in the left half, else as above with F_right in R's place,
 * and 1 for P >= x holds no more.
 *
 * All terms are positive, and so are those that are left out and count as reached: splits with a
 * part beyond `reach', or rarer than `rare'.  Heights above HIGH more than asked for are taken for
 * HIGH more.  Nothing is found as what is lacking of 1, so rounding is within a factor: of a level
 * exp(+-(4 reach + 9) 2^-52), as L + (1 - L) R moves by no larger one than L and R do, and of all
 * levels together below ROUNDED.  Draws are within exp(+-2^-40) of the tables' law (normtree.h), so
 * all of a tree's are within exp(+-2^-40 nodes).
 */

#define RARE	1e-25
#define BLOCK	32		/* heights; bisection looks at the last of each block */
#define HIGH	24		/* heights beyond the last one asked for */
#define ROUNDED	1e-9

struct passage {
	const struct dp_normtree *p;
	unsigned reach, high;		/* of P; of x, 1 .. high */
	double rare;
	size_t bytes;			/* of `step' and all behind it */
	struct dp_normtree_splits splits;
	double *step;			/* a step's G */
	double *of[DP_NORMTREE_KINDS];	/* a kind's: [P + reach][x - 1] */
	double *memory[DP_NORMTREE_KINDS];
	double *partial, *next;		/* F of the node that holds the last step */
	double *row;			/* of one P: [x - 1] */
	double *root, outside;		/* [P + reach]: the root's law; P(|P| > reach) */
};

/* What a node's F is found from; its splits are those in struct passage. */
struct halves {
	double *left, *right;
	bool whole, both;		/* its own end is one of the steps; right has some */
};

static double *
at_passage(const struct passage *q, double *G, ptrdiff_t P)
{
	return G + (size_t)(P + (ptrdiff_t)q->reach) * q->high;
}

/* to[x - 1] += one (L(a, x) + (1 - L(a, x)) R(b, x - a)), x = low + 1 .. n */
DP_INLINE void
add_passage(const struct passage *q, double *restrict to, double one, const double *restrict left,
    const double *restrict right, ptrdiff_t a, ptrdiff_t low, ptrdiff_t n)
{
	const ptrdiff_t last = (ptrdiff_t)q->high + (a < 0 ? a : 0);
	const ptrdiff_t from = a > low ? (a < n ? a : n) : low;
	const ptrdiff_t end = last < n ? (last > 0 ? last : 0) : n;
	ptrdiff_t i;

	for (i = low; i < from; i++)	/* a >= x */
		to[i] += one;
	for (; i < end; i++)
		to[i] += one * (left[i] + (1 - left[i]) * right[i - a]);
	for (; i < n; i++)
		to[i] += one * (left[i] + (1 - left[i]) * right[q->high - 1]);
}

/*
 * A row of a pair, above the heights that its own end reaches: its first step is x or more.  This
 * is the sum of set_row(), where L is 1 for a >= x and R is 0.
 */
static void
pair_row(const struct passage *q, ptrdiff_t P, ptrdiff_t low, ptrdiff_t n, double *out)
{
	const double *p = dp_normtree_split_of(&q->splits, (unsigned)llabs(P));
	double sum = q->splits.outside[llabs(P)];
	ptrdiff_t x;

	for (x = q->reach; x > low; x--) {
		sum += p[P < 0 ? -x : x];
		if (x <= n)
			out[x - 1] = fmin(sum, 1);
	}
}

/* F(P, x), or G's, of a node, x = from + 1 .. n. */
DP_INLINE void
set_row(const struct passage *q, const struct halves *of, ptrdiff_t P, ptrdiff_t from, ptrdiff_t n,
    double *out)
{
	const double *p = dp_normtree_split_of(&q->splits, (unsigned)llabs(P));
	const ptrdiff_t R = q->reach, reached = !of->whole || P < 0 ? 0 : P;
	const ptrdiff_t low = reached < from ? from : reached < n ? reached : n;
	double one, left_out = q->splits.outside[llabs(P)];
	ptrdiff_t a, x;

	for (x = from; x < n; x++)
		out[x] = x < low;
	if (of->left == q->step) {
		pair_row(q, P, low, n, out);
		return;
	}
	for (a = low < n ? -R : R + 1; a <= R; a++) {
		one = p[P < 0 ? -a : a];
		if (one < q->rare || (of->both && llabs(P - a) > R))
			left_out += one;
		else if (of->both)
			add_passage(q, out, one, at_passage(q, of->left, a), at_passage(q,
			    of->right, P - a), a, low, n);
		else
			for (x = low; x < n; x++)
				out[x] += one * at_passage(q, of->left, a)[x];
	}
	for (x = low; x < n; x++)
		out[x] = fmin(out[x] + left_out, 1);
}

DP_VECTORS static void
combine_passage(const struct passage *q, const struct halves *of, double *to)
{
	const ptrdiff_t R = q->reach;
	ptrdiff_t P;

	for (P = -R; P <= R; P++)
		set_row(q, of, P, 0, q->high, at_passage(q, to, P));
}

static double *
of_child(const struct passage *q, unsigned kind)
{
	return kind == DP_NORMTREE_STEP ? q->step : q->of[kind];
}

static size_t
size(const struct passage *q)
{
	return (2 * (size_t)q->reach + 1) * q->high * sizeof(double);
}

/* All kinds but the root's, from the steps up. */
static int
rise(struct passage *q)
{
	const struct dp_normtree_shape *s = &q->p->shape;
	struct halves of = { .whole = true, .both = true };
	unsigned i;

	for (i = 0; i < s->kinds - 1; i++) {
		if ((q->of[i] = q->memory[i] = malloc(size(q))) == NULL)
			return DP_ENOMEM;
		of.left = of_child(q, s->kind[i].child[0]);
		of.right = of_child(q, s->kind[i].child[1]);
		dp_normtree_set_splits(&q->splits, q->p, i, q->rare);
		combine_passage(q, &of, q->of[i]);
	}
	return 0;
}

static double *first(struct passage *q, unsigned kind, uint64_t T);

/* Of a node of that kind whose first T steps count; and of its splits. */
static struct halves
halves(struct passage *q, unsigned kind, uint64_t T)
{
	const uint64_t half = (uint64_t)1 << (q->p->shape.kind[kind].level - 1);
	const uint16_t *child = q->p->shape.kind[kind].child;
	struct halves of = { .whole = T == 2 * half, .both = T > half };
	double *F;

	F = first(q, child[T > half], T > half ? T - half : T);
	of.left = T > half ? of_child(q, child[0]) : F;
	of.right = F;
	dp_normtree_set_splits(&q->splits, q->p, kind, q->rare);
	return of;
}

/* Its F. */
static double *
first(struct passage *q, unsigned kind, uint64_t T)
{
	struct halves of;
	double *to;

	if (kind == DP_NORMTREE_STEP || T == (uint64_t)1 << q->p->shape.kind[kind].level)
		return of_child(q, kind);
	of = halves(q, kind, T);
	to = of.right == q->partial ? q->next : q->partial;
	combine_passage(q, &of, to);
	return to;
}

static double
draws(const struct dp_normtree *p)
{
	return 1 + ROUNDED + ldexp(1, (int)p->h + 1 - 39);
}

/* The root's law, and the probability that it is beyond. */
static void
set_root_passage(const struct dp_normtree *p, struct dp_normtree_splits *s, double *law,
    double *outside)
{
	const double beyond = dp_real_double(p->beyond);
	double sum;
	const double *root = dp_normtree_root_weights(s, p, &sum);
	const ptrdiff_t R = s->reach;
	ptrdiff_t P;

	for (P = -R; P <= R; P++)
		law[P + R] = root[llabs(P)] / sum;
	*outside = 2 * root[R] * beyond / (1 - beyond) / sum;
}

/* tail[x - 1] of the tree, x = from + 1 .. n */
DP_VECTORS static void
finish_passage(const struct passage *q, const struct halves *of, ptrdiff_t from, ptrdiff_t n,
    double *tail)
{
	const ptrdiff_t R = q->reach;
	ptrdiff_t P, x;

	for (x = from; x < n; x++)
		tail[x] = q->outside;
	for (P = -R; P <= R; P++) {
		set_row(q, of, P, from, n, q->row);
		for (x = from; x < n; x++)
			tail[x] += q->root[P + R] * q->row[x];
	}
	for (x = from; x < n; x++)
		tail[x] = fmin(tail[x] * draws(q->p), 1);
}

/*
 * The least of heights 1 .. n whose tail is at most that; n + 1: none.  Tails fall, so the first
 * BLOCK of them with such a height is found by bisection, at its last one; but each height's tail
 * is its own, and what is chosen is looked at itself.
 */
static unsigned
least_height(const struct passage *q, const struct halves *of, double most, unsigned n,
    double *tail)
{
	unsigned low = 0, high = (n - 1) / BLOCK + 1, try = high - 1, end, x;	/* blocks */

	while (low < high) {
		end = n - try * BLOCK < BLOCK ? n : (try + 1) * BLOCK;
		finish_passage(q, of, end - 1, end, tail);
		if (tail[end - 1] <= most)
			high = try;
		else
			low = try + 1;
		try = low + (high - low) / 2;
	}
	if (low * BLOCK >= n)
		return n + 1;
	end = n - low * BLOCK < BLOCK ? n : (low + 1) * BLOCK;
	finish_passage(q, of, low * BLOCK, end, tail);
	for (x = low * BLOCK; x < end && !(tail[x] <= most); x++)
		;
	return x < end ? x + 1 : n + 1;
}

static void
set_step(struct passage *q)
{
	const ptrdiff_t R = q->reach;
	ptrdiff_t P, x;

	for (P = -R; P <= R; P++)
		for (x = 0; x < (ptrdiff_t)q->high; x++)
			at_passage(q, q->step, P)[x] = P > x;
}

static bool
known_passage(const struct dp_normtree *p)
{
	return !p->exact && p->fine == 0 && p->unit == 1 && !p->row;
}

static bool
asked(const struct dp_normtree *p, const uint64_t *T, unsigned times, unsigned n)
{
	unsigned i;

	for (i = 0; i < times; i++)
		if (T[i] == 0 || T[i] > (uint64_t)1 << p->h || (!p->shape.chain && T[i] >
		    p->shape.T))
			return false;
	return known_passage(p) && n > 0;
}

static void
end(struct passage *q)
{
	unsigned i;

	for (i = 0; i < q->p->shape.kinds; i++)
		free(q->memory[i]);
	free(q->step);
	free(q);
}

static void
set_size(struct passage *q, const struct dp_normtree *p, unsigned n)
{
	q->p = p;
	q->high = n + HIGH;
	q->reach = p->A > q->high ? p->A : q->high;
	q->bytes = 3 * size(q) + (q->high + 2 * (size_t)q->reach + 1) * sizeof *q->step +
	    dp_normtree_splits_size(q->reach);
}

size_t
dp_normtree_passage_bytes(const struct dp_normtree *p, unsigned n)
{
	struct passage q;

	set_size(&q, p, n);
	return q.bytes + (p->shape.kinds - 1) * size(&q);
}

/* What all heights 1 .. n are found from. */
static int
begin(struct passage **out, const struct dp_normtree *p, double rare, unsigned n)
{
	struct passage *q = calloc(1, sizeof *q);
	size_t row, table;
	int e;

	if (q == NULL)
		return DP_ENOMEM;
	q->rare = rare;
	set_size(q, p, n);
	row = 2 * (size_t)q->reach + 1;
	table = size(q) / sizeof *q->step;
	q->step = malloc(q->bytes);
	e = q->step == NULL ? DP_ENOMEM : 0;
	if (e == 0) {
		q->partial = q->step + table;
		q->next = q->partial + table;
		q->row = q->next + table;
		q->root = q->row + q->high;
		dp_normtree_splits_in(&q->splits, q->reach, q->root + row);
		set_root_passage(p, &q->splits, q->root, &q->outside);
		set_step(q);
		e = rise(q);
	}
	if (e == 0)
		*out = q;
	else
		end(q);
	return e;
}

int
dp_normtree_passages(const struct dp_normtree *p, const uint64_t *T, unsigned times, unsigned n,
    double *tail)
{
	struct passage *q;
	struct halves of;
	unsigned i;
	int e;

	if (!asked(p, T, times, n))
		return DP_EINVAL;
	if ((e = begin(&q, p, RARE, n)) != 0)
		return e;
	for (i = 0; i < times; i++) {
		of = halves(q, p->shape.kinds - 1, T[i]);
		finish_passage(q, &of, 0, n, tail + (size_t)i * n);
	}
	end(q);
	return 0;
}

int
dp_normtree_passage_least(const struct dp_normtree *p, uint64_t T, double most, unsigned n,
    unsigned *x, double *tail)
{
	struct passage *q;
	struct halves of;
	double *all;
	int e;

	if (!asked(p, &T, 1, n))
		return DP_EINVAL;
	if ((all = malloc(n * sizeof *all)) == NULL)
		return DP_ENOMEM;
	if ((e = begin(&q, p, RARE, n)) == 0) {
		of = halves(q, p->shape.kinds - 1, T);
		*x = least_height(q, &of, most, n, all);
		*tail = *x <= n ? all[*x - 1] : 1;
		end(q);
	}
	free(all);
	return e;
}

/*
 * All steps of a description, where what is lacking of 1 will do, as gamma is no smaller than
 * SMALLEST: S = 1 - G, so that S(P, x) = sum over a of p(a | P) S_L(a, x) S_R(P - a, x - a), and
 * what is left out, or lies above the last height, has S = 0 or that height's.  All of it counts
 * as reached, so a grid may be of any size: those of set_limits() cost about MISSED of gamma.
 */
#define SMALLEST	1e-6
#define UNION	.9	/* how much of a union bound is looked at, at most, */
#define WORK	3e9		/* and products */
#define MISSED	3e-4
#define FEW	1e-2		/* of a node's part of it: a split */
#define ABOVE	16		/* heights beyond the last one asked for, at least */
#define LANES	16		/* heights at a time */

struct grid {
	double *of;		/* [P + low][x - 1], and LANES times the last; NULL: a step's */
	unsigned low, reach;		/* of P: -low .. reach */
	unsigned users;			/* that are still to come */
	const struct dp_real *law;	/* its noise, about, 0 .. A, and how it goes on: */
	unsigned A;
	double beyond, part;		/* how much of it may be left out */
};

struct below {
	const struct dp_normtree *p;
	unsigned high, reach;
	struct dp_normtree_splits splits;
	double *memory;			/* of them */
	struct grid step, of[DP_NORMTREE_KINDS], partial[2];
};

/* Both halves of a node; right: NULL, if it has none of the first T steps. */
struct parts {
	const struct grid *left, *right;
	bool whole;
};

static double *
stays(const struct below *q, const struct grid *G, ptrdiff_t P)
{
	return G->of + LANES + (size_t)(P + (ptrdiff_t)G->low) * (q->high + LANES);
}

/* A pair's first step alone is to stay below x. */
static void
stay_pair(const struct below *q, ptrdiff_t P, double *out)
{
	const double *p = dp_normtree_split_of(&q->splits, (unsigned)llabs(P));
	double sum = 0;
	ptrdiff_t a;

	for (a = -(ptrdiff_t)q->splits.reach; a < (ptrdiff_t)q->high; a++) {
		if (a > 0)
			out[a - 1] = sum;
		if (a <= (ptrdiff_t)q->splits.reach)
			sum += p[P < 0 ? -a : a];
	}
	out[q->high - 1] = sum;
}

/* sum[i] += p[0] l[i] r[i], n times, from one split to the next; r: NULL, if that is 1 */
DP_INLINE void
add_lanes(dp_four sum[LANES / 4], const double *p, ptrdiff_t sign, const double *l, ptrdiff_t row,
    const double *r, ptrdiff_t back, ptrdiff_t n)
{
	dp_four s0 = sum[0], s1 = sum[1], s2 = sum[2], s3 = sum[3];
	const dp_four *x, *y;

	for (; n > 0; n--, p += sign, l += row, r -= back) {
		x = (const void *)l;
		y = (const void *)r;
		s0 += *p * x[0] * y[0];
		s1 += *p * x[1] * y[1];
		s2 += *p * x[2] * y[2];
		s3 += *p * x[3] * y[3];
	}
	sum[0] = s0;
	sum[1] = s1;
	sum[2] = s2;
	sum[3] = s3;
}

/* Heights first + 1 .. of LANES, of the splits low .. last of P. */
DP_INLINE void
stay_lanes(const struct below *q, const struct parts *of, ptrdiff_t P, ptrdiff_t low,
    ptrdiff_t last, ptrdiff_t first, double *restrict out)
{
	const ptrdiff_t high = q->high, row = high + LANES, sign = P < 0 ? -1 : 1;
	const double *p = dp_normtree_split_of(&q->splits, (unsigned)llabs(P)) + sign * low;
	dp_four sum[LANES / 4] = { { 0 } };
	const double *l;
	ptrdiff_t n, far;
	unsigned i;

	if (last > first + LANES - 1)
		last = first + LANES - 1;
	if (last < low) {
		memcpy(out, sum, sizeof sum);
		return;
	}
	l = stays(q, of->left, low) + first;
	n = last - low + 1;
	if (of->right == NULL)
		for (; n > 0; n--, p += sign, l += row)
			for (i = 0; i < LANES; i++)
				sum[i / 4][i % 4] += *p * l[i];
	else {
		/* first the heights above the last one: each has the last one's row */
		far = first - high - low + 1;
		far = far < 0 ? 0 : far < n ? far : n;
		add_lanes(sum, p, sign, l, row, stays(q, of->right, P - low) + high, row, far);
		/* where a >= x the left half has 0, and what is read has no weight */
		low += far;
		if (far < n)
			add_lanes(sum, p + sign * far, sign, l + far * row, row,
			    stays(q, of->right, P - low) + first - low, row + 1, n - far);
	}
	memcpy(out, sum, sizeof sum);
}

static double
weight_passage(const struct grid *G, unsigned P)
{
	const double last = dp_real_double(G->law[P < G->A ? P : G->A]);

	return P > G->A ? last * pow(G->beyond, P - G->A) : last;
}

DP_INLINE void
stay_row(const struct below *q, const struct parts *of, const struct grid *to, ptrdiff_t P,
    double *out)
{
	const double *p = dp_normtree_split_of(&q->splits, (unsigned)llabs(P));
	const double rare = to->part * FEW / weight_passage(to, (unsigned)llabs(P));
	const ptrdiff_t own = of->whole && P > 0 ? P : 0, high = q->high;
	ptrdiff_t low = -(ptrdiff_t)of->left->low, last = of->left->reach, x, a;
	double most = 0;

	if (of->left->of == NULL)
		stay_pair(q, P, out);
	else {
		if (of->right != NULL && low < P - (ptrdiff_t)of->right->reach)
			low = P - (ptrdiff_t)of->right->reach;
		if (of->right != NULL && last > P + (ptrdiff_t)of->right->low)
			last = P + (ptrdiff_t)of->right->low;
		while (low <= last && p[P < 0 ? -low : low] < rare)
			low++;
		while (last >= low && p[P < 0 ? -last : last] < rare)
			last--;
		for (a = low; a <= last; a++)
			most += p[P < 0 ? -a : a];
		for (x = own - own % LANES; x < high; x += LANES) {
			stay_lanes(q, of, P, low, last, x, out + x);
			if (most - out[x + LANES - 1] < rare)
				break;
		}
		for (x += LANES; x < high; x++)
			out[x] = out[x - 1];
	}
	for (x = 0; x < own && x < high; x++)
		out[x] = 0;
}

DP_VECTORS static void
stay(const struct below *q, const struct parts *of, const struct grid *to)
{
	double *out;
	ptrdiff_t P;
	unsigned i;

	for (P = -(ptrdiff_t)to->low; P <= (ptrdiff_t)to->reach; P++) {
		out = stays(q, to, P);
		stay_row(q, of, to, P, out);
		for (i = 0; i < LANES; i++)
			out[q->high + i] = out[q->high - 1];
	}
}

static const struct grid *
below_child(const struct below *q, unsigned kind)
{
	return kind == DP_NORMTREE_STEP ? &q->step : &q->of[kind];
}

static void
set_parts(struct below *q, unsigned kind)
{
	const struct dp_normtree_level *v = &q->p->level[kind];
	const struct dp_normtree_kind *k = &q->p->shape.kind[kind];
	unsigned R = v->A, i, low;

	for (i = 0; i < 3; i++) {
		low = i == 2 ? q->of[kind].low : below_child(q, k->child[i])->low;
		R = low > R ? low : R;
	}
	dp_normtree_splits_in(&q->splits, R, q->memory);
	q->splits.rows = q->of[kind].low;
	dp_normtree_set_splits(&q->splits, q->p, kind, 0);
}

static int
make_grid(const struct below *q, struct grid *G)
{
	const size_t row = q->high + LANES;

	G->of = malloc((LANES + ((size_t)G->low + G->reach + 1) * row) * sizeof *G->of);
	if (G->of == NULL)
		return DP_ENOMEM;
	memset(G->of, 0, LANES * sizeof *G->of);
	return 0;
}

static void
leave(struct below *q, unsigned kind)
{
	if (kind == DP_NORMTREE_STEP || --q->of[kind].users > 0)
		return;
	free(q->of[kind].of);
	q->of[kind].of = NULL;
}

/* All kinds but the root's, from the steps up; none stays longer than it is needed. */
static int
below_rise(struct below *q)
{
	const struct dp_normtree_shape *s = &q->p->shape;
	struct parts of = { .whole = true };
	unsigned i;
	int e;

	for (i = 0; i < s->kinds - 1; i++) {
		if (q->of[i].users == 0)
			continue;
		of.left = below_child(q, s->kind[i].child[0]);
		of.right = below_child(q, s->kind[i].child[1]);
		if ((e = make_grid(q, &q->of[i])) != 0)
			return e;
		set_parts(q, i);
		stay(q, &of, &q->of[i]);
		leave(q, s->kind[i].child[0]);
		leave(q, s->kind[i].child[1]);
	}
	return 0;
}

/* F of a node, or G, and the root's always anew. */
static int
below_first(struct below *q, const struct grid **out, unsigned kind, uint64_t T)
{
	const struct dp_normtree_kind *k;
	const struct grid *F;
	struct parts of;
	struct grid *to;
	bool right;
	int e;

	*out = below_child(q, kind);
	if (kind == DP_NORMTREE_STEP)
		return 0;
	k = &q->p->shape.kind[kind];
	if (T == (uint64_t)1 << k->level && kind < q->p->shape.kinds - 1)
		return 0;
	right = T > (uint64_t)1 << (k->level - 1);
	if ((e = below_first(q, &F, k->child[right], right ? T - ((uint64_t)1 << (k->level - 1)) :
	    T)) != 0)
		return e;
	of = (struct parts){ .left = right ? below_child(q, k->child[0]) : F,
	    .right = right ? F : NULL, .whole = T == (uint64_t)1 << k->level };
	to = &q->partial[F == q->partial];
	free(to->of);
	*to = q->of[kind];
	if (!of.whole)		/* its end may be above a height that none of its steps reaches */
		to->reach = to->low;
	if ((e = make_grid(q, to)) == 0) {
		set_parts(q, kind);
		stay(q, &of, to);
	}
	*out = to;
	return e;
}

/* The kinds that are needed whole, and by how many. */
static void
set_users(struct below *q, uint64_t T)
{
	const struct dp_normtree_shape *s = &q->p->shape;
	const struct dp_normtree_kind *k;
	unsigned i = s->kinds - 1, side;
	uint64_t half;

	for (k = &s->kind[i]; i == s->kinds - 1 || T < (uint64_t)1 << k->level; k = &s->kind[i]) {
		half = (uint64_t)1 << (k->level - 1);
		if (T > half && k->child[0] != DP_NORMTREE_STEP)
			q->of[k->child[0]].users++;
		i = k->child[T > half];
		T -= T > half ? half : 0;
		if (i == DP_NORMTREE_STEP)
			break;
	}
	if (i != DP_NORMTREE_STEP)
		q->of[i].users++;
	for (i = s->kinds - 1; i-- > 0; )
		for (side = 0; side < 2 && q->of[i].users > 0; side++)
			if (s->kind[i].child[side] != DP_NORMTREE_STEP)
				q->of[s->kind[i].child[side]].users++;
}

/* How far a law goes until a part of it is left on both sides; its grid, if that is the most. */
static void
set_limit(const struct below *q, struct grid *G, const struct dp_real *law, unsigned A,
    double beyond, double part)
{
	double sum = dp_real_double(law[0]), left, last = sum;
	unsigned i;

	for (i = 1; i <= A; i++)
		sum += 2 * (last = dp_real_double(law[i]));
	left = 2 * last * beyond / (1 - beyond);
	part *= sum + left;
	for (i = A; i > 0 && left + 2 * dp_real_double(law[i]) <= part; i--)
		left += 2 * dp_real_double(law[i]);
	for (; i < q->reach && left > part; i++)
		left *= beyond;
	i = i < q->reach ? i : q->reach;
	if (G->law != NULL && i <= G->low)
		return;
	G->low = i;
	G->reach = i < q->high ? i : q->high - 1;	/* all above have S = 0 */
	G->law = law;
	G->A = A;
	G->beyond = beyond;
	G->part = part;
}

/* Each level may miss as much; a child's law is about its table. */
static void
set_limits(struct below *q, double gamma)
{
	const struct dp_normtree *p = q->p;
	const struct dp_normtree_kind *k = p->shape.kind;
	const struct dp_normtree_level *v;
	const double part = MISSED * gamma / (p->h + 1);
	unsigned i = p->shape.kinds - 1, side, child;

	set_limit(q, &q->of[i], p->root, p->A, dp_real_double(p->beyond), part);
	for (i = p->shape.kinds; i-- > 0; )
		for (side = 0; side < 2; side++) {
			child = k[i].child[side];
			v = &p->level[i];
			if (child != DP_NORMTREE_STEP)
				set_limit(q, &q->of[child], v->child[side], v->reach[side],
				    dp_real_double(v->beyond[side]),
				    ldexp(part, k[child].level - (int)p->h));
		}
}

/* The least w, from least on, that one side is above with gamma / 2 at most; heights: none. */
static double
least_whole(struct below *q, const struct grid *F, double gamma, double least, double heights)
{
	double sum, stay, w;
	const double *root;
	ptrdiff_t P;

	dp_normtree_splits_in(&q->splits, q->reach, q->memory);
	root = dp_normtree_root_weights(&q->splits, q->p, &sum);
	for (w = least; w < heights; w++) {
		for (stay = 0, P = -(ptrdiff_t)F->low; P <= (ptrdiff_t)F->reach; P++)
			stay += root[llabs(P)] / sum * stays(q, F, P)[(size_t)w];
		if (2 * (1 - stay + ROUNDED) * draws(q->p) <= gamma)
			break;
	}
	return w;
}

/* All is even, so both sides together are reached at most twice as often as one. */
double
dp_normtree_all(const struct dp_normtree *p, uint64_t T, double gamma, double least, double most)
{
	const double side = 2. * p->A + 1, heights = ceil(UNION * most);
	const struct grid *F;
	struct below *q;
	double w = heights;
	unsigned i;
	int e;

	if (gamma < SMALLEST || p->shape.kinds * side * side * (heights + HIGH) > WORK ||
	    !asked(p, &T, 1, (unsigned)heights))
		return most;
	if ((q = calloc(1, sizeof *q)) == NULL)
		return NAN;
	q->p = p;
	q->high = ((unsigned)heights + ABOVE + LANES) / LANES * LANES;
	q->reach = p->A > q->high ? p->A : q->high;
	q->memory = malloc(dp_normtree_splits_size(q->reach));
	e = q->memory == NULL ? DP_ENOMEM : 0;
	if (e == 0) {
		set_limits(q, gamma);
		set_users(q, T);
		e = below_rise(q);
	}
	if (e == 0 && (e = below_first(q, &F, p->shape.kinds - 1, T)) == 0)
		w = least_whole(q, F, gamma, least, heights);
	for (i = 0; i < p->shape.kinds; i++)
		free(q->of[i].of);
	free(q->partial[0].of);
	free(q->partial[1].of);
	free(q->memory);
	free(q);
	return e != 0 ? NAN : w < heights ? w : most;
}

int
dp_normtree_root_law(const struct dp_normtree *p, unsigned R, double *law, double *outside)
{
	struct dp_normtree_splits s;
	double *memory;
	unsigned i;

	if (!known_passage(p) || R < p->A)
		return DP_EINVAL;
	if ((memory = malloc(dp_normtree_splits_size(R))) == NULL)
		return DP_ENOMEM;
	dp_normtree_splits_in(&s, R, memory);
	set_root_passage(p, &s, law, outside);
	for (i = 0; i <= 2 * R; i++)
		law[i] *= draws(p);
	*outside *= draws(p);
	free(memory);
	return 0;
}

/*
 * How often the noise of a window can be expected to be at a height or above, in
 * an endless row of chains (normtree.h).
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
law_window(const struct windows *q, size_t i)
{
	return q->law + i * (size_t)q->side;
}

/* to(r, a) = sum over P of from(r, P) p(a | P), r >= 0; the rest is the mirror's. */
static void
split_window(const struct windows *q, unsigned level, const double *from, double *to)
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
		to = law_window(q, ++q->done);
		for (r = -R; r <= R; r++)
			for (P = -R; P <= R; P++)
				if (r + P >= -R && r + P <= R)
					to[r + P + R] += m[(r + R) * n + P + R];
		return;
	}
	split_window(q, level, m, q->m[2 * level - 2]);
	descend(q, level - 1);
	shear(q, 1, m, room);
	split_window(q, level, room, m);
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
	law_window(q, 0)[R] = 1;
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

	convolve(q, law_window(q, i), law_window(q, m), sum);
	for (; whole > 0; whole--) {
		convolve(q, sum, law_window(q, L), next);
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

/* The probabilities of a kind's splits. */

#define UNSEEN	0x1p-55		/* of a sum: a term that does not change it */

size_t
dp_normtree_splits_size(unsigned reach)
{
	const size_t row = 2 * (size_t)reach + 1;

	return ((row + 2) * (reach + 1) + 2 * (5 * (size_t)reach + 1)) * sizeof(double) +
	    (reach / 2 + 1) * 2 * sizeof(unsigned);	/* several may follow each other */
}

void
dp_normtree_splits_in(struct dp_normtree_splits *s, unsigned reach, double *memory)
{
	s->reach = s->rows = reach;
	s->split = memory;
	s->g[0] = s->split + (2 * (size_t)reach + 1) * (reach + 1);
	s->g[1] = s->g[0] + 5 * (size_t)reach + 1;
	s->fall = s->g[1] + 5 * (size_t)reach + 1;
	s->outside = s->fall + reach + 1;
	s->spread = (void *)(s->outside + reach + 1);
}

static double
table_splits(const struct dp_real *t, unsigned A, double beyond, double *to, unsigned n)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i <= n; i++) {
		to[i] = i <= A ? dp_real_double(t[i]) : to[i - 1] * beyond;
		sum += i == 0 ? to[i] : 2 * to[i];
	}
	return sum + 2 * to[n] * beyond / (1 - beyond);
}

/* k of P's split into a and P - a, one of them negative by y */
static double
fall(const struct dp_normtree_splits *s, const struct dp_normtree_level *v, unsigned P,
    unsigned y)
{
	const unsigned most = v->open ? y : P < v->A ? v->A - P : 0;

	y = y < most ? y : most;
	if (y <= s->reach && y <= v->A)
		return s->fall[y];
	return y <= v->A ? dp_real_double(v->fall[y]) : dp_real_double(v->fall[v->A]) *
	    pow(dp_real_double(v->fade), y - v->A);
}

/*
 * The splits of P, whose sum is taken as far as they go on, or change it: beyond R >= A terms fall
 * by `ratio' a step or faster, so those after one of them come to that over 1 - ratio at most.
 */
static void
set_split(const struct dp_normtree_splits *s, const struct dp_normtree_level *v, unsigned P,
    double rare)
{
	const unsigned R = s->reach, far = 4 * R;
	const double *g = s->g[0], *h = s->g[1];
	const double fade = dp_real_double(v->fade), ratio = v->open ? fade :
	    dp_real_double(v->beyond[0]) * dp_real_double(v->beyond[1]);
	double *to = s->split + (size_t)P * (2 * R + 1) + R, sum = 0, out = 0, k = 1,
	    one = 0, other = 0;
	unsigned y, a;

	for (a = 0; a <= P; a++)
		sum += to[a] = g[a] * h[P - a];
	for (y = 1; y <= far; y++) {	/* -y and P + y, in both orders */
		k = y <= v->A + 1 ? fall(s, v, P, y) : k * (v->open ? fade : 1);
		one = g[y] * h[P + y] * k;
		other = g[P + y] * h[y] * k;
		if (y > R && one + other < sum * UNSEEN)
			break;
		sum += one + other;
		if (y <= R)
			to[-(ptrdiff_t)y] = one;
		else
			out += one;
		if (P + y <= R)
			to[P + y] = other;
		else
			out += other;
	}
	s->outside[P] = (out + (one + other) / (1 - ratio)) / sum;
	for (y = 0; y <= 2 * R; y++)
		to[(ptrdiff_t)y - R] /= sum;
	for (y = P / 2 + R; y > P && to[(ptrdiff_t)(P / 2) - y] < rare &&
	    (P - P / 2 + y > R || to[P - P / 2 + y] < rare); y--)
		;
	s->spread[P] = y;
}

void
dp_normtree_set_splits(struct dp_normtree_splits *s, const struct dp_normtree *p, unsigned kind,
    double rare)
{
	const struct dp_normtree_level *v = &p->level[kind];
	const unsigned end = 5 * s->reach;
	unsigned side, a, P;

	for (side = 0; side < 2; side++)
		if (v->open)
			for (a = 0; a <= end; a++)
				s->g[side][a] = 1;
		else
			(void)table_splits(v->child[side], v->reach[side],
			    dp_real_double(v->beyond[side]), s->g[side], end);
	for (a = 0; a <= s->reach && a <= v->A; a++)
		s->fall[a] = dp_real_double(v->fall[a]);
	for (P = 0; P <= s->rows; P++)
		set_split(s, v, P, rare);
}

const double *
dp_normtree_root_weights(struct dp_normtree_splits *s, const struct dp_normtree *p, double *sum)
{
	*sum = table_splits(p->root, p->A, dp_real_double(p->beyond), s->g[0], s->reach);
	return s->g[0];
}
