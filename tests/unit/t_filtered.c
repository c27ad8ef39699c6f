/* SPDX-License-Identifier: ISC */
/*
 * t_filtered.c - windows and decays of noisy values: exact answers against the definition, scripted
 * noise, the law against the sum of squares, and the sums of task.c against naive ones.
 */
#include <stdio.h>

#include "counter/internal.h"
#include "mech.h"

static bool
near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fabs(b);
}

static const double table[] = { 1, 1, .75, .5, .5, .25, 0 };

static const struct dp_task tasks[] = {
	{ .what = DP_TASK_WINDOW, .windows = 1, .w = { 1 } },
	{ .what = DP_TASK_WINDOW, .windows = 1, .w = { 7 } },
	{ .what = DP_TASK_WINDOW, .windows = 1, .w = { 64 } },
	{ .what = DP_TASK_EXP, .alpha = .5, .decimals = 6 },
	{ .what = DP_TASK_EXP, .alpha = .999, .decimals = 6 },
	{ .what = DP_TASK_POLY, .power = .4, .decimals = 6 },
	{ .what = DP_TASK_POLY, .power = 1.5, .decimals = 6 },
	{ .what = DP_TASK_POLY, .power = 8, .decimals = 6 },
	{ .what = DP_TASK_POLY, .power = 40, .decimals = 6 },
	{ .what = DP_TASK_TABLE, .g = table, .ng = 7, .decimals = 6 },
};
#define TASKS	(sizeof tasks / sizeof tasks[0])

static struct dp_mech *
filtered(const struct dp_task *k, bool exact)
{
	struct dp_mech_rule s = setting(0, exact ? 0 : 1, 1, 1);

	struct dp_mech *m;

	s.task = *k;
	if ((m = make("input", &s)) == NULL)
		abort();
	return m;
}

/* sum over lags of g(d) x_(t-d), straight from the definition */
static double
definition(const struct dp_task *k, const int64_t *x, uint64_t t)
{
	double sum = 0;
	uint64_t d;

	for (d = t; d-- > 0; )
		sum += dp_task_weight(k, d) * (double)x[t - d];
	return sum;
}

#define STEPS	500

static void
exact_answers(const struct dp_task *k)
{
	struct dp_mech *m = filtered(k, true);
	int64_t x[STEPS + 1], est;
	double want, got, unit = pow(10, k->decimals);
	struct column c;
	uint64_t t;
	bool good = true;

	column_new(&c, m, NULL);
	for (t = 1; t <= STEPS; t++) {
		x[t] = (int64_t)((t * 7919) % 2001) - 1000;
		good = good && column_step(&c, x[t], &est) == 0;
		want = definition(k, x, t);
		got = (double)est / unit;
		if (fabs(got - want) > 0.51 / unit + 1e-9 * 1000)
			good = false;
	}
	check(good);
	column_free(&c);
	dp_mech_free(m);
}

/* One large event: what its weight is at lags far and near. */
static void
far_lags(double power)
{
	const struct dp_task k = { .what = DP_TASK_POLY, .power = power, .decimals = 6 };
	struct dp_mech *m = filtered(&k, true);
	const int64_t big = (int64_t)1 << 50;
	double worst = 0, want;
	struct column c;
	uint64_t t;
	dp_wide est;

	column_new(&c, m, NULL);
	for (t = 1; t <= 100000; t++) {
		if (!(m->ops->step(m, c.state, NULL, t, &(int64_t){ t == 1 ? big : 0 }, &est) == 0))
			abort();
		want = (double)big * 1e6 * pow((double)t, -power);
		if (want > 1e10 && fabs((double)est / want - 1) > worst)
			worst = fabs((double)est / want - 1);
	}
	check(worst < 1e-9);	/* filter.h */
	column_free(&c);
	dp_mech_free(m);
}

