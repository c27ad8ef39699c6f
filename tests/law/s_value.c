/* SPDX-License-Identifier: ISC */
/*
 * s_value.c - local randomisers of numbers.
 *
 * Neighbour, exactly: cells of several M and W and ranges of several N, by all paths through the
 * draws of the tool's own step(), which a script of bytes decides: for all numbers, none of the
 * range among them, and all answers the ratio is at most e^epsilon, and for both ends it is that;
 * what the answers tell has the mean x for every x, and a variance of at most the largest that is
 * predicted, which some x attains where there are enough.  Noise: its scale is N answers / epsilon.
 *
 * Law: R = 40000 answers to each of five numbers: the mean told within 4.9 standard errors, the
 * variance no larger than predicted, or by sqrt(K/R) 4.9 (kurtosis K below 9), and at the number
 * with the largest no smaller by that.  The interval of the mean of 50 answers holds in at least
 * 95 % of 1000 runs, less 4.9 standard errors.  False-reject rate 1e-6 each.
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>

#include "../unit/covers.h"
#include "../unit/local.h"
#include "../unit/stats.h"
#include "job/internal.h"
#include "sketch/internal.h"

static const char *const name[] = { "duchi", "piecewise", "laplace" };

/* Numbers 0 .. N, epsilon num/den; M = 0: the mechanism's own cells.  NULL: it is not eligible. */
static struct dp_mech *
numbers(const char *what, uint64_t N, int64_t other, uint64_t each, uint64_t num, uint64_t den,
    uint64_t M, uint64_t W)
{
	static struct dp_local_task task;
	struct dp_mech_rule s = setting(0, num, den, 1);
	const struct dp_mech_ops *o;
	struct dp_mech *m = NULL;
	unsigned i;

	task = (struct dp_local_task){ (size_t)N + 1, other, N, each };
	s.task.what = DP_TASK_OWN;
	s.task.statistic = &dp_local_numbers;
	s.task.own = &task;
	for (i = 0; (o = dp_plan_list(i)) != NULL; i++)
		if (dp_mech_does(o, &s.task) && strcmp(o->name, what) == 0)
			break;
	if (o == NULL)
		abort();
	if ((M == 0 ? dp_mech_create(&m, o, &s) : dp_value_cells(&m, o, &s, M, W)) != 0)
		return NULL;
	return m;
}

static size_t
script(uint8_t *p, uint64_t n, uint64_t c)
{
	const uint64_t x = htole64((uint64_t)((((dp_uwide)c << 64) + ((uint64_t)1 << 63)) / n));

	memcpy(p, &x, 8);
	return 8;
}

#define CELLS_MAX	8
#define NUMBERS_MAX	40

/* P(y | x) of all cells; x = -1: of no number, whose first draw says which it is. */
static void
law_of(const struct dp_mech *m, uint64_t N, int64_t x, double *p)
{
	const struct dp_local *l = dp_local_of(m);
	const uint64_t M = l->value.cells, W = l->value.band;
	const double heads = (double)W * exp(1) / ((double)W * exp(1) + (double)(M - W));
	const double ways = (double)(N * W * (M - W)) * (l->other < 0 && x < 0 ? (double)N + 1 : 1);
	uint64_t any, u, own, in, out, col = 0;
	struct dp_rng *rng;
	uint8_t bytes[64];
	dp_wide est;
	size_t n;

	for (u = 0; u < M; u++)
		p[u] = 0;
	for (any = 0; any <= (l->other < 0 && x < 0 ? N : 0); any++)
		for (u = 0; u < N; u++)
			for (own = 0; own < 2; own++)
				for (in = 0; in < W; in++)
					for (out = 0; out < M - W; out++) {
						n = l->other < 0 ? script(bytes, N + 1, any) : 0;
						n += script(bytes + n, N, u);
						n += script(bytes + n, 2, own);
						if (own == 0)	/* heads: far below the threshold */
							memset(bytes + n - 8, 0, 8);
						else
							memset(bytes + n - 8, 255, 8);
						n += script(bytes + n, W, in);
						n += script(bytes + n, M - W, out);
						if (dp_rng_open_bytes(&rng, bytes, n) != 0 ||
						    m->ops->step(m, &col, rng, 1, &x, &est) != 0)
							abort();
						check(rng->left == 0 && est >= 0 &&
						    est < (dp_wide)M);
						dp_rng_free(rng);
						p[est] += (own == 0 ? heads : 1 - heads) / ways;
					}
}

