/* SPDX-License-Identifier: ISC */
/* t_mean.c - what events add to a mean's totals, and the ends of intervals, against other ways. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "stat/internal.h"
#include "stat/mean.h"

static const struct dp_mean_asked *
asked(int64_t lo, int64_t hi, bool variance)
{
	static struct dp_mean_asked k;

	k = (struct dp_mean_asked){ .lo = lo, .hi = hi, .n = 1,
	    .what = { variance ? DP_MEAN_SD : DP_MEAN_MEAN } };
	return &k;
}

/*
 * --sampling has a third number where values are not 0 and 1, and reach and amounts are those of a
 * variance: of any two values, there or not, and changed.
 */
static void
sampled(void)
{
	const struct dp_mean_asked share = { .hi = 1, .n = 1, .sampling = true };
	int64_t hi, v, other, x[DP_MEAN_NUMBERS], y[DP_MEAN_NUMBERS];
	uint64_t U, apart;
	int i;

	check(dp_mean_numbers(&share) == 2 && dp_mean_unit(&share) == 1);
	for (hi = 2; hi < 60; hi++) {
		const struct dp_mean_asked k = { .hi = hi, .n = 1, .sampling = true };

		U = dp_mean_unit(&k);
		check(dp_mean_numbers(&k) == 3 && U == dp_mean_unit(asked(0, hi, true)));
		for (v = 0; v <= hi; v++) {
			dp_mean_split(&k, v, x);
			check(x[0] >= 0 && x[1] >= 0 && x[2] >= 0);
			check((uint64_t)(x[0] + x[1] + x[2]) == U);
			for (other = 0; other < v; other++) {
				dp_mean_split(&k, other, y);
				for (apart = 0, i = 0; i < 3; i++)
					apart += (uint64_t)llabs(x[i] - y[i]);
				check(apart <= 2 * U);
			}
		}
	}
}

/* mean.h: none below 0, all together U, b1/2 + b2 = rU, and b2 within 1/2 of r^2 U. */
static void
split_one(const struct dp_mean_asked *k, int64_t v)
{
	const long double M = (long double)k->hi - (long double)k->lo, r = (v - k->lo) / M,
	    U = dp_mean_unit(k);
	int64_t x[DP_MEAN_NUMBERS] = { 0 };

	dp_mean_split(k, v, x);
	check(x[0] >= 0 && x[1] >= 0 && x[2] >= 0);
	check((uint64_t)x[0] + (uint64_t)x[1] + (uint64_t)x[2] == dp_mean_unit(k));
	if (dp_mean_numbers(k) == 2) {
		check(x[2] == 0 && (uint64_t)x[1] == (uint64_t)v - (uint64_t)k->lo);
		return;
	}
	check(fabsl(x[1] / 2.L + x[2] - r * U) <= 1e-15L * U);
	check(fabsl(x[2] - r * r * U) <= .5L + 1e-15L * U);
}

static void
splits(void)
{
	static const int64_t end[][2] = { { 0, 1 }, { -3, 4 }, { 5, 17 }, { 0, 999 }, { -7, 1000 },
	    { 0, 1001 }, { -123456, 7654321 }, { 0, (int64_t)1 << 40 },
	    { -1, ((int64_t)1 << 49) - 1 },
	    { INT64_MIN, INT64_MIN + 12 }, { INT64_MAX - 3, INT64_MAX } };
	const struct dp_mean_asked *k;
	unsigned i, j, two;

	for (i = 0; i < sizeof end / sizeof *end; i++)
		for (two = 0; two < 2; two++) {
			k = asked(end[i][0], end[i][1], !two);
			check(dp_mean_numbers(k) == (two ? 2 : 3));
			check(dp_mean_unit(k) <= (uint64_t)1 << 49);
			for (j = 0; j <= 1000; j++)
				split_one(k, (int64_t)((uint64_t)k->lo + (uint64_t)
				    ((dp_uwide)((uint64_t)k->hi - (uint64_t)k->lo) * j / 1000)));
		}
	k = asked(0, 10, true);
	check(dp_mean_unit(k) == 100);
	check(dp_mean_unit(asked(0, 10, false)) == 10);
	check(dp_mean_unit(asked(0, 5000, true)) == 5000000);
}

