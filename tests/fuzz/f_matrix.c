/* SPDX-License-Identifier: ISC */
/*
 * f_matrix.c - any bytes as a matrix of queries: an error with a reason, or entries in range, names
 * that differ, distances that no pair exceeds, and nearest points that are numbers.
 *
 *	clang -fsanitize=fuzzer,address,undefined f_matrix.c ...; ./f_matrix corpus
 *	cc -DREPLAY f_matrix.c ...; ./f_matrix FILE ...
 */
#include <math.h>

#include "base/internal.h"
#include "stat/internal.h"
#include "target.h"

static void
names(char *const *name, size_t n)
{
	size_t i;

	for (i = 0; name != NULL && i < n; i++)
		need(name[i][0] != '\0' && strlen(name[i]) <= 255 &&
		    (i == 0 || strcmp(name[i - 1], name[i]) != 0));
}

static void
distances(const struct dp_matrix *m)
{
	struct dp_moves v, bound;
	uint64_t l1, l2, d;
	size_t i, j;

	need(dp_moves_find(&v, m, false, 1 << 20) == 0);
	need(dp_moves_find(&bound, m, false, 0) == 0);
	need(v.l1 <= bound.l1 && v.l2squared <= bound.l2squared);
	for (i = 0; i < m->columns; i++) {
		for (l1 = l2 = 0, j = 0; j < m->rows; j++) {
			d = (uint64_t)abs(dp_matrix_column(m, i)[j] - dp_matrix_column(m, 0)[j]);
			l1 += d;
			l2 += d * d;
			need((uint64_t)dp_matrix_column(m, i)[j] <= v.most);
		}
		need(l1 <= v.l1 && l2 <= v.l2squared);
	}
}

/* From a place outside of every hull. */
static void
nearest(const struct dp_matrix *m)
{
	double *noisy = calloc(2 * m->rows, sizeof *noisy), *point = noisy + m->rows, gap;
	const double unit = pow(10, m->places);
	enum dp_hull set;
	size_t j;

	need(noisy != NULL);
	for (j = 0; j < m->rows; j++)
		noisy[j] = (j % 2 == 0 ? 7 : -4) * unit;
	for (set = DP_HULL_SOME; set <= DP_HULL_SIGNED; set++) {
		need(dp_hull_nearest(m, set, 3, noisy, 1e-3, point, &gap) == 0);
		/* columns that are nearly dependent, some 1e-4 apart, leave doubles no more */
		need(fabs(gap) <= 1e-6 + 1e-6 * unit * unit * (double)m->rows);
		for (j = 0; j < m->rows; j++)
			need(point[j] <= 3.001 * unit && point[j] >= -3.001 * unit);
	}
	free(noisy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char why[DP_MATRIX_WHY] = "", *text = malloc(n + (n == 0));
	struct dp_matrix m;
	size_t i;

	need(text != NULL);
	memcpy(text, p, n);	/* a block of its own, so that a byte too far is seen */
	if (dp_matrix_read(&m, text, n, why) != 0)
		need(why[0] != '\0');
	else {
		need(m.rows >= 1 && m.columns >= 1 && m.places <= DP_MATRIX_PLACES);
		for (i = 0; i < m.rows * m.columns; i++)
			need(m.entry[i] >= 0 && m.entry[i] <= pow(10, m.places));
		names(m.row, m.rows);
		names(m.column, m.columns);
		if (m.rows * m.columns <= 4096) {
			distances(&m);
			nearest(&m);
		}
		dp_matrix_free(&m);
	}
	free(text);
	return 0;
}

#ifdef REPLAY
#include "replay.h"
#endif