static void
exactly(uint64_t N, uint64_t M, uint64_t W, int64_t other)
{
	static double p[NUMBERS_MAX + 2][CELLS_MAX];
	struct dp_mech *m = numbers("piecewise", N, other, 1, 1, 1, M, W);
	const struct dp_local *l = dp_local_of(m);
	double worst = 0, ends = 0, mean, square, told, most = 0, r;
	uint64_t x, z, y;

	for (x = 0; x <= N + 1; x++)
		law_of(m, N, x <= N ? (int64_t)x : -1, p[x]);
	for (x = 0; x <= N + 1; x++)
		for (z = 0; z <= N + 1; z++)
			for (y = 0; y < M; y++) {
				r = log(p[x][y] / p[z][y]);
				worst = fmax(worst, r);
				ends = x == 0 && z == N ? fmax(ends, r) : ends;
			}
	check(worst <= 1 + 1e-9 && ends > 1 - 1e-9);
	if (other >= 0)
		for (y = 0; y < M; y++)
			check(fabs(p[N + 1][y] - p[other][y]) < 1e-12);
	for (x = 0; x <= N; x++) {
		for (mean = square = 0, y = 0; y < M; y++) {
			told = ((double)y - l->value.base) * l->value.scale;
			mean += p[x][y] * told;
			square += p[x][y] * told * told;
		}
		check(fabs(mean - (double)x) < 1e-9 * (double)N);
		most = fmax(most, square - mean * mean);
	}
	check(most <= l->value.worst * (1 + 1e-9));
	/* the place of the largest is between two of few */
	check(most > l->value.worst * (N >= 30 ? .9999 : .9));
	if (worst > 1 + 1e-9 || most > l->value.worst * (1 + 1e-9) || most < l->value.worst * .9)
		printf("N = %d, M = %d, W = %d: loss %g, variance %g of %g\n", (int)N, (int)M,
		    (int)W, worst, most, l->value.worst);
	dp_mech_free(m);
}

static void
neighbour(const char *what)
{
	const struct dp_local *l;
	struct dp_mech *m;

	if (strcmp(what, "duchi") == 0) {
		exactly(30, 2, 1, -1);
		exactly(6, 2, 1, 4);
		exactly(1, 2, 1, -1);
	} else if (strcmp(what, "piecewise") == 0) {
		exactly(6, 5, 2, -1);
		exactly(30, 5, 2, 7);
		exactly(7, 7, 3, -1);
		exactly(3, 8, 1, 0);
		exactly(40, 4, 1, -1);
	} else {
		m = numbers(what, 100, -1, 3, 7, 5, 0, 0);
		check(dp_q_cmp(dp_local_of(m)->value.noise.param, dp_q_make(1500, 7)) == 0);
		dp_mech_free(m);
		return;
	}
	/* of three answers of one person each loses a third; the mechanism's own cells */
	m = numbers(what, 100, -1, 3, 6, 1, 0, 0);
	l = dp_local_of(m);
	check(fabs(l->coin.x - 2) < 1e-9 && l->value.cells == (what[0] == 'd' ? 2 : 1024));
	check(fabs(log(l->coin.heads / l->coin.tails * (double)(l->value.cells - l->value.band) /
	    (double)l->value.band) - 2) < 1e-9);
	check(what[0] == 'd' || l->value.band == 275);	/* 1024 / (e + 1) = 275.4 */
	/* the papers' largest variances, of -1 .. 1: ((e^x + 1)/(e^x - 1))^2; 4 e^(x/2) / 3
	 * (e^(x/2) - 1)^2 */
	check(fabs(l->value.worst / 2500 / (what[0] == 'd' ? pow((exp(2) + 1) / (exp(2) - 1), 2) :
	    4 * exp(1) / (3 * pow(exp(1) - 1, 2))) - 1) < (what[0] == 'd' ? 1e-9 : 1e-3));
	dp_mech_free(m);
}

