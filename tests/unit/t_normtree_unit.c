/* SPDX-License-Identifier: ISC */
/*
 * t_normtree_unit.c - the norm tree on a grid coarser than the data's (normtree.h, UNITS).
 *
 * moves    L against brute force: all ways to move c values by l1 in sum, wherever they stand
 * units    what a budget comes to, by hand; for all of a net of budgets L fits, the rate is what
 *          epsilon / L is, and the least epsilon that is named has a unit, and 1 % less has none
 * within   N = 200,000 increments at units of 3, 7 and 1001: chi-square of what is drawn within
 *          them, p at least 1e-6 for all three; the rest is what was given
 * laws     variances of steps, of windows and of decays are unit^2 times those in units and 1/12 a
 *          step; errors as well; intervals are as much wider
 * replay   a plan's unit is kept, and one that is not possible is refused
 */
#include <stdio.h>

#include "account/internal.h"
#include "mech.h"
#include "normtree/internal.h"
#include "stats.h"

/* Most units that c values can move, if they move by at most l1 grid units together. */
static uint64_t
most_moves(uint64_t l1, uint64_t c, int64_t unit)
{
	uint64_t d, most = 0, here, rest;
	int64_t z, from, to;

	if (c == 0)
		return 0;
	for (d = 0; d <= l1; d++) {
		for (here = 0, z = 0; z < unit; z++) {
			from = z / unit;
			to = (z + (int64_t)d) / unit;
			here = (uint64_t)(to - from) > here ? (uint64_t)(to - from) : here;
		}
		rest = most_moves(l1 - d, c - 1, unit);
		most = here + rest > most ? here + rest : most;
	}
	return most;
}

static void
moves(void)
{
	static const uint64_t unit[] = { 1, 3, 5, 7 };
	uint64_t l1, c;
	unsigned i;

	for (i = 0; i < 4; i++)
		for (c = 1; c <= 3; c++)
			for (l1 = c; l1 <= 20; l1++)
				check(dp_coarse_moves(l1, c, unit[i]) ==
				    most_moves(l1, c, (int64_t)unit[i]));
	/* (10^15 + 1000 (2^24 - 2)) / (2^24 - 1) */
	check(dp_coarse_moves(1000000000000000, 1000, 16777215) == 59605648);
}

static struct dp_privacy
budget(uint64_t num, uint64_t den, uint64_t l1, uint64_t cells)
{
	struct dp_privacy p;

	if (dp_privacy_set(&p, false, dp_q_make(num, den), dp_q_make(0, 1), l1, 1) != 0)
		abort();
	p.cells = cells;
	return p;
}

static void
one_budget(uint64_t den, uint64_t l1, uint64_t cells)
{
	struct dp_privacy p = budget(1, den, l1, cells);
	uint64_t unit, L, part;
	double rate, least;

	if (dp_coarse_unit(&p, &unit, &rate) == 0) {
		L = dp_coarse_moves(l1, unit == 1 ? 1 : cells, unit);
		check(unit % 2 == 1 && unit <= 1 << 26 && rate >= 0x1p-26 * (1 - 1e-9));
		check(fabs(rate * (double)den * (double)L - 1) < 1e-12);
		check(unit == 1 || (double)L * (double)unit >= (double)l1);
	}
	least = dp_coarse_epsilon(&p);
	part = (uint64_t)1 << (least < 1 ? 44 : 20);
	p = budget((uint64_t)(least * (double)part * 1.0001), part, l1, cells);
	check(dp_coarse_unit(&p, &unit, &rate) == 0);
	p = budget((uint64_t)(least * (double)part * .99), part, l1, cells);
	check(dp_coarse_unit(&p, &unit, &rate) == DP_ERANGE);
}

static void
units(void)
{
	struct dp_privacy p = budget(1, 1000000, 1000000000, 1);
	uint64_t unit, den, l1, cells;
	double rate;

	/* 67 units at most: (10^9 - 1) / 66 is 15151515.1, so 15151516, and 15151517 is odd */
	check(dp_coarse_unit(&p, &unit, &rate) == 0 && unit == 15151517);
	check(fabs(rate * 66 - 1e-6) < 1e-18);
	/* just within, and just not */
	p = budget(1, 1, (uint64_t)1 << 26, 1);
	check(dp_coarse_unit(&p, &unit, &rate) == 0 && unit == 1);
	p = budget(1, 1, ((uint64_t)1 << 26) + 1, 1);
	check(dp_coarse_unit(&p, &unit, &rate) == 0 && unit == 3);
	p.cells = 0;
	check(dp_coarse_unit(&p, &unit, &rate) == DP_ERANGE);
	p.exact = true;
	check(dp_coarse_unit(&p, &unit, &rate) == 0 && unit == 1);
	for (den = 1; den <= 1000000; den *= 10)
		for (l1 = 1; l1 < (uint64_t)1 << 49; l1 = l1 * 3 + 1)
			for (cells = 0; cells <= 1000 && cells <= l1; cells = cells * 10 + 1)
				one_budget(den, l1, cells);
}

