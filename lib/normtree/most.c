/*
 * most.c - law of the largest of all noises of a count, of one tree of whole numbers.
 *
 * Let x be the noise before a node and y that after it, w(v) = y - x.  Given both, what is between
 * stays within [-w, w] with a probability H(x, y) that is its kind's, and as the two halves are
 * independent given the noise z between them,
 *	H(x, y) = 1 for a step,	H(x, y) = sum over z of p(z - x | y - x) L(x, z) R(z, y),
 * where p(a | P) is the probability of that split (normtree.h), L and R are those of the left and
 * the right child.  As all is even H(-x, -y) = H(x, y); in a chain H(y, x) is so, too.
 * All steps of a tree are within w with probability sum over y of p(y) H(0, y), p and H the root's;
 * of fewer, the node in which the last one lies is followed down, with the measure m(x, P) of what
 * came before it, all within, and its own noise P.
 *
 * All terms are positive, and what is left out (nodes beyond `reach`, splits that are rarer than
 * RARE) is counted as beyond w; CHARGE is for rounding, and for what sums of weights leave out.
 */
#include <math.h>
#include <stdlib.h>

#include "splits.h"

#define RARE	1e-12
#define CHARGE	1e-9
#define SMALLEST	1e-6	/* gamma: below, what is left out would count */
#define WORK	1.2e8	/* products, at most, of one w: some .05 seconds */

struct most {
	const struct dp_normtree *p;
	unsigned w, reach, side;	/* side: 2 w + 1, of H */
	bool needed[DP_NORMTREE_KINDS];
	bool even[DP_NORMTREE_KINDS];	/* H(x, y) = H(y, x) */
	double *H[DP_NORMTREE_KINDS];	/* of those needed: [x + w][y + w] */
	double *turned[DP_NORMTREE_KINDS];	/* [y + w][x + w]; H itself where it is even */
	double *ones;			/* a step's */
	struct dp_normtree_splits splits;	/* of the kind at hand */
	double *m, *next;		/* [x + w][P + reach] */
};

#define ABREAST	4	/* sums that a machine adds side by side */

DP_INLINE double
dot(const double *restrict p, const double *restrict x, const double *restrict y, unsigned n)
{
	double s[ABREAST] = { 0 };
	unsigned i, k;

	for (i = 0; i + ABREAST <= n; i += ABREAST)
		for (k = 0; k < ABREAST; k++)
			s[k] += p[i + k] * x[i + k] * y[i + k];
	for (; i < n; i++)
		s[0] += p[i] * x[i] * y[i];
	return s[0] + s[1] + (s[2] + s[3]);
}

/* H of a kind from its children's, the right one's turned. */
DP_INLINE void
combine(const struct most *q, unsigned kind, const double *left, const double *right)
{
	const unsigned n = q->side, last = n - 1;
	const bool even = q->even[kind];
	double *H = q->H[kind], *T = q->turned[kind], sum;
	unsigned x, y;

	for (x = 0; x <= (even ? q->w : last); x++)
		for (y = x; y < n - (even ? x : 0); y++) {
			sum = dot(dp_normtree_split_of(&q->splits, y - x) - x, left + (size_t)x * n,
			    right + (size_t)y * n, n);
			H[(size_t)x * n + y] = H[(size_t)(last - x) * n + last - y] = sum;
			T[(size_t)y * n + x] = T[(size_t)(last - y) * n + last - x] = sum;
		}
}

#ifdef __x86_64__
/* Order of additions and multiplications is fixed, and with it the result. */
__attribute__((target("avx2"))) static void
combine_avx2(const struct most *q, unsigned kind, const double *left, const double *right)
{
	combine(q, kind, left, right);
}
#endif

static void
rise(struct most *q, unsigned kind)
{
	const uint16_t *child = q->p->shape.kind[kind].child;
	const double *left = child[0] == DP_NORMTREE_STEP ? q->ones : q->H[child[0]];
	const double *right = child[1] == DP_NORMTREE_STEP ? q->ones : q->turned[child[1]];

	dp_normtree_set_splits(&q->splits, q->p, kind, RARE);
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2")) {
		combine_avx2(q, kind, left, right);
		return;
	}
#endif
	combine(q, kind, left, right);
}

