/* SPDX-License-Identifier: ISC */
/*
 * s_mean.c - means and their like (stat/mean.h): intervals hold the truth as often as they say, the
 * error is the one predicted, and one event is told no better than epsilon allows.
 *
 * Fixed seed.  R = 40000 steps of fresh noise, 20000 of decays, 10000 of running sums, which does
 * not depend on the data: of each, intervals for every N of 0, 1, 3, 10, 100, 10000 events and any
 * mean of 0, .01, .3, .5, 1 of the range.  Misses are binomial with a probability of at most gamma;
 * limit 6 standard deviations, false-reject rate of all checks together below 1e-6.
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/mech.h"
#include "account/neighbour.h"
#include "stat/internal.h"
#include "stat/mean.h"

#define RUNS	40000
#define GAMMA	.05
#define M	100

static const struct dp_mean_asked two = { .hi = M, .n = 3,
    .what = { DP_MEAN_MEAN, DP_MEAN_COUNT, DP_MEAN_SUM }, .decimals = 4 };
static const struct dp_mean_asked three = { .hi = M, .n = 4,
    .what = { DP_MEAN_MEAN, DP_MEAN_VARIANCE, DP_MEAN_COUNT, DP_MEAN_SUM }, .decimals = 4 };
/* Weights up to 4 in tenths, of answers from -2 to 3, ten times finer: N is in tenths, U is 50. */
static const struct dp_mean_asked weighted = { .lo = -2, .hi = 3, .n = 3,
    .what = { DP_MEAN_MEAN, DP_MEAN_COUNT, DP_MEAN_SUM }, .decimals = 4,
    .weight = { .most = 40, .places = 1, .finer = 10, .grid = .01 } };

/* An event in a bucket, there or not. */
static struct dp_mech_rule
rule_of(const struct dp_mean_asked *k, enum dp_what what, uint64_t T, double delta)
{
	const struct dp_relation r = { .hi = M, .ones = 1, .columns = dp_mean_numbers(k),
	    .sum = dp_mean_reach(k) };
	struct dp_mech_rule s = { .task = { .what = what, .windows = what == DP_TASK_WINDOW,
	    .w = { 1 }, .statistic = &dp_mean_statistic, .own = k }, .horizon = T, .every = 1,
	    .inputs = dp_mean_numbers(k), .hi = M, .bands = 1, .report = T };
	struct dp_distance d;

	if (dp_relation_distance(&r, &d) != 0 || dp_privacy_set(&s.privacy, false, dp_q_make(1, 1),
	    delta > 0 ? dp_q_make(1, 1000000) : dp_q_make(0, 1), d.l1, d.l2squared) != 0)
		abort();
	s.band[0].width = s.inputs;
	s.band[0].reach = (struct dp_reach){ .l1 = d.l1, .l2squared = d.l2squared,
	    .linf = d.linf, .columns = (unsigned)d.columns };
	s.privacy.columns = (unsigned)d.columns;
	s.privacy.linf = d.linf;
	s.privacy.spread = d.spread;
	return s;
}

static const int64_t events[] = { 0, 1, 3, 10, 100, 10000 };
static const double mean[] = { 0, .01, .3, .5, 1 };
#define EVENTS	6
#define MEANS	5

struct misses {
	int mean[EVENTS][MEANS], variance[EVENTS][MEANS], count, sum;
};

/* noise: of each number; the truths of all settings, and whether they are within. */
static void
look(struct misses *a, const struct dp_mean_law *l, const struct dp_mean_asked *k,
    const double *noise)
{
	const double U = (double)dp_mean_unit(k);
	const unsigned n = dp_mean_numbers(k);
	double b[DP_MEAN_NUMBERS], end[2], N, r, v, all = 0, sum = 0;
	unsigned i, j, c;

	for (i = 0; i < EVENTS; i++)
		for (j = 0; j < MEANS; j++) {
			N = (double)(events[i] * (k->weight.most != 0 ?
			    (int64_t)k->weight.most : 1));	/* as large rows */
			r = mean[j];
			v = r * (1 - r) / 2;	/* halves of it are at the ends, others are at r */
			if (n == 2) {
				b[0] = noise[0] + (1 - r) * N * U;
				b[1] = noise[1] + r * N * U;
			} else {
				b[2] = noise[2] + (v + r * r) * N * U;
				b[1] = noise[1] + 2 * (r - r * r - v) * N * U;
				b[0] = noise[0] + N * U - (b[2] - noise[2]) - (b[1] - noise[1]);
			}
			dp_mean_hull(l, b, n, end);
			a->mean[i][j] += N > 0 && (r < end[0] - 1e-9 || r > end[1] + 1e-9);
			if (n == 3) {
				dp_mean_box(l, b, end);
				a->variance[i][j] += N > 0 &&
				    (v < end[0] - 1e-9 || v > end[1] + 1e-9);
			}
		}
	for (c = 0; c < n; c++) {
		all += noise[c];
		sum += noise[c] * ((double)k->lo + (double)(k->hi - k->lo) * c / (n - 1));
	}
	a->count += fabs(all) > l->all;
	a->sum += fabs(sum) > l->sum;
}

