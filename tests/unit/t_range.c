/* SPDX-License-Identifier: ISC */
/*
 * t_range.c - delta of choices of bounded range: the closed form of one; recursions over fine t
 * without a grid; exponential mechanisms on all small tables of scores, chosen by what came before;
 * binomial sums; and that permute-and-flip is of no such range.
 */
#include <math.h>

#include "account/internal.h"
#include "check.h"

#define FINE	60		/* steps of t */
#define COLUMNS	3
#define SCORES	3		/* 0, 1, 2 */
#define TABLES	27

static double
computed(double c, uint64_t n, double x)
{
	double delta;

	if (dp_range_delta(&delta, c, n, x) != 0)
		abort();
	return delta;
}

/* The largest p (1 - e^(x-t)) is at t = (c + x)/2. */
static void
one_choice(void)
{
	double c, x, want;
	int i, j;

	for (i = 1; i <= 8; i++)
		for (j = 1; j < 20; j++) {
			c = i / 8.;
			x = c * j / 20;
			want = pow(-expm1((x - c) / 2), 2) / -expm1(-c);
			check(computed(c, 1, x) >= want * (1 - 1e-9));
			check(computed(c, 1, x) <= want * 1.01 + 1e-3 * c);
		}
	check(computed(0.5, 1, 0.51) < 1e-11);	/* never beyond c */
}

/* From below: t in FINE steps alone, x exact. */
static double
recursion(double c, int n, double x)
{
	double most = 0, t, p;
	int i;

	if (n == 0)
		return fmax(0, -expm1(x));
	for (i = 0; i <= FINE; i++) {
		t = c * i / FINE;
		p = expm1(t - c) / expm1(-c);
		most = fmax(most, p * recursion(c, n - 1, x - t) +
		    (1 - p) * recursion(c, n - 1, x - t + c));
	}
	return most;
}

static void
several_choices(void)
{
	static const double c[] = { 0.05, 0.3, 1 };
	double low, high;
	unsigned i;
	int n, j;

	for (i = 0; i < 3; i++)
		for (n = 2; n <= 3; n++)
			for (j = 1; j < 4; j++) {
				low = recursion(c[i], n, c[i] * n * j / 5);
				high = computed(c[i], (uint64_t)n, c[i] * n * j / 5);
				check(low > 0 && high >= low * (1 - 1e-9) && high <= low * 1.04);
			}
}

/* Laws of the exponential mechanism or of permute-and-flip on all tables of scores 0, 1, 2. */
static double law[TABLES][COLUMNS];

static void
set_laws(double b, bool flips)
{
	static const int order[6][COLUMNS] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 },
	    { 2, 0, 1 }, { 2, 1, 0 } };
	double w[COLUMNS], sum, left;
	int i, j, k, s[COLUMNS], most;

	for (i = 0; i < TABLES; i++) {
		most = 0;
		sum = 0;
		for (j = 0, k = i; j < COLUMNS; j++, k /= SCORES) {
			s[j] = k % SCORES;
			most = s[j] > most ? s[j] : most;
			law[i][j] = 0;
		}
		for (j = 0; j < COLUMNS; j++)
			sum += w[j] = exp((s[j] - most) / b);
		for (j = 0; j < COLUMNS && !flips; j++)
			law[i][j] = w[j] / sum;
		for (k = 0; k < 6 && flips; k++)
			for (j = 0, left = 1. / 6; j < COLUMNS; j++) {
				law[i][order[k][j]] += left * w[order[k][j]];
				left *= 1 - w[order[k][j]];
			}
	}
}

/* The largest delta of n choices, each from any two tables, taken by what was chosen. */
static double
attack(int n, double x)
{
	double most = 0, sum;
	int p, q, j;

	if (n == 0)
		return fmax(0, -expm1(x));
	for (p = 0; p < TABLES; p++)
		for (q = 0; q < TABLES; q++) {
			for (j = 0, sum = 0; j < COLUMNS; j++)
				sum += law[p][j] * attack(n - 1, x - log(law[p][j] / law[q][j]));
			most = fmax(most, sum);
		}
	return most;
}

