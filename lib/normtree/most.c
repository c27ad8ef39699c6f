/*
 * most.c - law of the largest of all noises of a count, of one tree of whole numbers.
 *
 * Let x be the noise before a node of level l and y that after it, w(v) = y - x.  Given both, what
 * is between stays within [-w, w] with a probability H_l(x, y), and as the two halves are
 * independent given the noise z between them,
 *	H_0(x, y) = 1,	H_l(x, y) = sum over z of p_l(z - x | y - x) H_(l-1)(x, z) H_(l-1)(z, y),
 * where p_l(a | P) is the probability of that split (normtree.h).  Splits are symmetric, so H_l is.
 * Of 2^h steps all are within w with probability sum over y of p(y) H_h(0, y), p the root's; of
 * fewer, the node in which the last one lies is followed down, with the measure m(x, P) of what
 * came before it, all within, and its own noise P.
 *
 * All terms are positive, and what is left out (nodes beyond `reach`, splits that are rarer than
 * RARE) is counted as beyond w; CHARGE is for rounding, and for what sums of weights leave out.
 */
#include <math.h>
#include <stdlib.h>

#include "normtree.h"
#include "work.h"

#define RARE	1e-12
#define CHARGE	1e-9
#define SMALLEST	1e-6	/* gamma: below, what is left out would count */
#define WORK	3e7	/* products, at most, of one w: some .02 seconds */

struct most {
	const struct dp_normtree *p;
	unsigned w, reach, side;	/* side: 2 w + 1, of H */
	double *H;			/* h + 1 of them: [l][x + w][y + w] */
	double *split;			/* p_l(a | P): [P][a + reach], P >= 0 */
	double *m, *next;		/* [x + w][P + reach] */
	unsigned *spread;		/* [P]: a farther off P / 2 is rarer than RARE */
	double *g;			/* a level's table, 0 .. 5 reach */
};

static double
table(const struct dp_normtree *p, const struct dp_normtree_real *t, double beyond, double *to,
    unsigned n)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i <= n; i++) {
		to[i] = i <= p->A ? dp_normtree_number(t[i]) : to[i - 1] * beyond;
		sum += i == 0 ? to[i] : 2 * to[i];
	}
	return sum + 2 * to[n] * beyond / (1 - beyond);
}

/* k of P's split into a and P - a, one of them negative by y */
static double
fall(const struct dp_normtree *p, const struct dp_normtree_level *v, unsigned P, unsigned y)
{
	const unsigned most = v->open ? y : P < p->A ? p->A - P : 0;

	y = y < most ? y : most;
	return y <= p->A ? dp_normtree_number(v->fall[y]) : dp_normtree_number(v->fall[p->A]) *
	    pow(dp_normtree_number(v->fade), y - p->A);
}

/* The splits of level l, whose sum is taken as far as they go on. */
static void
set_splits(struct most *q, unsigned l)
{
	const struct dp_normtree_level *v = &q->p->level[l - 1];
	const unsigned R = q->reach, far = 4 * R;
	double *to, sum, one, k;
	unsigned P, y, a;

	if (v->open)
		for (a = 0; a <= far + R; a++)
			q->g[a] = 1;
	else
		(void)table(q->p, v->child[0], dp_normtree_number(v->beyond[0]), q->g, far + R);
	for (P = 0; P <= R; P++) {
		to = q->split + (size_t)P * (2 * R + 1) + R;
		for (sum = 0, a = 0; a <= P; a++)
			sum += to[a] = q->g[a] * q->g[P - a];
		for (y = 1, k = 1; y <= far; y++) {	/* -y and P + y, in both orders */
			k = y <= q->p->A + 1 ? fall(q->p, v, P, y) :
			    k * (v->open ? dp_normtree_number(v->fade) : 1);
			one = q->g[y] * q->g[P + y] * k;
			sum += 2 * one;
			if (y <= R)
				to[-(ptrdiff_t)y] = one;
			if (P + y <= R)
				to[P + y] = one;
		}
		for (y = 0; y <= 2 * R; y++)
			to[(ptrdiff_t)y - R] /= sum;
		for (y = P / 2 + R; y > P && to[(ptrdiff_t)(P / 2) - y] < RARE; y--)
			;
		q->spread[P] = y;
	}
}

static const double *
split_of(const struct most *q, unsigned P)
{
	return q->split + (size_t)P * (2 * q->reach + 1) + q->reach;
}

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

