/*
 * passage.c - law of the largest noise of a count, to one side, of one tree of whole numbers.
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
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "passage.h"
#include "splits.h"

#define RARE	1e-25
#define LENIENT	1e-12		/* RARE of dp_normtree_all(); */
#define SMALLEST	1e-6	/* its gamma, at least, */
#define UNION	.9		/* how much of a union bound it looks at, at most, */
#define WORK	3e9		/* and products: some .3 seconds */
#define BLOCK	32		/* heights; bisection looks at the last of each block */
#define HIGH	24		/* heights beyond the last one asked for */
#define ROUNDED	1e-9

struct passage {
	const struct dp_normtree *p;
	unsigned reach, high;		/* of P; of x, 1 .. high */
	double rare;
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
at(const struct passage *q, double *G, ptrdiff_t P)
{
	return G + (size_t)(P + (ptrdiff_t)q->reach) * q->high;
}

/* to[x - 1] += one (L(a, x) + (1 - L(a, x)) R(b, x - a)), x = low + 1 .. n */
DP_INLINE void
add(const struct passage *q, double *restrict to, double one, const double *restrict left,
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
			add(q, out, one, at(q, of->left, a), at(q, of->right, P - a), a, low, n);
		else
			for (x = low; x < n; x++)
				out[x] += one * at(q, of->left, a)[x];
	}
	for (x = low; x < n; x++)
		out[x] = fmin(out[x] + left_out, 1);
}

DP_VECTORS static void
combine(const struct passage *q, const struct halves *of, double *to)
{
	const ptrdiff_t R = q->reach;
	ptrdiff_t P;

	for (P = -R; P <= R; P++)
		set_row(q, of, P, 0, q->high, at(q, to, P));
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
		combine(q, &of, q->of[i]);
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
	combine(q, &of, to);
	return to;
}

static double
draws(const struct dp_normtree *p)
{
	return 1 + ROUNDED + ldexp(1, (int)p->h + 1 - 39);
}

/* The root's law, and the probability that it is beyond. */
static void
set_root(const struct dp_normtree *p, struct dp_normtree_splits *s, double *law, double *outside)
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
finish(const struct passage *q, const struct halves *of, ptrdiff_t from, ptrdiff_t n, double *tail)
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
		finish(q, of, end - 1, end, tail);
		if (tail[end - 1] <= most)
			high = try;
		else
			low = try + 1;
		try = low + (high - low) / 2;
	}
	if (low * BLOCK >= n)
		return n + 1;
	end = n - low * BLOCK < BLOCK ? n : (low + 1) * BLOCK;
	finish(q, of, low * BLOCK, end, tail);
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
			at(q, q->step, P)[x] = P > x;
}

static bool
known(const struct dp_normtree *p)
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
	return known(p) && n > 0;
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

/* What all heights 1 .. n are found from. */
static int
begin(struct passage **out, const struct dp_normtree *p, double rare, unsigned n)
{
	struct passage *q = calloc(1, sizeof *q);
	size_t row, table;
	int e;

	if (q == NULL)
		return DP_ENOMEM;
	q->p = p;
	q->rare = rare;
	q->high = n + HIGH;
	q->reach = p->A > q->high ? p->A : q->high;
	row = 2 * (size_t)q->reach + 1;
	table = size(q) / sizeof *q->step;
	q->step = malloc(3 * size(q) + (q->high + row) * sizeof *q->step +
	    dp_normtree_splits_size(q->reach));
	e = q->step == NULL ? DP_ENOMEM : 0;
	if (e == 0) {
		q->partial = q->step + table;
		q->next = q->partial + table;
		q->row = q->next + table;
		q->root = q->row + q->high;
		dp_normtree_splits_in(&q->splits, q->reach, q->root + row);
		set_root(p, &q->splits, q->root, &q->outside);
		set_step(q);
		e = rise(q);
	}
	if (e == 0)
		*out = q;
	else
		end(q);
	return e;
}

static int
passages(const struct dp_normtree *p, const uint64_t *T, unsigned times, double rare, unsigned n,
    double *tail)
{
	struct passage *q;
	struct halves of;
	unsigned i;
	int e;

	if (!asked(p, T, times, n))
		return DP_EINVAL;
	if ((e = begin(&q, p, rare, n)) != 0)
		return e;
	for (i = 0; i < times; i++) {
		of = halves(q, p->shape.kinds - 1, T[i]);
		finish(q, &of, 0, n, tail + (size_t)i * n);
	}
	end(q);
	return 0;
}

int
dp_normtree_passages(const struct dp_normtree *p, const uint64_t *T, unsigned times, unsigned n,
    double *tail)
{
	return passages(p, T, times, RARE, n, tail);
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

/* All is even, so both sides together are reached at most twice as often as one. */
double
dp_normtree_all(const struct dp_normtree *p, uint64_t T, double gamma, double least, double most)
{
	const double side = 2. * p->A + 1, heights = ceil(UNION * most);
	double *tail, w = least;
	int e;

	if (gamma < SMALLEST || p->shape.kinds * side * side * (heights + HIGH) > WORK)
		return most;
	if ((tail = malloc((size_t)(heights + 1) * sizeof *tail)) == NULL)
		return NAN;
	if ((e = passages(p, &T, 1, LENIENT, (unsigned)heights, tail)) == 0)
		while (w < heights && 2 * tail[(size_t)w] > gamma)
			w++;
	free(tail);
	return e == DP_ENOMEM ? NAN : e == 0 && w < heights ? w : most;
}

int
dp_normtree_root_law(const struct dp_normtree *p, unsigned R, double *law, double *outside)
{
	struct dp_normtree_splits s;
	double *memory;
	unsigned i;

	if (!known(p) || R < p->A)
		return DP_EINVAL;
	if ((memory = malloc(dp_normtree_splits_size(R))) == NULL)
		return DP_ENOMEM;
	dp_normtree_splits_in(&s, R, memory);
	set_root(p, &s, law, outside);
	for (i = 0; i <= 2 * R; i++)
		law[i] *= draws(p);
	*outside *= draws(p);
	free(memory);
	return 0;
}
