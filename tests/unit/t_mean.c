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

int
main(void)
{
	splits();
	sampled();
	hulls();
	boxes();
	return done();
}
