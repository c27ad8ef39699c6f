/* SPDX-License-Identifier: ISC */
/*
 * s_top.c - names that nobody declared (stat/top.h): a column that begins late has the noise of one
 * that began at step 1; and what is told of one event, at first sight, in the middle of the run, or
 * before others, is within epsilon and delta.
 *
 * Fixed seeds.  law: R = 4000 columns, squares of the noise at a step / predicted - 1, limit
 * 6 sqrt(5 / R).  neighbour: two streams of one name that differ in an event, N = 200000 runs of
 * each, joint outputs of three steps in cells.  A set S is chosen by half of the runs, with P >
 * e^epsilon Q in each of its cells; of the other half P(S) - e^epsilon Q(S) is at most delta and 6
 * standard deviations.  One event at step 1 against none: it is delta, to 6 standard deviations;
 * but windows allow for more, and Gaussian noise has half of it.
 * False-reject rate of all checks together below 1e-6.
 */
#include "../unit/covers.h"
#include "../unit/top.h"
#include "stat/internal.h"

#define R	4000
#define T	3
#define CELLS	26		/* none, and estimates from -LOW to CELLS - LOW - 2 */
#define LOW	9
#define DELTA	20000000	/* of the neighbour tests, in 10^-9 */
#define MANY	1000		/* events, of which each name is told */

static unsigned N = 200000;	/* make attack: 10^7 */

static void
law(const char *name, const struct dp_statistic *what, uint64_t steps, uint64_t i,
    struct dp_rng *rng)
{
	/* of unknown T the second segment begins with step 257 */
	struct dp_mech *m = top_named(name, what, steps > 256 ? 0 : steps, 1, 1, 1000, 1);
	int64_t *x = calloc(steps, sizeof *x);
	dp_wide *est = calloc(steps, sizeof *est);
	const uint64_t at[] = { i, (i + steps) / 2, steps - 1 };
	double squares[3] = { 0 }, d, want;
	void *col = malloc(m->column);
	uint64_t windows;
	unsigned k;
	int r;

	if (x == NULL || est == NULL || col == NULL)
		abort();
	for (k = 0; k < steps; k++)
		x[k] = k == i || (what != &dp_top_running && k > i) ? MANY : 0;
	for (r = 0; r < R; r++) {
		top_run(m, rng, col, x, steps, est);
		check(i == 0 || est[i - 1] == DP_NONE);
		for (k = 0; k < 3; k++) {
			windows = at[k] - i + 1 < TOP_WINDOW ? at[k] - i + 1 : TOP_WINDOW;
			d = (double)(est[at[k]] - MANY * (what == &dp_top_window ?
			    (dp_wide)windows : 1));
			squares[k] += d * d;
		}
	}
	for (k = 0; k < 3; k++) {
		want = dp_mech_variance(m, at[k] + 1);
		printf("%s, from step %u on: variance at step %u %g, predicted %g\n", m->ops->name,
		    (unsigned)i + 1, (unsigned)at[k] + 1, squares[k] / R, want);
		check(fabs(squares[k] / R / want - 1) < 6 * sqrt(5. / R));
	}
	free(x);
	free(est);
	free(col);
	dp_mech_free(m);
}

static size_t
cell(const dp_wide *est)
{
	size_t place = 0, one;
	dp_wide y;
	unsigned t;

	for (t = 0; t < T; t++) {
		y = est[t] == DP_NONE ? 0 : est[t] + LOW + 1;
		one = est[t] == DP_NONE ? 0 : y < 1 ? 1 : y > CELLS - 1 ? CELLS - 1 : (size_t)y;
		place = place * CELLS + one;
	}
	return place;
}

/* Half of the runs each, into p[0] and p[1]. */
static void
runs(const struct dp_mech *m, struct dp_rng *rng, const int64_t *x, uint32_t *p[2])
{
	void *col = malloc(m->column);
	dp_wide est[T];
	unsigned n;

	if (col == NULL)
		abort();
	for (n = 0; n < N; n++) {
		top_run(m, rng, col, x, T, est);
		p[n & 1][cell(est)]++;
	}
	free(col);
}

