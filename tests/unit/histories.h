/* SPDX-License-Identifier: ISC */
/*
 * histories.h - for s_distinct.c and s_phase.c: what memory at one moment and an answer tell of
 * what happened to one identifier.
 */
#ifndef TEST_HISTORIES_H
#define TEST_HISTORIES_H

#include <stdio.h>

#include "sketch.h"

/*
 * What happens to the identifier before memory is looked at, or the first answer comes, and then
 * until the second of the two.
 */
static const int times[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 }, { 3, 0 }, { 2, -2 } };

#define TIMES	(sizeof times / sizeof times[0])
#define PARTS	9		/* of answers, and at most of memory */
#define EVENTS	(PARTS * PARTS)
#define LIMIT	5.5

/* The test's own: a column, what is seen of its memory, and the part that its answer is in. */
struct trial;
static void	begin(const struct trial *, struct column *);
static unsigned	memory(const struct trial *, const struct column *);
static unsigned	answered(const struct trial *, struct column *);

/* The part of an answer so many parts from the middle. */
static inline unsigned
part_of(double x)
{
	const int y = (int)floor(x + .5) + PARTS / 2;

	return y < 0 ? 0 : y >= PARTS ? PARTS - 1 : (unsigned)y;
}

/* History i, so often; memory is looked at after the first half of it, or at the end. */
static inline void
run(const struct trial *w, double hit[EVENTS], unsigned i, int runs, bool after)
{
	struct column c;
	unsigned a, b;

	for (; runs > 0; runs--) {
		begin(w, &c);
		sees(&c, 0, times[i][0]);
		a = after ? memory(w, &c) : answered(w, &c);
		sees(&c, 0, times[i][1]);
		b = after ? answered(w, &c) : memory(w, &c);
		hit[after ? a * PARTS + b : b * PARTS + a]++;
		column_free(&c);
	}
}

/* Whether an event tells two histories apart by more than eps; *largest: by how much, of many. */
static inline bool
refuted(const char *name, double hit[TIMES][EVENTS], double eps, double many, double *largest)
{
	bool bad = false;
	double x, y, r;
	unsigned i, j, k;

	for (i = 0; i < TIMES; i++)
		for (j = 0; j < TIMES; j++)
			for (k = 0; k < EVENTS; k++) {
				x = hit[i][k];
				y = hit[j][k];
				if (x < 20 || y < 20)
					continue;
				r = log(x / y);
				if (x > many && y > many)
					*largest = fmax(*largest, r);
				if (r - eps <= LIMIT * sqrt(1 / x + 1 / y))
					continue;
				printf("%s: histories %u and %u, event %u: %.0f and %.0f\n", name,
				    i, j, k, x, y);
				bad = true;
			}
	return bad;
}

#endif
