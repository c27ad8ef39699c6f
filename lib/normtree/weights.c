/*
 * weights.c - the weights of a node's splits, as many of them at a time as a machine multiplies.
 */
#include "work.h"

#define STRETCH	32

static unsigned
cap(const struct work *w, unsigned P)
{
	return w->open ? w->A : P < w->A ? w->A - P : 0;
}

/* Sum of n numbers in four parts, which a machine adds side by side. */
static inline double
total(const double *v, unsigned n)
{
	double s[4] = { 0, 0, 0, 0 };
	unsigned i, k;

	for (i = 0; i + 4 <= n; i += 4)
		for (k = 0; k < 4; k++)
			s[k] += v[i + k];
	for (; i < n; i++)
		s[0] += v[i];
	return s[0] + s[1] + (s[2] + s[3]);
}

/* dp_normtree_weights() */
static inline unsigned
multiply_out(const struct work *w, unsigned P, double nothing, double *sum)
{
	const unsigned half = P / 2, end = w->open ? half + w->A : w->last - (P - half);
	const unsigned edge = half + cap(w, P) < end ? half + cap(w, P) : end;
	const double *restrict a = w->g + (P - half), *b = w->g + half, *restrict k = w->k;
	double *restrict t = w->t, s, last = k[edge - half];
	unsigned j, n, stop;

	for (j = 0; j <= half; j++)
		t[j] = a[j] * b[-(ptrdiff_t)j];
	b = w->g - half;
	k -= half;
	s = total(t, half + 1);
	for (n = half + 1; n <= end && t[n - 1] > s * nothing; n = stop) {
		stop = n + STRETCH <= end ? n + STRETCH : end + 1;
		for (j = n; j < stop && j <= edge; j++)
			t[j] = a[j] * b[j] * k[j];
		for (; j < stop; j++)
			t[j] = a[j] * b[j] * last;
		s += total(t + n, stop - n);
	}
	if (n > end && !w->open)	/* straight from there on, on both sides */
		s += t[end] * w->q * w->q / (1 - w->q * w->q);
	*sum = w->open ? P + 1 + 2 * w->wedge : 2 * s - (P % 2 == 0 ? t[0] : 0);
	return n;
}

#ifdef __x86_64__
/* The same additions and multiplications, so the same numbers. */
__attribute__((target("avx2"))) static unsigned
multiply_out_avx2(const struct work *w, unsigned P, double nothing, double *sum)
{
	return multiply_out(w, P, nothing, sum);
}
#endif

unsigned
dp_normtree_weights(const struct work *w, unsigned P, double nothing, double *sum)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
		return multiply_out_avx2(w, P, nothing, sum);
#endif
	return multiply_out(w, P, nothing, sum);
}
