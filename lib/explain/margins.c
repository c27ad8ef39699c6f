/* SPDX-License-Identifier: ISC */
/*
 * margins.c - totals of a table, and printed numbers that add up: all of it is post-processing.
 *
 * A total is the sum of its keys' estimates, so totals agree with one another, and its noise is the
 * sum of theirs.  What is printed has fewer digits, or no number below 0 (--nonnegative); numbers
 * are then set from the top down: the total of all first; then the numbers below each total are
 * chosen so that they sum to the printed total.  Printed numbers are multiples of `step'; estimates
 * need not be.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counter/width.h"
#include "internal.h"
#include "print.h"

#define ROUNDS	200		/* of fitting cells to rows and columns, at most */
#define NEAR	.01		/* of a step: what another round may change */

/* ---- what is below one total ---- */

/* A number that is to be printed, and where to. */
struct piece {
	dp_wide est;		/* its estimate; after project() the nearest number, times *by */
	dp_wide left;		/* est less what it is rounded down to, times *by as well */
	size_t place;
	dp_wide *to;
};

static int
larger_est(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return x->est != y->est ? (x->est > y->est ? -1 : 1) : x->place < y->place ? -1 : 1;
}

static int
larger_left(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return x->left != y->left ? (x->left > y->left ? -1 : 1) : x->place < y->place ? -1 : 1;
}

/*
 * The nearest numbers of at least 0 with that sum: all less one number, or 0.  They are est /
 * *by.
 */
static void
project(struct piece *p, size_t n, dp_wide sum, dp_wide *by)
{
	dp_wide all = 0, over = 0;
	size_t i, k = 0;

	qsort(p, n, sizeof *p, larger_est);
	for (i = 0; i < n; i++) {
		all += p[i].est;
		if (all - sum >= (dp_wide)(i + 1) * p[i].est)
			break;
		over = all - sum;
		k = i + 1;
	}
	*by = k == 0 ? 1 : (dp_wide)k;
	for (i = 0; i < n; i++)
		p[i].est = i < k ? p[i].est * *by - over : 0;
}

/*
 * Multiples of `step' that sum to `sum' of them: rounded down, and the largest remainders up.  The
 * pieces' own sum is less than a step for each of them from that.
 */
static void
share_out(struct piece *p, size_t n, dp_wide sum, dp_wide step, bool nonnegative)
{
	dp_wide by = 1, down;
	size_t i;

	if (nonnegative)
		project(p, n, sum * step, &by);
	for (i = 0; i < n; i++) {
		down = p[i].est / (by * step);
		down -= down * by * step > p[i].est;
		p[i].left = p[i].est - down * by * step;
		*p[i].to = down;
		sum -= down;
	}
	qsort(p, n, sizeof *p, larger_left);
	for (i = 0; n > 0 && sum != 0; i = i + 1 < n ? i + 1 : 0) {	/* once round */
		*p[i].to += sum > 0 ? 1 : -1;
		sum += sum > 0 ? -1 : 1;
	}
}

/* ---- a tree ---- */

/* The nodes below each total, and totals in an order that has each behind its own. */
static int
fit_tree(const struct dp_margins *m, const dp_wide *est, dp_wide step, bool nonnegative,
    dp_wide *to, struct piece *piece)
{
	const size_t nodes = m->keys + m->n;
	size_t *first = calloc(nodes + 2, sizeof *first), *below = calloc(nodes, sizeof *below);
	size_t *order = calloc(m->n, sizeof *order), root = 0, n, i, j, done, node;

	if (first == NULL || below == NULL || order == NULL) {
		free(first);
		free(below);
		free(order);
		return DP_ENOMEM;
	}
	for (i = 0; i < nodes; i++)
		if (m->above[i] == i)
			root = i;
		else
			first[m->above[i] + 2]++;
	for (i = 1; i < nodes + 2; i++)
		first[i] += first[i - 1];
	for (i = 0; i < nodes; i++)
		if (i != root)
			below[first[m->above[i] + 1]++] = i;
	for (done = 0, n = 1, order[0] = root; done < n; done++) {
		node = order[done];
		for (i = first[node], j = 0; i < first[node + 1]; i++, j++) {
			piece[j] = (struct piece){ est[below[i]], 0, below[i], &to[below[i]] };
			if (below[i] >= m->keys)
				order[n++] = below[i];
		}
		share_out(piece, j, to[node], step, nonnegative);
	}
	free(first);
	free(below);
	free(order);
	return 0;
}

/* ---- rows and columns ---- */

