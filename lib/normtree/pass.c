/*
 * pass.c - matrices of splits (pass.h), and their products.
 */
#include <stdlib.h>

#include "child.h"
#include "pass.h"

#define ABREAST	8	/* rows that are added together */

/* ---- rows ---- */

static unsigned
last_of(const struct dp_normtree *p, unsigned kind, const unsigned *last)
{
	return last[kind == DP_NORMTREE_STEP ? 0 : p->shape.kind[kind].level];
}

/* Row P, of which `end` numbers are there, as far as it is looked at. */
static void
put_row(double *to, const double *row, unsigned P, unsigned n, unsigned end)
{
	const unsigned some = end < n ? end : n;

	memcpy(to + (size_t)P * n, row, some * sizeof *to);
	memset(to + (size_t)P * n + some, 0, (n - some) * sizeof *to);
}

static void
put_rows(struct dp_normtree_pass *to, const struct work *w)
{
	unsigned P, side, end;

	for (P = 0; P <= to->last; P++) {
		end = dp_normtree_row_of(w, P, 1, true);
		for (side = 0; side <= to->sides; side++) {
			put_row(to->even[side], w->row.even[side], P, to->child[side] + 1, end);
			put_row(to->odd[side], w->row.odd[side], P, to->child[side] + 1, end);
		}
	}
}

/* Children of one kind have the same. */
static bool
make_room(struct dp_normtree_pass *to)
{
	size_t n[2], rows = to->last + 1;

	n[0] = rows * (to->child[0] + 1);
	n[1] = to->sides == 0 ? 0 : rows * (to->child[1] + 1);
	if ((to->even[0] = malloc(2 * (n[0] + n[1]) * sizeof *to->even[0])) == NULL)
		return false;
	to->odd[0] = to->even[0] + n[0];
	to->even[1] = to->sides == 0 ? to->even[0] : to->odd[0] + n[0];
	to->odd[1] = to->sides == 0 ? to->odd[0] : to->even[1] + n[1];
	return true;
}

bool
dp_normtree_pass_set(struct dp_normtree_pass *to, const struct dp_normtree *p, unsigned kind,
    const unsigned *last, unsigned grain)
{
	const uint16_t *child = p->shape.kind[kind].child;
	unsigned A = p->A / grain + 1;
	struct work w;
	double *memory;

	to->last = last_of(p, kind, last);
	A = A > to->last / 2 + 1 ? A : to->last / 2 + 1;	/* rows as far as that */
	to->sides = child[0] != child[1];
	to->child[0] = last_of(p, child[0], last);
	to->child[1] = last_of(p, child[1], last);
	memory = malloc(dp_normtree_work(A));
	if (memory == NULL || !make_room(to)) {
		free(memory);
		return false;
	}
	dp_normtree_start(&w, A, 0, memory);
	dp_normtree_take(&w, p, kind, grain);
	put_rows(to, &w);
	free(memory);
	return true;
}

/* ---- products ---- */

/* A matrix as it lies: entry (i, j) at [i * row + j * column]. */
struct matrix {
	const double *at;
	size_t row, column;
	unsigned rows, columns;
};

/* to += the sum of ABREAST of a row's numbers times as many rows. */
DP_INLINE void
add_rows(double *restrict to, const double *restrict from, const double *restrict a,
    size_t column, size_t n)
{
	const double a0 = a[0], a1 = a[column], a2 = a[2 * column], a3 = a[3 * column];
	const double a4 = a[4 * column], a5 = a[5 * column], a6 = a[6 * column];
	const double a7 = a[7 * column];
	size_t i;

	for (i = 0; i < n; i++)
		to[i] += ((a0 * from[i] + a1 * from[i + n]) +
		    (a2 * from[i + 2 * n] + a3 * from[i + 3 * n])) +
		    ((a4 * from[i + 4 * n] + a5 * from[i + 5 * n]) +
		    (a6 * from[i + 6 * n] + a7 * from[i + 7 * n]));
}

DP_VECTORS static void
multiply(const struct matrix *m, const double *restrict from, double *restrict to, size_t n)
{
	const double *row;
	unsigned i, j;
	size_t k;

	memset(to, 0, m->rows * n * sizeof *to);
	for (i = 0; i < m->rows; i++, to += n) {
		row = m->at + i * m->row;
		for (j = 0; j + ABREAST <= m->columns; j += ABREAST)
			add_rows(to, from + j * n, row + j * m->column, m->column, n);
		for (; j < m->columns; j++)
			for (k = 0; k < n; k++)
				to[k] += row[j * m->column] * from[j * n + k];
	}
}

void
dp_normtree_pass(const struct dp_normtree_pass *s, unsigned side, bool up,
    const struct half *from, struct half *to, size_t stride)
{
	const unsigned parent = s->last + 1, child = s->child[side] + 1;
	struct matrix m = { .row = up ? child : 1, .column = up ? 1 : child,
	    .rows = up ? parent : child, .columns = up ? child : parent };

	m.at = s->even[side];
	multiply(&m, from->x, to->x, stride);
	m.at = s->odd[side];
	multiply(&m, from->y, to->y, stride);
}