/*
 * One level down to the node in which the last step lies: that is the first child, or the second
 * one, and then `all` is H of the first.
 */
static void
descend(struct most *q, const double *all)
{
	const ptrdiff_t n = q->side, R = q->reach, row = 2 * R + 1;
	double *swap = q->m, one;
	const double *p;
	ptrdiff_t x, P, a, b, first, last;

	memset(q->next, 0, (size_t)(n * row) * sizeof *q->next);
	for (x = 0; x < n; x++)
		for (P = -R; P <= R; P++) {
			if ((one = q->m[x * row + P + R]) <= RARE)
				continue;
			p = dp_normtree_split_of(&q->splits, (unsigned)llabs(P));
			first = P / 2 - (ptrdiff_t)q->splits.spread[llabs(P)] - 1;
			last = P - first;
			if (all != NULL) {	/* within, and so is what is left */
				first = first < -x ? -x : first;
				last = last > n - 1 - x ? n - 1 - x : last;
			}
			first = first < P - R ? P - R : first < -R ? -R : first;
			last = last > P + R ? P + R : last > R ? R : last;
			for (a = first; a <= last && a <= R; a++) {
				b = P < 0 ? -a : a;
				if (all == NULL)
					q->next[x * row + a + R] += one * p[b];
				else
					q->next[(x + a) * row + P - a + R] +=
					    one * p[b] * all[x * n + x + a];
			}
		}
	q->m = q->next;
	q->next = swap;
}

/* ---- which kinds ---- */

/* The node in which the last step lies, if it is not the last of it: its kind's child there. */
static unsigned
follow(const struct dp_normtree_shape *s, unsigned kind, uint64_t *T, bool *right)
{
	const uint64_t half = (uint64_t)1 << (s->kind[kind].level - 1);

	*right = *T > half;
	*T -= *right ? half : 0;
	return s->kind[kind].child[*right];
}

static bool
ends(const struct dp_normtree_shape *s, unsigned kind, uint64_t T)
{
	return kind == DP_NORMTREE_STEP || T == (uint64_t)1 << s->kind[kind].level;
}

/* Parts whose H is asked for; the largest H's parts of a chain are a half of others'. */
static void
find_needed(struct most *q, uint64_t T)
{
	const struct dp_normtree_shape *s = &q->p->shape;
	unsigned kind = s->kinds - 1, i, side;
	const uint16_t *c;
	bool right;

	for (i = 0; i < s->kinds; i++) {
		c = s->kind[i].child;
		q->even[i] = c[0] == c[1] && (c[0] == DP_NORMTREE_STEP || q->even[c[0]]);
	}
	while (!ends(s, kind, T)) {
		c = s->kind[kind].child;
		kind = follow(s, kind, &T, &right);
		if (right && c[0] != DP_NORMTREE_STEP)
			q->needed[c[0]] = true;
	}
	if (kind != DP_NORMTREE_STEP)
		q->needed[kind] = true;
	for (i = s->kinds; i-- > 0; )
		for (c = s->kind[i].child, side = 0; side < 2 && q->needed[i]; side++)
			if (c[side] != DP_NORMTREE_STEP)
				q->needed[c[side]] = true;
}

/* Operations that a bound takes. */
static double
work(const struct most *q, uint64_t T)
{
	const double n = q->side, row = 2. * q->reach + 1;
	double sum = 0;
	unsigned i;

	for (i = 0; i < q->p->shape.kinds; i++)
		if (q->needed[i])
			sum += n * n * n / (q->even[i] ? 4 : 2) + row * row;
	return T == (uint64_t)1 << q->p->h ? sum : sum + q->p->h * row * row * (1 + n / 16);
}

static void
set_bound(struct most *q, const struct dp_normtree *p, double w)
{
	q->p = p;
	q->w = (unsigned)w;
	q->side = 2 * q->w + 1;
	q->reach = 2 * q->w > p->A ? 2 * q->w : p->A;
}

/* ---- a bound ---- */

