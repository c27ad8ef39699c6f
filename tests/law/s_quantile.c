/* SPDX-License-Identifier: ISC */
/*
 * s_quantile.c - quantiles (stat/quantile.h): the noise of numbers of events up to a bin is the one
 * predicted, in every layout; intervals hold the truth as often as they say; estimates are made of
 * what is released alone; steps draw noise of their own; one event is told no better than epsilon
 * allows.
 *
 * Fixed seed.  Variances: R = 4000 steps, statistic measured / predicted - 1, limit 6 sqrt(5 / R),
 * for noise with a fourth moment of 6 variances squared at most.  Misses are binomial with a
 * probability of at most gamma; limit 6 standard deviations.  False-reject rate of all checks
 * together below 1e-6.
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/quantile.h"

#define RUNS	4000
#define GAMMA	.1
#define PLACES	7

/* Events of each bin: a hill on a plain, of some 40 events a bin at most. */
static void
fill(int64_t *x, unsigned G, unsigned N)
{
	unsigned i;

	for (i = 0; i < G; i++)
		x[i] = 0;
	for (i = 0; i < N; i++)
		x[(i % 3 == 0 ? i * 7919u : G / 3 + (i * i) % (G / 4 + 1)) % G]++;
}

/* What is asked of the estimates of a step: t_quantile.c tests fits and places. */
static void
made_of_released(const struct dp_mech *m, const void *col, const dp_wide *est)
{
	const struct dp_quantile *k = quantile_of(m);
	double f[DP_BINS_MAX + 1];
	unsigned i;

	memcpy(f, quantile_sums(m, col), (k->G + 1) * sizeof *f);
	dp_quantile_fit(f + 1, k->G);
	for (i = 0; i < k->asked->n; i++)
		check(est[i] == DP_NONE ? !(quantile_sums(m, col)[k->G] >= k->least[0][i]) :
		    est[i] == dp_quantile_find(&k->asked->bins, f, k->asked->q[i]));
}

struct seen {
	double squares[3][PLACES], lag, misses[3], kept;
};

/* F[0 .. G] of the truth: the first value that q N events are not above. */
static int64_t
truth(const struct dp_quantile *k, const double *F, double q)
{
	unsigned j = 1;

	while (F[j] < q * F[k->G] - 1e-9)
		j++;
	return k->asked->bins.edge[j - 1];
}

static void
look(struct seen *a, const struct dp_mech *m, const void *col, uint64_t t, const double *F,
    double *last)
{
	const struct dp_quantile *k = quantile_of(m);
	const double *f = quantile_sums(m, col);
	double d;
	dp_wide lo, hi;
	unsigned i, p, j;

	for (i = 0; i < k->asked->n; i++) {
		for (p = 0; p < PLACES; p++) {
			j = 1 + p * (k->G - 1) / (PLACES - 1);
			d = f[j] - F[j] - k->asked->q[i] * (f[k->G] - F[k->G]);
			a->squares[i][p] += d * d;
		}
		check(m->ops->bound.interval(m, col, i, t, GAMMA, &lo, &hi) == 0);
		d = (double)truth(k, F, k->asked->q[i]);
		a->misses[i] += d < (double)lo || d > (double)hi;
		a->kept += (double)(hi - lo + 1) / k->G;
	}
	d = f[k->G / 2] - F[k->G / 2];
	a->lag += d * *last;
	*last = d;
}

