/* SPDX-License-Identifier: ISC */
/*
 * t_decay.c - expsum-paper and output: oracles, sensitivity from the matrix itself, closed
 * predictions.
 */
#include "decay.h"

extern const struct dp_mech_ops dp_expsum_paper_ops, dp_decayed_output_ops;

static void
oracles(void)
{
	struct dp_task half = exponential(.5);
	static const double g[] = { 1, .5, .25, .125, .0625, .03125 };

	EXACT("expsum-paper", half, 0, (1, 0, 1, 1, 0, 1), (1, .5, 1.25, 1.625, .8125, 1.40625));
	EXACT("expsum-paper", half, 4, (1, 1, 1, 1), (1, 1.5, 1.75, 1.875));
	EXACT("expsum-paper", half, 0, (0, 0, 1), (0, 0, 1));
	/* the literal root, which never decays, gives .125 at step 4 */
	EXACT("expsum-paper", half, 0, (1, 1, 1, 1, 1, 1, 1, 1),
	    (1, 1.5, 1.75, 1.875, 1.9375, 1.96875, 1.984375, 1.9921875));
	KNOWN("expsum-paper", half, 0, 20, (1, 0, 1, 1, 0, 1), (1, 2, 3, 4, 5, 6),
	    (2, 2.5, 5.25, 5.625, 7.8125, 8.40625));
	KNOWN("expsum-paper", half, 6, 20, (1, 0, 1, 1, 0, 1), (1, 2, 3, 4, 5, 6),
	    (2, 2.5, 5.25, 5.625, 7.8125, 8.40625));
	EXACT("output", half, 0, (1, 0, 1, 1, 0, 1), (1, .5, 1.25, 1.625, .8125, 1.40625));
	KNOWN("output", half, 0, 30, (1, 0, 1, 1, 0, 1), (1, 2, 3, -4, 5, 6),
	    (2, 2.5, 4.25, -2.375, 5.8125, 7.40625));
	KNOWN("output", table(g, 6, 0), 0, 30, (1, 0, 1, 1, 0, 1), (1, 2, 3, -4, 5, 6),
	    (2, 2.5, 4.25, -2.375, 5.8125, 7.40625));
	/* the table ends: step 1 has left at step 4 */
	EXACT("output", table(g, 3, 0), 0, (1, 0, 0, 0, 1), (1, .5, .25, 0, 1));
	EXACT("output", polynomial(1, .5), 4, (12, 0, 0, -12), (12, 6, 4, -9));
	/* histograms: a 1, b 1, a 1 over {a, b}, each column steps on every line */
	EXACT("expsum-paper", half, 0, (1, 0, 1), (1, .5, 1.25));
	EXACT("expsum-paper", half, 0, (0, 1, 0), (0, 1, .5));
	/* values of -1..3: x and x + 1 differ by a sum of all weights */
	EXACT("expsum-paper", half, 0, (3, -1, 0), (3, .5, .25));
	EXACT("expsum-paper", half, 0, (4, 0, 1), (4, 2, 2));
}

/* The L1 norm of column j of R, recovered from the estimates for a unit vector; zeros: no noise. */
static double
total(const struct dp_mech *m, uint64_t T, uint64_t j, bool tree, double alpha, double grid,
    int64_t *zeros)
{
	struct dp_rng *rng;
	struct column c;
	double *y = calloc(T + 1, sizeof *y), sum = 0, node;
	bool good = true;
	uint64_t t;

	if (dp_rng_open_known(&rng, zeros, T) != 0 || column_new(&c, m, rng) != 0)
		abort();
	for (t = 1; t <= T; t++) {
		y[t] = decay_step(&c, t == j);
		/* what the estimate approximates, to the grid */
		good &= fabs(y[t] - (t < j ? 0 : pow(alpha, (double)(t - j)))) <= .502 / grid;
		/* the node that closed: the estimate less the decayed one before the node began */
		node = tree ? y[t] - pow(alpha, (double)(t & -t)) * y[t - (t & -t)] : y[t];
		good &= fabs(node * grid - rint(node * grid)) < 2e-3;
		sum += fabs(rint(node * grid));
	}
	check(good);
	column_free(&c);
	dp_rng_free(rng);
	free(y);
	return sum;
}

