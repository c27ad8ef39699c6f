/*
 * level.c - sums over the splits of a node, which planning takes most of its time for.
 */
#include <math.h>

#include "level.h"

/*
 * Error of an N', in parts of itself: below DP_NORMTREE_OFF where all reaches are A <= 600, and
 * where children's are shorter than A <= 400.  Its terms are positive; u is 2^-53, one rounding.
 *	beyond a reach	g goes from step to step: k u, and 2 k u as q is the rounded ratio of two.
 *			From A = 600 on 3 (2A + 2) u at last, 3 (A + 1) u up to 2A + 1; from a short
 *			reach on, A = 400, 3 (3A + 2) u and 3 (2A + 1) u: 3606 u and 2403 u at most
 *	P <= A		a term: two of these and two products, 2 3606 u + 2 u = 7214 u; a sum:
 *			fewer than 160 additions on the way of each, so 320 u, as the sums of both
 *			sides less t(0) are at least either; the tail's 1 - q^2: 2^9 u: less than
 *			8100 u, 9e-13
 *	the same, open	1 - fade: 2^9 u, the wedge's sum (A + 3) u: less than 1200 u
 *	P > A		a fold's term: both factors are P steps beyond their reaches together, at
 *			most, 2403 u; fewer than 200 additions.  A wedge's: g, 3 A u, a power, A u;
 *			(A + 3) additions, 2^9 u, times g(P), 2403 u: less than 5000 u
 * The terms left out sum to less than 2^-70 / (1 - q^2).
 */
size_t
dp_normtree_work(unsigned A)
{
	return (19 * (3 * (size_t)A + 3) + A + 1 + dp_normtree_redraw_size(2 * A + 1)) *
	    sizeof(double);
}

/* Takes so many doubles of *at. */
static double *
take(double **at, size_t n)
{
	double *from = *at;

	*at += n;
	return from;
}

void
dp_normtree_start(struct work *w, unsigned A, unsigned fine, double *space)
{
	const size_t n = 3 * (size_t)A + 3;
	unsigned i;

	*w = (struct work){ .A = A, .last = 3 * A + 2, .fine = fine, .open = true, .alike = true,
	    .beyond.q = { 1, 1 } };
	for (i = 0; i < 2; i++) {
		w->g[i] = take(&space, n);
		w->c[i] = take(&space, n);
		w->t[i] = take(&space, n);
		w->steep[i] = take(&space, n);
		w->row.even[i] = take(&space, n);
		w->row.odd[i] = take(&space, n);
	}
	w->next = take(&space, n);
	w->m = take(&space, n);
	w->N = take(&space, n);
	w->node = (struct dp_normtree_pair){ take(&space, n), take(&space, n) };
	w->child = (struct dp_normtree_pair){ take(&space, n), take(&space, n) };
	w->k = take(&space, A + 1);
	w->redraw = (void *)space;
	for (i = 0; i <= w->last; i++)
		w->g[0][i] = w->c[0][i] = 1;
}

static unsigned
cap(const struct work *w, unsigned P)
{
	return w->open ? w->A : P < w->A ? w->A - P : 0;
}

#define ABREAST	4	/* sums that a machine adds side by side */
#define STRETCH	32

DP_INLINE double
both(const double s[static ABREAST])
{
	return s[0] + s[1] + (s[2] + s[3]);
}

/* Sum of n numbers. */
DP_INLINE double
total(const double *v, size_t n)
{
	double s[ABREAST] = { 0 };
	size_t i, l;

	for (i = 0; i + ABREAST <= n; i += ABREAST)
		for (l = 0; l < ABREAST; l++)
			s[l] += v[i + l];
	for (; i < n; i++)
		s[0] += v[i];
	return both(s);
}

/* STRETCH weights: a b k, or where k is NULL a b flat. */
DP_INLINE void
stretch(double *restrict t, const double *restrict a, const double *restrict b,
    const double *restrict k, double flat)
{
	size_t i;

	if (k != NULL)
		for (i = 0; i < STRETCH; i++)
			t[i] = a[i] * b[i] * k[i];
	else
		for (i = 0; i < STRETCH; i++)
			t[i] = a[i] * b[i] * flat;
}

