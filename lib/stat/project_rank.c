/* project_rank.c - whether linear queries are sums of multiples of others. */
#include <stdlib.h>

#include "project.h"

#define PRIME	((uint64_t)2147483647)

static uint64_t
power(uint64_t x, uint64_t n)
{
	uint64_t y = 1;

	for (; n > 0; n >>= 1, x = x * x % PRIME)
		if (n & 1)
			y = y * x % PRIME;
	return y;
}

/* Rows so far that are independent, each 1 at a column of its own, pivot, and 0 before it. */
struct basis {
	size_t n, columns;
	uint32_t *row;			/* one after another */
	size_t *pivot;
};

/* Takes from row n, behind them, what is of these; false: all of it is. */
static bool
reduce(struct basis *b)
{
	uint32_t *const v = b->row + b->n * b->columns, *u;
	uint64_t f;
	size_t i, j;

	for (i = 0; i < b->n; i++) {
		u = b->row + i * b->columns;
		if ((f = v[b->pivot[i]]) == 0)
			continue;
		for (f = PRIME - f, j = 0; j < b->columns; j++)
			v[j] = (uint32_t)((v[j] + f * u[j]) % PRIME);
	}
	for (j = 0; j < b->columns && v[j] == 0; j++)
		;
	if (j == b->columns)
		return false;
	b->pivot[b->n++] = j;
	for (f = power(v[j], PRIME - 2), i = 0; i < b->columns; i++)
		v[i] = (uint32_t)(f * v[i] % PRIME);
	return true;
}

/* The row of the matrix, behind the others; false: it is 0. */
static bool
take(const struct basis *b, const struct dp_matrix *m, size_t row)
{
	uint32_t *const v = b->row + b->n * b->columns;
	bool any = false;
	size_t j;

	for (j = 0; j < m->columns; j++) {
		v[j] = (uint32_t)dp_matrix_column(m, j)[row];
		any |= v[j] != 0;
	}
	return any;
}

int
dp_queries_dependent(bool *found, const struct dp_matrix *m, uint64_t work)
{
	const size_t most = m->rows < m->columns ? m->rows : m->columns;
	struct basis b = { .columns = m->columns };
	uint64_t done = 0;
	size_t i;

	*found = false;
	if ((dp_uwide)most * m->columns > work)
		return 0;
	b.row = calloc(most + 1, m->columns * sizeof *b.row);
	b.pivot = calloc(most + 1, sizeof *b.pivot);
	for (i = 0; b.row != NULL && b.pivot != NULL && i < m->rows && !*found && done <= work;
	    i++) {
		if (!take(&b, m, i))
			continue;
		done += (uint64_t)b.n * b.columns;
		*found = !reduce(&b);
	}
	i = b.row == NULL || b.pivot == NULL;
	free(b.row);
	free(b.pivot);
	return i != 0 ? DP_ENOMEM : 0;
}