/*
 * Column j of the matrix R of released sums, from a unit vector and no noise: its L1 norm is at
 * most the scale (epsilon = 1), and step 1's is the largest.
 */
static void
sensitivity(void)
{
	static const double alpha[] = { .146, .2, .5, .75, .9, .99, .999 };
	static int64_t zeros[400];
	static const uint64_t horizon[] = { 0, 129, 128, 127, 8, 1 };
	struct dp_mech *m;
	uint64_t T, j, b;
	size_t i, k;
	double sum, first, worst;

	for (i = 0; i < sizeof alpha / sizeof alpha[0]; i++)
		for (k = 0; k < sizeof horizon / sizeof horizon[0]; k++) {
			if ((m = decay_make("expsum-paper", exponential(alpha[i]),
			    horizon[k], false)) == NULL)
				abort();
			T = horizon[k] == 0 ? 129 : horizon[k];
			b = scale(m, 0).num;
			check(scale(m, 0).den == 1);
			for (worst = first = 0, j = 1; j <= T; j++) {
				sum = total(m, T, j, true, alpha[i], 0x1p20, zeros);
				first = j == 1 ? sum : first;
				worst = sum > worst ? sum : worst;
			}
			check(worst == first && worst <= (double)b);
			dp_mech_free(m);
			if ((m = decay_make("output", exponential(alpha[i]),
			    horizon[k], false)) == NULL)
				abort();
			sum = total(m, T, 1, false, alpha[i], 0x1p30, zeros);
			check(horizon[k] == 0 && alpha[i] > .8 ? sum < (double)scale(m, 0).num :
			    sum == (double)scale(m, 0).num);
			dp_mech_free(m);
		}
}

/* Hand figures of the paper's lambda, and where it is none. */
static void
scales(void)
{
	static const double row[][2] = { { .5, 5.443 }, { .75, 5.742 }, { .9, 6.546 },
	    { .99, 9.445 }, { .999, 12.698 } };
	static const double v[] = { 1, 1, 1.81, 1, 1.81, 1.6561, 2.341441, 1 };
	struct dp_mech_rule s;
	struct dp_mech *m;
	size_t i;

	for (i = 0; i < 5; i++) {
		m = decay_make("expsum-paper", exponential(row[i][0]), 0, false);
		check(close_to(dp_q_double(scale(m, 0)) / 0x1p20, row[i][1], 1e-4));
		dp_mech_free(m);
	}
	m = decay_make("expsum-paper", exponential(.9), 0, false);
	for (i = 0; i < 8; i++)		/* lambda 6.545863: 2 lambda^2 */
		check(close_to(dp_mech_variance(m, i + 1), 85.6966 * v[i], 1e-4));
	dp_mech_free(m);
	for (i = 1; i <= 150; i++) {	/* lambda is below S for alpha < .1455 */
		m = decay_make("expsum-paper", exponential((double)i / 1000), 0, false);
		check((m != NULL) == (i >= 146));
		dp_mech_free(m);
	}
	/* a range of 4 units: 4 times the scale */
	s = setting(0, 1, 1, 4);
	s.task = exponential(.5);
	m = make("expsum-paper", &s);
	check(close_to(dp_q_double(scale(m, 0)) / 0x1p20, 4 * 5.443, 1e-4));
	dp_mech_free(m);
	/* A coarser grid where 2^20 does not fit: lambda 2^s 2^22 <= 2^40, lambda < 8, s = 15. */
	s = setting(0, 1, 1, (uint64_t)1 << 22);
	s.task = exponential(.9);
	m = make("expsum-paper", &s);
	check(close_to(dp_q_double(scale(m, 0)), 6.54586 * 0x1p37, 1e-4));
	check(close_to(dp_mech_variance(m, 1), 85.6966 * 0x1p44, 1e-2));
	dp_mech_free(m);
	m = make("output", &s);
	check(close_to(dp_mech_variance(m, 1), 200 * 0x1p44, 1e-3));
	dp_mech_free(m);
	s = setting(0, 1, 1, (uint64_t)1 << 32);
	s.task = exponential(.9);
	check(make("expsum-paper", &s) == NULL && make("output", &s) == NULL);
}