DP_VECTORS unsigned
dp_normtree_weights(const struct work *w, unsigned side, unsigned P, double nothing, double *sum)
{
	const size_t half = P / 2, end = w->open ? half + w->A : w->last - (P - half);
	const size_t edge = half + cap(w, P) < end ? half + cap(w, P) : end;
	const unsigned other = w->alike ? 0 : !side;
	const double *restrict a = w->g[w->alike ? 0 : side] + (P - half);
	const double *b = w->g[other] + half, *restrict k = w->k;
	double *restrict t = w->t[side], s, last = k[edge - half];
	size_t j, n, stop;

	for (j = 0; j <= half; j++)
		t[j] = a[j] * b[-(ptrdiff_t)j];
	b = w->g[other] - half;
	k -= half;
	s = total(t, half + 1);
	for (n = half + 1; n <= end && t[n - 1] > s * nothing; n = stop) {
		stop = n + STRETCH <= end ? n + STRETCH : end + 1;
		if (stop == n + STRETCH && (stop <= edge + 1 || n > edge))
			stretch(t + n, a + n, b + n, n > edge ? NULL : k + n, last);
		else
			for (j = n; j < stop; j++)
				t[j] = a[j] * b[j] * (j <= edge ? k[j] : last);
		s += total(t + n, stop - n);
	}
	if (n > end && !w->open)	/* straight from there on, on both sides */
		s += t[end] * w->beyond.q[0] * w->beyond.q[1] /
		    (1 - w->beyond.q[0] * w->beyond.q[1]);
	*sum = s;
	return (unsigned)n;
}

/* The largest of n numbers, or 0. */
DP_INLINE double
largest(const double *v, unsigned n)
{
	double m[4] = { 0, 0, 0, 0 };
	unsigned i, k;

	for (i = 0; i + 4 <= n; i += 4)
		for (k = 0; k < 4; k++)
			m[k] = v[i + k] > m[k] ? v[i + k] : m[k];
	for (; i < n; i++)
		m[0] = v[i] > m[0] ? v[i] : m[0];
	m[0] = m[0] > m[1] ? m[0] : m[1];
	m[2] = m[2] > m[3] ? m[2] : m[3];
	return m[0] > m[2] ? m[0] : m[2];
}

DP_VECTORS double
dp_normtree_envelope(const double *t, unsigned n, unsigned S)
{
	double most = 0, scale = 1, block;
	unsigned j;

	for (j = 0; j < n; j += S, scale *= 2) {
		block = largest(t + j, n - j < S ? n - j : S);
		most = block * scale > most ? block * scale : most;
	}
	return most;
}

#define TWICE	(2 * ABREAST)

/*
 * The sums of x[i] y[n - 1 - i], i < n, and of as many as n + 1: of products that a machine need
 * not add in turn, nor load twice.
 */
DP_INLINE void
fold(const double *restrict x, const double *restrict y, size_t n, double *restrict sum)
{
	double s[TWICE] = { 0 }, r[TWICE] = { 0 };
	size_t i, l;

	for (i = 0; i + TWICE <= n; i += TWICE)
		for (l = 0; l < TWICE; l++) {
			s[l] += x[i + l] * y[n - 1 - i - l];
			r[l] += x[i + l] * y[n - i - l];
		}
	if (i + TWICE == n + 1)
		for (l = 0; l < TWICE; l++)
			r[l] += x[i + l] * y[n - i - l];
	else
		for (l = i; l <= n; l++)
			r[0] += x[l] * y[n - l];
	for (; i < n; i++)
		s[0] += x[i] * y[n - 1 - i];
	sum[0] = both(s) + both(s + ABREAST);
	sum[1] = both(r) + both(r + ABREAST);
}

/*
 * k is 1 for all of these: N'(P) is the sum of g(a) h(P - a), h the other child's.  Where one of
 * them is negative the other is beyond A, and falls from one to the next: a wedge on either side.
 */
DP_VECTORS void
dp_normtree_weigh_beyond(const struct work *w)
{
	const double *g = w->g[0], *h = w->g[w->alike ? 0 : 1];
	const double q = w->beyond.q[0], r = w->beyond.q[w->alike ? 0 : 1];
	double left = 0, right = 0, fall[2] = { 1, 1 }, sum[2] = { 0 };
	size_t P, m;

	for (m = 1; m <= w->A; m++) {
		left += g[m] * (fall[0] *= r);
		right += h[m] * (fall[1] *= q);
	}
	left += g[w->A] * fall[0] * q * r / (1 - q * r);
	right += h[w->A] * fall[1] * q * r / (1 - q * r);
	for (P = w->A + 1, m = 0; P <= 2 * w->A + 1; P++, m ^= 1) {
		if (m == 0)
			fold(g, h, P + 1, sum);
		w->N[P] = sum[m] + left * h[P] + right * g[P];
	}
}

double
dp_normtree_both(const struct work *w, unsigned P, const double sum[2])
{
	if (w->open)
		return P + 1 + 2 * w->beyond.wedge;
	return sum[0] + sum[w->alike ? 0 : 1] - (P % 2 == 0 ? w->t[0][0] : 0);
}

unsigned
dp_normtree_half(const double *t, unsigned n, unsigned peak)
{
	const double half = dp_normtree_envelope(t, peak + 1, peak + 1) / 2;
	unsigned j = peak + 1;

	if (t[peak] > half)
		while (j < n && t[j] > half)
			j++;
	else
		while (j > 1 && t[j - 1] <= half)
			j--;
	return j;
}
