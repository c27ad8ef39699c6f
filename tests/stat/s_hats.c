/*
 * s_hats.c - measured variance equals predicted variance for the hat generator: COUNT, WINDOW and
 * EXP by filtering its own increments with naive filters, T and W no powers of two.
 *
 * R independent runs, fixed seed.  Statistic: (sample variance / predicted - 1) / sd with sd =
 * sqrt((2 + k)/R), k <= 3 the excess kurtosis of a sum of Laplace variables.  Limit 6: false-reject
 * rate below 1e-6 for all 60 or so checks together (normal approximation at 2e-9, inflated for the
 * skewness of a sample variance). Means: |mean| <= 6 sqrt(variance / R).
 * Power: a scale 15 % off in one level of three moves the statistic beyond 6 (R = 20000, sd .016);
 * tests/faults_hats.bats.
 */
#include <stdio.h>

#include "../unit/covers.h"
#include "../unit/mech.h"
#include "mech/gen.h"

#define LIMIT	6.0
#define T_MAX	4096

struct moments {
	uint64_t step;
	double sum, squares;
};

static void
judge(const char *what, double v, const struct moments *a, double R)
{
	double mean = a->sum / R, got = (a->squares - R * mean * mean) / (R - 1), sd = sqrt(5 / R);
	bool good = fabs(mean) <= LIMIT * sqrt(v / R) && fabs(got / v - 1) <= LIMIT * sd;

	check(good);
	if (!good)
		printf("%s, step %llu: predicted %.6g, measured %.6g, mean %.4g\n", what,
		    (unsigned long long)a->step, v, got, mean);
}

/* sum of g(d) w_(t-d), g the task's weights of window `out` */
static double
filtered(const struct dp_task *k, unsigned out, const double *w, uint64_t t)
{
	double sum = 0, g = 1;
	uint64_t d;

	for (d = 0; d < t; d++, g *= k->what == DP_TASK_EXP ? k->alpha : 1) {
		if (k->what == DP_TASK_WINDOW && d >= k->w[out])
			break;
		sum += g * w[t - 1 - d];
	}
	return sum;
}

static void
measure(const char *what, const struct dp_gen_ops *ops, const struct dp_task *k, uint64_t T,
    uint64_t R, struct dp_rng *rng)
{
	struct dp_setting s = setting(0, 1, 1, 50);
	struct dp_mech_rule rule = { .privacy = s.privacy, .horizon = T, .report = T, .task = *k };
	unsigned outs = k->windows > 1 ? k->windows : 1, out, i;
	struct moments a[DP_WINDOWS_MAX][5] = { { { 0, 0, 0 } } };
	dp_wide w[DP_GEN_BLOCK];
	double y[T_MAX + DP_GEN_BLOCK], x;
	struct dp_law law;
	struct dp_error e;
	struct dp_gen *g;
	void *col;
	uint64_t r, t;

	if (leave("law", ops == &dp_hats_gen ? "hats" : "bridge", k->what))
		return;
	if (ops->create(&g, &rule) != 0 ||
	    (col = aligned_alloc(64, (g->column + 63) & ~(size_t)63)) == NULL)
		abort();
	for (out = 0; out < outs; out++) {
		g->ops->error(g, out, T, &e);
		for (i = 0; i < 5; i++)
			a[out][i].step = ((uint64_t[]){ 1, T / 3 + 1, T / 2 + 5, T, e.worst })[i];
	}
	for (r = 0; r < R; r++) {
		memset(col, 0, g->column);
		for (t = 0; t < T; t += g->block) {
			if (g->ops->fill(g, col, rng, t, w) != 0)
				abort();
			for (i = 0; i < g->block; i++)
				y[t + i] = ldexp((double)w[i], -64);
		}
		for (out = 0; out < outs; out++)
			for (i = 0; i < 5; i++) {
				x = filtered(k, out, y, a[out][i].step);
				a[out][i].sum += x;
				a[out][i].squares += x * x;
			}
	}
	for (out = 0; out < outs; out++)
		for (i = 0; i < 5; i++) {
			dp_law_clear(&law);
			g->ops->law(g, out, a[out][i].step, &law);
			judge(what, dp_law_variance(&law), &a[out][i], (double)R);
		}
	free(col);
	dp_gen_free(g);
}

/* COUNT through the mechanism, known T and segments. */
static void
count(uint64_t T, bool endless, uint64_t R, struct dp_rng *rng)
{
	struct dp_setting s = setting(endless ? 0 : T, 1, 1, 50);
	struct moments a[4] = { { 0, 0, 0 } };
	struct dp_error e;
	struct dp_mech *m;
	struct column c;
	uint64_t r, t;
	int64_t est;
	int i;

	if (leave("law", "hats", DP_TASK_COUNT))
		return;
	if ((m = make("hats", &s)) == NULL)
		abort();
	dp_mech_error(m, T, &e);
	for (i = 0; i < 4; i++)
		a[i].step = ((uint64_t[]){ 1, T / 3 + 1, T, e.worst })[i];
	for (r = 0; r < R; r++) {
		if (column_new(&c, m, rng) != 0)
			abort();
		for (t = 1; t <= T; t++) {
			if (column_step(&c, 0, &est) != 0)
				abort();
			for (i = 0; i < 4; i++)
				if (a[i].step == t) {
					a[i].sum += (double)est;
					a[i].squares += (double)est * (double)est;
				}
		}
		column_free(&c);
	}
	for (i = 0; i < 4; i++)
		judge(endless ? "count, segments" : "count", dp_mech_variance(m, a[i].step), &a[i],
		    (double)R);
	dp_mech_free(m);
}

int
main(int argc, char **argv)
{
	static const struct dp_task window = { .what = DP_TASK_WINDOW, .windows = 1, .w = { 357 } },
	    windows = { .what = DP_TASK_WINDOW, .windows = 3, .w = { 7, 100, 600 } },
	    fading = { .what = DP_TASK_EXP, .alpha = .98 },
	    slow = { .what = DP_TASK_EXP, .alpha = .9991 };
	struct dp_rng *rng;

	covers(argc, argv);
	if (dp_rng_open_seed(&rng, 20261121) != 0)
		abort();
	count(37, false, 20000, rng);
	count(1000, false, 20000, rng);
	count(1000, true, 20000, rng);
	measure("window", &dp_hats_gen, &window, 1111, 20000, rng);
	measure("windows", &dp_hats_gen, &windows, 1500, 20000, rng);
	measure("window, boxes", &dp_bridge_gen, &window, 1111, 20000, rng);
	measure("exponential .98", &dp_hats_gen, &fading, 777, 20000, rng);
	measure("exponential .9991", &dp_hats_gen, &slow, 3333, 20000, rng);
	measure("exponential .9991, boxes", &dp_bridge_gen, &slow, 3333, 20000, rng);
	dp_rng_free(rng);
	return done();
}
