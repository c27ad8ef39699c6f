/* SPDX-License-Identifier: ISC */
/*
 * s_window.c - windows and expiry: measured variance equals predicted variance, and the claimed
 * epsilon is not refuted.
 *
 * Variance.  R = 20000 independent runs, fixed seed, steps 1, W, T/2, T and the worst.  Statistic:
 * (sample variance / predicted - 1) / sd, sd = sqrt((2 + k)/R), k <= 3 the excess kurtosis of a sum
 * of Laplace variables. Limit 6.2: false-reject rate below 1e-6 for all checks together (some 300
 * checks, normal approximation at 6e-10 each side, inflated tenfold for the skewness of a sample
 * variance).  Means: |mean| <= 6.2 sqrt(variance / R). Power: a scale 15 % off moves the statistic
 * beyond 15.
 *
 * Neighbours.  T = 8, epsilon = 1, R = 200000 runs a side on x = 0 and on one event at step 1, 3 or
 * 4.  Events: y_t on the event's side of zero at all steps of a set where the event counts.
 * epsilon is refuted when the lower end of ln(p1/p0) exceeds 1: normal quantile 6.3 on both
 * proportions, false-reject rate below 1e-6 for all 10 * 3 * 2 * 20 tests.  Under expiry an event
 * at step i is judged by steps i .. i+W-1; under gradual expiry steps i .. i+2 may show 1 + 2^-1/2
 * (lambda 1/2).  This can refute differential privacy, not prove it.  Power is shown by
 * tests/fault/faults_window.bats.
 */
#include "../unit/covers.h"
#include "../unit/mech.h"

#define LIMIT	6.2
#define SETS	20

static const struct {
	const char *name;
	enum dp_what what;
	uint64_t w;
	double tight; /* loss the neighbour test must come near: else it looks in the wrong place */
} row[] = {
	{ "windowsum-paper", DP_TASK_WINDOW, 1, .9 }, { "windowsum-paper", DP_TASK_WINDOW, 4, .6 },
	{ "windowsum-paper", DP_TASK_WINDOW, 7, .6 }, { "allwindow-paper", DP_TASK_WINDOW, 6, .4 },
	{ "windowsum-paper", DP_TASK_EXPIRE, 4, .6 }, { "allwindow-paper", DP_TASK_EXPIRE, 3, .4 },
	{ "gradual", DP_TASK_GRADUAL, 0, .9 }, { "map-paper", DP_TASK_MAP, 4, .4 }
};
#define ROWS	(sizeof row / sizeof row[0])

static struct dp_mech_rule
task(size_t i, uint64_t T)
{
	struct dp_mech_rule s = setting(T, 1, 1, 1);

	s.task.what = row[i].what;
	s.task.windows = row[i].w != 0;
	s.task.w[0] = row[i].w;
	if (row[i].what == DP_TASK_WINDOW && row[i].name[0] == 'a') {
		s.task.windows = 2;
		s.task.w[1] = 3;
	}
	s.task.lambda = .5;
	s.task.map = DP_TASK_EXP;
	s.task.alpha = .8;
	s.task.decimals = row[i].what == DP_TASK_MAP ? 6 : 0;
	return s;
}

/* x = 0: the estimates are the noise; in grid units. */
static int
noise_step(struct column *c, int64_t x, double *y)
{
	dp_wide est[DP_WINDOWS_MAX];
	int e = c->m->ops->step(c->m, c->state, c->rng, ++c->t, &x, est);
	unsigned i;

	for (i = 0; i < c->m->outputs; i++)
		y[i] = (double)est[i] * pow(10, -(double)c->m->estimate.decimals);
	return e;
}