/* The probability that the first T steps are within w. */
static double
within(struct most *q, uint64_t T)
{
	const struct dp_normtree *p = q->p;
	const unsigned n = q->side, R = q->reach, row = 2 * R + 1;
	unsigned i, x, kind = p->shape.kinds - 1;
	const double *H, *root;
	double inside = 0, sum;
	ptrdiff_t y;
	bool right;

	for (i = 0; i < p->shape.kinds; i++)
		if (q->needed[i])
			rise(q, i);
	root = dp_normtree_root_weights(&q->splits, p, &sum);
	memset(q->m, 0, (size_t)n * row * sizeof *q->m);
	for (y = -(ptrdiff_t)R; y <= (ptrdiff_t)R; y++)
		q->m[q->w * row + (size_t)(y + R)] = root[llabs(y)] / sum;
	while (!ends(&p->shape, kind, T)) {
		const unsigned parent = kind, first = p->shape.kind[kind].child[0];

		kind = follow(&p->shape, kind, &T, &right);
		dp_normtree_set_splits(&q->splits, p, parent, RARE);
		descend(q, !right ? NULL : first == DP_NORMTREE_STEP ? q->ones : q->H[first]);
	}
	H = kind == DP_NORMTREE_STEP ? q->ones : q->H[kind];
	for (x = 0; x < n; x++)
		for (i = 0; i < n; i++) {
			y = (ptrdiff_t)i - (ptrdiff_t)x;
			if (llabs(y) <= (ptrdiff_t)R)
				inside += q->m[x * row + (size_t)(y + R)] * H[(size_t)x * n + i];
		}
	return inside;
}

/* All that within() works in; NULL: there is no memory. */
static double *
make_room(struct most *q)
{
	const size_t row = 2 * (size_t)q->reach + 1, square = (size_t)q->side * q->side;
	size_t squares = 1, i;
	double *memory, *at;

	for (i = 0; i < q->p->shape.kinds; i++)
		squares += !q->needed[i] ? 0 : q->even[i] ? 1 : 2;
	memory = malloc((squares * square + 2 * q->side * row) * sizeof *memory +
	    dp_normtree_splits_size(q->reach));
	if (memory == NULL)
		return NULL;
	q->ones = memory;
	at = memory + square;
	for (i = 0; i < square; i++)
		q->ones[i] = 1;
	for (i = 0; i < q->p->shape.kinds; i++)
		if (q->needed[i]) {
			q->H[i] = q->turned[i] = at;
			at += square;
			if (!q->even[i]) {
				q->turned[i] = at;
				at += square;
			}
		}
	q->m = at;
	q->next = q->m + q->side * row;
	dp_normtree_splits_in(&q->splits, q->reach, q->next + q->side * row);
	return memory;
}

static bool
known(const struct dp_normtree *p, uint64_t T)
{
	return !p->exact && p->fine == 0 && !p->row && T <= (uint64_t)1 << p->h &&
	    (p->shape.chain || T <= p->shape.T);
}

double
dp_normtree_most(const struct dp_normtree *p, uint64_t T, double w)
{
	struct most q = { .p = p };
	double beyond, *memory;

	if (!known(p, T))
		return 1;
	set_bound(&q, p, w);
	find_needed(&q, T);
	if (work(&q, T) > WORK)
		return 1;
	if ((memory = make_room(&q)) == NULL)
		return NAN;
	beyond = fmin(1 - within(&q, T) + CHARGE, 1);
	free(memory);
	return beyond;
}

double
dp_normtree_all(const struct dp_normtree *p, uint64_t T, double gamma, double least, double most)
{
	double lo = least - 1, hi = most, mid, beyond, by = 1;
	struct most q = { .p = p };

	if (gamma < SMALLEST || !known(p, T))
		return most;
	find_needed(&q, T);
	for (; hi > lo; hi--) {
		set_bound(&q, p, hi);
		if (work(&q, T) <= WORK)
			break;
	}
	beyond = hi < most ? dp_normtree_most(p, T, hi) : 0;
	if (isnan(beyond) || beyond > gamma)
		return isnan(beyond) ? NAN : most;
	/* hi holds; a union bound is some quarter too large */
	for (mid = floor(.77 * most); hi - lo > 1; by *= 2) {
		if (!(mid > lo && mid < hi))
			mid = floor((lo + hi) / 2);
		if (isnan(beyond = dp_normtree_most(p, T, mid)))
			return NAN;
		if (beyond <= gamma) {
			hi = mid;
			mid -= by;
		} else {
			lo = mid;
			mid += by;
		}
	}
	return hi;
}