/* Not all of gamma is used where means are at an end, where noise has large steps, nor by trees. */
static void
judge(const char *name, const struct misses *a, unsigned n, double R, double least)
{
	const double room = 6 * sqrt(R * GAMMA * (1 - GAMMA));
	unsigned i, j;

	for (i = 0; i < EVENTS; i++)
		for (j = 0; j < MEANS; j++) {
			check(a->mean[i][j] <= R * GAMMA + room);
			check(a->variance[i][j] <= R * GAMMA + room);
			if (events[i] >= 100 && mean[j] > 0 && mean[j] < 1)
				check(a->mean[i][j] >= R * GAMMA * least);
			printf("%s, %d numbers, N = %d, r = %g: %d and %d of %g miss\n", name,
			    (int)n, (int)events[i], mean[j], a->mean[i][j], a->variance[i][j], R);
		}
	check(a->count <= R * GAMMA + room && a->count >= R * GAMMA * least);
	check(a->sum <= R * GAMMA + room && a->sum >= R * GAMMA * least);
}

/* Of no events, the interval of the count, or of the sum, as it is printed, lacks 0. */
static bool
misses_printed(const struct dp_mech *m, const void *col, uint64_t T)
{
	dp_wide lo[2], hi[2];
	unsigned i;

	for (i = 0; i < 2; i++)
		check(m->ops->bound.interval(m, col, i + 1, T, GAMMA, &lo[i], &hi[i]) == 0);
	return lo[0] > 0 || hi[0] < 0 || lo[1] > 0 || hi[1] < 0;
}

/* Intervals and errors at step T, of noise alone. */
static void
measure(const char *name, const struct dp_mean_asked *k, enum dp_what what, uint64_t T,
    double delta, int R, struct dp_rng *rng)
{
	const struct dp_mech_rule s = rule_of(k, what, T, delta);
	const unsigned n = dp_mean_numbers(k);
	const double U = (double)dp_mean_unit(k);
	const double finer = k->weight.most != 0 ? (double)k->weight.finer : 1;
	const double width = (double)(k->hi - k->lo) * finer;
	static struct misses a;
	static struct dp_law law, mix;
	struct dp_mean_law l;
	struct dp_mech *m = make(name, &s);
	struct column c;
	int64_t x[DP_MEAN_NUMBERS] = { 0 };
	dp_wide est[DP_MEAN_KINDS];
	double noise[DP_MEAN_NUMBERS], off, squares = 0, v;
	int printed = 0;
	uint64_t t;
	unsigned i;
	int r;

	if (m == NULL)
		abort();
	memset(&a, 0, sizeof a);
	dp_mech_law(m->part->inner, 0, T, &law);
	check(dp_mean_law(&l, k, (struct dp_mean_noise){ &law, 0, true, 1 }, GAMMA, false) == 0);
	for (r = 0; r < R; r++) {
		check(column_new(&c, m, rng) == 0);
		for (t = 1; t <= T; t++)
			check(m->ops->step(m, c.state, rng, t, x, est) == 0);
		for (off = 0, i = 0; i < n; i++) {
			noise[i] = (double)dp_parts_numbers(m, c.state)[i];
			off += noise[i] * (i / (n - 1.) - .3);
		}
		look(&a, &l, k, noise);
		printed += m->outputs == 3 && misses_printed(m, c.state, T);
		squares += off * off;
		column_free(&c);
	}
	judge(name, &a, n, R, law.parts != 0 ? .3 : .75);
	check(printed <= 2 * R * GAMMA + 6 * sqrt(2 * R * GAMMA));
	check(m->outputs != 3 || printed >= R * GAMMA * .3);
	/* sum (s[i] - .3) w[i]: mean.h; a fourth moment of 6 variances squared at most */
	dp_law_mix(&mix, &law, (const double []){ .3, n == 2 ? .7 : .2, .7 }, n);
	v = dp_law_variance(&mix);
	check(fabs(squares / R / v - 1) < 6 * sqrt(5. / R));
	printf("%s: variance of N times the mean's error %g, predicted %g\n", name, squares / R, v);
	/* at an end of the range 0, 1 of one number each, or 0, 1/2, 1 */
	v = dp_law_variance(&law) * width * width / U / U * (n == 2 ? 1 : 1.25);
	for (i = 0; i < m->outputs; i++) {
		dp_mech_law(m, i, T, &mix);
		check(fabs(dp_law_variance(&mix) / v - 1) < 1e-9);
	}
	dp_mech_free(m);
}