/* Of R columns the last of T steps; or, where steps are told apart, of one column each of R. */
static void
measure(const char *name, unsigned G, enum dp_what what, uint64_t T, uint64_t millionths,
    const struct dp_quantile_layout *layout, struct dp_rng *rng)
{
	const struct dp_mech_rule s = quantile_rule(G, 3, what, T, millionths);
	const bool apart = what == DP_TASK_WINDOW;
	struct dp_mech *m = make(name, &s);
	const struct dp_quantile *k = quantile_of(m);
	struct seen a = { .lag = 0 };
	struct column c;
	int64_t *x = calloc(G, sizeof *x), *none = calloc(G, sizeof *x);
	double *F = calloc(G + 1, sizeof *F), v[2], want, last = 0;
	static struct dp_law law;
	dp_wide est[3];
	unsigned i, p, j;
	uint64_t t;
	int r;

	if (m == NULL || x == NULL || none == NULL || F == NULL)
		abort();
	check(k->layout == layout);
	fill(x, G, 400);
	for (j = 0; j < G; j++)
		F[j + 1] = F[j] + (double)x[j];
	check(column_new(&c, m, rng) == 0);
	for (t = 0, r = 0; r < RUNS; r++) {
		if (!apart && r > 0) {
			column_free(&c);
			check(column_new(&c, m, rng) == 0);
			t = 0;
		}
		do {	/* what counts comes first */
			t++;
			check(m->ops->step(m, c.state, rng, t, apart || t == 1 ? x : none,
			    est) == 0);
			made_of_released(m, c.state, est);
		} while (!apart && t < T);
		look(&a, m, c.state, t, F, &last);
	}
	v[0] = v[1] = 1;
	for (i = 0; i < m->parts; i++) {
		dp_mech_law(m->part[i].inner, 0, T, &law);
		v[i] = dp_law_variance(&law) / k->scale / k->scale;
	}
	for (i = 0; i < 3; i++) {
		for (want = 0, p = 0; p < PLACES; p++) {
			j = 1 + p * (G - 1) / (PLACES - 1);
			want = dp_quantile_variance(&k->noise, v, k->asked->q[i], j);
			printf("%s, %u bins, q = %g, bin %u: variance %g, predicted %g\n", name, G,
			    k->asked->q[i], j, a.squares[i][p] / RUNS, want);
			check(fabs(a.squares[i][p] / RUNS / want - 1) < 6 * sqrt(5. / RUNS));
		}
		printf("%s, %u bins, q = %g: %g of %d miss\n", name, G, k->asked->q[i], a.misses[i],
		    RUNS);
		check(a.misses[i] <= RUNS * GAMMA + 6 * sqrt(RUNS * GAMMA * (1 - GAMMA)));
	}
	printf("%s, %u bins: intervals hold %g of the bins\n", name, G, a.kept / RUNS / 3);
	/* steps that are told apart have noise of their own: a correlation of none */
	want = dp_quantile_variance(&k->noise, v, 0, G / 2);
	check(fabs(a.lag / RUNS / want) < 6 / sqrt(RUNS) || !apart);
	/* the law is of the worst bin, the error of the worst and of all */
	dp_mech_law(m, 0, T, &law);
	for (want = 0, j = 1; j <= G; j++)
		want = fmax(want, dp_quantile_variance(&k->noise, v, .5, j));
	check(fabs(dp_law_variance(&law) / want - 1) < 1e-9);
	column_free(&c);
	dp_mech_free(m);
	free(x);
	free(none);
	free(F);
}

#define SIDE	6	/* cells of two noisy numbers, -SIDE .. SIDE each */
#define DRAWS	300000

/*
 * One event in the first of two bins, or none.  Statistic: for each cell of what is released that
 * came 1000 times on either side, the log of the ratio, less epsilon, in its standard deviations;
 * limit 6.  Some cell's ratio must be near e^epsilon.
 */
static void
neighbour(struct dp_rng *rng)
{
	const struct dp_mech_rule s = quantile_rule(2, 1, DP_TASK_WINDOW, 4, 0);
	struct dp_mech *m = make("normtree", &s);
	static double seen[2][2 * SIDE + 1][2 * SIDE + 1];
	int64_t x[2] = { 0, 0 };
	struct column c;
	const double *f;
	double ratio, sd, most = 0;
	dp_wide est;
	int r, with, i, j;

	if (m == NULL)
		abort();
	check(column_new(&c, m, rng) == 0);
	for (with = 0; with < 2; with++)
		for (x[0] = with, r = 0; r < DRAWS; r++) {
			check(m->ops->step(m, c.state, rng, (uint64_t)r + 1, x, &est) == 0);
			f = quantile_sums(m, c.state);
			i = (int)f[1];
			j = (int)(f[2] - f[1]);
			if (abs(i) <= SIDE && abs(j) <= SIDE)
				seen[with][i + SIDE][j + SIDE]++;
		}
	for (i = 0; i <= 2 * SIDE; i++)
		for (j = 0; j <= 2 * SIDE; j++) {
			if (fmin(seen[0][i][j], seen[1][i][j]) < 1000)
				continue;
			ratio = fabs(log(seen[1][i][j] / seen[0][i][j]));
			sd = sqrt(1 / seen[0][i][j] + 1 / seen[1][i][j]);
			check(ratio - 1 < 6 * sd);
			most = fmax(most, ratio);
		}
	printf("one event: largest log ratio %g of 1\n", most);
	check(most > .95);
	column_free(&c);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;

	covers(argc, argv);
	if (covers_list)	/* the laws themselves are measured elsewhere */
		return 0;
	if (dp_rng_open_seed(&rng, 20261126) != 0)
		abort();
	if (covers_asked("neighbour"))
		neighbour(rng);
	if (covers_asked("tree")) {
		measure("normtree", 100, DP_TASK_WINDOW, 4, 0, &dp_quantile_tree, rng);
		measure("normtree", 256, DP_TASK_WINDOW, 4, 0, &dp_quantile_tree, rng);
	}
	if (covers_asked("flat"))
		measure("normtree", 40, DP_TASK_COUNT, 6, 0, &dp_quantile_flat, rng);
	if (covers_asked("levels"))
		measure("normtree", 100, DP_TASK_COUNT, 6, 0, &dp_quantile_levels, rng);
	if (covers_asked("root"))
		measure("blt", 100, DP_TASK_COUNT, 6, 1, &dp_quantile_root, rng);
	dp_rng_free(rng);
	return done();
}
