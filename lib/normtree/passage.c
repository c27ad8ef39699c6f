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
	double *root, outside;		/* [P + reach]: the root's law; P(|P| > reach) */
};

static double *
at(const struct passage *q, double *G, ptrdiff_t P)
{
	return G + (size_t)(P + (ptrdiff_t)q->reach) * q->high;
}

/* to[x - 1] += one (L(a, x) + (1 - L(a, x)) R(b, x - a)), x = low + 1 .. high */
DP_INLINE void
add(const struct passage *q, double *restrict to, double one, const double *restrict left,
    const double *restrict right, ptrdiff_t a, ptrdiff_t low)
{
	const ptrdiff_t n = q->high, from = a > low ? (a < n ? a : n) : low;
	const ptrdiff_t end = a < 0 ? (n + a > 0 ? n + a : 0) : n;
	ptrdiff_t i;

	for (i = low; i < from; i++)	/* a >= x */
		to[i] += one;
	for (; i < end; i++)
		to[i] += one * (left[i] + (1 - left[i]) * right[i - a]);
	for (; i < n; i++)
		to[i] += one * (left[i] + (1 - left[i]) * right[n - 1]);
}

/*
 * A row of a pair, above the heights that its own end reaches: its first step is x or more.  This
 * is the sum of combine(), where L is 1 for a >= x and R is 0.
 */
static void
pair_row(const struct passage *q, ptrdiff_t P, ptrdiff_t low, double *out)
{
	const double *p = dp_normtree_split_of(&q->splits, (unsigned)llabs(P));
	double sum = q->splits.outside[llabs(P)];
	ptrdiff_t x;

	for (x = q->reach; x > low; x--) {
		sum += p[P < 0 ? -x : x];
		if (x <= (ptrdiff_t)q->high)
			out[x - 1] = fmin(sum, 1);
	}
}

/* G or F of a node from its children's; whole: its own end is one of the steps. */
DP_VECTORS static void
combine(const struct passage *q, double *left, double *right, bool whole, bool both, double *to)
{
	const ptrdiff_t R = q->reach, n = q->high;
	const double *p;
	ptrdiff_t P, a, x, low;
	double *out, one, left_out;

	for (P = -R; P <= R; P++) {
		p = dp_normtree_split_of(&q->splits, (unsigned)llabs(P));
		out = at(q, to, P);
		low = !whole || P < 0 ? 0 : P < n ? P : n;	/* so many heights are reached */
		for (x = 0; x < n; x++)
			out[x] = x < low;
		if (left == q->step) {
			pair_row(q, P, low, out);
			continue;
		}
		left_out = q->splits.outside[llabs(P)];
		for (a = low < n ? -R : R + 1; a <= R; a++) {
			one = p[P < 0 ? -a : a];
			if (one < q->rare || (both && llabs(P - a) > R))
				left_out += one;
			else if (both)
				add(q, out, one, at(q, left, a), at(q, right, P - a), a, low);
			else
				for (x = low; x < n; x++)
					out[x] += one * at(q, left, a)[x];
		}
		for (x = low; x < n; x++)
			out[x] = fmin(out[x] + left_out, 1);
	}
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

/* All kinds, from the steps up; the root's where all of its steps are asked for. */
static int
rise(struct passage *q, const uint64_t *T, unsigned times)
{
	const struct dp_normtree_shape *s = &q->p->shape;
	bool all = false;
	unsigned i;

	for (i = 0; i < times; i++)
		all |= T[i] == (uint64_t)1 << q->p->h;
	for (i = 0; i < s->kinds - !all; i++) {
		if ((q->of[i] = q->memory[i] = malloc(size(q))) == NULL)
			return DP_ENOMEM;
		dp_normtree_set_splits(&q->splits, q->p, i, q->rare);
		combine(q, of_child(q, s->kind[i].child[0]), of_child(q, s->kind[i].child[1]),
		    true, true, q->of[i]);
	}
	return 0;
}

/* F of a node of that kind of which the first T steps count. */
static double *
first(struct passage *q, unsigned kind, uint64_t T)
{
	const uint16_t *child;
	double *F, *to;
	uint64_t half;

	if (kind == DP_NORMTREE_STEP || T == (uint64_t)1 << q->p->shape.kind[kind].level)
		return of_child(q, kind);
	half = (uint64_t)1 << (q->p->shape.kind[kind].level - 1);
	child = q->p->shape.kind[kind].child;
	F = first(q, child[T > half], T > half ? T - half : T);
	to = F == q->partial ? q->next : q->partial;
	dp_normtree_set_splits(&q->splits, q->p, kind, q->rare);
	combine(q, T > half ? of_child(q, child[0]) : F, F, false, T > half, to);
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

static void
finish(struct passage *q, uint64_t T, unsigned n, double *tail)
{
	double *F = first(q, q->p->shape.kinds - 1, T);
	const ptrdiff_t R = q->reach;
	ptrdiff_t P;
	unsigned x;

	for (x = 0; x < n; x++)
		tail[x] = q->outside;
	for (P = -R; P <= R; P++)
		for (x = 0; x < n; x++)
			tail[x] += q->root[P + R] * at(q, F, P)[x];
	for (x = 0; x < n; x++)
		tail[x] = fmin(tail[x] * draws(q->p), 1);
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

static int
passages(const struct dp_normtree *p, const uint64_t *T, unsigned times, double rare, unsigned n,
    double *tail)
{
	struct passage *q;
	double *space = NULL;
	size_t row;
	unsigned i;
	int e = DP_ENOMEM;

	if (!asked(p, T, times, n))
		return DP_EINVAL;
	if ((q = calloc(1, sizeof *q)) == NULL)
		return DP_ENOMEM;
	q->p = p;
	q->rare = rare;
	q->high = n + HIGH;
	q->reach = p->A > q->high ? p->A : q->high;
	row = 2 * (size_t)q->reach + 1;
	space = malloc(3 * size(q) + row * sizeof *space + dp_normtree_splits_size(q->reach));
	if (space != NULL) {
		q->step = space;
		q->partial = space + size(q) / sizeof *space;
		q->next = q->partial + size(q) / sizeof *space;
		q->root = q->next + size(q) / sizeof *space;
		dp_normtree_splits_in(&q->splits, q->reach, q->root + row);
		set_root(p, &q->splits, q->root, &q->outside);
		set_step(q);
		e = rise(q, T, times);
		for (i = 0; i < times && e == 0; i++)
			finish(q, T[i], n, tail + (size_t)i * n);
	}
	for (i = 0; i < p->shape.kinds; i++)
		free(q->memory[i]);
	free(space);
	free(q);
	return e;
}

int
dp_normtree_passages(const struct dp_normtree *p, const uint64_t *T, unsigned times, unsigned n,
    double *tail)
{
	return passages(p, T, times, RARE, n, tail);
}

int
dp_normtree_passage(const struct dp_normtree *p, uint64_t T, unsigned n, double *tail)
{
	return passages(p, &T, 1, RARE, n, tail);
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
