/*
 * range.c - the delta of n choices of bounded range c, one after the other (lib/noise/range.h has
 * the statement).
 *
 *	H_k(x) = max over 0 <= t <= c of  p H_(k-1)(x - t) + (1 - p) H_(k-1)(x - t + c),
 *	    p = (1 - k w) / (1 - k), w = e^t, k = e^-c,   H_0(x) = max(0, 1 - e^x).
 *
 * Upper bounds stand at the points of a grid, h apart, of which c has a power of two.  H is convex
 * in e^x, so it is at most its chords.  For t in a cell, w from w_0 to w_1 = w_0 (1 + g), g = e^h -
 * 1, both chords are linear in 1/w; what they give is a constant, and u / w + v w over 1 - k.
 * Where u >= 0 that is convex, and one of the ends is the largest; else it is above them by at most
 * an eighth of its largest second derivative, 2 |u| / w_0^3, times (w_1 - w_0)^2: with the falls d
 * of the first and e of the second chord over the cell, |u| = (d - k e) w_0 w_1 / (w_1 - w_0), by
 *	(d - k e) g (1 + g) / (4 (1 - k)).
 * Doubles: a step is off by less than 2^-48 of H(x - c), which is the largest of its numbers.
 */
#include <math.h>
#include <stdlib.h>

#include "range.h"

#define FEW	100		/* choices, with a finer grid */
#define PARTS	32
#define BEYOND	4		/* standard deviations of the loss that the grid has */
#define SLACK	0x1p-48
#define WIDEST	1.		/* c */

/* At points j = 0 .. n - 1: the best of cell i, t from i h on; old has the values, padded. */
static void
cell(double *best, const double *old, size_t n, double c, int parts, int i)
{
	const double h = c / parts, k = exp(-c), g = expm1(h);
	const double first = expm1(i * h - c) / expm1(-c);
	const double last = expm1((i + 1) * h - c) / expm1(-c);
	const double bend = -g * (1 + g) / (4 * expm1(-c)) * (1 + SLACK);
	const double *const near = old - i - 1, *const far = near + parts;
	double left, right, fall;
	size_t j;

	for (j = 0; j < n; j++) {
		left = first * near[j + 1] + (1 - first) * far[j + 1];
		right = last * near[j] + (1 - last) * far[j];
		fall = near[j] - near[j + 1] - k * (far[j] - far[j + 1]);
		left = (left > right ? left : right) + (fall > 0 ? fall * bend : 0) +
		    SLACK * near[j];
		best[j] = left > best[j] ? left : best[j];
	}
}

/* Below the grid H is at most 1, above it at most what it is at its end. */
static void
pad(double *row, size_t n)
{
	size_t i;

	for (i = 0; i < PARTS; i++) {
		row[i] = 1;
		row[PARTS + n + i] = row[PARTS + n - 1];
	}
}

double
audit_range_delta(double c, uint64_t choices, double x)
{
	const int parts = choices <= FEW ? PARTS : PARTS / 2;
	const double h = c / parts, sd = c * sqrt((double)choices) / 2, all = c * (double)choices;
	size_t down, n, j;
	double *row, *old, *best, *t, delta;
	uint64_t k;
	int i;

	if (!(c > 0 && c <= WIDEST && x > 0) || choices > DP_AUDIT_CHOICES)
		return INFINITY;
	down = (size_t)ceil(fmin(all, x + BEYOND * sd) / h) + 1;
	n = down + (size_t)ceil(fmin(all, BEYOND * sd) / h) + 1;
	if ((double)n * (double)choices * parts > DP_AUDIT_WORK ||
	    (row = malloc(2 * (n + 2 * PARTS) * sizeof *row)) == NULL)
		return INFINITY;
	old = row;
	best = row + n + 2 * PARTS;
	/* a point stands for one that is less by far more than it is off */
	for (j = 0; j < n; j++)
		old[PARTS + j] = fmax(0, -expm1(x + ((double)j - (double)down) * h -
		    (x + 1) * 0x1p-40)) * (1 + SLACK);
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
	delta = old[PARTS + down];
	free(row);
	return delta;
}