/* mean.h: on a grid that is finer than was asked for, U is what trees of sums still take. */
static void
splits_finer(void)
{
	static const struct { int64_t hi; uint64_t U; } of[] = { { 10, 100 }, { 100, 10000 },
	    { 3000, 999000 }, { 600000, 600000 }, { 1000000, 1000000 }, { 9000000, 9000000 } };
	struct dp_mean_asked k;
	unsigned i, j;

	for (i = 0; i < sizeof of / sizeof *of; i++) {
		k = *asked(-1, of[i].hi - 1, true);
		k.finer = 5;
		check(dp_mean_unit(&k) == of[i].U);
		for (j = 0; j <= 1000; j++)
			split_one(&k, k.lo + of[i].hi * j / 1000);
	}
}

static bool
is(double x, double want)
{
	return fabs(x - want) < 1e-9;
}

/* Where q is one number, D = b1 - rho N is within it for rho from (b1 - q)/N to (b1 + q)/N. */
static void
hulls(void)
{
	struct dp_mean_law l;
	double end[2];
	unsigned i;

	for (i = 0; i < DP_MEAN_KNOTS; i++)
		l.knot[i] = 1;
	dp_mean_hull(&l, (const double []){ 6, 4 }, 2, end);
	check(is(end[0], .3) && is(end[1], .5));
	dp_mean_hull(&l, (const double []){ 2, 2, 6 }, 3, end);
	check(is(end[0], .6) && is(end[1], .8));
	dp_mean_hull(&l, (const double []){ 9.5, .5 }, 2, end);
	check(is(end[0], 0) && is(end[1], .15));
	dp_mean_hull(&l, (const double []){ -.5, 10 }, 2, end);
	check(is(end[0], 9 / 9.5) && is(end[1], 1));
	dp_mean_hull(&l, (const double []){ .2, -.3 }, 2, end);
	check(is(end[0], 0) && is(end[1], 1));
	/* q falls to the middle: 2 - 2 rho, of D = 5 - 10 rho; D = q at 3/8, -q at 5/8 */
	for (i = 0; i < DP_MEAN_KNOTS; i++)
		l.knot[i] = 2 - i / (DP_MEAN_KNOTS - 1.);
	dp_mean_hull(&l, (const double []){ 5, 5 }, 2, end);
	check(is(end[0], .375) && is(end[1], .625));
	/* D <= q at the ends alone: the hull is all */
	for (i = 0; i < DP_MEAN_KNOTS; i++)
		l.knot[i] = 6 - 1.8 * i / (DP_MEAN_KNOTS - 1);
	dp_mean_hull(&l, (const double []){ -3, 5.9 }, 2, end);
	check(end[0] == 0 && end[1] == 1);
	dp_mean_hull(&l, (const double []){ 5.9, -3 }, 2, end);
	check(end[0] == 0 && end[1] == 1);
	for (i = 0; i < DP_MEAN_KNOTS; i++)
		l.knot[i] = INFINITY;
	dp_mean_hull(&l, (const double []){ 5, 5 }, 2, end);
	check(end[0] == 0 && end[1] == 1);
}

#define STEPS	24

/* Against every point of a grid in the box: none is outside, and some are near the ends. */
static void
boxes(void)
{
	struct dp_mean_law l = { .one = 0 };
	double b[3], x[3], end[2], v, least, most, n;
	int i, j, c, trial;

	srand(7);
	for (trial = 0; trial < 400; trial++) {
		for (i = 0; i < 3; i++)
			b[i] = rand() % 40 + (trial % 2) * 20;
		l.one = 1 + rand() % 9;
		dp_mean_box(&l, b, end);
		least = 1;
		most = 0;
		for (i = 0; i <= STEPS; i++)
			for (j = 0; j <= STEPS; j++)
				for (c = 0; c <= STEPS; c++) {
					x[0] = fmax(b[0] - l.one + 2 * l.one * i / STEPS, 0);
					x[1] = fmax(b[1] - l.one + 2 * l.one * j / STEPS, 0);
					x[2] = fmax(b[2] - l.one + 2 * l.one * c / STEPS, 0);
					n = x[0] + x[1] + x[2];
					if (n <= 0)
						continue;
					v = (x[0] * x[2] - x[1] * x[1] / 4) / n / n;
					least = fmin(least, v);
					most = fmax(most, v);
				}
		check(end[0] <= fmax(least, 0) + 1e-12 && end[1] >= most - 1e-12);
		check(end[0] >= fmax(least, 0) - 1e-12 || b[0] + b[1] + b[2] <= 3 * l.one);
		check(end[1] <= most + .002 || b[0] + b[1] + b[2] <= 3 * l.one);
	}
	l.one = INFINITY;
	dp_mean_box(&l, b, end);
	check(end[0] == 0 && end[1] == .25);
}