/* The nearest numbers of at least 0 with that sum. */
static void
project_line(double *x, size_t n, size_t stride, double sum, double *sorted)
{
	double all = 0, level = 0;
	size_t i, j;

	for (i = 0; i < n; i++)
		sorted[i] = x[i * stride];
	for (i = 1; i < n; i++) {		/* nearly in order from the round before, or few */
		const double v = sorted[i];

		for (j = i; j > 0 && sorted[j - 1] < v; j--)
			sorted[j] = sorted[j - 1];
		sorted[j] = v;
	}
	for (i = 0; i < n; i++) {
		all += sorted[i];
		if ((all - sum) / (double)(i + 1) >= sorted[i])
			break;
		level = (all - sum) / (double)(i + 1);
	}
	for (i = 0; i < n; i++)
		x[i * stride] = fmax(x[i * stride] - level, 0);
	if (sum <= 0)
		for (i = 0; i < n; i++)
			x[i * stride] = 0;
}

/*
 * The nearest cells of at least 0 with the rows' and the columns' sums: Dykstra's projections
 * (Boyle and Dykstra 1986) on the rows and the columns in turn, in steps.
 */
static int
project_table(const struct dp_margins *m, const dp_wide *row, const dp_wide *column, double *x)
{
	const size_t cells = m->rows * m->columns;
	double *drop = calloc(2 * cells, sizeof *drop), *sorted = calloc(m->rows + m->columns,
	    sizeof *sorted), *was = calloc(cells, sizeof *was), change = INFINITY;
	size_t i, round, side;

	for (round = 0; drop != NULL && sorted != NULL && was != NULL && round < ROUNDS &&
	    change > NEAR; round++) {
		memcpy(was, x, cells * sizeof *was);
		for (side = 0; side < 2; side++) {
			double *d = drop + side * cells;

			for (i = 0; i < cells; i++)
				d[i] = x[i] += d[i];
			for (i = 0; side == 0 && i < m->rows; i++)
				project_line(x + i * m->columns, m->columns, 1, (double)row[i],
				    sorted);
			for (i = 0; side == 1 && i < m->columns; i++)
				project_line(x + i, m->rows, m->columns, (double)column[i], sorted);
			for (i = 0; i < cells; i++)
				d[i] -= x[i];
		}
		for (i = 0, change = 0; i < cells; i++)
			change = fmax(change, fabs(x[i] - was[i]));
	}
	i = drop != NULL && sorted != NULL && was != NULL;
	free(drop);
	free(sorted);
	free(was);
	return i ? 0 : DP_ENOMEM;
}

/* A cell and what rounding down left of it. */
struct rest {
	double left;
	size_t cell;
};

static int
larger_rest(const void *a, const void *b)
{
	const struct rest *x = a, *y = b;

	return x->left != y->left ? (x->left > y->left ? -1 : 1) : x->cell < y->cell ? -1 : 1;
}

/*
 * Whole cells with the rows' and the columns' sums: rounded down, and less where that is too much
 * for a row or column.  Then the largest remainders get one each, while their row and column want
 * it.  What is left goes where it is wanted: all rows want as much as all columns.
 */
static int
round_table(const struct dp_margins *m, dp_wide *row, dp_wide *column, const double *x,
    bool nonnegative, dp_wide *to)
{
	const size_t cells = m->rows * m->columns, C = m->columns;
	struct rest *rest = calloc(cells, sizeof *rest);
	size_t i, r, c;
	dp_wide some;

	if (rest == NULL)
		return DP_ENOMEM;
	for (i = 0; i < cells; i++) {
		to[i] = (dp_wide)floor(x[i]);
		rest[i] = (struct rest){ x[i] - floor(x[i]), i };
		row[i / C] -= to[i];
		column[i % C] -= to[i];
	}
	qsort(rest, cells, sizeof *rest, larger_rest);
	for (i = cells; i-- > 0;)		/* too much: the smallest remainders first */
		for (r = rest[i].cell / C, c = rest[i].cell % C; (!nonnegative ||
		    to[rest[i].cell] > 0) && (row[r] < 0 || column[c] < 0); row[r]++, column[c]++)
			to[rest[i].cell]--;
	for (i = 0; i < cells; i++)
		if (row[r = rest[i].cell / C] > 0 && column[c = rest[i].cell % C] > 0) {
			to[rest[i].cell]++;
			row[r]--;
			column[c]--;
		}
	for (r = c = 0; r < m->rows && c < C; ) {
		some = row[r] < column[c] ? row[r] : column[c];
		to[r * C + c] += some;
		row[r] -= some;
		column[c] -= some;
		if (row[r] == 0)
			r++;
		else
			c++;
	}
	free(rest);
	return 0;
}