static void
measure(size_t i, uint64_t T, uint64_t R, struct dp_rng *rng)
{
	struct dp_mech_rule s = task(i, T);
	struct dp_mech *m = make(row[i].name, &s);
	double sum[5][2] = { { 0 } }, squares[5][2] = { { 0 } }, y[DP_WINDOWS_MAX], v, mean, got,
	       sd = sqrt(5 / (double)R);
	uint64_t at[5] = { 1, row[i].w, T / 2, T, 0 }, r, t;
	struct dp_error e;
	struct dp_law l;
	struct column c;
	unsigned o;
	int k;

	if (m == NULL) {
		check(m != NULL);
		return;
	}
	dp_mech_error(m, T, &e);
	at[4] = e.worst;
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (t = 1; t <= T; t++) {
			if (noise_step(&c, 0, y) != 0)
				abort();
			for (k = 0; k < 5; k++)
				for (o = 0; at[k] == t && o < m->outputs; o++) {
					sum[k][o] += y[o];
					squares[k][o] += y[o] * y[o];
				}
		}
		column_free(&c);
	}
	for (k = 0; k < 5; k++)
		for (o = 0; at[k] != 0 && at[k] <= T && o < m->outputs; o++) {
			dp_mech_law(m, o, at[k], &l);
			v = dp_law_variance(&l);
			mean = sum[k][o] / (double)R;
			got = (squares[k][o] - (double)R * mean * mean) / ((double)R - 1);
			check(fabs(mean) <= LIMIT * sqrt(v / (double)R) &&
			    fabs(got / v - 1) <= LIMIT * sd);
			if (fabs(got / v - 1) > LIMIT * sd)
				printf("%s, W = %llu, output %u, step %llu: %.6g, measured %.6g\n",
				    row[i].name, (unsigned long long)row[i].w, o,
				    (unsigned long long)at[k], v, got);
		}
	dp_mech_free(m);
}

/* Sets as bit masks of steps 1..8. */
static const unsigned set[SETS] = { 1, 2, 4, 8, 3, 6, 12, 24, 7, 14, 28, 56, 15, 30, 60, 11, 13, 9,
	5, 255 };

struct counts {
	double up[SETS], down[SETS];
};

/* The event stays in the first output for steps i .. last. */
static void
simulate(const struct dp_mech *m, struct dp_rng *rng, uint64_t i, uint64_t last, bool event,
    uint64_t R, struct counts *n)
{
	double y[DP_WINDOWS_MAX];
	struct column c;
	unsigned high, judged = (unsigned)(((uint64_t)1 << last) - ((uint64_t)1 << (i - 1)));
	uint64_t r, t;
	int k;

	memset(n, 0, sizeof *n);
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (high = 0, t = 1; t <= last; t++) {
			if (noise_step(&c, event && t == i, y) != 0)
				abort();
			high |= (unsigned)(y[0] > 0) << (t - 1);
		}
		column_free(&c);
		for (k = 0; k < SETS; k++) {
			n->up[k] +=
			    (set[k] & judged) != 0 && (high & set[k] & judged) == (set[k] & judged);
			n->down[k] += (set[k] & judged) != 0 && (high & set[k] & judged) == 0;
		}
	}
}

/* Lower end of ln(a/b) for two counts of R. */
static double
loss(double a, double b, double R)
{
	const double z = 6.3;

	if (a < 2000 || b < 50)
		return -INFINITY;
	return log(a / b) - z * (sqrt((1 - a / R) / a) + sqrt((1 - b / R) / b));
}

/* The most that is seen, as a part of what is claimed. */
static double
audit(size_t row_i, struct dp_rng *rng)
{
	static const uint64_t at[] = { 1, 3, 4 };
	const uint64_t R = 200000, T = 8;
	struct dp_mech_rule s = task(row_i, T);
	struct counts zero, one;
	struct dp_mech *m;
	double worst = 0, claim;
	uint64_t last;
	int k, j;

	if ((m = make(row[row_i].name, &s)) == NULL)
		abort();
	for (k = 0; k < 3; k++) {
		last = row[row_i].w != 0 ? at[k] + row[row_i].w - 1 : at[k] + 2;
		last = last < T ? last : T;
		/* gradual: age 2 is below 3, two edges, lambda 1/2 */
		claim = row[row_i].w != 0 ? 1 : 1 + sqrt(.5);
		simulate(m, rng, at[k], last, false, R, &zero);
		simulate(m, rng, at[k], last, true, R, &one);
		for (j = 0; j < SETS; j++) {
			worst = fmax(worst, loss(one.up[j], zero.up[j], (double)R) / claim);
			worst = fmax(worst, loss(zero.down[j], one.down[j], (double)R) / claim);
		}
	}
	dp_mech_free(m);
	return worst;
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;
	double d;
	size_t i;

	covers(argc, argv);
	if (dp_rng_open_seed(&rng, 20261121) != 0)
		abort();
	for (i = 0; i < ROWS; i++) {
		if (!leave("law", row[i].name, row[i].what)) {
			measure(i, 2, 20000, rng);
			measure(i, 29, 20000, rng);
		}
		if (leave("neighbour", row[i].name, row[i].what))
			continue;
		d = audit(i, rng);
		printf("%s, W = %llu: %.3f of the claimed loss seen\n", row[i].name,
		    (unsigned long long)row[i].w, d);
		check(d <= 1);
		check(d >= row[i].tight);
	}
	dp_rng_free(rng);
	return done();
}