/* One answer, told. */
static double
told(const struct dp_mech *m, struct dp_rng *rng, int64_t x, struct dp_totals *t)
{
	const struct dp_local *l = dp_local_of(m);
	uint64_t col = 0;
	char text[128];
	dp_wide est;
	size_t n;

	if (m->ops->step(m, &col, rng, 1, &x, &est) != 0)
		abort();
	n = (size_t)(m->ops->answers->put(m, &col, est, text) - text);
	check(n <= m->answers.text);
	if (t != NULL)
		check(dp_totals_add(t, (struct dp_slice){ text, n }, -1));
	return ((double)est - l->value.base) * l->value.scale;
}

static void
law(const char *what, struct dp_rng *rng)
{
	const double R = 40000, runs = 1000, n = 50;
	struct dp_mech *m = numbers(what, 1000, -1, 1, 2, 1, 0, 0);
	const double worst = dp_local_of(m)->value.worst;
	struct dp_totals *t;
	double sum, square, y, v, most = 0, off, held = 0, total;
	int64_t x;
	int i, r;

	for (x = 0; x <= 1000; x += 250) {
		for (sum = square = 0, r = 0; r < R; r++) {
			y = told(m, rng, x, NULL) - (double)x;
			sum += y;
			square += y * y;
		}
		v = square / R;
		check(fabs(sum / R) < Z_LIMIT * sqrt(worst / R));
		check(v < worst * (1 + Z_LIMIT * sqrt(9 / R)));
		most = fmax(most, v);
	}
	check(most > worst * (1 - Z_LIMIT * sqrt(9 / R)));
	for (r = 0; r < runs; r++) {
		if (dp_totals_new(&t, m) != 0)
			abort();
		for (total = 0, i = 0; i < n; i++) {
			x = i * 20;
			total += (double)x;
			(void)told(m, rng, x, t);
		}
		y = dp_totals_sum(t, .05, &off);
		held += fabs(y - total) <= off;
		check(off < 3.5 * sqrt(n * worst));
		dp_totals_free(t);
	}
	check(held >= .95 * runs - Z_LIMIT * sqrt(.95 * .05 * runs));
	/* what is no such answer */
	if (dp_totals_new(&t, m) != 0)
		abort();
	for (i = 0; i < 8; i++)
		check(!dp_totals_add(t, (struct dp_slice){ (const char *[]){ "duchi:2", "duchi:-1",
		    "piecewise:0:3", "piecewise:275:1024", "laplace:+3", "laplace:3.5", "x",
		    ":" }[i],
		    (size_t[]){ 7, 8, 13, 18, 10, 11, 1, 1 }[i] }, -1));
	dp_totals_free(t);
	dp_mech_free(m);
	/* without noise: exact */
	m = numbers(what, 9, -1, 1, 0, 1, 0, 0);
	check((m == NULL) == (strcmp(what, "laplace") != 0));
	check(m == NULL || told(m, rng, 7, NULL) == 7);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;
	size_t i;

	covers(argc, argv);
	if (dp_rng_open_seed(&rng, 8) != 0)
		abort();
	for (i = 0; i < sizeof name / sizeof name[0]; i++) {
		if (!leave_named("law", name[i], "numbers"))
			law(name[i], rng);
		if (!leave_named("neighbour", name[i], "numbers"))
			neighbour(name[i]);
	}
	dp_rng_free(rng);
	return covers_list ? 0 : done();
}