/* H of level l from that below: H(x, y) = H(y, x) = H(-x, -y). */
static void
rise(const struct most *q, unsigned l)
{
	const unsigned n = q->side;
	const double *below = q->H + (size_t)(l - 1) * n * n;
	double *H = q->H + (size_t)l * n * n, sum;
	unsigned x, y;

	for (x = 0; x <= q->w; x++)
		for (y = x; y < n - x; y++) {
			sum = dot(split_of(q, y - x) - x, below + (size_t)x * n,
			    below + (size_t)y * n, n);
			H[(size_t)x * n + y] = H[(size_t)y * n + x] = sum;
			H[(size_t)(n - 1 - x) * n + n - 1 - y] = sum;
			H[(size_t)(n - 1 - y) * n + n - 1 - x] = sum;
		}
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
			p = split_of(q, (unsigned)llabs(P));
			first = P / 2 - (ptrdiff_t)q->spread[llabs(P)] - 1;
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

/* The probability that the first T steps are within w. */
static double
within(struct most *q, uint64_t T)
{
	const struct dp_normtree *p = q->p;
	const unsigned n = q->side, R = q->reach, row = 2 * R + 1;
	const double beyond = dp_normtree_number(p->beyond);
	const double sum = table(p, p->root, beyond, q->g, R);
	double inside = 0;
	unsigned l, i, x;
	ptrdiff_t y;

	for (i = 0; i < n * n; i++)
		q->H[i] = 1;
	for (l = 1; l <= p->h && T >> l != 0; l++) {
		set_splits(q, l);
		rise(q, l);
	}
	(void)table(p, p->root, beyond, q->g, R);
	memset(q->m, 0, (size_t)n * row * sizeof *q->m);
	for (y = -(ptrdiff_t)R; y <= (ptrdiff_t)R; y++)
		q->m[q->w * row + (size_t)(y + R)] = q->g[llabs(y)] / sum;
	for (l = p->h; T != (uint64_t)1 << l; l--) {
		const uint64_t half = (uint64_t)1 << (l - 1);

		set_splits(q, l);
		descend(q, T > half ? q->H + (size_t)(l - 1) * n * n : NULL);
		T -= T > half ? half : 0;
	}
	for (x = 0; x < n; x++)
		for (i = 0; i < n; i++) {
			y = (ptrdiff_t)i - (ptrdiff_t)x;
			if (llabs(y) <= (ptrdiff_t)R)
				inside += q->m[x * row + (size_t)(y + R)] *
				    q->H[((size_t)l * n + x) * n + i];
		}
	return inside;
}

/* Operations that a bound w takes. */
static double
work(const struct dp_normtree *p, uint64_t T, double w)
{
	const double side = 2 * w + 1, row = 2 * fmax(2 * w, p->A) + 1;
	const bool whole = T == (uint64_t)1 << p->h;

	return p->h * (side * side * side / 4 + row * row + (whole ? 0 : side * row * row / 16));
}

double
dp_normtree_most(const struct dp_normtree *p, uint64_t T, double w)
{
	struct most q = { .p = p, .w = (unsigned)w, .side = 2 * (unsigned)w + 1 };
	double beyond, *memory;
	size_t row, square;

	if (p->exact || p->fine > 0 || p->row || !p->shape.chain ||
	    T > (uint64_t)1 << p->h || work(p, T, w) > WORK)
		return 1;
	q.reach = 2 * q.w > p->A ? 2 * q.w : p->A;
	row = 2 * (size_t)q.reach + 1;
	square = (size_t)q.side * q.side;
	memory = malloc(((p->h + 1) * square + row * row + 2 * q.side * row + 4 * row + 5) *
	    sizeof *memory);
	if (memory == NULL)
		return NAN;
	q.H = memory;
	q.split = q.H + (p->h + 1) * square;
	q.m = q.split + row * row;
	q.next = q.m + q.side * row;
	q.g = q.next + q.side * row;
	q.spread = (void *)(q.g + 5 * row / 2 + 5);
	beyond = fmin(1 - within(&q, T) + CHARGE, 1);
	free(memory);
	return beyond;
}

double
dp_normtree_all(const struct dp_normtree *p, uint64_t T, double gamma, double least, double most)
{
	double lo = least - 1, hi = most, mid, beyond, by = 1;

	if (gamma < SMALLEST || p->fine > 0)	/* dp_normtree_most() knows nothing of those */
		return most;
	while (hi > lo && work(p, T, hi) > WORK)
		hi--;
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