/* Without noise, against the recursion in extended precision. */
static void
no_noise(void)
{
	static const double alpha[] = { .15, .3, .5, .9, .99, .99997, 1 - 0x1p-30 };
	static const char *const name[] = { "expsum-paper", "output" };
	struct dp_mech *m;
	struct column c;
	long double sum, size;
	double y;
	int64_t x;
	size_t i, k;
	int t, bad;

	for (k = 0; k < 2; k++)
		for (i = 0; i < sizeof alpha / sizeof alpha[0]; i++) {
			m = decay_make(name[k], exponential(alpha[i]), 0, true);
			if (m == NULL || column_new(&c, m, NULL) != 0) {
				check(k == 1 && alpha[i] > .99997);	/* lags above 2^20 */
				continue;
			}
			for (bad = 0, sum = size = 0, t = 1; t <= 5000; t++) {
				x = t * 7919 % 2003 - 1000;
				sum = sum * alpha[i] + x;
				size = size * alpha[i] + 1000;
				y = decay_step(&c, x);
				bad += !(fabsl(y - sum) <= 1e-9L * size);
			}
			if (bad != 0)
				printf("%s, alpha = %g\n", name[k], alpha[i]);
			check(bad == 0);
			column_free(&c);
			dp_mech_free(m);
		}
}

static void
predictions(void)
{
	static const double alpha[] = { .15, .5, .9, .99, .9999 };
	/* this project's table: the paper's lambda, max and mean over a long run */
	static const struct {
		double alpha, max, mean;
	} row[] = { { .9, 15.0, 12.8 }, { .99, 31.1, 24.7 }, { .999, 52.8, 40.3 },
	    { .9999, 78.3, 58.6 } };
	const uint64_t T = (uint64_t)1 << 40;
	struct dp_error e;
	struct dp_mech *m;
	uint64_t t;
	size_t i;
	bool good;

	for (i = 0; i < sizeof alpha / sizeof alpha[0]; i++) {
		m = decay_make("expsum-paper", exponential(alpha[i]), 0, false);
		for (good = true, t = 1; t <= 3000 && good; t += 1 + t / 20)
			good = closed(m, t);
		check(good);
		dp_mech_free(m);
		m = decay_make("output", exponential(alpha[i]), 0, false);
		check(closed(m, 100));
		dp_mech_free(m);
	}
	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		m = decay_make("expsum-paper", exponential(row[i].alpha), 0, false);
		dp_mech_error(m, T, &e);
		check(close_to(sqrt(e.max), row[i].max, .004));
		check(close_to(sqrt(e.mean), row[i].mean, .004));
		dp_mech_free(m);
	}
}

/*
 * Weights in runs are as near as they say, and the scale is the sum of the weights one by one, at
 * the finest grid that fits: S 2^-s times 2^s below 2^40.
 */
static void
long_sums(void)
{
	static const uint64_t T[] = { 255, 256, 16640, 100001, 1 << 20 };
	const struct dp_task k[] = { exponential(.99), exponential(.9999), exponential(.99999999),
	    polynomial(.05, .1), polynomial(1, .1), polynomial(3.9, .1), polynomial(7, .1) };
	struct dp_mech *m;
	double g[256], sum;
	uint64_t d;
	size_t i, j;
	bool good;
	int s;

	for (i = 0; i < sizeof k / sizeof k[0]; i++) {
		for (good = true, j = 0; j < sizeof T / sizeof T[0] && good; j++) {
			dp_task_weights(&k[i], T[j], 256, g);
			for (d = 0; d < 256; d++)
				good &= close_to(g[d], dp_task_weight(&k[i], T[j] + d), 0x1p-45);
			m = decay_make("output", k[i], T[j], false);
			for (sum = 0x1p41, s = 30; m != NULL && sum > 0x1p40; s--)
				for (sum = 0, d = 0; d < T[j]; d++)
					sum += rint(ldexp(dp_task_weight(&k[i], d), s));
			good &= m == NULL || (close_to(dp_mech_unit(m, 0), ldexp(1, -s - 1), 0) &&
			    close_to(dp_q_double(scale(m, 0)), sum, 0));
			if (m != NULL)
				dp_mech_free(m);
		}
		check(good);
		if (!good)
			printf("task %d, horizon %d\n", (int)i, (int)T[j - 1]);
	}
}