/* A table: first what --other is of all, then rows and columns of the rest, then the cells. */
static int
fit_table(const struct dp_margins *m, const dp_wide *est, dp_wide step, bool nonnegative,
    dp_wide *to, struct piece *piece)
{
	const size_t cells = m->rows * m->columns, all = m->keys + m->n - 1;
	const size_t side[] = { m->rows, m->columns };
	dp_wide inner = to[all], sum = 0, *want = calloc(m->rows + m->columns, sizeof *want);
	double *x = calloc(cells, sizeof *x);
	size_t i, at, n;
	int e = want == NULL || x == NULL ? DP_ENOMEM : 0;

	for (i = 0; i < cells; i++)
		sum += est[i];
	if (m->keys > cells) {
		piece[0] = (struct piece){ sum, 0, 0, &inner };
		piece[1] = (struct piece){ est[cells], 0, 1, &to[cells] };
		share_out(piece, 2, to[all], step, nonnegative);
	}
	for (n = 0, at = m->keys; e == 0 && n < 2; at += side[n++]) {
		for (i = 0; i < side[n]; i++)
			piece[i] = (struct piece){ est[at + i], 0, i, &to[at + i] };
		share_out(piece, side[n], inner, step, nonnegative);
	}
	for (i = 0; e == 0 && i < m->rows + m->columns; i++)
		want[i] = to[m->keys + i];
	for (i = 0; e == 0 && i < cells; i++)
		x[i] = (double)est[i] / (double)step;
	if (e == 0 && nonnegative)
		e = project_table(m, want, want + m->rows, x);
	if (e == 0)
		e = round_table(m, want, want + m->rows, x, nonnegative, to);
	free(want);
	free(x);
	return e;
}

/* ---- all of a step ---- */

/* Keys by themselves, and totals their sums. */
static void
fit_sums(const struct dp_margins *m, const dp_wide *est, dp_wide step, dp_wide *to)
{
	size_t i, j;

	for (i = 0; i < m->keys; i++)
		to[i] = dp_nearest(est[i], step);
	for (i = 0; i < m->n; i++)
		for (j = m->first[i], to[m->keys + i] = 0; j < m->first[i + 1]; j++)
			to[m->keys + i] += to[m->key[j]];
}

int
dp_margins_fit(const struct dp_margins *m, const dp_wide *est, dp_wide step, bool nonnegative,
    dp_wide *to)
{
	const size_t nodes = m->keys + m->n;
	struct piece *piece;
	size_t root;
	int e;

	if (m->form == DP_MARGINS_SUMS) {
		fit_sums(m, est, step, to);
		return 0;
	}
	if ((piece = calloc(nodes, sizeof *piece)) == NULL)
		return DP_ENOMEM;
	for (root = nodes - 1; m->form == DP_MARGINS_TREE && m->above[root] != root; root--)
		;
	to[root] = dp_nearest(est[root], step);
	if (nonnegative && to[root] < 0)
		to[root] = 0;
	e = (m->form == DP_MARGINS_TREE ? fit_tree : fit_table)(m, est, step, nonnegative, to,
	    piece);
	free(piece);
	return e;
}

/* The totals of output i, and what is printed of them and of the keys. */
static int
output_totals(struct dp_run *r, const struct dp_margins *m, unsigned i)
{
	const size_t nodes = m->keys + m->n, outputs = r->print.outputs;
	dp_wide *est = r->print.told.room, *fit = est + nodes;
	size_t j, k;
	int e;

	for (j = 0; j < m->keys || (j < nodes && r->plan.mech->nodes != 0); j++)
		est[j] = r->print.est[j * outputs + i];
	for (j = 0; j < m->n && r->plan.mech->nodes == 0; j++)
		for (k = m->first[j], est[m->keys + j] = 0; k < m->first[j + 1]; k++)
			est[m->keys + j] += est[m->key[k]];
	if ((e = dp_margins_fit(m, est, r->print.told.step, r->o->print.nonnegative, fit)) != 0)
		return e;
	for (j = 0; j < nodes; j++) {
		r->print.told.est[j * outputs + i] = est[j];	/* of nodes: as it was */
		r->print.told.fit[j * outputs + i] = fit[j] * r->print.told.round;
	}
	return 0;
}