/* Noise z alone gives the same filter of z; one draw a step, none ahead. */
static void
scripted(void)
{
	static const int64_t z[] = { 10, 20, 30, 40, 50 }, want[] = { 11, 31, 50, 71, 91 };
	const struct dp_task k = { .what = DP_TASK_WINDOW, .windows = 1, .w = { 2 } };
	struct dp_mech *m = filtered(&k, false);
	struct dp_rng *rng;
	struct column c;
	int64_t est;
	size_t t;

	check(dp_rng_open_known(&rng, z, 5) == 0);
	column_new(&c, m, rng);
	for (t = 1; t <= 5; t++) {
		/* x = 1 0 0 1 0: windows 1 1 0 1 1 */
		check(column_step(&c, t % 3 == 1, &est) == 0 && est == want[t - 1]);
		check(rng->left == 5 - t);	/* pan-private: nothing is drawn ahead */
	}
	column_free(&c);
	dp_rng_free(rng);
	dp_mech_free(m);
}

static void
several_windows(void)
{
	const struct dp_task k = { .what = DP_TASK_WINDOW, .windows = 3, .w = { 5, 1, 3 } };
	struct dp_mech *m = filtered(&k, true);
	struct dp_task one = k;
	int64_t x[40];
	dp_wide est[3];
	struct column c;
	uint64_t t;
	unsigned i;

	check(m->outputs == 3);
	column_new(&c, m, NULL);
	for (t = 1; t < 40; t++) {
		x[t] = (int64_t)(t * t % 11) - 5;
		check(m->ops->step(m, c.state, NULL, t, &x[t], est) == 0);
		for (i = 0; i < 3; i++) {
			one.w[0] = k.w[i];
			check((double)est[i] == definition(&one, x, t));
		}
	}
	column_free(&c);
	dp_mech_free(m);
}

/* Sums of the largest values there are, as long as dp.h says they fit. */
static void
large_sums(void)
{
	const struct dp_task k = { .what = DP_TASK_WINDOW, .windows = 1, .w = { 100 } };
	struct dp_mech *m = filtered(&k, true);
	const int64_t big = (int64_t)1 << 61;
	struct column c;
	dp_wide est;
	uint64_t t;

	column_new(&c, m, NULL);
	for (t = 1; t <= 250; t++) {
		const int64_t x = t <= 150 ? big : -big;
		const int sum = t <= 100 ? (int)t : t <= 150 ? 100 : 100 - 2 * ((int)t - 150);

		check(m->ops->step(m, c.state, NULL, t, &x, &est) == 0 &&
		    est == (dp_wide)big * sum);
	}
	column_free(&c);
	dp_mech_free(m);
}

/* Fractions of both signs come and go without a trace: windows of y = v / 16, half to even. */
static void
fractions(void)
{
	const struct dp_task k = { .what = DP_TASK_WINDOW, .windows = 2, .w = { 3, 300 } };
	const struct dp_mech_rule rule = { .task = k };
	struct dp_filter f = { .column = 0 };
	struct dp_filter_column *c;
	int64_t v[5000], sum, floor, rest;
	bool good = true;
	dp_wide y[2];
	unsigned i, t, j;

	if (dp_filter_set(&f, &rule, 64, sizeof *c) != 0 || (c = calloc(1, f.column)) == NULL)
		abort();
	for (t = 0; t < 5000; t++) {
		v[t] = t * 7919 % 1009 - 504;
		dp_filter_step(&f, c, t + 1, (dp_wide)v[t] * ((dp_wide)1 << 60), y);
		for (i = 0; i < 2; i++) {
			for (sum = 0, j = 0; j < k.w[i] && j <= t; j++)
				sum += v[t - j];
			rest = sum & 15;
			floor = (sum - rest) / 16;
			good = good && y[i] == floor + (rest > 8 || (rest == 8 && (floor & 1)));
		}
	}
	check(good);
	free(c);
}

static void
laws(const struct dp_task *k)
{
	struct dp_mech *m = filtered(k, false);
	struct dp_error fast, slow;
	double v = 1.841347, want;	/* V(1), spec: conventions */
	uint64_t t, d;

	for (t = 1; t <= 2000; t = t * 3 + 1) {
		for (want = 0, d = 0; d < t; d++)
			want += v * dp_task_weight(k, d) * dp_task_weight(k, d);
		check(near(dp_mech_variance(m, t), want, 1e-6));
	}
	m->ops->error(m, 700, &fast);
	error_brute(m, 700, &slow);
	check(near(fast.max, slow.max, 1e-9) && near(fast.mean, slow.mean, 1e-7));
	dp_mech_free(m);
}