/*
 * One event of .3 of the range, or none.  Both numbers are at least what it adds with probability
 * p^2 with it, p = P(w >= 0), and p^2 exp(-epsilon) without: for noise in fine steps.  Statistic:
 * the log of the ratio, less epsilon, in its standard deviations; limit 6.
 */
static void
neighbour(struct dp_rng *rng)
{
	const struct dp_mech_rule s = rule_of(&two, DP_TASK_WINDOW, 1, 0);
	struct dp_mech *m = make("input", &s);
	const int64_t add[] = { M * 7 / 10, M * 3 / 10 };
	int64_t x[2];
	dp_wide est[DP_MEAN_KINDS];
	const dp_wide *y;
	struct column c;
	double seen[2] = { 0 }, ratio;
	int r, with;

	if (m == NULL)
		abort();
	for (with = 0; with < 2; with++)
		for (r = 0; r < 4 * RUNS; r++) {
			x[0] = with * add[0];
			x[1] = with * add[1];
			check(column_new(&c, m, rng) == 0);
			check(m->ops->step(m, c.state, rng, 1, x, est) == 0);
			y = dp_parts_numbers(m, c.state);
			seen[with] += y[0] >= add[0] && y[1] >= add[1];
			column_free(&c);
		}
	ratio = log(seen[1] / seen[0]);
	printf("one event: log ratio %g of 1\n", ratio);
	check(fabs(ratio - 1) < 6 * sqrt(1 / seen[0] + 1 / seen[1]));
	dp_mech_free(m);
}

#define DRAWS	24

/*
 * Decays, whose noise is on no lattice, where it is coarse: what tests/proof/mean.md says is
 * measured of them.  20000 runs of noise alone, for four means.
 */
static void
decays(struct dp_rng *rng)
{
	static const double alpha[] = { .5, .7937 }, rho[] = { 0, .1, .3, .5 };
	static struct dp_law law;
	struct dp_mean_law l;
	struct dp_noise z;
	int64_t draw[2 * DRAWS];
	double x, y, at, R = 20000;
	int misses[4], r;
	unsigned E, a, i, k;

	for (E = 1; E <= 2; E++)
		for (a = 0; a < 2; a++) {
			check(dp_noise_laplace(&z, dp_q_make(1, E)) == 0);
			dp_law_clear(&law);
			for (k = 0; k < DRAWS; k++)
				dp_law_add(&law, &z, pow(alpha[a], k), 1);
			check(dp_mean_law(&l, &two, (struct dp_mean_noise){ &law, 0, false, 1 },
			    GAMMA, false) == 0);
			memset(misses, 0, sizeof misses);
			for (r = 0; r < R; r++) {
				check(dp_noise_fill(&z, rng, draw, 2 * DRAWS) == 0);
				for (x = y = 0, k = 0; k < DRAWS; k++) {
					x = x * alpha[a] + (double)draw[k];
					y = y * alpha[a] + (double)draw[DRAWS + k];
				}
				for (i = 0; i < 4; i++) {
					at = dp_mean_knot(rho[i], DP_MEAN_KNOTS, &k);
					misses[i] += fabs((1 - rho[i]) * x - rho[i] * y) >
					    l.knot[k] + at * (l.knot[k + 1] - l.knot[k]);
				}
			}
			for (i = 0; i < 4; i++) {
				printf("decay by %g, E = %u, r = %g: %d of %g miss\n", alpha[a], E,
				    rho[i], misses[i], R);
				check(misses[i] <= R * GAMMA + 6 * sqrt(R * GAMMA * (1 - GAMMA)) &&
				    misses[i] >= .8 * R * GAMMA);
			}
		}
}

int
main(int argc, char **argv)
{
	struct dp_rng *rng;

	covers(argc, argv);
	if (covers_list)	/* the laws themselves are measured elsewhere */
		return 0;
	if (dp_rng_open_seed(&rng, 20261124) != 0)
		abort();
	if (covers_asked("neighbour"))
		neighbour(rng);
	if (covers_asked("mean"))
		measure("input", &two, DP_TASK_WINDOW, 1, 0, RUNS, rng);
	if (covers_asked("decays"))
		decays(rng);
	if (covers_asked("weights"))
		measure("input", &weighted, DP_TASK_WINDOW, 1, 0, RUNS, rng);
	if (covers_asked("variance"))
		measure("input", &three, DP_TASK_WINDOW, 1, 0, RUNS, rng);
	if (covers_asked("running"))
		measure("normtree", &two, DP_TASK_COUNT, 24, 0, RUNS / 4, rng);
	if (covers_asked("delta"))
		measure("blt", &two, DP_TASK_COUNT, 12, 1e-6, RUNS / 4, rng);
	dp_rng_free(rng);
	return done();
}