/* The largest Renyi divergence of order a over all neighbours, over a. */
static double
divergence(double a)
{
	double most = 0, sum;
	int p, q, j;

	for (p = 0; p < TABLES; p++)
		for (q = 0; q < TABLES; q++) {
			for (j = 0, sum = 0; j < COLUMNS; j++)
				sum += law[q][j] * pow(law[p][j] / law[q][j], a);
			most = fmax(most, log(sum) / (a - 1));
		}
	return most / a;
}

/*
 * Any two tables are neighbours: moves are 2 apart at most if both signs occur, so that spread is 4
 * and c = 4/b.  Permute-and-flip of the same scale passes c^2/8 and H_1.
 */
static void
small_tables(void)
{
	const double b = 8, c = 4 / b;
	bool flips_pass = false;
	int i, a;

	set_laws(b, false);
	for (a = 2; a <= 32; a *= 2)
		check(divergence(a) <= c * c / 8);
	check(divergence(2) > c * c / 8 * 0.5);
	for (i = 1; i < 10; i++)
		check(attack(1, c * i / 10) <= computed(c, 1, c * i / 10));
	for (i = 2; i < 6; i += 3)
		check(attack(2, c * i / 5) <= computed(c, 2, c * i / 5));
	set_laws(b, true);
	for (i = 1; i < 10; i++)
		flips_pass |= attack(1, c * i / 10) > computed(c, 1, c * i / 10);
	check(flips_pass && divergence(2) > c * c / 8);
}

/* The pair of t = c/2 alone, n times: k of them for the first, the loss is (2k - n) c/2. */
static double
binomial(double c, int n, double x)
{
	const double p = 1 / (1 + exp(-c / 2));
	double sum = 0, log_p, loss;
	int k;

	for (k = 0; k <= n; k++) {
		if ((loss = (2 * k - n) * c / 2) <= x)
			continue;
		log_p = lgamma(n + 1.) - lgamma(k + 1.) - lgamma(n - k + 1.) + k * log(p) +
		    (n - k) * log1p(-p);
		sum += exp(log_p) * -expm1(x - loss);
	}
	return sum;
}

/* What is found is enough, nearly all, and the more than its start the worse that is. */
static void
widest(void)
{
	static const struct { double x, delta; uint64_t n; double gain; } k[] = {
		{ 1, 1e-6, 10, 1.09 }, { 1, 1e-6, 100, 1.065 }, { 0.1, 1e-6, 100, 1.08 },
		{ 1, 1e-3, 250, 1.11 }, { 1, 1e-6, 1000, 1.06 }
	};
	double c, start, rho, lo, hi, a;
	unsigned i;

	for (i = 0; i < sizeof k / sizeof k[0]; i++) {
		/* start: rho at the best real order, a little more than privacy.h allows */
		for (lo = 0, hi = k[i].x; hi - lo > 1e-9; ) {
			rho = (lo + hi) / 2;
			for (a = 1.5, start = INFINITY; a < 1e5; a *= 1.001)
				start = fmin(start, (a - 1) * (a * rho - k[i].x) - log(a - 1) +
				    a * log1p(-1 / a));
			*(start <= log(k[i].delta) ? &lo : &hi) = rho;
		}
		start = sqrt(8 * lo / (double)k[i].n);
		check(dp_range_widest(&c, start, k[i].n, k[i].x, k[i].delta) == 0);
		check(c >= start * k[i].gain && c < start * (k[i].gain + 0.02));
		check(computed(c, k[i].n, k[i].x) <= k[i].delta);
		check(binomial(c, (int)k[i].n, k[i].x) <= k[i].delta);
		check(k[i].n < 100 || binomial(c * 1.02, (int)k[i].n, k[i].x) > k[i].delta);
	}
	/* nothing is found above a start that is too wide */
	check(dp_range_widest(&c, 0.5, 100, 1, 1e-6) == 0 && c == 0.5);
	check(dp_range_widest(&c, 1.5, 1, 1, 1e-6) == 0 && c == 1.5);
}

int
main(void)
{
	PART(one_choice());
	PART(several_choices());
	PART(small_tables());
	PART(widest());
	return done();
}