static void
sums(const struct dp_task *k)
{
	static const uint64_t span[][2] = { { 0, 1 }, { 0, 3 }, { 2, 5 }, { 0, 1000 }, { 70, 71 },
	    { 100, 900 } };
	double total, squares, moment, g;
	uint64_t d;
	size_t i;

	for (i = 0; i < sizeof span / sizeof span[0]; i++) {
		total = squares = moment = 0;
		for (d = 0; d < span[i][1]; d++) {
			g = dp_task_weight(k, d);
			total += g;
			if (d >= span[i][0]) {
				squares += g * g;
				moment += (double)d * g * g;
			}
		}
		check(near(dp_task_total(k, span[i][1]), total, 1e-11));
		check(near(dp_task_squares(k, span[i][0], span[i][1]), squares, 1e-9) ||
		    squares < 1e-90);
		check(near(dp_task_moment(k, span[i][0], span[i][1]), moment, 1e-8) ||
		    moment < 1e-90);
	}
}

/*
 * A long table, more weights than are taken at a time: batches of every length print what single
 * steps do, to the last digit, before and after the table is full.
 */
static void
in_batches(size_t ng)
{
	static double g[1300];
	const struct dp_task k = { .what = DP_TASK_TABLE, .g = g, .ng = ng, .decimals = 9 };
	struct dp_mech *m;
	struct twins w;
	int64_t x[100], y[100];
	dp_wide z[100];
	size_t good, i, j, n, t;
	bool same = true;

	for (i = 0; i < ng; i++)
		g[i] = 1 / (1 + .01 * (double)i);
	m = filtered(&k, false);
	twins_new(&w, m);
	for (t = 0; t < 3000; t += n) {
		n = t % 97 + 1;
		for (j = 0; j < n; j++)
			x[j] = (int64_t)((t + j) * (t + j) % 1009) - 500;
		for (j = 0; j < n; j++)
			same &= column_step(&w.c, x[j], &y[j]) == 0;
		same &= dp_mech_steps(m, w.d.state, w.d.rng, t + 1, x, z, n, &good) == 0 &&
		    good == n;
		for (j = 0; j < n; j++)
			same &= z[j] == y[j];
	}
	check(same);
	twins_free(&w);
	dp_mech_free(m);
}

#define SIDE	21

/* Columns side by side, with a gap between them: what each one's own steps print, draws and all. */
static void
columns(const char *name, const struct dp_task *k, uint64_t T)
{
	struct dp_mech_rule s = setting(T, 1, 1, 1);
	struct dp_rng *rng[2];
	struct dp_mech *m;
	int64_t x[SIDE] = { 0 };
	dp_wide y[SIDE], z;
	size_t stride, j;
	bool same = true;
	char *col[2];
	uint64_t t;

	s.task = *k;
	if ((m = make(name, &s)) == NULL)
		abort();
	stride = ((m->column + 63) & ~(size_t)63) + 64;
	for (j = 0; j < 2; j++)
		if (dp_rng_open_seed(&rng[j], 9) != 0 || (col[j] = calloc(SIDE, stride)) == NULL)
			abort();
	for (t = 1; t <= T; t++) {
		for (j = 0; j < SIDE; j++)
			x[j] = (int64_t)(t * 31 + j * 7) % 5 - 1;
		same &= dp_columns_step(m, col[0], stride, SIDE, rng[0], t, x, y) == 0;
		for (j = 0; j < SIDE; j++)
			same &= m->ops->step(m, col[1] + j * stride, rng[1], t, &x[j], &z) == 0 &&
			    z == y[j];
	}
	check(same && memcmp(col[0], col[1], SIDE * stride) == 0);
	check(m->ops->many.columns == NULL || k->what != DP_TASK_COUNT ||
	    dp_columns_step(m, col[0], stride, SIDE, rng[0], t, x, y) == DP_EHORIZON);
	for (j = 0; j < 2; j++) {
		dp_rng_free(rng[j]);
		free(col[j]);
	}
	dp_mech_free(m);
}

/* Noise of which each increment tells its column's own part, and its step. */
static const char *first_own;