/* P(S) - e^epsilon Q(S) of the second half, S of the first. */
static double
attack(uint32_t *const p[2], uint32_t *const q[2], double e, double *deviation)
{
	double P = 0, Q = 0;
	size_t i;

	for (i = 0; i < CELLS * CELLS * CELLS; i++)
		if (p[0][i] > e * q[0][i]) {
			P += p[1][i];
			Q += q[1][i];
		}
	P /= N / 2;
	Q /= N / 2;
	*deviation = sqrt((P * (1 - P) + e * e * Q * (1 - Q)) / (N / 2)) + 2. / N;
	return P - e * Q;
}

static void
neighbours(const struct dp_mech *m, struct dp_rng *rng, const int64_t *x, const int64_t *y,
    bool tight)
{
	const double half = strcmp(m->ops->name, "gated-blt") == 0 ? DELTA / 2e9 : 0;
	const double delta = dp_top_plan(m)->delta + half, e = exp(1);
	const size_t n = CELLS * CELLS * CELLS;
	uint32_t *all = calloc(4 * n, sizeof *all), *p[] = { all, all + n },
	    *q[] = { all + 2 * n, all + 3 * n };
	double d[2], s[2];

	if (all == NULL)
		abort();
	runs(m, rng, x, p);
	runs(m, rng, y, q);
	d[0] = attack(p, q, e, &s[0]);
	d[1] = attack(q, p, e, &s[1]);
	printf("%s, events %d %d %d against %d %d %d: %.5f and %.5f, delta %.5f\n", m->ops->name,
	    (int)x[0], (int)x[1], (int)x[2], (int)y[0], (int)y[1], (int)y[2], d[0], d[1], delta);
	check(d[0] <= delta + 6 * s[0] && d[1] <= delta + 6 * s[1]);
	check(!tight || d[0] >= delta - 6 * s[0]);
	free(all);
}

static void
neighbour(const char *name, const struct dp_statistic *what, struct dp_rng *rng)
{
	static const int64_t none[T], first[T] = { 1 }, middle[T] = { 0, 1, 0 },
	    before[T] = { 1, 1, 1 }, after[T] = { 0, 1, 1 }, late[T] = { 0, 0, 1 },
	    both[T] = { 0, 1, 1 };
	struct dp_mech *m = top_named(name, what, T, 1, 1, DELTA, 1);

	neighbours(m, rng, first, none, what != &dp_top_window &&
	    strcmp(name, "gated-blt") != 0);
	neighbours(m, rng, middle, none, false);
	neighbours(m, rng, before, after, false);
	neighbours(m, rng, both, late, false);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	static const struct dp_statistic *const all[] = { &dp_top_running, &dp_top_each,
	    &dp_top_window, &dp_top_running };
	static const char *const name[] = { "gated-normtree", "gated-laplace", "gated-window",
	    "gated-blt" };
	struct dp_rng *rng;
	unsigned i;

	covers(argc, argv);
	if (getenv("ATTACK_RUNS") != NULL)
		N = (unsigned)strtoul(getenv("ATTACK_RUNS"), NULL, 10) & ~1u;
	if (N == 0 || dp_rng_open_seed(&rng, 41) != 0)
		abort();
	for (i = 0; i < 4; i++) {
		if (!leave_named("law", name[i], all[i]->name)) {
			law(name[i], all[i], 24, 0, rng);
			law(name[i], all[i], 24, 8, rng);
			law(name[i], all[i], 84, 37, rng);
		}
		if (i == 0 && !leave_named("law", name[i], all[i]->name)) {
			law(name[i], all[i], 260, 250, rng);
			law(name[i], all[i], 290, 256, rng);
			law(name[i], all[i], 290, 270, rng);
		}
		if (!leave_named("neighbour", name[i], all[i]->name))
			neighbour(name[i], all[i], rng);
	}
	dp_rng_free(rng);
	return done();
}
