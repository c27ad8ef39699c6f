/* SPDX-License-Identifier: ISC */
/*
 * s_decay.c - decayed sums: measured variance equals predicted variance, and epsilon is not
 * refuted.
 *
 * Variance: at steps 1, (T+1)/2, T and the worst, T in {1, 7, 64}, of R = 5000 runs, fixed seed,
 * x_t = t mod 2. Statistic: (sample variance / predicted - 1) / sd, sd = sqrt((2 + k)/R), k <= 3
 * the excess kurtosis of a sum of Laplace variables; limit 6.2: false-reject rate below 1e-6 for
 * all 150 checks together (as s_variance.c). Means: within 6.2 sqrt(variance/R) of the sum without
 * noise, which for paper is the bucketed one. Power: a scale 15 % off moves the
 * statistic beyond 8.
 *
 * Neighbours: T = 8, epsilon = 1, R = 100000 runs on x = 0 and on a unit at step 1.  Events: the
 * estimates of the steps in a set are all above half of what the unit adds, or all below.  Refuted
 * when the lower end of ln(p1/p0), normal quantile 6.3 on both proportions, exceeds 1: false-reject
 * rate below 1e-6.  expsum-paper at .2 and output must reach 0.24 and 0.4, else the test looks in
 * the wrong place.
 */
#include "../unit/covers.h"
#include "../unit/decay.h"

#define LIMIT	6.2
#define RUNS	5000

struct scheme {
	const char *name;
	struct dp_task task;
	uint64_t horizon;	/* 0: unknown; else the T of the test */
};

struct moments {
	uint64_t step;
	double truth, sum, squares;
};

static void
judge(const char *what, uint64_t T, const struct dp_mech *m, const struct moments *a)
{
	double v = dp_mech_variance(m, a->step), mean = a->sum / RUNS;
	double got = (a->squares - RUNS * mean * mean) / (RUNS - 1), sd = sqrt(5. / RUNS);
	bool good = fabs(mean) <= LIMIT * sqrt(v / RUNS) && fabs(got / v - 1) <= LIMIT * sd;

	check(good);
	if (!good)
		printf("%s, T = %llu, step %llu: predicted %.6g, measured %.6g, mean %.4g\n", what,
		    (unsigned long long)T, (unsigned long long)a->step, v, got, mean);
}

static double *
run(const struct dp_mech *m, struct dp_rng *rng, uint64_t T, double *y)
{
	struct column c;
	uint64_t t;

	if (column_new(&c, m, rng) != 0)
		abort();
	for (t = 1; t <= T; t++)
		y[t] = decay_step(&c, (int64_t)(t & 1));
	column_free(&c);
	return y;
}

static void
measure(const struct scheme *s, uint64_t T, struct dp_rng *rng)
{
	uint64_t horizon = s->horizon == 0 ? 0 : T;
	struct dp_mech *m = decay_make(s->name, s->task, horizon, false);
	struct dp_mech *exact = decay_make(s->name, s->task, horizon, true);
	struct moments a[4];
	struct dp_error e;
	double y[65];
	int r, i;

	if (m == NULL || exact == NULL) {
		check(false);
		return;
	}
	dp_mech_error(m, T, &e);
	run(exact, NULL, T, y);
	for (i = 0; i < 4; i++) {
		a[i] = (struct moments){ .step = ((uint64_t[]){ 1, (T + 1) / 2, T, e.worst })[i] };
		a[i].truth = y[a[i].step];
	}
	for (r = 0; r < RUNS; r++) {
		run(m, rng, T, y);
		for (i = 0; i < 4; i++) {
			a[i].sum += y[a[i].step] - a[i].truth;
			a[i].squares += (y[a[i].step] - a[i].truth) * (y[a[i].step] - a[i].truth);
		}
	}
	for (i = 0; i < 4; i++)
		judge(s->name, T, m, &a[i]);
	dp_mech_free(m);
	dp_mech_free(exact);
}

#define SETS	7
static const unsigned set[SETS] = { 1, 3, 11, 7, 139, 15, 255 };	/* of steps 1..8 */

static void
simulate(const struct dp_mech *m, struct dp_rng *rng, double R, int64_t x, const double *half,
    double *up, double *down)
{
	struct column c;
	unsigned high;
	double r;
	int t, i;

	for (i = 0; i < SETS; i++)
		up[i] = down[i] = 0;
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (high = 0, t = 0; t < 8; t++)
			high |= (unsigned)(decay_step(&c, t == 0 ? x : 0) > half[t]) << t;
		column_free(&c);
		for (i = 0; i < SETS; i++) {
			up[i] += (high & set[i]) == set[i];
			down[i] += (high & set[i]) == 0;
		}
	}
}

/* Lower end of ln(a/b) for two counts of R. */
static double
loss(double a, double b, double R)
{
	const double z = 6.3;

	if (a < 500 || b < 50)
		return -INFINITY;
	return log(a / b) - z * (sqrt((1 - a / R) / a) + sqrt((1 - b / R) / b));
}

static double
audit(const struct scheme *s, struct dp_rng *rng)
{
	const double R = 100000;
	struct dp_mech *m = decay_make(s->name, s->task, s->horizon == 0 ? 0 : 8, false);
	double half[8], up[2][SETS], down[2][SETS], worst = 0;
	int i;

	for (i = 0; i < 8; i++)
		half[i] = dp_task_weight(&s->task, (uint64_t)i) / 2;
	simulate(m, rng, R, 0, half, up[0], down[0]);
	simulate(m, rng, R, 1, half, up[1], down[1]);
	for (i = 0; i < SETS; i++) {
		worst = fmax(worst, loss(up[1][i], up[0][i], R));
		worst = fmax(worst, loss(down[0][i], down[1][i], R));
	}
	dp_mech_free(m);
	return worst;
}

int
main(int argc, char **argv)
{
	static const double step[] = { 1, 1, 1, .6, .6, .3, .3, .3, .3, .1 };
	const struct scheme scheme[] = {
		{ "expsum-paper", exponential(.2), 0 }, { "expsum-paper", exponential(.99), 1 },
		{ "expsum-paper", exponential(.9), 0 }, { "output", exponential(.7), 0 },
		{ "output", polynomial(1, .5), 1 }, { "output", table(step, 10, .1), 0 },
		{ "paper", polynomial(1, .3), 1 }, { "paper", table(step, 10, .1), 0 },
		{ "paper", polynomial(2, .2), 1 }, { "paper", table(step, 10, .5), 0 }
	};
	static const uint64_t T[] = { 1, 7, 64 };
	struct dp_rng *rng;
	double d;
	bool law;
	size_t i, j;

	covers(argc, argv);
	if (dp_rng_open_seed(&rng, 20261122) != 0)
		abort();
	for (i = 0; i < sizeof scheme / sizeof scheme[0]; i++) {
		law = !leave("law", scheme[i].name, scheme[i].task.what);
		for (j = 0; law && j < sizeof T / sizeof T[0]; j++)
			measure(&scheme[i], T[j], rng);
		if (leave("neighbour", scheme[i].name, scheme[i].task.what))
			continue;
		d = audit(&scheme[i], rng);
		printf("%s: loss at least %.3f of 1\n", scheme[i].name, d);
		check(d <= 1);
		if (i == 0)	/* the sensitivity is a third of lambda */
			check(d >= .24);
		if (strcmp(scheme[i].name, "output") == 0)
			check(d >= .4);
	}
	dp_rng_free(rng);
	return done();
}