/* What is computed of private numbers is computed of their sums. */
static int
figures(struct dp_run *r, const struct dp_margins *m, uint64_t t)
{
	const struct dp_mech *mech = r->plan.mech;
	const size_t outputs = r->print.outputs;
	dp_wide *est = r->print.told.est, *ends = r->print.bound.told;
	size_t j, k, n;
	unsigned i;
	int e;

	memcpy(est, r->print.est, r->print.nest * sizeof *est);
	if (ends != NULL)
		memcpy(ends, r->print.bound.ends, 2 * r->print.nest * sizeof *ends);
	for (j = 0; j < m->n; j++) {
		n = m->first[j + 1] - m->first[j];
		for (k = 0; k < n; k++)
			r->print.told.col[k] = r->col.p + m->key[m->first[j] + k] * mech->column;
		for (i = 0, k = (m->keys + j) * outputs; i < outputs; i++, k++)
			if ((e = mech->ops->bound.total(mech, r->print.told.col, n, i, t,
			    1 - r->o->print.confidence, &est[k], ends == NULL ? NULL :
			    &ends[2 * k], ends == NULL ? NULL : &ends[2 * k + 1])) != 0)
				return e;
	}
	return 0;
}

int
dp_margins_step(struct dp_run *r, uint64_t t)
{
	const struct dp_margins *m = r->o->print.table.made;
	unsigned i;
	size_t j, n;
	double w;
	int e;

	if (r->plan.mech->ops->bound.total != NULL)
		return figures(r, m, t);
	for (i = 0; i < r->print.outputs; i++) {
		if ((e = output_totals(r, m, i)) != 0)
			return e;
		for (j = 0; r->print.told.widths != NULL && j < m->n; j++) {
			n = m->first[j + 1] - m->first[j];
			if ((e = dp_widths_at(r->print.told.widths[n], i, t, &w)) != 0)
				return e;
			w = fmin((double)n * r->plan.mech->off.drift + w,
			    (double)n * r->plan.mech->off.most);
			r->print.told.half[j * r->print.outputs + i] =
			    (dp_wide)ceil(w) * r->print.unit;
		}
	}
	return 0;
}

/* Totals of as many keys have intervals of one width: one finder for each number of them. */
static int
prepare_widths(struct dp_run *r, const struct dp_margins *m)
{
	struct dp_widths **widths;
	size_t j, n;
	int e;

	r->print.told.widths = calloc(m->keys + 1, sizeof *r->print.told.widths);
	if ((widths = r->print.told.widths) == NULL)
		return DP_ENOMEM;
	for (j = 0; j < m->n; j++) {
		n = m->first[j + 1] - m->first[j];
		if (widths[n] != NULL)
			continue;
		if ((e = dp_widths_create(&widths[n], r->plan.mech, (1 - r->o->print.confidence) /
		    r->plan.mech->off.worst_of)) != 0)
			return e;
		dp_widths_several(widths[n], (unsigned)n);
	}
	return 0;
}

static int
prepare_figures(struct dp_run *r, const struct dp_margins *m)
{
	const size_t columns = r->print.told.columns;

	r->print.told.col = calloc(m->keys, sizeof *r->print.told.col);
	free(r->print.shown);
	r->print.shown = calloc(columns, sizeof *r->print.shown);
	if (r->print.bound.ends != NULL)
		r->print.bound.told = calloc(columns, 2 * sizeof *r->print.bound.told);
	return r->print.told.est == NULL || r->print.told.col == NULL || r->print.shown == NULL ||
	    (r->print.bound.ends != NULL && r->print.bound.told == NULL) ? DP_ENOMEM : 0;
}

int
dp_margins_prepare(struct dp_run *r)
{
	const struct dp_margins *m = r->o->print.table.made;
	const size_t columns = r->print.told.columns;

	r->print.told.est = calloc(columns, sizeof *r->print.told.est);
	if (r->plan.mech->ops->bound.total != NULL)
		return prepare_figures(r, m);
	r->print.told.fit = calloc(columns, sizeof *r->print.told.fit);
	r->print.told.half = calloc(columns, sizeof *r->print.told.half);
	r->print.told.room = calloc(m->keys + m->n, 2 * sizeof *r->print.told.room);
	free(r->print.shown);
	r->print.shown = calloc(columns, sizeof *r->print.shown);
	if (r->print.told.est == NULL || r->print.told.fit == NULL || r->print.told.half == NULL ||
	    r->print.told.room == NULL || r->print.shown == NULL)
		return DP_ENOMEM;
	return r->print.bound.widths == NULL ? 0 : prepare_widths(r, m);
}

void
dp_margins_done(struct dp_run *r)
{
	const struct dp_margins *m = r->o->print.table.made;
	size_t n;

	free(r->print.told.fit);
	free(r->print.told.half);
	free(r->print.told.room);
	free(r->print.told.col);
	for (n = 0; r->print.told.widths != NULL && n <= m->keys; n++)
		dp_widths_free(r->print.told.widths[n]);
	free(r->print.told.widths);
}
