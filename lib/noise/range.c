/* range.c - delta of n choices of bounded range, by their worst pairs. */
#include <math.h>
#include <stdlib.h>

#include "range.h"

#define FEW	100	/* choices, with a grid twice as fine */
#define PARTS	16	/* cells of c, for few; half of them for more */
#define BEYOND	3	/* standard deviations of the loss that the grid has above x, below 0 */
#define WIDEST	1.	/* c */
#define GUESS	1.04	/* of the c to begin with */
#define TRIES	8
#define CLOSE	0.02	/* of delta, which is some thousandth of c */
#define NEAR	0x1p-10	/* of c, which is found to this */
#define SLACK	0x1p-46	/* of doubles, a choice, over c */

/*
 * H_k of cell i, t from i h to (i + 1) h: at x_j its ends are
 *	p_i H(j - i) + (1 - p_i) H(j - i + parts)
 * and that of i + 1.  With the differences d of neighbours below, u of neighbours above, and g =
 * e^h - 1: A = w_0 d (1 + g) / g, C = k w_0 u (1 + g) / g, B = H(j - i - 1) - d / g and
 * D = H(j - i - 1 + parts) - u / g.
 */
static void
cell(double *restrict best, const double *restrict old, size_t n, double c, int parts,
    int i)
{
	const double h = c / parts, k = exp(-c), g = expm1(h), kw = exp(i * h - c);
	const double p = expm1(i * h - c) / expm1(-c), q = expm1((i + 1) * h - c) / expm1(-c);
	const double last = exp(2 * h), over = -0.25 / expm1(-c), slack = SLACK / c;
	const double *const below = old - i - 1, *const above = below + parts;
	double d, u, left, right, a, b, more;
	size_t j;

	for (j = 0; j < n; j++) {
		d = below[j + 1] - below[j];
		u = above[j + 1] - above[j];
		left = p * below[j + 1] + (1 - p) * above[j + 1];
		right = q * below[j] + (1 - q) * above[j];
		a = (k * u - d) * ((1 + g) / g);		/* (C - A) / w_0 */
		b = kw * (below[j] - above[j] + (u - d) / g);	/* k (B - D) w_0 */
		more = a > b && a < b * last ? over * (a - b) * (a - b) / b : 0;
		left += more;
		left = (left > right ? left : right) + slack * below[j];
		best[j] = best[j] > left ? best[j] : left;
	}
}

/* The values beyond the ends. */
static void
pad(double *row, size_t n)
{
	size_t i;

	for (i = 0; i < PARTS; i++) {
		row[i] = 1;
		row[PARTS + n + i] = row[PARTS + n - 1];
	}
}

/*
 * Points of the grid are off by less than 2^-50 of their largest: each stands for one that is less
 * by 2^-40.
 */
int
dp_range_delta(double *delta, double c, uint64_t choices, double x)
{
	const int parts = choices <= FEW ? PARTS : PARTS / 2;
	const double h = c / parts, sd = c * sqrt((double)choices) / 2, all = c * (double)choices;
	const size_t down = (size_t)ceil(fmin(all, x + BEYOND * sd) / h) + 1;
	const size_t n = down + (size_t)ceil(fmin(all, BEYOND * sd) / h) + 1;
	double *row = malloc(2 * (n + (size_t)2 * PARTS) * sizeof *row), *old, *best, *t;
	uint64_t k;
	size_t j;
	int i;

	if (row == NULL)
		return DP_ENOMEM;
	old = row;
	best = row + n + (size_t)2 * PARTS;
	for (j = 0; j < n; j++)
		old[PARTS + j] = fmax(0, -expm1(x + ((double)j - (double)down) * h -
		    (x + 1) * 0x1p-40));
	pad(old, n);
	for (k = 0; k < choices; k++) {
		for (j = 0; j < n; j++)
			best[PARTS + j] = 0;
		for (i = 0; i < parts; i++)
			cell(best + PARTS, old + PARTS, n, c, parts, i);
		pad(best, n);
		t = old;
		old = best;
		best = t;
	}
	*delta = old[PARTS + down];
	free(row);
	return 0;
}

/*
 * Between a c that is enough, of which at[0] is H, and one that is not, as if log H were linear in
 * log c; halves where H is 0.  To begin with a c is guessed that is enough for most deltas.
 */
int
dp_range_widest(double *c, double from, uint64_t n, double x, double delta)
{
	const double most = fmin(WIDEST, (n > FEW / 10 ? 1.2 : 2) * from);
	double a = fmin(GUESS * from, most), b = most, at[2] = { 0 }, try, d = 0;
	int e, i;

	*c = from;
	if (from >= most)
		return 0;
	if ((e = dp_range_delta(&at[0], a, n, x)) != 0 ||
	    (at[0] > delta && (e = dp_range_delta(&at[0], a = from, n, x)) != 0) ||
	    (e = dp_range_delta(&at[1], b, n, x)) != 0)
		return e;
	if (at[1] <= delta)
		a = b;
	for (i = 0; i < TRIES && at[0] < (1 - CLOSE) * delta && b / a > 1 + NEAR; i++) {
		d = at[0] > 0 ? (log(delta) - log(at[0])) / (log(at[1]) - log(at[0])) : 0.5;
		try = a * exp(log(b / a) * fmin(fmax(d, 0.02), 0.98)) * (1 - NEAR / 4);
		if ((e = dp_range_delta(&d, try, n, x)) != 0)
			return e;
		*(d <= delta ? &a : &b) = try;
		at[d > delta] = d;
	}
	*c = at[0] <= delta ? a : from;
	return 0;
}