static int
known_fills(const struct dp_mech *m, void *own, size_t stride, unsigned n, struct dp_rng *rng,
    uint64_t i, int64_t *w)
{
	uint64_t k, j;

	(void)rng;
	for (k = 0; k < n; k++)
		for (j = 0; j <= m->block; j++)
			*w++ = (int64_t)((((const char *)own - first_own) / (ptrdiff_t)stride +
			    (ptrdiff_t)k) * 1000 + (ptrdiff_t)(i + j));
	return n <= DP_FILL_COLUMNS ? 0 : DP_EINVAL;
}

/* Where draws have no order of their own, blocks of columns are drawn together. */
static void
columns_together(void)
{
	static const struct dp_filtered *f;
	static struct dp_mech_ops ops;
	struct dp_mech_rule s = setting(300, 1, 1, 1);
	int64_t x[SIDE], sum[SIDE] = { 0 };
	struct dp_rng *rng;
	struct dp_mech *m;
	dp_wide y[SIDE];
	size_t stride, j;
	bool same = true;
	uint64_t t;
	char *col;

	s.task.what = DP_TASK_COUNT;
	if ((m = make("normtree", &s)) == NULL || dp_rng_open(&rng, DP_RNG_CHACHA) != 0)
		abort();
	f = (const void *)m;
	ops = *m->ops;
	ops.many.fills = known_fills;
	m->ops = &ops;
	stride = ((m->column + 63) & ~(size_t)63) + 64;
	if ((col = calloc(SIDE, stride)) == NULL)
		abort();
	first_own = dp_filtered_own(f, col);
	for (t = 1; t <= 300; t++) {
		for (j = 0; j < SIDE; j++) {
			x[j] = (int64_t)(t * 31 + j * 7) % 5 - 1;
			sum[j] += x[j] + (int64_t)(j * 1000 + t - 1);
		}
		same &= dp_columns_step(m, col, stride, SIDE, rng, t, x, y) == 0;
		for (j = 0; j < SIDE && rng->kind == DP_RNG_CHACHA; j++)
			same &= y[j] == sum[j];
	}
	check(same);
	free(col);
	dp_rng_free(rng);
	dp_mech_free(m);
}

/* Weights of few bits, so that doubles are exact too. */
static void
exact_table(void)
{
	static double g[1500];
	static int64_t x[4001];
	const struct dp_task k = { .what = DP_TASK_TABLE, .g = g, .ng = 1500, .decimals = 6 };
	const uint64_t most[] = { 1000, 0, (uint64_t)1 << 40 };
	struct dp_mech_rule s = setting(0, 0, 1, 1);
	struct dp_mech *m;
	struct column c;
	bool good = true;
	dp_wide est;
	size_t i, t;

	for (i = 0; i < 1500; i++)
		g[i] = i < 10 ? 1 : ldexp((double)(1500 - i), -11);
	s.task = k;
	for (i = 0; i < 3; i++) {
		s.most = most[i];
		if ((m = make("input", &s)) == NULL)
			abort();
		column_new(&c, m, NULL);
		for (t = 1; t <= 4000; t++) {
			x[t] = (int64_t)(t * 7919 % 2001) - 1000;
			x[t] *= i == 2 ? (int64_t)1 << 26 : 1;
			good = good && m->ops->step(m, c.state, NULL, t, &x[t], &est) == 0 &&
			    (t % 50 != 0 || est ==
			    (dp_wide)nearbyint(definition(&k, x, t) * 1e6));
		}
		check(good);
		column_free(&c);
		dp_mech_free(m);
	}
}

int
main(void)
{
	size_t i;

	columns("normtree", &(struct dp_task){ .what = DP_TASK_COUNT }, 300);
	columns("normtree", &tasks[2], 300);
	columns("tree", &(struct dp_task){ .what = DP_TASK_COUNT }, 300);
	columns_together();
	in_batches(31);
	in_batches(32);
	in_batches(512);
	in_batches(1000);
	in_batches(1300);
	exact_table();
	for (i = 0; i < TASKS; i++) {
		exact_answers(&tasks[i]);
		laws(&tasks[i]);
		sums(&tasks[i]);
	}
	far_lags(1.1);
	far_lags(2);
	far_lags(7.9);
	far_lags(8);
	scripted();
	several_windows();
	large_sums();
	fractions();
	return done();
}