/* A row, there or not: none below 0, R together at most, and itself where nothing is clamped. */
static void
row(const struct dp_mean_asked *k, int64_t v, int64_t w)
{
	const int64_t R = (int64_t)dp_mean_reach(k), F = (int64_t)k->weight.finer;
	const int64_t b = k->hi * F * w - v, a = v - k->lo * F * w;
	int64_t x[2];
	bool whole = dp_mean_weigh(k, v, w, x);

	check(x[0] >= 0 && x[1] >= 0 && x[0] + x[1] <= R);
	check(whole == (a >= 0 && b >= 0 && a + b <= R));
	if (whole)
		check(x[0] == b && x[1] == a);
	else if (a >= 0 && b >= 0)	/* one factor: MAX of the weight, the ratio kept */
		check(x[0] + x[1] == R && fabs((double)x[1] - (double)a * (double)R /
		    (double)(a + b)) <= .5 + 1e-9);
	else
		check((a < 0 && x[1] == 0) || (b < 0 && x[0] == 0));
}

/*
 * A total, with one event more: dw of U at most, dv of LO dw to HI dw.  Both numbers go one way,
 * and by R together at most; v alone takes both by as much as one event, and no more than 2 R.
 */
static void
total(const struct dp_mean_asked *k, int64_t v, int64_t w, int64_t most[2])
{
	const int64_t R = (int64_t)dp_mean_reach(k), U = (int64_t)k->weight.most;
	int64_t x[2], y[2], dv, dw, moved;

	(void)dp_mean_weigh(k, v, w, x);
	check(x[0] >= 0 && x[1] >= 0);
	for (dw = 0; dw <= U; dw++)
		for (dv = k->lo * dw; dv <= k->hi * dw; dv++) {
			(void)dp_mean_weigh(k, v + dv, w + dw, y);
			check(y[0] >= x[0] && y[1] >= x[1]);
			moved = y[0] - x[0] + y[1] - x[1];
			check(moved <= R);
			most[0] = moved > most[0] ? moved : most[0];
		}
	for (dv = 0; dv <= R; dv++) {
		(void)dp_mean_weigh(k, v + dv, w, y);
		moved = x[0] - y[0] + y[1] - x[1];
		check(moved <= 2 * R);
		most[1] = moved > most[1] ? moved : most[1];
	}
}

/* mean.h, WEIGHTS: every small row, and rows as large as a line can have. */
static void
weights(void)
{
	static const int64_t range[][2] = { { 0, 1 }, { -1, 2 }, { -2, -1 }, { 1, 3 }, { 0, 3 } };
	static const int64_t far[] = { -((int64_t)1 << 56), -7, 0, 3, (int64_t)1 << 56 };
	struct dp_mean_asked k = { .n = 1 };
	int64_t v, w, most[2];
	unsigned i, U, cap;

	for (i = 0; i < sizeof range / sizeof *range; i++)
		for (U = 1; U <= 3; U++) {
			k.lo = range[i][0];
			k.hi = range[i][1];
			k.weight = (struct dp_mean_weight){ .most = U, .finer = U == 3 ? 10 : 1 };
			check(dp_mean_reach(&k) == U * dp_mean_unit(&k));
			for (v = -40; v <= 40; v++)
				for (w = -3; w <= 6; w++)
					row(&k, v, w);
			k.weight.finer = 1;
			for (cap = 1; cap <= 30; cap += 29) {
				k.weight.cap = cap * U * dp_mean_unit(&k);
				most[0] = most[1] = 0;
				for (v = -12; v <= 12; v++)
					for (w = 0; w <= 5; w++)
						total(&k, v, w, most);
				check(most[0] == (int64_t)dp_mean_reach(&k));
				check(cap == 1 || most[1] == 2 * (int64_t)dp_mean_reach(&k));
			}
		}
	k = (struct dp_mean_asked){ .lo = -((int64_t)1 << 48), .hi = (int64_t)1 << 48, .n = 1,
	    .weight = { .most = 1, .finer = 1 } };
	for (i = 0; i < 25; i++) {
		int64_t x[2];

		(void)dp_mean_weigh(&k, far[i / 5], far[i % 5], x);
		check(x[0] >= 0 && x[1] >= 0 && x[0] + x[1] <= (int64_t)1 << 49);
	}
}

int
main(void)
{
	splits();
	splits_finer();
	sampled();
	weights();
	hulls();
	boxes();
	return done();
}
