/* SPDX-License-Identifier: ISC */
/*
 * t_audit.c - lower bounds on a loss: intervals against published ones and by their definition,
 * events that are found, bounds that hold.
 */
#include <math.h>

#include "check.h"
#include "law/audit.h"
#include "random/rng.h"

static struct dp_rng *rng;

static double
uniform(void)
{
	uint64_t w;

	memcpy(&w, dp_rng_take(rng, sizeof w), sizeof w);
	return ((double)(w >> 11) + .5) * 0x1p-53;
}

static double
normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* Discrete Laplace noise of loss eps for a step of 1: the difference of two geometric variables. */
static double
laplace(double eps)
{
	return floor(-log(uniform()) / eps) - floor(-log(uniform()) / eps);
}

static bool
near(double x, double y)
{
	return fabs(x - y) < 1e-6;
}

/* P(X >= x), X binomial of n and p, by adding up from the other end. */
static double
above(unsigned x, unsigned n, double p)
{
	double term = pow(1 - p, n), sum = 0;
	unsigned i;

	for (i = 0; i <= n; i++) {
		sum += i >= x ? term : 0;
		term *= (double)(n - i) / (i + 1) * p / (1 - p);
	}
	return sum;
}

/* R's binom.test, and the closed forms at both ends. */
static void
test_intervals(void)
{
	unsigned x;

	check(near(dp_audit_lower(8, 10, .025), .4439045));
	check(near(dp_audit_upper(8, 10, .025), .9747893));
	check(near(dp_audit_upper(0, 10, .025), .3084971));
	check(near(dp_audit_lower(10, 10, .025), .6915029));
	check(dp_audit_lower(0, 10, .025) == 0 && dp_audit_upper(10, 10, .025) == 1);
	check(near(dp_audit_upper(0, 1000000, 1e-6), 1.3815e-5));
	/* dpaudit(1): 2000 runs, of which the second half count, show a loss of 4.2 at most */
	check(fabs(log(dp_audit_lower(1000, 1000, 5e-7) / dp_audit_upper(0, 1000, 5e-7)) - 4.2) <
	    .05);
	for (x = 1; x <= 40; x++) {	/* the definition, never on the wrong side */
		check(above(x, 40, dp_audit_lower(x, 40, 1e-6)) <= 1e-6 * (1 + 1e-8));
		check(above(x, 40, dp_audit_lower(x, 40, 1e-6)) > 1e-6 * (1 - 1e-6));
	}
	/* half a million of a million: 4.89 standard deviations of 0.0005 */
	check(fabs(dp_audit_lower(500000, 1000000, 5e-7) - .497553) < 3e-6);
}

#define N	4000

/* One number, on B one larger: the event is a threshold, and its odds are exp(eps). */
static struct dp_audit
counted(double eps, double shift, double delta)
{
	static double a[N], b[N];
	struct dp_audit e;
	size_t i;

	for (i = 0; i < N; i++) {
		a[i] = laplace(eps);
		b[i] = laplace(eps) + shift;
	}
	if (dp_audit_bound(a, b, N, 1, delta, 1e-6, &e) != 0)
		abort();
	return e;
}

/* True losses are never refuted (rate 1e-6 each); twice the claim is, 8 sd and more away. */
static void
test_one_number(void)
{
	struct dp_audit e;
	int i;

	for (i = 0; i < 20; i++) {
		e = counted(1, 1, 0);
		check(e.epsilon <= 1 && e.epsilon > .5);
		check(e.runs == N / 2 && !e.combined && e.column == 0);
		check(e.likely > e.unlikely);
		check(counted(2, 1, 0).epsilon > 1.2);
		check(counted(1, 0, 0).epsilon == 0);
		/* the other way round */
		e = counted(2, -1, 0);
		check(e.epsilon > 1.2 && e.epsilon <= 2);
	}
	/* a delta of as much as the event's probability explains everything */
	check(counted(1, 1, .8).epsilon == 0);
	check(counted(3, 1, .1).epsilon < counted(3, 1, 0).epsilon);
	/* nothing in common: 2000 of 2000 and none */
	e = counted(40, 1, 0);
	check(e.likely == N / 2 && e.unlikely == 0 && e.epsilon > 4.9);
}

/*
 * Nine numbers, each of them moved by a third of its deviation alone: only together do they tell,
 * by one deviation (odds .84 : .16 at the middle).
 */
static void
test_together(void)
{
	static double a[9 * N], b[9 * N];
	struct dp_audit e;
	size_t i, j;
	double x;

	for (i = 0; i < N; i++)
		for (j = 0; j < 9; j++) {
			a[9 * i + j] = normal();
			b[9 * i + j] = normal() + 2. / 3;
		}
	check(dp_audit_bound(a, b, N, 9, 0, 1e-6, &e) == 0);
	check(e.combined && e.epsilon > 1.4);
	/* numbers that never change, or are one another's copies, do no harm */
	for (i = 0; i < N; i++) {
		x = normal();
		for (j = 0; j < 9; j++) {
			a[9 * i + j] = j < 4 ? 7 : x;
			b[9 * i + j] = j < 4 ? 7 : x + 2;
		}
	}
	check(dp_audit_bound(a, b, N, 9, 0, 1e-6, &e) == 0);
	check(e.epsilon > 1.4);
}

/* What the runs that choose say is no evidence: here only they differ. */
static void
test_halves(void)
{
	static double a[N], b[N];
	struct dp_audit e;
	size_t i;

	for (i = 0; i < N; i++) {
		a[i] = 0;
		b[i] = i % 2 == 0;
	}
	check(dp_audit_bound(a, b, N, 1, 0, 1e-6, &e) == 0);
	check(e.epsilon == 0);
	/* and a bound at 90 % is wrong in one of ten runs at most: 400 of them, 40 and 5 sd */
	int wrong = 0;
	for (int r = 0; r < 400; r++) {
		for (i = 0; i < 200; i++) {
			a[i] = laplace(1);
			b[i] = laplace(1) + 1;
		}
		check(dp_audit_bound(a, b, 200, 1, 0, .1, &e) == 0);
		wrong += e.epsilon > 1;
	}
	check(wrong <= 70);
}

int
main(void)
{
	if (dp_rng_open_seed(&rng, 11) != 0)
		return 1;
	test_intervals();
	test_one_number();
	test_together();
	test_halves();
	dp_rng_free(rng);
	return done();
}