/* What cannot be had is refused; entropy fails at the n-th draw; a column moves. */
static void
refusals(void)
{
	static const char *const name[] = { "expsum-paper", "output" };
	static const int64_t z[8];
	struct dp_mech_rule rule = { .privacy = setting(0, 1, 1, 1).privacy };
	struct dp_mech *m;
	struct dp_rng *rng;
	struct column c;
	size_t i, n;
	double y;
	int t;

	rule.task = exponential(1 - 0x1p-31);
	check(dp_mech_plan(&m, &dp_expsum_paper_ops, &rule) == DP_ERANGE);
	check(dp_mech_plan(&m, &dp_decayed_output_ops, &rule) == DP_ERANGE);
	rule.task = exponential(1);
	check(dp_mech_plan(&m, &dp_expsum_paper_ops, &rule) == DP_EINVAL);
	rule.task = exponential(.1);
	check(dp_mech_plan(&m, &dp_expsum_paper_ops, &rule) == DP_EINVAL);
	rule.task = polynomial(1, .5);		/* 2^31 lags of weight above 2^-31 */
	check(dp_mech_plan(&m, &dp_decayed_output_ops, &rule) == DP_ERANGE);
	for (i = 0; i < 2; i++)
		for (n = 0; n < 8; n++) {
			m = decay_make(name[i], exponential(.5), 0, false);
			if (m == NULL || dp_rng_open_known(&rng, z, n) != 0 ||
			    column_new(&c, m, rng) != 0)
				abort();
			for (y = 0, t = 0; !isnan(y); t++)
				y = decay_step(&c, 1);
			check(t == (int)n + 1);
			column_free(&c);
			dp_rng_free(rng);
			dp_mech_free(m);
		}
}

/* Rounding to the nearest of units of 10^-decimals. */
static void
rounding(void)
{
	/* From -7/4 to 9/4 in quarters. */
	static const int64_t half_up[] = { -2, -1, -1, 0, 0, 1, 1, 2, 2 };
	const dp_wide big = (dp_wide)1 << 100;
	int i;

	for (i = 0; i < 9; i++)
		check(dp_scaled_grid(2 * i - 7, 2, 0) == half_up[i]);
	check(dp_scaled_grid(-1, 1, 0) == 0 && dp_scaled_grid(1, 1, 0) == 1);
	check(dp_scaled_grid(3, 3, 3) == 375 && dp_scaled_grid(-3, 3, 3) == -375);
	check(dp_scaled_grid(-3, 3, 2) == -37 && dp_scaled_grid(3, 3, 2) == 38);
	check(dp_scaled_grid(big + 1, 40, 12) == ((dp_wide)1 << 60) * 1000000000000 + 1);
	check(dp_scaled_real(2.5L, 0) == 2 && dp_scaled_real(-2.5L, 0) == -2 &&
	    dp_scaled_real(.125L, 3) == 125);
	check(dp_scaled_real(0x1p62L + 1, 0) == ((dp_wide)1 << 62) + 1);
	check(dp_scaled_real(1e30L, 18) == (dp_wide)1 << 126 &&
	    dp_scaled_real(-1e30L, 18) == -((dp_wide)1 << 126));
}

int
main(void)
{
	rounding();
	oracles();
	sensitivity();
	scales();
	no_noise();
	predictions();
	long_sums();
	refusals();
	decay_moves("expsum-paper", exponential(.9), 0, 300);
	decay_moves("output", exponential(.9), 0, 300);
	return done();
}
