/* SPDX-License-Identifier: ISC */
/*
 * s_windows.c - several windows of identifiers from one budget: noise as predicted, and neighbours.
 *
 * Law: R = 20000 runs, fixed seed, of one answer of each window.  Statistics: (mean - want)/
 * sqrt(v/R) and (variance/v - 1)/sqrt(k/R), k the excess kurtosis and 2, 3 + 2 at most; limit 5.5
 * for each: a true law is rejected with probability below 1e-6.
 *
 * Neighbours: RUNS runs of two inputs, of which one has an identifier in the first of two steps;
 * then of two keys, and so in two columns.  Cells are which of the four answers of a column (two
 * windows, two steps) are 1 or more.  For x and y hits of
 * a cell log(x/y) - epsilon in units of sqrt(1/x + 1/y) stays below 5.5.  Power: the largest
 * log-ratio comes within 10 % of epsilon, so that a loss 20 % too large would show.
 */
#include <stdio.h>

#include "../unit/sketch.h"

#define R	20000
#define RUNS	400000
#define LIMIT	5.5

static void
law(void)
{
	const struct dp_sketch s = { .windows = 3, .each = { { 1, "1", { 0, 1 } },
	    { 3, "3", { 0, 1 } }, { 20, "20", { 0, 1 } } } };
	const struct dp_mech_rule rule = sketch_setting(&dp_recent, &s, 100, 1, 1, 1);
	struct dp_mech *m = make("window", &rule);
	struct dp_rng *rng = seeded(41);
	double sum[3] = { 0 }, square[3] = { 0 }, mean, v;
	static const double want[] = { 0, 1, 2 };	/* one at step 1, one at 3; at step 5 */
	struct dp_law l;
	struct column c;
	dp_wide est[3];
	unsigned i, t;
	int k;

	if (m == NULL) {
		fail("windows");
		return;
	}
	for (k = 0; k < R; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (t = 1; t <= 5; t++) {
			if (t == 1 || t == 3)
				sees(&c, 0, 1);
			if (m->ops->step(m, c.state, rng, ++c.t, NULL, NULL) != 0 ||
			    m->ops->answer(m, c.state, rng, c.t, est) != 0)
				abort();
		}
		for (i = 0; i < 3; i++) {
			sum[i] += (double)est[i];
			square[i] += ((double)est[i] - want[i]) * ((double)est[i] - want[i]);
		}
		column_free(&c);
	}
	for (i = 0; i < 3; i++) {
		dp_mech_law(m, i, 5, &l);
		v = dp_law_variance(&l);
		mean = sum[i] / R;
		check(fabs(mean - want[i]) <= LIMIT * sqrt(v / R));
		check(fabs(square[i] / R / v - 1) <= LIMIT * sqrt(5. / R));
	}
	dp_rng_free(rng);
	dp_mech_free(m);
}

/* One run: the cell of its answers; there: the identifier is in the first step of all columns. */
static unsigned
run(const struct dp_mech *m, struct dp_rng *rng, unsigned columns, bool there)
{
	unsigned cell = 0, t, k;
	struct column c;
	dp_wide est[2];

	for (k = 0; k < columns; k++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (t = 0; t < 2; t++) {
			if (there && t == 0)
				sees(&c, 0, 1);
			if (m->ops->step(m, c.state, rng, ++c.t, NULL, NULL) != 0 ||
			    m->ops->answer(m, c.state, rng, c.t, est) != 0)
				abort();
			cell = cell << 2 | (est[0] >= 1 ? 2u : 0) | (est[1] >= 1 ? 1u : 0);
		}
		column_free(&c);
	}
	return cell;
}

/* An identifier of so many keys, each with a column, and K = columns. */
static void
neighbours(unsigned columns)
{
	const struct dp_sketch s = { .keyed = columns > 1, .windows = 2,
	    .each = { { 1, "1", { 0, 1 } }, { 2, "2", { 0, 1 } } } };
	const double eps = 1.5;
	struct dp_mech_rule rule = sketch_setting(&dp_recent, &s, 2, 1, 3, 2);
	struct dp_rng *rng = seeded(42);
	struct dp_mech *m;
	double hit[2][256] = { { 0 } }, ratio, largest = 0;
	unsigned i;
	int k;

	if (dp_privacy_set(&rule.privacy, false, dp_q_make(3, 2), dp_q_make(0, 1), columns,
	    columns) != 0)
		abort();
	rule.privacy.linf = 1;
	rule.privacy.columns = columns;
	if ((m = make("window", &rule)) == NULL) {
		fail("windows");
		return;
	}
	for (i = 0; i < 2; i++)
		for (k = 0; k < RUNS; k++)
			hit[i][run(m, rng, columns, i == 0)]++;
	for (i = 0; i < 512; i++) {
		const double x = hit[i / 256][i % 256], y = hit[1 - i / 256][i % 256];

		if (x < 400 || y < 400)
			continue;
		ratio = log(x / y);
		largest = fmax(largest, ratio);
		check((ratio - eps) / sqrt(1 / x + 1 / y) < LIMIT);
	}
	check(largest > .9 * eps);
	if (largest <= .9 * eps)
		printf("largest log-ratio %.4g of %.4g\n", largest, eps);
	dp_rng_free(rng);
	dp_mech_free(m);
}

int
main(void)
{
	law();
	neighbours(1);
	neighbours(2);
	return done();
}
