/* SPDX-License-Identifier: ISC */
/* t_touched.c - sums of a range against a plain array: row by row, and once they are too many. */
#include <string.h>

#include "check.h"
#include "run/internal.h"

static uint64_t seed = 1;

static size_t
below(size_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)((seed >> 16) % n);
}

static void *
zeros(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (p == NULL)
		exit(1);
	return p;
}

/* Events in any order, of which every other goes where one was before: `first` cells and more. */
static void
add(struct dp_touched *t, int64_t *want, size_t rows, size_t width, size_t first)
{
	size_t *at = zeros(first, sizeof *at), n, i;
	int64_t *sum;

	for (n = 0; n < first; ) {
		i = n > 0 && below(2) == 0 ? at[below(n)] : below(rows * width);
		if (want[i] == 0)
			at[n++] = i;
		sum = dp_touched_sum(t, i / width, i % width);
		if (sum == NULL || *sum != want[i])
			break;
		want[i] = *sum += (int64_t)below(1000) + 1;
	}
	check(n == first);
	free(at);
}

static struct dp_touched *
table(size_t rows, size_t width)
{
	struct dp_touched *t;

	if (dp_touched_new(&t, rows, width) != 0)
		exit(1);
	return t;
}

static void
test_rows(size_t rows, size_t width, size_t n)
{
	struct dp_touched *t = table(rows, width);
	int64_t *want = zeros(rows * width, sizeof *want), *x = zeros(width, sizeof *x);
	size_t row, wrong = 0;

	add(t, want, rows, width, n);
	for (row = 0; row < rows; row++) {
		memset(x, 0x55, width * sizeof *x);
		dp_touched_row(t, row, x);
		wrong += memcmp(x, want + row * width, width * sizeof *x) != 0;
	}
	check(wrong == 0);
	dp_touched_free(t);
	free(want);
	free(x);
}

/* A sixteenth, and no cell more; those that are there go on. */
static void
test_full(size_t rows, size_t width)
{
	const size_t cells = rows * width;
	struct dp_touched *t = table(rows, width);
	int64_t *want = zeros(cells, sizeof *want), *sums = zeros(cells, sizeof *sums), *sum;
	size_t i, wrong = 0;

	add(t, want, rows, width, cells / 16);
	for (i = 0; i < cells; i++) {
		sum = dp_touched_sum(t, i / width, i % width);
		wrong += want[i] == 0 ? sum != NULL : sum == NULL || *sum != want[i];
	}
	check(wrong == 0);
	dp_touched_spread(t, sums);
	check(memcmp(sums, want, cells * sizeof *sums) == 0);
	dp_touched_free(t);
	free(want);
	free(sums);
}

int
main(void)
{
	const size_t size[][2] = { { 1, 1 << 20 }, { 1 << 20, 1 }, { 366, 3000 }, { 70000, 15 } };
	size_t i;

	for (i = 0; i < sizeof size / sizeof size[0]; i++) {
		test_rows(size[i][0], size[i][1], 3);
		test_rows(size[i][0], size[i][1], 1024);
		test_rows(size[i][0], size[i][1], 50000);
		test_full(size[i][0], size[i][1]);
	}
	/* ten bytes a cell, the array's eight among them, are what a run is refused for */
	for (i = DP_TOUCHED_LEAST; i < (size_t)1 << 40; i += i / 7 + 1)
		check(dp_touched_bytes(i) <= 2 * i);
	check(dp_touched_bytes(DP_TOUCHED_LEAST - 1) == 0);
	dp_touched_free(NULL);
	return done();
}