static void
within(int64_t unit, struct dp_rng *rng)
{
	enum { N = 200000, BLOCK = 50 };
	static double n[1001];
	static long double w[1001];
	int64_t x[BLOCK], was[BLOCK], v;
	unsigned i, k;
	double df, chi;

	memset(n, 0, sizeof n);
	for (i = 0; i < N; i += BLOCK) {
		for (k = 0; k < BLOCK; k++)
			x[k] = was[k] = (int64_t)(i * 7 + k * k) % 1999 - 999;
		check(dp_coarse_widen((uint64_t)unit, rng, x, BLOCK) == 0);
		for (k = 0; k < BLOCK; k++) {
			v = x[k] - was[k] * unit + unit / 2;
			check(v >= 0 && v < unit);
			n[v < 0 || v >= unit ? 0 : v]++;
		}
	}
	for (v = 0; v < unit; v++)
		w[v] = 1;
	chi = chi_square(w, n, (unsigned)unit, N, &df);
	check(df == (double)unit - 1 && chi2_tail(chi, df) >= FALSE_REJECT / 3);
	for (k = 0; k < 2; k++) {
		x[0] = ((int64_t)1 << 36) * (k == 0 ? 1 : -1);
		check(dp_coarse_widen((uint64_t)unit, rng, x, 1) == 0);
		x[0] = (((int64_t)1 << 36) + 1) * (k == 0 ? 1 : -1);
		check(dp_coarse_widen((uint64_t)unit, rng, x, 1) == DP_ERANGE);
	}
}

/* What a task's variances and errors are in units of 3, from those of the same tree. */
static void
scaled(const struct dp_task *task, uint64_t h, double steps)
{
	struct dp_mech_rule s = setting(h, 1, 1, 1);
	struct dp_normtree_shape shape;
	struct dp_normtree *p;
	struct dp_error one, three;
	double v, w;

	if (task == NULL)
		dp_normtree_count_shape(&shape, h);
	else
		dp_normtree_stream(&shape, task, h, 1);
	if (dp_normtree_create(&p, &shape, &s.privacy) != 0)
		abort();
	p->row = task != NULL;
	v = dp_normtree_variance(p, task, 0, h);
	w = task == NULL ? dp_normtree_step_variance(p, h) : 0;
	dp_normtree_error(p, task, 0, h, &one);
	p->unit = 3;
	check(fabs(dp_normtree_variance(p, task, 0, h) - 9 * v - steps * 9 / 12) < 1e-9);
	check(task != NULL || fabs(dp_normtree_step_variance(p, h) - 9 * w - 9. / 12) < 1e-9);
	dp_normtree_error(p, task, 0, h, &three);
	check(fabs(three.max - 9 * one.max - steps * 9 / 12) < 1e-9);
	check(fabs(three.mean - 9 * one.mean - steps * 9 / 12) < 1e-9);
	dp_normtree_free(p);
}

/* A plan of 6710885 u at epsilon .1 has the tables of one of 6710885 grid units, in units of u. */
static void
laws(const struct dp_task *task)
{
	enum { T = 1000 };
	static const uint64_t t[] = { 1, 2, 500, 999, T };
	const uint64_t L = 6710885, u = 10000001;
	struct dp_mech_rule s = setting(T, 1, 10, L * u), c = setting(T, 1, 10, L);
	const double far = (double)u, square = far * far;
	struct dp_error wide, near;
	struct dp_mech *m, *n;
	struct dp_law a, b;
	unsigned i;

	s.task = c.task = *task;
	check(make("normtree", &s) == NULL);
	s.privacy.cells = 1;
	if ((m = make("normtree", &s)) == NULL || (n = make("normtree", &c)) == NULL)
		abort();
	dp_mech_error(m, T, &wide);
	dp_mech_error(n, T, &near);
	check(fabs(wide.max / near.max / square - 1) < 1e-9);
	check(fabs(wide.mean / near.mean / square - 1) < 1e-9);
	for (i = 0; i < 5; i++) {
		check(fabs(dp_mech_variance(m, t[i]) / dp_mech_variance(n, t[i]) / square - 1) <
		    1e-9);
		dp_mech_law(m, 0, t[i], &a);
		dp_mech_law(n, 0, t[i], &b);
		check(fabs(dp_law_bound(&a, .05) / dp_law_bound(&b, .05) / far - 1) < 1e-4);
	}
	dp_mech_free(m);
	dp_mech_free(n);
}

static void
replay(void)
{
	struct dp_privacy p = budget(1, 1000000, 1000000000, 1);
	struct dp_numbers list = { .n = 0 };
	uint64_t unit;
	double rate;

	p.numbers = &list;
	check(dp_coarse_unit(&p, &unit, &rate) == 0 && list.n == 1 && list.number[0].word == unit);
	dp_numbers_replay(&list);
	list.number[0].word = 16000001;	/* another search's */
	dp_numbers_replay(&list);
	check(dp_coarse_unit(&p, &unit, &rate) == 0 && unit == 16000001);
	check(fabs(rate * 63 - 1e-6) < 1e-18 && list.error == 0);
	list.number[0].word = ((uint64_t)1 << 26) + 1;
	dp_numbers_replay(&list);
	check(dp_coarse_unit(&p, &unit, &rate) == 0 && list.error == DP_EINVAL);
	dp_numbers_free(&list);
}

int
main(void)
{
	static const struct dp_task count = { .what = DP_TASK_COUNT },
	    window = { .what = DP_TASK_WINDOW, .windows = 1, .w = { 5 } },
	    decay = { .what = DP_TASK_EXP, .alpha = .5, .decimals = 6 };
	struct dp_rng *rng;

	moves();
	units();
	if (dp_rng_open_seed(&rng, 11) != 0)
		return 1;
	within(3, rng);
	within(7, rng);
	within(1001, rng);
	dp_rng_free(rng);
	scaled(NULL, 8, 8);
	scaled(NULL, 100, 100);
	scaled(&window, 100, 5);
	scaled(&decay, 100, 4. / 3);
	laws(&count);
	laws(&window);
	laws(&decay);
	replay();
	return done();
}
